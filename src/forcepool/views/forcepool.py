"""The force pool: every box and the turn track as on the paper charts, for any game."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.answers import watched
from forcepool.engine.campaign import Campaign
from forcepool.engine.facts import Facts, kept, unit_key
from forcepool.engine.places import HEX, OUT, TRACK, Place
from forcepool.engine.state import State, Unit
from forcepool.engine.units import FULL, UnitSpec
from forcepool.engine.wording import markers
from forcepool.engine.world import World
from forcepool.orderofbattle.words import spelt_one_way
from forcepool.views.names import by_nation_and_number, natural, pool_in_words, pool_order
from forcepool.views.said import sentence_said

ORDINAL = re.compile(r"^(\d+)(?:st|nd|rd|th)$")
ON_MAP = "hex"
REDUCED = "reduced"
"""The box of those on the map below full strength."""
COLUMNS = 8
"""The turn track shows so many turns from now on, empty or not, and later ones where something is due."""


class PoolUnit(Struct, frozen=True):
    """A counter as it lies in a box."""

    unit: str
    spec: UnitSpec
    step: str
    side: str
    where: str
    area: str
    """The front, MD or nation it lies with; nothing where there is none."""
    due: str
    """The turn it arrives, if one is set."""
    marks: tuple[str, ...]
    """Its markers as the rules keep them."""
    marks_said: tuple[str, ...]
    """Its markers as players say them."""
    track: str = ""
    """The track it is on, in the game's words."""


class Shelf(Struct, frozen=True):
    """The part of a box that belongs to one front, MD or nation."""

    of: str
    title: str
    units: tuple[PoolUnit, ...]


class Box(Struct, frozen=True):
    """One box, with all its parts."""

    kind: str
    name: str
    """In the game's words: ELIMINATED BOX."""
    count: int
    shelves: tuple[Shelf, ...]

    @property
    def units(self) -> tuple[PoolUnit, ...]:
        """Everything in the box, part by part."""
        return tuple(unit for shelf in self.shelves for unit in shelf.units)


class Column(Struct, frozen=True):
    """One turn of the turn track."""

    turn: int
    name: str
    count: int
    units: tuple[PoolUnit, ...]
    overdue: bool = False
    now: bool = False


class ForcePool(Struct, frozen=True):
    """The boxes and the turn track, and what one may narrow them by."""

    boxes: tuple[Box, ...]
    track: tuple[Column, ...]
    shown: int
    """How many units are listed."""
    of: int
    """How many units the campaign has."""
    sides: tuple[str, ...]
    nations: tuple[str, ...]
    fronts: tuple[str, ...]
    types: tuple[str, ...]
    kinds: tuple[tuple[str, str], ...]
    """Every kind of box in use, with its name."""


def force_pool(
    campaign: Campaign,
    *,
    side: str = "",
    nation: str = "",
    front: str = "",
    type: str = "",
    box: str = "",
    words: str = "",
    on_map: bool = False,
    out: bool = False,
    sees: Callable[[Unit], bool] = lambda unit: True,
    turns: int = COLUMNS,
) -> ForcePool:
    """The force pool, or a part of it; `on_map` lists full units on the map too, `out` those out of play.

    What a seat does not see is neither listed nor counted.
    """
    world = campaign.world
    state = watched(world, campaign.state)
    wanted = Wanted(side, nation, front.casefold(), type.casefold(), box, tuple(words.casefold().split()))
    everyone = sorted(filter(sees, state.units.values()), key=by_nation_and_number)
    found = [unit for unit in everyone if _listed(unit, on_map, out) and wanted.fits(world, state, unit)]
    on_tracks = [unit for unit in found if on_a_track(world, unit.place)]
    in_boxes = [unit for unit in found if not on_a_track(world, unit.place)]
    nations = {unit.spec.nation: unit for unit in everyone}
    # Units of a nation in one place are under the same areas.
    somewhere = {(unit.spec.nation, unit.place.kind, unit.place.of): unit for unit in everyone}.values()
    return ForcePool(
        boxes=_boxes(world, state, in_boxes),
        track=_track(world, state, on_tracks, turns),
        shown=len(found),
        of=len(everyone),
        sides=tuple(
            dict.fromkeys((*world.sequence.players, *sorted({_side(world, state, u) for u in nations.values()})))
        ),
        nations=tuple(sorted(nations)),
        fronts=tuple(sorted({area for unit in somewhere for area in areas_of(world, state, unit)}, key=pool_order)),
        types=tuple(sorted({unit.spec.type for unit in everyone}, key=natural)),
        kinds=tuple(
            (kind, box_name(world, kind)) for kind in sorted({box_of(u) for u in everyone}, key=_box_order(world))
        ),
    )


