"""The calendar of turns, and the sequence of players and phases inside a turn."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import NewType

import msgspec

from forcepool.engine.sentence import Told

Turn = NewType("Turn", int)
"""A game turn, counted so that the next turn is always one more."""

SHORT_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
LONG_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
CENTURY = 1900
"""All play lies in 1914 to 1999, so a year of two digits, 00 to 99, is always 19xx."""

# What scanners make of a one, and of the stroke of a roman numeral.
_STROKES = "lI|"
_TO_DIGITS = str.maketrans("lI|Oo", "11100")
_TO_ROMAN = str.maketrans("l|1", "III")
_SEPTEMBER = 9
_HALVES = ROMAN[:2]
"""The turns of a month in the published games."""


class BadTurn(Told):
    """A text that names no turn of this calendar."""


class ParsedTurn(msgspec.Struct, frozen=True):
    """A turn read from text, with what had to be guessed."""

    turn: Turn
    warnings: tuple[str, ...] = ()


class Calendar(msgspec.Struct, frozen=True):
    """How many turns a month has and how they are written: Jul 2 41 or Jul II 41."""

    turns_per_month: int
    roman: bool = False
    names: tuple[str, ...] = SHORT_MONTHS
    halves: bool = True
    """Whether I and II, where turns are numbered 1 to 4, are the two turns a month of the published games."""

    def __post_init__(self) -> None:
        if not 1 <= self.turns_per_month <= len(ROMAN):
            raise ValueError(f"a month has 1 to {len(ROMAN)} turns, not {self.turns_per_month}")
        if len(self.names) != 12 or len({name.lower() for name in self.names} - {""}) != 12:
            raise ValueError("a calendar names twelve different months")

    def turn(self, year: int, month: int, week: int = 1) -> Turn:
        """The turn of a full year, a month from 1 to 12 and a turn of the month from 1."""
        if not 1 <= month <= 12:
            raise BadTurn(f"there is no month {month}; months run from 1 to 12")
        if not 1 <= week <= self.turns_per_month:
            name = self.names[month - 1]
            raise BadTurn(f"{name} has no turn {week}: {self._turns_a_month()}")
        return Turn((year * 12 + month - 1) * self.turns_per_month + week - 1)

    def year(self, turn: Turn) -> int:
        """The full year of a turn, such as 1941."""
        return turn // self.turns_per_month // 12

    def month(self, turn: Turn) -> int:
        """The month of a turn, 1 to 12."""
        return turn // self.turns_per_month % 12 + 1

    def week(self, turn: Turn) -> int:
        """Which turn of its month a turn is, from 1."""
        return turn % self.turns_per_month + 1

    def is_first_of_month(self, turn: Turn) -> bool:
        """Whether a turn opens its month."""
        return self.week(turn) == 1

    def is_last_of_month(self, turn: Turn) -> bool:
        """Whether a turn closes its month."""
        return self.week(turn) == self.turns_per_month

    def next_month(self, turn: Turn) -> Turn:
        """The turn that opens the month after a turn's own."""
        return Turn(turn - self.week(turn) + 1 + self.turns_per_month)

    def months_between(self, earlier: Turn, later: Turn) -> int:
        """How many times the month changes from one turn to another; negative when counted backwards."""
        return later // self.turns_per_month - earlier // self.turns_per_month

    def name(self, turn: Turn) -> str:
        """A turn as players write it: Jul 2 41, Jul II 41, or Jul 41 when a month is one turn."""
        month, year, week = self.names[self.month(turn) - 1], self.year(turn), self.week(turn)
        short = f"{year - CENTURY:02}" if CENTURY <= year < CENTURY + 100 else str(year)
        if self.turns_per_month == 1:
            return f"{month} {short}"
        return f"{month} {ROMAN[week - 1] if self.roman else week} {short}"

    def parse(self, text: str) -> ParsedTurn:
        """Read a turn in either style, with or without the slips of a scanner."""
        month, rest = self._split_month(text)
        tokens = [token for token in re.split(r"[\s,.'’]+", rest) if token]
        glued = not rest[:1].isspace() and rest[:1] not in (",", ".")
        if len(tokens) == 1:
            tokens, was_glued = _unglue(tokens[0])
            glued = glued or was_glued
        if len(tokens) != 2:
            raise BadTurn(f"{_quoted(text)} is not a turn; write it as {self._example()}")
        week, slip_in_week = self._read_week(tokens[0], text)
        year, slip_in_year = _read_year(tokens[1], text)
        if not 1 <= week <= self.turns_per_month:
            raise BadTurn(f"{_quoted(text)}: {self._turns_a_month()}")
        if foreign := self._of_the_other_calendar(tokens[0]):
            week = 2 * week - 1 if self._has_halves() and week <= 2 else week
        turn = self.turn(year, month, week)
        slips = glued or slip_in_week or slip_in_year or foreign
        said = f"read {_quoted(text)} as {self.name(turn)}"
        if foreign and self._has_halves():
            said = f"{said}: of two turns a month, I is the first of four and II the third"
        return ParsedTurn(turn, (said,) if slips else ())

    def _has_halves(self) -> bool:
        return self.halves and not self.roman and self.turns_per_month == 2 * len(_HALVES)

    def _of_the_other_calendar(self, token: str) -> bool:
        """Whether a turn of the month is in the numerals that this calendar is not written in."""
        if not token or self.turns_per_month == 1:
            return False
        if self.roman:
            return token.isdecimal()
        mended = token.translate(_TO_ROMAN).upper()
        return self._has_halves() and mended in _HALVES and not token.isdecimal() and len(token) > 1

    def _split_month(self, text: str) -> tuple[int, str]:
        bare = text.strip()
        for length in range(min(len(bare), self._longest_name()), 0, -1):
            month = self._month_named(bare[:length])
            if month is not None:
                return month, bare[length:]
        word = re.match(r"[^\W\d_]*", bare)
        found = word.group() if word else ""
        if not found:
            raise BadTurn(f"{_quoted(text)} does not begin with a month; write it as {self._example()}")
        known = {name.lower(): name for name in (*LONG_MONTHS, *self.names)}
        close = get_close_matches(found.lower(), known, n=1)
        hint = f"did you mean {known[close[0]]}?" if close else f"write it as {self._example()}"
        raise BadTurn(f"there is no month {_quoted(found)}; {hint}")

    def _longest_name(self) -> int:
        return max(len(name) for name in (*self.names, *LONG_MONTHS))

    def _month_named(self, word: str) -> int | None:
        """The calendar's own names come first; the English ones are understood too, in full, short and as Sept."""
        # No other shortenings: Apri would swallow the I of AprI41.
        for names in (self.names, SHORT_MONTHS, LONG_MONTHS):
            for month, name in enumerate(names, start=1):
                if name.lower() == word.lower():
                    return month
        return _SEPTEMBER if word.lower() == "sept" else None

    def _read_week(self, token: str, text: str) -> tuple[int, bool]:
        """The number of the turn in its month, and whether a slip was mended."""
        if not token and self.turns_per_month == 1:
            return 1, False
        if not token:
            raise BadTurn(f"{_quoted(text)} does not say which turn of the month; write it as {self._example()}")
        if re.fullmatch(r"[0-9]{1,2}", token):
            return int(token), False
        if token.upper() in ROMAN and "l" not in token:
            return ROMAN.index(token.upper()) + 1, False
        mended = token.translate(_TO_ROMAN).upper()
        if mended in ROMAN:
            return ROMAN.index(mended) + 1, True
        raise BadTurn(f"{_quoted(token)} is not a turn of the month; {self._turns_a_month()}")

    def _turns_a_month(self) -> str:
        if self.turns_per_month == 1:
            return "there is one turn a month"
        return f"there are {self.turns_per_month} turns a month, numbered from 1"

    def _example(self) -> str:
        return self.name(self.turn(1941, 7, min(2, self.turns_per_month)))


