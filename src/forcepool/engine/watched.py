"""A state that is watched: it says what the state says, and notes what was asked for."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Protocol

from forcepool.engine.calendar import Clock
from forcepool.engine.ledger import NOTHING, Account
from forcepool.engine.places import HEX
from forcepool.engine.state import NO_MARKS, Mark, State, Unit
from forcepool.engine.units import UnitSpec

Key = tuple[Any, ...]
"""What was read: one unit, one balance, one mark, or the whole of a kind."""


class Notebook(Protocol):
    """Whoever wants to know what was read."""

    read: set[Key]


class Door:
    """One of the state's dicts: whoever looks something up is noted for it, whoever goes through all for all."""

    __slots__ = ("keeper", "kind", "of", "whole")

    def __init__(self, keeper: Notebook, kind: str) -> None:
        self.keeper, self.kind, self.whole = keeper, kind, (kind,)
        self.of: dict[Any, Any] = {}

    def __getitem__(self, key: Any) -> Any:
        self.keeper.read.add((self.kind, key))
        return self.of[key]

    def get(self, key: Any, default: Any = None) -> Any:
        self.keeper.read.add((self.kind, key))
        return self.of.get(key, default)

    def __contains__(self, key: Any) -> bool:
        self.keeper.read.add((self.kind, key))
        return key in self.of

    def _all(self) -> dict[Any, Any]:
        self.keeper.read.add(self.whole)
        return self.of

    def __iter__(self) -> Iterator[Any]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def keys(self) -> Any:
        return self._all().keys()

    def values(self) -> Any:
        return self._all().values()

    def items(self) -> Any:
        return self._all().items()


class Accounts(Door):
    """The balances: which accounts there are is asked more often than it changes."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        self.keeper.read.add(("accounts",))
        return iter(self.of)

    def keys(self) -> Any:
        self.keeper.read.add(("accounts",))
        return self.of.keys()


class Watched:
    """A state that notes who reads what of it; to a rule it is the state."""

    __slots__ = (
        "_accounts",
        "_at",
        "_printed",
        "_state",
        "_where",
        "balances",
        "keeper",
        "marked",
        "marks",
        "stacks",
        "switches",
        "units",
    )

    version = 0

    def __init__(self, keeper: Notebook, state: State) -> None:
        self.keeper = keeper
        self.units, self.balances = Door(keeper, "unit"), Accounts(keeper, "balance")
        self.marks, self.marked = Door(keeper, "marks"), Door(keeper, "bearers")
        self.stacks, self.switches = Door(keeper, "stack"), Door(keeper, "switch")
        self._where: dict[str, tuple[str, str]] = {}
        self._at: dict[tuple[str, str], dict[str, None]] = {}
        self._printed: dict[str, UnitSpec | None] = {}
        self._accounts = set(state.balances)
        self.look_at(state)
        self.follow(("unit", each) for each in state.units)

    def look_at(self, state: State) -> None:
        """Show another state from now on; what differs is to be followed."""
        self._state = state
        self.units.of, self.balances.of, self.marks.of = state.units, state.balances, state.marks
        self.marked.of, self.stacks.of, self.switches.of = state.marked, state.stacks, state.switches

    def follow(self, touched: Iterable[Key]) -> set[Key]:
        """All that readers may have noted of what was touched: the thing itself, and whatever it is a part of."""
        found: set[Key] = set()
        for key in touched:
            found.add(key)
            if key[0] == "mark":
                found.add(("marks", key[1]))
                found.add(("marks",))
            elif len(key) > 1:
                found.add((key[0],))
            if key[0] == "balance" and key[1] not in self._accounts:
                self._accounts.add(key[1])
                found.add(("accounts",))
            if key[0] == "unit":
                self._file(key[1], found)
        return found

    def _file(self, unit_id: str, touched: set[Key]) -> None:
        """Note where a unit is listed now; whoever looked there, or where it was before, has to look again."""
        unit, was = self._state.units.get(unit_id), self._where.get(unit_id)
        now = None if unit is None else (unit.place.kind, unit.step)
        if was != now:
            if was is not None:
                del self._at[was][unit_id]
            if now is not None:
                self._where[unit_id] = now
                self._at.setdefault(now, {})[unit_id] = None
            else:
                del self._where[unit_id]
        printed = None if unit is None else unit.spec
        if self._printed.get(unit_id) != printed:
            self._printed[unit_id] = printed
            touched.add(("counters",))
        for each in (was, now):
            if each is not None:
                touched.add(("at", *each))
                touched.add(("at", each[0]))
                if each[0] != HEX:
                    touched.add(("off map",))

    # ------------------------------------------------------------------------------------------ what rules ask

    @property
    def clock(self) -> Clock:
        self.keeper.read.add(("clock",))
        return self._state.clock

    @property
    def turn(self) -> int:
        self.keeper.read.add(("turn",))
        return self._state.clock.turn

    @property
    def player(self) -> int:
        self.keeper.read.add(("player",))
        return self._state.clock.player

    @property
    def within_turn(self) -> Clock:
        self.keeper.read.add(("phase",))
        return self._state.clock

    @property
    def player_turn(self) -> int:
        self.keeper.read.update((("turn",), ("player",)))
        return self._state.clock.player_turn

    def balance(self, pool: str, nation: str, kind: str) -> Fraction:
        account = Account(pool, nation, kind)
        self.keeper.read.add(("balance", account))
        return self._state.balances.get(account, NOTHING)

    def mark(self, on: str, mark: str) -> Mark | None:
        self.keeper.read.add(("mark", on, mark))
        return self._state.marks.get(on, NO_MARKS).get(mark)

    def stack(self, hex_name: str) -> Iterator[Unit]:
        return (self.units[each] for each in self.stacks.get(hex_name, ()))

    @property
    def ids(self) -> dict[str, str]:
        self.keeper.read.add(("counters",))
        return self._state.ids

    def specs(self) -> Iterator[tuple[str, UnitSpec]]:
        self.keeper.read.add(("counters",))
        return self._state.specs()

    def units_in_order(self) -> list[Unit]:
        self.keeper.read.add(("unit",))
        return self._state.units_in_order()

    def units_at(self, kind: str, step: str = "") -> list[Unit]:
        self.keeper.read.add(("at", kind, step) if step else ("at", kind))
        wanted = [(kind, step)] if step else [each for each in self._at if each[0] == kind]
        units = self._state.units
        return [units[each] for each in sorted(each for where in wanted for each in self._at.get(where, ()))]

    def units_off_map(self) -> list[Unit]:
        self.keeper.read.add(("off map",))
        units = self._state.units
        return [units[each] for where, listed in self._at.items() if where[0] != HEX for each in listed]

    def copy(self) -> State:
        """A state of one's own to try things on: whoever does that may read all of it."""
        self.keeper.read.update((each,) for each in ("unit", "balance", "marks", "stack", "switch", "bearers", "clock"))
        return self._state.copy()
