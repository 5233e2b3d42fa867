"""The facts of a campaign with a hex map: what is declared, else what the map shows."""

from collections.abc import Callable, Iterable, Sequence
from typing import cast

from forcepool.engine.alike import NAMELESS
from forcepool.engine.events import Value
from forcepool.engine.facts import SetsApart, kept, place_key, subject_key, unit_key
from forcepool.engine.sentence import the_place
from forcepool.engine.state import Unit
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.mapfacts import lines
from forcepool.games.europa.mapfacts.answers import OF_A_HEX, OF_A_UNIT, OF_AN_AREA, answer, answer_to
from forcepool.games.europa.mapfacts.positions import hexes_of, side_at, to_the_enemy, zones_upon
from forcepool.games.europa.mapfacts.traces import COAL, DEPOT, OIL, SUPPLY, trace
from forcepool.games.europa.world import EuropaWorld

KIND_OF = {"coal_line": COAL, "oil_line": OIL, "overland_line": DEPOT}
ANSWERED = frozenset((*OF_A_HEX, *OF_AN_AREA))


@kept
def _traced(world: EuropaWorld, facts: "MapFacts", on: str, name: str) -> Value:
    """What the map says, found once: a line that a move has made longer leads where it led before."""
    return answer(world, facts, on, name)


@kept
def _traced_to(world: EuropaWorld, facts: "MapFacts", side: str, place: str, name: str) -> Value:
    return answer_to(world, facts, side, place, name)


@kept
def _use(world: EuropaWorld, facts: "MapFacts", side: str, place: str, ground: bool) -> tuple[object, ...]:
    """How useful a place is to an arrival of a side, the smaller the better."""
    index = world.hex_index(place)
    if index is None:
        return True, place  # After all that the map has.
    crowd = facts._crowd(side, place) if ground else 0
    return False, *facts._open(side, place), crowd, to_the_enemy(world, facts, index, side), place


class MapFacts(EuropaFacts):
    """The same questions, answered by tracing where nobody has said otherwise."""

    def value(self, on: str, name: str) -> Value:
        """What was declared, else what the map says, else what is usual."""
        if name in ANSWERED:
            said = self.declared(on, name)
            find = _traced if name in OF_A_UNIT else answer
            found = find(self.world, self, on, name) if said is None else said
            if found is not None:
                return found
        return super().value(on, name)

    def to_side(self, side: str, place: str, name: str) -> Value:
        """What was declared of the hex, else what the map says to the side that asks, whoever owns the hex."""
        said = self.declared(place_key(place), name)
        found = _traced_to(self.world, self, side, place, name) if said is None else said
        return super().to_side(side, place, name) if found is None else found

    def enemy_zocs(self, unit: Unit) -> list[str]:
        said = cast(list[str], self.value(unit_key(unit.id), "enemy_zoc"))
        return sorted(said, key=self.world.zone_rank, reverse=True)

    def distance(self, place: str, frm: str) -> Value:
        """The hexes between two places: as declared, else as the map measures them."""
        said = self.declared(f"place/{place}", "distance")
        here, there = self.world.hex_index(place), self.world.hex_index(frm)
        if said is not None or here is None or there is None:
            return said
        return hexes_of(self.world).grid.distance(here, there)

    def joined(
        self, side: str, areas: Sequence[str], fact: str, ends: Callable[[], tuple[list[str], list[str]]]
    ) -> bool:
        """As declared of each area; where something is not declared, a line from city to city settles it."""
        said = [self.declared(subject_key("area", area), fact) for area in areas]
        if False in said:
            return False
        if None not in said:
            return True
        return lines.linked(self.world, self, side, *ends(), rail=fact == "rail_line")

    def traced(self, on: str, name: str) -> bool:
        return self.declared(on, name) is None and answer(self.world, self, on, name) is not None

    def within_reach(self, unit_id: str, places: list[str]) -> list[str]:
        """Those it traces to; where it is off the map or its supply was declared, nobody asks."""
        unit = self.state.units[unit_id]
        if not unit.place.on_map or not self.traced(unit_key(unit_id), "supply"):
            return places
        reached = cast(list[str], self.value(unit_key(unit_id), "traces_to"))
        return [each for each in places if each in reached or self.world.hex_index(each) is None]

    def has_loc(self, side: str, frm: str, to: str) -> bool:
        """A line over land of any length that no enemy closes; what is not on the map is as the players say."""
        here, there = self.world.hex_index(frm), self.world.hex_index(to)
        return here is None or there is None or lines.communicates(self.world, self, side, here, to)

    def nearest_by_loc(self, side: str, frm: str, places: list[str]) -> str:
        here = self.world.hex_index(frm)
        on_map = [(self.world.hex_index(each), each) for each in places]
        if here is None:
            return ""
        grid = hexes_of(self.world).grid
        near = sorted((grid.distance(here, index), name) for index, name in on_map if index is not None)
        return next((name for _, name in near if lines.communicates(self.world, self, side, here, name)), "")

    def by_use(self, side: str, places: Iterable[str], *, ground: bool = True) -> list[str]:
        """The nearest to the enemy first that has room, is its own and in supply; then others, last what is off it."""

        return sorted(places, key=lambda place: _use(self.world, self, side, place, ground))

    def reason(self, on: str, name: str, side: str = "") -> str:
        """The line that was looked for and what cut it, or the units whose zones of control reach the hex."""
        kind, _, of = on.partition("/")
        if of in NAMELESS:
            raise SetsApart
        unit = self.state.units.get(of) if kind == "unit" else None
        place = unit.place.of if unit is not None else of
        index = self.world.hex_index(place)
        if index is None or any(self.declared(each, name) is not None for each in (on, place_key(place))):
            return ""
        if name == "enemy_zoc":
            zones = zones_upon(self.world, self, index, side or self._side(unit, place))
            return f": {', '.join(f'{each} at {the_place(each.place.of)}' for _, each in zones)}" if zones else ""
        return f": {trace(self.world, self.state, KIND_OF.get(name, SUPPLY), of, side=side).says}"

    def _side(self, unit: Unit | None, place: str) -> str:
        if unit is None:
            return side_at(self.world, self, place)
        return self.world.side_now(self.state, unit.spec.nation)
