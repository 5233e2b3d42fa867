"""52.D.2.c, 52.D.2.d and 52.D.2.e  Where replaced Soviet units arrive: factories, cities, and the off-map MDs."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import PLAYER_TURN, YES_NO, Fact, unit_key
from forcepool.engine.game import Effect
from forcepool.engine.places import TRACK, Place
from forcepool.engine.points import show_counted, show_points
from forcepool.engine.sentence import the_place, the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, No, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import STRATEGIC
from forcepool.games.europa.ground.ownership import DOT_OR_MAJOR
from forcepool.games.europa.ground.placing import Placing
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.ground.soviet_pools import (
    CITY,
    FACTORY,
    GENERAL,
    INITIAL,
    MD,
    SOVIET_UNION,
    in_soviet,
    is_contingent,
)
from forcepool.games.europa.question import instead
from forcepool.games.europa.replacements.general import costs_table
from forcepool.games.europa.replacements.general.placement import PlaceUnit, as_new
from forcepool.games.europa.replacements.soviet.soviet_factories import number_of, producing
from forcepool.games.europa.world import FORMING, NATIONAL, EuropaWorld
from forcepool.rulebook.citations import shown

OFF_MAP = "off-map"
APPEARED = "appeared_off_map"

OFF_MAP_ARRIVAL = switch(
    "off-map-arrival",
    "52.D.2.d.v/3",
    "when a unit replaced from an off-map MD appears in its holding box",
    start_of_turn="at the start of the Soviet player-turn, so that it may move in it",
    replacement_phase="in the replacement phase; if movement is over it first moves next turn",
)


# ------------------------------------------------------------------------------------------------ factories


@rule("52.D.2.c/2")
def stands_at_a_working_factory(q: Placing) -> Verdict:
    """What a general pool has bought arrives at an unisolated factory in production."""
    if not q.area.startswith(GENERAL) or q.is_air:
        return YES
    if q.hex not in producing(q.world, q.state):
        return no(f"there is no factory in production at {the_place(q.hex)}", remedy="choose a place with one")
    if q.facts.is_cut_off(q.side, q.hex):
        return no(f"the factory at {the_place(q.hex)} is isolated", remedy="choose an unisolated one")
    return YES


@rule("52.D.2.c/3", "52.D.2.c/4")
def two_res_a_factory(q: Placing) -> Verdict:
    """A factory takes 2 REs a turn from each pool; a single larger unit may come alone."""
    if not q.area.startswith((GENERAL, FACTORY)) or q.is_air:
        return YES
    alike = [each for each in q.placed if _kinds(q, each) == _kinds(q, q.unit)]
    before = sum((q.world.res(each.spec, each.step) for each in alike), Fraction(0))
    total = before + q.world.res(q.unit.spec, q.unit.step)
    one, number = q.world.numbers["factory_res"], number_of(q.world, q.state, q.hex)
    if total <= one or not alike:
        return YES
    if total <= one * number:
        return yes("52.D.2.c/4", f"{number} factories at {the_place(q.hex)}")
    return no(
        f"{the_place(q.hex)} would take {show_counted(total, 'RE')} of this pool, its {_factories(number)} "
        f"{show_points(one * number)} a turn",
        remedy="choose another factory, or wait a turn",
        have=total,
        need=one * number,
        units=tuple(each.id for each in alike),
    )


def _kinds(q: Placing, unit: Unit) -> tuple[str, ...]:
    """The kinds of RP that paid for a unit, which tell the pool it came from."""
    return tuple(sorted(costs_table.worth(q.world, q.facts, unit).amounts))


def _factories(number: int) -> str:
    return "factory takes" if number == 1 else f"{number} factories take"


@rule("52.D.2.c.1/2")
def stands_at_the_factory_that_paid(q: Placing) -> Verdict:
    """What an isolated factory has bought arrives at that factory."""
    return _stands_at_its_store(q, FACTORY)


# --------------------------------------------------------------------------------------------------- cities


@rule("52.D.2.d.ii/2")
def stands_at_the_city_that_paid(q: Placing) -> Verdict:
    """What an isolated city has bought arrives at that city."""
    return _stands_at_its_store(q, CITY)


def _stands_at_its_store(q: Placing, prefix: str) -> Verdict:
    if not q.area.startswith(prefix) or q.hex == _store(q):
        return YES
    remedy = instead(q, f"place it at {the_place(_store(q))}", at=_store(q))
    return no(
        f"{the_place(_store(q))} paid for {q.unit}, so that it cannot arrive at {the_place(q.hex)}", remedy=remedy
    )


def _store(q: Placing) -> str:
    return q.world.hex_name(q.area.partition("/")[2])


@rule("52.D.2.d.i/3")
def stands_in_the_md_that_paid(q: Placing) -> Verdict:
    """What an MD's pool has bought arrives in that MD."""
    if not _from_md(q) or q.off_map or q.in_area:
        return YES
    return no(
        f"{the_place(q.hex)} is not in {the_pool(q.area)}, which paid for {q.unit}",
        remedy=f"choose a city of {the_pool(q.area)}",
    )


@rule("52.D.2.d.i/4")
def is_not_an_isolated_city(q: Placing) -> Verdict:
    """What an MD's pool has bought does not arrive at an isolated city."""
    if not _from_md(q) or q.off_map or not q.facts.is_cut_off(q.side, q.hex):
        return YES
    return no(f"{the_place(q.hex)} is isolated", remedy=f"choose an unisolated city of {the_pool(q.area)}")


