"""52.A.9  Cadres and remnants: prices to the last fraction, the words of refusals, options, overruling and undo."""

from fractions import Fraction
from typing import Any

import pytest

from forcepool.engine.command import BadCommand
from forcepool.engine.events import Became, Marked, Moved, Overruled, Transferred
from forcepool.engine.options import Choice
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import Refusal
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground import prices
from forcepool.games.europa.profile import shipped
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.unit_strings import parse_unit
from tests.support.table import Table

NATIONAL = "national/Germany"

GIVEN = """
turn: Oct 3 41
fronts: {centre: {theatre: east}, south: {theatre: east}}
mds:
  berlin: {theatre: reich, country: Germany, activity: inactive}
  paris: {country: France, activity: inactive, controlled_by: Axis}
places: {Minsk: {front: centre}, Orsha: {front: centre, town: yes, owner: Axis}, Kiev: {front: south}}
pools:
  front/centre: {German: {inf: 7/2, arm: 3}}
  front/south: {German: {inf: 6 1/4}}
  national/Germany: {German: {inf: 20, arm: 20}}
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6) (1-6), at: Minsk, as: cadre}
  76 Inf XX: {spec: 7-6 Inf XX (3-6) (1-6), at: Orsha, as: remnant}
  6 Pz XX: {spec: 12-10 Pz XX (5-8), at: Minsk, as: cadre}
  35 Inf XX: {spec: 8-6 Inf XX (3-6) (1-6), at: eliminated front/centre}
  1 Inf III: {spec: 2-6 Inf III, at: eliminated front/centre}
"""


@pytest.fixture
def table() -> Table:
    return Table(GIVEN)


def with_words(*changes: tuple[str, str]) -> Table:
    """The same campaign with some of its words changed."""
    text = GIVEN
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return Table(text)


def points(text: str) -> dict[str, Fraction]:
    """'9/4 arm 3/4 inf' as amounts by kind."""
    words = text.split()
    return {kind: Fraction(amount) for amount, kind in zip(words[::2], words[1::2], strict=True)}


def price_of(
    unit: str, step: str, *, at_home: bool = False, reduced: bool = False, **rulings: str
) -> dict[str, Fraction]:
    """What a step costs a German unit under some house rules."""
    table = Table(GIVEN)
    world = table.campaign.world
    assert isinstance(world, EuropaWorld)
    chosen = {**world.default_rulings, **{key.replace("_", "-"): value for key, value in rulings.items()}}
    bought = getattr(prices, step)(world, spec_of(unit))
    found = prices.price(
        world, spec_of(unit), bought, "52.A.9.d/2", ruling=chosen.__getitem__, at_home=at_home, reduced=reduced
    )
    return dict(found.amounts)


def spec_of(unit: str) -> UnitSpec:
    return parse_unit(unit).spec


def reason(refusal: Refusal, clause: str) -> str:
    (found,) = [str(each) for each in refusal.reasons if each.clause == clause]
    return found


def choices(table: Table, unit: str, name: str, **fields: Any) -> list[Choice]:
    return [
        each
        for each in table.choices(name, unit)
        if all(getattr(each.command, field) == value for field, value in fields.items())
    ]


def command_of(choice: Choice) -> Any:
    return choice.command


# ------------------------------------------------------------------------------------------------ prices


@pytest.mark.clause("52.A.9.a/4", "52.A.9.c/2", "52.A.9.d/2", "52.A.9/2", "52.A.3/4")
@pytest.mark.parametrize(
    ("unit", "to_cadre", "remnant", "to_full"),
    [
        ("7-6 Inf XX (3-6) (1-6)", "3 inf", "2 inf", "4 inf"),
        ("7-6 Inf XX (3-6) (1-2-6)", "3 inf", "3/2 inf", "4 inf"),
        ("5-7-6 Sec XX (2-3-6) (1-6)", "5/2 inf", "3/2 inf", "7/2 inf"),
        ("0-1-5 Inf XX (0-1/3-5) (0-1/6-5)", "1/6 inf", "1/12 inf", "1/3 inf"),
        ("12-10 Pz XX (5-8) (1-8)", "5/2 arm 5/2 inf", "2 arm 2 inf", "7/2 arm 7/2 inf"),
        ("4/3-10 Pz XX (2/3-8) (1/2-8)", "1/3 arm 1/3 inf", "1/12 arm 1/12 inf", "1/3 arm 1/3 inf"),
    ],
)
def test_each_step_costs_the_difference_of_strength_to_the_last_twelfth(
    unit: str, to_cadre: str, remnant: str, to_full: str
) -> None:
    assert price_of(unit, "eliminated_to_cadre") == points(to_cadre)
    assert price_of(unit, "remnant_to_cadre") == points(remnant)
    assert price_of(unit, "cadre_to_full") == points(to_full)


