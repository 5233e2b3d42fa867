"""The campaign that ships for the demonstration; run as a module, this notes anew what it is known to lead to."""

from forcepool import games
from forcepool.engine.campaign import Campaign
from forcepool.engine.journal import MemoryJournal
from forcepool.store.textfile import import_text
from forcepool.views.scenarios import shipped_journal
from tests.campaigns import fixtures

NAME = "east-1941"


def journal() -> MemoryJournal:
    """The shipped journal, each entry checked against its hash."""
    found = MemoryJournal()
    import_text(shipped_journal(NAME), found, file=f"{NAME}.journal")
    return found


def demonstration() -> Campaign:
    """The campaign as the demonstration opens it."""
    return Campaign(journal(), games.build_world)


if __name__ == "__main__":
    (fixtures.FOLDER / NAME).mkdir(exist_ok=True)
    fixtures.write_golden(NAME, fixtures.summary(demonstration()))
