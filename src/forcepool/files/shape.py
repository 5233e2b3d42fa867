"""Plain data as the Struct a game works with, with every error in it found at once."""

import collections.abc
import re
import types
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, overload

import msgspec
from msgspec.structs import FieldInfo
from msgspec.structs import fields as fields_of

from forcepool.files.problems import BadFile, Problem
from forcepool.files.scalars import Misread, Parsers, Scalar, any_of, closest, found, limits, scalar, suggestion, wanted
from forcepool.files.yamltext import Document, Path, Plain

T = TypeVar("T")
Reader = Callable[[Plain, Path], object]

_BAD = object()
_LISTS: dict[Any, Callable[[list[object]], object]] = {
    list: list,
    tuple: tuple,
    set: set,
    frozenset: frozenset,
    collections.abc.Sequence: list,
    collections.abc.Collection: list,
    collections.abc.Iterable: list,
    collections.abc.Set: frozenset,
}
_EMPTY = (None, type(None), msgspec.UnsetType)
_GROUPS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\[\.\.\.\]")


@overload
def shape(document: Document, path: Path, type_: type[T], parsers: Parsers | None = None) -> T: ...
@overload
def shape(document: Document, path: Path, type_: Any, parsers: Parsers | None = None) -> Any: ...
def shape(document: Document, path: Path, type_: Any, parsers: Parsers | None = None) -> Any:
    """The value at a path as the type asked for; `parsers` says how words become types of our own, such as points."""
    value: Any = document.data
    for depth, step in enumerate(path):
        if not _holds(value, step):
            raise BadFile([document.problem(path[:depth], f"'{step}' is missing", at_key=True)])
        value = value[step]
    shaper = _Shaper(document, parsers or {})
    result = shaper.reader(type_)(value, path)
    if shaper.problems:
        raise BadFile(shaper.problems)
    return result


