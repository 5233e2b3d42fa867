"""52.F.1  Which units a loss means: by name, as one says it, or by what the counter shows."""

import re
from difflib import get_close_matches

from msgspec import Struct

from forcepool.engine.pasting import Choice, Roster
from forcepool.engine.places import HEX
from forcepool.engine.state import State, Unit
from forcepool.engine.units import CADRE
from forcepool.games.europa import homes
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.spoken import words_of
from forcepool.orderofbattle.unit_strings import BadUnit, Parsed, parse_unit, print_unit
from forcepool.orderofbattle.words import spelt_one_way

MOST_HINTS, LONGEST_HINTED = 3, 60
"""Names for which others like them are looked for, and how long one may be."""
MOST_CHOICES = 12
LISTED = "all of them stand in the list of units"

_NUMBER_AND_LETTER = re.compile(r"([0-9]{1,4}) ?([a-hj-uwyz])(?![^\W_])")
_STRENGTH = re.compile(r"(?:^|[\s*x×])[0-9lIO½⅓⅔¼¾][0-9lIO½⅓⅔¼¾/.]*\s*[-–—−]", re.IGNORECASE)


class Misread(ValueError):
    """A loss that does not say which unit was lost, or how; `offset` is where in it."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


class Several(Misread):
    """A loss that could be several units; the choices are losses that are one."""

    def __init__(self, message: str, choices: tuple[Choice, ...]) -> None:
        super().__init__(message)
        self.choices = choices


class Near:
    """Names like one that nobody has; a text in which all are wrong is told so for the first few, or it takes long."""

    def __init__(self) -> None:
        self.left = MOST_HINTS

    def to(self, name: str, known: Roster) -> list[str]:
        self.left -= 1
        if self.left < 0 or len(name) > LONGEST_HINTED:
            return []
        return [known[each] for each in get_close_matches(name.casefold(), sorted(known), 3)]


class Asked(Struct, frozen=True):
    """Where a unit is looked for, and what the line says of it besides."""

    world: EuropaWorld
    state: State
    known: Roster
    front: str
    tail: str
    """What stands behind the unit, such as ` -> cadre isolated`, to be kept when one is chosen."""
    near: Near

    def units(self) -> list[Unit]:
        return [self.state.units[each] for each in self.known.values()]

    def on_the_map(self, units: list[str]) -> list[str]:
        """Those of them that can be lost on the map; all if none stands there."""
        there = [each for each in units if self.state.units[each].place.kind == HEX]
        return there or units


def shows_a_strength(text: str) -> bool:
    """Whether a text names a counter by what is printed on it."""
    return _STRENGTH.search(text) is not None


def units_meant(asked: Asked, name: str) -> list[str]:
    """The unit of that name, or those that show such a counter."""
    if not name:
        raise Misread("no unit is named; write '24 Inf XX', '24 Inf XX -> cadre' or '8-6 Inf XX front centre'")
    found = units_called(asked.known, name)
    if not found and shows_a_strength(name):
        return _by_counter(asked, name)
    found = found or spoken_of(asked, name)
    if len(found) > 1:
        found = asked.on_the_map(found)
    if len(found) == 1:
        return found
    if found:
        raise Several(f"'{name}' could be {_or(found)}; write it in full", _choices(asked, found))
    close = asked.near.to(name, asked.known)
    if close:
        raise Several(f"there is no unit '{name}'; did you mean {' or '.join(close)}?", _choices(asked, close))
    raise Misread(f"there is no unit '{name}'; {LISTED}")


def units_called(known: Roster, name: str) -> list[str]:
    """The unit of that id in any letters, else all whose id begins with these words."""
    folded = " ".join(name.casefold().split())
    if not folded:
        return []
    if folded in known:
        return [known[folded]]
    found = [each for small, each in known.items() if small.startswith(folded + " ")]
    if found or not _NUMBER_AND_LETTER.match(folded):
        return found
    # 60 L is the 60L, and the 60L may be listed as the 60 L.
    called = _NUMBER_AND_LETTER.sub(r"\1\2", folded)
    named = ((_NUMBER_AND_LETTER.sub(r"\1\2", small), each) for small, each in known.items())
    return [each for small, each in named if f"{small} ".startswith(f"{called} ")]


def spoken_of(asked: Asked, name: str) -> list[str]:
    """The units that have every word of a name, however their types and sizes are spelt."""
    wanted = words_of(name)
    # Without a number or a name of its own it would be every unit of its type.
    return [unit.id for unit in asked.units() if wanted and wanted <= _words(unit)] if len(wanted) > 1 else []


def _words(unit: Unit) -> frozenset[str]:
    spec = unit.spec
    return words_of(f"{unit.id} {spec.type} {spec.size} {spec.designation} {spec.nation} {spec.force}")


# ------------------------------------------------------------------------------------------- by the counter


def _by_counter(asked: Asked, name: str) -> list[str]:
    try:
        counter = parse_unit(name)
        area = asked.world.pool_named(asked.front) if asked.front else ""
        nation = asked.world.nation_named(counter.spec.nation) if counter.spec.nation else ""
    except BadUnit as error:
        raise Misread(str(error), error.column - 1) from None
    except ValueError as error:
        raise Misread(str(error)) from None
    alike = [
        unit
        for unit in asked.units()
        if unit.place.kind == HEX
        and _is_alike(unit, counter, nation)
        and _stands_in(asked.world, asked.state, unit, area)
    ]
    found = [unit.id for unit in alike if unit.spec.strength(unit.step) == counter.spec.full]
    if len(found) == counter.count:
        return found
    where = f" in {area}" if area else ""
    if not found and counter.designations and alike:
        shows = " or ".join(f"{unit.id} ({unit.spec.strength(unit.step)})" for unit in alike[:4])
        meant = f"no unit on the map{where} shows {name}; did you mean {shows}?"
        raise Several(meant, _choices(asked, [unit.id for unit in alike]))
    if not found:
        raise Misread(f"no unit on the map{where} shows {name}; {LISTED}")
    those = f"{_or(found)}; name the ones that were lost"
    left = counter if counter.count <= len(found) else None
    show = "unit shows" if len(found) == 1 else "units show"
    raise Several(f"{len(found)} {show} {name}{where}, not {counter.count}: {those}", _choices(asked, found, left))


def _is_alike(unit: Unit, counter: Parsed, nation: str) -> bool:
    """Whether a unit is of the kind and name a counter shows; a cadre given in brackets must be its own."""
    spec, wanted = unit.spec, counter.spec
    return (
        (spelt_one_way(spec.type), spec.size) == (spelt_one_way(wanted.type), wanted.size)
        and (wanted.cadre is None or (spec.has(CADRE) and spec.cadre == wanted.cadre))
        and (not nation or spec.nation == nation)
        and (not counter.designations or _bears(unit, counter.designations))
    )


def _bears(unit: Unit, designations: tuple[str, ...]) -> bool:
    """Whether one of these is the unit's own, on its counter or in its name."""
    spec = unit.spec
    own = {spec.designation.casefold(), unit.id.casefold().removesuffix(f" {spec.type} {spec.size}".casefold())}
    return any(each.casefold() in own for each in designations)


def _stands_in(world: EuropaWorld, state: State, unit: Unit, area: str) -> bool:
    """A hex of which nobody has said where it lies may lie anywhere; on enemy ground a unit is under its own front."""
    around = world.spot(unit.place.of).area
    if not area or not around or area in world.line_of(around):
        return True
    return area in world.line_of(homes.home_of(world, world.facts(state), unit))


# ------------------------------------------------------------------------------------------------- choosing


def _choices(asked: Asked, units: list[str], counter: Parsed | None = None) -> tuple[Choice, ...]:
    """Each unit as a loss of its own; of several alike the rest stays to be chosen next."""
    more = ""
    if counter is not None and counter.count > 1:
        more = f", {print_unit(counter.spec, count=counter.count - 1)}{asked.tail}"
    return tuple(Choice(_told(asked.state.units[each]), f"{each}{asked.tail}{more}") for each in units[:MOST_CHOICES])


def _told(unit: Unit) -> str:
    step = "" if unit.step == "full" else f" {unit.step}"
    return f"{unit.id}{step}, {unit.place.of}" if unit.place.kind == HEX else f"{unit.id}{step}"


def _or(units: list[str]) -> str:
    return " or ".join(units[:4]) + (" or others" if len(units) > 4 else "")
