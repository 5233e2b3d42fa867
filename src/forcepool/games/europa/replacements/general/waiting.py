"""52.A/3  Units that are due: which can be placed now, which wait and why, and which are lost by being held back."""

from collections.abc import Iterator

from msgspec.structs import replace

from forcepool.engine.agenda import DUE, NEWS, OPEN, Item
from forcepool.engine.command import Command
from forcepool.engine.decide import Decision, decide
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import kept, unit_key
from forcepool.engine.options import Choice, choice, would_pass
from forcepool.engine.places import Place
from forcepool.engine.sentence import plain, the_place, the_places, the_units
from forcepool.engine.state import State, Unit, evolve
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.placing import HELD_BACK, TRACKS, held_by_the_enemy, is_disrupted
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.reinforcements.entries import ENTRY
from forcepool.games.europa.replacements.general.placement import PlaceUnit, candidates
from forcepool.games.europa.world import ELIMINATED, REINFORCEMENT_TRACK, EuropaWorld


def due_units(state: State) -> Iterator[Unit]:
    """The units whose time in a holding box is over, in order."""
    now = state.turn
    due = [unit.id for track in TRACKS for unit in state.units_at(track) if unit.place.due <= now]
    for unit_id in sorted(due):
        yield state.units[unit_id]


def to_be_placed(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Each unit that is due: with a ready command where a hex is open, else with the reason why it waits.

    The commands can be given one after the other: what one takes of a hex the next is not proposed.
    """
    facts = world.facts(state)
    given: list[PlaceUnit] = []
    for unit in due_units(state):
        line = _to_be_placed(world, facts, unit.id)
        if line is not None and isinstance(line.command, PlaceUnit):
            if line.command.at in (each.at for each in given):
                line = _beside_others(world, state, given, unit, line)
            given += [line.command] if isinstance(line.command, PlaceUnit) else []
        if line is not None:
            yield line


def _beside_others(world: EuropaWorld, state: State, given: list[PlaceUnit], unit: Unit, line: Item) -> Item:
    """What is proposed for a unit once those before it are placed; without a command where no hex is left for it."""
    taken = {each.at for each in given}
    # Where nobody goes before it, what holds now holds then; to try out a hex for several is dear.
    offers = PlaceUnit.offers(world, state, unit)
    elsewhere = (each for each in offers if isinstance(each, PlaceUnit) and each.at not in taken)
    free = next((each for each in elsewhere if would_pass(world, state, each)), None)
    if free is not None:
        return replace(line, command=free)
    then = state.copy()
    for order in given:
        if isinstance(placed := decide(world, then, order), Decision):
            evolve(then, placed.events)
    later = [each for each in PlaceUnit.offers(world, then, unit) if would_pass(world, then, each)]
    ready = next((each for each in later if would_pass(world, state, each)), None)
    if ready is not None:
        return replace(line, command=ready)
    assert isinstance(line.command, PlaceUnit)
    there = [each.unit for each in given if each.at == line.command.at]
    others = f"{the_units(there, ' and ')} {'is' if len(there) == 1 else 'are'}"
    start = _due_now(world, state, unit)
    text = f"{start}: no hex is left for it once {others} placed; place it instead, or let it wait a turn"
    hexes = (each.at for each in later if isinstance(each, PlaceUnit))
    if opened := next((each for each in hexes if each), ""):
        text = f"{start}: once {others} placed it may go to {the_place(opened)}"
    return Item(OPEN, text, "52.A/3", line.side)


@kept
def _to_be_placed(world: EuropaWorld, facts: EuropaFacts, unit_id: str) -> Item | None:
    state = facts.state
    unit = state.units[unit_id]
    side = world.side_now(state, unit.spec.nation)
    if _is_listed_as_a_reinforcement(world, state, unit, side):
        return None
    start = _due_now(world, state, unit)
    reinforces = "51.A/2" if _is_a_reinforcement(world, state, unit) else ""
    elsewhere = "52.G/2" if is_disrupted(state, unit) else reinforces
    if world.phase(state) != REPLACEMENT or not world.has_the_turn(state, side) or elsewhere:
        when = "" if elsewhere else f": it is placed in your {world.phase_called(REPLACEMENT)}"
        return Item(NEWS, start + when, elsewhere or "52.A/3", side)
    ready = _open_way(world, facts, unit_id)
    if ready is not None:
        return Item(DUE, f"{start}: place it", "52.A/3", side, ready)
    closed = [choice(world, state, each) for each in PlaceUnit.offers(world, state, unit)]
    return Item(NEWS, f"{start} and waits: {_why(world, facts, unit, closed)}", "52.A/3", side)


def _due_now(world: EuropaWorld, state: State, unit: Unit) -> str:
    """Where it waits; of one that has waited longer, since when."""
    since = f", since {world.turn_name(unit.place.due)}" if unit.place.due < state.turn else ""
    return f"{unit} is due now on the {world.said_place(replace(unit.place, due=0))}{since}"


def _why(world: EuropaWorld, facts: EuropaFacts, unit: Unit, closed: list[Choice]) -> str:
    """Why a unit waits: what stands against the hexes of its own MD or front, its side's before the enemy's."""
    side = world.side_now(facts.state, unit.spec.nation)
    by_hex = {each.command.at: each for each in closed if isinstance(each.command, PlaceUnit)}
    inside = [name for name in by_hex if name and unit.place.of in world.line_of(world.spot(name).area)]
    own = [name for name in inside if facts.owner(name) in ("", side)]
    if inside and not own:
        return held_by_the_enemy(inside)
    near = [by_hex[name] for name in own] or closed
    reasons = [reason.whole for each in near for reason in each.reasons]
    return min(reasons, key=plain, default="no city, town, army HQ or training division of its MD is known")


def _is_a_reinforcement(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """Whether it comes in by the reinforcement phase's own orders: an OB entry's unit, or an air reinforcement."""
    brought = state.mark(unit_key(unit.id), ENTRY) is not None or world.has_role(unit.spec, "air")
    return brought and unit.place.kind == REINFORCEMENT_TRACK


def _is_listed_as_a_reinforcement(world: EuropaWorld, state: State, unit: Unit, side: str) -> bool:
    """Whether its owner's reinforcement phase has a line with a command for it: an OB entry's unit, or an air unit."""
    if world.phase(state) != REINFORCEMENT or not world.has_the_turn(state, side):
        return False
    return _is_a_reinforcement(world, state, unit) or is_disrupted(state, unit)


@kept
def _open_way(world: EuropaWorld, facts: EuropaFacts, unit_id: str) -> Command | None:
    """The first way to place a unit that nothing stands against; a reinforcement is refused them all."""
    state = facts.state
    unit = state.units[unit_id]
    orders = () if _is_a_reinforcement(world, state, unit) else PlaceUnit.offers(world, state, unit)
    return next((each for each in orders if would_pass(world, state, each)), None)


def hold_back(world: EuropaWorld, state: State) -> Iterator[Event]:
    """A due unit that could have been placed and was not is held back, which is at its owner's risk.

    An air unit waits as long as it must (28.C/10).
    """
    if world.phase(state) != REPLACEMENT:
        return
    facts = world.facts(state)
    for unit in due_units(state):
        theirs = world.has_the_turn(state, world.side_now(state, unit.spec.nation))
        if not theirs or world.has_role(unit.spec, "air"):
            continue
        if not facts.is_so(unit, HELD_BACK) and _open_way(world, facts, unit.id) is not None:
            yield Marked(on=unit_key(unit.id), mark=HELD_BACK, value=True, because="52.A/3")


def lose_what_was_held_back(world: EuropaWorld, state: State) -> Iterator[Event]:
    """Once the enemy has captured the last hex it could have been placed in, a unit held back is eliminated."""
    for unit_id in sorted(on.removeprefix("unit/") for on in state.marked.get(HELD_BACK, ())):
        unit = state.units[unit_id]
        air = world.has_role(unit.spec, "air")
        if air or unit.place.kind not in TRACKS or unit.place.due > state.clock.turn:
            # It has been placed, or sent to another front, where nobody holds it back before it is due.
            yield Marked(on=unit_key(unit_id), mark=HELD_BACK, value=None)
            continue
        facts, side = world.facts(state), world.side_now(state, unit.spec.nation)
        hexes = candidates(world, state, unit)
        if hexes and not any(facts.owner(each) in ("", side) for each in hexes):
            own = [each for each in hexes if unit.place.of in world.line_of(world.spot(each).area)]
            says = f"held back, and the enemy holds {the_places(own or hexes)}"
            to = Place(ELIMINATED, homes.home_of(world, facts, unit))
            yield Moved(unit=unit.id, frm=unit.place, to=to, because="52.A/3", says=says)
            yield Marked(on=unit_key(unit_id), mark=HELD_BACK, value=None)


CHAPTER = Chapter(
    heading="52.A",
    happens=(lose_what_was_held_back,),
    ends=(hold_back,),
    due=(to_be_placed,),
)
