"""What is shown: colour and tables on a terminal, plain text in a pipe, JSON for programs."""

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

import click

from forcepool.engine.sentence import plain, plain_json

# What a console that lacks a sign gets instead.
PLAINER = {
    "→": "->",
    "−": "-",
    "…": "...",
    "×": "x",
    "–": "-",
    "—": "-",
    "’": "'",
    "⁄": "/",
    "½": "1/2",
    "⅓": "1/3",
    "⅔": "2/3",
    "¼": "1/4",
    "¾": "3/4",
    "⅕": "1/5",
    "⅖": "2/5",
    "⅗": "3/5",
    "⅘": "4/5",
    "⅙": "1/6",
    "⅚": "5/6",
    "⅛": "1/8",
    "⅜": "3/8",
    "⅝": "5/8",
    "⅞": "7/8",
}


def fitting(text: str, stream: TextIO | None = None) -> str:
    """The text in signs the console can show: 3 1/2 for 3½ where it must be, and names as one types them."""
    text = plain(text)
    stream = stream or sys.stdout
    encoding = getattr(stream, "encoding", None) or "utf-8"
    # Lone surrogates come from file names; UTF-8 itself cannot write them.
    try:
        text.encode(encoding)
        return text
    except (UnicodeEncodeError, LookupError):
        return "".join(_plainer(text, encoding))


def _plainer(text: str, encoding: str) -> Iterable[str]:
    before = ""
    for sign in text:
        try:
            sign.encode(encoding)
            yield sign
        except (UnicodeEncodeError, LookupError):
            plain = PLAINER.get(sign, "?")
            yield f" {plain}" if before.isdigit() and "/" in plain and plain != "/" else plain
        before = sign


def quoted(name: str) -> str:
    """A name as one types it: in double quotes where it has blanks, which every shell, Windows' too, understands."""
    return f'"{name}"' if " " in name else name


def counted(number: int, one: str, many: str = "") -> str:
    """'1 entry', '3 entries'."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def on_terminal() -> bool:
    return sys.stdout.isatty()


def in_colour() -> bool:
    """Whether to use colour: only on a terminal, and never against the player's wish."""
    return on_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def styled(text: str, **style: Any) -> str:
    return click.style(text, **style) if in_colour() else text


def strong(text: str) -> str:
    return styled(text, bold=True)


def faint(text: str) -> str:
    return styled(text, dim=True)


def good(text: str) -> str:
    return styled(text, fg="green")


def bad(text: str) -> str:
    return styled(text, fg="red")


def say(text: str = "") -> None:
    """One piece of text for the player."""
    click.echo(fitting(text), color=in_colour())


def say_lines(lines: Iterable[str]) -> None:
    for line in lines:
        say(line)


def tell(lines: Iterable[str]) -> None:
    """Sentences of the rules and the journal as players say them: 'front Centre' where one types front/centre."""
    from forcepool.views.said import told

    say_lines(map(told, lines))


def heading(text: str) -> None:
    say(strong(text))


def warn(text: str) -> None:
    """Something to know beside the answer, out of the way of pipes."""
    click.echo(fitting(f"forcepool: {text}", sys.stderr), err=True)


def progress(text: str) -> None:
    """How far a longer piece of work has got, on one line of a terminal and nowhere else."""
    if sys.stderr.isatty():
        click.echo(f"\r{fitting(text, sys.stderr)}\x1b[K", err=True, nl=False)


def print_json(data: Any) -> None:
    """Data for programs, in signs that survive every console."""
    import json

    from forcepool.engine import codec

    found = json.loads(plain_json(codec.encode(data)))
    click.echo(json.dumps(found, indent=2, ensure_ascii=True))


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> None:
    """Rows under their columns; `right` numbers the columns of figures."""
    if on_terminal():
        _rich_table(columns, rows, right)
    else:
        say_lines(plain_table(columns, rows, right))


def plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> Iterable[str]:
    """A table as aligned text, its first line the names of the columns."""
    shown = [[fitting(cell) for cell in row] for row in (columns, *rows)]
    widths = [max(len(row[index]) for row in shown) for index in range(len(columns))]
    for row in shown:
        cells = [
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _rich_table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int]) -> None:
    # Only a terminal waits for this import.
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=SIMPLE, header_style="bold", pad_edge=False)
    for index, name in enumerate(columns):
        shown.add_column(name, justify="right" if index in right else "left", overflow="fold")
    for row in rows:
        shown.add_row(*(Text(fitting(cell)) for cell in row))
    Console(no_color=not in_colour(), highlight=False).print(shown)
