"""The catalogue of commands: what one can order, field by field, and as JSON Schema."""

from typing import TYPE_CHECKING

import click

from forcepool.cli import screen
from forcepool.cli.problems import BadInput
from forcepool.cli.table import json_option
from forcepool.views.near import did_you_mean

if TYPE_CHECKING:
    from forcepool.engine.command import Command
    from forcepool.engine.game import Game


@click.command("commands")
@click.argument("name", required=False, default="")
@click.option("--schema", is_flag=True, help="JSON Schema of the commands.")
@click.option("--game", "game_name", default="", help="Only the commands of this game.")
@json_option
def commands_command(name: str, schema: bool, game_name: str, as_json: bool) -> None:
    """The commands one can give with 'forcepool do', each with its fields.

    \b
    Examples:
      forcepool commands
      forcepool commands rebuild-cadre
      forcepool commands rebuild-cadre --schema
    """
    from forcepool import games

    found = [games.game(each) for each in ([game_name] if game_name else games.names())]
    chosen = [(game, cls) for game in found for cls in _named(game, name)]
    if not chosen:
        from forcepool.engine.command import command_name

        known = {command_name(cls) for game in found for cls in game.commands}
        raise BadInput(f"there is no command '{name}'; {did_you_mean(name, known)}")
    from forcepool.views.orders import command_data, schema_of

    if schema:
        screen.print_json(schema_of([cls for _, cls in chosen], alone=bool(name)))
    elif as_json:
        entries = [command_data(game, cls) for game, cls in chosen]
        screen.print_json(entries[0] if name and len(entries) == 1 else entries)
    elif name:
        for game, cls in chosen:
            _show_one(game, cls)
    else:
        _show_all(found)


def _named(game: "Game", name: str) -> list[type["Command"]]:
    from forcepool.engine.command import command_name

    wanted = name.strip().replace("_", "-").lower()
    return [cls for cls in game.commands if not wanted or command_name(cls) == wanted]


def _show_all(found: list["Game"]) -> None:
    from forcepool.engine.command import command_name
    from forcepool.views.orders import summary_of

    for game in found:
        screen.heading(game.title)
        width = max(len(command_name(cls)) for cls in game.commands)
        for cls in game.commands:
            screen.say(f"  {command_name(cls):<{width}}  {summary_of(cls)}")
    screen.say("'forcepool commands NAME' lists the fields of one.")


def _show_one(game: "Game", cls: type["Command"]) -> None:
    from forcepool.views.orders import command_data

    data = command_data(game, cls)
    screen.heading(f"{data['command']}  ({game.title})")
    screen.say(f"  {data['about']}")
    for field in data["fields"]:
        needed = "" if field["required"] else " (may be left out)"
        text = f": {field['help']}" if field["help"] else ""
        screen.say(f"  {field['name']}={text}{needed}")
    if data["clauses"]:
        screen.say(f"  guarded by {', '.join(data['clauses'])}")
    for added in data["added"]:
        screen.say(f"  and, by {added['heading']}, {', '.join(added['clauses'])}")
    if data["referee"]:
        screen.say("  It puts the record right and asks no rules.")