@pytest.mark.clause("52.A.3/1", "52.A.3/4")
@pytest.mark.parametrize(
    ("unit", "cost"), [("2-6 Inf III", "2"), ("3-2-8 Cav X", "5/2"), ("0-1-5 Sec III", "1/2"), ("8-6 Inf XX", "8")]
)
def test_a_unit_without_a_cadre_costs_a_point_for_a_point(unit: str, cost: str) -> None:
    assert price_of(unit, "eliminated_to_full") == {"inf": Fraction(cost)}


INFANTRY, PANZER = "7-6 Inf XX (3-6)", "12-10 Pz XX (5-8)"


@pytest.mark.clause("52.A.2/6", "52.A.9.a/5", "52.A.9.a/4")
@pytest.mark.parametrize(
    ("unit", "both", "rate", "cost"),
    [
        (INFANTRY, "add", "strength", "9/5 inf"),
        (INFANTRY, "add", "inf-only", "9/5 inf"),
        (INFANTRY, "add", "each-type", "9/5 inf"),
        (INFANTRY, "compound", "strength", "189/100 inf"),
        (INFANTRY, "compound", "inf-only", "189/100 inf"),
        (INFANTRY, "compound", "each-type", "189/100 inf"),
        (INFANTRY, "one-only", "strength", "21/10 inf"),
        (INFANTRY, "one-only", "inf-only", "21/10 inf"),
        (INFANTRY, "one-only", "each-type", "21/10 inf"),
        (PANZER, "add", "strength", "9/4 arm 3/4 inf"),
        (PANZER, "add", "inf-only", "9/4 arm 3/2 inf"),
        (PANZER, "add", "each-type", "3/2 arm 3/2 inf"),
        (PANZER, "compound", "strength", "9/4 arm 9/10 inf"),
        (PANZER, "compound", "inf-only", "9/4 arm 63/40 inf"),
        (PANZER, "compound", "each-type", "63/40 arm 63/40 inf"),
        (PANZER, "one-only", "strength", "5/2 arm 1 inf"),
        (PANZER, "one-only", "inf-only", "5/2 arm 7/4 inf"),
        (PANZER, "one-only", "each-type", "7/4 arm 7/4 inf"),
    ],
)
def test_home_and_national_reductions_under_every_house_rule(unit: str, both: str, rate: str, cost: str) -> None:
    rulings = {"home_and_national": both, "reduced_rate": rate}
    assert price_of(unit, "eliminated_to_cadre", at_home=True, reduced=True, **rulings) == points(cost)


@pytest.mark.clause("52.A.2/6")
@pytest.mark.parametrize(
    ("unit", "step", "rate", "cost"),
    [
        (INFANTRY, "eliminated_to_cadre", "strength", "21/10 inf"),
        (INFANTRY, "cadre_to_full", "strength", "14/5 inf"),
        (INFANTRY, "cadre_to_full", "inf-only", "14/5 inf"),
        (INFANTRY, "cadre_to_full", "each-type", "14/5 inf"),
        (PANZER, "eliminated_to_cadre", "strength", "5/2 arm 1 inf"),
        (PANZER, "cadre_to_full", "strength", "7/2 arm 7/5 inf"),
        (PANZER, "cadre_to_full", "inf-only", "7/2 arm 49/20 inf"),
        (PANZER, "cadre_to_full", "each-type", "49/20 arm 49/20 inf"),
    ],
)
def test_the_reduced_rate_alone_under_every_house_rule(unit: str, step: str, rate: str, cost: str) -> None:
    assert price_of(unit, step, reduced=True, reduced_rate=rate) == points(cost)


@pytest.mark.clause("52.A.9.a/5")
def test_home_country_takes_a_tenth_off_each_kind() -> None:
    assert price_of(INFANTRY, "eliminated_to_cadre", at_home=True) == points("27/10 inf")
    assert price_of(PANZER, "eliminated_to_cadre", at_home=True) == points("9/4 arm 9/4 inf")
    assert price_of("1-6 Inf XX (1/3-6)", "eliminated_to_cadre", at_home=True) == points("3/10 inf")


