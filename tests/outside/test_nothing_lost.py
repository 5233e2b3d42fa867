"""Tried from outside: a file that is moved, replaced, copied, on a full disk, locked, forged or honest."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from forcepool.cli.files import begin_campaign
from tests.outside.conftest import Begin, Outside, Player, forcepool, told_by
from tests.outside.test_fair_play import sealed_anew


def note(text: str) -> dict[str, str]:
    return {"command": "note", "text": text}


def entries_in(file: Path) -> int:
    """What is in the file alone, as someone has it who copies it."""
    db = sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        return int(db.execute("SELECT seq FROM head").fetchone()[0])
    finally:
        db.close()


def notes_in(file: Path) -> str:
    return forcepool("log", file).stdout


# --------------------------------------------------------------------- 8: a file that is gone or replaced


def refused(player: Player, text: str) -> None:
    """Nothing is acknowledged, however often one asks."""
    for _ in range(2):
        status, _ = player.ask("/c/east/do", {"order": json.dumps(note(text))})
        assert status in (404, 503)


def test_orders_are_not_acknowledged_into_a_file_that_was_moved(outside: Outside) -> None:
    axis = outside.seated("Axis")
    assert axis.do(note("before"))[0] == 200
    moved = outside.folder / "moved.fp"
    outside.file.rename(moved)
    refused(axis, "after")
    outside.end()
    assert told_by("verify", moved)["sound"]
    assert "before" in notes_in(moved)
    assert "after" not in notes_in(moved)


def test_orders_are_not_acknowledged_into_a_file_that_was_removed(outside: Outside) -> None:
    axis = outside.seated("Axis")
    assert axis.do(note("before"))[0] == 200
    outside.file.unlink()
    refused(axis, "after")
    assert not outside.file.exists()


def test_another_campaign_put_over_the_file_is_not_written_into(outside: Outside, tmp_path: Path) -> None:
    axis = outside.seated("Axis")
    assert axis.do(note("meant for Smolensk"))[0] == 200
    other = tmp_path / "other.campaign"
    begin_campaign(str(other), "compass-published")
    before = other.read_bytes()
    shutil.copyfile(other, outside.file)
    refused(axis, "meant for Smolensk")
    outside.end()
    assert told_by("verify", outside.file)["sound"]
    assert "Compass" in told_by("status", outside.file)["title"]
    assert "meant for Smolensk" not in notes_in(outside.file)
    assert other.read_bytes() == before


def test_a_restored_copy_is_gone_on_with_and_nothing_of_before_is_written_into_it(outside: Outside) -> None:
    axis = outside.seated("Axis")
    told_by("backup", outside.file, outside.folder / "copies")
    [copy] = (outside.folder / "copies").iterdir()
    assert axis.do(note("after the copy"))[0] == 200
    aside = Path(told_by("restore", copy, outside.file)["moved_aside"])
    status, _ = axis.ask("/c/east/do", {"order": json.dumps(note("meant for the other"))})
    assert status in (200, 409, 503)
    assert "after the copy" in notes_in(aside), "what was acknowledged lies aside"
    assert axis.do(note("and on it goes"))[0] == 200
    assert "and on it goes" in notes_in(outside.file)
    assert "after the copy" not in notes_in(outside.file)
    assert told_by("verify", outside.file)["sound"]


# -------------------------------------------------------------------------------------------- 9: copies


def test_a_copy_of_a_served_file_holds_everything_soon(outside: Outside) -> None:
    axis = outside.seated("Axis")
    last = 0
    for number in range(8):
        last = axis.do(note(f"note {number}"))[1]["entry"]
    patience = time.monotonic() + 60
    while entries_in(outside.file) < last and time.monotonic() < patience:
        time.sleep(0.2)
    assert entries_in(outside.file) == last


def test_backup_makes_a_sound_copy_while_the_server_runs(outside: Outside) -> None:
    axis = outside.seated("Axis")
    last = axis.do(note("the last one"))[1]["entry"]
    told = told_by("backup", outside.file, outside.folder / "copies")
    assert (told["entries"], told["sound"]) == (last, True)
    assert Path(told["file"]).parent == outside.folder / "copies"


def test_the_button_makes_one_too(outside: Outside, tmp_path: Path) -> None:
    axis = outside.seated("Axis")
    last = axis.do(note("the last one"))[1]["entry"]
    outside.host.ask("/c/east")
    assert json.loads(outside.host.ask("/c/east/job", {"kind": "backup"})[1])["accepted"]
    told = {"state": "running"}
    while told["state"] in ("waiting", "running"):
        told = json.loads(outside.host.ask("/api/campaigns/east/job?wait=20")[1])
    assert told["state"] == "done", told
    copy = tmp_path / "copy.fp"
    with outside.host.opener.open(outside.url + "/c/east/job/file", timeout=60) as answer:
        copy.write_bytes(answer.read())
    assert (told_by("verify", copy)["entries"], told_by("verify", copy)["sound"]) == (last, True)
    assert axis.ask("/c/east/job/file")[0] == 404, "a copy holds both sides"


# ---------------------------------------------------------------------------------- 10: full disks, locks


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte; where none can be mounted, a folder whose files may not grow further is tried instead."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = os.name == "posix" and not os.geteuid() and shutil.which("mount") is not None
    mounted = (
        mounted
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True, check=False
        ).returncode
    )
    yield disk
    if mounted:
        subprocess.run(["umount", str(disk)], check=True)


LIMITED = """\
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
from forcepool.cli.main import cli
cli.main(sys.argv[1:])
"""


def fill(disk: Path, left: int) -> None:
    """Leave so much room and no more."""
    (disk / "ballast").unlink(missing_ok=True)
    free = shutil.disk_usage(disk).free
    if free < 1 << 24:
        (disk / "ballast").write_bytes(b"x" * max(0, free - left))


@pytest.mark.parametrize("left", [0, 8, 40, 100, 132, 160, 188])
def test_on_a_nearly_full_disk_a_campaign_is_begun_whole_or_not_at_all(
    small_disk: Path, tmp_path: Path, left: int
) -> None:
    begin_campaign(str(tmp_path / "east.fp"), "smolensk")
    assert forcepool("export", tmp_path / "east.fp", "-o", tmp_path / "east.txt").returncode == 0
    for words in (
        ("new", str(small_disk / "new.fp"), "--scenario", "smolensk"),
        ("import", str(tmp_path / "east.txt"), str(small_disk / "new.fp")),
    ):
        fill(small_disk, left << 10)
        ran = subprocess.run(
            [sys.executable, "-c", LIMITED, str(left << 10), *words], capture_output=True, text=True, check=False
        )
        made = sorted(each.name for each in small_disk.iterdir() if each.name != "ballast")
        if ran.returncode:
            assert "disk" in ran.stderr, ran.stderr
            assert "go back to a copy" not in ran.stderr
            assert made == []
        else:
            assert made == ["new.fp"]
            assert told_by("verify", small_disk / "new.fp")["sound"]
            (small_disk / "new.fp").unlink()


def test_a_server_whose_disk_was_full_goes_on_as_soon_as_there_is_room(small_disk: Path, begin: Begin) -> None:
    server = begin(folder=small_disk)
    axis = server.seated("Axis")
    assert axis.do(note("before"))[0] == 200
    for round_ in range(3):
        fill(small_disk, 0)
        for number in range(8):
            status, answer = axis.do(note(f"{round_} {'x' * 3000} {number}"))
            assert status == 200 or (status == 503 and "the disk is full" in answer["says"]), answer
        assert axis.ask("/c/east")[0] == 200, "looking needs no room"
        (small_disk / "ballast").unlink(missing_ok=True)
        status, answer = axis.do(note(f"there is room again, {round_}"))
        assert status == 200, answer
    kept = notes_in(server.file)
    assert all(f"there is room again, {round_}" in kept for round_ in range(3))
    server.end()
    assert told_by("verify", server.file)["sound"]


def test_a_lock_of_another_program_is_told_and_holds_nobody_up(outside: Outside) -> None:
    axis, soviet = outside.seated("Axis"), outside.seated("Soviet")
    db = sqlite3.connect(outside.file, isolation_level=None)
    try:
        db.execute("BEGIN IMMEDIATE")
        status, answer = axis.do(note("not now"))
        assert status == 503
        assert "is being written by another program" in answer["says"]
        assert soviet.ask("/c/east")[0] == 200, "looking needs no lock"
        db.execute("ROLLBACK")
    finally:
        db.close()
    assert axis.do(note("now"))[0] == 200


# ------------------------------------------------------------------------------------- 11, 12: verify, import


def test_honest_campaigns_are_sound_after_units_were_added_and_undone(tmp_path: Path) -> None:
    file = tmp_path / "east.fp"
    begin_campaign(str(file), "smolensk")
    add = ("add-unit", "name=999 Inf XX", "spec=7-6 Inf XX (3-6)", "nation=Germany", "at=off map")
    for words in (("do", file, *add), ("undo", file), ("redo", file), ("undo", file), ("do", file, *add)):
        ran = forcepool(*words, *(("--override", "we agreed") if words[0] == "do" else ()))
        assert ran.returncode == 0, ran.stderr + ran.stdout
        assert told_by("verify", file)["sound"]


@pytest.mark.parametrize(
    ("was", "is_now"),
    [
        ('"event":"moved","unit":"', '"event":"moved","unit":"no such unit '),
        ('"event":"noted"', '"event":"never heard of"'),
        ('"n":3', '"n":7'),
    ],
)
def test_a_journal_that_cannot_have_been_played_is_refused_with_its_entry(
    tmp_path: Path, was: str, is_now: str
) -> None:
    file, text, forged = tmp_path / "east.fp", tmp_path / "east.txt", tmp_path / "forged.fp"
    begin_campaign(str(file), "smolensk")
    unit = next(iter(told_by("units", file)))["unit"]
    assert forcepool("do", file, "note", "text=one").returncode == 0
    assert forcepool("do", file, "put-unit", f"unit={unit}", "at=eliminated front/centre", "note=x").returncode == 0
    assert forcepool("export", file, "-o", text).returncode == 0
    before = text.read_text("utf-8")
    lines = sealed_anew(before.split("\n"), (was, is_now))
    text.write_text("\n".join(lines), "utf-8")
    ran = forcepool("import", text, forged)
    assert ran.returncode == 2, (ran.stdout, ran.stderr)
    assert "entry" in ran.stderr
    assert "nobody foresaw" not in ran.stderr
    assert sorted(each.name for each in tmp_path.iterdir()) == ["east.fp", "east.txt"]
