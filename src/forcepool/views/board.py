"""The board: the checklist as tasks to play from, many alike on one line, with what each costs and what it leaves."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.agenda import DUE, Item
from forcepool.engine.answers import watched
from forcepool.engine.bill import Bill
from forcepool.engine.command import Command
from forcepool.engine.facts import Facts, kept
from forcepool.engine.game import TaskWords
from forcepool.engine.ledger import Account
from forcepool.engine.options import foreseen
from forcepool.engine.points import show_points
from forcepool.engine.sentence import UNIT, Told, parts, plain, pools_in
from forcepool.engine.state import State, Unit
from forcepool.engine.units import FULL
from forcepool.engine.world import World
from forcepool.views.journal import title_of as clause_title
from forcepool.views.names import amounts_in_words, kind_in_words, natural, pool_in_words, pool_order
from forcepool.views.said import title_of

Cost = Mapping[str, Fraction]


class Piece(Struct, frozen=True):
    """One thing to do: a line of the checklist, with its unit, its price and what that leaves in the pool."""

    item: Item
    unit: str = ""
    """Empty where it is about none, or about several."""
    cost: Cost = {}
    payer: str = ""
    nation: str = ""
    leaves: Cost = {}
    arrives: str = ""
    areas: tuple[str, ...] = ()

    @property
    def order(self) -> Command | None:
        return self.item.command

    @property
    def harms(self) -> bool:
        """Whether it costs one's own side something on the board."""
        return self.order is not None and type(self.order).harms


class Batch(Struct, frozen=True):
    """Pieces alike, told in one line: '9 cadres · front Centre · 3½–5 inf each'."""

    words: str
    """Empty for what is alone of its kind."""
    pieces: tuple[Piece, ...]


class Task(Struct, frozen=True):
    """What is to be done, in a player's words, and the pieces it consists of."""

    kind: str
    clause: str
    title: str
    page: str
    """Where it is done, if not here: a page below the campaign's path."""
    batches: tuple[Batch, ...]
    folded: bool = False
    """Whether only its title is shown until one opens it."""

    @property
    def count(self) -> int:
        return sum(len(batch.pieces) for batch in self.batches)

    @property
    def harms(self) -> bool:
        """Whether it costs one's own side something on the board."""
        return any(piece.harms for batch in self.batches for piece in batch.pieces)

    @property
    def ready(self) -> int:
        """How many of its pieces have an order that does them."""
        return sum(piece.order is not None for batch in self.batches for piece in batch.pieces)

    @property
    def arrives(self) -> str:
        """The turn they all arrive; empty where they differ."""
        turns = {piece.arrives for batch in self.batches for piece in batch.pieces}
        return turns.pop() if len(turns) == 1 else ""


class Purse(Struct, frozen=True):
    """A pool that something on the board would draw on, and what it holds."""

    pool: str
    nation: str
    name: str
    holds: Cost
    asked: Cost
    """What everything on the board that draws on it would cost together."""


# ----------------------------------------------------------------------------------------------------- pieces


def pieces_of(world: World, state: State, items: Iterable[Item]) -> list[Piece]:
    """The lines of a checklist with what an order ready for each would cost."""
    facts = world.facts(watched(world, state))
    return [_piece(world, facts, item) for item in items]


@kept
def _piece(world: World, facts: Facts, item: Item) -> Piece:
    state = facts.state
    unit = _unit_of(state, item)
    if item.command is not None and unit is not None:
        return billed(world, facts, item, unit)
    areas = tuple(world.areas_of(unit, state) or ()) if unit else ()
    pools = pools_in(item.sentence)
    return Piece(item, unit.id if unit else "", nation=unit.spec.nation if unit else "", areas=(*areas, *pools))


def billed(world: World, facts: Facts, item: Item, unit: Unit) -> Piece:
    """A line with an order for a unit: what that costs, whom, and what it leaves; nothing of one that costs nothing."""
    state = facts.state
    areas = tuple(world.areas_of(unit, state) or ())
    bill = _bill(world, facts, item.command) if item.command is not None else None
    if bill is None or not bill.cost:
        return Piece(item, unit.id, nation=unit.spec.nation, areas=areas)
    payer = bill.payers[0] if bill.payers else str(getattr(item.command, "pay_from", ""))
    return Piece(
        item,
        unit.id,
        bill.cost,
        payer,
        unit.spec.nation,
        _left(state, Account(payer, unit.spec.nation, ""), bill.cost),
        world.turn_name(bill.arrives) if bill.arrives else "",
        areas,
    )


