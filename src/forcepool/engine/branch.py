"""A branch: a campaign played on beside the record. What happens here counts for nothing, and nobody is told."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from forcepool.engine.answers import keep_answers, watched
from forcepool.engine.command import Command
from forcepool.engine.decide import Decision, decide
from forcepool.engine.dice import Roll, RollNeeded
from forcepool.engine.state import State, evolve
from forcepool.engine.verdicts import Refusal
from forcepool.engine.world import World

Falls = Callable[[RollNeeded], int]
"""How a die falls that a rule asks for."""
MOST_DICE = 2
"""Dice of one order of which every face is tried."""


def in_the_middle(need: RollNeeded) -> int:
    """The lower of the two middle faces: neither luck nor the lack of it."""
    return (need.sides + 1) // 2


class Branch:
    """A copy of a campaign's state that goes its own way, by the same rules and with no journal."""

    def __init__(self, world: World, state: State, falls: Falls = in_the_middle) -> None:
        self.world, self.state, self.falls = world, state.copy(), falls
        keep_answers(world, self.state)

    def judge(
        self, command: Command, *, seat: str = "", override: str = "", rolls: Sequence[int] = ()
    ) -> Decision | Refusal:
        """What would come of a command; `rolls` are dice that lie there already, the others fall as they do here."""
        given = [Roll(0, each, True) for each in rolls]
        while True:
            try:
                return decide(self.world, watched(self.world, self.state), command, seat, given, override)
            except RollNeeded as need:
                given.append(Roll(need.sides, self.falls(need)))

    def outcomes(self, command: Command, rolls: tuple[int, ...] = ()) -> Iterator[tuple[Fraction, Decision | Refusal]]:
        """All that could come of a command, each with how likely it is: every face of every die is tried.

        The third die and those after it fall as they do here: by then there are more ways than anyone looks at.
        """
        if len(rolls) == MOST_DICE:
            yield Fraction(1), self.judge(command, rolls=rolls)
            return
        given = [Roll(0, each, True) for each in rolls]
        try:
            yield Fraction(1), decide(self.world, watched(self.world, self.state), command, "", given)
        except RollNeeded as need:
            for face in range(1, need.sides + 1):
                for likely, decision in self.outcomes(command, (*rolls, face)):
                    yield likely / need.sides, decision

    def carry_out(self, decision: Decision) -> None:
        """Let happen what was judged of the state as it stands."""
        evolve(self.state, decision.events)
