"""52.A.9.c and d  Cadres and remnants on the map: rebuilding them where they stand."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from forcepool.engine.command import Command
from forcepool.engine.events import Became, Event, Marked, Moved
from forcepool.engine.facts import kept, unit_key
from forcepool.engine.ledger import Price
from forcepool.engine.places import HEX, Place
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE, FULL, REMNANT
from forcepool.engine.verdicts import YES, Rule, Verdict, no, rule, yes
from forcepool.engine.world import World
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.charts import TO_CADRE, TO_FULL
from forcepool.games.europa.facts import (
    INACTIVE,
    LIMITED,
    MP_MARKER,
    OPERATIONAL,
    REBUILT,
    REGULAR,
    EuropaFacts,
    supply_in_words,
)
from forcepool.games.europa.question import first_of_month, in_a_later, next_turn, paying
from forcepool.games.europa.replacements import costs_table, prices, sources
from forcepool.games.europa.replacements.centres import acts_as_hq
from forcepool.games.europa.replacements.mixing import with_mixes
from forcepool.games.europa.replacements.purchase import (
    BuysByTheGeneralRule,
    Purchase,
    Spends,
    can_pay,
    has_points,
    in_own_replacement_phase,
    is_supply_isolated,
    pay,
    points_are_its_own,
    reduced_is_built_in_an_inactive_front,
    reduced_rate_is_national,
    reduced_waits_on_an_inactive_track,
)
from forcepool.games.europa.replacements.screens import MOVED_TRAINER, free_of_larger_zoc
from forcepool.games.europa.world import FORMING, LOCAL, NATIONAL, THEATRE, EuropaWorld

ARMY_OR_HIGHER = ("XXXX", "XXXXX")

IN_A_TOWN = switch(
    "cadre-in-town",
    "52.A.9.d/7",
    "what a town or city does for a cadre without a regular line",
    own_pool="it is rebuilt with the points of its own front, or of its pocket where it is supply isolated",
    limited_supply="as the first, but in a town or city it must itself be in limited supply",
    any_pool="any pool may pay for it, the nation's too",
)
FROM_THE_NATION = switch(
    "national-rebuild",
    "52.F.4.a/5",
    "whether the nation's pool pays at once for a rebuild on the map at the normal rate",
    at_once="it does, wherever the unit traces a regular line",
    inactive_fronts="only for a unit that stands in an inactive front or MD",
    reduced_rate="only at the reduced rate, at which the unit leaves the map",
)


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
        return no(f"{unit.id} is {q.world.where(unit.place)}, not on the map", remedy="replace it first")
    if unit.step == step and unit.spec.has(goal):
        return YES
    if step == CADRE and unit.step == REMNANT:
        return no(f"{unit.id} is a remnant", remedy="rebuild it to cadre first", clause="52.A.9/2")
    return no(f"{unit.id} stands at {unit.step} strength, so there is no {step} to rebuild", also=("52/1",))


# ------------------------------------------------------------------------------------------------ supply


@rule("52.A.9.d/6", "52.A.9.d/7")
def cadre_is_supplied(q: Purchase) -> Verdict:
    """A cadre needs a regular line, or a local pool, an army HQ in limited supply, or a town or city."""
    if q.has_a_regular_line:
        return YES
    if q.pays_locally:
        return yes("52.A.9.d/6", f"{q.payer} is the pocket's own pool")
    if (through := hq_in_supply(q)) is not None:
        return yes("52.A.9.d/7", f"stacked with {through.id}, {supply_in_words(q.facts.supply(through))}")
    if q.facts.is_settlement(q.unit.place.of) and q.facts.owner(q.unit.place.of) in ("", q.side):
        supply = q.facts.supply(q.unit)
        if q.switch(IN_A_TOWN.key) != "limited-supply" or supply in (LIMITED, REGULAR):
            return yes("52.A.9.d/7", f"in {q.unit.place.of}")
        return no(f"{q.unit.id} is in {q.unit.place.of}, {supply_in_words(supply)}", clause="52.A.9.d/7")
    return no(
        _no_line(q),
        remedy="stack it with an army HQ in limited supply, move it to a town or city, or pay from a local pool",
    )


@rule("52.A.9.c/6", "52.A.9.c/7")
def remnant_is_supplied(q: Purchase) -> Verdict:
    """A remnant needs a regular line, unless a local pool pays."""
    if q.has_a_regular_line:
        return YES
    if q.pays_locally:
        return yes("52.A.9.c/7", f"{q.payer} is the pocket's own pool")
    return no(_no_line(q), remedy="open a regular supply line, or pay from a local pool")


def hq_in_supply(q: Purchase) -> Unit | None:
    """An army HQ in the hex, or a training unit that acts as one (52.I.2), in limited supply or better."""
    for each in q.stackmates:
        helps = is_army_hq(q, each) or acts_as_hq(q.world, q.state, each)
        if helps and q.facts.supply(each) in (LIMITED, REGULAR):
            return each
    return None


def is_army_hq(q: Purchase, other: Unit) -> bool:
    return q.world.has_role(other.spec, "hq") and other.spec.size in ARMY_OR_HIGHER


def _no_line(q: Purchase) -> str:
    if q.facts.supply(q.unit) == REGULAR and not is_supply_isolated(q):
        return (
            f"{q.unit.id} traces to none of its replacement sources: {sources.describe(q.world, q.facts, q.unit.spec)}"
        )
    supply = "is supply isolated" if is_supply_isolated(q) else f"is {supply_in_words(q.facts.supply(q.unit))}"
    why = q.facts.reason(unit_key(q.unit.id), "supply")
    return f"{q.unit.id} {supply} and traces no regular line to a replacement source{why}"


# -------------------------------------------------------------------------------------------- which pool


def paid_by_a_pool_of_its_hex(isolated: str, elsewhere: str) -> Rule[Purchase]:
    """A unit cut off draws on its pocket's pool alone, others on a pool that their hex belongs to."""

    @rule(isolated, "52.A.9.c/8", elsewhere)
    def pool_is_its_own(q: Purchase) -> Verdict:
        any_pool = q.unit.step == CADRE and q.switch(IN_A_TOWN.key) == "any-pool" and not q.has_a_regular_line
        if q.payer.startswith(LOCAL):
            if q.pays_locally:
                return YES
            home = homes.home_of(q.world, q.facts, q.unit)
            return no(
                f"{q.unit.id} is not in the pocket of {q.payer}",
                remedy=paying(q, home),
                clause="52.A.9.c/8",
            )
        if any_pool:
            return yes("52.A.9.d/7", "any pool pays for a cadre in a town or with an HQ")
        if is_supply_isolated(q):
            return no(
                f"{q.unit.id} is supply isolated and {q.payer} cannot reach it",
                remedy=paying(q, q.local_pool) if q.local_pool else "form a local pool, or break through to it",
            )
        if not q.areas or q.payer in q.areas:
            return YES
        if q.payer.startswith(NATIONAL):
            return _reaches_from_the_nation(q, elsewhere)
        home = homes.home_of(q.world, q.facts, q.unit)
        return no(
            f"{home} serves {q.unit.id} at {q.unit.place.of}, not {q.payer}",
            remedy=paying(q, home),
            clause=elsewhere,
        )

    return pool_is_its_own


