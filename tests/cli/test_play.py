"""Giving commands from the command line: done, refused, overruled, undone, brought back."""

import pytest

from tests.cli.conftest import Forcepool

REBUILD_6_PZ = ("do", "east.fp", "rebuild-cadre", "unit=6 Pz XX", "pay_from=centre")
REBUILD_78 = ("do", "east.fp", "rebuild-cadre", "unit=78 Inf XX", "pay_from=national/Germany")


def inf_of_centre(forcepool: Forcepool) -> str:
    lines = forcepool("ledger", "east.fp", "--pool", "centre", "--json").data
    return next(str(line["balance"]) for line in lines if line["kind"] == "inf")


def step_of(forcepool: Forcepool, unit: str) -> str:
    return next(str(each["step"]) for each in forcepool("units", "east.fp", "--json").data if each["unit"] == unit)


def test_a_command_is_carried_out_and_tells_what_it_did(east: Forcepool) -> None:
    ran = east(*REBUILD_6_PZ)
    assert ran.code == 0
    assert "3½ inf of Germany: front Centre → spent (6 Pz XX: full 11 − cadre 4) [52.A.9.d/2 " in ran.out
    assert "6 Pz XX: cadre → full [52.A.9.d/1]" in ran.out
    assert "6 Pz XX: +1 MP becomes +2 MP [52.A.9.d/10]" in ran.out
    assert inf_of_centre(east) == "19/4"


def test_hyphen_and_underscore_are_alike_and_the_first_field_needs_no_name(east: Forcepool) -> None:
    assert east("do", "east.fp", "rebuild_cadre", "6 Pz XX", "pay-from=centre").code == 0
    assert step_of(east, "6 Pz XX") == "full"


def test_a_refusal_names_every_clause_and_how_to_overrule_it(east: Forcepool) -> None:
    assert east(*REBUILD_6_PZ).code == 0
    ran = east("do", "east.fp", "rebuild-cadre", "unit=78 Inf XX", "pay_from=centre")
    lines = ran.out.splitlines()
    assert ran.code == 1
    assert lines[0] == "refused: rebuild-cadre 78 Inf XX"
    assert lines[1].startswith("  52.A.9.d/3  78 Inf XX stands in the larger ZOC")
    assert lines[2].startswith(
        "  52.A.9.d/2  costs 5 inf (full 8 − cadre 3), front Centre has 4¾: ¼ short. Move ¼ inf from Germany's"
    )
    assert lines[3:] == ['  overrule with --override "why"']
    assert step_of(east, "78 Inf XX") == "cadre"
    assert inf_of_centre(east) == "19/4"


def test_a_refusal_for_programs_has_both_numbers_and_the_gap(east: Forcepool) -> None:
    assert east(*REBUILD_6_PZ).code == 0
    ran = east("do", "east.fp", "rebuild-cadre", "unit=78 Inf XX", "pay_from=centre", "--json")
    assert ran.code == 1
    assert ran.data["accepted"] is False
    assert ran.data["clauses"] == ["52.A.9.d/3", "52.A.9.d/2"]
    short = ran.data["reasons"][1]
    assert (short["have"], short["need"], short["gap"]) == ("19/4", "5", "1/4")


def test_a_refusal_that_makes_no_sense_to_overrule_does_not_offer_it(east: Forcepool) -> None:
    ran = east("do", "east.fp", "rebuild-cadre", "unit=2 Pz XX", "pay_from=centre")
    assert ran.code == 1
    assert "overrule" not in ran.out
    assert east("do", "east.fp", "rebuild-cadre", "unit=2 Pz XX", "pay_from=centre", "--override", "why not").code == 1


def test_an_override_is_recorded_with_its_note(east: Forcepool) -> None:
    assert east(*REBUILD_78).code == 1
    ran = east(*REBUILD_78, "--override", "as agreed at the table")
    assert ran.code == 0
    assert "overruled 52.A.9.d/3: as agreed at the table" in ran.out
    assert step_of(east, "78 Inf XX") == "full"
    assert "overruled 52.A.9.d/3: as agreed at the table" in east("log", "east.fp").out


