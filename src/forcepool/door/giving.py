"""Giving an order: judged, and recorded or put before those who must agree to it first."""

from collections.abc import Sequence

from forcepool.engine import consent
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.consent import AgreementNeeded
from forcepool.engine.cup import SharesNeeded
from forcepool.engine.decide import Decision
from forcepool.engine.events import Rolled
from forcepool.engine.verdicts import Refusal
from forcepool.store.open import now


def give(
    campaign: Campaign, order: Command, *, seat: str, override: str = "", dice: Sequence[int] = (), dry_run: bool
) -> Decision | Refusal | AgreementNeeded:
    """Judge a command and, unless it is a dry run, record it; or ask those who must agree to it first."""
    judge = campaign.attempt if dry_run else campaign.judge
    try:
        decision = judge(order, seat=seat, override=override, rolls=dice)
    except SharesNeeded as need:
        return consent.ask_for_shares(campaign, order, need, seat=seat, override=override, when=now())
    if isinstance(decision, Refusal):
        return decision
    _check_dice(decision, dice)
    if dry_run:
        return decision
    asked, why = consent.concerned(campaign, decision, seat=seat, rolls=dice, seats=campaign.beginning.seats)
    if asked:
        return consent.ask(campaign, order, seats=asked, why=why, seat=seat, override=override, rolls=dice, when=now())
    return campaign.record(decision, seat=seat, when=now()).decision


def _check_dice(decision: Decision, dice: Sequence[int]) -> None:
    rolled = [event for event in decision.events if isinstance(event, Rolled)]
    if len(rolled) < len(dice):
        raise BadCommand(f"dice entered: {len(dice)}, asked for: {len(rolled)}; leave the others out")
