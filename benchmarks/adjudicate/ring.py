"""The peer's game on our engine: pay a fraction from a pool, put a unit from the box on a ring track.

Each check cites a clause, each event says why, each command is journalled and sealed.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from forcepool.engine.beginning import begin
from forcepool.engine.calendar import Calendar, Clock, Sequence, Turn
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import Command, Question, lazy
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.game import Game, SetUp
from forcepool.engine.journal import Journal
from forcepool.engine.ledger import SPENT, Account
from forcepool.engine.places import Place
from forcepool.engine.points import show_points
from forcepool.engine.state import State, Unit, add_unit
from forcepool.engine.units import Strength, UnitSpec
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.engine.world import World
from forcepool.files.yamltext import Document, Path

UNITS, TRACK = 200, 100
COSTS = (Fraction(1, 2), Fraction(1, 3), Fraction(3, 4), Fraction(2, 3))
BOX = Place("eliminated", "front")


class Rebuild(Question):
    """One rebuild, as the rules see it."""

    command: "RebuildUnit"

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


@rule("52.A.9.a/1")
def lies_in_the_box(q: Rebuild) -> Verdict:
    if q.unit.place == BOX:
        return YES
    return no(f"{q.unit.id} is not in the ELIMINATED BOX", remedy="wait until it is")


@rule("52.C/4")
def pool_is_known(q: Rebuild) -> Verdict:
    if Account(q.command.pool, "German", "inf") in q.state.balances:
        return YES
    return no(f"there is no pool {q.command.pool}", remedy="pay from A or B")


@rule("52.A.9.a/4")
def can_pay(q: Rebuild) -> Verdict:
    if q.balance >= q.cost:
        return YES
    return no(
        f"costs {show_points(q.cost)}, {q.command.pool} has {show_points(q.balance)}", have=q.balance, need=q.cost
    )


class RebuildUnit(Command, tag="rebuild", frozen=True):
    """Bring a unit from the box to the track."""

    unit: str
    pool: str
    question = Rebuild
    requires = (lies_in_the_box, pool_is_known, can_pay)

    def effects(self, q: Any) -> Iterator[Event]:
        yield Transferred(amount=q.cost, kind="inf", nation="German", frm=self.pool, to=SPENT, because="52.A.9.a/4")
        slot = q.slot
        yield Moved(unit=self.unit, frm=BOX, to=Place("track", "front", slot), because="52.A/1")
        back = q.state.mark(f"slot/{slot}", "unit")
        if back is not None:
            yield Moved(unit=back.value, frm=Place("track", "front", slot), to=BOX, because="52.A/3")
        yield Marked(on=f"slot/{slot}", mark="unit", value=self.unit)
        yield Marked(on="track", mark="next", value=slot % TRACK + 1)


def _world(data: bytes) -> World:
    return World(GAME, Calendar(turns_per_month=4), Sequence(players=("Axis",), phases=("replacement",)), {})


def _no_files(document: Document, path: Path) -> SetUp:
    raise NotImplementedError("this game has no scenario files")


GAME = Game(name="ring", title="The peer's game", commands=(RebuildUnit,), build=_world, set_up=_no_files)


def build(name: str, data: bytes) -> World:
    return _world(data)


def start(journal: Journal, moves: int) -> Campaign:
    state = State(clock=Clock(Turn(1941 * 48), 0, 0))
    spec = UnitSpec(full=Strength(7, 7, 6), type="Inf", size="XX", nation="German")
    for number in range(UNITS):
        add_unit(state, Unit(str(number), spec, BOX))
    state.balances = {Account(pool, "German", "inf"): Fraction(moves) for pool in ("A", "B")}
    state.balances[Account("source/set-up", "German", "inf")] = Fraction(-2 * moves)
    begin(journal, game="ring", title="ring", ruleset="bench", world=b"{}", state=state)
    return Campaign(journal, build)
