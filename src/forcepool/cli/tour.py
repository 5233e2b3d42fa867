"""The tour: a short campaign played with the real commands, each shown as one would type it."""

import contextlib
import io
import os
import shlex
import sys
import tempfile
from typing import Any, NamedTuple

import click

from forcepool.cli import screen
from forcepool.cli.problems import BAD_INPUT
from forcepool.cli.table import json_option

SCENARIO = "smolensk"


class Scene(NamedTuple):
    """What the reader is told, and the command that shows it; FILE stands for the campaign."""

    says: str
    types: tuple[str, ...]


SCENES = (
    Scene(
        "A campaign is one file. This one begins in October 1941, west of Moscow.",
        ("new", "FILE", "--scenario", SCENARIO),
    ),
    Scene("Where does it stand?", ("status", "FILE")),
    Scene("What is there to do this phase, and what arrives?", ("todo", "FILE")),
    Scene("What exactly is in the pools?", ("ledger", "FILE")),
    Scene(
        "The 6th Panzer is a cadre behind the line. Every way to rebuild it, the open with their cost, the closed with "
        "their reasons:",
        ("options", "FILE", "6 Pz XX"),
    ),
    Scene(
        "Rebuild it. Points leave the pool to the quarter.",
        ("do", "FILE", "rebuild-cadre", "unit=6 Pz XX", "pay_from=centre"),
    ),
    Scene(
        "The 78th Infantry stands under an enemy division's zone of control. The rules say no, with every reason:",
        ("do", "FILE", "rebuild-cadre", "unit=78 Inf XX", "pay_from=centre"),
    ),
    Scene("Which rule is that?", ("rules", "52.A.9.d/3")),
    Scene(
        "The national pool can pay, and your group sees the other reason otherwise? Overrule it, with a note.",
        (
            "do",
            "FILE",
            "rebuild-cadre",
            "unit=78 Inf XX",
            "pay_from=national/Germany",
            "--override",
            "both players agree: the Soviet division was shattered last turn",
        ),
    ),
    Scene("Losses are one line each.", ("do", "FILE", "lose", "252 Inf XX", "to=cadre")),
    Scene("Why does the front hold what it holds?", ("why", "FILE", "front", "Centre", "Germany", "inf")),
    Scene("That loss was a slip of the pen. Take it back:", ("undo", "FILE")),
    Scene("Nothing is erased: the journal keeps what was undone, and says so.", ("log", "FILE", "--last", "3")),
    Scene("And anyone can check that nothing in the file was touched.", ("verify", "FILE")),
)


@click.command("tour")
@click.option("--file", default="", help="Keep the campaign in this file instead of a temporary folder.")
@click.option("--no-pause", is_flag=True, help="Do not wait for Enter between the steps.")
@json_option
@click.pass_context
def tour_command(ctx: click.Context, file: str, no_pause: bool, as_json: bool) -> None:
    """Play through a short campaign: checklist, options, a refusal, an override, the reasons, undo.

    Each step is a real command, shown as you would type it. The campaign stays on this machine, and you can play on.

    \b
    Examples:
      forcepool tour
      forcepool tour --file east.fp --no-pause
    """
    path = file or os.path.join(tempfile.mkdtemp(prefix="forcepool-"), "tour.fp")
    if as_json:
        screen.print_json({"file": path, "steps": [_recorded(scene, path) for scene in SCENES]})
        return
    waits = not no_pause and screen.on_terminal() and sys.stdin.isatty()
    for number, scene in enumerate(SCENES, 1):
        screen.say(screen.styled(f"{number}/{len(SCENES)}  {scene.says}", fg="cyan"))
        screen.say(screen.strong(f"> {typed(scene, path)}"))
        if run(scene, path) == BAD_INPUT:
            ctx.exit(BAD_INPUT)
        screen.say()
        if waits and number < len(SCENES):
            click.prompt("Enter to go on, Ctrl-C to stop", default="", show_default=False, prompt_suffix=" ")
    screen.say(f"The campaign is in {path}. Play on:")
    for words in (("todo", path), ("do", path, "advance"), ("units", path, "--step", "cadre"), ("commands",)):
        screen.say(f"  {_line(words)}")
    screen.say("or begin your own: forcepool new FILE --scenario NAME")


def _words(scene: Scene, path: str) -> tuple[str, ...]:
    return tuple(path if word == "FILE" else word for word in scene.types)


def typed(scene: Scene, path: str) -> str:
    """The command as one would type it."""
    return _line(_words(scene, path))


def _line(words: tuple[str, ...]) -> str:
    return " ".join(["forcepool", *(_quoted(word) for word in words)])


def _quoted(word: str) -> str:
    """In double quotes where it needs them: the one kind every shell, Windows' too, understands."""
    field, equals, value = word.partition("=")
    if equals and " " in value and " " not in field:
        return f'{field}="{value}"'
    return f'"{word}"' if " " in word or word != shlex.quote(word).strip("'") else word


def run(scene: Scene, path: str) -> int:
    """Give the command through the same door a player uses; its exit code."""
    from forcepool.cli.main import cli

    try:
        cli.main(list(_words(scene, path)))
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 0


def _recorded(scene: Scene, path: str) -> dict[str, Any]:
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        code = run(scene, path)
    return {"says": scene.says, "command": typed(scene, path), "exit": code, "output": shown.getvalue()}
