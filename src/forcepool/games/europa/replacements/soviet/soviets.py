"""52.D.2, 52.I.1 and 52.J.2  The chapters on the Soviets, coast defences and drafts, in the order things happen in."""

from forcepool.games.europa.ground import ownership, soviet_pools
from forcepool.games.europa.replacements.soviet import (
    disbanding,
    energy,
    energy_damage,
    militia,
    nkvd,
    soviet_cadres,
    soviet_cities,
    soviet_factories,
    soviet_options,
    soviet_placement,
    soviet_stores,
    soviet_uses,
    volunteers,
)
from forcepool.games.europa.replacements.training import coast_defence, drafts

CHAPTERS = (
    soviet_pools.CHAPTER,
    ownership.CHAPTER,
    # A source repaired in an initial phase serves the factories checked in the same phase.
    energy_damage.CHAPTER,
    energy.CHAPTER,
    soviet_factories.CHAPTER,
    soviet_cities.CHAPTER,
    soviet_stores.CHAPTER,
    soviet_uses.CHAPTER,
    soviet_cadres.CHAPTER,
    soviet_placement.CHAPTER,
    volunteers.CHAPTER,
    disbanding.CHAPTER,
    nkvd.CHAPTER,
    militia.CHAPTER,
    soviet_options.CHAPTER,
    drafts.CHAPTER,
    coast_defence.CHAPTER,
)
