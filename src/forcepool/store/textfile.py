"""The journal as a plain text that a person can read, and back again to the same bytes and hashes."""

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec import Struct

from forcepool.engine import codec
from forcepool.engine.dice import keeps
from forcepool.engine.events import Event
from forcepool.engine.journal import (
    GENESIS,
    Beginning,
    Damaged,
    Entry,
    Journal,
    MemoryJournal,
    Sealed,
    beginning_decoder,
    read_beginning,
    read_entry,
    seal,
)
from forcepool.engine.points import show_points
from forcepool.files.problems import BadFile, Problem
from forcepool.store.errors import CampaignFileError
from forcepool.store.replay import Progress, Replay
from forcepool.store.seeds import promise_of
from forcepool.store.stored import StoredJournal

Describe = Callable[[Entry], list[str]]

TITLE = "forcepool journal"
MOST_MISFITS = 20
"""Entries that are named of those which cannot have been played."""
FORMAT = 1
_HEADER = """\
A campaign as plain text: everything that was done, in order, and nothing else.
Lines that begin with # are for people: they repeat in words what follows, and are not read back.
Each entry of the journal is three lines:
  entry   its number
  text    the entry itself; or base64, where the text holds what a line cannot
  hash    the SHA-256 of the hash before it (64 zeros before the first) and the entry itself
The last line names the last entry and its hash again, so that nothing can be cut off unnoticed.
'forcepool import' makes a campaign of this file; if a single character of it was changed, it says where.
"""
_NO_SEED = "The secret seed of the dice is not in this file: after an import, dice are entered by hand."
_SECRET = "Keep this file to yourself while you play: whoever knows the seed knows the dice to come."

_HASH = re.compile(r"[0-9a-f]{64}")
_NUMBER = re.compile(r"[1-9][0-9]{0,17}")
_SEED = re.compile(r"(?:[0-9a-f]{2}){1,128}")
# What one of the many ways to split a text into lines would split at, or a mail program eat.
_NOT_IN_A_LINE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]|\A\s|\s\Z")


# ------------------------------------------------------------------------------------------------ export


def export_text(journal: Journal, describe: Describe | None = None, *, with_secret: bool = False) -> Iterator[str]:
    """The lines of the file, without line ends; `describe` puts an entry in words."""
    last, digest = journal.head()
    beginning = read_beginning(journal)
    undone = _undone_by(journal, last)
    seeds = journal.seeds() if with_secret and isinstance(journal, StoredJournal) else {}
    yield f"{TITLE} {FORMAT}"
    yield from _comment([*_HEADER.splitlines(), *([_SECRET] if seeds else [_NO_SEED] if beginning.dice else [])])
    for seq, seed in sorted(seeds.items()):
        yield f"seed {seq} {seed.hex()}"
    for sealed in journal.read(1, last + 1):
        yield ""
        if sealed.seq == 1:
            yield from _comment(describe_beginning(beginning))
        else:
            struck = [f"undone by entry {undone[sealed.seq]}"] if sealed.seq in undone else []
            yield from _comment([*struck, *(describe or describe_entry)(read_entry(sealed))])
        yield f"entry {sealed.seq}"
        yield _body_line(sealed.body)
        yield f"hash {sealed.hash}"
    yield ""
    yield f"end {last} {digest}"


def describe_beginning(beginning: Beginning) -> list[str]:
    """The campaign's first entry in words."""
    state = beginning.state
    lines = [f"{beginning.title}: a campaign of {beginning.game}, rules {beginning.ruleset}, begun {beginning.when}"]
    lines.append(f"with {len(state.units)} units and {len(state.balances)} accounts")
    if beginning.seats:
        lines.append(f"seats: {', '.join(beginning.seats)}")
    return lines


