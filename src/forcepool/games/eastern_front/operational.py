"""EF.reinforcements/2: operational movement, so far as the rear area must know of it."""

from collections.abc import Iterator

from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import PLAYER_TURN, YES_NO, Fact, unit_key
from forcepool.engine.game import Habit
from forcepool.engine.given import Spot, UnitName
from forcepool.engine.places import at_hex
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.eastern_front.chapter import OPERATIONAL_PHASE, Order, go_on_to
from forcepool.games.eastern_front.dispersal import is_undispersed, replacements_move_strategically
from forcepool.games.eastern_front.facts import LAND, REINFORCEMENT
from forcepool.games.eastern_front.strategic import StrategicMove, is_no_factory, standing_on_the_map
from forcepool.games.eastern_front.world import EasternWorld, is_factory, on_the_map

MOVED = "moved_operationally"


@rule("EF.reinforcements/2")
def after_the_replacement_phase(q: Order) -> Verdict:
    """A reinforcement may move operationally in its first turn, like any unit, once the first phase is over."""
    if q.world.phase(q.state) == OPERATIONAL_PHASE and q.world.phasing(q.state) == q.side:
        return YES
    return no(
        f"operational movement comes after the replacement/reinforcement phase, in the {q.side} "
        f"{OPERATIONAL_PHASE} phase",
        **go_on_to(q.world, q.state, q.side, OPERATIONAL_PHASE),
    )


class MoveOperationally(Command, tag="move-operationally", frozen=True):
    """Move a unit on the map in the operational movement phase."""

    unit: UnitName
    to: Spot
    """The point it goes to."""

    question = StrategicMove
    needs = (is_no_factory, standing_on_the_map("EF.reinforcements/2"))
    requires = (after_the_replacement_phase, replacements_move_strategically, is_undispersed)

    def effects(self, q: StrategicMove) -> Iterator[Event]:
        came = q.facts.came_this_turn(q.unit) == REINFORCEMENT
        because = "EF.reinforcements/2" if came else ""
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=at_hex(q.destination), because=because)
        yield Marked(on=unit_key(q.unit.id), mark=MOVED, value=True)

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        if on_the_map(unit) and not is_factory(unit) and world.phase(state) == OPERATIONAL_PHASE:
            for there in operational_reach(world, state, unit):
                yield cls(unit=unit.id, to=there)


def operational_reach(world: EasternWorld, state: State, unit: Unit) -> list[str]:
    """Where a unit could go over land through points its side holds, the nearest first; how far is the map's affair."""
    here, facts, side = unit.place.of, world.facts(state), world.side_now(state, unit.spec.nation)
    found = [here]
    for point in found:
        if point != here and facts.enemy_holds(side, point):
            continue
        for line, there in world.next_to(point):
            if there in world.points and there not in found and world.line_kind(line).by == LAND:
                found.append(there)
    return found[1:] or [point for point in sorted(world.points) if point != here]


CHAPTER = Chapter(
    heading="EF.reinforcements (operational movement)",
    commands=(MoveOperationally,),
    facts=(Fact(MOVED, ("unit",), "it moved operationally this turn", False, YES_NO, lasts=PLAYER_TURN),),
    habits={"move-operationally": Habit((OPERATIONAL_PHASE,), 2, on_map=True)},
)
