"""The numbers and names the second game is played by: data, each number with its clause."""

from fractions import Fraction
from functools import cache
from typing import ClassVar

from msgspec import Struct

from forcepool.scenarios.profiles import Date, Number, read_profile


class CalendarData(Struct, frozen=True, forbid_unknown_fields=True):
    """How a month divides into turns."""

    turns_per_month: int


class Entry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a nation's units come into the game."""

    cites: ClassVar[tuple[str, ...]] = ("at_point", "on_line")
    points: tuple[str, ...] = ()
    """The only points, where they are named; else any friendly point in overland supply to one of the edges."""
    edges: tuple[str, ...] = ()
    at_point: str = ""
    """The clause for points."""
    on_line: str = ""
    """The clause for lines that lead onto the map from an edge."""


class Nation(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A nationality."""

    side: str
    entry: Entry
    adjective: str = ""
    allied: bool = False
    """An Axis Allied nation, which can be knocked out of the war or change sides."""
    capital: str = ""


class LineKind(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a kind of line carries."""

    overland: bool
    by: str
    """'land' or 'sea': how a unit moves strategically along it."""
    capacity: int | None = None
    """Units it carries strategically in a turn, where such limits are played; left out, any number."""


class Kind(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    """What a counter of a type and size is."""

    types: tuple[str, ...]
    sizes: tuple[str, ...]
    rank: str = ""
    """'major' or 'minor', of a composite unit."""
    firepower: int | None = None
    """Of a composite unit, in supply."""
    symbol: str = ""
    """The replacement symbol that brings it back; composite units have none."""
    unsupplied: int | None = None
    """Its firepower out of supply, where that differs."""
    fortifies: bool = False
    infantry: bool = False
    armour: bool = False
    recipe: tuple[tuple[str, ...], ...] = ()
    """Of a composite unit: for each component the kinds that will do."""
    recipe_clause: str = ""
    from_: str = ""
    """The date from which it may be made."""
    optional: bool = False

    @property
    def composite(self) -> bool:
        return bool(self.recipe)


class Profile(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a campaign takes from the rules rather than from its scenario."""

    title: str
    calendar: CalendarData
    players: tuple[str, ...]
    phases: tuple[str, ...]
    nations: dict[str, Nation]
    leaders: dict[str, str]
    edges: tuple[str, ...]
    siberian_edges: tuple[str, ...]
    line_kinds: dict[str, LineKind]
    kinds: dict[str, Kind]
    points: tuple[str, ...]
    production: dict[str, dict[str, Fraction]]
    numbers: dict[str, Number]
    dates: dict[str, Date]
    expansion_months: tuple[int, ...]
    default_schedule: tuple[int, ...]


@cache
def shipped() -> Profile:
    """The profile of the game."""
    return read_profile("forcepool.games.eastern_front", Profile)
