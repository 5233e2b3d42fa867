"""EF.moving/2: the factories with the enemy beside them, and whether there is a way out for them."""

from collections.abc import Iterator

from forcepool.engine.agenda import NEWS, OPEN, Item
from forcepool.engine.chapter import Chapter
from forcepool.engine.options import choice
from forcepool.engine.places import HEX
from forcepool.engine.sentence import the_place, the_places
from forcepool.engine.state import State, Unit
from forcepool.games.eastern_front.chapter import REPLACEMENT_PHASE
from forcepool.games.eastern_front.entraining import Entrain
from forcepool.games.eastern_front.facts import LAND
from forcepool.games.eastern_front.moving import journeys
from forcepool.games.eastern_front.sailing import sails_after
from forcepool.games.eastern_front.world import SOVIET, EasternWorld


def todo(world: EasternWorld, state: State) -> Iterator[Item]:
    """The factories with the enemy one line away, while there is still time to entrain them."""
    if world.phasing(state) != SOVIET or world.phase(state) != REPLACEMENT_PHASE:
        return
    for unit in state.units_in_order():
        if world.factory(unit) is None or unit.place.kind != HEX or not (near := _threats(world, state, unit.place.of)):
            continue
        order = Entrain(unit=unit.id)
        if not choice(world, state, order).open:
            continue
        at = the_place(unit.place.of)
        danger = f"{unit} at {at} is destroyed if the point falls, and the enemy is at {the_places(near)}"
        if escape := _way_out(world, state, unit):
            yield Item(OPEN, f"{danger}: entrain it now to {escape}", "EF.moving/2", SOVIET, order)
        else:
            yield Item(NEWS, f"{danger}; no way leads out for it", "EF.moving/14", SOVIET)


def _way_out(world: EasternWorld, state: State, unit: Unit) -> str:
    """What a factory that is entrained now can do later, in words; nothing where it would stand on rails for good."""
    means = {way.by for way in journeys(world, state, unit) if way.to != unit.place.of}
    if LAND in means:
        return "move it next turn"
    now = int(state.clock.turn)
    return f"let it sail in {world.turn_name(sails_after(world, state, now))}" if means else ""


def _threats(world: EasternWorld, state: State, point: str) -> list[str]:
    """The points one line by land away that enemies of the Soviets hold or stand on."""
    facts = world.facts(state)
    near = {there for line, there in world.next_to(point) if world.line_kind(line).overland and there in world.points}
    hostile = (any(_is_hostile(world, state, unit) for unit in state.stack(each)) for each in sorted(near))
    return [
        each for each, stands in zip(sorted(near), hostile, strict=True) if stands or facts.enemy_holds(SOVIET, each)
    ]


def _is_hostile(world: EasternWorld, state: State, unit: Unit) -> bool:
    return world.side_now(state, unit.spec.nation) != SOVIET


CHAPTER = Chapter(heading="EF.moving (evacuation)", agenda=(todo,))
