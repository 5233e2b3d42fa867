"""51.B.1.a/1, 51.B.6/3 and 51.B.7/3  The owner's choice of an MD or front, where an entry leaves it to him."""

from collections.abc import Iterator

from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Moved
from forcepool.engine.facts import unit_key
from forcepool.engine.given import Area, UnitName
from forcepool.engine.places import Place
from forcepool.engine.sentence import the_pool, the_pools
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.pools import REINFORCEMENT, is_not_yours, is_the_enemys
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.reinforcements.entries import RECEIVED, entry_of, listed_for, on_entry
from forcepool.games.europa.reinforcements.forming_question import FORM_BOX
from forcepool.games.europa.reinforcements.just_added import ADDED
from forcepool.games.europa.reinforcements.listed_places import is_lost
from forcepool.games.europa.reinforcements.sites import FORMED_SINCE
from forcepool.games.europa.world import ELIMINATED, FORMING_BOX, NATIONAL, EuropaWorld

CLAUSES = {FORMING_BOX: "51.B.7/3", FORM_BOX: "51.B.6/3"}


class Allotting(EuropaQuestion):
    """A unit in a box, and the MD or front its owner chooses for it."""

    @lazy
    def area(self) -> str:
        return self.world.area_named(self.command.md)

    @property
    def in_its_phase(self) -> bool:
        """Whether it is still the phase in which it came into its box."""
        entry = entry_of(self.world, self.state, self.unit)
        received = self.state.mark(on_entry(entry), RECEIVED) if entry else None
        since = self.facts.value(unit_key(self.unit.id), FORMED_SINCE)
        began = since if isinstance(since, int) else received.value if received else None
        own = self.world.has_the_turn(self.state, self.side) and self.world.phase(self.state) == REINFORCEMENT
        return own and began == self.state.clock.turn


@rule("51.B.7/2")
def is_in_a_box_of_an_md(q: Allotting) -> Verdict:
    """It is forming, or waits to be formed."""
    if q.unit.place.kind in CLAUSES:
        return YES
    return no(f"{q.unit} is in no FORMING BOX or FORM BOX but {q.world.where(q.unit.place)}")


@rule("51.B.7/3", "51.B.6/3")
def md_is_of_its_area(q: Allotting) -> Verdict:
    """A unit that forms in several MDs is allotted to one of them, in the phase in which it begins to."""
    clause, areas = CLAUSES[q.unit.place.kind], listed_for(q.world, q.state, q.unit)
    if q.area not in areas:
        says = f"{q.unit} forms in {the_pools(areas, ' or ') or 'no MD'}, not in {the_pool(q.area)}"
        return no(says, remedy="choose one of these", clause=clause)
    if q.unit.place.kind == FORMING_BOX and is_lost(q.world, q.state, q.area, q.side):
        return no(f"every city of {the_pool(q.area)} is lost", remedy="leave it where it is", clause="51.B.7/2")
    if q.in_its_phase:
        return yes(clause)
    return no(f"{q.unit} was allotted when it began to form", remedy="leave it where it is", clause=clause)


class Allot(Command, tag="allot-forming", frozen=True):
    """Choose the MD whose FORMING BOX or FORM BOX a unit goes to, where its entry names several."""

    unit: UnitName
    md: Area

    question = Allotting
    needs = (is_in_a_box_of_an_md,)
    requires = (md_is_of_its_area,)

    def effects(self, q: Allotting) -> Iterator[Event]:
        kind = q.unit.place.kind
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=Place(kind, q.area), because=CLAUSES[kind])

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind in CLAUSES:
            for area in listed_for(world, state, unit):
                if area != unit.place.of:
                    yield cls(unit=unit.id, md=area)


# ------------------------------------------------------------------------------------- added to which front


class ToAFront(EuropaQuestion):
    """A unit just added to the pool, and the front its owner chooses."""

    command: "AllotToFront"

    @lazy
    def area(self) -> str:
        return self.world.area_named(self.command.front)


@rule("51.B.1.a/1")
def was_added_to_no_front(q: ToAFront) -> Verdict:
    """It was added to the pool in this player-turn by an entry that names neither a front nor a theatre."""
    place = q.unit.place
    if q.facts.is_so(q.unit, ADDED) and place.kind == ELIMINATED and place.of.startswith(NATIONAL):
        return YES
    return no(f"{q.unit} was not added to the pool without a front in this player-turn", remedy="leave it there")


@rule("51.B.1.a/1")
def is_a_front(q: ToAFront) -> Verdict:
    """Its owner picks one of his fronts."""
    if not q.area.startswith("front/"):
        return no(f"{the_pool(q.area)} is no front", remedy="choose a front")
    return no(is_not_yours(q, q.area), remedy="choose a front of your own") if is_the_enemys(q, q.area) else YES


class AllotToFront(Command, tag="allot-added", frozen=True):
    """Choose the front whose ELIMINATED BOX takes a unit just added to the pool, where its entry names none."""

    unit: UnitName
    front: Area

    question = ToAFront
    needs = (was_added_to_no_front,)
    requires = (is_a_front,)

    def effects(self, q: ToAFront) -> Iterator[Event]:
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=Place(ELIMINATED, q.area), because="51.B.1.a/1")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        added = unit.place.kind == ELIMINATED and state.mark(unit_key(unit.id), ADDED) is not None
        if added and unit.place.of.startswith(NATIONAL):
            for area in sorted(each for each in world.areas if each.startswith("front/")):
                if world.could_serve(state, area, unit.spec.nation):
                    yield cls(unit=unit.id, front=area)


CHAPTER = Chapter(heading="51.B.7", commands=(Allot, AllotToFront))
