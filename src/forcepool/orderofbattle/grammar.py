"""The grammar of ob.lark, made ready once, and what it says when a line does not fit."""

import re
from collections.abc import Collection
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.resources import files

from lark import Lark, ParseTree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternRE, TerminalDef

from forcepool.engine.calendar import BadTurn, Calendar
from forcepool.orderofbattle.nationalities import IN_BRACKETS
from forcepool.orderofbattle.words import ADJECTIVES, NATIONS, SIDES, VERBS

_LOOKS_LIKE_A_TURN = re.compile(r"[A-Za-z]{3,9}[.,]?\s+[0-9IVXl|]{1,4}[\s,.'’]+[0-9lIOo|]{2,4}\s*:?")
_DAY = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[.,]?\s+[0-9IVXl|]{1,4}"
_YEAR = r"[\s.,'’]+(?:19)?[0-9]{2}"
_UP_TO = r"\s*(?:[-–—,&/]|to|through|thru|until|till|or|and)\s*"
# Jul 2 41 to Aug 1 41, Jul 2 - Aug 1 41, Jul 2-4 41, Aug 1 41 or later, any turn from Aug 1 41.
_SEVERAL_TURNS = re.compile(
    rf"(?i)(?:any turn\s+)?(?:from|between)\s+{_DAY}{_YEAR}(?:{_UP_TO}{_DAY}{_YEAR}|\s+on(?:wards?)?\b)?"
    rf"|(?:any turn\s+)?(?:after|by|before|until|till)\s+{_DAY}{_YEAR}"
    rf"|{_DAY}(?:{_YEAR})?{_UP_TO}(?:{_DAY}|[0-9IVX]{{1,3}}){_YEAR}"
    rf"|{_DAY}{_YEAR}\s+(?:(?:or|and|&)\s+(?:later|after|onwards?)|on|onwards?)\b"
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:r?uary|ch|il|e|y|ust|t|(?:t?o|t?e)m?ber)?[.,]?"
# 1 Aug 41, Aug 1, Aug 41.
_PART_OF_A_TURN = re.compile(
    rf"(?i)(?:(?:[0-9]{{1,2}}(?:st|nd|rd|th|\.)?\s+)?{_MONTH}\s+(?:19)?[0-9]{{2}}|{_MONTH}\s+(?:[0-9]|[IV]{{1,3}}))\s*:?"
)
_LOOKS_LIKE_A_UNIT = re.compile(r"[0-9]{1,3}\s+[A-Za-z]")

CHOICE = "a line lists what it lists without a choice"
KEEP_ONE = "keep the one you choose on the line and the other in a note, note: …, or write it all under Other:"

LONGEST = 1000
"""No line of print is as long; what is, is no order of battle, and would take long to refuse."""

# What may come next, in the words of a player; the first that the grammar allows is named first.
_EXPECTED = (
    ("UNIT", "a unit such as 8-6 Inf XX"),
    ("REINFORCE", "a verb such as Reinforce or Withdraw"),
    ("NAME", "a name"),
    ("TURN", "a turn such as Jul 2 41"),
    ("POINTS", "points such as 3 inf"),
    ("HEX_NUMBER", "a hex such as 24A:0101"),
    ("MAP", "the number of a map"),
    ("NATION", "a nation"),
    ("IN", "a place such as in MD Leningrad"),
    ("FOR", "a cost such as for 3 inf"),
    ("CONDITION", "a condition such as if Minsk falls"),
    ("NOTE", "a note"),
)


