"""Agreeing to what another seat has asked for."""

import click

from forcepool.cli import screen
from forcepool.cli.play import outcome_data, show_outcome
from forcepool.cli.problems import REFUSED, BadInput, Failed
from forcepool.cli.table import campaign_at, file_argument, json_option, seat_of, seat_option


@click.command("agree")
@file_argument
@click.option("--entry", type=click.IntRange(min=2), default=None, help="The entry that asks; left out, the only one.")
@click.option("--decline", is_flag=True, help="Say no instead; or take back what you asked for yourself.")
@seat_option
@json_option
@click.pass_context
def agree_command(ctx: click.Context, file: str, entry: int | None, decline: bool, seat: str, as_json: bool) -> None:
    """Agree to an order that waits for you: dice entered by hand, an overrule, or a roll that needs your share.

    The order is judged again and carried out in the name of whoever asked for it.

    \b
    Examples:
      forcepool agree east.fp --as Soviet
      forcepool agree east.fp --as Soviet --entry 41 --decline
    """
    from forcepool.engine import consent
    from forcepool.engine.verdicts import Refusal
    from forcepool.store.open import now

    with campaign_at(file) as campaign:
        side = seat_of(campaign, seat)
        if not side:
            raise BadInput("say whose agreement it is with --as SIDE")
        number = entry or _only(
            list(campaign.history.waiting if decline else consent.waiting_for(campaign, side)), side
        )
        if decline:
            done = consent.decline(campaign, number, seat=side, when=now())
            _say(f"{done.n}  {side} declines what entry {number} asks", {"entry": done.n, "declined": number}, as_json)
            return
        outcome = consent.agree(campaign, number, seat=side, when=now())
        if isinstance(outcome, consent.AgreementNeeded):
            waits = " and ".join(outcome.seats)
            _say(f"agreed; it still waits for {waits}", {"agreed": number, "waits_for": outcome.seats}, as_json)
            return
        judged = outcome if isinstance(outcome, Refusal) else outcome.decision
        if as_json:
            screen.print_json(outcome_data(campaign, judged, dry_run=False))
        else:
            show_outcome(campaign, judged, dry_run=False)
        if isinstance(outcome, Refusal):
            ctx.exit(REFUSED)


def _say(words: str, data: dict[str, object], as_json: bool) -> None:
    if as_json:
        screen.print_json(data)
    else:
        screen.say(words)


def _only(numbers: list[int], side: str) -> int:
    if not numbers:
        raise Failed(f"nothing waits for {side}")
    if len(numbers) > 1:
        raise BadInput(f"several orders wait: say which with --entry {' or '.join(map(str, numbers))}")
    return numbers[0]
