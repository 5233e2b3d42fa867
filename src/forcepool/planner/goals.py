"""What a plan is to achieve: most strength by a date, certain units, points kept back, a share, units left alone."""

from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.calendar import BadTurn
from forcepool.engine.ledger import Account
from forcepool.engine.points import parse_points
from forcepool.engine.sentence import Told
from forcepool.engine.state import State, Unit
from forcepool.engine.world import World, find_unit
from forcepool.files import BadFile, Document, Path, Problem, shape


class Keep(Struct, frozen=True):
    """Points to have in hand when the plan ends."""

    account: Account
    amount: Fraction


class Want(Struct, frozen=True):
    """A unit that is to be on the map at full strength by a turn."""

    unit: str
    by: int


class Weight(Struct, frozen=True, forbid_unknown_fields=True):
    """What counts more, or less: armour twice, a front three times."""

    times: Fraction
    type: str = ""
    nation: str = ""
    area: str = ""
    unit: str = ""


class Goals(Struct, frozen=True):
    """What is asked of a plan; with nothing said, the most strength on the map as it ends."""

    weights: tuple[Weight, ...] = ()
    wants: tuple[Want, ...] = ()
    keeps: tuple[Keep, ...] = ()
    spend: tuple[tuple[str, Fraction], ...] = ()
    """Of a kind of point, the part of all there is and all that comes which may be spent."""
    leave: tuple[str, ...] = ()
    """Units that are not to be touched."""
    earliest: tuple[str, ...] = ()
    """Units that are all to be on the map at full strength as early as can be."""

    @property
    def apart(self) -> tuple[str, ...]:
        """The units that are asked for by name."""
        named = (
            *(want.unit for want in self.wants),
            *self.earliest,
            *(each.unit for each in self.weights if each.unit),
        )
        return tuple(dict.fromkeys(named))


class Asked(Struct, frozen=True):
    """A plan as it is asked for."""

    side: str
    turns: int
    goals: Goals


# ------------------------------------------------------------------------------------------ a file of goals


class _Keep(Struct, frozen=True, forbid_unknown_fields=True):
    pool: str
    nation: str
    kind: str
    points: Fraction


class _Want(Struct, frozen=True, forbid_unknown_fields=True):
    unit: str
    by: str = ""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of goals as it is written."""

    side: str = ""
    by: str = ""
    """The turn by which it counts."""
    weights: list[Weight] = []
    units: list[_Want] = []
    """Units to be full, each by its turn or by the plan's end."""
    earliest: list[str] = []
    keep: list[_Keep] = []
    spend: dict[str, Fraction] = {}
    leave: list[str] = []


def read_goals(document: Document, world: World, state: State, side: str, turns: int, *, only: str = "") -> Asked:
    """The goals in a file; what it says of side and date goes before what was given otherwise.

    Nothing is told of another side than the plan's own, and with `only` the plan is that side's.
    """
    return _Reader(document, world, state, only).read(side, turns)


