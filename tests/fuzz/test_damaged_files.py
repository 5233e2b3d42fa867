"""Damaged files: journals sealed anew over contents that cannot be, campaigns and registers of seats with stray bytes.

A small share each time; FORCEPOOL_FUZZ=50000 tries so many altogether. The damage is the same in every run.
"""

import base64
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from forcepool import games
from forcepool.engine.journal import GENESIS, Damaged, seal
from forcepool.files.problems import BadFile
from forcepool.games import UnknownGame
from forcepool.store import place
from forcepool.store.errors import CampaignFileError
from forcepool.store.open import campaign_file, import_campaign
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.textfile import FORMAT, TITLE, export_text
from forcepool.store.verify import verify
from forcepool.web.registry import FILE, Registry
from forcepool.web.seats import SIDE, Seat
from tests.fuzz.damage import damaged
from tests.fuzz.test_damaged_inputs import look_around, played

TIMES = max(int(os.environ.get("FORCEPOOL_FUZZ", "0")) // 3, 60)
OURS = (BadFile, CampaignFileError, Damaged, UnknownGame)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else is merging a log here."""
    monkeypatch.setattr(place, "PAUSE", 0)


def resealed(seed: int) -> Iterator[list[str]]:
    """Journals whose hashes all fit, with one entry that nobody has played."""
    journal, chance = played(), random.Random(seed)
    for _ in range(TIMES):
        number = chance.randrange(len(journal.entries))
        bodies = [each.body for each in journal.entries]
        bodies[number] = next(damaged(bodies[number].decode(), 1, chance.randrange(1 << 30))).encode(errors="replace")
        lines, previous = [f"{TITLE} {FORMAT}"], GENESIS
        for seq, body in enumerate(bodies, 1):
            sealed = seal(previous, seq, body)
            previous = sealed.hash
            lines += [f"entry {seq}", f"base64 {base64.b64encode(body).decode()}", f"hash {previous}"]
        yield [*lines, f"end {len(bodies)} {previous}"]


def spoilt(data: bytes, seed: int) -> Iterator[bytes]:
    """A file with stray bytes, holes, or its end cut off."""
    chance = random.Random(seed)
    for _ in range(TIMES):
        changed = bytearray(data)
        for _ in range(chance.choice((1, 1, 2, 8, 64))):
            at = chance.randrange(len(changed))
            match chance.randrange(4):
                case 0:
                    changed[at] ^= 1 << chance.randrange(8)
                case 1:
                    changed[at] = chance.randrange(256)
                case 2:
                    changed[at : at + 16] = chance.randbytes(16)
                case _:
                    size = chance.choice((64, 512, 4096))
                    changed[at : at + size] = bytes(size)
        yield bytes(changed[: chance.randrange(1, len(changed))] if chance.random() < 0.1 else changed)


def test_a_journal_sealed_anew_is_turned_away_or_can_be_played(tmp_path: Path) -> None:
    file = tmp_path / "copy.fp"
    import_campaign(list(export_text(played())), file, build=games.build_world)
    file.unlink()
    turned_away = 0
    for lines in resealed(1):
        try:
            import_campaign(lines, file, build=games.build_world)
            with campaign_file(file, games.build_world) as campaign:
                look_around(campaign)
                verify(campaign.journal)
        except OURS:
            turned_away += 1
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}\nfrom the journal:\n" + "\n".join(lines)) from error
        file.unlink(missing_ok=True)
        assert list(tmp_path.iterdir()) == []
    assert turned_away


def test_a_spoilt_campaign_is_told_or_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "copy.fp"
    import_campaign(list(export_text(played())), file, build=games.build_world)
    good = file.read_bytes()
    for number, data in enumerate(spoilt(good, 2)):
        file.write_bytes(data)
        try:
            with SqliteJournal.open(file) as journal:
                verify(journal)
            with campaign_file(file, games.build_world) as campaign:
                look_around(campaign)
        except OURS:
            # Told in words, as it should be.
            pass
        except Exception as error:
            raise AssertionError(f"file {number}: {type(error).__name__}: {error}") from error
        for each in tmp_path.glob("copy.fp-*"):
            each.unlink()
        assert list(tmp_path.iterdir()) == [file]


def test_a_spoilt_register_of_seats_is_told_or_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / FILE
    registry = Registry(file)
    for number in range(20):
        _, word = registry.invite("east", Seat(SIDE, "Axis", name=f"guest {number}"))
        registry.accept(word, f"session {number}")
        registry.look(f"session {number}", "east", number)
        registry.keep_part("east", bytes(32))
        registry.add_hook(number, "east", "https://example.org")
    registry.close()
    good = file.read_bytes()
    for number, data in enumerate(spoilt(good, 3)):
        file.write_bytes(data)
        try:
            registry = Registry(file)
        except OURS:
            continue
        try:
            ask_everything(registry)
        except OURS:
            # Told in words, as it should be.
            pass
        except Exception as error:
            raise AssertionError(f"file {number}: {type(error).__name__}: {error}") from error
        finally:
            registry.close()
        for each in tmp_path.glob(f"{FILE}-*"):
            each.unlink()


def ask_everything(registry: Registry) -> None:
    assert registry.secret
    registry.invitations("east")
    registry.sides_at("east")
    registry.hooks("east")
    registry.parts("east")
    for number in range(20):
        registry.sits(f"session {number}", "east")
        registry.looked(f"session {number}", "east")
        registry.campaigns_of(f"session {number}")
    _, word = registry.invite("east", Seat(SIDE, "Soviet"))
    registry.accept(word, "late")
    registry.look("late", "east", 3)
