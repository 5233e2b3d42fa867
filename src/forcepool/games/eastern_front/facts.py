"""What the rules ask of the map and the counters: declared by the players, or traced over the points and lines."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from forcepool.engine.facts import (
    ANY,
    PLAYER_TURN,
    TAKEN_BACK,
    TURN,
    YES_NO,
    Fact,
    Facts,
    place_key,
    subject_key,
    unit_key,
)
from forcepool.engine.places import HEX
from forcepool.engine.state import Unit
from forcepool.games.eastern_front.siberian_lines import OWNER, needs_an_open_line, siberian_edges

if TYPE_CHECKING:
    from forcepool.games.eastern_front.profile import LineKind
    from forcepool.games.eastern_front.world import EasternWorld

OVERLAND, BY_SEA, NO_SUPPLY = "overland", "sea", "none"
LAND, SEA = "land", "sea"
REPLACEMENT, HELD_REPLACEMENT, REINFORCEMENT = "replacement", "held replacement", "reinforcement"
AT_WAR, KNOCKED_OUT, DEFECTED = "at-war", "knocked-out", "defected"

CONTROL = "control"
SUPPLY = "supply"
BLOCKED = "blocked"
DISPERSED = "dispersed"
ISOLATED = "isolated"
FORTIFIED = "fortified"
SIDES_WITH = "sides_with"
WAR = "war"
ENTRY_LOST = "entry_lost"
ARRIVED_AS = "arrived_as"
HELD_SINCE = "held_since"
DEPLOYED = "deployed"
ENTRAINED = "entrained"
ARRIVED = "arrived"
STOPPED = "stopped"
PRODUCED = "produced"

FACTS = (
    Fact(
        CONTROL,
        ("place",),
        "the side that controls the point",
        "",
        said=dict.fromkeys(("", TAKEN_BACK), "whoever its country fights for controls it"),
    ),
    Fact(
        SUPPLY,
        ("unit", "place"),
        "the supply it can trace",
        OVERLAND,
        values=(OVERLAND, BY_SEA, NO_SUPPLY),
        said={NO_SUPPLY: "out of supply", ANY: "{} supply", TAKEN_BACK: "its supply is traced again"},
    ),
    Fact(BLOCKED, ("line",), "nothing passes along the line", False, YES_NO),
    Fact(DISPERSED, ("unit",), "it is dispersed", False, YES_NO, said={"no": "not dispersed"}),
    Fact(
        ISOLATED,
        ("unit",),
        "it is isolated",
        False,
        YES_NO,
        said={"no": "not isolated", TAKEN_BACK: "no longer isolated"},
    ),
    Fact(SIDES_WITH, ("nation",), "the side it fights on since its capital was lost", "", by_hand=False),
    Fact(
        WAR,
        ("nation",),
        "whether it is still in the war",
        AT_WAR,
        values=(AT_WAR, KNOCKED_OUT, DEFECTED),
        said={AT_WAR: "it is at war", KNOCKED_OUT: "it is out of the war", DEFECTED: "it has gone over"},
    ),
    Fact(ENTRY_LOST, ("nation",), "its entry point has been in Soviet hands", False, YES_NO, by_hand=False),
    Fact(
        ARRIVED_AS,
        ("unit",),
        "whether it came into the game this turn as a replacement or a reinforcement",
        "",
        lasts=PLAYER_TURN,
    ),
    Fact(
        HELD_SINCE,
        ("unit",),
        "the turn since which it is held in Siberia",
        None,
        TURN,
        said={TAKEN_BACK: "it is no longer held"},
    ),
)


class EasternFacts(Facts):
    """The questions, answered from what was declared, else from the map."""

    world: "EasternWorld"

    # ------------------------------------------------------------------------------------ units and nations

    def is_so(self, unit: Unit, name: str) -> bool:
        return self.value(unit_key(unit.id), name) is True

    def word(self, unit: Unit, name: str) -> str:
        value = self.value(unit_key(unit.id), name)
        return value if isinstance(value, str) else ""

    def words(self, unit: Unit, name: str) -> list[str]:
        value = self.value(unit_key(unit.id), name)
        return value if isinstance(value, list) else []

    def turn_of(self, unit: Unit, name: str) -> int | None:
        """The turn a fact about a unit names, if it holds."""
        value = self.value(unit_key(unit.id), name)
        return value if isinstance(value, int) else None

    def entrained(self) -> list[Unit]:
        """The factories that are entrained now."""
        units = (self.state.units[name] for name in sorted(self.world.works))
        in_play = (unit for unit in units if unit.place.kind in (HEX, "siberia"))
        return [unit for unit in in_play if self.turn_of(unit, ENTRAINED) is not None]

    def dispersed(self, unit: Unit) -> bool:
        return self.is_so(unit, DISPERSED)

    def of_nation(self, nation: str, name: str) -> object:
        return self.value(subject_key("nation", nation), name)

    def came_this_turn(self, unit: Unit) -> str:
        """As what the unit came into the game, if it did so in this player-turn."""
        mark = self.state.mark(unit_key(unit.id), ARRIVED_AS)
        return str(mark.value) if mark is not None and mark.since == self.state.player_turn else ""

    # ------------------------------------------------------------------------------------------- the points

    def control(self, point: str) -> str:
        """The side that controls a point: as declared, else that of the country it lies in."""
        said = self.declared(place_key(point), CONTROL)
        return str(said) if said else self.world.side_of(self.world.point(point).country)

    def enemy_holds(self, side: str, point: str) -> bool:
        """Whether a point is in the hands of another side: no supply begins there."""
        return self.control(point) not in ("", side)

    def open_to(self, unit: Unit, point: str) -> bool:
        """Whether a point is its own side's; to troops that went over, also one at home of which nothing is said."""
        nation = unit.spec.nation
        side = self.world.side_now(self.state, nation)
        if self.control(point) == side:
            return True
        return point in self.open_besides(unit)

    def open_besides(self, unit: Unit) -> frozenset[str]:
        """The points at home of which nothing is said, for troops that went over."""
        nation = unit.spec.nation
        if self.world.side_now(self.state, nation) == self.world.side_of(nation):
            return frozenset()
        home = (name for name, point in self.world.points.items() if point.country == nation)
        return frozenset(name for name in home if not self.declared(place_key(name), CONTROL))

    def supply(self, unit: Unit) -> str:
        """A unit's supply: declared of it, else that of its point; Siberia is in supply unless it is cut off."""
        said = self.declared(unit_key(unit.id), SUPPLY)
        if said is not None:
            return str(said)
        if unit.place.kind == "siberia":
            return OVERLAND if self.siberia_in_supply() else NO_SUPPLY
        side, point = self.world.side_now(self.state, unit.spec.nation), unit.place.of
        return self.supply_at(side, point, held=self.open_to(unit, point))

    def siberia_in_supply(self) -> bool:
        """Whether units in Siberia are in supply: always, or while an eastern line is open, as the group plays it."""
        if not needs_an_open_line(self.world, self.state) or not self.world.lines:
            return True
        edges, side = siberian_edges(self.world, self.state), self.world.side_of(OWNER)
        return any(line.edge in edges and self.line_open(side, name) for name, line in self.world.lines.items())

    def supply_at(self, side: str, point: str, *, held: bool = False) -> str:
        """The supply of a point for a side, declared or traced to the edges it is supplied from."""
        if not held and self.enemy_holds(side, point):
            return NO_SUPPLY
        said = self.declared(place_key(point), SUPPLY)
        if said is not None:
            return str(said)
        edges = self.world.profile.nations[self.world.leader(side)].entry.edges
        if self.reaches_edge(side, point, edges, lambda kind: kind.overland):
            return OVERLAND
        return BY_SEA if self.reaches_edge(side, point, edges, lambda kind: True) else NO_SUPPLY

    def overland_to(self, side: str, point: str, edges: tuple[str, ...]) -> bool:
        """Whether a point that a side controls has overland supply to one of these edges."""
        said = self.declared(place_key(point), SUPPLY)
        if said is not None:
            return said == OVERLAND
        return self.reaches_edge(side, point, edges, lambda kind: kind.overland)

    def reaches_edge(self, side: str, point: str, edges: tuple[str, ...], uses: Callable[["LineKind"], bool]) -> bool:
        return self.route(side, point, frozenset(f"{edge} edge" for edge in edges), uses) is not None

    def route(
        self,
        side: str,
        start: str,
        goals: frozenset[str],
        uses: Callable[["LineKind"], bool],
        full: frozenset[str] = frozenset(),
        besides: frozenset[str] = frozenset(),
    ) -> tuple[str, ...] | None:
        """The lines of the shortest way over points a side controls and those open to it besides; on a map without
        lines every way is open."""
        if not self.world.lines or start in goals:
            return ()
        ways: dict[str, tuple[str, ...]] = {start: ()}
        queue = [start]
        for here in queue:
            for line, there in self.world.next_to(here):
                if there in ways or line in full or not uses(self.world.line_kind(line)) or self.line_blocked(line):
                    continue
                if there in goals:
                    return (*ways[here], line)
                if not there.endswith(" edge") and (self.control(there) == side or there in besides):
                    ways[there] = (*ways[here], line)
                    queue.append(there)
        return None

    def reach(self, side: str, start: str, by: str, besides: frozenset[str] = frozenset()) -> list[str]:
        """The points that can be reached by land or by sea over points a side controls, or that are open to it
        besides, the nearest first."""

        def is_open(point: str) -> bool:
            return self.control(point) == side or point in besides

        if not self.world.lines:
            return [point for point in sorted(self.world.points) if point != start and is_open(point)]
        found = [start]
        for here in found:
            for line, there in self.world.next_to(here):
                new = there in self.world.points and there not in found and is_open(there)
                if new and self.world.line_kind(line).by == by and not self.line_blocked(line):
                    found.append(there)
        return found[1:]

    def line_blocked(self, line: str) -> bool:
        return self.value(subject_key("line", line), BLOCKED) is True

    def line_open(self, side: str, line: str) -> bool:
        """Whether a side may come onto the map along a line from an edge."""
        first = self.world.lines[line].first_point
        return not self.line_blocked(line) and self.control(first) == side
