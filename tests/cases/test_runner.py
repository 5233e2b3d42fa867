"""The case runner itself: what it reads, how it plays, and how it says what is wrong."""

import random
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from forcepool import games
from forcepool.cases.expectations import EXPECTATIONS
from forcepool.cases.reading import CASE_WORDS, STEP_WORDS, cases_in_text, read_cases
from forcepool.cases.runner import FURTHEST, Result, run
from forcepool.engine import codec, desk
from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.calendar import Calendar, Clock, Sequence
from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.game import Game, SetUp
from forcepool.engine.ledger import SETUP, SPENT, Account
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.engine.world import World
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import Document
from forcepool.files.yamltext import Path as FilePath

FOLDER = Path(__file__).parent
PAGE = FOLDER.parents[1] / "docs" / "cases.md"

CASE = """
- clause: 52.A.9.d/2
  title: a quarter point short is refused
  given:
    turn: Oct 3 41
    phase: replacement
    pools: {front/centre: {German: {inf: 15/4}}}
    units: {24 Inf XX: {spec: 7-6 Inf XX (3-6), at: Minsk, as: cadre}}
  steps:
    - rebuild-cadre: {unit: 24 Inf XX, pay_from: front/centre}
  expect:
    - {after: 1, refused_by: 52.A.9.d/2}
    - {after: 1, pool: front/centre, German: {inf: 15/4}}
"""


def played(text: str) -> Result:
    (case,) = cases_in_text(text, "case.yaml")
    return run(case)


def problems(text: str) -> list[str]:
    """Everything found wrong, whether in reading or in playing."""
    try:
        return [str(problem) for problem in played(text).problems]
    except BadFile as bad:
        return [str(problem) for problem in bad.problems]


def expecting(*lines: str, steps: str = "") -> str:
    """The case above with other expectations, and perhaps other steps."""
    head, _, _ = CASE.partition("  expect:")
    if steps:
        head = head.partition("  steps:")[0] + f"  steps:\n{steps}"
    return head + "  expect:\n" + "".join(f"    - {line}\n" for line in lines)


def test_the_example_of_the_style_guide_holds() -> None:
    assert problems(CASE) == []


# --------------------------------------------------------------------------- words that are not known


@pytest.mark.parametrize(
    ("wrong", "right", "line", "says"),
    [
        ("  titel: a", "  title: a", 3, "'titel' is not a word of a case"),
        ("    trun: Oct", "    turn: Oct", 5, "unknown word 'trun' (did you mean 'turn'?"),
        ("24 Inf XX: {speck: 7-6", "24 Inf XX: {spec: 7-6", 8, "unknown word 'speck' (did you mean 'spec'?"),
        (
            "- rebuild-cader: {",
            "- rebuild-cadre: {",
            10,
            "there is no command 'rebuild-cader' (did you mean 'rebuild-cadre'?",
        ),
        (
            "{unit: 24 Inf XX, pay_form:",
            "{unit: 24 Inf XX, pay_from:",
            10,
            "unknown word 'pay_form' (did you mean 'pay_from'?",
        ),
        ("1, refused: 52.A.9.d/2}", "1, refused_by: 52.A.9.d/2}", 12, "nothing here to expect: after, refused"),
        ("- clause: 52.A.9.d/99", "- clause: 52.A.9.d/2", 2, "52.A.9.d/99"),
        ("refused_by: 52.A.9.d/99", "refused_by: 52.A.9.d/2", 12, "52.A.9.d/99"),
        ("centre, Germn: {inf", "centre, German: {inf", 13, "there is no nation 'Germn'; did you mean Germany?"),
        ("centre, German: {imf", "centre, German: {inf", 13, "there are no 'imf' points"),
        ("{after: 1, pool: front/center", "{after: 1, pool: front/centre", 13, "did you mean front/centre?"),
        ("{after: 2, pool", "{after: 1, pool", 13, "'after' is a step's number: 0 (before any) to 1, not 2"),
        ("{after: soon, pool", "{after: 1, pool", 13, "'after' is a step's number"),
        ("{after: ², pool", "{after: 1, pool", 13, "'after' is a step's number"),
        ("inf: 15/0", "inf: 15/4", 7, "divides by zero"),
        ("Oct 9 41", "Oct 3 41", 5, "there are 4 turns a month"),
        ("phase: replacing", "phase: replacement", 6, "there is no phase 'replacing'; did you mean replacement?"),
        ("as: cader", "as: cadre", 8, "'cader' is no strength"),
        ("7-6 Inf (3-6), at", "7-6 Inf XX (3-6), at", 8, "expected a size such as XX"),
    ],
)
def test_a_word_nobody_knows_is_named_with_its_line_and_what_was_meant(
    wrong: str, right: str, line: int, says: str
) -> None:
    text = CASE.replace(right, wrong, 1)
    assert text != CASE
    found = problems(text)
    assert any(re.match(rf"case\.yaml:{line}:\d+: ", each) and says in each for each in found), found


