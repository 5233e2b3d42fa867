"""Who sits at the table, and what each seat sees and does: the one place where that is decided.

A seat sees its own units, pools, checklist and entries. What it does not see does not exist for it: asking for it gives
the same answer as asking for something that was never there.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from forcepool.engine import codec
from forcepool.engine.agenda import Item
from forcepool.engine.command import BadCommand, Command, command_name
from forcepool.engine.desk import Advance, HouseRule, Note
from forcepool.engine.events import (
    AnyEvent,
    Became,
    Event,
    Marked,
    Moved,
    Noted,
    Overruled,
    PhaseBegan,
    Raised,
    Rolled,
    SwitchSet,
    Transferred,
)
from forcepool.engine.journal import Entry
from forcepool.engine.ledger import Account, is_pool
from forcepool.engine.messages import may_read
from forcepool.engine.sentence import UNIT, Part, kept, pools_in
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import Refusal
from forcepool.engine.world import World
from forcepool.views.unit import Reason
from forcepool.web.chair import OBSERVER, SEES_ALL, Seat

TOO_DEAR = "it costs more than there is in a pool that is not the front's"
NO_UNIT = "there is no unit '{}'; 'Force pool' lists them"
STAND_IN = "\u02b9"
"""After a name, where it must be one that no unit has: a letter that no name has."""
UNSEEN = "a unit you do not see"
LONGEST_NAME = 8
"""Words that a unit's name has at most."""
AROUND_NAMES = ".,;:!?()[]'\"‘’“”"
_UNKNOWN_UNIT = re.compile(r"there is no unit '(?P<name>.*?)'; ")


class Forbidden(Exception):
    """The seat may not do this; the message says whose it is."""


