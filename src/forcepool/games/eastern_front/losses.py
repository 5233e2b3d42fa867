"""Losses: units go to the dead pile, and a factory that is captured or hit is gone for good (EF.moving/1, /4, /18)."""

from collections.abc import Iterator
from typing import Annotated

from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command
from forcepool.engine.desk import Declaring
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import unit_key
from forcepool.engine.game import Effect, Habit
from forcepool.engine.given import UnitName, one_of
from forcepool.engine.places import HEX, Place, at_hex
from forcepool.engine.sentence import the_field, the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.eastern_front.attacking import ATTACKED
from forcepool.games.eastern_front.chapter import COMBAT_PHASE, Order, instead
from forcepool.games.eastern_front.facts import (
    CONTROL,
    DISPERSED,
    ENTRAINED,
    FORTIFIED,
    HELD_SINCE,
    ISOLATED,
    LAND,
    SEA,
    STOPPED,
    SUPPLY,
)
from forcepool.games.eastern_front.front import out_of_reach
from forcepool.games.eastern_front.irreplaceable import COMBAT, COMPOSITE, ISOLATION, LOST_BY, SEA_LOSS
from forcepool.games.eastern_front.showing import shows
from forcepool.games.eastern_front.siberian_lines import siberian_edges
from forcepool.games.eastern_front.world import (
    ASIDE,
    AXIS,
    DEAD_PILE,
    DESTROYED,
    EDGE,
    IN_SIBERIA,
    SIBERIA,
    SOVIET,
    EasternWorld,
    is_factory,
    on_the_map,
)

COMPONENTS = "components"
CAUSES = (COMBAT, ISOLATION, SEA_LOSS)
WHERE_IT_STOOD = (FORTIFIED, HELD_SINCE, ISOLATED, SUPPLY)
"""What is said of a unit on account of where it stands, and no longer once it has left."""

ON_ITS_WAY = (ENTRAINED, STOPPED)

DEFENCE = switch(
    "factory-defence",
    "EF.moving/3",
    "how several factories on a point defend",
    add_up="each that is not entrained adds its value",
    one_a_point="a point has the value of one, however many factories it holds",
)

CAPTURED = switch(
    "captured-entrained",
    "EF.moving/1",
    "what becomes of an entrained factory on a point that falls to the Axis",
    destroyed="it is destroyed, like any other factory",
    retreats="it goes back one point along a line, or to Siberia, and is destroyed where it cannot",
)

# ------------------------------------------------------------------------------------------- losing a unit


@rule("EF.moving/18")
def is_within_reach(q: Order) -> Verdict:
    """Nothing the Axis does reaches what is in Siberia."""
    if q.unit.place.kind == SIBERIA:
        return no(f"{q.unit} is in Siberia, beyond the reach of the Axis")
    return YES


@rule("EF.replacements/17")
def can_be_lost(q: Order) -> Verdict:
    """Only a unit in play is lost."""
    if on_the_map(q.unit) or q.unit.place.kind == SIBERIA:
        return YES
    return no(f"{q.unit} is not in play")


@rule("EF.strategic/1")
def was_lost_where_ships_sail(q: Order) -> Verdict:
    """At sea a unit is lost only from or to a point with a line by sea; a map without lines tells nothing of it."""
    inland = q.unit.place.kind == HEX and not _sails_from(q.world, q.unit.place.of)
    if q.command.cause != SEA_LOSS or not inland:
        return YES
    return no(
        f"no line by sea leads to {the_place(q.unit.place.of)}, where {q.unit} stands",
        **instead(q, "say that it was lost in combat or through isolation", cause=COMBAT),
    )


@rule("EF.moving/4", "EF.moving/1", "EF.moving/17")
def factory_is_lost_to_a_hit(q: Order) -> Verdict:
    """A factory is lost to a hit; being cut off does not destroy it, and at sea the torpedo's die decides."""
    if not is_factory(q.unit) or q.command.cause == COMBAT:
        return YES
    if q.command.cause == SEA_LOSS:
        says = f"whether {q.unit} is torpedoed is rolled for on its journey"
        return no(says, clause="EF.moving/17", remedy=f"move it with move-factory, {the_field('by', SEA)}")
    remedy = instead(q, "say that it was hit in combat", cause=COMBAT)
    return no(f"{q.unit} is not destroyed by being cut off", clause="EF.moving/1", **remedy)


def _sails_from(world: EasternWorld, point: str) -> bool:
    return not world.lines or any(world.line_kind(line).by == SEA for line, _ in world.next_to(point))


class LoseUnit(Command, tag="lose", frozen=True):
    """Record the loss of a unit in combat or through isolation, or of a factory to a hit."""

    harms = True

    unit: UnitName
    cause: Annotated[str, one_of(*CAUSES)] = COMBAT

    question = Order
    needs = (can_be_lost,)
    requires = (is_within_reach, factory_is_lost_to_a_hit, was_lost_where_ships_sail)

    def effects(self, q: Order) -> Iterator[Event]:
        unit = q.unit
        if is_factory(unit):
            yield from factory_is_gone(q.state, unit, "EF.moving/4")
            return
        yield Moved(unit=unit.id, frm=unit.place, to=DEAD_PILE, because="EF.replacements/17")
        yield Marked(on=unit_key(unit.id), mark=LOST_BY, value=self.cause, because="EF.replacements/17")
        yield from leaves_behind(q.state, unit, DISPERSED)
        yield from _components_return(q, unit)

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        if on_the_map(unit):
            ashore = tuple(each for each in CAUSES if each != SEA_LOSS or _sails_from(world, unit.place.of))
            causes = (COMBAT,) if is_factory(unit) else ashore
            yield from (cls(unit=unit.id, cause=cause) for cause in causes)


