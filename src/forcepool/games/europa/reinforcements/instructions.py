"""51.B.14/3  An entry's own instructions: how many it allows in a month or turn, on the map or in the pool."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import GAME_TURN, MONTH, WORDS, Fact
from forcepool.engine.places import HEX, TRACK
from forcepool.engine.points import parse_points, show_points, store_points
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.reinforcements.entries import on_entry, verb_of
from forcepool.orderofbattle import limits
from forcepool.orderofbattle.limits import Limit
from forcepool.orderofbattle.model import Entry
from forcepool.orderofbattle.words import FREE_TEXT

if TYPE_CHECKING:
    from forcepool.games.europa.reinforcements.converting import Converting

MADE = {limits.MONTH: "made_this_month", limits.TURN: "made_this_turn", limits.IN_ALL: "made_in_all"}
"""By the time a limit is for: the fact that keeps what was made, a word for each: where it was, and its REs."""
WHERE = {limits.MAP: "on the map", limits.POOL: "in the pool"}

read = lru_cache(maxsize=1 << 10)(limits.instructions)


def unread(entry: Entry) -> str:
    """What players must see to themselves: words not understood, and limits that the kind of entry is not held to."""
    if verb_of(entry) in FREE_TEXT:
        return ""
    said = read(entry.note)
    return said.unread if entry.results or not said.limits else entry.note


@rule("51.B.14/3")
def follows_its_instructions(q: "Converting") -> Verdict:
    """What the entry's own words allow in a month, in a turn or in all is not exceeded, where they say it counts."""
    said = read(q.entry.note)
    for limit in said.limits:
        if limit.where not in ("", place_of(q)):
            continue
        made = sum((_worth(word, limit) for word in _made(q, limit.per)), Fraction(0))
        more = _res(q) if limit.res else Fraction(1)
        if made + more > limit.most:
            return no(
                f"the entry says: {q.entry.note}; {show_points(made)}{' REs' if limit.res else ''} made "
                f"{f'{WHERE[limit.where]} ' if limit.where else ''}{_when(limit)}",
                remedy="" if limit.per == limits.IN_ALL else f"wait for the next {limit.per}",
                have=made + more,
                need=limit.most,
            )
    return yes("51.B.14/3", f"see to it yourselves: {said.unread}") if said.unread else YES


def _when(limit: Limit) -> str:
    return "so far" if limit.per == limits.IN_ALL else f"in this {limit.per}"


def place_of(q: "Converting") -> str:
    """Where a unit is changed: on the map, on a track, or in the pool."""
    kind = q.unit.place.kind
    return limits.MAP if kind == HEX else TRACK if kind == TRACK else limits.POOL


def _res(q: "Converting") -> Fraction:
    return sum((q.world.res(unit.spec, unit.step) for unit in q.units), Fraction(0))


def _made(q: "Converting", per: str) -> list[str]:
    said = q.facts.value(on_entry(q.entry), MADE[per])
    return said if isinstance(said, list) else []


def _worth(word: str, limit: Limit) -> Fraction:
    where, _, res = word.partition(" ")
    if limit.where not in ("", where):
        return Fraction(0)
    return parse_points(res) if limit.res else Fraction(1)


def counted(q: "Converting") -> Iterator[Event]:
    """What was made of an entry, for each time its own words set a limit for."""
    word = f"{place_of(q)} {store_points(_res(q))}"
    for per in sorted({limit.per for limit in read(q.entry.note).limits}):
        value = [*_made(q, per), word]
        yield Marked(on=on_entry(q.entry), mark=MADE[per], value=value, because="51.B.14/3")


CHAPTER = Chapter(
    heading="51.B.14",
    facts=(
        Fact(MADE[limits.MONTH], ("entry",), "what was made of it this month", [], WORDS, lasts=MONTH, by_hand=False),
        Fact(MADE[limits.TURN], ("entry",), "what was made of it this turn", [], WORDS, lasts=GAME_TURN, by_hand=False),
        Fact(MADE[limits.IN_ALL], ("entry",), "what was made of it so far", [], WORDS, by_hand=False),
    ),
)
