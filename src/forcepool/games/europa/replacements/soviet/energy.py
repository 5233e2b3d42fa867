"""52.D.2.c.3  Coal and oil for the Soviet factories: lines, turns out of supply, and what half production costs."""

from collections.abc import Iterator
from fractions import Fraction
from typing import cast

from msgspec import Struct

from forcepool.engine.agenda import NEWS, Item
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import NUMBER, WORDS, YES_NO, Fact, kept, place_key
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.ownership import cities_of
from forcepool.games.europa.ground.soviet_pools import AXIS, INITIAL, SOVIET, in_soviet, invasion, md_pool
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import asked, computed

COAL, OIL = "coal", "oil"
ENERGIES = (COAL, OIL)
OUT_OF_SUPPLY = "out_of_supply"
DAMAGE, DAMAGE_DUE, DESTROYED = "damage", "damage_due", "destroyed"

WHICH_LINES = switch(
    "energy-lines",
    "52.D.2.c.3/7",
    "when a factory is out of supply",
    either="when the coal line or the oil line is missing",
    both="only when neither line can be traced",
)


class EnergySource(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    """A line of the list of coal and oil sources: a place, or the cities of an MD."""

    kind: str
    clause: str
    place: str = ""
    md: str = ""
    sizes: tuple[str, ...] = ()
    from_: str = ""


# -------------------------------------------------------------------------------------------------- sources


@kept
def source_rows(world: EuropaWorld, facts: EuropaFacts) -> tuple[tuple[str, EnergySource], ...]:
    """Every place that is or will be a source, with the line that makes it one."""
    return tuple(
        (name, row)
        for row in world.chart("energy_sources")
        for name in ([world.hex_name(row.place)] if row.place else cities_with_coal(world, facts, row))
    )


@computed("52.D.2.c.3/4")
def cities_with_coal(world: EuropaWorld, facts: EuropaFacts, row: EnergySource) -> list[str]:
    """The major and dot cities of an MD that stands on coal, each of them one source."""
    return cities_of(world, facts, md_pool(row.md), row.sizes)


@computed("52.D.2.c.3/5")
def has_begun(world: EuropaWorld, state: State, row: EnergySource) -> bool:
    """A source with a date yields nothing before it."""
    return world.calendar.parse(row.from_).turn <= state.turn


def is_source(world: EuropaWorld, facts: EuropaFacts, place: str) -> bool:
    """Whether the rules call a place a coal or oil source."""
    return any(name == place for name, _ in source_rows(world, facts))


def sources(world: EuropaWorld, state: State, kind: str) -> list[str]:
    """The places that yield coal or oil to the Soviets now."""
    return oil_sources(world, state) if kind == OIL else list(_working(world, world.facts(state), COAL))


@computed("52.D.2.c.3/6")
def oil_sources(world: EuropaWorld, state: State) -> list[str]:
    """Oil comes from Baku and nowhere else."""
    return list(_working(world, world.facts(state), OIL))


@kept
def _working(world: EuropaWorld, facts: EuropaFacts, kind: str) -> tuple[str, ...]:
    return tuple(
        name
        for name, row in source_rows(world, facts)
        if row.kind == kind
        and (not row.from_ or has_begun(world, facts.state, row))
        and facts.owner(name) in ("", SOVIET)
        and works(facts, name)
    )


@computed("52.D.2.c.3/18")
def works(facts: EuropaFacts, source: str) -> bool:
    """A damaged or destroyed source yields nothing, nor does one whose damage is still to be rolled."""
    key = place_key(source)
    whole = not facts.value(key, DAMAGE) and facts.value(key, DESTROYED) is not True
    return whole and facts.value(key, DAMAGE_DUE) is not True


# ---------------------------------------------------------------------------------------------------- lines


@asked("52.D.2.c.3/1")
def has_line(world: EuropaWorld, state: State, factory: str, kind: str) -> bool:
    """Whether a factory traces to a working source: along the hexes its players list, else as they declared."""
    facts = world.facts(state)
    usable = sources(world, state, kind)
    route = cast(list[str], facts.value(place_key(factory), f"{kind}_route") or [])
    if route:
        hexes = [world.hex_name(each) for each in route]
        return facts.city_of(hexes[-1]) in usable and all(carries(world, state, each) for each in hexes)
    said = facts.of_place(factory, f"{kind}_line")
    if said in ("yes", "no"):
        # A scenario that shows no source of a kind on its map leaves the whole question to what is declared.
        shown = any(row.kind == kind and name in world.spots for name, row in source_rows(world, facts))
        return said == "yes" and (bool(usable) or not shown)
    named = {world.hex_name(word.strip()) for word in said.split(",")}
    return any(source in named for source in usable)


@computed("52.D.2.c.3/2")
def carries(world: EuropaWorld, state: State, name: str) -> bool:
    """A line runs through Soviet-owned rail and road hexes, as many as needed."""
    facts = world.facts(state)
    tracks = facts.place_is(name, "rail") or facts.place_is(name, "road")
    return tracks and facts.owner(name) == SOVIET and not is_blocked(world, state, name)


@computed("52.D.2.c.3/3")
def is_blocked(world: EuropaWorld, state: State, name: str) -> bool:
    """An Axis unit in the hex blocks it, and an Axis zone of control does unless a Soviet unit stands there."""
    present = {world.side_now(state, unit.spec.nation) for unit in state.stack(name)}
    zones = world.facts(state).zones_upon(SOVIET, name)
    return AXIS in present or (bool(zones) and SOVIET not in present)


@computed("52.D.2.c.3/7")
def lacks_energy(world: EuropaWorld, state: State, factory: str) -> bool:
    """Whether a factory is out of supply: for want of either line, or of both, as the group plays it."""
    missing = [kind for kind in ENERGIES if not has_line(world, state, factory, kind)]
    if world.ruling(state, WHICH_LINES.key) == "both":
        return len(missing) == len(ENERGIES)
    return bool(missing)


# ------------------------------------------------------------------------------------- turns out of supply


def factories_checked(world: EuropaWorld, state: State) -> list[str]:
    """The factories that must show their lines in this phase: none before the invasion."""
    if not in_soviet(INITIAL, world, state):
        return []
    invaded = invasion(world, state)
    return in_production(world, state) if invaded is not None and state.clock.turn >= invaded else []


def in_production(world: EuropaWorld, state: State) -> list[str]:
    facts = world.facts(state)
    return [place for place in facts.places_where("producing", True) if facts.owner(place) in ("", SOVIET)]


def turns_out(world: EuropaWorld, state: State, factory: str) -> int:
    """The number on a factory's supply status marker."""
    return cast(int, world.facts(state).value(place_key(factory), OUT_OF_SUPPLY))


def counts_up(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As the Soviet initial phase begins, a factory without its lines is out of supply one turn more."""
    for factory in factories_checked(world, state):
        if lacks_energy(world, state, factory):
            yield one_turn_more(world, state, factory)


def counts_again(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As the phase ends, what was declared in it counts: lines found again clear the count, lines lost begin it."""
    for factory in factories_checked(world, state):
        mark = state.mark(place_key(factory), OUT_OF_SUPPLY)
        if not lacks_energy(world, state, factory):
            if mark is not None:
                yield back_in_supply(factory)
        elif mark is None or mark.since != state.player_turn:
            yield one_turn_more(world, state, factory)


@computed("52.D.2.c.3/8")
def one_turn_more(world: EuropaWorld, state: State, factory: str) -> Marked:
    """The marker goes up by one in each Soviet initial phase in which the factory lacks a line."""
    count = turns_out(world, state, factory) + 1
    says = f"{the_place(factory)}: {ordinal(count)} turn out of supply"
    return Marked(on=place_key(factory), mark=OUT_OF_SUPPLY, value=count, because="52.D.2.c.3/8", says=says)


@computed("52.D.2.c.3/8")
def back_in_supply(factory: str) -> Marked:
    """With both lines again the count goes back to nothing."""
    return Marked(
        on=place_key(factory), mark=OUT_OF_SUPPLY, because="52.D.2.c.3/8", says=f"{the_place(factory)} is in supply"
    )


def ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def output_share(world: EuropaWorld, state: State, factory: str) -> Fraction:
    """The part of its output a factory still makes."""
    count = turns_out(world, state, factory)
    if not count:
        return Fraction(1)
    return output_in_want(world) if count > grace(world) else Fraction(1)


def least_share(world: EuropaWorld, state: State, factory: str) -> Fraction:
    """The part it makes for certain in turns to come: of one in want nobody knows for how long."""
    return output_in_want(world) if turns_out(world, state, factory) else Fraction(1)


@computed("52.D.2.c.3/9")
def grace(world: EuropaWorld) -> Fraction:
    """For six turns out of supply a factory works on as before."""
    return world.numbers["energy_grace"]


@computed("52.D.2.c.3/10")
def output_in_want(world: EuropaWorld) -> Fraction:
    """From the seventh on it makes half, fractions kept."""
    return world.numbers["energy_want"]


# --------------------------------------------------------------------------------------------------- agenda


def factories_in_want(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Factories out of supply, with their count and what it means."""
    for factory in in_production(world, state):
        count = turns_out(world, state, factory)
        if not count:
            continue
        left = grace(world) - count
        then = f"full production for {left} turns more" if left >= 0 else "half production"
        missing = [kind for kind in ENERGIES if not has_line(world, state, factory, kind)]
        traced = [world.facts(state).reason(place_key(factory), f"{kind}_line").removeprefix(": ") for kind in missing]
        lacks = "; ".join(filter(None, traced)) or f"no {' and '.join(missing)} line"
        why = lacks if missing else "its lines are open again"
        text = f"{the_place(factory)}: {ordinal(count)} turn out of supply ({why}), {then}"
        yield Item(NEWS, text, "52.D.2.c.3/8", SOVIET)


FACTS = (
    Fact("coal_line", ("place",), "whether a factory has a coal line (yes, no), or the coal sources it reaches", "yes"),
    Fact("oil_line", ("place",), "whether a factory has an oil line (yes, no), or the oil sources it reaches", "yes"),
    Fact("coal_route", ("place",), "the hexes of a factory's coal line, the source last", [], WORDS),
    Fact("oil_route", ("place",), "the hexes of a factory's oil line, the source last", [], WORDS),
    Fact("rail", ("place",), "a rail line runs through it", False, YES_NO),
    Fact("road", ("place",), "a road runs through it", False, YES_NO),
    Fact(OUT_OF_SUPPLY, ("place",), "the turns a factory has been without coal or oil", 0, NUMBER),
)
CHAPTER = Chapter(
    heading="52.D.2.c.3",
    facts=FACTS,
    switches=(WHICH_LINES,),
    happens=(counts_up,),
    ends=(counts_again,),
    agenda=(factories_in_want,),
    charts={"energy_sources": tuple[EnergySource, ...]},
)
