"""What composite units and factories are worth on the map: shown on the unit while it holds."""

import pytest

from forcepool.engine.options import choice
from tests.support.any_game import Seat, sit_down

ARMIES = """
points: {Moscow: {country: Soviet}, Rzhev: {country: Soviet, supply: none}}
units:
  1 Shock: {spec: 2-4 Shock XXXX, at: Moscow}
  2 Shock: {spec: 2-4 Shock XXXX, at: Rzhev}
  Pliev Group: {spec: 1-6 Cav-Mech XXXX, at: Moscow}
  1 Tk Army: {spec: 2-6 Tk XXXX, at: Moscow}
  2 Tk Army: {spec: 2-6 Tk XXXX, at: Rzhev}
  1 Gds Army: {spec: 2-4 Gds Inf XXXX, at: Moscow}
  2 Gds Army: {spec: 2-4 Gds Inf XXXX, at: Rzhev}
  1 Gds Tk Army: {spec: 2-6 Gds Tk XXXX, at: Moscow}
  2 Gds Tk Army: {spec: 2-6 Gds Tk XXXX, at: Rzhev}
  1 Para: {spec: 1-4 Para XXX, at: Moscow}
  3 Army: {spec: 1-4 Inf XXXX, at: Moscow}
  9 Shock: {spec: 2-4 Shock XXXX, at: unused}
factories:
  Tank 1: {kind: tank, at: Moscow}
  Tank 2: {kind: tank, at: Moscow, entrained: May 41}
  Tank 3: {kind: tank, at: siberia}
"""


@pytest.fixture
def seat() -> Seat:
    return sit_down("eastern_front", ARMIES)


@pytest.mark.clause("EF.composite/10", "EF.composite/18", "EF.composite/22", "EF.composite/26", "EF.composite/32")
@pytest.mark.clause("EF.composite/35")
def test_the_class_of_each_of_the_six_kinds(seat: Seat) -> None:
    assert seat.shown("1 Shock")["EF.composite/10"] == "minor unit, infantry type"
    assert seat.shown("Pliev Group")["EF.composite/18"] == "major unit"
    assert seat.shown("1 Tk Army")["EF.composite/22"] == "minor unit"
    assert seat.shown("1 Gds Army")["EF.composite/26"] == "major unit"
    assert seat.shown("1 Gds Tk Army")["EF.composite/32"] == "major unit"
    assert seat.shown("1 Para")["EF.composite/35"] == "minor unit"


@pytest.mark.clause("EF.composite/11", "EF.composite/12", "EF.composite/13")
def test_a_shock_army_out_of_supply_has_half_its_firepower_and_dies_of_one_hit(seat: Seat) -> None:
    supplied, cut_off = seat.shown("1 Shock"), seat.shown("2 Shock")
    assert supplied["EF.composite/11"] == "firepower 2"
    assert supplied["EF.composite/13"] == "eliminated by 2 hits while unfortified"
    assert cut_off["EF.composite/12"] == "firepower 1"
    assert cut_off["EF.composite/13"] == "eliminated by 1 hit while unfortified"
    seat.do("declare", fact="supply", about="Rzhev", value="overland")
    assert seat.shown("2 Shock")["EF.composite/11"] == "firepower 2"


@pytest.mark.clause("EF.composite/13")
def test_hits_to_eliminate_are_as_the_group_rules(seat: Seat) -> None:
    assert "eliminated by 2 hits" in seat.shown("1 Gds Army")["EF.composite/13"]
    seat.do("house-rule", rule="hits-to-eliminate", option="major-one-more")
    assert "eliminated by 3 hits" in seat.shown("1 Gds Army")["EF.composite/13"]
    assert "eliminated by 2 hits" in seat.shown("1 Tk Army")["EF.composite/13"]
    seat.do("house-rule", rule="hits-to-eliminate", option="shock-only")
    assert "EF.composite/13" not in seat.shown("1 Gds Army")
    assert "eliminated by 2 hits" in seat.shown("1 Shock")["EF.composite/13"]


