"""A turn for the mail: what mail does to a text does no harm, and what was changed is found."""

import base64
import hashlib
import zlib

import msgspec
import pytest

from forcepool.engine.journal import GENESIS, Sealed, seal
from forcepool.files.problems import BadFile
from forcepool.store.turnfile import BEGIN, END, End, Turn, packed, unpacked


def chain(*bodies: bytes) -> list[Sealed]:
    found: list[Sealed] = []
    before = GENESIS
    for seq, body in enumerate(bodies, 1):
        found.append(seal(before, seq, body))
        before = found[-1].hash
    return found


def turn_of(*bodies: bytes) -> Turn:
    entries = chain(*bodies)
    last = entries[-1]
    kept = tuple((each.body, bytes.fromhex(each.hash)) for each in entries)
    return Turn(1, entries[0].hash, "East", "Axis", "Soviet", End(0, GENESIS), End(last.seq, last.hash), kept)


TURN = turn_of(b"one", "zwei, mit Umlaut: ü".encode(), b"three" * 50)
TEXT = "\n".join(packed(TURN, ["# for people"]))


def mailed(data: bytes) -> str:
    body = base64.b64encode(hashlib.sha256(data).digest() + zlib.compress(data)).decode()
    return f"{BEGIN}\n{body}\n{END}\n"


def test_it_reads_back_as_sent() -> None:
    assert unpacked(TEXT) == TURN
    assert list(unpacked(TEXT).sealed) == chain(b"one", "zwei, mit Umlaut: ü".encode(), b"three" * 50)
    assert max(map(len, TEXT.splitlines())) <= 76


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\n".join(f"> {line}" for line in text.splitlines()),
        lambda text: "\n".join(f"> > | {line}  " for line in text.splitlines()),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: (
            f"\ufeffHello Ivan,\n\nhere is my turn.\n\n{text}\n\n-- \nFritz\nAm Montag schrieb Ivan:\n> nothing"
        ),
        lambda text: text.replace(text.splitlines()[4], text.splitlines()[4][:20] + "\n" + text.splitlines()[4][20:]),
    ],
    ids=["quoted", "quoted twice", "windows", "in a mail", "broken line"],
)
def test_what_mail_does_to_it_does_no_harm(change: object) -> None:
    assert callable(change)
    assert unpacked(change(TEXT)) == TURN


LETTERS = TEXT.splitlines()[3]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("Hello Ivan", 1, "there is no turn in it"),
        (TEXT.replace(END, ""), len(TEXT.splitlines()) - 1, "cut off"),
        (TEXT.replace(LETTERS, LETTERS[:-1] + ("A" if LETTERS[-1] != "A" else "B")), 4, "does not fit its own hash"),
        (TEXT.replace(LETTERS, LETTERS[:-1]), 4, "letter of the turn was lost"),
        (TEXT.replace(LETTERS, LETTERS[:-4]), 4, "does not fit its own hash"),
        (TEXT.replace(LETTERS, LETTERS[:-1] + "é"), 4, "letter of the turn was lost"),
        (mailed(b"nothing"), 2, "it holds no turn"),
        (mailed(msgspec.msgpack.encode(msgspec.structs.replace(TURN, format=2))), 1, "newer forcepool"),
        (
            mailed(
                msgspec.msgpack.encode(
                    msgspec.structs.replace(
                        TURN, entries=(TURN.entries[0], (b"forged", TURN.entries[1][1]), TURN.entries[2])
                    )
                )
            ),
            1,
            "entry 2 was changed",
        ),
        (
            mailed(msgspec.msgpack.encode(msgspec.structs.replace(TURN, entries=TURN.entries[:2]))),
            1,
            "ends with entry 2 and should end with entry 3",
        ),
        (
            mailed(msgspec.msgpack.encode(msgspec.structs.replace(TURN, entries=(TURN.entries[0], TURN.entries[2])))),
            1,
            "entry 2 was changed",
        ),
    ],
)
def test_what_was_changed_is_found(text: str, line: int, says: str) -> None:
    with pytest.raises(BadFile) as caught:
        unpacked(text, "turn.fpx")
    [problem] = caught.value.problems
    assert says in problem.message
    assert (problem.file, problem.line) == ("turn.fpx", line)
    assert "sent again" in problem.hint


def test_a_small_file_that_unpacks_to_a_huge_one_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forcepool.store.turnfile.MOST", 1000)
    with pytest.raises(BadFile, match="does not fit"):
        unpacked("\n".join(packed(turn_of(b"0" * 2000))))
