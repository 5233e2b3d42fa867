"""Tried from outside: dice nobody chooses, a file nobody loses, a server nobody stops."""

import json
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

from forcepool.cli.files import begin_campaign
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.verify import verify
from tests.outside.conftest import Outside

ROLL = {"command": "roll-deployment", "nation": "Germany"}


def note(text: str) -> dict[str, str]:
    return {"command": "note", "text": text}


def entries_in(file: Path) -> int:
    """What is in the file alone, as someone has it who copies it."""
    db = sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        return int(db.execute("SELECT seq FROM head").fetchone()[0])
    finally:
        db.close()


def test_a_seat_cannot_choose_its_dice(outside: Outside) -> None:
    axis, soviet = outside.seated("Axis"), outside.seated("Soviet")
    status, answer = axis.do(ROLL, die="6", override="because I say so")
    assert (status, answer["accepted"], answer["kind"]) == (202, False, "asked")
    assert "enter dice by hand" in soviet.ask("/c/east")[1]


def test_orders_are_not_acknowledged_into_a_file_that_is_gone(outside: Outside) -> None:
    axis = outside.seated("Axis")
    assert axis.do(note("before"))[0] == 200
    outside.file.rename(outside.folder / "moved.fp")
    status, _ = axis.ask("/c/east/do", {"order": json.dumps(note("after"))})
    assert status in (404, 503)
    outside.end()
    with SqliteJournal.open(outside.folder / "moved.fp") as journal:
        report = verify(journal)
    assert report.sound


def test_another_campaign_put_over_the_file_is_not_written_into(outside: Outside, tmp_path: Path) -> None:
    axis = outside.seated("Axis")
    assert axis.do(note("meant for Smolensk"))[0] == 200
    other = tmp_path / "other.campaign"
    begin_campaign(str(other), "compass-published")
    before = other.read_bytes()
    shutil.copyfile(other, outside.file)
    for _ in range(3):
        assert axis.ask("/c/east/do", {"order": json.dumps(note("meant for Smolensk"))})[0] == 503
    outside.end()
    with SqliteJournal.open(outside.file) as journal:
        report = verify(journal)
        bodies = b"".join(sealed.body for sealed in journal.read())
    assert report.sound
    assert b"Compass" in bodies
    assert b"meant for Smolensk" not in bodies
    assert other.read_bytes() == before


def test_a_copy_of_a_served_file_holds_everything_soon(outside: Outside) -> None:
    axis = outside.seated("Axis")
    last = 0
    for number in range(8):
        last = axis.do(note(f"note {number}"))[1]["entry"]
    patience = time.monotonic() + 30
    while entries_in(outside.file) < last and time.monotonic() < patience:
        time.sleep(0.2)
    assert entries_in(outside.file) == last


def test_backup_makes_a_sound_copy_while_the_server_runs(outside: Outside) -> None:
    axis = outside.seated("Axis")
    last = axis.do(note("the last one"))[1]["entry"]
    ran = subprocess.run(
        [sys.executable, "-m", "forcepool", "backup", str(outside.file), str(outside.folder / "copies"), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(ran.stdout)
    assert (told["entries"], told["sound"]) == (last, True)
    assert Path(told["file"]).parent == outside.folder / "copies"


def test_one_bad_file_in_the_folder_hides_no_other(outside: Outside) -> None:
    (outside.folder / "bad.fp").write_bytes(b"SQLite format 3\0" + b"junk" * 500)
    (outside.folder / "text.fp").write_text("no campaign")
    status, page = outside.host.ask("/")
    assert status == 200
    assert "Smolensk" in page
    assert "bad.fp" in page
    status, listed = outside.host.ask("/api/campaigns")
    assert status == 200
    assert [each["name"] for each in json.loads(listed)] == ["east"]


def test_a_misspelt_place_is_refused_with_a_suggestion(outside: Outside) -> None:
    axis = outside.seated("Axis")
    status, answer = axis.do({"command": "declare", "fact": "owner", "about": "Smolenks", "value": "Axis"})
    assert status == 400
    assert "did you mean Smolensk?" in answer["says"]


def test_inputs_without_end_are_turned_away_at_once(outside: Outside) -> None:
    axis = outside.seated("Axis")
    began = time.monotonic()
    assert axis.ask(f"/c/east/rules?q={'a+' * 8000}")[0] in (200, 414, 431)
    assert axis.do(note("x" * 100_000))[0] == 400
    points = {"command": "receive-points", "nation": "Germany", "points": f"1/{'7' * 380} inf"}
    assert axis.do(points, override="long")[0] == 400
    losses = "\n".join("263 Inf XX" for _ in range(20_000))
    assert axis.ask("/c/east/losses", {"text": losses})[0] in (400, 413)
    assert time.monotonic() - began < 60
    assert axis.ask("/c/east")[0] == 200


def test_half_requests_do_not_stop_the_server(outside: Outside) -> None:
    axis = outside.seated("Axis")
    at = urlsplit(outside.url)
    held = []
    try:
        for _ in range(1_000):
            half = socket.create_connection((at.hostname or "", at.port or 0), timeout=10)
            half.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            held.append(half)
    except OSError:
        pass
    finally:
        for half in held[:300]:
            half.close()
    patience = time.monotonic() + 60
    status = 0
    while status != 200 and time.monotonic() < patience:
        try:
            status = axis.ask("/c/east", wait=10)[0]
        except OSError:
            time.sleep(0.5)
    for half in held[300:]:
        half.close()
    assert status == 200


def test_a_receiver_that_never_answers_keeps_the_server_from_nothing(outside: Outside, tmp_path: Path) -> None:
    deaf = socket.create_server(("127.0.0.1", 0))
    try:
        began = time.monotonic()
        threading.Thread(target=deaf.accept, daemon=True).start()
        code, errors = outside.end()
        assert time.monotonic() - began < 15
        assert "Traceback" not in errors
        assert code in (0, -15)
    finally:
        deaf.close()


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


def test_headers_without_end_are_not_listened_to(outside: Outside) -> None:
    axis = outside.seated("Axis")
    at = urlsplit(outside.url)
    with socket.create_connection((at.hostname or "", at.port or 0), timeout=60) as endless:
        hung_up = False
        try:
            endless.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            for number in range(4_000):
                endless.sendall(b"X-%d: %s\r\n" % (number, b"x" * 1_000))
            hung_up = endless.recv(1) == b""
        except OSError:
            hung_up = True
        assert hung_up
    assert axis.ask("/c/east")[0] == 200
