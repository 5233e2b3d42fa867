"""Lint finds what a printed order of battle got wrong, each with its line and clause, and nothing else."""

from fractions import Fraction

import pytest

from forcepool.orderofbattle.lint import left_to_the_players, lint, re_by_month
from forcepool.orderofbattle.model import Finding
from forcepool.orderofbattle.reading import parse
from forcepool.orderofbattle.shape import NEEDS
from forcepool.orderofbattle.words import VERBS
from forcepool.rulebook.book import load

START = "German\nAny turn\nAt start:\n2x 8-6 Inf XX (3-6) 24, 76\n1x 12-10 Pz XX (5-8) 6\n1x 1-6 Inf III 5\n"


def found(text: str, **more: list[str]) -> list[Finding]:
    """What lint finds behind the units at start, whose lines are 1 to 6."""
    ob = parse(START + text)
    assert ob.problems == ()
    return lint(ob, **more)  # type: ignore[arg-type]


def clauses(text: str, **more: list[str]) -> list[tuple[int, str]]:
    return [(finding.line, finding.clause) for finding in found(text, **more)]


def test_every_clause_lint_and_the_verbs_cite_exists() -> None:
    book = load()
    cited = {verb.clause for verb in VERBS.values()} | {need.clause for need in NEEDS}
    cited |= {"51/2", "51/3", "51.A/1", "51.A.5/1", "51.B/1", "51.B.1.b/2", "51.B.7/1", "51.B.7/6", "51.B.16/2"}
    assert [clause for clause in sorted(cited) if clause not in book] == []


def test_every_finding_has_a_clause_of_rule_51_and_a_remedy() -> None:
    everything = (
        "Aug 1 41\nConvert 1x 9-9 Pz XX 1\nFull 1x 8-6 Inf XX 1\nReturn 1x 8-6 Inf XX 1\nForm 1x 1-6 Inf III 8\n"
        "Jul 1 41\nReinforce 1x 8-6 Inf XX 24 in box attic\nForming 1x 2-6 Inf XX 3\nArrive forces\n"
        "Withdraw 3x 8-6 Inf XX\nReinforce 1x 8-6 Inf XX → 1x 9-6 Inf XX\nAny turn\nUpgrade 1x 8-6 Inf XX"
    )
    findings = found(everything, places=[], types=[])
    assert len({finding.clause for finding in findings}) >= 10
    assert all(finding.clause.startswith("51") and finding.hint and finding.text for finding in findings)
    assert findings == sorted(findings)


@pytest.mark.parametrize(
    "text",
    [
        "Withdraw 1x 8-6 Infantry XX",
        "Convert 1x 12-10 Panzer XX (5-8) → 1x 14-10 Pz XX 6",
        "Forming 1x 3-6 Mountain Rifle XX 9 in MD X\nAug 1 41\nFull 1x 3-6 Mtn Rif XX 9",
    ],
)
def test_a_type_in_full_and_its_abbreviation_are_one_type(text: str) -> None:
    assert found(f"Jul 1 41\n{text}") == []


def test_a_type_is_known_however_the_list_of_types_spells_it() -> None:
    known = ["Infantry", "Pz", "Rifle"]
    assert found("Jul 1 41\nReinforce 1x 3-6 Rif XX 1", types=known) == []
    assert clauses("Jul 1 41\nReinforce 1x 3-6 Riff XX 1", types=known) == [(8, "51/3")]


def test_a_unit_comes_twice_though_its_type_is_spelt_otherwise() -> None:
    assert clauses("Jul 1 41\nReinforce 1x 8-6 Infantry XX 24") == [(8, "51/2")]


# ------------------------------------------------------------------------------- leaving without having come


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        ("Withdraw 1x 7-6 Inf XX 24", "51.B.19/1"),
        ("Convert 1x 8-6 Mot XX 24 → 1x 9-6 Inf XX 9", "51.B.3/1"),
        ("Upgrade 1x 8-6 Inf X 24 → 1x 9-6 Inf XX 9 for 1 inf", "51.B.18/1"),
        ("Transfer 1x 8-8 Inf XX 24 to theatre West", "51.B.17/1"),
        ("Disband 1x 1-8 Inf III 5 gives 0 inf", "51.B.5/1"),
        ("Remove from replacement pool 1x 2-6 Inf III 5", "51.B.13/1"),
        ("Release from garrison 1x 2-6 Inf III 5 in MD Kiev", "51.B.11/1"),
        ("Replace 1x 2-6 Inf III 5", "51.B.15/1"),
    ],
)
def test_a_unit_that_never_arrives_cannot_leave_or_change(line: str, clause: str) -> None:
    assert clauses(f"Jul 1 41\n{line}") == [(8, clause)]


