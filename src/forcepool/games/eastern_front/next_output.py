"""EF.expansion/10 and EF.moving/20: the turn a factory can next produce in, as things stand."""

from forcepool.engine.places import HEX, TRACK
from forcepool.engine.state import State, Unit
from forcepool.games.eastern_front.chapter import REPLACEMENT_PHASE
from forcepool.games.eastern_front.facts import ARRIVED, DEPLOYED, ENTRAINED, PRODUCED
from forcepool.games.eastern_front.on_rails import soonest_arrival
from forcepool.games.eastern_front.schedules import AT_ONCE, first_production_turn, next_scheduled
from forcepool.games.eastern_front.world import SIBERIA, SOVIET, EasternWorld


def earliest_output(world: EasternWorld, state: State, unit: Unit) -> int | None:
    """The turn a factory can next produce in, at the earliest; None if it is not in play or no way leads out."""
    facts, now = world.facts(state), int(state.clock.turn)
    phase_is_over = world.phasing(state) == SOVIET and world.phase(state) != REPLACEMENT_PHASE
    next_phase = now + 1 if phase_is_over else now
    if unit.place.kind == TRACK:
        return first_production_turn(world, state, unit, max(unit.place.due, next_phase))
    fallen = unit.place.kind == HEX and facts.enemy_holds(SOVIET, unit.place.of)
    if fallen or unit.place.kind not in (HEX, SIBERIA):
        return None
    if facts.turn_of(unit, ENTRAINED) is not None:
        arrival = soonest_arrival(world, state, unit)
        return next_scheduled(world, state, world.works[unit.id], arrival[0] + 1) if arrival else None
    late = facts.turn_of(unit, DEPLOYED) == now and world.ruling(state, AT_ONCE.key) == "next-scheduled"
    done = late or facts.turn_of(unit, ARRIVED) == now or facts.is_so(unit, PRODUCED)
    return next_scheduled(world, state, world.works[unit.id], now + 1 if done else next_phase)
