"""Losses on the way: drawn from the journal or at a rate, and what the pools then hold, as a fan."""

import re
from collections.abc import Iterator
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from forcepool import games
from forcepool.engine import codec
from forcepool.engine.branch import Branch
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.desk import Advance
from forcepool.engine.state import to_bytes
from forcepool.files.yamltext import read_yaml
from forcepool.planner.fans import BANDS, bands, fanned
from forcepool.planner.forecast import forecast
from forcepool.planner.losses import AsInTheLast, AtARate, Attrition, Loss, NoLosses, as_in_the_last, at_a_rate, wanted
from forcepool.planner.plan import plan
from forcepool.store.open import campaign_file
from forcepool.views.forecast import ahead
from forcepool.views.plan import plan_view
from forcepool.views.saved_plan import as_text, saved
from forcepool.views.scenarios import begin, read_scenario, shipped_scenario
from tests.campaigns.demonstration import demonstration
from tests.support.quiet import nobody_listens

MARK = "Qzx"


@pytest.fixture
def smolensk(tmp_path: Path) -> Iterator[Campaign]:
    file = tmp_path / "war.fp"
    begin(file, read_scenario(shipped_scenario("smolensk")))
    with nobody_listens(), campaign_file(file, games.build_world) as campaign:
        yield campaign


def lose(campaign: Campaign, unit: str, to: str = "eliminated") -> None:
    command = campaign.world.read_command(f'{{"command": "lose", "unit": "{unit}", "to": "{to}"}}'.encode())
    assert isinstance(campaign.do(command), Done)


def next_turn(campaign: Campaign) -> None:
    turn = campaign.state.clock.turn
    while campaign.state.clock.turn == turn:
        campaign.do(Advance(), override="on with it")


def test_the_bands_of_a_fan_are_amounts_that_were_drawn() -> None:
    assert bands([Fraction(each) for each in range(1, 21)]) == tuple(map(Fraction, (2, 5, 10, 15, 18)))
    assert bands([Fraction(7, 2)] * 3) == (Fraction(7, 2),) * 5
    assert len(BANDS) == 5


def test_a_rate_is_kept_month_by_month() -> None:
    rate = AtARate({"Axis": Fraction(5, 2), "Soviet": Fraction(3)}, 4, ((0, 1), (1, 1)))
    random = Random(1)
    turns = [turn for _ in range(200) for turn in rate.draw(random)]
    months = [[loss.side for turn in turns[at : at + 4] for loss in turn] for at in range(0, len(turns), 4)]
    assert {month.count("Soviet") for month in months} == {3}
    assert {month.count("Axis") for month in months} == {2, 3}
    assert 60 < sum(month.count("Axis") == 3 for month in months) < 140
    assert {(loss.player, loss.phase) for turn in turns for loss in turn} == {(0, 1), (1, 1)}


def test_as_in_the_last_turns_is_what_the_journal_has_of_them(smolensk: Campaign) -> None:
    world = smolensk.world
    with pytest.raises(NoLosses, match="no turn has been played"):
        as_in_the_last(world, smolensk.state, smolensk.entries(), 4)
    lose(smolensk, "6 Pz XX")
    next_turn(smolensk)
    lose(smolensk, "10 Pz XX")
    lose(smolensk, "23 Inf XX")
    smolensk.undo()
    next_turn(smolensk)
    next_turn(smolensk)
    lose(smolensk, "23 Inf XX")  # Of the turn that is still on.
    counted = [each for each in smolensk.entries() if smolensk.history.counts(each)]
    found = as_in_the_last(world, smolensk.state, counted, 4)
    assert [[loss.unit.id for loss in turn if loss.unit] for turn in found.turns] == [["6 Pz XX"], ["10 Pz XX"], []]
    last = as_in_the_last(world, smolensk.state, counted, 2)
    assert [len(turn) for turn in last.turns] == [1, 0]
    assert as_in_the_last(world, smolensk.state, counted, 4, only=("Soviet",)).turns == ((), (), ())


def test_a_loss_strikes_a_unit_like_the_one_it_is_drawn_from(smolensk: Campaign) -> None:
    state = smolensk.state
    infantry = state.units["23 Inf XX"]
    branch = Branch(smolensk.world, state)
    clock = state.clock
    command = smolensk.world.read_command(b'{"command": "lose", "unit": "23 Inf XX"}')
    loss = Loss("Axis", clock.player, clock.phase, command, infantry)
    (step,) = Attrition(branch, AsInTheLast(((loss,),)), Random(0)).strike()
    name = str(getattr(step.command, "unit", ""))
    struck = state.units[name]
    assert (struck.spec.nation, struck.spec.type, struck.spec.size, struck.step) == ("Germany", "Inf", "XX", "cadre")
    assert not branch.state.units[name].place.on_map
    # What lies behind in the turn that is on is not lost again.
    early = Loss("Axis", clock.player, clock.phase - 1, command, infantry)
    assert not list(Attrition(Branch(smolensk.world, state), AsInTheLast(((early,),)), Random(0)).strike())


