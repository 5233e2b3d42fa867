"""EF.moving/2 and /13 to /20: the journey of an entrained factory by rail or sea, and its end."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import GAME_TURN, NUMBER, PLAYER_TURN, TAKEN_BACK, TURN, YES_NO, Fact, subject_key, unit_key
from forcepool.engine.game import Habit
from forcepool.engine.given import Spot, UnitName, one_of
from forcepool.engine.options import choice
from forcepool.engine.places import HEX, Place
from forcepool.engine.sentence import the_field, the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, Way, no, rule, yes
from forcepool.games.eastern_front.chapter import (
    REPLACEMENT_PHASE,
    Order,
    Remedy,
    by_orders,
    instead,
    moment,
    only_in,
    wait_for,
)
from forcepool.games.eastern_front.entraining import (
    TRAVELLED,
    WENT_TO_SIBERIA,
    Entrain,
    is_a_movable_factory,
)
from forcepool.games.eastern_front.facts import ARRIVED, ENTRAINED, LAND, SEA, STOPPED
from forcepool.games.eastern_front.front import out_of_reach
from forcepool.games.eastern_front.losses import factory_is_gone
from forcepool.games.eastern_front.profile import LineKind
from forcepool.games.eastern_front.sailing import SEA_DELAY, TORPEDO, is_torpedoed, sails_from
from forcepool.games.eastern_front.siberian_lines import siberian_edges
from forcepool.games.eastern_front.strategic import capacity_of
from forcepool.games.eastern_front.world import (
    EDGE,
    IN_SIBERIA,
    SIBERIA,
    SOVIET,
    SOVIET_UNION,
    EasternWorld,
    is_factory,
)
from forcepool.rulebook.citations import meets_one_of

CARRIED = "carried"

DESTINATION = switch(
    "factory-destination",
    "EF.moving/2",
    "where a factory may be moved",
    soviet_union="to a Soviet-controlled point in the Soviet Union, or to Siberia",
    any_soviet_point="to any Soviet-controlled point, or to Siberia",
)

REACH = switch(
    "factory-journey",
    "EF.moving/14",
    "how far a factory travels in a phase",
    any_distance="any distance over Soviet-controlled points",
    limits="within the distance and the line capacities of strategic movement",
)

UNLOADING = switch(
    "unloading-in-place",
    "EF.moving/19",
    "whether an entrained factory may be turned up again where it stands",
    no="no: it is turned up only at another place",
    yes="yes, in a later phase, as if it had arrived there",
)

# ------------------------------------------------------------------------------------------------ the journey


class Journey(Order):
    """An entrained factory, where it is to go, and how."""

    command: "MoveFactory"

    @property
    def place(self) -> Place:
        return self.world.parse_place(self.command.to)

    @property
    def to(self) -> str:
        """Where it goes, in a player's words."""
        return self.world.said_place(self.place)

    @property
    def since(self) -> int:
        return self.facts.turn_of(self.unit, ENTRAINED) or 0

    @property
    def by_sea(self) -> bool:
        return self.command.by == SEA

    @lazy
    def way(self) -> tuple[str, ...] | None:
        """The lines it travels along, past those that carry no more this turn; None if there is no way."""
        if self.switch(REACH.key) != "limits":
            return self.shortest_way()
        return self.shortest_way(frozenset(line for line in self.world.lines if _is_full(self, line)))

    def shortest_way(self, full: frozenset[str] = frozenset()) -> tuple[str, ...] | None:
        edges = frozenset(f"{edge}{EDGE}" for edge in siberian_edges(self.world, self.state))
        goals = edges if self.place.kind == SIBERIA else frozenset((self.place.of,))
        starts = sorted(edges) if self.unit.place.kind == SIBERIA else [self.unit.place.of]
        ways = [
            way for start in starts if (way := self.facts.route(SOVIET, start, goals, self.carries, full)) is not None
        ]
        return min(ways, key=len, default=None)

    def carries(self, kind: LineKind) -> bool:
        return kind.by == self.command.by


