"""The way in and the way out: help, errors as one sentence, consoles of every kind, damaged input."""

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from forcepool.cli import screen
from forcepool.cli.main import COMMANDS, cli
from tests.cli.conftest import Forcepool

SOURCE = Path(__file__).resolve().parents[2] / "src"


def spawned(
    *words: str, cwd: Path, encoding: str = "utf-8", typed: bytes = b"", **env: str
) -> "subprocess.CompletedProcess[bytes]":
    """forcepool as a program of its own."""
    surroundings = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCEPOOL_TRACEBACK")}
    surroundings |= {"PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": encoding, "PYTHONWARNINGS": "error"} | env
    return subprocess.run(
        [sys.executable, "-m", "forcepool", *words],
        cwd=cwd,
        env=surroundings,
        input=typed,
        capture_output=True,
        check=False,
    )


def test_help_lists_every_command_once(forcepool: Forcepool) -> None:
    out = forcepool("--help").out
    listed = re.findall(r"^  ([a-z-]+)  ", out.split("Commands:")[1], re.MULTILINE)
    assert listed == list(COMMANDS)
    assert forcepool().out == out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example_and_takes_json(forcepool: Forcepool, name: str) -> None:
    ran = forcepool(name, "--help")
    assert ran.code == 0
    assert "Example" in ran.out
    assert f"forcepool {name}" in ran.out
    assert "--json" in ran.out


def test_the_version_is_told(forcepool: Forcepool) -> None:
    assert re.fullmatch(r"forcepool \d+\.\d+\.\d+\n", forcepool("--version").out)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nwe",), "there is no command 'nwe'; did you mean new?"),
        (("xyzzy",), "there is no command 'xyzzy'; 'forcepool --help' lists them"),
        (("status",), "missing argument 'FILE'; 'forcepool status --help' explains it"),
        (("status", "east.fp", "--jsno"), "no such option"),
        (("log", "east.fp", "--last", "0"), "--last"),
    ],
)
def test_a_slip_of_the_fingers_is_one_sentence(forcepool: Forcepool, words: tuple[str, ...], says: str) -> None:
    ran = forcepool(*words)
    assert ran.code == 2
    assert says in ran.err
    assert len(ran.err.splitlines()) == 1
    assert ran.out == ""


def test_an_error_nobody_foresaw_is_one_sentence_unless_asked_for(
    east: Forcepool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("forcepool.views.status.status", broken)
    ran = east("status", "east.fp")
    assert ran.code == 1
    assert "ZeroDivisionError: a bug" in ran.err
    assert "Please report it" in ran.err
    assert "Traceback" not in ran.err


def test_the_traceback_is_shown_when_asked_for(tmp_path: Path) -> None:
    code = (
        "import sys; import forcepool.views.status as view\n"
        "def broken(*_): raise ZeroDivisionError('a bug')\n"
        "view.status = broken\n"
        "from forcepool.cli.main import cli\n"
        "cli.main(['new', 'a.fp', '--scenario', 'smolensk'] if sys.argv[1] == 'new' else ['status', 'a.fp'])\n"
    )
    env = os.environ | {"PYTHONPATH": str(SOURCE), "FORCEPOOL_TRACEBACK": "1", "PYTHONIOENCODING": "utf-8"}
    for word, expected in (("new", b""), ("status", b"Traceback")):
        ran = subprocess.run(
            [sys.executable, "-c", code, word], cwd=tmp_path, env=env, capture_output=True, check=False
        )
        assert expected in ran.stderr


def test_stopping_with_ctrl_c_is_quiet(east: Forcepool, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("forcepool.views.status.status", interrupted)
    ran = east("status", "east.fp")
    assert ran.code == 130
    assert ran.err.strip() == ""


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "forcepool", "rules", "52", "--all"]
    env = os.environ | {"PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""


def test_a_pipe_gets_no_colour_and_utf_8(tmp_path: Path) -> None:
    assert spawned("new", "east.fp", "--scenario", "smolensk", cwd=tmp_path).returncode == 0
    ran = spawned("ledger", "east.fp", cwd=tmp_path)
    assert ran.returncode == 0
    assert b"\x1b" not in ran.stdout
    assert "8¼" in ran.stdout.decode("utf-8")


@pytest.mark.parametrize(
    ("encoding", "shown"), [("cp1252", ("8¼", "7 1/3")), ("cp437", ("8¼", "7 1/3")), ("ascii", ("8 1/4", "7 1/3"))]
)
def test_a_console_without_the_sign_gets_the_fraction_in_digits(
    tmp_path: Path, encoding: str, shown: tuple[str, ...]
) -> None:
    assert spawned("new", "east.fp", "--scenario", "smolensk", cwd=tmp_path, encoding=encoding).returncode == 0
    out = spawned("ledger", "east.fp", cwd=tmp_path, encoding=encoding).stdout.decode(encoding)
    assert all(amount in out for amount in shown)
    rebuild = ("do", "east.fp", "rebuild-cadre", "unit=6 Pz XX", "pay_from=centre")
    ran = spawned(*rebuild, cwd=tmp_path, encoding=encoding)
    assert ran.returncode == 0
    assert "front Centre -> spent (6 Pz XX: full 11 - cadre 4)" in ran.stdout.decode(encoding)
    for words in (("log", "east.fp"), ("todo", "east.fp"), ("rules", "52.A.9.d/2"), ("export", "east.fp")):
        assert spawned(*words, cwd=tmp_path, encoding=encoding).returncode == 0


def test_a_terminal_gets_colour_unless_the_player_wants_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert screen.in_colour()
    assert screen.bad("no") == click.style("no", fg="red")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not screen.in_colour()
    assert screen.bad("no") == "no"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals of this kind")
@pytest.mark.parametrize("no_color", ["", "1"])
def test_on_a_real_terminal_tables_are_drawn(tmp_path: Path, no_color: str) -> None:
    import pty

    assert spawned("new", "east.fp", "--scenario", "smolensk", cwd=tmp_path).returncode == 0
    ours, theirs = pty.openpty()
    env = os.environ | {"PYTHONPATH": str(SOURCE), "TERM": "xterm", "NO_COLOR": no_color, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "forcepool", "ledger", "east.fp"]
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=theirs, stdin=subprocess.DEVNULL) as running:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
        assert running.wait() == 0
    os.close(ours)
    assert "front Centre" in shown.decode()
    assert "──" in shown.decode()
    # Bold is no colour; red, green and the like are 3x and 9x.
    assert not re.search(rb"\x1b\[(?:\d+;)*(?:3|9)\d", shown)


def test_signs_are_made_plainer_only_where_they_must_be() -> None:
    class Console:
        encoding = "ascii"

    assert screen.fitting("3½ → ½, −¼ ∞", Console()) == "3 1/2 -> 1/2, -1/4 ?"  # type: ignore[arg-type]
    Console.encoding = "utf-8"
    assert screen.fitting("3½ → ½", Console()) == "3½ → ½"  # type: ignore[arg-type]


def test_the_front_desk_knows_every_command_it_lists() -> None:
    context = click.Context(cli)
    assert [cli.get_command(context, name) is not None for name in COMMANDS] == [True] * len(COMMANDS)
