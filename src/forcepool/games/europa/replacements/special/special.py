"""52.F, 52.F.1, 52.F.2 and 52.F.5  Special replacements: what the losses bring back, when, and into which pool."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from math import floor
from typing import Any, NamedTuple

from msgspec import Struct

from forcepool.engine.agenda import NEWS, Item
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.facts import TAKEN_BACK, WORDS, YES_NO, Fact, unit_key
from forcepool.engine.ledger import LOST, NOTHING
from forcepool.engine.places import Place
from forcepool.engine.points import show_amounts, show_points
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Remedy, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.prices import INF
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.ground.soviet_pools import (
    CITY,
    GENERAL_POOLS,
    REINFORCEMENT,
    SOVIET,
    SOVIET_UNION,
    is_contingent,
    own_pool,
)
from forcepool.games.europa.ground.tallies import (
    ADDED_BACK,
    COMBAT,
    COUNTED,
    SUPPLY,
    Tally,
    account_of,
    as_infantry,
    tallies,
)
from forcepool.games.europa.question import EuropaQuestion, from_phase_on
from forcepool.games.europa.replacements.general.receipts import is_claimed
from forcepool.games.europa.world import ELIMINATED, ISOLATED, LOCAL, NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed, meets_one_of

ASIDE = "set_aside"
SPECIAL = "source/special-replacements"
LOST_AS = "lost_as"

WHEN = switch(
    "special-replacements-come",
    "52.F/4",
    "when special replacements are worked out and received",
    end_of_turn="as the owner's player-turn ends",
    reinforcement="as the owner's reinforcement phase ends, for the losses up to then",
)
FRACTIONS = switch(
    "special-fractions",
    "52.F.1/10",
    "what becomes of fractions of special replacements",
    exact="they are kept exactly",
    quarters="each amount is rounded to the nearest quarter",
    tenths="each amount is rounded to one decimal",
)
COMBAT_POOL = switch(
    "combat-isolated-pool",
    "52.F.2/5",
    "which pool the special replacements of combat isolated losses go to",
    front="the front's",
    national="the nation's",
)


class Rate(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of the rates: which nations' losses bring back which part."""

    rate: Fraction
    clause: str
    nations: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    after: str = ""
    """A date of the profile; the line holds on later turns only."""


class Receipt(NamedTuple):
    """What one kind of loss will bring, where to, and how it is worked out."""

    nation: str
    pool: str
    kind: str
    amount: Fraction
    says: str
    because: str

    @property
    def goal(self) -> str:
        """Whom it will come to, in words: nobody where the city that was to have it has fallen."""
        return "lost with the city" if self.pool == LOST else f"for {the_pool(self.pool)}"


# ------------------------------------------------------------------------------------------------ the rates

OWN_KIND = {"Axis": "52.F.5.a/3", SOVIET: "52.F.5.b/2", "Allied": "52.F.5.c/4"}
OF_NEUTRALS = "52.F.5.d/3"


@meets_one_of(
    *("52.F.5.a/1", "52.F.5.a/2", "52.F.5.b/1", "52.F.5.c/1", "52.F.5.c/2", "52.F.5.c/3", "52.F.5.d/1", "52.F.5.d/2")
)
@computed("52.F.5/1", "52.F/3")
def rate_for(world: EuropaWorld, state: State, nation: str) -> tuple[Fraction, str]:
    """The part of unisolated losses that comes back to a nation on this turn, and the clause that says so."""
    side = world.side_now(state, nation)
    for row in world.chart("special_rates"):
        if (
            (not row.nations or nation in row.nations)
            and (not row.sides or side in row.sides)
            and (not row.after or state.clock.turn > world.dates[row.after])
        ):
            return row.rate, row.clause
    return NOTHING, ""


def rounded(amount: Fraction, ruling: str) -> Fraction:
    """The amount as this campaign keeps fractions."""
    if ruling == "exact":
        return amount
    parts = 4 if ruling == "quarters" else 10
    return Fraction(floor(amount * parts + Fraction(1, 2)), parts)


# ------------------------------------------------------------------------------------------------ the pools


