"""What this game's rules ask that its documents do not define, and how a player declares it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from forcepool.engine.events import Value
from forcepool.engine.facts import (
    ANY,
    NUMBER,
    PLAYER_TURN,
    TAKEN_BACK,
    WORDS,
    YES_NO,
    Fact,
    Facts,
    fixed,
    kept,
    place_key,
    subject_key,
    unit_key,
)
from forcepool.engine.state import Unit

if TYPE_CHECKING:
    from forcepool.games.europa.world import EuropaWorld

NOT_ISOLATED, COMBAT_ISOLATED, SUPPLY_ISOLATED = "no", "combat", "supply"
REGULAR, LIMITED, NO_SUPPLY = "regular", "limited", "none"
OPERATIONAL, STRATEGIC, NO_RESERVE = "operational", "strategic", "none"
INACTIVE, SEMI_ACTIVE, ACTIVE = "inactive", "semi-active", "active"
BY_ACTIVITY = (ACTIVE, SEMI_ACTIVE, INACTIVE)

REBUILT = "rebuilt"
SIDES_WITH, NEUTRAL = "sides_with", "neutral"
NEUTRAL_SIDE = "Neutral"
MP_MARKER = "mp"

WHERE_IT_STOOD = (
    *("supply", "isolated", "pocket", "enemy_zoc", "traces_to", "loc", "turns_out_of_supply"),
    *("battle_zone", "adjacent_enemy", "depots", "overland_line"),
)
"""What was so of a unit in its hex, and is not once it comes back from elsewhere."""

AS_ITS_HEX = ("supply", "isolated")
"""What is so of a unit as it is of the hex it is in, or of the city that is a part of, where nothing was said of it."""

FACTS = (
    Fact("moved", ("unit",), "it has changed hex in its owner's current player-turn", False, YES_NO, lasts=PLAYER_TURN),
    Fact("attacked", ("unit",), "it has attacked in its owner's current player-turn", False, YES_NO, lasts=PLAYER_TURN),
    Fact("placed_in_reserve", ("unit",), "it was placed in reserve this player-turn", False, YES_NO, lasts=PLAYER_TURN),
    Fact(
        "supply",
        ("unit", "place"),
        "the supply line it can trace",
        REGULAR,
        values=(REGULAR, LIMITED, NO_SUPPLY),
        said={NO_SUPPLY: "out of supply", ANY: "{} supply"},
    ),
    Fact(
        "isolated",
        ("unit", "place"),
        "whether it is isolated, and how",
        NOT_ISOLATED,
        values=(NOT_ISOLATED, COMBAT_ISOLATED, SUPPLY_ISOLATED),
        said={NOT_ISOLATED: "not isolated", ANY: "{} isolated"},
    ),
    Fact("pocket", ("unit",), "the pocket, fortification or island it is cut off in", ""),
    Fact("zoc", ("unit",), "the size of its own zone of control, where its counter differs from its size", ""),
    Fact(
        MP_MARKER,
        ("unit",),
        "the number on its '+# MP' marker",
        0,
        NUMBER,
        said={ANY: "+{} MP", TAKEN_BACK: "its MP marker is taken off"},
    ),
    Fact(
        "enemy_zoc",
        ("unit", "place"),
        "the zones of control of the enemy stacks upon the hex, a word each",
        [],
        WORDS,
        said={"none": "in no enemy ZOC", ANY: "in the ZOC of an enemy {}"},
    ),
    Fact("town", ("place",), "it is a town", False, YES_NO),
    Fact("city", ("place",), "it is a city, of any class", False, YES_NO),
    Fact("port", ("place",), "it is a port", False, YES_NO),
    Fact("airbase", ("place",), "it is an airbase", False, YES_NO),
    Fact("owner", ("place",), "the side that owns it", ""),
    Fact("replacement_city", ("place",), "the nation whose source of replacements it is", ""),
    Fact(SIDES_WITH, ("nation",), "the side it fights on since it changed sides", ""),
    Fact("activity", ("area",), "how active the area is", ACTIVE, values=(INACTIVE, SEMI_ACTIVE, ACTIVE)),
    Fact(
        REBUILT,
        ("unit",),
        "the step it was rebuilt to this player-turn",
        "",
        lasts=PLAYER_TURN,
        by_hand=False,
        said={ANY: "rebuilt to {}"},
    ),
)


def supply_in_words(supply: object) -> str:
    """'in regular supply', 'without supply'."""
    return "without supply" if supply == NO_SUPPLY else f"in {supply} supply"


class EuropaFacts(Facts):
    """The questions, answered from what was declared and from the scenario."""

    world: "EuropaWorld"

    def areas_held(self, side: str) -> frozenset[str]:
        """The areas in which a side owns a place."""
        return _areas_held(self.world, self).get(side, frozenset())

    def of_unit(self, unit: Unit, name: str) -> str:
        on = unit_key(unit.id)
        if name in AS_ITS_HEX and unit.place.on_map and self.declared(on, name) is None:
            said = _said_of_its_hex(self.world, self, str(unit.place.of), name)
            if said is not None:
                return _word(said)
        return _word(self.value(on, name))

    def is_so(self, unit: Unit, name: str) -> bool:
        return self.value(unit_key(unit.id), name) is True

    def supply(self, unit: Unit) -> str:
        return self.of_unit(unit, "supply")

    def isolated(self, unit: Unit) -> str:
        return self.of_unit(unit, "isolated")

    def mp_marker(self, unit: Unit) -> int:
        return self.count(unit_key(unit.id), MP_MARKER)

    def zoc(self, unit: Unit) -> str:
        """The unit's own zone of control."""
        return self.of_unit(unit, "zoc") or self.world.zone_of(unit)

    def enemy_zocs(self, unit: Unit) -> list[str]:
        """The zone of each enemy stack that reaches the unit's hex, largest first."""
        said = self.declared(unit_key(unit.id), "enemy_zoc")
        if said is None:
            said = self.value(place_key(unit.place.of), "enemy_zoc")
        if not said:
            return []
        return sorted(cast(list[str], said), key=self.world.zone_rank, reverse=True)

    def of_place(self, place: str, name: str) -> str:
        return _word(self.value(place_key(place), name))

    def place_is(self, place: str, name: str) -> bool:
        return self.value(place_key(place), name) is True

    def to_side(self, side: str, place: str, name: str) -> Value:
        """What is so of a place to a side that stands or arrives there: its lines, and the zones of its enemies.

        What was declared of a hex holds for whoever asks; a map answers each side by itself.
        """
        return self.value(place_key(place), name)

    def is_cut_off(self, side: str, place: str) -> bool:
        """Whether a place is isolated for a side: a hex of a city with the city, a city with all its hexes."""
        if any(self.to_side(side, each, "isolated") != NOT_ISOLATED for each in {place, self.city_of(place)}):
            return True
        parts = self.parts_of(place)
        return bool(parts) and all(self.to_side(side, each, "isolated") != NOT_ISOLATED for each in parts)

    def zones_upon(self, side: str, place: str) -> list[str]:
        """The zones of control that enemies of a side have upon a place, a word for each stack."""
        zones = cast(list[str], self.to_side(side, place, "enemy_zoc"))
        return [zone for zone in zones if self.world.zone_rank(zone)]

    def owner(self, place: str) -> str:
        """The side that owns a hex; empty when nobody has said."""
        return self.of_place(place, "owner")

    def is_settlement(self, place: str) -> bool:
        """A town or a city."""
        return self.is_city(place) or self.place_is(place, "town") or bool(self.size_of(place))

    def is_city(self, place: str) -> bool:
        """A city of any class, or a hex of one."""
        return self.place_is(place, "city") or self.size_of(place) not in ("", "town")

    def city_of(self, place: str) -> str:
        """The city of several hexes that a hex is a part of, else the place itself."""
        return self.of_place(place, "part_of") or place

    def parts_of(self, city: str) -> list[str]:
        """The hexes of a city that has several, in order; none for any other place."""
        return [each for each in self.places_where("part_of", city) if each != city]

    def size_of(self, place: str) -> str:
        """The class of a city; a hex of one is of its city's, unless it has its own."""
        return self.of_place(place, "city_size") or self.of_place(self.city_of(place), "city_size")

    def of_area(self, area: str, name: str) -> Value:
        return self.value(subject_key("area", area), name)

    def of_nation(self, nation: str, name: str) -> Value:
        return self.value(subject_key("nation", nation), name)

    def of_campaign(self, name: str) -> Value:
        return self.value("campaign", name)

    def is_neutral(self, nation: str) -> bool:
        """Whether a country has no part in the war: one of no side, or said to be neutral as yet."""
        if nation not in self.world.sides:
            return False
        neutral = self.world.side_now(self.state, nation) == NEUTRAL_SIDE or self.of_nation(nation, NEUTRAL) is True
        return neutral and not self.is_at_war_with_itself(nation)

    def is_at_war_with_itself(self, country: str) -> bool:
        """Whether a country, or a camp that fights for it, is said to be in a civil war."""
        camps = (country, *_camps(self.world).get(country, ()))
        return any(self.of_nation(each, "civil_war") is True for each in camps)

    def fights_a_civil_war(self, nation: str) -> bool:
        """Whether a nation is in a civil war, or the country that it is one camp of."""
        country = self.world.profile.nations[nation].country
        return any(self.of_nation(each, "civil_war") is True for each in (nation, country) if each)

    def activity(self, area: str) -> str:
        """How active an area is; one of a neutral country is inactive as long as nobody says otherwise."""
        said = self.declared(subject_key("area", area), "activity")
        return INACTIVE if said is None and self._is_at_peace(area) else str(self.of_area(area, "activity"))

    def _is_at_peace(self, area: str) -> bool:
        return self.is_neutral(self.world.power_of(area))

    def distance(self, place: str, frm: str) -> Value:
        """The hexes between two places, as declared of the first."""
        return self.value(place_key(place), "distance")

    def joined(
        self, side: str, areas: Sequence[str], fact: str, ends: Callable[[], tuple[list[str], list[str]]]
    ) -> bool:
        """Whether lines join all of some areas to what lies above them; a map looks for one between the ends."""
        return all(self.of_area(area, fact) is True for area in areas)

    def traced(self, on: str, name: str) -> bool:
        """Whether a map answers this anew each time, so that nothing need be noted of it."""
        return False

    def within_reach(self, unit_id: str, places: list[str]) -> list[str]:
        """Those of some places that a unit's supply line leads to; all of them where no map tells."""
        return places

    def by_use(self, side: str, places: Iterable[str], *, ground: bool = True) -> list[str]:
        """Places for an arrival of a side, the most useful first: its own and open, with room, close to its front."""
        return sorted(
            places,
            key=lambda each: (*self._open(side, each), ground and self._crowd(side, each), self._rear(each), each),
        )

    def _open(self, side: str, place: str) -> tuple[bool, bool, bool]:
        """Whether it is not its own, is cut off, or is out of regular supply, where whoever arrives would be so too."""
        short = self.to_side(side, place, "supply") != REGULAR
        return self.owner(place) not in ("", side), self.is_cut_off(side, place), short

    def _crowd(self, side: str, place: str) -> int:
        """How often a stack is full already, so that arrivals are spread over several places."""
        # A campaign that was begun before there was such a number does without.
        most = self.world.numbers.get("proposed_stack")
        here = [
            unit
            for unit in self.state.stack(place)
            if self.world.side_now(self.state, unit.spec.nation) == side and not self.world.has_role(unit.spec, "air")
        ]
        return len(here) // int(most) if most else 0

    def _rear(self, place: str) -> int:
        """How far behind a place lies, where no map tells: at a front, in an active MD, in one less active, nowhere."""
        area = self.world.spot(place).area
        if area.startswith("front/"):
            return 0
        return 1 + BY_ACTIVITY.index(self.activity(area)) if area else 1 + len(BY_ACTIVITY)

    def has_loc(self, side: str, frm: str, to: str) -> bool:
        """Whether a line of communication joins two places; without a map the players say so, and are believed."""
        return True

    def nearest_by_loc(self, side: str, frm: str, places: list[str]) -> str:
        """The nearest of some places that the map shows a line of communication to; none where there is no map."""
        return ""

    def reason(self, on: str, name: str, side: str = "") -> str:
        """What the map adds to an answer, as the end of a sentence; nothing where it was declared."""
        return ""

    def places_with(self, name: str) -> list[str]:
        """The places of which something was said, in order."""
        return list(_places_with(self.world, self, name))

    def places_where(self, name: str, value: Value) -> list[str]:
        """The places of which something is so, in order."""
        return list(_by_what_is_so(self.world, self, name).get(_as_key(value), ()))


