"""52.A.1 and 52.A.12  Units from box to box: eliminated ones between pools, bought ones between holding boxes."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Moved
from forcepool.engine.given import Pool, UnitName, one_of
from forcepool.engine.options import judged
from forcepool.engine.places import TRACK, Place
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Refusal, Rule, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import REGULAR
from forcepool.games.europa.ground import transport
from forcepool.games.europa.ground.pools import charts, is_not_yours, is_the_enemys
from forcepool.games.europa.ground.soviet_pools import CITY, FACTORY, GENERAL
from forcepool.games.europa.ground.transport import BY_RAIL, RAIL, SUPPLY_RAIL, WAYS, Carrying, joined, left
from forcepool.games.europa.own_phase import in_own
from forcepool.games.europa.question import from_phase_on, out_of_the_isolated_box
from forcepool.games.europa.replacements.special import pockets
from forcepool.games.europa.world import ELIMINATED, FORMING, ISOLATED, LOCAL, NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

HOLDING = (TRACK, FORMING)
"""Where bought units wait for their turn: the holding box is the turn track."""


class UnitMoving(Carrying):
    """A unit to be moved from one box to another."""

    command: "TransferUnit"

    @lazy
    def load(self) -> Fraction:
        return (
            eliminated_size(self.world, self.unit)
            if self.eliminated
            else self.world.res(self.unit.spec, self.unit.step)
        )

    @property
    def eliminated(self) -> bool:
        return self.unit.place.kind == ELIMINATED

    @lazy
    def has_rail(self) -> bool:
        return joined(self, "overland", "rail_line")


@computed("52.A.12/8")
def eliminated_size(world: EuropaWorld, unit: Unit) -> Fraction:
    """An eliminated unit takes half its room."""
    return world.res(unit.spec) * world.numbers["eliminated_size"]


# ---------------------------------------------------------------------------------------- either way


@rule("52.A.12/9", "52.A.1/7")
def lies_in_a_box_units_leave(q: UnitMoving) -> Verdict:
    """Eliminated units and units in holding boxes can be moved; those in the ELIMINATED ISOLATED BOX stay there."""
    place = q.unit.place
    where = q.world.said_place(place)
    if place.kind == ISOLATED:
        return no(f"{q.unit} lies in the {where}", remedy=out_of_the_isolated_box(q))
    if place.kind == ELIMINATED and not place.is_reached(q.state.clock.turn):
        return no(
            f"{q.unit} is not yet in the box: {where}",
            remedy=from_phase_on(q, place.due, "", "wait until it is there"),
            clause="52.A.12/1",
        )
    if place.kind == ELIMINATED:
        return YES
    if place.kind in HOLDING:
        return yes("52.A.1/7")
    return no(
        f"{q.unit} is in no box but {q.world.where(place)}",
        remedy="only units in boxes are transferred",
        clause="52.A.1/7",
    )


@rule("52.A.1/7", "52.A.12/1")
def another_box_takes_it(q: UnitMoving) -> Verdict:
    """A holding box is a front's; an ELIMINATED BOX may be the nation's as well."""
    fits = q.into in charts(q.world) or (q.eliminated and q.into == NATIONAL + q.nation)
    if fits and q.into != q.origin:
        if q.into.startswith(NATIONAL) or not is_the_enemys(q, q.into):
            return YES
        return no(
            is_not_yours(q, q.into),
            remedy=f"name a front of a theatre you control with {the_field('into')}",
            clause="52.A.12/1" if q.eliminated else "",
        )
    box = "ELIMINATED BOX" if q.eliminated else "holding box"
    return no(
        f"{the_pool(q.into)} has no other {box} for {q.unit}",
        remedy=f"name another front with {the_field('into')}",
        clause="52.A.12/1" if q.eliminated else "",
    )


BOUND_TO = {GENERAL: ("a factory", "52.D.2.c/2"), FACTORY: ("it", "52.D.2.c.1/2"), CITY: ("it", "52.D.2.d.ii/2")}
"""Pools that are no front's, where what they bought is placed, and the clause that says so."""


@rule("52.D.2.c/2", "52.D.2.c.1/2", "52.D.2.d.ii/2")
def waits_in_the_box_of_a_front(q: UnitMoving) -> Verdict:
    """What a Soviet general pool or the store of a city or factory has bought is placed there, in whatever front."""
    if not _is_bound(q.unit):
        return YES
    where, clause = BOUND_TO[f"{q.origin.partition('/')[0]}/"]
    return no(f"{q.unit} was bought from {the_pool(q.origin)} and is to be placed at {where}", clause=clause)


