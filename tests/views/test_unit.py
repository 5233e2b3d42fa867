"""A unit's card: what it is, what is open and closed with reasons, and how it got there."""

from fractions import Fraction

from forcepool.engine.sentence import plain
from forcepool.views.journal import entries_about, entry_lines
from forcepool.views.unit import unit_card
from tests.support.table import Table


def test_the_card_says_what_a_unit_is_and_where(autumn: Table) -> None:
    facts = unit_card(autumn.campaign, autumn.unit("2 Inf XX")).facts
    assert (facts.counter, facts.step, facts.strength, facts.where) == ("7-6 Inf XX (3-6)", "cadre", "3-6", "Minsk")
    assert (facts.nation, facts.side) == ("Germany", "Axis")


def test_the_card_names_the_areas_the_unit_is_under(autumn: Table) -> None:
    assert unit_card(autumn.campaign, autumn.unit("2 Inf XX")).areas == ("front/centre", "theatre/east")


def test_an_open_option_has_its_exact_cost_and_a_closed_one_every_reason(autumn: Table) -> None:
    order = 'rebuild-cadre unit="2 Inf XX" pay_from=front/centre'
    card = unit_card(autumn.campaign, autumn.unit("2 Inf XX"))
    [front] = [each for each in card.open if each.typed == order]
    assert front.cost == {"inf": Fraction(4)}
    amount = "-6 1/2"
    autumn.do("correct-points", pool="front/centre", nation="Germany", kind="inf", amount=amount, note="miscounted")
    [short] = [each for each in unit_card(autumn.campaign, autumn.unit("2 Inf XX")).closed if each.typed == order]
    [gap] = [reason for reason in short.reasons if reason.gap is not None]
    assert (gap.have, gap.need, gap.gap) == (Fraction(7, 2), Fraction(4), Fraction(1, 2))
    assert gap.clause
    assert "½ short" in gap.sentence


def test_an_option_with_a_wait_says_when_the_unit_arrives(autumn: Table) -> None:
    card = unit_card(autumn.campaign, autumn.unit("35 Inf XX"))
    arrivals = {each.typed: each.arrives for each in card.open}
    assert arrivals['replace unit="35 Inf XX" pay_from=front/centre'] == "Nov 3 41"
    assert arrivals['transfer-unit unit="35 Inf XX" into=md/iii'] == ""


def test_the_history_tells_how_it_began_each_entry_and_how_it_stands(autumn: Table) -> None:
    autumn.do("rebuild-cadre", unit="2 Inf XX", pay_from="front/centre")
    autumn.do("rebuild-cadre", unit="10 Inf XX", pay_from="front/centre")
    history = unit_card(autumn.campaign, autumn.unit("2 Inf XX")).history
    assert history.began.endswith("cadre at Minsk")
    assert history.now.endswith("full at Minsk")
    [line] = history.lines
    assert line.entry == 2
    assert "2 Inf XX: cadre → full [52.A.9.d/1]" in map(plain, line.words)
    assert line.clauses["52.A.9.d/1"] == "Cadre may become full strength"


def test_a_journal_without_an_index_finds_the_same_entries(autumn: Table) -> None:
    autumn.do("rebuild-cadre", unit="2 Inf XX", pay_from="front/centre")
    autumn.do("rebuild-cadre", unit="10 Inf XX", pay_from="front/centre")
    assert list(entries_about(autumn.campaign, "unit/10 Inf XX")) == [3]
    assert list(entries_about(autumn.campaign, "pool/front/centre")) == [2, 3]


def test_one_sides_entries_leave_out_what_the_other_did(autumn: Table) -> None:
    autumn.do("rebuild-cadre", unit="2 Inf XX", pay_from="front/centre")
    assert [line.entry for line in entry_lines(autumn.campaign, side="Axis")] == [2]
    assert entry_lines(autumn.campaign, side="Soviet") == ()


def test_the_note_of_an_overruling_stays_with_the_side_it_concerns(autumn: Table) -> None:
    autumn.give("rebuild-cadre", unit="2 Inf XX", pay_from="md/iii", override="agreed")
    [line] = entry_lines(autumn.campaign, side="Axis")
    assert any("agreed" in sentence for sentence in line.words)
    assert entry_lines(autumn.campaign, side="Soviet") == ()


def test_the_passing_of_a_phase_is_left_out_where_it_is_not_wanted(autumn: Table) -> None:
    autumn.do("advance")
    [line] = entry_lines(autumn.campaign)
    assert any(sentence.startswith("it is now") for sentence in line.words)
    assert all(
        not sentence.startswith("it is now")
        for each in entry_lines(autumn.campaign, phases=False)
        for sentence in each.words
    )
