"""52.J.2.a and 52.J.2.b  Disbanding Soviet units for infantry RPs, under the conditions of 51.B.5."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.command import BadCommand, Command, command_name, lazy
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.facts import PLAYER_TURN, POINTS, YES_NO, Fact, subject_key
from forcepool.engine.ledger import Account
from forcepool.engine.places import HEX, OUT_OF_PLAY
from forcepool.engine.points import parse_points, show_counted, show_points, store_points
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.engine.world import World
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.facts import NOT_ISOLATED, REGULAR
from forcepool.games.europa.question import EuropaQuestion, in_a_later, next_turn, waits_for
from forcepool.games.europa.replacements.eliminated import Replace
from forcepool.games.europa.replacements.pools import brought_by, is_the_enemys, usable_from
from forcepool.games.europa.replacements.purchase import REPLACEMENT, BuysByTheGeneralRule, Purchase
from forcepool.games.europa.replacements.sources import reaches_a_source
from forcepool.games.europa.replacements.soviet_pools import (
    INF,
    INITIAL,
    MD,
    REINFORCEMENT,
    SOVIET,
    SOVIET_UNION,
    in_soviet,
    invasion,
    md_pool,
)
from forcepool.games.europa.replacements.soviet_uses import is_soviet
from forcepool.games.europa.replacements.volunteers import is_militia
from forcepool.games.europa.standing_still import holds_still, stood_still
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

MIL = "mil"
"""Points of militia disbanded this turn that are held for one unit."""
DISBANDED = "source/disbanded"
JOINED = "sink/joined the pool"
DISBANDED_RES, MILITIA_GONE = "disbanded_res", "militia_disbanded"
ARMY_OR_HIGHER = ("XXXX", "XXXXX")
TOWN = "town"

NKVD_YIELD = switch(
    "nkvd-disbanding",
    "52.J.2.a/2",
    "the RPs of a disbanded NKVD unit",
    attack="attack strength and one",
    with_res="attack strength and one, and one for each RE besides",
    defence="defence strength and one",
)


class Disbanding(EuropaQuestion):
    """A Soviet unit about to be disbanded."""

    @lazy
    def hex(self) -> str:
        return self.unit.place.of

    @lazy
    def md(self) -> str:
        """The MD whose pool takes the points: the one named, else the one the unit stands in."""
        named = self.command.md
        around = self.world.spot(self.hex).area
        return md_pool(named) if named else homes.home_in(self.world, self.facts, around, self.nation) if around else ""

    @lazy
    def theatre(self) -> str:
        return subject_key("area", self.world.theatre_of(self.md))

    @lazy
    def disbanded(self) -> Fraction:
        """REs disbanded in the theatre this turn."""
        return parse_points(str(self.facts.value(self.theatre, DISBANDED_RES) or 0))


# ---------------------------------------------------------------------------------- what all have in common


@rule("51.B.5/4")
def stands_in_a_city_or_with_an_hq(q: Disbanding) -> Verdict:
    """A unit is disbanded in a city, or with an army HQ that has not moved."""
    if _in_a_city(q):
        return YES
    if unmoved_hqs(q):
        return YES
    return no(f"{q.unit.id} stands neither in a city nor with an unmoved army HQ", remedy="move it to a city first")


def _in_a_city(q: Disbanding) -> bool:
    return q.facts.is_city(q.hex)


def unmoved_hqs(q: Disbanding) -> list[Unit]:
    """The friendly army HQs in the hex that have not moved."""
    side = q.world.side_now(q.state, q.unit.spec.nation)
    return [
        each
        for each in q.state.stack(q.hex)
        if q.world.has_role(each.spec, "hq")
        and each.spec.size in ARMY_OR_HIGHER
        and q.world.side_now(q.state, each.spec.nation) == side
        and stood_still(q.world, q.state, each)
    ]


@rule("51.B.5/5")
def is_in_no_enemy_zoc(q: Disbanding) -> Verdict:
    """Not in an enemy zone of control."""
    zones = [zone for zone in q.facts.enemy_zocs(q.unit) if q.world.zone_rank(zone)]
    if not zones:
        return YES
    return no(f"{q.unit.id} stands in an enemy ZOC ({', '.join(zones)})", remedy="move it out first")


@rule("51.B.5/3")
def has_a_line_to_a_source(q: Disbanding) -> Verdict:
    """It needs a supply line over land to a replacement source, and so is not isolated."""
    facts = q.facts
    cut_off = facts.isolated(q.unit) != NOT_ISOLATED or facts.supply(q.unit) != REGULAR
    if not cut_off and reaches_a_source(q.world, facts, q.unit):
        return YES
    return no(f"{q.unit.id} has no supply line to a replacement source", remedy="open one first")


@rule("51.B.5.c/1")
def three_res_a_theatre(q: Disbanding) -> Verdict:
    """A player disbands no more than 3 REs a theatre and turn."""
    limit, total = q.world.numbers["disband_res"], q.disbanded + q.world.res(q.unit.spec, q.unit.step)
    if total <= limit:
        return YES
    return no(
        f"with {q.unit.id} {show_counted(total, 'RE')} would be disbanded this turn",
        remedy=next_turn(q, "wait for the next turn"),
        have=total,
        need=limit,
    )


@rule("51.B.5/6", "52.J.2.b/4")
def points_go_to_its_own_md(q: Disbanding) -> Verdict:
    """The MD in which it stands takes the points; one is named only where nobody has said which that is."""
    around = q.world.spot(q.hex).area
    own = homes.home_in(q.world, q.facts, around, q.nation)
    if not around or q.md == own or (q.md in q.world.line_of(around) and not is_the_enemys(q, q.md)):
        return YES
    clause = "52.J.2.b/4" if is_militia(q.world, q.unit.spec) else ""
    return no(f"{own} takes the points of {q.unit.id}, not {q.md}", remedy="leave md= out", clause=clause)


CONDITIONS = (
    stands_in_a_city_or_with_an_hq,
    is_in_no_enemy_zoc,
    has_a_line_to_a_source,
    three_res_a_theatre,
    points_go_to_its_own_md,
)


def leaves_play(q: Disbanding) -> Iterator[Event]:
    """The unit is out of the game for good, and its REs count against the limit."""
    if not q.md:
        raise BadCommand(f"the scenario does not say which MD {q.hex} lies in; name it with md=")
    yield Moved(unit=q.unit.id, frm=q.unit.place, to=OUT_OF_PLAY, because="51.B.5.b/1", says="disbanded")
    total = store_points(q.disbanded + q.world.res(q.unit.spec, q.unit.step))
    yield Marked(on=q.theatre, mark=DISBANDED_RES, value=total, because="51.B.5.c/1")
    if not _in_a_city(q):
        for hq in unmoved_hqs(q)[:1]:
            yield from holds_still(q.world, q.state, hq, f"served to disband {q.unit.id}")


def _points(q: Disbanding, amount: Fraction, kind: str, pool: str, because: str, says: str) -> Transferred:
    return Transferred(
        amount=amount, kind=kind, nation=SOVIET_UNION, frm=DISBANDED, to=pool, because=because, says=says
    )


# ----------------------------------------------------------------------------------------------------- NKVD


@rule("52.J.2.a/1")
def is_no_nkvd_border_or_rifle_unit(q: Purchase) -> Verdict:
    """Eliminated NKVD border and rifle units are gone; other NKVD units may be replaced."""
    spec, role = q.unit.spec, q.world.has_role
    rifle = role(spec, "infantry") and not role(spec, "c/m")
    if not is_soviet(q) or not role(spec, "nkvd") or not (role(spec, "border") or rifle):
        return YES
    return no(f"{q.unit.id} is an NKVD border or rifle unit, and these are not replaced")


@rule("52.J.2.a/2")
def is_nkvd_on_the_map(q: Disbanding) -> Verdict:
    """An NKVD unit on the map may be disbanded."""
    nkvd = q.unit.spec.nation == SOVIET_UNION and q.world.has_role(q.unit.spec, "nkvd")
    if nkvd and q.unit.place.kind == HEX:
        return YES
    return no(f"{q.unit.id} is no NKVD unit on the map")


@rule("51.B.5/2")
def it_is_the_reinforcement_phase(q: Disbanding) -> Verdict:
    """Units are disbanded in the owner's reinforcement phase."""
    if in_soviet(REINFORCEMENT, q.world, q.state):
        return YES
    return no(f"it is the {q.world.when(q.state)}", remedy=waits_for(q, REINFORCEMENT))


