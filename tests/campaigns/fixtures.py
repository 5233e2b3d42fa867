"""Fixture campaigns: folders with an exported journal and a golden summary of where it leads."""

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Union

from forcepool import games
from forcepool.engine import codec
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import BadCommand, Command, command_name, describe
from forcepool.engine.decide import Decision, decide
from forcepool.engine.dice import Roll, RollNeeded
from forcepool.engine.events import Overruled, Rolled
from forcepool.engine.journal import Entry, Journal, MemoryJournal, read_beginning
from forcepool.engine.state import evolve, restore, to_bytes
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
    state, commands = campaign.state, commands_of(campaign)
    counting = [entry for entry in campaign.entries() if campaign.history.counts(entry)]
    units = Counter(campaign.world.show_place(unit.place).partition(", due")[0] for unit in state.units.values())
    return {
        "title": campaign.beginning.title,
        "now": campaign.world.when(state),
        "entries": campaign.seq,
        "undone": len(campaign.history.undone),
        "last": campaign.hash,
        "state": hashlib.sha256(to_bytes(state)).hexdigest(),
        "commands": dict(sorted(Counter(command_name(commands.decode(each.do)) for each in counting).items())),
        "balances": {str(account): str(amount) for account, amount in sorted(state.balances.items()) if amount},
        "units": dict(sorted(units.items())),
    }


def commands_of(campaign: Campaign) -> Any:
    """How the commands of a campaign's journal are read."""
    return codec.decoder(Union[campaign.world.game.commands])  # noqa: UP007 - the members are known only when it runs


def decided_otherwise(journal: Journal, first: int = FIRST) -> Iterator[str]:
    """Where today's rules decide otherwise than the journal has it, entry by entry, in words."""
    campaign = Campaign(journal, games.build_world)
    commands, state = commands_of(campaign), restore(read_beginning(journal).state)
    for entry in campaign.entries(stop=first + 2):
        if not entry.events:
            continue
        command: Command = commands.decode(entry.do)
        found = _today(campaign, state, command, entry)
        if found != "as recorded":
            when = campaign.world.sequence.describe(campaign.world.calendar, entry.at)
            yield f"entry {entry.n}, {when}, {describe(command)}: {found}"
        # A command that was taken back at once is judged, but leaves no trace.
        if entry.n not in campaign.history.undone:
            evolve(state, entry.events)


def _today(campaign: Campaign, state: Any, command: Command, entry: Entry) -> str:
    rolls = [Roll(each.sides, each.result, each.by_hand) for each in entry.events if isinstance(each, Rolled)]
    note = next((each.note for each in entry.events if isinstance(each, Overruled)), "")
    try:
        outcome = decide(campaign.world, state, command, entry.seat, rolls, note)
    except (BadCommand, RollNeeded) as error:
        return f"is now an error: {error}"
    if not isinstance(outcome, Decision):
        return "is now refused: " + "; ".join(f"{each.clause} {each}" for each in outcome.reasons)
    if codec.encode(outcome.events) == codec.encode(entry.events):
        return "as recorded"
    now, then = (
        dict.fromkeys(codec.encode(each).decode() for each in events) for events in (outcome.events, entry.events)
    )
    gained, missing = ([each for each in ours if each not in theirs] for ours, theirs in ((now, then), (then, now)))
    return (
        f"now also {gained[:3]}, no longer {missing[:3]}" if gained or missing else "the same events in another order"
    )
