"""49.B.1  Strategic reserve: in by rail, out at twice the size, and back on the map the same turn."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import ANY, TAKEN_BACK, TEXT, YES_NO, Fact, unit_key
from forcepool.engine.given import Area, Spot, UnitName
from forcepool.engine.places import Place, on_track
from forcepool.engine.points import show_counted, show_points
from forcepool.engine.sentence import the_field, the_place, the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, No, Remedy, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import MP_MARKER, STRATEGIC
from forcepool.games.europa.ground import transport
from forcepool.games.europa.ground.ownership import take_off
from forcepool.games.europa.ground.placing import FROM_STRATEGIC, STRATEGIC_BOX
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.transport import RAIL, Carrying
from forcepool.games.europa.own_phase import in_own
from forcepool.games.europa.question import first_of_month, in_a_later, next_turn
from forcepool.games.europa.replacements.general.placement import PlaceUnit
from forcepool.games.europa.reserves import mediterranean as delta
from forcepool.games.europa.reserves.changes import (
    CHANGED,
    LEFT,
    PAID,
    RESERVE,
    Changing,
    depot_is_one_it_can_use,
    depots_for,
    entered,
    is_forming,
    left_reserve,
    limit_is_not_exceeded,
    noted_as_left,
    paid,
    reserve_of,
    the_number_is_known,
)
from forcepool.games.europa.reserves.depots import BRITAIN
from forcepool.games.europa.reserves.entering import (
    in_the_first_reinforcement_phase,
    is_in_no_garrison,
    shows_an_attack_strength,
    traces_to_a_depot,
)
from forcepool.games.europa.reserves.mediterranean import MSR
from forcepool.games.europa.reserves.played import reserves_are_played
from forcepool.games.europa.reserves.sizes import Move
from forcepool.games.europa.reserves.status import rail_size
from forcepool.games.europa.reserves.victory import lost_by_leaving
from forcepool.games.europa.world import NATIONAL, EuropaWorld

RESERVE_MD = "reserve_md"


class StrategicChange(Changing, Carrying):
    """A unit about to enter or leave strategic reserve, by rail."""

    @lazy
    def way(self) -> str:
        return RAIL

    @lazy
    def msr(self) -> bool:
        """Whether it is the Mediterranean reserve that it enters or leaves."""
        return bool(getattr(self.command, "mediterranean", False)) or self.facts.is_so(self.unit, MSR)

    @lazy
    def country_served(self) -> str:
        return BRITAIN if self.msr else self.unit.spec.nation

    @lazy
    def forming(self) -> bool:
        return is_forming(self.unit)

    @lazy
    def stays(self) -> bool:
        """Whether it stays where it is: a forming unit in its box, the Mediterranean reserve on the map."""
        return self.forming or self.msr

    @lazy
    def area(self) -> str:
        """The MD it enters from, or will arrive in."""
        into = "" if self.stays else getattr(self.command, "into", "")
        return self.world.pool_named(into) if into else Changing.area.function(self)

    @lazy
    def country(self) -> str:
        """The country of that MD; empty where the scenario names none."""
        return self.world.country_of(self.area)

    @lazy
    def load(self) -> Fraction:
        """The rail capacity it takes: twice its size while in operational reserve, nothing where it does not move."""
        return Fraction(0) if self.stays else rail_size(self.world, self.facts, self.unit)


# -------------------------------------------------------------------------------------------- restrictions


@rule("49.B.1/1")
def may_enter(q: StrategicChange) -> Verdict:
    """A unit on the map or in the Forming Box that is not yet in strategic reserve may go there."""
    if q.reserve != STRATEGIC and (q.unit.place.on_map or q.forming):
        return YES
    where = q.world.said_place(q.unit.place)
    return no(f"{q.unit} is at {where}, {q.reserve} reserve", remedy="choose a unit on the map or forming")


@rule("49.B.1.1/1", "49.B.1.1/2")
def is_at_home(q: StrategicChange) -> Verdict:
    """It must be in its home country or in the Forming Box; an area of no country is nobody's home."""
    if q.forming or q.country == q.unit.spec.nation:
        return YES
    if q.msr:
        return yes("49.B.1.1/2", "the Mediterranean reserve is kept abroad")
    where = q.country or f"{the_pool(q.area) or the_place(q.unit.place.of)}, which lies in no country"
    # Where its own country is in no area that is played with, nothing brings it there.
    home = any(q.world.country_of(area) == q.unit.spec.nation for area in q.world.areas)
    return no(f"{q.unit} is in {where}", remedy=f"bring it to {q.unit.spec.nation} first" if home else "")


