"""The wars that the fixture campaigns are recordings of: the bot plays, and the map has its say."""

from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from random import Random
from typing import Any

from forcepool.engine import desk
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.command import BadCommand
from forcepool.engine.decide import Decision
from forcepool.engine.options import options
from forcepool.engine.state import Unit
from forcepool.games.eastern_front.chapter import COMBAT_PHASE
from forcepool.games.eastern_front.world import EasternWorld
from forcepool.games.europa.air.question import is_air
from forcepool.games.europa.world import EuropaWorld
from forcepool.planner.bot import Act, play
from tests.support.any_game import Seat, sit_down

SEED = bytes(range(32))
OVERSEAS = ("African", "Colonial", "Foreign Legion")
"""French forces with points of their own, which may be mixed with others."""
AIR_RESULTS = ("damaged", "ineffective", "aborted", "eliminated")


def scenario(name: str) -> str:
    """The words of a shipped scenario."""
    return files("forcepool").joinpath(f"scenarios/{name}.yaml").read_text("utf-8")


# ------------------------------------------------------------------------------------------ the second game


def front_moves(campaign: Campaign, random: Random) -> None:
    """In combat a point now and then changes hands: the Axis comes on until the end of 1942, then the Soviets."""
    world, state = campaign.world, campaign.state
    assert isinstance(world, EasternWorld)
    if world.phase(state) != COMBAT_PHASE or random.random() < 0.5:
        return
    facts = world.facts(state)
    loser, winner = ("Soviet", "Axis") if world.calendar.year(state.clock.turn) < 1943 else ("Axis", "Soviet")
    border = [
        point
        for point in sorted(world.points)
        if facts.control(point) == loser
        and any(other in world.points and facts.control(other) == winner for _, other in world.next_to(point))
    ]
    if border and world.phasing(state) == winner:
        order = desk.Declare(fact="control", about=random.choice(border), value=winner)
        assert isinstance(campaign.do(order), Done)


def fought(seat: Seat, seed: int, turns: int) -> Iterator[Act]:
    """The bot plays both sides of the second game, and the front moves as the dice of the test have it."""
    random = Random(seed)
    for act in play(seat.campaign, turns=turns, seed=seed):
        yield act
        if isinstance(act.command, desk.Advance):
            front_moves(seat.campaign, random)


# ---------------------------------------------------------------------------------------- the West and its air


def hit(seat: Seat, random: Random) -> None:
    """In each combat phase a few air units of the player come home hit."""
    campaign = seat.campaign
    world, state = campaign.world, campaign.state
    assert isinstance(world, EuropaWorld)
    if world.phase(state) != "combat":
        return
    flew = [unit for unit in of_the_player(campaign) if unit.place.on_map and is_air(world, unit)]
    for unit in random.sample(flew, min(random.randint(0, 3), len(flew))):
        seat.do("declare", fact="air_result", unit=unit.id, value=random.choice(AIR_RESULTS))


def of_the_player(campaign: Campaign) -> list[Unit]:
    world, state = campaign.world, campaign.state
    side = world.phasing(state)
    return [unit for unit in state.units_in_order() if world.side_now(state, unit.spec.nation) == side]


def send(seat: Seat, random: Random) -> None:
    """Points, ARPs and lost units go from one theatre to another, by rail or by sea, as far as the rules let them."""
    campaign = seat.campaign
    world, state = campaign.world, campaign.state
    assert isinstance(world, EuropaWorld)
    phase = world.phase(state)
    if phase == "reinforcement":
        arps = [(a.pool, a.nation) for a, n in sorted(state.balances.items()) if a.kind == "arp" and n >= 1]
        into = [area for area in sorted(world.areas) if area.startswith("theatre/")]
        ways = [
            {"pool": pool, "into": other, "arps": "1", "nation": nation}
            for pool, nation in arps
            for other in into
            if pool in world.areas and other != pool
        ]
        first_that_passes(seat, random, "transfer-arps", ways)
    if phase == "movement":
        first_that_passes(seat, random, "transfer-points", list(point_moves(seat)))
        units = [unit for unit in of_the_player(campaign) if unit.place.kind == "eliminated"]
        for unit in random.sample(units, min(3, len(units))):
            ways_out = options(world, campaign.state, unit, names={"transfer-unit"})
            if opened := [each for each in ways_out if each.open]:
                assert isinstance(campaign.do(random.choice(opened).command), Done)
                return


