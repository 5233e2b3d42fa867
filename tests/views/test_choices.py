"""Options as a player weighs them: a heading a command, ways that differ only in a name together."""

from forcepool.views.choices import choices, way_in_words
from forcepool.views.unit import unit_card
from tests.support.table import Table


def test_a_command_has_one_heading_however_many_ways_there_are_to_give_it(autumn: Table) -> None:
    card = unit_card(autumn.campaign, autumn.unit("2 Inf XX"))
    titles = [each.title for each in choices(card.open)]
    assert titles.count("Rebuild cadre") == 1
    assert len(titles) == len(set(titles))


def test_ways_that_cost_the_same_stand_together_and_others_apart(autumn: Table) -> None:
    card = unit_card(autumn.campaign, autumn.unit("2 Inf XX"))
    [rebuild] = [each for each in choices(card.open) if each.command == "rebuild-cadre"]
    together = [[way.words for way in row.ways] for row in rebuild.rows]
    assert ["paid from front Centre", "paid from Germany's national pool"] in together
    assert all("reduced" in words for row in together[1:] for words in row)
    assert rebuild.rows[0].working == "full 7 − cadre 3", "the unit's name is on the card already"


def test_a_reason_that_closes_every_way_is_given_once_for_the_command(autumn: Table) -> None:
    autumn.do("advance")
    card = unit_card(autumn.campaign, autumn.unit("2 Inf XX"))
    [rebuild] = [each for each in choices(card.closed) if each.command == "rebuild-cadre"]
    assert len(rebuild.reasons) == 1
    assert all(rebuild.reasons[0] not in row.reasons for row in rebuild.rows)
    [option, *_] = [each for each in card.closed if each.command == "rebuild-cadre"]
    assert set(option.reasons) == {*rebuild.reasons, *rebuild.rows[0].reasons}, "and none is lost"


def test_a_way_is_told_by_what_it_does_not_share_with_the_others(autumn: Table) -> None:
    order = autumn.command("rebuild-cadre", unit="2 Inf XX", pay_from="md/iii", reduced=True)
    assert way_in_words(order) == "paid from MD III, reduced"
