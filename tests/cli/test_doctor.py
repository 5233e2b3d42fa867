"""forcepool doctor: each thing that can be wrong is told with its remedy, and the rest is looked at all the same."""

import shutil
import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from forcepool.cli import checkup
from forcepool.cli.checkup import NOTE, OK, WRONG
from forcepool.report import pdf
from forcepool.store.database import Database
from forcepool.web.settings import Settings
from tests.cli.conftest import Forcepool
from tests.support.post import post_office
from tests.support.postgres import Server

SECRET = "hunter2-is-a-long-word"
METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: 1\n"


def third_party(folder: Path, name: str, module: str) -> None:
    """A package with a game of its own, as pip would install it."""
    info = folder / f"{name}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(METADATA.format(name=name), "utf-8")
    (info / "entry_points.txt").write_text(f"[forcepool.games]\n{name} = {name}_game:GAME\n", "utf-8")
    (folder / f"{name}_game.py").write_text(module, "utf-8")


def test_a_sick_installation_is_told_what_ails_it(
    forcepool: Forcepool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    third_party(tmp_path / "site", "risky", "raise SystemExit('its map is missing')")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setenv("FORCEPOOL_METRICS_TOKEN", SECRET[:9])
    monkeypatch.setattr(checkup, "tried", lambda code, *words: real(code, *words) if words else (True, "fine"))
    ran = forcepool("doctor", "nowhere", "--json")
    assert ran.code == 1
    assert ran.data["ok"] is False
    wrong = {line["what"]: (line["says"], line["remedy"]) for line in ran.data["checks"] if line["state"] == WRONG}
    assert wrong == {
        "game risky": (
            "of the package risky does not load (its map is missing)",
            "ask its author for a version that fits, or take it out: pip uninstall risky",
        ),
        "settings": (
            "FORCEPOOL_METRICS_TOKEN: 16 letters or more are expected, so that nobody guesses them",
            "put it right there",
        ),
        "folder": ("nowhere is not there", "make it: mkdir nowhere; or name another"),
    }
    assert SECRET[:9] not in ran.out + ran.err
    games = [line["says"] for line in ran.data["checks"] if line["what"].startswith("game ") and line["state"] == OK]
    assert len(games) == 2, "the others load all the same"


real = checkup.tried


def test_a_sound_installation_has_nothing_to_mend(forcepool: Forcepool) -> None:
    ran = forcepool("doctor")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "Nothing to mend.")
    told = {line.split(":")[0].strip() for line in ran.out.splitlines()}
    for what in ("Python", "rulebook", "scenarios", "pages", "settings", "folder", "SQLite", "disk", "drive"):
        assert any(line.endswith(f" {what}") for line in told), what


def test_too_old_a_python_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forcepool.cli.checkup.sys.version_info", (3, 10, 9))
    line = checkup.python()
    assert (line.state, line.remedy) == (WRONG, "install Python 3.11 or later")


def test_what_does_not_load_is_told_with_its_last_words() -> None:
    assert checkup.tried("print('a'); print('b')") == (True, "b")
    assert checkup.tried("raise OSError('no such file')") == (False, "OSError: no such file")
    assert checkup.tried("import os; os._exit(3)") == (False, "it ended with 3")


def test_a_spoilt_program_is_told_to_be_installed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "tried", lambda code, *words: (False, "no clauses"))
    assert {(line.state, line.says) for line in checkup.program()} == {(WRONG, "cannot be loaded (no clauses)")}
    assert all("pip install --force-reinstall forcepool" in line.remedy for line in (*checkup.program(),))


def test_extras_that_are_missing_are_named_with_the_line_that_brings_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "is_installed", lambda name: name != "ortools")
    lines = {line.what: line for line in checkup.extras()}
    assert lines["extra plan"].state == NOTE
    assert lines["extra plan"].remedy == 'if you want it: pip install "forcepool[plan]"'
    assert lines["extra analysis"].state == OK
    assert "extra dev" not in lines


def test_no_browser_is_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise pdf.CannotPrint("none")

    monkeypatch.setattr(pdf, "find_browser", none)
    assert checkup.browser().state == NOTE


class Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.mark.parametrize(
    ("megabytes", "state"), [(99, WRONG), (100, NOTE), (999, NOTE), (1000, OK)], ids=lambda each: str(each)
)
def test_a_disk_is_told_before_it_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, megabytes: int, state: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(0, 0, megabytes * 1024**2))
    assert checkup.room(tmp_path).state == state


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("forcepool.cli.checkup.tempfile.TemporaryDirectory", refused)
    line = next(iter(checkup.folder(tmp_path)))
    assert (line.state, line.says) == (WRONG, f"{tmp_path} cannot be written (permission denied)")


def test_a_disk_that_sqlite_cannot_use_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert checkup.sqlite(tmp_path).state == OK
    line = checkup.sqlite(tmp_path / "nowhere")
    assert (line.state, line.remedy) == (WRONG, "put the campaigns on a disk of this machine")
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 7, 0))
    assert "too old" in checkup.sqlite(tmp_path).says


def test_a_network_drive_is_told(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    for kind, state in (("ext4", OK), ("nfs4", WRONG), ("cifs", WRONG), ("fuse.sshfs", WRONG)):
        mounts.write_text(f"root / ext4 rw 0 0\nserver:/x {tmp_path} {kind} rw 0 0\n", "utf-8")
        assert checkup.drive(tmp_path, mounts).state == state
    assert checkup.drive(tmp_path, tmp_path / "none").state == NOTE


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_port_that_is_taken_is_told(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "answers", lambda number: False)
    assert checkup.port(Settings(port=taken), 1).state == WRONG
    assert checkup.port(Settings(), taken).state == NOTE, "where none was asked for another is found"
    monkeypatch.setattr(checkup, "answers", lambda number: True)
    assert checkup.port(Settings(port=taken), 1).says == f"{taken}: a forcepool server answers there"


def test_a_mail_server_that_does_not_let_us_in_is_told() -> None:
    with post_office() as (box, here):
        assert checkup.mail(here).state == OK
        wrong = checkup.mail(replace(here, user="war", password=SECRET))
        assert (wrong.state, SECRET in str(wrong)) == (WRONG, False)
        assert box.came == [], "nothing is sent"
    gone = checkup.mail(here)
    assert gone.state == WRONG
    assert gone.says.startswith("127.0.0.1: the mail server cannot be reached")


def test_a_database_is_looked_at_and_not_changed(postgres: Server) -> None:
    url = postgres.new().replace("postgres@", f"postgres:{SECRET}@")
    for _ in range(2):
        lines = {line.what: line for line in checkup.database(url)}
        assert lines["database"].state == OK
        assert lines["database"].says.startswith("PostgreSQL ")
        assert (lines["tables"].state, lines["tables"].says) == (NOTE, "not made yet")
    Database(url).close()
    assert [line.state for line in checkup.database(url)] == [OK, OK]
    for wrong in (url.replace("test", "nowhere"), f"postgresql://postgres:{SECRET}@127.0.0.1:1/club"):
        (line,) = checkup.database(wrong)
        assert line.state == WRONG
        assert SECRET not in str(line)


def test_too_old_a_database_is_told(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "OLDEST_POSTGRES", 99)
    first, *_ = checkup.database(postgres.new())
    assert (first.state, first.remedy) == (WRONG, "install PostgreSQL 99 or later")
