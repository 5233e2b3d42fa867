"""A chapter: what one heading of the rules adds to the game."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from forcepool.engine import chapter
from forcepool.engine.command import Also, Command, Question
from forcepool.engine.events import Event
from forcepool.engine.game import Game
from forcepool.engine.ledger import Price
from forcepool.engine.state import State, Unit
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import No, Remedy, Verdict
from forcepool.orderofbattle.model import Entry

if TYPE_CHECKING:
    from forcepool.games.europa.charts import Charts
    from forcepool.games.europa.facts import EuropaFacts
    from forcepool.games.europa.world import EuropaWorld

Permit = Callable[[Any, "Part"], Verdict | None]
"""Asked of a part of a payment that is not the unit's own: yes, no with the clause, or None to leave it to others."""

Fills = Callable[[Any, str, str, str, Fraction], Iterator[Remedy]]
"""Told a purchase, and a pool that lacks so many points of a nation and kind: how it could come by them, and when."""

Mixes = Callable[[Any], Iterator["Part"]]
"""Told a purchase: the points of other nations or kinds that may pay a part of it, each with the most there may be."""

ChangesPrice = Callable[[Any, Price], Price]
ChangesTime = Callable[[Any, int], int]
DrawsOn = Callable[[Any, str, str], tuple[str, str] | None]
Payers = Callable[["EuropaWorld", State, Unit], Iterator[str]]
Shares = Callable[["Charts", UnitSpec], Mapping[str, Fraction] | None]

Site = Callable[[Any], Verdict | None]
"""Asked of the hex a due unit is to be placed in, before the general rule: yes, no with the clause, or None."""


Brings = Callable[["EuropaWorld", State, Entry], list[Event] | No]
"""Told an entry of the order of battle that has come: what it brings, or why it cannot come about yet."""


ListedFor = Callable[["EuropaWorld", State, Unit], tuple[str, ...]]


Ways = Callable[["EuropaWorld", State, Entry], Iterator[Command]]


class Duty(Struct, frozen=True):
    """A verb that obliges: its clause, and the ways to give its command for an entry."""

    clause: str
    ways: Ways


class Part(Struct, frozen=True):
    """A part of a price paid in other points than the unit's own: of another nation, or of another kind."""

    amount: Fraction
    kind: str
    nation: str
    instead_of: str
    """The kind of point it stands for in the price."""


class Chapter(chapter.Chapter, frozen=True, kw_only=True):
    """What a heading adds to this game beside what one adds to any."""

    permits: tuple[Permit, ...] = ()
    """Who else's points may pay for a unit, or which other kind."""
    mixes: tuple[Mixes, ...] = ()
    """Which of those are worth offering for a purchase, and how much of each at most."""
    fills: tuple[Fills, ...] = ()
    """How a pool that is short could come by more."""
    prices: tuple[ChangesPrice, ...] = ()
    """How this heading changes what a purchase costs, in the order of the chapters."""
    times: tuple[ChangesTime, ...] = ()
    """How it changes the turns a purchase takes."""
    comes_about: Mapping[str, Brings] = {}
    """What an entry of the order of battle brings about by itself, by its verb."""
    duties: Mapping[str, Duty] = {}
    """What an entry obliges its owner to, by its verb."""
    listed_for: tuple[ListedFor, ...] = ()
    """How to tell the MDs that a reinforcement is listed for and that are not lost."""
    stands: Mapping[str, tuple[Also, ...]] = {}
    """What follows from a fact that a campaign begins with, by the fact's name: as a rule, what its declaration brings
    about, unless that is an event such as a capture, which lies before the first turn."""
    draws_on: tuple[DrawsOn, ...] = ()
    """Which pool, and whose points, a part of a price comes from where it is not the payer's own."""
    payers: tuple[Payers, ...] = ()
    """The pools, beside those of the areas and the nation, that might pay for a unit."""
    shares: tuple[Shares, ...] = ()
    """How this heading divides a unit's cost into kinds of RP; None leaves it to the general chart."""
    charts: Mapping[str, Any] = {}
    """Charts a scenario may give, by name: `tuple[Row, ...]` or `dict[str, Row]`; the profile's rows come after."""
    pools: tuple[str, ...] = ()
    """Pools it keeps that belong to no area, by the first word of their names: 'capacity' for capacity/axis."""
    sites: tuple[Site, ...] = ()
    """Where else than by the general rule a due unit may be placed, and where it may not: a factory's output."""


class EuropaGame(Game, frozen=True, kw_only=True):
    """The game with what its chapters say of purchases."""

    permits: tuple[Permit, ...] = ()
    mixes: tuple[Mixes, ...] = ()
    fills: tuple[Fills, ...] = ()
    prices: tuple[ChangesPrice, ...] = ()
    times: tuple[ChangesTime, ...] = ()
    draws_on: tuple[DrawsOn, ...] = ()
    payers: tuple[Payers, ...] = ()
    shares: tuple[Shares, ...] = ()
    kept_pools: tuple[str, ...] = ()
    sites: tuple[Site, ...] = ()
    comes_about: Mapping[str, Brings] = {}
    duties: Mapping[str, Duty] = {}
    listed_for: tuple[ListedFor, ...] = ()
    as_a_reinforcement: Callable[[Any], Question] | None = None
    """How a disrupted unit that is placed is asked about as the reinforcement it is."""
    with_map: "Callable[[EuropaWorld, State], EuropaFacts] | None" = None
    """The facts of a campaign that has a hex map."""
