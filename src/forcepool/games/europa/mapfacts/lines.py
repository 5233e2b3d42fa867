"""Lines on the map: what a side can trace over land, by rail and in supply, worked out once for all who ask."""

from collections.abc import Iterable

from msgspec import Struct

from forcepool.engine.facts import fixed, kept
from forcepool.engine.hexmap.hexmap import HexMap
from forcepool.engine.hexmap.search import UNSEEN, Hexes, Reach, Sides, reach
from forcepool.engine.hexmap.spreading import Spread, Ways, hex_set, row_of, set_of
from forcepool.games.europa import homes
from forcepool.games.europa.facts import LIMITED, NO_SUPPLY, REGULAR, EuropaFacts
from forcepool.games.europa.mapfacts.positions import camp_of, hexes_of, positions
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed


class Net(Struct, frozen=True):
    """Hexes a line may go through, the sides it may cross, and the hexes it could use if nobody closed them."""

    ways: Ways
    free: Hexes
    drawn: Hexes

    @property
    def sides(self) -> Sides:
        return self.ways.sides


# ------------------------------------------------------------------------------------------------------ nets


@kept
def over_land(world: EuropaWorld, facts: EuropaFacts, side: str) -> Net:
    """All land that no enemy closes."""
    now = positions(world, facts)
    return Net(_ways_over_land(world), now.row(now.free(side)), now.map.land)


@fixed
def _ways_over_land(world: EuropaWorld) -> Ways:
    hexes = hexes_of(world)
    return Ways(hexes.grid, hexes.passable)


def by_rail(world: EuropaWorld, facts: EuropaFacts, side: str) -> Net:
    """The railways of a side: its own and its allies' hexes that no enemy closes."""
    return _along(world, facts, side, ("rail",))


@computed("52.D.2.c.3/2", "52.D.2.c.3/3")
def by_rail_and_road(world: EuropaWorld, facts: EuropaFacts, side: str) -> Net:
    """Owned railways and roads, mixed as wished, closed by enemy units and by zones that no friendly unit covers."""
    return _along(world, facts, side, ("rail", "road"))


@kept
def _along(world: EuropaWorld, facts: EuropaFacts, side: str, kinds: tuple[str, ...]) -> Net:
    now = positions(world, facts)
    ways, touched = _tracks(world, kinds)
    drawn = int.from_bytes(touched, "little")
    return Net(ways, now.row(now.free(side) & now.owned_by(side) & drawn), touched)


@fixed
def _tracks(world: EuropaWorld, kinds: tuple[str, ...]) -> tuple[Ways, bytes]:
    """The sides crossed by railways or roads, and the hexes they touch."""
    hexes = hexes_of(world)
    both = 0
    for kind in kinds:
        both |= int.from_bytes(hexes.lines[kind], "little")
    sides = both.to_bytes(hexes.grid.size, "little")
    return Ways(hexes.grid, sides), sides.translate(bytes(min(each, 1) for each in range(256)))


def flood(hexes: HexMap, net: Net, starts: Iterable[int], most: int | None = None) -> Reach:
    """Everything lines of a net reach from some hexes."""
    return reach(hexes.grid.moves, net.sides, net.free, starts, most=most)


def far(world: EuropaWorld, facts: EuropaFacts, side: str, starts: Iterable[int]) -> Spread:
    """Everything lines over land of any length reach, which may not wander through the enemy's country: where nobody
    said that he lost a hex they go through no more of his in a row than limited supply does."""
    land, ease, begin = over_land(world, facts, side), at_ease(world, facts, side), tuple(starts)
    if ease == land.free:
        return Spread(land.ways, land.free, begin)
    ways, free, easy = land.ways, hex_set(land.free), hex_set(ease)
    most = int(world.numbers["supply_limited"])
    known, allowed = set_of(begin, ways.size), 0
    while known:
        home = ways.within(easy, known)
        wide = ways.within(free, home, most)
        known = ways.beyond(wide) & easy & ~home & ~allowed
        allowed |= wide
    return Spread(ways, row_of(allowed, ways.size), begin)


