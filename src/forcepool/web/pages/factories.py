"""Factories: what they make, their state and their lines; in the second game also composite units and their parts."""

from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.options import Choice
from forcepool.engine.world import World
from forcepool.games.eastern_front.works_status import STATES, WorksStatuses, works_statuses
from forcepool.games.eastern_front.world import SOVIET_UNION as EASTERN_SOVIET_UNION
from forcepool.games.eastern_front.world import EasternWorld
from forcepool.games.europa.replacements.factory_status import FactoryStatuses, factory_statuses, has_factories
from forcepool.games.europa.replacements.soviet_pools import SOVIET_UNION
from forcepool.games.europa.world import EuropaWorld
from forcepool.views.choices import Choices, choices
from forcepool.views.names import pool_in_words
from forcepool.views.unit import option
from forcepool.web.counters import drawn, sheet
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.render import page

MOST_WAYS = 30
"""So many ways of one command are offered to choose from; the unit's card has them all."""


def concerns(world: World) -> bool:
    if isinstance(world, EuropaWorld):
        return has_factories(world)
    return isinstance(world, EasternWorld) and bool(world.works)


async def factories(request: Request) -> Response:
    it = here(request)
    if isinstance(it.world, EasternWorld):
        return works(it, it.world)
    if isinstance(it.world, EuropaWorld) and has_factories(it.world):
        return soviet_factories(it, it.world)
    raise HTTPException(404, "This campaign has no factories.")


def soviet_factories(it: Here, world: EuropaWorld) -> Response:
    """The Soviet factories; to the other side they are not there, and a front commander sees those of the front."""
    found: FactoryStatuses | None = (
        it.kept("factories", lambda: factory_statuses(world, it.state)) if it.sight.nation(SOVIET_UNION) else None
    )
    lines = [each for each in found.factories if it.sight.near(each.area)] if found else []
    return page(
        it,
        "factories.html",
        title="Factories",
        key="factories",
        found=found,
        lines=lines,
        whole=not it.seat.front,
        area_in_words=pool_in_words,
        veiled=it.sight.veiled,
    )


class Ways(Struct, frozen=True):
    """What can be done with a counter, and what cannot."""

    open: tuple[Choices, ...]
    closed: tuple[Choices, ...]


def works(it: Here, world: EasternWorld) -> Response:
    """Factories and composite units; to the other side they are not there."""
    found: WorksStatuses | None = (
        it.kept("works", lambda: works_statuses(world, it.state)) if it.sight.nation(EASTERN_SOVIET_UNION) else None
    )
    units = [*(each.unit for each in found.factories), *(each.unit for each in found.composites)] if found else []
    return page(
        it,
        "works.html",
        title="Factories and composites",
        key="factories",
        found=found,
        states=STATES,
        ways_of=lambda ways: ways_of(it, ways),
        most_ways=MOST_WAYS,
        drawn=drawn,
        sheet=sheet(unit.spec for unit in units),
        back=f"{it.path}/factories",
    )


def ways_of(it: Here, ways: tuple[Choice, ...]) -> Ways:
    """Ways to give commands, gathered by command."""
    told = [(each.open, option(it.world, each)) for each in ways]
    return Ways(
        choices(each for is_open, each in told if is_open), choices(each for is_open, each in told if not is_open)
    )


PAGE = Page("factories", "Factories", "/factories", "c", [at("/factories", factories)], concerns)
