"""The games: each a folder that registers itself under the entry point group `forcepool.games`."""

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from forcepool.engine.game import Game
from forcepool.engine.world import World

GROUP = "forcepool.games"
DEFAULT = "europa"
"""The game of files that name none: the one the house rule set is for."""


class UnknownGame(ValueError):
    """No installed game has that name."""


@cache
def game(name: str) -> Game:
    """The game of that name, shipped or installed from a package of its own."""
    if name.isidentifier() and find_spec(f"{__name__}.{name}") is not None:
        shipped: Game = import_module(f"{__name__}.{name}").GAME
        return shipped
    from importlib.metadata import entry_points  # Looking through all that is installed takes its time.

    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in found:
        close = get_close_matches(name, sorted(found), 1)
        hint = f"did you mean {close[0]}?" if close else f"installed are {', '.join(sorted(found)) or 'none'}"
        raise UnknownGame(f"there is no game '{name}'; {hint}")
    loaded: Game = found[name].load()
    return loaded


def names() -> list[str]:
    from importlib.metadata import entry_points

    return sorted(entry.name for entry in entry_points(group=GROUP))


def build_world(name: str, data: bytes) -> World:
    """The world of a campaign, from what its journal's first entry holds."""
    return game(name).build(data)
