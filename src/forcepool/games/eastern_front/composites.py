"""EF.composite: the six kinds of composite unit, and how they are made."""

from collections.abc import Iterator

from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import TAKEN_BACK, WORDS, YES_NO, Fact, unit_key
from forcepool.engine.game import Habit
from forcepool.engine.given import UnitList, UnitName
from forcepool.engine.options import choice
from forcepool.engine.places import HEX, OUT_OF_PLAY, Place
from forcepool.engine.sentence import the_place, the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, Way, no, rule, yes
from forcepool.games.eastern_front.chapter import (
    REPLACEMENT_PHASE,
    Order,
    Remedy,
    moment,
    only_in,
    wait_for,
)
from forcepool.games.eastern_front.dispersal import DISPERSAL, recovery
from forcepool.games.eastern_front.facts import DISPERSED, FORTIFIED, HELD_SINCE, NO_SUPPLY
from forcepool.games.eastern_front.irreplaceable import COMPOSITE, FINAL, LOST_BY, is_irreplaceable
from forcepool.games.eastern_front.losses import COMPONENTS, leaves_behind
from forcepool.games.eastern_front.recipes import (
    FEDORENKO,
    GUARDS_FROM,
    NUMBERS,
    PARACHUTE_CORPS,
    PARACHUTE_RECIPE,
    PARACHUTES,
    Forming,
    combinations_for,
    follows_a_recipe,
    free_counters,
    is_no_breaking_down,
    its_date_has_come,
    meets_no_twin_on_the_map,
    new_kinds,
    number_is_free,
    parachutes_are_in_play,
    recipe_of,
    stacks,
)
from forcepool.games.eastern_front.replacements import ReplaceOnMap, next_receipt
from forcepool.games.eastern_front.siberian_entry import EnterFromSiberia
from forcepool.games.eastern_front.siberian_lines import SIBERIAN_SUPPLY
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
from forcepool.games.eastern_front.worth import symbol_of
from forcepool.rulebook.citations import meets_one_of

GOES_TO = switch(
    "components",
    "EF.composite/1",
    "where the components of a composite unit go",
    dead_pile="to the dead pile, from which replacements may bring them back",
    out_of_play="out of the game",
    set_aside="they are set aside until the composite unit is eliminated",
)
NEW_DISPERSED = switch(
    "new-composites",
    "EF.composite/7",
    "whether every composite unit is dispersed when it is made",
    all_kinds="all six kinds are, in Siberia too",
    not_parachutes="all but the parachute corps, which is converted in place",
)

# ----------------------------------------------------------------------------------------------- what it takes


@rule("EF.composite/1")
def counter_is_free(q: Forming) -> Verdict:
    """The composite takes an unused counter of its kind."""
    if q.unit.spec.nation == SOVIET_UNION and q.unit.place.kind in (UNUSED, DEAD) and not is_factory(q.unit):
        return YES
    return no(f"{q.unit} is no unused Soviet counter")


@rule("EF.composite/1")
def components_are_soviet(q: Forming) -> Verdict:
    """Composite units are made of Soviet units."""
    others = [unit for unit in q.components if unit.spec.nation != SOVIET_UNION or is_factory(unit)]
    if not others:
        return YES
    what = "a factory" if is_factory(others[0]) else "no Soviet unit"
    return no(f"{others[0]} is {what}", units=tuple(unit.id for unit in others))


@rule("EF.composite/3")
def components_are_together(q: Forming) -> Verdict:
    """All components are on one point, or all in Siberia."""
    for unit in q.components:
        if unit.place.kind == DEAD:
            return no(f"{unit} is {q.world.where(unit.place)}", **_brought_back(q, unit))
    places = {unit.place for unit in q.components}
    if len(places) == 1 and q.where.kind in (HEX, SIBERIA):
        return YES
    shown = " and ".join(sorted(q.world.said_place(place) for place in places))
    return no(f"the components are at {shown}", remedy="bring them together on one point, or all in Siberia")


