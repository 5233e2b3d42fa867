"""Profiles of a group's own: what differs is read over the profile beneath, and every slip is told with its line."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from forcepool import games
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import read_yaml, read_yaml_file
from forcepool.games.europa import CHARTS, GAME
from forcepool.games.europa.house_profile import Known, RuleSet, profile_names, rule_set
from forcepool.games.europa.world import EuropaWorld
from tests.support.table import Table

KNOWN = Known({name: type_ for name, type_ in CHARTS.items() if name != "ob"}, GAME.switches)


def world_of(text: str, folder: Path | None = None) -> EuropaWorld:
    """The world of a scenario's words, as if the file lay in a folder."""
    name = str(folder / "scenario.yaml") if folder else "scenario.yaml"
    world = GAME.build(GAME.set_up(read_yaml(text, name), ()).world)
    assert isinstance(world, EuropaWorld)
    return world


def problems_of(folder: Path, *texts: str) -> list[str]:
    """What is wrong with a profile of one or more files, each problem as a player reads it."""
    (folder / "ours").mkdir()
    for number, text in enumerate(texts):
        (folder / "ours" / f"{number}.yaml").write_text(text, "utf-8")
    with pytest.raises(BadFile) as found:
        world_of("profile: ./ours\n", folder)
    return [str(each).replace(str(folder) + "/", "") for each in found.value.problems]


def test_the_published_style_ships_with_the_game() -> None:
    assert profile_names() == ["published"]


def test_only_what_differs_is_different_and_every_number_keeps_its_clause() -> None:
    ours, theirs = rule_set("", KNOWN).profile, rule_set("published", KNOWN).profile
    assert theirs.numbers.keys() == ours.numbers.keys()
    assert {name: each.clause for name, each in theirs.numbers.items()} == {
        name: each.clause for name, each in ours.numbers.items()
    }
    assert {name: each.clause for name, each in theirs.dates.items()} == {
        name: each.clause for name, each in ours.dates.items()
    }
    assert theirs.nations == ours.nations
    assert theirs.numbers["scrap_limit"] == ours.numbers["scrap_limit"]
    assert theirs.numbers["arps_share"].value == Fraction(1, 3)


