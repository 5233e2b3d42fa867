"""Plans without a solver: at each moment the order that seems best is given, then the next, until nothing is open.

Three rules of thumb, written down before anything was compared with them: the most strength for a point, the strongest
unit first, the soonest back first. The best of the three is the plan.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.branch import Branch
from forcepool.engine.ledger import NOTHING
from forcepool.engine.places import TRACK
from forcepool.engine.state import State, Unit
from forcepool.engine.world import World
from forcepool.planner.again import Before, given_again
from forcepool.planner.carried import Given, Played, give, play
from forcepool.planner.deals import Deal, deals, is_in_need, planned
from forcepool.planner.goals import Goals
from forcepool.planner.network import Counts
from forcepool.planner.outlook import Outlook, Progress
from forcepool.planner.stocks import come_in_all, flows

Score = tuple[Fraction, Fraction]


class Bargain(Struct, frozen=True):
    """What an order would bring by the end, for how many points, and when."""

    unit: Unit
    deal: Deal
    gain: Fraction
    arrives: int


Rule = Callable[[Bargain], Score]


def most_for_a_point(each: Bargain) -> Score:
    cost = each.deal.cost
    return (-each.gain / cost if cost else -each.gain * 1000, Fraction(each.arrives))


def strongest_first(each: Bargain) -> Score:
    return (-each.gain, each.deal.cost)


def soonest_first(each: Bargain) -> Score:
    return (Fraction(each.arrives), -each.gain)


RULES: dict[str, Rule] = {
    "the most strength for a point": most_for_a_point,
    "the strongest unit first": strongest_first,
    "the soonest back first": soonest_first,
}


class Purse:
    """What a rule of thumb may spend: not what is to be kept, not more than its share, nothing on units left alone."""

    def __init__(self, goals: Goals, outlook: Outlook) -> None:
        self.goals = goals
        shares = dict(goals.spend)
        self._left: dict[tuple[str, str], Fraction] = {}
        for account, amount in come_in_all(outlook, flows(outlook)) if shares else ():
            if account.kind in shares:
                key = account.nation, account.kind
                self._left[key] = self._left.get(key, NOTHING) + amount * shares[account.kind]
        # What is spent on the way is missing at the end, or lapsed anyhow. What cannot be kept at all forbids nothing.
        ends = {keep.account: outlook.end.balances.get(keep.account, NOTHING) - keep.amount for keep in goals.keeps}
        self._beyond = {account: amount for account, amount in ends.items() if amount >= 0}

    def allows(self, each: Bargain) -> bool:
        if each.unit.id in self.goals.leave:
            return False
        return all(
            amount <= self._left.get((account.nation, account.kind), amount)
            and amount <= self._beyond.get(account, amount)
            for account, amount in each.deal.draws
            if amount > 0
        )

    def spent(self, deal: Deal) -> None:
        for account, amount in deal.draws:
            key = account.nation, account.kind
            if key in self._left:
                self._left[key] -= amount
            if account in self._beyond:
                self._beyond[account] -= max(amount, NOTHING)


def greedy(
    world: World,
    state: State,
    side: str,
    turns: int,
    rule: Rule,
    *,
    counts: Counts,
    purse: Purse,
    before: Sequence[Before] = (),
    progress: Progress = lambda turn, of: None,
) -> Played:
    """Play on by a rule of thumb; what a plan made before has for a moment goes first."""
    last = state.clock.turn + turns

    def decides(branch: Branch, moment: int) -> Iterator[Given]:
        for again in given_again(branch, before):
            purse.spent(again.deal)
            yield again
        while given := list(_pass(branch, side, rule, counts, purse, last)):
            yield from given

    return play(world, state, side, turns, decides, progress)


def _pass(branch: Branch, side: str, rule: Rule, counts: Counts, purse: Purse, last: int) -> Iterator[Given]:
    """All that is open now, the best first, each unit once."""
    found = [
        bargain
        for unit in branch.state.units_in_order()
        if is_in_need(unit)
        if branch.world.side_now(branch.state, unit.spec.nation) == side
        for deal in deals(branch.world, branch.state, unit, planned(branch.world))
        if (bargain := _bargain(branch, unit, deal, counts, last)) is not None
    ]
    done: set[str] = set()
    for each in sorted(found, key=lambda each: (rule(each), each.unit.id)):
        if each.unit.id not in done and purse.allows(each):
            outcome = give(branch, each.unit, each.deal.command)
            if isinstance(outcome, Given):
                done.add(each.unit.id)
                purse.spent(outcome.deal)
                yield outcome


def _bargain(branch: Branch, unit: Unit, deal: Deal, counts: Counts, last: int) -> Bargain | None:
    """What it brings; None if it brings nothing by the end. What leaves a box for another is a step on the way."""
    before = counts(unit, branch.state) if unit.place.on_map else NOTHING
    lands = deal.place.on_map or deal.place.kind == TRACK
    if deal.place.due > last:
        return None
    after = Unit(unit.id, unit.spec, deal.place, deal.step)
    gain = (counts(after, branch.state) if lands else NOTHING) - before
    on_the_way = not lands and not unit.place.on_map
    return Bargain(unit, deal, gain, deal.place.due) if gain > 0 or on_the_way else None
