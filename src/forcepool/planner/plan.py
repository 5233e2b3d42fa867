"""A plan: the orders that bring most back by a date, played through the engine before anyone is shown them.

The network is solved, the solution is played on a branch, order by order. What play refuses, or what does not come to
what was promised, becomes a limit, and it is solved again. What is shown was accepted by every rule and really reached;
beside it stands the bound of the first answer, which no plan from this network exceeds.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.ledger import NOTHING
from forcepool.engine.places import TRACK
from forcepool.engine.state import State, Unit
from forcepool.engine.world import World
from forcepool.planner.again import Before, found_again, kept
from forcepool.planner.carried import Follower, Given, Played, followed, total
from forcepool.planner.deals import is_in_need, worth
from forcepool.planner.goals import Goals, Keep
from forcepool.planner.greedy import RULES, Purse, greedy
from forcepool.planner.model import Cut
from forcepool.planner.network import Arc, Counts, Network, network
from forcepool.planner.outlook import Outlook, Progress, outlook
from forcepool.planner.solver import SECONDS, solve, solver_starts

ROUNDS = 6
"""How often a plan is mended before it is shown as it was played."""
SOLVED = "solver"


class Plan(Struct, frozen=True):
    """Orders, turn by turn, with what they come to."""

    side: str
    turns: int
    goals: Goals
    orders: tuple[Given, ...]
    outlook: Outlook
    quiet: Fraction
    """What the side's units on the map count at the end if nobody does more than is due."""
    value: Fraction
    """… and with the plan, as it was played."""
    by: str
    """How it was found: by the solver, or by which rule of thumb."""
    end: State
    unmet: tuple[str, ...] = ()
    """The units that were asked for and are not full in time."""
    unkept: tuple[Keep, ...] = ()
    """The points that were to be kept and are not there at the end."""
    bound: Fraction | None = None
    """What no plan from the same choices exceeds; None without a solver."""
    rounds: int = 0
    rules: tuple[tuple[str, Fraction], ...] = ()
    """What the rules of thumb come to, where they were tried."""
    network: Network | None = None
    cuts: tuple[Cut, ...] = ()
    before: tuple[Before, ...] = ()
    """The orders of a plan made before that were to be kept."""

    @property
    def kept(self) -> list[Before]:
        """Those of them that are in it."""
        return kept(self.orders, self.before)

    @property
    def gain(self) -> Fraction:
        return self.value - self.quiet

    @property
    def proven(self) -> bool:
        return self.bound is not None and self.value >= self.bound


def plan(
    world: World,
    state: State,
    side: str,
    turns: int,
    goals: Goals | None = None,
    *,
    seconds: float = SECONDS,
    solver: bool | None = None,
    compare: bool = False,
    before: Sequence[Before] = (),
    progress: Progress = lambda done, of: None,
) -> Plan:
    """The plan for a side: by the solver where there is one, else by rules of thumb.

    What the solver has proven best is not compared with rules of thumb unless asked for. Of the orders in `before` as
    many are kept as can be, then the most is had with the others.
    """
    planner = _Planner(world, state, side, turns, goals or Goals(), tuple(before), progress)
    use = solver_starts() if solver is None else solver
    found = planner.solved(seconds) if use and planner.ahead.moments else None
    if found is not None and found.proven and not compare:
        return found
    return planner.by_rule_of_thumb(found)


