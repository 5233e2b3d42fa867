"""52.F.1  Losses as players jot them down, one a line or parted by commas.

24 Inf XX                      eliminated
24 Inf XX cadre                reduced; also '24 Inf XX -> cadre', '24 Inf XX to cadre', '24 Inf XX: cadre'
24 Inf XX -> cadre isolated    supply isolated; also 'combat isolated', 'not isolated'
24 Inf XX overrun              also 'isolation roll', 'in transit'
6 Panzer, 24 ID -> Kader       as one says it, in English or German
8-6 Inf XX front centre        a counter by what it shows now; where several show it you choose
2x 12-10 Pz XX 17, 18          several by their numbers
24 + 76 Inf XX -> cadre        two of a kind; also 24 and 76, 24, 76 or 24 & 76
2x 4-6 Inf XX md minsk         so many alike
# a comment
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from forcepool.engine.decide import decide
from forcepool.engine.ledger import Account
from forcepool.engine.pasting import EVERYTHING, Line, Pasted, Roster, Sees, roster
from forcepool.engine.sentence import Told
from forcepool.engine.state import State, evolve
from forcepool.engine.verdicts import Refusal
from forcepool.games.europa.replacements.special.casualties import GONE
from forcepool.games.europa.replacements.special.loss_units import (
    Asked,
    Misread,
    Near,
    Several,
    shows_a_strength,
    units_called,
    units_meant,
)
from forcepool.games.europa.replacements.special.losses import IN_COMBAT, OVERRUN, ROLL, TRANSIT, Lose
from forcepool.games.europa.replacements.special.special import receipts
from forcepool.games.europa.world import EuropaWorld

STEPS = (GONE, "cadre", "remnant")
STEP_WORDS = {
    **{step: step for step in STEPS},
    **dict.fromkeys(("kader", "cad", "reduced", "reduziert", "flipped"), "cadre"),
    **dict.fromkeys(("rest", "restverband", "rem"), "remnant"),
    **dict.fromkeys(("vernichtet", "verloren", "zerstört", "tot"), GONE),
    **dict.fromkeys(("lost", "gone", "dead", "destroyed", "killed", "elim"), GONE),
}
"""What a unit is reduced to, in English or German."""
CAUSES = {"overrun": OVERRUN, "überrannt": OVERRUN, "isolation roll": ROLL, "in transit": TRANSIT}
ISOLATIONS = {
    **dict.fromkeys(("not isolated", "nicht isoliert"), "no"),
    "combat isolated": "combat",
    **dict.fromkeys(("supply isolated", "isolated", "isoliert", "eingekesselt", "im kessel"), "supply"),
}
HOW = "write '24 Inf XX', '24 Inf XX -> cadre', '24 Inf XX isolated' or '8-6 Inf XX front centre'"

_ARROW = re.compile(
    rf"\s*(?:->|=>|→|>|:|=|\b(?:reduced )?to\b|\b(?:auf|zu)\b)\s*|\s+(?=(?:{'|'.join(STEP_WORDS)})\s*$)", re.IGNORECASE
)
# 24 Inf XX (cadre): the step in brackets.
_IN_BRACKETS = re.compile(rf"\s*\((?P<step>{'|'.join(STEP_WORDS)})\)\s*$", re.IGNORECASE)
# A number by itself behind a counter belongs to it, with what is said of both: 2x 12-10 Pz XX 17, 18 -> cadre.
_ONE_MORE = re.compile(
    r"\s*[0-9]{1,4}\s?[A-Z]{0,2}\s*"
    rf"(?:(?:->|=>|→|>|:)\s*\w+|(?:{'|'.join(STEP_WORDS)}|\w*[ -]?isol(?:ated|iert)|overrun|überrannt))?\s*",
    re.IGNORECASE,
)
# The comma of 2x 12-10 Pz XX (17, 18) parts no losses.
_BETWEEN = re.compile(r"(?:[,;]|\s[+&]\s|\s(?:and|und)\s)(?![^()]*\))", re.IGNORECASE)
_LABEL = re.compile(r"\s*(?:[-*•]\s+)?(?:lost|losses|dead|eliminated|verluste|verloren)\s*:", re.IGNORECASE)
# The first of 24 + 76 Inf XX, and what the last says of both.
_NUMBER_ALONE = re.compile(r"\s*(?P<number>[0-9]{1,4})\.?\s*")
_NUMBER_AND_MORE = re.compile(r"\s*[0-9]{1,4}\.?\s+(?P<more>[^\W\d].*)")
_FRONT = re.compile(r"\s+(?P<kind>front|md|theatre)[ /](?P<name>\S.*)$", re.IGNORECASE)
_ISOLATED = re.compile(
    r"\s+(?P<what>not isolated|(?:(?:combat|supply)[ -])?isolated|(?:nicht )?isoliert|eingekesselt|im kessel)\b",
    re.IGNORECASE,
)
_CAUSE = re.compile(r"\s+(?P<what>overrun|überrannt|isolation[ -]roll|in transit)\b", re.IGNORECASE)


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
    brings = tuple(f"{each.nation}: {each.says}, {each.goal}" for each in coming)
    return Pasted(tuple(lines), brings, tuple(each.because for each in coming))


def pieces(known: Roster, text: str) -> Iterator[Piece]:
    """The losses in a text; empty lines and comments are passed over, and counted."""
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        bare = line.partition("#")[0]
        label = _LABEL.match(bare)
        start = label.end() if label else 0
        parts = [(start, bare[start:])] if units_called(known, bare) else _joined(_parted(bare, start))
        for column, part in _numbers_of_one_kind(parts):
            if part.strip():
                yield Piece(number, column + 1 + len(part) - len(part.lstrip()), part.strip())


def _parted(text: str, at: int) -> Iterator[tuple[int, str]]:
    """The parts between commas, semicolons and ands, with where each begins."""
    for between in _BETWEEN.finditer(text, at):
        yield at, text[at : between.start()]
        at = between.end()
    yield at, text[at:]


def _joined(parts: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """The further numbers of a counter with it: 2x 12-10 Pz XX 17, 18."""
    joined: list[tuple[int, str]] = []
    for column, part in parts:
        if joined and shows_a_strength(joined[-1][1]) and _ONE_MORE.fullmatch(part):
            joined[-1] = (joined[-1][0], f"{joined[-1][1]},{part}")
        else:
            joined.append((column, part))
    return joined


def _numbers_of_one_kind(parts: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """24 + 76 Inf XX -> cadre are two of a kind, and what is said stands for both."""
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


def _tried(world: EuropaWorld, after: State, known: Roster, piece: Piece, seat: str, near: Near) -> Iterator[Line]:
    """The lines of one piece, carried out on `after` where they are lawful."""
    try:
        orders = read_loss(world, after, known, piece.text, near)
    except Several as error:
        yield Line(piece.number, piece.column, piece.text, problem=str(error), choices=error.choices)
        return
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
    rest, front = _front(_IN_BRACKETS.sub(r" -> \g<step>", text))
    rest, cause = _taken_out(_CAUSE, rest)
    rest, isolated = _taken_out(_ISOLATED, rest)
    name, *to = _ARROW.split(rest)
    if len(to) > 1:
        raise Misread(f"there is more than one arrow; {HOW}", text.find(to[0]))
    if to and not to[0].strip() and (isolated or cause):
        to = []  # 24 Inf XX -> isolated: eliminated, as anything that names no step.
    step = STEP_WORDS.get(to[0].strip().lower()) if to else GONE
    if step is None:
        steps = f"{', '.join(STEPS[:-1])} or {STEPS[-1]}"
        said = f"'{to[0].strip()}' is no step to lose to" if to[0].strip() else "no step is named to lose to"
        raise Misread(f"{said}; it is {steps}", max(text.find(to[0].strip()), 0))
    tail = "".join(
        (f" -> {step}" if to else "", isolated and f" {isolated}", cause and f" {cause}", front and f" {_said(front)}")
    )
    return [
        Lose(
            unit=unit,
            to=step,
            isolated=ISOLATIONS.get(isolated.replace("-", " "), ""),
            front=front,
            cause=CAUSES.get(cause.replace("-", " "), IN_COMBAT),
        )
        for unit in units_meant(Asked(world, state, known, front, tail, near), name.strip())
    ]


def _said(front: str) -> str:
    return front.replace("/", " ", 1)


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
