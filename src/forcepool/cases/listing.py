"""Expectations about lists: the options of a unit or a side, and the checklist."""

from collections.abc import Iterator
from typing import Any

from forcepool.cases.words import BadExpectation, listed, only, something, yes_or_no
from forcepool.engine.agenda import ORDER, agenda
from forcepool.engine.command import Command, command_name, describe
from forcepool.engine.options import Choice, options, options_of_side
from forcepool.engine.points import parse_points, show_amounts
from forcepool.engine.state import State
from forcepool.engine.world import World, find_unit
from forcepool.rulebook.book import load

ANSWERS = ("open", "closed_by", "cost", "arrives", "absent")


def option(data: dict[str, Any], world: World, state: State) -> Iterator[str]:
    """One of the choices that are listed for a unit or a side: open with its price, or closed with the clause."""
    name = something(data, "option")
    commands = {command_name(each): each for each in world.game.commands}
    if name not in commands:
        raise BadExpectation(f"there is no command '{name}'; commands are {', '.join(sorted(commands))}", "option")
    ways = [field for field in commands[name].__struct_fields__ if field != "unit"]
    only(data, "option", "after", "unit", "as", *ANSWERS, *ways)
    if not data.keys() & set(ANSWERS):
        raise BadExpectation(f"say what is expected of the option: {', '.join(ANSWERS)}", "option")
    wanted = {field: _wanted(data, field) for field in ways if field in data}
    whose, choices = _choices(data, commands[name], world, state)
    fitting = [each for each in choices if all(_same(each, field, value) for field, value in wanted.items())]
    yield from _answers(data, world, whose, fitting)


def _choices(data: dict[str, Any], command: type[Command], world: World, state: State) -> tuple[str, list[Choice]]:
    """The choices of a command listed for a unit, or for the side that is named or has the turn."""
    name = command_name(command)
    if "unit" in data or not command.offers_a_side_something():
        unit = find_unit(state, something(data, "unit"))
        return unit.id, [each for each in options(world, state, unit) if command_name(each.command) == name]
    side = something(data, "as") if "as" in data else world.phasing(state)
    if side not in world.sides.values():
        raise BadExpectation(f"there is no side '{side}'; it is {', '.join(sorted(set(world.sides.values())))}", "as")
    return side, options_of_side(world, state, side, (name,))


def _answers(data: dict[str, Any], world: World, whose: str, fitting: list[Choice]) -> Iterator[str]:
    if "absent" in data and yes_or_no(data, "absent") is bool(fitting):
        listed_or_not = "listed" if fitting else "not listed"
        yield f"expected {data['option']} {'not ' if fitting else ''}to be listed for {whose}, found it {listed_or_not}"
    if "open" in data:
        yield from _openness(data, whose, fitting)
    if "closed_by" in data:
        clauses = {clause for each in fitting for reason in each.reasons for clause in reason.clauses}
        missing = [clause for clause in listed(data, "closed_by") if load()[clause].id not in clauses]
        if missing:
            found = ", ".join(sorted(clauses)) or "no reason"
            yield f"expected {data['option']} closed by {', '.join(missing)}, found {found}"
    if "cost" in data:
        yield from _cost(data, world, fitting)
    if "arrives" in data:
        turn = world.calendar.parse(something(data, "arrives")).turn
        turns = sorted({each.arrives for each in fitting if each.open})
        if turn not in turns:
            found = " or ".join(world.turn_name(each) if each else "no arrival" for each in turns) or "no open one"
            yield f"expected {data['option']} to arrive on {data['arrives']}, found {found}"


def _openness(data: dict[str, Any], whose: str, fitting: list[Choice]) -> Iterator[str]:
    wanted, found = yes_or_no(data, "open"), any(each.open for each in fitting)
    if wanted and not found:
        reasons = "; ".join(f"{reason.clause} {reason}" for each in fitting for reason in each.reasons)
        yield f"expected {data['option']} to be open for {whose}, found it closed: {reasons or 'not offered'}"
    elif found and not wanted:
        yield f"expected {data['option']} to be closed for {whose}, found it open"
    elif not fitting and not wanted:
        # What is not even listed has no reason to show: that is another thing to expect.
        yield f"expected {data['option']} to be closed for {whose}, found it not listed; expect absent: yes"


def _cost(data: dict[str, Any], world: World, fitting: list[Choice]) -> Iterator[str]:
    if not isinstance(data["cost"], dict):
        raise BadExpectation("a cost is amounts by kind, such as {inf: 3 1/2}", "cost")
    expected = {world.kind_named(kind): parse_points(str(text)) for kind, text in data["cost"].items()}
    costs = [dict(each.cost) for each in fitting if each.open]
    if expected not in costs:
        found = " or ".join(dict.fromkeys(show_amounts(cost) for cost in costs)) or "no open one"
        yield f"expected {data['option']} for {show_amounts(expected)}, found {found}"


def _wanted(data: dict[str, Any], field: str) -> Any:
    """What a field of the option is to hold: words, a yes or no, or several words in [ ]."""
    return data[field] if isinstance(data[field], bool | list) else something(data, field)


def _same(choice: Choice, field: str, value: Any) -> bool:
    found = getattr(choice.command, field)
    if isinstance(found, bool):
        return found is yes_or_no({field: value}, field)
    if isinstance(found, list):
        names = value if isinstance(value, list) else [value]
        return sorted(map(str.casefold, found)) == sorted(str(name).casefold() for name in names)
    return str(found).casefold() == str(value).casefold()


def todo(data: dict[str, Any], world: World, state: State) -> Iterator[str]:
    """A line of the checklist that has these words in it."""
    only(data, "todo", "after", "kind", "absent", "order")
    wanted, items = something(data, "todo"), agenda(world, state)
    if "kind" in data:
        if data["kind"] not in ORDER:
            raise BadExpectation(f"the kinds of line are {', '.join(ORDER)}, not '{data['kind']}'", "kind")
        items = [item for item in items if item.kind == data["kind"]]
    if "order" in data:
        order = something(data, "order").casefold()
        items = [item for item in items if item.command is not None and order in describe(item.command).casefold()]
    found = any(wanted.casefold() in item.text.casefold() for item in items)
    absent = "absent" in data and yes_or_no(data, "absent")
    if found == absent:
        lines = "; ".join(item.text for item in items) or "nothing"
        yield f"expected {'no' if absent else 'an'} agenda item with '{wanted}', found {lines}"


def shown(data: dict[str, Any], world: World, state: State) -> Iterator[str]:
    """What stands on a unit while it is so: a line with these words, or none."""
    only(data, "shown", "after", "unit", "absent")
    unit, wanted = find_unit(state, something(data, "unit")), something(data, "shown")
    lines = [effect.text for shows in world.game.shows for effect in shows(world, state, unit)]
    found = any(wanted.casefold() in line.casefold() for line in lines)
    absent = "absent" in data and yes_or_no(data, "absent")
    if found == absent:
        shown = "; ".join(lines) or "nothing"
        yield f"expected {'nothing' if absent else 'a line'} with '{wanted}' on {unit.id}, found {shown}"
