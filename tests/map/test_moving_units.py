"""Stacks that move on the map: one entry for all of them, and the rules that hold a unit where it is."""

import pytest

from forcepool.engine.command import BadCommand
from tests.support.table import Table

GIVEN = """
turn: Jul 4 41
fronts: {Centre: {}}
places:
  Minsk: {front: Centre, town: yes}
  Orsha: {front: Centre, town: yes}
pools: {front/centre: {German: {inf: 20}}}
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: Minsk, as: cadre}
  31 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: Minsk}
  34 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: Minsk, reserve: operational}
  45 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: eliminated front/centre, as: cadre}
  JG 51: {spec: 8F8 Me 109F 1/13, nation: German, at: Minsk}
  1 Rif XX: {spec: 4-6 Rifle XX, nation: Soviet, at: Minsk}
"""


@pytest.fixture
def table() -> Table:
    return Table(GIVEN)


def where(table: Table, *names: str) -> list[str]:
    return [table.unit(name).place.of for name in names]


def test_a_stack_moves_in_one_entry_and_comes_back_with_its_undo(table: Table) -> None:
    before = table.campaign.seq
    table.do("move-units", units=["24 Inf XX", "31 Inf XX"], to="Orsha")
    assert table.campaign.seq == before + 1
    assert where(table, "24 Inf XX", "31 Inf XX", "34 Inf XX") == ["Orsha", "Orsha", "Minsk"]
    table.campaign.undo()
    assert where(table, "24 Inf XX", "31 Inf XX") == ["Minsk", "Minsk"]


@pytest.mark.clause("52.A.9.d/8")
def test_a_cadre_that_moved_in_its_own_turn_is_not_rebuilt_but_one_that_retreated_in_the_enemys_is(
    table: Table,
) -> None:
    table.do("move-units", units=["24 Inf XX"], to="Orsha")
    refusal = table.refused("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre")
    assert refusal.clauses == ("52.A.9.d/8",)

    retreated = Table(GIVEN.replace("turn: Jul 4 41", "turn: Jul 4 41\nplayer: Soviet\nphase: combat"))
    retreated.do("move-units", units=["24 Inf XX"], to="Orsha")
    while "Axis replacement" not in retreated.campaign.world.when(retreated.campaign.state):
        retreated.do("advance")
    retreated.do("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre")


@pytest.mark.clause("49.A.2.b/1")
def test_nothing_moves_if_one_of_the_stack_is_in_operational_reserve(table: Table) -> None:
    refusal = table.refused("move-units", units=["31 Inf XX", "34 Inf XX"], to="Orsha")
    assert refusal.clauses == ("49.A.2.b/1",)
    assert "34 Inf XX is in operational reserve" in str(refusal.reasons[0])
    assert where(table, "31 Inf XX", "34 Inf XX") == ["Minsk", "Minsk"]


@pytest.mark.parametrize(
    ("units", "to", "says"),
    [
        (["31 Inf XX", "1 Rif XX"], "Orsha", "of several sides"),
        (["JG 51"], "Orsha", "use rebase-air"),
        (["45 Inf XX"], "Orsha", "45 Inf XX is not on the map"),
        (["99 Inf XX"], "Orsha", "99 Inf XX"),
        (["31 Inf XX"], "Minsk", "there already"),
        ([], "Minsk", "say which units"),
        (["31 Inf XX"], "eliminated front/centre", "is no hex"),
    ],
)
def test_an_order_that_makes_no_sense_is_told_in_a_sentence(table: Table, units: list[str], to: str, says: str) -> None:
    with pytest.raises(BadCommand, match=says):
        table.give("move-units", units=units, to=to)


def test_a_seat_moves_its_own_units_only(table: Table) -> None:
    with pytest.raises(BadCommand, match="Soviet may not give this command: it is Axis's"):
        table.give("move-units", seat="Soviet", units=["31 Inf XX"], to="Orsha")
