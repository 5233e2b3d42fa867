"""The campaigns at hand: the files of one folder, each opened once and kept open while the server runs."""

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Hashable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from forcepool import games
from forcepool.engine.answers import keep_answers
from forcepool.engine.campaign import Campaign
from forcepool.engine.journal import Damaged, Entry
from forcepool.store.errors import CampaignFileError, CampaignMoved
from forcepool.store.open import open_campaign
from forcepool.store.scratch import ENDING as SCRATCH
from forcepool.store.scratch import lay_out, throw_away
from forcepool.store.sqlite import SqliteJournal

if TYPE_CHECKING:
    from forcepool.web.registry import Registry

ENDING = ".fp"
MOST_KEPT = 500
"""Answers that are kept of one moment of a campaign."""
QUIET, LONGEST_WAIT = 0.002, 0.05
"""Seconds without an order before a page is drawn, and the longest that one waits for them."""
IDLE = 1.0
"""Seconds without an order before the log is merged into the file."""
PATIENCE = 0.25
"""Seconds that a writer waits for another program: meanwhile all others wait too."""
T = TypeVar("T")


class NoSuchCampaign(Exception):
    """There is no campaign of that name, or none this seat may know of."""


UNUSABLE = (CampaignFileError, Damaged, NoSuchCampaign, games.UnknownGame)
"""Why a file in the folder may not open as a campaign."""


APART = "~"
"""In the name of a what-if, between the campaign's and its own."""


class Whatif(Struct, frozen=True):
    """A what-if that someone tries orders in: of which campaign, and whose."""

    campaign: str
    who: str


class Table:
    """An open campaign, and those who wait for it to change."""

    def __init__(self, name: str, campaign: Campaign, sides: Callable[[], tuple[str, ...]] = tuple) -> None:
        self.name, self.campaign = name, campaign
        # The same lists are looked at after every order, by all who play.
        keep_answers(campaign.world, campaign.state)
        self._sides = sides
        self.streams: Counter[str] = Counter()
        """Pages that wait for changes, by whose they are."""
        self._kept: dict[Hashable, Any] = {}
        self._kept_at = campaign.hash
        self._waiting: dict[asyncio.Event, str] = {}
        """Those who wait, and whose pages they are."""
        self._told, self.told_at = campaign.seq, 0.0
        self.messages: list[Entry] = []
        """Those that were found so far; none is ever changed."""
        self.messages_until = 1
        self._settling: asyncio.Task[None] | None = None

    @property
    def seq(self) -> int:
        return self.campaign.seq

    @property
    def path(self) -> Path:
        """The campaign's file."""
        assert isinstance(self.campaign.journal, SqliteJournal)
        return self.campaign.journal.path

    @property
    def seats(self) -> tuple[str, ...]:
        """The sides that are played from seats: since the beginning, or by someone invited since."""
        return tuple(sorted({*self.campaign.beginning.seats, *self._sides()}))

    def refresh(self) -> None:
        """Take in what others wrote, on this server or with the command line."""
        if isinstance(self.campaign.journal, SqliteJournal):
            self.campaign.journal.check_place()
        if self.campaign.journal.head() != (self.campaign.seq, self.campaign.hash):
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
        self._told, self.told_at = self.campaign.seq, time.monotonic()
        for each in self._waiting:
            each.set()

    def tell_to(self, who: str) -> None:
        """Wake the pages of one seat, about something that is theirs alone."""
        for each, whose in self._waiting.items():
            if whose == who:
                each.set()

    async def quiet(self) -> None:
        """Wait until no order has come for a moment: when many give theirs at once, a page is drawn for the last."""
        if self._settling is None and time.monotonic() < self.told_at + QUIET:
            self._settling = asyncio.create_task(self._settle())
        if self._settling is not None:
            # All wait for the same moment, so that none of them is overtaken by the next orders.
            await asyncio.shield(self._settling)

    async def _settle(self) -> None:
        patience = time.monotonic() + LONGEST_WAIT
        try:
            while (wait := min(self.told_at + QUIET, patience) - time.monotonic()) > 0:
                await asyncio.sleep(wait)
        finally:
            self._settling = None

    @property
    def watched(self) -> bool:
        return bool(self._waiting)

    async def changed(self, seen: int, seconds: float, who: str = "") -> bool:
        """Whether there is something newer than entry `seen`, or of one's own, waiting for it as long as that."""
        if self.seq != seen:
            return True
        signal = asyncio.Event()
        self._waiting[signal] = who
        try:
            await asyncio.wait_for(signal.wait(), seconds)
        except TimeoutError:
            return False
        finally:
            del self._waiting[signal]
        return True


