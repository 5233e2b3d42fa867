"""EF.reinforcements/3: who may attack, and when."""

from forcepool.engine.chapter import Chapter
from forcepool.engine.facts import PLAYER_TURN, YES_NO, Fact
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, Way, no, rule
from forcepool.games.eastern_front.chapter import COMBAT_PHASE, Order, go_on_to, moment
from forcepool.games.eastern_front.dispersal import held_back, recovery
from forcepool.games.eastern_front.facts import HELD_REPLACEMENT, REPLACEMENT
from forcepool.games.eastern_front.world import on_the_map

ATTACKED = "attacked"

ON_ENTRY = switch(
    "attack-on-entry",
    "EF.reinforcements/3",
    "which replacements may attack in the turn they enter",
    entered_operationally="one that was held in Siberia and entered operationally, undispersed, and no other",
    none="none, however it entered",
)


class Attacking(Order):
    """A unit about to be declared to have attacked, or not to have."""

    value: bool | None


@rule("EF.reinforcements/3")
def attacks_from_the_map(q: Attacking) -> Verdict:
    """Only a unit that stands on the map attacks."""
    if on_the_map(q.unit) or not q.value:
        return YES
    return no(f"{q.unit} is {q.world.where(q.unit.place)}, not on the map")


@rule("EF.reinforcements/3")
def attacks_in_combat(q: Attacking) -> Verdict:
    """A reinforcement may attack in its first turn, but not before the replacement/reinforcement phase is over."""
    side = q.world.side_now(q.state, q.unit.spec.nation)
    in_its_phase = q.world.phasing(q.state) == side and q.world.phase(q.state) == COMBAT_PHASE
    if in_its_phase or not q.value:
        return YES
    remedy = go_on_to(q.world, q.state, side, COMBAT_PHASE)
    return no(f"{q.unit} attacks in the {side} {COMBAT_PHASE} phase", **remedy)


@rule("EF.reinforcements/3", "EF.replacements/11")
def replacements_do_not_attack(q: Attacking) -> Verdict:
    """In the turn it enters a replacement does not attack, unlike a reinforcement."""
    came = q.facts.came_this_turn(q.unit)
    barred = came == REPLACEMENT or (came == HELD_REPLACEMENT and q.switch(ON_ENTRY.key) == "none")
    if not barred or not q.value:
        return YES
    return no(
        f"{q.unit} came in as a replacement this turn, and only reinforcements attack in the turn they enter",
        remedy="attack with it from next turn on",
        way=Way(until=moment(q.world, q.state.clock.turn + 1, q.world.phasing(q.state), COMBAT_PHASE)),
        also=("EF.replacements/11",),
    )


@rule("EF.reinforcements/3", "EF.reinforcements/2", "EF.strategic/2")
def dispersed_units_do_not_attack(q: Attacking) -> Verdict:
    """A dispersed unit does not attack."""
    if q.value and held_back(q):
        return no(
            f"{q.unit} is dispersed",
            **recovery(q, q.unit, COMBAT_PHASE),
            also=("EF.reinforcements/2", "EF.strategic/2"),
        )
    return YES


CHAPTER = Chapter(
    heading="EF.reinforcements (attacking)",
    facts=(Fact(ATTACKED, ("unit",), "it has attacked this turn", False, YES_NO, lasts=PLAYER_TURN),),
    forbids={
        ATTACKED: (attacks_from_the_map, attacks_in_combat, replacements_do_not_attack, dispersed_units_do_not_attack)
    },
    switches=(ON_ENTRY,),
)
