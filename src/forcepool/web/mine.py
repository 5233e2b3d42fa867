"""My campaigns: at which of them it is one's turn, an order waits for one's word, or something is to be read."""

import asyncio
from collections.abc import AsyncIterator, Iterable

from msgspec import Struct
from starlette.requests import Request

from forcepool.web.here import Here, seat_at
from forcepool.web.messages import unread
from forcepool.web.render import waiting_on
from forcepool.web.shelf import Shelf, Table


class Calls(Struct, frozen=True):
    """What a campaign wants of whoever looks."""

    seat: str = ""
    """From which seat one plays there."""
    turn: bool = False
    """Whether it is one's own player-turn."""
    asked: bool = False
    """Whether an order waits for one's word."""
    unread: int = 0
    """Messages one has not read."""

    @property
    def any(self) -> bool:
        return self.turn or self.asked

    @property
    def words(self) -> str:
        """What stands beside the campaign's name; nothing where nobody waits for one."""
        return "An order waits for your word" if self.asked else "Your turn" if self.turn else ""


def calls(request: Request, table: Table) -> Calls:
    """What a campaign wants of the seat that a request has there."""
    seat, invitation = seat_at(request, table.name)
    if seat is None:
        return Calls()
    it = Here(request, table, seat, invitation)
    if not seat.acts:
        return Calls(seat.title, unread=unread(it))
    asked = any(mine for *_, mine in waiting_on(it))
    turn = bool(seat.side) and seat.side == it.world.phasing(it.state)
    return Calls(seat.title, turn, asked, unread(it))


async def one_by_one(names: Iterable[str]) -> AsyncIterator[str]:
    """Campaigns to be told of, each of which may have to be taken into memory: others are answered in between."""
    for name in names:
        await asyncio.sleep(0)
        yield name


def newest(shelf: Shelf, names: list[str], most: int) -> list[str]:
    """The campaigns that were played last: each that is told of is taken into memory for it."""
    if len(names) <= most:
        return names
    return sorted(names, key=lambda name: (-shelf.stock.touched(name), name))[:most]


def in_a_sentence(found: Iterable[Calls]) -> str:
    """'Your turn in 2 of 5 campaigns.', for whoever has seats at several."""
    played = [each for each in found if each.seat]
    if len(played) < 2:
        return ""
    turns, of = sum(each.any for each in played), f"of {len(played)} campaigns"
    return f"Your turn in {turns} {of}." if turns else f"None {of} waits for you."
