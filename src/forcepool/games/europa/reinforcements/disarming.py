"""51.B.4  Disarming: units taken off the map and out of the pool, and the infantry RPs they leave."""

import re
from collections.abc import Iterator
from fractions import Fraction
from math import floor

from forcepool.engine.agenda import DUE, Item
from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.given import EntryKey
from forcepool.engine.places import HEX, OUT, OUT_OF_PLAY
from forcepool.engine.points import show_points
from forcepool.engine.sentence import to_type
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter, Duty
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.soviet_pools import own_pool
from forcepool.games.europa.ground.tallies import FRANCE, as_infantry, counted_as, pool_where_it_stood
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.duties import (
    Listed,
    entry_is_in_force,
    in_own_reinforcement_phase,
)
from forcepool.games.europa.reinforcements.entries import RECEIVED, did, on_entry, pool_of
from forcepool.games.europa.reinforcements.listed_places import areas_of
from forcepool.games.europa.reinforcements.listed_points import FROM_THE_OB
from forcepool.games.europa.reinforcements.withdrawing import cost_of
from forcepool.games.europa.replacements.allied.french import METROPOLITAN
from forcepool.games.europa.replacements.special.special import rate_for
from forcepool.games.europa.world import ELIMINATED, ISOLATED, MIX, NATIONAL, EuropaWorld
from forcepool.orderofbattle.model import Entry
from forcepool.orderofbattle.printing import print_entry
from forcepool.rulebook.citations import computed

DISARM = "disarm"
_FILLERS = re.compile(
    r"\b(?:all|every|the|of|whole|entire|ground|air|and|armed|forces?|units?|troops|army|armies|aircraft)\b\s*"
)
"""Words that say no more than the name of a nation or force among them."""


@computed("51.B.4/2", "51.B.4/6", "51.B.4/7")
def disarmed(world: EuropaWorld, state: State, entry: Entry) -> list[Unit]:
    """The units listed, on the map first and then in the pool; of a whole force everything, wherever the line says."""
    found: list[Unit] = []
    within = areas_of(world, entry.place)
    units = [unit for unit in state.units_in_order() if not within or _is_within(world, unit, within)]
    for item in entry.items:
        if item.force:
            found += [unit for unit in units if is_of_force(world, unit, item.force)]
            continue
        listed = [
            unit
            for kinds in ((HEX,), (ELIMINATED, ISOLATED))
            for unit in entries.named_first(units, item)
            if unit.place.kind in kinds and entries.could_be(world, entry, item, unit) and unit not in found
        ]
        found += listed[: item.count]
    return found


def _is_within(world: EuropaWorld, unit: Unit, areas: tuple[str, ...]) -> bool:
    """Whether a unit stands in one of the areas a line names, or lies in a box or on a track of it."""
    area = world.spot(unit.place.of).area if unit.place.kind == HEX else unit.place.of
    return any(each in areas for each in world.line_of(area))


def _force_of(world: EuropaWorld, unit: Unit) -> str:
    """The force on a counter; French ground units of none that is named are metropolitan (52.D.3.c)."""
    unnamed = unit.spec.nation == FRANCE and not unit.spec.force and not world.has_role(unit.spec, "air")
    return METROPOLITAN if unnamed else unit.spec.force


def is_of_force(world: EuropaWorld, unit: Unit, words: str) -> bool:
    """'all Rumanian forces' means the units of that nation, or of a force of that name, be the nation named as well."""
    name = " ".join(_FILLERS.sub(" ", words.casefold()).split())
    nation, force = world.profile.nations[unit.spec.nation], _force_of(world, unit).casefold()
    nations = (unit.spec.nation.casefold(), nation.adjective.casefold())
    named = (force, *nations, *(both for each in nations for both in (f"{each} {force}", f"{force} {each}")))
    return unit.place.kind not in (OUT, MIX) and bool(name) and (name in named or name.removesuffix("s") in named)


@rule("51.B.4/1")
def there_is_something_to_disarm(q: Listed) -> Verdict:
    """Units that exist neither on the map nor in the pool are skipped."""
    if disarmed(q.world, q.state, q.entry):
        return YES
    return no("none of the units listed is on the map or in the pool", remedy="the entry is skipped")


@computed("51.B.4/3", "51.B.4/4", "51.B.4/5")
def yielded(world: EuropaWorld, state: State, nation: str, units: list[Unit]) -> tuple[int, str]:
    """A quarter of the special replacements of what was on the map, in whole infantry RPs; the pool gives nothing."""
    ground = [unit for unit in units if unit.place.kind == HEX and not world.has_role(unit.spec, "air")]
    cost = sum((sum(cost_of(world, unit.spec, unit.step).values(), Fraction(0)) for unit in ground), Fraction(0))
    rate, _ = rate_for(world, state, nation)
    share = world.numbers["disarmed_share"]
    return floor(cost * rate / share), f"{show_points(cost)} × {show_points(rate)} / {show_points(share)}, rounded down"


