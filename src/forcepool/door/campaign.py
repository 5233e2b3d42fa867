"""A campaign for programs: open it or begin one, give orders, ask what may be done, and read it as tables."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import TracebackType

from forcepool import games
from forcepool.door.asked import Asked
from forcepool.door.giving import give
from forcepool.door.said import Option, Outcome, Refused, Task, Waits, outcome
from forcepool.engine import campaign as engine
from forcepool.engine.answers import keep_answers
from forcepool.engine.beginning import new_seed
from forcepool.engine.calendar import Turn
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.consent import AgreementNeeded
from forcepool.engine.dice import RollNeeded
from forcepool.engine.journal import MemoryJournal
from forcepool.engine.sentence import Told
from forcepool.engine.state import State
from forcepool.engine.whatif import begin_whatif
from forcepool.store.open import now
from forcepool.views.orders import from_line

Value = str | int | bool | Fraction | Sequence[str]
"""What a field of an order takes: the word one would type, or what it stands for."""


class Campaign(Asked):
    """A campaign being played, in a file or in memory.

    >>> import forcepool
    >>> campaign = forcepool.new("smolensk")
    >>> campaign.when
    'Oct 3 41, Axis replacement phase'
    >>> len(campaign.units()) > 0
    True
    """

    def __init__(self, record: engine.Campaign, *, side: str = "", path: Path | None = None) -> None:
        """`record` is the campaign inside; whoever needs more than the door offers finds it there."""
        self.record, self.path = record, path
        self.side = self._side(side) if side else ""
        keep_answers(record.world, record.state)

    # -------------------------------------------------------------------------------------- open and close

    def __enter__(self) -> "Campaign":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was recorded is safe without it.

        >>> import forcepool
        >>> forcepool.new("smolensk").close()
        """
        closes = getattr(self.record.journal, "close", None)
        if closes is not None:
            closes()

    # --------------------------------------------------------------------------------------------- playing

    def do(
        self,
        order: str | Option | Task,
        *,
        side: str = "",
        override: str = "",
        rolls: Sequence[int] = (),
        **fields: Value,
    ) -> Outcome:
        """Give an order; it is recorded, or Refused is raised with every reason.

        An order is the line one would type, or its name with the fields beside it, or an option or a task as `options`
        and `todo` list them.

        >>> import forcepool
        >>> campaign = forcepool.new("smolensk")
        >>> campaign.do("note", text="first look").entry
        2
        >>> campaign.do('note text="and a second"').entry
        3
        """
        found = give(
            self.record,
            self._order(order, fields),
            seat=self._seat(side),
            override=override,
            dice=tuple(rolls),
            dry_run=False,
        )
        if isinstance(found, AgreementNeeded):
            raise Waits(found.entry, found.seats, found.why)
        said = outcome(self.record.world, found, self.record.seq)
        if not said:
            raise Refused(said)
        return said

    def judge(
        self,
        order: str | Option | Task,
        *,
        side: str = "",
        override: str = "",
        rolls: Sequence[int] = (),
        **fields: Value,
    ) -> Outcome:
        """What would come of an order. Nothing is recorded, and no die of the campaign is thrown.

        >>> import forcepool
        >>> campaign = forcepool.new("smolensk")
        >>> bool(campaign.judge("advance"))
        True
        """
        command = self._order(order, fields)
        found = self.record.attempt(command, seat=self._seat(side), override=override, rolls=tuple(rolls))
        return outcome(self.record.world, found)

    def _order(self, order: "str | Option | Task", fields: Mapping[str, Value]) -> Command:
        text = order if isinstance(order, str) else order.order
        if not text.strip():
            raise BadCommand("this task has no order of its own; it is done on the map or by what one decides")
        return from_line(self.record.world.game, text, [f"{k}={_typed(each)}" for k, each in fields.items()])

    def _seat(self, side: str) -> str:
        seat, seats = self._side(side) if side else self.side, self.record.beginning.seats
        if seats and not seat:
            raise Told(f"this campaign has seats ({', '.join(seats)}); say for whom: side='{seats[0]}'")
        return seat

    def undo(self, to: int | None = None) -> tuple[int, ...]:
        """Take back the last order, or everything from an entry on; the entries that no longer count.

        >>> import forcepool
        >>> campaign = forcepool.new("smolensk")
        >>> entry = campaign.do("note", text="a slip").entry
        >>> campaign.undo() == (entry,)
        True
        """
        found = self.record.undo(to=to, seat=self._seat(""), when=now())
        if isinstance(found, engine.ConsentNeeded):
            raise Waits(self.record.seq, found.seats, found.why)
        return tuple(found.undo)

    def redo(self) -> tuple[int, ...]:
        """Bring back what was undone last.

        >>> import forcepool
        >>> campaign = forcepool.new("smolensk")
        >>> entry = campaign.do("note", text="no slip at all").entry
        >>> campaign.undo() == campaign.redo() == (entry,)
        True
        """
        return tuple(self.record.redo(seat=self._seat(""), when=now()).redo)

    def advance(self, to: str = "", *, phases: int = 1, rolls: Sequence[int] = ()) -> list[Outcome]:
        """End phases: one, some, or all until a turn begins. Refused where something is due first.

        >>> import forcepool
        >>> campaign = forcepool.new("smolensk")
        >>> len(campaign.advance(phases=2))
        2
        """
        if not to:
            return [self.do("advance", rolls=rolls if not each else ()) for each in range(phases)]
        last = self.record.world.calendar.parse(to).turn
        if last < self.state.clock.turn:
            raise Told(f"{to} is past: it is {self.turn}; `at` shows a campaign as it was")
        found = []
        while self.state.clock.turn < last:
            found.append(self.do("advance"))
        return found

    def play(self, turns: int = 1, *, seed: int = 1, plans: bool = False) -> int:
        """Let the bot play on for all sides, losses and all; how many entries it made. `plans` rebuilds by plans.

        >>> import forcepool
        >>> campaign = forcepool.new("smolensk", seed=1)
        >>> campaign.play(turns=1) == len(campaign) - 1
        True
        """
        from forcepool.planner.bot import Broken, play

        try:
            return sum(1 for _ in play(self.record, turns=turns, seed=seed, plans=plans))
        except (Broken, RollNeeded) as stopped:
            raise Told(f"the bot goes no further: {stopped}; do that yourself, then let it play on") from None

    # ------------------------------------------------------------------------------------- other moments

    def branch(self, seed: int | None = None) -> "Campaign":
        """A what-if in memory that stands where this one does, and goes its own way with dice of its own.

        >>> import forcepool
        >>> campaign = forcepool.new("smolensk")
        >>> other = campaign.branch(seed=1)
        >>> entry = other.do("note", text="only here").entry
        >>> len(campaign)
        1
        """
        return self._copy(self.state, seed)

    def at(self, turn: str = "", *, entry: int = 0) -> "Campaign":
        """A copy as the campaign stood when a turn ended, or once an entry was carried out.

        >>> import forcepool
        >>> campaign = forcepool.new("smolensk")
        >>> campaign.at(campaign.turn).when == campaign.when
        True
        """
        if bool(turn) == bool(entry):
            raise Told("say a turn or an entry: at('Jul 2 41') or at(entry=12)")
        if turn:
            entry = self._end_of(self.record.world.calendar.parse(turn).turn)
        if not 1 <= entry <= self.record.seq:
            raise Told(f"there is no entry {entry}; the last is {self.record.seq}")
        return self._copy(self.record.state_after(entry), 0)

    def _end_of(self, turn: Turn) -> int:
        """The last entry that counts before the turn after one begins."""
        first = self.record.beginning.state.clock.turn
        if not first <= turn <= self.state.clock.turn:
            name = self.record.world.turn_name
            raise Told(f"the campaign runs from {name(first)} to {self.turn}; {name(turn)} is not in it")
        counting = [each for each in self.record.entries() if self.record.history.counts(each) and each.at.turn <= turn]
        if turn == self.state.clock.turn or not counting:
            return self.record.seq if turn == self.state.clock.turn else 1
        # The order that ends a turn is given in it and opens the next one.
        last = counting[-1].n
        return last - 1 if self.record.state_after(last).clock.turn > turn else last

    def _copy(self, state: State, seed: int | None) -> "Campaign":
        journal = MemoryJournal()
        secret = new_seed() if seed is None else secret_of(seed)
        begin_whatif(self.record, journal, secret, state=state)
        return Campaign(engine.Campaign(journal, games.build_world, secret), side=self.side)


def secret_of(seed: int) -> bytes:
    """The secret of dice that fall the same each time."""
    return seed.to_bytes(32, "big", signed=True)


def _typed(value: Value) -> str:
    """A field's value as one would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
