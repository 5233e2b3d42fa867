"""Units: on ground that is theirs, within the room there is, with a place to appear in when they come."""

from collections.abc import Iterator

from msgspec.structs import replace

from forcepool.engine.facts import place_key, unit_key
from forcepool.engine.lint import Finding
from forcepool.engine.places import Place
from forcepool.engine.state import Mark, State, Unit, add_unit, index_marks
from forcepool.engine.units import FULL
from forcepool.files.yamltext import Document
from forcepool.games.europa.given import OB
from forcepool.games.europa.lint.mentions import entries, unit_path
from forcepool.games.europa.mapfacts.positions import camp_of
from forcepool.games.europa.reinforcements.appearing import ROOM, candidates
from forcepool.games.europa.reinforcements.entries import ENTRY, home_area, nationality
from forcepool.games.europa.world import REINFORCEMENT_TRACK, EuropaWorld
from forcepool.orderofbattle.model import Entry, Item

APPEARS = ("reinforce", "arrive", "mobilize", "conditional")
NEWCOMER = "a newcomer"


def on_enemy_ground(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Units set up in a hex that the enemy owns."""
    facts = world.facts(state)
    for unit in state.units_in_order():
        owner = facts.owner(unit.place.of) if unit.place.on_map else ""
        side = world.side_now(state, unit.spec.nation)
        if owner and owner not in camp_of(world, side):
            text = f"{unit.id} is {side} and stands at {unit.place.of}, which the {owner} side owns"
            yield Finding(
                unit_path(document, unit.id), text, "set it up elsewhere, or give the place to its side", "51/2"
            )


def over_the_limit(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Places of which it is said that there is less than no room."""
    facts = world.facts(state)
    for name in sorted(world.spots):
        room = facts.value(place_key(name), ROOM)
        if isinstance(room, int) and room < 0:
            text = f"{name} is {-room} units over its stacking limit as the campaign begins"
            yield Finding(("places", name), text, "set units up elsewhere, or mend its room", "51.A.2/1")


def nowhere_to_appear(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Reinforcements for which no hex serves by their entry, or none that their side owns as the campaign begins."""
    known: dict[object, str] = {}
    for entry in entries(world):
        for item in entry.items if entry.verb in APPEARS else ():
            if item.spec is None:
                continue
            like = (
                entry.place,
                entry.section,
                entry.source,
                entry.nation,
                entry.verb,
                entry.force,
                item.spec.type == "HQ",
            )
            if like not in known:
                known[like] = _why_nowhere(world, state, entry, item)
            if known[like]:
                text = f"{entry.verb}: {known[like]}"
                hint = "name a place with a city or an army HQ, or put one there"
                yield Finding((OB,), text, hint, "51.A.5/1", entry.line)


def _why_nowhere(world: EuropaWorld, state: State, entry: Entry, item: Item) -> str:
    assert item.spec is not None
    nation, then = nationality(world, entry, item), state.copy()
    spec = replace(world.sized(item.spec), nation=nation, force=entry.force or item.spec.force)
    unit = Unit(NEWCOMER, spec, Place(REINFORCEMENT_TRACK, home_area(world, state, entry), state.clock.turn), FULL)
    add_unit(then, unit)
    then.marks[unit_key(NEWCOMER)] = {ENTRY: Mark(entry.key, then.clock.player_turn, "")}
    index_marks(then)
    places, facts, side = candidates(world, then, unit), world.facts(then), world.side_now(then, nation)
    if not places:
        return "there is no place where it could appear"
    if not entry.conditions and all(facts.owner(each) not in ("", side) for each in places):
        return f"every place where it could appear is the enemy's as the campaign begins ({', '.join(places[:3])})"
    return ""


LINT = (on_enemy_ground, over_the_limit, nowhere_to_appear)