@rule("49.B.1.3/1")
def enters_as_into_operational_reserve(q: StrategicChange) -> Verdict:
    """Whatever bars a unit from operational reserve bars it from strategic reserve."""
    # What no waiting changes is said first.
    rules = (shows_an_attack_strength, in_the_first_reinforcement_phase, is_in_no_garrison, traces_to_a_depot)
    for each in rules:
        if each is is_in_no_garrison and q.msr:
            continue
        verdict = each(q)
        if isinstance(verdict, No):
            return no(verdict.sentence, verdict.advice, ways=verdict.ways, also=(each.clauses[0], *verdict.also))
        if verdict.because:
            return verdict
    return YES


@rule("49.B.1.3/2")
def leaves_as_from_operational_reserve(q: StrategicChange) -> Verdict:
    """Units leave in their owner's reinforcement phase."""
    return in_own(q, REINFORCEMENT)


@rule("49.A.1/2")
def strategic_comes_first(q: StrategicChange) -> Verdict:
    """A country changes its strategic reserves before its operational ones."""
    if q.facts.of_nation(q.payer, CHANGED) is not True:
        return YES
    return no(
        f"{the_pool(q.payer)} has changed operational reserves this phase",
        remedy=_next_occasion(q, ", and change strategic reserves first"),
    )


def _next_occasion(q: StrategicChange, besides: str = "") -> Remedy:
    """To wait for the next turn, or with what enters for turn 1 of a month."""
    phase = q.world.phase_called(REINFORCEMENT)
    if not q.move.entering:
        return next_turn(q, f"wait for the next {phase}{besides}")
    following = first_of_month(q.world, q.state.clock.turn, 1)
    return in_a_later(q, following, f"wait for the {phase} of turn 1 of a month{besides}")


@rule("49.B.1.4/1")
def rail_carries_it(q: StrategicChange) -> Verdict:
    """Going in or out takes rail capacity as if it moved by rail."""
    free = transport.left(q.world, q.state, q.nation, RAIL)
    if free is None or q.load <= free:
        return YES
    return no(
        f"{q.unit} takes {show_counted(q.load, 'RE')} of rail capacity, {show_points(free)} are left",
        remedy=_next_occasion(q) if transport.fits_in_a_turn(q.world, q.side, RAIL, q.load) else "",
        have=free,
        need=q.load,
    )


@rule("49.B.1/1")
def is_in_strategic_reserve(q: StrategicChange) -> Verdict:
    """Only a unit in strategic reserve can leave it."""
    if q.reserve == STRATEGIC:
        return YES
    return no(f"{q.unit} is not in strategic reserve")


@rule("49.B.1.7/1")
def arrives_in_its_home_country(q: StrategicChange) -> Verdict:
    """It goes onto the replacement track of its home country."""
    if q.stays:
        if q.command.into:
            raise BadCommand(f"{q.unit} stays where it is; leave {the_field('into')} out")
        return YES
    if not q.command.into:
        return no(f"{q.unit} needs an MD to arrive in", remedy=f"name one of its home country with {the_field('into')}")
    if q.country == q.unit.spec.nation:
        return YES
    return no(
        f"{the_pool(q.area)} lies in {q.country or 'no country'}",
        remedy=f"name an MD of {q.unit.spec.nation} with {the_field('into')}",
    )


# -------------------------------------------------------------------------------------------------- commands


