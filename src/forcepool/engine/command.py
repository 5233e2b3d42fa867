"""Commands: what a player may order, what it needs, which rules guard it, and what it does."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.dice import Roll, Tray
from forcepool.engine.events import Event, Noted, Rolled
from forcepool.engine.facts import Facts
from forcepool.engine.sentence import BEGINS, Told, plain
from forcepool.engine.verdicts import Rule
from forcepool.engine.world import World, find_unit

if TYPE_CHECKING:
    from forcepool.engine.state import State, Unit


T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801
    """Worked out when first asked for, then kept. (The library's own takes a lock each time until Python 3.12.)

    In a question about a unit of a kind it is taken from the kind, unless it sets the unit apart.
    """

    def __init__(self, function: Callable[[Any], T]) -> None:
        self.function, self.name, self.__doc__ = function, function.__name__, function.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "lazy[T]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> "T | lazy[T]":
        if instance is None:
            return self
        kind = instance.__dict__.get("of_kind")
        if kind is None:
            value = instance.__dict__[self.name] = self.function(instance)
            return value
        found: T = kind.known(self, instance)
        return found


class given(lazy[T]):  # noqa: N801
    """What the command, the counter and the charts say by themselves: nothing of the moment is read for it."""


class BadCommand(Told):
    """The command names something that does not exist, or lacks something it needs."""


class Question:
    """A command put to a state: everything a rule may ask about."""

    rolled: Sequence[Rolled] = ()
    asked_in_passing = False
    """Whether it is put only to learn yes or no, so that a refusal need not look for a remedy."""
    of_kind: Any
    """The kind of unit it is about, where what is known of the kind holds for the unit."""

    def __init__(self, world: World, state: "State", command: Any, seat: str = "", dice: Sequence[Roll] = ()) -> None:
        self.world, self.state, self.command, self.seat, self.dice = world, state, command, seat, dice

    @lazy
    def tray(self) -> Tray:
        return Tray(self.dice)

    @lazy
    def facts(self) -> Facts:
        return self.world.facts(self.state)

    @lazy
    def unit(self) -> "Unit":
        """The unit the command is about."""
        return find_unit(self.state, self.command.unit)

    def switch(self, key: str) -> str:
        """How this campaign plays a ruling."""
        return self.world.ruling(self.state, key)

    def roll(self, clause: str, sides: int, why: str) -> int:
        """A die for a clause: taken from what was rolled or entered, and recorded."""
        why = plain(why)
        die = self.tray.take(clause, sides, why)
        if not 1 <= die.result <= sides:
            raise BadCommand(f"a d{sides} cannot show {die.result}; enter what it shows")
        rolled = Rolled(sides=sides, result=die.result, by_hand=die.by_hand, because=clause, says=why)
        self.rolled = [*self.rolled, rolled]
        return die.result


class Command(Struct, frozen=True, kw_only=True, tag_field="command", forbid_unknown_fields=True, omit_defaults=True):
    """Something a player may order."""

    needs: ClassVar[tuple[Rule[Any], ...]] = ()
    """What must be so for the command to make sense at all; never overruled."""
    requires: ClassVar[tuple[Rule[Any], ...]] = ()
    """The rules that guard it; all are asked, and a player may overrule them with a note."""
    question: ClassVar[type[Question]] = Question
    referee: ClassVar[bool] = False
    """True for the tools that put the record right rather than play by the rules."""
    whole_side: ClassVar[bool] = False
    """True for what concerns a side as a whole, so that no commander of one front decides it."""

    harms: ClassVar[bool] = False
    """True for what costs one's own side something on the board, such as a loss: faces put it last and ask first."""

    of_choice: ClassVar[tuple[str, ...]] = ()
    """Fields whose offered value is one of many that would do as well, such as an amount."""

    asked_like: ClassVar["type[Command] | None"] = None
    """The command in whose place it stands: whatever other headings ask of that one is asked of it too …"""
    not_asked: ClassVar[tuple[Rule[Any], ...]] = ()
    """… but for these."""

    def guards(self, q: Any) -> tuple[Rule[Any], ...]:
        """The rules to ask: the command's own, and those that other headings add to it."""
        return (*self.requires, *q.world.game.guards.get(type(self), ()))

    def effects(self, q: Any) -> Iterator[Event]:
        """What happens when it is carried out, by its own heading."""
        raise NotImplementedError

    def side(self, q: Any) -> str:
        """Whose command it is; empty when anyone may give it."""
        return q.world.side_now(q.state, q.unit.spec.nation) if "unit" in self.__struct_fields__ else ""

    def besides(self, q: Any) -> Iterator[Event]:
        """What other headings add to what happens."""
        for also in q.world.game.also.get(type(self), ()):
            yield from also(q)

    @classmethod
    def offers(cls, world: Any, state: "State", unit: "Unit") -> Iterator["Command"]:
        """The ways this command could be given for a unit, lawful or not."""
        return iter(())

    @classmethod
    def offers_something(cls) -> bool:
        """Whether this command is ever listed among a unit's options."""
        own: Any = cls.offers
        base: Any = Command.offers
        return own.__func__ is not base.__func__

    @classmethod
    def offers_to_side(cls, world: Any, state: "State", side: str) -> Iterator["Command"]:
        """The ways this command, which is about no one unit, could be given by a side."""
        return iter(())

    @classmethod
    def offers_a_side_something(cls) -> bool:
        """Whether this command is ever listed among what a side could do."""
        own: Any = cls.offers_to_side
        base: Any = Command.offers_to_side
        return own.__func__ is not base.__func__


Also = Callable[[Any], Iterator[Event]]
"""What another heading adds to what a command or a declaration does, told the question that was put."""


def carried_out(command: Command, q: Question) -> Iterator[Event]:
    """All that a command brings about: what it says itself, then what other headings add."""
    yield from map(_in_plain_letters, chain(command.effects(q), command.besides(q)))


def _in_plain_letters(event: Event) -> Event:
    """A journal is read for decades and by other programs: what it keeps of a sentence is letters."""
    kept = replace(event, says=plain(event.says)) if BEGINS in event.says else event
    return replace(kept, text=plain(kept.text)) if isinstance(kept, Noted) and BEGINS in kept.text else kept


def command_name(command: type[Command] | Command) -> str:
    cls = command if isinstance(command, type) else type(command)
    return str(cls.__struct_config__.tag)


def describe(command: Command) -> str:
    """'rebuild-cadre unit="24 Inf XX" pay_from=front/centre': what one would type to give it."""
    words = [command_name(command)]
    for field, default in zip(command.__struct_fields__, _defaults(command), strict=True):
        value = getattr(command, field)
        if value != default:
            words.append(f"{field}={_typed(value)}")
    return " ".join(words)


def _defaults(command: Command) -> tuple[Any, ...]:
    fields, defaults = command.__struct_fields__, command.__struct_defaults__
    return (object(),) * (len(fields) - len(defaults)) + defaults


def _typed(value: Any) -> str:
    text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    return f'"{text}"' if " " in text or not text else text
