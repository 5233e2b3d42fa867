"""A chair at the table: whose it is, and how the journal calls it."""

from msgspec import Struct
from msgspec.structs import replace

HOME, HOST, REFEREE, SIDE, FRONT, OBSERVER = "home", "host", "referee", "side", "front", "observer"
ROLES = (HOME, HOST, REFEREE, SIDE, FRONT, OBSERVER)
SEES_ALL = (HOME, HOST, REFEREE)


class Seat(Struct, frozen=True):
    """A chair at the table: a role, and the side or front it goes with."""

    role: str
    side: str = ""
    front: str = ""
    name: str = ""
    """Whoever sits there, as the others know them."""

    @property
    def title(self) -> str:
        """'Axis, front/centre', 'referee', 'observer'."""
        place = ", ".join(part for part in (self.side, self.front) if part)
        if self.role == HOME:
            return "all sides"
        if self.role in (SIDE, FRONT):
            return place
        return f"{self.role} of {place}" if place else self.role

    @property
    def journal_name(self) -> str:
        """The seat that the journal notes beside what is done from here."""
        return self.side if self.role in (SIDE, FRONT) else REFEREE if self.role == REFEREE else ""

    @property
    def chair(self) -> "Seat":
        """The seat whoever sits on it: all that decides what is seen and done from here."""
        return replace(self, name="") if self.name else self

    @property
    def acts(self) -> bool:
        return self.role != OBSERVER


AT_HOME = Seat(HOME)
"""Whoever sits at the machine itself: all of it is theirs."""