@pytest.mark.parametrize(
    "line",
    [
        "Withdraw 1x 8-6 Inf XX 24",
        "Withdraw 1x 8-6 Inf XX 999",
        "Withdraw 1x 8-6 inf XX 24",
        "Withdraw 1x 3-6 Inf XX 24",
        "Withdraw 1x 8-6 Inf XX (3-6) 24 as cadre",
        "Convert 2x 8-6 Inf XX → 1x 9-6 Inf XX 24",
        "Disband 1x 1-6 Inf III 5 gives 0 inf",
        "Replace 1x 12-10 Pz XX",
    ],
)
def test_a_unit_of_the_kind_may_leave_whatever_its_designation(line: str) -> None:
    assert clauses(f"Jul 1 41\n{line}") == []


def test_another_nations_unit_does_not_count() -> None:
    assert clauses("Jul 1 41\nWithdraw 1x 8-6 Inf XX\nHungarian\nJul 1 41\nWithdraw 1x 8-6 Inf XX") == [
        (11, "51.B.19/1")
    ]


def test_two_are_there_and_the_third_cannot_leave() -> None:
    assert clauses("Jul 1 41\nWithdraw 2x 8-6 Inf XX") == []
    assert "only 2 can be in play" in found("Jul 1 41\nWithdraw 3x 8-6 Inf XX")[0].text
    assert "none is left" in found("Jul 1 41\nWithdraw 2x 8-6 Inf XX\nJul 2 41\nWithdraw 1x 8-6 Inf XX")[0].text


def test_a_unit_cannot_leave_before_it_comes_but_may_on_the_same_turn() -> None:
    (finding,) = found("Jul 1 41\nWithdraw 1x 7-6 Inf XX\nJul 2 41\nReinforce 1x 7-6 Inf XX 9")
    assert finding.text == "withdraw: 1x German 7-6 Inf XX is listed, but the first comes on Jul 2 41 (line 10)"
    assert clauses("Jul 2 41\nWithdraw 1x 7-6 Inf XX\nReinforce 1x 7-6 Inf XX 9") == []


def test_what_comes_of_a_conversion_may_leave_and_what_went_into_it_may_not() -> None:
    convert = "Jul 1 41\nConvert 1x 12-10 Pz XX 6 → 1x 14-10 Pz XX 6\nJul 2 41\n"
    assert clauses(f"{convert}Withdraw 1x 14-10 Pz XX 6") == []
    assert clauses(f"{convert}Withdraw 1x 12-10 Pz XX 6") == [(10, "51.B.19/1")]


def test_what_may_be_declined_may_still_be_there_later() -> None:
    assert clauses("Jul 1 41\nDisband 1x 1-6 Inf III 5 gives 0 inf\nJul 2 41\nWithdraw 1x 1-6 Inf III 5") == []


# ------------------------------------------------------------------------------------------------- twice


def test_the_same_unit_may_not_come_twice() -> None:
    (finding,) = found("Jul 1 41\nReinforce 1x 8-6 Inf XX 24")
    assert (finding.line, finding.clause) == (8, "51/2")
    assert finding.text == "German 24 Inf XX comes a second time; it came on line 4 and has not left"
    assert clauses("Jul 1 41\nReinforce 1x 8-6 Inf XX 25") == []
    assert clauses("Jul 1 41\nReinforce 1x 3-8 Inf X 24") == []


def test_a_unit_may_come_again_when_it_has_left() -> None:
    assert clauses("Jul 1 41\nWithdraw 1x 8-6 Inf XX 24\nJul 2 41\nReturn 1x 8-6 Inf XX 24") == []
    assert clauses("Jul 1 41\nArrive 1x 8-6 Inf XX 24 from MTO\nTransfer 1x 8-6 Inf XX 24 to theatre East") == []
    twice = "Jul 1 41\nReinforce 1x 7-6 Inf XX 9\nWithdraw 1x 7-6 Inf XX 9\nJul 2 41\nReturn 1x 7-6 Inf XX 9"
    assert clauses(twice) == []


def test_a_unit_converted_keeps_its_designation() -> None:
    assert clauses("Jul 1 41\nConvert 1x 8-6 Inf XX 24 → 1x 9-6 Inf XX 24") == []
    assert clauses("Jul 1 41\nConvert 1x 8-6 Inf XX 24 → 1x 9-6 Inf XX 76") == [(8, "51/2")]
    assert clauses("Jul 1 41\nConvert 1x 8-6 Inf XX → 1x 9-6 Inf XX 76") == []


