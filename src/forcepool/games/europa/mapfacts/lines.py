"""Lines on the map: what a side can trace over land, by rail and in supply, worked out once for all who ask."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from msgspec import Struct

from forcepool.engine.hexmap.hexmap import HexMap
from forcepool.engine.hexmap.search import UNSEEN, Hexes, Reach, Sides, reach
from forcepool.games.europa.facts import LIMITED, NO_SUPPLY, REGULAR, EuropaFacts
from forcepool.games.europa.mapfacts.positions import camp_of, hexes_of, positions
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

T = TypeVar("T")


class Net(Struct, frozen=True):
    """Hexes a line may go through, the sides it may cross, and the hexes it could use if nobody closed them."""

    sides: Sides
    free: Hexes
    drawn: Hexes


def kept(facts: EuropaFacts, key: tuple[object, ...], make: Callable[[], T]) -> T:
    """Worked out once while the facts hold."""
    if key not in facts.kept:
        facts.kept[key] = make()
    found: T = facts.kept[key]
    return found


# ------------------------------------------------------------------------------------------------------ nets


def over_land(world: EuropaWorld, facts: EuropaFacts, side: str) -> Net:
    """All land that no enemy closes."""

    def make() -> Net:
        now = positions(world, facts)
        return Net(now.map.passable, now.row(now.free(side)), now.map.land)

    return kept(facts, (over_land, side), make)


def by_rail(world: EuropaWorld, facts: EuropaFacts, side: str) -> Net:
    """The railways of a side: its own and its allies' hexes that no enemy closes."""
    return _along(world, facts, side, ("rail",))


@computed("52.D.2.c.3/2", "52.D.2.c.3/3")
def by_rail_and_road(world: EuropaWorld, facts: EuropaFacts, side: str) -> Net:
    """Owned railways and roads, mixed as wished, closed by enemy units and by zones that no friendly unit covers."""
    return _along(world, facts, side, ("rail", "road"))


def _along(world: EuropaWorld, facts: EuropaFacts, side: str, kinds: tuple[str, ...]) -> Net:
    def make() -> Net:
        now = positions(world, facts)
        sides, touched = _tracks(world, kinds)
        drawn = int.from_bytes(touched, "little")
        return Net(sides, now.row(now.free(side) & now.owned_by(side) & drawn), touched)

    return kept(facts, (_along, side, kinds), make)


def _tracks(world: EuropaWorld, kinds: tuple[str, ...]) -> tuple[bytes, bytes]:
    """The sides crossed by railways or roads, and the hexes they touch; they never change."""
    key = (_tracks, kinds)
    if key not in world.memo:
        hexes = hexes_of(world)
        both = 0
        for kind in kinds:
            both |= int.from_bytes(hexes.lines[kind], "little")
        sides = both.to_bytes(hexes.grid.size, "little")
        world.memo[key] = sides, sides.translate(bytes(min(each, 1) for each in range(256)))
    found: tuple[bytes, bytes] = world.memo[key]
    return found


def flood(hexes: HexMap, net: Net, starts: Iterable[int], most: int | None = None) -> Reach:
    """Everything lines of a net reach from some hexes."""
    return reach(hexes.grid.moves, net.sides, net.free, starts, most=most)


def way_out(hexes: HexMap, net: Net, found: Reach, index: int, most: int | None = None) -> int:
    """Where a line out of a hex joins what was reached: the hex itself, else a neighbour; UNSEEN if nowhere.

    Whoever stands in a hex, or a factory in it, traces out of it, even if a zone of control lies upon it.
    """
    if index in found or net.free[index]:
        return index if index in found else UNSEEN
    beside = (index + step for step in hexes.grid.moves[index & 1][net.sides[index]])
    near = min(((len(found.path(each)), each) for each in beside if net.free[each] and each in found), default=None)
    return UNSEEN if near is None or (most is not None and near[0] > most) else near[1]


# ---------------------------------------------------------------------------------------------------- supply


class Supply(Struct, frozen=True):
    """What the supply sources of a side reach: by rail, and from there over land."""

    sources: tuple[int, ...]
    rails: Reach
    grades: tuple[tuple[str, int, Reach], ...]
    """Regular and limited supply: the most hexes over land, and what they reach."""
    any_length: Reach
    """Over land as far as it goes: whoever is not in it is isolated."""

    def graded(self, hexes: HexMap, land: Net, index: int) -> tuple[str, list[int]]:
        """The supply of a hex, with the line from it over land to a railway and along it to the source."""
        for grade, most, over in self.grades:
            out = way_out(hexes, land, over, index, most)
            if out != UNSEEN:
                path = [*([] if out == index else [index]), *over.path(out)]
                return grade, [*path, *self.rails.path(path[-1])[1:]]
        return NO_SUPPLY, []


