"""Unit strings: reading and printing units as orders of battle write them.

    2x 7-6* Inf XX (3-6) (1-6) (5-6 unsupported) 24, 76

    2x       how many; left out for one
    7-6      strength-movement, or attack-defence-movement as in 5-7-6; fractions as ½-6, 1/2-6 or 2.5-6;
             a movement may be a letter, as in 0-1-R
    *        the footnote star of the order of battle, kept as a mark; it may also stand before the strength
    Inf      the type, one word or several; a nation before it, as in 3-8 Br Mot X, is the unit's
    XX       the size, also as Div, Bde, Rgt or Bn; HQ may stand before it or behind it
    (3-6)    the cadre; (3-6 cadre) is the same, and (3-6, 2 RE) says its size where it is not the usual one
    (1-6)    behind the cadre, the remnant; (1-6 remnant) and [1-6] are the same
    (5-6 unsupported)  the unsupported side; {5-6} is the same
    24, 76   the designations, parted by commas; a comma before the first does no harm

The brackets may stand anywhere behind the strength. What stands in another order is put into this one first
(usual_order.py), and type and size may be one word, as in ID or PzD (abbreviations.py). What a scanner or a hurried
typist gets wrong is understood where
only one reading is left, and the warnings say what was understood. notations.yaml shows every notation by example.
"""

import re

import msgspec

from forcepool.engine.points import show_points
from forcepool.engine.units import Strength, UnitSpec
from forcepool.orderofbattle.abbreviations import kind_short
from forcepool.orderofbattle.aircraft import AIR, looks_like_an_aircraft, parse_aircraft, print_aircraft
from forcepool.orderofbattle.brackets import SIDES, read_beside
from forcepool.orderofbattle.designations import read_designations, star_of_the_names, without_ordinal
from forcepool.orderofbattle.nationalities import force_before_type, nation_short
from forcepool.orderofbattle.strengths import (
    DIGIT,
    TO_DIGITS,
    BadUnit,
    made_plain,
    read_strength,
    shown,
    word_at,
)
from forcepool.orderofbattle.usual_order import in_usual_order, is_a_name
from forcepool.orderofbattle.words import SIZE_WORDS, is_type_word

__all__ = ["SIZES", "BadUnit", "Parsed", "parse_unit", "print_unit", "print_units"]

SIZES = ("XXXXX", "XXXX", "XXX", "XX", "X", "III", "II", "I", "HQ")
"""The sizes a unit may have, from army group to company, and HQ for a headquarters without one."""

SCANNED_STROKES = {"l": "I", "|": "I", "1": "I"}
"""Characters that scanners put for the strokes of II and III."""

_TO_STROKES = str.maketrans(SCANNED_STROKES)
_COUNT = re.compile(rf"\s*(?P<star>\*\s*)?(?P<count>{DIGIT}{{1,3}})\s*[xX]")
_STRENGTH_FIRST = re.compile(r"\s*(?:[0-9]{1,3}\s*[xX]\s*)?\*?[0-9½]{1,3}-[0-9]")
_STAR = re.compile(r"\s*\*")
_NATION_FIRST = re.compile(r"\s*(?P<words>[A-Z][A-Za-z.]*(?:\s[A-Z][A-Za-z]*)?)\s+(?=\*?\s*[0-9½¼¾⅓⅔lIO])")
_TYPE_WORD = re.compile(r"[^\W_](?:[^\W_]|[/&.-])*")
_WORD = re.compile(r"[^\s,]+|,")
# Behind the type or the size, as in 5-8 Pz XX cadre, or before the type; alone it would be the type itself.
_BARE_STEP = re.compile(
    r"\s*[^\W\d_][^,]*?(?:,\s*|\s)(?P<step>cadres?|cad\.|kader|remnants?|rem\.|unsupported)(?=[\s,]|$)"
    r"|\s*(?P<first>cadre|kader|remnant)(?=\s+[^\W_][^,]*\s\S)",
    re.IGNORECASE,
)
_UNIT_NUMBER = re.compile(r"[0-9]{1,4}(?:st|nd|rd|th|\.)?(?:[A-Z]|[A-Z][a-z]?[A-Z])?")
_SCANNED_SIZE = re.compile(r"(?=.*[Il|])[Il|1]{1,3}")
# The capitals of a glued size must not follow their like (XIII is no size), and of the small ones only those are
# taken that hardly end a word.
_GLUED_SIZE = re.compile(
    rf"(?P<type>.*?(?<![XIVLxivl|1]))(?P<size>{'|'.join(SIZES)}|xxxx|xxx|xx|iii|ii)(?P<rest>[0-9].*)?"
)

