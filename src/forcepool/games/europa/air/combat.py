"""28.D item 2 and 28.D.1.b  Damage settled as units return to base: paid off, borne, or made worse for half an ARP."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.agenda import DUE, Item
from forcepool.engine.command import BadCommand, Command, Question, carried_out, lazy
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import PLAYER_TURN, TAKEN_BACK, Fact, unit_key
from forcepool.engine.given import Nation, Points, Pool, UnitName, Words
from forcepool.engine.places import Place
from forcepool.engine.points import parse_points, show_counted, show_points
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.state import State, Unit, evolve
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Remedy, Verdict, no, rule, yes
from forcepool.games.europa.air.arps import MARKER, MARKER_PAID, MARKERS, RETURNED, has_marker, meet, moves
from forcepool.games.europa.air.dues import spoken_for
from forcepool.games.europa.air.prices import Bill
from forcepool.games.europa.air.question import ABORTED, eliminated_box, is_air, is_an_air_unit, without_status
from forcepool.games.europa.air.spending import (
    Spending,
    arps_are_of_its_own_force,
    of_its_theatre,
    pay,
    rare_types_are_limited,
)
from forcepool.games.europa.air.status import LADDER, levels
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.placing import AIR_STATUS, INOPERATIVE
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.question import by_order, in_its_place, instead
from forcepool.games.europa.replacements.special.disruption import Disrupt, DisruptPoints
from forcepool.games.europa.replacements.special.losses import Lose
from forcepool.games.europa.world import ELIMINATED, EuropaWorld
from forcepool.rulebook.citations import computed

INEFFECTIVE, DAMAGED = "ineffective", "damaged"
RESULT = "air_result"
WORSE = {DAMAGED: ABORTED, INEFFECTIVE: ELIMINATED}
BOXES = (ABORTED, ELIMINATED)
PRICES = switch(
    "air-combat-prices",
    "28.D.1.b/2",
    "what it costs to avert a combat result",
    ladder="half an ARP a step: eliminated, ineffective, aborted, damaged, inop, flown, operative",
    by_hand="players agree each price and enter it with price=",
)
WORSE_BOX = switch(
    "air-worse-result",
    "28.D.1.b/4",
    "which box a worse result leads to, and what it returns",
    respectively="damaged to the aborted, ineffective to the eliminated box, half an ARP each",
    owners_choice="the owner chooses the box: half an ARP for the aborted, one for the eliminated",
)


class Settling(Spending):
    """A combat result of an air unit, and what its owner makes of it."""

    command: "SettleAirResult"

    @lazy
    def result(self) -> str:
        return self.facts.of_unit(self.unit, RESULT)

    @lazy
    def to(self) -> str:
        return {"inop": INOPERATIVE}.get(self.command.to, self.command.to)

    @lazy
    def returns(self) -> Fraction:
        """The ARPs that a worse result gives back."""
        return gain(self)

    @lazy
    def available(self) -> Fraction:
        return max(Fraction(0), self.held - spoken_for(self.world, self.state, self.payer, self.force))

    @lazy
    def with_marker(self) -> Fraction:
        """The part of the price that a -1/2 ARP marker stands for."""
        lacking = self.bill.arps - self.available
        return lacking if self.command.marker and lacking > 0 else Fraction(0)


@computed("28.D.1.b/2", "28.D.1.b/3")
def steps_up(q: Settling) -> int:
    """Steps on the ladder of air status from the result to where the unit is to end; below nothing for a fall."""
    ladder = ((ELIMINATED,), (INEFFECTIVE,), (ABORTED,), (DAMAGED,), *levels(q.switch(LADDER.key)))
    rank = {word: number for number, words in enumerate(ladder) for word in words}
    if q.to not in rank or q.to in WORSE:
        raise BadCommand(
            f"{the_field('to')} is aborted, eliminated, inoperative, flown or operative, not '{q.command.to}'"
        )
    return rank[q.to] - rank[q.result]


@computed("28.D.1.b/4")
def gain(q: Settling) -> Fraction:
    """Half an ARP for a damaged or ineffective unit that goes to the worse box."""
    if q.result not in WORSE or q.to not in BOXES:
        return Fraction(0)
    if q.switch(WORSE_BOX.key) == "owners-choice":
        return q.world.numbers["worst_result" if q.to == ELIMINATED else "worse_result"]
    return q.world.numbers["worse_result"] if WORSE[q.result] == q.to else Fraction(0)


def _agreed(q: Settling) -> Fraction:
    if not q.command.price:
        raise BadCommand(f"by this house rule the players agree the price: give it with {the_field('price')}")
    price = parse_points(q.command.price)
    if price < 0:
        raise BadCommand("the price is nothing or more; a worse result returns its half by itself")
    return price


# -------------------------------------------------------------------------------------------------- rules


@rule("28.D.list.2/1")
def was_hit_on_this_mission(q: Settling) -> Verdict:
    """Damage is repaired as the unit returns to base from the mission it was suffered on, not later."""
    if q.result and q.unit.place.on_map:
        return YES
    if not q.unit.place.on_map:
        where = q.world.where(q.unit.place)
        return no(f"{q.unit} is {where}, and flew no mission", remedy="choose a unit on the map")
    return no(
        f"{q.unit} has suffered nothing this player-turn",
        remedy=f"declare its {RESULT} as it returns to base; older damage is repaired in the "
        f"{q.world.phase_called(REPLACEMENT)}",
    )


@rule("28.D.1.b/4")
def worse_only_by_one_result(q: Settling) -> Verdict:
    """Damaged units may go to the aborted box and ineffective ones to the eliminated box, no others lower."""
    if steps_up(q) >= 0 or q.returns:
        return YES
    return no(
        f"{q.unit} is {q.result}, it does not become {q.to}",
        remedy=instead(q, f"settle it as {_natural(q.result)}", to=_natural(q.result)),
    )


def _natural(result: str) -> str:
    return WORSE.get(result, result)


@rule("28.D.1.b/1", "28.D.1.b/5")
def front_pool_pays(q: Settling) -> Verdict:
    """The front's pool pays, with one -1/2 ARP marker where it runs out."""
    price, marker = q.bill.arps, q.world.numbers["arp_marker"]
    if price <= q.available:
        return YES
    if q.with_marker:
        return _marker(q, marker)
    enough = q.available + marker >= price and not has_marker(q.state, q.payer, q.force)
    costs = (
        f"costs {show_counted(price, 'ARP')} ({q.bill.working}), {the_pool(q.payer)} has {show_points(q.held)} of "
        f"{q.force}"
    )
    return no(
        costs,
        remedy=instead(q, f"put a -½ ARP marker in the pool ({the_field('marker', 'yes')})", marker=True)
        if enough
        else instead(q, f"settle it as {_natural(q.result)}", to=_natural(q.result)),
        also=tuple(q.bill.because.split()),
        have=q.available,
        need=price,
    )


