"""One written word as a value: a number, a yes or no, one of a list of words."""

import difflib
import enum
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

Scalar = Callable[[str], object]
Parsers = Mapping[Any, Callable[[str], object]]

MOST_WORDS = 12
LONGEST_SHOWN = 40

_WHOLE = re.compile(r"[+-]?[0-9]+")
_YES_NO = {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}


class Misread(ValueError):
    """A word that does not say what was expected, with the remedy if there is an obvious one."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def found(value: object) -> str:
    """What stands in the file, shortened to fit a message."""
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a group of fields"
    if isinstance(value, list):
        return "a list"
    words = str(value)
    return f"'{words}'" if len(words) <= LONGEST_SHOWN else f"'{words[:LONGEST_SHOWN]}…'"


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like the one written, if any is like it; capitals do not matter."""
    by_lower = {other.lower(): other for other in known}
    matches = difflib.get_close_matches(word.lower(), by_lower, n=1)
    return by_lower[matches[0]] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint with the word probably meant."""
    near = closest(word, known)
    return "" if near is None else f"did you mean '{near}'?"


def suggestion(word: str, known: Sequence[str]) -> str:
    """A hint with the word probably meant, and all the known ones if they are few."""
    listed = f"known: {', '.join(known)}" if 0 < len(known) <= MOST_WORDS else ""
    return " ".join(part for part in (did_you_mean(word, known), listed) if part)


def scalar(type_: Any, parsers: Parsers) -> Scalar | None:
    """How a word of this type is read, or None if the type is no single word."""
    if type_ in parsers:
        return _parsed(type_, parsers[type_])
    if (newtype := getattr(type_, "__supertype__", None)) is not None:
        return scalar(newtype, parsers)
    if type_ in _SIMPLE:
        return _SIMPLE[type_]
    if get_origin(type_) is Literal:
        return _choice({str(word): word for word in get_args(type_) if word is not None})
    if isinstance(type_, type) and issubclass(type_, enum.Enum):
        return _choice({str(member.value): member for member in type_})
    if get_origin(type_) is Annotated:
        return _limited(type_, parsers)
    return None


def any_of(readers: Sequence[Scalar]) -> Scalar:
    """The first way of reading a word that fits it; plain text, which fits everything, is tried last."""
    ordered = sorted(readers, key=lambda reader: reader is _text)

    def read(word: str) -> object:
        complaints = []
        for reader in ordered:
            try:
                return reader(word)
            except Misread as error:
                complaints.append(error)
        wanted = " or ".join(str(error).removeprefix("expected ").split(", found ")[0] for error in complaints)
        hints = [error.hint for error in complaints if error.hint]
        raise Misread(f"expected {wanted}, found {found(word)}", hints[0] if hints else "")

    return read


def wanted(type_: Any) -> str:
    """What a player would call a value of this type."""
    if (newtype := getattr(type_, "__supertype__", None)) is not None:
        return wanted(newtype)
    if get_origin(type_) is Annotated:
        return wanted(get_args(type_)[0])
    if get_origin(type_) is Literal or (isinstance(type_, type) and issubclass(type_, enum.Enum)):
        return "a known word"
    return {str: "text", int: "a whole number", bool: "yes or no"}.get(type_, "a value")


def _text(word: str) -> object:
    return word


def _whole(word: str) -> object:
    if not _WHOLE.fullmatch(word) or len(word) > LONGEST_SHOWN:
        raise Misread(f"expected a whole number, found {found(word)}")
    return int(word)


def _yes_no(word: str) -> object:
    if (answer := _YES_NO.get(word.lower())) is None:
        raise Misread(f"expected yes or no, found {found(word)}")
    return answer


_SIMPLE: dict[Any, Scalar] = {str: _text, int: _whole, bool: _yes_no}


def _parsed(type_: Any, parse: Callable[[str], object]) -> Scalar:
    def read(word: str) -> object:
        try:
            return parse(word)
        except Misread:
            raise
        except (ValueError, ArithmeticError) as error:
            name = getattr(type_, "__name__", "value")
            raise Misread(str(error) or f"{found(word)} is not a {name}") from None

    return read


def _choice(members: Mapping[str, object]) -> Scalar:
    expected = f"one of {', '.join(members)}" if len(members) <= MOST_WORDS else "a known word"

    def read(word: str) -> object:
        if word in members:
            return members[word]
        raise Misread(f"expected {expected}, found {found(word)}", did_you_mean(word, members))

    return read


def _limited(type_: Any, parsers: Parsers) -> Scalar | None:
    """A word with limits set on its value, such as a number of at least 1."""
    base, *extras = get_args(type_)
    inner = scalar(base, parsers)
    metas = [extra for extra in extras if isinstance(extra, msgspec.Meta)]
    if inner is None or not metas or base in parsers:
        return inner
    sentence = f"expected {wanted(base)}{''.join(limits(meta) for meta in metas)}"

    def read(word: str) -> object:
        value = inner(word)
        try:
            return msgspec.convert(value, type_)
        except msgspec.ValidationError:
            raise Misread(f"{sentence}, found {found(word)}") from None

    return read


def limits(meta: msgspec.Meta) -> str:
    """The limits on a value in words that follow its name."""
    parts = []
    for words, limit in (
        ("of at least", meta.ge),
        ("more than", meta.gt),
        ("of at most", meta.le),
        ("less than", meta.lt),
        ("that is a multiple of", meta.multiple_of),
        ("of the form", meta.pattern),
        ("of length at least", meta.min_length),
        ("of length at most", meta.max_length),
    ):
        if limit is not None:
            parts.append(f" {words} {limit}")
    return " and".join(parts)
