"""52/2, 52.C and 52.D  Charted RPs that are entered by hand, since the scenario does not list them."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event
from forcepool.engine.given import Amounts, Nation, Pool, Why
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Remedy, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.pools import REINFORCEMENT, is_not_yours, is_the_enemys, read_amounts
from forcepool.games.europa.ground.purchase import STORES
from forcepool.games.europa.ground.soviet_pools import MD, SOVIET, SOVIET_UNION
from forcepool.games.europa.own_phase import in_own
from forcepool.games.europa.question import EuropaQuestion, first_of_month, in_phase_of, instead
from forcepool.games.europa.replacements.general.receipt_chart import Line, kinds_received
from forcepool.games.europa.replacements.general.receipts import (
    clause_of,
    credited,
    had_this_month,
)
from forcepool.games.europa.world import NATIONAL

BY_HAND = switch(
    "points-by-hand",
    "52.D.1/2",
    "on which turns of a month Axis, Allied and neutral RPs may be entered by hand",
    any_turn="on any: what a chart gives on turn 1, what an order of battle lists on the turn it lists it for",
    first_turn="on turn 1 alone",
)


class Receiving(EuropaQuestion):
    """Points that a chart gives and that are entered by hand."""

    command: "ReceivePoints"

    @lazy
    def nation(self) -> str:
        return self.world.nation_named(self.command.nation)

    @lazy
    def pool(self) -> str:
        return self.world.pool_named(self.command.pool) if self.command.pool else NATIONAL + self.nation

    @lazy
    def amounts(self) -> dict[str, Fraction]:
        return read_amounts(self.world, self.command.points)


@rule("52/2")
def in_own_reinforcement_phase(q: Receiving) -> Verdict:
    """Charted points come in the owner's reinforcement phase."""
    return in_own(q, REINFORCEMENT)


def _for_the_nation(q: Receiving) -> Remedy:
    return instead(q, f"leave out {the_field('pool')} for {NATIONAL}{q.nation}", pool="")


@rule("52.C/4")
def pool_serves_the_nation(q: Receiving) -> Verdict:
    """Points go to a pool that serves their nation: its own, or that of a front, theatre or MD."""
    if q.pool.partition("/")[0] in q.world.game.kept_pools and not q.pool.startswith(STORES):
        return no(f"{q.pool} holds no RPs", remedy="name the pool of a front, an MD or the nation")
    if q.pool.startswith(NATIONAL) and q.pool != NATIONAL + q.nation:
        return no(f"{the_pool(q.pool)} does not serve {q.nation}", remedy=_for_the_nation(q))
    if q.pool in q.world.areas and is_the_enemys(q, q.pool):
        return no(is_not_yours(q, q.pool), remedy=_for_the_nation(q))
    return YES


@rule("52.C/1", "52.C/2", "52.D.2/5")
def has_such_points(q: Receiving) -> Verdict:
    """A nation receives its own kinds of point and no others: artillery is the Soviets' alone."""
    known = kinds_received(q.world, q.nation)
    strange = [kind for kind in q.amounts if kind not in known]
    if not strange:
        return YES
    contingent = q.world.profile.nations[q.nation].contingent_of == SOVIET_UNION
    clause = "52.D.2/5" if contingent else "52.C/2" if q.world.side_of(q.nation) == SOVIET else "52.C/1"
    return no(
        f"{q.nation} receives no {' and no '.join(strange)} points",
        remedy=f"its RPs are {' and '.join(kind for kind in known if kind in q.world.profile.points)}",
        clause=clause,
    )


@rule("52.D.1/2", "52.D.3/1", "52.D.4/1", "52.D.2.d/2", "52.D.2/5", "52.D.2/7")
def has_not_had_them(q: Receiving) -> Verdict:
    """A pool receives each kind of charted point once a month, a Soviet MD's once a turn."""
    soviet, week = q.nation == SOVIET_UNION, str(q.world.calendar.week(q.state.clock.turn))
    if soviet and not q.pool.startswith(MD):
        return YES
    for each in had_this_month(q.world, q.state, q.nation):
        pool, kind, when = each.rsplit(" ", 2)
        if pool == q.pool and kind in q.amounts and (when == week or not soviet):
            return no(
                f"{the_pool(pool)} has had its {kind} RPs of {q.nation} this {'turn' if soviet else 'month'}",
                remedy="take back what was entered wrongly, or wait for the next receipt",
                clause="52.D.2.d/2" if soviet else clause_of(q.world, q.state, q.nation),
            )
    return YES


@rule("52.D.1/2", "52.D.3/1", "52.D.4/1")
def comes_on_its_turn(q: Receiving) -> Verdict:
    """Charts give RPs on turn 1 of a month; on other turns what is entered is listed by an order of battle.

    By house rule nothing is entered then. The Soviets receive by intervals of their own (52.D.2.d/2).
    """
    by_ob = q.switch(BY_HAND.key) == "any-turn" or SOVIET in (q.side, q.world.side_of(q.nation))
    if by_ob or q.world.calendar.is_first_of_month(q.state.clock.turn):
        return YES
    first, now = first_of_month(q.world, q.state.clock.turn, 1), q.world.turn_name(q.state.clock.turn)
    return no(
        f"{q.nation} receives its charted RPs on turn 1 of a month, and this is {now}",
        remedy=in_phase_of(q, first, REINFORCEMENT, f"wait for {q.world.turn_name(first)}"),
        clause=clause_of(q.world, q.state, q.nation),
    )


class ReceivePoints(Command, tag="receive-points", frozen=True):
    """Enter RPs that a chart or an OB gives this turn, where the scenario does not list them."""

    nation: Nation
    points: Amounts
    """How many of what: '12 inf, 4 arm'."""
    pool: Pool = ""
    """The pool that receives them; left out, the nation's."""
    note: Why = ""

    question = Receiving
    requires = (
        in_own_reinforcement_phase,
        comes_on_its_turn,
        pool_serves_the_nation,
        has_such_points,
        has_not_had_them,
    )

    def side(self, q: Receiving) -> str:
        return q.side if q.side in q.world.sequence.players else ""

    def effects(self, q: Receiving) -> Iterator[Event]:
        line = Line(q.nation, q.pool, q.amounts, "", ())
        return credited(q.world, q.state, line, clause_of(q.world, q.state, q.nation))


CHAPTER = Chapter(heading="52.D.1", commands=(ReceivePoints,), switches=(BY_HAND,))
