"""What players do to files, and what must hold afterwards, however it ended."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.soak.ground import CAMPAIGN, COPY, SCENARIO, TEXT, Ground, Head, head_of, run
from benchmarks.soak.shots import Told, try_it
from msgspec import Struct

from forcepool import games
from forcepool.engine.desk import Note
from forcepool.files.disk import ABANDONED, DRAFT
from forcepool.store.open import campaign_file
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.textfile import read_text
from forcepool.store.verify import verify
from forcepool.web.chair import SIDE, Seat
from forcepool.web.registry import FILE, Registry

Faults = Iterator[str]


class Deed(Struct, frozen=True):
    """Something done to the campaign or beside it."""

    name: str
    do: Callable[[Path], object]
    grows: int = 0
    """Entries that the campaign has more when it was done."""
    makes: str = ""
    """The files that it makes, as a pattern."""
    holds: Callable[[Path, Told, Ground], Faults] | None = None
    """What is wrong with what it made."""
    replaces: bool = False
    """Whether the campaign is the older copy when it was done."""
    speaks: bool = True
    """Whether a failure is told in a sentence for players."""


def words(*given: str) -> Callable[[Path], object]:
    """A command of the command line, with {} for the folder."""
    return lambda folder: run(*(word.format(folder) for word in given))


# ------------------------------------------------------------------------------------------------ deeds


def write_on(folder: Path) -> None:
    """Entries, snapshots, merges of the log and closing, each entry told as soon as it is recorded."""
    with campaign_file(folder / CAMPAIGN, games.build_world) as campaign:
        for number in range(6):
            campaign.do(Note(text=f"written {number}"))
            print(campaign.seq, flush=True)
            if number == 3 and isinstance(campaign.journal, SqliteJournal):
                campaign.journal.merge()


def seat_people(folder: Path) -> None:
    """The register of seats: invitations, seats taken, keys, secrets of the dice; each told once it is kept."""
    registry = Registry(folder / FILE)
    for number in range(2):
        invitation, word = registry.invite("east", Seat(SIDE, "Axis", name=f"guest {number}"))
        print("invited", word, flush=True)
        registry.accept(word, f"session {number}")
        print("sits", f"session {number}", flush=True)
        print("key", registry.new_key(invitation.id), flush=True)
        registry.keep_part("east", bytes([number]) * 32)
        print("part", number, flush=True)
    registry.close()


def seats_hold(folder: Path, told: Told, ground: Ground) -> Faults:
    registry = Registry(folder / FILE)
    used = sum(1 for each in registry.invitations("east") if each.used)
    if used > 2 + sum(registry.sits(f"session {number}", "east") is not None for number in range(2)):
        yield "an invitation is used up, and nobody sits there"
    for line in told.said.splitlines():
        what, _, which = line.partition(" ")
        if what == "sits" and registry.sits(which, "east") is None:
            yield f"{line}: the seat is gone"
        if what == "key" and registry.seat_of_key(which) is None:
            yield "a key that was told opens nothing"
        if what == "part" and bytes([int(which)]) * 32 not in registry.parts("east"):
            yield "a secret of the dice is gone"
    registry.close()


def whole_campaign(folder: Path, told: Told, ground: Ground) -> Faults:
    """Each campaign that was made is whole; one that was told is there."""
    made = [path for path in folder.glob("made*.fp") if path.is_file()]
    yield from _there(told, bool(made))
    for path in made:
        yield from _sound(path)


def whole_import(folder: Path, told: Told, ground: Ground) -> Faults:
    yield from whole_campaign(folder, told, ground)
    at_end = read_text((folder / TEXT).read_text("utf-8").split("\n")).entries[-1]
    for path in folder.glob("made*.fp"):
        if head_of(path) != Head(at_end.seq, at_end.hash):
            yield "an import ends elsewhere than its text"


def whole_text(folder: Path, told: Told, ground: Ground) -> Faults:
    """The text is all there, or not at all."""
    path = folder / "made.txt"
    yield from _there(told, path.exists())
    if path.exists():
        lines = path.read_text("utf-8").split("\n")
        if not lines[-2:][0].startswith("end "):
            yield "half an export lies under its name"
        elif Head(read_text(lines).entries[-1].seq, read_text(lines).entries[-1].hash) != ground.now:
            yield "an export is not the campaign"


def whole_page(folder: Path, told: Told, ground: Ground) -> Faults:
    path = folder / "made.html"
    yield from _there(told, path.exists())
    if path.exists() and not path.read_text("utf-8").rstrip().endswith("</html>"):
        yield "half a report lies under its name"


def whole_copies(folder: Path, told: Told, ground: Ground) -> Faults:
    made = list(folder.glob("copies/*.fp"))
    yield from _there(told, bool(made))
    for path in made:
        yield from _sound(path)
        if head_of(path) != ground.now:
            yield "a copy is not all of the campaign"


def set_aside(folder: Path, told: Told, ground: Ground) -> Faults:
    """Once the older copy is in the campaign's place, all that was acknowledged lies beside it."""
    aside = list(folder.glob("east-before-*.fp"))
    restored = head_of(folder / CAMPAIGN).seq <= ground.copy.seq + 1
    if restored and ground.now not in [head_of(path) for path in aside]:
        yield "the campaign was put aside and is lost"
    for path in aside:
        yield from _sound(path)


