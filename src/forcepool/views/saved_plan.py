"""A plan as a thing: a text that lies beside the campaign, is handed to friends, and is followed phase by phase."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import yaml
from msgspec import Struct, to_builtins

from forcepool.engine import codec
from forcepool.engine.calendar import Clock, Turn
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.ledger import NOTHING
from forcepool.engine.points import parse_points, show_points, store_points
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.files import BadFile, Document, shape
from forcepool.planner.again import Before
from forcepool.planner.carried import Given
from forcepool.planner.deals import Draws
from forcepool.planner.plan import Plan
from forcepool.views.orders import from_json
from forcepool.views.plan import PlanView, found_by, planned_order

GIVEN, NOW, LATER, MISSED, GONE = "given", "to be given now", "later", "missed", "no longer there"
LOST = "given, and lost again"


class SavedOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """An order of a plan that was saved."""

    when: str
    turn: int
    player: int
    phase: int
    unit: str
    step: str
    to: str
    """The kind of place it goes to."""
    says: str
    order: str
    sends: str = ""
    """Of points that are sent, the account they wait in, and how many: 'moved/… Germany inf 5/2'."""
    brings: str = ""
    """What its unit counts more by it, once it is there."""
    arrives: int = 0
    """The turn, where it comes by a track."""
    where: str = ""
    cost: str = ""
    title: str = ""
    """Of points that are sent, the order as one says it."""

    @property
    def at(self) -> Clock:
        return Clock(Turn(self.turn), self.player, self.phase)

    @property
    def gain(self) -> str:
        """What its unit counts more by it, as players write it; nothing of a step on the way."""
        brings = parse_points(self.brings or "0")
        return show_points(brings) if brings else ""


class SavedPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A plan that was saved."""

    side: str
    made: str
    until: str
    brings: str
    orders: list[SavedOrder] = []
    found: str = ""
    """How it was found, in words."""
    goals: str = ""
    """The text of the goals it was made by; empty for the most strength."""
    after: int = 0
    """The last entry of the journal when it was made."""
    last: int = 0
    """The turn it ends with."""


class Shown(Struct, frozen=True):
    """A plan as a page keeps it: to look at, and to follow."""

    saved: SavedPlan
    view: PlanView | None = None
    """What it leaves and why; of a plan that was brought as text, nothing is known but its orders."""


class Line(Struct, frozen=True):
    """An order of a saved plan, and how it stands with it."""

    order: SavedOrder
    stands: str


class Progress(Struct, frozen=True):
    """How far a plan is, and what has come of it so far."""

    stands: Mapping[str, int]
    """How many orders stand how."""
    promised: Fraction
    """The strength that was to be on the map by now …"""
    there: Fraction
    """… and the part of it that is."""

    @property
    def given(self) -> int:
        return self.stands.get(GIVEN, 0)

    @property
    def now(self) -> int:
        return self.stands.get(NOW, 0)

    @property
    def all(self) -> int:
        return sum(self.stands.values())

    @property
    def broken(self) -> int:
        """Orders that did not come about, or came to nothing."""
        return sum(self.stands.get(each, 0) for each in (MISSED, GONE, LOST))


def saved(world: World, state: State, plan: Plan, *, goals: str = "", after: int = 0) -> SavedPlan:
    """A plan, ready to be written down."""
    return SavedPlan(
        plan.side,
        world.when(state),
        world.turn_name(state.clock.turn + plan.turns),
        show_points(plan.gain),
        [_order(world, plan, each) for each in plan.orders],
        found_by(plan),
        goals,
        after,
        int(state.clock.turn + plan.turns),
    )


def _order(world: World, plan: Plan, given: Given) -> SavedOrder:
    told, deal = planned_order(world, plan, given), given.deal
    return SavedOrder(
        world.sequence.describe(world.calendar, given.at),
        int(given.at.turn),
        given.at.player,
        given.at.phase,
        given.unit,
        deal.step,
        deal.place.kind,
        told.order,
        codec.encode(deal.command).decode(),
        "" if given.unit else _sends(deal.draws),
        store_points(told.brings) if given.unit else "",
        deal.place.due,
        told.where,
        ", ".join(told.cost),
        "" if given.unit else told.title,
    )


def _sends(draws: Draws) -> str:
    account, amount = next((account, -amount) for account, amount in draws if amount < 0)
    return f"{account} {store_points(amount)}"


def as_text(plan: SavedPlan) -> str:
    """A plan as a text one can read, send and change."""
    data: Any = to_builtins(plan)
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=1000)


