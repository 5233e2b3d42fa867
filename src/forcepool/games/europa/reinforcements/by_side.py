"""51.B.1.b, 51.C, 51.D and 51.E  Where a reinforcement may appear, by its side: Allied theatres, boxes and seas."""

from typing import TYPE_CHECKING

from msgspec import Struct

from forcepool.engine.facts import place_key, subject_key
from forcepool.engine.sentence import the_field, the_place, the_unit
from forcepool.engine.verdicts import YES, Verdict, Yes, no, rule, yes
from forcepool.games.europa.facts import REGULAR
from forcepool.games.europa.mapfacts.positions import enemies_of
from forcepool.games.europa.reinforcements.conditions import is_controlled
from forcepool.games.europa.reinforcements.listed_places import is_within, lies_in, of_countries, spec_of_place
from forcepool.games.europa.reinforcements.named_boxes import BALKANS, box_named
from forcepool.games.europa.reinforcements.sites import (
    ALLIED,
    AXIS,
    BOXES_IN_USE,
    COMBAT_ZONE,
    DANGER_ZONE,
    EDGES,
    ENEMY_SUPPLIED,
    GIBRALTAR,
    HOLDING,
    SEA,
    SOVIET,
    by_kind,
    in_its_holding_box,
    is_arriving,
    is_city,
    on_the_border,
)
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Entry, PlaceSpec
from forcepool.rulebook.citations import COMPUTED, heard, meets_one_of

if TYPE_CHECKING:
    from forcepool.games.europa.reinforcements.appearing import Appearing


EMBARKED = "embarked"
"""How an entry says that its units are at sea as they come."""