def dice_at_hand(folder: Path, told: Told, ground: Ground) -> Faults:
    """Whatever secret of the dice the journal promises is kept."""
    with campaign_file(folder / CAMPAIGN, games.build_world) as campaign:
        missing = campaign.history.promises.keys() - campaign.cup.at_hand(campaign.history.promises).keys()
    if missing:
        yield f"the secret of the dice that {', '.join(sorted(missing))} promised is lost"


DEEDS = (
    Deed("note", words("do", "{}/east.fp", "note", "text=one more", "--json"), grows=1),
    Deed("undo", words("undo", "{}/east.fp", "--json"), grows=1),
    Deed("writer", write_on, speaks=False),
    Deed("new", words("new", "{}/made.fp", "--scenario", f"{{}}/{SCENARIO}"), makes="made.fp", holds=whole_campaign),
    Deed("import", words("import", f"{{}}/{TEXT}", "{}/made.fp"), makes="made.fp", holds=whole_import),
    Deed("export", words("export", "{}/east.fp", "-o", "{}/made.txt"), makes="made.txt", holds=whole_text),
    Deed("report", words("report", "{}/east.fp", "--html", "{}/made.html"), makes="made.html", holds=whole_page),
    Deed("backup", words("backup", "{}/east.fp", "{}/copies"), makes="copies*", holds=whole_copies),
    Deed(
        "restore",
        words("restore", f"{{}}/{COPY}", "{}/east.fp"),
        makes="east-before-*.fp",
        holds=set_aside,
        replaces=True,
    ),
    Deed("status", words("status", "{}/east.fp")),
    Deed("verify", words("verify", "{}/east.fp")),
    Deed(
        "promise a side's dice",
        words("dice", "promise", "{}/east.fp", "--as", "Axis"),
        grows=1,
        makes="east.Axis.dice",
        holds=dice_at_hand,
    ),
    Deed("promise the dice", words("dice", "promise", "{}/east.fp"), grows=1, holds=dice_at_hand),
    Deed("open the dice", words("dice", "tell", "{}/east.fp"), grows=1, holds=dice_at_hand),
    Deed("seats", seat_people, holds=seats_hold, speaks=False),
)


def _there(told: Told, there: bool) -> Faults:
    # The other way round it may be: what was made is read once more, and that may fail.
    if told.code == 0 and not there:
        yield "it was said to be done, and nothing is there"


def _sound(path: Path) -> Faults:
    with SqliteJournal.open(path) as journal:
        report = verify(journal)
    if not report.sound:
        yield f"{path.name}: {'; '.join(map(str, report.findings))}"


# ------------------------------------------------------------------------------------------- afterwards

WRONG_WORDS = re.compile("nobody foresaw|Traceback|go back to|damaged|is not a forcepool campaign|check (its|the) name")
LOCKED = "another program"
"""How a lock is told that the disk refuses: it cannot be told from one that another holds."""
UNSURE = "it may be there or not"
LONG_AGO = 2 * ABANDONED


