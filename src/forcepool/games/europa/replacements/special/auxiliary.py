"""52.F.4.b and 52.F.2/3  Auxiliary pools: a pocket, fortification or island that keeps its own losses and points."""

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec.structs import replace

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import NUMBER, YES_NO, Fact, subject_key, unit_key
from forcepool.engine.given import Area, Name, one_of
from forcepool.engine.options import passed, would_pass
from forcepool.engine.sentence import the_field, the_place, the_pool, the_pools
from forcepool.engine.state import State, Unit, evolve
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import NOT_ISOLATED
from forcepool.games.europa.ground.purchase import Purchase
from forcepool.games.europa.ground.tallies import front_of
from forcepool.games.europa.question import EuropaQuestion, paying
from forcepool.games.europa.replacements.general.cadres import Rebuild
from forcepool.games.europa.replacements.general.eliminated import Replace
from forcepool.games.europa.replacements.general.placement import PlaceUnit
from forcepool.games.europa.replacements.special.pockets import (
    AUXILIARY,
    BEFORE_PLAY,
    CUT_OFF,
    FORMED,
    FORTIFICATION,
    ISLAND,
    KINDS,
    OF_FRONT,
    OF_SIDE,
    POCKET,
    any_isolated,
    army_hqs,
    formed_pools,
    front_around,
    is_army_hq,
    is_formed,
    pocket_around,
    pool_of,
    still_inside,
    units_in,
)
from forcepool.games.europa.world import LOCAL, EuropaWorld
from forcepool.rulebook.citations import computed

NEEDS_ISOLATION = switch(
    "auxiliary-isolation",
    "52.F.4.b/1",
    "whether a fortification or an island must be isolated to form an auxiliary pool",
    fortification="a fortification must, an island need not",
    both="both must",
    neither="neither must",
)
ONE_A_FRONT = switch(
    "auxiliary-a-front",
    "52.F.4.b/3",
    "how many auxiliary pools a front may have",
    at_a_time="one at a time",
    a_game="one in the whole game",
)
THE_ELIMINATED = switch(
    "auxiliary-eliminated",
    "52.F.4.b/5",
    "where units eliminated in a pocket with an auxiliary pool lie",
    replaceable="in the pool, and its points may replace them",
    isolated_box="in the ELIMINATED ISOLATED BOX: the pool holds points and disrupted units only",
    until_relief="in the pool, but they cannot be replaced before it is relieved",
)
# --------------------------------------------------------------------------------------------------- forming


class Forming(EuropaQuestion):
    """An auxiliary pool to be formed."""

    command: "FormAuxiliaryPool"

    @lazy
    def pool(self) -> str:
        if not self.command.pocket.strip():
            raise BadCommand(f"say with {the_field('pocket')} how the pocket, fortification or island is called")
        return pool_of(self.command.pocket)

    @lazy
    def kind(self) -> str:
        return self.command.kind

    @lazy
    def units(self) -> list[Unit]:
        return units_in(self.world, self.state, self.pool) or self.untold

    @lazy
    def untold(self) -> list[Unit]:
        """Units cut off in the hex the pocket is called after, where none is said to be in it yet."""
        if units_in(self.world, self.state, self.pool):
            return []
        return cut_off_at(self.world, self.state, self.world.hex_name(self.command.pocket.strip()))

    @lazy
    def side(self) -> str:
        return self.world.side_now(self.state, self.units[0].spec.nation) if self.units else ""

    @lazy
    def front(self) -> str:
        """The front named, else the one the first unit's hex lies in."""
        if self.command.front:
            return self.world.area_named(self.command.front)
        area = self.world.spot(self.units[0].place.of).area if self.units else ""
        return front_of(self.world, self.state, area, self.units[0].spec.nation) if area else ""

    @lazy
    def had_before_play(self) -> bool:
        """Whether it was there as play began; whoever says so, or says as what, forms no second one."""
        return self.world.facts(self.state).of_area(self.pool, BEFORE_PLAY) is True

    @lazy
    def isolated(self) -> bool:
        return any_isolated(self.world, self.state, self.units)


