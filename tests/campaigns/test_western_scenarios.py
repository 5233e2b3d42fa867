"""The shipped scenarios of the West: enough of everything, without a slip, and played on by the bot."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from forcepool.engine.agenda import LAPSES, agenda
from forcepool.engine.command import command_name
from forcepool.engine.events import Noted
from forcepool.files.yamltext import read_yaml
from forcepool.games.europa import GAME
from forcepool.games.europa.air.question import is_air
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.lint import lint
from forcepool.orderofbattle.reading import parse
from forcepool.planner.bot import mind, play, stops_for
from tests.campaigns.wars import scenario
from tests.support.any_game import Seat, sit_down
from tests.support.conservation import unaccounted

WEST, COMPASS = "west-1940", "compass-published"
SEED = bytes(range(32))


def data(name: str) -> dict[str, Any]:
    found = read_yaml(scenario(name), f"{name}.yaml").data
    assert isinstance(found, dict)
    return found


def table(name: str) -> tuple[Seat, EuropaWorld]:
    seat = sit_down("europa", scenario(name), seed=SEED)
    assert isinstance(seat.campaign.world, EuropaWorld)
    return seat, seat.campaign.world


def nations(seat: Seat) -> Counter[str]:
    return Counter(unit.spec.nation for unit in seat.campaign.state.units.values())


@pytest.mark.parametrize("name", [WEST, COMPASS])
def test_a_scenario_says_that_it_is_illustrative_and_reads_without_a_warning(name: str) -> None:
    assert data(name)["illustrative"] == "yes"
    assert GAME.set_up(read_yaml(scenario(name), f"{name}.yaml"), ()).warnings == ()


@pytest.mark.parametrize("name", [WEST, COMPASS])
def test_its_order_of_battle_has_nothing_to_mend(name: str) -> None:
    ob = parse(data(name)["ob"], turns_a_month=2 if name == COMPASS else 4)
    assert ob.entries
    assert (ob.problems, ob.warnings, lint(ob)) == ((), (), [])


@pytest.mark.parametrize("name", [WEST, COMPASS])
def test_every_unit_stands_somewhere_the_scenario_knows(name: str) -> None:
    seat, world = table(name)
    places = set(data(name)["places"])
    for unit in seat.campaign.state.units_in_order():
        assert unit.place.of in (places if unit.place.on_map else world.areas), unit.id


@pytest.mark.parametrize("name", [WEST, COMPASS])
def test_the_checklist_says_nothing_twice(name: str) -> None:
    seat, world = table(name)
    said = Counter((item.kind, item.clause, item.side, item.text) for item in agenda(world, seat.campaign.state))
    assert any(clause == "51.A/1" for _, clause, _, _ in said)
    # Each player's air cycle ends when it ends, in the same words.
    assert {text for (_, clause, _, text), times in said.items() if times > 1 and clause != "28/2"} == set()


def test_the_west_is_large_and_of_many_nations() -> None:
    seat, world = table(WEST)
    units = list(seat.campaign.state.units.values())
    flying = [unit for unit in units if is_air(world, unit)]
    assert len(units) - len(flying) >= 120
    assert len(flying) >= 60
    counted = nations(seat)
    assert min(counted[nation] for nation in ("Germany", "Italy", "France", "Britain")) >= 20
    assert min(counted[each] for each in ("Canada", "Australia", "New Zealand", "India", "Belgium")) >= 1
    assert {unit.spec.force for unit in units if unit.spec.nation == "France"} >= {
        *("Metropolitan", "African", "Colonial", "Foreign Legion"),
    }
    assert len([area for area in world.areas if area.startswith("theatre/")]) >= 5


def acts(name: str, turns: int) -> Iterator[tuple[Seat, str]]:
    seat, _ = table(name)
    for act in play(seat.campaign, turns=turns, seed=11):
        yield seat, command_name(act.command)


@pytest.mark.parametrize(("name", "turns", "ends"), [(WEST, 4, "Jun 1 40"), (COMPASS, 6, "Mar I 41")])
def test_the_bot_plays_on_and_every_point_is_accounted_for(name: str, turns: int, ends: str) -> None:
    given: Counter[str] = Counter()
    for seat, command in acts(name, turns):
        given[command] += 1
        if command == "advance":
            assert list(unaccounted(seat.campaign.state)) == []
    assert seat.campaign.world.turn_name(seat.campaign.state.clock.turn) == ends
    assert given["advance"] == turns * 12
    assert given["lose"] > turns
    assert given["reinforce"] >= 3


def test_the_published_sequence_has_its_own_names() -> None:
    seat, world = table(COMPASS)
    told = []
    for _ in range(6):
        told.append(world.when(seat.campaign.state))
        seat.do("advance")
    assert told == [
        f"Dec I 40, Axis {phase} phase"
        for phase in (
            *("initial", "initial (reinforcements)", "initial (replacements)"),
            *("movement", "combat", "exploitation"),
        )
    ]


def test_the_published_style_knows_no_reserves() -> None:
    """Two months with losses and replacements: nobody asks for a die, and no unit comes to be in a reserve."""
    for seat, command in acts(COMPASS, 4):
        campaign = seat.campaign
        assert "reserve" not in command
        assert command != "roll-deployment"
        if command == "advance":
            clauses = {item.clause for item in agenda(campaign.world, campaign.state)}
            assert [each for each in clauses if each.startswith("49")] == []
    assert not campaign.state.marked.get("reserve")
    west, world = table(WEST)
    assert any(item.clause == "49.A.1.a/1" for item in agenda(world, west.campaign.state))


def test_a_minded_side_gives_no_command_for_another_and_plays_no_two_turns_alike() -> None:
    seat, world = table(COMPASS)
    campaign = seat.campaign
    turns = []
    for _ in range(3):
        list(mind(campaign, ["Axis"], turns=9, seed=2))
        assert stops_for(campaign, ["Axis"]) == "Allied"
        given = [act.command for act in mind(campaign, ["Allied"], turns=9, seed=1)]
        turns.append(given)
        assert stops_for(campaign, ["Allied"]) == "Axis"
        for command in given:
            unit = campaign.state.units.get(getattr(command, "unit", ""))
            assert unit is None or world.side_of(unit.spec.nation) == "Allied"
    assert all(sum(command_name(each) == "advance" for each in given) == 6 for given in turns)
    assert turns[0] != turns[1] != turns[2]


FIRST_BRITISH = """
turn: Jul 1 41
phase: initial
mds: {egypt: {theatre: east, country: Egypt}}
places: {Cairo: {md: egypt, city: yes, owner: Allied}, Minsk: {front: centre}, Moscow: {front: west}}
units:
  24 Inf XX: {spec: 7-6 Inf XX, at: Minsk, nation: German}
  1 Rifle XX: {spec: 3-6 Rifle XX, at: Moscow, nation: Soviet}
