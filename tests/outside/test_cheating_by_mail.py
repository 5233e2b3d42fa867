"""Tried from outside: two play by mail, one of them cheats with the dice or in the other's name, and is found out."""

import secrets
from collections.abc import Callable
from pathlib import Path

import pytest

from forcepool import games
from forcepool.engine import codec, consent, dice
from forcepool.engine.calendar import Clock
from forcepool.engine.campaign import Campaign
from forcepool.engine.decide import Decision
from forcepool.engine.desk import Note
from forcepool.engine.journal import Entry, Waiting, seal
from forcepool.store.mail import turn_for
from forcepool.store.open import campaign_file
from forcepool.store.shares import keep_share
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.turnfile import packed
from tests.cli.conftest import forcepool_runs as forcepool
from tests.outside.test_by_mail import Player

NATIONS = {"Axis": "Germany", "Soviet": "Soviet"}


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Player, Player]:
    """Both with the same campaign, and a part in the dice each."""
    axis, soviet = Player(tmp_path / "axis", "Axis", "Soviet"), Player(tmp_path / "soviet", "Soviet", "Axis")
    forcepool("new", str(axis.file), "--scenario", "smolensk", "--seat", "Axis", "--seat", "Soviet")
    assert forcepool("dice", "promise", str(axis.file), "--as", "Axis").code == 0
    soviet.receives(axis.send())
    assert forcepool("dice", "promise", str(soviet.file), "--as", "Soviet").code == 0
    axis.receives(soviet.send())
    return axis, soviet


def asks(player: Player) -> None:
    """Give an order that rolls; it waits for the other's share."""
    order = ("roll-deployment", f"nation={NATIONS[player.side]}", "--override", "we agreed")
    ran = forcepool("do", str(player.file), *order, "--as", player.side)
    assert "must agree first" in ran.out + ran.err, ran.out + ran.err


def waiting(campaign: Campaign) -> Waiting:
    [found] = campaign.history.waiting.values()
    return found


def test_either_may_roll_and_neither_file_alone_foretells_it(pair: tuple[Player, Player]) -> None:
    axis, soviet = pair
    for one, other in ((axis, soviet), (soviet, axis)):
        with campaign_file(one.file, games.build_world) as campaign:
            assert not campaign.can_roll
            assert campaign.cup.missing(campaign.history.promises) == (other.side,)
    asks(axis)
    soviet.receives(axis.send())
    assert forcepool("agree", str(soviet.file), "--as", "Soviet").code == 0
    axis.receives(soviet.send())
    asks(soviet)
    axis.receives(soviet.send())
    done = forcepool("agree", str(axis.file), "--as", "Axis")
    assert done.code == 0, done.out + done.err
    soviet.receives(axis.send())
    # At the end anyone checks all of it.
    for one, other in ((axis, soviet), (soviet, axis)):
        assert forcepool("dice", "tell", str(one.file)).code == 0
        other.receives(one.send())
    for one in pair:
        told = forcepool("verify", str(one.file), "--json").data
        assert told["sound"]
        assert told["dice"] > 0
        assert told["sealed_dice"] == 0


def test_a_secret_chosen_after_the_others_share_is_known_serves_nothing(pair: tuple[Player, Player]) -> None:
    """He has the other's share, and tries new secrets of his own until the die is as he likes it."""
    axis, soviet = pair
    asks(axis)
    soviet.receives(axis.send())
    with campaign_file(soviet.file, games.build_world) as campaign:
        waits = waiting(campaign)
        command = campaign.world.read_command(bytes(waits.do))
        chosen = secrets.token_bytes(32)
        keep_share(soviet.file, "Soviet", chosen)
        consent.promise(campaign, {"Soviet": chosen}, seat="Soviet")
        # The order that waited was asked for with the old promises, and is asked for again.
        assert not campaign.history.waiting
        old = waits.shares
    axis.receives(soviet.send())
    asks(axis)
    with campaign_file(axis.file, games.build_world) as campaign:
        again = waiting(campaign)
        assert campaign.world.read_command(bytes(again.do)) == command
        # What he knew of the other's part is worth nothing any more.
        assert not old.items() & again.shares.items()


def test_a_share_of_another_secret_is_found_out_at_once(pair: tuple[Player, Player]) -> None:
    """He carries the order out with a share of the other's that he made up; only that one can tell."""
    axis, soviet = pair
    asks(axis)
    soviet.receives(axis.send())
    with SqliteJournal.open(soviet.file) as journal:
        campaign = Campaign(journal, games.build_world, secrets=_secrets(soviet))
        [number] = campaign.history.waiting
        waits = waiting(campaign)
        command = campaign.world.read_command(bytes(waits.do))
        made_up = {who: secrets.token_hex(32) for who in waits.shares} | campaign.own_shares(command)
        decision = campaign.judge(command, seat="Axis", override="we agreed", shares=made_up)
        assert isinstance(decision, Decision)
        campaign.record(decision, seat="Axis", answers=number)
        sent = soviet.folder / "forged.fpx"
        sent.write_text("\n".join(packed(turn_for(journal, "Soviet", "Axis", None))), "utf-8")
    before = axis.head()
    told = axis.receives(sent, code=1)
    assert "share of Axis" in " ".join(told.split())
    assert axis.head() == before


def _secrets(player: Player) -> list[bytes]:
    lines = next(player.folder.glob("*.dice")).read_text("utf-8").splitlines()[1:]
    return [bytes.fromhex(line) for line in lines]


FORGED: dict[str, tuple[Callable[[int, Clock], Entry], str]] = {
    "an order": (
        lambda n, at: Entry(n=n, at=at, seat="Axis", do=codec.encode(Note(text="I give up"))),
        "in your own name",
    ),
    "a promise": (
        lambda n, at: Entry(n=n, at=at, promises={"Axis": dice.commitment(b"known to me")}),
        "in your own name",
    ),
    "another's promise": (
        lambda n, at: Entry(n=n, at=at, seat="Soviet", promises={"Axis": dice.commitment(b"known to me")}),
        "promises a part in the dice for another side",
    ),
    "nobody's part": (
        lambda n, at: Entry(n=n, at=at, seat="Soviet", promises={"Soviet": "", "campaign": ""}),
        "takes the campaign's own part out of the dice before every side has one",
    ),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_another_does_in_ones_name_is_not_taken(tmp_path: Path, pair: tuple[Player, Player], what: str) -> None:
    axis, soviet = pair
    make, says = FORGED[what]
    with SqliteJournal.open(soviet.file) as journal:
        campaign = Campaign(journal, games.build_world)
        entry = make(campaign.seq + 1, campaign.state.clock)
        journal.append([seal(campaign.hash, entry.n, codec.encode(entry))])
        sent = tmp_path / "forged.fpx"
        sent.write_text("\n".join(packed(turn_for(journal, "Soviet", "Axis", None))), "utf-8")
    before = axis.head()
    told = " ".join(axis.receives(sent, code=1).split())
    assert says in told
    assert axis.head() == before
