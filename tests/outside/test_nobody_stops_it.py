"""Tried from outside: misspelt places, inputs without end, half requests, receivers that never answer, odd names."""

import html
import json
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from forcepool.cli.files import begin_campaign
from tests.outside.conftest import Begin, Outside, Player, forcepool, told_by
from tests.outside.test_fair_play import sealed_anew

ROOT = Path(__file__).resolve().parents[2]


def note(text: str) -> dict[str, str]:
    return {"command": "note", "text": text}


def connected(server: Outside) -> socket.socket:
    at = urlsplit(server.url)
    return socket.create_connection((at.hostname or "", at.port or 0), timeout=60)


# --------------------------------------------------------------------------------- 14: what does not exist


@pytest.mark.parametrize(
    ("order", "hint"),
    [
        ({"fact": "owner", "about": "Smolenks", "value": "Axis"}, "did you mean Smolensk?"),
        ({"fact": "activity", "about": "front/centra", "value": "active"}, "did you mean"),
        ({"fact": "enemy_zoc", "unit": "no such unit", "value": ["division"]}, "no such unit"),
    ],
)
def test_what_does_not_exist_is_refused_with_a_suggestion(
    outside: Outside, order: dict[str, object], hint: str
) -> None:
    axis = outside.seated("Axis")
    status, answer = axis.do({"command": "declare"} | order, override="because")
    assert status in (400, 403), answer
    assert hint in answer["says"]


def test_a_campaign_that_holds_a_misspelt_place_goes_on_and_says_so(begin: Begin, tmp_path: Path) -> None:
    file, text, served = tmp_path / "east.fp", tmp_path / "east.txt", tmp_path / "served"
    begin_campaign(str(file), "smolensk")
    ran = forcepool("do", file, "declare", "fact=owner", "about=Smolensk", "value=Axis")
    assert ran.returncode == 0, ran.stderr
    assert forcepool("export", file, "-o", text, "--with-secret").returncode == 0
    said = '"event":"marked","on":"place/{}"'
    lines = sealed_anew(text.read_text("utf-8").split("\n"), (said.format("Smolensk"), said.format("Smolenks")))
    text.write_text("\n".join(lines), "utf-8")
    served.mkdir()
    ran = forcepool("import", text, served / "east.fp")
    assert ran.returncode == 0, ran.stderr
    assert "did you mean Smolensk?" in forcepool("status", served / "east.fp").stdout
    server = begin()
    axis, soviet = server.seated("Axis"), server.seated("Soviet")
    assert "did you mean Smolensk?" in axis.ask("/c/east")[1]
    ended = 0
    for _ in range(8):
        ended += any(player.do({"command": "advance"}, override="to go on")[0] == 200 for player in (axis, soviet))
        for page in ("", "/air", "/reserves", "/pool", "/pools"):
            assert axis.ask(f"/c/east{page}")[0] == 200, page
    assert ended == 8
    assert axis.do({"command": "declare", "fact": "owner", "about": "Smolenks"})[0] == 200
    assert "did you mean Smolensk?" not in axis.ask("/c/east")[1]


# ------------------------------------------------------------------------------------- 15: without end


def test_inputs_without_end_are_turned_away_at_once(outside: Outside) -> None:
    axis = outside.seated("Axis")
    assert axis.ask(f"/c/east/rules?q={'a+' * 8000}")[0] in (200, 400, 414, 431)
    assert axis.do(note("x" * 100_000))[0] == 400
    points = {"command": "receive-points", "nation": "Germany", "points": f"1/{'7' * 380} inf"}
    assert axis.do(points, override="long")[0] == 400
    losses = "\n".join("263 Inf XX" for _ in range(20_000))
    assert axis.ask("/c/east/losses", {"text": losses})[0] in (400, 413)
    assert axis.do({"command": "note", "text": "x"}, override="y" * 1_000_000)[0] in (400, 413)
    assert axis.ask("/c/east")[0] == 200


def test_an_observer_who_has_everything_checked_holds_nobody_up(outside: Outside) -> None:
    observer, axis = outside.seated("", "observer"), outside.seated("Axis")
    status, answer = observer.ask("/c/east/job", {"kind": "verify"})
    assert (status, json.loads(answer)["accepted"]) == (200, True)
    for _ in range(5):
        assert axis.do(note("meanwhile"))[0] == 200
    told = {"state": "running"}
    while told["state"] in ("waiting", "running"):
        told = json.loads(observer.ask("/api/campaigns/east/job?wait=20")[1])
    assert told["state"] == "done", told


def test_a_long_task_runs_beside_the_others_and_tells_its_end(outside: Outside) -> None:
    axis, soviet = outside.seated("Axis"), outside.seated("Soviet")
    for kind in ("verify", "report"):
        seat = axis if kind == "verify" else soviet
        status, answer = seat.ask("/c/east/job", {"kind": kind})
        assert (status, json.loads(answer)["accepted"]) == (200, True)
    assert soviet.do(note("meanwhile"))[0] == 200
    for seat in (axis, soviet):
        told = {"state": "running"}
        while told["state"] in ("waiting", "running"):
            told = json.loads(seat.ask("/api/campaigns/east/job?wait=20")[1])
        assert told["state"] == "done", told
    assert "Sound" in axis.ask("/c/east/job")[1]
    assert axis.ask("/c/east/job/file")[0] == 404, "the other side's file is not there"
    assert soviet.ask("/c/east/job/file")[0] == 200


