"""The theatre of war as points and lines: the map, the counters of the factories, the turn track, and the names."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct

from forcepool.engine import codec
from forcepool.engine.calendar import Calendar, Sequence, Turn
from forcepool.engine.command import BadCommand
from forcepool.engine.events import Value
from forcepool.engine.facts import Fact, subject_key
from forcepool.engine.game import Game
from forcepool.engine.ledger import SINK, SOURCE
from forcepool.engine.places import HEX, OUT_OF_PLAY, TRACK, Place, at_hex, on_track
from forcepool.engine.sentence import Told
from forcepool.engine.standing import CLAIM, POOL, Standing
from forcepool.engine.state import State, Unit
from forcepool.engine.units import UnitSpec
from forcepool.engine.world import World
from forcepool.games.eastern_front.facts import CONTROL, SIDES_WITH, EasternFacts
from forcepool.games.eastern_front.profile import Kind, LineKind, Profile
from forcepool.games.eastern_front.siberian_lines import OWNER

SOVIET_UNION = OWNER
SOVIET = "Soviet"
AXIS = "Axis"

SIBERIA = "siberia"
DEAD = "dead"
UNUSED = "unused"
DESTROYED = "destroyed"
ASIDE = "aside"
COMING = "reinforcements"
FACTORIES = "factories"
BOXES = {
    SIBERIA: "Siberia",
    DEAD: "dead pile",
    UNUSED: "unused counters",
    DESTROYED: "destroyed factories",
    ASIDE: "counters set aside",
    COMING: "reinforcements",
    TRACK: "turn record track",
}
IN_SIBERIA = Place(SIBERIA)
DEAD_PILE = Place(DEAD)

FACTORY = "Factory"
EDGE = " edge"

SYMBOLS = "siberia"
RESERVES = "reserves"
REPLACEMENTS = "replacements"
CAPACITY = "strategic/"
MOVES = "moves"
POOLS = (SYMBOLS, RESERVES, REPLACEMENTS)


class Point(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A point of the map."""

    country: str = ""
    annexed: bool = False
    """In the Soviet Union only since 1939, and so outside its older border."""
    drawn: tuple[int, int] | None = None
    """Where it lies in a picture of the map, to the east and to the south; no rule asks for it."""


