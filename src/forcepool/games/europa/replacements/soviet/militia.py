"""52.J.2.b  Militia withdrawn and disbanded, and its points held for one unit."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.command import Command, command_name
from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.facts import PLAYER_TURN, YES_NO, Fact, subject_key
from forcepool.engine.given import Area, UnitName
from forcepool.engine.ledger import JOINED, Account
from forcepool.engine.places import HEX
from forcepool.engine.points import show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.ground.purchase import REPLACEMENT, BuysByTheGeneralRule, Purchase, holds_any
from forcepool.games.europa.ground.soviet_pools import (
    CITY,
    INF,
    INITIAL,
    MD,
    SOVIET,
    SOVIET_UNION,
    in_soviet,
    invasion,
)
from forcepool.games.europa.question import in_a_later, next_turn, waits_for
from forcepool.games.europa.replacements.general.eliminated import Replace
from forcepool.games.europa.replacements.soviet.disbanding import (
    CONDITIONS,
    DISBANDED,
    Disbanding,
    leaves_play,
    points_of,
    pool_that_takes,
)
from forcepool.games.europa.replacements.soviet.soviet_uses import is_soviet
from forcepool.games.europa.replacements.soviet.volunteers import is_militia
from forcepool.games.europa.world import LOCAL, EuropaWorld
from forcepool.rulebook.citations import computed

MIL = "mil"
"""Points of militia disbanded this turn that are held for one unit."""
MILITIA_GONE = "militia_disbanded"


@rule("52.J.2.b/3")
def is_militia_on_the_map(q: Disbanding) -> Verdict:
    """A militia unit on the map may be disbanded."""
    if is_militia(q.world, q.unit.spec) and q.unit.place.kind == HEX:
        return YES
    return no(f"{q.unit} is no Soviet militia unit on the map")


@rule("52.J.2.b/2")
def militia_may_be_withdrawn(q: Disbanding) -> Verdict:
    """From the fifth turn after the invasion on, one militia unit in each Soviet initial phase."""
    if not in_soviet(INITIAL, q.world, q.state):
        return no(f"it is {q.world.when(q.state)}", remedy=waits_for(q, INITIAL, SOVIET))
    invaded, wait = invasion(q.world, q.state), int(q.world.numbers["militia_disbanding"])
    if invaded is None or q.state.clock.turn < invaded + wait:
        if invaded is None:
            return no("militia may be disbanded after an invasion")
        first = q.world.turn_name(invaded + wait)
        return no(f"militia may be disbanded from {first} on", in_a_later(q, invaded + wait, f"wait for {first}"))
    if q.facts.of_nation(SOVIET_UNION, MILITIA_GONE) is True:
        return no(
            "a militia unit was withdrawn in this phase already", remedy=next_turn(q, "wait for the next initial phase")
        )
    return YES


@computed("52.J.2.b/3")
def militia_points(q: Disbanding) -> tuple[Fraction, str]:
    """Attack strength and one."""
    attack, one = q.unit.spec.strength(q.unit.step).attack, q.world.numbers["disband_bonus"]
    return Fraction(attack + one), f"attack {show_points(attack)} + {show_points(one)}"


@computed("52.J.2.b/4")
def pool_of_its_md(q: Disbanding) -> str:
    """The points may join the pool of the MD it stood in; those of a unit cut off stay with it."""
    return pool_that_takes(q)


class DisbandMilitia(Command, tag="disband-militia", frozen=True):
    """Withdraw a militia unit and disband it for infantry RPs."""

    harms = True

    unit: UnitName
    hold: bool = False
    """Hold the points for one unit replaced this turn, with a mix such as '1 mil for inf': it arrives in two turns, and
    what is over joins the pool."""
    md: Area = ""
    """The MD whose pool takes the points; left out, the one it stands in."""

    question = Disbanding
    needs = (is_militia_on_the_map,)
    requires = (militia_may_be_withdrawn, *CONDITIONS)

    def effects(self, q: Disbanding) -> Iterator[Event]:
        yield from leaves_play(q)
        amount, working = militia_points(q)
        kind, because = (MIL, "52.J.2.b/3 52.J.2.b/5") if self.hold else (INF, "52.J.2.b/3 52.J.2.b/4")
        yield points_of(q, amount, kind, pool_of_its_md(q), because, f"{q.unit} disbanded: {working}")
        yield Marked(on=subject_key("nation", SOVIET_UNION), mark=MILITIA_GONE, value=True, because="52.J.2.b/2")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if is_militia(world, unit.spec) and unit.place.kind == HEX:
            yield cls(unit=unit.id)
            yield cls(unit=unit.id, hold=True)


def held_points(q: Purchase) -> Fraction:
    """How much of a payment is in points of militia disbanded this turn."""
    return sum((part.amount for part in q.parts if part.kind == MIL), Fraction(0))


@rule("52.J.2.b/5")
def militia_points_replace_a_unit(q: Purchase) -> Verdict:
    """Points of disbanded militia, at least one of them, may go at once into replacing a unit."""
    used, least = held_points(q), q.world.numbers["militia_least"]
    if not used:
        return YES
    if command_name(q.command) != "replace":
        return no(
            "militia points spent at once replace a unit, they rebuild none", remedy="put them into the MD's pool"
        )
    if used >= least:
        return YES
    return no(f"{show_points(used)} militia points are too few", remedy="use one at least", have=used, need=least)


def permits(q: Purchase, part: Part) -> Verdict | None:
    """Points of disbanded militia stand for infantry RPs of Soviet units."""
    if part.kind != MIL or part.instead_of != INF or part.nation != SOVIET_UNION:
        return None
    return yes("52.J.2.b/5") if is_soviet(q) else None


def militia_in_part(q: Purchase) -> Iterator[Part]:
    """As many militia points as the price has men, while they are held."""
    if not is_soviet(q) or command_name(q.command) != "replace" or not holds_any(q, SOVIET_UNION, MIL):
        return
    if INF in q.price.amounts:
        yield Part(q.price.amounts[INF], MIL, SOVIET_UNION, INF)


def quick(q: Purchase, turns: int) -> int:
    """A unit so replaced arrives sooner."""
    return turns - sooner(q.world) if held_points(q) else turns


@computed("52.J.2.b/6")
def sooner(world: EuropaWorld) -> int:
    """Two turns instead of four."""
    return int(world.numbers["replacement_time"] - world.numbers["militia_purchase_time"])


def surplus_joins(q: Purchase) -> Iterator[Event]:
    """One unit only: what is over after it joins the MD's pool."""
    used = held_points(q)
    left = q.state.balance(q.payer, SOVIET_UNION, MIL) - used
    if used and left:
        yield from joins(q.payer, left)


