"""The three ways a saved game is made unreadable, and plain text. It deters editing by hand; it is no secret.

!VCSK   two hex digits for the key, then two for each byte, exclusive-or the key: up to the 3.7 line
VOBS    one raw byte for the key, then raw bytes exclusive-or the key: the 3.8 line
!VCSZ   as the first, and deflated besides: builds that were never released
"""

import re
import zlib
from collections.abc import Callable, Iterable
from functools import cache

from forcepool.vassal.errors import BadVassal

HEX, DEFLATED, RAW, PLAIN = "!VCSK", "!VCSZ", "VOBS", "plain"
DIALECTS = (HEX, DEFLATED, RAW, PLAIN)
LONGEST_HEAD = 7
NOT_HEX = re.compile(rb"[^0-9A-Fa-f]")
DAMAGED = "the file is damaged: take the last one that VASSAL itself still opens"

Undo = Callable[[bytes], bytes]


@cache
def key_table(key: int) -> bytes:
    """What each byte becomes by exclusive-or with the key."""
    return bytes(byte ^ key for byte in range(256))


def plain_bytes(chunks: Iterable[bytes], file: str, entry: str, most: int) -> tuple[str, bytes]:
    """The dialect of a saved game and its bytes in the clear; never more than `most` of them."""
    reading = iter(chunks)
    head = b""
    while len(head) < LONGEST_HEAD and (chunk := next(reading, b"")):
        head += chunk
    dialect, undo, rest = _begun(head, file, entry)
    found = bytearray(undo(rest) if rest else b"")
    for chunk in reading:
        found += undo(chunk)
        if len(found) > most:
            raise BadVassal(file, entry, f"it unpacks to more than {most:,} bytes", "no game is that large")
    found += undo(b"")
    return dialect, bytes(found)


def _begun(head: bytes, file: str, entry: str) -> tuple[str, Undo, bytes]:
    marks = {HEX.encode(): HEX, DEFLATED.encode(): DEFLATED}
    if dialect := marks.get(head[:5]):
        digits = head[5:7]
        if len(digits) < 2 or NOT_HEX.search(digits):
            raise BadVassal(file, f"{entry}, byte 6", "two hex digits of the key are missing", DAMAGED)
        clear = _Hex(int(digits, 16), file, entry)
        return dialect, _Inflated(clear, file, entry) if dialect == DEFLATED else clear, head[7:]
    if head.startswith(RAW.encode()):
        if len(head) < 5:
            raise BadVassal(file, f"{entry}, byte 5", "the byte of the key is missing", DAMAGED)
        table = key_table(head[4])
        return RAW, lambda chunk: chunk.translate(table), head[5:]
    return PLAIN, lambda chunk: chunk, head


class _Hex:
    """Pairs of hex digits by table; an odd digit at the end of a chunk waits for the next."""

    def __init__(self, key: int, file: str, entry: str) -> None:
        self.table, self.file, self.entry = key_table(key), file, entry
        self.waiting, self.read = b"", LONGEST_HEAD

    def __call__(self, chunk: bytes) -> bytes:
        if not chunk and self.waiting:
            raise BadVassal(self.file, f"{self.entry}, byte {self.read}", "it ends in half a byte", DAMAGED)
        digits = self.waiting + chunk
        self.waiting = digits[len(digits) & ~1 :]
        # fromhex passes over blanks, which have no business here and would shift all that follows.
        if wrong := NOT_HEX.search(digits):
            at = self.read + wrong.start() + 1 - (len(digits) - len(chunk))
            raise BadVassal(self.file, f"{self.entry}, byte {at}", "what stands there is no hex digit", DAMAGED)
        self.read += len(chunk)
        return bytes.fromhex(digits[: len(digits) & ~1].decode("ascii")).translate(self.table)


class _Inflated:
    """What was deflated before it was hidden. Chunk by chunk, since a few bytes may unpack to very many."""

    MOST_AT_ONCE = 1 << 26

    def __init__(self, clear: Undo, file: str, entry: str) -> None:
        self.clear, self.file, self.entry = clear, file, entry
        self.inflate = zlib.decompressobj()

    def __call__(self, chunk: bytes) -> bytes:
        try:
            found = self.inflate.decompress(self.clear(chunk), self.MOST_AT_ONCE)
        except zlib.error:
            raise BadVassal(self.file, self.entry, "what was packed cannot be unpacked", DAMAGED) from None
        if self.inflate.unconsumed_tail:
            raise BadVassal(self.file, self.entry, "a small part of it unpacks to very much", "no game does that")
        if not chunk and not self.inflate.eof:
            raise BadVassal(self.file, self.entry, "it breaks off in the middle", DAMAGED)
        return found
