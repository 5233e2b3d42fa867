"""Fixture campaigns: folders with an exported journal and a golden summary of where it leads."""

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from forcepool import games
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import command_name
from forcepool.engine.journal import Journal, MemoryJournal
from forcepool.engine.state import to_bytes
from forcepool.store import rejudge
from forcepool.store.textfile import export_text, import_text

FOLDER = Path(__file__).parent
JOURNAL, SUMMARY = "journal.txt.gz", "summary.json"
FIRST = 400
"""How many entries of a journal are put to today's rules once more."""


def names() -> list[str]:
    """Every folder with a journal in it."""
    return sorted(each.parent.name for each in FOLDER.glob(f"*/{JOURNAL}"))


def journal_of(name: str) -> MemoryJournal:
    """A fixture's journal, each entry checked against its hash."""
    journal = MemoryJournal()
    with gzip.open(FOLDER / name / JOURNAL, "rt", encoding="utf-8") as lines:
        import_text((line.rstrip("\n") for line in lines), journal, file=f"{name}/{JOURNAL}")
    return journal


def write(name: str, journal: Journal) -> None:
    """Keep a journal as a fixture; the same journal gives the same bytes."""
    (FOLDER / name).mkdir(exist_ok=True)
    text = "".join(f"{line}\n" for line in export_text(journal, lambda entry: []))
    (FOLDER / name / JOURNAL).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def golden(name: str) -> dict[str, Any]:
    """What the fixture is known to lead to."""
    found: dict[str, Any] = json.loads((FOLDER / name / SUMMARY).read_text("utf-8"))
    return found


def write_golden(name: str, found: dict[str, Any]) -> None:
    (FOLDER / name / SUMMARY).write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


def summary(campaign: Campaign) -> dict[str, Any]:
    """Where a campaign has come to: the moment, the pools, the boxes, and what was done on the way."""
    state, world = campaign.state, campaign.world
    counting = [entry for entry in campaign.entries() if campaign.history.counts(entry)]
    units = Counter(campaign.world.show_place(unit.place).partition(", due")[0] for unit in state.units.values())
    return {
        "title": campaign.beginning.title,
        "now": campaign.world.when(state),
        "entries": campaign.seq,
        "undone": len(campaign.history.undone),
        "last": campaign.hash,
        "state": hashlib.sha256(to_bytes(state)).hexdigest(),
        "commands": dict(
            sorted(Counter(command_name(world.read_command(bytes(each.do))) for each in counting).items())
        ),
        "balances": {str(account): str(amount) for account, amount in sorted(state.balances.items()) if amount},
        "units": dict(sorted(units.items())),
    }


def decided_otherwise(journal: Journal, first: int = FIRST) -> Iterator[str]:
    """Where today's rules decide otherwise than the journal has it, entry by entry, in words."""
    return map(str, rejudge.decided_otherwise(Campaign(journal, games.build_world), last=first + 1))
