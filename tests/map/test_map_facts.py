"""A campaign with a map: what its scenario may say, how hexes are called, and what the map answers and draws."""

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from forcepool import games
from forcepool.engine.alike import A_HEX, A_UNIT
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import BadCommand
from forcepool.engine.facts import SetsApart, place_key
from forcepool.engine.hexmap.grid import BadHex
from forcepool.engine.hexmap.tracing import outline, trace
from forcepool.engine.options import choice
from forcepool.engine.sentence import plain
from forcepool.engine.state import Unit
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import read_yaml
from forcepool.games.europa import atlas
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.mapfacts.edges import on_edges
from forcepool.games.europa.mapfacts.laying import drawn_facts
from forcepool.games.europa.mapfacts.notable import at_the_edge
from forcepool.games.europa.mapfacts.positions import hexes_of
from forcepool.games.europa.replacements.general.cadres import RebuildCadre
from forcepool.games.europa.world import EuropaWorld
from tests.support.quiet import nobody_listens
from tests.support.table import CENTRE, Table

CORRIDOR = (Path(__file__).parents[1] / "cases" / "map" / "corridor.map").read_text(encoding="utf-8")
GIVEN = f"""
turn: Jul 4 41
map:
{"".join(f"  {line}" for line in CORRIDOR.splitlines(keepends=True))}
places:
  Brest: {{supply_source: Axis, replacement_city: Germany}}
  Lida: {{hex: 1:0404, town: yes}}
pools: {{front/centre: {{German: {{inf: 20}}}}}}
units:
  24 Inf XX: {{spec: 7-6 Inf XX (3-6), nation: German, at: 1:0505, as: cadre}}
  1 Rif XX: {{spec: 4-6 Rifle XX, nation: Soviet, at: Moscow}}
"""


@pytest.fixture
def table() -> Table:
    return Table(GIVEN)


def facts(table: Table) -> EuropaFacts:
    world = table.campaign.world
    assert isinstance(world, EuropaWorld)
    return world.facts(table.campaign.state)


def problems(given: str) -> list[str]:
    with pytest.raises(BadFile) as bad:
        games.game("europa").set_up(read_yaml(given, "given.yaml"), ())
    return [problem.message for problem in bad.value.problems]


def test_of_two_units_of_a_kind_each_traces_its_own_line() -> None:
    ring = ("1:1103", "1:1104", "1:1202", "1:1204", "1:1303", "1:1304")
    guards = "".join(
        f"  {n} Gd Rif XX: {{spec: 4-6 Rifle XX, nation: Soviet, at: {at}}}\n" for n, at in enumerate(ring, 1)
    )
    table = Table(f"{GIVEN}{guards}  25 Inf XX: {{spec: 7-6 Inf XX (3-6), nation: German, at: 1:1203, as: cadre}}\n")
    world, state = table.campaign.world, table.campaign.state
    with nobody_listens():
        found = {
            unit: choice(world, state, RebuildCadre(unit=unit, pay_from="front/centre"))
            for unit in ("24 Inf XX", "25 Inf XX")
        }
    assert "52.A.9.d/6" not in {each.clause for each in found["24 Inf XX"].reasons}
    assert "52.A.9.d/6" in {each.clause for each in found["25 Inf XX"].reasons}
    for unit in (A_UNIT, A_HEX):
        with pytest.raises(SetsApart):
            facts(table).reason(f"unit/{unit}", "supply")


# ---------------------------------------------------------------------------------------------- scenarios


def test_a_unit_in_the_hex_of_a_city_is_at_the_city(table: Table) -> None:
    assert table.unit("24 Inf XX").place.of == "Minsk"
    table.do("put-unit", unit="24 Inf XX", at="1:0404")
    assert table.unit("24 Inf XX").place.of == "Lida"
    table.do("put-unit", unit="24 Inf XX", at="0403")
    assert table.unit("24 Inf XX").place.of == "1:0403"