def _from_md(q: Placing) -> bool:
    return q.area.startswith(MD) and q.unit.spec.nation == SOVIET_UNION and not q.is_air


@rule("52.D.2.e/1")
def contingent_stands_in_the_union(q: Placing) -> Verdict:
    """A contingent's unit arrives at any unisolated dot or major city of the Soviet Union."""
    if not _from_contingent(q) or q.off_map:
        return YES
    if _union_city(q):
        took = len(q.placed)
        if took < max(q.locations, 1):
            return YES
        return no(f"{the_place(q.hex)} took {q.placed[0]} this turn", remedy="choose another city", clause="52.A/4")
    return no(
        f"{the_place(q.hex)} is no unisolated dot or major city of the Soviet Union",
        remedy="choose one, whatever its MD",
    )


def _from_contingent(q: Placing) -> bool:
    nation = q.unit.spec.nation
    return is_contingent(q.world, q.state, nation) and q.area == NATIONAL + nation and not q.is_air


def _union_city(q: Placing) -> bool:
    country = q.world.country_of(q.world.spot(q.hex).area)
    large = q.facts.size_of(q.hex) in DOT_OR_MAJOR
    return large and country in ("", SOVIET_UNION) and not q.facts.is_cut_off(q.side, q.hex)


def site(q: Placing) -> Verdict | None:
    """The places that the general rule, which knows MDs only, leaves out."""
    if q.area.startswith(GENERAL):
        return _granted("52.D.2.c/2", stands_at_a_working_factory(q), q.hex)
    if q.area.startswith(FACTORY):
        return _granted("52.D.2.c.1/2", stands_at_the_factory_that_paid(q), q.hex)
    if q.area.startswith(CITY):
        return _granted("52.D.2.d.ii/2", stands_at_the_city_that_paid(q), q.hex)
    return yes("52.D.2.e/1", q.hex) if _from_contingent(q) and _union_city(q) else None


def _granted(clause: str, verdict: Verdict, where: str) -> Verdict:
    """A refusal comes from the rule itself, so that here it need only not be granted."""
    return verdict if isinstance(verdict, No) else yes(clause, where)


# ------------------------------------------------------------------------------------------- off-map MDs


@rule("52.D.2.d.v/2")
def is_not_of_an_off_map_md(q: Placing) -> Verdict:
    """What an off-map MD has bought appears in the holding box of that MD and nowhere else."""
    if not is_off_map(q.world, q.state, q.area):
        return YES
    return no(f"{the_pool(q.area)} lies off the map", remedy="it comes to the holding box of that MD by itself")


def is_off_map(world: EuropaWorld, state: State, area: str) -> bool:
    return world.facts(state).of_area(area, "off_map") is True


def appear_off_map(world: EuropaWorld, state: State) -> Iterator[Event]:
    """Units due in an off-map MD appear in its holding box by themselves."""
    when = INITIAL if world.ruling(state, OFF_MAP_ARRIVAL.key) == "start-of-turn" else REPLACEMENT
    if not in_soviet(when, world, state):
        return
    areas = {area for area in world.areas if is_off_map(world, state, area)}
    due = [
        unit
        for unit in state.units.values()
        if unit.place.of in areas
        and unit.place.kind in (TRACK, FORMING)
        and unit.place.due <= state.clock.turn
        # What forms in strategic reserve goes to the box of that instead (49.B.1.3/3).
        and world.facts(state).of_unit(unit, "reserve") != STRATEGIC
    ]
    for unit in sorted(due, key=lambda each: each.id):
        box = Place(OFF_MAP, unit.place.of)
        yield Moved(unit=unit.id, frm=unit.place, to=box, because="52.D.2.d.v/2 52.D.2.d.v/3")
        yield from as_new(state, unit, "52.D.2.d.v/3")
        yield Marked(on=unit_key(unit.id), mark=APPEARED, value=True, because="52.D.2.d.v/3")


def appeared_off_map(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """What holds for a unit on the turn it appears in an off-map holding box."""
    if unit.place.kind == OFF_MAP and world.facts(state).value(unit_key(unit.id), APPEARED) is True:
        yield may_move(world.ruling(state, OFF_MAP_ARRIVAL.key) == "start-of-turn")


@shown("52.D.2.d.v/3")
def may_move(at_once: bool) -> Effect:
    """It is in no reserve and, having appeared in time, may move."""
    text = "is in no reserve and may move this turn" if at_once else "is in no reserve; moves if movement is to come"
    return Effect(text, "52.D.2.d.v/3")


CHAPTER = Chapter(
    heading="52.D.2.d.v",
    facts=(Fact(APPEARED, ("unit",), "it appeared this turn", False, YES_NO, lasts=PLAYER_TURN, by_hand=False),),
    switches=(OFF_MAP_ARRIVAL,),
    happens=(appear_off_map,),
    guards={
        PlaceUnit: (
            stands_at_a_working_factory,
            two_res_a_factory,
            stands_at_the_factory_that_paid,
            stands_at_the_city_that_paid,
            stands_in_the_md_that_paid,
            is_not_an_isolated_city,
            contingent_stands_in_the_union,
            is_not_of_an_off_map_md,
        )
    },
    sites=(site,),
    shows=(appeared_off_map,),
    boxes={OFF_MAP: "OFF-MAP HOLDING BOX"},
)
