"""House rules: rulings a group may decide its own way, each a switch on a clause."""

from difflib import get_close_matches

from msgspec import Struct

from forcepool.engine.sentence import Told
from forcepool.rulebook.book import load


class Option(Struct, frozen=True):
    """One way to play a ruling."""

    name: str
    text: str


class Switch(Struct, frozen=True):
    """A ruling with its options; the first is the default of the rulebook."""

    key: str
    clause: str
    """Empty for what no rule speaks of: how a group plays together."""
    about: str
    options: tuple[Option, ...]

    def __post_init__(self) -> None:
        if self.clause:
            load()[self.clause]

    @property
    def default(self) -> str:
        return self.options[0].name

    def option(self, name: str) -> Option:
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(option.name for option in self.options)
        named = f"{self.key} ({self.clause})" if self.clause else self.key
        raise Told(f"{named} has no option '{name}'; choose one of {known}")


def switch(key: str, clause: str, about: str, **options: str) -> Switch:
    """A switch whose first option is the default; underscores in names are hyphens."""
    named = tuple(Option(name.replace("_", "-"), text) for name, text in options.items())
    return Switch(key, clause, about, named)


OVERRULES = switch(
    "overrules",
    "",
    "who may set a refusal aside in a campaign with seats",
    alone="each side by itself; all are told",
    agreed="with the consent of the other sides, or of the referee",
    referee="with the consent of the referee",
)
TABLE_RULES = (OVERRULES,)
"""How a group plays together, whatever the game; no clause stands behind these."""


def find(switches: tuple[Switch, ...], name: str) -> Switch:
    """The switch of that key or clause."""
    for each in switches:
        if name and name in (each.key, each.clause):
            return each
    known = [each.key for each in switches]
    close = get_close_matches(name, known, 1)
    hint = f"did you mean {close[0]}?" if close else f"the switches are {', '.join(known)}"
    raise Told(f"there is no house rule '{name}'; {hint}")
