"""Proposing what is new for the match file: counters, steps and places nobody has said anything of."""

from collections import Counter as Tally

from msgspec import Struct

from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.vassal.campaign import steps
from forcepool.vassal.campaign.counters import Seen, Table
from forcepool.vassal.campaign.matchfile import AS, OPEN, Matched, Meant, is_open
from forcepool.vassal.campaign.places import Gazetteer, named_parts
from forcepool.vassal.campaign.units import MOST_CANDIDATES, Proposal, Roll
from forcepool.vassal.module import Module

NO_UNIT = f"{OPEN} no unit is called so"
NO_PLACE = f"{OPEN} no place is called so"


class New(Struct, frozen=True):
    """Lines to add to a match file."""

    counters: dict[str, str] = {}
    steps: dict[str, str] = {}
    places: dict[str, str] = {}
    because: dict[str, str] = {}
    """By counter, what a unit was recognised by."""

    def __bool__(self) -> bool:
        return bool(self.counters or self.steps or self.places)


def entry_of(seen: Seen, matched: Matched) -> str:
    """The name by which the match file knows a counter; nothing if it does not."""
    return next((key for key in seen.keys if key in matched.written.counters), "")


def meant_by(seen: Seen, matched: Matched) -> Meant | None:
    """The unit a counter is, as far as that is decided."""
    return matched.counters.get(entry_of(seen, matched))


def propose(world: World, state: State, table: Table, module: Module | None, matched: Matched) -> New:
    """What could be added to a match file for the counters on the table."""
    roll, gazetteer = Roll(world, state.units_in_order()), Gazetteer(world, state)
    fresh = [each for each in table.seen if not entry_of(each, matched)]
    proposals = {each.key: roll.propose(each.piece) for each in fresh}
    taken = Tally((meant.unit, meant.step) for meant in matched.counters.values())
    taken.update((each.units[0], each.step) for each in proposals.values() if each.certain)
    counters = {key: _line(each, taken) for key, each in sorted(proposals.items())}
    units = {key for key, value in counters.items() if not is_open(value)}
    because = {key: proposals[key].because for key in sorted(units)}
    relevant = [each for each in table.seen if each.key in units or meant_by(each, matched)]
    return New(counters, _steps(relevant, matched), _places(relevant, gazetteer, module, matched), because)


def _line(proposal: Proposal, taken: Tally[tuple[str, str]]) -> str:
    if proposal.certain:
        unit = proposal.units[0]
        if taken[unit, proposal.step] > 1:
            return f"{OPEN} {unit}, which another counter may be too"
        return f"{unit}{AS}{proposal.step}" if proposal.step else unit
    if not proposal.units:
        return NO_UNIT
    more = " or others" if len(proposal.units) > MOST_CANDIDATES else ""
    return f"{OPEN} {' or '.join(proposal.units[:MOST_CANDIDATES])}{more}"


def _steps(relevant: list[Seen], matched: Matched) -> dict[str, str]:
    found = {}
    for seen in relevant:
        for key, layer in (*steps.shown(seen), *steps.could_show(seen)):
            if key not in matched.written.steps and key not in found:
                found[key] = steps.propose(layer)
    return dict(sorted(found.items()))


def _places(relevant: list[Seen], gazetteer: Gazetteer, module: Module | None, matched: Matched) -> dict[str, str]:
    """Of parts where a unit lies also those nobody knows; of the others only what is recognised."""
    used = {seen.at for seen in relevant if seen.at}
    known = matched.written.places
    found = {key: gazetteer.propose(key) for key in sorted({*used, *named_parts(module)} - known.keys())}
    return {key: value or NO_PLACE for key, value in found.items() if value or key in used}
