"""The places of a campaign without a hex map: where each lies, whose it is, what is known of it and who is there."""

from collections.abc import Callable

from msgspec import Struct

from forcepool.engine.facts import place_key, subject_key
from forcepool.engine.state import State, Unit
from forcepool.engine.wording import markers
from forcepool.engine.world import World
from forcepool.views.names import natural, pool_in_words
from forcepool.views.said import sentence_said

OWNERS = ("owner", "control")
"""The facts that tell whose a place is, one or the other in each game; they have a column of their own."""


class PlaceLine(Struct, frozen=True):
    """One place in words."""

    name: str
    area: str
    """'MD Kiev', and how active it is; or the country."""
    owner: str
    facts: tuple[str, ...]
    neighbours: tuple[str, ...]
    units: tuple[Unit, ...]


def places_known(world: World) -> bool:
    return bool(world.places())


def by_area(
    world: World, state: State, sees: Callable[[Unit], bool], knows: Callable[[str, str], bool]
) -> list[PlaceLine]:
    """Every place, area by area; what is known beyond its owner only where one may know."""
    listed = world.places()
    named = sorted({*listed, *state.stacks}, key=lambda name: (listed.get(name, "~"), natural(name)))
    found = []
    for name in named:
        owner = world.owner_now(state, name)
        units = tuple(unit for unit in state.stack(name) if sees(unit))
        if name in listed or units:
            marked = markers(world, state, place_key(name)) if knows(name, owner) else ()
            found.append(
                PlaceLine(
                    name=name,
                    area=_area(world, state, listed.get(name, "")),
                    owner=owner,
                    facts=tuple(sentence_said(each.said) for each in marked if each.name not in OWNERS),
                    neighbours=tuple(world.joined_to(name)),
                    units=units,
                )
            )
    return found


def _area(world: World, state: State, area: str) -> str:
    if "/" not in area:
        return area
    activity = world.facts(state).value(subject_key("area", area), "activity") if world.fact("activity") else None
    return f"{pool_in_words(area)}{f', {activity}' if activity else ''}"
