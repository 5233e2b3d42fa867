"""49.A.1.c  Deployment size: how many REs a unit counts for when it enters or leaves a reserve."""

from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import NamedTuple

from msgspec import Struct

from forcepool.engine.facts import YES_NO, Fact, place_key, unit_key
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import UnitSpec
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import ACTIVE, NO_SUPPLY, EuropaFacts
from forcepool.games.europa.reserves.deployment import activity_of
from forcepool.games.europa.reserves.depots import is_overland
from forcepool.games.europa.unit_types import Described, fits
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import COMPUTED, computed, heard, meets_one_of

BATTLE_ZONE, OVERLAND = "battle_zone", "overland_line"

COMBINE = switch(
    "reserve-sizes",
    "49.A.1.c/1",
    "how several modifiers of a unit's deployment size combine",
    multiply="they multiply, and the REs so counted fill the depot's bands",
    doublings_add="doublings add: two make three times the size",
    finished_cost="they multiply the finished cost instead of the REs",
    one_doubling="at most one doubling counts",
)


class Modifier(NamedTuple):
    """One reason for a unit to count for more or less."""

    factor: Fraction
    words: str
    clause: str


class Size(Struct, frozen=True):
    """What a unit counts for."""

    res: Fraction
    """REs that go through the depot's bands."""
    on_cost: Fraction
    """What the finished cost is multiplied by; 1 unless a house rule says so."""
    working: str
    because: str


class Move(Struct, frozen=True):
    """A unit about to change its reserve status: in or out, of which reserve, and in whose turn."""

    entering: bool
    strategic: bool = False
    enemy_turn: bool = False


def said_of(facts: EuropaFacts, unit: Unit, name: str) -> object:
    """What was declared of a unit, else of the hex it is in."""
    said = facts.declared(unit_key(unit.id), name)
    if said is None and unit.place.on_map:
        return facts.value(place_key(unit.place.of), name)
    return said if said is not None else facts.value(unit_key(unit.id), name)


def area_of(world: EuropaWorld, unit: Unit) -> str:
    """The MD a unit is in: that of its hex, or of the box it is in."""
    return world.spot(unit.place.of).area if unit.place.on_map else unit.place.of


def district_of(world: EuropaWorld, facts: EuropaFacts, unit: Unit) -> str:
    """The district whose activity counts for a unit: one its side has, or on the enemy's ground its own front."""
    area = area_of(world, unit)
    if not unit.place.on_map or not area or homes.is_open_to(world, facts, area, unit.spec.nation):
        return area
    return homes.track_in(world, facts, area, unit.spec.nation)


def has_armour_symbol(world: EuropaWorld, spec: UnitSpec) -> bool:
    """Whether a unit shows the armour symbol, alone or with another."""
    return any(fits(row, spec) for row in world.chart("armour_symbols"))


def in_enemy_zoc(world: EuropaWorld, facts: EuropaFacts, unit: Unit) -> bool:
    return unit.place.on_map and any(world.zone_rank(zone) for zone in facts.enemy_zocs(unit))


@meets_one_of(*(f"49.A.1.c.{item}/1" for item in ("i", "ii", "iii", "v", "vi", "vii")))
def modifiers(world: EuropaWorld, state: State, unit: Unit, move: Move, depot: str = "") -> list[Modifier]:
    """Every modifier that fits a unit charged to a depot."""
    found = list(_modifiers(world, state, unit, move, depot))
    for each in found:
        heard(each.clause, COMPUTED)
    return found


def _modifiers(world: EuropaWorld, state: State, unit: Unit, move: Move, depot: str) -> Iterator[Modifier]:
    twice, facts = world.numbers["reserve_doubled"], world.facts(state)
    # Whoever leaves the Strategic Reserve Box stands in no hex.
    if unit.place.on_map and (move.entering or not move.strategic):
        yield from _by_place(world, facts, unit, move)
        if not traces_overland(world, facts, unit, depot):
            yield Modifier(twice, f"no overland line to {the_place(depot) or 'a depot'}", "49.A.1.c.vii/1")
    if has_armour_symbol(world, unit.spec):
        yield Modifier(twice, "armour", "49.A.1.c.v/1")
    if move.enemy_turn:
        yield Modifier(twice, "in the enemy turn", "49.A.1.c.vi/1")


