"""What players call kinds of point, and how they write several amounts in a line."""

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from fractions import Fraction

from forcepool.engine.command import BadCommand
from forcepool.engine.points import BadPoints, parse_points
from forcepool.engine.sentence import the_field

CALLED = {
    "infantry": "inf",
    "armour": "arm",
    "armor": "arm",
    "armoured": "arm",
    "armored": "arm",
    "airborne": "air-droppable",
    "parachute": "air-droppable",
    "light": "mountain",
    "marine": "amphibious",
    "winterised": "winterized",
    "specialized-armor": "specialized-armour",
    "specialised-armour": "specialized-armour",
}
"""Other words for a kind: whole, in the other spelling, or by another type of the same allowance."""

# 'artillery' is an allowance of limited REs; among points that are moved it can only mean RPs.
ARTILLERY = {"artillery": "art"}

_RPS = re.compile(r"\s+(?:rps?|points?)$", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*[,;&]\s*|\s+(?:and|\+)\s+", re.IGNORECASE)
_PIECE = re.compile(r"(?P<amount>[^A-Za-z]*?)\s*(?P<kind>[A-Za-z].*)")


def kind_called(text: str, kinds: Sequence[str]) -> str:
    """The kind of point a player means: 'Inf', 'inf RPs' and 'infantry' are inf."""
    if text in kinds:
        return text
    bare = re.sub(r"\s+", "-", _RPS.sub("", text.strip().casefold()).removesuffix("."))
    for word in (bare, bare.removesuffix("s"), CALLED.get(bare, "")):
        if word in kinds:
            return word
    close = get_close_matches(bare, kinds, 1)
    hint = f"did you mean {close[0]}?" if close else f"kinds are {', '.join(kinds)}"
    raise BadCommand(f"there are no '{text}' points; {hint}")


def pieces_of(text: str) -> list[str]:
    """Several amounts as they stand side by side: '4 inf, 1 arm', '4 inf and 1 arm', '4 inf + 1 arm'."""
    return _BETWEEN.split(text.strip())


def some(text: str, field: str) -> Fraction:
    """A number of points that is more than nothing."""
    amount = parse_points(text)
    if amount <= 0:
        raise BadCommand(f"{the_field(field)} is more than nothing, such as 2")
    return amount


def amount_in(piece: str, kinds: Sequence[str]) -> tuple[Fraction, str]:
    """One amount and its kind: '4 inf', '½ armour', '2.5 Inf RPs'."""
    form = _PIECE.fullmatch(piece.strip())
    try:
        amount = parse_points(form["amount"] if form else "")
    except BadPoints:
        form = None
    if form is None:
        raise BadCommand(f"'{piece.strip()}' is no amount of points; write for example '4 inf, 1/2 arm'")
    kind = _RPS.sub("", form["kind"].casefold())
    return amount, kind_called(ARTILLERY.get(kind, form["kind"]), kinds)


def forfeit_said(when: str, turn_name: Callable[[int], str]) -> str:
    """The points a nation is to forfeit: on a turn, as it next receives any, or once it has them."""
    known = {"next receipt": "at the next receipt", "deficit": "as soon as it can be"}
    return f"to be forfeited {f'on {turn_name(int(when))}' if when.isdecimal() else known.get(when, when)}"
