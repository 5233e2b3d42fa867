"""52.A.9.c and d  Cadres and remnants on the map: rebuilding them where they stand."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from forcepool.engine.events import Became, Event, Marked, Moved
from forcepool.engine.facts import kept, unit_key
from forcepool.engine.given import Area, Mix, Pool, UnitName
from forcepool.engine.ledger import Price
from forcepool.engine.places import HEX, Place
from forcepool.engine.state import State, Unit
from forcepool.engine.units import CADRE, FULL, REMNANT
from forcepool.engine.verdicts import YES, Rule, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.charts import TO_CADRE, TO_FULL
from forcepool.games.europa.facts import (
    MP_MARKER,
    OPERATIONAL,
    REBUILT,
    EuropaFacts,
)
from forcepool.games.europa.ground import prices
from forcepool.games.europa.ground.purchase import (
    Purchase,
    Spends,
    can_pay,
    has_points,
    in_own_replacement_phase,
    pay,
    points_are_its_own,
)
from forcepool.games.europa.question import first_of_month, in_a_later, next_turn
from forcepool.games.europa.replacements.general import costs_table
from forcepool.games.europa.replacements.general.building_tracks import tracks
from forcepool.games.europa.replacements.general.cadre_supply import (
    FROM_THE_NATION,
    IN_A_TOWN,
    cadre_is_supplied,
    nation_pays_at_once,
    paid_by_a_pool_of_its_hex,
    remnant_is_supplied,
)
from forcepool.games.europa.replacements.general.reduced_rate import (
    reduced_is_built_in_an_inactive_front,
    reduced_rate_is_national,
    reduced_waits_on_an_inactive_track,
    waits_on_no_track_at_the_normal_rate,
)
from forcepool.games.europa.replacements.general.screens import MOVED_TRAINER, free_of_larger_zoc
from forcepool.games.europa.replacements.general.ways import PaidInWays, Situation, on_the_map
from forcepool.games.europa.world import FORMING, LOCAL, NATIONAL, THEATRE, EuropaWorld

# ------------------------------------------------------------------------------------------ what it is


@rule("52.A.9.d/1")
def stands_on_the_map_as_cadre(q: Purchase) -> Verdict:
    """A cadre on the map may be brought to full strength."""
    return _stands_on_the_map(q, CADRE, FULL)


@rule("52.A.9.c/1")
def stands_on_the_map_as_remnant(q: Purchase) -> Verdict:
    """A remnant on the map may be brought to cadre strength."""
    return _stands_on_the_map(q, REMNANT, CADRE)


def _stands_on_the_map(q: Purchase, step: str, goal: str) -> Verdict:
    unit = q.unit
    if unit.place.kind != HEX:
        return no(f"{unit} is {q.world.where(unit.place)}, not on the map", remedy="replace it first")
    if unit.step == step and unit.spec.has(goal):
        return YES
    if step == CADRE and unit.step == REMNANT:
        return no(f"{unit} is a remnant", remedy="rebuild it to cadre first", clause="52.A.9/2")
    return no(f"{unit} stands at {unit.step} strength, so there is no {step} to rebuild", also=("52/1",))


# ------------------------------------------------------------------------------ moved, attacked, in reserve


@rule("52.A.9/1")
def took_no_part_in_combat(q: Purchase) -> Verdict:
    """A unit that attacked this player-turn is not rebuilt in it."""
    if not q.facts.is_so(q.unit, "attacked"):
        return YES
    return no(f"{q.unit} attacked this player-turn", remedy=next_turn(q, "rebuild it next turn"))


@rule("52.A.9.d/8", "52.A.9.d/9")
def cadre_stood_still(q: Purchase) -> Verdict:
    """A cadre neither moved nor attacked; being placed in reserve does not count as moving."""
    moved, attacked = q.facts.is_so(q.unit, "moved"), q.facts.is_so(q.unit, "attacked")
    if moved or attacked:
        what = "moved and attacked" if moved and attacked else "moved" if moved else "attacked"
        return no(f"{q.unit} {what} this player-turn", remedy=next_turn(q, "rebuild it next turn"))
    return yes("52.A.9.d/9", "placed in reserve") if q.facts.is_so(q.unit, "placed_in_reserve") else YES


@rule("52.A.9.c/9", "52.A.9.c/10")
def remnant_stood_still(q: Purchase) -> Verdict:
    """A remnant did not move; being placed in reserve does not count as moving."""
    if q.facts.is_so(q.unit, "moved"):
        return no(f"{q.unit} moved this player-turn", remedy=next_turn(q, "rebuild it next turn"))
    return yes("52.A.9.c/10", "placed in reserve") if q.facts.is_so(q.unit, "placed_in_reserve") else YES


@rule("49.A.2.i/1")
def reserve_rebuilds_in_week_one(q: Purchase) -> Verdict:
    """Units in operational reserve are rebuilt on the first turn of the month only."""
    week = int(q.world.numbers["reserve_rebuild_week"])
    if q.world.calendar.week(q.state.clock.turn) == week or q.facts.of_unit(q.unit, "reserve") != OPERATIONAL:
        return YES
    return no(
        f"{q.unit} is in operational reserve and this is {q.world.turn_name(q.state.clock.turn)}",
        remedy=in_a_later(
            q,
            first_of_month(q.world, q.state.clock.turn, 1) + week - 1,
            f"wait for turn {week} of the next month, or take it out of reserve",
        ),
    )


@rule("52.A.9.c/9", "52.A.9.d/8")
def does_not_move_once_rebuilt(q: Any) -> Verdict:
    """A unit rebuilt this player-turn does not move in the rest of it."""
    return _stays_put(q, "move", {CADRE: "52.A.9.c/9", FULL: "52.A.9.d/8"})


@rule("52.A.9/1", "52.A.9.d/8")
def does_not_attack_once_rebuilt(q: Any) -> Verdict:
    """A unit rebuilt this player-turn does not attack in the rest of it."""
    return _stays_put(q, "attack", {CADRE: "52.A.9/1", FULL: "52.A.9.d/8"})


def _stays_put(q: Any, verb: str, clauses: dict[str, str]) -> Verdict:
    rebuilt = q.facts.value(unit_key(q.unit.id), REBUILT)
    if not rebuilt or not q.value:
        return YES
    return no(
        f"{q.unit} was rebuilt to {rebuilt} strength this player-turn and may not {verb} in it",
        remedy=f"{verb} next turn, or undo the rebuild",
        clause=clauses[str(rebuilt)],
    )


FORBIDDEN_ONCE_REBUILT: dict[str, tuple[Rule[Any], ...]] = {
    "moved": (does_not_move_once_rebuilt,),
    "attacked": (does_not_attack_once_rebuilt,),
}


# --------------------------------------------------------------------------------------------- commands


@kept
def _step_price(world: EuropaWorld, facts: EuropaFacts, unit: Unit, goal: str, reduced: bool) -> Price:
    spec, ruling = unit.spec, partial(world.ruling, facts.state)
    charted = costs_table.charted_step(world, unit, goal)
    if charted is not None:
        bought, amounts = (charted.total, charted.working), charted.amounts
        return prices.price(world, spec, bought, charted.clause, ruling=ruling, reduced=reduced, amounts=amounts)
    bought, clause = (
        (prices.cadre_to_full(world, spec), "52.A.9.d/2")
        if goal == FULL
        else (prices.remnant_to_cadre(world, spec), "52.A.9.c/2")
    )
    shares = world.shares(spec, TO_FULL if goal == FULL else TO_CADRE)
    amounts = {kind: bought[0] * share for kind, share in shares.items()}
    return prices.price(world, spec, bought, clause, ruling=ruling, reduced=reduced, amounts=amounts)


def price_to_full(q: Purchase) -> Price:
    """What a cadre costs to bring to full strength."""
    return _step_price(q.world, q.facts, costs_table.kind_of(q.world, q.unit), FULL, q.reduced)


def rebuilt_on_the_map(q: Purchase, goal: str, permission: str, doubling: str) -> Iterator[Event]:
    """A unit goes up a step where it stands, may not move on, and its '+# MP' marker grows."""
    unit = q.unit
    yield from pay(q)
    yield Became(unit=unit.id, was=unit.step, step=goal, because=permission)
    yield Marked(on=q.key(), mark=REBUILT, value=goal)
    if marker := q.facts.mp_marker(unit):
        doubled = marker * int(q.world.numbers["marker_factor"])
        yield Marked(
            on=q.key(), mark=MP_MARKER, value=doubled, because=doubling, says=f"+{marker} MP becomes +{doubled} MP"
        )
    if q.reduced:
        due = q.state.clock.turn + int(q.world.numbers["reduced_rebuild_time"])
        why = "52.A.2/9 52.A.2/10 52.A.10.a/3" if goal == FULL else "52.A.2/9 52.A.10.a/3"
        # Where the players agree to do without a track it comes back where it was.
        track = q.track or (q.areas[0] if q.areas else q.payer)
        yield Moved(unit=unit.id, frm=unit.place, to=Place(FORMING, track, due), because=why)


class Rebuild(PaidInWays, frozen=True):
    """Bring a unit on the map a step up."""

    unit: UnitName
    pay_from: Pool
    """The pool that pays: its front's, its nation's, or its pocket's."""
    reduced: bool = False
    """At the reduced rate: the national pool pays less, and the unit leaves the map for four turns."""
    track: Area = ""
    """With the reduced rate, the inactive area whose track it waits on."""
    mix: Mix = ""
    """Parts paid in other points where a national rule lets it: '1 inf of Britain, 1 arm for inf'."""
    of_choice = ("mix",)

    question = Purchase

    @classmethod
    def ways(cls, world: EuropaWorld, facts: EuropaFacts, here: Situation) -> Iterator["Rebuild"]:
        """From each pool that might pay, and at the reduced rate on each inactive track."""
        yield from (cls(unit="", pay_from=each) for each in _payers(world, facts, here))
        nation = here.unit.spec.nation
        for area in tracks(world, facts, homes.home_in(world, facts, here.around, nation), nation):
            yield cls(unit="", pay_from=NATIONAL + nation, reduced=True, track=area)


