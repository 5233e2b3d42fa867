"""The chapters of rule 49, in the order of its headings."""

from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.reserves import (
    accounts,
    bonuses,
    changes,
    conversions,
    deployment,
    depots,
    entering,
    formed,
    generation,
    leaving,
    markers,
    mediterranean,
    occasions,
    quotes,
    sizes,
    status,
    strategic,
    victory,
)

CHAPTERS: tuple[Chapter, ...] = (
    accounts.CHAPTER,
    deployment.CHAPTER,
    depots.CHAPTER,
    bonuses.CHAPTER,
    occasions.CHAPTER,
    sizes.CHAPTER,
    changes.CHAPTER,
    entering.CHAPTER,
    leaving.CHAPTER,
    markers.CHAPTER,
    status.CHAPTER,
    conversions.CHAPTER,
    strategic.CHAPTER,
    mediterranean.CHAPTER,
    victory.CHAPTER,
    generation.CHAPTER,
    quotes.CHAPTER,
)

AFTER_REINFORCEMENTS: tuple[Chapter, ...] = (formed.CHAPTER,)
"""What looks at the units that have become full in the same phase."""
