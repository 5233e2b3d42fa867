"""52.D.2.b, 52.D.2.c and 52.D.2.c.1  Soviet factories: what they make, where it goes, and what a cut-off one keeps."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.agenda import LAPSES, NEWS, Item
from forcepool.engine.calendar import Turn
from forcepool.engine.desk import Declaring
from forcepool.engine.events import Event, Transferred
from forcepool.engine.facts import NUMBER, YES_NO, Fact, kept, place_key
from forcepool.engine.ledger import LOST
from forcepool.engine.points import show_amounts, show_points
from forcepool.engine.sentence import the_place, the_pool
from forcepool.engine.state import State
from forcepool.engine.verdicts import Remedy
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.ownership import takings
from forcepool.games.europa.ground.pools import accounts_of
from forcepool.games.europa.ground.soviet_pools import (
    ARM,
    ART,
    AXIS,
    FACTORY,
    GENERAL_POOLS,
    INITIAL,
    REINFORCEMENT,
    SOVIET,
    SOVIET_UNION,
    factory_pool,
    held,
    in_soviet,
    moved_on,
    must_be_known,
    sources_pay,
)
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.replacements.general.receipts import is_claimed, receiving_turns, when_enough
from forcepool.games.europa.replacements.soviet.energy import least_share, output_share
from forcepool.games.europa.world import NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

FACTORIES = "source/soviet factories"


class Factory(Struct, frozen=True, forbid_unknown_fields=True):
    """What each factory of a place makes on a production turn, and the turns of a month it produces on."""

    arm: Fraction = Fraction(0)
    art: Fraction = Fraction(0)
    weeks: tuple[int, ...] = ()


class ProductionTurns(Struct, frozen=True, forbid_unknown_fields=True):
    """The turns of a month on which factories produce unless their own line says otherwise."""

    weeks: tuple[int, ...]
    clause: str


def number_of(world: EuropaWorld, state: State, place: str) -> int:
    """How many factories stand in the hex."""
    return world.facts(state).count(place_key(place), "factories")


def producing(world: EuropaWorld, state: State) -> list[str]:
    """The Soviet-owned places with factories in production."""
    facts = world.facts(state)
    return [place for place in facts.places_where("producing", True) if facts.owner(place) in ("", SOVIET)]


# ----------------------------------------------------------------------------------------------- production


def production(world: EuropaWorld, state: State) -> Iterator[Event]:
    """In the Soviet reinforcement phase the factories in production send what they made."""
    if in_soviet(REINFORCEMENT, world, state):
        yield from due_now(world, state)


def due_now(world: EuropaWorld, state: State) -> Iterator[Transferred]:
    """What every factory sends this turn."""
    rates: dict[str, Factory] = dict(world.chart("soviet_factories"))
    if not rates or not sources_pay(world, state):
        return
    for place in producing(world, state):
        if place in rates and world.calendar.week(state.clock.turn) in weeks(world, rates[place]):
            yield from makes(world, state, place, rates[place])


def weeks(world: EuropaWorld, factory: Factory) -> tuple[int, ...]:
    """The production turns of a factory: its own, else those of all."""
    shared: tuple[ProductionTurns, ...] = world.chart("production_turns")
    return factory.weeks or shared[0].weeks


@computed("52.D.2/2", "52.D.2.b/1")
def makes(world: EuropaWorld, state: State, place: str, factory: Factory) -> Iterator[Transferred]:
    """A factory's armour and artillery RPs, less what a want of coal or oil costs it."""
    number, share = number_of(world, state, place), output_share(world, state, place)
    cut_off = world.facts(state).is_cut_off(SOVIET, place)
    for kind, rate in ((ARM, factory.arm), (ART, factory.art)):
        amount = rate * number * share
        if amount:
            pool, clause = kept_at_the_factory(place) if cut_off else to_the_general_pool(kind)
            working = f"{the_place(place)}: {number} × {show_points(rate)} {kind}"
            halved = f" × {show_points(share)} for want of coal or oil" if share != 1 else ""
            because = f"52.D.2.b/1 {'52.D.2.c.3/10 ' if halved else ''}{clause}"
            yield Transferred(
                amount=amount,
                kind=kind,
                nation=SOVIET_UNION,
                frm=FACTORIES,
                to=pool,
                because=because,
                says=working + halved,
            )


@computed("52.D.2.c/1")
def to_the_general_pool(kind: str) -> tuple[str, str]:
    """Armour RPs go into one general pool, artillery RPs into another."""
    return GENERAL_POOLS[kind], "52.D.2.c/1"


@computed("52.D.2.c.1/1")
def kept_at_the_factory(place: str) -> tuple[str, str]:
    """An isolated factory keeps what it makes."""
    return factory_pool(place), "52.D.2.c.1/1"


