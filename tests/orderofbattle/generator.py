"""Plausible orders of battle of any length, the same for the same seed, with nearly every verb and lint-clean."""

import random
from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple

from forcepool.engine.calendar import Calendar, Turn

CALENDAR = Calendar(4)
FIRST = CALENDAR.turn(1941, 7, 1)


class Unit(NamedTuple):
    """A unit of the generated order of battle."""

    strength: str
    type: str
    size: str
    cadre: str
    name: str

    def __str__(self) -> str:
        return " ".join(word for word in (f"1x {self.strength}", self.type, self.size, self.cadre, self.name) if word)


KINDS = {
    "German": [
        ("8-6", "Inf", "XX", "(3-6)"),
        ("7-6", "Inf", "XX", "(3-6)"),
        ("12-10", "Pz", "XX", "(5-8)"),
        ("9-10", "Mot", "XX", "(4-8)"),
        ("5-7-6", "Sec", "XX", ""),
        ("½-6", "Const", "III", ""),
        ("2-8", "AT", "III", ""),
    ],
    "Soviet": [
        ("5-6", "Rif", "XX", "(2-6)"),
        ("3-6", "Rif", "XX", "(1-6)"),
        ("3-8", "Tk", "X", ""),
        ("0-1-5", "NKVD Border", "III", ""),
    ],
    "Rumanian": [("4-6", "Inf", "XX", "(1-6)"), ("2-8", "Cav", "X", ""), ("1-6", "Inf", "III", "")],
}
BETTER = {"8-6": "9-6", "7-6": "8-6", "5-6": "6-6", "3-6": "4-6", "12-10": "14-10", "4-6": "5-6"}
MDS = ("Leningrad", "Moscow", "Kiev", "Kharkov", "Wehrkreis VI")
CITIES = ("Minsk", "Smolensk", "Brest-Litovsk", "Bucharest", "Voronezh")
PLACES = (
    "in MD Leningrad",
    "in MDs Moscow, Kharkov",
    "in MD Kiev or Kharkov",
    "at Minsk",
    "at Smolensk in MD Moscow",
    "in any city in country Rumania",
    "at an army HQ in theatre East",
    "in theatre East",
    "in command OKH",
    "in front Centre",
    "at map edge 31 east, may be in reserve",
    "at map edge 7A west hexes 0101-0115",
    "at sea 12",
    "at sea 24A west Atlantic Ocean within 7 of 24A:0101, embarked",
    "in box FORM of MD Leningrad",
    "in box holding of Britain",
    "in the East theatre",
    "at hex 24A:0101",
    "in any port in theatre MTO",
    "at airbase Minsk",
    "in theatre border ETO",
    "",
)
CONDITIONS = ("if Soviet Union invaded", "when Leningrad has fallen", "unless Turkey is neutral", "")
GUARDS = (
    "given ETO not controlled",
    "given Southeast in play",
    "given map 24A in use",
    "given Iraqi Coup occurred",
    "",
)


