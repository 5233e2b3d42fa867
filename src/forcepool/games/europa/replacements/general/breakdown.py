"""52.A.11  Breaking a unit down in the replacement pool, into unsupported units and a HQ."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event, Moved, Raised
from forcepool.engine.given import UnitName
from forcepool.engine.places import OUT, OUT_OF_PLAY
from forcepool.engine.sentence import the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.purchase import in_own_replacement_phase
from forcepool.games.europa.ground.standing import has_had_its_aid
from forcepool.games.europa.ground.tallies import of_the_same_men
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.world import ELIMINATED, MIX, EuropaWorld
from forcepool.orderofbattle.unit_strings import BadUnit, parse_unit

UNSUPPORTED = "unsupported"
HQ = "hq"


class Breakdown(Struct, frozen=True, forbid_unknown_fields=True):
    """What a unit breaks down into: counters by name, as unit strings."""

    into: dict[str, str]
    unsupported: tuple[str, ...] = ()
    """Those of them that are unsupported units, where their counters do not show it."""


class BreakingDown(EuropaQuestion):
    """A unit in the replacement pool about to be broken down."""

    @lazy
    def chart(self) -> Breakdown | None:
        charts = self.world.chart("breakdowns")
        found: Breakdown | None = charts.get(self.unit.id) if charts else None
        return found

    @lazy
    def components(self) -> dict[str, UnitSpec]:
        """The counters it becomes, in order of their names."""
        assert self.chart is not None
        return {name: self._component(name, text) for name, text in sorted(self.chart.into.items())}

    def _component(self, name: str, text: str) -> UnitSpec:
        if name in self.state.units:
            return self.state.units[name].spec
        try:
            spec = parse_unit(text).spec
        except BadUnit as error:
            raise BadCommand(f"the breakdown of {self.unit} has no good unit {name}: {error}") from None
        own = self.unit.spec
        return of_the_same_men(own, replace(spec, nation=own.nation))

    def is_unsupported(self, name: str) -> bool:
        assert self.chart is not None
        spec = self.components[name]
        return spec.unsupported is not None or UNSUPPORTED in spec.traits or name in self.chart.unsupported


@rule("52.A.11/28")
def has_a_breakdown_and_lies_in_the_pool(q: BreakingDown) -> Verdict:
    """A unit with a breakdown chart is broken down in an ELIMINATED BOX, and nowhere else."""
    if q.chart is None:
        return no(f"{q.unit} has no breakdown chart", remedy="enter one under charts: breakdowns")
    place = q.unit.place
    if place.kind != ELIMINATED or not place.is_reached(q.state.clock.turn):
        return no(f"{q.unit} is {q.world.where(place)}, not in an ELIMINATED BOX")
    for name in q.components:
        if name in q.state.units and q.state.units[name].place.kind not in (MIX, OUT):
            return no(f"{the_unit(name)} is in play already: {q.world.said_place(q.state.units[name].place)}")
    return YES


@rule("52.A.11/29")
def gives_unsupported_units_and_a_hq(q: BreakingDown) -> Verdict:
    """In the pool a unit breaks down into unsupported units together with a HQ."""
    hqs = [name for name, spec in q.components.items() if q.world.has_role(spec, HQ)]
    if not hqs:
        return no(f"the breakdown of {q.unit} has no HQ", remedy="break it down into unsupported units with a HQ")
    supported = [name for name in q.components if name not in hqs and not q.is_unsupported(name)]
    if supported:
        return no(f"{', '.join(supported)} would not be unsupported", remedy="use the unsupported counters")
    return YES


class BreakDown(Command, tag="break-down", frozen=True):
    """Split a unit in the replacement pool into its components, to be bought one by one."""

    harms = True

    unit: UnitName

    question = BreakingDown
    needs = (has_a_breakdown_and_lies_in_the_pool,)
    requires = (in_own_replacement_phase, gives_unsupported_units_and_a_hq)

    def effects(self, q: BreakingDown) -> Iterator[Event]:
        unit = q.unit
        yield Moved(unit=unit.id, frm=unit.place, to=OUT_OF_PLAY, because="52.A.11/28", says="broken down")
        for name, spec in q.components.items():
            if name in q.state.units:
                yield Moved(unit=name, frm=q.state.units[name].place, to=unit.place, because="52.A.11/29")
            else:
                yield Raised(unit=name, spec=spec, at=unit.place, because="52.A.11/29")
            yield from has_had_its_aid(q.state, unit, name)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == ELIMINATED and unit.id in world.chart("breakdowns"):
            yield cls(unit=unit.id)


CHAPTER = Chapter(heading="52.A.11", commands=(BreakDown,), charts={"breakdowns": dict[str, Breakdown]})
