"""Orders carried out on a branch: what a plan promises counts only once the engine has played it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.branch import Branch
from forcepool.engine.calendar import Clock
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.decide import Decision
from forcepool.engine.ledger import NOTHING
from forcepool.engine.places import OUT_OF_PLAY
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import No, Refusal
from forcepool.engine.world import World
from forcepool.planner.deals import Deal, deals, drawn, planned, read
from forcepool.planner.early import bring_in, needed
from forcepool.planner.network import Counts, Network
from forcepool.planner.outlook import Progress, is_moment
from forcepool.planner.quiet import Step, play_on


class Given(Struct, frozen=True):
    """An order of a plan as it was given in play."""

    at: Clock
    unit: str
    """Empty for points that are sent, or brought in."""
    before: Unit | None
    deal: Deal
    arc: int = -1
    """The arc of the network it stands for."""


class Failed(Struct, frozen=True):
    """An order of a plan that play did not allow."""

    arc: int
    reasons: tuple[No, ...] = ()


class Played(Struct, frozen=True):
    """What came of orders, played to the end."""

    given: tuple[Given, ...]
    failed: tuple[Failed, ...]
    end: State


Decides = Callable[[Branch, int], Iterator[Given]]
"""Who gives the orders of a moment: told its number, he gives them on the branch and says what he gave."""


def play(world: World, state: State, side: str, turns: int, decides: Decides, progress: Progress) -> Played:
    """Play on, with orders at each moment of a side and nothing else but what is due."""
    branch = Branch(world, state)
    given: list[Given] = []
    number = 0

    def acts(branch: Branch) -> Iterable[Step]:
        nonlocal number
        if not is_moment(world, branch.state, side):
            return ()
        held = dict(branch.state.balances)
        early = bring_in(branch, side)
        spends = list(decides(branch, number))
        number += 1
        orders = [*map(_brings_in, needed(early, held, (each.deal.draws for each in spends))), *spends]
        given.extend(orders)
        return [Step(each.at, each.deal.command, []) for each in orders]

    for _ in play_on(branch, turns + 1, only=(side,), acts=acts):
        progress(branch.state.clock.turn - state.clock.turn, turns + 1)
    return Played(tuple(given), (), branch.state)


def _brings_in(step: Step) -> Given:
    return Given(step.at, "", None, Deal(step.command, drawn(step.events), "", OUT_OF_PLAY))


def give(branch: Branch, unit: Unit, command: Command, arc: int = -1) -> Given | Refusal | None:
    """Give one order; None if there is no sense in it now."""
    try:
        decision = branch.judge(command)
    except BadCommand:
        return None
    if isinstance(decision, Refusal):
        return decision
    deal = read(unit, decision)
    if deal is None:
        return None
    branch.carry_out(decision)
    return Given(branch.state.clock, unit.id, unit, deal, arc)


def total(world: World, state: State, side: str, counts: Counts) -> Fraction:
    """What a side's units on the map come to."""
    return sum(
        (
            counts(unit, state)
            for unit in state.units.values()
            if unit.place.on_map and world.side_now(state, unit.spec.nation) == side
        ),
        NOTHING,
    )


