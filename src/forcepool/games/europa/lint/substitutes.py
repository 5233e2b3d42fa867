"""Substitutes of fragile units that lack the cadre which units like them have in the same scenario (52.H.1)."""

from collections.abc import Iterator

from forcepool.engine.lint import Finding
from forcepool.engine.state import State
from forcepool.files.yamltext import Document
from forcepool.games.europa.lint.nations import counters_of
from forcepool.games.europa.replacements.special.fragile import substitute_spec, substitution
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.words import spelt_one_way

LINES = ("charts", "substitutions")


def without_the_cadre_of_its_like(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """A 3-6 rifle division that stands in for another has the same sides as those that are listed."""
    told: set[str] = set()
    for nation in sorted({unit.spec.nation for unit in state.units.values()}):
        counters = list(counters_of(world, state, nation))
        with_cadre = {(str(each.full), spelt_one_way(each.type), each.size) for each in counters if each.cadre}
        for spec in counters:
            row = substitution(world, state, spec)
            instead = row and substitute_spec(row, spec)
            if not row or not instead or instead.cadre or row.substitute in told:
                continue
            # A chart may call rifle what the counters of the nation call infantry.
            kinds = {spelt_one_way(each.type) for each in (instead, spec)}
            if any((str(instead.full), kind, instead.size) in with_cadre for kind in kinds):
                told.add(row.substitute)
                text = f"the substitute {row.substitute} has no cadre, and units of that kind have one in this scenario"
                hint = "give the scenario its own line under charts, substitutions, with the cadre in ( )"
                yield Finding(LINES, text, hint, row.clause)


LINT = (without_the_cadre_of_its_like,)
