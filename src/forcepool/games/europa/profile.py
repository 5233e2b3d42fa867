"""The numbers and names this game is played by: data, each number with its clause."""

from fractions import Fraction
from functools import cache
from importlib.resources import files

from msgspec import Struct

from forcepool.engine.points import parse_points
from forcepool.files.shape import shape
from forcepool.files.yamltext import read_yaml
from forcepool.rulebook.book import load as rulebook


class CalendarData(Struct, frozen=True, forbid_unknown_fields=True):
    """How a month divides into turns, and whether they are numbered I, II or 1, 2."""

    turns_per_month: int
    roman: bool = False


class Nation(Struct, frozen=True, forbid_unknown_fields=True):
    """A nationality: its points serve its own units only (52.C/4)."""

    side: str
    adjective: str = ""
    major: bool = False


class Number(Struct, frozen=True, forbid_unknown_fields=True):
    """A rate, limit or delay of the rules."""

    value: Fraction
    clause: str


class Size(Struct, frozen=True, forbid_unknown_fields=True):
    """What a unit's size means: REs, and the zone of control it exerts at full strength and below it."""

    re: Fraction
    zone: str
    reduced_zone: str = ""


class RpCost(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the RP COSTS CHART: which units pay which share of their cost in which kind of RP."""

    types: tuple[str, ...]
    shares: dict[str, Fraction]
    clause: str
    nations: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()


class Profile(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a campaign takes from the rule set rather than from its scenario."""

    title: str
    calendar: CalendarData
    players: tuple[str, ...]
    phases: tuple[str, ...]
    nations: dict[str, Nation]
    points: tuple[str, ...]
    numbers: dict[str, Number]
    zones: tuple[str, ...]
    sizes: dict[str, Size]
    rp_costs: tuple[RpCost, ...] = ()
    roles: dict[str, tuple[str, ...]] = {}


@cache
def shipped() -> Profile:
    """The profile of the house rule set."""
    text = files("forcepool.games.europa").joinpath("profile.yaml").read_text("utf-8")
    profile: Profile = shape(read_yaml(text, "profile.yaml"), (), Profile, {Fraction: parse_points})
    book = rulebook()
    for clause in (*(each.clause for each in profile.numbers.values()), *(each.clause for each in profile.rp_costs)):
        book[clause]
    return profile
