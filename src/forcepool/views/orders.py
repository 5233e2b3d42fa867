"""From what was typed to a command: name, field=value words, or JSON; whatever is missing is named with its help."""

import ast
import inspect
import json
import re
import shlex
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from forcepool.engine.command import BadCommand, Command, command_name
from forcepool.engine.game import Game
from forcepool.engine.given import NOTHING, given_to, listed
from forcepool.engine.points import BadPoints, parse_points
from forcepool.engine.sentence import the_field
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import Rule
from forcepool.rulebook.clause import heading_of, natural_key
from forcepool.views.near import did_you_mean

YES_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def command_class(game: Game, name: str) -> type[Command]:
    """The command of that name, with - or _ alike."""
    known = {command_name(each): each for each in game.commands}
    found = known.get(name.strip().replace("_", "-").lower())
    if found is None:
        hint = did_you_mean(name, known)
        raise BadCommand(f"there is no command '{name}'; {hint if '?' in hint else 'forcepool commands lists them'}")
    return found


PLAIN_TEXTS = ("text", "note")
ENDLESS = re.compile(r"[0-9]{10}|[/⁄][0-9]{5}|[.][0-9]{5}")
"""Numbers and parts of a point so fine that sums of them would grow until nobody could read them."""
LONGEST = 20_000
"""Letters of one field of an order: enough for a page of an order of battle."""


def from_words(game: Game, name: str, words: Sequence[str]) -> Command:
    """A command from `field=value` words; a first word without = is the command's first field.

    Later words without = go on with the value before them, for those who left out the quotes: unit=6 Pz XX.
    """
    cls = command_class(game, name)
    fields = list(cls.__struct_fields__)
    typed: dict[str, list[str]] = {}
    values: list[str] = []
    for word in words:
        field, equals, value = word.partition("=")
        if not equals and not fields:
            raise BadCommand(f"{command_name(cls)} takes no fields; leave '{word}' out")
        if not equals and values:
            values[-1] = f"{values[-1]} {word}"
            continue
        values = typed.setdefault(_field_named(cls, field if equals else fields[0]), [])
        values.append(value if equals else word)
    return build(cls, {field: _read(cls, field, values) for field, values in _nested(typed).items()})


def from_line(game: Game, line: str, more: Sequence[str] = ()) -> Command:
    """A command from the line one would type, names with blanks in quotes, and further `field=value` words."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise BadCommand(f"the order is not understood ({error}); write names with blanks in quotes") from None
    if not words:
        raise BadCommand("the order is empty; forcepool commands lists what can be ordered")
    return from_words(game, words[0], [*words[1:], *more])


def from_json(game: Game, text: str) -> Command:
    """A command from JSON such as {"command": "advance"}."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadCommand(
            f'--json-command is not JSON ({error}); write it as {{"command": "advance"}} in single quotes'
        ) from None
    if not isinstance(data, dict) or not isinstance(data.get("command"), str):
        raise BadCommand('--json-command needs the name of the command: {"command": "advance"}')
    cls = command_class(game, data.pop("command"))
    return build(cls, {_field_named(cls, field): value for field, value in data.items()})


def build(cls: type[Command], fields: Mapping[str, Any]) -> Command:
    """The command with these fields, or a sentence that names what is missing or wrong."""
    for name, value in fields.items():
        if _letters(value) > LONGEST:
            raise BadCommand(f"{command_name(cls)}: {name} is longer than {LONGEST} letters; say it shorter")
        if name not in PLAIN_TEXTS and ENDLESS.search(str(value)):
            raise BadCommand(f"{command_name(cls)}: {name} has a number that nobody counts with; write it as 3 or 7/2")
    missing = [each for each in required(cls) if each not in fields]
    if missing:
        helps = field_help(cls)
        named = "; ".join(f"{each}={f' ({helps[each]})' if helps.get(each) else ''}" for each in missing)
        raise BadCommand(f"{command_name(cls)} needs {named}")
    try:
        return msgspec.convert(dict(fields), cls, dec_hook=_from_plain)
    except (msgspec.ValidationError, BadPoints) as error:
        raise BadCommand(_plainly(cls, str(error))) from None


