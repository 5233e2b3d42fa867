"""52/2, 52.D.1/1 and /2, 52.D.3/1, 52.D.4/1  Charted RPs: who receives how many of which kind, and when."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from forcepool.engine.agenda import NEWS, Item
from forcepool.engine.calendar import Clock, Turn
from forcepool.engine.events import Event, Marked, Noted, Transferred
from forcepool.engine.facts import GAME_TURN, MONTH, WORDS, YES_NO, Fact, kept, subject_key
from forcepool.engine.ledger import is_pool
from forcepool.engine.points import show_amounts
from forcepool.engine.sentence import the_place, the_pool
from forcepool.engine.state import State, evolve
from forcepool.engine.verdicts import Remedy
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import SIDES_WITH, EuropaFacts
from forcepool.games.europa.ground.centres import is_centre
from forcepool.games.europa.ground.pools import REINFORCEMENT, received
from forcepool.games.europa.ground.soviet_pools import ARM, AXIS, COAST, SOVIET, SOVIET_UNION, home_of
from forcepool.games.europa.ground.tallies import is_of_the_german_army
from forcepool.games.europa.question import EuropaQuestion, from_phase_on
from forcepool.games.europa.replacements.allied.fallen import cities_of_its_own, has_fallen
from forcepool.games.europa.replacements.general.receipt_chart import Line, Receipt, lines
from forcepool.games.europa.replacements.training import garrisons
from forcepool.games.europa.world import ELIMINATED, FORFEIT, ISOLATED, RECEIVED, EuropaWorld
from forcepool.rulebook.citations import COMPUTED, computed, heard, meets_one_of

CHART = "source/chart"
CLAIMS = ("debt/", "deficit/")
"""Accounts of what a nation owes: what it receives goes there first."""
LOOKS_AHEAD = 26
"""The turns a player is told to wait at most: half a year."""
ALLIED = "Allied"
ACTIVATED = "activated"
HAD_ITS_POINTS = "had_its_points"
JOINING = "received as it joins: its new side has had its phase"
HAD_THIS_MONTH = "had_this_month"
HAS_BEGUN = "has_begun_with_a_receipt"

MONTHLY = {AXIS: "52.D.1/2", ALLIED: "52.D.3/1"}
NEUTRAL_PRODUCTION = "52.D.4/1"
COAST_DEFENCE = "52.I.1/1"


def falls_due(world: EuropaWorld, line: Line, turn: int) -> bool:
    """Whether a line brings its points on a turn: a listed one, else the first of each month, and no other."""
    if line.turns:
        return turn in line.turns
    holds = line.first <= turn and (line.last is None or turn <= line.last)
    return holds and world.calendar.week(Turn(turn)) in line.weeks


@meets_one_of("52.D.1/2", "52.D.3/1", "52.D.4/1", "52.D.2/5", "52.D.2/7", "52.D.2.d/3", "52.I.1/1")
def due_on(world: EuropaWorld, state: State, turn: int) -> Iterator[tuple[Line, str]]:
    """What the charts give on a turn to the nations that are in play, each with the clause it comes by."""
    for line in lines(world):
        clause = line.clause or (COAST_DEFENCE if set(line.points) == {COAST} else clause_of(world, state, line.nation))
        heard(clause, COMPUTED)
        if not falls_due(world, line, turn):
            continue
        if _receives(world, state, line.nation):
            yield line, clause


def _receives(world: EuropaWorld, state: State, nation: str) -> bool:
    return is_activated(world, state, nation) and not has_fallen(world, state, nation)


def clause_of(world: EuropaWorld, state: State, nation: str) -> str:
    """The clause a nation receives its charted points by, on the side it is on now."""
    was, now = world.side_of(nation), world.side_now(state, nation)
    if was == AXIS and now == SOVIET:
        return "52.D.2/7"
    if now == SOVIET:
        return "52.D.2.d/3" if nation == SOVIET_UNION else "52.D.2/5"
    return MONTHLY.get(now, "") if now in world.sequence.players else NEUTRAL_PRODUCTION


def is_activated(world: EuropaWorld, state: State, nation: str) -> bool:
    """Whether a nation takes part yet; a force not yet activated receives nothing."""
    return world.facts(state).of_nation(nation, ACTIVATED) is not False


def by_receipt(q: EuropaQuestion, pool: str, nation: str, kind: str, missing: Fraction) -> Iterator[Remedy]:
    """The turn by which the charts will have brought a pool what it lacks, where nothing else lays claim to it."""
    turn = next_receipt(q.world, q.facts, pool, nation, kind, missing)
    if turn:
        yield _wait_for(q, turn)


def when_enough(q: EuropaQuestion, coming: Iterable[tuple[int, Fraction]], missing: Fraction) -> Iterator[Remedy]:
    """To wait for the reinforcement phase in which what comes in turn by turn is enough; nothing if it never is."""
    there = Fraction(0)
    for turn, amount in coming:
        there += amount
        if there >= missing:
            yield _wait_for(q, turn)
            return


def _wait_for(q: EuropaQuestion, turn: int) -> Remedy:
    this = turn == q.state.clock.turn
    when = f"for the {q.world.phase_called(REINFORCEMENT, q.side)}" if this else f"until {q.world.turn_name(turn)}"
    return from_phase_on(q, turn, REINFORCEMENT, f"wait {when}, when enough is received")


@kept
def next_receipt(world: EuropaWorld, facts: EuropaFacts, pool: str, nation: str, kind: str, missing: Fraction) -> int:
    """The turn, within what a player looks ahead to; 0 where the charts do not bring it by then."""
    state = facts.state
    if is_claimed(state, nation, kind) or forfeits_men(world, state, nation, kind):
        return 0
    mine = [line for line in _bringing(world, nation, kind) if _enters(line, kind).removeprefix(RECEIVED) == pool]
    return _brought_by(world, state, mine, kind, missing)


def is_claimed(state: State, nation: str, kind: str) -> bool:
    """Whether what a nation receives goes to pay its debts and deficits first."""
    claims = (each for each, owed in state.balances.items() if owed and each.pool.startswith(CLAIMS))
    return any((each.nation, each.kind) == (nation, kind) for each in claims)


def forfeits_men(world: EuropaWorld, state: State, nation: str, kind: str) -> bool:
    """Whether a nation forfeits infantry for its training units, or will as long as they lie in its pool."""
    if kind == ARM or is_of_the_german_army(world, nation):
        return False
    owed = (each for each, owes in state.balances.items() if owes and each.pool.startswith(FORFEIT))
    lying = (unit for box in (ELIMINATED, ISOLATED) for unit in state.units_at(box))
    return any((each.nation, each.kind) == (nation, kind) for each in owed) or any(
        unit.spec.nation == nation and is_centre(world, unit.spec) for unit in lying
    )


def charted_by(world: EuropaWorld, state: State, nation: str, kind: str, amount: Fraction) -> int:
    """The turn by which the charts will have brought a nation so many points, into whatever pools; 0 if none."""
    return _brought_by(world, state, _bringing(world, nation, kind), kind, amount)


def _bringing(world: EuropaWorld, nation: str, kind: str) -> list[Line]:
    return [line for line in lines(world) if line.nation == nation and kind in line.points]


def _next_receiving(world: EuropaWorld, state: State, nation: str) -> Clock | None:
    """When a nation's next reinforcement phase begins; now, where it is in one."""
    side = world.side_now(state, nation)
    return world.next_time(state, side if side in world.sequence.players else world.sequence.players[-1], REINFORCEMENT)


