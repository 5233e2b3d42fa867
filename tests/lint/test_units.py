"""Units on ground that is theirs, air units at bases that hold them, reinforcements with a place to appear in."""

from tests.lint.conftest import Lint, told

GROUND = """\
mds: {Kiev: {theatre: East, activity: inactive}}
places:
  Kiev: {md: Kiev, city: yes, owner: Soviet, airbase: yes, airbase_capacity: 2}
  Korosten: {md: Kiev, town: yes, owner: Axis}
"""


def test_a_unit_does_not_begin_on_enemy_ground(lint: Lint) -> None:
    unit = "units:\n  24 Inf XX: {spec: 7-6 Inf XX, nation: German, at: %s}\n"
    (found,) = told(lint(GROUND + unit % "Kiev"), "24 Inf XX")
    assert found.startswith("war.yaml:10:3: 51/2  24 Inf XX is Axis and stands at Kiev, which the Soviet side owns")
    assert told(lint(GROUND + unit % "Korosten"), "24 Inf XX") == []


def test_a_place_over_its_limit(lint: Lint) -> None:
    assert len(told(lint(GROUND.replace("town: yes", "town: yes, room: -1")), "stacking limit")) == 1
    assert told(lint(GROUND.replace("town: yes", "town: yes, room: 0")), "stacking limit") == []


def flying(*places: str) -> str:
    lines = [
        f"  MiG-3 {number}: {{spec: 6F6 MiG-3 1/12, nation: Soviet, at: {place}}}"
        for number, place in enumerate(places)
    ]
    return "\n".join(["units:", *lines, ""])


def test_a_base_holds_what_its_capacity_says(lint: Lint) -> None:
    assert told(lint(GROUND + flying("Kiev", "Kiev")), "air unit") == []
    (found,) = told(lint(GROUND + flying("Kiev", "Kiev", "Kiev")), "air unit")
    assert "3 air units are at Kiev, which is an airbase of capacity 2" in found


def test_what_flies_needs_a_base(lint: Lint) -> None:
    (found,) = told(lint(GROUND.replace("Axis}", "Soviet}") + flying("Korosten")), "air unit")
    assert "1 air unit is at Korosten, which is no airbase" in found


def ob(line: str) -> str:
    return f"ob: |\n  Jul 2 41\n    Soviet\n      {line}\n"


def test_a_reinforcement_has_a_city_or_an_hq_to_appear_in(lint: Lint) -> None:
    town = "mds: {Pripet: {theatre: East, activity: inactive}}\nplaces: {Mozyr: {md: Pripet, town: yes}}\n"
    line = ob("Reinforce 1x 4-6 Rif XX 5 in MD Pripet")
    (found,) = told(lint(town + line), "appear")
    assert "war.yaml:10:1: 51.A.5/1  reinforce: there is no place where it could appear" in found
    assert told(lint(town.replace("town: yes", "city: yes") + line), "appear") == []
    hq = "units: {5 Army HQ XXXX: {spec: 1-8 HQ XXXX, nation: Soviet, at: Mozyr}}\n"
    assert told(lint(town + hq + line), "appear") == []


def test_a_place_that_is_the_enemys_serves_no_reinforcement(lint: Lint) -> None:
    line = ob("Reinforce 1x 4-6 Rif XX 5 in MD Kiev")
    (found,) = told(lint(GROUND.replace("owner: Soviet", "owner: Axis") + line), "appear")
    assert "is the enemy's as the campaign begins (Kiev)" in found
    assert told(lint(GROUND + line), "appear") == []
    waits = ob("Conditional 1x 4-6 Rif XX 5 in MD Kiev when Kiev falls")
    assert told(lint(GROUND.replace("owner: Soviet", "owner: Axis") + waits), "appear") == []
