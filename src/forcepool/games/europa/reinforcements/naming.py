"""Units named in one field of a command, such as '1 Inf III, 2 Inf III'."""

from forcepool.engine.command import BadCommand
from forcepool.engine.given import listed
from forcepool.engine.state import State, Unit
from forcepool.engine.world import find_unit


def units_named(state: State, text: str, *before: Unit) -> list[Unit]:
    """The units of a list, behind those that another field names; each is named once."""
    units = [*before, *(find_unit(state, name) for name in listed(text))]
    if len({unit.id for unit in units}) < len(units):
        raise BadCommand("a unit is named twice; name each once")
    return units
