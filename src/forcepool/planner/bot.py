"""A player that only ever picks from the listed options: for tests, and for an opponent's rear area in solo play.

It is seeded, so that the same campaign, seed and number of turns give the same game on any machine.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random

from msgspec import Struct

from forcepool.engine.agenda import DUE, agenda
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.command import BadCommand, Command, command_name
from forcepool.engine.desk import Advance
from forcepool.engine.dice import RollNeeded
from forcepool.engine.options import Choice, options
from forcepool.engine.state import Unit
from forcepool.engine.verdicts import Refusal

LOOKS = 40
"""How many units the bot looks at in a phase; a real player does not go through every counter either."""


SAME = 20
"""How often the bot gives one and the same command in a phase: a duty may be for several units."""


class Broken(Exception):
    """Something listed as open was refused: the list and the rules disagree."""


class Act(Struct, frozen=True):
    """One thing the bot did."""

    command: Command
    when: str


def play(campaign: Campaign, *, turns: int, seed: int, acts: int = 6) -> Iterator[Act]:
    """Play on for a number of turns, giving at most `acts` commands in each phase."""
    random = Random(seed)
    last = campaign.state.clock.turn + turns
    while campaign.state.clock.turn < last:
        yield from _phase(campaign, random, acts)
        # What the bot did may have made something due possible that was not before.
        yield from _what_is_due(campaign)
        yield _give(campaign, Advance())


def _phase(campaign: Campaign, random: Random, acts: int) -> Iterator[Act]:
    yield from _what_is_due(campaign)
    habits = campaign.world.game.habits
    left = {name: random.randint(0, habit.most) for name, habit in sorted(habits.items())}
    phase = campaign.world.phase(campaign.state)
    wanted = {name for name, habit in habits.items() if phase in habit.phases and left[name]}
    if not wanted:
        return
    units = campaign.state.units_in_order()
    for unit in random.sample(units, min(LOOKS, len(units))):
        if acts <= 0 or not wanted:
            return
        choice = _pick(campaign, campaign.state.units[unit.id], wanted, random)
        if choice is None:
            continue
        name = command_name(choice.command)
        yield _give(campaign, choice.command)
        acts -= 1
        left[name] -= 1
        if not left[name]:
            wanted.discard(name)


def _what_is_due(campaign: Campaign) -> Iterator[Act]:
    """Items that must be done come first; what cannot be done is left for the player."""
    tried: set[Command] = set()
    given: Counter[Command] = Counter()
    while True:
        side = campaign.world.phasing(campaign.state)
        items = agenda(campaign.world, campaign.state, side=side)
        commands = [item.command for item in items if item.kind == DUE and item.command is not None]
        fresh = next((each for each in commands if each not in tried and given[each] < SAME), None)
        if fresh is None:
            return
        tried.add(fresh)
        try:
            outcome = campaign.do(fresh)
        except (BadCommand, RollNeeded):
            continue
        if isinstance(outcome, Done):
            tried.clear()
            given[fresh] += 1
            yield Act(fresh, campaign.world.when(campaign.state))


def _pick(campaign: Campaign, unit: Unit, wanted: set[str], random: Random) -> Choice | None:
    listed = options(campaign.world, campaign.state, unit, names=wanted)
    opened = [each for each in listed if each.open and (campaign.seed or not each.die)]
    return random.choice(opened) if opened else None


def _give(campaign: Campaign, command: Command) -> Act:
    when = campaign.world.when(campaign.state)
    outcome = campaign.do(command)
    if isinstance(outcome, Refusal):
        reasons = "; ".join(f"{reason.clause} {reason}" for reason in outcome.reasons)
        raise Broken(f"{when}: {command_name(command)} was listed as open and refused: {reasons}")
    return Act(command, when)
