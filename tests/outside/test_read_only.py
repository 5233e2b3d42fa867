"""A campaign on a disk that cannot be written, for real: looked at, checked, copied and browsed."""

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from forcepool.cli.files import begin_campaign

NOBODY = 65534
AS_NOBODY = f"""\
import os, sys
from forcepool.cli.main import COMMANDS, cli
from forcepool.rulebook.book import load
import click
for name in COMMANDS:
    cli.get_command(click.Context(cli), name)
load()
os.setgroups([])
os.setgid({NOBODY})
os.setuid({NOBODY})
cli.main(sys.argv[1:])
"""
"""The superuser may write everywhere; so the program is read first, and then run as someone who may not."""


def write_protected(folder: Path) -> bool:
    """Mount a disk that cannot be written, with what lies in the folder; False where this is not allowed."""
    if os.name != "posix" or os.geteuid() or shutil.which("mount") is None:
        return False
    for words in (("-t", "tmpfs", "tmpfs"), ("-o", "remount,ro")):
        if words[0] == "-o":
            shutil.copytree(folder.with_name("written"), folder, dirs_exist_ok=True)
        if subprocess.run(["mount", *words, str(folder)], capture_output=True, check=False).returncode:
            return False
    return True


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that cannot be written, with a campaign in it."""
    written, folder = tmp_path / "written", tmp_path / "disk"
    written.mkdir()
    folder.mkdir()
    begin_campaign(str(written / "east.fp"), "compass-published")
    if write_protected(folder):
        yield folder
        subprocess.run(["umount", str(folder)], check=True)
        return
    shutil.copytree(written, folder, dirs_exist_ok=True)
    (folder / "east.fp").chmod(0o444)
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)


def can_be_written(folder: Path) -> bool:
    try:
        (folder / "try").touch()
    except OSError:
        return False
    (folder / "try").unlink()
    return True


def forcepool(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    program = ["-c", AS_NOBODY] if can_be_written(folder) else ["-m", "forcepool"]
    return subprocess.run([sys.executable, *program, *words], capture_output=True, text=True, check=False)


def test_a_campaign_that_cannot_be_written_is_looked_at_checked_and_copied(folder: Path, tmp_path: Path) -> None:
    file, elsewhere = str(folder / "east.fp"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    elsewhere.chmod(0o777)
    tmp_path.chmod(0o755)
    before = sorted(each.name for each in folder.iterdir())
    for words in (
        ("status", file),
        ("todo", file),
        ("log", file),
        ("verify", file),
        ("report", file),
        ("export", file, "-o", str(elsewhere / "east.txt")),
        ("backup", file, str(elsewhere)),
    ):
        ran = forcepool(folder, *words)
        assert ran.returncode == 0, (words, ran.stdout, ran.stderr)
    ran = forcepool(folder, "do", file, "note", "text=not here")
    assert ran.returncode == 2
    assert "is write-protected; copy it to where it can be written" in ran.stderr
    assert sorted(each.name for each in folder.iterdir()) == before
    assert len(list(elsewhere.iterdir())) == 2


def test_a_folder_that_cannot_be_written_is_browsed(folder: Path) -> None:
    if can_be_written(folder):
        program = ["-c", AS_NOBODY]
    else:
        program = ["-m", "forcepool"]
    server = subprocess.Popen(
        [sys.executable, *program, "serve", str(folder), "--json", "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        told = ""
        while "}" not in told:
            line = server.stdout.readline()
            assert line, server.communicate()[1]
            told += line
        url = json.loads(told)["url"].rstrip("/")
        for page in ("/", "/c/east", "/c/east/pool", "/c/east/pools", "/c/east/journal", "/c/east/rules"):
            with urllib.request.urlopen(url + page, timeout=60) as answer:
                assert (answer.status, "Compass" in answer.read().decode()) == (200, True), page
    finally:
        server.terminate()
        _, errors = server.communicate(timeout=60)
    assert "Traceback" not in errors, errors
