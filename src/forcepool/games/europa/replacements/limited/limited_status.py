"""52.A.8.a and b  Giving up the limited status of a type, and taking it back at the price of retraining."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.facts import WORDS, Fact, subject_key, unit_key
from forcepool.engine.game import Effect
from forcepool.engine.given import Nation, Words
from forcepool.engine.ledger import LOST
from forcepool.engine.options import would_pass
from forcepool.engine.places import HEX, TRACK, Place
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_pool, the_unit
from forcepool.engine.state import State, Unit, evolve
from forcepool.engine.verdicts import YES, Rule, Verdict, no, rule
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import NOT_ISOLATED, REGULAR, EuropaFacts
from forcepool.games.europa.ground.placing import REJOINS, rejoins
from forcepool.games.europa.ground.pools import nations_in_play
from forcepool.games.europa.ground.purchase import Purchase
from forcepool.games.europa.ground.standing import STATUS, with_its_place
from forcepool.games.europa.mapfacts.moving import MoveUnits
from forcepool.games.europa.own_phase import in_own
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.replacements.general.cadres import Rebuild, RebuildsInItsOwnWay
from forcepool.games.europa.replacements.general.unit_transfers import TransferUnit
from forcepool.games.europa.replacements.limited.limited_types import (
    LIMITED,
    NOT_LIMITED,
    dropped_by,
    is_combined,
    keeper_of,
    limited_type,
    plain_types,
)
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import COMPUTED, SHOWN, computed, heard, meets_one_of

REINFORCEMENT = "reinforcement"
TO_RETRAIN = "to_retrain"


class Droppable(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A type whose limited status can be given up: what its units become, and how long they retrain afterwards."""

    becomes: str
    retrains: int
    clause: str
    retraining: str
    also_called: str = ""


def droppable(world: EuropaWorld, name: str) -> tuple[str, Droppable] | None:
    """The type by its name or its other name."""
    for type_, row in world.chart("droppable_types").items():
        if name.casefold() in (type_, row.also_called):
            return type_, row
    return None


class Status(EuropaQuestion):
    """A nation and the limited type it makes a declaration about."""

    @lazy
    def nation(self) -> str:
        return self.world.nation_named(self.command.nation)

    @lazy
    def type(self) -> str:
        found = droppable(self.world, self.command.type)
        if found or self.command.type in self.state.units:
            return found[0] if found else str(self.command.type)
        rows = self.world.chart("limited_types")
        if self.command.type not in {name for row in rows for name in (row.type, row.category)} - {""}:
            raise BadCommand(f"there is no limited type '{self.command.type}'; say air-droppable, mountain or marine")
        return str(self.command.type)

    @lazy
    def dropped(self) -> list[str]:
        return dropped_by(self.world, self.state, self.nation)


# -------------------------------------------------------------------------------------------------------- rules


@rule("52.A.8.a/3")
def is_a_whole_type(q: Status) -> Verdict:
    """The declaration holds for every unit of a type, never for one of them."""
    if q.command.type in q.state.units:
        return no(f"{the_unit(q.command.type)} is one unit", remedy="declare its whole type, such as mountain")
    return YES


@rule("52.A.8.a/1")
def is_a_type_that_may_be_declared(q: Status) -> Verdict:
    """Only types whose lesser abilities the rule names may give up their status."""
    if droppable(q.world, q.command.type) is not None:
        return YES
    names = ", ".join(sorted(row.also_called or name for name, row in q.world.chart("droppable_types").items()))
    return no(f"{q.command.type} keeps its limited status", remedy=f"it may be given up for {names}")


@rule("52.A.8.a/2")
def declared_in_own_reinforcement_phase(q: Status) -> Verdict:
    """At any moment of the owner's reinforcement phase."""
    return in_own(q, REINFORCEMENT)


@rule("52.A.8.b/1")
def restored_in_own_reinforcement_phase(q: Status) -> Verdict:
    """Status comes back in the owner's reinforcement phase."""
    return in_own(q, REINFORCEMENT)


@rule("52.A.8.a/1")
def is_still_limited(q: Status) -> Verdict:
    """What has no limited status has none to lose."""
    return no(f"{q.type} of {q.nation} has no limited status already") if q.type in q.dropped else YES


@rule("52.A.8.b/1")
def has_lost_its_status(q: Status) -> Verdict:
    """Only a type that lost its status gets it back."""
    return YES if q.type in q.dropped else no(f"{q.type} of {q.nation} has its limited status")


@rule("52.A.8.a/2")
def is_declared_by_its_own_command(q: Any) -> Verdict:
    """A declaration of this kind belongs to a phase, so it is made by a command that knows it."""
    return no("this is declared in a reinforcement phase", remedy="use drop-limited-status or restore-limited-status")


