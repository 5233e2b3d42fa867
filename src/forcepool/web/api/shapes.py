"""What programs send and get, shape by shape; the OpenAPI page is made from these."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from forcepool.views.losses import LossLine
from forcepool.views.pools import StatementLine
from forcepool.views.unit import Grant, Happening, Reason, UnitFacts


class Problem(Struct, frozen=True):
    """Why a request was not answered."""

    error: str
    clauses: tuple[str, ...] = ()


# ------------------------------------------------------------------------------------------------- answers


class CampaignLine(Struct, frozen=True):
    """A campaign on the shelf."""

    name: str
    title: str
    game: str
    when: str
    entries: int
    seat: str
    """The seat the caller has there."""
    your_turn: bool
    asked: bool
    """Whether an order waits for the seat's word."""
    unread: int
    """Messages that the seat has not read."""


class Standing(Struct, frozen=True):
    """Where a campaign stands, and from which seat it is seen."""

    name: str
    title: str
    game: str
    when: str
    turn: str
    player: str
    phase: str
    seat: str
    sides: tuple[str, ...]
    entries: int
    undone: tuple[int, ...]
    asked_to_undo: tuple[int, ...]
    house_rules: Mapping[str, str]
    ruleset: str
    whatif: bool
    """Whether nothing here counts."""


class TodoItem(Struct, frozen=True):
    """A line of the checklist, with the order that would do it where one is ready."""

    kind: str
    text: str
    clause: str
    side: str
    command: str
    order: dict[str, Any] | None


class Todo(Struct, frozen=True):
    """The checklist of the seat."""

    when: str
    entries: int
    items: tuple[TodoItem, ...]


class Units(Struct, frozen=True):
    """Units the seat sees, a page at a time."""

    total: int
    units: tuple[UnitFacts, ...]


class UnitAnswer(Struct, frozen=True):
    """A unit, and all that happened to it."""

    facts: UnitFacts
    areas: tuple[str, ...]
    began: str
    history: tuple[Happening, ...]


class OptionLine(Struct, frozen=True):
    """One way to give one order for a unit: open with its cost and arrival, closed with every reason."""

    command: str
    typed: str
    order: dict[str, Any]
    open: bool
    final: bool
    cost: Mapping[str, Fraction]
    working: str
    arrives: str
    die: str
    allowed: tuple[Grant, ...]
    reasons: tuple[Reason, ...]


class Options(Struct, frozen=True):
    """What can be done with a unit now."""

    unit: str
    when: str
    options: tuple[OptionLine, ...]


class AccountLine(Struct, frozen=True):
    """A balance."""

    pool: str
    nation: str
    kind: str
    balance: Fraction
    shown: str


class Ledger(Struct, frozen=True):
    """The balances the seat sees."""

    accounts: tuple[AccountLine, ...]


class StatementAnswer(Struct, frozen=True):
    """What is behind a balance."""

    pool: str
    nation: str
    kind: str
    opening: Fraction
    balance: Fraction
    lines: tuple[StatementLine, ...]


class LogEntry(Struct, frozen=True):
    """An entry of the journal; of another seat's one only learns that it is there."""

    entry: int
    seat: str
    when: str
    undone: bool
    hidden: bool = False
    command: str = ""
    words: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    overruled: str = ""
    message: str = ""
    """What was written, of a message."""
    to: str = ""
    """Whom a message is for; empty for all."""


class MessageEntry(Struct, frozen=True):
    """A message that the seat may read."""

    entry: int
    who: str
    to: str
    """A side, 'the referee' or 'all'."""
    text: str
    when: str
    written: str


class Messages(Struct, frozen=True):
    """Messages, the newest first; `before` asks for those before one. Asking reads them."""

    unread: int
    """How many of all there are had not been asked for."""
    messages: tuple[MessageEntry, ...]
    before: int | None


class Written(Struct, frozen=True):
    """A message that was written."""

    entry: int


class Log(Struct, frozen=True):
    """Entries, the newest first; `before` asks for those before one."""

    entries: tuple[LogEntry, ...]
    before: int | None


class FieldLine(Struct, frozen=True):
    """A field of a command."""

    name: str
    required: bool
    help: str
    holds: str = ""
    """What stands in it: a unit, a pool, a place …"""
    words: tuple[str, ...] = ()
    """The only words it can hold, where they are few."""


