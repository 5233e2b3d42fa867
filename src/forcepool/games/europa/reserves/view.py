"""Rule 49 as a page shows it: points and depots by country, who is in which reserve, and what each of them brings."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

from forcepool.engine.ledger import Account
from forcepool.engine.points import show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, No
from forcepool.games.europa.facts import NO_RESERVE, OPERATIONAL, STRATEGIC
from forcepool.games.europa.reserves import accounts, deployment, deployment_modifiers, depots, mediterranean
from forcepool.games.europa.reserves.changes import is_forming, reserve_of
from forcepool.games.europa.reserves.generation import generates, group_of, points, value_of
from forcepool.games.europa.reserves.mediterranean import MSR
from forcepool.games.europa.reserves.plans import SeesAccount, SeesUnit, order_data
from forcepool.games.europa.reserves.quotes import IN, INTO_MEDITERRANEAN, INTO_STRATEGIC, OUT
from forcepool.games.europa.reserves.sizes import Move, area_of, size_of
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.book import load

SIZES = (
    ("reserve_halved", "49.A.1.c.i/1"),
    ("reserve_doubled", "49.A.1.c.ii/1"),
    ("reserve_doubled", "49.A.1.c.iii/1"),
    ("", "49.A.1.c.iv/1"),
    ("reserve_doubled", "49.A.1.c.v/1"),
    ("reserve_doubled", "49.A.1.c.vi/1"),
    ("reserve_doubled", "49.A.1.c.vii/1"),
    ("strategic_leaves_at", "49.B.1.6/1"),
)
"""The profile's number by which each clause changes what a unit counts for; without one it costs nothing."""


class SizeLine(Struct, frozen=True):
    """A modifier of deployment size."""

    factor: str
    """'×2', '×½' or 'free'."""
    title: str
    clause: str


class DepotLine(Struct, frozen=True):
    """A depot's multiplier box, and what the next REs cost there."""

    depot: str
    area: str
    activity: str
    stored: int
    used: Fraction
    """REs charged this turn."""
    multiplier: int
    """What the next RE costs."""
    room: Fraction
    """How many REs cost that much before the multiplier rises."""


class RollModifier(Struct, frozen=True):
    """A modifier of the country's roll at this date."""

    modifier: int
    clause: str


class Track(Struct, frozen=True):
    """Operational reserve points of a country, and what each point of its base number brings there."""

    account: str
    points: Fraction
    brings: str


class NationReserves(Struct, frozen=True):
    """A country's month: its number, its points and its depots."""

    nation: str
    side: str
    base: int | None
    """The modified base number; none before the roll."""
    may_roll: dict[str, Any] | None
    """The order to roll, while it is time for it."""
    why_not: str
    """Why it cannot roll now, if it has not."""
    modifiers: tuple[RollModifier, ...]
    tracks: tuple[Track, ...]
    depots: tuple[DepotLine, ...]
    roll: str = ""
    """The dice of the month and their working, as the journal tells."""
    roll_entry: int = 0


class ReserveUnit(Struct, frozen=True):
    """A unit in reserve: what it would count for when it leaves, and what it brings each month."""

    unit: str
    nation: str
    side: str
    where: str
    res: Fraction
    size: str
    size_clauses: tuple[str, ...]
    kind: str
    """The kind of replacement points it brings; nothing where it brings none."""
    brings: Fraction
    working: str


class ReserveGroup(Struct, frozen=True):
    """Those in one reserve, and in one theatre."""

    key: str
    title: str
    area: str
    """The theatre, for those on the map."""
    clause: str
    res: Fraction
    units: tuple[ReserveUnit, ...]


class MediterraneanReserve(Struct, frozen=True):
    """Britain's Mediterranean reserve: what it must hold, what it holds, and what is missing."""

    points: Fraction
    minimum_res: Fraction
    minimum_hqs: int
    res: Fraction
    hqs: int
    missing_res: Fraction
    missing_hqs: int
    vps_a_month: Fraction
    """Victory points lost at the end of the month as things stand."""
    on_credit: bool
    """Whether points may go below nothing this turn."""
    overdrawn: bool


class Reserves(Struct, frozen=True):
    """All of rule 49 at one moment, as far as it may be seen."""

    when: str
    nations: tuple[NationReserves, ...]
    groups: tuple[ReserveGroup, ...]
    mediterranean: MediterraneanReserve | None
    sizes: tuple[SizeLine, ...]


def reserves(
    world: EuropaWorld,
    state: State,
    *,
    sees: SeesUnit = lambda unit: True,
    holds: SeesAccount = lambda account: True,
) -> Reserves:
    """Points, depots and reserves of those units and points that may be seen."""
    nations = [each for each in _nations(world, state) if holds(Account(accounts.TRACK, each, accounts.OR))]
    return Reserves(
        when=world.when(state),
        nations=tuple(nation_reserves(world, state, nation) for nation in nations),
        groups=groups(world, state, sees),
        mediterranean=_mediterranean(world, state) if depots.BRITAIN in nations else None,
        sizes=tuple(_size_line(world, number, clause) for number, clause in SIZES),
    )