def _is_bound(unit: Unit) -> bool:
    return unit.place.of.startswith(tuple(BOUND_TO))


@rule("52.A.12/1", "52.A.1/7")
def is_not_cut_off_in_a_pocket(q: UnitMoving) -> Verdict:
    """What lies in the pool of a pocket stays there as long as the pocket is isolated."""
    if not q.origin.startswith(LOCAL) or not pockets.any_isolated(
        q.world, q.state, pockets.units_in(q.world, q.state, q.origin)
    ):
        return YES
    return no(
        f"{q.unit} lies in {the_pool(q.origin)}, which is cut off",
        remedy="relieve the pocket first",
        clause="" if q.eliminated else "52.A.1/7",
    )


@rule("52.A.12/5")
def it_is_the_owners_turn(q: UnitMoving) -> Verdict:
    """Boxed units are transferred in any phase of the owner's player-turn."""
    return in_own(q)


# ------------------------------------------------------------------------------------- eliminated units


@rule("52.A.12/1")
def both_ends_are_open(q: UnitMoving) -> Verdict:
    """From a friendly-owned unisolated city to another, in regular supply, of a theatre the player controls."""
    if not q.eliminated:
        return YES
    holder = homes.controller(q.world, q.facts, q.origin)
    if holder not in ("", q.side):
        return no(f"{the_pool(q.origin)} is controlled by {holder}", remedy="transfer between theatres you control")
    if not _open_end(q, q.origin):
        return no(
            f"{the_pool(q.origin)} has no friendly-owned unisolated {_gate(q)}", remedy=list(transport.other_ways(q))
        )
    if not _open_end(q, q.into, in_regular_supply=True):
        return no(
            f"{the_pool(q.into)} has no friendly-owned unisolated {_gate(q)} in regular supply",
            remedy=list(transport.other_ways(q)),
        )
    return YES


def _gate(q: UnitMoving) -> str:
    return "city" if q.way in BY_RAIL else "airbase" if q.way == transport.AIR else "port"


def _open_end(q: UnitMoving, area: str, *, in_regular_supply: bool = False) -> bool:
    """By rail a city, by air an airbase, by sea a port; nobody is asked where the scenario lists none."""
    if q.way in BY_RAIL:
        return transport.has_open_city(q.world, q.facts, area, q.side, in_regular_supply=in_regular_supply)
    what = _gate(q)
    if area.startswith(NATIONAL):
        gates = tuple(name for name in q.facts.places_with(what) if q.facts.place_is(name, what))
    else:
        gates = transport.gates_of(q.world, q.facts, area, what)
    return not gates or any(
        transport.is_open(q.facts, gate, q.side)
        and (not in_regular_supply or q.facts.to_side(q.side, gate, "supply") == REGULAR)
        for gate in gates
    )


@rule("52.A.12/6")
def rail_carries_eliminated_units(q: UnitMoving) -> Verdict:
    """Along a rail supply line eliminated units go by the regular or the supply rail net."""
    if not q.eliminated or q.way not in BY_RAIL or q.has_rail:
        return YES
    return no(
        f"no rail supply line joins {the_pool(q.origin)} and {the_pool(q.into)}", remedy=list(transport.other_ways(q))
    )


@rule("52.A.12/7")
def flies_or_sails_only_without_rail(q: UnitMoving) -> Verdict:
    """Eliminated units that cannot go by rail go by air or by sea."""
    if not q.eliminated or q.way in BY_RAIL or not q.has_rail or _rail_is_full(q):
        return YES
    return no(
        f"a rail supply line joins {the_pool(q.origin)} and {the_pool(q.into)}", remedy=list(transport.other_ways(q))
    )


def _rail_is_full(q: UnitMoving) -> bool:
    free = [left(q.world, q.state, q.nation, way) for way in BY_RAIL]
    return all(each is not None and each < q.load for each in free)


# ----------------------------------------------------------------------------- units in holding boxes


@rule("52.A.1/8")
def holding_boxes_use_no_supply_net(q: UnitMoving) -> Verdict:
    """A bought unit goes by the regular rail net, by air or by sea."""
    if q.eliminated or q.way != SUPPLY_RAIL:
        return YES
    return no("the supply rail net is not open to units in holding boxes", remedy=list(transport.other_ways(q)))


@rule("52.A.1/8")
def holding_boxes_need_a_rail_route(q: UnitMoving) -> Verdict:
    """By rail only where a rail route joins the two fronts, and a city of the one it goes to is left."""
    if q.eliminated or q.way != RAIL:
        return YES
    if not q.has_rail:
        why = f"no rail route joins {the_pool(q.origin)} and {the_pool(q.into)}"
        return no(why, remedy=list(transport.other_ways(q)))
    if _open_end(q, q.into):
        return YES
    why = f"{the_pool(q.into)} has no friendly-owned unisolated city, and no train of yours runs there"
    return no(why, remedy=list(transport.other_ways(q)))


