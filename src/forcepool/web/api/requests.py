"""What programs send, shape by shape."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Number = Annotated[int, Meta(ge=0, le=999_999_999)]
"""The number of an entry; 0 for none."""
Die = Annotated[int, Meta(ge=1, le=1000)]


class DoRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Give an order."""

    order: dict[str, Any]
    """The command with its fields: {"command": "rebuild-cadre", "unit": "6 Pz XX"}."""
    seen: Number = 0
    """The last entry the caller knew of; what changed since is then told rather than overridden."""
    override: str = ""
    dice: list[Die] = []
    dry_run: bool = False


class LossesRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Losses as players write them, one a line."""

    text: str
    dry_run: bool = False


class UndoRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Undo the last command, or everything from an entry on."""

    to: Number | None = None
    seen: Number = 0


class RedoRequest(Struct, frozen=True, forbid_unknown_fields=True):
    seen: Number = 0


class ConsentRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing but the wish to agree."""


class AgreeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Agree to an order that waits for this seat, or decline it."""

    entry: Number
    """The entry that asks."""
    yes: bool = True


class StandingRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Lock a campaign, lay it by, or open it again; the host's to do."""

    state: Literal["open", "locked", "archived"]
    note: Annotated[str, Meta(max_length=200)] = ""
    """What players are told."""


class SayRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Write to a side, to the referee or to all."""

    text: str
    to: str = ""
    """A side, or 'referee'; empty for all."""


class JobRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Begin a long task: verify, rules, report, forecast, plan, export, table or backup."""

    kind: str
    form: str = ""
    """Of a report: page, pdf or text."""
    turns: int = 12
    """Of a forecast or a plan: how far it looks ahead, 48 at most."""
    losses: str = ""
    """Of a forecast: none, last:N as in the last N turns, or units a month by side, such as Axis=6 Soviet=5/2."""
    goals: str = ""
    """Of a plan: what it is to achieve, as YAML; docs/planning.md tells what can stand in it."""
    again: bool = False
    """Of a plan: from today, keeping what still holds of the plan that the seat follows."""
    prices: bool = False
    """Of a plan: also at what price the units left out would be in it, which takes as long again."""
    table: str = "balances"
    """Of a table: which one; docs/analysis.md lists them. Its form is csv, xlsx or parquet."""


class GiveRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Give what was tried in the what-if for real, all of it or nothing."""

    dice: tuple[int, ...] = ()
    """As they fell at the table, where the campaign does not roll itself."""


class WhatifRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing but the wish to open one."""


class HookRequest(Struct, frozen=True, forbid_unknown_fields=True):
    url: str
