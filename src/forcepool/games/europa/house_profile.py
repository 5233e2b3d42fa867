"""A profile of a group's own: only what differs from the profile beneath it, checked word by word with its line."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path as FilePath
from typing import Any

from msgspec import Struct
from msgspec.structs import fields, replace

from forcepool.engine.calendar import BadTurn, Calendar
from forcepool.engine.switches import Switch, find
from forcepool.files.beside import is_file, is_folder, leads_out
from forcepool.files.problems import BadFile, Problem
from forcepool.files.scalars import suggestion
from forcepool.files.shape import shape
from forcepool.files.yamltext import Document, Path, read_yaml, read_yaml_file
from forcepool.games.europa.profile import CalendarData, Nation, Profile, Size, shipped, shipped_charts
from forcepool.rulebook.book import UnknownClause
from forcepool.rulebook.book import load as rulebook
from forcepool.scenarios.profiles import PARSERS

ENDING = ".yaml"
WEEK = "_week"
"""The end of a number's name that tells which turn of a month something happens on."""


class Overlay(Struct, frozen=True, forbid_unknown_fields=True):
    """One file of a profile: what it says otherwise than the profile beneath."""

    title: str = ""
    based_on: str = ""
    """The profile beneath; left out, the house rule set's own."""
    calendar: CalendarData | None = None
    players: tuple[str, ...] = ()
    """The same players in another order of play."""
    phase_names: dict[str, str] = {}
    nations: dict[str, Nation] = {}
    mother_countries: dict[str, str] = {}
    sizes: dict[str, Size] = {}
    roles: dict[str, tuple[str, ...]] = {}
    hq_sizes: dict[str, str] = {}
    house_rules: dict[str, str] = {}
    numbers: dict[str, Fraction] = {}
    dates: dict[str, str] = {}
    charts: dict[str, Any] = {}


class RuleSet(Struct, frozen=True):
    """What a campaign is played by: the profile, the charts of it, and the rulings it prefers."""

    profile: Profile
    charts: Mapping[str, Any] = {}
    house_rules: Mapping[str, str] = {}


class Known(Struct, frozen=True):
    """What the chapters of the rules let a profile speak of: charts by name, and switches."""

    charts: Mapping[str, Any]
    switches: tuple[Switch, ...]


def profile_names() -> list[str]:
    """The profiles that ship beside the house rule set's own."""
    return sorted(each.name for each in _shipped_folder().iterdir() if each.is_dir() and _files_in(each))


def rule_set(name: str, known: Known, beside: str = "", above: tuple[str, ...] = ()) -> RuleSet:
    """The rule set of a name or a folder; `beside` is the file that asks, `above` the profiles that lean on it."""
    if not name:
        return RuleSet(shipped(), _own_charts(known))
    where = _found(name, beside)
    known_as = str(where.resolve() if isinstance(where, FilePath) else where)
    if known_as in above:
        raise ValueError(f"the profile '{name}' leans on itself; put another after based_on")
    return _Reader(where, known, (*above, known_as)).read()


def _own_charts(known: Known) -> dict[str, Any]:
    """The charts of the house rule set."""
    found = ((name, _own_chart(name, type_)) for name, type_ in known.charts.items())
    return {name: chart for name, chart in found if chart}


@cache
def _own_chart(name: str, type_: Any) -> Any:
    found = shipped_charts().get(name)
    return shape(found[0], found[1], type_, PARSERS) if found else None


def _shipped_folder() -> Traversable:
    return files("forcepool.games.europa").joinpath("profiles")


