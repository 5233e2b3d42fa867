"""Supply: sides of which a map does not say where their supply comes from."""

from collections.abc import Iterator

from forcepool.engine.lint import Finding
from forcepool.engine.state import State
from forcepool.files.yamltext import Document
from forcepool.games.europa.lint.mentions import sides_with_units
from forcepool.games.europa.mapfacts.lines import has_sources, named_sources
from forcepool.games.europa.world import EuropaWorld


def sides_without_a_source(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """On a map every side that has units should have a supply source that is named as one."""
    if not world.has_map:
        return
    facts = world.facts(state)
    for side in sorted(sides_with_units(world, state).intersection(world.sequence.players)):
        if named_sources(world, facts, side):
            continue
        instead = (
            "the map takes those of its replacement cities and capitals that it finds at home"
            if has_sources(world, facts, side)
            else "the map cannot tell who is in supply, and asks the players"
        )
        yield Finding(
            ("places",),
            f"no place on the map is a supply source of the {side}: {instead}",
            f"name where its supply comes from, such as a city near the edge: supply_source: {side}",
            clause="52.D.2.d.i/2" if side == "Soviet" else "52.A.9.d/6",
        )


LINT = (sides_without_a_source,)
