"""Units of a kind: what the rules say of one that nothing sets apart, they say of all.

A long list of options asks the same rules about a hundred divisions of the same strength and type. Here a rule is asked
about a unit of which nobody knows the name or the hex. If it answers without asking for either, its answer is the same
for all units of that kind, and is kept as answers are. What a rule asks of the unit itself, such as its zone or its
stack, it goes on being asked for each.

Units of which nothing was ever declared are a kind of their own, and so are those in hexes of which nothing was: there
a rule may look for declarations under the name that nobody knows, and write that name into its answer, where it gives
way to the unit's or the hex's own.
"""

from fractions import Fraction
from typing import Any, Final, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.bill import Bill, bill_of
from forcepool.engine.command import BadCommand, Command, Question, carried_out, given, lazy
from forcepool.engine.dice import RollNeeded
from forcepool.engine.facts import Facts, SetsApart, place_key, unit_key
from forcepool.engine.places import HEX, Place
from forcepool.engine.sentence import the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import YES, No, Rule, Verdict, Way, Yes
from forcepool.engine.world import World
from forcepool.rulebook import citations

OF_THE_UNIT = frozenset(("unit", "tray"))
"""What a question about one unit never takes over from the question about its kind."""
APART: Final = object()
"""In place of what is each unit's own."""
SET_APART = (SetsApart, BadCommand, RollNeeded)
"""How a rule tells that it has no answer for the kind; each unit is told why when it is asked about itself."""


def _nobody_knows(*_: Any) -> NoReturn:
    raise SetsApart


A_UNIT, A_HEX = "\ue000", "\ue001"
"""Stand in sentences for the names nobody knows: letters that no name has."""
NAMELESS = frozenset((A_UNIT, A_HEX))


class Name:
    """A name that nobody knows: it can be written down, and told from no other."""

    __eq__ = __ne__ = __lt__ = __gt__ = __hash__ = __repr__ = __add__ = __radd__ = _nobody_knows
    __getattr__ = __getitem__ = __contains__ = __iter__ = __len__ = __bool__ = __int__ = __index__ = _nobody_knows

    def __init__(self, letter: str) -> None:
        self.letter = letter

    def __format__(self, how: str) -> str:
        return self.letter

    def __str__(self) -> str:
        return self.letter


def _is_nameless(text: str) -> bool:
    return A_UNIT in text or A_HEX in text


class SomeHex:
    """A hex that could be any."""

    kind = HEX
    due = 0
    on_map = True
    __eq__ = __ne__ = __lt__ = __gt__ = __hash__ = __str__ = __repr__ = _nobody_knows

    def __init__(self, *, declared: bool = True) -> None:
        self.declared = declared

    @property
    def of(self) -> Name:
        if self.declared:
            raise SetsApart
        return Name(A_HEX)

    def is_reached(self, turn: int) -> bool:
        return self.due <= turn


class OneOfAKind:
    """A unit of which only the kind, the step and, off the map, the box is known, and whether anything was declared."""

    __eq__ = __ne__ = __hash__ = __str__ = __repr__ = _nobody_knows

    def __init__(self, spec: UnitSpec, step: str, place: Place | SomeHex, *, declared: bool = True) -> None:
        self.spec, self.step, self.place, self.declared = spec, step, place, declared

    @property
    def id(self) -> Name:
        if self.declared:
            raise SetsApart
        return Name(A_UNIT)

    def __format__(self, how: str) -> str:
        return the_unit(self.id)