def _marker(q: Settling, marker: Fraction) -> Verdict:
    if has_marker(q.state, q.payer, q.force):
        return no(
            f"a -½ ARP marker lies in {the_pool(q.payer)} already",
            remedy=instead(q, f"settle it as {_natural(q.result)}", to=_natural(q.result), marker=False),
            clause="28.D.1.b/5",
        )
    if q.with_marker <= marker:
        return yes("28.D.1.b/5")
    return no(
        f"costs {show_counted(q.bill.arps, 'ARP')}, {the_pool(q.payer)} has {show_points(q.available)} and a marker "
        "stands for "
        f"{show_points(marker)}",
        remedy=f"settle it as {_natural(q.result)}, or for less",
        clause="28.D.1.b/5",
        also=("28.D.1.b/3",),
        have=q.available + marker,
        need=q.bill.arps,
    )


@rule("28.D.1.b/1")
def air_units_are_lost_by_their_own_rule(q: Question) -> Verdict:
    """What befalls an air unit is a combat result, which brings no special replacements."""
    assert isinstance(q.world, EuropaWorld)
    if not is_air(q.world, q.unit):
        return YES
    return no(f"{q.unit} is an air unit, which bears a combat result instead", remedy=_as_a_result(q.world, q))


def _as_a_result(world: EuropaWorld, q: Question) -> list[Remedy]:
    """To settle the combat result of an air unit on the map, told first where nobody has told one yet."""
    settled = [SettleAirResult(unit=q.unit.id, to=each) for each in BOXES]
    if not q.unit.place.on_map or not Settling(world, q.state, settled[0]).theatre:
        return []
    if result := world.facts(q.state).of_unit(q.unit, RESULT):
        borne = SettleAirResult(unit=q.unit.id, to=_natural(result))
        return in_its_place(q, borne, f"settle its result: it is {result}")
    told = ({"unit": q.unit.id, "fact": RESULT, "value": each.to} for each in settled)
    return [
        remedy
        for fields, then in zip(told, settled, strict=True)
        for remedy in by_order(q, "declare", f"say that it is {then.to} and settle that", then=then, **fields)
    ]


# ------------------------------------------------------------------------------------------------ command


