"""Scenario files of this game, and the `given` of its cases: the same words, read by the same reader."""

from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from forcepool.engine import codec
from forcepool.engine.events import Value
from forcepool.engine.facts import subject_key
from forcepool.engine.hexmap.drawing import Drawing
from forcepool.engine.state import Mark, State
from forcepool.engine.units import STEPS, UnitSpec
from forcepool.files.beside import is_named, text_beside
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import Document, Path
from forcepool.games.europa.atlas import Spot
from forcepool.games.europa.chart_nations import Names
from forcepool.games.europa.given import OB
from forcepool.games.europa.house_profile import Known, RuleSet, rule_set
from forcepool.games.europa.mapfacts.laying import add_areas, add_spots, drawn_facts, map_named
from forcepool.games.europa.place_words import area_in_words, box_in_words
from forcepool.games.europa.profile import Profile
from forcepool.games.europa.world import LOCAL, NATIONAL, Area, EuropaWorld, Setting
from forcepool.orderofbattle.aircraft import parse_aircraft
from forcepool.orderofbattle.model import Entry
from forcepool.orderofbattle.reading import parse
from forcepool.orderofbattle.unit_strings import Parsed
from forcepool.scenarios import reading


class Words(reading.Words, frozen=True, kw_only=True):
    """What the chapters let a file speak of."""

    charts: Mapping[str, Any]


