"""A chapter: what one heading of the rules adds to a game, and how chapters together make one."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine import desk
from forcepool.engine.agenda import Item
from forcepool.engine.command import Also, Command
from forcepool.engine.events import Event
from forcepool.engine.facts import Fact
from forcepool.engine.game import Effect, Habit
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import Switch
from forcepool.engine.verdicts import Rule, Verdict

# What a chapter adds is told the world of its own game.
Comes = Callable[[Any, State], Iterator[Event]]
"""What comes about by itself."""
Opening = Comes
"""What is already so when a campaign begins: allowances of the month, points saved before the first turn."""


class Chapter(Struct, frozen=True, kw_only=True):
    """Commands, facts, switches and what comes about by itself, under one heading."""

    heading: str
    commands: tuple[type[Command], ...] = ()
    guards: Mapping[type[Command], tuple[Rule[Any], ...]] = {}
    """Rules this heading adds to commands of others: to one, or to all that derive from one."""
    also: Mapping[type[Command], tuple[Also, ...]] = {}
    """What a command of another heading does besides."""
    waivers: Mapping[str, tuple[Callable[[Any], Verdict | None], ...]] = {}
    """Where this heading grants what a general rule refuses, by the clause that refuses."""
    means: Mapping[type[Command], Callable[[Any, State, Any], Command]] = {}
    """What an order of another heading stands for, where this heading carries it out by an order of its own."""
    facts: tuple[Fact, ...] = ()
    forbids: Mapping[str, tuple[Rule[Any], ...]] = {}
    """Rules that may forbid the declaration of a fact, by the fact's name."""
    declared: Mapping[str, tuple[Also, ...]] = {}
    """What the declaration of a fact brings about at once, by the fact's name."""
    switches: tuple[Switch, ...] = ()
    opening: tuple[Opening, ...] = ()
    happens: tuple[Comes, ...] = ()
    """What comes about as a phase begins."""
    ends: tuple[Comes, ...] = ()
    """What comes about as it ends."""
    agenda: tuple[Callable[[Any, State], Iterator[Item]], ...] = ()
    """What stands on the checklist: what is open, what lapses, what is news …"""
    due: tuple[Callable[[Any, State], Iterator[Item]], ...] = ()
    """… and whatever can be due."""
    shows: tuple[Callable[[Any, State, Unit], Iterator[Effect]], ...] = ()
    points: tuple[str, ...] = ()
    """Kinds of point beyond those of the profile."""
    boxes: Mapping[str, str] = {}
    """Kinds of box and track, with the words a player reads."""
    transfers: Mapping[tuple[str, str], str] = {}
    """What it is called when points go from one book to another."""
    habits: Mapping[str, Habit] = {}


def collected(chapters: Iterable[Chapter], part: str) -> tuple[Any, ...]:
    """What all chapters say under one of their names, in their order."""
    return tuple(chain.from_iterable(getattr(chapter, part) for chapter in chapters))


def by_name(chapters: Iterable[Chapter], part: str) -> dict[str, tuple[Any, ...]]:
    """What the chapters say by the names of facts or clauses: of each, what every chapter adds."""
    found: dict[str, tuple[Any, ...]] = {}
    for chapter in chapters:
        for name, added in getattr(chapter, part).items():
            found[name] = (*found.get(name, ()), *added)
    return found


def parts(chapters: Sequence[Chapter], facts: tuple[Fact, ...] = ()) -> dict[str, Any]:
    """All that chapters bring to a game of any kind: `Game(name=…, **parts(CHAPTERS, FACTS))`."""
    commands = (*collected(chapters, "commands"), *desk.COMMANDS)
    _check(chapters, commands)
    known = _facts(chapters, (*facts, *collected(chapters, "facts")))
    guards = [each for chapter in chapters for each in chapter.guards.items()]
    also = [each for chapter in chapters for each in chapter.also.items()]
    return {
        "commands": commands,
        "guards": {cls: found for cls in commands if (found := _added(guards, cls, cls.asked_like))},
        "also": {cls: found for cls in commands if (found := _added(also, cls))},
        "facts": known,
        "waivers": by_name(chapters, "waivers"),
        "means": {cls: meant for chapter in chapters for cls, meant in chapter.means.items()},
        "declared": _of_facts(chapters, "declared", known),
        "box_names": {kind: words for chapter in chapters for kind, words in chapter.boxes.items()},
        "transfers": {books: words for chapter in chapters for books, words in chapter.transfers.items()},
        "agenda": (*collected(chapters, "agenda"), *collected(chapters, "due")),
        "habits": {name: habit for chapter in chapters for name, habit in chapter.habits.items()},
    } | {part: collected(chapters, part) for part in ("switches", "happens", "ends", "due", "shows", "points")}


def _check(chapters: Iterable[Chapter], commands: tuple[type[Command], ...]) -> None:
    """TypeError for a chapter that adds something to a command that the game does not have."""
    for chapter in chapters:
        for cls in (*chapter.guards, *chapter.also):
            if not any(issubclass(command, cls) for command in commands):
                raise TypeError(f"{chapter.heading} adds to {cls.__name__}, but no command of the game is one")


def _added(
    part: Sequence[tuple[type[Command], tuple[Any, ...]]], command: type[Command], like: type[Command] | None = None
) -> tuple[Any, ...]:
    """What chapters add to a command, after what they add to the one in whose place it stands; each once."""
    targets = (like, command) if like else (command,)
    added = (each for target in targets for cls, rules in part if issubclass(target, cls) for each in rules)
    return tuple(each for each in dict.fromkeys(added) if each not in command.not_asked)


def _facts(chapters: Sequence[Chapter], facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Every fact with the rules of whichever chapter may forbid it."""
    forbids = _of_facts(chapters, "forbids", facts)
    return tuple(replace(fact, requires=(*fact.requires, *forbids.get(fact.name, ()))) for fact in facts)


def _of_facts(chapters: Sequence[Chapter], part: str, facts: tuple[Fact, ...]) -> dict[str, tuple[Any, ...]]:
    found = by_name(chapters, part)
    if unknown := sorted(found.keys() - {fact.name for fact in facts}):
        raise TypeError(f"there is no fact {', '.join(unknown)}, of which a chapter says what is {part}")
    return found
