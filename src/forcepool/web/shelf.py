"""The campaigns at hand: each opened once, and kept open while someone looks at it."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from forcepool import games
from forcepool.engine.agenda import looked_over
from forcepool.engine.answers import forget_answers, keep_answers
from forcepool.engine.campaign import Campaign
from forcepool.engine.journal import Damaged, Entry
from forcepool.store.errors import CampaignFileError, CampaignMoved
from forcepool.store.stock import Stock
from forcepool.store.stored import StoredJournal

if TYPE_CHECKING:
    from forcepool.web.registry import Registry

KB_A_UNIT, FEWEST_UNITS = 12, 100
"""What an open campaign takes of memory, after a while of play; a small one counts as one of so many units."""
LEFT_ALONE = 15 * 60.0
"""Seconds after which a campaign that nobody has asked for is closed; it is back in some hundredths of a second."""
IN_USE = 25.0
"""Seconds for which whoever asked for a campaign may still be busy with it: so long a request takes at most."""
MOST_KEPT = 500
"""Answers that are kept of one moment of a campaign."""
QUIET, LONGEST_WAIT = 0.002, 0.05
"""Seconds without an order before a page is drawn, and the longest that one waits for them."""
AT_ONCE = 0.005
"""Seconds of a long look after which whoever waits is let in."""
IDLE = 1.0
"""Seconds without an order before the log is merged into the file."""
SWEEP_EVERY = 3600.0
BACK = "back"
"""What is heard when news come again after a time in which none did."""
T = TypeVar("T")
BeforeWriting = Callable[[str, Campaign, Entry], None]


class NoSuchCampaign(Exception):
    """There is no campaign of that name, or none this seat may know of."""


UNUSABLE = (CampaignFileError, Damaged, NoSuchCampaign, games.UnknownGame)
"""Why a file in the folder may not open as a campaign."""


class Table:
    """An open campaign, and those who wait for it to change."""

    def __init__(
        self,
        name: str,
        campaign: Campaign,
        sides: Callable[[], tuple[str, ...]] = tuple,
        parts: Callable[[], Iterable[bytes]] = tuple,
    ) -> None:
        """`sides` tells which are played from seats, and `parts` which secrets of the dice are kept for it besides."""
        self.name, self.campaign = name, campaign
        self._parts = parts
        self._gather_secrets()
        # The same lists are looked at after every order, by all who play.
        keep_answers(campaign.world, campaign.state)
        self._sides = sides
        self.streams: Counter[str] = Counter()
        """Pages that wait for changes, by whose they are."""
        self._kept: dict[Hashable, Any] = {}
        self._kept_at = campaign.hash
        self.rows: dict[Hashable, Any] = {}
        """The rows of the boards that were drawn last, by chair: after an order most are the same."""
        self._waiting: dict[asyncio.Event, str] = {}
        """Those who wait, and whose pages they are."""
        self._told, self.told_at = campaign.seq, 0.0
        self.messages: list[Entry] = []
        """Those that were found so far; none is ever changed."""
        self.messages_until = 1
        self.asked = 0.0
        """When someone last asked for it."""
        self._settling: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def seq(self) -> int:
        return self.campaign.seq

    @property
    def journal(self) -> StoredJournal:
        """The campaign's journal as it is kept."""
        assert isinstance(self.campaign.journal, StoredJournal)
        return self.campaign.journal

    @property
    def seats(self) -> tuple[str, ...]:
        """The sides that are played from seats: since the beginning, or by someone invited since."""
        return tuple(sorted({*self.campaign.beginning.seats, *self._sides()}))

    def refresh(self) -> None:
        """Take in what others wrote, on this server or with the command line."""
        self.journal.check_place()
        if self.journal.head() != (self.campaign.seq, self.campaign.hash):
            self.campaign.refresh()
            self._gather_secrets()
        if self.campaign.seq != self._told:
            self.tell()

    def _gather_secrets(self) -> None:
        """Have every secret of the dice at hand that is kept for the campaign, also one that was promised elsewhere."""
        cup = self.campaign.cup
        if cup.missing(self.campaign.history.promises):
            for secret in (*self._parts(), *self.journal.seeds().values()):
                cup.put_in(secret)

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

    async def looked_over(self) -> bool:
        """Have the checklist worked out, and let others in when it takes long; whether any were let in."""
        state, began, waited = self.campaign.state, time.monotonic(), False
        for _ in looked_over(self.campaign.world, state):
            if time.monotonic() > began + AT_ONCE:
                await asyncio.sleep(0)
                if self._closed or self.campaign.state is not state:
                    return True
                began, waited = time.monotonic(), True
        return waited

    @property
    def watched(self) -> bool:
        return bool(self._waiting)

    def close(self) -> None:
        """Close the journal, and let everything go that holds on to one another: nobody sweeps for it soon."""
        self._closed = True
        with suppress(CampaignFileError):
            self.journal.close()
        self.tell()
        self._kept.clear()
        self.rows.clear()
        self.messages.clear()
        self.campaign.before_writing = None
        forget_answers(self.campaign.world)

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
    """The campaigns of a server: where they lie, and those that are open."""

    def __init__(
        self,
        stock: Stock,
        registry: "Registry | None" = None,
        before_writing: BeforeWriting | None = None,
        *,
        megabytes: int = 2000,
    ) -> None:
        """`before_writing` is asked before an entry is written to a campaign, and may have a reason against it.

        Of campaigns for which nobody's page waits, so many megabytes stay open.
        """
        self.stock, self._registry, self._before_writing = stock, registry, before_writing
        self.most_units = megabytes * 1000 // KB_A_UNIT
        self._open: dict[str, Table] = {}
        """By name, the one asked for last at the end."""
        self.also_hear: list[Callable[[str, str], None]] = []
        """Who else is told what other workers do."""
        self._seals: dict[str, str] = {}
        """By name, the campaign that was opened under it: its first seal."""

    def names(self) -> list[str]:
        """The campaigns that lie here."""
        return self.stock.names()

    def check(self) -> None:
        """Look whether the campaigns can be reached."""
        self.stock.check()

    @property
    def in_memory(self) -> int:
        """How many campaigns are open."""
        return len(self._open)

    def table(self, name: str) -> Table:
        """The campaign of that name, up to date."""
        table = self._open.pop(name, None)
        if table is None:
            if not self.stock.has(name):
                raise NoSuchCampaign(name)
            table = self._laid(name, self.stock.open(name, games.build_world))
            self._make_room()
        self._open[name] = table
        table.asked = time.monotonic()
        try:
            table.refresh()
        except CampaignMoved:
            # Whoever asks next finds what lies there now; what was asked just now was meant for the other.
            self.put_away(name)
            raise
        return table

    def _make_room(self) -> None:
        """Close what nobody has asked for longest; not while a page waits for it."""
        units = sum(map(_weight, self._open.values()))
        for name, table in self._idle_for(IN_USE):
            if units <= self.most_units:
                break
            units -= _weight(table)
            self.put_away(name)

    def _idle_for(self, seconds: float) -> list[tuple[str, Table]]:
        """The campaigns that nobody looks at and nobody has asked for in so long, that one first."""
        long_ago = time.monotonic() - seconds
        return [(name, each) for name, each in self._open.items() if not each.streams.total() and each.asked < long_ago]

    def _close_what_is_left_alone(self) -> None:
        for name, _ in self._idle_for(LEFT_ALONE):
            self.put_away(name)

    def tell_to(self, name: str, who: str) -> None:
        """Wake the pages that one seat has open at a campaign, about something that is theirs alone."""
        if name in self._open:
            self._open[name].tell_to(who)

    # ------------------------------------------------------------------------------------------- what-ifs

    def try_out(self, table: Table, who: str) -> str:
        """The name of the what-if in which someone tries orders of a campaign; a seat has one at a time."""
        return self.stock.try_out(table.campaign, table.name, who)

    def drop(self, name: str) -> None:
        """Throw a what-if away."""
        self.put_away(name)
        self.stock.drop(name)

    # ------------------------------------------------------------------------------------------- closing

    def put_away(self, name: str) -> None:
        """Close a campaign; who looks at it next opens what then lies under its name."""
        table = self._open.pop(name, None)
        if table is not None:
            table.close()

    def _laid(self, name: str, campaign: Campaign) -> Table:
        if self.stock.whatif(name):
            return Table(name, campaign)
        if campaign.beginning.tries:
            campaign.journal.close()
            raise CampaignFileError(f"'{name}' is a what-if, in which nothing counts; it is no campaign")
        if self._seals.setdefault(name, campaign.cup.campaign) != campaign.cup.campaign:
            # Seats and open pages are those of the campaign that was there before.
            campaign.journal.close()
            raise CampaignMoved(f"another campaign lies under the name '{name}' now; start the server again to play it")
        if (asked := self._before_writing) is not None:
            campaign.before_writing = lambda entry: asked(name, campaign, entry)
        registry = self._registry
        if registry is None:
            return Table(name, campaign)
        return Table(name, campaign, lambda: registry.sides_at(name), lambda: registry.parts(campaign.cup.campaign))

    async def quiet(self, name: str) -> None:
        """Wait for the orders that are being given in a campaign, if it is open."""
        if name in self._open:
            await self._open[name].quiet()

    async def watch(self, seconds: float = 0.5) -> None:
        """Notice what others write to a campaign that someone is looking at: by being told, else by looking."""
        loop = asyncio.get_running_loop()
        self.stock.listen(lambda word: _hand_over(loop, self.heard, word))
        swept = float("-inf")
        while True:
            await asyncio.sleep(seconds)
            if time.monotonic() > swept + SWEEP_EVERY:
                swept = time.monotonic()
                self.stock.sweep()
            self._close_what_is_left_alone()
            if self.stock.hears:
                continue
            for name, table in list(self._open.items()):
                # A campaign that is gone or cannot be read must not keep the server from looking at the others.
                with suppress(CampaignFileError, Damaged, NoSuchCampaign):
                    if table.watched:
                        self.table(name)
                    await self._merged(table)

    def heard(self, word: str) -> None:
        """Another worker has done something: bring up to date what someone is looking at."""
        kind, _, rest = word.partition(" ")
        seq, _, name = rest.partition(" ")
        if kind == "entry" and (table := self._open.get(name)) and table.watched and table.seq < int(seq):
            self._look_again(name)
        elif kind == "look" and rest in self._open:
            self._open[rest].tell()
        elif kind == BACK:
            for each in [each for each, table in self._open.items() if table.watched]:
                self._look_again(each)
        for hears in self.also_hear:
            hears(kind, rest)

    def _look_again(self, name: str) -> None:
        # A campaign that is gone or cannot be read must not keep the server from hearing of the others.
        with suppress(CampaignFileError, Damaged, NoSuchCampaign):
            self.table(name)

    def announce(self, name: str) -> None:
        """Wake all pages of a campaign, whichever worker they hang on."""
        if name in self._open:
            self._open[name].tell()
        self.stock.announce(f"look {name}")

    async def _merged(self, table: Table) -> None:
        """Once nobody writes, the log goes into the file, so that a copy of the file holds everything."""
        if table.journal.to_merge and time.monotonic() > table.told_at + IDLE:
            await asyncio.to_thread(table.journal.merge)

    def tell(self) -> None:
        """Wake everyone who waits for a change."""
        for table in self._open.values():
            table.tell()

    def close(self) -> None:
        self.tell()
        for table in self._open.values():
            table.campaign.journal.close()
        self._open.clear()
        self.stock.close()


def _weight(table: Table) -> int:
    """What a campaign takes of memory, counted in units."""
    return max(FEWEST_UNITS, len(table.campaign.state.units))


def _hand_over(loop: asyncio.AbstractEventLoop, heard: Callable[[str], None], word: str) -> None:
    """Have something heard where all else is done; a server that has ended hears nothing."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(heard, word)