def _by_place(world: EuropaWorld, facts: EuropaFacts, unit: Unit, move: Move) -> Iterator[Modifier]:
    twice, half = world.numbers["reserve_doubled"], world.numbers["reserve_halved"]
    zone = said_of(facts, unit, BATTLE_ZONE) is True
    if not move.entering and (zone or activity_of(world, facts, district_of(world, facts, unit)) == ACTIVE):
        yield Modifier(half, "leaving in an active MD or the battle zone", "49.A.1.c.i/1")
    if move.entering and zone:
        yield Modifier(twice, "entering in the battle zone", "49.A.1.c.ii/1")
    if move.entering and not facts.is_settlement(unit.place.of):
        yield Modifier(twice, "entering outside towns", "49.A.1.c.iii/1")


def traces_overland(world: EuropaWorld, facts: EuropaFacts, unit: Unit, depot: str) -> bool:
    """As declared of the unit or its hex, or traced on a map; else by the areas that unit and depot lie in."""
    if said_of(facts, unit, "supply") == NO_SUPPLY:
        return False
    if world.has_map or _was_said(facts, unit, OVERLAND) or not depot:
        return said_of(facts, unit, OVERLAND) is not False
    return is_overland(world, facts, area_of(world, unit), depot)


def _was_said(facts: EuropaFacts, unit: Unit, name: str) -> bool:
    return any(facts.declared(on, name) is not None for on in (unit_key(unit.id), place_key(unit.place.of)))


@computed("49.A.1.c/1")
def combined(found: list[Modifier], ruling: str) -> Fraction:
    """All modifiers in one."""
    doublings = [each.factor for each in found if each.factor > 1]
    halves = prod((each.factor for each in found if each.factor < 1), start=Fraction(1))
    if ruling == "doublings-add":
        return halves * (1 + sum((each - 1 for each in doublings), Fraction(0)))
    if ruling == "one-doubling":
        return halves * max(doublings, default=Fraction(1))
    return halves * prod(doublings, start=Fraction(1))


def size_of(world: EuropaWorld, state: State, unit: Unit, move: Move, depot: str = "") -> Size:
    """What a unit counts for against the deployment limit at a depot, with the working."""
    plain = world.res(unit.spec, unit.step)
    words, why = [f"{show_points(plain)} RE"], ["49.A.1.c/1"]
    if move.strategic and not move.entering:
        plain *= world.numbers["strategic_leaves_at"]
        words.append(f"×{show_points(world.numbers['strategic_leaves_at'])} leaving strategic reserve")
        why.append("49.B.1.6/1")
    found, ruling = modifiers(world, state, unit, move, depot), world.ruling(state, COMBINE.key)
    factor = combined(found, ruling)
    words += [f"×{show_points(each.factor)} {each.words}" for each in found]
    because = " ".join([*why, *(each.clause for each in found)])
    if ruling == "finished-cost":
        return Size(plain, factor, ", ".join(words), because)
    if len(words) > 1:
        words.append(f"counts {show_points(plain * factor)}")
    return Size(plain * factor, Fraction(1), ", ".join(words), because)


CHAPTER = Chapter(
    heading="49.A.1.c",
    facts=(
        Fact(BATTLE_ZONE, ("unit", "place"), "it is in the battle zone", False, YES_NO),
        Fact(OVERLAND, ("unit", "place"), "an overland supply line runs from it to a depot", True, YES_NO),
    ),
    switches=(COMBINE,),
    charts={"armour_symbols": tuple[Described, ...]},
)
