"""The units that a line of losses means: by name, as players say it, or by what is printed on the counter."""

import re
from collections.abc import Iterator

from msgspec import Struct

from forcepool.engine.pasting import Choice, Roster
from forcepool.engine.places import at_hex
from forcepool.engine.points import show_counted
from forcepool.engine.sentence import Told, the_place, the_units
from forcepool.engine.state import State, Unit
from forcepool.engine.wording import counter_in_words
from forcepool.engine.world import find_unit
from forcepool.games.eastern_front.world import EasternWorld, on_the_map

SAID_FOR = {
    "panzer": "pz",
    "tank": "tk",
    "guards": "gds",
    "guard": "gds",
    "cavalry": "cav",
    "mechanized": "mech",
    "artillery": "art",
    "mountain": "mtn",
    "motorized": "mot",
    "infantry": "inf",
    "division": "xx",
    "divisions": "xx",
    "armies": "army",
    "korps": "corps",
    "ak": "corps",
    "armeekorps": "corps",
    "panzerkorps": "pz corps",
    "gebirgskorps": "mtn corps",
    "kavalleriekorps": "cav corps",
    "armee": "army",
    "armeen": "army",
    "panzerarmee": "tk army",
    "gardearmee": "gds army",
    "garde": "gds",
    "rumanian": "rum",
    "romanian": "rum",
    "hungarian": "hun",
    "finnish": "fin",
    "italian": "ital",
    "aircraft": "air",
}
"""Words written out, and how counters have them."""

_ORDINAL = re.compile(r"^([0-9]+)(?:st|nd|rd|th|\.)(?=\s|$)")
_ROMAN = re.compile(r"(?=[ivxl])(xl|l?x{0,3})(ix|iv|v?i{0,3})")
_WORTH = {"i": 1, "v": 5, "x": 10, "l": 50}
_COUNTER = re.compile(
    r"(?:(?P<many>[0-9]+)\s*[x×]\s*)?(?P<counter>[0-9]+\*?-[0-9].*?)(?:\s+(?:at|in|bei)\s+(?P<place>\S.*))?",
    re.IGNORECASE,
)
_STANDING = re.compile(r"(?P<name>.+?)\s+(?:at|in|bei)\s+(?P<place>\S.*)", re.IGNORECASE)


class Several(Exception):
    """A text that several units fit, with what may be written instead."""

    def __init__(self, said: str, choices: tuple[Choice, ...]) -> None:
        super().__init__(said)
        self.choices = choices


class Printed(Struct, frozen=True):
    """Counters named by what is printed on them: how many, what they show, and where they stand."""

    many: int
    shows: str
    place: str


def units_meant(world: EasternWorld, state: State, known: Roster, name: str, tail: str = "") -> list[str]:
    """The unit of that name, or those that show such a counter; Several or Told where it is not clear.

    `tail` is what the line says besides, such as ' isolated', to be kept when one is chosen.
    """
    if name.casefold() in known:
        return [known[name.casefold()]]
    printed = _COUNTER.fullmatch(name)
    if printed is not None:
        said = Printed(int(printed["many"] or 1), _folded(printed["counter"]), (printed["place"] or "").strip())
        return _by_counter(world, state, known, said, tail)
    standing = _STANDING.fullmatch(name)
    if standing is not None:
        return _standing(world, state, units_meant(world, state, known, standing["name"], tail), standing["place"])
    wanted = plain(name)
    alike = [each for small, each in known.items() if plain(small) == wanted]
    if len(alike) > 1:
        alike = [each for each in alike if on_the_map(state.units[each])] or alike
    if len(alike) > 1:
        raise Several(f"'{name}' could be {the_units(alike, ' or ')}; write it in full", _choices(alike, tail))
    return alike or [find_unit(state, name, known).id]


def _standing(world: EasternWorld, state: State, names: list[str], place: str) -> list[str]:
    """The units meant, if they stand where the line says."""
    point = world.hex_name(place)
    for name in names:
        unit = state.units[name]
        if unit.place != at_hex(point):
            raise Told(f"{unit} is {world.where(unit.place)}, not at {the_place(point)}")
    return names


def plain(name: str) -> str:
    """A name with its words as counters have them: '1st Guards Tank Army' is '1 gds tk army', 'LIX AK' '59 corps'."""
    number, *words = _ORDINAL.sub(r"\1", _folded(name).removeprefix("the ")).split() or [""]
    return " ".join((_counted(number), *(SAID_FOR.get(word, word) for word in words)))


def _counted(word: str) -> str:
    """The number that a corps has in Roman figures, in plain ones; any other word as it is said for."""
    if not _ROMAN.fullmatch(word):
        return SAID_FOR.get(word, word)
    values = [_WORTH[letter] for letter in word]
    return str(sum(-each if each < after else each for each, after in zip(values, [*values[1:], 0], strict=True)))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _by_counter(world: EasternWorld, state: State, known: Roster, said: Printed, tail: str) -> list[str]:
    point = world.hex_name(said.place) if said.place else ""
    shown = [unit.id for unit in _showing(state, known, said.shows) if point in ("", unit.place.of)]
    if len(shown) == said.many:
        return shown
    if not shown:
        raise Told(f"no unit {f'at {point}' if point else 'on the map'} shows {said.shows}")
    told = f"{show_counted(len(shown), 'such counter')} there: {the_units(shown, ', ')}; name those that were lost"
    raise Several(told, _choices(shown, tail))


def _showing(state: State, known: Roster, counter: str) -> Iterator[Unit]:
    for name in known.values():
        unit = state.units[name]
        if on_the_map(unit) and _folded(counter_in_words(unit.spec)) == counter:
            yield unit


def _choices(names: list[str], tail: str) -> tuple[Choice, ...]:
    return tuple(Choice(name, f"{name}{tail}") for name in names)
