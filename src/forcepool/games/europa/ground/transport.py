"""52.A.1 and 52.A.12  Rail, air and naval capacity: what carries points and boxed units from one pool to another."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from msgspec.structs import replace

from forcepool.engine.command import lazy
from forcepool.engine.decide import permits
from forcepool.engine.events import Event, Transferred
from forcepool.engine.facts import YES_NO, Fact, kept
from forcepool.engine.ledger import Account
from forcepool.engine.points import show_counted
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, Remedy, Rule, Verdict, Way, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import REGULAR, EuropaFacts
from forcepool.games.europa.ground import sources
from forcepool.games.europa.question import EuropaQuestion, next_turn
from forcepool.games.europa.world import NATIONAL, THEATRE, EuropaWorld

RAIL, SUPPLY_RAIL, AIR, NAVAL = "rail", "supply-rail", "air", "naval"
WAYS = (RAIL, SUPPLY_RAIL, AIR, NAVAL)
BY_RAIL = (RAIL, SUPPLY_RAIL)
WORDS = {
    RAIL: "regular rail net",
    SUPPLY_RAIL: "supply rail net",
    AIR: "air transport",
    NAVAL: "naval transport",
}

TOWN = "town"
CAPACITY = "capacity/"
GIVEN = "source/capacity"
USED = "sink/capacity"


class Carrying(EuropaQuestion):
    """Something to be carried from one pool to another, by whom and how."""

    @lazy
    def way(self) -> str:
        return str(self.command.by)

    @lazy
    def origin(self) -> str:
        """The pool or box it leaves."""
        return self.unit.place.of

    @lazy
    def into(self) -> str:
        """The pool or box it goes to."""
        return self.world.pool_named(self.command.into)

    @lazy
    def load(self) -> Fraction:
        """The REs of capacity it takes."""
        raise NotImplementedError


# --------------------------------------------------------------------------------------------- capacity


def account(world: EuropaWorld, state: State, nation: str, way: str) -> Account | None:
    """Where a nation's capacity is kept: its own, else its side's; None when the players keep count of it."""
    side = world.side_now(state, nation)
    pool = CAPACITY + side.casefold()
    for holder in (nation, *world.profile.nations_of(side)):
        found = Account(pool, holder, way)
        if found in state.balances:
            return found
    return None


def left(world: EuropaWorld, state: State, nation: str, way: str) -> Fraction | None:
    """The REs of capacity still free; None when the players keep count of it."""
    found = account(world, state, nation, way)
    return state.balances[found] if found else None


def used(q: Carrying, because: str, what: str) -> Iterator[Event]:
    """The capacity that something carried takes."""
    yield from taken(q.world, q.state, q.nation, q.way, q.load, because, what)


def taken(
    world: EuropaWorld, state: State, nation: str, way: str, load: Fraction, because: str, what: str
) -> Iterator[Event]:
    """The capacity spent, on record even where the scenario gives none to keep count of."""
    if not load:
        return
    kept = account(world, state, nation, way)
    yield Transferred(
        amount=load,
        kind=way,
        nation=kept.nation if kept else nation,
        frm=kept.pool if kept else GIVEN,
        to=USED,
        because=because,
        says=f"{what}: {show_counted(load, 'RE')} of {WORDS[way]}",
    )


def capacity_suffices(by_rail: str, otherwise: str) -> Rule[Carrying]:
    """What is carried takes capacity, where the scenario keeps count of it."""

    @rule(by_rail, otherwise)
    def enough_capacity_is_left(q: Carrying) -> Verdict:
        free = left(q.world, q.state, q.nation, q.way)
        if free is None or q.load <= free:
            return YES
        return no(
            f"needs {show_counted(q.load, 'RE')} of {WORDS[q.way]}, {show_counted(free, 'RE')} are left",
            remedy=[*other_ways(q), *_when_there_is_room(q)],
            clause=by_rail if q.way in BY_RAIL else otherwise,
            have=free,
            need=q.load,
        )

    return enough_capacity_is_left


def other_ways(q: Carrying) -> Iterator[Remedy]:
    """By which other net or transport it could go now."""
    for way in () if q.asked_in_passing else WAYS:
        order = replace(q.command, by=way)
        other = order.question(q.world, q.state, order)
        if "unit" in q.__dict__:
            # It may be any of a kind, which has no name to be found by.
            other.__dict__["unit"] = q.unit
        if way != q.way and permits(other, order.needs, order.guards(other)):
            # Without saying how much room is left: a front's commander may order it, and does not see the side's books.
            yield Remedy(f"go by {way if way in (RAIL, AIR) else WORDS[way]}", Way(instead=order))


def has_room_for(q: EuropaQuestion, ways: Iterable[Way]) -> bool:
    """Whether all that several ways to help would carry fits into what is left, and not each of them alone."""
    loads: dict[tuple[str, str], Fraction] = {}
    for order in (order for way in ways for order in way.first):
        asked = order.question(q.world, q.state, order)
        if isinstance(asked, Carrying):
            by = asked.nation, asked.way
            loads[by] = loads.get(by, Fraction(0)) + asked.load
    free = {by: left(q.world, q.state, *by) for by in loads}
    return all(room is None or loads[by] <= room for by, room in free.items())


def _when_there_is_room(q: Carrying) -> Iterator[Remedy]:
    """The next turn, if the capacity of a whole turn is enough for it."""
    if fits_in_a_turn(q.world, q.side, q.way, q.load):
        yield next_turn(q, "wait for the next turn")


def fits_in_a_turn(world: EuropaWorld, side: str, way: str, load: Fraction) -> bool:
    """Whether the capacity that a side is given each turn is enough for something."""
    charted = dict(world.chart("capacities") or {}).get(side, {})
    return way in charted and load <= charted[way]


def _top_up(world: EuropaWorld, state: State, side: str) -> Iterator[Event]:
    nation = world.profile.nations_of(side)[0]
    pool = CAPACITY + side.casefold()
    for way, capacity in sorted(dict(world.chart("capacities") or {}).get(side, {}).items()):
        change = capacity - state.balance(pool, nation, way)
        if change or Account(pool, nation, way) not in state.balances:
            frm, to = (GIVEN, pool) if change >= 0 else (pool, USED)
            yield Transferred(
                amount=abs(change), kind=way, nation=nation, frm=frm, to=to, says="capacity of the player-turn"
            )


def renew(world: EuropaWorld, state: State) -> Iterator[Event]:
    """At the start of a player-turn the side has its whole capacity again; what was left of the last is not saved."""
    if state.clock.phase == 0 and world.chart("capacities"):
        yield from _top_up(world, state, world.phasing(state))


def opening(world: EuropaWorld, state: State) -> Iterator[Event]:
    """A campaign begins with the capacities of the chart, unless its pools say what is left."""
    given = {each.pool for each in state.balances if each.pool.startswith(CAPACITY)}
    for side in dict(world.chart("capacities") or {}):
        if CAPACITY + side.casefold() not in given:
            yield from _top_up(world, state, side)


# ------------------------------------------------------------------------------------- lines and cities


def links(world: EuropaWorld, one: str, other: str) -> list[str]:
    """The areas whose line to what lies above them joins two pools: those that only one of the two lies in."""
    first, second = _around(world, one), _around(world, other)
    return [area for area in first if area not in second] + [area for area in second if area not in first]


def _around(world: EuropaWorld, pool: str) -> list[str]:
    """The areas a pool lies in: a nation's own lies in its home theatre if it has one, else above all."""
    if not pool.startswith(NATIONAL):
        return list(world.line_of(pool))
    nation = pool.removeprefix(NATIONAL)
    return [area for area in world.areas if area.startswith(THEATRE) and world.country_of(area) == nation]


