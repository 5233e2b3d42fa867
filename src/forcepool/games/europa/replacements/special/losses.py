"""52.F.1, 52.F.2, 52.F.3 and 52.A.9.b  Losses: what is counted, how it was isolated, and which box takes the unit."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, NamedTuple

from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Became, Event, Marked, Moved
from forcepool.engine.facts import unit_key
from forcepool.engine.given import Area, Points, Spot, UnitName, one_of
from forcepool.engine.ledger import Price
from forcepool.engine.places import HEX, Place
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_field, the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE, REMNANT, STEPS
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import COMBAT_ISOLATED, NOT_ISOLATED, SUPPLY_ISOLATED
from forcepool.games.europa.ground import tallies
from forcepool.games.europa.ground.pools import front_is_its_own
from forcepool.games.europa.ground.soviet_pools import SOVIET, city_pool
from forcepool.games.europa.ground.tallies import ADDED_BACK, COMBAT, SUPPLY, UNISOLATED
from forcepool.games.europa.point_words import some
from forcepool.games.europa.question import BearsALoss, EuropaQuestion, instead
from forcepool.games.europa.replacements.allied.casualty_order import may_take_in_order
from forcepool.games.europa.replacements.soviet.city_lines import soviet_cities, why_no_source
from forcepool.games.europa.replacements.special import auxiliary, casualties, fragile, pockets
from forcepool.games.europa.replacements.special.casualties import GONE
from forcepool.games.europa.replacements.special.special import ASIDE, LOST_AS, replaceable_from
from forcepool.games.europa.world import ELIMINATED, ISOLATED, NATIONAL, EuropaWorld
from forcepool.rulebook.citations import meets_one_of

IN_COMBAT, OVERRUN, ROLL, TRANSIT, OTHER = CAUSES = ("combat", "overrun", "isolation-roll", "transit", "other")
STATES = (NOT_ISOLATED, COMBAT_ISOLATED, SUPPLY_ISOLATED)

SUPPLY_LOSSES = switch(
    "supply-isolated-losses",
    "52.F.2/1",
    "what supply isolated units lost in combat bring",
    tenth="a tenth of every loss, as infantry",
    reductions_only="a tenth of what units lose by going down a step; units eliminated bring nothing",
    none="nothing at all: the tenth is for combat isolated units",
)
BOXES = switch(
    "loss-boxes",
    "52.A.9.b/2",
    "whose ELIMINATED BOX takes a unit lost in an MD of its own side",
    front="its front's, else its theatre's; the Soviets alone have boxes by MD",
    md="the MD's, for everybody",
)
POCKETS = switch(
    "pocket-losses",
    "52.F.2/8",
    "which pockets receive special replacements at the normal rate",
    declared="those with an auxiliary pool",
    every="every pocket, declared or not",
)


class Losing(EuropaQuestion):
    """A unit about to be lost, or to go down a step."""

    command: "Lose"

    @lazy
    def gone(self) -> bool:
        return self.command.to == GONE

    @lazy
    def cause(self) -> str:
        return self.command.cause

    @lazy
    def isolated(self) -> str:
        """How it was isolated when lost: as said with the loss, else as declared before."""
        return self.command.isolated or self.facts.isolated(self.unit)

    @lazy
    def area(self) -> str:
        """The area whose box takes it: as said, else that of its own side where its hex lies; empty if nobody said."""
        named = self.command.front
        if named:
            return self.world.area_named(named)
        around = self.world.spot(self.unit.place.of).area
        box = homes.track_in if self.switch(BOXES.key) == "md" else homes.home_in
        return box(self.world, self.facts, around, self.nation) if around else ""

    @lazy
    def front(self) -> str:
        """The front that keeps count of it."""
        return tallies.front_of(self.world, self.state, self.area, self.nation)

    @lazy
    def pocket(self) -> str:
        """The pool of the pocket it is in, declared or not; empty elsewhere."""
        name = self.facts.of_unit(self.unit, "pocket")
        return pockets.pool_of(name) if name else ""

    @lazy
    def falls(self) -> str:
        """'last' when a pocket's last unit is lost, 'hq' when its last army HQ is, else nothing."""
        if not self.pocket or not self.gone or self.unit.place.kind != HEX or self.has_left:
            return ""
        kind = pockets.is_formed(self.world, self.state, self.pocket)
        hq = kind == pockets.POCKET and pockets.is_army_hq(self.world, self.unit)
        units = pockets.still_inside(self.world, self.state, self.pocket)
        others = [each for each in units if each.id != self.unit.id]
        if not others:
            return "hq" if hq and self.switch(pockets.LAST_UNIT.key) == "dissolved" else "last"
        return "hq" if hq and not any(pockets.is_army_hq(self.world, each) for each in others) else ""

    @lazy
    def auxiliary(self) -> str:
        """The auxiliary pool that takes the loss, unless it falls with it."""
        formed = self.pocket and pockets.is_formed(self.world, self.state, self.pocket)
        return self.pocket if formed and not self.falls and not self.has_left else ""

    @lazy
    def has_left(self) -> bool:
        """Whether it was in a pocket once and is isolated no more."""
        kind = pockets.is_formed(self.world, self.state, self.pocket)
        return self.isolated == NOT_ISOLATED and kind not in (pockets.FORTIFICATION, pockets.ISLAND)

    @lazy
    def city(self) -> str:
        """The Soviet replacement city an isolated unit traces an LOC to."""
        if self.isolated == NOT_ISOLATED or self.world.side_now(self.state, self.unit.spec.nation) != SOVIET:
            return ""
        if self.command.loc:
            return self.world.hex_name(self.command.loc)
        declared = self.world.hex_name(self.facts.of_unit(self.unit, "loc"))
        # No line leads to a city that has fallen since it was declared.
        if declared:
            return "" if why_no_source(self, declared) else declared
        # Where the players say that it is isolated they say what it traces to as well; else the map knows both.
        traced = self.gone and not self.command.isolated and self.facts.traced(unit_key(self.unit.id), "isolated")
        return self.facts.nearest_by_loc(SOVIET, self.unit.place.of, soviet_cities(self)) if traced else ""

    @lazy
    def loss(self) -> Price:
        """What it loses, by kind of RP."""
        return casualties.taken(self.world, self.state, self.unit, self.command.to, ordered=self.command.ordered)

    @lazy
    def fragile(self) -> fragile.Fragile | None:
        return fragile.without_substitute(self.world, self.state, self.unit.spec)

    @lazy
    def due(self) -> Fraction:
        """The casualties due; the whole loss unless fewer were."""
        if not self.command.casualties:
            return self.loss.total
        return min(some(self.command.casualties, "casualties"), self.loss.total)


