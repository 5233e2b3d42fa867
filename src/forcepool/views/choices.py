"""A unit's options as a player weighs them: one heading a command, ways that differ in nothing but a name together."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct

from forcepool.engine.command import Command
from forcepool.views.orders import summary_of
from forcepool.views.said import field_said, title_of
from forcepool.views.unit import Grant, Option, Reason


class Way(Struct, frozen=True):
    """One way to give a command: 'paid from front Centre'."""

    words: str
    order: Command


class Row(Struct, frozen=True):
    """Ways that cost the same and arrive together, or are closed for the same reasons."""

    ways: tuple[Way, ...]
    cost: Mapping[str, Fraction]
    working: str
    arrives: str
    die: str
    allowed: tuple[Grant, ...]
    reasons: tuple[Reason, ...]
    """Those that are not the whole command's."""
    final: bool


class Choices(Struct, frozen=True):
    """All ways to give one command for a unit."""

    command: str
    title: str
    about: str
    rows: tuple[Row, ...]
    reasons: tuple[Reason, ...] = ()
    """Why none of its ways is open."""
    harms: bool = False
    """Whether it costs one's own side something on the board."""

    @property
    def final(self) -> bool:
        """Whether none of its ways can be overruled either."""
        return all(row.final for row in self.rows)


def choices(options: Iterable[Option]) -> tuple[Choices, ...]:
    """The options gathered by command, in the order in which the commands first appear; what does harm stands last."""
    by_command: dict[str, list[Option]] = {}
    for each in options:
        by_command.setdefault(each.command, []).append(each)
    found = (_choices(name, ways) for name, ways in by_command.items())
    return tuple(sorted(found, key=lambda each: each.harms))


def _choices(name: str, options: list[Option]) -> Choices:
    common = [each for each in options[0].reasons if all(each in other.reasons for other in options)]
    rows: dict[Any, list[Option]] = {}
    for each in options:
        own = tuple(reason for reason in each.reasons if reason not in common)
        alike = (tuple(each.cost.items()), _without_name(each.working), each.arrives, each.die, each.allowed, own)
        rows.setdefault((alike, each.final), []).append(each)
    return Choices(
        command=name,
        title=title_of(name),
        about=summary_of(type(options[0].fields)),
        rows=tuple(_row(together, common) for together in rows.values()),
        reasons=tuple(common),
        harms=type(options[0].fields).harms,
    )


def _row(together: list[Option], common: list[Reason]) -> Row:
    first = together[0]
    return Row(
        ways=tuple(Way(way_in_words(each.fields), each.fields) for each in together),
        cost=first.cost,
        working=_without_name(first.working),
        arrives=first.arrives,
        die=first.die,
        allowed=first.allowed,
        reasons=tuple(each for each in first.reasons if each not in common),
        final=first.final,
    )


def _without_name(working: str) -> str:
    """'10 Pz XX: full 11 − cadre 4' on that unit's own card is 'full 11 − cadre 4'."""
    head, colon, rest = working.partition(": ")
    return rest if colon and ";" not in head else working


def way_in_words(command: Command) -> str:
    """What tells this way of giving a command from others: 'paid from front Centre, reduced'."""
    said = []
    for field in msgspec.structs.fields(type(command)):
        value = getattr(command, field.name)
        if field.name != "unit" and value != field.default:
            said.append(field_said(field.name, value))
    return ", ".join(said)