def test_the_server_ends_though_a_task_is_running(outside: Outside) -> None:
    axis = outside.seated("Axis")
    axis.ask("/c/east/job", {"kind": "rules"})
    code, errors = outside.end()
    assert "Traceback" not in errors
    assert code in (0, -15)
    assert not list(outside.folder.glob("*.new*"))


# --------------------------------------------------------------- 16: bad files, half requests, deaf receivers


def test_one_bad_file_in_the_folder_hides_no_other(outside: Outside) -> None:
    (outside.folder / "bad.fp").write_bytes(b"SQLite format 3\0" + b"junk" * 500)
    (outside.folder / "text.fp").write_text("no campaign")
    (outside.folder / "folder.fp").mkdir()
    (outside.folder / "nowhere.fp").symlink_to(outside.folder / "is not there")
    status, page = outside.host.ask("/")
    assert status == 200
    assert "Smolensk" in page
    assert "bad.fp" in page
    status, listed = outside.host.ask("/api/campaigns")
    assert status == 200
    assert [each["name"] for each in json.loads(listed)] == ["east"]
    for name in ("bad", "text", "folder", "nowhere"):
        assert outside.host.ask(f"/c/{name}")[0] in (404, 503)


def test_half_requests_do_not_stop_the_server(outside: Outside) -> None:
    axis = outside.seated("Axis")
    held = []
    try:
        for _ in range(1_100):
            half = connected(outside)
            half.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            held.append(half)
    except OSError:
        pass
    patience = time.monotonic() + 120
    status = 0
    while status != 200 and time.monotonic() < patience:
        # Whoever does not say what he wants is hung up on, and then there is room again.
        try:
            status = axis.ask("/c/east", wait=10)[0]
        except OSError:
            time.sleep(0.5)
    for half in held:
        half.close()
    assert status == 200


def test_headers_without_end_are_not_listened_to(outside: Outside) -> None:
    axis = outside.seated("Axis")
    with connected(outside) as endless:
        try:
            endless.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            for number in range(4_000):
                endless.sendall(b"X-%d: %s\r\n" % (number, b"x" * 1_000))
            hung_up = endless.recv(1) == b""
        except OSError:
            hung_up = True
        assert hung_up
    assert axis.ask("/c/east")[0] == 200


def test_receivers_that_never_answer_keep_the_server_from_nothing(begin: Begin) -> None:
    """Six of them are rung, and neither the others' bell nor the server's end waits for any."""
    server = begin(program=(str(ROOT / "tests" / "outside" / "deaf.py"),))
    axis, soviet = server.seated("Axis"), server.seated("Soviet")
    deaf = socket.create_server(("127.0.0.1", 0), backlog=64)
    good = socket.create_server(("127.0.0.1", 0), backlog=64)
    good.settimeout(60)
    try:
        for player, port in [*[(axis, deaf.getsockname()[1])] * 3, (soviet, deaf.getsockname()[1])]:
            assert player.ask("/c/east/seats/hook", {"url": f"http://127.0.0.1:{port}/{id(player)}"})[0] == 200
        assert soviet.ask("/c/east/seats/hook", {"url": f"http://127.0.0.1:{good.getsockname()[1]}/bell"})[0] == 200
        # The bell looks now and then, and must find that it has become the Soviets' turn.
        assert told_by("status", server.file)["player"] == "Axis"
        while told_by("status", server.file)["player"] == "Axis":
            assert axis.do({"command": "advance"}, override="to go on")[0] == 200
        ring, _ = good.accept()
        with ring:
            assert b"POST /bell" in ring.recv(4096)
        assert axis.do(note("meanwhile"))[0] == 200
        began = time.monotonic()
        code, errors = server.end()
        assert time.monotonic() - began < 30
        assert "Traceback" not in errors
        assert code in (0, -15)
    finally:
        deaf.close()
        good.close()


# ------------------------------------------------------------------------------------------- 17: small ones


def begun_by_host(server: Outside, wish: dict[str, str]) -> str:
    """What the host is told of a campaign to be begun, once that is known."""
    _, answer = server.host.ask("/new", wish)
    while '"go":"/job"' in answer or "<progress" in answer:
        time.sleep(0.2)
        _, answer = server.host.ask("/job")
    return html.unescape(answer)


