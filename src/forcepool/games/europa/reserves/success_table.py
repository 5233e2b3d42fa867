"""49.A.1.a/5 and 51.B.7/12  The SUCCESS TABLE, which the documents refer to and do not contain."""

from collections.abc import Sequence

from msgspec import Struct

from forcepool.games.europa.world import EuropaWorld


class SuccessRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of the Success Table: the result of a modified die up to a number, in a column."""

    up_to: int
    result: str
    column: int = 0
    """Counted from the one without modifiers; the columns to its left are below nought."""
    stand_in: bool = False


def success_rows(world: EuropaWorld) -> list[SuccessRow]:
    """The group's own lines if it has entered any, else our stand-in."""
    rows: list[SuccessRow] = list(world.chart("success_table"))
    return [row for row in rows if not row.stand_in] or rows


def read_success(rows: Sequence[SuccessRow], die: int, column: int = 0) -> str:
    """The result of a die in a column; beyond the last column, or the last line, one reads the last."""
    columns = [row.column for row in rows]
    nearest = max(min(columns), min(max(columns), column))
    lines = [row for row in rows if row.column == nearest]
    return next((row.result for row in lines if die <= row.up_to), lines[-1].result)