def sources_of(world: EuropaWorld, facts: EuropaFacts, side: str) -> list[str]:
    """The places that supply a side: its supply sources, else the replacement cities and capitals of its nations."""
    camp = camp_of(world, side)
    named = [place for place in facts.places_with("supply_source") if facts.of_place(place, "supply_source") in camp]
    if not named:
        named = [
            place
            for fact in ("replacement_city", "capital")
            for place in facts.places_with(fact)
            if world.side_now(facts.state, world.nation_named(facts.of_place(place, fact))) in camp
        ]
    return sorted({place for place in named if world.hex_index(place) is not None})


def open_hexes(world: EuropaWorld, facts: EuropaFacts, side: str, places: Iterable[str]) -> tuple[int, ...]:
    """The hexes of those places that a side owns and no enemy closes."""
    free, camp = over_land(world, facts, side).free, camp_of(world, side)
    found = ((world.hex_index(place), facts.owner(place)) for place in places)
    return tuple(index for index, owner in found if index is not None and free[index] and owner in ("", *camp))


def supply(world: EuropaWorld, facts: EuropaFacts, side: str) -> Supply | None:
    """The supply of a side; None if the scenario names no source of its, so that nobody can tell."""

    def make() -> Supply | None:
        named = sources_of(world, facts, side)
        if not named:
            return None
        hexes, land = hexes_of(world), over_land(world, facts, side)
        starts = open_hexes(world, facts, side, named)
        rails = flood(hexes, by_rail(world, facts, side), starts)
        stretches = ((REGULAR, "supply_overland"), (LIMITED, "supply_limited"))
        most = [(grade, int(world.numbers[name])) for grade, name in stretches]
        grades = tuple((grade, hexes_, flood(hexes, land, rails.order, hexes_)) for grade, hexes_ in most)
        return Supply(starts, rails, grades, flood(hexes, land, rails.order))

    return kept(facts, (supply, side), make)


# ----------------------------------------------------------------------------------- places one can trace to


class RailNets(Struct, frozen=True):
    """The railways of a side in pieces that hang together, each with the places on it."""

    piece: dict[int, int]
    places: dict[int, tuple[str, ...]]


def rail_nets(world: EuropaWorld, facts: EuropaFacts, side: str) -> RailNets:
    def make() -> RailNets:
        hexes, net = hexes_of(world), by_rail(world, facts, side)
        piece: dict[int, int] = {}
        places: dict[int, tuple[str, ...]] = {}
        for index, free in enumerate(net.free):
            if free and index not in piece:
                found = flood(hexes, net, (index,)).order
                piece |= dict.fromkeys(found, index)
                places[index] = tuple(sorted(hexes.named[each] for each in found if each in hexes.named))
        return RailNets(piece, places)

    return kept(facts, (rail_nets, side), make)


def places_traced(world: EuropaWorld, facts: EuropaFacts, side: str, index: int) -> list[str]:
    """The named places a regular supply line joins a hex to: over land to them or to a railway, and on along it."""

    def make() -> list[str]:
        hexes, nets = hexes_of(world), rail_nets(world, facts, side)
        near = flood(hexes, over_land(world, facts, side), (index,), int(world.numbers["supply_overland"])).order
        found = {hexes.named[each] for each in near if each in hexes.named}
        for piece in {nets.piece[each] for each in near if each in nets.piece}:
            found.update(nets.places[piece])
        return sorted(found)

    return kept(facts, (places_traced, side, index), make)


def linked(world: EuropaWorld, facts: EuropaFacts, side: str, frm: Iterable[str], to: Iterable[str], net: Net) -> bool:
    """Whether a line of a net joins any of some places to any of some others."""
    goals = open_hexes(world, facts, side, to)
    starts = open_hexes(world, facts, side, frm)
    found = flood(hexes_of(world), net, starts)
    return any(index in found for index in goals)


def depots(world: EuropaWorld, facts: EuropaFacts, side: str) -> list[str]:
    """The places on the map with a depot that a side or its allies own."""
    camp = camp_of(world, side)
    return [
        place
        for place in facts.places_where("depot", True)
        if world.hex_index(place) is not None and facts.of_place(place, "owner") in ("", *camp)
    ]


def over_land_to_a_depot(world: EuropaWorld, facts: EuropaFacts, side: str) -> Reach | None:
    """What lines over land reach from the depots of a side; None if the map shows none."""

    def make() -> Reach | None:
        named = depots(world, facts, side)
        if not named:
            return None
        starts = open_hexes(world, facts, side, named)
        return flood(hexes_of(world), over_land(world, facts, side), starts)

    return kept(facts, (over_land_to_a_depot, side), make)


def owner_on_map(world: EuropaWorld, name: str) -> str:
    """The owner a hex without a name was drawn with."""
    index = world.hex_index(name)
    return "" if index is None else hexes_of(world).owner_at(index)
