"""Which unit a counter may be: by its name, the strengths it shows, its side and nation."""

import re
from collections.abc import Iterable

from msgspec import Struct

from forcepool.engine.state import Unit
from forcepool.engine.units import CADRE, FULL, REMNANT
from forcepool.engine.world import World
from forcepool.vassal.campaign.counters import one_line
from forcepool.vassal.pieces import Piece

WORD = re.compile(r"[0-9]+|[^\W\d_]+")
STRENGTH = re.compile(r"(?<![\w-])[0-9½⅓⅔¼¾/]{1,5}-(?:[0-9½⅓⅔¼¾/]{1,5}-)?[0-9]{1,2}(?![\w-])")
STEP_WORDS = {"cadre": CADRE, "kadre": CADRE, "kader": CADRE, "remnant": REMNANT, "rest": REMNANT, "full": FULL}
WHOSE = ("nation", "nationality", "country", "side", "army", "player")
"""Markers by which modules tell whose a counter is."""
LEAST_ALIKE = 3
MOST_CANDIDATES = 4


class Proposal(Struct, frozen=True):
    """What a counter may be: one unit, several to choose from, or none."""

    units: tuple[str, ...]
    step: str = ""
    """Where the counter is that of one step alone."""
    because: str = ""
    """Nothing where it has only some words in common, which is for a person to decide."""

    @property
    def certain(self) -> bool:
        return len(self.units) == 1 and bool(self.because)


class Roll:
    """The units of a campaign by all they may be called."""

    def __init__(self, world: World, units: Iterable[Unit]) -> None:
        self.world = world
        self.exact: dict[str, list[Unit]] = {}
        self.by_word: dict[str, list[Unit]] = {}
        self.words: dict[str, frozenset[str]] = {}
        for unit in units:
            for name in {squeezed(each) for each in self._called(unit)}:
                self.exact.setdefault(name, []).append(unit)
            self.words[unit.id] = frozenset(words_of(unit.id))
            for word in self.words[unit.id]:
                self.by_word.setdefault(word, []).append(unit)

    @staticmethod
    def _called(unit: Unit) -> list[str]:
        spec = unit.spec
        strengths = [str(spec.strength(step)) for step in spec.steps]
        return [
            unit.id,
            f"{spec.nation} {unit.id}",
            *(f"{strength} {unit.id}" for strength in strengths),
            *(f"{unit.id} {strength}" for strength in strengths),
            *(f"{strength} {spec.type} {spec.size} {spec.designation}" for strength in strengths if spec.designation),
        ]

    def propose(self, piece: Piece) -> Proposal:
        """The unit a counter most likely is. What its module says of side and nation must not speak against it."""
        name, step = without_step(one_line(piece.name))
        whole = [each for each in self.exact.get(squeezed(name), ()) if self._may_be(piece, each)]
        if whole:
            return _proposal(whole, step, "by its name")
        alike = self._alike(piece, name)
        said = _said(piece, name)
        whole = [each for each in alike if self.words[each.id] - {each.spec.size.casefold()} <= said]
        return _proposal(alike, step, "by number and type" if whole else "")

    def _alike(self, piece: Piece, name: str) -> list[Unit]:
        """Units with whose names a counter's has most words in common, a number or a proper name among them."""
        said = _said(piece, name)
        shown = {squeezed(each) for each in STRENGTH.findall(one_line(piece.name))}
        best: list[Unit] = []
        most = 1
        near = {unit.id: unit for word in said if _tells(word) for unit in self.by_word.get(word, ())}
        for unit in near.values():
            common = said & self.words[unit.id]
            if len(common) < most or not self._may_be(piece, unit) or not _shows(unit, shown):
                continue
            numbers = {word for word in self.words[unit.id] if word.isdigit()}
            if not numbers <= said:
                continue
            best = [unit] if len(common) > most else [*best, unit]
            most = len(common)
        return best if most > 1 else []

    def _may_be(self, piece: Piece, unit: Unit) -> bool:
        nation = unit.spec.nation
        ours = (nation.casefold(), self.world.side_of(nation).casefold())
        for name, value in piece.properties.items():
            if name.casefold() in WHOSE and value.strip():
                said = value.strip().casefold()
                if not any(_alike(said, each) for each in ours if each):
                    return False
        return True


def _said(piece: Piece, name: str) -> set[str]:
    """The words in a counter's name and in that of its picture."""
    return {*words_of(name), *words_of(one_line(piece.image).rpartition(".")[0])}


def _tells(word: str) -> bool:
    """Whether a word tells units apart: a number or a proper name, and not a type or a size."""
    return word.isdigit() or len(word) > LEAST_ALIKE


def _alike(one: str, other: str) -> bool:
    """German is Germany's, Rumanian Rumania's."""
    return one == other or (min(len(one), len(other)) >= LEAST_ALIKE and one[:LEAST_ALIKE] == other[:LEAST_ALIKE])


def _shows(unit: Unit, strengths: set[str]) -> bool:
    return not strengths or bool(strengths & {squeezed(str(unit.spec.strength(step))) for step in unit.spec.steps})


def _proposal(units: list[Unit], step: str, because: str) -> Proposal:
    if len(units) == 1 and step and not units[0].spec.has(step):
        step = ""
    ids = tuple(sorted(each.id for each in units))
    return Proposal(ids, step if step != FULL else "", because if ids else "")


def words_of(text: str) -> list[str]:
    """The words and numbers in a name, in small letters: 'ge-inf-57' has three."""
    return [each.casefold() for each in WORD.findall(text)]


def squeezed(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())


def without_step(name: str) -> tuple[str, str]:
    """A name without the word for a step at its end, and that step: '24 Inf XX (cadre)' is a counter of its own."""
    found = re.fullmatch(r"(.*?)[\s\-_]*\(?\b([A-Za-z]+)\)?\s*", name)
    step = STEP_WORDS.get(found[2].casefold(), "") if found else ""
    return (found[1], step) if found and step and found[1] else (name, "")
