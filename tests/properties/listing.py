"""Run as a program: reads a journal's plain text and prints all it says, so that two runs can be compared."""

import sys
from typing import Union

from forcepool import games
from forcepool.engine import codec
from forcepool.engine.acts import entry_in_words
from forcepool.engine.agenda import agenda
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.command import describe
from forcepool.engine.events import Overruled
from forcepool.engine.journal import MemoryJournal
from forcepool.engine.options import options
from forcepool.engine.state import to_bytes
from forcepool.store.textfile import export_text, import_text
from tests.properties.encirclement import GAME, start

COMMANDS = codec.decoder(Union[games.game(GAME).commands])  # noqa: UP007 - the members are known only when it runs


def read(lines: list[str]) -> Campaign:
    """The campaign a plain text holds."""
    journal = MemoryJournal()
    import_text(lines, journal)
    return Campaign(journal, games.build_world)


def listing(campaign: Campaign) -> list[str]:
    """The state, every option of every unit, the checklist and the journal in words."""
    world, state = campaign.world, campaign.state
    lines = [to_bytes(state).decode()]
    for unit in state.units_in_order():
        for each in options(world, state, unit):
            lines.append(f"{describe(each.command)}: {dict(each.cost)} {each.arrives} {each.allowed} {each.reasons}")
    lines += [repr(item) for item in agenda(world, state)]
    for entry in campaign.entries():
        lines += entry_in_words(world, entry, campaign.history)
    return lines


def play_again(original: Campaign) -> Campaign:
    """Every act of a journal put to the rules once more, from the scenario's text on."""
    campaign = start()
    for entry in original.entries():
        if entry.undo:
            campaign.undo(to=min(entry.undo))
        elif entry.redo:
            campaign.redo()
        else:
            overruled = [event.note for event in entry.events if isinstance(event, Overruled)]
            outcome = campaign.do(COMMANDS.decode(entry.do), override=overruled[0] if overruled else "")
            assert isinstance(outcome, Done)
    return campaign


def main() -> None:
    campaign = read(sys.stdin.read().splitlines())
    again = play_again(campaign)
    for line in (*listing(campaign), *listing(again), *export_text(again.journal)):
        print(line)


if __name__ == "__main__":
    main()
