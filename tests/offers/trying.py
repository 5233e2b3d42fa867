"""Tried out rather than believed: what is accepted is offered, remedies help, ready orders are accepted."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from forcepool.engine import dice
from forcepool.engine.agenda import agenda
from forcepool.engine.calendar import Clock
from forcepool.engine.command import BadCommand, Command, command_name, describe
from forcepool.engine.decide import Decision, decide
from forcepool.engine.desk import Advance
from forcepool.engine.dice import RollNeeded
from forcepool.engine.events import Event, Rolled
from forcepool.engine.state import State, evolve
from forcepool.engine.verdicts import No, Refusal, Way
from forcepool.engine.world import World, find_unit
from forcepool.games.europa.point_words import amount_in, pieces_of

RECORDS = {
    "advance": "goes on to the next phase",
    "declare": "tells what happened on the map",
    "note": "is a remark",
    "house-rule": "is an agreement of the players",
    "lose": "tells what happened on the map",
    "disrupt": "tells what happened on the map",
    "disrupt-points": "tells what happened on the map",
    "take-hexes": "tells what happened on the map",
    "move-units": "tells what happened on the map",
    "move-operationally": "tells what happened on the map",
    "add-entries": "enters a printed order of battle",
    "receive-points": "enters points of a chart that the scenario lacks",
    "use-points": "tells what was used up on the map",
    "quote-reserves": "is a question",
    "set-up": "sets a unit up before play begins",
    "roll-border-bonus": "tells which border was crossed on the map, where the places of units do not tell it",
    "add-crossing-bonus": "tells which border was crossed on the map, where the places of units do not tell it",
    "reserve-after-conversion": "tells what was converted on the map",
}
"""What is no offer by nature, and why; the referee's tools besides."""

FURTHEST = 400
"""Phases that a remedy may ask one to wait."""
TURNS_AHEAD = 12
"""How far ahead a remedy is followed."""
SOME_ROLL = [dice.Roll(0, 1, True)] * 12


def is_a_record(order: Command) -> bool:
    return order.referee or command_name(order) in RECORDS


# --------------------------------------------------------------------------------------------- what is offered


def listed(world: World, state: State, order: Command) -> list[Command]:
    """The ways in which an order's command is offered: among its unit's options, its side's, and the ready orders."""
    cls, found = type(order), []
    unit = getattr(order, "unit", "")
    if isinstance(unit, str) and unit and cls.offers_something():
        with suppress(ValueError):
            found += list(cls.offers(world, state, find_unit(state, unit)))
    if cls.offers_a_side_something():
        sides = dict.fromkeys((*world.sequence.players, *sorted(set(world.sides.values()))))
        found += [each for side in sides for each in cls.offers_to_side(world, state, side)]
    ready = (item.command for item in agenda(world, state))
    return found + [each for each in ready if type(each) is cls]


def is_offered(world: World, state: State, order: Command, events: Sequence[Event]) -> bool:
    """Whether something offered has the effect of an order that was accepted, but for what is of free choice."""
    ways = listed(world, state, order)
    if order in ways:
        return True
    rolls = [dice.Roll(0, event.result, True) for event in events if isinstance(event, Rolled)]
    wanted = sorted(map(repr, events))
    if _changes_nothing(state, events):
        return True
    if any(_effects(world, state, way, rolls) == wanted for way in ways):
        return True
    if any(_effects(world, state, way, rolls) == wanted for way in _under_another_name(world, state, order)):
        return True
    alike = [way for way in ways if order.of_choice and _same_but_for_choice(world, order, way)]
    alike = [way for way in alike if isinstance(_judge(world, state, way, rolls), Decision)]
    return bool(alike) and all(
        _kinds(world, order, field) <= set().union(*(_kinds(world, way, field) for way in alike))
        for field in _amounts(order)
    )


def _changes_nothing(state: State, events: Sequence[Event]) -> bool:
    """Whether all is as before: nobody misses the offer of an order that does nothing."""
    after = state.copy()
    evolve(after, events)
    return bool(events) and (after.units, after.balances, after.marks) == (state.units, state.balances, state.marks)


def _under_another_name(world: World, state: State, order: Command) -> Iterator[Command]:
    """What else is offered for its unit, which may come to the same: a disrupted unit's return is a reinforcement."""
    unit = getattr(order, "unit", "")
    if isinstance(unit, str) and unit:
        with suppress(ValueError):
            found = find_unit(state, unit)
            for cls in world.game.commands:
                if cls is not type(order) and cls.offers_something():
                    yield from cls.offers(world, state, found)


def _same_but_for_choice(world: World, order: Command, way: Command) -> bool:
    """Whether two orders agree in all that is not of free choice, and leave the same of that out.

    A name that the order leaves out, for the rules to fill in, agrees with any.
    """
    fields = [field for field in order.__struct_fields__ if field not in order.of_choice]
    return all(
        getattr(order, field) == "" or _plain(world, field, order) == _plain(world, field, way) for field in fields
    ) and all(bool(getattr(order, field)) == bool(getattr(way, field)) for field in _amounts(order))


def _amounts(order: Command) -> list[str]:
    """The fields of free choice that are amounts; the others are places, pools, or words of one's own."""
    return [field for field in order.of_choice if field not in ("into", "at", "to", "front", "note")]


