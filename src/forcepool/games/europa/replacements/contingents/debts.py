"""52.E  Contingents: a minor country spends RPs of its major power, and its next RPs pay them back."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from forcepool.engine.agenda import NEWS, Item
from forcepool.engine.calendar import Clock, Turn
from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.facts import WORDS, Fact, subject_key
from forcepool.engine.ledger import BORROWED
from forcepool.engine.points import parse_points, show_points, store_points
from forcepool.engine.sentence import the_order, the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Remedy, Verdict, Way, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.facts import SIDES_WITH
from forcepool.games.europa.ground.ownership import take_off
from forcepool.games.europa.ground.purchase import Buys, Purchase, Spends, has_points
from forcepool.games.europa.ground.soviet_pools import GENERAL_POOLS, SOVIET_UNION
from forcepool.games.europa.ground.tallies import front_of
from forcepool.games.europa.replacements.contingents.owings import DEBT, SETTLED, owings, pools_of, received_so_far
from forcepool.games.europa.replacements.general.receipts import CHART, changes_sides, charted_by
from forcepool.games.europa.world import NATIONAL, THEATRE, EuropaWorld
from forcepool.rulebook.citations import asked, computed, meets_one_of

KINDS = ("inf", "arm")
CONTINGENT = "contingent"
COUNTED = {kind: f"{kind}_receipts_counted" for kind in KINDS}
"""Receipts of a minor that had come in before its debt, or have been looked at since."""
CHARTED = frozenset((CHART,))
REBUILDING = ("rebuild-cadre", "rebuild-remnant", "rebuild-substitute", "train-cadre", "rebuild-contingent")

USES = switch(
    "borrowing-for",
    "52.E/1",
    "what a contingent may borrow RPs for, and whether its own must be used first",
    any_use="replacing and rebuilding, once its own RPs of the kind are used up",
    rebuilding="rebuilding remnants and cadres only, once its own are used up",
    own_kept="replacing and rebuilding, and its own RPs may be kept back",
)
LIMIT = switch(
    "debt-limit",
    "52.E/3",
    "what the limit of a contingent's debt counts",
    standing="the standing debt of each kind, over all fronts",
    whole_game="all that was ever borrowed of each kind",
    together="the standing debt of inf and arm together",
    a_front="the debt of each kind on each front's marker",
)
REPAYMENT = switch(
    "debt-repayment",
    "52.E/4",
    "how a contingent pays its debt back",
    every_receipt="every RP of the kind that it receives passes to the major power, special replacements too",
    charted="only RPs of the replacement charts pass to the major power",
    kept="the minor keeps the RPs it receives, and the major power gets as many",
    optional="when the player wants to (repay-debt)",
)
REPAID_TO = switch(
    "debt-repaid-to",
    "52.E/5",
    "which pool of the major power repaid RPs go to",
    front="that of the front on whose track the marker lies",
    national="the national pool",
    drawn="the pool the RPs were drawn from",
)
DEFECTION = switch(
    "debt-defection",
    "52.E/7",
    "what a country in debt does that is made to change sides",
    cancelled="it changes sides, and the debt is cancelled",
    delayed="it changes sides only once the debt is paid",
)


# ------------------------------------------------------------------------------------------- who owes what


@asked("52.E/1")
def major_of(world: EuropaWorld, state: State, nation: str) -> str:
    """The major power whose contingent a nation is in, as declared, while both fight on the same side."""
    said = world.facts(state).of_nation(nation, CONTINGENT)
    major = world.nation_named(str(said)) if said else ""
    return major if major and world.side_now(state, major) == world.side_now(state, nation) else ""


def is_borrowed(q: Any, part: Part) -> bool:
    """Whether a part of a payment is drawn on the major power of the unit's contingent."""
    same = part.kind in KINDS and part.kind == part.instead_of and part.nation != q.nation
    # Soviet armour serves every force on the Soviet side for the asking (52.D.2/3).
    free = part.nation == SOVIET_UNION and part.kind in GENERAL_POOLS
    return same and not free and part.nation == major_of(q.world, q.state, q.nation)


