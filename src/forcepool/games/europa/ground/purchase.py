"""52, 52.A.1 and 52.C: who pays for a rebuild, and when; shared by every way of spending RPs."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, cast

from msgspec.structs import replace

from forcepool.engine.calendar import Clock
from forcepool.engine.command import BadCommand, Command, given, lazy
from forcepool.engine.events import Event, Transferred
from forcepool.engine.facts import kept, unit_key
from forcepool.engine.ledger import SPENT, Price, is_pool
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import Unit
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import YES, No, Remedy, Rule, Verdict, Way, no, rule
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Part
from forcepool.games.europa.facts import REGULAR, SUPPLY_ISOLATED, EuropaFacts
from forcepool.games.europa.ground import sources, transport
from forcepool.games.europa.ground.mixes import in_other_points, other_points, read_mix
from forcepool.games.europa.ground.pools import free_to_spend, received
from forcepool.games.europa.ground.prices import clauses_behind
from forcepool.games.europa.ground.soviet_pools import CITY, FACTORY, GENERAL
from forcepool.games.europa.own_phase import in_own
from forcepool.games.europa.question import EuropaQuestion, paying
from forcepool.games.europa.world import LOCAL, NATIONAL, NOT_POOLS, RECEIVED, EuropaWorld
from forcepool.rulebook.citations import computed

STORES = (GENERAL, CITY, FACTORY)
"""Pools that belong to no area and pay for units all the same; the others hold allowances, capacity and debts."""
CUT_OFF = (CITY, FACTORY, LOCAL)
"""Pools of places that are cut off: their points help nobody else, nor do others help them."""

REPLACEMENT = "replacement"


class Spends(Command, frozen=True):
    """A command that costs points, of one pool or of a mix."""


class Buys(Spends, frozen=True):
    """Buys a unit, or a step of one."""


class BuysByTheGeneralRule(Buys, frozen=True):
    """Buys it as every nation does, and not as a foreign contingent."""


class Purchase(EuropaQuestion):
    """A unit, the pool that is to pay for it, and everything the rules ask about the two."""

    at_once = False
    """Whether it is paid now or never, as casualties are: points that come later are no help."""

    @given
    def payer(self) -> str:
        named = self.command.pay_from
        payer = self.world.pool_named(named) if named else ""
        if payer.partition("/")[0] in self.world.game.kept_pools and not payer.startswith(STORES):
            raise BadCommand(f"{payer} holds no RPs; pay from the pool of a front, an MD or a nation")
        return payer

    @given
    def becomes(self) -> UnitSpec:
        """The counter that the unit will be: its own, unless another takes its place."""
        return self.unit.spec

    @given
    def reduced(self) -> bool:
        return bool(self.command.reduced)

    @given
    def track(self) -> str:
        """The area on whose track a unit waits: the one named, else the payer's own."""
        named = self.command.track
        if named:
            return self.world.pool_named(named)
        own = self.payer == NATIONAL + self.nation and self.world.profile.nations[self.nation].own_track
        return "" if self.payer.startswith((NATIONAL, LOCAL)) and not own else self.payer

    @lazy
    def price(self) -> Price:
        """The command's own price, as the other headings change it."""
        price = cast(Price, self.command.price(self))
        for change in self.world.game.prices:
            price = change(self, price)
        return price

    @given
    def parts(self) -> tuple[Part, ...]:
        """What is paid in other points than the unit's own: 'mix=1 inf of Britain, 1 arm for inf'."""
        return tuple(read_mix(self.world, self.nation, self.command.mix)) if self.command.mix else ()

    @lazy
    def mixable(self) -> tuple[Part, ...]:
        """What some heading lets pay instead, no larger than the price and than what the pool it comes from holds."""
        return tuple(_on_hand_instead(self))

    @lazy
    def payments(self) -> list[tuple[str, str, Fraction]]:
        """Nation, kind and amount of everything that is paid, the mixed parts first; what they pay too much is gone."""
        left = dict(self.price.amounts)
        paid = []
        for part in self.parts:
            left[part.instead_of] = left.get(part.instead_of, Fraction(0)) - part.amount
            paid.append((part.nation, part.kind, part.amount))
        paid += [(self.drawn(self.nation, kind)[1], kind, amount) for kind, amount in left.items() if amount > 0]
        return paid

    def drawn(self, nation: str, kind: str) -> tuple[str, str]:
        """The pool a part of the price comes from, and whose points: the payer's and the nation's by default."""
        for draws_on in self.world.game.draws_on:
            found = draws_on(self, nation, kind)
            if found is not None:
                return found
        if nation != self.nation and self.payer == NATIONAL + self.nation:
            return NATIONAL + nation, nation
        return self.payer, nation

    def in_time(self, turns: int) -> int:
        """The turns it takes, as the other headings change them."""
        for change in self.world.game.times:
            turns = change(self, turns)
        return turns

    @lazy
    def stackmates(self) -> list[Unit]:
        """Friendly units in the same hex, the unit itself left out."""
        return [
            each
            for each in self.state.stack(self.unit.place.of)
            if each.id != self.unit.id and self.world.side_now(self.state, each.spec.nation) == self.side
        ]

    @lazy
    def areas(self) -> tuple[str, ...]:
        """The MD, front and theatre of its own side that serve the unit's hex; empty when the scenario does not say."""
        around = self.world.spot(self.unit.place.of).area
        return homes.serving(self.world, self.facts, around, self.nation) if around else ()

    @lazy
    def local_pool(self) -> str:
        """The pool of the pocket the unit is cut off in."""
        pocket = self.facts.of_unit(self.unit, "pocket")
        return LOCAL + pocket.casefold() if pocket else ""

    @lazy
    def has_a_regular_line(self) -> bool:
        """Whether the unit traces a regular supply line to a source of each kind of RP it is paid in."""
        if self.facts.supply(self.unit) != REGULAR or is_supply_isolated(self):
            return False
        return sources.reaches_a_source(self.world, self.facts, self.unit, self.price.amounts, self.payer)

    @property
    def pays_locally(self) -> bool:
        return bool(self.local_pool) and self.payer == self.local_pool

    def key(self) -> str:
        return unit_key(self.unit.id)


