"""28.D.1  What air units cost: repairing an aborted one, replacing an eliminated one by its type."""

from fractions import Fraction

from msgspec import Struct

from forcepool.engine.command import BadCommand
from forcepool.engine.state import Unit
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import COMPUTED, computed, heard, meets_one_of


class AirPrice(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the prices: what replacing an eliminated unit of these types costs."""

    types: tuple[str, ...]
    arps: Fraction
    clause: str


class Bill(Struct, frozen=True):
    """What something costs in ARPs, and by which clauses."""

    arps: Fraction
    because: str
    working: str


@meets_one_of("28.D.1.list.a/1", "28.D.1.list.b/1", "28.D.1.list.c/1", "28.D.1.list.d/1")
def replacing(world: EuropaWorld, unit: Unit) -> Bill:
    """What it costs to replace an eliminated air unit, by its type."""
    for row in world.chart("air_prices"):
        if unit.spec.type in row.types:
            heard(row.clause, COMPUTED)
            return Bill(row.arps, f"{row.clause} 28.D.1/3", f"replacing type {unit.spec.type}")
    raise BadCommand(f"no line of the air prices is for type {unit.spec.type}; add one to the scenario's air_prices")


@computed("28.D.1/1")
def repairing(world: EuropaWorld, unit: Unit) -> Bill:
    """What it costs to repair an aborted air unit, whatever its type."""
    return Bill(world.numbers["air_repair"], "28.D.1/1", f"repairing {unit}")


CHAPTER = Chapter(heading="28.D.1", charts={"air_prices": tuple[AirPrice, ...]})
