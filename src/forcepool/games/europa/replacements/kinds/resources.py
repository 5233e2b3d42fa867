"""52.C.1 to 52.C.3  Resource, supply and naval repair points: kept in pools, brought to the map, used."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import Annotated

from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event, Transferred
from forcepool.engine.facts import YES_NO, Fact
from forcepool.engine.given import Amounts, Nation, Pool, Spot, Why, one_of
from forcepool.engine.ledger import SPENT, is_pool
from forcepool.engine.options import would_pass
from forcepool.engine.places import HEX
from forcepool.engine.points import show_amounts, show_counted, show_points, store_points
from forcepool.engine.sentence import the_field, the_place, the_pool
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.ground import transport
from forcepool.games.europa.ground.pools import nations_in_play, read_amounts, whose
from forcepool.games.europa.ground.purchase import Purchase, how_to_fill
from forcepool.games.europa.ground.transport import BY_RAIL, Carrying
from forcepool.games.europa.question import instead
from forcepool.games.europa.replacements.special import pockets
from forcepool.games.europa.world import LOCAL, EuropaWorld
from forcepool.rulebook.citations import COMPUTED, heard, meets_one_of

SRP, SP, NRP = "srp", "sp", "nrp"
RESOURCES: Mapping[str, str] = {SRP: "strategic resource", SP: "supply", NRP: "naval repair"}
MAP = "map/"


KEPT = {SRP: "52.C.1/1", SP: "52.C.2/1", NRP: "52.C.3/1"}


@meets_one_of(*KEPT.values())
def room(world: EuropaWorld, kind: str) -> Fraction:
    """Resource, supply and naval repair points lie in pools and move between them as RPs do, each with its own size."""
    heard(KEPT[kind], COMPUTED)
    return world.numbers[f"{kind}_res"]


def on_map(hex_name: str) -> str:
    """The account of the points that lie in a hex."""
    return MAP + hex_name.casefold()


# -------------------------------------------------------------------------- placing and using them


class Bringing(Carrying):
    """Resource or supply points to be brought from a pool to a hex, or used there."""

    @lazy
    def origin(self) -> str:
        return self.world.pool_named(self.command.pool)

    @lazy
    def nation(self) -> str:
        return whose(self, self.command.nation, self.origin, kinds=self.amounts)

    @lazy
    def hex(self) -> str:
        return self.world.hex_name(self.command.at)

    @lazy
    def amounts(self) -> Mapping[str, Fraction]:
        amounts = read_amounts(self.world, self.command.points)
        for kind in amounts:
            if kind not in RESOURCES:
                raise BadCommand(f"{kind} points are spent on units; this is for {', '.join(RESOURCES)} points")
        return amounts

    @lazy
    def by_rail(self) -> bool:
        return bool(self.command.by)

    @lazy
    def load(self) -> Fraction:
        """What a train would carry."""
        return sum((amount * room(self.world, kind) for kind, amount in self.amounts.items()), Fraction(0))


@rule("52.C.1/1", "52.C.2/1", "52.C.3/1")
def the_pool_holds_them(q: Bringing) -> Verdict:
    """Resource, supply and naval repair points are kept in pools, and come from there."""
    for kind, amount in q.amounts.items():
        held = q.state.balance(q.origin, q.nation, kind)
        if held < amount:
            return no(
                f"{the_pool(q.origin)} holds {show_points(held)} {kind} of {q.nation}, not {show_points(amount)}",
                remedy=[
                    *([instead(q, f"take {show_points(held)}", points=f"{store_points(held)} {kind}")] if held else []),
                    *how_to_fill(q, q.origin, q.nation, kind, amount - held),
                ],
                clause=KEPT[kind],
                have=held,
                need=amount,
            )
    return YES


@rule("52.A.9.c/8")
def pocket_keeps_what_is_its_own(q: Bringing) -> Verdict:
    """Points kept apart in a pocket are placed where its units stand."""
    if not q.origin.startswith(LOCAL) or any(
        unit.place.of == q.hex for unit in pockets.units_in(q.world, q.state, q.origin)
    ):
        return YES
    return no(f"no unit of {the_pool(q.origin)} stands at {the_place(q.hex)}", remedy="place them inside the pocket")


@rule("52.C.1/2", "52.C.2/2")
def hex_is_not_the_enemys(q: Bringing) -> Verdict:
    """Points are placed, and carried by rail, where one's own side is: no train runs into a hex the enemy owns."""
    owner = q.facts.owner(q.hex)
    if owner in ("", q.side):
        return YES
    clause = "52.C.2/2" if SP in q.amounts else "52.C.1/2"
    return no(f"{the_place(q.hex)} is owned by {owner}", remedy="choose a hex of your own", clause=clause)