class _Planner:
    def __init__(
        self,
        world: World,
        state: State,
        side: str,
        turns: int,
        goals: Goals,
        before: tuple[Before, ...],
        progress: Progress,
    ) -> None:
        self.world, self.state, self.side, self.turns, self.goals = world, state, side, turns, goals
        self.before, self.progress = before, progress
        self.counts: Counts = lambda unit, now: weighed(world, goals, unit, now)
        self.ahead = outlook(world, state, side, turns, progress)
        self.quiet = total(world, self.ahead.end, side, self.counts)

    def solved(self, seconds: float) -> Plan | None:
        net = network(
            self.world,
            self.ahead,
            leave=self.goals.leave,
            apart=self.goals.apart,
            counts=self.counts,
            progress=self.progress,
        )
        here = sum((node.counts * len(node.units) for node in net.nodes), NOTHING)
        again = found_again(net, self.before)
        cuts: list[Cut] = []
        best: Plan | None = None
        bound = NOTHING
        for number in range(1, ROUNDS + 1):
            still = {arc: len(units) for arc, units in again.items()}
            solution = solve(net, self.goals, cuts, seconds=seconds, before=still)
            if solution is None:
                break
            promised = self.quiet + solution.value - here
            bound = self.quiet + solution.bound - here if best is None else bound
            follower = Follower(net, solution.taken, solution.sent, again)
            played = followed(self.world, self.state, self.side, self.turns, follower, self.progress)
            found = replace(self._plan(played, SOLVED), rounds=number, network=net, cuts=tuple(cuts))
            if best is None or _better(found, best):
                best = found
            if found.value >= promised or (best.value >= promised and not best.unmet and not best.unkept):
                break
            cuts += learnt(net, played)
        return replace(best, bound=bound) if best is not None else None

    def by_rule_of_thumb(self, best: Plan | None) -> Plan:
        """The best that rules of thumb find, or what was found before if that is better."""
        found = [self._plan(self._greedy(name), name) for name in RULES]
        rules = tuple((each.by, each.value) for each in found)
        for each in found:
            if best is None or _better(each, best):
                best = replace(each, bound=best.bound, network=best.network) if best is not None else each
        return replace(best or found[0], rules=rules)

    def _greedy(self, name: str) -> Played:
        return greedy(
            self.world,
            self.state,
            self.side,
            self.turns,
            RULES[name],
            counts=self.counts,
            purse=Purse(self.goals, self.ahead),
            before=self.before,
            progress=self.progress,
        )

    def _plan(self, played: Played, by: str) -> Plan:
        value = total(self.world, played.end, self.side, self.counts)
        unmet = tuple(sorted(unit for unit, by in self._wanted() if not self._is_there(played, unit, by)))
        held = played.end.balances
        unkept = tuple(each for each in self.goals.keeps if held.get(each.account, NOTHING) < each.amount)
        return Plan(
            self.side,
            self.turns,
            self.goals,
            played.given,
            self.ahead,
            self.quiet,
            value,
            by,
            played.end,
            unmet,
            unkept,
            before=self.before,
        )

    def _wanted(self) -> list[tuple[str, int]]:
        last = self.state.clock.turn + self.turns
        return [*((want.unit, want.by) for want in self.goals.wants), *((unit, last) for unit in self.goals.earliest)]

    def _is_there(self, played: Played, unit_id: str, by: int) -> bool:
        """Whether a unit is on the map at full strength by a turn, by the last order about it."""
        if is_in_need(played.end.units[unit_id]):
            return False
        orders = [each for each in played.given if each.unit == unit_id]
        return not orders or max(orders[-1].at.turn, orders[-1].deal.place.due) <= by


def _better(one: Plan, other: Plan) -> bool:
    """Whether more of what was asked for is had, or as much and more strength."""
    return _goodness(one) > _goodness(other)


def _goodness(each: Plan) -> tuple[int, int, Fraction]:
    return -len(each.unmet) - len(each.unkept), len(each.kept), each.value


def weighed(world: World, goals: Goals, unit: Unit, state: State) -> Fraction:
    """What a unit counts, by the goals."""
    counts = worth(world, unit.spec, unit.step)
    for weight in goals.weights:
        if (
            weight.type in ("", unit.spec.type)
            and weight.nation in ("", unit.spec.nation)
            and weight.unit in ("", unit.id)
            and (not weight.area or weight.area in (world.areas_of(unit, state) or ()))
        ):
            counts *= weight.times
    return counts


def learnt(net: Network, played: Played) -> Iterator[Cut]:
    """What play has shown that the network did not know: orders refused, and units that came to nothing."""
    given = [each.arc for each in played.given]
    for failed in played.failed:
        alike = _like(net, net.arcs[failed.arc])
        yield Cut(alike, sum(each in alike for each in given))
    last = {each.unit: each for each in played.given if each.unit}
    for unit_id, order in sorted(last.items()):
        arc = net.arcs[order.arc]
        if net.nodes[arc.to].counts > 0 and not played.end.units[unit_id].place.on_map:
            alike = frozenset(number for number, each in enumerate(net.arcs) if each.deal.place == arc.deal.place)
            came = (played.end.units[each.unit].place.on_map for each in last.values() if each.arc in alike)
            yield Cut(alike, sum(came))


def _like(net: Network, arc: Arc) -> frozenset[int]:
    """The orders of a moment that draw on the same accounts and lead to the same place."""
    place, accounts = arc.deal.place, {account for account, _ in arc.deal.draws}
    return frozenset(
        number
        for number, each in enumerate(net.arcs)
        if each.moment == arc.moment
        and (each.deal.place.kind, each.deal.place.of) == (place.kind, place.of)
        and {account for account, _ in each.deal.draws} == accounts
        and (each.to == arc.to or place.kind == TRACK)
    )
