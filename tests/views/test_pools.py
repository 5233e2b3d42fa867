"""The pools: balances exact and as shown, points on their way, statements and the turns gone by."""

from fractions import Fraction

from forcepool.engine.ledger import Account
from forcepool.engine.naming import remember
from forcepool.views.names import in_words, pool_in_words
from forcepool.views.pools import pools, series, statement
from forcepool.views.unit import unit_history
from tests.support.any_game import sit_down
from tests.support.table import Table

CENTRE = Account("front/centre", "Germany", "inf")


def test_a_pool_holds_exactly_what_it_holds_and_shows_it_as_players_write(autumn: Table) -> None:
    lines = {line.pool: line for line in pools(autumn.campaign).pools}
    national = lines["national/Germany"]
    assert [(each.kind, each.points, each.shown) for each in national.amounts] == [
        ("inf", Fraction(25, 4), "6¼"),
        ("arm", Fraction(2), "2"),
    ]
    assert national.of("inf") == "6¼"
    assert national.of("art") == ""
    assert lines["front/west"].of("inf") == "7⅓"


def test_the_nation_comes_first_then_theatre_front_and_md(autumn: Table) -> None:
    autumn.do("correct-points", pool="theatre/east", nation="Germany", kind="inf", amount="1", note="found")
    found = [(line.title, line.depth) for line in pools(autumn.campaign, side="Axis").pools]
    assert found == [("Germany, national", 0), ("theatre East", 0), ("front Centre", 1), ("MD III", 1)]


def test_pools_are_narrowed_to_a_side_a_nation_or_a_pool(autumn: Table) -> None:
    campaign = autumn.campaign
    assert [line.pool for line in pools(campaign, side="Soviet").pools] == ["front/west"]
    assert [line.pool for line in pools(campaign, nation="Soviet Union").pools] == ["front/west"]
    assert [line.pool for line in pools(campaign, pool="md/iii").pools] == ["md/iii"]


def test_an_emptied_pool_is_listed_only_on_request(autumn: Table) -> None:
    autumn.do("correct-points", pool="md/iii", nation="Germany", kind="inf", amount="-3 1/2", note="lost")
    assert "md/iii" not in [line.pool for line in pools(autumn.campaign).pools]
    kept = {line.pool: line for line in pools(autumn.campaign, empty=True).pools}
    assert kept["md/iii"].of("inf") == "0"
    autumn.campaign.state.balances[Account("received/national/Germany", "Germany", "inf")] = Fraction(0)
    assert "received/national/Germany" not in [line.pool for line in pools(autumn.campaign, empty=True).pools]


def test_points_on_their_way_stand_apart_with_the_turn_they_come(autumn: Table) -> None:
    turn = autumn.campaign.world.calendar.parse("Nov 1 41").turn
    autumn.campaign.state.balances[Account(f"due/{turn}/front/centre", "Germany", "inf")] = Fraction(2)
    found = pools(autumn.campaign)
    [coming] = found.coming
    assert (coming.pool, coming.usable, coming.of("inf")) == ("front/centre", "Nov 1 41", "2")
    assert {line.pool: line for line in found.pools}["front/centre"].of("inf") == "10"


def test_limited_allowances_and_losses_are_no_pools(autumn: Table) -> None:
    found = pools(autumn.campaign)
    assert "limited" not in [line.level for line in found.pools]
    assert "limited" in [line.level for line in found.allowances]
    autumn.do("lose", unit="6 Pz XX")
    assert [line.level for line in pools(autumn.campaign).counts] == ["losses"]


def test_a_statement_adds_up_from_the_opening_to_the_balance(autumn: Table) -> None:
    autumn.do("rebuild-cadre", unit="2 Inf XX", pay_from="front/centre")
    autumn.do("rebuild-cadre", unit="10 Inf XX", pay_from="front/centre")
    found = statement(autumn.campaign, CENTRE)
    assert found.opening == 10
    assert [(int(line.amount), int(line.balance)) for line in found.lines] == [(-4, 6), (-4, 2)]
    assert found.balance == found.opening + sum(line.amount for line in found.lines)
    assert found.lines[0].clauses == {"52.A.9.d/2": "Cadre to full price"}
    assert found.lines[0].entry == 2


SUMMER = """
turn: Jul 43
player: Soviet
phase: combat
capacity: {Axis: 5, Soviet: 8}
replacements: {Germany: {Aug 43: {infantry: 1}}}
points: {Warsaw: {control: Axis}}
units:
  IV Corps: {spec: 1-4 Inf XXX, at: Warsaw, nation: German, dispersed: yes}
"""


def test_what_comes_as_a_turn_begins_is_dated_to_it_and_what_lapses_to_the_turn_that_ends() -> None:
    seat = sit_down("eastern_front", SUMMER)
    seat.do("advance")
    [received] = statement(seat.campaign, Account("replacements", "Germany", "infantry")).lines
    assert (received.when, received.amount) == ("Aug 43, Axis replacement/reinforcement phase", Fraction(1))
    lapsed = statement(seat.campaign, Account("strategic/Soviet", "Soviet Union", "moves")).lines[-1]
    assert (lapsed.when, lapsed.amount) == ("Jul 43, Soviet combat phase", Fraction(-8))
    [recovers] = unit_history(seat.campaign, seat.campaign.state.units["IV Corps"]).lines
    assert recovers.when == "Aug 43, Axis replacement/reinforcement phase"


