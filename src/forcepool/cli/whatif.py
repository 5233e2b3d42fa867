"""What if: try orders where nothing counts, look at what would come of them, and give them for real or drop them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forcepool.cli import screen
from forcepool.cli.play import show_outcome
from forcepool.cli.problems import REFUSED, BadInput, Failed
from forcepool.cli.table import campaign_at, file_argument, json_option, must_be_a_file, seat_of, seat_option

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.engine.whatif import Given, Stopped, Tried


@click.command("whatif")
@file_argument
@click.option("--show", is_flag=True, help="List the orders that were tried and stand.")
@click.option("--give", "giving", is_flag=True, help="Give them for real, all or none; one undo takes them back.")
@click.option("--drop", is_flag=True, help="Throw the what-if away.")
@seat_option
@click.option("--die", "dice", type=click.IntRange(min=1), multiple=True, help="With --give: a real die, in order.")
@json_option
@click.pass_context
def whatif_command(
    ctx: click.Context,
    file: str,
    show: bool,
    giving: bool,
    drop: bool,
    seat: str,
    dice: tuple[int, ...],
    as_json: bool,
) -> None:
    """Try orders where nothing counts, then give them for real in one go, or throw them away.

    The what-if is a file beside the campaign, FILE.whatif, that stands where the campaign does. Every command works on
    it: do, undo, todo, options, forecast. Its dice are its own and tell nothing of the campaign's.

    \b
    Examples:
      forcepool whatif east.fp
      forcepool do east.fp.whatif rebuild-cadre unit="10 Pz XX" pay_from=front/centre
      forcepool forecast east.fp.whatif
      forcepool whatif east.fp --show
      forcepool whatif east.fp --give
      forcepool whatif east.fp --drop

    Giving judges every order anew, of the campaign as it is now. If one would be refused, none is given, and it is said
    which and why. An order that rolls dice is rolled anew; should a die fall so that a later order is refused, what was
    given before it stays given, and the rest is not.
    """
    from forcepool.store.scratch import ENDING, beside

    if show + giving + drop > 1:
        raise BadInput("choose one of --show, --give and --drop")
    if dice and not giving:
        raise BadInput("--die goes with --give")
    must_be_a_file(file, "what-ifs of it are tried in the browser")
    file = file.removesuffix(ENDING)
    path = beside(file)
    if drop:
        _drop(path, as_json)
    elif giving:
        if not _give(file, path, seat, dice, as_json):
            ctx.exit(REFUSED)
    elif show or path.exists():
        _show(file, path, as_json)
    else:
        _begin(file, path, as_json)


def _begin(file: str, path: Path, as_json: bool) -> None:
    from forcepool.store.scratch import lay_out

    with campaign_at(file) as campaign:
        if campaign.beginning.tries:
            raise BadInput(f"{file} is a what-if itself; name the campaign")
        lay_out(campaign, path)
        when = campaign.world.when(campaign.state)
    if as_json:
        screen.print_json({"file": str(path), "when": when, "orders": []})
        return
    name = screen.quoted(str(path))
    screen.say(f"{path}: a what-if. It is {when}, and nothing that is done in it counts.")
    screen.say(f"Try orders with: forcepool do {name} COMMAND …")
    screen.say(f"Look ahead with: forcepool forecast {name}")
    screen.say(f"Then: forcepool whatif {screen.quoted(file)} --give, or --drop")


def _drop(path: Path, as_json: bool) -> None:
    from forcepool.store.scratch import is_whatif, throw_away

    _check_there(path)
    if not is_whatif(path):
        raise Failed(f"{path} is a campaign, not a what-if; it was left alone")
    throw_away(path)
    if as_json:
        screen.print_json({"dropped": str(path)})
    else:
        screen.say(f"{path} is thrown away; nothing of it counts.")


def _show(file: str, path: Path, as_json: bool) -> None:
    from forcepool.engine.whatif import tried

    with campaign_at(file) as campaign, _whatif_at(path, campaign) as whatif:
        orders, gone_on = tried(whatif), campaign.seq - whatif.beginning.after
        when = whatif.world.when(whatif.state)
        if as_json:
            data = [_data(each) for each in orders]
            screen.print_json({"file": str(path), "when": when, "orders": data, "entries_since": gone_on})
            return
        screen.say(f"{path}: {screen.counted(len(orders), 'order')} tried. There it is {when}; nothing of it counts.")
        screen.tell(map(_line, orders))
        if gone_on:
            since = screen.counted(gone_on, "entry", "entries")
            screen.say(f"The campaign has gone on by {since} since; giving judges every order anew.")


def _line(order: "Tried") -> str:
    from forcepool.engine.acts import order_in_words

    rolled = f" (rolled {', '.join(map(str, order.rolls))}; given for real it is rolled anew)" if order.rolls else ""
    over = f" (overruling: {order.override})" if order.override else ""
    return f"  {order.number}  {order_in_words(order.command)}{over}{rolled}"


def _data(order: "Tried") -> dict[str, Any]:
    return {
        "number": order.number,
        "command": order.command,
        "seat": order.seat,
        "override": order.override,
        "rolled": order.rolls,
    }


def _give(file: str, path: Path, seat: str, dice: Sequence[int], as_json: bool) -> bool:
    """Whether all of it was given."""
    from forcepool.engine.whatif import Given, give, tried
    from forcepool.store.open import now
    from forcepool.store.scratch import throw_away
    from forcepool.store.stored import StoredJournal

    with campaign_at(file) as campaign:
        with _whatif_at(path, campaign) as whatif:
            orders = tried(whatif)
        if not orders:
            raise Failed(f"nothing was tried in {path}; there is nothing to give")
        side = seat_of(campaign, seat, acting=not all(order.seat for order in orders))
        assert isinstance(campaign.journal, StoredJournal)
        with campaign.journal.together():
            outcome = give(campaign, orders, seat=side, seats=campaign.beginning.seats, dice=dice, when=now())
        if as_json:
            screen.print_json(_outcome(outcome, orders))
        else:
            _show_given(campaign, outcome, orders)
    if outcome.done:
        throw_away(path)
        if not as_json:
            screen.say(f"{path} is closed.")
    return isinstance(outcome, Given)


def _show_given(campaign: "Campaign", outcome: "Given | Stopped", orders: Sequence["Tried"]) -> None:
    from forcepool.engine.acts import act_in_words
    from forcepool.engine.events import Rolled
    from forcepool.engine.verdicts import Refusal
    from forcepool.engine.whatif import Given

    for each in outcome.done:
        rolled = [str(event.result) for event in each.decision.events if isinstance(event, Rolled)]
        anew = f" (rolled anew: {', '.join(rolled)})" if rolled else ""
        screen.tell([f"{each.entry.n}  {act_in_words(each.entry)}{anew}"])
    if isinstance(outcome, Given):
        screen.say(
            screen.good(f"{screen.counted(len(outcome.done), 'order')} given for real; one undo takes all of it back.")
        )
        return
    order = outcome.order
    if isinstance(outcome.why, Refusal):
        show_outcome(campaign, outcome.why, dry_run=True)
    else:
        screen.say(screen.bad(f"{_line(order).strip()}: {outcome.why}"))
    if not outcome.done:
        screen.say(f"Order {order.number} of {len(orders)} cannot be given, so nothing was. The what-if is as it was.")
        return
    screen.say(
        f"A die fell otherwise: orders 1 to {order.number - 1} are given, and one undo takes them back. Not given:"
    )
    screen.tell(map(_line, orders[order.number - 1 :]))


def _outcome(outcome: "Given | Stopped", orders: Sequence["Tried"]) -> dict[str, Any]:
    from forcepool.engine.verdicts import Refusal
    from forcepool.engine.whatif import Given
    from forcepool.views.unit import reason

    data: dict[str, Any] = {"accepted": True, "entries": [each.entry.n for each in outcome.done]}
    if isinstance(outcome, Given):
        return data
    why = outcome.why
    return data | {
        "accepted": False,
        "order": _data(outcome.order),
        "clauses": why.clauses if isinstance(why, Refusal) else (),
        "reasons": [reason(each) for each in why.reasons] if isinstance(why, Refusal) else [],
        "why": "" if isinstance(why, Refusal) else why,
        "not_given": [_data(each) for each in orders[outcome.order.number - 1 if outcome.done else 0 :]],
    }


@contextmanager
def _whatif_at(path: Path, campaign: "Campaign") -> Iterator["Campaign"]:
    """The what-if of a campaign; one that belongs to another is turned away."""
    from forcepool import games
    from forcepool.store.open import campaign_file

    _check_there(path)
    with campaign_file(path, games.build_world) as whatif:
        if whatif.beginning.tries != campaign.cup.campaign:
            raise Failed(f"{path} is no what-if of this campaign; move it away, or drop it with --drop")
        yield whatif


def _check_there(path: Path) -> None:
    if not path.exists():
        raise Failed(f"there is no what-if {path}; begin one with: forcepool whatif {path.with_suffix('')}")