class Reader(reading.Reader):
    """Reads what this game's files say beside what those of every game do: areas, places, charts, order of battle."""

    def __init__(self, document: Document, path: Path, words: Words) -> None:
        super().__init__(document, path, words)
        self.rules = self.rule_set()
        self.map: Drawing | None = None
        self.drawn: tuple[tuple[str, str, Value], ...] = ()

    # ------------------------------------------------------------------------------- what stays fixed

    def setting(self) -> Setting:
        self.map = map_named(self.given.map, self.document, (*self.path, "map"))
        areas = self.areas()
        spots = self.spots(areas)
        return Setting(self.profile(), areas, spots, self.charts(), self.map)

    def world(self, setting: Setting) -> EuropaWorld:
        return EuropaWorld(self.words.game, setting, self.words.charts)

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
        profile = self.laid_over(self.rules.profile)
        return msgspec.structs.replace(profile, players=self.players(profile))

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
            ours = self.for_nations(name, getattr(self.given.charts, name, None))
            theirs = self.rules.charts.get(name)
            if isinstance(ours, dict) or isinstance(theirs, dict):
                chart: Any = {**(theirs or {}), **(ours or {})}
            else:
                chart = (*(ours or ()), *(theirs or ()))
            if chart:
                found[name] = msgspec.Raw(codec.encode(chart))
        return found

    def for_nations(self, name: str, chart: Any) -> Any:
        """The lines a file gives of a chart, with the nations and sides they are for by name."""
        if not chart:
            return chart
        names = Names(self.rules.profile, self.rules.charts)
        for where, message, hint in names.unknown(chart):
            self.bad(("charts", name, *where), message, hint)
        return names.named(chart)

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
                within = _listed(areas, _area_id("front", area.front) or _area_id("theatre", area.theatre))
                areas[_area_id(kind, name)] = Area(within, self.country(area.country))
        for pool in given.pools:
            kept = pool.partition("/")[0].casefold() in self.words.game.kept_pools
            if not kept and not pool.startswith((NATIONAL, LOCAL)):
                self._mention(areas, area_in_words(pool).casefold())
        for unit in given.units.values():
            box = self.box(unit.at).partition(" ")[2].casefold()
            # A name of two words is known by its list; of one that nobody lists the first word is taken.
            if (
                "/" in box
                and not box.startswith((NATIONAL, LOCAL))
                and not any(f"{_plain(box)} ".startswith(f"{_plain(area)} ") for area in areas)
            ):
                self._mention(areas, box.split()[0])
        if self.map is not None:
            add_areas(self.map, areas)
        for within in [area.within for area in areas.values() if area.within]:
            areas.setdefault(within, Area())
        return areas

    def box(self, text: str) -> str:
        """Where a unit is, a box in a file's own words."""
        return box_in_words(text, self.words.game.box_names, self.rules.profile.called())

    def country(self, name: str) -> str:
        """'German' is Germany; a country that fields no units of its own keeps the name it is given."""
        for nation, known in self.rules.profile.nations.items():
            if name and name.casefold() in map(str.casefold, (nation, known.adjective, *known.also)):
                return nation
        return name

    def _mention(self, areas: dict[str, Area], name: str) -> None:
        kind, slash, _ = name.partition("/")
        if not slash:
            name = f"front/{kind}"
        areas.setdefault(_listed(areas, name), Area())

    def spots(self, areas: dict[str, Area]) -> dict[str, Spot]:
        spots: dict[str, Spot] = {}
        for name, place in self.given.places.items():
            area = _listed(areas, _area_id("md", place.md) or _area_id("front", place.front))
            if area:
                areas.setdefault(area, Area())
            if place.md and place.front:
                front = _listed(areas, _area_id("front", place.front))
                areas[area] = msgspec.structs.replace(areas[area], within=front)
                areas.setdefault(front, Area())
            spots[name] = Spot(area=area, hex=place.hex)
        if self.map is not None:
            hexes, problems = add_spots(self.map, spots, self.document, (*self.path, "places"))
            self.problems += problems
            self.drawn = () if problems else tuple(drawn_facts(hexes, spots))
            return spots
        for unit in self.given.units.values():
            first = self.box(unit.at).partition(" ")[0]
            if unit.at not in ("", "out", "out of play") and first not in self.words.game.box_names:
                spots.setdefault(unit.at, Spot())
        return spots

    # ------------------------------------------------------------------------------- what may change

    def switches(self) -> dict[str, str]:
        return {**self.rules.house_rules, **super().switches()}

    def first_turn(self, world: EuropaWorld) -> str:
        return self.given.turn or world.profile.dates["historical_invasion"].turn

    def fill(self, world: EuropaWorld, state: State) -> None:
        super().fill(world, state)
        for name, fact, value in self.drawn:
            state.marks.setdefault(subject_key("place", name), {})[fact] = Mark(value, state.clock.player_turn, "")
        for name, given in self.given.places.items():
            self.facts(world, state, "place", name, given, ("places", name))
        for section, kind in (("theatres", "theatre"), ("fronts", "front"), ("mds", "md")):
            for name, given in getattr(self.given, section).items():
                self.facts(world, state, "area", _area_id(kind, name), given, (section, name))
        if self.given.campaign is not None:
            self.facts(world, state, "campaign", "", self.given.campaign, ("campaign",))

    def spec(self, world: EuropaWorld, state: State, name: str, given: Any) -> UnitSpec | None:
        spec, path = super().spec(world, state, name, given), ("units", name, "as")
        step = given.as_.casefold()
        if step not in STEPS:
            self.bad(path, f"'{given.as_}' is no strength", f"it is one of {', '.join(STEPS)}")
        elif spec and not spec.has(step):
            self.bad(path, f"{name} has no {step} strength", "write its cadre in ( ) and its remnant in [ ]")
        return spec and msgspec.structs.replace(
            world.sized(spec),
            force=given.force or spec.force,
            affiliation=given.affiliation,
            re=given.re if given.re is not None else spec.re,
            cadre_re=given.cadre_re if given.cadre_re is not None else spec.cadre_re,
        )

    def parsed(self, text: str) -> Parsed:
        aircraft = parse_aircraft(text)
        return Parsed(1, aircraft) if aircraft else super().parsed(text)

    def nation_of(self, world: EuropaWorld, state: State, given: Any) -> str:
        """The one nation whose points the file gives is that of its units too."""
        alone = len(self.with_points) == 1 and not given.nation
        return next(iter(self.with_points)) if alone else super().nation_of(world, state, given)


def _plain(name: str) -> str:
    """'md/central-asian' and 'md/central asian' are one area."""
    return name.replace("-", " ")


def _listed(areas: Collection[str], name: str) -> str:
    """The area that is listed under a name, with a blank or a hyphen; else the name itself."""
    if name in areas:
        return name
    return next((area for area in areas if _plain(area) == _plain(name)), name)


def _area_id(kind: str, name: str) -> str:
    """'Centre' under fronts is front/centre; a name written in full stays as it is."""
    if not name:
        return ""
    return name.casefold() if "/" in name else f"{kind}/{name.casefold()}"