def test_a_rate_strikes_units_that_fight_and_no_factory(tmp_path: Path) -> None:
    file = tmp_path / "war.fp"
    begin(file, read_scenario(shipped_scenario("eastern-front")))
    with nobody_listens(), campaign_file(file, games.build_world) as campaign:
        state = campaign.state
        assert any(unit.spec.size == "Factory" and unit.place.on_map for unit in state.units.values())
        loss = Loss("Soviet", state.clock.player, state.clock.phase)
        branch = Branch(campaign.world, state)
        struck = [
            state.units[str(getattr(step.command, "unit", ""))]
            for step in Attrition(branch, AsInTheLast(((loss,) * 40,)), Random(3)).strike()
        ]
    assert struck
    assert all(unit.spec.full.attack for unit in struck)


def test_fans_are_drawn_from_their_seed_and_change_nothing(smolensk: Campaign) -> None:
    world, state = smolensk.world, smolensk.state
    before = to_bytes(state)
    pattern = at_a_rate(world, {"Axis": Fraction(6), "Soviet": Fraction(6)})
    drawn = ((1, 1), (1, 2), (2, 1))
    one, same, other = (fanned(world, state, 6, pattern, runs=4, seed=seed, workers=many) for seed, many in drawn)
    assert to_bytes(state) == before
    assert one == same
    assert one.fans != other.fans
    # Beside it stands the forecast without losses, as exact as ever.
    quiet = forecast(world, state, 6)
    assert (one.holds, one.changes, one.turns) == (quiet.holds, quiet.changes, quiet.turns)
    assert any(len(set(amounts)) > 1 for fan in one.fans.values() for amounts in fan), "losses bring points back"
    # Where nothing is drawn, it is the exact number.
    certain = [account for account, fan in one.fans.items() if all(len(set(each)) == 1 for each in fan)]
    assert certain
    none = fanned(world, state, 6, at_a_rate(world, {}), runs=2)
    for account, holds in none.holds.items():
        assert [each[0] for each in none.fans[account]] == list(holds), account
    told = ahead(world, state, one, losses="6 units a month")
    assert (told.runs, told.losses, told.bands) == (4, "6 units a month", BANDS)
    assert all(len(pool.fan) == 7 for pool in told.pools)


def test_what_a_side_is_told_has_no_name_of_the_enemys_in_any_byte(tmp_path: Path) -> None:
    """Every Soviet unit has a mark in its name, and losses are drawn from a journal with those of both sides."""
    text = re.sub(r"(?m)^  (.* nation: Soviet,)", rf"  {MARK}\1", smolensk_text())
    file = tmp_path / "war.fp"
    begin(file, read_scenario(read_yaml(text, "smolensk.yaml")))
    with nobody_listens(), campaign_file(file, games.build_world) as campaign:
        world = campaign.world
        lose(campaign, "6 Pz XX")
        lose(campaign, f"{MARK}32 Rif XX")
        next_turn(campaign)
        pattern, words = wanted(world, campaign.state, ["last:4"], campaign.entries, ("Axis",))
        found = fanned(world, campaign.state, 8, pattern, only=("Axis",), runs=3)
        told = codec.encode(ahead(world, campaign.state, found, side="Axis", losses=words))
        assert b"Germany" in told
        assert MARK.encode() not in told
        assert b"Soviet" not in told
        both = codec.encode(ahead(world, campaign.state, forecast(world, campaign.state, 8)))
        assert MARK.encode() in both, "the mark is where both sides look"
        with pytest.raises(NoLosses, match="Axis=6"):
            wanted(world, campaign.state, ["Soviet=6"], campaign.entries, ("Axis",))


@pytest.mark.parametrize(("side", "nation"), [("Axis", "Soviet"), ("Soviet", "German")])
def test_a_plan_has_no_name_of_the_enemys_in_any_byte(tmp_path: Path, side: str, nation: str) -> None:
    """What a seat is shown, and what it keeps and may send: orders, costs, reasons and what would help."""
    text, times = re.subn(rf"(?m)^  (.* nation: {nation},)", rf"  {MARK}\1", smolensk_text())
    assert times > 9
    file = tmp_path / "war.fp"
    begin(file, read_scenario(read_yaml(text, "smolensk.yaml")))
    with nobody_listens(), campaign_file(file, games.build_world) as campaign:
        world, state = campaign.world, campaign.state
        found = plan(world, state, side, 4, solver=False)
        told = plan_view(world, state, found)
        assert told.turns
        assert told.left
        assert MARK not in codec.encode(told).decode() + as_text(saved(world, state, found))


def smolensk_text() -> str:
    return (files("forcepool.scenarios") / "smolensk.yaml").read_text("utf-8")


def test_the_demonstrations_losses_are_there_to_go_by() -> None:
    campaign = demonstration()
    with nobody_listens():
        found = as_in_the_last(campaign.world, campaign.state, campaign.entries(), 4)
        assert len(found.turns) == 4
        assert {loss.side for turn in found.turns for loss in turn} >= {"Axis", "Soviet"}
