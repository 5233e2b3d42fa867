"""28  What cases cannot say of the air: files that are wrong, what is offered, and that nothing appears or vanishes."""

from fractions import Fraction

import pytest

from forcepool.engine.events import Transferred
from forcepool.engine.ledger import imbalance
from forcepool.engine.options import options
from forcepool.engine.wording import markers
from forcepool.files.problems import BadFile
from forcepool.planner.bot import play
from tests.support.table import Table

GIVEN = """
turn: May 1 41
player: Axis
phase: reinforcement
theatres: {West: {}}
places: {Lille: {front: theatre/west, airbase: yes, owner: Axis}, Caen: {front: theatre/west, airbase: yes}}
pools: {theatre/west: {German: {arp: 4}}}
units:
  Emil: {spec: 6F6 Me109E 1/14, at: aborted theatre/west, nation: German}
  Otto: {spec: 6F6 Me109E 1/14, at: eliminated theatre/west, nation: German}
  Stuka: {spec: 2D4 Ju87B 5/10, at: Lille, air_status: inoperative, nation: German}
charts:
  air_ob:
    - %s
"""
WITHDRAWAL = "{turn: May 1 41, nation: German, does: withdraw, theatre: West, type: F}"


def offered(table: Table, unit: str) -> dict[str, bool]:
    campaign = table.campaign
    found = options(campaign.world, campaign.state, campaign.state.units[unit])
    return {type(each.command).__name__: each.open for each in found}


@pytest.mark.clause("28/4", "28.D.1/1")
def test_repair_is_offered_in_either_phase_and_open_in_one() -> None:
    table = Table(GIVEN.replace("phase: reinforcement", "phase: replacement") % WITHDRAWAL.replace("May 1", "May 2"))
    assert offered(table, "Emil")["RepairAir"]
    assert offered(table, "Otto")["ReplaceAir"]
    assert offered(table, "Stuka")["RaiseAirStatus"]
    assert not offered(table, "Stuka")["Lose"]
    early = Table(GIVEN % WITHDRAWAL.replace("May 1", "May 2"))
    assert not offered(early, "Emil")["RepairAir"]


@pytest.mark.clause("28.F/3", "28.F.4/2")
def test_arps_owed_and_spent_add_up_to_those_issued() -> None:
    table = Table(GIVEN.replace("arp: 4", "arp: 1/2") % WITHDRAWAL)
    table.do("withdraw-air", unit="Emil")
    state = table.campaign.state
    assert state.balance("air-owed/theatre/west", "Germany", "arp") == Fraction(1, 2)
    assert not imbalance(state.balances.items())


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{turn: May 1 41, nation: German, does: vanish, theatre: West}", "does is one of"),
        ("{turn: May 1 41, nation: German, does: arrive, theatre: West}", "no air unit in spec="),
        ("{turn: May 1 41, nation: German, does: transfer, theatre: Mars, to: West}", "no air unit in spec="),
        ("{turn: May 1 41, nation: German, does: withdraw, theatre: Mars}", "no theatre or front"),
        ("{turn: May 9 41, nation: German, does: withdraw, theatre: West}", "May 9 41"),
        ("{turn: May 1 41, nation: Martian, does: withdraw, theatre: West}", "no nation"),
        ("{turn: May 1 41, nation: German, does: withdraw, theatre: West, count: 0}", "count"),
        ("{turn: May 1 41, nation: German, does: arrive, theatre: West, spec: 6F6 X 1/1, arrives: late}", "arrives is"),
    ],
)
def test_a_line_that_cannot_be_carried_out_is_found_at_the_start(line: str, says: str) -> None:
    with pytest.raises(BadFile, match=says):
        Table(GIVEN % line)


def test_a_receipt_for_an_unknown_theatre_is_found_at_the_start() -> None:
    given = GIVEN % WITHDRAWAL + "  air_replacements: [{nation: German, theatre: Norway, arps: 1, turn: May 1 41}]\n"
    with pytest.raises(BadFile, match="no theatre or front 'Norway'"):
        Table(given)


LINES = """{turn: May 2 41, nation: German, does: arrive, theatre: West, spec: 7F8 Me109F 2/18, count: 3}
    - {turn: May 2 41, nation: German, does: convert, theatre: West, model: Ju87B, spec: 3D5 Ju87D 6/12}
    - {turn: Jun 2 41, nation: German, does: withdraw, theatre: West, model: Me109F, count: 2}
    - {turn: Jul 1 41, nation: German, does: return, theatre: West, model: Me109F}
  air_replacements: [{nation: German, theatre: West, arps: 6, turn: May 1 41, until: Aug 1 41}]"""


@pytest.mark.clause("28.D/1", "28.D.list.5/3", "28.E/5", "28.F/1")
def test_the_checklist_carries_the_air_ob_through_three_months_and_every_arp_is_accounted_for() -> None:
    table = Table(GIVEN % LINES)
    for _ in play(table.campaign, turns=12, seed=7):
        assert not imbalance(table.campaign.state.balances.items())
    state = table.campaign.state
    kept = table.campaign.world.numbers["arps_kept"]  # type: ignore[attr-defined]
    assert state.balance("theatre/west", "Germany", "arp") <= kept
    assert state.units["Ju87D 1"].place.of == "Lille"
    # Two were withdrawn in June, and one of them returned in July.
    assert sum(unit.place.kind == "withdrawn" for unit in state.units.values()) == 1


