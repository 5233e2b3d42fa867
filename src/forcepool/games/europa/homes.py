"""Whose an area is, and which area serves a nation's units in a hex: its front, else its theatre, else the nation.

The district a hex lies in says nothing of the unit that stands there. A German division in a Soviet military district
has its box, its pool and its track at the German front around it; a British brigade in Egypt at the Middle East.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from forcepool.engine.facts import fixed, kept
from forcepool.engine.state import Unit
from forcepool.engine.switches import switch
from forcepool.games.europa.facts import EuropaFacts
from forcepool.rulebook.citations import computed

if TYPE_CHECKING:
    from forcepool.games.europa.world import EuropaWorld

NATIONAL = "national/"
MD, FRONT = "md/", "front/"
CHARTED = ("md", "front", "theatre", "command")
"""The kinds of area that have boxes and a pool of their own."""
SOVIET_UNION = "Soviet Union"

ENEMY_GROUND = switch(
    "enemy-ground",
    "52.F.4.a/1",
    "whose chart serves on enemy ground where no own front lies next to it",
    fighting_front="the one front its nation fights in, else the theatre of them all, else its nation",
    nation="its nation",
)


# ------------------------------------------------------------------------------------------- whose it is


def controller(world: "EuropaWorld", facts: EuropaFacts, area: str) -> str:
    """The side that controls an area, as declared of it or of what it lies within; empty when nobody has said."""
    said = (str(facts.of_area(each, "controlled_by")) for each in world.line_of(area))
    return next((side for side in said if side), "")


@kept
def holders(world: "EuropaWorld", facts: EuropaFacts, area: str) -> tuple[str, ...]:
    """The sides an area belongs to, in order; none where nothing is known of it.

    Who controls it as declared, else the side of its country, or those whose districts it is drawn over, and whoever
    has taken all its cities; else the side of the theatre it lies in, else those who hold its places.
    """
    if said := controller(world, facts, area):
        return (said,)
    if owners := _by_country(world, facts, area):
        return tuple(sorted({*owners, *_taken_by(world, facts, area)}))
    around = next(filter(None, (_by_country(world, facts, each) for each in world.line_of(area)[1:])), set[str]())
    if len(around) == 1:
        return tuple(sorted({*around, *_taken_by(world, facts, area)}))
    held = {side for side in world.sequence.players if area in facts.areas_held(side)}
    return tuple(sorted(held | _charted(world, facts).get(area, set()) if held else around))


def _by_country(world: "EuropaWorld", facts: EuropaFacts, area: str) -> set[str]:
    """The side of an area's country; where it lies in none, the sides of the districts it is drawn over."""
    if power := world.power_of(area):
        # In a civil war the land belongs to whoever holds it.
        return set() if facts.is_at_war_with_itself(power) else {world.side_now(facts.state, power)}
    inside = (each for each in world.areas if each != area and area in world.line_of(each))
    found = {
        controller(world, facts, each) or (world.side_now(facts.state, power) if power else "")
        for each in inside
        for power in [world.power_of(each)]
    }
    return found - {""}


def _taken_by(world: "EuropaWorld", facts: EuropaFacts, area: str) -> set[str]:
    """The side that holds every city of an area; where no place of it is listed, those who keep units there."""
    places = _places_in(world).get(area, [])
    if not places:
        return _charted(world, facts).get(area, set())
    owners = {facts.owner(each) for each in [each for each in places if _is_city(facts, each)] or places}
    return owners - {""} if len(owners) == 1 else set()


@fixed
def _places_in(world: "EuropaWorld") -> Mapping[str, list[str]]:
    """The places that the scenario lists in each area or what lies within it."""
    found: dict[str, list[str]] = {}
    for name, spot in world.spots.items():
        for each in world.line_of(spot.area) if spot.area else ():
            found.setdefault(each, []).append(name)
    return found


def _is_city(facts: EuropaFacts, place: str) -> bool:
    return facts.place_is(place, "city") or facts.of_place(place, "city_size") not in ("", "town")


@kept
def _charted(world: "EuropaWorld", facts: EuropaFacts) -> Mapping[str, set[str]]:
    """The sides that keep points in an area's pool, or units in its boxes."""
    found: dict[str, set[str]] = {}
    for account in facts.state.balances:
        if account.pool in world.areas:
            found.setdefault(account.pool, set()).add(world.side_now(facts.state, account.nation))
    for unit in facts.state.units_off_map():
        if unit.place.of in world.areas:
            found.setdefault(unit.place.of, set()).add(world.side_now(facts.state, unit.spec.nation))
    return found


def is_open_to(world: "EuropaWorld", facts: EuropaFacts, area: str, nation: str) -> bool:
    """Whether a nation may use the boxes, tracks and pool of an area: one of its own side, or of nobody known."""
    held = holders(world, facts, area)
    if is_a_neutrals(world, facts, area, nation) or stays_out_of(world, facts, area, nation):
        return False
    return not held or world.side_now(facts.state, nation) in held


