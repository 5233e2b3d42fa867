"""Unit strings: reading and printing units as orders of battle write them.

    2x 7-6* Inf XX (3-6) (1-6) (5-6 unsupported) 24, 76

    2x       how many; left out for one
    7-6      strength-movement, or attack-defence-movement as in 5-7-6; fractions as ½-6, 1/2-6 or 2.5-6;
             a movement may be a letter, as in 0-1-R
    *        the footnote star of the order of battle, kept as a mark
    Inf      the type, one word or several
    XX       the size
    (3-6)    the cadre; (3-6 cadre) is the same, and (3-6, 2 RE) says its size where it is not the usual one
    (1-6)    behind the cadre, the remnant; (1-6 remnant) and [1-6] are the same
    (5-6 unsupported)  the unsupported side; {5-6} is the same
    24, 76   the designations, parted by commas; a comma before the first does no harm

The brackets may stand anywhere behind the strength. What a scanner or a hurried typist gets wrong is understood where
only one reading is left, and the warnings say what was understood.
"""

import re
from fractions import Fraction

import msgspec

from forcepool.engine.points import VULGAR, BadPoints, parse_points, show_points
from forcepool.engine.units import Strength, UnitSpec

SIZES = ("XXXXX", "XXXX", "XXX", "XX", "X", "III", "II", "I", "HQ")
"""The sizes a unit may have, from army group to company, and HQ for a headquarters without one."""

SCANNED_DIGITS = {"l": "1", "I": "1", "|": "1", "O": "0", "o": "0"}
"""Letters that scanners put for digits."""

SCANNED_STROKES = {"l": "I", "|": "I", "1": "I"}
"""Characters that scanners put for the strokes of II and III."""

DASHES = "‐‑‒–—−"
"""Characters that scanners and word processors put for a hyphen."""

SIDES = {"(": (")", "cadre"), "[": ("]", "remnant"), "{": ("}", "unsupported")}
"""The brackets and the side of the counter each stands for, unless a word in them says another."""

_SIDE_WORDS = "|".join(side for _, side in SIDES.values())
_TO_DIGITS = str.maketrans(SCANNED_DIGITS)
_TO_STROKES = str.maketrans(SCANNED_STROKES)
# One character for one, so that a column here is a column of the text as written.
_TO_PLAIN = str.maketrans({**dict.fromkeys(DASHES, "-"), "×": "x"})

_D = "[0-9" + "".join(map(re.escape, SCANNED_DIGITS)) + "]"
_MARK = f"[{''.join(VULGAR)}]"
_NUMBER = rf"(?:(?:{_D}{{1,3}}\ +)?{_D}{{1,3}}/{_D}{{1,3}}|{_D}{{1,3}}\.[0-9]{{1,3}}|{_D}{{0,3}}\ *{_MARK}|{_D}{{1,3}})"
_HYPHEN = r"\s*-\s*"
# A movement may run into the type, as in 8-6Inf: then only true digits belong to it.
_MOVEMENT = rf"(?:{_D}{{1,3}}(?![^\W_]|[/{_MARK[1:]})|[0-9]{{1,3}}(?![0-9/{_MARK[1:]})|[A-Za-z](?![^\W_]))"

_COUNT = re.compile(rf"\s*(?P<count>{_D}{{1,3}})\s*[xX]")
_STRENGTH = re.compile(rf"(?P<attack>{_NUMBER}){_HYPHEN}(?:(?P<defence>{_NUMBER}){_HYPHEN})?(?P<movement>{_MOVEMENT})")
_FIRST_NUMBER = re.compile(_NUMBER)
_BRACKET = re.compile(r"[\[\](){}]")
_STAR = re.compile(r"\s*\*")
_TYPE_WORD = re.compile(r"[^\W_](?:[^\W_]|[/&.-])*")
_WORD = re.compile(r"[^\s,]+|,")
_SCANNED_SIZE = re.compile(r"(?=.*[Il|])[Il|1]{1,3}")
# The capitals of a glued size must not follow their like (XIII is no size), and of the small ones only those are
# taken that hardly end a word.
_GLUED_SIZE = re.compile(
    rf"(?P<type>.*?(?<![XIVLxivl|1]))(?P<size>{'|'.join(SIZES)}|xxxx|xxx|xx|iii|ii)(?P<rest>[0-9].*)?"
)


