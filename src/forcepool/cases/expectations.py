"""What a case may expect, and how what was found is put beside it."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from forcepool.cases.listing import option, shown, todo
from forcepool.cases.reading import Case
from forcepool.cases.words import BadExpectation, listed, only, something, yes_or_no
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.command import BadCommand
from forcepool.engine.events import Noted
from forcepool.engine.facts import TURN, Fact, subject_key
from forcepool.engine.points import parse_points, show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.units import STEPS
from forcepool.engine.verdicts import No, Refusal
from forcepool.engine.world import World, find_unit, the
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import Path
from forcepool.rulebook.book import UnknownClause, load

NEVER = "never"

UNIT_WORDS = ("unit", "after", "at", "as", "strength", "arrives", "attack", "defence", "nation", "type", "size")

SPEAKS_OF_THE_OUTCOME = frozenset(("refused_by", "accepted", "error"))
"""The words that say whether a step goes through."""


class Table(Struct, frozen=True):
    """How things stand after a step."""

    campaign: Campaign
    outcome: Any
    state: State
    given: bool
    """Whether the step gave a command, so that there is an outcome to speak of."""

    @property
    def world(self) -> World:
        return self.campaign.world


def after(data: dict[str, Any], last: int) -> int | None:
    """The step an expectation speaks of: the one it names, else the last; None if it names none there is."""
    text = str(data.get("after", last))
    return int(text) if len(text) < 6 and text.isascii() and text.isdigit() and int(text) <= last else None


def check(case: Case, path: Path, tables: Sequence[Table]) -> Iterator[str]:
    """What one expectation finds wrong; nothing when it holds."""
    try:
        yield from _check(case.at(path), tables)
    except BadExpectation as error:
        at = (*path, error.word) if error.word else path
        raise BadFile([case.document.problem(at, str(error), at_key=bool(error.word))]) from None
    except (ValueError, UnknownClause) as error:
        raise BadFile([case.document.problem(path, str(error))]) from None


def _check(data: Any, tables: Sequence[Table]) -> Iterator[str]:
    if not isinstance(data, dict):
        raise BadExpectation("an expectation looks like {after: 1, refused_by: 52.A.9.d/2}")
    last = len(tables) - 1
    number = after(data, last)
    if number is None:
        raise BadExpectation(f"'after' is a step's number: 0 (before any) to {last}, not {data['after']}", "after")
    for word, function in EXPECTATIONS.items():
        if word in data:
            if word in SPEAKS_OF_THE_OUTCOME and not tables[number].given:
                raise BadExpectation(f"after {number} there is no command that could be accepted or refused", word)
            yield from function(data, tables[number])
            return
    known = ", ".join(EXPECTATIONS)
    raise BadExpectation(f"nothing here to expect: {', '.join(data)}; an expectation has one of {known}")


# ------------------------------------------------------------------------------------ what came of a step


def _refused_by(data: dict[str, Any], table: Table) -> Iterator[str]:
    only(data, "refused_by", "after", "says", "remedy", "until")
    wanted = [load()[clause].id for clause in listed(data, "refused_by")]
    clauses, outcome = " or ".join(wanted), table.outcome
    if isinstance(outcome, str):
        yield f"expected a refusal by {clauses}, found an error: {outcome}"
    elif not isinstance(outcome, Refusal):
        yield f"expected a refusal by {clauses}, found that it was accepted"
    elif not set(wanted) & set(outcome.clauses):
        yield f"expected a refusal by {clauses}, found a refusal by {', '.join(outcome.clauses)}"
    else:
        reasons = [reason for reason in outcome.reasons if set(reason.clauses) & set(wanted)]
        yield from _reasons(data, reasons)
        yield from _waiting(data, reasons, table.world)


def _reasons(data: dict[str, Any], reasons: list[No]) -> Iterator[str]:
    """What a refusal says, and what it says would help: words of it, or that nothing does."""
    found = "; ".join(map(str, reasons))
    if "says" in data and not any(something(data, "says").casefold() in str(each).casefold() for each in reasons):
        yield f"expected the refusal to say '{data['says']}', found: {found}"
    if "remedy" not in data:
        return
    remedies = [each.remedy for each in reasons]
    if data["remedy"] in (False, "no"):
        if any(remedies):
            yield f"expected no remedy, found: {found}"
    elif not any(something(data, "remedy").casefold() in each.casefold() for each in remedies):
        yield f"expected the remedy '{data['remedy']}', found: {found}"


def _waiting(data: dict[str, Any], reasons: list[No], world: World) -> Iterator[str]:
    """The turn that a refusal's remedy waits for."""
    if "until" not in data:
        return
    turn = world.calendar.parse(something(data, "until")).turn
    found = sorted({way.until.turn for each in reasons for way in each.ways if way.until})
    if turn not in found:
        waits = ", ".join(map(world.turn_name, found)) or "none"
        yield f"expected it to help to wait until {world.turn_name(turn)}, found {waits}"


