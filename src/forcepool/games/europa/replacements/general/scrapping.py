"""52.A.6  Scrapping: a major power takes units out of play for points, and the OB may call them back."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from forcepool.engine.agenda import LAPSES, OPEN, Item
from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.facts import MONTH, YES_NO, Fact, subject_key
from forcepool.engine.game import Habit
from forcepool.engine.given import UnitName
from forcepool.engine.ledger import Price
from forcepool.engine.places import OUT_OF_PLAY, Place
from forcepool.engine.points import show_counted, show_points
from forcepool.engine.sentence import the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.tally import Tally
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground import pools
from forcepool.games.europa.ground.pools import REINFORCEMENT, usable_from
from forcepool.games.europa.ground.purchase import REPLACEMENT, can_pay, spend
from forcepool.games.europa.ground.tallies import counted_as
from forcepool.games.europa.own_phase import only_in_own
from forcepool.games.europa.question import first_of_month, in_a_later
from forcepool.games.europa.replacements.general.boxes import (
    RECOVERED,
    Boxed,
    lies_in,
    share_of_strength,
    working,
)
from forcepool.games.europa.world import ISOLATED, EuropaWorld
from forcepool.rulebook.citations import computed

SCRAPPED = "scrapped"
SCRAPPED_RES = Tally(
    "scrapped_res",
    "nation",
    "the REs it has scrapped this month",
    MONTH,
    by_hand=True,
    said="{} REs scrapped this month",
)
CALLED_FOR = "called_for"
BREAKDOWN = "breakdown"


@rule("52.A.6/1")
def is_a_major_powers(q: Boxed) -> Verdict:
    """Only major powers scrap units, and only their own."""
    if q.world.profile.nations[q.nation].major:
        return YES
    return no(f"{q.nation} is no major power")


@rule("52.A.6/3")
def is_no_breakdown_unit(q: Boxed) -> Verdict:
    """A counter that is a component of a larger unit is not scrapped."""
    charts = q.world.chart("breakdowns") or {}
    whole = sorted(name for name, chart in charts.items() if q.unit.id in chart.into)
    if BREAKDOWN not in q.unit.spec.traits and not whole:
        return YES
    return no(f"{q.unit} is a breakdown unit{f' of {the_unit(whole[0])}' if whole else ''}", remedy="scrap another")


@computed("52.A.6/8")
def scrapping_left(world: EuropaWorld, state: State, nation: str) -> Fraction:
    """The REs a power may still scrap this month; what it did not use before is gone."""
    return SCRAPPED_RES.left(world.facts(state), subject_key("nation", nation), world.numbers["scrap_limit"])


@rule("52.A.6/7", "52.A.6/8")
def within_the_months_scrapping(q: Boxed) -> Verdict:
    """A major power scraps at most 4 REs a month, at their full size."""
    size, free = q.world.res(q.unit.spec), scrapping_left(q.world, q.state, q.nation)
    if size <= free:
        return YES
    limit, turn = q.world.numbers["scrap_limit"], first_of_month(q.world, q.state.clock.turn, 1)
    return no(
        f"{q.unit} is {show_counted(size, 'RE')}, {q.nation} may scrap {show_points(free)} more this month",
        remedy=in_a_later(q, turn, f"wait for {q.world.turn_name(turn)}") if size <= limit else "",
        have=free,
        need=size,
    )


@computed("52.A.6/4", "52.A.11/12")
def scrap_value(q: Boxed) -> Fraction:
    """A tenth of the full strength, in inf RPs."""
    return share_of_strength(q, "scrap_rate")


class Scrap(Command, tag="scrap", frozen=True):
    """Take a unit of the ELIMINATED ISOLATED BOX out of play for good, for a tenth of its strength in inf RPs."""

    harms = True

    unit: UnitName

    question = Boxed
    needs = (lies_in(ISOLATED, "52.A.6/2", "move it there first (recover)"),)
    requires = (
        only_in_own(REPLACEMENT, "52.A.6/2"),
        is_a_major_powers,
        is_no_breakdown_unit,
        within_the_months_scrapping,
    )

    def effects(self, q: Boxed) -> Iterator[Event]:
        unit, turn, nation = q.unit, q.after("scrap_time"), counted_as(q.unit.spec)
        account = usable_from(turn, q.drawn(nation, q.infantry)[0])
        yield Transferred(
            amount=scrap_value(q),
            kind=q.infantry,
            nation=nation,
            frm=RECOVERED,
            to=account,
            because="52.A.6/4",
            says=f"{unit}: {working(q, 'scrap_rate')}, usable from {q.world.turn_name(turn)}",
        )
        yield pools.brought_by(q.state, nation, "52.A.6/4", account)
        yield SCRAPPED_RES.counts(q.facts, subject_key("nation", q.nation), q.world.res(unit.spec), "52.A.6/7")
        yield Moved(unit=unit.id, frm=unit.place, to=OUT_OF_PLAY, because="52.A.6/2")
        yield Marked(on=q.key(), mark=SCRAPPED, value=True, because="52.A.6/2")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == ISOLATED:
            yield cls(unit=unit.id)


# ----------------------------------------------------------------------------- what the OB asks for


@rule("52.A.6/6")
def is_scrapped(q: Boxed) -> Verdict:
    """Only a scrapped unit is recalled."""
    if q.facts.is_so(q.unit, SCRAPPED) and q.unit.place == OUT_OF_PLAY:
        return YES
    return no(f"{q.unit} is not scrapped", remedy="it is still in play")


@rule("52.A.6/6", "52.A.6/5")
def the_ob_calls_for_it(q: Boxed) -> Verdict:
    """A scrapped unit comes back only when the OB calls for it."""
    if q.facts.is_so(q.unit, CALLED_FOR):
        return yes("52.A.6/5")
    return no(f"the OB does not call for {q.unit}", remedy="if it does, declare it called_for")


@computed("52.A.6/5")
def price_of_recall(q: Boxed) -> Price:
    """A fifth of the full strength in inf RPs."""
    return Price({q.infantry: share_of_strength(q, "recall_price")}, working(q, "recall_price"), "52.A.6/5")


class RecallScrapped(Command, tag="recall-scrapped", frozen=True):
    """Put a scrapped unit that the OB calls for back in the ELIMINATED ISOLATED BOX."""

    unit: UnitName

    question = Boxed
    needs = (is_scrapped,)
    requires = (only_in_own(REINFORCEMENT, "52.A.6/5"), the_ob_calls_for_it, can_pay("52.A.6/5"))

    def price(self, q: Boxed) -> Price:
        return price_of_recall(q)

    def effects(self, q: Boxed) -> Iterator[Event]:
        yield from spend(q)
        yield Marked(on=q.key(), mark=SCRAPPED, value=None, because="52.A.6/5")
        if q.facts.is_so(q.unit, CALLED_FOR):
            yield Marked(on=q.key(), mark=CALLED_FOR, value=None, because="52.A.6/6")
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=Place(ISOLATED, q.national), because="52.A.6/5")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        facts: Any = world.facts(state)
        if unit.place == OUT_OF_PLAY and facts.is_so(unit, SCRAPPED):
            yield cls(unit=unit.id)


# -------------------------------------------------------------------------------------------- agenda


def may_scrap(world: EuropaWorld, state: State) -> Iterator[Item]:
    """What a major power with units in its isolated box may still scrap this month."""
    if world.phase(state) != REPLACEMENT:
        return
    side = world.phasing(state)
    there = (unit for unit in state.units_at(ISOLATED) if unit.place.is_reached(state.clock.turn))
    nations = {unit.spec.nation for unit in there}
    for nation in sorted(nations):
        free = scrapping_left(world, state, nation)
        if world.side_now(state, nation) == side and world.profile.nations[nation].major and free > 0:
            last = world.calendar.is_last_of_month(state.clock.turn)
            text = f"{nation} may scrap {show_counted(free, 'RE')} more this month; the rest is not saved"
            yield Item(LAPSES if last else OPEN, text, "52.A.6/8", side)


CHAPTER = Chapter(
    heading="52.A.6",
    commands=(Scrap, RecallScrapped),
    facts=(
        Fact(SCRAPPED, ("unit",), "it was scrapped", False, YES_NO),
        SCRAPPED_RES.fact,
        Fact(CALLED_FOR, ("unit",), "the OB has called for it though it was scrapped", False, YES_NO),
    ),
    agenda=(may_scrap,),
    habits={"scrap": Habit((REPLACEMENT,), 1)},
)
