"""What the YAML parser complains of, said in plain words at the place a player would mend it."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

import yaml

from forcepool.files.marks import Spot
from forcepool.files.problems import Problem

NEWLINE = re.compile(r"\r\n|\r|\n")
TAB_INDENT = re.compile(r" *\t")
# Other line separators are refused with the control characters: editors do not count them as lines, YAML does.
UNWRITABLE = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
HARD_SPACE_INDENT = re.compile("(?m)^[ \t\xa0]*\xa0")
CURLY_QUOTES = re.compile("[\u2018\u2019\u201c\u201d]")

Words = tuple[Spot, str, str]

NAMELESS, NAMELESS_HINT = "a name is missing before ':'", "write 'name: value'"
_QUOTES_HINT = "put the whole text in quotes"
_ALIGN_HINT = "fields of one group start in the same column"


def lines_of(text: str) -> list[str]:
    """The lines of a file as an editor numbers them."""
    return NEWLINE.split(text)


def spotter(text: str) -> Callable[[int], Spot]:
    """A function that tells the line and column of the character at an index."""
    starts = [0, *(found.end() for found in NEWLINE.finditer(text))]

    def spot(index: int) -> Spot:
        line = bisect_right(starts, index)
        return line, index - starts[line - 1] + 1

    return spot


def unwritable(text: str, name: str) -> list[Problem]:
    """Every character that has no place in a text file, and hard spaces used to indent."""
    problems = []
    spot = spotter(text)
    for found in UNWRITABLE.finditer(text):
        line, column = spot(found.start())
        character = f"U+{ord(found[0]):04X}"
        problems.append(Problem(name, line, column, f"the character {character} cannot be used here", "delete it"))
    for found in HARD_SPACE_INDENT.finditer(text):
        line, column = spot(found.end() - 1)
        message = "the line is indented with a hard (non-breaking) space"
        problems.append(Problem(name, line, column, message, "replace it with an ordinary space"))
    return problems


def syntax_problems(error: yaml.MarkedYAMLError, text: str, name: str) -> Iterator[Problem]:
    """The parser's complaint as one plain problem, or one for each line when the file is indented with tabs."""
    lines = lines_of(text)
    at = error.problem_mark or error.context_mark
    line, column = (at.line + 1, at.column + 1) if at else (1, 1)
    if line <= len(lines) and TAB_INDENT.match(lines[line - 1]) and not lines[line - 1][: column - 1].strip():
        yield from _tabs(lines, line, name)
        return
    opened = error.context_mark
    start = (opened.line + 1, opened.column + 1) if opened else None
    (line, column), message, hint = _in_plain_words(
        error.problem or "", error.context or "", (line, column), start, lines
    )
    line, column = min((line, column), end_of(lines))
    yield Problem(name, line, column, message, _odd_character(line, lines) or hint)


def end_of(lines: list[str]) -> Spot:
    """Just after the last line with text: the parser puts what it misses at the end of a file on a line beyond it."""
    for number in range(len(lines), 0, -1):
        if words := lines[number - 1].rstrip():
            return number, len(words) + 1
    return 1, 1


def _tabs(lines: list[str], stopped: int, name: str) -> Iterator[Problem]:
    for number, line in enumerate(lines, 1):
        if (found := TAB_INDENT.match(line)) and (line.strip() or number == stopped):
            yield Problem(name, number, found.end(), "the line is indented with a tab", "indent with spaces")


def _odd_character(line: int, lines: list[str]) -> str:
    """A character that looks right and is not, on the line of a problem or the one before."""
    for number in (line, line - 1):
        words = lines[number - 1] if number else ""
        if "\xa0" in words:
            return f"line {number} holds a hard (non-breaking) space: replace it with an ordinary one"
        if CURLY_QUOTES.search(words):
            return f"line {number} holds curly quotes: use straight ones, ' or \""
    return ""


