"""52.I.2.b  Training, reserve and replacement units of other forces than the German: what using them forfeits."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any, cast

from msgspec.structs import replace

from forcepool.engine.agenda import NEWS, Item
from forcepool.engine.calendar import turn_of
from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.facts import GAME_TURN, MONTH, POINTS, WORDS, YES_NO, Fact, subject_key, unit_key
from forcepool.engine.game import Effect
from forcepool.engine.points import parse_points, show_points, store_points
from forcepool.engine.state import State, Unit, evolve
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.centres import is_centre
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.tallies import counted_as, is_of_the_german_army
from forcepool.games.europa.question import BearsALoss
from forcepool.games.europa.reinforcements.disbanding import Disband
from forcepool.games.europa.replacements.contingents.owings import (
    Owing,
    filled,
    owings,
    received_so_far,
)
from forcepool.games.europa.replacements.general.receipt_chart import rps_received
from forcepool.games.europa.replacements.general.receiving import ReceivePoints
from forcepool.games.europa.replacements.soviet.militia import DisbandMilitia
from forcepool.games.europa.replacements.soviet.nkvd import DisbandNkvd
from forcepool.games.europa.replacements.special.special import SPECIAL, in_the_pool
from forcepool.games.europa.world import ELIMINATED, FORFEIT, ISOLATED, EuropaWorld
from forcepool.rulebook.citations import computed, shown

CONTACT = "contact"
ENEMY, PARTISANS = "enemy", "partisans"
COMBAT_LOSSES = ("combat", "overrun")
FORFEITED_FOR, RECEIVED_BEFORE = "forfeited_this_month", "received_before_forfeit"
FORFEITED = "sink/forfeited"
NEXT_RECEIPT, DEFICIT = f"{FORFEIT}next receipt", f"{FORFEIT}deficit"
WHY = {NEXT_RECEIPT: "52.I.2.b.3/1", DEFICIT: "52.I.2.b.2/1"}
"""The clause by which what is owed on a marker is taken; the others are those of a month."""
AT_THE_FRONT = ("front/", "theatre/")
"""Pools whose points were received before and sent on: what is forfeited comes out of what comes in."""

BOUND = switch(
    "training-bound",
    "52.I.2.b/1",
    "which forces other than German ones must restrict their training, reserve and replacement units",
    all="all of them, Soviets and neutrals too",
    allied_and_axis="Allied and non-German Axis forces only",
)
HOW_OFTEN = switch(
    "training-forfeit",
    "52.I.2.b.1/1",
    "how often a training unit that enters a ZOC or fights forfeits RPs",
    each_turn="for each game turn in which it does",
    each_month="once a month",
)
EXEMPTION = switch(
    "training-partisans",
    "52.I.2.b.1/2",
    "what contact with partisans exempts",
    that_contact="that contact alone",
    whole_turn="the unit, for the whole turn",
)
POOL_FORFEIT = switch(
    "training-pool-forfeit",
    "52.I.2.b.3/1",
    "what a training unit in a replacement pool forfeits",
    each_turn="once for each start of its owner's player-turn, all at the next receipt; both boxes count",
    each_receipt="once for each receipt, if it is in the pool as that turn starts; both boxes count",
    eliminated_box="once for each start of its owner's player-turn, in the ELIMINATED BOX alone",
)


PAID_FROM = switch(
    "training-forfeit-from",
    "52.I.2.b.2/1",
    "which infantry RPs pay what training units forfeit",
    receipts="those received and those in the nation's pool and the MDs'; the rest is a deficit",
    any_pool="those of every pool of the nation, the fronts' too",
)


@computed("52.I.2.b/1")
def is_bound(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """Whether a unit is a training, reserve or replacement unit whose owner pays for using it."""
    nation = unit.spec.nation
    if not is_centre(world, unit.spec) or is_of_the_german_army(world, nation):
        return False
    side = world.side_now(state, nation)
    return world.ruling(state, BOUND.key) == "all" or side in ("Allied", "Axis")


def _forfeit(unit: Unit, kind: str, amount: Fraction, marker: str, because: str, says: str) -> Event:
    return Transferred(
        amount=amount,
        kind=kind,
        nation=counted_as(unit.spec),
        frm=marker,
        to=FORFEITED,
        because=because,
        says=f"{unit} {says}",
    )


# ----------------------------------------------------------------------------------- in a ZOC, or in combat


def contacts(world: EuropaWorld, state: State, unit: Unit) -> list[str]:
    """Whom a unit met this game turn, by entering a ZOC or in combat; an attack of which no more is said is one."""
    said = cast(list[str], world.facts(state).value(unit_key(unit.id), CONTACT) or [])
    attacked = state.mark(unit_key(unit.id), "attacked")
    if not said and attacked is not None and attacked.value is True:
        return [ENEMY] if turn_of(attacked.since) == state.clock.turn else []
    return said


def took_part(q: Any) -> Iterator[Event]:
    """A training unit that takes or averts a loss in combat has fought, with the enemy unless it was said with whom."""
    world, state, unit = q.world, q.state, q.unit
    fought = getattr(q.command, "cause", COMBAT_LOSSES[0]) in COMBAT_LOSSES
    if fought and is_bound(world, state, unit) and not contacts(world, state, unit):
        yield Marked(on=unit_key(unit.id), mark=CONTACT, value=[ENEMY], because="52.I.2.b.1/1", says="took a loss")


@computed("52.I.2.b.1/2")
def is_exempt(met: list[str], ruling: str) -> bool:
    """Partisans do not count: neither their ZOCs nor combat with them."""
    return ENEMY not in met or (ruling == "whole-turn" and PARTISANS in met)


def offended(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a game turn ends, the training units that met the enemy in it forfeit RPs of next month."""
    if (state.clock.player, world.phase(state)) != _last(world, state):
        return
    marked = state.marked.get(CONTACT, set()) | state.marked.get("attacked", set())
    for on in sorted(each for each in marked if each.startswith(unit_key(""))):
        unit = state.units.get(on.removeprefix(unit_key("")))
        met = contacts(world, state, unit) if unit is not None else []
        if unit is None or not met or not is_bound(world, state, unit):
            continue
        if not is_exempt(met, world.ruling(state, EXEMPTION.key)):
            yield from half_a_point_next_month(world, state, unit)


