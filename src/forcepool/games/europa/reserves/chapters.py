"""The chapters of rule 49, in the order of its headings."""

from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.reserves import (
    accounts,
    bonuses,
    changes,
    deployment,
    depots,
    entering,
    generation,
    leaving,
    markers,
    mediterranean,
    quotes,
    sizes,
    status,
    strategic,
)

CHAPTERS: tuple[Chapter, ...] = (
    accounts.CHAPTER,
    deployment.CHAPTER,
    depots.CHAPTER,
    bonuses.CHAPTER,
    sizes.CHAPTER,
    changes.CHAPTER,
    entering.CHAPTER,
    leaving.CHAPTER,
    markers.CHAPTER,
    status.CHAPTER,
    strategic.CHAPTER,
    mediterranean.CHAPTER,
    generation.CHAPTER,
    quotes.CHAPTER,
)