@pytest.mark.clause("52.A.9.a/5", "52.A.9.a/6", "52.A.2/6")
def test_the_ledger_shows_the_working_and_every_clause_behind_a_price(table: Table) -> None:
    done = table.do("replace", unit="35 Inf XX", pay_from=NATIONAL, track="md/berlin", reduced=True)
    (spent,) = [event for event in done.entry.events if isinstance(event, Transferred)]
    assert spent.amount == Fraction(9, 5)
    assert spent.because == "52.A.9.a/4 52.A.9.a/5 52.A.2/6 52.A.9.a/6"
    assert spent.says == "35 Inf XX: cadre 3, 10 % less at home, 30 % less at the reduced rate"
    assert (spent.frm, spent.to, spent.nation, spent.kind) == (NATIONAL, "sink/spent", "Germany", "inf")


# -------------------------------------------------------------------------------- the words of a refusal


@pytest.mark.clause("52.A.9.d/2")
def test_a_short_pool_is_told_with_both_numbers_the_gap_and_how_to_fill_it(table: Table) -> None:
    refusal = table.refused("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre")
    assert refusal.clauses == ("52.A.9.d/2",)
    assert str(refusal.reasons[0]) == (
        "costs 4 inf (full 7 − cadre 3), front/centre has 3½: ½ short. "
        "Move ½ inf from national/Germany over theatre/east (2 steps) and spend them on Oct 4 41"
    )
    assert (refusal.reasons[0].have, refusal.reasons[0].need) == (Fraction(7, 2), Fraction(4))
    assert not refusal.final


@pytest.mark.clause("52.A.9.d/2")
def test_a_panzer_division_short_of_one_kind_is_told_which(table: Table) -> None:
    refusal = table.refused("rebuild-cadre", unit="6 Pz XX", pay_from="front/centre")
    assert "costs 3½ arm (full 12 − cadre 5), front/centre has 3: ½ short" in reason(refusal, "52.A.9.d/2")


@pytest.mark.clause("52.A.9.d/2")
def test_a_pool_that_lacks_just_as_much_as_is_missing_is_not_named() -> None:
    for held, named in (("1/2", True), ("49/100", False)):
        table = with_words(("6 1/4", held), ("inf: 20", "inf: 0"))
        told = reason(table.refused("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre"), "52.A.9.d/2")
        assert ("Move ½ inf from front/south" in told) is named
        assert told.endswith("½ short") is not named


@pytest.mark.clause("52.A.9.d/3")
def test_a_cadre_under_larger_zones_is_told_how_many_and_what_would_help() -> None:
    table = with_words(("Minsk: {front: centre}", "Minsk: {front: centre, enemy_zoc: [division, brigade, corps]}"))
    told = reason(table.refused("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre"), "52.A.9.d/3")
    assert told == (
        "24 Inf XX stands in the larger ZOC of 2 enemy stacks (corps, division), none screened. "
        "Stack it with a German corps or army HQ or training division, or with 2 friendly divisions to screen it"
    )


@pytest.mark.clause("52.A.9.d/6", "52.A.9.d/7")
def test_a_cadre_cut_off_is_told_which_pool_would_serve() -> None:
    table = with_words(("at: Minsk, as: cadre}\n  76", "at: Minsk, as: cadre, isolated: supply, pocket: Minsk}\n  76"))
    refusal = table.refused("rebuild-cadre", unit="24 Inf XX", pay_from=NATIONAL)
    assert reason(refusal, "52.A.9.d/6").startswith("24 Inf XX is supply isolated and traces no regular line")
    assert reason(refusal, "52.A.9.d/7") == (
        "24 Inf XX is supply isolated and national/Germany cannot reach it. Pay from local/minsk"
    )
    table.do("declare", unit="24 Inf XX", fact="pocket", value="")
    refusal = table.refused("rebuild-cadre", unit="24 Inf XX", pay_from=NATIONAL)
    assert reason(refusal, "52.A.9.d/7").endswith(
        'declare unit="24 Inf XX" fact=pocket value=Minsk for both, then form-auxiliary-pool pocket=Minsk'
    )


