"""52.F.4.b and 52.F.2/3  Auxiliary pools: a pocket, fortification or island that keeps its own losses and points."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.agenda import DUE, NEWS, Item
from forcepool.engine.command import BadCommand, Command, Question, lazy
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.facts import NUMBER, YES_NO, Fact, subject_key
from forcepool.engine.ledger import LOST, Account
from forcepool.engine.places import HEX, TRACK, Place
from forcepool.engine.points import show_amounts
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.engine.world import World
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import NOT_ISOLATED
from forcepool.games.europa.replacements.cadres import ARMY_OR_HIGHER
from forcepool.games.europa.replacements.prices import INF
from forcepool.games.europa.replacements.purchase import Purchase
from forcepool.games.europa.replacements.special import SPECIAL
from forcepool.games.europa.replacements.tallies import COUNTED, SUPPLY, UNISOLATED, front_of, retally
from forcepool.games.europa.world import DISRUPTED, ELIMINATED, FORMING, ISOLATED, LOCAL, NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

POCKET, FORTIFICATION, ISLAND = KINDS = ("pocket", "fortification", "island")
AUXILIARY, OF_FRONT, OF_SIDE, CUT_OFF = "auxiliary", "auxiliary_front", "auxiliary_side", "auxiliary_cut_off"
FORMED = "auxiliary_pools_formed"

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
DISSOLVING = switch(
    "auxiliary-dissolved",
    "52.F.4.b/6",
    "what becomes of the points when an auxiliary pool is dissolved or loses its HQ",
    tenth="a tenth of them goes to the nation's pool as infantry",
    full="all of them go to the nation's pool",
    afresh="the losses behind them are reckoned afresh at a tenth, as infantry",
    lost="they are lost",
)
LAST_UNIT = switch(
    "last-unit-lost",
    "52.F.2/3",
    "what becomes of an auxiliary pool's points when the HQ that is lost was its last unit",
    lost="all are lost",
    dissolved="the pool is dissolved as if others were left",
)
ISLANDS = switch(
    "auxiliary-island",
    "52.F.4.b/8",
    "whether an island's pool ends when its units are no longer isolated",
    ends="it does",
    stays="an island keeps its pool for the whole game",
)


# ------------------------------------------------------------------------------------------- what is where


def pool_of(pocket: str) -> str:
    return LOCAL + pocket.strip().casefold()


def units_in(world: EuropaWorld, state: State, pool: str) -> list[Unit]:
    """The units on the map that were declared to be in the pocket, in order."""
    facts = world.facts(state)
    found = []
    for on in sorted(on for on, marks in state.marks.items() if "pocket" in marks):
        unit = state.units.get(on.removeprefix("unit/"))
        if unit is not None and unit.place.kind == HEX and pool_of(facts.of_unit(unit, "pocket")) == pool:
            found.append(unit)
    return found


def is_formed(world: EuropaWorld, state: State, pool: str) -> str:
    """'pocket', 'fortification' or 'island' when the pool was declared, else nothing."""
    return str(world.facts(state).of_area(pool, AUXILIARY) or "")


def front_around(world: EuropaWorld, state: State, pool: str) -> str:
    """The front an auxiliary pool was formed in."""
    return str(world.facts(state).of_area(pool, OF_FRONT) or "")


def is_army_hq(world: EuropaWorld, unit: Unit) -> bool:
    return world.has_role(unit.spec, "hq") and unit.spec.size in ARMY_OR_HIGHER


def any_isolated(world: EuropaWorld, state: State, units: list[Unit]) -> bool:
    facts = world.facts(state)
    return any(facts.isolated(unit) != NOT_ISOLATED for unit in units)


def formed_pools(world: EuropaWorld, state: State) -> list[str]:
    """Every auxiliary pool there is, in order."""
    return sorted(on.removeprefix("area/") for on, marks in state.marks.items() if AUXILIARY in marks)


def _held(state: State, pool: str) -> list[tuple[Account, Fraction]]:
    """The points in the pool, and those disrupted that would have come back to it."""
    return [
        (account, amount)
        for account, amount in sorted(state.balances.items())
        if amount and (account.pool == pool or _disrupted_of(account, pool))
    ]


def _disrupted_of(account: Account, pool: str) -> bool:
    return account.pool.startswith(DISRUPTED) and account.pool.endswith(f"/{pool}")


# --------------------------------------------------------------------------------------------------- forming


class Forming(Question):
    """An auxiliary pool to be formed."""

    world: EuropaWorld
    command: "FormAuxiliaryPool"

    @lazy
    def pool(self) -> str:
        return pool_of(self.command.pocket)

    @lazy
    def kind(self) -> str:
        if self.command.kind not in KINDS:
            raise BadCommand(f"kind= is {', '.join(KINDS)}, not '{self.command.kind}'")
        return self.command.kind

    @lazy
    def units(self) -> list[Unit]:
        return units_in(self.world, self.state, self.pool)

    @lazy
    def side(self) -> str:
        return self.world.side_of(self.units[0].spec.nation) if self.units else ""

    @lazy
    def front(self) -> str:
        """The front named, else the one the first unit's hex lies in."""
        if self.command.front:
            return self.world.pool_named(self.command.front)
        area = self.world.spot(self.units[0].place.of).area if self.units else ""
        return front_of(self.world, area, self.units[0].spec.nation) if area else ""

    @lazy
    def isolated(self) -> bool:
        return any_isolated(self.world, self.state, self.units)