# --------------------------------------------------------------------------------------------------- the rules


@rule("52.A.9/2")
def can_lose_a_step(q: Losing) -> Verdict:
    """A unit on the map goes down to a step below the one it stands at, or is eliminated."""
    unit, goal = q.unit, q.command.to
    if q.cause == TRANSIT:
        return _is_in_transit(q)
    if unit.place.kind != HEX:
        return no(f"{unit} is not on the map but {q.world.where(unit.place)}")
    if goal == GONE:
        return YES
    if not unit.spec.has(goal):
        below = [step for step in STEPS[STEPS.index(unit.step) + 1 :] if unit.spec.has(step)]
        ways = " or ".join(the_field("to", step) for step in (GONE, *below))
        return no(f"{unit} has no {goal} strength", remedy=instead(q, f"say {ways}", to=(GONE, *below)[0]))
    if STEPS.index(goal) <= STEPS.index(unit.step):
        return no(f"{unit} already stands at {unit.step} strength")
    return YES


def _is_in_transit(q: Losing) -> Verdict:
    """Eliminated units are moved from one ELIMINATED BOX to another, and may be lost on the way."""
    if q.unit.place.kind == ELIMINATED and q.gone:
        return YES
    where = q.world.where(q.unit.place)
    return no(f"{q.unit} is not on its way between ELIMINATED BOXES but {where}", clause="52.F.3/1")


@rule("52.A.9.b/2", "52.A.4/1")
def a_box_takes_it(q: Losing) -> Verdict:
    """An eliminated unit goes to its own front's ELIMINATED BOX, a supply isolated one to the national ISOLATED BOX."""
    if not q.gone or q.isolated == SUPPLY_ISOLATED or q.cause == TRANSIT:
        return yes("52.A.4/1") if q.isolated == SUPPLY_ISOLATED else YES
    if q.area or q.auxiliary or not q.unit.place.on_map:
        return YES
    return no(
        f"the scenario does not say which MD or front {the_place(q.unit.place.of)} belongs to",
        remedy=f"name it with {the_field('front')}",
    )


