"""The turn: where play stands, what it asks of a side, and what others have done since one last looked."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from forcepool.engine.acts import numbers_in_words, order_in_words
from forcepool.engine.agenda import ORDER, Item, agenda
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import Command
from forcepool.engine.game import TaskWords
from forcepool.engine.sentence import plain
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.views.deeds import deeds
from forcepool.views.journal import EntryLine, entry_lines, title_of
from forcepool.views.names import natural

# ---------------------------------------------------------------------------------------------- the checklist


class AgendaLine(Struct, frozen=True):
    """One line of the checklist, with the order that would do it where one is ready."""

    kind: str
    text: str
    clause: str
    side: str
    order: Command | None = None
    when: int = 0
    """The turn it tells of, where lines of one clause go by turns."""

    @property
    def command(self) -> str:
        """The order as one would type it; empty where there is none."""
        return order_in_words(self.order) if self.order is not None else ""


class AgendaGroup(Struct, frozen=True):
    """The lines of one kind under one clause."""

    kind: str
    clause: str
    title: str
    """The clause's title."""
    lines: tuple[AgendaLine, ...]


def agenda_line(item: Item) -> AgendaLine:
    """An item of the agenda in words."""
    return AgendaLine(item.kind, item.sentence, item.clause, item.side, item.command, item.when)


def agenda_lines(world: World, state: State, *, side: str = "") -> tuple[AgendaLine, ...]:
    """The whole checklist, or one side's, the most pressing first."""
    return tuple(agenda_line(item) for item in agenda(world, state, side=side))


def grouped(lines: Iterable[AgendaLine], called: Mapping[str, TaskWords] | None = None) -> tuple[AgendaGroup, ...]:
    """The lines gathered by kind and clause, in the order in which these first appear; 2 Inf XX before 10 Inf XX.

    A group is called as the clause is, or as players call the task.
    """
    called = called or {}
    groups: dict[tuple[str, str], list[AgendaLine]] = {}
    for line in lines:
        groups.setdefault((line.kind, line.clause), []).append(line)
    for group in groups.values():
        group.sort(key=lambda line: (line.side, line.when, natural(plain(line.text))))
    return tuple(
        AgendaGroup(
            kind, clause, called[clause].title if clause and clause in called else title_of(clause), tuple(group)
        )
        for (kind, clause), group in groups.items()
    )


# ------------------------------------------------------------------------------------------------- the moment


class PhaseMark(Struct, frozen=True):
    """One phase of the turn, and whether play has passed it, is in it, or has yet to come to it."""

    player: str
    phase: str
    stands: str


PASSED, NOW, TO_COME = "passed", "now", "to come"


class TurnView(Struct, frozen=True):
    """Where a campaign stands and what it asks."""

    campaign: str
    game: str
    when: str
    turn: str
    number: int
    """The turn as the calendar counts it."""
    player: str
    phase: str
    phases: tuple[PhaseMark, ...]
    seats: tuple[str, ...]
    groups: tuple[AgendaGroup, ...]
    entries: int
    """The number of the last entry."""

    def of_kind(self, kind: str) -> tuple[AgendaGroup, ...]:
        """The groups that are due, lapse, are open or are news."""
        return tuple(group for group in self.groups if group.kind == kind)

    @property
    def counts(self) -> dict[str, int]:
        """How many lines of each kind there are."""
        return {kind: sum(len(group.lines) for group in self.of_kind(kind)) for kind in ORDER}


def turn_view(campaign: Campaign, *, side: str = "") -> TurnView:
    """The present turn, with the checklist of one side or of all."""
    world, state = campaign.world, campaign.state
    return TurnView(
        campaign=campaign.beginning.title,
        game=world.game.title,
        when=world.when(state),
        turn=world.turn_name(state.clock.turn),
        number=state.clock.turn,
        player=world.phasing(state),
        phase=world.phase(state),
        phases=phases(world, state),
        seats=tuple(campaign.beginning.seats),
        groups=grouped(agenda_lines(world, state, side=side), world.game.tasks),
        entries=campaign.seq,
    )


def phases(world: World, state: State) -> tuple[PhaseMark, ...]:
    clock, sequence = state.clock, world.sequence
    marks = []
    for index, player in enumerate(sequence.players):
        # A player-turn is played out in the order it began in; those to come follow the house rule of the moment.
        order = clock.order if index <= clock.player else world.order_of_phases(state)
        for phase, name in enumerate(map(sequence.phase_name, sequence.phases_of(index, order))):
            here, there = (clock.player, clock.phase), (index, phase)
            marks.append(PhaseMark(player, name, NOW if here == there else PASSED if there < here else TO_COME))
    return tuple(marks)


# ------------------------------------------------------------------------------------------- since last looked


class SeatNews(Struct, frozen=True):
    """What one seat has done: a sentence, and the entries behind it."""

    seat: str
    """Empty where one person plays all sides."""
    sentence: str
    entries: tuple[int, ...]


class Since(Struct, frozen=True):
    """What changed after an entry."""

    first: int
    last: int
    seats: tuple[SeatNews, ...]
    lines: tuple[EntryLine, ...]


def since(campaign: Campaign, entry: int, *, seat: str = "") -> Since:
    """What has been done after entry N; with a seat, only what others did."""
    lines = tuple(line for line in entry_lines(campaign, first=entry + 1) if not seat or line.seat != seat)
    by_seat: dict[str, list[EntryLine]] = {}
    for line in lines:
        by_seat.setdefault(line.seat, []).append(line)
    news = tuple(
        SeatNews(name, _in_a_sentence(name, group), tuple(line.entry for line in group))
        for name, group in sorted(by_seat.items())
    )
    return Since(entry + 1, campaign.seq, news, lines)


def _in_a_sentence(seat: str, lines: list[EntryLine]) -> str:
    """'Soviet: took 14 losses, held 3 drafts; overruled the rules in entry 1204; entries 7 and 8 undone since.'"""
    standing = [line for line in lines if not line.undone]
    parts = [deeds(line.command.partition(" ")[0] for line in standing)]
    overruled = [line.entry for line in standing if line.overruled]
    if overruled:
        parts.append(f"overruled the rules in {numbers_in_words(overruled)}")
    undone = [line.entry for line in lines if line.undone]
    if undone:
        parts.append(f"{numbers_in_words(undone)} undone since")
    return f"{seat or 'all sides'}: {'; '.join(part for part in parts if part)}."
