"""Who runs the rear area in a study: nobody, chance, a plan, or a function of one's own."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from itertools import islice
from random import Random
from typing import Any

from forcepool.engine.answers import watched
from forcepool.engine.branch import Branch
from forcepool.engine.command import BadCommand, Command, command_name
from forcepool.engine.decide import Decision
from forcepool.engine.options import offered, would_pass
from forcepool.engine.sentence import Told
from forcepool.planner.at_random import at_random
from forcepool.planner.deals import is_in_need, planned
from forcepool.planner.outlook import is_moment
from forcepool.planner.plan import plan
from forcepool.planner.quiet import Step
from forcepool.study.design import PLAN, QUIET, RANDOM, REBUILD
from forcepool.views.orders import from_line

Policy = Callable[[Branch, str, Random], Iterable[Command | str]]
"""From the branch as it stands, the side whose phase it is, and chance, to the orders to give: each is judged before
the next is asked for, and one that is refused is passed over."""
AHEAD = 6
"""Turns that a plan looks ahead."""


def quiet(branch: Branch, side: str, random: Random) -> Iterator[Command]:
    """Only what is due, which everybody does."""
    return iter(())


def by_chance(branch: Branch, side: str, random: Random) -> Iterator[Command]:
    """A few of the open options of a few units, whichever chance takes."""
    return at_random(branch, random, side)


def buying_back(branch: Branch, side: str, random: Random) -> Iterator[Command]:
    """Whatever can be bought back, as far as the points go; chance takes the units in turn, and a way for each."""
    world, phase = branch.world, branch.world.phase(branch.state)
    names = {command_name(each) for each, phases in planned(world).items() if phase in phases}
    units = [
        each
        for each in (branch.state.units_in_order() if names else ())
        if is_in_need(each) and world.side_now(branch.state, each.spec.nation) == side
    ]
    random.shuffle(units)
    for unit in units:
        ways = offered(world, branch.state, branch.state.units[unit.id], names)
        random.shuffle(ways)
        yield from islice((each for each in ways if would_pass(world, watched(world, branch.state), each)), 1)


def by_plan(branch: Branch, side: str, random: Random) -> Iterator[Command]:
    """What a plan made now has for this phase."""
    if is_moment(branch.world, branch.state, side):
        now = branch.state.clock
        found = plan(branch.world, branch.state.copy(), side, AHEAD)
        yield from (each.deal.command for each in found.orders if each.at == now)


NAMED: dict[str, Policy] = {QUIET: quiet, RANDOM: by_chance, REBUILD: buying_back, PLAN: by_plan}


@cache
def policy_named(name: str) -> Policy:
    """A policy that comes with the program, or 'module:function' of one's own."""
    if name in NAMED:
        return NAMED[name]
    module, _, function = name.partition(":")
    try:
        found: Any = getattr(import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise Told(f"the policy {name} cannot be loaded: {error}; it must lie where Python finds it") from None
    policy: Policy = found
    return policy


def acts_of(policy: Policy, random: Random) -> Callable[[Branch], Iterator[Step]]:
    """What a policy does in a phase, each order as it passes the rules."""

    def acts(branch: Branch) -> Iterator[Step]:
        for order in policy(branch, branch.world.phasing(branch.state), random):
            at = branch.state.clock
            try:
                command = from_line(branch.world.game, order) if isinstance(order, str) else order
                decision = branch.judge(command)
            except BadCommand:
                continue
            if isinstance(decision, Decision):
                branch.carry_out(decision)
                yield Step(at, command, decision.events)

    return acts
