"""The counters of a campaign by nationality, size and type, as the order of battle speaks of them."""

from forcepool.engine.facts import kept
from forcepool.engine.state import State, Unit
from forcepool.engine.units import UnitSpec
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.words import spelt_one_way

KindOfUnit = tuple[str, str, str]


def kind_called(nation: str, spec: UnitSpec) -> KindOfUnit:
    return nation, spec.size, spelt_one_way(spec.type)


@kept
def _by_kind(world: EuropaWorld, facts: EuropaFacts) -> dict[KindOfUnit, tuple[str, ...]]:
    """Wherever they are: where they stand is asked of the few that are meant."""
    found: dict[KindOfUnit, list[str]] = {}
    for unit_id, spec in facts.state.specs():
        found.setdefault(kind_called(spec.nation, spec), []).append(unit_id)
    return {kind: tuple(units) for kind, units in found.items()}


def of_kinds(world: EuropaWorld, state: State, kinds: set[KindOfUnit]) -> list[Unit]:
    """The units of some kinds, in order."""
    known = _by_kind(world, world.facts(state))
    return [state.units[each] for each in sorted(each for kind in kinds for each in known.get(kind, ()))]