def _size_line(world: EuropaWorld, number: str, clause: str) -> SizeLine:
    factor = f"×{show_points(world.numbers[number])}" if number else "free"
    return SizeLine(factor, load()[clause].title, clause)


# ------------------------------------------------------------------------------------------------- countries


def _nations(world: EuropaWorld, state: State) -> list[str]:
    """The countries with a depot or with points on a track, those of the player whose turn it is first."""
    facts = world.facts(state)
    found = {depots.owner_of(world, facts, each) for each in facts.places_where(depots.DEPOT, True)}
    found |= {account.nation for account in state.balances if account.pool in _TRACKS and account.kind == accounts.OR}
    sides = {nation: world.side_now(state, nation) for nation in found & set(world.sides)}
    return sorted(sides, key=lambda nation: (sides[nation] != world.phasing(state), sides[nation], nation))


_TRACKS = (accounts.TRACK, accounts.MEDITERRANEAN_TRACK)


def nation_reserves(world: EuropaWorld, state: State, nation: str) -> NationReserves:
    """A country's number, points and depots."""
    facts = world.facts(state)
    command = deployment.RollDeployment(nation=nation)
    verdict = deployment.rolls_once_at_the_start_of_a_month(deployment.Rolling(world, state, command))
    rolled = deployment.rolled(facts, nation)
    return NationReserves(
        nation=nation,
        side=world.side_now(state, nation),
        base=deployment.base_number(facts, nation) if rolled else None,
        may_roll=order_data(command) if verdict == YES else None,
        why_not=verdict.whole if isinstance(verdict, No) and not rolled else "",
        modifiers=tuple(
            RollModifier(row.modifier, row.clause) for row in deployment_modifiers.modifiers(world, state, nation)
        ),
        tracks=tuple(_tracks(world, state, nation)),
        depots=tuple(_depots(world, state, nation)),
    )


def _tracks(world: EuropaWorld, state: State, nation: str) -> Iterator[Track]:
    """The tracks a country has points on, or that its depots fill."""
    bring = deployment.limits(world, state, nation, 1)
    for track in _TRACKS:
        if track == accounts.TRACK or track in bring or Account(track, nation, accounts.OR) in state.balances:
            working = bring[track][1] if track in bring else ""
            yield Track(track, accounts.left(state, track, nation), working)


def _depots(world: EuropaWorld, state: State, nation: str) -> Iterator[DepotLine]:
    facts = world.facts(state)
    width = max(1, deployment.base_number(facts, nation))
    for name in depots.depots_of(world, facts, nation):
        area, box = world.spot(name).area, depots.depot_at(world, state, name)
        # As many REs as a band is wide: the first slice of them is what is left of the band one is in.
        first = depots.charge(box, Fraction(width), width).slices[0]
        activity = deployment.activity_of(world, facts, area)
        yield DepotLine(name, area, activity, box.stored, box.used, first.multiplier, first.res)


# ---------------------------------------------------------------------------------------------- who is in it


def groups(world: EuropaWorld, state: State, sees: SeesUnit) -> tuple[ReserveGroup, ...]:
    """Everyone in reserve: operational by theatre, forming, strategic, and the Mediterranean reserve."""
    found: dict[tuple[int, str, str, str], list[Unit]] = {}
    for unit in state.units_in_order():
        heading = _heading(world, state, unit)
        if heading is not None and sees(unit):
            found.setdefault(heading, []).append(unit)
    return tuple(
        ReserveGroup(
            key=f"{rank}-{of.replace('/', '-').replace(' ', '-')}".rstrip("-"),
            title=title,
            area=of,
            clause=clause,
            res=sum((world.res(unit.spec, unit.step) for unit in units), Fraction(0)),
            units=tuple(reserve_unit(world, state, unit) for unit in units),
        )
        for (rank, of, title, clause), units in sorted(found.items())
    )


def _heading(world: EuropaWorld, state: State, unit: Unit) -> tuple[int, str, str, str] | None:
    """The reserve a unit is listed under."""
    facts = world.facts(state)
    reserve = reserve_of(facts, unit)
    if reserve == NO_RESERVE:
        return None
    if facts.is_so(unit, MSR):
        return 3, "", "Mediterranean strategic reserve", "49.B.2/6"
    if reserve == STRATEGIC:
        return 2, "", "Strategic reserve", "49.B.1/1"
    if is_forming(unit):
        return 1, "", "Operational reserve, forming", "49.A/5"
    if not unit.place.on_map:
        return None
    return 0, world.theatre_of(area_of(world, unit)), "Operational reserve", "49.A/1"


