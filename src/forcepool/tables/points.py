"""Points as tables: what pools held, and every sum that went in or out."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from forcepool.engine.events import PhaseBegan, Transferred
from forcepool.engine.ledger import NOTHING, SINK, SOURCE, Account, is_pool
from forcepool.engine.sentence import plain
from forcepool.engine.standing import COMING, POOL
from forcepool.tables.chronicle import Moment, happened
from forcepool.tables.reader import CLAUSES, ENTRY, WHEN, Reader, Row, Source
from forcepool.tables.table import AMOUNT, Column


def _balances(reader: Reader) -> Iterator[Row]:
    held = {each: amount for each, amount in reader.campaign.beginning.state.balances if is_pool(each.pool)}
    turn = reader.campaign.beginning.state.clock
    # Whole numbers by denominator: in a long journal most of the time would go into fractions of fractions.
    sums: defaultdict[tuple[str, str, str, int], int] = defaultdict(int)
    for each in happened(reader.campaign, Transferred, PhaseBegan):
        event = each.event
        if isinstance(event, Transferred):
            number, parts = event.amount.numerator, event.amount.denominator
            sums[event.frm, event.nation, event.kind, parts] -= number
            sums[event.to, event.nation, event.kind, parts] += number
        elif isinstance(event, PhaseBegan):
            if event.clock.turn > turn.turn:
                _settle(held, sums)
                yield from _as_held(reader, reader.moments[turn], held)
            turn = event.clock
    _settle(held, sums)
    yield from _as_held(reader, reader.moments[turn], held)


def _settle(held: dict[Account, Fraction], sums: dict[tuple[str, str, str, int], int]) -> None:
    """Add up what came and went since the turn before."""
    for (pool, nation, kind, parts), number in sums.items():
        if is_pool(pool):
            account = Account(pool, nation, kind)
            held[account] = held.get(account, NOTHING) + Fraction(number, parts)
    sums.clear()


PLAYERS = (POOL, COMING)
"""What players spend from; besides there are allowances, and books that the rules keep."""


def _as_held(reader: Reader, moment: Moment, held: Mapping[Account, Fraction]) -> Iterator[Row]:
    for account, amount in sorted(held.items()):
        side = reader.side(account.nation)
        what = reader.world.standing(account.pool).what
        yield moment.turn, moment.number, moment.month, what, account.pool, account.nation, side, account.kind, amount


def _points(reader: Reader) -> Iterator[Row]:
    for each, at in reader.events(Transferred):
        event = each.event
        assert isinstance(event, Transferred)
        yield (
            each.act.n,
            *at,
            each.act.order,
            event.frm,
            event.to,
            event.nation,
            reader.side(event.nation),
            event.kind,
            event.amount,
            event.because,
            plain(event.says),
        )


def _only(start: str, *, out: bool) -> Callable[[Reader], Iterator[Row]]:
    """The rows of points that come from a source, or go to a sink."""
    frm = [each.name for each in _POINTS].index("from_pool")

    def rows(reader: Reader) -> Iterator[Row]:
        for row in _points(reader):
            pool, other = (str(row[frm]), str(row[frm + 1])) if out else (str(row[frm + 1]), str(row[frm]))
            if is_pool(pool) and other.startswith(start) and reader.world.standing(pool).what in PLAYERS:
                yield (*row[:frm], pool, other.removeprefix(start), *row[frm + 2 :])

    return rows


_POINTS = (
    ENTRY,
    *WHEN,
    Column("order", about="the order that moved them; advance for what comes by itself"),
    Column("from_pool"),
    Column("to_pool"),
    Column("nation"),
    Column("side"),
    Column("kind", about="the kind of point: inf, arm, art"),
    Column("amount", AMOUNT, "how many points"),
    *CLAUSES,
)


def _with_ends(pool: str, other: str, about: str) -> tuple[Column, ...]:
    return tuple(
        {"from_pool": Column(pool), "to_pool": Column(other, about=about)}.get(each.name, each) for each in _POINTS
    )


POINTS: dict[str, Source] = {
    "balances": Source(
        "what each pool held as each turn ended, the present one as it stands",
        (
            *WHEN[:3],
            Column("what", about="pool, coming, allowance or count"),
            Column("pool"),
            Column("nation"),
            Column("side"),
            Column("kind"),
            Column("amount", AMOUNT, "held"),
        ),
        _balances,
    ),
    "points": Source("every sum that went from one account to another", _POINTS, _points),
    "receipts": Source(
        "what came into pools from outside: receipts, recoveries, what was called up",
        _with_ends("pool", "source", "where it came from"),
        _only(SOURCE, out=False),
    ),
    "spending": Source(
        "what left pools for good: spent, lapsed, lost, borrowed",
        _with_ends("pool", "went_to", "spent, lapsed, lost"),
        _only(SINK, out=True),
    ),
}