def test_a_line_of_a_chart_for_a_nation_or_side_that_is_none_is_an_error() -> None:
    line = "charts: {rp_costs: [{nations: [Germny], sides: [Axes], shares: {inf: 1}, clause: 52.C/7}]}"
    found = problems(CASE.replace("    phase: replacement\n", f"    phase: replacement\n    {line}\n"))
    assert [each.split(": ", 1)[1] for each in found] == [
        "there is no nation 'Germny' (did you mean 'Germany'?)",
        "there is no side 'Axes' (did you mean 'Axis'? known: Axis, Soviet, Allied, Neutral)",
    ]


def test_every_problem_of_the_situation_is_listed_not_the_first_alone() -> None:
    text = CASE.replace("Oct 3 41", "Oct 9 41").replace("as: cadre", "as: heap").replace("inf: 15/4}}}", "imf: 4}}}")
    assert [each.split(": ")[0] for each in problems(text)] == ["case.yaml:5:11", "case.yaml:7:42", "case.yaml:8:64"]


def test_a_misspelt_last_step_is_found_before_the_first_is_played() -> None:
    steps = "    - rebuild-cadre: {unit: 24 Inf XX, pay_from: front/centre}\n    - advanse\n    - retreat: {}\n"
    found = problems(expecting("{after: 1, refused_by: 52.A.9.d/2}", steps=steps))
    assert [each.split(": ")[0] for each in found] == ["case.yaml:11:7"]
    steps = steps.replace("    - advanse\n", "    - redoo: {}\n")
    found = problems(expecting("{after: 1, refused_by: 52.A.9.d/2}", steps=steps))
    assert [each.split(": ")[0] for each in found] == ["case.yaml:11:7", "case.yaml:12:7"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{after: 1, accepted: maybe}", "'accepted' is yes or no, not 'maybe'"),
        ("{after: 1, accepted: yes, pool: front/centre}", "'pool' does not belong here"),
        ("{after: 0, accepted: yes}", "after 0 there is no command"),
        ("{after: 1, refused_by: }", "'refused_by' takes a clause"),
        ("{after: 1, refused_by: []}", "'refused_by' takes a clause"),
        ("{after: 1, pool: front/centre}", "say whose points"),
        ("{after: 1, pool: front/centre, German: 4}", "expected amounts such as German: {inf: 3 1/2}"),
        ("{after: 1, pool: front/centre, German: {inf: four}}", "'four' is not an amount of points"),
        ("{after: 1, unit: 24 Inf XX}", "say what is expected of the unit"),
        ("{after: 1, unit: 25 Inf XX, strength: full}", "there is no unit '25 Inf XX'; did you mean 24 Inf XX?"),
        ("{after: 1, unit: 24 Inf XX, strength: half}", "strength is full, cadre or remnant, not 'half'"),
        ("{after: 1, unit: 24 Inf XX, strenght: full}", "'strenght' is nothing one can expect of the unit"),
        ("{after: 1, unit: 24 Inf XX, mp: many}", "mp takes a whole number, not 'many'"),
        ("{after: 1, unit: 24 Inf XX, mp: }", "say what mp is expected to be"),
        ("{after: 1, unit: 24 Inf XX, arrives: Juli}", "Juli"),
        ("{after: 1, unit: 24 Inf XX, attack: much}", "'much' is not an amount of points"),
        ("{after: 1, nation: German}", "say what is expected of the nation"),
        ("{after: 1, nation: Ruritania, base_number: 4}", "there is no nation 'Ruritania'"),
        ("{after: 1, nation: German, moved: yes}", "'moved' is nothing one can expect of the nation"),
        ("{after: 1, campaign: war}", "say what is expected of the campaign"),
        ("{after: 1, campaign: {moved: yes}}", "'moved' is nothing one can expect of the campaign"),
        ("{after: 1, pool: Centre, due: soon, German: {inf: 1}}", "soon"),
        ("{after: 1, place: Minsk}", "say what is expected of the place"),
        ("{after: 1, place: Minsk, size: large}", "'size' is nothing one can expect of the place"),
        ("{after: 1, option: rebuild-cadre, unit: 24 Inf XX}", "say what is expected of the option"),
        ("{after: 1, option: rebuild, unit: 24 Inf XX, open: yes}", "there is no command 'rebuild'"),
        ("{after: 1, option: rebuild-cadre, unit: 24 Inf XX, to: full, open: yes}", "'to' does not belong here"),
        ("{after: 1, option: rebuild-cadre, unit: 24 Inf XX, cost: 4}", "a cost is amounts by kind"),
        ("{after: 1, option: rebuild-cadre, open: yes}", "'unit'"),
        ("{after: 1, option: rebuild-cadre, unit: 24 Inf XX, absent: yes}", "not to be listed for 24 Inf XX"),
        ("{after: 1, option: transfer-points, as: Swiss, open: yes}", "there is no side 'Swiss'"),
        ("{after: 1, option: transfer-points, as: Soviet, open: yes}", "to be open for Soviet, found it closed"),
        ("{after: 1, option: transfer-points, into: md/berlin, absent: no}", "to be listed for Axis, found it not"),
        ("{after: 1, todo: rebuild, kind: urgent}", "the kinds of line are due, lapses, open, news"),
        ("{after: 1}", "nothing here to expect"),
        ("just words", "an expectation looks like"),
        ("[a, list]", "an expectation looks like"),
    ],
)
def test_an_expectation_that_makes_no_sense_is_an_error_on_its_line(line: str, says: str) -> None:
    found = problems(expecting("{after: 1, refused_by: 52.A.9.d/2}", line))
    assert [each for each in found if each.startswith("case.yaml:13:") and says in each], found