@rule("52.F.4.b/1")
def is_a_place_for_a_pool(q: Forming) -> Verdict:
    """A pool is formed in an isolated pocket, a fortification, or on an island, where there are units."""
    if not q.units:
        return no(f"no unit is in {q.command.pocket}", remedy=f"declare pocket={q.command.pocket} for those that are")
    ruling = q.switch(NEEDS_ISOLATION.key)
    must = {POCKET: True, FORTIFICATION: ruling != "neither", ISLAND: ruling == "both"}[q.kind]
    if q.isolated or not must:
        return YES
    return no(f"the units in {q.command.pocket} are not isolated", remedy="their losses go to the front as usual")


@rule("52.F.4.b/2")
def is_no_excluded_island(q: Forming) -> Verdict:
    """Great Britain and Ireland are no islands here."""
    excluded = [name.casefold() for name in q.world.chart("no_auxiliary_islands")]
    if q.kind != ISLAND or q.command.pocket.strip().casefold() not in excluded:
        return YES
    return no(f"{q.command.pocket} does not count as an island", remedy="its losses go to the front as usual")


@rule("52.F.4.b/3")
def is_the_fronts_only_one(q: Forming) -> Verdict:
    """A front has one auxiliary pool."""
    if not q.front:
        return no(f"the front around {q.command.pocket} is not known", remedy="name it with front=")
    limit = q.world.numbers["auxiliary_pools_a_front"]
    others = [
        pool
        for pool in formed_pools(q.world, q.state)
        if front_around(q.world, q.state, pool) == q.front
        and q.world.facts(q.state).of_area(pool, OF_SIDE) == q.side
    ]
    if len(others) >= limit:
        return no(f"{q.front} has {', '.join(others)} already", remedy="dissolve or relieve that one first")
    before = q.world.facts(q.state).of_area(q.front, FORMED)
    if q.switch(ONE_A_FRONT.key) == "a-game" and isinstance(before, int) and before >= limit:
        return no(f"{q.front} has had its auxiliary pool in this game")
    return YES


@rule("52.F.4.b/4")
def has_an_army_hq(q: Forming) -> Verdict:
    """A pocket needs an army or front HQ; a fortification or an island needs none."""
    if q.kind != POCKET or any(is_army_hq(q.world, unit) for unit in q.units):
        return YES
    return no(f"no army or front HQ is in {q.command.pocket}", remedy="bring one in, or do without a pool")