def _accepted(data: dict[str, Any], table: Table) -> Iterator[str]:
    only(data, "accepted", "after", "cites", "says")
    wanted, outcome = yes_or_no(data, "accepted"), table.outcome
    cites = [load()[clause].id for clause in listed(data, "cites")] if "cites" in data else []
    if isinstance(outcome, Refusal | str):
        if wanted:
            found = outcome if isinstance(outcome, str) else "; ".join(f"{r.clause} {r}" for r in outcome.reasons)
            yield f"expected it to be accepted, found a refusal: {found}"
    elif not wanted:
        yield "expected a refusal, found that it was accepted"
    else:
        cited = _cited(outcome)
        if missing := [clause for clause in cites if clause not in cited]:
            yield f"expected it to cite {', '.join(missing)}, found {', '.join(sorted(cited)) or 'no clause'}"
        said = _said(outcome)
        if "says" in data and not any(something(data, "says").casefold() in each.casefold() for each in said):
            yield f"expected the journal to say '{data['says']}', found: {'; '.join(said) or 'nothing'}"


def _cited(outcome: Any) -> set[str]:
    """The clauses behind what was done, and those whose exceptions let it pass."""
    if not isinstance(outcome, Done):
        return set()
    return {clause for event in outcome.entry.events for clause in event.because.split()} | set(outcome.entry.allowed)


def _said(outcome: Any) -> list[str]:
    """What the journal says of what was done, event by event."""
    events = outcome.entry.events if isinstance(outcome, Done) else ()
    return [said for event in events if (said := event.text if isinstance(event, Noted) else event.says)]


def _error(data: dict[str, Any], table: Table) -> Iterator[str]:
    only(data, "error", "after")
    wanted = something(data, "error")
    if not isinstance(table.outcome, str):
        yield f"expected an error saying '{wanted}', found none"
    elif wanted.casefold() not in table.outcome.casefold():
        yield f"expected an error saying '{wanted}', found: {table.outcome}"


# --------------------------------------------------------------------------------------- how things stand


def _pool(data: dict[str, Any], table: Table) -> Iterator[str]:
    pool = table.world.account_named(something(data, "pool"))
    due = table.world.calendar.parse(something(data, "due")).turn if "due" in data else 0
    nations = [word for word in data if word not in ("pool", "after", "due")]
    if not nations:
        raise BadExpectation("say whose points: {after: 1, pool: front/centre, German: {inf: 3 1/2}}", "pool")
    for word in nations:
        nation, amounts = table.world.holder_named(pool, word), data[word]
        if not isinstance(amounts, dict) or not amounts:
            raise BadExpectation(f"expected amounts such as {word}: {{inf: 3 1/2}}", word)
        for called, text in amounts.items():
            kind = _kind(table.world, called, word)
            expected = parse_points(str(text))
            found = _coming(table, pool, nation, kind, due) if due else table.state.balance(pool, nation, kind)
            just_in = Fraction(0) if due else _becoming(table, pool, nation, kind)
            if expected not in (found, found + just_in):
                when = f" to come on {data['due']}" if due else ""
                says = f"{show_points(expected)} {kind} of {nation}{when}"
                yield f"expected {pool} to hold {says}, found {show_points(found)}"


