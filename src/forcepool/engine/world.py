"""What stays fixed while a campaign is played: its game, calendar, sequence of play, charts and map."""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Union

from forcepool.engine import codec
from forcepool.engine.calendar import BadTurn, Calendar, Clock, Sequence, Turn
from forcepool.engine.events import Value
from forcepool.engine.facts import Fact, Facts
from forcepool.engine.game import Game
from forcepool.engine.ledger import SINK, SOURCE, is_pool
from forcepool.engine.places import Place
from forcepool.engine.sentence import Told, plain, the_place, the_pool, the_units
from forcepool.engine.standing import Standing

if TYPE_CHECKING:
    from forcepool.engine.command import Command
    from forcepool.engine.state import State, Unit

LONGEST_TURN = 200
"""More phases than a turn of any game has."""


def the(box: str) -> str:
    """The article before a box, which a country that serves as one (Siberia) has not."""
    name = box.split()[0]
    return "" if name.istitle() else "the "


class World:
    """One campaign's fixed surroundings. Games extend it with their charts and map."""

    def __init__(self, game: Game, calendar: Calendar, sequence: Sequence, sides: Mapping[str, str]) -> None:
        self.game, self.calendar, self.sequence = game, calendar, sequence
        self.sides = sides
        """Each nation's side."""
        self.default_rulings = {each.key: each.default for each in game.house_rules}
        self.offering = tuple(cls for cls in game.commands if cls.offers_something())
        """The commands that may be given for a unit."""
        self.offering_sides = tuple(cls for cls in game.commands if cls.offers_a_side_something())
        """The commands that a side may give and that are about no one unit."""
        self.facts_by_name = {fact.name: fact for fact in game.facts}
        self._commands: Any = None
        self._facts: Facts | None = None
        self.found: dict[tuple[Any, ...], Any] = {}
        """What was worked out of the charts, the calendar and the map alone (`engine.facts.fixed`)."""
        self.keeper: Any = None
        """Keeps the answers of lists that are looked at again and again, where somebody asked it to."""

    def ruling(self, state: "State", key: str) -> str:
        """How a campaign plays a ruling: as the group has decided, else by the default it was begun with."""
        return state.switches.get(key) or self.default_rulings[key]

    def keep_rulings(self, begun_with: Mapping[str, str]) -> None:
        """Play by the defaults a campaign was begun with, as far as there still are such rulings and options."""
        for each in self.game.house_rules:
            if any(option.name == begun_with.get(each.key) for option in each.options):
                self.default_rulings[each.key] = begun_with[each.key]

    def read_command(self, data: bytes) -> "Command":
        """A command as the journal keeps it."""
        if self._commands is None:
            self._commands = codec.decoder(Union[self.game.commands])  # noqa: UP007 - the members are known only when it runs
        command: Command = self._commands.decode(data)
        return command

    @property
    def has_map(self) -> bool:
        """Whether the campaign has a hex map of its own."""
        return False

    def fact(self, name: str) -> Fact | None:
        return self.facts_by_name.get(name)

    def facts(self, state: "State") -> Facts:
        """What is known now: the same facts, with all they have worked out, until something happens."""
        if state.keeper is not None:
            watched: Facts = state.keeper.facts
            return watched
        facts = self._facts
        if facts is None or facts.state is not state or not facts.still_hold(state):
            facts = self._facts = self.new_facts(state)
        return facts

    def forget(self) -> None:
        """Let go of what was asked last, which holds on to the world."""
        self._facts = None
        self.found.clear()

    def new_facts(self, state: "State") -> Facts:
        """A door to what is known of a state; games bring their own."""
        return Facts(self, state)

    def side_of(self, nation: str) -> str:
        return self.sides.get(nation, "")

    def side_now(self, state: "State", nation: str) -> str:
        """The side a nation fights on at this moment; games where nations change sides look it up."""
        return self.side_of(nation)

    def areas_of(self, unit: "Unit", state: "State") -> Collection[str] | None:
        """The areas a unit is under, such as its MD, front and theatre; None in a game without areas."""
        return None

    def could_serve(self, state: "State", area: str, nation: str) -> bool:
        """Whether a nation may use an area at all: in many games one of the enemy's is closed to it."""
        return True

    def areas_of_pool(self, pool: str) -> Collection[str] | None:
        """The areas a pool lies in; None for what lies in no area, such as a source of points."""
        return None

    def areas_of_subject(self, on: str) -> Collection[str] | None:
        """The areas of a place or area that a fact is said of."""
        return None

    @property
    def unplayed(self) -> tuple[str, ...]:
        """The folders of the game's rules that this campaign never comes to: what nobody plays."""
        return ()

    def phasing(self, state: "State") -> str:
        """The side whose player-turn it is."""
        return self.sequence.players[state.player]

    def phase(self, state: "State") -> str:
        return self.sequence.phase_at(state.within_turn)

    def order_of_phases(self, state: "State") -> int:
        """Which of the sequence's orders of phases the next player-turn will be played in."""
        return 0

    def next_phase(self, state: "State") -> Clock:
        """The moment after this one."""
        return self.sequence.next(state.clock, self.order_of_phases(state))

    def next_time(self, state: "State", player: str, phase: str = "") -> Clock | None:
        """The first moment from now on in a player's turn, and in one phase of it where one is named."""
        clock = state.clock
        for _ in range(LONGEST_TURN):
            if self.sequence.players[clock.player] == player and phase in ("", self.sequence.phase_at(clock)):
                return clock
            clock = self.sequence.next(clock, clock.order)
        return None

    def when(self, state: "State") -> str:
        """'Oct 3 41, Axis replacement phase'."""
        return self.sequence.describe(self.calendar, state.clock)

    def phase_called(self, phase: str, side: str = "") -> str:
        """'Axis replacement phase', in the words of the group's rule set."""
        return f"{side} {self.sequence.phase_name(phase)} phase".lstrip()

    def turn_name(self, turn: int) -> str:
        return self.calendar.name(Turn(turn))

    def in_play(self, place: Place) -> bool:
        """Whether what stands there is in play: on the map, or where a game has units besides."""
        return place.on_map

    def show_place(self, place: Place) -> str:
        """A place in a player's words."""
        return plain(self.said_place(place))

    def said_place(self, place: Place) -> str:
        """A place in a player's words, as parts of a sentence."""
        if place.kind == "hex":
            return the_place(place.of)
        if place.kind == "out":
            return "out of play"
        of = f" of {the_pool(place.of)}" if place.of else ""
        if place.due:
            name = self.game.box_names.get(place.kind, "track")
            return f"{name}{of}, due {self.turn_name(place.due)}"
        return f"{self.game.box_names.get(place.kind, place.kind.upper() + ' BOX')}{of}"

    def where(self, place: Place) -> str:
        """Where a unit is, as the end of a sentence: 'at Minsk', 'in the ELIMINATED BOX of …', 'out of play'."""
        shown = self.said_place(place)
        if place.kind == "out":
            return shown
        if place.kind == "hex":
            return f"at {shown}"
        return f"{'on' if 'track' in shown.casefold() else 'in'} {the(plain(shown))}{shown}"

    def show_account(self, name: str) -> str:
        """A pool in a player's words: 'spent' for sink/spent."""
        return plain(self.said_account(name))

    def said_account(self, name: str) -> str:
        """A pool in a player's words, as parts of a sentence."""
        return the_pool(name) if is_pool(name) else name.removeprefix(SINK).removeprefix(SOURCE)

    def standing(self, account: str) -> Standing:
        """What an account is to a player; games with points on their way or books of their own tell them apart."""
        return Standing(account)

    def parse_place(self, text: str) -> Place:
        """A box or track by its words ('eliminated front/centre', 'track front/centre Aug 2 41'), else a hex."""
        text = text.strip()
        if text in ("out", "out of play"):
            return Place("out")
        kind, _, of = text.partition(" ")
        if kind not in self.game.box_names:
            return Place("hex", self.hex_name(text))
        of, turn = self._with_turn(of.strip())
        return Place(kind, of, turn)

    def _with_turn(self, text: str) -> tuple[str, int]:
        """'md/kiev Aug 2 41' as the name and the turn; names may have blanks, so the turn is what reads as one."""
        words = text.split()
        wrong: BadTurn | None = None
        for cut in range(1, len(words)):
            try:
                return " ".join(words[:cut]), self.calendar.parse(" ".join(words[cut:])).turn
            except BadTurn as error:
                if wrong is None and words[cut][0].isalpha() and words[-1].isdigit():
                    wrong = error
        if wrong is not None:
            raise wrong
        return text, 0

    def pool_named(self, text: str) -> str:
        """The pool a player means; games with levels of pools resolve short names."""
        return text

    def account_named(self, text: str) -> str:
        """A pool, or an account that no player can draw on: points on their way, losses not yet counted."""
        return self.pool_named(text)

    def a_side(self, value: Value) -> Value:
        """The name of a side as it is written, in whatever letters it was said; any other value as it is."""
        said = value.casefold() if isinstance(value, str) else ""
        return next((side for side in self.sequence.players if side.casefold() == said), value)

    def check_fact(self, fact: Fact, value: Value) -> None:
        """Refuse, with Told, a value that the fact's own words allow and this world does not."""

    def kind_named(self, text: str) -> str:
        """The kind of point a player means."""
        return text

    def nation_named(self, text: str) -> str:
        """The nation a player means."""
        return text

    def holder_named(self, pool: str, text: str) -> str:
        """The nation whose points a player means that are kept in a pool."""
        return self.nation_named(text)

    def subject(self, kind: str, name: str) -> str:
        """What a fact of this kind is said of, by the name the rules use."""
        return self.hex_name(name) if kind == "place" else name

    def hex_name(self, text: str) -> str:
        """The name a hex is known by; worlds with a map check it."""
        return text

    def side_of_subject(self, state: "State", on: str) -> str | None:
        """The side that alone knows of a marked thing; None for what is nobody's own."""
        kind, _, name = on.partition("/")
        whose = self.game.owners.get(kind)
        return whose(self, state, name) if whose else None

    def places(self) -> Mapping[str, str]:
        """The places the scenario names, each with the area or country it lies in."""
        return {}

    def joined_to(self, place: str) -> list[str]:
        """What a place is joined to, in a game whose map is made of points and lines."""
        return []

    def drawn_at(self) -> Mapping[str, tuple[int, int]]:
        """Where places lie in a picture, to the east and to the south, as far as the scenario says."""
        return {}

    def joins(self) -> list[tuple[str, str, str]]:
        """The lines of a map of points and lines: both ends and the kind; an end may be an edge: 'west edge'."""
        return []

    def owner_now(self, state: "State", place: str) -> str:
        """The side that holds a place at this moment; nothing where nobody has said."""
        return ""


def find_unit(state: "State", name: str, known: Mapping[str, str] | None = None) -> "Unit":
    """The unit of that id, in any case of letters, or Told with a suggestion.

    `known` are the ids that may be named, by themselves in small letters, where not all may be.
    """
    unit = state.units.get(name)
    if unit is not None and (known is None or unit.id.casefold() in known):
        return unit
    folded = state.ids if known is None else known
    if name.casefold() in folded:
        return state.units[folded[name.casefold()]]
    begins = [each for each in sorted(folded) if name.strip() and each.startswith(f"{name.strip().casefold()} ")]
    close = [folded[each] for each in begins[:3] or get_close_matches(name.casefold(), sorted(folded), 3)]
    hint = f"did you mean {the_units(close, ' or ')}?" if close else "all of them stand in the list of units"
    raise Told(f"there is no unit '{name}'; {hint}")
