"""Scenario files, and the `given` of cases: read the same way in every game, each problem with its line.

A game that has more to say than calendar, pools and units derives a reader of its own.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from forcepool.engine import codec
from forcepool.engine.calendar import Calendar, Clock, Turn
from forcepool.engine.chapter import Opening
from forcepool.engine.facts import subject_key
from forcepool.engine.game import Game, SetUp
from forcepool.engine.ledger import SETUP, Account
from forcepool.engine.points import parse_points
from forcepool.engine.state import Mark, State, Unit, add_unit, evolve, index_marks
from forcepool.engine.switches import find
from forcepool.engine.units import FULL, UnitSpec
from forcepool.engine.world import World
from forcepool.files.problems import BadFile, Problem
from forcepool.files.shape import shape
from forcepool.files.yamltext import Document, Path
from forcepool.orderofbattle.unit_strings import BadUnit, Parsed, parse_unit
from forcepool.scenarios.tabled import with_tables

PARSERS = {Fraction: parse_points}
T = TypeVar("T")


class Words(Struct, frozen=True):
    """What a game lets a file speak of."""

    game: Game
    given: Any
    """The type of what is stated, made by `given_type`."""
    opening: tuple[Opening, ...] = ()
    setting: Any = None
    """What the journal's first entry keeps, in a game whose files have no say in it."""
    keys: Mapping[str, tuple[str, ...]] = {}
    """What the names in a section are called in a table of it, where that is not its name in the singular."""
    helps: Mapping[str, str] = {}
    """What a game's own fields are for, in a few words."""


