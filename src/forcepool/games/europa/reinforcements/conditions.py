"""51.B.2  What an entry waits for: conditions that hold or have come about, and scenarios it is meant for."""

from collections.abc import Iterator
from typing import Any

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import WORDS, YES_NO, Fact, subject_key
from forcepool.engine.state import State
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.reinforcements import places_fallen
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Condition, Guard
from forcepool.rulebook.citations import asked, computed

SO, HAPPENED, COME_ABOUT = "so", "happened", "come_about"
UNCONTROLLED, IN_PLAY = "uncontrolled", "in_play"
MAPS = "maps_in_use"


@computed("51.B.2/2", "51.B.2/3")
def condition_holds(world: EuropaWorld, state: State, condition: Condition, side: str) -> bool:
    """A state is looked at now, an event stays true once it has happened; `no X` until X has happened."""
    text = condition.text
    if text.casefold().startswith("no "):
        return has_happened(world, state, text[3:], side) is not condition.holds
    found = has_happened(world, state, text, side) if is_event(condition) else is_so(world, state, text, side)
    return found is condition.holds


def is_event(condition: Condition) -> bool:
    """Whether a condition is of the kind that stays met: by its `when`, or because a place falls or is retaken."""
    return condition.kind == "event" or places_fallen.is_event(condition.text)


def is_ruled_out(world: EuropaWorld, state: State, condition: Condition, by: int | None, side: str) -> bool:
    """Whether what must not have come about has, by a player-turn; what comes about later does not undo it."""
    if not condition.text.casefold().startswith("no ") or condition_holds(world, state, condition, side):
        return False
    mark = state.mark(_event(state, condition.text[3:], HAPPENED), HAPPENED)
    return by is None or mark is None or mark.since <= by


def holds_for(world: EuropaWorld, state: State, condition: Condition, by: int | None, side: str) -> bool:
    """Whether a condition holds for a side's entry that falls due in a player-turn; `no X` is judged in that."""
    if condition_holds(world, state, condition, side):
        return True
    judged = by is not None and condition.text.casefold().startswith("no ")
    return judged and not is_ruled_out(world, state, condition, by, side)


@asked("51.B.2/2")
def is_so(world: EuropaWorld, state: State, text: str, side: str) -> bool:
    """What the players say of a condition of the order of battle; where they say nothing, what the map shows."""
    said = state.mark(_event(state, text, SO), SO)
    return said.value is True if said is not None else bool(places_fallen.shows(world, state, text, side))


def has_happened(world: EuropaWorld, state: State, text: str, side: str) -> bool:
    """Whether something has come about for a side: by the players' word, or because the map showed it."""
    if state.mark(_event(state, text, HAPPENED), HAPPENED) is not None or side in come_about(state, text):
        return True
    return bool(places_fallen.shows(world, state, text, side))


def come_about(state: State, text: str) -> list[str]:
    """The sides for which the map has once shown that something came about."""
    mark = state.mark(_event(state, text, COME_ABOUT), COME_ABOUT)
    return mark.value if mark is not None and isinstance(mark.value, list) else []


def noted(state: State, text: str, side: str) -> Event:
    """The event that keeps what the map shows for a side, for when it shows it no longer."""
    sides = [*come_about(state, text), side]
    return Marked(on=subject_key("event", text), mark=COME_ABOUT, value=sides, because="51.B.2/2", says=text)


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
        found = has_happened(world, state, guard.of, side)
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
    return not is_said_uncontrolled(world.facts(state), theatre_named(world, name), side)


def is_said_uncontrolled(facts: EuropaFacts, area: str, side: str) -> bool:
    """Whether somebody has said that a side's player does not control an area."""
    said = facts.of_area(area, UNCONTROLLED)
    return isinstance(said, list) and side in said


CHAPTER = Chapter(
    heading="51.B.2",
    facts=(
        Fact(SO, ("event",), "a condition of the OB, by its words, holds", False, YES_NO),
        Fact(HAPPENED, ("event",), "it has once been so", False, YES_NO, by_hand=False),
        Fact(COME_ABOUT, ("event",), "the sides for which the map has shown it", [], WORDS, by_hand=False),
        Fact(IN_PLAY, ("area",), "it is in play", True, YES_NO),
        Fact(UNCONTROLLED, ("area",), "the sides whose player does not control it", [], WORDS),
        Fact(MAPS, ("campaign",), "the maps in use", [], WORDS),
    ),
    declared={SO: (remember,)},
)
