"""The scenario of the demonstration, the campaign played from it, and what is left to decide when it opens."""

from collections import Counter
from itertools import combinations
from math import asin, cos, radians, sin, sqrt
from pathlib import Path

import pytest

from forcepool import games
from forcepool.cli.demo import lay_out
from forcepool.engine.agenda import DUE, LAPSES, OPEN, agenda
from forcepool.engine.campaign import Campaign
from forcepool.engine.events import Noted, Overruled, PhaseBegan, Rolled
from forcepool.engine.hexmap.tracing import trace
from forcepool.engine.journal import check_chain
from forcepool.engine.options import options
from forcepool.engine.places import HEX, TRACK
from forcepool.engine.state import State, evolve, restore, to_bytes
from forcepool.games.europa import GAME
from forcepool.games.europa.air.question import is_air
from forcepool.games.europa.mapfacts.positions import hexes_of
from forcepool.games.europa.mapfacts.still_standing import to_be_cleared
from forcepool.games.europa.reinforcements.entries import listed
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.lint import lint
from forcepool.orderofbattle.reading import read_file
from forcepool.store.open import campaign_file
from forcepool.store.verify import verify
from forcepool.views.scenarios import shipped_scenario
from tests.campaigns import fixtures
from tests.campaigns.demonstration import NAME, demonstration, journal
from tests.support.conservation import unaccounted
from tools.east1941 import geography
from tools.east1941.play import SCREENPLAY, Player, Wrong, begin, scenes

OB = geography.SCENARIOS / f"{NAME}.ob"


@pytest.fixture(scope="module")
def begun() -> tuple[EuropaWorld, State]:
    """The scenario as it begins."""
    set_up = GAME.set_up(shipped_scenario(NAME), ())
    assert set_up.warnings == ()
    world = GAME.build(set_up.world)
    assert isinstance(world, EuropaWorld)
    return world, set_up.state


@pytest.fixture(scope="module")
def played() -> Campaign:
    return demonstration()


# ------------------------------------------------------------------------------------------------ the scenario


def test_both_sides_stand_on_the_map_in_full_with_their_air_forces(begun: tuple[EuropaWorld, State]) -> None:
    world, state = begun
    ground = Counter(world.side_of(unit.spec.nation) for unit in state.units.values() if not is_air(world, unit))
    air = Counter(world.side_of(unit.spec.nation) for unit in state.units.values() if is_air(world, unit))
    assert ground["Axis"] >= 180
    assert ground["Soviet"] >= 220
    assert min(air["Axis"], air["Soviet"]) >= 25
    assert all(unit.place.kind == HEX for unit in state.units.values())


def test_at_least_eighty_cities_lie_on_the_map_each_in_its_own_hex_and_district(
    begun: tuple[EuropaWorld, State],
) -> None:
    world, state = begun
    facts = world.facts(state)
    cities = [name for name, spot in world.spots.items() if spot.hex and facts.place_is(name, "city")]
    assert len(cities) >= 80
    assert len({world.spots[name].hex for name in cities}) == len(cities)
    districts = {world.spots[name].area for name in cities}
    assert {"md/leningrad", "md/baltic", "md/western", "md/kiev", "md/odessa", "md/kharkov", "md/moscow"} <= districts
    for city, district in (("Smolensk", "md/western"), ("Stalino", "md/kharkov"), ("Warsaw", "md/general-government")):
        assert world.spots[city].area == district


def test_distances_on_the_map_are_those_of_the_country() -> None:
    """As the crow flies, within a twelfth for cities more than 200 miles apart."""
    table = [city for city in geography.cities() if city.at and city.size in ("full", "partial", "dot")]
    on = geography.grid(table)
    for one, other in combinations(table, 2):
        assert one.at
        assert other.at
        true = great_circle(one.at, other.at)
        if true < 320:
            continue
        (a, b), (c, d) = on.centre(*on.hex_at(*one.at)), on.centre(*on.hex_at(*other.at))
        assert sqrt((a - c) ** 2 + (b - d) ** 2) == pytest.approx(true, rel=1 / 12), (one.name, other.name)


