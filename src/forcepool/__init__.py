"""The rear area of monster board wargames: exact, explained, undoable.

The front door for programs:

>>> import forcepool
>>> campaign = forcepool.new("smolensk")
>>> campaign.turn
'Oct 3 41'
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os

    from forcepool.door.campaign import Campaign as Campaign
    from forcepool.door.said import Option as Option
    from forcepool.door.said import Outcome as Outcome
    from forcepool.door.said import Reason as Reason
    from forcepool.door.said import Refused as Refused
    from forcepool.door.said import Task as Task
    from forcepool.door.said import Waits as Waits
    from forcepool.door.shown import Plan as Plan
    from forcepool.door.shown import Planned as Planned
    from forcepool.door.shown import Pool as Pool
    from forcepool.door.shown import Unit as Unit
    from forcepool.tables.table import Picture as Picture
    from forcepool.tables.table import Table as Table

__version__ = "0.2.0"
__all__ = [
    "Campaign",
    "Option",
    "Outcome",
    "Picture",
    "Plan",
    "Planned",
    "Pool",
    "Reason",
    "Refused",
    "Table",
    "Task",
    "Unit",
    "Waits",
    "new",
    "open",
]

_ELSEWHERE = {
    "Campaign": "forcepool.door.campaign",
    "Option": "forcepool.door.said",
    "Outcome": "forcepool.door.said",
    "Picture": "forcepool.tables.table",
    "Plan": "forcepool.door.shown",
    "Planned": "forcepool.door.shown",
    "Pool": "forcepool.door.shown",
    "Reason": "forcepool.door.said",
    "Refused": "forcepool.door.said",
    "Table": "forcepool.tables.table",
    "Task": "forcepool.door.said",
    "Unit": "forcepool.door.shown",
    "Waits": "forcepool.door.said",
}
"""Loaded when they are asked for: a command in the terminal needs few of them."""


def open(path: "str | os.PathLike[str]", *, side: str = "") -> "Campaign":
    """Open the campaign in a file, to look at or to play on for a side.

    >>> import forcepool, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "east.fp"
    ...     forcepool.new("smolensk", path).close()
    ...     with forcepool.open(path) as campaign:
    ...         print(campaign.when)
    Oct 3 41, Axis replacement phase
    """
    from forcepool.door.opening import open_file

    return open_file(path, side=side)


def new(
    scenario: "str | os.PathLike[str]",
    path: "str | os.PathLike[str] | None" = None,
    *,
    side: str = "",
    seed: int | None = None,
    house_rules: Mapping[str, str] | None = None,
) -> "Campaign":
    """Begin a campaign of a scenario that ships, or of one's own file. Without a path it is kept in memory.

    With a `seed` its dice fall the same each time.

    >>> import forcepool
    >>> forcepool.new("smolensk", seed=1).title == forcepool.new("smolensk", seed=2).title
    True
    """
    from forcepool.door.opening import begin

    return begin(scenario, path, side=side, seed=seed, house_rules=house_rules)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _ELSEWHERE:
        return getattr(import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"forcepool has no {name}")