@pytest.mark.clause("28.F/3")
def test_an_empty_pool_books_nothing_for_what_it_owes_while_the_turns_go_by() -> None:
    table = Table(PAID % "0")
    table.do("withdraw-air", unit="Emil")
    moved = []
    while table.campaign.state.clock.turn == table.campaign.beginning.state.clock.turn:
        done = table.do("advance")
        moved += [event.amount for event in done.entry.events if isinstance(event, Transferred)]
    assert Fraction(0) not in moved
    assert table.campaign.state.balance("air-owed/theatre/west", "Germany", "arp") == 1


@pytest.mark.clause("28.F.4/2", "28.F/2")
def test_what_a_withdrawal_takes_to_the_last_half_is_booked_without_a_debt_of_nothing() -> None:
    table = Table(PAID % "1")
    done = table.do("withdraw-air", unit="Emil")
    moved = [event.amount for event in done.entry.events if isinstance(event, Transferred)]
    assert moved == [1]
    short = Table(PAID % "1/2").do("withdraw-air", unit="Emil")
    assert [event.amount for event in short.entry.events if isinstance(event, Transferred)] == [Fraction(1, 2)] * 2


PAID = """
turn: May 1 41
phase: reinforcement
theatres: {West: {}}
pools: {theatre/west: {German: {arp: %s}}}
units:
  Emil: {spec: 6F6 Me109E 1/14, at: aborted theatre/west, nation: German}
charts:
  air_ob:
    - {turn: May 1 41, nation: German, does: withdraw, theatre: West, type: F}
"""


@pytest.mark.clause("28.D.list.3/2")
def test_the_units_a_phase_rebuilds_are_counted_one_by_one() -> None:
    given = GIVEN.replace("phase: reinforcement", "phase: replacement").replace("arp: 4", "arp: 9")
    table = Table(given % WITHDRAWAL.replace("May 1", "May 2"))
    for number, (order, unit) in enumerate((("repair-air", "Emil"), ("replace-air", "Otto")), 1):
        table.do(order, unit=unit)
        mark = table.campaign.state.mark("air-pool/theatre/west Germany", "air_units_rebuilt")
        assert mark is not None
        assert mark.value == number


@pytest.mark.clause("28.C/1")
@pytest.mark.parametrize(
    ("phase", "unit", "waits"),
    [
        ("reinforcement", "A", ""),
        ("reinforcement", "B", "May 4 42"),
        ("initial", "A", "May 2 42"),
    ],
)
def test_an_air_reinforcement_is_placed_with_place_air_now_or_when_its_turn_and_phase_have_come(
    phase: str, unit: str, waits: str
) -> None:
    table = Table(
        f"""
turn: May 2 42
phase: {phase}
theatres: {{East: {{}}}}
places: {{Kiev: {{front: theatre/east, airbase: yes, owner: Axis}}}}
units:
  A: {{spec: 7F8 Me109F 2/18, at: reinforcements theatre/east May 2 42}}
  B: {{spec: 7F8 Me109F 2/18, at: reinforcements theatre/east May 4 42}}"""
    )
    (reason,) = [each for each in table.refused("place", unit=unit, at="Kiev").reasons if each.clause == "28.C/1"]
    world = table.campaign.world
    assert [world.turn_name(way.until.turn) if way.until else "" for way in reason.ways] == [waits]


@pytest.mark.clause("28.D.1/1")
def test_arps_that_are_short_in_the_enemys_theatre_are_not_to_be_sent_there() -> None:
    table = Table(
        """
        player: Allied
        players: [Axis, Allied]
        theatres: {Middle East: {country: Egypt}, Home: {country: Britain}, Libya: {country: Libya}}
        pools: {theatre/middle east: {British: {arp: 6}}, theatre/libya: {Italian: {arp: 6}}}
        units: {Glad-1: {spec: 4F4 Glad 1/9, at: aborted theatre/home, nation: British}}
        """
    )
    words = {
        pool: "; ".join(str(each) for each in table.refused("repair-air", unit="Glad-1", pay_from=pool).reasons)
        for pool in ("theatre/libya", "theatre/home")
    }
    assert "transfer-arps" not in words["theatre/libya"]
    assert "transfer-arps" in words["theatre/home"]


@pytest.mark.clause("28.D.1/2")
def test_the_box_an_air_unit_is_rebuilt_from_is_told_of_it_on_the_track_alone() -> None:
    table = Table(
        """
        turn: May 1 40
        player: Allied
        players: [Axis, Allied]
        theatres: {West: {country: France}}
        places: {Laon: {md: theatre/west, airbase: yes, airbase_capacity: 3, owner: Allied}}
        pools: {theatre/west: {French: {arp: 8}}}
        units: {MS406: {spec: 4F5 MS406 1/10, nation: French, at: aborted theatre/west}}
        """
    )

    def told() -> list[str]:
        return [each.kept for each in markers(table.campaign.world, table.campaign.state, "unit/MS406")]

    table.do("repair-air", unit="MS406", pay_from="theatre/west")
    assert told() == ["rebuilt from aborted"]
    table.do("put-unit", unit="MS406", at="eliminated theatre/west")
    assert told() == []
