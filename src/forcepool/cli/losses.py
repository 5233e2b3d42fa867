"""Taking down losses as fast as they happen: one a line, as players write them."""

import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import TYPE_CHECKING, Any

import click

from forcepool.cli import screen
from forcepool.cli.problems import REFUSED, BadInput
from forcepool.cli.table import campaign_at, file_argument, json_option, seat_of, seat_option

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.engine.command import Command
    from forcepool.engine.pasting import Line, Pasted


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
      6 Pz XX cadre           (or 6 Pz XX -> cadre)
      76 Inf XX isolated
      24 Inf XX front centre, 31 Inf XX overrun
      8-6 Inf XX              (if only one on the map shows it)
      2x 4-6 Inf XX           (if exactly two do)
      24 + 31 Inf XX -> cadre (two of a kind)
      # a comment

    \b
    Examples:
      forcepool losses east.fp turn12.txt
      echo 24 Inf XX | forcepool losses east.fp
    """
    with campaign_at(file) as campaign:
        side = seat_of(campaign, seat)
        pasted = read(campaign, _text(lines), side)
        results = [take_loss(campaign, line, side, dry_run) for line in pasted.lines]
        if as_json:
            screen.print_json({"dry_run": dry_run, "lines": results, "brings": pasted.brings})
        else:
            _show(results, pasted.brings, dry_run)
    if not all(result["accepted"] for result in results):
        ctx.exit(REFUSED)


def read(campaign: "Campaign", text: str, seat: str) -> "Pasted":
    """The losses in a text, as the campaign's game reads them."""
    from forcepool.engine.command import BadCommand
    from forcepool.views.losses import read_losses

    try:
        return read_losses(campaign, text, seat)
    except BadCommand as error:
        raise BadInput(str(error)) from None


def _text(path: str) -> str:
    if path != "-":
        with open(path, "rb") as file:
            return _decoded(file.read())
    if sys.stdin.isatty():
        screen.warn("one loss a line; end with Ctrl-D (on Windows Ctrl-Z, then Enter)")
    return _decoded(sys.stdin.buffer.read())


def _decoded(data: bytes) -> str:
    """UTF-8, or what Windows writes where it does not: PowerShell's > makes UTF-16."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def take_loss(campaign: "Campaign", line: "Line", seat: str, dry_run: bool) -> dict[str, Any]:
    """Record one loss, or say what is wrong with its line."""
    from forcepool.door.giving import give
    from forcepool.engine.acts import reasons_in_words
    from forcepool.engine.consent import AgreementNeeded
    from forcepool.engine.verdicts import Refusal
    from forcepool.views.losses import NotRecorded, Recorded, taken, tried

    def giving(command: "Command") -> Recorded | NotRecorded:
        outcome = give(campaign, command, seat=seat, dry_run=False)
        if isinstance(outcome, Refusal):
            return NotRecorded("; ".join(reasons_in_words(outcome.reasons)), outcome.clauses)
        if isinstance(outcome, AgreementNeeded):
            return NotRecorded(f"{' and '.join(outcome.seats)} must agree first: {outcome.why}")
        return Recorded(campaign.seq, outcome.events)

    found = tried(campaign.world, line) if dry_run else taken(campaign.world, line, giving)
    data: dict[str, Any] = {name: getattr(found, name) for name in ("line", "column", "text", "accepted", "entry")}
    data["words"] = list(found.words)
    return data if found.accepted else data | {"problem": found.problem, "clauses": found.clauses}


def _show(results: list[dict[str, Any]], brings: tuple[str, ...], dry_run: bool) -> None:
    for result in results:
        if result["accepted"]:
            for words in result["words"]:
                screen.tell([f"line {result['line']}: {words}"])
        else:
            where = f"line {result['line']}" + (f", column {result['column']}" if result["column"] > 1 else "")
            screen.tell([screen.bad(f"{where}: '{result['text']}' was not taken: {result['problem']}")])
    screen.tell(f"special replacements so far, {each}" for each in brings)
    taken = sum(result["accepted"] for result in results)
    left = len(results) - taken
    verb = "would be recorded" if dry_run else "recorded"
    screen.say(f"{taken} loss{'es' if taken != 1 else ''} {verb}{f', {left} not' if left else ''}")
