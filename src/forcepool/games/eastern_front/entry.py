"""EF.reinforcements/5 to /12: where the units of each nationality come onto the map."""

from collections.abc import Iterator

from forcepool.engine.chapter import Chapter
from forcepool.engine.places import Place
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.eastern_front.chapter import Order, Remedy, instead
from forcepool.games.eastern_front.facts import REINFORCEMENT, REPLACEMENT
from forcepool.games.eastern_front.front import behind_the_front
from forcepool.games.eastern_front.profile import Entry
from forcepool.games.eastern_front.world import AXIS, SOVIET, EasternWorld

ENTRY_LIST = switch(
    "entry-list",
    "EF.reinforcements/12",
    "whom the list of entry points binds",
    both="replacements and reinforcements of every nationality",
    soviet_reinforcements_only="of the Soviets reinforcements only; of the Axis both",
)
AXIS_LIST = switch(
    "axis-entry-list",
    "EF.reinforcements/7",
    "whether the Axis lines of the list bind reinforcements too, or replacements not at all",
    both="replacements and reinforcements",
    reinforcements_only="reinforcements only; replacements appear at any friendly point",
)
UNLISTED = switch(
    "unlisted-nations",
    "EF.reinforcements/11",
    "where an Axis nation that is not listed enters",
    as_germans="as the Germans do",
    western_lines_only="only on lines from the western edge",
)


class Entering(Order):
    """A unit about to come onto the map at a point or on a line."""

    came_as = ""

    @property
    def line(self) -> str:
        """The line it comes in on, when the player names one."""
        return self.world.line_named(self.command.at) or ""

    @property
    def place(self) -> Place:
        """Where it will stand: the point named, or the first point of the line."""
        return self.world.parse_place(self.world.lines[self.line].first_point if self.line else self.command.at)


def bound_by_the_list(world: EasternWorld, state: State, side: str, came_as: str) -> bool:
    """Whether the list of entry points binds units of a side that come in so, as the group plays it."""
    if came_as != REPLACEMENT:
        return True
    played = ENTRY_LIST if side == SOVIET else AXIS_LIST
    return world.ruling(state, played.key) == "both"


@rule(
    "EF.reinforcements/12",
    "EF.reinforcements/5",
    "EF.reinforcements/6",
    "EF.reinforcements/7",
    "EF.reinforcements/8",
    "EF.reinforcements/9",
    "EF.reinforcements/10",
    "EF.reinforcements/11",
)
def at_its_entry_point(q: Entering) -> Verdict:
    """Each nationality has points or edges of its own where its units appear."""
    entry = q.world.profile.nations[q.unit.spec.nation].entry
    if not bound_by_the_list(q.world, q.state, q.side, q.came_as):
        return _at_a_friendly_point(q)
    if q.line:
        return _on_a_line(q, entry)
    if q.place.kind != "hex":
        return no(f"{q.unit} cannot enter {q.world.where(q.place)}", **_elsewhere(q))
    if entry.points:
        return _at_named_point(q, entry)
    return _in_overland_supply(q, entry)


def _elsewhere(q: Entering) -> Remedy:
    """The point or line that is proposed first, if the unit can enter anywhere."""
    nation = q.unit.spec.nation
    if (
        q.side != AXIS
        and q.world.profile.nations[nation].entry.points
        and bound_by_the_list(q.world, q.state, q.side, q.came_as)
    ):
        return {}  # Named points are the Axis': what went over enters there no more.
    place = next(entries_of(q.world, q.state, nation, q.came_as), "")
    held = place and (q.world.line_named(place) or q.facts.control(place) == q.side)
    return instead(q, f"let it enter at {the_place(place)}", at=place) if held else {}


def _at_a_friendly_point(q: Entering) -> Verdict:
    if q.place.kind == "hex" and q.facts.control(q.place.of) == q.side:
        return YES
    return no(f"the {q.side} side does not control {the_place(q.command.at)}", **_elsewhere(q))


def _on_a_line(q: Entering, entry: Entry) -> Verdict:
    edge = q.world.lines[q.line].edge
    if edge not in entry.edges:
        where = f"only at {' or '.join(entry.points)}" if entry.points else f"from the {' or '.join(entry.edges)} edge"
        from_ = f"comes from the {edge} edge" if edge else "does not come from an edge of the map"
        return no(
            f"{q.line} {from_}, and {q.unit.spec.nation} enters {where}",
            **_elsewhere(q),
            clause=entry.on_line or entry.at_point,
        )
    if not q.facts.line_open(q.side, q.line):
        return no(f"{q.line} is not open to {q.side}", **_elsewhere(q), clause=entry.on_line)
    return yes(entry.on_line)


def _at_named_point(q: Entering, entry: Entry) -> Verdict:
    point = q.place.of
    if point not in entry.points:
        listed = " or ".join(entry.points)
        return no(
            f"{q.unit.spec.nation} enters at {the_place(listed)}, not at {the_place(point)}",
            **_elsewhere(q),
            clause=entry.at_point,
        )
    if q.facts.control(point) != AXIS:
        return no(f"the Axis does not control {the_place(point)}", clause=entry.at_point)
    if q.side != AXIS:
        return no(f"{q.unit.spec.nation} has left the Axis", clause=entry.at_point)
    return yes(entry.at_point)


def _in_overland_supply(q: Entering, entry: Entry) -> Verdict:
    point, edges = q.place.of, " or ".join(entry.edges)
    if _lines_only(q.world, q.state, entry):
        says = f"{q.unit.spec.nation} enters only on a line from the {edges} edge"
        return no(says, **_elsewhere(q), clause=entry.at_point)
    if q.facts.control(point) != q.side:
        return no(f"the {q.side} side does not control {the_place(point)}", **_elsewhere(q), clause=entry.at_point)
    if not q.facts.overland_to(q.side, point, entry.edges):
        return no(
            f"{the_place(point)} has no overland supply to the {edges} edge", **_elsewhere(q), clause=entry.at_point
        )
    return yes(entry.at_point)


def _lines_only(world: EasternWorld, state: State, entry: Entry) -> bool:
    """Whether a nation that is not listed enters only on lines from the western edge, as the group plays it."""
    return world.ruling(state, UNLISTED.key) == "western-lines-only" and entry.at_point == "EF.reinforcements/11"


def entries_of(world: EasternWorld, state: State, nation: str, came_as: str = REINFORCEMENT) -> Iterator[str]:
    """The points and lines where a nation's units could enter now: points behind the front first, lines last."""
    facts, entry, side = world.facts(state), world.profile.nations[nation].entry, world.side_now(state, nation)
    ours = [point for point in world.points if facts.control(point) == side]
    bound = bound_by_the_list(world, state, side, came_as)
    if bound and entry.points:
        yield from (point for point in entry.points if point in world.points)
        return
    if bound:
        ours = [
            point
            for point in ours
            if not _lines_only(world, state, entry) and facts.overland_to(side, point, entry.edges)
        ]
    yield from behind_the_front(world, state, nation, ours)
    open_lines = [name for name, line in world.lines.items() if line.edge and facts.line_open(side, name)]
    by_nearness = behind_the_front(world, state, nation, {world.lines[name].first_point for name in open_lines})
    for name in sorted(open_lines, key=lambda name: (by_nearness.index(world.lines[name].first_point), name)):
        if not bound or world.lines[name].edge in entry.edges:
            yield name


CHAPTER = Chapter(heading="EF.reinforcements (entry points)", switches=(ENTRY_LIST, AXIS_LIST, UNLISTED))
