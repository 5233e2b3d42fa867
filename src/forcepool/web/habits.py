"""What a seat has ticked, seen and planned at a campaign: all that a page asks of it, found at once."""

from collections.abc import Iterable, Sequence

HABITS = (
    "select 'tick', item, '', '' from tick where who = ? and campaign = ? and moment = ? union all "
    "select 'looked', cast(entry as text), '', '' from looked where who = ? and campaign = ? union all "
    "select 'news', moment, known, shown from news where who = ? and campaign = ? union all "
    "select 'plan', '', '', '' from plan where who = ? and campaign = ? and followed = 1 union all "
    "select 'standing', state, note, since from standing where campaign = ?"
)
"""A row for each, behind the name of its kind."""


class Habits:
    """What a seat has ticked, seen and planned at a campaign, and how that stands with the host."""

    def __init__(self, rows: Iterable[Sequence[object]]) -> None:
        by_kind: dict[str, list[list[str]]] = {}
        for kind, *rest in rows:
            by_kind.setdefault(str(kind), []).append([str(each) for each in rest])
        self.ticked = {item for item, *_ in by_kind.get("tick", ())}
        entries = [entry for entry, *_ in by_kind.get("looked", ())]
        self.looked = next((int(entry) for entry in entries if entry.isdecimal()), 0)
        """The last entry someone has seen."""
        self.news = by_kind.get("news", [])
        self.follows_a_plan = "plan" in by_kind
        self.standing = next(iter(by_kind.get("standing", ())), ["", "", ""])