class Follower:
    """Gives the orders of a solution, each to a unit and in a way that is open when its moment has come."""

    def __init__(
        self,
        network: Network,
        taken: Mapping[int, int],
        sent: Mapping[int, Fraction] | None = None,
        first: Mapping[int, Sequence[str]] | None = None,
    ) -> None:
        """`first` are the units that an arc is meant for before all others alike."""
        self.network, self.sent, self.first = network, sent or {}, first or {}
        self.meant = {unit for units in self.first.values() for unit in units}
        self.there = {node.number: list(node.units) for node in network.nodes}
        self.by_moment: dict[int, list[int]] = {}
        for number, times in sorted(taken.items()):
            self.by_moment.setdefault(network.arcs[number].moment, []).extend([number] * times)
        self.failed: list[Failed] = []

    def __call__(self, branch: Branch, moment: int) -> Iterator[Given]:
        orders = sorted(self.by_moment.get(moment, ()), key=lambda each: (self.network.arcs[each].node, each))
        again: list[int] = []
        for number in orders:
            given = self._give(branch, number)
            if isinstance(given, Given):
                yield given
            else:
                again.append(number)
        # What others did meanwhile may have made room.
        for number in again:
            given = self._give(branch, number)
            if isinstance(given, Given):
                yield given
            else:
                self.failed.append(Failed(number, given.reasons if given is not None else ()))
        for order in self._shipments(branch, moment):
            decision = branch.judge(order)
            if isinstance(decision, Decision):
                branch.carry_out(decision)
                yield Given(branch.state.clock, "", None, Deal(order, drawn(decision.events), "", OUT_OF_PLAY))

    def _shipments(self, branch: Branch, moment: int) -> list[Command]:
        """What is sent at a moment: what goes the same way in one order."""
        carries = branch.world.game.carries
        together: dict[Command, dict[str, Fraction]] = {}
        for number, amount in sorted(self.sent.items()):
            shipment = self.network.shipments[number]
            if shipment.moment == moment and carries is not None:
                kinds = together.setdefault(carries.writes(shipment.command, {}), {})
                kinds[shipment.to.kind] = kinds.get(shipment.to.kind, NOTHING) + amount
        return [carries.writes(order, amounts) for order, amounts in together.items()] if carries is not None else []

    def _give(self, branch: Branch, number: int) -> Given | Refusal | None:
        arc = self.network.arcs[number]
        refused: Refusal | None = None
        for unit_id in self._candidates(number, arc.node):
            unit = branch.state.units[unit_id]
            for command in self._ways(branch, unit, arc.deal):
                outcome = give(branch, unit, command, number)
                if isinstance(outcome, Given):
                    self.there[arc.node].remove(unit_id)
                    self.there[arc.to].append(unit_id)
                    return outcome
                refused = refused or outcome
        return refused

    def _candidates(self, number: int, node: int) -> list[str]:
        """The units at a node, those first that an arc is meant for, those last that are meant for another."""
        meant = self.first.get(number, ())
        return sorted(self.there[node], key=lambda each: (each not in meant, each in self.meant))

    def _ways(self, branch: Branch, unit: Unit, deal: Deal) -> Iterator[Command]:
        """The order itself, if it still does what it did; else others that come to the same."""
        order: Any = deal.command
        same = replace(order, unit=unit.id)
        try:
            outcome = branch.judge(same)
        except BadCommand:
            outcome = None
        if isinstance(outcome, Refusal) or (outcome is not None and _alike(read(unit, outcome), deal)):
            yield same
        open_now = deals(branch.world, branch.state, unit, planned(branch.world))
        yield from (
            each.command for each in sorted(open_now, key=lambda each: each.draws != deal.draws) if _alike(each, deal)
        )


def _alike(found: Deal | None, wanted: Deal) -> bool:
    """Whether an order does for its unit what another would have: to the same step, as soon, for as many points."""
    return (
        found is not None
        and found.step == wanted.step
        and found.place.kind == wanted.place.kind
        and found.place.due <= wanted.place.due
        and _kinds(found) == _kinds(wanted)
    )


def _kinds(deal: Deal) -> dict[tuple[str, str], Fraction]:
    cost: dict[tuple[str, str], Fraction] = {}
    for account, amount in deal.draws:
        key = account.nation, account.kind
        cost[key] = cost.get(key, NOTHING) + amount
    return {key: amount for key, amount in cost.items() if amount}


def followed(world: World, state: State, side: str, turns: int, follower: Follower, progress: Progress) -> Played:
    """A solution, played."""
    played = play(world, state, side, turns, follower, progress)
    return replace(played, failed=tuple(follower.failed))
