"""Lint: what a printed order of battle got wrong, or what went wrong in typing it."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.calendar import SHORT_MONTHS
from forcepool.orderofbattle.comings import beyond_the_mix, comes_twice, never_arrives, without_partner
from forcepool.orderofbattle.model import NOT_UNDERSTOOD, Entry, Finding, Item, OrderOfBattle
from forcepool.orderofbattle.own_words import left_to_the_players as _left_to_the_players
from forcepool.orderofbattle.own_words import said_of_several
from forcepool.orderofbattle.shape import misshapen, strange_words
from forcepool.orderofbattle.words import BRINGS, CHANGES, RES_BY_SIZE, TAKES, VERBS

Month = tuple[int, int]


class MonthTotal(Struct, frozen=True):
    """The REs that come, go and change in a nation's month."""

    month: str
    nation: str
    comes: Fraction
    goes: Fraction


def lint(
    ob: OrderOfBattle,
    counter_mix: OrderOfBattle | None = None,
    *,
    places: Collection[str] | None = None,
    types: Collection[str] | None = None,
) -> list[Finding]:
    """Everything that cannot be right, by line; a counter mix is itself written as an order of battle."""
    found = [*out_of_order(ob), *of_nobody(ob), *never_arrives(ob), *comes_twice(ob), *without_partner(ob)]
    for entry in ob.entries:
        found += [*misshapen(entry), *strange_words(entry, places, types)]
    if counter_mix is not None:
        found += beyond_the_mix(ob, counter_mix)
    return sorted(set(found))


def left_to_the_players(ob: OrderOfBattle) -> list[Finding]:
    """What is right as it stands but cannot be followed by itself: conditions to declare, limits to watch over."""
    by_entry = {found for entry in ob.entries for found in _left_to_the_players(entry)}
    return sorted({*by_entry, *said_of_several(ob.entries)})


def out_of_order(ob: OrderOfBattle) -> Iterator[Finding]:
    """Turns that stand behind a later one under the same nation and section."""
    latest: dict[object, tuple[int, str, int]] = {}
    told: set[object] = set()
    for entry in ob.entries:
        turn = ob.turn_of(entry)
        if turn is None:
            continue
        scope = (entry.side, entry.nation, entry.force, entry.section)
        before = latest.get(scope)
        if before and turn < before[0]:
            if (scope, turn) not in told:
                told.add((scope, turn))
                text = f"{entry.turn} stands behind {before[1]} (line {before[2]})"
                yield Finding(entry.line, "51.A/1", text, "put the turns in order, or mend the turn")
        else:
            latest[scope] = (turn, entry.turn, entry.line)


def of_nobody(ob: OrderOfBattle) -> Iterator[Finding]:
    """Lines under no nation in a text that names nations: a turn closes a nation that stood under the turn before."""
    if not any(entry.nation for entry in ob.entries):
        return
    before: Entry | None = None
    for entry in ob.entries:
        if not entry.nation and entry.verb != NOT_UNDERSTOOD and (before is None or before.turn != entry.turn):
            text = f"no nation stands over the line{f' under {entry.turn}' if entry.turn else ''}"
            yield Finding(entry.line, "51.A/1", text, "name the nation above the turns, or again under each")
        before = None if entry.nation else entry


def re_by_month(ob: OrderOfBattle, re_of: Mapping[str, Fraction] | None = None) -> list[MonthTotal]:
    """How many REs come and go by month and nation; `re_of` says what each size counts."""
    chart = re_of if re_of is not None else {size: Fraction(text) for size, text in RES_BY_SIZE.items()}
    comes: defaultdict[tuple[Month, str], Fraction] = defaultdict(Fraction)
    goes: defaultdict[tuple[Month, str], Fraction] = defaultdict(Fraction)
    for entry in ob.entries:
        turn = ob.turn_of(entry)
        if turn is None or entry.verb == NOT_UNDERSTOOD:
            continue
        at = ((ob.calendar.year(turn), ob.calendar.month(turn)), entry.nation)
        brought, taken = _moved(entry)
        comes[at] += _res(brought, chart)
        goes[at] += _res(taken, chart)
    return [
        MonthTotal(f"{SHORT_MONTHS[month - 1]} {year % 100:02}", nation, comes[at], goes[at])
        for at in sorted({*comes, *goes})
        if comes[at] or goes[at]
        for (year, month), nation in (at,)
    ]


def _moved(entry: Entry) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    effect = VERBS[entry.verb].effect
    if effect == CHANGES:
        return entry.results, entry.items
    return (entry.items if effect == BRINGS else ()), (entry.items if effect == TAKES else ())


def _res(items: tuple[Item, ...], chart: Mapping[str, Fraction]) -> Fraction:
    return sum((item.count * chart.get(item.spec.size, Fraction()) for item in items if item.spec), Fraction())