def _found(name: str, beside: str) -> Traversable:
    """A shipped profile by name; what is written as a path is a folder or a file beside the one that names it."""
    if "/" in name or "\\" in name or name.endswith(ENDING):
        if leads_out(name, beside):
            raise ValueError(f"the profile '{name}' leads out of this file's folder; give its path from that folder on")
        path = FilePath(beside).parent / name
        if is_file(path) or (is_folder(path) and _files_in(path)):
            return path
        what = f"no {ENDING} file in it" if is_folder(path) else "no such folder or file"
        raise ValueError(f"the profile '{name}' cannot be read: there is {what}; it is looked for beside this file")
    if name in profile_names():
        return _shipped_folder().joinpath(name)
    known = profile_names()
    hint = suggestion(name, known) or f"profiles are {', '.join(known)}, or ./FOLDER for one of your own"
    raise ValueError(f"there is no profile '{name}'; {hint}")


def _files_in(folder: Traversable) -> list[Traversable]:
    return sorted((each for each in folder.iterdir() if each.name.endswith(ENDING)), key=lambda each: each.name)


class _Reader:
    """Lays the files of one profile over the profile beneath, gathering every problem with its line."""

    def __init__(self, where: Traversable, known: Known, above: tuple[str, ...]) -> None:
        self.known, self.above = known, above
        self.parts = list(self.read_parts(where))
        self.problems: list[Problem] = []

    def read_parts(self, where: Traversable) -> Iterator[tuple[Document, Overlay]]:
        for file in [where] if where.is_file() else _files_in(where):
            # Only a package that is read from an archive has files that are no paths.
            if isinstance(file, FilePath):
                document = read_yaml_file(file)
            else:
                document = read_yaml(file.read_text("utf-8"), file.name)
            yield document, shape(document, (), Overlay, PARSERS)

    def read(self) -> RuleSet:
        self.told_twice()
        beneath = self.beneath()
        profile = beneath.profile
        charts, house_rules = dict(beneath.charts), dict(beneath.house_rules)
        for document, part in self.parts:
            profile = self.laid_over(profile, document, part)
            charts |= self.charts(document, part)
            house_rules |= self.house_rules(document, part)
        found = RuleSet(profile, charts, house_rules)
        if not self.problems:
            self.problems += self.not_in_this_calendar(found)
        if self.problems:
            raise BadFile(self.problems)
        return found

    def told_twice(self) -> None:
        """Two files of one profile may not say the same thing."""
        seen: set[Path] = set()
        for document, part in self.parts:
            for path in _said(part):
                if path in seen:
                    self.bad(document, path, f"'{path[-1]}' stands in another file of this profile too", at_key=True)
                seen.add(path)

    def beneath(self) -> RuleSet:
        for document, part in self.parts:
            if part.based_on:
                try:
                    return rule_set(part.based_on, self.known, document.file, self.above)
                except ValueError as error:
                    raise BadFile([document.problem(("based_on",), str(error))]) from None
        return rule_set("", self.known)

    def bad(self, document: Document, path: Path, message: str, hint: str = "", *, at_key: bool = False) -> None:
        self.problems.append(document.problem(path, message, hint, at_key=at_key))

    def is_known(self, document: Document, path: Path, noun: str, names: list[str]) -> bool:
        name = str(path[-1])
        if name in names:
            return True
        hint = suggestion(name, names) or f"the profile has {', '.join(sorted(names))}"
        self.bad(document, path, f"there is no {noun} '{name}'", hint, at_key=True)
        return False

    def laid_over(self, profile: Profile, document: Document, part: Overlay) -> Profile:
        numbers, dates = dict(profile.numbers), dict(profile.dates)
        for name, value in part.numbers.items():
            if self.is_known(document, ("numbers", name), "number", list(numbers)):
                numbers[name] = replace(numbers[name], value=value)
        for name, turn in part.dates.items():
            if self.is_known(document, ("dates", name), "date", list(dates)):
                dates[name] = replace(dates[name], turn=turn)
        if part.players and sorted(part.players) != sorted(profile.players):
            self.bad(
                document,
                ("players",),
                "the players are not those of the rules",
                f"{', '.join(profile.players)}, in any order",
            )
        for phase in part.phase_names:
            self.is_known(document, ("phase_names", phase), "phase", list(profile.phases))
        nations = {**profile.nations, **part.nations}
        for country, nation in part.mother_countries.items():
            if nation not in nations:
                hint = suggestion(nation, list(nations)) or f"the profile has {', '.join(sorted(nations))}"
                self.bad(document, ("mother_countries", country), f"there is no nation '{nation}'", hint)
        return replace(
            profile,
            title=part.title or profile.title,
            calendar=part.calendar or profile.calendar,
            players=part.players or profile.players,
            phase_names={**profile.phase_names, **part.phase_names},
            nations=nations,
            mother_countries={**profile.mother_countries, **part.mother_countries},
            sizes={**profile.sizes, **part.sizes},
            roles={**profile.roles, **part.roles},
            hq_sizes={**profile.hq_sizes, **part.hq_sizes},
            numbers=numbers,
            dates=dates,
        )

    def charts(self, document: Document, part: Overlay) -> dict[str, Any]:
        """A chart takes the place of the one beneath, whole; a scenario's lines still come before it."""
        found = {}
        for name in part.charts:
            path: Path = ("charts", name)
            if self.is_known(document, path, "chart", list(self.known.charts)):
                try:
                    found[name] = shape(document, path, self.known.charts[name], PARSERS)
                except BadFile as bad:
                    self.problems += bad.problems
                    continue
                self.cites(document, path, found[name])
        return found

    def cites(self, document: Document, path: Path, chart: Any) -> None:
        """The clause of a line must be one of the rulebook's."""
        rows: Iterable[tuple[str | int, Any]] = chart.items() if isinstance(chart, Mapping) else enumerate(chart)
        for key, row in rows:
            clause = getattr(row, "clause", "")
            try:
                if clause:
                    rulebook()[clause]
            except UnknownClause as error:
                self.bad(document, (*path, key, "clause"), str(error.args[0]))

    def house_rules(self, document: Document, part: Overlay) -> dict[str, str]:
        found = {}
        for name, option in part.house_rules.items():
            try:
                switch = find(self.known.switches, name)
                found[switch.key] = switch.option(option).name
            except ValueError as error:
                self.bad(document, ("house_rules", name), str(error))
        return found

    def not_in_this_calendar(self, found: RuleSet) -> Iterator[Problem]:
        """Dates and turns of the month beneath that the calendar does not have must be given anew."""
        profile = found.profile
        most = profile.calendar.turns_per_month
        calendar = Calendar(most, profile.calendar.roman)
        for name, date in sorted(profile.dates.items()):
            try:
                calendar.parse(date.turn)
            except BadTurn as error:
                yield self.at(("dates", name), f"the date '{name}', {error}", "give it under dates")
        for name, number in sorted(profile.numbers.items()):
            if name.endswith(WEEK) and number.value > most:
                message = f"'{name}' is turn {number.value} of a month, which has {most}"
                yield self.at(("numbers", name), message, "give it under numbers")
        for name, chart in sorted(found.charts.items()):
            rows = chart.values() if isinstance(chart, Mapping) else chart
            for week in sorted({week for row in rows for week in getattr(row, "weeks", ()) if week > most}):
                message = f"the chart '{name}' speaks of turn {week} of a month, which has {most}"
                yield self.at(("charts", name), message, "give it under charts")

    def at(self, path: Path, message: str, hint: str) -> Problem:
        """The problem where this profile speaks of the thing, else at its calendar, else at its head."""
        for wanted in (path, ("calendar",)):
            for document, part in self.parts:
                if wanted in _said(part):
                    return document.problem(wanted, message, hint)
        return self.parts[0][0].problem((), message, hint)


def _said(part: Overlay) -> Iterator[Path]:
    """Everything a file says, as the paths of its names: a group name by name, the rest as a whole."""
    for field in fields(part):
        value = getattr(part, field.name)
        if isinstance(value, dict):
            yield from ((field.name, name) for name in value)
        elif value:
            yield (field.name,)