def joins(pool: str, amount: Fraction) -> Iterator[Event]:
    """Points held become ordinary infantry RPs of the pool they lie in."""
    why, says = "52.J.2.b/4 52.J.2.b/5", "what is over joins the pool"
    yield Transferred(amount=amount, kind=MIL, nation=SOVIET_UNION, frm=pool, to=JOINED, because=why, says=says)
    yield Transferred(amount=amount, kind=INF, nation=SOVIET_UNION, frm=DISBANDED, to=pool, because=why, says=says)


def unused_joins(world: EuropaWorld, state: State) -> Iterator[Event]:
    """At the end of the replacement phase points that bought nothing join the pool."""
    if not in_soviet(REPLACEMENT, world, state):
        return
    for account in sorted(_held(state)):
        yield from joins(account.pool, state.balances[account])


def _held(state: State) -> list[Account]:
    pools = (MD, CITY, LOCAL)
    return [
        each for each, balance in state.balances.items() if each.kind == MIL and each.pool.startswith(pools) and balance
    ]


CHAPTER = Chapter(
    heading="52.J.2.b",
    commands=(DisbandMilitia,),
    facts=(Fact(MILITIA_GONE, ("nation",), "militia was withdrawn", False, YES_NO, lasts=PLAYER_TURN, by_hand=False),),
    guards={BuysByTheGeneralRule: (militia_points_replace_a_unit,)},
    permits=(permits,),
    mixes=(militia_in_part,),
    times=(quick,),
    also={Replace: (surplus_joins,)},
    ends=(unused_joins,),
    points=(MIL,),
)
