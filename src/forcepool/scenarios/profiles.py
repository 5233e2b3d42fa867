"""The profile a game ships: its numbers and names as data, in a file or in several, each number with its clause."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib.resources import files
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.points import parse_points
from forcepool.files.problems import BadFile
from forcepool.files.shape import shape
from forcepool.files.yamltext import Document, read_yaml
from forcepool.rulebook.book import load as rulebook

GENERAL = "general.yaml"
PARSERS: Mapping[Any, Any] = {Fraction: parse_points}
P = TypeVar("P")


class Number(Struct, frozen=True, forbid_unknown_fields=True):
    """A rate, limit, delay or worth of the rules."""

    value: Fraction
    clause: str


class Date(Struct, frozen=True, forbid_unknown_fields=True):
    """A turn from which, or until which, a rule holds."""

    turn: str
    clause: str


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """What one chapter's file adds."""

    numbers: dict[str, Number] = {}
    dates: dict[str, Date] = {}
    charts: dict[str, Any] = {}


def read_profile(package: str, type_: type[P]) -> P:
    """The profile in a game's folder `profile`; a clause it cites that does not exist is an error."""
    profile: Any = shape(general_of(package), (), type_, PARSERS)
    said = {"numbers": dict(profile.numbers), "dates": dict(profile.dates)}
    for document in chapters_of(package):
        part: Part = shape(document, (), Part, PARSERS)
        for section, ours in said.items():
            theirs = getattr(part, section)
            for name in theirs.keys() & ours.keys():
                raise BadFile(
                    [document.problem((section, name), f"'{name}' stands in another file of the profile too")]
                )
            ours |= theirs
    found: Any = replace(profile, **said)
    for clause in cited_by(found):
        rulebook()[clause]
    return found  # type: ignore[no-any-return]


def general_of(package: str) -> Document:
    """The file that says what is no chapter's: calendar, nations, sizes."""
    text = files(package).joinpath("profile", GENERAL).read_text("utf-8")
    return read_yaml(text, f"profile/{GENERAL}")


def chapters_of(package: str) -> Iterator[Document]:
    """The files beside the general one, each of a chapter."""
    for file in sorted(files(package).joinpath("profile").iterdir(), key=lambda each: each.name):
        if file.name.endswith(".yaml") and file.name != GENERAL:
            yield read_yaml(file.read_text("utf-8"), f"profile/{file.name}")


def charts_of(package: str) -> Mapping[str, tuple[Document, tuple[str, ...]]]:
    """Where each chart of the profile stands: its file, and the path in it."""
    found: dict[str, tuple[Document, tuple[str, ...]]] = {}
    for document in chapters_of(package):
        data: Any = document.data
        for name in (data or {}).get("charts") or {}:
            if name in found:
                raise BadFile([document.problem(("charts", name), f"chart '{name}' stands in another file too")])
            found[name] = (document, ("charts", name))
    return found


def cited_by(thing: Any) -> Iterator[str]:
    """The clauses that a profile names anywhere: in what is called a clause, or listed as such by `cites`."""
    if isinstance(thing, Mapping):
        for each in thing.values():
            yield from cited_by(each)
    elif isinstance(thing, Struct):
        for field in thing.__struct_fields__:
            value = getattr(thing, field)
            if field.endswith("clause") or field in getattr(thing, "cites", ()):
                yield from [value] if value else []
            else:
                yield from cited_by(value)
