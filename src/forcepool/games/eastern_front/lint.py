"""What nobody could play in a scenario of this game: points without supply, units that can never come, and the like."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from forcepool.engine.lint import Finding
from forcepool.engine.places import HEX
from forcepool.engine.state import State, Unit
from forcepool.files.yamltext import Document, Path
from forcepool.games.eastern_front.entry import entries_of
from forcepool.games.eastern_front.facts import NO_SUPPLY
from forcepool.games.eastern_front.irreplaceable import POLISH
from forcepool.games.eastern_front.recipes import GUARDS_TANK_ARMY, TANK_ARMY
from forcepool.games.eastern_front.siberian_lines import siberian_edges
from forcepool.games.eastern_front.strategic import capacity_of
from forcepool.games.eastern_front.withdrawal import RUMANIA, WITHDRAWS
from forcepool.games.eastern_front.world import COMING, SOVIET_UNION, EasternWorld, is_factory, on_the_map
from forcepool.games.eastern_front.worth import number_of, symbol_of


def points_of_nobody(world: EasternWorld, state: State, document: Document) -> Iterator[Finding]:
    """Points that lie in no country and under nobody's control: nobody enters, moves through or is supplied there."""
    facts = world.facts(state)
    for point in sorted(world.points):
        if not facts.control(point):
            yield Finding(
                ("points", point),
                f"nobody controls {point}, so that nothing passes it",
                "say its country or its control",
            )


def points_without_a_line(world: EasternWorld, state: State, document: Document) -> Iterator[Finding]:
    """On a map of lines, points that no line joins to anything."""
    for point in sorted(world.points):
        if world.lines and not world.next_to(point):
            yield Finding(("points", point), f"no line leads to {point}", "add the lines that do")


def units_without_supply(world: EasternWorld, state: State, document: Document) -> Iterator[Finding]:
    """Units that stand out of supply, or on the enemy's ground, as the game begins."""
    facts = world.facts(state)
    for unit in state.units_in_order():
        if not on_the_map(unit):
            continue
        path, point = (_section(unit), unit.id), unit.place.of
        if not facts.open_to(unit, point) and facts.control(point):
            yield Finding(path, f"{unit.id} begins on {point}, which {facts.control(point)} controls")
        elif facts.supply(unit) == NO_SUPPLY:
            leader = world.leader(world.side_now(state, unit.spec.nation))
            edges = " or ".join(world.profile.nations[leader].entry.edges)
            text = f"{unit.id} begins out of supply at {point}: no way leads from there to the {edges} edge"
            yield Finding(path, text, "add a line, by land or by sea, or declare its supply")


def units_that_never_come(world: EasternWorld, state: State, document: Document) -> Iterator[Finding]:
    """Reinforcements that no rule lets in, are overdue, or have no point to enter at."""
    for unit in state.units_in_order():
        if unit.place.kind != COMING:
            continue
        path, nation = ("units", unit.id), unit.spec.nation
        if nation == SOVIET_UNION and POLISH not in unit.spec.traits:
            text = f"{unit.id} can never enter: the Soviets have the Siberian Reserves and the 1st Polish Army alone"
            yield Finding(path, text, "let it begin dead, or mark it polish", "EF.reinforcements/19")
        if not any(entries_of(world, state, nation)):
            yield Finding(path, f"{unit.id} has no point or line to enter at", "", "EF.reinforcements/12")
        if POLISH in unit.spec.traits and unit.place.due != world.dates["polish_army"]:
            due = world.turn_name(world.dates["polish_army"])
            yield Finding(path, f"{unit.id} comes in {due}, whatever its own date", "", "EF.reinforcements/22")


def points_nobody_can_use(world: EasternWorld, state: State, document: Document) -> Iterator[Finding]:
    """Symbols, reserves and replacements of a type of which the nation has no counter, or of a turn already past."""
    kinds = {(unit.spec.nation, symbol_of(world, unit)) for unit in state.units.values()}
    lists: list[tuple[Path, str, dict[int, dict[str, Fraction]]]] = [
        (("track",), SOVIET_UNION, world.track),
        (("reserves",), SOVIET_UNION, world.reserves),
        *((("replacements", nation), nation, rows) for nation, rows in sorted(world.replacements.items())),
    ]
    for path, nation, rows in lists:
        for turn, amounts in sorted(rows.items()):
            name = world.turn_name(turn)
            if turn < world.setting.start:
                yield Finding((*path, name), f"{name} is before the game begins, and nothing of it is received")
            for kind in sorted(amounts):
                if (nation, kind) not in kinds:
                    text = f"{nation} has no counter that {kind} points could bring back"
                    yield Finding((*path, name, kind), text, "add the counter, or leave the points out")


