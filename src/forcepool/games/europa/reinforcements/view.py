"""The order of battle as a page shows it: each entry with its state, what stands in its way, and the ready order."""

from collections.abc import Iterator

from msgspec import Struct

from forcepool.engine.command import Command
from forcepool.engine.options import choice
from forcepool.engine.state import State
from forcepool.engine.verdicts import No
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.changing_places import REORGANIZE
from forcepool.games.europa.reinforcements.converting import UPGRADE, ways
from forcepool.games.europa.reinforcements.duties import ways_of
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Entry
from forcepool.orderofbattle.printing import print_lines, print_section
from forcepool.orderofbattle.words import VERBS

FUTURE, OPEN, PENDING, PART_DONE, DONE, VOID = "future", "open", "pending", "part done", "done", "void"
STATES = (OPEN, PENDING, PART_DONE, FUTURE, DONE, VOID)
MOST_WAYS = 40
"""So many ways to carry an entry out are tried before it is called pending."""


class EntryView(Struct, frozen=True):
    """One entry of the order of battle as it stands."""

    key: str
    text: str
    verb: str
    clause: str
    turn: int | None
    when: str
    """The turn it falls due, or what it waits for."""
    nation: str
    side: str
    section: str
    duty: bool
    """Whether it must be carried out, or may be."""
    state: str
    done: int
    needed: int
    reason: str
    """What stands in its way."""
    reason_clause: str
    order: Command | None
    """The order that would carry it out now."""


def order_of_battle(world: EuropaWorld, state: State, *, side: str = "") -> tuple[EntryView, ...]:
    """Every entry of a side, or of all, as listed."""
    return tuple(
        entry_view(world, state, entry)
        for entry in entries.listed(world, state)
        if side in ("", entries.side_of(world, state, entry))
    )


def entry_view(world: EuropaWorld, state: State, entry: Entry) -> EntryView:
    """One entry with its state."""
    stands, reason, order = standing(world, state, entry)
    verb = entries.verb_of(entry)
    return EntryView(
        key=entry.key,
        text=print_lines([entry])[0],
        verb=verb,
        clause=VERBS[verb].clause if verb in VERBS else "51.B/1",
        turn=entries.turn_of(world, entry),
        when=entry.turn or " and ".join(each.text for each in entry.conditions),
        nation=entries.nation_of(world, entry),
        side=entries.side_of(world, state, entry),
        section=print_section(entry),
        duty=entries.is_duty(entry),
        state=stands,
        done=entries.done(state, entry),
        needed=entries.needed(entry),
        reason=reason.whole if reason else "",
        reason_clause=reason.clause if reason else "",
        order=order,
    )


def standing(world: EuropaWorld, state: State, entry: Entry) -> tuple[str, No | None, Command | None]:
    """The state of an entry, what stands in its way, and the order that would carry it out."""
    if not entries.takes_part(world, state, entry) or not entries.counts(world, state, entry):
        return VOID, None, None
    if entries.is_done(state, entry):
        return DONE, None, None
    if not entries.has_come(world, state, entry):
        return FUTURE, None, None
    reason, order = _now(world, state, entry)
    if order is None and reason is not None and not _waits_for_its_phase(reason):
        return PENDING, reason, None
    return PART_DONE if entries.done(state, entry) else OPEN, reason, order


def _waits_for_its_phase(reason: No) -> bool:
    """Whether nothing stands in an entry's way but that its phase has not come."""
    return reason.remedy.startswith("wait for the") and reason.have is None


def _now(world: EuropaWorld, state: State, entry: Entry) -> tuple[No | None, Command | None]:
    verb = entries.verb_of(entry)
    if verb in world.game.comes_about:
        found = world.game.comes_about[verb](world, state.copy(), entry)
        return (found, None) if isinstance(found, No) else (None, None)
    first: No | None = None
    fewest: int | None = None
    for command in _ways(world, state, entry, verb):
        tried = choice(world, state, command)
        if tried.open or tried.die:
            return None, command
        # The way with the least against it says best what is wrong.
        if tried.reasons and (fewest is None or len(tried.reasons) < fewest):
            first, fewest = tried.reasons[0], len(tried.reasons)
    if first is None and verb in (*world.game.duties, REORGANIZE, UPGRADE):
        first = No("no unit that it names is where it could be carried out", clause="51.A.10/1")
    if fewest and fewest > 1 and first is not None and _waits_for_its_phase(first):
        first = No(f"{first.sentence}; and more stands in its way", clause=first.clause)
    return first, None


def _ways(world: EuropaWorld, state: State, entry: Entry, verb: str) -> Iterator[Command]:
    found: Iterator[Command] = iter(())
    if verb in world.game.duties:
        found = (each.command for each in ways_of(world, state, entry))
    elif verb in (REORGANIZE, UPGRADE):
        found = iter(ways(world, state, entry))
    for _, command in zip(range(MOST_WAYS), found, strict=False):
        yield command
