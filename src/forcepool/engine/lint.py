"""Lint: what a scenario states that nobody could play, found by its game before the first turn."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from forcepool.files.yamltext import Document, Path

if TYPE_CHECKING:
    from forcepool.engine.state import State
    from forcepool.engine.world import World


class Finding(Struct, frozen=True, order=True):
    """Something in a scenario that cannot be right, where it stands in the file, and how to mend it."""

    path: Path
    """The name it is about, as a path into the scenario file: ('places', 'Minsk')."""
    text: str
    hint: str = ""
    clause: str = ""
    """The clause it goes against, where there is one."""
    line: int = 0
    """The line of a text that the path's value holds or names, such as an order of battle; 0 for the value itself."""


Lint = Callable[["World", "State", Document], Iterator[Finding]]
"""Looks through a campaign as it begins; the document is the file it was read from."""
