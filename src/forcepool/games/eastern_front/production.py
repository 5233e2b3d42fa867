"""EF.expansion/9, /10 and /17, EF.moving/7 and /20: when a factory produces."""

from collections.abc import Iterator

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.facts import PLAYER_TURN, YES_NO, Fact, unit_key
from forcepool.engine.game import Habit
from forcepool.engine.given import UnitName
from forcepool.engine.options import choice
from forcepool.engine.places import HEX, TRACK
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, Way, no, rule, yes
from forcepool.games.eastern_front.chapter import REPLACEMENT_PHASE, Order, Remedy, moment, only_in, wait_for
from forcepool.games.eastern_front.deployment import DeployFactory, likely_site
from forcepool.games.eastern_front.facts import ARRIVED, DEPLOYED, PRODUCED
from forcepool.games.eastern_front.schedules import AT_ONCE, SCHEDULES, first_production_turn, next_scheduled, schedule
from forcepool.games.eastern_front.world import (
    AXIS,
    REPLACEMENTS,
    SIBERIA,
    SOVIET,
    SOVIET_UNION,
    EasternWorld,
    Works,
    is_factory,
)

OUTPUT = "source/factories"


class Producing(Order):
    """A factory asked for its output."""

    @property
    def works(self) -> Works:
        return self.world.works[self.unit.id]


@rule("EF.moving/22")
def is_a_factory_counter(q: Order) -> Verdict:
    """Siberia's own works are no factory counters: their output is the symbols of the turn track."""
    works = q.world.factory(q.unit)
    if works is not None and not works.native:
        return YES
    return no(f"{q.unit} is no factory that could be moved or asked for output")


@rule("EF.expansion/17", "EF.expansion/7", "EF.moving/1")
def is_in_play(q: Producing) -> Verdict:
    """A factory produces once it is deployed, the first from July 1941."""
    unit = q.unit
    if unit.place.kind in (HEX, SIBERIA):
        return YES
    if unit.place.kind == TRACK:
        first = unit.place.due == q.world.dates["first_factory"]
        return no(
            f"{unit} is ready in {q.world.turn_name(unit.place.due)}",
            **_once_deployed(q),
            clause="EF.expansion/17" if first else "EF.expansion/7",
        )
    clause = "EF.moving/1" if unit.place.kind == "destroyed" else "EF.expansion/7"
    return no(f"{unit} is {q.world.where(unit.place)}", clause=clause)


@rule("EF.moving/1")
def is_not_in_axis_hands(q: Producing) -> Verdict:
    """A factory on a point that the Axis controls is destroyed with it, and turns out nothing."""
    if q.unit.place.kind != HEX or q.facts.control(q.unit.place.of) != AXIS:
        return YES
    point = the_place(q.unit.place.of)
    return no(f"the Axis controls {point}, and a factory there is destroyed", remedy=f"mend the control of {point}")


def _once_deployed(q: Producing) -> Remedy:
    """To deploy the factory when its turn has come, and to wait for its first month."""
    due = max(int(q.unit.place.due), q.turn)
    order = DeployFactory(unit=q.unit.id, at=likely_site(q.world, q.state, q.unit))
    produces = moment(q.world, first_production_turn(q.world, q.state, q.unit, due), SOVIET)
    way = Way(after=moment(q.world, due, SOVIET), first=(order,), until=produces)
    return {"remedy": f"deploy it in {q.world.turn_name(due)}", "way": way}


@rule("EF.expansion/10", "EF.expansion/9")
def is_a_production_month(q: Producing) -> Verdict:
    """A factory produces in the months printed under its symbol, from its deployment on."""
    months = schedule(q.world, q.state, q.works)
    if q.world.month(q.turn) not in months:
        names = ", ".join(q.world.calendar.names[month - 1] for month in months)
        return no(f"{q.unit} produces in {names}, not in {q.world.turn_name(q.turn)}", **_next_month(q))
    deployed = q.facts.turn_of(q.unit, DEPLOYED)
    if deployed == q.turn:
        if q.switch(AT_ONCE.key) == "next-scheduled":
            return no(f"{q.unit} was deployed this turn", clause="EF.expansion/9", **_next_month(q))
        return yes("EF.expansion/9")
    return YES


def _next_month(q: Producing) -> Remedy:
    """The remedy of waiting for the next month on the factory's schedule."""
    return wait_for(q.world, next_scheduled(q.world, q.state, q.works, q.turn + 1), SOVIET)


@rule("EF.moving/20")
def has_settled_in(q: Producing) -> Verdict:
    """After a move it produces again from the phase after its arrival."""
    arrived = q.facts.turn_of(q.unit, ARRIVED)
    if arrived is not None and arrived >= q.turn:
        return no(f"{q.unit} arrived this turn", **_next_month(q))
    return YES


@rule("EF.expansion/9")
def has_not_produced_yet(q: Producing) -> Verdict:
    """A factory produces once in a production month."""
    if q.facts.is_so(q.unit, PRODUCED):
        return no(f"{q.unit} has produced this turn", **_next_month(q))
    return YES


def output(world: EasternWorld, unit: Unit) -> Iterator[Event]:
    """What a factory turns out, and the mark that it has."""
    for kind, amount in sorted(world.profile.production.get(world.works[unit.id].kind, {}).items()):
        yield Transferred(
            amount=amount,
            kind=kind,
            nation=SOVIET_UNION,
            frm=OUTPUT,
            to=REPLACEMENTS,
            because="EF.expansion/9 EF.expansion/10",
            says=unit.id,
        )
    yield Marked(on=unit_key(unit.id), mark=PRODUCED, value=True, because="EF.expansion/9")


class Produce(Command, tag="produce", frozen=True):
    """Take the output of a factory in one of its production months."""

    unit: UnitName

    question = Producing
    needs = (is_a_factory_counter,)
    requires = (
        only_in(REPLACEMENT_PHASE, "EF.expansion/9"),
        is_in_play,
        is_not_in_axis_hands,
        is_a_production_month,
        has_settled_in,
        has_not_produced_yet,
    )

    def effects(self, q: Producing) -> Iterator[Event]:
        yield from output(q.world, q.unit)

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        works = world.factory(unit)
        if works is not None and not works.native and unit.place.kind in (HEX, SIBERIA):
            yield cls(unit=unit.id)


def producers(world: EasternWorld, state: State) -> list[Unit]:
    """The factories that may produce now and have not."""
    return [
        unit
        for unit in state.units_in_order()
        if is_factory(unit)
        for order in Produce.offers(world, state, unit)
        if choice(world, state, order).open
    ]


def what_is_left_is_produced(world: EasternWorld, state: State) -> Iterator[Event]:
    """Output nobody asked for comes in as the phase ends, so that none is forgotten."""
    for unit in producers(world, state):
        yield from output(world, unit)


def todo(world: EasternWorld, state: State) -> Iterator[Item]:
    """The factories that produce this month."""
    for unit in producers(world, state):
        yield Item(OPEN, f"{unit} produces", "EF.expansion/10", SOVIET, Produce(unit=unit.id))


CHAPTER = Chapter(
    heading="EF.expansion (production)",
    commands=(Produce,),
    facts=(Fact(PRODUCED, ("unit",), "it has produced this turn", False, YES_NO, lasts=PLAYER_TURN),),
    switches=(AT_ONCE, SCHEDULES),
    ends=(what_is_left_is_produced,),
    agenda=(todo,),
    habits={"produce": Habit((REPLACEMENT_PHASE,), 8, early=True)},
)
