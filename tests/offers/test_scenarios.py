"""In the shipped scenarios, at several dates: open options and ready orders are accepted, remedies help when followed.

FORCEPOOL_OFFERS=all looks at every unit in every phase of these dates, which takes some minutes of the processor's
time in the East; without it at some of them. A remedy is followed once for each kind: an order, a clause, and the words
of the remedy without names and numbers, for each side.
"""

import os
from collections.abc import Iterator

import pytest

from forcepool.engine.campaign import Campaign
from forcepool.engine.command import Command, command_name, describe
from forcepool.engine.decide import decide
from forcepool.engine.desk import Advance
from forcepool.engine.dice import RollNeeded
from forcepool.engine.options import Choice, options, options_of_side
from forcepool.engine.verdicts import Refusal
from forcepool.planner.bot import play
from tests.campaigns.wars import SEED, scenario
from tests.offers import trying
from tests.support.any_game import sit_down
from tests.support.quiet import nobody_listens

ALL = os.environ.get("FORCEPOOL_OFFERS") == "all"
DATES = {
    "compass-published": (0, 1, 3),
    "east-1941": (0, 1, 4) if ALL else (0, 1),
    "eastern-front": (0, 2, 6),
    "smolensk": (0, 1, 2),
    "west-1940": (0, 1, 4),
}
"""The turns after the first at which a scenario is looked at."""
EVERY = 1 if ALL else 29
"""Every how many units are looked at."""
REMEDIES = 10_000 if ALL else 25
"""How many kinds of remedy are followed in a scenario: each plays the game on from there."""


def _moments(name: str) -> Iterator[Campaign]:
    """The campaign as it stands in each phase of some turns of a war that the bot plays."""
    seat = sit_down("eastern_front" if name == "eastern-front" else "europa", scenario(name), seed=SEED)
    campaign = seat.campaign
    first = campaign.state.clock.turn
    yield campaign
    for act in play(campaign, turns=max(DATES[name]) + 1, seed=41):
        if isinstance(act.command, Advance) and campaign.state.clock.turn - first in DATES[name]:
            yield campaign


def _wrong(campaign: Campaign, tried: set[tuple[str, ...]]) -> Iterator[str]:
    world, state = campaign.world, campaign.state
    now = world.when(state)
    for order, why in trying.refused_ready_orders(world, state):
        yield f"{now}: the checklist proposes {describe(order)}, which is refused: {why}"
    side, later = world.phasing(state), trying.Later(world, state)
    for each in _choices(campaign):
        if each.open and not each.die:
            if _refused(campaign, each.command):
                yield f"{now}: {describe(each.command)} is listed as open and refused"
            continue
        for reason in each.reasons:
            kind = (command_name(each.command), reason.clause, _without_names(reason.remedy), side)
            if not reason.ways or kind in tried or len(tried) >= REMEDIES:
                continue
            tried.add(kind)
            if why := trying.is_untrue(world, later, each.command, reason):
                yield f"{now}: {describe(each.command)}: {reason.clause} {reason}: {why}"


def _choices(campaign: Campaign) -> Iterator[Choice]:
    world, state = campaign.world, campaign.state
    for unit in state.units_in_order()[state.clock.phase % EVERY :: EVERY]:
        yield from options(world, state, unit)
    for side in world.sequence.players if ALL else (world.phasing(state),):
        yield from options_of_side(world, state, side)


def _refused(campaign: Campaign, order: Command) -> bool:
    try:
        return isinstance(decide(campaign.world, campaign.state, order), Refusal)
    except RollNeeded:
        return False


def _without_names(text: str) -> str:
    return " ".join(word for word in text.split() if word.islower())


@pytest.mark.parametrize("name", sorted(DATES))
def test_players_are_told_the_truth(name: str) -> None:
    tried: set[tuple[str, ...]] = set()
    with nobody_listens():
        wrong = [line for campaign in _moments(name) for line in _wrong(campaign, tried)]
    assert not wrong, "\n".join(wrong[:20])