def test_what_may_not_happen_is_given_the_benefit_of_the_doubt() -> None:
    assert clauses("Jul 1 41\nReinforce 1x 8-6 Inf XX 24 if Minsk falls") == []
    assert clauses("Jul 1 41\nReinforce 1x 8-6 Inf XX 24 given ETO controlled") == []
    assert clauses("Jul 1 41\nMobilize 1x 8-6 Inf XX 24") == []


# ---------------------------------------------------------------------------------------------- partners


def test_full_needs_forming_before_it() -> None:
    assert clauses("Aug 1 41\nFull 1x 8-6 Inf XX 9") == [(8, "51.B.7/1")]
    forming = "Jul 1 41\nForming 1x 7-6 Inf XX 9 in MD Kiev\n"
    assert clauses(f"{forming}Aug 1 41\nFull 1x 7-6 Inf XX 9") == []
    assert clauses(f"{forming}Aug 1 41\nFull 2x 7-6 Inf XX 9, 10") == [(10, "51.B.7/1")]
    assert clauses(f"{forming}Jun 1 41\nFull 1x 7-6 Inf XX 9")[-1] == (10, "51.B.7/1")


def test_forming_needs_full_behind_it_or_its_turn() -> None:
    assert clauses("Jul 1 41\nForming 1x 7-6 Inf XX 9 in MD Kiev") == [(8, "51.B.7/6")]
    assert clauses("Jul 1 41\nForming 1x 7-6 Inf XX 9 in MD Kiev, full Aug 1 41") == []
    assert clauses("Jul 1 41\nConvert 1x 8-6 Inf XX 24 → 1x 9-6 Inf XX 24 as forming") == [(8, "51.B.7/6")]


def test_the_two_steps_must_agree_on_the_turn() -> None:
    forming = "Jul 1 41\nForming 1x 7-6 Inf XX 9 in MD Kiev, full Aug 1 41\n"
    assert clauses(f"{forming}Aug 1 41\nFull 1x 7-6 Inf XX 9") == []
    assert clauses(f"{forming}Aug 2 41\nFull 1x 7-6 Inf XX 9") == [(8, "51.B.7/6")]


def test_return_needs_a_withdrawal_before_it() -> None:
    assert clauses("Aug 1 41\nReturn 1x 7-6 Inf XX 9") == [(8, "51.B.16/2")]
    withdrawn = "Jul 1 41\nWithdraw 1x 8-6 Inf XX 24, return Aug 1 41\n"
    assert clauses(f"{withdrawn}Aug 1 41\nReturn 1x 8-6 Inf XX 24") == []
    assert clauses(f"{withdrawn}Aug 2 41\nReturn 1x 8-6 Inf XX 24") == [(8, "51.B.16/2")]
    assert clauses(f"{withdrawn}Jul 2 41\nReinforce 1x 5-6 Inf XX") == []


# -------------------------------------------------------------------------------------- shape and order


@pytest.mark.parametrize(
    ("bad", "good", "clause"),
    [
        ("Convert 1x 8-6 Inf XX", "Convert 1x 8-6 Inf XX → 1x 9-6 Inf XX", "51.B.3/1"),
        ("Upgrade 1x 8-6 Inf XX → 1x 9-6 Inf XX", "Upgrade 1x 8-6 Inf XX → 1x 9-6 Inf XX for 1 inf", "51.B.18/1"),
        ("Reorganize any 8-6 Inf XX", "Reorganize any 8-6 Inf XX → 1x 9-6 Inf XX", "51.B.14/2"),
        ("Disband 1x 1-6 Inf III", "Disband 1x 1-6 Inf III gives 0 inf", "51.B.5/1"),
        ("Conditional 1x 5-6 Inf XX", "Conditional 1x 5-6 Inf XX if Minsk falls", "51.B.2/3"),
        ("Transfer 1x 8-6 Inf XX", "Transfer 1x 8-6 Inf XX to theatre West", "51.B.17/1"),
        ("Add to garrison 1x 5-6 Inf XX", "Add to garrison 1x 5-6 Inf XX in MD Kiev", "51.B.1/1"),
        ("Release from garrison 1x 8-6 Inf XX at Kiev", "Release from garrison 1x 8-6 Inf XX in MD Kiev", "51.B.11/1"),
        (
            "Remove from breakdown box 1x 1-6 Inf III",
            "Remove from breakdown box 1x 1-6 Inf III assembly of 5 XX",
            "51.B.12/2",
        ),
        ("Available for assembly 1x 2-6 Inf III", "Available for assembly 1x 2-6 Inf III 9", "51/4"),
        ("Form 1x 2-6 Inf X 9 for 1 inf", "Form 1x 2-6 Inf XX 9 for 1 inf", "51.B.6/2"),
        ("Reinforce 1x 5-6 Inf XX → 1x 6-6 Inf XX", "Reinforce 1x 5-6 Inf XX", "51.B/1"),
        ("Arrive forces", "Arrive forces from MTO", "51.B.1.b/2"),
        ("Reinforce 1x 5-6 Inf XX in box attic", "Reinforce 1x 5-6 Inf XX in box form", "51.A.5/1"),
        ("Any turn\nReinforce 1x 5-6 Inf XX", "Any turn\nReinforce 1x 5-6 Inf XX if Minsk falls", "51.A/1"),
    ],
)
def test_what_a_verb_needs(bad: str, good: str, clause: str) -> None:
    assert [cited for _, cited in clauses(f"Jul 1 41\n{bad}")] == [clause]
    assert clauses(f"Jul 1 41\n{good}") == []


