"""EF.composite: the six kinds of composite unit, and how they are made."""

from collections.abc import Iterator
from itertools import combinations, permutations

from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import WORDS, YES_NO, Fact, unit_key
from forcepool.engine.places import HEX, OUT_OF_PLAY, Place
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.engine.world import Habit, find_unit
from forcepool.games.eastern_front.chapter import REPLACEMENT_PHASE, Chapter, Order, only_in
from forcepool.games.eastern_front.facts import DISPERSED, HELD_SINCE, NO_SUPPLY, SUPPLY
from forcepool.games.eastern_front.irreplaceable import COMPOSITE, FINAL, LOST_BY, is_irreplaceable
from forcepool.games.eastern_front.losses import COMPONENTS
from forcepool.games.eastern_front.profile import Kind
from forcepool.games.eastern_front.siberia import siberian_edges
from forcepool.games.eastern_front.world import (
    ASIDE,
    DEAD,
    DEAD_PILE,
    SIBERIA,
    SOVIET,
    SOVIET_UNION,
    UNUSED,
    EasternWorld,
    is_factory,
    on_the_map,
)
from forcepool.rulebook.citations import meets_one_of

FORTIFIED = "fortified"
TANK_ARMY, GUARDS_TANK_ARMY, PARACHUTE_CORPS = "tank army", "guards tank army", "parachute corps"
INFANTRY_ARMY = "infantry army"

GOES_TO = switch(
    "components",
    "EF.composite/1",
    "where the components of a composite unit go",
    dead_pile="to the dead pile, from which replacements may bring them back",
    out_of_play="out of the game",
    set_aside="they are set aside until the composite unit is eliminated",
)
SIBERIAN_SUPPLY = switch(
    "siberian-supply",
    "EF.composite/5",
    "whether units in Siberia are in supply",
    always="always",
    open_line="only while a line from the eastern edge is open",
)
NEW_DISPERSED = switch(
    "new-composites",
    "EF.composite/7",
    "whether every composite unit is dispersed when it is made",
    all_kinds="all six kinds are, in Siberia too",
    not_parachutes="all but the parachute corps, which is converted in place",
)
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

    command: "Form"

    @lazy
    def components(self) -> tuple[Unit, ...]:
        try:
            found = tuple(find_unit(self.state, name) for name in self.command.components)
        except ValueError as error:
            raise BadCommand(str(error)) from None
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


# ----------------------------------------------------------------------------------------------- what it takes


@rule("EF.composite/1")
def counter_is_free(q: Forming) -> Verdict:
    """The composite takes an unused counter of its kind."""
    if q.unit.spec.nation == SOVIET_UNION and q.unit.place.kind in (UNUSED, DEAD) and not is_factory(q.unit):
        return YES
    return no(f"{q.unit.id} is no unused Soviet counter", remedy="name a counter that is not in play")


@rule("EF.composite/1")
def components_are_soviet(q: Forming) -> Verdict:
    """Composite units are made of Soviet units."""
    others = [unit.id for unit in q.components if unit.spec.nation != SOVIET_UNION or is_factory(unit)]
    return no(f"{others[0]} is no Soviet unit", remedy="name Soviet units", units=tuple(others)) if others else YES


@rule("EF.composite/2")
def is_no_breaking_down(q: Forming) -> Verdict:
    """A composite unit is never broken down; to combine it further is allowed."""
    whole = [unit.id for unit in q.components if (kind := q.world.kind_of(unit.spec)) and kind.composite]
    if whole and not (q.kind and q.kind.composite):
        return no(f"{whole[0]} is a composite unit and cannot be broken down into {q.unit.id}", remedy="leave it whole")
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
        return no(f"{q.unit.id} is none of the six kinds of composite unit", remedy="name a composite counter")
    recipe = recipe_of(q)
    kinds = [q.world.kind_name(unit.spec) for unit in q.components]
    if any(all(kind in wanted for kind, wanted in zip(order, recipe, strict=True)) for order in _orders(kinds, recipe)):
        return yes(q.kind.recipe_clause)
    needed = " and ".join(" or ".join(f"{_article(each)}" for each in wanted) for wanted in recipe)
    given = ", ".join(kind or "something else" for kind in kinds)
    return no(
        f"a {q.kind_name} is made of {needed}, not of {given}",
        remedy="choose other components",
        clause=q.kind.recipe_clause,
    )


