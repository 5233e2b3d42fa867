"""The commands every game has: advance, declare, note, house rules and the referee's corrections."""

from fractions import Fraction
from typing import Any

import pytest

from forcepool.engine.command import BadCommand, describe
from forcepool.engine.ledger import CORRECTION, imbalance
from tests.support.table import Table


def test_advance_goes_through_the_phases_players_and_turns() -> None:
    table = Table()
    seen = []
    for _ in range(18):
        table.do("advance")
        seen.append(table.campaign.world.when(table.campaign.state))
    assert seen[:4] == [
        "Oct 3 41, Axis exploitation phase",
        "Oct 3 41, Soviet initial phase",
        "Oct 3 41, Soviet reinforcement phase",
        "Oct 3 41, Soviet movement phase",
    ]
    assert seen[-1] == "Oct 4 41, Axis replacement phase"


def test_a_fact_of_the_player_turn_lapses_with_it() -> None:
    table = Table()
    table.do("declare", unit="24 Inf XX", fact="moved", value="yes")
    assert table.refused("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre").clauses == ("52.A.9.d/8",)
    for _ in range(18):
        table.do("advance")
    table.do("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre")


def test_a_fact_that_lasts_stays_until_it_is_taken_back() -> None:
    table = Table()
    table.do("declare", unit="24 Inf XX", fact="supply", value="none")
    for _ in range(18):
        table.do("advance")
    assert "52.A.9.d/6" in table.refused("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre").clauses
    table.do("declare", unit="24 Inf XX", fact="supply")
    table.do("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"fact": "hungry", "unit": "24 Inf XX", "value": "yes"}, "there is no fact 'hungry'"),
        ({"fact": "moved", "value": "yes"}, "needs to know of what it is said: give unit="),
        ({"fact": "moved", "unit": "24 Inf XX", "value": "perhaps"}, "moved is yes or no, not 'perhaps'"),
        ({"fact": "supply", "unit": "24 Inf XX", "value": "good"}, "supply is one of regular, limited, none"),
        ({"fact": "mp", "unit": "24 Inf XX", "value": "two"}, "mp takes a whole number, not 'two'"),
        ({"fact": "moved", "unit": "24 Inf", "value": "yes"}, "did you mean 24 Inf XX"),
        ({"fact": "rebuilt", "unit": "24 Inf XX", "value": "full"}, "there is no fact 'rebuilt'"),
    ],
)
def test_a_declaration_that_makes_no_sense_is_an_error(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(BadCommand, match=says.replace("(", r"\(")):
        Table().give("declare", **fields)


def test_a_place_and_an_area_are_declared_by_name() -> None:
    table = Table()
    table.do("declare", fact="enemy_zoc", about="minsk", value=["division"])
    assert "52.A.9.d/3" in table.refused("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre").clauses
    table.do("declare", fact="activity", about="Centre", value="inactive")
    assert table.campaign.state.mark("area/front/centre", "activity") is not None


def test_a_correction_comes_from_its_own_source_and_conserves_points() -> None:
    table = Table()
    table.do("correct-points", pool="front/centre", nation="Germany", kind="inf", amount="-1/3", note="miscounted")
    assert table.holds("front/centre", "inf") == Fraction(29, 3)
    assert table.holds(CORRECTION, "inf") == Fraction(1, 3)
    assert imbalance(table.campaign.state.balances.items()) == {}


def test_a_house_rule_changed_in_mid_campaign_is_an_entry_that_counts_from_then_on() -> None:
    table = Table()
    table.do("house-rule", rule="52.A.9.a/6", option="compound")
    assert table.campaign.state.switches == {"home-and-national": "compound"}
    with pytest.raises(BadCommand, match="has no option 'sometimes'; choose one of add, compound, one-only"):
        table.give("house-rule", rule="home-and-national", option="sometimes")
    with pytest.raises(BadCommand, match="there is no house rule 'home-and-nationl'; did you mean home-and-national"):
        table.give("house-rule", rule="home-and-nationl", option="add")


def test_the_referee_puts_a_counter_where_it_really_is() -> None:
    table = Table()
    table.do("put-unit", unit="24 Inf XX", at="eliminated front/centre", note="was lost last turn")
    assert (table.unit("24 Inf XX").place.kind, table.unit("24 Inf XX").place.of) == ("eliminated", "front/centre")
    assert "24 Inf XX" not in table.campaign.state.stacks.get("Minsk", ())
    table.do("put-unit", unit="24 Inf XX", at="Orsha", step="remnant")
    assert table.unit("24 Inf XX").step == "remnant"
    assert table.campaign.state.stacks["Orsha"] == ("24 Inf XX", "76 Inf XX")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "say where the unit is"),
        ({"step": "half"}, "step= is full, cadre or remnant, not 'half'"),
        ({"at": "eliminated front/south"}, "there is no pool 'front/south'"),
        ({"at": "track front/centre Jul 5 41"}, "4 turns"),
    ],
)
def test_putting_a_unit_nowhere_is_an_error(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(BadCommand, match=says):
        Table().give("put-unit", unit="24 Inf XX", **fields)


def test_a_forgotten_counter_is_added_once() -> None:
    table = Table()
    spec = {"full": {"attack": 8, "defence": 8, "movement": 6}, "type": "Inf", "size": "XX", "nation": "Germany"}
    table.do("add-unit", name="31 Inf XX", spec=spec, at="Minsk")
    assert table.unit("31 Inf XX").place.of == "Minsk"
    with pytest.raises(BadCommand, match="there is already a unit 31 Inf XX"):
        table.give("add-unit", name="31 Inf XX", spec=spec, at="Minsk")


def test_a_command_prints_as_one_would_type_it() -> None:
    table = Table()
    command = table.command("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre", reduced=True)
    assert describe(command) == 'rebuild-cadre unit="24 Inf XX" pay_from=front/centre reduced=yes'
