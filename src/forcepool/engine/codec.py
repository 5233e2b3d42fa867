"""How state, commands and events become bytes and come back, fractions as exact text."""

from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec


@lru_cache(maxsize=1 << 16)
def fraction(text: str) -> Fraction:
    """'7/2' as a Fraction; the same few amounts recur thousands of times in a campaign."""
    above, slash, below = text.partition("/")
    return Fraction(int(above), int(below)) if slash else Fraction(int(above))


def to_plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no place in a journal")


def from_plain(type_: type, value: Any) -> Any:
    if type_ is Fraction:
        if not isinstance(value, str):
            raise ValueError(f"points are kept as text such as '7/2', not {value!r}")
        try:
            return fraction(value)
        except ZeroDivisionError:
            raise ValueError(f"'{value}' divides by nothing") from None
    raise TypeError(f"{type_.__name__} has no place in a journal")


encode = msgspec.json.Encoder(enc_hook=to_plain, order="deterministic").encode


def decoder(type_: Any) -> "msgspec.json.Decoder[Any]":
    return msgspec.json.Decoder(type_, dec_hook=from_plain)
