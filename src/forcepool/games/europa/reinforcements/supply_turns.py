"""51.A.1  How long a place, and the units that share its supply, have been out of supply: counted on turn by turn."""

from collections.abc import Iterator

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import ANY, NUMBER, TAKEN_BACK, Fact, unit_key
from forcepool.engine.state import State
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import REGULAR
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

TURNS = "turns_out_of_supply"


def counted_on(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a game turn begins, what has a count and is still out of supply is a turn further; in supply it has none."""
    if state.clock.player or state.clock.phase:
        return
    facts = world.facts(state)
    for on in sorted(state.marked.get(TURNS, ())):
        mark = state.mark(on, TURNS)
        turns = mark.value if mark else None
        unit = state.units.get(on.removeprefix(unit_key("")))
        # A count of nothing says that nobody counts.
        if isinstance(turns, int) and turns > 0 and (unit is None or unit.place.on_map):
            supply = facts.value(on, "supply") if unit is None else facts.supply(unit)
            yield a_turn_further(on, turns, supplied=supply == REGULAR)


@computed("51.A.1/1")
def a_turn_further(on: str, turns: int, *, supplied: bool) -> Event:
    """One turn more, or none once it is in supply."""
    return Marked(on=on, mark=TURNS, value=None if supplied else turns + 1, because="51.A.1/1")


CHAPTER = Chapter(
    heading="51.A.1",
    happens=(counted_on,),
    facts=(
        Fact(
            TURNS,
            ("unit", "place"),
            "the turns it has been out of supply",
            0,
            NUMBER,
            said={ANY: "turn {} out of supply", TAKEN_BACK: "no longer out of supply"},
        ),
    ),
)
