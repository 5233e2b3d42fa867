"""A tiny game for tests of the engine and the store: rebuild a unit on a ring track, toss for one, tell of one.

Its clauses are its own, so that playing it proves nothing about the rules of a real game.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from forcepool.engine.beginning import begin
from forcepool.engine.calendar import Calendar, Clock, Sequence, Turn
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import Command, Question, lazy
from forcepool.engine.events import Became, Event, Marked, Moved, Noted, PhaseBegan, Raised, Transferred
from forcepool.engine.game import Game, SetUp
from forcepool.engine.journal import Journal
from forcepool.engine.ledger import SETUP, SPENT, Account
from forcepool.engine.places import Place, at_hex
from forcepool.engine.state import State, Unit, add_unit
from forcepool.engine.units import Strength, UnitSpec
from forcepool.engine.verdicts import YES, Rule, Verdict, no
from forcepool.engine.world import World
from forcepool.files.yamltext import Document, Path

TRACK = 4
COSTS = (Fraction(1, 2), Fraction(1, 3), Fraction(3, 4), Fraction(2, 3))
BOX = Place("eliminated", "front")
SPEC = UnitSpec(full=Strength(7, 7, 6), cadre=Strength(3, 3, 6), type="Inf", size="XX", nation="German")
SEED = bytes(range(32))
SIDES = ("Axis", "Soviet")


class Rebuild(Question):
    """One rebuild, as the rules see it."""

    @lazy
    def balance(self) -> Fraction:
        return self.state.balance(self.command.pool, "German", "inf")

    @lazy
    def cost(self) -> Fraction:
        return COSTS[int(self.unit.id) % len(COSTS)]

    @lazy
    def slot(self) -> int:
        mark = self.state.mark("track", "next")
        return int(str(mark.value)) if mark else 1


def house_rule(clause: str) -> Callable[[Callable[[Any], Verdict]], Rule[Any]]:
    """A rule of this game alone, unknown to the rulebook."""

    def decorate(function: Callable[[Any], Verdict]) -> Rule[Any]:
        function.clauses = (clause,)  # type: ignore[attr-defined]
        return function  # type: ignore[return-value]

    return decorate


@house_rule("ring.1")
def lies_in_the_box(q: Rebuild) -> Verdict:
    return YES if q.unit.place == BOX else no(f"{q.unit.id} is not in the ELIMINATED BOX", remedy="wait until it is")


@house_rule("ring.2")
def can_pay(q: Rebuild) -> Verdict:
    return YES if q.balance >= q.cost else no("too few points", have=q.balance, need=q.cost)


class RebuildUnit(Command, tag="rebuild", frozen=True):
    """Bring a unit from the box to the track; the one whose slot it takes goes back."""

    unit: str
    pool: str = "A"
    question = Rebuild
    requires = (lies_in_the_box, can_pay)

    def effects(self, q: Any) -> Iterator[Event]:
        yield Transferred(amount=q.cost, kind="inf", nation="German", frm=self.pool, to=SPENT, because="ring.2")
        yield Moved(unit=self.unit, frm=q.unit.place, to=Place("track", "front", q.slot), because="ring.1")
        back = q.state.mark(f"slot/{q.slot}", "unit")
        if back is not None and back.value != self.unit:
            yield Moved(unit=back.value, frm=q.state.units[back.value].place, to=BOX, because="ring.3")
        yield Marked(on=f"slot/{q.slot}", mark="unit", value=self.unit)
        yield Marked(on="track", mark="next", value=q.slot % TRACK + 1)


class Toss(Command, tag="toss", frozen=True):
    """Throw dice for a unit: a six on any makes it a cadre, anything else full again."""

    unit: str
    dice: int = 1

    def effects(self, q: Any) -> Iterator[Event]:
        results = [q.roll("ring.4", 6, "losses") for _ in range(self.dice)]
        step = "cadre" if 6 in results else "full"
        yield Became(unit=self.unit, was=q.unit.step, step=step, because="ring.4")


class Tell(Command, tag="tell", frozen=True):
    """Put a marker on a unit, or take it off with no text."""

    unit: str
    text: str = ""

    def effects(self, q: Any) -> Iterator[Event]:
        yield Marked(on=f"unit/{self.unit}", mark="told", value=self.text or None)
        if "\n" in self.text:
            yield Noted(text=self.text)


class Raise(Command, tag="raise", frozen=True):
    """Bring a new unit into play."""

    name: str

    def effects(self, q: Any) -> Iterator[Event]:
        yield Raised(unit=self.name, spec=SPEC, at=at_hex("Minsk"), because="ring.5")


class NextPhase(Command, tag="next", frozen=True):
    """Go on to the next phase."""

    def effects(self, q: Any) -> Iterator[Event]:
        yield PhaseBegan(clock=q.world.sequence.next(q.state.clock))


def world_of(data: bytes) -> World:
    return World(GAME, Calendar(turns_per_month=4), Sequence(players=SIDES, phases=("replacement", "movement")), {})


def build(name: str, data: bytes) -> World:
    return world_of(data)


def no_scenarios(document: Document, path: Path) -> SetUp:
    raise NotImplementedError("the ring has no scenario files")


GAME = Game(
    name="ring",
    title="The ring",
    commands=(RebuildUnit, Toss, Tell, Raise, NextPhase),
    build=world_of,
    set_up=no_scenarios,
)


def opening(units: int = 8, points: int = 1000) -> State:
    """The position at the start: all units in the box, and two pools."""
    state = State(clock=Clock(Turn(1941 * 48), 0, 0))
    for number in range(units):
        add_unit(state, Unit(str(number), SPEC, BOX))
    state.balances = {Account(pool, "German", "inf"): Fraction(points) for pool in ("A", "B")}
    state.balances[Account(SETUP, "German", "inf")] = Fraction(-2 * points)
    return state


def begin_ring(
    journal: Journal, *, units: int = 8, points: int = 1000, seed: bytes = SEED, seats: bool = False
) -> None:
    begin(
        journal,
        game="ring",
        title="ring",
        ruleset="test",
        world=b"{}",
        state=opening(units, points),
        seed=seed,
        seats=SIDES if seats else (),
    )


def start(journal: Journal, *, units: int = 8, points: int = 1000, seed: bytes = SEED) -> Campaign:
    """A campaign just begun."""
    begin_ring(journal, units=units, points=points, seed=seed)
    return Campaign(journal, build, seed)


def play(campaign: Campaign, number: int, when: str = "2026-07-01T12:00:00Z") -> None:
    """The number-th command of a long, varied and always lawful campaign."""
    units = 8
    commands: tuple[Command, ...] = (
        RebuildUnit(unit=str(number % units), pool="AB"[number % 2]),
        Toss(unit=str(number % units), dice=number % 3 + 1),
        Tell(unit=str(number % units), text=f"hæld since {number}"),
        NextPhase(),
        Tell(unit=str((number + 3) % units)),
    )
    campaign.do(commands[number % len(commands)], override="as agreed", when=when)
