"""The record as tables: orders, dice, the clauses at work, and what the rules do not allow."""

from collections.abc import Iterator
from typing import get_args

from forcepool.engine.acts import order_in_words
from forcepool.engine.command import command_name
from forcepool.engine.events import AnyEvent, Overruled, Rolled
from forcepool.engine.options import options
from forcepool.engine.sentence import plain
from forcepool.tables.chronicle import tag_of
from forcepool.tables.reader import CLAUSES, ENTRY, UNIT, WHEN, Reader, Row, Source, when
from forcepool.tables.table import NUMBER, YES_NO, Column


def _orders(reader: Reader) -> Iterator[Row]:
    history, moments = reader.campaign.history, reader.moments
    for entry in reader.campaign.entries():
        if not entry.events:
            continue
        notes = [event.note for event in entry.events if isinstance(event, Overruled)]
        text = order_in_words(bytes(entry.do))
        yield (
            entry.n,
            *when(moments[entry.at]),
            entry.seat,
            entry.by,
            entry.when,
            text.partition(" ")[0],
            text,
            entry.n in history.undone,
            " ".join(entry.allowed),
            "; ".join(notes),
        )


def _dice(reader: Reader) -> Iterator[Row]:
    for each, at in reader.events(Rolled):
        event = each.event
        assert isinstance(event, Rolled)
        rolled = (event.sides, event.result, event.by_hand)
        yield each.act.n, *at, each.act.order, *rolled, event.because, plain(event.says)


def _clauses(reader: Reader) -> Iterator[Row]:
    for each, at in reader.events(*get_args(AnyEvent)):
        kind = tag_of(type(each.event))
        for clause in each.event.because.split():
            yield each.act.n, *at, each.act.order, kind, clause, clause.partition("/")[0]


def _closed(reader: Reader) -> Iterator[Row]:
    """What the rules do not allow at this moment, way by way."""
    units = reader.state.units_in_order()
    for done, unit in enumerate(units):
        reader.progress(done, len(units))
        for each in options(reader.world, reader.state, unit):
            for number, reason in enumerate(each.reasons, 1):
                words = (plain(reason.sentence), plain(reason.advice))
                order = command_name(each.command)
                yield *reader.unit(unit.id), order, order_in_words(each.command), number, reason.clause, *words


RECORD: dict[str, Source] = {
    "orders": Source(
        "the journal: who ordered what, what was undone and overruled",
        (
            ENTRY,
            *WHEN,
            Column("seat"),
            Column("who", about="whoever sat there"),
            Column("written", about="the time it was written down"),
            Column("order"),
            Column("text", about="the order as one types it"),
            Column("undone", YES_NO),
            Column("allowed", about="clauses whose exceptions let it pass"),
            Column("overruled", about="the note of whoever overruled the rules"),
        ),
        _orders,
    ),
    "dice": Source(
        "every die that fell",
        (
            ENTRY,
            *WHEN,
            Column("order"),
            Column("sides", NUMBER),
            Column("result", NUMBER),
            Column("by_hand", YES_NO),
            *CLAUSES,
        ),
        _dice,
    ),
    "clauses": Source(
        "which clause was at work, event by event",
        (ENTRY, *WHEN, Column("order"), Column("event"), Column("clause"), Column("heading")),
        _clauses,
    ),
    "closed": Source(
        "what could not be ordered now, with every reason; it asks all rules of all units, and takes a while",
        (
            *UNIT,
            Column("order"),
            Column("text"),
            Column("reason", NUMBER, "the first, the second …"),
            Column("clause"),
            Column("says"),
            Column("remedy"),
        ),
        _closed,
    ),
}
