"""Damaged files, and such as are made to harm: an answer, or one sentence that says what is wrong."""

import io
import os
import random
import zipfile
from collections.abc import Callable
from functools import partial

import pytest

from forcepool.vassal import BadVassal, read_module, read_save
from forcepool.vassal.container import Limits
from forcepool.vassal.obfuscation import DIALECTS
from tests.support.vassal import ESC, Game, board, hidden, layer, map_window, marks, module, prototype, regions, zipped

ROUNDS = int(os.environ.get("FORCEPOOL_DAMAGED_FILES", "1000")) // 10
"""Of each kind of damage; a long run damages 10,000 files: FORCEPOOL_DAMAGED_FILES=10000."""


def a_game() -> Game:
    game = Game()
    game.player("secret-word", "Anna", "Soviet")
    game.boards("Main", ("East", 0, 0))
    pieces = [game.piece(f"{n} Inf", gpid=str(n), traits=[marks(Side="Axis"), layer(1, "a", "b")]) for n in range(5)]
    stack = game.stack(("Main", 5, 5), *pieces)
    game.step(game.moved(stack, ("Main", 6, 6), "secret-word"))
    return game


def told(read: Callable[[], object]) -> str:
    """What is said of a file that cannot be read; only BadVassal may come."""
    try:
        read()
    except BadVassal as error:
        return str(error)
    return ""


def looked_at(data: bytes) -> None:
    """Read a file and look at all of it; what is said of it tells no password."""

    def look() -> None:
        for piece in read_save(io.BytesIO(data), name="x.vsav").pieces.values():
            _ = (piece.shown_name, piece.layers, piece.properties, piece.gpid, piece.labels, piece.hidden_by)

    said = told(look)
    assert "secret-word" not in said
    assert not said or said.startswith("x.vsav")


def damaged(data: bytes, dice: random.Random) -> bytes:
    found = bytearray(data)
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(found) or 1)
        match dice.randrange(4):
            case 0:
                found[at : at + 1] = bytes([dice.randrange(256)])
            case 1:
                del found[at : at + dice.randint(1, 30)]
            case 2:
                found[at:at] = bytes(dice.choices(b"\\\t;/'\x1b,|+-MD0", k=dice.randint(1, 8)))
            case _:
                found = found[: max(at, 1)]
    return bytes(found)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_damaged_save_is_read_or_refused(dialect: str) -> None:
    dice, game = random.Random(dialect), a_game()
    whole, text = game.data(dialect), game.text()
    for _ in range(ROUNDS):
        looked_at(damaged(whole, dice))
        looked_at(zipped({"savedGame": damaged(hidden(text, dialect), dice)}))
        worse = damaged(text.encode(), dice).decode("utf-8", "replace")
        looked_at(zipped({"savedGame": hidden(worse, dialect)}))


def test_a_damaged_module_is_read_or_refused() -> None:
    dice = random.Random(18)
    whole = module(map_window("Main", board("East", regions(Minsk=(1, 1)))), prototype("P", marks(a="b")))
    with zipfile.ZipFile(io.BytesIO(whole)) as opened:
        build = opened.read("buildFile.xml")
    for _ in range(ROUNDS):
        for data in (damaged(whole, dice), zipped({"buildFile": damaged(build, dice)})):
            said = told(partial(read_module, io.BytesIO(data), name="x.vmod"))
            assert not said or said.startswith("x.vmod")


def test_a_file_larger_than_any_game_is_refused_before_it_is_unpacked() -> None:
    data = zipped({"savedGame": b"begin_save" + b"0" * (3 << 20)})
    with pytest.raises(BadVassal, match="savedGame: it is larger than"):
        read_save(io.BytesIO(data), limits=Limits(save=2 << 20))
    big = zipped({"savedGame": hidden("begin_save"), "savedata": b" " * (2 << 20)})
    with pytest.raises(BadVassal, match="savedata: it is larger than"):
        read_save(io.BytesIO(big))
    with pytest.raises(BadVassal, match="buildFile: it is larger than"):
        read_module(io.BytesIO(zipped({"buildFile": b" " * (2 << 20)})), limits=Limits(build=1 << 20))


def test_what_takes_long_if_done_badly_is_done_soon() -> None:
    """Each would take hours if every level or counter were gone through again for every other."""
    game = Game()
    pieces = [game.piece(str(n)) for n in range(4000)]
    for n in range(4):
        game.stack(("Main", n, n), *pieces)
    assert len(read_save(io.BytesIO(game.data())).stacks) == 1
    deep = "\t".join("\\" * n for n in range(3000)) + "x"
    text = f"begin_save{ESC}+/1/{deep}/{deep}"
    assert len(read_save(io.BytesIO(zipped({"savedGame": text.encode()}))).pieces["1"].traits) > 1000


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"PK\x05\x06" + b"\0" * 18, b"hello" * 100])
def test_what_is_no_zip_is_told_so(data: bytes) -> None:
    with pytest.raises(BadVassal, match=r"no ZIP file|no 'savedGame'"):
        read_save(io.BytesIO(data), name="x.vsav")


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(BadVassal, match=r"no-such.vsav: it cannot be read: no such file"):
        read_save("no-such.vsav")
