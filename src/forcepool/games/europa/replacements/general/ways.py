"""52.A  The ways to pay for a unit. Most are refused to all units alike, and of those nobody asks again for each."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.alike import Alike, alike, kind_for, permission
from forcepool.engine.command import Command
from forcepool.engine.facts import kept
from forcepool.engine.places import HEX, Place
from forcepool.engine.state import State, Unit
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.purchase import REPLACEMENT, BuysByTheGeneralRule
from forcepool.games.europa.replacements.general import costs_table
from forcepool.games.europa.replacements.kinds.mixing import has_no_parts, mixed, with_mixes
from forcepool.games.europa.world import EuropaWorld

SOMEWHERE = Place(HEX, "")


class Situation(Struct, frozen=True):
    """What the ways to pay for a unit depend on: the unit as far as its price goes, and where it stands."""

    unit: Unit
    around: str = ""
    """The area its hex lies in."""
    pocket: str = ""
    """The pocket it was declared to be in."""
    whole: bool = False
    """Whether it may be bought back whole although it has a cadre."""


class PaidInWays(BuysByTheGeneralRule, frozen=True):
    """Buys a unit, or a step of one, which each of several pools might pay in each of several ways."""

    @classmethod
    def situation(cls, world: EuropaWorld, state: State, unit: Unit) -> Situation | None:
        """What its ways depend on; None of a unit that the command is not about."""
        raise NotImplementedError

    @classmethod
    def ways(cls, world: EuropaWorld, facts: EuropaFacts, here: Situation) -> Iterator["PaidInWays"]:
        """Its ways, for no unit yet."""
        raise NotImplementedError

    @classmethod
    def of_its_own(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator["PaidInWays"]:
        """Ways that are to be asked of each unit by itself; they come first."""
        return iter(())

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        here = cls.situation(world, state, unit)
        if here is not None:
            ways = (_for(unit, each) for each in _ways(world, world.facts(state), cls, here))
            yield from with_mixes(world, state, chain(cls.of_its_own(world, state, unit), ways))


def like_it(world: EuropaWorld, unit: Unit, place: Place) -> Unit:
    """The unit as far as its price goes, in a box or somewhere on the map."""
    return replace(costs_table.kind_of(world, unit), place=place)


def on_the_map(world: EuropaWorld, state: State, unit: Unit) -> Situation:
    """What the ways of a unit on the map depend on: of its hex the area, the pocket and nothing else."""
    like = like_it(world, unit, SOMEWHERE)
    return Situation(like, world.spot(unit.place.of).area, str(world.facts(state).of_unit(unit, "pocket") or ""))


def ways_left(world: EuropaWorld, state: State, command: type[PaidInWays], unit: Unit) -> Iterator[Command]:
    """The ways as they are offered, from the first on that is not refused to all units alike."""
    here = command.situation(world, state, unit)
    if here is None:
        return
    own = list(command.of_its_own(world, state, unit))
    if own:
        # Mixes ask which phase it is, and what asks that is looked at anew in the next one.
        yield from with_mixes(world, state, own)
    facts, units = world.facts(state), alike(state, unit)
    first = _first_left(world, facts, command, here, units)
    yield from (_for(unit, each) for each in _ways(world, facts, command, here)[first:])
    if world.phase(state) == REPLACEMENT:
        for each in _mixable(world, facts, command, here, units):
            yield from mixed(world, facts, _for(unit, each))


def _for(unit: Unit, order: Any) -> Any:
    return replace(order, unit=unit.id)


@kept
def _ways(world: EuropaWorld, facts: EuropaFacts, command: type[PaidInWays], here: Situation) -> tuple[PaidInWays, ...]:
    return tuple(command.ways(world, facts, here))


@kept
def _first_left(
    world: EuropaWorld, facts: EuropaFacts, command: type[PaidInWays], here: Situation, units: Alike
) -> int:
    """The first way that is not refused to all units alike, by its number."""
    ways = _ways(world, facts, command, here)
    return next((at for at, each in enumerate(ways) if _may_be_open(world, facts, units, each)), len(ways))


def _may_be_open(world: EuropaWorld, facts: EuropaFacts, units: Alike, order: PaidInWays) -> bool:
    kind = kind_for(facts, units, order, in_passing=True)
    may = facts.ask(permission, kind) if kind is not None else None
    return may is None or not may.refused


@kept
def _mixable(
    world: EuropaWorld, facts: EuropaFacts, command: type[PaidInWays], here: Situation, units: Alike
) -> tuple[PaidInWays, ...]:
    """The ways that some of the units might pay in a mix."""
    kinds = ((each, kind_for(facts, units, each, in_passing=True)) for each in _ways(world, facts, command, here))
    return tuple(each for each, kind in kinds if kind is None or not has_no_parts(world, facts, kind))
