"""Pools: every balance by level and kind, when it may be spent, what is behind it, and how it went over the turns."""

from itertools import groupby

from markupsafe import Markup
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from forcepool.drawing.plots import Line, plot
from forcepool.engine.command import command_name
from forcepool.engine.ledger import Account
from forcepool.engine.points import show_points, store_points
from forcepool.views.names import kind_in_words, pool_in_words
from forcepool.views.pools import PoolLine, Pools, Statement, kind_order, pools, series, statement
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.pages.could import has_such
from forcepool.web.render import page

MOST_LINES = 60
"""Lines of a statement that are shown at once, the newest last."""
MOST_TURNS = 26
MOVERS = ("receive-points", "transfer-points", "allot", "place-points", "use-points")
"""Orders that move points about, where the game has them."""


async def pools_page(request: Request) -> Response:
    it = here(request)
    nation = request.query_params.get("nation", "")
    found: Pools = it.kept(
        ("pools", nation), lambda: pools(it.campaign, side=it.seat.side, nation=nation, sees=it.sight.account)
    )
    account, asked = _account(it, request), request.query_params.get("pool", "")[:80]
    return page(
        it,
        "pools.html",
        title="Pools",
        key="pools",
        found=found,
        sides=it.kept(("pools by side", nation), lambda: by_side(found)),
        allowed=it.kept(("allowances", nation), lambda: [_plainly(line) for line in found.allowances]),
        asked_pool=asked,
        nations=it.kept("nations of pools", lambda: nations_of(it)),
        nation=nation,
        has_such=has_such(it),
        filled=_filled(it, account),
        movers=[name for name in map(command_name, it.world.game.commands) if name in MOVERS],
        account=account,
        told=it.kept(("statement", account), lambda: statement(it.campaign, account)) if account else None,
        most=MOST_LINES,
        account_title=_title(account) if account else "",
        picture=it.kept(("plot", account), lambda: picture(it, account)) if account else "",
        signed=signed,
        account_of=account_of,
    )


class Nation(Struct, frozen=True):
    """The lines of one nation: its pools, and what is on the way to them."""

    name: str
    lines: list[PoolLine]


def by_side(found: Pools) -> list[tuple[str, list[Nation]]]:
    """Every line of the one table: side by side, nation by nation, what is coming behind what is there."""
    order = {key: at for at, key in enumerate(dict.fromkeys((line.side, line.nation) for line in found.pools))}
    lines = sorted(
        (*found.pools, *found.coming), key=lambda line: order.setdefault((line.side, line.nation), len(order))
    )
    return [
        (side, [Nation(name, list(theirs)) for name, theirs in groupby(group, key=lambda line: line.nation)])
        for side, group in groupby(lines, key=lambda line: line.side)
    ]


def _plainly(line: PoolLine) -> tuple[PoolLine, str, list[tuple[str, str]]]:
    """An allowance with its title and its kinds as one says them: 'divisional HQ' for divisional-hq."""
    title = "transport" if line.level == "capacity" else line.title
    return line, title, [(each.kind, kind_in_words(each.kind)) for each in line.amounts]


def _account(it: Here, request: Request) -> Account | None:
    """The account whose statement is asked for; one the seat does not see is not there.

    A pool named without more, as in a sentence, opens with what it has most to tell of: its first kind.
    """
    asked = [request.query_params.get(name, "") for name in ("pool", "of", "kind")]
    if asked[0] and not all(asked):
        return _first_of(it, asked[0], asked[1])
    if not all(asked):
        return None
    account = Account(*asked)
    if account not in it.state.balances or not it.sight.account(account):
        raise HTTPException(404, f"There is no account {str(account)[:80]}.")
    return account


def _first_of(it: Here, pool: str, nation: str) -> Account | None:
    """The account of a pool with which its page opens: one that holds something, infantry first."""
    held = [
        each
        for each in it.state.balances
        if each.pool == pool and nation in ("", each.nation) and it.sight.account(each)
    ]
    return min(held, key=lambda each: (not it.state.balances[each], *kind_order(each.kind), each.nation), default=None)


def nations_of(it: Here) -> list[str]:
    """The nations with something in a pool the seat sees."""
    return sorted(
        {account.nation for account, balance in it.state.balances.items() if balance and it.sight.account(account)}
    )


def account_of(line: PoolLine) -> str:
    """The account that holds what a line shows."""
    return line.account or line.pool


def _filled(it: Here, account: Account | None) -> dict[str, str]:
    """What an order about the account that is looked at begins with: its pool, nation and all that lies there."""
    held = it.state.balances.get(account) if account else None
    if account is None or not held or held < 0:
        return {}
    return {"pool": account.pool, "nation": account.nation, "points": f"{store_points(held)} {account.kind}"}


def _title(account: Account) -> str:
    return f"{pool_in_words(account.pool)}, {account.kind} of {account.nation}"


def signed(told: Statement, index: int) -> str:
    """What a line of the statement put in or took out: '+4', '−1½'."""
    amount = told.lines[index].amount
    return f"{'+' if amount > 0 else '−'}{show_points(abs(amount))}"


def picture(it: Here, account: Account) -> Markup:
    """The account and its pool's other kinds over the turns."""
    kinds = sorted(
        each
        for each in it.state.balances
        if (each.pool, each.nation) == (account.pool, account.nation) and it.sight.account(each)
    )
    found = series(it.campaign, kinds)
    turns = [reading.name for reading in found[0].readings][-MOST_TURNS:] if found else []
    lines = [
        Line(each.account.kind, tuple(reading.balance for reading in each.readings[-MOST_TURNS:])) for each in found
    ]
    return Markup(plot(_title(account), turns, lines, asked=account.kind))


PAGE = Page("pools", "Pools", "/pools", "p", [at("/pools", pools_page)])
