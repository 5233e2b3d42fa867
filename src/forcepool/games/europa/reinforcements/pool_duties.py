"""51.B.13, 51.B.15, 51.B.20 and 51.G  Duties that call for a unit of the replacement pool."""

import re
from collections.abc import Iterator
from typing import Any

from forcepool.engine.command import Command
from forcepool.engine.events import Became, Event, Marked, Moved, Transferred
from forcepool.engine.facts import unit_key
from forcepool.engine.given import EntryKey, UnitName
from forcepool.engine.places import HEX, OUT_OF_PLAY, Place
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE, FULL
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter, Duty, Ways
from forcepool.games.europa.facts import MP_MARKER
from forcepool.games.europa.ground.placing import AIR_STATUS
from forcepool.games.europa.ground.pools import brought_by_each, usable_from
from forcepool.games.europa.ground.soviet_pools import lies_in
from forcepool.games.europa.ground.tallies import counted_as
from forcepool.games.europa.question import Appears, instead
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.by_the_air_ob import ARP, arp_pool
from forcepool.games.europa.reinforcements.duties import (
    Listed,
    entry_is_in_force,
    in_own_reinforcement_phase,
    one_that_serves,
)
from forcepool.games.europa.reinforcements.entries import ENTRY, did, home_area, marked, pool_of
from forcepool.games.europa.reinforcements.lines_served import served
from forcepool.games.europa.reinforcements.listed_points import FROM_THE_OB
from forcepool.games.europa.reinforcements.sites import FORMED_SINCE
from forcepool.games.europa.reinforcements.withdrawing import LEAVING, cost_of
from forcepool.games.europa.replacements.general.scrapping import SCRAPPED
from forcepool.games.europa.replacements.special.auxiliary import THE_ELIMINATED, inside_the_pocket
from forcepool.games.europa.replacements.special.special import in_the_pool as lies_in_the_pool
from forcepool.games.europa.reserves.changes import RESERVE, RESERVE_MARKER
from forcepool.games.europa.world import ELIMINATED, ISOLATED, LOCAL, REINFORCEMENT_TRACK, EuropaWorld
from forcepool.orderofbattle.model import Entry, Item
from forcepool.orderofbattle.words import FREE_TEXT
from forcepool.rulebook.citations import computed

POOL = (ELIMINATED, ISOLATED)
REMOVE, REPLACE = "remove from replacement pool", "replace"
CALLS_FOR = (*LEAVING, REMOVE, REPLACE, "convert", "reorganize", "upgrade", "disband", "disarm", "mobilize", "return")
"""What speaks of a unit that is in play, in the pool or was so once, and so calls for one that was scrapped."""

FROM_MAP = switch(
    "no-unit-in-pool",
    "51.B.13/3",
    "what happens when the pool has no unit that a duty calls for",
    map_unit="an identical unisolated unit is taken off the map, else it waits",
    wait="it waits; the map is never touched",
    any_map_unit="an identical unit is taken off the map, isolated or not",
    choice="the owner takes a unit off the map or lets it wait",
)
CREDIT = switch(
    "map-unit-credit",
    "51.B.20/3",
    "when the RPs of a unit taken off the map for the pool are usable",
    at_once="in the replacement phase of the same player-turn",
    next_turn="from the next turn on",
)
FREE = switch(
    "free-replacement",
    "51.B.15/2",
    "units that the OB replaces free of charge",
    either_box="from either box, at the strength the entry shows",
    eliminated_only="from the ELIMINATED BOX only, at the strength the entry shows",
    as_cadre="from either box, as a cadre where it has one",
)


def is_called(world: EuropaWorld, state: State, entry: Entry, unit: Unit) -> bool:
    """Whether an entry could take a unit: not one that it has put on the map itself."""
    mark = state.mark(unit_key(unit.id), ENTRY)
    own = unit.place.kind == HEX and mark is not None and mark.value == entry.key
    return not own and entries.line_for(world, state, entry, unit) is not None


class Called(Listed):
    """A unit that an entry calls for from the pool."""

    @property
    def free_text(self) -> bool:
        return entries.verb_of(self.entry) in FREE_TEXT

    def could(self, unit: Unit) -> bool:
        return self.free_text or is_called(self.world, self.state, self.entry, unit)

    @property
    def in_pool(self) -> bool:
        return is_in_its_boxes(self, self.unit)


