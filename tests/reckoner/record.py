"""A campaign as the journal tells it: the scenario's charts as plain data, and the table folded from events alone."""

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from forcepool.engine.calendar import Calendar, Clock
from forcepool.engine.events import AnyEvent, Became, Marked, Moved, PhaseBegan, Raised, SwitchSet, Transferred, Value
from forcepool.engine.journal import Beginning, Entry, Journal, read_beginning, read_entry
from forcepool.engine.places import Place
from forcepool.engine.state import Unit

Line = dict[str, Any]
"""A line of a chart."""
Amounts = dict[str, Fraction]
"""Points by kind."""


class NotReckoned(Exception):
    """The journal does not show what the rule leans on; the message says what is missing."""


class Scenario:
    """The charts, areas and places a campaign was begun with."""

    def __init__(self, beginning: Beginning) -> None:
        world = json.loads(bytes(beginning.world))
        profile = world.get("profile", {})
        self.areas: dict[str, Line] = world.get("areas", {})
        self.spots: dict[str, Line] = world.get("spots", {})
        self.charts: dict[str, Any] = world.get("charts", {})
        self.map: dict[str, Any] = world.get("map") or {}
        self.nations: dict[str, Line] = profile.get("nations", {})
        self.players: list[str] = profile.get("players", [])
        self.phases: list[str] = profile.get("phases", [])
        self.phase_orders: dict[str, list[str]] = profile.get("phase_orders", {})
        self.roles: dict[str, list[str]] = profile.get("roles", {})
        self.sizes: dict[str, Line] = profile.get("sizes", {})
        self.mothers: dict[str, str] = profile.get("mother_countries", {})
        self.calendar = Calendar(profile.get("calendar", {}).get("turns_per_month", 4))
        self.rulings = dict(beginning.rulings)
        self._numbers = profile.get("numbers", {})
        self._dates = profile.get("dates", {})

    def phase(self, clock: Clock) -> str:
        """The name of a phase; a group may play the phases in another order, counted from 1 as they are listed."""
        orders = [self.phases, *(self.phase_orders[name] for name in sorted(self.phase_orders))]
        return orders[clock.order][clock.phase]

    def player(self, clock: Clock) -> str:
        return self.players[clock.player]

    def week(self, turn: int) -> int:
        """The turn of the month, counted from 1."""
        return turn % self.calendar.turns_per_month + 1

    def last_week(self, turn: int) -> bool:
        return self.week(turn) == self.calendar.turns_per_month

    def number(self, name: str) -> Fraction:
        return Fraction(self._numbers[name]["value"])

    def turns(self, name: str) -> int:
        return int(self.number(name))

    def date(self, name: str) -> int:
        return self.calendar.parse(self._dates[name]["turn"]).turn


class Table:
    """Where every counter lies, what every pool holds and what is marked, at one moment."""

    def __init__(self, beginning: Beginning) -> None:
        state = beginning.state
        self.clock: Clock = state.clock
        self.units: dict[str, Unit] = {unit.id: unit for unit in state.units}
        self.pools: dict[tuple[str, str, str], Fraction] = {
            (account.pool, account.nation, account.kind): amount for account, amount in state.balances
        }
        self.marks: dict[str, dict[str, Value]] = {
            on: {name: mark.value for name, mark in marks.items()} for on, marks in state.marks
        }
        self.switches: dict[str, str] = dict(state.switches)

    def mark(self, on: str, name: str) -> Value:
        return self.marks.get(on, {}).get(name)

    def held(self, pool: str, nation: str, kind: str) -> Fraction:
        return self.pools.get((pool, nation, kind), Fraction(0))

    def happened(self, event: AnyEvent) -> None:
        match event:
            case PhaseBegan():
                self.clock = event.clock
            case Transferred():
                for pool, amount in ((event.frm, -event.amount), (event.to, event.amount)):
                    account = (pool, event.nation, event.kind)
                    self.pools[account] = self.pools.get(account, Fraction(0)) + amount
            case Moved():
                self.units[event.unit] = replace(self.units[event.unit], place=event.to)
            case Became():
                self.units[event.unit] = replace(self.units[event.unit], step=event.step)
            case Raised():
                self.units[event.unit] = Unit(event.unit, event.spec, event.at, event.step)
            case Marked():
                self.marks.setdefault(event.on, {})[event.mark] = event.value
            case SwitchSet():
                self.switches[event.switch] = event.option
            case _:
                pass


class Step(msgspec.Struct, frozen=True):
    """An entry with its order in plain words."""

    entry: Entry
    order: Line

    @property
    def name(self) -> str:
        return str(self.order.get("command", ""))

    @property
    def began(self) -> list[Clock]:
        """The phases that begin with it."""
        return [event.clock for event in self.entry.events if isinstance(event, PhaseBegan)]

    @property
    def moves(self) -> dict[str, list[Place]]:
        """Where each unit went, place by place; a new counter begins where it was raised."""
        found: dict[str, list[Place]] = {}
        for event in self.entry.events:
            if isinstance(event, Moved):
                found.setdefault(event.unit, []).append(event.to)
            elif isinstance(event, Raised):
                found.setdefault(event.unit, []).append(event.at)
        return found

    def timed(self, clock: Clock) -> Iterator[tuple[Clock, AnyEvent]]:
        """What happened, with the moment it happened at."""
        for event in self.entry.events:
            clock = event.clock if isinstance(event, PhaseBegan) else clock
            yield clock, event

    def transfers(self, frm: str = "", to: str = "") -> list[Transferred]:
        return [
            event
            for event in self.entry.events
            if isinstance(event, Transferred) and event.frm.startswith(frm) and event.to.startswith(to)
        ]

    def amounts(self, frm: str = "", to: str = "") -> Amounts:
        """What went by such a way, by kind."""
        found: Amounts = {}
        for event in self.transfers(frm, to):
            found[event.kind] = found.get(event.kind, Fraction(0)) + event.amount
        return found


def steps(journal: Journal) -> Iterator[Step]:
    """The orders that still count: what was taken back is left out, what was given again stands where it stood."""
    entries = [read_entry(sealed) for sealed in journal.read(2)]
    undone: set[int] = set()
    for entry in entries:
        undone = (undone | set(entry.undo)) - set(entry.redo)
    for entry in entries:
        if entry.events and entry.n not in undone:
            yield Step(entry, json.loads(bytes(entry.do)) or {})


def opened(journal: Journal) -> tuple[Scenario, Table]:
    beginning = read_beginning(journal)
    return Scenario(beginning), Table(beginning)
