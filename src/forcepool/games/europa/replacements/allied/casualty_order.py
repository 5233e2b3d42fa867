"""52.D.3.d  After January 1943 Allied units may take partial losses in the order of their type."""

from forcepool.engine.command import Question
from forcepool.engine.sentence import the_field
from forcepool.engine.verdicts import YES, Verdict, no
from forcepool.games.europa.question import instead
from forcepool.games.europa.replacements.special import casualties
from forcepool.games.europa.world import EuropaWorld

ALLIED = "Allied"


def may_take_in_order(q: Question, *, partial: bool) -> Verdict:
    """Whether a unit's losses may be taken in the order of its type; also asked when they are paid at once."""
    assert isinstance(q.world, EuropaWorld)
    unit, date = q.unit, q.world.dates["allied_casualty_order"]
    if q.world.side_now(q.state, unit.spec.nation) != ALLIED:
        return no(f"{unit} is not Allied", remedy=instead(q, f"leave out {the_field('ordered')}", ordered=False))
    if q.state.clock.turn <= date:
        return no(
            f"the order is open after {q.world.turn_name(date)}",
            remedy=instead(q, f"leave out {the_field('ordered')}", ordered=False),
        )
    if not partial:
        return no(
            f"{unit} is eliminated, the order is for partial losses",
            remedy=instead(q, f"leave out {the_field('ordered')}", ordered=False),
        )
    if casualties.casualty_order(q.world, unit.spec) is None:
        return no(
            f"{unit} is neither armour, mechanized nor motorized",
            remedy=instead(q, f"leave out {the_field('ordered')}", ordered=False),
        )
    return YES