def borrowed(q: Purchase) -> dict[str, Fraction]:
    """What a purchase would borrow, by kind."""
    amounts: dict[str, Fraction] = {}
    for part in q.parts if q.command.mix else ():
        if is_borrowed(q, part):
            amounts[part.kind] = amounts.get(part.kind, Fraction(0)) + part.amount
    return amounts


def owed(state: State, nation: str, kind: str = "") -> Fraction:
    """What a nation owes of one kind, or of all, over all fronts."""
    mine = (each.amount for each in owings(state, DEBT) if each.nation == nation and kind in ("", each.kind))
    return sum(mine, Fraction(0))


class Receipts(NamedTuple):
    """The RPs of a kind that a nation has received so far: from everywhere, and by the charts."""

    all: Fraction
    charted: Fraction


def received(state: State, nation: str, kind: str) -> Receipts:
    return Receipts(received_so_far(state, nation, kind), received_so_far(state, nation, kind, only=CHARTED))


def counted(world: EuropaWorld, state: State, nation: str, kind: str) -> Receipts:
    """The receipts that came before a debt, or have gone into paying it back."""
    said = world.facts(state).of_nation(nation, COUNTED[kind])
    return Receipts(*map(parse_points, said)) if isinstance(said, list) and said else Receipts(Fraction(0), Fraction(0))


def count(state: State, nation: str, kind: str, receipts: Receipts | None) -> Iterator[Event]:
    """Receipts noted as counted; none, once nothing is owed."""
    on, mark = subject_key("nation", nation), COUNTED[kind]
    if receipts:
        value = [store_points(each) for each in receipts]
        yield Marked(on=on, mark=mark, value=value, says=f"the next {kind} it receives pay its debt")
    else:
        yield from take_off(state, on, mark, says=f"it owes no {kind} any more")


# -------------------------------------------------------------------------------------------- borrowing


@meets_one_of("52.E/6")
def contingent_may_borrow(q: Any, part: Part) -> Verdict | None:
    """The one way in which RPs of a major power serve another nation's units."""
    nations = q.world.profile.nations
    minor = not nations[q.nation].major and part.nation != q.nation and nations[part.nation].major
    if not minor or part.kind not in KINDS or part.kind != part.instead_of:
        return None
    if is_borrowed(q, part):
        return yes("52.E/6", f"{show_points(part.amount)} {part.kind} borrowed from {part.nation}")
    return no(
        f"{q.nation} is in no contingent of {part.nation} and cannot borrow its RPs",
        remedy=f"pay in RPs of {q.nation}, or if it is in one, "
        f"{the_order('declare', fact='contingent', about=q.nation, value=part.nation)}",
        clause="52.E/1",
        also=("52.C/4",),
    )


def what_may_be_borrowed(q: Purchase) -> Iterator[Part]:
    """As much of each kind as the limit leaves to a nation in a contingent."""
    major = _major(q)
    for kind in KINDS if major and major != q.nation else ():
        part = Part(q.world.numbers["debt_limit"] - _counted(q, kind, Fraction(0), {})[0], kind, major, kind)
        if kind in q.price.amounts and is_borrowed(q, part):
            yield part


def theatres_that_lend(world: EuropaWorld, state: State, unit: Unit) -> Iterator[str]:
    """The theatres that hold points of a minor's major power and, so that nobody else lists them, none of its own."""
    major, nation, facts = major_of(world, state, unit.spec.nation), unit.spec.nation, world.facts(state)
    for pool in world.pools if major and major != nation else ():
        lends = pool.startswith(THEATRE) and has_points(world, facts, pool, major)
        if lends and not has_points(world, facts, pool, nation) and homes.is_open_to(world, facts, pool, nation):
            yield pool