def by_side(found: ForcePool) -> tuple[tuple[str, ForcePool], ...]:
    """The force pool of each side that has something in it: enemies lie in boxes of their own."""
    sides = dict.fromkeys((*found.sides, *(unit.side for unit in _units(found))))
    parts = ((side, _of_side(found, side)) for side in sides)
    return tuple((side, part) for side, part in parts if part.shown)


def _units(found: ForcePool) -> Iterator[PoolUnit]:
    for box in found.boxes:
        yield from box.units
    for column in found.track:
        yield from column.units


def _of_side(found: ForcePool, side: str) -> ForcePool:
    boxes = []
    for box in found.boxes:
        shelves = [replace(each, units=tuple(u for u in each.units if u.side == side)) for each in box.shelves]
        kept = tuple(each for each in shelves if each.units)
        if kept:
            boxes.append(replace(box, shelves=kept, count=sum(len(each.units) for each in kept)))
    track = []
    for column in found.track:
        units = tuple(unit for unit in column.units if unit.side == side)
        track.append(replace(column, units=units, count=len(units)))
    due = sum(column.count for column in track)
    return replace(
        found, boxes=tuple(boxes), track=tuple(track) if due else (), shown=due + sum(box.count for box in boxes)
    )


# ------------------------------------------------------------------------------------------------- which units


class Wanted(Struct, frozen=True):
    """What the units listed must have in common; what is empty does not matter."""

    side: str = ""
    nation: str = ""
    front: str = ""
    type: str = ""
    box: str = ""
    words: tuple[str, ...] = ()

    def fits(self, world: World, state: State, unit: Unit) -> bool:
        """Whether a unit is one of them."""
        return (
            self.nation in ("", unit.spec.nation)
            and self.type in ("", unit.spec.type.casefold())
            and self.box in ("", box_of(unit))
            and named(unit, self.words)
            and (not self.side or self.side == _side(world, state, unit))
            and (not self.front or any(_is_called(area, self.front) for area in areas_of(world, state, unit)))
        )


def named(unit: Unit, words: Iterable[str]) -> bool:
    """Whether every word is one of the unit's, or a longer part of its name; '6th' is 6, and 'Panzer' is Pz."""
    name = unit.id.casefold()
    own = name.split()
    return all(word in own or _spelt(word) in own or (len(word) > 2 and word in name) for word in words)


def asked_for_first(words: Iterable[str]) -> Callable[[Unit], tuple[Any, ...]]:
    """How units that answer to some words are sorted: those whose own number is among them before all others."""
    numbers = {word for word in map(_spelt, words) if word.isdecimal()}
    return lambda unit: (unit.id.split()[0] not in numbers, *by_nation_and_number(unit))


def _spelt(word: str) -> str:
    return ORDINAL.sub(r"\1", spelt_one_way(word))


def _is_called(area: str, name: str) -> bool:
    """'front/centre' is called so in full, or by its last part."""
    folded = area.casefold()
    return name in (folded, folded.partition("/")[2])


def _listed(unit: Unit, on_map: bool, out: bool) -> bool:
    if unit.place.kind == HEX:
        return on_map or unit.step != FULL
    return out or unit.place.kind != OUT


def _side(world: World, state: State, unit: Unit) -> str:
    return world.side_now(state, unit.spec.nation)