def _kind(world: World, called: str, word: str) -> str:
    try:
        return world.kind_named(called)
    except BadCommand as error:
        raise BadExpectation(str(error), word) from None


def _coming(table: Table, pool: str, nation: str, kind: str, turn: int) -> Fraction:
    """The points on their way to a pool that may be spent from a turn on."""
    standing, balances = table.world.standing, table.state.balances
    return sum(
        (
            amount
            for account, amount in balances.items()
            if (account.nation, account.kind) == (nation, kind)
            and (on := standing(account.pool)).usable == turn
            and pool in (on.pool, standing(on.pool).becomes)
        ),
        Fraction(0),
    )


def _becoming(table: Table, pool: str, nation: str, kind: str) -> Fraction:
    """What a pool has just received and may still be allotted elsewhere; one may count it with the pool or not."""
    standing, balances = table.world.standing, table.state.balances
    return sum(
        (
            amount
            for account, amount in balances.items()
            if (account.nation, account.kind) == (nation, kind) and standing(account.pool).becomes == pool
        ),
        Fraction(0),
    )


def _unit(data: dict[str, Any], table: Table) -> Iterator[str]:
    unit = find_unit(table.state, something(data, "unit"))
    _says_more(data, "unit", UNIT_WORDS[2:])
    for word in data:
        if word == "at":
            yield from _at(table.world, unit, something(data, word))
        elif word in ("as", "strength"):
            yield from _strength(unit, word, something(data, word))
        elif word == "arrives":
            yield from _arrives(table.world, unit, something(data, word))
        elif word in ("attack", "defence"):
            yield from _value(unit, word, data[word])
        elif word in ("nation", "type", "size"):
            yield from _counter(table.world, unit, word, something(data, word))
        elif word not in UNIT_WORDS:
            yield from _fact(table, "unit", unit.id, word, data[word])


def _at(world: World, unit: Unit, expected: str) -> Iterator[str]:
    if expected.strip() in world.game.box_names:
        # A box without its area: whichever has one.
        if unit.place.kind != expected.strip():
            box = world.game.box_names[expected.strip()]
            yield f"expected {unit.id} in {the(box)}{box}, found it at {world.show_place(unit.place)}"
        return
    place = world.parse_place(expected)
    same = unit.place == place or (not place.due and (unit.place.kind, unit.place.of) == (place.kind, place.of))
    if not same:
        yield f"expected {unit.id} at {world.show_place(place)}, found it at {world.show_place(unit.place)}"


def _strength(unit: Unit, word: str, expected: str) -> Iterator[str]:
    step = expected.casefold()
    if step not in STEPS:
        raise BadExpectation(f"strength is {', '.join(STEPS[:-1])} or {STEPS[-1]}, not '{expected}'", word)
    if unit.step != step:
        yield f"expected {unit.id} at {step} strength, found {unit.step}"


def _value(unit: Unit, word: str, expected: Any) -> Iterator[str]:
    """The attack or defence strength that its counter shows now."""
    side = unit.spec.strength(unit.step)
    found = side.attack if word == "attack" else side.defence
    if parse_points(str(expected)) != found:
        yield f"expected {unit.id} to have {word} strength {expected}, found {show_points(found)} ({unit.step})"


def _counter(world: World, unit: Unit, word: str, expected: str) -> Iterator[str]:
    """What its counter says of it: whose it is, its type and its size."""
    wanted = world.nation_named(expected) if word == "nation" else expected
    found = {"nation": unit.spec.nation, "type": unit.spec.type, "size": unit.spec.size}[word]
    if wanted.casefold() != found.casefold():
        yield f"expected the {word} of {unit.id} to be {wanted}, found {found}"


def _arrives(world: World, unit: Unit, expected: str) -> Iterator[str]:
    turn = 0 if expected.lower() in ("no", NEVER) else world.calendar.parse(expected).turn
    if unit.place.due != turn:
        found = world.turn_name(unit.place.due) if unit.place.due else "that it is on no track"
        yield f"expected {unit.id} to arrive {'on ' if turn else ''}{expected}, found {found}"