class Same:
    """A rule that has answered for all units of a kind."""

    def __init__(self, asked: Rule[Any], verdict: Verdict) -> None:
        self.clauses, self.__name__, self.asked, self.verdict = asked.clauses, asked.__name__, asked, verdict
        self.names_it = _is_nameless(verdict.sentence) or (
            isinstance(verdict, No) and (_is_nameless(verdict.advice) or bool(verdict.ways))
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.asked is other.asked and self.verdict == other.verdict

    def __hash__(self) -> int:
        return hash(self.asked)

    def __call__(self, q: Any, /) -> Verdict:
        if not self.names_it:
            return self.verdict
        said, unit = self.verdict, q.unit
        if isinstance(said, No):
            ways = tuple(_for_it(each, unit) for each in said.ways)
            return replace(said, sentence=_named(said.sentence, unit), advice=_named(said.advice, unit), ways=ways)
        return replace(said, sentence=_named(said.sentence, unit))


def _for_it(way: Way, unit: Unit) -> Way:
    """A remedy's order that was given for no unit of the kind, given for this one."""
    order = way.instead
    nobody = order is not None and getattr(order, "unit", None) == ""
    return replace(way, instead=replace(order, unit=unit.id)) if nobody else way


def _named(text: str, unit: Unit) -> str:
    return text.replace(A_UNIT, unit.id).replace(A_HEX, unit.place.of)


Rules = tuple[Rule[Any], ...]


class Kind:
    """One command for all units of a kind: what is still to be asked of each, and what is known of all."""

    def __init__(self, command: Command, some: "OneOfAKind", *, in_passing: bool) -> None:
        self.command, self.some, self.in_passing = command, some, in_passing
        self._about: Question | None = None
        self._shared: dict[str, Any] = {}
        """What is known of all its units, for as long as the moment lasts; nothing where reads are noted."""

    def known(self, what: lazy[Any], q: Any) -> Any:
        """What a question about a unit of the kind, or about the kind itself, wants to know."""
        if isinstance(what, given):
            value = q.__dict__[what.name] = what.function(q)
        elif q.unit is self.some:
            value = q.facts.ask(_found, self, what)
        else:
            value = APART if what.name in OF_THE_UNIT else q.facts.ask(_found_of_all, self, what)
            if value is APART:
                value = what.function(q)
            elif q.facts.state.keeper is None:
                self._shared[what.name] = value
        # Where reads are noted, all answers about the kind put one question, and each is to be noted for what it asks.
        if q.unit is not self.some or q.facts.state.keeper is None:
            q.__dict__[what.name] = value
        return value

    def question(self, world: World, state: State, command: Command) -> Question:
        """The question about one of its units."""
        q = self._put(world, state, command)
        q.__dict__.update(self._shared)
        q.__dict__["unit"] = state.units[command.unit]  # type: ignore[attr-defined]
        return q

    def about(self, facts: Facts) -> Question:
        """The question about the kind, put once."""
        if self._about is None:
            self._about = self._put(facts.world, facts.state, self.command)
            self._about.__dict__["unit"] = self.some
        return self._about

    def forget(self) -> None:
        """Let go of the question, which holds on to the kind and to the state."""
        self._about = None

    def _put(self, world: World, state: State, command: Command) -> Question:
        q = command.question(world, state, command)
        if self.in_passing:
            q.asked_in_passing = True
        q.__dict__["facts"] = world.facts(state)
        q.of_kind = self
        return q


Alike = tuple[UnitSpec, str, Place | bool, bool]
"""What units of a kind share: counter, step, the box or whether the hex was spoken of, and whether the unit was."""


def alike(state: State, unit: Unit) -> Alike:
    """The kind of unit it is."""
    place: Place | bool = unit.place if unit.place.kind != HEX else place_key(unit.place.of) in state.marks
    return unit.spec, unit.step, place, unit_key(unit.id) in state.marks


def kind_of(world: World, state: State, command: Command, *, in_passing: bool = False) -> Kind | None:
    """What is known of a command for all units of the kind; nothing if it is about no unit.

    Asked in passing, only whether it may be: what would help where it may not is not worked out.
    """
    unit = state.units.get(getattr(command, "unit", ""))
    if unit is None:
        return None
    return kind_for(world.facts(state), alike(state, unit), replace(command, unit=""), in_passing=in_passing)


def kind_for(facts: Facts, units: Alike, of_all: Command, *, in_passing: bool) -> Kind | None:
    """What is known of a command, which names no unit, for all units of a kind."""
    try:
        found: Kind | None = facts.kinds.get(key := (*units, of_all, in_passing))
    except TypeError:
        return None  # A command with a list in it is a key to nothing.
    if found is None:
        spec, step, place, declared = units
        where = place if isinstance(place, Place) else SomeHex(declared=place)
        found = facts.kinds[key] = Kind(of_all, OneOfAKind(spec, step, where, declared=declared), in_passing=in_passing)
    return found


def rules_for_each(world: World, facts: Facts, kind: Kind) -> tuple[Rules, Rules] | None:
    """What a command needs and what guards it, as far as it is to be asked of each unit; None if that depends."""
    try:
        guards = kind.command.guards(kind.about(facts))
    except SET_APART:
        return None
    needs = tuple(facts.ask(_told, kind, each) for each in kind.command.needs)
    guards = tuple(facts.ask(_told, kind, each) for each in guards)
    return tuple(filter(_matters, needs)), tuple(filter(_matters, guards))


class Permission(Struct, frozen=True):
    """Whether a command may be refused to units of a kind, and by which rules that each is to be asked."""

    refused: bool
    needs: Rules = ()
    guards: Rules = ()

    @property
    def for_all(self) -> bool:
        """Whether nothing is to be asked of each."""
        return not self.needs and not self.guards


def permission(world: World, facts: Facts, kind: Kind) -> Permission | None:
    """Whether a command is refused to all units of a kind, else what is to be asked of each; None if that depends.

    Apart from the words of a refusal, which name balances and change with them: that it is refused does not.
    """
    try:
        guards = kind.command.guards(kind.about(facts))
    except SET_APART:
        return None
    needs = kind.command.needs
    # What has refused such an order before may well refuse this one, and what the others say is asked by nobody then.
    refusers = facts.refusers.setdefault(type(kind.command), [])
    likely = [each for each in refusers if each in needs or each in guards]
    said: dict[Rule[Any], str] = {}
    for each in dict.fromkeys((*likely, *needs, *guards)):
        said[each] = _remains(world, facts, kind, each)
        if said[each] is REFUSES:
            refusers[:] = list(dict.fromkeys((each, *refusers)))[:LIKELY]
            return Permission(refused=True)
    needs, guards = (tuple(each for each in rules if said[each] is ASK) for rules in (needs, guards))
    return Permission(False, needs, guards)


LIKELY = 8
"""Rules that are asked first because they refused before."""
ALLOWS, REFUSES, ASK = "allows", "refuses", "ask each"


def _remains(world: World, facts: Facts, kind: Kind, asked: Rule[Any]) -> str:
    """Whether a rule allows or refuses a command to all units of a kind, or is to be asked of each."""
    told = facts.ask(_told, kind, asked)
    if not isinstance(told, Same):
        return ASK
    if isinstance(told.verdict, Yes):
        return ALLOWS
    return ASK if world.game.waivers.get(told.verdict.clause or asked.clauses[0]) else REFUSES


def bill_for_all(world: World, facts: Facts, kind: Kind) -> Bill | None:
    """What it would cost each unit of the kind; None where that depends on the unit, or on a die."""
    try:
        return bill_of(carried_out(kind.command, kind.about(facts)))
    except SET_APART:
        return None


def _found(world: World, facts: Facts, kind: Kind, what: lazy[Any]) -> Any:
    return what.function(kind.about(facts))


def _found_of_all(world: World, facts: Facts, kind: Kind, what: lazy[Any]) -> Any:
    try:
        found = facts.ask(_found, kind, what)
    except SET_APART:
        return APART
    return found if _is_plain(found) else APART


def _told(world: World, facts: Facts, kind: Kind, asked: Rule[Any]) -> Rule[Any]:
    """A rule's answer for all units of a kind, or the rule itself where it wants to be asked of each."""
    try:
        verdict = asked(kind.about(facts))
    except SET_APART:
        return asked
    if verdict is YES and citations.observer is not None:
        # Nobody puts it to the units again, so whoever listens hears of it now.
        citations.heard(asked.clauses[0], "yes")
    # The units, numbers and orders of an answer are no sentences in which a name could be put right.
    rest = () if isinstance(verdict, Yes) else (verdict.units, verdict.have, verdict.need, verdict.ways)
    return Same(asked, verdict) if all(map(_is_plain, rest)) else asked


def _is_plain(value: Any) -> bool:
    """Whether something found out about the kind is plain data, in which the unit nobody knows cannot hide."""
    if isinstance(value, str):
        return not _is_nameless(value)
    if value is None or isinstance(value, int | Fraction | World | State | Facts | UnitSpec):
        return True
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(map(_is_plain, value)) and all(map(_is_plain, value.values()))
    return isinstance(value, Struct) and all(_is_plain(getattr(value, name)) for name in value.__struct_fields__)


def _matters(asked: Rule[Any]) -> bool:
    """A plain yes to all needs no repeating."""
    return not isinstance(asked, Same) or asked.verdict is not YES
