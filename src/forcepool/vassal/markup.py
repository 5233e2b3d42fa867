"""XML read warily: a file that declares entities or asks for other files is refused, and so is one nested too deep."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from forcepool.vassal.errors import BadVassal

DEEPEST = 200
MOST_ELEMENTS = 5_000_000


@dataclass(slots=True)
class Element:
    """One element: what it is, its attributes, what stands in it."""

    tag: str
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    text: str = ""

    @property
    def kind(self) -> str:
        """The last part of the tag, which is a Java class."""
        return self.tag.rpartition(".")[2]

    def get(self, name: str, otherwise: str = "") -> str:
        return self.attributes.get(name, otherwise)

    def all(self) -> Iterator["Element"]:
        """This element and everything in it, in the order of the file."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))

    def child(self, kind: str) -> "Element | None":
        return next((each for each in self.children if each.kind == kind), None)


class _Builder:
    def __init__(self, file: str, entry: str) -> None:
        self.file, self.entry = file, entry
        self.root = Element("", {})
        self.open, self.texts, self.count = [self.root], list[list[str]]([[]]), 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.data
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.EntityDeclHandler = self.doctype

    def bad(self, message: str, hint: str = "") -> BadVassal:
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        return BadVassal(self.file, f"{self.entry}, line {line}, column {column}", message, hint)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if len(self.open) > DEEPEST or self.count > MOST_ELEMENTS:
            raise self.bad("there is more in it than a module has")
        element = Element(tag, attributes)
        self.open[-1].children.append(element)
        self.open.append(element)
        self.texts.append([])

    def end(self, tag: str) -> None:
        self.open.pop().text = "".join(self.texts.pop())

    def data(self, text: str) -> None:
        self.texts[-1].append(text)

    def doctype(self, *told: Any) -> None:
        raise self.bad("it declares a document type or entities, which VASSAL never writes", "do not trust this file")


def read_markup(data: bytes, file: str, entry: str) -> Element:
    """The root element of an XML file."""
    builder = _Builder(file, entry)
    try:
        builder.parser.Parse(data, True)
    except expat.ExpatError as error:
        where = f"{entry}, line {error.lineno}, column {error.offset + 1}"
        raise BadVassal(file, where, f"this is no XML: {expat.ErrorString(error.code)}") from None
    except (LookupError, ValueError):
        raise BadVassal(file, entry, "it is written in letters that are not known", "save it as UTF-8") from None
    return builder.root.children[0]