@rule("52.C.1/2", "52.C.2/2")
def what_lies_on_the_map_goes_by_rail(q: Bringing) -> Verdict:
    """Points are placed out of a pool; from one hex to another the railways carry them."""
    if q.by_rail or not q.origin.startswith(MAP):
        return YES
    clause = "52.C.2/2" if SP in q.amounts else "52.C.1/2"
    lie = f"{show_amounts(q.amounts)} {'lies' if sum(q.amounts.values()) == 1 else 'lie'}"
    return no(f"{lie} on the map already", remedy=f"carry them on with {the_field('by', 'rail')}", clause=clause)


@rule("52.C.2/2")
def supply_goes_to_a_depot_or_by_rail(q: Bringing) -> Verdict:
    """A supply point is placed in a depot, or carried to the hex by rail."""
    if SP not in q.amounts or q.by_rail or has_depot(q):
        return YES
    return no(
        f"{the_place(q.hex)} has no depot",
        remedy=f"place them in a depot, or carry them there with {the_field('by', 'rail')}",
    )


def has_depot(q: Bringing) -> bool:
    return q.facts.place_is(q.hex, "depot") or any(
        q.world.has_role(unit.spec, "depot") and q.world.side_now(q.state, unit.spec.nation) == q.side
        for unit in q.state.stack(q.hex)
    )


@rule("52.C.3/2")
def repair_points_stay_in_their_pool(q: Bringing) -> Verdict:
    """Naval repair points are used from the pool, by the rules of naval repair."""
    if NRP not in q.amounts:
        return YES
    return no("naval repair points are not placed on the map", remedy="use them from their pool with use-points")


@rule("52.C.1/2")
def rail_has_room(q: Bringing) -> Verdict:
    """Carrying them to where they are used takes rail capacity."""
    if not q.by_rail:
        return YES
    free = transport.left(q.world, q.state, q.nation, q.way)
    if free is None or q.load <= free:
        return YES
    return no(
        f"needs {show_counted(q.load, 'RE')} of {transport.WORDS[q.way]}, {show_counted(free, 'RE')} are left",
        remedy="carry fewer, or place them on the map where the rules let you",
        have=free,
        need=q.load,
    )


class PlacePoints(Command, tag="place-points", frozen=True):
    """Bring resource or supply points from a pool onto the map; they may be used at once."""

    pool: Pool
    at: Spot
    """The hex: for supply points one with a depot, unless rail carries them there."""
    points: Amounts
    """How many of what: '1 srp', '2 sp'."""
    nation: Nation = ""
    by: Annotated[str, one_of(*BY_RAIL)] = ""
    """rail or supply-rail to carry them to the place of use; left out, they are placed."""

    question = Bringing
    of_choice = ("points", "at")
    needs = (the_pool_holds_them,)
    requires = (
        repair_points_stay_in_their_pool,
        pocket_keeps_what_is_its_own,
        hex_is_not_the_enemys,
        what_lies_on_the_map_goes_by_rail,
        supply_goes_to_a_depot_or_by_rail,
        rail_has_room,
    )

    def side(self, q: Bringing) -> str:
        return q.side

    def effects(self, q: Bringing) -> Iterator[Event]:
        if q.by_rail:
            yield from transport.used(q, "52.C.1/2", f"{show_amounts(q.amounts)} to {the_place(q.hex)}")
        for kind, amount in q.amounts.items():
            why = "52.C.2/2 52.C.2/3" if kind == SP else "52.C.1/2 52.C.1/3"
            yield Transferred(
                amount=amount,
                kind=kind,
                nation=q.nation,
                frm=q.origin,
                to=on_map(q.hex),
                because=why,
                says="usable now",
            )

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        """What a pool holds of each kind, to one hex that would do for it: placed, and carried there by rail."""
        nations = nations_in_play(world, state, side)
        facts = world.facts(state)
        places = [each for each in sorted(world.spots) if facts.owner(each) in ("", side)]
        own = (unit for unit in state.units.values() if unit.place.kind == HEX and unit.spec.nation in nations)
        stands = sorted({unit.place.of for unit in own})
        for account, held in sorted(state.balances.items()):
            if held <= 0 or account.kind not in (SRP, SP) or account.nation not in nations or not is_pool(account.pool):
                continue
            for way in ("", *BY_RAIL):
                orders = (
                    cls(pool=account.pool, at=at, points=points, nation=account.nation, by=way)
                    for points in _some(held, account.kind)
                    for at in dict.fromkeys((*places, *stands))
                )
                yield from islice((order for order in orders if would_pass(world, state, order)), 1)


