"""A chapter: what one heading of the rules adds to the game."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from forcepool.engine.command import Command
from forcepool.engine.events import Event
from forcepool.engine.facts import Fact
from forcepool.engine.state import State
from forcepool.engine.switches import Switch
from forcepool.engine.verdicts import Rule
from forcepool.engine.world import Agenda, Happens, Shows

if TYPE_CHECKING:
    from forcepool.games.europa.world import EuropaWorld

Opening = Callable[["EuropaWorld", State], Iterator[Event]]
"""What is already so when a campaign begins: allowances of the month, points saved before the first turn."""


class Chapter(Struct, frozen=True, kw_only=True):
    """Commands, facts, switches and what comes about by itself, under one heading."""

    heading: str
    commands: tuple[type[Command], ...] = ()
    facts: tuple[Fact, ...] = ()
    forbids: Mapping[str, tuple[Rule[Any], ...]] = {}
    """Rules that may forbid the declaration of a fact, by the fact's name."""
    switches: tuple[Switch, ...] = ()
    opening: tuple[Opening, ...] = ()
    happens: tuple[Happens, ...] = ()
    ends: tuple[Happens, ...] = ()
    agenda: tuple[Agenda, ...] = ()
    shows: tuple[Shows, ...] = ()
    charts: Mapping[str, Any] = {}
    """Charts a scenario may give, by name: `tuple[Row, ...]` or `dict[str, Row]`; the profile's rows come after."""
    boxes: Mapping[str, str] = {}
    """Kinds of box and track, with the words a player reads."""
    points: tuple[str, ...] = ()
    """Kinds of point beyond inf, arm and art."""
