"""A turn that came by mail, taken in: checked, judged again, shown in words, recorded if it follows what is here."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from forcepool import games
from forcepool.engine.acts import entry_in_words, numbers_in_words
from forcepool.engine.campaign import Campaign
from forcepool.engine.journal import Entry, Journal, MemoryJournal, Sealed, read_entry
from forcepool.engine.messages import as_read_by
from forcepool.files.disk import free_name, stamp
from forcepool.store.mail import (
    Cannot,
    Standing,
    begin_from,
    choose_theirs,
    confirm,
    confirmed,
    played_there,
    standing,
    take_in,
    turn_for,
)
from forcepool.store.open import campaign_file
from forcepool.store.rejudge import decided_otherwise
from forcepool.store.replay import Progress
from forcepool.store.shares import shares_beside
from forcepool.store.stored import StoredJournal
from forcepool.store.turnfile import End, Turn, packed

OURS, THEIRS = "ours", "theirs"
MOST_OTHERWISE = 5
"""Entries named that the rules decide otherwise here."""


class Received(Struct, frozen=True):
    """What became of a turn."""

    file: str
    sender: str
    common: int
    """The last entry both had."""
    recorded: int = 0
    """Entries of theirs that were recorded."""
    happened: tuple[str, ...] = ()
    """What they did, in words."""
    ours: tuple[str, ...] = ()
    """What was done here meanwhile, where both have played on."""
    parted: bool = False
    """Whether both have played on and nothing is chosen yet."""
    chosen: str = ""
    aside: str = ""
    """The file that holds what was not chosen."""
    without_part: str = ""
    """The side that has no part in the dice yet: whoever has the others' secrets foresees them."""


def written(campaign: Campaign, path: Path, sender: str, to: str, *, everything: bool = False) -> tuple[Turn, str]:
    """The turn for a side, and the text of its file: words for people, and the turn."""
    turn = turn_for(campaign.journal, sender, to, None if everything else confirmed(path).get(to))
    words = [f"# {turn.title}: {sender} to {to}, {span(turn)}"]
    for entry in campaign.entries(max(turn.after.seq + 1, 2)):
        lines = entry_in_words(campaign.world, as_read_by(entry, to), campaign.history)
        words += [f"# {' '.join(line.split())}" for line in lines]
    return turn, "".join(f"{line}\n" for line in packed(turn, words))


def file_name(campaign: str, turn: Turn) -> str:
    """What the file of a turn is called."""
    return f"{campaign}-to-{turn.to}-{turn.until.seq}.fpx"


def span(turn: Turn) -> str:
    """What a turn holds: 'entries 12 to 20'."""
    if not turn.entries:
        return f"nothing new; it confirms entry {turn.until.seq}"
    first = turn.after.seq + 1
    return f"entry {first}" if first == turn.until.seq else f"entries {first} to {turn.until.seq}"


def receive(
    path: Path, came: Turn, *, choose: str = "", anyway: bool = False, progress: Progress | None = None
) -> Received:
    """Take a turn in, or begin the campaign with it; Cannot says why it does not fit, and then nothing is changed."""
    if not path.exists():
        return _begun(path, came, anyway, progress)
    with campaign_file(path, games.build_world) as campaign:
        if campaign.beginning.tries:
            raise Cannot("this is a what-if, in which nothing counts; name the campaign itself")
        found = standing(campaign.journal, came)
        secrets = [*_seeds(campaign), *shares_beside(path)]
        theirs = _checked(campaign, found, came, anyway, secrets, progress) if found.theirs else ()
        ours = _in_words(campaign, found.ours, came.to) if found.parted else ()
        if found.parted and choose != THEIRS:
            if choose == OURS:
                common = next(iter(campaign.journal.read(found.common, found.common + 1)))
                confirm(path, came.sender, End(common.seq, common.hash))
            return Received(str(path), came.sender, found.common, 0, theirs, ours, parted=not choose, chosen=choose)
        if not found.parted:
            take_in(campaign.journal, found)
    aside = ""
    if found.parted:
        aside = str(free_name(path.with_name(f"{path.stem}-ours-{stamp()}{path.suffix}")))
        choose_theirs(path, Path(aside), found)
    confirm(path, came.sender, came.until)
    return Received(str(path), came.sender, found.common, len(found.theirs), theirs, ours, chosen=choose, aside=aside)


def _begun(path: Path, came: Turn, anyway: bool, progress: Progress | None) -> Received:
    found = standing(MemoryJournal(), came)
    there = Campaign(played_there(MemoryJournal(), found, (), progress), games.build_world)
    _must_be_by_the_rules(there, found, anyway)
    begin_from(path, found)
    confirm(path, came.sender, came.until)
    without = came.to if there.rolls_itself and came.to not in there.history.promises else ""
    words = _in_words(there, found.theirs, came.to)
    return Received(str(path), came.sender, 0, len(found.theirs), words, without_part=without)


def _seeds(campaign: Campaign) -> list[bytes]:
    journal = campaign.journal
    return list(journal.seeds().values()) if isinstance(journal, StoredJournal) else []


def _checked(
    campaign: Campaign, found: Standing, came: Turn, anyway: bool, secrets: list[bytes], progress: Progress | None
) -> tuple[str, ...]:
    """What they have played, in words: played again from the beginning, and judged again by the rules here."""
    here = campaign.journal
    there = Campaign(played_there(here, found, secrets, progress), games.build_world)
    theirs = [read_entry(each) for each in found.theirs]
    if not anyway and (forged := list(_in_anothers_name(here, found.common, theirs, came.to))):
        raise Cannot(
            f"{numbers_in_words(forged)} of it {'is' if len(forged) == 1 else 'are'} in your own name, {came.to}, and "
            f"{'was' if len(forged) == 1 else 'were'} not made here; if you made them yourself and lost them, repeat "
            "with --anyway"
        )
    _must_be_by_the_rules(there, found, anyway)
    return _in_words(there, found.theirs, came.to)


def _in_anothers_name(here: Journal, common: int, theirs: list[Entry], own: str) -> Iterator[int]:
    """The entries in which another has acted for one's own side: only what one asked for is carried out so."""
    for entry in theirs:
        acts = entry.seat == own and not _was_asked_for(here, common, entry)
        if acts or own in entry.promises or own in entry.told:
            yield entry.n


def _was_asked_for(here: Journal, common: int, entry: Entry) -> bool:
    """Whether an entry carries out an order that waited for the other, just as it was given."""
    if not 1 < entry.answers <= common:
        return False
    waits = read_entry(next(iter(here.read(entry.answers, entry.answers + 1)))).waits
    return waits is not None and bytes(waits.do) == bytes(entry.do) and waits.shares.items() <= entry.shares.items()


def _must_be_by_the_rules(there: Campaign, found: Standing, anyway: bool) -> None:
    otherwise = [] if anyway else list(decided_otherwise(there, first=found.common + 1))
    if otherwise:
        told = "\n  ".join(str(each) for each in otherwise[:MOST_OTHERWISE])
        more = f"\n  and {len(otherwise) - MOST_OTHERWISE} more" if len(otherwise) > MOST_OTHERWISE else ""
        raise Cannot(
            f"by the rules here this would have come out otherwise:\n  {told}{more}\n"
            "Ask about it; if you agree to it, or play by another version than they do, repeat with --anyway"
        )


def _in_words(campaign: Campaign, entries: tuple[Sealed, ...], reader: str) -> tuple[str, ...]:
    played = [as_read_by(read_entry(each), reader) for each in entries if each.seq > 1]
    return tuple(line for each in played for line in entry_in_words(campaign.world, each, campaign.history))
