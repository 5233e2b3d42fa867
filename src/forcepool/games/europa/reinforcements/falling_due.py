"""51.B  What an entry brings as its turn comes: counters on the reinforcement track, in boxes and pools, and points."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from forcepool.engine.events import Became, Event, Marked, Moved, Raised, Transferred
from forcepool.engine.facts import PLAYER_TURN, YES_NO, Fact, unit_key
from forcepool.engine.places import HEX, OUT, Place
from forcepool.engine.state import State, Unit, evolve
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE
from forcepool.engine.verdicts import No, Verdict, no, yes
from forcepool.engine.world import World
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.entries import (
    BALKANS,
    ENTRY,
    RECEIVED,
    counters,
    home_area,
    marked,
    on_entry,
    pool_of,
)
from forcepool.games.europa.reinforcements.sites import HOLDING, is_city
from forcepool.games.europa.replacements.casualties import ruling_of
from forcepool.games.europa.replacements.garrisons import GARRISON, GARRISON_ACTIVE
from forcepool.games.europa.replacements.pools import REINFORCEMENT
from forcepool.games.europa.replacements.purchase import Purchase
from forcepool.games.europa.replacements.resources import SP, SRP
from forcepool.games.europa.replacements.soviet_pools import home_of
from forcepool.games.europa.world import ELIMINATED, MIX, REINFORCEMENT_TRACK, EuropaWorld
from forcepool.orderofbattle.model import Entry, Item
from forcepool.rulebook.citations import computed, meets_one_of

GARRISON_BOX, BREAKDOWN_BOX, WITHDRAWN = "garrison", "breakdown", "withdrawn"
ADDED = "added_to_pool"
FROM_THE_OB = "source/order of battle"

AT_ONCE = switch(
    "pool-units-at-once",
    "51.B.1.a/3",
    "the arrival of a unit added to the pool and bought at once",
    one_turn="one turn later, whatever its type",
    with_extension="one turn later, and the extra time of its type besides",
    national_only="one turn later, a limited unit only through the national pool",
    bought_full="one turn later, and a unit with a cadre may be bought at full strength",
)
SRP_AS_SP = switch(
    "srp-supply",
    "51.A.11/1",
    "supply points of a nation without a replacement chart",
    besides="five for each strategic resource point, which it receives as well",
    instead="five in the place of each strategic resource point",
)

Brought = list[Event] | No
"""What an entry does, or why it cannot yet."""

Handler = Callable[[EuropaWorld, State, Entry], Brought]


# ------------------------------------------------------------------------------------------- on the track


def on_the_track(clause: str) -> Handler:
    """Counters that wait on the reinforcement track, to be placed by their owner in this phase or when they can."""

    def brings(world: EuropaWorld, state: State, entry: Entry) -> Brought:
        track = Place(REINFORCEMENT_TRACK, home_area(world, entry), state.clock.turn)
        return list(come_in(world, state, entry, track, clause))

    return brings


def come_in(world: EuropaWorld, state: State, entry: Entry, at: Place, because: str) -> Iterator[Event]:
    """Each counter of an entry: from the mix if it lies there, else new."""
    for name, spec, step in counters(world, _without_mix(state), entry, entry.items):
        if name in state.units:
            yield Moved(unit=name, frm=state.units[name].place, to=at, because=because)
        else:
            yield Raised(unit=name, spec=spec, at=at, step=step, because=because)
        yield marked(name, ENTRY, entry.key)


def _without_mix(state: State) -> State:
    """The state as it would be without the counters that no order of battle has brought into play yet."""
    in_mix = [unit.id for unit in state.units.values() if unit.place.kind == MIX]
    if not in_mix:
        return state
    return State(state.clock, {name: unit for name, unit in state.units.items() if name not in in_mix})


@computed("51.B.1.b/2")
def forces_listed(world: EuropaWorld, state: State, entry: Entry) -> list[Entry]:
    """What 'forces from' a theatre means: the transfers of that theatre for the turn."""
    names = [name.casefold() for name in entry.source.names] if entry.source else []
    return [
        each
        for each in entries.listed(world, state)
        if each.verb == "transfer"
        and each.turn == entry.turn
        and each.nation == entry.nation
        and any(name.casefold() in names for place in (each.source, each.section) if place for name in place.names)
    ]


def _is_brought_by_an_arrival(world: EuropaWorld, state: State, entry: Entry) -> bool:
    return any(
        each.verb == "arrive" and any(item.force for item in each.items) and entry in forces_listed(world, state, each)
        for each in entries.listed(world, state)
    )


def arrives(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Units from another theatre or command, or whatever that theatre's listing transfers."""
    if not any(item.force for item in entry.items):
        return on_the_track("51.B.1.b/1")(world, state, entry)
    found = forces_listed(world, state, entry)
    if not found:
        return no(
            "the order of battle lists no transfer from there on that turn",
            remedy="put the OB right",
            clause="51.B.1.b/2",
        )
    track = Place(REINFORCEMENT_TRACK, home_area(world, entry), state.clock.turn)
    events: list[Event] = []
    for each in found:
        for name, spec, step in counters(world, state, each, each.items):
            events += [
                Raised(unit=name, spec=spec, at=track, step=step, because="51.B.1.b/2"),
                marked(name, ENTRY, entry.key),
            ]
    return events