@computed("52.J.2.a/2")
def nkvd_points(q: Disbanding) -> tuple[Fraction, str]:
    """Attack strength and one, unless the group plays it otherwise."""
    how, one = q.switch(NKVD_YIELD.key), q.world.numbers["disband_bonus"]
    strength = q.unit.spec.strength(q.unit.step)
    if how == "defence":
        return strength.defence + one, f"defence {show_points(strength.defence)} + {show_points(one)}"
    amount, working = strength.attack + one, f"attack {show_points(strength.attack)} + {show_points(one)}"
    if how == "with-res" or q.switch("disbanding-bonus") == "nkvd-too":
        res = q.world.res(q.unit.spec, q.unit.step)
        return amount + res, f"{working} + {show_counted(res, 'RE')}"
    return Fraction(amount), working


class DisbandNkvd(Command, tag="disband-nkvd", frozen=True):
    """Disband an NKVD unit for infantry RPs, usable from the next turn on."""

    unit: str
    md: str = ""
    """The MD whose pool takes the points; left out, the one it stands in."""

    question = Disbanding
    needs = (is_nkvd_on_the_map,)
    requires = (it_is_the_reinforcement_phase, *CONDITIONS)

    def effects(self, q: Disbanding) -> Iterator[Event]:
        yield from leaves_play(q)
        amount, working = nkvd_points(q)
        pool = usable_from(q.state.clock.turn + int(q.world.numbers["disbanded_wait"]), q.md)
        yield _points(q, amount, INF, pool, "52.J.2.a/2 51.B.5.a/1", f"{q.unit.id} disbanded: {working}")
        yield brought_by(q.state, q.unit.spec.nation, "51.B.5.a/1", pool)

    @classmethod
    def offers(cls, world: World, state: State, unit: Unit) -> Iterator[Command]:
        assert isinstance(world, EuropaWorld)
        nkvd = unit.spec.nation == SOVIET_UNION and world.has_role(unit.spec, "nkvd")
        if nkvd and unit.place.kind == HEX:
            yield cls(unit=unit.id)


