"""Parts in the dice on a server: the server's own, kept outside the campaign's file, and those the seats throw in."""

import secrets

from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine import consent
from forcepool.engine.beginning import new_seed
from forcepool.engine.dice import CAMPAIGN, SERVER
from forcepool.engine.journal import Conflict
from forcepool.store.errors import CampaignFileError
from forcepool.store.open import now
from forcepool.web.chair import SEES_ALL, SIDE
from forcepool.web.forms import read_form
from forcepool.web.here import Here, here, shelf_of
from forcepool.web.keeping import Withheld
from forcepool.web.registry import Registry
from forcepool.web.shelf import Table

SHORTEST, LONGEST = 12, 200
"""Letters of a part that a seat throws in: enough that nobody tries them all."""
TRIES = 5


def take_part(table: Table, registry: Registry) -> None:
    """Have the server take part in a campaign's dice, before anybody rolls on it with others at the table."""
    campaign = table.campaign
    for _ in range(TRIES):
        if not campaign.rolls_itself or SERVER in campaign.history.promises:
            return
        secret = new_seed()
        registry.keep_part(campaign.cup.campaign, secret)
        try:
            consent.promise(campaign, {SERVER: secret}, when=now())
        except Conflict:
            table.refresh()
            continue
        except Withheld:
            # Nobody rolls here now; it is promised when the next one sits down.
            return
        table.tell()


def renew(it: Here) -> None:
    """Open the secrets that are kept here and promise fresh ones; one that was lost is only replaced."""
    campaign = it.campaign
    held = campaign.cup.at_hand(campaign.history.promises)
    fresh = {who: new_seed() for who in {*held, SERVER} if who in (CAMPAIGN, SERVER)}
    for secret in fresh.values():
        it.registry.keep_part(campaign.cup.campaign, secret)
    try:
        with it.table.journal.together():
            entry = consent.tell(campaign, fresh, seat=it.seat.journal_name, by=it.seat.name, when=now())
            if CAMPAIGN in fresh:
                it.table.journal.keep_seed(entry.n, fresh[CAMPAIGN])
    except CampaignFileError:
        # The campaign at hand has gone on already, and its file has not: it is opened again.
        shelf_of(it.request).put_away(it.table.name)
        raise
    it.table.tell()


def throw_in(it: Here, words: str) -> str:
    """A seat's own part in the dice: words of its own, or some that are made up for it. Returns them."""
    text = " ".join(words.split()) or secrets.token_urlsafe(16)
    if not SHORTEST <= len(text) <= LONGEST:
        raise ValueError(f"give {SHORTEST} to {LONGEST} letters that nobody would guess, or none to have some made up")
    secret = text.encode()
    it.registry.keep_part(it.campaign.cup.campaign, secret)
    consent.promise(it.campaign, {it.seat.side: secret}, seat=it.seat.journal_name, by=it.seat.name, when=now())
    it.table.tell()
    return text


def holders(it: Here) -> list[tuple[str, str, bool]]:
    """Who has a part in the dice, the hash that was promised, and whether the secret is kept on this server."""
    promises = it.campaign.history.promises
    kept = it.campaign.cup.at_hand(promises)
    return [(who, digest, who in kept) for who, digest in sorted(promises.items())]


async def dice(request: Request) -> Response:
    """Throw in a part of one's own; or, for the host and the referee, open the dice and begin with fresh ones."""
    from forcepool.web.pages.seats import shown

    it, form = here(request), await read_form(request)
    try:
        if form["open"]:
            if it.seat.role not in SEES_ALL:
                return shown(it, 403, problem="Only the host and the referee open the dice.")
            renew(it)
            return shown(it)
        if it.seat.role != SIDE or not it.campaign.rolls_itself:
            return shown(it, 403, problem="A side's own player has a part in the dice that the program rolls.")
        return shown(it, part=throw_in(it, form["words"]))
    except ValueError as error:
        return shown(it, 400, problem=str(error))
    except Conflict:
        it.table.refresh()
        return shown(it, 409, problem="Somebody did something at the same moment; try again.")
