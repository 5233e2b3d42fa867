"""Answers are kept with what they read: worked out again when that changes, and only then."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from forcepool.engine.answers import MEMORY, Keeper, keep_answers
from forcepool.engine.events import Became, Event, Marked, Moved, PhaseBegan, Raised, SwitchSet, Transferred
from forcepool.engine.facts import Facts, SetsApart
from forcepool.engine.ledger import Account
from forcepool.engine.places import Place, at_hex
from forcepool.engine.state import State, evolve, restore, snapshot
from tests.support.table import Table

UNIT, OTHER = "24 Inf XX", "76 Inf XX"
Reads = Callable[[Any], Any]


class Watching:
    """A campaign whose answers are kept, with functions that count how often they were asked."""

    def __init__(self) -> None:
        self.table = Table()
        self.world, self.state = self.table.campaign.world, self.table.campaign.state
        self.keeper: Keeper = keep_answers(self.world, self.state)
        self.asked: list[str] = []

    def ask(self, name: str, reads: Reads, state: State | None = None) -> Any:
        self.keeper.at(state or self.state)
        return self.keeper.ask(self.function(name, reads))

    def function(self, name: str, reads: Reads) -> Callable[..., Any]:
        def found(world: Any, facts: Facts) -> Any:
            self.asked.append(name)
            return reads(facts.state)

        return self.known.setdefault(name, found)

    @property
    def known(self) -> dict[str, Callable[..., Any]]:
        found: dict[str, Callable[..., Any]] = self.__dict__.setdefault("_known", {})
        return found

    def happens(self, *events: Event) -> None:
        evolve(self.state, events)


def moved(unit: str, to: Place) -> Moved:
    return Moved(unit=unit, frm=at_hex("Minsk"), to=to)


POINTS = Transferred(frm="front/centre", to="sink/spent", nation="Germany", kind="inf", amount=Fraction(1))
SPEC = Table().unit(UNIT).spec
CLOCK = Table().campaign.state.clock
LATER = type(CLOCK)(CLOCK.turn, CLOCK.player, CLOCK.phase + 1, CLOCK.order)
NEXT_TURN = type(CLOCK)(type(CLOCK.turn)(CLOCK.turn + 1), CLOCK.player, CLOCK.phase, CLOCK.order)

TOUCHED: list[tuple[str, Reads, Event]] = [
    ("a unit", lambda s: s.units[UNIT], Became(unit=UNIT, was="", step="full")),
    ("a unit that may be", lambda s: s.units.get("9 Inf XX"), Raised(unit="9 Inf XX", spec=SPEC, at=at_hex("Orsha"))),
    ("whether there is a unit", lambda s: "9 Inf XX" in s.units, Raised(unit="9 Inf XX", spec=SPEC, at=at_hex("X"))),
    ("all units", lambda s: len(s.units), Raised(unit="9 Inf XX", spec=SPEC, at=at_hex("Orsha"))),
    ("all units in order", lambda s: s.units_in_order(), Became(unit=UNIT, was="", step="full")),
    ("ids", lambda s: dict(s.ids), Raised(unit="9 Inf XX", spec=SPEC, at=at_hex("Orsha"))),
    ("what is printed", lambda s: list(s.specs()), Raised(unit="9 Inf XX", spec=SPEC, at=at_hex("Orsha"))),
    ("cadres on the map", lambda s: s.units_at("hex", "cadre"), Became(unit=UNIT, was="", step="full")),
    ("who comes to be a cadre", lambda s: s.units_at("hex", "full"), Became(unit=UNIT, was="", step="full")),
    ("units in a box", lambda s: s.units_at("eliminated"), moved(UNIT, Place("eliminated", "front/centre"))),
    ("units off the map", lambda s: len(s.units_off_map()), moved(UNIT, Place("eliminated", "front/centre"))),
    ("a stack that is left", lambda s: list(s.stack("Minsk")), moved(UNIT, at_hex("Orsha"))),
    ("a stack that is joined", lambda s: s.stacks.get("Orsha"), moved(UNIT, at_hex("Orsha"))),
    ("all stacks", lambda s: sorted(s.stacks), moved(UNIT, at_hex("Vitebsk"))),
    ("a balance", lambda s: s.balance("front/centre", "Germany", "inf"), POINTS),
    ("a balance by its account", lambda s: s.balances[Account("front/centre", "Germany", "inf")], POINTS),
    ("all balances", lambda s: sorted(s.balances.items()), POINTS),
    ("which accounts there are", lambda s: sorted(s.balances), POINTS),
    ("a mark", lambda s: s.mark("campaign", "weather"), Marked(on="campaign", mark="weather", value="mud")),
    ("whether there are marks", lambda s: "place/X" in s.marks, Marked(on="place/X", mark="town", value=True)),
    ("all marks", lambda s: sorted(s.marks), Marked(on="place/X", mark="town", value=True)),
    ("who bears a mark", lambda s: set(s.marked.get("mine", ())), Marked(on="place/X", mark="mine", value=True)),
    ("a switch", lambda s: s.switches.get("weather"), SwitchSet(switch="weather", option="bad")),
    ("the clock", lambda s: s.clock, PhaseBegan(clock=LATER)),
    ("the phase", lambda s: s.within_turn.phase, PhaseBegan(clock=LATER)),
    ("the turn", lambda s: s.turn, PhaseBegan(clock=NEXT_TURN)),
    ("the player-turn", lambda s: s.player_turn, PhaseBegan(clock=NEXT_TURN)),
    ("a copy", lambda s: snapshot(s.copy()), POINTS),
]


@pytest.mark.parametrize(("reads", "event"), [each[1:] for each in TOUCHED], ids=[each[0] for each in TOUCHED])
def test_what_was_read_and_changes_is_worked_out_again(reads: Reads, event: Event) -> None:
    watching = Watching()
    before = watching.ask("it", reads)
    assert watching.ask("it", reads) == before
    assert watching.asked == ["it"]
    watching.happens(event)
    after = watching.ask("it", reads)
    assert watching.asked == ["it", "it"]
    assert after != before
    assert after == reads(watching.state)


@pytest.mark.parametrize(("reads", "event"), [each[1:] for each in TOUCHED], ids=[each[0] for each in TOUCHED])
def test_another_state_touches_what_differs_and_going_back_the_same_again(reads: Reads, event: Event) -> None:
    watching = Watching()
    before = watching.ask("it", reads)
    other = evolve(restore(snapshot(watching.state)), [event])
    assert watching.ask("it", reads, other) == reads(other) != before
    assert watching.ask("it", reads) == before
    assert watching.ask("it", reads, restore(snapshot(watching.state))) == before
    assert watching.asked == ["it"] * 3


def test_what_was_not_read_may_change() -> None:
    watching = Watching()
    for name, reads in (("unit", TOUCHED[0][1]), ("inf", lambda s: s.balance("front/centre", "Germany", "inf"))):
        watching.ask(name, reads)
    watching.happens(
        Became(unit=OTHER, was="", step="full"),
        Transferred(frm="front/centre", to="sink/spent", nation="Germany", kind="arm", amount=Fraction(1)),
        Marked(on=f"unit/{UNIT}", mark="moved", value=True),
        PhaseBegan(clock=LATER),
    )
    for name in ("unit", "inf"):
        watching.ask(name, lambda s: None)
    assert watching.asked == ["unit", "inf"]


def test_what_is_printed_on_counters_stays_as_they_move_and_lose_steps_and_not_with_another_of_the_name() -> None:
    watching = Watching()
    for name, reads in (("specs", lambda s: list(s.specs())), ("ids", lambda s: sorted(s.ids))):
        watching.ask(name, reads)
    watching.happens(moved(UNIT, at_hex("Orsha")), Became(unit=OTHER, was="", step="full"))
    assert watching.ask("specs", lambda s: None) == list(watching.state.specs())
    watching.ask("ids", lambda s: None)
    assert watching.asked == ["specs", "ids"]
    other = restore(snapshot(watching.state))
    other.units[UNIT] = replace(other.units[UNIT], spec=replace(SPEC, type="Mtn"))
    assert watching.ask("specs", lambda s: None, other) == list(other.specs())
    assert watching.asked == ["specs", "ids", "specs"]


def test_an_answer_that_comes_to_the_same_stops_the_doubt() -> None:
    watching = Watching()
    rich = watching.function("rich", lambda s: s.balance("front/centre", "Germany", "inf") > 3)
    for _ in range(3):
        told = watching.ask("told", lambda s: "rich" if s.keeper.ask(rich) else "poor")
        assert told == "rich"
        watching.happens(POINTS)
    assert watching.asked == ["told", "rich", "rich", "rich"]
    for _ in range(5):
        watching.happens(POINTS)
    assert watching.ask("told", lambda s: "") == "poor"
    assert watching.asked[-2:] == ["rich", "told"]


def test_what_is_no_longer_asked_is_not_worked_out() -> None:
    watching = Watching()
    first = watching.function("first", lambda s: s.balance("front/centre", "Germany", "inf") > 9)
    second = watching.function("second", lambda s: s.units[UNIT].step)
    assert watching.ask("both", lambda s: s.keeper.ask(first) and s.keeper.ask(second)) == "cadre"
    watching.happens(POINTS, Became(unit=UNIT, was="", step="full"))
    assert watching.ask("both", lambda s: None) is False
    assert watching.asked == ["both", "first", "second", "first", "both"]


def test_an_objection_is_an_answer_too() -> None:
    watching = Watching()

    def reads(state: Any) -> str:
        if state.units[UNIT].step == "cadre":
            raise SetsApart("a cadre")
        return "it is no cadre"

    inner = watching.function("inner", reads)

    def outer(state: Any) -> str:
        try:
            found: str = state.keeper.ask(inner)
        except SetsApart as objection:
            return str(objection)
        return found

    assert watching.ask("outer", outer) == "a cadre"
    assert watching.ask("outer", outer) == "a cadre"
    watching.happens(Became(unit=UNIT, was="", step="full"))
    assert watching.ask("outer", outer) == "it is no cadre"
    assert watching.asked == ["outer", "inner", "inner", "outer"]


def test_a_mistake_is_no_answer_and_leaves_nothing_behind() -> None:
    watching = Watching()
    with pytest.raises(ZeroDivisionError):
        watching.ask(
            "it",
            lambda s: (
                1
                // len(
                    s.units_at(
                        "hex",
                        "full",
                    )[:0]
                )
            ),
        )
    assert not watching.keeper.busy
    with pytest.raises(ZeroDivisionError):
        watching.ask("it", lambda s: 0)


def test_a_second_keeper_of_the_same_state_takes_over_and_the_first_begins_anew() -> None:
    watching = Watching()
    reads = TOUCHED[0][1]
    watching.ask("it", reads)
    first, watching.keeper = watching.keeper, Keeper(watching.world, watching.state)
    watching.ask("it", reads)
    watching.happens(Became(unit=UNIT, was="", step="full"))
    assert watching.ask("it", reads).step == "full"
    watching.keeper = first
    assert watching.ask("it", reads).step == "full"


def test_what_nobody_asks_any_more_is_dropped() -> None:
    watching = Watching()
    watching.keeper._enough = 20
    for number in range(100):
        watching.keeper.at(watching.state)
        watching.keeper.ask(_one_of_many, number)
        watching.ask("it", TOUCHED[0][1])
        watching.happens(
            PhaseBegan(clock=(LATER, CLOCK)[number % 2]), Became(unit=UNIT, was="", step=("full", "cadre")[number % 2])
        )
        watching.keeper._enough = 20
    assert len(watching.keeper.answers) < MEMORY + 10
    assert watching.ask("it", TOUCHED[0][1]).step == "cadre"


def _one_of_many(world: Any, facts: Facts, number: int) -> int:
    return len(facts.state.units) + number
