"""EF.expansion/6 to /8: a factory on the turn track is deployed when its turn has come."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.agenda import DUE, NEWS, OPEN, Item
from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command
from forcepool.engine.desk import Advance
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import TURN, Fact, unit_key
from forcepool.engine.game import Habit
from forcepool.engine.given import Spot, UnitName
from forcepool.engine.places import HEX, TRACK, Place
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.eastern_front.chapter import (
    REPLACEMENT_PHASE,
    Order,
    Remedy,
    by_orders,
    instead,
    only_in,
    wait_for,
)
from forcepool.games.eastern_front.facts import DEPLOYED, NO_SUPPLY
from forcepool.games.eastern_front.front import out_of_reach
from forcepool.games.eastern_front.world import IN_SIBERIA, SIBERIA, SOVIET, SOVIET_UNION, EasternWorld, is_factory

SITE = "site"

PUT_OFF = switch(
    "expansion-deployment",
    "EF.expansion/7",
    "whether deployment may be put off",
    at_once="it is deployed in its turn; Siberia is always open",
    may_wait="it may wait on the turn track",
)
BORDER = switch(
    "expansion-sites",
    "EF.expansion/8",
    "where an expansion factory may be deployed",
    june_1941="at any Soviet-controlled point within the border of June 1941, in supply or not",
    in_supply="there, but only at a point in supply",
    chosen_before="there, at the point written down when the factory was chosen",
    border_of_1939="at a Soviet-controlled point within the border of before 1939",
)


class Deploying(Order):
    """A factory on the turn track about to be put into play."""

    @property
    def place(self) -> Place:
        return self.world.parse_place(self.command.at)


@rule("EF.expansion/7")
def waits_on_the_track(q: Deploying) -> Verdict:
    """Only a factory on the turn track is deployed."""
    if q.unit.place.kind == TRACK and is_factory(q.unit):
        return YES
    return no(f"{q.unit} is {q.world.where(q.unit.place)}, not on the turn track")


@rule("EF.expansion/7", "EF.expansion/6")
def its_turn_has_come(q: Deploying) -> Verdict:
    """It is deployed three turns after it was chosen."""
    if q.turn >= q.unit.place.due:
        return YES
    wait = Fraction(q.unit.place.due - q.turn)
    return no(
        f"{q.unit} is due in {q.world.turn_name(q.unit.place.due)}",
        **wait_for(q.world, q.unit.place.due, SOVIET),
        have=Fraction(0),
        need=wait,
        also=("EF.expansion/6",),
    )


@rule("EF.expansion/8")
def is_a_soviet_site(q: Deploying) -> Verdict:
    """It stands in Siberia, or on a Soviet-controlled point in the Soviet Union."""
    played, place = q.switch(BORDER.key), q.place
    site = q.facts.word(q.unit, SITE)
    if played == "chosen-before" and site and site != (place.of or SIBERIA):
        if q.facts.control(site) == SOVIET or site == SIBERIA:
            return no(f"{site} was written down for it", **instead(q, f"deploy it at {site}", at=site))
        if place.kind != SIBERIA:
            return no(f"{the_place(site)} was written down for it and is lost", **_in_siberia(q))
    if place.kind == SIBERIA:
        return YES
    if place.kind != HEX:
        return no(f"{q.world.said_place(place)} is no point of the map", **_in_siberia(q))
    return _soviet_point(q, place.of, played)


def _in_siberia(q: Deploying) -> Remedy:
    return instead(q, "deploy it in Siberia, which is always open", at=SIBERIA)


def _soviet_point(q: Deploying, point: str, played: str) -> Verdict:
    row = q.world.point(point)
    if row.country != SOVIET_UNION:
        return no(f"{the_place(point)} is not in the Soviet Union", **_in_siberia(q))
    if played == "border-of-1939" and row.annexed:
        return no(f"{point} lies beyond the border of 1939", **_in_siberia(q))
    if q.facts.control(point) != SOVIET:
        return no(f"the Soviets do not control {the_place(point)}", **_in_siberia(q))
    if played == "in-supply" and q.facts.supply_at(SOVIET, point) == NO_SUPPLY:
        return no(f"{the_place(point)} is out of supply", **_in_siberia(q))
    return YES


class DeployFactory(Command, tag="deploy-factory", frozen=True):
    """Put a factory whose turn has come on a Soviet point or in Siberia; it may produce at once."""

    unit: UnitName
    at: Spot
    """A Soviet-controlled point in the Soviet Union, or Siberia."""

    question = Deploying
    needs = (waits_on_the_track,)
    requires = (only_in(REPLACEMENT_PHASE, "EF.expansion/7"), its_turn_has_come, is_a_soviet_site)

    def effects(self, q: Deploying) -> Iterator[Event]:
        because = "EF.expansion/7 EF.expansion/8"
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=q.place, because=because)
        yield Marked(on=unit_key(q.unit.id), mark=DEPLOYED, value=q.turn, because="EF.expansion/9")

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind != TRACK or not is_factory(unit):
            return
        yield from (cls(unit=unit.id, at=site) for site in sites_for(world, state))


def sites_for(world: EasternWorld, state: State) -> list[str]:
    """Where a factory may be deployed: Siberia, then Soviet points, the farthest from the enemy first."""
    facts = world.facts(state)
    ours = [name for name, row in world.points.items() if row.country == SOVIET_UNION and facts.control(name) == SOVIET]
    return [IN_SIBERIA.kind, *out_of_reach(world, state, SOVIET, ours)]


@rule("EF.expansion/7")
def factories_have_been_deployed(q: Order) -> Verdict:
    """A factory is deployed in the turn it is ready."""
    if q.switch(PUT_OFF.key) == "may-wait" or not is_soviet_phase(q.world, q.state):
        return YES
    ready = ready_factories(q.state)
    if ready:
        orders = (DeployFactory(unit=unit.id, at=likely_site(q.world, q.state, unit)) for unit in ready)
        remedy = by_orders("deploy-factory puts it on a point or in Siberia", orders)
        return no(f"{ready[0]} is ready and not deployed", **remedy)
    return YES


def is_soviet_phase(world: EasternWorld, state: State) -> bool:
    return world.phasing(state) == SOVIET and world.phase(state) == REPLACEMENT_PHASE


def ready_factories(state: State) -> list[Unit]:
    """The factories on the turn track whose turn has come."""
    now = state.clock.turn
    return [unit for unit in _on_the_track(state) if unit.place.due <= now]


def _on_the_track(state: State) -> list[Unit]:
    return [unit for unit in state.units_in_order() if unit.place.kind == TRACK and is_factory(unit)]


def todo(world: EasternWorld, state: State) -> Iterator[Item]:
    """Factories to be deployed, and those on their way."""
    if is_soviet_phase(world, state):
        kind = OPEN if world.ruling(state, PUT_OFF.key) == "may-wait" else DUE
        for unit in ready_factories(state):
            order = DeployFactory(unit=unit.id, at=likely_site(world, state, unit))
            yield Item(kind, f"{unit} is ready to be deployed", "EF.expansion/7", SOVIET, order)
    for unit in _on_the_track(state):
        if unit.place.due > state.clock.turn:
            yield Item(NEWS, f"{unit} is ready in {world.turn_name(unit.place.due)}", "EF.expansion/6", SOVIET)


def likely_site(world: EasternWorld, state: State, unit: Unit) -> str:
    """The point written down for a factory while the Soviets hold it, else Siberia."""
    facts = world.facts(state)
    site = facts.word(unit, SITE)
    return site if site and facts.control(site) == SOVIET else IN_SIBERIA.kind


CHAPTER = Chapter(
    heading="EF.expansion (deployment)",
    commands=(DeployFactory,),
    facts=(
        Fact(DEPLOYED, ("unit",), "the turn it was deployed", None, TURN),
        Fact(SITE, ("unit",), "the point written down for it", ""),
    ),
    guards={Advance: (factories_have_been_deployed,)},
    switches=(PUT_OFF, BORDER),
    due=(todo,),
    habits={"deploy-factory": Habit((REPLACEMENT_PHASE,), 2)},
)
