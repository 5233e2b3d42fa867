"""Orders that are carried out only once others agree: dice entered by hand where the program rolls, overrules where the
group wants them agreed, and rolls in which others have a part that only they can give."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Raw, Struct

from forcepool.engine import codec
from forcepool.engine.campaign import Campaign, Done, NothingToUndo
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.cup import SharesNeeded
from forcepool.engine.decide import REFEREE, Decision
from forcepool.engine.dice import CAMPAIGN, SERVER, commitment
from forcepool.engine.journal import Entry, Waiting
from forcepool.engine.switches import OVERRULES
from forcepool.engine.verdicts import Refusal

_LOST = {
    CAMPAIGN: "promise a new one with: forcepool dice promise FILE",
    SERVER: "play it on its server, whose host can promise a new one on the page Seats",
}


class NothingWaits(NothingToUndo):
    """There is no such order to agree to, or it does not wait for this seat."""


class AgreementNeeded(Struct, frozen=True):
    """The order was asked for in an entry, and waits for these seats."""

    entry: int
    seats: tuple[str, ...]
    why: str


def concerned(
    campaign: Campaign, decision: Decision, *, seat: str, rolls: Sequence[int], seats: Iterable[str]
) -> tuple[tuple[str, ...], str]:
    """The seats that must agree to an order, and why; none where it is the seat's own business."""
    others = tuple(sorted({*seats} - {seat, REFEREE}))
    if rolls and campaign.rolls_itself and others:
        return others, "it would enter dice by hand where the program rolls"
    if decision.overruled and seat not in ("", REFEREE):
        ruled = campaign.world.ruling(campaign.state, OVERRULES.key)
        why = f"it would set aside {', '.join(each.clause for each in decision.overruled)}"
        if ruled == "referee":
            return (REFEREE,), why
        if ruled == "agreed" and others:
            return others, why
    return (), ""


def ask(
    campaign: Campaign,
    command: Command,
    *,
    seats: Sequence[str],
    why: str,
    seat: str,
    by: str = "",
    override: str = "",
    rolls: Sequence[int] = (),
    shares: dict[str, str] | None = None,
    when: str = "",
) -> AgreementNeeded:
    """Record an order that waits for others, with the shares in its dice that are at hand."""
    waits = Waiting(
        seat=seat,
        by=by,
        do=Raw(codec.encode(command)),
        override=override,
        rolls=list(rolls),
        shares=shares or {},
        seats=list(seats),
        why=why,
    )
    entry = Entry(n=campaign.seq + 1, at=campaign.state.clock, seat=seat, by=by, when=when, waits=waits)
    campaign.write(entry)
    return AgreementNeeded(entry.n, tuple(seats), why)


def ask_for_shares(
    campaign: Campaign,
    command: Command,
    need: SharesNeeded,
    *,
    seat: str,
    by: str = "",
    override: str = "",
    when: str = "",
) -> AgreementNeeded:
    """Record an order whose dice need the shares of sides that keep their secrets elsewhere.

    The order cannot be changed any more once their shares are there: whoever gives the last one has it carried out.
    """
    nobodys = [holder for holder in need.holders if holder in _LOST]
    if nobodys:
        raise BadCommand(f"{need}; {' and '.join(map(_LOST.__getitem__, nobodys))}")
    return ask(
        campaign,
        command,
        seats=need.holders,
        why="its dice need their share",
        seat=seat,
        by=by,
        override=override,
        shares=campaign.own_shares(command),
        when=when,
    )


def waiting_for(campaign: Campaign, seat: str) -> dict[int, Waiting]:
    """The orders that a seat is asked to agree to; the referee may agree for everybody."""
    return {
        number: waits
        for number, waits in sorted(campaign.history.waiting.items())
        if seat not in waits.agreed and (seat in waits.seats or seat == REFEREE)
    }


def agree(campaign: Campaign, number: int, *, seat: str, when: str = "") -> Done | Refusal | AgreementNeeded:
    """Agree to an order that waits; the last seat to agree has it carried out, as the rules judge it now."""
    waits = _waits(campaign, number, seat)
    command = campaign.world.read_command(bytes(waits.do))
    shares = waits.shares | campaign.own_shares(command)
    left = () if seat == REFEREE else tuple(each for each in waits.seats if each not in (*waits.agreed, seat))
    if left:
        entry = Entry(n=campaign.seq + 1, at=campaign.state.clock, seat=seat, when=when, agrees=number, shares=shares)
        campaign.write(entry)
        return AgreementNeeded(number, left, waits.why)
    decision = campaign.judge(command, seat=waits.seat, override=waits.override, rolls=waits.rolls, shares=shares)
    if isinstance(decision, Refusal):
        return decision
    return campaign.record(decision, seat=waits.seat, by=waits.by, when=when, answers=number)


def decline(campaign: Campaign, number: int, *, seat: str, when: str = "") -> Entry:
    """Say no to an order that waits, or take back one's own."""
    if number not in campaign.history.waiting or campaign.history.waiting[number].seat != seat:
        _waits(campaign, number, seat)
    entry = Entry(n=campaign.seq + 1, at=campaign.state.clock, seat=seat, when=when, declines=number)
    return campaign.write(entry)


# ------------------------------------------------------------------------------------- a part in the dice


def promise(campaign: Campaign, secrets: Mapping[str, bytes], *, seat: str = "", by: str = "", when: str = "") -> Entry:
    """Promise secrets that the dice will be rolled with from now on, by whoever has a part in them.

    Once every side has a part, the campaign's own is taken out: its secret lies in one player's file, who would have to
    be asked for every roll of the others.
    """
    return _promised(campaign, secrets, {}, seat, by, when)


def tell(campaign: Campaign, fresh: Mapping[str, bytes], *, seat: str = "", by: str = "", when: str = "") -> Entry:
    """Open the secrets used so far, so that anyone can check the dice, and promise fresh ones in their place."""
    used = campaign.cup.at_hand(campaign.history.promises)
    told = {who: secret.hex() for who, secret in used.items() if who in fresh}
    return _promised(campaign, fresh, told, seat, by, when)


def _promised(
    campaign: Campaign, secrets: Mapping[str, bytes], told: dict[str, str], seat: str, by: str, when: str
) -> Entry:
    for secret in secrets.values():
        campaign.cup.put_in(secret)
    promises = {who: commitment(secret) for who, secret in sorted(secrets.items())}
    seats, parts = {*campaign.beginning.seats}, campaign.history.promises | promises
    if len(seats) > 1 and CAMPAIGN in parts and CAMPAIGN not in promises and SERVER not in parts and seats <= {*parts}:
        promises[CAMPAIGN] = ""
    at, number = campaign.state.clock, campaign.seq + 1
    return campaign.write(Entry(n=number, at=at, seat=seat, by=by, when=when, promises=promises, told=told))


def _waits(campaign: Campaign, number: int, seat: str) -> Waiting:
    found = waiting_for(campaign, seat).get(number)
    if found is None:
        raise NothingWaits(f"no order of entry {number} waits for {seat or 'anyone here'}")
    return found
