"""Reserves: points, depots and who is in reserve; what changes would cost, tried in any order before one is made."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.agenda import DUE, LAPSES
from forcepool.engine.campaign import Done
from forcepool.engine.command import Command
from forcepool.engine.events import Marked
from forcepool.engine.facts import subject_key
from forcepool.engine.ledger import Account
from forcepool.engine.points import show_points
from forcepool.engine.sentence import Told
from forcepool.games.europa.reserves import deployment
from forcepool.games.europa.reserves.accounts import OR
from forcepool.games.europa.reserves.plans import WISHES, WhatIf, Wish, what_if
from forcepool.games.europa.reserves.view import Candidate, ReserveGroup, Reserves, ReserveUnit, candidates, reserves
from forcepool.games.europa.world import EuropaWorld
from forcepool.views.forcepool import named
from forcepool.views.journal import counting_entries_about
from forcepool.views.names import by_nation_and_number, pool_in_words
from forcepool.views.pools import Statement, statement
from forcepool.views.turn import AgendaLine
from forcepool.web.acting import Outcome, Wrong, act
from forcepool.web.actions import outcome_of, told
from forcepool.web.counters import caption, drawn, part_of, shared_out, sheet
from forcepool.web.forms import order_in, read_form
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.pages.turn import checklist
from forcepool.web.render import page, plural

RULE, ROLLS = "49", "49.A.1.a/1"
"""The roll has its button beside the country's number."""
MOST_WISHES = 40
MOST_LISTED = 40
"""So many units are listed to choose from; typing a name narrows them."""
MOST_COUNTERS = 80
"""So many units in reserve are drawn on one page, so that it stays light; links lead to the rest."""
MOST_LINES = 8
SHORT = {"in": "in", "out": "out", "strategic": "strategic", "mediterranean": "Mediterranean"}


def reserves_of(it: Here) -> Reserves:
    """The seat's reserves, with the dice of the month as the journal tells them."""

    def make() -> Reserves:
        found = reserves(europa(it), it.state, sees=it.sight.unit, holds=it.sight.account)
        dice = _dice(it)
        nations = (
            replace(each, roll=dice[each.nation][1], roll_entry=dice[each.nation][0]) if each.nation in dice else each
            for each in found.nations
        )
        return replace(found, nations=tuple(nations))

    kept: Reserves = it.kept("reserves", make)
    return kept


def europa(it: Here) -> EuropaWorld:
    """The campaign's world: whoever asks for a page of this game plays it."""
    assert isinstance(it.world, EuropaWorld)
    return it.world


def _dice(it: Here) -> dict[str, tuple[int, str]]:
    """The entry and the working of each country's roll of this month."""
    found: dict[str, tuple[int, str]] = {}
    nations = {subject_key("nation", nation): nation for nation in it.world.sides}
    per_month = it.world.calendar.turns_per_month
    for entry in counting_entries_about(it.campaign, "clause/49.A.1.a/6"):
        if entry.at.turn // per_month != it.state.clock.turn // per_month:
            continue
        for event in entry.events:
            if isinstance(event, Marked) and event.mark == deployment.BASE_NUMBER and event.on in nations:
                found[nations[event.on]] = (entry.n, event.says)
    return found


def tried(it: Here, wishes: tuple[Wish, ...]) -> WhatIf:
    """What wishes would cost. Nobody asks for the same ones twice while nothing changes, so it is not kept."""
    return what_if(europa(it), it.state, wishes, sees=it.sight.unit, holds=it.sight.account)


def wish_in(text: str) -> Wish | None:
    """'in 6 Pz XX' as a wish."""
    change, _, unit = text.strip().partition(" ")
    return Wish(unit.strip()[:80], change) if change in WISHES and unit.strip() else None


# ------------------------------------------------------------------------------------------------- the page


async def reserves_page(request: Request) -> Response:
    it = here(request)
    found = reserves_of(it)
    asked = request.query_params
    texts = [text for text in dict.fromkeys(asked.getlist("change")) if wish_in(text)][:MOST_WISHES]
    wishes = tuple(wish for wish in map(wish_in, texts) if wish)
    find, nation, group = (asked.get(name, "").strip()[:80] for name in ("q", "nation", "group"))
    listed = _listed(it, find, nation, {wish.unit for wish in wishes})
    first = part_of(asked.get("from", ""))
    groups = list(cut(found.groups, group, first))
    shown = [it.state.units[unit.unit] for _, units, _ in groups for unit in units]
    return page(
        it,
        "europa/reserves.html",
        title="Reserves",
        key="reserves",
        found=found,
        groups=groups,
        chosen=group,
        first=first,
        page_of=MOST_COUNTERS,
        total=sum(len(each.units) for each in found.groups),
        wishes=wishes,
        short=SHORT,
        in_words=WISHES,
        trial=tried(it, wishes) if wishes else None,
        listed=listed[:MOST_LISTED],
        more=max(0, len(listed) - MOST_LISTED),
        find=find,
        nation=nation,
        nations=_nations(it),
        linked_to=lambda changes=None, **fields: _link(it, texts if changes is None else changes, find, nation, fields),
        texts=texts,
        moved=moved,
        pool_in_words=pool_in_words,
        told_of=lambda track, nation: _statement(it, Account(track, nation, OR)),
        most=MOST_LINES,
        signed=lambda amount: f"{'+' if amount > 0 else '−'}{show_points(abs(amount))}",
        lines=[line for line in rule_lines(it, RULE) if line.clause != ROLLS],
        picture=lambda name: _picture(it, name),
        caption=lambda name: caption(name, it.state.units[name].spec),
        sheet=sheet(unit.spec for unit in shown),
    )


