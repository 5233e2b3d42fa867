"""52.A.12/2 to /4  Pools that are cut off: their eliminated units go to a neighbour, or to the isolated box."""

from collections.abc import Iterator, Sequence

from forcepool.engine.agenda import LAPSES, OPEN, Item
from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import PLAYER_TURN, WORDS, Fact, kept, unit_key
from forcepool.engine.given import Area, UnitName
from forcepool.engine.options import would_pass
from forcepool.engine.places import Place
from forcepool.engine.sentence import the_pool, the_pools
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.transport import cities_of, has_open_city
from forcepool.games.europa.own_phase import in_own
from forcepool.games.europa.question import EuropaQuestion, in_a_later, instead
from forcepool.games.europa.replacements.special.special import ASIDE
from forcepool.games.europa.world import ELIMINATED, ISOLATED, NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

EVACUATION = switch(
    "evacuation",
    "52.A.12/2",
    "when the eliminated units of a cut-off pool leave it",
    start_of_turn="by themselves, at the start of the owner's player-turn",
    at_once="by themselves, at the moment the pool is cut off: at the latest as the phase ends",
    optional="only if the owner orders it",
)
UNSAID = switch(
    "neighbours-unsaid",
    "52.A.12/3",
    "which pools adjoin one of which nobody has said it",
    none="none: its eliminated units go to the ELIMINATED ISOLATED BOX",
    same_theatre="those of the same front, else of the same theatre",
)
EVACUATED_FROM = "evacuated_from"


@kept
def is_cut_off(world: EuropaWorld, facts: EuropaFacts, area: str, side: str) -> bool:
    """Whether an area has lost its last friendly-owned unisolated city; nobody is asked where none is listed."""
    return bool(cities_of(world, facts, area)) and not has_open_city(world, facts, area, side)


@kept
def neighbours(world: EuropaWorld, facts: EuropaFacts, area: str, nation: str) -> list[str]:
    """The areas of a nation's own side next to one that can still be reached over land, the preferred first.

    From a box that never was its side's, where a campaign begun under other rules may have put it, a unit goes home.
    """
    beside = homes.adjacent_to(world, facts, area) or _of_the_same_theatre(world, facts, area)
    friendly = [each for each in beside if homes.is_open_to(world, facts, each, nation)]
    side = world.side_now(facts.state, nation)
    near = [each for each in friendly if not is_cut_off(world, facts, each, side)]
    if near or homes.is_open_to(world, facts, area, nation) or _was_taken_from(world, facts, area, side):
        return near
    return [homes.home_in(world, facts, area, nation)]


def _was_taken_from(world: EuropaWorld, facts: EuropaFacts, area: str, side: str) -> bool:
    """Whether a side has held a city of an area and lost it again."""
    return any(facts.of_place(city, "taken_from") == side for city in cities_of(world, facts, area))


def _of_the_same_theatre(world: EuropaWorld, facts: EuropaFacts, area: str) -> list[str]:
    """Where nobody has said which areas adjoin, by house rule those of its front do, else those of its theatre."""
    if world.ruling(facts.state, UNSAID.key) != "same-theatre":
        return []
    kind = area.partition("/")[0]
    for around in world.line_of(area)[1:]:
        near = [
            each for each in world.pools if each != area and around in world.line_of(each) and each.startswith(kind)
        ]
        if near:
            return near
    return []


def _ruling(world: EuropaWorld, state: State) -> str:
    return world.ruling(state, EVACUATION.key)


def _in_cut_off_boxes(world: EuropaWorld, state: State, sides: Sequence[str]) -> dict[tuple[str, str], list[Unit]]:
    """The eliminated units of cut-off pools, by side and area; those set aside are in no pool yet."""
    boxes: dict[tuple[str, str], list[Unit]] = {}
    for unit in state.units_at(ELIMINATED):
        if state.mark(unit_key(unit.id), ASIDE) is not None:
            continue
        if world.has_role(unit.spec, "air"):
            continue  # On its AIR CHART it stays in the box of its theatre (28.B/1, 28.D.1/3).
        side = world.side_now(state, unit.spec.nation)
        if side in sides and not unit.place.of.startswith(NATIONAL):
            boxes.setdefault((side, unit.place.of), []).append(unit)
    facts = world.facts(state)
    return {
        (side, area): units for (side, area), units in sorted(boxes.items()) if is_cut_off(world, facts, area, side)
    }