def _reaches_from_the_nation(q: Purchase, clause: str) -> Verdict:
    """The nation's points go by a regular line, or by an HQ's; where there is neither, a town has its front's alone."""
    own_front = next((each for each in q.areas if each.startswith("front/")), q.areas[0])
    # Contingents have no pool but the nation's, and a line of their own to trace (52.D.2.e).
    by_a_line = q.has_a_regular_line or hq_in_supply(q) is not None
    if not by_a_line and not q.world.profile.nations[q.nation].own_track:
        remedy = paying(q, own_front)
        return no(f"{_no_line(q)}, so that {q.payer} cannot reach it", remedy=remedy, clause=clause)
    return YES


@rule("52.F.4.a/5")
def nation_pays_at_once(q: Purchase) -> Verdict:
    """The nation's pool rebuilds units on the map without a turn's wait, as far as the group's ruling lets it."""
    ruling = q.switch(FROM_THE_NATION.key)
    if not q.payer.startswith(NATIONAL) or q.reduced or ruling == "at-once" or not q.areas:
        return YES
    if ruling == "inactive-fronts" and any(q.facts.activity(each) == INACTIVE for each in q.areas):
        return YES
    where = "in an inactive front" if ruling == "inactive-fronts" else "at the reduced rate"
    return no(
        f"{q.payer} rebuilds units on the map only {where}",
        remedy=f"send the points to {homes.home_of(q.world, q.facts, q.unit)}, where they are usable next turn",
    )


# ------------------------------------------------------------------------------ moved, attacked, in reserve


@rule("52.A.9/1")
def took_no_part_in_combat(q: Purchase) -> Verdict:
    """A unit that attacked this player-turn is not rebuilt in it."""
    if not q.facts.is_so(q.unit, "attacked"):
        return YES
    return no(f"{q.unit.id} attacked this player-turn", remedy=next_turn(q, "rebuild it next turn"))


@rule("52.A.9.d/8", "52.A.9.d/9")
def cadre_stood_still(q: Purchase) -> Verdict:
    """A cadre neither moved nor attacked; being placed in reserve does not count as moving."""
    moved, attacked = q.facts.is_so(q.unit, "moved"), q.facts.is_so(q.unit, "attacked")
    if moved or attacked:
        what = "moved and attacked" if moved and attacked else "moved" if moved else "attacked"
        return no(f"{q.unit.id} {what} this player-turn", remedy=next_turn(q, "rebuild it next turn"))
    return yes("52.A.9.d/9", "placed in reserve") if q.facts.is_so(q.unit, "placed_in_reserve") else YES


