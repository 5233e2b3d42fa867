"""Tried from outside: two people play by mailed files only, each in a folder of his own."""

import re
import shutil
import textwrap
from pathlib import Path

import msgspec
import pytest

import forcepool as package
from forcepool.engine.journal import seal
from forcepool.store.mail import NOTHING
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.turnfile import FORMAT, End, Turn, packed
from tests.cli.conftest import forcepool_runs as forcepool

TURNS = 4


class Player:
    """Somebody with a folder and a campaign in it."""

    def __init__(self, folder: Path, side: str, other: str) -> None:
        folder.mkdir()
        self.folder, self.side, self.other = folder, side, other
        self.file = folder / "east.fp"

    def send(self, *words: str) -> Path:
        ran = forcepool("send", str(self.file), "--to", self.other, "--json", *words)
        assert ran.code == 0, ran.err
        return Path(ran.data["file"])

    def receives(self, turn: Path, *words: str, code: int = 0) -> str:
        ran = forcepool("receive", str(self.file), str(turn), *words)
        assert ran.code == code, ran.out + ran.err
        return ran.out + ran.err

    def does(self, *words: str) -> str:
        ran = forcepool("do", str(self.file), "--as", self.side, *words)
        assert ran.code == 0, ran.out + ran.err
        return ran.out

    def head(self) -> tuple[int, str]:
        with SqliteJournal.open(self.file) as journal:
            return journal.head()

    def plays(self) -> bool:
        """Whatever is due, and every phase of his own; whether he had one."""
        with package.open(self.file, side=self.side) as campaign:
            played = False
            while campaign.player == self.side:
                for task in campaign.todo():
                    if task.kind == "due" and task.order and task.side == self.side:
                        campaign.do(task)
                played = True
                campaign.advance()
            return played

    def turn(self) -> str:
        with package.open(self.file) as campaign:
            return campaign.turn


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Player, Player]:
    """Both with the same campaign, a promise for the dice from each."""
    axis, soviet = Player(tmp_path / "axis", "Axis", "Soviet"), Player(tmp_path / "soviet", "Soviet", "Axis")
    new = forcepool("new", str(axis.file), "--scenario", "smolensk", "--seat", "Axis", "--seat", "Soviet")
    assert new.code == 0
    soviet.receives(axis.send())
    return axis, soviet


def test_a_month_by_mail(pair: tuple[Player, Player]) -> None:
    axis, soviet = pair
    began, sizes = axis.turn(), list[int]()
    turns = {began}
    while len(turns) <= TURNS:
        for one, other in ((axis, soviet), (soviet, axis)):
            assert one.plays()
            sent = one.send()
            sizes.append(sent.stat().st_size)
            told = other.receives(sent)
            assert f"of {one.side} recorded" in told
            assert one.head() == other.head()
        turns.add(axis.turn())
    # Until they have answered once they are sent everything; then a turn holds what is new and no more.
    assert max(sizes[1:]) < 8_000 < sizes[0]
    assert forcepool("verify", str(soviet.file), "--json").data["sound"]
    # The same again is no news, and neither is what one has sent oneself.
    assert "nothing new" in axis.receives(sent)
    assert "nothing new" in soviet.receives(axis.send("--all"))


def test_in_a_mails_body_as_well(pair: tuple[Player, Player]) -> None:
    axis, soviet = pair
    axis.does("note", "text=first")
    text = forcepool("send", str(axis.file), "--to", "Soviet", "-o", "-").out
    mail = "Hello,\n" + "\n".join(f"> {line}" for line in text.splitlines()) + "\nGreetings"
    ran = forcepool("receive", str(soviet.file), "-", typed=mail)
    assert ran.code == 0, ran.err
    assert "first" in ran.out
    assert axis.head() == soviet.head()
    # Quoted twice, and broken anew by a program that thinks lines are too long.
    axis.does("note", "text=second")
    text = forcepool("send", str(axis.file), "--to", "Soviet", "-o", "-").out
    broken = [part for line in text.splitlines() for part in textwrap.wrap(f"> > {line}", 40) or [""]]
    ran = forcepool("receive", str(soviet.file), "-", typed="\r\n".join(["Hello,", *broken, "-- ", "Ivan"]))
    assert ran.code == 0, ran.err
    assert axis.head() == soviet.head()


def test_both_have_played_on(pair: tuple[Player, Player]) -> None:
    axis, soviet = pair
    axis.does("note", "text=axis one")
    soviet.does("note", "text=soviet one")
    soviet.does("note", "text=soviet two")
    ours = axis.head()
    sent = soviet.send()
    told = axis.receives(sent, code=1)
    for words in ("Both have played on since entry 1", "axis one", "soviet one", "soviet two", "--choose theirs"):
        assert words in told
    assert axis.head() == ours
    # He keeps his own; the other is then shown both, and gives way.
    assert "stays as it is" in axis.receives(sent, "--choose", "ours")
    assert axis.head() == ours
    theirs = soviet.head()
    back = axis.send()
    soviet.receives(back, code=1)
    told = soviet.receives(back, "--choose", "theirs")
    assert soviet.head() == ours
    # What was not chosen is whole, in a file of its own.
    [aside] = soviet.folder.glob("east-ours-*.fp")
    assert aside.name in told
    with SqliteJournal.open(aside) as journal:
        assert journal.head() == theirs
    axis.does("note", "text=axis two")
    soviet.receives(axis.send())
    assert axis.head() == soviet.head()


