"""52.D.1  The Axis: whose RPs serve whom, and where replaced units appear."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import ANY, NUMBER, Fact, subject_key, unit_key
from forcepool.engine.game import Effect
from forcepool.engine.points import show_points, store_points
from forcepool.engine.sentence import the_place, the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.units import CADRE, FULL
from forcepool.engine.verdicts import YES, Remedy, Verdict, Way, Yes, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.ground.placing import FROM_STRATEGIC, Placing, rejoins
from forcepool.games.europa.ground.pools import REINFORCEMENT, free_to_spend
from forcepool.games.europa.ground.purchase import BuysByTheGeneralRule, Purchase, how_to_fill, on_hand
from forcepool.games.europa.ground.standing import NATIONAL_RESERVE
from forcepool.games.europa.ground.tallies import EASTERN_TROOPS, GERMANY
from forcepool.games.europa.replacements.axis.axis_uses import AXIS
from forcepool.games.europa.replacements.general import costs_table
from forcepool.games.europa.replacements.general.placement import PlaceUnit
from forcepool.games.europa.replacements.kinds.aid import GiveAid
from forcepool.games.europa.world import FORMING, LOCAL, NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed, shown

INF, ARM = "inf", "arm"
REPLACED = "replaced_so_far"


class ReserveShare(Struct, frozen=True, forbid_unknown_fields=True):
    """Which part of a nation's replaced units enters in national reserve."""

    nations: tuple[str, ...]
    share: Fraction
    clause: str


# --------------------------------------------------------------------------------------------- whose RPs


@computed("52.D.1/4")
def are_eastern_troops(nation: str) -> bool:
    """Eastern Troops are a nationality of their own, with points of their own."""
    return nation == EASTERN_TROOPS


@computed("52.D.1/5")
def is_contingent_nation(world: EuropaWorld, nation: str) -> bool:
    """Each foreign contingent of the German army is a nationality of its own, with points of its own."""
    return nation in world.chart("german_contingents")


def _borrowed(q: Purchase, part: Part) -> bool:
    """Whether another heading lets these points of another nation serve."""
    return any(isinstance(permit(q, part), Yes) for permit in q.world.game.permits)


def _of_others(q: Purchase, kind: str) -> list[str]:
    """The other nations whose points of a kind are to pay without leave; the owner of the national pool is one."""
    owner = q.payer.removeprefix(NATIONAL) if q.payer.startswith(NATIONAL) else q.nation
    strange = [owner] if kind in q.price.amounts and owner != q.nation else []
    parts = [part for part in q.parts if part.kind == kind and part.nation != q.nation]
    return [*strange, *(part.nation for part in parts if not _borrowed(q, part))]


@rule("52.D.1/3", "52.D.1/4", "52.D.1/5")
def infantry_serves_its_own_nation(q: Purchase) -> Verdict:
    """An Axis infantry RP serves units of the nationality that received it; borrowing by 52.E is the one exception."""
    if q.side != AXIS:
        return YES
    also = ("52.D.1/4",) if are_eastern_troops(q.nation) else ()
    also = ("52.D.1/5",) if is_contingent_nation(q.world, q.nation) else also
    others = _of_others(q, INF)
    if others:
        return no(
            f"infantry RPs of {' and '.join(others)} do not serve {q.nation}'s units",
            remedy=f"pay in infantry RPs of {q.nation}",
            also=also,
        )
    return _not_its_own(q, also) if also else YES


def _not_its_own(q: Purchase, also: tuple[str, ...]) -> Verdict:
    """Forces of the German army that count apart have what their own nationality has, and nothing else."""
    needed, held = _still_to_pay(q, INF), on_hand(q, q.nation, INF)
    if needed <= held:
        return yes(also[0])
    return no(
        f"{q.nation} counts as a nationality apart and has {show_points(held)} of {show_points(needed)} inf",
        remedy=how_to_fill(q, q.payer, q.nation, INF, needed - held),
        clause=also[0],
        have=held,
        need=needed,
    )


