"""Who stands where, whose zones of control reach which hexes, and who owns them, at one moment of a campaign."""

from msgspec import Struct

from forcepool.engine.facts import fixed, kept, place_key, unit_key
from forcepool.engine.hexmap.hexmap import HexMap
from forcepool.engine.hexmap.search import Hexes
from forcepool.engine.places import OUT_OF_PLAY
from forcepool.engine.state import Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import UnitSpec
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.world import EuropaWorld

TAKEN = switch(
    "taken-hexes",
    "52.A.9.c/6",
    "whether a hex the enemy took in play, or one of his in a country never entered, stops a line over land, on a map",
    stop_lines="it does, unless a friendly ground unit stands in it",
    stop_none="only enemy units and their zones of control stop a line over land",
)


def hexes_of(world: EuropaWorld) -> HexMap:
    """The map of a campaign that has one."""
    hexes = world.hexes
    assert hexes is not None, "only campaigns with a map ask it"
    return hexes


def camp_of(world: EuropaWorld, side: str) -> tuple[str, ...]:
    """The sides that fight together with one."""
    return next((tuple(camp) for camp in world.chart("coalitions") if side in camp), (side,))


def enemies_of(world: EuropaWorld, side: str) -> tuple[str, ...]:
    """The sides that play and do not fight together with one; nobody is the enemy of a neutral."""
    camp = camp_of(world, side)
    players = world.sequence.players
    return tuple(each for each in players if each not in camp) if side in players else ()


def is_ground(world: EuropaWorld, unit: Unit) -> bool:
    return not world.has_role(unit.spec, "air")


def zone_upon_the_map(world: EuropaWorld, facts: EuropaFacts, unit: Unit) -> str:
    """The zone of control a unit exerts around it: as declared of it, none for an HQ, else by its size and step."""
    said = facts.declared(unit_key(unit.id), "zoc")
    return str(said) if said else zone_by_kind(world, unit)


def zone_by_kind(world: EuropaWorld, unit: Unit) -> str:
    """None for an HQ, else by size and step."""
    return world.profile.zones[0] if world.has_role(unit.spec, "hq") else world.zone_of(unit)


class Standing(Struct, frozen=True):
    """Where the sides have ground units, and where their zones of control reach that stop a line."""

    held: dict[str, bytes]
    zones: dict[str, bytes]


@kept
def _standing(world: EuropaWorld, facts: EuropaFacts) -> Standing:
    hexes, players = hexes_of(world), world.sequence.players
    held = {side: bytearray(hexes.grid.size) for side in players}
    zones = {side: bytearray(hexes.grid.size) for side in players}
    for index, name in _occupied(world, facts):
        for side, spreads in _upon(world, facts, name):
            held[side][index] = 1
            if spreads:
                row = zones[side]
                row[index] = 1
                for other in reached_by_a_zone(hexes, index):
                    row[other] = 1
    return Standing(_rows(held), _rows(zones))


@kept
def _occupied(world: EuropaWorld, facts: EuropaFacts) -> tuple[tuple[int, str], ...]:
    """The hexes of the map that somebody stands in: few orders change them."""
    found = ((world.hex_index(name), name) for name in facts.state.stacks)
    return tuple(sorted((index, name) for index, name in found if index is not None))


@kept
def _upon(world: EuropaWorld, facts: EuropaFacts, name: str) -> tuple[tuple[str, bool], ...]:
    """The sides that have ground units in a hex, and whether the zone of one of them stops lines."""
    found: dict[str, bool] = {}
    state, stops = facts.state, int(world.numbers["zone_stops_lines"])
    for unit in state.stack(name):
        side = world.side_now(state, unit.spec.nation)
        ground, rank = _on_the_ground(world, unit.spec, unit.step)
        if ground and side in world.sequence.players:
            if state.mark(unit_key(unit.id), "zoc") is not None:
                rank = world.zone_rank(zone_upon_the_map(world, facts, unit))
            found[side] = found.get(side, False) or rank >= stops
    return tuple(sorted(found.items()))


