"""The one door through which rules learn what these documents do not define.

Supply, zones of control, isolation, who moved: a campaign on a physical map answers from what the players declared, a
campaign with a hex map answers by tracing. A rule asks and never knows which.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, TypeVarTuple, cast

from msgspec import Struct

from forcepool.engine.calendar import Calendar, turn_of
from forcepool.engine.dice import RollNeeded
from forcepool.engine.events import Value
from forcepool.engine.points import parse_points, show_points, store_points
from forcepool.engine.sentence import Told
from forcepool.engine.verdicts import Rule

if TYPE_CHECKING:
    from forcepool.engine.state import State
    from forcepool.engine.world import World

UNTIL_CHANGED = "until changed"
PLAYER_TURN = "player-turn"
GAME_TURN = "turn"
MONTH = "month"

YES_NO = "yes or no"
NUMBER = "a whole number"
WORDS = "a list of words"
TEXT = "a word"
POINTS = "points"
"""An exact amount, held as text: '7/2'."""
TURN = "a turn"
"""A turn by its name, held as its number."""

Amount = TypeVar("Amount", int, Fraction)
ANY, TAKEN_BACK = "*", "taken back"
"""In what players say of a fact: whatever it holds, and that it holds nothing any more."""


class Fact(Struct, frozen=True):
    """Something players may be asked to declare about a unit, a place, an area, a nation or the campaign."""

    name: str
    on: tuple[str, ...]
    """What it can be said of: 'unit', 'place', 'area', 'nation', 'campaign'."""
    about: str
    default: Value
    takes: str = TEXT
    values: tuple[str, ...] = ()
    lasts: str = UNTIL_CHANGED
    requires: tuple[Rule[Any], ...] = ()
    """Rules that may forbid the declaration, such as moving a unit that was rebuilt this player-turn."""
    by_hand: bool = True
    """False for what the rules themselves keep track of."""
    told: bool = True
    """False for notes of the program's own that say nothing to a player: the journal keeps them and does not tell."""
    off_map: bool = False
    """True for what is told of a unit only while it is off the map, such as how it was lost."""
    below_nothing: bool = False
    """True for what may be less than nothing, such as the room of a place that is overstacked."""
    told_in: tuple[str, ...] = ()
    """The boxes and tracks it is told of a unit in; left out, wherever it is."""
    comes_to: "Callable[[Any, Any, str], Value] | None" = None
    """What it is by the rules of what it is said of, by its name, where that is more than what was declared."""
    said: Mapping[str, str] = {}
    """How players say it, by what it holds, where its own name does not: {"no": "not isolated", ANY: "{} isolated"}."""

    def in_words(self, held: str) -> str:
        """How players say that it holds this, or with `TAKEN_BACK` that it holds nothing any more; else empty."""
        words = self.said.get(held) or ("" if held == TAKEN_BACK else self.said.get(ANY, ""))
        return words.format(held)

    def parse(self, value: Value) -> Value:
        """The value as this fact holds it, or ValueError in a sentence."""
        if self.takes == YES_NO:
            return _yes_no(self, value)
        if self.takes == NUMBER:
            return _counted(self, _number(self, value))
        if self.takes == WORDS:
            words = [value] if isinstance(value, str) else value
            if not isinstance(words, list):
                raise Told(f"{self.name} takes {WORDS}, not {value!r}")
            return [self._word(word.strip()) for word in words if word.strip()]
        if self.takes == POINTS:
            return store_points(_counted(self, parse_points(str(value))))
        # A bare no is read as a negation before it gets here, but for these facts it is a word like any other.
        return self._word({True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value))

    def read(self, value: Value, calendar: Calendar) -> Value:
        """As `parse`, with turns by their names."""
        if self.takes == TURN and isinstance(value, str) and not value.isdigit():
            return calendar.parse(value).turn
        return _number(self, value) if self.takes == TURN else self.parse(value)

    def _word(self, word: str) -> str:
        plain = word.casefold().replace(" ", "-")
        known = next((each for each in self.values if each.casefold().replace(" ", "-") == plain), word)
        if self.values and known not in self.values:
            raise Told(f"{self.name} is one of {', '.join(self.values)}, not '{word}'")
        return known


def _yes_no(fact: Fact, value: Value) -> bool:
    if isinstance(value, bool):
        return value
    words = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
    answer = words.get(str(value).lower())
    if answer is None:
        raise Told(f"{fact.name} is yes or no, not '{value}'")
    return answer


def _number(fact: Fact, value: Value) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise Told(f"{fact.name} takes {NUMBER}, not {value!r}")
    try:
        return int(value)
    except ValueError:
        raise Told(f"{fact.name} takes {NUMBER}, not '{value}'") from None


def _counted(fact: Fact, amount: Amount) -> Amount:
    """What is counted on the map: of most of it there is never less than nothing."""
    if amount < 0 and not fact.below_nothing:
        raise Told(f"{fact.name} is nothing or more, not {show_points(amount)}")
    return amount