def test_a_hex_that_is_not_on_the_map_takes_no_unit(table: Table) -> None:
    with pytest.raises(BadCommand, match=r"there is no hex 'Mink'; did you mean Minsk\?"):
        table.give("put-unit", unit="24 Inf XX", at="Mink")
    with pytest.raises(BadCommand, match="there is no hex '1:1705'"):
        table.give("put-unit", unit="24 Inf XX", at="1:1705")


def test_the_map_tells_of_a_place_what_the_scenario_need_not(table: Table) -> None:
    known = facts(table)
    assert (known.owner("Minsk"), known.of_place("Minsk", "city_size")) == ("Axis", "partial")
    assert known.place_is("Minsk", "airbase")
    assert (known.place_is("Baku", "port"), known.place_is("Minsk", "port")) == (True, False)
    assert known.value("place/Minsk", "airbase_capacity") == 3
    assert (known.place_is("Lida", "town"), known.owner("Lida")) == (True, "Axis")
    campaign = table.campaign
    assert campaign.world.areas_of(table.unit("24 Inf XX"), campaign.state) == ("front/centre",)
    assert known.world.line_of(known.world.spot("1:1009").area) == ("md/kharkov", "front/west")


def test_a_hex_that_is_there_is_compared_with_no_other(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name is looked up among all the others only where it is unknown: the list of offers asks for every hex."""
    monkeypatch.setattr(atlas, "get_close_matches", lambda *_: pytest.fail("all names were compared"))
    table.do("put-unit", unit="24 Inf XX", at="Minsk")
    table.do("put-unit", unit="24 Inf XX", at="1:0403")
    assert table.unit("24 Inf XX").place.of == "1:0403"


def test_the_map_is_part_of_the_campaigns_first_entry(table: Table) -> None:
    again = Campaign(table.journal, games.build_world)
    assert trace(again.world, again.state, "supply", "24 Inf XX").path == ("Minsk", "1:0405", "1:0305", "Brest")


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("hex: 1:0404", "hex: 1:0505", "1:0505 is Minsk already; give each place its own hex"),
        ("hex: 1:0404", "hex: 1:9905", "there is no hex 1:9905 on the map"),
        ("Brest: {supply", "Brest: {hex: 1:0101, supply", "the map has Brest in 1:0205, not in 1:0101"),
        ("at: 1:0505", "at: Minks", "there is no hex 'Minks'; did you mean Minsk?"),
    ],
)
def test_a_scenario_at_odds_with_its_map_is_told_so(right: str, wrong: str, told: str) -> None:
    assert told in problems(GIVEN.replace(right, wrong, 1))


def test_a_fault_in_a_map_of_its_own_stands_at_its_line_in_the_scenario() -> None:
    text = GIVEN.replace("      ........==......", "      ........==.....?", 1)
    line = text[: text.index("?")].count("\n") + 1
    with pytest.raises(BadFile, match=rf"given.yaml:{line}:\d+: '\?' stands for nothing in terrain"):
        games.game("europa").set_up(read_yaml(text, "given.yaml"), ())


# ------------------------------------------------------------------------------------------------- answers


def test_supply_is_regular_to_seven_hexes_from_the_railway_limited_to_fourteen_and_none_beyond() -> None:
    given = f"""
map:
  owners: {{a: Axis}}
  sheets: {{"1": {{terrain: "{"." * 20}", owners: "{"a" * 20}"}}}}
  places: {{Berlin: {{hex: 1:0101, city: full}}, Posen: {{hex: 1:0301, city: dot}}}}
  lines: {{rail: [Berlin - Posen]}}
places: {{Berlin: {{supply_source: Axis}}}}
units:
  1 Inf XX: {{spec: 8-6 Inf XX, nation: German, at: 1:1001}}
  2 Inf XX: {{spec: 8-6 Inf XX, nation: German, at: 1:1101}}
  3 Inf XX: {{spec: 8-6 Inf XX, nation: German, at: 1:1701}}
  4 Inf XX: {{spec: 8-6 Inf XX, nation: German, at: 1:1801}}
"""
    table = Table(given)
    found = [facts(table).supply(table.unit(f"{number} Inf XX")) for number in (1, 2, 3, 4)]
    assert found == ["regular", "limited", "limited", "none"]
    # It is far off, not cut off.
    assert facts(table).isolated(table.unit("4 Inf XX")) == "no"
    assert "more than 14 hexes" in trace(table.campaign.world, table.campaign.state, "supply", "4 Inf XX").says


@pytest.mark.parametrize(
    ("at", "enemy", "supply"),
    [
        ("1:1001", "1:1101", "regular"),
        ("1:1101", "1:1201", "limited"),
        ("1:1701", "1:1801", "limited"),
        ("1:1801", "1:1901", "none"),
    ],
)
def test_a_line_out_of_an_enemy_zone_counts_the_hex_the_unit_stands_in(at: str, enemy: str, supply: str) -> None:
    table = Table(f"""
map:
  owners: {{a: Axis}}
  sheets: {{"1": {{terrain: "{"." * 20}", owners: "{"a" * 20}"}}}}
  places: {{Berlin: {{hex: 1:0101, city: full}}, Posen: {{hex: 1:0301, city: dot}}, Lager: {{hex: "{at}"}}}}
  lines: {{rail: [Berlin - Posen]}}
places: {{Berlin: {{supply_source: Axis}}}}
units:
  1 Inf XX: {{spec: 8-6 Inf XX, nation: German, at: Lager}}
  1 Rif XX: {{spec: 4-6 Rifle XX, nation: Soviet, at: {enemy}}}
""")
    assert facts(table).supply(table.unit("1 Inf XX")) == supply
    # With nobody upon it the place itself lies under the zone, and traces out of it.
    table.do("put-unit", unit="1 Inf XX", at="Berlin")
    assert facts(table).value(place_key("Lager"), "supply") == supply


def test_the_stretch_over_land_is_a_number_of_the_profile_that_a_scenario_changes() -> None:
    table = Table(GIVEN.replace("turn: Jul 4 41", "turn: Jul 4 41\nnumbers: {supply_overland: 0, supply_limited: 1}"))
    unit = table.unit("24 Inf XX")
    assert facts(table).supply(unit) == "regular"
    table.do("put-unit", unit=unit.id, at="1:0506")
    assert facts(table).supply(unit) == "limited"
    table.do("put-unit", unit=unit.id, at="1:0507")
    assert facts(table).supply(unit) == "none"


@pytest.mark.parametrize(
    ("owners", "at", "isolated"),
    [
        ("asssa", "1:0501", "no"),
        ("assssa", "1:0601", "supply"),
        # One hex of its own in between, and the hexes of the enemy are counted from there anew.
        ("assassa", "1:0701", "no"),
        ("assasssa", "1:0801", "no"),
        ("assassssa", "1:0901", "supply"),
    ],
)
def test_a_line_crosses_so_many_hexes_of_the_enemys_in_a_row_and_no_more(owners: str, at: str, isolated: str) -> None:
    table = Table(f"""
numbers: {{supply_overland: 0, supply_limited: 3}}
map:
  owners: {{a: Axis, s: Soviet}}
  sheets: {{"1": {{terrain: "{"." * len(owners)}", owners: "{owners}"}}}}
  places: {{Berlin: {{hex: 1:0101, city: full}}}}
places: {{Berlin: {{supply_source: Axis}}}}
units: {{1 Inf XX: {{spec: 8-6 Inf XX, nation: German, at: "{at}"}}}}
""")
    assert facts(table).isolated(table.unit("1 Inf XX")) == isolated


def test_without_any_source_of_a_side_the_map_does_not_answer_for_its_supply() -> None:
    table = Table(GIVEN.replace("supply_source: Axis, replacement_city: Germany", "depot: yes"))
    unit = table.unit("24 Inf XX")
    assert (facts(table).supply(unit), facts(table).isolated(unit)) == ("regular", "no")
    assert trace(table.campaign.world, table.campaign.state, "supply", unit.id).found


def test_without_a_supply_source_the_replacement_cities_serve() -> None:
    table = Table(GIVEN.replace("supply_source: Axis, ", ""))
    assert trace(table.campaign.world, table.campaign.state, "supply", "24 Inf XX").path[-1] == "Brest"


def test_a_source_in_enemy_hands_supplies_nobody(table: Table) -> None:
    table.do("declare", fact="owner", about="Brest", value="Soviet")
    assert facts(table).supply(table.unit("24 Inf XX")) == "none"


def test_an_enemy_upon_the_railway_sends_the_line_around_over_land(table: Table) -> None:
    table.do("put-unit", unit="1 Rif XX", at="1:0305")
    assert "ZOC of 1 Rif XX" in plain(trace(table.campaign.world, table.campaign.state, "supply", "24 Inf XX").says)
    table.do("put-unit", unit="1 Rif XX", at="1:0406")
    found = trace(table.campaign.world, table.campaign.state, "supply", "24 Inf XX")
    assert found.found
    assert "1:0405" not in found.path


def test_a_division_that_is_said_to_have_no_zone_stops_no_line_beside_it(table: Table) -> None:
    world = table.campaign.world
    table.do("put-unit", unit="1 Rif XX", at="1:0406")
    assert "1:0405" not in trace(world, table.campaign.state, "supply", "24 Inf XX").path
    table.do("declare", unit="1 Rif XX", fact="zoc", value="none")
    assert "1:0405" in trace(world, table.campaign.state, "supply", "24 Inf XX").path
    table.do("declare", unit="1 Rif XX", fact="zoc", value="division")
    assert "1:0405" not in trace(world, table.campaign.state, "supply", "24 Inf XX").path


def test_a_friendly_unit_in_the_hex_keeps_a_railway_open_under_an_enemy_zone() -> None:
    table = Table(GIVEN + "  31 Inf III: {spec: 3-6 Inf III, nation: German, at: 1:0405}\n")
    world, unit = table.campaign.world, table.unit("24 Inf XX")
    table.do("put-unit", unit="1 Rif XX", at="1:0406")
    assert trace(world, table.campaign.state, "rail", unit.id).found
    table.do("put-unit", unit="31 Inf III", at="Brest")
    stopped = trace(world, table.campaign.state, "rail", unit.id)
    assert (stopped.found, stopped.blocked) == (False, ("1:0405", "Smolensk"))


def test_the_zone_of_a_division_stops_a_railway_and_that_of_a_brigade_does_not() -> None:
    table = Table(GIVEN + "  2 Tk X: {spec: 3-8 Tank X, nation: Soviet, at: Moscow}\n")
    world, unit = table.campaign.world, table.unit("24 Inf XX")
    table.do("put-unit", unit="2 Tk X", at="1:0406")
    assert trace(world, table.campaign.state, "rail", unit.id).found
    table.do("put-unit", unit="1 Rif XX", at="1:0406")
    assert not trace(world, table.campaign.state, "rail", unit.id).found


def test_a_line_out_of_an_empty_town_under_an_enemy_zone_begins_next_to_it() -> None:
    """Hexes lie in rows that are shifted against each other: above and below are other hexes by turns."""
    table = Table(GIVEN)
    world = table.campaign.world
    assert isinstance(world, EuropaWorld)
    grid = hexes_of(world).grid
    for stands in ("1:0404", "1:0504", "1:0604"):
        table.do("put-unit", unit="1 Rif XX", at=stands)
        for index in grid.neighbours(grid.find(stands)):
            line = trace(world, table.campaign.state, "supply", grid.label(index))
            assert line.found
            assert all(
                grid.distance(grid.find(one), grid.find(other)) == 1 for one, other in pairwise(hexed(line.path))
            )


def hexed(path: tuple[str, ...]) -> list[str]:
    """The hexes of a line by their numbers, where it names them."""
    return [TOWNS.get(each, each) for each in path]


TOWNS = {"Brest": "1:0205", "Minsk": "1:0505", "Lida": "1:0404"}


def test_coal_goes_by_rail_and_road_and_other_lines_over_any_land(table: Table) -> None:
    world, state = table.campaign.world, table.campaign.state
    hexes = hexes_of(facts(table).world)
    coal = trace(world, state, "coal", "Kharkov", "Baku")
    assert coal.found
    assert all(hexes.has("road", at) or hexes.has("rail", at) for at in map(hexes.find, coal.path))
    assert not trace(world, state, "coal", "1:0901", "Baku").found
    assert trace(world, state, "overland", "1:0101", "Brest").found


def test_zones_are_named_to_the_side_that_stands_there_whoever_owns_the_hex(table: Table) -> None:
    table.do("put-unit", unit="24 Inf XX", at="1:0805")
    table.do("put-unit", unit="1 Rif XX", at="1:0905")
    assert plain(facts(table).reason("unit/24 Inf XX", "enemy_zoc")) == ": 1 Rif XX at 1:0905"
    assert plain(facts(table).reason("unit/1 Rif XX", "enemy_zoc")) == ": 24 Inf XX at Smolensk"
    assert plain(facts(table).reason("place/1:0906", "enemy_zoc")) == ": 24 Inf XX at Smolensk"
    assert plain(facts(table).reason("place/1:0604", "enemy_zoc")) == ""


def test_a_place_off_the_map_may_fall() -> None:
    table = Table(GIVEN.replace("  Lida:", "  Vienna: {md: Vienna, city: yes, owner: Axis}\n  Lida:"))
    table.do("declare", fact="owner", about="Vienna", value="Soviet")
    assert facts(table).supply(table.unit("24 Inf XX")) == "regular"


def test_the_hexes_of_an_edge_and_of_all_edges_of_a_sheet(table: Table) -> None:
    world = facts(table).world
    north, sheet = on_edges(world, ["1 north"]), on_edges(world, ["1"])
    assert {"1:0101", "1:1601"} <= north
    assert north | on_edges(world, ["1 south"]) < sheet
    assert on_edges(world, ["2"]) == set()


def test_soviets_and_allies_are_no_enemies_of_each_other(table: Table) -> None:
    table.do("put-unit", unit="1 Rif XX", at="1:0605")
    assert facts(table).enemy_zocs(table.unit("24 Inf XX")) == ["division"]
    british = Table(GIVEN.replace("nation: German, at: 1:0505", "nation: British, at: 1:0505"))
    british.do("put-unit", unit="1 Rif XX", at="1:0605")
    assert facts(british).enemy_zocs(british.unit("24 Inf XX")) == []


def test_an_aircraft_holds_no_hex_and_has_no_zone() -> None:
    table = Table(GIVEN + "  1 Air: {spec: 3F4 I-16 1/10, nation: Soviet, at: 1:0605}\n")
    world = table.campaign.world
    assert isinstance(world, EuropaWorld)
    assert world.has_role(table.unit("1 Air").spec, "air")
    assert facts(table).enemy_zocs(table.unit("24 Inf XX")) == []
    assert trace(world, table.campaign.state, "overland", "1:0705", "1:0605").found


def test_a_unit_placed_where_the_map_shows_no_supply_is_in_supply_again_once_the_line_is_open() -> None:
    given = GIVEN.replace(
        "units:\n", "units:\n  9 Inf III: {spec: 2-6 Inf III, nation: German, at: track front/centre Jul 4 41}\n"
    )
    for number, row in ((2, "02"), (3, "05"), (4, "08")):
        given += f"  {number} Rif XX: {{spec: 4-6 Rifle XX, nation: Soviet, at: 1:03{row}}}\n"
    table = Table(given)
    table.do("place", unit="9 Inf III", at="Minsk")
    assert facts(table).supply(table.unit("9 Inf III")) == "none"
    table.do("put-unit", unit="3 Rif XX", at="Moscow")
    assert facts(table).supply(table.unit("9 Inf III")) == "regular"


def test_a_refusal_names_the_unit_whose_zone_it_is_and_a_declared_one_does_not(table: Table) -> None:
    table.do("put-unit", unit="1 Rif XX", at="1:0605")
    reasons = table.refused("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre").reasons
    assert "none screened: 1 Rif XX at 1:0605" in str(reasons[0])
    table.do("declare", fact="enemy_zoc", unit="24 Inf XX", value=["division"])
    reasons = table.refused("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre").reasons
    assert "1 Rif XX" not in str(reasons[0])


def test_hexes_change_hands_in_one_entry_and_come_back_with_its_undo(table: Table) -> None:
    before = table.campaign.seq
    table.do("take-hexes", hexes=["1:0805", "0806"], by="Axis")
    assert table.campaign.seq == before + 1
    assert [facts(table).owner(name) for name in ("Smolensk", "1:0806", "1:0807")] == ["Axis", "Axis", "Soviet"]
    table.campaign.undo()
    assert [facts(table).owner(name) for name in ("Smolensk", "1:0806")] == ["Soviet", "Soviet"]


def test_hexes_are_taken_by_a_side_that_plays_and_on_the_map(table: Table) -> None:
    with pytest.raises(BadCommand, match="no side 'Martians'; the sides are Axis, Soviet and Allied"):
        table.give("take-hexes", hexes=["1:0805"], by="Martians")
    with pytest.raises(BadCommand, match="there is no hex '1:9901'"):
        table.give("take-hexes", hexes=["1:0805", "1:9901"], by="Axis")
    with pytest.raises(BadCommand, match="say which hexes"):
        table.give("take-hexes", hexes=[], by="Axis")


# ------------------------------------------------------------------------------------------ trace and outline


def test_a_line_may_be_traced_to_a_named_hex(table: Table) -> None:
    world, state = table.campaign.world, table.campaign.state
    assert trace(world, state, "rail", "Moscow", "Gorki").path == ("Moscow", "1:1305", "1:1405", "Gorki")
    assert not trace(world, state, "rail", "Moscow", "1:1206").found


def test_a_trace_that_cannot_be_asked_is_told_in_a_sentence(table: Table) -> None:
    with pytest.raises(BadHex, match="there is no line 'milk'; lines are supply, overland, rail, depot, coal, oil"):
        trace(table.campaign.world, table.campaign.state, "milk", "Minsk")
    with pytest.raises(BadHex, match="is no hex"):
        trace(table.campaign.world, table.campaign.state, "rail", "Paris")
    bare = Table(CENTRE)
    with pytest.raises(BadHex, match="this campaign has no map"):
        trace(bare.campaign.world, bare.campaign.state, "rail", "Minsk")
    with pytest.raises(BadHex, match="this campaign has no map"):
        outline(bare.campaign.world, bare.campaign.state)


def test_where_the_map_shows_no_depot_no_line_to_one_is_asked_for(table: Table) -> None:
    none = trace(table.campaign.world, table.campaign.state, "depot", "24 Inf XX")
    assert none.found
    assert "so no line is asked for" in none.says
    table.do("declare", fact="depot", about="Brest", value=True)
    assert trace(table.campaign.world, table.campaign.state, "depot", "24 Inf XX").path[-1] == "Brest"


def test_a_map_that_begins_in_its_second_or_third_column_is_drawn_with_the_same_columns_low() -> None:
    """Columns 1, 3 and 5 of the sheet are low; drawn, columns are counted from 0, beginning with the first there is."""
    low = []
    for blank in ("", "-", "--", "---"):
        row = blank + "..."
        sheet = f"{{terrain: '{row}', areas: '{row.replace('.', 'C')}'}}"
        drawn = f"{{map: Strip, low_columns: odd, areas: {{C: {{theatre: East}}}}, sheets: {{'1': {sheet}}}}}"
        campaign = Table(f"turn: Jul 4 41\nmap: {drawn}\n").campaign
        low.append(outline(campaign.world, campaign.state).low_columns)
    assert low == ["even", "odd", "even", "odd"]


def test_the_outline_draws_every_hex_as_it_stands_now(table: Table) -> None:
    table.do("take-hexes", hexes=["1:0805", "0806"], by="Axis")
    drawn = outline(table.campaign.world, table.campaign.state)
    by_hex = {each.hex: each for each in drawn.hexes}
    assert (drawn.columns, drawn.rows, len(by_hex), drawn.low_columns) == (16, 9, 144, "odd")
    minsk = by_hex["1:0505"]
    assert (minsk.name, minsk.city, minsk.area, minsk.owner) == ("Minsk", "partial", "front/centre", "Axis")
    assert (minsk.column, minsk.row, minsk.rail) == (4, 4, (2, 4))
    assert [by_hex[name].owner for name in ("1:0805", "1:0806", "1:0807")] == ["Axis", "Axis", "Soviet"]
    assert (by_hex["1:0901"].terrain, by_hex["1:0601"].closed) == ("lake", (1,))


def test_declared_facts_are_no_business_of_a_campaign_without_a_map() -> None:
    table = Table(CENTRE)
    unit: Unit = table.unit("24 Inf XX")
    assert not table.campaign.world.has_map
    assert type(facts(table)) is EuropaFacts
    assert (facts(table).supply(unit), facts(table).enemy_zocs(unit)) == ("regular", [])
    assert table.holds("front/centre", "inf") == Fraction(10)


def test_a_unit_refused_in_an_enemy_town_is_told_of_enemy_zones_only() -> None:
    arriving = "  44 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: track front/west Jul 4 41, as: cadre}\n"
    table = Table(GIVEN + arriving)
    table.do("put-unit", unit="24 Inf XX", at="1:0705")
    refusal = table.refused("place", unit="44 Inf XX", at="Smolensk")
    assert [reason.clause for reason in refusal.reasons if "owned" in reason.says or "ZOC" in reason.says] == ["52.A/4"]
    assert not any("24 Inf XX" in reason.says for reason in refusal.reasons)
    side, place = facts(table), "Smolensk"
    assert (side.zones_upon("Axis", place), side.zones_upon("Soviet", place)) == ([], ["brigade"])


def test_hexes_between_two_places_are_as_declared_else_as_measured_and_unknown_off_the_map(table: Table) -> None:
    assert facts(table).distance("Lida", "Brest") == 2
    assert facts(table).distance("Lida", "Nowhere") is None
    assert facts(table).distance("Nowhere", "Lida") is None
    table.do("declare", fact="distance", about="Lida", value="9")
    assert facts(table).distance("Lida", "Brest") == 9


def test_a_place_that_the_map_does_not_have_is_proposed_last(table: Table) -> None:
    assert facts(table).by_use("Axis", ["Nowhere", "Elsewhere", "Moscow", "Lida"])[-2:] == ["Elsewhere", "Nowhere"]


def test_where_it_is_declared_whether_lines_join_areas_no_line_is_looked_for(table: Table) -> None:
    def ends() -> tuple[list[str], list[str]]:
        raise AssertionError("somebody looks for a line")

    table.do("declare", fact="rail_line", about="front/centre", value="yes")
    assert facts(table).joined("Axis", ["front/centre"], "rail_line", ends)
    table.do("declare", fact="rail_line", about="front/west", value="no")
    assert not facts(table).joined("Axis", ["front/centre", "front/west"], "rail_line", ends)
    assert not facts(table).joined("Axis", ["front/west", "md/moscow"], "rail_line", ends)


def test_the_map_lays_down_owner_size_port_and_airbase_of_the_places_it_has(table: Table) -> None:
    world = facts(table).world
    assert world.atlas.hexes is not None
    spots = {name: world.spots[name] for name in ("Baku", "Minsk")} | {"Nowhere": atlas.NOWHERE}
    assert list(drawn_facts(world.atlas.hexes, spots)) == [
        ("Baku", "owner", "Soviet"),
        ("Baku", "city", True),
        ("Baku", "city_size", "dot"),
        ("Baku", "port", True),
        ("Minsk", "owner", "Axis"),
        ("Minsk", "city", True),
        ("Minsk", "city_size", "partial"),
        ("Minsk", "airbase", True),
        ("Minsk", "airbase_capacity", 3),
    ]


def test_of_the_edge_of_the_map_those_hexes_count_where_somebody_stands_or_something_was_said(table: Table) -> None:
    assert at_the_edge(facts(table).world, facts(table)) == {"Baku"}
    table.do("put-unit", unit="24 Inf XX", at="1:0101")
    assert at_the_edge(facts(table).world, facts(table)) == {"Baku", "1:0101"}
    table.do("declare", fact="enemy_zoc", about="1:0102", value=["division"])
    table.do("declare", fact="enemy_zoc", about="1:0404", value=["division"])
    assert at_the_edge(facts(table).world, facts(table)) == {"Baku", "1:0101", "1:0102"}
