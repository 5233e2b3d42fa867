"""The tables that a campaign can be asked for."""

from collections.abc import Callable

from forcepool.engine.campaign import Campaign
from forcepool.engine.sentence import Told
from forcepool.tables.points import POINTS
from forcepool.tables.reader import Reader, Source
from forcepool.tables.record import RECORD
from forcepool.tables.table import Table
from forcepool.tables.units import UNITS
from forcepool.views.near import did_you_mean

TABLES: dict[str, Source] = {**POINTS, **UNITS, **RECORD}


def table(campaign: Campaign, name: str, progress: Callable[[int, int], None] = lambda done, of: None) -> Table:
    """One table of a campaign."""
    if name not in TABLES:
        raise Told(f"there is no table '{name}'; {did_you_mean(name, TABLES)}")
    source = TABLES[name]
    return Table(name, source.about, source.columns, tuple(source.rows(Reader(campaign, progress))))
