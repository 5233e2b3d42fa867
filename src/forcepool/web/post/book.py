"""The address book: which seat has which mail address, what it wants sent, and what is on its way to it.

Addresses are the seat's own and the host's to know. Words of links are kept as hashes; each serves once, for half an
hour, and dies when a newer one is sent. Several workers may look after the same book: whoever changes a row first has
the letter, and the others find it gone.
"""

import secrets
from collections.abc import Iterator

from msgspec import Struct

from forcepool.web.registry import digest_of
from forcepool.web.registry_file import RegistryPlace

NONE, TURN, DAILY = "none", "turn", "daily"
WISHES = (NONE, TURN, DAILY)
"""What a seat may want: nothing, a letter when its turn comes, one a day with what has happened."""
CONFIRM, ENTER = "confirm", "enter"
SERVES = 30 * 60
"""Seconds that a link serves."""
HOUR, DAY = 3600, 24 * 3600
MOST_LETTERS = 4
"""Links that an address, or a seat, is sent in an hour."""


class Bound(Struct, frozen=True):
    """A seat with its address, and how its mailing stands."""

    invitation: int
    mail: str
    wish: str
    problem: str
    """Why nothing more is sent; empty while all is well."""
    told: str
    """The moment of play that the seat was last told of."""
    entry: int
    """The last entry that a letter told of."""
    queued: str
    """What is to be sent: a letter of that kind, or nothing."""
    due: int
    """When, in seconds."""
    tries: int
    sent: int
    """When the last one went out."""

    @property
    def wants(self) -> bool:
        return self.wish != NONE and not self.problem


class Link(Struct, frozen=True):
    """What a link was sent for."""

    kind: str
    mail: str
    invitation: int
    """The seat that an address is to be bound to; 0 where one wants to sit down again."""


_BOUND = "select invitation, mail, wish, problem, told, entry, queued, due, tries, sent from address"