class SettleAirResult(Command, tag="settle-air-result", frozen=True):
    """Settle a combat result on return to base: pay to avert it, bear it, or take the worse for half an ARP."""

    unit: UnitName
    to: Words
    """aborted, eliminated, inoperative, flown, extended or operative."""
    marker: bool = False
    """Put a -1/2 ARP marker in the pool for the last half."""
    pay_from: Pool = ""
    """The pool that pays; left out, that of the theatre the unit is in."""
    price: Points = ""
    """What the players agreed, where the house rule leaves the price to them."""
    arps_of: Nation = ""
    """The national force whose ARPs pay; its own, which is the only one that may unless a house rule shares them."""

    question = Settling
    of_choice = ("price",)
    needs = (is_an_air_unit, was_hit_on_this_mission)
    requires = (
        worse_only_by_one_result,
        arps_are_of_its_own_force,
        of_its_theatre("28.D.1.b/1"),
        front_pool_pays,
        rare_types_are_limited,
    )

    def bill(self, q: Settling) -> Bill:
        up = steps_up(q)
        if up <= 0 or q.returns:
            return Bill(Fraction(0), "28.D.1.b/4", f"{q.result} to {q.to}")
        if q.switch(PRICES.key) == "by-hand":
            return Bill(_agreed(q), "28.D.1.b/2 28.D.list.2/1", "as agreed")
        each = q.world.numbers["combat_level"]
        return Bill(
            up * each,
            "28.D.1.b/3 28.D.1.b/1 28.D.list.2/1",
            f"{q.result} to {q.to}, {up} step{'s' if up > 1 else ''} at {show_points(each)}",
        )

    def effects(self, q: Settling) -> Iterator[Event]:
        yield from _paid(q)
        if q.returns:
            yield moves(q.returns, q.force, RETURNED, q.payer, "28.D.1.b/4", f"{q.unit}: {q.result} to {q.to}")
            yield from meet(q.state, q.payer, q.force, q.returns)
        yield Marked(on=unit_key(q.unit.id), mark=RESULT, because="28.D.list.2/1")
        if q.to in BOXES:
            area = q.area or q.payer
            box = Place(ABORTED, area) if q.to == ABORTED else eliminated_box(q.world, area)
            yield Moved(unit=q.unit.id, frm=q.unit.place, to=box, because="28.D.1.b/1")
            yield from without_status(q.state, q.unit)
        else:
            yield Marked(on=unit_key(q.unit.id), mark=AIR_STATUS, value=q.to, because="28.D.1.b/1")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        result = world.facts(state).of_unit(unit, RESULT)
        if not result:
            return
        price = "1/2" if world.ruling(state, PRICES.key) == "by-hand" else ""
        above = [word for words in levels(world.ruling(state, LADDER.key)) for word in words]
        for to in (*above, ABORTED, ELIMINATED):
            yield cls(unit=unit.id, to=to, price=price)
        # A marker stands for a price: what is borne or gives half an ARP back needs none.
        paid = above if result in (DAMAGED, ABORTED) else [*above, ABORTED]
        for to in paid:
            yield cls(unit=unit.id, to=to, marker=True, price=price)


def _paid(q: Settling) -> Iterator[Event]:
    """The price; a marker that waits for the next income stands beside the pool, else the pool goes below nothing."""
    later = q.with_marker if q.switch(MARKER_PAID.key) == "next-income" else Fraction(0)
    yield from pay(q, q.bill.arps - later)
    if later:
        yield moves(later, q.force, MARKERS, MARKER + q.payer, "28.D.1.b/5", "a -½ ARP marker")


def _unsettled(world: EuropaWorld, state: State) -> list[tuple[Unit, str]]:
    """The units that have returned to base with a result nobody has settled."""
    facts = world.facts(state)
    units = (state.units.get(on.removeprefix("unit/")) for on in sorted(state.marked.get(RESULT, ())))
    flown = [unit for unit in units if unit is not None and unit.place.on_map]
    return [(unit, result) for unit in flown if (result := facts.of_unit(unit, RESULT))]


def bear(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a player-turn ends, a result that nobody has settled is borne: unpaid, the unit goes to its box."""
    if not state.marked.get(RESULT) or world.sequence.next(state.clock).player_turn == state.player_turn:
        return
    now = state.copy()
    for unit, result in _unsettled(world, now):
        command = SettleAirResult(unit=unit.id, to=_natural(result))
        q = Settling(world, now, command)
        if q.theatre:
            events = list(carried_out(command, q))
            evolve(now, events)
            yield from events


def unsettled(world: EuropaWorld, state: State) -> Iterator[Item]:
    """The combat results that are still to be settled."""
    for unit, result in _unsettled(world, state):
        side = world.side_now(state, unit.spec.nation)
        command = SettleAirResult(unit=unit.id, to=_natural(result))
        text = f"{unit} returns to base {result}: it goes to the {_natural(result)} box unless you pay to avert it"
        yield Item(DUE, text, "28.D.list.2/1", side, command)


CHAPTER = Chapter(
    heading="28.D.1.b",
    commands=(SettleAirResult,),
    facts=(
        Fact(
            RESULT,
            ("unit",),
            "what air combat or anti-aircraft fire did to it on the mission it returns from",
            "",
            values=(DAMAGED, INEFFECTIVE, ABORTED, ELIMINATED),
            lasts=PLAYER_TURN,
            said={TAKEN_BACK: "its combat result is settled"},
        ),
    ),
    guards=dict.fromkeys((Lose, Disrupt, DisruptPoints), (air_units_are_lost_by_their_own_rule,)),
    switches=(PRICES, WORSE_BOX),
    ends=(bear,),
    due=(unsettled,),
)