class Sight:
    """What one seat sees of a campaign at this moment, and what it may do."""

    def __init__(self, seat: Seat, world: World, state: State) -> None:
        self.seat, self.world, self.state = seat, world, state
        self.all = seat.role in SEES_ALL or (seat.role == OBSERVER and not seat.side)

    # ------------------------------------------------------------------------------------------- seeing

    def nation(self, nation: str) -> bool:
        return self.all or self.world.side_now(self.state, nation) == self.seat.side

    def unit(self, unit: Unit) -> bool:
        if self.all:
            return True
        return self.nation(unit.spec.nation) and self._of_the_front(self.world.areas_of(unit, self.state))

    def account(self, account: Account) -> bool:
        if self.all:
            return True
        return self.nation(account.nation) and self._of_the_front(self.world.areas_of_pool(account.pool))

    def side(self, side: str) -> bool:
        """Whether something of a side, or of no side, is this seat's to see."""
        return self.all or side in ("", self.seat.side)

    def item(self, item: Item) -> bool:
        """Whether a line of the checklist is this seat's."""
        if not self.side(item.side):
            return False
        return not self.seat.front or (item.command is not None and self._names_only_its_own(item.command))

    def holds(self, place: str, owner: str) -> bool:
        """Whether a place is the seat's own, so that what lies there is its to know."""
        if self.all:
            return True
        return owner == self.seat.side and self._of_the_front(self.world.areas_of_subject(f"place/{place}"))

    def near(self, area: str) -> bool:
        """Whether an area is the seat's: every one is, unless it commands a front."""
        return self._of_the_front(self.world.areas_of_subject(f"area/{area}"))

    def veiled(self, sentence: str, given: Collection[str] = ()) -> str:
        """A sentence of the rules without the names of hidden units, such as the one whose zone cuts a line.

        Names that the seat itself has given stay: leaving them out would tell that there is such a unit.
        """
        return sentence if self.all else kept(sentence, lambda part: self._may_read(part, given), UNSEEN)

    def _may_read(self, part: Part, given: Collection[str]) -> bool:
        if part.kind != UNIT or part.name in given:
            return True
        unit = self.state.units.get(part.name)
        return unit is None or self.unit(unit)

    def veiled_note(self, text: str) -> str:
        """What another player wrote, without the names of units that the seat does not see."""
        if self.all:
            return text
        words, found, at = text.split(" "), [], 0
        while at < len(words):
            count, said = self._named_at(words, at)
            found.append(said)
            at += count
        return " ".join(found)

    def _named_at(self, words: list[str], at: int) -> tuple[int, str]:
        """The longest name of a unit that begins at a word, left out if the seat does not see it; or the word."""
        for count in range(min(LONGEST_NAME, len(words) - at), 0, -1):
            phrase = " ".join(words[at : at + count])
            for name in (phrase, phrase.strip(AROUND_NAMES), phrase.strip(AROUND_NAMES).removesuffix("'s")):
                unit = self.state.units.get(name)
                if unit is not None:
                    return count, phrase if self.unit(unit) else phrase.replace(name, UNSEEN)
        return 1, words[at]

    def shown(self, entry: Entry) -> Entry | None:
        """An entry as far as the seat sees it; None where it only learns that there is one.

        A new phase brings things about for every side, so of that each sees its own part.
        """
        if not self._may_read_message(entry):
            return None
        if self.all or not entry.events:
            return entry
        if any(isinstance(event, PhaseBegan) for event in entry.events):
            return replace(entry, events=[event for event in entry.events if self.event(event)])
        return entry if self.entry(entry) else self._open_to_all(entry)

    def _open_to_all(self, entry: Entry) -> Entry | None:
        """What everybody is told of another's order: that it set a rule aside, and dice that were entered by hand."""
        told: list[AnyEvent] = []
        for event in entry.events:
            if isinstance(event, Overruled):
                told.append(replace(event, note=self.veiled_note(event.note), says=""))
            elif isinstance(event, Rolled) and event.by_hand:
                told.append(replace(event, says=""))
        return replace(entry, do=Raw(b"null"), allowed=[], events=told) if told else None

    def entry(self, entry: Entry) -> bool:
        """Whether all that an entry did is the seat's own."""
        if not self._may_read_message(entry):
            return False
        if self.all or not entry.events:
            return True
        if entry.seat == self.seat.side and not self.seat.front:
            return True
        if entry.seat not in ("", self.seat.side):
            return False
        if self.seat.front and any(isinstance(event, Noted) for event in entry.events):
            # A side's notes are its own player's; the commander of a front reads those he wrote.
            return bool(self.seat.name) and entry.by == self.seat.name
        # Without a seat it was the host's or the referee's doing, or is from before there were seats.
        return all(self.event(each) for each in entry.events)

    def _may_read_message(self, entry: Entry) -> bool:
        """A side reads what it is written and what is written from it; those who see everything read all."""
        return self.all or may_read(entry, self.seat.side)

    def event(self, event: Event) -> bool:
        """Whether everything an event touches is the seat's own, or is open to all."""
        if self.all:
            return True
        if isinstance(event, Transferred):
            return all(self.account(Account(pool, event.nation, event.kind)) for pool in (event.frm, event.to))
        if isinstance(event, Moved | Became):
            unit = self.state.units.get(event.unit)
            return unit is not None and self.unit(unit)
        if isinstance(event, Raised):
            return self.unit(Unit(event.unit, event.spec, event.at, event.step))
        if isinstance(event, Marked):
            return self._subject(event.on)
        return True

    def _subject(self, on: str) -> bool:
        kind, _, name = on.partition("/")
        if kind == "unit":
            unit = self.state.units.get(name)
            return unit is not None and self.unit(unit)
        if kind == "nation":
            return self.nation(name) and not self.seat.front
        if (side := self.world.side_of_subject(self.state, on)) is not None:
            return side == self.seat.side and not self.seat.front
        return self._has_the_turn() and self._of_the_front(self.world.areas_of_subject(on))

    def _of_the_front(self, areas: Iterable[str] | None) -> bool:
        """`None` is what lies in no area, such as a source of points."""
        return not self.seat.front or areas is None or self.seat.front in areas

    def _has_the_turn(self) -> bool:
        return self.world.phasing(self.state) == self.seat.side

    def reason(self, reason: Reason, command: Command | None = None) -> Reason:
        """Why not, without the names of hidden units, or a remedy that tells a front what other pools hold."""
        if self.all:
            return reason
        if self.seat.front and any(pool in self._hidden_pools for pool in pools_in(reason.remedy)):
            reason = replace(reason, remedy="", sentence=reason.says)
        if self._is_hidden(reason.have):
            reason = replace(reason, says=TOO_DEAR, remedy="", sentence=TOO_DEAR, have=None, need=None, gap=None)
        given = set(texts_in(command))
        seen = [name for name in reason.units if name not in self.state.units or self.unit(self.state.units[name])]
        return replace(
            reason,
            says=self.veiled(reason.says, given),
            remedy=self.veiled(reason.remedy, given),
            sentence=self.veiled(reason.sentence, given),
            units=tuple(seen),
        )

    def _is_hidden(self, have: Fraction | None) -> bool:
        """Whether a number is what a pool holds that the commander of a front does not see, and none that he does."""
        return bool(self.seat.front and have) and have in self._hidden_balances

    @cached_property
    def _hidden_balances(self) -> set[Fraction]:
        seen: dict[bool, set[Fraction]] = {True: set(), False: set()}
        for account, balance in self.state.balances.items():
            seen[self.account(account)].add(balance)
        return seen[False] - seen[True]

    @cached_property
    def _hidden_pools(self) -> set[str]:
        return {each.pool for each in self.state.balances if is_pool(each.pool) and not self.account(each)}

    # -------------------------------------------------------------------------------------------- doing

    def may_order(self, command: Command) -> None:
        """Forbidden unless the seat may give such a command, and about such units; asked before any rule is."""
        self.may_give(command)
        if self.seat.role in SEES_ALL or isinstance(command, Note):
            return
        for name in self._hidden_units(command):
            raise Forbidden(NO_UNIT.format(name))

    def may_give(self, command: Command) -> None:
        """Forbidden unless the seat may give such a command at all."""
        if not self.seat.acts:
            raise Forbidden("an observer watches and does nothing; ask the referee for a seat")
        if self.seat.role in SEES_ALL or isinstance(command, Note):
            return
        if type(command).referee or isinstance(command, HouseRule):
            raise Forbidden(f"{command_name(command)} is for the referee; ask them to do it")
        if self.seat.front and type(command).whole_side:
            raise Forbidden(f"{command_name(command)} is for the whole side; ask {self.seat.side}'s own player")
        if isinstance(command, Advance) and (self.seat.front or not self._has_the_turn()):
            whose = self.world.phasing(self.state)
            raise Forbidden(f"it is {whose}'s player-turn: only {whose} ends its phases")

    def without_hidden_units(self, command: Command) -> Command:
        """The command with every hidden unit's name made one that no unit has; itself where it names none."""
        if self.seat.role in SEES_ALL or isinstance(command, Note):
            return command
        hidden = set(self._hidden_units(command))
        if not hidden:
            return command
        data = _renamed(json.loads(codec.encode(command)), hidden)
        return msgspec.convert(data, type(command), dec_hook=codec.from_plain)

    def no_such_unit(self, error: BadCommand) -> Forbidden | None:
        """What a restricted seat is told instead, where the rules know no unit of that name.

        Their hints name units of every side, and an answer that differs from that for a hidden unit would tell of it.
        """
        found = None if self.all else _UNKNOWN_UNIT.match(str(error))
        return Forbidden(NO_UNIT.format(found["name"])) if found else None

    def may_bring_about(self, command: Command, events: Iterable[Event]) -> None:
        """Forbidden unless everything the command would touch is the seat's own."""
        if self.seat.role in SEES_ALL or isinstance(command, Advance | Note):
            return
        events = list(events)
        # A counter that the order itself brings into play, such as a substitute, is its nation's from the start.
        new = {event.unit for event in events if isinstance(event, Raised) and self.event(event)}
        for event in events:
            if _unit_of(event) in new:
                continue
            if isinstance(event, SwitchSet) or not (isinstance(event, Overruled) or self.event(event)):
                raise Forbidden(self._not_ours(command))

    def may_turn_back(self, entry: Entry) -> bool:
        """Whether what an entry did is the seat's to undo or bring back: its own, and such as it might have ordered."""
        if self.seat.role in SEES_ALL:
            return True
        given = _command_given(self.world, entry)
        if given is not None and (given.referee or issubclass(given, HouseRule)):
            return False
        if self.seat.front and given is not None and (given.whole_side or issubclass(given, Advance)):
            return False
        return self.entry(entry)

    def may_hear_why_not(self, refusal: Refusal) -> None:
        """Forbidden where the reasons would tell the commander of a front what a pool that is not the front's holds.

        It is asked of the reasons: an order may mean a pool by any spelling of its name, or by leaving it out. What is
        another side's no side may order in the first place.
        """
        if not self.seat.front:
            return
        for reason in refusal.reasons:
            if self._is_hidden(reason.have) or any(
                not self._of_the_front(self.world.areas_of_pool(pool)) for pool in pools_in(reason.sentence)
            ):
                raise Forbidden(self._not_ours(refusal.command))

    def _not_ours(self, command: Command) -> str:
        return f"{command_name(command)} would touch what is not {self.seat.title}'s"

    def _hidden_units(self, command: Command) -> Iterator[str]:
        ids, units = self.state.ids, self.state.units
        for text in texts_in(command):
            name = ids.get(text.casefold())
            if name is not None and not self.unit(units[name]):
                yield text

    def _names_only_its_own(self, command: Command) -> bool:
        return not any(True for _ in self._hidden_units(command))


def named(text: str) -> str:
    """A text about stand-ins, with the names that they stand for."""
    return text.replace(STAND_IN, "")


def _renamed(data: Any, hidden: set[str]) -> Any:
    if isinstance(data, str):
        return data + STAND_IN if data in hidden else data
    if isinstance(data, list):
        return [_renamed(each, hidden) for each in data]
    if isinstance(data, dict):
        return {_renamed(key, hidden): _renamed(value, hidden) for key, value in data.items()}
    return data


def _command_given(world: World, entry: Entry) -> type[Command] | None:
    """Which command an entry records; None for what is none."""
    data = json.loads(codec.encode(entry.do))
    name = data.get("command") if isinstance(data, dict) else None
    return next((each for each in world.game.commands if command_name(each) == name), None)


def _unit_of(event: Event) -> str:
    """The unit an event is about; nothing for one that is about something else."""
    if isinstance(event, Moved | Became | Raised):
        return event.unit
    return event.on.removeprefix("unit/") if isinstance(event, Marked) and event.on.startswith("unit/") else ""


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a command, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Struct):
        for field in value.__struct_fields__:
            yield from texts_in(getattr(value, field))
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from texts_in(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from texts_in(key)
            yield from texts_in(each)
