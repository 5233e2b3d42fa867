"""51.B.3/3  What a unit that changes into another must meet, as a cadre that is rebuilt, and what binds it then."""

from collections.abc import Iterable, Iterator
from typing import Any

from forcepool.engine.events import Event
from forcepool.engine.state import Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import FULL
from forcepool.engine.verdicts import YES, No, Verdict, no
from forcepool.games.europa import standing_still
from forcepool.games.europa.facts import MP_MARKER, REBUILT
from forcepool.games.europa.reinforcements.entries import marked
from forcepool.games.europa.replacements.general.cadre_supply import cadre_is_supplied
from forcepool.games.europa.replacements.general.cadres import cadre_stood_still
from forcepool.games.europa.replacements.general.screens import free_of_larger_zoc

FROZEN = switch(
    "converted-units",
    "51.B.3/3",
    "whether a converted unit may move and attack in its player-turn",
    frozen="it may not have moved or attacked, and does neither for the rest of the player-turn",
    free="only zones of control and supply count; it moves freely",
    looks_back="it may not have moved or attacked in its owner's previous player-turn, and is free in this one",
)

_zoc = free_of_larger_zoc("51.B.3/3", "51.B.3/3", "51.B.3/3")


def asks_of_last_turn(q: Any) -> bool:
    """By a ruling, and before movement, it is the owner's previous player-turn that counts."""
    by_ruling = q.switch(FROZEN.key) == "looks-back" and standing_still.before_movement(q.world, q.state)
    return by_ruling or standing_still.looks_back(q.world, q.state)


def stood_still_in_its_turn(q: Any) -> Verdict:
    """It neither moved nor attacked in the player-turn that counts."""
    if not asks_of_last_turn(q):
        return cadre_stood_still(q)
    if any(standing_still.did(q.state, q.unit, what, last_turn=True) for what in ("moved", "attacked")):
        return no(f"{q.unit} moved or attacked in its last player-turn", remedy="let it stand still for a turn")
    return YES


def as_a_cadre_must(q: Any, also: tuple[str, ...] = ()) -> Verdict:
    """In no larger enemy ZOC, with a line to a source of replacements, and standing still."""
    asked = (_zoc, cadre_is_supplied, stood_still_in_its_turn)
    for each in asked[:2] if q.switch(FROZEN.key) == "free" else asked:
        verdict = each(q)
        if isinstance(verdict, No):
            return no(verdict.sentence, verdict.advice, ways=verdict.ways, clause="51.B.3/3", also=also)
    return YES


def is_held(q: Any, name: str, units: Iterable[Unit]) -> Iterator[Event]:
    """The new unit has its marker doubled, and by the default ruling stands still for the rest of the player-turn."""
    if marker := max(q.facts.mp_marker(unit) for unit in units):
        yield marked(name, MP_MARKER, marker * int(q.world.numbers["marker_factor"]), "51.B.3/3")
    if q.switch(FROZEN.key) == "frozen" and not asks_of_last_turn(q):
        yield marked(name, REBUILT, FULL, "51.B.3/3")