def _letters(value: Any) -> int:
    """How many letters there are in a value, however deep."""
    if isinstance(value, dict):
        return sum(_letters(key) + _letters(each) for key, each in value.items())
    if isinstance(value, list | tuple):
        return sum(map(_letters, value))
    return len(str(value))


def required(cls: type[Command]) -> list[str]:
    """The fields that must be given."""
    return [field.name for field in msgspec.structs.fields(cls) if field.required]


def _field_named(cls: type[Command], typed: str) -> str:
    name, dot, rest = typed.strip().replace("-", "_").partition(".")
    if name not in cls.__struct_fields__:
        known = list(cls.__struct_fields__)
        hint = did_you_mean(name, known) if known else "it takes none"
        raise BadCommand(f"{command_name(cls)} has no field '{typed}'; {hint}")
    return f"{name}{dot}{rest}"


def _nested(typed: dict[str, list[str]]) -> dict[str, Any]:
    """Fields of fields, such as spec.nation, gathered under the field they belong to."""
    plain: dict[str, Any] = {field: values for field, values in typed.items() if "." not in field}
    for field, values in typed.items():
        name, dot, rest = field.partition(".")
        if dot:
            plain.setdefault(name, [])
            plain[name] = (
                (plain[name][0], plain[name][1] | {rest: values})
                if isinstance(plain[name], tuple)
                else (
                    plain[name],
                    {rest: values},
                )
            )
    return plain


def _read(cls: type[Command], field: str, values: Any) -> Any:
    type_ = get_type_hints(cls)[field]
    if type_ is UnitSpec:
        words, inside = values if isinstance(values, tuple) else (values, {})
        return _unit_spec(field, words, inside)
    if isinstance(values, tuple):
        raise BadCommand(f"{field} is one value; write {the_field(field)}")
    kinds = set(get_args(type_)) if get_origin(type_) in (Union, UnionType) else {type_}
    kinds.discard(NoneType)
    lists = any(get_origin(kind) in (list, tuple) for kind in kinds)
    if lists and (len(values) > 1 or "," in values[0] or kinds.isdisjoint({str, bool, int})):
        return [part for value in values for part in listed(value)]
    if len(values) > 1:
        raise BadCommand(f"{the_field(field)} was given twice; give it once")
    return _scalar(field, values[0], kinds)


def _scalar(field: str, value: str, kinds: set[Any]) -> Any:
    if str in kinds:
        return value
    if bool in kinds:
        if value.strip().lower() not in YES_NO:
            raise BadCommand(f"{the_field(field)} is yes or no, not '{value}'")
        return YES_NO[value.strip().lower()]
    if int in kinds:
        try:
            return int(value)
        except ValueError:
            raise BadCommand(f"{the_field(field)} is a whole number, not '{value}'") from None
    if Fraction in kinds:
        try:
            return str(parse_points(value))
        except BadPoints as error:
            raise BadCommand(f"{field}=: {error}") from None
    return value


def _unit_spec(field: str, words: list[str], inside: dict[str, list[str]]) -> Any:
    """A counter as players write it, '7-6 Inf XX (3-6)'; what no counter shows is given apart: spec.nation=Germany."""
    from forcepool.orderofbattle.unit_strings import BadUnit, parse_unit

    if len(words) != 1:
        raise BadCommand(f'{field}= is the counter in one piece, such as {field}="7-6 Inf XX (3-6)"')
    try:
        spec = parse_unit(words[0]).spec
    except BadUnit as error:
        raise BadCommand(str(error)) from None
    plain = msgspec.to_builtins(spec, enc_hook=str)
    for name, values in inside.items():
        if name not in UnitSpec.__struct_fields__:
            raise BadCommand(f"{field} has no '{name}'; {did_you_mean(name, UnitSpec.__struct_fields__)}")
        plain[name] = values[0].split(",") if name == "traits" else values[0]
    return plain