def _still_to_pay(q: Purchase, kind: str) -> Fraction:
    """What is left of a kind of RP when the mixed parts are paid."""
    mixed = sum((part.amount for part in q.parts if part.instead_of == kind), Fraction(0))
    return q.price.amounts.get(kind, Fraction(0)) - mixed


@rule("52.D.1/6")
def armour_of_others_comes_as_aid(q: Purchase) -> Verdict:
    """German armour RPs serve another Axis nation only once they were given to it as foreign aid."""
    if q.side != AXIS or ARM not in q.price.amounts or q.nation == GERMANY:
        return YES
    others = _of_others(q, ARM)
    if others:
        return no(
            f"armour RPs of {' and '.join(others)} serve {q.nation} only as foreign aid",
            remedy=f"give them to {q.nation} in a reinforcement phase (give-aid)",
        )
    needed, held = _still_to_pay(q, ARM), on_hand(q, q.nation, ARM)
    if held >= needed:
        return YES
    return no(
        f"{q.nation} has {show_points(held)} of {show_points(needed)} arm in {the_pool(q.payer)}",
        remedy=[*how_to_fill(q, q.payer, q.nation, ARM, needed - held), *_german_aid(q, needed - held)],
        have=held,
        need=needed,
    )


def _german_aid(q: Purchase, missing: Fraction) -> Iterator[Remedy]:
    """Armour given by Germany in the next reinforcement phase, where its own pool has it; usable in that turn."""
    free = free_to_spend(q.state, NATIONAL + GERMANY, GERMANY, ARM)
    after = q.world.next_time(q.state, AXIS, REINFORCEMENT)
    if free < missing or after is None or q.world.side_now(q.state, GERMANY) != AXIS or q.payer.startswith(LOCAL):
        return
    until = replace(q.state.clock, turn=after.turn)
    when = q.world.turn_name(after.turn)
    aid = GiveAid(nation=GERMANY, to=q.nation, points=f"{store_points(missing)} {ARM}", into=q.payer)
    words = f"let Germany give it {show_points(missing)} arm as foreign aid (give-aid) and pay on {when}"
    yield Remedy(words, Way(after=after, first=(aid,), until=until))


# ------------------------------------------------------------------------------------------ where they appear


def in_greater_germany(world: EuropaWorld, area: str) -> bool:
    """Greater Germany is the home country: its MDs."""
    return bool(area) and world.country_of(area) == GERMANY


@rule("52.D.1/8")
def enters_at_home_or_in_the_paying_theatre(q: Placing) -> Verdict:
    """A replaced German unit appears in Greater Germany, or in the theatre whose pool paid for it."""
    around = "" if q.off_map else q.world.spot(q.hex).area
    if q.unit.spec.nation != GERMANY or not around or in_greater_germany(q.world, around):
        return YES
    if q.area not in q.world.areas:
        # A pocket's own pool belongs to no theatre, and the pocket is where its units appear.
        return YES
    paid, there = q.world.theatre_of(q.area), q.world.theatre_of(around)
    # On enemy ground the own theatre that serves it.
    if paid in (there, q.world.theatre_of(homes.home_in(q.world, q.facts, around, q.nation))):
        return YES
    return no(
        f"{q.unit} was paid for in {the_pool(paid)}, and {the_place(q.hex)} lies in {the_pool(there)}",
        remedy=f"place it in {the_pool(paid)} or in Greater Germany",
    )


def standard_reinforcement(q: Placing) -> Verdict | None:
    """What a theatre abroad has paid for may appear in Greater Germany instead, as standard reinforcements do."""
    if not isinstance(q, Placing) or q.unit.spec.nation != GERMANY or in_greater_germany(q.world, q.area):
        return None
    if in_greater_germany(q.world, q.world.spot(q.hex).area) and q.locations:
        return yes("52.D.1/8", f"{the_place(q.hex)} lies in Greater Germany")
    return None


