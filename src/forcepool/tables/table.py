"""A table: named columns of plain values, an exact amount beside its float, written to whatever reads tables."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from forcepool.engine.points import show_points
from forcepool.engine.sentence import Told
from forcepool.files.disk import whole_bytes

if TYPE_CHECKING:
    import pandas
    import pyarrow

TEXT, NUMBER, YES_NO, AMOUNT, FLOAT = "text", "number", "yes or no", "amount", "float"
Plain = str | int | bool | float | None
Cell = str | int | bool | float | Fraction | None
"""What stands in a row; nothing at all and floats only where a question in SQL came to them."""
SHOWN = 20
"""Rows that a notebook shows."""


class NeedsAnalysis(Told):
    """What was asked for is done by libraries that only the analysis extra brings."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} needs more than the program itself; get it with: pip install 'forcepool[analysis]'")


class Column(Struct, frozen=True):
    """What one column holds."""

    name: str
    kind: str = TEXT
    about: str = ""


class Table(Struct, frozen=True):
    """Rows of one kind, in order.

    An amount takes four columns wherever a table is written: as text ('7/2'), its numerator and denominator, exact all
    three, and a float to draw with.
    """

    name: str
    about: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        """The rows by the names of their columns, amounts as fractions."""
        names = [each.name for each in self.columns]
        return (dict(zip(names, row, strict=True)) for row in self.rows)

    def __getitem__(self, name: str) -> list[Cell]:
        """One column."""
        names = [each.name for each in self.columns]
        if name not in names:
            raise Told(f"the table {self.name} has no column '{name}'; it has {', '.join(names)}")
        at = names.index(name)
        return [row[at] for row in self.rows]

    # ------------------------------------------------------------------------------------------- plain

    @property
    def plain_columns(self) -> tuple[Column, ...]:
        """The columns as files and data frames have them."""
        return tuple(each for column in self.columns for each in _plain(column))

    def plain_rows(self) -> Iterator[tuple[Plain, ...]]:
        """The rows as files and data frames have them."""
        return zip(*(values for _, values in self.by_column()), strict=True)

    def by_column(self) -> list[tuple[Column, list[Plain]]]:
        """Each plain column with its values."""
        found: list[tuple[Column, list[Plain]]] = []
        for at, column in enumerate(self.columns):
            held = [row[at] for row in self.rows]
            for part, of in zip(_plain(column), _PARTS if column.kind == AMOUNT else (_itself,), strict=True):
                found.append((part, [of(each) for each in held]))
        return found

    # ------------------------------------------------------------------------------------ to other hands

    def to_arrow(self) -> "pyarrow.Table":
        """The table for anything that speaks Arrow: Polars, DuckDB, Parquet."""
        try:
            import pyarrow
        except ImportError:
            raise NeedsAnalysis("an Arrow table") from None
        types = {TEXT: pyarrow.string(), NUMBER: pyarrow.int64(), YES_NO: pyarrow.bool_(), FLOAT: pyarrow.float64()}
        columns = self.by_column()
        fields = [pyarrow.field(column.name, types[column.kind]) for column, _ in columns]
        arrays = [pyarrow.array(values, types[column.kind]) for column, values in columns]
        return pyarrow.table(arrays, schema=pyarrow.schema(fields))

    def to_pandas(self) -> "pandas.DataFrame":
        """The table as a data frame of pandas."""
        try:
            import pandas
        except ImportError:
            raise NeedsAnalysis("a data frame") from None
        frame: pandas.DataFrame = self.to_arrow().to_pandas()
        return frame

    def to_csv(self) -> str:
        """The table as comma-separated values, the names of the columns first."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([each.name for each in self.plain_columns])
        writer.writerows([_in_csv(each) for each in row] for row in self.plain_rows())
        return text.getvalue()

    def to_xlsx(self) -> bytes:
        """The table as a spreadsheet with one sheet."""
        try:
            from openpyxl import Workbook
        except ImportError:
            raise NeedsAnalysis("a spreadsheet") from None
        book = Workbook(write_only=True)
        sheet = book.create_sheet(self.name)
        sheet.append([each.name for each in self.plain_columns])
        for row in self.plain_rows():
            sheet.append([_in_a_sheet(each) for each in row])
        found = io.BytesIO()
        book.save(found)
        return found.getvalue()

    def to_parquet(self) -> bytes:
        """The table in Parquet, columns by their kinds."""
        table = self.to_arrow()
        from pyarrow import parquet

        found = io.BytesIO()
        parquet.write_table(table, found)
        return found.getvalue()

    def write(self, path: Path | str) -> None:
        """The table in a new file, of the kind its ending says: .csv, .xlsx or .parquet."""
        path = Path(path)
        if path.suffix.lower() not in WRITERS:
            raise Told(f"{path.name}: a table is written as {', '.join(WRITERS)}; give the file one of these endings")
        whole_bytes(path, WRITERS[path.suffix.lower()](self))

    # ------------------------------------------------------------------------------------------ on sight

    def __str__(self) -> str:
        return f"{self.name}: {len(self.rows)} rows of {', '.join(each.name for each in self.columns)}"

    def _repr_html_(self) -> str:
        """What a notebook shows: the first rows, and how many there are."""
        heads = "".join(f"<th>{escape(each.name.replace('_', ' '))}</th>" for each in self.columns)
        rows = ("".join(f"<td>{escape(shown(each))}</td>" for each in row) for row in self.rows[:SHOWN])
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        more = f"<p>{len(self.rows)} rows, the first {SHOWN} shown</p>" if len(self.rows) > SHOWN else ""
        return f"<table><caption>{escape(self.about)}</caption><tr>{heads}</tr>{body}</table>{more}"


def shown(cell: Cell) -> str:
    """A cell as a player reads it: 3½ rather than 7/2."""
    if isinstance(cell, bool):
        return "yes" if cell else ""
    if isinstance(cell, float):
        return f"{cell:g}"
    return show_points(cell) if isinstance(cell, Fraction) else "" if cell is None else str(cell)


def _plain(column: Column) -> tuple[Column, ...]:
    if column.kind != AMOUNT:
        return (column,)
    return (
        Column(column.name, TEXT, f"{column.about}, exact"),
        Column(f"{column.name}_num", NUMBER, "its numerator"),
        Column(f"{column.name}_den", NUMBER, "its denominator"),
        Column(f"{column.name}_float", FLOAT, "nearly the same, to draw with"),
    )


def _itself(cell: Cell) -> Plain:
    assert not isinstance(cell, Fraction), "an exact amount stands in a column of amounts"
    return cell


def _part(of: Callable[[Fraction], Plain]) -> Callable[[Cell], Plain]:
    def found(cell: Cell) -> Plain:
        assert isinstance(cell, Fraction), "a column of amounts holds exact amounts"
        return of(cell)

    return found


_PARTS: Sequence[Callable[[Cell], Plain]] = (
    _part(str),
    _part(lambda amount: amount.numerator),
    _part(lambda amount: amount.denominator),
    _part(float),
)


FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that a sheet takes for a formula."""


def _in_csv(value: Plain) -> Plain:
    if isinstance(value, bool):
        return "yes" if value else "no"
    # A sheet would take for a formula, and carry out, what a player wrote in a note.
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) and not _is_number(value) else value


def _in_a_sheet(value: Plain) -> Plain:
    return f"'{value}" if isinstance(value, str) and value.startswith("=") else value


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace("/", "", 1).isdigit()


WRITERS: dict[str, Callable[[Table], bytes]] = {
    ".csv": lambda table: table.to_csv().encode("utf-8-sig"),
    ".xlsx": Table.to_xlsx,
    ".parquet": Table.to_parquet,
}
"""By a file's ending, how a table is written; the sign at the start of a .csv tells Excel that it is UTF-8."""