@computed("52.F.5/3")
def soviet_pool(world: EuropaWorld, state: State, nation: str, kind: str) -> str:
    """Infantry comes back to the nation's pool, armour and artillery of the Soviet Army to the general pools."""
    soviet_army = nation == SOVIET_UNION or is_contingent(world, state, nation)
    return GENERAL_POOLS.get(kind, NATIONAL + nation) if soviet_army else NATIONAL + nation


@computed("52.F.5/2")
def pool_of_the_front(of: str) -> str:
    """Special replacements join the pool of the front that took the losses."""
    return of


@computed("52.J.2.d/2")
def pool_of_the_city(world: EuropaWorld, state: State, of: str, nation: str, kind: str) -> str:
    """An isolated city holds all it receives; else infantry goes to its MD, the rest to the general pools."""
    city = world.hex_name(of.removeprefix(CITY))
    if world.facts(state).owner(city) not in ("", world.side_now(state, nation)):
        # It fell before the count: what it would have received is lost like what it held (52.D.2.d.ii/4).
        return LOST
    if nation != SOVIET_UNION:
        # Contingents and nations that came over have pools of their own, which belong to no MD (52.D.2.e/1).
        return soviet_pool(world, state, nation, kind)
    if world.facts(state).is_cut_off(world.side_now(state, nation), city):
        return of
    return GENERAL_POOLS.get(kind) or world.spot(city).area or NATIONAL + nation


def pool_for(world: EuropaWorld, state: State, tally: Tally) -> tuple[str, str]:
    """Where the special replacements of a tally go, and the clause behind it."""
    if tally.how == ADDED_BACK:
        return own_pool(world, state, tally.of, _whose(world, state, tally), tally.kind), "52.F.4.a/2"
    if tally.how == SUPPLY:
        return NATIONAL + tally.nation, "52.F.2/1"
    if tally.of.startswith(LOCAL):
        return tally.of, "52.F.2/8 52.F.4.b/5"
    if tally.of.startswith(CITY):
        return pool_of_the_city(world, state, tally.of, _whose(world, state, tally), tally.kind), "52.J.2.d/2"
    kind = INF if tally.how == COMBAT else tally.kind
    if world.side_now(state, tally.nation) == SOVIET:
        return soviet_pool(world, state, tally.nation, kind), "52.F.5/3"
    if tally.how == COMBAT and world.ruling(state, COMBAT_POOL.key) == "national":
        return NATIONAL + tally.nation, "52.F.2/5"
    return pool_of_the_front(tally.of), "52.F.5/2 52.F.4.a/2"


# ---------------------------------------------------------------------------------------------- the receipts


@computed("52.F.1/3", "52.F.1/10")
def receipts(world: EuropaWorld, state: State, sides: Iterable[str]) -> list[Receipt]:
    """What the losses of these sides not yet counted bring, each amount with its working."""
    ours = [tally for tally in tallies(state) if world.side_now(state, tally.nation) in sides]
    found = []
    for _, group in groupby(ours, key=lambda tally: tally[:3]):
        together = list(group)
        if together[0].how in (SUPPLY, COMBAT):
            found += _by_force(world, state, together)
        else:
            found += [_normal(world, state, tally) for tally in together]
    return found


@meets_one_of(*OWN_KIND.values(), OF_NEUTRALS)
def _normal(world: EuropaWorld, state: State, tally: Tally) -> Receipt:
    """Losses of one kind at the nation's rate, received as the kind that was lost."""
    pool, why = pool_for(world, state, tally)
    lost = f"{show_points(tally.amount)} {tally.kind}"
    if tally.how == ADDED_BACK:
        whose = _whose(world, state, tally)
        return Receipt(whose, pool, tally.kind, tally.amount, f"{lost} more removed than was due", why)
    rate, clause = rate_for(world, state, tally.nation)
    amount = rounded(tally.amount * rate, world.ruling(state, FRACTIONS.key))
    kind = OWN_KIND.get(world.side_now(state, tally.nation), OF_NEUTRALS)
    says = f"{lost} lost × {show_points(rate)} = {show_points(amount)}"
    return Receipt(_whose(world, state, tally), pool, tally.kind, amount, says, f"{clause} {kind} {why}")


@computed("52.D.2/3")
def _whose(world: EuropaWorld, state: State, tally: Tally) -> str:
    """Soviet armour and artillery RPs serve every force of the Soviet Army, in the general pools and in its pockets."""
    of_the_army = tally.kind in GENERAL_POOLS and is_contingent(world, state, tally.nation)
    return SOVIET_UNION if of_the_army else tally.nation


