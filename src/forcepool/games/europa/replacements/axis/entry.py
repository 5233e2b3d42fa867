"""52.D.1/7 and 51.C.1  Where replaced units of the Axis nations appear: at home, like their reinforcements."""

from collections.abc import Iterable
from typing import Any, cast

from forcepool.engine.command import command_name
from forcepool.engine.facts import WORDS, Fact, kept, place_key
from forcepool.engine.sentence import the_field, the_place, the_pool
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Remedy, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.placing import Placing, rejoins
from forcepool.games.europa.ground.soviet_pools import MD
from forcepool.games.europa.ground.tallies import GERMANY, is_of_the_german_army
from forcepool.games.europa.question import instead
from forcepool.games.europa.replacements.axis.axis_uses import AXIS
from forcepool.games.europa.replacements.general.building_tracks import tracks, tracks_in
from forcepool.games.europa.replacements.general.cadres import RebuildCadre
from forcepool.games.europa.replacements.general.eliminated import Replace
from forcepool.games.europa.replacements.general.placement import PlaceUnit, elsewhere
from forcepool.games.europa.replacements.general.unit_transfers import TransferUnit, UnitMoving
from forcepool.games.europa.world import ELIMINATED, NATIONAL, EuropaWorld

ENTRY_OF = "entry_of"
ALLIES = switch(
    "allied-entry",
    "52.D.1/7",
    "where replaced units of Germany's allies appear",
    at_home="in their own country, or where the scenario lets their reinforcements enter",
    conquests_too="also in conquered country of the front or MD that paid for them",
)


GERMANS = switch(
    "german-entry",
    "52.D.1/8",
    "whether a replaced German unit appears in an ally's own country, where that lies in the front that paid for it",
    as_theatre_reinforcements="it does: a theatre reinforcement enters at any friendly city of the theatre",
    not_with_allies="not there: in Greater Germany, in conquered country, or where the scenario lets Germans enter",
)


def is_at_home_somewhere(world: EuropaWorld, nation: str) -> bool:
    """Whether the scenario has an area of a nation's own country; one that has none enters where it was paid for."""
    return any(homes.is_home(world, area, nation) for area in world.areas)


def may_enter(world: EuropaWorld, state: State, nation: str, area: str) -> bool:
    """Whether units of an Axis nation may appear in an area: by its country."""
    country = world.country_of(area)
    if homes.is_home(world, area, nation) or country not in world.sides:
        # A colony or a region belongs to no nation with a side: nobody has said who may not enter.
        return True
    if world.side_now(state, country) == AXIS:
        return country == GERMANY and is_of_the_german_army(world, nation)
    if is_of_the_german_army(world, nation) or not is_at_home_somewhere(world, nation):
        return True
    return world.ruling(state, ALLIES.key) == "conquests-too"


def enters_with_allies(world: EuropaWorld, state: State, nation: str, paid: str) -> bool:
    """Whether what a front or theatre has paid for may appear in an ally's country that lies in it; an ally's own MD
    builds for that ally."""
    theirs = is_of_the_german_army(world, nation) and not paid.startswith(MD)
    return theirs and world.ruling(state, GERMANS.key) == "as-theatre-reinforcements"


def let_in(world: EuropaWorld, facts: EuropaFacts, place: str) -> list[str]:
    """The nations whose reinforcements are said to enter at a place."""
    said = cast(list[str], facts.value(place_key(place), ENTRY_OF))
    return [world.nation_named(each) for each in said]


def is_let_in(world: EuropaWorld, facts: EuropaFacts, nation: str, place: str) -> bool | None:
    """What the scenario says of a nation's reinforcements at a place; None if it says nothing."""
    named = let_in(world, facts, place)
    if not named:
        return None
    return nation in named or (GERMANY in named and is_of_the_german_army(world, nation))


@kept
def opens_onto(world: EuropaWorld, facts: EuropaFacts, track: str, nation: str) -> bool:
    """Whether an Axis nation's units may appear anywhere in the area on whose track they would wait."""
    within = [area for area in world.areas if track in world.line_of(area)]
    # A front that has MDs lies in their countries; its own name says nothing of where a unit could stand.
    inner = [area for area in within if not any(area in world.line_of(other)[1:] for other in within)]
    if nation == GERMANY and not world.country_of(track):
        # What a front has paid for may always appear in Greater Germany instead (52.D.1/8).
        return True
    if enters_with_allies(world, facts.state, nation, track):
        return True
    # Where a nation's own country is not shown, nobody has said where its units come on.
    known = is_of_the_german_army(world, nation) or is_at_home_somewhere(world, nation)
    if not known or not within or any(may_enter(world, facts.state, nation, area) for area in inner):
        return True
    said = (name for name in facts.places_with(ENTRY_OF) if track in world.line_of(world.spot(name).area))
    return any(is_let_in(world, facts, nation, name) for name in said)


