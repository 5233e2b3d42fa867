"""Units of a kind: what the rules say of one that nothing sets apart, they say of all.

A long list of options asks the same rules about a hundred divisions of the same strength and type. Here a rule is asked
about a unit of which nobody knows the name or the hex. If it answers without asking for either, its answer is the same
for all units of that kind, and is kept for as long as nothing happens. What a rule asks of the unit itself, such as its
supply or its stack, it goes on being asked for each.
"""

from fractions import Fraction
from typing import Any, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.command import Command, Question
from forcepool.engine.facts import Facts
from forcepool.engine.places import HEX, Place
from forcepool.engine.state import State, Unit
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import YES, Rule, Verdict
from forcepool.engine.world import World
from forcepool.rulebook import citations

OF_THE_UNIT = frozenset(("command", "unit", "seat", "dice", "tray", "rolled"))
"""What a question about one unit never takes over from the question about its kind."""


class SetsApart(Exception):
    """A rule wants to know which unit it is, or where it stands."""


def _nobody_knows(*_: Any) -> NoReturn:
    raise SetsApart


class SomeHex:
    """A hex that could be any."""

    kind = HEX
    due = 0
    on_map = True
    of = property(_nobody_knows)
    __eq__ = __ne__ = __lt__ = __gt__ = __hash__ = __str__ = __repr__ = _nobody_knows


class OneOfAKind:
    """A unit of which only the kind, the step and, off the map, the box is known."""

    id = property(_nobody_knows)
    __eq__ = __ne__ = __hash__ = __str__ = __repr__ = _nobody_knows

    def __init__(self, spec: UnitSpec, step: str, place: Place | SomeHex) -> None:
        self.spec, self.step, self.place = spec, step, place


class Same:
    """A rule that has answered for all units of a kind."""

    def __init__(self, asked: Rule[Any], verdict: Verdict) -> None:
        self.clauses, self.__name__, self.verdict = asked.clauses, asked.__name__, verdict

    def __call__(self, q: Any, /) -> Verdict:
        return self.verdict


class Kind(Struct, frozen=True):
    """One command for all units of a kind: what is still to be asked of each, and what is known of all."""

    needs: tuple[Rule[Any], ...]
    guards: tuple[Rule[Any], ...]
    known: dict[str, Any]

    def question(self, world: World, state: State, command: Command) -> Question:
        q = command.question(world, state, command)
        q.__dict__.update(self.known)
        return q


def kind_of(world: World, state: State, command: Command) -> Kind | None:
    """What is known of a command for all units of the kind; nothing while somebody listens for clauses."""
    if citations.observer is not None:
        return None
    unit = state.units.get(getattr(command, "unit", ""))
    if unit is None:
        return None
    key = (unit.spec, unit.step, None if unit.place.kind == HEX else unit.place, replace(command, unit=""))
    kept = world.facts(state).kept
    try:
        if key not in kept:
            kept[key] = _asked_of_all(world, state, key[-1], unit)
    except TypeError:
        return None  # A command with a list in it is a key to nothing.
    found: Kind | None = kept[key]
    return found


def _asked_of_all(world: World, state: State, command: Command, unit: Unit) -> Kind | None:
    q = command.question(world, state, command)
    place = SomeHex() if unit.place.kind == HEX else unit.place
    q.__dict__["unit"] = OneOfAKind(unit.spec, unit.step, place)
    needs = tuple(_answered(each, q) for each in command.needs)
    try:
        guards = command.guards(q)
    except Exception:
        # Whatever went wrong goes wrong again, with its reason, when the unit itself is asked about.
        return None
    guards = tuple(_answered(each, q) for each in guards)
    known = {name: value for name, value in q.__dict__.items() if name not in OF_THE_UNIT and _is_plain(value)}
    return Kind(tuple(filter(_matters, needs)), tuple(filter(_matters, guards)), known)


def _is_plain(value: Any) -> bool:
    """Whether something found out about the kind is plain data, in which the unit nobody knows cannot hide."""
    if value is None or isinstance(value, str | int | Fraction | World | State | Facts | UnitSpec):
        return True
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    return isinstance(value, Struct) and all(_is_plain(getattr(value, name)) for name in value.__struct_fields__)


def _answered(asked: Rule[Any], q: Question) -> Rule[Any]:
    try:
        return Same(asked, asked(q))
    except Exception:
        return asked


def _matters(asked: Rule[Any]) -> bool:
    """A plain yes to all needs no repeating."""
    return not isinstance(asked, Same) or asked.verdict is not YES
