"""52.A.8, 52.A.10 and the national lists  Which units are limited, and how much of each kind a nation may replace."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import GAME_TURN, TURN, WORDS, Fact, fixed, kept
from forcepool.engine.ledger import is_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import UnitSpec
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.soviet_pools import INVASION, invasion
from forcepool.games.europa.ground.tallies import counted_as
from forcepool.games.europa.replacements.general import costs_table
from forcepool.games.europa.unit_types import Described, fits
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import asked, computed

LIMITED = "limited"
"""The pool in which a nation's allowances of limited REs are held, a kind for each category."""

RES, UNITS = "REs", "units"
CAPACITY = "capacity"
SNOW = "snow"
WEATHER = "zone_a_weather"
WINTER_OVER = "first_winter_over"
NOT_LIMITED = "not_limited"


WHOSE_LIST = switch(
    "soviet-limited-list",
    "52.D.2.f/2",
    "whose limited REs the Soviet list gives",
    player="the player's: the Soviet Union's, its contingents' and those that came over draw on the same",
    nationality="each nationality's own, as with the Axis and the Allies",
)
FANATICAL = switch(
    "fanatical-troops",
    "52.A.11/22",
    "whether fanatical troops that their nation's list does not name are limited units",
    time_only="no: they take two turns more, and nothing else",
    limited="yes, as political troops: they use their allowance, and their cadres double the turns",
)
UNDECLARED = switch(
    "invasion-undeclared",
    "52.D.2.f/3",
    "what holds for the Soviets where nobody has declared the invasion",
    historical="the historical invasion is meant",
    never="limited REs, receipts and the rest begin once it is declared",
)


class LimitedType(Described, frozen=True):
    """A limited type of unit: the category it is charged to, and the turns it adds."""

    type: str
    clause: str
    category: str = ""
    turns: int = 0
    share: Fraction = Fraction(1)
    """How much of its REs are charged: half for gliders."""
    counts: str = ""
    """'capacity' for counters whose size is what they carry."""
    always: bool = False
    """Whether it takes its extra turns even where the nation's list does not name it."""
    other: bool = False
    """Whether it falls under the line for types without one of their own."""
    defined: str = ""
    """The clause that says which units are of the type, where one does."""
    counted_as: str = ""
    """The category it is charged to by house rule, where the nation's list does not name it."""
    own_time: bool = False
    """Whether the table gives it a time of its own that nothing is added to."""


