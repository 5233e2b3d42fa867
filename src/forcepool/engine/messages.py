"""Messages between seats: entries of the journal that touch nothing, kept and sealed like all others."""

from collections.abc import Sequence

from msgspec.structs import replace

from forcepool.engine.campaign import Campaign
from forcepool.engine.command import BadCommand
from forcepool.engine.decide import REFEREE
from forcepool.engine.journal import Entry, Message
from forcepool.engine.sentence import plain

LONGEST_MESSAGE = 4000
"""Letters of a message."""
KEPT_SIGNS = "\n"
"""Of the signs that are no letters, those that a message may have."""


def may_read(entry: Entry, side: str) -> bool:
    """Whether a side may read an entry if it is a message: what is for all, what it is written, what it has written."""
    message = entry.message
    return message is None or not message.to or (bool(side) and side in (message.to, entry.seat))


def as_read_by(entry: Entry, side: str) -> Entry:
    """The entry as a side reads it: of a message that is not for it, only that there is one, and for whom."""
    if entry.message is None or may_read(entry, side):
        return entry
    return replace(entry, message=replace(entry.message, text=""))


def addressees(campaign: Campaign) -> Sequence[str]:
    """Whom one can write to, besides everybody."""
    return (*campaign.world.sequence.players, REFEREE)


def say(campaign: Campaign, text: str, *, to: str = "", seat: str = "", by: str = "", when: str = "") -> Entry:
    """Write to everybody, to a side or to the referee; BadCommand says what is wrong with it."""
    text = _as_kept(text)
    if not text:
        raise BadCommand("a message needs words; type some")
    if len(text) > LONGEST_MESSAGE:
        raise BadCommand(
            f"a message has at most {LONGEST_MESSAGE:,} letters, this one has {len(text):,}; say it shorter"
        )
    if to and to not in addressees(campaign):
        raise BadCommand(f"there is no '{to}' to write to; write to {', '.join(addressees(campaign))}, or to all")
    message = Message(text=text, to=to)
    entry = Entry(n=campaign.seq + 1, at=campaign.state.clock, seat=seat, by=by, when=when, message=message)
    return campaign.write(entry)


def _as_kept(text: str) -> str:
    """The words in lines, without the signs that parts of a sentence stand between and others that are no letters."""
    lines = plain(text).replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ").strip()
    return "".join(each for each in lines if each.isprintable() or each in KEPT_SIGNS)
