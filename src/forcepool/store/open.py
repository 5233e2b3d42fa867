"""Beginning, opening and closing a campaign's file."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from forcepool.engine.beginning import begin, new_seed
from forcepool.engine.campaign import Campaign, WorldBuilder
from forcepool.engine.journal import Damaged
from forcepool.engine.state import State
from forcepool.files.disk import draft_of, is_the_disks
from forcepool.files.problems import BadFile, Problem
from forcepool.store.address import is_database
from forcepool.store.errors import CampaignBusy, CampaignFileError, CampaignMoved, DiskFailed, failed
from forcepool.store.replay import Progress
from forcepool.store.shares import shares_beside
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.stored import StoredJournal
from forcepool.store.textfile import import_text
from forcepool.store.verify import Report, verify

FORGED = (ArithmeticError, AttributeError, Damaged, LookupError, TypeError, ValueError)
"""What a beginning that nobody wrote with the program may make a game stumble over."""


def now() -> str:
    """The time to note beside an entry: UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def create_campaign(
    path: Path | str,
    *,
    game: str,
    title: str,
    ruleset: str,
    world: bytes,
    state: State,
    seats: Sequence[str] = (),
    seed: bytes | None = None,
    when: str = "",
    rulings: Mapping[str, str] | None = None,
) -> None:
    """Begin a campaign in a new file. No seed makes a secret one; an empty seed leaves the dice to the table."""
    seed = new_seed() if seed is None else seed
    with new_journal(path) as journal:
        begin(
            journal,
            game=game,
            title=title,
            ruleset=ruleset,
            world=world,
            state=state,
            seats=seats,
            seed=seed,
            when=when or now(),
            rulings=rulings,
        )
        if seed:
            journal.keep_seed(1, seed)


def import_campaign(
    lines: Iterable[str],
    path: Path | str,
    *,
    file: str = "journal",
    build: WorldBuilder | None = None,
    progress: Progress | None = None,
    check: Callable[[Campaign], None] = lambda campaign: None,
) -> None:
    """Make a campaign's file from its plain text, whole or not at all; with `build`, only if its game can be played.

    `check` may have a reason against it, and raise it.
    """
    with new_journal(path) as journal:
        import_text(lines, journal, file=file, progress=progress)
        if build is not None:
            try:
                campaign = Campaign(journal, build)
                _check_nations(campaign)
                check(campaign)
                campaign.keep_vouched_snapshots()
            except FORGED as error:
                what = f"entry 1 is no beginning that can be played: {' '.join(str(error).split())[:200]}"
                raise BadFile([Problem(file, 1, 1, what, "export the campaign again")]) from None


def _check_nations(campaign: Campaign) -> None:
    """ValueError where a unit is of a nation that the campaign does not have."""
    for nation in sorted({unit.spec.nation for unit in campaign.state.units.values()}):
        if campaign.world.nation_named(nation) != nation:
            raise ValueError(f"there is no nation '{nation}'")


def open_journal(where: Path | str, *, wait: float | None = None) -> StoredJournal:
    """The journal of a campaign, wherever it is kept: in a file, or in a database under a name."""
    if isinstance(where, str) and is_database(where):
        from forcepool.store.postgres import PostgresJournal

        return PostgresJournal.open(where)
    return SqliteJournal.open(where, wait=wait)


def open_campaign(where: Path | str, build: WorldBuilder, *, wait: float | None = None) -> Campaign:
    """A campaign ready to be played; closing its journal closes it."""
    journal = open_journal(where, wait=wait)
    try:
        return opened(journal, build, () if is_database(where) else shares_beside(where))
    except BaseException:
        journal.close()
        raise


def opened(journal: StoredJournal, build: WorldBuilder, shares: Iterable[bytes] = ()) -> Campaign:
    """The campaign of a journal, with the secrets of its dice that are kept with it and those that lie beside it."""
    check_end(journal)
    return Campaign(journal, build, secrets=(*journal.seeds().values(), *shares))


@contextmanager
def campaign_file(path: Path | str, build: WorldBuilder) -> Iterator[Campaign]:
    """The campaign for as long as the block lasts; afterwards one file is left, where it is kept in one."""
    campaign = open_campaign(path, build)
    try:
        yield campaign
    finally:
        campaign.journal.close()


def check_end(journal: StoredJournal) -> None:
    """Damaged when the journal does not end where its last writer noted."""
    seq, digest = journal.head()
    last = next(journal.read(max(seq, 1)), None)
    if last is None or last.hash != digest:
        raise Damaged(
            max(seq, 1), "is not the last one that was recorded: the end of the journal was cut off or changed"
        )