@fixed
def _on_the_ground(world: EuropaWorld, spec: UnitSpec, step: str) -> tuple[bool, int]:
    """Whether units of a kind are ground units, and how large their zone is."""
    unit = Unit("", spec, OUT_OF_PLAY, step)
    return is_ground(world, unit), world.zone_rank(zone_by_kind(world, unit))


class Ownership(Struct, frozen=True):
    """The hexes that each side owns, and those it took in play."""

    owned: dict[str, bytes]
    taken: dict[str, bytes]
    """Of a hex that merely was drawn as a side's own nobody has said who went through it."""
    ruling: str


@kept
def _ownership(world: EuropaWorld, facts: EuropaFacts) -> Ownership:
    """As the map was drawn, and what changed hands since or was said by the scenario."""
    state, hexes, players = facts.state, hexes_of(world), world.sequence.players
    owned = {side: _drawn(hexes, side) for side in players}
    taken = {side: bytearray(hexes.grid.size) for side in players}
    owners = {on: facts.declared(on, "owner") for on in state.marked.get("owner", ())}
    for on, owner in owners.items():
        index = world.hex_index(on.removeprefix(place_key("")))
        if index is not None:
            for side, row in owned.items():
                row[index] = side == owner
    ruling = world.ruling(state, TAKEN.key)
    for on in state.marked.get("taken_on", ()) if ruling == "stop-lines" else ():
        index, owner = world.hex_index(on.removeprefix(place_key(""))), owners.get(on)
        if index is not None and owner in taken:
            taken[str(owner)][index] = 1
    return Ownership(_rows(owned), _rows(taken), ruling)


def _rows(rows: dict[str, bytearray]) -> dict[str, bytes]:
    return {side: bytes(row) for side, row in rows.items()}


def _drawn(hexes: HexMap, side: str) -> bytearray:
    """The hexes a side owns on the map as it was drawn."""
    letters = {ord(letter) for letter, owner in hexes.drawing.owners.items() if owner == side}
    return bytearray(hexes.owners.translate(bytes(letter in letters for letter in range(256))))


class Positions:
    """The units and owners of one moment, by hex; each answer is a row of noughts and ones over the whole map."""

    def __init__(self, world: EuropaWorld, standing: Standing, ownership: Ownership) -> None:
        self.world, self.map = world, hexes_of(world)
        self.land = int.from_bytes(self.map.land, "little")
        self.held, self.zones = standing.held, standing.zones
        self.owned, self.taken, self.ruling = ownership.owned, ownership.taken, ownership.ruling

    def _sum(self, kind: dict[str, bytes], sides: tuple[str, ...]) -> int:
        found = 0
        for side in sides:
            found |= int.from_bytes(kind.get(side, b""), "little")
        return found

    def free(self, side: str) -> int:
        """The land hexes a line of a side may go through: no enemy in them, and none that an enemy zone reaches, that
        the enemy took or that lies in a country of his never entered, unless its own units cover it."""
        enemies, camp = enemies_of(self.world, side), camp_of(self.world, side)
        if not enemies:
            return self.land
        covered = self._sum(self.held, camp)
        stopped = self._sum(self.zones, enemies) | self._sum(self.taken, enemies) | self._abroad(camp, enemies)
        return self.land & ~self._sum(self.held, enemies) & (~stopped | covered)

    def at_ease(self, side: str) -> int:
        """Those of them that are not the enemy's, or that its own units cover: a line goes there as far as it likes."""
        if self.ruling != "stop-lines":
            return self.free(side)
        covered = self._sum(self.held, camp_of(self.world, side))
        return self.free(side) & (~self._sum(self.owned, enemies_of(self.world, side)) | covered)

    def _abroad(self, camp: tuple[str, ...], enemies: tuple[str, ...]) -> int:
        """The enemy's hexes in countries where a camp has no hex and no unit: a pocket at the border has no way out
        through the enemy's homeland, while a spearhead has one through hexes that nobody said it took."""
        if self.ruling != "stop-lines":
            return 0
        ours, theirs = self.owned_by(camp[0]) | self._sum(self.held, camp), self._sum(self.owned, enemies)
        found = 0
        for country in lands(self.world).values():
            if not country & ours:
                found |= country & theirs
        return found

    def owned_by(self, side: str) -> int:
        """The hexes a side or its allies own."""
        return self._sum(self.owned, camp_of(self.world, side))

    def row(self, hexes: int) -> Hexes:
        return hexes.to_bytes(self.map.grid.size, "little")


