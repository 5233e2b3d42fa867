"""Putting the parser's events together into plain data and the place of each name and value."""

from typing import Any

import yaml
from msgspec import Struct

from forcepool.files.marks import Marks, Plain, Spot
from forcepool.files.problems import Problem
from forcepool.files.syntax import NAMELESS, NAMELESS_HINT, UNWRITABLE

DEEPEST = 100

_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
_STANDARD_TAG = "tag:yaml.org,2002:"


class TooMuch(Exception):
    """The file must not be read any further."""

    def __init__(self, spot: Spot, message: str, hint: str) -> None:
        super().__init__(message)
        self.spot, self.hint = spot, hint


class Node(Struct):
    """A value: its data, its marks, and how large and deep it is with every reference written out."""

    data: Plain
    marks: Marks | Spot
    size: int = 1
    depth: int = 0


class _Open(Struct):
    """A group of fields or a list whose end has not been read yet."""

    node: Node
    marks: Marks
    anchor: str | None
    is_name: bool
    name_wanted: bool
    name: str | None = None
    merging: bool = False
    bases: list[Node] = []


class Builder:
    """Builds one document, gathering every problem that does not stop the reading."""

    def __init__(self, file: str, end: Spot, most_nodes: int) -> None:
        self.file = file
        self._text_end = end
        self.problems: list[Problem] = []
        self.root = Node(None, (1, 1))
        self.last: Spot = (1, 1)
        self._most = most_nodes
        self._read = 0
        self._documents = 0
        self._open: list[_Open] = []
        # None while the group that carries the anchor is still open: a reference to it would never end.
        self._anchors: dict[str, Node | None] = {}

    def report(self, spot: Spot, message: str, hint: str = "") -> None:
        """Note a problem and go on."""
        self.problems.append(Problem(self.file, *spot, message, hint))

    def take(self, event: Any) -> None:
        """Add the next event of the file."""
        mark = event.start_mark
        self.last = spot = min((mark.line + 1, mark.column + 1), self._text_end)
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._scalar(event, spot)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._start(event, spot, mapping=kind is yaml.MappingStartEvent)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self._end()
        elif kind is yaml.AliasEvent:
            self._alias(event.anchor, spot)
        elif kind is yaml.DocumentStartEvent:
            self._documents += 1
            if self._documents > 1:
                raise TooMuch(spot, "a second document starts here", "a file holds one document: remove the '---'")

    def _scalar(self, event: Any, spot: Spot) -> None:
        self._count(1, spot)
        text, plain = event.value, not event.style
        if event.tag is not None:
            self._check_tag(event.tag, "str", spot)
            plain = False
        if event.style == '"' and (found := UNWRITABLE.search(text)):
            self.report(spot, f"the text holds the character U+{ord(found[0]):04X}", "remove the escape that makes it")
        if self._name_wanted():
            node = Node(text, spot)
            self._name(text, spot, merge=plain and text == "<<", empty=plain and text == "")
        else:
            node = Node(None if plain and text in _NOTHING else text, spot)
            self._add(node, spot)
        if event.anchor is not None:
            self._anchors[event.anchor] = node

    def _start(self, event: Any, spot: Spot, *, mapping: bool) -> None:
        self._count(1, spot)
        if event.tag is not None:
            self._check_tag(event.tag, "map" if mapping else "seq", spot)
        if is_name := self._name_wanted():
            self._refuse_name(spot)
        if len(self._open) >= DEEPEST:
            raise _too_deep(spot)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        marks = Marks(spot, {}, {})
        node = Node({} if mapping else [], marks, depth=1)
        self._open.append(_Open(node, marks, event.anchor, is_name=is_name, name_wanted=mapping))

    def _end(self) -> None:
        done = self._open.pop()
        for base in done.bases:
            _merge(done, base)
        if done.anchor is not None:
            self._anchors[done.anchor] = done.node
        if not done.is_name:
            self._add(done.node, done.marks.at)

    def _alias(self, anchor: str, spot: Spot) -> None:
        node = self._anchors.get(anchor)
        if node is None:
            self._lost_alias(anchor, spot)
            node = Node(None, spot)
            if self._open:
                self._open[-1].merging = False
        self._count(node.size, spot)
        if not self._name_wanted():
            self._add(node, spot)
        elif isinstance(node.data, str):
            self._name(node.data, spot, merge=False, empty=False)
        else:
            self._refuse_name(spot)

    def _lost_alias(self, anchor: str, spot: Spot) -> None:
        if anchor in self._anchors:
            self.report(spot, f"'*{anchor}' stands inside the very group it refers to", "a group cannot contain itself")
        else:
            hint = f"mark a value above with '&{anchor}', or put the text in quotes"
            self.report(spot, f"'*{anchor}' refers to nothing above it", hint)

    def _add(self, node: Node, spot: Spot) -> None:
        """Put a finished value where it belongs."""
        if not self._open:
            self.root = node
            return
        if len(self._open) + node.depth > DEEPEST:
            raise _too_deep(spot)
        group = self._open[-1]
        group.node.size += node.size
        group.node.depth = max(group.node.depth, node.depth + 1)
        data = group.node.data
        if isinstance(data, list):
            group.marks.inside[len(data)] = node.marks
            data.append(node.data)
            return
        group.name_wanted = True
        if group.merging:
            self._note_bases(group, node, spot)
        elif group.name is not None and isinstance(data, dict):
            data[group.name] = node.data
            group.marks.inside[group.name] = node.marks

    def _name_wanted(self) -> bool:
        return bool(self._open) and self._open[-1].name_wanted

    def _name(self, name: str, spot: Spot, *, merge: bool, empty: bool) -> None:
        """Take the name of a field; a value whose name is no good is read and dropped."""
        group = self._open[-1]
        group.name, group.name_wanted, group.merging = None, False, merge
        if empty:
            self.report(spot, NAMELESS, NAMELESS_HINT)
        elif (first := group.marks.keys.get(name)) is not None:
            self.report(spot, f"'{_short(name)}' is given twice, first on line {first[0]}", "keep one of the two")
        else:
            group.marks.keys[name] = spot
            group.name = None if merge else name

    def _refuse_name(self, spot: Spot) -> None:
        group = self._open[-1]
        group.name, group.name_wanted, group.merging = None, False, False
        self.report(spot, "a list or a group of fields cannot be a name", "put the name in quotes")

    def _note_bases(self, group: _Open, node: Node, spot: Spot) -> None:
        """Keep what '<<' brings in until the group's own fields are known, for those come first."""
        group.merging = False
        if isinstance(node.data, list) and isinstance(node.marks, Marks):
            bases = [Node(data, node.marks.inside[index]) for index, data in enumerate(node.data)]
        else:
            bases = [node]
        if not all(isinstance(base.data, dict) for base in bases):
            self.report(spot, "'<<' must be followed by a group of fields", "refer to one, such as '<<: *name'")
        group.bases.extend(base for base in bases if isinstance(base.data, dict))

    def _check_tag(self, tag: str, kind: str, spot: Spot) -> None:
        if tag == _STANDARD_TAG + kind:
            return
        shown = "!!" + tag.removeprefix(_STANDARD_TAG) if tag.startswith(_STANDARD_TAG) else tag
        self.report(
            spot, f"the tag '{_short(shown)}' is not used in these files", "remove it, or put the text in quotes"
        )

    def _count(self, nodes: int, spot: Spot) -> None:
        self._read += nodes
        if self._read > self._most:
            message = f"the file grows beyond {self._most:,} values with its '*' references written out"
            raise TooMuch(spot, message, "use fewer references, or split the file")


def _too_deep(spot: Spot) -> TooMuch:
    return TooMuch(spot, f"groups and lists are nested more than {DEEPEST} deep", "check the brackets")


def _merge(group: _Open, base: Node) -> None:
    """Give a group the fields of another that it does not have itself."""
    if not (isinstance(group.node.data, dict) and isinstance(base.data, dict) and isinstance(base.marks, Marks)):
        return
    for name, value in base.data.items():
        if name not in group.node.data:
            group.node.data[name] = value
            group.marks.keys[name] = base.marks.keys[name]
            group.marks.inside[name] = base.marks.inside[name]


def _short(words: str, most: int = 60) -> str:
    return words if len(words) <= most else words[:most] + "…"
