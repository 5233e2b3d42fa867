"""What the lint finds in a scenario of the second game."""

import pytest

from tests.campaigns.wars import scenario
from tests.lint.conftest import Lint

WAR = """\
game: eastern_front
title: A small war
turn: Jun 41
player: Axis
capacity: {Axis: 2, Soviet: 3}
points:
  Warsaw: {control: Axis}
  Helsinki: {country: Finland}
  Moscow: {country: Soviet Union}
  Bucharest: {country: Rumania}
lines:
  Warsaw line: {ends: [west edge, Warsaw]}
  Baltic: {ends: [Warsaw, Helsinki], kind: sea}
  Danube: {ends: [Warsaw, Bucharest]}
  Moscow line: {ends: [Moscow, east edge]}
track: {Jul 41: {infantry: 1}}
units:
  VI Fin Corps: {spec: 1-4 Inf XXX, nation: Finland, at: Helsinki}
  I Rum Corps: {spec: 1-4 Inf XXX, nation: Rumania, at: Bucharest, withdraws: yes}
  XL Pz Corps: {spec: 2-6 Pz XXX, nation: Germany, at: reinforcements Germany Jul 41}
  24 Army: {spec: 1-4 Inf XXXX, nation: Soviet Union, at: Moscow}
  1 Polish Army: {spec: 1-4 Inf XXXX, nation: Soviet Union, at: reinforcements Soviet Union Jun 44, traits: [polish]}
"""


def test_nothing_is_wrong_with_the_shipped_scenario_nor_with_a_small_war(lint: Lint) -> None:
    assert lint(WAR, whole=True) == []
    assert lint(scenario("eastern-front"), whole=True) == []
    # What comes on the very first turn is received.
    assert lint(WAR.replace("track: {Jul 41", "track: {Jun 41"), whole=True) == []


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        (
            "  Baltic: {ends: [Warsaw, Helsinki], kind: sea}\n",
            "  X: {ends: [Helsinki, Bucharest], kind: sea, blocked: yes}\n",
            "war.yaml:18:3",
            "VI Fin Corps begins out of supply at Helsinki",
        ),
        ("at: Moscow}", "at: Warsaw}", "war.yaml:21:3", "24 Army begins on Warsaw, which Axis controls"),
        ("  Moscow: {country: Soviet Union}", "  Moscow: {}", "war.yaml:9:3", "nobody controls Moscow"),
        (
            "  Moscow: {country",
            "  Tula: {country: Soviet Union}\n  Moscow: {country",
            "war.yaml:9:3",
            "no line leads to Tula",
        ),
        (", traits: [polish]", "", "war.yaml:22:3", "EF.reinforcements/19  1 Polish Army can never enter"),
        (
            "Soviet Union Jun 44",
            "Soviet Union Jul 44",
            "war.yaml:22:3",
            "EF.reinforcements/22  1 Polish Army comes in Jun 44",
        ),
        (
            "nation: Germany, at: reinforcements Germany",
            "nation: Hungary, at: reinforcements Hungary",
            "war.yaml:20:3",
            "EF.reinforcements/12  XL Pz Corps has no point or line to enter at",
        ),
        (
            "{infantry: 1}",
            "{cavalry: 1}",
            "war.yaml:16:18",
            "Soviet Union has no counter that cavalry points could bring back",
        ),
        ("track: {Jul 41", "track: {May 41", "war.yaml:16:9", "May 41 is before the game begins"),
        ("Soviet: 3", "Soviet: 0", "war.yaml:5:1", "EF.strategic/3  Soviet has no strategic movement"),
        (
            "Moscow, east edge",
            "Moscow, southeast edge",
            "war.yaml:11:1",
            "EF.replacements/6  no line leads from the east edge",
        ),
        (
            "  24 Army",
            "  Pliev Group: {spec: 1-6 Cav-Mech XXXX, nation: Soviet Union, at: unused}\n  24 Army",
            "war.yaml:21:3",
            "EF.composite/14  Pliev Group can never be made: there is no tank corps",
        ),
        (
            "nation: Finland, at: Helsinki",
            "nation: Finland, at: Helsinki, withdraws: yes",
            "war.yaml:18:3",
            "EF.reinforcements/25  VI Fin Corps is marked for the withdrawal",
        ),
        (
            "units:",
            "factories: {Tank Warsaw: {kind: tank, at: Warsaw}}\nunits:",
            "war.yaml:17:13",
            "Tank Warsaw begins",
        ),
    ],
)
def test_what_nobody_could_play_is_found_where_it_stands(
    lint: Lint, old: str, new: str, place: str, words: str
) -> None:
    assert old in WAR
    lines = [str(each) for each in lint(WAR.replace(old, new, 1), whole=True)]
    (line,) = [line for line in lines if words in line][:1] or lines
    assert line.startswith(place), line
    assert words in line


def test_a_guards_tank_army_beside_the_tank_army_of_its_number_is_found_and_beside_another_it_is_not(
    lint: Lint,
) -> None:
    army = "  {name} Tk Army: {{spec: 2-6 {kind} XXXX, nation: Soviet Union, at: {at}}}\n"
    guards = army.format(name="3 Gds", kind="Gds Tk", at="Moscow")

    def found(name: str, at: str) -> list[str]:
        lines = lint(WAR + guards + army.format(name=name, kind="Tk", at=at), whole=True)
        return [str(each) for each in lines if "carries the same number" in str(each)]

    assert "EF.composite/31  3 Gds Tk Army begins on the map beside 3 Tk Army" in found("3", "Moscow")[0]
    assert found("4", "Moscow") == found("3", "unused") == []


def test_rumanians_without_a_home_cannot_be_withdrawn(lint: Lint) -> None:
    text = WAR.replace("Bucharest: {country: Rumania}", "Bucharest: {country: Hungary}")
    lines = [str(each) for each in lint(text, whole=True)]
    assert any("EF.reinforcements/27  I Rum Corps can never be withdrawn" in line for line in lines)
