"""28.D item 1  Operational status: half an ARP a level, at any time, on a supplied airbase."""

from collections.abc import Iterator
from typing import Annotated

from forcepool.engine.command import BadCommand, Command
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import PLAYER_TURN, YES_NO, Fact, unit_key
from forcepool.engine.given import Nation, Pool, UnitName, one_of
from forcepool.engine.places import HEX
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.air.ceiling import tally
from forcepool.games.europa.air.prices import Bill
from forcepool.games.europa.air.question import (
    OPERATIVE,
    Air,
    is_air,
    is_airbase,
    is_an_air_unit,
    status_of,
)
from forcepool.games.europa.air.spending import Spending, lent, pay, rules_of_the_purse
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import REGULAR, supply_in_words
from forcepool.games.europa.ground.placing import AIR_STATUS, INOPERATIVE
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

FLOWN, EXTENDED = "flown", "extended"
LADDER = switch(
    "air-levels",
    "28.D.list.1/1",
    "where an extended unit stands among Inop, Flown and Operative",
    as_flown="it counts as Flown",
    own_level="it is a level of its own between Flown and Operative",
)


def levels(ruling: str) -> tuple[tuple[str, ...], ...]:
    """The levels of operational status, lowest first; words on one level cost the same."""
    if ruling == "own-level":
        return ((INOPERATIVE,), (FLOWN,), (EXTENDED,), (OPERATIVE,))
    return ((INOPERATIVE,), (FLOWN, EXTENDED), (OPERATIVE,))


def level_of(q: Air, status: str) -> int:
    found = [rank for rank, words in enumerate(levels(q.switch(LADDER.key))) if status in words]
    if not found:
        raise BadCommand(f"there is no status '{status}'; it is {INOPERATIVE}, {FLOWN}, {EXTENDED} or {OPERATIVE}")
    return found[0]


@computed("28.D.list.1/1")
def raising(q: Air, frm: str, to: str) -> Bill:
    """Half an ARP a level; downward nothing comes back, even where players overrule."""
    up = max(0, level_of(q, to) - level_of(q, frm))
    each = q.world.numbers["status_rise"]
    return Bill(up * each, "28.D.list.1/1", f"{up} level{'s' if up != 1 else ''} up at {show_points(each)}")


@rule("28.D.list.1/2")
def is_not_in_the_air(q: Spending) -> Verdict:
    """Any time will do, in either player's turn, but not while the unit flies a mission."""
    if not q.facts.is_so(q.unit, "flying"):
        return YES
    return no(f"{q.unit} is on a mission, not on an airbase", remedy="wait until it has returned to base")


@rule("28.D.list.1/3")
def stands_on_a_supplied_airbase(q: Spending) -> Verdict:
    """The unit must be on an airbase in regular supply."""
    unit, remedy = q.unit, "status rises only on an airbase in regular supply"
    if unit.place.kind != HEX:
        return no(f"{unit} is {q.world.where(unit.place)}", remedy="repair or replace it instead")
    base = unit.place.of
    if not is_airbase(q.facts, base):
        return no(f"{the_place(base)} is no airbase", remedy=remedy)
    supply = q.facts.to_side(q.side, base, "supply")
    if supply != REGULAR or q.facts.is_cut_off(q.side, base):
        return no(f"{the_place(base)} is {'isolated' if supply == REGULAR else supply_in_words(supply)}", remedy=remedy)
    return YES


@rule("28.D.list.1/1")
def rises_at_least_a_level(q: Spending) -> Verdict:
    """There is no level above Operative, and none is bought downward."""
    if q.bill.arps > 0 or q.unit.place.kind != HEX:
        return YES
    return no(f"{q.unit} is {status_of(q.facts, q.unit)} already", remedy="choose a higher status, if there is one")


class RaiseAirStatus(Command, tag="raise-air-status", frozen=True):
    """Spend half an ARP a level to make an air unit Flown or Operative, at any time."""

    unit: UnitName
    to: Annotated[str, one_of(INOPERATIVE, FLOWN, EXTENDED, OPERATIVE)] = OPERATIVE
    """flown or operative."""
    pay_from: Pool = ""
    """The theatre whose ARPs pay; left out, the one the unit is in."""
    arps_of: Nation = ""
    """The national force whose ARPs pay; its own, which is the only one that may unless a house rule shares them."""

    question = Spending
    needs = (is_an_air_unit,)
    requires = (
        is_not_in_the_air,
        stands_on_a_supplied_airbase,
        rises_at_least_a_level,
        *rules_of_the_purse("28.D.list.1/1", theatre="28.D/2"),
    )

    def bill(self, q: Spending) -> Bill:
        return raising(q, status_of(q.facts, q.unit), self.to)

    def effects(self, q: Spending) -> Iterator[Event]:
        yield from pay(q)
        yield from tally(q, q.bill.arps, rebuilt=False)
        yield Marked(on=unit_key(q.unit.id), mark=AIR_STATUS, value=self.to, because="28.D.list.1/1 28.D.list.1/2")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind != HEX or not is_air(world, unit):
            return
        status, ladder = status_of(world.facts(state), unit), levels(world.ruling(state, LADDER.key))
        rank = next((number for number, words in enumerate(ladder) if status in words), 0)
        for words in ladder[rank + 1 :]:
            yield cls(unit=unit.id, to=words[0])
            for pool, nation in lent(world, state, unit):
                yield cls(unit=unit.id, to=words[0], pay_from=pool, arps_of=nation)


CHAPTER = Chapter(
    heading="28.D",
    commands=(RaiseAirStatus,),
    facts=(Fact("flying", ("unit",), "it is in the air on a mission", False, YES_NO, lasts=PLAYER_TURN),),
    switches=(LADDER,),
)
