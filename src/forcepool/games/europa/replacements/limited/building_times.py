"""52.A.10.a  Extended building times: how long a limited unit takes, and where a reduced one waits."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from forcepool.engine.events import Event, Moved
from forcepool.engine.game import Effect
from forcepool.engine.places import HEX, Place
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.tallies import front_of
from forcepool.games.europa.ground.transport import cities_of
from forcepool.games.europa.replacements.general import costs_table
from forcepool.games.europa.replacements.limited.limited_types import LimitedType, is_limited, types_of
from forcepool.games.europa.world import ELIMINATED, FORMING, EuropaWorld
from forcepool.rulebook.citations import COMPUTED, computed, heard, meets_one_of, shown

Ruling = Callable[[str], str]

LIMITED_CADRE_TIME = switch(
    "limited-cadre-time",
    "52.A.10.a/5",
    "how long the cadre of a limited unit takes",
    twice_the_extra="twice the extra turns in all, and never less than the normal time",
    normal_and_twice_the_extra="the normal time and twice the extra turns",
    twice_everything="twice the normal time with its extra turns",
)
OTHER_LIMITED = switch(
    "other-limited-types",
    "52.A.11/24",
    "which limited units take the two extra turns of the table's last line",
    without_own_line="limited types that have no line of their own",
    every="every limited unit, on top of its own line",
    labelled="only units that the order of battle labels Limited",
)
LABELLED = "Limited"


class Time(Struct, frozen=True):
    """Turns until a unit arrives, with the clauses that made them."""

    turns: int
    clauses: tuple[str, ...] = ()


def building_time(world: EuropaWorld, state: State, unit: Unit, goal: str, ruling: Ruling) -> Time:
    """The turns an eliminated unit takes at the normal rate."""
    normal = int(world.numbers["replacement_time"])
    more, line = costs_table.extra_turns(world, unit.spec)
    types = types_of(world, state, unit)
    if not types:
        return Time(normal + more, (line,) if more else ())
    extra = type_turns(world, types, ruling)
    if goal == CADRE and is_limited(world, state, unit):
        turns = cadre_turns(world, normal, extra.turns, ruling)
        return Time(turns + more, (*extra.clauses, "52.A.10.a/5"))
    return Time(with_extra_turns(normal, extra.turns) + more, extra.clauses)


@computed("52.A.10.a/1", "52.A.11/31")
def with_extra_turns(normal: int, extra: int) -> int:
    """What the table writes with a plus comes on top of the normal time."""
    return normal + extra


@meets_one_of(
    "52.A.10.a/2",
    "52.A.11/16",
    "52.A.11/17",
    "52.A.11/18",
    "52.A.11/19",
    "52.A.11/20",
    "52.A.11/21",
    "52.A.11/22",
    "52.A.11/23",
    "52.A.11/24",
)
def type_turns(world: EuropaWorld, types: tuple[LimitedType, ...], ruling: Ruling) -> Time:
    """The extra turns of a unit's limited types, each line of the table once, added up."""
    lines = {each.clause: each.turns for each in types if each.turns}
    if _takes_the_other_line(types, ruling(OTHER_LIMITED.key)):
        lines["52.A.11/24"] = int(world.numbers["limited_other_turns"])
    clauses = (*lines, *(("52.A.10.a/2",) if len(lines) > 1 else ()))
    heard(" ".join(clauses), COMPUTED)
    return Time(sum(lines.values()), clauses)


def _takes_the_other_line(types: tuple[LimitedType, ...], ruled: str) -> bool:
    if ruled == "every":
        return any(each.category for each in types)
    if any(each.turns or each.own_time for each in types):
        return False
    return any(each.type == LABELLED for each in types) if ruled == "labelled" else any(each.other for each in types)


@computed("52.A.10.a/5")
def cadre_turns(world: EuropaWorld, normal: int, extra: int, ruling: Ruling) -> int:
    """A limited unit built to cadre strength doubles its turns."""
    factor, ruled = int(world.numbers["limited_cadre_factor"]), ruling(LIMITED_CADRE_TIME.key)
    if ruled == "twice-everything":
        return factor * (normal + extra)
    return normal + factor * extra if ruled == "normal-and-twice-the-extra" else max(normal, factor * extra)


# --------------------------------------------------------------------------------------------- on the tracks


@computed("52.A.10.a/4")
def counts_as_forming(unit: Unit) -> bool:
    """Whether a unit on the PARTISAN/FORMING TRACK is as good as in the Forming Box; partisans are not."""
    return unit.place.kind == FORMING and "partisan" not in unit.spec.type.casefold().split()


@shown("52.A.10.a/4")
def as_in_the_forming_box(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """What a unit on the forming track counts as."""
    if counts_as_forming(unit):
        yield Effect(
            "counts as in the Forming Box: in operational reserve, making RPs as a forming unit, and lost with the box",
            "52.A.10.a/4",
        )


def lost_with_the_box(world: EuropaWorld, state: State) -> Iterator[Event]:
    """Units on the forming track are eliminated once their owner holds no city of the area any more."""
    forming = [unit for unit in state.units_at(FORMING) if counts_as_forming(unit)]
    facts = world.facts(state)
    cities_in = {area: cities_of(world, facts, area) for area in dict.fromkeys(unit.place.of for unit in forming)}
    for unit in forming:
        cities, side = cities_in[unit.place.of], world.side_now(state, unit.spec.nation)
        if cities and not any(facts.owner(city) in ("", side) for city in cities):
            to = Place(ELIMINATED, front_of(world, state, unit.place.of, unit.spec.nation))
            says = f"no city of {the_pool(unit.place.of)} is {side} any more"
            yield Moved(unit=unit.id, frm=unit.place, to=to, because="52.A.10.a/4", says=says)


@shown("52.A.10.a/6")
def turn_markers(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """The marker for a wait longer than the track, and the place on the track it stands at."""
    wait = unit.place.due - state.clock.turn
    cycle = int(world.numbers["cycle"])
    track = cycle * int(world.numbers["cycles_on_the_track"])
    if unit.place.kind == HEX or wait <= track:
        return
    marker = -(-(wait - track) // cycle) * cycle
    yield Effect(f"'+{marker} Turn' marker on track position {wait - marker}", "52.A.10.a/6")


CHAPTER = Chapter(
    heading="52.A.10.a",
    switches=(LIMITED_CADRE_TIME, OTHER_LIMITED),
    shows=(as_in_the_forming_box, turn_markers),
    happens=(lost_with_the_box,),
)
