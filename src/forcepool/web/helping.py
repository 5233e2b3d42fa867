"""Guided remedies: what a refusal says would help, as steps in order, each ready to be given."""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.calendar import Clock
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.decide import Decision
from forcepool.engine.verdicts import No, Refusal, Way
from forcepool.views.journal import moment
from forcepool.views.unit import reason
from forcepool.web.acting import attempt
from forcepool.web.forms import order_in, read_form
from forcepool.web.here import Here, here
from forcepool.web.pages import at
from forcepool.web.render import fragment, json_answer, page
from forcepool.web.seats import Forbidden

MOST_WAYS = 4
"""Ways to help that are shown of one refusal."""


class Step(Struct, frozen=True):
    """One step of a remedy: an order to give, or a moment to wait for."""

    words: str
    order: Command | None = None
    """None for a wait, and for the refused order itself once it can be given."""
    now: bool = False
    """Whether it can be given at once."""


class Help(Struct, frozen=True):
    """One way out of a refusal, step by step."""

    clause: str
    steps: tuple[Step, ...]

    @property
    def at_once(self) -> bool:
        """Whether all of it can be done now."""
        return all(step.order is not None or not step.words.startswith("Wait") for step in self.steps)


def helps(it: Here, refusal: Refusal) -> list[Help]:
    """The ways that the reasons of a refusal name, as far as they are this seat's to go."""
    found = []
    for no in refusal.reasons:
        if not _may_read(it, no, refusal.command):
            continue
        for way in no.ways:
            steps = tuple(_steps(it, way))
            # To wait is said already; what can be done is what helps.
            if any(step.order is not None for step in steps) and _may_go(it, way):
                found.append(Help(no.clause, steps))
    return found[:MOST_WAYS]


def _may_read(it: Here, no: No, command: Command) -> bool:
    """Whether the seat is told the remedy as it stands: what was taken out of it is no step of theirs."""
    told = reason(no)
    return it.sight.reason(told, command).remedy == told.remedy


def _may_go(it: Here, way: Way) -> bool:
    try:
        for order in _orders(way):
            it.sight.may_order(order)
    except Forbidden:
        return False
    return it.seat.acts


def _orders(way: Way) -> Iterable[Command]:
    return [*way.first, *([way.instead] if way.instead is not None else [])]


def _steps(it: Here, way: Way) -> Iterator[Step]:
    from forcepool.views.said import order_said

    def wait(until: Clock) -> Step:
        return Step(f"Wait until {moment(it.campaign, until)}")

    if way.after is not None:
        yield wait(way.after)
    ready = way.after is None
    for order in way.first:
        yield Step(order_said(order), order, now=ready)
        # The next is lawful once this one is given.
        ready = False
    if way.until is not None:
        yield wait(way.until)
    if way.instead is not None:
        yield Step(order_said(way.instead), way.instead, now=ready and way.until is None)
    else:
        yield Step("Then this order can be given")


def helps_panel(it: Here, refusal: Refusal) -> str:
    """The ways out as a piece of a page; empty where there is none that could be given as an order."""
    found = helps(it, refusal)
    return fragment(it, "_helps.html", helps=found, refused=refusal.command) if found else ""


async def asked(request: Request) -> Response:
    """What would help with an order that is closed; nothing is done."""
    it, form = here(request), await read_form(request)
    try:
        outcome = attempt(it.table, it.seat, order_in(it.world, form["order"]))
    except BadCommand as error:
        return json_answer({"says": str(error), "helps": ""}, 400)
    if isinstance(outcome, Refusal):
        panel = helps_panel(it, outcome)
        says = "" if panel else "Nothing that could be ordered from here: the reasons say what would help."
    else:
        panel, says = "", "It is open now: load the page again." if isinstance(outcome, Decision) else outcome.says
    if "application/json" in request.headers.get("accept", ""):
        return json_answer({"accepted": False, "kind": "help", "seq": it.table.seq, "says": says, "helps": panel})
    return page(it, "helps.html", title="What would help", helps_panel=panel, says=says)


ROUTES = [at("/help", asked, "POST")]
