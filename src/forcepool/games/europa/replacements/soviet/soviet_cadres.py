"""52.D.2.c.2, 52.D.2.d.iii and 52.D.2.e  Rebuilding Soviet cadres: what they must trace to for each kind of RP."""

from forcepool.engine.command import Question, command_name
from forcepool.engine.sentence import the_place, the_places, the_pool
from forcepool.engine.verdicts import YES, Verdict, Yes, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import NOT_ISOLATED, REGULAR
from forcepool.games.europa.ground.ownership import DOT_OR_MAJOR, cities_of
from forcepool.games.europa.ground.purchase import Purchase
from forcepool.games.europa.ground.sources import traced_to
from forcepool.games.europa.ground.soviet_pools import (
    CITY,
    FACTORY,
    GENERAL,
    GENERAL_POOLS,
    INF,
    MD,
    SOVIET,
    SOVIET_UNION,
    is_contingent,
)
from forcepool.games.europa.question import paying
from forcepool.games.europa.replacements.general.cadre_supply import cadre_is_supplied
from forcepool.games.europa.replacements.general.cadres import Rebuild
from forcepool.games.europa.replacements.soviet.soviet_uses import is_soviet

AT_HQ_OR_CITY = "52.A.9.d/7"


def reaches(q: Purchase, place: str) -> bool:
    """Whether the unit's line leads to a place: one it traces to, its own hex, or any if neither is cut off."""
    said = traced_to(q.facts, q.unit)
    if place == q.facts.city_of(q.unit.place.of) or any(each in said for each in (place, *q.facts.parts_of(place))):
        return True
    return not said and q.facts.isolated(q.unit) == NOT_ISOLATED and not q.facts.is_cut_off(q.side, place)


def is_ours(q: Purchase, place: str) -> bool:
    return q.facts.owner(place) in ("", SOVIET)


def factories(q: Purchase) -> list[str]:
    """The Soviet-owned factories in production."""
    return [place for place in q.facts.places_where("producing", True) if is_ours(q, place)]


def has_factories(q: Purchase) -> bool:
    """Whether the scenario speaks of factories at all; one that does not is not asked about them."""
    return bool(q.world.chart("soviet_factories")) or bool(q.facts.places_where("producing", True))


def takes_machines(q: Purchase) -> bool:
    """Whether the rebuild is paid in Soviet armour or artillery RPs that are not its own pocket's (52.A.9.d/6)."""
    if q.side != SOVIET or q.pays_locally:
        return False
    return any(nation == SOVIET_UNION and kind in GENERAL_POOLS for nation, kind, _ in q.payments)


def place_of(q: Purchase) -> str:
    """The city or factory whose store pays."""
    return q.world.hex_name(q.payer.partition("/")[2])


# ------------------------------------------------------------------------------------ armour and artillery


@rule("52.D.2.c.2/1")
def traces_to_a_factory(q: Purchase) -> Verdict:
    """Armour and artillery RPs reach a cadre only from a factory in production."""
    if not takes_machines(q) or not has_factories(q) or any(reaches(q, place) for place in factories(q)):
        return YES
    if q.payer.startswith(FACTORY) and place_of(q) in factories(q):
        return YES
    return no(f"{q.unit} traces to no factory in production", remedy="open a supply line to one")


@rule("52.D.2.c.2/2")
def general_pool_reaches_it(q: Purchase) -> Verdict:
    """A general pool serves a cadre with a line to an unisolated factory in production."""
    if not takes_machines(q) or q.payer.startswith((FACTORY, CITY)) or not has_factories(q):
        return YES
    if any(not q.facts.is_cut_off(q.side, place) and reaches(q, place) for place in factories(q)):
        return YES
    return no(
        f"{q.unit} traces to no unisolated factory in production",
        remedy="open a line to one, or pay from the isolated factory it traces to",
    )


@rule("52.D.2.c.2/3")
def traces_to_that_factory(q: Purchase) -> Verdict:
    """The store of an isolated factory serves a cadre with a regular line to that very factory."""
    if not q.payer.startswith(FACTORY) or (_is_supplied(q) and reaches(q, place_of(q))):
        return YES
    return no(
        f"{q.unit} has no regular supply line to {the_place(place_of(q))}",
        remedy="open one, or pay from a general pool",
    )


def _is_supplied(q: Purchase) -> bool:
    """A regular line, or what stands for one with a cadre: an army HQ in limited supply, a town or a city."""
    if _has_regular_supply(q):
        return True
    granted = cadre_is_supplied(q)
    return command_name(q.command) == "rebuild-cadre" and isinstance(granted, Yes) and granted.because == AT_HQ_OR_CITY


def _has_regular_supply(q: Purchase) -> bool:
    return q.facts.supply(q.unit) == REGULAR


# ------------------------------------------------------------------------------------------------ infantry


def takes_infantry(q: Purchase) -> bool:
    return is_soviet(q) and INF in q.price.amounts and q.payer.startswith((MD, CITY))


@rule("52.D.2.d.iii/1")
def traces_to_a_city(q: Purchase) -> Verdict:
    """Infantry RPs reach a cadre only from a city."""
    said = traced_to(q.facts, q.unit) if takes_infantry(q) else []
    if not said or any(q.facts.is_settlement(place) for place in (*said, q.unit.place.of)):
        return YES
    return no(f"{q.unit} traces to {the_places(said)}, where there is no city", remedy="open a line to a city")