def test_a_case_must_expect_something_and_name_its_clause() -> None:
    assert any("the case has no 'expect'" in each for each in problems(CASE.partition("  expect:")[0]))
    assert any("the case has no 'clause'" in each for each in problems(CASE.replace("- clause: 52.A.9.d/2", "-")))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("just a sentence", "expected a list of cases"),
        ("- a sentence", "expected a case"),
        (CASE.replace("  steps:\n    - rebuild", "  steps:\n    rebuild"), "'steps' must be a list"),
        (CASE.replace("- rebuild-cadre: {", "- wait\n    - rebuild-cadre: {"), "expected a step such as"),
        (CASE.replace("- rebuild-cadre: {", "- {}\n    - rebuild-cadre: {"), "neither a command nor a turn or phase"),
        (CASE.replace("front/centre}\n  expect", "front/centre}\n      undo:\n  expect"), "a step gives one command"),
        (
            CASE.replace("front/centre}\n  expect", "front/centre}\n      dice: [five]\n  expect"),
            "dice are whole numbers",
        ),
        (CASE.replace("  given:", "  game: chess\n  given:"), "there is no game 'chess'"),
        (
            CASE.replace("- rebuild-cadre: {", "- turn: Oct 3 42\n      phase: tea\n    - rebuild-cadre: {"),
            "there is no phase 'tea'",
        ),
        (CASE.replace("- rebuild-cadre: {", "- player: Swiss\n    - rebuild-cadre: {"), "there is no player 'Swiss'"),
    ],
)
def test_a_file_of_another_shape_is_refused_in_a_sentence(text: str, says: str) -> None:
    assert any(says in each for each in problems(text)), problems(text)


def test_a_single_case_and_a_group_called_cases_are_read_too() -> None:
    single = "\n".join(line[2:] for line in CASE.strip().splitlines())
    group = "cases:\n" + "".join(f"  {line}\n" for line in CASE.strip().splitlines())
    assert problems(single) == []
    assert problems(group) == []


def test_a_case_is_called_by_its_file_line_and_title() -> None:
    (case,) = cases_in_text(CASE, "folder/case.yaml")
    assert case.name == "case.yaml:2 a quarter point short is refused"
    assert case.clauses == ("52.A.9.d/2",)


