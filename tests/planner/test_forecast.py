"""A forecast is the campaign played on with nothing done but what is due: the same points, units and marks."""

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product, takewhile
from pathlib import Path

import pytest
from msgspec.structs import replace

from forcepool import games
from forcepool.engine.agenda import duties
from forcepool.engine.branch import Branch, in_the_middle
from forcepool.engine.calendar import Calendar
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.decide import Decision
from forcepool.engine.desk import Advance
from forcepool.engine.dice import RollNeeded
from forcepool.engine.events import Event, PhaseBegan, Transferred
from forcepool.engine.journal import read_entry
from forcepool.engine.ledger import Account
from forcepool.engine.places import at_hex
from forcepool.engine.state import State, evolve, to_bytes
from forcepool.engine.verdicts import Refusal
from forcepool.engine.world import World
from forcepool.planner.chances import Chances
from forcepool.planner.forecast import COMES, LAPSES, Forecast, Leaving, forecast
from forcepool.planner.quiet import Step, play_on
from forcepool.store.open import campaign_file
from forcepool.views.forecast import ahead, journeys, mostly
from forcepool.views.scenarios import begin, read_scenario, scenario_names, shipped_scenario
from tests.campaigns.demonstration import demonstration
from tests.campaigns.wars import scenario
from tests.support import ring
from tests.support.any_game import sit_down
from tests.support.quiet import nobody_listens

AHEAD = 24


@pytest.fixture
def played(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Campaign]:
    """A shipped scenario as it begins, with dice that are entered by hand."""
    file = tmp_path / "war.fp"
    begin(file, read_scenario(shipped_scenario(request.param)), by_hand=True)
    with nobody_listens(), campaign_file(file, games.build_world) as campaign:
        yield campaign


def rolled(campaign: Campaign, command: Command, override: str = "") -> Done | Refusal:
    """An order given as at the table, with dice that show their middle faces."""
    rolls: list[int] = []
    while True:
        try:
            return campaign.do(command, rolls=rolls, override=override)
        except RollNeeded as need:
            rolls.append(in_the_middle(need))


def does_what_is_due(campaign: Campaign) -> None:
    """Every duty that has a ready order and can be done, again and again until none is left."""
    refused = set()
    while fresh := [
        each.command
        for each in duties(campaign.world, campaign.state)
        if each.command is not None and each.command not in refused
    ]:
        for command in dict.fromkeys(fresh):
            try:
                if isinstance(rolled(campaign, command), Refusal):
                    refused.add(command)
            except BadCommand:
                refused.add(command)


def plays_on(campaign: Campaign, turns: int) -> Iterator[State]:
    """The campaign really played; the state as each turn ends."""
    last = campaign.state.clock.turn + turns
    while campaign.state.clock.turn < last:
        does_what_is_due(campaign)
        before = campaign.state.copy()
        if isinstance(rolled(campaign, Advance()), Refusal):
            rolled(campaign, Advance(), override="nobody can do it")
        if campaign.state.clock.turn != before.clock.turn:
            # What still happens as the last phase ends belongs to the turn.
            events = read_entry(next(campaign.journal.read(campaign.seq))).events
            evolve(before, takewhile(lambda event: not isinstance(event, PhaseBegan), events))
            yield before


def held(campaign: Campaign, state: State, account: Account) -> Fraction:
    """What a pool holds with all that is on its way to it or still to be allotted there."""
    world, found = campaign.world, Fraction(0)
    for each, balance in state.balances.items():
        if (each.nation, each.kind) == (account.nation, account.kind) and not each.pool.startswith(("source", "sink")):
            standing = world.standing(each.pool)
            pool = standing.becomes or world.standing(standing.pool).becomes or standing.pool
            found += balance if pool == account.pool else 0
    return found


SMALL, GREAT = ("compass-published", "eastern-front", "smolensk", "west-1940"), ("east-1941",)


def test_every_shipped_scenario_is_played_on() -> None:
    assert sorted((*SMALL, *GREAT)) == scenario_names()


