"""51.A.8, 51.A.9 and 51.C.1  Reinforcements that come on in reserve: at a map edge, with their depots, or by entry."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.facts import PLAYER_TURN, TAKEN_BACK, YES_NO, Fact, place_key, unit_key
from forcepool.engine.game import Effect
from forcepool.engine.ledger import SPENT
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import OPERATIONAL, STRATEGIC
from forcepool.games.europa.ground.ownership import take_off
from forcepool.games.europa.ground.placing import Placing
from forcepool.games.europa.ground.standing import NATIONAL_RESERVE
from forcepool.games.europa.question import Appears
from forcepool.games.europa.reinforcements import sites
from forcepool.games.europa.reinforcements.entries import marked, verb_of
from forcepool.games.europa.reinforcements.listed_places import spec_of_place
from forcepool.games.europa.reinforcements.sites import EDGES
from forcepool.games.europa.replacements.axis.axis import joins_the_reserve
from forcepool.games.europa.replacements.axis.entry import is_at_home_somewhere
from forcepool.games.europa.replacements.general.placement import PlaceUnit
from forcepool.games.europa.replacements.kinds.resources import SP
from forcepool.games.europa.reserves.changes import PLACED_IN_RESERVE, RESERVE_MARKER
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Entry
from forcepool.rulebook.citations import computed, shown

if TYPE_CHECKING:
    from forcepool.games.europa.reinforcements.appearing import Appearing

RESERVE_PAID, DEPOTS_IN_RESERVE = "reserve_paid", "depots_in_reserve"
READY = "ready"
FULL_CLAUSE = "51.B.7/6"
IN_RESERVE = {"operational reserve": OPERATIONAL, "strategic reserve": STRATEGIC}
"""How an entry's own words say that its units come in."""
RESERVE_CLAUSES = {"forming": FULL_CLAUSE, "full": FULL_CLAUSE, "release from garrison": "51.B.11/1"}


@rule("51.A.8/1", "51.A.8/2")
def reserve_is_for_the_map_edge(q: "Appearing") -> Verdict:
    """Only what enters at a map edge may come on in reserve, for a supply point a stack."""
    if not q.command.reserve:
        return YES
    if not comes_from_the_edge(q):
        return no(f"{q.unit} does not come on at a map edge", remedy="place it without a reserve marker")
    if q.facts.place_is(q.name, RESERVE_PAID):
        return yes("51.A.8/2", "its stack has paid")
    price = q.world.numbers["reserve_at_edge"]
    if reserve_payer(q):
        return yes("51.A.8/1")
    return no(
        f"no pool of {the_place(q.name)} holds the supply point",
        remedy="bring it on without a reserve marker",
        clause="51.A.8/2",
        have=Fraction(0),
        need=price,
    )


def comes_from_the_edge(q: "Appearing") -> bool:
    """Whether its entry brings a unit on at a map edge, by name or from elsewhere; an edge city is a city to others."""
    place = spec_of_place(q.entry)
    if (place is not None and place.kind == "map_edge") or q.entry.arrival in ("reserve", "reserve allowed"):
        return True
    return sites.is_arriving(q) and bool(q.facts.value(place_key(q.name), EDGES))


def reserve_payer(q: "Appearing") -> str:
    """The front or theatre entered that can pay; empty if none can."""
    price, nation = q.world.numbers["reserve_at_edge"], q.unit.spec.nation
    areas = homes.serving(q.world, q.facts, q.world.spot(q.hex).area or q.unit.place.of, nation)
    return next((area for area in areas if q.state.balance(area, nation, SP) >= price), "")


@computed("51.A.8/2")
def pays_for_reserve(q: "Appearing") -> Iterator[Event]:
    """One supply point for the stack, from the front or theatre it enters."""
    if not q.facts.place_is(q.name, RESERVE_PAID):
        yield Transferred(
            amount=q.world.numbers["reserve_at_edge"],
            kind=SP,
            nation=q.unit.spec.nation,
            frm=reserve_payer(q) or q.unit.place.of,
            to=SPENT,
            because="51.A.8/2",
            says=f"the stack at {q.name} comes on in reserve",
        )
        yield Marked(on=place_key(q.name), mark=RESERVE_PAID, value=True, because="51.A.8/2")