def test_what_is_missing_or_of_another_campaign_is_said(pair: tuple[Player, Player], tmp_path: Path) -> None:
    axis, soviet = pair
    for words in ("one", "two"):
        axis.does("note", f"text={words}")
        soviet.receives(axis.send())
        axis.receives(soviet.send())
    axis.does("note", "text=three")
    third = axis.send("-o", str(tmp_path / "third.fpx"))
    # An old copy was put back: what it lacks is named.
    late = Player(tmp_path / "late", "Soviet", "Axis")
    shutil.copy(axis.folder / "east-to-Soviet-1.fpx", late.folder)
    late.receives(late.folder / "east-to-Soviet-1.fpx")
    told = late.receives(third, code=1)
    assert re.search(r"entries 2 to 3 are\s+missing here", told)
    assert "--all" in told
    late.receives(axis.send("--all"))
    assert late.head() == axis.head()
    stranger = Player(tmp_path / "stranger", "Soviet", "Axis")
    assert "missing here" in stranger.receives(third, code=1)
    assert not stranger.file.exists()
    forcepool("new", str(stranger.file), "--scenario", "smolensk", "--seat", "Axis", "--seat", "Soviet")
    assert "another campaign" in stranger.receives(third, code=1)


def test_a_tampered_file_is_found_out(pair: tuple[Player, Player]) -> None:
    axis, soviet = pair
    axis.does("receive-points", "nation=Germany", "points=1 inf", "--override", "for the test")
    before = soviet.head()
    sent = axis.send()
    text = sent.read_text("utf-8")
    sent.write_text(text.replace(text.splitlines()[-3], text.splitlines()[-3][::-1]), "utf-8")
    assert re.search("turn was (changed|lost)", soviet.receives(sent, code=2))
    # Somebody who knows the format gives himself more and makes the hashes again: the rules here say otherwise.
    with SqliteJournal.open(axis.file) as journal:
        first, second = journal.read(1)
    forged = seal(first.hash, 2, second.body.replace(b'"amount":"1"', b'"amount":"7"'))
    assert forged.body != second.body
    turn = Turn(
        FORMAT,
        first.hash,
        "Smolensk",
        "Axis",
        "Soviet",
        NOTHING,
        End(2, forged.hash),
        tuple((each.body, bytes.fromhex(each.hash)) for each in (first, forged)),
    )
    sent.write_text("\n".join(packed(turn)), "utf-8")
    told = soviet.receives(sent, code=1)
    assert "by the rules here this would have come out otherwise" in told
    assert "entry 2" in told
    assert soviet.head() == before
    # An entry that cannot have been played at all is refused whatever one says.
    broken = seal(first.hash, 2, second.body.replace(b'"n":2', b'"n":3'))
    bad = msgspec.structs.replace(
        turn, until=End(2, broken.hash), entries=(turn.entries[0], (broken.body, bytes.fromhex(broken.hash)))
    )
    sent.write_text("\n".join(packed(bad)), "utf-8")
    assert "cannot be read" in soviet.receives(sent, "--anyway", code=1)
    assert soviet.head() == before


def test_dice_by_mail(pair: tuple[Player, Player]) -> None:
    """Each has promised a secret; a roll waits for the other's share, and neither knew it before."""
    axis, soviet = pair
    assert forcepool("dice", "promise", str(axis.file), "--as", "Axis").code == 0
    soviet.receives(axis.send())
    assert forcepool("dice", "promise", str(soviet.file), "--as", "Soviet").code == 0
    axis.receives(soviet.send())
    rolls = ("do", str(axis.file), "roll-deployment", "nation=Germany", "--override", "we agreed", "--as", "Axis")
    assert "Soviet" in (ran := forcepool(*rolls)).out + ran.err
    soviet.receives(axis.send())
    agreed = forcepool("agree", str(soviet.file), "--as", "Soviet")
    assert agreed.code == 0, agreed.out + agreed.err
    axis.receives(soviet.send())
    assert axis.head() == soviet.head()
    told = forcepool("verify", str(axis.file), "--json").data
    assert told["sound"]
    assert told["dice"] + told["sealed_dice"] == 2


def test_who_sends_to_whom(pair: tuple[Player, Player]) -> None:
    axis, _ = pair
    assert "own side" in forcepool("send", str(axis.file), "--to", "Axis", "--as", "Axis").err
    assert "there is no side" in forcepool("send", str(axis.file), "--to", "Axes").err
    assert forcepool("send", str(axis.file), "--to", "Soviet", "-o", str(axis.file)).code == 2
    # Without a note of what they have, everything is sent.
    (axis.folder / "east.mail").write_text("{", "utf-8")
    assert forcepool("send", str(axis.file), "--to", "Soviet", "--json").data["after"] == 0
