"""52.G  Disruption: units off the map for four turns, strength points back in the front's pool within one."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.facts import PLAYER_TURN, TURN, WORDS, Fact, unit_key
from forcepool.engine.given import Area, Points, UnitName
from forcepool.engine.places import HEX, TRACK, Place
from forcepool.engine.points import parse_points, show_points, store_points
from forcepool.engine.sentence import the_field, the_place, the_pool
from forcepool.engine.state import State, Unit, evolve
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground import tallies
from forcepool.games.europa.ground.placing import RETURNS, is_disrupted
from forcepool.games.europa.ground.pools import front_is_its_own
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.ground.soviet_pools import GENERAL_POOLS, SOVIET_UNION, is_contingent, own_pool
from forcepool.games.europa.question import Appears, EuropaQuestion, in_a_later
from forcepool.games.europa.replacements.general.unit_transfers import TransferUnit
from forcepool.games.europa.replacements.special import casualties, pockets
from forcepool.games.europa.replacements.special.averting import FIGHTING
from forcepool.games.europa.replacements.special.special import rate_for
from forcepool.games.europa.world import DISRUPTED, LOCAL, EuropaWorld
from forcepool.rulebook.citations import computed

POINTS_DISRUPTED = "source/disrupted"
LOST_BY_RATE = "sink/disrupted"
POINTS_OF_IT = "points_disrupted"
"""Of a unit, the step it stood at when points of it were disrupted this player-turn, and how many."""

RETURN = switch(
    "disrupted-points",
    "52.G/5",
    "when disrupted strength points reach the front's pool, and how many of them",
    owner="all of them, as the owner's replacement phase ends",
    at_rate="at the rate of special replacements, as the owner's replacement phase ends",
    both_players="all of them, as the next replacement phase of any player ends",
)


class Disrupting(EuropaQuestion):
    """A unit disrupted, whole or in part."""

    @lazy
    def front(self) -> str:
        """The front in which it was disrupted, or the auxiliary pool of its pocket."""
        if around := pockets.pool_around(self.world, self.state, self.unit):
            return around
        named = self.command.front
        area = self.world.area_named(named) if named else self.world.spot(self.unit.place.of).area
        return tallies.front_of(self.world, self.state, area, self.nation) if area else ""

    @lazy
    def pool(self) -> str:
        """Where disrupted points come back to: the front's pool, and for the Soviets, who have none, their MD's."""
        area = self.world.spot(self.unit.place.of).area
        named = self.command.front or self.front.startswith(LOCAL)
        return self.front if named else tallies.pool_where_it_stood(self.world, self.state, area, self.nation)

    @lazy
    def points(self) -> Fraction:
        return parse_points(self.command.points)


def disrupted_before(world: EuropaWorld, state: State, unit: Unit) -> Fraction:
    """The points of a unit that were disrupted earlier this player-turn, while it stood at its present step."""
    said = world.facts(state).value(unit_key(unit.id), POINTS_OF_IT)
    step, amount = said if isinstance(said, list) and said else ("", "0")
    return parse_points(amount) if step == unit.step else Fraction(0)


@rule("52.G/2")
def is_in_a_front(q: Disrupting) -> Verdict:
    """What is disrupted comes back in the front in which it was disrupted."""
    if q.unit.place.kind != HEX:
        return no(f"{q.unit} is not on the map but {q.world.where(q.unit.place)}")
    if q.front:
        return YES
    return no(
        f"the scenario does not say which front {the_place(q.unit.place.of)} belongs to",
        remedy=f"name it with {the_field('front')}",
    )


@rule("52.G/4")
def has_the_points(q: Disrupting) -> Verdict:
    """A unit has no more points to be disrupted in a player-turn than it has strength."""
    whole, before = casualties.worth(q.world, q.state, q.unit, q.unit.step), disrupted_before(q.world, q.state, q.unit)
    left = whole - before
    if 0 < q.points <= left:
        return YES
    at_most = f"give {show_points(left)} at most" if left > 0 else ""
    if q.points <= 0:
        return no(f"{the_field('points')} is more than nothing", remedy=at_most)
    so_far = f", {show_points(before)} of them disrupted already this player-turn" if before else ""
    return no(f"{q.unit} has {show_points(whole)} strength points{so_far}", remedy=at_most, have=left, need=q.points)


@computed("52.G/1")
def returns_on(world: EuropaWorld, state: State) -> int:
    """The turn a unit disrupted now comes back."""
    return state.clock.turn + int(world.numbers["disruption_time"])


class Disrupt(Command, tag="disrupt", frozen=True):
    """Take a disrupted unit off the map; it comes back to its front by the track."""

    harms = True

    unit: UnitName
    front: Area = ""
    """Left out, the front its hex lies in."""

    question = Disrupting
    needs = (is_in_a_front, front_is_its_own)

    def effects(self, q: Disrupting) -> Iterator[Event]:
        to = Place(TRACK, q.front, returns_on(q.world, q.state))
        away = Moved(unit=q.unit.id, frm=q.unit.place, to=to, because="52.G/1 52.G/2", says="disrupted")
        yield away
        yield Marked(on=unit_key(q.unit.id), mark=RETURNS, value=to.due, because="52.G/1")
        if q.front.startswith(LOCAL):
            after = q.state.copy()
            evolve(after, (away,))
            yield from with_its_last_unit(q, after)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == HEX and world.phase(state) in FIGHTING:
            yield from in_its_front(world, state, cls(unit=unit.id))


def with_its_last_unit(q: Disrupting, after: State) -> Iterator[Event]:
    """A pocket without a unit on the map is held by nobody: what lies in it cannot come back there."""
    if pockets.still_inside(q.world, after, q.front):
        return
    if q.switch(pockets.LAST_DISRUPTED.key) == "lost":
        yield from pockets.fallen(q.world, after, q.front)
    else:
        yield from pockets.dissolved(q.world, after, q.front, q.switch(pockets.DISSOLVING.key), "52.F.4.b/6")
    yield Marked(on=unit_key(q.unit.id), mark=RETURNS, because="52.G/2", says="its pocket is no more")


class DisruptPoints(Command, tag="disrupt-points", frozen=True):
    """Put disrupted strength points of a unit on its front's disruption track."""

    harms = True

    unit: UnitName
    points: Points
    front: Area = ""
    """Left out, the front its hex lies in."""

    question = Disrupting
    of_choice = ("points",)
    needs = (is_in_a_front, front_is_its_own, has_the_points)

    def effects(self, q: Disrupting) -> Iterator[Event]:
        spec = q.unit.spec
        soviet_machines = GENERAL_POOLS if is_contingent(q.world, q.state, spec.nation) else {}
        amounts = casualties.in_its_kinds(q.world, q.state, q.unit, q.points)
        for kind, amount in q.world.of_its_force(spec, amounts).items():
            yield Transferred(
                amount=amount,
                kind=kind,
                nation=SOVIET_UNION if kind in soviet_machines else tallies.counted_as(spec),
                frm=POINTS_DISRUPTED,
                to=f"{DISRUPTED}{q.state.clock.turn}/{q.pool}",
                because="52.G/4",
                says=f"{q.unit}: {show_points(q.points)} points disrupted",
            )
        so_far = [q.unit.step, store_points(disrupted_before(q.world, q.state, q.unit) + q.points)]
        yield Marked(on=unit_key(q.unit.id), mark=POINTS_OF_IT, value=so_far, because="52.G/4")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == HEX and world.phase(state) in FIGHTING:
            left = casualties.worth(world, state, unit, unit.step) - disrupted_before(world, state, unit)
            if left > 0:
                yield from in_its_front(world, state, cls(unit=unit.id, points=store_points(left)))