@kept
def at_ease(world: EuropaWorld, facts: EuropaFacts, side: str) -> Hexes:
    """The hexes that are not the enemy's: there lines go as far as they like."""
    now = positions(world, facts)
    return now.row(now.at_ease(side))


def way_out(hexes: HexMap, net: Net, found: Reach | Spread, index: int, most: int | None = None) -> int:
    """Where a line out of a hex joins what was reached: the hex itself, else a neighbour; UNSEEN if nowhere.

    Whoever stands in a hex, or a factory in it, traces out of it, even if a zone of control lies upon it.
    """
    if index in found or net.free[index]:
        return index if index in found else UNSEEN
    beside = (index + step for step in hexes.grid.moves[index & 1][net.sides[index]])
    near = min(((found.steps(each), each) for each in beside if net.free[each] and each in found), default=None)
    return UNSEEN if near is None or (most is not None and near[0] >= most) else near[1]


# ---------------------------------------------------------------------------------------------------- supply


class Supply(Struct, frozen=True):
    """What the supply sources of a side reach: by rail, and from there over land."""

    sources: tuple[int, ...]
    rails: Reach
    grades: tuple[tuple[str, int, Spread], ...]
    """Regular and limited supply: the most hexes over land, and what they reach."""
    any_length: Spread
    """Over land as far as it goes: whoever is not in it is isolated."""

    def grade(self, hexes: HexMap, land: Net, index: int) -> str:
        """The supply of a hex."""
        reached = (grade for grade, most, over in self.grades if way_out(hexes, land, over, index, most) != UNSEEN)
        return next(reached, NO_SUPPLY)

    def line(self, hexes: HexMap, land: Net, index: int) -> tuple[str, list[int]]:
        """The same, with the line from the hex over land to a railway and along it to the source."""
        for grade, most, over in self.grades:
            out = way_out(hexes, land, over, index, most)
            if out != UNSEEN:
                path = [*([] if out == index else [index]), *over.path(out)]
                return grade, [*path, *self.rails.path(path[-1])[1:]]
        return NO_SUPPLY, []


def open_hexes(world: EuropaWorld, facts: EuropaFacts, side: str, places: Iterable[str]) -> tuple[int, ...]:
    """The hexes of those places that a side owns and no enemy closes."""
    free, camp = over_land(world, facts, side).free, camp_of(world, side)
    found = ((world.hex_index(place), facts.owner(place)) for place in places)
    return tuple(index for index, owner in found if index is not None and free[index] and owner in ("", *camp))


def named_sources(world: EuropaWorld, facts: EuropaFacts, side: str) -> list[str]:
    """The places on the map that the scenario names as supply sources of a side or its allies."""
    camp = camp_of(world, side)
    named = (place for place in facts.places_with("supply_source") if facts.of_place(place, "supply_source") in camp)
    return [place for place in named if world.hex_index(place) is not None]


def replacement_sources(world: EuropaWorld, facts: EuropaFacts, side: str) -> dict[str, list[str]]:
    """The replacement cities and capitals on the map, by nation of a side or its allies."""
    found: dict[str, set[str]] = {}
    for fact in ("replacement_city", "capital"):
        for place in facts.places_with(fact):
            nation = world.nation_named(facts.of_place(place, fact)) if facts.of_place(place, fact) else ""
            if world.side_now(facts.state, nation) in camp_of(world, side) and world.hex_index(place) is not None:
                found.setdefault(nation, set()).add(place)
    return {nation: sorted(places) for nation, places in sorted(found.items())}


def has_sources(world: EuropaWorld, facts: EuropaFacts, side: str) -> bool:
    """Whether the map can tell what supplies a side."""
    return bool(named_sources(world, facts, side) or replacement_sources(world, facts, side))


def sources_of(world: EuropaWorld, facts: EuropaFacts, side: str) -> list[str]:
    """The places that supply a side: its supply sources, else those cities of its nations that lie at home."""
    return named_sources(world, facts, side) or at_home(world, facts, side)