def _by_force(world: EuropaWorld, state: State, together: list[Tally]) -> list[Receipt]:
    """Isolated losses as infantry of the force that had them, where a nation tells several apart."""
    forces: dict[str, list[Tally]] = {}
    for tally in together:
        forces.setdefault(as_infantry(world, state, tally.kind), []).append(tally)
    return [_isolated(world, state, losses, infantry) for infantry, losses in forces.items()]


@computed("52.F.2/1", "52.F.2/5")
def _isolated(world: EuropaWorld, state: State, together: list[Tally], infantry: str) -> Receipt:
    """Isolated losses of every kind bring a tenth, all of it infantry."""
    first = together[0]
    supply = first.how == SUPPLY
    rate = world.numbers["supply_isolated_rate" if supply else "combat_isolated_rate"]
    total = sum((tally.amount for tally in together), Fraction(0))
    amount = rounded(total * rate, world.ruling(state, FRACTIONS.key))
    kinds = "" if [tally.kind for tally in together] == [infantry] else f" ({_by_kind(together)})"
    says = f"{show_points(total)} lost while {first.how.replace('-', ' ')}{kinds} × {show_points(rate)}"
    pool, why = pool_for(world, state, first)
    because = " ".join(dict.fromkeys(("52.F.2/1" if supply else "52.F.2/5", *why.split())))
    return Receipt(first.nation, pool, infantry, amount, f"{says} = {show_points(amount)} {infantry}", because)


def _by_kind(together: list[Tally]) -> str:
    return show_amounts({tally.kind: tally.amount for tally in together})


# ------------------------------------------------------------------------------------------------- counting


def sides_counting_now(world: EuropaWorld, state: State) -> tuple[str, ...]:
    """Whose losses are counted as this phase ends: the phasing player's, and the neutrals' with the last player's."""
    early = world.ruling(state, WHEN.key) == "reinforcement"
    phases = world.sequence.phases_of(state.clock.player, state.clock.order)
    if world.phase(state) != (REINFORCEMENT if early else phases[-1]):
        return ()
    players = world.sequence.players
    phasing = world.phasing(state)
    neutrals = sorted({side for side in world.sides.values() if side not in players})
    return (phasing, *neutrals) if phasing == players[-1] else (phasing,)


