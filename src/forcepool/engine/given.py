"""What stands in the fields of commands: a unit, a nation, a pool, a place, points, or one of a few words.

A command says so by the type of each field. What is given is read at the door, so that a misspelt name is told before
any rule is asked; and forms, programs and help learn here what could stand there.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, get_origin, get_type_hints

from msgspec import Struct

from forcepool.engine.points import parse_points
from forcepool.engine.sentence import Told, the_field
from forcepool.engine.switches import find
from forcepool.engine.units import STEPS
from forcepool.engine.world import World, find_unit

if TYPE_CHECKING:
    from forcepool.engine.command import Command
    from forcepool.engine.state import State

Read = Callable[[World, "State", str], object]
"""Reads what was given; Told, with a suggestion, where there is no such thing."""


class Given(Struct, frozen=True):
    """What a field holds."""

    what: str
    about: str = ""
    """What such a field is for, where the command says nothing of it."""
    words: tuple[str, ...] = ()
    """The only words it can hold, where they are few."""
    read: Read | None = None

    @property
    def help(self) -> str:
        return self.about or (said_or(self.words) if self.words else "")

    def check(self, world: World, state: "State", field: str, said: str) -> None:
        if self.words and said not in self.words:
            raise Told(f"{the_field(field)} is {said_or(self.words)}, not '{said}'")
        if self.read is not None:
            self.read(world, state, said)


def one_of(*words: str) -> Given:
    return Given("word", words=tuple(filter(None, words)))


def said_or(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def _unit(world: World, state: "State", said: str) -> object:
    return find_unit(state, said)


def _units(world: World, state: "State", said: str) -> object:
    return [find_unit(state, each) for each in listed(said)]


def _nation(world: World, state: "State", said: str) -> object:
    return world.nation_named(said)


def _pool(world: World, state: "State", said: str) -> object:
    return world.account_named(said)


def _pools(world: World, state: "State", said: str) -> object:
    return [world.pool_named(each) for each in listed(said)]


def _place(world: World, state: "State", said: str) -> object:
    return world.parse_place(said)


def _points(world: World, state: "State", said: str) -> object:
    return parse_points(said)


def _kind(world: World, state: "State", said: str) -> object:
    return world.kind_named(said)


def _side(world: World, state: "State", said: str) -> object:
    if said not in world.sequence.players:
        *others, last = world.sequence.players
        raise Told(f"there is no side '{said}'; the sides are {', '.join(others)} and {last}")
    return said


def _rule(world: World, state: "State", said: str) -> object:
    return find(world.game.house_rules, said)


NOTHING = Given("")
UNIT = Given("unit", "The unit it is for", read=_unit)
UNITS = Given("units", "The units it is for", read=_units)
NATION = Given("nation", "Whose it is", read=_nation)
POOL = Given("pool", "The pool it is about", read=_pool)
POOLS = Given("pools", "The pools, in their order", read=_pools)
AREA = Given("area", "The front, MD or theatre", read=_pool)
PLACE = Given("place", "The place, by its name or hex", read=_place)
POINTS = Given("points", "Exact points, such as 3 1/2", read=_points)
AMOUNTS = Given("amounts", "How many of what: '4 inf, 1/2 arm'")
KIND = Given("kind", "The kind of points", read=_kind)
STEP = Given("step", "full, cadre or remnant", STEPS)
SIDE = Given("side", "The side", read=_side)
RULE = Given("rule", "The house rule; the list says what it decides", read=_rule)
FACT = Given("fact", "What is so; the list says what each means")
ENTRY = Given("entry", "The entry of the order of battle it carries out")
NOTE = Given("note", "Why, for the journal")
MIX = Given("mix", "A payment in parts, such as '1 inf of Britain, 1/2 inf of India'")
SUBJECT = Given("subject", "The place, area or nation it is said of")
OPTION = Given("option", "The way it is played from now on")
NAME = Given("name", "What it is called")
WORDS = Given("words")
TEXT = Given("text")
"""Several lines."""

UnitName = Annotated[str, UNIT]
UnitNames = Annotated[str, UNITS]
UnitList = Annotated[list[str], UNITS]
Nation = Annotated[str, NATION]
Pool = Annotated[str, POOL]
Pools = Annotated[str, POOLS]
Area = Annotated[str, AREA]
Spot = Annotated[str, PLACE]
Spots = Annotated[list[str], PLACE]
Points = Annotated[str, POINTS]
Amounts = Annotated[str, AMOUNTS]
PointKind = Annotated[str, KIND]
Step = Annotated[str, STEP]
Side = Annotated[str, SIDE]
RuleName = Annotated[str, RULE]
FactName = Annotated[str, FACT]
EntryKey = Annotated[str, ENTRY]
Why = Annotated[str, NOTE]
Mix = Annotated[str, MIX]
Subject = Annotated[str, SUBJECT]
Option = Annotated[str, OPTION]
Name = Annotated[str, NAME]
Words = Annotated[str, WORDS]
Text = Annotated[str, TEXT]


def listed(said: str) -> list[str]:
    """'1 Inf III, 2 Inf III', one by one; also '1 Inf III + 2 Inf III'."""
    return [each.strip() for each in said.replace(" + ", ",").split(",") if each.strip()]


@cache
def given_to(command: "type[Command]") -> dict[str, Given]:
    """What the fields of a command hold, those that say so."""
    hints = get_type_hints(command, include_extras=True)
    marks = {name: getattr(hints[name], "__metadata__", ()) for name in command.__struct_fields__}
    return {name: mark for name, found in marks.items() for mark in found if isinstance(mark, Given)}


def as_it_holds(command: "type[Command]", field: str, said: Any) -> Any:
    """Several units, pools or places, however they were given: in a list, or in one line with commas between them."""
    if field not in given_to(command):
        return said
    takes_a_list = get_origin(get_type_hints(command)[field]) is list
    if takes_a_list and isinstance(said, str):
        return listed(said)
    is_one_line = given_to(command)[field] in (UNITS, POOLS) and not takes_a_list
    return ", ".join(said) if is_one_line and isinstance(said, list) and all(isinstance(s, str) for s in said) else said


@cache
def never_empty(command: "type[Command]") -> dict[str, str]:
    """The fields that hold one of a few words even where they are left out, and the word they hold then."""
    usual = dict(zip(reversed(command.__struct_fields__), reversed(command.__struct_defaults__), strict=False))
    return {field: usual[field] for field, given in given_to(command).items() if given.words and usual.get(field)}


def check(world: World, state: "State", command: "Command") -> None:
    """Whether everything that was given is there; Told if not."""
    for field, usual in never_empty(type(command)).items():
        if not getattr(command, field):
            words = given_to(type(command))[field].words
            raise Told(f"{the_field(field)} is {said_or(words)}; left out, {usual}")
    for field, given in given_to(type(command)).items():
        for said in _said(getattr(command, field)):
            given.check(world, state, field, said)


def units_of(command: "Command") -> set[str]:
    """The units that an order names."""
    fields = (field for field, given in given_to(type(command)).items() if given in (UNIT, UNITS))
    return {name for field in fields for said in _said(getattr(command, field)) for name in listed(said)}


def _said(value: Any) -> Iterator[str]:
    """What stands in a field; nothing, where it was left out."""
    yield from value if isinstance(value, list) else [value] if value else []
