"""Strategic movement: how many units a side may move, by land or by sea, and how it leaves them dispersed."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from forcepool.engine.command import BadCommand, Command
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.facts import PLAYER_TURN, YES_NO, Fact, unit_key
from forcepool.engine.ledger import LOST, SETUP, SPENT, Account
from forcepool.engine.places import at_hex
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Rule, Verdict, no, rule, yes
from forcepool.engine.world import Habit
from forcepool.games.eastern_front.chapter import (
    OPERATIONAL_PHASE,
    REPLACEMENT_PHASE,
    STRATEGIC_PHASE,
    Chapter,
    Order,
    only_in,
)
from forcepool.games.eastern_front.facts import ARRIVED_AS, DISPERSED, LAND, NO_SUPPLY, REINFORCEMENT, REPLACEMENT, SEA
from forcepool.games.eastern_front.world import CAPACITY, MOVES, SOVIET, EasternWorld, is_factory, on_the_map
from forcepool.rulebook.citations import computed

SOURCE_OF_MOVES = "source/capacity"
STRATEGIC_BY = "strategic_by"
MOVED = "moved_operationally"

DISPERSAL = switch(
    "dispersal-ends",
    "EF.strategic/2",
    "when a dispersed unit recovers",
    next_turn="at the start of its owner's next turn, before the replacement/reinforcement phase",
    in_supply="at that moment, but only if it is in supply",
    after_replacements="after its owner's next replacement/reinforcement phase",
)
BAR = switch(
    "replacements-bar",
    "EF.replacements/11",
    "how long a replacement may move only strategically, and whose",
    turn_of_entry="in the turn of entry, for both sides",
    while_dispersed="as long as it is dispersed",
    soviet_only="in the turn of entry, for Soviet replacements alone",
)

# ---------------------------------------------------------------------------------------- the allowance


@computed("EF.strategic/3")
def capacity_of(world: EasternWorld, turn: int, side: str) -> int:
    """The units a side may move strategically in a turn."""
    rows = world.capacity.get(side, {})
    return rows[max(began)] if (began := [each for each in rows if each <= turn]) else 0


def moves_left(world: EasternWorld, state: State, side: str) -> Fraction:
    return state.balance(f"{CAPACITY}{side}", world.leader(side), MOVES)


def uses_capacity(world: EasternWorld, side: str, amount: Fraction | int, because: str, says: str = "") -> Event:
    return Transferred(
        amount=Fraction(amount),
        kind=MOVES,
        nation=world.leader(side),
        frm=f"{CAPACITY}{side}",
        to=SPENT,
        because=because,
        says=says,
    )


def allowance_received(world: EasternWorld, state: State) -> Iterator[Event]:
    """A side's strategic movement of the turn is there as its turn begins."""
    side = world.phasing(state)
    amount = capacity_of(world, state.clock.turn, side)
    if state.clock.phase == 0 and amount:
        yield Transferred(
            amount=Fraction(amount),
            kind=MOVES,
            nation=world.leader(side),
            frm=SOURCE_OF_MOVES,
            to=f"{CAPACITY}{side}",
            because="EF.strategic/3",
        )


def allowance_lapses(world: EasternWorld, state: State) -> Iterator[Event]:
    """What was not used by the end of the turn is gone."""
    if state.clock.phase + 1 < len(world.sequence.phases_of(state.clock.player)):
        return
    side = world.phasing(state)
    left = moves_left(world, state, side)
    if left:
        frm, to = (f"{CAPACITY}{side}", LOST) if left > 0 else (LOST, f"{CAPACITY}{side}")
        yield Transferred(
            amount=abs(left), kind=MOVES, nation=world.leader(side), frm=frm, to=to, because="EF.strategic/3"
        )


def allowance_is_stated(world: EasternWorld, state: State, side: str) -> bool:
    """Whether the file a campaign began with says what is left of a side's allowance."""
    return Account(SETUP, world.leader(side), MOVES) in state.balances


def allowance_at_start(world: EasternWorld, state: State) -> Iterator[Event]:
    """A campaign that begins in the middle of a turn has that turn's allowance, unless its file states what is left."""
    side = world.phasing(state)
    amount = capacity_of(world, state.clock.turn, side)
    if amount and not allowance_is_stated(world, state, side):
        yield Transferred(
            amount=Fraction(amount),
            kind=MOVES,
            nation=world.leader(side),
            frm=SOURCE_OF_MOVES,
            to=f"{CAPACITY}{side}",
            because="EF.strategic/3",
        )


# -------------------------------------------------------------------------------------- moving units


class StrategicMove(Order):
    """A unit, where it is to go, and how."""

    command: "MoveStrategically | MoveOperationally"

    @property
    def destination(self) -> str:
        return self.world.hex_name(self.command.to)

    @property
    def by(self) -> str:
        return land_or_sea(getattr(self.command, "by", LAND))


