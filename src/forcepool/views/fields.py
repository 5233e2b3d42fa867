"""A command as a form: its fields in words, what each takes, and what could be put there."""

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from forcepool.engine import codec, given
from forcepool.engine.command import Command, command_name
from forcepool.engine.game import Game
from forcepool.engine.given import NOTHING, given_to
from forcepool.engine.ledger import is_pool
from forcepool.engine.places import HEX
from forcepool.engine.points import show_points
from forcepool.engine.standing import POOL
from forcepool.engine.state import State, Unit
from forcepool.engine.units import UnitSpec
from forcepool.engine.wording import counter_in_words
from forcepool.engine.world import World
from forcepool.views.names import natural, pool_in_words, pool_order
from forcepool.views.orders import field_help, required, summary_of

TEXT, LINES, YES_NO, COUNTER, SEVERAL, WORD = "text", "lines", "yes or no", "counter", "several", "word"
"""What a field takes: words, lines of them, a tick, a counter as players write it, several names with commas, or one of
a few words."""
MOST_NAMES = 600
"""So many names are offered for a field; any other may be typed."""


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
    words: tuple[str, ...] = ()
    """The only words it can hold, where they are few."""


class CommandLine(Struct, frozen=True):
    """One command of the catalogue."""

    name: str
    about: str
    chapter: str
    referee: bool


# ------------------------------------------------------------------------------------------------ catalogue


def catalogue(game: Game, words: str = "", unplayed: Collection[str] = ()) -> tuple[CommandLine, ...]:
    """The commands of a game that hold all the words, in their order, without those of folders nobody plays."""
    wanted = words.casefold().split()
    found = [
        CommandLine(command_name(cls), summary_of(cls), chapter_of(game, cls), cls.referee)
        for cls in game.commands
        if not any(f".{game.name}.{folder}." in cls.__module__ for folder in unplayed)
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
    helps, must, types, held = field_help(cls), required(cls), get_type_hints(cls), given_to(cls)
    found = []
    for name in cls.__struct_fields__:
        holds = held.get(name, NOTHING)
        takes = LINES if holds is given.TEXT else WORD if holds.words else _takes(types[name])
        label, offers = name.replace("_", " "), holds.what if holds.what in NAMES else ""
        found.append(Field(name, label, helps.get(name, holds.help), takes, name in must, offers, holds.words))
        if takes == COUNTER and "nation" not in types:
            found.append(Field(f"{name}.nation", "nation", "Whose counter it is", TEXT, False, given.NATION.what))
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


class Seen(Struct, frozen=True):
    """A campaign as far as a seat may know of it."""

    world: World
    state: State
    unit: Callable[[Unit], bool]
    account: Callable[[Any], bool]
    nation: Callable[[str], bool]

    @property
    def units(self) -> list[Unit]:
        return sorted(filter(self.unit, self.state.units.values()), key=lambda unit: natural(unit.id))

    @property
    def accounts(self) -> list[Any]:
        return [each for each in self.state.balances if is_pool(each.pool) and self.account(each)]


def _units(seen: Seen) -> Iterable[Name]:
    return (Name(unit.id, seen.world.show_place(unit.place)) for unit in seen.units)


def _nations(seen: Seen) -> Iterable[Name]:
    return (Name(nation) for nation in sorted(seen.world.sides) if seen.nation(nation))


def _sides(seen: Seen) -> Iterable[Name]:
    return map(Name, seen.world.sequence.players)


def _kinds(seen: Seen) -> Iterable[Name]:
    return map(Name, sorted({each.kind for each in seen.accounts}))


def _areas(seen: Seen) -> Iterable[Name]:
    world, state = seen.world, seen.state
    areas = {
        area
        for unit in seen.units
        for area in world.areas_of(unit, state) or ()
        if world.could_serve(state, area, unit.spec.nation)
    }
    return (Name(area, pool_in_words(area)) for area in sorted(areas, key=pool_order))


def _places(seen: Seen) -> Iterable[Name]:
    return map(Name, sorted({unit.place.of for unit in seen.units if unit.place.kind == HEX}, key=natural))


def _facts(seen: Seen) -> Iterable[Name]:
    return (Name(fact.name, fact.about) for fact in seen.world.game.facts if fact.by_hand)


def _rules(seen: Seen) -> Iterable[Name]:
    return (Name(each.key, each.about) for each in seen.world.game.house_rules)


def _pools(seen: Seen) -> Iterable[Name]:
    state, accounts = seen.state, [each for each in seen.accounts if seen.world.standing(each.pool).what == POOL]
    held: dict[str, list[str]] = {}
    for account in sorted(accounts):
        if state.balances[account]:
            held.setdefault(account.pool, []).append(f"{show_points(state.balances[account])} {account.kind}")
    pools = sorted({each.pool for each in accounts}, key=pool_order)
    return (Name(pool, ", ".join(held.get(pool, ["empty"])[:6])) for pool in pools)


NAMES: dict[str, Callable[[Seen], Iterable[Name]]] = {
    given.UNIT.what: _units,
    given.UNITS.what: _units,
    given.NATION.what: _nations,
    given.SIDE.what: _sides,
    given.POOL.what: _pools,
    given.POOLS.what: _pools,
    given.AREA.what: _areas,
    given.PLACE.what: _places,
    given.KIND.what: _kinds,
    given.FACT.what: _facts,
    given.RULE.what: _rules,
}
"""What could be put into fields, by what they hold."""


def names_for(offers: str, seen: Seen) -> tuple[Name, ...]:
    """What could be put into a field, as far as a seat may know of it."""
    return tuple(islice(NAMES[offers](seen), MOST_NAMES))
