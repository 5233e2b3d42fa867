"""What if: orders are tried in a campaign of their own, where nothing counts, and then given for real in one go.

Its dice are its own, so that trying tells nothing of how the campaign's will fall. Before anything is given for real
the whole list is judged of the campaign as it stands now; if one of the orders would be refused, none is given. A die
of the campaign falls only once the list has passed, and what it fell for stays given: else one could look at the dice.
"""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct

from forcepool.engine.beginning import begin
from forcepool.engine.branch import Branch
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.consent import concerned
from forcepool.engine.decide import Decision
from forcepool.engine.dice import RollNeeded
from forcepool.engine.events import Event, Overruled, Rolled
from forcepool.engine.journal import Journal
from forcepool.engine.sentence import plain
from forcepool.engine.state import State
from forcepool.engine.verdicts import Refusal


class Tried(Struct, frozen=True):
    """An order that was tried and stands."""

    number: int
    """The first is 1."""
    command: Command
    seat: str = ""
    override: str = ""
    rolls: tuple[int, ...] = ()
    """How its dice fell where it was tried."""


class Given(Struct, frozen=True):
    """All orders were given."""

    done: tuple[Done, ...]


class Stopped(Struct, frozen=True):
    """An order cannot be given, and those after it neither."""

    order: Tried
    why: Refusal | str
    done: tuple[Done, ...] = ()
    """What was given before it: nothing, unless a die fell otherwise than where it was tried."""


Judging = Callable[[Command], Decision | Refusal]
Asks = Callable[[State, Command, Judging], Decision | Refusal | str]
"""Whether whoever gives an order may give it, before it is judged and after; a sentence if not."""


def anyone(state: State, command: Command, judging: Judging) -> Decision | Refusal | str:
    """Nobody is asked but the rules."""
    return judging(command)


def begin_whatif(
    campaign: Campaign, journal: Journal, seed: bytes, *, when: str = "", state: State | None = None
) -> None:
    """A campaign of its own that stands where another does, or once did. It has no seats: nobody is asked there."""
    of = campaign.beginning
    begin(
        journal,
        game=of.game,
        title=f"{of.title} (what if)",
        ruleset=of.ruleset,
        world=bytes(of.world),
        state=campaign.state if state is None else state,
        seed=seed,
        when=when,
        rulings=of.rulings,
        tries=campaign.cup.campaign,
        after=campaign.seq,
    )


def tried(whatif: Campaign) -> list[Tried]:
    """The orders that stand in a what-if, first to last; what was undone there is not among them."""
    standing = [entry for entry in whatif.entries() if whatif.history.counts(entry)]
    return [
        Tried(
            number,
            whatif.world.read_command(bytes(entry.do)),
            entry.seat,
            next((event.note for event in entry.events if isinstance(event, Overruled)), ""),
            tuple(event.result for event in _rolled(entry.events)),
        )
        for number, entry in enumerate(standing, 1)
    ]


def give(
    campaign: Campaign,
    orders: Sequence[Tried],
    *,
    seat: str = "",
    by: str = "",
    seats: Sequence[str] = (),
    dice: Sequence[int] = (),
    when: str = "",
    asks: Asks = anyone,
) -> Given | Stopped:
    """Give orders for real, all of them or none; one undo takes them back. `dice` are those rolled at the table.

    It writes several entries, which whoever has the file keeps together.
    """
    rehearsed = _rehearsed(campaign, orders, seat, seats, dice, asks)
    if isinstance(rehearsed, Stopped):
        return rehearsed
    done: list[Done] = []
    first = campaign.seq + 1
    for order, rolls in zip(orders, rehearsed, strict=True):
        who = order.seat or seat
        judging = partial(campaign.judge, seat=who, override=order.override, rolls=rolls)
        decision = _asked(judging, campaign.state, order, asks)
        if not isinstance(decision, Decision):
            return Stopped(order, decision, tuple(done))
        done.append(campaign.record(decision, seat=who, by=by, when=when, group=first))
    return Given(tuple(done))


def _rehearsed(
    campaign: Campaign, orders: Sequence[Tried], seat: str, seats: Sequence[str], dice: Sequence[int], asks: Asks
) -> list[tuple[int, ...]] | Stopped:
    """The dice from the table that each order takes, if all of them pass with the dice as they fell when tried."""
    branch, left, taken = Branch(campaign.world, campaign.state), tuple(dice), list[tuple[int, ...]]()
    for order in orders:
        who = order.seat or seat
        rolls = order.rolls if campaign.rolls_itself else left
        judging = partial(branch.judge, seat=who, override=order.override, rolls=rolls)
        decision = _asked(judging, branch.state, order, asks)
        if not isinstance(decision, Decision):
            return Stopped(order, decision)
        count = len(_rolled(decision.events))
        entered = () if campaign.rolls_itself else left[:count]
        agree, why = concerned(campaign, decision, seat=who, rolls=entered, seats=seats)
        if agree:
            return Stopped(order, f"{' and '.join(agree)} must agree to it first: {why}; give it by itself")
        if count and (lacks := _lacks_dice(campaign, count, len(entered))):
            return Stopped(order, lacks)
        branch.carry_out(decision)
        taken.append(entered)
        left = left[len(entered) :]
    if left and orders:
        return Stopped(
            orders[-1], f"dice entered: {len(dice)}, asked for: {len(dice) - len(left)}; leave the others out"
        )
    return taken


def _lacks_dice(campaign: Campaign, count: int, entered: int) -> str:
    """Why the dice of an order cannot be had here."""
    if not campaign.rolls_itself:
        return "" if entered == count else f"it rolls {_dice(count)}: say what they show at the table"
    holders = campaign.cup.missing(campaign.history.promises)
    return f"its dice need the share of {' and '.join(holders)}; give it by itself" if holders else ""


def _asked(judging: Judging, state: State, order: Tried, asks: Asks) -> Decision | Refusal | str:
    try:
        return asks(state, order.command, judging)
    except BadCommand as error:
        return error.sentence
    except RollNeeded as need:
        return plain(str(need))


def _dice(count: int) -> str:
    return "a die" if count == 1 else f"{count} dice"


def _rolled(events: Sequence[Event]) -> list[Rolled]:
    return [event for event in events if isinstance(event, Rolled)]
