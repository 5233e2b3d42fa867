"""52.J.2.d  Soviet replacement cities to which an isolated unit traces an LOC."""

from typing import Any

from forcepool.engine.facts import Fact
from forcepool.engine.sentence import the_place
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.soviet_pools import SOVIET, SOVIET_UNION


@rule("52.J.2.d/1")
def is_a_city_to_trace_to(q: Any) -> Verdict:
    """An LOC is declared to a Soviet replacement city that is in Soviet hands."""
    city = q.world.hex_name(str(q.value)) if q.value else ""
    why = why_no_source(q, city) if city else ""
    return no(why, remedy="name a Soviet replacement city") if why else YES


def why_no_source(q: Any, city: str) -> str:
    """What keeps a place from being a Soviet replacement city to trace to; nothing if it is one."""
    facts = q.world.facts(q.state)
    whose = facts.of_place(city, "replacement_city")
    if not whose or q.world.nation_named(whose) != SOVIET_UNION:
        return f"{the_place(city)} is no Soviet replacement city"
    owner = facts.owner(city)
    return "" if owner in ("", SOVIET) else f"{the_place(city)} is in {owner} hands"


def soviet_cities(q: Any) -> list[str]:
    """The Soviet replacement cities in Soviet hands."""
    return [city for city in q.facts.places_with("replacement_city") if not why_no_source(q, city)]


CHAPTER = Chapter(
    heading="52.J.2.d",
    facts=(Fact("loc", ("unit",), "the Soviet replacement city to which an isolated unit traces an LOC", ""),),
    forbids={"loc": (is_a_city_to_trace_to,)},
)
