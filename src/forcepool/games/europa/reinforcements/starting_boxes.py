"""51/2  Units listed at start in a box, or in a reserve: they begin there, and are not set up on the map."""

from collections.abc import Iterator

from forcepool.engine.events import Event
from forcepool.engine.places import Place
from forcepool.engine.state import State
from forcepool.engine.units import UnitSpec
from forcepool.games.europa.facts import OPERATIONAL, STRATEGIC
from forcepool.games.europa.ground.placing import STRATEGIC_BOX
from forcepool.games.europa.ground.standing import GARRISON, GARRISON_BOX, NATIONAL_RESERVE
from forcepool.games.europa.reinforcements.entries import home_area, marked, nation_of, pool_of
from forcepool.games.europa.reinforcements.falling_due import BREAKDOWN_BOX
from forcepool.games.europa.reinforcements.forming_boxes import forms
from forcepool.games.europa.reinforcements.forming_question import FORM_BOX, GARRISON_FORM
from forcepool.games.europa.reinforcements.named_boxes import box_named
from forcepool.games.europa.reinforcements.sites import HOLDING
from forcepool.games.europa.reserves.changes import RESERVE
from forcepool.games.europa.world import ELIMINATED, FORMING_BOX, ISOLATED, NATIONAL, EuropaWorld
from forcepool.orderofbattle.aircraft import AIR
from forcepool.orderofbattle.model import Entry
from forcepool.rulebook.citations import computed

OF_AN_AREA = {
    "garrison": GARRISON_BOX,
    "garrison available": GARRISON_BOX,
    "garrison form": GARRISON_FORM,
    "form": FORM_BOX,
    "forming": FORMING_BOX,
}
"""The boxes of an MD or theatre that a line may name."""


@computed("51/2")
def box_at_start(world: EuropaWorld, state: State, entry: Entry, spec: UnitSpec, name: str) -> Place | None:
    """The box in which a unit begins by its line; none for what begins on the map."""
    nation = NATIONAL + nation_of(world, entry)
    if entry.arrival == "strategic reserve" and world.plays_reserves and not world.has_role(spec, AIR):
        return Place(STRATEGIC_BOX, nation)
    box = box_named(entry.place)
    if box in OF_AN_AREA:
        return Place(OF_AN_AREA[box], home_area(world, state, entry))
    places = {
        "eliminated": Place(ELIMINATED, pool_of(world, state, entry)),
        "eliminated isolated": Place(ISOLATED, nation),
        "breakdown": Place(BREAKDOWN_BOX, (spec.designation or name).casefold()),
    }
    return places.get(box) or (Place(HOLDING, box) if box and box != "national reserve" else None)


@computed("51/2")
def as_listed(world: EuropaWorld, state: State, entry: Entry, name: str, spec: UnitSpec, at: Place) -> Iterator[Event]:
    """What goes with where a unit begins: its garrison, the turn it is full, its reserve."""
    if at.kind == GARRISON_BOX:
        yield marked(name, GARRISON, at.of, "51/2")
    elif at.kind == FORMING_BOX:
        yield from forms(world, state, entry, name, 0)
    if entry.arrival == "national reserve" or box_named(entry.place) == "national reserve":
        yield marked(name, NATIONAL_RESERVE, value=True, because="51/2")
    elif world.plays_reserves and not world.has_role(spec, AIR):
        if at.kind == STRATEGIC_BOX:
            yield marked(name, RESERVE, STRATEGIC, "51/2")
        elif entry.arrival == "operational reserve":
            yield marked(name, RESERVE, OPERATIONAL, "51/2")
