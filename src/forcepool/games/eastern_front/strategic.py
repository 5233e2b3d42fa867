"""Strategic movement: how many units a side may move, by land or by sea, and how it leaves them dispersed."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import takewhile
from typing import Annotated, Any

from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.facts import PLAYER_TURN, Fact, unit_key
from forcepool.engine.game import Habit
from forcepool.engine.given import Spot, UnitName, one_of
from forcepool.engine.ledger import LOST, SETUP, SPENT, Account
from forcepool.engine.places import at_hex
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Rule, Verdict, no, rule
from forcepool.games.eastern_front.chapter import STRATEGIC_PHASE, Order, Remedy, instead, only_in, wait_for
from forcepool.games.eastern_front.facts import DISPERSED, LAND, SEA
from forcepool.games.eastern_front.world import CAPACITY, MOVES, SOVIET, EasternWorld, is_factory, on_the_map
from forcepool.rulebook.citations import computed

SOURCE_OF_MOVES = "source/capacity"
STRATEGIC_BY = "strategic_by"

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

    command: Any

    @property
    def destination(self) -> str:
        return self.world.hex_name(self.command.to)

    @property
    def by(self) -> str:
        return str(getattr(self.command, "by", LAND))


def goes_on(q: Order) -> bool:
    """Whether the unit has already moved strategically this turn, so that this is the same move going on."""
    return bool(q.facts.word(q.unit, STRATEGIC_BY))


@rule("EF.strategic/3", "EF.strategic/4", "EF.moving/12")
def capacity_left(q: Order) -> Verdict:
    """Each unit that moves strategically uses one of its side's allowance."""
    # In the enemy's turn nothing is used up: the allowance is not there yet, and the phase is refused already.
    if goes_on(q) or q.world.phasing(q.state) != q.side:
        return YES
    have, need = moves_left(q.world, q.state, q.side), q.world.numbers["move_cost"]
    if have >= need:
        return YES
    also = ("EF.strategic/4", "EF.moving/12") if q.side == SOVIET else ()
    remedy = next_turn(q.world, q.state, q.side, STRATEGIC_PHASE)
    return no(used_up(q.world, q.turn, q.side), have=have, need=need, also=also, **remedy)


def used_up(world: EasternWorld, turn: int, side: str) -> str:
    """What is said where no strategic movement is left."""
    if capacity_of(world, turn, side):
        return f"{side} strategic movement of the turn is used up"
    return f"{side} has no strategic movement this turn"


def next_turn(world: EasternWorld, state: State, side: str, phase: str, taken: int = 0) -> Remedy:
    """The remedy of waiting, where the next turn has strategic movement for one more than are taken already."""
    turn = int(state.clock.turn) + 1
    on_rails = len(world.facts(state).entrained()) if side == SOVIET else 0
    enough = capacity_of(world, turn, side) >= world.numbers["move_cost"] * (on_rails + taken + 1)
    return wait_for(world, turn, side, phase) if enough else {}


@rule("EF.strategic/1")
def wholly_by_land_or_sea(q: StrategicMove) -> Verdict:
    """Within a turn a unit moves strategically by land or by sea, never by both."""
    by, before = q.by, q.facts.word(q.unit, STRATEGIC_BY)
    if q.destination == q.unit.place.of:
        return no(f"{q.unit} is at {the_place(q.destination)} already")
    if before and before != by:
        return no(f"{q.unit} has moved by {before} this turn", **_on_from_there(q))
    if not q.facts.open_to(q.unit, q.destination):
        return no(f"the {q.side} side does not control {the_place(q.destination)}")
    if way_by(q, by) is not None:
        return YES
    return no(
        f"there is no way to {the_place(q.destination)} wholly by {by} over points that the {q.side} side controls",
        **_another_way(q, by),
    )


def _on_from_there(q: StrategicMove) -> Remedy:
    """To go on by the other means next turn, if there is a way and strategic movement then."""
    wait = next_turn(q.world, q.state, q.side, STRATEGIC_PHASE)
    open_then = way_by(q, q.by) is not None and q.facts.open_to(q.unit, q.destination)
    return {**wait, "remedy": f"let it go on by {q.by} next turn"} if wait and open_then else {}