def test_a_dry_run_changes_nothing(east: Forcepool) -> None:
    ran = east(*REBUILD_6_PZ, "--dry-run")
    assert ran.code == 0
    assert "6 Pz XX: cadre → full" in ran.out
    assert step_of(east, "6 Pz XX") == "cadre"
    assert east("status", "east.fp", "--json").data["entries"] == 1


def test_a_command_as_json_does_the_same(east: Forcepool) -> None:
    order = '{"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "centre"}'
    ran = east("do", "east.fp", "--json-command", order, "--json")
    assert ran.code == 0
    assert ran.data["accepted"] is True
    assert ran.data["entry"] == 2
    assert {"event": "became", "unit": "6 Pz XX", "was": "cadre", "step": "full", "because": "52.A.9.d/1"} in ran.data[
        "events"
    ]


def test_yes_and_no_and_lists_are_understood(east: Forcepool) -> None:
    assert east("do", "east.fp", "declare", "fact=moved", "unit=23 Inf XX", "value=yes").code == 0
    ran = east("do", "east.fp", "rebuild-cadre", "unit=23 Inf XX", "pay_from=centre", "reduced=no")
    assert "52.A.9.d/8" in ran.out
    assert east("do", "east.fp", "declare", "fact=moved", "unit=23 Inf XX", "value=no").code == 0
    said = east("do", "east.fp", "declare", "fact=enemy_zoc", "unit=23 Inf XX", "value=division,brigade", "--json")
    assert said.data["events"][0]["value"] == ["division", "brigade"]


def test_a_counter_is_added_as_players_write_it(east: Forcepool) -> None:
    words = (
        "do",
        "east.fp",
        "add-unit",
        "name=87 Inf XX",
        "spec=7-6 Inf XX (3-6)",
        "spec.nation=Germany",
        "at=Smolensk",
    )
    assert east(*words).code == 0
    assert 'spec="7-6 Inf XX (3-6)"' in east("log", "east.fp").out
    [unit] = east("units", "east.fp", "87", "--json").data
    assert (unit["counter"], unit["nation"], unit["where"]) == ("7-6 Inf XX (3-6)", "Germany", "Smolensk")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("rebuild-cadr",), "there is no command 'rebuild-cadr'; did you mean rebuild-cadre"),
        (("rebuild-cadre", "unit=6 Pz XX"), "needs pay_from= (The pool that pays"),
        (("rebuild-cadre", "unit=6 Pz XX", "pay_form=x"), "has no field 'pay_form'; did you mean pay_from?"),
        (("rebuild-cadre", "unit=6 Pz XX", "unit=2 Pz XX", "pay_from=x"), "unit= was given twice"),
        (("rebuild-cadre", "unit=6 Pz X", "pay_from=centre"), "there is no unit '6 Pz X'; did you mean 6 Pz XX"),
        (("rebuild-cadre", "unit=6 Pz XX", "pay_from=center"), "there is no pool 'center'; did you mean front/centre?"),
        (("rebuild-cadre", "unit=6 Pz XX", "pay_from=centre", "reduced=maybe"), "reduced= is yes or no, not 'maybe'"),
        (("rebuild-cadre", "unit=6 Pz XX", "centre", "pay_from=centre"), "there is no unit '6 Pz XX centre'"),
        (("advance", "now"), "advance takes no fields"),
        (("add-unit", "name=x", "spec=strong", "at=Smolensk"), "strong"),
        ((), "give one command"),
        (("--json-command", "{"), "is not JSON"),
        (("--json-command", "[]"), "needs the name of the command"),
        (("--json-command", '{"command": "note", "text": 3}'), "note: expected"),
        (("advance", "--die", "4"), "dice entered: 1, asked for: 0; leave the others out"),
    ],
)
def test_what_cannot_be_understood_says_what_would_be(east: Forcepool, words: tuple[str, ...], says: str) -> None:
    ran = east("do", "east.fp", *words)
    assert ran.code == 2
    assert says in ran.err
    assert ran.err.startswith("forcepool: ")
    assert len(ran.err.splitlines()) == 1
    assert east("status", "east.fp", "--json").data["entries"] == 1


