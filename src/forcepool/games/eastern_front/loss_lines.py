"""Losses as players jot them down, one a line or parted by commas.

3 Army                       lost in combat; also 3rd Army, 3 Army lost, 3 Army eliminated, 3 Army vernichtet
10 Army isolated             lost through isolation; also 10 Army (isolated), 10 Army -> isolated, eingekesselt
51 Army at sea               lost at sea; also sunk, torpedoed, auf See
3, 4 + 10 Army isolated      several by their numbers, with what is said of the last
1st Guards Tank Army         as one says it: 1 Gds Tk Army; 41st Panzer Corps is the XLI Pz Corps
2x 1-4 Inf XXXX at Brest     so many that show it
5 Army at Brest              with where it stands, which is looked at: 5 Army at Brest isolated
# a comment
"""

import re
from collections.abc import Iterator

from forcepool.engine.decide import decide
from forcepool.engine.pasting import EVERYTHING, Line, Pasted, Roster, Sees, roster
from forcepool.engine.sentence import Told
from forcepool.engine.state import State, evolve
from forcepool.engine.verdicts import Refusal
from forcepool.games.eastern_front.irreplaceable import COMBAT, ISOLATION, SEA_LOSS
from forcepool.games.eastern_front.loss_names import Several, units_meant
from forcepool.games.eastern_front.losses import LoseUnit
from forcepool.games.eastern_front.world import EasternWorld

CAUSES = {
    **dict.fromkeys(("in combat", "lost", "eliminated", "elim", "dead", "destroyed", "killed", "gone", "hit"), COMBAT),
    **dict.fromkeys(("im kampf", "verloren", "vernichtet", "zerstört", "tot"), COMBAT),
    **dict.fromkeys(("isolated", "through isolation", "by isolation", "in isolation"), ISOLATION),
    **dict.fromkeys(("isoliert", "eingekesselt", "im kessel"), ISOLATION),
    **dict.fromkeys(("at sea", "sunk", "torpedoed", "auf see", "versenkt"), SEA_LOSS),
}
"""How a unit was lost, in English or German."""

_ANY_CAUSE = "|".join(sorted(CAUSES, key=len, reverse=True))
_CAUSE = re.compile(
    rf"(?:\s*(?:->|=>|→|>|:|=)\s*|\s+|\s*\(\s*)(?:(?:lost|eliminated)\s+)?(?P<cause>{_ANY_CAUSE})"
    r"\s*\)?\s*$",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\s*(?:[-*•]\s+)?(?:(?:lost|losses|dead|eliminated|verluste|verloren)\s*:)?", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:[,;]|\s[+&]\s|\s(?:and|und)\s)(?![^()]*\))", re.IGNORECASE)
# The first of 3 + 10 Army, and what the last says of both.
_NUMBER_ALONE = re.compile(r"\s*(?P<number>[0-9]{1,4})(?:st|nd|rd|th|\.)?\s*", re.IGNORECASE)
_NUMBER_AND_MORE = re.compile(r"\s*[0-9]{1,4}(?:st|nd|rd|th|\.)?\s+(?P<more>[^\W\d].*)", re.IGNORECASE)


def read_losses(world: EasternWorld, state: State, text: str, seat: str = "", sees: Sees = EVERYTHING) -> Pasted:
    """Read pasted losses and try them one after another; what is wrong with one never costs the others."""
    after, known = state.copy(), roster(state, sees)
    found = (line for piece in _pieces(known, text) for line in _tried(world, after, known, *piece, seat))
    return Pasted(tuple(found))


def _pieces(known: Roster, text: str) -> Iterator[tuple[int, int, str]]:
    """Line, column and words of each loss; empty lines and comments are passed over, and counted."""
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        bare = line.partition("#")[0]
        label = _LABEL.match(bare)
        start = label.end() if label else 0
        parts = [(start, bare[start:])] if bare.strip().casefold() in known else list(_parted(bare, start))
        for column, part in _numbers_of_one_kind(parts):
            if part.strip():
                yield number, column + 1 + len(part) - len(part.lstrip()), part.strip()


def _parted(text: str, at: int) -> Iterator[tuple[int, str]]:
    """The parts between commas, semicolons and ands, with where each begins."""
    for between in _BETWEEN.finditer(text, at):
        yield at, text[at : between.start()]
        at = between.end()
    yield at, text[at:]


def _numbers_of_one_kind(parts: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """3 + 10 Army isolated are two of a kind, and what is said stands for both."""
    found: list[tuple[int, str]] = []
    more = ""
    for column, part in reversed(parts):
        if whole := _NUMBER_AND_MORE.fullmatch(part):
            more = whole["more"]
        elif (alone := _NUMBER_ALONE.fullmatch(part)) and more:
            part = f"{alone['number']} {more}"
        else:
            more = ""
        found.append((column, part))
    return found[::-1]


def _orders(world: EasternWorld, state: State, known: Roster, text: str) -> list[LoseUnit]:
    """The losses that some words state; a unit of that very name comes before any reading of its last words."""
    if text.casefold() in known:
        return [LoseUnit(unit=known[text.casefold()])]
    said = _CAUSE.search(text)
    cause = CAUSES[" ".join(said["cause"].casefold().split())] if said else COMBAT
    name, tail = (text[: said.start()].strip(), text[said.start() :]) if said else (text, "")
    return [LoseUnit(unit=unit, cause=cause) for unit in units_meant(world, state, known, name, tail)]


def _tried(
    world: EasternWorld, after: State, known: Roster, number: int, column: int, text: str, seat: str
) -> Iterator[Line]:
    """The lines of one piece, carried out on `after` where they are lawful."""
    try:
        orders = _orders(world, after, known, text)
    except Several as error:
        yield Line(number, column, text, problem=str(error), choices=error.choices)
        return
    except Told as error:
        yield Line(number, column, text, problem=error.sentence)
        return
    for order in orders:
        yield _judged(world, after, Line(number, column, text, order), order, seat)


def _judged(world: EasternWorld, after: State, at: Line, order: LoseUnit, seat: str) -> Line:
    try:
        outcome = decide(world, after, order, seat)
    except Told as error:
        return Line(at.number, at.column, at.text, order, problem=error.sentence)
    if isinstance(outcome, Refusal):
        problem = "; ".join(f"{reason.clause}  {reason.whole}" for reason in outcome.reasons)
        return Line(at.number, at.column, at.text, order, problem=problem, clauses=outcome.clauses)
    evolve(after, outcome.events)
    return Line(at.number, at.column, at.text, order, events=tuple(outcome.events))