ob: |
  Jul 1 41
  British
  Reinforce 1x 7-8 Inf XX 50 in MD egypt
"""


def test_a_side_whose_first_counter_comes_in_has_to_place_it_before_the_bot_goes_on() -> None:
    campaign = sit_down("europa", FIRST_BRITISH).campaign
    given = list(mind(campaign, ["Axis", "Soviet"], turns=2, seed=1))
    assert stops_for(campaign, ["Axis", "Soviet"]) == "Allied"
    assert campaign.world.when(campaign.state) == "Jul 1 41, Allied reinforcement phase"
    assert all(command_name(act.command) == "advance" for act in given)


def test_minding_the_same_side_from_the_same_moment_gives_the_same_commands() -> None:
    def minded(seed: int) -> list[object]:
        seat, world = table(COMPASS)
        while world.phasing(seat.campaign.state) != "Allied":
            seat.do("advance")
        return [act.command for act in mind(seat.campaign, ["Allied"], turns=1, seed=seed)]

    assert minded(4) == minded(4)
    assert any(minded(4) != minded(seed) for seed in range(5, 10))


def test_belgium_is_told_which_city_its_replacements_came_from_though_antwerp_is_still_hers() -> None:
    seat, world = table(WEST)
    seat.do("declare", fact="owner", about="Brussels", value="Axis")
    while world.when(seat.campaign.state) != "May 1 40, Allied reinforcement phase":
        seat.do("advance")
    *_, entry = seat.campaign.entries()
    (said,) = [event.text for event in entry.events if isinstance(event, Noted)]
    assert said == "Belgium receives nothing: the enemy holds Brussels, where its replacements come from"


def test_no_arps_of_the_west_lapse_before_their_side_has_had_a_turn() -> None:
    seat, _ = table(WEST)
    lapsing = [item.text for item in agenda(seat.campaign.world, seat.campaign.state) if item.kind == LAPSES]
    assert not [text for text in lapsing if "ends now" in text]
