"""The chapters of rule 28, in the order of the rules."""

from forcepool.games.europa.air import (
    arps,
    basing,
    ceiling,
    combat,
    departures,
    districts,
    exchange,
    lapsing,
    prices,
    purse,
    rebasing,
    rebuilding,
    regrouping,
    reinforcements,
    sending,
    status,
)
from forcepool.games.europa.chapter import Chapter

CHAPTERS: tuple[Chapter, ...] = (
    arps.CHAPTER,
    sending.CHAPTER,
    prices.CHAPTER,
    ceiling.CHAPTER,
    rebuilding.CHAPTER,
    purse.CHAPTER,
    status.CHAPTER,
    basing.CHAPTER,
    combat.CHAPTER,
    lapsing.CHAPTER,
    districts.CHAPTER,
    regrouping.CHAPTER,
    exchange.CHAPTER,
    reinforcements.CHAPTER,
    departures.CHAPTER,
    rebasing.CHAPTER,
)