@rule("52.F.4.b/1")
def is_a_place_for_a_pool(q: Forming) -> Verdict:
    """A pool is formed in an isolated pocket, a fortification, or on an island, where there are units."""
    if not q.units:
        return no(
            f"no unit is in {the_place(q.command.pocket)}",
            remedy=f"declare {the_field('pocket', q.command.pocket)} for those that are",
        )
    ruling = q.switch(NEEDS_ISOLATION.key)
    must = {POCKET: True, FORTIFICATION: ruling != "neither", ISLAND: ruling == "both"}[q.kind]
    if q.isolated or not must:
        return YES
    return no(
        f"the units in {the_place(q.command.pocket)} are not isolated", remedy="their losses go to the front as usual"
    )


@rule("52.F.4.b/2")
def is_no_excluded_island(q: Forming) -> Verdict:
    """Great Britain and Ireland are no islands here."""
    excluded = [name.casefold() for name in q.world.chart("no_auxiliary_islands")]
    if q.kind != ISLAND or q.command.pocket.strip().casefold() not in excluded:
        return YES
    return no(
        f"{the_place(q.command.pocket)} does not count as an island", remedy="its losses go to the front as usual"
    )


@rule("52.F.4.b/3", "52.F.4.a/1")
def is_the_fronts_only_one(q: Forming) -> Verdict:
    """A front has one auxiliary pool."""
    if not q.front:
        return no(
            f"the front around {the_place(q.command.pocket)} is not known", remedy=f"name it with {the_field('front')}"
        )
    if q.units and not homes.is_open_to(q.world, q.world.facts(q.state), q.front, q.units[0].spec.nation):
        return no(
            f"{q.front} is no front of {q.side}",
            remedy=f"name one of your own with {the_field('front')}",
            clause="52.F.4.a/1",
        )
    limit = q.world.numbers["auxiliary_pools_a_front"]
    others = [
        pool
        for pool in formed_pools(q.world, q.state)
        if not (pool == q.pool and q.had_before_play)
        and front_around(q.world, q.state, pool) == q.front
        and q.world.facts(q.state).of_area(pool, OF_SIDE) == q.side
    ]
    if len(others) >= limit:
        same = f", or {_told_of(others[0])} for the units here if they are in the same pocket" if q.untold else ""
        return no(
            f"{the_pool(q.front)} has {the_pools(others)} already", remedy=f"dissolve or relieve that one first{same}"
        )
    before = q.world.facts(q.state).count(subject_key("area", q.front), FORMED) - q.had_before_play
    if q.switch(ONE_A_FRONT.key) == "a-game" and before >= limit:
        return no(f"{the_pool(q.front)} has had its auxiliary pool in this game")
    return YES


def _told_of(pool: str) -> str:
    return f"declare {the_field('pocket', pool.removeprefix(LOCAL))}"


@rule("52.F.4.b/4")
def has_an_army_hq(q: Forming) -> Verdict:
    """A pocket needs an army or front HQ; a fortification or an island needs none."""
    inside = still_inside(q.world, q.state, q.pool) or q.untold
    if q.kind != POCKET or any(is_army_hq(q.world, unit) for unit in inside):
        return YES
    return no(f"no army or front HQ is in {the_place(q.command.pocket)}", remedy="bring one in, or do without a pool")


class FormAuxiliaryPool(Command, tag="form-auxiliary-pool", frozen=True):
    """Declare an auxiliary pool: a pocket, fortification or island keeps its losses and points to itself."""

    pocket: Name
    """Its name, as declared for the units in it with the fact 'pocket'."""
    kind: Annotated[str, one_of(*KINDS)] = POCKET
    front: Area = ""
    """The front it is in; left out, that of its units' hexes."""

    question = Forming
    requires = (is_a_place_for_a_pool, is_no_excluded_island, is_the_fronts_only_one, has_an_army_hq)

    def side(self, q: Forming) -> str:
        return q.side

    def effects(self, q: Forming) -> Iterator[Event]:
        on, front = subject_key("area", q.pool), subject_key("area", q.front)
        if q.had_before_play:
            yield Marked(on=on, mark=BEFORE_PLAY)
        elif is_formed(q.world, q.state, q.pool):
            raise BadCommand(f"{the_pool(q.pool)} is an auxiliary pool already")
        yield Marked(on=on, mark=AUXILIARY, value=q.kind, because="52.F.4.b/1")
        yield Marked(on=on, mark=OF_FRONT, value=q.front)
        yield Marked(on=on, mark=OF_SIDE, value=q.side)
        if q.isolated:
            yield Marked(on=on, mark=CUT_OFF, value=True)
        for unit in q.untold:
            yield Marked(on=unit_key(unit.id), mark="pocket", value=q.command.pocket.strip(), because="52.F.4.b/1")
        if not q.had_before_play:
            yield Marked(on=front, mark=FORMED, value=q.world.facts(q.state).count(front, FORMED) + 1)

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator["FormAuxiliaryPool"]:
        """Each pocket in which units of the side are, as whatever it may be."""
        for pocket in pockets_of(world, state, side):
            for kind in KINDS:
                yield from _lawful(world, state, pocket, kind)