class EnterStrategicReserve(Command, tag="enter-strategic-reserve", frozen=True):
    """Put a unit into strategic reserve."""

    unit: UnitName
    depot: Spot = ""
    """The depot to charge, where the unit stands in the nets of several."""
    mediterranean: bool = False
    """Yes for Britain's Mediterranean reserve, which stays on the map."""

    question = StrategicChange
    needs = (may_enter, delta.reserve_exists)
    requires = (
        reserves_are_played,
        strategic_comes_first,
        is_at_home,
        enters_as_into_operational_reserve,
        delta.stands_where_the_reserve_is_kept,
        rail_carries_it,
        depot_is_one_it_can_use,
        the_number_is_known,
        limit_is_not_exceeded,
    )

    def move(self, q: StrategicChange) -> Move:
        return Move(entering=True, strategic=True)

    def waived(self, q: StrategicChange) -> str:
        return ""

    def overdraft(self, q: StrategicChange) -> str:
        return delta.overdraft(q.facts) if self.mediterranean else ""

    def effects(self, q: StrategicChange) -> Iterator[Event]:
        yield from paid(q, "49.B.1.5/1")
        yield from transport.used(q, "49.B.1.4/1", q.unit.id)
        why = "49.B.2/6 49.B.2/5" if q.msr else "49.B.1.3/3" if q.forming else "49.B.1.2/1"
        yield from entered(q, STRATEGIC, f"49.B.1/1 {why}")
        if self.mediterranean:
            yield Marked(on=unit_key(q.unit.id), mark=MSR, value=True, because="49.B.2/6")
            yield from delta.overdrawn(q.left - q.cost)
        if not q.stays:
            yield from into_the_box(q.unit, q.area, "49.B.1.2/1")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if not (unit.place.on_map or is_forming(unit)) or not world.plays_reserves or world.has_role(unit.spec, "air"):
            return
        facts = world.facts(state)
        if facts.of_unit(unit, RESERVE) == STRATEGIC:
            return
        for depot in depots_for(world, facts, unit, unit.spec.nation):
            yield cls(unit=unit.id, depot=depot)
        if delta.could_join(world, state, unit):
            for depot in depots_for(world, facts, unit, BRITAIN) or [""]:
                yield cls(unit=unit.id, depot=depot, mediterranean=True)


class LeaveStrategicReserve(Command, tag="leave-strategic-reserve", frozen=True):
    """Take a unit out of strategic reserve: it is placed in this turn's replacement phase."""

    unit: UnitName
    into: Area = ""
    """The MD of its home country where it will arrive."""
    depot: Spot = ""

    question = StrategicChange
    needs = (is_in_strategic_reserve,)
    requires = (
        strategic_comes_first,
        leaves_as_from_operational_reserve,
        arrives_in_its_home_country,
        rail_carries_it,
        depot_is_one_it_can_use,
        the_number_is_known,
        limit_is_not_exceeded,
    )

    def move(self, q: StrategicChange) -> Move:
        return Move(entering=False, strategic=True)

    def waived(self, q: StrategicChange) -> str:
        return ""

    def overdraft(self, q: StrategicChange) -> str:
        return ""

    def effects(self, q: StrategicChange) -> Iterator[Event]:
        on = unit_key(q.unit.id)
        yield from paid(q, "49.B.1.6/1")
        yield from transport.used(q, "49.B.1.4/1", q.unit.id)
        if q.forming:
            yield Marked(on=on, mark=RESERVE, because="49.B.1/1 49.A/5", says="in operational reserve while it forms")
        else:
            yield from left_reserve(q.state, q.unit.id, PAID, "49.B.1/1")
        yield from lost_by_leaving(q)
        if q.msr:
            yield Marked(on=on, mark=MSR, because="49.B.2/5")
        if q.stays:
            if not q.forming:
                yield Marked(on=on, mark=MP_MARKER, value=_marker(q), because="49.B.1.3/2 49.A.1.e.ii/1")
            return
        yield from take_off(q.state, on, RESERVE_MD, "49.B.1.7/1")
        yield Marked(on=on, mark=FROM_STRATEGIC, value=True, because="49.B.1.7/1")
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=on_track(q.area, q.state.clock.turn), because="49.B.1.7/1")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        facts, nation = world.facts(state), unit.spec.nation
        if reserve_of(facts, unit) != STRATEGIC:
            return
        if unit.place.kind != STRATEGIC_BOX:
            served = BRITAIN if facts.is_so(unit, MSR) else nation
            for depot in depots_for(world, facts, unit, served) or [""]:
                yield cls(unit=unit.id, depot=depot)
            return
        for area in world.pools:
            if area.startswith("md/") and world.country_of(area) == nation:
                for depot in depots_for(world, facts, unit, nation, area) or [""]:
                    yield cls(unit=unit.id, into=area, depot=depot)