@rule("52.J.2.d/1")
def traces_to_a_replacement_city(q: Losing) -> Verdict:
    """An isolated Soviet unit gives normal special replacements if it traces an LOC to a Soviet replacement city."""
    if not q.command.loc:
        return YES
    if not q.city:
        return no(f"{q.unit} is no isolated Soviet unit", remedy=instead(q, f"leave out {the_field('loc')}", loc=""))
    if why := why_no_source(q, q.city):
        return no(why, remedy=f"name another city with {the_field('loc')}, or leave it out")
    if q.facts.has_loc(SOVIET, q.unit.place.of, q.city):
        return YES
    return no(
        f"no LOC leads from {the_place(q.unit.place.of)} to {the_place(q.city)}",
        remedy=f"open one, or leave out {the_field('loc')}",
    )


@rule("52.D.3.d/1")
def order_is_open_to_it(q: Losing) -> Verdict:
    """After January 1943 Allied units may take partial losses in the order of their type."""
    return may_take_in_order(q, partial=not q.gone) if q.command.ordered else YES


# ----------------------------------------------------------------------------------- what is counted, and as what


class Reckoning(NamedTuple):
    """On which tally a loss is counted; on none when `how` is empty."""

    how: str
    of: str
    because: str


@meets_one_of("52.F.2/2", "52.F.2/7", "52.F.2/8", "52.F.3/2", "52.F.4.b/5", "52.J.2.d/1")
def reckoning(q: Losing) -> Reckoning:
    """Whether a loss brings special replacements, by its cause and by how the unit was isolated."""
    if q.cause == TRANSIT:
        return Reckoning("", "", "52.F.3/2")
    if q.cause == ROLL:
        return Reckoning("", "", "52.F.2/2")
    if q.city and q.gone:
        return Reckoning(UNISOLATED, city_pool(q.city), "52.J.2.d/1")
    if q.cause == OTHER:
        return Reckoning("", "", "52.F.2/7" if q.isolated == SUPPLY_ISOLATED else "52.F/1")
    if q.auxiliary:
        return Reckoning(UNISOLATED, q.auxiliary, "52.F.4.b/5 52.F.2/8")
    if q.pocket and not q.falls and q.switch(POCKETS.key) == "every":
        return Reckoning(UNISOLATED, q.pocket, "52.F.2/8")
    if q.isolated == SUPPLY_ISOLATED:
        return _supply_isolated(q)
    if q.isolated == COMBAT_ISOLATED:
        return Reckoning(COMBAT, q.front, "52.F.2/5")
    return Reckoning(UNISOLATED, q.front, "52.F/1 52.F.5/1")


def _supply_isolated(q: Losing) -> Reckoning:
    ruling = q.switch(SUPPLY_LOSSES.key)
    if ruling == "none" or (ruling == "reductions-only" and q.gone):
        return Reckoning("", "", "52.F.2/7")
    return Reckoning(SUPPLY, q.front, "52.F.2/1")


# ------------------------------------------------------------------------------------------- where the unit goes


@meets_one_of("52.F.1/1", "52.F.2/4", "52.F.2/6", "52.F.3/1")
def destination(q: Losing) -> tuple[Place, str]:
    """The box or track that takes an eliminated unit, and the clause that says so."""
    unit, turn = q.unit, q.state.clock.turn
    isolated_box = Place(ISOLATED, NATIONAL + unit.spec.nation)
    if q.cause == TRANSIT:
        return isolated_box, "52.F.3/1"
    if q.auxiliary and q.switch(auxiliary.THE_ELIMINATED.key) != "isolated-box":
        return Place(ELIMINATED, q.auxiliary), "52.F.4.b/5"
    if q.isolated == SUPPLY_ISOLATED:
        return isolated_box, "52.F.2/6 52.A.4/1"
    if q.isolated == COMBAT_ISOLATED:
        due = turn + int(q.world.numbers["combat_isolated_time"])
        return Place(ELIMINATED, q.world.theatre_of(q.area), due), "52.F.2/4"
    return Place(ELIMINATED, q.area, replaceable_from(q.world, q.state, unit.spec.nation)), "52.F.1/1"


