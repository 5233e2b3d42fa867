"""What a side could do besides the orders about one unit: points to be moved, aid, allotments, pools, dice."""

from collections.abc import Mapping
from fractions import Fraction

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.command import Command
from forcepool.engine.options import options_of_side
from forcepool.engine.points import show_points
from forcepool.views.choices import choices
from forcepool.views.fields import filled_in
from forcepool.views.names import pool_in_words
from forcepool.views.said import FRACTION
from forcepool.views.unit import Option, option
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.pages.unit import its_own
from forcepool.web.render import order_text, page

AMOUNTS = ("amount", "points", "arps", "srps")
"""Fields that say how much."""
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
        # What has many ways stands below what has few.
        groups=sorted(
            choices(each for each in found if not pool or pool in pools_of(each.fields)),
            key=lambda group: sum(len(row.ways) for row in group.rows),
        ),
        pools=[
            (each, pool_in_words(each)) for each in sorted({each for way in found for each in pools_of(way.fields)})
        ],
        pool=pool,
        most=MOST_WAYS,
        amount_of=amount_of,
    )


class Amount(Struct, frozen=True):
    """How much of it: the field of an order that one may change before giving it, and the others as they are."""

    name: str
    value: str
    others: Mapping[str, str]

    @property
    def key(self) -> str:
        """What the line is known by, however much there is of it: the other fields, and the kinds of point."""
        kinds = (word for word in self.value.replace(",", " ").split() if word.isalpha())
        return " ".join((*self.others.values(), *kinds))


def amount_of(order: Command) -> Amount | None:
    """The amount that an order leaves to choice; None where it leaves none."""
    name = next((each for each in type(order).of_choice if each in AMOUNTS), "")
    filled = filled_in(msgspec.json.decode(order_text(order)))
    if name not in filled:
        return None
    others = {each: value for each, value in filled.items() if each not in (name, "command") and value}
    # Written as it is shown beside: 3⅛ arm, not 25/8.
    return Amount(name, FRACTION.sub(lambda found: show_points(Fraction(found[0])), filled[name]), others)


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