@pytest.mark.clause("EF.composite/13")
def test_a_fortified_shock_army_is_left_to_the_fortification_rule(seat: Seat) -> None:
    assert "EF.composite/13" in seat.shown("1 Shock")
    seat.do("declare", fact="fortified", unit="1 Shock", value="yes")
    assert "EF.composite/13" not in seat.shown("1 Shock")


@pytest.mark.clause("EF.composite/15")
def test_a_cavalry_mechanized_group_has_a_firepower_of_one_or_two_by_ruling(seat: Seat) -> None:
    assert seat.shown("Pliev Group")["EF.composite/15"] == "attack and defence firepower 1"
    seat.do("house-rule", rule="cavalry-mechanized-firepower", option="two")
    assert seat.shown("Pliev Group")["EF.composite/15"] == "attack and defence firepower 2"


@pytest.mark.clause("EF.composite/16", "EF.composite/17")
def test_a_cavalry_mechanized_group_moves_as_armour(seat: Seat) -> None:
    assert seat.shown("Pliev Group")["EF.composite/16"] == "moves as an armoured unit"
    assert "not in this rulebook" in seat.shown("Pliev Group")["EF.composite/17"]
    seat.do("house-rule", rule="cavalry-mechanized-movement", option="as-cavalry")
    assert seat.shown("Pliev Group")["EF.composite/17"] == "moves as cavalry through terrain closed to armour"


@pytest.mark.clause("EF.composite/23", "EF.composite/28", "EF.composite/33")
@pytest.mark.parametrize(
    ("kind", "clause"),
    [("Tk Army", "EF.composite/23"), ("Gds Army", "EF.composite/28"), ("Gds Tk Army", "EF.composite/33")],
)
def test_tank_and_guards_armies_keep_their_firepower_out_of_supply(seat: Seat, kind: str, clause: str) -> None:
    assert seat.shown(f"1 {kind}")[clause] == seat.shown(f"2 {kind}")[clause] == "firepower 2"
    for other in ("1 Tk Army", "1 Gds Army", "1 Gds Tk Army"):
        seat.shown(other)


@pytest.mark.clause("EF.composite/36", "EF.composite/38", "EF.composite/39")
def test_a_parachute_corps_fights_as_infantry_and_drops_by_a_section_we_lack(seat: Seat) -> None:
    shown = seat.shown("1 Para")
    assert shown["EF.composite/36"] == "combat value 1"
    assert "infantry in every respect" in shown["EF.composite/38"]
    assert "Section 21.0" in shown["EF.composite/39"]


def test_nothing_is_shown_on_ordinary_armies_or_on_counters_not_in_play(seat: Seat) -> None:
    assert seat.shown("3 Army") == {}
    assert seat.shown("9 Shock") == {}


@pytest.mark.clause("EF.moving/3", "EF.moving/4")
def test_a_working_factory_defends_at_one_as_a_minor_unit_and_an_entrained_one_not_at_all(seat: Seat) -> None:
    assert seat.shown("Tank 1")["EF.moving/3"] == "defends with a value of 1"
    assert "minor unit" in seat.shown("Tank 1")["EF.moving/4"]
    assert seat.shown("Tank 2") == {"EF.moving/3": "entrained: no defence value"}
    assert seat.shown("Tank 3") == {}
    seat.do("house-rule", rule="factory-defence", option="one-a-point")
    assert "however many" in seat.shown("Tank 1")["EF.moving/3"]


@pytest.mark.clause("EF.moving/17")
def test_the_torpedo_is_a_one_on_a_six_sided_die() -> None:
    seat = sit_down(
        "eastern_front",
        """
turn: Aug 41
points: {Odessa: {country: Soviet}, Batumi: {country: Soviet}}
capacity: {Soviet: 1}
lines: {Black Sea: {ends: [Odessa, Batumi], kind: sea}}
factories: {Tank Odessa: {kind: tank, at: Odessa, entrained: Jun 41}}
""",
    )
    campaign = seat.campaign
    order = seat.order("move-factory", unit="Tank Odessa", to="Batumi", by="sea")
    assert choice(campaign.world, campaign.state, order).die == "EF.moving/17 asks for a d6: torpedoed on 1 or less"
