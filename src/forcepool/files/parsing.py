"""The text of a YAML file put through the parser; loaded where a file is read, which most commands do not do."""

from collections.abc import Iterator
from typing import Any

import yaml

from forcepool.files.compose import Builder, TooMuch
from forcepool.files.marks import Marks, Plain, Spot
from forcepool.files.problems import BadFile, Problem
from forcepool.files.syntax import end_of, lines_of, spotter, syntax_problems, unwritable

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def decoded(content: bytes, name: str) -> str:
    """The text of a file in UTF-8, with or without a byte order mark."""
    body = content.removeprefix(_BYTE_ORDER_MARK)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        before = body[: error.start].decode("utf-8")
        byte = error.start + len(content) - len(body)
        message = f"byte {byte + 1} of the file (0x{content[byte]:02X}) is not UTF-8 text"
        if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
            message = "the file is saved as UTF-16"
        spot = spotter(before)(len(before))
        raise BadFile([Problem(name, *spot, message, "save it with the encoding UTF-8")]) from None


def parsed(text: str, name: str, most_nodes: int) -> tuple[Plain, Marks | Spot]:
    """What YAML text says, and where; every problem with it at once."""
    text = text.removeprefix("\ufeff")
    if problems := unwritable(text, name):
        raise BadFile(problems)
    builder = Builder(name, end_of(lines_of(text)), most_nodes)
    try:
        for event in _events(text):
            builder.take(event)
    except TooMuch as stop:
        builder.report(stop.spot, str(stop), stop.hint)
    except yaml.MarkedYAMLError as error:
        builder.problems.extend(syntax_problems(error, text, name))
    except (yaml.YAMLError, ValueError, OverflowError):
        # The parser written in Python, used where the C one is missing, trips over some escapes without saying where.
        builder.report(builder.last, "the text after this place cannot be read as YAML", "look for a '\\' in quotes")
    if builder.problems:
        raise BadFile(builder.problems)
    return builder.root.data, builder.root.marks


def _events(text: str) -> Iterator[Any]:
    loader = _LOADER(text)
    try:
        while (event := loader.get_event()) is not None:
            yield event
    finally:
        loader.dispose()