class _Shaper:
    """Reads values of any type from one document, gathering the problems."""

    def __init__(self, document: Document, parsers: Parsers) -> None:
        self.document = document
        self.parsers = parsers
        self.problems: list[Problem] = []
        self._readers: dict[Any, Reader] = {}

    def bad(self, path: Path, message: str, hint: str = "", *, at_key: bool = False) -> object:
        """Note a problem; stands in for the value that could not be read."""
        self.problems.append(self.document.problem(path, message, hint, at_key=at_key))
        return _BAD

    def reader(self, type_: Any) -> Reader:
        """How a value of this type is read, worked out once for each type."""
        if type_ not in self._readers:
            # A Struct may hold others of its own kind, so that its reader is asked for before it is made.
            self._readers[type_] = lambda value, path: self._readers[type_](value, path)
            self._readers[type_] = self._make(type_)
        return self._readers[type_]

    def _make(self, type_: Any) -> Reader:
        origin = get_origin(type_) or type_
        if type_ in (Any, object):
            return lambda value, path: value
        if type_ in (None, type(None)):
            return self._nothing
        if origin in (Union, types.UnionType) or (origin is Literal and None in get_args(type_)):
            return self._union(type_)
        if (word := scalar(type_, self.parsers)) is not None:
            return self._word(word, wanted(type_))
        if (newtype := getattr(type_, "__supertype__", None)) is not None:
            return self.reader(newtype)
        if origin is Annotated:
            return self._sized(type_)
        if _is_struct(origin):
            return self._struct(type_)
        if origin in _GROUPS:
            return self._group(*(get_args(type_) or (str, Any)))
        if origin is tuple and get_args(type_) and get_args(type_)[-1] is not Ellipsis:
            return self._fixed(get_args(type_))
        if origin in _LISTS:
            return self._list(_LISTS[origin], (get_args(type_) or (Any,))[0])
        return self._leaf(type_)

    def _nothing(self, value: Plain, path: Path) -> object:
        return None if value is None else self.bad(path, f"expected nothing, found {found(value)}")

    def _word(self, read: Scalar, expected: str) -> Reader:
        def word(value: Plain, path: Path) -> object:
            if not isinstance(value, str):
                return self.bad(path, f"expected {expected}, found {found(value)}")
            try:
                return read(value)
            except Misread as error:
                return self.bad(path, str(error), error.hint)

        return word

    def _struct(self, type_: Any) -> Reader:
        cls = get_origin(type_) or type_
        known = {field.encode_name: (field.name, self.reader(field.type)) for field in fields_of(type_)}
        required = [field.encode_name for field in fields_of(type_) if _is_required(field)]
        tag_field, tag = cls.__struct_config__.tag_field, cls.__struct_config__.tag
        words = [*known, tag_field] if tag_field else list(known)

        def struct(value: Plain, path: Path) -> object:
            if not isinstance(value, dict):
                return self._not_a_group(value, path, words)
            before = len(self.problems)
            given: dict[str, object] = {}
            meant: set[str | None] = set()
            for name, inner in value.items():
                if name in known:
                    field, read = known[name]
                    given[field] = read(inner, (*path, name))
                elif name == tag_field:
                    if inner != str(tag):
                        self.bad((*path, name), f"expected '{tag}', found {found(inner)}")
                else:
                    self.bad((*path, name), f"unknown word {found(name)}", suggestion(name, words), at_key=True)
                    meant.add(closest(name, words))
            for name in required:
                # A misspelt name has its own problem, which says what was meant.
                if name not in value and name not in meant:
                    self.bad(path, f"{_whose(path)}'{name}' is missing", at_key=True)
            return _BAD if len(self.problems) > before else self._built(cls, given, path)

        return struct

    def _built(self, cls: Any, given: dict[str, object], path: Path) -> object:
        try:
            return cls(**given)
        except ValueError as error:
            hint = error.hint if isinstance(error, Misread) else ""
            return self.bad(path, str(error), hint, at_key=True)

    def _group(self, key_type: Any, value_type: Any) -> Reader:
        read = self.reader(value_type)
        read_name = None if key_type in (str, Any) else self.reader(key_type)

        def group(value: Plain, path: Path) -> object:
            if not isinstance(value, dict):
                return self._not_a_group(value, path, [])
            if read_name is None:
                return {name: read(inner, (*path, name)) for name, inner in value.items()}
            result: dict[object, object] = {}
            for name, inner in value.items():
                here = (*path, name)
                key = self._at_name(read_name, name, here)
                if key is not _BAD and key in result:
                    self.bad(here, f"{found(name)} says the same as a name above it", "keep one of them", at_key=True)
                result[key] = read(inner, here)
            return result

        return group

    def _at_name(self, read_name: Reader, name: str, path: Path) -> object:
        """Read a name, moving its problems from the value to the name itself."""
        before = len(self.problems)
        key = read_name(name, path)
        if len(self.problems) > before:
            at = self.document.where_key(path)
            moved = [msgspec.structs.replace(it, line=at.line, column=at.column) for it in self.problems[before:]]
            self.problems[before:] = moved
        return key

    def _list(self, build: Callable[[list[object]], object], item_type: Any) -> Reader:
        read = self.reader(item_type)

        def items(value: Plain, path: Path) -> object:
            if not isinstance(value, list):
                return self._not_a_list(value, path)
            before = len(self.problems)
            values = [read(inner, (*path, index)) for index, inner in enumerate(value)]
            return _BAD if len(self.problems) > before else build(values)

        return items

    def _fixed(self, item_types: tuple[Any, ...]) -> Reader:
        readers = [] if item_types == ((),) else [self.reader(item) for item in item_types]

        def items(value: Plain, path: Path) -> object:
            if not isinstance(value, list):
                return self._not_a_list(value, path)
            if len(value) != len(readers):
                return self.bad(path, f"expected a list of {len(readers)}, found one of {len(value)}")
            pairs = enumerate(zip(readers, value, strict=True))
            return tuple([read(inner, (*path, index)) for index, (read, inner) in pairs])

        return items

    def _not_a_group(self, value: Plain, path: Path, words: list[str]) -> object:
        known = f"known: {', '.join(words)}" if words and len(words) <= 12 else ""
        hint = "write {} for none" if value is None and not words else known
        return self.bad(path, f"expected fields 'name: value', found {found(value)}", hint)

    def _not_a_list(self, value: Plain, path: Path) -> object:
        hint = "write [] for none" if value is None else "write [a, b], or '- ' before each item"
        return self.bad(path, f"expected a list, found {found(value)}", hint)

    def _sized(self, type_: Any) -> Reader:
        """A list or group with limits on how much it holds."""
        base, *extras = get_args(type_)
        read = self.reader(base)
        metas = [extra for extra in extras if isinstance(extra, msgspec.Meta)]

        def sized(value: Plain, path: Path) -> object:
            result = read(value, path)
            for meta in metas:
                if isinstance(value, dict | list) and not (meta.min_length or 0) <= len(value) <= _most(meta, value):
                    kind = "a list" if isinstance(value, list) else "a group"
                    return self.bad(path, f"expected {kind}{limits(meta)}, found {len(value)}")
            return result

        return sized

    def _union(self, type_: Any) -> Reader:
        """Several types are told apart by what was written: nothing, a word, a list, or fields."""
        members = [member for member in get_args(type_) if member not in _EMPTY]
        empty = len(members) < len(get_args(type_))
        if get_origin(type_) is Literal:
            members = [Literal[tuple(members)]]
        read = self.reader(members[0]) if len(members) == 1 else self._one_of(members, type_)
        return lambda value, path: None if value is None and empty else read(value, path)

    def _one_of(self, members: list[Any], type_: Any) -> Reader:
        kinds = {kind: [member for member in members if self._kind(member) is kind] for kind in (str, list, dict)}
        if sum(map(len, kinds.values())) < len(members) or len(kinds[list]) > 1:
            return self._leaf(type_)
        readers: dict[type, tuple[Reader, str]] = {}
        if words := kinds[str]:
            expected = " or ".join(dict.fromkeys(wanted(word) for word in words))
            read = any_of([reader for word in words if (reader := scalar(word, self.parsers)) is not None])
            readers[str] = self._word(read, expected), expected
        if kinds[list]:
            readers[list] = self.reader(kinds[list][0]), "a list"
        if fields := kinds[dict]:
            readers[dict] = self.reader(fields[0]) if len(fields) == 1 else self._tagged(fields), "fields 'name: value'"
        expected = " or ".join(expected for _, expected in readers.values())

        def one_of(value: Plain, path: Path) -> object:
            if type(value) not in readers:
                return self.bad(path, f"expected {expected}, found {found(value)}")
            return readers[type(value)][0](value, path)

        return one_of

    def _kind(self, type_: Any) -> type | None:
        """What a player writes for this type: a word, a list or fields."""
        if scalar(type_, self.parsers) is not None:
            return str
        if get_origin(type_) is Annotated:
            return self._kind(get_args(type_)[0])
        origin = get_origin(type_) or type_
        if _is_struct(origin) or origin in _GROUPS:
            return dict
        return list if origin in _LISTS else None

    def _tagged(self, structs: list[Any]) -> Reader:
        """Fields whose kind is named by one of them."""
        if not all(_is_struct(get_origin(struct) or struct) for struct in structs):
            raise TypeError(f"these types cannot be told apart: {structs}")
        configs = [(get_origin(struct) or struct).__struct_config__ for struct in structs]
        field = configs[0].tag_field
        readers = {str(config.tag): self.reader(struct) for config, struct in zip(configs, structs, strict=True)}
        if field is None or any(config.tag_field != field for config in configs) or len(readers) < len(structs):
            raise TypeError(f"these types cannot be told apart: {structs}")

        def tagged(value: Plain, path: Path) -> object:
            if not isinstance(value, dict):
                return self._not_a_group(value, path, [])
            if field not in value:
                hint = suggestion("", list(readers))
                return self.bad(path, f"{_whose(path)}'{field}' is missing", hint, at_key=True)
            tag = value[field]
            if not isinstance(tag, str) or tag not in readers:
                hint = suggestion(str(tag), list(readers))
                return self.bad((*path, field), f"unknown {field} {found(tag)}", hint)
            return readers[tag](value, path)

        return tagged

    def _leaf(self, type_: Any) -> Reader:
        """Any other type is left to msgspec, which stops at its first error."""

        def hook(inner: type, value: Any) -> Any:
            if isinstance(value, str) and (read := scalar(inner, self.parsers)) is not None:
                return read(value)
            raise ValueError(f"expected a {inner.__name__}, found {found(value)}")

        def leaf(value: Plain, path: Path) -> object:
            try:
                return msgspec.convert(value, type_, strict=False, dec_hook=hook)
            except msgspec.ValidationError as error:
                message, _, at = str(error).partition(" - at `")
                inner = self._followed(value, path, at.rstrip("`"))
                return self.bad(inner, message[:1].lower() + message[1:].replace("`", "'"))

        return leaf

    def _followed(self, value: Any, path: Path, steps: str) -> Path:
        """The path msgspec names, as far as it can be told: it does not say which value of a group is wrong."""
        for step in _STEP.finditer(steps.removeprefix("key in ").removeprefix("$")):
            key: Any = int(step[2]) if step[2] else step[1]
            if not _holds(value, key):
                break
            path, value = (*path, key), value[key]
        return path


def _holds(value: object, step: str | int) -> bool:
    if isinstance(value, list):
        return isinstance(step, int) and 0 <= step < len(value)
    return isinstance(value, dict) and step in value


def _is_struct(type_: Any) -> bool:
    return isinstance(type_, type) and issubclass(type_, msgspec.Struct) and not type_.__struct_config__.array_like


def _is_required(field: FieldInfo) -> bool:
    return field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT


def _most(meta: msgspec.Meta, value: Any) -> int:
    return len(value) if meta.max_length is None else meta.max_length


def _whose(path: Path) -> str:
    """The named thing a problem belongs to, for a message about what is missing in it."""
    return f"{found(path[-1])}: " if path and isinstance(path[-1], str) else ""