@pytest.mark.clause("52/3")
def test_out_of_phase_the_moment_and_the_phase_to_wait_for_are_told(table: Table) -> None:
    table.do("advance")
    told = reason(table.refused("rebuild-cadre", unit="24 Inf XX", pay_from=NATIONAL), "52/3")
    assert told == "it is Oct 3 41, Axis exploitation phase. Wait for the Axis replacement phase"


@pytest.mark.clause("52.A.9.a/2", "52.A/1", "52.A.2/1", "52.A.2/5", "52.A.2/7", "52.A.11/26", "52.C/4")
@pytest.mark.parametrize(
    ("fields", "clause", "says"),
    [
        ({"pay_from": "md/berlin"}, "52.A.9.a/2", "md/berlin is of another theatre"),
        (
            {"pay_from": "front/centre", "track": "md/berlin"},
            "52.A.9.a/2",
            "the track of md/berlin is in another theatre",
        ),
        ({"pay_from": "front/centre", "track": "front/south"}, "52.A/1", "Use the track of front/centre"),
        ({"pay_from": NATIONAL}, "52.A.2/1", "the national pool has no track of its own"),
        ({"pay_from": NATIONAL, "track": "front/south"}, "52.A.2/1", "front/south is active"),
        (
            {"pay_from": "front/centre", "reduced": True},
            "52.A.2/5",
            "Pay from national/Germany, or pay at the normal rate",
        ),
        ({"pay_from": NATIONAL, "reduced": True}, "52.A.2/7", "such as track=md/berlin"),
        ({"pay_from": NATIONAL, "reduced": True, "track": "front/south"}, "52.A.11/26", "front/south is active"),
        ({"pay_from": "national/Rumania", "track": "md/berlin"}, "52.C/4", "Pay from national/Germany"),
    ],
)
def test_a_purchase_that_goes_wrong_says_what_would_be_right(fields: dict[str, Any], clause: str, says: str) -> None:
    table = Table(GIVEN)
    assert says in reason(table.refused("replace", unit="35 Inf XX", **fields), clause)
    table.do("replace", unit="35 Inf XX", pay_from=NATIONAL, track="md/berlin", reduced=True)


@pytest.mark.clause("52.A.9.a/3", "52.A.9.b/1", "52.A.3/2")
def test_what_cannot_exist_is_refused_for_good(table: Table) -> None:
    refusal = table.refused("replace", unit="35 Inf XX", pay_from="front/centre", to="remnant", override="please")
    assert refusal.final
    assert refusal.clauses == ("52.A.9.a/3",)
    assert reason(refusal, "52.A.9.a/3").endswith("Buy it back as a cadre for 3")
    # Whether it comes back whole is a rule, and rules are overruled.
    assert not table.refused("replace", unit="35 Inf XX", pay_from="front/centre", to="full").final
    table.do("put-unit", unit="35 Inf XX", step="cadre")
    refusal = table.refused("replace", unit="35 Inf XX", pay_from="front/centre", to="remnant")
    assert refusal.clauses == ("52.A.9.a/3", "52.A.9.b/1")
    with pytest.raises(BadCommand, match="to= is full, cadre or remnant, not 'half'"):
        table.give("replace", unit="35 Inf XX", pay_from="front/centre", to="half")


@pytest.mark.clause("52.A.3/1")
def test_a_unit_without_a_cadre_that_cannot_be_paid_cites_the_rule_for_whole_units() -> None:
    table = with_words(("inf: 7/2", "inf: 199/100"))
    refusal = table.refused("replace", unit="1 Inf III", pay_from="front/centre")
    assert refusal.clauses == ("52.A.3/1",)
    assert "costs 2 inf (strength 2), front/centre has 1 99/100: 1/100 short" in str(refusal.reasons[0])


# ----------------------------------------------------------------------------------- what a rebuild does


@pytest.mark.clause("52.A.9.d/1", "52.A.9.d/2", "52.A.9.d/10")
def test_a_rebuild_is_paid_recorded_and_doubles_the_marker(table: Table) -> None:
    table.do("declare", unit="24 Inf XX", fact="mp", value=3)
    done = table.do("rebuild-cadre", unit="24 Inf XX", pay_from=NATIONAL)
    paid, became, rebuilt, marked = done.entry.events
    assert isinstance(paid, Transferred)
    assert (paid.amount, paid.because) == (Fraction(4), "52.A.9.d/2")
    assert isinstance(became, Became)
    assert (became.was, became.step, became.because) == ("cadre", "full", "52.A.9.d/1")
    assert isinstance(rebuilt, Marked)
    assert (rebuilt.mark, rebuilt.value) == ("rebuilt", "full")
    assert isinstance(marked, Marked)
    assert (marked.mark, marked.value, marked.because) == ("mp", 6, "52.A.9.d/10")
    assert marked.says == "+3 MP becomes +6 MP"


