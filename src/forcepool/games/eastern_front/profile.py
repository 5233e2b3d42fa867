"""The numbers and names the second game is played by: data, each number with its clause."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct

from forcepool.engine.points import parse_points
from forcepool.files.shape import shape
from forcepool.files.yamltext import read_yaml
from forcepool.rulebook.book import load as rulebook


class CalendarData(Struct, frozen=True, forbid_unknown_fields=True):
    """How a month divides into turns."""

    turns_per_month: int


class Entry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a nation's units come into the game."""

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
    capacity: int = 0
    """Units it carries strategically in a turn, where such limits are played; 0 is any number."""


class Kind(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    """What a counter of a type and size is."""

    types: tuple[str, ...]
    sizes: tuple[str, ...]
    rank: str = ""
    """'major' or 'minor', of a composite unit."""
    firepower: int = 0
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


class Number(Struct, frozen=True, forbid_unknown_fields=True):
    """A limit, delay or worth of the rules."""

    value: Fraction
    clause: str


class Date(Struct, frozen=True, forbid_unknown_fields=True):
    """A turn from which a rule holds."""

    turn: str
    clause: str


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


PARSERS: Mapping[Any, Any] = {Fraction: parse_points}


@cache
def shipped() -> Profile:
    """The profile of the game; a clause it cites that does not exist is an error."""
    text = files("forcepool.games.eastern_front").joinpath("profile/general.yaml").read_text("utf-8")
    profile: Profile = shape(read_yaml(text, "profile/general.yaml"), (), Profile, PARSERS)
    book = rulebook()
    cited = [number.clause for number in profile.numbers.values()]
    cited += [date.clause for date in profile.dates.values()]
    cited += [kind.recipe_clause for kind in profile.kinds.values() if kind.recipe_clause]
    cited += [clause for each in profile.nations.values() for clause in (each.entry.at_point, each.entry.on_line)]
    for clause in filter(None, cited):
        book[clause]
    return profile
