"""EF.composite/8 to /34 and /40: what each kind of composite unit is made of, from when, and under which number."""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

from forcepool.engine.agenda import NEWS, Item
from forcepool.engine.command import BadCommand, lazy
from forcepool.engine.places import HEX, Place
from forcepool.engine.sentence import the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.engine.world import find_unit
from forcepool.games.eastern_front.chapter import REPLACEMENT_PHASE, Order, Remedy, instead, wait_for
from forcepool.games.eastern_front.profile import Kind
from forcepool.games.eastern_front.world import (
    DEAD,
    SIBERIA,
    SOVIET,
    SOVIET_UNION,
    UNUSED,
    EasternWorld,
    is_factory,
    on_the_map,
)
from forcepool.games.eastern_front.worth import number_of

TANK_ARMY, GUARDS_TANK_ARMY, PARACHUTE_CORPS = "tank army", "guards tank army", "parachute corps"
INFANTRY_ARMY = "infantry army"
TWINS = {TANK_ARMY: GUARDS_TANK_ARMY, GUARDS_TANK_ARMY: TANK_ARMY}

FEDORENKO = switch(
    "tank-armies",
    "EF.composite/20",
    "when tank armies may first be made",
    june_1942="in June 1942",
    july_1942="in July 1942",
)
GUARDS_FROM = switch(
    "guards-tank-recipe",
    "EF.composite/29",
    "which infantry army goes into a guards tank army",
    regular="a regular one",
    any="any, shock and guards armies included",
)
NUMBERS = switch(
    "tank-army-numbers",
    "EF.composite/31",
    "the number of a guards tank army",
    any_free="any that no regular tank army uses; Siberia counts as the map",
    keeps="that of the tank army it is made from",
    siberia_apart="any that none uses on the map; Siberia does not count",
)
PARACHUTE_RECIPE = switch(
    "parachute-recipe",
    "EF.composite/34",
    "which army becomes a parachute corps",
    regular="a regular infantry army",
    any="any infantry army",
)
PARACHUTES = switch(
    "parachutes",
    "EF.composite/40",
    "whether the optional Soviet parachute rule is in play",
    off="it is not",
    on="it is",
)


class Forming(Order):
    """A composite unit and the units it is to be made of."""

    command: Any

    @lazy
    def components(self) -> tuple[Unit, ...]:
        found = tuple(find_unit(self.state, name) for name in self.command.components)
        if len({unit.id for unit in found}) < len(found) or not found:
            raise BadCommand("name each component once, and at least one")
        return found

    @lazy
    def kind(self) -> Kind | None:
        return self.world.kind_of(self.unit.spec)

    @lazy
    def kind_name(self) -> str:
        return self.world.kind_name(self.unit.spec)

    @lazy
    def where(self) -> Place:
        return self.components[0].place


@rule("EF.composite/2")
def is_no_breaking_down(q: Forming) -> Verdict:
    """A composite unit is never broken down; to combine it further is allowed."""
    whole = [unit.id for unit in q.components if (kind := q.world.kind_of(unit.spec)) and kind.composite]
    if whole and not (q.kind and q.kind.composite):
        return no(f"{the_unit(whole[0])} is a composite unit and cannot be broken down into {q.unit}")
    return YES


@rule(
    "EF.composite/8",
    "EF.composite/9",
    "EF.composite/14",
    "EF.composite/21",
    "EF.composite/25",
    "EF.composite/29",
    "EF.composite/34",
)
def follows_a_recipe(q: Forming) -> Verdict:
    """There are six kinds of composite unit, each with its recipe."""
    if q.kind is None or not q.kind.composite:
        return no(f"{q.unit} is none of the six kinds of composite unit")
    recipe = recipe_of(q.world, q.state, q.kind_name)
    kinds = [q.world.kind_name(unit.spec) for unit in q.components]
    if _fits(kinds, recipe):
        return yes(q.kind.recipe_clause)
    needed = " and ".join(" or ".join(_article(each) for each in wanted) for wanted in recipe)
    given = ", ".join(kind or "something else" for kind in kinds)
    return no(
        f"a {q.kind_name} is made of {needed}, not of {given}",
        clause=q.kind.recipe_clause,
    )


def recipe_of(world: EasternWorld, state: State, name: str) -> tuple[tuple[str, ...], ...]:
    """The recipe of a kind, widened where the group plays it so."""
    recipe = world.profile.kinds[name].recipe
    wide = {GUARDS_TANK_ARMY: GUARDS_FROM, PARACHUTE_CORPS: PARACHUTE_RECIPE}.get(name)
    if wide is None or world.ruling(state, wide.key) != "any":
        return recipe
    armies = tuple(each for each, kind in world.profile.kinds.items() if kind.infantry and "XXXX" in kind.sizes)
    return tuple(armies if wanted == (INFANTRY_ARMY,) else wanted for wanted in recipe)


def _fits(kinds: list[str], recipe: tuple[tuple[str, ...], ...]) -> bool:
    """Whether units of these kinds, in any order, make up a recipe."""
    if len(kinds) != len(recipe):
        return False
    orders = permutations(kinds)
    return any(all(kind in wanted for kind, wanted in zip(order, recipe, strict=True)) for order in orders)


def _article(kind: str) -> str:
    if kind in ("artillery", "rockets"):
        return kind
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


@rule("EF.composite/20", "EF.composite/24", "EF.composite/30")
def its_date_has_come(q: Forming) -> Verdict:
    """Tank armies, guards infantry armies and guards tank armies may be made only from their dates on."""
    if q.kind is None or not q.kind.from_:
        return YES
    date, first = q.world.profile.dates[q.kind.from_], first_turn_of(q.world, q.state, q.kind_name)
    if q.turn >= first:
        return yes(date.clause)
    says = f"a {q.kind_name} may be made from {q.world.turn_name(first)} on"
    return no(says, clause=date.clause, **wait_for(q.world, first, SOVIET))


