"""51/2  The counters that an entry of the order of battle brings, by name."""

from collections.abc import Iterator

from msgspec.structs import replace

from forcepool.engine.events import Became, Event, Moved, Raised
from forcepool.engine.places import Place
from forcepool.engine.state import State
from forcepool.engine.units import FULL, STEPS, UnitSpec
from forcepool.games.europa.reinforcements.entries import nationality
from forcepool.games.europa.world import MIX, EuropaWorld
from forcepool.orderofbattle.aircraft import AIR
from forcepool.orderofbattle.model import Entry, Item


def counters(
    world: EuropaWorld, state: State, entry: Entry, items: tuple[Item, ...]
) -> Iterator[tuple[str, UnitSpec, str]]:
    """The counters an entry brings: name, what it is, and its step; the state must know those named before."""
    taken = {name for name, unit in state.units.items() if unit.place.kind != MIX}
    for item in items:
        if item.spec is None:
            continue
        for number in range(item.count):
            designation = item.designations[number] if number < len(item.designations) else ""
            name = _name(entry, item.spec, designation, taken)
            taken.add(name)
            spec = replace(
                world.sized(item.spec),
                nation=nationality(world, entry, item),
                force=entry.force or item.spec.force,
                affiliation=entry.affiliation,
                designation=designation or (item.spec.designation if AIR in item.spec.traits else ""),
                traits=(*item.spec.traits, *item.traits),
            )
            yield name, spec, item.state if item.state in STEPS and spec.has(item.state) else FULL


def drawn(
    state: State, name: str, spec: UnitSpec, step: str, at: Place, because: str, says: str = ""
) -> Iterator[Event]:
    """A counter comes from the mix if it lies there, and else is new."""
    counter = state.units.get(name)
    if counter is None:
        yield Raised(unit=name, spec=spec, at=at, step=step, because=because, says=says)
        return
    yield Moved(unit=name, frm=counter.place, to=at, because=because, says=says)
    if counter.step != step:
        yield Became(unit=name, was=counter.step, step=step, because=because)


def _name(entry: Entry, spec: UnitSpec, designation: str, taken: set[str]) -> str:
    """'24 Inf XX', or 'Jul 1 41 Rifle XX' for a unit without a number."""
    if AIR in spec.traits:
        # Aircraft are called by their model, and every one has a number of its own: Me109E4-2.
        return next(each for each in (f"{spec.designation}-{n}" for n in range(1, len(taken) + 2)) if each not in taken)
    name = f"{designation or entry.turn or entry.nation} {spec.type} {spec.size}"
    if name not in taken:
        return name
    return next(each for each in (f"{name} ({n})" for n in range(2, len(taken) + 3)) if each not in taken)