class RebuildCadre(Rebuild, tag="rebuild-cadre", frozen=True):
    """Bring a cadre on the map to full strength."""

    needs = (stands_on_the_map_as_cadre, waits_on_no_track_at_the_normal_rate)
    requires = (
        in_own_replacement_phase,
        free_of_larger_zoc("52.A.9.d/3", hq="52.A.9.d/4", screen="52.A.9.d/5"),
        cadre_is_supplied,
        took_no_part_in_combat,
        cadre_stood_still,
        reserve_rebuilds_in_week_one,
        points_are_its_own,
        paid_by_a_pool_of_its_hex(isolated="52.A.9.d/7", elsewhere="52.A.9.d/7"),
        nation_pays_at_once,
        reduced_rate_is_national,
        reduced_waits_on_an_inactive_track("52.A.2/9"),
        reduced_is_built_in_an_inactive_front,
        can_pay("52.A.9.d/2"),
    )

    def price(self, q: Purchase) -> Price:
        return price_to_full(q)

    def effects(self, q: Purchase) -> Iterator[Event]:
        return rebuilt_on_the_map(q, FULL, "52.A.9.d/1", "52.A.9.d/10")

    @classmethod
    def situation(cls, world: EuropaWorld, state: State, unit: Unit) -> Situation | None:
        return on_the_map(world, state, unit) if unit.place.kind == HEX and unit.step == CADRE else None


