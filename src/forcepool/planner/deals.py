"""A deal: what an order about a unit takes from which account, and what becomes of the unit.

Deals are read from the same offers and the same judgement that a player's orders meet, so a plan knows no price, limit
or delay of its own. Asked of a state in which nothing is short, they tell also what cannot be paid today.
"""

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.answers import watched
from forcepool.engine.command import Command, command_name
from forcepool.engine.decide import Decision
from forcepool.engine.events import Became, Event, Moved, Raised, Transferred
from forcepool.engine.ledger import CORRECTION, NOTHING, Account, is_pool
from forcepool.engine.options import passed
from forcepool.engine.places import Place
from forcepool.engine.standing import CLAIM, COUNT
from forcepool.engine.state import State, Unit, evolve
from forcepool.engine.units import UnitSpec
from forcepool.engine.world import World

PLENTY = Fraction(1_000_000)
"""More points than any campaign has."""
Draws = tuple[tuple[Account, Fraction], ...]


class Deal(Struct, frozen=True):
    """An order, with what it draws on and what its unit is after it."""

    command: Command
    draws: Draws
    """What each account gives; less than nothing where it gains."""
    step: str
    place: Place

    @property
    def cost(self) -> Fraction:
        """All points together, whatever their kind."""
        return sum((amount for _, amount in self.draws if amount > 0), NOTHING)


def planned(world: World) -> dict[type[Command], tuple[str, ...]]:
    """The orders a plan may hold, with the phases they are given in."""
    habits = world.game.habits
    named = {cls: habits.get(command_name(cls)) for cls in world.offering}
    return {cls: habit.phases for cls, habit in named.items() if habit is not None and habit.planned}


def placing(world: World) -> list[type[Command]]:
    """The orders that may put on the map what waits on a track; a plan does not choose among them."""
    habits = world.game.habits
    named = {cls: habits.get(command_name(cls)) for cls in world.offering}
    return [cls for cls, habit in named.items() if habit is not None and not habit.on_map and not habit.planned]


def worth(world: World, spec: UnitSpec, step: str) -> Fraction:
    """What a unit counts while it is on the map."""
    says = world.game.worth
    return says(world, spec, step) if says is not None else spec.strength(step).points


def is_in_need(unit: Unit) -> bool:
    """Whether it is dead, on its way, or below its full strength."""
    return not (unit.place.on_map and unit.step == unit.spec.steps[0])


def deals(world: World, state: State, unit: Unit, orders: Iterable[type[Command]]) -> list[Deal]:
    """What can be done with a unit now: of orders that come to the same, the first that is offered."""
    state = watched(world, state)
    found: dict[tuple[Draws, str, Place], Deal] = {}
    for cls in orders:
        for command in cls.offers(world, state, unit):
            deal = deal_of(world, state, unit, command)
            if deal is not None:
                found.setdefault((deal.draws, deal.step, deal.place), deal)
    return list(found.values())


def deal_of(world: World, state: State, unit: Unit, command: Command) -> Deal | None:
    """What an order would come to; None if it is refused, left to a die, or about more units than this one."""
    outcome = passed(world, state, command)
    return read(unit, outcome) if outcome is not None else None


def read(unit: Unit, decision: Decision) -> Deal | None:
    """The deal that a decision comes to; None if other units take part in it."""
    step, place = unit.step, unit.place
    for event in decision.events:
        if isinstance(event, Raised) or (isinstance(event, Moved | Became) and event.unit != unit.id):
            return None
        if isinstance(event, Moved):
            place = event.to
        elif isinstance(event, Became):
            step = event.step
    return Deal(decision.command, drawn(decision.events), step, place)


def drawn(events: Iterable[Event]) -> Draws:
    """What events take from each account, all told."""
    taken: dict[Account, Fraction] = {}
    for event in events:
        if isinstance(event, Transferred):
            for pool, amount in ((event.frm, event.amount), (event.to, -event.amount)):
                if is_pool(pool):
                    account = Account(pool, event.nation, event.kind)
                    taken[account] = taken.get(account, NOTHING) + amount
    return tuple((account, amount) for account, amount in sorted(taken.items()) if amount)


def with_plenty(world: World, state: State, accounts: Iterable[Account]) -> State:
    """The same moment, if every account held more than anyone could spend."""
    rich = state.copy()
    evolve(
        rich,
        [
            Transferred(
                amount=PLENTY - state.balances.get(account, NOTHING),
                kind=account.kind,
                nation=account.nation,
                frm=CORRECTION,
                to=account.pool,
            )
            for account in sorted(accounts)
            if world.standing(account.pool).what not in (COUNT, CLAIM)
        ],
    )
    return rich
