"""Entries of an order of battle that can never be met, or that contradict the rules."""

import pytest

from tests.lint.conftest import Lint, told

GIVEN = """\
places: {Kiev: {front: theatre/east, city: yes}}
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: Kiev}
  900 Mot X: {spec: 3-10 Mot X, nation: German, at: Kiev}
  1 Rif X: {spec: 2-6 Inf X, nation: Soviet, at: Kiev}
  2 Rif X: {spec: 2-6 Inf X, nation: Soviet, at: Kiev}
"""


def found(lint: Lint, nation: str, line: str, *, units: str = GIVEN) -> list[str]:
    text = f"{units}ob: |\n  Jul 2 41\n    {nation}\n      {line}\n"
    return told([each for each in lint(text) if each.clause.startswith("51.B")], "")


def test_a_unit_that_the_scenario_sets_up_is_there_to_be_withdrawn(lint: Lint) -> None:
    assert found(lint, "German", "Withdraw 1x 7-6 Inf XX (3-6) 24") == []
    (line,) = found(lint, "German", "Withdraw 1x 8-6 Inf XX (3-6) 24")
    assert line.startswith("war.yaml:14:1: 51.B.19/1  withdraw: 1x German 8-6 Inf XX is listed, but no entry brings")
    assert len(found(lint, "Soviet", "Withdraw 1x 7-6 Inf XX (3-6) 24")) == 1


@pytest.mark.parametrize("place", ["out of play", "mix"])
def test_what_is_not_in_play_is_not_there(lint: Lint, place: str) -> None:
    units = GIVEN.replace("(3-6), nation: German, at: Kiev", f"(3-6), nation: German, at: {place}")
    assert len(found(lint, "German", "Withdraw 1x 7-6 Inf XX (3-6) 24", units=units)) == 1


def test_one_unit_cannot_leave_twice(lint: Lint) -> None:
    assert len(found(lint, "German", "Withdraw 2x 7-6 Inf XX (3-6)")) == 1


def test_only_the_soviets_disband_what_is_no_infantry(lint: Lint) -> None:
    (line,) = found(lint, "German", "Disband 1x 3-10 Mot X 900 gives 1 inf")
    assert "51.B.5.d/1  disband: Mot X is no infantry type" in line
    assert found(lint, "German", "Disband 1x 7-6 Inf XX (3-6) 24 gives 1 inf") == []
    assert (
        told(lint("ob: |\n  Jul 2 41\n    Axis\n    German\n      Disband all Slovak forces\n"), "infantry type") == []
    )
    soviet = GIVEN.replace("3-10 Mot X, nation: German", "3-10 Mot X, nation: Soviet")
    assert found(lint, "Soviet", "Disband 1x 3-10 Mot X 900 gives 1 inf", units=soviet) == []


def test_a_division_is_formed_out_of_units_that_meet_its_cost(lint: Lint) -> None:
    assert found(lint, "Soviet", "Form 1x 4-6 Rif XX (2-6) 291 in theatre East for 4 inf") == []
    (line,) = found(lint, "Soviet", "Form 1x 4-6 Rif XX (2-6) 291 in theatre East for 5 inf")
    assert "takes 5 inf in smaller units, and all that could be given up for inf come to 4" in line
    (line,) = found(lint, "Soviet", "Form 1x 4-6 Rif XX (2-6) 291 in theatre East for 3 inf, 1 art")
    assert "come to 0" in line


def test_what_a_withdrawal_forfeits_is_what_the_rules_reckon(lint: Lint) -> None:
    assert found(lint, "German", "Withdraw 1x 7-6 Inf XX (3-6) 24 for 7 inf") == []
    (line,) = found(lint, "German", "Withdraw 1x 7-6 Inf XX (3-6) 24 for 3 inf")
    assert "51.B.19/5  withdraw: for 3 inf is stated, but replacing a 7-6 Inf XX takes 7 inf" in line
    assert found(lint, "German", "Withdraw 1x 7-6 Inf XX (3-6) 24") == []


