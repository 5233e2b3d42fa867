"""52.D.2/8 to /11 and 52.J.2.b/1  Soviet volunteers: when they come, and the militia that only they replace."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.calendar import Turn
from forcepool.engine.command import command_name
from forcepool.engine.events import Event, Transferred
from forcepool.engine.ledger import Price
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_place, the_pool
from forcepool.engine.state import State
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import YES, Remedy, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.ground.purchase import BuysByTheGeneralRule, Purchase, holds_any
from forcepool.games.europa.ground.soviet_pools import (
    INF,
    MD,
    REINFORCEMENT,
    SOVIET,
    SOVIET_UNION,
    VOL,
    in_soviet,
    invasion,
    md_pool,
    must_be_known,
)
from forcepool.games.europa.question import paying
from forcepool.games.europa.replacements.soviet.soviet_uses import is_soviet
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

VOLUNTEERS = "source/volunteers"


class Volunteers(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the chart of volunteers: an MD and how many it raises, each time or only once."""

    md: str
    vol: Fraction
    time: int = 0
    """1 to 4; left out, every time."""


def is_militia(world: EuropaWorld, spec: UnitSpec) -> bool:
    return spec.nation == SOVIET_UNION and world.has_role(spec, "militia")


def is_replaced_militia(q: Purchase) -> bool:
    """Whether an eliminated Soviet militia unit is being bought back."""
    return is_militia(q.world, q.unit.spec) and command_name(q.command) == "replace"


# ------------------------------------------------------------------------------------------------- receipts


@computed("52.D.2/8")
def which_time(world: EuropaWorld, invaded: int, now: int) -> int:
    """Which of the first four even turns since the invasion this is; 0 if none."""
    every, most = int(world.numbers["volunteer_every"]), int(world.numbers["volunteer_times"])
    week = world.calendar.week
    if now < invaded or week(Turn(now)) % every or now - invaded > most * every:
        return 0
    times = sum(not week(Turn(turn)) % every for turn in range(invaded, now + 1))
    return times if times <= most else 0


def receipts(world: EuropaWorld, state: State) -> Iterator[Event]:
    """In the Soviet reinforcement phase volunteers come forward in their MDs."""
    if not in_soviet(REINFORCEMENT, world, state):
        return
    lines, invaded = world.chart("soviet_volunteers"), invasion(world, state)
    if not lines or invaded is None:
        return
    time = which_time(world, invaded, state.clock.turn)
    for line in lines:
        if time and line.time in (0, time):
            yield Transferred(
                amount=line.vol,
                kind=VOL,
                nation=SOVIET_UNION,
                frm=VOLUNTEERS,
                to=md_pool(line.md),
                because="52.D.2/8",
                says=f"volunteers of {the_place(line.md)}",
            )


def check_chart(world: EuropaWorld, state: State) -> Iterator[Event]:
    """Every line names an MD that exists."""
    for line in world.chart("soviet_volunteers"):
        must_be_known(world, "soviet_volunteers", md=line.md)
    yield from ()


# ----------------------------------------------------------------------------------------------- their use


@rule("52.D.2/9")
def volunteers_serve_infantry(q: Purchase) -> Verdict:
    """Volunteers replace and rebuild infantry and militia, nothing else."""
    if not any(kind == VOL for _, kind, _ in q.payments) or is_replaced_militia(q):
        return YES
    spec = q.becomes
    if is_soviet(q) and (q.world.has_role(spec, "infantry") or is_militia(q.world, spec)):
        on_foot = not q.world.has_role(spec, "c/m")
        if on_foot:
            return YES
    return no(f"{q.unit} is neither infantry nor militia", remedy="pay in ordinary RPs")


def permits(q: Purchase, part: Part) -> Verdict | None:
    """Volunteers stand for the infantry RPs of Soviet units."""
    if part.kind != VOL or part.nation != SOVIET_UNION or part.instead_of != INF:
        return None
    return yes("52.D.2/9") if is_soviet(q) else None


def volunteers_in_part(q: Purchase) -> Iterator[Part]:
    """As many volunteers as the price has men."""
    if is_soviet(q) and holds_any(q, SOVIET_UNION, VOL) and INF in q.price.amounts:
        yield Part(q.price.amounts[INF], VOL, SOVIET_UNION, INF)


@rule("52.J.2.b/1")
def only_volunteers_replace_militia(q: Purchase) -> Verdict:
    """Eliminated militia come back for volunteers alone."""
    if not is_replaced_militia(q):
        return YES
    if any(kind != VOL and amount > 0 for _, kind, amount in q.payments):
        return no(f"{q.unit} is militia, which volunteers alone replace", remedy="pay the whole price in vol")
    need = sum((amount for _, _, amount in q.payments), Fraction(0))
    have = q.state.balance(q.payer, SOVIET_UNION, VOL)
    if have >= need:
        return YES
    return no(
        f"militia is replaced with volunteers only, and {the_pool(q.payer)} has {show_points(have)} of "
        f"{show_points(need)}",
        remedy=_by_another_md(q, need),
        have=have,
        need=need,
    )


def _by_another_md(q: Purchase, need: Fraction) -> list[Remedy]:
    """To pay from an MD of the same theatre that has saved enough; nothing where none has."""
    theatre = q.world.theatre_of(q.unit.place.of)
    enough = (pool for pool, held in saved(q.state).items() if held >= need and q.world.theatre_of(pool) == theatre)
    found = next(enough, "")
    return [paying(q, found)] if found else []


def militia_price(q: Purchase, price: Price) -> Price:
    """The price of eliminated militia is in volunteers."""
    return in_volunteers(price) if is_replaced_militia(q) else price


@computed("52.D.2/9")
def in_volunteers(price: Price) -> Price:
    """As many volunteers as it would cost infantry RPs."""
    amounts = {VOL if kind == INF else kind: amount for kind, amount in price.amounts.items()}
    return Price(amounts, f"{price.working}, in volunteers", f"{price.because} 52.D.2/9 52.J.2.b/1")


def militia_time(q: Purchase, turns: int) -> int:
    """Replaced militia is quick."""
    return next_turn(q.world) if is_replaced_militia(q) else turns


@computed("52.D.2/11")
def next_turn(world: EuropaWorld) -> int:
    """It arrives on the very next turn."""
    return int(world.numbers["militia_time"])


# --------------------------------------------------------------------------------------------------- agenda


@computed("52.D.2/10")
def saved(state: State) -> dict[str, Fraction]:
    """Volunteers saved, by MD: they never lapse, and stay apart from ordinary RPs."""
    return {
        account.pool: balance
        for account, balance in sorted(state.balances.items())
        if account.kind == VOL and balance > 0 and account.pool.startswith(MD)
    }


def volunteers_saved(world: EuropaWorld, state: State) -> Iterator[Item]:
    """What volunteers are there to be used."""
    for pool, balance in saved(state).items():
        text = f"{show_points(balance)} volunteers saved at {the_pool(pool)}, for infantry and militia"
        yield Item(OPEN, text, "52.D.2/10", SOVIET)


RULES = (volunteers_serve_infantry, only_volunteers_replace_militia)
CHAPTER = Chapter(
    heading="52.D.2",
    happens=(receipts,),
    opening=(check_chart,),
    guards={BuysByTheGeneralRule: RULES},
    permits=(permits,),
    mixes=(volunteers_in_part,),
    prices=(militia_price,),
    times=(militia_time,),
    agenda=(volunteers_saved,),
    charts={"soviet_volunteers": tuple[Volunteers, ...]},
)
