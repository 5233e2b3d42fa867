"""52.A.9.a and b  Units in the boxes: how they get there, and how RPs bring them back."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Annotated

from forcepool.engine.command import lazy
from forcepool.engine.decide import permits
from forcepool.engine.events import Became, Event, Moved
from forcepool.engine.facts import kept
from forcepool.engine.given import Area, Mix, Pool, UnitName, one_of
from forcepool.engine.ledger import Price
from forcepool.engine.places import HEX, TRACK, Place
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE, FULL, REMNANT, STEPS
from forcepool.engine.verdicts import YES, Remedy, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import INACTIVE, EuropaFacts
from forcepool.games.europa.ground import prices
from forcepool.games.europa.ground.purchase import (
    Purchase,
    can_pay,
    has_points,
    in_own_replacement_phase,
    pay,
    points_are_its_own,
)
from forcepool.games.europa.ground.soviet_pools import CITY, FACTORY, GENERAL, MD
from forcepool.games.europa.profile import RpCost
from forcepool.games.europa.question import instead, out_of_the_isolated_box
from forcepool.games.europa.replacements.general import costs_table
from forcepool.games.europa.replacements.general.building_tracks import (
    LOST_DISTRICT,
    is_closed,
    is_lost,
    on_an_inactive_track,
    serving,
    takes_in,
    tracks,
    tracks_in,
)
from forcepool.games.europa.replacements.general.rebuilt_whole import REBUILT_WHOLE, to_either_step
from forcepool.games.europa.replacements.general.reduced_rate import (
    reduced_is_built_in_an_inactive_front,
    reduced_rate_is_national,
    reduced_waits_on_an_inactive_track,
)
from forcepool.games.europa.replacements.general.ways import PaidInWays, Situation, like_it
from forcepool.games.europa.replacements.limited.building_times import Time, building_time
from forcepool.games.europa.replacements.special import pockets
from forcepool.games.europa.replacements.special.fragile import has_no_substitute_in_play
from forcepool.games.europa.replacements.special.special import has_been_counted
from forcepool.games.europa.switches import HOME_AND_NATIONAL, REDUCED_RATE, REDUCED_TIME
from forcepool.games.europa.world import ELIMINATED, FORMING, ISOLATED, LOCAL, NATIONAL, THEATRE, EuropaWorld
from forcepool.rulebook.citations import computed

GENERAL_AT_HOME = switch(
    "general-pools-at-home",
    "52.D.2.c/2",
    "whether a cadre bought from a Soviet general pool is built in its home country",
    factories="it is, where every producing factory lies there",
    nowhere="it is not: a general pool lies in no MD",
)


# ------------------------------------------------------------------------------------------ replacing


class Replacing(Purchase):
    """An eliminated unit to be bought back."""

    @lazy
    def goal(self) -> str:
        """The strength it is bought back at: cadre if it has one, else full, unless the player says otherwise."""
        wanted: str = self.command.to
        by_itself = self.switch(REBUILT_WHOLE.key) == "cadre" and self.unit.spec.has(CADRE)
        return wanted or (CADRE if by_itself else FULL)

    @lazy
    def is_cheaper(self) -> bool:
        """Cadres cost less at home; what a line of the table prices as a counter is none."""
        return self.goal == CADRE and costs_table.line_of(self.world, self.unit.spec) is None and arrives_at_home(self)

    @lazy
    def time(self) -> Time:
        """Its time at the normal rate."""
        return building_time(self.world, self.state, self.unit, self.goal, self.switch)

    @lazy
    def due(self) -> int:
        return arrival(self)


@rule("52.A.9.a/1", "52.A.4/5")
def lies_in_an_eliminated_box(q: Replacing) -> Verdict:
    """Only from an ELIMINATED BOX is a unit bought back."""
    place = q.unit.place
    if place.kind == ELIMINATED and place.is_reached(q.state.clock.turn):
        return YES
    where = q.world.said_place(place)
    if place.kind == ISOLATED:
        return no(f"{q.unit} lies in the {where}", remedy=out_of_the_isolated_box(q), clause="52.A.4/5")
    if place.kind != HEX:
        return no(f"{q.unit} is {q.world.where(place)}")
    return no(f"{q.unit} is on the map at {where}", also=("52/1",))


@rule("52.A.3/2")
def has_a_cadre_to_come_back_as(q: Replacing) -> Verdict:
    """No ruling turns a counter to a side it does not have."""
    if q.goal != CADRE or q.unit.spec.has(CADRE):
        return YES
    return no(f"{q.unit} has no cadre", remedy="buy it back at full strength")


@rule("52.A.9.a/3")
def is_not_asked_back_as_a_remnant(q: Replacing) -> Verdict:
    """Nothing is ever bought back at remnant strength."""
    if q.goal != REMNANT:
        return YES
    strength = show_points(prices.strength_of(q.world, q.unit.spec, CADRE if q.unit.spec.has(CADRE) else FULL))
    return no(
        f"{q.unit} cannot come back as a remnant",
        remedy=f"buy it back as a cadre for {strength}" if q.unit.spec.has(CADRE) else "buy it back whole",
    )


@rule("52.A.9.b/1")
def is_no_eliminated_remnant_to_be_rebuilt(q: Replacing) -> Verdict:
    """A remnant that was eliminated lies in the box as its cadre, and comes back as one."""
    if q.goal != REMNANT or q.unit.step == FULL or not q.unit.spec.has(REMNANT):
        return YES
    return no(f"{q.unit} lies in the box as a cadre", remedy="buy it back as one")


@rule("52.A.3/2", "52.A.3/3")
def full_strength_only_without_cadre(q: Replacing) -> Verdict:
    """A unit that has a cadre comes back as one, unless a game chart prices it whole."""
    if q.goal == FULL and q.unit.spec.has(CADRE):
        if costs_table.priced_whole(q.world, q.unit):
            return yes("52.A.3/3", "a game chart gives its price at full strength")
        if q.switch(REBUILT_WHOLE.key) == "whole":
            return yes("52.A.3/2", "units come back whole")
        return no(f"{q.unit} has a cadre", remedy="buy it back as a cadre, then rebuild that")
    return YES


@rule("52.A.9.a/2")
def built_in_the_same_theatre(q: Replacing) -> Verdict:
    """The cadre is built and paid for in the theatre whose box held the unit; the national pool serves all."""
    theatre = q.world.theatre_of(q.unit.place.of)
    if q.payer.startswith(NATIONAL):
        return YES
    if q.world.theatre_of(q.payer) != theatre:
        return no(
            f"{q.unit} lies in the box of {the_pool(q.unit.place.of)}, {the_pool(q.payer)} is of another theatre",
            remedy=_another_payer(q, theatre),
        )
    if q.track and q.world.theatre_of(q.track) != theatre:
        return no(
            f"the track of {the_pool(q.track)} is in another theatre than {the_pool(q.unit.place.of)}",
            remedy=instead(q, f"use the track of {the_pool(q.payer)}", track=""),
        )
    return YES


def _another_payer(q: Replacing, theatre: str) -> list[Remedy]:
    """A pool of the theatre whose box holds the unit that has points of its nation, else the nation's own."""
    pools = (pool for pool in q.world.pools if theatre and q.world.theatre_of(pool) == theatre)
    near = next((pool for pool in pools if has_points(q.world, q.facts, pool, q.nation)), "")
    if q.unit.place.of.startswith(LOCAL):
        near = q.unit.place.of
    return [
        instead(q, f"pay from {the_pool(each)}", pay_from=each, track="") for each in (near or NATIONAL + q.nation,)
    ]