@pytest.mark.parametrize("played", SMALL, indirect=True)
def test_a_forecast_is_the_campaign_played_on_with_no_orders(played: Campaign) -> None:
    before = to_bytes(played.state)
    found = forecast(played.world, played.state, AHEAD - 1)
    assert to_bytes(played.state) == before, "looking ahead changes nothing"
    branch = Branch(played.world, played.state)
    for _ in play_on(branch, AHEAD):
        pass
    ends = list(plays_on(played, AHEAD))
    assert to_bytes(branch.state) == to_bytes(played.state)
    comes_about(played, found, ends)


@pytest.mark.parametrize("played", GREAT, indirect=True)
def test_the_great_campaign_comes_about_as_foreseen(played: Campaign) -> None:
    """The largest scenario from its first turn, with its map and its order of battle."""
    found = forecast(played.world, played.state, AHEAD - 1)
    comes_about(played, found, list(plays_on(played, AHEAD)))


def comes_about(played: Campaign, found: Forecast, ends: list[State]) -> None:
    """Each pool holds as each turn ends what was foreseen, to the last fraction."""
    assert len(found.turns) == len(ends) == AHEAD
    assert found.holds
    for account, holds in found.holds.items():
        assert holds == tuple(held(played, state, account) for state in ends), account


def test_the_demonstration_ahead() -> None:
    """On the map with both sides: the books add up, and what is told of a turn is what changed in it."""
    campaign = demonstration()
    with nobody_listens():
        found = forecast(campaign.world, campaign.state, 4)
    assert len(found.turns) == 5
    for account, holds in found.holds.items():
        total = held(campaign, campaign.state, account)
        for turn, holds_then in zip(found.turns, holds, strict=True):
            for each in (change for change in found.changes if change.turn == turn):
                total += each.amount if each.account == account and each.what == COMES else 0
                total -= each.amount if each.account == account and each.what != COMES else 0
                total += (
                    each.amount
                    if (each.into, each.account.nation, each.account.kind)
                    == (
                        account.pool,
                        account.nation,
                        account.kind,
                    )
                    else 0
                )
            assert total == holds_then, (account, turn)
    assert any(change.what == LAPSES for change in found.changes)
    assert {arrival.nation for arrival in found.arrivals} >= {"Germany", "Soviet Union"}


def test_one_side_ahead_is_told_nothing_of_the_other() -> None:
    campaign = demonstration()
    world, state = campaign.world, campaign.state
    with nobody_listens():
        found = forecast(world, state, 2, only=("Axis",))
    placed = {arrival.unit for arrival in found.arrivals if arrival.frm is not None}
    assert placed
    assert all(world.side_now(state, state.units[each].spec.nation) == "Axis" for each in placed)
    told = ahead(world, state, found, side="Axis")
    sides = {each.side for turn in told.turns for each in (*turn.comes, *turn.lapses, *turn.moves)}
    sides |= {each.side for turn in told.turns for each in turn.arrives} | {each.side for each in told.pools}
    assert sides == {"Axis"}


# --------------------------------------------------------------------------------------------------------- dice


def by_the_faces(campaign: Campaign, faces: tuple[int, ...], turns: int) -> State:
    """The campaign played on with dice that fall as told, the first that are rolled; the rest in the middle."""
    waiting = list(faces)

    def falls(need: RollNeeded) -> int:
        return waiting.pop(0) if waiting else in_the_middle(need)

    branch = Branch(campaign.world, campaign.state, falls)
    for _ in play_on(branch, turns):
        pass
    return branch.state


def with_reserves(text: str) -> str:
    """The desert with depots and a deployment die, as the house rule set has it; the published style knows none."""
    for city, of in (("Alexandria", ", depot_of: British"), ("Tripoli", ", depot_of: Italian"), ("London", "")):
        text = re.sub(rf"(?m)^(  {city}: \{{md: \w+, city: yes)", rf"\1, depot: yes{of}", text)
    return text.replace("profile: published\n", "profile: published\nnumbers: {reserves_played: 1}\n")


