"""52.D.2.d and 52.J.2.e  Places that change hands: who held them before, and since when."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from forcepool.engine.desk import Declaring
from forcepool.engine.events import Event, Marked, Noted
from forcepool.engine.facts import TURN, Fact, kept, place_key
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import NOT_ISOLATED, REGULAR, EuropaFacts
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
ITS_OWNERS_ENEMIES = ("enemy_zoc", "adjacent_enemy")
"""What is said of a place about the enemies of the side that owns it; to whoever takes it they are friends."""
ITS_LINES = {"isolated": NOT_ISOLATED, "supply": REGULAR}
"""What is said of a place's lines, which may be cut to whoever takes it too: only he can tell."""


class Taking(NamedTuple):
    """A place that goes from one side to another."""

    place: str
    was: str
    now: str


def takings(q: Declaring) -> list[Taking]:
    """What goes to another side with the place declared: it, and the city it belongs to once all hexes of that have the
    same owner. Who is said to own a city of several hexes owns all of them."""
    facts = facts_of(q)
    place, now = q.on.removeprefix("place/"), str(q.value or "")
    parts = facts.parts_of(place)
    going = [each for each in (*parts, place) if facts.owner(each) != now]
    city = facts.city_of(place)
    if place in going and city != place and facts.owner(city) != now:
        others = (facts.owner(each) for each in facts.parts_of(city) if each != place)
        if all(owner == now for owner in others):
            going.append(city)
    return [Taking(each, facts.owner(each), now) for each in going]


def cities_taken(q: Declaring) -> list[Taking]:
    """The same without the hexes of cities that have several: a city falls once, with the last of them."""
    facts = facts_of(q)
    return [each for each in takings(q) if facts.city_of(each.place) == each.place]


def owners_then(q: Declaring) -> Callable[[str], str]:
    """Who owns a place once what is being declared is so."""
    facts, taken = facts_of(q), {each.place: each.now for each in takings(q)}
    return lambda place: taken[place] if place in taken else facts.owner(place)


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
        yield Marked(on=on, mark="taken_on", value=q.state.clock.turn)
        yield Marked(on=on, mark="taken_from", value=was)
        for fact in ITS_OWNERS_ENEMIES if was else ():
            yield from take_off(q.state, on, fact, says=f"{fact.replace('_', ' ')} as it was for {was} holds no longer")


def asks_for_its_lines(q: Declaring) -> Iterator[Event]:
    """Whoever takes a place that was said to be cut off is told so: it stays cut off to him until he says otherwise."""
    facts = facts_of(q)
    for place, was, now in takings(q):
        cut = [fact for fact, usual in ITS_LINES.items() if facts.declared(place_key(place), fact) not in (None, usual)]
        if was and now and cut:
            usual = " and ".join(f"{fact} {ITS_LINES[fact]}" for fact in cut)
            yield Noted(
                text=f"{the_place(place)} counts as cut off to the {now} side as it did to the {was}, and the units "
                f"there with it; if not, declare {usual} of it"
            )


def take_off(state: State, on: str, mark: str, because: str = "", says: str = "") -> Iterator[Marked]:
    """A marker is taken off, if it is there."""
    if state.mark(on, mark) is not None:
        yield Marked(on=on, mark=mark, because=because, says=says)


def cities_of(world: EuropaWorld, facts: EuropaFacts, md: str, sizes: tuple[str, ...] = DOT_OR_MAJOR) -> list[str]:
    """The dot and major cities of an MD, in order; one of several hexes is one city."""
    return list(_cities_of(world, facts, md, sizes))


@kept
def _cities_of(world: EuropaWorld, facts: EuropaFacts, md: str, sizes: tuple[str, ...]) -> tuple[str, ...]:
    listed = (name for name in facts.places_with("city_size") if world.spot(name).area == md)
    return tuple(sorted({facts.city_of(name) for name in listed if facts.of_place(name, "city_size") in sizes}))


def md_of(world: EuropaWorld, facts: EuropaFacts, city: str) -> str:
    """The MD a city lies in; where only its hexes are listed, theirs."""
    areas = (world.spot(each).area for each in (city, *facts.parts_of(city)))
    return next((area for area in areas if area), "")


def agrees_with_its_hexes(q: Declaring) -> Iterator[Event]:
    """Where a scenario says nothing of it, a city is its hexes' owner's, and a hex its city's."""
    facts, place = facts_of(q), q.on.removeprefix("place/")
    for part in facts.parts_of(place):
        if facts.declared(place_key(part), "owner") is None:
            yield Marked(on=place_key(part), mark="owner", value=q.value)
    city = facts.city_of(place)
    owners = {facts.owner(each) for each in facts.parts_of(city)}
    if city != place and owners == {q.value} and facts.declared(place_key(city), "owner") is None:
        yield Marked(on=place_key(city), mark="owner", value=q.value)


CHAPTER = Chapter(
    heading="52.D.2.d",
    facts=FACTS,
    declared={"owner": (remembers_who_held_it, asks_for_its_lines)},
    stands={"owner": (agrees_with_its_hexes,)},
)
