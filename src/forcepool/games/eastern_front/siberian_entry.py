"""EF.replacements/6 to /13: units held in Siberia come onto the map along a line from the eastern edge."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

from forcepool.engine.agenda import NEWS, OPEN, Item
from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import unit_key
from forcepool.engine.game import Habit
from forcepool.engine.given import Spot, UnitName, one_of
from forcepool.engine.options import choice
from forcepool.engine.places import at_hex
from forcepool.engine.sentence import the_field, the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.eastern_front.chapter import (
    COMBAT_PHASE,
    OPERATIONAL_PHASE,
    REPLACEMENT_PHASE,
    STRATEGIC_PHASE,
    Order,
    Remedy,
    go_on_to,
    instead,
    moment,
    wait_for,
)
from forcepool.games.eastern_front.facts import ARRIVED_AS, DISPERSED, HELD_REPLACEMENT, HELD_SINCE, LAND, REPLACEMENT
from forcepool.games.eastern_front.front import behind_the_front
from forcepool.games.eastern_front.given import Line
from forcepool.games.eastern_front.siberian_lines import SIBERIAN_EDGES, siberian_edges
from forcepool.games.eastern_front.strategic import STRATEGIC_BY, moves_left, uses_capacity
from forcepool.games.eastern_front.world import SIBERIA, SOVIET, SOVIET_UNION, EasternWorld, is_factory
from forcepool.rulebook.citations import computed

STRATEGIC, OPERATIONAL = "strategic", "operational"

HELD = switch(
    "turns-held",
    "EF.replacements/8",
    "when a held Siberian replacement may enter operationally",
    next_turn="from the turn after it was taken",
    whole_turn="only after a whole turn has passed between",
)
MADE_THERE = switch(
    "composites-made-in-siberia",
    "EF.composite/3",
    "how a composite unit that is made in Siberia comes onto the map",
    held="as one held there from that turn on: strategically at once, operationally after a turn",
    strategic_only="by strategic movement only",
)


class Arriving(Order):
    """A unit in Siberia about to come onto the map."""

    command: "EnterFromSiberia"

    @lazy
    def line(self) -> str:
        """The line it comes in on: the one named, else the first that leads there; none on a map without lines."""
        if self.command.line:
            return self.world.subject("line", self.command.line)
        lines = lines_from_siberia(self.world, self.state)
        leads_there = (line for line in lines if self.facts.line_open(SOVIET, line) and self.way_on(line) is not None)
        return next(leads_there, next(iter(lines), ""))

    @property
    def first(self) -> str:
        return self.world.lines[self.line].first_point if self.line else ""

    @property
    def to(self) -> str:
        return self.world.hex_name(self.command.to) if self.command.to else self.first

    def way_on(self, line: str) -> tuple[str, ...] | None:
        """The lines from the first point of a line to where it goes, if a way is open."""
        first = self.world.lines[line].first_point
        goal = self.world.hex_name(self.command.to) if self.command.to else first
        return self.facts.route(SOVIET, first, frozenset((goal,)), lambda kind: kind.by == LAND)

    @property
    def operational(self) -> bool:
        return self.command.how == OPERATIONAL


@rule("EF.replacements/7")
def waits_in_siberia(q: Arriving) -> Verdict:
    """Only a unit that is held in Siberia enters from there."""
    if q.unit.place.kind == SIBERIA and not is_factory(q.unit):
        return YES
    remedy = "a factory is moved with move-factory" if is_factory(q.unit) else ""
    return no(f"{q.unit} is not a unit held in Siberia", remedy=remedy)


@rule("EF.replacements/6")
def says_where_it_comes_in(q: Arriving) -> Verdict:
    """A unit comes in on a line; on a map without lines it says the point it comes to."""
    if q.to:
        return YES
    if q.world.lines:
        return no(f"no line leads onto the map from the {' or '.join(siberian_edges(q.world, q.state))}")
    return no(f"the map shows no lines: say the point {q.unit} comes to, with {the_field('to', 'a point')}")


@rule("EF.replacements/12", "EF.replacements/8")
def enters_in_its_phase(q: Arriving) -> Verdict:
    """Strategic entry belongs to strategic movement, operational entry to operational movement."""
    phase, clause = (
        (OPERATIONAL_PHASE, "EF.replacements/8") if q.operational else (STRATEGIC_PHASE, "EF.replacements/12")
    )
    if q.world.phasing(q.state) == SOVIET and q.world.phase(q.state) == phase:
        return YES
    remedy = go_on_to(q.world, q.state, SOVIET, phase)
    return no(f"{q.command.how} entry is made in the Soviet {phase} phase", clause=clause, **remedy)


@rule("EF.replacements/6")
def by_an_eastern_line(q: Arriving) -> Verdict:
    """Siberian units come in along any line from the eastern edge that the Axis does not bar."""
    if not q.line:
        return _at_a_friendly_point(q)
    edges = siberian_edges(q.world, q.state)
    edge = q.world.lines[q.line].edge
    if edge not in edges:
        where = f"from the {edge} edge" if edge else "between points"
        return no(f"{q.line} leads {where}, not from the {' or '.join(edges)}", **_another_line(q))
    if not q.facts.line_open(SOVIET, q.line):
        return no(
            f"{q.line} is not open: {the_place(q.first)} is not Soviet, or the line is blocked",
            **_another_line(q),
        )
    if q.way_on(q.line) is None or q.facts.control(q.to) != SOVIET:
        return no(
            f"there is no open way from {q.first} to {the_place(q.to)}", **instead(q, f"stop at {q.first}", to="")
        )
    return YES


def _at_a_friendly_point(q: Arriving) -> Verdict:
    """On a map without lines every way is open to a point that the Soviets control."""
    if q.facts.control(q.to) == SOVIET:
        return YES
    ours = _friendly_points(q.world, q.state)
    remedy = instead(q, f"let it come in to {the_place(ours[0])}", to=ours[0]) if ours else {}
    return no(f"the Soviets do not control {the_place(q.to)}", **remedy)


def _friendly_points(world: EasternWorld, state: State) -> list[str]:
    facts = world.facts(state)
    ours = (point for point in world.points if facts.control(point) == SOVIET)
    return behind_the_front(world, state, SOVIET_UNION, ours)


def lines_from_siberia(world: EasternWorld, state: State) -> list[str]:
    """The lines by which units come in from Siberia, open or not."""
    edges = siberian_edges(world, state)
    return sorted(name for name, line in world.lines.items() if line.edge in edges)


def _another_line(q: Arriving) -> Remedy:
    """An eastern line that is open, if there is one."""
    lines = lines_from_siberia(q.world, q.state)
    open_line = next((name for name in lines if q.facts.line_open(SOVIET, name)), "")
    return instead(q, f"come in by {open_line}, to its first point", line=open_line, to="") if open_line else {}


@rule("EF.replacements/8", "EF.composite/3")
def held_long_enough(q: Arriving) -> Verdict:
    """After a turn off the board a unit may enter operationally, and undispersed."""
    if not q.operational:
        return YES
    kind = q.world.kind_of(q.unit.spec)
    if kind is not None and kind.recipe and q.switch(MADE_THERE.key) == "strategic-only":
        says = f"{q.unit} was made in Siberia, and enters by strategic movement only"
        return no(says, clause="EF.composite/3", **instead(q, "bring it in strategically", how=STRATEGIC))
    ready, since = ready_to_march(q.world, q.state, q.unit), q.facts.turn_of(q.unit, HELD_SINCE)
    if since is None or q.turn >= ready:
        return yes("EF.replacements/8")
    return no(
        f"{q.unit} was taken in {q.world.turn_name(since)}",
        have=Fraction(q.turn - since),
        need=Fraction(ready - since),
        **wait_for(q.world, ready, SOVIET, OPERATIONAL_PHASE),
    )


def ready_to_march(world: EasternWorld, state: State, unit: Unit) -> int:
    """The first turn in which a unit held in Siberia may enter operationally."""
    since = world.facts(state).turn_of(unit, HELD_SINCE)
    whole = world.ruling(state, HELD.key) == "whole-turn"
    return since + world.number("turns_held") + (1 if whole else 0) if since is not None else int(state.clock.turn)


def marches(world: EasternWorld, state: State, unit: Unit) -> str:
    """When a unit held in Siberia may enter operationally, in words: this turn, or from a later one on."""
    ready, now = ready_to_march(world, state, unit), int(state.clock.turn)
    over = world.phasing(state) == SOVIET and world.phase(state) == COMBAT_PHASE
    if ready <= now and not over:
        return "this turn"
    return f"from {world.turn_name(max(ready, now + 1))} on"


@rule("EF.replacements/12", "EF.replacements/13", "EF.strategic/4")
def capacity_for_entry(q: Arriving) -> Verdict:
    """A strategic entry takes one of the Soviet allowance; an operational one takes none."""
    if q.operational:
        return yes("EF.replacements/13")
    if q.world.phasing(q.state) != SOVIET:
        return YES
    have, need = moves_left(q.world, q.state, SOVIET), q.world.numbers["move_cost"]
    if have >= need:
        return YES
    return no(
        f"no strategic movement is left for {q.unit}",
        **_held_until_it_marches(q),
        have=have,
        need=need,
        also=("EF.strategic/4",),
    )


def _held_until_it_marches(q: Arriving) -> Remedy:
    """To hold the unit, and let it enter operationally: this turn, or from a later one on."""
    now = int(q.state.clock.turn)
    over = q.world.phasing(q.state) == SOVIET and q.world.phase(q.state) == COMBAT_PHASE
    turn = max(ready_to_march(q.world, q.state, q.unit), now + 1 if over else now)
    words = f"hold it: it may enter operationally {marches(q.world, q.state, q.unit)}"
    return instead(q, words, moment(q.world, turn, SOVIET, OPERATIONAL_PHASE), how=OPERATIONAL)


class EnterFromSiberia(Command, tag="enter-from-siberia", frozen=True):
    """Bring a unit held in Siberia onto the map along a line from the eastern edge."""

    unit: UnitName
    line: Line = ""
    """The line it comes in on; left out, the first that is open, and none on a map without lines."""
    to: Spot = ""
    """The point it goes to; the first point of the line unless another is named."""
    how: Annotated[str, one_of(STRATEGIC, OPERATIONAL)] = STRATEGIC

    question = Arriving
    needs = (waits_in_siberia, says_where_it_comes_in)
    requires = (enters_in_its_phase, by_an_eastern_line, held_long_enough, capacity_for_entry)

    def effects(self, q: Arriving) -> Iterator[Event]:
        unit, on = q.unit, unit_key(q.unit.id)
        if q.operational:
            yield Moved(unit=unit.id, frm=unit.place, to=at_hex(q.to), because="EF.replacements/8 EF.replacements/13")
            if q.facts.dispersed(unit):
                yield Marked(on=on, mark=DISPERSED, because="EF.replacements/8", says="it enters undispersed")
            yield Marked(on=on, mark=ARRIVED_AS, value=HELD_REPLACEMENT, because="EF.replacements/8")
        else:
            because = "EF.replacements/12 EF.strategic/4"
            yield uses_capacity(q.world, SOVIET, q.world.numbers["move_cost"], because, unit.id)
            yield Moved(unit=unit.id, frm=unit.place, to=at_hex(q.to), because="EF.replacements/6 EF.replacements/12")
            yield Marked(on=on, mark=DISPERSED, value=True, because="EF.replacements/9")
            yield Marked(on=on, mark=ARRIVED_AS, value=REPLACEMENT, because="EF.replacements/9")
            yield Marked(on=on, mark=STRATEGIC_BY, value=LAND, because="EF.strategic/1")
        if q.state.mark(on, HELD_SINCE) is not None:
            yield Marked(on=on, mark=HELD_SINCE, because="EF.replacements/7", says="it is no longer held")

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind != SIBERIA or is_factory(unit):
            return
        if not world.lines:
            ours = _friendly_points(world, state)
            yield from (cls(unit=unit.id, to=point, how=how) for how in (STRATEGIC, OPERATIONAL) for point in ours)
            return
        lines, facts = lines_from_siberia(world, state), world.facts(state)
        yield from (cls(unit=unit.id, line=line, how=how) for line in lines for how in (STRATEGIC, OPERATIONAL))
        how = {STRATEGIC_PHASE: STRATEGIC, OPERATIONAL_PHASE: OPERATIONAL}.get(world.phase(state))
        if how is None or world.phasing(state) != SOVIET:
            return
        for line in lines:
            first = world.lines[line].first_point
            for point in behind_the_front(world, state, SOVIET_UNION, facts.reach(SOVIET, first, LAND)):
                yield cls(unit=unit.id, line=line, to=point, how=how)


def todo(world: EasternWorld, state: State) -> Iterator[Item]:
    """The units that wait in Siberia and could come now, each with the way that leads nearest to the front."""
    if world.phasing(state) != SOVIET:
        return
    for unit in held_in_siberia(state):
        if world.phase(state) == REPLACEMENT_PHASE:
            yield Item(NEWS, f"{unit} is held in Siberia: {_ways_in(world, state, unit)}", "EF.replacements/7", SOVIET)
        ways = [each for each in EnterFromSiberia.offers(world, state, unit) if isinstance(each, EnterFromSiberia)]
        to_the_front = [each for each in ways if each.to] + [each for each in ways if not each.to]
        order = next((each for each in to_the_front if choice(world, state, each).open), None)
        if order is not None:
            yield Item(OPEN, f"{unit} is held in Siberia and may enter now", "EF.replacements/7", SOVIET, order)


def _ways_in(world: EasternWorld, state: State, unit: Unit) -> str:
    """How a unit held in Siberia may come this turn or later, in words."""
    when, facts = marches(world, state, unit), world.facts(state)
    if world.lines and not any(facts.line_open(SOVIET, line) for line in lines_from_siberia(world, state)):
        return f"no line from the {' or '.join(siberian_edges(world, state))} is open to it"
    if moves_left(world, state, SOVIET) < world.numbers["move_cost"]:
        return f"no strategic movement is left, and it may enter operationally {when}"
    return f"it may enter by strategic movement, or operationally {when}"


@computed("EF.replacements/7")
def held_in_siberia(state: State) -> list[Unit]:
    """The units held off the board, for as long as the Soviet player likes."""
    return [unit for unit in state.units_in_order() if unit.place.kind == SIBERIA and not is_factory(unit)]


CHAPTER = Chapter(
    heading="EF.replacements (entry from Siberia)",
    commands=(EnterFromSiberia,),
    switches=(SIBERIAN_EDGES, HELD, MADE_THERE),
    agenda=(todo,),
    habits={"enter-from-siberia": Habit((STRATEGIC_PHASE, OPERATIONAL_PHASE), 4, planned=True)},
)