def keeps_its_reserve(q: "Appearing") -> str:
    """The clause by which a unit out of a FORMING BOX or a garrison is in operational reserve; empty for others."""
    if q.facts.of_unit(q.unit, READY) == "yes" or sites.is_arriving(q):
        return ""
    # What became a forming unit by conversion has an entry of another kind.
    formed = q.state.mark(unit_key(q.unit.id), sites.FORMED_SINCE) is not None
    return FULL_CLAUSE if formed else RESERVE_CLAUSES.get(verb_of(q.entry), "")


def is_added_to_the_national_reserve(entry: Entry) -> bool:
    """Whether an entry brings its units into the national reserve of their country."""
    return verb_of(entry) == "add to reserves" or entry.arrival == "national reserve"


@rule("51.C.1/1")
def national_reserves_stay_at_home(q: "Appearing") -> Verdict:
    """What is added to a nation's reserve appears in that nation's country, unless its entry names a place."""
    nation, around = q.unit.spec.nation, q.world.spot(q.hex).area if q.hex else ""
    if not around or not is_added_to_the_national_reserve(q.entry) or spec_of_place(q.entry) is not None:
        return YES
    country = q.world.country_of(around)
    if country in ("", nation) or not is_at_home_somewhere(q.world, nation):
        return YES
    return no(
        f"{the_place(q.hex)} lies in {country}, and {q.unit} is added to the national reserve of {nation}",
        remedy=f"choose a city of {nation}",
    )


def in_which_reserve(q: "Appearing") -> Iterator[Event]:
    """National reserve, operational reserve, a marker bought at the map edge, or none."""
    unit, of_its_own = q.unit.id, keeps_its_reserve(q)
    said = q.entry.arrival
    if is_added_to_the_national_reserve(q.entry):
        yield marked(unit, NATIONAL_RESERVE, value=True, because="51.C.1/1")
        return
    # It may have been in it once, before it left play.
    yield from take_off(q.state, unit_key(unit), NATIONAL_RESERVE, "51.C.1/1")
    plays = q.world.plays_reserves and not q.is_air
    if plays and said in IN_RESERVE:
        yield marked(unit, "reserve", IN_RESERVE[said], "51.B.10/4")
    elif plays and of_its_own:
        yield marked(unit, "reserve", OPERATIONAL, of_its_own)
    elif plays and q.hex and depots_in_reserve(q):
        yield marked(unit, "reserve", OPERATIONAL, "51.A.9/1 51.A.9/2")
    elif q.command.reserve:
        for mark in (RESERVE_MARKER, PLACED_IN_RESERVE):
            yield marked(unit, mark, value=True, because="51.A.8/1")


@computed("51.A.9/1", "51.A.9/2")
def depots_in_reserve(q: "Appearing | Placing") -> bool:
    """Where every depot of the front is in operational reserve, so are its reinforcements, at no cost."""
    return any(q.facts.of_area(area, DEPOTS_IN_RESERVE) is True for area in q.world.line_of(q.world.spot(q.hex).area))


def rebuilt_with_its_depots(q: Placing) -> Iterator[Event]:
    """A rebuilt unit comes in as a reinforcement does, and so in operational reserve with the depots of its front."""
    if q.hex and not q.is_air and not joins_the_reserve(q) and depots_in_reserve(q):
        yield marked(q.unit.id, "reserve", OPERATIONAL, "51.A.9/1 51.A.9/2")


@shown("51.C.1/5")
def generates_nothing(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """National reserve is neither operational nor strategic reserve."""
    if world.facts(state).value(unit_key(unit.id), NATIONAL_RESERVE) is True:
        yield Effect("in national reserve: generates no RPs", "51.C.1/5")


CHAPTER = Chapter(
    heading="51.A.8",
    facts=(
        Fact(RESERVE_PAID, ("place",), "its stack came on in reserve", False, YES_NO, lasts=PLAYER_TURN, by_hand=False),
        Fact(DEPOTS_IN_RESERVE, ("area",), "every depot of it is in operational reserve", False, YES_NO),
        Fact(
            NATIONAL_RESERVE,
            ("unit",),
            "it is in national reserve",
            False,
            YES_NO,
            said={TAKEN_BACK: "no longer in national reserve"},
        ),
        Fact(READY, ("unit",), "it comes in ready for use, not in reserve", "", by_hand=False),
    ),
    guards={Appears: (national_reserves_stay_at_home,)},
    also={PlaceUnit: (rebuilt_with_its_depots,)},
    shows=(generates_nothing,),
)