class Generator:
    """Keeps the units in play, so that nothing leaves that never came."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.numbers = count(1)
        self.in_play: dict[str, list[Unit]] = {nation: [] for nation in KINDS}
        self.due: dict[str, list[tuple[Turn, str, Unit]]] = {nation: [] for nation in KINDS}
        self.turn = FIRST

    def new(self, nation: str) -> Unit:
        return Unit(*self.chance.choice(KINDS[nation]), str(next(self.numbers)))

    def brought(self, nation: str, tail: str = "") -> str:
        units = [self.new(nation)]
        self.in_play[nation] += units
        return f"{units[0]} {tail}".strip()

    def group(self, nation: str, tail: str = "") -> str:
        """Several units of one kind on a line."""
        first = self.new(nation)
        units = [first, *(first._replace(name=str(next(self.numbers))) for _ in range(self.chance.randrange(1, 4)))]
        self.in_play[nation] += units
        names = ", ".join(unit.name for unit in units)
        return f"{len(units)}{str(first)[1:].rsplit(' ', 1)[0]} {names} {tail}".strip()

    def taken(self, nation: str) -> Unit:
        units = self.in_play[nation]
        return units.pop(self.chance.randrange(len(units)))

    def changed(self, nation: str, tail: str = "") -> str:
        old = self.taken(nation)
        new = old._replace(strength=BETTER.get(old.strength, old.strength))
        self.in_play[nation].append(new)
        arrow = self.chance.choice(("→", "->", "to"))
        return f"{old} {arrow} {new} {tail}".strip()

    def later(self) -> Turn:
        return Turn(self.turn + self.chance.randrange(3, 9))

    def forming(self, nation: str) -> str:
        unit, full = self.new(nation), self.later()
        self.due[nation].append((full, "Full", unit))
        self.in_play[nation].append(unit)
        return f"{unit} in MD {self.chance.choice(MDS)}, full {CALENDAR.name(full)}"

    def withdrawn(self, nation: str) -> str:
        unit, back = self.taken(nation), self.later()
        self.due[nation].append((back, "Return", unit))
        return f"{unit} for 3 inf, return {CALENDAR.name(back)}"

    def verbs(self) -> list[tuple[str, Callable[[str], str]]]:
        pick = self.chance.choice
        return [
            ("Reinforce", lambda n: self.group(n, pick(PLACES))),
            ("Reinforce", lambda n: self.brought(n, f"{pick(PLACES)} {pick(CONDITIONS)}".strip())),
            ("Convert", lambda n: self.changed(n)),
            ("Upgrade", lambda n: f"{self.taken(n)} → {self.brought(n)} for 1½ inf, 1 arm"),
            ("Reorganize", lambda n: f"any {str(self.taken(n))[3:]} → {self.brought(n)} gives 1/2 inf each"),
            ("Withdraw", self.withdrawn),
            ("Forming", self.forming),
            ("Disband", lambda n: f"{self.taken(n)} gives 1 inf"),
            ("Transfer", lambda n: f"{self.taken(n)} from theatre East to theatre West"),
            ("Arrive", lambda n: f"{self.brought(n)} from theatre West {pick(PLACES)}".strip()),
            ("Add to garrison", lambda n: self.brought(n, f"in MD {pick(MDS)}")),
            ("Release from garrison", lambda n: f"{pick(self.in_play[n])} in MD {pick(MDS)}"),
            ("Add to replacement pool", lambda n: self.brought(n)),
            ("Remove from replacement pool", lambda n: str(self.taken(n))),
            ("Available for assembly", lambda n: self.brought(n)),
            ("Remove from breakdown box", lambda n: f"{self.taken(n)} after assembly of 5 Mtn XX"),
            ("Conditional", lambda n: f"{self.brought(n)} {pick(CONDITIONS[:-1])}"),
            ("Mobilize", lambda n: self.brought(n, f"at {pick(CITIES)}")),
            ("Disarm", lambda n: str(self.taken(n))),
            ("Replace", lambda n: str(pick(self.in_play[n]))),
            ("Sequester", lambda n: f"{self.taken(n)} {pick(GUARDS)} withdrawn Aug 1 44".replace("  ", " ")),
            ("Add to reserves", lambda n: self.brought(n, "in national reserve")),
            ("Release from national reserve", lambda n: f"{self.chance.randrange(1, 9)} REs"),
            ("Resources", lambda n: f"{self.chance.randrange(1, 9)} inf, 2½ arm, 3 SPs"),
            ("Arrive: forming", lambda n: self.forming(n)),
        ]

    def nation(self, nation: str) -> Iterator[str]:
        while len(self.in_play[nation]) < 12:
            yield "    Reinforce:"
            yield f"      {self.group(nation)}"
        for entry in [due for due in self.due[nation] if due[0] == self.turn]:
            self.due[nation].remove(entry)
            _, verb, unit = entry
            yield f"    {verb} {unit}"
            if verb == "Return":
                self.in_play[nation].append(unit)
        for verb, line in self.chance.sample(self.verbs(), 5):
            yield f"    {verb}:"
            for _ in range(self.chance.randrange(1, 4)):
                yield f"      {line(nation)}"
        if self.chance.random() < 0.2:
            yield "    Other: the owner may move one depot by rail at no cost"

    def next_turn(self) -> list[str]:
        lines = ["", CALENDAR.name(self.turn)]
        for nation in KINDS:
            lines += [f"  {nation}, theatre East", *self.nation(nation)]
        self.turn = Turn(self.turn + 1)
        return lines


def order_of_battle(length: int, seed: int = 1941) -> str:
    """An order of battle of so many lines at least, in whole turns."""
    generator = Generator(seed)
    lines = ["title: A generated order of battle"]
    while len(lines) < length:
        lines += generator.next_turn()
    return "\n".join(lines) + "\n"
