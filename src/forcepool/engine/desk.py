"""The commands every game has: going on to the next phase, declaring facts, and putting the record right."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.answers import watched
from forcepool.engine.command import BadCommand, Command, Question, lazy
from forcepool.engine.events import (
    Became,
    Event,
    Marked,
    Moved,
    Noted,
    PhaseBegan,
    Raised,
    SwitchSet,
    Transferred,
    Value,
)
from forcepool.engine.facts import Fact, subject_key, unit_key
from forcepool.engine.game import Happens
from forcepool.engine.given import (
    FactName,
    Name,
    Nation,
    Option,
    PointKind,
    Points,
    Pool,
    RuleName,
    Spot,
    Step,
    Subject,
    Text,
    UnitName,
    Why,
)
from forcepool.engine.ledger import CORRECTION
from forcepool.engine.points import parse_points
from forcepool.engine.sentence import Told, the_field
from forcepool.engine.state import State, evolve
from forcepool.engine.switches import find
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import Rule
from forcepool.engine.world import World


class Advance(Command, tag="advance", frozen=True):
    """Go on to the next phase; what is received and what arrives comes about by itself."""

    def effects(self, q: Question) -> Iterator[Event]:
        for stage in stages(q.world, q.state.copy()):
            yield from stage.events


def check_whose_phase(world: World, state: State, command: Command, seat: str, seats: Collection[str]) -> None:
    """Where the sides have seats, each ends the phases of its own player-turn and no others."""
    whose = world.phasing(state)
    if isinstance(command, Advance) and seat in seats and whose in seats and seat != whose:
        raise BadCommand(f"it is {whose}'s player-turn: only {whose} ends its phases")


class Stage(Struct, frozen=True):
    """One thing that comes about as a phase ends or the next begins."""

    part: Happens | None
    """What brings it about; None for the phase itself, which begins."""
    events: list[Event]


def stages(world: World, state: State) -> Iterator[Stage]:
    """A phase ends and the next begins, part by part, on a state that its caller owns.

    What happens first may decide what happens next, so each part sees the state the one before it left. Where somebody
    keeps answers they look at it as the lists do: what is found out here holds for those that follow.
    """
    for part in world.game.ends:
        yield from _stage(state, part, part(world, watched(world, state)))
    yield from _stage(state, None, [PhaseBegan(clock=world.next_phase(state))])
    for part in world.game.happens:
        yield from _stage(state, part, part(world, watched(world, state)))


def _stage(state: State, part: Happens | None, events: Iterable[Event]) -> Iterator[Stage]:
    """Told before it is carried out: whoever looks on sees the state it came about in."""
    stage = Stage(part, list(events))
    if stage.events:
        yield stage
        evolve(state, stage.events)


class Declaring(Question):
    """A fact about to be declared."""

    command: "Declare"

    @lazy
    def fact(self) -> Fact:
        fact = self.world.fact(self.command.fact)
        if fact is None or not fact.by_hand:
            known = ", ".join(sorted(each.name for each in self.world.game.facts if each.by_hand))
            raise BadCommand(f"there is no fact '{self.command.fact}'; one can declare {known}")
        return fact

    @lazy
    def on(self) -> str:
        kinds = self.fact.on
        if self.command.unit and "unit" in kinds:
            return unit_key(self.unit.id)
        others = [kind for kind in kinds if kind != "unit"]
        if self.command.about and others:
            name = self.command.about if self.is_stray else self.world.subject(others[0], self.command.about)
            return subject_key(others[0], name)
        if "campaign" in kinds:
            return "campaign"
        how = " or ".join(
            the_field("unit") if kind == "unit" else f"{the_field('about')} with the name of the {kind}"
            for kind in kinds
        )
        raise BadCommand(f"'{self.fact.name}' needs to know of what it is said: give {how}")

    @lazy
    def is_stray(self) -> bool:
        """Whether something is taken back that was once said of a misspelt name: nothing ever came of it."""
        kind = next((kind for kind in self.fact.on if kind != "unit"), "")
        if self.command.value is not None or not self.command.about or not kind:
            return False
        if self.state.mark(subject_key(kind, self.command.about), self.fact.name) is None:
            return False
        try:
            self.world.subject(kind, self.command.about)
        except Told:
            return True
        return False

    @lazy
    def value(self) -> Value:
        if self.command.value is None:
            return None
        value = self.world.a_side(self.fact.read(self.command.value, self.world.calendar))
        self.world.check_fact(self.fact, value)
        return value


class Declare(Command, tag="declare", frozen=True):
    """Say what is so on the map: a unit moved, a line of supply is cut, a city changed hands."""

    fact: FactName
    value: str | int | bool | list[str] | None = None
    """Leave it out to take the declaration back."""
    unit: UnitName = ""
    about: Subject = ""
    """The place, area or nation, for facts that are not about a unit."""

    question = Declaring

    def guards(self, q: Any) -> tuple[Rule[Any], ...]:
        """The fact's own rules: a unit rebuilt this player-turn may not be declared moved."""
        return q.fact.requires if q.on else ()

    def side(self, q: Any) -> str:
        return super().side(q) if self.unit else ""

    def effects(self, q: Declaring) -> Iterator[Event]:
        yield Marked(on=q.on, mark=q.fact.name, value=q.value, by=q.seat)
        for brings_about in q.world.game.declared.get(q.fact.name, ()) if not q.is_stray else ():
            yield from brings_about(q)