@rule("EF.moving/5")
def is_entrained(q: Journey) -> Verdict:
    """Only an entrained factory is moved."""
    in_play = q.unit.place.kind in (HEX, SIBERIA)
    if q.facts.turn_of(q.unit, ENTRAINED) is not None and in_play:
        return YES
    order = Entrain(unit=q.unit.id)
    remedy = {}
    if in_play and choice(q.world, q.state, order).open:
        next_phase = moment(q.world, q.turn + 1, SOVIET)
        remedy = by_orders("entrain it, and move it in the next Soviet phase", (order,), next_phase)
    return no(f"{q.unit} is not entrained", **remedy)


@rule("EF.moving/13", "EF.moving/5")
def moves_in_a_later_phase(q: Journey) -> Verdict:
    """It moves in the next Soviet phase after it was entrained, or later, once in a phase."""
    if q.since >= q.turn:
        return no(
            f"{q.unit} was entrained this turn",
            also=("EF.moving/5",),
            **wait_for(q.world, q.turn + 1, SOVIET),
        )
    if q.facts.is_so(q.unit, TRAVELLED):
        return no(f"{q.unit} has travelled this turn", **wait_for(q.world, q.turn + 1, SOVIET))
    return YES


@rule("EF.moving/9")
def no_more_than_capacity_move(q: Journey) -> Verdict:
    """If capacity has dropped, only as many factories move as it allows."""
    moved = Fraction(moved_this_turn(q) + 1)
    capacity = Fraction(capacity_of(q.world, q.turn, SOVIET))
    if moved <= capacity:
        return YES
    more = capacity_of(q.world, q.turn + 1, SOVIET)
    remedy = wait_for(q.world, q.turn + 1, SOVIET) if more else {}
    return no(f"factories moved this turn: {moved - 1}", have=moved, need=capacity, **remedy)


def moved_this_turn(q: Order) -> int:
    """How many factories have moved this turn."""
    return sum(q.facts.is_so(unit, TRAVELLED) for unit in q.state.units.values() if is_factory(unit))


@rule("EF.moving/2", "EF.moving/15", "EF.moving/19")
def is_a_destination(q: Journey) -> Verdict:
    """A factory goes to Siberia, or to a Soviet-controlled point in the Soviet Union, and not to where it stands."""
    if q.place == q.unit.place and (q.command.stop or q.switch(UNLOADING.key) == "no"):
        return no(f"{q.unit} is in {q.to} already", **_somewhere_else(q), also=("EF.moving/19",))
    if q.place.kind == SIBERIA:
        return _arrives_in_siberia(q)
    clause = "EF.moving/15" if q.by_sea else ""
    if q.place.kind != HEX or q.facts.control(q.place.of) != SOVIET:
        return no(f"the Soviets do not control {q.to}", **_somewhere_else(q), clause=clause)
    if not q.command.stop and _lies_abroad(q.world, q.state, q.place.of):
        return no(f"{q.to} is not in the Soviet Union", **_somewhere_else(q))
    return yes("EF.moving/15") if q.by_sea else YES


def _arrives_in_siberia(q: Journey) -> Verdict:
    """Siberia is no stop on the way: what reaches it is turned up there, and is entrained anew to come back."""
    if not q.command.stop:
        return YES
    says = f"{q.unit} is turned up in Siberia and does not stop there on the way"
    return no(says, **instead(q, f"leave {the_field('stop')} out", stop=False), clause="EF.moving/19")


def _lies_abroad(world: EasternWorld, state: State, point: str) -> bool:
    """Whether a point lies abroad: a factory may stop there, and is set up there only where a group plays it so."""
    abroad = world.point(point).country != SOVIET_UNION
    return abroad and world.ruling(state, DESTINATION.key) == "soviet-union"


def _somewhere_else(q: Journey) -> Remedy:
    """A place the factory can go to by the same means, if there is one."""
    by = SEA if q.by_sea else LAND
    goals = (way.to for way in journeys(q.world, q.state, q.unit) if way.by == by and not way.stop)
    found = next((goal for goal in goals if goal != q.command.to), "")
    words = f"move it to {found.title() if found == SIBERIA else the_place(found)}"
    return instead(q, words, to=found, stop=False) if found else {}