@rule("52.E/1")
def its_own_are_used_first(q: Purchase) -> Verdict:
    """A contingent borrows once it has no RPs of the kind left, since no debt stands beside a balance."""
    amounts, ruling = borrowed(q), q.switch(USES.key)
    if not amounts or ruling == "own-kept":
        return YES
    if ruling == "rebuilding" and q.command.__struct_config__.tag not in REBUILDING:
        return no("RPs are borrowed for rebuilding remnants and cadres only", remedy=f"pay in RPs of {q.nation}")
    for kind, amount in amounts.items():
        held = sum((each for _, each in pools_of(q.state, q.nation, kind)), Fraction(0))
        own = q.price.amounts.get(kind, Fraction(0)) - amount
        if held > own:
            return no(
                f"{q.nation} holds {show_points(held)} {kind} and would pay {show_points(own)} of its own",
                remedy=f"use up the RPs of {q.nation} before borrowing",
                have=held,
                need=own,
            )
    return YES


@rule("52.E/3")
def borrows_within_the_limit(q: Purchase) -> Verdict:
    """No minor country owes its major power more than five infantry or five armour RPs."""
    amounts, limit = borrowed(q), q.world.numbers["debt_limit"]
    for kind, amount in amounts.items():
        total, what = _counted(q, kind, amount, amounts)
        if total > limit:
            return no(
                f"{q.nation} would have borrowed {show_points(total)} {what}, the limit is {show_points(limit)}",
                remedy="borrow less, or wait until it has paid back",
                have=total,
                need=limit,
            )
    return YES


def _counted(q: Purchase, kind: str, amount: Fraction, amounts: dict[str, Fraction]) -> tuple[Fraction, str]:
    """What the limit counts once the purchase is made, and in which words."""
    ruling = q.switch(LIMIT.key)
    if ruling == "whole-game":
        return q.state.balance(BORROWED, q.nation, kind) + amount, f"{kind} in this game"
    if ruling == "together":
        return owed(q.state, q.nation) + sum(amounts.values(), Fraction(0)), "inf and arm"
    if ruling == "a-front":
        marker = marker_for(q, kind)
        return amount - q.state.balance(marker, q.nation, kind), f"{kind} on {the_pool(marker.removeprefix(DEBT))}"
    return owed(q.state, q.nation, kind) + amount, kind


def marker_for(q: Purchase, kind: str) -> str:
    """The track the marker goes on: of the front where the unit waits, or whose pool pays, or where it stands."""
    major = major_of(q.world, q.state, q.nation)
    if q.switch(REPAID_TO.key) == "drawn":
        return DEBT + q.drawn(major, kind)[0]
    for area in (q.track, q.payer, q.world.spot(q.unit.place.of).area):
        if area in q.world.areas:
            return DEBT + front_of(q.world, q.state, area, major)
    return DEBT + NATIONAL + major


def enter_the_debt(q: Purchase) -> Iterator[Event]:
    """The marker goes down by what was borrowed, one for each kind."""
    for kind, amount in borrowed(q).items():
        if not owed(q.state, q.nation, kind):
            yield from count(q.state, q.nation, kind, received(q.state, q.nation, kind))
        yield Transferred(
            amount=amount,
            kind=kind,
            nation=q.nation,
            frm=marker_for(q, kind),
            to=BORROWED,
            because="52.E/1 52.E/2",
            says=f"{q.unit}: borrowed from {_major(q)}",
        )


def soviets_lend_too(q: Any) -> Verdict | None:
    """Soviet infantry RPs serve a nation that came over, where they are borrowed."""
    if not isinstance(q, Purchase) or not borrowed(q).get(KINDS[0]):
        return None
    lent = sum((amount for nation, kind, amount in q.payments if (kind, nation) == (KINDS[0], _major(q))), Fraction(0))
    return yes("52.E/6", f"borrowed from {_major(q)}") if lent == borrowed(q)[KINDS[0]] else None


def _major(q: Purchase) -> str:
    return major_of(q.world, q.state, q.nation)


# ------------------------------------------------------------------------------- changing contingents, sides


