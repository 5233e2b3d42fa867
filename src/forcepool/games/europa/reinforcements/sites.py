"""51.A.5 and 51.B.10  Where a reinforcement may appear, by the kind of place its entry names."""

from typing import TYPE_CHECKING

from forcepool.engine.facts import place_key, unit_key
from forcepool.engine.sentence import the_place, the_places, the_pools
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import Verdict, no, yes
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.placing import ARMY_OR_HIGHER
from forcepool.games.europa.question import instead
from forcepool.games.europa.reinforcements.entries import verb_of
from forcepool.games.europa.reinforcements.listed_places import areas_of, lies_in, of_countries, spec_of_place
from forcepool.games.europa.replacements.soviet.soviet_placement import is_off_map
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Entry, PlaceSpec

if TYPE_CHECKING:
    from forcepool.games.europa.reinforcements.appearing import Appearing

TOWN = "town"
HOLDING = "holding"
SEA, EDGES, DISTANCE, BORDERS = "sea", "edges", "distance", "borders"
BOXES_IN_USE, COMBAT_ZONE, DANGER_ZONE, ENEMY_SUPPLIED = "holding_boxes", "combat_zone", "danger_zone", "enemy_supplied"
ALLIED, AXIS, SOVIET = "Allied", "Axis", "Soviet"
GIBRALTAR = "gibraltar"
ARRIVING = ("arrive", "return", "transfer")
UNPLACED = switch(
    "unplaced-reinforcements",
    "51.B.10/1",
    "where a reinforcement appears whose entry names no place and stands under no theatre",
    home="in its own country, where the map has some of that, else anywhere its side owns",
    anywhere="anywhere its side owns",
)
ARRIVES_FIRST, FORMED_SINCE = "arrives first", "forming_since"


# ----------------------------------------------------------------------------------------- what a hex offers


def is_city(facts: EuropaFacts, hex_name: str) -> bool:
    return facts.is_city(hex_name)


def army_hqs(q: "Appearing") -> list[Unit]:
    """The HQs of an army or larger in the hex, of nations that fight on the unit's side now."""
    return [
        each
        for each in q.state.stack(q.hex)
        if q.world.side_now(q.state, each.spec.nation) == q.side
        and q.world.has_role(each.spec, "hq")
        and each.spec.size in ARMY_OR_HIGHER
    ]


# ------------------------------------------------------------------------------------------------ by kind


def by_kind(q: "Appearing", place: PlaceSpec | None) -> Verdict:
    """The general rule for each kind of place an entry can name."""
    if place is None:
        return _at_home(q) or _city_or_hq(q, "51.B.10/1")
    if not lies_in(q.world, q.hex, place):
        inside = place.inside.names[:1] if place.inside else ()
        named = the_pools(place.names or inside, " or ") or place.kind
        clause = AREAS.get(place.kind, "51.A.5/1")
        return no(f"{the_place(q.hex)} does not lie in {named}", remedy=f"choose a hex in {named}", clause=clause)
    if place.kind in AREAS:
        return _city_or_hq(q, AREAS[place.kind])
    if place.kind in NAMED:
        return _is_named(q, place)
    if place.kind == "any_city":
        if is_city(q.facts, q.hex):
            return yes("51.A.5/2")
        return no(
            f"{the_place(q.hex)} is no city", remedy="choose a city; an army HQ does not serve here", clause="51.A.5/2"
        )
    if place.kind == "army_hq":
        return _with_an_army_hq(q)
    if place.kind == "map_edge":
        return _on_the_edge(q, place)
    if place.kind in ("port", "airbase"):
        hexes = [q.world.hex_name(name) for name in place.names]
        if q.facts.place_is(q.hex, place.kind) and (not hexes or q.hex in hexes):
            return yes("51.B.10/4")
        return no(
            f"{the_place(q.hex)} is not the {place.kind} its entry asks for", remedy="choose one", clause="51.B.10/4"
        )
    if place.kind == "theatre_border":
        return on_the_border(q, place.names[0], "51.E.2.a/1" if "ETO" in place.names else "51.E.2.b/1")
    return no(f"{q.unit} does not appear in a hex but in a {place.kind}", clause="51.A.5/1")