@fixed
def lands(world: EuropaWorld) -> dict[str, int]:
    """The hexes of each country that the map draws."""
    hexes = hexes_of(world)
    letters: dict[str, set[int]] = {}
    for letter, on_map in hexes.drawing.areas.items():
        around = (f"{kind}/{name.casefold()}" for kind, name in on_map.named())
        country = next((each for area in around if (each := world.country_of(area))), "")
        letters.setdefault(country, set()).add(ord(letter))
    letters.pop("", None)
    rows = {each: hexes.areas.translate(bytes(at in of for at in range(256))) for each, of in letters.items()}
    return {each: int.from_bytes(row, "little") for each, row in rows.items()}


def reached_by_a_zone(hexes: HexMap, index: int) -> tuple[int, ...]:
    """The land hexes next to one that a zone of control spreads into."""
    found = hexes.beside.get(index)
    if found is None:
        found = hexes.beside[index] = tuple(other for other in hexes.sides(index) if hexes.land[other])
    return found


def positions(world: EuropaWorld, facts: EuropaFacts) -> Positions:
    """The positions of this moment; who stands where and who owns what are worked out once each."""
    return Positions(world, _standing(world, facts), _ownership(world, facts))


@kept
def to_the_enemy(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> int:
    """The hexes from one to the nearest enemy ground unit; 0 where there is none."""
    grid = hexes_of(world).grid
    return min((grid.distance(index, other) for other in _held_by_the_enemy(world, facts, side)), default=0)


@kept
def _held_by_the_enemy(world: EuropaWorld, facts: EuropaFacts, side: str) -> tuple[int, ...]:
    held = positions(world, facts).held
    return tuple(index for each in enemies_of(world, side) for index, here in enumerate(held[each]) if here)


# ----------------------------------------------------------------------------- one hex and its neighbours


def side_at(world: EuropaWorld, facts: EuropaFacts, name: str) -> str:
    """Whose a hex is to whoever asks about it: the side whose ground units stand there, else its owner."""
    sides = {
        world.side_now(facts.state, unit.spec.nation) for unit in facts.state.stack(name) if is_ground(world, unit)
    }
    return sides.pop() if len(sides) == 1 else facts.owner(name)


def enemies_in(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> list[Unit]:
    """The enemy ground units in a hex."""
    enemies = enemies_of(world, side)
    return [
        unit
        for unit in facts.state.stack(hexes_of(world).called(index))
        if world.side_now(facts.state, unit.spec.nation) in enemies and is_ground(world, unit)
    ]


def zones_upon(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> list[tuple[str, Unit]]:
    """The zone of each enemy stack that reaches a hex, largest first, with the unit that exerts it."""
    found = []
    hexes = hexes_of(world)
    for other in (index, *reached_by_a_zone(hexes, index)):
        zones = [(zone_upon_the_map(world, facts, unit), unit) for unit in enemies_in(world, facts, other, side)]
        zones = [each for each in zones if world.zone_rank(each[0])]
        if zones:
            found.append(max(zones, key=lambda each: (world.zone_rank(each[0]), each[1].id)))
    return sorted(found, key=lambda each: (-world.zone_rank(each[0]), each[1].id))