class _Reader:
    def __init__(self, document: Document, world: World, state: State, only: str) -> None:
        self.document, self.world, self.state, self.only = document, world, state, only
        self.problems: list[Problem] = []

    def read(self, side: str, turns: int) -> Asked:
        parsers: Any = {Fraction: parse_points}
        empty = self.document.data in (None, "", {})
        file = _File() if empty else shape(self.document, (), _File, parsers)
        side = self._side(file.side) if file.side else side
        self.own = [each for each in self.state.units_in_order() if self._is_own(each.spec.nation, side)]
        self.known = {each.id.casefold(): each.id for each in self.own}
        last = self._turn(("by",), file.by) if file.by else self.state.clock.turn + turns
        goals = Goals(
            tuple(self._weight(at, each, side) for at, each in enumerate(file.weights)),
            tuple(
                Want(self._unit(("units", at, "unit"), want.unit), self._by(at, want.by, last))
                for at, want in enumerate(file.units)
            ),
            tuple(Keep(self._account(at, each, side), each.points) for at, each in enumerate(file.keep)),
            tuple((self._kind(kind), part) for kind, part in sorted(file.spend.items())),
            tuple(self._unit(("leave", at), each) for at, each in enumerate(file.leave)),
            tuple(self._unit(("earliest", at), each) for at, each in enumerate(file.earliest)),
        )
        if last < self.state.clock.turn:
            self._bad(("by",), f"{file.by} is past; it is {self.world.turn_name(self.state.clock.turn)}")
        if self.problems:
            raise BadFile(self.problems)
        return Asked(side, last - self.state.clock.turn, goals)

    def _bad(self, path: Path, message: str, hint: str = "") -> None:
        self.problems.append(self.document.problem(path, message, hint))

    def _side(self, name: str) -> str:
        players = self.world.sequence.players
        found = next((each for each in players if each.casefold() == name.casefold()), "")
        if not found:
            self._bad(("side",), f"there is no side '{name}'", f"it is one of {', '.join(players)}")
        if self.only and found and found != self.only:
            self._bad(("side",), f"these are goals of {found}, and you plan for {self.only}")
        return self.only or found or players[0]

    def _is_own(self, nation: str, side: str) -> bool:
        return self.world.side_now(self.state, nation) == side

    def _turn(self, path: Path, text: str) -> int:
        try:
            return int(self.world.calendar.parse(text).turn)
        except BadTurn as error:
            self._bad(path, str(error))
            return int(self.state.clock.turn)

    def _by(self, at: int, text: str, last: int) -> int:
        turn = self._turn(("units", at, "by"), text) if text else last
        if turn > last:
            self._bad(("units", at, "by"), f"{text} lies after the end of the plan, {self.world.turn_name(last)}")
        return turn

    def _unit(self, path: Path, name: str) -> str:
        try:
            unit: Unit = find_unit(self.state, name, self.known)
        except Told as error:
            self._bad(path, str(error))
            return name
        return unit.id

    def _weight(self, at: int, weight: Weight, side: str) -> Weight:
        """A weight in the words of the campaign: what it is said of must be there."""
        units = self.own
        types = {each.spec.type.casefold(): each.spec.type for each in units}
        nations = {each.casefold(): each for each in self.world.sides if self._is_own(each, side)}
        for name, known in (("type", types), ("nation", nations)):
            said = getattr(weight, name)
            if said and said.casefold() not in known:
                listed = ", ".join(sorted(known.values()))
                self._bad(("weights", at, name), f"there is no {name} '{said}' in this campaign", f"there are {listed}")
        if weight.area and not any(weight.area in (self.world.areas_of(each, self.state) or ()) for each in units):
            self._bad(("weights", at, "area"), f"no unit is in '{weight.area}'", "write it as front/centre")
        if not (weight.type or weight.nation or weight.area or weight.unit):
            self._bad(("weights", at), "a weight is said of a type, nation, area or unit")
        return replace(
            weight,
            type=types.get(weight.type.casefold(), ""),
            nation=nations.get(weight.nation.casefold(), ""),
            unit=self._unit(("weights", at, "unit"), weight.unit) if weight.unit else "",
        )

    def _account(self, at: int, keep: _Keep, side: str) -> Account:
        try:
            nation, kind = self.world.nation_named(keep.nation), self.world.kind_named(keep.kind)
            if not self._is_own(nation, side):
                self._bad(("keep", at, "nation"), f"{nation} is not of {side}")
            return Account(self.world.pool_named(keep.pool), nation, kind)
        except Told as error:
            self._bad(("keep", at), str(error))
            return Account(keep.pool, keep.nation, keep.kind)

    def _kind(self, text: str) -> str:
        try:
            return self.world.kind_named(text)
        except Told as error:
            self._bad(("spend", text), str(error))
            return text