# ------------------------------------------------------------------------ found beside expected


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{refused_by: 52.A.9.d/3}", "expected a refusal by 52.A.9.d/3, found a refusal by 52.A.9.d/2"),
        ("{refused_by: [52.A.9.d/3, 52/3]}", "expected a refusal by 52.A.9.d/3 or 52/3, found a refusal by 52.A.9.d/2"),
        ("{refused_by: 52.A.9.d/2, says: ½ short}", "expected the refusal to say '½ short', found: costs 4 inf"),
        ("{accepted: yes}", "expected it to be accepted, found a refusal: 52.A.9.d/2 costs 4 inf"),
        ("{error: nonsense}", "expected an error saying 'nonsense', found none"),
        ("{pool: Centre, German: {inf: 4}}", "expected front/centre to hold 4 inf of Germany, found 3¾"),
        ("{unit: 24 Inf XX, strength: full}", "expected 24 Inf XX at full strength, found cadre"),
        ("{unit: 24 Inf XX, as: full}", "expected 24 Inf XX at full strength, found cadre"),
        ("{unit: 24 Inf XX, at: Kiev}", "expected 24 Inf XX at Kiev, found it at Minsk"),
        ("{unit: 24 Inf XX, at: eliminated}", "expected 24 Inf XX in the ELIMINATED BOX, found it at Minsk"),
        ("{unit: 24 Inf XX, at: eliminated front/centre}", "at ELIMINATED BOX of front/centre, found it at Minsk"),
        (
            "{unit: 24 Inf XX, arrives: Nov 3 41}",
            "expected 24 Inf XX to arrive on Nov 3 41, found that it is on no track",
        ),
        ("{unit: 24 Inf XX, mp: 2}", "expected mp of 24 Inf XX to be 2, found 0"),
        ("{unit: 24 Inf XX, moved: yes}", "expected moved of 24 Inf XX to be yes, found no"),
        ("{unit: 24 Inf XX, enemy_zoc: [corps]}", "expected enemy_zoc of 24 Inf XX to be [corps], found []"),
        ("{unit: 24 Inf XX, pocket: Kholm}", "expected pocket of 24 Inf XX to be Kholm, found nothing"),
        ("{place: Minsk, owner: Axis}", "expected owner of Minsk to be Axis, found nothing"),
        ("{area: Centre, activity: inactive}", "expected activity of front/centre to be inactive, found active"),
        ("{unit: 24 Inf XX, attack: 7}", "expected 24 Inf XX to have attack strength 7, found 3 (cadre)"),
        ("{unit: 24 Inf XX, defence: 7/2}", "expected 24 Inf XX to have defence strength 7/2, found 3 (cadre)"),
        ("{unit: 24 Inf XX, nation: Italian}", "expected the nation of 24 Inf XX to be Italy, found Germany"),
        ("{unit: 24 Inf XX, type: Mtn}", "expected the type of 24 Inf XX to be Mtn, found Inf"),
        ("{unit: 24 Inf XX, size: X}", "expected the size of 24 Inf XX to be X, found XX"),
        ("{nation: German, base_number: 4}", "expected base_number of Germany to be 4, found nothing"),
        ("{campaign: {italy_at_war: yes}}", "expected italy_at_war of the campaign to be yes, found no"),
        (
            "{pool: Centre, due: Oct 4 41, German: {inf: 1}}",
            "expected front/centre to hold 1 inf of Germany to come on Oct 4 41, found 0",
        ),
        ("{now: Oct 4 41}", "expected it to be Oct 4 41, found Oct 3 41, Axis replacement phase"),
        ("{todo: a parade}", "expected an agenda item with 'a parade', found"),
        (
            "{option: rebuild-cadre, unit: 24 Inf XX, open: yes}",
            "expected rebuild-cadre to be open for 24 Inf XX, found it closed: 52.A.9.d/2 costs 4 inf",
        ),
        ("{option: replace, unit: 24 Inf XX, open: yes}", "found it closed: not offered"),
        (
            "{option: rebuild-cadre, unit: 24 Inf XX, closed_by: 52.A.9.d/3}",
            "expected rebuild-cadre closed by 52.A.9.d/3, found 52.A.9.d/2",
        ),
        (
            "{option: rebuild-cadre, unit: 24 Inf XX, cost: {inf: 4}}",
            "expected rebuild-cadre for 4 inf, found no open one",
        ),
        ("{option: rebuild-cadre, unit: 24 Inf XX, arrives: Nov 3 41}", "to arrive on Nov 3 41, found no open one"),
        ("{option: lose, unit: 24 Inf XX, front: Centre, open: yes}", "not offered"),
    ],
)
def test_what_was_found_stands_beside_what_was_expected_with_the_line(line: str, says: str) -> None:
    (found,) = problems(expecting("{after: 1, refused_by: 52.A.9.d/2}", line))
    assert found.startswith("case.yaml:13:7: ")
    assert says in found


def test_points_on_their_way_and_the_facts_of_a_nation_and_a_campaign_are_expected() -> None:
    text = expecting(
        "{after: 1, pool: front/centre, German: {inf: 7/4}}",
        "{after: 1, pool: national/Germany, due: Oct 4 41, German: {inf: 2}}",
        "{after: 1, pool: national/Germany, due: Nov 1 41, German: {inf: 0}}",
        "{after: 1, nation: German, civil_war: no}",
        "{after: 1, campaign: {italy_at_war: no, invasion: Jun 4 41}}",
        "{after: 1, unit: 24 Inf XX, attack: 3, defence: 3, nation: German, type: Inf, size: XX}",
        steps="    - transfer-points: {pool: front/centre, into: national/Germany, points: 2 inf, by: rail}\n",
    )
    assert problems(text.replace("    pools:", "    campaign: {invasion: Jun 4 41}\n    pools:")) == []


