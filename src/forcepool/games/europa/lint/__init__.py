"""What nobody could play in a scenario of this game: each check finds its own by rules, file and map."""

from typing import Any

from forcepool.games.europa.lint import air, areas, comings, mapped, nations, players, substitutes, supply, units

LINT: tuple[Any, ...] = (
    *players.LINT,
    *areas.LINT,
    *units.LINT,
    *comings.LINT,
    *air.LINT,
    *nations.LINT,
    *mapped.LINT,
    *supply.LINT,
    *substitutes.LINT,
)