def boxes(q: Listed) -> tuple[str, ...]:
    only = q.switch(FREE.key) == "eliminated-only" and entries.verb_of(q.entry) == REPLACE
    return (ELIMINATED,) if only else POOL


def is_in_its_boxes(q: Listed, unit: Unit) -> bool:
    return unit.place.kind in boxes(q) and lies_in_the_pool(q.state, unit)


def in_the_pool(q: Called) -> list[Unit]:
    """The units of the pool that an entry could take, those of an ELIMINATED BOX first."""
    found = [unit for unit in q.state.units_in_order() if is_in_its_boxes(q, unit) and q.could(unit)]
    return sorted(found, key=lambda unit: unit.place.kind == ISOLATED)


@rule("51.B.13/2", "51.B.20/5", "51.G/2")
def lies_in_the_pool_or_on_the_map(q: Called) -> Verdict:
    """From either eliminated box, or off the map; what is on a track, or disrupted, is no unit of the pool."""
    if not q.could(q.unit):
        said = f"{q.unit} is not the unit its entry names"
        orders = _ways(type(q.command))(q.world, q.state, q.entry)
        if q.unit.place.kind == HEX:
            return no(said, remedy=one_that_serves(q, orders), clause="51.B.20/2")
        duty = q.world.game.duties.get(entries.verb_of(q.entry))
        named = duty.clause if duty is not None else ""
        return no(said, remedy=one_that_serves(q, orders), clause=named, also=("51.B.20/2",))
    if q.in_pool:
        return yes("51.G/2") if q.free_text else YES
    if q.unit.place.kind == HEX:
        return YES
    where = q.world.where(q.unit.place)
    return no(f"{q.unit} is {where}, not in the pool", remedy="choose another", also=("51.B.20/5",))


@rule("51.B.20/2", "51.B.13/3", "51.B.20/4", "51.G/2")
def map_serves_only_an_empty_pool(q: Called) -> Verdict:
    """Without such a unit in the pool, an identical unisolated one goes there from the map."""
    if q.in_pool:
        return YES
    ruling = q.switch(FROM_MAP.key)
    if ruling == "wait":
        return no("the map is not touched for the pool", remedy="it waits until the pool has one", clause="51.B.13/3")
    if others := in_the_pool(q):
        return no(f"the pool has {others[0]}", remedy=instead(q, f"take {others[0]}", unit=others[0].id))
    if not q.free_text and q.item is None:
        return no(f"{q.unit} is not identical", remedy="choose one that is, or wait")
    if q.isolated and ruling != "any-map-unit":
        return no(f"{q.unit} is isolated", remedy="wait until it is relieved", clause="51.B.20/4", also=("51.B.13/3",))
    return yes("51.G/2" if q.free_text else "51.B.20/2")


@computed("51.B.20/3", "51.G/3")
def goes_to_the_pool(q: Called) -> Iterator[Event]:
    """A unit off the map goes to the pool first, and its RP cost is credited to the theatre."""
    why, pool = ("51.G/3" if q.free_text else "51.B.20/3"), theatre_pool(q)
    wait = q.switch(CREDIT.key) == "next-turn"
    turn = q.state.clock.turn + int(q.world.numbers["credited_wait"])
    cost = q.world.of_its_force(q.unit.spec, cost_of(q.world, q.unit.spec, q.unit.step))
    homes_of = {kind: _home(q, pool, kind) for kind in cost}
    for kind, (home, whose) in homes_of.items():
        to = usable_from(turn, home) if wait else home
        yield Transferred(
            amount=cost[kind], kind=kind, nation=whose, frm=FROM_THE_OB, to=to, because=why, says=q.unit.id
        )
    if wait:
        yield from brought_by_each(q.state, why, turn, homes_of.values())
    because = "51.G/2" if q.free_text else "51.B.20/2"
    yield Moved(unit=q.unit.id, frm=q.unit.place, to=Place(ELIMINATED, pool), because=because)
    # It may come back in this very phase, without what lay on it.
    for mark in (RESERVE, RESERVE_MARKER, MP_MARKER, AIR_STATUS):
        if q.state.mark(unit_key(q.unit.id), mark) is not None:
            yield Marked(on=unit_key(q.unit.id), mark=mark, because="49.A/2", says="it is no longer in play")