class Lose(BearsALoss, tag="lose", frozen=True):
    """Take a loss: a unit is eliminated, or goes down to cadre or remnant."""

    harms = True

    unit: UnitName
    to: Annotated[str, one_of(GONE, CADRE, REMNANT)] = GONE
    isolated: Annotated[str, one_of(*STATES)] = ""
    """no, combat or supply; left out, as declared for the unit."""
    front: Area = ""
    """The MD or front that takes the loss; left out, that of its own side where its hex lies."""
    cause: Annotated[str, one_of(*CAUSES)] = IN_COMBAT
    """combat, overrun, isolation-roll, transit (between ELIMINATED BOXES) or other."""
    casualties: Points = ""
    """The casualties due, where the unit is worth more: the rest is added back."""
    loc: Spot = ""
    """The replacement city to which an isolated Soviet unit traces an LOC."""
    ordered: bool = False
    """Allied, after January 1943: take a partial loss in the order of the unit's type."""

    question = Losing
    needs = (can_lose_a_step, a_box_takes_it, front_is_its_own)
    requires = (traces_to_a_replacement_city, order_is_open_to_it)

    def effects(self, q: Losing) -> Iterator[Event]:
        reckoned = reckoning(q)
        if q.gone:
            yield from _eliminated(q, reckoned)
        else:
            yield Became(unit=q.unit.id, was=q.unit.step, step=self.to, because=f"52.A.9/2 {reckoned.because}")
        if reckoned.how and not q.fragile:
            yield from _counted(q, reckoned)
        if q.falls == "last":
            yield from pockets.fallen(q.world, q.state, q.pocket)
        elif q.falls:
            ruling = q.switch(pockets.DISSOLVING.key)
            yield from pockets.dissolved(q.world, q.state, q.pocket, ruling, "52.F.4.b/6")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == HEX:
            yield cls(unit=unit.id)
            for step in STEPS[STEPS.index(unit.step) + 1 :]:
                if unit.spec.has(step):
                    yield cls(unit=unit.id, to=step)


def _eliminated(q: Losing, reckoned: Reckoning) -> Iterator[Event]:
    """The unit, or the substitute of a fragile division, goes where its kind of loss sends it."""
    unit, (to, why) = q.unit, destination(q)
    row = None if q.cause == TRANSIT else fragile.substitution(q.world, q.state, unit.spec)
    if why == "52.F.1/1":
        lies = unit.id if row is None else fragile.substitute_name(unit, row)
        yield Marked(on=unit_key(lies), mark=ASIDE, value=True, because=why, says="set aside until losses are counted")
    if row is not None:
        yield from fragile.exchanged(q.state, unit, row, to, f"{why} 52.H.1/1")
        return
    if unit.step == REMNANT:
        why += " 52.A.9.b/2"
        yield Became(
            unit=unit.id, was=REMNANT, step=CADRE, because="52.A.9.b/2", says="its cadre counter takes its place"
        )
    if not reckoned.how:
        why += f" {reckoned.because}"
    elif q.fragile:
        why += f" {q.fragile.clause} 52.H.2.a/1"
    yield Moved(unit=unit.id, frm=unit.place, to=to, because=why)
    if q.fragile and reckoned.how:
        yield Marked(on=unit_key(unit.id), mark=LOST_AS, value=[unit.step, reckoned.how, reckoned.of])


def _counted(q: Losing, reckoned: Reckoning) -> Iterator[Event]:
    """The loss goes on its tally; what was removed beyond the casualties due goes on another."""
    says = f"{q.unit} {q.command.to}: {q.loss.working}"
    due, total = q.due, q.loss.total
    if due == total:
        yield from tallies.take(q.unit.spec, q.loss, reckoned.how, reckoned.of, reckoned.because, says)
        return
    lost = _of_those_due(q)
    rest = {kind: amount - lost.get(kind, Fraction(0)) for kind, amount in q.loss.amounts.items()}
    says += f", {show_points(due)} due"
    priced = Price(lost, q.loss.working, q.loss.because)
    yield from tallies.take(q.unit.spec, priced, reckoned.how, reckoned.of, reckoned.because, says)
    yield from tallies.take(q.unit.spec, Price(rest), ADDED_BACK, reckoned.of, "52.F.4.a/2", says)


def _of_those_due(q: Losing) -> Mapping[str, Fraction]:
    """The kinds of the points due: the first ones where a loss is taken in order, else the same part of each."""
    if q.command.ordered:
        return casualties.loss(q.world, q.state, q.unit, (q.due, q.loss.working), ordered=True).amounts
    part = q.due / q.loss.total
    return {kind: amount * part for kind, amount in q.loss.amounts.items()}


CHAPTER = Chapter(
    heading="52.F.2",
    commands=(Lose,),
    switches=(SUPPLY_LOSSES, BOXES, POCKETS),
)
