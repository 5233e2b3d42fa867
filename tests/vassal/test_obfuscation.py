"""The three dialects of a hidden save, and plain text."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcepool.vassal import BadVassal
from forcepool.vassal.obfuscation import DEFLATED, DIALECTS, HEX, PLAIN, RAW, plain_bytes
from tests.support.vassal import hidden

OFFICIAL = b"!VCSK581934347832393b333c392f2b7834372e3d783521783f2a3d392c782b283031362078373e78292d392a2c2276"
MOST = 1 << 20


def clear(data: bytes, size: int = 1 << 20, most: int = MOST) -> tuple[str, bytes]:
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    return plain_bytes(chunks, "x.vsav", "savedGame", most)


def test_the_official_example() -> None:
    assert clear(OFFICIAL) == (HEX, b"All jackdaws love my great sphinx of quartz.")
    assert clear(OFFICIAL[:5] + OFFICIAL[5:].upper())[1].startswith(b"All jackdaws")


@given(st.text(), st.sampled_from(DIALECTS), st.integers(1, 255), st.integers(1, 20))
def test_every_dialect_is_read_in_chunks_of_any_size(text: str, dialect: str, key: int, size: int) -> None:
    told = f"begin_save{text}"
    assert clear(hidden(told, dialect, key), size) == (dialect, told.encode())


@pytest.mark.parametrize(
    ("data", "where", "words"),
    [
        (b"!VCSK", "byte 6", "key are missing"),
        (b"!VCSKzz00", "byte 6", "key are missing"),
        (b"!VCSK58193", "byte 10", "half a byte"),
        (b"!VCSK5819 4", "byte 10", "no hex digit"),
        (b"VOBS", "byte 5", "key is missing"),
        (hidden("begin_save" * 9, DEFLATED)[:-8], "savedGame", "breaks off"),
        (hidden("begin_save", HEX).replace(b"!VCSK", b"!VCSZ"), "savedGame", "cannot be unpacked"),
    ],
)
@pytest.mark.parametrize("size", [3, 1000])
def test_what_is_damaged_is_told_with_its_place(data: bytes, where: str, words: str, size: int) -> None:
    with pytest.raises(BadVassal, match=words) as error:
        clear(data, size)
    assert where in error.value.where
    assert str(error.value).startswith("x.vsav: savedGame")


def test_what_unpacks_to_very_much_is_refused() -> None:
    bomb = zlib.compress(b"0" * (1 << 21))
    data = b"!VCSZ00" + bomb.hex().encode()
    with pytest.raises(BadVassal, match="more than"):
        clear(data, 64)


def test_plain_text_is_what_begins_otherwise() -> None:
    assert clear(b"begin_save")[0] == PLAIN
    assert clear(b"")[0] == PLAIN
    assert clear(b"VOBS\x01a")[0] == RAW