@kept
@computed("52.D.2.d.i/2")
def at_home(world: EuropaWorld, facts: EuropaFacts, side: str) -> list[str]:
    """Where a scenario names no supply source: the replacement cities that are joined to their country's rear.

    A country's rear is the stretch of the map's edge that its side owned from the start: whatever comes from beyond
    the map comes over it, and an encircled city is cut off from it. Of several stretches a nation's cities can reach,
    the longest is its rear. On a map whose edge is nobody's, the cities that hang together in the largest number are.
    """
    edge = _edge_of(world, facts, side)
    found: list[str] = []
    for cities in replacement_sources(world, facts, side).values():
        pieces = _pieces(world, facts, side, cities)
        rear = [(len(edge.intersection(land)), len(joined), joined) for land, joined in pieces]
        best = max((each[:2] for each in rear), default=(0, 0))
        if best[0] or not edge:
            found += [city for *size, joined in rear if tuple(size) == best for city in joined]
    return sorted(set(found))


def _edge_of(world: EuropaWorld, facts: EuropaFacts, side: str) -> set[int]:
    """The hexes on the edge of the map that were drawn as a side's or its allies' and are theirs still."""
    now = positions(world, facts)
    owned = now.row(now.owned_by(side))
    return {index for index in _drawn_edge_of(world, side) if owned[index]}


@fixed
def _drawn_edge_of(world: EuropaWorld, side: str) -> list[int]:
    hexes, camp = hexes_of(world), camp_of(world, side)
    outer = (index for index in hexes.hexes if hexes.land[index] and hexes.edges(index))
    return [index for index in outer if hexes.owner_at(index) in camp]


def _pieces(
    world: EuropaWorld, facts: EuropaFacts, side: str, cities: Iterable[str]
) -> list[tuple[list[int], list[str]]]:
    """The stretches of land that lines of a side join some cities in, each with the cities in it."""
    pieces: list[tuple[list[int], list[str]]] = []
    seen: dict[int, int] = {}
    for city in cities:
        for index in open_hexes(world, facts, side, (city,)):
            if index not in seen:
                stretch = far(world, facts, side, (index,)).hexes
                seen |= dict.fromkeys(stretch, len(pieces))
                pieces.append((stretch, []))
            pieces[seen[index]][1].append(city)
    return pieces


@kept
def supply(world: EuropaWorld, facts: EuropaFacts, side: str) -> Supply | None:
    """The supply of a side; None if the scenario names no source of its, so that nobody can tell."""
    starts = _source_hexes(world, facts, side)
    if starts is None:
        return None
    hexes, land = hexes_of(world), over_land(world, facts, side)
    rails = flood(hexes, by_rail(world, facts, side), starts)
    stretches = ((REGULAR, "supply_overland"), (LIMITED, "supply_limited"))
    most = [(grade, int(world.numbers[name])) for grade, name in stretches]
    grades = tuple((grade, hexes_, Spread(land.ways, land.free, rails.order, hexes_)) for grade, hexes_ in most)
    return Supply(starts, rails, grades, far(world, facts, side, rails.order))


@kept
def _source_hexes(world: EuropaWorld, facts: EuropaFacts, side: str) -> tuple[int, ...] | None:
    """The open hexes of what supplies a side; None if nobody can tell what does."""
    if not has_sources(world, facts, side):
        return None
    return open_hexes(world, facts, side, sources_of(world, facts, side))


# ----------------------------------------------------------------------------------- places one can trace to


class RailNets(Struct, frozen=True):
    """The railways of a side in pieces that hang together, each with the places on it."""

    piece: dict[int, int]
    places: dict[int, tuple[str, ...]]


@kept
def rail_nets(world: EuropaWorld, facts: EuropaFacts, side: str) -> RailNets:
    hexes, net = hexes_of(world), by_rail(world, facts, side)
    piece: dict[int, int] = {}
    places: dict[int, tuple[str, ...]] = {}
    for index, free in enumerate(net.free):
        if free and index not in piece:
            found = flood(hexes, net, (index,)).order
            piece |= dict.fromkeys(found, index)
            places[index] = tuple(sorted(hexes.named[each] for each in found if each in hexes.named))
    return RailNets(piece, places)


