"""Factories: what they make, their state and their lines."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.desk import Declare
from forcepool.engine.world import World
from forcepool.games.europa.ground.soviet_pools import SOVIET_UNION
from forcepool.games.europa.replacements.soviet.factory_status import (
    FactoryStatus,
    FactoryStatuses,
    factory_statuses,
    has_factories,
)
from forcepool.games.europa.world import EuropaWorld
from forcepool.views.names import pool_in_words
from forcepool.web.here import here
from forcepool.web.pages import Page, at
from forcepool.web.render import page


def concerns(world: World) -> bool:
    return isinstance(world, EuropaWorld) and has_factories(world)


async def factories(request: Request) -> Response:
    """The Soviet factories; to the other side they are not there, and a front commander sees those of the front."""
    it = here(request)
    world = it.world
    if not isinstance(world, EuropaWorld) or not has_factories(world):
        raise HTTPException(404, "This campaign has no factories.")
    found: FactoryStatuses | None = (
        it.kept("factories", lambda: factory_statuses(world, it.state)) if it.sight.nation(SOVIET_UNION) else None
    )
    lines = [each for each in found.factories if it.sight.near(each.area)] if found else []
    return page(
        it,
        "europa/factories.html",
        title="Factories",
        key="factories",
        found=found,
        lines=lines,
        whole=not it.seat.front,
        area_in_words=pool_in_words,
        veiled=it.sight.veiled,
        turned=turned,
    )


def turned(factory: FactoryStatus) -> Declare:
    """The order that says the contrary: one that produces stops, another begins."""
    return Declare(fact="producing", value="no" if factory.producing else "yes", about=factory.place)


PAGE = Page("factories", "Factories", "/factories", "c", [at("/factories", factories)], concerns)
