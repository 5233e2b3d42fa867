"""Seats: who sits where, invitations, keys for programs, and who is told when it is their turn."""

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from forcepool.web.api.hooks import add
from forcepool.web.chair import FRONT, HOST, OBSERVER, REFEREE, SEES_ALL, SIDE, Seat
from forcepool.web.forms import Form, read_form
from forcepool.web.here import Here, here, shelf_of
from forcepool.web.pages import Page, at
from forcepool.web.pages.house import house_lines
from forcepool.web.parts import dice, holders
from forcepool.web.post.office import Office
from forcepool.web.render import page

INVITED = (SIDE, FRONT, REFEREE, OBSERVER)


async def seats(request: Request) -> Response:
    return shown(here(request))


def shown(
    it: Here,
    status: int = 200,
    *,
    problem: str = "",
    says: str = "",
    link: str = "",
    key: str = "",
    part: str = "",
) -> Response:
    """The page, with a link, a key or a part in the dice that is told this once."""
    invitation = it.invitation.id if it.invitation else 0
    office: Office = it.request.app.state.office
    return page(
        it,
        "seats.html",
        title="Seats",
        status=status,
        manages=it.seat.role in SEES_ALL,
        invitations=it.registry.invitations(it.table.name) if it.seat.role in SEES_ALL else [],
        fronts=fronts_of(it),
        roles=INVITED,
        problem=problem,
        says=says,
        mails=office.open and invitation,
        bound=office.book.of(invitation) if office.open and invitation else None,
        # Addresses are the seat's own and the host's to know.
        addresses={each.invitation: each.mail for each in office.book.every()} if it.seat.role == HOST else {},
        mail_problem=office.problem if it.seat.role == HOST else "",
        may_leave=invitation and it.seat.role != HOST,
        new_link=link,
        only_here=it.request.url.hostname if it.request.url.hostname in ("127.0.0.1", "localhost") else "",
        new_key=key,
        new_part=part,
        parts=holders(it),
        has_part=it.seat.role == SIDE and it.campaign.rolls_itself and not it.seat.front,
        own=invitation,
        hooks=[hook for hook in it.registry.hooks(it.table.name) if hook.invitation == invitation],
        house_rules=house_lines(it),
    )


def fronts_of(it: Here) -> list[str]:
    """The areas a commander can be given."""
    return sorted(name for name in getattr(it.world, "areas", {}) if it.sight.all)


async def invite(request: Request) -> Response:
    """Offer a seat; the link is shown once."""
    it, form = here(request), await read_form(request)
    _must_manage(it)
    try:
        seat = _seat(it, form)
    except ValueError as error:
        return shown(it, 400, problem=str(error))
    _, word = it.registry.invite(it.table.name, seat)
    return shown(it, link=link_to(request, word))


def link_to(request: Request, word: str) -> str:
    """The link of an invitation."""
    told = request.app.state.address
    return f"{told}/join/{word}" if told else str(request.url.replace(path=f"/join/{word}", query=""))


def _seat(it: Here, form: Form) -> Seat:
    role, side, front = form["role"], form["side"], form["front"]
    if role not in INVITED:
        raise ValueError("choose a role: side, front, referee or observer")
    players = it.world.sequence.players
    if side not in ("", *players) or (role in (SIDE, FRONT) and not side):
        raise ValueError(f"choose the side: {', '.join(players)}")
    if role == FRONT and front not in fronts_of(it):
        raise ValueError("choose the front, MD or theatre this commander has")
    keeps_side = role in (SIDE, FRONT, OBSERVER)
    return named(it, Seat(role, side if keeps_side else "", front if role == FRONT else ""), form["name"])


def named(it: Here, chair: Seat, name: str, *, without: int = 0) -> Seat:
    """A chair with the name of whoever is to sit there; ValueError where another of its side has that name."""
    seat = replace(chair, name=" ".join(name.split())[:40])
    side = seat.side
    others = [each.seat for each in it.registry.invitations(it.table.name) if not each.ended and each.id != without]
    if seat.name and any((each.name, each.side) == (seat.name, side) and each.chair != seat.chair for each in others):
        # Notes are told to whoever wrote them, by this name.
        raise ValueError(f"another seat of that side is called '{seat.name}'; give each seat a name of its own")
    return seat


async def end(request: Request) -> Response:
    """Take a seat away."""
    it, form = here(request), await read_form(request)
    _must_manage(it)
    it.registry.end(form.number("invitation"), it.table.name)
    # Its open pages wait for a change; woken, they find that they have no seat any more.
    shelf_of(request).announce(it.table.name)
    return shown(it)


def _must_manage(it: Here) -> None:
    if it.seat.role not in SEES_ALL:
        raise HTTPException(403, "Only the host and the referee give out seats.")


async def key(request: Request) -> Response:
    """A key for programs, for one's own seat; it is shown once."""
    it = here(request)
    await read_form(request)
    if it.invitation is None:
        return shown(it, 400, problem="At your own machine programs need no key.")
    return shown(it, key=it.registry.new_key(it.invitation.id))


async def hook(request: Request) -> Response:
    """Have an address told when it is one's turn, or no longer."""
    it, form = here(request), await read_form(request)
    own = it.invitation.id if it.invitation else 0
    if form["drop"]:
        it.registry.drop_hook(form.number("drop"), own)
        return shown(it)
    try:
        await add(it, form["url"])
    except ValueError as error:
        return shown(it, 400, problem=str(error))
    return shown(it)


PAGE = Page(
    "seats",
    "Seats",
    "/seats",
    "",
    [
        at("/seats", seats),
        at("/seats/invite", invite, "POST"),
        at("/seats/end", end, "POST"),
        at("/seats/key", key, "POST"),
        at("/seats/hook", hook, "POST"),
        at("/seats/dice", dice, "POST"),
    ],
)
