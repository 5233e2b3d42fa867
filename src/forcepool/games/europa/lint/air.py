"""The air: bases that hold more than they can, and lines of the Air OB that no unit will ever answer to."""

from collections import Counter
from collections.abc import Iterator

from forcepool.engine.lint import Finding
from forcepool.engine.state import State
from forcepool.files.yamltext import Document
from forcepool.games.europa.air.orders import (
    ARRIVE,
    CONVERT,
    TRANSFER,
    WITHDRAW,
    Listed,
    counter,
    ends_controlled,
    lines,
    standing,
    theatre,
)
from forcepool.games.europa.air.question import air_units, area_of, capacity
from forcepool.games.europa.given import OB
from forcepool.games.europa.lint.mentions import entries
from forcepool.games.europa.reinforcements.by_the_air_ob import is_for_rule_28
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.aircraft import AIR, codes_of

BY_TEXT = {"withdraw": "28.F/1", "transfer": "28.G/1", "convert": "28.E/1"}
"""The clauses of what an air unit does by the Air OB alone."""


def bases_over_capacity(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """More air units at a base than it has capacity for, or at a place that is no base."""
    facts = world.facts(state)
    at = Counter(unit.place.of for unit in air_units(world, state) if unit.place.on_map)
    for name, units in sorted(at.items()):
        holds = capacity(facts, name) if facts.place_is(name, "airbase") else 0
        if units > holds:
            what = f"an airbase of capacity {holds}" if holds else "no airbase"
            counted = "1 air unit is" if units == 1 else f"{units} air units are"
            text = f"{counted} at {name}, which is {what}"
            yield Finding(("places", name), text, "base some elsewhere, or give it its airbase_capacity")


def leaves_as_ground_troops_do(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Air units in lines that rule 28 cannot carry out: those stay with rule 51 and cost RPs."""
    for entry in entries(world):
        clause = BY_TEXT.get(entry.verb, "")
        for item in entry.items if clause else ():
            if item.spec and world.has_role(item.spec, AIR) and not is_for_rule_28(world, entry, item):
                text = f"{entry.verb}: {item.spec} is an air unit, and here it would leave as ground troops do"
                yield Finding((OB,), text, f"list it under air_ob, with does: {entry.verb}", clause, entry.line)


class Sky:
    """The air units of a campaign and their theatres, followed through the lines of the Air OB."""

    def __init__(self, world: EuropaWorld, state: State) -> None:
        self.world = world
        self.units = [
            (unit.spec, world.theatre_of(area_of(world, world.facts(state), unit)))
            for unit in air_units(world, state)
            if standing(world, state, unit)
        ]

    def bring(self, line: Listed, where: str) -> None:
        self.units += [(counter(line), theatre(self.world, where))] * line.order.count

    def take(self, line: Listed) -> int:
        """Take the units that answer to a line, and say how many are lacking."""
        order, where = line.order, theatre(self.world, line.order.theatre)
        meant = [
            (spec, at)
            for spec, at in self.units
            if spec.nation == line.nation
            and order.model in ("", spec.designation)
            and order.type in ("", spec.type)
            and all(letter in codes_of(spec) for letter in order.code)
            and at in ("", where)
        ]
        for each in meant[: order.count]:
            self.units.remove(each)
        return max(0, order.count - len(meant))


def lines_nobody_answers_to(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Withdrawals, conversions and transfers of units that are not in their theatre by then."""
    sky = Sky(world, state)
    for line in sorted(lines(world), key=lambda each: (each.turn, each.number)):
        order = line.order
        if line.turn < state.clock.turn:
            continue
        if order.does == TRANSFER:
            yield from _transferred(world, state, sky, line)
        elif order.does == ARRIVE:
            sky.bring(line, order.theatre)
        elif order.does in (WITHDRAW, CONVERT):
            yield from _lacking(line, sky.take(line))
            if order.does == CONVERT:
                sky.bring(line, order.theatre)


def _transferred(world: EuropaWorld, state: State, sky: Sky, line: Listed) -> Iterator[Finding]:
    sends, receives = ends_controlled(world, state, line)
    if sends == receives:
        why = "both ends are its player's" if sends else "neither end is its player's"
        text = f"transfer of {line.order.turn}: {why}, so that it is always ignored"
        yield Finding(_path(line), text, "take the line out, or name a theatre that is not played", "28.G/1")
    elif sends:
        yield from _lacking(line, sky.take(line))
    else:
        sky.bring(line, line.order.to)


def _lacking(line: Listed, missing: int) -> Iterator[Finding]:
    if missing:
        order = line.order
        what = order.model or order.type or order.code or "air units"
        text = f"{order.does} {order.count}x {what}, {order.turn}: {missing} will not be in {order.theatre} by then"
        yield Finding(_path(line), text, "check the model, the theatre and the turn", "28.F/1")


def _path(line: Listed) -> tuple[str, str, int]:
    return ("charts", "air_ob", line.number)


LINT = (bases_over_capacity, leaves_as_ground_troops_do, lines_nobody_answers_to)