def areas_of(world: World, state: State, unit: Unit) -> tuple[str, ...]:
    """The areas a unit is under; in a game without areas, whatever its box belongs to."""
    found = world.areas_of(unit, state)
    if found is None:
        return () if unit.place.kind == HEX or not unit.place.of else (unit.place.of,)
    return tuple(found)


# ------------------------------------------------------------------------------------------ boxes and the track


def box_of(unit: Unit) -> str:
    """The kind of box a unit lies in; those on the map have one for full strength and one for the rest."""
    if unit.place.kind == HEX:
        return ON_MAP if unit.step == FULL else REDUCED
    return unit.place.kind


def box_name(world: World, kind: str) -> str:
    """A box in the game's words, with a capital."""
    ours = {ON_MAP: "On the map, full strength", REDUCED: "On the map, cadres", OUT: "Out of play"}
    if kind in ours:
        return ours[kind]
    name = world.game.box_names.get(kind, "turn track" if kind == TRACK else f"{kind.upper()} BOX")
    return name[:1].upper() + name[1:]


def on_a_track(world: World, place: Place) -> bool:
    """Whether a place is a slot on a track: whoever waits in a box stays in it, even with a turn set."""
    return bool(place.due) and "box" not in box_name(world, place.kind).casefold()


def _box_order(world: World) -> "_Order":
    return _Order((REDUCED, *world.game.box_names, ON_MAP, OUT))


class _Order:
    """Cadres on the map first, the boxes as the game lists them, then full units and those out of play."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        self.kinds = kinds

    def __call__(self, kind: str) -> tuple[int, str]:
        return (self.kinds.index(kind) if kind in self.kinds else len(self.kinds), kind)


def _boxes(world: World, state: State, units: list[Unit]) -> tuple[Box, ...]:
    boxes: dict[str, dict[str, list[Unit]]] = {}
    facts = world.facts(state)
    for unit in units:
        boxes.setdefault(box_of(unit), {}).setdefault(_shelf_of(world, state, unit), []).append(unit)
    return tuple(
        Box(
            kind,
            box_name(world, kind),
            sum(map(len, boxes[kind].values())),
            tuple(
                Shelf(
                    of, pool_in_words(of) if of else "", tuple(_pool_unit(world, facts, u.id) for u in boxes[kind][of])
                )
                for of in sorted(boxes[kind], key=pool_order)
            ),
        )
        for kind in sorted(boxes, key=_box_order(world))
    )


def _shelf_of(world: World, state: State, unit: Unit) -> str:
    """What part of its box a unit is in: on the map the front it is under, else what the box belongs to."""
    if unit.place.kind != HEX:
        return unit.place.of
    return next((area for area in areas_of(world, state, unit) if area.startswith("front/")), "")


def _track(world: World, state: State, units: list[Unit], ahead: int) -> tuple[Column, ...]:
    by_turn: dict[int, list[Unit]] = {}
    for unit in units:
        by_turn.setdefault(unit.place.due, []).append(unit)
    now, facts = state.clock.turn, world.facts(state)
    turns = sorted({*by_turn, *range(now, now + ahead)}) if units else []
    return tuple(
        Column(
            turn,
            world.turn_name(turn),
            len(by_turn.get(turn, ())),
            tuple(_pool_unit(world, facts, unit.id) for unit in by_turn.get(turn, ())),
            overdue=turn < now,
            now=turn == now,
        )
        for turn in turns
    )


@kept
def _pool_unit(world: World, facts: Facts, unit_id: str) -> PoolUnit:
    state = facts.state
    unit = state.units[unit_id]
    listed = tuple(markers(world, state, unit_key(unit.id)))
    return PoolUnit(
        unit=unit.id,
        spec=unit.spec,
        step=unit.step,
        side=_side(world, state, unit),
        where=world.show_place(unit.place),
        area=next(iter(areas_of(world, state, unit)), ""),
        due=world.turn_name(unit.place.due) if unit.place.due else "",
        marks=tuple(each.kept for each in listed),
        marks_said=tuple(sentence_said(each.said) for each in listed),
        track=box_name(world, unit.place.kind) if on_a_track(world, unit.place) else "",
    )
