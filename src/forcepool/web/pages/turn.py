"""The turn page: a board to play from, and what happened since the seat last looked."""

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, unquote

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.agenda import DUE, LAPSES, NEWS, OPEN, Item
from forcepool.engine.answers import watched
from forcepool.engine.campaign import Done
from forcepool.engine.command import Command
from forcepool.engine.game import TaskWords
from forcepool.engine.ledger import Account
from forcepool.engine.verdicts import Refusal
from forcepool.views.board import (
    Piece,
    Purse,
    Task,
    affordable,
    at_once,
    fitted,
    pieces_of,
    purses,
    tasks,
)
from forcepool.views.names import pool_in_words, pool_order
from forcepool.views.paying import Payer, may_choose, other_payers, paid_from
from forcepool.views.said import sentence_said
from forcepool.views.strays import Stray, strays
from forcepool.views.turn import AgendaGroup, AgendaLine, Since, agenda_line, grouped, phases, since
from forcepool.views.unit import reason
from forcepool.web.acting import Outcome, Wrong, act
from forcepool.web.actions import outcome_of, seen_on, told
from forcepool.web.checklist import items_for, tick_of
from forcepool.web.counters import sheet
from forcepool.web.forms import read_form
from forcepool.web.here import Here, here
from forcepool.web.kept_plans import OnTheBoard, on_the_board
from forcepool.web.pages import Page, at, brought
from forcepool.web.pages.could import has_such
from forcepool.web.pages.unit import its_own
from forcepool.web.render import drawn_once, order_text, page
from forcepool.web.rows import Rows
from forcepool.web.together import give_all, told_as_one

MOST_AT_ONCE = 200
MOST_DRAWN = 40
"""Pieces of a batch that are drawn, those that are folded among them: all of a great war would take long to draw."""
KINDS = ((DUE, "Due now"), (LAPSES, "Lost if nothing is done"), (OPEN, "Can be done"))
STICKS = 60 * 60 * 24 * 365
LEVELS = ("front", "theatre", "command")
PAGE_NAMES = {
    "/arrivals": "Placement sheet",
    "/map": "on the map",
    "/air": "on the air page",
    "/pools/could": "where points are moved",
    "/pools": "in the pools",
    "/reserves": "on the reserves page",
    "/ob": "in the order of battle",
    "/factories": "in the factories",
}
"""Where something is done that is not done on the board, in the words of a link."""


async def turn(request: Request) -> Response:
    it = here(request)
    if await it.table.looked_over():
        it = here(request)
    ticked, narrowed = it.habits.ticked, narrowing(request)
    whole, opened = "whole" in request.query_params, _opened(it, request)
    looked = it.habits.looked
    if looked != it.table.seq:
        it.registry.look(it.who, it.table.name, it.table.seq)
    plan = on_the_board(it)
    answer = page(
        it,
        "turn.html",
        title="Turn",
        key="turn",
        board=drawn_once(
            it,
            "_board.html",
            # A plan is its seat's own, and others may sit on the same chair.
            (narrowed, frozenset(ticked), whole, opened, plan.key if plan else ()),
            lambda: _drawing(it, narrowed, ticked, whole, plan) | _paying(it, opened),
        ),
        beside=drawn_once(it, "_beside.html", narrowed, lambda: _beside(it, narrowed)),
        phases=phases(it.world, it.state),
        since=_news(it, looked) if looked and looked < it.table.seq else None,
        has_such=has_such(it),
        plan=plan,
        strays=_strays(it),
        fresh=it.registry.fresh_news(it.who, it.table.name, it.moment, news_of(it), it.habits),
    )
    if "front" in request.query_params or "nation" in request.query_params:
        answer.set_cookie("board", narrowed.cookie, max_age=STICKS, path=it.path, samesite="strict")
    return answer


def _strays(it: Here) -> list[Stray]:
    """What counts for nothing, as far as it is this seat's to know."""
    found = it.table.kept("strays", lambda: strays(it.world, it.state))
    return [
        each for each in found if it.sight.all or it.world.side_of_subject(it.state, each.on) in (None, it.seat.side)
    ]


def _news(it: Here, looked: int) -> Since:
    """What others have done after an entry, found out once for all who looked last at the same one."""
    seat = it.seat.journal_name
    return it.table.kept(("since", looked, seat), lambda: since(it.campaign, looked, seat=seat))


# --------------------------------------------------------------------------------------------------- the board


