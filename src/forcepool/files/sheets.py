"""Sheets: what Excel and its like save, as rows of text, from a .csv file or from every sheet of an .xlsx file."""

import csv
import io
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date, time, timedelta
from fractions import Fraction
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING

from msgspec import Struct

from forcepool.files.problems import BadFile, Problem, cell_name

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

CSV, XLSX = (".csv", ".tsv"), (".xlsx", ".xlsm")
ENDINGS = (*CSV, *XLSX)
OTHERS = (".xls", ".ods", ".numbers")
MOST_BYTES, MOST_UNPACKED, MOST_CELLS = 50_000_000, 400_000_000, 2_000_000
OLD = b"\xd0\xcf\x11\xe0"
"""How a spreadsheet of the old kind begins, and one that is locked."""
DELIMITERS = (",", ";", "\t")
"""What stands between cells: Excel writes semicolons where a comma stands in numbers."""
LOOKED_AT = 20
"""Rows among which the names of the columns are looked for: there may be titles above them."""
FINEST = 1000
"""The largest denominator a number with endless places is taken for: 0.333… is a third."""
SEPARATOR = re.compile(r'"?sep=(.)"?\r?\n', re.IGNORECASE)
MISSING = "a spreadsheet (.xlsx) needs more than the program itself"
MISSING_HINT = "save the sheets as CSV, or get it with: pip install 'forcepool[analysis]'"


class Sheet(Struct, frozen=True):
    """One table of cells, every one as text; what is blank is ''."""

    file: str
    """What problems call it."""
    name: str
    rows: list[list[str]]

    def problem(self, row: int, column: int, message: str, hint: str = "") -> Problem:
        """A problem with a cell, rows and columns counted from 1."""
        return Problem(self.file, row, column, f"cell {cell_name(row, column)}: {message}", hint)


def plain_name(text: str) -> str:
    """A heading, or the name of a sheet, as it is compared: capitals, blanks and hyphens do not matter."""
    return "_".join(text.replace("-", " ").replace("_", " ").split()).casefold()


def read_sheets(content: bytes, file: str, headings: Collection[str] = ()) -> list[Sheet]:
    """The sheets in a file of a kind its ending says; `headings` are what its columns may be called."""
    ending = PurePath(file).suffix.casefold()
    if len(content) > MOST_BYTES:
        raise BadFile([Problem(file, 1, 1, "the file is larger than any table of a campaign", "split it")])
    if ending in XLSX:
        return _workbook(content, file)
    if ending in CSV:
        return [Sheet(file, PurePath(file).stem, _trimmed(_of_csv(_decoded(content), file, headings), file))]
    hint = "save it as .xlsx or .csv" if ending in OTHERS else f"tables end in {', '.join(ENDINGS)}"
    raise BadFile([Problem(file, 1, 1, f"a table cannot be read from a file that ends in '{ending}'", hint)])


# ------------------------------------------------------------------------------------------------------- CSV


