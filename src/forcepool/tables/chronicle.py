"""The journal read once from end to end: the events of some kinds that count, with the moment each happened."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Union, get_args

import msgspec
from msgspec import Raw, Struct

from forcepool.engine import codec
from forcepool.engine.calendar import Clock, Turn
from forcepool.engine.campaign import Campaign
from forcepool.engine.events import AnyEvent, Event, PhaseBegan
from forcepool.engine.world import World


class _Named(Struct, frozen=True):
    command: str = ""


_NAMED = msgspec.json.Decoder(_Named | None)


class Act(Struct, frozen=True):
    """Of an entry only what tables ask for: most of a journal need not be made into objects to count points."""

    n: int
    do: Raw = Raw(b"null")
    events: list[Any] = []

    @property
    def order(self) -> str:
        """The name of the order."""
        found = _NAMED.decode(bytes(self.do))
        return found.command if found is not None else ""


class Happened(Struct, frozen=True, gc=False):
    """One event of the record."""

    act: Act
    at: Clock
    event: Event


def happened(campaign: Campaign, *kinds: type[Event]) -> Iterator[Happened]:
    """What happened of some kinds and still counts, first to last."""
    wanted = tuple(kinds)
    reader = _reader((*wanted, PhaseBegan) if PhaseBegan not in wanted else wanted)
    now, undone = campaign.beginning.state.clock, campaign.history.undone
    for sealed in campaign.journal.read(2, campaign.seq + 1):
        act: Act = reader.decode(sealed.body)
        if act.n in undone:
            continue
        for event in act.events:
            if isinstance(event, PhaseBegan):
                now = event.clock
            if isinstance(event, wanted):
                yield Happened(act, now, event)


@cache
def _reader(kinds: tuple[type[Event], ...]) -> "msgspec.json.Decoder[Any]":
    """Reads entries with these events; of the others it sees that they are there, and passes on."""
    others = [each for each in get_args(AnyEvent) if each not in kinds]
    passed = [msgspec.defstruct(f"Passed{each.__name__}", [], tag_field="event", tag=tag_of(each)) for each in others]
    # The members are known only when it runs.
    of_interest: Any = Union.__getitem__((*kinds, *passed))
    brief = msgspec.defstruct("Brief", [("events", list[of_interest], [])], bases=(Act,), frozen=True)
    return codec.decoder(brief)


def tag_of(event: type[Event]) -> str:
    """The word for an event in the journal."""
    return str(event.__struct_config__.tag)


class Moment(Struct, frozen=True):
    """A moment of play as tables have it."""

    turn: str
    number: int
    month: str
    player: str
    phase: str


class Moments:
    """The moments of a campaign by its clock, each put into words once."""

    def __init__(self, world: World, first: int) -> None:
        self._world, self._first = world, first
        self._found: dict[Clock, Moment] = {}

    def __getitem__(self, clock: Clock) -> Moment:
        if clock not in self._found:
            calendar, sequence, turn = self._world.calendar, self._world.sequence, Turn(clock.turn)
            self._found[clock] = Moment(
                calendar.name(turn),
                turn - self._first + 1,
                f"{calendar.year(turn)}-{calendar.month(turn):02}",
                sequence.players[clock.player],
                sequence.phase_at(clock),
            )
        return self._found[clock]
