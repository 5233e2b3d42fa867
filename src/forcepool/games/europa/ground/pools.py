"""52.F.4.a  Charts and pools: points received, points that are on their way, and what has been used up this month."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction

from msgspec.structs import replace

from forcepool.engine.agenda import NEWS, Item
from forcepool.engine.command import BadCommand, Command, Question
from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.facts import WORDS, Fact, kept, subject_key
from forcepool.engine.ledger import NOTHING
from forcepool.engine.options import judged
from forcepool.engine.points import show_amounts, show_points, store_points
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, Refusal, Remedy, Verdict, no, rule
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.point_words import amount_in, pieces_of
from forcepool.games.europa.question import EuropaQuestion, in_its_place
from forcepool.games.europa.world import DUE, MOVED, NATIONAL, RECEIVED, EuropaWorld
from forcepool.rulebook.citations import computed

DEFICIT = "deficit"
BROUGHT_BY = "brought_by"
REINFORCEMENT = "reinforcement"


def usable_from(turn: int, pool: str) -> str:
    """The account of points that will be in a pool, and usable, from a turn on: points on the track, as it were."""
    return f"{DUE}{turn}/{pool}"


def moved_to(turn: int, pool: str) -> str:
    """As `usable_from`, for points moved from another pool: these, unlike points not yet received, may move on."""
    return usable_from(turn, MOVED + pool)


def brought_by(state: State, nation: str, clause: str, *accounts: str) -> Event:
    """Keeps the clause by which points in these accounts are not usable yet: they came by no transfer."""
    lines = dict.fromkeys((*_lines(state, nation), *(f"{clause} {account}" for account in accounts)))
    return Marked(on=subject_key("nation", nation), mark=BROUGHT_BY, value=[*lines], because=clause)


def brought_by_each(state: State, clause: str, turn: int, came_to: Collection[tuple[str, str]]) -> Iterator[Event]:
    """The same for points that come to several pools, each with the nation whose they are there."""
    for nation in dict.fromkeys(whose for _, whose in came_to):
        yield brought_by(
            state, nation, clause, *(usable_from(turn, pool) for pool, whose in came_to if whose == nation)
        )


def wait_by(state: State, nation: str, account: str) -> tuple[str, ...]:
    """The clauses by which points of an account wait: of what brought them, and for points moved that of transfers."""
    lines = (line.partition(" ") for line in _lines(state, nation))
    return tuple(clause for clause, _, of in lines if of == account) or ("52.F.4.a/5",)


def _lines(state: State, nation: str) -> list[str]:
    mark = state.mark(subject_key("nation", nation), BROUGHT_BY)
    return mark.value if mark is not None and isinstance(mark.value, list) else []


def received(pool: str) -> str:
    """The account of charted points a pool receives this phase, which may still be allotted to any front."""
    return RECEIVED + pool


@computed("51.B.17/8", "51.B.19/6")
def free_to_spend(state: State, pool: str, nation: str, kind: str, fresh: Fraction = NOTHING) -> Fraction:
    """What a pool holds less what it owes: RPs that come in pay a deficit before any other use."""
    held = state.balance(pool, nation, kind) + fresh
    owed = min(NOTHING, state.balance(f"{DEFICIT}/{pool}", nation, kind))
    return min(held, max(NOTHING, held + owed))


@computed("52.F.4.a/1")
def charts(world: EuropaWorld) -> list[str]:
    """Every front, MD and theatre has a replacement chart, and so a pool, of its own."""
    return [area for area in world.pools if area.partition("/")[0] in homes.CHARTED]


def is_the_enemys(q: EuropaQuestion, area: str) -> bool:
    """Whether an area belongs to others: the enemy, or a neutral."""
    return not homes.is_open_to(q.world, q.facts, area, q.nation)


def is_not_yours(q: EuropaQuestion, area: str) -> str:
    """Whose an area is, as the beginning of a refusal."""
    if said := homes.controller(q.world, q.facts, area):
        return f"{the_pool(area)} is controlled by {said}"
    if homes.is_a_neutrals(q.world, q.facts, area, q.nation):
        return f"{the_pool(area)} is a neutral's"
    if homes.stays_out_of(q.world, q.facts, area, q.nation):
        return f"{the_pool(area)} is another country's, and {q.nation} is neutral"
    whose = homes.holders(q.world, q.facts, area)
    if any(set(whose) <= set(camp) for camp in q.world.chart("coalitions") if q.side in camp):
        return f"{the_pool(area)} is an ally's"
    enemy = any(side in q.world.sequence.players for side in whose)
    return f"{the_pool(area)} is the enemy's" if enemy else f"{the_pool(area)} is a neutral's"


@rule("52.F.4.a/1")
def front_is_its_own(q: Question) -> Verdict:
    """The front named for a loss is one of the unit's own side: each side keeps its own chart."""
    assert isinstance(q, EuropaQuestion)
    area = q.world.area_named(named) if (named := q.command.front) else ""
    if not area or not is_the_enemys(q, area):
        return YES
    return no(is_not_yours(q, area), remedy=f"name an area of your own with {the_field('front')}, or leave it out")