class AddedClauses(Struct, frozen=True):
    """The clauses of another heading that guard a command too."""

    heading: str
    clauses: tuple[str, ...]


class CommandLine(Struct, frozen=True):
    """A command one can order."""

    command: str
    game: str
    about: str
    referee: bool
    fields: tuple[FieldLine, ...]
    clauses: tuple[str, ...]
    """The clauses of its own heading that guard it."""
    added: tuple[AddedClauses, ...]
    """Those that other headings add."""


class Catalogue(Struct, frozen=True):
    """All commands of the campaign's game, and their JSON Schema."""

    commands: tuple[CommandLine, ...]
    json_schema: dict[str, Any]


class ExampleLine(Struct, frozen=True):
    given: str
    expect: str


class RulingLine(Struct, frozen=True):
    question: str
    default: str
    alternatives: tuple[str, ...]


class ClauseLine(Struct, frozen=True):
    """A clause of the rulebook."""

    id: str
    title: str
    kind: str
    who: str
    phase: str
    statement: str
    needs: tuple[str, ...]
    examples: tuple[ExampleLine, ...]
    ruling: RulingLine | None


class Rules(Struct, frozen=True):
    """Clauses that were found."""

    total: int
    clauses: tuple[ClauseLine, ...]


class SwitchLine(Struct, frozen=True):
    """A ruling a group may play its own way."""

    key: str
    clause: str
    about: str
    options: Mapping[str, str]
    default: str
    chosen: str


class HouseRules(Struct, frozen=True):
    """All switches of the campaign."""

    switches: tuple[SwitchLine, ...]


class Acted(Struct, frozen=True, omit_defaults=True):
    """What came of an act: done with its entry, or not done with every reason."""

    accepted: bool
    seq: int
    says: str
    kind: str = ""
    """Why not: refused, wrong, forbidden, stale, die or asked."""
    entry: int | None = None
    dry_run: bool = False
    words: tuple[str, ...] = ()
    allowed: tuple[Grant, ...] = ()
    overruled: tuple[Reason, ...] = ()
    reasons: tuple[Reason, ...] = ()
    clauses: tuple[str, ...] = ()
    final: bool = False
    sides: int = 0
    entries: tuple[int, ...] = ()
    seats: tuple[str, ...] = ()


class TriedOrder(Struct, frozen=True):
    """An order that was tried in a what-if and stands there."""

    number: int
    order: str
    seat: str
    dice: tuple[int, ...]
    """How they fell where it was tried; for real they fall anew."""
    override: str


class WhatifAnswer(Struct, frozen=True):
    """The what-if that a seat has open."""

    name: str = ""
    """The campaign in which orders are tried, empty if none is open."""
    orders: tuple[TriedOrder, ...] = ()
    gone_on: int = 0
    """Entries of the campaign itself since it was opened."""


class LossesAnswer(Struct, frozen=True):
    """What was understood of pasted losses, line by line, and what they will bring."""

    dry_run: bool
    seq: int
    lines: tuple[LossLine, ...]
    brings: tuple[str, ...]


class HookLine(Struct, frozen=True):
    """An address that is told when it is the seat's turn."""

    id: int
    url: str
    secret: str


class Hooks(Struct, frozen=True):
    hooks: tuple[HookLine, ...]


class JobLine(Struct, frozen=True):
    """A long task of the seat: how far it is, and what came of it."""

    id: int
    kind: str
    state: str
    """waiting, running, done, failed or cancelled."""
    done: int
    of: int
    """So many entries are done of so many; 0 while that is not known."""
    says: str = ""
    words: tuple[str, ...] = ()
    good: bool | None = None
    """Whether what it examined is as it should be; null until it is known."""
    file: str = ""
    """The name of the file that can be fetched."""


class Withheld(Struct, frozen=True):
    """How a campaign stands with the host of its server."""

    state: str
    """open, locked or archived"""
    note: str = ""
    since: str = ""


class Kept(Struct, frozen=True):
    """A campaign as whoever runs the server sees it."""

    name: str
    state: str
    note: str
    bytes: int
    entries: int
    """0 where it cannot be read"""
    touched: float
    """when it was last written to, in seconds since 1970"""
    seated: int
    invited: int