def test_an_accepted_step_is_told_apart_from_an_expected_refusal() -> None:
    text = CASE.replace("15/4}}}", "4}}}")
    assert problems(text)[0] == ("case.yaml:12:7: expected a refusal by 52.A.9.d/2, found that it was accepted")
    found = problems(text.replace("refused_by: 52.A.9.d/2", "accepted: no"))
    assert found[0].endswith("expected a refusal, found that it was accepted")
    found = problems(text.replace("refused_by: 52.A.9.d/2", "accepted: yes, cites: 52.A.9.d/10"))
    assert "expected it to cite 52.A.9.d/10, found 52.A.9.d/1, 52.A.9.d/2" in found[0]


def test_a_refusal_may_be_asked_for_the_turn_that_it_says_to_wait_for() -> None:
    (found,) = problems(expecting("{after: 1, refused_by: 52.A.9.d/2, until: Oct 4 41}"))
    assert found.endswith("expected it to help to wait until Oct 4 41, found none")


def test_an_accepted_step_may_be_asked_what_the_journal_says_of_it() -> None:
    text = CASE.replace("15/4}}}", "4}}}")
    held = problems(text.replace("refused_by: 52.A.9.d/2", "accepted: yes, says: full 7 − cadre 3"))
    assert not any("journal" in each for each in held)
    found = problems(text.replace("refused_by: 52.A.9.d/2", "accepted: yes, says: full 8 − cadre 3"))
    assert "expected the journal to say 'full 8 − cadre 3', found: " in found[0]


def test_an_option_open_against_expectation_is_shown_with_its_price() -> None:
    text = expecting(
        "{after: 0, option: rebuild-cadre, unit: 24 Inf XX, open: no}",
        "{after: 0, option: rebuild-cadre, unit: 24 Inf XX, cost: {inf: 3}}",
        "{after: 1, refused_by: 52.A.9.d/1}",
    ).replace("15/4}}}", "4}}}")
    assert [each.partition(": ")[2] for each in problems(text)] == [
        "expected rebuild-cadre to be closed for 24 Inf XX, found it open",
        "expected rebuild-cadre for 3 inf, found 4 inf",
        "expected a refusal by 52.A.9.d/1, found that it was accepted",
    ]


def test_what_is_not_even_listed_is_not_closed() -> None:
    text = expecting(
        "{after: 0, option: rebuild-remnant, unit: 24 Inf XX, open: no}", "{after: 1, refused_by: 52.A.9.d/2}"
    )
    assert [each.partition(": ")[2] for each in problems(text)] == [
        "expected rebuild-remnant to be closed for 24 Inf XX, found it not listed; expect absent: yes"
    ]
    assert problems(text.replace("open: no", "absent: yes")) == []


def test_a_refusal_no_expectation_speaks_of_fails_the_case() -> None:
    (found,) = problems(expecting("{after: 1, pool: front/centre, German: {inf: 15/4}}"))
    assert found.startswith("case.yaml:10:7: step 1 was not expected to be refused: 52.A.9.d/2 costs 4 inf")


def test_an_error_no_expectation_speaks_of_fails_the_case() -> None:
    text = expecting("{after: 0, now: Oct 3 41}", steps="    - lose: {unit: 7 Pz XX}\n")
    assert (
        problems(text)
        == [
            "case.yaml:10:7: step 1 was not expected to be refused: there is no unit '7 Pz XX'; did you mean 24 Inf XX?"
        ]
        or "there is no unit '7 Pz XX'" in problems(text)[0]
    )
    assert problems(text.replace("{after: 0, now: Oct 3 41}", "{error: there is no unit}")) == []
    assert (
        "found an error: there is no unit"
        in problems(text.replace("{after: 0, now: Oct 3 41}", "{refused_by: 52/3}"))[0]
    )


def test_any_one_of_several_clauses_will_do() -> None:
    assert problems(expecting("{after: 1, refused_by: [52.A.9.d/3, 52.A.9.d/2]}")) == []


def test_without_a_number_the_last_step_is_meant_and_nought_is_before_the_first() -> None:
    text = expecting(
        "{after: 0, pool: Centre, German: {inf: 4}}",
        "{pool: Centre, German: {inf: 0}}",
        "{after: 0, unit: 24 Inf XX, strength: cadre}",
        "{unit: 24 Inf XX, strength: full}",
    ).replace("15/4}}}", "4}}}")
    assert problems(text) == []


# ------------------------------------------------------------------------------ several turns


def test_a_step_may_go_forward_without_a_command() -> None:
    steps = "    - {turn: Jan 1 42, player: Soviet, phase: combat}\n    - advance\n"
    text = expecting("{after: 1, now: 'Jan 1 42, Soviet combat phase'}", "{now: Soviet replacement}", steps=steps)
    assert problems(text) == []
    assert (
        "there is no command that could be accepted" in problems(expecting("{after: 1, accepted: yes}", steps=steps))[0]
    )


