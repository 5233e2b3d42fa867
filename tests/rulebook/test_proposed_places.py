"""Where an arrival is proposed: the most useful place first, spread over several, never by the alphabet alone."""

from forcepool.engine.agenda import DUE, agenda
from forcepool.engine.options import options
from tests.support.any_game import Seat, sit_down

GIVEN = """
turn: Jul 1 41
phase: initial
players: [Axis, Soviet]
fronts: {centre: {theatre: east}}
mds:
  berlin: {theatre: east, activity: inactive}
  posen: {theatre: east, activity: semi-active}
places:
  Aken: {md: berlin, city: yes, owner: Axis}
  Lodz: {md: posen, city: yes, owner: Axis}
  Minsk: {front: centre, city: yes, owner: Soviet}
  Warsaw: {front: centre, city: yes, owner: Axis}
units:
  1 Inf XX: {spec: 7-6 Inf XX, at: Warsaw, nation: German}
  2 Rif XX: {spec: 4-6 Rif XX, at: Minsk, nation: Soviet}
ob: |
  Jul 1 41
  German
  Reinforce 1x 7-6 Inf XX 24 in theatre east
"""
CROWD = "".join(f"  {number} Inf XX: {{spec: 7-6 Inf XX, at: Warsaw, nation: German}}\n" for number in range(2, 7))


def begun(given: str = GIVEN) -> Seat:
    seat = sit_down("europa", given)
    seat.do("advance")
    return seat


def offered(seat: Seat) -> list[str]:
    campaign = seat.campaign
    unit = campaign.state.units["24 Inf XX"]
    return [
        getattr(each.command, "at", "")
        for each in options(campaign.world, campaign.state, unit, names={"reinforce"})
        if each.open
    ]


def proposed(seat: Seat) -> list[str]:
    items = agenda(seat.campaign.world, seat.campaign.state)
    return [getattr(item.command, "at", "") for item in items if item.kind == DUE and "reinforcement" in item.text]


def test_a_city_at_the_front_comes_before_one_far_behind() -> None:
    seat = begun()
    assert offered(seat) == ["Warsaw", "Lodz", "Aken"]
    assert proposed(seat) == ["Warsaw"]


def test_where_a_stack_is_full_the_next_is_proposed() -> None:
    seat = begun(GIVEN.replace("  2 Rif XX", CROWD + "  2 Rif XX"))
    assert offered(seat) == ["Lodz", "Aken", "Warsaw"]
    less = begun(GIVEN.replace("  2 Rif XX", CROWD.rsplit("  6 Inf XX", 1)[0] + "  2 Rif XX"))
    assert proposed(less) == ["Warsaw"]


def test_a_city_that_is_cut_off_comes_last() -> None:
    seat = begun(
        GIVEN.replace("Warsaw: {front: centre, city: yes,", "Warsaw: {front: centre, city: yes, isolated: supply,")
    )
    assert offered(seat)[-1] == "Warsaw"
    assert proposed(seat) == ["Lodz"]


AWAY = """
turn: Mar 1 43
phase: replacement
players: [Axis, Soviet]
theatres: {reich: {country: Germany}, east: {}}
fronts: {south: {theatre: east}}
mds:
  cracow: {theatre: east, country: Germany, activity: inactive}
  kharkov: {front: south, country: Soviet Union}
places:
  Chelm: {md: cracow, town: yes, owner: Axis}
  Kharkov: {md: kharkov, city: yes, owner: Soviet}
units:
  10 Pz XX: {spec: 12-10 Pz XX (5-8), at: track md/kharkov Mar 1 43, as: cadre, nation: German}
"""


def test_a_place_that_several_rules_allow_for_one_reason_is_told_of_once() -> None:
    campaign = sit_down("europa", AWAY).campaign
    unit = campaign.state.units["10 Pz XX"]
    at_home = [each for each in options(campaign.world, campaign.state, unit, names={"place"}) if each.open]
    assert [[each.says for each in choice.allowed] for choice in at_home] == [["Chelm lies in Greater Germany"]]