@fixed
def _camps(world: "EuropaWorld") -> Mapping[str, tuple[str, ...]]:
    """By country, the camps that would fight for it in a civil war."""
    nations = world.profile.nations.items()
    countries = {each.country for _, each in nations if each.country}
    return {country: tuple(name for name, each in nations if each.country == country) for country in countries}


@kept
def _places_with(world: "EuropaWorld", facts: EuropaFacts, name: str) -> tuple[str, ...]:
    """The places of which something was said; a misspelt one of earlier days is no place."""
    said = (on[6:] for on in facts.state.marked.get(name, ()) if on.startswith("place/"))
    return tuple(sorted(filter(world.knows_place, said)))


@kept
def _by_what_is_so(world: "EuropaWorld", facts: EuropaFacts, name: str) -> dict[object, list[str]]:
    """The places of which something was said, by what is so of them."""
    found: dict[object, list[str]] = {}
    for place in _places_with(world, facts, name):
        found.setdefault(_as_key(facts.value(place_key(place), name)), []).append(place)
    return found


def _as_key(value: Value) -> object:
    return tuple(value) if isinstance(value, list) else value


@kept
def _said_of_its_hex(world: "EuropaWorld", facts: EuropaFacts, place: str, name: str) -> Value:
    """What was said of a hex, else of the city that it is a part of."""
    said = facts.declared(place_key(place), name)
    return facts.declared(place_key(facts.city_of(place)), name) if said is None else said


@kept
def _areas_held(world: "EuropaWorld", facts: EuropaFacts) -> dict[str, frozenset[str]]:
    """By side, the areas in which it owns a place."""
    found: dict[str, set[str]] = {}
    for owner, area in {(facts.owner(place), spot.area) for place, spot in world.spots.items()}:
        found.setdefault(owner, set()).update(world.line_of(area))
    return {side: frozenset(areas) for side, areas in found.items()}


def _word(value: Value) -> str:
    return "" if value is None else str(value)