# ----------------------------------------------------------------------------------------------------- commands


class DropLimitedStatus(Command, tag="drop-limited-status", frozen=True):
    """Declare that a type of unit no longer needs limited REs, and loses its special ability."""

    nation: Nation
    type: Words
    """air-droppable, mountain or marine."""

    question = Status
    needs = (is_a_whole_type, is_still_limited)
    requires = (is_a_type_that_may_be_declared, declared_in_own_reinforcement_phase)

    def side(self, q: Any) -> str:
        return str(q.side)

    def effects(self, q: Status) -> Iterator[Event]:
        yield Marked(
            on=subject_key("nation", q.nation),
            mark=NOT_LIMITED,
            value=sorted((*q.dropped, q.type)),
            by=q.seat,
            because="52.A.8.a/1 52.A.8.a/3",
            says=f"{q.type} units need no limited REs",
        )
        waiting = _waiting(q.facts, q.nation)
        still = [each for each in waiting if q.type not in plain_types(q.world, q.state, q.state.units[each].spec)]
        if still != waiting:
            on = subject_key("nation", q.nation)
            yield Marked(on=on, mark=TO_RETRAIN, value=still or None, because="52.A.8.a/3", says="no need to retrain")

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        return _declarations(cls, world, state, side)


class RestoreLimitedStatus(Command, tag="restore-limited-status", frozen=True):
    """Give a type its limited status and its abilities back; its units leave the map to retrain."""

    nation: Nation
    type: Words
    """A type whose status was given up: air-droppable, mountain or marine."""

    question = Status
    needs = (has_lost_its_status,)
    requires = (restored_in_own_reinforcement_phase,)

    def side(self, q: Any) -> str:
        return str(q.side)

    def effects(self, q: Status) -> Iterator[Event]:
        nation = subject_key("nation", q.nation)
        left = [each for each in q.dropped if each != q.type]
        yield Marked(on=nation, mark=NOT_LIMITED, value=left or None, by=q.seat, because="52.A.8.b/1 52.A.8.b/2")
        yield from _lost_allowance(q)
        waiting = list(_waiting(q.facts, q.nation))
        for unit in retrainees(q):
            if q.facts.isolated(unit) == NOT_ISOLATED:
                yield from _retrains(q.world, q.state, unit, q.type, "52.A.8.b/4")
            else:
                waiting.append(unit.id)
        if waiting:
            yield Marked(on=nation, mark=TO_RETRAIN, value=sorted(waiting), because="52.A.8.b/7")

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        return _declarations(cls, world, state, side)


def _declarations(
    cls: type[DropLimitedStatus | RestoreLimitedStatus], world: EuropaWorld, state: State, side: str
) -> Iterator[Command]:
    """For each nation in play and each type, where the declaration would hold now."""
    if world.phase(state) != REINFORCEMENT or not world.has_the_turn(state, side):
        return
    for nation in nations_in_play(world, state, side):
        for name in sorted(world.chart("droppable_types")):
            order = cls(nation=nation, type=name)
            if would_pass(world, state, order):
                yield order


def _lost_allowance(q: Status) -> Iterator[Event]:
    row = limited_type(q.world, q.type)
    keeper = keeper_of(q.world, q.state, q.nation)
    held = q.state.balance(LIMITED, keeper, row.category)
    if held > 0:
        yield Transferred(
            amount=held,
            kind=row.category,
            nation=keeper,
            frm=LIMITED,
            to=LOST,
            because="52.A.8.b/3",
            says=f"{show_points(held)} on hand when {q.type} is limited again",
        )


@computed("52.A.8.b/4")
def retrainees(q: Status) -> list[Unit]:
    """Every unit of the type on the map that had lost its ability, cadres and remnants too."""
    if droppable(q.world, q.type) is None:
        return []
    return [
        unit
        for unit in q.state.units_in_order()
        if unit.place.kind == HEX
        and unit.spec.nation == q.nation
        and q.type in plain_types(q.world, q.state, unit.spec)
        and not is_combined(q.world, q.state, unit.spec)
    ]


@meets_one_of("52.A.8.b/5", "52.A.8.b/6", "52.A.8.b/7")
def _retrains(world: EuropaWorld, state: State, unit: Unit, type_: str, because: str) -> Iterator[Event]:
    row: Droppable = world.chart("droppable_types")[type_]
    heard(row.retraining, COMPUTED)
    area = homes.track_in(world, world.facts(state), world.spot(unit.place.of).area, unit.spec.nation)
    due = state.clock.turn + row.retrains
    yield Moved(
        unit=unit.id,
        frm=unit.place,
        to=Place(TRACK, area, due),
        because=f"{because} {row.retraining}",
        says=f"{type_} units retrain for {row.retrains} turns",
    )
    yield Marked(on=unit_key(unit.id), mark=REJOINS, value=due)


