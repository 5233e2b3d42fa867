"""A campaign being read into tables, and the columns that many of them share."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from forcepool.engine.campaign import Campaign
from forcepool.engine.events import Event
from forcepool.engine.places import Place
from forcepool.engine.units import UnitSpec
from forcepool.tables.chronicle import Happened, Moment, Moments, happened
from forcepool.tables.table import NUMBER, Cell, Column
from forcepool.views.names import in_words

Row = tuple[Cell, ...]
WHEN = (
    Column("turn", about="the turn, as players write it"),
    Column("turn_number", NUMBER, "1 for the turn the campaign began in"),
    Column("month", about="year and month"),
    Column("player", about="whose player turn it was"),
    Column("phase", about="the phase"),
)
ENTRY = Column("entry", NUMBER, "the journal's entry")
UNIT = (
    Column("unit", about="the unit's name"),
    Column("nation"),
    Column("side", about="the side its nation fights on now"),
    Column("type", about="Inf, Pz, Art"),
    Column("size", about="XX, X, III"),
)
CLAUSES = (Column("clauses", about="the clauses behind it"), Column("working", about="how it was worked out"))


class Source(Struct, frozen=True):
    """A table that a campaign can be asked for."""

    about: str
    columns: tuple[Column, ...]
    rows: Callable[["Reader"], Iterator[Row]]


class Reader:
    """A campaign being read into tables."""

    def __init__(self, campaign: Campaign, progress: Callable[[int, int], None] = lambda done, of: None) -> None:
        """`progress` hears how many of how many units were asked about, where that takes a while."""
        self.progress = progress
        self.campaign, self.world, self.state = campaign, campaign.world, campaign.state
        self.moments = Moments(campaign.world, campaign.beginning.state.clock.turn)
        began = campaign.beginning.state
        self.specs: dict[str, UnitSpec] = {each.id: each.spec for each in began.units} | {
            each.id: each.spec for each in self.state.units.values()
        }

    def events(self, *kinds: type[Event]) -> Iterator[tuple[Happened, Row]]:
        """What happened of some kinds, each with the columns that say when."""
        for each in happened(self.campaign, *kinds):
            yield each, when(self.moments[each.at])

    def unit(self, unit: str) -> Row:
        """The columns that tell of a unit."""
        spec = self.specs.get(unit)
        if spec is None:
            return (unit, "", "", "", "")
        return (unit, spec.nation, self.side(spec.nation), spec.type, spec.size)

    def side(self, nation: str) -> str:
        return self.world.side_now(self.state, nation)

    def place(self, place: Place) -> str:
        """A place in a player's words; nothing for none."""
        return in_words(self.world.show_place(place)) if place.kind else ""


def when(moment: Moment) -> Row:
    return (moment.turn, moment.number, moment.month, moment.player, moment.phase)