def recipe_of(q: Forming) -> tuple[tuple[str, ...], ...]:
    """The recipe of a kind, widened where the group plays it so."""
    assert q.kind is not None
    wide = (q.kind_name == GUARDS_TANK_ARMY and q.switch(GUARDS_FROM.key) == "any") or (
        q.kind_name == PARACHUTE_CORPS and q.switch(PARACHUTE_RECIPE.key) == "any"
    )
    if not wide:
        return q.kind.recipe
    armies = tuple(name for name, kind in q.world.profile.kinds.items() if kind.infantry and "XXXX" in kind.sizes)
    return tuple(armies if wanted == (INFANTRY_ARMY,) else wanted for wanted in q.kind.recipe)


def _orders(kinds: list[str], recipe: tuple[tuple[str, ...], ...]) -> Iterator[tuple[str, ...]]:
    return permutations(kinds) if len(kinds) == len(recipe) else iter(())


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


@rule("EF.composite/3")
def components_are_together(q: Forming) -> Verdict:
    """All components are on one point, or all in Siberia."""
    places = {unit.place for unit in q.components}
    if len(places) == 1 and q.where.kind in (HEX, SIBERIA):
        return YES
    shown = " and ".join(sorted(q.world.show_place(place) for place in places))
    return no(f"the components are at {shown}", remedy="bring them together on one point, or all in Siberia")


@rule("EF.composite/4")
def components_are_undispersed(q: Forming) -> Verdict:
    """No component is dispersed."""
    dispersed = [unit.id for unit in q.components if q.facts.dispersed(unit)]
    if dispersed:
        return no(f"{dispersed[0]} is dispersed", remedy="wait until it has recovered", units=tuple(dispersed))
    return YES


@rule("EF.composite/5")
def components_are_in_supply(q: Forming) -> Verdict:
    """Every component is in supply; Siberia is taken to be."""
    cut_off = [unit.id for unit in q.components if not _in_supply(q, unit)]
    if cut_off:
        return no(f"{cut_off[0]} is out of supply", remedy="bring it into supply", units=tuple(cut_off))
    return YES


def _in_supply(q: Forming, unit: Unit) -> bool:
    if unit.place.kind == SIBERIA and q.switch(SIBERIAN_SUPPLY.key) == "open-line":
        edges = siberian_edges(q.world, q.state)
        return any(line.edge in edges and q.facts.line_open(SOVIET, name) for name, line in q.world.lines.items())
    if unit.place.kind not in (HEX, SIBERIA):
        return q.facts.declared(unit_key(unit.id), SUPPLY) not in (None, NO_SUPPLY)
    return q.facts.supply(unit) != NO_SUPPLY


@rule("EF.composite/20", "EF.composite/24", "EF.composite/30")
def its_date_has_come(q: Forming) -> Verdict:
    """Tank armies, guards infantry armies and guards tank armies may be made only from their dates on."""
    if q.kind is None or not q.kind.from_:
        return YES
    date = q.world.profile.dates[q.kind.from_]
    first = int(q.world.dates[q.kind.from_])
    if q.kind_name == TANK_ARMY and q.switch(FEDORENKO.key) == "july-1942":
        first += 1
    if q.turn >= first:
        return yes(date.clause)
    return no(f"a {q.kind_name} may be made from {q.world.turn_name(first)} on", remedy="wait", clause=date.clause)