class RebuildsInItsOwnWay(Spends, frozen=True):
    """Brings a cadre back to strength, but not as the general rule does; else it is asked what that asks."""

    asked_like = RebuildCadre


class RebuildAtFullRate(RebuildsInItsOwnWay, frozen=True):
    """Bring a cadre on the map back to strength in a way that knows no reduced rate."""

    unit: UnitName
    pay_from: Pool
    """The pool that pays: its front's, its nation's, or its pocket's."""
    mix: Mix = ""
    """Parts paid in other points where a national rule lets it: '1 inf of Britain, 1 arm for inf'."""
    of_choice = ("mix",)
    reduced = False
    track = ""

    question = Purchase


class RebuildRemnant(Rebuild, tag="rebuild-remnant", frozen=True):
    """Bring a remnant on the map to cadre strength."""

    needs = (stands_on_the_map_as_remnant, waits_on_no_track_at_the_normal_rate)
    requires = (
        in_own_replacement_phase,
        free_of_larger_zoc("52.A.9.c/3", hq="52.A.9.c/4", screen="52.A.9.c/5"),
        remnant_is_supplied,
        took_no_part_in_combat,
        remnant_stood_still,
        reserve_rebuilds_in_week_one,
        points_are_its_own,
        paid_by_a_pool_of_its_hex(isolated="52.A.9.c/7", elsewhere="52.A.1/2"),
        nation_pays_at_once,
        reduced_rate_is_national,
        reduced_waits_on_an_inactive_track("52.A.2/9"),
        reduced_is_built_in_an_inactive_front,
        can_pay("52.A.9.c/2"),
    )

    def price(self, q: Purchase) -> Price:
        return _step_price(q.world, q.facts, costs_table.kind_of(q.world, q.unit), CADRE, q.reduced)

    def effects(self, q: Purchase) -> Iterator[Event]:
        return rebuilt_on_the_map(q, CADRE, "52.A.9.c/1", "52.A.9.c/11")

    @classmethod
    def situation(cls, world: EuropaWorld, state: State, unit: Unit) -> Situation | None:
        return on_the_map(world, state, unit) if unit.place.kind == HEX and unit.step == REMNANT else None


