"""Long tasks: in a process of their own, watched and cancelled by their seat, bounded in number, kept for a while."""

import re
import shutil
import sqlite3
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from forcepool import games
from forcepool.engine.campaign import Done
from forcepool.engine.journal import GENESIS, seal
from forcepool.store.open import campaign_file
from forcepool.store.sqlite import SqliteJournal
from forcepool.web import jobs, worker
from forcepool.web.chair import FRONT, OBSERVER, REFEREE, SIDE, Seat
from forcepool.web.task import Task
from tests.web.conftest import Serve, Server, Start, Visitor, in_a_loop, task_of

AXIS, SOVIET = Seat(SIDE, "Axis"), Seat(SIDE, "Soviet")
CENTRE = Seat(FRONT, "Axis", "front/centre")
STUCK = [
    sys.executable,
    "-c",
    'import threading; print(\'{"done": 3, "of": 10}\', flush=True); threading.Event().wait()',
]
"""A worker that says how far it is and then comes no further."""
BROKEN = [sys.executable, "-c", "raise SystemExit(3)"]


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def begin(visitor: Visitor, kind: str, **fields: str) -> Any:
    return visitor.post("/c/east/job", {"kind": kind} | fields)


def page(visitor: Visitor, path: str = "/c/east/job") -> str:
    return unescape(visitor.get(path).text)


