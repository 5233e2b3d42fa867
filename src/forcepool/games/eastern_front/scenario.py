"""Scenario files of this game, and the `given` of its cases: the same words, read by the same reader."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from types import GenericAlias
from typing import Any

import msgspec
from msgspec import Struct

from forcepool.engine import codec
from forcepool.engine.calendar import BadTurn, Calendar, Clock, Turn
from forcepool.engine.facts import NUMBER, WORDS, YES_NO, Fact, subject_key
from forcepool.engine.ledger import SETUP, Account
from forcepool.engine.state import Mark, State, Unit, add_unit, evolve
from forcepool.engine.switches import find
from forcepool.engine.units import Strength, UnitSpec
from forcepool.engine.world import Game, SetUp
from forcepool.files.problems import BadFile, Problem
from forcepool.files.shape import shape
from forcepool.files.yamltext import Document, Path
from forcepool.games.eastern_front.chapter import Comes
from forcepool.games.eastern_front.profile import PARSERS, Profile, shipped
from forcepool.games.eastern_front.world import (
    BOXES,
    EDGE,
    FACTORY,
    IN_SIBERIA,
    SIBERIA,
    SOVIET_UNION,
    UNUSED,
    Dated,
    EasternWorld,
    Line,
    Point,
    Setting,
    Works,
)
from forcepool.orderofbattle.unit_strings import BadUnit, parse_unit

ODD, EVEN = "odd", "even"
MONTHS = {ODD: (1, 3, 5, 7, 9, 11), EVEN: (2, 4, 6, 8, 10, 12)}


def _fields(facts: tuple[Fact, ...], kind: str) -> list[tuple[str, Any, Any]]:
    types: Mapping[str, Any] = {YES_NO: bool, NUMBER: int, WORDS: list[str]}
    return [(fact.name, types.get(fact.takes, str) | None, None) for fact in facts if kind in fact.on and fact.by_hand]


def _record(name: str, fields: list[Any]) -> Any:
    return msgspec.defstruct(name, fields, forbid_unknown_fields=True, frozen=True, kw_only=True)


def _by_name(record: Any) -> Any:
    return GenericAlias(dict, (str, record))


def given_type(facts: tuple[Fact, ...]) -> Any:
    """Everything a scenario or a case may state, facts of every chapter included."""
    point = _record("PointGiven", [("country", str, ""), ("annexed", bool, False), *_fields(facts, "place")])
    line = _record("LineGiven", [("ends", tuple[str, str]), ("kind", str, "rail"), *_fields(facts, "line")])
    unit = _record(
        "CounterGiven",
        [
            ("spec", str),
            ("at", str, "out of play"),
            ("nation", str, ""),
            ("traits", tuple[str, ...], ()),
            *_fields(facts, "unit"),
        ],
    )
    factory = _record(
        "FactoryGiven",
        [
            ("kind", str),
            ("letter", str, ""),
            ("months", tuple[int, ...] | str, ()),
            ("printed", str, ""),
            ("native", bool, False),
            ("at", str, ""),
            *_fields(facts, "unit"),
        ],
    )
    dated = dict[str, dict[str, Fraction]]
    return _record(
        "EasternGiven",
        [
            ("title", str, "a case"),
            ("turn", str, "Jun 41"),
            ("start", str, ""),
            ("player", str, "Soviet"),
            ("phase", str, "replacement/reinforcement"),
            ("house_rules", dict[str, str], {}),
            ("points", _by_name(point), {}),
            ("lines", _by_name(line), {}),
            ("nations", _by_name(_record("NationSaid", _fields(facts, "nation"))), {}),
            ("pools", dict[str, dict[str, dict[str, Fraction]]], {}),
            ("units", _by_name(unit), {}),
            ("factories", _by_name(factory), {}),
            ("track", dated, {}),
            ("reserves", dated, {}),
            ("replacements", dict[str, dated], {}),
            ("capacity", dict[str, int | dict[str, int]], {}),
            ("numbers", dict[str, Fraction], {}),
            ("dates", dict[str, str], {}),
            ("dice", tuple[int, ...], ()),
            # What a scenario file says of itself; cases leave it out.
            ("from_start", bool, False),
            ("scenario", str, ""),
            ("game", str, ""),
            ("notes", str, ""),
            ("illustrative", bool, False),
        ],
    )


class Words(Struct, frozen=True):
    """What the chapters let a file speak of."""

    game: Game
    given: Any
    facts: tuple[Fact, ...]
    opening: tuple[Comes, ...]
    check: Callable[[EasternWorld, State], Iterator[tuple[Path, str]]]
    """What is wrong with a set-up of the whole game."""


class Reader:
    """Turns what a file states into a world and a state, gathering every problem with its line."""

    def __init__(self, document: Document, path: Path, words: Words) -> None:
        self.document, self.path, self.words = document, path, words
        self.given: Any = shape(document, path, words.given, PARSERS)
        self.problems: list[Problem] = []
        self.warnings: list[str] = []
        self.calendar = Calendar(turns_per_month=shipped().calendar.turns_per_month)

    def bad(self, path: Path, message: str, hint: str = "") -> None:
        self.problems.append(self.document.problem((*self.path, *path), message, hint))

    def stop_if_bad(self) -> None:
        if self.problems:
            raise BadFile(self.problems)

    def read(self) -> SetUp:
        setting = self.setting()
        self.stop_if_bad()
        world = EasternWorld(self.words.game, setting)
        state = self.state(world)
        self.stop_if_bad()
        if self.given.from_start:
            for path, message in self.words.check(world, state):
                self.bad(path, message)
            self.stop_if_bad()
        for opening in self.words.opening:
            evolve(state, list(opening(world, state)))
        return SetUp(self.given.title, codec.encode(setting), state, tuple(self.warnings), self.given.dice)

    # ------------------------------------------------------------------------------------- what stays fixed

    def setting(self) -> Setting:
        given, profile = self.given, self.profile()
        return Setting(
            profile=profile,
            start=self.turn(given.start or given.turn, ("start",) if given.start else ("turn",)),
            points=self.points(profile),
            lines=self.lines(profile),
            works=self.works(profile),
            track=self.dated(given.track, profile, ("track",)),
            reserves=self.dated(given.reserves, profile, ("reserves",)),
            replacements={
                self.nation(profile, name, ("replacements", name)): self.dated(rows, profile, ("replacements", name))
                for name, rows in given.replacements.items()
            },
            capacity=self.capacity(profile),
        )

    def turn(self, text: str, path: Path) -> int:
        try:
            parsed = self.calendar.parse(text)
        except BadTurn as error:
            self.bad(path, str(error))
            return 0
        self.warnings += parsed.warnings
        return parsed.turn

    def profile(self) -> Profile:
        profile, given = shipped(), self.given
        numbers, dates = dict(profile.numbers), dict(profile.dates)
        for name, value in given.numbers.items():
            if name in numbers:
                numbers[name] = msgspec.structs.replace(numbers[name], value=value)
            else:
                self.bad(("numbers", name), f"there is no number '{name}'", f"there are {', '.join(sorted(numbers))}")
        for name, turn in given.dates.items():
            if name in dates:
                dates[name] = msgspec.structs.replace(dates[name], turn=turn)
                self.turn(turn, ("dates", name))
            else:
                self.bad(("dates", name), f"there is no date '{name}'", f"there are {', '.join(sorted(dates))}")
        return msgspec.structs.replace(profile, numbers=numbers, dates=dates)

    def nation(self, profile: Profile, text: str, path: Path) -> str:
        for name, nation in profile.nations.items():
            if text.casefold() in (name.casefold(), nation.adjective.casefold()):
                return name
        self.bad(path, f"there is no nation '{text}'", f"there are {', '.join(profile.nations)}")
        return text

    def points(self, profile: Profile) -> dict[str, Point]:
        """Those listed, and those that a unit, a factory or a line mentions without more being known of them."""
        given, points = self.given, {}
        for name, each in given.points.items():
            country = self.nation(profile, each.country, ("points", name, "country")) if each.country else ""
            points[name] = Point(country, each.annexed)
        mentioned = [end for line in given.lines.values() for end in line.ends if not end.endswith(EDGE)]
        mentioned += [each.at or each.printed for each in (*given.factories.values(),)]
        mentioned += [each.at for each in given.units.values()]
        for name in mentioned:
            first = name.partition(" ")[0].casefold()
            if name and first not in (*BOXES, "out"):
                points.setdefault(name, Point())
        return points

    def lines(self, profile: Profile) -> dict[str, Line]:
        lines = {}
        for name, each in self.given.lines.items():
            if each.kind not in profile.line_kinds:
                kinds = ", ".join(profile.line_kinds)
                self.bad(("lines", name, "kind"), f"there is no kind of line '{each.kind}'", f"there are {kinds}")
            for end in each.ends:
                edge = end.removesuffix(EDGE)
                if end.endswith(EDGE) and edge not in profile.edges:
                    self.bad(("lines", name), f"there is no {edge} edge", f"edges are {', '.join(profile.edges)}")
            lines[name] = Line(each.ends, each.kind)
        return lines

    def works(self, profile: Profile) -> dict[str, Works]:
        works = {}
        for name, each in self.given.factories.items():
            if each.kind not in profile.production and not each.native:
                kinds = ", ".join(profile.production)
                self.bad(("factories", name, "kind"), f"no factory makes '{each.kind}'", f"kinds are {kinds}")
            months = each.months
            if isinstance(months, str):
                if months not in MONTHS:
                    self.bad(("factories", name, "months"), "months are odd, even or a list such as [1, 4, 7]")
                months = MONTHS.get(months, ())
            elif not all(1 <= month <= 12 for month in months):
                self.bad(("factories", name, "months"), "months run from 1 to 12")
            works[name] = Works(each.kind, each.letter, months, each.printed, each.native)
        return works

    def dated(self, rows: dict[str, dict[str, Fraction]], profile: Profile, path: Path) -> Dated:
        found: Dated = {}
        for text, amounts in rows.items():
            for kind in amounts:
                if kind not in profile.points:
                    self.bad(
                        (*path, text, kind), f"there are no '{kind}' points", f"kinds are {', '.join(profile.points)}"
                    )
            found[str(self.turn(text, (*path, text)))] = amounts
        return found

    def capacity(self, profile: Profile) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for side, rows in self.given.capacity.items():
            if side not in profile.players:
                self.bad(("capacity", side), f"there is no side '{side}'", f"sides are {', '.join(profile.players)}")
            if isinstance(rows, int):
                found[side] = {"0": rows}
            else:
                found[side] = {str(self.turn(text, ("capacity", side, text))): moves for text, moves in rows.items()}
        return found

    # --------------------------------------------------------------------------------------- what may change

    def state(self, world: EasternWorld) -> State:
        state = State(clock=self.clock(world))
        self.switches(world, state)
        self.pools(world, state)
        for name, given in self.given.units.items():
            self.unit(world, state, name, given)
        for name, given in self.given.factories.items():
            self.factory(world, state, name, given)
        for name, given in self.given.points.items():
            self.facts(world, state, "place", name, given, ("points", name))
        for name, given in self.given.lines.items():
            self.facts(world, state, "line", name, given, ("lines", name))
        for name, given in self.given.nations.items():
            nation = self.nation(world.profile, name, ("nations", name))
            self.facts(world, state, "nation", nation, given, ("nations", name))
        return state

    def clock(self, world: EasternWorld) -> Clock:
        given, sequence = self.given, world.sequence
        player, phase = 0, 0
        try:
            player = sequence.player_index(given.player)
        except ValueError as error:
            self.bad(("player",), str(error))
        try:
            phase = sequence.phase_index(given.phase)
        except ValueError as error:
            self.bad(("phase",), str(error))
        return Clock(Turn(self.turn(given.turn, ("turn",))), player, phase)

    def switches(self, world: EasternWorld, state: State) -> None:
        for name, option in self.given.house_rules.items():
            try:
                switch = find(world.game.switches, name)
                state.switches[switch.key] = switch.option(option).name
            except ValueError as error:
                self.bad(("house_rules", name), str(error))

    def pools(self, world: EasternWorld, state: State) -> None:
        for pool, by_nation in self.given.pools.items():
            for nation, amounts in by_nation.items():
                for kind, amount in amounts.items():
                    try:
                        holder, whose, of = world.pool_named(pool), world.nation_named(nation), world.kind_named(kind)
                    except ValueError as error:
                        self.bad(("pools", pool, nation), str(error))
                        continue
                    for account, sign in ((Account(holder, whose, of), 1), (Account(SETUP, whose, of), -1)):
                        state.balances[account] = state.balances.get(account, Fraction(0)) + sign * amount

    def unit(self, world: EasternWorld, state: State, name: str, given: Any) -> None:
        path: Path = ("units", name)
        try:
            parsed = parse_unit(given.spec)
        except BadUnit as error:
            self.bad((*path, "spec"), str(error))
            return
        try:
            place = world.parse_place(given.at)
        except ValueError as error:
            self.bad((*path, "at"), str(error))
            return
        side = world.phasing(state)
        nation = self.nation(world.profile, given.nation, (*path, "nation")) if given.nation else world.leader(side)
        self.warnings += [f"{name}: {warning}" for warning in parsed.warnings]
        spec = msgspec.structs.replace(parsed.spec, nation=nation, traits=given.traits)
        if not world.kind_name(spec):
            self.warnings.append(f"{name}: no kind of unit of this game is a {spec.type} {spec.size}")
        add_unit(state, Unit(name, spec, place))
        self.facts(world, state, "unit", name, given, path)

    def factory(self, world: EasternWorld, state: State, name: str, given: Any) -> None:
        path: Path = ("factories", name)
        if name in state.units:
            self.bad(path, f"there is a unit '{name}' too", "give one of them another name")
            return
        default = UNUSED if given.letter else SIBERIA if given.native else given.printed
        try:
            place = world.parse_place(given.at or default)
        except (ValueError, IndexError):
            self.bad(path, f"say where {name} is", "at: a point, siberia, unused, or track and a turn")
            return
        defence = world.number("factory_defence")
        spec = UnitSpec(Strength(0, defence, 0), given.kind.title(), FACTORY, nation=SOVIET_UNION)
        add_unit(state, Unit(name, spec, IN_SIBERIA if given.native else place))
        self.facts(world, state, "unit", name, given, path)

    def facts(self, world: EasternWorld, state: State, kind: str, name: str, given: Any, path: Path) -> None:
        for fact in self.words.facts:
            value = getattr(given, fact.name, None) if kind in fact.on and fact.by_hand else None
            if value is None:
                continue
            try:
                parsed = fact.read(value, world.calendar)
                world.check_fact(fact, parsed)
            except ValueError as error:
                self.bad((*path, fact.name), str(error))
                continue
            marks = state.marks.setdefault(subject_key(kind, name), {})
            marks[fact.name] = Mark(parsed, state.clock.player_turn, "")
