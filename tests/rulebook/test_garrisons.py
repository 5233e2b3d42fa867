"""52.I.2.a.4  The limit on reinforcements, as the command of rule 51 that brings them in will meet it."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from forcepool.engine.agenda import agenda
from forcepool.engine.calendar import Turn
from forcepool.engine.decide import Decision, decide
from forcepool.engine.events import Event, Moved
from forcepool.engine.places import at_hex
from forcepool.engine.state import evolve
from forcepool.engine.verdicts import Refusal
from forcepool.games.europa.ground.placing import Placing
from forcepool.games.europa.question import Appears
from forcepool.games.europa.replacements.training import garrisons
from forcepool.orderofbattle.model import Entry
from tests.support.table import Table

GIVEN = """
turn: Jul 1 41
player: Axis
phase: reinforcement
mds: {iii: {country: Germany, training_activated: yes, garrison_res: %s}}
places: {Berlin: {md: iii, city: yes, owner: Axis}}
units:
  1 Inf XX: {spec: 7-6 Inf XX, at: reinforcements md/iii Jul 1 41, nation: German}
  2 Inf XX: {spec: 7-6 Inf XX, at: reinforcements md/iii Jul 1 41, nation: German}
  3 Inf XX: {spec: 7-6 Inf XX, at: reinforcements md/iii Jul 1 41, nation: German}
  4 Inf II: {spec: 1-6 Inf II, at: reinforcements md/iii Jul 3 41, nation: German}
  5 Inf II: {spec: 1-6 Inf II, at: reinforcements md/iii Jul 3 41, nation: German}
"""
DIVISIONS, BATTALIONS = ("1 Inf XX", "2 Inf XX", "3 Inf XX"), ("4 Inf II", "5 Inf II")


class Arriving(Placing):
    """Placed by the rules of arrivals, with no line of an order of battle behind it."""

    entry = Entry(key="", line=0, verb="reinforce")


class Appear(Appears, tag="appear", frozen=True):
    """Brings a reinforcement in, as rule 51 will."""

    unit: str
    at: str
    reserve: str = ""
    status: str = ""
    question = Arriving
    requires = (garrisons.a_place_is_left,)

    def effects(self, q: Any) -> Iterator[Event]:
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=at_hex(q.hex))
        yield from garrisons.appearing(q)


class Phase:
    """The Axis reinforcement phase of an MD with so many REs in garrison."""

    def __init__(self, res: str, *rulings: tuple[str, str]) -> None:
        self.table = Table(GIVEN % res)
        for rule, option in rulings:
            self.table.do("house-rule", rule=rule, option=option)
        self.state = self.table.campaign.state

    def bring_in(self, *units: str) -> list[bool]:
        """Who of them may appear, asked in this order."""
        return [isinstance(self.ask(unit), Decision) for unit in units]

    def ask(self, unit: str) -> Decision | Refusal:
        outcome = decide(self.table.campaign.world, self.state, Appear(unit=unit, at="Berlin"))
        if isinstance(outcome, Decision):
            evolve(self.state, outcome.events)
        return outcome

    def end(self) -> None:
        """The phase ends, and the same phase two turns later is on."""
        world: Any = self.table.campaign.world
        evolve(self.state, list(garrisons.delays(world, self.state)))
        self.state.clock = replace(self.state.clock, turn=Turn(self.state.clock.turn + 2))

    def due(self, unit: str) -> str:
        return self.table.campaign.world.turn_name(self.state.units[unit].place.due)


@pytest.mark.clause("52.I.2.a.4/1")
@pytest.mark.parametrize(
    ("res", "expected"),
    [
        ("3", [True, True, True]),
        ("5/2", [True, True, False]),
        ("2", [True, True, False]),
        ("7/4", [True, False, False]),
        ("6", [True, True, True]),
    ],
)
def test_one_unit_of_any_size_appears_for_each_full_re(res: str, expected: list[bool]) -> None:
    assert Phase(res).bring_in(*DIVISIONS) == expected


@pytest.mark.clause("52.I.2.a.4/1")
def test_the_refusal_gives_both_numbers_and_the_remedy() -> None:
    phase = Phase("2")
    assert phase.bring_in("1 Inf XX", "2 Inf XX") == [True, True]
    refusal = phase.ask("3 Inf XX")
    assert isinstance(refusal, Refusal)
    (reason,) = refusal.reasons
    assert (reason.clause, reason.have, reason.need) == ("52.I.2.a.4/1", Fraction(3), Fraction(2))
    assert "2 may appear, 2 already" in reason.says
    assert "let 3 Inf XX wait" in reason.remedy


@pytest.mark.clause("52.I.2.a.4/3")
@pytest.mark.parametrize("res", ["0", "1/2", "3/4"])
def test_without_a_full_re_nothing_appears(res: str) -> None:
    refusal = Phase(res).ask("1 Inf XX")
    assert isinstance(refusal, Refusal)
    assert refusal.clauses == ("52.I.2.a.4/3",)


@pytest.mark.clause("52.I.2.a.4/3")
def test_by_house_rule_a_fraction_lets_one_in() -> None:
    assert Phase("1/2", ("garrison-fraction", "one")).bring_in("1 Inf XX", "2 Inf XX") == [True, False]
    assert Phase("0", ("garrison-fraction", "one")).bring_in("1 Inf XX") == [False]


@pytest.mark.clause("52.I.2.a.4/1")
def test_an_md_whose_training_units_were_never_activated_is_bound_by_house_rule_only() -> None:
    given = (GIVEN % "1").replace("training_activated: yes, ", "")
    for option, expected in (("activated", [True, True]), ("always", [True, False])):
        phase = Phase("1", ("garrison-limit", option))
        phase.table = Table(given)
        phase.table.do("house-rule", rule="garrison-limit", option=option)
        phase.state = phase.table.campaign.state
        assert phase.bring_in("1 Inf XX", "2 Inf XX") == expected


@pytest.mark.clause("52.I.2.a.4/2")
def test_who_waits_competes_with_the_arrivals_two_turns_later() -> None:
    phase = Phase("2")
    assert phase.bring_in(*DIVISIONS) == [True, True, False]
    phase.end()
    assert phase.due("3 Inf XX") == "Jul 3 41"
    assert phase.bring_in("3 Inf XX", *BATTALIONS) == [True, True, False]
    phase.end()
    assert phase.due("5 Inf II") == "Aug 1 41"


@pytest.mark.clause("52.I.2.a.4/2")
def test_by_house_rule_who_has_waited_comes_in_beyond_the_limit() -> None:
    phase = Phase("2", ("garrison-delayed", "beyond"))
    assert phase.bring_in(*DIVISIONS) == [True, True, False]
    phase.end()
    assert phase.bring_in(*BATTALIONS, "3 Inf XX") == [True, True, True]


@pytest.mark.clause("52.I.2.a.4/1")
def test_nobody_is_delayed_while_there_is_room() -> None:
    phase = Phase("4")
    assert phase.bring_in("1 Inf XX") == [True]
    world: Any = phase.table.campaign.world
    assert list(garrisons.delays(world, phase.state)) == []
    lines = [item.text for item in agenda(world, phase.state, side="Axis")]
    assert "md/iii: 2 of 2 reinforcements due may appear (2 Inf XX, 3 Inf XX)" in lines