def by_the_factories(q: EuropaQuestion, pool: str, nation: str, kind: str, missing: Fraction) -> Iterator[Remedy]:
    """The turn by which the factories will have made what a general pool or a store lacks, as things stand."""
    if nation == SOVIET_UNION and not is_claimed(q.state, nation, kind):
        yield from when_enough(q, factories_send(q.world, q.facts, pool, kind), missing)


@kept
def factories_send(world: EuropaWorld, facts: EuropaFacts, pool: str, kind: str) -> tuple[tuple[int, Fraction], ...]:
    """What a pool gets of its factories, turn by turn; those that want coal or oil are counted at their least."""
    rates: dict[str, Factory] = dict(world.chart("soviet_factories"))
    state = facts.state
    mine = []
    for place in producing(world, state) if rates else ():
        to = factory_pool(place) if facts.is_cut_off(SOVIET, place) else GENERAL_POOLS.get(kind)
        if place in rates and to == pool:
            rate = {ARM: rates[place].arm, ART: rates[place].art}.get(kind, Fraction(0))
            mine.append((rate * number_of(world, state, place) * least_share(world, state, place), rates[place]))
    turns = receiving_turns(world, state, SOVIET_UNION) if mine else ()
    sent = {
        turn: sum((made for made, each in mine if world.calendar.week(Turn(turn)) in weeks(world, each)), Fraction(0))
        for turn in turns
        if sources_pay(world, state, turn)
    }
    return tuple((turn, amount) for turn, amount in sent.items() if amount)


def check_chart(world: EuropaWorld, state: State) -> Iterator[Event]:
    """Every factory stands at a place that exists."""
    for place in dict(world.chart("soviet_factories")):
        must_be_known(world, "soviet_factories", place=place)
    yield from ()


# ---------------------------------------------------------------------------------------- relief and capture


def relieved(world: EuropaWorld, state: State) -> Iterator[Event]:
    """What isolated factories piled up joins the general pools once an initial phase finds them unisolated."""
    if not in_soviet(INITIAL, world, state):
        return
    for pool in sorted({each.pool for each in state.balances if each.pool.startswith(FACTORY)}):
        place = world.hex_name(pool.removeprefix(FACTORY))
        if not world.facts(state).is_cut_off(SOVIET, place):
            yield from joins(state, pool, place)


@computed("52.D.2.c.1/4")
def joins(state: State, pool: str, place: str) -> Iterator[Event]:
    """A relieved factory's points go to the general pool of their kind."""
    for event in moved_on(state, pool, pool, "52.D.2.c.1/4", f"{the_place(place)} is relieved"):
        yield replace(event, to=GENERAL_POOLS.get(event.kind, NATIONAL + SOVIET_UNION))


def captured(q: Declaring) -> Iterator[Event]:
    """When the enemy comes to own an isolated factory, what it piled up is lost."""
    for place, _, now in takings(q):
        if now == AXIS:
            yield from loses_its_store(q.state, place)


@computed("52.D.2.c.1/5")
def loses_its_store(state: State, place: str) -> Iterator[Event]:
    """All RPs at a captured factory go, those not yet usable included, whichever Axis force took it."""
    for pool in accounts_of(state, factory_pool(place)):
        yield from moved_on(state, pool, LOST, "52.D.2.c.1/5", f"{the_place(place)} is captured")


# --------------------------------------------------------------------------------------------------- agenda


def factories_this_turn(world: EuropaWorld, state: State) -> Iterator[Item]:
    """What the factories will send this turn, until they have."""
    if not in_soviet(INITIAL, world, state):
        return
    for each in due_now(world, state):
        what = f"{show_points(each.amount)} {each.kind} for {the_pool(each.to)}"
        text = f"{each.says}: {what} in the {world.phase_called(REINFORCEMENT)}"
        yield Item(NEWS, text, "52.D.2.b/1", SOVIET)


def stores_at_risk(world: EuropaWorld, state: State) -> Iterator[Item]:
    """What isolated factories would lose."""
    for pool in sorted({each.pool for each in state.balances if each.pool.startswith(FACTORY)}):
        if amounts := held(state, pool):
            place = world.hex_name(pool.removeprefix(FACTORY))
            text = f"the factory at {the_place(place)} is isolated and holds {show_amounts(amounts)}: lost if it falls"
            yield Item(LAPSES, text, "52.D.2.c.1/5", SOVIET)


CHAPTER = Chapter(
    heading="52.D.2.b",
    facts=(
        Fact("producing", ("place",), "there is a factory in production", False, YES_NO),
        Fact("factories", ("place",), "the number of factories in the hex", 1, NUMBER),
    ),
    happens=(relieved, production),
    ends=(relieved,),
    opening=(check_chart,),
    declared={"owner": (captured,)},
    agenda=(factories_this_turn, stores_at_risk),
    fills=(by_the_factories,),
    charts={"soviet_factories": dict[str, Factory], "production_turns": tuple[ProductionTurns, ...]},
)
