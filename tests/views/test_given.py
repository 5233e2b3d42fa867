"""What stands in the fields of commands: every field says what it holds, and is read at the door."""

from typing import get_type_hints

import pytest

from forcepool import games
from forcepool.engine import given
from forcepool.engine.command import BadCommand, Command, command_name
from forcepool.engine.decide import decide
from forcepool.views.orders import command_class, from_words, schema_of
from tests.support.table import Table

EUROPA = games.game("europa")


def test_every_field_of_words_says_what_they_are() -> None:
    silent = [
        f"{command_name(each)} {field}"
        for name in games.names()
        for each in games.game(name).commands
        for field in each.__struct_fields__
        if field not in given.given_to(each) and get_type_hints(each)[field] in (str, list[str])
    ]
    assert silent == []


@pytest.mark.parametrize(
    ("order", "says"),
    [
        ("rebuild-cadre unit=6\u00a0Pz pay_from=front/centre", "there is no unit '6\u00a0Pz'"),
        ("rebuild-cadre unit=6PzXX pay_from=fornt/centre", "there is no unit '6PzXX'"),
        ("transfer-points pool=front/centre into=fornt/north points=1inf", "there is no pool 'fornt/north'"),
        ("correct-points pool=front/centre nation=Germny kind=inf amount=1 note=x", "there is no nation 'Germny'"),
        ("correct-points pool=front/centre nation=Germany kind=inf amount=1/0 note=x", "1/0"),
        ("correct-points pool=front/centre nation=Germany kind=ifn amount=1 note=x", "there are no 'ifn' points"),
        ("house-rule rule=no-such-thing option=x", "there is no house rule 'no-such-thing'"),
        ("take-hexes hexes=Orsha by=Axsi", "there is no side 'Axsi'; the sides are Axis, Soviet"),
        (
            "transfer-points pool=front/centre into=front/centre points=1inf by=foot",
            "by= is rail, supply-rail, air or naval, not 'foot'",
        ),
    ],
)
def test_what_does_not_exist_is_told_at_the_door(autumn: Table, order: str, says: str) -> None:
    name, *words = order.split(" ")
    with pytest.raises(BadCommand, match=says.replace("(", "\\(")):
        decide(autumn.campaign.world, autumn.campaign.state, from_words(EUROPA, name, words))


def test_a_field_left_out_is_not_read(autumn: Table) -> None:
    command: Command = from_words(EUROPA, "declare", ["moved", "unit=6 Pz XX", "value=yes"])
    given.check(autumn.campaign.world, autumn.campaign.state, command)


def test_programs_are_told_the_few_words_a_field_can_hold() -> None:
    lose = schema_of([command_class(EUROPA, "lose")], alone=True)["$defs"]["Lose"]["properties"]
    assert lose["to"]["enum"] == ["eliminated", "cadre", "remnant", ""]
    assert "enum" not in lose["unit"]
