"""Questions in SQL over the tables of a campaign: with DuckDB where it is installed, else with SQLite."""

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from forcepool.engine.sentence import Told
from forcepool.tables.table import FLOAT, NUMBER, TEXT, YES_NO, Column, Plain, Table
from forcepool.views.near import did_you_mean

if TYPE_CHECKING:
    import duckdb

Tables = Callable[[str], Table]
"""Brings a table by its name."""
SQLITE_TYPES = {TEXT: "TEXT", NUMBER: "INTEGER", YES_NO: "INTEGER", FLOAT: "REAL"}
MISSING = re.compile(r"(?:no such table: |Table with name )([A-Za-z_]+)")


class BadQuery(Told):
    """A question that SQL does not understand."""


def ask(sql: str, names: Iterable[str], tables: Tables, *, engine: str = "") -> Table:
    """What a question comes to. Only the tables that it names are read."""
    known = tuple(names)
    words = set(re.findall(r"[a-z_]+", sql.casefold()))
    wanted = [tables(each) for each in known if each in words]
    if engine not in ("", "duckdb", "sqlite"):
        raise BadQuery(f"there is no engine '{engine}'; it is duckdb or sqlite")
    duck = None if engine == "sqlite" else _duckdb()
    if engine == "duckdb" and duck is None:
        raise BadQuery("DuckDB is not installed; get it with: pip install 'forcepool[analysis]'")
    return _by_sqlite(sql, wanted, known) if duck is None else _by_duckdb(duck, sql, wanted, known)


def _duckdb() -> "duckdb.DuckDBPyConnection | None":
    try:
        import duckdb
        import pyarrow  # noqa: F401 - without it DuckDB cannot take the tables over
    except ImportError:
        return None
    # A question is about the campaign: it has no business with other files, nor with the network.
    return duckdb.connect(":memory:", config={"enable_external_access": "false"})


def _by_duckdb(connection: "duckdb.DuckDBPyConnection", sql: str, tables: list[Table], known: tuple[str, ...]) -> Table:
    import duckdb

    try:
        connection.create_function("exact_of", exact_sum, ["VARCHAR[]"], "VARCHAR")
        connection.execute("CREATE MACRO exact_sum(amounts) AS exact_of(list(amounts))")
        for each in tables:
            connection.register(each.name, each.to_arrow())
        found = connection.execute(sql)
        names = [str(each[0]) for each in found.description or ()]
        return _answer("DuckDB", names, [tuple(_plain(cell) for cell in row) for row in found.fetchall()])
    except duckdb.Error as error:
        raise _not_understood(str(error), known) from None
    finally:
        connection.close()


def _by_sqlite(sql: str, tables: list[Table], known: tuple[str, ...]) -> Table:
    connection = sqlite3.connect(":memory:")
    try:
        for each in tables:
            columns = each.plain_columns
            named = ", ".join(f'"{column.name}" {SQLITE_TYPES[column.kind]}' for column in columns)
            connection.execute(f'CREATE TABLE "{each.name}" ({named})')
            places = ", ".join("?" * len(columns))
            connection.executemany(f'INSERT INTO "{each.name}" VALUES ({places})', each.plain_rows())
        connection.create_aggregate("exact_sum", 1, _ExactSum)
        # From here on it may read what lies there, and nothing else.
        connection.set_authorizer(_reads_only)
        found = connection.execute(sql)
        return _answer("SQLite", [str(each[0]) for each in found.description or ()], found.fetchall())
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise _not_understood(str(error), known) from None
    finally:
        connection.close()


class _ExactSum:
    """SQLite hands the amounts over one by one."""

    def __init__(self) -> None:
        self._amounts: list[str | None] = []

    def step(self, amount: Any, /) -> None:
        self._amounts.append(None if amount is None else str(amount))

    def finalize(self) -> Any:
        return exact_sum(self._amounts)


def exact_sum(amounts: Iterable[str | None]) -> str:
    """The sum of amounts to the last fraction, as text."""
    return str(sum((Fraction(each) for each in amounts if each is not None), Fraction(0)))


READS = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)


def _reads_only(action: int, *what: str | None) -> int:
    return sqlite3.SQLITE_OK if action in READS else sqlite3.SQLITE_DENY


def _answer(engine: str, names: Sequence[str], rows: Sequence[tuple[Plain, ...]]) -> Table:
    """What a question came to, as a table; the kind of a column is that of what stands in it."""
    kinds = [_kind([row[at] for row in rows]) for at in range(len(names))]
    columns = tuple(Column(name, kind) for name, kind in zip(names, kinds, strict=True))
    return Table("answer", f"what {engine} found", columns, tuple(_as_kinds(row, kinds) for row in rows))


def _kind(cells: Sequence[Plain]) -> str:
    types = {type(each) for each in cells if each is not None}
    for kind, of in ((YES_NO, {bool}), (NUMBER, {int}), (FLOAT, {int, float})):
        if types and types <= of:
            return kind
    return TEXT


def _as_kinds(row: tuple[Plain, ...], kinds: Sequence[str]) -> tuple[Plain, ...]:
    return tuple(
        str(cell) if kind == TEXT and cell is not None else cell for cell, kind in zip(row, kinds, strict=True)
    )


def _plain(cell: object) -> Plain:
    return cell if isinstance(cell, str | int | float) or cell is None else str(cell)


def _not_understood(error: str, known: tuple[str, ...]) -> BadQuery:
    """What the engine says, on one line, and the table that may have been meant."""
    missing = MISSING.search(error)
    if missing:
        return BadQuery(f"there is no table '{missing[1]}'; {did_you_mean(missing[1], known)}")
    said = " ".join(error.replace("LINE 1:", " at:").split())
    return BadQuery(f"the question is not understood: {said}")