def test_a_scenario_reads_nothing_from_outside_its_folder(begin: Begin, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret of secrets\n")
    folder = tmp_path / "games"
    folder.mkdir()
    server = begin()
    names = (str(secret), "../secret.txt", "../../../../../../etc/passwd", "./../secret.txt")
    for word, name in product(("map", "profile", "ob"), names):
        scenario = folder / "war.yaml"
        text = f"title: A war\nturn: Oct 1 41\n{word}: {name}\n"
        scenario.write_text(text)
        told = begun_by_host(server, {"name": "war", "scenario": "own", "text": text})
        assert not (server.folder / "war.fp").exists(), told
        # At the prompt the same code reads it: a path from the root and one that climbs tell.
        if name in names[:2]:
            ran = forcepool("new", folder / "war.fp", "--scenario", scenario)
            assert ran.returncode == 2
            told += ran.stdout + ran.stderr
        assert "secret of secrets" not in told
        assert "root:" not in told
    assert sorted(each.name for each in folder.iterdir()) == ["war.yaml"]


def test_an_empty_authorization_does_not_spare_the_token(outside: Outside) -> None:
    axis = outside.seated("Axis")
    for value in ("", " ", "Bearer", "Bearer "):
        axis.token = ""
        status, _ = axis.ask("/c/east/do", {"order": json.dumps(note("forged"))}, authorization=value)
        assert status in (400, 401, 403, 404, 429), value
        request = urllib.request.Request(
            f"{outside.url}/api/campaigns/east/do",
            data=json.dumps({"order": note("forged")}).encode(),
            headers={"authorization": value, "content-type": "application/json"},
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            axis.opener.open(request, timeout=60)
        with refused.value as told:
            assert told.code in (400, 401, 403, 404, 429), value
    assert "forged" not in forcepool("log", outside.file).stdout


def test_a_server_of_ones_own_machine_answers_to_its_own_name_alone(tmp_path: Path) -> None:
    begin_campaign(str(tmp_path / "east.fp"), "smolensk")
    process = subprocess.Popen(
        [sys.executable, "-m", "forcepool", "serve", str(tmp_path), "--json", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        told = ""
        while "}" not in told:
            line = process.stdout.readline()
            assert line, "the server ended before it said where it is"
            told += line
        player = Player(json.loads(told)["url"].rstrip("/"))
        assert player.ask("/")[0] == 200
        for host in ("testserver", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example"):
            assert player.ask("/", host=host)[0] == 403, host
    finally:
        process.terminate()
        process.communicate(timeout=60)


def test_invitations_lead_to_the_address_that_was_told(begin: Begin) -> None:
    server = begin("--address", "https://war.example.org")
    assert server.invitation("Axis").startswith("https://war.example.org/join/")
    assert server.host.ask("/", host="evil.example")[0] == 403


@pytest.mark.parametrize("name", ["what # next", "50 % sure", "why? not", "a&b=c", "Łódź ½"])
def test_a_campaign_of_any_name_is_played(begin: Begin, name: str) -> None:
    server = begin(name=name)
    axis = server.seated("Axis")
    status, page = server.host.ask("/")
    assert status == 200
    assert f'href="{axis.campaign}"' in page
    assert axis.do(note("here"))[0] == 200
    assert axis.ask(f"{axis.campaign}/journal")[0] == 200


@pytest.mark.parametrize("spoil", ["junk", "locked", "folder"])
def test_a_register_of_seats_that_cannot_be_used_is_told_in_a_sentence(tmp_path: Path, spoil: str) -> None:
    begin_campaign(str(tmp_path / "east.fp"), "smolensk")
    register, db = tmp_path / "seats.sqlite", None
    if spoil == "junk":
        register.write_bytes(b"junk" * 5000)
    elif spoil == "folder":
        register.mkdir()
    else:
        db = sqlite3.connect(register, isolation_level=None)
        db.execute("CREATE TABLE x (y)")
        db.execute("BEGIN EXCLUSIVE")
    ran = forcepool("serve", tmp_path, "--public", "--no-browser", "--port", "0")
    if db is not None:
        db.close()
    assert ran.returncode in (1, 2)
    assert ran.stderr.startswith("forcepool: ")
    assert "Traceback" not in ran.stderr
    assert "nobody foresaw" not in ran.stderr


def test_a_register_that_is_spoilt_or_locked_while_the_server_runs_is_told_and_mended(outside: Outside) -> None:
    axis = outside.seated("Axis")
    db = sqlite3.connect(outside.folder / "seats.sqlite", isolation_level=None)
    try:
        db.execute("BEGIN IMMEDIATE")
        assert axis.ask("/c/east")[0] == 200, "looking needs no lock"
        assert axis.do(note("neither does an order"))[0] == 200
        outside.host.ask("/c/east/seats")
        status, page = outside.host.ask("/c/east/seats/invite", {"role": "side", "side": "Soviet", "name": "Ivan"})
        assert status == 503, page
        assert "register of seats" in page
    finally:
        db.execute("ROLLBACK")
        db.close()
    assert outside.invitation("Soviet")


def test_a_journal_without_its_secret_is_brought_back_and_played(outside: Outside, tmp_path: Path) -> None:
    """An export leaves the dice's secret out unless one asks for it; then dice are entered by hand."""
    outside.end()
    text, back = tmp_path / "east.txt", tmp_path / "back.fp"
    assert forcepool("export", outside.file, "-o", text).returncode == 0
    assert forcepool("import", text, back).returncode == 0
    assert told_by("verify", back)["sound"]
    assert forcepool("do", back, "note", "text=on we go").returncode == 0