# ------------------------------------------------------------------------------------------------- the hex


@rule("52.D.1/7", "52.D.1/8")
def enters_as_its_reinforcements_do(q: Placing) -> Verdict:
    """A replaced Axis unit appears where reinforcements of its nationality may: in its own country, as a rule."""
    nation, around = q.unit.spec.nation, "" if q.off_map else q.world.spot(q.hex).area
    if q.off_map or q.side != AXIS or rejoins(q.state, q.unit) or q.area not in q.world.areas:
        # What only comes back to where it was is not replaced; and a pocket's own units appear in the pocket.
        return YES
    said = is_let_in(q.world, q.facts, nation, q.hex)
    if said or (said is None and (not around or may_enter(q.world, q.state, nation, around))):
        return YES
    if said is None and q.area in q.world.line_of(around) and enters_with_allies(q.world, q.state, nation, q.area):
        return yes("52.D.1/8", f"as a theatre reinforcement of {the_pool(q.area)}")
    if said is None and q.is_air and q.world.side_now(q.state, q.world.country_of(around)) != AXIS:
        # Air units go to an airbase of their theatre (52.A/7), whoever's land it was.
        return YES
    takes = ", ".join(let_in(q.world, q.facts, q.hex)) or q.world.country_of(around)
    if said is None and q.world.side_now(q.state, q.world.country_of(around)) != AXIS:
        why = f"{the_place(q.hex)} lies in {takes}, and replaced units of {nation} appear in their own country"
    else:
        why = f"{the_place(q.hex)} takes reinforcements of {takes}, not of {nation}"
    return no(why, remedy=elsewhere(q))


# ----------------------------------------------------------------------------------------------- the track


def _stands_open(q: Any, track: str) -> bool:
    return q.side != AXIS or track not in q.world.areas or opens_onto(q.world, q.facts, track, q.unit.spec.nation)


def _cannot_enter(q: Any, track: str, remedy: str | Remedy) -> Verdict:
    nation = q.unit.spec.nation
    return no(
        f"{q.unit} could never enter from the track of {the_pool(track)}: no hex there takes units of {nation}",
        remedy=remedy,
        also=("52.A.2/1",),
    )


@rule("52.D.1/7")
def can_enter_from_its_track(q: Any) -> Verdict:
    """What waits on a track arrives in the area of that track, so that its nation must be able to enter there."""
    on_the_map = command_name(q.command) != "replace" and not q.reduced
    if on_the_map or _stands_open(q, q.track):
        return YES
    nation = q.unit.spec.nation
    near = (area for area in _tracks_of_the_payer(q) if opens_onto(q.world, q.facts, area, nation))
    remedy: str | Remedy = f"move the points to a front of {nation}'s first"
    if command_name(q.command) != "replace":
        remedy = instead(q, "pay at the normal rate", reduced=False, track="")
    if found := next(near, ""):
        remedy = instead(q, f"name {the_pool(found)} with {the_field('track')}", track=found)
    return _cannot_enter(q, q.track, remedy)


def _tracks_of_the_payer(q: Any) -> Iterable[str]:
    """Where a pool's points build: an area's on its own track and those in it, a nation's on the inactive ones."""
    if q.payer.startswith(NATIONAL):
        return tracks(q.world, q.facts, homes.home_of(q.world, q.facts, q.unit), q.unit.spec.nation)
    return (q.payer, *tracks_in(q.world, q.facts, q.payer, q.unit.spec.nation))


@rule("52.D.1/7")
def can_enter_from_the_box_it_goes_to(q: UnitMoving) -> Verdict:
    """Nor is a bought unit moved to a holding box from which it could never enter."""
    if q.unit.place.kind == ELIMINATED or _stands_open(q, q.into):
        return YES
    return _cannot_enter(q, q.into, "")


CHAPTER = Chapter(
    heading="52.D.1",
    guards={
        **dict.fromkeys((Replace, RebuildCadre), (can_enter_from_its_track,)),
        TransferUnit: (can_enter_from_the_box_it_goes_to,),
        PlaceUnit: (enters_as_its_reinforcements_do,),
    },
    facts=(Fact(ENTRY_OF, ("place",), "the nations whose reinforcements may enter there", [], WORDS),),
    switches=(ALLIES, GERMANS),
)