@pytest.mark.clause("52.A.9.c/1", "52.A.9.c/2", "52.A.9.c/11")
def test_a_remnant_rebuild_cites_its_own_clauses(table: Table) -> None:
    table.do("declare", unit="76 Inf XX", fact="mp", value=1)
    done = table.do("rebuild-remnant", unit="76 Inf XX", pay_from="front/centre")
    assert [event.because for event in done.entry.events] == ["52.A.9.c/2", "52.A.9.c/1", "", "52.A.9.c/11"]
    assert table.unit("76 Inf XX").step == "cadre"


@pytest.mark.clause("52.A.2/9", "52.A.2/10", "52.A.10.a/3")
def test_at_the_reduced_rate_the_unit_leaves_the_map_for_the_forming_track(table: Table) -> None:
    done = table.do("rebuild-cadre", unit="24 Inf XX", pay_from=NATIONAL, track="md/paris", reduced=True)
    moved = done.entry.events[-1]
    assert isinstance(moved, Moved)
    assert moved.because == "52.A.2/9 52.A.2/10 52.A.10.a/3"
    world = table.campaign.world
    assert world.show_place(table.unit("24 Inf XX").place) == "PARTISAN/FORMING TRACK of md/paris, due Nov 3 41"


@pytest.mark.clause("52.A/1", "52.A/2", "52.A.9.a/1")
def test_what_is_bought_back_waits_on_the_payers_track(table: Table) -> None:
    done = table.do("replace", unit="35 Inf XX", pay_from="front/centre")
    assert [event.because for event in done.entry.events] == ["52.A.9.a/4", "52.A.9.a/1", "52.A/1 52.A/2"]
    assert table.campaign.world.show_place(table.unit("35 Inf XX").place) == "turn track of front/centre, due Nov 3 41"


@pytest.mark.clause("52.A.9.d/4", "52.A.9.d/7", "52.A.9.d/9")
def test_the_exceptions_that_let_a_rebuild_pass_stand_in_the_journal() -> None:
    table = with_words(
        ("Minsk: {front: centre}", "Minsk: {front: centre, enemy_zoc: [division]}"),
        (
            "at: Minsk, as: cadre}\n  76",
            "at: Minsk, as: cadre, supply: limited, placed_in_reserve: yes}\n"
            "  4 Army HQ: {spec: 0-1-8 HQ XXXX, at: Minsk, supply: limited}\n  76",
        ),
    )
    done = table.do("rebuild-cadre", unit="24 Inf XX", pay_from=NATIONAL)
    assert done.entry.allowed == ["52.A.9.d/4", "52.A.9.d/7", "52.A.9.d/9"]
    assert [each.says for each in done.decision.allowed] == [
        "stacked with 4 Army HQ",
        "stacked with 4 Army HQ, in limited supply",
        "placed in reserve",
    ]


@pytest.mark.clause("52.A.9.d/3")
@pytest.mark.parametrize(
    ("other", "helps"),
    [
        ("0-1-8 HQ XXX", True),
        ("0-1-8 HQ XXXX", True),
        ("0-1-8 HQ XXXXX", True),
        ("1-6 Inf HQ XX", False),
        ("2-5 Trng XX", True),
        ("2-5 Trng XX, moved: yes", True),
        ("0-1-5 Trng X", True),
        ("0-1-5 Trng X, moved: yes", False),
        ("0-1-5 Inf III, traits: [replacement]", True),
        ("0-1-5 Inf III, traits: [replacement], moved: yes", False),
        ("0-1-5 Inf III", False),
    ],
)
def test_who_lifts_the_ban_of_a_larger_zone(other: str, helps: bool) -> None:
    table = with_words(
        ("Minsk: {front: centre}", "Minsk: {front: centre, enemy_zoc: [division, division]}"),
        ("  6 Pz XX: {spec: 12-10 Pz XX (5-8), at: Minsk, as: cadre}", f"  other: {{spec: {other}, at: Minsk}}"),
    )
    outcome = table.give("rebuild-cadre", unit="24 Inf XX", pay_from=NATIONAL)
    assert isinstance(outcome, Refusal) is not helps
    if isinstance(outcome, Refusal):
        assert outcome.clauses[0] == "52.A.9.d/3"


