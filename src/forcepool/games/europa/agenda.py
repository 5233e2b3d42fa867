"""What this game puts on the checklist: rebuilds that are open now, and what arrives when."""

from collections.abc import Callable, Iterator

from forcepool.engine.agenda import NEWS, OPEN, Item
from forcepool.engine.bill import Bill
from forcepool.engine.command import Command
from forcepool.engine.facts import kept
from forcepool.engine.options import foreseen
from forcepool.engine.places import HEX, TRACK
from forcepool.engine.points import show_amounts
from forcepool.engine.sentence import Told, the_place, the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.units import CADRE, REMNANT
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.ground.soviet_pools import GENERAL
from forcepool.games.europa.replacements.general.building_tracks import is_lost
from forcepool.games.europa.replacements.general.cadres import RebuildCadre, RebuildRemnant
from forcepool.games.europa.replacements.general.eliminated import Replace
from forcepool.games.europa.replacements.general.ways import PaidInWays, ways_left
from forcepool.games.europa.replacements.special.fragile import RebuildSubstitute
from forcepool.games.europa.world import ELIMINATED, FORMING, REINFORCEMENT_TRACK, EuropaWorld

TRACKS = (TRACK, FORMING, REINFORCEMENT_TRACK)
REBUILDS: dict[str, tuple[tuple[type[Command], str, str], ...]] = {
    CADRE: (
        (RebuildCadre, "full strength", "52.A.9.d/1"),
        (RebuildSubstitute, "its substitute", "52.H.1/2"),
    ),
    REMNANT: ((RebuildRemnant, "cadre", "52.A.9.c/1"),),
}
"""By step, the ways to rebuild a unit on the map: the first that is open is put on the checklist."""


def rebuilds(world: EuropaWorld, state: State) -> Iterator[Item]:
    """The cadres and remnants on the map that could be rebuilt now."""
    for step in REBUILDS:
        yield from _listed(world, state, _rebuild, HEX, step)


@kept
def _rebuild(world: EuropaWorld, facts: EuropaFacts, unit_id: str, side: str) -> Item | None:
    state = facts.state
    unit = state.units[unit_id]
    for command, goal, clause in REBUILDS[unit.step]:
        found = first_open(world, state, command, unit)
        if found is not None:
            order, bill = found
            text = f"{unit}, {unit.step} at {the_place(unit.place.of)}: {goal} for {_cost(order, bill)}"
            return Item(OPEN, text, clause, side, order)
    return None


def replacements(world: EuropaWorld, state: State) -> Iterator[Item]:
    """The eliminated units that could be bought back now."""
    return _listed(world, state, _replacement, ELIMINATED)


@kept
def _replacement(world: EuropaWorld, facts: EuropaFacts, unit_id: str, side: str) -> Item | None:
    state = facts.state
    unit = state.units[unit_id]
    found = first_open(world, state, Replace, unit)
    if found is None:
        return None
    order, bill = found
    arrives = f", arrives {world.turn_name(bill.arrives)}" if bill.arrives else ""
    text = f"{unit}, in the {world.said_place(unit.place)}: buy back for {_cost(order, bill)}{arrives}"
    return Item(OPEN, text, "52.A.9.a/1", side, order)


def arrivals(world: EuropaWorld, state: State) -> Iterator[Item]:
    """What arrives in the next month, one line a turn and side."""
    coming: dict[tuple[int, str], list[str]] = {}
    now = state.turn
    for unit in sorted((unit for track in TRACKS for unit in state.units_at(track)), key=lambda unit: unit.id):
        if now < unit.place.due <= now + world.calendar.turns_per_month:
            line = coming.setdefault((unit.place.due, world.side_now(state, unit.spec.nation)), [])
            line.append(f"{unit} ({unit.step}, {the_pool(unit.place.of)})")
    for (turn, side), units in sorted(coming.items()):
        wait = turn - now
        text = f"in {wait} turn{'s' if wait > 1 else ''}, {world.turn_name(turn)}: {', '.join(units)}"
        yield Item(NEWS, text, "52.A/2", side)


AGENDA = (rebuilds, replacements, arrivals)
Line = Callable[[EuropaWorld, EuropaFacts, str, str], Item | None]
"""What the checklist says of one unit, for its side; the clock it need not look at."""


def _listed(
    world: EuropaWorld,
    state: State,
    line: Callable[[EuropaWorld, EuropaFacts, str, str], Item | None],
    where: str,
    step: str = "",
) -> Iterator[Item]:
    """A line for each unit, in one kind of place, of the player whose replacement phase it is."""
    if world.phase(state) != REPLACEMENT:
        return
    side, facts = world.phasing(state), world.facts(state)
    for unit in state.units_at(where, step):
        if world.side_now(state, unit.spec.nation) == side:
            found = line(world, facts, unit.id, side)
            if found is not None:
                yield found


def first_open(world: EuropaWorld, state: State, command: type[Command], unit: Unit) -> tuple[Command, Bill] | None:
    """The first way to give a command for a unit that no rule refuses, with what it costs."""
    if issubclass(command, PaidInWays):
        listed = ways_left(world, state, command, unit)
    else:
        listed = command.offers(world, state, unit)
    for offered in listed:
        if isinstance(offered, Replace) and is_lost(
            world, world.facts(state), offered.track or offered.pay_from, unit.spec.nation
        ):
            continue  # It would wait where it cannot come in: lawful, and nothing to propose.
        try:
            bill = foreseen(world, state, offered)
        except Told:
            continue  # Something is still to be declared; the unit's own page says what.
        if bill is not None:
            return offered, bill
    return None


def _cost(order: Command, bill: Bill) -> str:
    """What it costs and whom: Soviet armour is paid from the general pool, whichever MD was named."""
    named = getattr(order, "pay_from", "")
    general = [pool for pool in bill.payers if pool.startswith(GENERAL)]
    return (
        f"{show_amounts(bill.cost)} from "
        f"{the_pool(' and '.join(general) if len(general) == len(bill.payers) else named)}"
    )
