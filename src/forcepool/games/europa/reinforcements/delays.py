"""51.A.2 and 51.A.10  Reinforcements held back for lack of room, and those lost with the hexes they wait for."""

from collections.abc import Callable, Iterator
from typing import Any, cast

from forcepool.engine.command import Command, Question
from forcepool.engine.desk import Advance
from forcepool.engine.events import Event, Moved
from forcepool.engine.facts import NUMBER, Fact, place_key, unit_key
from forcepool.engine.given import UnitName
from forcepool.engine.options import choice
from forcepool.engine.places import OUT_OF_PLAY, Place
from forcepool.engine.sentence import the_place, the_places
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.ownership import owners_then, take_off
from forcepool.games.europa.ground.placing import RETURNS, is_disrupted
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.tallies import front_of
from forcepool.games.europa.question import in_its_place
from forcepool.games.europa.reinforcements.appearing import (
    ROOM,
    Appearing,
    Reinforce,
    an_entry_brings_it,
    candidates,
    is_awaited,
    it_is_the_reinforcement_phase,
)
from forcepool.games.europa.reinforcements.entries import ENTRY, marked
from forcepool.games.europa.reinforcements.returning import due_back
from forcepool.games.europa.world import ELIMINATED, ISOLATED, NATIONAL, REINFORCEMENT_TRACK, EuropaWorld
from forcepool.rulebook.citations import computed

DELAYED = "delayed"

DELAY = switch(
    "reinforcement-delay",
    "51.A.2/2",
    "when a reinforcement may be held back",
    no_room="while no permitted hex has room without overstacking, as often as need be",
    at_will="whenever its owner likes",
    once="once, while no permitted hex has room without overstacking",
)
LOST = switch(
    "delayed-reinforcements",
    "51.A.2/3",
    "what becomes of a delayed reinforcement whose hexes were all captured",
    held_back="one that was held back is eliminated, any other waits",
    every="it is eliminated, whatever delayed it",
    isolated="one that was held back goes to the ELIMINATED ISOLATED BOX",
    out="one that was held back is out of play for good",
    never="it waits",
)


def has_room(world: EuropaWorld, state: State, unit: Unit) -> str:
    """A place where a reinforcement may appear now without overstacking; empty if there is none."""
    facts, side = world.facts(state), world.side_now(state, unit.spec.nation)
    for name in facts.by_use(side, candidates(world, state, unit)):
        room = facts.value(place_key(name), ROOM)
        if (not isinstance(room, int) or room > 0) and choice(world, state, Reinforce(unit=unit.id, at=name)).open:
            return name
    return ""


def times_delayed(world: EuropaWorld, state: State, unit: Unit) -> int:
    return cast(int, world.facts(state).value(unit_key(unit.id), DELAYED))


@rule("51.A.2/2")
def could_only_be_overstacked(q: Appearing) -> Verdict:
    """A reinforcement is held back only where it could not be placed without overstacking."""
    ruling = q.switch(DELAY.key)
    if ruling == "at-will":
        return YES
    if room := has_room(q.world, q.state, q.unit):
        order = Reinforce(unit=q.unit.id, at=room)
        return no(
            f"{the_place(room)} has room for {q.unit}", remedy=in_its_place(q, order, f"place it at {the_place(room)}")
        )
    if ruling == "once" and times_delayed(q.world, q.state, q.unit):
        return no(f"{q.unit} was held back once already", remedy="overstack it")
    return YES


class HoldBack(Command, tag="hold-back", frozen=True):
    """Hold a reinforcement back to the next turn because it could only be placed by overstacking."""

    unit: UnitName

    question = Appearing
    needs = (an_entry_brings_it,)
    requires = (it_is_the_reinforcement_phase, could_only_be_overstacked)

    def effects(self, q: Appearing) -> Iterator[Event]:
        frm, turn = q.unit.place, q.state.clock.turn + int(q.world.numbers["held_back_wait"])
        yield Moved(unit=q.unit.id, frm=frm, to=Place(frm.kind, frm.of, turn), because="51.A.2/2", says="held back")
        if q.returns:
            yield marked(q.unit.id, RETURNS, turn, "51.A.2/2")
        yield marked(q.unit.id, DELAYED, times_delayed(q.world, q.state, q.unit) + 1, "51.A.2/2")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if is_awaited(state, unit):
            yield cls(unit=unit.id)


