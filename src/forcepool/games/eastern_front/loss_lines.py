"""Losses as players jot them down, one a line or parted by commas.

3 Army                 lost in combat
10 Army isolated       lost through isolation
51 Army at sea         lost at sea
# a comment
"""

from collections.abc import Iterator

from forcepool.engine.decide import decide
from forcepool.engine.pasting import EVERYTHING, Line, Pasted, Roster, Sees, roster
from forcepool.engine.sentence import Told
from forcepool.engine.state import State, evolve
from forcepool.engine.verdicts import Refusal
from forcepool.engine.world import find_unit
from forcepool.games.eastern_front.irreplaceable import COMBAT, ISOLATION, SEA_LOSS
from forcepool.games.eastern_front.losses import LoseUnit
from forcepool.games.eastern_front.world import EasternWorld

CAUSES = {" isolated": ISOLATION, " at sea": SEA_LOSS}


def read_losses(world: EasternWorld, state: State, text: str, seat: str = "", sees: Sees = EVERYTHING) -> Pasted:
    """Read pasted losses and try them one after another; what is wrong with one never costs the others."""
    after, known = state.copy(), roster(state, sees)
    return Pasted(tuple(_tried(world, after, known, *piece, seat) for piece in _pieces(text)))


def _pieces(text: str) -> Iterator[tuple[int, int, str]]:
    """Line, column and words of each loss; empty lines and comments are passed over, and counted."""
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        column = 1
        for part in line.partition("#")[0].split(","):
            if part.strip():
                yield number, column + len(part) - len(part.lstrip()), part.strip()
            column += len(part) + 1


def _order(state: State, known: Roster, text: str) -> LoseUnit:
    """The loss that some words state; a unit of that very name comes before any reading of its last words."""
    if text.casefold() in known:
        return LoseUnit(unit=known[text.casefold()])
    for ending, cause in CAUSES.items():
        if text.casefold().endswith(ending):
            return LoseUnit(unit=find_unit(state, text[: -len(ending)].strip(), known).id, cause=cause)
    return LoseUnit(unit=find_unit(state, text, known).id, cause=COMBAT)


def _tried(world: EasternWorld, after: State, known: Roster, number: int, column: int, text: str, seat: str) -> Line:
    """One loss, carried out on `after` where it is lawful."""
    order = None
    try:
        order = _order(after, known, text)
        outcome = decide(world, after, order, seat)
    except Told as error:
        return Line(number, column, text, order, problem=error.sentence)
    if isinstance(outcome, Refusal):
        problem = "; ".join(f"{reason.clause}  {reason.whole}" for reason in outcome.reasons)
        return Line(number, column, text, order, problem=problem, clauses=outcome.clauses)
    evolve(after, outcome.events)
    return Line(number, column, text, order, events=tuple(outcome.events))
