"""Reading a whole order of battle: the outline of headings, lines that run on, and the keys of the entries."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.calendar import Calendar
from forcepool.files.disk import unread
from forcepool.files.problems import BadFile, Problem
from forcepool.files.syntax import lines_of
from forcepool.orderofbattle.grammar import BadLine, looks_like_a_turn
from forcepool.orderofbattle.joint_headings import joint_heading
from forcepool.orderofbattle.line import Line, read_line
from forcepool.orderofbattle.lost_headings import Unread, as_read, headings_before_units
from forcepool.orderofbattle.mixed_items import parted
from forcepool.orderofbattle.model import HELD, NOT_UNDERSTOOD, Entry, Item, OrderOfBattle, PlaceSpec
from forcepool.orderofbattle.outline import Outline, below_fresh, outline_with
from forcepool.orderofbattle.words import CHANGES, FREE_TEXT, OWN_SIDE, TURNS_A_MONTH, VERBS

DEFAULT_VERB = "reinforce"
ARRIVE_FORMING = "arrive forming"
"""Two verbs in one: the unit arrives first, and is then put in the forming box."""
SAY = "take away the ? and put a heading above it that says what becomes of it"
SETTINGS = ("title", "turns a month")
_ITEMS = ("items", "results")

_COMMENT = re.compile(r"(?:^|\s)#(?:\s|#|$)")
_ARROW_FIRST = re.compile(r"→|[-=]+>")
_VERB_FIRST = re.compile(rf"(?:{'|'.join(sorted(VERBS, key=len, reverse=True))})\b", re.IGNORECASE)
_BLANK = re.compile(r"\s")
# With a colon, or a few words without one, each with a capital: Air Reinforcements, NOTES.
_HEADING = re.compile(r"[^\W\d_][^\d]*:|(?:[A-Z][\w'’/&-]*\s*){1,5}")
_MEANS = re.compile(r"heading\s+(?P<heading>\S.*?)\s*:?\s+means\s+(?P<verb>\S.*?)\s*:?", re.IGNORECASE)
_ROMAN_OF_FOUR = re.compile(r"(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[.,]?\s+(?:III|IV)\b")
_SLUG = re.compile(r"[^0-9a-z]+")


class Row(Struct, frozen=True):
    """A line of the file that says something, with what was made of it."""

    number: int
    indent: int
    text: str
    comments: tuple[str, ...]
    read: Line | BadLine
    last: int
    """The line it ends on, when it runs over several."""
    held: bool = False
    """Whether it is marked as not understood."""


def parse(
    text: str, file: str = "order of battle", *, turns_a_month: int = TURNS_A_MONTH, roman: bool = False
) -> OrderOfBattle:
    """Read an order of battle; lines that cannot be read are reported and kept."""
    turns_a_month, title = _settings(text, turns_a_month)
    # A text that numbers turns III and IV in Roman has four of them; another has halves of a month.
    calendar = Calendar(turns_a_month, roman, halves=not _ROMAN_OF_FOUR.search(text))
    fold = _Fold(file, calendar)
    rows, left_over = _rows(text, calendar, _meanings(text))
    for row in rows:
        fold.take(row)
    fold.finish()
    return OrderOfBattle(
        tuple(fold.entries),
        tuple(sorted(fold.problems)),
        tuple(sorted(fold.warnings)),
        title,
        calendar.turns_per_month,
        left_over,
        roman,
    )


def read_file(path: str | Path, *, turns_a_month: int = TURNS_A_MONTH) -> OrderOfBattle:
    """Read an order of battle from a text file in UTF-8."""
    name = str(path)
    try:
        content = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason, remedy = unread(error)
        raise BadFile([Problem(name, 1, 1, f"the file cannot be read: {reason}", remedy)]) from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise BadFile(
            [Problem(name, line, 1, "the file is not UTF-8 text", "save it with the encoding UTF-8")]
        ) from None
    return parse(text, name, turns_a_month=turns_a_month)


# ------------------------------------------------------------------------------------------------ lines


def _settings(text: str, turns_a_month: int) -> tuple[int, str]:
    """The settings, wherever they stand; the calendar is needed before the first turn is read."""
    title = ""
    for line in lines_of(text):
        plain, _ = _without_comment(line)
        if re.match(r"(?i)turns (?:a|per) month|title\s*:", plain):
            try:
                parts = read_line(plain, Calendar(TURNS_A_MONTH)).parts
            except BadLine:
                continue
            for part in parts:
                if part.level == "title":
                    title = part.value
                elif part.level == "turns a month":
                    turns_a_month = part.value
    return turns_a_month, title


def _meanings(text: str) -> dict[str, str]:
    """What lines such as `heading Landings means Reinforce` say of headings that nobody else knows."""
    said = (_MEANS.fullmatch(_without_comment(line)[0]) for line in lines_of(text.removeprefix("\ufeff")))
    return {found["heading"].casefold(): f"{found['verb']}:" for found in said if found}


def _rows(text: str, calendar: Calendar, meanings: dict[str, str]) -> tuple[list[Row], tuple[str, ...]]:
    rows: list[Row] = []
    comments: tuple[str, ...] = ()
    for number, line in enumerate(lines_of(text.removeprefix("\ufeff")), start=1):
        plain, comment = _without_comment(line)
        if comment:
            comments = (*comments, comment)
        if not plain or (meanings and _MEANS.fullmatch(plain)):
            continue
        plain = meanings.get(plain.rstrip(": ").casefold(), plain)
        if held := plain.startswith(HELD):
            plain = plain.removeprefix(HELD).strip()
        read = BadLine(1, "nobody has said yet what this means", SAY) if held else _read(plain, calendar)
        row = Row(number, _indent(line), plain, comments, read, number, held)
        comments = ()
        rows.append(row)
    return rows, comments


def _without_comment(line: str) -> tuple[str, str]:
    """A line and the remark behind it; blanks of every kind become plain ones, so that columns stay true."""
    plain = _BLANK.sub(" ", line)
    found = _COMMENT.search(plain)
    if found is None:
        return plain.strip(), ""
    return plain[: found.start()].strip(), plain[found.start() :].strip().lstrip("#").strip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _read(text: str, calendar: Calendar) -> Line | BadLine:
    try:
        line = read_line(text, calendar)
    except BadLine as bad:
        return joint_heading(text, calendar) or bad
    return (joint_heading(text, calendar) or line) if _takes_a_verb_for_a_name(line) else line


def _takes_a_verb_for_a_name(line: Line) -> bool:
    """Whether a heading names an area like a verb: `theatre West, Forming:` is no choice of two theatres."""
    areas = (part.value for part in line.parts if isinstance(part.value, PlaceSpec))
    return line.fields is None and any(_VERB_FIRST.fullmatch(name) for area in areas for name in area.names[1:])


def _joined(before: Row, row: Row, verb: str, calendar: Calendar) -> Row | None:
    """Two lines as one, when the second says nothing by itself and together they do; `verb` is the verb above them."""
    runs_on = before.text.endswith(",") or _ARROW_FIRST.match(row.text) or isinstance(before.read, BadLine)
    if before.last + 1 != row.number or not runs_on or not isinstance(row.read, BadLine):
        return None
    text = f"{before.text} {row.text}"
    read = _read(text, calendar)
    if isinstance(read, BadLine) or read.fields is None:
        return None
    bare = _read(before.text.rstrip(" ,"), calendar)
    if isinstance(bare, Line) and len(read.warnings) > len(bare.warnings):
        # A second line that only makes the first one doubtful is something else.
        return None
    if _ARROW_FIRST.match(row.text):
        verb = read.verb or verb
        # A note or a free text would take in anything.
        has_one = isinstance(before.read, Line) and "results" in (before.read.fields or {})
        if has_one or "results" not in read.fields or verb not in VERBS or VERBS[verb].effect != CHANGES:
            return None
    return Row(before.number, before.indent, text, (*before.comments, *row.comments), read, row.number)


# ---------------------------------------------------------------------------------------------- entries


class _Fold:
    """Goes down the lines, keeps the headings in force and counts the keys."""

    def __init__(self, file: str, calendar: Calendar) -> None:
        self.entries: list[Entry] = []
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self._file = file
        self._calendar = calendar
        self._outline: Outline = {}
        self._counted: Counter[tuple[str, str, str]] = Counter()
        self._comments: tuple[str, ...] = ()
        self._waiting: Row | None = None
        self._unread: Unread | None = None
        self._fresh: set[str] = set()

    def take(self, row: Row) -> None:
        """One line more; it is entered when the next shows that it does not run on."""
        before = self._waiting
        joined = _joined(before, row, self._outline.get("verb", ""), self._calendar) if before else None
        if before and not joined:
            self._settle(before)
        self._waiting = joined or row

    def finish(self) -> None:
        """The last line is waiting no longer."""
        if self._waiting:
            self._settle(self._waiting)
        self._waiting = None

    def _settle(self, row: Row) -> None:
        self._comments += row.comments
        if isinstance(row.read, BadLine):
            self._keep(row, row.read)
            return
        if self._unread and self._unread.ends_with(row.indent, row.read):
            self._unread = None
        if self._unread and row.read.fields is not None and (self._unread.is_turn or not row.read.verb):
            self._hold(row, self._unread)
            return
        for column, warning in row.read.warnings:
            self._say(row, column, warning)
        if row.read.fields is None:
            self._heads(row.read)
        else:
            self._enter(row, row.read, row.read.fields)

    def _heads(self, line: Line) -> None:
        for part in line.parts:
            if part.level not in SETTINGS:
                self._outline = below_fresh(self._outline, self._fresh, part.level, part.value)
                self._fresh.add(part.level)
        # What stands on one line stands together: of `theatre West, Forming:` the verb does not close the theatre.
        together = {part.level: part.value for part in line.parts if part.level not in SETTINGS}
        self._outline = {**self._outline, **together}

    def _enter(self, row: Row, line: Line, fields: dict[str, Any]) -> None:
        here = self._outline
        for part in line.parts:
            # Before units on the same line a heading without a colon is used up by the line, and so are a condition
            # and a place, which cannot do without one.
            if part.level in ("condition", "place") or not part.colon:
                here = {**here, part.level: part.value}
            else:
                self._outline = outline_with(self._outline, part.level, part.value)
                here = outline_with(here, part.level, part.value)
        # As among headings alone, the turn behind a verb does not close it: Full Aug 1 41: 1x 8-6 Inf XX.
        here = {**here, **{part.level: part.value for part in line.parts}}
        self._outline = {**self._outline, **_lasting(line)}
        verb = here.get("verb", "")
        if not verb:
            verb = DEFAULT_VERB
            self._say(row, 1, f"no verb stands over this line: read as {verb}", f"write {verb.title()}: above it")
        self._fresh.clear()
        for said in parted(verb, fields):
            if said.warning:
                self._say(row, 1, said.warning, said.hint)
            self._add(row, said.verb, said.fields, here)

    def _add(self, row: Row, verb: str, fields: dict[str, Any], here: Outline) -> None:
        if verb == ARRIVE_FORMING:
            verb, fields = _plain_verb(verb), {"arrival": "arrives first", **fields}
        if verb == "disband" and "cost" in fields and "yields" not in fields:
            # Disbanding costs nothing: the RPs that are named are those it brings (51.B.5).
            self._say(row, 1, "disbanding costs nothing: read 'for' as what it gives", "write gives 3 inf")
            fields = {**fields, "yields": fields["cost"], "cost": {}}
        if "place" not in fields and "place" in here and verb not in FREE_TEXT:
            fields = {**fields, "place": here["place"]}
        here, fields = _owned(here, fields)
        if here.get("condition"):
            fields = {**fields, "conditions": (here["condition"], *fields.get("conditions", ()))}
        key = self._key(here, verb)
        self.entries.append(
            Entry(key=key, line=row.number, verb=verb, comments=self._comments, **_scope(here), **fields)
        )
        self._comments = ()

    def _hold(self, row: Row, unread: Unread) -> None:
        """A line that could be read, under a heading that could not: nobody knows what becomes of its units."""
        unread.holds = True
        message = f"the heading above it, {unread.text!r} on line {unread.line}, is not understood: it is held"
        hint = f"put a heading in its place, or write on a line of its own: heading {unread.text.rstrip(': ')} means …"
        self._keep(row, BadLine(1, message, hint))

    def _keep(self, row: Row, bad: BadLine) -> None:
        self._fresh.clear()
        found = _VERB_FIRST.match(row.text)
        if (is_turn := looks_like_a_turn(row.text)) and not row.held:
            self._unread = Unread(row.text, row.number, row.indent, is_turn=True)
        elif _HEADING.fullmatch(row.text) and not row.held and not (self._unread and self._unread.is_turn):
            self._unread = Unread(row.text, row.number, row.indent, is_turn=False)
        # Behind a heading that was not read no verb is in force.
        under = "" if self._unread else _plain_verb(self._outline.get("verb", ""))
        verb = _plain_verb(found.group().lower()) if found else under or NOT_UNDERSTOOD
        hint = bad.hint
        if is_turn and not row.held:
            hint = f"{hint}; until then the lines below it are held"
        self.problems.append(Problem(self._file, row.number, row.indent + bad.column, bad.message, hint))
        entry = Entry(
            key=self._key(self._outline, verb),
            line=row.number,
            verb=NOT_UNDERSTOOD,
            note=row.text,
            under=under,
            comments=self._comments,
            **_scope(self._outline),
        )
        self.entries.append(entry)
        self._comments = ()
        if not row.held and (headings := headings_before_units(row.text)):
            self._stand_over_the_next(row, headings)

    def _stand_over_the_next(self, row: Row, headings: str) -> None:
        """Headings with a colon stand over the lines below, though the units behind them could not be read."""
        line = as_read(headings, self._calendar)
        if line is None:
            is_turn = looks_like_a_turn(headings.partition(":")[0])
            self._unread = self._unread or Unread(headings, row.number, row.indent, is_turn)
            return
        if self._unread and self._unread.ends_with(row.indent, line):
            self._unread = None
        for part in line.parts:
            self._outline = outline_with(self._outline, part.level, part.value)
        self._outline = {**self._outline, **_lasting(line)}

    def _key(self, here: Outline, verb: str) -> str:
        """Turn, nation, verb and number: lines added under another turn, nation or verb do not change it."""
        group = (here.get("turn", "") or "any", here.get("nation", ""), verb)
        self._counted[group] += 1
        words = (*group, str(self._counted[group]))
        return "-".join(_SLUG.sub("-", word.casefold()).strip("-") for word in words if word)

    def _say(self, row: Row, column: int, message: str, hint: str = "") -> None:
        self.warnings.append(Problem(self._file, row.number, row.indent + column, message, hint))


def _lasting(line: Line) -> Outline:
    """What the headings before units say to the lines below: those with a colon, but for conditions and places."""
    lasting = (part for part in line.parts if part.colon and part.level not in ("condition", "place"))
    return {part.level: part.value for part in lasting}


def _plain_verb(verb: str) -> str:
    return "forming" if verb == ARRIVE_FORMING else verb


def _owned(here: Outline, fields: dict[str, Any]) -> tuple[Outline, dict[str, Any]]:
    """A nation inside a unit string: the heading's own is not said twice, and where no heading names one, it does."""
    listed = [item for each in _ITEMS for item in fields.get(each, ()) if item.spec]
    nations = {item.spec.nation for item in listed}
    if not nations - {""}:
        return here, fields
    if not here.get("nation") and len(nations) == 1:
        here = {**here, "nation": nations.pop()}
    own = here.get("nation", "")
    owned = {each: tuple(_owned_item(item, own) for item in fields[each]) for each in fields if each in _ITEMS}
    return here, {**fields, **owned}


def _owned_item(item: Item, own: str) -> Item:
    if item.spec is None or not item.spec.nation:
        return item
    contingent = "" if item.spec.nation == own else item.spec.nation
    return replace(item, spec=replace(item.spec, nation=""), contingent=item.contingent or contingent)


def _scope(here: Outline) -> dict[str, Any]:
    said = {level: here[level] for level in ("turn", "side", "nation", "force", "affiliation") if here.get(level)}
    if own := OWN_SIDE.get(said.get("nation", "")):
        said["side"] = own
    section = _section(here.get("theatre"), here.get("front"))
    return {**said, "section": section} if section else said


def _section(theatre: PlaceSpec | None, front: PlaceSpec | None) -> PlaceSpec | None:
    return replace(front, inside=theatre) if front and theatre else front or theatre
