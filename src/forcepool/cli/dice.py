"""The dice: who has a part in them, promising a part of one's own, and opening them at the end."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from forcepool.cli import screen
from forcepool.cli.problems import Failed
from forcepool.cli.table import campaign_at, file_argument, json_option, one_of

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.store.stored import StoredJournal


@click.group("dice", invoke_without_command=True)
@click.pass_context
def dice_command(ctx: click.Context) -> None:
    """Dice nobody chooses: each side may promise a secret of its own, and a roll takes a share of every one.

    A roll follows from all secrets and from the order it is rolled for. The journal holds each secret's hash from
    before it was used, and afterwards the shares; once the secrets are told, 'forcepool verify' checks every roll.
    Each command takes --json.

    \b
    Examples:
      forcepool dice show east.fp
      forcepool dice promise east.fp --as Axis
      forcepool dice tell east.fp
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@dice_command.command("show")
@file_argument
@json_option
def show_command(file: str, as_json: bool) -> None:
    """Who has a part in the dice, and whose secrets are kept here.

    \b
    Example:
      forcepool dice show east.fp
    """
    with campaign_at(file) as campaign:
        promises = campaign.history.promises
        here = campaign.cup.at_hand(promises)
        if as_json:
            screen.print_json(
                {who: {"promised": digest, "kept_here": who in here} for who, digest in sorted(promises.items())}
            )
            return
        if not promises:
            screen.say("The dice are rolled at the table and entered by hand.")
        for who, digest in sorted(promises.items()):
            where = "kept here" if who in here else "kept elsewhere"
            screen.say(f"{who}: promised as {digest[:16]}…, {where}")


@dice_command.command("promise")
@file_argument
@click.option(
    "--as", "side", metavar="SIDE", default="", help="Your side; left out, the campaign's own secret is renewed."
)
@json_option
def promise_command(file: str, side: str, as_json: bool) -> None:
    """Take part in the dice: a secret of your own is made, kept in a file beside the campaign, promised by its hash.

    From then on an order that rolls waits until your opponent's share is there: 'forcepool agree' gives it. Keep the
    file with the secret to yourself, and send only the campaign.

    \b
    Examples:
      forcepool dice promise east.fp --as Axis
      forcepool dice promise east.fp
    """
    from forcepool.engine import consent
    from forcepool.engine.beginning import new_seed
    from forcepool.engine.dice import CAMPAIGN
    from forcepool.store.open import now
    from forcepool.store.shares import keep_share

    with campaign_at(file) as campaign:
        if not side and not campaign.rolls_itself:
            raise Failed(
                "this campaign's dice are rolled at the table; begin one without --dice hand to have them rolled"
            )
        holder = one_of(side, campaign.world.sequence.players, "side") if side else CAMPAIGN
        secret = new_seed()
        if side:
            kept = str(keep_share(file, holder, secret))
        with _together(campaign) as journal:
            entry = consent.promise(campaign, {holder: secret}, seat=holder if side else "", when=now())
            if not side:
                journal.keep_seed(entry.n, secret)
                kept = file
        if as_json:
            screen.print_json({"holder": holder, "promised": entry.promises[holder], "kept_in": kept, "entry": entry.n})
        else:
            screen.say(f"{entry.n}  {holder} promises {entry.promises[holder][:16]}…; the secret is kept in {kept}")


@dice_command.command("tell")
@file_argument
@json_option
def tell_command(file: str, as_json: bool) -> None:
    """Open the secrets that are kept here, so that anyone can check the dice; fresh ones are promised at once.

    \b
    Example:
      forcepool dice tell east.fp
    """
    from forcepool.engine import consent
    from forcepool.engine.beginning import new_seed
    from forcepool.engine.dice import CAMPAIGN
    from forcepool.store.open import now
    from forcepool.store.shares import keep_share

    with campaign_at(file) as campaign:
        here = campaign.cup.at_hand(campaign.history.promises)
        if not here:
            raise Failed("no secret of this campaign's dice is kept here; whoever keeps one can open it")
        fresh = {who: new_seed() for who in here}
        for who, secret in fresh.items():
            if who != CAMPAIGN:
                keep_share(file, who, secret)
        with _together(campaign) as journal:
            entry = consent.tell(campaign, fresh, when=now())
            if CAMPAIGN in fresh:
                journal.keep_seed(entry.n, fresh[CAMPAIGN])
        if as_json:
            screen.print_json({"told": sorted(entry.told), "entry": entry.n})
        else:
            screen.say(
                f"{entry.n}  opened: {', '.join(sorted(entry.told))}. Check the dice with: forcepool verify {file}"
            )


@contextmanager
def _together(campaign: "Campaign") -> Iterator["StoredJournal"]:
    """A promise and its secret are recorded together: a promise without its secret could never be kept."""
    from forcepool.store.stored import StoredJournal

    assert isinstance(campaign.journal, StoredJournal)
    with campaign.journal.together():
        yield campaign.journal