# -------------------------------------------------------------------------------------------------- militia


@rule("52.J.2.b/3")
def is_militia_on_the_map(q: Disbanding) -> Verdict:
    """A militia unit on the map may be disbanded."""
    if is_militia(q.world, q.unit.spec) and q.unit.place.kind == HEX:
        return YES
    return no(f"{q.unit.id} is no Soviet militia unit on the map")


@rule("52.J.2.b/2")
def militia_may_be_withdrawn(q: Disbanding) -> Verdict:
    """From the fifth turn after the invasion on, one militia unit in each Soviet initial phase."""
    if not in_soviet(INITIAL, q.world, q.state):
        return no(f"it is the {q.world.when(q.state)}", remedy=waits_for(q, INITIAL, SOVIET))
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
    """The points may join the pool of the MD it stood in."""
    return q.md


class DisbandMilitia(Command, tag="disband-militia", frozen=True):
    """Withdraw a militia unit and disband it for infantry RPs."""

    unit: str
    hold: bool = False
    """Hold the points for one unit replaced this turn, which then arrives in two turns; what is over joins the pool."""
    md: str = ""
    """The MD whose pool takes the points; left out, the one it stands in."""

    question = Disbanding
    needs = (is_militia_on_the_map,)
    requires = (militia_may_be_withdrawn, *CONDITIONS)

    def effects(self, q: Disbanding) -> Iterator[Event]:
        yield from leaves_play(q)
        amount, working = militia_points(q)
        kind, because = (MIL, "52.J.2.b/3 52.J.2.b/5") if self.hold else (INF, "52.J.2.b/3 52.J.2.b/4")
        yield _points(q, amount, kind, pool_of_its_md(q), because, f"{q.unit.id} disbanded: {working}")
        yield Marked(on=subject_key("nation", SOVIET_UNION), mark=MILITIA_GONE, value=True, because="52.J.2.b/2")

    @classmethod
    def offers(cls, world: World, state: State, unit: Unit) -> Iterator[Command]:
        assert isinstance(world, EuropaWorld)
        if is_militia(world, unit.spec) and unit.place.kind == HEX:
            yield cls(unit=unit.id)
            yield cls(unit=unit.id, hold=True)


# -------------------------------------------------------------------------- points held for one unit at once


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
    if INF in q.price.amounts and is_soviet(q) and command_name(q.command) == "replace":
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


def unused_joins(world: World, state: State) -> Iterator[Event]:
    """At the end of the replacement phase points that bought nothing join the pool."""
    if not in_soviet(REPLACEMENT, world, state):
        return
    for account in sorted(_held(state)):
        yield from joins(account.pool, state.balances[account])


def _held(state: State) -> list[Account]:
    return [
        each for each, balance in state.balances.items() if each.kind == MIL and each.pool.startswith(MD) and balance
    ]


CHAPTER = Chapter(
    heading="52.J.2.b",
    commands=(DisbandNkvd, DisbandMilitia),
    facts=(
        Fact(DISBANDED_RES, ("area",), "REs disbanded this turn", "0", POINTS, lasts=PLAYER_TURN, by_hand=False),
        Fact(MILITIA_GONE, ("nation",), "militia was withdrawn", False, YES_NO, lasts=PLAYER_TURN, by_hand=False),
    ),
    guards={
        Replace: (is_no_nkvd_border_or_rifle_unit,),
        BuysByTheGeneralRule: (militia_points_replace_a_unit,),
    },
    permits=(permits,),
    mixes=(militia_in_part,),
    times=(quick,),
    also={Replace: (surplus_joins,)},
    ends=(unused_joins,),
    switches=(NKVD_YIELD,),
    points=(MIL,),
)