def spend(q: Purchase) -> Iterator[Event]:
    """The price leaves the pool, kind by kind; what the pool has just received is spent last."""
    left: dict[tuple[str, str, str], Fraction] = {}
    for nation, kind, amount in q.payments:
        pool = q.drawn(nation, kind)[0]
        held = left.get((pool, nation, kind), q.state.balance(pool, nation, kind))
        short = min(amount, max(Fraction(0), amount - held))
        fresh = min(short, just_received(q, pool, nation, kind))
        left[pool, nation, kind] = held - (amount - fresh)
        for account, part in ((pool, amount - fresh), (received(pool), fresh)):
            if part:
                yield Transferred(
                    amount=part,
                    kind=kind,
                    nation=nation,
                    frm=account,
                    to=SPENT,
                    because=q.price.because,
                    says=f"{q.unit}: {q.price.working}",
                )


def just_received(q: Purchase, pool: str, nation: str, kind: str) -> Fraction:
    """What charts have brought a pool in this reinforcement phase, which may still be allotted elsewhere."""
    return q.state.balance(received(pool), nation, kind)


@computed("52/1")
def pay(q: Purchase) -> Iterator[Event]:
    """The price leaves the pool, kind by kind."""
    return spend(q)


@rule("52/3")
def in_own_replacement_phase(q: Purchase) -> Verdict:
    """RPs are spent in the owner's replacement phase."""
    return in_own(q, REPLACEMENT)


@rule("52.C/4")
def points_are_its_own(q: Purchase) -> Verdict:
    """One nation's RPs do not serve another's units, unless a national rule says so."""
    if q.payer.startswith(NATIONAL) and q.payer != NATIONAL + q.nation:
        own = NATIONAL + q.nation
        return no(f"{the_pool(q.payer)} does not serve {q.nation}'s units", paying(q, own))
    granted = YES
    for part in q.parts:
        verdict = _permitted(q, part)
        if isinstance(verdict, No):
            return verdict
        granted = verdict if verdict.because else granted
    for kind in {part.instead_of for part in q.parts}:
        paid = sum((part.amount for part in q.parts if part.instead_of == kind), Fraction(0))
        cost = q.price.amounts.get(kind, Fraction(0))
        if paid > cost:
            return no(
                f"the mix pays {show_points(paid)} for {show_points(cost)} {kind}", remedy="pay no more than the price"
            )
    return granted


def _permitted(q: Purchase, part: Part) -> Verdict:
    if part.nation == q.nation and part.kind == part.instead_of:
        return YES
    refused: No | None = None
    for permit in q.world.game.permits:
        verdict = permit(q, part)
        if isinstance(verdict, No):
            refused = refused or verdict
        elif verdict is not None:
            return verdict
    return refused or no(
        f"{show_points(part.amount)} {part.kind} of {part.nation} cannot stand for {part.instead_of} of {q.nation}",
        remedy=f"pay in {part.instead_of} RPs of {q.nation}",
    )


def can_pay(clause: str) -> Rule[Purchase]:
    """The pool must hold the whole price, of each kind."""

    @rule(clause)
    def pool_holds_the_price(q: Purchase) -> Verdict:
        needed: dict[tuple[str, str], Fraction] = {}
        for nation, kind, amount in q.payments:
            before = needed.get((nation, kind))
            needed[nation, kind] = amount if before is None else before + amount
        short = [
            Lack(nation, kind, amount, balance)
            for (nation, kind), amount in needed.items()
            if (balance := on_hand(q, nation, kind)) < amount
        ]
        return short_of(q, short) if short else YES

    return pool_holds_the_price


@computed("52/4")
def on_hand(q: Purchase, nation: str, kind: str) -> Fraction:
    """All that the pool that pays holds and does not owe, however long it has lain there: points do not grow old."""
    pool = q.drawn(nation, kind)[0]
    return free_to_spend(q.state, pool, nation, kind, just_received(q, pool, nation, kind))


