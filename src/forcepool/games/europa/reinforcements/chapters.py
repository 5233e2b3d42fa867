"""The chapters of rule 51, in the order in which what they bring about comes about."""

from forcepool.games.europa.reinforcements import (
    appearing,
    checklist,
    converting,
    delays,
    disarming,
    disbanding,
    duties,
    entries,
    falling_due,
    forming,
    forming_boxes,
    mobilizing,
    pool_duties,
    reserves,
    withdrawing,
)

CHAPTERS = (
    entries.CHAPTER,
    delays.CHAPTER,
    forming_boxes.CHAPTER,
    falling_due.CHAPTER,
    appearing.CHAPTER,
    converting.CHAPTER,
    pool_duties.CHAPTER,
    withdrawing.CHAPTER,
    forming.CHAPTER,
    disarming.CHAPTER,
    disbanding.CHAPTER,
    mobilizing.CHAPTER,
    reserves.CHAPTER,
    duties.CHAPTER,
    checklist.CHAPTER,
)
