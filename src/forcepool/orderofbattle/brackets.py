"""What stands beside a unit: its other sides, its size in REs, whose it is and what state it is in.

(3-6) (1-6)                cadre and remnant; (3-6 cadre), [1-6] and {5-6} say which by word or shape
8-6/3-6, cadre 3-6         the same without brackets
(½ RE), 1½ RE              its size, where it is not the usual one
(SS), (Rum), (cadre), (x2) whose it is, its state, how many
"""

import re
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.points import parse_points
from forcepool.engine.units import Strength
from forcepool.orderofbattle.nationalities import force_short, nation_short
from forcepool.orderofbattle.strengths import NUMBER, TO_DIGITS, BadUnit, read_strength, stands_at
from forcepool.orderofbattle.words import STATES

SIDES = {"(": (")", "cadre"), "[": ("]", "remnant"), "{": ("}", "unsupported")}
"""The brackets and the side of the counter each stands for, unless a word in them says another."""

_SIDE_WORDS = "|".join(side for _, side in SIDES.values())
_BRACKET = re.compile(r"[\[\](){}]")
# True digits only: the strokes of a size before it are no number.
_TRUE = r"(?:(?:[0-9]{1,2}\ )?[0-9]/[0-9]|[0-9]{0,2}[½¼¾⅓⅔]|[0-9]{1,2}(?:\.[0-9])?)"
_PART = r"(?:[0-9]/[0-9]|[0-9]{0,2}[½¼¾⅓⅔]|[0-9]\.5|half(?:\s+an?)?)"
# A whole number of REs without brackets stands last, since 2 RE may be engineers; a half is one wherever it stands.
_RES = re.compile(
    rf"[(\[]\s*(?P<inside>{_TRUE}|{_PART})\s*REs?\s*[)\]]"
    rf"|(?:,\s*|(?<=\s))(?P<part>{_PART})\s*REs?(?=[\s,(\[{{]|$)"
    rf"|(?:,\s*|(?<=\s))(?P<whole>[0-9]{{1,2}})\s*REs?(?=\s*(?:[,(\[{{]|$))",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[(\[]\s*(?P<words>[A-Za-z][A-Za-z.\s-]*[A-Za-z.])\s*[)\]]")
_TIMES = re.compile(r"[(\[](?<![\w])[xX×]\s*(?P<count>[1-9][0-9]{0,2})[)\]]|(?<=\s)x(?P<bare>[1-9][0-9]?)(?=[\s,]|$)")
_SHORT_SIDES = {
    **dict.fromkeys(("cadr", "cad", "cdr", "kader"), "cadre"),
    **dict.fromkeys(("rem", "remn", "rest"), "remnant"),
    **dict.fromkeys(("uns", "unsup", "unsupp"), "unsupported"),
}
_NAMED_SIDE = re.compile(
    rf"(?:,\s*|(?<=\s)|(?P<open>[(\[]\s*))(?:(?:with|w/|mit)\s*)?"
    rf"(?P<word>{_SIDE_WORDS}|{'|'.join(_SHORT_SIDES)})\.?:?\s+(?={NUMBER}\s*-)",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"\*?\s*(?P<more>[,;/]?\s*)(?P<close>[)\]])?")


class Beside(Struct):
    """What was found beside a unit; `plain` is the text with blanks in its place, so that columns stay true."""

    plain: str
    sides: dict[str, Strength]
    cadre_re: Fraction | None = None
    re: Fraction | None = None
    nation: str = ""
    force: str = ""
    state: str = ""
    count: int | None = None

    def blank(self, start: int, end: int) -> None:
        """What was read is read once."""
        self.plain = self.plain[:start] + " " * (end - start) + self.plain[end:]


def read_beside(text: str, plain: str, at: int, warnings: list[str]) -> Beside:
    """Everything beside a unit, from its strength on."""
    found = Beside(plain, {})
    _read_strokes(found, text, at, warnings)
    _read_named_sides(found, text, at, warnings)
    if size := _RES.search(found.plain, at):
        written = size["inside"] or size["part"] or size["whole"]
        found.re = Fraction(1, 2) if written.casefold().startswith("half") else parse_points(written)
        if "/" in (size["part"] or "") and (number := re.search(r"[0-9]+\s+$", found.plain[: size.start()])):
            both = f"{number.group()}{size.group()}".strip()
            warnings.append(f"read {both!r} as the unit {number.group().strip()} of {written} RE")
        found.blank(*size.span())
    _read_words(found, at)
    _read_brackets(found, text, at, warnings)
    return found


def _read_strokes(found: Beside, text: str, at: int, warnings: list[str]) -> None:
    """Cadre and remnant behind strokes, as in 8-6/3-6/1-6."""
    for side in ("cadre", "remnant"):
        if found.plain[at : at + 1] != "/" or not stands_at(found.plain, at + 1):
            return
        found.sides[side], end = read_strength(text, found.plain, at + 1, warnings)
        found.blank(at, end)
        at = end


def _read_named_sides(found: Beside, text: str, at: int, warnings: list[str]) -> None:
    while named := _NAMED_SIDE.search(found.plain, at):
        word = named["word"].lower()
        side = _SHORT_SIDES.get(word, word)
        if side in found.sides:
            raise BadUnit(f"expected one {side} strength, found a second", named.start("word") + 1)
        found.sides[side], end = read_strength(text, found.plain, named.end(), warnings)
        if named["open"]:
            # (cadre 3-6, remnant 1-6): what follows in the same bracket is read as if it had one of its own.
            closed = _CLOSED.match(found.plain, end)
            if closed and closed["close"]:
                end = closed.end()
            elif closed and closed["more"].strip():
                end = closed.end()
                found.plain = f"{found.plain[: end - 1]}({found.plain[end:]}"
                end -= 1
            else:
                raise BadUnit(f"expected ')' after the {side} strength {found.sides[side]}", end + 1)
        found.blank(named.start(), end)


def _read_words(found: Beside, at: int) -> None:
    """Brackets that hold a word: a force, a nation, a state, or how many."""
    for bracket in _WORDS.finditer(found.plain, at):
        words = bracket["words"]
        if force := force_short(words):
            found.force = force
        elif nation := nation_short(words):
            found.nation = nation
        elif (state := _SHORT_SIDES.get(words.lower().rstrip("."), words.lower())) in STATES:
            found.state = state
        else:
            continue
        found.blank(*bracket.span())
    if times := _TIMES.search(found.plain, at):
        found.count = int(times["count"] or times["bare"])
        found.blank(*times.span())


def _read_brackets(found: Beside, text: str, at: int, warnings: list[str]) -> None:
    while bracket := _BRACKET.search(found.plain, at):
        opened = bracket.start()
        if bracket.group() not in SIDES:
            raise BadUnit(f"expected an opening bracket before {bracket.group()!r}", opened + 1)
        if words := _WORDS.match(found.plain, opened):
            expected = "expected a cadre as in (3-6), a size as in (½ RE) or a force as in (SS)"
            raise BadUnit(f"{expected}, found {words['words']!r}", opened + 1)
        closing, side = SIDES[bracket.group()]
        strength, after = read_strength(text, found.plain, opened + 1, warnings)
        end = re.compile(
            rf"\*?\s*({_SIDE_WORDS})?(?:\s*,\s*({NUMBER})\s*REs?)?\s*({re.escape(closing)}|[,;/]\s*(?={NUMBER}\s*-))",
            re.IGNORECASE,
        ).match(found.plain, after)
        if end is None:
            raise BadUnit(f"expected {closing!r} after the {side} strength {strength}", after + 1)
        if end.group(1):
            side = end.group(1).lower()
        elif side == "cadre" and "cadre" in found.sides:
            side = "remnant"
        if side in found.sides:
            raise BadUnit(f"expected one {side} strength, found a second", opened + 1)
        found.sides[side] = strength
        if end.group(2):
            if side != "cadre":
                raise BadUnit(f"expected a size in REs with the cadre, found one with the {side}", opened + 1)
            found.cadre_re = parse_points(end.group(2).translate(TO_DIGITS))
        end_at = end.end()
        if end.group(3) != closing:
            # (3-6/1-6): the next side in the same bracket, as if it had one of its own.
            end_at = end.start(3)
            found.plain = f"{found.plain[:end_at]}{text[opened]}{found.plain[end_at + 1 :]}"
        at = end_at
        found.blank(opened, at)
