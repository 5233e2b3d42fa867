"""52.F.1  Losses as players jot them down, one a line or parted by commas.

24 Inf XX                      eliminated
24 Inf XX cadre                reduced; also '24 Inf XX -> cadre', '24 Inf XX to cadre', '24 Inf XX: cadre'
24 Inf XX -> cadre isolated    supply isolated; also 'combat isolated', 'not isolated'
24 Inf XX overrun              also 'isolation roll', 'in transit'
8-6 Inf XX front centre        a counter by what it shows now, where only one on the map shows it
2x 4-6 Inf XX md minsk         so many alike, where there are exactly so many
# a comment
"""

import re
from collections.abc import Iterator
from difflib import get_close_matches

from msgspec import Struct

from forcepool.engine.decide import decide
from forcepool.engine.ledger import Account
from forcepool.engine.pasting import EVERYTHING, Line, Pasted, Roster, Sees, roster
from forcepool.engine.places import HEX
from forcepool.engine.sentence import Told, the_pool
from forcepool.engine.state import State, Unit, evolve
from forcepool.engine.units import CADRE
from forcepool.engine.verdicts import Refusal
from forcepool.games.europa import homes
from forcepool.games.europa.replacements.special.casualties import GONE
from forcepool.games.europa.replacements.special.losses import IN_COMBAT, OVERRUN, ROLL, TRANSIT, Lose
from forcepool.games.europa.replacements.special.special import receipts
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.unit_strings import BadUnit, Parsed, parse_unit

STEPS = (GONE, "cadre", "remnant")
CAUSES = {"overrun": OVERRUN, "isolation roll": ROLL, "in transit": TRANSIT}
ISOLATIONS = {"not isolated": "no", "combat isolated": "combat", "supply isolated": "supply", "isolated": "supply"}
HOW = "write '24 Inf XX', '24 Inf XX -> cadre', '24 Inf XX isolated' or '8-6 Inf XX front centre'"

_ARROW = re.compile(
    r"\s*(?:->|=>|→|>|:|=|\b(?:reduced )?to\b)\s*|\s+(?=(?:eliminated|cadre|remnant)\s*$)", re.IGNORECASE
)
_FRONT = re.compile(r"\s+(?P<kind>front|md|theatre)[ /](?P<name>\S.*)$", re.IGNORECASE)
_ISOLATED = re.compile(r"\s+(?P<what>not isolated|(?:(?:combat|supply)[ -])?isolated)\b", re.IGNORECASE)
_CAUSE = re.compile(r"\s+(?P<what>overrun|isolation[ -]roll|in transit)\b", re.IGNORECASE)
_COUNTER = re.compile(r"(?:[0-9]+\s*[x×]\s*)?[0-9½⅓⅔¼¾/.]+\s*[-–]", re.IGNORECASE)


MOST_HINTS, LONGEST_HINTED = 3, 60
"""Names for which others like them are looked for, and how long one may be."""