def land_or_sea(word: str) -> str:
    """How a player says something travels; any other word is a slip of the pen."""
    if word not in (LAND, SEA):
        raise BadCommand(f"a unit goes by {LAND} or {SEA}, not by '{word}'")
    return word


def goes_on(q: Order) -> bool:
    """Whether the unit has already moved strategically this turn, so that this is the same move going on."""
    return bool(q.facts.word(q.unit, STRATEGIC_BY))


@rule("EF.strategic/3", "EF.strategic/4", "EF.moving/12")
def capacity_left(q: Order) -> Verdict:
    """Each unit that moves strategically uses one of its side's allowance."""
    if goes_on(q):
        return YES
    have, need = moves_left(q.world, q.state, q.side), q.world.numbers["move_cost"]
    if have >= need:
        return yes("EF.strategic/4") if q.side == SOVIET else YES
    also = ("EF.strategic/4", "EF.moving/12") if q.side == SOVIET else ()
    return no(
        f"{q.side} strategic movement of the turn is used up",
        remedy="leave another unit where it is, or wait for the next turn",
        have=have,
        need=need,
        also=also,
    )


@rule("EF.strategic/1")
def wholly_by_land_or_sea(q: StrategicMove) -> Verdict:
    """Within a turn a unit moves strategically by land or by sea, never by both."""
    by, before = q.by, q.facts.word(q.unit, STRATEGIC_BY)
    if before and before != by:
        return no(f"{q.unit.id} has moved by {before} this turn", remedy=f"let it go on by {by} next turn")
    goals = frozenset((q.destination,))
    if (
        q.facts.open_to(q.unit, q.destination)
        and q.facts.route(q.side, q.unit.place.of, goals, lambda kind: kind.by == by) is not None
    ):
        return YES
    return no(
        f"there is no way to {q.destination} wholly by {by} over points that {q.side} controls",
        remedy=f"stop on the way, or go by {SEA if by == LAND else LAND}",
    )


@rule("EF.moving/14")
def is_no_factory(q: Order) -> Verdict:
    """Factories travel by their own rules, entrained."""
    if is_factory(q.unit):
        return no(f"{q.unit.id} is a factory", remedy="entrain it, and move it with move-factory")
    return YES


def standing_on_the_map(clause: str) -> Rule[Any]:
    """The rule that only a unit on a point of the map can move from it."""

    @rule(clause)
    def stands_on_the_map(q: Order) -> Verdict:
        if on_the_map(q.unit):
            return YES
        return no(f"{q.unit.id} is in the {q.world.show_place(q.unit.place)}", remedy="bring it onto the map first")

    return stands_on_the_map


class MoveStrategically(Command, tag="move-strategically", frozen=True):
    """Move a unit strategically, by land or by sea; it is dispersed when the phase ends."""

    unit: str
    to: str
    """The point it goes to."""
    by: str = LAND
    """land or sea."""

    question = StrategicMove
    needs = (is_no_factory, standing_on_the_map("EF.strategic/1"))
    requires = (only_in(STRATEGIC_PHASE, "EF.strategic/2"), wholly_by_land_or_sea, capacity_left)

    def effects(self, q: StrategicMove) -> Iterator[Event]:
        if not goes_on(q):
            because = "EF.strategic/3 EF.strategic/4" if q.side == SOVIET else "EF.strategic/3"
            yield uses_capacity(q.world, q.side, q.world.numbers["move_cost"], because, q.unit.id)
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=at_hex(q.destination), because="EF.strategic/1")
        yield Marked(on=unit_key(q.unit.id), mark=STRATEGIC_BY, value=self.by, because="EF.strategic/1")

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:  # type: ignore[override]
        if on_the_map(unit) and not is_factory(unit) and world.phase(state) == STRATEGIC_PHASE:
            for line, there in world.next_to(unit.place.of):
                if there in world.points:
                    yield cls(unit=unit.id, to=there, by=world.line_kind(line).by)


def disperse_the_movers(world: EasternWorld, state: State) -> Iterator[Event]:
    """Units that moved strategically are dispersed as the phase ends."""
    if world.phase(state) != STRATEGIC_PHASE:
        return
    facts, side = world.facts(state), world.phasing(state)
    for on in sorted(state.marks):
        name = on.removeprefix("unit/")
        if STRATEGIC_BY not in state.marks[on] or name not in state.units:
            continue
        unit = state.units[name]
        moved = facts.word(unit, STRATEGIC_BY) and world.side_now(state, unit.spec.nation) == side
        if moved and not facts.dispersed(unit):
            yield Marked(on=on, mark=DISPERSED, value=True, because="EF.strategic/2")


# ------------------------------------------------------------------------------- recovering from dispersal


def recover(world: EasternWorld, state: State) -> Iterator[Event]:
    """Dispersed units recover at the start of their owner's next turn."""
    if state.clock.phase == 0 and _played(world, state) != "after-replacements":
        yield from _recovered(world, state)