def test_undo_takes_the_last_command_back_and_redo_brings_it_again(east: Forcepool) -> None:
    assert east(*REBUILD_6_PZ).code == 0
    assert "undone: 2 rebuild-cadre" in east("undo", "east.fp").out
    assert inf_of_centre(east) == "33/4"
    assert "brought back: 2 rebuild-cadre" in east("redo", "east.fp").out
    assert inf_of_centre(east) == "19/4"


def test_undo_goes_back_to_an_entry(east: Forcepool) -> None:
    for unit in ("34 Inf XX", "3 Mot XX", "5 Inf XX"):
        assert east("do", "east.fp", "lose", unit).code == 0
    ran = east("undo", "east.fp", "--to", "3", "--json")
    assert ran.data["undone"] == [3, 4]
    undone = {each["entry"]: each["undone"] for each in east("log", "east.fp", "--json").data}
    assert undone == {2: False, 3: True, 4: True, 5: False}


def test_nothing_to_undo_is_said(east: Forcepool) -> None:
    for word in ("undo", "redo"):
        ran = east(word, "east.fp")
        assert ran.code == 1
        assert "forcepool: there is no" in ran.err
    assert east("undo", "east.fp", "--to", "9").code == 1


def test_with_seats_one_says_who_one_is(seated: Forcepool) -> None:
    for words in (("do", "east.fp", "advance"), ("undo", "east.fp"), ("redo", "east.fp"), ("losses", "east.fp")):
        ran = seated(*words)
        assert ran.code == 2
        assert "this campaign has seats (Axis, Soviet); say which is yours with --as Axis" in ran.err
    ran = seated("do", "east.fp", "advance", "--as", "Soviet")
    assert ran.code == 2
    assert "it is Axis's player-turn: only Axis ends its phases" in ran.err
    assert seated("do", "east.fp", "advance", "--as", "axis").code == 0
    assert seated("do", "east.fp", "advance", "--as", "Allied").code == 2
    assert seated("do", "east.fp", "advance", "--as", "Japan").code == 2


def test_a_side_does_not_command_the_other_sides_units(seated: Forcepool) -> None:
    ran = seated("do", "east.fp", "lose", "91 Rif XX", "--as", "Axis")
    assert ran.code == 2
    assert "it is Soviet's" in ran.err
    assert seated("do", "east.fp", "lose", "91 Rif XX", "--as", "Soviet").code == 0


def test_undoing_what_another_did_waits_for_consent(seated: Forcepool) -> None:
    assert seated("do", "east.fp", "lose", "34 Inf XX", "--as", "Axis").code == 0
    asked = seated("undo", "east.fp", "--as", "Soviet", "--json")
    assert asked.code == 1
    assert asked.data["waits_for"] == ["Axis"]
    assert "Soviet asks to undo entry 2" in seated("status", "east.fp").out
    assert seated("undo", "east.fp", "--consent", "--as", "Soviet").code == 1
    assert seated("undo", "east.fp", "--consent", "--as", "Axis").code == 0
    [unit] = seated("units", "east.fp", "34", "Inf", "--json").data
    assert unit["where"] == "Ugra"


def test_consent_without_seats_is_not_asked_for(east: Forcepool) -> None:
    assert east("undo", "east.fp", "--consent").code == 2


def test_trying_an_order_does_not_tell_how_the_programs_die_will_fall(east: Forcepool) -> None:
    tried = east("do", "east.fp", "roll-deployment", "nation=Germany", "--override", "to see", "--dry-run")
    assert tried.code == 2
    assert "roll it and enter the result with --die" in tried.err