@rule("EF.composite/31")
def number_is_free(q: Forming) -> Verdict:
    """A tank army and a guards tank army never carry the same number at the same time."""
    twin = {TANK_ARMY: GUARDS_TANK_ARMY, GUARDS_TANK_ARMY: TANK_ARMY}.get(q.kind_name)
    if twin is None:
        return YES
    used_up = {unit.id for unit in q.components}
    taken = [
        unit.id
        for unit in _in_use(q)
        if q.world.kind_name(unit.spec) == twin and number_of(unit) == number_of(q.unit) and unit.id not in used_up
    ]
    if taken:
        return no(f"{taken[0]} carries the number {number_of(q.unit)}", remedy="take a counter with another number")
    keeps = q.switch(NUMBERS.key) == "keeps" and q.kind_name == GUARDS_TANK_ARMY
    armies = [number_of(unit) for unit in q.components if q.world.kind_name(unit.spec) == TANK_ARMY]
    if keeps and armies and number_of(q.unit) != armies[0]:
        return no(f"it keeps the number {armies[0]} of the tank army", remedy="take the counter of that number")
    return YES


def _in_use(q: Forming) -> Iterator[Unit]:
    siberia_counts = q.switch(NUMBERS.key) != "siberia-apart"
    for unit in q.state.units_in_order():
        if on_the_map(unit) or (siberia_counts and unit.place.kind == SIBERIA):
            yield unit


def number_of(unit: Unit) -> str:
    """The number of an army: the first word of its name."""
    return unit.spec.designation or unit.id.partition(" ")[0]


@rule("EF.composite/37")
def is_converted_in_place(q: Forming) -> Verdict:
    """A parachute corps is converted where its army stands, undispersed and in supply."""
    if q.kind_name != PARACHUTE_CORPS:
        return YES
    army = q.components[0]
    if q.facts.dispersed(army) or not _in_supply(q, army):
        return no(f"{army.id} is dispersed or out of supply", remedy="convert an army that is neither")
    return YES


@rule("EF.composite/40")
def parachutes_are_in_play(q: Forming) -> Verdict:
    """Parachute units are made only with the optional rule."""
    if q.kind is not None and q.kind.optional and q.switch(PARACHUTES.key) == "off":
        return no("the optional Soviet parachute rule is not in play", remedy="agree on it: house-rule parachutes on")
    return YES


@rule("EF.replacements/17")
def components_can_be_spared(q: Forming) -> Verdict:
    """The irreplaceable units make no composite units."""
    if q.switch(FINAL.key) != "any-removal":
        return YES
    for unit in q.components:
        name = is_irreplaceable(unit.spec.traits)
        if name:
            return no(f"{unit.id} is of {name}, which is irreplaceable", remedy="choose another component")
    return YES


# ------------------------------------------------------------------------------------------------- making it


class Form(Command, tag="form", frozen=True):
    """Combine or convert Soviet units into a composite unit, which is dispersed at first."""

    unit: str
    """The composite counter that takes their place."""
    components: list[str]
    """The units it is made of."""

    question = Forming
    needs = (counter_is_free,)
    requires = (
        only_in(REPLACEMENT_PHASE, "EF.composite/6"),
        components_are_soviet,
        is_no_breaking_down,
        follows_a_recipe,
        components_are_together,
        components_are_undispersed,
        components_are_in_supply,
        its_date_has_come,
        number_is_free,
        is_converted_in_place,
        parachutes_are_in_play,
        components_can_be_spared,
    )

    def effects(self, q: Forming) -> Iterator[Event]:
        unit, on, where = q.unit, unit_key(q.unit.id), q.where
        to = {"out-of-play": OUT_OF_PLAY, "set-aside": Place(ASIDE)}.get(q.switch(GOES_TO.key), DEAD_PILE)
        for component in q.components:
            yield Moved(unit=component.id, frm=component.place, to=to, because="EF.composite/1")
            yield Marked(on=unit_key(component.id), mark=LOST_BY, value=COMPOSITE, because="EF.composite/1")
        clause = q.kind.recipe_clause if q.kind else ""
        yield Moved(unit=unit.id, frm=unit.place, to=where, because=f"EF.composite/1 {clause}".strip())
        if where.kind == SIBERIA:
            yield Marked(on=on, mark=HELD_SINCE, value=q.turn, because="EF.composite/3")
        if to.kind == ASIDE:
            names = [component.id for component in q.components]
            yield Marked(on=on, mark=COMPONENTS, value=names, because="EF.composite/1")
        yield from _new_and_dispersed(q)

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:  # type: ignore[override]
        kind = world.kind_of(unit.spec)
        if (
            kind is None
            or not kind.composite
            or unit.place.kind not in (UNUSED, DEAD)
            or unit.spec.nation != SOVIET_UNION
        ):
            return
        for stack in stacks(state):
            found = first_fitting(world, stack, kind)
            if found:
                yield cls(unit=unit.id, components=[each.id for each in found])


