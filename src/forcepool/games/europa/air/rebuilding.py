"""28.D.1  Air units repaired and replaced: when it may be done, and when they are back."""

from collections.abc import Iterator

from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import NUMBER, YES_NO, Fact, unit_key
from forcepool.engine.places import TRACK, on_track
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa.air import cycle
from forcepool.games.europa.air.arps import pool_of
from forcepool.games.europa.air.ceiling import tally
from forcepool.games.europa.air.prices import Bill, repairing, replacing
from forcepool.games.europa.air.question import ABORTED, CAME_FROM, Air, is_air, is_an_air_unit, lies_in
from forcepool.games.europa.air.spending import (
    FORCES,
    RARE_LIMIT,
    RareCodes,
    RebuildAir,
    Spending,
    lent,
    pay,
    rules_of_the_purse,
)
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.purchase import REPLACEMENT, Spends
from forcepool.games.europa.ground.tallies import air_force_of
from forcepool.games.europa.own_phase import in_own
from forcepool.games.europa.replacements.general.boxes import LeaveIsolatedBox, Recover
from forcepool.games.europa.replacements.general.evacuation import Evacuate
from forcepool.games.europa.replacements.general.scrapping import Scrap
from forcepool.games.europa.replacements.special.averting import PayCasualties
from forcepool.games.europa.world import ELIMINATED, EuropaWorld
from forcepool.rulebook.citations import computed

PAID_OR_GIVEN_IN_RPS = (Spends, PayCasualties, Scrap, Recover, LeaveIsolatedBox, Evacuate)
"""Commands of rule 52 that mean nothing for an air unit, whose worth is not counted in RPs."""


@rule("28/4", "28.D.list.5/2")
def it_is_the_replacement_phase(q: Spending) -> Verdict:
    """Units are repaired and replaced in the owner's replacement phase, and at the end of an air cycle."""
    if not cycle.in_own_replacement_phase(q) and cycle.at_end_of_cycle(q.world, q.state, q.side):
        return yes("28.D.list.5/2", "the end of the air cycle")
    return in_own(q, REPLACEMENT)


@computed("28.D.1/2", "28.D.1/4")
def arrival(q: Spending, number: str) -> int:
    """Two turns on for a repair, four for a replacement, counted at the end of a cycle from the turn that ends."""
    now = int(q.state.clock.turn)
    if not cycle.in_own_replacement_phase(q) and cycle.at_end_of_cycle(q.world, q.state, q.side):
        now = cycle.last_turn_of_cycle(q.world, q.state, q.side)
    return now + int(q.world.numbers[number])


def _rebuild(q: Spending, number: str, because: str) -> Iterator[Event]:
    unit = q.unit
    yield from pay(q)
    yield from tally(q, q.bill.arps)
    yield Marked(on=unit_key(unit.id), mark=CAME_FROM, value=unit.place.kind, because=because)
    yield Moved(unit=unit.id, frm=unit.place, to=on_track(unit.place.of, arrival(q, number)), because=because)


class RepairAir(RebuildAir, tag="repair-air", frozen=True):
    """Spend ARPs on an aborted air unit; it comes back by the track."""

    needs = (is_an_air_unit, lies_in(ABORTED, "28.D.1/1", "only aborted units are repaired"))
    requires = (it_is_the_replacement_phase, *rules_of_the_purse("28.D.1/1"))

    def bill(self, q: Spending) -> Bill:
        return repairing(q.world, q.unit)

    def effects(self, q: Spending) -> Iterator[Event]:
        yield from _rebuild(q, "air_repair_time", "28.D.1/2")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == ABORTED:
            yield cls(unit=unit.id, pay_from=pool_of(world, state, unit.place.of, air_force_of(unit.spec)))
            for pool, nation in lent(world, state, unit):
                yield cls(unit=unit.id, pay_from=pool, arps_of=nation)


class ReplaceAir(RebuildAir, tag="replace-air", frozen=True):
    """Spend ARPs on an eliminated air unit; it comes back by the track."""

    needs = (
        is_an_air_unit,
        lies_in(ELIMINATED, "28.D.1/3", "only eliminated units are replaced; repair an aborted one"),
    )
    requires = (it_is_the_replacement_phase, *rules_of_the_purse("28.D.1/3"))

    def bill(self, q: Spending) -> Bill:
        return replacing(q.world, q.unit)

    def effects(self, q: Spending) -> Iterator[Event]:
        yield from _rebuild(q, "air_replacement_time", "28.D.1/4")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == ELIMINATED and is_air(world, unit):
            yield cls(unit=unit.id, pay_from=pool_of(world, state, unit.place.of, air_force_of(unit.spec)))
            for pool, nation in lent(world, state, unit):
                yield cls(unit=unit.id, pay_from=pool, arps_of=nation)


@rule("28.D/3")
def air_units_are_replaced_with_arps(q: Air) -> Verdict:
    """RPs build nothing that flies, and nothing that flies is turned into RPs."""
    if not is_air(q.world, q.unit):
        return YES
    return no(f"{q.unit} is an air unit, for which RPs neither are paid nor given", remedy="use ARPs (replace-air)")


CHAPTER = Chapter(
    heading="28.D.1",
    commands=(RepairAir, ReplaceAir),
    facts=(
        Fact("airbase_capacity", ("place",), "the capacity of the airbase", 1, NUMBER),
        Fact("airbase_full", ("place",), "the airbase can take no further unit", False, YES_NO),
        Fact(CAME_FROM, ("unit",), "the box it is being rebuilt from", "", by_hand=False, told_in=(TRACK,)),
    ),
    guards=dict.fromkeys(PAID_OR_GIVEN_IN_RPS, (air_units_are_replaced_with_arps,)),
    charts={"rare_codes": tuple[RareCodes, ...]},
    switches=(FORCES, RARE_LIMIT),
    boxes={ABORTED: "ABORTED AIR BOX"},
)