class Line(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line between two points, or from a point to an edge of the map."""

    ends: tuple[str, str]
    kind: str = "rail"

    @property
    def edge(self) -> str:
        """The edge it comes from ('east'), or nothing for a line between points."""
        return next((end.removesuffix(EDGE) for end in self.ends if end.endswith(EDGE)), "")

    @property
    def first_point(self) -> str:
        """The first point on the map, coming from the edge."""
        return next((end for end in self.ends if not end.endswith(EDGE)), self.ends[0])


class Works(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A factory counter: what it makes, its letter, the months it produces in, and where it starts."""

    kind: str
    letter: str = ""
    """Of the factories that are built by expansion; those on the map at the start have none."""
    months: tuple[int, ...] = ()
    printed: str = ""
    """The point named on the counter of a starting factory."""
    native: bool = False
    """Siberia's own works, whose output is the symbols of the turn track."""


Dated = dict[str, dict[str, Fraction]]
"""What comes by turn, as the journal keeps it: the turn's number, kinds of point and how many."""


class Setting(Struct, frozen=True, omit_defaults=True):
    """What the journal's first entry keeps of profile and scenario."""

    profile: Profile
    start: int
    points: dict[str, Point] = {}
    lines: dict[str, Line] = {}
    works: dict[str, Works] = {}
    track: Dated = {}
    reserves: Dated = {}
    replacements: dict[str, Dated] = {}
    capacity: dict[str, dict[str, int]] = {}


_setting = codec.decoder(Setting)


class EasternWorld(World):
    """The fixed surroundings of one campaign of this game."""

    def __init__(self, game: Game, setting: Setting) -> None:
        profile = setting.profile
        super().__init__(
            game,
            Calendar(turns_per_month=profile.calendar.turns_per_month),
            Sequence(players=profile.players, phases=profile.phases),
            {name: nation.side for name, nation in profile.nations.items()},
        )
        self.setting, self.profile = setting, profile
        self.points: Mapping[str, Point] = setting.points
        self.lines: Mapping[str, Line] = setting.lines
        self.works: Mapping[str, Works] = setting.works
        self.numbers = {name: number.value for name, number in profile.numbers.items()}
        self.dates = {name: self.calendar.parse(date.turn).turn for name, date in profile.dates.items()}
        self.kinds_of_point = (*profile.points, MOVES)
        self.track = _by_turn(setting.track)
        self.reserves = _by_turn(setting.reserves)
        self.replacements = {nation: _by_turn(rows) for nation, rows in setting.replacements.items()}
        self.capacity = {
            side: {int(turn): moves for turn, moves in rows.items()} for side, rows in setting.capacity.items()
        }
        self._nations = {name.casefold(): name for name in profile.nations} | {
            nation.adjective.casefold(): name for name, nation in profile.nations.items() if nation.adjective
        }
        self._points = {name.casefold(): name for name in self.points}
        self._lines = {name.casefold(): name for name in self.lines}
        self._kinds = {
            (type_, size): name for name, kind in profile.kinds.items() for type_ in kind.types for size in kind.sizes
        }
        self._next_to: dict[str, list[tuple[str, str]]] = {}
        for name, line in sorted(self.lines.items()):
            for here, there in (line.ends, line.ends[::-1]):
                self._next_to.setdefault(here, []).append((name, there))

    if TYPE_CHECKING:

        def facts(self, state: State) -> EasternFacts: ...

    def new_facts(self, state: State) -> EasternFacts:
        return EasternFacts(self, state)

    def side_now(self, state: State, nation: str) -> str:
        """The side a nation fights on: its own, until its capital was lost to the Soviets."""
        changed = state.mark(subject_key("nation", nation), SIDES_WITH)
        return str(changed.value) if changed else self.side_of(nation)

    def check_fact(self, fact: Fact, value: Value) -> None:
        if fact.name == CONTROL and value and value not in self.sequence.players:
            raise Told(f"a point is controlled by {' or '.join(self.sequence.players)}, not by '{value}'")

    # -------------------------------------------------------------------------------------------- the map

    def next_to(self, node: str) -> list[tuple[str, str]]:
        """The lines from a point or edge, each with what lies at its other end."""
        return self._next_to.get(node, [])

    def other_end(self, line: str, here: str) -> str:
        """Where a line leads from a point."""
        return next(end for end in self.lines[line].ends if end != here)

    def line_kind(self, line: str) -> LineKind:
        return self.profile.line_kinds[self.lines[line].kind]

    def point(self, name: str) -> Point:
        return self.points.get(name, _NOWHERE)

    def hex_name(self, text: str) -> str:
        """A point of the map by its name, in any letters."""
        found = self._points.get(text.strip().casefold())
        if found is None:
            raise BadCommand(f"there is no point '{text}' on the map; {_hint(text, self._points)}")
        return found

    def places(self) -> dict[str, str]:
        return {name: point.country for name, point in self.points.items()}

    def joined_to(self, place: str) -> list[str]:
        return [f"{there} ({self.lines[line].kind})" for line, there in self.next_to(place)]

    def drawn_at(self) -> dict[str, tuple[int, int]]:
        return {name: point.drawn for name, point in self.points.items() if point.drawn is not None}

    def joins(self) -> list[tuple[str, str, str]]:
        return [(*line.ends, line.kind) for line in self.lines.values()]

    def in_play(self, place: Place) -> bool:
        """Siberia is a part of the theatre, beyond the edge of the map."""
        return place.on_map or place.kind == SIBERIA

    def owner_now(self, state: State, place: str) -> str:
        return self.facts(state).control(place)

    def line_named(self, text: str) -> str | None:
        """A line by its name, or nothing where there is no such line."""
        return self._lines.get(text.strip().casefold())

    def subject(self, kind: str, name: str) -> str:
        if kind == "line":
            line = self.line_named(name)
            if line is None:
                raise BadCommand(f"there is no line '{name}' on the map; {_hint(name, self._lines)}")
            return line
        return self.nation_named(name) if kind == "nation" else super().subject(kind, name)

    def parse_place(self, text: str) -> Place:
        """A point, 'siberia', 'dead', 'unused', 'track Oct 41', 'reinforcements Rumania Aug 42', or 'out of play'."""
        words = text.split()
        first = words[0].casefold() if words else ""
        if text.strip().casefold() in ("out", "out of play"):
            return OUT_OF_PLAY
        if first == TRACK:
            return on_track(FACTORIES, self.calendar.parse(" ".join(words[1:])).turn if words[1:] else 0)
        if first == COMING:
            return self._coming(words[1:])
        if first in BOXES and len(words) <= 2:
            return Place(first)
        return at_hex(self.hex_name(text))

    def _coming(self, words: list[str]) -> Place:
        for split in range(len(words), 0, -1):
            if " ".join(words[:split]).casefold() in self._nations:
                rest = " ".join(words[split:])
                nation = self.nation_named(" ".join(words[:split]))
                return Place(COMING, nation, self.calendar.parse(rest).turn if rest else 0)
        raise BadCommand("say whose reinforcements and when: 'reinforcements Rumania Aug 42'")

    # ------------------------------------------------------------------------------------ names and pools

    def nation_named(self, text: str) -> str:
        found = self._nations.get(text.strip().casefold())
        if found is None:
            raise BadCommand(f"there is no nation '{text}'; {_hint(text, self._nations)}")
        return found

    def pool_named(self, text: str) -> str:
        """The symbols of Siberia, the Siberian Reserves, a side's replacements, or its strategic movement."""
        name = text.strip()
        for side in self.sequence.players:
            if name.casefold() == f"{CAPACITY}{side}".casefold():
                return f"{CAPACITY}{side}"
        if name.casefold() in POOLS:
            return name.casefold()
        pools = {each: each for each in (*POOLS, *(f"{CAPACITY}{side}" for side in self.sequence.players))}
        raise BadCommand(f"there is no pool '{text}'; {_hint(text, pools)}")

    def standing(self, account: str) -> Standing:
        """The Siberian Reserves are owed to the Soviets; nobody pays from them as he likes."""
        return Standing(account, CLAIM if account == RESERVES else POOL)

    def account_named(self, text: str) -> str:
        return text if text.startswith((SOURCE, SINK)) else self.pool_named(text)

    def kind_named(self, text: str) -> str:
        if text in self.kinds_of_point:
            return text
        raise BadCommand(f"there are no '{text}' points; {_hint(text, {each: each for each in self.kinds_of_point})}")

    def leader(self, side: str) -> str:
        """The nation in whose name a side's allowances are kept."""
        return self.profile.leaders[side]

    # --------------------------------------------------------------------------------------- the counters

    def kind_name(self, spec: UnitSpec) -> str:
        """What a counter is: 'tank corps'; nothing for a counter the profile does not know."""
        return self._kinds.get((spec.type, spec.size), "")

    def kind_of(self, spec: UnitSpec) -> Kind | None:
        return self.profile.kinds.get(self.kind_name(spec))

    def factory(self, unit: Unit) -> Works | None:
        return self.works.get(unit.id)

    def expansion_factories(self, state: State) -> Iterator[Unit]:
        """The factories that are built by expansion, in order of kind and letter."""
        lettered = [(works.kind, works.letter, name) for name, works in self.works.items() if works.letter]
        for _, _, name in sorted(lettered):
            if name in state.units:
                yield state.units[name]

    def month(self, turn: int) -> int:
        return self.calendar.month(Turn(turn))

    def number(self, name: str) -> int:
        """A whole number of the rules."""
        return int(self.numbers[name])


_NOWHERE = Point()


def _by_turn(rows: Dated) -> dict[int, dict[str, Fraction]]:
    return {int(turn): amounts for turn, amounts in rows.items()}


def _hint(text: str, known: Mapping[str, str]) -> str:
    close = get_close_matches(text.strip().casefold(), sorted(known), 3)
    if close:
        return f"did you mean {' or '.join(known[each] for each in close)}?"
    return f"there are {', '.join(sorted(set(known.values()))) or 'none'}"


def is_factory(unit: Unit) -> bool:
    return unit.spec.size == FACTORY


def on_the_map(unit: Unit) -> bool:
    return unit.place.kind == HEX


def read_setting(data: bytes) -> Setting:
    setting: Setting = _setting.decode(data)
    return setting
