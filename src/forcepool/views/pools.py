"""The pools: what each holds, what is on its way, the month's allowances, and what is behind every number."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.acts import act_in_words
from forcepool.engine.campaign import Campaign
from forcepool.engine.events import PhaseBegan, Transferred
from forcepool.engine.ledger import Account, is_pool
from forcepool.engine.points import show_points
from forcepool.engine.standing import ALLOWANCE, CLAIM, COMING, COUNT, POOL, Standing
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.views.journal import counting_entries_about, dated, moment, titles_of
from forcepool.views.names import pool_in_words, pool_order
from forcepool.views.said import act_said

NOTHING = Fraction(0)


class Amount(Struct, frozen=True):
    """So many points of a kind, exact and as shown."""

    kind: str
    points: Fraction
    shown: str


class PoolLine(Struct, frozen=True):
    """What one pool holds for one nation."""

    pool: str
    """Its name as typed: front/centre."""
    title: str
    """Its name as read: front Centre."""
    level: str
    """National, theatre, front, MD and so on: the first word of its name."""
    depth: int
    """How many listed pools it lies within."""
    nation: str
    side: str
    amounts: tuple[Amount, ...]
    usable: str = "now"
    """'now', or the turn from which these points may be spent."""
    turn: int = 0
    """That turn; 0 for now."""
    account: str = ""
    """The account that holds them, where it is not the pool itself."""

    def of(self, kind: str) -> str:
        """How much of a kind, as shown; nothing where the pool has never held any."""
        return next((each.shown for each in self.amounts if each.kind == kind), "")


class Pools(Struct, frozen=True):
    """Every balance of the sides asked for."""

    kinds: tuple[str, ...]
    """The kinds of replacement point, in the order of the columns."""
    pools: tuple[PoolLine, ...]
    coming: tuple[PoolLine, ...]
    """Points not yet usable, soonest first."""
    allowances: tuple[PoolLine, ...]
    """What may still be used of limited types, reserve points, transport and the like."""
    counts: tuple[PoolLine, ...]
    """Books the rules keep: losses not yet counted, points received this phase."""


def pools(
    campaign: Campaign,
    *,
    side: str = "",
    nation: str = "",
    pool: str = "",
    empty: bool = False,
    sees: Callable[[Account], bool] = lambda account: True,
) -> Pools:
    """The balances of all pools, or of one side, nation or pool; `empty` lists pools that hold nothing as well."""
    world, state = campaign.world, campaign.state
    found: dict[str, dict[tuple[str, str], list[Amount]]] = {POOL: {}, COMING: {}, ALLOWANCE: {}, COUNT: {}}
    standings: dict[str, Standing] = {}
    for account, balance in sorted(state.balances.items()):
        if not is_pool(account.pool) or nation not in ("", account.nation) or not sees(account):
            continue
        standing = standings[account.pool] = world.standing(account.pool)
        if pool not in ("", account.pool, standing.pool) or side not in ("", world.side_now(state, account.nation)):
            continue
        what = POOL if standing.what == CLAIM else standing.what
        # A receipt that has been allotted is no pool that is empty.
        if balance or (empty and standing in (Standing(account.pool), Standing(account.pool, CLAIM))):
            line = found[what].setdefault((account.pool, account.nation), [])
            line.append(Amount(account.kind, balance, show_points(balance)))
    lines = {
        what: tuple(_line(world, state, standings, *key, amounts) for key, amounts in group.items())
        for what, group in found.items()
    }
    kinds = dict.fromkeys(each.kind for line in lines[POOL] + lines[COMING] for each in line.amounts)
    return Pools(
        kinds=tuple(sorted(kinds, key=kind_order)),
        pools=_in_order(world, lines[POOL]),
        coming=tuple(sorted(lines[COMING], key=lambda line: (line.turn, line.side, line.pool, line.nation))),
        allowances=_in_order(world, lines[ALLOWANCE]),
        counts=_in_order(world, lines[COUNT]),
    )


def kind_order(kind: str) -> tuple[int, str]:
    """Infantry, then armour, then artillery, as every chart has them."""
    usual = ("inf", "arm", "art")
    return (usual.index(kind) if kind in usual else len(usual), kind)


def _line(
    world: World, state: State, standings: Mapping[str, Standing], account: str, nation: str, amounts: list[Amount]
) -> PoolLine:
    standing = standings[account]
    return PoolLine(
        pool=standing.pool,
        title=pool_in_words(standing.pool),
        level=standing.pool.partition("/")[0],
        depth=0,
        nation=nation,
        side=world.side_now(state, nation),
        amounts=tuple(sorted(amounts, key=lambda each: kind_order(each.kind))),
        usable=world.turn_name(standing.usable) if standing.usable else "now",
        turn=standing.usable,
        account=account,
    )


def _in_order(world: World, lines: tuple[PoolLine, ...]) -> tuple[PoolLine, ...]:
    """Side by side, nation by nation, each pool behind the one it lies within."""
    listed = {(line.nation, line.pool) for line in lines}
    keyed = []
    for line in lines:
        areas = tuple(world.areas_of_pool(line.pool) or ())
        around = [each for each in areas if each != line.pool and (line.nation, each) in listed]
        key = tuple(pool_order(each) for each in (*reversed(around), line.pool))
        keyed.append(((line.side, line.nation, key), replace(line, depth=len(around))))
    return tuple(line for _, line in sorted(keyed, key=lambda each: each[0]))


# ----------------------------------------------------------------------------------- what is behind a number


class StatementLine(Struct, frozen=True):
    """One sum that went into an account or out of it."""

    entry: int
    when: str
    amount: Fraction
    balance: Fraction
    other: str
    """Where it came from or went to."""
    says: str
    command: str
    clauses: Mapping[str, str]
    """The clauses behind it, with their titles."""
    said: str = ""
    """The command as one says it across the table."""


class Statement(Struct, frozen=True):
    """What an account held at the start, each sum that went in or out, and what it holds now."""

    account: Account
    opening: Fraction
    lines: tuple[StatementLine, ...]
    balance: Fraction


def statement(campaign: Campaign, account: Account) -> Statement:
    """The statement behind a balance."""
    balance = opening = _opening(campaign).get(account, NOTHING)
    lines = []
    for entry in counting_entries_about(campaign, f"pool/{account.pool}"):
        for at, event in dated(entry):
            amount = _into(account, event) if isinstance(event, Transferred) else NOTHING
            if not isinstance(event, Transferred) or not amount:
                continue
            balance += amount
            lines.append(
                StatementLine(
                    entry=entry.n,
                    when=moment(campaign, at),
                    amount=amount,
                    balance=balance,
                    other=_other(campaign.world, event.frm if event.to == account.pool else event.to),
                    says=event.says,
                    command=act_in_words(entry),
                    clauses=titles_of(event.because),
                    said=act_said(entry),
                )
            )
    return Statement(account, opening, tuple(lines), campaign.state.balances.get(account, NOTHING))


def _other(world: World, name: str) -> str:
    """The other end of a transfer in words: 'special replacements' for what comes from nowhere else."""
    shown = world.show_account(name)
    return shown if is_pool(name) else shown.replace("-", " ")


def _opening(campaign: Campaign) -> dict[Account, Fraction]:
    return dict(campaign.beginning.state.balances)


def _into(account: Account, event: Transferred) -> Fraction:
    """What an event puts into an account; less than nothing where it takes out."""
    if (event.nation, event.kind) != (account.nation, account.kind):
        return NOTHING
    return event.amount * ((event.to == account.pool) - (event.frm == account.pool))


# ------------------------------------------------------------------------------------------- over the turns


class Reading(Struct, frozen=True):
    """What an account held as a turn ended."""

    turn: int
    name: str
    balance: Fraction


class Series(Struct, frozen=True):
    """An account over the turns."""

    account: Account
    readings: tuple[Reading, ...]


def series(campaign: Campaign, accounts: Iterable[Account] = ()) -> tuple[Series, ...]:
    """What accounts, or all pools, held as each turn so far ended; the present one as it stands."""
    wanted = sorted(set(accounts)) or [each for each in sorted(campaign.state.balances) if is_pool(each.pool)]
    held = {each: _opening(campaign).get(each, NOTHING) for each in wanted}
    first = turn = campaign.beginning.state.clock.turn
    ends: dict[int, dict[Account, Fraction]] = {}
    for event in _events(campaign):
        if isinstance(event, PhaseBegan):
            for passed in range(turn, event.clock.turn):
                ends[passed] = held.copy()
            turn = event.clock.turn
            continue
        for pool, sign in ((event.frm, -1), (event.to, 1)):
            account = Account(pool, event.nation, event.kind)
            if account in held:
                held[account] += sign * event.amount
    ends[turn] = held
    name = campaign.world.turn_name
    return tuple(
        Series(account, tuple(Reading(each, name(each), ends[each][account]) for each in range(first, turn + 1)))
        for account in wanted
    )


def _events(campaign: Campaign) -> Iterator[PhaseBegan | Transferred]:
    for entry in campaign.entries():
        if campaign.history.counts(entry):
            for event in entry.events:
                if isinstance(event, PhaseBegan | Transferred):
                    yield event
