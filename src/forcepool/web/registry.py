"""Who was invited to which seat, who sits there now, and what they last looked at: kept beside the campaigns.

Nothing of a campaign's journal is in here; losing the file costs the invitations, and the server's part in the dice,
which the host then promises anew. Words and keys are kept as hashes.
"""

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from forcepool.store.errors import CampaignFileError
from forcepool.web.chair import Seat
from forcepool.web.habits import HABITS, Habits
from forcepool.web.registry_file import BadRegistry, RegistryFile, RegistryPlace

FILE = "seats.sqlite"
IN_MEMORY = ":memory:"
MOST_KEYS = 20
"""Keys of one seat; a further one ends the oldest."""
MOST_TICKS = 2000


class Invitation(Struct, frozen=True):
    """A seat that was offered to someone, or to the host."""

    id: int
    campaign: str
    seat: Seat
    made: str
    used: str = ""
    ended: str = ""


class Hook(Struct, frozen=True):
    """An address that is told when it is a seat's turn."""

    id: int
    invitation: int
    campaign: str
    url: str
    secret: str


_INVITATION = "select id, campaign, role, side, front, name, made, used, ended from invitation"


class Registry:
    """The register of seats, in a file or wherever else it is kept."""

    def __init__(self, place: RegistryPlace | Path | str) -> None:
        self.place: RegistryPlace = RegistryFile(place) if isinstance(place, Path | str) else place

    def close(self) -> None:
        self.place.close()

    def _rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        return self.place.rows(query, *values)

    def _run(self, query: str, *values: object) -> int:
        return self.place.run(query, *values)

    def _together(self) -> AbstractContextManager[None]:
        return self.place.together()

    def _spoilt(self, how: str) -> BadRegistry:
        return self.place.spoilt(how)

    def _number(self, value: object) -> int:
        """A number as the register has it, which in a damaged one may be anything."""
        if not isinstance(value, int):
            raise self._spoilt("a number in it is none")
        return value

    @property
    def secret(self) -> str:
        """What sessions are signed with; made once, by whoever comes first, and kept as long as the register."""
        for (value,) in self._rows("select value from secret"):
            return str(value)
        query = "insert into secret (value) select ? where not exists (select 1 from secret) on conflict do nothing"
        self._run(query, secrets.token_urlsafe(32))
        return self.secret

    def check(self) -> None:
        """Look whether the register can be read; RegistryBusy or BadRegistry if not."""
        self._rows("select count(*) from secret")

    # ---------------------------------------------------------------------------------------- invitations

    def invite(self, campaign: str, seat: Seat) -> tuple[Invitation, str]:
        """Offer a seat; the word for the link is told once and kept only as a hash."""
        word = secrets.token_urlsafe(24)
        self._run(
            "insert into invitation (campaign, role, side, front, name, digest, made) values (?, ?, ?, ?, ?, ?, ?)",
            campaign,
            seat.role,
            seat.side,
            seat.front,
            seat.name,
            digest_of(word),
            _now(),
        )
        found = self.offered(word)
        if found is None:
            raise self._spoilt("an invitation is not there that was just written")
        return found, word

    def offered(self, word: str) -> Invitation | None:
        """The invitation a link stands for, while nobody has used or ended it."""
        query = f"{_INVITATION} where digest = ? and used = '' and ended = ''"
        return next(self._invitations(query, digest_of(word)), None)

    def invitations(self, campaign: str) -> list[Invitation]:
        return list(self._invitations(f"{_INVITATION} where campaign = ? order by id", campaign))

    def accept(self, word: str, session: str, *, was: str = "") -> Invitation | None:
        """Sit down on an invitation: it serves once, and then its link is dead. Seats from before come along."""
        found = self.offered(word)
        if found is None:
            return None
        # Together: an invitation that is used up while nobody sits there would keep its guest out.
        with self._together():
            changed = self._run(
                "update invitation set used = ? where id = ? and used = '' and ended = ''", _now(), found.id
            )
            if not changed:
                return None
            self._run("update sitting set session = ? where session = ?", digest_of(session), digest_of(was))
            query = (
                "insert into sitting values (?, ?, ?) "
                "on conflict (session, campaign) do update set invitation = excluded.invitation"
            )
            self._run(query, digest_of(session), found.campaign, found.id)
        return found

    def invitation(self, number: int) -> Invitation | None:
        """A seat by its number, unless it was taken away."""
        return next(self._invitations(f"{_INVITATION} where id = ? and ended = ''", number), None)

    def sit_again(self, session: str, invitations: Iterable[Invitation], *, was: str = "") -> None:
        """Sit down on seats one had before, under a new session; other seats of the old one come along."""
        with self._together():
            self._run("update sitting set session = ? where session = ?", digest_of(session), digest_of(was))
            for each in invitations:
                self._run("delete from sitting where session = ? and campaign = ?", digest_of(session), each.campaign)
                self._run(
                    "insert into sitting (session, campaign, invitation) values (?, ?, ?)",
                    digest_of(session),
                    each.campaign,
                    each.id,
                )

    def end(self, invitation: int, campaign: str) -> None:
        """Take a seat away: its link, its sessions and its keys no longer open anything.

        What was the player's own goes with it: addresses that were told, plans. Whoever sits there next finds none.
        """
        with self._together():
            ended = "update invitation set ended = ? where id = ? and campaign = ? and ended = ''"
            if not self._run(ended, _now(), invitation, campaign):
                return
            for table in ("key", "hook", "sitting", "address"):
                self._run(f"delete from {table} where invitation = ?", invitation)
            self._run("update letter set dead = 1 where invitation = ?", invitation)
            for table in ("plan", "tick", "news", "looked"):
                self._run(f"delete from {table} where who = ? or who = ?", *_readers(invitation))

    def _invitations(self, query: str, *values: object) -> Iterator[Invitation]:
        for id_, campaign, role, side, front, name, made, used, ended in self._rows(query, *values):
            seat = Seat(str(role), str(side), str(front), str(name))
            yield Invitation(self._number(id_), str(campaign), seat, str(made), str(used), str(ended))

    # -------------------------------------------------------------------------------------------- sitting

    def sides_at(self, campaign: str) -> tuple[str, ...]:
        """The sides that someone plays now, by invitations that were accepted and not ended."""
        query = (
            "select distinct side from invitation where campaign = ? and side != '' and role in ('side', 'front') "
            "and used != '' and ended = '' order by 1"
        )
        return tuple(str(side) for (side,) in self._rows(query, campaign))

    def sits(self, session: str, campaign: str) -> Invitation | None:
        """The seat a session has at a campaign."""
        return next(iter(self.sittings(session, campaign)), None)

    def sittings(self, session: str, campaign: str) -> list[Invitation]:
        """The seats a session has at a campaign and at all campaigns, the one that counts first."""
        query = (
            f"{_INVITATION} where ended = '' and campaign in (?, '') and id in "
            "(select invitation from sitting where session = ? and campaign in (?, '')) order by id desc"
        )
        return list(self._invitations(query, campaign, digest_of(session), campaign))

    def campaigns_of(self, session: str) -> list[str]:
        query = (
            "select sitting.campaign from sitting join invitation on invitation.id = invitation "
            "where session = ? and ended = '' order by 1"
        )
        return [str(name) for (name,) in self._rows(query, digest_of(session))]

    def new_key(self, invitation: int) -> str:
        """A key for programs that act from a seat; told once."""
        key = f"fp_{secrets.token_urlsafe(32)}"
        self._run("insert into key (digest, invitation) values (?, ?)", digest_of(key), invitation)
        newest = "select rowid from key where invitation = ? order by rowid desc limit ?"
        self._run(
            f"delete from key where invitation = ? and rowid not in ({newest})", invitation, invitation, MOST_KEYS
        )
        return key

    def keyed(self, key: str, campaign: str) -> Invitation | None:
        query = (
            f"{_INVITATION} where ended = '' and campaign in (?, '') and id = (select invitation from key "
            "where digest = ?)"
        )
        return next(self._invitations(query, campaign, digest_of(key)), None)

    def seat_of_key(self, key: str) -> Invitation | None:
        """The seat a key goes with, wherever it is."""
        query = f"{_INVITATION} where ended = '' and id = (select invitation from key where digest = ?)"
        return next(self._invitations(query, digest_of(key)), None)

    # ---------------------------------------------------------------------------------- habits of a seat

    def choose(self, session: str, campaign: str, side: str) -> None:
        """At one's own machine: look at the campaign as one side."""
        query = "insert into chosen values (?, ?, ?) on conflict (session, campaign) do update set side = excluded.side"
        self._run(query, digest_of(session), campaign, side)

    def chosen(self, session: str, campaign: str) -> str:
        query = "select side from chosen where session = ? and campaign = ?"
        return next((str(side) for (side,) in self._rows(query, digest_of(session), campaign)), "")

    def looked(self, who: str, campaign: str) -> int:
        """The last entry someone has seen."""
        query = "select entry from looked where who = ? and campaign = ?"
        return next((entry for (entry,) in self._rows(query, who, campaign) if isinstance(entry, int)), 0)

    def look(self, who: str, campaign: str, entry: int) -> None:
        """Note it, if that can be done now: a page is shown on a full disk too, and at once on a slow one."""
        query = "insert into looked values (?, ?, ?) on conflict (who, campaign) do update set entry = excluded.entry"
        with suppress(CampaignFileError):
            self.place.note(query, who, campaign, entry)

    def habits(self, who: str, campaign: str, moment: str) -> Habits:
        """What a page asks of a seat and its campaign, found at once."""
        seat = who, campaign
        return Habits(self._rows(HABITS, *seat, moment, *seat, *seat, *seat, campaign))

    def ticked(self, who: str, campaign: str, moment: str) -> set[str]:
        query = "select item from tick where who = ? and campaign = ? and moment = ?"
        return {str(item) for (item,) in self._rows(query, who, campaign, moment)}

    def tick(self, who: str, campaign: str, moment: str, item: str, on: bool) -> None:
        if on:
            # Ticks last as long as the phase, and nobody has more lines to tick than this.
            self._run("delete from tick where who = ? and campaign = ? and moment != ?", who, campaign, moment)
            if len(self.ticked(who, campaign, moment)) < MOST_TICKS:
                self._run("insert into tick values (?, ?, ?, ?) on conflict do nothing", who, campaign, moment, item)
        else:
            query = "delete from tick where who = ? and campaign = ? and moment = ? and item = ?"
            self._run(query, who, campaign, moment, item)

    def fresh_news(
        self, who: str, campaign: str, moment: str, items: set[str], habits: Habits | None = None
    ) -> set[str]:
        """Which of the news someone had not been shown when the phase began for them; it stays so for the phase.

        To whoever looks for the first time nothing is new.
        """
        known = shown = items
        noted = False
        for before, *rest in (habits or self.habits(who, campaign, moment)).news:
            noted = before == moment
            known, shown = ({*each.split()} for each in rest)
            if not noted:
                known, shown = shown, set()
        if not noted or not items <= shown:
            texts = (" ".join(sorted(each)) for each in (known, shown | items))
            query = (
                "insert into news values (?, ?, ?, ?, ?) on conflict (who, campaign) "
                "do update set moment = excluded.moment, known = excluded.known, shown = excluded.shown"
            )
            with suppress(CampaignFileError):
                self._run(query, who, campaign, moment, *texts)
        return items - known

    def forget(self, campaign: str) -> None:
        """What was looked at, ticked and planned in a what-if goes with it."""
        for table in ("looked", "tick", "news", "plan"):
            self._run(f"delete from {table} where campaign = ?", campaign)

    # ------------------------------------------------------------------------------------- plans of a seat

    def keep_plan(self, who: str, campaign: str, entry: int, body: bytes, most: int) -> int:
        """Keep a plan, made after an entry; it is the one to be followed. Beyond so many the oldest goes."""
        with self._together():
            self._run("update plan set followed = 0 where who = ? and campaign = ?", who, campaign)
            query = "insert into plan (who, campaign, entry, body, followed) values (?, ?, ?, ?, 1)"
            self._run(query, who, campaign, entry, body)
            kept = "select id from plan where who = ? and campaign = ? order by id desc limit ?"
            old = f"delete from plan where who = ? and campaign = ? and id not in ({kept})"
            self._run(old, who, campaign, who, campaign, most)
        return max(id_ for id_, *_ in self.plans(who, campaign))

    def plans(self, who: str, campaign: str, *, followed: bool = False) -> list[tuple[int, int, bytes, bool]]:
        """A seat's plans, oldest first: number, entry, body, and whether it is followed."""
        only = " and followed = 1" if followed else ""
        query = f"select id, entry, body, followed from plan where who = ? and campaign = ?{only} order by id"
        return [
            (self._number(id_), self._number(entry), body, bool(is_followed))
            for id_, entry, body, is_followed in self._rows(query, who, campaign)
            if isinstance(body, bytes)
        ]

    def follow_plan(self, who: str, campaign: str, plan: int) -> None:
        query = "update plan set followed = case when id = ? then 1 else 0 end where who = ? and campaign = ?"
        self._run(query, plan, who, campaign)

    def drop_plan(self, who: str, campaign: str, plan: int) -> None:
        self._run("delete from plan where id = ? and who = ? and campaign = ?", plan, who, campaign)

    # ---------------------------------------------------------------------- how campaigns stand with the host

    def standing(self, campaign: str) -> tuple[str, str, str]:
        """Whether a campaign is locked or laid by, with the host's note, and since when."""
        query = "select state, note, since from standing where campaign = ?"
        return next(((str(s), str(n), str(w)) for s, n, w in self._rows(query, campaign)), ("", "", ""))

    def standings(self) -> dict[str, tuple[str, str, str]]:
        """The same of all that are not simply open."""
        rows = self._rows("select campaign, state, note, since from standing where state != '' order by campaign")
        return {str(name): (str(state), str(note), str(since)) for name, state, note, since in rows}

    def set_standing(self, campaign: str, state: str, note: str) -> None:
        query = (
            "insert into standing values (?, ?, ?, ?) on conflict (campaign) do update "
            "set state = excluded.state, note = excluded.note, since = excluded.since"
        )
        self._run(query, campaign, state, note, _now())

    # --------------------------------------------------------------------------------- parts in the dice

    def keep_part(self, campaign: str, secret: bytes) -> None:
        """Keep a secret of a campaign's dice, by the campaign's first seal: its file may be renamed, or copied."""
        self._run("insert into part values (?, ?)", campaign, secret)

    def parts(self, campaign: str) -> list[bytes]:
        rows = self._rows("select secret from part where campaign = ?", campaign)
        return [secret for (secret,) in rows if isinstance(secret, bytes)]

    # ----------------------------------------------------------------------------------------------- hooks

    def add_hook(self, invitation: int, campaign: str, url: str) -> Hook:
        secret = secrets.token_urlsafe(24)
        self._run(
            "insert into hook (invitation, campaign, url, secret) values (?, ?, ?, ?)",
            invitation,
            campaign,
            url,
            secret,
        )
        found = self.hooks(campaign)
        if not found:
            raise self._spoilt("an address is not there that was just written")
        return max(found, key=lambda hook: hook.id)

    def hooks(self, campaign: str) -> list[Hook]:
        query = "select id, invitation, campaign, url, secret from hook where campaign = ? order by id"
        return [
            Hook(self._number(id_), self._number(invitation), str(name), str(url), str(secret))
            for id_, invitation, name, url, secret in self._rows(query, campaign)
        ]

    def hooked(self) -> list[str]:
        """The campaigns with addresses to tell."""
        return [str(name) for (name,) in self._rows("select distinct campaign from hook order by 1")]

    def drop_hook(self, hook: int, invitation: int) -> bool:
        return bool(self._run("delete from hook where id = ? and invitation = ?", hook, invitation))


def _readers(invitation: int) -> tuple[str, str]:
    """Under which names it is kept what a seat has looked at."""
    return f"invitation/{invitation}", f"invitation/{invitation}/messages"


def digest_of(word: str) -> str:
    """As what a word is kept."""
    return hashlib.sha256(word.encode()).hexdigest()


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