def _kinds(world: World, order: Command, field: str) -> set[str]:
    """Which points an amount is of: '4 inf, 1/2 arm of Britain for inf' is inf, and arm of Britain."""
    value = getattr(order, field)
    if not isinstance(value, str):
        return set()
    said = [piece.partition(" for ")[0].partition(" of ") for piece in pieces_of(value) if piece.strip()]
    kinds = [(_kind(world, what), of) for what, _, of in said]
    return {f"{kind} {world.nation_named(of) if of else ''}" for kind, of in kinds if kind[0].isalpha()}


def _kind(world: World, amount: str) -> str:
    """The kind of point of an amount; a number alone is of none."""
    with suppress(BadCommand):
        return amount_in(amount, getattr(world, "kinds_of_point", ()))[1]
    return amount.split()[-1]


def _plain(world: World, field: str, order: Command) -> Any:
    value = getattr(order, field)
    if not isinstance(value, str) or not value:
        return value
    for name in (world.pool_named, world.nation_named):
        try:
            return name(value).casefold()
        except ValueError:
            continue
    return value.casefold()


def _effects(world: World, state: State, order: Command, rolls: Sequence[dice.Roll]) -> list[str]:
    """What an order does, in whatever order it does it."""
    outcome = _judge(world, state, order, rolls)
    return sorted(map(repr, outcome.events)) if isinstance(outcome, Decision) else []


def _judge(world: World, state: State, order: Command, rolls: Sequence[dice.Roll] = ()) -> Decision | Refusal | str:
    """What comes of an order, or in words why nothing does; a die still to be rolled stands in no order's way."""
    try:
        return decide(world, state, order, dice=rolls)
    except BadCommand as error:
        return str(error)
    except RollNeeded:
        return Decision(order, [])


# ----------------------------------------------------------------------------------------------- ready orders


def refused_ready_orders(world: World, state: State) -> Iterator[tuple[Command, str]]:
    """The ready orders of the checklist that would not be accepted now, with the reason."""
    for item in agenda(world, state):
        if item.command is None:
            continue
        outcome = _judge(world, state, item.command)
        if isinstance(outcome, Refusal):
            yield item.command, "; ".join(f"{each.clause} {each}" for each in outcome.reasons)
        elif isinstance(outcome, str):
            yield item.command, outcome


# --------------------------------------------------------------------------------------------------- remedies


class Later:
    """A campaign in which nobody does anything: played on once, however many remedies ask to wait."""

    def __init__(self, world: World, state: State) -> None:
        self.world, self.now = world, state
        self._played = [state]

    def at(self, until: Clock | None) -> State:
        """How it stands at a moment to come."""
        while until is not None and self._played[-1].clock < until and len(self._played) < FURTHEST:
            following = self._played[-1].copy()
            _play_on(self.world, following)
            self._played.append(following)
        return next((each for each in self._played if until is None or each.clock >= until), self._played[-1]).copy()


def is_untrue(world: World, later: Later, order: Command, reason: No) -> str:
    """What is wrong with the ways a remedy names; empty when each helps, or when it names none."""
    return "; ".join(filter(None, (_fails(world, later, order, reason, way) for way in reason.ways)))


def _fails(world: World, later: Later, order: Command, reason: No, way: Way) -> str:
    far = later.now.clock.turn + TURNS_AHEAD
    if any(until is not None and until.turn > far for until in (way.after, way.until)):
        return ""  # A date that is years away is printed in the rules; nobody plays there to see.
    state = later.at(way.after if way.first else way.until or way.after)
    for step in way.first:
        outcome = _judge(world, state, step, SOME_ROLL)
        if not isinstance(outcome, Decision):
            return f"{describe(step)} is refused: {_why(outcome)}"
        evolve(state, outcome.events)
    if way.first:
        _wait(world, state, way.until)
    then = way.instead or order
    outcome = _judge(world, state, then, SOME_ROLL)
    if isinstance(outcome, str):
        return f"{describe(then)}: {outcome}"
    # Another reason under the same clause is none that the remedy spoke of.
    if isinstance(outcome, Refusal) and any(
        _without_numbers(each) == _without_numbers(reason) for each in outcome.reasons
    ):
        return f"{describe(then)} is still refused: {_why(outcome)}"
    return ""


def _wait(world: World, state: State, until: Clock | None) -> None:
    for _ in range(FURTHEST):
        if until is None or state.clock >= until:
            return
        _play_on(world, state)


def _play_on(world: World, state: State) -> None:
    """To the next phase. Duties do not stop the clock here: whoever waits has done what was due by then."""
    played_on = decide(world, state, Advance(), dice=SOME_ROLL, override="played on")
    assert isinstance(played_on, Decision)
    evolve(state, played_on.events)


def _without_numbers(reason: No) -> tuple[str, str]:
    return reason.clause, re.sub(r"[0-9½⅓⅔¼¾⅛⅜⅝⅞/ ]+", " ", reason.says)


def _why(outcome: Refusal | str) -> str:
    return outcome if isinstance(outcome, str) else "; ".join(f"{each.clause} {each}" for each in outcome.reasons)
