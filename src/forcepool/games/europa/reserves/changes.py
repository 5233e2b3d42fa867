"""49.A.1  A change of reserve status: who pays, from which depot, how much, and the rules every change obeys."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from forcepool.engine.command import BadCommand, lazy
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import ANY, MONTH, PLAYER_TURN, TAKEN_BACK, YES_NO, Fact, kept, subject_key, unit_key
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_field, the_place, the_places, the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Remedy, Verdict, Way, no, rule, yes
from forcepool.engine.world import find_unit
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import NEUTRAL, NO_RESERVE, OPERATIONAL, STRATEGIC, EuropaFacts
from forcepool.games.europa.ground.ownership import take_off
from forcepool.games.europa.ground.placing import STRATEGIC_BOX
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.question import EuropaQuestion, by_order, first_of_month, in_phase_of, instead
from forcepool.games.europa.replacements.limited.building_times import counts_as_forming
from forcepool.games.europa.reserves import accounts, depots
from forcepool.games.europa.reserves.deployment import (
    RollDeployment,
    base_number,
    best_base,
    carried_over,
    most_in_a_month,
    rolled,
)
from forcepool.games.europa.reserves.sizes import Move, Size, area_of, size_of
from forcepool.games.europa.world import FORMING_BOX, EuropaWorld
from forcepool.rulebook.citations import computed

RESERVE, RESERVE_MARKER, PLACED_IN_RESERVE = "reserve", "reserve_marker", "placed_in_reserve"
LEFT, CHANGED = "left_reserve", "operational_changes"
PAID, FREE = "paid", "free"


def is_forming(unit: Unit) -> bool:
    """Whether a unit is in the Forming Box, or on the track that is as good as it."""
    return unit.place.kind == FORMING_BOX or counts_as_forming(unit)


@computed("49/1", "49.A/5", "49.A.3/7")
def reserve_of(facts: EuropaFacts, unit: Unit) -> str:
    """The reserve a unit is in: by its box or marker, or operational because it is forming."""
    if not facts.world.plays_reserves:
        return NO_RESERVE
    if unit.place.kind == STRATEGIC_BOX:
        return STRATEGIC
    marked = facts.of_unit(unit, RESERVE)
    return OPERATIONAL if marked == NO_RESERVE and is_forming(unit) else marked


def _of_a_unit(world: EuropaWorld, facts: EuropaFacts, name: str) -> str:
    return reserve_of(facts, facts.state.units[name])


def depots_for(world: EuropaWorld, facts: EuropaFacts, unit: Unit, nation: str, area: str = "") -> list[str]:
    """The depots a unit's change may be charged to, by its hex, or in a box by the MD of the change."""
    if unit.place.on_map:
        return depots.nets(world, facts, unit.id, unit.place, nation)
    found = depots.around(world, facts, area or area_of(world, unit), depots.served_by(world, facts, nation))
    return depots.of_one_power(world, facts, found)


class Changing(EuropaQuestion):
    """A unit about to enter or leave a reserve."""

    @lazy
    def country_served(self) -> str:
        """The nation whose depots are asked for."""
        return self.unit.spec.nation

    @lazy
    def payer(self) -> str:
        """The nation whose points pay: its own, or that of the depot it leans on where it has none."""
        own = self.country_served
        if not self.depot or depots.depots_of(self.world, self.facts, own):
            return own
        return depots.owner_of(self.world, self.facts, self.depot) or own

    @lazy
    def reserve(self) -> str:
        return reserve_of(self.facts, self.unit)

    @lazy
    def area(self) -> str:
        """The MD in which the change is made."""
        return area_of(self.world, self.unit)

    @lazy
    def own_turn(self) -> bool:
        return self.world.has_the_turn(self.state, self.side)

    @lazy
    def own_reinforcement_phase(self) -> bool:
        return self.own_turn and self.world.phase(self.state) == REINFORCEMENT

    @lazy
    def move(self) -> Move:
        move: Move = self.command.move(self)
        return move

    @lazy
    def waived(self) -> str:
        """The clause that makes the change free; empty when it is paid for."""
        return str(self.command.waived(self))

    @lazy
    def size(self) -> Size:
        return size_of(self.world, self.state, self.unit, self.move, self.depot)

    @lazy
    def nets(self) -> list[str]:
        """The depots it may be charged to."""
        return depots_for(self.world, self.facts, self.unit, self.country_served, self.area)

    @lazy
    def depot(self) -> str:
        """The depot that is charged: the one named, else the first in whose net the unit stands."""
        named = self.command.depot
        if named:
            return self.world.hex_name(named)
        return self.nets[0] if self.nets else ""

    @lazy
    def width(self) -> int:
        """REs that fit in a band: the base number, and at least one."""
        return max(1, base_number(self.facts, self.payer))

    @lazy
    def charge(self) -> depots.Charge:
        box = depots.depot_at(self.world, self.state, self.depot) if self.depot else depots.Depot()
        return depots.charge(box, Fraction(0) if self.waived else self.size.res, self.width)

    @lazy
    def counts(self) -> bool:
        """Whether it fills the bands of a depot, be it at a multiplier of nothing."""
        return bool(self.charge.slices)

    @lazy
    def cost(self) -> Fraction:
        return self.charge.cost * self.size.on_cost

    @lazy
    def track(self) -> str:
        """The points that pay: those the depot brought, else those of its MD."""
        area = self.world.spot(self.depot).area if self.depot else self.area
        return accounts.track_of(self.world, self.state, self.payer, area or self.area)

    @lazy
    def left(self) -> Fraction:
        return accounts.left(self.state, self.track, self.payer)

    @property
    def working(self) -> str:
        """'3 RE, ×2 armour, counts 6: 4 at ×1, 2 at ×2 = 8'."""
        if self.waived:
            return f"{self.unit}: free"
        times = f" ×{show_points(self.size.on_cost)} = {show_points(self.cost)}" if self.size.on_cost != 1 else ""
        depot = the_place(self.depot) or "no depot"
        return f"{self.unit}, charged to {depot}: {self.size.working}: {self.charge.working}{times}"