def _in_debt(q: Any) -> Fraction:
    return owed(q.state, q.on.removeprefix(subject_key("nation", "")))


@rule("52.E/7")
def stays_while_in_debt(q: Any) -> Verdict:
    """A country with a negative marker does not change contingents."""
    debt, before = _in_debt(q), q.world.facts(q.state).value(q.on, CONTINGENT)
    if not debt or (q.value and before and q.world.nation_named(q.value) == q.world.nation_named(before)):
        return YES
    return no(f"it owes {show_points(debt)} RPs to {before}", remedy=_once_it_is_paid(q))


@rule("52.E/7")
def changes_sides_out_of_debt(q: Any) -> Verdict:
    """A country made to change sides does so, unless the group has it pay first."""
    debt = _in_debt(q) if changes_sides(q) else 0
    if not debt or q.switch(DEFECTION.key) == "cancelled":
        return YES
    return no(f"it owes {show_points(debt)} RPs", remedy=_once_it_is_paid(q))


def _once_it_is_paid(q: Any) -> Remedy:
    """To wait until what the charts give it has paid its debt, where they tell."""
    nation, words = q.on.removeprefix(subject_key("nation", "")), "let it pay back first, out of what it receives"
    kinds = sorted({each.kind for each in owings(q.state, DEBT) if each.nation == nation})
    turns = [charted_by(q.world, q.state, nation, kind, owed(q.state, nation, kind)) for kind in kinds]
    # By a house rule it pays when its player likes: then no chart tells.
    if not all(turns) or q.switch(REPAYMENT.key) == "optional":
        return Remedy(words)
    paid = Clock(Turn(max(turns) + 1), 0, 0, q.state.clock.order)
    return Remedy(f"wait until {q.world.turn_name(paid.turn)}, when what it receives has paid it back", Way(until=paid))


def debts_are_cancelled(q: Any) -> Iterator[Event]:
    """What a country that changed sides owed is owed no more."""
    nation = q.on.removeprefix(subject_key("nation", ""))
    owing = [each for each in owings(q.state, DEBT) if each.nation == nation] if changes_sides(q) else []
    for each in owing:
        yield Transferred(
            amount=each.amount,
            kind=each.kind,
            nation=nation,
            frm=SETTLED,
            to=each.marker,
            because="52.E/7",
            says="cancelled by its change of sides",
        )
    for kind in sorted({each.kind for each in owing} & set(COUNTED)):
        yield from count(q.state, nation, kind, None)


# --------------------------------------------------------------------------------------------- checklist


@computed("52.E/2")
def markers(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Every debt marker in play."""
    for each in owings(state, DEBT):
        major = major_of(world, state, each.nation) or "nobody"
        text = (
            f"{each.nation} owes {major} {show_points(each.amount)} {each.kind} "
            f"({the_pool(each.marker.removeprefix(DEBT))})"
        )
        yield Item(NEWS, text, "52.E/2", world.side_now(state, each.nation))


CHAPTER = Chapter(
    heading="52.E",
    pools=(DEBT.rstrip("/"),),
    facts=(
        Fact(CONTINGENT, ("nation",), "the major power whose contingent it is in", ""),
        *(
            Fact(mark, ("nation",), f"{kind} RPs counted for its debt", [], WORDS, by_hand=False)
            for kind, mark in COUNTED.items()
        ),
    ),
    forbids={CONTINGENT: (stays_while_in_debt,), SIDES_WITH: (changes_sides_out_of_debt,)},
    declared={SIDES_WITH: (debts_are_cancelled,)},
    guards={Buys: (its_own_are_used_first, borrows_within_the_limit)},
    permits=(contingent_may_borrow,),
    mixes=(what_may_be_borrowed,),
    payers=(theatres_that_lend,),
    also={Spends: (enter_the_debt,)},
    waivers={"52.D.2/4": (soviets_lend_too,)},
    switches=(USES, LIMIT, REPAYMENT, REPAID_TO, DEFECTION),
    agenda=(markers,),
)