def _last(world: EuropaWorld, state: State) -> tuple[int, str]:
    last = len(world.sequence.players) - 1
    return last, world.sequence.phases_of(last, state.clock.order)[-1]


@computed("52.I.2.b.1/1")
def half_a_point_next_month(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Event]:
    """Half an infantry RP of the unit's force, due on the first turn of next month."""
    calendar, now, key = world.calendar, state.clock.turn, unit_key(unit.id)
    if world.ruling(state, HOW_OFTEN.key) == "each-month":
        if world.facts(state).is_so(unit, FORFEITED_FOR):
            return
        yield Marked(on=key, mark=FORFEITED_FOR, value=True)
    due = calendar.next_month(now)
    kind, amount = world.infantry_of(unit.spec), world.numbers["training_forfeit"]
    yield _forfeit(unit, kind, amount, f"{FORFEIT}{due}", "52.I.2.b.1/1", "entered an enemy ZOC or fought")


# -------------------------------------------------------------------------------------- in a replacement pool


def lie_in_the_pool(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a player's turn begins, each of his training units in a replacement pool forfeits RPs of the next receipt."""
    if state.clock.phase != 0:
        return
    ruling = world.ruling(state, POOL_FORFEIT.key)
    if ruling == "each-receipt":
        yield from _anew(world, state)
    nations = set()
    lying = [unit for unit in state.units.values() if is_in_pool(state, unit, ruling)]
    for unit in sorted(lying, key=lambda each: each.id):
        if _has_the_turn(world, state, unit.spec.nation) and is_bound(world, state, unit):
            nations.add(counted_as(unit.spec))
            yield half_a_point_at_the_next_receipt(world, unit)
    for nation in sorted(nations):
        before = store_points(rps_so_far(world, state, nation))
        yield Marked(on=subject_key("nation", nation), mark=RECEIVED_BEFORE, value=before)


def rps_so_far(world: EuropaWorld, state: State, nation: str) -> Fraction:
    """The RPs a nation has received but for its losses; neither ARPs nor reserve points nor limited REs are RPs."""
    return received_so_far(state, nation, *rps_received(world, nation), but=SPECIAL)


def _anew(world: EuropaWorld, state: State) -> Iterator[Event]:
    """By house rule only the turn of the receipt counts, so what earlier turns noted is struck off."""
    for each in owings(state, NEXT_RECEIPT):
        if _has_the_turn(world, state, each.nation):
            yield Transferred(amount=each.amount, kind=each.kind, nation=each.nation, frm=FORFEITED, to=NEXT_RECEIPT)


def _has_the_turn(world: EuropaWorld, state: State, nation: str) -> bool:
    return world.has_the_turn(state, world.side_now(state, nation))


def is_in_pool(state: State, unit: Unit, ruling: str) -> bool:
    """Whether a unit lies in a replacement pool; the turn track is none, a week's sub-box of the nation's box is."""
    if unit.place.kind == ELIMINATED:
        return in_the_pool(state, unit)
    return unit.place.kind == ISOLATED and ruling != "eliminated-box" and unit.place.is_reached(state.clock.turn)


@computed("52.I.2.b.3/1")
def half_a_point_at_the_next_receipt(world: EuropaWorld, unit: Unit) -> Event:
    """Half an infantry RP of the unit's force, out of the next receipt."""
    kind, amount = world.infantry_of(unit.spec), world.numbers["pool_forfeit"]
    return _forfeit(unit, kind, amount, NEXT_RECEIPT, "52.I.2.b.3/1", "lies in the replacement pool")


# ------------------------------------------------------------------------------------------------ forfeiting


def forfeit(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a phase begins or ends what is due is taken out of the nation's pools, and deficits as soon as they can be."""
    due = owings(state, FORFEIT)
    if not due:
        return
    ready = [each for each in due if _is_due(world, state, each)]
    for _, group in groupby(ready, key=lambda each: each[:2]):
        yield from _taken(world, state, list(group))


def forfeit_at_once(q: Any) -> Iterator[Event]:
    """What is entered by hand pays what is owed before any of it can be allotted to a front."""
    after = q.state.copy()
    evolve(after, q.command.effects(q))
    return forfeit(q.world, after)


def _is_due(world: EuropaWorld, state: State, owing: Owing) -> bool:
    if owing.marker == DEFICIT:
        return True
    if owing.marker == NEXT_RECEIPT:
        before = world.facts(state).of_nation(owing.nation, RECEIVED_BEFORE)
        return rps_so_far(world, state, owing.nation) > parse_points(str(before or 0))
    turn = int(owing.marker.removeprefix(FORFEIT))
    now = world.phase(state) == REINFORCEMENT and _has_the_turn(world, state, owing.nation)
    return turn < state.clock.turn or (turn == state.clock.turn and now)


def _taken(world: EuropaWorld, state: State, due: list[Owing]) -> Iterator[Event]:
    """The points forfeited; what the nation cannot pay becomes a deficit."""
    left = {each.marker: each.amount for each in due}
    total = sum(left.values(), Fraction(0))
    but = () if world.ruling(state, PAID_FROM.key) == "any-pool" else AT_THE_FRONT
    for event in filled(state, due, total, "", "forfeited for its training units", but=but):
        left[event.to] -= event.amount
        yield replace(event, because=WHY.get(event.to, "52.I.2.b.1/1"))
    for each in due:
        if left[each.marker] and each.marker != DEFICIT:
            yield in_deficit(each, left[each.marker])


@computed("52.I.2.b.2/1")
def in_deficit(owing: Owing, amount: Fraction) -> Event:
    """A player with too few infantry RPs keeps a deficit until he can pay it."""
    return Transferred(
        amount=amount,
        kind=owing.kind,
        nation=owing.nation,
        frm=DEFICIT,
        to=owing.marker,
        because="52.I.2.b.2/1",
        says="a deficit until it can be paid",
    )


# ------------------------------------------------------------------------------------------ disbanding, showing


@rule("52.I.2.b.4/1")
def is_no_training_unit_to_be_disbanded(q: Any) -> Verdict:
    """Of the training, reserve and replacement units only German ones may be disbanded."""
    if not is_centre(q.world, q.unit.spec) or is_of_the_german_army(q.world, q.unit.spec.nation):
        return YES
    return no(f"{q.unit} is a training, reserve or replacement unit of {q.unit.spec.nation}", remedy="keep it")


@shown("52.I.2.b/1")
def restricted(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """What using the unit costs stands on it while it is on the map."""
    if unit.place.on_map and is_bound(world, state, unit):
        price = show_points(world.numbers["training_forfeit"])
        text = f"forfeits {price} inf RP next month for a turn in which it enters an enemy ZOC or fights"
        yield Effect(f"{text}; partisans do not count", "52.I.2.b/1")


def due_to_forfeit(world: EuropaWorld, state: State) -> Iterator[Item]:
    """What training units have cost and what is still to be paid."""
    for each in owings(state, FORFEIT):
        when = each.marker.removeprefix(FORFEIT)
        moment = {NEXT_RECEIPT: "at the next receipt", DEFICIT: "as soon as it can"}.get(each.marker)
        moment = moment or f"on {world.turn_name(int(when))}"
        text = f"{each.nation} forfeits {show_points(each.amount)} {each.kind} {moment}, for its training units"
        yield Item(NEWS, text, WHY.get(each.marker, "52.I.2.b.1/1"), world.side_now(state, each.nation))


CHAPTER = Chapter(
    heading="52.I.2.b",
    pools=(FORFEIT.rstrip("/"),),
    facts=(
        Fact(
            CONTACT,
            ("unit",),
            "whom it met this game turn by entering a ZOC or in ground combat, a word each",
            [],
            WORDS,
            values=(ENEMY, PARTISANS),
            lasts=GAME_TURN,
        ),
        Fact(
            FORFEITED_FOR, ("unit",), "RPs were forfeited for it this month", False, YES_NO, lasts=MONTH, by_hand=False
        ),
        Fact(RECEIVED_BEFORE, ("nation",), "RPs received before the last forfeit", "0", POINTS, by_hand=False),
    ),
    guards=dict.fromkeys((Disband, DisbandNkvd, DisbandMilitia), (is_no_training_unit_to_be_disbanded,)),
    also={BearsALoss: (took_part,), ReceivePoints: (forfeit_at_once,)},
    switches=(BOUND, HOW_OFTEN, EXEMPTION, PAID_FROM, POOL_FORFEIT),
    opening=(forfeit,),
    happens=(lie_in_the_pool, forfeit),
    ends=(offended, forfeit),
    shows=(restricted,),
    agenda=(due_to_forfeit,),
)
