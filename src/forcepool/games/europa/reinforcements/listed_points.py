"""51.A/1, 51.A.11 and 52.D.2.d  Points that the order of battle shows arriving, and the pools that take them."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.events import Event, Transferred
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import No, no
from forcepool.games.europa.ground.soviet_pools import INF, SOVIET, SOVIET_UNION, city_pool, lies_in
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.listed_places import places_lost, spec_of_place
from forcepool.games.europa.replacements.kinds.resources import SP, SRP
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Entry
from forcepool.rulebook.citations import computed

FROM_THE_OB = "source/order of battle"

SRP_AS_SP = switch(
    "srp-supply",
    "51.A.11/1",
    "supply points of a nation without a replacement chart",
    besides="five for each strategic resource point, which it receives as well",
    instead="five in the place of each strategic resource point",
)


@computed("51.A.11/1")
def supply_for(world: EuropaWorld, state: State, nation: str, srps: Fraction) -> Fraction:
    """Five supply points for each strategic resource point, for a nation without a replacement chart."""
    charted = any(row.nation in (nation, world.profile.nations[nation].adjective) for row in world.chart("receipts"))
    return Fraction(0) if charted else srps * world.numbers["sps_a_srp"]


def receives(world: EuropaWorld, state: State, entry: Entry) -> list[Event] | No:
    """Points that the order of battle shows arriving, unless the place it lists them at is the enemy's."""
    return where_it_is_lost(world, state, entry) or [*received(world, state, entry)]


@computed("51.A.10/1", "51.B.20/1")
def where_it_is_lost(world: EuropaWorld, state: State, entry: Entry) -> No | None:
    """Points wait for the city they are listed at, or for one of their area, as units do."""
    lost = places_lost(world, state, spec_of_place(entry), entries.side_of(world, state, entry))
    return no(lost, remedy="they wait until one is yours again", clause="51.A.10/1") if lost else None


def received(world: EuropaWorld, state: State, entry: Entry) -> Iterator[Event]:
    nation = entries.nation_of(world, entry)
    for item in entry.items:
        for named, amount in item.points.items():
            kind = named.casefold()
            supply = supply_for(world, state, nation, amount) if kind == SRP else Fraction(0)
            if not (supply and world.ruling(state, SRP_AS_SP.key) == "instead"):
                yield _credit(world, state, entry, amount, world.kind_named(kind), "51.A/1")
            if supply:
                yield _credit(world, state, entry, supply, SP, "51.A.11/1")


def _credit(world: EuropaWorld, state: State, entry: Entry, amount: Fraction, kind: str, because: str) -> Event:
    nation, pool = entries.nation_of(world, entry), entries.pool_of(world, state, entry)
    if store := store_of(world, state, entry, kind):
        pool, because = store, f"{because} 52.D.2.d/3"
    home, whose = lies_in(world, state, pool, nation, kind)
    return Transferred(amount=amount, kind=kind, nation=whose, frm=FROM_THE_OB, to=home, because=because)


@computed("52.D.2.d/3")
def store_of(world: EuropaWorld, state: State, entry: Entry, kind: str) -> str:
    """The store of the isolated Soviet replacement city that an entry lists infantry RPs at: none of them leave it."""
    place, facts = spec_of_place(entry), world.facts(state)
    if kind != INF or place is None or place.kind != "city" or entries.nation_of(world, entry) != SOVIET_UNION:
        return ""
    city = facts.city_of(world.hex_name(place.names[0]))
    ours = facts.owner(city) in ("", SOVIET) and bool(facts.of_place(city, "replacement_city"))
    return city_pool(city) if ours and facts.is_cut_off(SOVIET, city) else ""
