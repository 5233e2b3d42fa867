"""The catalogue of commands: what one can order, field by field, and as JSON Schema."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from forcepool.cli import screen
from forcepool.cli.problems import BadInput
from forcepool.cli.table import did_you_mean, json_option

if TYPE_CHECKING:
    from forcepool.engine.command import Command
    from forcepool.engine.world import Game

POINTS_SCHEMA = {"type": "string", "pattern": "^-?[0-9]+(/[1-9][0-9]*)?$", "description": "exact points, such as 7/2"}


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


def summary_of(cls: type["Command"]) -> str:
    return (cls.__doc__ or "").strip().splitlines()[0]


def command_data(game: "Game", cls: type["Command"]) -> dict[str, Any]:
    """A command for programs: its fields, and the clauses that guard it."""
    from forcepool.cli.typed import field_help, required
    from forcepool.engine.command import command_name

    helps, must = field_help(cls), required(cls)
    return {
        "command": command_name(cls),
        "game": game.name,
        "about": summary_of(cls),
        "referee": cls.referee,
        "fields": [
            {"name": field, "required": field in must, "help": helps.get(field, "")} for field in cls.__struct_fields__
        ],
        "clauses": _clauses(cls),
    }


def _clauses(cls: type["Command"]) -> list[str]:
    return list(dict.fromkeys(clause for rule in (*cls.needs, *cls.requires) for clause in rule.clauses))


def schema_of(classes: list[type["Command"]], *, alone: bool) -> dict[str, Any]:
    """JSON Schema of one command, or of any of them."""
    import msgspec

    from forcepool.cli.typed import field_help
    from forcepool.engine.command import command_name

    schemas, parts = msgspec.json.schema_components(classes, schema_hook=_points, ref_template="#/$defs/{name}")
    for cls, reference in zip(classes, schemas, strict=True):
        # Two games may each have a command of one class name, so the part is found by its reference.
        described = parts[reference["$ref"].removeprefix("#/$defs/")]
        described["title"] = command_name(cls)
        for field, text in field_help(cls).items():
            described["properties"][field].setdefault("description", text)
    top: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    top |= schemas[0] if alone and len(schemas) == 1 else {"anyOf": list(schemas)}
    return top | {"$defs": dict(sorted(parts.items()))}


def _points(type_: type) -> dict[str, Any]:
    if type_ is Fraction:
        return dict(POINTS_SCHEMA)
    raise NotImplementedError(type_.__name__)


def _show_all(found: list["Game"]) -> None:
    from forcepool.engine.command import command_name

    for game in found:
        screen.heading(game.title)
        width = max(len(command_name(cls)) for cls in game.commands)
        for cls in game.commands:
            screen.say(f"  {command_name(cls):<{width}}  {summary_of(cls)}")
    screen.say("'forcepool commands NAME' lists the fields of one.")


def _show_one(game: "Game", cls: type["Command"]) -> None:
    data = command_data(game, cls)
    screen.heading(f"{data['command']}  ({game.title})")
    screen.say(f"  {data['about']}")
    for field in data["fields"]:
        needed = "" if field["required"] else " (may be left out)"
        text = f": {field['help']}" if field["help"] else ""
        screen.say(f"  {field['name']}={text}{needed}")
    if data["clauses"]:
        screen.say(f"  guarded by {', '.join(data['clauses'])}")
    if data["referee"]:
        screen.say("  It puts the record right and asks no rules.")