class BadLine(Exception):
    """A line that cannot be read: the column, what is wrong and what to do."""

    def __init__(self, column: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.column = column
        self.message = message
        self.hint = hint


def looks_like_a_turn(text: str) -> bool:
    """Whether a line is built like a turn heading, even if it names no turn."""
    if _LOOKS_LIKE_A_TURN.fullmatch(text) or _PART_OF_A_TURN.fullmatch(text):
        return True
    several = _SEVERAL_TURNS.match(text)
    return several is not None and not text[several.end() :].strip(" :")


def tree_of(text: str) -> ParseTree:
    """A line taken apart by the grammar."""
    if len(text) > LONGEST:
        raise BadLine(LONGEST + 1, f"the line is longer than {LONGEST} characters", "break it into several entries")
    try:
        return _grammar().parse(text)
    except UnexpectedInput as error:
        raise _bad_line(text, error) from None


@cache
def _grammar() -> Lark:
    text = (files("forcepool.orderofbattle") / "ob.lark").read_text("utf-8")
    return Lark(text, parser="lalr", maybe_placeholders=True, edit_terminals=_name_nations_and_sides)


def _name_nations_and_sides(terminal: TerminalDef) -> None:
    if terminal.name == "NATION":
        terminal.pattern = _any_of((*NATIONS, *ADJECTIVES), "(?: forces)?")
    elif terminal.name == "SIDE":
        terminal.pattern = _any_of(SIDES, "(?: forces)?")
    elif "WHOSE" in terminal.pattern.value:
        whose = "|".join(re.escape(word).replace("\\ ", r"\s") for word in IN_BRACKETS)
        terminal.pattern.value = terminal.pattern.value.replace("WHOSE", f"(?:{whose})")


def _any_of(names: Collection[str], more: str) -> PatternRE:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return PatternRE(rf"(?:{'|'.join(longest_first)}){more}\b(?=\s*(?:[:,]|$))", ("i",))


def _bad_line(text: str, error: UnexpectedInput) -> BadLine:
    at = len(text) if isinstance(error, UnexpectedEOF) else (error.pos_in_stream or 0)
    expected: set[str] = set()
    if isinstance(error, UnexpectedToken):
        at = len(text) if error.token.type == "$END" else at
        expected = set(error.expected)
    elif isinstance(error, UnexpectedCharacters):
        expected = set(error.allowed or ())
    found = text[at:].split(maxsplit=1)
    message, hint = _special(text, at) or (_expectation(expected, found[0][:20] if found else ""), _hint(text, at))
    return BadLine(at + 1, message, hint)


def _expectation(expected: set[str], found: str) -> str:
    words = [words for terminal, words in _EXPECTED if terminal in expected][:3] or ["the end of the line"]
    listed = " or ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]
    return f"expected {listed}{f', found {found!r}' if found else ''}"


def _special(text: str, at: int) -> tuple[str, str] | None:
    """The mistakes that deserve a sentence of their own."""
    rest = text[at:]
    if (several := _SEVERAL_TURNS.match(text)) and at <= several.end():
        hint = "write the turn it falls due, as Jul 2 41; what one may do stays open from then on"
        return f"one turn stands over a line; found {several.group()!r}", hint
    if _PART_OF_A_TURN.fullmatch(text.partition(":")[0]):
        return f"a turn has a month, a number and a year; found {text.partition(':')[0]!r}", "write it as Jul 2 41"
    if rest.startswith(('"', "“")):
        return "the note is not closed", f"end it with {'”' if rest[0] == '“' else rest[0]}, or write note: before it"
    if rest.startswith("given"):
        return (
            "a guard is not understood",
            "write it as given ETO controlled, Southeast in play, map 24A in use or X occurred",
        )
    if re.search(r"(?i)\barmy HQs?\s*$", text[:at]):
        return "an army HQ stands for whichever there is", "leave out which, or say it in a note: note: …"
    if choice := re.match(r"(?i)(?:either|or)\b", rest):
        return f"{CHOICE}, found {choice.group()!r}", KEEP_ONE
    if re.match(r"→|[-=]+>", rest):
        return "the arrow stands in the wrong place", "write the arrow once, right behind the units that change"
    if at and re.match(r"[;,]?\s*[0-9lIO|]{1,3}\s*[xX×]", rest):
        return "units stand behind a place or another clause", "give them a line of their own"
    return None


def _hint(text: str, at: int) -> str:
    if looks_like_a_turn(text):
        try:
            Calendar(4).parse(text.rstrip(": "))
        except BadTurn as bad:
            return str(bad)
    if _LOOKS_LIKE_A_UNIT.match(text):
        return "a unit begins with its strength, as in 1x 8-6 Inf XX 24"
    first = re.match(r"[A-Za-z ]+", text)
    if first and at < first.end() and (close := _close(first.group().strip().casefold()[:40])):
        return _known(close) if close.casefold() == first.group().split()[0].casefold() else f"did you mean {close}?"
    if at == 0:
        return "a line begins with a turn, a heading, a verb or a unit; a remark begins with #"
    return "put what is left in a note: note: …"


def _known(word: str) -> str:
    """What to do where the first word is none to be mended, but what follows it is."""
    if word in VERBS:
        return f"write the units right behind {word.title()}, and whatever else behind them"
    return f"write {word} in a heading of its own: {word}:"


@lru_cache(maxsize=1 << 12)
def _close(words: str) -> str:
    """The verb, nation or side that was probably meant by the first words of a line."""
    names = {name.casefold(): name for name in (*VERBS, *NATIONS, *ADJECTIVES, *SIDES)}
    for attempt in dict.fromkeys((words, words.partition(" ")[0])):
        if close := get_close_matches(attempt, names, n=1, cutoff=3 / 4):
            return names[close[0]]
    return ""
