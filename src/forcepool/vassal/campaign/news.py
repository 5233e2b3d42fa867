"""What lies otherwise in VASSAL than in the campaign: news since it last looked, and what nobody can tell."""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.places import Place
from forcepool.engine.state import State, Unit
from forcepool.engine.units import STEPS
from forcepool.vassal.campaign.counters import Seen, Table, look
from forcepool.vassal.campaign.matchfile import NOBODY, Matched
from forcepool.vassal.campaign.matching import entry_of, meant_by
from forcepool.vassal.campaign.places import Laid
from forcepool.vassal.campaign.seen import Look, Looks
from forcepool.vassal.campaign.steps import step_of
from forcepool.vassal.module import Module
from forcepool.vassal.save import Save
from forcepool.views.names import natural

NOT_KNOWN = "the match file does not know this counter"


class Lies(Struct, frozen=True):
    """How a unit lies in VASSAL."""

    unit: str
    at: str
    """As the match file calls it."""
    place: Laid | None
    step: str
    """Nothing if that cannot be told."""
    left_out: bool = False
    """The match file says that what lies there is no business of the campaign's."""
    by: str = ""
    """Whoever moved it last, as far as a log tells."""

    def is_as(self, look: Look | None) -> bool:
        """Whether it lies as it did at an earlier look."""
        return look is not None and (look.at, look.step) == (self.at, self.step)


class Unclear(Struct, frozen=True):
    """What cannot be compared, and why."""

    what: str
    why: str


class Read(Struct, frozen=True):
    """A save as it bears on the campaign."""

    lies: dict[str, Lies]
    unclear: tuple[Unclear, ...]
    hidden: int


def lying(state: State, table: Table, matched: Matched) -> Read:
    """Where each matched unit lies; of several counters that are one unit, none is believed."""
    found: dict[str, list[tuple[Seen, Lies]]] = {}
    unclear = []
    for seen in table.seen:
        meant = meant_by(seen, matched)
        if meant is None:
            if not entry_of(seen, matched):
                unclear.append(Unclear(seen.key, NOT_KNOWN))
            continue
        unit = state.units[meant.unit]
        lies = Lies(
            unit.id,
            seen.at,
            matched.places.get(seen.at),
            step_of(seen, meant, unit, matched),
            left_out=matched.written.places.get(seen.at) == NOBODY,
        )
        if seen.at or not meant.step:
            found.setdefault(unit.id, []).append((seen, lies))
    certain: dict[str, Lies] = {}
    for unit_id, listed in found.items():
        if len(listed) > 1:
            names = " and ".join(sorted(seen.key for seen, _ in listed))
            unclear.append(Unclear(unit_id, f"several counters are this unit: {names}"))
            continue
        certain[unit_id] = listed[0][1]
    return Read(certain, tuple(sorted(unclear, key=lambda each: (each.why, each.what))), table.hidden)


class News(Struct, frozen=True):
    """One unit that lies otherwise in VASSAL than in the campaign."""

    unit: Unit
    lies: Lies
    moved: bool
    """It lies elsewhere."""
    turned: int
    """Steps it has gone down; less than nought if it has gone up."""


def compare(unit: Unit, lies: Lies) -> News | None:
    """The difference between a unit in the campaign and in VASSAL."""
    gone_down = STEPS.index(lies.step) - STEPS.index(unit.step) if lies.step else 0
    elsewhere = lies.place is not None and not _same(unit, lies.place)
    return News(unit, lies, elsewhere, gone_down) if elsewhere or gone_down else None


def _same(unit: Unit, place: Laid) -> bool:
    return unit.place == place if isinstance(place, Place) else not unit.place.on_map


def news(state: State, read: Read, last: Looks) -> Iterator[News]:
    """What has changed in VASSAL since the campaign last looked, and is not so in the campaign."""
    for unit_id, lies in _in_order(read):
        if not lies.is_as(last.get(unit_id)) and (found := compare(state.units[unit_id], lies)):
            yield found


def looks(state: State, read: Read, last: Looks, entries: Mapping[str, int]) -> Looks:
    """How the units lie that are the same in both; the others stay news. `entries` made some of them so."""
    found = dict(last)
    for unit_id, lies in read.lies.items():
        if compare(state.units[unit_id], lies) is None and not lies.is_as(last.get(unit_id)):
            found[unit_id] = Look(lies.at, lies.step, entries.get(unit_id, 0))
    return found


def _in_order(read: Read) -> list[tuple[str, Lies]]:
    return sorted(read.lies.items(), key=lambda each: natural(each[0]))


def unknown_spots(read: Read) -> Iterator[Unclear]:
    """Units that lie where the match file knows no place, or whose step cannot be told."""
    for unit_id, lies in _in_order(read):
        if not lies.at:
            yield Unclear(unit_id, "it lies on no map")
        elif lies.place is None and not lies.left_out:
            yield Unclear(unit_id, f"the match file knows no place for '{lies.at}'")
        if not lies.step:
            yield Unclear(unit_id, "the match file does not tell what step it shows")


def in_their_order(save: Save, module: Module | None, matched: Matched, side: str, found: list[News]) -> list[News]:
    """News from a log in the order in which it came about, each with whoever brought it about last."""
    table = {seen.piece.id: seen for seen in look(save, module, side).seen}
    last: dict[str, tuple[int, str]] = {}
    for step in save.steps:
        for change in step.changes:
            seen = table.get(change.piece)
            if seen and (meant := meant_by(seen, matched)):
                last[meant.unit] = (step.number, change.by or step.by or last.get(meant.unit, (0, ""))[1])
    ordered = sorted(found, key=lambda each: (last.get(each.unit.id, (0, ""))[0], each.unit.id))
    who = {unit: by for unit, (_, by) in last.items()}
    return [replace(each, lies=replace(each.lies, by=who.get(each.unit.id, ""))) for each in ordered]
