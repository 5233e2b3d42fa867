"""52.D.2.d  Soviet infantry RPs: the replacement cities of the MDs, and the MDs that lie off the map."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.agenda import LAPSES, NEWS, Item
from forcepool.engine.calendar import Turn
from forcepool.engine.command import BadCommand
from forcepool.engine.desk import Declaring
from forcepool.engine.events import Event, Transferred
from forcepool.engine.facts import YES_NO, Fact, kept
from forcepool.engine.ledger import LOST
from forcepool.engine.points import show_amounts, show_points
from forcepool.engine.sentence import the_place, the_pool
from forcepool.engine.state import State
from forcepool.engine.verdicts import Remedy
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.ownership import (
    cities_of,
    cities_taken,
    facts_of,
    md_of,
    owners_then,
    takings,
    turn_fact,
    world_of,
)
from forcepool.games.europa.ground.pools import accounts_of
from forcepool.games.europa.ground.soviet_pools import (
    AXIS,
    CITY,
    GENERAL_POOLS,
    INF,
    INITIAL,
    MD,
    REINFORCEMENT,
    SOVIET,
    SOVIET_UNION,
    city_pool,
    held,
    in_soviet,
    md_pool,
    moved_on,
    must_be_known,
    sources_pay,
)
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.replacements.general.receipts import (
    forfeits_men,
    is_claimed,
    receiving_turns,
    when_enough,
)
from forcepool.games.europa.world import NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

CITIES = "source/soviet cities"


class SovietLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    """A line of the SOVIET REPLACEMENT CHART: a city or an off-map MD, and its infantry RPs."""

    inf: Fraction
    city: str = ""
    md: str = ""
    from_: str = ""
    until: str = ""


class Interval(Struct, frozen=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """From a turn on, the turns of a month on which infantry RPs are received."""

    weeks: tuple[int, ...]
    clause: str
    from_: str = ""
    months: tuple[int, ...] = ()
    """The months of the year they are received in; left out, every month."""


# ------------------------------------------------------------------------------------------------- receipts


@computed("52.D.2.d/2")
def is_receipt_turn(world: EuropaWorld, now: int) -> bool:
    """At first every turn 1 and 3 of a month; from later dates on, the longer intervals that the OB lists."""
    calendar = world.calendar
    begun = [each for each in world.chart("soviet_intervals") if not each.from_ or has_come(world, each.from_, now)]
    latest = max(begun, key=lambda each: calendar.parse(each.from_).turn if each.from_ else 0)
    of_the_month = not latest.months or calendar.month(Turn(now)) in latest.months
    return calendar.week(Turn(now)) in latest.weeks and of_the_month


def has_come(world: EuropaWorld, turn: str, now: int) -> bool:
    return world.calendar.parse(turn).turn <= now


def in_force(world: EuropaWorld, line: SovietLine, now: int) -> bool:
    """Whether a line of the chart is valid on a turn."""
    return (not line.from_ or has_come(world, line.from_, now)) and (
        not line.until or now <= world.calendar.parse(line.until).turn
    )


def receipts(world: EuropaWorld, state: State) -> Iterator[Event]:
    """In the Soviet reinforcement phase the cities and off-map MDs send their infantry RPs."""
    if in_soviet(REINFORCEMENT, world, state):
        yield from due_now(world, state)


def due_now(world: EuropaWorld, state: State) -> Iterator[Transferred]:
    """What every city and off-map MD sends this turn."""
    lines: tuple[SovietLine, ...] = world.chart("soviet_replacements")
    if not lines or not sources_pay(world, state) or not is_receipt_turn(world, state.clock.turn):
        return
    for line in lines:
        if in_force(world, line, state.clock.turn):
            yield from from_city(world, state, line) if line.city else from_off_map(line)


@computed("52.D.2/2", "52.D.2.d/1")
def from_city(world: EuropaWorld, state: State, line: SovietLine) -> Iterator[Transferred]:
    """A city sends its RPs unless the Axis owns it or it was taken back too lately."""
    facts, city = world.facts(state), world.hex_name(line.city)
    if facts.owner(city) in ("", SOVIET) and not recovers(world, state, city, state.clock.turn):
        yield (
            kept_at_the_city(city, line.inf)
            if facts.is_cut_off(SOVIET, city)
            else to_its_md(world, state, city, line.inf)
        )


@computed("52.D.2.d.ii/1")
def kept_at_the_city(city: str, amount: Fraction) -> Transferred:
    """An isolated city keeps what it raises."""
    return _received(amount, city_pool(city), "52.D.2.d.ii/1", f"{the_place(city)}, isolated")


@computed("52.D.2.d.i/1", "52.D.2.d.i/2")
def to_its_md(world: EuropaWorld, state: State, city: str, amount: Fraction) -> Transferred:
    """Any other city adds to the pool of its own MD and no other."""
    pool = md_of(world, world.facts(state), city) or NATIONAL + SOVIET_UNION
    return _received(amount, pool, "52.D.2.d.i/2", city)


@computed("52.D.2.d.v/1")
def from_off_map(line: SovietLine) -> Iterator[Transferred]:
    """Each off-map MD has a pool of its own."""
    yield _received(line.inf, md_pool(line.md), "52.D.2.d.v/1", f"off-map MD {line.md}")


@computed("52.D.2.d.iv/1")
def recovers(world: EuropaWorld, state: State, city: str, turn: int) -> bool:
    """A city taken back from the Axis sends nothing before the twelfth turn after."""
    facts = world.facts(state)
    taken = turn_fact(facts, city, "taken_on")
    if taken is None or facts.of_place(city, "taken_from") != AXIS:
        return False
    return turn < taken + world.numbers["recapture_delay"]


def by_the_cities(q: EuropaQuestion, pool: str, nation: str, kind: str, missing: Fraction) -> Iterator[Remedy]:
    """The turn by which the cities of an MD, or an off-map MD, will have sent what it lacks, as things stand."""
    sure = not is_claimed(q.state, nation, kind) and not forfeits_men(q.world, q.state, nation, kind)
    if (nation, kind) == (SOVIET_UNION, INF) and sure:
        yield from when_enough(q, cities_send(q.world, q.facts, pool), missing)


@kept
def cities_send(world: EuropaWorld, facts: EuropaFacts, pool: str) -> tuple[tuple[int, Fraction], ...]:
    """What a pool gets of its cities, turn by turn, as far as a player looks ahead."""
    lines: tuple[SovietLine, ...] = world.chart("soviet_replacements")
    mine = [line for line in lines if _destination(world, facts, line) == pool]
    state = facts.state
    return tuple(
        (turn, sum((line.inf for line in mine if _sends(world, state, line, turn)), Fraction(0)))
        for turn in (receiving_turns(world, state, SOVIET_UNION) if mine else ())
        if sources_pay(world, state, turn) and is_receipt_turn(world, turn)
    )


def _destination(world: EuropaWorld, facts: EuropaFacts, line: SovietLine) -> str:
    """The pool a line's points go to as things stand; none while the enemy owns the city."""
    if not line.city:
        return md_pool(line.md)
    city = world.hex_name(line.city)
    if facts.owner(city) not in ("", SOVIET):
        return ""
    return city_pool(city) if facts.is_cut_off(SOVIET, city) else md_of(world, facts, city) or NATIONAL + SOVIET_UNION


