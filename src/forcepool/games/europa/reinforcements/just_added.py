"""51.B.1.a/2 and /3  Units just added to the pool, and bought at once."""

from collections.abc import Iterator
from typing import Any

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import PLAYER_TURN, YES_NO, Fact, unit_key
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE
from forcepool.engine.verdicts import Verdict, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.purchase import Purchase
from forcepool.games.europa.replacements.general.eliminated import Replace
from forcepool.games.europa.world import ELIMINATED
from forcepool.rulebook.citations import computed

ADDED = "added_to_pool"

AT_ONCE = switch(
    "pool-units-at-once",
    "51.B.1.a/3",
    "the arrival of a unit added to the pool and bought at once",
    one_turn="one turn later, whatever its type",
    with_extension="one turn later, and the extra time of its type besides",
    national_only="one turn later, a limited unit only through the national pool",
    bought_full="one turn later, and a unit with a cadre may be bought at full strength",
)


def is_just_added(q: Any) -> bool:
    """Whether it is a purchase of a unit, and that was added to the pool this player-turn."""
    about_a_unit = isinstance(q, Purchase) and hasattr(q.command, "unit")
    return about_a_unit and q.facts.is_so(q.unit, ADDED)


def bought_at_once(q: Any) -> Verdict | None:
    """A unit just added to the pool may be bought in the reinforcement phase already."""
    if not is_just_added(q) or q.world.phase(q.state) != REINFORCEMENT:
        return None
    return yes("51.B.1.a/2") if q.world.has_the_turn(q.state, q.side) else None


def bought_where_it_lies(q: Any) -> Verdict | None:
    """A limited unit just added is bought in the front's box where the entry put it, by the default ruling."""
    if not is_just_added(q) or q.switch(AT_ONCE.key) == "national-only":
        return None
    return yes("51.B.1.a/3", "just added to the pool by the order of battle")


def bought_whole(q: Any) -> Verdict | None:
    """By a ruling a unit just added comes at full strength though it has a cadre."""
    if not is_just_added(q) or q.switch(AT_ONCE.key) != "bought-full":
        return None
    return yes("51.B.1.a/3", "just added to the pool by the order of battle") if q.unit.spec.has(CADRE) else None


def quick(q: Purchase, turns: int) -> int:
    """Bought at once it arrives a turn later, not four."""
    if is_just_added(q) and q.unit.place.kind == ELIMINATED:
        return at_once(q, turns)
    return turns


def counts_as_bought_at_once(q: Purchase) -> Iterator[Event]:
    """A purchase in the player-turn of the addition is told apart in the journal, in whichever phase it is made."""
    if is_just_added(q) and q.unit.place.kind == ELIMINATED:
        says = "bought in the player-turn it was added"
        yield Marked(on=unit_key(q.unit.id), mark=ADDED, value=None, because="51.B.1.a/2 51.B.1.a/3", says=says)


@computed("51.B.1.a/3", "51.B.1.a/2")
def at_once(q: Purchase, turns: int) -> int:
    """One turn, and by a ruling the extra time of its type besides."""
    soon = int(q.world.numbers["bought_at_once"])
    extra = turns - int(q.world.numbers["replacement_time"]) if q.switch(AT_ONCE.key) == "with-extension" else 0
    return soon + max(0, extra)


CHAPTER = Chapter(
    heading="51.B.1",
    facts=(Fact(ADDED, ("unit",), "it was just added to the pool", False, YES_NO, lasts=PLAYER_TURN, by_hand=False),),
    switches=(AT_ONCE,),
    waivers={"52/3": (bought_at_once,), "52.A.8/2": (bought_where_it_lies,), "52.A.3/2": (bought_whole,)},
    times=(quick,),
    also={Replace: (counts_as_bought_at_once,)},
)
