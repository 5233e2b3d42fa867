"""28  What every rule of the air asks: whose unit, which theatre, which airbase."""

from collections.abc import Iterator

from forcepool.engine.command import lazy
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import kept, place_key, unit_key
from forcepool.engine.places import HEX, OUT_OF_PLAY, Place
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Rule, Verdict, no, rule
from forcepool.games.europa import homes
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.placing import AIR_STATUS, why_not_friendly
from forcepool.games.europa.ground.tallies import air_force_of
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.world import ELIMINATED, EuropaWorld
from forcepool.orderofbattle.aircraft import AIR, codes_of
from forcepool.rulebook.citations import asked, computed

ABORTED = "aborted"
ANTI_SHIPPING = "anti-shipping"
WITHDRAWN = "withdrawn"
OPERATIVE = "operative"
CAME_FROM = "rebuilt_from"


class Air(EuropaQuestion):
    """An air unit and everything the rules ask about it."""

    @lazy
    def nation(self) -> str:
        """The national force it is of."""
        return air_force_of(self.unit.spec)

    @lazy
    def area(self) -> str:
        return area_of(self.world, self.facts, self.unit)

    @lazy
    def theatre(self) -> str:
        return self.world.theatre_of(self.area)


def is_air(world: EuropaWorld, unit: Unit) -> bool:
    return world.has_role(unit.spec, AIR)


def air_units(world: EuropaWorld, state: State, side: str = "") -> list[Unit]:
    """The air units of a side, in order."""
    found = [unit for unit in state.units.values() if is_air(world, unit)]
    if side:
        found = [unit for unit in found if world.side_now(state, unit.spec.nation) == side]
    return sorted(found, key=lambda unit: unit.id)


def area_of(world: EuropaWorld, facts: EuropaFacts, unit: Unit) -> str:
    """The MD or front a unit is under: by its hex the own MD or else the own front, or by the box that holds it."""
    if unit.place.kind != HEX:
        return unit.place.of
    around = world.spot(unit.place.of).area
    return homes.track_in(world, facts, around, unit.spec.nation) if around else ""


def chart_of(world: EuropaWorld, area: str) -> str:
    """The front whose AIR CHART an MD belongs to; a front or theatre has its own."""
    known = world.areas.get(area)
    return known.within if area.startswith("md/") and known and known.within else area


def eliminated_box(world: EuropaWorld, area: str) -> Place:
    return Place(ELIMINATED, chart_of(world, area))


def status_of(facts: EuropaFacts, unit: Unit) -> str:
    """Its operational status; a unit on the map that bears no marker is operative."""
    return facts.of_unit(unit, AIR_STATUS) or OPERATIVE


def without_status(state: State, unit: Unit) -> Iterator[Event]:
    """A unit that leaves the map leaves its status marker behind."""
    if state.mark(unit_key(unit.id), AIR_STATUS) is not None:
        yield Marked(on=unit_key(unit.id), mark=AIR_STATUS, says="off the map, without status")


def identity(unit: Unit) -> tuple[str, str, tuple[str, ...]]:
    """Model, type and codes: what makes two air units identical."""
    return unit.spec.designation, unit.spec.type, codes_of(unit.spec)


@rule("28/1")
def is_an_air_unit(q: Air) -> Verdict:
    """Only air units take part in the air cycle."""
    if is_air(q.world, q.unit):
        return YES
    return no(f"{q.unit} is no air unit", remedy="ground units are replaced under rule 52")


# ------------------------------------------------------------------------------------------------ airbases


def is_airbase(facts: EuropaFacts, hex_name: str) -> bool:
    return facts.place_is(hex_name, "airbase")


@asked("28.C/3")
def capacity(facts: EuropaFacts, hex_name: str) -> int:
    """What the players declared of an airbase's capacity; one of which nothing is said holds a unit."""
    return int(str(facts.value(place_key(hex_name), "airbase_capacity")))


def is_friendly(facts: EuropaFacts, hex_name: str, side: str, nation: str) -> bool:
    return not why_not_friendly(facts, side, nation, hex_name)


ROOM = switch(
    "airbase-room",
    "28.C/3",
    "when an airbase can take no further unit",
    counted="when as many air units stand there as its capacity, where that is known, or when players say it is full",
    declared="only when players say it is full; its capacity is 1 or more, however many stand there",
)


@computed("28.C/3")
def is_full(facts: EuropaFacts, hex_name: str, coming: int = 0) -> bool:
    """Whether an airbase can take no further unit: as declared, else by its capacity and the units there or coming."""
    said = facts.declared(place_key(hex_name), "airbase_full")
    if said is not None:
        return said is True
    if facts.declared(place_key(hex_name), "airbase_capacity") is None:
        return False
    if facts.world.ruling(facts.state, ROOM.key) == "declared":
        return False
    based = sum(is_air(facts.world, unit) for unit in facts.state.stack(hex_name))
    return based + coming >= capacity(facts, hex_name)


def why_not(facts: EuropaFacts, side: str, nation: str, hex_name: str) -> str:
    """Why an airbase cannot take a unit."""
    if is_airbase(facts, hex_name) and is_friendly(facts, hex_name, side, nation):
        room, least = capacity(facts, hex_name), facts.world.numbers["air_capacity"]
        if room < least:
            return f"{the_place(hex_name)} has a capacity of {room}, and air units are placed at one of {least} or more"
        if is_full(facts, hex_name):
            return f"{the_place(hex_name)} is full: it has a capacity of {room}"
    return f"{the_place(hex_name)} is no friendly airbase with room"


def can_take(facts: EuropaFacts, side: str, nation: str, hex_name: str) -> bool:
    """A friendly airbase of capacity 1 or more that is not full, isolated or not."""
    return (
        is_airbase(facts, hex_name)
        and is_friendly(facts, hex_name, side, nation)
        and capacity(facts, hex_name) >= facts.world.numbers["air_capacity"]
        and not is_full(facts, hex_name)
    )


def in_theatre(world: EuropaWorld, hex_name: str, theatre: str) -> bool:
    """Whether a hex lies in the theatre; nobody is asked where the scenario does not say."""
    around = world.spot(hex_name).area
    return not around or not theatre or world.theatre_of(around) == theatre


def unisolated_bases(facts: EuropaFacts, side: str, nation: str, theatre: str) -> list[str]:
    """The unisolated airbases of a theatre that could take a unit now; a full one is not available."""
    return list(_unisolated_bases(facts.world, facts, side, nation, theatre))


@kept
def _unisolated_bases(world: EuropaWorld, facts: EuropaFacts, side: str, nation: str, theatre: str) -> tuple[str, ...]:
    return tuple(
        name
        for name in facts.places_where("airbase", True)
        if in_theatre(world, name, theatre) and can_take(facts, side, nation, name) and not facts.is_cut_off(side, name)
    )


def lies_in(box: str, clause: str, remedy: str) -> Rule[Air]:
    """The unit lies in the box; one that was converted away or withdrawn lies in none, for good."""

    @rule(clause, "28.E/7")
    def lies_in_the_box(q: Air) -> Verdict:
        if q.unit.place.kind == box:
            return YES
        gone = q.unit.place.kind == OUT_OF_PLAY.kind
        return no(
            f"{q.unit} is {q.world.where(q.unit.place)}, not in the {q.world.game.box_names[box]}",
            remedy="" if gone else remedy,
            clause="28.E/7" if gone else clause,
        )

    return lies_in_the_box