AREAS = {
    "md": "51.B.10/2",
    "multi_md": "51.B.10/2",
    "area": "51.B.10/2",
    "country": "51.A.5/1",
    "theatre": "51.B.10/3",
    "command": "51.B.10/3",
    "front": "51.B.10/3",
}
NAMED = {"city": "51.B.10/4", "hex": "51.B.8/1"}


def _at_home(q: "Appearing") -> Verdict | None:
    """A unit whose entry names no place at all appears in its own country, if the map has some of that."""
    around, own = q.world.spot(q.hex).area, of_countries(q.world, (q.nation,))
    if not own or not around or q.switch(UNPLACED.key) == "anywhere":
        return None
    if around in own:
        return None
    says = f"its entry names no place, and {the_place(q.hex)} does not lie in {q.nation}"
    return no(says, remedy=f"choose a hex in {q.nation}", clause="51.B.10/1")


def _city_or_hq(q: "Appearing", clause: str) -> Verdict:
    if is_city(q.facts, q.hex):
        return yes(clause)
    if hqs := army_hqs(q):
        return yes(clause, f"with {hqs[0]}")
    return no(
        f"{the_place(q.hex)} is no city, and no army HQ stands there",
        remedy="choose a city, or the hex of an army HQ",
        clause=clause,
    )


def _with_an_army_hq(q: "Appearing") -> Verdict:
    """An entry that asks for an army HQ is served by no city."""
    if hqs := army_hqs(q):
        return yes("51.B.10/4", f"with {hqs[0]}")
    return no(
        f"no army HQ of the {q.side} side stands at {the_place(q.hex)}, and its entry asks for one",
        remedy="choose the hex of an army HQ",
        clause="51.B.10/4",
    )


def _is_named(q: "Appearing", place: PlaceSpec) -> Verdict:
    names = [q.world.hex_name(name) for name in (*place.names, *place.hexes)]
    clause = NAMED[place.kind]
    if q.hex in names or q.world.spot(q.hex).hex in names:
        return yes(clause)
    return no(
        f"its entry says {the_places(names, ' or ')}, not {the_place(q.hex)}",
        remedy=instead(q, f"place it at {the_place(names[0])}", at=names[0]),
        clause=clause,
    )


def _on_the_edge(q: "Appearing", place: PlaceSpec) -> Verdict:
    said = q.facts.value(place_key(q.hex), EDGES)
    wanted = f"{' '.join(place.names)} {place.edge}".strip()
    on_edge = isinstance(said, list) and any(
        each == wanted or (not place.edge and each.startswith(wanted)) for each in said
    )
    if on_edge or q.hex in place.hexes:
        return yes("51.C/3")
    return no(
        f"{the_place(q.hex)} is not on the edge {wanted}", remedy=f"choose a hex on the edge {wanted}", clause="51.C/3"
    )


def on_the_border(q: "Appearing", theatre: str, clause: str) -> Verdict:
    said = q.facts.value(place_key(q.hex), BORDERS)
    if isinstance(said, list) and theatre in said:
        return yes(clause)
    return no(
        f"{the_place(q.hex)} does not touch {theatre}",
        remedy=f"choose a hex of yours that touches {theatre}, or the GIBRALTAR HOLDING BOX",
        clause=clause,
    )


# -------------------------------------------------------------------------------------------- off-map MDs


def off_the_map(world: EuropaWorld, state: State, entry: Entry | None) -> list[str]:
    """The off-map MDs that an entry names."""
    place = spec_of_place(entry) if entry else None
    named = areas_of(world, place) if place is not None and place.kind in ("md", "multi_md", "area") else ()
    return [area for area in named if is_off_map(world, state, area)]


def in_its_holding_box(q: "Appearing") -> Verdict:
    """An MD off the map has no city: what is listed for it appears in its holding box, as its replacements do."""
    if q.off_map in off_the_map(q.world, q.state, q.entry):
        return yes("51.B.10/2", "in its holding box")
    return no(f"{q.name} is no box of its entry's", remedy="place it on the map", clause="51.B.10/2")


def is_arriving(q: "Appearing") -> bool:
    """Whether a unit comes from outside; one that forms on arrival does so before it enters the box."""
    first = q.entry.arrival == ARRIVES_FIRST and q.state.mark(unit_key(q.unit.id), FORMED_SINCE) is None
    return first or verb_of(q.entry) in ARRIVING