def joined(q: Carrying, *facts: str) -> bool:
    """Whether all the links between the two pools are declared open."""
    return all(_are_joined(q.world, q.facts, q.side, q.nation, q.origin, q.into, fact) for fact in facts)


@kept
def _are_joined(
    world: EuropaWorld, facts: EuropaFacts, side: str, nation: str, one: str, other: str, fact: str
) -> bool:
    def ends() -> tuple[list[str], list[str]]:
        """The cities of the two pools, between which a line is looked for on a map."""
        ours, theirs = (_where_its_points_are(world, facts, pool, nation) for pool in (one, other))
        return _apart(facts, side, ours, theirs), _apart(facts, side, theirs, ours)

    return facts.joined(side, links(world, one, other), fact, ends)


def _where_its_points_are(world: EuropaWorld, facts: EuropaFacts, pool: str, nation: str) -> list[str]:
    """The cities of an area that lie in the nation's own country, where its points come in; else all of them."""
    cities = cities_of(world, facts, pool)
    return [each for each in cities if world.power_of(world.spot(each).area) == nation] or cities


def _apart(facts: EuropaFacts, side: str, ours: list[str], theirs: list[str]) -> list[str]:
    """The cities of one pool alone, since those of both lead nowhere; where it has none of its own left, those."""
    return [each for each in ours if each not in theirs and facts.owner(each) in ("", side)] or ours


def cities_of(world: EuropaWorld, facts: EuropaFacts, area: str) -> list[str]:
    """The cities the scenario lists in an area; for a nation's own pool, its replacement sources."""
    if area.startswith(NATIONAL):
        return sources.listed(world, facts, area.removeprefix(NATIONAL))
    return list(gates_of(world, facts, area, "city"))


@kept
def gates_of(world: EuropaWorld, facts: EuropaFacts, area: str, what: str) -> tuple[str, ...]:
    """The cities, airbases or ports that the scenario lists in an area; a city may be known by its size alone."""
    named = {name for name in facts.places_with(what) if facts.place_is(name, what)}
    if what == "city":
        sized = facts.places_with("city_size")
        named |= {name for name in sized if facts.of_place(name, "city_size") not in ("", TOWN)}
    return tuple(name for name in sorted(named) if area in world.line_of(world.spot(name).area))


def is_open(facts: EuropaFacts, place: str, side: str) -> bool:
    """Friendly-owned and not isolated."""
    return facts.owner(place) in ("", side) and not facts.is_cut_off(side, place)


def has_open_city(
    world: EuropaWorld, facts: EuropaFacts, area: str, side: str, *, in_regular_supply: bool = False
) -> bool:
    """Whether a line can be traced from or to an area: nobody is asked where the scenario lists no city."""
    return _has_open_city(world, facts, area, side, in_regular_supply)


@kept
def _has_open_city(world: EuropaWorld, facts: EuropaFacts, area: str, side: str, in_regular_supply: bool) -> bool:
    cities = cities_of(world, facts, area)
    return not cities or any(
        is_open(facts, city, side) and (not in_regular_supply or facts.to_side(side, city, "supply") == REGULAR)
        for city in cities
    )


CHAPTER = Chapter(
    heading="52.A.1",
    facts=(
        Fact("overland", ("area",), "an overland supply line joins it to what lies above it", True, YES_NO),
        Fact("rail_line", ("area",), "a rail supply line joins it to what lies above it", True, YES_NO),
        Fact("controlled_by", ("area",), "the side that controls it; left out, each side its own units there", ""),
    ),
    charts={"capacities": dict[str, dict[str, Fraction]]},
    points=WAYS,
    pools=(CAPACITY.rstrip("/"),),
    opening=(opening,),
    happens=(renew,),
)
