"""Play by mail: what is sent to a side, and what comes from it, taken in beside what was played here meanwhile.

Two people have a file each of the same campaign. A turn goes from one to the other; nothing is merged by guess. If both
have played on, both ways are shown, and the pair chooses one; the other stays in a file of its own.
"""

from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path

import msgspec
from msgspec import Struct

from forcepool.engine.journal import GENESIS, Damaged, Journal, MemoryJournal, Sealed, read_beginning
from forcepool.engine.sentence import Told
from forcepool.files.disk import whole_text
from forcepool.store.open import new_file, restore_campaign
from forcepool.store.replay import Progress, Replay
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.textfile import MOST_MISFITS
from forcepool.store.turnfile import FORMAT, End, Turn

ENDING = ".mail"
NOTHING = End(0, GENESIS)


class Cannot(Told):
    """A turn that does not fit here, said to the player."""


class Standing(Struct, frozen=True):
    """A turn beside the campaign it came for."""

    common: int
    """The last entry that both have."""
    ours: tuple[Sealed, ...]
    """What was played here after that, where they have played on too."""
    theirs: tuple[Sealed, ...]
    """What they have after that."""

    @property
    def parted(self) -> bool:
        """Whether both have played on."""
        return bool(self.ours and self.theirs)


# ------------------------------------------------------------------------------------------------- what a side has


def confirmed(campaign: Path) -> dict[str, End]:
    """By side the last entry that it is known to have; of a note that cannot be read, nothing."""
    try:
        return msgspec.json.decode(_note(campaign).read_bytes(), type=dict[str, End])
    except (OSError, msgspec.MsgspecError):
        return {}


def confirm(campaign: Path, side: str, end: End) -> None:
    """Note what a side has, beside the campaign; without the note the next turn is longer, and no less right."""
    known = confirmed(campaign) | {side: end}
    with whole_text(_note(campaign)) as file:
        file.write(msgspec.json.format(msgspec.json.encode(known)).decode() + "\n")


def _note(campaign: Path) -> Path:
    return campaign.with_name(f"{campaign.stem}{ENDING}")


# --------------------------------------------------------------------------------------------------------- sending


def turn_for(journal: Journal, sender: str, to: str, known: End | None) -> Turn:
    """What a side has not confirmed yet; everything, where it has confirmed nothing of this campaign."""
    first = next(iter(journal.read(1, 2)))
    after = known if known is not None and _has(journal, known) else NOTHING
    seq, digest = journal.head()
    entries = tuple((each.body, bytes.fromhex(each.hash)) for each in journal.read(after.seq + 1))
    return Turn(FORMAT, first.hash, read_beginning(journal).title, sender, to, after, End(seq, digest), entries)


def _has(journal: Journal, end: End) -> bool:
    return any(each.hash == end.hash for each in journal.read(end.seq, end.seq + 1)) if end.seq else False


# ------------------------------------------------------------------------------------------------------- receiving


def standing(journal: Journal, turn: Turn) -> Standing:
    """How a turn fits what is here; Cannot says why it does not."""
    first = next(iter(journal.read(1, 2)), None)
    head, _ = journal.head()
    if first is not None and first.hash != turn.campaign:
        raise Cannot(f"it is a turn of another campaign, '{turn.title}'; name the file you play that in")
    if head < turn.after.seq:
        what = f"entries {head + 1} to {turn.after.seq} are" if head else "the campaign is"
        raise Cannot(f"{what} missing here, and the turn begins after entry {turn.after.seq}; {_send_all(turn)}")
    if turn.after.seq and not _has(journal, turn.after):
        raise Cannot(
            f"entry {turn.after.seq} is another here than there: the two have parted before; {_send_all(turn)}"
        )
    here, theirs = list(journal.read(turn.after.seq + 1)), list(turn.sealed)
    same = sum(1 for _ in takewhile(lambda pair: pair[0].hash == pair[1].hash, zip(here, theirs, strict=False)))
    return Standing(turn.after.seq + same, tuple(here[same:]), tuple(theirs[same:]))


def _send_all(turn: Turn) -> str:
    return f"have {turn.sender} send everything: forcepool send FILE --to {turn.to} --all"


def played_there(
    journal: Journal, found: Standing, secrets: Iterable[bytes], progress: Progress | None = None
) -> Journal:
    """The campaign as they have it, played again: hashes can be forged, and what cannot have been played is refused."""
    draft = MemoryJournal()
    draft.append(list(journal.read(1, found.common + 1)))
    draft.append(found.theirs)
    try:
        misfits = list(Replay(draft, read_beginning(draft), dict(enumerate(secrets))).run(MOST_MISFITS, progress))
    except (Damaged, ValueError, msgspec.MsgspecError) as error:
        raise Cannot(f"it cannot be read: {error}") from None
    if misfits:
        raise Cannot(f"entry {misfits[0][0]} of it {misfits[0][1]}; it cannot have been played so")
    return draft


def begin_from(path: Path, found: Standing) -> None:
    """A campaign that is not here yet, made of its first turn."""
    with new_file(path) as journal:
        journal.append(found.theirs)


def take_in(journal: Journal, found: Standing) -> None:
    """Record what they have played, where nothing was played here meanwhile."""
    if found.parted:
        raise Cannot(f"both have played on since entry {found.common}; choose one of the two")
    journal.append(found.theirs)


def choose_theirs(path: Path, aside: Path, found: Standing) -> None:
    """Go on from what they have played; what was played here is kept whole, in a file of its own."""
    draft = aside.with_name(f"{aside.name}.theirs")
    with SqliteJournal.open(path) as journal:
        seeds = {seq: seed for seq, seed in journal.seeds().items() if seq <= found.common}
        common = list(journal.read(1, found.common + 1))
    try:
        with new_file(draft) as journal:
            journal.append([*common, *found.theirs])
            for seq, seed in seeds.items():
                journal.keep_seed(seq, seed)
        report = restore_campaign(draft, path, aside)
    finally:
        draft.unlink(missing_ok=True)
    if not report.sound:
        raise Cannot(f"what they sent is not sound: {report.findings[0]}")
