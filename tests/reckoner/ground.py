"""Whose ground it is, and which of its own side's charts a unit falls to there (52.F.4.a/1)."""

from collections.abc import Iterator

from forcepool.engine.state import Unit
from tests.reckoner.counters import side
from tests.reckoner.record import NotReckoned, Scenario, Table


def around(scenario: Scenario, hex_name: str) -> list[str]:
    """The areas around a hex, the smallest first."""
    spot = scenario.spots.get(hex_name)
    if spot is None:
        raise NotReckoned("a hex of the map that has no name")
    return list(upward(scenario, spot["area"]))


def upward(scenario: Scenario, area: str) -> Iterator[str]:
    while area:
        yield area
        area = scenario.areas.get(area, {}).get("within", "")


def below(scenario: Scenario, area: str) -> list[str]:
    return [each for each in sorted(scenario.areas) if each != area and area in upward(scenario, each)]


def sides_of(scenario: Scenario, table: Table, area: str) -> set[str]:
    """Whoever controls it; else its country, that of its districts or that around it, and who holds all its cities."""
    declared = table.mark(f"area/{area}", "controlled_by")
    if declared:
        return {str(declared)}
    drawn = {side_drawn(scenario, table, area)} - {""}
    drawn = drawn or {side_drawn(scenario, table, each) for each in below(scenario, area)} - {""}
    drawn = drawn or {side_drawn(scenario, table, each) for each in upward(scenario, area)} - {""}
    if drawn:
        return drawn | holders_of_all_cities(scenario, table, area)
    return {
        str(owner)
        for name, spot in scenario.spots.items()
        if area in upward(scenario, spot["area"]) and (owner := table.mark(f"place/{name}", "owner"))
    }


def side_drawn(scenario: Scenario, table: Table, area: str) -> str:
    """The side an area is drawn for: who is declared to control it, else its country or that country's mother."""
    country = scenario.areas.get(area, {}).get("country", "")
    nation = scenario.mothers.get(country, country)
    drawn = side(scenario, nation) if nation in scenario.nations else ""
    return str(table.mark(f"area/{area}", "controlled_by") or drawn)


def power(scenario: Scenario, area: str) -> str:
    """The nation whose country an area is, or whose colony."""
    around = upward(scenario, area)
    country = next((c for each in around if (c := scenario.areas.get(each, {}).get("country"))), "")
    return str(scenario.mothers.get(country, country))


def at_peace(scenario: Scenario, table: Table, nation: str) -> bool:
    return bool(nation) and table.mark(f"nation/{nation}", "neutral") is True


def is_a_neutrals(scenario: Scenario, table: Table, area: str, nation: str) -> bool:
    """52.F.4.a/1 as ruled: what is a neutral's serves nobody else until it joins the war."""
    return power(scenario, area) != nation and at_peace(scenario, table, power(scenario, area))


def is_lost(scenario: Scenario, table: Table, area: str, own: str) -> bool:
    """52.A.2/1 as ruled: every city of it is another side's, and nobody is said to control it."""
    inside = [f"place/{name}" for name, spot in scenario.spots.items() if area in upward(scenario, spot["area"])]
    owners = {str(table.mark(place, "owner") or "") for place in inside if table.mark(place, "city")}
    return bool(owners) and owners.isdisjoint({"", own}) and not table.mark(f"area/{area}", "controlled_by")


def holders_of_all_cities(scenario: Scenario, table: Table, area: str) -> set[str]:
    """The one side that holds all its cities; where it has none, all its places: the clause names cities only."""
    inside = [f"place/{name}" for name, spot in scenario.spots.items() if area in upward(scenario, spot["area"])]
    cities = [place for place in inside if table.mark(place, "city")]
    owners = {str(table.mark(place, "owner")) for place in cities or inside}
    return owners if len(owners) == 1 else set()


