"""The Air OB as a page shows it: what is still to be carried out, and whom a line that is due would take."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from forcepool.engine.ledger import Account
from forcepool.engine.state import State, Unit
from forcepool.games.europa.air import orders
from forcepool.games.europa.air.arps import ARP
from forcepool.games.europa.world import EuropaWorld

SeesUnit = Callable[[Unit], bool]
SeesAccount = Callable[[Account], bool]
DUE, LATE, LATER = "due", "late", "later"


class AirOrderLine(Struct, frozen=True):
    """A line of the Air OB that is still to be carried out."""

    turn: int
    when: str
    nation: str
    side: str
    does: str
    what: str
    where: str
    left: int
    count: int
    state: str
    """due, late or later."""
    units: tuple[str, ...]
    """Those it would take, in the order they must go; only where it is due."""


def order_lines(world: EuropaWorld, state: State, sees: SeesUnit, holds: SeesAccount) -> Iterator[AirOrderLine]:
    """The lines still to be carried out that may be seen, in the order of their turns."""
    for line in sorted(orders.lines(world), key=lambda each: (each.turn, each.number)):
        ends = [orders.area_named(world, name) or name for name in (line.order.theatre, line.order.to) if name]
        if orders.left(state, line) > 0 and any(holds(Account(end, line.nation, ARP)) for end in ends):
            yield _order_line(world, state, line, sees)


def _order_line(world: EuropaWorld, state: State, line: orders.Listed, sees: SeesUnit) -> AirOrderLine:
    order, now = line.order, state.clock.turn
    stands = LATER if line.turn > now else DUE if line.turn == now else LATE
    wanted = order.model or (f"type {order.type}" if order.type else "") or (f"code {order.code}" if order.code else "")
    what = f"{wanted} → {order.spec}" if wanted and order.spec else order.spec or wanted or "any air unit"
    takes: list[str] = []
    if stands != LATER and order.does in (orders.WITHDRAW, orders.CONVERT, orders.TRANSFER):
        found = orders.candidates(world, state, line)
        # A unit in a box has no airbase to convert at (28.E/3).
        ways = (orders.IN_PLAY,) if order.does == orders.CONVERT else orders.ORDER
        takes = [unit.id for how in ways for unit in found.get(how, ()) if sees(unit)]
    return AirOrderLine(
        turn=line.turn,
        when=world.turn_name(line.turn),
        nation=line.nation,
        side=world.side_now(state, line.nation),
        does=order.does,
        what=what,
        where=f"{order.theatre} → {order.to}" if order.to else order.theatre,
        left=orders.left(state, line),
        count=order.count,
        state=stands,
        units=tuple(takes),
    )
