"""Orders of battle as text: finding what is wrong in one, printing it tidily, listing what falls due on a turn."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forcepool.cli import screen
from forcepool.cli.problems import REFUSED, BadInput, check_no_campaign
from forcepool.cli.table import json_option
from forcepool.files.disk import whole_text

if TYPE_CHECKING:
    from forcepool.files.problems import Problem
    from forcepool.orderofbattle.model import Entry, Finding, OrderOfBattle

TURN_HEADINGS = {
    "due": "due:",
    "linked": "due by an earlier line:",
    "open": "open since an earlier turn:",
    "waiting": "waiting for a condition:",
}

ob_file = click.argument("file", type=click.Path(dir_okay=False))
turns_option = click.option(
    "--turns-a-month", type=click.IntRange(1, 9), default=4, help="For a file that does not say it; 4 if left out."
)


@click.group("ob", invoke_without_command=True)
@click.pass_context
def ob_command(ctx: click.Context) -> None:
    """Orders of battle as plain text, typed or pasted nearly as they are printed. Each command takes --json.

    \b
    Examples:
      forcepool ob lint east.ob
      forcepool ob print east.ob -o tidy.ob
      forcepool ob turn east.ob "Jul 2 41"
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@ob_command.command("lint")
@ob_file
@click.option("--mix", type=click.Path(dir_okay=False), help="The counter mix, written as an order of battle.")
@click.option("--places", type=click.Path(dir_okay=False), help="A file with the names of the places, one a line.")
@click.option("--types", type=click.Path(dir_okay=False), help="A file with the types of unit, one a line.")
@click.option("--totals", is_flag=True, help="Also the REs that come and go, by month and nation.")
@turns_option
@json_option
@click.pass_context
def lint_command(
    ctx: click.Context,
    file: str,
    mix: str | None,
    places: str | None,
    types: str | None,
    totals: bool,
    turns_a_month: int,
    as_json: bool,
) -> None:
    """Find what cannot be right.

    Lines that were not understood, units that leave without having come or come twice, forming without full, turns out
    of order and the like, each with its line and clause.

    \b
    Examples:
      forcepool ob lint east.ob
      forcepool ob lint east.ob --mix counters.ob --places places.txt
    """
    from forcepool.orderofbattle.lint import left_to_the_players, lint, re_by_month
    from forcepool.orderofbattle.reading import read_file

    ob = read_file(file, turns_a_month=turns_a_month)
    counters = read_file(mix, turns_a_month=turns_a_month) if mix else None
    findings = lint(ob, counters, places=_names(places), types=_names(types))
    months, yours = re_by_month(ob), left_to_the_players(ob)
    if as_json:
        screen.print_json(
            {
                "file": file,
                "title": ob.title,
                "entries": len(ob.entries),
                "problems": ob.problems,
                "warnings": ob.warnings,
                "left_to_you": yours,
                "findings": findings,
                "months": months,
            }
        )
    else:
        _tell(file, ob, findings, yours)
        if totals:
            rows = [(each.month, each.nation, _points(each.comes), _points(each.goes)) for each in months]
            screen.table(("month", "nation", "REs in", "REs out"), rows, right=(2, 3))
    if ob.problems or findings:
        ctx.exit(REFUSED)


@ob_command.command("print")
@ob_file
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write it to a file instead.")
@turns_option
@json_option
def print_command(file: str, output: str | None, turns_a_month: int, as_json: bool) -> None:
    """Print an order of battle tidily.

    It says the same as before; lines that were not understood are kept as they are.

    \b
    Example:
      forcepool ob print east.ob -o tidy.ob
    """
    from forcepool.orderofbattle.printing import print_ob
    from forcepool.orderofbattle.reading import read_file

    ob = read_file(file, turns_a_month=turns_a_month)
    if as_json:
        screen.print_json(ob)
        return
    text = print_ob(ob)
    if output:
        check_no_campaign(output)
        with whole_text(Path(output)) as out:
            out.write(text)
    else:
        screen.say(text.rstrip("\n"))
    _warn_of(ob.problems)


@ob_command.command("turn")
@ob_file
@click.argument("turn", nargs=-1, required=True)
@click.option("--nation", default="", help="One nation's entries only.")
@turns_option
@json_option
def turn_command(file: str, turn: tuple[str, ...], nation: str, turns_a_month: int, as_json: bool) -> None:
    """List what falls due on a turn.

    Also what may be done since an earlier turn, and what waits for a condition alone.

    \b
    Example:
      forcepool ob turn east.ob Jul 2 41 --nation German
    """
    from forcepool.engine.calendar import BadTurn
    from forcepool.orderofbattle.reading import read_file
    from forcepool.orderofbattle.turns import on_turn
    from forcepool.orderofbattle.words import nation_named

    ob = read_file(file, turns_a_month=turns_a_month)
    try:
        wanted = ob.calendar.parse(" ".join(turn)).turn
    except BadTurn as bad:
        raise BadInput(str(bad)) from None
    listed = on_turn(ob, wanted, nation=nation_named(nation) or nation)
    if as_json:
        screen.print_json({"turn": ob.calendar.name(wanted), **listed})
        return
    screen.heading(ob.calendar.name(wanted))
    for name, entries in listed.items():
        if entries:
            screen.say(TURN_HEADINGS[name])
            screen.say_lines(f"  {_entry(entry)}" for entry in entries)
    if not any(listed.values()):
        screen.say("nothing")
    _warn_of(ob.problems)


def _entry(entry: "Entry") -> str:
    from forcepool.orderofbattle.printing import print_lines, print_section

    scope = ", ".join(word for word in (entry.nation, print_section(entry)) if word)
    return f"{scope}: {print_lines([entry])[0]}" if scope else print_lines([entry])[0]


def _tell(file: str, ob: "OrderOfBattle", findings: "list[Finding]", yours: "list[Finding]") -> None:
    for problem in ob.problems:
        screen.say(screen.bad(f"not understood: {problem}"))
    for warning in ob.warnings:
        screen.say(f"note: {warning}")
    for start, found_there in (("warning: ", yours), ("", findings)):
        for finding in found_there:
            remedy = f" ({finding.hint})" if finding.hint else ""
            screen.say(f"{start}{file}:{finding.line}: {screen.strong(finding.clause)}  {finding.text}{remedy}")
    found, bad = len(findings), len(ob.problems)
    entries = screen.counted(len(ob.entries), "entry", "entries")
    left = f", {len(yours)} left to you" if yours else ""
    told = f"{entries}, {bad} not understood, {len(ob.warnings)} guessed at{left}"
    screen.say(f"{told}, {screen.counted(found, 'finding')}")


def _warn_of(problems: "tuple[Problem, ...]") -> None:
    for problem in problems:
        screen.warn(f"not understood, kept as it is: {problem}")


def _names(file: str | None) -> list[str] | None:
    """The names in a list, one a line; empty lines and remarks behind # do not count."""
    if file is None:
        return None
    from pathlib import Path

    try:
        lines = Path(file).read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise BadInput(f"{file} is not UTF-8 text; save it with the encoding UTF-8") from None
    return [name for name in (line.partition("#")[0].strip() for line in lines) if name]


def _points(amount: Any) -> str:
    from forcepool.engine.points import show_points

    return show_points(amount)