def test_chances_are_those_of_every_fall_of_the_dice() -> None:
    """Two dice of the first roll, each of the 36 ways played on, until the next month has begun and taken its share."""
    played = sit_down("europa", with_reserves(scenario("compass-published"))).campaign
    account, chances, turns = Account("reserve/operational", "Britain", "or"), Chances(), 2
    branch = Branch(played.world, played.state)
    for _ in play_on(branch, turns, looks=chances.look):
        pass
    assert [_touches(chance.outcomes, account) for chance in chances.rolls] == [True, False]
    middle = branch.state.balances[account]
    spread: dict[Fraction, Fraction] = {}
    for faces in product(range(1, 7), repeat=2):
        more = by_the_faces(played, faces, turns).balances.get(account, Fraction(0)) - middle
        spread[more] = spread.get(more, Fraction(0)) + Fraction(1, 36)
    assert dict(chances.spreads[account]) == dict(sorted(spread.items()))
    assert (min(spread), len(spread)) == (Fraction(-9, 4), 9)


def _touches(outcomes: Iterable[tuple[Fraction, Mapping[Account, Fraction]]], account: Account) -> bool:
    return any(account in changed for _, changed in outcomes)


def test_what_a_die_brought_stays_uncertain_in_the_pool_it_goes_on_to() -> None:
    """Half of pool A goes on to B as the phase begins: what A may have more or less is shared between them."""

    def half_goes_on(world: World, state: State) -> Iterator[Event]:
        half = state.balance("A", "German", "inf") / 2
        yield Transferred(amount=half, kind="inf", nation="German", frm="A", to="B")

    game = replace(ring.GAME, happens=(half_goes_on,), commands=(*ring.GAME.commands, Advance))
    world = World(game, Calendar(turns_per_month=4), ring.world_of(b"").sequence, {})
    branch, chances = Branch(world, ring.opening()), Chances()
    first, second = Account("A", "German", "inf"), Account("B", "German", "inf")
    half = Fraction(1, 2)
    chances.spreads = {first: {Fraction(-2): half, Fraction(4): half}, second: {Fraction(0): half, Fraction(8): half}}
    decision = branch.judge(Advance())
    assert isinstance(decision, Decision)
    chances.look(branch, decision)
    assert chances.spreads[first] == {Fraction(-1): half, Fraction(2): half}
    assert chances.spreads[second] == {Fraction(each): half * half for each in (-1, 2, 7, 10)}
    # As the phase ended nothing had moved yet.
    assert chances.ended[first] == {Fraction(-2): half, Fraction(4): half}


def test_nine_times_in_ten_leaves_out_at_most_a_twentieth_at_either_end() -> None:
    one = Fraction(1, 20)
    even = {Fraction(each): one for each in range(20)}
    assert mostly(even) == (Fraction(1), Fraction(18))
    assert mostly({Fraction(0): Fraction(1)}) == (Fraction(0), Fraction(0))
    # A little more than a twentieth stays in.
    assert mostly({Fraction(-1): Fraction(51, 1000), Fraction(0): Fraction(949, 1000)}) == (
        Fraction(-1),
        Fraction(0),
    )


def test_what_cannot_be_done_is_told_and_play_goes_on() -> None:
    campaign = demonstration()
    branch = Branch(campaign.world, campaign.state)
    with nobody_listens():
        steps = [each for each in play_on(branch, 1, only=("nobody",)) if isinstance(each, Step)]
    assert branch.state.clock.turn == campaign.state.clock.turn + 1
    assert {type(each.command) for each in steps} == {Advance}


def test_a_unit_that_is_moved_on_in_a_turn_is_told_once_and_not_at_all_where_it_comes_back() -> None:
    kiev, jassy, bucharest = (at_hex(point) for point in ("Kiev", "Jassy", "Bucharest"))
    first, on = (
        Leaving(3, "I Rum Corps", "Rumania", kiev, jassy),
        Leaving(3, "I Rum Corps", "Rumania", jassy, bucharest),
    )
    there, back = Leaving(3, "V Corps", "Germany", kiev, jassy), Leaving(3, "V Corps", "Germany", jassy, kiev)
    assert journeys([first, there, on, back]) == [Leaving(3, "I Rum Corps", "Rumania", kiev, bucharest)]
