"""The rulebook: contents, search, a clause with its rulings and this campaign's switch, the decisions that cited it."""

from functools import cache

from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.desk import HouseRule
from forcepool.engine.journal import read_entry
from forcepool.rulebook.book import load
from forcepool.rulebook.clause import Clause
from forcepool.rulebook.headings import above, below, title_of
from forcepool.views.journal import EntryLine, clauses_of, entry_line
from forcepool.web.chair import SEES_ALL
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.pages.house import house_lines
from forcepool.web.render import page

MOST_FOUND = 60
MOST_CITED = 50
MOST_WHOLE = 40
"""A heading of more clauses shows its own, and those below it as a table of contents."""


async def search(request: Request) -> Response:
    """The headings of the rules, or the clauses that speak of some words."""
    it, book = here(request), load()
    words = request.query_params.get("q", "").strip()
    found = book.find(words) if words else ()
    return page(
        it,
        "rules.html",
        title="Rulebook",
        key="rules",
        words=words,
        found=found[:MOST_FOUND],
        more=max(0, len(found) - MOST_FOUND),
        contents=contents(),
        title_of=title_of,
        switches=[line for line in house_lines(it) if line.differs] if not words else (),
        house_rules=len(it.world.game.house_rules),
    )


class Part(Struct, frozen=True):
    """A heading in the table of contents."""

    heading: str
    title: str
    count: int
    """How many clauses lie at it and below."""
    below: tuple["Part", ...]


@cache
def contents(under: str = "", depth: int = 3) -> tuple[Part, ...]:
    """The table of contents, so many levels deep."""
    return tuple(
        Part(each, title_of(each), len(load().heading(each)), contents(each, depth - 1) if depth > 1 else ())
        for each in below(under)
    )


async def clause(request: Request) -> Response:
    """A clause in full, or all clauses under a heading."""
    it, book = here(request), load()
    name = request.path_params["id"]
    if name not in book:
        under = book.heading(name)
        if not under:
            raise HTTPException(404, f"The rulebook has no clause or heading {name[:40]}.")
        whole = len(under) <= MOST_WHOLE
        return page(
            it,
            "heading.html",
            title=f"{name} {title_of(name)}",
            key="rules",
            heading=name,
            count=len(under),
            clauses=under if whole else [each for each in under if each.heading == name],
            contents=contents(name, 2),
            above=above(name),
            title_of=title_of,
        )
    found = book[name]
    return page(
        it,
        "clause.html",
        title=f"{name} {found.title}",
        key="rules",
        clause=found,
        around=_around(found),
        above=(*above(found.heading), found.heading),
        title_of=title_of,
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