def receiving_turns(world: EuropaWorld, state: State, nation: str) -> range:
    """The turns a player looks ahead to in which a nation is still to receive."""
    now, begins = state.clock, _next_receiving(world, state, nation)
    this = begins is not None and begins != now and begins.turn == now.turn
    return range(now.turn if this else now.turn + 1, now.turn + LOOKS_AHEAD + 1)


def _brought_by(world: EuropaWorld, state: State, mine: list[Line], kind: str, amount: Fraction) -> int:
    brought = Fraction(0)
    if not mine or not _receives(world, state, mine[0].nation):
        return 0
    each = [(line, garrisons.produced(world, state, line.nation, line.pool, line.points)[0][kind]) for line in mine]
    for turn in receiving_turns(world, state, mine[0].nation):
        brought += sum((made for line, made in each if falls_due(world, line, turn)), Fraction(0))
        if brought >= amount:
            return turn
    return 0


# ------------------------------------------------------------------------------------------------ receiving


def receive(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a player's reinforcement phase begins his charted points come in, and may be allotted until it ends."""
    if world.phase(state) != REINFORCEMENT:
        return
    facts = world.facts(state)
    for line, clause in due_on(world, state, state.clock.turn):
        had = facts.of_nation(line.nation, HAD_ITS_POINTS)
        if not had and world.has_the_turn(state, world.side_now(state, line.nation)):
            yield from credited(world, state, line, clause)
    for nation in sorted({line.nation for line in lines(world) if falls_due(world, line, state.clock.turn)}):
        if world.has_the_turn(state, world.side_now(state, nation)) and has_fallen(world, state, nation):
            lost = ", ".join(format(the_place(city)) for city in cities_of_its_own(world, facts, nation))
            says = f"{nation} receives nothing: the enemy holds {lost}, where its replacements come from"
            yield Noted(text=says, because="52.D.3/1")


@computed("52/2")
def credited(world: EuropaWorld, state: State, line: Line, clause: str) -> Iterator[Event]:
    """The points of a line, as the pool that receives them gets them."""
    says = f"{line.nation}, {world.turn_name(state.clock.turn)}"
    amounts, why, working = garrisons.produced(world, state, line.nation, line.pool, line.points)
    if why and not any(amounts.values()):
        yield Noted(text=f"{the_pool(line.pool)} receives no {show_amounts(line.points)}: {working}", because=why)
    yield _noted_for_the_month(world, state, line)
    for kind, amount in amounts.items():
        if amount:
            yield Transferred(
                amount=amount,
                kind=kind,
                nation=line.nation,
                frm=CHART,
                to=_enters(line, kind),
                because=" ".join(each for each in ("52/2", clause, why) if each),
                says=f"{says}; {working}" if working else says,
            )


def had_this_month(world: EuropaWorld, state: State, nation: str) -> list[str]:
    """What a nation has had of its charts this month: each pool and kind, and the week."""
    said = world.facts(state).of_nation(nation, HAD_THIS_MONTH)
    return said if isinstance(said, list) else []


def _noted_for_the_month(world: EuropaWorld, state: State, line: Line) -> Event:
    week = world.calendar.week(state.clock.turn)
    new = [f"{line.pool} {kind} {week}" for kind in line.points]
    kept = dict.fromkeys((*had_this_month(world, state, line.nation), *new))
    return Marked(on=subject_key("nation", line.nation), mark=HAD_THIS_MONTH, value=list(kept))


def _enters(line: Line, kind: str) -> str:
    """What may still be allotted lies apart at first; Soviet armour and artillery go to their general pools at once."""
    home = home_of(line.pool, line.nation, kind)
    return received(line.pool) if home == line.pool else home


# ------------------------------------------------------------------------------------- one receipt saved


def opening(world: EuropaWorld, state: State) -> Iterator[Event]:
    """A campaign begins with what the Axis has saved; a nation whose points the scenario states has what it states."""
    yield from receive(world, state)
    for nation in dict.fromkeys(line.nation for line in lines(world)):
        axis = world.side_now(state, nation) == AXIS
        if not axis or not is_activated(world, state, nation) or _has_points(world, state, nation):
            continue
        yield from saved(world, state, nation)
        if _reinforcement_phase_is_past(world, state):
            for line, clause in due_on(world, state, state.clock.turn):
                if line.nation == nation:
                    yield from _put(world, line, f"52/2 {clause}", "received this turn")


@computed("52.D.1/1")
def saved(world: EuropaWorld, state: State, nation: str) -> Iterator[Event]:
    """One receipt, of the month a scenario or an Axis force begins in, is already in the nation's pools."""
    calendar, now = world.calendar, state.clock.turn
    first = now - calendar.week(now) + 1
    for line in lines(world):
        month = range(first, first + calendar.turns_per_month)
        if line.nation == nation and any(falls_due(world, line, turn) for turn in month):
            yield from _put(world, line, "52.D.1/1", "one receipt saved")


def _put(world: EuropaWorld, line: Line, because: str, says: str) -> Iterator[Event]:
    for kind, amount in line.points.items():
        yield Transferred(
            amount=amount, kind=kind, nation=line.nation, frm=CHART, to=line.pool, because=because.strip(), says=says
        )


def _has_points(world: EuropaWorld, state: State, nation: str) -> bool:
    return any(
        account.nation == nation and is_pool(account.pool) and account.kind in world.profile.points
        for account in state.balances
        if not account.pool.startswith(received(""))
    )


def _reinforcement_phase_is_past(world: EuropaWorld, state: State) -> bool:
    clock, index = state.clock, world.sequence.players.index(AXIS)
    return (clock.player, clock.phase) > (index, world.sequence.phase_index(REINFORCEMENT, index, clock.order))


def activation(q: Any) -> Iterator[Event]:
    """An Axis force that is declared activated begins with one receipt saved."""
    nation = q.on.removeprefix(subject_key("nation", ""))
    active, begun = is_activated(q.world, q.state, nation), q.facts.of_nation(nation, HAS_BEGUN)
    if active and q.value is False and not begun:
        # It has had what it begins with, and does not begin anew when it comes back.
        yield Marked(on=q.on, mark=HAS_BEGUN, value=True, because="52.D.1/1")
    elif q.value is not False and not active and not begun and q.world.side_now(q.state, nation) == AXIS:
        yield from saved(q.world, q.state, nation)


# ------------------------------------------------------------------------------------------ changing sides


def changes_sides(q: Any) -> bool:
    """Whether what is declared brings a nation to another side than the one it fights on."""
    nation = q.on.removeprefix(subject_key("nation", ""))
    return bool((q.value or q.world.side_of(nation)) != q.world.side_now(q.state, nation))


def paid_once_as_it_changes(q: Any) -> Iterator[Event]:
    """A nation has this turn's points from one side: from its old one if that has had its phase, else from the new."""
    world, state, nation = q.world, q.state, q.on.removeprefix(subject_key("nation", ""))
    if has_had_its_points(q):
        yield Marked(on=q.on, mark=HAD_ITS_POINTS, value=True, says="it has had its points of this turn")
    elif joins_late(q):
        for line, clause in due_on(world, joined(q), state.clock.turn):
            if line.nation == nation:
                yield from _put(world, line, f"52/2 {clause}", JOINING)
        yield Marked(on=q.on, mark=HAD_ITS_POINTS, value=True, says="it has had its points of this turn")


def has_had_its_points(q: Any) -> bool:
    """Whether a nation that changes sides has had this turn's points: from its old side, or at an earlier change."""
    nation = q.on.removeprefix(subject_key("nation", ""))
    had = _has_begun(q.world, q.state, q.world.side_now(q.state, nation)) or q.facts.of_nation(nation, HAD_ITS_POINTS)
    return changes_sides(q) and bool(had)


def joins_late(q: Any) -> bool:
    """Whether a nation comes to a side that has had its phase of this turn, from one that has not."""
    new = q.value or q.world.side_of(q.on.removeprefix(subject_key("nation", "")))
    return changes_sides(q) and not has_had_its_points(q) and _has_begun(q.world, q.state, new)


def joined(q: Any) -> State:
    """The campaign as it is once the nation is on its new side."""
    after: State = q.state.copy()
    evolve(after, (Marked(on=q.on, mark=SIDES_WITH, value=q.value),))
    return after


def _has_begun(world: EuropaWorld, state: State, side: str) -> bool:
    """Whether a side's reinforcement phase of this turn has begun, in which charted points come in."""
    players, clock = world.sequence.players, state.clock
    index = players.index(side) if side in players else len(players) - 1
    return (clock.player, clock.phase) >= (index, world.sequence.phase_index(REINFORCEMENT, index, clock.order))


# -------------------------------------------------------------------------------------------- checklist


def coming(world: EuropaWorld, state: State) -> Iterator[Item]:
    """What the charts will bring within a month, a line a nation and turn."""
    now = state.clock.turn
    for turn in range(now, now + 1 + world.calendar.turns_per_month) if lines(world) else ():
        for line, clause in due_on(world, state, turn):
            if turn == now and _has_begun(world, state, world.side_now(state, line.nation)):
                continue
            for pool, points in _by_pool(line).items():
                text = f"{world.turn_name(turn)}: {the_pool(pool)} receives {show_amounts(points)} of {line.nation}"
                yield Item(NEWS, text, clause, world.side_now(state, line.nation), when=turn)


def _by_pool(line: Line) -> dict[str, dict[str, Fraction]]:
    """The points of a line by the pool that will hold them."""
    found: dict[str, dict[str, Fraction]] = {}
    for kind, amount in line.points.items():
        found.setdefault(home_of(line.pool, line.nation, kind), {})[kind] = amount
    return found


CHAPTER = Chapter(
    heading="52.D.1",
    fills=(by_receipt,),
    facts=(
        Fact(HAS_BEGUN, ("nation",), "it has had the receipt it begins with", False, YES_NO, by_hand=False),
        Fact(HAD_THIS_MONTH, ("nation",), "what its charts gave this month", [], WORDS, lasts=MONTH, by_hand=False),
        Fact(
            ACTIVATED,
            ("nation",),
            "it has been activated and takes part",
            True,
            YES_NO,
            said={"no": "not activated"},
        ),
        Fact(HAD_ITS_POINTS, ("nation",), "its old side was paid", False, YES_NO, lasts=GAME_TURN, by_hand=False),
    ),
    declared={ACTIVATED: (activation,), SIDES_WITH: (paid_once_as_it_changes,)},
    charts={"receipts": tuple[Receipt, ...]},
    opening=(opening,),
    happens=(receive,),
    agenda=(coming,),
)