def _brought_back(q: Forming, dead: Unit) -> Remedy:
    """To replace a dead component where the others stand, now or as one is received, and to wait till it recovers."""
    others = {unit.place for unit in q.components if unit != dead}
    place = others.pop() if len(others) == 1 else None
    if place is None or place.kind != HEX:
        return {}
    order = ReplaceOnMap(unit=dead.id, at=place.of)
    now, wait = choice(q.world, q.state, order), Way()
    if not now.open:
        received: Way | None = next_receipt(q.world, q.state, SOVIET_UNION, symbol_of(q.world, dead)).get("way")
        if received is None or {reason.clause for reason in now.reasons} != {"EF.replacements/4"}:
            return {}
        wait = received
    begins = wait.after or wait.until
    turn = begins.turn if begins else q.turn
    late = q.switch(DISPERSAL.key) == "after-replacements"
    until = moment(q.world, turn + (2 if late else 1), SOVIET)
    when = f" in {q.world.turn_name(turn)}" if begins else ""
    words = f"replace it at {the_place(place.of)}{when}, and form {q.unit} in {q.world.turn_name(until.turn)}"
    return {"remedy": words, "way": Way(after=begins, first=(*wait.first, order), until=until)}


@rule("EF.composite/4")
def components_are_undispersed(q: Forming) -> Verdict:
    """No component is dispersed."""
    dispersed = [unit for unit in q.components if q.facts.dispersed(unit)]
    if dispersed:
        names = tuple(unit.id for unit in dispersed)
        return no(f"{dispersed[0]} is dispersed", **_when_recovered(q, dispersed), units=names)
    return YES


def _when_recovered(q: Forming, units: list[Unit]) -> Remedy:
    """The remedy of waiting until the last of some dispersed units has recovered."""
    found = [recovery(q, unit, REPLACEMENT_PHASE) for unit in units]
    without = next((each for each in found if "way" not in each), None)
    return without or wait_for(q.world, max(each["way"].until.turn for each in found), SOVIET)


@rule("EF.composite/5")
def components_are_in_supply(q: Forming) -> Verdict:
    """Every component in play is in supply; Siberia is taken to be."""
    cut_off = [unit.id for unit in q.components if not _in_supply(q, unit)]
    if cut_off:
        return no(f"{the_unit(cut_off[0])} is out of supply", remedy="bring it into supply", units=tuple(cut_off))
    return YES


def _in_supply(q: Forming, unit: Unit) -> bool:
    return unit.place.kind not in (HEX, SIBERIA) or q.facts.supply(unit) != NO_SUPPLY


@rule("EF.composite/37")
def is_converted_in_place(q: Forming) -> Verdict:
    """A parachute corps is converted where its army stands, undispersed and in supply."""
    if q.kind_name != PARACHUTE_CORPS:
        return YES
    army = q.components[0]
    if q.facts.dispersed(army) or not _in_supply(q, army):
        return no(f"{army} is dispersed or out of supply")
    return YES


@rule("EF.replacements/17")
def components_can_be_spared(q: Forming) -> Verdict:
    """The irreplaceable units make no composite units."""
    if q.switch(FINAL.key) != "any-removal":
        return YES
    for unit in q.components:
        name = is_irreplaceable(unit.spec.traits)
        if name:
            return no(f"{unit} is of {name}, which is irreplaceable")
    return YES


# ------------------------------------------------------------------------------------------------- making it