def stays_out_of(world: "EuropaWorld", facts: EuropaFacts, area: str, nation: str) -> bool:
    """Whether an area is another country's to a nation that has no part in the war yet, or no longer has."""
    power = world.power_of(area)
    return power not in ("", nation) and facts.is_neutral(nation) and not controller(world, facts, area)


def is_a_neutrals(world: "EuropaWorld", facts: EuropaFacts, area: str, nation: str) -> bool:
    """Whether an area is another country's that has no part in the war yet, whatever side it will fight on.

    Who has taken all its cities has it nevertheless, neutral or not.
    """
    power, side = world.power_of(area), world.side_now(facts.state, nation)
    if power in ("", nation) or not facts.is_neutral(power) or controller(world, facts, area):
        return False
    return side == world.side_now(facts.state, power) or side not in _taken_by(world, facts, area)


@fixed
def is_home(world: "EuropaWorld", area: str, nation: str) -> bool:
    """Whether an area lies in a nation's own country; a camp of a civil war has the one it fights for."""
    country, known = world.country_of(area), world.profile.nations.get(nation)
    return bool(country) and country in (nation, known.country if known else "")


@fixed
def parts_of(world: "EuropaWorld", area: str) -> tuple[str, ...]:
    """The lands of an area: all that lies in it and itself, but a theatre of no country that its parts make up."""
    within = [each for each in sorted(world.areas) if area in world.line_of(each)]
    divided = {each for inner in within for each in world.line_of(inner)[1:] if not each.startswith((MD, FRONT))}
    placed = {spot.area for spot in world.spots.values()}
    return tuple(each for each in within if each not in divided or world.country_of(each) or each in placed)


@kept
def has_lost_its_cities(world: "EuropaWorld", facts: EuropaFacts, area: str, nation: str) -> bool:
    """Whether an area has cities and every one of them is another side's, unless its control is declared."""
    cities = [each for each in _places_in(world).get(area, []) if _is_city(facts, each)]
    lost = bool(cities) and {facts.owner(each) for each in cities}.isdisjoint({"", world.side_now(facts.state, nation)})
    return lost and not controller(world, facts, area)


def takes_in(world: "EuropaWorld", facts: EuropaFacts, area: str, nation: str) -> bool:
    """Whether a nation may build in an area: its side's own, or abroad where no enemy holds anything of it.

    What lies in a front of its own and is controlled by nobody else counts as occupied, whatever country it is.
    """
    if is_open_to(world, facts, area, nation):
        return True
    side = world.side_now(facts.state, nation)
    owners = {facts.owner(name) for name in _places_in(world).get(area, [])}
    around = world.line_of(area)[1:]
    occupied = not controller(world, facts, area) and owners <= {"", side}
    return occupied and any(is_open_to(world, facts, each, nation) for each in around)


# ---------------------------------------------------------------------------------------- which serves it


@computed("52.D.2.d.i/1")
def is_run_by_mds(world: "EuropaWorld", nation: str) -> bool:
    """Whether a nation keeps boxes and pools by military district: the Soviets, and the contingents of their army."""
    known = world.profile.nations.get(nation)
    return nation == SOVIET_UNION or (known is not None and known.contingent_of == SOVIET_UNION)


@kept
def home_in(world: "EuropaWorld", facts: EuropaFacts, area: str, nation: str) -> str:
    """The area whose box, pool and track serve a nation's units there; the nation itself where no area does."""
    if area not in world.areas:
        return area or NATIONAL + nation
    return next(_open_around(world, facts, area, nation), "") or _abroad(world, facts, area, nation)


@kept
def areas_over(world: "EuropaWorld", facts: EuropaFacts, area: str, nation: str) -> tuple[str, ...]:
    """The MD, front and theatre that serve a nation's units in an area, then those it lies in.

    One home, not every front that could serve them: a front's commander sees what is his.
    """
    own = world.line_of(home_in(world, facts, area, nation))
    return tuple(dict.fromkeys((*own, *world.line_of(area))))


def home_of(world: "EuropaWorld", facts: EuropaFacts, unit: Unit) -> str:
    """The area that serves a unit: by its hex, or by the area whose box or track it lies in."""
    area = world.spot(unit.place.of).area if unit.place.on_map else unit.place.of
    return home_in(world, facts, area, unit.spec.nation)


def track_in(world: "EuropaWorld", facts: EuropaFacts, area: str, nation: str) -> str:
    """The area on whose track a unit waits to come back where it stood: an MD of its own side, else its home."""
    side = world.side_now(facts.state, nation)
    theirs = {controller(world, facts, area)} - {""} or _by_country(world, facts, area)
    own = area.startswith(MD) and area in world.areas and (not theirs or side in theirs)
    return area if own else home_in(world, facts, area, nation)


