"""One line of an order of battle, read by itself: its headings, its items and its clauses."""

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from lark import Token, Transformer
from lark.exceptions import VisitError
from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.calendar import BadTurn, Calendar
from forcepool.engine.points import BadPoints, parse_points
from forcepool.orderofbattle import alternatives, pieces, place_names
from forcepool.orderofbattle.grammar import BadLine, tree_of
from forcepool.orderofbattle.limits import instructions, limit_in_brackets
from forcepool.orderofbattle.model import Guard, Item, Link, PlaceSpec
from forcepool.orderofbattle.nationalities import nation_misspelt
from forcepool.orderofbattle.shorthand import in_full
from forcepool.orderofbattle.unit_strings import BadUnit, Parsed, parse_unit
from forcepool.orderofbattle.words import ARRIVALS, BOXES, OWN_SIDE, SIDES, box_named, nation_named

Warning_ = tuple[int, str]

_MENDED_LINKS = {
    "returns": "return",
    "returned": "return",
    "withdrawn": "withdraw",
    "withdraws": "withdraw",
    "transferred": "transfer",
    "transfers": "transfer",
    "arrives": "arrive",
    "arrived": "arrive",
}
_SAYS_SOMETHING = re.compile(r"\s*(?:MDs?|full|forming|returns?|in|at|from|to|for|gives|if|when|once|unless)\b", re.I)
_ODD_SIGN = re.compile(r"[:=<>@]|(?<!\S)(?:[-–—]{1,2}|[/|])(?!\S)")
_ODD_WORD = re.compile(r"(?<![\w'’-])(?!(?:von|der|de|le|la|bis|ter|el)\b)[a-z]{2,}(?![\w'’])")
_NAMED_PLACES = ("theatre", "command", "front", "country", "city", "theatre_border")
_NAMED_CLAUSES = ("place", "source", "cost", "yields", "rebuild")
_NAMED_HEADINGS = ("side", "force", "affiliation")
_HOW_MANY = re.compile(r"(any|up to)\s+")
_GUARD = re.compile(
    r"given\s+(?P<of>.+?)\s+(?:(?:is|has)\s+)?(?P<no>not\s+)?(?P<kind>controlled|in play|in use|occurred)"
)


class Part(Struct, frozen=True):
    """One heading on a line: its level in the outline, and what it says."""

    level: str
    value: Any
    colon: bool = False
    """Whether a colon follows, so that it holds for the lines below even with units on its own line."""


def _own_side_before(nation: Part, parts: list[Part]) -> Part | None:
    """Before the nation of a contingent, Soviet is the side: Soviet, Polish."""
    before = parts[-1] if parts and nation.level == "nation" and all(each.level != "side" for each in parts) else None
    own = OWN_SIDE.get(before.value) if before and before.level == "nation" else None
    return Part("side", own, before.colon) if before and own else None


class Line(Struct, frozen=True):
    """What a line says by itself, before the headings above it are counted in."""

    parts: tuple[Part, ...] = ()
    fields: dict[str, Any] | None = None
    """The fields of its entry; None for a line of headings or settings only."""
    warnings: tuple[Warning_, ...] = ()

    @property
    def verb(self) -> str:
        """The verb on the line itself."""
        return next((part.value for part in self.parts if part.level == "verb"), "")


@lru_cache(maxsize=1 << 14)
def read_line(text: str, calendar: Calendar) -> Line:
    """Read one line; a line that cannot be read raises BadLine with the column and the remedy."""
    said, guesses = in_full(text)
    try:
        line = _read(said, calendar)
    except BadLine:
        if said == text:
            raise
        return _as_it_stands(text, said, calendar)
    return replace(line, warnings=(*((1, each) for each in guesses), *line.warnings))


def _as_it_stands(text: str, said: str, calendar: Calendar) -> Line:
    """A line that makes no sense in the words of the grammar may make some as it was typed."""
    try:
        return _read(text, calendar)
    except BadLine:
        return _read(said, calendar)


def _read(text: str, calendar: Calendar) -> Line:
    warnings: list[Warning_] = []
    try:
        line: Line = _Reader(calendar, warnings).transform(tree_of(limit_in_brackets(text)))
    except VisitError as error:
        if isinstance(error.orig_exc, BadLine):
            raise error.orig_exc from None
        raise
    return replace(line, warnings=tuple(warnings))