def _from_plain(type_: type, value: Any) -> Any:
    if type_ is Fraction:
        return parse_points(str(value))
    raise NotImplementedError(type_.__name__)


def _plainly(cls: type[Command], message: str) -> str:
    """msgspec's sentence in a player's words."""
    what, _, path = message.partition(" - at `$.")
    where = f" in {path.rstrip('`')}" if path else ""
    name = command_name(cls)
    return f"{name}: {what[:1].lower()}{what[1:]}{where}; 'forcepool commands {name}' explains it"


@cache
def field_help(cls: type[msgspec.Struct]) -> dict[str, str]:
    """The sentence beside each field in the source, or in that of what it is a kind of, read when asked for."""
    helps: dict[str, str] = {}
    for base in cls.__bases__:
        if issubclass(base, msgspec.Struct) and base not in (Command, msgspec.Struct):
            helps |= field_help(base)
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    except (OSError, TypeError, SyntaxError):
        return helps
    body = tree.body[0].body if tree.body and isinstance(tree.body[0], ast.ClassDef) else []
    for field, text in pairwise(body):
        if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)):
            continue
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str):
            helps[field.target.id] = text.value.value.rstrip(".")
    return helps


# --------------------------------------------------------------------------------------------- the catalogue

POINTS_SCHEMA = {"type": "string", "pattern": "^-?[0-9]+(/[1-9][0-9]*)?$", "description": "exact points, such as 7/2"}


def summary_of(cls: type[Command]) -> str:
    return (cls.__doc__ or "").strip().splitlines()[0]


def command_data(game: Game, cls: type[Command]) -> dict[str, Any]:
    """A command for programs: its fields, the clauses that guard it, and those that other headings add."""
    helps, must, held = field_help(cls), required(cls), given_to(cls)
    return {
        "command": command_name(cls),
        "game": game.name,
        "about": summary_of(cls),
        "referee": cls.referee,
        "fields": [
            {"name": field, "required": field in must, "help": helps.get(field) or held.get(field, NOTHING).help}
            | ({"holds": held[field].what} if field in held else {})
            | ({"words": list(held[field].words)} if field in held and held[field].words else {})
            for field in cls.__struct_fields__
        ],
        "clauses": _clauses((*cls.needs, *cls.requires)),
        "added": [{"heading": name, "clauses": _clauses(rules)} for name, rules in _added(game, cls).items()],
    }


def _clauses(rules: Iterable[Rule[Any]]) -> list[str]:
    return list(dict.fromkeys(clause for rule in rules for clause in rule.clauses))


def _added(game: Game, cls: type[Command]) -> dict[str, list[Rule[Any]]]:
    """The rules that other headings add to a command, by the heading of the clause they go by."""
    found: dict[str, list[Rule[Any]]] = {}
    for each in game.guards.get(cls, ()):
        found.setdefault(heading_of(each.clauses[0]), []).append(each)
    return {name: found[name] for name in sorted(found, key=natural_key)}


def schema_of(classes: list[type[Command]], *, alone: bool) -> dict[str, Any]:
    """JSON Schema of one command, or of any of them."""
    schemas, parts = msgspec.json.schema_components(classes, schema_hook=points_schema, ref_template="#/$defs/{name}")
    for cls, reference in zip(classes, schemas, strict=True):
        # Two games may each have a command of one class name, so the part is found by its reference.
        described = parts[reference["$ref"].removeprefix("#/$defs/")]
        described["title"] = command_name(cls)
        for field, text in field_help(cls).items():
            described["properties"][field].setdefault("description", text)
        for field, given in given_to(cls).items():
            if given.words:
                left_out = () if field in required(cls) else ("",)
                described["properties"][field]["enum"] = [*given.words, *left_out]
    top: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    top |= schemas[0] if alone and len(schemas) == 1 else {"anyOf": list(schemas)}
    return top | {"$defs": dict(sorted(parts.items()))}


def points_schema(type_: type) -> dict[str, Any]:
    """How exact points are written in a schema."""
    if type_ is Fraction:
        return dict(POINTS_SCHEMA)
    raise NotImplementedError(type_.__name__)
