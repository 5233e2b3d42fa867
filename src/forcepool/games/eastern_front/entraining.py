"""EF.moving/5 to /12, /21 and /22: factories are entrained, within the strategic movement of the turn."""

from collections.abc import Iterator

from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import PLAYER_TURN, TAKEN_BACK, TURN, YES_NO, Fact, unit_key
from forcepool.engine.game import Habit
from forcepool.engine.given import UnitName
from forcepool.engine.options import choice
from forcepool.engine.places import HEX
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.eastern_front.chapter import REPLACEMENT_PHASE, Order, go_on_to, wait_for
from forcepool.games.eastern_front.facts import BY_SEA, ENTRAINED, NO_SUPPLY, PRODUCED
from forcepool.games.eastern_front.production import Produce, output
from forcepool.games.eastern_front.strategic import (
    allowance_is_stated,
    moves_left,
    next_turn,
    used_up,
    uses_capacity,
)
from forcepool.games.eastern_front.world import SIBERIA, SOVIET, EasternWorld

WENT_TO_SIBERIA = "went_to_siberia"
TRAVELLED = "travelled"
PAID = "paid"

COUNTED = switch(
    "entrained-limit",
    "EF.moving/9",
    "which factories the limit of strategic movement counts",
    all_entrained="all that are entrained; if capacity drops, only as many as it may move",
    newly_entrained="only those newly entrained in the turn",
)

PRODUCES_FIRST = switch(
    "entraining-and-production",
    "EF.moving/7",
    "whether a factory may produce in the phase in which it is entrained",
    one_or_the_other="no: one or the other in a phase",
    production_first="yes: production is done first",
)

CHARGED = switch(
    "entrained-charge",
    "EF.moving/12",
    "in which turns an entrained factory uses strategic movement",
    both_ends="in every turn it is entrained, those of entraining and arrival included",
    end_of_phase="only in turns in which it is entrained at the end of the phase",
)

FROM_SIBERIA = switch(
    "factories-from-siberia",
    "EF.moving/21",
    "which factories may be moved out of Siberia",
    all_counters="every factory counter, also one first deployed there",
    only_moved_there="only those that were moved there",
)

# ---------------------------------------------------------------------------------------------- entraining


def entrained(world: EasternWorld, state: State) -> list[Unit]:
    """The factories that are entrained now."""
    return world.facts(state).entrained()


def entrained_are_charged(world: EasternWorld, state: State) -> Iterator[Event]:
    """Each factory still entrained uses one of the allowance as the Soviet turn begins."""
    if world.phasing(state) == SOVIET and not state.clock.phase and _played(world, state) == "both-ends":
        yield from _charge(world, state)


def charged_at_the_end(world: EasternWorld, state: State) -> Iterator[Event]:
    """As the phase ends, those not yet charged this turn use it: all that are entrained, where a group plays it so."""
    if world.phasing(state) == SOVIET and world.phase(state) == REPLACEMENT_PHASE:
        yield from _charge(world, state)


def charged_in_mid_turn(world: EasternWorld, state: State) -> Iterator[Event]:
    """A game that begins in a Soviet turn has its entrained factories charged, unless its file states what is left."""
    to_come = world.phase(state) == REPLACEMENT_PHASE and _played(world, state) == "end-of-phase"
    if world.phasing(state) != SOVIET or to_come:
        return
    if not allowance_is_stated(world, state, SOVIET):
        yield from _charge(world, state)
        return
    for unit in entrained(world, state):
        yield _is_paid_for(unit)


def _played(world: EasternWorld, state: State) -> str:
    return world.ruling(state, CHARGED.key)