def read_plan(document: Document, world: World) -> SavedPlan:
    """A plan that was saved, or BadFile with what is wrong in it."""
    plan = shape(document, (), SavedPlan)
    problems = []
    if plan.side not in world.sequence.players:
        problems.append(document.problem(("side",), f"there is no side '{plan.side}' in this campaign"))
    for number, each in enumerate(plan.orders):
        try:
            order_of(world, each)
        except BadCommand as error:
            problems.append(document.problem(("orders", number, "order"), str(error)))
    if problems:
        raise BadFile(problems)
    return plan


def order_of(world: World, line: SavedOrder) -> Command:
    """The order of a line, or BadCommand."""
    return from_json(world.game, line.order)


def lines(world: World, state: State, plan: SavedPlan, given: Mapping[bytes, int] | None = None) -> list[Line]:
    """How it stands with each order: whether its unit is already what the order makes of it, or its time has passed.

    `given` are orders known to be given since, and how often. Of points that are sent they tell all; without them there
    is only what is on its way.
    """
    left = Counter(given)
    sent = [given is not None and not each.unit and _takes(left, _known(world, each)) for each in plan.orders]
    found: list[Line] = []
    further: set[str] = set()
    for each, was_sent in reversed(list(zip(plan.orders, sent, strict=True))):
        if each.unit:
            stands = GIVEN if each.unit in further else _stands(state, each)
            if stands == MISSED and left[_known(world, each)]:
                stands = LOST
        elif was_sent or (given is None and _is_on_its_way(state, each.sends)):
            stands = GIVEN
        else:
            stands = _by_time(state, each)
        if stands == GIVEN and each.unit:
            # What was done with a unit before it came to be what it is was done too.
            further.add(each.unit)
        found.append(Line(each, stands))
    return found[::-1]


def _takes(left: Counter[bytes], order: bytes) -> bool:
    """Whether an order was given once more than is accounted for so far."""
    left[order] -= 1
    return left[order] >= 0


def progress(state: State, found: Iterable[Line]) -> Progress:
    """How far a plan is."""
    found = list(found)
    due = [each for each in found if each.order.brings and _is_due(state, each.order)]
    promised = sum((parse_points(each.order.brings) for each in due), NOTHING)
    there = sum((parse_points(each.order.brings) for each in due if _is_there(state, each)), NOTHING)
    return Progress(Counter(each.stands for each in found), promised, there)


def still_to_come(world: World, state: State, plan: SavedPlan) -> list[Before]:
    """The orders of a plan whose time has not passed; points are sent anew as today's orders need them."""
    waiting = [each.order for each in lines(world, state, plan) if each.stands in (NOW, LATER) and each.order.unit]
    return [Before(each.at, each.unit, order_of(world, each), each.step, each.to) for each in waiting]


def turns_left(state: State, plan: SavedPlan, otherwise: int) -> int:
    """How far ahead a plan made again looks: to the end of the one before, or if that has passed, as far as usual."""
    left = plan.last - int(state.clock.turn)
    return left if left > 0 else otherwise


def _is_due(state: State, order: SavedOrder) -> bool:
    now = Clock(state.clock.turn, state.clock.player, state.clock.phase)
    return order.at < now and order.arrives <= state.clock.turn


def _is_there(state: State, line: Line) -> bool:
    return line.stands == GIVEN and state.units[line.order.unit].place.on_map


def given_since(campaign: Campaign, plan: SavedPlan) -> Counter[bytes] | None:
    """The orders that were given since a plan was made, and stand, as the journal has them; None in a what-if, whose
    journal begins where it was branched off."""
    if campaign.beginning.tries:
        return None
    entries = (each for each in campaign.entries(plan.after + 1) if campaign.history.counts(each))
    return Counter(bytes(each.do) for each in entries if each.do)


def _known(world: World, order: SavedOrder) -> bytes:
    """An order as the journal would have it; nothing for one that does not exist."""
    try:
        return codec.encode(order_of(world, order))
    except BadCommand:
        return b""


def _stands(state: State, order: SavedOrder) -> str:
    unit = state.units.get(order.unit)
    if unit is None:
        return GONE
    if unit.step == order.step and (unit.place.kind == order.to or unit.place.on_map):
        return GIVEN
    return _by_time(state, order)


def _by_time(state: State, order: SavedOrder) -> str:
    now = Clock(state.clock.turn, state.clock.player, state.clock.phase)
    return NOW if order.at == now else LATER if order.at > now else MISSED


def _is_on_its_way(state: State, sends: str) -> bool:
    """Whether so much waits already where an order sends points."""
    name, _, amount = sends.rpartition(" ")
    return bool(sends) and any(
        str(account) == name and held >= parse_points(amount) for account, held in state.balances.items()
    )
