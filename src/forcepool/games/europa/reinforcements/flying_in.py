"""51.A.7  Air units that the order of battle brings: at an airbase, or in the ABORTED AIR BOX where it says so."""

from typing import TYPE_CHECKING

from forcepool.engine.sentence import the_field, the_place
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa.air.question import ABORTED, can_take, chart_of, is_airbase
from forcepool.games.europa.question import instead
from forcepool.games.europa.reinforcements.entries import bears, same_kind
from forcepool.games.europa.reinforcements.listed_places import lies_in, spec_of_place

if TYPE_CHECKING:
    from forcepool.games.europa.reinforcements.appearing import Appearing


def comes_aborted(q: "Appearing") -> bool:
    """Whether its entry lists it as aborted."""
    return any(
        item.state == ABORTED
        for item in q.entry.items
        if item.spec
        and same_kind(item.spec, q.unit.spec)
        and (not item.designations or bears(q.unit, item.designations))
    )


def air_places(q: "Appearing") -> list[str]:
    """The box it is listed for, else every airbase."""
    if comes_aborted(q):
        return [f"{ABORTED} {chart_of(q.world, q.unit.place.of)}"]
    return q.facts.places_where("airbase", value=True)


@rule("51.A.7/1", "28.C/3", "28.C/5")
def air_units_come_on_an_airbase(q: "Appearing") -> Verdict:
    """An air unit enters on a friendly airbase with room, an isolated one only where there is no other."""
    if not q.is_air:
        return YES
    if comes_aborted(q):
        box = air_places(q)[0]
        if q.target == q.world.parse_place(box):
            return yes("28.C/5")
        return no(
            f"{q.unit} is listed as aborted", remedy=f"place it in its box ({the_field('at', box)})", clause="28.C/5"
        )
    if not is_airbase(q.facts, q.hex):
        return no(f"{the_place(q.name)} is no airbase", remedy="choose an airbase of yours")
    if not lies_in(q.world, q.hex, spec_of_place(q.entry)):
        return no(f"{the_place(q.hex)} lies elsewhere than its entry says", remedy="choose an airbase there")
    if q.facts.owner(q.hex) in ("", q.side) and not can_take(q.facts, q.side, q.nation, q.hex):
        return no(f"{the_place(q.hex)} has no room", remedy="choose another airbase, or let it wait", also=("28.C/3",))
    others = _unisolated(q) if q.facts.is_cut_off(q.side, q.hex) else []
    return (
        no(f"{the_place(q.hex)} is isolated", remedy=instead(q, f"choose {the_place(others[0])}", at=others[0]))
        if others
        else YES
    )


def _unisolated(q: "Appearing") -> list[str]:
    return [
        each
        for each in q.facts.places_where("airbase", value=True)
        if can_take(q.facts, q.side, q.nation, each)
        and not q.facts.is_cut_off(q.side, each)
        and lies_in(q.world, each, spec_of_place(q.entry))
    ]
