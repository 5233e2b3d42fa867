"""The campaigns at hand: the files of one folder, each opened once and kept open while the server runs."""

import asyncio
import time
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from forcepool import games
from forcepool.engine.campaign import Campaign
from forcepool.store.open import open_campaign

if TYPE_CHECKING:
    from forcepool.web.registry import Registry

ENDING = ".fp"
MOST_KEPT = 500
"""Answers that are kept of one moment of a campaign."""
QUIET, LONGEST_WAIT = 0.002, 0.05
"""Seconds without an order before a page is drawn, and the longest that one waits for them."""
T = TypeVar("T")


class NoSuchCampaign(Exception):
    """There is no campaign of that name, or none this seat may know of."""


class Table:
    """An open campaign, and those who wait for it to change."""

    def __init__(self, name: str, campaign: Campaign, sides: Callable[[], tuple[str, ...]] = tuple) -> None:
        self.name, self.campaign = name, campaign
        self._sides = sides
        self._kept: dict[Hashable, Any] = {}
        self._kept_at = campaign.hash
        self._waiting: set[asyncio.Event] = set()
        self._told, self._told_at = campaign.seq, 0.0
        self._settling: asyncio.Task[None] | None = None

    @property
    def seq(self) -> int:
        return self.campaign.seq

    @property
    def seats(self) -> tuple[str, ...]:
        """The sides that are played from seats: since the beginning, or by someone invited since."""
        return tuple(sorted({*self.campaign.beginning.seats, *self._sides()}))

    def refresh(self) -> None:
        """Take in what others wrote, on this server or with the command line."""
        if self.campaign.journal.head()[0] != self.campaign.seq:
            self.campaign.refresh()
        if self.campaign.seq != self._told:
            self.tell()

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was worked out for the campaign as it stands, worked out once however many look at it."""
        if self._kept_at != self.campaign.hash:
            self._kept.clear()
            self._kept_at = self.campaign.hash
        if key not in self._kept:
            # Filters are a player's own words, and there is no end to them.
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[key] = make()
        found: T = self._kept[key]
        return found

    # ------------------------------------------------------------------------------------ those who wait

    def tell(self) -> None:
        """Wake everyone who waits for a change."""
        self._told, self._told_at = self.campaign.seq, time.monotonic()
        for each in self._waiting:
            each.set()

    async def quiet(self) -> None:
        """Wait until no order has come for a moment: when many give theirs at once, a page is drawn for the last."""
        if self._settling is None and time.monotonic() < self._told_at + QUIET:
            self._settling = asyncio.create_task(self._settle())
        if self._settling is not None:
            # All wait for the same moment, so that none of them is overtaken by the next orders.
            await asyncio.shield(self._settling)

    async def _settle(self) -> None:
        patience = time.monotonic() + LONGEST_WAIT
        try:
            while (wait := min(self._told_at + QUIET, patience) - time.monotonic()) > 0:
                await asyncio.sleep(wait)
        finally:
            self._settling = None

    @property
    def watched(self) -> bool:
        return bool(self._waiting)

    async def changed(self, seen: int, seconds: float) -> bool:
        """Whether there is something newer than entry `seen`, waiting for it as long as that."""
        if self.seq != seen:
            return True
        signal = asyncio.Event()
        self._waiting.add(signal)
        try:
            await asyncio.wait_for(signal.wait(), seconds)
        except TimeoutError:
            return False
        finally:
            self._waiting.discard(signal)
        return True


class Shelf:
    """The folder of campaigns."""

    def __init__(self, folder: Path, registry: "Registry | None" = None) -> None:
        self.folder, self._registry = folder, registry
        self._open: dict[str, Table] = {}

    def names(self) -> list[str]:
        return sorted(path.name.removesuffix(ENDING) for path in self.folder.glob(f"*{ENDING}"))

    def path(self, name: str) -> Path:
        return self.folder / f"{name}{ENDING}"

    def table(self, name: str) -> Table:
        """The campaign of that name, up to date."""
        if name not in self._open:
            # Only names that are on the shelf, so that no name reaches out of the folder.
            if name not in self.names():
                raise NoSuchCampaign(name)
            self._open[name] = self._laid(name, open_campaign(self.path(name), games.build_world))
        table = self._open[name]
        table.refresh()
        return table

    def _laid(self, name: str, campaign: Campaign) -> Table:
        registry = self._registry
        if registry is None:
            return Table(name, campaign)
        for secret in registry.parts(campaign.cup.campaign):
            campaign.cup.put_in(secret)
        return Table(name, campaign, lambda: registry.sides_at(name))

    async def quiet(self, name: str) -> None:
        """Wait for the orders that are being given in a campaign, if it is open."""
        if name in self._open:
            await self._open[name].quiet()

    async def watch(self, seconds: float = 0.5) -> None:
        """Notice what the command line writes to a campaign that someone is looking at."""
        while True:
            await asyncio.sleep(seconds)
            for table in list(self._open.values()):
                if table.watched:
                    table.refresh()

    def tell(self) -> None:
        """Wake everyone who waits for a change."""
        for table in self._open.values():
            table.tell()

    def close(self) -> None:
        self.tell()
        for table in self._open.values():
            table.campaign.journal.close()
        self._open.clear()
