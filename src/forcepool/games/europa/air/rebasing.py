"""28.G.1  Air units that fly to another airbase, in whichever of their player's commands."""

from collections.abc import Iterator

from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Moved
from forcepool.engine.given import Spot, UnitName
from forcepool.engine.places import HEX, at_hex
from forcepool.engine.sentence import the_place, the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa import homes
from forcepool.games.europa.air.question import Air, can_take, is_air, is_an_air_unit, why_not
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.reserves.depots import nearest_first
from forcepool.games.europa.world import EuropaWorld


class Rebasing(Air):
    """An air unit on its way to an airbase of another command."""

    command: "RebaseAir"

    @lazy
    def hex(self) -> str:
        return self.world.hex_name(self.command.at)


@rule("28.G.1/2")
def is_based_on_the_map(q: Rebasing) -> Verdict:
    """Only a unit on the map flies to another airbase; from a box or a track it comes by its own rule."""
    if q.unit.place.kind == HEX:
        return YES
    return no(f"{q.unit} is {q.world.where(q.unit.place)}", remedy="repair, replace or place it first")


@rule("28.G.1/2")
def both_commands_are_his(q: Rebasing) -> Verdict:
    """A player uses the forces of the commands he controls as he wishes, and no others."""
    for area in (q.area, q.world.spot(q.hex).area):
        if homes.controller(q.world, q.facts, area) not in ("", q.side):
            return no(
                f"{q.side} does not control {the_pool(area)}", remedy="choose an airbase of a command you control"
            )
    if q.hex == q.unit.place.of or can_take(q.facts, q.side, q.nation, q.hex):
        return YES
    room = [each for each in q.facts.places_where("airbase", True) if can_take(q.facts, q.side, q.nation, each)]
    near = nearest_first(q.world, q.world.hex_index(q.hex), room) or room
    return no(why_not(q.facts, q.side, q.nation, q.hex), remedy=f"choose {the_place(near[0])}" if near else "")


class RebaseAir(Command, tag="rebase-air", frozen=True):
    """Record that an air unit has gone to another airbase, in whichever of its player's commands."""

    unit: UnitName
    at: Spot

    question = Rebasing
    needs = (is_an_air_unit, is_based_on_the_map)
    requires = (both_commands_are_his,)

    def effects(self, q: Rebasing) -> Iterator[Event]:
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=at_hex(q.hex), because="28.G.1/2")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind != HEX or not is_air(world, unit):
            return
        facts, side = world.facts(state), world.side_now(state, unit.spec.nation)
        for base in facts.places_where("airbase", True):
            if base != unit.place.of and can_take(facts, side, unit.spec.nation, base):
                yield cls(unit=unit.id, at=base)


CHAPTER = Chapter(heading="28.G", commands=(RebaseAir,))
