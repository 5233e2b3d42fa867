"""The state of a campaign and the one way it changes.

State is a fold over events. `evolve` works on a state that its caller owns: rules only read, what-ifs take a copy. It
cannot fail, and the same events give the same state under any hash seed.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine import codec
from forcepool.engine.calendar import Clock
from forcepool.engine.events import Became, Event, Marked, Moved, PhaseBegan, Raised, SwitchSet, Transferred, Value
from forcepool.engine.ledger import NOTHING, Account
from forcepool.engine.places import HEX, Place
from forcepool.engine.sentence import the_unit
from forcepool.engine.units import UnitSpec


class Unit(Struct, frozen=True, gc=False):
    """A counter: what it is, where it is, and at which step."""

    id: str
    spec: UnitSpec
    place: Place
    step: str = "full"

    def __format__(self, how: str) -> str:
        """In a sentence a unit is a part, under its name."""
        return the_unit(self.id)


class Mark(Struct, frozen=True, array_like=True, gc=False):
    """A marker or declared fact, with the player-turn and the seat that set it."""

    value: Value
    since: int = 0
    by: str = ""


Marks = dict[str, Mark]
NO_MARKS: Marks = {}


class Muster(Struct, frozen=True):
    """The ids of all units, looked up and listed so often that they are put in order once."""

    of: dict[str, Unit]
    ordered: list[str]
    folded: dict[str, str]


NOBODY_KEEPS: set[tuple[Any, ...]] | None = None


class State(Struct, dict=True):
    """Everything that is so at one moment of a campaign."""

    clock: Clock
    units: dict[str, Unit] = {}
    balances: dict[Account, Fraction] = {}
    marks: dict[str, Marks] = {}
    """Markers and declared facts, by what they are on: 'unit/24 Inf XX', 'place/Minsk'."""
    switches: dict[str, str] = {}
    stacks: dict[str, tuple[str, ...]] = {}
    """The units of each occupied hex: an index, so that asking who is stacked with whom is one look."""
    marked: dict[str, set[str]] = {}
    """What bears each mark: an index, so that asking for all factories does not look at every hex."""
    version = 0
    """Grows with every change, so that whoever keeps an answer knows when it is out of date. No part of what is so: two
    states that say the same are equal. Nought while a state is still being set up by hand."""

    touched = NOBODY_KEEPS
    """What has changed since a keeper of answers last looked, by what an answer may have read; None without one."""
    keeper: ClassVar[Any] = None
    """Who notes what is read; nobody of a plain state."""

    def balance(self, pool: str, nation: str, kind: str) -> Fraction:
        return self.balances.get(Account(pool, nation, kind), NOTHING)

    def mark(self, on: str, mark: str) -> Mark | None:
        return self.marks.get(on, NO_MARKS).get(mark)

    def stack(self, hex_name: str) -> Iterator[Unit]:
        """The units in a hex, in order of id."""
        units = self.units
        for unit_id in self.stacks.get(hex_name, ()):
            yield units[unit_id]

    @property
    def ids(self) -> dict[str, str]:
        """The ids of all units, by themselves in small letters."""
        return self._muster.folded

    def specs(self) -> Iterator[tuple[str, UnitSpec]]:
        """Every counter and what is printed on it, in order: neither changes as it moves or loses a step."""
        units = self.units
        return ((unit_id, units[unit_id].spec) for unit_id in self._muster.ordered)

    def units_in_order(self) -> list[Unit]:
        units = self.units
        return [units[unit_id] for unit_id in self._muster.ordered]

    @property
    def _muster(self) -> "Muster":
        muster: Muster | None = self.__dict__.get("muster")
        # Units are never struck from the list, so it is the same as long as it is of the same length.
        if muster is None or muster.of is not self.units or len(muster.ordered) != len(self.units):
            folded = {each.casefold(): each for each in self.units}
            muster = self.__dict__["muster"] = Muster(self.units, sorted(self.units), folded)
        return muster

    def units_at(self, kind: str, step: str = "") -> list[Unit]:
        """The units in one kind of place, or those of them at one step, in order."""
        at: tuple[int, dict[str, list[Unit]]] | None = self.__dict__.get("at")
        if at is None or at[0] != self.version or not self.version:
            by_kind: dict[str, list[Unit]] = {}
            for unit in self.units_in_order():
                by_kind.setdefault(unit.place.kind, []).append(unit)
            at = self.__dict__["at"] = (self.version, by_kind)
        found = at[1].get(kind, [])
        return [each for each in found if each.step == step] if step else found[:]

    def units_off_map(self) -> list[Unit]:
        """The units in boxes and on tracks, in no order."""
        return [each for each in self.units.values() if each.place.kind != HEX]

    @property
    def turn(self) -> int:
        return self.clock.turn

    @property
    def player(self) -> int:
        """Whose player-turn it is, by his place in the sequence."""
        return self.clock.player

    @property
    def within_turn(self) -> Clock:
        """The clock, for those who ask for the player and the phase and not for the turn."""
        return self.clock

    @property
    def player_turn(self) -> int:
        return self.clock.player_turn

    def copy(self) -> "State":
        """A state of one's own to try things on."""
        mine = State(
            self.clock,
            self.units.copy(),
            self.balances.copy(),
            {on: marks.copy() for on, marks in self.marks.items()},
            self.switches.copy(),
            self.stacks.copy(),
            {mark: on.copy() for mark, on in self.marked.items()},
        )
        mine.version = 1
        return mine


