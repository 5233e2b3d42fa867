"""52.E/4 and /5  How a contingent pays its debt back: out of what it receives, into the pool of the lender."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import groupby

from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Transferred
from forcepool.engine.facts import kept
from forcepool.engine.given import Amounts, Nation
from forcepool.engine.options import would_pass
from forcepool.engine.points import show_points, store_points
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.pools import no_more_than, read_amounts
from forcepool.games.europa.ground.purchase import Buys, Purchase
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.replacements.contingents.debts import (
    COUNTED,
    REPAID_TO,
    REPAYMENT,
    count,
    counted,
    major_of,
    owed,
    received,
)
from forcepool.games.europa.replacements.contingents.owings import (
    DEBT,
    REPAID,
    SETTLED,
    Owing,
    filled,
    owings,
    pools_of,
)
from forcepool.games.europa.replacements.general.transfers import PointsMoving, TransferPoints
from forcepool.games.europa.replacements.kinds.aid import Aiding, GiveAid
from forcepool.games.europa.world import NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

BACK = "pays back what it borrowed"


def repay(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a phase begins or ends, what minors in debt have received since goes to their major powers."""
    debts = owings(state, DEBT)
    if not debts:
        return
    for (nation, kind), group in groupby(debts, key=lambda each: each[:2]):
        if kind in COUNTED and major_of(world, state, nation):
            yield from out_of_receipts(world, state, list(group))


@computed("52.E/4")
def out_of_receipts(world: EuropaWorld, state: State, debts: list[Owing]) -> Iterator[Event]:
    """Each RP of the kind that the minor gets raises its marker by one, and the minor does not keep it."""
    nation, kind, ruling = debts[0].nation, debts[0].kind, world.ruling(state, REPAYMENT.key)
    before, now = counted(world, state, nation, kind), received(state, nation, kind)
    if before == now:
        return
    new = {"charted": now.charted - before.charted, "optional": Fraction(0)}.get(ruling, now.all - before.all)
    raised = list(_raised(debts, new) if ruling == "kept" else filled(state, debts, new, "52.E/4", BACK))
    yield from _passed_on(world, state, raised)
    left = sum((each.amount for each in debts), Fraction(0)) - sum((each.amount for each in raised), Fraction(0))
    yield from count(state, nation, kind, now if left else None)


@rule("52.E/4")
def receipts_pay_the_debt_first(q: Purchase) -> Verdict:
    """What a minor in debt has received since its debt was last reckoned is not there to be spent."""
    for nation, kind in sorted({each[:2] for each in q.payments}):
        lenders = _passes_on(q.world, q.facts, nation, kind)
        if not lenders:
            continue
        amount = sum((each[2] for each in q.payments if each[:2] == (nation, kind)), Fraction(0))
        free = sum((held for _, held in pools_of(q.state, nation, kind)), Fraction(0)) - lenders
        if free < amount:
            return no(
                f"{show_points(lenders)} {kind} that {nation} has received pay its debt",
                remedy=f"spend what comes in once the {show_points(owed(q.state, nation, kind))} it owes are paid back",
                have=max(free, Fraction(0)),
                need=amount,
            )
    return YES


@rule("52.E/4")
def receipts_stay_for_the_debt(q: PointsMoving) -> Verdict:
    """What a minor in debt has received leaves its pools once the phase has ended and its debt is paid."""
    leaving = {kind: amount - min(amount, q.arrived_now(kind)) for kind, amount in q.amounts.items()}
    return _stay(q, q.nation, leaving)


@rule("52.E/4")
def receipts_are_not_given_away(q: Aiding) -> Verdict:
    """Nor is it given to a third nation as aid."""
    return _stay(q, q.donor, q.amounts)


def _stay(q: EuropaQuestion, nation: str, leaving: Mapping[str, Fraction]) -> Verdict:
    for kind, amount in leaving.items():
        lenders = _passes_on(q.world, q.facts, nation, kind)
        free = sum((held for _, held in pools_of(q.state, nation, kind)), Fraction(0)) - lenders
        if lenders and free < amount:
            return no(
                f"{show_points(lenders)} {kind} that {nation} has received pay its debt as the phase ends",
                remedy="send what is left of them then",
                have=max(free, Fraction(0)),
                need=amount,
            )
    return YES


@kept
def _passes_on(world: EuropaWorld, facts: EuropaFacts, nation: str, kind: str) -> Fraction:
    """The points of a kind a nation holds that go to its lender as the phase ends."""
    state = facts.state
    debt = owed(state, nation, kind)
    ruling = world.ruling(state, REPAYMENT.key)
    if kind not in COUNTED or not debt or ruling in ("kept", "optional") or not major_of(world, state, nation):
        return Fraction(0)
    before, now = counted(world, state, nation, kind), received(state, nation, kind)
    return min(debt, now.charted - before.charted if ruling == "charted" else now.all - before.all)


