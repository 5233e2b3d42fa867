"""52.B  Replacement sources: where a nation's replacements come from, and whether a unit can trace to one."""

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from msgspec import Struct

from forcepool.engine.facts import ANY, WORDS, YES_NO, Fact, kept, unit_key
from forcepool.engine.state import State, Unit
from forcepool.engine.units import UnitSpec
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import COMPUTED, computed, heard, meets_one_of

CITIES, CAPITAL, PORTS, THEATRE_PORTS = "cities", "capital", "ports", "theatre ports"
SUPPLY_SOURCES, FACTORIES = "supply sources", "factories"

INF = "inf"


class SourceLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of the list of sources: whose replacements come from which kind of place."""

    kind: str
    clause: str
    nations: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    forces: tuple[str, ...] = ()
    of: str = ""
    """The power whose places serve; left out, the nation's own."""
    points: tuple[str, ...] = ()
    """The kinds of RP it serves; left out, all."""
    except_from: tuple[str, ...] = ()
    """Pools, by how their names begin, whose own rules say what a unit must trace to."""


def line_for(world: EuropaWorld, facts: EuropaFacts, nation: str, force: str = "", point: str = INF) -> SourceLine:
    """The line of the list that a nation, or a force that fights for it, draws on for a kind of RP."""
    if found := _forces_line(world, force):
        return found
    # A minor that has left the Axis is one like any other: its source is its capital.
    side = world.side_now(facts.state, nation)
    line = next(row for row in world.chart("sources") if _fits(row, nation, side, point))
    if line.kind == CAPITAL and facts.fights_a_civil_war(nation):
        return _in_civil_war(line)
    return cast(SourceLine, line)


def _fits(row: SourceLine, nation: str, side: str, point: str) -> bool:
    return (
        not row.forces
        and (not row.nations or nation in row.nations)
        and (not row.sides or side in row.sides)
        and (not row.points or point in row.points)
    )


def _forces_line(world: EuropaWorld, force: str) -> SourceLine | None:
    """Free forces and exiles have a line of their own; other forces use that of the power they fight for."""
    return next((row for row in world.chart("sources") if force in row.forces), None)


@computed("52.B/1")
def _in_civil_war(line: SourceLine) -> SourceLine:
    """In a civil war the capital is no source: each side has its replacement cities."""
    return SourceLine(CITIES, line.clause)


def power_behind(world: EuropaWorld, state: State, nation: str) -> str:
    """A nation that only the last line fits draws, as a contingent, on the sources of the power it fights for."""
    known, side = world.profile.nations.get(nation), world.side_now(state, nation)
    named = any(row.nations or row.sides for row in world.chart("sources") if _fits(row, nation, side, INF))
    power = known.contingent_of if known else ""
    return nation if named or not power or world.side_now(state, power) != side else _power_of(power)


@computed("52.B/10")
def _power_of(power: str) -> str:
    """A force without a source of its own uses that of the power it fights for."""
    return power


# ------------------------------------------------------------------------------------- which places they are

Finds = Callable[[EuropaWorld, EuropaFacts, str], Iterable[str]]


def _cities(world: EuropaWorld, facts: EuropaFacts, nation: str) -> Iterable[str]:
    return _places_of(world, facts, "replacement_city", nation)


def _capital(world: EuropaWorld, facts: EuropaFacts, nation: str) -> Iterable[str]:
    return _places_of(world, facts, "capital", nation)


def _places_of(world: EuropaWorld, facts: EuropaFacts, fact: str, nation: str) -> Iterable[str]:
    names = {nation, world.profile.nations[nation].adjective} if nation in world.profile.nations else {nation}
    meant = {name.casefold() for name in names if name}
    return (name for name in facts.places_with(fact) if facts.of_place(name, fact).casefold() in meant)


def _ports(world: EuropaWorld, facts: EuropaFacts, nation: str) -> Iterable[str]:
    return (name for name in facts.places_with("designated_port") if facts.place_is(name, "designated_port"))


def _supply_sources(world: EuropaWorld, facts: EuropaFacts, nation: str) -> Iterable[str]:
    side = world.side_now(facts.state, nation)
    return (name for name in facts.places_with("supply_source") if facts.of_place(name, "supply_source") == side)


def _factories(world: EuropaWorld, facts: EuropaFacts, nation: str) -> Iterable[str]:
    return (name for name in facts.places_with("producing") if facts.place_is(name, "producing"))