def _out_by_sea(q: Journey) -> Remedy:
    """To sail, for a factory that is shut in by land; now, or once it has waited in port."""
    goal = next((way for way in journeys(q.world, q.state, q.unit) if way.by == SEA and not way.stop), None)
    if q.by_sea or goal is None:
        return {}
    ready, words = sails_from(q.world, q.state, q.unit), f"let it sail to {the_place(goal.to)}"
    if ready <= q.turn:
        return {"remedy": words, "way": Way(instead=goal)}
    return {
        "remedy": f"{words} in {q.world.turn_name(ready)}",
        "way": Way(until=moment(q.world, ready, SOVIET), instead=goal),
    }


@rule("EF.moving/14")
def travels_along_open_lines(q: Journey) -> Verdict:
    """The factory travels along lines over Soviet-controlled points."""
    way = q.way
    if way is None and (past := q.shortest_way()):
        full = next(line for line in past if _is_full(q, line))
        remedy = wait_for(q.world, q.turn + 1, SOVIET)
        return no(f"{full} on the way to {q.to} carries no more this turn", **remedy)
    if way is None:
        return no(f"no way by {q.command.by} to {q.to} is open", **(_somewhere_else(q) or _out_by_sea(q)))
    if q.switch(REACH.key) != "limits":
        return YES
    reach = Fraction(q.world.number("strategic_lines"))
    if len(way) > reach:
        return no(
            f"{q.to} is {len(way)} lines away",
            **_part_of_the_way(q, way[: int(reach)]),
            have=Fraction(len(way)),
            need=reach,
        )
    return YES


def _part_of_the_way(q: Journey, lines: tuple[str, ...]) -> Remedy:
    """To stop at the end of these lines, if they lead from the point it stands at, and go on next turn."""
    words = f"go part of the way, with {the_field('stop', 'yes')}, and on next turn"
    stop = q.unit.place.of
    if q.unit.place.kind == SIBERIA or not lines:
        return {"remedy": words}
    for line in lines:
        stop = q.world.other_end(line, stop)
    return instead(q, words, to=stop, stop=True)


def _is_full(q: Journey, line: str) -> bool:
    limit = q.world.line_kind(line).capacity
    return limit is not None and _carried(q, line) >= limit


def _carried(q: Journey, line: str) -> int:
    """The factories a line has carried this turn."""
    carried = q.facts.value(subject_key("line", line), CARRIED)
    assert isinstance(carried, int)
    return carried


@rule("EF.moving/16")
def sails_after_a_stop_in_port(q: Journey) -> Verdict:
    """A sea journey stops at the port of embarkation and costs at least one extra turn."""
    if not q.by_sea:
        return YES
    ready = sails_from(q.world, q.state, q.unit)
    if q.turn >= ready:
        return YES
    return no(
        f"{q.unit} may sail in {q.world.turn_name(ready)}",
        have=Fraction(q.turn - q.since),
        need=Fraction(ready - q.since),
        **wait_for(q.world, ready, SOVIET),
    )


class MoveFactory(Command, tag="move-factory", frozen=True):
    """Move an entrained factory by rail or sea; at its destination it is turned up again."""

    unit: UnitName
    to: Spot
    """The point it goes to, or Siberia."""
    by: Annotated[str, one_of(LAND, SEA)] = LAND
    stop: bool = False
    """Yes if this is a stop on the way, such as the port it will sail from: it stays entrained."""

    question = Journey
    needs = (is_a_movable_factory, is_entrained)
    requires = (
        only_in(REPLACEMENT_PHASE, "EF.moving/13"),
        moves_in_a_later_phase,
        no_more_than_capacity_move,
        is_a_destination,
        travels_along_open_lines,
        sails_after_a_stop_in_port,
    )

    def effects(self, q: Journey) -> Iterator[Event]:
        unit, on, way = q.unit, unit_key(q.unit.id), q.way or ()
        if q.by_sea and is_torpedoed(q):
            yield from _hit(q)
            return
        because = "EF.moving/13 EF.moving/14 EF.moving/15" if q.by_sea else "EF.moving/13 EF.moving/14"
        yield Moved(unit=unit.id, frm=unit.place, to=q.place, because=because)
        yield Marked(on=on, mark=TRAVELLED, value=True, because="EF.moving/13")
        for line in way:
            key = subject_key("line", line)
            yield Marked(on=key, mark=CARRIED, value=_carried(q, line) + 1)
        if self.stop:
            yield Marked(on=on, mark=STOPPED, value=q.turn, because="EF.moving/16")
        else:
            yield from _turned_up(q)

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.id not in world.works or world.facts(state).turn_of(unit, ENTRAINED) is None:
            return
        ways = list(journeys(world, state, unit))
        yield from ways
        # Where Siberia is cut off, a player is told why.
        if unit.place.kind == HEX and not any(way.to == SIBERIA for way in ways):
            yield cls(unit=unit.id, to=SIBERIA)