# ---------------------------------------------------------------------------------------------- evolve

E = TypeVar("E", bound=Event)
_evolvers: dict[type[Event], Callable[[State, Any], None]] = {}


def _evolves(event: type[E]) -> Callable[[Callable[[State, E], None]], Callable[[State, E], None]]:
    def register(function: Callable[[State, E], None]) -> Callable[[State, E], None]:
        _evolvers[event] = function
        return function

    return register


def evolve(state: State, events: Iterable[Event]) -> State:
    """Carry the events out on the state. Those that only tell (a die, a note, an overruling) change nothing."""
    for event in events:
        function = _evolvers.get(type(event))
        if function:
            # Before it is carried out: the clock still shows which of its hands will move.
            if state.touched is not None:
                state.touched.update(_touches(state, event))
            function(state, event)
            # Each change by itself: events may be found one by one, by looking at what the one before has left.
            state.version += 1
    return state


def _touches(state: State, event: Event) -> Iterator[tuple[Any, ...]]:
    """What an answer may have read that an event changes."""
    match event:
        case Transferred():
            yield "balance", Account(event.frm, event.nation, event.kind)
            yield "balance", Account(event.to, event.nation, event.kind)
        case Moved():
            yield "unit", event.unit
            yield from (("stack", each.of) for each in (state.units[event.unit].place, event.to) if each.kind == HEX)
        case Became():
            yield "unit", event.unit
        case Marked():
            yield "mark", event.on, event.mark
            yield "bearers", event.mark
        case Raised():
            yield "unit", event.unit
            yield "stack", event.at.of
        case SwitchSet():
            yield "switch", event.switch
        case PhaseBegan():
            yield from hands(state.clock, event.clock)


def hands(before: Clock, after: Clock) -> Iterator[tuple[str]]:
    """The hands of the clock that move from one moment to another."""
    yield ("clock",)
    if before.turn != after.turn:
        yield ("turn",)
    if before.player != after.player:
        yield ("player",)
    if (before.player, before.phase, before.order) != (after.player, after.phase, after.order):
        yield ("phase",)


@_evolves(PhaseBegan)
def _phase_began(state: State, event: PhaseBegan) -> None:
    state.clock = event.clock


@_evolves(Transferred)
def _transferred(state: State, event: Transferred) -> None:
    source = Account(event.frm, event.nation, event.kind)
    target = Account(event.to, event.nation, event.kind)
    balances = state.balances
    balances[source] = balances.get(source, NOTHING) - event.amount
    balances[target] = balances.get(target, NOTHING) + event.amount