@computed("52.F.4.a/1")
def front_in(world: "EuropaWorld", facts: EuropaFacts, area: str, nation: str) -> str:
    """The front, else the theatre or command, else the nation that keeps a nation's chart there, MDs left aside."""
    if area not in world.areas:
        return area or NATIONAL + nation
    around = _open_around(world, facts, area, nation, by_mds=False)
    return next(around, "") or _abroad(world, facts, area, nation)


def _open_around(
    world: "EuropaWorld", facts: EuropaFacts, area: str, nation: str, *, by_mds: bool | None = None
) -> Iterator[str]:
    """The areas around one that serve a nation, the nearest first: MDs only those who are run by them."""
    line = world.line_of(area)
    mds = is_run_by_mds(world, nation) if by_mds is None else by_mds
    for each in line:
        # An MD that lies in no front or theatre is a front of its own (52.A/1).
        serves = mds or not each.startswith(MD) or len(line) == 1
        if each in world.areas and serves and is_open_to(world, facts, each, nation):
            yield each


def _abroad(world: "EuropaWorld", facts: EuropaFacts, area: str, nation: str) -> str:
    """On the enemy's ground: the own front next to it, else the one the nation fights in, else its theatre."""
    near = next(_own_before_allied(world, facts, area, nation), "")
    ruled = world.ruling(facts.state, ENEMY_GROUND.key)
    fronts = [near] if near else _fronts_of(world, facts, nation) if ruled == "fighting-front" else []
    if len(fronts) == 1:
        return fronts[0]
    theatres = {world.theatre_of(front) for front in fronts}
    return theatres.pop() if len(theatres) == 1 else NATIONAL + nation


def _own_before_allied(world: "EuropaWorld", facts: EuropaFacts, area: str, nation: str) -> Iterator[str]:
    """The neighbouring fronts, those in which the nation itself fights before those of its allies alone."""
    around, own = list(neighbouring_fronts(world, facts, area, nation)), _fronts_of(world, facts, nation)
    yield from (each for each in around if each in own)
    yield from (each for each in around if each not in own)


def neighbouring_fronts(world: "EuropaWorld", facts: EuropaFacts, area: str, nation: str) -> Iterator[str]:
    """The fronts open to a nation that lie next to an area, or to what it lies within, the preferred first."""
    seen = set()
    for each in world.line_of(area):
        for other in adjacent_to(world, facts, each):
            for around in world.line_of(other):
                if around.startswith(FRONT) and around not in seen and is_open_to(world, facts, around, nation):
                    seen.add(around)
                    yield around


@kept
def adjacent_to(world: "EuropaWorld", facts: EuropaFacts, area: str) -> list[str]:
    """The areas next to one: those declared of it in their order, then those of which it was declared."""
    named = _named_adjacent(facts, area)
    named += [each for each in sorted(world.areas) if each not in named and area in _named_adjacent(facts, each)]
    return [each for each in named if each in world.areas]


def _named_adjacent(facts: EuropaFacts, area: str) -> list[str]:
    """As players call them: by its whole name, or by what only one is called."""
    return [facts.world.pool_named(each) for each in cast(list[str], facts.of_area(area, "adjacent"))]


@kept
def _fronts_of(world: "EuropaWorld", facts: EuropaFacts, nation: str) -> list[str]:
    """The fronts in which a nation has units on the map, else those where it has points; an emptied pool is none."""
    standing = (world.spot(unit.place.of).area for unit in facts.state.units.values() if _is_on_map(unit, nation))
    paying = (account.pool for account, held in facts.state.balances.items() if account.nation == nation and held)
    for areas in (set(standing), set(paying)):
        around = {each for area in areas for each in world.line_of(area) if each.startswith(FRONT)}
        found = [each for each in sorted(around) if each in world.areas and is_open_to(world, facts, each, nation)]
        if found:
            return found
    return []


def _is_on_map(unit: Unit, nation: str) -> bool:
    return unit.place.on_map and unit.spec.nation == nation


@kept
def serving(world: "EuropaWorld", facts: EuropaFacts, area: str, nation: str) -> tuple[str, ...]:
    """The areas whose pools serve a nation's units there: the districts, front and theatre of its own side.

    Where its home is a theatre, since no front of its own is around, the theatre's fronts serve as well: those next to
    the area where that is known, else all of them.
    """
    home = home_in(world, facts, area, nation)
    line = [each for each in world.line_of(area) if each in world.areas and is_open_to(world, facts, each, nation)]
    line += [each for each in world.line_of(home) if each in world.areas and each not in line]
    if home.startswith((NATIONAL, FRONT)) or any(each.startswith(FRONT) for each in line):
        return tuple(line)
    theatre = world.theatre_of(home)
    near = [each for each in neighbouring_fronts(world, facts, area, nation) if world.theatre_of(each) == theatre]
    fronts = [each for each in sorted(world.areas) if each.startswith(FRONT) and theatre in world.line_of(each)]
    return (*line, *(near or [each for each in fronts if is_open_to(world, facts, each, nation)]))
