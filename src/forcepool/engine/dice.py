"""Dice: from secrets that the sides have promised, bound to the order they are rolled for; or entered from the table.

Whoever has a part in the dice promises a secret by its hash before it is used. A roll takes a share of every promised
secret, and each share follows from the secret and from the order: nobody can choose it, nobody who lacks one of the
secrets can foresee it, what else was written meanwhile does not change it, and an order given again after an undo rolls
the same. The journal keeps the shares beside the roll; once the secrets are told, anyone can check them all.
"""

import hashlib
import hmac
from collections.abc import Mapping, Sequence

from msgspec import Struct

CAMPAIGN, SERVER = "campaign", "server"
"""Those who have a part in the dice besides the sides: the campaign's own file, and the server that plays it."""


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


def commitment(secret: bytes) -> str:
    """What the journal holds of a secret that is promised."""
    return hashlib.sha256(secret).hexdigest()


def keeps(promised: str, secret: bytes) -> bool:
    """Whether a secret is the one that was promised."""
    return bool(secret) and commitment(secret) == promised


def bound_to(
    campaign: str, at: Sequence[int], order: bytes, again: int, promises: Mapping[str, str] | None = None
) -> bytes:
    """What a roll is bound to: the campaign by its first seal, the moment, the order, and how often it stands there.

    With the promises in force too, whoever has seen another's share cannot make it fit a secret that he chooses now:
    under another promise the share is another. In campaigns of the second format it was not so.
    """
    parts = "".join(f"{who}={digest} " for who, digest in sorted(promises.items())) if promises is not None else ""
    return f"{campaign} {' '.join(map(str, at))} {again} {parts}".encode() + order


def share(secret: bytes, bound: bytes) -> str:
    """A secret's share in the roll of one order; it tells nothing of the secret, nor of any other share."""
    return hmac.new(secret, bound, hashlib.sha256).hexdigest()


def roll(shares: Mapping[str, str], number: int, sides: int) -> int:
    """The `number`-th die of an order, from everybody's shares in it; every face equally likely."""
    cup = "\n".join(f"{who} {shares[who]}" for who in sorted(shares)).encode()
    return _face(cup, str(number), sides)


def roll_by_entry(seed: bytes, entry: int, number: int, sides: int) -> int:
    """How campaigns of the first format rolled: by the number of the entry that asked. Kept to check those."""
    return _face(seed, f"{entry}/{number}", sides)


def _face(key: bytes, what: str, sides: int) -> int:
    attempt = 0
    limit = (1 << 64) - (1 << 64) % sides
    while True:
        digest = hmac.new(key, f"{what}/{attempt}".encode(), hashlib.sha256).digest()
        value = int.from_bytes(digest[:8], "big")
        if value < limit:
            return value % sides + 1
        attempt += 1
