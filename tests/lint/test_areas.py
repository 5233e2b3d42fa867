"""Places, fronts, MDs and theatres: what a scenario leaves out that nobody could play without."""

from tests.lint.conftest import Lint, told

PLACED = """\
fronts: {Centre: {theatre: East}}
mds: {Moscow: {front: Centre, country: Soviet Union, activity: semi-active}}
"""


def test_a_front_in_no_country_is_named_once_and_at_its_line(lint: Lint) -> None:
    places = "places: {Minsk: {front: Centre}, Orsha: {front: Centre}}\n"
    text = "theatres: {East: {}}\nfronts:\n  Centre: {theatre: East}\n" + places
    (found,) = told(lint(text, whole=True), "no country")
    assert found.startswith("war.yaml:3:3: 52.A.9.a/5  front/centre lies in no country, and neither does Minsk")


def test_a_country_of_the_theatre_is_enough(lint: Lint) -> None:
    assert told(lint(PLACED + "places: {Minsk: {front: Centre}}\n"), "no country") == []


def test_a_place_in_no_area_at_all_is_named(lint: Lint) -> None:
    (found,) = told(lint("places: {Atlantis: {city: yes}}\n"), "Atlantis")
    assert "lies in no MD, front or theatre" in found


def test_an_md_and_a_front_within_nothing(lint: Lint) -> None:
    found = told(
        lint("fronts: {Centre: {country: Soviet Union}}\nmds: {Kiev: {country: Soviet Union, activity: inactive}}\n"),
        "belongs to no",
    )
    assert ["front/centre belongs to no theatre" in found[0], "md/kiev belongs to no front or theatre" in found[1]] == [
        True,
        True,
    ]
    assert told(lint(PLACED), "belongs to no") == []


TWO = "title: A war\nturn: Jul 1 41\nplayers: [Axis, Soviet]\n"


def test_between_theatres_the_lines_are_stated(lint: Lint) -> None:
    one = TWO + "theatres: {East: {}}\n"
    two = TWO + "theatres:\n  East: {overland: yes, rail_line: yes}\n  Reich: {overland: yes}\n"
    assert told(lint(one, whole=True), "line joins") == []
    (found,) = told(lint(two, whole=True), "line joins")
    assert found.startswith("war.yaml:6:3: 52.A.1/4  theatre/reich")
    assert "state rail_line, yes or no" in found


def test_of_several_mds_of_a_country_it_is_said_where_one_can_go(lint: Lint) -> None:
    home = "theatre: East, country: Soviet Union, activity: inactive"
    mds = f"mds:\n  Kiev: {{{home}}}\n  Orel: {{{home}}}\n"
    assert [found.split("  ")[1].split()[0] for found in told(lint(mds), "next to it")] == ["md/kiev", "md/orel"]
    joined = mds.replace("Kiev: {", "Kiev: {adjacent: [md/orel], ")
    assert told(lint(joined), "next to it") == []
    alone = "mds: {Kiev: {theatre: East, country: Soviet Union, activity: inactive}}\n"
    assert told(lint(alone), "next to it") == []


def test_an_active_md_has_an_hq_of_its_own_side(lint: Lint) -> None:
    md = (
        "mds: {Kiev: {theatre: East, country: Soviet Union, activity: active}}\nplaces: {Kiev: {md: Kiev, city: yes}}\n"
    )
    (found,) = told(lint(md), "HQ")
    assert "49.A.1.b.iv/3  md/kiev is active, and has no Soviet HQ in it" in found
    unsaid = md.replace(", activity: active", "")
    assert "since it is not said to be less" in told(lint(unsaid), "HQ")[0]
    ours, theirs = (
        f"units: {{5 HQ XXXX: {{spec: 1-8 HQ XXXX, nation: {nation}, at: Kiev}}}}\n" for nation in ("Soviet", "German")
    )
    assert told(lint(md + ours), "HQ in it") == []
    assert len(told(lint(md + theirs), "HQ in it")) == 1
    assert told(lint(md.replace("activity: active", "activity: semi-active")), "HQ") == []


def test_a_depot_belongs_to_a_nation_that_can_use_it(lint: Lint) -> None:
    text = "mds: {Tehran: {theatre: East, country: Persia, activity: inactive}}\n"
    text += "places: {Tehran: {md: Tehran, city: yes, depot: yes%s}}\n"
    (found,) = told(lint(text % ""), "depot")
    assert "49.A.1.a.list2.i/3  the depot at Tehran belongs to " in found
    assert told(lint(text % ", depot_of: Soviet"), "depot") == []


def test_what_is_said_of_one_part_of_a_country_is_said_of_the_others(lint: Lint) -> None:
    text = "fronts: {Desert: {theatre: East, country: Egypt%s}}\n"
    text += "mds: {Cairo: {theatre: East, country: Egypt, activity: inactive, middle_east: yes}}\n"
    (found,) = told(lint(text % ""), "is said of")
    assert "49.B.2/3  middle_east is said of md/cairo and not of front/desert" in found
    for said in (", middle_east: yes", ", middle_east: no"):
        assert told(lint(text % said), "is said of") == []
    assert (
        told(
            lint(
                (text % "").replace("Desert: {theatre: East, country: Egypt", "Desert: {theatre: East, country: Libya")
            ),
            "is said of",
        )
        == []
    )


def test_of_areas_in_no_country_nothing_is_asked_of_one_that_is_said_of_another(lint: Lint) -> None:
    text = "fronts: {Desert: {theatre: Sand}}\n"
    text += "mds: {Cairo: {theatre: Sand, activity: inactive, middle_east: yes}}\n"
    assert told(lint(text), "is said of") == []


def test_what_lies_over_the_sea_has_a_port_and_ships_that_go_there(lint: Lint) -> None:
    far = TWO + "theatres: {Libya: {country: Libya, overland: no, rail_line: no}}\n"
    (found,) = told(lint(far, whole=True), "no port")
    assert "52.A.1/5  no line over land leads to theatre/libya, and there is no port in it" in found
    port = "places: {Tripoli: {front: theatre/libya, city: yes, port: yes, owner: Axis}}\n"
    ships = "charts: {capacities: {Axis: {rail: 2%s}}}\n"
    assert told(lint(far + port, whole=True), "no port") == []
    (found,) = told(lint(far + port + ships % "", whole=True), "by sea alone")
    assert "theatre/libya is reached by sea alone, and the Axis side has no naval capacity" in found
    assert told(lint(far + port + ships % ", naval: 1", whole=True), "by sea alone") == []


def test_an_area_that_only_a_pool_mentions_is_told_at_the_section_it_is_missing_from(lint: Lint) -> None:
    home = "theatre: East, country: Soviet Union, activity: inactive"
    pools = "pools: {md/kiev: {Soviet: {inf: 1}}}\n"
    (found,) = told(lint(f"mds:\n  Moscow: {{{home}}}\n{pools}"), "md/kiev belongs to no")
    assert found.startswith("war.yaml:5:1: ")
    (found,) = told(lint(pools), "md/kiev belongs to no")
    assert found.startswith("war.yaml:1:1: ")