@rule("52.A/1", "52.A.2/1")
def goes_on_the_payers_track(q: Replacing) -> Verdict:
    """What a front or MD pays for waits on its own track, or on that of an MD in it that no enemy holds."""
    own = q.track in ("", q.payer)
    if own and q.payer.startswith(MD) and is_lost(q.world, q.facts, q.payer, q.nation):
        return no(is_closed(q, q.payer), clause="52.A.2/1")
    if q.payer.startswith(NATIONAL) or own:
        return YES
    if q.payer in q.world.line_of(q.track):
        if q.track not in q.world.areas or takes_in(q.world, q.facts, q.track, q.nation):
            return YES
        remedy = instead(q, f"use the track of {the_pool(q.payer)}", track=q.payer)
        return no(is_closed(q, q.track), remedy=remedy)
    return no(
        f"{the_pool(q.payer)} pays, so the unit cannot wait on the track of {the_pool(q.track)}",
        remedy=instead(q, f"use the track of {the_pool(q.payer)}", track=q.payer),
    )


@rule("52.A.2/1")
def national_points_build_in_inactive_areas(q: Replacing) -> Verdict:
    """What the national pool pays for at the normal rate waits on the track of an inactive front."""
    if q.reduced or not q.payer.startswith(NATIONAL):
        return YES
    if not q.track:
        return no("the national pool has no track of its own", remedy=on_an_inactive_track(q))
    if closed := is_closed(q, q.track):
        return no(closed, remedy=on_an_inactive_track(q))
    activity = q.facts.activity(q.track)
    if activity == INACTIVE:
        return YES
    return no(
        f"{the_pool(q.track)} is {activity}, national points build on the tracks of inactive fronts only",
        remedy=on_an_inactive_track(q),
    )