def nations_in_play(world: EuropaWorld, state: State, side: str = "") -> list[str]:
    """The nations, of one side or of all, that have units or points in the campaign."""
    return [each for each in _nations_in_play(world, world.facts(state)) if side in ("", world.side_now(state, each))]


@kept
def _nations_in_play(world: EuropaWorld, facts: EuropaFacts) -> tuple[str, ...]:
    units = {spec.nation for _, spec in facts.state.specs()}
    balances = facts.state.balances.items()
    return tuple(sorted(units.union(account.nation for account, held in balances if held.numerator > 0)))


def stocks(world: EuropaWorld, state: State, side: str) -> Iterator[tuple[str, str, dict[str, Fraction]]]:
    """What the nations of a side hold that could go elsewhere: pool, nation, and how much of each kind."""
    nations = nations_in_play(world, state, side)
    held: dict[tuple[str, str], dict[str, Fraction]] = {}
    for account, amount in sorted(state.balances.items()):
        pool = account.pool
        if pool.startswith(DUE):
            # Points that came this turn from another pool may go on from there.
            turn, _, pool = pool.removeprefix(DUE).partition(f"/{MOVED}")
            if not turn.isdigit() or int(turn) <= state.clock.turn:
                continue
        if amount > 0 and account.nation in nations and (pool in world.pools or pool.startswith(NATIONAL)):
            free = amount if pool != account.pool else free_to_spend(state, pool, account.nation, account.kind)
            mine = held.setdefault((pool, account.nation), {})
            mine[account.kind] = mine.get(account.kind, Fraction(0)) + free
    for (pool, nation), amounts in sorted(held.items()):
        if spendable := {kind: amount for kind, amount in amounts.items() if amount > 0}:
            yield pool, nation, spendable


def write_amounts(amounts: Mapping[str, Fraction]) -> str:
    """'4 inf, 1/2 arm', as a player writes it."""
    return ", ".join(f"{store_points(amount)} {kind}" for kind, amount in sorted(amounts.items()))


def no_more_than(q: EuropaQuestion, words: str, held: Callable[[str], Fraction]) -> list[Remedy]:
    """To give the same order with no more of each kind than there is, where that would go through."""
    amounts = {kind: min(amount, held(kind)) for kind, amount in read_amounts(q.world, q.command.points).items()}
    there = {kind: amount for kind, amount in amounts.items() if amount > 0}
    lesser = replace(q.command, points=write_amounts(there))
    return in_its_place(q, lesser, f"{words} at most {show_amounts(there)}") if there else []


def said_to_be_free(world: EuropaWorld, state: State, order: Command) -> Fraction:
    """How many of the points of an order, all of one kind, might go as its one refusal says."""
    found = judged(world, state, order)
    reasons = found.reasons if isinstance(found, Refusal) else ()
    return (reasons[0].have or NOTHING) if len(reasons) == 1 else NOTHING


# ------------------------------------------------------------------------------------- points on the way


def _waiting(state: State) -> Iterator[tuple[int, str, str, str, str, Fraction]]:
    """The turn, the pool, the nation, the kind, the account that holds them until then, and how many."""
    for account in sorted(each for each in state.balances if each.pool.startswith(DUE)):
        if balance := state.balances[account]:
            turn, _, pool = account.pool.removeprefix(DUE).partition("/")
            yield int(turn), pool.removeprefix(MOVED), account.nation, account.kind, account.pool, balance


def on_the_way(state: State) -> Iterator[tuple[int, str, str, str, Fraction]]:
    """Points not yet usable: the turn, the pool, the nation, the kind and how many, in order."""
    for turn, pool, nation, kind, _, balance in _waiting(state):
        yield turn, pool, nation, kind, balance


def accounts_of(state: State, pool: str) -> list[str]:
    """Every account of a pool: what it holds, what it has just received, and what is on its way to it."""
    mine = (pool, received(pool))
    return sorted({*mine, *(account for _, to, _, _, account, _ in _waiting(state) if to in mine)})


def waiting_for(state: State, wanted: str) -> Iterator[tuple[int, str, str, Fraction, tuple[str, ...]]]:
    """The points on the way to a pool: the turn, the nation, the kind, how many, and the clauses by which they wait."""
    for turn, pool, nation, kind, account, balance in _waiting(state):
        if pool == wanted:
            yield turn, nation, kind, balance, wait_by(state, nation, account)