PLACES: Mapping[str, Finds] = {
    CITIES: _cities,
    CAPITAL: _capital,
    PORTS: _ports,
    THEATRE_PORTS: _ports,
    SUPPLY_SOURCES: _supply_sources,
    FACTORIES: _factories,
}


@meets_one_of("52.B/1", "52.B/2", "52.B/3", "52.B/4", "52.B/5", "52.B/6", "52.B/7", "52.B/8", "52.B/9", "52.B/10")
def listed(world: EuropaWorld, facts: EuropaFacts, nation: str, force: str = "", point: str = INF) -> list[str]:
    """The places that are sources of a nation's replacements, whoever owns them now."""
    _, places, _ = _found(world, facts, nation, force, point)
    return list(places)


@kept
def _found(
    world: EuropaWorld, facts: EuropaFacts, nation: str, force: str, point: str
) -> tuple[SourceLine, tuple[str, ...], tuple[str, ...]]:
    """The line a nation draws on, the places it names, and those of them that its side may use."""
    power = power_behind(world, facts.state, nation)
    line = line_for(world, facts, power, force, point)
    heard(line.clause, COMPUTED)
    places = tuple(PLACES[line.kind](world, facts, line.of or power))
    side = world.side_now(facts.state, nation)
    return line, places, tuple(place for place in places if facts.owner(place) in ("", side))


# ------------------------------------------------------------------------------------- tracing to one


def traced_to(facts: EuropaFacts, unit: Unit) -> list[str]:
    """The places a unit traces its line to, as its owner declared; empty when nobody has said."""
    return list(_hexes_traced_to(facts.world, facts, unit_key(unit.id)))


@kept
def _hexes_traced_to(world: EuropaWorld, facts: EuropaFacts, on: str) -> tuple[str, ...]:
    return tuple(world.hex_name(place) for place in cast(list[str], facts.value(on, "traces_to")))


def reaches_a_source(
    world: EuropaWorld, facts: EuropaFacts, unit: Unit, points: Iterable[str] = (INF,), payer: str = ""
) -> bool:
    """Whether a unit in regular supply traces to a source for each kind of RP it is paid in."""
    return all(_reaches(world, facts, unit, point, payer) for point in points)


def _reaches(world: EuropaWorld, facts: EuropaFacts, unit: Unit, point: str, payer: str) -> bool:
    spec, said = unit.spec, traced_to(facts, unit)
    line, places, owned = _found(world, facts, spec.nation, spec.force, point)
    if payer.startswith(line.except_from):
        return True
    if not places and (not said or facts.traced(unit_key(unit.id), "traces_to")):
        return True
    if line.kind == THEATRE_PORTS:
        owned = tuple(place for place in owned if _same_theatre(world, unit.place.of, place))
    if facts.traced(unit_key(unit.id), "traces_to") and any(world.hex_index(place) is None for place in owned):
        # Home lies beyond the map: a regular line leads to a supply source on it, and from there on.
        return True
    return any(place in owned for place in said) if said else bool(owned)


def _same_theatre(world: EuropaWorld, one: str, other: str) -> bool:
    first, second = (world.theatre_of(world.spot(place).area) for place in (one, other))
    return not first or not second or first == second


def describe(world: EuropaWorld, facts: EuropaFacts, spec: UnitSpec) -> str:
    """What a nation's sources are, in words: 'a designated port of the theatre'."""
    nation = power_behind(world, facts.state, spec.nation)
    line = line_for(world, facts, nation, spec.force)
    nation = line.of or nation
    words = {
        CITIES: f"a replacement city of {nation}",
        CAPITAL: f"the capital of {nation}",
        PORTS: "a designated port",
        THEATRE_PORTS: "a designated port of the theatre",
        SUPPLY_SOURCES: f"a regular supply source of the {world.side_now(facts.state, nation)}",
        FACTORIES: "a factory in production",
    }
    return words[line.kind]


CHAPTER = Chapter(
    heading="52.B",
    facts=(
        Fact(
            "traces_to", ("unit",), "the places it traces its supply line to; left out, to whatever serves", [], WORDS
        ),
        Fact("capital", ("place",), "the nation whose capital it is", "", said={ANY: "capital of {}"}),
        Fact(
            "designated_port", ("place",), "it is a designated port, where overseas replacements come in", False, YES_NO
        ),
        Fact("supply_source", ("place",), "the side whose regular supply source it is", ""),
        Fact("civil_war", ("nation",), "a civil war is going on in it", False, YES_NO),
    ),
    charts={"sources": tuple[SourceLine, ...]},
)