def test_a_moment_that_has_passed_is_an_error_on_the_step() -> None:
    text = expecting("{after: 0, now: Oct 3 41}", steps="    - {phase: initial}\n")
    assert problems(text) == ["case.yaml:10:7: that moment has passed: it is Oct 3 41, Axis replacement phase"]


def test_a_moment_beyond_any_war_is_an_error_on_the_step() -> None:
    text = expecting("{after: 0, now: Jan 1 00}", steps="    - {turn: Jan 1 99}\n").replace("Oct 3 41", "Jan 1 00")
    assert problems(text)[0].startswith(
        f"case.yaml:10:7: that moment is too far away: after {FURTHEST} phases it is only"
    )


def test_undo_with_nothing_to_undo_is_an_error_one_can_expect() -> None:
    steps = "    - undo\n    - redo\n"
    text = expecting("{after: 1, error: no command left to undo}", "{after: 2, error: nothing to redo}", steps=steps)
    assert problems(text) == []


def test_house_rules_are_found_by_key_or_clause_and_unknown_ones_refused() -> None:
    for key in ("reduced-time", "52.A.2/8"):
        text = CASE.replace(
            "    phase: replacement\n", f"    phase: replacement\n    house_rules: {{{key}: plus-four}}\n"
        )
        assert problems(text) == []
        assert "choose one of double, plus-four" in problems(text.replace("plus-four", "plus-six"))[0]
    text = CASE.replace("    phase: replacement\n", "    phase: replacement\n    house_rules: {reduced-tim: double}\n")
    assert problems(text)[0].startswith(
        "case.yaml:7:32: there is no house rule 'reduced-tim'; did you mean reduced-time?"
    )


def test_a_counter_forgotten_in_the_set_up_joins_by_its_unit_string() -> None:
    steps = "    - add-unit: {name: 7 Pz XX, spec: 12-10 Pz XX (5-8), at: Minsk, nation: German, step: cadre}\n"
    assert problems(expecting("{unit: 7 Pz XX, strength: cadre, at: Minsk}", steps=steps)) == []
    assert (
        "case.yaml:10:39: expected a size"
        in problems(expecting("{after: 0, now: Oct}", steps=steps.replace("12-10 Pz XX (5-8)", "12-10 Pz")))[0]
    )


def test_a_case_that_names_no_game_is_of_the_house_rule_set_and_an_unknown_one_is_an_error() -> None:
    assert problems(CASE) == problems(CASE.replace("  title", "  game: europa\n  title")) == []
    (found,) = problems(CASE.replace("  title", "  game: chess\n  title"))
    assert "there is no game 'chess'" in found


# ---------------------------------------------------------- dice, agenda and bad rules, in a toy game


class Roll(Command, tag="roll", frozen=True):
    """Spend what the dice say."""

    dice: int = 1

    def effects(self, q: Any) -> Iterator[Event]:
        total = sum(q.roll("52/3", 6, "how much is spent") for _ in range(self.dice))
        yield Transferred(amount=Fraction(total), kind="inf", nation="Toyland", frm="pool", to=SPENT)


@rule("52/3")
def scribbles_while_judging(q: Any) -> Verdict:
    q.state.balances[Account("pool", "Toyland", "inf")] = Fraction(99)
    return no("never")


@rule("52/3")
def whatever(q: Any) -> Verdict:
    return YES


class Cheat(Command, tag="cheat", frozen=True):
    """A rule that changes what it judges."""

    requires = (scribbles_while_judging, whatever)

    def effects(self, q: Any) -> Iterator[Event]:
        yield Marked(on="campaign", mark="cheated", value=True)


class Toy(Struct):
    """Nothing to keep."""


def rain(world: World, state: State) -> Iterator[Event]:
    """Each second phase costs a point; with `stormy` set it asks for a die that nobody gave."""
    if state.clock.phase == 1:
        yield Transferred(amount=Fraction(1), kind="inf", nation="Toyland", frm="pool", to=SPENT)


def duties(world: World, state: State) -> Iterator[Item]:
    if state.clock.phase == 1:
        yield Item(OPEN, "sweep the yard", "52/3")


def build(data: bytes) -> World:
    return World(TOY, Calendar(4), Sequence(("Toys",), ("one", "two")), {"Toyland": "Toys"})


def set_up(document: Document, path: FilePath) -> SetUp:
    given: Any = document.data
    for key in path:
        given = given[key]
    turn = Calendar(4).parse("Jan 1 40").turn
    balances = {Account("pool", "Toyland", "inf"): Fraction(10), Account(SETUP, "Toyland", "inf"): Fraction(-10)}
    dice = tuple(int(each) for each in given.get("dice", ()))
    return SetUp("toys", codec.encode(Toy()), State(clock=Clock(turn, 0, 0), balances=balances), dice=dice)


