"""Questions over a campaign: its tables, whole or by SQL, on the screen or into a file."""

from typing import TYPE_CHECKING

import click

from forcepool.cli import screen
from forcepool.cli.table import campaign_at, file_argument, json_option

if TYPE_CHECKING:
    from forcepool.tables.table import Table

SHOWN = 60
"""Rows that the screen shows unless all are asked for."""


@click.command("query")
@file_argument
@click.argument("question", required=False, default="", metavar="[SQL or TABLE]")
@click.option("--out", type=click.Path(dir_okay=False), default="", help="Write a file: .csv, .xlsx or .parquet.")
@click.option("--all", "everything", is_flag=True, help="Every row, however many there are.")
@click.option(
    "--engine", type=click.Choice(["duckdb", "sqlite"]), default=None, help="Who answers; DuckDB if it is installed."
)
@json_option
def query_command(file: str, question: str, out: str, everything: bool, engine: str | None, as_json: bool) -> None:
    """Ask a campaign anything: what pools held, what was spent and lost, every die, by turn and clause.

    Without a question: the tables there are and their columns. With the name of a table: all of it. With SQL: what it
    comes to. An amount is a text that is exact (7/2), its numerator and denominator, and a float beside; exact_sum adds
    such texts up to the last fraction.

    \b
    Examples:
      forcepool query east.fp
      forcepool query east.fp balances --out balances.xlsx
      forcepool query east.fp "select month, kind, exact_sum(amount) as spent from spending group by 1, 2"
      forcepool query east.fp "select month, type, count(*) as lost from losses where side = 'Axis' group by 1, 2"
    """
    from forcepool.tables.campaign import TABLES, table
    from forcepool.tables.sql import ask

    with campaign_at(file) as campaign:
        if not question.strip():
            _list_tables(as_json)
            return
        name = question.strip().casefold()
        if len(name.split()) == 1:
            found = table(campaign, name, _progress)
        else:
            found = ask(question, TABLES, lambda each: table(campaign, each, _progress), engine=engine or "")
    if out:
        found.write(out)
        screen.say(f"{out}: {len(found):,} row{'' if len(found) == 1 else 's'}")
    elif as_json:
        names = [each.name for each in found.plain_columns]
        screen.print_json([dict(zip(names, row, strict=True)) for row in found.plain_rows()])
    else:
        _show(found, everything)


def _progress(done: int, of: int) -> None:
    screen.progress(f"{done} of {of} units")


def _list_tables(as_json: bool) -> None:
    from forcepool.tables.campaign import TABLES
    from forcepool.tables.table import Table

    tables = [Table(name, source.about, source.columns) for name, source in TABLES.items()]
    if as_json:
        screen.print_json([{"table": each.name, "about": each.about, "columns": each.plain_columns} for each in tables])
        return
    for each in tables:
        screen.say(f"{screen.strong(each.name)}  {each.about}")
        screen.say(screen.faint(f"  {', '.join(column.name for column in each.plain_columns)}"))


def _show(found: "Table", everything: bool) -> None:
    from forcepool.tables.table import FLOAT, NUMBER, shown

    if not found.rows:
        screen.say("no rows: nothing in the campaign fits the question")
        return
    rows = found.rows if everything else found.rows[:SHOWN]
    right = tuple(at for at, column in enumerate(found.columns) if column.kind in (NUMBER, FLOAT))
    screen.table(
        tuple(each.name for each in found.columns), [[shown(cell) for cell in row] for row in rows], right=right
    )
    if len(rows) < len(found):
        screen.say(f"… and {len(found) - len(rows):,} more rows: --all shows them, --out writes them to a file")