@rule("52.D.2.d.iii/2")
def md_pool_reaches_it(q: Purchase) -> Verdict:
    """An MD's pool serves a cadre that stands in the MD and has a line to one of its unisolated dot or major cities."""
    if not takes_infantry(q) or not q.payer.startswith(MD):
        return YES
    if q.areas and q.payer not in q.areas:
        return no(
            f"{the_place(q.unit.place.of)} lies in {the_pool(q.areas[0])}, not in {the_pool(q.payer)}",
            remedy=paying(q, q.areas[0]),
        )
    cities = cities_of(q.world, q.facts, q.payer)
    if not cities or any(_serves(q, city) for city in cities):
        return YES
    return no(
        f"{q.unit} has no line to an unisolated dot or major city of {the_pool(q.payer)}",
        remedy="open one, or pay from the store of the isolated city it traces to",
    )


@rule("52.D.2.d.iii/3")
def city_store_reaches_it(q: Purchase) -> Verdict:
    """The store of an isolated city serves a cadre that stands in the city's MD and has a line to it."""
    if not q.payer.startswith(CITY):
        return YES
    city = place_of(q)
    md = q.world.spot(city).area
    if md and md not in q.areas:
        return no(
            f"{the_place(q.unit.place.of)} is not in {the_pool(md)}, where {the_place(city)} lies",
            remedy=paying(q, q.areas[0]) if q.areas else "",
        )
    if reaches(q, city):
        return YES
    return no(f"{q.unit} has no line to {the_place(city)}", remedy=f"open one, or pay from {the_pool(md) or 'its MD'}")


@rule("52.D.2.e/2")
def contingent_traces_to_the_union(q: Purchase) -> Verdict:
    """A contingent's cadre needs a line to an unisolated dot or major city anywhere in the Soviet Union."""
    if q.pays_locally or not is_contingent(q.world, q.state, q.nation) or INF not in q.price.amounts:
        return YES
    cities = cities_in_the_union(q)
    if not cities or any(_serves(q, city) for city in cities):
        return YES
    return no(f"{q.unit} has no line to an unisolated dot or major city of the Soviet Union", remedy="open one")


def cities_in_the_union(q: Purchase) -> list[str]:
    """The dot and major cities of the Soviet Union, whatever their MD."""
    large = (
        (q.facts.city_of(name), spot.area)
        for name, spot in q.world.spots.items()
        if q.facts.of_place(name, "city_size") in DOT_OR_MAJOR
    )
    return sorted({city for city, area in large if q.world.country_of(area) in ("", SOVIET_UNION)})


def _serves(q: Purchase, city: str) -> bool:
    return is_ours(q, city) and not q.facts.is_cut_off(q.side, city) and reaches(q, city)


# ----------------------------------------------------------------------------- what the general rule refuses


def has_a_line_of_its_own_rule(q: Question) -> Verdict | None:
    """The general rule wants a line to a replacement source; these rules say which place is one."""
    if not isinstance(q, Purchase) or q.side != SOVIET:
        return None
    if q.payer.startswith((FACTORY, CITY)):
        clause = "52.D.2.c.2/3" if q.payer.startswith(FACTORY) else "52.D.2.d.iii/3"
        return (
            yes(clause, f"a line to {the_place(place_of(q))}")
            if _has_regular_supply(q) and reaches(q, place_of(q))
            else None
        )
    if not _has_regular_supply(q) or q.facts.isolated(q.unit) != NOT_ISOLATED:
        return None
    if takes_machines(q):
        found = [place for place in factories(q) if not q.facts.is_cut_off(q.side, place) and reaches(q, place)]
        return yes("52.D.2.c.2/1", f"a line to {found[0]}") if found else None
    if is_contingent(q.world, q.state, q.nation):
        found = [city for city in cities_in_the_union(q) if _serves(q, city)]
        return yes("52.D.2.e/2", f"a line to {the_place(found[0])}") if found else None
    found = [city for city in cities_of(q.world, q.facts, q.payer) if _serves(q, city)]
    return yes("52.D.2.d.iii/2", f"a line to {found[0]}") if found else None


def is_served_where_it_stands(q: Question) -> Verdict | None:
    """General pools belong to no area, so that the hex need not lie in one; a store reaches into its pocket."""
    if not isinstance(q, Purchase):
        return None
    if q.payer.startswith(GENERAL) and not _is_cut_off(q):
        return yes("52.D.2.c.2/2", f"{the_pool(q.payer)} belongs to no MD")
    if q.payer.startswith((FACTORY, CITY)) and reaches(q, place_of(q)):
        return yes(
            "52.D.2.c.2/3" if q.payer.startswith(FACTORY) else "52.D.2.d.iii/3", f"a line to {the_place(place_of(q))}"
        )
    return None


def _is_cut_off(q: Purchase) -> bool:
    return q.facts.isolated(q.unit) != NOT_ISOLATED


RULES = (
    traces_to_a_factory,
    general_pool_reaches_it,
    traces_to_that_factory,
    traces_to_a_city,
    md_pool_reaches_it,
    city_store_reaches_it,
    contingent_traces_to_the_union,
)
GENERAL_LINES = ("52.A.9.c/6", "52.A.9.d/6")
GENERAL_AREAS = ("52.A.9.c/7", "52.A.9.d/7", "52.A.1/2")
CHAPTER = Chapter(
    heading="52.D.2.c.2",
    guards={Rebuild: RULES},
    waivers={
        **dict.fromkeys(GENERAL_LINES, (has_a_line_of_its_own_rule,)),
        **dict.fromkeys(GENERAL_AREAS, (is_served_where_it_stands,)),
    },
)
