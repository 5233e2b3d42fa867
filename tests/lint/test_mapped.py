"""On a map: every side has a source of supply, and the cities of a country are on one railway."""

from tests.lint.conftest import Lint, told

MAP = """\
title: A war
turn: Jul 1 41
players: [Axis, Soviet]
theatres: {East: {country: Germany}}
units: {24 Inf XX: {spec: 7-6 Inf XX, nation: German, at: Posen}}
map:
  areas: {E: {theatre: East}}
  owners: {a: Axis, s: Soviet}
  sheets:
    1A:
      terrain: |
        ......
        ......
      areas: |
        EEEEEE
        EEEEEE
      owners: |
        aaaaaa
        aaasaa
  places:
    Danzig: {hex: 1A:0101, city: dot}
    Posen: {hex: 1A:0301, city: dot}
    Warsaw: {hex: 1A:0601, city: full}
  lines:
    rail: [%s]
"""


def test_a_city_that_no_railway_joins_to_the_others_of_its_country(lint: Lint) -> None:
    assert told(lint(MAP % "Danzig - Posen - Warsaw", whole=True), "railway") == []
    (found,) = told(lint(MAP % "Danzig - Posen", whole=True), "railway")
    assert "52.A.1/4  no railway on Axis ground joins Warsaw to the other cities of Germany, such as Danzig" in found
    assert found.startswith("war.yaml:6:1:")


def test_a_railway_through_the_enemys_ground_joins_nothing(lint: Lint) -> None:
    around = "Danzig - Posen, Posen - 1A:0402 - Warsaw"
    assert len(told(lint(MAP % around, whole=True), "railway")) == 1
    assert told(lint((MAP % around).replace("aaasaa", "aaaaaa"), whole=True), "railway") == []


def test_four_cities_off_the_railway_are_all_named_and_a_fifth_is_among_others(lint: Lint) -> None:
    north = "".join(f"    {name}: {{hex: 1A:0{column}01, city: dot}}\n" for column, name in ((2, "Lodz"), (4, "Thorn")))
    text = (MAP % "Danzig - Lodz - Posen - Thorn - Warsaw, %s").replace("aaasaa", "aaaaaa")
    for names, told_so in (("KLMN", "joins K, L, M, N to"), ("KLMNO", "joins K, L, M, N and others to")):
        south = "".join(f"    {name}: {{hex: 1A:0{at}02, city: dot}}\n" for at, name in enumerate(names, start=1))
        drawn = (text % " - ".join(names)).replace("  lines:\n", f"{north}{south}  lines:\n")
        (found,) = told(lint(drawn, whole=True), "railway")
        assert f"{told_so} the other cities of Germany, such as Danzig" in found


def test_a_side_on_the_map_has_a_source_of_supply(lint: Lint) -> None:
    text = MAP % "Danzig - Posen - Warsaw"
    (found,) = told(lint(text, whole=True), "supply source")
    assert "52.A.9.d/6  no place on the map is a supply source of the Axis" in found
    soviet = text.replace("nation: German", "nation: Soviet")
    (found,) = told(lint(soviet, whole=True), "supply source")
    assert "52.D.2.d.i/2  no place on the map is a supply source of the Soviet" in found
    assert told(lint(text + "places: {Warsaw: {supply_source: Axis}}\n", whole=True), "supply source") == []
    assert told(lint("title: A war\nturn: Jul 1 41\n", whole=True), "supply source") == []
