"""A command as a form: fields in words, what they take, and names only of what a seat sees."""

from typing import Any

from forcepool import games
from forcepool.engine import given
from forcepool.engine.state import Unit
from forcepool.views.fields import (
    COUNTER,
    SEVERAL,
    TEXT,
    WORD,
    YES_NO,
    Name,
    Seen,
    catalogue,
    fields_of,
    filled_in,
    in_words,
    names_for,
)
from forcepool.views.orders import command_class, from_words
from tests.support.table import Table

EUROPA = games.game("europa")


def takes(command: str) -> dict[str, str]:
    return {each.name: each.takes for each in fields_of(command_class(EUROPA, command))}


def test_each_field_says_what_it_takes() -> None:
    assert takes("rebuild-cadre")["reduced"] == YES_NO
    assert takes("rebuild-cadre")["unit"] == TEXT
    assert takes("add-unit")["spec"] == COUNTER
    assert takes("add-unit")["nation"] == TEXT
    assert "spec.nation" not in takes("add-unit"), "the command asks for the nation itself"
    assert SEVERAL in takes("quote-reserves").values()
    assert takes("lose")["cause"] == WORD


def test_what_a_field_holds_is_said_by_its_type_not_by_its_name() -> None:
    offers = {
        (command, each.name): each.offers
        for command in ("give-aid", "move-units", "transfer-points", "lose", "take-hexes", "roll-deployment")
        for each in fields_of(command_class(EUROPA, command))
    }
    assert offers["give-aid", "to"] == given.NATION.what
    assert offers["move-units", "to"] == given.PLACE.what
    assert offers["transfer-points", "into"] == given.POOL.what
    assert offers["take-hexes", "by"] == given.SIDE.what
    assert (offers["lose", "to"], offers["roll-deployment", "result"]) == ("", ""), "one of a few words; a chart's own"


def test_every_command_of_every_game_is_in_the_catalogue_with_a_chapter() -> None:
    for name in ("europa", "eastern_front"):
        game = games.game(name)
        assert len(catalogue(game)) == len(game.commands)
        assert all(each.chapter and each.about for each in catalogue(game))
    assert [each.name for each in catalogue(EUROPA, "scrap unit out of play")] == ["scrap"]


def test_an_order_written_into_the_form_comes_back_as_the_same_order() -> None:
    for order in (
        {"unit": "24 Inf XX", "pay_from": "front/centre", "reduced": True},
        {"unit": "24 Inf XX", "pay_from": "front/centre"},
    ):
        cls = command_class(EUROPA, "rebuild-cadre")
        written = filled_in(order)
        built = from_words(EUROPA, "rebuild-cadre", in_words(fields_of(cls), lambda name, w=written: w.get(name, "")))  # type: ignore[misc]
        assert {name: getattr(built, name) for name in order} == order


def names(table: Table, offers: str, nation: str) -> tuple[Name, ...]:
    def sees(thing: Any) -> bool:
        return bool((thing.spec.nation if isinstance(thing, Unit) else thing.nation) == nation)

    state = table.campaign.state
    return names_for(offers, Seen(table.campaign.world, state, sees, sees, lambda each: each == nation))


def test_a_field_offers_only_what_is_seen_with_what_it_is(autumn: Table) -> None:
    assert Name("6 Pz XX", "Orsha") in names(autumn, given.UNIT.what, "Germany")
    assert [each.value for each in names(autumn, given.UNIT.what, "Soviet Union")] == ["100 Tk X"]
    assert Name("front/centre", "4 arm, 10 inf") in names(autumn, given.POOL.what, "Germany")
    assert [each.value for each in names(autumn, given.POOL.what, "Soviet Union")] == ["front/west"]
    assert [each.value for each in names(autumn, given.NATION.what, "Germany")] == ["Germany"]
    assert {each.value for each in names(autumn, given.KIND.what, "Germany")} >= {"inf", "arm"}
    assert all(each.says for each in names(autumn, given.FACT.what, "Germany"))