def copy_campaign(source: Path | str, target: Path) -> Report:
    """A sound copy of a campaign as a file, also while others write to it; what an examination of the copy found."""
    with open_journal(source) as journal, new_copy(target) as draft:
        journal.backup_to(draft)
    with SqliteJournal.open(target) as copy:
        return verify(copy)


def restore_campaign(copy: Path, target: Path, aside: Path) -> Report:
    """Put a copy in the place of a campaign, which is kept under another name; what an examination of the copy found.

    A copy that is not sound is left where it is. Whenever this is cut off, the place holds the one or the other, whole.
    """
    draft = draft_of(target)
    try:
        with SqliteJournal.open(copy) as journal:
            journal.backup_to(draft)
        with SqliteJournal.open(draft) as journal:
            report = verify(journal)
        if report.sound:
            with _put_aside(target, aside):
                os.replace(draft, target)
    except OSError as error:
        raise failed(target) if is_the_disks(error) else error from None
    finally:
        _clear_away(draft)
    return report


@contextmanager
def _put_aside(target: Path, aside: Path) -> Iterator[None]:
    """Keep what lies in a place under another name, and let nobody write to it until the place is another's."""
    with ExitStack() as open_files:
        if target.exists():
            try:
                journal = open_files.enter_context(SqliteJournal.open(target))
                open_files.enter_context(journal.held())
                sound = not journal.file_damage()
            except (CampaignBusy, CampaignMoved, DiskFailed):
                raise
            except CampaignFileError:
                sound = False
            if sound:
                copy_campaign(target, aside)
            else:
                # Of what is damaged a copy would be less than what lies there.
                for ending in ("", "-wal"):
                    with suppress(FileNotFoundError):
                        _keep_as(f"{target}{ending}", f"{aside}{ending}")
            # Whoever has the old file open still goes on with its log, and must not share it with the new one.
            for leftover in ("-wal", "-shm"):
                with suppress(FileNotFoundError):
                    os.unlink(f"{target}{leftover}")
        yield


def _keep_as(path: str, name: str) -> None:
    """Give a file another name as well, or where the disk knows no links that name alone."""
    try:
        os.link(path, name)
    except FileNotFoundError:
        raise
    except OSError:
        os.rename(path, name)


@contextmanager
def new_copy(path: Path) -> Iterator[Path]:
    """A draft that appears under its name only once it is whole."""
    if os.path.lexists(path):
        raise _exists(path)
    draft = draft_of(path)
    try:
        yield draft
        _check_whole(draft, path)
        _give_name(draft, path)
    except OSError as error:
        raise failed(path) if is_the_disks(error) else error from None
    finally:
        _clear_away(draft)


@contextmanager
def new_journal(where: Path | str) -> Iterator[StoredJournal]:
    """A journal that appears under its name only once it is whole, wherever it is to be kept."""
    if isinstance(where, str) and is_database(where):
        from forcepool.store.database import new_in_database

        with new_in_database(where) as kept:
            yield kept
        return
    with new_file(where) as journal:
        yield journal


@contextmanager
def new_file(path: Path | str) -> Iterator[SqliteJournal]:
    """A file that appears under its name only once it is whole."""
    path = Path(path)
    if not path.parent.is_dir():
        raise CampaignFileError(f"there is no folder {path.parent}; make it first")
    if os.path.lexists(path):
        raise _exists(path)
    with new_copy(path) as draft, SqliteJournal.create(draft) as journal:
        yield journal


def _clear_away(draft: Path) -> None:
    for leftover in ("", "-wal", "-shm", "-journal"):
        with suppress(OSError):
            os.unlink(f"{draft}{leftover}")


def _check_whole(draft: Path, path: Path) -> None:
    """Closing merges the log and does not say when a full disk kept it from that: then the draft is not whole."""
    try:
        with SqliteJournal.open(draft) as journal:
            check_end(journal)
            whole = not journal.file_damage()
    except (CampaignFileError, Damaged):
        whole = False
    if not whole or os.path.exists(f"{draft}-wal"):
        raise failed(path)


def _give_name(draft: Path, path: Path) -> None:
    try:
        os.link(draft, path)
    except FileExistsError:
        raise _exists(path) from None
    except OSError:
        # Some memory sticks know no links; there a moment remains in which someone could take the name.
        if os.path.lexists(path):
            raise _exists(path) from None
        os.rename(draft, path)


def _exists(path: Path) -> CampaignFileError:
    return CampaignFileError(f"{path} exists already; choose another name or move it away first")
