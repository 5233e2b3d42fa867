"""Losses taken down many at once: what each line comes to, what is left over, and what all of them bring."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.campaign import Campaign
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.events import Event
from forcepool.engine.pasting import EVERYTHING, Choice, Line, Pasted, Reader, Sees
from forcepool.engine.state import Unit, evolve
from forcepool.engine.wording import event_said
from forcepool.engine.world import World
from forcepool.views.forcepool import PoolUnit


class LossLine(Struct, frozen=True):
    """What became of one loss: recorded with its entry, or left with the reason."""

    line: int
    column: int
    text: str
    accepted: bool
    words: tuple[str, ...] = ()
    entry: int | None = None
    """Its entry in the journal; none while it is only tried."""
    unit: str = ""
    """The unit it was understood to be about."""
    problem: str = ""
    clauses: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    """Where several units fit: what may be written instead."""


class Recorded(Struct, frozen=True):
    """A loss that was written into the journal."""

    entry: int
    events: Sequence[Event]


class NotRecorded(Struct, frozen=True):
    """A loss that was understood but not taken."""

    problem: str
    clauses: tuple[str, ...] = ()


Give = Callable[[Command], Recorded | NotRecorded]
"""How a face gives an order."""


LONGEST_TEXT, MOST_LOSSES, MOST_A_LINE = 40_000, 200, 20
"""Letters and losses that are read at a time, and losses on one line with commas between."""
A_PIECE = 5
"""Losses that are tried in one go: on a map each of them may cut lines of supply, and all are traced again."""


def read_losses(campaign: Campaign, text: str, seat: str = "", sees: Sees = EVERYTHING) -> Pasted:
    """The losses in a text, as the campaign's game reads them; nothing is recorded."""
    return _reader(campaign, text)(campaign.world, campaign.state, text, seat, sees)


def read_in_pieces(campaign: Campaign, text: str, seat: str = "", sees: Sees = EVERYTHING) -> Iterator[Pasted]:
    """The same a few losses at a time, so that others have their turn in between; the last tells what all bring."""
    reader, state = _reader(campaign, text), campaign.state
    lines, start, done = text.removeprefix("\ufeff").splitlines(), 0, tuple[Line, ...]()
    while start < len(lines) or not start:
        stop, losses = start, 0
        while stop < len(lines) and (stop == start or losses + lines[stop].count(",") < A_PIECE):
            losses += lines[stop].count(",") + bool(lines[stop].strip())
            stop += 1
        pasted = reader(campaign.world, state, "\n".join(lines[start:stop]), seat, sees)
        done += tuple(replace(each, number=each.number + start) for each in pasted.lines)
        events = [event for each in pasted.lines for event in each.events]
        state, start = evolve(state.copy(), events) if events else state, max(stop, 1)
        yield replace(pasted, lines=done)


def _reader(campaign: Campaign, text: str) -> Reader:
    reader = campaign.world.game.pastes
    if reader is None:
        raise BadCommand(f"{campaign.world.game.title} takes no pasted losses; give its own command for a loss")
    counts = [line.count(",") + 1 for line in text.splitlines() if line.strip()]
    if len(text) > LONGEST_TEXT or sum(counts) > MOST_LOSSES:
        raise BadCommand(f"that is too much at once; give at most {MOST_LOSSES} losses at a time")
    if max(counts, default=0) > MOST_A_LINE:
        raise BadCommand(f"give at most {MOST_A_LINE} losses on one line")
    return reader


def tried(world: World, line: Line) -> LossLine:
    """What would become of a line."""
    unit = str(getattr(line.command, "unit", ""))
    if not line.taken:
        at = (line.number, line.column, line.text)
        return LossLine(
            *at, accepted=False, unit=unit, problem=line.problem, clauses=line.clauses, choices=line.choices
        )
    return _accepted(world, line, line.events, None)


def taken(world: World, line: Line, give: Give) -> LossLine:
    """Record a line, or say what is wrong with it."""
    if line.command is None or not line.taken:
        return tried(world, line)
    given = give(line.command)
    if isinstance(given, Recorded):
        return _accepted(world, line, given.events, given.entry)
    unit = str(getattr(line.command, "unit", ""))
    at = (line.number, line.column, line.text)
    return LossLine(*at, accepted=False, unit=unit, problem=given.problem, clauses=given.clauses)


def _accepted(world: World, line: Line, events: Iterable[Event], entry: int | None) -> LossLine:
    return LossLine(
        line.number,
        line.column,
        line.text,
        accepted=True,
        words=tuple(event_said(world, event) for event in events),
        entry=entry,
        unit=str(getattr(line.command, "unit", "")),
    )


def lower_steps(unit: Unit | PoolUnit) -> tuple[str, ...]:
    """The steps a unit can go down to, short of elimination."""
    steps = unit.spec.steps
    return steps[steps.index(unit.step) + 1 :] if unit.step in steps else ()


def left_over(lines: Iterable[LossLine]) -> str:
    """What was not taken, as it was written, to be put right and tried again."""
    listed = list(lines)
    part_taken = {(each.line, each.text) for each in listed if each.accepted}
    rows: dict[int, list[str]] = {}
    for each in listed:
        if not each.accepted:
            # Of '2x 4-6 Inf XX' the one that is left is named, since two no longer show it.
            text = each.unit if each.unit and (each.line, each.text) in part_taken else each.text
            row = rows.setdefault(each.line, [])
            row += [text] if text not in row else []
    return "\n".join(", ".join(row) for row in rows.values())
