"""52.I.1  Coast defence RPs: received as orders of battle list them, spent to put coast defences into service."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.facts import YES_NO, Fact, place_key
from forcepool.engine.given import Pool, Spot
from forcepool.engine.ledger import NOTHING, SPENT
from forcepool.engine.options import would_pass
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_place, the_pool
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.ground.pools import nations_in_play
from forcepool.games.europa.ground.purchase import REPLACEMENT, Purchase, how_to_fill
from forcepool.games.europa.ground.soviet_pools import COAST
from forcepool.games.europa.own_phase import in_own
from forcepool.games.europa.question import EuropaQuestion, in_a_later
from forcepool.games.europa.world import NATIONAL, EuropaWorld

IN_SERVICE = "coast_defence"


class CoastDefence(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    """A location for which an order of battle provides a coast defence, and its terms."""

    nation: str
    cost: Fraction = Fraction(1)
    from_: str = ""


class Activating(EuropaQuestion):
    """A coast defence to be put into service."""

    command: "ActivateCoastDefence"

    @lazy
    def place(self) -> str:
        return self.world.hex_name(self.command.place)

    @lazy
    def listed(self) -> CoastDefence | None:
        chart: dict[str, CoastDefence] = dict(self.world.chart("coast_defences"))
        return chart.get(self.place)

    @lazy
    def nation(self) -> str:
        return self.world.nation_named(self.listed.nation) if self.listed else ""

    @lazy
    def pool(self) -> str:
        named = self.command.pay_from
        return self.world.pool_named(named) if named else NATIONAL + self.nation


@rule("52.I.1/2")
def is_provided_for(q: Activating) -> Verdict:
    """Coast defences are put into service where the order of battle provides for one, and once."""
    if q.listed is None:
        return no(f"no order of battle provides a coast defence for {q.place}")
    if q.facts.owner(q.place) not in ("", q.world.side_now(q.state, q.nation)):
        return no(f"{the_place(q.place)} is in enemy hands", remedy="take it back first")
    if q.facts.place_is(q.place, IN_SERVICE):
        return no(f"the coast defence of {the_place(q.place)} is in service already")
    if q.listed.from_ and q.world.calendar.parse(q.listed.from_).turn > q.state.clock.turn:
        first = q.world.calendar.parse(q.listed.from_).turn
        return no(
            f"the coast defence of {q.place} may be put into service from {q.listed.from_} on",
            remedy=in_a_later(q, first, f"wait for {q.listed.from_}"),
        )
    return YES


@rule("52/3")
def it_is_the_replacement_phase(q: Activating) -> Verdict:
    """RPs are spent in the owner's replacement phase."""
    return in_own(q, REPLACEMENT)


@rule("52.I.1/2")
def has_the_points(q: Activating) -> Verdict:
    """It costs coast defence RPs, and no others."""
    need = q.listed.cost if q.listed else NOTHING
    have = q.state.balance(q.pool, q.nation, COAST)
    if have >= need:
        return YES
    return no(
        f"costs {show_points(need)} coast defence RPs, {the_pool(q.pool)} has {show_points(have)}",
        remedy=how_to_fill(q, q.pool, q.nation, COAST, need - have),
        have=have,
        need=need,
    )


class ActivateCoastDefence(Command, tag="activate-coast-defence", frozen=True):
    """Spend coast defence RPs to put the coast defence of a place into service."""

    place: Spot
    pay_from: Pool = ""
    """The pool that pays; left out, the nation's."""

    question = Activating
    needs = (is_provided_for,)
    requires = (it_is_the_replacement_phase, has_the_points)

    def side(self, q: Activating) -> str:
        return q.world.side_now(q.state, q.nation)

    def effects(self, q: Activating) -> Iterator[Event]:
        assert q.listed is not None
        yield Transferred(
            amount=q.listed.cost,
            kind=COAST,
            nation=q.nation,
            frm=q.pool,
            to=SPENT,
            because="52.I.1/2",
            says=f"coast defence of {the_place(q.place)}",
        )
        yield Marked(on=place_key(q.place), mark=IN_SERVICE, value=True, because="52.I.1/2")

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        """Each coast defence provided for, from each pool that has points for it."""
        nations = nations_in_play(world, state, side)
        pools = sorted({each.pool for each, held in state.balances.items() if each.kind == COAST and held > 0})
        for place, listed in sorted(dict(world.chart("coast_defences")).items()):
            for pool in pools if world.nation_named(listed.nation) in nations else ():
                order = cls(place=place, pay_from=pool)
                if would_pass(world, state, order):
                    yield order


def permits(q: Purchase, part: Part) -> Verdict | None:
    """Coast defence RPs never pay for a unit."""
    if part.kind != COAST:
        return None
    return no(
        f"coast defence RPs do not pay for {q.unit}", remedy="put a coast defence into service", clause="52.I.1/2"
    )


def may_be_activated(world: EuropaWorld, state: State) -> Iterator[Item]:
    """The coast defences that could be put into service now."""
    if world.phase(state) != REPLACEMENT:
        return
    for place in sorted(dict(world.chart("coast_defences"))):
        command = ActivateCoastDefence(place=place)
        q = Activating(world, state, command)
        rules = (is_provided_for, it_is_the_replacement_phase, has_the_points)
        if all(rule(q) is YES for rule in rules) and q.listed:
            text = f"coast defence of {place}: {show_points(q.listed.cost)} coast defence RP from {the_pool(q.pool)}"
            yield Item(OPEN, text, "52.I.1/2", world.phasing(state), command)


CHAPTER = Chapter(
    heading="52.I.1",
    commands=(ActivateCoastDefence,),
    facts=(Fact(IN_SERVICE, ("place",), "its coast defence is in service", False, YES_NO),),
    permits=(permits,),
    points=(COAST,),
    agenda=(may_be_activated,),
    charts={"coast_defences": dict[str, CoastDefence]},
)