def _charge(world: EasternWorld, state: State) -> Iterator[Event]:
    """What entrained factories use of the allowance, each once in a turn, as far as it goes."""
    facts, cost = world.facts(state), world.numbers["move_cost"]
    unpaid = [unit for unit in entrained(world, state) if not facts.is_so(unit, PAID)]
    fit = unpaid[: max(0, moves_left(world, state, SOVIET) // cost)]
    if fit:
        says = f"{len(fit)} entrained factor{'y' if len(fit) == 1 else 'ies'}"
        yield uses_capacity(world, SOVIET, len(fit) * cost, "EF.moving/12 EF.strategic/4", says)
    for unit in fit:
        yield _is_paid_for(unit)


def _is_paid_for(unit: Unit) -> Event:
    return Marked(on=unit_key(unit.id), mark=PAID, value=True, because="EF.moving/12")


@rule("EF.moving/22")
def is_a_movable_factory(q: Order) -> Verdict:
    """The works that Siberia has at the start can never be moved; factory counters can."""
    works = q.world.factory(q.unit)
    if works is None:
        return no(f"{q.unit} is no factory")
    if works.native:
        return no(f"{q.unit} is Siberia's own and can never be moved")
    return YES


@rule("EF.moving/5")
def is_a_working_factory(q: Order) -> Verdict:
    """The first step of a move is to entrain a factory that is in play and not entrained."""
    if q.unit.place.kind not in (HEX, SIBERIA):
        return no(f"{q.unit} is {q.world.where(q.unit.place)}, not in play")
    if q.facts.turn_of(q.unit, ENTRAINED) is not None:
        return no(f"{q.unit} is entrained already")
    return YES


@rule("EF.moving/6", "EF.moving/8")
def entrained_in_the_phase(q: Order) -> Verdict:
    """Factories are entrained in the Soviet replacement/reinforcement phase, from the first turn on."""
    if q.world.phasing(q.state) == SOVIET and q.world.phase(q.state) == REPLACEMENT_PHASE:
        return yes("EF.moving/8") if q.turn == q.world.setting.start else YES
    remedy = go_on_to(q.world, q.state, SOVIET, REPLACEMENT_PHASE)
    return no("factories are entrained in the Soviet replacement/reinforcement phase", **remedy)


def _is_charged(q: Order) -> bool:
    """Whether the factory has used its one of the allowance this turn, as one that came off the train in it has."""
    return q.facts.is_so(q.unit, PAID)


@rule("EF.moving/12", "EF.strategic/4")
def leaves_capacity_for_it(q: Order) -> Verdict:
    """The factory uses one of the allowance in the turn it is entrained."""
    counts_all = q.switch(COUNTED.key) == "all-entrained" and q.switch(CHARGED.key) == "both-ends"
    have, need = moves_left(q.world, q.state, SOVIET), q.world.numbers["move_cost"]
    if have >= need or not counts_all or _is_charged(q) or q.world.phasing(q.state) != SOVIET:
        return YES
    return no(
        used_up(q.world, q.turn, SOVIET),
        have=have,
        need=need,
        also=("EF.strategic/4",),
        **next_turn(q.world, q.state, SOVIET, REPLACEMENT_PHASE),
    )


@rule("EF.moving/10", "EF.moving/11")
def factory_is_in_supply(q: Order) -> Verdict:
    """A factory must be in supply to be entrained; supply by sea will do."""
    supply = q.facts.supply(q.unit)
    if supply == NO_SUPPLY:
        return no(f"{q.unit} is out of supply", remedy="open a line of supply, by land or by sea")
    return yes("EF.moving/11") if supply == BY_SEA else YES


@rule("EF.moving/7")
def has_not_produced(q: Order) -> Verdict:
    """In one phase a factory either produces or is entrained."""
    if q.facts.is_so(q.unit, PRODUCED) and q.switch(PRODUCES_FIRST.key) == "one-or-the-other":
        return no(f"{q.unit} has produced in this phase", **wait_for(q.world, q.turn + 1, SOVIET))
    return YES


@rule("EF.moving/21")
def may_leave_siberia(q: Order) -> Verdict:
    """A factory in Siberia may be brought back to the map by the same steps."""
    if q.unit.place.kind != SIBERIA or q.switch(FROM_SIBERIA.key) == "all-counters":
        return YES
    if q.facts.is_so(q.unit, WENT_TO_SIBERIA):
        return YES
    return no(f"{q.unit} was first deployed in Siberia and stays there")


class Entrain(Command, tag="entrain", frozen=True):
    """Turn a factory over: it stops producing and can be moved in the next Soviet phase."""

    unit: UnitName

    question = Order
    needs = (is_a_movable_factory, is_a_working_factory)
    requires = (
        entrained_in_the_phase,
        factory_is_in_supply,
        leaves_capacity_for_it,
        has_not_produced,
        may_leave_siberia,
    )

    def effects(self, q: Order) -> Iterator[Event]:
        uses = min(q.world.numbers["move_cost"], moves_left(q.world, q.state, SOVIET))
        if uses > 0 and _played(q.world, q.state) == "both-ends" and not _is_charged(q):
            yield uses_capacity(q.world, SOVIET, uses, "EF.moving/12", q.unit.id)
            yield _is_paid_for(q.unit)
        first = q.switch(PRODUCES_FIRST.key) == "production-first"
        if first and choice(q.world, q.state, Produce(unit=q.unit.id)).open:
            yield from output(q.world, q.unit)
        because = "EF.moving/5 EF.moving/6 EF.moving/7"
        yield Marked(on=unit_key(q.unit.id), mark=ENTRAINED, value=q.turn, because=because)

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        works = world.factory(unit)
        if works is None or works.native or unit.place.kind not in (HEX, SIBERIA):
            return
        if world.facts(state).turn_of(unit, ENTRAINED) is None:
            yield cls(unit=unit.id)


CHAPTER = Chapter(
    heading="EF.moving (entraining)",
    commands=(Entrain,),
    facts=(
        Fact(
            ENTRAINED,
            ("unit",),
            "the turn it was entrained",
            None,
            TURN,
            said={TAKEN_BACK: "it is entrained no longer"},
        ),
        Fact(WENT_TO_SIBERIA, ("unit",), "it was moved to Siberia", False, YES_NO, said={"yes": "moved to Siberia"}),
        Fact(
            PAID, ("unit",), "it has used strategic movement this turn", False, YES_NO, lasts=PLAYER_TURN, by_hand=False
        ),
    ),
    switches=(COUNTED, PRODUCES_FIRST, CHARGED, FROM_SIBERIA),
    opening=(charged_in_mid_turn,),
    happens=(entrained_are_charged,),
    ends=(charged_at_the_end,),
    habits={"entrain": Habit((REPLACEMENT_PHASE,), 2)},
)
