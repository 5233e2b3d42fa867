"""Finding: units, pools, rules, commands and entries by a few words; a name that says it all goes straight there."""

import re
from collections.abc import Iterator
from fractions import Fraction
from urllib.parse import quote, urlencode

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from forcepool.engine.acts import act_in_words
from forcepool.engine.journal import Entry
from forcepool.engine.ledger import is_pool
from forcepool.engine.points import show_amounts
from forcepool.engine.sentence import plain
from forcepool.engine.state import Unit
from forcepool.rulebook.book import load
from forcepool.views.fields import catalogue
from forcepool.views.forcepool import asked_for_first, named
from forcepool.views.journal import moment
from forcepool.views.names import pool_in_words, pool_order
from forcepool.views.said import act_said, title_of
from forcepool.web.chair import SEES_ALL
from forcepool.web.counters import drawn, sheet
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.render import page

MOST_HITS = 30
"""So many are shown of each sort; where there are more, the sort's own page finds them all."""
ENTRIES_READ = 400
"""So many of the last entries are read through; the journal's own page reads all."""


class Hit(Struct, frozen=True):
    """Something found, and where it is."""

    name: str
    says: str
    href: str
    unit: Unit | None = None
    """The unit, which is drawn."""


class Found(Struct, frozen=True):
    """What was found of one sort."""

    title: str
    hits: tuple[Hit, ...]
    more: str = ""
    """Where the rest of them is."""


async def find(request: Request) -> Response:
    it = here(request)
    words = " ".join(request.query_params.get("q", "").split())[:80]
    straight = exactly(it, words)
    found = search(it, words) if words and not straight else []
    hits = [hit for each in found for hit in each.hits]
    if straight or len(hits) == 1:
        return RedirectResponse(straight or hits[0].href, 303)
    glyphs = sheet(hit.unit.spec for each in found for hit in each.hits[:MOST_HITS] if hit.unit)
    return page(it, "find.html", title="Find", find=words, found=found, most=MOST_HITS, drawn=drawn, sheet=glyphs)


def exactly(it: Here, words: str) -> str:
    """Where a name that needs no search leads: a unit's, a clause's, a command's, 'entry 12'."""
    if unit := _unit_called(it, words.casefold()):
        return f"{it.path}/unit/{quote(unit.id, safe='/')}"
    if words and words in load():
        return f"{it.path}/rules/{quote(words, safe='/')}"
    if any(each.name == words for each in catalogue(it.world.game, words)):
        return f"{it.path}/order/{quote(words, safe='')}"
    number = words.casefold().removeprefix("entry ")
    return f"{it.path}/journal/{int(number)}" if number != words.casefold() and _is_entry(it, number) else ""


def _unit_called(it: Here, words: str) -> Unit | None:
    """The unit of that name; also without its size, where only one is called so: '7 Pz' for the 7 Pz XX."""
    seen = [each for each in it.state.units.values() if each.id.casefold().startswith(words) and it.sight.unit(each)]
    short = [each for each in seen if each.id.casefold() == f"{words} {each.spec.size}".casefold()]
    whole = [each for each in seen if each.id.casefold() == words]
    return whole[0] if whole else short[0] if len(short) == 1 else None


def _is_entry(it: Here, number: str) -> bool:
    return number.isascii() and number.isdecimal() and len(number) < 10 and 1 < int(number) <= it.table.seq


def search(it: Here, words: str) -> list[Found]:
    """Everything the words fit, as far as the seat sees it."""
    query = urlencode({"q": words})
    sorts = [
        Found("Units", tuple(_units(it, words)), f"{it.path}/pool?{query}&map=yes&out=yes"),
        Found("Pools", tuple(_pools(it, words))),
        Found("Rules", tuple(_clauses(it, words)), f"{it.path}/rules?{query}"),
        Found("Commands", tuple(_commands(it, words)), f"{it.path}/order?{query}"),
        Found("Entries", tuple(_entries(it, words)), f"{it.path}/journal?{urlencode({'words': words})}"),
    ]
    return [each for each in sorts if each.hits]


def _units(it: Here, words: str) -> Iterator[Hit]:
    wanted = words.casefold().split()
    found = [each for each in it.state.units.values() if named(each, wanted) and it.sight.unit(each)]
    for unit in sorted(found, key=asked_for_first(wanted)):
        step = "" if unit.step == "full" else f"{unit.step} "
        href = f"{it.path}/unit/{quote(unit.id, safe='/')}"
        yield Hit(unit.id, f"{step}{plain(it.world.where(unit.place))}", href, unit)


def _pools(it: Here, words: str) -> Iterator[Hit]:
    wanted = words.casefold().split()
    held: dict[tuple[str, str], dict[str, Fraction]] = {}
    for account, balance in sorted(it.state.balances.items()):
        if is_pool(account.pool) and it.sight.account(account):
            held.setdefault((account.pool, account.nation), {})[account.kind] = balance
    for (pool, nation), kinds in sorted(held.items(), key=lambda each: (pool_order(each[0][0]), each[0][1])):
        text = f"{pool} {pool_in_words(pool)} {nation}".casefold()
        if all(word in text for word in wanted):
            filled = {kind: balance for kind, balance in kinds.items() if balance}
            statement = urlencode({"pool": pool, "of": nation, "kind": next(iter(filled or kinds))})
            says = f"{show_amounts(filled) if filled else 'empty'}, {nation}"
            yield Hit(pool_in_words(pool), says, f"{it.path}/pools?{statement}")


def _clauses(it: Here, words: str) -> Iterator[Hit]:
    for clause in load().find(words):
        yield Hit(clause.id, clause.title, f"{it.path}/rules/{quote(clause.id, safe='/')}")


def _commands(it: Here, words: str) -> Iterator[Hit]:
    for each in catalogue(it.world.game, words, it.world.unplayed):
        if it.seat.role in SEES_ALL or not each.referee:
            yield Hit(title_of(each.name), each.about, f"{it.path}/order/{quote(each.name, safe='')}")


def _begun_by(word: str) -> re.Pattern[str]:
    """A word that begins so; a number is meant whole: '7 pz' finds no 197th, and 'panz' the panzers."""
    ends = r"(?!\w)" if word.isdecimal() else ""
    return re.compile(rf"(?<!\w){re.escape(word)}{ends}")


def _entries(it: Here, words: str) -> Iterator[Hit]:
    """The last entries that the words fit, newest first."""
    if _is_entry(it, words):
        yield Hit(f"Entry {words}", "by its number", f"{it.path}/journal/{int(words)}")
    wanted = [_begun_by(word) for word in words.casefold().split()]
    last: list[Entry] = it.kept("last entries", lambda: list(it.campaign.entries(it.table.seq - ENTRIES_READ)))
    for entry in reversed(last):
        said = act_said(entry)
        text = f"{act_in_words(entry)} {said}".casefold()
        if all(word.search(text) for word in wanted) and it.sight.entry(entry):
            yield Hit(f"Entry {entry.n}", f"{said} · {moment(it.campaign, entry.at)}", f"{it.path}/journal/{entry.n}")


PAGE = Page("find", "Find", "/find", "", [at("/find", find)])