@pytest.fixture
def stuck(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A public server whose tasks never end by themselves."""
    monkeypatch.setattr("forcepool.web.pages.job.PATIENCE", 0.0)
    server = serve(public=True, seats=("Axis", "Soviet"))
    server.app.state.jobs.command, server.app.state.jobs.clock = STUCK, Clock()
    return server


def test_a_task_tells_how_far_it_is_on_a_page_that_needs_no_script(stuck: Server) -> None:
    axis = stuck.seated(AXIS)
    assert begin(axis, "verify").json()["go"] == "/c/east/job"
    while "3 of 10 done" not in (seen := page(axis)):
        axis.get("/api/campaigns/east/job?wait=1")
    assert '<noscript><meta http-equiv="refresh"' in seen
    assert 'value="30"' in seen
    assert "Cancel" in seen


def test_a_task_is_cancelled_and_its_process_ends(stuck: Server) -> None:
    axis = stuck.seated(AXIS)
    begin(axis, "verify")
    while axis.get("/api/campaigns/east/job").json()["done"] != 3:
        axis.get("/api/campaigns/east/job?wait=1")
    folder = stuck.app.state.jobs.of(f"east/{_who(stuck, 'Axis')}").folder
    assert folder.is_dir()
    assert axis.post("/c/east/job/cancel").json()["accepted"]
    told = axis.get("/api/campaigns/east/job").json()
    assert (told["state"], told["says"]) == ("cancelled", jobs.NOT_TAKEN)
    assert "You stopped it" in page(axis)
    assert begin(axis, "verify").status_code == 200, "the next can begin"
    assert not folder.exists()


def _who(server: Server, side: str) -> str:
    found = [each for each in server.app.state.registry.invitations("east") if each.seat.side == side]
    return f"invitation/{found[0].id}"


def test_a_seat_has_one_task_at_a_time_and_the_others_have_theirs(stuck: Server) -> None:
    axis, soviet = stuck.seated(AXIS), stuck.seated(SOVIET)
    begin(axis, "verify")
    second = begin(axis, "rules")
    assert second.status_code == 429
    assert int(second.headers["retry-after"]) >= 1
    assert "not finished: Verify the journal" in second.json()["says"]
    assert "No task" in page(soviet), "a task is its seat's own"
    assert begin(soviet, "verify").status_code == 200
    without_script = axis.post("/c/east/job", {"kind": "verify"}, accept="text/html")
    assert (without_script.status_code, "Cancel" in without_script.text) == (429, True)


def test_only_so_many_run_and_only_so_many_wait(stuck: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_WAITING", 2)
    seats = [stuck.seated(Seat(OBSERVER, "Axis", name=str(each))) for each in range(jobs.MOST_RUNNING + 3)]
    answers = [begin(each, "verify").status_code for each in seats]
    assert answers == [200] * (jobs.MOST_RUNNING + 2) + [429]
    waiting = seats[jobs.MOST_RUNNING]
    assert waiting.get("/api/campaigns/east/job").json()["state"] == "waiting"
    assert "waits for other tasks" in page(waiting)
    seats[0].post("/c/east/job/cancel")
    while waiting.get("/api/campaigns/east/job").json()["state"] == "waiting":
        waiting.get("/api/campaigns/east/job?wait=1")


def test_on_a_public_server_a_seat_rests_as_long_as_its_task_took(stuck: Server) -> None:
    clock: Clock = stuck.app.state.jobs.clock
    axis, soviet = stuck.seated(AXIS), stuck.seated(SOVIET)
    begin(axis, "verify")
    while axis.get("/api/campaigns/east/job").json()["done"] != 3:
        axis.get("/api/campaigns/east/job?wait=1")
    clock.now += 50
    axis.post("/c/east/job/cancel")
    refused = begin(axis, "verify")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "50")
    assert "can begin in 50 seconds" in refused.json()["says"]
    assert begin(soviet, "verify").status_code == 200
    clock.now += 49.5
    assert begin(axis, "verify").status_code == 200


def test_what_came_of_it_is_kept_for_a_while_and_then_forgotten(serve: Serve) -> None:
    server = serve()
    clock = server.app.state.jobs.clock = Clock()
    home = server.visitor()
    home.get("/c/east")
    begin(home, "export")
    assert task_of(home)["file"] == "east.txt"
    file = home.get("/c/east/job/file")
    assert file.text.startswith("forcepool journal")
    assert file.headers["content-disposition"] == 'attachment; filename="east.txt"'
    folder = server.app.state.jobs.of("east/home/").folder
    clock.now += jobs.KEPT + 1
    assert home.get("/c/east/job/file").status_code == 404
    assert "No task" in page(home)
    assert not folder.exists()


def test_a_file_that_is_on_its_way_stays_though_the_next_task_has_begun(tmp_path: Path) -> None:
    job = jobs.Job(1, "x", Task("export"), lambda: None)
    file = job.folder / "east.txt"
    file.write_text("x")
    first, second = job.handed_over(file), job.handed_over(file)
    job.forget()
    for answer in (first, second):
        assert file.exists()
        assert answer.background is not None
        in_a_loop(answer.background())
    assert not file.exists()


@pytest.mark.parametrize("command", [BROKEN, ["there is no such program"], [sys.executable, "-c", "print('nonsense')"]])
def test_a_process_that_fails_is_told_and_the_next_may_begin(serve: Serve, command: list[str]) -> None:
    server = serve()
    home = server.visitor()
    home.get("/c/east")
    server.app.state.jobs.command = command
    begin(home, "verify")
    assert task_of(home)["state"] == "failed"
    assert "could not do it" in page(home)
    server.app.state.jobs.command = [sys.executable, "-m", "forcepool.web.worker"]
    begin(home, "verify")
    assert task_of(home)["good"] is True


def test_the_reports_of_the_sides_are_their_own(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis, front = server.seated(AXIS), server.seated(CENTRE)
    referee, watcher = server.seated(Seat(REFEREE)), server.seated(Seat(OBSERVER, "Soviet"))
    texts = {}
    for name, seat in (("Axis", axis), ("referee", referee), ("watcher", watcher)):
        begin(seat, "report", form="text")
        assert task_of(seat)["file"] == "east-report.txt"
        texts[name] = seat.get("/c/east/job/file").text
    assert "6 Pz XX" in texts["Axis"]
    assert "6 Pz XX" in texts["referee"]
    assert "6 Pz XX" not in texts["watcher"]
    refused = begin(front, "report")
    assert (refused.status_code, "ask Axis for it" in refused.text) == (403, True)
    server.app.state.jobs.rests = False
    begin(axis, "report", form="page")
    assert task_of(axis)["file"] == "east-report.html"


@pytest.mark.parametrize(
    ("kind", "allowed"),
    [
        ("export", ("referee", "observer")),
        ("table", ("referee", "observer")),
        ("backup", ("referee",)),
        ("verify", ("referee", "observer", "side", "front")),
    ],
)
def test_what_holds_both_sides_is_for_those_who_see_both(serve: Serve, kind: str, allowed: tuple[str, ...]) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    server.app.state.jobs.command = BROKEN
    seats = {"referee": Seat(REFEREE), "observer": Seat(OBSERVER), "side": AXIS, "front": CENTRE}
    for name, seat in seats.items():
        status = begin(server.seated(seat), kind).status_code
        assert status == (200 if name in allowed else 403), name


def _rewritten(path: Path, old: bytes, new: bytes) -> None:
    """Rewrite the journal from end to end with other words in it, seals and all."""
    with SqliteJournal.open(path) as journal:
        bodies = [sealed.body for sealed in journal.stored()]
    db, digest = sqlite3.connect(path), GENESIS
    for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {trigger}")
    for number, body in enumerate(bodies, 1):
        sealed = seal(digest, number, body.replace(old, new) if number > 1 else body)
        db.execute("UPDATE entry SET body = ?, hash = ? WHERE seq = ?", (sealed.body, sealed.hash, number))
        digest = sealed.hash
    db.execute("UPDATE head SET hash = ?", (digest,))
    db.commit()
    db.close()


def test_what_is_wrong_is_named_to_a_side_by_its_entry_alone(begun: Callable[..., Path], tmp_path: Path) -> None:
    path = shutil.copy(begun(), tmp_path / "east.fp")
    with campaign_file(path, games.build_world) as campaign:
        order = b'{"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}'
        campaign.do(campaign.world.read_command(order))
    _rewritten(Path(path), b"6 Pz XX", b"6 Secret XX")
    told = {side: worker.done(Task("verify", str(path), side), lambda *_: None) for side in ("", "Soviet")}
    assert not told[""].good
    assert not told["Soviet"].good
    assert "6 Secret XX" in " ".join(told[""].words)
    assert "6 Secret XX" not in " ".join(told["Soviet"].words)
    assert "entry 2 is not as it was written" in told["Soviet"].words


def test_a_campaign_is_judged_again_with_its_orders_named_to_those_who_see_all(
    begun: Callable[..., Path], tmp_path: Path
) -> None:
    path = shutil.copy(begun(), tmp_path / "east.fp")
    with campaign_file(path, games.build_world) as campaign:
        order = b'{"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}'
        done = campaign.do(campaign.world.read_command(order))
        assert isinstance(done, Done)
    steps: list[tuple[int, int]] = []
    alike = worker.done(Task("rules", str(path)), lambda *step: steps.append(step))
    assert (alike.good, "decide every order alike" in alike.says) == (True, True)
    assert steps == [(2, 4), (4, 4)]
    # The same journal with a cheaper price in it: what was paid then is not what it costs now.
    _rewritten(Path(path), b"52.A.9.d/1", b"52.A.9.d/3")
    for side, names in (("", True), ("Soviet", False)):
        told = worker.done(Task("rules", str(path), side), lambda *_: None)
        assert "1 order would be decided otherwise" in told.says, told
        assert ("6 Pz XX" in " ".join(told.words)) is names
        assert "entry 2" in " ".join(told.words)


def test_a_task_nobody_knows_is_refused(home: Visitor) -> None:
    assert begin(home, "dance").status_code == 400
    assert home.get("/c/east/job/file").status_code == 404


def test_programs_begin_watch_and_cancel_too(stuck: Server) -> None:
    invitation, _ = stuck.app.state.registry.invite("east", AXIS)
    key = {"authorization": f"Bearer {stuck.app.state.registry.new_key(invitation.id)}"}
    at, sent = "/api/campaigns/east/job", key | {"content-type": "application/json"}
    assert stuck.client.get(at, headers=key).status_code == 404
    begun = stuck.client.post(at, headers=sent, content='{"kind": "verify"}')
    assert begun.status_code == 200
    assert stuck.client.post(at, headers=sent, content='{"kind": "rules"}').headers["retry-after"] == "5"
    assert stuck.client.post(at, headers=sent, content='{"kind": "dance"}').status_code == 400
    assert stuck.client.post(at, headers=sent, content='{"kind": "backup"}').status_code == 403
    assert stuck.client.get(f"{at}/file", headers=key).status_code == 404
    assert stuck.client.delete(at, headers=sent).json()["state"] == "cancelled"


@pytest.mark.browser
def test_in_a_browser_the_page_follows_its_task(live: Start, tab: Page) -> None:
    server = live()
    server.app.state.jobs.command = STUCK
    tab.goto(f"{server.url}/c/east/journal")
    tab.get_by_role("button", name="Verify").click()
    expect(tab).to_have_url(re.compile("/job$"))
    expect(tab.locator("main")).to_contain_text("3 of 10 done")
    tab.get_by_role("button", name="Cancel").click()
    expect(tab.locator("main")).to_contain_text("You stopped it")
