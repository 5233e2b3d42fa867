"""A unit's card: facts, what holds for it, what can be done with it and what cannot, and how it got where it is."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.command import Command
from forcepool.engine.state import Unit
from forcepool.views.choices import Choices, choices
from forcepool.views.names import pool_in_words
from forcepool.views.unit import Option, UnitCard, unit_card
from forcepool.web.counters import drawn, sheet
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.render import page
from forcepool.web.seats import Forbidden

MOST_WAYS = 120
"""So many ways of one kind are offered to choose from; the order form takes any."""
LAST_HAPPENINGS = 12


class Card(Struct, frozen=True):
    """A unit's card as a page shows it."""

    unit: UnitCard
    areas: str
    """'front Centre, theatre East'."""
    open: tuple[Choices, ...]
    closed: tuple[Choices, ...]


async def unit_page(request: Request) -> Response:
    it = here(request)
    name = request.path_params["id"]
    unit = seen_unit(it, name)
    if unit is None:
        raise HTTPException(404, no_such(name))
    return page(
        it,
        "unit.html",
        title=unit.id,
        key="pool",
        card=card_of(it, unit),
        most_ways=MOST_WAYS,
        last_happenings=LAST_HAPPENINGS,
        drawn=drawn,
        sheet=sheet([unit.spec]),
        back=f"{it.path}/unit/{unit.id}",
    )


def no_such(name: str) -> str:
    return f"There is no unit '{name}' that you can see; the force pool lists them."


def seen_unit(it: Here, name: str) -> Unit | None:
    """The unit of that name, in any letters, if the seat sees it; another answer would tell that it exists."""
    unit = it.state.units.get(name)
    if unit is None:
        folded = name.casefold()
        unit = next((each for each in it.state.units_in_order() if each.id.casefold() == folded), None)
    return unit if unit is not None and it.sight.unit(unit) else None


def card_of(it: Here, unit: Unit) -> Card:
    """The card of a unit the seat sees, worked out once."""
    found: Card = it.kept(("card", unit.id), lambda: _card(it, unit))
    return found


def _card(it: Here, unit: Unit) -> Card:
    card = unit_card(it.campaign, unit, it.sight.event)
    return Card(
        unit=card,
        areas=", ".join(pool_in_words(each) for each in card.areas),
        open=choices(each for each in card.open if its_own(it, each.fields)),
        closed=choices(_told(it, each) for each in card.closed if its_own(it, each.fields)),
    )


def _told(it: Here, option: Option) -> Option:
    return replace(option, reasons=tuple(it.sight.reason(each) for each in option.reasons))


def its_own(it: Here, command: Command) -> bool:
    """Whether a way to give a command stays within what the seat commands, so that it is worth listing."""
    try:
        it.sight.may_order(command)
    except Forbidden:
        # Whoever watches sees what could be done, though they may not do it.
        return not it.seat.acts
    return not it.seat.front or all(_of_the_front(it, getattr(command, name)) for name in command.__struct_fields__)


def _of_the_front(it: Here, value: Any) -> bool:
    if not isinstance(value, str) or "/" not in value:
        return True
    areas = it.world.areas_of_pool(value)
    return areas is None or it.seat.front in areas


PAGE = Page("unit", "Unit", "/unit", "", [at("/unit/{id:path}", unit_page)])
