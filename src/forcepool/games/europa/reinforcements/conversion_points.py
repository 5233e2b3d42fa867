"""51.B.14/4, /5 and 51.B.18/2  What an upgrade or a reorganization costs and yields, and in which pool."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from forcepool.engine.events import Event, Transferred
from forcepool.engine.ledger import SPENT
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_pool
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.ground.pools import brought_by_each, free_to_spend, received, usable_from
from forcepool.games.europa.ground.purchase import how_to_fill
from forcepool.games.europa.ground.soviet_pools import INF, lies_in
from forcepool.games.europa.ground.tallies import counted_as, pays_as
from forcepool.games.europa.reinforcements.changing_places import REORGANIZE
from forcepool.games.europa.reinforcements.listed_points import FROM_THE_OB
from forcepool.games.europa.replacements.general.cadre_supply import is_out_of_reach, pool_within
from forcepool.rulebook.citations import computed

if TYPE_CHECKING:
    from forcepool.games.europa.reinforcements.converting import Converting

FRESH = switch(
    "upgrade-points",
    "51.B.18/2",
    "whether points received in the same reinforcement phase pay for an upgrade or reorganization",
    counted="they do: they are in the pool once they are received",
    held_before="they do not: only what lay in the pool before the phase",
)


def pool_for(q: "Converting", kind: str) -> tuple[str, str]:
    """The pool that pays points of a kind, and whose they are."""
    return drawn_from(q, _pool_of(q, kind), kind, q.entry.cost.get(kind, Fraction(0)))


def _pool_of(q: "Converting", kind: str) -> str:
    """The pool that serves a unit: of one cut off, the one that is cut off with it."""
    within = pool_within(q, kind, q.entry.cost.get(kind, Fraction(0))) if q.on_map else ""
    return within or q.payer


@computed("52.D.1/5", "52.D.1/6")
def drawn_from(q: "Converting", pool: str, kind: str, amount: Fraction) -> tuple[str, str]:
    """A contingent in German colours pays infantry of its own; tanks, where its own are too few, are German aid."""
    own = pays_as(q.unit.spec)
    home, whose = lies_in(q.world, q.state, pool, own, kind)
    if own == q.nation or kind == INF or held_free(q, home, whose, kind) >= amount:
        return home, whose
    return lies_in(q.world, q.state, pool, q.nation, kind)


def _comes_in(q: "Converting", kind: str) -> tuple[str, str]:
    """Where points of a kind come in, and whose: what a contingent in German colours yields is no German point."""
    return lies_in(q.world, q.state, _pool_of(q, kind), counted_as(q.unit.spec), kind)


@rule("51.B.18/1", "51.B.18/2", "51.B.14/4")
def pool_pays(q: "Converting") -> Verdict:
    """The RPs an upgrade or reorganization costs are in the pool of the MD or command where the unit stands."""
    if q.in_pool:
        return YES
    clause = "51.B.14/4" if q.verb == REORGANIZE else "51.B.18/1"
    also = () if q.verb == REORGANIZE else ("51.B.18/2",)
    for kind, amount in q.entry.cost.items():
        payer, whose = pool_for(q, kind)
        if q.on_map and is_out_of_reach(q, payer):
            says = f"{q.unit} is supply isolated and {the_pool(payer)} cannot reach it"
            return no(says, remedy="break through to it", clause=clause, also=also)
        held = held_free(q, payer, whose, kind)
        if held < amount:
            of = "" if whose == q.nation else f" of {whose}"
            return no(
                f"costs {show_points(amount)} {kind}{of}, {the_pool(payer)} has {show_points(held)}",
                remedy=how_to_fill(q, payer, whose, kind, amount - held),
                clause=clause,
                also=also,
                have=held,
                need=amount,
            )
    return YES


def held_free(q: "Converting", pool: str, nation: str, kind: str) -> Fraction:
    """What a pool holds of a kind and does not owe."""
    return free_to_spend(q.state, pool, nation, kind, _fresh(q, pool, nation, kind))


def _fresh(q: "Converting", payer: str, nation: str, kind: str) -> Fraction:
    """The points a pool has received in this phase, where the group counts them as in it."""
    counted_too = q.switch(FRESH.key) == "counted"
    return q.state.balance(received(payer), nation, kind) if counted_too else Fraction(0)


@computed("51.B.14/4", "51.B.14/5", "51.B.18/2")
def costs_and_gains(q: "Converting") -> Iterator[Event]:
    """The price leaves the pool now; what a reorganization yields comes two turns later."""
    why = "51.B.14/4" if q.verb == REORGANIZE else "51.B.18/1 51.B.18/2"
    for kind, amount in q.entry.cost.items():
        payer, whose = pool_for(q, kind)
        new = max(Fraction(0), amount - q.state.balance(payer, whose, kind))
        for frm, part in ((payer, amount - new), (received(payer), new)):
            if part:
                yield Transferred(amount=part, kind=kind, nation=whose, frm=frm, to=SPENT, because=why, says=q.unit.id)
    turn = q.state.clock.turn + int(q.world.numbers["reorganized_wait"])
    homes_of = {kind: _comes_in(q, kind) for kind in q.entry.yields}
    yield from brought_by_each(q.state, "51.B.14/5", turn, homes_of.values())
    for kind, (home, whose) in homes_of.items():
        yield Transferred(
            amount=q.entry.yields[kind],
            kind=kind,
            nation=whose,
            frm=FROM_THE_OB,
            to=usable_from(turn, home),
            because="51.B.14/5",
            says=q.unit.id,
        )
