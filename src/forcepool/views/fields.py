"""A command as a form: its fields in words, what each takes, and what could be put there."""

from collections.abc import Callable, Iterable, Mapping
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from forcepool.engine import codec
from forcepool.engine.command import Command, command_name
from forcepool.engine.ledger import is_pool
from forcepool.engine.places import HEX
from forcepool.engine.points import show_points
from forcepool.engine.standing import POOL
from forcepool.engine.state import State, Unit
from forcepool.engine.units import STEPS, UnitSpec
from forcepool.engine.wording import counter_in_words
from forcepool.engine.world import Game, World
from forcepool.views.names import natural, pool_in_words, pool_order
from forcepool.views.orders import field_help, required, summary_of

TEXT, LINES, YES_NO, COUNTER, SEVERAL = "text", "lines", "yes or no", "counter", "several"
"""What a field takes: words, lines of them, a tick, a counter as players write it, or several names with commas."""
MOST_NAMES = 600
"""So many names are offered for a field; any other may be typed."""

UNITS, NATIONS, POOLS, AREAS, PLACES, FACTS, SWITCHES, KINDS, STEPS_ = (
    "units",
    "nations",
    "pools",
    "areas",
    "places",
    "facts",
    "switches",
    "kinds",
    "steps",
)
OFFERED = {
    **dict.fromkeys(("unit", "units", "components", "converted", "other", "others", "depot"), UNITS),
    **dict.fromkeys(("nation", "country"), NATIONS),
    **dict.fromkeys(("pool", "pay_from"), POOLS),
    **dict.fromkeys(("front", "md", "track", "into"), AREAS),
    **dict.fromkeys(("at", "city", "place"), PLACES),
    "fact": FACTS,
    "rule": SWITCHES,
    "kind": KINDS,
    "step": STEPS_,
}
"""What is offered for a field of that name."""


USUAL = {
    "unit": "The unit it is for",
    "units": "The units it is for",
    "nation": "Whose it is",
    "pool": "The pool it is about",
    "amount": "Exact points, such as 3 1/2",
    "entry": "The entry of the order of battle it carries out",
    "fact": "What is so; the list says what each means",
    "rule": "The house rule; the list says what it decides",
    "option": "The way it is played from now on",
    "spec": "The counter as players write it",
    "step": "full, cadre or remnant",
    "at": "The place, by its name or hex",
    "name": "What it is called",
    "note": "Why, for the journal",
}
"""What a field of that name is for, where the command itself says nothing of it."""


class Name(Struct, frozen=True):
    """One thing that could be put into a field, and what it is."""

    value: str
    says: str = ""


class Field(Struct, frozen=True):
    """One field of a command's form."""

    name: str
    label: str
    help: str
    takes: str
    required: bool
    offers: str = ""
    """Which names are offered for it."""


class CommandLine(Struct, frozen=True):
    """One command of the catalogue."""

    name: str
    about: str
    chapter: str
    referee: bool


# ------------------------------------------------------------------------------------------------ catalogue


def catalogue(game: Game, words: str = "") -> tuple[CommandLine, ...]:
    """The commands of a game that hold all the words, in their order."""
    wanted = words.casefold().split()
    found = [
        CommandLine(command_name(cls), summary_of(cls), chapter_of(game, cls), cls.referee) for cls in game.commands
    ]
    return tuple(each for each in found if all(word in f"{each.name} {each.about}".casefold() for word in wanted))


def chapter_of(game: Game, cls: type[Command]) -> str:
    """The part of the rules a command belongs to: by the folder it is written in."""
    parts = cls.__module__.split(".")
    if "engine" in parts:
        return "At the table"
    inside = parts[parts.index(game.name) + 1 :] if game.name in parts else []
    return inside[0].replace("_", " ").capitalize() if len(inside) > 1 else game.title


# --------------------------------------------------------------------------------------------------- fields


