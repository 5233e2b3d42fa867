"""The network of a plan: where units can be, and the orders that bring them from there to somewhere better.

A node is a group of units of which the rules say the same at every moment, or what becomes of them after an order. An
arc is an order at a moment, with what it draws. Where an order leads to a state that quiet play never reaches (a cadre
come back from the box), a unit is put there on a copy, and asked again: so second and third steps are found.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.answers import watched
from forcepool.engine.command import Command
from forcepool.engine.decide import Decision
from forcepool.engine.events import Became, Event, Marked, Moved
from forcepool.engine.facts import unit_key
from forcepool.engine.ledger import NOTHING, Account
from forcepool.engine.options import judged
from forcepool.engine.places import TRACK, Place
from forcepool.engine.state import NO_MARKS, State, Unit, evolve
from forcepool.engine.units import UnitSpec
from forcepool.engine.world import World
from forcepool.planner.deals import Deal, Draws, deals, drawn, is_in_need, placing, planned, with_plenty
from forcepool.planner.outlook import Outlook

Key = tuple[UnitSpec, str, Place, tuple[tuple[str, object], ...]]
"""What the rules can tell of a unit apart from its name."""
MOST_STEPS = 4
"""Orders one after the other for the same unit: out of isolation, cadre, full, and one to spare."""
LATE = 1 << 20
"""The moment at which what never arrives does."""
Counts = Callable[[Unit, State], Fraction]
"""What a unit counts in a plan, if it is on the map."""


class Node(Struct, frozen=True):
    """Units alike."""

    number: int
    spec: UnitSpec
    step: str
    counts: Fraction
    """What each counts if it is still here at the end."""
    units: tuple[str, ...] = ()
    """Those that are here by themselves; none where only orders lead."""
    arrives: str = ""
    """The track or box that it stands for, where units pass through one."""


class Arc(Struct, frozen=True):
    """An order that may be given to the units of a node at one moment."""

    node: int
    moment: int
    deal: Deal
    to: int
    ready: int
    """The moment from which the unit is there, on the map if it came by a track."""


class Shipment(Struct, frozen=True):
    """A way for points to go from one pool to another, at one moment."""

    moment: int
    command: Command
    """The order for a single point."""
    to: Account
    ready: int
    """The moment from which they can be spent there."""
    draws: Draws
    """What a point takes: itself, where it comes from, and the room it needs on the way."""


class Network(Struct, frozen=True):
    """All that a plan can choose from."""

    outlook: Outlook
    nodes: tuple[Node, ...]
    arcs: tuple[Arc, ...]
    shipments: tuple[Shipment, ...] = ()
    rooms: Mapping[Place, int] = {}
    """How many units can come onto the map from a track at its turn."""
    late: Mapping[str, int] = {}
    """Of units that orders bring back too late, the turn in which they would come first."""


def network(
    world: World,
    outlook: Outlook,
    *,
    leave: Collection[str] = (),
    apart: Collection[str] = (),
    counts: Counts,
    progress: Callable[[int, int], None] = lambda moment, of: None,
) -> Network:
    """What a side could do at each moment: units in `leave` are not touched, each in `apart` is a group of its own."""
    return _Builder(world, outlook, leave, apart, counts).build(progress)


class _Reached(Struct, frozen=True):
    """A state that an order leads to, with the events that put a unit there."""

    node: int
    unit: str
    events: tuple[Event, ...]
    ready: int
    steps: int


class _Builder:
    def __init__(
        self, world: World, outlook: Outlook, leave: Collection[str], apart: Collection[str], counts: Counts
    ) -> None:
        self.world, self.outlook, self.leave, self.apart, self.counts = world, outlook, leave, apart, counts
        self.orders, self.placing = list(planned(world)), placing(world)
        self.nodes: list[Node] = []
        self.arcs: list[Arc] = []
        self.reached: dict[tuple[object, ...], int] = {}
        self.rooms: dict[Place, int] = {}
        self.late: dict[str, int] = {}
        self.ahead: dict[int, list[_Reached]] = {}
        """What is still to be asked, by the moment at which it can be."""

    def build(self, progress: Callable[[int, int], None]) -> Network:
        groups = self._groups()
        accounts = self.outlook.accounts
        for number, moment in enumerate(self.outlook.moments):
            rich = with_plenty(self.world, moment.state, accounts)
            for node in groups:
                unit = rich.units[node.units[0]]
                for deal in self._usual(deals(self.world, rich, unit, self.orders), unit, rich):
                    self._add(node, number, deal, unit, rich, 1)
            for reached in self.ahead.pop(number, []):
                self._ask_on(reached, number, rich)
            progress(number + 1, len(self.outlook.moments))
        shipments = tuple(self._shipments(accounts))
        self._merge()
        return Network(self.outlook, tuple(self.nodes), tuple(self.arcs), shipments, self._rooms(), self.late)

    def _usual(self, found: Iterable[Deal], unit: Unit, state: State) -> Iterator[Deal]:
        """Of orders that bring a unit whole onto the map at one price and worth, the first: where one would put it."""
        seen: set[object] = set()
        for deal in found:
            if deal.place.on_map and not unit.place.on_map and deal.step == unit.spec.steps[0]:
                key = (deal.draws, self.counts(replace(unit, step=deal.step, place=deal.place), state))
                if key in seen:
                    continue
                seen.add(key)
            yield deal

    def _groups(self) -> list[Node]:
        """The units that are dead or reduced at some moment, those together of which the same holds at each."""
        alike: dict[object, list[str]] = {}
        states = [moment.state for moment in self.outlook.moments]
        for unit_id in sorted({each for state in states for each in self._in_need(state)}):
            keys = tuple(_key(state, state.units[unit_id]) if unit_id in state.units else None for state in states)
            alike.setdefault((keys, unit_id if unit_id in self.apart else ""), []).append(unit_id)
        return [self._group(tuple(ids)) for ids in alike.values() if all(ids[0] in each.units for each in states)]

    def _group(self, ids: tuple[str, ...]) -> Node:
        end = self.outlook.end
        unit = end.units[ids[0]]
        now = self.outlook.moments[0].state.units[ids[0]]
        counts = self.counts(unit, end) if unit.place.on_map else NOTHING
        node = Node(len(self.nodes), now.spec, now.step, counts, ids)
        self.nodes.append(node)
        return node

    def _in_need(self, state: State) -> Iterator[str]:
        for unit in state.units_in_order():
            own = self.world.side_now(state, unit.spec.nation) == self.outlook.side
            if own and is_in_need(unit) and unit.id not in self.leave:
                yield unit.id

    def _add(self, node: Node, moment: int, deal: Deal, unit: Unit, state: State, steps: int) -> None:
        after = replace(unit, step=deal.step, place=deal.place)
        ready = self._ready(moment, deal.place)
        if ready > len(self.outlook.moments):
            for each in node.units:
                self.late[each] = min(self.late.get(each, deal.place.due), deal.place.due)
            return
        alone = unit.id if unit.id in self.apart else ""
        key = (unit.spec, deal.step, deal.place.kind, deal.place.of, self.counts(after, state), alone)
        to = self.reached.get(key)
        if to is None:
            to = self.reached[key] = len(self.nodes)
            lands = deal.place.on_map or deal.place.kind == TRACK
            counts = self.counts(after, state) if lands else NOTHING
            where = "" if deal.place.on_map else str(deal.place.of)
            self.nodes.append(Node(to, unit.spec, deal.step, counts, arrives=where))
            done = deal.place.on_map and deal.step == unit.spec.steps[0]
            if not done and ready < len(self.outlook.moments):
                events = tuple(_of_the_unit(self.world, state, unit, deal))
                self.ahead.setdefault(ready, []).append(_Reached(to, unit.id, events, ready, steps + 1))
        self.arcs.append(Arc(node.number, moment, deal, to, ready))

    def _ready(self, moment: int, place: Place) -> int:
        """The first moment after this one at which a unit can be where an order sends it."""
        if place.on_map:
            return moment + 1
        later = range(moment + 1, len(self.outlook.moments))
        return next((each for each in later if self.outlook.moments[each].at.turn >= place.due), LATE)

    def _ask_on(self, reached: _Reached, moment: int, rich: State) -> None:
        """What can be done next with a unit that an order brought here; the same is taken to hold from now on."""
        state = rich.copy()
        evolve(state, reached.events)
        unit = state.units[reached.unit]
        if unit.place.kind == TRACK:
            landings = [each.place for each in deals(self.world, state, unit, self.placing) if _lands(each)]
            track = replace(unit.place, due=0)
            self.rooms[track] = max(self.rooms.get(track, 0), len(landings))
            if not landings:
                self.nodes[reached.node] = replace(self.nodes[reached.node], counts=NOTHING)
                return
            evolve(state, [Moved(unit=unit.id, frm=unit.place, to=landings[0])])
            unit = state.units[unit.id]
        if reached.steps > MOST_STEPS:
            return
        found = list(self._usual(deals(self.world, state, unit, self.orders), unit, state))
        for number in range(moment, len(self.outlook.moments)):
            later = self.outlook.moments[number].at.turn - self.outlook.moments[moment].at.turn
            for deal in found:
                self._add(self.nodes[reached.node], number, _later(deal, later), unit, state, reached.steps)

    def _shipments(self, accounts: Collection[Account]) -> Iterator[Shipment]:
        """The ways of points from pool to pool, of the kinds that orders draw on; they hold at every moment."""
        moments, kinds = self.outlook.moments, {account.kind for arc in self.arcs for account, _ in arc.deal.draws}
        if not moments or not kinds:
            return
        first, known = moments[0].at.turn, set(accounts)
        ways = list(self._ways(with_plenty(self.world, moments[0].state, known)))
        # What reaches a pool that nobody has filled so far can go on from there.
        while new := {to for _, _, _, to, _ in ways} - known:
            known |= new
            ways = list(self._ways(with_plenty(self.world, moments[0].state, known)))
        for kind, command, draws, to, usable in ways:
            for number, moment in enumerate(moments) if kind in kinds else ():
                turn = moment.at.turn + usable - first
                ready = next((each for each in range(number, len(moments)) if moments[each].at.turn >= turn), LATE)
                if ready < LATE:
                    yield Shipment(number, command, to, ready, draws)

    def _ways(self, rich: State) -> Iterator[tuple[str, Command, Draws, Account, int]]:
        state, carries = watched(self.world, rich), self.world.game.carries
        if carries is None:
            return
        seen: set[tuple[Account, ...]] = set()
        for order in list(carries.order.offers_to_side(self.world, state, self.outlook.side)):
            for kind in carries.reads(self.world, order):
                single = carries.writes(order, {kind: Fraction(1)})
                outcome = judged(self.world, state, single)
                found = self._carried(outcome) if isinstance(outcome, Decision) else None
                if found is None:
                    continue
                # Of several ways between two pools the first that is offered, which is the usual one.
                ends = (found[1], *(account for account, _ in found[0] if account.kind == kind))
                if ends not in seen:
                    seen.add(ends)
                    yield kind, single, *found

    def _carried(self, decision: Decision) -> tuple[Draws, Account, int] | None:
        """What a point takes on its way, where it goes, and when it can be spent; None if it goes nowhere."""
        draws = drawn(decision.events)
        for account, amount in draws:
            standing = self.world.standing(account.pool)
            if amount < 0:
                taken = tuple(each for each in draws if each[1] > 0)
                usable = standing.usable or self.outlook.moments[0].at.turn
                return taken, Account(standing.pool, account.nation, account.kind), usable
        return None

    def _merge(self) -> None:
        """Units with the same answers at every moment are one group, whatever else sets them apart."""
        said: dict[int, list[object]] = {}
        for arc in self.arcs:
            said.setdefault(arc.node, []).append((arc.moment, arc.to, arc.ready, arc.deal.draws, arc.deal.place))
        alike: dict[object, list[Node]] = {}
        for node in self.nodes:
            if node.units and node.number in said and not any(each in self.apart for each in node.units):
                alike.setdefault((node.counts, tuple(said[node.number])), []).append(node)
        merged: set[int] = set()
        for first, *others in alike.values():
            units = tuple(sorted(each for node in (first, *others) for each in node.units))
            self.nodes[first.number] = replace(first, units=units)
            for node in others:
                self.nodes[node.number] = replace(node, units=())
                merged.add(node.number)
        self.arcs = [arc for arc in self.arcs if arc.node not in merged]

    def _rooms(self) -> dict[Place, int]:
        """Of each track and turn that an order sends a unit to, the room there."""
        places = {arc.deal.place for arc in self.arcs if arc.deal.place.kind == TRACK}
        return {each: self.rooms[track] for each in sorted(places) if (track := replace(each, due=0)) in self.rooms}


def _later(deal: Deal, turns: int) -> Deal:
    """The same deal some turns on."""
    if not turns or not deal.place.due:
        return deal
    return replace(deal, place=replace(deal.place, due=deal.place.due + turns))


def _lands(deal: Deal) -> bool:
    return deal.place.on_map and not deal.draws


def _key(state: State, unit: Unit) -> Key:
    marks = state.marks.get(unit_key(unit.id), NO_MARKS)
    said = tuple((name, (_plain(mark.value), mark.since, mark.by)) for name, mark in sorted(marks.items()))
    return unit.spec, unit.step, unit.place, said


def _plain(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _of_the_unit(world: World, state: State, unit: Unit, deal: Deal) -> Iterator[Event]:
    """The events that put a unit where an order leaves it, without what it costs."""
    outcome = judged(world, state, deal.command)
    if isinstance(outcome, Decision):
        yield from (each for each in outcome.events if isinstance(each, Moved | Became | Marked))
