"""What the campaign saw when it last looked at VASSAL, so that only what has changed there since is news."""

from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec

from forcepool.files.disk import whole_text

ENDING = ".vassal.seen"


class Look(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a unit lay in VASSAL while it was the same in the campaign."""

    at: str
    """As the match file calls it."""
    step: str
    entry: int = 0
    """The first of the entries by which it became the same; none if it was so before."""


Looks = dict[str, Look]
"""By unit."""


def beside(campaign: str | Path) -> Path:
    """Where a campaign's looks lie: 'east.fp.vassal.seen' beside 'east.fp'."""
    return Path(f"{campaign}{ENDING}")


def read_seen(path: Path, undone: Collection[int] = ()) -> Looks:
    """What still holds: a look that was taken over by entries which were undone since is none.

    If there is no such file, or it is damaged, the campaign never looked, and everything is news.
    """
    try:
        looks = msgspec.json.decode(path.read_bytes(), type=Looks)
    except (OSError, msgspec.DecodeError):
        return {}
    return {unit: look for unit, look in looks.items() if look.entry not in undone}


def write_seen(path: Path, looks: Mapping[str, Look]) -> None:
    with whole_text(path) as file:
        file.write(msgspec.json.format(msgspec.json.encode(dict(sorted(looks.items())))).decode() + "\n")