class Narrowing(Struct, frozen=True):
    """The part of the board one looks at: a front, a nation; it sticks until another is chosen."""

    front: str = ""
    nation: str = ""

    @property
    def cookie(self) -> str:
        return quote(f"{self.front}\n{self.nation}", safe="")

    def fits(self, piece: Piece) -> bool:
        """Whether a piece belongs there; what belongs to no front or nation is shown everywhere."""
        here_too = not self.front or not piece.areas or self.front in piece.areas
        return here_too and (not self.nation or piece.nation in ("", self.nation))


def narrowing(request: Request) -> Narrowing:
    """As the address asks, else as one last chose."""
    asked = request.query_params
    if "front" in asked or "nation" in asked:
        return Narrowing(asked.get("front", "")[:80], asked.get("nation", "")[:80])
    front, _, nation = unquote(request.cookies.get("board", ""))[:200].partition("\n")
    return Narrowing(front, nation)


def pieces(it: Here) -> list[Piece]:
    """What is on the seat's list, with prices, worked out once; of pools that are not the seat's nothing is told."""
    found: list[Piece] = it.kept("pieces", lambda: [_veiled(it, each) for each in _priced(it)])
    return found


def _priced(it: Here) -> list[Piece]:
    return pieces_of(it.world, it.state, [*items(it), *_offered(it)])


def _offered(it: Here) -> Iterator[Item]:
    """What a game puts on the board beyond the checklist: purchases that a line of it only sums up."""
    if not it.seat.acts:
        return
    for offers in brought("OFFERED").get(it.world.game.name, ()):
        for item in offers(it.world, watched(it.world, it.state)):
            mine = it.seat.side in ("", item.side) and it.sight.item(item)
            if mine and item.command is not None and its_own(it, item.command):
                yield item


def _veiled(it: Here, piece: Piece) -> Piece:
    seen = {kind: left for kind, left in piece.leaves.items() if _sees(it, piece.payer, piece.nation, kind)}
    return piece if len(seen) == len(piece.leaves) else replace(piece, leaves=seen)


def _sees(it: Here, pool: str, nation: str, kind: str) -> bool:
    return it.sight.account(Account(pool, nation, kind))


def purses_of(it: Here, shown: Iterable[Piece]) -> list[Purse]:
    """The pools that purchases compete for, as far as the seat sees what is in them."""
    found = purses(it.state, shown)
    return [each for each in found if all(_sees(it, each.pool, each.nation, kind) for kind in each.asked)]


def words_of(it: Here) -> Mapping[str, TaskWords]:
    """How the campaign's game calls what is to be done."""
    return it.world.game.tasks


def _drawing(
    it: Here, narrowed: Narrowing, ticked: Container[str], whole: bool, plan: OnTheBoard | None
) -> dict[str, Any]:
    """What is drawn of the board."""
    every = [each for each in pieces(it) if each.item.kind != NEWS]
    shown = [each for each in every if narrowed.fits(each)]
    units = {each.unit: it.state.units[each.unit] for each in shown if each.unit}
    # What the narrowing would hide is still offered, and so is what was chosen before and is not there now.
    fronts = {area for each in every for area in each.areas if area.partition("/")[0] in LEVELS} | {narrowed.front}
    nations = {each.nation for each in every} | {narrowed.nation}
    found, most = fitted(in_order(tasks(it.state, shown, words_of(it))))
    rows = Rows(it, narrowed, units, ticked, lambda piece: plan.mark(piece.unit, piece.order) if plan else "")
    return {
        "tasks": found,
        "kinds": KINDS,
        "most": most,
        "drawn_of": len(shown) if whole else MOST_DRAWN,
        "tick_of": rows.tick,
        "row": rows.row,
        "sheet": sheet(each.spec for each in units.values()),
        "at_once": at_once,
        "affordable": affordable,
        "page_names": PAGE_NAMES,
        "hidden": len(every) - len(shown),
        "narrowed": narrowed,
        "fronts": [(each, pool_in_words(each)) for each in sorted(filter(None, fronts), key=pool_order)],
        "nations": sorted(filter(None, nations)),
    }


def _drawn_on(piece: Piece) -> str:
    """What tells the purchases of one line from others: their clause and whose pool pays."""
    return f"{piece.item.clause} {piece.payer} {piece.nation}"


def _opened(it: Here, request: Request) -> str:
    """The line of which one asks who else could pay; only for that one it is worked out."""
    asked = request.query_params.get("payers", "")
    return asked if asked and asked in map(_drawn_on, pieces(it)) else ""