def _in_plain_words(problem: str, context: str, at: Spot, start: Spot | None, lines: list[str]) -> Words:
    """The place to mend, the message and the remedy."""
    opening = start or at
    if "quoted scalar" in context and ("end of stream" in problem or "document" in problem):
        return opening, "the quotation mark opened here is never closed", "add the closing quote; double a ' inside '…'"
    if "flow" in context and ("',' or" in problem):
        return _unclosed(problem, at, opening, lines)
    if problem.startswith("mapping values"):
        return _stray_colon(at, lines)
    if "expected ':'" in problem and "simple key" in context:
        return opening, "expected ':' after this name", "write 'name: value', or mend the indentation"
    if "cannot start" in problem and _character(at, lines) == "'\t'":
        return at, "a tab stands where only spaces may stand", "replace it with spaces"
    if "node content" in problem and _character(at, lines) == "':'":
        return at, NAMELESS, NAMELESS_HINT
    for words, message, hint in _SENTENCES:
        if words in problem:
            return at, message.format(character=_character(at, lines)), hint
    if "block mapping" in context:
        return _broken_group(at, opening, lines)
    if "block collection" in context or "block sequence" in context:
        return at, f"expected '- ' to go on with the list that starts on line {opening[0]}", _ALIGN_HINT
    return at, f"this cannot be read as YAML: {problem or 'the text breaks off'}", ""


_SENTENCES: tuple[tuple[str, str, str], ...] = (
    ("tab character", "a tab stands where spaces belong", "indent with spaces"),
    ("cannot start any token", "a value cannot start with {character}", _QUOTES_HINT),
    (
        "sequence entries are not allowed",
        "a '- ' list cannot start in the middle of a line",
        "start it on the next line",
    ),
    ("mapping keys are not allowed", "'? ' cannot stand here", _QUOTES_HINT),
    ("alphabetic or numeric character", "expected a name straight after '&' or '*'", _QUOTES_HINT),
    ("unknown escape character", "'\\' in double quotes must be followed by a known escape", "use single quotes"),
    ("hexadecimal", "the escape after '\\' needs more hexadecimal digits", "use single quotes"),
    ("hexdecimal", "the escape after '\\' needs more hexadecimal digits", "use single quotes"),
    ("Unicode character escape", "the escape after '\\' is not a character", "use single quotes"),
    ("undefined tag handle", "tags such as '!name' are not used in these files", f"remove the tag or {_QUOTES_HINT}"),
    ("node content", "expected a value, found {character}", _QUOTES_HINT),
    (
        "<document start>",
        "the file should end here, but more text follows",
        "check the brackets or the indentation above",
    ),
    ("chomping", "expected the text to start on the line after '|' or '>'", _QUOTES_HINT),
    ("indentation indicator", "expected nothing after '|' or '>' but a digit from 1 to 9, '-' or '+'", _QUOTES_HINT),
    ("comment or line break", "expected the text to start on the line after '|' or '>'", _QUOTES_HINT),
    ("incompatible YAML", "this version of YAML is not known", "remove the line"),
    ("directive", "a line that starts with '%' is not used in these files", "remove the line"),
    ("tag handle", "a line that starts with '%' is not used in these files", "remove the line"),
)


def _character(at: Spot, lines: list[str]) -> str:
    line, column = at
    rest = lines[line - 1][column - 1 :] if line <= len(lines) else ""
    if rest:
        return f"'{rest[0]}'"
    return "the end of the line" if "".join(lines[line:]).strip() else "the end of the file"


def _unclosed(problem: str, at: Spot, opening: Spot, lines: list[str]) -> Words:
    closing = "']'" if "]" in problem else "'}'"
    at = min(at, end_of(lines))
    where = f"on line {at[0]}" if at[0] != opening[0] else f"at column {at[1]}"
    return opening, f"the bracket opened here is not closed: expected ',' or {closing} {where}", "look just before it"


def _stray_colon(at: Spot, lines: list[str]) -> Words:
    line, column = at
    if ":" in lines[line - 1][: column - 1]:
        return at, "a second ':' on this line", "put the text after the first in quotes"
    hint = f"end line {line - 1} with ':' if it is a heading, or start both lines in the same column"
    return at, "this field is indented under a line that already has its value", hint if line > 1 else ""


def _broken_group(at: Spot, opening: Spot, lines: list[str]) -> Words:
    line, column = at
    before = lines[line - 1][: column - 1].strip()
    if before:
        return at, f"expected the end of the line after the value, found {_character(at, lines)}", _QUOTES_HINT
    if lines[line - 1][column - 1 :].startswith(":"):
        return at, NAMELESS, NAMELESS_HINT
    if lines[line - 1][column - 1 :].startswith("- "):
        return at, f"a list item stands among the fields that start on line {opening[0]}", _ALIGN_HINT
    return at, f"this line fits no group of fields above it (one starts on line {opening[0]})", _ALIGN_HINT
