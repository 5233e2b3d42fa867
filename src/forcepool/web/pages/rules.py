"""The rulebook: search, a clause with its rulings and this campaign's switch, and the decisions that cited it."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.desk import HouseRule
from forcepool.engine.journal import read_entry
from forcepool.engine.switches import Switch
from forcepool.rulebook.book import load
from forcepool.rulebook.clause import Clause
from forcepool.views.journal import EntryLine, clauses_of, entry_line
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.render import page
from forcepool.web.seats import SEES_ALL

MOST_FOUND = 60
MOST_CITED = 50


async def search(request: Request) -> Response:
    """The headings of the rules, or the clauses that speak of some words."""
    it, book = here(request), load()
    words = request.query_params.get("q", "").strip()
    found = book.find(words) if words else ()
    tops = [heading for heading in book.headings() if "." not in heading]
    return page(
        it,
        "rules.html",
        title="Rulebook",
        key="rules",
        words=words,
        found=found[:MOST_FOUND],
        more=max(0, len(found) - MOST_FOUND),
        headings=[(top, _below(top), len(book.heading(top))) for top in tops],
        switches=_switches(it) if not words else (),
    )


def _below(top: str) -> list[str]:
    return [heading for heading in load().headings() if heading.rpartition(".")[0] == top]


def _switches(it: Here) -> list[tuple[Switch, str]]:
    """The rulings this campaign plays another way than usual."""
    chosen = it.state.switches
    return [
        (each, chosen[each.key])
        for each in it.world.game.house_rules
        if chosen.get(each.key, "") not in ("", each.default)
    ]


async def clause(request: Request) -> Response:
    """A clause in full, or all clauses under a heading."""
    it, book = here(request), load()
    name = request.path_params["id"]
    if name not in book:
        under = book.heading(name)
        if not under:
            raise HTTPException(404, f"The rulebook has no clause or heading {name[:40]}.")
        return page(
            it, "heading.html", title=f"Rule {name}", key="rules", heading=name, clauses=under, below=_below(name)
        )
    found = book[name]
    return page(
        it,
        "clause.html",
        title=f"{name} {found.title}",
        key="rules",
        clause=found,
        around=_around(found),
        switches=[
            (each, it.world.ruling(it.state, each.key)) for each in it.world.game.house_rules if each.clause == name
        ],
        order=HouseRule,
        may_change=it.seat.role in SEES_ALL,
        cited=it.kept(("cited", name), lambda: cited_in(it, name)),
    )


def _around(found: Clause) -> tuple[str, str]:
    """The clauses before and after."""
    ids = load().ids
    if found.id not in ids:
        return "", ""
    index = ids.index(found.id)
    return ids[index - 1] if index else "", ids[index + 1] if index + 1 < len(ids) else ""


def cited_in(it: Here, name: str) -> list[EntryLine]:
    """The decisions of this campaign that cited a clause, the newest first, as far as the seat sees them."""
    found: list[EntryLine] = []
    sought = name.encode()
    for sealed in reversed(list(it.campaign.journal.read(2))):
        # Looking for the letters spares decoding the rest.
        if sought in sealed.body:
            entry = it.sight.shown(read_entry(sealed))
            if entry is not None and name in clauses_of(entry):
                found.append(entry_line(it.campaign, entry))
                if len(found) == MOST_CITED:
                    break
    return found


PAGE = Page("rules", "Rulebook", "/rules", "b", [at("/rules", search), at("/rules/{id:path}", clause)])
