"""Units that have gone to another hex: whole stacks at a time, as they moved on the table."""

from collections.abc import Iterator
from typing import Any

from forcepool.engine.command import BadCommand, Command, Question, carried_out, lazy
from forcepool.engine.desk import Declare, Declaring
from forcepool.engine.events import Event, Moved
from forcepool.engine.given import Spot, UnitList
from forcepool.engine.places import HEX, Place
from forcepool.engine.sentence import the_field
from forcepool.engine.state import Unit
from forcepool.engine.verdicts import Rule, Verdict
from forcepool.engine.world import find_unit
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.world import EuropaWorld


class Going(Question):
    """Ground units of one side, and the hex they go to."""

    world: EuropaWorld
    command: "MoveUnits"

    @lazy
    def to(self) -> Place:
        place = self.world.parse_place(self.command.to)
        if place.kind != HEX:
            raise BadCommand(f"'{self.command.to}' is no hex; units come to boxes by the commands of the rules")
        return place

    @lazy
    def units(self) -> list[Unit]:
        """Those that are not there yet."""
        named = [find_unit(self.state, each) for each in self.command.units]
        for unit in named:
            if unit.place.kind != HEX:
                raise BadCommand(f"{unit} is not on the map but {self.world.where(unit.place)}; place it first")
            if self.world.has_role(unit.spec, "air"):
                raise BadCommand(f"{unit} is an air unit; use rebase-air")
        if len({self.world.side_now(self.state, unit.spec.nation) for unit in named}) > 1:
            raise BadCommand("these units are of several sides; move each side's by itself")
        going = [unit for unit in {each.id: each for each in named}.values() if unit.place != self.to]
        if not going:
            raise BadCommand(
                f"say which units go to {self.to.of} with {the_field('units')}; all of these are there already"
            )
        return going

    @lazy
    def mover(self) -> str:
        return self.world.side_now(self.state, self.units[0].spec.nation)

    @lazy
    def said(self) -> list[tuple[Declare, Declaring]]:
        """In its owner's player-turn a unit that goes has moved; a retreat in the enemy's is no movement of its own."""
        if not self.world.has_the_turn(self.state, self.mover):
            return []
        orders = [Declare(fact="moved", unit=unit.id, value=True) for unit in self.units]
        return [(order, Declaring(self.world, self.state, order, self.seat)) for order in orders]


class _AskedOf:
    """A rule of one unit's movement, asked while several move."""

    def __init__(self, asked: Rule[Any], question: Declaring) -> None:
        self.asked, self.question = asked, question
        self.clauses, self.__name__ = asked.clauses, asked.__name__

    def __call__(self, q: Going, /) -> Verdict:
        return self.asked(self.question)


class MoveUnits(Command, tag="move-units", frozen=True):
    """Record that ground units have gone to another hex, by movement, advance or retreat."""

    units: UnitList
    to: Spot
    """The hex or place they stand in now."""

    question = Going

    def side(self, q: Going) -> str:
        return q.mover

    def guards(self, q: Going) -> tuple[Rule[Any], ...]:
        """What forbids each of them to move: one that was rebuilt, or is in reserve."""
        return tuple(_AskedOf(each, asks) for order, asks in q.said for each in order.guards(asks))

    def effects(self, q: Going) -> Iterator[Event]:
        for unit in q.units:
            yield Moved(unit=unit.id, frm=unit.place, to=q.to)
        for order, asks in q.said:
            yield from carried_out(order, asks)


CHAPTER = Chapter(heading="map", commands=(MoveUnits,))
