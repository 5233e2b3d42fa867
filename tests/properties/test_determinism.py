"""The same journal says the same on every machine: nothing depends on the order in which a hash table lists things."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from forcepool import games
from forcepool.engine import desk
from forcepool.engine.campaign import Campaign
from forcepool.engine.journal import MemoryJournal
from forcepool.engine.options import options
from forcepool.engine.state import to_bytes
from forcepool.store.textfile import export_text, import_text
from tests.properties.encirclement import start
from tests.properties.listing import listing, play_again

ROOT = Path(__file__).resolve().parents[2]
FACTS = {"moved": "yes", "supply": "none", "isolated": "supply", "pocket": "Vyazma", "enemy_zoc": "division"}


def played(steps: int = 150) -> Campaign:
    """A campaign of many commands, chosen by a seeded generator."""
    chance = random.Random(52)
    campaign = start()
    for step in range(steps):
        unit = campaign.state.units[chance.choice(sorted(campaign.state.units))]
        found = options(campaign.world, campaign.state, unit)
        if step % 10 == 7:
            campaign.undo()
        elif step % 20 == 8:
            campaign.redo()
        elif step % 5 == 4:
            campaign.do(desk.Advance())
        elif step % 3 == 0 or not found:
            fact = chance.choice(sorted(FACTS))
            campaign.do(desk.Declare(fact=fact, value=FACTS[fact], unit=unit.id), override="so it stands on the map")
        else:
            campaign.do(chance.choice(found).command, override="as agreed")
    return campaign


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    return played()


def run_with(hash_seed: str, text: str) -> list[str]:
    """What another process, with its own order of hash tables, makes of a journal."""
    environment = {
        **os.environ,
        "PYTHONHASHSEED": hash_seed,
        "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT))),
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.properties.listing"],
        input=text,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_processes_with_different_hash_seeds_say_the_same(campaign: Campaign) -> None:
    lines = list(export_text(campaign.journal))
    here = listing(campaign)
    one, other = (run_with(seed, "\n".join(lines)) for seed in ("0", "12345"))
    assert one == other
    assert one == [*here, *here, *lines]


def test_playing_every_command_again_gives_the_same_chain(campaign: Campaign) -> None:
    again = play_again(campaign)
    assert (again.seq, again.hash) == (campaign.seq, campaign.hash)
    assert to_bytes(again.state) == to_bytes(campaign.state)


def test_the_campaign_played_here_is_worth_comparing(campaign: Campaign) -> None:
    entries = list(campaign.entries())
    assert len(entries) > 100
    assert any(entry.undo for entry in entries)
    assert any(entry.redo for entry in entries)
    assert any(entry.allowed for entry in entries)
    assert len(listing(campaign)) > 200


def test_a_campaign_comes_back_from_its_plain_text(campaign: Campaign) -> None:
    lines = list(export_text(campaign.journal))
    journal = MemoryJournal()
    import_text(lines, journal)
    back = Campaign(journal, games.build_world)
    assert to_bytes(back.state) == to_bytes(campaign.state)
    assert list(export_text(journal)) == lines