def sides_that_cannot_move(world: EasternWorld, state: State, document: Document) -> Iterator[Finding]:
    """Sides without strategic movement, and Siberia without a line onto the map."""
    for side in world.sequence.players:
        if not capacity_of(world, state.clock.turn, side):
            text = f"{side} has no strategic movement as the game begins"
            yield Finding(("capacity",), text, f"capacity: {{{side}: 5}}", "EF.strategic/3")
    edges = siberian_edges(world, state)
    if world.lines and not any(line.edge in edges for line in world.lines.values()):
        text = f"no line leads from the {' or '.join(edges)} edge: nothing ever comes from Siberia"
        yield Finding(("lines",), text, "", "EF.replacements/6")


def composites_nobody_can_make(world: EasternWorld, state: State, document: Document) -> Iterator[Finding]:
    """Composite counters whose recipe asks for counters that there are not."""
    kinds = [world.kind_name(unit.spec) for unit in state.units.values() if unit.spec.nation == SOVIET_UNION]
    for unit in state.units_in_order():
        kind = world.kind_of(unit.spec)
        for wanted in kind.recipe if kind else ():
            if not any(each in kinds for each in wanted):
                text = f"{unit.id} can never be made: there is no {' or '.join(wanted)}"
                yield Finding(("units", unit.id), text, "", kind.recipe_clause if kind else "")


def twins_on_the_map(world: EasternWorld, state: State, document: Document) -> Iterator[Finding]:
    """A tank army and a guards tank army of one number that begin on the map together."""
    armies = [
        (world.kind_name(unit.spec), number_of(unit), unit.id) for unit in state.units_in_order() if on_the_map(unit)
    ]
    for kind, number, name in armies:
        twin = next(
            (each for its, no, each in armies if kind == GUARDS_TANK_ARMY and (its, no) == (TANK_ARMY, number)), ""
        )
        if twin:
            text = f"{name} begins on the map beside {twin}, which carries the same number"
            yield Finding(("units", name), text, "let one of them begin unused", "EF.composite/31")


def withdrawals_nobody_can_make(world: EasternWorld, state: State, document: Document) -> Iterator[Finding]:
    """Units marked for the Rumanian withdrawal that are no Rumanians, or have no home on the map."""
    facts = world.facts(state)
    at_home = any(point.country == RUMANIA for point in world.points.values())
    for unit in state.units_in_order():
        if facts.is_so(unit, WITHDRAWS) and unit.spec.nation != RUMANIA:
            text = f"{unit.id} is marked for the withdrawal, which is for Rumanian units"
            yield Finding(("units", unit.id), text, "", "EF.reinforcements/25")
        elif facts.is_so(unit, WITHDRAWS) and not at_home:
            text = f"{unit.id} can never be withdrawn: no point is in Rumania"
            yield Finding(("units", unit.id), text, "", "EF.reinforcements/27")


def _section(unit: Unit) -> str:
    return "factories" if is_factory(unit) else "units"


def _printed_elsewhere(world: EasternWorld, unit: Unit) -> bool:
    works = world.factory(unit)
    return works is not None and unit.place.kind == HEX and world.point(unit.place.of).country != SOVIET_UNION


def factories_abroad(world: EasternWorld, state: State, document: Document) -> Iterator[Finding]:
    """Factories that begin outside the Soviet Union."""
    for unit in state.units_in_order():
        if _printed_elsewhere(world, unit):
            text = f"{unit.id} begins at {unit.place.of}, which is not in the Soviet Union"
            yield Finding(("factories", unit.id), text, "", "EF.expansion/2")


LINT: tuple[Any, ...] = (
    points_of_nobody,
    points_without_a_line,
    units_without_supply,
    units_that_never_come,
    points_nobody_can_use,
    sides_that_cannot_move,
    composites_nobody_can_make,
    twins_on_the_map,
    withdrawals_nobody_can_make,
    factories_abroad,
)
