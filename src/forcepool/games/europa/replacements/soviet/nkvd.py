"""52.J.2.a  NKVD units: some are not replaced, and those on the map may be disbanded."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.command import Command
from forcepool.engine.events import Event
from forcepool.engine.given import Area, UnitName
from forcepool.engine.places import HEX
from forcepool.engine.points import show_counted, show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.pools import brought_by, usable_from
from forcepool.games.europa.ground.purchase import Purchase
from forcepool.games.europa.ground.soviet_pools import (
    INF,
    REINFORCEMENT,
    SOVIET_UNION,
    in_soviet,
)
from forcepool.games.europa.question import waits_for
from forcepool.games.europa.replacements.general.eliminated import Replace
from forcepool.games.europa.replacements.soviet.disbanding import (
    CONDITIONS,
    Disbanding,
    leaves_play,
    points_of,
    pool_that_takes,
)
from forcepool.games.europa.replacements.soviet.soviet_uses import is_soviet
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

NKVD_YIELD = switch(
    "nkvd-disbanding",
    "52.J.2.a/2",
    "the RPs of a disbanded NKVD unit",
    attack="attack strength and one",
    with_res="attack strength and one, and one for each RE besides",
    defence="defence strength and one",
)


@rule("52.J.2.a/1")
def is_no_nkvd_border_or_rifle_unit(q: Purchase) -> Verdict:
    """Eliminated NKVD border and rifle units are gone; other NKVD units may be replaced."""
    spec, role = q.unit.spec, q.world.has_role
    rifle = role(spec, "infantry") and not role(spec, "c/m")
    if not is_soviet(q) or not role(spec, "nkvd") or not (role(spec, "border") or rifle):
        return YES
    return no(f"{q.unit} is an NKVD border or rifle unit, and these are not replaced")


@rule("52.J.2.a/2")
def is_nkvd_on_the_map(q: Disbanding) -> Verdict:
    """An NKVD unit on the map may be disbanded."""
    nkvd = q.unit.spec.nation == SOVIET_UNION and q.world.has_role(q.unit.spec, "nkvd")
    if nkvd and q.unit.place.kind == HEX:
        return YES
    return no(f"{q.unit} is no NKVD unit on the map")


@rule("51.B.5/2")
def it_is_the_reinforcement_phase(q: Disbanding) -> Verdict:
    """Units are disbanded in the owner's reinforcement phase."""
    if in_soviet(REINFORCEMENT, q.world, q.state):
        return YES
    return no(f"it is {q.world.when(q.state)}", remedy=waits_for(q, REINFORCEMENT))


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

    harms = True

    unit: UnitName
    md: Area = ""
    """The MD whose pool takes the points; left out, the one it stands in."""

    question = Disbanding
    needs = (is_nkvd_on_the_map,)
    requires = (it_is_the_reinforcement_phase, *CONDITIONS)

    def effects(self, q: Disbanding) -> Iterator[Event]:
        yield from leaves_play(q)
        amount, working = nkvd_points(q)
        pool = usable_from(q.state.clock.turn + int(q.world.numbers["disbanded_wait"]), pool_that_takes(q))
        yield points_of(q, amount, INF, pool, "52.J.2.a/2 51.B.5.a/1", f"{q.unit} disbanded: {working}")
        yield brought_by(q.state, q.unit.spec.nation, "51.B.5.a/1", pool)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        nkvd = unit.spec.nation == SOVIET_UNION and world.has_role(unit.spec, "nkvd")
        if nkvd and unit.place.kind == HEX:
            yield cls(unit=unit.id)


CHAPTER = Chapter(
    heading="52.J.2.a",
    commands=(DisbandNkvd,),
    guards={Replace: (is_no_nkvd_border_or_rifle_unit,)},
    switches=(NKVD_YIELD,),
)