def arrives_at_home(q: Replacing) -> bool:
    """Wherever it may arrive lies in the unit's own country, paid by that pool or one above it (52.A.9.a/5)."""
    if q.track.startswith(GENERAL) and q.switch(GENERAL_AT_HOME.key) == "nowhere":
        return False
    areas = areas_of_arrival(q)
    return bool(areas) and all(homes.is_home(q.world, area, q.nation) for area in areas)


def areas_of_arrival(q: Replacing) -> set[str]:
    """The areas a unit may arrive in: those of its track, of a store's place, of the factories or of its pocket."""
    if q.track.startswith(GENERAL):
        places = q.facts.places_where("producing", True)
    elif q.track.startswith((CITY, FACTORY)):
        places = [q.world.hex_name(q.track.partition("/")[2])]
    elif q.payer.startswith(LOCAL):
        places = [unit.place.of for unit in pockets.units_in(q.world, q.state, q.payer)]
    else:
        return set(homes.parts_of(q.world, q.track))
    return {q.world.spot(place).area for place in places}


@computed("52.A/2", "52.A.2/8")
def arrival(q: Replacing) -> int:
    """The turn it arrives: its own time on, twice that at the reduced rate."""
    turns = q.in_time(q.time.turns)
    if q.reduced:
        factor = int(q.world.numbers["reduced_time_factor"])
        plus_four = q.switch(REDUCED_TIME.key) == "plus-four"
        turns = turns + int(q.world.numbers["reduced_rebuild_time"]) if plus_four else turns * factor
    return q.state.clock.turn + turns


@kept
def _price(world: EuropaWorld, facts: EuropaFacts, unit: Unit, goal: str, at_home: bool, reduced: bool) -> Price:
    """What all eliminated units of a kind cost alike."""
    listed = costs_table.listed(world, facts, unit, goal)
    if listed is not None:
        bought, clause = (listed.total, listed.working), listed.clause
    elif goal == CADRE:
        bought, clause = prices.eliminated_to_cadre(world, unit.spec), "52.A.9.a/4"
    else:
        bought, clause = prices.eliminated_to_full(world, unit.spec), "52.A.3/1"
    return prices.price(
        world,
        unit.spec,
        bought,
        clause,
        ruling=partial(world.ruling, facts.state),
        at_home=at_home,
        reduced=reduced,
        amounts=listed.amounts if listed else costs_table.worth(world, facts, unit, goal).amounts,
    )


