"""49.A.2.h  Reserves that are converted: the new unit keeps their status, or may lose it free."""

from collections.abc import Iterator
from typing import Any

from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import unit_key
from forcepool.engine.given import UnitList, UnitName
from forcepool.engine.state import Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import NO_RESERVE, OPERATIONAL, STRATEGIC
from forcepool.games.europa.ground.ownership import take_off
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.reserves.changes import FREE, RESERVE, named, noted_as_left, reserve_of
from forcepool.games.europa.reserves.mediterranean import MSR


class Converting(EuropaQuestion):
    """Units converted together into one."""

    command: "ReserveAfterConversion"

    @lazy
    def units(self) -> list[Unit]:
        """What it was made from, of its own nation."""
        units = named(self.state, self.command.converted, "converted")
        if units[0].spec.nation != self.nation:
            raise BadCommand(f"{units[0].id} is not of {self.nation}; {self.unit} was made from units of its nation")
        return units


def _reserves(q: Any) -> list[str]:
    return [reserve_of(q.facts, unit) for unit in q.units]


@rule("49.A.2.h/1", "49.A.2.h/2")
def keeps_its_status(q: Any) -> Verdict:
    """A unit converted from reserves is in reserve, unless one of several was in none."""
    reserves = _reserves(q)
    if not q.command.out_of_reserve or OPERATIONAL not in reserves:
        return YES
    if NO_RESERVE in reserves:
        return yes("49.A.2.h/2", "one of the units was not in reserve")
    return no(f"{', '.join(map(format, q.units))}: all in reserve", remedy="keep the new unit in reserve")


def may_leave_reserve(q: Any) -> bool:
    """Whether the owner may choose to have the new unit out of operational reserve: one of several was in none."""
    reserves = _reserves(q)
    return OPERATIONAL in reserves and NO_RESERVE in reserves


def takes_over_the_reserve(q: Any, new: str) -> Iterator[Event]:
    """The status of a unit that others were converted into; no points are used either way."""
    reserves, on = _reserves(q), unit_key(new)
    if OPERATIONAL in reserves:
        if q.command.out_of_reserve:
            yield from take_off(q.state, on, RESERVE, "49.A.2.h/2")
            yield noted_as_left(q.state, new, FREE, "49.A.2.h/2 49.A.2.h/3 49.A.1.e/2")
        else:
            yield Marked(on=on, mark=RESERVE, value=OPERATIONAL, because="49.A.2.h/1", says="no points used")
    elif set(reserves) == {STRATEGIC}:
        yield Marked(on=on, mark=RESERVE, value=STRATEGIC, because="49.B.2/5 49.A.2.h/1")
        yield Marked(on=on, mark=MSR, value=True, because="49.B.2/6")


class ReserveAfterConversion(Command, tag="reserve-after-conversion", frozen=True):
    """Settle the reserve status of a unit that others were converted into on the map, without the convert command."""

    unit: UnitName
    """The new unit."""
    converted: UnitList
    """The units it was made from."""
    out_of_reserve: bool = False
    """Yes to have it out of reserve, where one of several converted units was in none."""

    question = Converting
    requires = (keeps_its_status,)

    def effects(self, q: Converting) -> Iterator[Event]:
        yield from takes_over_the_reserve(q, q.unit.id)


CHAPTER = Chapter(heading="49.A.2.h", commands=(ReserveAfterConversion,))