def _lawful(world: EuropaWorld, state: State, pocket: str, kind: str) -> Iterator[FormAuxiliaryPool]:
    """The orders that form its pool, of what front where it lies in none."""
    fronts = [area for area in world.pools if area.startswith("front/")]
    order = FormAuxiliaryPool(pocket=pocket, kind=kind)
    named = () if Forming(world, state, order).front in fronts else (replace(order, front=each) for each in fronts)
    yield from (each for each in (order, *named) if would_pass(world, state, each))


def pools_to_form(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Pockets with an army HQ in them that have no auxiliary pool yet and may form one."""
    for side in world.sequence.players:
        for pocket in pockets_of(world, state, side):
            order = next(_lawful(world, state, pocket, POCKET), None)
            if order is not None:
                text = (
                    f"{the_place(pocket)} is cut off with an army HQ in it: an auxiliary pool may be formed, "
                    "which keeps the losses and points of the pocket"
                )
                yield Item(OPEN, text, "52.F.4.b/1", side, order)


@computed("52.A.9.c/8")
def formed_before_play(world: EuropaWorld, state: State) -> Iterator[Event]:
    """A pocket with an army HQ that holds points or units of its own when play begins has formed its pool before."""
    own = {account.pool for account, amount in state.balances.items() if amount}
    own |= {unit.place.of for unit in state.units.values()}
    so_far = state.copy()
    for pool in sorted(pool for pool in own if pool.startswith(LOCAL)):
        if formed := passed(world, so_far, FormAuxiliaryPool(pocket=world.hex_name(pool.removeprefix(LOCAL)))):
            evolve(so_far, formed.events)
            yield from (*formed.events, Marked(on=subject_key("area", pool), mark=BEFORE_PLAY, value=True))


def pockets_of(world: EuropaWorld, state: State, side: str) -> list[str]:
    """The pockets, fortifications and islands that units of a side on the map are said to be in."""
    facts = world.facts(state)
    units = (state.units.get(on.removeprefix("unit/")) for on in state.marked.get("pocket", ()))
    here = (unit for unit in units if unit is not None and world.side_now(state, unit.spec.nation) == side)
    told = {pocket for unit in here if unit.place.on_map and (pocket := facts.of_unit(unit, "pocket"))}
    return sorted(told | hexes_cut_off_with_an_hq(world, state, side))


def cut_off_at(world: EuropaWorld, state: State, hex_name: str) -> list[Unit]:
    """Units that are isolated in a hex and not said to be in any pocket; what the enemy left there is not with them."""
    facts, holder = world.facts(state), world.owner_now(state, hex_name)
    here = (unit for unit in state.stack(hex_name) if not facts.of_unit(unit, "pocket"))
    isolated = [unit for unit in here if facts.isolated(unit) != NOT_ISOLATED]
    return [unit for unit in isolated if world.side_now(state, unit.spec.nation) == holder] or isolated


def hexes_cut_off_with_an_hq(world: EuropaWorld, state: State, side: str) -> set[str]:
    """Where an army HQ of a side is isolated and in no pocket yet: a pool may be formed, called after the hex."""
    hqs = (state.units[each] for each in army_hqs(world, world.facts(state)))
    own = (unit.place.of for unit in hqs if unit.place.on_map and world.side_now(state, unit.spec.nation) == side)
    return {hex_name for hex_name in own if any(is_army_hq(world, unit) for unit in cut_off_at(world, state, hex_name))}


# ------------------------------------------------------------------------------------- by itself, and replacing


def pool_pays_for_what_lies_in_it(world: EuropaWorld, state: State, unit: Unit) -> Iterator[str]:
    """A pool of a pocket may pay for the units that lie in it."""
    if unit.place.of.startswith(LOCAL):
        yield unit.place.of


def inside_the_pocket(q: Any) -> Verdict | None:
    """What was replaced from an auxiliary pool arrives where that pool's units stand."""
    if not q.area.startswith(LOCAL):
        return None
    if any(unit.place.of == q.hex for unit in still_inside(q.world, q.state, q.area)):
        return yes("52.F.4.b/5", f"inside {q.area.removeprefix(LOCAL)}")
    hint = "place it with a unit of the pocket"
    return no(f"no unit of {q.area.removeprefix(LOCAL)} stands at {the_place(q.hex)}", remedy=hint, clause="52.F.4.b/5")


def cut_off_with_the_others(q: Any) -> Iterator[Event]:
    """What arrives in a pocket is in it as the units are that stand there, though it was never there before."""
    on, from_it = unit_key(q.unit.id), q.area.startswith(LOCAL)
    if from_it and q.state.mark(on, "pocket") is not None:
        return
    own = [each for each in q.state.stack(q.hex) if q.world.side_now(q.state, each.spec.nation) == q.side]
    pools = {each.id: pocket_around(q.world, q.state, each) for each in own}
    there = [each for each in own if pools[each.id] and (not from_it or pools[each.id] == q.area)]
    for mark in ("supply", "isolated", "pocket"):
        said = q.state.mark(unit_key(there[0].id), mark) if there else None
        if said is not None:
            yield Marked(on=on, mark=mark, value=said.value, because="52.F.4.b/5")


@rule("52.F.4.b/5")
def pool_pays_for_its_own(q: Purchase) -> Verdict:
    """Units lying in an auxiliary pool are replaced with that pool's points alone."""
    lies_in = q.unit.place.of
    if not lies_in.startswith(LOCAL):
        return YES
    if q.switch(THE_ELIMINATED.key) == "until-relief":
        return no(f"{q.unit} lies in {the_pool(lies_in)}", remedy="it can be replaced once that is relieved")
    if q.payer == lies_in:
        return yes("52.F.4.b/5", f"replaced inside {lies_in.removeprefix(LOCAL)}")
    remedy = paying(q, lies_in)
    return no(f"{q.unit} lies in {the_pool(lies_in)}, {the_pool(q.payer)} cannot reach it", remedy=remedy)


@rule("52.A.9.c/8")
def is_in_the_pocket_still(q: Purchase) -> Verdict:
    """A pocket's points rebuild the units that are cut off in it, not one that has broken out."""
    out = q.pays_locally and q.facts.isolated(q.unit) == NOT_ISOLATED
    if not out or is_formed(q.world, q.state, q.payer) != POCKET:
        return YES
    return no(f"{q.unit} is isolated no more and has left {the_pool(q.payer)}", remedy="pay from its front")


_KEPT = (
    Fact(AUXILIARY, ("area",), "what kind of auxiliary pool it is", "", by_hand=False),
    Fact(OF_FRONT, ("area",), "the front an auxiliary pool is in", "", by_hand=False),
    Fact(OF_SIDE, ("area",), "whose auxiliary pool it is", "", by_hand=False),
    Fact(CUT_OFF, ("area",), "the units of the auxiliary pool have been isolated", False, YES_NO, by_hand=False),
    Fact(BEFORE_PLAY, ("area",), "the auxiliary pool was there as play began", False, YES_NO, by_hand=False),
    Fact(FORMED, ("area",), "auxiliary pools formed in the front", 0, NUMBER, by_hand=False),
)
CHAPTER = Chapter(
    heading="52.F.4.b",
    commands=(FormAuxiliaryPool,),
    facts=_KEPT,
    guards={
        Replace: (pool_pays_for_its_own,),
        Rebuild: (is_in_the_pocket_still,),
    },
    also={PlaceUnit: (cut_off_with_the_others,)},
    switches=(NEEDS_ISOLATION, ONE_A_FRONT, THE_ELIMINATED),
    opening=(formed_before_play,),
    agenda=(pools_to_form,),
    charts={"no_auxiliary_islands": tuple[str, ...]},
    payers=(pool_pays_for_what_lies_in_it,),
    sites=(inside_the_pocket,),
)
