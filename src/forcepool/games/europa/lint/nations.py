"""Nations: points they can spend, a source to draw them from, allowances for units they have."""

from collections.abc import Iterator

from msgspec.structs import replace

from forcepool.engine.lint import Finding
from forcepool.engine.state import State
from forcepool.engine.units import UnitSpec
from forcepool.files.yamltext import Document, Path
from forcepool.games.europa.given import OB
from forcepool.games.europa.ground import sources
from forcepool.games.europa.lint.mentions import entries, unit_path
from forcepool.games.europa.reinforcements.entries import nationality
from forcepool.games.europa.replacements.limited.limited_types import LIMITED, keeper_of, listed_types
from forcepool.games.europa.reserves.mediterranean import DIVISION, KEPT_HERE
from forcepool.games.europa.world import EuropaWorld

ITALY = "Italy"
RECEIPTS: Path = ("charts", "receipts")


def counters_of(world: EuropaWorld, state: State, nation: str) -> Iterator[UnitSpec]:
    """The counters a nation has or will have: set up, in the mix, or to come by the order of battle."""
    yield from (unit.spec for unit in state.units.values() if unit.spec.nation == nation)
    for entry in entries(world):
        for item in (*entry.items, *entry.results):
            if item.spec and nationality(world, entry, item) == nation:
                yield replace(item.spec, nation=nation)


def points_for_nobody(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Receipts of nations that have no unit, now or to come, and so nothing to spend them on."""
    for row in range(len(_rows(document))):
        said = document.value((*RECEIPTS, row, "nation"))
        nation = world.nation_named(str(said))
        if next(counters_of(world, state, nation), None) is None:
            text = f"{nation} receives points, and has no unit, now or to come, to spend them on"
            yield Finding((*RECEIPTS, row), text, "take the line out, or bring its units in", "52/2")


def _rows(document: Document) -> list[object]:
    rows = document.value(RECEIPTS)
    return list(rows) if isinstance(rows, list) else []


def points_on_enemy_ground(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Points of a nation in the pool of an area that is all the enemy's."""
    pools = document.value(("pools",))
    for pool, held in pools.items() if isinstance(pools, dict) else ():
        area = world.pool_named(pool)
        for name in held if isinstance(held, dict) else ():
            nation = world.nation_named(name)
            if not world.could_serve(state, area, nation):
                text = f"{nation} has points in {area}, where all that is known is the enemy's"
                yield Finding(("pools", pool, name), text, "put them into an area of its own side", "52.A.1/2")


def nations_without_a_source(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Nations that receive points, of which the scenario lists no place their units could trace to."""
    facts, told = world.facts(state), set[str]()
    for row in range(len(_rows(document))):
        nation = world.nation_named(str(document.value((*RECEIPTS, row, "nation"))))
        if nation in told or sources.listed(world, facts, nation):
            continue
        told.add(nation)
        spec = next(counters_of(world, state, nation), None)
        if spec is None:
            continue
        wanted = sources.describe(world, facts, replace(spec, force=""))
        text = f"{nation} draws its replacements from {wanted}, and the scenario lists none"
        yield Finding((*RECEIPTS, row), text, f"list {wanted} among the places", _clause(world, state, nation))


def _clause(world: EuropaWorld, state: State, nation: str) -> str:
    facts = world.facts(state)
    return sources.line_for(world, facts, sources.power_behind(world, state, nation)).clause


def allowances_for_nothing(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Allowances of limited REs for types of which a minor nation has no counter, such as V-weapons for Slovakia."""
    minor = {name for name, nation in world.profile.nations.items() if not nation.major}
    for account in sorted(each for each in state.balances if each.pool == LIMITED and each.nation in minor):
        mine = [nation for nation in world.sides if keeper_of(world, state, nation) == account.nation]
        fits = any(
            type_.category == account.kind
            for nation in mine
            for spec in counters_of(world, state, nation)
            for type_ in listed_types(world, state, spec)
        )
        if not fits and state.balances[account]:
            text = f"{account.nation} has an allowance of {account.kind} REs, and no unit of that kind, now or to come"
            path: Path = ("pools",) if document.value(("pools", LIMITED)) is not None else (OB,)
            yield Finding(path, text, "take the allowance out, or bring such a unit in", "52.A.10/2")


def powers_without_a_home(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Major powers with units on the map and no MD of their own country: nothing comes back from strategic reserve."""
    homes = {world.country_of(area) for area in world.areas if area.startswith("md/")}
    for name, nation in sorted(world.profile.nations.items()):
        on_map = [unit for unit in state.units_in_order() if unit.spec.nation == name and unit.place.on_map]
        if nation.major and on_map and name not in homes:
            text = f"{name} has units, and no MD lies in it: none goes into strategic reserve or comes back from there"
            path = unit_path(document, on_map[0].id)
            yield Finding(path, text, f"list an MD with country: {name}", "49.B.1.1/1")


def reserve_that_cannot_be_filled(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Once the Italians are in Egypt Britain keeps a reserve in the Delta: some REs, and divisional HQs."""
    facts = world.facts(state)
    kept_in = facts.places_where(KEPT_HERE, True)
    if not kept_in or ITALY not in {unit.spec.nation for unit in state.units.values()}:
        return
    needed = int(world.numbers["mediterranean_hqs"])
    counters = [spec for nation in world.chart("commonwealth") for spec in counters_of(world, state, nation)]
    hqs = sum(1 for spec in counters if world.has_role(spec, "hq") and spec.size == DIVISION)
    if hqs < needed:
        text = f"the Mediterranean reserve must hold {needed} divisional HQs, and the Commonwealth has {hqs}"
        yield Finding(("places", kept_in[0]), text, "set HQs of size XX up in the Delta or Palestine", "49.B.2/7")


LINT = (
    powers_without_a_home,
    reserve_that_cannot_be_filled,
    points_for_nobody,
    points_on_enemy_ground,
    nations_without_a_source,
    allowances_for_nothing,
)
