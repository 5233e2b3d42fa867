"""A seat's checklist: what is due, lapses, is open or is news, in sentences it may read."""

from hashlib import sha256

from msgspec.structs import replace

from forcepool.engine.agenda import Item, agenda
from forcepool.views.turn import AgendaLine
from forcepool.web.chair import Seat
from forcepool.web.seats import Sight
from forcepool.web.shelf import Table


def items_for(table: Table, seat: Seat) -> list[Item]:
    """What is on a seat's list, worked out once for all who sit on the same chair."""
    found: list[Item] = table.kept((seat.chair, "items"), lambda: _seen(table, seat))
    return found


def _seen(table: Table, seat: Seat) -> list[Item]:
    world, state = table.campaign.world, table.campaign.state
    sight = Sight(seat, world, state)
    # The seats of a side share its checklist, and each sees its own part of it.
    found = table.kept(("agenda", seat.side), lambda: agenda(world, state, side=seat.side))
    return [replace(each, sentence=sight.veiled(each.sentence)) for each in found if sight.item(each)]


def tick_of(line: AgendaLine) -> str:
    """The name a line is ticked under, for as long as it reads the same."""
    return sha256(f"{line.clause} {line.text}".encode()).hexdigest()[:16]
