"""What the cases cannot say of debts and forfeits: what is shown, what adds up, and who may be disbanded."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from forcepool.engine.ledger import imbalance
from forcepool.engine.sentence import plain
from forcepool.engine.verdicts import No, Yes
from forcepool.games.europa.replacements.training.training_penalties import is_no_training_unit_to_be_disbanded
from tests.support.table import Table

RUMANIA = """
turn: Jul 4 42
nations: {Rumania: {contingent: Germany}}
charts: {receipts: [{nation: Rumania, points: {inf: 2}}]}
pools: {front/south: {German: {inf: 10}}, national/Rumania: {Rumanian: {arm: 1}}}
units:
  1 Inf III: {spec: 3-6 Inf III, at: eliminated front/south, nation: Rumanian}
  1 Trng III: {spec: 1-6 Trng III, at: Ploesti, nation: Rumanian}
  2 Trng III: {spec: 1-6 Trng III, at: Berlin, nation: German}
"""


def play_to(table: Table, when: str) -> None:
    """Go on phase by phase until the clock reads so."""
    world = table.campaign.world
    for _ in range(200):
        if world.when(table.campaign.state) == when:
            return
        table.do("advance")
    raise AssertionError(f"never came to {when}")


@pytest.mark.clause("52.E/4", "52.E/5")
def test_borrowing_and_paying_back_neither_make_nor_lose_a_point() -> None:
    table = Table(RUMANIA)
    table.do("replace", unit="1 Inf III", pay_from="front/south", mix="3 inf of Germany")
    assert not imbalance(table.campaign.state.balances.items())
    play_to(table, "Sep 1 42, Axis replacement phase")
    assert table.holds("front/south", "inf") == 10
    assert table.holds("national/Rumania", "inf", "Rumania") == 1
    assert not imbalance(table.campaign.state.balances.items())


@pytest.mark.clause("52.E/4")
def test_a_ruling_changed_while_a_debt_stands_looks_only_at_what_comes_after() -> None:
    table = Table(RUMANIA)
    table.do("house-rule", rule="debt-repayment", option="optional")
    table.do("replace", unit="1 Inf III", pay_from="front/south", mix="3 inf of Germany")
    play_to(table, "Aug 1 42, Axis replacement phase")
    assert table.holds("national/Rumania", "inf", "Rumania") == 2
    table.do("house-rule", rule="debt-repayment", option="charted")
    play_to(table, "Aug 2 42, Axis replacement phase")
    assert table.holds("debt/front/south", "inf", "Rumania") == -3
    play_to(table, "Sep 1 42, Axis replacement phase")
    assert table.holds("debt/front/south", "inf", "Rumania") == -1
    assert table.holds("national/Rumania", "inf", "Rumania") == 2


@pytest.mark.clause("52.E/2", "52.E/3")
def test_an_overruled_limit_still_enters_the_whole_debt() -> None:
    table = Table(RUMANIA.replace("3-6 Inf III", "6-6 Inf III"))
    fields: dict[str, Any] = {"unit": "1 Inf III", "pay_from": "front/south", "mix": "6 inf of Germany"}
    assert "52.E/3" in table.refused("replace", **fields).clauses
    table.give("replace", override="the group agrees", **fields)
    assert table.holds("debt/front/south", "inf", "Rumania") == -6


@pytest.mark.clause("52.I.2.b/1")
def test_what_a_training_unit_would_forfeit_is_shown_on_it_unless_it_is_german() -> None:
    table = Table(RUMANIA)
    world, state = table.campaign.world, table.campaign.state

    def shown(unit: str) -> dict[str, str]:
        return {each.clause: each.text for shows in world.game.shows for each in shows(world, state, state.units[unit])}

    assert "½ inf RP next month" in shown("1 Trng III")["52.I.2.b/1"]
    assert "52.I.2.b/1" not in shown("2 Trng III")


@pytest.mark.parametrize(("unit", "allowed"), [("1 Trng III", False), ("2 Trng III", True), ("1 Inf III", True)])
def test_only_german_training_units_may_be_disbanded(unit: str, allowed: bool) -> None:
    table = Table(RUMANIA)
    q = SimpleNamespace(world=table.campaign.world, unit=table.unit(unit))
    verdict = is_no_training_unit_to_be_disbanded(q)
    assert isinstance(verdict, Yes if allowed else No)


@pytest.mark.clause("52.I.2.b.3/1")
def test_forfeits_neither_make_nor_lose_a_point() -> None:
    table = Table(RUMANIA.replace("at: Ploesti", "at: isolated Rumania"))
    play_to(table, "Aug 1 42, Axis replacement phase")
    assert table.holds("national/Rumania", "inf", "Rumania") == Fraction(3, 2)
    assert not imbalance(table.campaign.state.balances.items())


@pytest.mark.clause("52.I.2.b.1/1")
def test_what_a_training_unit_forfeits_is_said_with_the_turn_and_not_its_number() -> None:
    table = Table(
        """
        turn: May 3 40
        player: Allied
        phase: combat
        players: [Axis, Allied]
        fronts: {North-East: {country: France}}
        places: {Arras: {front: North-East, town: yes, owner: Allied}}
        pools: {national/Britain: {British: {inf: 4}}}
        units: {3 Trng X: {spec: 1-5 Trng X, nation: British, at: Arras}}
        """
    )
    table.do("lose", unit="3 Trng X")
    for _ in range(3):
        table.do("advance")
    world, state = table.campaign.world, table.campaign.state
    said = [plain(world.said_account(each.pool)) for each in sorted(state.balances) if each.pool.startswith("forfeit/")]
    assert said == ["to be forfeited on Jun 1 40"]
