"""The post office: notices whose turn it is, writes the letters, has them carried away, and tries again.

Everything that must outlast the server stands in the book. A worker that ends while a letter is on its way leaves it
there, and after a while whoever looks next sends it: rather twice than never.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from urllib.parse import quote, urlsplit

from starlette.applications import Starlette

from forcepool.engine.campaign import Campaign
from forcepool.web.chair import Seat
from forcepool.web.post.book import CONFIRM, DAILY, DAY, ENTER, SERVES, TURN, Book, Bound, Link
from forcepool.web.post.digest import body, calls_for, is_news, moment_told, subject
from forcepool.web.post.letter import Letter, as_mail
from forcepool.web.post.smtp import Carrier, Delivering, Later, Outcome, Refused, Sent, deliver
from forcepool.web.registry import Invitation, Registry
from forcepool.web.registry_file import RegistryBusy
from forcepool.web.shelf import UNUSABLE, Shelf

LOOKS_EVERY = 5.0
SETTLES = 60
"""Seconds after a turn has come before it is told: what is undone at once was no news."""
BETWEEN = 600
"""Seconds at least between two letters to a seat."""
HELD = 900
"""Seconds that a letter is a worker's own, once it has taken it up."""
PAUSES = (60, 300, 1800, 7200, 21600)
"""Seconds before the second try, the third, and so on; then a letter is given up."""
GIVEN_UP = "the mail server could not be reached for half a day"