def payers_of(world: EuropaWorld, state: State, unit: Unit) -> list[str]:
    """The pools that might pay for a unit on the map."""
    return _payers(world, world.facts(state), on_the_map(world, state, unit))


def _payers(world: EuropaWorld, facts: EuropaFacts, here: Situation) -> list[str]:
    """Its pocket's pool, those of its hex, others by name, its nation's."""
    nation = here.unit.spec.nation
    national, home = NATIONAL + nation, homes.home_in(world, facts, here.around, nation)
    payers = [LOCAL + here.pocket.casefold()] if here.pocket else []
    payers += _of_its_hex(world, facts, here.around, nation, home)
    payers += [pool for more in world.game.payers for pool in more(world, facts.state, here.unit) if pool != national]
    return list(dict.fromkeys((*payers, national)))


@kept
def _of_its_hex(world: EuropaWorld, facts: EuropaFacts, around: str, nation: str, home: str) -> tuple[str, ...]:
    """The pools of the areas around a hex; of a theatre that is not its home only while it has points."""
    ours = (area for area in world.pools if homes.is_open_to(world, facts, area, nation))
    areas = homes.serving(world, facts, around, nation) if around else ours
    return tuple(
        each for each in areas if each == home or not each.startswith(THEATRE) or has_points(world, facts, each, nation)
    )


CHAPTER = Chapter(
    heading="52.A.9.c",
    commands=(RebuildCadre, RebuildRemnant),
    forbids=FORBIDDEN_ONCE_REBUILT,
    switches=(IN_A_TOWN, FROM_THE_NATION, MOVED_TRAINER),
)
