"""EF.expansion, EF.moving and EF.composite at a glance: the factories, and the composite units with what makes them."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.given import units_of
from forcepool.engine.options import Choice, options
from forcepool.engine.places import HEX, TRACK
from forcepool.engine.state import State, Unit
from forcepool.games.eastern_front.composite_values import firepower
from forcepool.games.eastern_front.expansion import choices_this_turn
from forcepool.games.eastern_front.facts import ENTRAINED, PRODUCED
from forcepool.games.eastern_front.losses import COMPONENTS
from forcepool.games.eastern_front.next_output import earliest_output
from forcepool.games.eastern_front.profile import Kind
from forcepool.games.eastern_front.recipes import TWINS, first_turn_of, free_counters, recipe_of
from forcepool.games.eastern_front.schedules import schedule
from forcepool.games.eastern_front.world import (
    DESTROYED,
    SIBERIA,
    UNUSED,
    EasternWorld,
    Works,
)

ON_MAP, WAITING, TO_CHOOSE, LOST = "on the map", "on the turn track", "to be chosen", "destroyed"
STATES = (ON_MAP, "in Siberia", WAITING, TO_CHOOSE, LOST)
_STATE = {HEX: ON_MAP, SIBERIA: "in Siberia", TRACK: WAITING, UNUSED: TO_CHOOSE, DESTROYED: LOST}


class WorksStatus(Struct, frozen=True):
    """One factory counter."""

    unit: Unit
    kind: str
    state: str
    where: str
    makes: Mapping[str, Fraction]
    months: tuple[str, ...]
    next: str
    """The month it can next produce in, at the earliest."""
    news: str
    """'entrained', 'has produced', 'ready in Oct 41'."""
    ways: tuple[Choice, ...]


class CompositeStatus(Struct, frozen=True):
    """A composite unit in play."""

    unit: Unit
    kind: str
    rank: str
    where: str
    firepower: int
    parts: tuple[str, ...]
    """The units it was made of, while the rules keep them by."""


class Recipe(Struct, frozen=True):
    """A kind of composite unit: what it takes, from when, and what can be made of it now."""

    kind: str
    needs: tuple[str, ...]
    clause: str
    since: str
    date_clause: str
    optional: bool
    counters: tuple[str, ...]
    """The counters of the kind that are free."""
    ways: tuple[Choice, ...]


class WorksStatuses(Struct, frozen=True):
    """Everything about factories and composite units."""

    factories: tuple[WorksStatus, ...]
    composites: tuple[CompositeStatus, ...]
    recipes: tuple[Recipe, ...]
    choices_left: int
    """Factories that may still be chosen this turn."""


def works_statuses(world: EasternWorld, state: State) -> WorksStatuses:
    """The factories by where they are, the composite units in play, and the six recipes."""
    units = state.units_in_order()
    counters = [(unit, works) for unit in units if (works := world.factory(unit)) and not works.native]
    found = [_works(world, state, unit, works) for unit, works in counters]
    return WorksStatuses(
        factories=tuple(sorted(found, key=lambda each: (STATES.index(each.state), each.kind, each.unit.id))),
        composites=tuple(
            _composite(world, state, unit, kind)
            for unit in units
            if unit.place.kind in (HEX, SIBERIA) and (kind := world.kind_of(unit.spec)) and kind.composite
        ),
        recipes=tuple(_recipe(world, state, name) for name, kind in world.profile.kinds.items() if kind.recipe),
        choices_left=choices_this_turn(world, state),
    )


def _works(world: EasternWorld, state: State, unit: Unit, works: Works) -> WorksStatus:
    months, soonest = schedule(world, state, works), earliest_output(world, state, unit)
    return WorksStatus(
        unit=unit,
        kind=works.kind,
        state=_STATE.get(unit.place.kind, LOST),
        where=world.show_place(unit.place),
        makes=world.profile.production.get(works.kind, {}),
        months=tuple(world.calendar.names[month - 1] for month in months),
        next=world.turn_name(soonest) if soonest is not None else "",
        news=_news(world, state, unit),
        ways=tuple(options(world, state, unit)),
    )


def _news(world: EasternWorld, state: State, unit: Unit) -> str:
    facts = world.facts(state)
    if facts.turn_of(unit, ENTRAINED) is not None:
        return "entrained"
    if unit.place.kind == TRACK:
        return f"ready in {world.turn_name(unit.place.due)}"
    return "has produced this turn" if facts.is_so(unit, PRODUCED) else ""


def _composite(world: EasternWorld, state: State, unit: Unit, kind: Kind) -> CompositeStatus:
    return CompositeStatus(
        unit=unit,
        kind=world.kind_name(unit.spec),
        rank=kind.rank,
        where=world.show_place(unit.place),
        firepower=firepower(world, state, unit, kind),
        parts=tuple(world.facts(state).words(unit, COMPONENTS)),
    )


def _recipe(world: EasternWorld, state: State, name: str) -> Recipe:
    kind = world.profile.kinds[name]
    date = world.profile.dates.get(kind.from_) if kind.from_ else None
    free = free_counters(world, state).get(name, [])
    # Any free counter of a kind will do, but for tank armies, whose numbers may be in use.
    ways = _first_open(world, state, free if name in TWINS else free[:1])
    return Recipe(
        kind=name,
        needs=tuple(" or ".join(wanted) for wanted in recipe_of(world, state, name)),
        clause=kind.recipe_clause,
        since=world.turn_name(first_turn_of(world, state, name)) if kind.from_ else "",
        date_clause=date.clause if date else "",
        optional=kind.optional,
        counters=tuple(unit.id for unit in free),
        ways=ways,
    )


def _first_open(world: EasternWorld, state: State, counters: Iterable[Unit]) -> tuple[Choice, ...]:
    """Of each combination of components the way into the first counter that can be had, else into the first of all."""
    found: dict[frozenset[str], Choice] = {}
    for counter in counters:
        for way in options(world, state, counter, ("form",)):
            key = frozenset(units_of(way.command) - {counter.id})
            if key not in found or (way.open and not found[key].open):
                found[key] = way
    return tuple(found.values())