def _home(q: Called, pool: str, kind: str) -> tuple[str, str]:
    """The pool that takes points of a kind, and whose: the theatre's, ARPs where they are kept around the airbase."""
    area, nation = q.world.spot(q.unit.place.of).area, q.unit.spec.nation
    if kind == ARP and area:
        return arp_pool(q.world, q.state, area, nation), nation
    return lies_in(q.world, q.state, pool, counted_as(q.unit.spec), kind)


def theatre_pool(q: Called) -> str:
    """The theatre of its own side where a unit stands, else that of the entry."""
    around = q.world.spot(q.unit.place.of).area
    if not around:
        return pool_of(q.world, q.state, q.entry)
    return q.world.theatre_of(homes.front_in(q.world, q.facts, around, q.unit.spec.nation))


def _calls(world: EuropaWorld, state: State, unit: Unit, verb: str) -> Iterator[Entry]:
    """The entries of a verb that could take a unit."""
    if unit.place.kind not in (*POOL, HEX):
        return
    for entry in entries.in_force(world, state, world.side_now(state, unit.spec.nation), verb):
        if is_called(world, state, entry, unit):
            yield entry


_OF_THE_POOL = re.compile(r"pool|remov|substitut|box", re.IGNORECASE)


def _events(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Entry]:
    """Events in the OB's own words that may mean a unit of the pool, as far as their words tell."""
    if unit.place.kind not in (*POOL, HEX):
        return
    for entry in entries.in_force(world, state, world.side_now(state, unit.spec.nation), *FREE_TEXT):
        own = unit.spec.nation == entries.nation_of(world, entry)
        if own and _OF_THE_POOL.search(entry.note):
            yield entry


RULES = (map_serves_only_an_empty_pool,)


# ------------------------------------------------------------------------------------------ out of a pocket's box


@rule("51.B.15/2", "52.F.4.b/5")
def pocket_lets_it_be_replaced(q: Called) -> Verdict:
    """By a ruling what was eliminated in a pocket cannot be replaced before the pocket is relieved, free or not."""
    if not q.unit.place.of.startswith(LOCAL) or q.switch(THE_ELIMINATED.key) != "until-relief":
        return YES
    says = f"{q.unit} lies in {the_pool(q.unit.place.of)}"
    return no(says, remedy="it can be replaced once that is relieved", clause="52.F.4.b/5")


@rule("51.B.15/4", "52.F.4.b/5")
def appears_inside_its_pocket(q: Any) -> Verdict:
    """What was replaced out of a pocket's box appears in that pocket, where its entry lets it."""
    if q.returns or not q.area.startswith(LOCAL):
        return YES
    if q.hex:
        return inside_the_pocket(q) or YES
    says = f"{q.unit} was replaced inside {q.area.removeprefix(LOCAL)}"
    return no(says, remedy="place it with a unit of the pocket", clause="52.F.4.b/5")


class RemoveFromPool(Command, tag="remove-from-pool", frozen=True):
    """Take a unit out of the replacement pool for good, because the order of battle says so."""

    harms = True

    entry: EntryKey
    """The line of the order of battle, by its key, as the checklist shows it."""
    unit: UnitName

    question = Called
    needs = (entry_is_in_force("51.B.13/1", REMOVE, *FREE_TEXT), lies_in_the_pool_or_on_the_map)
    requires = (in_own_reinforcement_phase("51.B.13/1"), *RULES)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        for entry in (*_calls(world, state, unit, REMOVE), *_events(world, state, unit)):
            yield cls(entry=entry.key, unit=unit.id)

    def effects(self, q: Called) -> Iterator[Event]:
        place = q.unit.place
        if not q.in_pool:
            yield from goes_to_the_pool(q)
            place = Place(ELIMINATED, theatre_pool(q))
        yield Moved(unit=q.unit.id, frm=place, to=OUT_OF_PLAY, because="51.B.13/1 51.B.13/2", says=q.entry.key)
        if q.free_text:
            # How many its own words mean only the players know: they say when it is done (carry-out).
            return
        yield did(q.state, q.entry, "51.B.13/1")
        yield from served(q.state, q.entry, entries.line_for(q.world, q.state, q.entry, q.unit))


