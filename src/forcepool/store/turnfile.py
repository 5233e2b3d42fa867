"""A turn as a small file for the mail: the entries that the other side has not confirmed yet, sealed to the chain.

Mail programs break lines, put '> ' before them and add words above and below. So the entries travel packed, in short
lines of letters and digits between two marks; all that stands around the marks is for people and is not read.
"""

import base64
import binascii
import hashlib
import re
import zlib
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from forcepool.engine.journal import Sealed, check_chain
from forcepool.files.problems import BadFile, Problem

TITLE = "forcepool turn"
FORMAT = 1
BEGIN, END = "-----BEGIN FORCEPOOL TURN-----", "-----END FORCEPOOL TURN-----"
A_LINE = 64
MOST = 256 << 20
"""Bytes a turn may unpack to: more than years of play make, and less than fills a machine."""
_QUOTED = re.compile(r"^[>|\s]+")
_HINT = "have it sent again, as an attached file if mail has changed the text"


class End(Struct, frozen=True, array_like=True):
    """Where a journal stands: its last entry and the hash of that; nothing of a journal that is empty."""

    seq: int
    hash: str


class Turn(Struct, frozen=True, forbid_unknown_fields=True):
    """What is sent."""

    format: int
    campaign: str
    """The hash of the campaign's first entry: what it is a turn of."""
    title: str
    sender: str
    to: str
    after: End
    """What the receiver has confirmed to have."""
    until: End
    entries: tuple[tuple[bytes, bytes], ...]
    """Each entry with its hash."""

    @property
    def sealed(self) -> Iterator[Sealed]:
        """The entries as a journal keeps them."""
        for seq, (body, digest) in enumerate(self.entries, self.after.seq + 1):
            yield Sealed(seq, body, digest.hex())


_TURN = msgspec.msgpack.Decoder(Turn)


def packed(turn: Turn, words: Iterable[str] = ()) -> Iterator[str]:
    """The lines of the file, without line ends: words for people, and the turn."""
    yield f"{TITLE} {FORMAT}"
    yield from words
    data = msgspec.msgpack.encode(turn)
    body = hashlib.sha256(data).digest() + zlib.compress(data, 9)
    text = base64.b64encode(body).decode()
    yield BEGIN
    yield from (text[at : at + A_LINE] for at in range(0, len(text), A_LINE))
    yield END


def unpacked(text: str, file: str = "turn") -> Turn:
    """The turn in a file or in a mail; BadFile says what is wrong with it."""
    lines = [_QUOTED.sub("", line).rstrip() for line in text.removeprefix("\ufeff").splitlines()]
    try:
        first = lines.index(BEGIN)
    except ValueError:
        raise _wrong(file, 1, f"there is no turn in it: expected a line '{BEGIN}'") from None
    try:
        last = lines.index(END, first)
    except ValueError:
        raise _wrong(file, len(lines), f"the turn is cut off: expected a line '{END}'") from None
    turn = _turn(_data("".join("".join(lines[first + 1 : last]).split()), file, first + 2), file, first + 2)
    if turn.format != FORMAT:
        raise _wrong(file, first + 1, f"it is of format {turn.format}; a newer file needs a newer forcepool")
    broken = next(check_chain(turn.sealed, turn.after.hash, turn.after.seq + 1), None)
    if broken is not None:
        raise _wrong(file, first + 1, str(broken))
    *_, last_one = (turn.after, *(End(each.seq, each.hash) for each in turn.sealed))
    if last_one != turn.until:
        raise _wrong(file, first + 1, f"it ends with entry {last_one.seq} and should end with entry {turn.until.seq}")
    return turn


def _data(letters: str, file: str, line: int) -> bytes:
    try:
        body = base64.b64decode(letters.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raise _wrong(file, line, "a letter of the turn was lost or changed on the way") from None
    digest, squeezed = body[:32], body[32:]
    unzip = zlib.decompressobj()
    try:
        data = unzip.decompress(squeezed, MOST)
    except zlib.error:
        data = b""
    if not unzip.eof or unzip.unused_data or hashlib.sha256(data).digest() != digest:
        raise _wrong(file, line, "the turn was changed or cut on the way: it does not fit its own hash")
    return data


def _turn(data: bytes, file: str, line: int) -> Turn:
    try:
        return _TURN.decode(data)
    except msgspec.MsgspecError as error:
        raise _wrong(file, line, f"it holds no turn: {error}") from None


def _wrong(file: str, line: int, message: str) -> BadFile:
    return BadFile([Problem(file, max(line, 1), 1, message, _HINT)])