class Facts:
    """What is known at one moment; games add the questions their rules ask."""

    __slots__ = ("__dict__", "_kept", "clock", "kinds", "refusers", "state", "turned_away", "version", "world")

    def __init__(self, world: "World", state: "State") -> None:
        self.world, self.state = world, state
        self.version, self.clock = state.version, state.clock
        self._kept: dict[tuple[Any, ...], tuple[Any, Exception | None]] = {}
        self.kinds: dict[tuple[Any, ...], Any] = {}
        """The kinds of unit that were asked about so far."""
        self.refusers: dict[type, list[Rule[Any]]] = {}
        """Of each command, the rules that refused it to a kind, the last one first."""
        self.turned_away: dict[type, Rule[Any]] = {}
        """Of each command, the rule that last refused it to one unit of a kind to which it is not refused."""

    def ask(self, function: "Callable[..., T]", *what: Any) -> "T":
        """What a function finds of these facts: kept with what it read where somebody watches, else for this moment."""
        keeper = self.state.keeper
        if keeper is not None:
            return cast("T", keeper.ask(function, *what))
        key = (function, *what)
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = outcome(function, self, what)
        if kept[1] is not None:
            raise afresh(kept[1])
        return cast("T", kept[0])

    def has_answered(self, function: "Callable[..., Any]", *what: Any) -> bool:
        """Whether that was asked before, so that the answer costs little."""
        keeper = self.state.keeper
        return (function, *what) in (self._kept if keeper is None else keeper.answers)

    def still_hold(self, state: "State") -> bool:
        """Whether nothing has happened since; of a state that is still being set up nobody can tell."""
        now = state.version
        return self.state is state and self.version == now and now > 0 and self.clock is state.clock

    def declared(self, on: str, name: str) -> Value:
        """What the players last said, or None once it has lapsed or was never said."""
        mark = self.state.mark(on, name)
        if mark is None:
            return None
        fact = self.world.facts_by_name.get(name)
        if fact is None or fact.lasts == UNTIL_CHANGED or self._still_lasts(fact.lasts, mark.since):
            return mark.value
        return None

    def _still_lasts(self, period: str, since: int) -> bool:
        """Whether something said in player-turn `since` is of the present player-turn, turn or month."""
        if period == PLAYER_TURN:
            return since == self.state.player_turn
        then, now = turn_of(since), self.state.turn
        if period == GAME_TURN:
            return then == now
        per_month = self.world.calendar.turns_per_month
        return then // per_month == now // per_month

    def value(self, on: str, name: str) -> Value:
        """What was declared, or the fact's default."""
        # Most things are as they usually are: nothing was said of them at all.
        if self.state.mark(on, name) is not None:
            said = self.declared(on, name)
            if said is not None:
                return said
        fact = self.world.facts_by_name.get(name)
        return fact.default if fact is not None else None

    def count(self, on: str, name: str) -> int:
        """A fact that is a number."""
        value = self.value(on, name)
        assert isinstance(value, int), f"{name} is no fact that is a number"
        return value

    def points(self, on: str, name: str) -> Fraction:
        """A fact that holds an amount, as the amount; what was never said is nothing."""
        return parse_points(str(self.value(on, name) or 0))


T = TypeVar("T")
W = TypeVar("W", bound="World")
F = TypeVar("F", bound=Facts)
What = TypeVarTuple("What")
P = ParamSpec("P")


def kept(function: Callable[[W, F, *What], T]) -> Callable[[W, F, *What], T]:
    """Work an answer out once for all who ask while what it read holds; its arguments say all else it depends on."""

    @wraps(function)
    def answer(world: W, facts: F, *what: *What) -> T:
        return facts.ask(function, *what)

    return answer


def fixed(function: Callable[Concatenate[W, P], T]) -> Callable[Concatenate[W, P], T]:
    """Work out once a campaign what rests on its charts, its calendar and its map alone: they never change."""

    @wraps(function)
    def answer(world: W, /, *what: P.args, **named: P.kwargs) -> T:
        key = (function, *what, *named.items())
        try:
            found: T = world.found[key]
        except KeyError:
            found = world.found[key] = function(world, *what, **named)
        return found

    return answer


class SetsApart(Exception):
    """A rule wants to know which unit it is, or where it stands, and nobody knows."""


OBJECTIONS = (ValueError, RollNeeded, SetsApart)
"""Answers too: that a question cannot be put so. They are kept as others are, and raised for everyone who asks."""


def afresh(objection: Exception) -> Exception:
    """The same objection once more: the one that is kept must not hold on to whoever it was raised for."""
    made = type(objection).__new__(type(objection), *objection.args)
    made.__dict__.update(objection.__dict__)
    return made


def outcome(function: Callable[..., T], facts: Facts, what: tuple[Any, ...]) -> tuple[T | None, Exception | None]:
    """What a function finds of the facts, or its objection."""
    try:
        return function(facts.world, facts, *what), None
    except OBJECTIONS as raised:
        return None, raised.with_traceback(None)


def subject_key(kind: str, name: str) -> str:
    return f"{kind}/{name}"


def unit_key(unit_id: str) -> str:
    return f"unit/{unit_id}"


def place_key(name: str) -> str:
    return f"place/{name}"
