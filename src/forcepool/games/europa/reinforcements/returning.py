"""51.A.6  Rebuilt and disrupted units on their way back: how many a location takes, and where."""

from typing import Any

from forcepool.engine.facts import unit_key
from forcepool.engine.verdicts import YES, No, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.reinforcements.entries import ENTRY
from forcepool.games.europa.replacements.placement import (
    no_enemy_zoc_upon_it,
    one_unit_a_location,
    stands_at_a_location_of_its_md,
)


def _returning(q: Any) -> bool:
    """A rebuilt or disrupted unit on its way back, unlike a reinforcement of the order of battle."""
    return q.state.mark(unit_key(q.unit.id), ENTRY) is None


@rule("51.A.6/1")
def returning_units_come_one_a_location(q: Any) -> Verdict:
    """One rebuilt or disrupted unit a city and army HQ."""
    return _as_placement_says(one_unit_a_location(q)) if _returning(q) else YES


@rule("51.A.6/2")
def returning_units_come_in_their_front(q: Any) -> Verdict:
    """In the front in which the unit was disrupted, or that paid for it."""
    return _as_placement_says(stands_at_a_location_of_its_md(q)) if _returning(q) else YES


@rule("51.A.6/3")
def returning_units_keep_out_of_zocs(q: Any) -> Verdict:
    """Not in an enemy ZOC."""
    return _as_placement_says(no_enemy_zoc_upon_it(q)) if _returning(q) else YES


def _as_placement_says(verdict: Verdict) -> Verdict:
    """The same answer, cited by the clause of the rule that asks."""
    return no(verdict.says, verdict.remedy, have=verdict.have, need=verdict.need) if isinstance(verdict, No) else YES


CHAPTER = Chapter(
    heading="51.A.6",
    guards={
        "place": (
            returning_units_come_one_a_location,
            returning_units_come_in_their_front,
            returning_units_keep_out_of_zocs,
        )
    },
)
