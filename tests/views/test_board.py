"""The board: what is folded where there is more than fits two screens."""

from fractions import Fraction

from forcepool.engine.agenda import DUE, LAPSES, OPEN, Item
from forcepool.engine.desk import Advance
from forcepool.views.board import FEW, MANY, Batch, Piece, Task, fitted


def task(kind: str, title: str, count: int, *, can_be_done: bool = True) -> Task:
    item = Item(kind, title, command=Advance() if can_be_done else None)
    priced = Piece(item, cost={"inf": Fraction(4)}) if can_be_done else Piece(item)
    return Task(kind, "", title, "", (Batch(title, (priced,) * count),))


def folded(*tasks: Task) -> list[str]:
    return [each.title for each in fitted(tasks)[0] if each.folded]


def test_nothing_is_folded_while_there_is_room() -> None:
    short = (task(DUE, "place", 2), task(LAPSES, "lapses", 2, can_be_done=False), task(OPEN, "rebuild", 6))
    assert folded(*short) == []
    assert fitted(short)[1] == MANY


def test_what_is_only_told_gives_way_first_then_the_last_and_what_is_due_never() -> None:
    long = [task(OPEN, f"task {number}", 12) for number in range(12)]
    told, due = task(LAPSES, "told", 9, can_be_done=False), task(DUE, "due", 40)
    found = folded(due, told, *long)
    assert "told" in found
    assert "due" not in found
    assert found[1:] == [f"task {number}" for number in range(12 - len(found) + 1, 12)]
    assert fitted([due, told, *long])[1] == FEW
