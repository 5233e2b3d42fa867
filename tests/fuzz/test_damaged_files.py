"""Damaged files: maps, profiles and cases, journals sealed anew over contents that cannot be, campaigns, seats' files.

A small share each time; FORCEPOOL_FUZZ=50000 tries so many altogether. The damage is the same in every run. Each is
read, and what could be read is played on with; nothing may crash, take for ever, or lie about afterwards.
"""

import base64
import os
import random
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from forcepool import games
from forcepool.cases.reading import cases_in_text
from forcepool.cases.runner import run
from forcepool.engine.beginning import begin
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import BadCommand
from forcepool.engine.desk import Advance
from forcepool.engine.dice import RollNeeded
from forcepool.engine.journal import GENESIS, Damaged, MemoryJournal, seal
from forcepool.files.problems import BadFile, Problem
from forcepool.files.yamltext import read_yaml_file
from forcepool.games import UnknownGame
from forcepool.store import place
from forcepool.store.errors import CampaignFileError
from forcepool.store.open import campaign_file, import_campaign
from forcepool.store.shares import keep_share, share_file, shares_beside
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.textfile import FORMAT, TITLE, export_text
from forcepool.store.verify import verify
from forcepool.web.chair import SIDE, Seat
from forcepool.web.registry import FILE, Registry
from tests.fuzz.bounds import bounded
from tests.fuzz.damage import damaged
from tests.fuzz.test_damaged_inputs import CASES, look_around, played
from tests.map.test_damaged_maps import SCENARIO as ON_A_MAP
from tests.map.test_damaged_maps import asked_all_round
from tests.properties.encirclement import GAME, SCENARIO