@rule("52.A.1/8")
def holding_boxes_are_reached_by_air_or_sea(q: UnitMoving) -> Verdict:
    """By air to an airbase of one's own, by sea to a port; where the scenario lists none there, a city must be left."""
    if q.eliminated or q.way in BY_RAIL:
        return YES
    gate = _gate(q) if transport.gates_of(q.world, q.facts, q.into, _gate(q)) else "city"
    if _open_end(q, q.into) if gate != "city" else transport.has_open_city(q.world, q.facts, q.into, q.side):
        return YES
    return no(f"{the_pool(q.into)} has no friendly-owned unisolated {gate}", remedy=list(transport.other_ways(q)))


@computed("52.A.1/9")
def later(q: UnitMoving) -> int:
    """A turn later than it was due; a unit that waits already, a turn from now."""
    return max(q.unit.place.due, q.state.clock.turn) + int(q.world.numbers["holding_box_delay"])


CAPACITY_OF_ELIMINATED = transport.capacity_suffices("52.A.12/6", "52.A.12/7")
CAPACITY_OF_BOXED = transport.capacity_suffices("52.A.1/8", "52.A.1/8")


class TransferUnit(Command, tag="transfer-unit", frozen=True):
    """Move an eliminated unit to another pool's ELIMINATED BOX, or a bought one to another front's holding box."""

    unit: UnitName
    into: Pool
    """The pool whose box takes it."""
    by: Annotated[str, one_of(*WAYS)] = RAIL
    """rail, supply-rail (eliminated units only), air or naval."""

    question = UnitMoving
    needs = (lies_in_a_box_units_leave, waits_in_the_box_of_a_front, another_box_takes_it)
    requires = (
        it_is_the_owners_turn,
        is_not_cut_off_in_a_pocket,
        both_ends_are_open,
        rail_carries_eliminated_units,
        flies_or_sails_only_without_rail,
        holding_boxes_use_no_supply_net,
        holding_boxes_need_a_rail_route,
        holding_boxes_are_reached_by_air_or_sea,
    )

    def guards(self, q: UnitMoving) -> tuple[Rule[UnitMoving], ...]:
        return (*super().guards(q), CAPACITY_OF_ELIMINATED if q.eliminated else CAPACITY_OF_BOXED)

    def effects(self, q: UnitMoving) -> Iterator[Event]:
        unit = q.unit
        if q.eliminated:
            used = "52.A.12/6" if q.way in BY_RAIL else "52.A.12/7"
            yield from transport.used(q, f"{used} 52.A.12/8", unit.id)
            yield Moved(unit=unit.id, frm=unit.place, to=Place(ELIMINATED, q.into), because="52.A.12/1")
            return
        yield from transport.used(q, "52.A.1/8", unit.id)
        yield Moved(
            unit=unit.id,
            frm=unit.place,
            to=Place(unit.place.kind, q.into, later(q)),
            because="52.A.1/7 52.A.1/9",
            says=f"a turn later, {q.world.turn_name(later(q))}",
        )

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind not in (*HOLDING, ELIMINATED, ISOLATED):
            return
        boxes = [area for area in charts(world) if world.could_serve(state, area, unit.spec.nation)]
        if unit.place.kind == ELIMINATED:
            boxes = [*boxes, NATIONAL + unit.spec.nation]
        boxes = [area for area in boxes if area != unit.place.of]
        if unit.place.kind == ISOLATED or _is_bound(unit) or world.has_role(unit.spec, "air"):
            boxes = boxes[:1]  # Closed whichever it is, and one reason says it.
        for area in boxes:
            yield cls(unit=unit.id, into=area)
            yield from _otherwise(cls, world, state, unit, area)


def _otherwise(cls: type[TransferUnit], world: EuropaWorld, state: State, unit: Unit, area: str) -> Iterator[Command]:
    """By the other net, by air or by sea, where that is lawful now."""
    if not world.has_the_turn(state, world.side_now(state, unit.spec.nation)):
        return
    for way in (SUPPLY_RAIL, transport.AIR, transport.NAVAL):
        order = cls(unit=unit.id, into=area, by=way)
        if not isinstance(judged(world, state, order), Refusal):
            yield order


CHAPTER = Chapter(heading="52.A.12", commands=(TransferUnit,))