def _unglue(token: str) -> tuple[list[str], bool]:
    """Part a turn and a year written together, such as 139 or II41; a year alone has an empty turn before it."""
    digits = token.translate(_TO_DIGITS)
    # A year has a real digit in it somewhere; II alone is a turn that lacks its year.
    if re.fullmatch(r"[0-9]{2}|19[0-9]{2}", digits) and re.search(r"[0-9]", token):
        return ["", token], False
    parts = re.fullmatch(rf"([0-9]|[{_STROKES}vixVIX]+)((?:19)?[0-9][0-9lI|Oo])", token)
    return ([parts[1], parts[2]], True) if parts else ([token], False)


def _read_year(token: str, text: str) -> tuple[int, bool]:
    """The full year, and whether a slip was mended."""
    digits = token.translate(_TO_DIGITS)
    slip = digits != token
    if re.fullmatch(r"[0-9]{2}", digits):
        return CENTURY + int(digits), slip
    if re.fullmatch(r"19[0-9]{2}", digits):
        return int(digits), slip
    raise BadTurn(f"{_quoted(text)} has no year from 1900 to 1999; write the year as 41 or 1941")


MOST_PLAYERS = 8


class BadSequence(ValueError):
    """A sequence of play that cannot be played, or a player or phase that is not in it."""


class Clock(msgspec.Struct, frozen=True, order=True, gc=False, omit_defaults=True):
    """A moment of play: the turn, whose player turn it is and the phase, the last two counted from 0."""

    turn: Turn
    player: int
    phase: int
    order: int = 0
    """Which order of phases this player turn is played in, where a game knows several."""

    @property
    def player_turn(self) -> int:
        """A number that only this player turn has, larger for every later player turn."""
        return self.turn * MOST_PLAYERS + self.player