def describe_entry(entry: Entry) -> list[str]:
    """An entry in words that need no game: who, when, what was ordered and what came of it."""
    clock = f"turn {entry.at.turn}, player {entry.at.player + 1}, phase {entry.at.phase + 1}"
    lines = [f"{entry.n}: {', '.join(filter(None, (clock, entry.seat, entry.when)))}"]
    for word, numbers in (("undoes", entry.undo), ("brings back", entry.redo), ("asks to undo", entry.asks)):
        if numbers:
            lines.append(f"{word} {', '.join(map(str, numbers))}")
    if entry.seed or entry.promises:
        lines.append(f"promises a new secret for the dice: {', '.join(sorted(entry.promises)) or 'campaign'}")
    if entry.told:
        lines.append(f"opens the dice of {', '.join(sorted(entry.told))}")
    if entry.waits:
        lines.append(f"asks {', '.join(entry.waits.seats)} to agree: {entry.waits.why}")
    for word, number in (
        ("agrees to", entry.agrees),
        ("declines", entry.declines),
        ("was asked for in", entry.answers),
    ):
        if number:
            lines.append(f"{word} {number}")
    command = msgspec.json.decode(entry.do)
    if command is not None:
        lines.append(_fields(command, "command"))
    lines += [f"  {_describe_event(event)}" for event in entry.events]
    if entry.allowed:
        lines.append(f"  allowed by {' '.join(entry.allowed)}")
    return lines


def _describe_event(event: Event) -> str:
    plain = msgspec.json.decode(codec.encode(event))
    because = f" ({plain.pop('because')})" if plain.get("because") else ""
    if isinstance(plain.get("amount"), str):
        plain["amount"] = show_points(codec.fraction(plain["amount"]))
    return f"{_fields(plain, 'event')}{because}"


def _fields(plain: object, name: str) -> str:
    if not isinstance(plain, dict):
        return str(plain)
    words = [str(plain.pop(name, ""))]
    return " ".join([*words, *(f"{key}={_field(value)}" for key, value in plain.items())])


def _field(value: object) -> str:
    if isinstance(value, list | tuple):
        return "/".join(str(each) for each in value)
    return str(value)


def _undone_by(journal: Journal, last: int) -> dict[int, int]:
    found: dict[int, int] = {}
    for entry in map(read_entry, journal.read(2, last + 1)):
        found.update(dict.fromkeys(entry.undo, entry.n))
        for number in entry.redo:
            found.pop(number, None)
    return found


