"""What shows itself in a notebook: a unit with its counter, a pool with its course, a plan turn by turn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape

from msgspec import Struct

from forcepool.drawing.counters import counter
from forcepool.drawing.plots import Line, plot
from forcepool.engine.campaign import Campaign
from forcepool.engine.points import show_amounts, show_points
from forcepool.engine.sentence import Told, plain
from forcepool.engine.state import Unit as Counter
from forcepool.engine.wording import unit_in_words
from forcepool.planner.plan import plan
from forcepool.views.names import in_words, pool_in_words
from forcepool.views.near import did_you_mean
from forcepool.views.plan import plan_view
from forcepool.views.pools import kind_order, pools, series
from forcepool.views.unit import unit_facts

PAPER = "background:#fffdf8;color:#1b1b18;padding:.4em;max-width:44em"
"""Pictures are drawn with dark ink, and a notebook may be dark."""
ROW, CELL = "background:none;color:#1b1b18", "text-align:left;vertical-align:top"
"""A notebook has inks and grounds of its own for tables, and puts words to the right."""


def on_paper(*parts: str) -> str:
    """Markup on a light ground."""
    return f'<div style="{PAPER}">{"".join(parts)}</div>'


def rows_of(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of markup: cells are words, and what in them is a sign of markup is written out."""

    def row(cells: Sequence[str], tag: str) -> str:
        told = "".join(f'<{tag} style="{CELL}">{escape(cell)}</{tag}>' for cell in cells)
        return f'<tr style="{ROW}">{told}</tr>'

    body = "".join(row(each, "td") for each in rows)
    return f"<table>{row(heads, 'th')}{body}</table>" if body else ""


class Unit(Struct, frozen=True):
    """A unit as it is now: its counter, where it is and at which step.

    >>> import forcepool
    >>> unit = forcepool.new("smolensk").unit("6 pz xx")
    >>> unit.step, unit.where, unit.marks
    ('cadre', 'Dorogobuzh', ('mp 1',))
    """

    name: str
    counter: str
    """As players write it: 11-10 Pz XX (4-8) (1-8)."""
    nation: str
    side: str
    step: str
    strength: str
    where: str
    due: str = ""
    """The turn it arrives, on a track."""
    marks: tuple[str, ...] = ()
    says: str = ""
    svg: str = ""
    """The counter as a picture."""

    def __str__(self) -> str:
        return self.says

    def _repr_html_(self) -> str:
        facts = (self.nation, f"{self.step} {self.strength}", self.where, *self.marks)
        said = ", ".join(filter(None, facts))
        picture = f'<div style="width:5em;float:left;margin-right:1em">{self.svg}</div>'
        name = f"<b>{escape(self.name)}</b><br>{escape(self.counter)}<br>{escape(said)}"
        return on_paper(picture, name, '<div style="clear:both"></div>')


class Pool(Struct, frozen=True):
    """What a pool holds, by nation and kind, and what it held as each turn ended.

    >>> import forcepool
    >>> pool = forcepool.new("smolensk").pool("front/centre")
    >>> pool.holds["Germany"]
    {'inf': Fraction(33, 4), 'arm': Fraction(15, 4)}
    >>> str(pool)
    'front Centre: Germany 8¼ inf, 3¾ arm'
    """

    name: str
    title: str
    holds: Mapping[str, Mapping[str, Fraction]]
    turns: tuple[str, ...]
    held: Mapping[str, Mapping[str, tuple[Fraction, ...]]]
    """By nation and kind, as each of these turns ended; the last is now."""

    def __str__(self) -> str:
        said = "; ".join(f"{nation} {show_amounts(held)}" for nation, held in self.holds.items() if held)
        return f"{self.title}: {said or 'empty'}"

    def _repr_html_(self) -> str:
        rows = [
            (nation, kind, show_points(amount)) for nation, held in self.holds.items() for kind, amount in held.items()
        ]
        pictures = []
        for nation, kinds in self.held.items():
            lines = [Line(kind, values) for kind, values in kinds.items() if any(values)]
            pictures.append(plot(f"{self.title}, {nation}", self.turns, lines))
        table = rows_of(("nation", "kind", "points"), rows) or "<p>It is empty.</p>"
        return on_paper(f"<b>{escape(self.title)}</b>", table, *pictures)


class Planned(Struct, frozen=True):
    """One order of a plan.

    >>> import forcepool
    >>> first = forcepool.new("smolensk").plan(turns=1).orders[0]
    >>> first.when
    'Oct 3 41, Axis replacement phase'
    """

    when: str
    order: str
    """As one types it."""
    unit: str
    cost: tuple[str, ...]
    arrives: str
    brings: Fraction
    """The strength it brings onto the map."""

    def __str__(self) -> str:
        return f"{self.when}: {self.order}"


