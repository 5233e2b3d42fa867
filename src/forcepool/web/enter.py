"""Doors that mail leads to: sit down again, confirm an address, have no more letters."""

import asyncio
import secrets
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from forcepool.web.forms import read_form
from forcepool.web.here import renew_session, session_of
from forcepool.web.post.address import BadAddress, mail_address
from forcepool.web.post.book import CONFIRM, ENTER, NONE
from forcepool.web.post.digest import moment_told
from forcepool.web.post.office import Office
from forcepool.web.registry import Registry
from forcepool.web.registry_file import RegistryBusy
from forcepool.web.render import answer, with_session
from forcepool.web.security import new_session
from forcepool.web.shelf import UNUSABLE

DEAD_LINK = "This link was used, is older than half an hour, or a newer one was sent. Ask for another."
SENT = "If this address is known here, a link is on its way to it. It serves once, for half an hour."
NO_MAIL = "This server sends no mail. Ask your host for a new invitation."
NO_SUCH = "This link was not made here, or the address is another by now."
A_WHILE = 0.2
"""Seconds after the answer before an address is looked up: how long that takes tells nobody whether it is known."""


def office_of(request: Request) -> Office:
    found: Office = request.app.state.office
    return found


def _registry(request: Request) -> Registry:
    found: Registry = request.app.state.registry
    return found


def _shown(request: Request, status: int = 200, **values: Any) -> Response:
    told = {"heading": "", "says": "", "button": "", "asks": False, "problem": ""}
    return answer(request, "enter.html", status, **(told | {"title": values["heading"]} | values))


# ------------------------------------------------------------------------------------------- sitting down again


async def ask(request: Request) -> Response:
    """Ask for a link by mail."""
    is_open = office_of(request).open
    return _shown(request, heading="Sign in again", asks=is_open, says="" if is_open else NO_MAIL)


async def send(request: Request) -> Response:
    """Send the link, if the address is known. Whether it is, neither the answer tells nor how soon it comes."""
    form, office = await read_form(request), office_of(request)
    if not office.open:
        return _shown(request, 404, heading="Sign in again", says=NO_MAIL)
    try:
        mail = mail_address(form["mail"])
    except BadAddress as error:
        return _shown(request, 400, heading="Sign in again", asks=True, problem=f"{str(error).capitalize()}.")
    later = A_WHILE * (1 + secrets.randbelow(1000) / 1000)
    asyncio.get_running_loop().call_later(later, _send, office, mail)
    return _shown(request, heading="Look into your mail", says=SENT)


def _send(office: Office, mail: str) -> None:
    # Whoever hears nothing asks again.
    with suppress(RegistryBusy):
        office.enter(mail)


async def offered(request: Request) -> Response:
    """The link: shown first, so that a mail program that looks at links does not use it up."""
    office = office_of(request)
    if office.book.link(ENTER, request.path_params["word"], office.now()) is None:
        return _shown(request, 404, heading="Sign in again", says=DEAD_LINK)
    return _shown(request, heading="Sign in again", says="Sit down at your campaigns again.", button="Sit down")


async def sit_down(request: Request) -> Response:
    """Sit down on all seats that the address is bound to; the link is dead afterwards."""
    await read_form(request)
    office, registry = office_of(request), _registry(request)
    link = office.book.use(ENTER, request.path_params["word"], office.now())
    if link is None:
        return _shown(request, 404, heading="Sign in again", says=DEAD_LINK)
    found = [registry.invitation(number) for number in office.book.seats_of(link.mail)]
    session = new_session()
    registry.sit_again(session, [each for each in found if each is not None], was=session_of(request))
    renew_session(request, session)
    return with_session(request, RedirectResponse("/", 303))


# ------------------------------------------------------------------------------------------------- confirming


async def confirming(request: Request) -> Response:
    """The link that binds an address to a seat: shown first, and used by a button."""
    office = office_of(request)
    link = office.book.link(CONFIRM, request.path_params["word"], office.now())
    if link is None:
        return _shown(request, 404, heading="Confirm your address", says=DEAD_LINK)
    says = f"{link.mail} becomes the address of your seat."
    return _shown(request, heading="Confirm your address", says=says, button="Confirm")


async def confirm(request: Request) -> Response:
    """Bind the address: from now on it is told of turns, and opens the seat again."""
    await read_form(request)
    office, registry = office_of(request), _registry(request)
    link = office.book.use(CONFIRM, request.path_params["word"], office.now())
    invitation = registry.invitation(link.invitation) if link else None
    if link is None or invitation is None:
        return _shown(request, 404, heading="Confirm your address", says=DEAD_LINK)
    told, entry = "", 0
    with suppress(*UNUSABLE):
        if invitation.campaign:
            campaign = office.shelf.table(invitation.campaign).campaign
            told, entry = moment_told(campaign, invitation.seat), campaign.seq
    old = office.book.of(invitation.id)
    office.book.bind(invitation.id, link.mail, told, entry)
    if old is not None and old.mail != link.mail:
        office.changed(old.mail, invitation.campaign)
    return _shown(request, heading="Confirmed", says=f"{link.mail} is now the address of your seat.")


# --------------------------------------------------------------------------------------------- no more letters


async def stopping(request: Request) -> Response:
    """Where a letter's last line leads: a button, for mail programs look at links."""
    if not _may_stop(request):
        return _shown(request, 404, heading="No more letters", says=NO_SUCH)
    says = "No more letters will be sent to this address about this campaign."
    return _shown(request, heading="No more letters", says=says, button="Stop them")


async def stop(request: Request) -> Response:
    """Send a seat nothing more. The word in the link is all it needs: a mail program presses the button by itself."""
    if not _may_stop(request):
        return _shown(request, 404, heading="No more letters", says=NO_SUCH)
    office_of(request).book.wish(request.path_params["invitation"], NONE)
    says = "Nothing more will be sent. On the page Seats you can choose otherwise."
    return _shown(request, heading="No more letters", says=says)


def _may_stop(request: Request) -> bool:
    office = office_of(request)
    bound = office.book.of(request.path_params["invitation"])
    if bound is None:
        return False
    return bool(request.app.state.signer.made(office.stops_for(bound), request.path_params["word"]))


ROUTES = [
    Route("/enter", ask, methods=["GET"]),
    Route("/enter", send, methods=["POST"]),
    Route("/enter/{word}", offered, methods=["GET"]),
    Route("/enter/{word}", sit_down, methods=["POST"]),
    Route("/mail/confirm/{word}", confirming, methods=["GET"]),
    Route("/mail/confirm/{word}", confirm, methods=["POST"]),
    Route("/mail/stop/{invitation:number}/{word}", stopping, methods=["GET"]),
    Route("/mail/stop/{invitation:number}/{word}", stop, methods=["POST"]),
]
