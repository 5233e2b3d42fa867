"""Where a request stands: which campaign, from which seat, and what that seat sees."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request

from forcepool.engine.campaign import Campaign
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.store.stock import APART
from forcepool.web.chair import AT_HOME, HOST, SIDE, Seat
from forcepool.web.habits import Habits
from forcepool.web.keeping import ARCHIVED, Keeper
from forcepool.web.registry import Invitation, Registry
from forcepool.web.seats import Sight
from forcepool.web.security import COOKIE, Signer, new_session
from forcepool.web.shelf import NoSuchCampaign, Shelf, Table

NOT_FOUND = "There is no such campaign on this server, or you have no seat at it."
GONE = "This what-if is closed: its orders were given, or it was thrown away."
OF_THE_CAMPAIGN = {"seats", "hooks", "messages"}
"""Pages and addresses that a what-if does not have."""
NOT_HERE = "Seats, messages and what belongs to them are the campaign's own; leave the what-if first."


class Here:
    """One request at one campaign."""

    def __init__(self, request: Request, table: Table, seat: Seat, invitation: Invitation | None) -> None:
        self.request, self.table, self.seat, self.invitation = request, table, seat, invitation
        self.sight = Sight(seat, table.campaign.world, table.campaign.state)

    @property
    def campaign(self) -> Campaign:
        return self.table.campaign

    @property
    def world(self) -> World:
        return self.campaign.world

    @property
    def state(self) -> State:
        return self.campaign.state

    @property
    def registry(self) -> Registry:
        found: Registry = self.request.app.state.registry
        return found

    @property
    def who(self) -> str:
        """Whose looking and ticking it is: the invitation's, or the session's at one's own machine."""
        return f"invitation/{self.invitation.id}" if self.invitation else f"home/{self.seat.side}"

    @property
    def owner(self) -> str:
        """Whose the long tasks are that are begun from here: a seat has one at a time."""
        return f"{self.table.name}/{self.who}"

    @property
    def path(self) -> str:
        """Where the campaign's pages begin: '/c/east'."""
        return f"/c/{quote(self.table.name)}"

    @property
    def of(self) -> str:
        """The name of the campaign itself, also where one is in a what-if of it."""
        found = shelf_of(self.request).stock.whatif(self.table.name)
        return found.campaign if found else self.table.name

    @property
    def in_whatif(self) -> bool:
        return self.of != self.table.name

    @property
    def own_whatif(self) -> str:
        """The name of the what-if that is open for whoever looks; empty without one."""
        return shelf_of(self.request).stock.whatif_of(self.of, tries_as(self.invitation))

    @property
    def moment(self) -> str:
        """The turn, player and phase: ticks and news last as long."""
        clock = self.state.clock
        return f"{clock.turn}.{clock.player}.{clock.phase}"

    @cached_property
    def habits(self) -> Habits:
        """What the seat has ticked, seen and planned, as it was when this was first asked."""
        return self.registry.habits(self.who, self.table.name, self.moment)

    def kept(self, key: Any, make: Any) -> Any:
        """What is worked out once for a chair, however many sit on it and however often they look."""
        return self.table.kept((self.seat.chair, key), make)


def session_of(request: Request) -> str:
    """The session a request belongs to; a new one is made for those who come without."""
    found: str = getattr(request.state, "session", "")
    if not found:
        found = signer_of(request).session(request.cookies.get(COOKIE, ""))
        request.state.new_session = not found
        found = request.state.session = found or new_session()
    return found


def renew_session(request: Request, session: str) -> None:
    """Go on under another session, whose cookie the answer brings."""
    request.state.session, request.state.new_session = session, True


def signer_of(request: Request) -> Signer:
    found: Signer = request.app.state.signer
    return found


def shelf_of(request: Request) -> Shelf:
    found: Shelf = request.app.state.shelf
    return found


def keeper_of(request: Request) -> Keeper:
    found: Keeper = request.app.state.keeper
    return found


def here(request: Request) -> Here:
    """The campaign and seat of a request; one answer for what does not exist and for what is not one's own."""
    name = request.path_params["campaign"]
    seat, invitation = seat_at(request, name)
    if seat is None:
        raise HTTPException(404, GONE if APART in name else NOT_FOUND)
    if OF_THE_CAMPAIGN & {*request.url.path.split("/")} and shelf_of(request).stock.whatif(name):
        raise HTTPException(404, NOT_HERE)
    try:
        table = shelf_of(request).table(name)
    except NoSuchCampaign:
        raise HTTPException(404, NOT_FOUND) from None
    return Here(request, table, seat, invitation)


def seat_at(request: Request, campaign: str) -> tuple[Seat | None, Invitation | None]:
    """The seat a request has at a campaign: by key, by session, or by sitting at the machine itself."""
    registry: Registry = request.app.state.registry
    if whatif := shelf_of(request).stock.whatif(campaign):
        seat, invitation = seat_at(request, whatif.campaign)
        return (seat, invitation) if seat and tries_as(invitation) == whatif.who else (None, None)
    if APART in campaign and campaign not in shelf_of(request).names():
        return None, None
    if key := key_in(request):
        found = registry.keyed(key, campaign)
        return (found.seat, found) if found else (None, None)
    if not request.app.state.public:
        side = registry.chosen(session_of(request), campaign)
        return (Seat(SIDE, side) if side else AT_HOME), None
    request.state.sittings = registry.sittings(session_of(request), campaign)
    found = next(iter(request.state.sittings), None)
    return (found.seat, found) if found else (None, None)


def tries_as(invitation: Invitation | None) -> str:
    """Whose a what-if is: at one's own machine it is the same whichever side one looks from."""
    return f"invitation/{invitation.id}" if invitation else "home"


def listed(request: Request, names: Iterable[str]) -> list[str]:
    """Of some campaigns those that are in the lists: what the host has laid by is not."""
    standings = request.app.state.registry.standings()
    return [name for name in names if name not in standings or standings[name][0] != ARCHIVED]


def key_in(request: Request) -> str:
    """The key a program sends; nothing for a browser."""
    return request.headers.get("authorization", "").removeprefix("Bearer ").strip()


def is_host(request: Request) -> bool:
    """Whether the request may begin campaigns and hand out seats everywhere."""
    if not request.app.state.public:
        return True
    sittings = getattr(request.state, "sittings", None)
    if sittings is None:
        sittings = request.app.state.registry.sittings(session_of(request), "")
    everywhere = next((each for each in sittings if not each.campaign), None)
    return everywhere is not None and everywhere.seat.role == HOST
