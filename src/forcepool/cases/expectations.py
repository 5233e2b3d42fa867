"""What a case may expect, and how what was found is put beside it."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from forcepool.cases.reading import Case
from forcepool.engine.agenda import agenda
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.command import command_name
from forcepool.engine.facts import unit_key
from forcepool.engine.options import Choice, options
from forcepool.engine.points import parse_points, show_amounts, show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import Refusal
from forcepool.engine.world import World, find_unit
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import Path
from forcepool.rulebook.book import UnknownClause, load

UNIT_WORDS = ("unit", "after", "at", "as", "strength", "arrives")
OPTION_WORDS = ("option", "after", "unit", "open", "closed_by", "cost", "arrives", "pay_from", "track", "reduced", "to")


class Table(Struct, frozen=True):
    """How things stand after a step."""

    campaign: Campaign
    outcome: Any
    state: State

    @property
    def world(self) -> World:
        return self.campaign.world


def check(case: Case, path: Path, tables: Sequence[Table]) -> Iterator[str]:
    """What one expectation finds wrong; nothing when it holds."""
    data: Any = case.document.data
    for key in path:
        data = data[key]
    try:
        yield from _check(data, tables)
    except (ValueError, UnknownClause) as error:
        raise BadFile([case.document.problem(path, str(error))]) from None


def _check(data: Any, tables: Sequence[Table]) -> Iterator[str]:
    if not isinstance(data, dict):
        raise ValueError("an expectation looks like {after: 1, refused_by: 52.A.9.d/2}")
    after = str(data.get("after", len(tables) - 1))
    if not after.isdigit() or int(after) >= len(tables):
        raise ValueError(f"'after' is a step's number: 0 (before any) to {len(tables) - 1}, not {after}")
    table = tables[int(after)]
    for word, function in EXPECTATIONS.items():
        if word in data:
            yield from function(data, table)
            return
    known = ", ".join(EXPECTATIONS)
    raise ValueError(f"nothing here to expect: {', '.join(map(str, data))}; an expectation has one of {known}")


def _only(data: dict[str, Any], *words: str) -> None:
    for word in data:
        if word not in words:
            raise ValueError(f"'{word}' does not belong here; words are {', '.join(words)}")


def _listed(value: Any) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


def _refused_by(data: dict[str, Any], table: Table) -> Iterator[str]:
    _only(data, "refused_by", "after")
    wanted = [load()[clause].id for clause in _listed(data["refused_by"])]
    outcome = table.outcome
    if isinstance(outcome, Refusal):
        if not set(wanted) & set(outcome.clauses):
            yield f"expected a refusal by {' or '.join(wanted)}, found a refusal by {', '.join(outcome.clauses)}"
    elif isinstance(outcome, str):
        yield f"expected a refusal by {' or '.join(wanted)}, found an error: {outcome}"
    else:
        yield f"expected a refusal by {' or '.join(wanted)}, found that it was accepted"


def _accepted(data: dict[str, Any], table: Table) -> Iterator[str]:
    _only(data, "accepted", "after", "cites")
    wanted = str(data["accepted"]).lower() in ("yes", "true", "on")
    outcome = table.outcome
    refused = isinstance(outcome, Refusal | str)
    if refused and wanted:
        found = outcome if isinstance(outcome, str) else "; ".join(f"{r.clause} {r}" for r in outcome.reasons)
        yield f"expected it to be accepted, found a refusal: {found}"
    elif not refused and not wanted:
        yield "expected a refusal, found that it was accepted"
    if "cites" in data and isinstance(outcome, Done):
        cited = {clause for event in outcome.entry.events for clause in event.because.split()} | set(
            outcome.entry.allowed
        )
        missing = [clause for clause in _listed(data["cites"]) if load()[clause].id not in cited]
        if missing:
            yield f"expected it to cite {', '.join(missing)}, found {', '.join(sorted(cited)) or 'no clause'}"


def _error(data: dict[str, Any], table: Table) -> Iterator[str]:
    _only(data, "error", "after")
    wanted = str(data["error"])
    if not isinstance(table.outcome, str):
        yield f"expected an error saying '{wanted}', found none"
    elif wanted.casefold() not in table.outcome.casefold():
        yield f"expected an error saying '{wanted}', found: {table.outcome}"


def _pool(data: dict[str, Any], table: Table) -> Iterator[str]:
    pool = table.world.pool_named(str(data["pool"]))
    for word, amounts in data.items():
        if word in ("pool", "after"):
            continue
        nation = table.world.nation_named(word)
        if not isinstance(amounts, dict):
            raise ValueError(f"expected amounts such as {word}: {{inf: 3 1/2}}")
        for kind, text in amounts.items():
            expected, found = parse_points(str(text)), table.state.balance(pool, nation, kind)
            if expected != found:
                yield f"expected {pool} to hold {show_points(expected)} {kind} of {nation}, found {show_points(found)}"


def _unit(data: dict[str, Any], table: Table) -> Iterator[str]:
    unit = find_unit(table.state, str(data["unit"]))
    world = table.world
    facts = world.facts(table.state)
    for word, expected in data.items():
        if word == "at":
            place = world.parse_place(str(expected))
            same = unit.place == place or (not place.due and (unit.place.kind, unit.place.of) == (place.kind, place.of))
            if not same:
                yield f"expected {unit.id} at {world.show_place(place)}, found it at {world.show_place(unit.place)}"
        elif word in ("as", "strength"):
            yield from _strength(unit, str(expected))
        elif word == "arrives":
            yield from _arrives(world, unit, str(expected))
        elif word not in UNIT_WORDS:
            fact = world.fact(word)
            if fact is None or "unit" not in fact.on:
                raise ValueError(f"'{word}' is nothing a unit has; words are {', '.join(UNIT_WORDS)} and the facts")
            value, found = fact.parse(expected), facts.value(unit_key(unit.id), word)
            if value != found:
                yield f"expected {word} of {unit.id} to be {value}, found {found}"


def _strength(unit: Unit, expected: str) -> Iterator[str]:
    if expected not in ("full", "cadre", "remnant"):
        raise ValueError(f"strength is full, cadre or remnant, not '{expected}'")
    if unit.step != expected:
        yield f"expected {unit.id} at {expected} strength, found {unit.step}"


def _arrives(world: World, unit: Unit, expected: str) -> Iterator[str]:
    turn = 0 if expected.lower() in ("no", "never") else world.calendar.parse(expected).turn
    if unit.place.due != turn:
        found = world.turn_name(unit.place.due) if unit.place.due else "that it is on no track"
        yield f"expected {unit.id} to arrive on {expected}, found {found}"


def _option(data: dict[str, Any], table: Table) -> Iterator[str]:
    """One of the choices `options` lists for a unit."""
    _only(data, *OPTION_WORDS)
    unit = find_unit(table.state, str(data.get("unit", "")))
    wanted = {key: str(data[key]) for key in ("pay_from", "track", "reduced", "to") if key in data}
    fitting = [
        each
        for each in options(table.world, table.state, unit)
        if command_name(each.command) == data["option"]
        and all(_same(each, key, value) for key, value in wanted.items())
    ]
    if "open" in data:
        yield from _openness(data, unit, fitting)
    if "closed_by" in data:
        clauses = {reason.clause for each in fitting for reason in each.reasons}
        missing = [clause for clause in _listed(data["closed_by"]) if load()[clause].id not in clauses]
        if missing:
            yield f"expected {data['option']} closed by {', '.join(missing)}, found {', '.join(sorted(clauses)) or 'no reason'}"
    if "cost" in data:
        expected = {kind: parse_points(str(text)) for kind, text in data["cost"].items()}
        costs: list[dict[str, Fraction]] = [dict(each.cost) for each in fitting if each.open]
        if expected not in costs:
            found = " or ".join(show_amounts(cost) for cost in costs) or "no open one"
            yield f"expected {data['option']} for {show_amounts(expected)}, found {found}"
    if "arrives" in data:
        turn = table.world.calendar.parse(str(data["arrives"])).turn
        if turn not in {each.arrives for each in fitting if each.open}:
            yield f"expected {data['option']} to arrive on {data['arrives']}"


def _openness(data: dict[str, Any], unit: Unit, fitting: list[Choice]) -> Iterator[str]:
    wanted = str(data["open"]).lower() in ("yes", "true", "on")
    found = any(each.open for each in fitting)
    if wanted and not found:
        reasons = "; ".join(f"{reason.clause} {reason}" for each in fitting for reason in each.reasons)
        yield f"expected {data['option']} to be open for {unit.id}, found it closed: {reasons or 'not offered'}"
    elif found and not wanted:
        yield f"expected {data['option']} to be closed for {unit.id}, found it open"


def _same(choice: Choice, field: str, value: str) -> bool:
    found = getattr(choice.command, field, "")
    if isinstance(found, bool):
        return found is (value.lower() in ("yes", "true", "on"))
    return str(found).casefold() == value.casefold()


def _todo(data: dict[str, Any], table: Table) -> Iterator[str]:
    _only(data, "todo", "after", "kind", "absent")
    items = agenda(table.world, table.state)
    if "kind" in data:
        items = [item for item in items if item.kind == data["kind"]]
    wanted = str(data["todo"])
    found = any(wanted.casefold() in item.text.casefold() for item in items)
    absent = str(data.get("absent", "no")).lower() in ("yes", "true")
    if found == absent:
        listed = "; ".join(item.text for item in items) or "nothing"
        yield f"expected {'no' if absent else 'an'} agenda item with '{wanted}', found {listed}"


def _clock(data: dict[str, Any], table: Table) -> Iterator[str]:
    _only(data, "now", "after")
    found = table.world.when(table.state)
    if str(data["now"]).casefold() not in found.casefold():
        yield f"expected it to be {data['now']}, found {found}"


EXPECTATIONS: dict[str, Callable[[dict[str, Any], Table], Iterator[str]]] = {
    "refused_by": _refused_by,
    "accepted": _accepted,
    "error": _error,
    "pool": _pool,
    "option": _option,
    "unit": _unit,
    "todo": _todo,
    "now": _clock,
}
