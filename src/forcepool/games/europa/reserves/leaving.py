"""49.A.1.e, 49.A.2.e and 49.A.2.g  Leaving operational reserve: paid for, in the battle zone, or for a surprise."""

from collections.abc import Iterator
from typing import Annotated

from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import PLAYER_TURN, YES_NO, Fact, unit_key
from forcepool.engine.given import Spot, UnitName, one_of
from forcepool.engine.points import show_counted, show_points
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import MP_MARKER, OPERATIONAL, EuropaFacts
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.question import waits_for
from forcepool.games.europa.reserves.changes import (
    FREE,
    PAID,
    RESERVE,
    Changing,
    depot_is_one_it_can_use,
    left_reserve,
    limit_is_not_exceeded,
    operational_change,
    paid,
    the_number_is_known,
)
from forcepool.games.europa.reserves.depots import nets
from forcepool.games.europa.reserves.sizes import BATTLE_ZONE, Move, in_enemy_zoc, said_of
from forcepool.games.europa.world import EuropaWorld

SURPRISE, OPERATION, REACTION, IN_BATTLE_ZONE = "surprise", "operation", "reaction", "battle-zone"
WAYS = (SURPRISE, OPERATION, REACTION, IN_BATTLE_ZONE)
SURPRISE_ATTACK, PLANNED, ACTIVATED = "surprise_attack", "operation_planned", "activated_now"

CONDITIONS = switch(
    "leaving-reserve",
    "49.A.1.e/1",
    "when a unit may leave operational reserve",
    reinforcement_phase="in its owner's reinforcement phase; a surprise attack is another way out",
    any_phase="in any phase, for the +1 MP marker",
    surprise_only="only for a surprise attack, in its owner's reinforcement phase",
)
BATTLE = switch(
    "leaving-in-battle-zone",
    "49.A.2.e/1",
    "what leaving operational reserve at the end of a phase in the battle zone costs",
    half_price="the points of half its size, doubled in an enemy turn, and the +1 MP marker",
    free="nothing",
    free_own_phases="nothing, but only in its owner's turn",
)
SURPRISE_COSTS = switch(
    "surprise-attackers",
    "49.A.2.g/2",
    "what a unit that makes a surprise attack pays to leave operational reserve",
    free="nothing",
    points_at_hand="nothing, but the points must be there",
    no_marker="the points; only the +1 MP marker is spared",
)


@rule("49.A/2")
def is_in_operational_reserve(q: Changing) -> Verdict:
    """Only a unit on the map in operational reserve can leave it."""
    if q.unit.place.on_map and q.reserve == OPERATIONAL:
        return YES
    if not q.unit.place.on_map:
        return no(f"{q.unit} is {q.world.where(q.unit.place)}, not on the map in operational reserve")
    return no(f"{q.unit} is not in operational reserve")


@rule("49/1")
def is_no_neutrals(q: Changing) -> Verdict:
    """A neutral keeps its units in operational reserve until it becomes active."""
    if not q.facts.is_neutral(q.unit.spec.nation):
        return YES
    return no(
        f"{q.unit.spec.nation} is neutral and keeps its units in operational reserve",
        remedy=f"it may leave once {q.unit.spec.nation} is neutral no longer",
    )


@rule("49.A.1.e.i/1", "49.A.1.e.iii/1", "49.A.2.e/1", "49.A.1.c.vi/1", "49.A.2.g/1")
def in_own_reinforcement_phase(q: Changing) -> Verdict:
    """Units leave in their owner's reinforcement phase, unless surprise, operation or battle zone lets them."""
    ruled, by = q.switch(CONDITIONS.key), q.command.by
    if ruled == "surprise-only":
        if q.own_reinforcement_phase and attacks_by_surprise(q):
            return YES
        return no(
            f"{q.unit} makes no surprise attack in its {q.world.phase_called(REINFORCEMENT)}",
            remedy="keep it in reserve",
        )
    if q.own_reinforcement_phase:
        return YES
    if by:
        granted = {
            SURPRISE: "49.A.1.e.iii/1",
            OPERATION: "49.A.2.g/1",
            REACTION: "49.A.1.c.vi/1",
            IN_BATTLE_ZONE: "49.A.2.e/1",
        }
        return yes(granted[by], by)
    if ruled == "any-phase":
        return YES
    return no(f"it is {q.world.when(q.state)}", remedy=waits_for(q, REINFORCEMENT))


def attacks_by_surprise(q: Changing) -> bool:
    return q.command.by == SURPRISE and q.facts.is_so(q.unit, SURPRISE_ATTACK)


@rule("49.A.1.e.iii/1", "49.A.2.g/3")
def makes_a_surprise_attack(q: Changing) -> Verdict:
    """The way out by surprise is for units that make a surprise attack."""
    if q.command.by != SURPRISE:
        return YES
    if q.facts.is_so(q.unit, SURPRISE_ATTACK):
        return yes("49.A.2.g/3", "for the surprise attack") if q.waived else YES
    return no(f"{q.unit} makes no surprise attack", remedy=f"declare {SURPRISE_ATTACK} of it if it does")


@rule("49.A.2.g/1")
def has_an_operation_planned(q: Changing) -> Verdict:
    """The way out for a planned operation is for the units named in the plan, in their owner's turn."""
    if q.command.by != OPERATION or (q.facts.is_so(q.unit, PLANNED) and q.own_turn):
        return YES
    return no(f"no operation of this turn is planned for {q.unit}", remedy=f"declare {PLANNED} of it if there is")


