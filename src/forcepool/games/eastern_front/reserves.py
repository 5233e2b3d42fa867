"""EF.reinforcements/20 and /21: which dead units the Siberian Reserves draw, and from when."""

from fractions import Fraction

from forcepool.engine.facts import unit_key
from forcepool.engine.state import State, Unit
from forcepool.games.eastern_front.irreplaceable import LOST_BY, never_comes_back
from forcepool.games.eastern_front.world import DEAD, RESERVES, SOVIET_UNION, EasternWorld, is_factory
from forcepool.games.eastern_front.worth import best_first, symbol_of
from forcepool.rulebook.citations import computed


@computed("EF.reinforcements/21")
def reserves_to_draw(world: EasternWorld, state: State) -> list[Unit]:
    """The dead units that meet what the Siberian Reserves are still owed, as many as there are."""
    found: list[Unit] = []
    left = {kind: state.balance(RESERVES, SOVIET_UNION, kind) for kind in world.profile.points}
    for unit in best_first(state.units.values()):
        symbol = symbol_of(world, unit)
        if can_be_drawn(world, state, unit) and was_dead_before(state, unit) and left.get(symbol, Fraction(0)) > 0:
            found.append(unit)
            left[symbol] -= world.numbers["symbol_worth"]
    return found


def can_be_drawn(world: EasternWorld, state: State, unit: Unit) -> bool:
    """Whether a unit is a dead Soviet one that may come back."""
    soviet = unit.spec.nation == SOVIET_UNION and unit.place.kind == DEAD
    return soviet and not is_factory(unit) and not never_comes_back(world, state, unit)


def was_dead_before(state: State, unit: Unit) -> bool:
    """Whether a unit was dead as this player-turn began: one that dies in it is called for in the next phase."""
    mark = state.mark(unit_key(unit.id), LOST_BY)
    return mark is None or mark.since < state.player_turn
