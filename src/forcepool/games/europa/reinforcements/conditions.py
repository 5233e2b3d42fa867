"""51.B.2  What an entry waits for: conditions that hold or have come about, and scenarios it is meant for."""

from collections.abc import Iterator
from typing import Any

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import WORDS, YES_NO, Fact, subject_key
from forcepool.engine.state import State
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Condition, Guard
from forcepool.rulebook.citations import asked, computed

SO, HAPPENED = "so", "happened"
UNCONTROLLED, IN_PLAY = "uncontrolled", "in_play"
MAPS = "maps_in_use"


@computed("51.B.2/2", "51.B.2/3")
def condition_holds(world: EuropaWorld, state: State, condition: Condition) -> bool:
    """A state is looked at now, an event stays true once it has happened; `no X` until X has happened."""
    text = condition.text
    if text.casefold().startswith("no "):
        return has_happened(world, state, text[3:]) is not condition.holds
    found = has_happened(world, state, text) if condition.kind == "event" else is_so(world, state, text)
    return found is condition.holds


def is_ruled_out(world: EuropaWorld, state: State, condition: Condition, by: int | None) -> bool:
    """Whether what must not have come about has, by a player-turn; what comes about later does not undo it."""
    if not condition.text.casefold().startswith("no ") or condition_holds(world, state, condition):
        return False
    mark = state.mark(_event(state, condition.text[3:], HAPPENED), HAPPENED)
    return by is None or mark is None or mark.since <= by


def holds_for(world: EuropaWorld, state: State, condition: Condition, by: int | None) -> bool:
    """Whether a condition holds for an entry that falls due in a player-turn; `no X` is judged in that."""
    if condition_holds(world, state, condition):
        return True
    judged = by is not None and condition.text.casefold().startswith("no ")
    return judged and not is_ruled_out(world, state, condition, by)


@asked("51.B.2/2")
def is_so(world: EuropaWorld, state: State, text: str) -> bool:
    """What the players say of a condition of the order of battle."""
    return world.facts(state).value(_event(state, text, SO), SO) is True


def has_happened(world: EuropaWorld, state: State, text: str) -> bool:
    return state.mark(_event(state, text, HAPPENED), HAPPENED) is not None


def _event(state: State, text: str, mark: str) -> str:
    """The key of what is said of an event; capitals make no difference."""
    key = subject_key("event", text)
    if state.mark(key, mark) is not None:
        return key
    return next((on for on in sorted(state.marked.get(mark, ())) if on.casefold() == key.casefold()), key)


def remember(q: Any) -> Iterator[Event]:
    """What has once been so has happened, whatever becomes of it."""
    if q.value and q.state.mark(q.on, HAPPENED) is None:
        yield Marked(on=q.on, mark=HAPPENED, value=True, because="51.B.2/2")


def guard_holds(world: EuropaWorld, state: State, guard: Guard, side: str) -> bool:
    """Whether the scenario is one that an entry is meant for."""
    if guard.kind == "controlled":
        found = is_controlled(world, state, guard.of, side)
    elif guard.kind == "in play":
        found = is_in_play(world, state, guard.of)
    elif guard.kind == "in use":
        said = world.facts(state).of_campaign(MAPS)
        found = isinstance(said, list) and guard.of.removeprefix("map ") in said
    else:
        found = has_happened(world, state, guard.of)
    return found is guard.holds


def theatre_named(world: EuropaWorld, name: str) -> str:
    """The theatre or command of that name; empty if this campaign has none."""
    for kind in ("theatre", "command", "front"):
        if (area := f"{kind}/{name.casefold()}") in world.areas:
            return area
    return ""


def is_in_play(world: EuropaWorld, state: State, name: str) -> bool:
    area = theatre_named(world, name)
    return bool(area) and world.facts(state).of_area(area, IN_PLAY) is not False


def is_controlled(world: EuropaWorld, state: State, name: str, side: str) -> bool:
    """Whether a side's player controls a theatre: one that is in play and not said to be run by nobody."""
    if not is_in_play(world, state, name):
        return False
    said = world.facts(state).of_area(theatre_named(world, name), UNCONTROLLED)
    return not (isinstance(said, list) and side in said)


CHAPTER = Chapter(
    heading="51.B.2",
    facts=(
        Fact(SO, ("event",), "a condition of the OB, by its words, holds", False, YES_NO),
        Fact(HAPPENED, ("event",), "it has once been so", False, YES_NO, by_hand=False),
        Fact(IN_PLAY, ("area",), "it is in play", True, YES_NO),
        Fact(UNCONTROLLED, ("area",), "the sides whose player does not control it", [], WORDS),
        Fact(MAPS, ("campaign",), "the maps in use", [], WORDS),
    ),
    declared={SO: (remember,)},
)
