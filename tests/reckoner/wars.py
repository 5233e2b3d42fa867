"""The wars that are reckoned anew: each shipped scenario, played by the bot alone and with a scripted offensive."""

from random import Random

from forcepool.engine import desk
from forcepool.engine.journal import Journal
from forcepool.planner.bot import play
from tests.campaigns.wars import SEED, scenario
from tests.campaigns.wars import fought as front_moves
from tests.reckoner.offensive import come_on, try_to
from tests.reckoner.rarities import besides
from tests.support.any_game import Seat, sit_down

EASTERN = "eastern-front"
SCENARIOS = ("compass-published", "east-1941", EASTERN, "smolensk", "west-1940")
BOT, OFFENSIVE = "bot", "offensive"
PLAYERS = (BOT, OFFENSIVE)
SEEDS = {BOT: 3, OFFENSIVE: 6}


def fought(name: str, player: str, turns: int, journal: Journal, seed: int = 0, *, text: str = "") -> Journal:
    """The journal of a war between the bot and itself, quiet or with an offensive on the map.

    `text` is a scenario that does not ship.
    """
    game = "eastern_front" if name == EASTERN else "europa"
    seat = sit_down(game, text or scenario(name), seed=SEED, journal=journal)
    seed = seed or SEEDS[player]
    if name == EASTERN:
        second_game(seat, player, turns, seed)
        return journal
    random = Random(seed)
    for act in play(seat.campaign, turns=turns, seed=seed, acts=12):
        if isinstance(act.command, desk.Advance) and player == OFFENSIVE:
            come_on(seat, random)
            besides(seat, random)
    return journal


def second_game(seat: Seat, player: str, turns: int, seed: int) -> None:
    """The bot plays both sides; with an offensive the front moves, and factories are begun whenever they may be."""
    seat.do("choose-first-factory", unit="Tank A")
    random = Random(seed)
    acts = front_moves(seat, seed, turns) if player == OFFENSIVE else play(seat.campaign, turns=turns, seed=seed)
    for act in acts:
        if isinstance(act.command, desk.Advance) and player == OFFENSIVE:
            works = [unit.id for unit in seat.campaign.state.units_in_order() if unit.place.kind == "unused"]
            for work in random.sample(works, min(4, len(works))):
                try_to(seat, "choose-factory", unit=work)
