"""52.A.2/2 to /4  A unit that arrives in an inactive front may go straight into reserve."""

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import unit_key
from forcepool.engine.sentence import the_pool
from forcepool.engine.verdicts import YES, Remedy, Verdict, no, rule
from forcepool.games.europa.facts import INACTIVE, OPERATIONAL, STRATEGIC
from forcepool.games.europa.ground.placing import Placing
from forcepool.games.europa.question import instead
from forcepool.games.europa.replacements.general.building_tracks import is_lost
from forcepool.rulebook.citations import computed


@rule("52.A.2/2")
def strategic_reserve_is_for_inactive_fronts(q: Placing) -> Verdict:
    """Only a unit that arrives in an inactive front goes straight into strategic reserve."""
    if q.command.reserve == STRATEGIC and is_lost(q.world, q.facts, q.area, q.unit.spec.nation):
        return no(
            f"every city of {the_pool(q.area)} is the enemy's, so that it counts as lost",
            remedy="it waits until one is yours again",
        )
    return _front_is_inactive(q, STRATEGIC)


@rule("52.A.2/3")
def operational_reserve_is_for_inactive_fronts(q: Placing) -> Verdict:
    """Only a unit that arrives in an inactive front is placed in operational reserve."""
    return _front_is_inactive(q, OPERATIONAL)


def _front_is_inactive(q: Placing, reserve: str) -> Verdict:
    activity = q.facts.activity(q.area)
    if q.command.reserve != reserve or activity == INACTIVE:
        return YES
    return no(
        f"{the_pool(q.area)} is {activity}", remedy=_without_reserve(q, "place it on the map without a reserve marker")
    )


def _without_reserve(q: Placing, words: str) -> Remedy:
    """The same hex without a marker; off the map there is none to name."""
    return instead(q, words, reserve="") if q.command.at else Remedy(words)


@rule("52.A.2/2", "52.A.2/3", "52.G/2")
def no_reserve_for_the_disrupted(q: Placing) -> Verdict:
    """The free places in reserve are for replacements; a disrupted unit returns to the map as a reinforcement."""
    clause = "52.A.2/2" if q.off_map else "52.A.2/3"
    says = f"{q.unit} was disrupted: it returns as a reinforcement, and only replacements go into reserve free"
    remedy = _without_reserve(q, "place it on the map without a reserve")
    return no(says, remedy=remedy, clause=clause, also=("52.G/2",))


@computed("52.A.2/4")
def in_reserve(q: Placing, because: str) -> Event:
    """The reserve marker is all there is to it: no operational reserve points are used."""
    says = "no operational reserve points used"
    on = unit_key(q.unit.id)
    return Marked(on=on, mark="reserve", value=q.command.reserve, because=f"{because} 52.A.2/4", says=says)
