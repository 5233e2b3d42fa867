"""What every rule of this game may ask of a command: the facts, and whose unit it is about."""

from forcepool.engine.command import Question, lazy
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.world import EuropaWorld


class EuropaQuestion(Question):
    """A command put to a state of this game."""

    world: EuropaWorld

    @lazy
    def facts(self) -> EuropaFacts:
        return self.world.facts(self.state)

    @lazy
    def nation(self) -> str:
        """The nation it concerns: the unit's, unless the command speaks of another."""
        return self.unit.spec.nation

    @lazy
    def side(self) -> str:
        """The side that nation fights on now."""
        return self.world.side_now(self.state, self.nation)
