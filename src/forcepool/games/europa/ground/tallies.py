"""52.F.1 and 52.F.4.a  Losses not yet counted: points in accounts by nation, front and kind, each with its working."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from forcepool.engine.events import Event, Transferred
from forcepool.engine.ledger import Price
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.engine.units import UnitSpec
from forcepool.games.europa import homes
from forcepool.games.europa.ground.soviet_pools import SOVIET_UNION
from forcepool.games.europa.world import LOSSES, EuropaWorld
from forcepool.rulebook.citations import computed

OVERSEAS = switch(
    "overseas-infantry",
    "52.A.5/2",
    "which infantry RPs a unit of French Africa or the colonies brings and costs where a rule says infantry alone",
    own="those of its force",
    metropolitan="metropolitan ones",
)

TAKEN = "source/losses"
COUNTED = "sink/counted"

UNISOLATED, SUPPLY, COMBAT, ADDED_BACK = "unisolated", "supply-isolated", "combat-isolated", "added-back"
HOWS = (UNISOLATED, SUPPLY, COMBAT, ADDED_BACK)
GERMANY, CONTINGENTS, EASTERN_TROOPS = "Germany", "Foreign Contingents", "Eastern Troops"
FRANCE, FREE_FRANCE, FREE_FRENCH = "France", "Free France", "Free French"
FOREIGN_CONTINGENT = "foreign contingent"
"""The trait of a unit that wears the colours of one nation and counts as another."""


class Tally(NamedTuple):
    """Losses of one nation and kind, taken in one way in one front, since they were last counted."""

    nation: str
    how: str
    of: str
    """The front, or the pocket's pool or the city that the losses belong to."""
    kind: str
    amount: Fraction


def account_of(how: str, of: str) -> str:
    """'losses/front/centre' for unisolated losses of a front, 'losses/supply-isolated/front/centre' for others."""
    return f"{LOSSES}{of}" if how == UNISOLATED else f"{LOSSES}{how}/{of}"


def tallies(state: State) -> list[Tally]:
    """Every loss not yet counted, in order."""
    found = []
    for account, amount in state.balances.items():
        if amount and account.pool.startswith(LOSSES):
            how, _, of = account.pool.removeprefix(LOSSES).partition("/")
            how, of = (how, of) if how in HOWS else (UNISOLATED, f"{how}/{of}")
            found.append(Tally(account.nation, how, of, account.kind, amount))
    return sorted(found)


@computed("52.F.4.a/2")
def front_of(world: EuropaWorld, state: State, area: str, nation: str) -> str:
    """The front that keeps count of a nation's losses there: its own, else its theatre, else the nation's pool."""
    return homes.front_in(world, world.facts(state), area, nation)


def pool_where_it_stood(world: EuropaWorld, state: State, area: str, nation: str) -> str:
    """The pool that takes what a unit yields as it leaves the map: a Soviet one its MD's, any other its front's."""
    if nation == SOVIET_UNION:
        return homes.home_in(world, world.facts(state), area, nation)
    return front_of(world, state, area, nation)


def as_infantry(world: EuropaWorld, state: State, kind: str) -> str:
    """What points of a kind are where a rule says infantry alone: a force's own infantry stays what it is."""
    if world.ruling(state, OVERSEAS.key) == "metropolitan":
        return world.profile.points[0]
    own = {str(row.kind) for row in world.chart("force_infantry")}
    return kind if kind in own else world.profile.points[0]


@computed("52.F.1/6", "52.F.1/7", "52.D.1/5")
def counted_as(spec: UnitSpec) -> str:
    """The nation whose losses a unit's are: its own; contingents are not Germany's, nor the Free French France's."""
    if (spec.nation, spec.force) == (FRANCE, FREE_FRENCH):
        return FREE_FRANCE
    return CONTINGENTS if spec.nation == GERMANY and FOREIGN_CONTINGENT in spec.traits else spec.nation


@computed("28/6")
def air_force_of(spec: UnitSpec) -> str:
    """The national force an air unit is of: its nation's, but the Free French have one of their own."""
    return FREE_FRANCE if counted_as(spec) == FREE_FRANCE else spec.nation


def of_the_same_men(old: UnitSpec, new: UnitSpec) -> UnitSpec:
    """A counter in another's place has its force, affiliation and contingent, where it does not show its own."""
    if old.nation != new.nation:
        return new
    contingent = FOREIGN_CONTINGENT in old.traits and FOREIGN_CONTINGENT not in new.traits
    return replace(
        new,
        force=new.force or old.force,
        affiliation=new.affiliation or old.affiliation,
        traits=(*new.traits, *((FOREIGN_CONTINGENT,) if contingent else ())),
    )


@computed("52.D.1/5")
def pays_as(spec: UnitSpec) -> str:
    """Whose points a unit costs: German ones serve no contingent, while the Free French may spend any French ones."""
    counted = counted_as(spec)
    return counted if counted == CONTINGENTS else spec.nation


def is_of_the_german_army(world: EuropaWorld, nation: str) -> bool:
    """Germany itself, its Eastern Troops, and the contingents that its charts name."""
    return nation in (GERMANY, EASTERN_TROOPS) or nation in world.chart("german_contingents")


def take(spec: UnitSpec, loss: Price, how: str, of: str, because: str, says: str) -> Iterator[Event]:
    """The points of a loss go on the tally, kind by kind."""
    for kind, amount in loss.amounts.items():
        if amount:
            yield Transferred(
                amount=amount,
                kind=kind,
                nation=counted_as(spec),
                frm=TAKEN,
                to=account_of(how, of),
                because=f"{because} {loss.because}".strip(),
                says=says,
            )


def retally(state: State, of: str, how: str, into: str, because: str) -> Iterator[Event]:
    """Losses that turn out to be of another kind: a pocket's that was relieved, or that fell."""
    for tally in tallies(state):
        if (tally.how, tally.of) == (UNISOLATED, of):
            yield Transferred(
                amount=tally.amount,
                kind=tally.kind,
                nation=tally.nation,
                frm=account_of(UNISOLATED, of),
                to=account_of(how, into),
                because=because,
            )
