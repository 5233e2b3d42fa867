"""Giving an order: judged, and recorded or put before those who must agree to it first."""

from collections.abc import Iterable, Sequence

from forcepool.engine import consent
from forcepool.engine.campaign import Campaign, Done
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
    check_dice(decision, dice)
    if dry_run:
        return decision
    found = settle(campaign, decision, seat=seat, override=override, dice=dice, seats=campaign.beginning.seats)
    return found.decision if isinstance(found, Done) else found


def settle(
    campaign: Campaign,
    decision: Decision,
    *,
    seat: str,
    by: str = "",
    override: str = "",
    dice: Sequence[int] = (),
    seats: Iterable[str],
) -> Done | AgreementNeeded:
    """Record what was judged, or ask those of the seats first who must agree to it."""
    asked, why = consent.concerned(campaign, decision, seat=seat, rolls=dice, seats=seats)
    if not asked:
        return campaign.record(decision, seat=seat, by=by, when=now())
    return consent.ask(
        campaign,
        decision.command,
        seats=asked,
        why=why,
        seat=seat,
        by=by,
        override=override,
        rolls=dice,
        when=now(),
    )


def check_dice(decision: Decision, dice: Sequence[int]) -> None:
    """Turn away dice that the order does not ask for."""
    rolled = [event for event in decision.events if isinstance(event, Rolled)]
    if len(rolled) < len(dice):
        raise BadCommand(f"dice entered: {len(dice)}, asked for: {len(rolled)}; leave the others out")