def _comment(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        # Whatever a player wrote into a note must not end the comment.
        indent = len(line) - len(line.lstrip(" "))
        yield f"# {' ' * indent}{' '.join(line.split())}".rstrip()


def _body_line(body: bytes) -> str:
    try:
        text = body.decode()
    except UnicodeDecodeError:
        text = ""
    if not text or _NOT_IN_A_LINE.search(text):
        return f"base64 {base64.b64encode(body).decode()}"
    return f"text {text}"


# ------------------------------------------------------------------------------------------------ import


class _Line(Struct, frozen=True):
    file: str
    number: int
    word: str
    rest: str

    def wrong(self, message: str, column: int = 1) -> BadFile:
        return BadFile([Problem(self.file, self.number, column, message, _HINT)])

    def wrong_value(self, message: str) -> BadFile:
        return self.wrong(message, len(self.word) + 2)


_HINT = "export the campaign again, or go back to an earlier copy of this file"


class Text(Struct, frozen=True):
    """What a plain-text journal holds, checked from the first entry to the last."""

    entries: list[Sealed]
    seeds: dict[int, bytes]
    lines: list[int]
    """The line each entry begins at."""


def import_text(
    lines: Iterable[str], journal: Journal, *, file: str = "journal", progress: Progress | None = None
) -> None:
    """Fill an empty journal from the lines of an export, all or nothing; BadFile says where a file is wrong."""
    if journal.head()[0]:
        raise CampaignFileError("a journal is imported into an empty campaign only; choose a new file")
    text = read_text(lines, file)
    _check_playable(text, file, progress)
    journal.append(text.entries)
    if isinstance(journal, StoredJournal):
        for seq, seed in text.seeds.items():
            journal.keep_seed(seq, seed)


def _check_playable(text: Text, file: str, progress: Progress | None) -> None:
    """Refuse what fits together by its hashes and cannot have been played: a forger can make the hashes again."""
    draft = MemoryJournal()
    draft.append(text.entries)
    misfits = list(Replay(draft, read_beginning(draft), text.seeds).run(MOST_MISFITS, progress))
    if misfits:
        raise BadFile(
            [Problem(file, text.lines[seq - 1], 1, f"entry {seq} {what}", _HINT) for seq, what in sorted(misfits)]
        )


def read_text(lines: Iterable[str], file: str = "journal") -> Text:
    """The entries in the lines of an export, each checked against its hash, and the seeds against their promise."""
    source = _Lines(lines, file)
    name, kind = TITLE.split()
    first = source.expect(name)
    if first.rest != f"{kind} {FORMAT}":
        raise first.wrong_value(f"expected '{TITLE} {FORMAT}'; a newer file needs a newer forcepool")
    seeds: list[_Line] = []
    entries: list[Sealed] = []
    at: list[int] = []
    while (line := source.expect("seed", "entry", "end")).word != "end":
        if line.word == "seed":
            seeds.append(line)
        else:
            entries.append(_take_entry(line, source, len(entries) + 1, entries[-1].hash if entries else GENESIS))
            at.append(line.number)
    if not entries:
        raise line.wrong("expected 'entry': the journal has no beginning")
    if line.rest != f"{entries[-1].seq} {entries[-1].hash}":
        raise line.wrong_value(f"expected '{entries[-1].seq} {entries[-1].hash}': entries are missing")
    if (more := next(source, None)) is not None:
        raise more.wrong("expected nothing after the line 'end'")
    return Text(entries, dict(_take_seed(line, entries) for line in seeds), at)


class _Lines:
    """The lines that count, one after the other; knows where the file stopped."""

    def __init__(self, lines: Iterable[str], file: str) -> None:
        self.lines, self.file, self.number = iter(lines), file, 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> _Line:
        for line in self.lines:
            self.number += 1
            text = (line.removeprefix("\ufeff") if self.number == 1 else line).rstrip()
            if text and not text.startswith("#"):
                word, _, rest = text.partition(" ")
                return _Line(self.file, self.number, word, rest)
        raise StopIteration

    def expect(self, *words: str) -> _Line:
        """The next line, which must begin with one of these words."""
        expected = " or ".join(f"'{word}'" for word in words)
        line = next(self, None)
        if line is None:
            message = f"the file stops here, expected {expected}"
            raise BadFile([Problem(self.file, max(self.number, 1), 1, message, _HINT)])
        if line.word not in words:
            raise line.wrong(f"expected {expected}")
        return line


def _take_entry(line: _Line, source: _Lines, expected: int, previous: str) -> Sealed:
    if line.rest != str(expected):
        raise line.wrong_value(f"expected entry {expected}")
    text = source.expect("text", "base64")
    body = _body(text)
    digest = source.expect("hash")
    if not _HASH.fullmatch(digest.rest):
        raise digest.wrong_value("expected a hash of 64 digits 0-9 and a-f")
    sealed = seal(previous, expected, body)
    if sealed.hash != digest.rest:
        raise digest.wrong_value(f"entry {expected} was changed: this hash does not fit its text")
    try:
        if expected == 1:
            beginning_decoder.decode(body)
        else:
            read_entry(sealed)
    except (Damaged, msgspec.MsgspecError, ValueError, ZeroDivisionError) as error:
        raise text.wrong_value(f"entry {expected} cannot be read: {error}") from None
    return sealed


def _body(line: _Line) -> bytes:
    try:
        if line.word == "text":
            return line.rest.encode()
        return base64.b64decode(line.rest.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raise line.wrong_value(f"expected the entry as {line.word}") from None


def _take_seed(line: _Line, entries: list[Sealed]) -> tuple[int, bytes]:
    number, _, digits = line.rest.partition(" ")
    if not _NUMBER.fullmatch(number) or not _SEED.fullmatch(digits):
        raise line.wrong_value("expected the number of an entry and the seed it promised, in digits 0-9 and a-f")
    seq, seed = int(number), bytes.fromhex(digits)
    if seq > len(entries) or not keeps(promise_of(entries[seq - 1]), seed):
        raise line.wrong_value(f"expected the seed that entry {seq} promised")
    return seq, seed
