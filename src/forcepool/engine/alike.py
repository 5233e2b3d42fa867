"""Units of a kind: what the rules say of one that nothing sets apart, they say of all.

A long list of options asks the same rules about a hundred divisions of the same strength and type. Here a rule is asked
about a unit of which nobody knows the name or the hex. If it answers without asking for either, its answer is the same
for all units of that kind, and is kept for as long as nothing happens. What a rule asks of the unit itself, such as its
zone or its stack, it goes on being asked for each.

Units of which nothing was ever declared are a kind of their own, and so are those in hexes of which nothing was: there
a rule may look for declarations under the name that nobody knows, and write that name into its answer, where it gives
way to the unit's or the hex's own.
"""

from fractions import Fraction
from typing import Any, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.bill import Bill, bill_of
from forcepool.engine.command import Command, Question, carried_out, lazy
from forcepool.engine.facts import Facts, place_key, unit_key
from forcepool.engine.places import HEX, Place
from forcepool.engine.state import State, Unit
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import YES, No, Rule, Verdict, Way, Yes
from forcepool.engine.world import World
from forcepool.rulebook import citations

OF_THE_UNIT = frozenset(("command", "unit", "seat", "dice", "tray", "rolled"))
"""What a question about one unit never takes over from the question about its kind."""


class SetsApart(Exception):
    """A rule wants to know which unit it is, or where it stands."""


def _nobody_knows(*_: Any) -> NoReturn:
    raise SetsApart


A_UNIT, A_HEX = "\ue000", "\ue001"
"""Stand in sentences for the names nobody knows: letters that no name has."""
NAMELESS = frozenset((A_UNIT, A_HEX))


class Name:
    """A name that nobody knows: it can be written down, and told from no other."""

    __eq__ = __ne__ = __lt__ = __gt__ = __hash__ = __repr__ = _nobody_knows

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


class Same:
    """A rule that has answered for all units of a kind."""

    def __init__(self, asked: Rule[Any], verdict: Verdict) -> None:
        self.clauses, self.__name__, self.verdict = asked.clauses, asked.__name__, verdict
        self.names_it = _is_nameless(verdict.says) or (
            isinstance(verdict, No) and (_is_nameless(verdict.remedy) or bool(verdict.ways))
        )

    def __call__(self, q: Any, /) -> Verdict:
        if not self.names_it:
            return self.verdict
        said, unit = self.verdict, q.unit
        if isinstance(said, No):
            ways = tuple(_for_it(each, unit) for each in said.ways)
            return replace(said, says=_named(said.says, unit), remedy=_named(said.remedy, unit), ways=ways)
        return replace(said, says=_named(said.says, unit))


def _for_it(way: Way, unit: Unit) -> Way:
    """A remedy's order that was given for no unit of the kind, given for this one."""
    order = way.instead
    nobody = order is not None and getattr(order, "unit", None) == ""
    return replace(way, instead=replace(order, unit=unit.id)) if nobody else way


def _named(text: str, unit: Unit) -> str:
    return text.replace(A_UNIT, unit.id).replace(A_HEX, unit.place.of)


class Kind(Struct, frozen=True, dict=True):
    """One command for all units of a kind: what is still to be asked of each, and what is known of all."""

    needs: tuple[Rule[Any], ...]
    guards: tuple[Rule[Any], ...]
    known: dict[str, Any]
    asked: Question

    @lazy
    def bill(self) -> Bill | None:
        """What it would cost each unit of the kind; None where that depends on the unit, or on a die."""
        try:
            found = bill_of(carried_out(self.asked.command, self.asked))
        except Exception:
            return None
        return None if self.asked.rolled else found

    def question(self, world: World, state: State, command: Command) -> Question:
        q = command.question(world, state, command)
        q.__dict__.update(self.known)
        return q


def kind_of(world: World, state: State, command: Command, *, in_passing: bool = False) -> Kind | None:
    """What is known of a command for all units of the kind; nothing while somebody listens for clauses.

    Asked in passing, only whether it may be: what would help where it may not is not worked out.
    """
    if citations.observer is not None:
        return None
    unit = state.units.get(getattr(command, "unit", ""))
    if unit is None:
        return None
    place: Place | bool = unit.place if unit.place.kind != HEX else place_key(unit.place.of) in state.marks
    key = (unit.spec, unit.step, place, unit_key(unit.id) in state.marks, replace(command, unit=""), in_passing)
    kept = world.facts(state).kept
    try:
        if key not in kept:
            where = place if isinstance(place, Place) else SomeHex(declared=place)
            some = OneOfAKind(unit.spec, unit.step, where, declared=key[3])
            kept[key] = _asked_of_all(world, state, key[4], some, in_passing=in_passing)
    except TypeError:
        return None  # A command with a list in it is a key to nothing.
    found: Kind | None = kept[key]
    return found


def _asked_of_all(world: World, state: State, command: Command, some: OneOfAKind, *, in_passing: bool) -> Kind | None:
    q = command.question(world, state, command)
    q.asked_in_passing = in_passing
    q.__dict__["unit"] = some
    needs = tuple(_answered(each, q) for each in command.needs)
    try:
        guards = command.guards(q)
    except Exception:
        # Whatever went wrong goes wrong again, with its reason, when the unit itself is asked about.
        return None
    guards = tuple(_answered(each, q) for each in guards)
    of_this = (*OF_THE_UNIT, "asked_in_passing")
    known = {name: value for name, value in q.__dict__.items() if name not in of_this and _is_plain(value)}
    return Kind(tuple(filter(_matters, needs)), tuple(filter(_matters, guards)), known, q)


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


def _answered(asked: Rule[Any], q: Question) -> Rule[Any]:
    try:
        verdict = asked(q)
    except Exception:
        return asked
    # The units, numbers and orders of an answer are no sentences in which a name could be put right.
    rest = () if isinstance(verdict, Yes) else (verdict.units, verdict.have, verdict.need, verdict.ways)
    return Same(asked, verdict) if all(map(_is_plain, rest)) else asked


def _matters(asked: Rule[Any]) -> bool:
    """A plain yes to all needs no repeating."""
    return not isinstance(asked, Same) or asked.verdict is not YES