# ------------------------------------------------------------------------------------- what happens by itself


def at_the_start_of_the_turn(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As the owner's player-turn begins, cut-off pools are emptied."""
    if state.clock.phase == 0 and _ruling(world, state) == "start-of-turn":
        yield from _empty(world, state, [side for side in all_sides(world) if world.has_the_turn(state, side)])


def at_the_end_of_the_phase(world: EuropaWorld, state: State) -> Iterator[Event]:
    """Where a group plays it so, cut-off pools are emptied at once, whoever's turn it is."""
    if _ruling(world, state) == "at-once":
        yield from _empty(world, state, all_sides(world))


def all_sides(world: EuropaWorld) -> list[str]:
    """Those that play, and the neutrals, whose turn is the last player's."""
    return sorted(set(world.sides.values()))


def _empty(world: EuropaWorld, state: State, sides: Sequence[str]) -> Iterator[Event]:
    for (_, area), units in _in_cut_off_boxes(world, state, sides).items():
        for unit in units:
            near = neighbours(world, world.facts(state), area, unit.spec.nation)
            yield from _sent(world, state, unit, area, near[0] if near else "")


def _sent(world: EuropaWorld, state: State, unit: Unit, area: str, to: str) -> Iterator[Event]:
    """To a neighbour in four turns; without one to the isolated box at once."""
    if not to:
        yield _without_a_neighbour(unit, area)
        return
    due = state.clock.turn + int(world.numbers["evacuation_time"])
    says = f"{the_pool(area)} is cut off; in the box of {the_pool(to)} on {world.turn_name(due)}"
    yield Moved(unit=unit.id, frm=unit.place, to=Place(ELIMINATED, to, due), because="52.A.12/2", says=says)
    yield Marked(on=unit_key(unit.id), mark=EVACUATED_FROM, value=area)


@computed("52.A.12/3", "52.A.12/4")
def _without_a_neighbour(unit: Unit, area: str) -> Event:
    """All that happens is that the unit lies in the isolated box: nothing is recovered for it."""
    place = Place(ISOLATED, NATIONAL + unit.spec.nation)
    says = f"{the_pool(area)} is cut off and has no neighbour over land; no points are recovered"
    return Moved(unit=unit.id, frm=unit.place, to=place, because="52.A.12/3 52.A.12/4", says=says)


# ------------------------------------------------------------------------------------- what the owner orders


class Evacuating(EuropaQuestion):
    """A unit of a cut-off pool, and the neighbour it is to go to."""

    command: "Evacuate"

    @lazy
    def area(self) -> str:
        """The pool it leaves: where it lies, or where it left from this player-turn."""
        left = self.facts.of_unit(self.unit, EVACUATED_FROM)
        return left or self.unit.place.of

    @lazy
    def into(self) -> str:
        return self.world.pool_named(self.command.into)


@rule("52.A.12/2")
def lies_in_a_cut_off_box(q: Evacuating) -> Verdict:
    """Only eliminated units of a pool that has lost its last city are evacuated."""
    if q.unit.place.kind != ELIMINATED:
        return no(f"{q.unit} is in no ELIMINATED BOX", remedy="only eliminated units are evacuated")
    if q.world.has_role(q.unit.spec, "air"):
        return no(f"{q.unit} is an air unit", remedy="it stays in its theatre's box (28.D.1/3)")
    if q.facts.is_so(q.unit, ASIDE):
        due = q.unit.place.due
        remedy = in_a_later(q, due, f"wait for {q.world.turn_name(due)}") if due else ""
        return no(f"{q.unit} is set aside and not yet counted", remedy=remedy)
    if is_cut_off(q.world, q.facts, q.area, q.side):
        return YES
    return no(f"{the_pool(q.area)} is not cut off", remedy="use transfer-unit")


@rule("52.A.12/2")
def goes_to_a_neighbour(q: Evacuating) -> Verdict:
    """To any adjacent MD reachable over land, as the owner chooses for each unit."""
    near = neighbours(q.world, q.facts, q.area, q.nation)
    if q.into in near:
        return YES
    words = f"choose {the_pools(near, ' or ')}"
    ways = [instead(q, words if each == near[0] else "", into=each) for each in near]
    return no(
        f"{the_pool(q.into)} cannot be reached over land from {the_pool(q.area)}",
        remedy=ways or "declare which areas are adjacent",
    )


@rule("52.A.12/2")
def it_is_time(q: Evacuating) -> Verdict:
    """In the owner's player-turn, or at any time where pools are emptied at once."""
    return YES if q.switch(EVACUATION.key) == "at-once" else in_own(q)


class Evacuate(Command, tag="evacuate", frozen=True):
    """Send an eliminated unit of a cut-off pool to a neighbour of your choice, where it arrives by the track."""

    unit: UnitName
    into: Area

    question = Evacuating
    needs = (lies_in_a_cut_off_box,)
    requires = (it_is_time, goes_to_a_neighbour)

    def effects(self, q: Evacuating) -> Iterator[Event]:
        yield from _sent(q.world, q.state, q.unit, q.area, q.into)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind != ELIMINATED or world.has_role(unit.spec, "air"):
            return
        facts, side = world.facts(state), world.side_now(state, unit.spec.nation)
        area = facts.of_unit(unit, EVACUATED_FROM) or unit.place.of
        if not area.startswith(NATIONAL) and is_cut_off(world, facts, area, side):
            for near in neighbours(world, facts, area, unit.spec.nation):
                if near != unit.place.of:
                    yield cls(unit=unit.id, into=near)


def about_to_be_lost(world: EuropaWorld, state: State) -> Iterator[Item]:
    """The pools that are cut off now, and what will become of their units."""
    optional = _ruling(world, state) == "optional"
    for (side, area), units in _in_cut_off_boxes(world, state, all_sides(world)).items():
        near = neighbours(world, world.facts(state), area, units[0].spec.nation)
        count = f"{len(units)} eliminated unit{'s' if len(units) > 1 else ''}"
        verb = "may go" if optional else "will go"
        goal = f"to {the_pools(near, ' or ')}" if near else "to the ELIMINATED ISOLATED BOX"
        yield Item(LAPSES, f"{the_pool(area)} is cut off: {count} {verb} {goal}", "52.A.12/2", side)


def may_go_elsewhere(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Units that have left a cut-off pool by themselves, while their owner may still choose another neighbour."""
    facts = world.facts(state)
    gone: dict[tuple[str, str, str], list[Unit]] = {}
    for unit in (state.units.get(on.removeprefix("unit/")) for on in sorted(state.marked.get(EVACUATED_FROM, ()))):
        left = facts.of_unit(unit, EVACUATED_FROM) if unit is not None and unit.place.kind == ELIMINATED else ""
        if unit is not None and left:
            gone.setdefault((world.side_now(state, unit.spec.nation), left, unit.place.of), []).append(unit)
    for (side, left, to), units in sorted(gone.items()):
        near = neighbours(world, facts, left, units[0].spec.nation)
        orders = (Evacuate(unit=units[0].id, into=each) for each in near if each != to)
        if open_now := [order for order in orders if would_pass(world, state, order)]:
            count = f"{len(units)} eliminated unit{'s' if len(units) > 1 else ''}"
            others = the_pools((order.into for order in open_now), " or ")
            text = f"{count} of {the_pool(left)} left for {the_pool(to)}, and may go to {others} instead"
            yield Item(OPEN, text, "52.A.12/2", side, open_now[0])


CHAPTER = Chapter(
    heading="52.A.12",
    commands=(Evacuate,),
    facts=(
        Fact("adjacent", ("area",), "the areas one can reach from it over land, the preferred one first", [], WORDS),
        Fact(EVACUATED_FROM, ("unit",), "the cut-off pool it left", "", lasts=PLAYER_TURN, by_hand=False),
    ),
    switches=(EVACUATION, UNSAID),
    happens=(at_the_start_of_the_turn,),
    ends=(at_the_end_of_the_phase,),
    agenda=(about_to_be_lost, may_go_elsewhere),
)