def _paying(it: Here, opened: str) -> dict[str, Any]:
    """Who else could pay for the purchases of the opened line."""

    def payers(alike: Iterable[Piece]) -> list[Payer]:
        found = other_payers(it.world, it.state, alike, lambda order: its_own(it, order))
        return [each for each in found if all(_sees(it, each.pool, each.pieces[0].nation, kind) for kind in each.holds)]

    def asks(alike: list[Piece]) -> bool:
        return may_choose(it.world, it.state, alike[0])

    return {"drawn_on": _drawn_on, "opened": opened, "asks_who_pays": asks, "payers": payers}


def in_order(found: Iterable[Task]) -> list[Task]:
    """The tasks as they stand on the board: kind by kind, those of one piece side by side before the others."""
    kinds = [kind for kind, _ in KINDS]
    return sorted(found, key=lambda task: (kinds.index(task.kind), task.harms, task.count > 1))


def _beside(it: Here, narrowed: Narrowing) -> dict[str, Any]:
    """The pools that purchases compete for, and the news."""
    shown = [each for each in pieces(it) if narrowed.fits(each)]
    news = [group for group in checklist(it) if group.kind == NEWS]
    return {
        "purses": purses_of(it, shown),
        "news": news,
        "news_count": sum(len(group.lines) for group in news),
        "tick_of": tick_of,
    }


def news_of(it: Here) -> set[str]:
    """The news on the seat's list, by the names its lines have on the page."""
    found: set[str] = it.kept(
        "names of news",
        lambda: {tick_of(each) for group in checklist(it) if group.kind == NEWS for each in group.lines},
    )
    return found


# ----------------------------------------------------------------------------------------------- the checklist


def checklist(it: Here) -> tuple[AgendaGroup, ...]:
    """The seat's checklist, worked out once."""
    found: tuple[AgendaGroup, ...] = it.kept("agenda", lambda: grouped(_lines(it), it.world.game.tasks))
    return found


def _lines(it: Here) -> list[AgendaLine]:
    return [agenda_line(item) for item in items(it)]


def items(it: Here) -> list[Item]:
    """What is on the seat's list, in sentences it may read, worked out once."""
    return items_for(it.table, it.seat)


# --------------------------------------------------------------------------------- all that is due at once


async def do_all(request: Request) -> Response:
    """Do every line under a clause that is due and has a ready order, one after another, and undo them as one."""
    it, form = here(request), await read_form(request)
    done: list[Done] = []
    failed: dict[str, Outcome] = {}
    while len(done) < MOST_AT_ONCE and (order := _next_due(it, form["clause"], failed)):
        # What is ready may change with each order: a full hex takes no more, so the checklist is asked again.
        outcome = act(it.table, it.seat, order, seen=it.table.seq if done else seen_on(form))
        if isinstance(outcome, Done):
            done.append(outcome)
        else:
            failed[order_text(order)] = outcome
    none = "nothing under this clause is due any more"
    return told_as_one(it, form, done, list(failed.values()), none=none)


async def several(request: Request) -> Response:
    """Do the first few of alike pieces, such as purchases from one pool, in the order they stand on the board.

    Where the form names a pool, that one pays instead.
    """
    it, form = here(request), await read_form(request)
    count = form["count"].strip()
    if not (count.isascii() and count.isdecimal()):
        return told(it, form, outcome_of(it, Wrong("say how many of them, in figures")))
    ready = {tick_of(agenda_line(each.item)): each for each in pieces(it)}
    # The first of those that were shown: sent twice, it buys no others.
    first = form["items"].split()[: min(int(count[:4]), MOST_AT_ONCE)]
    orders = [order for name in first if name in ready for order in _harmless(ready[name], form["payer"])]
    done, failed = give_all(it, form, orders)
    return told_as_one(it, form, done, failed, why_not=_first_reason(it, failed), none="none of them is open any more")


def _harmless(piece: Piece, payer: str) -> list[Command]:
    order = paid_from(piece.order, payer)
    return [] if order is None or piece.harms else [order]


def _first_reason(it: Here, failed: list[Outcome]) -> str:
    """Why the first that was refused was, in the words of the rule."""
    for each in failed:
        if isinstance(each, Refusal) and each.reasons:
            return f": {sentence_said(it.sight.reason(reason(each.reasons[0]), each.command).sentence)}"
    return ""


def _next_due(it: Here, clause: str, failed: Container[str]) -> Command | None:
    """The first order that is ready for what is still due under a clause, and has not failed."""
    fresh = Here(it.request, it.table, it.seat, it.invitation)
    for group in checklist(fresh):
        if (group.kind, group.clause) == (DUE, clause):
            for line in group.lines:
                if line.order is not None and order_text(line.order) not in failed:
                    return line.order
    return None


PAGE = Page("turn", "Turn", "", "t", [at("", turn), at("/due", do_all, "POST"), at("/several", several, "POST")])