def test_turns_stand_in_order_under_each_nation() -> None:
    assert clauses("Jul 2 41\nReinforce 1x 5-6 Inf XX\nJul 1 41\nReinforce 2x 5-6 Inf XX") == [(10, "51.A/1")]
    assert clauses("Jul 2 41\nReinforce 1x 5-6 Inf XX\nJul 2 41\nReinforce 2x 5-6 Inf XX") == []
    assert clauses("Jul 2 41\nReinforce 1x 5-6 Inf XX\nHungarian\nJul 1 41\nReinforce 2x 5-6 Inf XX") == []


def test_places_and_types_are_looked_up_in_lists() -> None:
    line = "Jul 1 41\ntheatre East\nReinforce 1x 5-6 Inf XX at Minks in MD Kiev"
    assert clauses(line) == []
    assert clauses(line, places=["Minks", "kiev", "EAST"]) == []
    (finding,) = found(line, places=["Minsk", "Kiev", "East"])
    assert (finding.line, finding.clause, finding.text) == (9, "51.A.5/1", "Minks is not in the list of places")
    assert clauses("Jul 1 41\nReinforce 1x 5-6 Inf XX at map edge 31 east", places=[]) == []
    assert clauses(line, types=["inf", "Pz"]) == []
    assert {line for line, _ in clauses(line, types=["Inf"])} == {5}


# --------------------------------------------------------------------------------------- mix and totals


def test_no_more_units_in_play_than_counters() -> None:
    ob = parse(START + "Jul 1 41\nReinforce 1x 8-6 Inf XX 9\nJul 2 41\nReinforce 1x 8-6 Inf XX 10")
    rest = "\n1x 12-10 Pz XX\n1x 1-6 Inf III"
    assert lint(ob, parse(f"German\nAt start:\n4x 8-6 Inf XX{rest}")) == []
    (finding,) = lint(ob, parse(f"German\nAt start:\n3x 8-6 Inf XX{rest}"))
    assert (finding.line, finding.clause) == (10, "51/2")
    assert finding.text == "4x German 8-6 Inf XX in play, but the counter mix has 3"
    assert len(lint(ob, parse(f"Soviet\nAt start:\n3x 8-6 Inf XX{rest}"))) == 3


def test_a_counter_that_left_may_be_used_again() -> None:
    mix = parse("German\nAt start:\n2x 8-6 Inf XX\n1x 12-10 Pz XX\n1x 1-6 Inf III")
    swap = "Jul 1 41\nWithdraw 1x 8-6 Inf XX 24\nReinforce 1x 8-6 Inf XX 9"
    assert lint(parse(START + swap), mix) == []


def test_REs_that_come_and_go_by_month_and_nation() -> None:
    ob = parse(
        START + "Jul 1 41\nReinforce 2x 5-6 Inf XX\nJul 4 41\nReinforce 1x 1-6 Inf II\nWithdraw 1x 8-6 Inf XX\n"
        "Aug 1 41\nConvert 1x 12-10 Pz XX → 3x 3-8 Tk X\nSoviet\nAug 1 41\nReinforce 1x 1-8 HQ XXXX\n"
    )
    assert [(each.month, each.nation, each.comes, each.goes) for each in re_by_month(ob)] == [
        ("Jul 41", "German", Fraction(13, 2), Fraction(3)),
        ("Aug 41", "German", Fraction(3), Fraction(3)),
    ]
    (month, *_) = re_by_month(ob, {"XX": Fraction(1)})
    assert (month.comes, month.goes) == (Fraction(2), Fraction(1))


