"""A point-to-point game of the Eastern Front: replacements, reinforcements, factories and composite units."""

from itertools import chain
from typing import Any

from msgspec.structs import replace

from forcepool.engine import desk
from forcepool.engine.facts import Fact
from forcepool.engine.world import Game, SetUp
from forcepool.files.yamltext import Document, Path
from forcepool.games.eastern_front import (
    attacking,
    composite_values,
    composites,
    deployment,
    dispersal,
    entraining,
    entry,
    expansion,
    irreplaceable,
    losses,
    moving,
    nations,
    operational,
    production,
    reinforcements,
    replacements,
    siberia,
    siberian_entry,
    strategic,
    withdrawal,
)
from forcepool.games.eastern_front.chapter import Chapter
from forcepool.games.eastern_front.facts import FACTS
from forcepool.games.eastern_front.lint import LINT
from forcepool.games.eastern_front.loss_lines import read_losses
from forcepool.games.eastern_front.scenario import Reader, Words, given_type
from forcepool.games.eastern_front.set_up import check
from forcepool.games.eastern_front.world import BOXES, EasternWorld, read_setting

# What comes first happens first: the allowance of a turn is there before entrained factories are charged to it, and
# what a nation has lost is known before replacements are received.
CHAPTERS: tuple[Chapter, ...] = (
    dispersal.CHAPTER,
    strategic.CHAPTER,
    operational.CHAPTER,
    attacking.CHAPTER,
    irreplaceable.CHAPTER,
    nations.CHAPTER,
    siberia.CHAPTER,
    siberian_entry.CHAPTER,
    entry.CHAPTER,
    replacements.CHAPTER,
    reinforcements.CHAPTER,
    withdrawal.CHAPTER,
    expansion.CHAPTER,
    deployment.CHAPTER,
    production.CHAPTER,
    entraining.CHAPTER,
    moving.CHAPTER,
    losses.CHAPTER,
    composites.CHAPTER,
    composite_values.CHAPTER,
)


def _all(part: str) -> tuple[Any, ...]:
    return tuple(chain.from_iterable(getattr(chapter, part) for chapter in CHAPTERS))


def _by_name(part: str) -> dict[str, tuple[Any, ...]]:
    found: dict[str, tuple[Any, ...]] = {}
    for chapter in CHAPTERS:
        for name, added in getattr(chapter, part).items():
            found[name] = (*found.get(name, ()), *added)
    return found


def _facts() -> tuple[Fact, ...]:
    """Every chapter's facts, each with the rules of whichever chapter may forbid it."""
    forbids = _by_name("forbids")
    return tuple(replace(fact, requires=forbids.get(fact.name, ())) for fact in (*FACTS, *_all("facts")))


def build(data: bytes) -> EasternWorld:
    return EasternWorld(GAME, read_setting(data))


def set_up(document: Document, path: Path) -> SetUp:
    return Reader(document, path, WORDS).read()


GAME = Game(
    name="eastern_front",
    title="Eastern Front, 1941 to 1944",
    commands=(*_all("commands"), *desk.COMMANDS),
    build=build,
    set_up=set_up,
    switches=_all("switches"),
    facts=_facts(),
    happens=_all("happens"),
    ends=_all("ends"),
    shows=_all("shows"),
    agenda=_all("agenda"),
    pastes=read_losses,
    guards=_by_name("guards"),
    declared=_by_name("declared"),
    habits={name: habit for chapter in CHAPTERS for name, habit in chapter.habits.items()},
    box_names=BOXES,
    lint=LINT,
)
WORDS = Words(GAME, given_type(GAME.facts), GAME.facts, _all("opening"), check)