@computed("51.B.16/1", "51.B.16/2", "51.B.16/3", "51.E.3.f/2")
def returns(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """The counters that were withdrawn come back as arrivals, at the strength the entry shows."""
    left = [unit for unit in state.units_in_order() if _was_withdrawn(state, unit)]
    events: list[Event] = []
    track = Place(REINFORCEMENT_TRACK, home_area(world, entry), state.clock.turn)
    for item in entry.items:
        for _ in range(item.count if item.spec else 0):
            unit = next((each for each in left if entries.could_be(world, entry, item, each)), None)
            if unit is None:
                return no("no such unit was withdrawn", remedy="it waits until one has been", clause="51.B.16/2")
            left.remove(unit)
            why = "51.B.16/2" if unit.place.kind == OUT else "51.E.3.f/2"
            events.append(Moved(unit=unit.id, frm=unit.place, to=track, because=why))
            _, step = entries.strength_listed(item)
            if unit.step != step:
                events += _at_strength(unit, step)
            events += [marked(unit.id, ENTRY, entry.key, "51.B.16/1"), marked(unit.id, WITHDRAWN, None)]
    return events


def _at_strength(unit: Unit, step: str) -> list[Event]:
    return [Became(unit=unit.id, was=unit.step, step=step, because="51.B.16/3", says="at no cost")]


def _was_withdrawn(state: State, unit: Unit) -> bool:
    box = unit.place.kind == HOLDING and unit.place.of == BALKANS
    return (unit.place.kind == OUT or box) and state.mark(unit_key(unit.id), WITHDRAWN) is not None


def transferred_in(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Forces from a theatre the player does not control arrive; those that leave are his to choose."""
    if entries.direction(world, state, entry) == entries.IN:
        # An arrival of 'forces from' that theatre brings the same forces, and they come once.
        return [] if _is_brought_by_an_arrival(world, state, entry) else on_the_track("51.B.17/3")(world, state, entry)
    return no("the owner chooses what leaves", clause="51.B.17/3")


# --------------------------------------------------------------------------------------------- into boxes


def owned_cities(world: EuropaWorld, state: State, area: str, side: str) -> tuple[int, int]:
    """How many cities an area has, and how many of them a side owns."""
    facts = world.facts(state)
    cities = [name for name, spot in world.spots.items() if area in world.line_of(spot.area) and is_city(facts, name)]
    return len(cities), sum(facts.owner(name) in ("", side) for name in cities)


def is_lost(world: EuropaWorld, state: State, area: str, side: str) -> bool:
    """Whether a side has lost every city of an area; an area of which no city is known is not lost."""
    cities, owned = owned_cities(world, state, area, side)
    return cities > 0 and owned == 0


@computed("51.B.1/1")
def joins_the_garrison(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Into the garrison box of the MD; once that is activated, as a reinforcement of the MD."""
    md = home_area(world, entry)
    if world.facts(state).of_area(md, GARRISON_ACTIVE) is True:
        return on_the_track("51.B.1/1")(world, state, entry)
    if is_lost(world, state, md, entries.side_of(world, state, entry)):
        return no(f"every city of {md} is lost", remedy="it waits until one is retaken", clause="51.B.1/1")
    events = list(come_in(world, state, entry, Place(GARRISON_BOX, md), "51.B.1/1"))
    return [*events, *(marked(each.unit, GARRISON, md) for each in events if isinstance(each, Raised | Moved))]


@computed("51.B.1.a/1")
def joins_the_pool(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Into the ELIMINATED BOX of the front or theatre the entry stands under."""
    events = list(come_in(world, state, entry, Place(ELIMINATED, pool_of(world, entry)), "51.B.1.a/1"))
    return [*events, *(marked(each.unit, ADDED, value=True) for each in events if isinstance(each, Raised | Moved))]


@computed("51.B.1.c/1", "51/4")
def waits_for_assembly(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Into its breakdown box, by its identification."""
    events: list[Event] = []
    for name, spec, step in counters(world, state, entry, entry.items):
        box = Place(BREAKDOWN_BOX, (spec.designation or name).casefold())
        events += [
            Raised(unit=name, spec=spec, at=box, step=step, because="51.B.1.c/1"),
            marked(name, ENTRY, entry.key),
        ]
    return events


@computed("51.B.11/1")
def leaves_the_garrison(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Out of the garrison box of the MD, to be placed in that MD; from its pool, to the front's ELIMINATED BOX."""
    md = home_area(world, entry)
    events: list[Event] = []
    taken: set[str] = set()
    for item in entry.items:
        for _ in range(item.count if item.spec else 0):
            unit = _in_garrison(world, state, entry, item, md, taken)
            if unit is None:
                return no(
                    f"no such unit is in the garrison of {md}", remedy="it waits until one is", clause="51.B.11/1"
                )
            taken.add(unit.id)
            if unit.place.kind == GARRISON_BOX:
                track = Place(REINFORCEMENT_TRACK, md, state.clock.turn)
                events += [
                    Moved(unit=unit.id, frm=unit.place, to=track, because="51.B.11/1"),
                    marked(unit.id, ENTRY, entry.key),
                    marked(unit.id, GARRISON, None),
                ]
            elif unit.place.kind == ELIMINATED:
                to = Place(ELIMINATED, world.theatre_of(md))
                events.append(Moved(unit=unit.id, frm=unit.place, to=to, because="51.B.11/1"))
    return events or [Marked(on=on_entry(entry), mark=RECEIVED, value=state.clock.turn, because="51.B.11/1")]


def _in_garrison(world: EuropaWorld, state: State, entry: Entry, item: Item, md: str, taken: set[str]) -> Unit | None:
    """The unit a release means: in the box, else in the MD's pool, else already on the map."""
    for kind, of in ((GARRISON_BOX, md), (ELIMINATED, md), (HEX, "")):
        for unit in state.units_in_order():
            there = unit.place.kind == kind and of in ("", unit.place.of) and unit.id not in taken
            if there and entries.is_meant(world, state, entry, item, unit):
                return unit
    return None


# ------------------------------------------------------------------------------------------------- points


@computed("51.A.11/1")
def supply_for(world: EuropaWorld, state: State, nation: str, srps: Fraction) -> Fraction:
    """Five supply points for each strategic resource point, for a nation without a replacement chart."""
    charted = any(row.nation in (nation, world.profile.nations[nation].adjective) for row in world.chart("receipts"))
    return Fraction(0) if charted else srps * world.numbers["sps_a_srp"]


def receives(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Points that the order of battle shows arriving."""
    nation, pool = entries.nation_of(world, entry), pool_of(world, entry)
    events: list[Event] = []
    for item in entry.items:
        for named, amount in item.points.items():
            kind = named.casefold()
            supply = supply_for(world, state, nation, amount) if kind == SRP else Fraction(0)
            if not (supply and ruling_of(world, state, SRP_AS_SP.key) == "instead"):
                events.append(_credit(amount, world.kind_named(kind), nation, pool, "51.A/1"))
            if supply:
                events.append(_credit(supply, SP, nation, pool, "51.A.11/1"))
    return events


def _credit(amount: Fraction, kind: str, nation: str, pool: str, because: str) -> Event:
    home = home_of(pool, nation, kind)
    return Transferred(amount=amount, kind=kind, nation=nation, frm=FROM_THE_OB, to=home, because=because)


# ---------------------------------------------------------------------------------------------- all of them

HANDLERS: dict[str, Handler] = {
    "reinforce": on_the_track("51.A/1"),
    "conditional": on_the_track("51.A.4/1"),
    "add to reserves": on_the_track("51.C.1/1"),
    "arrive": arrives,
    "return": returns,
    "transfer": transferred_in,
    "add to garrison": joins_the_garrison,
    "add to replacement pool": joins_the_pool,
    "available for assembly": waits_for_assembly,
    "release from garrison": leaves_the_garrison,
    "resources": receives,
}
"""What each verb does by itself; other headings add theirs."""


@meets_one_of("51.A.4/1", "51.B.20/1", "51.A.10/2")
def fall_due(world: World, state: State) -> Iterator[Event]:
    """As an owner's reinforcement phase begins, his entries that have come are carried out, as far as they can be."""
    if world.phase(state) != REINFORCEMENT or not isinstance(world, EuropaWorld) or not entries.listed(world, state):
        return
    yield from carried_out(world, state, entries.in_force(world, state, world.phasing(state), *HANDLERS))


def carried_out(world: EuropaWorld, state: State, due: Iterable[Entry]) -> Iterator[Event]:
    """What entries that have come bring about by themselves, as far as they can be carried out."""
    own: State | None = None
    for entry in due:
        # One entry may take a unit or a name that another would have taken.
        own = own or state.copy()
        found = HANDLERS[entries.verb_of(entry)](world, own, entry)
        if isinstance(found, No):
            continue
        done = Marked(on=on_entry(entry), mark=RECEIVED, value=state.clock.turn, because=_why(entry))
        events = [*found, done]
        evolve(own, events)
        yield from events


def _why(entry: Entry) -> str:
    return "51.A/1 51.A.4/1 51.B.2/1" if entry.conditions else "51.A/1"


# ------------------------------------------------------------------------------- bought as soon as added


def is_just_added(q: Purchase) -> bool:
    return q.facts.is_so(q.unit, ADDED)


def bought_at_once(q: Purchase) -> Verdict | None:
    """A unit just added to the pool may be bought in the reinforcement phase already."""
    if not hasattr(q, "facts") or q.world.phase(q.state) != REINFORCEMENT or not is_just_added(q):
        return None
    return yes("51.B.1.a/2") if q.world.has_the_turn(q.state, q.side) else None


def bought_where_it_lies(q: Purchase) -> Verdict | None:
    """A limited unit just added is bought in the front's box where the entry put it, by the default ruling."""
    if not hasattr(q, "facts") or not is_just_added(q) or q.switch(AT_ONCE.key) == "national-only":
        return None
    return yes("51.B.1.a/3", "just added to the pool by the order of battle")


def bought_whole(q: Purchase) -> Verdict | None:
    """By a ruling a unit just added comes at full strength though it has a cadre."""
    if not hasattr(q, "facts") or not is_just_added(q) or q.switch(AT_ONCE.key) != "bought-full":
        return None
    return yes("51.B.1.a/3", "just added to the pool by the order of battle") if q.unit.spec.has(CADRE) else None


def quick(q: Purchase, turns: int) -> int:
    """Bought at once it arrives a turn later, not four."""
    if getattr(q.command, "unit", "") and is_just_added(q) and q.unit.place.kind == ELIMINATED:
        return at_once(q, turns)
    return turns


def counts_as_bought_at_once(q: Purchase) -> Iterator[Event]:
    """A purchase in the player-turn of the addition is told apart in the journal, in whichever phase it is made."""
    if is_just_added(q) and q.unit.place.kind == ELIMINATED:
        says = "bought in the player-turn it was added"
        yield Marked(on=unit_key(q.unit.id), mark=ADDED, value=None, because="51.B.1.a/2 51.B.1.a/3", says=says)


@computed("51.B.1.a/3", "51.B.1.a/2")
def at_once(q: Purchase, turns: int) -> int:
    """One turn, and by a ruling the extra time of its type besides."""
    soon = int(q.world.numbers["bought_at_once"])
    extra = turns - int(q.world.numbers["replacement_time"]) if q.switch(AT_ONCE.key) == "with-extension" else 0
    return soon + max(0, extra)


CHAPTER = Chapter(
    heading="51.B.1",
    facts=(
        Fact(ADDED, ("unit",), "it was just added to the pool", False, YES_NO, lasts=PLAYER_TURN, by_hand=False),
        Fact(WITHDRAWN, ("unit",), "it was withdrawn and may return", False, YES_NO, by_hand=False),
    ),
    switches=(AT_ONCE, SRP_AS_SP),
    happens=(fall_due,),
    waivers={"52/3": (bought_at_once,), "52.A.8/2": (bought_where_it_lies,), "52.A.3/2": (bought_whole,)},
    times=(quick,),
    also={"replace": (counts_as_bought_at_once,)},
    boxes={GARRISON_BOX: "GARRISON BOX", BREAKDOWN_BOX: "BREAKDOWN BOX"},
)