class Misread(ValueError):
    """A loss that does not say which unit was lost, or how; `offset` is where in it."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


class Near:
    """Names like one that nobody has; a text in which all are wrong is told so for the first few, or it takes long."""

    def __init__(self) -> None:
        self.left = MOST_HINTS

    def to(self, name: str, known: Roster) -> list[str]:
        self.left -= 1
        if self.left < 0 or len(name) > LONGEST_HINTED:
            return []
        return [known[each] for each in get_close_matches(name.casefold(), sorted(known), 3)]


class Piece(Struct, frozen=True):
    """One loss as written, and where it stands."""

    number: int
    column: int
    text: str


def read_losses(world: EuropaWorld, state: State, text: str, seat: str = "", sees: Sees = EVERYTHING) -> Pasted:
    """Read pasted losses and try them one after another; what is wrong with one never costs the others."""
    after, known, near = state.copy(), roster(state, sees), Near()
    lines = [line for piece in pieces(known, text) for line in _tried(world, after, known, piece, seat, near)]
    coming = [
        each
        for each in receipts(world, after, set(world.sides.values()))
        if sees.account(Account(each.pool, each.nation, each.kind))
    ]
    brings = tuple(f"{each.nation}: {each.says}, for {the_pool(each.pool)}" for each in coming)
    return Pasted(tuple(lines), brings, tuple(each.because for each in coming))


def pieces(known: Roster, text: str) -> Iterator[Piece]:
    """The losses in a text; empty lines and comments are passed over, and counted."""
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        bare = line.partition("#")[0]
        parts = [bare] if units_called(known, bare) else bare.split(",")
        column = 1
        for part in parts:
            if part.strip():
                yield Piece(number, column + len(part) - len(part.lstrip()), part.strip())
            column += len(part) + 1


def _tried(world: EuropaWorld, after: State, known: Roster, piece: Piece, seat: str, near: Near) -> Iterator[Line]:
    """The lines of one piece, carried out on `after` where they are lawful."""
    try:
        orders = read_loss(world, after, known, piece.text, near)
    except Misread as error:
        yield Line(piece.number, piece.column + error.offset, piece.text, problem=str(error))
        return
    for order in orders:
        yield _judged(world, after, piece, order, seat)


def _judged(world: EuropaWorld, after: State, piece: Piece, order: Lose, seat: str) -> Line:
    at = (piece.number, piece.column, piece.text)
    try:
        outcome = decide(world, after, order, seat)
    except Told as error:
        return Line(*at, command=order, problem=error.sentence)
    if isinstance(outcome, Refusal):
        problem = "; ".join(f"{reason.clause}  {reason.whole}" for reason in outcome.reasons)
        return Line(*at, command=order, problem=problem, clauses=outcome.clauses)
    evolve(after, outcome.events)
    return Line(*at, command=order, events=tuple(outcome.events))


# ------------------------------------------------------------------------------------------------- one loss


def read_loss(world: EuropaWorld, state: State, known: Roster, text: str, near: Near) -> list[Lose]:
    """The orders that one loss states, or Misread with the place of the trouble."""
    if len(named := units_called(known, text)) == 1:
        return [Lose(unit=named[0])]
    rest, front = _front(text)
    rest, cause = _taken_out(_CAUSE, rest)
    rest, isolated = _taken_out(_ISOLATED, rest)
    name, *to = _ARROW.split(rest)
    if len(to) > 1:
        raise Misread(f"there is more than one arrow; {HOW}", text.find(to[0]))
    step = to[0].strip().lower() if to else GONE
    if step not in STEPS:
        steps = f"{', '.join(STEPS[:-1])} or {STEPS[-1]}"
        raise Misread(f"'{to[0].strip()}' is no step to lose to; it is {steps}", max(text.find(to[0].strip()), 0))
    return [
        Lose(
            unit=unit,
            to=step,
            isolated=ISOLATIONS.get(isolated.replace("-", " "), ""),
            front=front,
            cause=CAUSES.get(cause.replace("-", " "), IN_COMBAT),
        )
        for unit in _units(world, state, known, name.strip(), front, near)
    ]


def _front(text: str) -> tuple[str, str]:
    found = _FRONT.search(text)
    if found is None:
        return text, ""
    name = found["name"].strip()
    return text[: found.start()], name if "/" in name else f"{found['kind'].lower()}/{name}"


def _taken_out(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    """The text without what the pattern finds, and what it found, in small letters."""
    found = pattern.search(text)
    return (text, "") if found is None else (text[: found.start()] + text[found.end() :], found["what"].lower())


# ---------------------------------------------------------------------------------------------- which units


def _units(world: EuropaWorld, state: State, known: Roster, name: str, front: str, near: Near) -> list[str]:
    """The unit of that name, or those that show such a counter."""
    if not name:
        raise Misread(f"no unit is named; {HOW}")
    found = units_called(known, name)
    if len(found) == 1:
        return found
    if found:
        raise Misread(f"'{name}' could be {_or(found)}; write it in full")
    if _COUNTER.match(name):
        return _by_counter(world, state, known, name, front)
    close = near.to(name, known)
    hint = f"did you mean {' or '.join(close)}?" if close else "'forcepool units' lists them"
    raise Misread(f"there is no unit '{name}'; {hint}")


def _by_counter(world: EuropaWorld, state: State, known: Roster, name: str, front: str) -> list[str]:
    try:
        counter = parse_unit(name)
        area = world.pool_named(front) if front else ""
    except BadUnit as error:
        raise Misread(str(error), error.column - 1) from None
    except ValueError as error:
        raise Misread(str(error)) from None
    ours = [state.units[each] for each in known.values()]
    found = [unit.id for unit in ours if _shows(unit, counter) and _stands_in(world, state, unit, area)]
    if len(found) == counter.count:
        return found
    where = f" in {area}" if area else ""
    if not found:
        raise Misread(f"no unit on the map{where} shows {name}; 'forcepool units' lists them")
    those = f"{_or(found)}; name the ones that were lost"
    raise Misread(f"{len(found)} units{where} show {name}, not {counter.count}: {those}")


def _shows(unit: Unit, counter: Parsed) -> bool:
    """Whether a unit on the map shows this face now; a cadre given in brackets must be its own."""
    if unit.place.kind != HEX:
        return False
    spec, wanted = unit.spec, counter.spec
    return (
        spec.strength(unit.step) == wanted.full
        and (spec.type.casefold(), spec.size) == (wanted.type.casefold(), wanted.size)
        and (wanted.cadre is None or (spec.has(CADRE) and spec.cadre == wanted.cadre))
        and (not counter.designations or spec.designation in counter.designations)
    )


def _stands_in(world: EuropaWorld, state: State, unit: Unit, area: str) -> bool:
    """A hex of which nobody has said where it lies may lie anywhere; on enemy ground a unit is under its own front."""
    around = world.spot(unit.place.of).area
    if not area or not around or area in world.line_of(around):
        return True
    return area in world.line_of(homes.home_of(world, world.facts(state), unit))


def _or(units: list[str]) -> str:
    return " or ".join(units[:4]) + (" or others" if len(units) > 4 else "")


def units_called(known: Roster, name: str) -> list[str]:
    """The unit of that id in any letters, else all whose id begins with these words."""
    folded = " ".join(name.casefold().split())
    if not folded:
        return []
    if folded in known:
        return [known[folded]]
    return [each for small, each in known.items() if small.startswith(folded + " ")]