@kept
def places_traced(world: EuropaWorld, facts: EuropaFacts, side: str, index: int) -> tuple[str, ...]:
    """The named places a regular supply line joins a hex to: over land to them or to a railway, and on along it."""
    hexes, nets = hexes_of(world), rail_nets(world, facts, side)
    near = flood(hexes, over_land(world, facts, side), (index,), int(world.numbers["supply_overland"])).order
    found = {hexes.named[each] for each in near if each in hexes.named}
    for piece in {nets.piece[each] for each in near if each in nets.piece}:
        found.update(nets.places[piece])
    return tuple(sorted(found))


def linked(world: EuropaWorld, facts: EuropaFacts, side: str, frm: list[str], to: list[str], *, rail: bool) -> bool:
    """Whether a line joins any of some places to any of some others; what lies off the map is joined to it by the areas
    next to it, or where none is named at home, by the supply sources."""
    beyond = [_lies_beyond(world, facts, side, places) for places in (frm, to)]
    if all(beyond):
        return True
    gates = [gateways(world, facts, side, tuple(places)) for places in (frm, to)]
    starts, goals = (
        tuple(open_hexes(world, facts, side, [*places, *gate])) for places, gate in zip((frm, to), gates, strict=True)
    )
    if starts and goals:
        found = _reached(world, facts, side, starts, rail)
        if any(index in found for index in goals):
            return True
    home = supply(world, facts, side) if any(beyond) and not any(gates) else None
    if home is None:
        return any(beyond) and not any(gates)
    return any(index in (home.rails if rail else home.any_length) for index in (goals if beyond[0] else starts))


@kept
def _reached(world: EuropaWorld, facts: EuropaFacts, side: str, starts: tuple[int, ...], rail: bool) -> Reach | Spread:
    """Everything a side's lines reach from some hexes: asked again and again for the same cities of an area."""
    if rail:
        return flood(hexes_of(world), by_rail(world, facts, side), starts)
    return far(world, facts, side, starts)


def _lies_beyond(world: EuropaWorld, facts: EuropaFacts, side: str, places: list[str]) -> bool:
    """Whether an end of a line lies off the map: one of its places does, or it has none."""
    friendly = ("", *camp_of(world, side))
    return not places or any(world.hex_index(each) is None and facts.owner(each) in friendly for each in places)


@kept
def gateways(world: EuropaWorld, facts: EuropaFacts, side: str, places: tuple[str, ...]) -> tuple[str, ...]:
    """The cities on the map by which places off it are reached: those of the nearest areas on the map, from one area
    to the next beside it; none where no such way is named."""
    friendly = ("", *camp_of(world, side))
    ring = [world.spot(each).area for each in places if world.hex_index(each) is None and facts.owner(each) in friendly]
    seen = set(ring)
    while ring:
        cities = [
            each
            for each in facts.places_with("city")
            if world.spot(each).area in ring and facts.owner(each) in friendly
        ]
        found = tuple(each for each in sorted(cities) if world.hex_index(each) is not None)
        if found:
            return found
        ring = [each for area in ring for each in homes.adjacent_to(world, facts, area) if each not in seen]
        seen |= set(ring)
    return ()


def communicates(world: EuropaWorld, facts: EuropaFacts, side: str, index: int, place: str) -> bool:
    """Whether a line of communication, over land and of any length, joins a hex to a place of a side."""
    if world.hex_index(place) == index:
        return True
    land, starts = over_land(world, facts, side), open_hexes(world, facts, side, (place,))
    found = _reached(world, facts, side, starts, False)
    return way_out(hexes_of(world), land, found, index) != UNSEEN


def depots(world: EuropaWorld, facts: EuropaFacts, side: str) -> list[str]:
    """The places on the map with a depot that a side or its allies own."""
    camp = camp_of(world, side)
    return [
        place
        for place in facts.places_where("depot", True)
        if world.hex_index(place) is not None and facts.of_place(place, "owner") in ("", *camp)
    ]


def over_land_to_a_depot(world: EuropaWorld, facts: EuropaFacts, side: str) -> Reach | Spread | None:
    """What lines over land reach from the depots of a side; None if the map shows none."""
    named = depots(world, facts, side)
    return _reached(world, facts, side, open_hexes(world, facts, side, named), False) if named else None
