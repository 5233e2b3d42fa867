"""The model of a network: its choices as whole numbers, and what limits them.

Units alike are one number for each order and moment; points are scaled by their common denominator, so that nothing is
rounded. What is best among the choices is the solver's business.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from forcepool.engine.ledger import NOTHING, Account
from forcepool.planner.goals import Goals
from forcepool.planner.network import Arc, Network, Shipment
from forcepool.planner.stocks import Flow, come_in_all, concerned, denominators, ever_held, flows

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel


class NoSolver(Exception):
    """OR-Tools is not installed."""


class Cut(Struct, frozen=True):
    """What play has shown: no more than so many of these orders go through."""

    arcs: frozenset[int]
    most: int


class Model:
    """The choices of a network, and what limits them."""

    def __init__(self, network: Network, goals: Goals, cuts: Iterable[Cut], before: Mapping[int, int] = {}) -> None:
        try:
            from ortools.sat.python import cp_model
        except ImportError as error:
            raise NoSolver("OR-Tools is not installed; pip install 'forcepool[plan]' brings it") from error
        self.cp = cp_model
        self.model: CpModel = cp_model.CpModel()
        self.network, self.goals, self.before = network, goals, before
        self.scale = lcm(*(node.counts.denominator for node in network.nodes), 1)
        self.taken = self._choices()
        self.sent: list[Any] = []
        self.kept: list[Any] = []
        self._units()
        self._points()
        for place, room in network.rooms.items():
            coming = [self.taken[number] for number, arc in enumerate(network.arcs) if arc.deal.place == place]
            self.limit(self.sum(coming) <= room, place)
        for cut in cuts:
            self.limit(self.sum(self.taken[each] for each in cut.arcs) <= cut.most, cut)
        self._shares()
        self.still = [self._kept(self.taken[number], times) for number, times in sorted(before.items())]
        self.met = [*self._wants(), *self._there(goals.earliest), *self.kept]
        self.latest = self._latest()

    def limit(self, constraint: Any, because: object) -> None:
        """What forbids something, and what one would have to do without to be rid of it."""
        self.model.add(constraint)

    def _kept(self, taken: Any, times: int) -> Any:
        """How many of the orders of a plan made before are among those of a kind."""
        kept = self.model.new_int_var(0, times, "still")
        self.model.add(kept <= taken)
        return kept

    # ------------------------------------------------------------------------------------------- the choices

    def _choices(self) -> list[Any]:
        most = self._most()
        return [self.model.new_int_var(0, most[arc.node], f"{number}") for number, arc in enumerate(self.network.arcs)]

    def _most(self) -> list[int]:
        """How many units can be at a node at all."""
        most = [len(node.units) for node in self.network.nodes]
        into: dict[int, set[int]] = defaultdict(set)
        for arc in self.network.arcs:
            into[arc.to].add(arc.node)
        # Nodes are numbered as they are found, so that those before are known; a loop adds nothing.
        for node in self.network.nodes:
            most[node.number] += sum(most[each] for each in into[node.number] if each < node.number)
        return most

    def _units(self) -> None:
        """No more units leave a node than have come to it."""
        out, into = self._by_node()
        for node in self.network.nodes:
            leaving = out[node.number]
            if node.units:
                self.model.add(self.sum(self.taken[each] for each, _ in leaving) <= len(node.units))
                continue
            for moment in sorted({arc.moment for _, arc in leaving}):
                gone = self.sum(self.taken[each] for each, arc in leaving if arc.moment <= moment)
                come = self.sum(self.taken[each] for each, arc in into[node.number] if arc.ready <= moment)
                self.model.add(gone <= come)

    def _by_node(self) -> tuple[dict[int, list[tuple[int, Arc]]], dict[int, list[tuple[int, Arc]]]]:
        out: dict[int, list[tuple[int, Arc]]] = defaultdict(list)
        into: dict[int, list[tuple[int, Arc]]] = defaultdict(list)
        for number, arc in enumerate(self.network.arcs):
            out[arc.node].append((number, arc))
            into[arc.to].append((number, arc))
        return out, into

    def value(self) -> Any:
        """What all units come to at the end, in the scale of the model."""
        last = len(self.network.outlook.moments)
        whole = {node.number: int(node.counts * self.scale) for node in self.network.nodes}
        stay = sum(len(node.units) * whole[node.number] for node in self.network.nodes)
        terms = [(whole[arc.to] if arc.ready <= last else 0) - whole[arc.node] for arc in self.network.arcs]
        return stay + self.cp.LinearExpr.weighted_sum(self.taken, terms)

    # -------------------------------------------------------------------------------------------- the points

    def _points(self) -> None:
        """Points are spent once, and only where and when they are."""
        spans = flows(self.network.outlook)
        drawn: dict[tuple[Account, int], list[tuple[Any, Fraction]]] = defaultdict(list)
        for number, arc in enumerate(self.network.arcs):
            for account, amount in arc.deal.draws:
                drawn[account, arc.moment].append((self.taken[number], amount))
        shipped = {account for each in self.network.shipments for account in (each.to, *(one for one, _ in each.draws))}
        wished = {keep.account for keep in self.goals.keeps}
        accounts = concerned({account for account, _ in drawn} | shipped | wished, spans)
        self.parts = denominators(self.network, self.goals, accounts, spans)
        first = self.network.outlook.moments[0].state.balances
        self.most = {each: self._whole(each, ever_held(self.network.outlook, each, spans)) for each in accounts}
        self._ship(drawn)
        held: dict[Account, Any] = {each: self._whole(each, first.get(each, NOTHING)) for each in accounts}
        for moment, span in enumerate(spans):
            quiet = self.network.outlook.moments[moment].state.balances
            for account in accounts:
                spending = drawn.get((account, moment))
                if spending:
                    amounts = [self._whole(account, amount) for _, amount in spending]
                    spent = self.cp.LinearExpr.weighted_sum([var for var, _ in spending], amounts)
                    owed = min(0, self._whole(account, quiet.get(account, NOTHING)))
                    left = held[account] - spent + self.spared(account, moment)
                    held[account] = self.stock(account, moment, left, owed)
                    if owed:
                        # Nothing is spent from what is owing, and that it is forbids nothing else.
                        for var, amount in spending:
                            self.limit(var <= 0 if amount > 0 else var >= 0, account)
            self._flow(span, held, moment)
        for keep in self.goals.keeps:
            kept = self.model.new_bool_var(f"keep {keep.account}")
            if keep.account in held:
                self.model.add(held[keep.account] >= self._whole(keep.account, keep.amount) * kept)
            self.kept.append(kept)

    def _ship(self, drawn: dict[tuple[Account, int], list[tuple[Any, Fraction]]]) -> None:
        """Points that are sent, counted in the smallest part of their kind: they leave at once, and arrive later."""
        for number, each in enumerate(self.network.shipments):
            part = self.part(each)
            var = self.model.new_int_var(0, self.most[each.to], f"sent {number}")
            self.sent.append(var)
            for account, amount in each.draws:
                drawn[account, each.moment].append((var, amount * part))
            drawn[each.to, each.ready].append((var, -part))

    def part(self, shipment: Shipment) -> Fraction:
        """The smallest part in which its points are counted."""
        return Fraction(1, self.parts[shipment.to.nation, shipment.to.kind])

    def stock(self, account: Account, moment: int, what: Any, owed: int = 0) -> Any:
        """What is left of something, which may be less but not more: nobody is made to keep points."""
        stock = self.model.new_int_var(owed, self.most[account], f"{account} {moment}")
        self.model.add(stock <= what)
        return stock

    def spared(self, account: Account, moment: int) -> Any:
        """What of the points that are drawn at a moment need not be there."""
        return 0

    def _flow(self, span: list[Flow], held: dict[Account, Any], moment: int) -> None:
        for flow in span:
            frm, to = flow.frm, flow.to
            if frm in held:
                if flow.leaves is not None:
                    held[frm] = self.stock(frm, moment, held[frm])
                    self.model.add(held[frm] <= max(0, self._whole(frm, flow.leaves)))
                elif flow.all:
                    if to in held:
                        held[to] = held[to] + held[frm]
                    held[frm] = 0
                    continue
                else:
                    held[frm] = held[frm] - self._whole(frm, flow.amount)
            if to in held:
                held[to] = held[to] + self._whole(to, flow.amount)

    def _whole(self, account: Account, amount: Fraction) -> int:
        return int(amount * self.parts[account.nation, account.kind])

    # --------------------------------------------------------------------------------------------- the goals

    def _wants(self) -> list[Any]:
        """For each unit that is wanted by a turn, whether it is there."""
        moments = self.network.outlook.moments
        met = []
        for number, want in enumerate(self.goals.wants):
            done = self.model.new_bool_var(f"want {number}")
            there = [
                self.taken[each]
                for each, arc in enumerate(self.network.arcs)
                if self.is_full(arc, want.unit)
                and moments[arc.moment if arc.deal.place.on_map else arc.ready].at.turn <= want.by
            ]
            self.model.add(done <= self.sum(there))
            met.append(done)
        return met

    def _there(self, units: Iterable[str]) -> list[Any]:
        """For each unit, whether it is on the map at full strength at the end."""
        found = []
        for unit in units:
            done = self.model.new_bool_var(f"there {unit}")
            arcs = [self.taken[each] for each, arc in enumerate(self.network.arcs) if self.is_full(arc, unit)]
            self.model.add(done <= self.sum(arcs))
            found.append(done)
        return found

    def _latest(self) -> Any:
        """The moment at which the last of those wanted early is there."""
        latest = self.model.new_int_var(0, len(self.network.outlook.moments), "latest")
        for unit in self.goals.earliest:
            for each, arc in enumerate(self.network.arcs):
                if self.is_full(arc, unit):
                    self.model.add(latest >= arc.ready * self.taken[each])
        return latest

    def _shares(self) -> None:
        """No more than a share of what there is and what comes is spent."""
        spans = flows(self.network.outlook)
        for kind, share in self.goals.spend:
            spent: dict[str, list[tuple[int, Fraction]]] = defaultdict(list)
            for number, arc in enumerate(self.network.arcs):
                for account, amount in arc.deal.draws:
                    if account.kind == kind:
                        spent[account.nation].append((number, amount))
            for nation, draws in spent.items():
                there = sum(
                    (
                        amount
                        for account, amount in come_in_all(self.network.outlook, spans)
                        if (account.nation, account.kind) == (nation, kind)
                    ),
                    NOTHING,
                )
                parts = self.parts[nation, kind]
                amounts = [int(amount * parts) for _, amount in draws]
                spending = self.cp.LinearExpr.weighted_sum([self.taken[each] for each, _ in draws], amounts)
                self.limit(spending <= int(there * share * parts), (kind, share))

    def is_full(self, arc: Arc, unit: str) -> bool:
        """Whether an order brings a unit to its full strength where it counts."""
        to = self.network.nodes[arc.to]
        return getattr(arc.deal.command, "unit", "") == unit and arc.deal.step == to.spec.steps[0] and to.counts > 0

    def sum(self, what: Iterable[Any]) -> Any:
        """All of these together."""
        return self.cp.LinearExpr.sum(list(what))
