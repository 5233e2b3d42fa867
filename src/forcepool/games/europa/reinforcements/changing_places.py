"""51.B.3/4 to /7 and 51.B.7/2  Where units that change stand, and where the new ones appear."""

from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec.structs import replace

from forcepool.engine.places import TRACK, Place
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.ground.placing import is_disrupted
from forcepool.games.europa.reinforcements.listed_places import areas_of, is_lost
from forcepool.games.europa.reinforcements.named_boxes import BALKANS, SOUTHERN_FRANCE
from forcepool.games.europa.reinforcements.sites import HOLDING
from forcepool.games.europa.replacements.soviet.soviet_placement import OFF_MAP
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

if TYPE_CHECKING:
    from forcepool.games.europa.reinforcements.converting import Converting

REORGANIZE = "reorganize"

IN_BOXES = switch(
    "conversion-in-boxes",
    "51.B.3/4",
    "whether units in a holding box or the box of an off-map MD are converted there",
    allowed="they are: they count as stacked, in supply and out of enemy ZOCs",
    map_only="they are not, and must come on the map first",
)


def changes_in_its_box(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """Whether a unit stands in a box in which it may change: not one where it is out of its owner's hands."""
    held = unit.place.of in (BALKANS, SOUTHERN_FRANCE)
    allowed = world.ruling(state, IN_BOXES.key) == "allowed"
    return unit.place.kind in (HOLDING, OFF_MAP) and not held and allowed


@rule("51.B.3/10", "51.B.3/4", "51.B.3/6", "51.B.14/6")
def stands_where_it_can_convert(q: "Converting") -> Verdict:
    """On the map, in a holding or off-map box, or on the replacement track; in the pool only to be reorganized."""
    if q.on_map:
        return YES
    if changes_in_its_box(q.world, q.state, q.unit):
        return yes("51.B.3/4", "in its box")
    if is_disrupted(q.state, q.unit):
        says = f"{q.unit} was disrupted: it comes back as a reinforcement and is not on the replacement track"
        return no(says, remedy="convert it once it is back on the map", clause="51.B.3/6", also=("52.G/2",))
    if q.unit.place.kind == TRACK:
        return yes("51.B.3/6")
    if q.in_pool and q.verb == REORGANIZE:
        return yes("51.B.14/6")
    return no(f"{q.unit} is {q.world.where(q.unit.place)}", remedy="it need not be rebuilt for this; wait")


@rule("51.B.3/5")
def units_are_stacked(q: "Converting") -> Verdict:
    """All units of one conversion are in one hex."""
    places = {unit.place for unit in q.units}
    if len(places) == 1:
        return YES
    on_map = all(place.on_map for place in places)
    remedy = "bring them into one hex" if on_map else "choose units that are in one place"
    return no("the units are not stacked", remedy=remedy, have=Fraction(len(places)), need=Fraction(1))


@computed("51.B.3/4", "51.B.3/7", "51.B.14/7", "51.B.3/11")
def place_of_result(q: "Converting") -> tuple[Place, str]:
    """In the same hex or box; on the track a turn later."""
    place = q.unit.place
    if place.kind == TRACK:
        return replace(place, due=place.due + int(q.world.numbers["converted_on_the_track"])), "51.B.3/7"
    return place, "51.B.14/7" if q.in_pool else "51.B.3/4"


@computed("51.B.7/2", "51.B.7/3")
def forms_in(q: "Converting") -> str:
    """The MD, area or theatre its entry names for it to form in; where it names none, that in which it stood."""
    listed = [area for area in areas_of(q.world, q.entry.place) if area in q.world.areas]
    stood = q.world.spot(q.unit.place.of).area if q.on_map else q.unit.place.of
    if not listed:
        return homes.track_in(q.world, q.facts, stood, q.nation) if stood else q.unit.place.of
    held = [area for area in listed if not is_lost(q.world, q.state, area, q.side)]
    return next((area for area in held if area in q.world.line_of(stood)), (held or listed)[0])


@rule("51.B.7/2")
def has_a_box_to_form_in(q: "Converting") -> Verdict:
    """What becomes a forming unit needs an MD that is not lost."""
    forming = any(item.state == "forming" for item in q.entry.results)
    if not forming or not is_lost(q.world, q.state, forms_in(q), q.side):
        return YES
    return no(f"every city of {the_pool(forms_in(q))} is lost", remedy="it waits until one is retaken")
