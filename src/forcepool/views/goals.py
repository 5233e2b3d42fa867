"""Goals of a plan as a form: what can be chosen, the text that a form writes, and the form that a text fills."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import yaml
from msgspec import Struct

from forcepool.engine.ledger import Account, is_pool
from forcepool.engine.standing import CLAIM, COUNT
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.files import BadFile, read_yaml
from forcepool.planner.deals import is_in_need
from forcepool.planner.goals import read_goals
from forcepool.views.names import kind_in_words, natural, pool_in_words, pool_order

FILE = "goals"
"""What a text is called where something is wrong in it."""
LISTS = {"weights": ("type", "area", "unit", "times"), "units": ("unit", "by"), "keep": ("account", "points")}
NAMES = ("earliest", "leave")
SPARE = 2
"""Empty rows below those that are filled."""
APART = " | "

Row = Mapping[str, str]


class GoalsForm(Struct, frozen=True):
    """What stands in the fields of the form, each list with some empty rows."""

    by: str = ""
    rows: Mapping[str, tuple[Row, ...]] = {}


class GoalChoices(Struct, frozen=True):
    """What a side can choose from."""

    turns: tuple[str, ...]
    types: tuple[str, ...]
    areas: tuple[tuple[str, str], ...]
    units: tuple[str, ...]
    """Those that are dead or reduced."""
    accounts: tuple[tuple[str, str], ...]
    """By how a form names them, in words."""
    kinds: tuple[tuple[str, str], ...]


def choices(world: World, state: State, side: str, turns: int, sees: Callable[[Account], bool]) -> GoalChoices:
    """What can stand in the goals of a side."""
    own = [each for each in state.units_in_order() if world.side_now(state, each.spec.nation) == side]
    areas = {area for each in own for area in world.areas_of(each, state) or ()}
    accounts = [
        each
        for each in sorted(state.balances)
        if is_pool(each.pool)
        and world.side_now(state, each.nation) == side
        and world.standing(each.pool).pool == each.pool
        and world.standing(each.pool).what not in (COUNT, CLAIM)
        and sees(each)
    ]
    return GoalChoices(
        tuple(world.turn_name(state.clock.turn + each) for each in range(1, turns + 1)),
        tuple(sorted({each.spec.type for each in own})),
        tuple((each, pool_in_words(each)) for each in sorted(areas, key=pool_order)),
        tuple(sorted((each.id for each in own if is_in_need(each)), key=natural)),
        tuple((APART.join((each.pool, each.nation, each.kind)), _account(each)) for each in accounts),
        tuple((each, kind_in_words(each)) for each in sorted({each.kind for each in accounts})),
    )


def _account(account: Account) -> str:
    pool = pool_in_words(account.pool)
    whose = "" if account.nation in pool else f", {account.nation}"
    return f"{kind_in_words(account.kind)}: {pool}{whose}"


# ------------------------------------------------------------------------------------------- form and text


def written(side: str, by: str, column: Callable[[str], Sequence[str]]) -> str:
    """The text that a form stands for; `column` are the fields of a name, row by row."""
    data: dict[str, Any] = {"side": side} | ({"by": by} if by else {})
    for name, fields in LISTS.items():
        columns = [[text.strip() for text in column(f"{name}.{field}")] for field in fields]
        rows = [
            {field: _plain(text) for field, text in zip(fields, row, strict=True) if text}
            for row in zip(*columns, strict=False)
        ]
        # A row in which nothing but how often was left standing says nothing.
        data[name] = [_spelt(row) for row in rows if set(row) - {"times"}]
    for name in NAMES:
        data[name] = [text.strip() for text in column(name) if text.strip()]
    spend = zip(column("spend.kind"), column("spend.part"), strict=False)
    data["spend"] = {kind: _plain(part.strip()) for kind, part in spend if kind and part.strip()}
    shown = {name: value for name, value in data.items() if value}
    return yaml.safe_dump(shown, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100)


def _spelt(row: dict[str, Any]) -> dict[str, Any]:
    """A row as a file has it: a pool, a nation and a kind instead of an account."""
    if "account" not in row:
        return row
    names = str(row.pop("account")).split(APART)
    return dict(zip(("pool", "nation", "kind"), names, strict=False)) | row


def _plain(text: str) -> str | int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else text


def filled(text: str) -> GoalsForm:
    """The form that a text fills, as far as it can be read."""
    try:
        data = read_yaml(text, FILE).data if text.strip() else {}
    except BadFile:
        data = {}
    said: Mapping[str, Any] = data if isinstance(data, dict) else {}
    rows = {
        name: _rows([_joined(each) for each in _listed(said, name) if isinstance(each, dict)], fields)
        for name, fields in LISTS.items()
    }
    for name in NAMES:
        rows[name] = _rows([{"unit": str(each)} for each in _listed(said, name)], ("unit",))
    spend = said.get("spend")
    parts = spend.items() if isinstance(spend, dict) else ()
    rows["spend"] = _rows([{"kind": str(kind), "part": str(part)} for kind, part in parts], ("kind", "part"))
    return GoalsForm(str(said.get("by") or ""), rows)


def _listed(said: Mapping[str, Any], name: str) -> list[Any]:
    found = said.get(name)
    return list(found) if isinstance(found, list) else []


def _joined(row: Mapping[str, Any]) -> Row:
    said = {str(name): str(value) for name, value in row.items()}
    if "pool" in said:
        said["account"] = APART.join(said.get(name, "") for name in ("pool", "nation", "kind"))
    return said


def _rows(found: list[Row], fields: Sequence[str]) -> tuple[Row, ...]:
    """Rows with every field, and some that are empty."""
    empty: list[Row] = [{} for _ in range(SPARE)]
    return tuple({name: row.get(name, "") for name in fields} for row in (*found, *empty))


def wrong(world: World, state: State, text: str, side: str, turns: int) -> list[str]:
    """What is wrong in a text of goals, each with line and column."""
    try:
        read_goals(read_yaml(text, FILE), world, state, side, turns, only=side)
    except BadFile as error:
        return [str(each) for each in error.problems]
    return []