# ------------------------------------------------------------------------------------------------- rules


@rule("49.A.1.a.list2.i/3")
def depot_is_one_it_can_use(q: Changing) -> Verdict:
    """A change is charged to a depot in whose net the unit stands."""
    if q.waived or not q.command.depot:
        return YES
    served = depots.served_by(q.world, q.facts, q.country_served)
    if q.depot not in served and q.depot not in q.nets:
        raise BadCommand(
            f"{the_pool(q.payer)} has no depot at '{q.command.depot}'; it may be {the_places(q.nets) or 'none'}"
        )
    if q.depot in q.nets:
        return YES
    words = f"charge it to {the_places(q.nets, ' or ')}"
    ways = [instead(q, words if each == q.nets[0] else "", depot=each) for each in q.nets]
    return no(f"{q.unit} is not in the net of {the_place(q.depot)}", remedy=ways)


@rule("49.A.1.a/2")
def the_number_is_known(q: Changing) -> Verdict:
    """The month's base number governs every change that is paid for."""
    if not q.counts or rolled(q.facts, q.payer):
        return YES
    return no(
        f"{the_pool(q.payer)} has no base number this month",
        remedy=_a_roll(q),
    )


def _a_roll(q: Changing) -> list[Remedy]:
    """To roll now where that is open, else to say what the number is, or to roll when the next month begins."""
    words = f"roll for the deployment of {the_pool(q.payer)}"
    if not q.world.plays_reserves:
        return []
    if rolls := by_order(q, "roll-deployment", words, nation=q.payer):
        return [*rolls, Remedy("declare its base number")]
    if q.facts.is_neutral(q.payer):
        return []
    if q.world.side_now(q.state, q.payer) not in q.world.sequence.players:
        return [Remedy("declare its base number")]
    following = first_of_month(q.world, q.state.clock.turn, 1)
    wait = in_phase_of(q, following, REINFORCEMENT, f"{words} on {q.world.turn_name(following)}")
    way = Way(after=wait.way.until, first=(RollDeployment(nation=q.payer),)) if wait.way else None
    return [Remedy("declare its base number"), Remedy(wait.words, way)]


@rule("49.A.1.a/10", "49.A.1/1", "49.B.2/3")
def limit_is_not_exceeded(q: Changing) -> Verdict:
    """Nothing is changed that costs more than the points left."""
    if not q.cost or q.cost <= q.left:
        return YES
    if granted := q.command.overdraft(q):
        return yes(granted, "the points may go below nothing this turn")
    held = accounts.in_words(q.world, q.state, q.payer, q.track)
    return no(
        f"costs {show_points(q.cost)} ({q.working}), {the_pool(q.payer)} has {held}",
        remedy=_cheaper(q) or _next_month(q),
        also=("49.A.1/1",),
        have=q.left,
        need=q.cost,
    )


def _next_month(q: Changing) -> str:
    """To wait for the next month's points, where with what is carried over the best of rolls could pay."""
    if q.facts.of_nation(q.payer, NEUTRAL) is True:
        return ""
    most = most_in_a_month(q.world, q.facts, q.payer).get(q.track)
    if most is None:
        return ""
    width = max(1, best_base(q.world, q.facts, q.payer))
    cost = depots.charge(depots.fresh(q.world, q.state), q.size.res, width).cost * q.size.on_cost
    return "wait for the next month's points" if cost <= most + carried_over(q.world, q.state, q.left) else ""