def great_circle(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Kilometres between two points of the globe."""
    (north, east), (north2, east2) = ([radians(each) for each in point] for point in (one, other))
    half = sin((north2 - north) / 2) ** 2 + cos(north) * cos(north2) * sin((east2 - east) / 2) ** 2
    return 2 * geography.EARTH * asin(sqrt(half))


def test_the_projection_turned_round_gives_the_place_back() -> None:
    for north, east in ((45.0, 20.0), (55.75, 37.62), (68.97, 33.08), (40.41, 49.87)):
        assert geography.unproject(*geography.project(north, east)) == pytest.approx((north, east))


def test_the_map_and_the_places_are_what_the_coordinates_give() -> None:
    table = geography.cities()
    assert geography.MAP.read_text("utf-8") == geography.map_text(table, geography.grid(table))
    scenario = geography.SCENARIO.read_text("utf-8")
    assert geography.with_places(scenario, geography.places_text(table)) == scenario


def test_every_soviet_replacement_city_of_the_map_sends_infantry_and_no_other_city_does(
    begun: tuple[EuropaWorld, State],
) -> None:
    world, state = begun
    facts = world.facts(state)
    cities = {name for name in facts.places_with("replacement_city") if facts.owner(name) == "Soviet"}
    assert cities == {line.city for line in world.chart("soviet_replacements") if line.city}
    producing = set(facts.places_where("producing", True))
    assert producing <= set(world.chart("soviet_factories"))
    assert len(producing) >= 10


def test_a_railway_runs_from_warsaw_to_moscow_and_from_berlin_none_is_drawn(begun: tuple[EuropaWorld, State]) -> None:
    world, _ = begun
    rails = hexes_of(world).lines["rail"]
    for city in ("Warsaw", "Brest-Litovsk", "Minsk", "Smolensk", "Vyazma", "Moscow"):
        assert rails[hexes_of(world).find(world.spots[city].hex)]
    assert world.spots["Berlin"].hex == ""


def test_the_great_rivers_run_past_the_cities_on_them_and_say_that_they_are_illustrative(
    begun: tuple[EuropaWorld, State],
) -> None:
    world, _ = begun
    rivers = hexes_of(world).lines["river"]
    for city in ("Smolensk", "Mogilev", "Kiev", "Polotsk", "Borisov", "Pinsk", "Rzhev", "Stalingrad", "Rostov"):
        assert rivers[hexes_of(world).find(world.spots[city].hex)], city
    assert not rivers[hexes_of(world).find(world.spots["Minsk"].hex)]
    assert "ILLUSTRATIVE" in (geography.HERE / "rivers.txt").read_text("utf-8")


def test_the_order_of_battle_runs_for_more_than_two_years_and_lint_finds_nothing_in_it() -> None:
    ob = read_file(str(OB))
    assert (ob.problems, ob.warnings, lint(ob)) == ((), (), [])
    turns = [turn for entry in ob.entries if (turn := ob.turn_of(entry)) is not None]
    assert (max(turns) - min(turns)) / ob.turns_a_month >= 24
    assert len({entry.verb for entry in ob.entries}) >= 20


def test_what_the_order_of_battle_lists_at_start_is_what_the_scenario_sets_up(
    begun: tuple[EuropaWorld, State],
) -> None:
    world, state = begun
    at_start = sum(item.count for entry in listed(world, state) if entry.verb == "at start" for item in entry.items)
    assert at_start == sum(not is_air(world, unit) for unit in state.units.values())


def test_the_file_says_that_it_is_illustrative() -> None:
    document = shipped_scenario(NAME)
    assert isinstance(document.data, dict)
    assert document.data["illustrative"] == "yes"
    for file in (geography.SCENARIO, geography.MAP, OB, SCREENPLAY):
        assert "illustrative" in file.read_text("utf-8")[:1000].lower(), file.name


def test_only_two_have_a_part_in_it_so_that_nobody_waits_for_the_third(begun: tuple[EuropaWorld, State]) -> None:
    world, _ = begun
    assert world.sequence.players == ("Axis", "Soviet")


# ------------------------------------------------------------------------------------------------ the campaign


def test_the_shipped_campaign_is_sound_and_leads_to_what_it_is_known_to(played: Campaign, tmp_path: Path) -> None:
    assert list(check_chain(journal().read())) == []
    assert fixtures.summary(played) == fixtures.golden(NAME), "if that is meant, run: make demo-journal"
    lay_out(tmp_path / "demo.fp")
    with campaign_file(tmp_path / "demo.fp", games.build_world) as campaign:
        assert verify(campaign.journal).sound
        assert campaign.can_roll
        assert to_bytes(campaign.state) == to_bytes(played.state)


def test_it_replays_entry_by_entry_with_every_point_accounted_for(played: Campaign) -> None:
    state = restore(played.beginning.state)
    turn = state.clock.turn
    for entry in played.entries():
        if played.history.counts(entry):
            evolve(state, entry.events)
        if state.clock.turn != turn:
            turn = state.clock.turn
            assert list(unaccounted(state)) == []
    assert to_bytes(state) == to_bytes(played.state)


def test_both_seats_played_it_with_an_overruling_an_undo_dice_and_remarks(played: Campaign) -> None:
    entries = list(played.entries())
    assert {entry.seat for entry in entries} >= {"Axis", "Soviet"}
    events = [event for entry in entries for event in entry.events]
    (overruled,) = [event for event in events if isinstance(event, Overruled)]
    assert "rail" in overruled.note
    assert any(isinstance(event, Noted) for event in events)
    assert any(isinstance(event, Rolled) for event in events)
    assert len(played.history.undone) == 1
    given = fixtures.summary(played)["commands"]
    for name in ("lose", "rebuild-cadre", "rebuild-substitute", "replace", "reinforce", "transfer-points", "allot"):
        assert given[name], name
    for name in ("send-special", "withdraw", "enter-reserve", "repair-air", "replace-air", "move-units", "take-hexes"):
        assert given[name], name


def test_the_first_turn_played_again_comes_to_the_same(played: Campaign, tmp_path: Path) -> None:
    """The journal is what today's rules make of the screenplay; if that is meant to change: make demo-journal."""
    begin(tmp_path / "again.fp")
    with campaign_file(tmp_path / "again.fp", games.build_world) as campaign:
        player = Player(campaign)
        for scene in scenes(SCREENPLAY.read_text("utf-8")):
            if scene.turn != "Jun 4 41":
                break
            player.play(scene)
        then = played.state_after(campaign.seq)
        assert campaign.world.when(campaign.state) == played.world.when(then) == "Jun 4 41, Soviet replacement phase"
        assert {unit.id: (unit.place, unit.step) for unit in campaign.state.units.values()} == {
            unit.id: (unit.place, unit.step) for unit in then.units.values()
        }
        assert campaign.state.balances == then.balances


def test_a_line_that_cannot_be_played_is_named(tmp_path: Path) -> None:
    begin(tmp_path / "wrong.fp")
    with campaign_file(tmp_path / "wrong.fp", games.build_world) as campaign:
        (scene,) = scenes("Jun 4 41, Axis movement\nmove Minsk: 7 Pz XX\ntake Minsk\n")
        with pytest.raises(Wrong, match=r"campaign.txt:3: take Minsk: .*64 Rif XX.* still stand at Minsk"):
            Player(campaign).play(scene)


def test_attackers_who_are_left_on_the_enemys_ground_after_the_battle_are_named(tmp_path: Path) -> None:
    """18 Mot stood on a Soviet hex for two turns, and every checklist asked after it."""
    begin(tmp_path / "left.fp")
    with campaign_file(tmp_path / "left.fp", games.build_world) as campaign:
        player = Player(campaign)
        left, after = scenes("Jun 4 41, Axis movement\nmove 1:5366: 18 Mot XX\nJun 4 41, Axis replacement\n")
        player.play(left)
        with pytest.raises(Wrong, match=r"Jun 4 41, Axis combat phase: 1:5366 is owned by Soviet, .*18 Mot XX"):
            player.play(after)


# ------------------------------------------------------------------------------------------ what is left to do


def test_nobody_stands_on_the_enemys_ground_at_the_end_of_any_player_turn(played: Campaign) -> None:
    state = restore(played.beginning.state)
    assert isinstance(played.world, EuropaWorld)
    for entry in played.entries():
        if not played.history.counts(entry):
            continue
        if any(isinstance(event, PhaseBegan) and event.clock.phase == 0 for event in entry.events):
            assert [item.text for item in to_be_cleared(played.world, state)] == []
        evolve(state, entry.events)
    assert [item.text for item in to_be_cleared(played.world, state)] == []


def test_it_opens_on_the_first_of_august_with_something_due_open_and_lapsing_on_both_sides(played: Campaign) -> None:
    assert played.world.when(played.state) == "Aug 1 41, Axis replacement phase"
    for side in ("Axis", "Soviet"):
        kinds = Counter(item.kind for item in agenda(played.world, played.state, side=side))
        assert kinds[DUE], side
        assert kinds[OPEN], side
        assert kinds[LAPSES], side


def test_one_division_can_be_rebuilt_the_next_is_three_eighths_of_a_point_short_a_third_has_moved(
    played: Campaign,
) -> None:
    opened = {
        name: [each for each in options(played.world, played.state, unit, names={"rebuild-cadre"}) if each.open]
        for name in ("29 Mot XX", "7 Pz XX", "16 Pz XX")
        for unit in (played.state.units[name],)
    }
    assert opened["29 Mot XX"]
    for name, why in (("7 Pz XX", "⅜ short"), ("16 Pz XX", "moved this player-turn")):
        assert opened[name] == []
        closed = options(played.world, played.state, played.state.units[name], names={"rebuild-cadre"})
        assert any(why in str(reason) for each in closed for reason in each.reasons), name


def test_the_map_agrees_that_the_pockets_are_cut_off_and_the_armies_around_them_are_not(played: Campaign) -> None:
    for unit, cut_off in (
        ("6 Army HQ XXXX", True),
        ("20 Army HQ XXXX", True),
        ("7 Pz XX", False),
        ("14 Rif XX", False),
    ):
        line = trace(played.world, played.state, "supply", unit)
        assert line.found is not cut_off, line.says


def test_pockets_boxes_and_tracks_are_there(played: Campaign) -> None:
    state = played.state
    facts = played.world.facts(state)
    pockets = Counter(
        str(facts.value(f"unit/{unit.id}", "pocket")) for unit in state.units.values() if unit.place.kind == HEX
    )
    assert pockets["Uman"] >= 20
    assert pockets["Smolensk"] >= 4
    kinds = Counter(unit.place.kind for unit in state.units.values())
    assert kinds[TRACK] >= 10
    assert kinds["eliminated"] >= 40
    assert kinds["isolated"] >= 20
    assert kinds["aborted"] >= 4
