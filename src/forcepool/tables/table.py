"""A table: named columns of plain values, an exact amount beside its float, written to whatever reads tables."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from forcepool.drawing.plots import Line, plot
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
FINEST = 10_000
"""The largest denominator of what is drawn."""
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
    three, and a float to draw with. In the examples `table` is what `balances()` gives.

    >>> len(table), table["pool"][0], next(iter(table))["amount"]
    (27, 'front/centre', Fraction(1, 4))
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
        """The columns as files and data frames have them.

        >>> [each.name for each in table.plain_columns][-4:]
        ['amount', 'amount_num', 'amount_den', 'amount_float']
        """
        return tuple(each for column in self.columns for each in _plain(column))

    def plain_rows(self) -> Iterator[tuple[Plain, ...]]:
        """The rows as files and data frames have them.

        >>> next(table.plain_rows())[-4:]
        ('1/4', 1, 4, 0.25)
        """
        return zip(*(values for _, values in self.by_column()), strict=True)

    def by_column(self) -> list[tuple[Column, list[Plain]]]:
        """Each plain column with its values.

        >>> [(column.name, values[0]) for column, values in table.by_column()][:1]
        [('turn', 'Oct 3 41')]
        """
        found: list[tuple[Column, list[Plain]]] = []
        for at, column in enumerate(self.columns):
            held = [row[at] for row in self.rows]
            for part, of in zip(_plain(column), _PARTS if column.kind == AMOUNT else (_itself,), strict=True):
                found.append((part, [of(each) for each in held]))
        return found

    # ------------------------------------------------------------------------------------ to other hands

    def to_arrow(self) -> "pyarrow.Table":
        """The table for anything that speaks Arrow: Polars, DuckDB, Parquet.

        >>> table.to_arrow().num_rows == len(table)
        True
        """
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
        """The table as a data frame of pandas.

        >>> table.to_pandas()["amount"].iloc[0]
        '1/4'
        """
        try:
            import pandas
        except ImportError:
            raise NeedsAnalysis("a data frame") from None
        frame: pandas.DataFrame = self.to_arrow().to_pandas()
        return frame

    def to_csv(self) -> str:
        """The table as comma-separated values, the names of the columns first.

        >>> table.to_csv().splitlines()[0][:21]
        'turn,turn_number,mont'
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([each.name for each in self.plain_columns])
        writer.writerows([_in_csv(each) for each in row] for row in self.plain_rows())
        return text.getvalue()

    def to_xlsx(self) -> bytes:
        """The table as a spreadsheet with one sheet.

        >>> table.to_xlsx()[:2]
        b'PK'
        """
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
        """The table in Parquet, columns by their kinds.

        >>> table.to_parquet()[:4]
        b'PAR1'
        """
        table = self.to_arrow()
        from pyarrow import parquet

        found = io.BytesIO()
        parquet.write_table(table, found)
        return found.getvalue()

    def write(self, path: Path | str) -> None:
        """The table in a new file, of the kind its ending says: .csv, .xlsx or .parquet.

        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     table.write(pathlib.Path(folder) / "balances.csv")
        ...     [each.name for each in pathlib.Path(folder).iterdir()]
        ['balances.csv']
        """
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

    def plot(self, along: str, value: str, by: str = "") -> "Picture":
        """A column as a line along another, one line for each word of a third: losses by turn for each side.

        Turns that a line has no row for count as nothing.

        >>> import forcepool
        >>> campaign = forcepool.new("smolensk", seed=1)
        >>> done = campaign.advance(to="Oct 4 41")
        >>> held = campaign.query("select turn, kind, exact_sum(amount) as held from balances group by 1, 2")
        >>> "<svg" in held.plot("turn", "held", by="kind").svg
        True
        """
        turns = list(dict.fromkeys(map(shown, self[along])))
        names = self[by] if by else [value] * len(self.rows)
        values: dict[str, dict[str, Fraction]] = {}
        for at, name, amount in zip(self[along], names, self[value], strict=True):
            line = values.setdefault(shown(name), {})
            line[shown(at)] = line.get(shown(at), Fraction(0)) + _amount(amount)
        lines = [Line(name, tuple(held.get(turn, Fraction(0)) for turn in turns)) for name, held in values.items()]
        return Picture(plot(f"{value} by {along}", turns, lines))


class Picture(Struct, frozen=True):
    """A drawing, shown as such in a notebook.

    >>> table.plot("turn", "amount").svg
    ''
    """

    svg: str
    """Empty where there is nothing to draw: a line wants two turns."""

    def __str__(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f'<div style="background:#fffdf8;max-width:44em">{self.svg or "Nothing to draw yet."}</div>'


def _amount(cell: Cell) -> Fraction:
    """A cell as a number to draw; exact texts are exact, and floats as near as anyone sees."""
    try:
        return Fraction(cell or 0).limit_denominator(FINEST)
    except ValueError:
        raise Told(f"'{cell}' is no number, so it cannot be drawn") from None


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
