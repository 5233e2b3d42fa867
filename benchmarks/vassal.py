"""How fast a large VASSAL save is read, and the same text made readable byte by byte. One line of JSON a figure.

    python benchmarks/vassal.py [MEGABYTES]

VASSAL's own reader would be the peer, but it needs its engine and a screen; the peer is what one writes first: a loop
over the pairs of hex digits, and chains of traits peeled link by link. It is given a twentieth, and its figure is for a
twentieth. Processor time, since the machine may be busy with other things.
"""

import gc
import io
import json
import sys
import zipfile
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from forcepool.vassal import read_save  # noqa: E402
from forcepool.vassal.sequence import encode  # noqa: E402
from tests.support.vassal import ESC, layer, marks, piece_text  # noqa: E402

MEGABYTES = 100
PART = 20
GOAL = 10
KEY = 0x58


def tell(name: str, value: float, **more: object) -> None:
    print(json.dumps({"benchmark": "vassal", "name": name, "value": round(value, 3), **more}), flush=True)


def a_save(megabytes: int) -> bytes:
    """A save whose game is so many megabytes of hex digits: counters with a score of traits, four to a stack."""
    traits = [marks(Side="Axis", Nation="German"), layer(1, "+", "+ cadre")]
    traits += [("rotate;6;false;82,130;76,130;Rotate CW;Rotate CCW;;;;", "0")] * 2
    traits += [("sendto;To the pool;80,650;Replacement Pool;Board;0;0;;;0;0;R;1;", "")] * 8
    traits += [("report;70,130;$oldPieceName$ moves;;", "-1")] * 6 + [
        ("footprint;84,130;Trail;false;false;10;", "false")
    ]
    kind, state = piece_text("NAME", at=("Main", 1, 2), gpid="GPID", traits=traits)
    counter = "+/" + encode(["ID", kind, state], "/")
    commands, size = ["begin_save", "PLAYER\tsesame\tAnna\tAxis"], 0
    number = 0
    while size * 2 < megabytes * 1_000_000:
        ids = []
        for _ in range(4):
            number += 1
            ids.append(str(1_000_000 + number))
            text = counter.replace("ID", ids[-1], 1).replace("NAME", f"{number} Inf XX").replace("GPID", str(number))
            commands.append(text)
            size += len(text)
        commands.append(f"+/{2_000_000 + number}/stack/" + encode(["Main", "5", "6", *ids], ";"))
    data = encode(["begin_save", ESC.join(commands), "end_save"], ESC).encode()
    hidden = b"!VCSK" + f"{KEY:02x}".encode() + data.translate(bytes(each ^ KEY for each in range(256))).hex().encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("savedGame", hidden)
    return out.getvalue()


def ours(data: bytes) -> int:
    save = read_save(io.BytesIO(data), name="bench.vsav")
    return sum(len(piece.traits) for piece in save.pieces.values())


def naive(data: bytes) -> int:
    """What one writes first: byte by byte, letter by letter, link by link."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        text = archive.read("savedGame").decode()
    key = int(text[5:7], 16)
    clear = bytearray()
    for at in range(7, len(text), 2):
        clear.append(int(text[at : at + 2], 16) ^ key)
    count = 0
    for block in letter_by_letter(clear.decode(), ESC):
        for command in letter_by_letter(block, ESC):
            if command.startswith("+/"):
                kind = letter_by_letter(command[2:], "/")[1]
                count += _links(kind) if kind.partition(";")[0] != "stack" else 0
    return count


def _links(kind: str) -> int:
    count = 1
    while len(parts := letter_by_letter(kind, "\t")) > 1:
        kind, count = parts[1], count + 1
    return count


def letter_by_letter(text: str, delimiter: str) -> list[str]:
    tokens, token = [], ""
    for letter in text:
        if letter == delimiter and not token.endswith("\\"):
            tokens.append(token)
            token = ""
        else:
            token = token[:-1] + letter if letter == delimiter else token + letter
    return [*tokens, token]


def main(megabytes: int) -> int:
    gc.set_threshold(50_000, 20, 20)
    large, small = a_save(megabytes), a_save(max(megabytes // PART, 1))
    begun = process_time()
    traits = ours(large)
    took = process_time() - begun
    tell("read_s", took, megabytes=megabytes, traits=traits, goal=f"< {GOAL} s for 100 MB")
    begun = process_time()
    mine = ours(small)
    part = process_time() - begun
    begun = process_time()
    theirs = naive(small)
    slow = process_time() - begun
    tell("part_s", part, megabytes=max(megabytes // PART, 1))
    tell("naive_part_s", slow, ratio=round(slow / part, 1))
    tell("same", int(mine == theirs))
    return 0 if mine == theirs and took < GOAL * megabytes / 100 else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else MEGABYTES))
