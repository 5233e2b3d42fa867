"""EF.moving/7, /9 and /13: what entrained factories bar while they wait, and when they may go on."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.agenda import DUE, OPEN, Item
from forcepool.engine.chapter import Chapter
from forcepool.engine.desk import Advance
from forcepool.engine.options import choice
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, Way, no, rule
from forcepool.games.eastern_front.chapter import REPLACEMENT_PHASE, Order, Remedy, by_orders, moment, wait_for
from forcepool.games.eastern_front.entraining import COUNTED, TRAVELLED, Entrain, entrained
from forcepool.games.eastern_front.facts import ENTRAINED, SEA
from forcepool.games.eastern_front.moving import MoveFactory, journeys, moved_this_turn
from forcepool.games.eastern_front.production import Produce, Producing
from forcepool.games.eastern_front.sailing import sails_from
from forcepool.games.eastern_front.schedules import next_scheduled
from forcepool.games.eastern_front.strategic import capacity_of, next_turn
from forcepool.games.eastern_front.world import SIBERIA, SOVIET, EasternWorld

MUST_MOVE = switch(
    "entrained-wait",
    "EF.moving/13",
    "whether an entrained factory may wait",
    may_wait="it may, and uses capacity each turn",
    at_once="it must move in the next phase",
)

# ------------------------------------------------------------------------------------------- when it may go on


def next_phase(world: EasternWorld, state: State) -> int:
    """The turn of the Soviet replacement/reinforcement phase that is being played or comes next."""
    over = world.phasing(state) == SOVIET and world.phase(state) != REPLACEMENT_PHASE
    return int(state.clock.turn) + (1 if over else 0)


def soonest_arrival(world: EasternWorld, state: State, unit: Unit) -> tuple[int, MoveFactory] | None:
    """The first turn in which an entrained factory could end its journey, and how; None if no way is open."""
    facts, soonest = world.facts(state), next_phase(world, state)
    since = facts.turn_of(unit, ENTRAINED)
    if since is None:
        return None
    if facts.is_so(unit, TRAVELLED):
        soonest = max(soonest, int(state.clock.turn) + 1)
    found = [
        (max(soonest, sails_from(world, state, unit) if way.by == SEA else since + 1), way)
        for way in journeys(world, state, unit)
        if not way.stop
    ]
    return min(found, key=lambda each: each[0], default=None)


def _arrives(q: Order, unit: Unit, then: str, until: int) -> Remedy:
    """To bring an entrained factory to its destination as soon as may be, and what is done after that."""
    found = soonest_arrival(q.world, q.state, unit)
    if found is None:
        return {}
    turn, order = found
    now = turn == q.turn and q.world.phasing(q.state) == SOVIET and q.world.phase(q.state) == REPLACEMENT_PHASE
    until = max(until, turn + 1)
    goal = "Siberia" if order.to == SIBERIA else the_place(order.to)
    when = "" if now else f" in {q.world.turn_name(turn)}"
    way = Way(
        after=None if now else moment(q.world, turn, SOVIET), first=(order,), until=moment(q.world, until, SOVIET)
    )
    return {"remedy": f"move {unit} to {goal}{when}, and {then} in {q.world.turn_name(until)}", "way": way}


# --------------------------------------------------------------------------------------------- what it bars


@rule("EF.moving/7")
def is_not_entrained(q: Producing) -> Verdict:
    """An entrained factory produces nothing."""
    if q.facts.turn_of(q.unit, ENTRAINED) is None:
        return YES
    arrival = soonest_arrival(q.world, q.state, q.unit)
    settled = next_scheduled(q.world, q.state, q.works, arrival[0] + 1) if arrival else 0
    return no(f"{q.unit} is entrained", **_arrives(q, q.unit, "let it produce", settled))


@rule("EF.moving/9")
def entrained_within_capacity(q: Order) -> Verdict:
    """No more factories are entrained in a turn than the Soviets may move units strategically."""
    capacity = Fraction(capacity_of(q.world, q.turn, SOVIET))
    listed = entrained(q.world, q.state)
    if q.switch(COUNTED.key) == "newly-entrained":
        listed = [unit for unit in listed if q.facts.turn_of(unit, ENTRAINED) == q.turn]
    need = Fraction(len(listed) + 1)
    if need <= capacity:
        return YES
    on_trains = "1 factory is" if len(listed) == 1 else f"{len(listed)} factories are"
    return no(
        f"{on_trains} entrained, and strategic movement is {capacity}",
        have=need,
        need=capacity,
        **_room_for_one_more(q, listed),
    )


def _room_for_one_more(q: Order, listed: list[Unit]) -> Remedy:
    """To wait for the next turn's capacity, or to bring one of those on the trains to its destination first."""
    if q.switch(COUNTED.key) == "newly-entrained":
        return wait_for(q.world, q.turn + 1, SOVIET) if capacity_of(q.world, q.turn + 1, SOVIET) else {}
    wait = next_turn(q.world, q.state, SOVIET, REPLACEMENT_PHASE)
    if wait:
        return wait
    ways = [(found[0], unit.id) for unit in listed if (found := soonest_arrival(q.world, q.state, unit)) is not None]
    if not ways or capacity_of(q.world, min(ways)[0] + 1, SOVIET) < len(listed):
        return {}
    return _arrives(q, q.state.units[min(ways)[1]], f"entrain {q.unit}", 0)


