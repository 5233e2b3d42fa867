"""What a game brings along: its commands, words, habits and everything the engine asks it for."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from forcepool.engine.facts import Fact
from forcepool.engine.lint import Lint
from forcepool.engine.switches import TABLE_RULES, Switch
from forcepool.engine.verdicts import Rule, Verdict
from forcepool.files.yamltext import Document, Path

if TYPE_CHECKING:
    from forcepool.engine.agenda import Item
    from forcepool.engine.command import Command
    from forcepool.engine.events import Event
    from forcepool.engine.hexmap.tracing import Draws, LineKind, Traces
    from forcepool.engine.pasting import Reader
    from forcepool.engine.state import State, Unit
    from forcepool.engine.units import UnitSpec
    from forcepool.engine.world import World

Happens = Callable[["World", "State"], Iterator["Event"]]
"""What comes about by itself when a phase begins."""

Agenda = Callable[["World", "State"], Iterator["Item"]]

Shows = Callable[["World", "State", "Unit"], Iterator["Effect"]]


class Effect(Struct, frozen=True):
    """Something that holds for a unit and matters on the map: 'may not fire AA'."""

    text: str
    clause: str


class Habit(Struct, frozen=True):
    """When a bot thinks of a command, and how often in a phase at most."""

    phases: tuple[str, ...]
    most: int
    on_map: bool = False
    """Whether it tells of fighting and moving on the map, which a bot that minds a rear area leaves to the players."""
    planned: bool = False
    """Whether it brings units back or makes them stronger, so that a plan may hold it."""
    early: bool = False
    """Whether it brings in at once, for nothing, points that come by themselves as the phase ends: a plan has it where
    it spends them in that phase."""


class Carries(Struct, frozen=True):
    """The order that moves points from pool to pool, and how its amounts are read and written."""

    order: type["Command"]
    reads: Callable[[Any, Any], Mapping[str, Fraction]]
    """From the world and an order to its amounts."""
    writes: Callable[[Any, Mapping[str, Fraction]], "Command"]
    """From an order to the same with other amounts."""


class TaskWords(Struct, frozen=True):
    """How a game calls what a clause puts on the checklist, and the page on which that is done."""

    title: str
    page: str = ""


class Game(Struct, frozen=True):
    """A game: a folder of rules that registers itself under its name."""

    name: str
    title: str
    commands: tuple[type["Command"], ...]
    build: Callable[[bytes], "World"]
    """From the data in the journal's first entry to the world."""
    set_up: Callable[[Document, Path], "SetUp"]
    """From a scenario file, or the `given` of a case, to the beginning of a campaign."""
    switches: tuple[Switch, ...] = ()
    facts: tuple[Fact, ...] = ()
    happens: tuple[Happens, ...] = ()
    """What comes about when a phase begins: receipts, arrivals, releases."""
    ends: tuple[Happens, ...] = ()
    """What comes about as a phase ends, while it is still on: what lapses, what is counted up."""
    shows: tuple[Shows, ...] = ()
    """Effects on play outside our subject, shown on a unit while they hold."""
    agenda: tuple[Agenda, ...] = ()
    due: tuple[Agenda, ...] = ()
    """Those of them that tell what is due."""
    pastes: "Reader | None" = None
    """Reads losses that were pasted as lines of text."""
    loses: type["Command"] | None = None
    """The command by which a unit on the map is lost, or a step of it."""
    guards: Mapping[type["Command"], tuple[Rule[Any], ...]] = {}
    """Rules that other headings add to a command's own."""
    also: Mapping[type["Command"], tuple[Callable[[Any], Iterator["Event"]], ...]] = {}
    """What other headings add to what a command does."""
    waivers: Mapping[str, tuple[Callable[[Any], Verdict | None], ...]] = {}
    """What may set a refusal aside, by the clause that refuses: a national rule that differs from a general one."""
    means: Mapping[type["Command"], Callable[[Any, "State", Any], "Command"]] = {}
    """What an order stands for, where another heading carries it out by an order of its own."""
    declared: Mapping[str, tuple[Callable[[Any], Iterator["Event"]], ...]] = {}
    """What a declaration brings about at once, by the fact's name: a captured city loses what it had stored."""
    habits: Mapping[str, Habit] = {}
    """How often, and in which phases, a bot gives a command."""
    carries: "Carries | None" = None
    """How points are moved from pool to pool, for a plan to choose from."""
    worth: Callable[[Any, "UnitSpec", str], Fraction] | None = None
    """What a unit on the map at a step counts in a plan; its strength points where a game says nothing."""
    views: Mapping[str, Callable[..., Any]] = {}
    """What pages show of this game beyond what every game has, by the page's name; plain data, no markup."""
    pages: str = ""
    """The module with what the game shows in the browser and tells programs beyond that: PAGES and OPERATIONS."""
    tasks: Mapping[str, TaskWords] = {}
    """How it calls what is on the checklist, by the clause, by clause and command, or by the command."""
    lines: tuple["LineKind", ...] = ()
    """The lines one can have traced on its map."""
    points: tuple[str, ...] = ()
    """Kinds of point its chapters add to the profile's."""
    traces: "Traces | None" = None
    """Traces lines on the map of a campaign that has one."""
    draws: "Draws | None" = None
    """Lists the hexes of that map, to be drawn."""
    subjects: Mapping[str, Callable[[str], str]] = {}
    """What markers of this game can be on beyond units, places, areas and nations, and how that is said."""
    transfers: Mapping[tuple[str, str], str] = {}
    """What it is called when points go from one book to another, where the names of the books do not tell."""
    box_names: Mapping[str, str] = {}
    """Kinds of place beyond hex, track and out of play, with the words a player reads."""
    words: Callable[[], Any] | None = None
    """What its scenario files may speak of, for whoever writes tables to fill in."""
    lint: tuple[Lint, ...] = ()
    """What may be wrong in a scenario of this game, each looking for its own."""
    owners: Mapping[str, Callable[[Any, "State", str], str]] = {}
    """The side of a marked thing that only its owner knows of, by its kind: an entry of the order of battle."""

    @property
    def house_rules(self) -> tuple[Switch, ...]:
        """All that a group may decide its own way: the rulings of the game, then how they play together."""
        return (*self.switches, *TABLE_RULES)


class SetUp(Struct, frozen=True):
    """The beginning of a campaign: what its first entry will hold."""

    title: str
    world: bytes
    state: "State"
    warnings: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    """Results a case gives in advance."""
    document: Document | None = None
    """The file as it was read, with the rows of the tables it names in it."""