class Limit(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a nation may replace of one category in a month."""

    category: str
    monthly: Fraction
    clause: str
    side: str = ""
    nations: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    """The nations that have such units; others are bound by the line too, and receive nothing of it."""
    counts: str = RES
    whole_rebuild: bool = False
    """Whether a cadre's rebuild is charged the whole difference of REs."""
    first_winter: bool = False
    """Whether it holds only from the invasion to the end of the first winter."""


class SideList(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The clauses that stand over one side's list."""

    ceilings: str
    saving: str
    combined: str
    after_invasion: bool = False
    kept_by: str = ""
    """The nation in whose name the list is kept for all of its side; left out, each nationality has its own."""


# ------------------------------------------------------------------------------------------------- the lists


def limits_of(world: EuropaWorld, state: State, nation: str) -> tuple[Limit, ...]:
    """Every line of the lists that holds for a nation on the side it fights on now, the first for each category."""
    return limits_on(world, nation, world.side_now(state, nation))


@fixed
def limits_on(world: EuropaWorld, nation: str, side: str) -> tuple[Limit, ...]:
    """Every line of the lists that holds for a nation while it fights on a side."""
    found: dict[str, Limit] = {}
    for row in world.chart("limited_replacements"):
        if nation in row.nations if row.nations else row.side in ("", side):
            found.setdefault(row.category, row)
    return tuple(found.values())


def list_of(world: EuropaWorld, state: State, nation: str) -> SideList:
    """The clauses over the list of the side a nation is on; lists of a scenario's own stand under the general rule."""
    lists = world.chart("limited_lists")
    return lists.get(world.side_now(state, nation), _GENERAL) if lists else _GENERAL


def keeper_of(world: EuropaWorld, state: State, nation: str) -> str:
    """In whose name a nation's allowances are kept: its own, or that of the power whose list serves a whole side."""
    keeper = list_of(world, state, nation).kept_by
    return nation if not keeper or world.ruling(state, WHOSE_LIST.key) == "nationality" else keeper


@computed("52.D.1/5", "52.D.1.b/1", "52.D.3.a/1")
def keeper_for(world: EuropaWorld, state: State, spec: UnitSpec) -> str:
    """In whose name a unit's allowances are kept: no German one serves a contingent, no French one the Free French."""
    return keeper_of(world, state, counted_as(spec))


_GENERAL = SideList("52.A.10/2", "52.A.10/3", "52.A.8/4")


# ------------------------------------------------------------------------------------------- types of a unit


@computed("52.A.8/1", "52.A.10/1")
def listed_types(world: EuropaWorld, state: State, spec: UnitSpec) -> tuple[LimitedType, ...]:
    """The limited types a unit is of by its nation's lists; a type on none of them is replaced like any other."""
    side = world.side_now(state, spec.nation)
    return _types_on(world, spec, side, world.ruling(state, FANATICAL.key) == "limited")


@fixed
def _types_on(world: EuropaWorld, spec: UnitSpec, side: str, charges_fanatics: bool) -> tuple[LimitedType, ...]:
    limited = {each.category for each in limits_on(world, spec.nation, side)}
    found: dict[str, LimitedType] = {}
    for row in world.chart("limited_types"):
        if fits(row, spec) and (row.always or row.category in limited):
            charged = charges_fanatics and row.counted_as in limited
            found.setdefault(row.type, replace(row, category=row.counted_as) if charged else row)
    return tuple(found.values())


def plain_types(world: EuropaWorld, state: State, spec: UnitSpec) -> tuple[str, ...]:
    """The names of every limited type a unit is of, whatever was declared."""
    return tuple(each.type for each in listed_types(world, state, spec))


def limited_type(world: EuropaWorld, name: str) -> LimitedType:
    """A type by its name."""
    found: LimitedType = next(row for row in world.chart("limited_types") if row.type == name)
    return found


def types_of(world: EuropaWorld, state: State, unit: Unit) -> tuple[LimitedType, ...]:
    """The limited types a unit is of now: what was declared free of the limits is left out, and so is a past winter."""
    return types_now(world, world.facts(state), unit.spec)


@kept
def types_now(world: EuropaWorld, facts: EuropaFacts, spec: UnitSpec) -> tuple[LimitedType, ...]:
    types = _in_season(world, facts.state, spec)
    return tuple(each for each in types if not _is_dropped(world, facts.state, spec, each)) if types else types


def _in_season(world: EuropaWorld, state: State, spec: UnitSpec) -> tuple[LimitedType, ...]:
    types = listed_types(world, state, spec)
    if not types:
        return types
    limits = {each.category: each for each in limits_of(world, state, spec.nation)}
    return tuple(each for each in types if not _is_past(world, state, limits.get(each.category)))


def _is_past(world: EuropaWorld, state: State, limit: Limit | None) -> bool:
    return limit is not None and limit.first_winter and not in_first_winter(world, state)


def _is_dropped(world: EuropaWorld, state: State, spec: UnitSpec, type_: LimitedType) -> bool:
    return type_.type in dropped_by(world, state, spec.nation) and not is_combined(world, state, spec)


@computed("52.A.8.a/4")
def is_combined(world: EuropaWorld, state: State, spec: UnitSpec) -> bool:
    """A unit of two limited types or more keeps its abilities, and its need of limited REs, whatever is declared."""
    return len(_in_season(world, state, spec)) >= world.numbers["combined_types"]


def dropped_by(world: EuropaWorld, state: State, nation: str) -> list[str]:
    """The types a nation has declared to need no limited REs."""
    said = world.facts(state).of_nation(nation, NOT_LIMITED)
    return said if isinstance(said, list) else []


def is_limited(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """Whether the unit is charged to any allowance of its nation."""
    return any(each.category for each in types_of(world, state, unit))


# ----------------------------------------------------------------------------------------------- what it takes


class Need(Struct, frozen=True):
    """What a purchase takes of one allowance."""

    limit: Limit
    type: LimitedType
    amount: Fraction


def needs(
    world: EuropaWorld, state: State, unit: Unit, measure: Callable[[Limit, LimitedType], Fraction]
) -> tuple[Need, ...]:
    """A unit is charged to every category it falls under, and once to each."""
    limits = {each.category: each for each in limits_of(world, state, unit.spec.nation)}
    found: dict[str, Need] = {}
    for type_ in types_of(world, state, unit):
        limit = limits.get(type_.category)
        if limit is None:
            continue
        need = Need(limit, type_, measure(limit, type_))
        found[type_.category] = max(found.get(type_.category, need), need, key=lambda each: each.amount)
    return tuple(found[category] for category in sorted(found))


def size_at(world: EuropaWorld, state: State, unit: Unit, type_: LimitedType, step: str) -> Fraction:
    """The REs a unit counts for at a step, as its type counts them."""
    if type_.counts == CAPACITY:
        return costs_table.capacity(world, world.facts(state), unit)
    return world.res(unit.spec, step) * type_.share


# ------------------------------------------------------------------------------- the invasion and the first winter


@asked("52.D.2.f/3")
def invasion_turn(world: EuropaWorld, state: State) -> int:
    """The turn the Soviet Union was invaded: as declared, else the historical one or, by house rule, not yet."""
    said = invasion(world, state)
    if said:
        return said
    at_peace = world.ruling(state, UNDECLARED.key) == "never"
    return max(state.clock.turn, world.dates["historical_invasion"]) if at_peace else world.dates["historical_invasion"]


@computed("52.D.2.f/3")
def invaded_before_play(world: EuropaWorld, state: State) -> Iterator[Event]:
    """A campaign that begins after the historical invasion has had it, unless the scenario tells of another."""
    historical = world.dates["historical_invasion"]
    if invasion(world, state) or state.clock.turn <= historical or world.ruling(state, UNDECLARED.key) == "never":
        return
    yield Marked(on="campaign", mark=INVASION, value=historical, because="52.D.2.f/3")


@asked("52.D.2.f.ix/2")
def in_first_winter(world: EuropaWorld, state: State) -> bool:
    """From the invasion to the first turn of 1942 without snow in weather zone A."""
    if state.clock.turn < invasion_turn(world, state) or world.facts(state).of_campaign(WINTER_OVER):
        return False
    return not is_thaw(world, state)


def is_thaw(world: EuropaWorld, state: State) -> bool:
    """Whether zone A is free of snow this turn, in 1942 or later; undeclared weather goes by the date."""
    if not world.has_passed("first_winter_year", state):
        return False
    weather = world.facts(state).of_campaign(WEATHER)
    return weather != SNOW if weather else world.has_passed("first_winter_thaw", state)


FACTS = (
    Fact(NOT_LIMITED, ("nation",), "the limited types declared to need no limited REs", [], WORDS),
    Fact(
        WEATHER,
        ("campaign",),
        "this turn's weather in zone A",
        "",
        values=("clear", "mud", "frost", SNOW),
        lasts=GAME_TURN,
    ),
    Fact(WINTER_OVER, ("campaign",), "the turn the first winter ended", 0, TURN, by_hand=False),
)


def nations_with_lists(world: EuropaWorld, state: State, side: str) -> Iterator[str]:
    """The nations of a side that are in play: those with units or RPs, or the major powers where nobody has any."""
    rps = {*world.profile.points, *(row.kind for row in world.chart("force_infantry"))}
    present = {nation for unit in state.units.values() for nation in (unit.spec.nation, counted_as(unit.spec))}
    present |= {account.nation for account in state.balances if is_pool(account.pool) and account.kind in rps}
    allowed = {account.nation for account in state.balances if account.pool == LIMITED}
    found = {
        keeper_of(world, state, nation)
        for nation, data in world.profile.nations.items()
        if _goes_with(world, world.side_now(state, nation), side)
        and (nation in allowed or (nation in present if present else data.major))
    }
    yield from sorted(found)


def _goes_with(world: EuropaWorld, its_side: str, side: str) -> bool:
    """Whether a nation's month turns with a side's: its own, and for those that play no turn the last player's."""
    players = world.sequence.players
    return its_side == side or (its_side not in players and side == players[-1])