@rule("EF.moving/13")
def entrained_factories_have_moved(q: Order) -> Verdict:
    """Where a group plays it so, an entrained factory must move in the next phase."""
    soviet_phase = q.world.phasing(q.state) == SOVIET and q.world.phase(q.state) == REPLACEMENT_PHASE
    if q.switch(MUST_MOVE.key) != "at-once" or not soviet_phase:
        return YES
    stood = [unit for unit in entrained(q.world, q.state) if not q.facts.is_so(unit, TRAVELLED)]
    ways = {unit: order for unit in stood if (order := _first_open_journey(q.world, q.state, unit)) is not None}
    if not ways:
        return YES
    fit = capacity_of(q.world, q.state.clock.turn, SOVIET) - moved_this_turn(q)
    remedy = by_orders("move-factory takes it on", list(ways.values())[:fit])
    return no(f"{next(iter(ways))} must move now", **remedy)


# ------------------------------------------------------------------------------------------------ checklist


def capacity_line(world: EasternWorld, state: State) -> str:
    """What entrained factories take of the allowance, in words."""
    return f"{len(entrained(world, state))} entrained of {capacity_of(world, state.clock.turn, SOVIET)}"


def _first_open_journey(world: EasternWorld, state: State, unit: Unit) -> MoveFactory | None:
    ways = (way for way in MoveFactory.offers(world, state, unit) if isinstance(way, MoveFactory))
    return next((way for way in ways if choice(world, state, way).open), None)


def _why_it_waits(world: EasternWorld, state: State, unit: Unit) -> str:
    """When a factory that can go nowhere now may go on or put to sea, or that nothing leads out, in words."""
    now, ways = state.clock.turn, list(journeys(world, state, unit))
    if not ways:
        return "; no way leads out"
    if world.facts(state).is_so(unit, TRAVELLED):
        return f"; it may go on in {world.turn_name(now + 1)}"
    ready = sails_from(world, state, unit)
    by_sea = any(way.by == SEA for way in ways)
    return f"; it may sail in {world.turn_name(ready)}" if by_sea and ready > now else ""


def todo(world: EasternWorld, state: State) -> Iterator[Item]:
    """The factories that wait entrained."""
    if world.phasing(state) != SOVIET or world.phase(state) != REPLACEMENT_PHASE:
        return
    facts, line = world.facts(state), capacity_line(world, state)
    kind = DUE if world.ruling(state, MUST_MOVE.key) == "at-once" else OPEN
    for unit in entrained(world, state):
        if facts.turn_of(unit, ENTRAINED) != state.clock.turn:
            order = _first_open_journey(world, state, unit)
            waits = _why_it_waits(world, state, unit) if order is None else ""
            text = f"{unit} is entrained {world.where(unit.place)} ({line}){waits}"
            yield Item(kind, text, "EF.moving/13", SOVIET, order)


CHAPTER = Chapter(
    heading="EF.moving (on the way)",
    guards={
        Advance: (entrained_factories_have_moved,),
        Entrain: (entrained_within_capacity,),
        Produce: (is_not_entrained,),
    },
    switches=(MUST_MOVE,),
    due=(todo,),
)
