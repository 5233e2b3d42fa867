"""51.B.2/2  Conditions about places: what the map and its owners show of them, without anybody's word for it."""

from functools import lru_cache

from forcepool.engine.facts import fixed, place_key
from forcepool.engine.sentence import Told
from forcepool.engine.state import State
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.mapfacts.positions import camp_of, enemies_of, side_at
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.conditions import EVENTS, FALLS, HELD, LOST, AboutPlaces, about_places

ENEMY = ("enemy", "enemies")
OWN = ("friend", "friendly", "own", "owner")

read = lru_cache(maxsize=1 << 10)(about_places)


def is_event(text: str) -> bool:
    """Whether a condition speaks of a place that changes hands, which stays true once it has happened."""
    about = read(text)
    return about is not None and about.what in EVENTS


def shows(world: EuropaWorld, state: State, text: str, side: str) -> bool | None:
    """What the map shows of a condition now, for a side; None for one it knows nothing of."""
    about = read(text)
    if about is None:
        return None
    places = [_places(world, name) for name in about.places]
    whose = _whose(world, state, about, side)
    if whose is None or not all(places):
        return None
    facts = world.facts(state)
    found = (all(_is_so(world, facts, about, each, whose) for each in names) for names in places)
    return all(found) if about.all_of_them else any(found)


@fixed
def _spots_by_name(world: EuropaWorld) -> dict[str, str]:
    return {each.casefold(): each for each in world.spots}


def _places(world: EuropaWorld, name: str) -> list[str]:
    """The place of that name, else the places of the MD, front or theatre of that name; none if there is neither."""
    if (known := _spots_by_name(world).get(name.casefold())) is not None:
        return [known]
    if world.hex_index(name) is not None:
        return [world.hex_name(name)]
    kind, _, rest = name.partition(" ")
    area = f"{kind.casefold()}/{rest.casefold()}"
    if area not in world.areas:
        return []
    return [each for each, spot in world.spots.items() if spot.area and area in world.line_of(spot.area)]


def _whose(world: EuropaWorld, state: State, about: AboutPlaces, side: str) -> tuple[str, ...] | None:
    """The sides a condition names, with those that fight beside them; None for a word that names nobody."""
    word = about.by.casefold()
    if not word or word in OWN:
        return camp_of(world, side)
    if word in ENEMY:
        return enemies_of(world, side)
    for name in (word, word.removesuffix("s"), {"allies": "allied"}.get(word, "")):
        players = [each for each in world.sequence.players if each.casefold() == name]
        if players:
            return (players[0],)
        try:
            return (world.side_now(state, world.nation_named(name)),)
        except Told:
            continue
    return None


def _is_so(world: EuropaWorld, facts: EuropaFacts, about: AboutPlaces, place: str, whose: tuple[str, ...]) -> bool:
    owner = facts.owner(place)
    # Who stands in one hex of a city that has several does not hold the city yet.
    holder = owner if facts.parts_of(place) else side_at(world, facts, place)
    if about.what == HELD:
        return holder in whose
    if about.what == LOST:
        return bool(holder) and any(holder in enemies_of(world, side) for side in whose)
    taken_from = facts.state.mark(place_key(place), "taken_from")
    before = owner if holder != owner else str(taken_from.value) if taken_from is not None else None
    if before is None or not holder:
        return False
    changed = not before or holder in enemies_of(world, before)
    return changed if about.what == FALLS else changed and holder in whose and before != ""