class Form(Command, tag="form", frozen=True):
    """Combine or convert Soviet units into a composite unit, which is dispersed at first."""

    unit: UnitName
    """The composite counter that takes their place."""
    components: UnitList
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
        components = sorted(q.components, key=lambda component: component.id)
        for component in components:
            yield Moved(unit=component.id, frm=component.place, to=to, because="EF.composite/1")
            yield Marked(on=unit_key(component.id), mark=LOST_BY, value=COMPOSITE, because="EF.composite/1")
            yield from leaves_behind(q.state, component)
        clause = q.kind.recipe_clause if q.kind else ""
        yield Moved(unit=unit.id, frm=unit.place, to=where, because=f"EF.composite/1 {clause}".strip())
        if where.kind == SIBERIA:
            yield Marked(on=on, mark=HELD_SINCE, value=q.turn, because="EF.composite/3")
        if to.kind == ASIDE:
            names = [component.id for component in components]
            yield Marked(on=on, mark=COMPONENTS, value=names, because="EF.composite/1")
        yield from _new_and_dispersed(q)

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.spec.nation != SOVIET_UNION or is_factory(unit):
            return
        free = free_counters(world, state)
        if unit in free.get(world.kind_name(unit.spec), ()):
            recipe = recipe_of(world, state, world.kind_name(unit.spec))
            for stack in stacks(state):
                for chosen in combinations_for(world, stack, recipe):
                    yield cls(unit=unit.id, components=[each.id for each in chosen])
        elif unit.place.kind in (HEX, SIBERIA):
            yield from cls.of_component(world, state, unit, free)

    @classmethod
    def of_component(
        cls, world: EasternWorld, state: State, unit: Unit, free: dict[str, list[Unit]]
    ) -> Iterator[Command]:
        """What a unit in play can be part of: every partner it has there, into the first counter that can be had."""
        stack = next((stack for stack in stacks(state) if unit in stack), [])
        for name, counters in sorted(free.items()):
            for chosen in combinations_for(world, stack, recipe_of(world, state, name)):
                if unit in chosen:
                    ways = [cls(unit=each.id, components=[one.id for one in chosen]) for each in counters]
                    yield next((way for way in ways if choice(world, state, way).open), ways[0])


@meets_one_of("EF.composite/7")
def _new_and_dispersed(q: Forming) -> Iterator[Event]:
    """A composite unit is dispersed in the phase it is made."""
    if q.kind_name != PARACHUTE_CORPS or q.switch(NEW_DISPERSED.key) == "all-kinds":
        yield Marked(on=unit_key(q.unit.id), mark=DISPERSED, value=True, because="EF.composite/7")


# ------------------------------------------------------------------------------------------------- fortifying


class Fortifying(Order):
    """A unit about to be declared fortified, or not."""

    value: bool | None


@rule("EF.composite/27")
def fortifies_on_the_map(q: Fortifying) -> Verdict:
    """Only a unit that stands on the map fortifies."""
    if on_the_map(q.unit) or not q.value:
        return YES
    return no(f"{q.unit} is {q.world.where(q.unit.place)}, not on the map")


@rule("EF.composite/19", "EF.composite/27", "EF.composite/38")
def may_fortify(q: Order) -> Verdict:
    """A cavalry-mechanized group cannot fortify; a guards infantry army and a parachute corps may, as infantry."""
    name, kind = q.world.kind_name(q.unit.spec), q.world.kind_of(q.unit.spec)
    if name == "cavalry-mechanized group":
        return no(f"{q.unit} is a cavalry-mechanized group and cannot fortify")
    if name == "guards infantry army":
        return yes("EF.composite/27")
    return yes("EF.composite/38") if kind is not None and name == PARACHUTE_CORPS else YES


CHAPTER = Chapter(
    heading="EF.composite",
    commands=(Form,),
    facts=(
        Fact(COMPONENTS, ("unit",), "the units it was made of, while they are set aside", [], WORDS),
        Fact(
            FORTIFIED,
            ("unit",),
            "it is fortified",
            False,
            YES_NO,
            said={"no": "not fortified", TAKEN_BACK: "no longer fortified"},
        ),
    ),
    forbids={FORTIFIED: (fortifies_on_the_map, may_fortify)},
    guards={EnterFromSiberia: (meets_no_twin_on_the_map,)},
    agenda=(new_kinds,),
    switches=(GOES_TO, SIBERIAN_SUPPLY, NEW_DISPERSED, FEDORENKO, GUARDS_FROM, NUMBERS, PARACHUTE_RECIPE, PARACHUTES),
    habits={"form": Habit((REPLACEMENT_PHASE,), 2)},
)
