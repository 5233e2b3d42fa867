"""49/1  Whether a campaign has operational and strategic reserves at all: the published style knows none."""

from typing import Any

from forcepool.engine.verdicts import YES, Verdict, no, rule

NOT_PLAYED = "this campaign plays no operational and strategic reserves"


@rule("49/1")
def reserves_are_played(q: Any) -> Verdict:
    """Where an edition knows no reserves, nothing of them can be ordered."""
    return YES if q.world.plays_reserves else no(NOT_PLAYED, remedy="play on without")


@rule("49/1")
def placed_in_a_reserve_that_is_played(q: Any) -> Verdict:
    """Where an edition knows no reserves, no unit arrives in one."""
    if not q.command.reserve or q.world.plays_reserves:
        return YES
    return no(NOT_PLAYED, remedy="place it without reserve=")