def first_turn_of(world: EasternWorld, state: State, name: str) -> int:
    """The turn from which a kind may be made, as the group reads it; 0 for one without a date."""
    kind = world.profile.kinds[name]
    later = name == TANK_ARMY and world.ruling(state, FEDORENKO.key) == "july-1942"
    return int(world.dates[kind.from_]) + (1 if later else 0) if kind.from_ else 0


def new_kinds(world: EasternWorld, state: State) -> Iterator[Item]:
    """The kinds that may be made for the first time, in the turn their date comes."""
    if world.phasing(state) != SOVIET or world.phase(state) != REPLACEMENT_PHASE:
        return
    for name, kind in world.profile.kinds.items():
        if kind.from_ and first_turn_of(world, state, name) == state.clock.turn:
            clause = world.profile.dates[kind.from_].clause
            yield Item(NEWS, f"from this turn on {_article(name)} may be made", clause, SOVIET)


@rule("EF.composite/31")
def number_is_free(q: Forming) -> Verdict:
    """A tank army and a guards tank army never carry the same number at the same time."""
    if q.kind_name not in TWINS or (q.switch(NUMBERS.key) == "siberia-apart" and q.where.kind == SIBERIA):
        return YES
    used_up = {unit.id for unit in q.components}
    taken = [unit.id for unit in _twins(q, q.switch(NUMBERS.key) != "siberia-apart") if unit.id not in used_up]
    if taken:
        return no(f"{the_unit(taken[0])} carries the number {number_of(q.unit)}", **_another_counter(q))
    keeps = q.switch(NUMBERS.key) == "keeps" and q.kind_name == GUARDS_TANK_ARMY
    armies = [number_of(unit) for unit in q.components if q.world.kind_name(unit.spec) == TANK_ARMY]
    if keeps and armies and number_of(q.unit) != armies[0]:
        return no(f"it keeps the number {armies[0]} of the tank army", **_counter_of(q, armies[0]))
    return YES


def _twins(q: Order, siberia_counts: bool) -> Iterator[Unit]:
    """The armies of the other kind that carry the same number, on the map and, if it counts, in Siberia."""
    twin = TWINS.get(q.world.kind_name(q.unit.spec))
    for unit in q.state.units_in_order():
        in_use = on_the_map(unit) or (siberia_counts and unit.place.kind == SIBERIA)
        if in_use and twin == q.world.kind_name(unit.spec) and number_of(unit) == number_of(q.unit):
            yield unit


@rule("EF.composite/31")
def meets_no_twin_on_the_map(q: Order) -> Verdict:
    """An army made in Siberia does not come onto the map while another carries its number there."""
    for twin in _twins(q, siberia_counts=False):
        return no(f"{twin} carries the number {number_of(q.unit)}", remedy="hold it until that one has left the map")
    return YES


def _counter_of(q: Forming, number: str) -> Remedy:
    """The free counter of the same kind with a number, if there is one."""
    others = free_counters(q.world, q.state).get(q.kind_name, [])
    found = next((unit.id for unit in others if number_of(unit) == number), "")
    return instead(q, f"take {the_unit(found)}", unit=found) if found else {}


def _another_counter(q: Forming) -> Remedy:
    """A free counter of the same kind whose number nobody carries, if there is one."""
    in_use = {
        number_of(unit)
        for unit in q.state.units.values()
        if unit.place.kind in (HEX, SIBERIA) and q.world.kind_name(unit.spec) == TWINS[q.kind_name]
    }
    others = free_counters(q.world, q.state).get(q.kind_name, [])
    free = [unit.id for unit in others if number_of(unit) not in in_use] if q.switch(NUMBERS.key) != "keeps" else []
    return instead(q, f"take {the_unit(free[0])}", unit=free[0]) if free else {}


@rule("EF.composite/40")
def parachutes_are_in_play(q: Forming) -> Verdict:
    """Parachute units are made only with the optional rule."""
    if q.kind is not None and q.kind.optional and q.switch(PARACHUTES.key) == "off":
        return no("the optional Soviet parachute rule is not in play", remedy="agree on it: house-rule parachutes on")
    return YES


def stacks(state: State) -> Iterator[list[Unit]]:
    """The Soviet units on each point, and those in Siberia."""
    by_place: dict[Place, list[Unit]] = {}
    for unit in state.units_in_order():
        if unit.spec.nation == SOVIET_UNION and unit.place.kind in (HEX, SIBERIA) and not is_factory(unit):
            by_place.setdefault(unit.place, []).append(unit)
    for place in sorted(by_place):
        yield by_place[place]


def combinations_for(
    world: EasternWorld, stack: list[Unit], recipe: tuple[tuple[str, ...], ...]
) -> Iterator[tuple[Unit, ...]]:
    """Every choice of units from a stack that makes up a recipe."""
    useful = [unit for unit in stack if any(world.kind_name(unit.spec) in wanted for wanted in recipe)]
    for chosen in combinations(useful, len(recipe)):
        if _fits([world.kind_name(unit.spec) for unit in chosen], recipe):
            yield chosen


def free_counters(world: EasternWorld, state: State) -> dict[str, list[Unit]]:
    """By kind the composite counters that are not in play."""
    found: dict[str, list[Unit]] = {}
    for unit in state.units_in_order():
        kind = world.kind_of(unit.spec)
        if kind and kind.composite and unit.place.kind in (UNUSED, DEAD) and unit.spec.nation == SOVIET_UNION:
            found.setdefault(world.kind_name(unit.spec), []).append(unit)
    return found
