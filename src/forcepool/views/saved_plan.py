"""A plan as a thing: a text that lies beside the campaign, is handed to friends, and is followed phase by phase."""

from collections.abc import Iterator
from typing import Any

import yaml
from msgspec import Struct, to_builtins

from forcepool.engine import codec
from forcepool.engine.calendar import Clock, Turn
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.points import parse_points, show_points, store_points
from forcepool.engine.state import State
from forcepool.engine.wording import order_in_words
from forcepool.engine.world import World
from forcepool.files import BadFile, Document, shape
from forcepool.planner.deals import Draws
from forcepool.planner.plan import Plan
from forcepool.views.orders import from_json
from forcepool.views.plan import PlanView

GIVEN, NOW, LATER, MISSED, GONE = "given", "to be given now", "later", "missed", "no longer there"


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

    @property
    def at(self) -> Clock:
        return Clock(Turn(self.turn), self.player, self.phase)


class SavedPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A plan that was saved."""

    side: str
    made: str
    until: str
    brings: str
    orders: list[SavedOrder] = []


class Shown(Struct, frozen=True):
    """A plan as a page keeps it: to look at, and to follow."""

    view: PlanView
    saved: SavedPlan


class Line(Struct, frozen=True):
    """An order of a saved plan, and how it stands with it."""

    order: SavedOrder
    stands: str


def saved(world: World, state: State, plan: Plan) -> SavedPlan:
    """A plan, ready to be written down."""
    return SavedPlan(
        plan.side,
        world.when(state),
        world.turn_name(state.clock.turn + plan.turns),
        show_points(plan.gain),
        [
            SavedOrder(
                world.sequence.describe(world.calendar, each.at),
                int(each.at.turn),
                each.at.player,
                each.at.phase,
                each.unit,
                each.deal.step,
                each.deal.place.kind,
                order_in_words(each.deal.command),
                codec.encode(each.deal.command).decode(),
                "" if each.unit else _sends(each.deal.draws),
            )
            for each in plan.orders
        ],
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


def lines(world: World, state: State, plan: SavedPlan) -> Iterator[Line]:
    """How it stands with each order: whether its unit is already what the order makes of it, or its time has passed."""
    for each in plan.orders:
        yield Line(each, _stands(state, each))


def _stands(state: State, order: SavedOrder) -> str:
    unit = state.units.get(order.unit)
    if unit is None and order.unit:
        return GONE
    if unit is not None and unit.step == order.step and (unit.place.kind == order.to or unit.place.on_map):
        return GIVEN
    if order.sends and _is_on_its_way(state, order.sends):
        return GIVEN
    now = Clock(state.clock.turn, state.clock.player, state.clock.phase)
    return NOW if order.at == now else LATER if order.at > now else MISSED


def _is_on_its_way(state: State, sends: str) -> bool:
    """Whether so much waits already where an order sends points."""
    name, _, amount = sends.rpartition(" ")
    return any(str(account) == name and held >= parse_points(amount) for account, held in state.balances.items())
