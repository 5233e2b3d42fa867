"""A writer of made-up VASSAL files. It shares nothing with the reader, so that each checks the other."""

import io
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from xml.sax.saxutils import escape, quoteattr

ESC = "\x1b"
HEX, DEFLATED, RAW, PLAIN = "!VCSK", "!VCSZ", "VOBS", "plain"


def joined(tokens: Iterable[str], delimiter: str) -> str:
    """Tokens as VASSAL joins them, letter by letter."""
    written = []
    for token in tokens:
        out = []
        for letter in token:
            if letter == delimiter:
                out.append("\\")
            out.append(letter)
        text = "".join(out)
        if token.endswith("\\") or (token.startswith("'") and token.endswith("'")):
            text = f"'{text}'"
        written.append(text)
    return delimiter.join(written)


def chained(links: Sequence[str]) -> str:
    """A chain of traits: each link with all that follows it as one token."""
    text = links[-1]
    for link in reversed(links[:-1]):
        text = joined([link, text], "\t")
    return text


def hidden(text: str, dialect: str = HEX, key: int = 0x58) -> bytes:
    """A saved game in one of the dialects, byte by byte."""
    data = text.encode("utf-8")
    if dialect == PLAIN:
        return data
    if dialect == RAW:
        return b"VOBS" + bytes([key]) + bytes(byte ^ key for byte in data)
    if dialect == DEFLATED:
        data = zlib.compress(data)
    return dialect.encode() + f"{key:02x}".encode() + "".join(f"{byte ^ key:02x}" for byte in data).encode()


def layer(level: int, *names: str, name: str = "Layer", images: Sequence[str] = ()) -> tuple[str, str]:
    """A layer that can be turned to these, and the level it shows."""
    pictures = images or [f"{each}.png" for each in names]
    fields = ["", "0", "", "", "0", "", "", "0", "", "", "", "1", "false", "0", "0"]
    fields += [joined(pictures, ","), joined(names, ","), "true", name, "", "", "false", "", "1", "1", "true"]
    return "emb2;" + joined(fields, ";"), str(level)


def marks(**values: str) -> tuple[str, str]:
    return "mark;" + joined(list(values), ","), joined(list(values.values()), ",")


class Game:
    """A game being laid out, command by command."""

    def __init__(self) -> None:
        self.commands: list[str] = []
        self.steps: list[str] = []
        self.count = 0

    def fresh(self) -> str:
        self.count += 1
        return f"9{self.count:05d}"

    def piece(
        self,
        name: str,
        *,
        at: tuple[str, int, int] = ("null", 0, 0),
        gpid: str = "",
        traits: Sequence[tuple[str, str]] = (),
        id: str = "",
        image: str = "",
    ) -> str:
        found = id or self.fresh()
        kind, state = piece_text(name, at=at, gpid=gpid, traits=traits, image=image)
        self.commands.append("+/" + joined([found, kind, state], "/"))
        return found

    def stack(self, at: tuple[str, int, int], *pieces: str, id: str = "") -> str:
        found = id or self.fresh()
        self.commands.append("+/" + joined([found, "stack", joined([*map(str, at), *pieces, "@@0"], ";")], "/"))
        return found

    def boards(self, on: str, *boards: tuple[str, int, int]) -> None:
        self.commands.append(joined([f"{on}BoardPicker", *(str(part) for board in boards for part in board)], "\t"))

    def player(self, password: str, name: str, side: str) -> None:
        self.commands.append("PLAYER\t" + joined([password, name, side], "\t"))

    def step(self, *commands: str) -> None:
        """One step of a log, in which one thing may bring another."""
        first, *more = [f"LOG\t{each}" for each in commands]
        self.steps.append(joined([first, *more], ESC))

    def moved(self, piece: str, to: tuple[str, int, int], by: str = "") -> str:
        return "M/" + joined([piece, *map(str, to), "null", "null", "0", "0", "null", by], "/")

    def text(self) -> str:
        """The whole game: all the counters as one command that holds the others, as VASSAL writes it."""
        own = [each for each in self.commands if each.startswith("+/")]
        rest = [each for each in self.commands if not each.startswith("+/")]
        block = [joined(own, ESC)] if own else []
        return joined(["begin_save", "", *rest, *block, "end_save", *self.steps], ESC)

    def data(self, dialect: str = HEX, *, module: str = "Made up", comment: str = "", bare: bool = False) -> bytes:
        entries = {"savedGame": hidden(self.text(), dialect)}
        if not bare:
            entries["savedata"] = metadata(comment)
            entries["moduledata"] = metadata("", module)
        return zipped(entries)

    def write(self, path: Path, dialect: str = HEX) -> Path:
        path.write_bytes(self.data(dialect))
        return path


