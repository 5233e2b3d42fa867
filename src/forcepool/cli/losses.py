"""Taking down losses as fast as they happen: one a line, as players write them."""

import re
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from forcepool.cli import screen
from forcepool.cli.problems import REFUSED, BadInput
from forcepool.cli.table import campaign_at, file_argument, json_option, seat_of, seat_option, unit_hint, units_called

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.engine.state import State

ARROW = re.compile(r"\s*(?:->|=>|→)\s*")
ISOLATED = re.compile(r"\s+(?P<what>not isolated|(?:(?:combat|supply)[ -])?isolated)\b", re.IGNORECASE)
FRONT = re.compile(r"\s+(?P<kind>front|md)[ /](?P<name>\S.*)$", re.IGNORECASE)
STEPS = ("eliminated", "cadre", "remnant")
HOW = "write '24 Inf XX', '24 Inf XX -> cadre', '24 Inf XX isolated' or '24 Inf XX front centre'"


class Misread(Exception):
    """A line that does not say which unit was lost, or how."""


class Line(NamedTuple):
    """One line that holds a loss."""

    number: int
    text: str


def lines_of(text: str) -> list[Line]:
    """The lines that hold a loss; empty ones and comments are passed over."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.partition("#")[0].strip().lstrip("\ufeff").strip()
        if bare:
            found.append(Line(number, bare))
    return found


def read_loss(state: "State", text: str) -> dict[str, str]:
    """The fields of a `lose` command that a line states."""
    if units_called(state, text):
        return {"unit": _unit(state, text)}
    fields: dict[str, str] = {}
    rest = text
    if front := FRONT.search(rest):
        name = front["name"].strip()
        fields["front"] = name if "/" in name or front["kind"].lower() == "front" else f"md/{name}"
        rest = rest[: front.start()]
    if isolated := ISOLATED.search(rest):
        what = isolated["what"].lower()
        fields["isolated"] = "no" if what.startswith("not") else "combat" if what.startswith("combat") else "supply"
        rest = rest[: isolated.start()] + rest[isolated.end() :]
    name, *to = ARROW.split(rest)
    if len(to) > 1:
        raise Misread(f"there is more than one arrow; {HOW}")
    if to:
        step = to[0].strip().lower()
        if step not in STEPS:
            raise Misread(f"'{to[0].strip()}' is no step to lose to; it is {', '.join(STEPS[:-1])} or {STEPS[-1]}")
        fields["to"] = step
    return {"unit": _unit(state, name.strip()), **fields}


def _unit(state: "State", name: str) -> str:
    if not name:
        raise Misread(f"no unit is named; {HOW}")
    found = units_called(state, name)
    if len(found) == 1:
        return found[0].id
    if found:
        raise Misread(f"'{name}' could be {' or '.join(each.id for each in found[:4])}; write it in full")
    raise Misread(f"there is no unit '{name}'; {unit_hint(state, name)}")


@click.command("losses")
@file_argument
@click.argument("lines", required=False, default="-", type=click.Path(allow_dash=True, dir_okay=False))
@seat_option
@click.option("--dry-run", is_flag=True, help="Only say what would be recorded.")
@json_option
@click.pass_context
def losses_command(ctx: click.Context, file: str, lines: str, seat: str, dry_run: bool, as_json: bool) -> None:
    """Take down losses, one a line, from a file or as typed. What is understood is recorded, the rest is named.

    \b
    A line is a unit, and what became of it unless it was eliminated:
      24 Inf XX
      6 Pz XX -> cadre
      76 Inf XX isolated
      24 Inf XX front centre
      # a comment

    \b
    Examples:
      forcepool losses east.fp turn12.txt
      echo 24 Inf XX | forcepool losses east.fp
    """
    with campaign_at(file) as campaign:
        side = seat_of(campaign, seat)
        results = [take_loss(campaign, line, side, dry_run) for line in lines_of(_text(lines))]
        if as_json:
            screen.print_json({"dry_run": dry_run, "lines": results})
        else:
            _show(results, dry_run)
    if not all(result["accepted"] for result in results):
        ctx.exit(REFUSED)


def _text(path: str) -> str:
    if path != "-":
        with open(path, "rb") as file:
            return _decoded(file.read())
    if sys.stdin.isatty():
        screen.warn("one loss a line; end with Ctrl-D (on Windows Ctrl-Z, then Enter)")
    return _decoded(sys.stdin.buffer.read())


def _decoded(data: bytes) -> str:
    """UTF-8, or what Windows writes where it does not."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def take_loss(campaign: "Campaign", line: Line, seat: str, dry_run: bool) -> dict[str, Any]:
    """Record one loss, or say what is wrong with its line."""
    from forcepool.cli.play import give
    from forcepool.cli.typed import build, command_class
    from forcepool.engine.command import BadCommand
    from forcepool.engine.verdicts import Refusal
    from forcepool.engine.wording import event_in_words, reasons_in_words

    result: dict[str, Any] = {"line": line.number, "text": line.text, "accepted": False, "entry": None, "words": []}
    try:
        order = build(command_class(campaign.world.game, "lose"), read_loss(campaign.state, line.text))
        outcome = give(campaign, order, seat=seat, dry_run=dry_run)
    except (Misread, BadCommand, BadInput) as error:
        return result | {"problem": str(error)}
    if isinstance(outcome, Refusal):
        return result | {"problem": "; ".join(reasons_in_words(outcome.reasons)), "clauses": outcome.clauses}
    words = [event_in_words(campaign.world, event) for event in outcome.events]
    return result | {"accepted": True, "entry": None if dry_run else campaign.seq, "words": words}


def _show(results: list[dict[str, Any]], dry_run: bool) -> None:
    for result in results:
        if result["accepted"]:
            for words in result["words"]:
                screen.say(f"line {result['line']}: {words}")
        else:
            screen.say(screen.bad(f"line {result['line']}: '{result['text']}' was not taken: {result['problem']}"))
    taken = sum(result["accepted"] for result in results)
    left = len(results) - taken
    verb = "would be recorded" if dry_run else "recorded"
    screen.say(f"{taken} loss{'es' if taken != 1 else ''} {verb}{f', {left} not' if left else ''}")
