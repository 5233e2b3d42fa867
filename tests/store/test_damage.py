"""Whatever happens to a file, the player gets a sentence, never a crash, and never a wrong campaign."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from forcepool.engine import campaign as engine_campaign
from forcepool.engine.journal import Conflict, Damaged, MemoryJournal
from forcepool.engine.state import to_bytes
from forcepool.files.problems import BadFile
from forcepool.store.errors import CampaignFileError
from forcepool.store.open import campaign_file, open_campaign
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.textfile import export_text, import_text
from forcepool.store.verify import verify
from tests.support import ring

TEXTS, FILES = 2000, 1000
OURS = (CampaignFileError, Damaged, BadFile, Conflict)


def flip(content: bytearray, chance: random.Random) -> None:
    for _ in range(chance.choice((1, 1, 2, 8, 40))):
        content[chance.randrange(len(content))] ^= chance.randrange(1, 256)


def cut(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(len(content)) :]


def lose(content: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(content))
    del content[at : at + chance.choice((1, 10, 600))]


def blank(content: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(content))
    size = min(chance.choice((16, 512, 4096)), len(content) - at)
    content[at : at + size] = bytes([chance.choice((0, 255, 32))]) * size


def repeat(content: bytearray, chance: random.Random) -> None:
    at, to = chance.randrange(len(content)), chance.randrange(len(content))
    content[to:to] = content[at : at + chance.choice((1, 50, 700))]


DAMAGES: tuple[Callable[[bytearray, random.Random], None], ...] = (flip, flip, flip, cut, lose, blank, repeat)


def spoilt(content: bytes, chance: random.Random) -> bytes:
    made = bytearray(content)
    chance.choice(DAMAGES)(made, chance)
    return bytes(made)


def test_a_spoilt_export_is_refused_or_gives_the_campaign_that_was_exported() -> None:
    journal = MemoryJournal()
    campaign = ring.start(journal)
    for number in range(12):
        ring.play(campaign, number)
    campaign.undo()
    content = "\n".join(export_text(journal)).encode()
    chance = random.Random(51)
    said: list[str] = []
    for _ in range(TEXTS):
        text = spoilt(content, chance).decode("utf-8", errors=chance.choice(("replace", "surrogateescape")))
        made = MemoryJournal()
        try:
            import_text(text.split("\n"), made)
            assert made.entries == journal.entries
        except BadFile as bad:
            said.append(str(bad))
            assert made.entries == []
    assert all((each.startswith("journal:") and "expected" in each) or "changed" in each for each in said)
    assert len(said) > TEXTS // 2


@pytest.fixture
def played(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(engine_campaign, "SNAPSHOT_EVERY", 9)
    with campaign_file(path, ring.build) as campaign:
        for number in range(30):
            ring.play(campaign, number)
        campaign.undo()
    return path


def use(path: Path) -> bytes:
    """Everything one does with a campaign; returns the state it opened with."""
    campaign = open_campaign(path, ring.build)
    try:
        opened = to_bytes(campaign.state)
        ring.play(campaign, 3)
        journal = campaign.journal
        assert isinstance(journal, SqliteJournal)
        list(journal.entries_about("unit/1"))
        list(export_text(journal, with_secret=True))
        return opened
    finally:
        campaign.journal.close()


def test_a_spoilt_file_is_refused_in_words_or_opens_as_it_was(played: Path, tmp_path: Path) -> None:
    content = played.read_bytes()
    with campaign_file(played, ring.build) as campaign:
        right = to_bytes(campaign.state)
    chance = random.Random(28)
    copy = tmp_path / "copy"
    said: list[str] = []
    for _ in range(FILES):
        copy.write_bytes(spoilt(content, chance))
        try:
            with SqliteJournal.open(copy) as journal:
                verify(journal)
            assert use(copy) == right
        except OURS as error:
            said.append(str(error))
        for leftover in ("copy-wal", "copy-shm", "copy-journal"):
            (tmp_path / leftover).unlink(missing_ok=True)
    assert not any("\n" in each for each in said)
    assert FILES // 4 < len(said) < FILES
