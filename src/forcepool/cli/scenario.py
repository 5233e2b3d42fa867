"""Scenario files: finding one by its name, and what in it nobody could play."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from forcepool.cli import screen
from forcepool.cli.problems import REFUSED, BadInput
from forcepool.cli.table import json_option
from forcepool.views.near import did_you_mean

if TYPE_CHECKING:
    from forcepool.files.yamltext import Document


def scenario_named(text: str) -> "Document":
    """A scenario that ships, or one's own by the path of its file."""
    from forcepool.files.yamltext import read_yaml_file
    from forcepool.views.scenarios import ENDING, scenario_names, shipped_scenario

    names = scenario_names()
    if text in names:
        return shipped_scenario(text)
    if text.endswith((ENDING, ".yml")) or Path(text).is_file():
        return read_yaml_file(text)
    raise BadInput(f"there is no scenario '{text}'; {did_you_mean(text, names)} (or give the path of a {ENDING} file)")


@click.group("scenario", invoke_without_command=True)
@click.pass_context
def scenario_command(ctx: click.Context) -> None:
    """Scenario files of your own, before anybody plays them. Each command takes --json.

    \b
    Examples:
      forcepool scenario lint
      forcepool scenario lint my/scenario.yaml
      forcepool scenario template my-war --from smolensk
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@scenario_command.command("lint")
@click.argument("scenarios", nargs=-1, metavar="[NAME or FILE]...")
@json_option
@click.pass_context
def lint_command(ctx: click.Context, scenarios: tuple[str, ...], as_json: bool) -> None:
    """Find what nobody could play: by the rules, the scenario, its order of battle and its map.

    Places and fronts in no country, sides that nobody plays, entries that can never be met, units that stand where they
    may not, and the like, each with its line and how to mend it. Without a name, all scenarios that ship.

    \b
    Examples:
      forcepool scenario lint
      forcepool scenario lint west-1940 my/scenario.yaml
    """
    from forcepool.views.linting import lint_scenario
    from forcepool.views.scenarios import scenario_names

    names = scenarios or tuple(scenario_names())
    found = {name: lint_scenario(scenario_named(name)) for name in names}
    total = sum(map(len, found.values()))
    if as_json:
        screen.print_json(
            {
                "findings": total,
                "scenarios": [{"scenario": name, "findings": findings} for name, findings in found.items()],
            }
        )
    else:
        for name, findings in found.items():
            screen.say_lines(map(str, findings))
            screen.say(f"{screen.strong(name)}: {screen.counted(len(findings), 'finding')}")
    if total:
        ctx.exit(REFUSED)


@scenario_command.command("template")
@click.argument("out", type=click.Path())
@click.option("--from", "source", default="", metavar="NAME or FILE", help="As this scenario has it; else empty.")
@click.option("--game", "game_name", default="", metavar="GAME", help="The game of empty tables.")
@click.option("--table", "tables", multiple=True, metavar="NAME", help="This table too, a chart for instance.")
@click.option("--all", "everything", is_flag=True, help="Every table and every column there is.")
@click.option("--semicolons", is_flag=True, help="CSV as Excel has it where numbers are written with a comma.")
@json_option
def template_command(
    out: str, source: str, game_name: str, tables: tuple[str, ...], everything: bool, semicolons: bool, as_json: bool
) -> None:
    """Write tables to fill in with a spreadsheet, and the scenario file that reads them.

    OUT is a new folder for tables as CSV, or a spreadsheet if it ends in .xlsx, which has a sheet for each. Under the
    names of the columns stands a row of help; rows that begin with # are not read.

    \b
    Examples:
      forcepool scenario template my-war
      forcepool scenario template my-war.xlsx --from west-1940
      forcepool scenario template charts --table substitutions --table receipts
    """
    from forcepool import games
    from forcepool.files.sheets import plain_name
    from forcepool.views.template import empty, filled, write

    wanted = [plain_name(each) for each in tables]
    if source:
        template = filled(scenario_named(source), wanted, everything=everything)
    else:
        template = empty(games.game(game_name or games.DEFAULT), wanted, everything=everything)
    written = write(template, Path(out), delimiter=";" if semicolons else ",")
    if as_json:
        screen.print_json({"scenario": str(written[0]), "files": list(map(str, written))})
    else:
        screen.say_lines(map(str, written))
        screen.say(f"Fill the tables in, then: forcepool scenario lint {written[0]}")
