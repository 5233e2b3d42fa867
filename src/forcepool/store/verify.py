"""Is everything in the journal as it was written? Every entry that is not is named."""

from collections.abc import Iterator

from msgspec import Struct

from forcepool.engine.campaign import Campaign
from forcepool.engine.dice import keeps
from forcepool.engine.journal import (
    GENESIS,
    Damaged,
    Journal,
    Sealed,
    check_chain,
    read_beginning,
)
from forcepool.engine.state import to_bytes
from forcepool.engine.world import World
from forcepool.store.errors import CampaignFileError, DiskFailed
from forcepool.store.replay import Progress, Replay
from forcepool.store.seeds import promise_of
from forcepool.store.stored import StoredJournal
from forcepool.store.subjects import subjects

MOST_FINDINGS = 1000
"""Where one thing is wrong a thousand times, the first thousand are enough."""

NOT_THE_ONE = (
    "no entry bears the seal {}… that you were told: the journal was rewritten, cut off before it, or is another's"
)


class Finding(Struct, frozen=True, order=True):
    """One thing that is not as it should be, and the entry it was found at (0: the file as a whole)."""

    entry: int
    what: str

    def __str__(self) -> str:
        return f"entry {self.entry} {self.what}" if self.entry else self.what


class Report(Struct, frozen=True):
    """What an examination of a journal found."""

    entries: int
    head: str
    findings: tuple[Finding, ...]
    dice: int = 0
    """Dice that were worked out again from the seed."""
    sealed_dice: int = 0
    """Dice that can be checked only when the secrets are told."""
    dice_by_hand: int = 0
    """Dice that were entered from the table."""

    @property
    def sound(self) -> bool:
        return not self.findings


def verify(
    journal: Journal, *, seeds: dict[int, bytes] | None = None, head: str = "", progress: Progress | None = None
) -> Report:
    """Check every entry, the state they add up to, the snapshots, the index and the dice.

    The seeds are those the file holds unless others are given, by the entries that promised them. `head` is a seal that
    someone was told, or its beginning: one of the entries must bear it.
    """
    findings: list[Finding] = []
    try:
        last, digest = journal.head()
        findings += _file(journal)
        findings += chain(journal)
        if head and not any(sealed.hash.startswith(head) for sealed in journal.read()):
            findings.append(Finding(0, NOT_THE_ONE.format(head[:16])))
        if findings:
            # What was not written by us need not make sense; naming it is all that can be done.
            return _report(last, digest, findings)
        if seeds is None:
            seeds = journal.seeds() if isinstance(journal, StoredJournal) else {}
        replay = Replay(journal, read_beginning(journal), seeds)
        findings += [Finding(*each) for each in replay.run(MOST_FINDINGS, progress)]
        findings += _promises(journal, seeds)
        if not findings:
            findings += _live_state(journal, replay)
        findings += _derived(journal)
        return _report(last, digest, findings, replay)
    except Damaged as error:
        return _report(0, GENESIS, [*findings, Finding(error.seq, str(error).removeprefix(f"entry {error.seq} "))])
    except DiskFailed:
        raise
    except CampaignFileError as error:
        return _report(0, GENESIS, [*findings, Finding(0, str(error))])


def repair(journal: StoredJournal) -> None:
    """Make again what follows from the entries: the index anew, and unusable snapshots dropped. No entry is touched."""
    for seq in journal.damaged_snapshots():
        journal.drop_snapshot(seq)
    journal.rebuild_index()


def chain(journal: Journal) -> Iterator[Finding]:
    """Every entry that was changed, is missing, stands out of order or was cut off at the end."""
    head, digest = journal.head()
    entries = journal.stored() if isinstance(journal, StoredJournal) else journal.read()
    seen = [Sealed(0, b"", GENESIS)]

    def passing() -> Iterator[Sealed]:
        for seen[0] in entries:
            yield seen[0]

    for damage in check_chain(passing()):
        yield Finding(damage.seq, str(damage).removeprefix(f"entry {damage.seq} "))
    [last] = seen
    if not last.seq:
        yield Finding(1, "is missing: the campaign has no beginning")
    elif last.seq < head:
        yield Finding(last.seq + 1, f"is missing: the journal was cut off, it went on to entry {head}")
    elif (last.seq, last.hash) != (head, digest):
        yield Finding(last.seq, f"is not the last one that was recorded, which is entry {head}")


def _file(journal: Journal) -> Iterator[Finding]:
    if isinstance(journal, StoredJournal):
        for what in journal.file_damage():
            yield Finding(0, f"the file is damaged: {what}")


def _promises(journal: Journal, seeds: dict[int, bytes]) -> Iterator[Finding]:
    """Seeds that are not the ones their entries promised."""
    for seq, seed in sorted(seeds.items()):
        sealed = next(iter(journal.read(seq, seq + 1)), None)
        if sealed is None or not keeps(promise_of(sealed), seed):
            yield Finding(seq, "promised another seed for the dice than the one that is kept")


def _live_state(journal: Journal, replay: Replay) -> Iterator[Finding]:
    """What one gets on opening the campaign must be what all entries add up to."""
    live = Campaign(journal, _no_world)
    if to_bytes(live.state) != to_bytes(replay.state):
        yield Finding(live.seq, "leads to another state on opening than when all entries are played from the beginning")


def _no_world(game: str, data: bytes) -> World:
    # Looking at a campaign asks no rules, so a game that is not installed can be verified too.
    return None  # type: ignore[return-value]


def _derived(journal: Journal) -> Iterator[Finding]:
    """Snapshots and index: what can be made again from the entries."""
    if not isinstance(journal, StoredJournal):
        return
    for seq in journal.damaged_snapshots():
        yield Finding(seq, "has a damaged snapshot; it is not used, and a repair drops it")
    yield from _index(journal)


def _index(journal: StoredJournal) -> Iterator[Finding]:
    # Sums instead of the rows themselves: a long campaign has millions of them.
    sums: dict[object, int] = {}
    for subject, seq in journal.index_rows():
        sums[seq] = sums.get(seq, 0) + hash(subject)
    indexed = journal.indexed()
    if indexed > journal.head()[0]:
        yield Finding(0, "the index is said to reach further than the journal; a repair makes it again")
    for sealed in journal.read(1, indexed + 1):
        if sums.pop(sealed.seq, 0) != sum(hash(journal.index_key(each)) for each in subjects(sealed.body)):
            yield Finding(sealed.seq, "is not rightly in the index; a repair makes the index again")
    if sums:
        yield Finding(0, "the index names entries that are not in it yet; a repair makes it again")


def _report(head: int, digest: str, findings: list[Finding], replay: Replay | None = None) -> Report:
    found = tuple(dict.fromkeys(findings))[:MOST_FINDINGS]
    if replay is None:
        return Report(head, digest, found)
    return Report(head, digest, found, replay.dice, replay.sealed_dice, replay.dice_by_hand)


def describe(report: Report) -> list[str]:
    """The report in words."""
    lines = [f"{report.entries} {'entry' if report.entries == 1 else 'entries'}, the last sealed {report.head[:16]}…"]
    if report.dice:
        lines.append(f"{report.dice} dice follow from the seed")
    if report.sealed_dice:
        lines.append(f"{report.sealed_dice} dice cannot be checked until the seed is told")
    if report.dice_by_hand:
        lines.append(f"{report.dice_by_hand} dice were entered by hand")
    return [*lines, *(map(str, report.findings) if report.findings else ["nothing was changed, lost or reordered"])]
