"""A module with its extensions: maps, boards and their grids, counters and prototypes, bundled saves."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from forcepool.vassal.commands import ADD
from forcepool.vassal.container import LIMITS, Container, Limits, Source
from forcepool.vassal.errors import BadVassal
from forcepool.vassal.grids import NO_PLACE, Grid, Place, read_grid
from forcepool.vassal.markup import Element, read_markup
from forcepool.vassal.metadata import EXTENSION, MODULE, Metadata, read_metadata
from forcepool.vassal.pictures import NO_SIZE, Size, size_of
from forcepool.vassal.pieces import Piece, Spot
from forcepool.vassal.save import BoardAt
from forcepool.vassal.sequence import chained, decode, number
from forcepool.vassal.traits import PROTOTYPE, Trait

BUILD_FILES = ("buildFile.xml", "buildFile")
MOST_TRAITS = 2000
"""Of one counter with all its prototypes: those may call each other in a circle."""
SLOTS = ("PieceSlot", "CardSlot")


@dataclass(frozen=True, slots=True)
class Board:
    """One board of a map window."""

    name: str
    size: Size
    grid: Grid | None


@dataclass(frozen=True, slots=True)
class Map:
    """A map window: the map itself, or a chart with boxes."""

    name: str
    edges: Size
    boards: dict[str, Board]


@dataclass(frozen=True, slots=True)
class Slot:
    """A counter as the module defines it."""

    gpid: str
    name: str
    traits: tuple[Trait, ...]


@dataclass(frozen=True, slots=True)
class SetupStack:
    """Counters that lie somewhere when a game begins."""

    name: str
    map: str
    board: str
    x: int
    y: int
    location: str
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Module:
    """What a module and its extensions define."""

    file: str
    metadata: Metadata
    maps: dict[str, Map] = field(default_factory=dict)
    slots: dict[str, Slot] = field(default_factory=dict)
    """By gpid; those of extensions among them."""
    prototypes: dict[str, tuple[Trait, ...]] = field(default_factory=dict)
    setups: tuple[SetupStack, ...] = ()
    scenarios: dict[str, str] = field(default_factory=dict)
    """Bundled saves: the file of each."""
    trackers: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()

    def expanded(self, traits: Sequence[Trait]) -> tuple[Trait, ...]:
        """A counter's traits with those of its prototypes in their places."""
        return tuple(islice(self._expanded(traits, ()), MOST_TRAITS))

    def _expanded(self, traits: Iterable[Trait], within: tuple[str, ...]) -> Iterator[Trait]:
        for trait in traits:
            name = trait.fields[0] if trait.kind == PROTOTYPE else ""
            if name and name in self.prototypes and name not in within and len(within) < 20:
                yield from self._expanded(self.prototypes[name][:-1], (*within, name))
            else:
                yield trait

    def whole(self, piece: Piece) -> Piece:
        """A counter with the traits of its prototypes."""
        if not any(each.kind == PROTOTYPE for each in piece.traits):
            return piece
        traits = self.expanded(piece.traits)
        whole = (chained([each.type for each in traits]), chained([each.state for each in traits]))
        return replace(piece, definition=whole[0], state=whole[1])

    def map_called(self, name: str) -> Map | None:
        """A map window by its name, or by its number, as old saves have it: 'Map0' is the first."""
        if name in self.maps:
            return self.maps[name]
        index = number(name.removeprefix("Map"), -1) if name.startswith("Map") else -1
        return list(self.maps.values())[index] if 0 <= index < len(self.maps) else None

    def where(self, spot: Spot, boards: Mapping[str, Sequence[BoardAt]]) -> Place:
        """The zone and hex or region of a spot, on the boards a save uses."""
        on = self.map_called(spot.map)
        if on is None:
            return NO_PLACE
        left = (spot.x - on.edges[0], spot.y - on.edges[1])
        used = boards.get(spot.map) or boards.get(on.name) or [BoardAt(name, 0, 0) for name in list(on.boards)[:1]]
        for told, (x, y) in _laid_out(on, used):
            board = on.boards[told.name]
            at = (left[0] - x, left[1] - y)
            inside = all(0 <= at[axis] < board.size[axis] for axis in (0, 1)) or board.size == NO_SIZE
            if board.grid is not None and (inside or len(used) == 1):
                turned = (board.size[0] - at[0], board.size[1] - at[1]) if told.reversed else at
                found = board.grid.place(turned)
                return replace(found, board=board.name) if found and len(used) > 1 else found
        return NO_PLACE


def _laid_out(on: Map, used: Sequence[BoardAt]) -> Iterator[tuple[BoardAt, Size]]:
    """The boards of a map with the pixels each begins at: beside and below each other by their sizes."""
    known = [each for each in used if each.name in on.boards]
    widths: dict[int, int] = {}
    heights: dict[int, int] = {}
    for each in known:
        size = on.boards[each.name].size
        widths[each.column] = max(widths.get(each.column, 0), size[0])
        heights[each.row] = max(heights.get(each.row, 0), size[1])
    for each in known:
        x = sum(width for column, width in widths.items() if column < each.column)
        y = sum(height for row, height in heights.items() if row < each.row)
        yield each, (x, y)


