"""52.I.2 and 52.J.1.b  Training, reserve and replacement units: what they may do, and what serving costs them."""

from collections.abc import Iterator
from typing import Any

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import PLAYER_TURN, POINTS, YES_NO, Fact, unit_key
from forcepool.engine.game import Effect
from forcepool.engine.points import parse_points
from forcepool.engine.state import State, Unit
from forcepool.engine.units import CADRE
from forcepool.engine.verdicts import YES, Verdict, Yes, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.centres import (
    ALLOWANCE,
    GERMANY,
    MPS_SPENT,
    PARTISANS,
    is_centre,
    is_replacement_army,
    may_serve,
    within_half,
)
from forcepool.games.europa.ground.placing import Placing
from forcepool.games.europa.ground.purchase import Purchase
from forcepool.games.europa.replacements.axis.foreign_contingents import RebuildContingent
from forcepool.games.europa.replacements.general.cadre_supply import hq_in_supply
from forcepool.games.europa.replacements.general.cadres import Rebuild, RebuildsInItsOwnWay
from forcepool.games.europa.replacements.general.placement import PlaceUnit
from forcepool.games.europa.replacements.general.screens import larger_zocs, lifts_the_ban, unscreened
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import shown

SERVED = "served_as_centre"
DIVISION = "XX"


@shown("52.I.2/1")
def may_fight(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """Training units are no mere depots."""
    if unit.place.on_map and is_centre(world, unit.spec):
        price = "" if unit.spec.nation == GERMANY else "; other than German ones pay for it in RPs (52.I.2.b)"
        yield Effect(f"may be used in combat as other units are{price}", "52.I.2/1")


# ------------------------------------------------------------------------------------------- who would serve


def _serves_by_right(q: Any, unit: Unit) -> bool:
    """HQs and training divisions need no leave of this heading, and may have moved."""
    spec = unit.spec
    return not is_centre(q.world, spec) or (q.world.has_role(spec, "training") and spec.size == DIVISION)


def centres_for_rebuilding(q: Purchase) -> list[Unit]:
    """The centres without one of which a cadre or remnant could not be rebuilt; none where it needs none."""
    zones = larger_zocs(q)
    if not zones or not unscreened(q, zones):
        return []
    own = [each for each in q.stackmates if each.spec.nation == q.nation]
    if any(lifts_the_ban(q, each) and _serves_by_right(q, each) for each in own):
        return []
    return [each for each in own if is_centre(q.world, each.spec)]


def centres_for_placing(q: Placing) -> list[Unit]:
    """The centres without one of which a due unit could not be placed in a hex; none where it needs none."""
    if q.off_map:
        return []
    by_right = sum(_serves_by_right(q, each) for each in q.hosts) + q.facts.is_settlement(q.hex)
    if len(q.placed) < by_right:
        return []
    friends = (each for each in q.state.stack(q.hex) if q.world.side_now(q.state, each.spec.nation) == q.side)
    return [each for each in friends if not _serves_by_right(q, each)]


def _free(q: Any, centres: list[Unit]) -> Verdict:
    """The answer of the first that may serve, else of the first that may not."""
    verdicts = [may_serve(q.world, q.state, each) for each in centres]
    return next((each for each in verdicts if isinstance(each, Yes)), verdicts[0] if verdicts else YES)


@rule("52.I.2/3", "52.J.1.b/1")
def centre_for_rebuilding_stood_still(q: Purchase) -> Verdict:
    """A centre that lets a cadre or remnant be rebuilt has spent no MPs this player-turn."""
    return _free(q, centres_for_rebuilding(q))


@rule("52.I.2/3", "52.J.1.b/1")
def centre_for_placing_stood_still(q: Placing) -> Verdict:
    """A centre that a due unit is placed with has spent no MPs this player-turn."""
    return _free(q, centres_for_placing(q))


# ------------------------------------------------------------------------------------------ once it served


def serving_for_rebuilding(q: Purchase) -> Iterator[Event]:
    """Notes the centre that lifted the ban, or through which the cadre is supplied."""
    centres = centres_for_rebuilding(q)
    if not centres and q.unit.step == CADRE and not q.has_a_regular_line and not q.pays_locally:
        through = hq_in_supply(q)
        centres = [through] if through is not None and is_centre(q.world, through.spec) else []
    yield from _served(q, centres)


def serving_for_placing(q: Placing) -> Iterator[Event]:
    """Notes the centre that a due unit was placed with."""
    yield from _served(q, centres_for_placing(q))


def _served(q: Any, centres: list[Unit]) -> Iterator[Event]:
    for each in centres:
        if isinstance(may_serve(q.world, q.state, each), Yes):
            says = f"serves as replacement centre for {q.unit}"
            yield Marked(on=unit_key(each.id), mark=SERVED, value=True, because="52.I.2/2 52.I.2/3", says=says)
            return


@rule("52.I.2/3", "52.J.1.b/1")
def centre_does_not_move(q: Any) -> Verdict:
    """A unit that has served as a centre does not move in the rest of the player-turn."""
    if not q.value or not q.command.unit or not q.world.facts(q.state).is_so(q.unit, SERVED):
        return YES
    if is_replacement_army(q.world, q.state, q.unit):
        if q.fact.name != MPS_SPENT:
            return yes("52.J.1.b/1", "up to half of its movement allowance")
        return within_half(q.world, q.state, q.unit, parse_points(str(q.value)))
    return no(
        f"{q.unit} has served as a replacement centre this player-turn and may not move in it",
        remedy="move it next turn",
        also=("52.J.1.b/1",) if q.unit.spec.nation == GERMANY else (),
    )


CHAPTER = Chapter(
    heading="52.I.2",
    facts=(
        Fact(MPS_SPENT, ("unit",), "MPs it has spent this player-turn", "0", POINTS, lasts=PLAYER_TURN),
        Fact(ALLOWANCE, ("unit",), "its movement allowance now, where that is not the printed one", "", POINTS),
        Fact(PARTISANS, ("area",), "enemy partisan units are in the country", False, YES_NO),
        Fact(SERVED, ("unit",), "it served as a replacement centre", False, YES_NO, lasts=PLAYER_TURN, by_hand=False),
    ),
    forbids={"moved": (centre_does_not_move,), MPS_SPENT: (centre_does_not_move,)},
    guards={
        **dict.fromkeys((Rebuild, RebuildContingent), (centre_for_rebuilding_stood_still,)),
        PlaceUnit: (centre_for_placing_stood_still,),
    },
    also={
        **dict.fromkeys((Rebuild, RebuildContingent, RebuildsInItsOwnWay), (serving_for_rebuilding,)),
        PlaceUnit: (serving_for_placing,),
    },
    shows=(may_fight,),
)