@_evolves(Moved)
def _moved(state: State, event: Moved) -> None:
    unit = state.units[event.unit]
    state.units[event.unit] = replace(unit, place=event.to)
    if unit.place.kind == HEX or event.to.kind == HEX:
        _restack(state, unit.id, unit.place, event.to)


@_evolves(Became)
def _became(state: State, event: Became) -> None:
    state.units[event.unit] = replace(state.units[event.unit], step=event.step)


@_evolves(Marked)
def _marked(state: State, event: Marked) -> None:
    if event.value is not None:
        marks = state.marks.get(event.on)
        if marks is None:
            marks = state.marks[event.on] = {}
        if event.mark not in marks:
            state.marked.setdefault(event.mark, set()).add(event.on)
        marks[event.mark] = Mark(event.value, state.clock.player_turn, event.by)
        return
    marks = state.marks.get(event.on, NO_MARKS)
    if marks.pop(event.mark, None) is not None:
        bearers = state.marked[event.mark]
        bearers.discard(event.on)
        if not bearers:
            del state.marked[event.mark]
        if not marks:
            del state.marks[event.on]


@_evolves(Raised)
def _raised(state: State, event: Raised) -> None:
    add_unit(state, Unit(event.unit, event.spec, event.at, event.step))


@_evolves(SwitchSet)
def _switch_set(state: State, event: SwitchSet) -> None:
    state.switches[event.switch] = event.option


def add_unit(state: State, unit: Unit) -> None:
    """Put one more counter into the state."""
    state.units[unit.id] = unit
    _restack(state, unit.id, None, unit.place)


def _restack(state: State, unit_id: str, left: Place | None, entered: Place) -> None:
    stacks = state.stacks
    if left is not None and left.kind == HEX:
        rest = tuple(other for other in stacks.get(left.of, ()) if other != unit_id)
        if rest:
            stacks[left.of] = rest
        else:
            stacks.pop(left.of, None)
    if entered.kind == HEX:
        stacks[entered.of] = tuple(sorted((*stacks.get(entered.of, ()), unit_id)))


# ------------------------------------------------------------------------------------------- snapshots


class Snapshot(Struct, frozen=True, array_like=True):
    """A state as plain sorted data: the same state gives the same bytes under any hash seed."""

    clock: Clock
    units: list[Unit]
    balances: list[tuple[Account, Fraction]]
    marks: list[tuple[str, Marks]]
    switches: list[tuple[str, str]]


_snapshot = codec.decoder(Snapshot)


def snapshot(state: State) -> Snapshot:
    return Snapshot(
        clock=state.clock,
        units=state.units_in_order(),
        balances=sorted(state.balances.items()),
        marks=sorted(state.marks.items()),
        switches=sorted(state.switches.items()),
    )


def restore(saved: Snapshot) -> State:
    stacks: dict[str, list[str]] = {}
    for unit in saved.units:
        if unit.place.kind == HEX:
            stacks.setdefault(unit.place.of, []).append(unit.id)
    state = State(
        clock=saved.clock,
        units={unit.id: unit for unit in saved.units},
        balances=dict(saved.balances),
        # The snapshot may be restored again, so its markers stay its own.
        marks={on: marks.copy() for on, marks in saved.marks},
        switches=dict(saved.switches),
        stacks={name: tuple(sorted(ids)) for name, ids in stacks.items()},
    )
    index_marks(state)
    state.version = 1
    return state


def index_marks(state: State) -> None:
    """Note anew what bears each mark, after marks were set by hand."""
    state.marked = {}
    for on, marks in state.marks.items():
        for mark in marks:
            state.marked.setdefault(mark, set()).add(on)


def to_bytes(state: State) -> bytes:
    return codec.encode(snapshot(state))


def from_bytes(data: bytes) -> State:
    try:
        return restore(_snapshot.decode(data))
    except (msgspec.DecodeError, msgspec.ValidationError, ValueError, ZeroDivisionError) as error:
        raise ValueError(f"not a snapshot of a campaign: {error}") from error
