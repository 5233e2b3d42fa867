"""What the tables of a game may be: for each section of its scenario files, the columns and what stands in them."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from forcepool.files.marks import Plain
from forcepool.files.sheets import plain_name

VALUE, NAME, TABLES = "value", "name", "tables"
KEYS: Mapping[str, tuple[str, ...]] = {"pools": ("pool", "nation")}
"""What the names in a section are called, where it is not the section's own name in the singular."""
YES = ("yes", "true", "on", "x", "✓", "1", "y", "ja", "wahr", "oui", "vrai", "sì", "sí", "vero")
NO = ("no", "false", "off", "0", "n", "nein", "falsch", "non", "faux", "falso")
DECIMAL_COMMA = re.compile(r"[+−-]?[0-9]+,[0-9]+")
WHOLE = re.compile(r"([+-]?[0-9]+)[.,]0+")
PAIR = re.compile(r"([^:=]+?)\s*[:=]\s*(.+)", re.DOTALL)


class Layout(Struct, frozen=True):
    """How a section looks as a table."""

    path: tuple[str, ...]
    """Where it stands in a scenario file."""
    keys: tuple[str, ...]
    """The columns that name a row; none for a list of rows."""
    columns: Mapping[str, Any]
    """The others, by name, each with the type of what stands in it; none where any word may name a column."""
    value: Any = None
    """The type of what stands in columns of any name, or in the only one."""
    record: Any = None
    """The type of a row, for whoever asks what its columns are for."""

    @property
    def name(self) -> str:
        return self.path[-1]

    @property
    def is_free(self) -> bool:
        """Whether any word may name a column: a kind of point, a turn."""
        return not self.columns

    @property
    def is_single(self) -> bool:
        """Whether a row is one value."""
        return list(self.columns) == [VALUE]

    @property
    def headings(self) -> tuple[str, ...]:
        return (*self.keys, *self.columns)


def layouts(words: Any) -> dict[str, Layout]:
    """The sections of a game's files that may be tables, by their names; charts by their own."""
    found: dict[str, Layout] = {}
    for field in fields(words.given):
        inner = _given(field.type)
        group = [((field.encode_name, each.encode_name), each.type) for each in fields(inner)] if _rows(inner) else []
        for path, type_ in group if field.name == "charts" else [((field.encode_name,), field.type)]:
            layout = _layout(path, _given(type_), {**KEYS, **words.keys})
            if layout is not None and path != (TABLES,):
                found.setdefault(plain_name(path[-1]), layout)
    return found


def _layout(path: tuple[str, ...], type_: Any, named: Mapping[str, tuple[str, ...]]) -> Layout | None:
    if get_origin(type_) in (tuple, list) and len(path) > 1:
        row = get_args(type_)[0]
        if _rows(row):
            return Layout(path, (), {each.encode_name: each.type for each in fields(row)}, record=row)
        return Layout(path, (), {VALUE: row}, row)
    if get_origin(type_) is not dict:
        return None
    depth, inner = 1, _given(get_args(type_)[1])
    while get_origin(inner) is dict:
        depth, inner = depth + 1, _given(get_args(inner)[1])
    if _rows(inner) and depth == 1:
        columns = {each.encode_name: each.type for each in fields(inner)}
        # A front may lie in another area by that name; what it is called itself is then its name.
        own = singular(path[-1]) if singular(path[-1]) not in columns else NAME
        return Layout(path, named.get(path[-1], (own,)), columns, record=inner)
    if depth == 1:
        return Layout(path, named.get(path[-1], (singular(path[-1]),)), {VALUE: inner}, inner)
    return Layout(path, named.get(path[-1], (singular(path[-1]), "of", "and")[: depth - 1]), {}, inner)


def singular(name: str) -> str:
    """The name of one of them: factories, a factory."""
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")


def _given(type_: Any) -> Any:
    """A type without the 'or nothing' of what may be left out; of a group or a number, the group."""
    if get_origin(type_) not in (Union, UnionType):
        return type_
    kinds = [each for each in get_args(type_) if each is not NoneType]
    groups = [each for each in kinds if get_origin(each) is dict]
    return groups[0] if groups else kinds[0] if len(kinds) == 1 else type_


def _rows(type_: Any) -> bool:
    return isinstance(type_, type) and issubclass(type_, msgspec.Struct)


# ------------------------------------------------------------------------------------------------- one cell


def kinds_of(type_: Any) -> list[Any]:
    """What may stand in a cell."""
    if get_origin(type_) in (Union, UnionType):
        return [each for each in get_args(type_) if each is not NoneType]
    return [type_]


def read_cell(text: str, type_: Any) -> Plain:
    """A cell as a scenario file would have it: a word, a list of them, or words with amounts."""
    kinds = kinds_of(type_)
    lists = [each for each in kinds if get_origin(each) in (tuple, list)]
    groups = [each for each in kinds if get_origin(each) is dict]
    if groups and (len(kinds) == 1 or PAIR.fullmatch(text)):
        return dict(_pairs(text, get_args(groups[0])[1]))
    if lists and (len(kinds) == len(lists) or any(each in text for each in ";,") or text.isdigit()):
        return [_word(each, get_args(lists[0])[0]) for each in parted(text)]
    return _word(text, kinds[0])


def parted(text: str) -> list[str]:
    """The parts of a cell: between semicolons, or between commas where there is no semicolon."""
    parts = text.split(";") if ";" in text else text.replace("\n", ",").split(",")
    return [each.strip() for each in parts if each.strip()]


def _pairs(text: str, type_: Any) -> Iterator[tuple[str, Plain]]:
    for each in parted(text):
        pair = PAIR.fullmatch(each)
        if pair is None:
            raise ValueError(f"'{each}' has no name before it; write it as name: value; name: value")
        yield pair[1], _word(pair[2], type_)


def _word(text: str, type_: Any) -> str:
    """What was typed, as it would be typed in a scenario file."""
    if type_ is bool:
        said = text.casefold()
        return "yes" if said in YES else "no" if said in NO else text
    if type_ is Fraction and DECIMAL_COMMA.fullmatch(text):
        return text.replace(",", ".")
    if type_ is int and (whole := WHOLE.fullmatch(text)):
        return whole[1]
    return text


class Unfit(ValueError):
    """What no cell can hold."""


def write_cell(value: Plain, type_: Any) -> str:
    """What stands in a scenario file, as a cell that is read back the same."""
    if value is None:
        return ""
    if isinstance(value, str):
        text = value
    elif isinstance(value, list):
        text = "; ".join(map(str, value)) or ";"
        # A semicolon at the end keeps a comma from parting a single word.
        text = f"{text};" if len(value) == 1 and "," in text else text
    else:
        text = "; ".join(f"{name}: {each}" for name, each in value.items())
    as_read = read_cell(text, type_) if text and text == text.strip() else None
    if as_read != value and not (bool in kinds_of(type_) and text.casefold() in (*YES, *NO)):
        raise Unfit
    return text


def takes(type_: Any) -> str:
    """What a column takes, in words."""
    kinds = kinds_of(type_)
    if any(get_origin(each) is dict for each in kinds):
        return "name: value; name: value"
    if any(get_origin(each) in (tuple, list) for each in kinds):
        return "words with ; between them"
    return {bool: "yes or no", int: "a whole number", Fraction: "points: 3, 7/2 or 3½"}.get(kinds[0], "")