Words = list[re.Match[str]]


class Parsed(msgspec.Struct, frozen=True):
    """The units a text stands for, and what had to be guessed to read it."""

    count: int
    spec: UnitSpec
    designations: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    state: str = ""
    """The step or condition it is written in, as in (cadre)."""


class Kind(msgspec.Struct, frozen=True):
    """The words between a strength and the designations, and where the text goes on."""

    type: str
    size: str
    behind: int
    nation: str = ""
    name: str = ""
    """A designation that stands before the type, as in 8-6 44 HuD Inf XX."""
    force: str = ""


def parse_unit(text: str) -> Parsed:
    """Read a unit string such as 2x 8-6 Inf XX (3-6) 24, 76, or 1x Me109E4 6F5 2/12."""
    try:
        return _parse(text)
    except BadUnit as bad:
        # Only what cannot be read as it stands is put into another order, and said to be wrong as it was written.
        guessed: list[str] = []
        usual = in_usual_order(made_plain(text), guessed)
        better = _of_an_aircraft(text) or _without_strength(text) or bad
        if usual == text:
            raise better from None
        try:
            parsed = _parse(usual)
        except BadUnit:
            raise better from None
        return msgspec.structs.replace(parsed, warnings=(*guessed, *parsed.warnings))


def _of_an_aircraft(text: str) -> BadUnit | None:
    """What to say of a text that has an air unit's ratings and is none."""
    if not looks_like_an_aircraft(text) or _STRENGTH_FIRST.match(text):
        return None
    return BadUnit("expected ratings, model, bombs and range of an air unit, as in 6F5 Me109E4 2/12", 1)


def _without_strength(text: str) -> BadUnit | None:
    """What to say of a text that is a unit's name and tells no strength."""
    if not is_a_name(made_plain(text)):
        return None
    return BadUnit("expected a strength before the unit, as in 8-6 Inf XX 24; found its name alone", 1)


def _parse(text: str) -> Parsed:
    """A unit string whose parts stand in the usual order."""
    warnings: list[str] = []
    plain = made_plain(text)
    count, starred, at = _read_count(text, plain, warnings)
    if aircraft := parse_aircraft(plain[at:], warnings):
        return Parsed(count or 1, aircraft, warnings=tuple(warnings))
    nation, at = _read_nation_first(plain, at)
    if star := _STAR.match(plain, at):
        starred, at = True, star.end()
    full, at = read_strength(text, plain, at, warnings)
    if star := _STAR.match(plain, at):
        starred, at = True, star.end()
    elif plain[at : at + 1].isalpha():
        word = word_at(text, at)
        warnings.append(f"read '{full}{word}' as {full} {word}")
    beside = read_beside(text, plain, at, warnings)
    bare = _BARE_STEP.match(beside.plain, at) if not beside.state else None
    if bare:
        which = "step" if bare["step"] else "first"
        beside.state = {"r": "remnant", "u": "unsupported"}.get(bare[which][0].casefold(), "cadre")
        beside.blank(*bare.span(which))
    kind = _read_kind(beside.plain, at, full, warnings)
    # Designations keep their own dashes and signs, so they are taken from the text as written.
    as_written = "".join(old if now == was else now for now, was, old in zip(beside.plain, plain, text, strict=True))
    if as_written[at : kind.behind] != beside.plain[at : kind.behind]:
        warnings.append(f"read {as_written[at : kind.behind].strip()!r} as {kind.type} {kind.size}")
    count = beside.count if count is None else count
    designations, star_behind = star_of_the_names(read_designations(as_written, kind.behind, count, warnings), warnings)
    if kind.name and designations:
        kind = msgspec.structs.replace(kind, type=f"{kind.name} {kind.type}")
    elif kind.name:
        designations = (kind.name,)
    cadre, remnant, unsupported = (beside.sides.get(side) for _, side in SIDES.values())
    spec = UnitSpec(
        *(full, kind.type, kind.size, cadre, remnant, unsupported),
        starred=starred or star_behind,
        nation=kind.nation or nation or beside.nation,
        force=beside.force or kind.force,
        re=beside.re,
        cadre_re=beside.cadre_re,
    )
    if len(designations) == 1 and count in (None, 1):
        spec = msgspec.structs.replace(spec, designation=designations[0])
    return Parsed(
        _settled_count(count, designations, warnings), spec, designations, tuple(warnings), state=beside.state
    )


