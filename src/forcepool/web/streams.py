"""Pages and programs that wait for changes: how many there may be, of a seat, of a campaign and in all."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from forcepool.web.settings import Limits


class TooMany(Exception):
    """One more may not wait; the sentence names the limit and its setting."""


class Streams:
    """All that wait on a server."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.open = limits, 0

    def check(self, of_campaign: Counter[str], who: str) -> None:
        """TooMany, if a seat may not have another one at a campaign, whose own are counted by seat."""
        limits = self.limits
        if of_campaign[who] >= limits.seat_streams:
            raise TooMany(
                f"this seat has too many pages open: {limits.seat_streams} may wait for changes "
                "(limits.seat_streams); close some"
            )
        if of_campaign.total() >= limits.campaign_streams:
            raise TooMany(
                f"too many look at this campaign: {limits.campaign_streams} pages may wait for changes "
                "(limits.campaign_streams, for the host to change); try again later"
            )
        if self.open >= limits.streams:
            raise TooMany(
                f"too many look at this server: {limits.streams} pages may wait for changes "
                "(limits.streams, for the host to change); try again later"
            )

    @contextmanager
    def one_more(self, of_campaign: Counter[str], who: str) -> Iterator[None]:
        """Waits while this is open; TooMany where many were let in at the same moment."""
        self.check(of_campaign, who)
        of_campaign[who] += 1
        self.open += 1
        try:
            yield
        finally:
            of_campaign[who] -= 1
            self.open -= 1
