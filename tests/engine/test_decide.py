"""Deciding: every failed rule is reported, an override is recorded, judging changes nothing."""

from fractions import Fraction
from typing import Any

import pytest

from forcepool.engine.campaign import Done
from forcepool.engine.command import BadCommand
from forcepool.engine.decide import Decision, decide
from forcepool.engine.events import Overruled
from forcepool.engine.ledger import imbalance
from forcepool.engine.state import to_bytes
from forcepool.engine.verdicts import YES, No, no, yes
from tests.support.table import CENTRE, Table


def test_all_failed_rules_are_reported_not_the_first() -> None:
    table = Table()
    table.do("declare", unit="24 Inf XX", fact="attacked", value="yes")
    table.do("declare", unit="24 Inf XX", fact="enemy_zoc", value=["division", "division"])
    table.do("correct-points", pool="front/centre", nation="Germany", kind="inf", amount="-13/2", note="for the test")
    refusal = table.refused("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre")
    assert refusal.clauses == ("52.A.9.d/3", "52.A.9/1", "52.A.9.d/8", "52.A.9.d/2")
    price = refusal.reasons[-1]
    assert (price.have, price.need, price.gap) == (Fraction(7, 2), Fraction(4), Fraction(1, 2))
    assert str(price) == (
        "costs 4 inf (full 7 − cadre 3), front/centre has 3½: ½ short. Move ½ inf from national/Germany "
        "over theatre/east (2 steps) and spend them on Oct 4 41"
    )


def test_judging_a_command_changes_nothing() -> None:
    table = Table()
    before = to_bytes(table.campaign.state)
    command = table.command("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre")
    outcome = decide(table.campaign.world, table.campaign.state, command)
    assert isinstance(outcome, Decision)
    assert to_bytes(table.campaign.state) == before


def test_an_override_is_recorded_with_its_note_and_the_clauses_it_sets_aside() -> None:
    table = Table()
    table.do("declare", unit="24 Inf XX", fact="moved", value="yes")
    done = table.do("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre", override="it only changed sides")
    first = done.entry.events[0]
    assert isinstance(first, Overruled)
    assert (first.clauses, first.note) == (["52.A.9.d/8"], "it only changed sides")
    assert table.unit("24 Inf XX").step == "full"


def test_points_overruled_into_debt_stay_exact_and_conserved() -> None:
    table = Table()
    table.do("correct-points", pool="front/centre", nation="Germany", kind="inf", amount="-10", note="for the test")
    table.do("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre", override="we agreed")
    assert table.holds("front/centre", "inf") == -4
    assert imbalance(table.campaign.state.balances.items()) == {}


def test_what_makes_no_sense_cannot_be_overruled() -> None:
    table = Table()
    refusal = table.refused("rebuild-cadre", unit="76 Inf XX", pay_from="front/centre", override="please")
    assert refusal.final
    assert refusal.clauses == ("52.A.9/2",)


def test_a_rule_not_overruled_leaves_no_trace_in_the_entry() -> None:
    done = Table().do("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre", override="not needed")
    assert not any(isinstance(event, Overruled) for event in done.entry.events)


def test_the_exception_that_let_a_command_pass_is_named_in_the_entry() -> None:
    table = Table()
    table.do("put-unit", unit="24 Inf XX", at="Orsha")
    table.do("declare", unit="24 Inf XX", fact="supply", value="none")
    done = table.do("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre")
    assert done.entry.allowed == ["52.A.9.d/7"]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"unit": "24 Inf X", "pay_from": "front/centre"}, "there is no unit '24 Inf X'; did you mean 24 Inf XX"),
        ({"unit": "24 Inf XX", "pay_from": "front/center"}, "'front/center'; did you mean front/centre"),
        ({"unit": "24 Inf XX", "pay_from": "national/Prussia"}, "there is no nation 'Prussia'"),
        ({"unit": "24 Inf XX", "pay_from": "front/centre", "mix": "some inf"}, "."),
    ],
)
def test_a_name_that_names_nothing_is_an_error_with_a_suggestion(fields: dict[str, Any], says: str) -> None:
    with pytest.raises((BadCommand, ValueError), match=says):
        Table().give("rebuild-cadre", **fields)


def test_a_pool_may_be_named_shortly_and_in_any_case() -> None:
    for name in ("centre", "Front/Centre", "front Centre", "German", "national/german"):
        Table().do("rebuild-cadre", unit="24 inf xx", pay_from=name)


def test_a_verdict_puts_both_numbers_and_the_gap_into_words() -> None:
    assert str(no("costs 4", have=Fraction(7, 2), need=Fraction(4))) == "costs 4: ½ short"
    assert str(no("3 REs a hex", have=Fraction(4), need=Fraction(3))) == "3 REs a hex: 1 too many"
    assert str(no("no", remedy="wait")) == "no. Wait"
    assert isinstance(no("no"), No)
    assert yes("52.A.9.d/4").because == "52.A.9.d/4"


def test_a_yes_that_names_no_exception_is_the_plain_one_and_nobody_is_told_of_it() -> None:
    assert yes("") is YES
    assert yes("52.A.9.d/4") is not YES


CORRECTED = {"pool": "front/centre", "nation": "Germany", "kind": "inf", "amount": "-4", "note": "miscounted"}


@pytest.mark.parametrize("name", ["correct-points", "add-unit"])
def test_a_seat_puts_only_the_records_of_its_own_side_right(name: str) -> None:
    table = Table(CENTRE, seats=("Axis", "Soviet"))
    forgotten = {"name": "9 Inf XX", "spec": table.unit("24 Inf XX").spec, "at": "Minsk", "nation": "German"}
    fields: dict[str, Any] = CORRECTED if name == "correct-points" else forgotten
    with pytest.raises(BadCommand, match="it is Axis's"):
        table.give(name, seat="Soviet", **fields)
    assert isinstance(table.give(name, seat="Axis", **fields), Done)
