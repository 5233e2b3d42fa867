"""The numbers and names this game is played by: data, each number with its clause.

The profile folder holds a file a chapter; together they make the profile of the house rule set.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from msgspec import Struct, field

from forcepool.files.yamltext import Document
from forcepool.games.europa.unit_types import Described
from forcepool.scenarios.profiles import Date, Number, charts_of, read_profile

HOME = "forcepool.games.europa"


class CalendarData(Struct, frozen=True, forbid_unknown_fields=True):
    """How a month divides into turns, and whether they are numbered I, II or 1, 2."""

    turns_per_month: int
    roman: bool = False


class Nation(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A nationality: its points serve its own units only (52.C/4)."""

    side: str
    adjective: str = ""
    also: tuple[str, ...] = ()
    """What else it is called."""
    major: bool = False
    contingent_of: str = ""
    """The major power whose contingent it belongs to (52.E)."""
    country: str = ""
    """The country it fights for where it is one camp of a civil war."""
    own_track: bool = False
    """Its pool belongs to no MD or front, so that what it buys waits on a track of its own (52.D.2.e/1)."""


class Size(Struct, frozen=True, forbid_unknown_fields=True):
    """What a unit's size means: REs, and the zone of control it exerts at full strength and below it."""

    re: Fraction
    zone: str
    reduced_zone: str = ""
    reduced_re: Fraction | None = None
    """REs of a cadre or remnant, where it counts for less."""
    remnant_re: Fraction | None = None
    """REs of a remnant, where it counts for less than a cadre."""


class RpCost(Described, frozen=True, kw_only=True):
    """A line of the RP COSTS CHART: which units pay which share of their cost in which kind of RP."""

    shares: dict[str, Fraction]
    clause: str
    to_cadre: dict[str, Fraction] = field(default_factory=dict)
    """The shares from eliminated to cadre, where they are others."""
    to_full: dict[str, Fraction] = field(default_factory=dict)
    """The shares from cadre to full strength, where they are others."""
    types: tuple[str, ...] = ()
    """Types written exactly so, where words in them would take in too much."""
    sides: tuple[str, ...] = ()
    role: str = ""
    """A role of the profile's that the unit must have, such as c/m."""
    attack_from: int = 0
    """The least attack strength."""


class RpTypes(Struct, frozen=True, forbid_unknown_fields=True):
    """Which kinds of RP a side receives."""

    kinds: tuple[str, ...]
    clause: str
    sides: tuple[str, ...] = ()


class Profile(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a campaign takes from the rule set rather than from its scenario."""

    title: str
    calendar: CalendarData
    players: tuple[str, ...]
    phases: tuple[str, ...]
    """In the order of the rulebook's ruling (51.A/2)."""
    nations: dict[str, Nation]
    points: tuple[str, ...]
    zones: tuple[str, ...]
    sizes: dict[str, Size]
    roles: dict[str, tuple[str, ...]] = {}
    hq_sizes: dict[str, str] = {}
    """The size of an HQ by its words, where its counter shows none."""
    numbers: dict[str, Number] = {}
    dates: dict[str, Date] = {}
    phase_orders: dict[str, tuple[str, ...]] = {}
    """The other orders of the phases, by the option of the ruling that plays them (51.A/2)."""
    phase_names: dict[str, str] = {}
    """What this rule set calls the phases, where it has other words for them."""
    mother_countries: dict[str, str] = {}
    """The nation that a country without forces of its own belongs to: colonies, mandates and the like."""

    def called(self) -> dict[str, str]:
        """Each nation by all it is called, in small letters: Germany and German."""
        return {name.casefold(): name for name in self.nations} | {
            word.casefold(): name
            for name, nation in self.nations.items()
            for word in (nation.adjective, *nation.also)
            if word
        }

    def nations_of(self, side: str) -> list[str]:
        """The nations of a side, its major powers first; the first of them holds what belongs to the side."""
        ours = [name for name, nation in self.nations.items() if nation.side.casefold() == side.strip().casefold()]
        return sorted(ours, key=lambda each: (not self.nations[each].major, each))


@cache
def shipped() -> Profile:
    """The profile of the house rule set."""
    return read_profile(HOME, Profile)


@cache
def shipped_charts() -> Mapping[str, tuple[Document, tuple[str, ...]]]:
    """Where each chart of the profile stands: its file, and the path in it."""
    return charts_of(HOME)
