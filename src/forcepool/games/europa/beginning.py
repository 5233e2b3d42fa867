"""What a campaign begins with: facts that are set up have the consequences of facts that are declared."""

from collections.abc import Iterator, Mapping
from typing import Any

from forcepool.engine.chapter import Opening
from forcepool.engine.command import Also
from forcepool.engine.desk import Declare, Declaring
from forcepool.engine.events import Event, Marked
from forcepool.engine.state import State, evolve
from forcepool.games.europa.world import EuropaWorld


def begins_with(stands: Mapping[str, tuple[Also, ...]]) -> Opening:
    """As the last step of setting up, each fact of which something follows is taken as if it were declared now."""

    def opening(world: EuropaWorld, state: State) -> Iterator[Event]:
        given = {(on, mark) for on, marks in state.marks.items() for mark in marks}
        so_far = state.copy()
        for fact, follows in sorted(stands.items()):
            for on in sorted(so_far.marked.get(fact, ())):
                q = _as_declared(world, so_far, fact, on)
                events = [
                    event for consequence in follows for event in consequence(q) if not _is_said(event, on, given)
                ]
                evolve(so_far, events)
                yield from events

    return opening


def _as_declared(world: EuropaWorld, state: State, fact: str, on: str) -> Declaring:
    kind, _, name = on.partition("/")
    subject: dict[str, Any] = {"unit": name} if kind == "unit" else {"about": name}
    return Declaring(world, state, Declare(fact=fact, value=state.marks[on][fact].value, **subject), "")


def _is_said(event: Event, on: str, given: set[tuple[str, str]]) -> bool:
    """Whether a consequence would overwrite what the scenario says of another thing itself, such as a total."""
    return isinstance(event, Marked) and event.on != on and (event.on, event.mark) in given
