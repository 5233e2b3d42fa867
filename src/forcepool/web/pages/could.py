"""What a side could do besides the orders about one unit: points to be moved, aid, allotments, pools, dice."""

from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.command import Command
from forcepool.engine.options import options_of_side
from forcepool.views.choices import choices
from forcepool.views.names import pool_in_words
from forcepool.views.unit import Option, option
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.pages.unit import its_own
from forcepool.web.render import page

MOST_WAYS = 40
"""Ways of one command that are listed at once; a pool narrows them."""


async def could(request: Request) -> Response:
    it = here(request)
    pool = request.query_params.get("pool", "").strip()[:80]
    found = open_to(it)
    return page(
        it,
        "could.html",
        title="Open to your side",
        key="pools",
        groups=choices(each for each in found if not pool or pool in pools_of(each.fields)),
        pools=[
            (each, pool_in_words(each)) for each in sorted({each for way in found for each in pools_of(way.fields)})
        ],
        pool=pool,
        most=MOST_WAYS,
    )


def open_to(it: Here) -> list[Option]:
    """What is open to the seat's side now, worked out once; to who has no side, what is to the one whose turn it is."""
    side = it.seat.side or it.world.phasing(it.state)

    def all_open() -> list[Option]:
        found = options_of_side(it.world, it.state, side)
        return [option(it.world, each) for each in found if each.open or each.die]

    return [each for each in it.table.kept(("open to side", side), all_open) if its_own(it, each.fields)]


def pools_of(command: Command) -> list[str]:
    """The pools an order draws on or fills."""
    named = (getattr(command, name, "") for name in ("pool", "pay_from", "into"))
    return [each for each in named if isinstance(each, str) and "/" in each]


def has_such(it: Here) -> bool:
    """Whether the game has orders that concern a side as a whole."""
    return bool(it.world.offering_sides)


PAGE = Page("could", "Open to your side", "/pools/could", "", [at("/pools/could", could)])