def recover_later(world: EasternWorld, state: State) -> Iterator[Event]:
    """Where a group plays it so, they recover only after the replacement/reinforcement phase."""
    if world.phase(state) == REPLACEMENT_PHASE and _played(world, state) == "after-replacements":
        yield from _recovered(world, state)


def _played(world: EasternWorld, state: State) -> str:
    return state.switches.get(DISPERSAL.key) or DISPERSAL.default


@computed("EF.strategic/2")
def _recovered(world: EasternWorld, state: State) -> list[Event]:
    facts, side, needs_supply = world.facts(state), world.phasing(state), _played(world, state) == "in-supply"
    found: list[Event] = []
    for on in sorted(state.marks):
        mark, name = state.marks[on].get(DISPERSED), on.removeprefix("unit/")
        # What was dispersed in this very phase, such as a composite unit just made, stays so.
        if mark is None or mark.value is not True or name not in state.units or mark.since == state.player_turn:
            continue
        unit = state.units[name]
        if world.side_now(state, unit.spec.nation) != side or (needs_supply and facts.supply(unit) == NO_SUPPLY):
            continue
        found.append(Marked(on=on, mark=DISPERSED, because="EF.strategic/2", says="it is no longer dispersed"))
    return found


# ----------------------------------------------------------------------------------- operational movement


@rule("EF.reinforcements/2")
def after_the_replacement_phase(q: Order) -> Verdict:
    """A reinforcement may move operationally in its first turn, like any unit, once the first phase is over."""
    if q.world.phase(q.state) == OPERATIONAL_PHASE and q.world.phasing(q.state) == q.side:
        return YES
    return no(
        f"operational movement comes after the replacement/reinforcement phase, in the {q.side} "
        f"{OPERATIONAL_PHASE} phase",
        remedy="go on to that phase",
    )


def _is_dispersed_since_it_came(q: Order) -> bool:
    """Whether a replacement has not yet recovered from its entry; later dispersals are another matter."""
    if q.facts.word(q.unit, ARRIVED_AS) != REPLACEMENT or not q.facts.dispersed(q.unit):
        return False
    came, dispersed = (q.state.mark(unit_key(q.unit.id), name) for name in (ARRIVED_AS, DISPERSED))
    return came is not None and dispersed is not None and dispersed.since <= came.since


@rule("EF.replacements/11")
def replacements_move_strategically(q: Order) -> Verdict:
    """A replacement moves only strategically in the turn it enters."""
    played = q.switch(BAR.key)
    if played == "soviet-only" and q.side != SOVIET:
        return YES
    if played == "while-dispersed":
        barred = _is_dispersed_since_it_came(q)
    else:
        barred = q.facts.came_this_turn(q.unit) == REPLACEMENT
    if barred:
        return no(
            f"{q.unit.id} came in as a replacement and is dispersed", remedy="move it strategically, or wait a turn"
        )
    return YES


class MoveOperationally(Command, tag="move-operationally", frozen=True):
    """Move a unit on the map in the operational movement phase."""

    unit: str
    to: str
    """The point it goes to."""

    question = StrategicMove
    needs = (is_no_factory, standing_on_the_map("EF.reinforcements/2"))
    requires = (after_the_replacement_phase, replacements_move_strategically)

    def effects(self, q: StrategicMove) -> Iterator[Event]:
        came = q.facts.came_this_turn(q.unit) == REINFORCEMENT
        because = "EF.reinforcements/2" if came else ""
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=at_hex(q.destination), because=because)
        yield Marked(on=unit_key(q.unit.id), mark=MOVED, value=True)

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:  # type: ignore[override]
        if on_the_map(unit) and not is_factory(unit) and world.phase(state) == OPERATIONAL_PHASE:
            for line, there in world.next_to(unit.place.of):
                if there in world.points and world.line_kind(line).by == LAND:
                    yield cls(unit=unit.id, to=there)


CHAPTER = Chapter(
    heading="EF.strategic",
    commands=(MoveStrategically, MoveOperationally),
    facts=(
        Fact(
            STRATEGIC_BY,
            ("unit",),
            "how it moved strategically this turn",
            "",
            values=("", LAND, SEA),
            lasts=PLAYER_TURN,
        ),
        Fact(MOVED, ("unit",), "it moved operationally this turn", False, YES_NO, lasts=PLAYER_TURN),
    ),
    switches=(DISPERSAL, BAR),
    opening=(allowance_at_start,),
    happens=(recover, allowance_received),
    ends=(disperse_the_movers, recover_later, allowance_lapses),
    habits={
        "move-strategically": Habit((STRATEGIC_PHASE,), 3),
        "move-operationally": Habit((OPERATIONAL_PHASE,), 2, on_map=True),
    },
)
