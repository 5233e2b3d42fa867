"""Scenario files of this game, and the `given` of its cases: the same words, read by the same reader."""

from fractions import Fraction
from typing import Any

from forcepool.engine.calendar import Calendar
from forcepool.engine.facts import Fact
from forcepool.engine.state import State, Unit, add_unit
from forcepool.engine.units import Strength, UnitSpec
from forcepool.files.yamltext import Document, Path
from forcepool.games.eastern_front.profile import Profile, shipped
from forcepool.games.eastern_front.set_up import check
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
from forcepool.scenarios import reading
from forcepool.scenarios.given import Amounts, by_name, record, stated
from forcepool.scenarios.given import given_type as common_type

ODD, EVEN = "odd", "even"
MONTHS = {ODD: (1, 3, 5, 7, 9, 11), EVEN: (2, 4, 6, 8, 10, 12)}

KEYS = {"track": ("turn",), "reserves": ("turn",), "replacements": ("nation", "turn"), "capacity": ("side",)}
"""What names a row in tables of this game."""
HELPS = {
    "country": "whose country it lies in",
    "annexed": "taken in since 1939",
    "drawn": "where it is drawn: how far east; how far south",
    "ends": "the two points it joins",
    "kind": "what it is, or what it makes",
    "letter": "the letter of one that expands production",
    "months": "odd, even, or the months by number",
    "printed": "the point it is printed at",
    "native": "one that is in Siberia from the start",
}


def given_type(facts: tuple[Fact, ...]) -> Any:
    """Everything a scenario or a case may state, facts of every chapter included."""
    where = tuple[int, int] | None
    place = [("country", str, ""), ("annexed", bool, False), ("drawn", where, None), *stated(facts, "place")]
    point = record("PointGiven", place)
    line = record("LineGiven", [("ends", tuple[str, str]), ("kind", str, "rail"), *stated(facts, "line")])
    factory = [
        ("kind", str),
        ("letter", str, ""),
        ("months", tuple[int, ...] | str, ()),
        ("printed", str, ""),
        ("native", bool, False),
        ("at", str, ""),
        *stated(facts, "unit"),
    ]
    dated = dict[str, Amounts]
    own = [
        ("turn", str, "Jun 41"),
        ("start", str, ""),
        ("player", str, "Soviet"),
        ("phase", str, "replacement/reinforcement"),
        ("points", by_name(point), {}),
        ("lines", by_name(line), {}),
        ("factories", by_name(record("FactoryGiven", factory)), {}),
        ("track", dated, {}),
        ("reserves", dated, {}),
        ("replacements", dict[str, dated], {}),
        ("capacity", dict[str, int | dict[str, int]], {}),
        ("from_start", bool, False),
    ]
    return common_type(facts, own)


class Reader(reading.Reader):
    """Reads what this game's files say beside what those of every game do: points, lines, factories, the turn track."""

    def __init__(self, document: Document, path: Path, words: reading.Words) -> None:
        super().__init__(document, path, words)
        self.calendar = Calendar(turns_per_month=shipped().calendar.turns_per_month)

    # ------------------------------------------------------------------------------------- what stays fixed

    def setting(self) -> Setting:
        given, profile = self.given, self.profile()
        return Setting(
            profile=profile,
            start=self.turn(self.calendar, given.start or given.turn, ("start",) if given.start else ("turn",)),
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

    def world(self, setting: Setting) -> EasternWorld:
        return EasternWorld(self.words.game, setting)

    def profile(self) -> Profile:
        for name, turn in self.given.dates.items():
            self.turn(self.calendar, turn, ("dates", name))
        return self.laid_over(shipped())

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
            points[name] = Point(country, each.annexed, each.drawn)
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
            found[str(self.turn(self.calendar, text, (*path, text)))] = amounts
        return found

    def capacity(self, profile: Profile) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for side, rows in self.given.capacity.items():
            if side not in profile.players:
                self.bad(("capacity", side), f"there is no side '{side}'", f"sides are {', '.join(profile.players)}")
            if isinstance(rows, int):
                found[side] = {"0": rows}
            else:
                found[side] = {
                    str(self.turn(self.calendar, text, ("capacity", side, text))): moves for text, moves in rows.items()
                }
        return found

    # --------------------------------------------------------------------------------------- what may change

    def fill(self, world: EasternWorld, state: State) -> None:
        super().fill(world, state)
        for name, given in self.given.factories.items():
            self.factory(world, state, name, given)
        for name, given in self.given.points.items():
            self.facts(world, state, "place", name, given, ("points", name))
        for name, given in self.given.lines.items():
            self.facts(world, state, "line", name, given, ("lines", name))

    def check(self, world: EasternWorld, state: State) -> None:
        for path, message in check(world, state) if self.given.from_start else ():
            self.bad(path, message)

    def spec(self, world: EasternWorld, state: State, name: str, given: Any) -> UnitSpec | None:
        spec = super().spec(world, state, name, given)
        if spec and not world.kind_name(spec):
            self.warnings.append(f"{name}: no kind of unit of this game is a {spec.type} {spec.size}")
        return spec

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
