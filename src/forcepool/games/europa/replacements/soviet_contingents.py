"""52.D.2/5, 52.D.2/7 and 52.D.2.e  RPs of the Soviet foreign contingents, and of nations that come over."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.events import Event, Transferred
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.replacements.soviet_cities import SovietLine, in_force, is_receipt_turn
from forcepool.games.europa.replacements.soviet_pools import AXIS, INF, REINFORCEMENT, SOVIET, in_soviet
from forcepool.games.europa.world import NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

CONTINGENTS = "source/soviet contingents"
AXIS_CHART = "source/axis chart"


class AxisLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    """A line of the AXIS REPLACEMENT CHART: what a nation receives each month while the line is valid."""

    nation: str
    points: dict[str, Fraction]
    from_: str = ""
    until: str = ""


def receipts(world: World, state: State) -> Iterator[Event]:
    """In the Soviet reinforcement phase each contingent receives its own infantry RPs."""
    if not in_soviet(REINFORCEMENT, world, state):
        return
    assert isinstance(world, EuropaWorld)
    for line in world.chart("soviet_replacements"):
        if line.contingent and _comes_now(world, state, line):
            yield own_infantry(world, line)


def _comes_now(world: EuropaWorld, state: State, line: SovietLine) -> bool:
    if line.turn:
        return world.calendar.parse(line.turn).turn == state.clock.turn
    return in_force(world, line, state.clock.turn) and is_receipt_turn(world, state)


@computed("52.D.2/5", "52.D.2.e/1")
def own_infantry(world: EuropaWorld, line: SovietLine) -> Transferred:
    """A contingent's points go to a pool of its nationality that belongs to no MD."""
    nation = world.nation_named(line.contingent)
    return Transferred(
        amount=line.inf,
        kind=INF,
        nation=nation,
        frm=CONTINGENTS,
        to=NATIONAL + nation,
        because="52.D.2/5 52.D.2.e/1",
        says=f"{nation}, by the Soviet chart",
    )


def defectors_receive(world: World, state: State) -> Iterator[Event]:
    """Nations that came over from the Axis receive their RPs with the Soviet player, on the first turn of a month."""
    if not in_soviet(REINFORCEMENT, world, state) or not world.calendar.is_first_of_month(state.clock.turn):
        return
    assert isinstance(world, EuropaWorld)
    for line in world.chart("axis_replacements"):
        nation = world.nation_named(line.nation)
        came_over = world.side_of(nation) == AXIS and world.side_now(state, nation) == SOVIET
        if came_over and _is_valid(world, state, line):
            yield from by_the_axis_chart(nation, line)


def _is_valid(world: EuropaWorld, state: State, line: AxisLine) -> bool:
    now, parse = state.clock.turn, world.calendar.parse
    begun = not line.from_ or parse(line.from_).turn <= now
    return begun and (not line.until or now <= parse(line.until).turn)


@computed("52.D.2/7")
def by_the_axis_chart(nation: str, line: AxisLine) -> Iterator[Event]:
    """What the Axis chart lists for it, for its own units."""
    for kind, amount in sorted(line.points.items()):
        yield Transferred(
            amount=amount,
            kind=kind,
            nation=nation,
            frm=AXIS_CHART,
            to=NATIONAL + nation,
            because="52.D.2/7",
            says=f"{nation}, by the Axis chart",
        )


CHAPTER = Chapter(
    heading="52.D.2.e",
    happens=(receipts, defectors_receive),
    charts={"axis_replacements": tuple[AxisLine, ...]},
)
