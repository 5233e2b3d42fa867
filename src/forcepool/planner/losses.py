"""Losses on the way: drawn as in the last turns, or so many units a month. Chance decides which units they are.

The dice are a run's own, from a seed that is not the campaign's.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any, Protocol

from msgspec import Struct

from forcepool.engine.branch import Branch
from forcepool.engine.calendar import Clock
from forcepool.engine.command import BadCommand, Command, command_name
from forcepool.engine.decide import Decision
from forcepool.engine.events import Became
from forcepool.engine.journal import Entry
from forcepool.engine.points import parse_points, show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.world import World
from forcepool.planner.quiet import Step

TRIES = 5
"""Units for which a loss is tried before it is let go."""
MOST_TURNS, MOST_LOSSES = 500, 500
"""Turns that one goes by, and units a month that are drawn."""


class NoLosses(Exception):
    """Losses cannot be drawn so; the sentence says why."""


class Loss(Struct, frozen=True):
    """A loss to come: whose, when in the turn, and which it is to be like."""

    side: str
    player: int
    phase: int
    like: Command | None = None
    unit: Unit | None = None
    """As it was when the one it is like was lost."""


class Pattern(Protocol):
    """How losses come."""

    def draw(self, random: Random) -> list[tuple[Loss, ...]]:
        """The losses of the next turn, or of the next few turns where they are drawn together."""
        ...


class AsInTheLast(Struct, frozen=True):
    """Every turn is like one of the last, whichever chance takes."""

    turns: tuple[tuple[Loss, ...], ...]

    def draw(self, random: Random) -> list[tuple[Loss, ...]]:
        return [random.choice(self.turns)]


class AtARate(Struct, frozen=True):
    """So many units of a side are lost in a month, spread over its turns by chance."""

    rates: Mapping[str, Fraction]
    turns_a_month: int
    moments: tuple[tuple[int, int], ...]
    """Player and phase in which losses may fall."""

    def draw(self, random: Random) -> list[tuple[Loss, ...]]:
        month: list[list[Loss]] = [[] for _ in range(self.turns_a_month)]
        for side, rate in sorted(self.rates.items()):
            rest = rate - int(rate)
            count = int(rate) + (random.randrange(rest.denominator) < rest.numerator)
            for _ in range(count):
                random.choice(month).append(Loss(side, *random.choice(self.moments)))
        return [tuple(each) for each in month]


# ------------------------------------------------------------------------------------------------- the patterns


def as_in_the_last(
    world: World, state: State, entries: Iterable[Entry], turns: int, only: Collection[str] = ()
) -> AsInTheLast:
    """The losses of the last turns that were played to their end, as the journal has them; of all sides, or of some."""
    lost, now = _command(world), int(state.clock.turn)
    found: dict[int, list[Loss]] = {}
    for entry in entries:
        turn = int(entry.at.turn)
        if not now - turns <= turn < now:
            continue
        listed = found.setdefault(turn, [])
        command = world.read_command(bytes(entry.do)) if bytes(entry.do) != b"null" else None
        loss = _loss(world, state, command, entry) if isinstance(command, lost) else None
        if loss is not None and (not only or loss.side in only):
            listed.append(loss)
    if not found:
        raise NoLosses("no turn has been played to its end yet, so there are none to go by; give a rate instead")
    return AsInTheLast(tuple(tuple(found[turn]) for turn in sorted(found)))


def _loss(world: World, state: State, command: Command, entry: Entry) -> Loss | None:
    unit = state.units.get(state.ids.get(_unit_of(command).casefold(), ""))
    if unit is None:
        return None
    was = next((each.was for each in entry.events if isinstance(each, Became) and each.unit == unit.id), unit.step)
    side = world.side_now(state, unit.spec.nation)
    return Loss(side, entry.at.player, entry.at.phase, command, Unit(unit.id, unit.spec, unit.place, was))


def at_a_rate(world: World, rates: Mapping[str, Fraction]) -> AtARate:
    """So many units a month, by side."""
    habit = world.game.habits.get(command_name(_command(world)))
    sequence = world.sequence
    every = [
        (player, at, phase)
        for player in range(len(sequence.players))
        for at, phase in enumerate(sequence.phases_of(player))
    ]
    # Where it is known in which phases units are lost, they are lost in those.
    usual = [(player, at) for player, at, phase in every if habit is not None and phase in habit.phases]
    moments = usual or [(player, at) for player, at, _ in every]
    return AtARate(dict(rates), world.calendar.turns_per_month, tuple(moments))


def wanted(
    world: World, state: State, words: Iterable[str], entries: Callable[[], Iterable[Entry]], only: Collection[str] = ()
) -> tuple[Pattern, str]:
    """Losses as someone asks for them, 'last:4' or 'Axis=6 Soviet=5/2', and the same in a sentence.

    `entries` are those of the journal that count; with `only`, as those sides know it.
    """
    asked = list(words)
    if len(asked) == 1 and (turns := asked[0].casefold().removeprefix("last:")) != asked[0].casefold():
        if not (turns.isascii() and turns.isdecimal() and 0 < int(turns[:4]) <= MOST_TURNS):
            raise NoLosses(f"'{asked[0]}' is not understood; write last:4 for losses as in the last 4 turns")
        pattern = as_in_the_last(world, state, entries(), int(turns), only)
        return pattern, f"as in the last {'turn' if int(turns) == 1 else f'{int(turns)} turns'}"
    rates = dict(_rate(world, each, only) for each in asked)
    told = ", ".join(f"{show_points(rate)} of {side}" for side, rate in sorted(rates.items()))
    return at_a_rate(world, rates), f"units eliminated in a month: {told}"


def _rate(world: World, text: str, only: Collection[str]) -> tuple[str, Fraction]:
    name, _, rate = text.partition("=")
    sides = [side for side in world.sequence.players if not only or side in only]
    side = next((each for each in sides if each.casefold() == name.strip().casefold()), "")
    try:
        points = parse_points(rate) if side else None
    except ValueError:
        points = None
    if points is None or not 0 <= points <= MOST_LOSSES:
        example = f"{sides[0] if sides else 'SIDE'}=6"
        raise NoLosses(f"'{text}' is not understood; write last:4, or {example} for six units a month")
    return side, points


def _command(world: World) -> type[Command]:
    found = world.game.loses
    if found is None:
        raise NoLosses(f"{world.game.title} does not say by which order a unit is lost")
    return found


# --------------------------------------------------------------------------------------------------- on the way


class Attrition:
    """Takes the losses of one run."""

    def __init__(
        self, branch: Branch, pattern: Pattern, random: Random, coming: Iterable[tuple[Loss, ...]] = ()
    ) -> None:
        self.branch, self._pattern, self._random = branch, pattern, random
        self.coming = list(coming)
        """What was drawn for turns that have not begun."""
        self._turn, self._waiting = -1, list[Loss]()
        self._first = branch.state.clock

    def strike(self) -> Iterator[Step]:
        """The losses of the phase that is on; each must be asked for once, before anything is done in it."""
        now = self.branch.state.clock
        if now.turn != self._turn:
            self.coming = self.coming or self._pattern.draw(self._random)
            self._turn, self._waiting = int(now.turn), list(self.coming.pop(0))
            if now == self._first:
                # What lies behind in the turn that is on was lost, or was not.
                self._waiting = [each for each in self._waiting if (each.player, each.phase) >= (now.player, now.phase)]
        struck = [each for each in self._waiting if (each.player, each.phase) <= (now.player, now.phase)]
        self._waiting = [each for each in self._waiting if each not in struck]
        for loss in struck:
            yield from self._taken(loss, now)

    def _taken(self, loss: Loss, now: Clock) -> Iterator[Step]:
        for unit in self._chosen(loss):
            command = self._command_for(unit, loss)
            if command is None:
                continue
            try:
                decision = self.branch.judge(command)
            except BadCommand:
                continue
            if isinstance(decision, Decision):
                self.branch.carry_out(decision)
                yield Step(now, command, decision.events)
                return

    def _chosen(self, loss: Loss) -> list[Unit]:
        """Units that chance takes: first such as the one it is like, then any of its nation, then of the side."""
        world, state = self.branch.world, self.branch.state
        units = [
            unit
            for unit in state.units_in_order()
            if unit.place.on_map and world.side_now(state, unit.spec.nation) == loss.side
        ]
        self._random.shuffle(units)
        was = loss.unit
        if was is None:
            # A factory or a work is a counter too, and is not lost in battle as units are.
            units = [each for each in units if each.spec.full.attack]
        else:
            units.sort(key=lambda each: -_likeness(each, was))
        return units[:TRIES]

    def _command_for(self, unit: Unit, loss: Loss) -> Command | None:
        kind = self.branch.world.game.loses
        offers = list(kind.offers(self.branch.world, self.branch.state, unit)) if kind else []
        if not offers or loss.like is None:
            return offers[0] if offers else None
        return max(offers, key=lambda each: _alike(each, loss.like))


def _likeness(unit: Unit, other: Unit) -> int:
    one, two = unit.spec, other.spec
    same_nation = one.nation == two.nation
    return 4 * same_nation + 2 * ((one.type, one.size) == (two.type, two.size)) + (unit.step == other.step)


def _alike(command: Any, other: Any) -> int:
    """In how many of its fields one order is like another; the first of those offered where they are as like."""
    return sum(getattr(command, name) == getattr(other, name) for name in command.__struct_fields__ if name != "unit")


def _unit_of(command: Command) -> str:
    return str(getattr(command, "unit", ""))