@kept
def _bill(world: World, facts: Facts, order: Command) -> Bill | None:
    """What an order costs; it is the same for what a pool has left after most orders, and so kept by itself."""
    try:
        return foreseen(world, facts.state, order)
    except Told:
        return None


def _left(state: State, payer: Account, cost: Cost) -> Cost:
    """What a purchase leaves of each kind that the pool holds; an allowance of limited units is no pool's."""
    accounts = {kind: replace(payer, kind=kind) for kind in cost}
    return {
        kind: state.balances[account] - cost[kind]
        for kind, account in accounts.items()
        if state.balances.get(account, Fraction(0)) >= cost[kind]
    }


def _unit_of(state: State, item: Item) -> Unit | None:
    """The one unit a line is about."""
    named = getattr(item.command, "unit", "") if item.command is not None else ""
    if named and named in state.units:
        return state.units[named]
    units = {part.name for part in parts(item.sentence) if part.kind == UNIT}
    return state.units.get(units.pop()) if len(units) == 1 else None


def leaves(piece: Piece) -> str:
    """What a purchase leaves of each kind it is paid in: 'leaves 2½ inf'."""
    if not piece.leaves:
        return ""
    return f"leaves {amounts_in_words(piece.leaves)}" if any(piece.leaves.values()) else "leaves nothing"


def at_once(pieces: Iterable[Piece]) -> list[Piece]:
    """Those of a batch that may be done together: paid from one pool, ready, and harming nobody of one's own."""
    return [piece for piece in pieces if piece.payer and piece.cost and piece.order is not None and not piece.harms]


def affordable(pieces: Iterable[Piece]) -> int:
    """How many of those that draw on one pool it pays, in the order they stand."""
    spent: dict[str, Fraction] = {}
    count = 0
    for piece in pieces:
        for kind, amount in piece.cost.items():
            spent[kind] = spent.get(kind, Fraction(0)) + amount
        if any(spent[kind] > left + piece.cost[kind] for kind, left in piece.leaves.items()):
            break
        count += 1
    return count


# ------------------------------------------------------------------------------------------------------ tasks


def tasks(state: State, pieces: Iterable[Piece], words: Mapping[str, TaskWords]) -> tuple[Task, ...]:
    """The pieces by what is to be done, in the order of the checklist; what does harm stands last of its kind."""
    found: dict[tuple[str, str, str], list[Piece]] = {}
    for piece in pieces:
        name = str(piece.order.__struct_config__.tag) if piece.order is not None else ""
        found.setdefault((piece.item.kind, piece.item.clause, name), []).append(piece)
    made = [_task(state, key, together, words) for key, together in found.items()]
    return tuple(sorted(made, key=lambda task: task.harms))


def _task(state: State, key: tuple[str, str, str], pieces: list[Piece], words: Mapping[str, TaskWords]) -> Task:
    kind, clause, name = key
    called = words.get(f"{clause} {name}".strip()) or words.get(clause) or words.get(name)
    title = called.title if called else title_of(name) if name else clause_title(clause)
    batches: dict[tuple[str, str], list[Piece]] = {}
    listed = sorted(pieces, key=_order)
    drawn_on = Counter((piece.payer, piece.nation) for piece in listed)
    for piece in listed:
        # What is alone in drawing on its pool needs no line of its own above it.
        together = piece.payer and drawn_on[piece.payer, piece.nation] > 1
        batches.setdefault((piece.payer, piece.nation) if together else ("", ""), []).append(piece)
    shared = len({piece.nation for piece in listed if piece.payer}) > 1
    told = tuple(Batch(_told(state, each, shared=shared), tuple(each)) for each in batches.values())
    return Task(kind, clause, title or "To be looked into", called.page if called else "", told)


def _order(piece: Piece) -> tuple[tuple[int, str, tuple[tuple[int, str], ...]], str, tuple[tuple[int, str], ...]]:
    return pool_order(piece.payer), piece.nation, natural(piece.unit or plain(piece.item.sentence))


def _told(state: State, pieces: list[Piece], *, shared: bool) -> str:
    """The line above pieces that draw on one pool; nothing above those that cost nothing or draw on several."""
    drawn_on = {(piece.payer, piece.nation) for piece in pieces}
    payer, nation = next(iter(drawn_on))
    if not payer or len(drawn_on) > 1:
        return ""
    named = pool_in_words(payer)
    return _words(state, f"{named}, {nation}" if shared and nation not in named else named, pieces)


