"""The table as VASSAL would lay it out: commands carried out one by one, in the order of the file."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from forcepool.vassal.commands import ADD, CHANGE, MOVE, REMOVE
from forcepool.vassal.pieces import NOWHERE, Piece, Spot, Stack, is_stack, read_piece, read_stack
from forcepool.vassal.players import Masks
from forcepool.vassal.sequence import decode, field, number, unquoted


@dataclass(frozen=True, slots=True)
class Change:
    """What one command did to one counter."""

    piece: str
    before: Piece | None
    """None: it was added."""
    after: Piece | None
    """None: it was removed."""
    by: str = ""
    """Whoever moved it, as far as the file tells."""


@dataclass(slots=True)
class Heap:
    """A stack while a file is read. What lies in it is looked up and taken out at once, be it ever so high."""

    id: str
    at: Spot
    pieces: dict[str, None]
    deck: bool = False

    @property
    def stack(self) -> Stack:
        return Stack(self.id, self.at, tuple(self.pieces), self.deck)


class Misfit(ValueError):
    """A command that lacks what it needs; it is kept as it is."""


class Table:
    """Counters and stacks while a file is read."""

    def __init__(self, masks: Masks) -> None:
        self.masks = masks
        self.pieces: dict[str, Piece] = {}
        self.heaps: dict[str, Heap] = {}
        self.at: dict[Spot, str] = {}

    def carry_out(self, command: str) -> list[Change]:
        """What a command about counters changes; Misfit if it cannot be carried out."""
        fields = decode(command[2:], "/")
        if command.startswith(ADD):
            return list(self._add(fields))
        if command.startswith(REMOVE):
            return list(self._remove(unquoted(command[2:])))
        if command.startswith(CHANGE):
            return list(self._change(fields))
        if command.startswith(MOVE):
            return list(self._move(fields))
        raise Misfit("it is no command about counters")

    def _add(self, fields: list[str]) -> Iterator[Change]:
        if len(fields) < 3:
            raise Misfit("a counter without definition or state")
        name, definition, state = fields[:3]
        if is_stack(definition):
            yield from self._lay(read_stack(name, definition, state))
            return
        before = self.pieces.get(name)
        piece = read_piece(name, definition, state, self.masks)
        yield self._put(before, replace(piece, at=piece.own_spot))

    def _put(self, before: Piece | None, after: Piece, by: str = "") -> Change:
        self.pieces[after.id] = after
        return Change(after.id, before, after, by)

    def _lay(self, stack: Stack, by: str = "") -> Iterator[Change]:
        """Put a stack where it says, with all it lists: a counter in a stack is where the stack is."""
        heap = Heap(stack.id, stack.at, dict.fromkeys(each for each in stack.pieces if each in self.pieces), stack.deck)
        old = self.heaps.get(stack.id)
        if old:
            self._forget(old)
            for each in old.pieces.keys() - heap.pieces.keys():
                if (left := self.pieces.get(each)) and left.stack == stack.id:
                    self.pieces[each] = replace(left, stack="")
        self.heaps[stack.id] = heap
        if heap.at.map:
            self.at[heap.at] = heap.id
        for each in heap.pieces:
            piece = self.pieces[each]
            if piece.stack != heap.id:
                self._leave(piece)
            if (piece.at, piece.stack) != (heap.at, heap.id):
                yield self._put(piece, replace(piece, at=heap.at, stack=heap.id), by)

    def _forget(self, heap: Heap) -> None:
        if self.at.get(heap.at) == heap.id:
            del self.at[heap.at]

    def _leave(self, piece: Piece) -> None:
        if heap := self.heaps.get(piece.stack):
            heap.pieces.pop(piece.id, None)

    def _remove(self, name: str) -> Iterator[Change]:
        if heap := self.heaps.pop(name, None):
            self._forget(heap)
            return
        if piece := self.pieces.pop(name, None):
            self._leave(piece)
            yield Change(name, piece, None)

    def _change(self, fields: list[str]) -> Iterator[Change]:
        if len(fields) < 2:
            raise Misfit("a change without a state")
        name, state = fields[:2]
        if old := self.heaps.get(name):
            yield from self._lay(read_stack(name, "deck;" if old.deck else "stack", state))
            return
        piece = self.pieces.get(name)
        if piece is None:
            raise Misfit("a change of a counter that is not there")
        changed = read_piece(name, piece.definition, state, self.masks)
        moved = not piece.stack and piece.own_spot != changed.own_spot
        yield self._put(piece, replace(changed, at=changed.own_spot if moved else piece.at, stack=piece.stack))

    def _move(self, fields: list[str]) -> Iterator[Change]:
        if len(fields) < 4:
            raise Misfit("a move without a place")
        name, on = fields[:2]
        to = NOWHERE if on == "null" else Spot(on, number(fields[2]), number(fields[3]))
        by = self.masks.name(field(fields, 9))
        if heap := self.heaps.get(name):
            yield from self._lay(replace(heap.stack, at=to), by)
            return
        piece = self.pieces.get(name)
        if piece is None:
            raise Misfit("a move of a counter that is not there")
        self._leave(piece)
        joined = self.heaps.get(self.at.get(to, ""))
        if joined:
            joined.pieces[name] = None
        yield self._put(piece, replace(piece, at=to, stack=joined.id if joined else ""), by)
