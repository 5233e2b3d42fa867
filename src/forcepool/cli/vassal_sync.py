"""Taking over what has changed in VASSAL: shown as orders, asked for, given in one go."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from forcepool.cli import screen
from forcepool.cli.problems import REFUSED, BadInput
from forcepool.cli.table import campaign_at, file_argument, json_option, seat_of, seat_option
from forcepool.cli.vassal import both, extension_option, is_mine, laid_out, module_option, save_argument, say_hidden

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.engine.whatif import Given, Stopped
    from forcepool.vassal.campaign.news import Read, Unclear
    from forcepool.vassal.campaign.orders import Left, Ready


@click.command("sync")
@file_argument
@save_argument
@module_option
@extension_option
@seat_option
@click.option("--yes", is_flag=True, help="Give every order that is ready, without asking.")
@click.option("--dry-run", is_flag=True, help="Only show the orders.")
@click.option("--all", "everything", is_flag=True, help="Also what has not changed in VASSAL since the last time.")
@json_option
@click.pass_context
def sync_command(
    ctx: click.Context,
    file: str,
    save: str,
    module: str | None,
    extensions: tuple[str, ...],
    seat: str,
    yes: bool,
    dry_run: bool,
    everything: bool,
    as_json: bool,
) -> None:
    """Take over what has changed in VASSAL: units moved, turned to their cadre, gone to the dead, appeared.

    Each change is shown as an order, and asked for; all that you say yes to are given in one go, and one undo takes
    them back. Without a yes nothing is written. A log (.vlog) gives them in the order they came about, with whoever
    moved the counter. 'forcepool vassal match' comes first.

    \b
    Examples:
      forcepool vassal sync east.fp turn12.vsav --module east.vmod
      forcepool vassal sync east.fp turn12.vlog --module east.vmod --dry-run
    """
    from forcepool.engine.whatif import Stopped
    from forcepool.vassal.campaign import seen
    from forcepool.vassal.campaign.news import in_their_order, looks, news
    from forcepool.vassal.campaign.orders import Left, Ready, ready

    if yes and dry_run:
        raise BadInput("choose one of --yes and --dry-run")
    found, of = both(save, module, extensions)
    with campaign_at(file) as campaign:
        side = seat_of(campaign, seat, acting=not dry_run)
        matched, read = laid_out(file, campaign, found, of, side)
        last = seen.read_seen(seen.beside(file), campaign.history.undone)
        fresh = [
            each
            for each in news(campaign.state, read, {} if everything else last)
            if is_mine(campaign, each.unit.spec.nation, side)
        ]
        ordered = in_their_order(found, of, matched, side, fresh) if found.steps else fresh
        judged = list(ready(campaign, ordered, side))
        orders = [each for each in judged if isinstance(each, Ready)]
        left = [each for each in judged if isinstance(each, Left)]
        if not as_json:
            _show_judged(orders if yes or dry_run else [], left, read)
            if not judged:
                screen.say("Nothing has changed in VASSAL that is not so here.")
        wanted = [] if dry_run else orders if yes else [] if as_json else _asked(orders)
        outcome = _give(campaign, wanted, side) if wanted else None
        if outcome and outcome.done:
            first = outcome.done[0].entry.n
            entries = {each.news.unit.id: first for each in wanted}
            seen.write_seen(seen.beside(file), looks(campaign.state, read, last, entries))
        if as_json:
            screen.print_json(_sync_data(orders, left, read, outcome))
        elif outcome or not dry_run:
            _show_given(outcome, orders)
    if isinstance(outcome, Stopped):
        ctx.exit(REFUSED)


def _show_judged(orders: "Sequence[Ready]", left: "Sequence[Left]", read: "Read") -> None:
    for number, order in enumerate(orders, 1):
        screen.tell([f"{number}  {order.says}"])
        screen.say(screen.faint(f"   {order.typed}"))
    if left:
        screen.heading("Left to you:")
        screen.tell(f"  {each.says}: {each.why}" for each in left)
    unclear = _unclear(read)
    if unclear:
        screen.heading("Not compared:")
        screen.tell(f"  {each.what}: {each.why}" for each in unclear)
        screen.say("'forcepool vassal match' adds what is new to the match file; there you say what it is.")
    say_hidden(read.hidden)


def _unclear(read: "Read") -> "list[Unclear]":
    from forcepool.vassal.campaign.news import unknown_spots

    return [*read.unclear, *unknown_spots(read)]


def _asked(orders: "Sequence[Ready]") -> "list[Ready]":
    """The orders that somebody said yes to, one by one; 'a' is yes to all that follow, 'q' no to all."""
    wanted: list[Ready] = []
    for at, order in enumerate(orders):
        screen.say(screen.faint(order.typed))
        answer = click.prompt(
            screen.fitting(f"{at + 1}  {order.says}? (y yes, n no, a all from here on, q no more)"),
            type=click.Choice(["y", "n", "a", "q"], case_sensitive=False),
            show_choices=False,
            default="n",
        )
        if answer == "a":
            return [*wanted, *orders[at:]]
        if answer == "q":
            break
        if answer == "y":
            wanted.append(order)
    return wanted


def _give(campaign: "Campaign", orders: "Sequence[Ready]", side: str) -> "Given | Stopped":
    from forcepool.engine.whatif import Tried, give
    from forcepool.store.open import now
    from forcepool.store.stored import StoredJournal

    players = {each.news.lies.by for each in orders}
    tried = [Tried(number, each.command) for number, each in enumerate(orders, 1)]
    assert isinstance(campaign.journal, StoredJournal)
    with campaign.journal.together():
        by = players.pop() if len(players) == 1 else ""
        return give(campaign, tried, seat=side, by=by, seats=campaign.beginning.seats, when=now())


def _show_given(outcome: "Given | Stopped | None", orders: "Sequence[Ready]") -> None:
    from forcepool.engine.acts import reasons_in_words
    from forcepool.engine.verdicts import Refusal
    from forcepool.engine.whatif import Stopped

    if outcome is None:
        if orders:
            screen.say("Nothing was given, and nothing written.")
        return
    if isinstance(outcome, Stopped):
        why = outcome.why
        said = "; ".join(reasons_in_words(why.reasons)) if isinstance(why, Refusal) else why
        screen.tell([screen.bad(f"order {outcome.order.number} cannot be given after those before it: {said}")])
        screen.say("Nothing was given.")
        return
    given = screen.counted(len(outcome.done), "order")
    screen.say(screen.good(f"{given} given; one undo takes all of it back."))


def _sync_data(
    orders: "Sequence[Ready]", left: "Sequence[Left]", read: "Read", outcome: "Given | Stopped | None"
) -> dict[str, Any]:
    from forcepool.engine.sentence import plain

    return {
        "orders": [
            {"unit": each.news.unit.id, "says": each.says, "command": each.command, "by": each.news.lies.by}
            for each in orders
        ],
        "left": [{"unit": each.news.unit.id, "says": each.says, "why": plain(each.why)} for each in left],
        "unclear": [{"what": each.what, "why": each.why} for each in _unclear(read)],
        "hidden": read.hidden,
        "given": [each.entry.n for each in outcome.done] if outcome else [],
    }