TOY = Game(
    name="toys",
    title="Toys",
    commands=(Roll, Cheat, *desk.COMMANDS),
    build=build,
    set_up=set_up,
    happens=(rain,),
    agenda=(duties,),
)


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "game", lambda name: TOY)
    monkeypatch.setattr(games, "names", lambda: ["toys"])


def toy_case(dice: str, steps: list[str], *expect: str) -> list[str]:
    lines = ["- clause: 52/3", f"  given: {{dice: {dice}}}", "  steps:", *(f"  - {each}" for each in steps)]
    return problems("\n".join([*lines, "  expect:", *(f"  - {each}" for each in expect)]))


@pytest.mark.usefixtures("toys")
def test_dice_of_the_case_fall_in_order_and_each_only_once() -> None:
    steps = ["roll: {}", "roll: {dice: 2}", "roll: {}"]
    expect = ["{after: 1, pool: pool, Toyland: {inf: 8}}", "{after: 2, pool: pool, Toyland: {inf: 1}}"]
    assert toy_case("[2, 3, 4]", steps, *expect, "{after: 3, error: asks for a d6}") == []
    assert (
        "asks for a d6: how much is spent; the case gives no die for it"
        in toy_case("[]", ["roll: {}"], "{now: one}")[0]
    )


@pytest.mark.usefixtures("toys")
def test_dice_of_a_step_are_its_own_and_come_before_those_of_the_case() -> None:
    steps = ["{roll: {}, dice: 6}", "{roll: {}, dice: [1, 1]}", "roll: {}"]
    expect = [
        "{after: 1, pool: pool, Toyland: {inf: 4}}",
        "{after: 2, pool: pool, Toyland: {inf: 3}}",
        "{after: 3, pool: pool, Toyland: {inf: 1}}",
    ]
    assert toy_case("[2]", steps, *expect) == []


@pytest.mark.usefixtures("toys")
def test_what_comes_about_by_itself_happens_on_the_way() -> None:
    steps = ["{phase: two}", "{turn: Jan 3 40}", "{turn: Feb 1 40, phase: one, roll: {}, dice: 5}"]
    expect = [
        "{after: 0, pool: pool, Toyland: {inf: 10}}",
        "{after: 1, pool: pool, Toyland: {inf: 9}}",
        "{after: 2, pool: pool, Toyland: {inf: 7}}",
        "{after: 3, pool: pool, Toyland: {inf: 1}}",
    ]
    assert toy_case("[]", steps, *expect) == []


@pytest.mark.usefixtures("toys")
def test_lines_of_the_checklist_are_expected_or_expected_absent() -> None:
    expect = ["{after: 0, todo: sweep, absent: yes}", "{after: 1, todo: SWEEP, kind: open}"]
    assert toy_case("[]", ["advance"], *expect) == []
    assert toy_case("[]", ["advance"], "{todo: sweep, kind: due}") == [
        "case.yaml:6:5: expected an agenda item with 'sweep', found nothing"
    ]
    assert toy_case("[]", ["advance"], "{todo: sweep, absent: yes}") == [
        "case.yaml:6:5: expected no agenda item with 'sweep', found sweep the yard"
    ]


RECEIVED = """
- clause: 49.A.3/1
  title: points received
  given:
    pools: {national/Germany: {German: {inf: 1}}, received/national/Germany: {German: {inf: 2}}}
  expect:
    - {pool: national/Germany, German: {inf: AMOUNT}}
"""


@pytest.mark.parametrize(("amount", "holds"), [("1", True), ("3", True), ("2", False), ("4", False)])
def test_a_balance_is_counted_with_what_was_just_received_or_without(amount: str, holds: bool) -> None:
    assert (problems(RECEIVED.replace("AMOUNT", amount)) == []) is holds


SEVERAL = """
- clause: 49.A.2.j/1
  title: several units
  given:
    turn: May 1 41
    phase: reinforcement
    nations: {Germany: {base_number: 12}}
    mds: {C: {country: Germany, activity: semi-active}}
    places: {Berlin: {md: C, city: yes, depot: yes, owner: Axis}}
    pools: {reserve/operational: {German: {or: 20}}, map/berlin: {German: {sp: 1}}}
    units:
      1 Inf III: {spec: 2-6 Inf III, at: Berlin, reserve: operational}
      2 Inf III: {spec: 2-6 Inf III, at: Berlin, reserve: operational}
    ob: |
      German
      May 1 41
      Convert 2x 2-6 Inf III → 1x 4-6 Inf X 9
  steps:
    - convert: {entry: may-1-41-german-convert-1, unit: 1 Inf III, others: OTHERS}
    - leave-reserve: {unit: 9 Inf X}
    - mark-reserve: {units: UNITS, pay_from: map/berlin}
  expect:
    - {after: 3, unit: 9 Inf X, reserve_marker: yes}
"""


