"""What the host of a server keeps an eye on: how large campaigns grow, which are locked, and which are laid by.

Every entry of a campaign on a public server is asked about here before it is written, from whichever page it comes.
"""

import time
from collections.abc import Callable

from msgspec import Struct

from forcepool.engine.campaign import Campaign
from forcepool.engine.events import Raised
from forcepool.engine.journal import Entry
from forcepool.store.errors import CampaignFileError
from forcepool.store.stock import Stock
from forcepool.web.registry import Registry
from forcepool.web.settings import Bytes, Limits

OPEN, LOCKED, ARCHIVED = "", "locked", "archived"
STANDINGS = (OPEN, LOCKED, ARCHIVED)
LONGEST_NOTE = 200
MEASURED_EVERY = 30.0
"""Seconds for which the size of a campaign is believed."""
LIMIT = "limit"
CHANGES = "for the host to change"


class Withheld(CampaignFileError):
    """Nothing may be written: the campaign is locked, or a limit of this server is reached."""

    def __init__(self, says: str, reason: str) -> None:
        super().__init__(says)
        self.reason = reason


class Standing(Struct, frozen=True):
    """How a campaign stands with the host of its server: open to all, locked, or laid by."""

    state: str = OPEN
    note: str = ""
    since: str = ""

    @property
    def says(self) -> str:
        """What players are told; nothing where they may play."""
        if self.state == OPEN:
            return ""
        what = "locked this campaign" if self.state == LOCKED else "laid this campaign by"
        why = f": {self.note}" if self.note else ""
        return f"The host has {what}{why}. It can be looked at, and nobody can give orders."


class Keeper:
    """Says what may be written to the campaigns of a public server."""

    def __init__(
        self, registry: Registry, stock: Stock, limits: Limits, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.registry, self.stock, self.limits, self.clock = registry, stock, limits, clock
        self._sizes: dict[str, tuple[float, int]] = {}
        self._all: tuple[float, int] = (float("-inf"), 0)

    def standing(self, name: str) -> Standing:
        return Standing(*self.registry.standing(name))

    def check(self, name: str, campaign: Campaign, entry: Entry) -> None:
        """Withheld, unless an entry may be written to a campaign."""
        standing, limits = self.standing(name), self.limits
        if standing.state != OPEN:
            raise Withheld(standing.says, standing.state)
        if entry.n > limits.campaign_entries:
            raise Withheld(_reached("entries", limits.campaign_entries, "campaign_entries"), LIMIT)
        raised = sum(isinstance(event, Raised) for event in entry.events)
        if raised and len(campaign.state.units) + raised > limits.campaign_units:
            raise Withheld(_reached("units", limits.campaign_units, "campaign_units"), LIMIT)
        if self.size(name) >= limits.campaign_megabytes * Bytes:
            raise Withheld(_reached("MB", limits.campaign_megabytes, "campaign_megabytes"), LIMIT)
        if self.total() >= limits.megabytes * Bytes:
            raise Withheld(_full(limits), LIMIT)

    def check_new(self) -> None:
        """Withheld, unless there is room for another campaign."""
        limits = self.limits
        if len(self.stock.names()) >= limits.campaigns:
            raise Withheld(
                f"this server keeps at most {limits.campaigns:,} campaigns (limits.campaigns, {CHANGES}); "
                "take one away first",
                LIMIT,
            )
        if self.total() >= limits.megabytes * Bytes:
            raise Withheld(_full(limits), LIMIT)

    def size(self, name: str) -> int:
        """The bytes of a campaign, as they were a moment ago."""
        when, found = self._sizes.get(name, (float("-inf"), 0))
        if self.clock() >= when + MEASURED_EVERY:
            found = self.stock.size(name)
            self._sizes[name] = (self.clock(), found)
        return found

    def total(self) -> int:
        """The bytes of all campaigns together, as they were a moment ago."""
        when, found = self._all
        if self.clock() >= when + MEASURED_EVERY:
            found = self.stock.total()
            self._all = (self.clock(), found)
        return found


def _reached(what: str, most: int, setting: str) -> str:
    return (
        f"this campaign has reached what this server allows one: {most:,} {what} (limits.{setting}, {CHANGES}); "
        "nothing was recorded"
    )


def _full(limits: Limits) -> str:
    return (
        f"the campaigns of this server have reached what they may take together: {limits.megabytes:,} MB "
        f"(limits.megabytes, {CHANGES}); nothing was recorded"
    )


def check_begun(units: int, entries: int, most_units: int, most_entries: int) -> None:
    """Withheld, where a campaign that is begun or brought in would be larger than a server allows; 0 is no limit."""
    for count, most, what, setting in (
        (units, most_units, "units", "campaign_units"),
        (entries, most_entries, "entries", "campaign_entries"),
    ):
        if most and count > most:
            raise Withheld(
                f"this campaign has {count:,} {what}, and this server takes at most {most:,} "
                f"(limits.{setting}, {CHANGES})",
                LIMIT,
            )
