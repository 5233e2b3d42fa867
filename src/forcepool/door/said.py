"""What the front door answers with: plain data, in words and exact numbers."""

from collections.abc import Mapping
from fractions import Fraction
from html import escape

from msgspec import Struct

from forcepool.door.shown import on_paper, rows_of
from forcepool.engine.acts import order_in_words
from forcepool.engine.agenda import Item
from forcepool.engine.bill import arrival_of, cost_of
from forcepool.engine.command import command_name
from forcepool.engine.decide import Decision
from forcepool.engine.events import Rolled
from forcepool.engine.options import Choice
from forcepool.engine.points import show_amounts, show_points
from forcepool.engine.verdicts import No, Refusal
from forcepool.engine.wording import events_said
from forcepool.engine.world import World
from forcepool.views.names import in_words
from forcepool.views.said import told


class Reason(Struct, frozen=True):
    """Why not: the clause, what it says, both numbers where there are any, and what would help.

    >>> import forcepool
    >>> campaign = forcepool.new("smolensk")
    >>> refused = campaign.judge("rebuild-cadre", unit="23 Inf XX", pay_from="md/moscow")
    >>> refused.reasons[0].clause in refused.clauses
    True
    """

    clause: str
    says: str
    remedy: str = ""
    have: Fraction | None = None
    need: Fraction | None = None

    def __str__(self) -> str:
        return f"{self.clause}: {self.says}{f' ({self.remedy})' if self.remedy else ''}"


class Outcome(Struct, frozen=True):
    """What came of an order, or what would come of it. It is true if the order goes through.

    >>> import forcepool
    >>> told = forcepool.new("smolensk").judge("rebuild-cadre", unit="6 Pz XX", pay_from="front/centre")
    >>> bool(told), told.entry, told.cost["inf"]
    (True, 0, Fraction(7, 2))
    """

    order: str
    """As one types it."""
    accepted: bool
    entry: int = 0
    """Its number in the journal; 0 for what was not recorded."""
    says: tuple[str, ...] = ()
    """What it did, sentence by sentence."""
    cost: Mapping[str, Fraction] = {}
    arrives: str = ""
    """The turn the unit arrives, where the order puts it on a track."""
    dice: tuple[int, ...] = ()
    reasons: tuple[Reason, ...] = ()
    """Why not, all of it."""
    overruled: tuple[Reason, ...] = ()

    def __bool__(self) -> bool:
        return self.accepted

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that refuse; none of an order that is accepted.

        >>> campaign.judge("rebuild-cadre", unit="2 Pz XX", pay_from="front/centre").clauses
        ('52.A.9.d/1',)
        """
        return tuple(dict.fromkeys(each.clause for each in self.reasons))

    def __str__(self) -> str:
        if self.accepted:
            return "\n".join((self.order, *(f"  {each}" for each in self.says)))
        return "\n".join((f"refused: {self.order}", *(f"  {each}" for each in self.reasons)))

    def _repr_html_(self) -> str:
        head = f"<p>{'' if self.accepted else '<b>refused:</b> '}<code>{escape(self.order)}</code></p>"
        said = "".join(f"<li>{escape(each)}</li>" for each in self.says)
        why = [_reason_cells(each) for each in (*self.reasons, *self.overruled)]
        return on_paper(
            head,
            f"<ul>{said}</ul>" if said else "",
            "<p>Overruled:</p>" if self.overruled else "",
            rows_of(("clause", "why not", "has", "needs", "what helps"), why),
        )


class Option(Struct, frozen=True):
    """One way to give one order: what it costs, or why it is closed.

    >>> import forcepool
    >>> option = forcepool.new("smolensk").options("6 Pz XX", closed=False)[0]
    >>> option.name, option.open
    ('rebuild-cadre', True)
    """

    order: str
    """As one types it: `campaign.do(option.order)` gives it."""
    name: str
    open: bool
    cost: Mapping[str, Fraction] = {}
    arrives: str = ""
    reasons: tuple[Reason, ...] = ()

    def __str__(self) -> str:
        if not self.open:
            return f"closed: {self.order}: {'; '.join(map(str, self.reasons))}"
        price = f" for {show_amounts(self.cost)}" if self.cost else ""
        return f"{self.order}{price}{f', arrives {self.arrives}' if self.arrives else ''}"


class Task(Struct, frozen=True):
    """One line of the checklist.

    >>> import forcepool
    >>> task = forcepool.new("smolensk").todo()[0]
    >>> task.kind, task.clause
    ('open', '52.A.9.a/1')
    """

    kind: str
    """due, lapses, open or news."""
    says: str
    clause: str = ""
    side: str = ""
    order: str = ""
    """The order that does it, ready to give; nothing where there is none."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.says}{f' [{self.clause}]' if self.clause else ''}"


class Refused(Exception):
    """An order that the rules do not allow; `outcome` has every reason.

    >>> import forcepool
    >>> try:
    ...     forcepool.new("smolensk").do("rebuild-cadre", unit="2 Pz XX", pay_from="front/centre")
    ... except forcepool.Refused as refused:
    ...     print(refused.outcome.clauses)
    ('52.A.9.d/1',)
    """

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(str(outcome))
        self.outcome = outcome

    def _render_traceback_(self) -> list[str]:
        """A notebook shows the reasons, and not where in the program they came to light."""
        return str(self).splitlines()


class Waits(Exception):
    """An order that is carried out once others have agreed to it.

    >>> import forcepool
    >>> waits = forcepool.Waits(7, ("Soviet",), "the order is taken back after its phase")
    >>> str(waits)
    'Soviet must agree first: the order is taken back after its phase'
    """

    def __init__(self, entry: int, sides: tuple[str, ...], why: str) -> None:
        super().__init__(f"{' and '.join(sides)} must agree first: {why}")
        self.entry, self.sides, self.why = entry, sides, why


def _reason_cells(why: Reason) -> tuple[str, ...]:
    have, need = ("" if each is None else show_points(each) for each in (why.have, why.need))
    return (why.clause, why.says, have, need, why.remedy)


def reason(no: No) -> Reason:
    return Reason(no.clause, in_words(no.says), in_words(no.remedy), no.have, no.need)


def outcome(world: World, found: Decision | Refusal, entry: int = 0) -> Outcome:
    """A decision or a refusal as plain data."""
    order = order_in_words(found.command)
    if isinstance(found, Refusal):
        return Outcome(order, False, reasons=tuple(map(reason, found.reasons)))
    arrives = arrival_of(found.events)
    return Outcome(
        order,
        True,
        entry,
        tuple(map(told, events_said(world, found.events))),
        dict(cost_of(found.events)),
        world.turn_name(arrives) if arrives else "",
        tuple(each.result for each in found.events if isinstance(each, Rolled)),
        overruled=tuple(map(reason, found.overruled)),
    )


def option(world: World, choice: Choice) -> Option:
    return Option(
        order_in_words(choice.command),
        command_name(choice.command),
        choice.open,
        dict(choice.cost),
        world.turn_name(choice.arrives) if choice.arrives else "",
        tuple(map(reason, choice.reasons)),
    )


def task(item: Item) -> Task:
    order = order_in_words(item.command) if item.command is not None else ""
    return Task(item.kind, in_words(item.text), item.clause, item.side, order)
