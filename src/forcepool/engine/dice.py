"""Dice: rolled from a secret seed that the journal has promised, or entered from the table.

The journal's first entry holds the seed's hash. Each roll follows from the seed and the number of the entry that asked,
so nobody can choose it, an undone roll never comes back, and once the seed is told anyone can check them all.
"""

import hashlib
import hmac
from collections.abc import Sequence

from msgspec import Struct


class RollNeeded(Exception):
    """A rule asked for a die that was not there yet; the shell rolls it or asks the player."""

    def __init__(self, clause: str, sides: int, why: str) -> None:
        super().__init__(f"{clause} asks for a d{sides}: {why}")
        self.clause, self.sides, self.why = clause, sides, why


class Roll(Struct, frozen=True, array_like=True):
    """One die as it fell."""

    sides: int
    result: int
    by_hand: bool = False


class Tray:
    """The dice given to one decision, taken in order."""

    __slots__ = ("given", "taken")

    def __init__(self, given: Sequence[Roll] = ()) -> None:
        self.given, self.taken = given, 0

    def take(self, clause: str, sides: int, why: str) -> Roll:
        if self.taken >= len(self.given):
            raise RollNeeded(clause, sides, why)
        roll = self.given[self.taken]
        self.taken += 1
        return Roll(sides, roll.result, roll.by_hand)


def commitment(seed: bytes) -> str:
    """What the journal's first entry promises about the seed."""
    return hashlib.sha256(seed).hexdigest()


def roll(seed: bytes, entry: int, number: int, sides: int) -> int:
    """The die that entry `entry` rolls as its `number`-th; every face equally likely."""
    attempt = 0
    limit = (1 << 64) - (1 << 64) % sides
    while True:
        digest = hmac.new(seed, f"{entry}/{number}/{attempt}".encode(), hashlib.sha256).digest()
        value = int.from_bytes(digest[:8], "big")
        if value < limit:
            return value % sides + 1
        attempt += 1