def journeys(world: EasternWorld, state: State, unit: Unit) -> Iterator[MoveFactory]:
    """Where an entrained factory can go: Siberia, the points farthest from the enemy, then stops on the way.

    Abroad it may stop, and is not set up.
    """
    facts, here, stay = world.facts(state), unit.place, world.ruling(state, UNLOADING.key) == "yes"
    if here.kind not in (HEX, SIBERIA):
        return
    edges = [f"{edge}{EDGE}" for edge in siberian_edges(world, state)]
    starts = edges if here.kind == SIBERIA else [here.of]
    by_land = {there for start in starts for there in facts.reach(SOVIET, start, LAND)}
    by_sea = {there for start in starts for there in facts.reach(SOVIET, start, SEA)}
    out = here.kind == HEX and facts.route(SOVIET, here.of, frozenset(edges), lambda kind: kind.by == LAND) is not None
    ways = [(SIBERIA, LAND)] if out else []
    ways += [(there, LAND) for there in out_of_reach(world, state, SOVIET, by_land)]
    ways += [(there, SEA) for there in out_of_reach(world, state, SOVIET, by_sea)]
    for to, by in ways:
        if to == SIBERIA or not _lies_abroad(world, state, to):
            yield MoveFactory(unit=unit.id, to=to, by=by)
    if stay:
        yield MoveFactory(unit=unit.id, to=here.of or SIBERIA)
    for to, by in ways:
        if to != SIBERIA:
            yield MoveFactory(unit=unit.id, to=to, by=by, stop=True)


def _hit(q: Journey) -> Iterator[Event]:
    unit, on = q.unit, unit_key(q.unit.id)
    back = q.switch(TORPEDO.key) == "back-to-port"
    says = "torpedoed, and back in port" if back else "torpedoed"
    yield Marked(on=on, mark=TRAVELLED, value=True, because="EF.moving/17", says=says)
    if not back:
        yield from factory_is_gone(q.state, unit, "EF.moving/17")


@meets_one_of("EF.moving/19")
def _turned_up(q: Journey) -> Iterator[Event]:
    """At its destination the factory is no longer entrained, and may produce from the next phase on."""
    on, facts = unit_key(q.unit.id), q.facts
    yield Marked(on=on, mark=ENTRAINED, because="EF.moving/19", says="it is turned up again")
    if facts.turn_of(q.unit, STOPPED) is not None:
        yield Marked(on=on, mark=STOPPED, because="EF.moving/19", says="its journey is over")
    yield Marked(on=on, mark=ARRIVED, value=q.turn, because="EF.moving/19 EF.moving/20")
    if q.place == IN_SIBERIA:
        yield Marked(on=on, mark=WENT_TO_SIBERIA, value=True, because="EF.moving/2")


CHAPTER = Chapter(
    heading="EF.moving",
    commands=(MoveFactory,),
    facts=(
        Fact(
            STOPPED, ("unit",), "the turn it stopped on its way", None, TURN, said={TAKEN_BACK: "its journey is over"}
        ),
        Fact(ARRIVED, ("unit",), "the turn it reached its destination", None, TURN),
        Fact(TRAVELLED, ("unit",), "it has travelled this turn", False, YES_NO, lasts=PLAYER_TURN, by_hand=False),
        Fact(CARRIED, ("line",), "factories it has carried this turn", 0, NUMBER, lasts=GAME_TURN),
    ),
    switches=(SEA_DELAY, DESTINATION, REACH, UNLOADING, TORPEDO),
    habits={"move-factory": Habit((REPLACEMENT_PHASE,), 3)},
)