def _sends(world: EuropaWorld, state: State, line: SovietLine, turn: int) -> bool:
    """Whether a line of the chart holds on a turn, and its city, if it was lost, sends again by then."""
    recovering = line.city and recovers(world, state, world.hex_name(line.city), turn)
    return in_force(world, line, turn) and not recovering


def _received(amount: Fraction, pool: str, because: str, says: str) -> Transferred:
    return Transferred(
        amount=amount, kind=INF, nation=SOVIET_UNION, frm=CITIES, to=pool, because=f"52.D.2.d/1 {because}", says=says
    )


def check_charts(world: EuropaWorld, state: State) -> Iterator[Event]:
    """Every line names a city or an off-map MD that exists, and turns that do."""
    for line in world.chart("soviet_replacements"):
        if bool(line.city) == bool(line.md):
            raise BadCommand("soviet_replacements: a line names either a city or an off-map MD")
        must_be_known(world, "soviet_replacements", place=line.city, md=line.md, turns=(line.from_, line.until))
    for interval in world.chart("soviet_intervals"):
        must_be_known(world, "soviet_intervals", turns=(interval.from_,))
    yield from ()


# -------------------------------------------------------------------------------------- relief, loss, overrun


def relieved(world: EuropaWorld, state: State) -> Iterator[Event]:
    """What isolated cities piled up joins its MD in the first initial phase that finds them unisolated."""
    if world.phase(state) != INITIAL:
        return
    facts = world.facts(state)
    for pool, nation in sorted({(each.pool, each.nation) for each in state.balances if each.pool.startswith(CITY)}):
        city = world.hex_name(pool.removeprefix(CITY))
        if (side := world.side_now(state, nation)) == world.phasing(state) and not facts.is_cut_off(side, city):
            home = md_of(world, facts, city) if nation == SOVIET_UNION else ""
            yield from joins(state, pool, home or NATIONAL + nation, city)


