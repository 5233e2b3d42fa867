"""The facts: what one can declare of a unit, a place, an area, a nation or the campaign, and what a case may state."""

from typing import TYPE_CHECKING

import click

from forcepool.cli import screen
from forcepool.cli.problems import Failed
from forcepool.cli.table import json_option

if TYPE_CHECKING:
    from forcepool.views.facts import FactLine

SUBJECTS = ("unit", "place", "area", "nation", "campaign")


@click.command("facts")
@click.argument("words", nargs=-1)
@click.option("--of", "of", type=click.Choice(SUBJECTS), default=None, help="Only what is said of such a thing.")
@click.option("--game", "game_name", default="", help="Only the facts of this game.")
@click.option("--all", "everything", is_flag=True, help="Also what the rules keep track of; a case may expect it.")
@json_option
def facts_command(words: tuple[str, ...], of: str | None, game_name: str, everything: bool, as_json: bool) -> None:
    """The facts one can declare, and state in scenarios and cases; with words, those that speak of them.

    \b
    Examples:
      forcepool facts
      forcepool facts supply
      forcepool facts isolated --of unit
      forcepool facts reserve --all
    """
    from forcepool import games
    from forcepool.views.facts import fact_lines

    found = {
        game.title: lines
        for game in map(games.game, [game_name] if game_name else games.names())
        if (lines := fact_lines(game, words, of=of or "", kept=everything))
    }
    if as_json:
        screen.print_json([line for lines in found.values() for line in lines])
        return
    if not found:
        more = "" if everything else ", or add --all for what the rules keep track of"
        raise Failed(f"no fact speaks of '{' '.join(words)}'; try fewer or other words{more}")
    for title, lines in found.items():
        screen.heading(title)
        for line in lines:
            _show(line)
    screen.say('Declare one: forcepool do FILE declare unit="24 Inf XX" fact=moved value=yes')


def _show(line: "FactLine") -> None:
    screen.say(f"  {line.fact}  (of {_listed(line.of)})")
    screen.say(f"    {line.about}")
    takes = ", ".join(line.values) or line.takes
    left_out = f"; {line.left_out} if nothing is said" if line.left_out else ""
    lasts = f"; for this {line.lasts}" if line.lasts else ""
    kept = "" if line.declared else "; the rules keep track of it"
    screen.say(f"    takes {takes}{left_out}{lasts}{kept}")


def _listed(words: tuple[str, ...]) -> str:
    return " or ".join(
        f"the {each}" if each == "campaign" else f"a {each}".replace("a area", "an area") for each in words
    )