def read_module(
    source: Source, *, name: str = "", extensions: Iterable[Source] = (), limits: Limits = LIMITS
) -> Module:
    """A module, with extensions grafted on."""
    module = _read(source, name, None, limits)
    for each in extensions:
        module = _read(each, "", module, limits)
    return module


def _read(source: Source, name: str, into: Module | None, limits: Limits) -> Module:
    with Container(source, name) as container:
        entry = next((each for each in BUILD_FILES if each in container.names), "")
        if not entry:
            hint = "this is a save; name the module" if "savedGame" in container.names else ""
            raise BadVassal(container.file, "", "there is no build file in it, so it is no module", hint)
        root = read_markup(container.read(entry, limits.build), container.file, entry)
        metadata = read_metadata(container, MODULE if into is None else EXTENSION, limits)
        reader = _Reader(container, root, into or Module(container.file, metadata), limits)
    if into is None:
        metadata = replace(
            metadata,
            module=metadata.module or root.get("name"),
            module_version=metadata.module_version or root.get("version"),
        )
        return replace(reader.module, metadata=metadata)
    return replace(reader.module, extensions=(*into.extensions, container.file))


class _Reader:
    """Looks through a build file for what is understood; the rest is how the module looks."""

    def __init__(self, container: Container, root: Element, into: Module, limits: Limits) -> None:
        self.container, self.limits = container, limits
        self.maps, self.slots = dict(into.maps), dict(into.slots)
        self.prototypes, self.scenarios = dict(into.prototypes), dict(into.scenarios)
        self.setups, self.trackers = list(into.setups), list(into.trackers)
        self._walk(root, "")
        self.module = replace(
            into,
            maps=self.maps,
            slots=self.slots,
            prototypes=self.prototypes,
            scenarios=self.scenarios,
            setups=tuple(self.setups),
            trackers=tuple(self.trackers),
        )

    def _walk(self, element: Element, on: str) -> None:
        waiting = [(element, on)]
        while waiting:
            each, on = waiting.pop()
            inside = self._take(each, on)
            waiting.extend((child, inside) for child in reversed(each.children))

    def _take(self, element: Element, on: str) -> str:
        """Note what an element defines; the map that its children belong to."""
        kind = element.kind
        if "mapName" in element.attributes and kind not in SLOTS:
            on = element.get("mapName")
            edges = number(element.get("edgeWidth")), number(element.get("edgeHeight"))
            self.maps[on] = Map(on, edges, {})
        elif kind == "ExtensionElement":
            on = _grafted_on(element.get("target"))
            if on and on not in self.maps:
                on = ""
        elif kind == "Board" and on:
            board = self._board(element)
            self.maps[on] = replace(self.maps[on], boards=self.maps[on].boards | {board.name: board})
        elif kind in SLOTS:
            slot = _slot(element)
            self.slots[slot.gpid or f"name:{slot.name}"] = slot
        elif kind == "PrototypeDefinition":
            self.prototypes[element.get("name")] = _traits(element.text)
        elif kind == "PredefinedSetup" and element.get("file"):
            self.scenarios[element.get("name")] = element.get("file")
        elif kind == "TurnTracker":
            self.trackers.append(element.get("name"))
        elif kind == "SetupStack":
            self.setups.append(_setup(element, on))
        return on

    def _board(self, element: Element) -> Board:
        size = number(element.get("width")), number(element.get("height"))
        image = f"images/{element.get('image')}"
        if element.get("image") and image in self.container.names:
            size = size_of(self.container.start_of(image, self.limits.picture))
        return Board(element.get("name"), size, read_grid(element, size))


def _grafted_on(target: str) -> str:
    """The map a part of an extension belongs to: 'VASSAL.build.module.Map:Main/…'."""
    for part in decode(target, "/"):
        kind, _, name = part.partition(":")
        if kind.rpartition(".")[2].endswith("Map") and name:
            return name
    return ""


def _traits(text: str) -> tuple[Trait, ...]:
    text = text.strip()
    fields = decode(text.removeprefix(ADD), "/")
    if not text.startswith(ADD) or len(fields) < 2:
        return (Trait("piece;;;;"),)
    return Piece("", fields[1], fields[2] if len(fields) > 2 else "").traits


def _slot(element: Element) -> Slot:
    return Slot(element.get("gpid"), element.get("entryName"), _traits(element.text))


def _setup(element: Element, on: str) -> SetupStack:
    slots = tuple(_slot(each) for each in element.children if each.kind in SLOTS)
    location = element.get("location") if element.get("useGridLocation") == "true" else ""
    x, y = number(element.get("x")), number(element.get("y"))
    return SetupStack(element.get("name"), on, element.get("owningBoard"), x, y, location, slots)