class FormAuxiliaryPool(Command, tag="form-auxiliary-pool", frozen=True):
    """Declare an auxiliary pool: a pocket, fortification or island keeps its losses and points to itself."""

    pocket: str
    """Its name, as declared for the units in it with the fact 'pocket'."""
    kind: str = POCKET
    """pocket, fortification or island."""
    front: str = ""
    """The front it is in; left out, that of its units' hexes."""

    question = Forming
    requires = (is_a_place_for_a_pool, is_no_excluded_island, is_the_fronts_only_one, has_an_army_hq)

    def side(self, q: Forming) -> str:
        return q.side

    def effects(self, q: Forming) -> Iterator[Event]:
        on, front = subject_key("area", q.pool), subject_key("area", q.front)
        if is_formed(q.world, q.state, q.pool):
            raise BadCommand(f"{q.pool} is an auxiliary pool already")
        yield Marked(on=on, mark=AUXILIARY, value=q.kind, because="52.F.4.b/1")
        yield Marked(on=on, mark=OF_FRONT, value=q.front)
        yield Marked(on=on, mark=OF_SIDE, value=q.side)
        if q.isolated:
            yield Marked(on=on, mark=CUT_OFF, value=True)
        before = q.world.facts(q.state).of_area(q.front, FORMED)
        yield Marked(on=front, mark=FORMED, value=(before if isinstance(before, int) else 0) + 1)


# ------------------------------------------------------------------------------------------- relief and fall


def _cleared(state: State, pool: str, because: str) -> Iterator[Event]:
    """The pool is one no more, and the losses once counted in it are forgotten."""
    on = subject_key("area", pool)
    for mark in (AUXILIARY, OF_FRONT, OF_SIDE, CUT_OFF):
        if state.mark(on, mark) is not None:
            yield Marked(on=on, mark=mark, because=because)
    kept = f"{COUNTED}/{pool}"
    for account, amount in sorted(state.balances.items()):
        if account.pool == kept and amount:
            yield Transferred(amount=amount, kind=account.kind, nation=account.nation, frm=kept, to=COUNTED)


def _lying_in(state: State, pool: str) -> Iterator[Unit]:
    """Units in the pool's box or on its track."""
    for unit in state.units_in_order():
        if unit.place.of == pool and unit.place.kind in (ELIMINATED, TRACK, FORMING):
            yield unit


@computed("52.F.4.b/8")
def relieved(state: State, pool: str, front: str, because: str) -> Iterator[Event]:
    """Everything in the pool joins its front at once."""
    for account, amount in _held(state, pool):
        to = account.pool.removesuffix(pool) + front
        yield Transferred(
            amount=amount,
            kind=account.kind,
            nation=account.nation,
            frm=account.pool,
            to=to,
            because=because,
            says="the pocket is relieved",
        )
    for unit in _lying_in(state, pool):
        to_place = Place(unit.place.kind, front, unit.place.due)
        yield Moved(unit=unit.id, frm=unit.place, to=to_place, because=because, says="the pocket is relieved")
    yield from retally(state, pool, UNISOLATED, front, because)
    yield from _cleared(state, pool, because)


@computed("52.F.4.b/6")
def dissolved(world: EuropaWorld, state: State, pool: str, ruling: str, because: str) -> Iterator[Event]:
    """The units in the pool go to the ELIMINATED ISOLATED BOX, and little of the points is saved."""
    saved: dict[str, Fraction] = {}
    for account, amount in _held(state, pool):
        full = ruling == "full"
        yield Transferred(
            amount=amount,
            kind=account.kind,
            nation=account.nation,
            frm=account.pool,
            to=NATIONAL + account.nation if full else LOST,
            because=because,
            says="the auxiliary pool is dissolved",
        )
        if ruling == "tenth":
            saved[account.nation] = saved.get(account.nation, Fraction(0)) + amount
    if ruling == "afresh":
        for account, amount in sorted(state.balances.items()):
            if account.pool == f"{COUNTED}/{pool}" and amount:
                saved[account.nation] = saved.get(account.nation, Fraction(0)) + amount
    rate = world.numbers["dissolved_rate"]
    for nation, amount in sorted(saved.items()):
        yield Transferred(
            amount=amount * rate,
            kind=INF,
            nation=nation,
            frm=SPECIAL,
            to=NATIONAL + nation,
            because=because,
            says=f"{amount} × {rate} = {amount * rate}, as isolated losses",
        )
    yield from _to_the_isolated_box(world, state, pool, because)