def print_units(parsed: Parsed) -> str:
    """What was read in the form we print ourselves; it reads back the same."""
    printed = print_unit(parsed.spec, ", ".join(parsed.designations), parsed.count)
    return f"{printed} ({parsed.state})" if parsed.state else printed


def print_unit(spec: UnitSpec, designation: str = "", count: int | None = None) -> str:
    """Print a unit so that it reads back the same; a designation given here goes before the unit's own."""
    if AIR in spec.traits:
        return " ".join(part for part in (f"{count}x" if count is not None else "", print_aircraft(spec)) if part)
    name = designation or spec.designation
    if spec.size == "HQ" and (first := _WORD.match(made_plain(name).lstrip())) and _size(first.group()):
        # Without the comma the designation would be read as the size, as in Inf HQ XX.
        name = f", {name}"
    parts = [
        f"{count}x" if count is not None else "",
        f"{shown(spec.full)}*" if spec.starred else shown(spec.full),
        spec.nation,
        spec.type,
        spec.size,
        f"({shown(spec.cadre)}{_size_of_the_cadre(spec)})" if spec.cadre else "",
        f"({shown(spec.remnant)}{'' if spec.cadre else ' remnant'})" if spec.remnant else "",
        f"({shown(spec.unsupported)} unsupported)" if spec.unsupported else "",
        f"({show_points(spec.re)} RE)" if spec.re is not None else "",
        f"({spec.force})" if spec.force else "",
    ]
    printed = " ".join(part for part in parts if part)
    return f"{printed}{name}" if name.startswith(",") else f"{printed} {name}".rstrip()


def _size_of_the_cadre(spec: UnitSpec) -> str:
    return "" if spec.cadre_re is None else f", {show_points(spec.cadre_re)} RE"


def _read_count(text: str, plain: str, warnings: list[str]) -> tuple[int | None, bool, int]:
    """How many units, None when it does not say; whether a star stands before it; and where the text goes on."""
    found = _COUNT.match(plain)
    if found is None:
        return None, False, 0
    digits = found["count"].translate(TO_DIGITS)
    if int(digits) == 0:
        raise BadUnit("expected a count of at least 1, as in 2x 8-6 Inf XX", found.start("count") + 1)
    written = text[found.start("count") : found.end()]
    if written.replace(" ", "") != f"{digits}x":
        warnings.append(f"read {written!r} as {digits}x")
    return int(digits), found["star"] is not None, found.end()


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


def _read_nation_first(plain: str, at: int) -> tuple[str, int]:
    """A nation before the strength, as in Rum 4-6 Inf XX, and where the text goes on."""
    found = _NATION_FIRST.match(plain, at)
    nation = nation_short(found["words"]) if found else ""
    return (nation, found.end()) if found and nation else ("", at)


# ------------------------------------------------------------------------------------------ type and size


def _read_kind(plain: str, at: int, full: Strength, warnings: list[str]) -> Kind:
    """What stands between the strength and the designations."""
    words = list(_WORD.finditer(plain, at))
    if not words or (_size(words[0].group()) and not _is_hq_of_a_size(words, 0)):
        column = words[0].start() + 1 if words else len(plain.rstrip()) + 1
        raise BadUnit(f"expected a type such as Inf or Pz after the strength {full}", column)
    for index, word in enumerate(words[1:], start=1):
        size = _size(word.group())
        if size and not _is_hq_of_a_size(words, index):
            if _SCANNED_SIZE.fullmatch(word.group()) and word.group() != size:
                warnings.append(f"read {word.group()!r} as the size {size}")
            return _with_hq_behind(words, index, _kind(words[:index], size, word.end()))
    for index, word in enumerate(words[1:], start=1):
        if size := SIZE_WORDS.get(word.group().rstrip(".").casefold(), ""):
            return _with_hq_behind(words, index, _kind(words[:index], size, word.end()))
    for index, word in enumerate(words):
        glued = _GLUED_SIZE.fullmatch(word.group())
        if glued and (index or glued["type"]):
            return _part_glued(words[:index], word, glued, warnings)
    for index, word in enumerate(words):
        if short := kind_short(word.group()):
            return _kind(words[:index], short[1], word.end(), short[0])
    type_ = _type(words)
    without = "; a counter without one, such as a truck, is given that of its REs" if len(words) < 3 else ""
    raise BadUnit(f"expected a size such as XX, X, III or II after the type {type_!r}{without}", words[-1].end() + 1)