def test_a_transfer_that_stays_with_its_player_is_always_ignored(lint: Lint) -> None:
    two = GIVEN + "fronts: {Reich: {theatre: East}}\n"
    (line,) = found(lint, "German", "Transfer 1x 7-6 Inf XX (3-6) 24 from theatre East to theatre East", units=two)
    assert "always ignored" in line
    assert found(lint, "German", "Transfer 1x 7-6 Inf XX (3-6) 24 from theatre East to theatre West", units=two) == []


def test_the_order_of_battle_is_looked_through_by_itself_too(lint: Lint) -> None:
    text = "ob: |\n  Jul 2 41\n    German\n      Disband 1x 7-6 Inf XX (3-6) 24\n"
    assert len(told(lint(GIVEN + text), "lacks the RPs it gives")) == 1


# ------------------------------------------------------------------------------------------------------ the air

SKY = """\
theatres: {East: {overland: yes, rail_line: yes}, Far: {overland: yes, rail_line: yes}}
mds: {Kiev: {theatre: East, activity: inactive}}
places: {Kiev: {md: Kiev, airbase: yes, airbase_capacity: 3}}
units: {Il-2 1: {spec: 3A6 Il-2 4/10, nation: Soviet, at: Kiev}}
charts:
  air_ob:
"""
HEAD = "title: A war\nturn: Jul 1 41\nplayers: [Axis, Soviet]\n"


def flown(lint: Lint, *lines: str) -> list[str]:
    rows = "".join(f"    - {{nation: Soviet, {line}}}\n" for line in lines)
    return told([each for each in lint(HEAD + SKY + rows, whole=True) if each.clause.startswith("28")], "")


def test_an_air_unit_is_withdrawn_from_the_theatre_it_is_in(lint: Lint) -> None:
    assert flown(lint, "turn: Aug 1 41, does: withdraw, theatre: East, model: Il-2") == []
    (line,) = flown(lint, "turn: Aug 1 41, does: withdraw, theatre: Far, model: Il-2")
    assert line.startswith("war.yaml:10:7: 28.F/1  withdraw 1x Il-2, Aug 1 41: 1 will not be in Far by then")
    assert len(flown(lint, "turn: Aug 1 41, does: withdraw, theatre: East, model: Yak-1")) == 1


def test_a_unit_is_withdrawn_by_the_code_on_its_counter(lint: Lint) -> None:
    comes = "turn: Jul 2 41, does: arrive, theatre: East, spec: 3B4 Pe-8 3-6 V 28"
    goes = "turn: Aug 1 41, does: withdraw, theatre: East, code: {}"
    assert flown(lint, comes, goes.format("V")) == []
    (line,) = flown(lint, comes, goes.format("X"))
    assert "withdraw 1x X, Aug 1 41: 1 will not be in East by then" in line


def test_what_arrives_in_time_can_be_taken_and_only_once(lint: Lint) -> None:
    comes = "turn: Jul 2 41, does: arrive, theatre: East, spec: 7F7 Yak-1 1/11"
    goes = "turn: {} 41, does: withdraw, theatre: East, model: Yak-1"
    assert flown(lint, comes, goes.format("Aug 1")) == []
    assert len(flown(lint, comes, goes.format("Jul 1"))) == 1
    assert len(flown(lint, comes, goes.format("Aug 1"), goes.format("Aug 2"))) == 1


def test_a_converted_unit_is_another_from_then_on(lint: Lint) -> None:
    turns = "turn: Jul 2 41, does: convert, theatre: East, model: Il-2, spec: 7F7 Yak-1 1/11"
    assert flown(lint, turns, "turn: Aug 1 41, does: withdraw, theatre: East, model: Yak-1") == []
    assert len(flown(lint, turns, "turn: Aug 1 41, does: withdraw, theatre: East, model: Il-2")) == 1