@computed("52.F.2/3")
def fallen(world: EuropaWorld, state: State, pool: str) -> Iterator[Event]:
    """With its last unit a pocket loses all the points saved in it."""
    for account, amount in _held(state, pool):
        yield Transferred(
            amount=amount,
            kind=account.kind,
            nation=account.nation,
            frm=account.pool,
            to=LOST,
            because="52.F.2/3",
            says="the last unit of the pocket is lost",
        )
    yield from _to_the_isolated_box(world, state, pool, "52.F.2/3")


def _to_the_isolated_box(world: EuropaWorld, state: State, pool: str, because: str) -> Iterator[Event]:
    for unit in _lying_in(state, pool):
        to = Place(ISOLATED, NATIONAL + unit.spec.nation)
        yield Moved(unit=unit.id, frm=unit.place, to=to, because=because)
    front = front_around(world, state, pool) or pool
    yield from retally(state, pool, SUPPLY, front, because)
    yield from _cleared(state, pool, because)


class DissolveAuxiliaryPool(Command, tag="dissolve-auxiliary-pool", frozen=True):
    """Give an auxiliary pool up: its units and points are treated as isolated losses."""

    pool: str

    def side(self, q: Question) -> str:
        assert isinstance(q.world, EuropaWorld)
        return str(q.world.facts(q.state).of_area(q.world.pool_named(self.pool), OF_SIDE) or "")

    def effects(self, q: Question) -> Iterator[Event]:
        assert isinstance(q.world, EuropaWorld)
        pool = q.world.pool_named(self.pool)
        if not is_formed(q.world, q.state, pool):
            known = ", ".join(formed_pools(q.world, q.state)) or "none"
            raise BadCommand(f"{pool} is no auxiliary pool; there are {known}")
        yield from dissolved(q.world, q.state, pool, q.switch(DISSOLVING.key), "52.F.4.b/7 52.F.4.b/6")


class JoinLocalPool(Command, tag="join-local-pool", frozen=True):
    """A pocket is relieved: what its local pool holds joins the front's pool."""

    pool: str
    into: str = ""
    """The front's pool; may be left out for an auxiliary pool, which knows its front."""

    def effects(self, q: Question) -> Iterator[Event]:
        assert isinstance(q.world, EuropaWorld)
        pool = q.world.pool_named(self.pool)
        if not pool.startswith(LOCAL):
            raise BadCommand(f"{pool} is not a local pool; those are called local/ and the name of the pocket")
        into = q.world.pool_named(self.into) if self.into else front_around(q.world, q.state, pool)
        if not into:
            raise BadCommand(f"say with into= which front's pool {pool} joins")
        why = "52.F.4.b/8" if is_formed(q.world, q.state, pool) else "52.A.9.c/8"
        events = list(relieved(q.state, pool, into, why))
        if not events:
            raise BadCommand(f"{pool} holds nothing that could join {into}; 'forcepool ledger' shows what each pool holds")
        yield from events


# ------------------------------------------------------------------------------------- by itself, and replacing