class Book:
    """The addresses of the seats, wherever the register is kept."""

    def __init__(self, place: RegistryPlace) -> None:
        self._place = place

    # ---------------------------------------------------------------------------------------------- addresses

    def of(self, invitation: int) -> Bound | None:
        """The address of a seat."""
        return next(self._bound(f"{_BOUND} where invitation = ?", invitation), None)

    def every(self) -> list[Bound]:
        """All seats with an address that still stand, in order."""
        query = f"{_BOUND} where invitation in (select id from invitation where ended = '') order by invitation"
        return list(self._bound(query))

    def seats_of(self, mail: str) -> list[int]:
        """The seats that an address is bound to, newest last."""
        query = (
            "select invitation from address where lower(mail) = lower(?) and invitation in "
            "(select id from invitation where ended = '' and used <> '') order by invitation"
        )
        return [_number(each) for (each,) in self._place.rows(query, mail)]

    def bind(self, invitation: int, mail: str, told: str, entry: int) -> None:
        """Bind a confirmed address to a seat, in place of the one it had; what has been so far is no news to it."""
        with self._place.together():
            old = self.of(invitation)
            self._place.run("delete from address where invitation = ?", invitation)
            self._place.run(
                "insert into address (invitation, mail, wish, told, entry) values (?, ?, ?, ?, ?)",
                invitation,
                mail,
                old.wish if old else TURN,
                told,
                entry,
            )

    def drop(self, invitation: int) -> None:
        """Forget a seat's address, and the links on their way to it."""
        with self._place.together():
            self._place.run("delete from address where invitation = ?", invitation)
            self._place.run("update letter set dead = 1 where invitation = ?", invitation)

    def wish(self, invitation: int, wish: str) -> None:
        """Have more or less sent; whoever chooses anew is tried again after a refusal."""
        query = "update address set wish = ?, problem = '', queued = '', tries = 0 where invitation = ?"
        self._place.run(query, wish, invitation)

    def _bound(self, query: str, *values: object) -> Iterator[Bound]:
        for row in self._place.rows(query, *values):
            invitation, mail, wish, problem, told, entry, queued, due, tries, sent = row
            texts = (str(mail), str(wish), str(problem), str(told))
            numbers = (_number(due), _number(tries), _number(sent))
            yield Bound(_number(invitation), *texts, _number(entry), str(queued), *numbers)

    # -------------------------------------------------------------------------------------------------- links

    def new_link(self, link: Link, now: int) -> str:
        """The word of a link that is to be sent; empty where so many were sent in the last hour. Older ones die."""
        place = self._place
        recent = "select count(*) from letter where made > ? and (lower(mail) = lower(?) or (invitation = ? and ? > 0))"
        [(count,)] = place.rows(recent, now - HOUR, link.mail, link.invitation, link.invitation)
        if _number(count) >= MOST_LETTERS:
            return ""
        word = secrets.token_urlsafe(24)
        with place.together():
            place.run("delete from letter where made < ?", now - DAY)
            place.run(
                "update letter set dead = 1 where kind = ? and lower(mail) = lower(?) and invitation = ?",
                link.kind,
                link.mail,
                link.invitation,
            )
            place.run(
                "insert into letter (digest, kind, mail, invitation, made) values (?, ?, ?, ?, ?)",
                digest_of(word),
                link.kind,
                link.mail,
                link.invitation,
                now,
            )
        return word

    def link(self, kind: str, word: str, now: int) -> Link | None:
        """What a link stands for, while it serves."""
        query = "select kind, mail, invitation from letter where digest = ? and kind = ? and dead = 0 and made > ?"
        for found, mail, invitation in self._place.rows(query, digest_of(word), kind, now - SERVES):
            return Link(str(found), str(mail), _number(invitation))
        return None

    def use(self, kind: str, word: str, now: int) -> Link | None:
        """Use a link up: of two who do it at the same moment one has it."""
        found = self.link(kind, word, now)
        if found is None:
            return None
        used = self._place.run("update letter set dead = 1 where digest = ? and dead = 0", digest_of(word))
        return found if used else None

    # ------------------------------------------------------------------------------------------------ sending

    def queue(self, was: Bound, kind: str, told: str, due: int) -> bool:
        """Have a letter sent to a seat; False where another worker was first. `kind` may be nothing."""
        query = (
            "update address set queued = ?, told = ?, due = ?, tries = 0 "
            "where invitation = ? and told = ? and queued = ? and due = ?"
        )
        changed = self._place.run(query, kind, told, due, was.invitation, was.told, was.queued, was.due)
        return bool(changed)

    def claim(self, was: Bound, until: int) -> bool:
        """Take a letter that is due upon oneself until a time; False where another worker has it."""
        query = "update address set due = ? where invitation = ? and queued = ? and due = ?"
        return bool(self._place.run(query, until, was.invitation, was.queued, was.due))

    def sent(self, invitation: int, entry: int, now: int) -> None:
        """Note that a letter went out, which told of all up to an entry."""
        query = "update address set queued = '', tries = 0, sent = ?, entry = ? where invitation = ?"
        self._place.run(query, now, entry, invitation)

    def again(self, invitation: int, tries: int, due: int) -> None:
        """Try a letter again later."""
        self._place.run("update address set tries = ?, due = ? where invitation = ?", tries, due, invitation)

    def give_up(self, invitation: int, why: str) -> None:
        """Send a seat nothing more until it chooses anew, and tell it why on its page."""
        query = "update address set queued = '', tries = 0, problem = ? where invitation = ?"
        self._place.run(query, why, invitation)

    def in_the_last_hour(self, now: int) -> int:
        """How many mails went out to all seats in the last hour, links included."""
        [(letters,)] = self._place.rows("select count(*) from address where sent > ?", now - HOUR)
        [(links,)] = self._place.rows("select count(*) from letter where made > ?", now - HOUR)
        return _number(letters) + _number(links)


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