LONGEST_NOTE = 4000


class Note(Command, tag="note", frozen=True):
    """Write a remark into the journal."""

    text: Text

    def effects(self, q: Question) -> Iterator[Event]:
        if len(self.text) > LONGEST_NOTE:
            raise BadCommand(
                f"a note has at most {LONGEST_NOTE} letters, this one has {len(self.text)}; say it shorter"
            )
        yield Noted(text=self.text)


class HouseRule(Command, tag="house-rule", frozen=True):
    """Play a ruling another way from now on."""

    rule: RuleName
    option: Option

    def effects(self, q: Question) -> Iterator[Event]:
        switch = find(q.world.game.house_rules, self.rule)
        switch.option(self.option)
        yield SwitchSet(switch=switch.key, option=self.option, because=switch.clause)


def _side_that_plays(q: Question, nation: str) -> str:
    """Whose record is put right: that of a nation's side, if anybody plays it."""
    side = q.world.side_now(q.state, q.world.nation_named(nation)) if nation else ""
    return side if side in q.world.sequence.players else ""


class CorrectPoints(Command, tag="correct-points", frozen=True):
    """Put a balance right that was entered wrongly: add to it, or with a minus take away."""

    pool: Pool
    nation: Nation
    kind: PointKind
    amount: Points
    note: Why
    referee = True

    def side(self, q: Question) -> str:
        return _side_that_plays(q, self.nation)

    def effects(self, q: Question) -> Iterator[Event]:
        world = q.world
        amount = parse_points(self.amount)
        if not amount:
            raise BadCommand(f"say by how much with {the_field('amount')}, such as 2 or -1/2")
        pool, nation = world.pool_named(self.pool), world.nation_named(self.nation)
        kind = world.kind_named(self.kind)
        frm, to = (CORRECTION, pool) if amount > 0 else (pool, CORRECTION)
        yield Transferred(amount=abs(amount), kind=kind, nation=nation, frm=frm, to=to, says=self.note)


class PutUnit(Command, tag="put-unit", frozen=True):
    """Put a counter where it really is, or at the step it really has."""

    unit: UnitName
    at: Spot = ""
    step: Step = ""
    note: Why = ""
    referee = True

    def effects(self, q: Question) -> Iterator[Event]:
        unit = q.unit
        if not self.at and not self.step:
            raise BadCommand(f"say where the unit is with {the_field('at')}, or its strength with {the_field('step')}")
        if self.step and not unit.spec.has(self.step):
            raise BadCommand(f"{unit.id} has no {self.step} strength")
        if self.at:
            place = q.world.parse_place(self.at)
            yield Moved(unit=unit.id, frm=unit.place, to=place, says=self.note)
        if self.step:
            yield Became(unit=unit.id, was=unit.step, step=self.step, says=self.note)


class AddUnit(Command, tag="add-unit", frozen=True):
    """Bring a counter into the campaign that its scenario forgot."""

    name: Name
    spec: UnitSpec
    at: Spot
    nation: Nation = ""
    """Whose it is, where the spec does not say."""
    step: Step = "full"
    note: Why = ""
    referee = True

    def side(self, q: Question) -> str:
        return _side_that_plays(q, self.nation or self.spec.nation)

    def effects(self, q: Question) -> Iterator[Event]:
        if not (self.nation or self.spec.nation):
            raise BadCommand(f"say whose unit {self.name} is with {the_field('nation')}")
        if self.name in q.state.units:
            raise BadCommand(f"there is already a unit {self.name}; give the new one another name")
        if not self.spec.has(self.step):
            raise BadCommand(f"{self.name} has no {self.step} strength")
        spec = replace(self.spec, nation=q.world.nation_named(self.nation or self.spec.nation))
        place = q.world.parse_place(self.at)
        yield Raised(unit=self.name, spec=spec, at=place, step=self.step, says=self.note)


COMMANDS: tuple[type[Command], ...] = (Advance, Declare, Note, HouseRule, CorrectPoints, PutUnit, AddUnit)