def reserve_unit(world: EuropaWorld, state: State, unit: Unit) -> ReserveUnit:
    """A unit in reserve with what it would count for and what it brings."""
    strategic = reserve_of(world.facts(state), unit) == STRATEGIC
    size = size_of(world, state, unit, Move(entering=False, strategic=strategic))
    kind, brings, working = "", Fraction(0), ""
    if generates(world, state, unit):
        group = group_of(world, state, unit)
        kind, (brings, working) = group.kind, points(world, state, group, value_of(world, unit))
    return ReserveUnit(
        unit=unit.id,
        nation=unit.spec.nation,
        side=world.side_now(state, unit.spec.nation),
        where=world.show_place(unit.place),
        res=world.res(unit.spec, unit.step),
        size=size.working,
        size_clauses=tuple(size.because.split()),
        kind=kind,
        brings=brings,
        working=working,
    )


def _mediterranean(world: EuropaWorld, state: State) -> MediterraneanReserve | None:
    """Britain's own, from the turn Italy is at war."""
    facts = world.facts(state)
    if facts.of_campaign(accounts.ITALY_AT_WAR) is not True:
        return None
    one = world.ruling(state, accounts.MEDITERRANEAN_ACCOUNT.key) == "one-account"
    (need, need_hqs), (have, have_hqs) = mediterranean.minimum(world, state), mediterranean.present(world, state)
    short, short_hqs = mediterranean.missing(world, state)
    return MediterraneanReserve(
        points=accounts.left(state, accounts.TRACK if one else accounts.MEDITERRANEAN_TRACK, depots.BRITAIN),
        minimum_res=need,
        minimum_hqs=need_hqs,
        res=have,
        hqs=have_hqs,
        missing_res=short,
        missing_hqs=short_hqs,
        vps_a_month=mediterranean.vps_lost(world, short),
        on_credit=bool(mediterranean.overdraft(facts)),
        overdrawn=facts.of_campaign(mediterranean.OVERDRAWN) is True,
    )


# --------------------------------------------------------------------------------------------- who may change


class Candidate(Struct, frozen=True):
    """A unit whose reserve one might change, and the ways that make sense for it."""

    unit: str
    nation: str
    where: str
    res: Fraction
    reserve: str
    """none, operational or strategic."""
    ways: tuple[str, ...]


def candidates(
    world: EuropaWorld,
    state: State,
    *,
    sees: SeesUnit = lambda unit: True,
    holds: SeesAccount = lambda account: True,
) -> tuple[Candidate, ...]:
    """The ground units in play or in a reserve whose country's points may be seen, those in reserve first."""
    nations = {each for each in _nations(world, state) if holds(Account(accounts.TRACK, each, accounts.OR))}
    at_war = world.facts(state).of_campaign(accounts.ITALY_AT_WAR) is True
    delta = at_war and depots.BRITAIN in nations
    found = []
    for unit in state.units_in_order():
        ways = (
            _ways(world, state, unit, _has_depots(world, state, unit.spec.nation, nations), delta) if sees(unit) else ()
        )
        if ways:
            found.append(_candidate(world, state, unit, ways))
    return tuple(sorted(found, key=lambda each: each.reserve == NO_RESERVE))


def _has_depots(world: EuropaWorld, state: State, nation: str, nations: set[str]) -> bool:
    """Whether a nation uses its own depots, or those of one of some powers, whose points it then spends."""
    if nation in nations:
        return True
    facts = world.facts(state)
    return any(depots.owner_of(world, facts, each) in nations for each in depots.served_by(world, facts, nation))


def _candidate(world: EuropaWorld, state: State, unit: Unit, ways: tuple[str, ...]) -> Candidate:
    where, reserve = world.show_place(unit.place), reserve_of(world.facts(state), unit)
    return Candidate(unit.id, unit.spec.nation, where, world.res(unit.spec, unit.step), reserve, ways)


def _ways(world: EuropaWorld, state: State, unit: Unit, own: bool, delta: bool) -> tuple[str, ...]:
    facts = world.facts(state)
    reserve = reserve_of(facts, unit)
    if world.has_role(unit.spec, "air") or not (unit.place.on_map or reserve != NO_RESERVE):
        return ()
    if reserve == STRATEGIC:
        return (OUT,) if own or delta else ()
    med = delta and world.side_now(state, unit.spec.nation) == world.side_now(state, depots.BRITAIN)
    found = [OUT if reserve == OPERATIONAL else IN] if own and unit.place.on_map else []
    home = world.country_of(area_of(world, unit)) == unit.spec.nation
    if own and (home or is_forming(unit)):
        found.append(INTO_STRATEGIC)
    if med and (is_forming(unit) or facts.place_is(unit.place.of, mediterranean.KEPT_HERE)):
        found.append(INTO_MEDITERRANEAN)
    return tuple(found)