@computed("52.D.2.d.ii/1")
def joins(state: State, pool: str, into: str, city: str) -> Iterator[Event]:
    """A relieved city's own points go where its points always go, armour and artillery to the general pools."""
    for each in moved_on(state, pool, into, "52.D.2.d.ii/1", f"{the_place(city)} is relieved"):
        general = GENERAL_POOLS.get(each.kind, "") if each.nation == SOVIET_UNION else ""
        yield replace(each, to=general, because="52.J.2.d/2") if general else each


def captured(q: Declaring) -> Iterator[Event]:
    """When the enemy comes to own an isolated city, what it piled up is lost."""
    for place, _, now in takings(q):
        for each in loses_its_store(q.state, place) if now else ():
            if world_of(q).side_now(q.state, each.nation) != now:
                yield each


@computed("52.D.2.d.ii/4")
def loses_its_store(state: State, city: str) -> Iterator[Transferred]:
    """All RPs at a captured city go, those not yet usable included."""
    for pool in accounts_of(state, city_pool(city)):
        yield from moved_on(state, pool, LOST, "52.D.2.d.ii/4", f"{the_place(city)} is captured")


def overrun(q: Declaring) -> Iterator[Event]:
    """When the last dot or major city of an MD falls, its pool is lost."""
    world, facts = world_of(q), facts_of(q)
    taken = [each.place for each in cities_taken(q) if each.now == AXIS]
    for md in sorted({md_of(world, facts, city) for city in taken}):
        cities = cities_of(world, facts, md)
        if md.startswith(MD) and not set(cities).isdisjoint(taken):
            yield from loses_its_pool(q, md, cities)


@computed("52.D.2.d.i/5")
def loses_its_pool(q: Declaring, md: str, cities: list[str]) -> Iterator[Event]:
    """Every RP of an MD goes, those on their way to it included, once the Axis owns all its dot and major cities."""
    owner = owners_then(q)
    if not all(owner(city) == AXIS for city in cities):
        return
    world, says = world_of(q), f"every dot and major city of {the_pool(md)} is lost"
    for pool in accounts_of(q.state, md):
        for each in moved_on(q.state, pool, LOST, "52.D.2.d.i/5", says):
            # The Axis loses nothing by taking the last city of an MD, nor do neutrals.
            if world.side_now(q.state, each.nation) == SOVIET:
                yield each


# --------------------------------------------------------------------------------------------------- agenda


def cities_this_turn(world: EuropaWorld, state: State) -> Iterator[Item]:
    """What the cities will send this turn, until they have."""
    if world.phasing(state) != SOVIET or world.phase(state) != INITIAL:
        return
    for each in due_now(world, state):
        text = (
            f"{each.says}: {show_points(each.amount)} inf for {the_pool(each.to)} in the "
            f"{world.phase_called(REINFORCEMENT)}"
        )
        yield Item(NEWS, text, each.because.split()[-1], SOVIET)


def stores_at_risk(world: EuropaWorld, state: State) -> Iterator[Item]:
    """What isolated cities would lose, each to the side whose men they are."""
    for pool, nation in sorted({(each.pool, each.nation) for each in state.balances if each.pool.startswith(CITY)}):
        if amounts := held(state, pool, of=(nation,)):
            city = world.hex_name(pool.removeprefix(CITY))
            text = f"{the_place(city)} is isolated and holds {show_amounts(amounts)}: lost if it falls"
            yield Item(LAPSES, text, "52.D.2.d.ii/4", world.side_now(state, nation))


def mds_at_risk(world: EuropaWorld, state: State) -> Iterator[Item]:
    """MDs that hang on their last city, with what they hold and what is on its way to them."""
    facts = world.facts(state)
    soviet = {nation for nation in world.sides if world.side_now(state, nation) == SOVIET}
    for md in sorted(area for area in world.areas if area.startswith(MD)):
        cities = cities_of(world, facts, md)
        ours = [city for city in cities if facts.owner(city) != AXIS]
        if len(ours) == 1 < len(cities) and (amounts := held(state, *accounts_of(state, md), of=soviet)):
            text = (
                f"{the_pool(md)} holds {show_amounts(amounts)}: lost if {the_place(ours[0])}, its last dot or "
                "major city, falls"
            )
            yield Item(LAPSES, text, "52.D.2.d.i/5", SOVIET)


CHAPTER = Chapter(
    heading="52.D.2.d",
    facts=(Fact("off_map", ("area",), "the MD lies off the map", False, YES_NO),),
    happens=(relieved, receipts),
    ends=(relieved,),
    opening=(check_charts,),
    declared={"owner": (captured, overrun)},
    agenda=(cities_this_turn, stores_at_risk, mds_at_risk),
    fills=(by_the_cities,),
    charts={
        "soviet_replacements": tuple[SovietLine, ...],
        "soviet_intervals": tuple[Interval, ...],
    },
)
