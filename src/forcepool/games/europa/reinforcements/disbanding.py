"""51.B.5  Disbanding units for RPs, as the order of battle allows."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Transferred
from forcepool.engine.given import EntryKey, UnitName
from forcepool.engine.options import would_pass
from forcepool.engine.places import HEX
from forcepool.engine.sentence import the_entry, to_type
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.pools import brought_by_each, usable_from
from forcepool.games.europa.ground.soviet_pools import INITIAL, REINFORCEMENT, in_soviet, lies_in
from forcepool.games.europa.ground.tallies import as_infantry, counted_as, pool_where_it_stood
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.duties import (
    Listed,
    entry_is_in_force,
    in_own_reinforcement_phase,
    one_that_serves,
)
from forcepool.games.europa.reinforcements.entries import did
from forcepool.games.europa.reinforcements.lines_served import served
from forcepool.games.europa.replacements.soviet import disbanding
from forcepool.games.europa.replacements.soviet.disbanding import CONDITIONS, DISBANDED, leaves_play
from forcepool.games.europa.replacements.soviet.militia import DisbandMilitia
from forcepool.games.europa.replacements.soviet.volunteers import is_militia
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.printing import print_entry
from forcepool.rulebook.citations import computed

DISBAND, INF, MILITIA, SOVIET = "disband", "inf", "militia", "Soviet"

BONUS = switch(
    "disbanding-bonus",
    "51.B.5/7",
    "the RP for each RE of a disbanded unit",
    infantry="an infantry RP of its nation",
    own_type="an RP of the kind the unit costs",
    nkvd_too="an infantry RP of its nation, to NKVD units besides what they give",
)


class Disbanding(Listed, disbanding.Disbanding):
    """A unit that the order of battle lets its owner disband."""

    @lazy
    def md(self) -> str:
        around = self.world.spot(self.hex).area
        return homes.home_in(self.world, self.facts, around, self.unit.spec.nation) if around else ""


@rule("51.B.5/1")
def is_listed_for_disbanding(q: Disbanding) -> Verdict:
    """A unit on the map that an entry names."""
    if q.unit.place.kind == HEX and q.item is not None:
        return YES
    on_map = entries.units_meant(q.world, q.state, q.entry, HEX)
    others = one_that_serves(q, (Disband(entry=q.entry.key, unit=each.id) for each in on_map))
    return no(f"{q.unit} is not the unit {the_entry(q.entry.key)} names", remedy=others)


@rule("51.B.5.d/1")
def is_infantry_or_soviet(q: Disbanding) -> Verdict:
    """Others than the Soviets disband units of infantry types only."""
    if q.side == SOVIET or is_of_infantry_type(q.world, q.unit.spec):
        return YES
    return no(f"{q.unit} is no infantry-type unit", remedy="the entry conflicts with the rule; leave it")


def is_of_infantry_type(world: EuropaWorld, spec: UnitSpec) -> bool:
    """Whether a unit costs infantry RPs alone and is no combat/motorized, artillery, anti-tank, rocket or AA unit."""
    roles = ("c/m", "artillery", "anti-tank", "rocket")
    specialist = any(world.has_role(spec, role) for role in roles) or world.has_role(spec, "anti-aircraft")
    return set(world.shares(spec)) <= {INF} and not specialist


@computed("51.B.5/6", "51.B.5/7")
def points_of(q: Disbanding) -> tuple[dict[str, Fraction], str]:
    """The RPs its entry states, and one for each RE; militia get no more than stated."""
    amounts = dict(q.entry.yields)
    if q.world.has_role(q.unit.spec, MILITIA):
        return amounts, "as stated"
    more = q.world.res(q.unit.spec, q.unit.step) * q.world.numbers["disbanded_a_re"]
    own = q.switch(BONUS.key) == "own-type"
    infantry = as_infantry(q.world, q.state, q.world.infantry_of(q.unit.spec))
    shares = q.world.shares(q.unit.spec) if own else {infantry: Fraction(1)}
    for kind, share in shares.items():
        amounts[kind] = amounts.get(kind, Fraction(0)) + more * share
    return amounts, "as stated, and one for each RE"


class Disband(Command, tag="disband", frozen=True):
    """Break up a unit for RPs, as the order of battle allows from its turn on."""

    harms = True

    entry: EntryKey
    """The line of the order of battle, by its key, as the checklist shows it."""
    unit: UnitName

    question = Disbanding
    needs = (entry_is_in_force("51.B.5/2", DISBAND), is_listed_for_disbanding)
    requires = (in_own_reinforcement_phase("51.B.5/2"), is_infantry_or_soviet, *CONDITIONS)

    def effects(self, q: Disbanding) -> Iterator[Event]:
        yield from leaves_play(q)
        amounts, working = points_of(q)
        turn = q.state.clock.turn + int(q.world.numbers["disbanded_wait"])
        pool = q.store or pool_where_it_stood(q.world, q.state, q.md, q.unit.spec.nation)
        homes_of = {kind: lies_in(q.world, q.state, pool, counted_as(q.unit.spec), kind) for kind in sorted(amounts)}
        yield from brought_by_each(q.state, "51.B.5.a/1", turn, homes_of.values())
        for kind, (home, whose) in homes_of.items():
            if amount := amounts[kind]:
                yield Transferred(
                    amount=amount,
                    kind=kind,
                    nation=whose,
                    frm=DISBANDED,
                    to=usable_from(turn, home),
                    because="51.B.5/6 51.B.5/7 51.B.5.a/1",
                    says=f"{q.unit}: {working}",
                )
        yield did(q.state, q.entry, "51.B.5/1")
        yield from served(q.state, q.entry, q.item)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == HEX:
            for entry in entries.in_force(world, state, world.side_now(state, unit.spec.nation), DISBAND):
                if entries.item_for(world, state, entry, unit) is not None:
                    yield cls(entry=entry.key, unit=unit.id)


def may_be_disbanded(world: EuropaWorld, state: State) -> Iterator[Item]:
    """The entries that let units be disbanded in this phase, each with the first unit that could be."""
    if world.phase(state) != REINFORCEMENT:
        return
    side = world.phasing(state)
    for entry in entries.in_force(world, state, side, DISBAND):
        for unit in entries.units_meant(world, state, entry, HEX):
            if world.side_now(state, unit.spec.nation) == side:
                order = Disband(entry=entry.key, unit=unit.id)
                if would_pass(world, state, order):
                    text = f"{print_entry(entry)}{to_type(entry.key)}: {unit} may be disbanded"
                    yield Item(OPEN, text, "51.B.5/2", side, order)
                    break


def militia_may_go(world: EuropaWorld, state: State) -> Iterator[Item]:
    """One militia unit in each Soviet initial phase, from its turn on: the right is lost with the phase."""
    if not in_soviet(INITIAL, world, state):
        return
    side = world.phasing(state)
    for unit in _on_the_map(world, state, side):
        if is_militia(world, unit.spec) and would_pass(world, state, order := DisbandMilitia(unit=unit.id)):
            text = f"one militia unit may be withdrawn and disbanded in this phase, such as {unit}"
            yield Item(OPEN, text, "52.J.2.b/2", side, order)
            return


def _on_the_map(world: EuropaWorld, state: State, side: str) -> Iterator[Unit]:
    for unit in state.units_in_order():
        if unit.place.kind == HEX and world.side_now(state, unit.spec.nation) == side:
            yield unit


CHAPTER = Chapter(heading="51.B.5", commands=(Disband,), switches=(BONUS,), agenda=(may_be_disbanded, militia_may_go))