def leaves_behind(state: State, unit: Unit, *more: str) -> Iterator[Event]:
    """A unit that is lost or lifted off the map does not take with it what held of it where it stood."""
    for name in (*more, *WHERE_IT_STOOD):
        if state.mark(unit_key(unit.id), name) is not None:
            yield Marked(on=unit_key(unit.id), mark=name)


def _components_return(q: Order, unit: Unit) -> Iterator[Event]:
    """Components that were set aside come to the dead pile with their composite unit (a ruling of EF.composite/1)."""
    names = q.facts.words(unit, COMPONENTS)
    for name in names:
        component = q.state.units.get(name)
        if component is not None and component.place.kind == ASIDE:
            yield Moved(unit=name, frm=component.place, to=DEAD_PILE, because="EF.composite/1")
            # It is dead from now on, not since it went into the composite unit.
            yield Marked(on=unit_key(name), mark=LOST_BY, value=COMPOSITE, because="EF.composite/1")
            # A tank army that went into a guards tank army has components of its own.
            yield from _components_return(q, component)
    if names:
        yield Marked(on=unit_key(unit.id), mark=COMPONENTS, because="EF.composite/1", says="its components are dead")


# ------------------------------------------------------------------------------------------ losing a factory


def factories_fall_with_their_point(q: Declaring) -> Iterator[Event]:
    """A factory on a point that comes under Axis control is destroyed, entrained or not."""
    point, world = q.on.removeprefix("place/"), q.world
    # A declaration taken back leaves the point to the side of its country.
    if (q.value or world.side_of(world.places().get(point, ""))) != AXIS:
        return
    for unit in q.state.stack(point):
        if not is_factory(unit):
            continue
        refuge = _refuge(q, unit, point)
        if refuge is not None:
            yield Moved(unit=unit.id, frm=unit.place, to=refuge, because="EF.moving/1", says="on rails, it gets away")
        else:
            yield from factory_is_gone(q.state, unit, "EF.moving/1")


def factory_is_gone(state: State, unit: Unit, because: str) -> Iterator[Event]:
    """A factory is destroyed for good, and is on no train any more."""
    yield Moved(unit=unit.id, frm=unit.place, to=Place(DESTROYED), because=because)
    for mark in ON_ITS_WAY:
        if state.mark(unit_key(unit.id), mark) is not None:
            yield Marked(on=unit_key(unit.id), mark=mark, because=because)


def _refuge(q: Declaring, unit: Unit, fallen: str) -> Place | None:
    """Where an entrained factory gets away to, where a group plays it so: the next point farthest from the enemy."""
    world: EasternWorld = q.world  # type: ignore[assignment]
    facts = world.facts(q.state)
    if q.switch(CAPTURED.key) != "retreats" or facts.turn_of(unit, ENTRAINED) is None:
        return None
    ends = [
        there
        for line, there in world.next_to(fallen)
        if world.line_kind(line).by == LAND and not facts.line_blocked(line)
    ]
    if any(end.removesuffix(EDGE) in siberian_edges(world, q.state) for end in ends if end.endswith(EDGE)):
        return IN_SIBERIA
    ours = [end for end in ends if end in world.points and facts.control(end) == SOVIET]
    return at_hex(out_of_reach(world, q.state, SOVIET, ours)[0]) if ours else None


@rule("EF.moving/4")
def factories_only_defend(q: Order) -> Verdict:
    """A factory is a minor unit in defence and never attacks."""
    if is_factory(q.unit):
        return no(f"{q.unit} is a factory and only defends")
    return YES


@shows("EF.moving/3", "EF.moving/4")
def factory_in_combat(world: EasternWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """What a factory is worth when its point is attacked."""
    if not is_factory(unit) or unit.place.kind != HEX:
        return
    facts, worth = world.facts(state), world.number("factory_defence")
    if facts.turn_of(unit, ENTRAINED) is not None:
        yield Effect("entrained: no defence value", "EF.moving/3")
        return
    if world.ruling(state, DEFENCE.key) == "one-a-point":
        yield Effect(f"its point defends with {worth}, however many factories it holds", "EF.moving/3")
    else:
        yield Effect(f"defends with a value of {worth}", "EF.moving/3")
    yield Effect("a minor unit in defence: one hit destroys it for good", "EF.moving/4")


CHAPTER = Chapter(
    heading="EF.moving (losses)",
    commands=(LoseUnit,),
    forbids={ATTACKED: (factories_only_defend,)},
    declared={CONTROL: (factories_fall_with_their_point,)},
    switches=(DEFENCE, CAPTURED),
    shows=(factory_in_combat,),
    habits={"lose": Habit((COMBAT_PHASE,), 4, on_map=True)},
)
