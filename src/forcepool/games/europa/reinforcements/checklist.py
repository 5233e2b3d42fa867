"""51.A/1  The checklist of the order of battle: what is due, what is open, what waits and why, and what is coming."""

from collections.abc import Iterator

from forcepool.engine.agenda import DUE, NEWS, OPEN, Item
from forcepool.engine.command import Command
from forcepool.engine.facts import kept
from forcepool.engine.given import units_of
from forcepool.engine.options import choice, would_pass
from forcepool.engine.sentence import plain, the_unit, the_units, to_type
from forcepool.engine.state import State
from forcepool.engine.units import CADRE
from forcepool.engine.verdicts import No
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.placing import held_by_the_enemy
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.any_city import comes_to_any_city
from forcepool.games.europa.reinforcements.appearing import Reinforce
from forcepool.games.europa.reinforcements.changing_places import REORGANIZE
from forcepool.games.europa.reinforcements.converting import UPGRADE, ways
from forcepool.games.europa.reinforcements.delays import awaited
from forcepool.games.europa.reinforcements.duties import duties_now, ways_of
from forcepool.games.europa.reinforcements.foreseen import in_the_way
from forcepool.games.europa.reinforcements.instructions import unread
from forcepool.games.europa.reinforcements.leaving import IN_PLAY, may_stand_in
from forcepool.games.europa.reinforcements.lines_served import OF_ANY_NUMBER, leaves_the_number
from forcepool.games.europa.reinforcements.mobilizing import CarryOut
from forcepool.games.europa.reinforcements.withdrawing import Withdraw
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.declarations import declarations
from forcepool.orderofbattle.model import Entry
from forcepool.orderofbattle.printing import print_entry, print_line
from forcepool.orderofbattle.words import FREE_TEXT, VERBS
from forcepool.rulebook.citations import computed