class Shelf:
    """The folder of campaigns."""

    def __init__(self, folder: Path, registry: "Registry | None" = None) -> None:
        self.folder, self._registry = folder, registry
        self._open: dict[str, Table] = {}
        self._seals: dict[str, str] = {}
        """By name, the campaign that was opened under it: its first seal."""
        self.whatifs: dict[str, Whatif] = {}
        """By name, what lies open besides the campaigns: each is one seat's, and lasts as long as the server."""
        self._apart = TemporaryDirectory(prefix="forcepool-", ignore_cleanup_errors=True)

    def names(self) -> list[str]:
        return sorted(path.name.removesuffix(ENDING) for path in self.folder.glob(f"*{ENDING}"))

    def check(self) -> None:
        """Look whether the campaigns can be reached."""
        if not self.folder.is_dir():
            raise CampaignFileError("the folder of the campaigns is not there; bring it back, or start the server anew")

    @property
    def in_memory(self) -> int:
        """How many campaigns are open."""
        return len(self._open)

    def path(self, name: str) -> Path:
        return self.folder / f"{name}{ENDING}"

    def touched(self, name: str) -> float:
        """When a campaign was last written to, in seconds; of what is gone by now, never."""
        path = self.path(name)
        files = [file for file in (path, path.with_name(f"{path.name}-wal")) if file.exists()]
        return max((file.stat().st_mtime for file in files), default=0.0)

    def table(self, name: str) -> Table:
        """The campaign of that name, up to date."""
        if name not in self._open:
            # Only names that are on the shelf, so that no name reaches out of the folder.
            if name not in self.names():
                raise NoSuchCampaign(name)
            self._open[name] = self._laid(name, open_campaign(self.path(name), games.build_world, wait=PATIENCE))
        table = self._open[name]
        try:
            table.refresh()
        except CampaignMoved:
            # Whoever asks next finds what lies there now; what was asked just now was meant for the other.
            self.put_away(name)
            raise
        return table

    # ------------------------------------------------------------------------------------------- what-ifs

    def try_out(self, table: Table, who: str) -> str:
        """The name of the what-if in which someone tries orders of a campaign; a seat has one at a time."""
        name = self.whatif_of(table.name, who)
        if not name:
            name = f"{table.name}{APART}{secrets.token_hex(4)}"
            path = Path(self._apart.name) / f"{name}{SCRATCH}"
            lay_out(table.campaign, path)
            self._open[name] = Table(name, open_campaign(path, games.build_world, wait=PATIENCE))
            self.whatifs[name] = Whatif(table.name, who)
        return name

    def whatif_of(self, campaign: str, who: str) -> str:
        """The name of the what-if that someone has open; empty without one."""
        return next((name for name, each in self.whatifs.items() if each == Whatif(campaign, who)), "")

    def drop(self, name: str) -> None:
        """Throw a what-if away."""
        path = self._open[name].path
        del self.whatifs[name]
        self.put_away(name)
        throw_away(path)

    # ------------------------------------------------------------------------------------------- closing

    def put_away(self, name: str) -> None:
        """Close a campaign; who looks at it next opens what then lies under its name."""
        table = self._open.pop(name, None)
        if table is not None:
            with suppress(CampaignFileError):
                table.campaign.journal.close()
            table.tell()

    def _laid(self, name: str, campaign: Campaign) -> Table:
        if campaign.beginning.tries:
            campaign.journal.close()
            raise CampaignFileError(f"'{name}' is a what-if, in which nothing counts; it is no campaign")
        if self._seals.setdefault(name, campaign.cup.campaign) != campaign.cup.campaign:
            # Seats and open pages are those of the campaign that was there before.
            campaign.journal.close()
            raise CampaignMoved(f"another campaign lies under the name '{name}' now; start the server again to play it")
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
            for name, table in list(self._open.items()):
                # A campaign that is gone or cannot be read must not keep the server from looking at the others.
                with suppress(CampaignFileError, Damaged, NoSuchCampaign):
                    if table.watched:
                        self.table(name)
                    await self._merged(table)

    async def _merged(self, table: Table) -> None:
        """Once nobody writes, the log goes into the file, so that a copy of the file holds everything."""
        journal = table.campaign.journal
        if isinstance(journal, SqliteJournal) and time.monotonic() > table.told_at + IDLE:
            await asyncio.to_thread(journal.merge)

    def tell(self) -> None:
        """Wake everyone who waits for a change."""
        for table in self._open.values():
            table.tell()

    def close(self) -> None:
        self.tell()
        for table in self._open.values():
            table.campaign.journal.close()
        self._open.clear()
        self._apart.cleanup()