@pytest.mark.parametrize(
    ("chart", "field"),
    [("limited_types", "turns"), ("replacement_costs", "extra_turns"), ("droppable_types", "retrains")],
)
def test_lines_written_out_again_are_the_house_rule_sets_with_half_their_turns(chart: str, field: str) -> None:
    """A line added to the house rule set's chart has to be added to the published style's too."""

    def rows(rules: RuleSet) -> list[Any]:
        lines = rules.charts[chart]
        return list(lines.values()) if isinstance(lines, dict) else list(lines)

    halved = [msgspec.structs.replace(row, **{field: getattr(row, field) // 2}) for row in rows(rule_set("", KNOWN))]
    assert rows(rule_set("published", KNOWN)) == halved
    assert halved != rows(rule_set("", KNOWN))


def test_turns_are_numbered_in_roman_and_june_has_two() -> None:
    world = world_of("profile: published\nturn: Jun II 41\n")
    assert world.turn_name(world.dates["historical_invasion"]) == "Jun II 41"
    assert world.turn_name(world.dates["historical_invasion"] + 1) == "Jul I 41"
    with pytest.raises(BadFile, match=r"scenario\.yaml:2:7: .*there are 2 turns a month"):
        world_of("profile: published\nturn: Jun 3 41\n")


def test_a_scenario_that_names_no_turn_begins_with_the_invasion_of_its_calendar() -> None:
    for text, turn in (("title: x\n", "Jun 4 41"), ("profile: published\n", "Jun II 41")):
        set_up = GAME.set_up(read_yaml(text, "scenario.yaml"), ())
        assert GAME.build(set_up.world).turn_name(set_up.state.clock.turn) == turn


def test_a_group_keeps_its_profile_beside_its_scenario_and_leans_on_another(tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "general.yaml").write_text(
        "title: Our club\nbased_on: published\n"
        "nations: {Iceland: {side: Allied, adjective: Icelandic}}\nhouse_rules: {reduced-time: plus-four}\n",
        "utf-8",
    )
    (tmp_path / "ours" / "points.yaml").write_text("numbers: {arps_share: 1/4, scrap_limit: 5 1/2}\n", "utf-8")
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text("profile: ./ours\nturn: Jul II 41\nnumbers: {scrap_limit: 6}\n", "utf-8")
    set_up = games.game("europa").set_up(read_yaml_file(scenario), ())
    world = GAME.build(set_up.world)
    assert isinstance(world, EuropaWorld)
    assert world.profile.title == "Our club"
    assert world.calendar.turns_per_month == 2
    assert world.nation_named("Icelandic") == "Iceland"
    assert world.numbers["arps_share"] == Fraction(1, 4)
    # The scenario has the last word.
    assert world.numbers["scrap_limit"] == 6
    assert set_up.state.switches["reduced-time"] == "plus-four"


def test_a_profile_may_be_a_single_file(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text("numbers: {scrap_limit: 3}\n", "utf-8")
    assert world_of("profile: ours.yaml\n", tmp_path).numbers["scrap_limit"] == 3


def test_a_chart_takes_the_place_of_the_one_beneath_and_a_scenarios_lines_come_first(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text("charts: {special_rates: [{rate: 1/3, clause: 52.F.5.d/2}]}\n", "utf-8")
    scenario = "profile: ours.yaml\ncharts: {special_rates: [{nations: [Italy], rate: 1/5, clause: 52.F.5.a/2}]}\n"
    assert [row.rate for row in world_of(scenario, tmp_path).chart("special_rates")] == [Fraction(1, 5), Fraction(1, 3)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "numbers:\n  scrap_limt: 3\n",
            "ours/0.yaml:2:3: there is no number 'scrap_limt' (did you mean 'scrap_limit'?",
        ),
        ("dates:\n  invasion: Jun 1 41\n", "ours/0.yaml:2:3: there is no date 'invasion'"),
        ("charts:\n  special_rate: []\n", "ours/0.yaml:2:3: there is no chart 'special_rate'"),
        ("phase_names:\n  resting: rest\n", "ours/0.yaml:2:3: there is no phase 'resting'"),
        (
            "mother_countries:\n  Iceland: Britan\n",
            "ours/0.yaml:2:12: there is no nation 'Britan' (did you mean 'Britain'?",
        ),
        ("calender: {turns_per_month: 2}\n", "ours/0.yaml:1:1: "),
        ("charts:\n  special_rates:\n    - {rate: x, clause: 52.F.5.d/2}\n", "ours/0.yaml:3:14: "),
        (
            "charts:\n  special_rates:\n    - {rate: 1/4, clause: 52.F.5.z/9}\n",
            "ours/0.yaml:3:27: 52.F.5.z/9: there is no such clause",
        ),
        ("house_rules:\n  no-such-rule: yes\n", "ours/0.yaml:2:17: "),
        ("players: [Axis, Allied]\n", "ours/0.yaml:1:10: the players are not those of the rules"),
        ("numbers: {scrap_limit: many}\n", "ours/0.yaml:1:24: "),
        ("based_on: publised\n", "ours/0.yaml:1:11: there is no profile 'publised'; did you mean 'published'?"),
        ("dates: {soviet_options: Sep 5 43}\n", "ours/0.yaml:1:25: the date 'soviet_options', 'Sep 5 43': there are 4"),
    ],
)
def test_every_slip_in_a_profile_is_told_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    assert any(each.startswith(told) for each in problems_of(tmp_path, text)), told


def test_a_shorter_month_asks_for_every_date_and_turn_that_is_in_none(tmp_path: Path) -> None:
    told = problems_of(tmp_path, "calendar: {turns_per_month: 3}\n")
    assert all(each.startswith("ours/0.yaml:1:11: ") for each in told)
    assert [each.partition(": ")[2].partition(" (")[0] for each in told] == [
        "'generation_week' is turn 4 of a month, which has 3",
        "the date 'historical_invasion', 'Jun 4 41': there are 3 turns a month, numbered from 1",
        "the date 'mountain_rifle_ends', 'Jun 4 44': there are 3 turns a month, numbered from 1",
    ]


def test_a_chart_that_speaks_of_a_third_turn_is_told_where_months_have_two(tmp_path: Path) -> None:
    text = "based_on: published\ncharts:\n  soviet_intervals: [{weeks: [1, 3], clause: 52.D.2.d/2}]\n"
    assert problems_of(tmp_path, text) == [
        "ours/0.yaml:3:21: the chart 'soviet_intervals' speaks of turn 3 of a month, which has 2 (give it under charts)"
    ]


def test_a_file_that_is_no_text_is_told_at_its_byte(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_bytes(b"title: Th\xe9 club\n")
    with pytest.raises(BadFile, match=r"ours\.yaml:1:10: .*is not UTF-8"):
        world_of("profile: ours.yaml\n", tmp_path)


def test_two_files_of_a_profile_may_not_say_the_same(tmp_path: Path) -> None:
    told = problems_of(tmp_path, "numbers: {scrap_limit: 3}\n", "numbers: {scrap_limit: 4}\n")
    assert told == ["ours/1.yaml:1:11: 'scrap_limit' stands in another file of this profile too"]


def test_a_profile_that_leans_on_itself_is_told(tmp_path: Path) -> None:
    told = problems_of(tmp_path, "based_on: ../ours\n")
    assert len(told) == 1
    assert "leans on itself" in told[0]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("publishd", "there is no profile 'publishd'; did you mean 'published'?"),
        ("./nowhere", "the profile './nowhere' cannot be read: there is no such folder or file"),
        ("./empty", "the profile './empty' cannot be read: there is no .yaml file in it"),
    ],
)
def test_a_profile_that_is_not_there_is_told_at_the_scenarios_line(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadFile) as found:
        world_of(f"title: x\nprofile: {name}\n", tmp_path)
    assert told in str(found.value)
    assert "scenario.yaml:2:10: " in str(found.value)


def test_an_order_of_battle_for_another_calendar_is_told() -> None:
    text = (
        "profile: published\nob: |\n  turns a month: 4\n  Jul 1 41\n  German\n  Reinforce 1x 8-6 Inf XX 24 at Berlin\n"
    )
    with pytest.raises(BadFile, match="written for 4 turns a month, play has 2"):
        world_of(text)


@pytest.mark.parametrize(
    ("word", "hint"), [("Germny", "did you mean 'Germany'"), ("Xyzzy", "the profile lists the nations")]
)
def test_a_nation_of_a_chart_that_nobody_knows_is_told_with_what_is_meant_or_where_to_look(
    word: str, hint: str
) -> None:
    with pytest.raises(BadFile) as raised:
        Table(f"charts: {{rp_costs: [{{nations: [{word}], shares: {{inf: 1}}, clause: 52.C/7}}]}}")
    assert f"there is no nation '{word}' ({hint}" in str(raised.value)
