"""The chapters of this game, in the order of the rules: what comes first happens first."""

from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.replacements import cadres, eliminated, losses, pools

CHAPTERS: tuple[Chapter, ...] = (
    pools.CHAPTER,
    eliminated.CHAPTER,
    cadres.CHAPTER,
    losses.CHAPTER,
)
