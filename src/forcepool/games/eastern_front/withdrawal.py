"""EF.reinforcements/25 to /28: the Rumanian units that go home in December 1941."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.agenda import DUE, NEWS, Item
from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command
from forcepool.engine.desk import Advance
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import PLAYER_TURN, YES_NO, Fact, unit_key
from forcepool.engine.given import Spot, UnitName
from forcepool.engine.options import choice
from forcepool.engine.places import at_hex
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.eastern_front.chapter import (
    REPLACEMENT_PHASE,
    STRATEGIC_PHASE,
    Order,
    by_orders,
    instead,
    only_in,
    wait_for,
)
from forcepool.games.eastern_front.facts import ISOLATED, LAND
from forcepool.games.eastern_front.losses import leaves_behind
from forcepool.games.eastern_front.strategic import (
    STRATEGIC_BY,
    MoveStrategically,
    StrategicMove,
    goes_on,
    moves_left,
    next_turn,
    standing_on_the_map,
    used_up,
    uses_capacity,
)
from forcepool.games.eastern_front.world import AXIS, DEAD, EasternWorld, on_the_map
from forcepool.rulebook.citations import computed

RUMANIA = "Rumania"
WITHDRAWS = "withdraws"
WITHDRAWN = "withdrawn"
LIFTED = "lifted"

MISSING = switch(
    "rumanian-withdrawal",
    "EF.reinforcements/25",
    "what of a Rumanian unit marked for withdrawal that is dead or isolated",
    dead_exempt="a dead one needs no withdrawal, an isolated one is picked up",
    another_instead="another Rumanian unit is withdrawn in place of a dead one",
    isolated_stays="a dead one needs none, an isolated one stays where it is",
)
WHERE_TO = switch(
    "rumanian-points",
    "EF.reinforcements/27",
    "where withdrawn Rumanian units are put",
    any_point="on any Axis-controlled point in Rumania",
    bucharest="at Bucharest only",
)
CHARGE = switch(
    "withdrawal-capacity",
    "EF.reinforcements/28",
    "how the withdrawal uses Axis strategic movement",
    charged_first="it is charged first, and what does not fit goes in the next turn; the units are dispersed",
    in_full="it always happens in full, and capacity does not fall below nothing",
    undispersed="it is charged first, but the units are not dispersed",
)


def _marked(world: EasternWorld, state: State, unit: Unit) -> bool:
    return unit.spec.nation == RUMANIA and world.facts(state).is_so(unit, WITHDRAWS)


@computed("EF.reinforcements/25")
def still_to_withdraw(world: EasternWorld, state: State) -> list[Unit]:
    """The marked Rumanian units that have to go home now, in December 1941 and until all have gone."""
    if state.clock.turn < world.dates["rumanian_withdrawal"] or world.side_now(state, RUMANIA) != AXIS:
        return []
    facts, isolated_stay = world.facts(state), world.ruling(state, MISSING.key) == "isolated-stays"
    return [
        unit
        for unit in state.units_in_order()
        if _marked(world, state, unit)
        and on_the_map(unit)
        and world.point(unit.place.of).country != RUMANIA
        and not facts.is_so(unit, WITHDRAWN)
        and not (isolated_stay and facts.is_so(unit, ISOLATED))
    ]


def those_at_home_stay(world: EasternWorld, state: State) -> Iterator[Event]:
    """A marked unit that is in Rumania when the withdrawal comes has nothing to withdraw from."""
    due = state.clock.turn >= world.dates["rumanian_withdrawal"] and world.phasing(state) == AXIS
    if not due or world.phase(state) != REPLACEMENT_PHASE:
        return
    facts = world.facts(state)
    for unit in state.units_in_order():
        at_home = on_the_map(unit) and world.point(unit.place.of).country == RUMANIA
        if at_home and _marked(world, state, unit) and not facts.is_so(unit, WITHDRAWN):
            yield Marked(
                on=unit_key(unit.id),
                mark=WITHDRAWN,
                value=True,
                because="EF.reinforcements/25",
                says="it is in Rumania, and has nothing to withdraw from",
            )


def substitutes_owed(world: EasternWorld, state: State) -> int:
    """How many others must go in place of marked units that are dead, where a group plays it so."""
    if world.ruling(state, MISSING.key) != "another-instead" or state.clock.turn < world.dates["rumanian_withdrawal"]:
        return 0
    facts = world.facts(state)
    rumanians = [unit for unit in state.units.values() if unit.spec.nation == RUMANIA]
    dead = sum(
        _marked(world, state, unit) and unit.place.kind == DEAD and not facts.is_so(unit, WITHDRAWN)
        for unit in rumanians
    )
    gone = sum(facts.is_so(unit, WITHDRAWN) and not _marked(world, state, unit) for unit in rumanians)
    return max(0, dead - gone)


@rule("EF.reinforcements/26")
def is_being_withdrawn(q: StrategicMove) -> Verdict:
    """Only the Rumanian units of the withdrawal are lifted off the map and put down at home."""
    if q.facts.is_so(q.unit, WITHDRAWN):
        return no(f"{q.unit} has been withdrawn, and moves along lines like any other unit")
    if q.side == AXIS and _marked(q.world, q.state, q.unit):
        return YES
    if q.unit in _substitutes(q.world, q.state, all_of_them=True):
        return yes("EF.reinforcements/25", "it goes in place of one that is dead")
    return no(f"{q.unit} is not marked for withdrawal, and moves along lines like any other unit")


@rule("EF.reinforcements/25")
def withdrawal_is_due(q: StrategicMove) -> Verdict:
    """The withdrawal comes in December 1941."""
    due = q.world.dates["rumanian_withdrawal"]
    if q.turn < due:
        says = f"the withdrawal is due in {q.world.turn_name(due)}"
        return no(says, **wait_for(q.world, due, AXIS, STRATEGIC_PHASE))
    if q.world.point(q.unit.place.of).country == RUMANIA:
        return no(f"{q.unit} is in Rumania already, and has nothing to withdraw from")
    if q.switch(MISSING.key) == "isolated-stays" and q.facts.is_so(q.unit, ISOLATED):
        return no(f"{q.unit} is isolated and stays where it is", remedy="relieve it first")
    return YES


@rule("EF.reinforcements/27")
def goes_to_rumania(q: StrategicMove) -> Verdict:
    """A withdrawn unit is put on a friendly point in Rumania."""
    nation, home = q.world.profile.nations[RUMANIA], _a_home_point(q.world, q.state)
    remedy = instead(q, f"put it at {the_place(home)}", to=home) if home else {}
    if q.switch(WHERE_TO.key) == "bucharest" and q.destination not in nation.entry.points:
        return no(
            f"withdrawn units go to {the_place(nation.entry.points[0])}, not to {the_place(q.destination)}", **remedy
        )
    if q.world.point(q.destination).country != RUMANIA:
        return no(f"{the_place(q.destination)} is not in Rumania", **remedy)
    if q.facts.control(q.destination) != AXIS:
        return no(f"the Axis does not control {the_place(q.destination)}", **remedy)
    return YES


@rule("EF.reinforcements/28")
def withdrawal_fits(q: StrategicMove) -> Verdict:
    """Each withdrawn unit uses one of the Axis strategic movement of the turn."""
    have, need = moves_left(q.world, q.state, AXIS), q.world.numbers["move_cost"]
    if goes_on(q) or q.switch(CHARGE.key) == "in-full" or q.world.phasing(q.state) != AXIS or have >= need:
        return YES
    remedy = next_turn(q.world, q.state, AXIS, STRATEGIC_PHASE)
    return no(used_up(q.world, q.turn, AXIS), have=have, need=need, **remedy)


class Withdraw(Command, tag="withdraw", frozen=True):
    """Lift a Rumanian unit that is due for withdrawal off the map and put it down in Rumania."""

    harms = True

    unit: UnitName
    to: Spot
    """A point in Rumania."""

    question = StrategicMove
    needs = (standing_on_the_map("EF.reinforcements/26"),)
    requires = (
        only_in(STRATEGIC_PHASE, "EF.reinforcements/25"),
        is_being_withdrawn,
        withdrawal_is_due,
        goes_to_rumania,
        withdrawal_fits,
    )

    def effects(self, q: StrategicMove) -> Iterator[Event]:
        unit, on = q.unit, unit_key(q.unit.id)
        uses = min(q.world.numbers["move_cost"], moves_left(q.world, q.state, AXIS))
        if uses > 0 and not goes_on(q):
            yield uses_capacity(q.world, AXIS, uses, "EF.reinforcements/28", unit.id)
        because = "EF.reinforcements/25 EF.reinforcements/26 EF.reinforcements/27"
        yield Moved(unit=unit.id, frm=unit.place, to=at_hex(q.destination), because=because)
        yield Marked(on=on, mark=WITHDRAWN, value=True, because="EF.reinforcements/25")
        yield Marked(on=on, mark=LIFTED, value=True, because="EF.reinforcements/26")
        yield from leaves_behind(q.state, unit)
        if q.switch(CHARGE.key) != "undispersed":
            yield Marked(on=on, mark=STRATEGIC_BY, value=LAND, because="EF.reinforcements/28")

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        goes = _marked(world, state, unit) or unit in _substitutes(world, state, all_of_them=True)
        abroad = on_the_map(unit) and world.point(unit.place.of).country != RUMANIA
        if goes and abroad and world.phase(state) == STRATEGIC_PHASE:
            home = _a_home_point(world, state)
            points = sorted(name for name, point in world.points.items() if point.country == RUMANIA)
            for name in sorted(points, key=lambda name: name != home):
                yield cls(unit=unit.id, to=name)


@rule("EF.reinforcements/28")
def withdrawals_are_charged_first(q: Order) -> Verdict:
    """Other Axis units move strategically only with what the withdrawal leaves over."""
    if q.side != AXIS or goes_on(q) or q.world.phasing(q.state) != AXIS:
        return YES
    going = _all_that_go(q.world, q.state)
    if not _a_home_point(q.world, q.state) or q.unit in going:
        return YES  # What goes home itself, by rail or lifted, is a part of the withdrawal.
    pending, cost = sum(not has_moved(q.world, q.state, unit) for unit in going), q.world.numbers["move_cost"]
    have, need = moves_left(q.world, q.state, AXIS), cost * (pending + 1)
    if not pending or have >= need:
        return YES
    return no(
        f"{pending} Rumanian unit{'s are' if pending > 1 else ' is'} still to be withdrawn",
        have=have,
        need=Fraction(need),
        **next_turn(q.world, q.state, AXIS, STRATEGIC_PHASE, taken=pending),
    )


@rule("EF.reinforcements/25")
def stays_where_it_was_put(q: Order) -> Verdict:
    """A unit lifted home this turn has had its strategic movement."""
    if q.facts.is_so(q.unit, LIFTED):
        remedy = next_turn(q.world, q.state, AXIS, STRATEGIC_PHASE)
        return no(f"{q.unit} was withdrawn to Rumania this turn", **remedy)
    return YES


@rule("EF.reinforcements/25")
def rumanians_have_gone(q: Order) -> Verdict:
    """The withdrawal is not put off while there is capacity for it."""
    if q.world.phasing(q.state) != AXIS or q.world.phase(q.state) != STRATEGIC_PHASE:
        return YES
    names = ", ".join(map(format, still_to_withdraw(q.world, q.state))) or "another Rumanian unit"
    home, fit = _a_home_point(q.world, q.state), _those_that_fit(q)
    if fit and home:
        remedy = by_orders("withdraw puts them on points in Rumania", (Withdraw(unit=u.id, to=home) for u in fit))
        return no(f"to be withdrawn to Rumania: {names}", **remedy)
    return YES


def has_moved(world: EasternWorld, state: State, unit: Unit) -> bool:
    """Whether a unit has had its one of the strategic movement this turn."""
    return bool(world.facts(state).word(unit, STRATEGIC_BY))


def _all_that_go(world: EasternWorld, state: State) -> list[Unit]:
    return [*still_to_withdraw(world, state), *_substitutes(world, state)]


def _those_that_fit(q: Order) -> list[Unit]:
    """The units that can be withdrawn this turn: those that have had their strategic move, and as many as are left."""
    going = _all_that_go(q.world, q.state)
    if q.switch(CHARGE.key) == "in-full":
        return going
    paid = [unit for unit in going if has_moved(q.world, q.state, unit)]
    left = max(0, moves_left(q.world, q.state, AXIS) // q.world.numbers["move_cost"])
    return paid + [unit for unit in going if unit not in paid][:left]


def _substitutes(world: EasternWorld, state: State, all_of_them: bool = False) -> list[Unit]:
    """The Rumanian units abroad that would go in place of dead ones: as many as have to, or all that could."""
    owed = substitutes_owed(world, state)
    if not owed or world.side_now(state, RUMANIA) != AXIS:
        return []
    facts = world.facts(state)
    others = [
        unit
        for unit in state.units_in_order()
        if unit.spec.nation == RUMANIA
        and on_the_map(unit)
        and world.point(unit.place.of).country != RUMANIA
        and not _marked(world, state, unit)
        and not facts.is_so(unit, WITHDRAWN)
    ]
    return others if all_of_them else others[:owed]


def _a_home_point(world: EasternWorld, state: State) -> str:
    """A point that withdrawn units can be put on, the entry point before others; nothing while there is none."""
    facts = world.facts(state)
    home = [
        name for name, point in sorted(world.points.items()) if point.country == RUMANIA and facts.control(name) == AXIS
    ]
    entry = world.profile.nations[RUMANIA].entry.points
    others = () if world.ruling(state, WHERE_TO.key) == "bucharest" else home
    return next((name for name in (*(each for each in home if each in entry), *others)), "")


def todo(world: EasternWorld, state: State) -> Iterator[Item]:
    """The Rumanian units to be withdrawn."""
    if world.phasing(state) != AXIS:
        return
    if world.phase(state) == REPLACEMENT_PHASE:
        for unit in still_to_withdraw(world, state):
            text = f"{unit} is withdrawn to Rumania in the strategic movement phase"
            yield Item(NEWS, text, "EF.reinforcements/25", AXIS)
    if world.phase(state) == STRATEGIC_PHASE:
        home = _a_home_point(world, state)
        for unit in _all_that_go(world, state):
            order = Withdraw(unit=unit.id, to=home)
            fits = home and choice(world, state, order).open
            yield Item(DUE, f"{unit} is withdrawn to Rumania", "EF.reinforcements/25", AXIS, order if fits else None)


CHAPTER = Chapter(
    heading="EF.reinforcements (the Rumanian withdrawal)",
    commands=(Withdraw,),
    facts=(
        Fact(WITHDRAWS, ("unit",), "it is marked for the withdrawal of December 1941", False, YES_NO),
        Fact(WITHDRAWN, ("unit",), "it has been withdrawn", False, YES_NO, by_hand=False),
        Fact(LIFTED, ("unit",), "it was put down at home this turn", False, YES_NO, lasts=PLAYER_TURN, by_hand=False),
    ),
    guards={
        MoveStrategically: (withdrawals_are_charged_first, stays_where_it_was_put),
        Advance: (rumanians_have_gone,),
    },
    switches=(MISSING, WHERE_TO, CHARGE),
    ends=(those_at_home_stay,),
    due=(todo,),
)
