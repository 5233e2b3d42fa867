"""The chapters of this game, in the order of the rules: what comes first happens first."""

from forcepool.games.europa.air import chapters as air
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground import pools, sources, standing, transport
from forcepool.games.europa.mapfacts import going_over, moving, still_standing, taking
from forcepool.games.europa.reinforcements import chapters as reinforcements
from forcepool.games.europa.replacements.allied import british, fallen, french
from forcepool.games.europa.replacements.axis import axis, axis_uses, entry, foreign_contingents, reorganisation
from forcepool.games.europa.replacements.contingents import debts, repayment
from forcepool.games.europa.replacements.general import (
    allotting,
    boxes,
    breakdown,
    cadres,
    costs_table,
    eliminated,
    evacuation,
    filling,
    new_units,
    placement,
    receipts,
    receiving,
    scrapping,
    transfers,
    unit_transfers,
    waiting,
)
from forcepool.games.europa.replacements.kinds import aid, resources
from forcepool.games.europa.replacements.limited import allowances, building_times, limited, limited_status, training
from forcepool.games.europa.replacements.soviet import city_lines, soviets
from forcepool.games.europa.replacements.special import (
    auxiliary,
    averting,
    casualties,
    disruption,
    fragile,
    losses,
    relief,
    soviet_special,
    special,
)
from forcepool.games.europa.replacements.training import garrisons, training_penalties, training_units
from forcepool.games.europa.reserves import chapters as reserves

CHAPTERS: tuple[Chapter, ...] = (
    pools.CHAPTER,
    receipts.CHAPTER,
    fallen.CHAPTER,
    receiving.CHAPTER,
    transport.CHAPTER,
    sources.CHAPTER,
    aid.CHAPTER,
    resources.CHAPTER,
    transfers.CHAPTER,
    allotting.CHAPTER,
    filling.CHAPTER,
    unit_transfers.CHAPTER,
    boxes.CHAPTER,
    scrapping.CHAPTER,
    evacuation.CHAPTER,
    placement.CHAPTER,
    standing.CHAPTER,
    waiting.CHAPTER,
    eliminated.CHAPTER,
    cadres.CHAPTER,
    training_units.CHAPTER,
    garrisons.CHAPTER,
    axis.CHAPTER,
    entry.CHAPTER,
    axis_uses.CHAPTER,
    reorganisation.CHAPTER,
    costs_table.CHAPTER,
    new_units.CHAPTER,
    breakdown.CHAPTER,
    allowances.CHAPTER,
    limited.CHAPTER,
    limited_status.CHAPTER,
    building_times.CHAPTER,
    training.CHAPTER,
    foreign_contingents.CHAPTER,
    british.CHAPTER,
    french.CHAPTER,
    debts.CHAPTER,
    *soviets.CHAPTERS,
    casualties.CHAPTER,
    auxiliary.CHAPTER,
    relief.CHAPTER,
    soviet_special.CHAPTER,
    special.CHAPTER,
    city_lines.CHAPTER,
    losses.CHAPTER,
    averting.CHAPTER,
    disruption.CHAPTER,
    fragile.CHAPTER,
    repayment.CHAPTER,
    training_penalties.CHAPTER,
    *air.CHAPTERS,
    *reserves.CHAPTERS,
    *reinforcements.CHAPTERS,
    taking.CHAPTER,
    moving.CHAPTER,
    still_standing.CHAPTER,
    going_over.CHAPTER,
    *reserves.AFTER_REINFORCEMENTS,
)
