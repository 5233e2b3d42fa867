"""Points that change hands while units of the other side still stand on them: said at once, and asked after."""

from collections.abc import Iterator

from forcepool.engine.agenda import DUE, Item
from forcepool.engine.chapter import Chapter
from forcepool.engine.desk import Declaring
from forcepool.engine.events import Event, Noted
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.still_standing import taken_under_them, to_be_moved_or_lost
from forcepool.games.eastern_front.chapter import COMBAT_PHASE, OPERATIONAL_PHASE
from forcepool.games.eastern_front.facts import CONTROL
from forcepool.games.eastern_front.nations import capital_of
from forcepool.games.eastern_front.world import EasternWorld, is_factory


def others_at(world: EasternWorld, state: State, point: str, side: str) -> list[Unit]:
    """The units at a point that fight for another side.

    Not factories, which fall with their point, nor troops that went over: what those must do is told elsewhere.
    """
    return [
        unit
        for unit in state.stack(point)
        if world.side_now(state, unit.spec.nation) == world.side_of(unit.spec.nation) != side and not is_factory(unit)
    ]


def taken_with_units_on_it(q: Declaring) -> Iterator[Event]:
    """Whoever says that a point was taken is told that units are still there; which ones, their own side knows."""
    assert isinstance(q.world, EasternWorld)
    point = q.on.removeprefix("place/")
    side = str(q.value or q.world.side_of(q.world.point(point).country))
    # Whoever defends his own capital goes over with it.
    units = [
        unit
        for unit in (others_at(q.world, q.state, point, side) if side else ())
        if point != capital_of(q.world, q.state, unit.spec.nation)
    ]
    if units:
        sides = {q.world.side_now(q.state, unit.spec.nation) for unit in units}
        yield Noted(text=taken_under_them(point, side, units, sides))


def to_be_cleared(world: EasternWorld, state: State) -> Iterator[Item]:
    """Points of one side with units of the other on them: somebody forgot to move or lose those.

    A side that is moving or attacking may stand where it has not won yet.
    """
    facts, now = world.facts(state), world.phasing(state)
    attacking = world.phase(state) in (OPERATIONAL_PHASE, COMBAT_PHASE)
    for point in sorted(state.stacks):
        side = facts.control(point)
        units = others_at(world, state, point, side) if side else []
        whose = world.side_of(units[0].spec.nation) if units else ""
        if units and not (attacking and whose == now):
            text = f"{the_place(point)} is controlled by {side}, and {to_be_moved_or_lost(units)}, or mend the control"
            yield Item(DUE, text, "", whose)


CHAPTER = Chapter(heading="map", declared={CONTROL: (taken_with_units_on_it,)}, due=(to_be_cleared,))