def _waiting(facts: EuropaFacts, nation: str) -> list[str]:
    said = facts.of_nation(nation, TO_RETRAIN)
    return said if isinstance(said, list) else []


def retrain_the_relieved(world: EuropaWorld, state: State) -> Iterator[Event]:
    """Units that were isolated when their type was restored leave the map once they are in regular supply."""
    facts = world.facts(state)
    for nation in sorted(world.profile.nations):
        waiting = _waiting(facts, nation)
        if not waiting:
            continue
        units = [state.units[each] for each in waiting if state.units[each].place.kind == HEX]
        free = [each for each in units if _is_relieved(facts, each)]
        for unit in free:
            type_ = next(each for each in plain_types(world, state, unit.spec) if droppable(world, each))
            yield from _retrains(world, state, unit, type_, "52.A.8.b/7")
        left = [each.id for each in units if each not in free]
        if left != waiting:
            yield Marked(on=subject_key("nation", nation), mark=TO_RETRAIN, value=left or None, because="52.A.8.b/7")


def _is_relieved(facts: EuropaFacts, unit: Unit) -> bool:
    return facts.isolated(unit) == NOT_ISOLATED and facts.supply(unit) == REGULAR


def _leave_at_once(q: Any, *events: Event) -> Iterator[Event]:
    """Those whom what has just come about brings into regular supply do not wait for the phase to end."""
    if q.state.marked.get(TO_RETRAIN):
        after = q.state.copy()
        evolve(after, events)
        yield from retrain_the_relieved(q.world, after)


def relieved_as_declared(q: Any) -> Iterator[Event]:
    """A unit declared in regular supply and isolated no more, or so by its hex, leaves at once."""
    said = Marked(on=q.on, mark=q.fact.name, value=q.value)
    return _leave_at_once(q, said, *(with_its_place(q) if q.fact.name in STATUS else ()))


def relieved_by_movement(q: Any) -> Iterator[Event]:
    """On a map, units that moved may have opened the line of one that waits."""
    return _leave_at_once(q, *(Moved(unit=each.id, frm=each.place, to=q.to) for each in q.units))


@rule("52.A.8.b/7")
def is_not_to_leave_first(q: Purchase) -> Verdict:
    """A unit that waited for supply to retrain leaves the map as it stands; it is not rebuilt on the way."""
    if q.unit.id not in _waiting(q.facts, q.nation) or not _is_relieved(q.facts, q.unit):
        return YES
    return no(f"{q.unit} is in regular supply and leaves the map to retrain", remedy="rebuild it when it is back")


@rule("52.A.8.b/4")
def returns_where_it_was_taken_from(q: Any) -> Verdict:
    """A unit that retrains comes back in the MD it left, and is not moved to the holding box of another."""
    if not rejoins(q.state, q.unit):
        return YES
    return no(f"{q.unit} was taken from {the_pool(q.unit.place.of)} to retrain, and comes back there")


# ------------------------------------------------------------------------------------------------------- effects


@meets_one_of("52.A.8.a/5", "52.A.8.a/6", "52.A.8.a/7", "52.A.8.b/2")
def lesser_abilities(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """What a unit of a declared type counts as, until the type is restored."""
    dropped = dropped_by(world, state, unit.spec.nation)
    if not dropped or is_combined(world, state, unit.spec):
        return
    for type_ in plain_types(world, state, unit.spec):
        found = droppable(world, type_) if type_ in dropped else None
        if found is not None:
            heard(found[1].clause, SHOWN)
            yield Effect(f"counts as {found[1].becomes}", found[1].clause)


_DECLARING: dict[str, tuple[Rule[Any], ...]] = {NOT_LIMITED: (is_declared_by_its_own_command,)}

CHAPTER = Chapter(
    heading="52.A.8.a",
    commands=(DropLimitedStatus, RestoreLimitedStatus),
    facts=(Fact(TO_RETRAIN, ("nation",), "units that retrain once in regular supply", [], WORDS, by_hand=False),),
    forbids=_DECLARING,
    guards={
        TransferUnit: (returns_where_it_was_taken_from,),
        **dict.fromkeys((Rebuild, RebuildsInItsOwnWay), (is_not_to_leave_first,)),
    },
    declared=dict.fromkeys((*STATUS, "owner"), (relieved_as_declared,)),
    also={MoveUnits: (relieved_by_movement,)},
    ends=(retrain_the_relieved,),
    shows=(lesser_abilities,),
    charts={"droppable_types": dict[str, Droppable]},
)