def holds_any(q: Purchase, nation: str, kind: str) -> bool:
    """Whether the pool that would pay has points of a kind at all; of most it has none, whatever the price."""
    pool = q.drawn(nation, kind)[0]
    return bool(q.state.balance(pool, nation, kind) or just_received(q, pool, nation, kind))


def _on_hand_instead(q: Purchase) -> Iterator[Part]:
    for gives in q.world.game.mixes:
        for part in (each for each in gives(q) if each.instead_of in q.price.amounts):
            if holds_any(q, part.nation, part.kind):
                amount = min(part.amount, on_hand(q, part.nation, part.kind), q.price.amounts[part.instead_of])
                if amount > 0:
                    yield replace(part, amount=amount)


@kept
def holders(world: EuropaWorld, facts: EuropaFacts, nation: str, kind: str) -> tuple[tuple[str, Fraction], ...]:
    """The pools that hold points of a kind which could be moved elsewhere, in order."""
    return tuple(
        sorted(
            (account.pool, held)
            for account, held in facts.state.balances.items()
            if (account.nation, account.kind) == (nation, kind)
            and is_pool(account.pool)
            and not account.pool.startswith((*NOT_POOLS, *CUT_OFF, RECEIVED))
        )
    )


@kept
def has_points(world: EuropaWorld, facts: EuropaFacts, pool: str, nation: str) -> bool:
    """Whether a pool holds points of a nation at all."""
    pools = (pool, received(pool))
    return any(held > 0 for each, held in facts.state.balances.items() if each.nation == nation and each.pool in pools)


def how_to_fill(q: EuropaQuestion, pool: str, nation: str, kind: str, missing: Fraction) -> list[Remedy]:
    """How a pool could come by the points it lacks: the sooner first, nothing where nothing is known to help."""
    if q.asked_in_passing:
        return []
    found = [remedy for fills in q.world.game.fills for remedy in fills(q, pool, nation, kind, missing)]
    return sorted(found, key=_helps_from)


def _helps_from(remedy: Remedy) -> tuple[Clock, int]:
    """The sooner first, and of those that help as soon the one with fewer orders."""
    way = remedy.way or Way()
    assert way.until is not None, "points that come are there from a turn on"
    return way.until, len(way.first)


class Lack(NamedTuple):
    """What a price asks of one kind, and what there is of it."""

    nation: str
    kind: str
    need: Fraction
    have: Fraction

    @property
    def missing(self) -> Fraction:
        return self.need - self.have


def short_of(q: Purchase, short: Sequence[Lack]) -> No:
    """How much of each kind is missing, and how the pool could come by all of it."""
    need = sum((each.need for each in short), Fraction(0))
    missing = {each.kind: each.missing for each in short}
    clause, *also = clauses_behind(q.unit.spec, q.price.because)
    costs = " and ".join(f"{show_points(each.need)} {_of_whom(q, each, short)}" for each in short)
    return no(
        f"costs {costs} ({q.price.working}), {_has(q, short)}{other_points(q, missing)}",
        remedy=[*in_other_points(q, missing), *_how_to_fill_all(q, short)],
        clause=clause,
        also=tuple(also),
        have=need - sum((each.missing for each in short), Fraction(0)),
        need=need,
    )


def _of_whom(q: Purchase, lack: Lack, short: Sequence[Lack]) -> str:
    """The kind, and whose points they are where another nation's are asked for as well or instead."""
    return f"{lack.kind} of {lack.nation}" if any(each.nation != q.nation for each in short) else lack.kind


def _has(q: Purchase, short: Sequence[Lack]) -> str:
    """'front Centre has 3', or of several kinds 'front Centre has 3 inf and 0 arm'."""
    if len(short) == 1:
        return f"{the_pool(q.drawn(short[0].nation, short[0].kind)[0])} has {show_points(short[0].have)}"
    held: dict[str, list[str]] = {}
    for each in short:
        amount = f"{show_points(each.have)} {_of_whom(q, each, short)}"
        held.setdefault(q.drawn(each.nation, each.kind)[0], []).append(amount)
    return ", ".join(f"{the_pool(payer)} has {' and '.join(amounts)}" for payer, amounts in held.items())


def _how_to_fill_all(q: Purchase, short: Sequence[Lack]) -> list[Remedy]:
    """What brings one missing kind is a remedy; of several the soonest for each, together, and nothing less."""
    found = [how_to_fill(q, q.drawn(each.nation, each.kind)[0], each.nation, each.kind, each.missing) for each in short]
    if q.at_once:
        found = [
            [each for each in remedies if each.way and not (each.way.after or each.way.until)] for remedies in found
        ]
    if len(short) == 1:
        return found[0]
    soonest = [remedies[0] for remedies in found if remedies and remedies[0].way and not remedies[0].way.after]
    ways = [each.way for each in soonest if each.way]
    if len(ways) < len(short) or not transport.has_room_for(q, ways):
        return []
    until = max((way.until for way in ways if way.until), default=None)
    together = Way(first=tuple(order for way in ways for order in way.first), until=until)
    return [Remedy(", and ".join(dict.fromkeys(each.words for each in soonest)), together)]


def is_supply_isolated(q: Purchase) -> bool:
    return q.facts.isolated(q.unit) == SUPPLY_ISOLATED