def fields_of(cls: type[Command]) -> tuple[Field, ...]:
    """The fields of a command, in their order; with a counter goes the nation it belongs to."""
    helps, must, types = field_help(cls), required(cls), get_type_hints(cls)
    found = []
    for name in cls.__struct_fields__:
        takes = LINES if name == "text" else _takes(types[name])
        label = name.replace("_", " ")
        found.append(
            Field(name, label, helps.get(name) or USUAL.get(name, ""), takes, name in must, OFFERED.get(name, ""))
        )
        if takes == COUNTER and "nation" not in types:
            found.append(Field(f"{name}.nation", "nation", "Whose counter it is", TEXT, False, NATIONS))
    return tuple(found)


def _takes(type_: Any) -> str:
    if type_ is bool:
        return YES_NO
    if type_ is UnitSpec:
        return COUNTER
    kinds = set(get_args(type_)) - {NoneType} if get_origin(type_) in (Union, UnionType) else {type_}
    return SEVERAL if str not in kinds and any(get_origin(each) in (list, tuple) for each in kinds) else TEXT


def filled_in(order: Mapping[str, Any]) -> dict[str, str]:
    """The fields of an order given as data, as one would write them into the form."""
    return {name: text for field, value in order.items() for name, text in _written(field, value)}


def _written(field: str, value: Any) -> Iterable[tuple[str, str]]:
    if isinstance(value, bool):
        yield field, "yes" if value else ""
    elif isinstance(value, list):
        yield field, ", ".join(map(str, value))
    elif isinstance(value, dict):
        try:
            yield field, counter_in_words(msgspec.convert(value, UnitSpec, dec_hook=codec.from_plain))
        except (msgspec.ValidationError, ValueError):
            return
        yield f"{field}.nation", str(value.get("nation", ""))
    elif value is not None:
        yield field, str(value)


def in_words(fields: Iterable[Field], written: Callable[[str], str]) -> list[str]:
    """The form as the words one would type: `field=value` for everything that was filled in."""
    return [f"{each.name}={text}" for each in fields if (text := written(each.name).strip())]


# ---------------------------------------------------------------------------------------------------- names


def names_for(
    offers: str,
    world: World,
    state: State,
    sees_unit: Callable[[Unit], bool],
    sees_account: Callable[[Any], bool],
    sees_nation: Callable[[str], bool],
) -> tuple[Name, ...]:
    """What could be put into a field, as far as a seat may know of it."""
    if offers == UNITS:
        ours = [unit for unit in state.units.values() if sees_unit(unit)]
        ours.sort(key=lambda unit: natural(unit.id))
        return tuple(Name(unit.id, world.show_place(unit.place)) for unit in ours[:MOST_NAMES])
    if offers == NATIONS:
        return tuple(Name(nation) for nation in sorted(world.sides) if sees_nation(nation))
    if offers in (POOLS, KINDS):
        accounts = [each for each in state.balances if is_pool(each.pool) and sees_account(each)]
        if offers == KINDS:
            return tuple(Name(kind) for kind in sorted({each.kind for each in accounts}))
        return _pools(state, [each for each in accounts if world.standing(each.pool).what == POOL])
    if offers == AREAS:
        areas = {
            area
            for unit in state.units.values()
            if sees_unit(unit)
            for area in world.areas_of(unit, state) or ()
            if world.could_serve(state, area, unit.spec.nation)
        }
        return tuple(Name(area, pool_in_words(area)) for area in sorted(areas, key=pool_order))
    if offers == PLACES:
        places = {unit.place.of for unit in state.units.values() if unit.place.kind == HEX and sees_unit(unit)}
        return tuple(Name(each) for each in sorted(places, key=natural)[:MOST_NAMES])
    if offers == FACTS:
        return tuple(Name(fact.name, fact.about) for fact in world.game.facts if fact.by_hand)
    if offers == SWITCHES:
        return tuple(Name(each.key, each.about) for each in world.game.house_rules)
    return tuple(Name(step) for step in STEPS) if offers == STEPS_ else ()


def _pools(state: State, accounts: list[Any]) -> tuple[Name, ...]:
    held: dict[str, list[str]] = {}
    for account in sorted(accounts):
        if state.balances[account]:
            held.setdefault(account.pool, []).append(f"{show_points(state.balances[account])} {account.kind}")
    pools = sorted({each.pool for each in accounts}, key=pool_order)
    return tuple(Name(pool, ", ".join(held.get(pool, ["empty"])[:6])) for pool in pools[:MOST_NAMES])