def test_what_was_undone_is_not_on_the_statement(autumn: Table) -> None:
    autumn.do("rebuild-cadre", unit="2 Inf XX", pay_from="front/centre")
    autumn.campaign.undo()
    found = statement(autumn.campaign, CENTRE)
    assert found.lines == ()
    assert found.balance == 10


def test_the_series_has_a_reading_for_every_turn_begun(autumn: Table) -> None:
    autumn.do("rebuild-cadre", unit="2 Inf XX", pay_from="front/centre")
    [first] = series(autumn.campaign, [CENTRE])
    assert [(each.name, str(each.balance)) for each in first.readings] == [("Oct 3 41", "6")]
    while autumn.campaign.world.turn_name(autumn.campaign.state.clock.turn) != "Nov 1 41":
        autumn.do("advance")
    held = autumn.holds("front/centre", "inf")
    [whole] = series(autumn.campaign, [CENTRE])
    assert [each.name for each in whole.readings] == ["Oct 3 41", "Oct 4 41", "Nov 1 41"]
    assert whole.readings[0].balance == 6
    assert whole.readings[-1].balance == held


def test_every_series_ends_in_the_present_balance(autumn: Table) -> None:
    autumn.do("lose", unit="6 Pz XX")
    autumn.do("advance")
    for each in series(autumn.campaign):
        assert each.readings[-1].balance == autumn.campaign.state.balances[each.account]


def test_pools_are_called_as_players_call_them() -> None:
    names = {
        "front/centre": "front Centre",
        "national/Soviet Union": "Soviet Union, national",
        "md/wehrkreis-vi": "MD Wehrkreis VI",
        "md/moscow": "MD Moscow",
        "limited": "limited",
        "general/armour": "general armour pool",
        "reserve/operational": "operational reserve",
        "received/national/Germany": "Germany, national, to allot",
        "losses/supply-isolated/front/centre": "losses while supply isolated of front Centre",
        "strategic/Axis": "strategic movement",
    }
    assert {pool: pool_in_words(pool) for pool in names} == names


def test_a_sentence_calls_its_pools_as_players_call_them() -> None:
    said = {
        "theatre/east: 9 ARPs lapse": "theatre East: 9 ARPs lapse",
        "3x 2-8 Cav XX 50 in MD North-Caucasus (reinforce)": "3x 2-8 Cav XX 50 in MD North Caucasus (reinforce)",
        "for national/Soviet Union as it ends": "for Soviet Union's national pool as it ends",
        "to national/Germany Aug 1 41": "to Germany's national pool Aug 1 41",
        "ELIMINATED BOX of national/Soviet Union [52.F.2/6]": "ELIMINATED BOX of Soviet Union [52.F.2/6]",
        "at full: REINFORCEMENT TRACK of national/Hungary, due": "at full: REINFORCEMENT TRACK of Hungary, due",
        "losses → losses/front/centre (full 6)": "losses → losses of front Centre (full 6)",
        "turn track of md/general-government, due": "turn track of MD General Government, due",
        "ELIMINATED BOX of local/bardia": "ELIMINATED BOX of local Bardia",
        "losses/local/bardia and city/kiev": "losses of local Bardia and city Kiev",
    }
    assert {text: in_words(text) for text in said} == said


def test_a_name_of_several_words_is_told_whole() -> None:
    remember(["theatre/middle east", "front/western desert", "front/centre"])
    said = {
        "chart → received/theatre/middle east (Australia)": "chart → theatre Middle East, to allot (Australia)",
        "losses/front/western desert → counted": "losses of front Western Desert → counted",
        "theatre/middle east receives 2 inf": "theatre Middle East receives 2 inf",
        "theatre/middle earth": "theatre Middle earth",
        "front/centre rests": "front Centre rests",
    }
    assert {text: in_words(text) for text in said} == said


def test_one_or_less_is_not_told_in_the_plural() -> None:
    said = {
        "1 REs in reserve": "1 RE in reserve",
        "Italy has 1 operational reserve points": "Italy has 1 operational reserve point",
        "½ of 1 ARPs of Hungary": "½ of 1 ARP of Hungary",
        "½ air-droppable REs will lapse": "½ air-droppable RE will lapse",
        "1/10 volunteers saved": "1/10 volunteer saved",
        "the reserve is 1 REs and 1 divisional HQs short": "the reserve is 1 RE and 1 divisional HQ short",
        "costs 1 points, Germany has 0": "costs 1 point, Germany has 0",
        "1 volunteers saved": "1 volunteer saved",
    }
    assert {text: in_words(text) for text in said} == said
    for several in ("2 REs", "21 REs", "1½ REs", "1 of 2 ARPs", "1 1/10 REs"):
        assert in_words(several) == several


def test_what_is_typed_stays_as_it_is_typed() -> None:
    typed = 'rebuild-cadre unit="6 Pz XX" pay_from=front/centre'
    assert in_words(typed) == typed
    assert in_words("half a point is 1/2, see 52.A/3") == "half a point is 1/2, see 52.A/3"