def own_chart(scenario: Scenario, table: Table, unit: Unit) -> str:
    """The box and pool of its own side that a unit on the map falls to: front, else theatre, else nation."""
    return chart_in(scenario, table, around(scenario, unit.place.of), unit.spec.nation)


def chart_in(scenario: Scenario, table: Table, chain: list[str], nation: str, *, by_mds: bool | None = None) -> str:
    """The chart of a nation in an area, given with those around it."""
    own = side(scenario, nation)
    mds = own == "Soviet" if by_mds is None else by_mds
    # 52.A.9.b/2, 52.D.2.d: only the Soviets are run by MDs; anyone may use one that lies in nothing larger.
    for area in chain:
        serves = not area.startswith("md/") or mds or len(chain) == 1
        if serves and own in sides_of(scenario, table, area) and not is_a_neutrals(scenario, table, area, nation):
            return area
    return beside_enemy_ground(scenario, table, nation, chain)


def own_front(scenario: Scenario, table: Table, unit: Unit) -> str:
    """The front of its side around it, else the theatre, where a rule speaks of fronts to everybody (52.G/2)."""
    return chart_in(scenario, table, around(scenario, unit.place.of), unit.spec.nation, by_mds=False)


def district(scenario: Scenario, table: Table, unit: Unit) -> str:
    """The area whose activity counts for a unit: the one it stands in if its side has it, else that of its chart."""
    area = around(scenario, unit.place.of)[0]
    return (
        area
        if side(scenario, unit.spec.nation) in sides_of(scenario, table, area)
        else own_chart(scenario, table, unit)
    )


def beside_enemy_ground(scenario: Scenario, table: Table, nation: str, chain: list[str]) -> str:
    """The own front next to it, else the one front its nation fights in, else the theatre of them all."""
    own = side(scenario, nation)
    fronts = [
        area
        for area in sorted(scenario.areas)
        if area.startswith("front/")
        and own in sides_of(scenario, table, area)
        and not is_a_neutrals(scenario, table, area, nation)
    ]
    near = [
        front
        for area in chain
        for other in beside(scenario, table, area)
        for front in upward(scenario, other)
        if front in fronts
    ]
    fought = fought_in(scenario, table, nation, fronts)
    if near:
        # 52.F.4.a/1 as ruled: of several the one its nation fights in, else the first that is named.
        return next((front for front in near if front in fought), near[0])
    if len(fought) == 1:
        return fought.pop()
    theatres = {str(scenario.areas[front].get("within", "")) for front in fought}
    if len(theatres) == 1:
        return theatres.pop()
    return f"national/{nation}"


def fought_in(scenario: Scenario, table: Table, nation: str, fronts: list[str]) -> set[str]:
    """The fronts its counters stand in; where none stands in any, those in whose pools it has points."""
    own = [each.place for each in table.units.values() if each.spec.nation == nation]
    on_map = {area for place in own if place.of in scenario.spots for area in around(scenario, place.of)}
    holding = {pool for (pool, whose, _), held in table.pools.items() if whose == nation and held}
    pools = {area for pool in holding if pool in scenario.areas for area in upward(scenario, pool)}
    return on_map & set(fronts) or pools & set(fronts)


def beside(scenario: Scenario, table: Table, area: str) -> list[str]:
    """The areas next to one: those it names in their order, the preferred first, then those that name it."""
    named = table.mark(f"area/{area}", "adjacent")
    listed = list(named) if isinstance(named, list) else []
    return listed + [each for each in sorted(scenario.areas) if each not in listed and touch(table, each, area)]


def touch(table: Table, one: str, other: str) -> bool:
    return any(
        isinstance(listed := table.mark(f"area/{here}", "adjacent"), list) and there in listed
        for here, there in ((one, other), (other, one))
    )


def theatre(scenario: Scenario, area: str) -> str:
    return next((each for each in upward(scenario, area) if each.startswith(("theatre/", "command/"))), area)
