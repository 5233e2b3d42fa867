"""The plans of a seat: kept beside the campaigns, its own, the one it follows and those it holds against it."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine import codec
from forcepool.engine.command import Command, command_name
from forcepool.store.errors import CampaignFileError
from forcepool.views.saved_plan import (
    GIVEN,
    LATER,
    NOW,
    Line,
    Progress,
    SavedOrder,
    SavedPlan,
    Shown,
    given_since,
    lines,
    progress,
)
from forcepool.web.here import Here
from forcepool.web.jobs import Job

MOST = 6
"""Plans that a seat keeps for a campaign; the oldest makes room."""
_shown = codec.decoder(Shown)


class Kept(Struct, frozen=True):
    """A plan that a seat keeps."""

    id: int
    entry: int
    """The last entry of the journal when it was made."""
    followed: bool
    shown: Shown


def keeps(it: Here) -> Callable[[Job], None]:
    """Who keeps the plan that a job of this seat makes."""
    registry, who, name = it.registry, it.who, it.table.name

    def keep(job: Job) -> None:
        # Where it cannot be kept, the page says that there is no plan, and it is made again.
        with suppress(CampaignFileError, OSError):
            if job.file is not None and job.result is not None:
                registry.keep_plan(who, name, int(job.result.found.get("seq", 0)), job.file.read_bytes(), MOST)

    return keep


def keep(it: Here, shown: Shown) -> int:
    """Keep a plan that was brought from elsewhere."""
    return it.registry.keep_plan(it.who, it.table.name, it.table.seq, codec.encode(shown), MOST)


def plans(it: Here) -> list[Kept]:
    """The plans of a seat, the newest first; in a what-if also those of the campaign itself."""
    own = _read(it, it.table.name)
    return [*own, *_read(it, it.of)] if it.in_whatif else own


def followed(it: Here) -> Kept | None:
    """The plan that a seat follows, or has made last."""
    for name in dict.fromkeys((it.table.name, it.of)):
        for found in _read(it, name, followed=True):
            return found
    return None


def text_of(it: Here, number: str = "") -> str:
    """A plan of a seat for the process that makes it again: the one of that number, else the one followed."""
    numbered = next((each for each in plans(it) if str(each.id) == number), None)
    found = numbered or followed(it)
    return codec.encode(found.shown.saved).decode() if found is not None else ""


def _read(it: Here, name: str, *, followed: bool = False) -> list[Kept]:
    rows = it.registry.plans(it.who, name, followed=followed)
    found = [(id_, entry, _decoded(body), marked) for id_, entry, body, marked in rows]
    return [Kept(id_, entry, marked, shown) for id_, entry, shown, marked in reversed(found) if shown is not None]


@lru_cache(maxsize=64)
def _decoded(body: bytes) -> Shown | None:
    """A plan as it was kept; the turn page asks for it every time. None for one that today's program cannot read."""
    try:
        found: Shown = _shown.decode(body)
    except msgspec.MsgspecError:
        return None
    return found


# ------------------------------------------------------------------------------------- on the turn page


class OnTheBoard(Struct, frozen=True):
    """What a plan says on the turn page: how far it is, and which lines it means."""

    progress: Progress
    given: int
    """Of the orders of this phase, those that were given …"""
    phase: int
    """… and how many there are."""
    due: tuple[SavedOrder, ...]
    """Those that are still to be given."""
    marks: Mapping[tuple[str, str], str]
    """By unit and command, when the plan has it: in this phase, or on a turn."""

    @property
    def key(self) -> tuple[tuple[tuple[str, str], str], ...]:
        """What sets a board with these marks apart from another."""
        return tuple(sorted(self.marks.items()))

    def mark(self, unit: str, order: Command | None) -> str:
        """What the plan says of a line of the checklist; empty for what it does not mean."""
        return self.marks.get((unit, command_name(type(order))), "") if order is not None else ""


def standing(it: Here, plan: SavedPlan) -> list[Line]:
    """How it stands with each order of a plan in the campaign."""
    given = it.table.kept(("given since", plan.after), lambda: given_since(it.campaign, plan))
    return lines(it.world, it.state, plan, given)


def on_the_board(it: Here) -> OnTheBoard | None:
    """The plan that a seat follows, as it stands; None without one."""
    kept = followed(it) if it.habits.follows_a_plan or it.in_whatif else None
    if kept is None:
        return None
    stands = standing(it, kept.shown.saved)
    now = replace(it.state.clock, order=0)
    phase = [each for each in stands if each.order.at == now]
    due = tuple(each.order for each in phase if each.stands == NOW)
    given = sum(each.stands == GIVEN for each in phase)
    return OnTheBoard(progress(it.state, stands), given, len(phase), due, _marks(it, stands))


THIS_PHASE = "this phase"


def _marks(it: Here, stands: list[Line]) -> dict[tuple[str, str], str]:
    """The next that a plan has for each unit."""
    found: dict[tuple[str, str], str] = {}
    for each in stands:
        order = each.order
        if order.unit and each.stands in (NOW, LATER):
            when = THIS_PHASE if each.stands == NOW else it.world.turn_name(order.turn)
            found.setdefault((order.unit, order.says.partition(" ")[0]), when)
    return found
