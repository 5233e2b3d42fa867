"""A journal of either game, reckoned anew."""

from forcepool.engine.journal import Journal, read_beginning
from tests.reckoner import eastern, reckoner
from tests.reckoner.tally import Tally


def reckon(journal: Journal) -> Tally:
    """What the second reckoner of the journal's game makes of it."""
    game = read_beginning(journal).game
    return eastern.reckon(journal) if game == "eastern_front" else reckoner.reckon(journal)
