"""An order of battle as data: which units come, change and go, when, where and on what terms."""

from fractions import Fraction
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.calendar import Calendar, Turn
from forcepool.engine.units import UnitSpec
from forcepool.files.problems import Problem

NOT_UNDERSTOOD = "not understood"
"""The verb of a line that was kept as it stands because it could not be read."""

HELD = "? "
"""What stands before a line that is kept until someone says what it means: a heading so marked holds nothing."""


class PlaceSpec(Struct, frozen=True, omit_defaults=True):
    """Where an entry happens: one kind of place, its names, and the larger place around it."""

    kind: str
    names: tuple[str, ...] = ()
    edge: str = ""
    hexes: tuple[str, ...] = ()
    """The hexes of a map edge, or the hex a sea place is measured from."""
    distance: int = 0
    """How many hexes from there at most; 0 when the entry does not say."""
    inside: "PlaceSpec | None" = None


class Item(Struct, frozen=True, omit_defaults=True):
    """One thing an entry speaks of: units of one kind, an amount of points, or a force as a whole."""

    count: int = 1
    how_many: str = ""
    """`any` for any number, `up to` for the count at most, nothing for exactly the count."""
    spec: UnitSpec | None = None
    designations: tuple[str, ...] = ()
    state: str = ""
    """The side or condition it comes in: cadre, unsupported, aborted and the like."""
    traits: tuple[str, ...] = ()
    contingent: str = ""
    """The nation of a foreign contingent, which is never ignored."""
    points: dict[str, Fraction] = {}
    force: str = ""
    """The words for a force that is not listed unit by unit."""


class Condition(Struct, frozen=True, omit_defaults=True):
    """What must hold before an entry takes effect; a state is looked at when due, an event stays true."""

    kind: str
    text: str
    holds: bool = True


class Guard(Struct, frozen=True, omit_defaults=True):
    """What the scenario must be like for an entry to count at all."""

    kind: str
    of: str
    holds: bool = True


class Link(Struct, frozen=True, omit_defaults=True):
    """The partner of an entry: the turn it becomes full, returns or was withdrawn, or the assembly it waits for."""

    kind: str
    turn: str = ""
    what: str = ""


class Entry(Struct, frozen=True, omit_defaults=True):
    """One line of an order of battle with all that the headings above it say."""

    key: str
    line: int
    verb: str
    turn: str = ""
    side: str = ""
    nation: str = ""
    force: str = ""
    affiliation: str = ""
    section: PlaceSpec | None = None
    items: tuple[Item, ...] = ()
    results: tuple[Item, ...] = ()
    place: PlaceSpec | None = None
    source: PlaceSpec | None = None
    arrival: str = ""
    cost: dict[str, Fraction] = {}
    yields: dict[str, Fraction] = {}
    rebuild: dict[str, Fraction] = {}
    """What raising the cadre to full strength costs, for a withdrawal that may take either."""
    conditions: tuple[Condition, ...] = ()
    guards: tuple[Guard, ...] = ()
    links: tuple[Link, ...] = ()
    note: str = ""
    """The order of battle's own words; for a line that was not understood, the line itself."""
    under: str = ""
    """For a line that was not understood, the verb it stood under."""
    comments: tuple[str, ...] = ()
    """The remarks that stand above it or behind it in the file."""


class OrderOfBattle(Struct, frozen=True):
    """A whole order of battle, with every line that could not be read and every guess that was made."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    title: str = ""
    turns_a_month: int = 4
    comments: tuple[str, ...] = ()
    """The remarks behind the last entry."""
    roman: bool = False
    """Whether its turns are named Jul II 41 rather than Jul 2 41."""

    @property
    def calendar(self) -> Calendar:
        """The calendar its turns are written in."""
        return Calendar(self.turns_a_month, self.roman)

    def turn_of(self, entry: Entry) -> Turn | None:
        """The turn an entry falls due, or None when it waits for a condition only."""
        return _turn(self.turns_a_month, entry.turn) if entry.turn else None


@lru_cache(maxsize=1 << 12)
def _turn(turns_a_month: int, name: str) -> Turn:
    # A long order of battle names the same few turns on every line.
    return Calendar(turns_a_month).parse(name).turn


def content(ob: OrderOfBattle) -> OrderOfBattle:
    """The same order of battle without line numbers, problems and warnings, to compare two by what they say."""
    return replace(ob, entries=tuple(replace(entry, line=0) for entry in ob.entries), problems=(), warnings=())


class Finding(Struct, frozen=True, order=True):
    """Something in an order of battle that cannot be right, with the clause it goes against and the remedy."""

    line: int
    clause: str
    text: str
    hint: str = ""