def in_its_front(world: EuropaWorld, state: State, order: Disrupt | DisruptPoints) -> Iterator[Command]:
    """The order, with the front named where the unit's hex does not tell it."""
    if order.question(world, state, order).front:
        yield order
    else:
        yield from (replace(order, front=area) for area in world.pools if area.startswith("front/"))


def on_the_track(state: State) -> Iterator[tuple[str, str, str, str, Fraction]]:
    """Disrupted points: their account, front, nation, kind and number, in order."""
    for account, amount in sorted(state.balances.items()):
        if amount and account.pool.startswith(DISRUPTED):
            front = account.pool.removeprefix(DISRUPTED).partition("/")[2]
            yield account.pool, front, account.nation, account.kind, amount


def come_back(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As the replacement phase ends, the points on the disruption tracks reach the fronts' pools."""
    if world.phase(state) != REPLACEMENT:
        return
    ruling = world.ruling(state, RETURN.key)
    for account, front, nation, kind, amount in on_the_track(state):
        if ruling == "both-players" or world.has_the_turn(state, world.side_now(state, nation)):
            yield from returned(world, state, (account, front, nation, kind, amount), ruling)


@computed("52.G/3", "52.G/5")
def returned(
    world: EuropaWorld, state: State, line: tuple[str, str, str, str, Fraction], ruling: str
) -> Iterator[Event]:
    """Disrupted points join the front's pool; none of them is lost unless the group plays it so."""
    account, front, nation, kind, amount = line
    rate = rate_for(world, state, nation)[0] if ruling == "at-rate" else Fraction(1)
    for part, to in ((amount * rate, own_pool(world, state, front, nation, kind)), (amount * (1 - rate), LOST_BY_RATE)):
        if part:
            yield Transferred(
                amount=part, kind=kind, nation=nation, frm=account, to=to, because="52.G/5", says="disrupted points"
            )


# ------------------------------------------------------------------------------------------- coming back


@rule("52.G/1")
def has_waited_its_time(q: Any) -> Verdict:
    """A disrupted unit is not placed before its four turns are over."""
    due = q.unit.place.due
    if not is_disrupted(q.state, q.unit) or due <= q.state.clock.turn:
        return YES
    return no(
        f"{q.unit} was disrupted and returns on {q.world.turn_name(due)}",
        remedy=in_a_later(q, due, "wait until then"),
    )


@rule("52.G/2")
def stays_with_its_front(q: Any) -> Verdict:
    """A disrupted unit is not moved to the holding box of another front."""
    if not is_disrupted(q.state, q.unit):
        return YES
    return no(f"{q.unit} was disrupted in {the_pool(q.unit.place.of)}, and comes back there")


CHAPTER = Chapter(
    heading="52.G",
    commands=(Disrupt, DisruptPoints),
    facts=(
        Fact(RETURNS, ("unit",), "the turn it comes back after it was disrupted", 0, TURN, by_hand=False),
        Fact(
            POINTS_OF_IT,
            ("unit",),
            "the step at which points of it were disrupted, and how many",
            [],
            WORDS,
            lasts=PLAYER_TURN,
            by_hand=False,
            told=False,
        ),
    ),
    switches=(RETURN,),
    guards={Appears: (has_waited_its_time,), TransferUnit: (stays_with_its_front,)},
    ends=(come_back,),
)