def into_the_box(unit: Unit, md: str, because: str) -> Iterator[Event]:
    """Off to the Strategic Reserve Box, with a note of the MD it leaves, which decides what it brings."""
    yield Marked(on=unit_key(unit.id), mark=RESERVE_MD, value=md, because=f"{because} 49.A.3/2")
    yield Moved(unit=unit.id, frm=unit.place, to=Place(STRATEGIC_BOX, NATIONAL + unit.spec.nation), because=because)


def _marker(q: Any) -> int:
    return int(q.facts.mp_marker(q.unit) + q.world.numbers["leaving_mp_marker"])


# ----------------------------------------------------------------------------------------------- arriving


def may_arrive_in_operational_reserve(q: Any) -> Verdict | None:
    """A unit that comes from strategic reserve may be placed with an operational reserve marker, free."""
    return yes("49.B.1.7/2", "from strategic reserve") if q.facts.is_so(q.unit, FROM_STRATEGIC) else None


@rule("49.B.1.7/1", "49.B.1.7/2")
def arrives_on_the_map(q: Any) -> Verdict:
    """What has left strategic reserve comes into play, with or without a marker, and not straight back into the box."""
    if not q.off_map or not q.facts.is_so(q.unit, FROM_STRATEGIC):
        return YES
    return no(f"{q.unit} has just left strategic reserve", remedy="place it on the map, or let it wait")


def placed_in_the_box(q: Any) -> Iterator[Event]:
    """A unit placed off the map has left the MD whose holding box it was in."""
    if q.off_map:
        yield Marked(on=unit_key(q.unit.id), mark=RESERVE_MD, value=q.area, because="49.A.3/2")


def arrived(q: Any) -> Iterator[Event]:
    """Unless it takes an operational reserve marker, it has the +1 MP marker, and may take a Reserve marker at once."""
    if not q.facts.is_so(q.unit, FROM_STRATEGIC):
        return
    on = unit_key(q.unit.id)
    yield Marked(on=on, mark=FROM_STRATEGIC, because="49.B.1.7/2")
    if q.command.reserve:
        # It has left no operational reserve, and brings points in the one it comes into.
        yield from take_off(q.state, on, LEFT, "49.B.1.7/2")
        return
    yield Marked(on=on, mark=MP_MARKER, value=_marker(q), because="49.B.1.3/2 49.A.1.e.ii/1")
    yield noted_as_left(q.state, q.unit.id, PAID)


CHAPTER = Chapter(
    heading="49.B.1",
    commands=(EnterStrategicReserve, LeaveStrategicReserve),
    facts=(
        Fact(
            RESERVE_MD,
            ("unit",),
            "the MD it left for the Strategic Reserve Box",
            "",
            TEXT,
            said={
                ANY: f"left {the_pool('{}')} for its strategic reserve",
                TAKEN_BACK: "out of the Strategic Reserve Box",
            },
        ),
        Fact(FROM_STRATEGIC, ("unit",), "it comes from strategic reserve", False, YES_NO, by_hand=False),
    ),
    waivers={"52.A.2/3": (may_arrive_in_operational_reserve,)},
    guards={PlaceUnit: (arrives_on_the_map,)},
    also={PlaceUnit: (placed_in_the_box, arrived)},
)