@pytest.mark.clause("52.A.9.d/3")
@pytest.mark.parametrize(
    ("zones", "screens", "free"),
    [
        ("division", "", False),
        ("division", "division", True),
        ("division", "brigade", False),
        ("corps", "division", True),
        ("division, division", "division", False),
        ("division, division", "division, brigade", False),
        ("division, division", "division, division", True),
        ("corps, division", "division, corps", True),
        ("corps, corps, division", "division, division, division", True),
        ("corps, corps, division", "division, division, brigade", False),
        ("brigade, brigade", "", True),
        ("none", "", True),
    ],
)
def test_each_larger_zone_takes_a_screen_of_its_own(zones: str, screens: str, free: bool) -> None:
    stack = "".join(
        f"  Screen {n}: {{spec: 7-6 Inf XX (3-6), at: Minsk, zoc: {zone}}}\n"
        for n, zone in enumerate(screens.split(", "))
        if zone
    )
    table = with_words(
        ("Minsk: {front: centre}", f"Minsk: {{front: centre, enemy_zoc: [{zones}]}}"),
        ("  6 Pz XX: {spec: 12-10 Pz XX (5-8), at: Minsk, as: cadre}\n", stack),
    )
    outcome = table.give("rebuild-cadre", unit="24 Inf XX", pay_from=NATIONAL)
    assert isinstance(outcome, Refusal) is not free
    if free and screens:
        assert outcome.entry.allowed == ["52.A.9.d/5"]


@pytest.mark.clause("52.A.9.d/5")
def test_a_mere_brigade_may_screen_a_zone_no_larger_than_its_own() -> None:
    table = with_words(
        ("Minsk: {front: centre}", "Minsk: {front: centre, enemy_zoc: [brigade]}"),
        ("24 Inf XX: {spec: 7-6 Inf XX (3-6) (1-6)", "24 Inf XX: {spec: 3-6 Inf X (1-6)"),
    )
    assert table.do("rebuild-cadre", unit="24 Inf XX", pay_from=NATIONAL).entry.allowed == ["52.A.9.d/5"]


# ------------------------------------------------------------------------------- options, overruling, undo


@pytest.mark.clause("52.A.9.d/1", "52.A.9.d/2", "52.A.2/6", "52.A.2/9")
def test_the_options_of_a_cadre_are_open_with_price_and_arrival_or_closed_with_the_reason(table: Table) -> None:
    (front,) = choices(table, "24 Inf XX", "rebuild-cadre", pay_from="front/centre")
    assert not front.open
    assert [each.clause for each in front.reasons] == ["52.A.9.d/2"]
    (nation,) = choices(table, "24 Inf XX", "rebuild-cadre", pay_from=NATIONAL, reduced=False)
    assert (nation.open, nation.cost, nation.arrives) == (True, {"inf": Fraction(4)}, 0)
    assert nation.working == "24 Inf XX: full 7 − cadre 3"
    reduced = choices(table, "24 Inf XX", "rebuild-cadre", reduced=True)
    assert sorted(command_of(each).track for each in reduced) == ["md/berlin", "md/paris"]
    assert {(each.open, each.cost["inf"], table.campaign.world.turn_name(each.arrives)) for each in reduced} == {
        (True, Fraction(14, 5), "Nov 3 41")
    }
    assert choices(table, "24 Inf XX", "rebuild-cadre", pay_from="front/south") == []
    assert choices(table, "24 Inf XX", "rebuild-remnant") == []


@pytest.mark.clause("52.A.9.c/1")
def test_a_remnant_whose_counter_has_no_cadre_cannot_become_one() -> None:
    table = with_words(("76 Inf XX: {spec: 7-6 Inf XX (3-6) (1-6)", "76 Inf XX: {spec: 7-6 Inf XX (1-6 remnant)"))
    refusal = table.refused("rebuild-remnant", unit="76 Inf XX", pay_from=NATIONAL)
    assert "no remnant to rebuild" in reason(refusal, "52.A.9.c/1")
    assert "52.A.9/2" not in refusal.clauses