def _decoded(content: bytes) -> str:
    """UTF-8 as Excel writes it when asked to, UTF-16 as its 'Unicode text', else what Windows writes in the west."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _of_csv(text: str, file: str, headings: Collection[str]) -> list[list[str]]:
    """The rows, by whichever delimiter makes known headings of a line; the first line may say which it is."""
    said = SEPARATOR.match(text)
    if said is not None:
        # Excel neither shows nor counts the line that says so.
        return _split(text[said.end() :], said[1], file)
    known = {plain_name(each) for each in headings}

    def hits(delimiter: str) -> int:
        rows = islice(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), LOOKED_AT)
        return max((sum(plain_name(cell) in known for cell in row) for row in rows), default=0)

    return _split(text, max(DELIMITERS, key=hits), file)


def _split(text: str, delimiter: str, file: str) -> list[list[str]]:
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
            rows.append([_typed(each) for each in row])
    except csv.Error:
        message = "from this row on the table cannot be read: a quotation mark is not closed"
        hint = 'write a quotation mark inside a cell twice, and the cell in quotes: "the ""Reich"" division"'
        raise BadFile([Problem(file, len(rows) + 1, 1, message, hint)]) from None
    return rows


def _typed(text: str) -> str:
    """A cell without blanks around it, and without the apostrophe that keeps Excel from making a date of it."""
    bare = text.replace("\xa0", " ").strip()
    return bare[1:] if bare[:1] == "'" and bare[1:2] and (bare[1].isdigit() or bare[1] in "=+-@'") else bare


def _trimmed(rows: Iterable[list[str]], file: str) -> list[list[str]]:
    """Without the empty cells at the end of each row and the empty rows at the end."""
    found, cells = [], 0
    for row in rows:
        while row and not row[-1]:
            row.pop()
        found.append(row)
        cells += len(row)
        if cells > MOST_CELLS:
            raise BadFile([Problem(file, len(found), 1, f"the table has more than {MOST_CELLS:,} cells", "split it")])
    while found and not found[-1]:
        found.pop()
    return found


# ------------------------------------------------------------------------------------------------------ XLSX


def _workbook(content: bytes, file: str) -> list[Sheet]:
    book = _opened(content, file, values=False)
    if any(cell.data_type == "f" for sheet in book.worksheets for row in sheet.iter_rows() for cell in row):
        # What a formula came to is kept beside it, and told instead of it when asked for.
        book = _opened(content, file, values=True)
    return [
        Sheet(f"{file} [{sheet.title}]", sheet.title, _trimmed(_texts(sheet.iter_rows(values_only=True)), file))
        for sheet in book.worksheets
    ]


def _opened(content: bytes, file: str, *, values: bool) -> "Workbook":
    try:
        from openpyxl import load_workbook
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError:
        raise BadFile([Problem(file, 1, 1, MISSING, MISSING_HINT)]) from None
    import warnings
    import zipfile
    import zlib
    from xml.etree.ElementTree import ParseError

    hint = "open it in Excel and save it again as .xlsx"
    if content.startswith(OLD):
        hint = "it is protected by a password, or of an old kind: save it without one, as .xlsx"
    # A damaged file makes the reader trip anywhere, and it says so in every way there is.
    damaged = (zipfile.BadZipFile, zlib.error, InvalidFileException, ParseError, LookupError, ValueError, TypeError)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if sum(each.file_size for each in packed.infolist()) > MOST_UNPACKED:
                raise BadFile([Problem(file, 1, 1, "the file is larger than any table of a campaign", "split it")])
        with warnings.catch_warnings():
            # It tells of pictures, lists to choose from and the like, which it leaves out and nobody misses here.
            warnings.simplefilter("ignore")
            return load_workbook(io.BytesIO(content), data_only=values)
    except (*damaged, AttributeError, ArithmeticError, RuntimeError, OSError, EOFError) as error:
        raise BadFile([Problem(file, 1, 1, f"the spreadsheet cannot be read ({error})", hint)]) from None


def _texts(rows: Iterable[Sequence[object]]) -> Iterable[list[str]]:
    return ([_text(each) for each in row] for row in rows)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, date):
        return f"{value.day}-{value:%b}-{value.year}"
    if isinstance(value, time | timedelta):
        return str(value)
    return _typed(str(value))


def _number(value: float) -> str:
    """A number as it was typed: 24 and not 24.0, 8.25, and 1/3 for what Excel keeps as 0.3333333333333333."""
    if value != value or value in (float("inf"), -float("inf")):
        return str(value)
    exact = Fraction(value).limit_denominator(FINEST)
    if exact.denominator == 1 and float(exact) == value:
        return str(exact.numerator)
    short = repr(value)
    return short if len(short) <= 8 or float(exact) != value else str(exact)


# --------------------------------------------------------------------------------------------------- writing


def csv_of(rows: Iterable[Sequence[str]], delimiter: str = ",") -> bytes:
    """Rows as a file that Excel opens as it should: the sign at its start tells that it is UTF-8."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode("utf-8-sig")


def xlsx_of(sheets: Iterable[tuple[str, Sequence[Sequence[str]]]]) -> bytes:
    """Sheets by name, every cell kept as text, so that nothing typed into them becomes a date.

    The first row of each is its heading, and stays in sight.
    """
    try:
        from openpyxl import Workbook
        from openpyxl.styles import Alignment, Font
        from openpyxl.utils import get_column_letter
    except ImportError:
        raise BadFile([Problem("the template", 1, 1, MISSING, MISSING_HINT)]) from None
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets:
        sheet = book.create_sheet(name[:31])
        sheet.freeze_panes = "B2"
        for at, row in enumerate(rows, 1):
            for column, text in enumerate(row, 1):
                cell = sheet.cell(at, column)
                cell.value, cell.data_type, cell.number_format = text or None, "s" if text else "n", "@"
                if at == 1:
                    cell.font = Font(bold=True)
                elif row[0].startswith("#"):
                    cell.font, cell.alignment = Font(italic=True, color="666666"), Alignment(wrap_text=True)
        for column in range(1, max(map(len, rows), default=0) + 1):
            longest = max((len(row[column - 1]) for row in rows if len(row) >= column and row[0][:1] != "#"), default=0)
            letter = sheet.column_dimensions[get_column_letter(column)]
            letter.width, letter.number_format = min(max(longest + 2, 12), 40), "@"
    found = io.BytesIO()
    book.save(found)
    return found.getvalue()
