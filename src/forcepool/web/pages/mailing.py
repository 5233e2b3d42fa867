"""A seat's mail address and what is sent to it; leaving a seat, and putting someone else on one."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from forcepool.web.chair import HOST, SEES_ALL, Seat
from forcepool.web.enter import office_of
from forcepool.web.forms import read_form
from forcepool.web.here import here
from forcepool.web.pages import Page, at
from forcepool.web.pages.seats import link_to, named, shown
from forcepool.web.post.address import BadAddress, mail_address
from forcepool.web.post.book import WISHES

ON_ITS_WAY = "A letter is on its way to {}: follow the link in it within half an hour."
TOO_MANY = "So many letters were sent in the last hour; try again later."
NEW_WORDS = "The player before knows the words thrown into the dice from this seat; throw in new ones."


async def mail(request: Request) -> Response:
    """Give the seat an address, choose what is sent to it, or take it off."""
    it, form = here(request), await read_form(request)
    office = office_of(request)
    if it.invitation is None or not office.open:
        return shown(it, 400, problem="This server sends no mail.")
    bound = office.book.of(it.invitation.id)
    if form["drop"]:
        office.book.drop(it.invitation.id)
        if bound is not None:
            office.changed(bound.mail, it.invitation.campaign)
        return shown(it)
    if form["wish"]:
        if form["wish"] in WISHES:
            office.book.wish(it.invitation.id, form["wish"])
        return shown(it)
    try:
        wanted = mail_address(form["mail"])
    except BadAddress as error:
        return shown(it, 400, problem=f"{str(error).capitalize()}.")
    if not office.confirm(it.invitation, wanted):
        return shown(it, 429, problem=TOO_MANY)
    return shown(it, says=ON_ITS_WAY.format(wanted))


async def leave(request: Request) -> Response:
    """Stand up: the seat's sessions, keys, address and plans are gone, and the referee may invite someone else."""
    it, form = here(request), await read_form(request)
    if it.invitation is None or it.invitation.seat.role == HOST:
        return shown(it, 400, problem="The host stays with the server.")
    if form["sure"] != "yes":
        return shown(it, 400, problem="Tick that you are sure: only a new invitation brings you back.")
    it.registry.end(it.invitation.id, it.invitation.campaign)
    it.table.tell()
    return RedirectResponse("/", 303)


async def replace(request: Request) -> Response:
    """Put someone else on a seat: the old player's way in ends, and a link for the new one is shown once."""
    it, form = here(request), await read_form(request)
    if it.seat.role not in SEES_ALL:
        raise HTTPException(403, "Only the host and the referee give out seats.")
    number = form.number("invitation")
    standing = [each for each in it.registry.invitations(it.table.name) if each.id == number and not each.ended]
    if not standing:
        return shown(it, 404, problem="There is no such seat any more.")
    old = standing[0].seat
    try:
        seat = named(it, Seat(old.role, old.side, old.front), form["name"], without=number)
    except ValueError as error:
        return shown(it, 400, problem=str(error))
    it.registry.end(number, it.table.name)
    _, word = it.registry.invite(it.table.name, seat)
    it.table.tell()
    says = NEW_WORDS if old.side in it.campaign.history.promises else ""
    return shown(it, link=link_to(request, word), says=says)


PAGE = Page(
    "mailing",
    "Mail to a seat",
    "/seats/mail",
    "",
    [at("/seats/mail", mail, "POST"), at("/seats/leave", leave, "POST"), at("/seats/replace", replace, "POST")],
)