class ReplaceFree(Command, tag="replace-free", frozen=True):
    """Take a unit from the replacement pool that the order of battle replaces, free of charge, as a reinforcement."""

    entry: EntryKey
    """The line of the order of battle, by its key, as the checklist shows it."""
    unit: UnitName

    question = Called
    needs = (entry_is_in_force("51.B.15/1", REPLACE), lies_in_the_pool_or_on_the_map)
    requires = (in_own_reinforcement_phase("51.B.15/2"), *RULES, pocket_lets_it_be_replaced)

    def effects(self, q: Called) -> Iterator[Event]:
        place = q.unit.place
        if not q.in_pool:
            yield from goes_to_the_pool(q)
            place = Place(ELIMINATED, theatre_pool(q))
        yield from placed_free(q, place)
        yield did(q.state, q.entry, "51.B.15/1")
        yield from served(q.state, q.entry, entries.line_for(q.world, q.state, q.entry, q.unit))

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        return (cls(entry=each.key, unit=unit.id) for each in _calls(world, state, unit, REPLACE))


@computed("51.B.15/1", "51.B.15/2", "51.B.15/3", "51.B.15/4")
def placed_free(q: Called, frm: Place) -> Iterator[Event]:
    """At once, for no RPs, to be placed as the nation's other reinforcements are; out of a pocket's box, inside it."""
    step = strength_on_return(q, entries.line_for(q.world, q.state, q.entry, q.unit))
    if q.unit.step != step:
        yield Became(unit=q.unit.id, was=q.unit.step, step=step, because="51.B.15/2 51.B.15/3", says="at no cost")
    home = frm.of if frm.of.startswith(LOCAL) else home_area(q.world, q.state, q.entry)
    track = Place(REINFORCEMENT_TRACK, home, q.state.clock.turn)
    yield Moved(unit=q.unit.id, frm=frm, to=track, because="51.B.15/2 51.B.15/3 51.B.15/4")
    yield marked(q.unit.id, ENTRY, q.entry.key)
    if q.state.mark(unit_key(q.unit.id), FORMED_SINCE) is not None:
        yield marked(q.unit.id, FORMED_SINCE, None, "51.B.15/4")


def strength_on_return(q: Called, item: Item | None) -> str:
    if q.switch(FREE.key) == "as-cadre" and q.unit.spec.has(CADRE):
        return CADRE
    return entries.strength_listed(item)[1] if item else FULL


# ------------------------------------------------------------------------------------------- scrapped units


@computed("52.A.6/5")
def an_entry_calls_for_it(q: Any) -> Verdict | None:
    """A scrapped unit is called for while an entry in force takes one of its kind."""
    if q.state.mark(unit_key(q.unit.id), SCRAPPED) is None:
        return None
    for entry in entries.in_force(q.world, q.state, q.side, *CALLS_FOR):
        if entries.line_for(q.world, q.state, entry, q.unit) is not None:
            return yes("52.A.6/5", entry.key)
    return None


# ------------------------------------------------------------------------------------------ ways to do them


def _ways(command: "type[RemoveFromPool | ReplaceFree]") -> Ways:
    def ways(world: EuropaWorld, state: State, entry: Entry) -> Iterator[Command]:
        choice = world.ruling(state, FROM_MAP.key) == "choice"
        for kind in (ELIMINATED, ISOLATED, *(() if choice else (HEX,))):
            for unit in entries.as_printed(state.units_in_order(), entry):
                if unit.place.kind == kind and is_called(world, state, entry, unit):
                    yield command(entry=entry.key, unit=unit.id)

    return ways


CHAPTER = Chapter(
    heading="51.B.13",
    duties={REMOVE: Duty("51.B.13/1", _ways(RemoveFromPool)), REPLACE: Duty("51.B.15/1", _ways(ReplaceFree))},
    commands=(RemoveFromPool, ReplaceFree),
    switches=(FROM_MAP, CREDIT, FREE),
    guards={Appears: (appears_inside_its_pocket,)},
    waivers={"52.A.6/6": (an_entry_calls_for_it,)},
)
