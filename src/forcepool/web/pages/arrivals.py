"""The placement sheet: every unit that arrives now, where it may go, a proposal, and one button for all of them."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.agenda import DUE
from forcepool.engine.answers import watched
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.decide import Decision
from forcepool.engine.options import foreseen, judged
from forcepool.engine.places import HEX
from forcepool.engine.state import State, Unit, evolve
from forcepool.views.names import natural
from forcepool.views.unit import Reason, reason
from forcepool.web.counters import drawn, sheet
from forcepool.web.forms import Form, read_form
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at, brought
from forcepool.web.pages.turn import pieces
from forcepool.web.pages.unit import its_own
from forcepool.web.render import page
from forcepool.web.together import give_all, told_as_one

PREFIX = "at."
"""Before the unit's name, so that it is never taken for a field of the form's own."""
LATER = "-"
"""Chosen for a unit that waits."""


class Arrival(Struct, frozen=True):
    """A unit that arrives, and the orders that would place it, by the place."""

    unit: Unit
    ways: Mapping[str, Command]


class Placed(Struct, frozen=True):
    """One line of the sheet as it was filled in: where to, and what the rules say after the lines before it."""

    arrival: Arrival
    at: str
    no: tuple[Reason, ...] = ()


class Town(Struct, frozen=True):
    """A place of the sheet: what stands there, what would come, and whether it takes all of that."""

    name: str
    stand: int
    come: tuple[str, ...]
    full: bool
    """Whether a unit that the sheet sends there is refused."""
    room: tuple[tuple[str, str], ...] = ()
    """How much more it takes when these have come, in the game's words, each with its clause."""


async def arrivals_of(it: Here) -> list[Arrival]:
    """What the seat is to place now, with every place that is open to it."""
    kept: dict[str, list[Arrival]] = it.kept("arrivals", dict)
    if "found" in kept:
        return kept["found"]
    found: list[Arrival] = []
    seen = watched(it.world, it.state)
    for piece in pieces(it):
        if piece.item.kind == DUE and piece.order is not None and piece.unit and hasattr(piece.order, "at"):
            unit = it.state.units[piece.unit]
            found.append(Arrival(unit, dict(_ways(it, seen, unit, piece.order))))
            # Others have their turn in between.
            await asyncio.sleep(0)
    kept["found"] = found
    return found


def _ways(it: Here, seen: State, unit: Unit, ready: Command) -> Iterator[tuple[str, Command]]:
    named: set[str] = set()
    for order in (ready, *type(ready).offers(it.world, seen, unit)):
        place = str(getattr(order, "at", ""))
        if not place or place in named or not its_own(it, order):
            continue
        try:
            may = foreseen(it.world, seen, order) is not None
        except BadCommand:
            continue
        if may:
            named.add(place)
            yield place, order


# ------------------------------------------------------------------------------------------------ filling in


async def filled(it: Here, arrivals: list[Arrival], chosen: Mapping[str, str]) -> tuple[list[Placed], State]:
    """The sheet as it was filled in, line after line, and how things would stand then.

    A line left open goes where the fewest have gone before it.
    """
    state, lines = it.state.copy(), []
    taken: Counter[str] = Counter()
    for arrival in arrivals:
        wish = chosen.get(arrival.unit.id, "")
        line = Placed(arrival, LATER) if wish == LATER else _placed(it, state, arrival, wish, taken)
        taken[line.at] += 1
        lines.append(line)
        await asyncio.sleep(0)
    return lines, state


def _placed(it: Here, state: State, arrival: Arrival, wish: str, taken: Counter[str]) -> Placed:
    """Where a unit goes: as one wishes, else to the first place that takes it, the emptiest first."""
    order = list(arrival.ways)
    places = [wish] if wish in arrival.ways else sorted(order, key=lambda each: (taken[each], order.index(each)))
    first: tuple[Reason, ...] = ()
    for place in places:
        # Asked for each time: others have the answers kept for theirs in between.
        outcome = judged(it.world, watched(it.world, state), arrival.ways[place])
        if isinstance(outcome, Decision):
            evolve(state, outcome.events)
            return Placed(arrival, place)
        first = first or tuple(it.sight.reason(reason(each), outcome.command) for each in outcome.reasons)
    return Placed(arrival, wish if wish in arrival.ways else LATER, first)


def towns(it: Here, lines: list[Placed], after: State) -> list[Town]:
    """The places that the sheet sends something to, counted, with what they would still take."""
    coming: dict[str, list[str]] = {}
    for line in lines:
        if line.at != LATER:
            coming.setdefault(line.at, []).append(line.arrival.unit.id)
    refused = {line.at for line in lines if line.no}
    stand = Counter(unit.place.of for unit in it.state.units_at(HEX) if it.sight.unit(unit))
    return [
        Town(name, stand[name], tuple(units), name in refused, tuple(_room(it, after, name)))
        for name, units in sorted(coming.items(), key=lambda each: natural(each[0]))
    ]


def _room(it: Here, after: State, place: str) -> Iterator[tuple[str, str]]:
    for told_by in brought("ROOM_LEFT").get(it.world.game.name, ()):
        yield from told_by(it.world, watched(it.world, after), place)


# -------------------------------------------------------------------------------------------------- the sheet


async def look(request: Request) -> Response:
    """The sheet with a proposal."""
    it = here(request)
    arrivals = await arrivals_of(it)
    return _shown(it, *await filled(it, arrivals, {}))


async def try_it(request: Request) -> Response:
    """The sheet as it was filled in; nothing is done."""
    it, form = here(request), await read_form(request)
    arrivals = await arrivals_of(it)
    lines, after = await filled(it, arrivals, _chosen(form))
    if request.headers.get("x-part"):
        return page(it, "_placed.html", title="", lines=lines, towns=towns(it, lines, after), later=LATER)
    return _shown(it, lines, after)


def _shown(it: Here, lines: list[Placed], after: State) -> Response:
    return page(
        it,
        "arrivals.html",
        title="Placement sheet",
        key="turn",
        lines=lines,
        towns=towns(it, lines, after),
        later=LATER,
        drawn=drawn,
        sheet=sheet(each.arrival.unit.spec for each in lines),
    )


def _chosen(form: Form) -> dict[str, str]:
    return {name.removeprefix(PREFIX): form[name] for name in form.names() if name.startswith(PREFIX)}


async def place_all(request: Request) -> Response:
    """Place every unit as the sheet says, one after another, to be undone as one."""
    it, form = here(request), await read_form(request)
    chosen = _chosen(form)
    wished = ((arrival, chosen.get(arrival.unit.id, "")) for arrival in await arrivals_of(it))
    done, failed = give_all(it, form, [arrival.ways[place] for arrival, place in wished if place in arrival.ways])
    return told_as_one(
        it,
        form,
        done,
        failed,
        verb="placed",
        why_not=": the sheet says why",
        none="nothing on this sheet is to be placed",
    )


PAGE = Page(
    "arrivals",
    "Placement sheet",
    "/arrivals",
    "",
    [at("/arrivals", look), at("/arrivals/try", try_it, "POST"), at("/arrivals", place_all, "POST")],
)