@meets_one_of("EF.composite/7")
def _new_and_dispersed(q: Forming) -> Iterator[Event]:
    """A composite unit is dispersed in the phase it is made."""
    if q.kind_name != PARACHUTE_CORPS or q.switch(NEW_DISPERSED.key) == "all-kinds":
        yield Marked(on=unit_key(q.unit.id), mark=DISPERSED, value=True, because="EF.composite/7")


def stacks(state: State) -> Iterator[list[Unit]]:
    """The Soviet units on each point, and those in Siberia."""
    by_place: dict[Place, list[Unit]] = {}
    for unit in state.units_in_order():
        if unit.spec.nation == SOVIET_UNION and unit.place.kind in (HEX, SIBERIA) and not is_factory(unit):
            by_place.setdefault(unit.place, []).append(unit)
    for place in sorted(by_place):
        yield by_place[place]


def first_fitting(world: EasternWorld, stack: list[Unit], kind: Kind) -> tuple[Unit, ...]:
    """The first units of a stack that make up a recipe, none if they do not."""
    useful = [unit for unit in stack if any(world.kind_name(unit.spec) in wanted for wanted in kind.recipe)]
    for chosen in combinations(useful, len(kind.recipe)):
        kinds = [world.kind_name(unit.spec) for unit in chosen]
        for order in permutations(kinds):
            if all(each in wanted for each, wanted in zip(order, kind.recipe, strict=True)):
                return chosen
    return ()


# ------------------------------------------------------------------------------------------------- fortifying


@rule("EF.composite/19", "EF.composite/27", "EF.composite/38")
def may_fortify(q: Order) -> Verdict:
    """A cavalry-mechanized group cannot fortify; a guards infantry army and a parachute corps may, as infantry."""
    name, kind = q.world.kind_name(q.unit.spec), q.world.kind_of(q.unit.spec)
    if name == "cavalry-mechanized group":
        return no(f"{q.unit.id} is a cavalry-mechanized group and cannot fortify", remedy="fortify with infantry")
    if name == "guards infantry army":
        return yes("EF.composite/27")
    return yes("EF.composite/38") if kind is not None and name == PARACHUTE_CORPS else YES


CHAPTER = Chapter(
    heading="EF.composite",
    commands=(Form,),
    facts=(
        Fact(COMPONENTS, ("unit",), "the units it was made of, while they are set aside", [], WORDS),
        Fact(FORTIFIED, ("unit",), "it is fortified", False, YES_NO),
    ),
    forbids={FORTIFIED: (may_fortify,)},
    switches=(GOES_TO, SIBERIAN_SUPPLY, NEW_DISPERSED, FEDORENKO, GUARDS_FROM, NUMBERS, PARACHUTE_RECIPE, PARACHUTES),
    habits={"form": Habit((REPLACEMENT_PHASE,), 2)},
)