class SeaArrival(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    """Where forces that come by sea for a command are placed."""

    clause: str
    sea: str = ""
    edges: tuple[str, ...] = ()
    from_: str = ""
    within: int | None = None
    as_for: tuple[str, ...] = ()
    """The commands whose hexes serve as well."""


class AlliedTheatre(Struct, frozen=True, forbid_unknown_fields=True):
    """An Allied theatre: the region and kind of place its reinforcements go to, and the box that stands in for it."""

    country: str
    feature: str
    box: str
    general: str
    arrives: str
    """The heading of its arrivals; the clauses under it are numbered alike for both theatres."""
    border: str
    lands: tuple[str, ...] = ()
    """The countries of the region, where it is more than one."""


def _in_region(q: "Appearing", theatre: AlliedTheatre) -> bool:
    around = q.world.spot(q.hex).area
    if not around:
        return True
    return is_within(q.world, around, (theatre.country,)) or around in of_countries(q.world, theatre.lands)


# ------------------------------------------------------------------------------------------ the three sides


@meets_one_of("51.C/1", "51.C/2", "51.D/1", "51.E/1", "51.E/2")
def where(q: "Appearing") -> Verdict:
    """By section and force of each side: the general rules, with what is added for the Allies."""
    heard({AXIS: "51.C/1 51.C/2", SOVIET: "51.D/1", ALLIED: "51.E/1 51.E/2"}.get(q.side, ""), COMPUTED)
    place = spec_of_place(q.entry)
    if q.off_map:
        return in_its_holding_box(q)
    if (box := box_named(place)) and box != BALKANS:
        return _in_the_box_named(q, box)
    if q.entry.arrival == EMBARKED and not q.is_at_sea:
        return no(f"its entry brings {q.unit} embarked, at sea", remedy="choose a sea hex", clause="51.B.10/4")
    if q.side == ALLIED:
        return _allied(q, place)
    if q.box:
        return no(f"{q.side} units have no holding box", remedy="place it on the map", clause="51.A.5/1")
    if q.is_at_sea and q.entry.arrival == EMBARKED:
        return yes("51.B.10/4", "embarked, as its entry says")
    if q.is_at_sea:
        return no("only Allied forces come by sea", remedy="place it on land", clause="51.B.1.b/3")
    if is_arriving(q):
        return _arriving(q, place)
    return by_kind(q, place)


def _in_the_box_named(q: "Appearing", box: str) -> Verdict:
    """What its entry lists for a holding box appears in that."""
    if q.box == box:
        return yes("51.B.10/4", "as its entry says")
    says = f"its entry says the {box.upper()} HOLDING BOX, not {the_place(q.name)}"
    return no(says, remedy=f"place it there ({the_field('at', f'{HOLDING} {box}')})", clause="51.B.10/4")


@meets_one_of("51.B.1.b/1")
def _arriving(q: "Appearing", place: PlaceSpec | None) -> Verdict:
    """Axis forces from elsewhere come at the map edge or as their entry says; others by it, else as for the theatre."""
    heard("51.B.1.b/1", COMPUTED)
    anywhere = place is None or place.kind in ("theatre", "command", "front")
    if q.side == AXIS and anywhere and q.facts.value(place_key(q.hex), EDGES) and lies_in(q.world, q.hex, place):
        return yes("51.B.1.b/1", "at the map edge")
    return by_kind(q, place)


def _allied(q: "Appearing", place: PlaceSpec | None) -> Verdict:
    arriving = is_arriving(q)
    if place is not None and place.kind == "sea":
        return _at_the_sea_named(q, place)
    if arriving and (sea := _by_sea(q)) is not None:
        return sea
    if q.is_at_sea and q.entry.arrival == EMBARKED:
        return yes("51.B.10/4", "embarked, as its entry says")
    if q.is_at_sea:
        return no(f"{q.unit} does not come by sea", remedy="place it on land", clause="51.B.1.b/3")
    if arriving and q.entry.source is not None and (from_theatre := _from_theatre(q)) is not None:
        return from_theatre
    theatre = _theatre(q, place)
    if theatre is not None:
        return _arrival(q, theatre) if arriving else _general(q, theatre, theatre.general)
    country = place.names[0] if place and place.kind in ("country", "area") and place.names else ""
    if country == "Britain":
        return _general(q, _theatres(q)["ETO"], "51.E.3.c/1")
    if q.box:
        return no(f"its entry does not lead into the {q.box} holding box", clause="51.A.5/1")
    if country in BLANK:
        verdict = by_kind(q, place)
        return yes(BLANK[country], verdict.sentence) if isinstance(verdict, Yes) else verdict
    return by_kind(q, place)


BLANK = {"France": "51.E.3.d/1", "Poland": "51.E.3.e/1"}


def _theatres(q: "Appearing") -> dict[str, AlliedTheatre]:
    found: dict[str, AlliedTheatre] = q.world.chart("allied_theatres")
    return found


def _theatre(q: "Appearing", place: PlaceSpec | None) -> AlliedTheatre | None:
    if place is None or place.kind not in ("theatre", "area"):
        return None
    return _theatres(q).get(place.names[0])


def box_in_use(q: "Appearing", box: str) -> bool:
    said = q.facts.of_campaign(BOXES_IN_USE)
    return isinstance(said, list) and box in [each.casefold() for each in said]


def _into_box(q: "Appearing", box: str, clause: str) -> Verdict:
    if q.box == box and box_in_use(q, box):
        return yes(clause)
    why = "is not in use in this game" if q.box == box else "is not for this unit"
    return no(f"the {q.box.upper()} HOLDING BOX {why}", remedy="place it on the map", clause=clause)


def _general(q: "Appearing", theatre: AlliedTheatre, clause: str) -> Verdict:
    """A reinforcement with no narrower place: a city of Britain, or a North African port, or the box."""
    if q.box:
        return _into_box(q, theatre.box, clause)
    has = is_city(q.facts, q.hex) if theatre.feature == "city" else q.facts.place_is(q.hex, theatre.feature)
    if has and _in_region(q, theatre):
        return yes(clause)
    return no(
        f"{the_place(q.hex)} is no {theatre.feature} of {theatre.country}",
        remedy=f"choose a {theatre.feature} of {theatre.country}",
        clause=clause,
    )


@meets_one_of("51.E.1/1", "51.E.1.a/1", "51.E.1.b/1", "51.E.1.a/2", "51.E.1.b/2")
def _arrival(q: "Appearing", theatre: AlliedTheatre) -> Verdict:
    """An arrival from no theatre in particular: as a general reinforcement, or in a safe port."""
    heard("51.E.1/1", COMPUTED)
    at_home, port = f"{theatre.arrives}/1", f"{theatre.arrives}/2"
    if q.box:
        return _into_box(q, theatre.box, at_home)
    if theatre.feature == "city" and is_city(q.facts, q.hex) and _in_region(q, theatre):
        return yes(at_home)
    if not q.facts.place_is(q.hex, "port"):
        return no(f"{the_place(q.hex)} is no port", remedy="choose a friendly-owned port", clause=port)
    if not lies_in(q.world, q.hex, spec_of_place(q.entry)):
        return no(f"{the_place(q.hex)} lies in another theatre", remedy="choose a port of the theatre", clause=port)
    return _safe_port(q, theatre)


def _safe_port(q: "Appearing", theatre: AlliedTheatre) -> Verdict:
    if enemy := supplied_enemy(q):
        return no(
            f"{the_unit(enemy)} is in regular supply in the port's MD",
            remedy="choose another port, or wait",
            clause=f"{theatre.arrives}/3",
        )
    if q.facts.place_is(q.hex, COMBAT_ZONE):
        says = f"{the_place(q.hex)} is in the combat zone of an enemy task force or coast defence"
        return no(says, remedy="choose another port, or wait", clause=f"{theatre.arrives}/4")
    if q.facts.place_is(q.hex, DANGER_ZONE):
        return no(
            f"{the_place(q.hex)} is in a danger zone", remedy="choose another port", clause=f"{theatre.arrives}/5"
        )
    return yes(f"{theatre.arrives}/2")


def supplied_enemy(q: "Appearing") -> str:
    """An enemy unit in regular supply in the MD of the port, known by its counter or declared."""
    md = q.world.spot(q.hex).area
    if md and q.facts.value(subject_key("area", md), ENEMY_SUPPLIED) is True:
        return "an enemy unit"
    enemies = enemies_of(q.world, q.side)
    for name in sorted(q.state.stacks):
        if md and q.world.spot(name).area == md:
            for unit in q.state.stack(name):
                if q.world.side_now(q.state, unit.spec.nation) in enemies and q.facts.supply(unit) == REGULAR:
                    return unit.id
    return ""


# ------------------------------------------------------------------------------------------------- by sea


@meets_one_of(
    *("51.B.1.b/3", "51.B.1.b/5", "51.B.1.b.12/1", "51.B.1.b.13/1", "51.B.1.b.14/1", "51.B.1.b.15/1", "51.B.1.b.16/1")
)
def _by_sea(q: "Appearing") -> Verdict | None:
    """Allied forces for one of the five commands may be placed at sea, embarked; None when they are not."""
    place = spec_of_place(q.entry)
    if place is not None and place.kind not in ("theatre", "command"):
        # A line that names a port or MD still stands under the command whose seas lead there.
        place = q.entry.section
    if not q.is_at_sea or place is None or place.kind != "command":
        return None
    chart: dict[str, SeaArrival] = q.world.chart("sea_arrivals")
    row = chart.get(place.names[0])
    if row is None:
        return None
    heard("51.B.1.b/3 51.B.1.b/5", COMPUTED)
    rows = [chart[name] for name in row.as_for] or [row]
    if any(_is_sea_hex(q, each) for each in rows):
        return yes(row.clause)
    says = " or ".join(f"{each.sea} on {' or '.join(each.edges)}{_within(each)}" for each in rows)
    return no(f"{the_place(q.hex)} is no such hex: {says}", remedy="choose one", clause=row.clause)


def _at_the_sea_named(q: "Appearing", place: PlaceSpec) -> Verdict:
    """The sea hexes that an entry itself names: map, edge, sea, and the distance from a hex."""
    sheet, *sea = place.names
    row = SeaArrival(
        clause="51.B.10/4",
        sea=sea[0] if sea else "",
        edges=(f"{sheet} {place.edge}",) if place.edge else (),
        from_=place.hexes[0] if place.hexes else "",
        within=place.distance if place.hexes else None,
    )
    if q.is_at_sea and _is_sea_hex(q, row):
        heard("51.B.1.b/5", COMPUTED)
        return yes("51.B.10/4")
    return no(f"{q.name} is no hex of the sea its entry names", remedy="choose one", clause="51.B.10/4")


def _within(row: SeaArrival) -> str:
    return f", at most {row.within} hexes from {row.from_}" if row.within is not None else ""


def _is_sea_hex(q: "Appearing", row: SeaArrival) -> bool:
    said = q.facts.value(place_key(q.hex), EDGES)
    on_edge = not row.edges or (isinstance(said, list) and bool(set(said) & set(row.edges)))
    if not on_edge or (row.sea and q.facts.of_place(q.hex, SEA) != row.sea):
        return False
    distance = q.facts.distance(q.hex, row.from_)
    return row.within is None or (isinstance(distance, int) and distance <= row.within)


def edges_named(world: EuropaWorld, entry: Entry | None) -> list[str]:
    """The map edges that an entry sends its units to, or the command it brings them to by sea."""
    place = spec_of_place(entry) if entry else None
    if place is not None and place.kind == "map_edge":
        return [f"{' '.join(place.names)} {place.edge}".strip()]
    if place is not None and place.kind == "sea" and place.edge:
        return [f"{place.names[0]} {place.edge}"]
    row = world.chart("sea_arrivals").get(place.names[0]) if place is not None and place.kind == "command" else None
    rows = [world.chart("sea_arrivals")[name] for name in row.as_for] or [row] if row is not None else []
    return [edge for each in rows for edge in each.edges]


# ------------------------------------------------------------------------------------- from another theatre


@meets_one_of("51.E.2/1", "51.E.2.a/2", "51.E.2.b/2")
def _from_theatre(q: "Appearing") -> Verdict | None:
    """Forces from ETO or MTO come to a hex that touches it, where the player does not control that theatre."""
    source = q.entry.source
    name = source.names[0] if source and source.names else ""
    theatre = _theatres(q).get(name)
    if theatre is None:
        return None
    heard(f"51.E.2/1 {theatre.border}/2", COMPUTED)
    clause = f"{theatre.border}/1"
    if is_controlled(q.world, q.state, name, q.side):
        says = f"{name} is controlled by the {q.side} player, who moves the forces himself"
        return no(says, remedy="move them on the map", clause=f"{theatre.border}/2")
    if q.box:
        return yes(clause) if q.box == GIBRALTAR else no("only the GIBRALTAR HOLDING BOX takes them", clause=clause)
    return on_the_border(q, name, clause)


@rule(
    *("51.A.5/1", "51.B.10/1", "51.B.10/2", "51.B.10/3", "51.B.10/4", "51.B.8/1", "51.C/3", "51.E.1.a/2", "51.E.1.a/3"),
    *("51.E.1.a/4", "51.E.1.a/5", "51.E.1.b/2", "51.E.1.b/3", "51.E.1.b/4", "51.E.1.b/5", "51.E.2.a/1", "51.E.2.b/1"),
    *("51.E.3.a/1", "51.E.3.b/1", "51.E.3.c/1", "51.E.3.d/1", "51.E.3.e/1"),
)
def appears_where_its_entry_says(q: "Appearing") -> Verdict:
    """A reinforcement appears in a hex that its entry of the order of battle allows."""
    if q.is_air or q.returns:
        return YES
    return where(q)