class _Reader(Transformer[Token, Any]):
    """Turns the parts of a line into data, from the inside out."""

    def __init__(self, calendar: Calendar, warnings: list[Warning_]) -> None:
        super().__init__()
        self._calendar = calendar
        self._warnings = warnings

    def start(self, found: list[Any]) -> Line:
        said: dict[str, Any] = {}
        for each in found:
            said |= {**each, "parts": (*said.get("parts", ()), *each.get("parts", ()))}
        if "fields" not in said and any(part.level == "place" and not part.colon for part in said["parts"]):
            # Without the colon it is more likely the end of a line that was broken in two.
            raise BadLine(1, "a place by itself says nothing", "end it with a colon to make it a heading")
        return Line(**said)

    def setting(self, found: list[Token]) -> dict[str, Any]:
        (token,) = found
        if token.type == "TITLE":
            return {"parts": (Part("title", pieces.squeezed(token.split(":", 1)[1])),)}
        return {"parts": (Part("turns a month", int(token.rstrip()[-1])),)}

    def __default__(self, data: Any, children: list[Any], meta: Any) -> Any:
        """The rules that hand on the last thing they found, under their own name or as it is."""
        if data in _NAMED_PLACES:
            return PlaceSpec(str(data), children[-1])
        if data in _NAMED_CLAUSES:
            return str(data), children[-1]
        if data in _NAMED_HEADINGS:
            name = pieces.squeezed(children[-1])
            return Part(str(data), SIDES.get(name, name) if data == "side" else name)
        return children[0]

    # ------------------------------------------------------------------------------------------ headings

    def lead(self, found: list[Any]) -> dict[str, Any]:
        parts: list[Part] = []
        for each in found:
            if not isinstance(each, Part):
                parts[-1] = replace(parts[-1], colon=parts[-1].colon or each == ":")
            elif own := _own_side_before(each, parts):
                parts[-1:] = [own, each]
            elif any(each.level == other.level for other in parts):
                raise BadLine(1, f"the line gives two headings of one kind: {each.level}", "keep one of them")
            else:
                parts.append(each)
        return {"parts": tuple(parts)}

    def sep(self, found: list[Token]) -> str:
        return str(found[0])

    def turn(self, found: list[Token]) -> Part:
        return Part("turn", self._turn(found[0]))

    def any_turn(self, found: list[Token]) -> Part:
        return Part("turn", "")

    def known_side(self, found: list[Token]) -> Part:
        word = re.sub(r"(?i)\s+forces$", "", found[0].strip())
        return Part("side", next(side for name, side in SIDES.items() if name.casefold() == word.casefold()))

    def known_nation(self, found: list[Token]) -> Part:
        return Part("nation", nation_named(re.sub(r"(?i)\s+forces$", "", found[0].strip())))

    def named_nation(self, found: list[Token]) -> Part:
        return Part("nation", re.sub(r"(?i)\s+forces\s*$", "", found[0]))

    def nation(self, found: list[Token]) -> Part:
        return Part("nation", nation_named(found[1]) or pieces.squeezed(found[1]))

    def area_heading(self, found: list[PlaceSpec]) -> Part:
        return Part("front" if found[0].kind == "front" else "theatre", found[0])

    def known_theatre(self, found: list[Token]) -> Part:
        return Part("theatre", PlaceSpec("theatre", (str(found[0]),)))

    def place_heading(self, found: list[Any]) -> Part:
        return Part("place", found[-1])

    def condition_heading(self, found: list[Token]) -> Part:
        return Part("condition", pieces.condition(found[0]))

    def always(self, found: list[Token]) -> Part:
        return Part("condition", None)

    def verb(self, found: list[Token]) -> Part:
        return Part("verb", found[0].type.lower().replace("_", " "))

    def free(self, found: list[Token]) -> dict[str, Any]:
        word, text = found
        return {"parts": (self.verb([word]),), "fields": {"note": pieces.squeezed(text)}}

    # ------------------------------------------------------------------------------------------- entries

    def entry(self, found: list[Any]) -> dict[str, Any]:
        items, clauses = found
        return {"fields": {"items": items, **clauses}}

    def change(self, found: list[Any]) -> dict[str, Any]:
        items, _, results, clauses = found
        return {"fields": {"items": items, "results": results, **clauses}}

    def items(self, found: list[Any]) -> tuple[Item, ...]:
        return tuple(each for each in found if isinstance(each, Item))

    def unit(self, found: list[Token]) -> Item:
        token, *described = found
        how_many = _HOW_MANY.match(token)
        skipped = how_many.end() if how_many else 0
        start = (token.column or 1) + skipped
        alternatives.between_units(token[skipped:], start)
        try:
            parsed = parse_unit(token[skipped:])
        except BadUnit as bad:
            raise BadLine(start + bad.column - 1, str(bad), "a unit is written as 2x 8-6 Inf XX 24, 76") from None
        alternatives.second_unit(parsed.spec.type, token[skipped:], start)
        for name in parsed.designations:
            alternatives.in_a_name(name, token[skipped:], start)
        self._warnings += [(start, warning) for warning in parsed.warnings]
        self._look_for_odd_words(parsed, start)
        return pieces.described(pieces.as_item(parsed, how_many.group(1) if how_many else ""), described)

    def points_item(self, found: list[Token]) -> Item:
        return Item(points=self._amounts(found))

    def forces(self, found: list[Token]) -> Item:
        return Item(force=pieces.squeezed(found[0]))

    def clauses(self, found: list[tuple[str, Any]]) -> dict[str, Any]:
        said: dict[str, Any] = {}
        for field, value in found:
            if field in ("conditions", "guards", "links"):
                said[field] = (*said.get(field, ()), value)
            elif field == "place" and "place" in said:
                said["place"] = pieces.one_in_the_other(said["place"], value)
            elif field == "note" and "note" in said:
                said["note"] = f"{said['note']}; {value}"
            elif field in said:
                raise BadLine(1, f"the line gives its {field} twice", "keep one, or make two lines of it")
            else:
                said[field] = value
        return said

    def at_city(self, found: list[Any]) -> tuple[str, Any]:
        return "place", PlaceSpec("city", found[-1])

    def in_area(self, found: list[Any]) -> tuple[str, Any]:
        return "place", PlaceSpec("area", found[-1])

    def condition(self, found: list[Token]) -> tuple[str, Any]:
        return "conditions", pieces.condition(found[0])

    def guard(self, found: list[Token]) -> tuple[str, Any]:
        guard = _GUARD.match(found[0])
        if guard is None:
            raise BadLine(found[0].column or 1, "a guard is not understood", "write it as given ETO controlled")
        return "guards", Guard(guard["kind"], pieces.squeezed(guard["of"]), guard["no"] is None)

    def link(self, found: list[Token]) -> tuple[str, Any]:
        return "links", Link(_MENDED_LINKS.get(str(found[0]), str(found[0])), self._turn(found[1]))

    def assembly(self, found: list[Token]) -> tuple[str, Any]:
        return "links", Link("assembly", what=pieces.squeezed(found[1]))

    def arrival(self, found: list[Token]) -> tuple[str, Any]:
        return "arrival", ARRIVALS[pieces.squeezed(found[0]).lower()]

    def note(self, found: list[Token]) -> tuple[str, Any]:
        (token,) = found
        text = token[5:] if token.type == "NOTE" else token[1:-1]
        if token.type == "REMARK":
            alternatives.in_a_remark(text, token.column or 1)
        if token.type == "REMARK" and _SAYS_SOMETHING.match(text) and not instructions(text).limits:
            self._warnings.append((token.column or 1, f"kept {str(token)!r} as a note, which changes nothing"))
        return "note", pieces.squeezed(text)

    def points(self, found: list[Any]) -> dict[str, Fraction]:
        return self._amounts(each for each in found if each is not None and each.type != "EACH")

    # -------------------------------------------------------------------------------------------- places

    def names(self, found: list[Token]) -> tuple[str, ...]:
        return place_names.of_one_kind([each for each in found if each.type == "NAME"])

    def hexes(self, found: list[Token]) -> tuple[str, ...]:
        return tuple(str(each) for each in found)

    def named_area(self, found: list[Token]) -> PlaceSpec:
        name, kind = re.sub(r"(?i)^the\s+", "", pieces.squeezed(found[0])).rsplit(" ", 1)
        return PlaceSpec("theatre" if kind.lower() == "theater" else kind.lower(), (name,))

    def md(self, found: list[Any]) -> PlaceSpec:
        return PlaceSpec("md" if len(found[-1]) == 1 else "multi_md", found[-1])

    def any_city(self, found: list[Any]) -> PlaceSpec:
        return PlaceSpec("any_city")

    def army_hq(self, found: list[Any]) -> PlaceSpec:
        return PlaceSpec("army_hq")

    def with_army_hq(self, found: list[Any]) -> tuple[str, Any]:
        return "place", PlaceSpec("army_hq")

    def hex(self, found: list[Any]) -> PlaceSpec:
        return PlaceSpec("hex", hexes=found[-1])

    def map_edge(self, found: list[Any]) -> PlaceSpec:
        _, map_, edge, _, hexes = found
        return PlaceSpec("map_edge", (str(map_),), pieces.edge(edge), hexes or ())

    def sea(self, found: list[Any]) -> PlaceSpec:
        _, map_, edge, name, within, centre = found
        names = tuple(pieces.squeezed(each) for each in (map_, name) if each is not None)
        if not names:
            raise BadLine((found[0].column or 1), "a sea place needs a map or a sea area", "write it as sea 24A west")
        distance = int(re.findall(r"[0-9]+", within)[0]) if within else 0
        return PlaceSpec("sea", names, pieces.edge(edge), (str(centre),) if centre else (), distance)

    def port(self, found: list[Any]) -> PlaceSpec:
        return PlaceSpec("port", found[-1] or ())

    def airbase(self, found: list[Any]) -> PlaceSpec:
        return PlaceSpec("airbase", found[-1] or ())

    def box(self, found: list[Any]) -> PlaceSpec:
        return PlaceSpec("box", (box_named(found[1]),), inside=found[3] if len(found) > 2 else None)

    def named_box(self, found: list[Any]) -> PlaceSpec:
        words = pieces.squeezed(found[0].removesuffix("BOX")).removesuffix(" INVASION")
        kind = next((box for box in BOXES if words.casefold().endswith(box.casefold())), words)
        owner = words[: len(words) - len(kind)].strip()
        inside = found[2] if len(found) > 1 else PlaceSpec("area", (owner.title(),)) if owner else None
        return PlaceSpec("box", (kind,), inside=inside)

    def bare(self, found: list[Any]) -> PlaceSpec:
        return PlaceSpec("area", found[0])

    # ------------------------------------------------------------------------------------------- helpers

    def _turn(self, token: Token) -> str:
        try:
            parsed = self._calendar.parse(str(token))
        except BadTurn as bad:
            raise BadLine(token.column or 1, str(bad), "write it as Jul 2 41") from None
        self._warnings += [(token.column or 1, warning) for warning in parsed.warnings]
        return self._calendar.name(parsed.turn)

    def _amounts(self, tokens: Iterable[Token]) -> dict[str, Fraction]:
        amounts: dict[str, Fraction] = {}
        for token in tokens:
            kind, amount = self._amount(token)
            if kind in amounts:
                raise BadLine(token.column or 1, f"{kind} points are given twice", "add them up")
            amounts[kind] = amount
        return amounts

    def _amount(self, token: Token) -> tuple[str, Fraction]:
        cut = re.match(r"(?P<number>.*?)\s*(?P<kind>[A-Za-z]{2,}(?:-[a-z]+)?\.?)(?:\s+RPs?)?$", token, re.IGNORECASE)
        if cut is None:
            raise BadLine(token.column or 1, f"{str(token)!r} is not an amount", "write it as 3 inf")
        number, kind = cut["number"].strip(), cut["kind"].rstrip(".")
        if number in ("l", "I", "|"):
            self._warnings.append((token.column or 1, f"read {str(token)!r} as 1 {kind}"))
            number = "1"
        try:
            known = pieces.point_kind(kind)
            if known == "RP":
                self._warnings.append((token.column or 1, f"{str(token)!r} is of no kind: read as infantry"))
                known = "inf"
            return known, parse_points(number)
        except BadPoints as bad:
            raise BadLine(token.column or 1, str(bad), "write it as 3 inf") from None

    def _look_for_odd_words(self, parsed: Parsed, column: int) -> None:
        if meant := nation_misspelt(parsed.spec.type):
            self._warnings.append((column, f"read {parsed.spec.type!r} as the type; did you mean {meant}?"))
        for name in parsed.designations:
            if odd := _ODD_SIGN.search(name) or _ODD_WORD.search(name):
                self._warnings.append((column, f"read {odd.group()!r} as part of the designation {name!r}"))