def is_relieved(world: EuropaWorld, state: State, pool: str) -> bool:
    """Whether units that were cut off when the pool was formed, or since, are isolated no more."""
    facts = world.facts(state)
    if facts.of_area(pool, CUT_OFF) is not True:
        return False
    kept = is_formed(world, state, pool) == ISLAND and _ruling(world, state, ISLANDS.key) == "stays"
    units = units_in(world, state, pool)
    return bool(units) and not kept and not any_isolated(world, state, units)


def _ruling(world: EuropaWorld, state: State, key: str) -> str:
    return state.switches.get(key) or world.default_rulings[key]


def relieve_those_reached(world: World, state: State) -> Iterator[Event]:
    """As a phase ends, a pool whose units are no longer isolated joins its front."""
    assert isinstance(world, EuropaWorld)
    for pool in formed_pools(world, state):
        if is_relieved(world, state, pool):
            yield from relieved(state, pool, front_around(world, state, pool), "52.F.4.b/8")
        elif any_isolated(world, state, units_in(world, state, pool)):
            on = subject_key("area", pool)
            if state.mark(on, CUT_OFF) is None:
                yield Marked(on=on, mark=CUT_OFF, value=True)


@rule("52.F.4.b/5")
def pool_pays_for_its_own(q: Purchase) -> Verdict:
    """Units lying in an auxiliary pool are replaced with that pool's points alone."""
    lies_in = q.unit.place.of
    if not lies_in.startswith(LOCAL):
        return YES
    if q.switch(THE_ELIMINATED.key) == "until-relief":
        return no(f"{q.unit.id} lies in {lies_in}", remedy="it can be replaced once that is relieved")
    if q.payer == lies_in:
        return yes("52.F.4.b/5", f"replaced inside {lies_in.removeprefix(LOCAL)}")
    return no(f"{q.unit.id} lies in {lies_in}, {q.payer} cannot reach it", remedy=f"pay from {lies_in}")


def pools_in_danger(world: World, state: State) -> Iterator[Item]:
    """Auxiliary pools, and what would be lost with them."""
    assert isinstance(world, EuropaWorld)
    for pool in formed_pools(world, state):
        side = str(world.facts(state).of_area(pool, OF_SIDE) or "")
        points: dict[str, Fraction] = {}
        for account, amount in _held(state, pool):
            points[account.kind] = points.get(account.kind, Fraction(0)) + amount
        units = len(list(_lying_in(state, pool)))
        holds = f"{show_amounts(points)} and {units} unit{'' if units == 1 else 's'}"
        if is_relieved(world, state, pool):
            join = JoinLocalPool(pool=pool)
            yield Item(DUE, f"{pool} is relieved: {holds} join {front_around(world, state, pool)}", "52.F.4.b/8", side, join)
            continue
        text = f"{pool} holds {holds}: all but a tenth of the points is lost if its HQ is, all with its last unit"
        yield Item(NEWS, text, "52.F.4.b/6", side)


_KEPT = (
    Fact(AUXILIARY, ("area",), "what kind of auxiliary pool it is", "", by_hand=False),
    Fact(OF_FRONT, ("area",), "the front an auxiliary pool is in", "", by_hand=False),
    Fact(OF_SIDE, ("area",), "whose auxiliary pool it is", "", by_hand=False),
    Fact(CUT_OFF, ("area",), "the units of the auxiliary pool have been isolated", False, YES_NO, by_hand=False),
    Fact(FORMED, ("area",), "auxiliary pools formed in the front", 0, NUMBER, by_hand=False),
)
CHAPTER = Chapter(
    heading="52.F.4.b",
    commands=(FormAuxiliaryPool, DissolveAuxiliaryPool, JoinLocalPool),
    facts=_KEPT,
    guards={"replace": (pool_pays_for_its_own,)},
    switches=(NEEDS_ISOLATION, ONE_A_FRONT, THE_ELIMINATED, DISSOLVING, LAST_UNIT, ISLANDS),
    charts={"no_auxiliary_islands": tuple[str, ...]},
    ends=(relieve_those_reached,),
    agenda=(pools_in_danger,),
)
