"""What a scenario file may leave to others: its order of battle in a file beside it, and who has a part in the war."""

from pathlib import Path

import pytest

from forcepool.engine.state import State
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import read_yaml_file
from forcepool.games.europa import GAME
from forcepool.games.europa.reinforcements.entries import listed
from forcepool.games.europa.world import EuropaWorld
from tests.support.any_game import sit_down

SCENARIO = "title: A small war\nturn: Jul 1 41\nplaces: {Berlin: {city: yes}}\n"
OB = "Jul 2 41\n  German\n    Reinforce:\n      1x 8-6 Inf XX (3-6) 24 at Berlin\n"


def begun(folder: Path, text: str) -> tuple[EuropaWorld, State]:
    path = folder / "war.yaml"
    path.write_text(SCENARIO + text, "utf-8")
    set_up = GAME.set_up(read_yaml_file(path), ())
    world = GAME.build(set_up.world)
    assert isinstance(world, EuropaWorld)
    return world, set_up.state


def world_of(folder: Path, text: str) -> EuropaWorld:
    return begun(folder, text)[0]


def problem(folder: Path, text: str) -> str:
    with pytest.raises(BadFile) as bad:
        world_of(folder, text)
    (found,) = bad.value.problems
    return str(found)


def test_an_order_of_battle_may_lie_in_a_file_beside_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "war.ob").write_text("\ufeff" + OB, "utf-8")
    (entry,) = listed(*begun(tmp_path, "ob: war.ob\n"))
    assert (entry.turn, entry.nation, entry.items[0].designations) == ("Jul 2 41", "German", ("24",))


def test_one_that_ships_serves_a_scenario_of_ones_own_too(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="list front/centre under fronts"):
        world_of(tmp_path, "ob: east-1941.ob\n")


def test_a_file_that_is_not_there_or_no_text_is_named_with_the_line(tmp_path: Path) -> None:
    found = problem(tmp_path, "ob: lost.ob\n")
    assert "war.yaml:4:5" in found
    assert "there is no file 'lost.ob'" in found
    assert "there is no file 'sub/east-1941.ob'" in problem(tmp_path, "ob: sub/east-1941.ob\n")
    (tmp_path / "war.ob").write_bytes(b"\xff\xfe\x00")
    assert "save it as UTF-8 text" in problem(tmp_path, "ob: war.ob\n")


def test_what_cannot_be_read_in_it_is_told_with_its_own_line(tmp_path: Path) -> None:
    (tmp_path / "war.ob").write_text(OB + "      2y nonsense here\n", "utf-8")
    assert "line 5 of the order of battle" in problem(tmp_path, "ob: war.ob\n")


def test_those_without_a_part_in_the_war_have_no_turn_and_the_order_is_that_of_the_rules(tmp_path: Path) -> None:
    assert world_of(tmp_path, "").sequence.players == ("Axis", "Soviet", "Allied")
    assert world_of(tmp_path, "players: [Soviet, Axis]\n").sequence.players == ("Axis", "Soviet")


def test_a_player_the_rules_do_not_know_is_named(tmp_path: Path) -> None:
    found = problem(tmp_path, "players: [Axis, Martians]\n")
    assert "'Martians' is no player" in found
    assert "Axis, Soviet, Allied" in found


NEUTRAL = """players: [Axis, Soviet]
phase: initial
charts: {receipts: [{nation: Sweden, points: {inf: 2}}, {nation: Germany, points: {inf: 3}}]}
pools: {national/Sweden: {Swedish: {inf: 1}}, national/Germany: {German: {inf: 1}}}
"""


def test_a_month_ends_and_neutrals_are_paid_where_only_two_play() -> None:
    seat = sit_down("europa", SCENARIO + NEUTRAL)
    campaign = seat.campaign
    world = campaign.world
    played, paid = [], []
    while campaign.state.clock.turn < world.calendar.parse("Sep 1 41").turn:
        before = campaign.state.balance("national/Sweden", "Sweden", "inf")
        moment = world.when(campaign.state)
        seat.do("advance")
        played.append(world.phasing(campaign.state))
        if campaign.state.balance("national/Sweden", "Sweden", "inf") != before:
            paid.append(moment.partition(",")[0])
    assert set(played) == {"Axis", "Soviet"}
    assert len(played) == 8 * 2 * 6
    # What comes in during the last player's reinforcement phase lies apart until that phase ends.
    assert paid == ["Jul 1 41", "Aug 1 41"]
    assert campaign.state.balance("national/Sweden", "Sweden", "inf") == 5
    assert campaign.state.balance("national/Germany", "Germany", "inf") == 7