@rule("52.A.9.c/9", "52.A.9.c/10")
def remnant_stood_still(q: Purchase) -> Verdict:
    """A remnant did not move; being placed in reserve does not count as moving."""
    if q.facts.is_so(q.unit, "moved"):
        return no(f"{q.unit.id} moved this player-turn", remedy=next_turn(q, "rebuild it next turn"))
    return yes("52.A.9.c/10", "placed in reserve") if q.facts.is_so(q.unit, "placed_in_reserve") else YES


@rule("49.A.2.i/1")
def reserve_rebuilds_in_week_one(q: Purchase) -> Verdict:
    """Units in operational reserve are rebuilt on the first turn of the month only."""
    week = int(q.world.numbers["reserve_rebuild_week"])
    if q.world.calendar.week(q.state.clock.turn) == week or q.facts.of_unit(q.unit, "reserve") != OPERATIONAL:
        return YES
    return no(
        f"{q.unit.id} is in operational reserve and this is {q.world.turn_name(q.state.clock.turn)}",
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
        f"{q.unit.id} was rebuilt to {rebuilt} strength this player-turn and may not {verb} in it",
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
        (prices.cadre_to_full(spec), "52.A.9.d/2") if goal == FULL else (prices.remnant_to_cadre(spec), "52.A.9.c/2")
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


class Rebuild(BuysByTheGeneralRule, frozen=True):
    """Bring a unit on the map a step up."""

    unit: str
    pay_from: str
    """The pool that pays: its front's, its nation's, or its pocket's."""
    reduced: bool = False
    """At the reduced rate: the national pool pays less, and the unit leaves the map for four turns."""
    track: str = ""
    """With the reduced rate, the inactive area whose track it waits on."""
    mix: str = ""
    """Parts paid in other points where a national rule lets it: '1 inf of Britain, 1 arm for inf'."""
    of_choice = ("mix",)

    question = Purchase


class RebuildCadre(Rebuild, tag="rebuild-cadre", frozen=True):
    """Bring a cadre on the map to full strength."""

    needs = (stands_on_the_map_as_cadre,)
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
    def offers(cls, world: World, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == HEX and unit.step == CADRE:
            yield from _ways(cls, world, state, unit)


class RebuildsInItsOwnWay(Spends, frozen=True):
    """Brings a cadre back to strength, but not as the general rule does; else it is asked what that asks."""

    asked_like = RebuildCadre


class RebuildAtFullRate(RebuildsInItsOwnWay, frozen=True):
    """Bring a cadre on the map back to strength in a way that knows no reduced rate."""

    unit: str
    pay_from: str
    """The pool that pays: its front's, its nation's, or its pocket's."""
    mix: str = ""
    """Parts paid in other points where a national rule lets it: '1 inf of Britain, 1 arm for inf'."""
    of_choice = ("mix",)
    reduced = False
    track = ""

    question = Purchase


class RebuildRemnant(Rebuild, tag="rebuild-remnant", frozen=True):
    """Bring a remnant on the map to cadre strength."""

    needs = (stands_on_the_map_as_remnant,)
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
    def offers(cls, world: World, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == HEX and unit.step == REMNANT:
            yield from _ways(cls, world, state, unit)


def _ways(cls: type[Rebuild], world: World, state: State, unit: Unit) -> Iterator[Command]:
    """From each pool that might pay, and at the reduced rate on each inactive track."""
    assert isinstance(world, EuropaWorld)
    yield from with_mixes(world, state, (cls(unit=unit.id, pay_from=each) for each in payers_of(world, state, unit)))
    for area in world.pools:
        if area.startswith(THEATRE) or not world.could_serve(state, area, unit.spec.nation):
            continue
        if world.facts(state).activity(area) == "inactive":
            yield cls(unit=unit.id, pay_from=NATIONAL + unit.spec.nation, reduced=True, track=area)


def payers_of(world: EuropaWorld, state: State, unit: Unit) -> list[str]:
    """The pools that might pay for a unit on the map: its pocket's, those of its hex, others by name, its nation's."""
    around, nation = world.spot(unit.place.of).area, unit.spec.nation
    facts = world.facts(state)
    ours = (area for area in world.pools if homes.is_open_to(world, facts, area, nation))
    hex_areas = list(homes.serving(world, facts, around, nation) if around else ours)
    pocket, national = facts.of_unit(unit, "pocket"), NATIONAL + nation
    payers = [LOCAL + pocket.casefold()] if pocket else []
    home = homes.home_of(world, facts, unit)
    payers += [
        each
        for each in hex_areas
        if each == home or not each.startswith(THEATRE) or has_points(world, facts, each, nation)
    ]
    payers += [pool for more in world.game.payers for pool in more(world, state, unit) if pool != national]
    return [*payers, national]


CHAPTER = Chapter(
    heading="52.A.9.c",
    commands=(RebuildCadre, RebuildRemnant),
    forbids=FORBIDDEN_ONCE_REBUILT,
    switches=(IN_A_TOWN, FROM_THE_NATION, MOVED_TRAINER),
)
