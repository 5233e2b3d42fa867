"""52.I.2/2, /3 and 52.J.1.b  Replacement centres: when a training, reserve or replacement unit does what an HQ does."""

from fractions import Fraction

from forcepool.engine.facts import unit_key
from forcepool.engine.points import parse_points, show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import YES, Verdict, Yes, no, yes
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

GERMANY = "Germany"
ROLES = ("training", "reserve", "replacement")
MPS_SPENT, ALLOWANCE, PARTISANS = "mps_spent", "movement_allowance", "partisans"


def is_centre(world: EuropaWorld, spec: UnitSpec) -> bool:
    """Whether a unit is a training, reserve or replacement unit."""
    return any(world.has_role(spec, role) for role in ROLES)


@computed("52.I.2/2")
def acts_as_hq(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """For replacing units any training, reserve or replacement unit that may serve does what an army HQ would do."""
    return is_centre(world, unit.spec) and isinstance(may_serve(world, state, unit), Yes)


def may_serve(world: EuropaWorld, state: State, unit: Unit) -> Verdict:
    """A centre has neither moved nor spent MPs; the German replacement army may spend half of what it has."""
    spent = mps_spent(world, state, unit)
    moved = world.facts(state).is_so(unit, "moved")
    if not moved and not spent:
        return YES
    german = ("52.J.1.b/1",) if unit.spec.nation == GERMANY else ()
    if german and is_replacement_army(world, state, unit):
        return within_half(world, state, unit, spent)
    what = f"spent {show_points(spent)} MPs" if spent else "moved"
    return no(f"{unit} {what} this player-turn", remedy="let it serve next turn", clause="52.I.2/3", also=german)


@computed("52.J.1.b/1")
def is_replacement_army(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """From autumn 1942 on German centres in a country with enemy partisans serve while they move."""
    if unit.spec.nation != GERMANY or not world.has_passed("replacement_army", state):
        return False
    area = world.spot(unit.place.of).area
    facts = world.facts(state)
    if any(facts.of_area(each, PARTISANS) is True for each in world.line_of(area)):
        return True
    country = world.country_of(area)
    return bool(country) and any(_is_partisan_in(world, state, each, country, unit) for each in state.units.values())


def _is_partisan_in(world: EuropaWorld, state: State, other: Unit, country: str, unit: Unit) -> bool:
    return (
        other.place.on_map
        and "partisan" in other.spec.type.casefold().split()
        and world.side_now(state, other.spec.nation) != world.side_now(state, unit.spec.nation)
        and world.country_of(world.spot(other.place.of).area) == country
    )


def within_half(world: EuropaWorld, state: State, unit: Unit, spent: Fraction) -> Verdict:
    """Whether the MPs spent are no more than half of the movement allowance the unit has now."""
    if not spent:
        return no(
            f"{unit} moved, and nobody has said how many MPs it spent",
            remedy=f"declare {MPS_SPENT} for it",
            clause="52.J.1.b/1",
        )
    allowance = movement_allowance(world, state, unit)
    half = allowance * world.numbers["centre_movement"]
    if spent <= half:
        return yes("52.J.1.b/1", f"{unit} spent {show_points(spent)} of {show_points(allowance)} MPs")
    return no(
        f"{unit} spent {show_points(spent)} MPs, half of its allowance of {show_points(allowance)} is "
        f"{show_points(half)}",
        remedy="let it serve next turn",
        clause="52.J.1.b/1",
        have=spent,
        need=half,
    )


def mps_spent(world: EuropaWorld, state: State, unit: Unit) -> Fraction:
    return world.facts(state).points(unit_key(unit.id), MPS_SPENT)


def movement_allowance(world: EuropaWorld, state: State, unit: Unit) -> Fraction:
    """The allowance a unit has now: as declared, else as printed."""
    said = world.facts(state).value(unit_key(unit.id), ALLOWANCE)
    printed = unit.spec.strength(unit.step).movement
    return parse_points(str(said)) if said else Fraction(printed if isinstance(printed, int) else 0)
