"""The campaigns of a database, each under its name, with the what-ifs that are tried beside them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import quote

from forcepool.engine.beginning import new_seed
from forcepool.engine.campaign import Campaign, WorldBuilder
from forcepool.engine.whatif import begin_whatif
from forcepool.store.address import in_database, named_in_database, shown
from forcepool.store.errors import CampaignFileError
from forcepool.store.open import now, opened
from forcepool.store.pg_ear import Ear
from forcepool.store.pg_link import SCHEMA, Link
from forcepool.store.pg_schema import migrate
from forcepool.store.postgres import CHANNEL, PostgresJournal
from forcepool.store.stock import APART, Whatif, laid_out

SWEPT_AFTER = "7 days"
"""A what-if that nobody has touched for so long is thrown away."""
UNFINISHED_AFTER = "1 day"
"""What was being made and never finished, such as when the power failed."""


LONGEST_NAME = 200


class NameTaken(CampaignFileError):
    """There is a campaign of that name already."""


class Database:
    """The campaigns of a database."""

    ending = ""

    def __init__(self, url: str, *, serves: bool = False) -> None:
        self.url, _ = in_database(url)
        self.link = Link(self.url, serves=serves)
        self._ear: Ear | None = None
        try:
            migrate(self.link)
        except BaseException:
            self.link.close()
            raise

    def names(self) -> list[str]:
        return [
            name
            for (name,) in self.link.rows("select name from campaign where tries is null and name <> '' order by name")
        ]

    def has(self, name: str) -> bool:
        return "\0" not in name and bool(self.link.rows("select 1 from campaign where name = %s", name))

    def check(self) -> None:
        self.link.rows("select 1")

    def touched(self, name: str) -> float:
        rows = self.link.rows("select extract(epoch from touched)::float from campaign where name = %s", name)
        return float(rows[0][0]) if rows else 0.0

    def where(self, name: str) -> str:
        return f"{self.url}#{quote(name)}"

    def open(self, name: str, build: WorldBuilder) -> Campaign:
        return opened(PostgresJournal.on(self.link, name), build)

    def untold(self, says: str) -> str:
        return says.replace(f" {shown(self.url)}", "")

    def size(self, name: str) -> int:
        query = (
            "select coalesce((select sum(octet_length(body)) from entry where campaign = campaign.id), 0) + "
            "coalesce((select sum(octet_length(body)) from snapshot where campaign = campaign.id), 0) "
            "from campaign where name = %s"
        )
        rows = self.link.rows(query, name)
        return int(rows[0][0]) if rows else 0

    def total(self) -> int:
        query = (
            "select coalesce(sum(pg_total_relation_size(oid)), 0) from pg_class where relnamespace = %s::regnamespace"
        )
        return int(self.link.rows(f"{query} and relkind = 'r'", SCHEMA)[0][0])

    def entries(self, name: str) -> int:
        rows = self.link.rows("select seq from campaign where name = %s", name)
        return int(rows[0][0]) if rows else 0

    # ------------------------------------------------------------------------------------------- what-ifs

    def try_out(self, campaign: Campaign, name: str, who: str) -> str:
        def lay(new: str) -> None:
            seed = new_seed()
            with new_on(self.link, new, Whatif(name, who)) as journal:
                begin_whatif(campaign, journal, seed, when=now())
                journal.keep_seed(1, seed)

        found = self.whatif_of(name, who)
        if not found:
            try:
                found = laid_out(name, lay)
            except NameTaken:
                # The same seat has opened one at the same moment, with another worker.
                found = self.whatif_of(name, who)
        return found

    def whatif(self, name: str) -> Whatif | None:
        if APART not in name or "\0" in name:
            return None
        rows = self.link.rows("select tries, who from campaign where name = %s and tries is not null", name)
        return Whatif(*rows[0]) if rows else None

    def whatif_of(self, campaign: str, who: str) -> str:
        query = "select name from campaign where tries = %s and who = %s and name is not null"
        rows = self.link.rows(query, campaign, who)
        return str(rows[0][0]) if rows else ""

    def drop(self, name: str) -> None:
        self.link.rows("delete from campaign where name = %s and tries is not null", name)

    def sweep(self) -> None:
        """Throw away what-ifs that nobody touches any more, and what was never finished."""
        with suppress(CampaignFileError):
            self.link.rows(
                f"delete from campaign where tries is not null and touched < now() - interval '{SWEPT_AFTER}'"
            )
            self.link.rows(f"delete from campaign where name is null and made < now() - interval '{UNFINISHED_AFTER}'")

    # ------------------------------------------------------------------------------------ hearing and telling

    def listen(self, heard: Callable[[str], None]) -> None:
        """Be told from now on, on another thread, of what others do: 'entry 345 east', 'look east', 'job …'."""
        self._ear = Ear(self.url, CHANNEL, heard)

    @property
    def hears(self) -> bool:
        """Whether news come by themselves just now."""
        return self._ear is not None and self._ear.hears

    def sole(self, task: str) -> bool:
        """Whoever asked first and is still there does it; the lock goes with his connection."""
        try:
            return bool(self.link.rows("select pg_try_advisory_lock(hashtextextended(%s, 0))", f"sole {task}")[0][0])
        except CampaignFileError:
            return False

    def announce(self, word: str) -> None:
        """Tell all workers something, if it can be told now."""
        with suppress(CampaignFileError):
            self.link.rows("select pg_notify(%s, %s)", CHANNEL, word)

    def close(self) -> None:
        if self._ear is not None:
            self._ear.close()
        self.link.close()


@contextmanager
def new_in_database(where: str) -> Iterator[PostgresJournal]:
    """A journal that appears under its name in the database only once it is whole."""
    url, name = named_in_database(where)
    link = Link(url)
    try:
        migrate(link)
        with new_on(link, name) as journal:
            yield journal
    finally:
        link.close()


@contextmanager
def new_on(link: Link, name: str, whatif: Whatif | None = None) -> Iterator[PostgresJournal]:
    """The same on a link that is there already; what-ifs are somebody's."""
    if "\0" in name or not 0 < len(name) <= LONGEST_NAME:
        raise CampaignFileError(
            f"a campaign's name in a database has 1 to {LONGEST_NAME} letters, and no null among them"
        )
    if link.rows("select 1 from campaign where name = %s", name):
        raise _taken(name)
    [(number,)] = link.rows("insert into campaign default values returning id")
    try:
        yield PostgresJournal(link, number, name)
        _give_name(link, number, name, whatif)
    except BaseException:
        with suppress(CampaignFileError):
            link.rows("delete from campaign where id = %s and name is null", number)
        raise


def _give_name(link: Link, number: int, name: str, whatif: Whatif | None) -> None:
    """The campaign's name, unless another has taken it meanwhile: then nothing is changed."""
    query = (
        "update campaign set name = %s, tries = %s, who = %s where id = %s and not exists "
        "(select 1 from campaign as other where other.name = %s or (other.tries = %s and other.who = %s)) returning 1"
    )
    tries, who = (whatif.campaign, whatif.who) if whatif else (None, None)

    def landed() -> bool:
        return bool(link.rows("select 1 from campaign where id = %s and name = %s", number, name))

    with link.transaction(landed):
        # One at a time: two that look at the same moment would both find the name free.
        link.rows("select pg_advisory_xact_lock(hashtextextended(%s, 0))", tries or name)
        if not link.rows(query, name, tries, who, number, name, tries, who):
            raise _taken(name)


def _taken(name: str) -> NameTaken:
    return NameTaken(f"there is a campaign '{name}' in the database already; choose another name")