def _cheaper(q: Changing) -> Remedy | None:
    """A depot in whose net the unit also stands, and at which the points would do."""
    for other in q.nets:
        if other == q.depot:
            continue
        charge = depots.charge(depots.depot_at(q.world, q.state, other), q.size.res, q.width)
        if charge.cost * q.size.on_cost <= q.left:
            costs = show_points(charge.cost * q.size.on_cost)
            words = f"charge it to {the_place(other)} ({the_field('depot', other)}), where it costs {costs}"
            return instead(q, words, depot=other)
    return None


# ------------------------------------------------------------------------------------------------ events


def paid(q: Changing, because: str) -> Iterator[Event]:
    """The points leave the track, and the depot's box shows its new multiplier."""
    if not q.counts:
        return
    why = f"49.A.1.a/8 49.A.1.a/11 {because} {q.size.because}"
    yield from accounts.spent(q.cost, q.payer, q.track, why, q.working)
    if q.depot:
        yield from depots.used_for(q.depot, q.charge)


def entered(q: Changing, reserve: str, because: str) -> Iterator[Event]:
    """The marker of a reserve goes on; a Reserve marker comes off, and what it cost is not returned."""
    on = unit_key(q.unit.id)
    yield Marked(on=on, mark=RESERVE, value=reserve, because=because)
    yield Marked(on=on, mark=PLACED_IN_RESERVE, value=True, because=because)
    if q.facts.is_so(q.unit, RESERVE_MARKER):
        yield Marked(on=on, mark=RESERVE_MARKER, because="49.A.1.d.iv/1", says="no supply points come back")


def left_reserve(state: State, unit: str, how: str, because: str) -> Iterator[Event]:
    """The marker comes off, and it is noted when and whether it was paid for."""
    yield from take_off(state, unit_key(unit), RESERVE, because)
    yield noted_as_left(state, unit, how)


def noted_as_left(state: State, unit: str, how: str, because: str = "49.A.1.e/2") -> Event:
    return Marked(on=unit_key(unit), mark=LEFT, value=f"{how} {moment(state)}", because=because)


def moment(state: State) -> str:
    """The phase of the campaign, for what must be done at once."""
    return f"{state.clock.player_turn}.{state.clock.phase}"


def operational_change(q: Changing) -> Iterator[Event]:
    """From its first operational change in a reinforcement phase on, a country's strategic changes are closed."""
    if q.counts and q.own_reinforcement_phase:
        yield Marked(on=subject_key("nation", q.payer), mark=CHANGED, value=True, because="49.A.1/2")


@computed("49.A/3", "49.A/4")
@kept
def theatre_totals(world: EuropaWorld, facts: EuropaFacts) -> dict[tuple[str, str], Fraction]:
    """The REs in operational reserve by theatre and side, counted whenever it is asked for."""
    found: dict[tuple[str, str], Fraction] = {}
    # By its marker, or because it is forming.
    marked = {on.removeprefix(unit_key("")) for on in facts.state.marked.get(RESERVE, ())}
    marked |= {unit.id for unit in facts.state.units_off_map() if is_forming(unit)}
    for unit in (facts.state.units[each] for each in sorted(marked) if each in facts.state.units):
        if reserve_of(facts, unit) == OPERATIONAL:
            key = world.theatre_of(area_of(world, unit)), world.side_now(facts.state, unit.spec.nation)
            found[key] = found.get(key, Fraction(0)) + world.res(unit.spec, unit.step)
    return found


def named(state: State, names: Sequence[str], field: str = "units") -> list[Unit]:
    """The units of a list: of one nation, and each named once."""
    if not names:
        raise BadCommand(f"say which units with {field}=")
    units = [find_unit(state, name) for name in names]
    if len({unit.id for unit in units}) < len(units):
        raise BadCommand("a unit is named twice; name each once")
    if len({unit.spec.nation for unit in units}) > 1:
        raise BadCommand("the units are of several nations; give the command for each nation")
    return units


def in_any_reserve(facts: EuropaFacts, unit: Unit) -> bool:
    return reserve_of(facts, unit) in (OPERATIONAL, STRATEGIC)


CHAPTER = Chapter(
    heading="49.A.1",
    facts=(
        Fact(
            RESERVE,
            ("unit",),
            "the reserve it is in",
            NO_RESERVE,
            values=(NO_RESERVE, OPERATIONAL, STRATEGIC),
            comes_to=_of_a_unit,
            said={NO_RESERVE: "not in reserve", TAKEN_BACK: "no longer in reserve", ANY: "{} reserve"},
        ),
        Fact(RESERVE_MARKER, ("unit",), "it has a 'Reserve' marker", False, YES_NO),
        Fact(
            LEFT, ("unit",), "how and when it left its reserve this month", "", lasts=MONTH, by_hand=False, told=False
        ),
        Fact(
            CHANGED,
            ("nation",),
            "it has changed operational reserves this player-turn",
            False,
            YES_NO,
            lasts=PLAYER_TURN,
            by_hand=False,
        ),
    ),
)
