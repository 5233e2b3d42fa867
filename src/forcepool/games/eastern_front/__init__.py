"""A point-to-point game of the Eastern Front: replacements, reinforcements, factories and composite units."""

from forcepool.engine.chapter import Chapter, collected, parts
from forcepool.engine.game import Game, SetUp
from forcepool.files.yamltext import Document, Path
from forcepool.games.eastern_front import (
    attacking,
    composite_values,
    composites,
    deployment,
    dispersal,
    entraining,
    entry,
    evacuation,
    expansion,
    irreplaceable,
    leaving_the_war,
    losses,
    moving,
    nations,
    on_rails,
    operational,
    production,
    put_right,
    reinforcements,
    replacements,
    siberia,
    siberian_entry,
    still_standing,
    strategic,
    withdrawal,
)
from forcepool.games.eastern_front.facts import FACTS
from forcepool.games.eastern_front.lint import LINT
from forcepool.games.eastern_front.loss_lines import read_losses
from forcepool.games.eastern_front.scenario import HELPS, KEYS, Reader, given_type
from forcepool.games.eastern_front.tasks import TASKS
from forcepool.games.eastern_front.world import BOXES, EasternWorld, read_setting
from forcepool.games.eastern_front.worth import strength_of
from forcepool.scenarios.reading import Words

# What comes first happens first: the allowance of a turn is there before entrained factories are charged to it, and
# what a nation has lost is known before replacements are received.
CHAPTERS: tuple[Chapter, ...] = (
    dispersal.CHAPTER,
    strategic.CHAPTER,
    operational.CHAPTER,
    attacking.CHAPTER,
    irreplaceable.CHAPTER,
    nations.CHAPTER,
    leaving_the_war.CHAPTER,
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
    on_rails.CHAPTER,
    evacuation.CHAPTER,
    losses.CHAPTER,
    still_standing.CHAPTER,
    put_right.CHAPTER,
    composites.CHAPTER,
    composite_values.CHAPTER,
)


def build(data: bytes) -> EasternWorld:
    return EasternWorld(GAME, read_setting(data))


def set_up(document: Document, path: Path) -> SetUp:
    return Reader(document, path, WORDS).read()


def words() -> Words:
    """The words a scenario of this game is written in."""
    return WORDS


GAME = Game(
    name="eastern_front",
    title="Eastern Front, 1941 to 1944",
    build=build,
    set_up=set_up,
    pastes=read_losses,
    loses=losses.LoseUnit,
    lint=LINT,
    words=words,
    pages="forcepool.games.eastern_front.pages",
    tasks=TASKS,
    worth=strength_of,
    **parts(CHAPTERS, FACTS) | {"box_names": BOXES},
)
WORDS = Words(GAME, given_type(GAME.facts), collected(CHAPTERS, "opening"), keys=KEYS, helps=HELPS)