def awaited(world: EuropaWorld, state: State) -> list[Unit]:
    """The reinforcements due now of the player whose reinforcement phase it is."""
    if world.phase(state) != REINFORCEMENT:
        return []
    side = world.phasing(state)
    back = due_back(world, state, side)
    names = sorted(on.removeprefix("unit/") for on in state.marked.get(ENTRY, ()))
    units = (state.units[name] for name in names if name in state.units)
    due = [unit for unit in units if is_awaited(state, unit) and world.side_now(state, unit.spec.nation) == side]
    return [*(unit for unit in due if unit not in back), *back]


@rule("51.A.2/2", "51.A.10/1")
def none_is_left_behind(q: Question) -> Verdict:
    """The reinforcement phase does not end while a reinforcement could still be placed without overstacking."""
    assert isinstance(q.world, EuropaWorld)
    for unit in awaited(q.world, q.state):
        if q.switch(DELAY.key) != "at-will" and (room := has_room(q.world, q.state, unit)):
            return no(f"{unit} can be placed at {the_place(room)}", remedy="place it there first", also=("51.A.10/1",))
    return YES


def lose_with_their_hexes(world: EuropaWorld, state: State) -> Iterator[Event]:
    """Once every hex it could be placed in is the enemy's, a reinforcement held back is lost."""
    yield from _lost_with_their_hexes(world, state)


def lose_at_once_with_their_hexes(q: Any) -> Iterator[Event]:
    """The same the moment the last hex is declared to have fallen."""
    if q.value:
        yield from _lost_with_their_hexes(q.world, q.state, owners_then(q))


def _lost_with_their_hexes(
    world: EuropaWorld, state: State, owner: Callable[[str], str] | None = None
) -> Iterator[Event]:
    ruling = world.ruling(state, LOST.key)
    marks = {*state.marked.get(ENTRY, ()), *state.marked.get(RETURNS, ())}
    for name in sorted(on.removeprefix("unit/") for on in marks):
        unit = state.units.get(name)
        if unit is None or not (unit.place.kind == REINFORCEMENT_TRACK or is_disrupted(state, unit)):
            continue
        late = unit.place.due < state.clock.turn
        if is_lost_with_them(ruling, bool(times_delayed(world, state, unit)), late):
            yield from _if_all_are_captured(world, state, unit, ruling, owner or world.facts(state).owner)


@computed("51.A.2/3")
def is_lost_with_them(ruling: str, held: bool, late: bool) -> bool:
    """One that was held back; by other rulings every one that is late, or none."""
    return ruling != "never" and (held or (ruling == "every" and late))


def _if_all_are_captured(
    world: EuropaWorld, state: State, unit: Unit, ruling: str, owner: Callable[[str], str]
) -> Iterator[Event]:
    side = world.side_now(state, unit.spec.nation)
    hexes = candidates(world, state, unit)
    if not hexes or any(owner(each) in ("", side) for each in hexes):
        return
    front = front_of(world, state, unit.place.of, unit.spec.nation)
    to = {"isolated": Place(ISOLATED, NATIONAL + unit.spec.nation), "out": OUT_OF_PLAY}.get(
        ruling, Place(ELIMINATED, front)
    )
    says = f"held back, and the enemy holds {the_places(hexes)}"
    yield Moved(unit=unit.id, frm=unit.place, to=to, because="51.A.2/3", says=says)
    for mark in (ENTRY, DELAYED):
        yield from take_off(state, unit_key(unit.id), mark)


CHAPTER = Chapter(
    heading="51.A.2",
    commands=(HoldBack,),
    facts=(Fact(DELAYED, ("unit",), "how often it was held back", 0, NUMBER, by_hand=False),),
    switches=(DELAY, LOST),
    guards={Advance: (none_is_left_behind,)},
    declared={"owner": (lose_at_once_with_their_hexes,)},
    happens=(lose_with_their_hexes,),
)
