"""A player that only ever picks from the listed options: for tests, and for an opponent's rear area in solo play.

It is seeded, so that the same campaign, seed and number of turns give the same game on any machine.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from random import Random

from msgspec import Struct

from forcepool.engine.agenda import LAPSES, agenda, duties
from forcepool.engine.answers import keep_answers
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.command import BadCommand, Command, command_name
from forcepool.engine.cup import SharesNeeded
from forcepool.engine.desk import Advance
from forcepool.engine.dice import RollNeeded
from forcepool.engine.verdicts import Refusal
from forcepool.planner.at_random import ORDERS, at_random
from forcepool.planner.outlook import is_moment
from forcepool.planner.plan import plan

SAME = 20
"""How often the bot gives one and the same command in a phase: a duty may be for several units."""


class Broken(Exception):
    """Something listed as open was refused: the list and the rules disagree."""


class Stuck(Broken):
    """Something must be done before play goes on, and the bot cannot do it."""


class Act(Struct, frozen=True):
    """One thing the bot did."""

    command: Command
    when: str


def play(campaign: Campaign, *, turns: int, seed: int, acts: int = ORDERS, plans: bool = False) -> Iterator[Act]:
    """Play on for a number of turns, at most `acts` commands a phase; with `plans`, rebuilding by them."""
    random = Random(seed)
    keep_answers(campaign.world, campaign.state)
    last = campaign.state.clock.turn + turns
    while campaign.state.clock.turn < last:
        yield from _phase(campaign, random, acts, plans=plans)
        # What the bot did may have made something due possible that was not before.
        yield from _what_is_due(campaign, campaign.world.phasing(campaign.state))
        yield from _end_of_phase(campaign)


def _end_of_phase(campaign: Campaign) -> Iterator[Act]:
    """On to the next phase; where another side holds it up with what it owes, that is done first."""
    try:
        yield _give(campaign, Advance())
    except Stuck:
        now = campaign.world.phasing(campaign.state)
        owed = [side for side in campaign.world.sequence.players if side != now]
        done = [act for side in owed for act in _what_is_due(campaign, side, only_its_own=True)]
        if not done:
            raise
        yield from done
        yield _give(campaign, Advance())


PLANS_AHEAD = 6
"""Turns that a bot plans ahead: long enough for most to come back, short enough not to hoard."""


def _by_plan(campaign: Campaign, side: str) -> Iterator[Act]:
    """What a plan made now has for this phase; what no longer goes is left."""
    world = campaign.world
    found = plan(world, campaign.state, side, PLANS_AHEAD)
    now = campaign.state.clock
    for order in [each for each in found.orders if each.at == now]:
        outcome = campaign.do(order.deal.command, seat=_seat(campaign, side))
        if isinstance(outcome, Done):
            yield Act(order.deal.command, world.when(campaign.state))


def mind(
    campaign: Campaign, sides: Collection[str], *, turns: int, seed: int, acts: int = ORDERS, plans: bool = False
) -> Iterator[Act]:
    """Mind the rear area of some sides only, and stop where a player of another side has decisions to make.

    With `plans` it rebuilds by a plan instead of by chance.
    """
    keep_answers(campaign.world, campaign.state)
    last = campaign.state.clock.turn + turns
    yield from _out_of_turn(campaign, sides, seed, plans=plans)
    while campaign.state.clock.turn < last and stops_for(campaign, sides) == "":
        side = campaign.world.phasing(campaign.state)
        if side in sides:
            yield from _phase(campaign, _chance(campaign, seed), acts, side=side, plans=plans)
            yield from _what_is_due(campaign, side)
        yield _give(campaign, Advance(), seat=_seat(campaign, side) if side in sides else "")
        yield from _out_of_turn(campaign, sides, seed, plans=plans)


def _chance(campaign: Campaign, seed: int) -> Random:
    """Each run begins afresh, so that the moment decides with the seed: no two turns are played alike."""
    return Random(f"{seed} {campaign.state.clock.player_turn} {campaign.state.clock.phase}")


def stops_for(campaign: Campaign, sides: Collection[str]) -> str:
    """The side whose player must act before the bot can go on; a side without counters or duties holds nobody up."""
    world, state = campaign.world, campaign.state
    side = world.phasing(state)
    if side in sides:
        return ""
    plays = any(world.side_now(state, unit.spec.nation) == side for unit in state.units.values())
    return side if plays or any(item.side in ("", side) for item in duties(world, state)) else ""


def _out_of_turn(campaign: Campaign, sides: Collection[str], seed: int, *, plans: bool) -> Iterator[Act]:
    """What a side owes in another's player-turn, and with plans what it would lose in it."""
    for side in sorted(sides):
        if side != campaign.world.phasing(campaign.state):
            yield from _what_is_due(campaign, side, only_its_own=True)
            if plans:
                yield from _what_would_lapse(campaign, _chance(campaign, seed), side)