def _raised(debts: list[Owing], most: Fraction) -> Iterator[Transferred]:
    """The markers raised, by house rule, without taking anything from the minor."""
    for each in debts:
        amount = min(each.amount, most)
        most -= amount
        if amount > 0:
            yield Transferred(
                amount=amount, kind=each.kind, nation=each.nation, frm=SETTLED, to=each.marker, because="52.E/4"
            )


def _passed_on(world: EuropaWorld, state: State, raised: list[Transferred]) -> Iterator[Event]:
    """Each point that raised a marker, and one for the pool of the major power."""
    for each in raised:
        yield each
        yield given_back(world, state, each)


@computed("52.E/5")
def given_back(world: EuropaWorld, state: State, raised: Transferred) -> Event:
    """As many RPs are added to the pool of the power that lent them."""
    major = major_of(world, state, raised.nation)
    national = world.ruling(state, REPAID_TO.key) == "national"
    return Transferred(
        amount=raised.amount,
        kind=raised.kind,
        nation=major,
        frm=REPAID,
        to=NATIONAL + major if national else raised.to.removeprefix(DEBT),
        because="52.E/5",
        says=f"paid back by {raised.nation}",
    )


# ------------------------------------------------------------------------------------ when the player wants to


class Repaying(EuropaQuestion):
    """A debt that is to be paid back out of the minor's pools."""

    command: "RepayDebt"

    @lazy
    def nation(self) -> str:
        return self.world.nation_named(self.command.nation)

    @lazy
    def amounts(self) -> Mapping[str, Fraction]:
        return read_amounts(self.world, self.command.points)

    def owes(self, kind: str) -> Fraction:
        """What the nation owes its major power."""
        return owed(self.state, self.nation, kind)

    def holds(self, kind: str) -> Fraction:
        """What its pools hold together."""
        return sum((each for _, each in pools_of(self.state, self.nation, kind)), Fraction(0))


@rule("52.E/4")
def owes_and_holds_it(q: Repaying) -> Verdict:
    """Nobody pays back more than he owes, or more than he has."""
    for kind, amount in q.amounts.items():
        for has, what in ((q.owes(kind), "owes"), (q.holds(kind), "holds")):
            if has < amount:
                return no(
                    f"{q.nation} {what} {show_points(has)} {kind}, not {show_points(amount)}",
                    remedy=no_more_than(q, "pay back", lambda kind: min(q.owes(kind), q.holds(kind))),
                    have=has,
                    need=amount,
                )
    return YES


@rule("52.E/4")
def repayment_is_optional(q: Repaying) -> Verdict:
    """Only by house rule does the player choose when to pay back."""
    if q.switch(REPAYMENT.key) == "optional":
        return YES
    return no("a debt is paid back by itself, as RPs are received", remedy="wait for the next receipt")


class RepayDebt(Command, tag="repay-debt", frozen=True):
    """Pay a contingent's debt back to its major power, where a house rule leaves that to the player."""

    nation: Nation
    """The minor country in debt."""
    points: Amounts
    """How many of what: '2 inf'."""

    question = Repaying
    of_choice = ("points",)
    whole_side = True
    needs = (owes_and_holds_it,)
    requires = (repayment_is_optional,)

    def side(self, q: Repaying) -> str:
        return q.world.side_now(q.state, q.nation)

    def effects(self, q: Repaying) -> Iterator[Event]:
        for kind, amount in q.amounts.items():
            debts = [each for each in owings(q.state, DEBT) if each[:2] == (q.nation, kind)]
            yield from _passed_on(q.world, q.state, list(filled(q.state, debts, amount, "52.E/4", BACK)))

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        """As much as a nation owes and holds."""
        for nation, kind in sorted({(each.nation, each.kind) for each in owings(state, DEBT)}):
            held = sum((amount for _, amount in pools_of(state, nation, kind)), Fraction(0))
            amount = min(held, owed(state, nation, kind))
            if amount > 0 and world.side_now(state, nation) == side:
                order = cls(nation=nation, points=f"{store_points(amount)} {kind}")
                if would_pass(world, state, order):
                    yield order


CHAPTER = Chapter(
    heading="52.E",
    commands=(RepayDebt,),
    guards={
        Buys: (receipts_pay_the_debt_first,),
        TransferPoints: (receipts_stay_for_the_debt,),
        GiveAid: (receipts_are_not_given_away,),
    },
    opening=(repay,),
    happens=(repay,),
    ends=(repay,),
)