@pytest.mark.parametrize(("others", "units"), [("2 Inf III", "9 Inf X"), ("[2 Inf III]", "[9 Inf X]")])
def test_several_units_are_given_in_a_list_or_in_one_line(others: str, units: str) -> None:
    assert problems(SEVERAL.replace("OTHERS", others).replace("UNITS", units)) == []


def test_what_is_no_list_of_names_is_told_as_before() -> None:
    (found,) = problems(SEVERAL.replace("OTHERS", "[[2 Inf III]]").replace("UNITS", "[9 Inf X]"))
    assert "expected text, found a list" in found


@pytest.mark.usefixtures("toys")
def test_a_refusal_that_changes_anything_is_caught() -> None:
    assert toy_case("[]", ["cheat: {}"], "{refused_by: 52/3}") == ["case.yaml:4:5: a refused command changed the state"]


@pytest.mark.parametrize(("amount", "said"), [(Fraction(0), "0"), (Fraction(-1, 4), "−¼"), (Fraction(1, 4), "")])
@pytest.mark.usefixtures("toys")
def test_a_line_in_the_journal_that_moves_nothing_is_caught(
    monkeypatch: pytest.MonkeyPatch, amount: Fraction, said: str
) -> None:
    def idle(self: Any, q: Any) -> Iterator[Event]:
        yield Transferred(amount=amount, kind="inf", nation="Toyland", frm="pool", to=SPENT)

    monkeypatch.setattr(desk.Advance, "effects", idle)
    expected = [f"case.yaml:4:5: the journal says that {said} inf of Toyland went from pool to {SPENT}"] if said else []
    assert toy_case("[]", ["advance"], "{accepted: yes}") == expected


@pytest.mark.usefixtures("toys")
def test_play_that_stops_on_the_way_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    def stormy(self: Any, q: Any) -> Iterator[Event]:
        q.roll("52/3", 6, "the storm")
        yield Marked(on="campaign", mark="storm", value=True)

    monkeypatch.setattr(desk.Advance, "effects", stormy)
    (found,) = toy_case("[]", ["{phase: two}"], "{now: two}")
    assert found.startswith("case.yaml:4:5: play stops at Jan 1 40, Toys one phase: 52/3 asks for a d6: the storm")


# --------------------------------------------------------------------------- damaged files, and the page


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_file_never_does_worse_than_a_list_of_problems(tmp_path: Path, seed: int) -> None:
    sources = [path.read_bytes() for path in sorted(FOLDER.rglob("*.yaml"))]
    pieces = [
        piece for source in sources for piece in re.split(rb"\n\n(?=- clause)", source) if piece.startswith(b"- clause")
    ]
    chance = random.Random(seed)
    ran = 0
    file = tmp_path / "damaged.yaml"
    for _ in range(500):
        file.write_bytes(_damaged(chance, chance.choice(pieces)))
        try:
            cases = read_cases(file)
        except BadFile:
            continue
        for case in cases:
            assert all(problem.line >= 1 and problem.column >= 1 for problem in run(case).problems)
            ran += 1
    assert ran > 100


def _damaged(chance: random.Random, source: bytes) -> bytes:
    data = bytearray(source)
    for _ in range(chance.randint(1, 2)):
        at = chance.randrange(len(data))
        match chance.randrange(5):
            case 0:
                data[at] = chance.randrange(256)
            case 1:
                del data[at : at + chance.randint(1, 12)]
            case 2:
                data[at:at] = chance.choice(
                    [b"{", b"}", b"[", b"]", b": ", b"- ", b"\n", b"0", b"-", b"&a ", b"*a", b"\xc2\xb2"]
                )
            case 3:
                data[at:at] = data[chance.randrange(len(data)) :][: chance.randint(1, 30)]
            case _:
                data[at] = chance.choice(b"0123456789abcdefgXYZ ,:/'\"#")
        if not data:
            return b""
    return bytes(data)


def _page_cases() -> list[object]:
    blocks = re.findall(r"```yaml\n(- clause.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return [
        pytest.param(case, id=case.title, marks=pytest.mark.clause(*case.clauses))
        for block in blocks
        for case in cases_in_text(block, "docs/cases.md")
    ]


@pytest.mark.parametrize("case", _page_cases())
def test_the_examples_of_the_page_on_cases_hold(case: Any) -> None:
    assert [str(problem) for problem in run(case).problems] == []


def test_the_page_on_cases_has_examples_and_names_every_word() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(_page_cases()) >= 6
    missing = [word for word in (*CASE_WORDS, *STEP_WORDS, *EXPECTATIONS) if f"`{word}`" not in page]
    assert missing == []
