"""Fronts, MDs and theatres: in a country, within one another, joined by lines, with an HQ where the rules ask."""

from collections.abc import Iterator

from forcepool.engine.lint import Finding
from forcepool.engine.state import State
from forcepool.files.yamltext import Document
from forcepool.games.europa.facts import ACTIVE
from forcepool.games.europa.ground.transport import NAVAL, gates_of
from forcepool.games.europa.lint.mentions import area_path, stated
from forcepool.games.europa.reserves.bonuses import has_hq
from forcepool.games.europa.reserves.depots import owner_of
from forcepool.games.europa.reserves.status import COLONY
from forcepool.games.europa.world import EuropaWorld

LINES = ("overland", "rail_line")
FRONT, MD, THEATRE = "front/", "md/", "theatre/"


def areas_in_no_country(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Places and the areas they lie in, where no country can be told: no home, no reduction, no national reserve."""
    told: set[str] = set()
    for name, spot in sorted(world.spots.items()):
        if world.country_of(spot.area) or spot.area in told:
            continue
        if not spot.area:
            hint = "give it an md or a front"
            yield Finding(("places", name), f"{name} lies in no MD, front or theatre", hint, "52.A.9.a/5")
            continue
        told.add(spot.area)
        text = f"{spot.area} lies in no country, and neither does {name} in it: nobody is at home there"
        hint = "give it a country, or put its places into MDs that have one"
        yield Finding(area_path(document, spot.area), text, hint, "52.A.9.a/5")


def mds_within_nothing(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """MDs that belong to no front and no theatre, and fronts that belong to no theatre."""
    for area, known in sorted(world.areas.items()):
        if area.startswith((MD, FRONT)) and not known.within:
            above = "front or theatre" if area.startswith(MD) else "theatre"
            text = f"{area} belongs to no {above}: what it lacks it can receive from nowhere"
            yield Finding(area_path(document, area), text, f"give it a {above}", "52.A.1/2")


def theatres_without_lines(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Without a map the lines between theatres are what the scenario says, and left out they count as open."""
    theatres = [area for area in sorted(world.areas) if area.startswith(THEATRE)]
    for area in theatres if len(theatres) > 1 and not world.has_map else ():
        missing = [line for line in LINES if stated(document, area_path(document, area), line) is None]
        if missing:
            text = f"{area}: it is not said whether a line joins it to the others ({', '.join(missing)})"
            yield Finding(area_path(document, area), text, f"state {' and '.join(missing)}, yes or no", "52.A.1/4")


def mds_without_neighbours(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """MDs of a country that has several, of which it is not said where one can go from them."""
    mds = [area for area in sorted(world.areas) if area.startswith(MD)]
    named = {each for area in mds for each in _adjacent(world, state, area)}
    for area in mds:
        country = world.country_of(area)
        others = [each for each in mds if each != area and country and world.country_of(each) == country]
        if others and not _adjacent(world, state, area) and area not in named and not _apart(world, state, area):
            text = f"{area} is one of several MDs of {country}, and no area is said to be next to it"
            hint = f"state adjacent, such as adjacent: [{others[0]}]"
            yield Finding(area_path(document, area), text, hint, "52.A.12/2")


def _adjacent(world: EuropaWorld, state: State, area: str) -> list[str]:
    said = world.facts(state).of_area(area, "adjacent")
    return [world.pool_named(each) for each in said] if isinstance(said, list) else []


def _apart(world: EuropaWorld, state: State, area: str) -> bool:
    return world.facts(state).of_area(area, "off_map") is True


def active_without_an_hq(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """An MD without a friendly HQ is semi-active at best."""
    facts = world.facts(state)
    for area in sorted(world.areas):
        country = world.country_of(area)
        if not area.startswith(MD) or facts.of_area(area, "activity") != ACTIVE or country not in world.sides:
            continue
        side = world.side_now(state, country)
        if not has_hq(world, state, area, side):
            said = stated(document, area_path(document, area), "activity")
            text = f"{area} is active{'' if said else ', since it is not said to be less'}, and has no {side} HQ in it"
            hint = "make it semi-active, or set an HQ up there"
            yield Finding(area_path(document, area), text, hint, "49.A.1.b.iv/3")


def depots_of_nobody(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """A depot belongs to the country it lies in, which in a colony is no nation with units: it must be said whose."""
    facts = world.facts(state)
    for name in facts.places_where("depot", True):
        owner = owner_of(world, facts, name)
        if owner not in world.sides:
            where = f"belongs to {owner}, which has no units" if owner else "belongs to no country"
            text = f"the depot at {name} {where}: nobody can use it"
            yield Finding(("places", name), text, "say whose it is, such as depot_of: Italian", "49.A.1.a.list2.i/3")


SHARED = ("mediterranean", "middle_east", COLONY)
"""What holds of a whole country where it holds of a part."""


def said_of_a_part(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """MDs and fronts of one country in one theatre, of which the same is said of some and not of others."""
    facts = world.facts(state)
    areas = [area for area in sorted(world.areas) if area.startswith((MD, FRONT)) and world.country_of(area)]
    for fact in SHARED:
        holds = {area for area in areas if any(facts.of_area(each, fact) is True for each in world.line_of(area))}
        where = {(world.country_of(area), world.theatre_of(area)): area for area in sorted(holds, reverse=True)}
        for area in areas:
            like = where.get((world.country_of(area), world.theatre_of(area)))
            if like and area not in holds and stated(document, area_path(document, area), fact) is None:
                text = f"{fact} is said of {like} and not of {area}, which lies in {world.country_of(area)} as well"
                yield Finding(area_path(document, area), text, f"state {fact} of it, yes or no", CLAUSES[fact])


CLAUSES = {"mediterranean": "49.B.2/1", "middle_east": "49.B.2/3", COLONY: "49/3"}


def cut_off_by_the_sea(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Theatres without a line over land are reached by sea: through a port, with naval capacity of their side."""
    facts, capacities = world.facts(state), dict(world.chart("capacities") or {})
    for area in sorted(world.areas):
        if not area.startswith(THEATRE) or facts.of_area(area, "overland") is not False:
            continue
        ports = gates_of(world, facts, area, "port")
        if not ports:
            text = f"no line over land leads to {area}, and there is no port in it: nothing can ever get there"
            yield Finding(area_path(document, area), text, "list a port in it, or state overland: yes", "52.A.1/5")
        for side in sorted({facts.owner(each) for each in ports} & set(capacities)):
            if not capacities[side].get(NAVAL):
                text = f"{area} is reached by sea alone, and the {side} side has no naval capacity"
                yield Finding(("charts", "capacities"), text, f"give {side} a naval capacity", "52.A.1/5")


LINT = (
    areas_in_no_country,
    mds_within_nothing,
    theatres_without_lines,
    mds_without_neighbours,
    active_without_an_hq,
    depots_of_nobody,
    said_of_a_part,
    cut_off_by_the_sea,
)