def piece_text(
    name: str,
    *,
    at: tuple[str, int, int] = ("null", 0, 0),
    gpid: str = "",
    traits: Sequence[tuple[str, str]] = (),
    image: str = "",
) -> tuple[str, str]:
    """Definition and state of a counter."""
    basic = "piece;" + joined(["", "", image or f"{name}.png", name], ";")
    state = joined([*map(str, at), gpid, "0"], ";")
    return chained([*(kind for kind, _ in traits), basic]), chained([*(each for _, each in traits), state])


def metadata(comment: str, module: str = "") -> bytes:
    name = f"<name>{escape(module)}</name>" if module else ""
    text = f'<data version="1"><version>1.2</version><VassalVersion>3.7.5</VassalVersion>{name}'
    return f"{text}<dateSaved>1700000000000</dateSaved><description>{escape(comment)}</description></data>".encode()


def zipped(entries: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            # Without the time of day the same entries make the same file.
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


MAP = "VASSAL.build.module.Map"
PICKER = "VASSAL.build.module.map.BoardPicker"
BOARD = "VASSAL.build.module.map.boardPicker.Board"
GRIDS = "VASSAL.build.module.map.boardPicker.board"


def tag(kind: str, *inside: str, **attributes: object) -> str:
    told = "".join(f" {name}={quoteattr(str(value))}" for name, value in attributes.items())
    return f"<{kind}{told}>{''.join(inside)}</{kind}>"


def regions(**points: tuple[int, int]) -> str:
    found = (
        tag(f"{GRIDS}.Region", name=name.replace("_", " "), originx=x, originy=y) for name, (x, y) in points.items()
    )
    return tag(f"{GRIDS}.RegionGrid", *found)


def zones(**corners: str) -> str:
    found = (tag(f"{GRIDS}.mapgrid.Zone", name=name.replace("_", " "), path=path) for name, path in corners.items())
    return tag(f"{GRIDS}.ZonedGrid", *found)


def map_window(name: str, *boards: str, edge: int = 0) -> str:
    return tag(MAP, tag(PICKER, *boards), mapName=name, edgeWidth=edge, edgeHeight=edge)


def board(name: str, grid: str, width: int = 1000, height: int = 1000) -> str:
    return tag(BOARD, grid, name=name, width=width, height=height)


def slot(gpid: str, name: str, traits: Sequence[tuple[str, str]] = ()) -> str:
    kind, state = piece_text(name, gpid=gpid, traits=traits)
    return tag(
        "VASSAL.build.widget.PieceSlot", escape("+/" + joined(["null", kind, state], "/")), entryName=name, gpid=gpid
    )


def prototype(name: str, *traits: tuple[str, str]) -> str:
    kind, state = piece_text("", traits=traits)
    text = escape("+/" + joined(["null", kind, state], "/"))
    return tag("VASSAL.build.module.PrototypeDefinition", text, name=name)


def module(
    *parts: str,
    root: str = "VASSAL.build.GameModule",
    entry: str = "buildFile.xml",
    pictures: Mapping[str, bytes] = MappingProxyType({}),
) -> bytes:
    build = tag(root, *parts, name="Made up", version="1.2")
    return zipped({entry: build.encode(), "moduledata": metadata("", "Made up"), **pictures})
