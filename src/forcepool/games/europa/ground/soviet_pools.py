"""52.D.2  The Soviet pools: two general ones, one an MD, and those of places that are cut off; and when they fill."""

from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.command import BadCommand
from forcepool.engine.events import Transferred
from forcepool.engine.facts import TURN, Fact
from forcepool.engine.state import State
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.world import LOCAL, NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

SOVIET_UNION = "Soviet Union"
SOVIET, AXIS = "Soviet", "Axis"

GENERAL = "general/"
GENERAL_ARMOUR = "general/armour"
GENERAL_ARTILLERY = "general/artillery"
CITY = "city/"
FACTORY = "factory/"
MD = "md/"

INF, ARM, ART, VOL = "inf", "arm", "art", "vol"
COAST = "coast"

GENERAL_POOLS = {ARM: GENERAL_ARMOUR, ART: GENERAL_ARTILLERY}
"""Where points of a kind go when the factory or the loss that made them is not cut off."""

INITIAL, REINFORCEMENT = "initial", "reinforcement"
INVASION = "invasion"


def city_pool(city: str) -> str:
    """What an isolated replacement city has piled up."""
    return CITY + city.casefold()


def factory_pool(place: str) -> str:
    """What an isolated factory has piled up."""
    return FACTORY + place.casefold()


@computed("52.D.2.c/1")
def home_of(pool: str, nation: str, kind: str) -> str:
    """Soviet armour and artillery RPs lie in the general pools, whichever front or MD they come back from."""
    cut_off = pool.startswith((CITY, FACTORY, LOCAL))
    return pool if cut_off or nation != SOVIET_UNION else GENERAL_POOLS.get(kind, pool)


@computed("52.D.2/6")
def is_contingent(world: EuropaWorld, state: State, nation: str) -> bool:
    """Whether the nation printed on a unit makes it a foreign contingent of the Soviet Army it fights for."""
    listed = world.profile.nations.get(nation)
    ours = listed is not None and listed.contingent_of == SOVIET_UNION
    return ours and world.side_now(state, nation) == SOVIET


@computed("52.D.2.e/1")
def own_pool(world: EuropaWorld, state: State, pool: str, nation: str, kind: str) -> str:
    """A contingent's infantry RPs belong to no MD, whichever they come back from; others go where they belong."""
    cut_off = pool.startswith((CITY, FACTORY, LOCAL))
    if kind == INF and not cut_off and is_contingent(world, state, nation):
        return NATIONAL + nation
    return home_of(pool, nation, kind)


@computed("52.D.2/3", "52.D.2.e/1")
def lies_in(world: EuropaWorld, state: State, pool: str, nation: str, kind: str) -> tuple[str, str]:
    """Where points of a nation's unit lie, and whose they are there: a contingent's machines are the Soviet Union's."""
    of_the_army = kind in GENERAL_POOLS and is_contingent(world, state, nation)
    whose = SOVIET_UNION if of_the_army else nation
    return own_pool(world, state, pool, whose, kind), whose


def md_pool(name: str) -> str:
    """The pool of an MD by its name, with or without the word."""
    return name.casefold() if "/" in name else MD + name.casefold()


def must_be_known(world: EuropaWorld, chart: str, *, place: str = "", md: str = "", turns: Iterable[str] = ()) -> None:
    """What a line of a chart names must exist, and is told when the campaign is set up rather than in mid-war."""
    if place and world.hex_name(place) not in world.spots:
        raise BadCommand(f"{chart}: there is no place '{place}'; list it under places, with its md")
    if md:
        world.pool_named(md_pool(md))
    for turn in turns:
        if turn:
            world.calendar.parse(turn)


def in_soviet(phase: str, world: EuropaWorld, state: State) -> bool:
    """Whether it is this phase of the Soviet player-turn."""
    return world.phase(state) == phase and world.phasing(state) == SOVIET


def invasion(world: EuropaWorld, state: State) -> int | None:
    """The turn the Soviet Union was invaded; None while it is at peace."""
    turn = world.facts(state).of_campaign(INVASION)
    return turn if isinstance(turn, int) else None


@computed("52.D.2/1")
def sources_pay(world: EuropaWorld, state: State, turn: int = 0) -> bool:
    """Cities and factories send nothing until the turn after the invasion."""
    invaded = invasion(world, state)
    return invaded is not None and (turn or state.clock.turn) > invaded


def moved_on(state: State, pool: str, to: str, because: str, says: str) -> Iterator[Transferred]:
    """Everything a pool holds goes elsewhere: to another pool when relieved, to the lost points when captured."""
    for account, balance in sorted(state.balances.items()):
        if account.pool == pool and balance:
            yield Transferred(
                amount=balance,
                kind=account.kind,
                nation=account.nation,
                frm=pool,
                to=to,
                because=because,
                says=says,
            )


def held(state: State, *pools: str, of: Collection[str] = ()) -> dict[str, Fraction]:
    """What some pools hold together, of some nations or of all, by kind of point."""
    amounts: dict[str, Fraction] = {}
    for account in sorted(each for each in state.balances if each.pool in pools):
        if (balance := state.balances[account]) and (not of or account.nation in of):
            amounts[account.kind] = amounts.get(account.kind, Fraction(0)) + balance
    return amounts


def waits_for_an_invasion(world: EuropaWorld, state: State) -> Iterator[Item]:
    """A reminder, where a scenario lists Soviet sources, that nothing comes before the invasion is declared."""
    if invasion(world, state) is None and (world.chart("soviet_replacements") or world.chart("soviet_factories")):
        text = "the Soviet Union has not been invaded: its cities and factories send nothing yet (declare invasion)"
        yield Item(OPEN, text, "52.D.2/1", SOVIET)


CHAPTER = Chapter(
    heading="52.D.2",
    facts=(Fact(INVASION, ("campaign",), "the turn the Soviet Union was invaded", None, TURN),),
    pools=(GENERAL[:-1], CITY[:-1], FACTORY[:-1]),
    points=(VOL,),
    agenda=(waits_for_an_invasion,),
)
