"""Scenario files of this game, and the `given` of its cases: the same words, read by the same reader."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct

from forcepool.engine import codec
from forcepool.engine.calendar import Clock, Turn
from forcepool.engine.chapter import Opening
from forcepool.engine.events import Value
from forcepool.engine.facts import Fact, subject_key
from forcepool.engine.hexmap.drawing import Drawing
from forcepool.engine.ledger import SETUP, Account
from forcepool.engine.state import Mark, State, Unit, add_unit, evolve, index_marks
from forcepool.engine.switches import find
from forcepool.engine.units import STEPS, UnitSpec
from forcepool.engine.world import SetUp
from forcepool.files.beside import is_named, text_beside
from forcepool.files.problems import BadFile, Problem
from forcepool.files.shape import shape
from forcepool.files.yamltext import Document, Path
from forcepool.games.europa.atlas import Spot
from forcepool.games.europa.chapter import EuropaGame
from forcepool.games.europa.given import OB
from forcepool.games.europa.house_profile import Known, RuleSet, rule_set
from forcepool.games.europa.mapfacts.laying import add_areas, add_spots, drawn_facts, map_named
from forcepool.games.europa.profile import PARSERS, Profile
from forcepool.games.europa.world import LOCAL, NATIONAL, Area, EuropaWorld, Setting
from forcepool.orderofbattle.aircraft import parse_aircraft
from forcepool.orderofbattle.model import Entry
from forcepool.orderofbattle.reading import parse
from forcepool.orderofbattle.unit_strings import BadUnit, Parsed, parse_unit


class Words(Struct, frozen=True):
    """What the chapters let a file speak of."""

    game: EuropaGame
    given: Any
    facts: tuple[Fact, ...]
    charts: Mapping[str, Any]
    opening: tuple[Opening, ...]


class Reader:
    """Turns what a file states into a world and a state, gathering every problem with its line."""

    def __init__(self, document: Document, path: Path, words: Words) -> None:
        self.document, self.path, self.words = document, path, words
        self.given: Any = shape(document, path, words.given, PARSERS)
        self.rules = self.rule_set()
        self.problems: list[Problem] = []
        self.warnings: list[str] = []
        self.map: Drawing | None = None
        self.drawn: tuple[tuple[str, str, Value], ...] = ()

    def bad(self, path: Path, message: str, hint: str = "") -> None:
        self.problems.append(self.document.problem((*self.path, *path), message, hint))

    def read(self) -> SetUp:
        self.map = map_named(self.given.map, self.document, (*self.path, "map"))
        areas = self.areas()
        spots = self.spots(areas)
        setting = Setting(self.profile(), areas, spots, self.charts(), self.map)
        if self.problems:
            raise BadFile(self.problems)
        world = EuropaWorld(self.words.game, setting, self.words.charts)
        state = self.state(world, areas)
        if self.problems:
            raise BadFile(self.problems)
        for opening in self.words.opening:
            try:
                evolve(state, list(opening(world, state)))
            except ValueError as error:
                self.bad(("charts",) if self.given.charts is not None else (), str(error))
                raise BadFile(self.problems) from None
        return SetUp(self.given.title, codec.encode(setting), state, tuple(self.warnings), self.given.dice)

    # ------------------------------------------------------------------------------- what stays fixed

    def rule_set(self) -> RuleSet:
        """The profile the file asks for, shipped or of the group's own, or the house rule set's."""
        try:
            known = Known(
                {name: type_ for name, type_ in self.words.charts.items() if name != OB}, self.words.game.switches
            )
            return rule_set(self.given.profile, known, self.document.file)
        except ValueError as error:
            raise BadFile([self.document.problem((*self.path, "profile"), str(error))]) from None

    def profile(self) -> Profile:
        profile, given = self.rules.profile, self.given
        numbers = dict(profile.numbers)
        for name, value in given.numbers.items():
            if name in numbers:
                numbers[name] = msgspec.structs.replace(numbers[name], value=value)
            else:
                self.bad(
                    ("numbers", name), f"there is no number '{name}'", f"the profile has {', '.join(sorted(numbers))}"
                )
        dates = dict(profile.dates)
        for name, turn in given.dates.items():
            if name in dates:
                dates[name] = msgspec.structs.replace(dates[name], turn=turn)
            else:
                self.bad(("dates", name), f"there is no date '{name}'", f"the profile has {', '.join(sorted(dates))}")
        return msgspec.structs.replace(profile, numbers=numbers, dates=dates, players=self.players(profile))

    def players(self, profile: Profile) -> tuple[str, ...]:
        """Those who have a part in this war, in the order of the rules; left out, all of them."""
        for name in self.given.players:
            if name not in profile.players:
                self.bad(("players",), f"'{name}' is no player", f"the players are {', '.join(profile.players)}")
        return tuple(each for each in profile.players if each in self.given.players) or profile.players

    def charts(self) -> dict[str, Any]:
        """Each chart with the scenario's rows before the profile's, so that the first that fits is the scenario's."""
        found = {}
        for name in self.words.charts:
            if name == OB:
                if entries := self.order_of_battle():
                    found[name] = msgspec.Raw(codec.encode(entries))
                continue
            ours = getattr(self.given.charts, name, None)
            theirs = self.rules.charts.get(name)
            if isinstance(ours, dict) or isinstance(theirs, dict):
                chart: Any = {**(theirs or {}), **(ours or {})}
            else:
                chart = (*(ours or ()), *(theirs or ()))
            if chart:
                found[name] = msgspec.Raw(codec.encode(chart))
        return found

    def ob_text(self) -> tuple[str, str]:
        """The order of battle, written out or in a file beside this one, and the name it is known by."""
        if not is_named(self.given.ob, ".ob"):
            return self.given.ob, "order of battle"
        try:
            return text_beside(self.given.ob, self.document.file), self.given.ob.strip()
        except ValueError as error:
            self.bad((OB,), str(error))
            return "", ""

    def order_of_battle(self) -> tuple[Entry, ...]:
        """The entries of the order of battle a file gives as text, with the line of each that cannot be read."""
        calendar = self.rules.profile.calendar
        ob = parse(*self.ob_text(), turns_a_month=calendar.turns_per_month, roman=calendar.roman)
        if ob.turns_a_month != calendar.turns_per_month:
            self.bad(
                (OB,),
                f"the order of battle is written for {ob.turns_a_month} turns a month, play has "
                f"{calendar.turns_per_month}",
                "leave 'turns a month' out of it, or name the profile it was written for",
            )
        for problem in ob.problems:
            self.bad((OB,), f"line {problem.line} of the order of battle: {problem.message}", problem.hint)
        self.warnings += [f"line {each.line} of the order of battle: {each.message}" for each in ob.warnings]
        return ob.entries

    def areas(self) -> dict[str, Area]:
        """Those listed, and those that a pool or a box mentions without more being known of them."""
        given = self.given
        areas: dict[str, Area] = {}
        for kind, listed in (("theatre", given.theatres), ("front", given.fronts), ("md", given.mds)):
            for name, area in listed.items():
                within = _area_id("front", area.front) or _area_id("theatre", area.theatre)
                areas[_area_id(kind, name)] = Area(within, self.country(area.country))
        for pool in given.pools:
            kept = pool.partition("/")[0].casefold() in self.words.game.kept_pools
            if not kept and not pool.startswith((NATIONAL, LOCAL)):
                self._mention(areas, pool.casefold())
        for unit in given.units.values():
            box = unit.at.partition(" ")[2].casefold()
            # A name of two words is known by its list; of one that nobody lists the first word is taken.
            if (
                "/" in box
                and not box.startswith((NATIONAL, LOCAL))
                and not any(f"{box} ".startswith(f"{area} ") for area in areas)
            ):
                self._mention(areas, box.split()[0])
        if self.map is not None:
            add_areas(self.map, areas)
        for within in [area.within for area in areas.values() if area.within]:
            areas.setdefault(within, Area())
        return areas

    def country(self, name: str) -> str:
        """'German' is Germany; a country that fields no units of its own keeps the name it is given."""
        for nation, known in self.rules.profile.nations.items():
            if name and name.casefold() in (nation.casefold(), known.adjective.casefold()):
                return nation
        return name

    def _mention(self, areas: dict[str, Area], name: str) -> None:
        kind, slash, _ = name.partition("/")
        if not slash:
            name = f"front/{kind}"
        areas.setdefault(name, Area())

    def spots(self, areas: dict[str, Area]) -> dict[str, Spot]:
        spots: dict[str, Spot] = {}
        for name, place in self.given.places.items():
            area = _area_id("md", place.md) or _area_id("front", place.front)
            if area:
                areas.setdefault(area, Area())
            if place.md and place.front:
                areas[area] = msgspec.structs.replace(areas[area], within=_area_id("front", place.front))
                areas.setdefault(areas[area].within, Area())
            spots[name] = Spot(area=area, hex=place.hex)
        if self.map is not None:
            hexes, problems = add_spots(self.map, spots, self.document, (*self.path, "places"))
            self.problems += problems
            self.drawn = () if problems else tuple(drawn_facts(hexes, spots))
            return spots
        for unit in self.given.units.values():
            first = unit.at.partition(" ")[0]
            if unit.at not in ("", "out", "out of play") and first not in self.words.game.box_names:
                spots.setdefault(unit.at, Spot())
        return spots

    # ------------------------------------------------------------------------------- what may change

    def state(self, world: EuropaWorld, areas: dict[str, Area]) -> State:
        switches = self.switches(world)
        state = State(clock=self.clock(world, world.order_by(switches)), switches=switches)
        nations = self.pools(world, state)
        default = nations[0] if len(nations) == 1 else ""
        for name, given in self.given.units.items():
            unit = self.unit(world, name, given, default)
            if unit is not None:
                add_unit(state, unit)
                self.facts(world, state, "unit", name, given, ("units", name))
        for name, fact, value in self.drawn:
            state.marks.setdefault(subject_key("place", name), {})[fact] = Mark(value, state.clock.player_turn, "")
        for name, given in self.given.places.items():
            self.facts(world, state, "place", name, given, ("places", name))
        for section, kind in (("theatres", "theatre"), ("fronts", "front"), ("mds", "md")):
            for name, given in getattr(self.given, section).items():
                self.facts(world, state, "area", _area_id(kind, name), given, (section, name))
        for name, given in self.given.nations.items():
            try:
                self.facts(world, state, "nation", world.nation_named(name), given, ("nations", name))
            except ValueError as error:
                self.bad(("nations", name), str(error))
        if self.given.campaign is not None:
            self.facts(world, state, "campaign", "", self.given.campaign, ("campaign",))
        index_marks(state)
        return state

    def clock(self, world: EuropaWorld, order: int) -> Clock:
        given, calendar, sequence = self.given, world.calendar, world.sequence
        turn, player, phase = 0, 0, 0
        for field, read in (
            ("turn", lambda: calendar.parse(given.turn or world.profile.dates["historical_invasion"].turn)),
            ("player", lambda: sequence.player_index(given.player or sequence.players[0])),
            ("phase", lambda: sequence.phase_index(given.phase, order=order)),
        ):
            try:
                value: Any = read()
            except ValueError as error:
                self.bad((field,), str(error))
                continue
            if field == "turn":
                turn = value.turn
                self.warnings += value.warnings
            elif field == "player":
                player = value
            else:
                phase = value
        return Clock(Turn(turn), player, phase, order)

    def switches(self, world: EuropaWorld) -> dict[str, str]:
        chosen = dict(self.rules.house_rules)
        for name, option in self.given.house_rules.items():
            try:
                switch = find(world.game.switches, name)
                chosen[switch.key] = switch.option(option).name
            except ValueError as error:
                self.bad(("house_rules", name), str(error))
        return chosen

    def pools(self, world: EuropaWorld, state: State) -> list[str]:
        nations: dict[str, None] = {}
        for pool, by_nation in self.given.pools.items():
            for nation, amounts in by_nation.items():
                path: Path = ("pools", pool, nation)
                try:
                    holder, whose = world.pool_named(pool), world.nation_named(nation)
                except ValueError as error:
                    self.bad(path, str(error))
                    continue
                nations[whose] = None
                for kind, amount in amounts.items():
                    if kind not in world.kinds_of_point:
                        self.bad(
                            (*path, kind),
                            f"there are no '{kind}' points",
                            f"kinds are {', '.join(world.kinds_of_point)}",
                        )
                    for account, sign in ((Account(holder, whose, kind), 1), (Account(SETUP, whose, kind), -1)):
                        state.balances[account] = state.balances.get(account, Fraction(0)) + sign * amount
        return list(nations)

    def unit(self, world: EuropaWorld, name: str, given: Any, default_nation: str) -> Unit | None:
        path: Path = ("units", name)
        problems = len(self.problems)
        spec = self.spec(world, name, given, default_nation)
        try:
            place = world.parse_place(given.at)
        except ValueError as error:
            self.bad((*path, "at"), str(error))
            return None
        if given.as_ not in STEPS:
            self.bad((*path, "as"), f"'{given.as_}' is no strength", f"it is one of {', '.join(STEPS)}")
        elif spec and not spec.has(given.as_):
            self.bad(
                (*path, "as"), f"{name} has no {given.as_} strength", "write its cadre in ( ) and its remnant in [ ]"
            )
        if spec is None or len(self.problems) > problems:
            return None
        return Unit(name, spec, place, given.as_)

    def spec(self, world: EuropaWorld, name: str, given: Any, default_nation: str) -> UnitSpec | None:
        path: Path = ("units", name)
        try:
            aircraft = parse_aircraft(given.spec)
            parsed = Parsed(1, aircraft) if aircraft else parse_unit(given.spec)
            nation = world.nation_named(given.nation) if given.nation else default_nation or self._only_nation(world)
        except BadUnit as error:
            self.bad((*path, "spec"), str(error))
            return None
        except ValueError as error:
            self.bad((*path, "nation"), str(error))
            return None
        self.warnings += [f"{name}: {warning}" for warning in parsed.warnings]
        return msgspec.structs.replace(
            world.sized(parsed.spec),
            nation=nation,
            force=given.force,
            affiliation=given.affiliation,
            traits=(*parsed.spec.traits, *given.traits),
            re=given.re,
            cadre_re=given.cadre_re if given.cadre_re is not None else parsed.spec.cadre_re,
        )

    def _only_nation(self, world: EuropaWorld) -> str:
        """A unit without a nation belongs to the first nation of the player whose turn it is."""
        player = self.given.player or world.sequence.players[0]
        index = world.sequence.player_index(player)
        side = world.sequence.players[index]
        return next(nation for nation, whose in world.sides.items() if whose == side)

    def facts(self, world: EuropaWorld, state: State, kind: str, name: str, given: Any, path: Path) -> None:
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
            marks = state.marks.setdefault(subject_key(kind, name) if name else kind, {})
            marks[fact.name] = Mark(parsed, state.clock.player_turn, "")


def _area_id(kind: str, name: str) -> str:
    """'Centre' under fronts is front/centre; a name written in full stays as it is."""
    if not name:
        return ""
    return name.casefold() if "/" in name else f"{kind}/{name.casefold()}"