class Office:
    """Looks after the letters of one server, as far as it sends any."""

    def __init__(self, app: Starlette, delivering: Delivering | None = None) -> None:
        self.app, self.settings = app, app.state.settings.mail
        self.open = bool(self.settings.server) and app.state.public
        """Whether the server sends mail at all."""
        self.now: Callable[[], int] = lambda: int(time.time())
        self.problem = ""
        """What the mail server last said that was not about an address: the host's to put right."""
        self.carrying = 0
        """Letters on their way of which nothing is known yet."""
        self.carrier = Carrier(delivering or partial(deliver, settings=self.settings))
        self.book = Book(app.state.registry.place)
        self._looked: dict[int, tuple[float, str]] = {}
        """By seat, when its campaign was last written to at the last look, and what the seat knew then."""
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def registry(self) -> Registry:
        found: Registry = self.app.state.registry
        return found

    @property
    def shelf(self) -> Shelf:
        found: Shelf = self.app.state.shelf
        return found

    @property
    def address(self) -> str:
        """Where players reach the server."""
        return str(self.app.state.address or self.app.state.settings.address).rstrip("/")

    # --------------------------------------------------------------------------------------------- by itself

    async def watch(self) -> None:
        """Look after the letters for as long as the server runs."""
        self._loop = asyncio.get_running_loop()
        while self.open:
            with suppress(RegistryBusy):
                await self.look()
            await asyncio.sleep(LOOKS_EVERY)

    async def look(self) -> None:
        """Queue what is to be told, and send what is due."""
        self._loop = asyncio.get_running_loop()
        for bound in self.book.every():
            if bound.wants and (invitation := self.registry.invitation(bound.invitation)):
                self._notice(bound, invitation)
                await asyncio.sleep(0)
        left = self.settings.hourly - self.book.in_the_last_hour(self.now())
        due = [each for each in self.book.every() if each.wants and each.queued and each.due <= self.now()]
        for bound in due[: max(left, 0)]:
            self._send(bound)
            await asyncio.sleep(0)

    def _campaign(self, name: str) -> Campaign | None:
        try:
            return self.shelf.table(name).campaign if name else None
        except UNUSABLE:
            # A campaign that is gone or cannot be read must not keep the letters of the others.
            return None

    def _notice(self, bound: Bound, invitation: Invitation) -> None:
        """Queue a letter where a seat is to be told something, or take one back that is no longer true."""
        name, now = invitation.campaign, self.now()
        touched = self.shelf.stock.touched(name) if name else 0.0
        if bound.wish == TURN and self._looked.get(bound.invitation) == (touched, bound.told):
            return
        if bound.wish == DAILY and (bound.queued or now < bound.sent + DAY):
            return
        if (campaign := self._campaign(name)) is None:
            return
        moment = moment_told(campaign, invitation.seat)
        if bound.wish == DAILY:
            if campaign.seq > bound.entry:
                self.book.queue(bound, DAILY, moment, now)
            return
        self._looked[bound.invitation] = (touched, moment)
        if moment == bound.told:
            return
        if bound.told and is_news(campaign, invitation.seat, bound.told):
            self.book.queue(bound, TURN, moment, max(now + SETTLES, bound.sent + BETWEEN))
        else:
            calls = calls_for(campaign, invitation.seat)
            self.book.queue(bound, bound.queued if calls else "", moment, bound.due)

    def _send(self, bound: Bound) -> None:
        invitation = self.registry.invitation(bound.invitation)
        if invitation is None or not self.book.claim(bound, self.now() + HELD):
            return
        try:
            table = self.shelf.table(invitation.campaign)
        except UNUSABLE:
            return
        letter = self.letter(invitation.seat, invitation.campaign, bound)
        self._carry(letter, partial(self._came_of, bound, table.seq))

    def letter(self, seat: Seat, name: str, bound: Bound) -> Letter:
        """The letter to a seat about its campaign."""
        table = self.shelf.table(name)
        stop = f"{self.address}/mail/stop/{bound.invitation}/{self.stops(bound)}"
        end = (
            f"Play: {self.address}/c/{quote(name)}",
            f"If the browser no longer knows you: {self.address}/enter",
            f"No more of these letters: {stop}",
        )
        text = "\n".join((*body(table, seat, bound.entry), "", *end))
        return Letter(bound.mail, subject(table.campaign, seat), text, stop)

    def stops(self, bound: Bound) -> str:
        """The word with which one says, without signing in, that one wants no more letters; it serves nothing else."""
        word: str = self.app.state.signer.word(self.stops_for(bound))
        return word

    def stops_for(self, bound: Bound) -> str:
        """What that word is for."""
        return f"stop {bound.invitation} {bound.mail}"

    def _came_of(self, bound: Bound, seq: int, outcome: Outcome) -> None:
        if self.app.state.closing:
            return
        match outcome:
            case Sent():
                self.problem = ""
                self.book.sent(bound.invitation, seq, self.now())
            case Refused():
                self.book.give_up(bound.invitation, f"{bound.mail} was refused: {outcome.why}")
            case Later():
                self.problem = outcome.why
                if bound.tries < len(PAUSES):
                    self.book.again(bound.invitation, bound.tries + 1, self.now() + PAUSES[bound.tries])
                else:
                    self.book.give_up(bound.invitation, GIVEN_UP)

    # ------------------------------------------------------------------------------------------- when asked

    def confirm(self, invitation: Invitation, mail: str) -> bool:
        """Send the link with which an address is bound to a seat; False where too many were sent."""
        word = self._word(Link(CONFIRM, mail, invitation.id))
        if not word:
            return False
        text = (
            f"Someone who plays {invitation.seat.title} in '{self._title(invitation.campaign)}' gave this address.",
            "",
            f"If it was you, confirm it within {SERVES // 60} minutes:",
            f"{self.address}/mail/confirm/{word}",
            "",
            "If it was not, do nothing: nothing more will be sent.",
        )
        return self._carry(Letter(mail, "Confirm your address", "\n".join(text)), self._asked_for)

    def enter(self, mail: str) -> None:
        """Send the link with which one sits down again; nothing where the address is not known here."""
        if not self.book.seats_of(mail):
            return
        if word := self._word(Link(ENTER, mail, 0)):
            text = (
                f"To sit down again at your campaigns, follow this link within {SERVES // 60} minutes. It serves once:",
                f"{self.address}/enter/{word}",
                "",
                "If you did not ask for it, do nothing.",
            )
            self._carry(Letter(mail, "Sign in again", "\n".join(text)), self._asked_for)

    def changed(self, mail: str, campaign: str) -> None:
        """Tell an address that it is no longer a seat's: whoever did not do that himself should know."""
        text = f"This address was taken off your seat in '{self._title(campaign)}', or another was put in its place."
        self._carry(Letter(mail, "Your address was changed", f"{text}\n\nIf it was not you, tell your host."), _done)

    def _word(self, link: Link) -> str:
        now = self.now()
        return self.book.new_link(link, now) if self.book.in_the_last_hour(now) < self.settings.hourly else ""

    def _title(self, name: str) -> str:
        found = self._campaign(name)
        return found.beginning.title if found else "this server"

    def _asked_for(self, outcome: Outcome) -> None:
        """Whoever asked for a link asks again where it did not come."""
        self.problem = outcome.why if isinstance(outcome, Later) else ""

    # ------------------------------------------------------------------------------------------------ carrying

    def _carry(self, letter: Letter, told: Callable[[Outcome], None]) -> bool:
        mail = as_mail(letter, self.settings.sender, urlsplit(self.address).hostname or "localhost")
        loop = self._loop or asyncio.get_running_loop()

        def noted(outcome: Outcome) -> None:
            self.carrying -= 1
            told(outcome)

        def back(outcome: Outcome) -> None:
            # The server may have ended meanwhile; the book says then what is still to be sent.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(noted, outcome)

        taken = self.carrier.take(mail, back)
        self.carrying += taken
        return taken

    def close(self) -> None:
        self.carrier.close()


def _done(outcome: Outcome) -> None:
    """Nobody waits to hear what became of it."""