# ------------------------------------------------------------------------------------------ national reserve


def reserve_share(world: EuropaWorld, nation: str) -> Fraction:
    """The part of a nation's replaced units that enters in national reserve."""
    rows = (row.share for row in world.chart("national_reserves") if nation in row.nations)
    return next(rows, Fraction(0))


@computed("52.D.1/9")
def enters_in_reserve(share: Fraction, before: int) -> bool:
    """The first, third, fifth replaced unit goes into reserve, so that the reserve never has less than its half."""
    reserved = -(-(share * before) // 1)
    return reserved < share * (before + 1)


def counts_for_the_reserve(q: Placing) -> bool:
    """A replaced unit of an Axis nation that keeps a reserve; what was on the map before only comes back to it."""
    share = q.side == AXIS and reserve_share(q.world, q.unit.spec.nation)
    return bool(share) and not comes_back(q)


def comes_back(q: Placing) -> bool:
    """Whether a unit left the map to train, to be rebuilt or for strategic reserve; a dead cadre forms as a cadre."""
    if q.state.mark(unit_key(q.unit.id), FROM_STRATEGIC) is not None:
        return True
    whole = q.unit.place.kind == FORMING and q.unit.step == FULL and q.unit.spec.has(CADRE)
    return rejoins(q.state, q.unit) or (whole and not costs_table.priced_whole(q.world, q.unit))


def replaced_so_far(q: Placing) -> int:
    return q.facts.count(subject_key("nation", q.unit.spec.nation), REPLACED)


def joins_the_reserve(q: Placing) -> bool:
    """Whether the unit about to be placed enters in national reserve."""
    share = reserve_share(q.world, q.unit.spec.nation)
    return counts_for_the_reserve(q) and enters_in_reserve(share, replaced_so_far(q))


def into_national_reserve(q: Placing) -> Iterator[Event]:
    """Counts a replaced Hungarian or Rumanian unit as it enters, and puts every other one in reserve."""
    if not counts_for_the_reserve(q):
        return
    nation, before = q.unit.spec.nation, replaced_so_far(q)
    yield Marked(on=subject_key("nation", nation), mark=REPLACED, value=before + 1, because="52.D.1/9")
    on = unit_key(q.unit.id)
    if not joins_the_reserve(q):
        if q.state.mark(on, NATIONAL_RESERVE) is not None:
            yield Marked(on=on, mark=NATIONAL_RESERVE, value=None, because="52.D.1/9")
    else:
        says = f"replaced unit {before + 1} of {nation}"
        yield Marked(on=on, mark=NATIONAL_RESERVE, value=True, because="52.D.1/9", says=says)


@shown("52.D.1/9")
def in_national_reserve(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """The status shows on the unit while it has it."""
    if state.mark(unit_key(unit.id), NATIONAL_RESERVE) is not None:
        yield Effect("is in national reserve status", "52.D.1/9")


RULES: tuple[Any, ...] = (infantry_serves_its_own_nation, armour_of_others_comes_as_aid)

CHAPTER = Chapter(
    heading="52.D.1",
    guards={
        BuysByTheGeneralRule: RULES,
        PlaceUnit: (enters_at_home_or_in_the_paying_theatre,),
    },
    waivers=dict.fromkeys(("52.A/5", "52.A/6", "51.A.6/2"), (standard_reinforcement,)),
    also={PlaceUnit: (into_national_reserve,)},
    facts=(
        Fact(
            REPLACED,
            ("nation",),
            "replaced units that have entered play",
            0,
            NUMBER,
            said={ANY: "{} replaced so far"},
        ),
    ),
    shows=(in_national_reserve,),
    charts={"german_contingents": tuple[str, ...], "national_reserves": tuple[ReserveShare, ...]},
)