def way_by(q: StrategicMove, *means: str) -> tuple[str, ...] | None:
    """The lines of the shortest way by land or by sea, or by both; None if there is none."""
    goals = frozenset((q.destination,))
    besides = q.facts.open_besides(q.unit)
    return q.facts.route(q.side, q.unit.place.of, goals, lambda kind: kind.by in means, besides=besides)


def _another_way(q: StrategicMove, by: str) -> Remedy:
    """How the unit gets there all the same: by the other means, or by one this turn and the other later."""
    other = SEA if by == LAND else LAND
    if way_by(q, other) is not None:
        return instead(q, f"go by {other}", by=other)
    way = way_by(q, LAND, SEA) or ()
    if not way:
        return {}
    first = q.world.line_kind(way[0]).by
    stop = q.unit.place.of
    for line in takewhile(lambda each: q.world.line_kind(each).by == first, way):
        stop = q.world.other_end(line, stop)
    return instead(q, f"go by {first} to {the_place(stop)}, and on from there next turn", to=stop, by=first)


@rule("EF.moving/14")
def is_no_factory(q: Order) -> Verdict:
    """Factories travel by their own rules, entrained."""
    if is_factory(q.unit):
        return no(f"{q.unit} is a factory", remedy="entrain it, and move it with move-factory")
    return YES


def standing_on_the_map(clause: str) -> Rule[Any]:
    """The rule that only a unit on a point of the map can move from it."""

    @rule(clause)
    def stands_on_the_map(q: Order) -> Verdict:
        if on_the_map(q.unit):
            return YES
        return no(f"{q.unit} is {q.world.where(q.unit.place)}")

    return stands_on_the_map


class MoveStrategically(Command, tag="move-strategically", frozen=True):
    """Move a unit strategically, by land or by sea; it is dispersed when the phase ends."""

    unit: UnitName
    to: Spot
    """The point it goes to."""
    by: Annotated[str, one_of(LAND, SEA)] = LAND

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
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        if not on_the_map(unit) or is_factory(unit) or world.phase(state) != STRATEGIC_PHASE:
            return
        facts, here, side = world.facts(state), unit.place.of, world.side_now(state, unit.spec.nation)
        next_to = [(there, world.line_kind(line).by) for line, there in world.next_to(here) if there in world.points]
        if world.phasing(state) == side:
            besides = facts.open_besides(unit)
            next_to += [(there, by) for by in (LAND, SEA) for there in facts.reach(side, here, by, besides)]
        for there, by in dict.fromkeys(next_to):
            if there != here:
                yield cls(unit=unit.id, to=there, by=by)


def disperse_the_movers(world: EasternWorld, state: State) -> Iterator[Event]:
    """Units that moved strategically are dispersed as the phase ends; those lost on the way are dead."""
    if world.phase(state) != STRATEGIC_PHASE:
        return
    facts, side = world.facts(state), world.phasing(state)
    for on in sorted(state.marked.get(STRATEGIC_BY, ())):
        name = on.removeprefix("unit/")
        if name not in state.units:
            continue
        unit = state.units[name]
        moved = facts.word(unit, STRATEGIC_BY) and world.side_now(state, unit.spec.nation) == side
        if moved and on_the_map(unit) and not facts.dispersed(unit):
            yield Marked(on=on, mark=DISPERSED, value=True, because="EF.strategic/2")


CHAPTER = Chapter(
    heading="EF.strategic",
    commands=(MoveStrategically,),
    transfers={
        (SOURCE_OF_MOVES, "strategic"): "strategic movement of the turn",
        ("strategic", SPENT): "strategic movement used",
        ("strategic", LOST): "strategic movement not used",
        (LOST, "strategic"): "strategic movement used by agreement beyond the allowance",
    },
    facts=(
        Fact(
            STRATEGIC_BY,
            ("unit",),
            "how it moved strategically this turn",
            "",
            values=("", LAND, SEA),
            lasts=PLAYER_TURN,
        ),
    ),
    opening=(allowance_at_start,),
    happens=(allowance_received,),
    ends=(disperse_the_movers, allowance_lapses),
    habits={"move-strategically": Habit((STRATEGIC_PHASE,), 3)},
)