def look(folder: Path, deed: Deed, told: Told, ground: Ground, *, full: bool, dead: bool) -> Faults:
    """All that is wrong after something was done, or half done; the campaign is opened, played on and closed.

    Whether the disk was full decides how that must be told; on one that is dead nothing can be cleared away either.
    """
    if not told.killed and not dead:
        yield from _drafts(folder)
    if told.code and deed.speaks:
        yield from _sentence(told, full)
    yield from _campaign(folder, deed, told, ground)
    if deed.holds is not None:
        yield from deed.holds(folder, told, ground)
    for log in (*folder.glob("*-wal"), *folder.glob("*-shm")):
        # Left by someone who was cut off while reading, or could not remove it: the next one to read it does.
        if not is_draft(log) and log.exists():
            _opened(log.with_name(log.name[: -len("-wal")]))
    known = {path.name for path in ground.folder.iterdir()} - {f"{CAMPAIGN}-wal", f"{CAMPAIGN}-shm"}
    for path in folder.iterdir():
        if path.name not in known and not (deed.makes and path.match(deed.makes)) and not is_draft(path):
            yield f"{path.name} is left behind"


def _opened(path: Path) -> None:
    if path.name == FILE:
        Registry(path).close()
    else:
        SqliteJournal.open(path).close()


def try_again(folder: Path, deed: Deed) -> Faults:
    """What was cut off is done again an hour later, and then nothing of the first time is left."""
    if any(path.match(deed.makes) and path.is_file() for path in folder.iterdir()):
        return
    for path in folder.rglob("*"):
        if is_draft(path):
            os.utime(path, (path.stat().st_atime - LONG_AGO, path.stat().st_mtime - LONG_AGO))
    told = try_it(lambda: deed.do(folder), folder)
    if told.code:
        yield f"done again: {told.complained}"
    yield from _drafts(folder)


def is_draft(path: Path) -> bool:
    return bool(DRAFT.search(path.name))


def _drafts(folder: Path) -> Faults:
    for path in folder.rglob("*"):
        if is_draft(path):
            yield f"{path.name} is left behind"


def _sentence(told: Told, full: bool) -> Faults:
    said = told.complained.strip()
    right = "disk is full" if full else "disk"
    if not said.startswith("forcepool: ") or WRONG_WORDS.search(said) or not (right in said or LOCKED in said):
        yield f"told as: {said[-300:]!r}"


def _campaign(folder: Path, deed: Deed, told: Told, ground: Ground) -> Faults:
    before, done = ground.now, ground.copy if deed.replaces else Head(ground.now.seq + deed.grows, "")
    with campaign_file(folder / CAMPAIGN, games.build_world) as campaign:
        now = Head(campaign.seq, campaign.hash)
        kept = next(iter(campaign.journal.read(before.seq, before.seq + 1)), None)
        campaign.do(Note(text="and on it goes"))
        report = verify(campaign.journal)
    if not report.sound:
        yield "; ".join(map(str, report.findings))
    if deed.name == "writer":
        last = max([before.seq, *map(int, told.said.split())])
        if not last <= now.seq <= last + 1 or (told.code == 0 and now.seq != before.seq + 6):
            yield f"entry {last} was acknowledged, and the journal ends at {now.seq}"
        if told.code and now.seq != last and UNSURE not in told.complained:
            yield f"entry {last + 1} was refused, and it is there"
    elif told.code == 0 and now.seq != done.seq:
        yield f"it was said to be done, and the journal ends at {now.seq} instead of {done.seq}"
    elif told.code and now != before and UNSURE not in told.complained:
        yield f"it was said to have failed, and the journal ends at {now.seq} instead of {before.seq}"
    elif now.seq not in (before.seq, done.seq):
        yield f"the journal ends at {now.seq}, neither at {before.seq} nor at {done.seq}"
    if now.seq >= before.seq and (kept is None or kept.hash != before.hash):
        yield f"entry {before.seq} is not what was acknowledged"