def _size(word: str) -> str | None:
    """The size a word stands for, if any."""
    if word.upper() in SIZES:
        return word.upper()
    return word.translate(_TO_STROKES) if _SCANNED_SIZE.fullmatch(word) else None


def _is_hq_of_a_size(words: Words, index: int) -> bool:
    """Whether HQ ends the type, as in Inf HQ XX or HQ Army, and the size comes after it."""
    if words[index].group().upper() != "HQ" or len(words) == index + 1:
        return False
    behind = words[index + 1].group()
    return _size(behind) is not None or behind.rstrip(".").casefold() in SIZE_WORDS


def _with_hq_behind(words: Words, index: int, kind: Kind) -> Kind:
    """Inf XX HQ A is the headquarters A of an infantry division: Inf HQ XX A."""
    behind = words[index + 1] if len(words) > index + 1 else None
    if behind is None or behind.group() != "HQ" or kind.size == "HQ" or kind.type.endswith("HQ"):
        return kind
    return msgspec.structs.replace(kind, type=f"{kind.type} HQ", behind=behind.end())


def _part_glued(before: Words, word: re.Match[str], glued: re.Match[str], warnings: list[str]) -> Kind:
    parts = [part for part in (glued["type"], glued["size"].upper(), glued["rest"]) if part]
    warnings.append(f"read {word.group()!r} as {' '.join(parts)}")
    last = _WORD.match(word.string, word.start(), word.start() + glued.end("type"))
    words = [*before, last] if last else before
    return _kind(words, glued["size"].upper(), word.start() + glued.end("size"))


def _kind(words: Words, size: str, behind: int, short: str = "") -> Kind:
    """A type with the nation or the name before it told apart; `short` is the type of an abbreviation such as ID."""
    nation = ""
    for length in (2, 1):
        if len(words) > length - bool(short) and (
            nation := nation_short(" ".join(word.group() for word in words[:length]))
        ):
            words = words[length:]
            break
    if not nation and len(words) > 1 and is_type_word(words[0].group()):
        # Inf Rum XX: behind the type it is the nation all the same.
        nation = nation_short(words[-1].group())
        words = words[:-1] if nation else words
    name = force = ""
    if len(words) > 1 and is_type_word(words[1].group()) and force_before_type(words[0].group()):
        force, words = force_before_type(words[0].group()), words[1:]
    if len(words) > 1 - bool(short) and _UNIT_NUMBER.fullmatch(words[0].group()):
        last = len(words) if short else 0
        first = next((at for at, word in enumerate(words) if at and is_type_word(word.group())), last)
        if first == 2 and not nation:
            # 4 Ind Inf XX is the 4th of the Indians, as 44 HuD Inf XX is not.
            nation = nation_short(words[1].group())
        named = words[: 1 if nation and first == 2 else first]
        name, words = without_ordinal(" ".join(word.group() for word in named)), words[first:]
    return Kind(" ".join(filter(None, (_type(words), short))), size, behind, nation, name, force)


def _type(words: Words) -> str:
    """The words of a type, each made of what a type may hold."""
    for word in words:
        good = _TYPE_WORD.match(word.group())
        if good is None or good.end() < len(word.group()):
            column = word.start() + (good.end() if good else 0)
            raise BadUnit(f"expected a type of letters, digits, / - & and ., found {word.string[column]!r}", column + 1)
    bare = (word.group().rstrip(".") for word in words)
    return " ".join(short if is_type_word(short) else word.group() for short, word in zip(bare, words, strict=True))