def _words(state: State, payer: str, pieces: list[Piece]) -> str:
    steps = {state.units[piece.unit].step for piece in pieces}
    step = steps.pop() if len(steps) == 1 else FULL
    noun = "unit" if step == FULL else step
    count = f"{len(pieces)} {noun}{'s' if len(pieces) > 1 else ''}"
    each = " each" if len(pieces) > 1 else ""
    return f"{count} · {payer} · {_range(pieces)}{each}"


def _range(pieces: list[Piece]) -> str:
    """'3½–5 inf, ½–1 arm': the least and the most that one of them costs."""
    costs = [piece.cost for piece, _ in counted(pieces)]
    told = []
    for kind in dict.fromkeys(kind for cost in costs for kind in cost):
        amounts = [cost.get(kind, Fraction(0)) for cost in costs]
        least, most = min(amounts), max(amounts)
        each = f"{show_points(least)}–{show_points(most)} {kind_in_words(kind)}"
        told.append(amounts_in_words({kind: least}) if most == least else each)
    return ", ".join(told)


def counted(pieces: Iterable[Piece]) -> list[tuple[Piece, int]]:
    """One piece of each price asked of a pool, with how many it stands for: units of a kind share their bill."""
    found: dict[tuple[str, str, int], tuple[Piece, int]] = {}
    for piece in pieces:
        key = piece.payer, piece.nation, id(piece.cost)
        first, count = found.get(key, (piece, 0))
        found[key] = first, count + 1
    return list(found.values())


# -------------------------------------------------------------------------------------------------- two screens

ROOM = 1110
"""What two screens of the usual size have for tasks, in points."""
TITLE, LINE, TOLD_ROW, READY_ROW, PRICED_ROW = 32, 26, 44, 54, 60
"""How high a title, a line of words, and a row of pieces that are told, can be done, or have a price are."""
ACROSS, PRICED_ACROSS = 2, 3
"""How many pieces stand side by side."""
MANY, FEW = 6, 3
"""Pieces of one batch before the rest is folded: where there is room, and where there is little."""


def fitted(tasks: Iterable[Task], room: int = ROOM) -> tuple[tuple[Task, ...], int]:
    """The tasks so that all fit, some of them folded, but nothing that is due; and how many of a batch are shown."""
    found = list(tasks)
    most = MANY if sum(_height(task, MANY) for task in found) <= room else FEW
    high = sum(_height(task, most) for task in found)
    # What is only told gives way to what can be done, and the last to the first.
    order = sorted(range(len(found)), key=lambda index: (found[index].ready > 0, -index))
    for index in order:
        saves = _height(found[index], most) - TITLE
        if high > room and found[index].kind != DUE and saves > LINE:
            found[index] = replace(found[index], folded=True)
            high -= saves
    return tuple(found), most


def _height(task: Task, most: int) -> int:
    high = TITLE
    for batch in task.batches:
        shown = min(len(batch.pieces), most)
        if batch.pieces[0].cost:
            high += -(-shown // PRICED_ACROSS) * PRICED_ROW + LINE
        else:
            high += -(-shown // ACROSS) * (READY_ROW if task.ready else TOLD_ROW) + (LINE * 5 if task.harms else 0)
        high += LINE if len(batch.pieces) > most else 0
    # Tasks of one piece stand side by side.
    return high // ACROSS if task.count == 1 else high


# ------------------------------------------------------------------------------------------------------ purses


def purses(state: State, pieces: Iterable[Piece]) -> tuple[Purse, ...]:
    """The pools that purchases on the board compete for."""
    asked: dict[tuple[str, str], dict[str, Fraction]] = {}
    for piece, count in counted(pieces):
        for kind, amount in piece.cost.items():
            sums = asked.setdefault((piece.payer, piece.nation), {})
            sums[kind] = sums.get(kind, Fraction(0)) + count * amount
    return tuple(
        Purse(
            pool,
            nation,
            pool_in_words(pool),
            {kind: held for kind in sums if (held := state.balances.get(Account(pool, nation, kind), Fraction(0)))},
            sums,
        )
        for (pool, nation), sums in sorted(asked.items(), key=lambda each: (pool_order(each[0][0]), each[0][1]))
    )