def turn_of(player_turn: int) -> Turn:
    """The turn that a player turn's number belongs to."""
    return Turn(player_turn // MOST_PLAYERS)


class Sequence(msgspec.Struct, frozen=True):
    """Who plays in a turn, in order, and through which phases: the same for all, or each player's own."""

    players: tuple[str, ...]
    phases: tuple[str, ...] | dict[str, tuple[str, ...]]
    other_orders: tuple[tuple[str, ...], ...] = ()
    """Other orders of the same phases that a group may play by, counted from 1; 0 is the one above."""
    names: dict[str, str] = {}
    """What players call a phase, where a rule set has other words for it than the rules do."""

    def __post_init__(self) -> None:
        _must_differ(self.players, "player")
        if len(self.players) > MOST_PLAYERS:
            raise BadSequence(f"a turn has at most {MOST_PLAYERS} players, not {len(self.players)}")
        if isinstance(self.phases, dict):
            for name in self.players:
                if name not in self.phases:
                    raise BadSequence(f"no phases are listed for {name}; list the phases of every player")
            for name in self.phases:
                self.player_index(name)
        for player in range(len(self.players)):
            _must_differ(self.phases_of(player), "phase")
            for order in self.other_orders:
                if sorted(order) != sorted(self.phases_of(player)):
                    raise BadSequence(f"another order of phases is of the same phases, not {', '.join(order)}")

    def phases_of(self, player: int, order: int = 0) -> tuple[str, ...]:
        """The phases of a player's turn, in order."""
        if order:
            return self.other_orders[order - 1]
        return self.phases[self.players[player]] if isinstance(self.phases, dict) else self.phases

    def phase_at(self, clock: Clock) -> str:
        """The phase of a moment by its name."""
        return self.phases_of(clock.player, clock.order)[clock.phase]

    def first(self, turn: Turn, order: int = 0) -> Clock:
        """The first phase of the first player of a turn."""
        return Clock(turn, 0, 0, order)

    def next(self, clock: Clock, order: int = 0) -> Clock:
        """The phase after this one; a player turn is played out in the order it began in, a new one in `order`."""
        if clock.phase + 1 < len(self.phases_of(clock.player, clock.order)):
            return Clock(clock.turn, clock.player, clock.phase + 1, clock.order)
        if clock.player + 1 < len(self.players):
            return Clock(clock.turn, clock.player + 1, 0, order)
        return self.first(Turn(clock.turn + 1), order)

    def at(self, turn: Turn, player: str, phase: str, order: int = 0) -> Clock:
        """The moment of a turn that a player and a phase name."""
        index = self.player_index(player)
        return Clock(turn, index, self.phase_index(phase, index, order), order)

    def player_index(self, name: str) -> int:
        """Which player, from 0, a name means; capitals do not matter."""
        for index, player in enumerate(self.players):
            if player.lower() == name.strip().lower():
                return index
        raise BadSequence(f"there is no player {_quoted(name)}; {_hint(name, self.players)}")

    def phase_index(self, name: str, player: int | None = None, order: int = 0) -> int:
        """Which phase, from 0, a name means in a player's turn; no player is needed while all agree on it."""
        wanted = name.strip().lower().removesuffix(" phase")
        whose = range(len(self.players)) if player is None else (player,)
        phases = [self.phases_of(index, order) for index in whose]
        listed = [phase for each in phases for phase in each]
        found = {
            n
            for each in phases
            for n, phase in enumerate(each)
            if wanted in (phase.lower(), self.phase_name(phase).lower())
        }
        if not found:
            raise BadSequence(f"there is no phase {_quoted(name)}; {_hint(wanted, listed)}")
        if len(found) > 1:
            raise BadSequence(f"the {wanted} phase comes at different places for different players; say whose")
        return found.pop()

    def phase_name(self, phase: str) -> str:
        """A phase in the players' words."""
        return self.names.get(phase, phase)

    def describe(self, calendar: Calendar, clock: Clock) -> str:
        """A moment in words: Oct 3 41, Axis replacement phase."""
        phase = self.phase_name(self.phase_at(clock))
        return f"{calendar.name(clock.turn)}, {self.players[clock.player]} {phase} phase"


def _must_differ(names: tuple[str, ...], noun: str) -> None:
    if not names:
        raise BadSequence(f"the sequence of play has no {noun}; name at least one")
    if len({name.lower() for name in names}) < len(names):
        raise BadSequence(f"two {noun}s have the same name among {', '.join(names)}; rename one")


def _hint(name: str, known: Iterable[str]) -> str:
    names = {other.lower(): other for other in known}
    close = get_close_matches(name.strip().lower(), names, n=1)
    return f"did you mean {names[close[0]]}?" if close else f"choose from {', '.join(names.values())}"


def _quoted(text: str) -> str:
    return repr(text) if len(text) <= 40 else repr(text[:39] + "…")