_own_phase = in_own_reinforcement_phase("51.B.4/1")


@rule("51.B.4/1")
def on_its_turn_or_at_once(q: Listed) -> Verdict:
    """In the owner's reinforcement phase; what an event brings about is done at once."""
    if q.entry.conditions and not q.entry.turn:
        return yes("51.B.4/1", "at once")
    return _own_phase(q)


class Disarm(Command, tag="disarm", frozen=True):
    """Disarm the units or the force that the order of battle names."""

    harms = True

    entry: EntryKey
    """The line of the order of battle, by its key, as the checklist shows it."""

    question = Listed
    needs = (entry_is_in_force("51.B.4/1", DISARM), there_is_something_to_disarm)
    requires = (on_its_turn_or_at_once,)

    def side(self, q: Listed) -> str:
        return q.side

    def effects(self, q: Listed) -> Iterator[Event]:
        units = disarmed(q.world, q.state, q.entry)
        for (nation, kind), own in _by_whose_infantry(q, units):
            amount, working = yielded(q.world, q.state, nation, own)
            if amount:
                yield Transferred(
                    amount=Fraction(amount),
                    kind=kind,
                    nation=nation,
                    frm=FROM_THE_OB,
                    to=own_pool(q.world, q.state, _pool(q, own), nation, kind),
                    because="51.B.4/3 51.B.4/5",
                    says=f"disarmed: {working}",
                )
        for unit in units:
            why = "51.B.4/2 51.B.4/8" if not any(item.force for item in q.entry.items) else "51.B.4/7 51.B.4/8"
            yield Moved(unit=unit.id, frm=unit.place, to=OUT_OF_PLAY, because=why, says="disarmed")
        yield did(q.state, q.entry, "51.B.4/1", entries.needed(q.entry))


@computed("51.B.4/5", "52.F.1/6")
def _by_whose_infantry(q: Listed, units: list[Unit]) -> list[tuple[tuple[str, str], list[Unit]]]:
    """The units of each nationality, those of French Africa and the colonies apart, as their infantry RPs are."""
    groups: dict[tuple[str, str], list[Unit]] = {}
    for unit in units:
        kind = as_infantry(q.world, q.state, q.world.infantry_of(unit.spec))
        groups.setdefault((counted_as(unit.spec), kind), []).append(unit)
    return sorted(groups.items(), key=lambda each: each[0])


def _pool(q: Listed, units: list[Unit]) -> str:
    """The front where they stood; of several the theatre around them, else the nation; else that of the entry."""
    nation, facts = units[0].spec.nation, q.world.facts(q.state)
    areas = {q.world.spot(unit.place.of).area for unit in units if unit.place.kind == HEX} - {""}
    pools = {pool_where_it_stood(q.world, q.state, area, nation) for area in areas}
    if len(pools) > 1:
        pools = {homes.home_in(q.world, facts, q.world.theatre_of(area), nation) for area in areas}
    if len(pools) > 1:
        return NATIONAL + nation
    return next(iter(pools), "") or pool_of(q.world, q.state, q.entry)


def _ways(world: EuropaWorld, state: State, entry: Entry) -> Iterator[Command]:
    yield Disarm(entry=entry.key)


def at_once(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Forces that an event disarms are disarmed the moment it has come about, in whosever turn it is."""
    for side in world.sequence.players:
        if world.phase(state) == REINFORCEMENT and world.has_the_turn(state, side):
            # There the duties of the phase list it.
            continue
        for entry in entries.in_force(world, state, side, DISARM):
            if not entry.turn and disarmed(world, state, entry):
                text = f"{print_entry(entry)}{to_type(entry.key)}: what it says has come about"
                yield Item(DUE, text, "51.B.4/1", side, Disarm(entry=entry.key))


@computed("51.B.4/1")
def skipped(state: State, entry: Entry) -> Event:
    """An entry none of whose units exists is not kept for units that come later."""
    says = "none of its units is on the map or in the pool"
    return Marked(on=on_entry(entry), mark=RECEIVED, value=state.clock.turn, because="51.B.4/1", says=says)


def skip(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As the owner's reinforcement phase ends, entries that found nothing to disarm are done with."""
    if world.phase(state) != REINFORCEMENT:
        return
    for entry in entries.in_force(world, state, world.phasing(state), DISARM):
        if not disarmed(world, state, entry):
            yield skipped(state, entry)


CHAPTER = Chapter(
    heading="51.B.4", duties={DISARM: Duty("51.B.4/1", _ways)}, commands=(Disarm,), ends=(skip,), due=(at_once,)
)