@pytest.mark.clause("52.A.9.d/6")
def test_an_army_that_is_no_headquarters_does_not_replace_the_supply_line() -> None:
    for other, helps in (("9-6 Inf XXXX", False), ("0-1-8 HQ XXXX", True)):
        table = with_words(
            ("at: Minsk, as: cadre}\n  76", "at: Minsk, as: cadre, supply: none}\n  76"),
            ("  6 Pz XX: {spec: 12-10 Pz XX (5-8), at: Minsk, as: cadre}", f"  other: {{spec: {other}, at: Minsk}}"),
        )
        assert isinstance(table.give("rebuild-cadre", unit="24 Inf XX", pay_from=NATIONAL), Refusal) is not helps


@pytest.mark.clause("52.A.9.d/2")
def test_a_cadre_in_a_hex_of_no_known_front_is_offered_every_front(table: Table) -> None:
    table.do("put-unit", unit="24 Inf XX", at="Nowhere")
    payers = {command_of(each).pay_from for each in choices(table, "24 Inf XX", "rebuild-cadre")}
    assert {"front/centre", "front/south", "md/berlin", NATIONAL} <= payers


@pytest.mark.clause("52.A.9.a/1", "52.A.9.a/2")
def test_an_eliminated_unit_is_offered_the_pools_of_its_theatre_and_the_inactive_tracks() -> None:
    table = with_words(("fronts: {", "theatres: {east: {activity: inactive}}\nfronts: {"))
    fields = [
        (c.pay_from, c.track, c.reduced) for each in choices(table, "35 Inf XX", "replace") if (c := command_of(each))
    ]
    assert sorted(fields) == [
        ("front/centre", "", False),
        ("front/south", "", False),
        (NATIONAL, "md/berlin", False),
        (NATIONAL, "md/berlin", True),
        (NATIONAL, "md/paris", False),
        (NATIONAL, "md/paris", True),
    ]
    tracks = {command_of(each).track for each in choices(table, "24 Inf XX", "rebuild-cadre", reduced=True)}
    assert tracks == {"md/berlin", "md/paris"}


@pytest.mark.clause("52.A.9.a/1")
def test_nothing_is_offered_to_rebuild_that_is_whole_or_not_on_the_map(table: Table) -> None:
    table.do("declare", unit="24 Inf XX", fact="supply", value="none")
    assert choices(table, "24 Inf XX", "replace") == []
    table.do("put-unit", unit="24 Inf XX", at="track front/centre Nov 1 41")
    table.do("put-unit", unit="76 Inf XX", at="track front/centre Nov 1 41")
    table.do("put-unit", unit="6 Pz XX", step="full")
    for unit in ("24 Inf XX", "76 Inf XX", "6 Pz XX"):
        assert [choices(table, unit, name) for name in ("replace", "rebuild-cadre", "rebuild-remnant")] == [[], [], []]
    assert reason(table.refused("replace", unit="24 Inf XX", pay_from="front/centre"), "52.A.9.a/1") == (
        "24 Inf XX is on the turn track of front/centre, due Nov 1 41"
    )
    assert reason(table.refused("replace", unit="6 Pz XX", pay_from="front/centre"), "52.A.9.a/1") == (
        "6 Pz XX is on the map at Minsk"
    )


@pytest.mark.clause("52.A.9.d/8")
def test_what_a_cadre_did_this_player_turn_is_told_in_full(table: Table) -> None:
    for facts, says in (
        (("moved",), "moved"),
        (("attacked",), "attacked"),
        (("moved", "attacked"), "moved and attacked"),
    ):
        for fact in ("moved", "attacked"):
            table.do("declare", unit="24 Inf XX", fact=fact, value=fact in facts)
        told = reason(table.refused("rebuild-cadre", unit="24 Inf XX", pay_from=NATIONAL), "52.A.9.d/8")
        assert told == f"24 Inf XX {says} this player-turn. Rebuild it next turn"


@pytest.mark.clause("52.A.9.c/1", "52.A.9.c/6")
def test_a_remnant_in_a_town_without_a_line_is_offered_and_closed(table: Table) -> None:
    assert any(each.open for each in choices(table, "76 Inf XX", "rebuild-remnant"))
    table.do("declare", unit="76 Inf XX", fact="supply", value="limited")
    closed = choices(table, "76 Inf XX", "rebuild-remnant")
    assert closed
    assert all("52.A.9.c/6" in [reason.clause for reason in each.reasons] for each in closed)