@rule("49.A.1.c.vi/1")
def is_activated(q: Changing) -> Verdict:
    """In a reaction phase or an enemy turn a unit leaves only when another rule activates it."""
    if q.command.by != REACTION or q.facts.is_so(q.unit, ACTIVATED):
        return YES
    return no(f"no rule activates {q.unit} now", remedy=f"declare {ACTIVATED} of it if one does")


@rule("49.A.2.e/1")
def stands_in_the_battle_zone(q: Changing) -> Verdict:
    """A unit in the battle zone may leave as any phase ends."""
    if q.command.by != IN_BATTLE_ZONE:
        return YES
    if said_of(q.facts, q.unit, BATTLE_ZONE) is not True:
        return no(f"{q.unit} is not in the battle zone", remedy=f"declare {BATTLE_ZONE} of it or its hex if it is")
    if q.switch(BATTLE.key) == "free-own-phases" and not q.own_turn:
        return no("this is not its owner's turn", remedy="wait for the next own phase")
    return YES


@rule("49.A.2.g/2")
def operation_can_be_afforded(q: Changing) -> Verdict:
    """Without the points an operation is cancelled, or goes with the units that can be afforded."""
    if q.command.by != OPERATION or q.cost <= q.left:
        return YES
    return no(
        f"taking {q.unit} out costs {show_counted(q.cost, 'point')}, {the_pool(q.payer)} has {show_points(q.left)}",
        remedy="cancel the operation, or carry it out with the units you can afford",
        have=q.left,
        need=q.cost,
    )


class LeaveReserve(Command, tag="leave-reserve", frozen=True):
    """Take a unit out of operational reserve."""

    unit: UnitName
    depot: Spot = ""
    """The depot to charge, where the unit stands in the nets of several."""
    by: Annotated[str, one_of(*WAYS)] = ""
    """surprise, operation, reaction or battle-zone, where one of these lets it leave."""

    question = Changing
    needs = (is_in_operational_reserve,)
    requires = (
        is_no_neutrals,
        in_own_reinforcement_phase,
        makes_a_surprise_attack,
        has_an_operation_planned,
        is_activated,
        stands_in_the_battle_zone,
        operation_can_be_afforded,
        depot_is_one_it_can_use,
        the_number_is_known,
        limit_is_not_exceeded,
    )

    def move(self, q: Changing) -> Move:
        # Without a way out in the enemy's turn it waits for its own, where it does not count double.
        leaves_now = bool(self.by) or q.switch(CONDITIONS.key) == "any-phase"
        return Move(entering=False, enemy_turn=self.by == REACTION or (leaves_now and not q.own_turn))

    def waived(self, q: Changing) -> str:
        if attacks_by_surprise(q) and q.switch(SURPRISE_COSTS.key) == "free":
            return "49.A.2.g/3"
        if self.by == IN_BATTLE_ZONE and q.switch(BATTLE.key) != "half-price":
            return "49.A.2.e/1"
        if q.own_reinforcement_phase and in_enemy_zoc(q.world, q.facts, q.unit):
            return "49.A.1.c.iv/1"
        return ""

    def overdraft(self, q: Changing) -> str:
        return ""

    def effects(self, q: Changing) -> Iterator[Event]:
        why = f"49.A/2 49.A.1.a/4 49.A.1.e/1 {q.waived}".strip()
        surprise = attacks_by_surprise(q)
        spared = surprise and q.switch(SURPRISE_COSTS.key) == "points-at-hand"
        if not spared:
            yield from paid(q, "49.A.1.e/1")
            yield from operational_change(q)
        yield from left_reserve(q.state, q.unit.id, FREE if spared or not q.counts else PAID, why)
        if not q.waived and not surprise:
            yield mp_marker(q)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if not unit.place.on_map:
            return
        facts = world.facts(state)
        if facts.of_unit(unit, RESERVE) != OPERATIONAL:
            return
        for depot in nets(world, facts, unit.id, unit.place, unit.spec.nation) or [""]:
            yield cls(unit=unit.id, depot=depot)
            for by in (IN_BATTLE_ZONE, OPERATION, REACTION):
                if _says_so(facts, unit, by):
                    yield cls(unit=unit.id, depot=depot, by=by)
        if facts.is_so(unit, SURPRISE_ATTACK):
            yield cls(unit=unit.id, by=SURPRISE)


def _says_so(facts: EuropaFacts, unit: Unit, by: str) -> bool:
    """Whether players have declared what a way out of reserve asks for."""
    if by == IN_BATTLE_ZONE:
        return said_of(facts, unit, BATTLE_ZONE) is True
    return facts.is_so(unit, PLANNED if by == OPERATION else ACTIVATED)


def mp_marker(q: Changing) -> Event:
    """A unit that leaves has one MP more to spend."""
    number = q.facts.mp_marker(q.unit) + int(q.world.numbers["leaving_mp_marker"])
    return Marked(on=unit_key(q.unit.id), mark=MP_MARKER, value=number, because="49.A.1.e.ii/1")


CHAPTER = Chapter(
    heading="49.A.1.e",
    commands=(LeaveReserve,),
    facts=(
        Fact(SURPRISE_ATTACK, ("unit",), "it takes part in a surprise attack now", False, YES_NO, lasts=PLAYER_TURN),
        Fact(PLANNED, ("unit",), "a special operation or surprise turn is planned for it", False, YES_NO),
        Fact(ACTIVATED, ("unit",), "another rule activates it now, as in a reaction", False, YES_NO, lasts=PLAYER_TURN),
    ),
    switches=(CONDITIONS, BATTLE, SURPRISE_COSTS),
)