# ------------------------------------------------------------------------------------------ left to the players


def left(text: str) -> list[tuple[int, str]]:
    ob = parse(START + text)
    assert (ob.problems, lint(ob)) == ((), [])
    return [(each.line, each.clause) for each in left_to_the_players(ob)]


@pytest.mark.parametrize(
    "condition",
    ["when Smolensk falls", "if Minsk and Kiev are lost", "once Odessa is retaken", "unless the Axis hold Lvov"],
)
def test_a_condition_about_places_needs_nobodys_word(condition: str) -> None:
    assert left(f"Jul 1 41\nReinforce 1x 3-6 Inf XX 1 in MD X {condition}") == []


@pytest.mark.parametrize(
    "condition", ["if Turkey is neutral", "when Italy surrenders", "unless Hungary stays in the war"]
)
def test_a_condition_nobody_can_see_is_said_to_be_the_players(condition: str) -> None:
    assert left(f"Jul 1 41\nReinforce 1x 3-6 Inf XX 1 in MD X {condition}") == [(8, "51.B.2/3")]


@pytest.mark.parametrize(
    ("note", "warned"),
    [
        ("at most two a month", False),
        ("no more than 3 REs per turn on the map", False),
        ("goes home to become the 24th Panzer", False),
        ("at most one in each MD", True),
        ("only in France", True),
        ("no more than two a year", True),
    ],
)
def test_words_that_are_no_limit_anybody_can_hold_are_said_to_be_the_players(note: str, warned: bool) -> None:
    line = f"Jul 1 41\nReorganize any 8-6 Inf XX → 1x 9-6 Inf XX, note: {note}"
    assert left(line) == ([(8, "51.B.14/3")] if warned else [])


def test_a_limit_on_what_is_not_changed_is_said_to_be_the_players() -> None:
    assert left("Jul 1 41\nDisband 1x 1-6 Inf III 5 gives 0 inf, note: at most one a turn") == [(8, "51.B.14/3")]


def test_a_nation_named_under_one_turn_is_missing_under_the_next() -> None:
    ob = parse(
        "Jun 1 41\nGerman\nReinforce 1x 2-6 Inf III\n"
        "Jul 1 41\nReinforce 1x 3-6 Inf III\nReinforce 1x 4-6 Inf III\nAug 1 41\nReinforce 1x 5-6 Inf III"
    )
    found = [(each.line, each.text, each.hint) for each in lint(ob)]
    hint = "name the nation above the turns, or again under each"
    assert found == [
        (5, "no nation stands over the line under Jul 1 41", hint),
        (8, "no nation stands over the line under Aug 1 41", hint),
    ]
    assert not lint(parse("German\nJun 1 41\nReinforce 1x 2-6 Inf III\nJul 1 41\nReinforce 1x 3-6 Inf III"))
    assert not lint(parse("Jun 1 41\nReinforce 1x 2-6 Inf III"))


def test_units_that_have_come_and_gone_are_not_said_to_come_on_a_turn_behind() -> None:
    ob = parse(
        "German\nJun 1 41\nReinforce 2x 2-6 Inf III\nJul 1 41\nConvert 2x 2-6 Inf III → 1x 5-6 Inf XX\n"
        "Aug 1 41\nWithdraw 1x 2-6 Inf III"
    )
    (found,) = lint(ob)
    assert found.text == "withdraw: 1x German 2-6 Inf III is listed, but none is left by then"


@pytest.mark.parametrize("condition", ["if not eliminated", "unless eliminated", "when available", "if still in play"])
def test_a_condition_of_several_lines_that_names_no_unit_is_one_for_all_of_them(condition: str) -> None:
    once = f"Jul 1 41\nWithdraw 1x 8-6 Inf XX 24 {condition}"
    assert left(once) == [(8, "51.B.2/3")]
    twice = f"{once}\nWithdraw 1x 8-6 Inf XX 76 {condition}"
    assert left(twice) == [(8, "51.B.2/3"), (8, "51.B.2/3"), (9, "51.B.2/3"), (9, "51.B.2/3")]
    said = "if the {} is not eliminated"
    named = (
        f"Jul 1 41\nWithdraw 1x 8-6 Inf XX 24 {said.format('24th')}\nWithdraw 1x 8-6 Inf XX 76 {said.format('76th')}"
    )
    assert left(named) == [(8, "51.B.2/3"), (9, "51.B.2/3")]