class BadUnit(ValueError):
    """A text that is not a unit; `column` counts from 1."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column


class Parsed(msgspec.Struct, frozen=True):
    """The units a text stands for, and what had to be guessed to read it."""

    count: int
    spec: UnitSpec
    designations: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def parse_unit(text: str) -> Parsed:
    """Read a unit string such as 2x 8-6 Inf XX (3-6) 24, 76."""
    warnings: list[str] = []
    plain = text.translate(_TO_PLAIN)
    count, at = _read_count(text, plain, warnings)
    full, at = _read_strength(text, plain, at, warnings)
    if star := _STAR.match(plain, at):
        at = star.end()
    elif plain[at : at + 1].isalpha():
        word = _word_at(text, at)
        warnings.append(f"read '{full}{word}' as {full} {word}")
    sides, sizes, blanked = _read_sides(text, plain, at, warnings)
    type_, size, behind = _read_type_and_size(blanked, at, full, warnings)
    # Designations keep their own dashes and signs, so they are taken from the text as written.
    as_written = "".join(old if now == was else now for now, was, old in zip(blanked, plain, text, strict=True))
    if as_written[at:behind] != blanked[at:behind]:
        warnings.append(f"read {as_written[at:behind].strip()!r} as {type_} {size}")
    designations = _read_designations(as_written, behind, warnings)
    cadre, remnant, unsupported = (sides.get(side) for _, side in SIDES.values())
    cadre_re = sizes.get("cadre")
    spec = UnitSpec(full, type_, size, cadre, remnant, unsupported, starred=star is not None, cadre_re=cadre_re)
    if len(designations) == 1 and count in (None, 1):
        spec = msgspec.structs.replace(spec, designation=designations[0])
    return Parsed(_settled_count(count, designations, warnings), spec, designations, tuple(warnings))


def print_unit(spec: UnitSpec, designation: str = "", count: int | None = None) -> str:
    """Print a unit so that it reads back the same; a designation given here goes before the unit's own."""
    name = designation or spec.designation
    if spec.size == "HQ" and (first := _WORD.match(name.translate(_TO_PLAIN).lstrip())) and _size(first.group()):
        # Without the comma the designation would be read as the size, as in Inf HQ XX.
        name = f", {name}"
    parts = [
        f"{count}x" if count is not None else "",
        f"{spec.full}*" if spec.starred else str(spec.full),
        spec.type,
        spec.size,
        f"({spec.cadre}{_size_of_the_cadre(spec)})" if spec.cadre else "",
        f"({spec.remnant}{'' if spec.cadre else ' remnant'})" if spec.remnant else "",
        f"({spec.unsupported} unsupported)" if spec.unsupported else "",
    ]
    printed = " ".join(part for part in parts if part)
    return f"{printed}{name}" if name.startswith(",") else f"{printed} {name}".rstrip()


def _size_of_the_cadre(spec: UnitSpec) -> str:
    return "" if spec.cadre_re is None else f", {show_points(spec.cadre_re)} RE"


def _read_count(text: str, plain: str, warnings: list[str]) -> tuple[int | None, int]:
    """How many units, and where the text goes on; None when it does not say."""
    found = _COUNT.match(plain)
    if found is None:
        return None, 0
    digits = found["count"].translate(_TO_DIGITS)
    if int(digits) == 0:
        raise BadUnit("expected a count of at least 1, as in 2x 8-6 Inf XX", found.start("count") + 1)
    written = text[found.start("count") : found.end()]
    if written.replace(" ", "") != f"{digits}x":
        warnings.append(f"read {written!r} as {digits}x")
    return int(digits), found.end()


def _settled_count(count: int | None, designations: tuple[str, ...], warnings: list[str]) -> int:
    named = len(designations)
    if count is None:
        if named > 1:
            warnings.append(f"no count is given: read {named}x for {named} designations")
        return max(named, 1)
    if named and named != count:
        noun = "designation" if named == 1 else "designations"
        warnings.append(f"the count is {count}, but there {'is' if named == 1 else 'are'} {named} {noun}")
    return count


def _read_strength(text: str, plain: str, at: int, warnings: list[str]) -> tuple[Strength, int]:
    """A strength at or after a position, and where the text goes on."""
    at = _skip_space(plain, at)
    found = _STRENGTH.match(plain, at)
    if found is None:
        raise BadUnit(_what_a_strength_lacks(text, plain, at), at + 1)
    written = text[at : found.end()]
    mended = re.sub(_HYPHEN, "-", found.group().translate(_TO_DIGITS))
    if mended != written:
        warnings.append(f"read {written!r} as {mended}")
    attack = found["attack"].translate(_TO_DIGITS)
    defence = (found["defence"] or attack).translate(_TO_DIGITS)
    movement = found["movement"].translate(_TO_DIGITS).upper()
    try:
        strength = Strength(
            parse_points(attack), parse_points(defence), int(movement) if movement.isdecimal() else movement
        )
    except BadPoints as problem:
        raise BadUnit(f"expected a strength such as 8-6 or 5-7-6: {problem}", at + 1) from None
    return strength, found.end()


def _what_a_strength_lacks(text: str, plain: str, at: int) -> str:
    number = _FIRST_NUMBER.match(plain, at)
    if number and re.match(_HYPHEN, plain[number.end() :]):
        return f"expected a movement after {_word_at(text, at)!r}, as in 8-6, 5-7-6 or 0-1-R"
    if number and plain[at].isdecimal():
        return f"expected a hyphen and a movement after {number.group()!r}, as in 8-6, or x after a count, as in 2x"
    found = f", found {_word_at(text, at)!r}" if at < len(text) else ""
    return f"expected a strength such as 8-6 or 5-7-6{found}"