def _some(held: Fraction, kind: str) -> list[str]:
    """All that lies there, and one of it where the railways do not carry all."""
    return [f"{store_points(each)} {kind}" for each in dict.fromkeys((held, min(held, Fraction(1))))]


class Using(Bringing):
    """Points to be used: on the map, or naval repair points out of their pool."""

    @lazy
    def origin(self) -> str:
        return self.world.pool_named(self.command.pool) if self.command.pool else on_map(self.hex)


@rule("52.C.1/2", "52.C.1/3")
def resources_lie_on_the_map(q: Using) -> Verdict:
    """An SRP is used once it lies on the map, at once if need be."""
    return _lies_there(q, SRP, "52.C.1/3")


@rule("52.C.2/2", "52.C.2/3")
def supply_lies_on_the_map(q: Using) -> Verdict:
    """A supply point is used once it lies in a depot or was carried to the hex, at once if need be."""
    return _lies_there(q, SP, "52.C.2/3")


def _lies_there(q: Using, kind: str, at_once: str) -> Verdict:
    if kind not in q.amounts:
        return YES
    held = q.state.balance(on_map(q.hex), q.nation, kind) if q.hex else Fraction(0)
    if q.origin.startswith(MAP) and held >= q.amounts[kind]:
        return YES
    return no(
        f"{show_points(held)} {kind} of {q.nation} lie at {the_place(q.hex) or 'no hex'}, not "
        f"{show_points(q.amounts[kind])}",
        remedy="bring them onto the map first (place-points)",
        clause=at_once if not q.origin.startswith(MAP) else "",
        have=held,
        need=q.amounts[kind],
    )


@rule("52.C.3/1", "52.C.3/2")
def repair_points_are_in_the_pool(q: Using) -> Verdict:
    """Naval repair points are used out of their pool, on ships."""
    if NRP not in q.amounts:
        return YES
    held = q.state.balance(q.origin, q.nation, NRP)
    if held >= q.amounts[NRP] and not q.origin.startswith(MAP):
        return YES
    return no(
        f"{the_pool(q.origin)} holds {show_points(held)} nrp, not {show_points(q.amounts[NRP])}",
        remedy=f"name the pool that holds them with {the_field('pool')}",
        have=held,
        need=q.amounts[NRP],
    )


class UsePoints(Command, tag="use-points", frozen=True):
    """Use resource or supply points that lie on the map, or naval repair points of a pool."""

    points: Amounts
    nation: Nation
    at: Spot = ""
    """The hex where they lie."""
    pool: Pool = ""
    """The pool, for naval repair points."""
    note: Why = ""
    """What they are used for."""

    question = Using
    needs = (resources_lie_on_the_map, supply_lies_on_the_map, repair_points_are_in_the_pool)

    def side(self, q: Using) -> str:
        return q.side

    def effects(self, q: Using) -> Iterator[Event]:
        for kind, amount in q.amounts.items():
            why = {SRP: "52.C.1/3", SP: "52.C.2/3", NRP: "52.C.3/2"}[kind]
            yield Transferred(
                amount=amount, kind=kind, nation=q.nation, frm=q.origin, to=SPENT, because=why, says=self.note
            )


def repair_points_buy_no_units(q: Purchase, part: Part) -> Verdict | None:
    """Naval repair points, like resource and supply points, do not pay for ground or air units."""
    if part.kind not in RESOURCES:
        return None
    return no(
        f"{RESOURCES[part.kind]} points do not rebuild {q.unit}",
        remedy=f"pay in {part.instead_of} RPs",
        clause="52.C.3/2" if part.kind == NRP else "52.C/4",
    )


CHAPTER = Chapter(
    heading="52.C.1",
    commands=(PlacePoints, UsePoints),
    facts=(Fact("depot", ("place",), "a depot lies there", False, YES_NO),),
    permits=(repair_points_buy_no_units,),
    points=tuple(RESOURCES),
    pools=(MAP.rstrip("/"),),
)