def to_be_placed(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Each reinforcement that is due: with a ready command, or the reason why it waits."""
    facts = world.facts(state)
    proposed: set[str] = set()
    for unit in awaited(world, state):
        one_a_city = comes_to_any_city(world, state, unit)
        item = _to_be_placed(world, facts, unit.id, frozenset(proposed) if one_a_city else frozenset())
        if one_a_city and isinstance(item.command, Reinforce):
            proposed.add(item.command.at)
        yield item


@kept
def _to_be_placed(world: EuropaWorld, facts: EuropaFacts, unit_id: str, proposed: frozenset[str]) -> Item:
    """What is to become of a unit; the cities proposed to others of which one goes to each are left to those."""
    state = facts.state
    unit = state.units[unit_id]
    side, start = world.phasing(state), f"{unit} is due as a reinforcement"
    orders = [each for each in Reinforce.offers(world, state, unit) if isinstance(each, Reinforce)]
    free_first = sorted(orders, key=lambda each: each.at in proposed)
    ready = next((each for each in free_first if would_pass(world, state, each)), None)
    if ready is not None:
        return Item(DUE, f"{start}: place it", "51.A/2", side, ready)
    closed: dict[str, list[No]] = {}
    for command in orders:
        reasons = choice(world, state, command).reasons
        closed.setdefault(str(getattr(command, "at", "")), []).extend(reasons)
    return Item(NEWS, f"{start} and waits: {_why_it_waits(closed)}", "51.A.10/1", side)


def _why_it_waits(closed: dict[str, list[No]]) -> str:
    """What stands in the way of a reinforcement, place by place; the enemy's cities in one breath."""
    if not closed:
        return "no permitted place is known"
    if all(any("51.A.3/1" in each.clauses for each in reasons) for reasons in closed.values()):
        return held_by_the_enemy(closed)
    return min((each.whole for reasons in closed.values() for each in reasons), key=plain)


@computed("51.B.3/9", "51.B.20/1")
def duties(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Duties that can be done, and those that cannot yet, with what stands in the way.

    No unit is proposed for two of them, so that the orders can be given one after the other.
    """
    proposed: set[str] = set()
    for entry in duties_now(world, state):
        if entry.verb == "transfer" and entries.direction(world, state, entry) != entries.OUT:
            continue
        clause, side, text = world.game.duties[entries.verb_of(entry)].clause, world.phasing(state), _text(entry)
        closed: list[str] = []
        spoken_for: list[str] = []
        for each in ways_of(world, state, entry):
            if not (each.open or each.die):
                closed += map(str, each.reasons)
            elif proposed.isdisjoint(named := units_of(each.command)):
                proposed |= named
                yield Item(DUE, text, clause, side, each.command)
                break
            else:
                spoken_for += sorted(named & proposed)
        else:
            why = _spoken_for(list(dict.fromkeys(spoken_for))) or min(closed, default="no such unit")
            instead = next(
                (each for each in _in_place_of_cadres(world, state, entry) if each.unit not in proposed), None
            )
            if instead is None:
                yield Item(NEWS, f"{text} waits: {why}", clause, side)
            else:
                whole = f"{the_unit(instead.unit)} may go whole in the place of a cadre"
                yield Item(OPEN, f"{text} waits: {why}; {whole}", "51.B.19/7", side, instead)


@computed("51.B.19/7")
def _in_place_of_cadres(world: EuropaWorld, state: State, entry: Entry) -> Iterator[Withdraw]:
    """The whole divisions that may be withdrawn where an entry asks for their cadre."""
    if entries.verb_of(entry) != "withdraw" or all(item.state != CADRE for item in entry.items):
        return
    for unit in state.units_in_order():
        if unit.place.kind in IN_PLAY and may_stand_in(world, state, entry, unit) is not None:
            order = Withdraw(entry=entry.key, unit=unit.id)
            if would_pass(world, state, order):
                yield order


def _spoken_for(units: list[str]) -> str:
    """Why a duty waits whose only units are proposed for others."""
    others = "is proposed for another line" if len(units) == 1 else "are proposed for other lines"
    return f"{the_units(units, ' and ')} could go by it, but {others}" if units else ""


SEEN_TO_BY_THEIR_OWNER = ("transfer", *FREE_TEXT)
"""Verbs whose entries are listed as duties where they do not come about by themselves."""


def waiting(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Entries whose turn has come and that cannot be carried out yet."""
    if world.phase(state) != REINFORCEMENT:
        return
    side = world.phasing(state)
    for entry in entries.in_force(world, state, side, *world.game.comes_about):
        found = world.game.comes_about[entries.verb_of(entry)](world, state, entry)
        if isinstance(found, No) and entry.verb not in SEEN_TO_BY_THEIR_OWNER:
            yield Item(NEWS, f"{_text(entry)} waits: {found}", found.clause or "51.A.10/1", side)


def open_options(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Upgrades and reorganizations that could be made, what leaves the number to its owner, and the OB's own words."""
    if world.phase(state) != REINFORCEMENT:
        return
    side, facts = world.phasing(state), world.facts(state)
    for entry in entries.in_force(world, state, side, REORGANIZE, UPGRADE):
        order = _open_way(world, facts, entry.key)
        if order is not None:
            yield Item(OPEN, _text(entry), VERBS[entry.verb].clause, side, order)
    for entry in filter(leaves_the_number, entries.in_force(world, state, side, *OF_ANY_NUMBER)):
        if (way := next((each for each in ways_of(world, state, entry) if each.open), None)) is not None:
            yield Item(OPEN, _text(entry), VERBS[entry.verb].clause, side, way.command)
    for entry in entries.in_force(world, state, side, *FREE_TEXT):
        text = f"the order of battle says: {entry.note or _text(entry)}"
        stands = (
            world.game.comes_about[entries.verb_of(entry)](world, state, entry) if declarations(entry.note) else None
        )
        text += f"; it does not come about by itself: {stands}" if isinstance(stands, No) else "; say when it is done"
        yield Item(DUE, text, "51.B.9/1", side, CarryOut(entry=entry.key))


@kept
def _open_way(world: EuropaWorld, facts: EuropaFacts, key: str) -> Command | None:
    """The first way that is open to make one conversion of an entry."""
    state = facts.state
    orders = ways(world, state, entries.find_entry(world, state, key))
    return next((each for each in orders if would_pass(world, state, each)), None)


def coming(world: EuropaWorld, state: State) -> Iterator[Item]:
    """What the order of battle brings later this turn and in the next month, and to whom where it lists several."""
    nations: dict[str, set[str]] = {}
    for entry in entries.listed(world, state):
        nations.setdefault(entries.side_of(world, state, entry), set()).add(entry.nation)
    for entry in entries.listed(world, state):
        turn = entries.turn_of(world, entry)
        if turn is not None and _is_ahead(world, state, entry, turn):
            wait = turn - state.clock.turn
            when = f"in {wait} turn{'s' if wait > 1 else ''}" if wait else "this turn"
            text = f"{when}, {entry.turn}: {print_entry(entry)}"
            side = entries.side_of(world, state, entry)
            if entry.verb not in FREE_TEXT:
                text += f" ({entry.nation}, {entry.verb})" if len(nations[side]) > 1 else f" ({entry.verb})"
            stands = in_the_way(world, state, entry) if entries.counts(world, state, entry) else None
            if stands is not None:
                text += f"; as things stand it cannot be carried out: {stands}"
            clause = stands.clause if stands else "51.A/1"
            yield Item(NEWS, text, clause, side, when=turn)


def _is_ahead(world: EuropaWorld, state: State, entry: Entry, turn: int) -> bool:
    """Whether an entry's turn is still to come within a month, or its owner's phase this turn."""
    now = state.clock.turn
    if turn != now:
        return now < turn <= now + world.calendar.turns_per_month
    side = entries.side_of(world, state, entry)
    begins = world.next_time(state, side, REINFORCEMENT) if side in world.sequence.players else None
    return begins is not None and begins != state.clock and begins.turn == now and not entries.is_done(state, entry)


def _text(entry: Entry) -> str:
    """The line as it is printed, and a warning of words in it that nobody but the players can follow."""
    words = f"; see to it yourselves: {left}" if (left := unread(entry)) else ""
    return f"{print_line(entry)}{to_type(entry.key)}{words}"


CHAPTER = Chapter(heading="51.A", agenda=(waiting, coming), due=(to_be_placed, duties, open_options))