class Replace(PaidInWays, tag="replace", frozen=True):
    """Buy back an eliminated unit: as a cadre if it has one, else whole."""

    unit: UnitName
    pay_from: Pool
    """The pool that pays: one of the theatre whose box holds the unit, or the nation's."""
    track: Area = ""
    """The area on whose track it waits; the payer's unless the nation pays."""
    reduced: bool = False
    """At the reduced rate, from the national pool, in twice the time."""
    to: Annotated[str, one_of(*STEPS)] = ""
    """cadre or full; left out, cadre if the unit has one."""
    mix: Mix = ""
    """Parts paid in other points where a national rule lets it: '1 inf of Britain, 1 arm for inf'."""
    of_choice = ("mix",)

    question = Replacing
    needs = (
        has_no_substitute_in_play,
        has_been_counted,
        lies_in_an_eliminated_box,
        is_not_asked_back_as_a_remnant,
        is_no_eliminated_remnant_to_be_rebuilt,
        has_a_cadre_to_come_back_as,
    )
    # That a unit comes back as a cadre first is a rule like any other: it can be overruled.
    requires = (
        full_strength_only_without_cadre,
        in_own_replacement_phase,
        built_in_the_same_theatre,
        goes_on_the_payers_track,
        national_points_build_in_inactive_areas,
        points_are_its_own,
        reduced_rate_is_national,
        reduced_waits_on_an_inactive_track("52.A.2/7"),
        reduced_is_built_in_an_inactive_front,
        can_pay("52.A.9.a/4"),
    )

    def price(self, q: Replacing) -> Price:
        kind = costs_table.kind_of(q.world, q.unit)
        return _price(q.world, q.facts, kind, q.goal, q.is_cheaper, q.reduced)

    def effects(self, q: Replacing) -> Iterator[Event]:
        unit = q.unit
        yield from pay(q)
        if unit.step != q.goal:
            yield Became(
                unit=unit.id, was=unit.step, step=q.goal, because="52.A.9.a/1" if q.goal == CADRE else "52.A.3/2"
            )
        kind, why = (FORMING, "52.A.2/8 52.A.10.a/3") if q.reduced else (TRACK, "52.A/1 52.A/2")
        because = " ".join((why, *q.time.clauses))
        yield Moved(unit=unit.id, frm=unit.place, to=Place(kind, q.track or unit.place.of, q.due), because=because)

    @classmethod
    def situation(cls, world: EuropaWorld, state: State, unit: Unit) -> Situation | None:
        if unit.place.kind not in (ELIMINATED, ISOLATED):
            return None
        return Situation(like_it(world, unit, unit.place), whole=_comes_whole(cls, world, state, unit))

    @classmethod
    def ways(cls, world: EuropaWorld, facts: EuropaFacts, here: Situation) -> Iterator["Replace"]:
        ways = to_either_step(world, facts.state, here.unit, _ways(cls, world, facts, here))
        # Closed to an air unit whichever it is, and one reason says it.
        yield from islice(ways, 1) if world.has_role(here.unit.spec, "air") else ways

    @classmethod
    def of_its_own(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator["Replace"]:
        """A ruling lets areas pay for what lies in the nation's box; without it there is nothing to list."""
        facts, nation = world.facts(state), unit.spec.nation
        if unit.place.of == NATIONAL + nation:
            for area in serving(world, facts, unit.place.of, nation):
                order = cls(unit=unit.id, pay_from=area)
                pays = not area.startswith(THEATRE) and has_points(world, facts, area, nation)
                if pays and permits(q := Replacing(world, state, order), order.needs, order.guards(q)):
                    yield order


def _ways(cls: type[Replace], world: EuropaWorld, facts: EuropaFacts, here: Situation) -> Iterator[Replace]:
    """From each pool of its theatre, onto the tracks in its area too; then from the nation's on each inactive track."""
    unit, nation = here.unit, here.unit.spec.nation
    areas = serving(world, facts, unit.place.of, nation)
    payers = [area for area in areas if not area.startswith(THEATRE) or has_points(world, facts, area, nation)]
    if unit.place.kind == ELIMINATED:
        theatre, line = world.theatre_of(unit.place.of), world.line_of(unit.place.of)
        # The pool its box belongs to comes first, then what lies above it.
        for area in sorted(payers, key=lambda each: line.index(each) if each in line else len(line)):
            if world.theatre_of(area) == theatre:
                yield cls(unit="", pay_from=area)
                yield from (cls(unit="", pay_from=area, track=md) for md in tracks_in(world, facts, area, nation))
                if here.whole:
                    yield cls(unit="", pay_from=area, to=FULL)
    for more in world.game.payers:
        for pool in more(world, facts.state, unit):
            yield cls(unit="", pay_from=pool)
    for area in tracks(world, facts, unit.place.of, nation):
        yield cls(unit="", pay_from=NATIONAL + nation, track=area)
        yield cls(unit="", pay_from=NATIONAL + nation, track=area, reduced=True)


def _comes_whole(cls: type[Replace], world: EuropaWorld, state: State, unit: Unit) -> bool:
    """Whether a unit that has a cadre may be bought back whole all the same, whoever pays."""
    if world.ruling(state, REBUILT_WHOLE.key) == "whole" or not unit.spec.has(CADRE):
        return False
    q = Replacing(world, state, cls(unit=unit.id, pay_from=NATIONAL + unit.spec.nation, to=FULL))
    return permits(q, (full_strength_only_without_cadre,), ())


CHAPTER = Chapter(
    heading="52.A.9.a",
    commands=(Replace,),
    switches=(HOME_AND_NATIONAL, REDUCED_RATE, REDUCED_TIME, GENERAL_AT_HOME, LOST_DISTRICT, REBUILT_WHOLE),
    charts={"rp_costs": tuple[RpCost, ...]},
    boxes={
        ELIMINATED: "ELIMINATED BOX",
        ISOLATED: "ELIMINATED ISOLATED BOX",
        TRACK: "turn track",
        FORMING: "PARTISAN/FORMING TRACK",
    },
)
