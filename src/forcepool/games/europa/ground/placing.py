"""52.A/1 to /7  A unit whose turn has come: which box it leaves, the hex it is to go to, and who takes it in there."""

from collections.abc import Iterable
from typing import cast

from forcepool.engine.command import BadCommand, Question, lazy
from forcepool.engine.facts import place_key, unit_key
from forcepool.engine.places import TRACK
from forcepool.engine.sentence import the_field, the_places
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import Verdict
from forcepool.games.europa import homes
from forcepool.games.europa.facts import STRATEGIC, EuropaFacts
from forcepool.games.europa.ground.centres import acts_as_hq
from forcepool.games.europa.question import (
    EuropaQuestion,
)
from forcepool.games.europa.world import FORMING, REINFORCEMENT_TRACK
from forcepool.rulebook.citations import computed

TRACKS = (TRACK, FORMING, REINFORCEMENT_TRACK)
STRATEGIC_BOX = "strategic"
REJOINS = "rejoins"
"""The turn on which a unit that left the map to train comes back to it: neither a reinforcement nor replaced."""
RETURNS = "returns_on"
"""The turn on which a disrupted unit comes back: as a reinforcement, not as a replacement."""
RETURNED = "returned"
PLACED, HELD_BACK, AIR_STATUS, INOPERATIVE = "placed", "held_back", "air_status", "inoperative"
FROM_STRATEGIC = "from_strategic"
"""The mark of a unit that has left strategic reserve and is on its way back."""
ARMY_OR_HIGHER = ("XXXX", "XXXXX")
DIVISION = "XX"


def why_not_friendly(facts: EuropaFacts, side: str, nation: str, hex_name: str) -> str:
    """Why a hex takes none of a nation's arriving units: whose it is, or that it lies in a neutral's country."""
    if (owner := facts.owner(hex_name)) not in ("", side):
        return f"is owned by {owner}"
    area = facts.world.spot(hex_name).area
    if area and homes.is_a_neutrals(facts.world, facts, area, nation):
        return f"lies in {facts.world.power_of(area)}, which is neutral"
    return ""


class Placing(EuropaQuestion):
    """A unit whose turn has come, and the hex or reserve it is to go to."""

    @lazy
    def area(self) -> str:
        """The MD or front whose holding box it leaves."""
        return self.unit.place.of

    @lazy
    def hex(self) -> str:
        if not self.command.at and not self.off_map:
            raise BadCommand(f"say where with {the_field('at')}, or {the_field('reserve', 'strategic')}")
        return self.world.hex_name(self.command.at)

    @property
    def off_map(self) -> bool:
        """Straight into strategic reserve, without seeing the map."""
        return bool(self.command.reserve == STRATEGIC)

    @property
    def is_air(self) -> bool:
        return self.world.has_role(self.unit.spec, "air")

    @lazy
    def in_area(self) -> bool:
        """Whether the hex lies in the MD; nobody is asked where the scenario does not say."""
        around = self.world.spot(self.hex).area
        if not around or self.area in self.world.line_of(around):
            return True
        return self.area in self.world.line_of(homes.home_in(self.world, self.facts, around, self.nation))

    @lazy
    def hosts(self) -> list[Unit]:
        """The army HQs and training units in the hex that an arriving unit may join."""
        return [each for each in self.state.stack(self.hex) if is_host(self, each)]

    @lazy
    def locations(self) -> int:
        """City or town, and each army HQ or training division: a location each."""
        return len(self.hosts) + self.facts.is_settlement(self.hex)

    @lazy
    def arrived(self) -> list[str]:
        """The names of all that was bought and placed in the hex this turn."""
        return cast(list[str], self.facts.value(place_key(self.hex), PLACED))

    @lazy
    def placed(self) -> list[Unit]:
        """The replacements placed in the hex this turn; air units take no room of those on the ground."""
        units = (self.state.units[each] for each in self.arrived)
        return [each for each in units if not self.world.has_role(each.spec, "air")]

    @lazy
    def returned(self) -> list[str]:
        """The disrupted units that came back there this turn: they take a location each, but are no replacements."""
        return cast(list[str], self.facts.value(place_key(self.hex), RETURNED))

    @lazy
    def reinforcement(self) -> Question | None:
        """The same question asked of a reinforcement, where the unit was disrupted; None for one that was bought."""
        asked = self.world.game.as_a_reinforcement
        return asked(self) if asked and is_disrupted(self.state, self.unit) else None

    @lazy
    def site(self) -> Verdict | None:
        """What another heading says of the hex before the general rule: a factory takes what its pool has built."""
        verdicts = (site(self) for site in self.world.game.sites)
        return next((verdict for verdict in verdicts if verdict is not None), None)


def is_replaced(q: Placing) -> bool:
    """Whether it is one of the replacements that a hex takes so many of: neither an air unit nor one that retrained."""
    return not q.is_air and not retrained(q)


def retrained(q: Placing) -> bool:
    return q.unit.place.kind == TRACK and rejoins(q.state, q.unit)


def rejoins(state: State, unit: Unit) -> bool:
    """Whether a unit waits on a track because it left the map to train, not because it was bought or is new."""
    mark = state.mark(unit_key(unit.id), REJOINS)
    return mark is not None and unit.place.kind in TRACKS and mark.value == unit.place.due


def is_disrupted(state: State, unit: Unit) -> bool:
    """Whether a unit waits on a track because it was disrupted, not because it was bought."""
    mark = state.mark(unit_key(unit.id), RETURNS)
    return unit.place.kind == TRACK and mark is not None and mark.value == unit.place.due


@computed("52.A/6")
def is_host(q: Placing, other: Unit) -> bool:
    """An army HQ, a training division, or any training, reserve or replacement unit that has not moved (52.I.2)."""
    spec = other.spec
    if q.world.side_now(q.state, spec.nation) != q.side or other.id == q.unit.id:
        return False
    if q.world.has_role(spec, "hq"):
        return spec.size in ARMY_OR_HIGHER
    if q.world.has_role(spec, "training") and spec.size == DIVISION:
        return True
    return acts_as_hq(q.world, q.state, other)


def held_by_the_enemy(places: Iterable[str]) -> str:
    """Why a unit waits whose every hex has fallen."""
    names = sorted(places)
    are, which = ("is", "that") if len(names) == 1 else ("are", "one")
    return f"{the_places(names)} {are} owned by the enemy. It enters when {which} is yours again"