def release(world: EuropaWorld, state: State) -> Iterator[Event]:
    """At the start of their owner's player-turn, points whose turn has come are usable."""
    if state.clock.phase != 0:
        return
    usable: dict[str, set[str]] = {}
    for turn, pool, nation, kind, account, amount in _waiting(state):
        if turn <= state.clock.turn and world.has_the_turn(state, world.side_now(state, nation)):
            yield Transferred(amount=amount, kind=kind, nation=nation, frm=account, to=pool, says="now usable")
            usable.setdefault(nation, set()).add(account)
    for nation, accounts in sorted(usable.items()):
        if lines := _lines(state, nation):
            left = [line for line in lines if line.partition(" ")[2] not in accounts]
            yield Marked(on=subject_key("nation", nation), mark=BROUGHT_BY, value=left or None)


def becoming_usable(world: EuropaWorld, state: State) -> Iterator[Item]:
    """The points that are on their way, one line a pool and turn."""
    coming: dict[tuple[int, str, str, str], dict[str, Fraction]] = {}
    for turn, pool, nation, kind, account, amount in _waiting(state):
        line = coming.setdefault((turn, pool, nation, wait_by(state, nation, account)[0]), {})
        line[kind] = line.get(kind, Fraction(0)) + amount
    for (turn, pool, nation, clause), amounts in sorted(coming.items()):
        points = ", ".join(f"{show_points(amount)} {kind}" for kind, amount in sorted(amounts.items()))
        text = f"{points} of {nation} usable in {the_pool(pool)} from {world.turn_name(turn)}"
        yield Item(NEWS, text, clause, world.side_now(state, nation), when=turn)


# ---------------------------------------------------------------------------------------- points received


def keep(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As the reinforcement phase ends, what was not allotted stays in the pool that received it."""
    if world.phase(state) != REINFORCEMENT:
        return
    for account, balance in sorted(state.balances.items()):
        side = world.side_now(state, account.nation)
        if balance and account.pool.startswith(RECEIVED) and world.has_the_turn(state, side):
            yield Transferred(
                amount=balance,
                kind=account.kind,
                nation=account.nation,
                frm=account.pool,
                to=account.pool.removeprefix(RECEIVED),
                because="52.F.4.a/6",
                says="received and not allotted",
            )


# ----------------------------------------------------------------------------- amounts and allowances


def read_amounts(world: EuropaWorld, text: str) -> dict[str, Fraction]:
    """'4 inf, 1/2 arm' as amounts by kind of point."""
    amounts: dict[str, Fraction] = {}
    for piece in pieces_of(text):
        own, whose_, nation = piece.partition(" of ")
        if whose_:
            by = the_field("nation", world.nation_named(nation))
            raise BadCommand(f"write '{own.strip()}' alone, and say whose points they are with {by}")
        amount, kind = amount_in(piece, world.kinds_of_point)
        if amount <= 0:
            raise BadCommand(f"'{piece}' is nothing to move; give an amount above nothing")
        amounts[kind] = amounts.get(kind, Fraction(0)) + amount
    return amounts


def whose(q: Question, named: str, *pools: str, kinds: Iterable[str] = ()) -> str:
    """The nation whose points are meant: as said, that of a national pool, or the one with points of these kinds."""
    if named:
        return q.world.nation_named(named)
    for pool in pools:
        if pool.startswith(NATIONAL):
            return pool.removeprefix(NATIONAL)
    held = holders(q.state, pools[0])
    meant = held.intersection(*(holders(q.state, pools[0], kind) for kind in kinds))
    if len(meant or held) == 1:
        return next(iter(meant or held))
    raise BadCommand(
        f"say whose points with {the_field('nation')}; "
        f"{the_pool(pools[0])} holds those of {', '.join(sorted(meant or held)) or 'nobody'}"
    )


def holders(state: State, pool: str, kind: str = "") -> set[str]:
    """The nations with points in a pool, those counted that came this turn from another and may go on from there."""
    on_its_way = f"/{MOVED}{pool}"
    there = [each for each in state.balances if each.pool == pool or each.pool.endswith(on_its_way)]
    return {each.nation for each in there if state.balances[each] and kind in ("", each.kind)}


CHAPTER = Chapter(
    heading="52.F.4.a",
    switches=(homes.ENEMY_GROUND,),
    pools=(RECEIVED.rstrip("/"),),
    facts=(Fact(BROUGHT_BY, ("nation",), "by which clauses points of it wait", [], WORDS, by_hand=False, told=False),),
    happens=(release,),
    ends=(keep,),
    agenda=(becoming_usable,),
)
