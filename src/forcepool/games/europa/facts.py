"""What this game's rules ask that its documents do not define, and how a player declares it."""

from typing import TYPE_CHECKING, cast

from forcepool.engine.facts import (
    NUMBER,
    PLAYER_TURN,
    TEXT,
    WORDS,
    YES_NO,
    Fact,
    Facts,
    place_key,
    unit_key,
)
from forcepool.engine.state import State, Unit

if TYPE_CHECKING:
    from forcepool.games.europa.world import EuropaWorld

NOT_ISOLATED, COMBAT_ISOLATED, SUPPLY_ISOLATED = "no", "combat", "supply"
REGULAR, LIMITED, NO_SUPPLY = "regular", "limited", "none"
OPERATIONAL, STRATEGIC, NO_RESERVE = "operational", "strategic", "none"
INACTIVE, SEMI_ACTIVE, ACTIVE = "inactive", "semi-active", "active"

REBUILT = "rebuilt"
MP_MARKER = "mp"

FACTS = (
    Fact("moved", ("unit",), "it has changed hex in its owner's current player-turn", False, YES_NO, lasts=PLAYER_TURN),
    Fact("attacked", ("unit",), "it has attacked in its owner's current player-turn", False, YES_NO, lasts=PLAYER_TURN),
    Fact("placed_in_reserve", ("unit",), "it was placed in reserve this player-turn", False, YES_NO, lasts=PLAYER_TURN),
    Fact("supply", ("unit",), "the supply line it can trace", REGULAR, TEXT, (REGULAR, LIMITED, NO_SUPPLY)),
    Fact(
        "isolated",
        ("unit",),
        "whether it is isolated, and how",
        NOT_ISOLATED,
        TEXT,
        (NOT_ISOLATED, COMBAT_ISOLATED, SUPPLY_ISOLATED),
    ),
    Fact("pocket", ("unit",), "the pocket, fortification or island it is cut off in", "", TEXT),
    Fact("reserve", ("unit",), "the reserve it is in", NO_RESERVE, TEXT, (NO_RESERVE, OPERATIONAL, STRATEGIC)),
    Fact("zoc", ("unit",), "the size of its own zone of control, where its counter differs from its size", "", TEXT),
    Fact(MP_MARKER, ("unit",), "the number on its '+# MP' marker", 0, NUMBER),
    Fact(
        "enemy_zoc",
        ("unit", "place"),
        "the zones of control of the enemy stacks that reach the hex, one word a stack",
        [],
        WORDS,
    ),
    Fact("owner", ("place",), "the side that owns it", "", TEXT),
    Fact("activity", ("area",), "how active the area is", ACTIVE, TEXT, (INACTIVE, SEMI_ACTIVE, ACTIVE)),
    Fact(REBUILT, ("unit",), "the step it was rebuilt to this player-turn", "", TEXT, lasts=PLAYER_TURN, by_hand=False),
)


class EuropaFacts(Facts):
    """The questions, answered from what was declared and from the scenario."""

    world: "EuropaWorld"

    def __init__(self, world: "EuropaWorld", state: State) -> None:
        super().__init__(world, state)

    def of_unit(self, unit: Unit, name: str) -> str:
        return str(self.value(unit_key(unit.id), name))

    def is_so(self, unit: Unit, name: str) -> bool:
        return self.value(unit_key(unit.id), name) is True

    def supply(self, unit: Unit) -> str:
        return self.of_unit(unit, "supply")

    def isolated(self, unit: Unit) -> str:
        return self.of_unit(unit, "isolated")

    def mp_marker(self, unit: Unit) -> int:
        value = self.value(unit_key(unit.id), MP_MARKER)
        return value if isinstance(value, int) else 0

    def zoc(self, unit: Unit) -> str:
        """The unit's own zone of control."""
        return self.of_unit(unit, "zoc") or self.world.zone_of(unit)

    def enemy_zocs(self, unit: Unit) -> list[str]:
        """The zone of each enemy stack that reaches the unit's hex, largest first."""
        said = self.declared(unit_key(unit.id), "enemy_zoc")
        if said is None:
            said = self.value(place_key(unit.place.of), "enemy_zoc")
        return sorted(cast(list[str], said or []), key=self.world.zone_rank, reverse=True)

    def owner(self, place: str) -> str:
        """The side that owns a hex: as declared, else as the scenario has it."""
        said = self.declared(place_key(place), "owner")
        return str(said) if said else self.world.spot(place).owner

    def activity(self, area: str) -> str:
        said = self.declared(f"area/{area}", "activity")
        if said is not None:
            return str(said)
        found = self.world.areas.get(area)
        return found.activity if found else ACTIVE

    def owns_a_source(self, nation: str) -> bool:
        """Whether a nation still owns one of its replacement sources; a scenario that lists none does not ask."""
        side = self.world.side_of(nation)
        cities = [name for name, spot in self.world.spots.items() if spot.replacement_city == nation]
        return not cities or any(self.owner(name) in ("", side) for name in cities)