def count_up(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As the owner's player-turn ends his losses are added up, and their special replacements received."""
    sides = sides_counting_now(world, state)
    if not sides:
        return
    yield from add_to_pools(world, state, sides)
    yield from put_in_the_boxes(world, state, sides)


@computed("52.F/1", "52.F/4", "52.F.5/4")
def add_to_pools(world: EuropaWorld, state: State, sides: tuple[str, ...]) -> Iterator[Event]:
    """The losses are struck off, and what they bring is added to whatever the pools hold."""
    for tally in tallies(state):
        if world.side_now(state, tally.nation) in sides:
            # A pocket's counted losses are kept by its name: how it falls may ask for them again.
            to = f"{COUNTED}/{tally.of}" if tally.of.startswith(LOCAL) else COUNTED
            yield Transferred(
                amount=tally.amount,
                kind=tally.kind,
                nation=tally.nation,
                frm=account_of(tally.how, tally.of),
                to=to,
                because="52.F.1/3",
            )
    for each in receipts(world, state, sides):
        if each.amount:
            yield Transferred(
                amount=each.amount,
                kind=each.kind,
                nation=each.nation,
                frm=SPECIAL,
                to=each.pool,
                because=f"52.F/4 52.F.1/10 {each.because}",
                says=each.says,
            )


@computed("52.F.1/1")
def replaceable_from(world: EuropaWorld, state: State, nation: str) -> int:
    """The turn on which a unit set aside now can be bought back: the first after its owner has counted it."""
    players, clock = world.sequence.players, state.clock
    side = world.side_now(state, nation)
    own = players.index(side) if side in players else len(players) - 1
    if world.ruling(state, WHEN.key) == "reinforcement":
        counted = (own, world.sequence.phase_index(REINFORCEMENT, own, clock.order))
        return clock.turn if (clock.player, clock.phase) <= counted else clock.turn + 1
    return clock.turn + 1 if clock.player <= own else clock.turn + 2


@rule("52.F.1/4")
def has_been_counted(q: Any) -> Verdict:
    """A unit set aside is in no replacement pool before its owner has counted his losses."""
    if q.state.mark(unit_key(q.unit.id), ASIDE) is None or q.unit.place.kind != ELIMINATED:
        return YES
    due = q.unit.place.due or replaceable_from(q.world, q.state, q.unit.spec.nation)
    remedy = from_phase_on(q, due, REPLACEMENT, f"replace it from {q.world.turn_name(due)} on")
    return no(f"{q.unit} is set aside and not yet counted", remedy=remedy)


def in_the_pool(state: State, unit: Unit) -> bool:
    """Whether a unit lies in a replacement pool: not one set aside, nor one on a track that leads to a box."""
    place = unit.place
    if place.kind == ISOLATED:
        return place.is_reached(state.clock.turn)
    # On its way out of the isolated box it lies in a sub-box of the nation's ELIMINATED BOX (52.A.4/4).
    on_a_track = not place.is_reached(state.clock.turn) and not place.of.startswith(NATIONAL)
    return place.kind == ELIMINATED and not on_a_track and state.mark(unit_key(unit.id), ASIDE) is None


@computed("52.F.1/4")
def put_in_the_boxes(world: EuropaWorld, state: State, sides: tuple[str, ...]) -> Iterator[Event]:
    """Units that were set aside go to the ELIMINATED BOX once they have been counted."""
    for unit in state.units_in_order():
        if world.side_now(state, unit.spec.nation) not in sides:
            continue
        key = unit_key(unit.id)
        if state.mark(key, ASIDE) is not None:
            if unit.place.kind == ELIMINATED:
                to = Place(ELIMINATED, unit.place.of)
                yield Moved(unit=unit.id, frm=unit.place, to=to, because="52.F.1/4", says="counted")
            yield Marked(on=key, mark=ASIDE)
        if state.mark(key, LOST_AS) is not None:
            yield Marked(on=key, mark=LOST_AS)


def by_losses(q: EuropaQuestion, pool: str, nation: str, kind: str, missing: Fraction) -> Iterator[Remedy]:
    """What the losses not yet counted will bring a pool, if that will be enough."""
    if is_claimed(q.state, nation, kind):
        return
    for_it = (each for each in receipts(q.world, q.state, (q.world.side_now(q.state, nation),)))
    coming = sum((each.amount for each in for_it if each[:3] == (nation, pool, kind)), NOTHING)
    if coming >= missing:
        turn = replaceable_from(q.world, q.state, nation)
        words = f"wait until {q.world.turn_name(turn)}, when {show_points(coming)} {kind} for losses are there"
        yield from_phase_on(q, turn, REPLACEMENT, words)


# --------------------------------------------------------------------------------------------------- agenda


def losses_so_far(world: EuropaWorld, state: State) -> Iterator[Item]:
    """What the losses since each player's last turn will bring when they are counted."""
    if not tallies(state):
        return
    moment = _moment(world, state)
    for side in sorted(set(world.sides.values())):
        for each in receipts(world, state, (side,)):
            text = f"losses of {each.nation}: {each.says}, {each.goal} {moment.format(side=side)}"
            yield Item(NEWS, text, "52.F.1/3", side)


def _moment(world: EuropaWorld, state: State) -> str:
    early = world.ruling(state, WHEN.key) == "reinforcement"
    return "as the {side} reinforcement phase ends" if early else "as the {side} player-turn ends"


CHAPTER = Chapter(
    heading="52.F.5",
    switches=(WHEN, FRACTIONS, COMBAT_POOL),
    charts={"special_rates": tuple[Rate, ...]},
    facts=(
        Fact(
            ASIDE,
            ("unit",),
            "it is set aside until its owner counts his losses",
            False,
            YES_NO,
            by_hand=False,
            said={TAKEN_BACK: "no longer set aside"},
        ),
        Fact(LOST_AS, ("unit",), "how a fragile unit was lost, until losses are counted", [], WORDS, by_hand=False),
    ),
    ends=(count_up,),
    agenda=(losses_so_far,),
    fills=(by_losses,),
)