def _phase(campaign: Campaign, random: Random, acts: int, side: str = "", *, plans: bool = False) -> Iterator[Act]:
    """A handful of commands from the listed options, for any side or for one; with plans, what they have for it
    instead, and then what would be lost if nothing is done."""
    world = campaign.world
    yield from _what_is_due(campaign, world.phasing(campaign.state))
    if plans and is_moment(world, campaign.state, world.phasing(campaign.state)):
        yield from _by_plan(campaign, world.phasing(campaign.state))
        yield from _what_would_lapse(campaign, random, side)
        return
    for command in at_random(campaign, random, side, acts, can_roll=campaign.can_roll):
        yield _give(campaign, command, seat=_seat(campaign, side))


def _what_is_due(campaign: Campaign, side: str, *, only_its_own: bool = False) -> Iterator[Act]:
    """Items that must be done come first; what cannot be done is left for the player."""

    def due() -> list[Command]:
        return [
            item.command
            for item in duties(campaign.world, campaign.state)
            if item.command is not None and (item.side == side or not (only_its_own or item.side))
        ]

    yield from _one_by_one(campaign, side, due)


def _what_would_lapse(campaign: Campaign, random: Random, side: str) -> Iterator[Act]:
    """What a side, or any, would lose if nothing is done, and has an order ready; of several factories that may be
    begun chance takes one."""

    def lapsing() -> list[Command]:
        listed = agenda(campaign.world, campaign.state, side=side)
        found = [item.command for item in listed if item.kind == LAPSES and item.command is not None]
        random.shuffle(found)
        return found

    yield from _one_by_one(campaign, side, lapsing)


def _one_by_one(campaign: Campaign, side: str, listed: Callable[[], list[Command]]) -> Iterator[Act]:
    """The orders of a list, which is made anew after each, until none is left that could be given."""
    tried: set[Command] = set()
    given: Counter[Command] = Counter()
    while True:
        fresh = next((each for each in listed() if each not in tried and given[each] < SAME), None)
        if fresh is None:
            return
        tried.add(fresh)
        try:
            outcome = campaign.do(fresh, seat=_seat(campaign, side))
        except (BadCommand, RollNeeded, SharesNeeded):
            continue
        if isinstance(outcome, Done):
            tried.clear()
            given[fresh] += 1
            yield Act(fresh, campaign.world.when(campaign.state))


def _seat(campaign: Campaign, side: str) -> str:
    """Who is written down as having done it: a side has a name in the journal where it has a seat."""
    return side if side in campaign.beginning.seats else ""


def _give(campaign: Campaign, command: Command, *, seat: str = "") -> Act:
    when = campaign.world.when(campaign.state)
    outcome = campaign.do(command, seat=seat)
    if isinstance(outcome, Refusal):
        reasons = "; ".join(f"{reason.clause} {reason}" for reason in outcome.reasons)
        if isinstance(command, Advance):
            raise Stuck(f"{when}: {reasons}")
        raise Broken(f"{when}: {command_name(command)} was listed as open and refused: {reasons}")
    return Act(command, when)
