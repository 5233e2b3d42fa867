"""Factories: what they make, their state and their lines; composite units and their parts."""

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.options import Choice
from forcepool.engine.world import World
from forcepool.games.eastern_front.works_status import STATES, WorksStatuses, works_statuses
from forcepool.games.eastern_front.world import SOVIET_UNION, EasternWorld
from forcepool.views.choices import Choices, choices
from forcepool.views.unit import option
from forcepool.web.counters import drawn, sheet
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.render import page

MOST_WAYS = 30
"""So many ways of one command are offered to choose from; the unit's card has them all."""


def concerns(world: World) -> bool:
    return isinstance(world, EasternWorld) and bool(world.works)


class Ways(Struct, frozen=True):
    """What can be done with a counter, and what cannot."""

    open: tuple[Choices, ...]
    closed: tuple[Choices, ...]


async def factories(request: Request) -> Response:
    """Factories and composite units; to the other side they are not there."""
    it = here(request)
    world = it.world
    assert isinstance(world, EasternWorld)
    found: WorksStatuses | None = (
        it.kept("works", lambda: works_statuses(world, it.state)) if it.sight.nation(SOVIET_UNION) else None
    )
    units = [*(each.unit for each in found.factories), *(each.unit for each in found.composites)] if found else []
    return page(
        it,
        "eastern_front/factories.html",
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
