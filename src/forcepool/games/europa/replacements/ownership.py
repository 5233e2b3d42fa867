"""52.D.2.d and 52.J.2.e  Places that change hands: who held them before, and since when."""

from collections.abc import Iterator
from typing import NamedTuple

from forcepool.engine.desk import Declaring
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import TURN, Fact, place_key
from forcepool.engine.state import State
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.world import EuropaWorld

SIZES = ("town", "reference", "fortress", "dot", "partial", "full")
"""Kinds of place by size; partial and full hex cities are the major ones."""
DOT_OR_MAJOR = ("dot", "partial", "full")

FACTS = (
    Fact(
        "city_size",
        ("place",),
        "what kind of place it is: town, reference, fortress, dot, partial or full hex city",
        "",
        values=SIZES,
    ),
    Fact("part_of", ("place",), "the city of several hexes that this hex is a part of", ""),
    Fact("taken_on", ("place",), "the turn its present owner took it", None, TURN),
    Fact("taken_from", ("place",), "the side that owned it before", ""),
    Fact("held_since", ("place",), "the turn the owner before this one had taken it", None, TURN),
)


class Taking(NamedTuple):
    """A place that goes from one side to another."""

    place: str
    was: str
    now: str


def takings(q: Declaring) -> list[Taking]:
    """The place declared, and the city it belongs to once all hexes of that have the same owner."""
    facts = facts_of(q)
    place, now = q.on.removeprefix("place/"), str(q.value or "")
    if facts.owner(place) == now:
        return []
    found = [Taking(place, facts.owner(place), now)]
    city = facts.of_place(place, "part_of")
    if city and facts.owner(city) != now:
        others = [facts.owner(each) for each in facts.places_where("part_of", city) if each != place]
        if all(owner == now for owner in others):
            found.append(Taking(city, facts.owner(city), now))
    return found


def facts_of(q: Declaring) -> EuropaFacts:
    assert isinstance(q.facts, EuropaFacts)
    return q.facts


def world_of(q: Declaring) -> EuropaWorld:
    assert isinstance(q.world, EuropaWorld)
    return q.world


def turn_fact(facts: EuropaFacts, place: str, name: str) -> int | None:
    """A turn that was noted of a place, if any."""
    value = facts.value(place_key(place), name)
    return value if isinstance(value, int) else None


def remembers_who_held_it(q: Declaring) -> Iterator[Event]:
    """When a place changes hands, from whom and when is kept, since rules count turns from it."""
    declared = q.on.removeprefix("place/")
    for place, was, now in takings(q):
        on = place_key(place)
        if place != declared:
            yield Marked(on=on, mark="owner", value=now or None)
        since = turn_fact(facts_of(q), place, "taken_on")
        if since is not None:
            yield Marked(on=on, mark="held_since", value=since)
        else:
            yield from take_off(q.state, on, "held_since")
        yield Marked(on=on, mark="taken_on", value=q.state.clock.turn)
        yield Marked(on=on, mark="taken_from", value=was)


def take_off(state: State, on: str, mark: str, because: str = "", says: str = "") -> Iterator[Marked]:
    """A marker is taken off, if it is there."""
    if state.mark(on, mark) is not None:
        yield Marked(on=on, mark=mark, because=because, says=says)


def cities_of(world: EuropaWorld, facts: EuropaFacts, md: str) -> list[str]:
    """The dot and major cities of an MD, in order."""
    return [
        name
        for name in facts.places_with("city_size")
        if world.spot(name).area == md and facts.of_place(name, "city_size") in DOT_OR_MAJOR
    ]


CHAPTER = Chapter(heading="52.D.2.d", facts=FACTS, declared={"owner": (remembers_who_held_it,)})