class Plan(Struct, frozen=True):
    """Orders for the turns to come, played through before they are shown.

    >>> import forcepool
    >>> plan = forcepool.new("smolensk").plan(turns=1)
    >>> plan.side, plan.gain > 0, len(plan) > 0
    ('Axis', True, True)
    """

    side: str
    until: str
    found: str
    """How it was found: the best there is, or by a rule of thumb."""
    gain: Fraction
    """The strength on the map it brings by then, beyond what comes of itself."""
    orders: tuple[Planned, ...]
    left: tuple[str, ...] = ()
    """The units that stay as they are, with the reason."""

    def __len__(self) -> int:
        return len(self.orders)

    def __iter__(self) -> Iterator[Planned]:
        return iter(self.orders)

    def __str__(self) -> str:
        head = f"{self.side} until {self.until}: {show_points(self.gain)} more, {self.found}"
        return "\n".join((head, *(f"  {each}" for each in self.orders)))

    def _repr_html_(self) -> str:
        rows = [(each.when, each.order, "; ".join(each.cost), each.arrives) for each in self.orders]
        head = f"<b>Plan of {escape(self.side)} until {escape(self.until)}</b>"
        gain = f"<p>{escape(show_points(self.gain))} strength more, {escape(self.found)}.</p>"
        left = "".join(f"<li>{escape(each)}</li>" for each in self.left)
        table = rows_of(("when", "order", "cost", "arrives"), rows) or "<p>Nothing can be done.</p>"
        return on_paper(head, gain, table, f"<p>Left as they are:</p><ul>{left}</ul>" if left else "")


# ------------------------------------------------------------------------------------------------- of a campaign


def shown_unit(record: Campaign, unit: Counter) -> Unit:
    """A unit as it is now."""
    facts = unit_facts(record.world, record.state, unit)
    return Unit(
        unit.id,
        facts.counter,
        facts.nation,
        facts.side,
        facts.step,
        facts.strength,
        in_words(facts.where),
        facts.due,
        facts.marks,
        in_words(plain(unit_in_words(record.world, unit))),
        counter(unit.spec, unit.step, name=unit.id, marks=facts.marks, said=facts.marks_said, on_sheet=False),
    )


def shown_pool(record: Campaign, name: str) -> Pool:
    """A pool by its name, as one types it or as one reads it."""
    known = {account.pool for account in record.state.balances if record.world.standing(account.pool).pool}
    folded = name.strip().casefold()
    found = [each for each in sorted(known) if folded in (each.casefold(), pool_in_words(each).casefold())]
    if not found:
        raise Told(f"there is no pool '{name}'; {did_you_mean(name, known)}")
    accounts = [each for each in record.state.balances if each.pool == found[0]]
    holds: dict[str, dict[str, Fraction]] = {each.nation: {} for each in sorted(accounts)}
    for account in sorted(accounts, key=lambda each: kind_order(each.kind)):
        if record.state.balances[account]:
            holds[account.nation][account.kind] = record.state.balances[account]
    held: dict[str, dict[str, tuple[Fraction, ...]]] = {}
    courses = sorted(series(record, accounts), key=lambda each: (each.account.nation, kind_order(each.account.kind)))
    for course in courses:
        values = tuple(each.balance for each in course.readings)
        held.setdefault(course.account.nation, {})[course.account.kind] = values
    turns = tuple(each.name for each in courses[0].readings)
    return Pool(found[0], pool_in_words(found[0]), holds, turns, held)


def shown_plan(record: Campaign, side: str, turns: int, seconds: float) -> Plan:
    """The plan of a side for so many turns."""
    view = plan_view(record.world, record.state, plan(record.world, record.state.copy(), side, turns, seconds=seconds))
    orders = [
        Planned(turn.when, each.order, each.unit, each.cost, each.arrives, each.brings)
        for turn in view.turns
        for each in turn.orders
    ]
    left = [f"{each.unit}: {each.text}" for each in view.left]
    return Plan(view.side, view.until, view.by, view.gain, tuple(orders), tuple(left))


def shown_campaign(record: Campaign, due: Iterable[str]) -> str:
    """A campaign at a glance: where it is, what is due, what every side has."""
    found = pools(record)
    rows = [(line.side, line.nation, line.title, *map(line.of, found.kinds)) for line in found.pools]
    tasks = "".join(f"<li>{escape(each)}</li>" for each in due)
    return on_paper(
        f"<h3>{escape(record.beginning.title)}</h3>",
        f"<p>{escape(record.world.when(record.state))}, entry {record.seq}</p>",
        f"<p>Due now:</p><ul>{tasks}</ul>" if tasks else "<p>Nothing is due.</p>",
        rows_of(("side", "nation", "pool", *found.kinds), rows),
    )