KINDS = 7
TIMES = max(int(os.environ.get("FORCEPOOL_FUZZ", "0")) // KINDS, 60)
OURS = (BadFile, CampaignFileError, Damaged, UnknownGame)
PHASES = 4
"""Played on with a profile that could be read."""
MOST_SHOWN, TOLD_EVERY = 10, 1000


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else is merging a log here."""
    monkeypatch.setattr(place, "PAUSE", 0)


class Tries:
    """Damaged inputs of one kind, each tried within bounds, and what came of them."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.folder = kind, folder
        self.read = self.turned_away = 0
        self.crashes: list[str] = []
        self.before = self._lying_about()

    def __call__(self, text: object, read: Callable[[], object]) -> None:
        """Anything but one of our own errors is a crash."""
        try:
            with bounded():
                read()
        except OURS as error:
            self.turned_away += 1
            if not str(error).strip():
                self._crashed("turned away without a word", text)
        except Exception as error:
            self._crashed("".join(traceback.format_exception(error)[-4:]), text)
        else:
            self.read += 1
        if (self.read + self.turned_away) % TOLD_EVERY == 0:
            self._told()

    def _crashed(self, how: str, text: object) -> None:
        self.crashes.append(f"{self.kind} {self.read + self.turned_away}: {how}{text!r}")

    def nothing_left_behind(self) -> None:
        assert self._lying_about() == self.before, f"{self.kind} {self.read + self.turned_away}"

    def _lying_about(self) -> list[Path]:
        return sorted(self.folder.rglob("*"))

    def _told(self) -> None:
        tried = self.read + self.turned_away + len(self.crashes)
        print(f"{tried:,} {self.kind}: {self.turned_away:,} turned away, {self.read:,} read", flush=True)

    def tell(self) -> None:
        """Neither all nor none is read: otherwise the damage would prove nothing."""
        self._told()
        assert not self.crashes, f"{len(self.crashes)}\n" + "\n".join(self.crashes[:MOST_SHOWN])
        assert self.read
        assert self.turned_away


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


# ------------------------------------------------------------------------------------------ what one writes


def test_a_damaged_map_is_told_or_every_line_can_be_asked_for(tmp_path: Path) -> None:
    assert asked_all_round(ON_A_MAP)
    tries = Tries("maps", tmp_path)
    for text in damaged(ON_A_MAP, TIMES, 4):
        tries(text, lambda: ask_all_round(text))  # noqa: B023
    tries.nothing_left_behind()
    tries.tell()


def ask_all_round(text: str) -> None:
    if not asked_all_round(text):
        raise BadFile([Problem("map", 1, 1, "what was told of it there")])


def test_a_damaged_profile_is_told_or_can_be_played_by(tmp_path: Path) -> None:
    """Each file of the shipped profile in turn, the others as they are."""
    ours, war = tmp_path / "ours", tmp_path / "war.yaml"
    ours.mkdir()
    house = sorted((Path(games.__file__).parent / "europa" / "profiles" / "published").glob("*.yaml"))
    texts = {ours / each.name: each.read_text("utf-8") for each in house}
    for file, text in texts.items():
        file.write_text(text, "utf-8")
    war.write_text(f"profile: ./ours\n{SCENARIO.replace('Oct 1 41', 'Oct I 41').replace('Oct 3 41', 'Oct II 41')}")
    play_on(war)
    tries = Tries("profiles", tmp_path)
    for number, (file, text) in enumerate(texts.items()):
        for changed in damaged(text, TIMES // len(texts) + 1, number):
            file.write_text(changed, "utf-8", errors="replace", newline="")
            tries(changed, lambda: play_on(war))
        file.write_text(text, "utf-8")
    tries.nothing_left_behind()
    tries.tell()


def play_on(scenario: Path) -> None:
    """Begin a scenario, look at everything, and play a few phases."""
    set_up = games.game(GAME).set_up(read_yaml_file(scenario), ())
    journal = MemoryJournal()
    begin(journal, game=GAME, title=set_up.title, ruleset="fuzz", world=set_up.world, state=set_up.state)
    campaign = Campaign(journal, games.build_world)
    for _ in range(PHASES):
        look_around(campaign)
        with suppress(BadCommand, RollNeeded):
            campaign.do(Advance(), override="go on")


def test_a_damaged_case_is_told_or_can_be_run(tmp_path: Path) -> None:
    """A case by chance from any file, beside which its map lies."""
    chance, tries = random.Random(6), Tries("cases", tmp_path)
    pieces = {file: file.read_text("utf-8").split("\n- ") for file in CASES}
    for _ in range(TIMES):
        file = chance.choice(CASES)
        at = chance.randrange(len(pieces[file]))
        text = f"- {pieces[file][at]}" if at else pieces[file][0]
        changed = next(damaged(text, 1, chance.randrange(1 << 30)))
        tries(f"{file}: {changed}", lambda: [run(case) for case in cases_in_text(changed, str(file))])  # noqa: B023
    tries.nothing_left_behind()
    tries.tell()


# --------------------------------------------------------------------------------- what the program writes


def resealed(seed: int) -> Iterator[list[str]]:
    """Journals whose hashes all fit, with one entry that nobody has played."""
    journal, chance = played(), random.Random(seed)
    for _ in range(TIMES):
        number = chance.randrange(len(journal.entries))
        bodies = [each.body for each in journal.entries]
        bodies[number] = next(damaged(bodies[number].decode(), 1, chance.randrange(1 << 30))).encode(errors="replace")
        yield sealed_anew(bodies)


def sealed_anew(bodies: list[bytes]) -> list[str]:
    """A journal of these entries, as text, in which all hashes fit."""
    lines, previous = [f"{TITLE} {FORMAT}"], GENESIS
    for seq, body in enumerate(bodies, 1):
        previous = seal(previous, seq, body).hash
        lines += [f"entry {seq}", f"base64 {base64.b64encode(body).decode()}", f"hash {previous}"]
    return [*lines, f"end {len(bodies)} {previous}"]


def test_a_journal_sealed_anew_is_turned_away_or_can_be_played(tmp_path: Path) -> None:
    file = tmp_path / "copy.fp"
    import_campaign(list(export_text(played())), file, build=games.build_world)
    file.unlink()
    tries = Tries("journals sealed anew", tmp_path)

    def read(lines: list[str]) -> None:
        import_campaign(lines, file, build=games.build_world)
        with campaign_file(file, games.build_world) as campaign:
            look_around(campaign)
            verify(campaign.journal)

    for lines in resealed(1):
        tries(lines, lambda: read(lines))  # noqa: B023
        file.unlink(missing_ok=True)
        tries.nothing_left_behind()
    tries.tell()


@pytest.mark.parametrize("nation", ["Ru>,mania", "rumania"])
def test_a_journal_with_a_unit_of_no_nation_is_turned_away(tmp_path: Path, nation: str) -> None:
    first, *others = (each.body for each in played().entries)
    forged = first.replace(b'"nation":"Rumania"', f'"nation":"{nation}"'.encode())
    assert forged != first
    with pytest.raises(BadFile, match=f"there is no nation '{nation}'"):
        import_campaign(sealed_anew([forged, *others]), tmp_path / "copy.fp", build=games.build_world)
    assert list(tmp_path.iterdir()) == []


def test_a_spoilt_campaign_is_told_or_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "copy.fp"
    import_campaign(list(export_text(played())), file, build=games.build_world)
    good, tries = file.read_bytes(), Tries("campaigns", tmp_path)

    def read() -> None:
        with SqliteJournal.open(file) as journal:
            verify(journal)
        with campaign_file(file, games.build_world) as campaign:
            look_around(campaign)

    for number, data in enumerate(spoilt(good, 2)):
        file.write_bytes(data)
        tries(number, read)
        for each in tmp_path.glob("copy.fp-*"):
            each.unlink()
        tries.nothing_left_behind()
    tries.tell()


# -------------------------------------------------------------------------------------------- seats' files


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
    good, tries = file.read_bytes(), Tries("registers of seats", tmp_path)

    def read() -> None:
        registry = Registry(file)
        try:
            ask_everything(registry)
        finally:
            registry.close()

    for number, data in enumerate(spoilt(good, 3)):
        file.write_bytes(data)
        tries(number, read)
        for each in tmp_path.glob(f"{FILE}-*"):
            each.unlink()
        tries.nothing_left_behind()
    tries.tell()


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


def test_a_spoilt_secret_of_the_dice_is_told_or_the_next_is_kept_beside_it(tmp_path: Path) -> None:
    campaign, tries = tmp_path / "east.fp", Tries("secrets of the dice", tmp_path)
    keep_share(campaign, "Axis", b"1" * 32)
    file = share_file(campaign, "Axis")
    good = file.read_bytes()
    tries.before = [file]

    def read() -> None:
        list(shares_beside(campaign))
        keep_share(campaign, "Axis", b"2" * 32)
        assert b"2" * 32 in list(shares_beside(campaign))

    for number, data in enumerate(spoilt(good, 5)):
        file.write_bytes(data)
        tries((number, data), read)
        tries.nothing_left_behind()
    tries.tell()
