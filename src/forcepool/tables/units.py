"""Units as tables: what they are, where they went, what was lost and what came."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby

from forcepool.engine.calendar import Clock, Turn
from forcepool.engine.command import command_name
from forcepool.engine.events import Became, Event, Moved, Raised
from forcepool.engine.places import Place
from forcepool.tables.reader import ENTRY, UNIT, WHEN, Reader, Row, Source, when
from forcepool.tables.table import AMOUNT, Column


def _units(reader: Reader) -> Iterator[Row]:
    for unit in reader.state.units_in_order():
        place, spec = unit.place, unit.spec
        strength = spec.strength(unit.step) if spec.has(unit.step) else spec.full
        due = reader.world.turn_name(place.due) if place.due else ""
        yield (
            *reader.unit(unit.id),
            unit.step,
            Fraction(strength.attack),
            Fraction(strength.defence),
            place.kind,
            place.of,
            reader.place(place),
            due,
        )


def _movements(reader: Reader) -> Iterator[Row]:
    for each, at in reader.events(Moved, Became, Raised):
        event, frm, to, was, step = each.event, Place(""), Place(""), "", ""
        if isinstance(event, Moved):
            frm, to = event.frm, event.to
        elif isinstance(event, Became):
            was, step = event.was, event.step
        elif isinstance(event, Raised):
            to, step = event.at, event.step
            reader.specs.setdefault(event.unit, event.spec)
        assert isinstance(event, Moved | Became | Raised)
        ways = frm.kind, reader.place(frm), to.kind, reader.place(to)
        yield each.act.n, *at, each.act.order, *reader.unit(event.unit), *ways, was, step, event.because


_MOVEMENTS = (
    ENTRY,
    *WHEN,
    Column("order"),
    *UNIT,
    Column("from_kind", about="hex, track or a box"),
    Column("from_place"),
    Column("to_kind"),
    Column("to_place"),
    Column("step_was"),
    Column("step", about="full, cadre, remnant"),
    Column("clauses"),
)


def _losses(reader: Reader) -> Iterator[Row]:
    """What was lost on the map: a step of a unit, or all of it."""
    fighting = _orders_of_fighting(reader)
    began = reader.campaign.beginning.state.units
    stands, steps = {each.id: each.place for each in began}, {each.id: each.step for each in began}
    for _, of_entry in groupby(reader.events(Moved, Became, Raised), key=lambda each: each[0].act.n):
        acts = list(of_entry)
        before = {unit: (stands[unit], steps[unit]) for each, _ in acts if (unit := _unit_of(each.event)) in stands}
        for each, _ in acts:
            _follow(each.event, stands, steps)
        first, at = acts[0]
        if first.act.order not in fighting:
            continue
        why = {_unit_of(each.event): each.event.because for each, _ in reversed(acts)}
        for unit, (stood, step) in before.items():
            gone, less = not stands[unit].on_map, steps[unit] != step
            if stood.on_map and (gone or less):
                went = reader.place(stands[unit]) if gone else ""
                yield first.act.n, *at, *reader.unit(unit), step, "" if gone else steps[unit], stood.of, went, why[unit]


def _orders_of_fighting(reader: Reader) -> set[str]:
    game = reader.world.game
    loses = {command_name(game.loses)} if game.loses else set[str]()
    return loses | {order for order, habit in game.habits.items() if habit.on_map}


def _unit_of(event: Event) -> str:
    assert isinstance(event, Moved | Became | Raised)
    return event.unit


def _follow(event: Event, stands: dict[str, Place], steps: dict[str, str]) -> None:
    if isinstance(event, Moved):
        stands[event.unit] = event.to
    elif isinstance(event, Became):
        steps[event.unit] = event.step
    elif isinstance(event, Raised):
        stands[event.unit], steps[event.unit] = event.at, event.step


def _arrivals(reader: Reader) -> Iterator[Row]:
    """What came onto the map, and what is still on its way."""
    for each, at in reader.events(Moved):
        event = each.event
        if isinstance(event, Moved) and event.to.on_map and not event.frm.on_map:
            ways = reader.place(event.frm), reader.place(event.to)
            yield *at[:3], "came", *reader.unit(event.unit), *ways, each.act.n
    for unit in reader.state.units_in_order():
        if unit.place.due:
            at = when(reader.moments[Clock(Turn(unit.place.due), 0, 0)])
            yield *at[:3], "due", *reader.unit(unit.id), reader.place(unit.place), "", 0


UNITS: dict[str, Source] = {
    "units": Source(
        "the units as they are now",
        (
            *UNIT,
            Column("step"),
            Column("attack", AMOUNT, "its attack strength at that step"),
            Column("defence", AMOUNT, "its defence strength at that step"),
            Column("place_kind", about="hex, track or a box"),
            Column("area", about="the hex, or the area the box or track belongs to"),
            Column("place", about="the place in words"),
            Column("due", about="the turn it arrives"),
        ),
        _units,
    ),
    "movements": Source("where units went and what became of them", _MOVEMENTS, _movements),
    "losses": Source(
        "what was lost on the map, a step or all of a unit",
        (
            ENTRY,
            *WHEN,
            *UNIT,
            Column("step_was"),
            Column("left", about="the step that is left on the map; nothing if the unit is gone"),
            Column("at", about="where it stood"),
            Column("to_place", about="the box it went to"),
            Column("clauses"),
        ),
        _losses,
    ),
    "arrivals": Source(
        "what came onto the map, and what is still on its way",
        (*WHEN[:3], Column("what", about="came or due"), *UNIT, Column("from_place"), Column("to_place"), ENTRY),
        _arrivals,
    ),
}
