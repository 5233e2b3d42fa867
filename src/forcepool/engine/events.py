"""What can happen to a campaign: each event is one fact in the past tense, with the clause that caused it.

The vocabulary is deliberately small and knows no game: units move and change step, points move between accounts,
things are marked, dice fall, phases begin. Every rule of every game is expressed in these.
"""

from fractions import Fraction

from msgspec import Struct

from forcepool.engine.calendar import Clock
from forcepool.engine.places import Place
from forcepool.engine.units import UnitSpec

Value = str | int | bool | list[str] | None
"""What a marker or a declared fact can hold."""


class Event(Struct, frozen=True, tag_field="event", omit_defaults=True, kw_only=True, gc=False):
    """Anything that happened; `because` names the clauses, `says` gives the working."""

    because: str = ""
    says: str = ""


class PhaseBegan(Event, tag="phase", frozen=True):
    clock: Clock


class Transferred(Event, tag="points", frozen=True):
    """Points left one account for another."""

    amount: Fraction
    kind: str
    nation: str
    frm: str
    to: str


class Moved(Event, tag="moved", frozen=True):
    """A unit went from one place to another."""

    unit: str
    frm: Place
    to: Place


class Became(Event, tag="became", frozen=True):
    """A unit is at another step: full, cadre or remnant."""

    unit: str
    was: str
    step: str


class Marked(Event, tag="marked", frozen=True):
    """A marker was put on, changed or taken off (None), or a fact of play was declared."""

    on: str
    mark: str
    value: Value = None
    by: str = ""


class Rolled(Event, tag="rolled", frozen=True):
    """A die was rolled by the program or entered from the table."""

    sides: int
    result: int
    by_hand: bool = False


class Raised(Event, tag="raised", frozen=True):
    """A counter that was not in the campaign joined it."""

    unit: str
    spec: UnitSpec
    at: Place
    step: str = "full"


class Overruled(Event, tag="overruled", frozen=True):
    """The player set a refusal aside with a note."""

    clauses: list[str]
    note: str


class SwitchSet(Event, tag="switch", frozen=True):
    """A house rule was chosen."""

    switch: str
    option: str


class Noted(Event, tag="noted", frozen=True):
    """A remark for the record."""

    text: str


AnyEvent = PhaseBegan | Transferred | Moved | Became | Marked | Rolled | Raised | Overruled | SwitchSet | Noted