@pytest.mark.clause("52.A.9.a/1", "52.A.4/5")
def test_a_unit_in_the_isolated_box_has_only_closed_options(table: Table) -> None:
    table.do("put-unit", unit="35 Inf XX", at="isolated Germany")
    offered = choices(table, "35 Inf XX", "replace")
    assert offered
    assert {reason.clause for each in offered for reason in each.reasons} == {"52.A.4/5"}
    assert all(each.final for each in offered)


@pytest.mark.clause("52.A.9.d/2", "52.A.9.d/8")
def test_an_overruled_rebuild_keeps_the_note_and_every_clause_and_may_leave_a_debt(table: Table) -> None:
    table.do("declare", unit="24 Inf XX", fact="moved", value=True)
    done = table.give("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre", override="we forgot it last turn")
    first = done.entry.events[0]
    assert isinstance(first, Overruled)
    assert (first.clauses, first.note) == (["52.A.9.d/8", "52.A.9.d/2"], "we forgot it last turn")
    assert table.campaign.state.balance("front/centre", "Germany", "inf") == Fraction(-1, 2)


@pytest.mark.clause("52.A.9.d/1", "52.A.9.c/1")
def test_undo_and_redo_take_each_step_back_and_forth_exactly(table: Table) -> None:
    campaign = table.campaign
    table.do("declare", unit="76 Inf XX", fact="mp", value=1)
    marks: list[tuple[str, int, Fraction]] = []

    def note() -> None:
        facts = campaign.world.facts(campaign.state)
        assert isinstance(facts, EuropaFacts)
        unit = table.unit("76 Inf XX")
        marks.append((unit.step, facts.mp_marker(unit), campaign.state.balance(NATIONAL, "Germany", "inf")))

    note()
    table.do("rebuild-remnant", unit="76 Inf XX", pay_from=NATIONAL)
    note()
    table.do("rebuild-cadre", unit="76 Inf XX", pay_from=NATIONAL)
    note()
    assert marks == [("remnant", 1, Fraction(20)), ("cadre", 2, Fraction(18)), ("full", 4, Fraction(14))]
    for act in (campaign.undo, campaign.undo, campaign.redo, campaign.redo, campaign.undo):
        act()
        note()
    assert marks[3:] == [marks[1], marks[0], marks[1], marks[2], marks[1]]


@pytest.mark.clause("52.A.9.d/10", "52.A.9.d/1")
def test_undo_restores_a_marker_that_was_there_from_the_beginning() -> None:
    table = with_words(("at: Minsk, as: cadre}\n  76", "at: Minsk, as: cadre, mp: 2}\n  76"))
    table.do("rebuild-cadre", unit="24 Inf XX", pay_from=NATIONAL)
    table.campaign.undo()
    facts = table.campaign.world.facts(table.campaign.state)
    assert isinstance(facts, EuropaFacts)
    assert facts.mp_marker(table.unit("24 Inf XX")) == 2
    table.do("declare", unit="24 Inf XX", fact="moved", value=True)


# --------------------------------------------------------------------------------------- the numbers


def test_the_numbers_of_the_profile_are_those_of_the_clauses() -> None:
    numbers = {name: (number.value, number.clause) for name, number in shipped().numbers.items()}
    expected = {
        "replacement_time": (4, "52.A/2"),
        "home_reduction": (Fraction(1, 10), "52.A.9.a/5"),
        "reduced_rate": (Fraction(3, 10), "52.A.2/6"),
        "reduced_time_factor": (2, "52.A.2/8"),
        "reduced_rebuild_time": (4, "52.A.2/9"),
        "marker_factor": (2, "52.A.9.d/10"),
        "reserve_rebuild_week": (1, "49.A.2.i/1"),
    }
    assert {name: numbers[name] for name in expected} == expected


@pytest.mark.parametrize("pool", ["limited", "capacity/axis", "debt/front/centre", "reserve/operational"])
def test_nobody_overrules_that_allowances_and_capacity_pay_for_no_unit(table: Table, pool: str) -> None:
    for command in ("rebuild-cadre", "replace"):
        unit = "24 Inf XX" if command == "rebuild-cadre" else "35 Inf XX"
        with pytest.raises(BadCommand, match=f"{pool} holds no RPs; pay from the pool of a front"):
            table.give(command, unit=unit, pay_from=pool, override="we agreed")


def test_a_draft_without_a_city_is_turned_away_even_if_overruled(table: Table) -> None:
    for city in ("", "  "):
        with pytest.raises(BadCommand, match="say in which city"):
            table.give("draft", city=city, override="we agreed")
