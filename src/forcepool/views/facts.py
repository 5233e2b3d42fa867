"""The facts of a game: what one may declare, state in a scenario or a case, or expect of it, and what each takes."""

from collections.abc import Iterable

from msgspec import Struct

from forcepool.engine.facts import UNTIL_CHANGED, YES_NO, Fact
from forcepool.engine.game import Game


class FactLine(Struct, frozen=True):
    """One fact, as a player or the writer of a case uses it."""

    fact: str
    game: str
    of: tuple[str, ...]
    """What it is said of: unit, place, area, nation, campaign."""
    about: str
    takes: str
    values: tuple[str, ...]
    """The words it takes, where these are fixed."""
    left_out: str
    """What holds while nobody has said anything."""
    lasts: str
    declared: bool
    """Whether players declare it; else the rules keep track of it, and a case may only expect it."""


def fact_lines(game: Game, words: Iterable[str] = (), *, of: str = "", kept: bool = True) -> tuple[FactLine, ...]:
    """The facts that speak of all these words, by name; `kept` lists those of the rules' own too."""
    wanted = [word.casefold() for word in words]
    found = (_line(game, fact) for fact in game.facts if (kept or fact.by_hand) and of in ("", *fact.on))
    return tuple(sorted((line for line in found if _speaks_of(line, wanted)), key=lambda line: line.fact))


def _line(game: Game, fact: Fact) -> FactLine:
    lasts = "" if fact.lasts == UNTIL_CHANGED else fact.lasts
    return FactLine(
        fact.name,
        game.name,
        fact.on,
        " ".join(fact.about.split()),
        fact.takes,
        fact.values,
        _said(fact),
        lasts,
        fact.by_hand,
    )


def _said(fact: Fact) -> str:
    if fact.takes == YES_NO:
        return "yes" if fact.default else "no"
    if isinstance(fact.default, list):
        return ", ".join(map(str, fact.default))
    return "" if fact.default in (None, "") else str(fact.default)


def _speaks_of(line: FactLine, wanted: list[str]) -> bool:
    text = f"{line.fact} {line.fact.replace('_', ' ')} {line.about} {' '.join(line.values)}".casefold()
    return all(word in text for word in wanted)