class Reader:
    """Turns what a file states into a world and a state, gathering every problem with its line."""

    def __init__(self, document: Document, path: Path, words: Any) -> None:
        self.document, self.path, self.words = with_tables(document, path, words), path, words
        self.given: Any = shape(self.document, path, words.given, PARSERS)
        self.problems: list[Problem] = []
        self.warnings: list[str] = []
        self.with_points: set[str] = set()
        """The nations of whose points the file speaks."""

    def read(self) -> SetUp:
        """The beginning of a campaign, or BadFile with all that is wrong."""
        setting = self.setting()
        self.stop_if_bad()
        world = self.world(setting)
        state = State(clock=Clock(Turn(0), 0, 0), switches=self.switches())
        state.clock = self.clock(world, state)
        self.fill(world, state)
        index_marks(state)
        self.stop_if_bad()
        self.check(world, state)
        self.stop_if_bad()
        self.open(world, state)
        return SetUp(
            self.given.title, codec.encode(setting), state, tuple(self.warnings), self.given.dice, self.document
        )

    def bad(self, path: Path, message: str, hint: str = "") -> None:
        self.problems.append(self.document.problem((*self.path, *path), message, hint))

    def stop_if_bad(self) -> None:
        if self.problems:
            raise BadFile(self.problems)

    def tried(self, path: Path, read: Callable[..., T], *said: Any) -> T | None:
        """What was said, as it is understood; what is not becomes a problem at its place."""
        try:
            return read(*said)
        except ValueError as error:
            self.bad(path, str(error))
            return None

    # ------------------------------------------------------------------------------------ what stays fixed

    def setting(self) -> Any:
        """What the journal's first entry keeps."""
        return self.words.setting

    def world(self, setting: Any) -> World:
        return self.words.game.build(codec.encode(setting))  # type: ignore[no-any-return]

    def laid_over(self, profile: T) -> T:
        """A profile with the numbers and dates that the file gives otherwise."""
        theirs: Any = profile
        numbers, dates = dict(theirs.numbers), dict(theirs.dates)
        for section, known, field in (("numbers", numbers, "value"), ("dates", dates, "turn")):
            for name, said in getattr(self.given, section).items():
                if name in known:
                    known[name] = msgspec.structs.replace(known[name], **{field: said})
                else:
                    noun, hint = section.removesuffix("s"), f"the profile has {', '.join(sorted(known))}"
                    self.bad((section, name), f"there is no {noun} '{name}'", hint)
        found: T = msgspec.structs.replace(theirs, numbers=numbers, dates=dates)
        return found

    def turn(self, calendar: Calendar, text: str, path: Path) -> Turn:
        parsed = self.tried(path, calendar.parse, text)
        self.warnings += parsed.warnings if parsed else ()
        return parsed.turn if parsed else Turn(0)

    # -------------------------------------------------------------------------------------- what may change

    def fill(self, world: Any, state: State) -> None:
        """All that the file says of how things stand."""
        self.pools(world, state)
        for name, given in self.given.units.items():
            self.unit(world, state, name, given)
        for name, given in self.given.nations.items():
            nation = self.tried(("nations", name), world.nation_named, name)
            if nation is not None:
                self.facts(world, state, "nation", nation, given, ("nations", name))

    def check(self, world: Any, state: State) -> None:
        """What is wrong with a whole set-up of which no single word is."""

    def open(self, world: Any, state: State) -> None:
        """What is so when a campaign begins."""
        for opening in self.words.opening:
            try:
                evolve(state, list(opening(world, state)))
            except ValueError as error:
                self.bad(("charts",) if getattr(self.given, "charts", None) is not None else (), str(error))
                raise BadFile(self.problems) from None

    def first_turn(self, world: Any) -> str:
        return str(self.given.turn)

    def clock(self, world: World, state: State) -> Clock:
        given, sequence, order = self.given, world.sequence, world.order_of_phases(state)
        turn = self.turn(world.calendar, self.first_turn(world), ("turn",))
        player = self.tried(("player",), sequence.player_index, given.player or sequence.players[0])
        named = given.phase or sequence.phases_of(0)[0]
        phase = self.tried(("phase",), lambda: sequence.phase_index(named, order=order))
        return Clock(turn, player or 0, phase or 0, order)

    def switches(self) -> dict[str, str]:
        chosen = {}
        for name, option in self.given.house_rules.items():
            switch = self.tried(("house_rules", name), find, self.words.game.switches, name)
            played = self.tried(("house_rules", name), switch.option, option) if switch else None
            if switch and played:
                chosen[switch.key] = played.name
        return chosen

    def pools(self, world: World, state: State) -> None:
        for pool, by_nation in self.given.pools.items():
            for nation, amounts in by_nation.items():
                path: Path = ("pools", pool, nation)
                holder = self.tried(path, world.pool_named, pool)
                whose = self.tried(path, world.holder_named, holder, nation) if holder is not None else None
                if whose is None:
                    continue
                self.with_points.add(whose)
                for kind, amount in amounts.items():
                    of = self.tried((*path, kind), world.kind_named, kind)
                    for account, sign in ((holder, 1), (SETUP, -1)):
                        key = Account(str(account), whose, of or "")
                        state.balances[key] = state.balances.get(key, Fraction(0)) + sign * amount

    def unit(self, world: World, state: State, name: str, given: Any) -> None:
        path: Path = ("units", name)
        before = len(self.problems)
        spec = self.spec(world, state, name, given)
        place = self.tried((*path, "at"), world.parse_place, given.at)
        if spec is None or place is None or len(self.problems) > before:
            return
        add_unit(state, Unit(name, spec, place, getattr(given, "as_", FULL).casefold()))
        self.facts(world, state, "unit", name, given, path)

    def spec(self, world: Any, state: State, name: str, given: Any) -> UnitSpec | None:
        """What a counter is: its string, and what the file adds to it."""
        path: Path = ("units", name)
        try:
            parsed = self.parsed(given.spec)
        except BadUnit as error:
            self.bad((*path, "spec"), str(error))
            return None
        self.warnings += [f"{name}: {warning}" for warning in parsed.warnings]
        nation = self.tried((*path, "nation"), self.own_nation, world, state, given, parsed.spec.nation)
        traits = (*parsed.spec.traits, *given.traits)
        return None if nation is None else msgspec.structs.replace(parsed.spec, nation=nation, traits=traits)

    def parsed(self, text: str) -> Parsed:
        return parse_unit(text)

    def own_nation(self, world: Any, state: State, given: Any, written: str) -> str:
        """The nation the file gives a unit, else the one inside its string, else that of its player."""
        return str(world.nation_named(written)) if written and not given.nation else self.nation_of(world, state, given)

    def nation_of(self, world: Any, state: State, given: Any) -> str:
        """A unit without a nation belongs to the first nation of the player whose turn it is."""
        sides: Mapping[str, str] = world.sides
        if given.nation:
            return str(world.nation_named(given.nation))
        side = world.phasing(state)
        return next(nation for nation, whose in sides.items() if whose == side)

    def facts(self, world: World, state: State, kind: str, name: str, given: Any, path: Path) -> None:
        """The facts that are stated of a thing."""
        for fact in self.words.game.facts:
            value = getattr(given, fact.name, None) if kind in fact.on and fact.by_hand else None
            if value is None:
                continue
            try:
                parsed = world.a_side(fact.read(value, world.calendar))
                world.check_fact(fact, parsed)
            except ValueError as error:
                self.bad((*path, fact.name), str(error))
                continue
            marks = state.marks.setdefault(subject_key(kind, name) if name else kind, {})
            marks[fact.name] = Mark(parsed, state.clock.player_turn, "")