def cut(
    groups: tuple[ReserveGroup, ...], chosen: str, first: int
) -> Iterator[tuple[ReserveGroup, tuple[ReserveUnit, ...], int]]:
    """Each group, those of it that are drawn and how many come after; of a group that was chosen, a page of it."""
    if any(each.key == chosen for each in groups):
        for each in groups:
            units = each.units[first : first + MOST_COUNTERS] if each.key == chosen else ()
            yield each, units, len(each.units) - len(units) - (first if each.key == chosen else 0)
        return
    for each, drawn_of in zip(groups, shared_out([len(each.units) for each in groups], MOST_COUNTERS), strict=True):
        yield each, each.units[:drawn_of], len(each.units) - drawn_of


def rule_lines(it: Here, rule: str) -> list[AgendaLine]:
    """What one rule asks of the seat now, and what will lapse; its news stand on its page anyway."""
    return [
        line
        for group in checklist(it)
        if group.kind in (DUE, LAPSES) and group.clause.startswith((f"{rule}.", f"{rule}/"))
        for line in group.lines
    ]


def _picture(it: Here, name: str) -> Markup:
    unit = it.state.units[name]
    return drawn(unit.spec, unit.step, unit.id)


def _candidates(it: Here) -> tuple[Candidate, ...]:
    def make() -> tuple[Candidate, ...]:
        found = candidates(europa(it), it.state, sees=it.sight.unit, holds=it.sight.account)
        units = it.state.units
        return tuple(sorted(found, key=lambda each: (each.reserve == "none", by_nation_and_number(units[each.unit]))))

    kept: tuple[Candidate, ...] = it.kept("reserve candidates", make)
    return kept


def _nations(it: Here) -> list[str]:
    return sorted({each.nation for each in _candidates(it)})


def _listed(it: Here, find: str, nation: str, without: set[str]) -> list[Candidate]:
    """The units that may be chosen and answer to these words."""
    words, units = find.casefold().split(), it.state.units
    return [
        each
        for each in _candidates(it)
        if nation in ("", each.nation) and each.unit not in without and (not words or named(units[each.unit], words))
    ]


def _link(it: Here, changes: list[str], find: str, nation: str, fields: dict[str, str]) -> str:
    """This page with other wishes, or with something else of it changed."""
    rest = {name: value for name, value in ({"q": find, "nation": nation} | fields).items() if value}
    query = urlencode([*(("change", each) for each in changes), *rest.items()])
    return f"{it.path}/reserves?{query}" if query else f"{it.path}/reserves"


def moved(changes: list[str], index: int, by: int) -> list[str]:
    """The wishes with one of them moved up or down; `by` 0 takes it away."""
    rest = [each for number, each in enumerate(changes) if number != index]
    if by:
        rest.insert(max(0, index + by), changes[index])
    return rest


def _statement(it: Here, account: Account) -> Statement:
    found: Statement = it.kept(("statement", account), lambda: statement(it.campaign, account))
    return found


# -------------------------------------------------------------------------------------------------- doing them


async def do_all(request: Request) -> Response:
    """Carry out a plan, change by change, as far as the rules let it."""
    it, form = here(request), await read_form(request)
    try:
        orders = [order_in(it.world, text) for text in form.all("order")[:MOST_WISHES]]
    except Told as error:
        return told(it, form, outcome_of(it, Wrong(error.sentence)))
    done: list[Done] = []
    seen = form.number("seen")
    for order in orders:
        outcome = act(it.table, it.seat, order, seen=seen)
        if not isinstance(outcome, Done):
            return told(it, form, _as_far(it, done, orders, outcome))
        done.append(outcome)
        seen = outcome.entry.n
    return told(it, form, _as_far(it, done, orders, None))


def _as_far(it: Here, done: list[Done], orders: list[Command], stopped: Outcome | None) -> dict[str, Any]:
    """What came of a plan: all of it, as far as it went, or why its first change was not made."""
    if not done:
        return outcome_of(it, stopped or Wrong("there is nothing to do; choose units first"))
    data = outcome_of(it, done[-1])
    data |= {"back_to": done[0].entry.n, "says": f"{len(done)} of {plural(len(orders), 'change')} made"}
    words = [word for each in done for word in outcome_of(it, each)["words"][:1]]
    if stopped is not None:
        words.insert(0, f"stopped: {outcome_of(it, stopped)['says']}")
    return data | {"words": words}


PAGE = Page(
    "reserves",
    "Reserves",
    "/reserves",
    "r",
    [at("/reserves", reserves_page), at("/reserves", do_all, "POST")],
    lambda world: isinstance(world, EuropaWorld) and world.plays_reserves,
)