def point_moves(seat: Seat) -> Iterator[dict[str, Any]]:
    """A point up or down a level, for every pool that has one."""
    world, state = seat.campaign.world, seat.campaign.state
    assert isinstance(world, EuropaWorld)
    for account, amount in sorted(state.balances.items()):
        if amount < 1 or not account.kind.startswith(("inf", "arm")):
            continue
        for area in sorted(world.areas):
            if account.pool == f"national/{account.nation}" and area.startswith("theatre/"):
                into = area
            elif account.pool == area:
                into = world.areas[area].within or f"national/{account.nation}"
            elif account.pool.startswith("theatre/") and world.areas[area].within == account.pool:
                into = area
            else:
                continue
            for by in ("rail", "naval"):
                points = f"1 {account.kind}"
                yield {"pool": account.pool, "into": into, "points": points, "nation": account.nation, "by": by}


def mix(seat: Seat, random: Random) -> None:
    """A unit of the Empire or of French Africa is replaced with points of two kinds."""
    if seat.campaign.world.phase(seat.campaign.state) != "replacement":
        return
    mixes = {"India": ("1 inf of Britain", "1/2 inf of Britain"), "France": ("1 inf", "3/2 inf", "1/2 inf")}
    ways = [
        {"unit": unit.id, "pay_from": pool, "mix": text}
        for unit in of_the_player(seat.campaign)
        if unit.place.kind == "eliminated" and (unit.spec.nation == "India" or unit.spec.force in OVERSEAS)
        for pool in (unit.place.of, f"national/{unit.spec.nation}")
        for text in mixes[unit.spec.nation]
    ]
    first_that_passes(seat, random, "replace", ways)


def muster(seat: Seat, random: Random) -> None:
    """British troops in the Delta and Palestine enter the Mediterranean reserve."""
    campaign = seat.campaign
    if campaign.world.phase(campaign.state) == "reinforcement":
        # Here Italy is at war from the first turn on, for the sake of the Mediterranean reserve; the players say so.
        seat.do("declare", fact="italy_at_war", value="yes")
        there = [unit for unit in of_the_player(seat.campaign) if unit.place.of in ("Alexandria", "Cairo", "Haifa")]
        ways = [{"unit": unit.id, "mediterranean": True} for unit in there]
        first_that_passes(seat, random, "enter-strategic-reserve", ways)


def first_that_passes(seat: Seat, random: Random, name: str, ways: Sequence[dict[str, Any]]) -> None:
    """Of a dozen ways to give a command, the first that the rules let pass, once in a while."""
    if random.random() < 0.6:
        return
    for fields in random.sample(ways, min(12, len(ways))):
        order = seat.order(name, **fields)
        try:
            if isinstance(seat.campaign.judge(order), Decision):
                assert isinstance(seat.campaign.do(order), Done)
                return
        except BadCommand:
            continue


# -------------------------------------------------------------------------------------- slips of the players


def slip(seat: Seat, random: Random) -> None:
    """Now and then a player takes a command back, gives it again, or overrules a rule with a note."""
    campaign, roll = seat.campaign, random.random()
    if roll < 0.02:
        campaign.undo()
        campaign.redo()
    elif roll < 0.03:
        seat.do("note", text="a slip of the pen")
        campaign.undo()
    elif roll < 0.04:
        units = of_the_player(campaign)
        closed = [
            choice.command
            for unit in random.sample(units, min(8, len(units)))
            for choice in options(campaign.world, campaign.state, unit, names={"replace", "rebuild-cadre"})
            if not choice.open and not choice.final
        ]
        if closed:
            assert isinstance(campaign.do(random.choice(closed), override="agreed at the table"), Done)


def played(seat: Seat, turns: int, seed: int, *besides: Callable[[Seat, Random], None]) -> Campaign:
    """A war played to its end by the bot, with what else happens as each phase begins."""
    random = Random(seed)
    for act in play(seat.campaign, turns=turns, seed=seed):
        if isinstance(act.command, desk.Advance):
            for happens in besides:
                happens(seat, random)
    return seat.campaign


def year_in_the_east() -> Campaign:
    """The East from June 1941: losses every turn, factories, an order of battle, the air over it; five months of it."""
    return played(sit_down("europa", scenario("east-1941"), seed=SEED), 20, 7, hit, slip)


def western_allied_year() -> Campaign:
    """The West and the Mediterranean from May 1940: the Empire, the French, two air forces a side, transfers."""
    return played(sit_down("europa", scenario("west-1940"), seed=SEED), 48, 3, hit, send, mix, muster, slip)


def eastern_front() -> Campaign:
    """Forty turns of the second game."""
    seat = sit_down("eastern_front", scenario("eastern-front"), seed=SEED)
    seat.do("choose-first-factory", unit="Tank A")
    random = Random(2)
    for act in fought(seat, 41, 40):
        if isinstance(act.command, desk.Advance):
            slip(seat, random)
    return seat.campaign


WARS: dict[str, Callable[[], Campaign]] = {
    "east-year": year_in_the_east,
    "west-year": western_allied_year,
    "eastern-front": eastern_front,
}
"""What each shipped fixture is a recording of."""