def _read_sides(
    text: str, plain: str, at: int, warnings: list[str]
) -> tuple[dict[str, Strength], dict[str, Fraction], str]:
    """The sides in brackets, their sizes if said, and the text with blanks in their place so that columns stay true."""
    sides: dict[str, Strength] = {}
    sizes: dict[str, Fraction] = {}
    while bracket := _BRACKET.search(plain, at):
        opened = bracket.start()
        if bracket.group() not in SIDES:
            raise BadUnit(f"expected an opening bracket before {bracket.group()!r}", opened + 1)
        closing, side = SIDES[bracket.group()]
        strength, after = _read_strength(text, plain, opened + 1, warnings)
        end = re.compile(
            rf"\s*({_SIDE_WORDS})?(?:\s*,\s*({_NUMBER})\s*REs?)?\s*{re.escape(closing)}", re.IGNORECASE
        ).match(plain, after)
        if end is None:
            raise BadUnit(f"expected {closing!r} after the {side} strength {strength}", after + 1)
        if end.group(1):
            side = end.group(1).lower()
        elif side == "cadre" and "cadre" in sides:
            side = "remnant"
        if side in sides:
            raise BadUnit(f"expected one {side} strength, found a second", opened + 1)
        sides[side] = strength
        if end.group(2):
            if side != "cadre":
                raise BadUnit(f"expected a size in REs with the cadre, found one with the {side}", opened + 1)
            sizes[side] = parse_points(end.group(2).translate(_TO_DIGITS))
        at = end.end()
        plain = plain[:opened] + " " * (at - opened) + plain[at:]
    return sides, sizes, plain


def _read_type_and_size(plain: str, at: int, full: Strength, warnings: list[str]) -> tuple[str, str, int]:
    """The type, the size, and where the text goes on."""
    words = list(_WORD.finditer(plain, at))
    if not words or (_size(words[0].group()) and not _is_hq_of_a_size(words, 0)):
        column = words[0].start() + 1 if words else len(plain.rstrip()) + 1
        raise BadUnit(f"expected a type such as Inf or Pz after the strength {full}", column)
    for index, word in enumerate(words[1:], start=1):
        size = _size(word.group())
        if size and not _is_hq_of_a_size(words, index):
            if _SCANNED_SIZE.fullmatch(word.group()) and word.group() != size:
                warnings.append(f"read {word.group()!r} as the size {size}")
            return _type(words[:index]), size, word.end()
    for index, word in enumerate(words):
        glued = _GLUED_SIZE.fullmatch(word.group())
        if glued and (index or glued["type"]):
            return _part_glued(words[:index], word, glued, warnings)
    type_ = _type(words)
    raise BadUnit(f"expected a size such as XX, X, III or II after the type {type_!r}", words[-1].end() + 1)


def _size(word: str) -> str | None:
    """The size a word stands for, if any."""
    if word.upper() in SIZES:
        return word.upper()
    return word.translate(_TO_STROKES) if _SCANNED_SIZE.fullmatch(word) else None


def _is_hq_of_a_size(words: list[re.Match[str]], index: int) -> bool:
    """Whether HQ ends the type, as in Inf HQ XX, and the size comes after it."""
    return (
        words[index].group().upper() == "HQ" and len(words) > index + 1 and _size(words[index + 1].group()) is not None
    )


def _part_glued(
    before: list[re.Match[str]], word: re.Match[str], glued: re.Match[str], warnings: list[str]
) -> tuple[str, str, int]:
    parts = [part for part in (glued["type"], glued["size"].upper(), glued["rest"]) if part]
    warnings.append(f"read {word.group()!r} as {' '.join(parts)}")
    last = _WORD.match(word.string, word.start(), word.start() + glued.end("type"))
    words = [*before, last] if last else before
    return _type(words), glued["size"].upper(), word.start() + glued.end("size")


def _type(words: list[re.Match[str]]) -> str:
    """The words of a type, each made of what a type may hold."""
    for word in words:
        good = _TYPE_WORD.match(word.group())
        if good is None or good.end() < len(word.group()):
            column = word.start() + (good.end() if good else 0)
            raise BadUnit(f"expected a type of letters, digits, / - & and ., found {word.string[column]!r}", column + 1)
    return " ".join(word.group() for word in words)


def _read_designations(text: str, at: int, warnings: list[str]) -> tuple[str, ...]:
    """The designations after the size."""
    for column, character in enumerate(text[at:], start=at + 1):
        if not character.isprintable() and not character.isspace():
            raise BadUnit(f"expected a designation such as 24, found the character {character!r}", column)
    rest = text[at:].strip().removeprefix(",")
    if not rest.strip():
        return ()
    named = [" ".join(part.split()) for part in rest.split(",")]
    if "" in named:
        warnings.append("left out an empty designation beside a comma")
    designations = tuple(name for name in named if name)
    for name in sorted({name for name in designations if designations.count(name) > 1}):
        warnings.append(f"the designation {name} is given twice")
    return designations


def _skip_space(plain: str, at: int) -> int:
    while at < len(plain) and plain[at].isspace():
        at += 1
    return at


def _word_at(text: str, at: int) -> str:
    word = text[at:].split(maxsplit=1)
    return word[0][:20] if word else ""