def test_a_transfer_in_the_air_leaves_the_theatres_of_its_player(lint: Lint) -> None:
    (line,) = flown(lint, "turn: Aug 1 41, does: transfer, theatre: East, type: A, to: Far")
    assert "28.G/1" in line
    assert flown(lint, "turn: Aug 1 41, does: transfer, theatre: East, type: A, to: Elsewhere") == []


# ------------------------------------------------------------------------------------- names, sums, substitutes


def test_a_unit_is_not_called_twice_what_it_is(lint: Lint) -> None:
    line = "Convert 1x 2-6 Inf X 1 → 1x 6-6 Gds Rif XX (3-6) {}"
    text = f"{GIVEN}ob: |\n  Jul 2 41\n    Soviet\n      {line}\n"
    (twice,) = told(lint(text.replace("{}", "3 Gds")), "is called")
    assert "51/3  convert: the unit is called 3 Gds Gds Rif XX (write the number alone: 3)" in twice
    assert told(lint(text.replace("{}", "3")), "is called") == []


def test_what_an_nkvd_unit_gives_is_its_attack_strength_plus_one(lint: Lint) -> None:
    units = "units: {1 NKVD X: {spec: 1-2-5 NKVD X, nation: Soviet, at: eliminated theatre/east}}\n"
    line = units + "ob: |\n  Jul 2 41\n    Soviet\n      Disband 1x 1-2-5 NKVD X gives {} inf\n"
    (found_,) = told(lint(line.replace("{}", "½")), "gives")
    assert "52.J.2.a/2  disband: 1-2-5 NKVD X gives 1½ inf with the point for each RE, by the rules 2" in found_
    assert told(lint(line.replace("{}", "1")), "gives") == []


def test_a_substitute_has_the_sides_of_its_like(lint: Lint) -> None:
    units = "units:\n  1 Rif XX: {spec: 5-6 Rif XX (2-6), nation: Soviet, at: eliminated theatre/east}\n"
    like = "  2 Rif XX: {spec: 3-6 Rif XX (1-6), nation: Soviet, at: eliminated theatre/east}\n"
    (found_,) = told(lint(units + like), "substitute")
    assert "52.H.1.a.1/1  the substitute 3-6 Rifle XX has no cadre" in found_
    assert told(lint(units + like.replace(" (1-6)", "")), "substitute") == []
    row = "nations: [Soviet Union], types: [Rif], substitute: 3-6 Rif XX (1-6), clause: 52.H.1.a.1/1"
    own = f"charts: {{substitutions: [{{{row}}}]}}\n"
    assert told(lint(units + like + own), "substitute") == []


def test_the_finnish_substitute_is_held_to_the_infantry_divisions_it_stands_beside(lint: Lint) -> None:
    finns = """
units:
  2 Inf XX: {spec: 6-6 Inf XX (3-6), nation: Finnish, at: Helsinki}
  14 Inf XX: {spec: 5-6 Inf XX (2-6), nation: Finnish, at: Helsinki}
"""
    (found_,) = told(lint(finns), "substitute")
    assert "52.H.1.b/1  the substitute 5-6 Rifle XX has no cadre" in found_
    assert told(lint(finns.replace(" (2-6)", "")), "substitute") == []


def test_an_entry_declares_only_what_the_rules_know_and_can_read(lint: Lint) -> None:
    assert found(lint, "German", "Other: Italy enters; declare italy_at_war yes, neutral of Italy no") == []
    (line,) = found(lint, "German", "Other: Italy enters; declare italy_in_the_war yes")
    assert "other: there is no fact 'italy_in_the_war'" in line
    (line,) = found(lint, "German", "Other: Italy enters; declare italy_at_war maybe")
    assert "italy_at_war is yes or no, not 'maybe'" in line
    (line,) = found(lint, "German", "Unique event: Italy enters; declare italy_at_war, and Italy no longer neutral")
    assert "what it declares cannot be read" in line
