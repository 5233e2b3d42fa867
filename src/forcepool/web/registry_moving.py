"""The register of seats, taken from a folder's file into a database or back: players keep their seats and links."""

from pathlib import Path

from forcepool.store.database import Database
from forcepool.store.pg_link import SCHEMA
from forcepool.web.registry import FILE
from forcepool.web.registry_database import RegistryDatabase
from forcepool.web.registry_file import RegistryFile, RegistryPlace

NUMBERED = ("invitation", "plan", "hook")
"""Tables whose rows have numbers that others name."""


def move_register(folder: Path, database: Database, *, into_database: bool) -> int:
    """Take all seats over, where none were given out yet; how many invitations there are. -1 where there were some."""
    path = folder / FILE
    if into_database and not path.exists():
        return 0
    file, there = RegistryFile(path), RegistryDatabase(database.link)
    source, target = (file, there) if into_database else (there, file)
    try:
        if target.rows("select 1 from invitation limit 1"):
            return -1
        with target.together():
            for table, columns in _tables(file).items():
                _copy(source, target, table, columns, numbers=into_database and table in NUMBERED)
        return len(target.rows("select 1 from invitation"))
    finally:
        file.close()


def _tables(file: RegistryFile) -> dict[str, list[str]]:
    """The columns of every table, those that others refer to first."""
    names = [str(name) for (name,) in file.rows("select name from sqlite_master where type = 'table' order by rowid")]
    return {name: [str(row[1]) for row in file.rows(f"pragma table_info({name})")] for name in names}


def _copy(source: RegistryPlace, target: RegistryPlace, table: str, columns: list[str], *, numbers: bool) -> None:
    names, signs = ", ".join(columns), ", ".join("?" * len(columns))
    if table == "secret":
        # Sessions go on: they are signed with the word that moves along.
        target.run("delete from secret")
    keeping = " overriding system value" if numbers else ""
    order = " order by rowid" if table == "key" else ""
    for row in source.rows(f"select {names} from {table}{order}"):
        target.run(f"insert into {table} ({names}){keeping} values ({signs})", *row)
    if numbers:
        sequence = f"pg_get_serial_sequence('{SCHEMA}.{table}', 'id')"
        target.rows(f"select setval({sequence}, greatest((select max(id) from {table}), 1))")