def _place(data: dict[str, Any], table: Table) -> Iterator[str]:
    yield from _subject(data, table, "place")


def _area(data: dict[str, Any], table: Table) -> Iterator[str]:
    yield from _subject(data, table, "area")


def _nation(data: dict[str, Any], table: Table) -> Iterator[str]:
    yield from _subject(data, table, "nation")


def _campaign(data: dict[str, Any], table: Table) -> Iterator[str]:
    """What is so of the whole campaign, written as under `given`."""
    only(data, "campaign", "after")
    facts = data["campaign"]
    if not isinstance(facts, dict) or not facts:
        raise BadExpectation("say what is expected of the campaign: {campaign: {italy_at_war: yes}}", "campaign")
    for word in facts:
        yield from _fact(table, "campaign", "", word, facts[word])


def _subject(data: dict[str, Any], table: Table, kind: str) -> Iterator[str]:
    """What is declared of a place on the map, of an MD, front or theatre, or of a nation."""
    name = table.world.subject(kind, something(data, kind))
    _says_more(data, kind)
    for word in data:
        if word not in (kind, "after"):
            yield from _fact(table, kind, name, word, data[word])


def _fact(table: Table, kind: str, name: str, word: str, value: Any) -> Iterator[str]:
    fact = table.world.fact(word)
    if fact is None or kind not in fact.on:
        known = [each.name for each in table.world.game.facts if kind in each.on]
        words = (*UNIT_WORDS[2:], *known) if kind == "unit" else known
        raise BadExpectation(f"'{word}' is nothing one can expect of the {kind}; words are {', '.join(words)}", word)
    if value is None or isinstance(value, dict):
        raise BadExpectation(f"say what {word} is expected to be", word)
    never = fact.takes == TURN and value == NEVER
    expected = fact.default if never else fact.read(value, table.world.calendar)
    facts = table.world.facts(table.state)
    found = facts.value(subject_key(kind, name) if name else kind, word)
    if fact.comes_to is not None:
        found = fact.comes_to(table.world, facts, name)
    if expected != found:
        whose, shown = name or "the campaign", _shown(table, fact, found)
        yield f"expected {word} of {whose} to be {_shown(table, fact, expected)}, found {shown}"


def _shown(table: Table, fact: Fact, value: Any) -> str:
    if fact.takes == TURN and isinstance(value, int):
        return table.world.turn_name(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return f"[{', '.join(value)}]"
    return str(value) if value not in ("", None) else "nothing"


def _says_more(data: dict[str, Any], word: str, words: Sequence[str] = ("a fact",)) -> None:
    if not data.keys() - {word, "after"}:
        raise BadExpectation(f"say what is expected of the {word}, such as {', '.join(words)}", word)


def _clock(data: dict[str, Any], table: Table) -> Iterator[str]:
    only(data, "now", "after")
    found = table.world.when(table.state)
    if something(data, "now").casefold() not in found.casefold():
        yield f"expected it to be {data['now']}, found {found}"


def _shown_on(data: dict[str, Any], table: Table) -> Iterator[str]:
    return shown(data, table.world, table.state)


def _option(data: dict[str, Any], table: Table) -> Iterator[str]:
    return option(data, table.world, table.state)


def _todo(data: dict[str, Any], table: Table) -> Iterator[str]:
    return todo(data, table.world, table.state)


EXPECTATIONS: dict[str, Callable[[dict[str, Any], Table], Iterator[str]]] = {
    "refused_by": _refused_by,
    "accepted": _accepted,
    "error": _error,
    "option": _option,  # Before the others, whose words may be fields of its command.
    "shown": _shown_on,
    "pool": _pool,
    "unit": _unit,
    "place": _place,
    "area": _area,
    "todo": _todo,
    "now": _clock,
    "nation": _nation,  # After the unit, of whom it may be expected.
    "campaign": _campaign,
}
