"""Whose phase it is: most orders belong to one phase of their owner's player-turn, or to any phase of it."""

from typing import Any

from forcepool.engine.verdicts import YES, Rule, Verdict, no, rule
from forcepool.games.europa.question import waits_for


def is_own(q: Any, phase: str = "", side: str = "") -> bool:
    """Whether it is a side's own player-turn, and this phase of it where one is named."""
    return phase in ("", q.world.phase(q.state)) and bool(q.world.has_the_turn(q.state, side or q.side))


def in_own(q: Any, phase: str = "", side: str = "", **cites: Any) -> Verdict:
    """Yes in the own phase; else what it is instead, and to wait for it. The side is the order's unless named."""
    if is_own(q, phase, side):
        return YES
    return no(f"it is {q.world.when(q.state)}", remedy=waits_for(q, phase, side), **cites)


def only_in_own(phase: str, *clauses: str, **cites: Any) -> Rule[Any]:
    """The rule that an order is given in the owner's own phase, or in any of his player-turn."""

    @rule(*clauses)
    def it_is_the_owners_phase(q: Any) -> Verdict:
        return in_own(q, phase, **cites)

    return it_is_the_owners_phase
