"""A plan of the second game: dead units come back at the point one would choose, whatever the reserves are owed."""

from forcepool.engine.campaign import Done
from forcepool.engine.command import command_name
from forcepool.engine.standing import CLAIM
from forcepool.games.eastern_front.production import Produce
from forcepool.games.eastern_front.replacements import ReplaceOnMap
from forcepool.planner.plan import plan
from tests.support.any_game import sit_down

WINTER = """
turn: Dec 41
player: Soviet
phase: replacement/reinforcement
points:
  Vyazma: {country: Soviet Union, control: Axis}
  Moscow: {country: Soviet Union}
  Gorki: {country: Soviet Union}
  Kazan: {country: Soviet Union}
lines:
  Vyazma-Moscow: {ends: [Vyazma, Moscow]}
  Moscow-Gorki: {ends: [Moscow, Gorki]}
  Gorki-Kazan: {ends: [Gorki, Kazan]}
  Kazan line: {ends: [Kazan, east edge]}
reserves: {Jan 42: {infantry: 1}}
replacements: {Soviet Union: {Dec 41: {infantry: 1}, Feb 42: {infantry: 1}}}
units:
  5 Army: {spec: 1-4 Inf XXXX, nation: Soviet Union, at: dead}
  9 Army: {spec: 1-4 Inf XXXX, nation: Soviet Union, at: dead}
  10 Army: {spec: 1-4 Inf XXXX, nation: Soviet Union, at: dead}
"""


def test_what_the_reserves_are_owed_is_nobodys_to_spend_and_hinders_no_plan() -> None:
    campaign = sit_down("eastern_front", WINTER).campaign
    assert campaign.world.standing("reserves").what == CLAIM
    found = plan(campaign.world, campaign.state, "Soviet", 3)
    orders = [each.deal.command for each in found.orders]
    # One army in December, one in February; the third is drawn for the reserves in January by itself.
    assert len(orders) == 2
    assert all(isinstance(each, ReplaceOnMap) and each.at == "Gorki" for each in orders)


SYMBOLS = """
turn: Dec 41
player: Soviet
phase: replacement/reinforcement
capacity: {Soviet: 2}
points: {Kazan: {country: Soviet Union}}
lines: {Kazan line: {ends: [Kazan, east edge]}}
track: {Dec 41: {infantry: 3}, Feb 42: {infantry: 1}}
units:
  1 Army: {spec: 1-4 Inf XXXX, nation: Soviet Union, at: dead}
  2 Army: {spec: 1-4 Inf XXXX, nation: Soviet Union, at: dead}
  3 Army: {spec: 1-4 Inf XXXX, nation: Soviet Union, at: dead}
  4 Army: {spec: 1-4 Inf XXXX, nation: Soviet Union, at: dead}
  5 Army: {spec: 1-4 Inf XXXX, nation: Soviet Union, at: dead}
"""


def test_a_plan_takes_the_siberian_symbols_and_brings_the_units_in_within_the_railways() -> None:
    campaign = sit_down("eastern_front", SYMBOLS).campaign
    found = plan(campaign.world, campaign.state, "Soviet", 2)
    by_turn: dict[tuple[str, str], int] = {}
    for each in found.orders:
        key = (campaign.world.turn_name(each.at.turn), command_name(each.deal.command))
        by_turn[key] = by_turn.get(key, 0) + 1
    taken = {turn: number for (turn, order), number in by_turn.items() if order == "take-siberian"}
    entered = {turn: number for (turn, order), number in by_turn.items() if order == "enter-from-siberia"}
    # Three symbols in December, none in January, one in February; two moves a month.
    assert taken == {"Dec 41": 3, "Feb 42": 1}
    assert sum(entered.values()) == 4
    assert entered["Dec 41"] <= 2
    assert found.value == found.quiet + 4


WORKS = """
turn: Jan 42
player: Soviet
phase: replacement/reinforcement
points: {Moscow: {country: Soviet Union}}
factories:
  Tank Moscow: {kind: tank, at: Moscow, months: odd}
  Artillery Moscow: {kind: artillery, at: Moscow, months: even}
units:
  1 Tk Corps: {spec: 1-6 Tk XXX, nation: Soviet Union, at: dead}
  16 Army: {spec: 1-4 Inf XXXX, nation: Soviet Union, at: Moscow}
"""


def test_factories_are_no_strength_on_the_map() -> None:
    campaign = sit_down("eastern_front", WORKS).campaign
    found = plan(campaign.world, campaign.state, "Soviet", 2)
    # The army alone; then the corps besides, for what the factory turns out this month.
    assert found.quiet == 1
    assert found.value == 2


def test_what_a_factory_turns_out_is_taken_first_where_it_is_spent_in_the_same_month() -> None:
    campaign = sit_down("eastern_front", WORKS).campaign
    found = plan(campaign.world, campaign.state, "Soviet", 0)
    tank, corps = (each.deal.command for each in found.orders)
    assert tank == Produce(unit="Tank Moscow")
    assert isinstance(corps, ReplaceOnMap)
    assert found.value == 2
    assert {campaign.world.turn_name(each.at.turn) for each in found.orders} == {"Jan 42"}
    for order in (tank, corps):
        assert isinstance(campaign.do(order), Done)
    assert campaign.state.units["1 Tk Corps"].place.of == "Moscow"


def test_what_is_saved_already_leaves_the_factory_free_to_be_entrained() -> None:
    saved = WORKS + "pools: {replacements: {Soviet Union: {tank: 1}}}\n"
    campaign = sit_down("eastern_front", saved).campaign
    (order,) = plan(campaign.world, campaign.state, "Soviet", 0).orders
    assert isinstance(order.deal.command, ReplaceOnMap)
    # Of two dead corps the second waits for what is turned out this month.
    second = "  2 Tk Corps: {spec: 1-6 Tk XXX, nation: Soviet Union, at: dead}\npools:"
    campaign = sit_down("eastern_front", saved.replace("pools:", second)).campaign
    orders = [command_name(each.deal.command) for each in plan(campaign.world, campaign.state, "Soviet", 0).orders]
    assert orders == ["produce", "replace", "replace"]
