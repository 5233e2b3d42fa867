"""What nobody could play in a scenario of this game: each check finds its own by rules, file and map."""

from typing import Any

from forcepool.games.europa.lint import players, supply

LINT: tuple[Any, ...] = (*players.LINT, *supply.LINT)
