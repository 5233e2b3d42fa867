"""EF.reinforcements/13 to /18 and /24: the Axis Allies lose their entry points, their capitals, and their war."""

from collections.abc import Iterator

from forcepool.engine.agenda import DUE, Item
from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command
from forcepool.engine.desk import Advance, Declaring
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.facts import subject_key
from forcepool.engine.game import Habit
from forcepool.engine.given import Spot, UnitName
from forcepool.engine.ledger import LOST
from forcepool.engine.options import choice
from forcepool.engine.places import OUT_OF_PLAY, at_hex
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.eastern_front.attacking import ATTACKED
from forcepool.games.eastern_front.chapter import OPERATIONAL_PHASE, STRATEGIC_PHASE, Order, by_orders, instead
from forcepool.games.eastern_front.facts import AT_WAR, CONTROL, DEFECTED, ENTRY_LOST, LAND, SIDES_WITH, WAR
from forcepool.games.eastern_front.losses import leaves_behind
from forcepool.games.eastern_front.operational import MOVED, MoveOperationally
from forcepool.games.eastern_front.reinforcements import PlaceReinforcement
from forcepool.games.eastern_front.replacements import AFTER_THE_WAR, ReplaceOnMap
from forcepool.games.eastern_front.strategic import STRATEGIC_BY, MoveStrategically, StrategicMove, standing_on_the_map
from forcepool.games.eastern_front.world import AXIS, COMING, REPLACEMENTS, SOVIET, EasternWorld, is_factory, on_the_map
from forcepool.rulebook.citations import computed, meets_one_of

CAPITAL = switch(
    "capitals",
    "EF.reinforcements/16",
    "which point is a nation's capital, and when its troops change sides",
    own_capital="Bucharest, Helsinki, and Budapest if it is on the map, else Cluj; at once",
    entry_point="always the entry point of the list, Cluj for Hungary; at once",
    next_soviet_turn="the capital, but only at the start of the next Soviet turn",
)
GOING_HOME = switch(
    "going-home",
    "EF.reinforcements/17",
    "how defected troops go home",
    march="in Soviet movement, by the shortest open way",
    picked_up="they are picked up and placed at home",
)
AT_HOME = switch(
    "defected-troops",
    "EF.reinforcements/18",
    "what defected troops do once home",
    attack_at_home="they defend, and may attack within their home country",
    defend_only="they only defend",
    removed="they are removed from play",
)

# ------------------------------------------------------------------------------------------- the entry point


def _entry_lost(q: Order) -> bool:
    return q.facts.of_nation(q.unit.spec.nation, ENTRY_LOST) is True


def _retaken(q: Order) -> bool:
    return any(q.facts.control(point) == AXIS for point in q.world.profile.nations[q.unit.spec.nation].entry.points)


@rule("EF.reinforcements/13")
def still_gets_replacements(q: Order) -> Verdict:
    """A nation whose entry point fell to the Soviets gets no more replacements."""
    if _entry_lost(q):
        return no(
            f"the Soviets have taken the entry point of {q.unit.spec.nation}, and its replacements are lost for good"
        )
    return YES


@rule("EF.reinforcements/14")
def still_gets_reinforcements(q: Order) -> Verdict:
    """A nation whose entry point fell to the Soviets gets no more reinforcements."""
    if _entry_lost(q):
        return no(
            f"the Soviets have taken the entry point of {q.unit.spec.nation}, and its reinforcements are lost for good"
        )
    return YES


@rule("EF.reinforcements/15")
def retaking_restores_nothing(q: Order) -> Verdict:
    """Winning the point back does not bring replacements or reinforcements back."""
    if _entry_lost(q) and _retaken(q):
        return no(f"{q.unit.spec.nation} has its entry point again, but what was lost with it stays lost")
    return YES


@rule("EF.reinforcements/24")
def nation_is_in_the_war(q: Order) -> Verdict:
    """A nation that is out of the war, or has gone over, sends nothing more to either side."""
    war = q.facts.of_nation(q.unit.spec.nation, WAR)
    if war == AT_WAR:
        return YES
    has_left = "has gone over to the Soviets" if war == DEFECTED else "is out of the war"
    return no(f"{q.unit.spec.nation} {has_left}, and nothing more of it appears")


@rule("EF.reinforcements/24")
def nation_still_replaces(q: Order) -> Verdict:
    """Its replacements stop as well, unless the group plays it otherwise."""
    if q.switch(AFTER_THE_WAR.key) == "until-entry-point-falls":
        return YES
    return nation_is_in_the_war(q)


# -------------------------------------------------------------------------------------------- a point changes hands


def capital_of(world: EasternWorld, state: State, nation: str) -> str:
    """The point whose loss turns a nation's troops: its capital if that is on the map, else its entry point."""
    row = world.profile.nations[nation]
    entry = row.entry.points[0] if row.entry.points else ""
    if world.ruling(state, CAPITAL.key) == "entry-point" or row.capital not in world.points:
        return entry
    return row.capital


def a_point_falls(q: Declaring) -> Iterator[Event]:
    """What the fall of an entry point or a capital brings about at once."""
    world: EasternWorld = q.world  # type: ignore[assignment]
    if q.value != SOVIET:
        return
    yield from _lost_with(world, q.state, q.on.removeprefix("place/"))


def _lost_with(world: EasternWorld, state: State, point: str) -> Iterator[Event]:
    """What the Axis Allies lose with a point: the right to replacements and reinforcements, or their troops."""
    waits = world.ruling(state, CAPITAL.key) == "next-soviet-turn"
    for nation, row in sorted(world.profile.nations.items()):
        if not row.allied:
            continue
        if point in row.entry.points:
            because = "EF.reinforcements/13 EF.reinforcements/14"
            yield Marked(on=subject_key("nation", nation), mark=ENTRY_LOST, value=True, because=because)
            yield from _unused_replacements(world, state, nation)
            yield from _never_come(state, nation)
        if point == capital_of(world, state, nation) and not waits:
            yield from _goes_over(nation)
            if point not in row.entry.points:
                yield from sends_nothing_more(world, state, nation)


def sends_nothing_more(world: EasternWorld, state: State, nation: str) -> Iterator[Event]:
    """What a nation that goes over had saved, unless replacements outlast the war, and what it still had coming."""
    if world.ruling(state, AFTER_THE_WAR.key) == "none":
        yield from _unused_replacements(world, state, nation)
    yield from _never_come(state, nation)


def _unused_replacements(world: EasternWorld, state: State, nation: str) -> Iterator[Event]:
    """What a nation has saved and can bring nobody back with any more."""
    because = "EF.reinforcements/13 EF.reinforcements/24"
    for kind in world.profile.points:
        if saved := state.balance(REPLACEMENTS, nation, kind):
            yield Transferred(amount=saved, kind=kind, nation=nation, frm=REPLACEMENTS, to=LOST, because=because)


def _never_come(state: State, nation: str) -> Iterator[Event]:
    """The reinforcements a nation still had coming."""
    for unit in state.units_in_order():
        if unit.place.kind == COMING and unit.spec.nation == nation:
            because = "EF.reinforcements/14 EF.reinforcements/24"
            yield Moved(unit=unit.id, frm=unit.place, to=OUT_OF_PLAY, because=because)


def fallen_before_play(world: EasternWorld, state: State) -> Iterator[Event]:
    """A campaign that begins late begins with what has been lost by then."""
    facts = world.facts(state)
    fallen = (point for point in sorted(world.points) if facts.control(point) == SOVIET)
    # A nation may have lost its entry point and its capital, and what was to come with either.
    yield from dict.fromkeys(event for point in fallen for event in _lost_with(world, state, point))


@meets_one_of("EF.reinforcements/16")
def _goes_over(nation: str) -> Iterator[Event]:
    on = subject_key("nation", nation)
    yield Marked(on=on, mark=SIDES_WITH, value=SOVIET, because="EF.reinforcements/16")
    yield Marked(on=on, mark=WAR, value=DEFECTED, because="EF.reinforcements/16 EF.reinforcements/24")


def capitals_fallen_before(world: EasternWorld, state: State) -> Iterator[Event]:
    """What has not changed sides as its capital fell, since a group waits or waited for it, does so now."""
    if state.clock.phase or world.phasing(state) != SOVIET:
        return
    facts = world.facts(state)
    for nation, row in sorted(world.profile.nations.items()):
        lost = row.allied and facts.control(capital_of(world, state, nation)) == SOVIET
        if lost and world.side_now(state, nation) == AXIS:
            yield from _goes_over(nation)
            yield from sends_nothing_more(world, state, nation)


# ------------------------------------------------------------------------------------------- troops that went over


def is_home(world: EasternWorld, unit: Unit) -> bool:
    return world.point(unit.place.of).country == unit.spec.nation


def has_gone_over(world: EasternWorld, state: State, unit: Unit) -> bool:
    nation = world.profile.nations.get(unit.spec.nation)
    return bool(nation and nation.allied) and world.side_now(state, unit.spec.nation) == SOVIET


@computed("EF.reinforcements/17")
def way_home(world: EasternWorld, state: State, unit: Unit) -> tuple[str, ...] | None:
    """The lines of the shortest open way to the home country, or None while there is none."""
    home = frozenset(home_points(world, state, unit))
    return world.facts(state).route(SOVIET, unit.place.of, home, lambda kind: kind.by == LAND)


def home_points(world: EasternWorld, state: State, unit: Unit) -> list[str]:
    """The points of a unit's home country that it can go home to."""
    ours = (name for name, point in world.points.items() if point.country == unit.spec.nation)
    return sorted(name for name in ours if world.facts(state).open_to(unit, name))


def _next_stop(world: EasternWorld, unit: Unit, way: tuple[str, ...]) -> str:
    return world.other_end(way[0], unit.place.of)


def away_from_home(world: EasternWorld, state: State) -> Iterator[tuple[Unit, str]]:
    """Troops that went over, are not home and could go now, each with the point it goes to."""
    picked_up = world.ruling(state, GOING_HOME.key) == "picked-up"
    for unit in state.units_in_order():
        if not (on_the_map(unit) and has_gone_over(world, state, unit)) or is_home(world, unit):
            continue
        stops = home_points(world, state, unit) if picked_up else _next_stops(world, state, unit)
        if stops:
            yield unit, stops[0]


def _next_stops(world: EasternWorld, state: State, unit: Unit) -> list[str]:
    """The next point on the way home of a unit that marches and has not moved this turn."""
    facts = world.facts(state)
    if facts.is_so(unit, MOVED) or facts.word(unit, STRATEGIC_BY):
        return []
    way = way_home(world, state, unit)
    # On a map without lines every way home is open, and leads there at once.
    stops = [_next_stop(world, unit, way)] if way else home_points(world, state, unit) if not world.lines else []
    return [stop for stop in stops if choice(world, state, MoveOperationally(unit=unit.id, to=stop)).open]


@rule("EF.reinforcements/17")
def troops_have_gone_home(q: Order) -> Verdict:
    """Troops that went over go home as soon as a way is open."""
    if q.world.phasing(q.state) != SOVIET or q.world.phase(q.state) != OPERATIONAL_PHASE:
        return YES
    staying = list(away_from_home(q.world, q.state))
    if not staying:
        return YES
    unit, stop = staying[0]
    if q.switch(GOING_HOME.key) == "picked-up":
        orders = (SendHome(unit=each.id, to=home) for each, home in staying)
        remedy = by_orders("send-home puts it there", orders)
        return no(f"{unit} must go home, and {the_place(stop)} is open to it", **remedy)
    marches = (MoveOperationally(unit=each.id, to=nearer) for each, nearer in staying)
    remedy = by_orders("move it nearer home", marches)
    return no(f"{unit} must go home, and the way by {the_place(stop)} is open", **remedy)


@rule("EF.reinforcements/17")
def goes_nearer_home(q: StrategicMove) -> Verdict:
    """On the way home each move leads nearer to it."""
    unit = q.unit
    if not has_gone_over(q.world, q.state, unit) or is_home(q.world, unit):
        return YES
    if not q.world.lines:
        return _goes_home_at_once(q)
    now, then = way_home(q.world, q.state, unit), way_home(q.world, q.state, _at(unit, q.destination))
    if q.world.point(q.destination).country == unit.spec.nation or (now and then is not None and len(then) < len(now)):
        return YES
    stop = _next_stop(q.world, unit, now) if now else ""
    remedy = instead(q, f"go by {the_place(stop)}", to=stop) if stop else {}
    return no(f"{q.destination} is no nearer to {unit.spec.nation}", **remedy)


def _goes_home_at_once(q: StrategicMove) -> Verdict:
    """Where no line is drawn every way home is open, and none leads to anywhere else."""
    if q.world.point(q.destination).country == q.unit.spec.nation:
        return YES
    home = home_points(q.world, q.state, q.unit)
    remedy = instead(q, f"go to {the_place(home[0])}", to=home[0]) if home else {}
    return no(f"{the_place(q.destination)} is not in {q.unit.spec.nation}", **remedy)


def _at(unit: Unit, point: str) -> Unit:
    return Unit(unit.id, unit.spec, at_hex(point), unit.step)


@rule("EF.reinforcements/18")
def stays_home(q: StrategicMove) -> Verdict:
    """Once home, troops that went over do not leave again."""
    leaving = q.world.point(q.destination).country != q.unit.spec.nation
    if has_gone_over(q.world, q.state, q.unit) and is_home(q.world, q.unit) and leaving:
        return no(f"{q.unit} is home and stays in {q.unit.spec.nation}")
    return YES


@rule("EF.reinforcements/18")
def attacks_only_at_home(q: Order) -> Verdict:
    """Troops that went over may attack within their home country."""
    if not has_gone_over(q.world, q.state, q.unit):
        return YES
    if q.switch(AT_HOME.key) == "attack-at-home" and is_home(q.world, q.unit):
        return YES
    return no(f"{q.unit} went over to the Soviets and may not attack here")


def troops_at_home_are_removed(world: EasternWorld, state: State) -> Iterator[Event]:
    """Where a group plays it so, troops that went over leave play once they are home."""
    if world.ruling(state, AT_HOME.key) != "removed" or world.phasing(state) != SOVIET:
        return
    for unit in state.units_in_order():
        if on_the_map(unit) and has_gone_over(world, state, unit) and is_home(world, unit) and not is_factory(unit):
            yield Moved(unit=unit.id, frm=unit.place, to=OUT_OF_PLAY, because="EF.reinforcements/18")


# ------------------------------------------------------------------------------------------ picking troops up


@rule("EF.reinforcements/17")
def troops_are_picked_up(q: StrategicMove) -> Verdict:
    """They march, unless the group picks them up."""
    if not has_gone_over(q.world, q.state, q.unit):
        return no(f"{q.unit} has not gone over to the Soviets, and moves like any other unit")
    if q.switch(GOING_HOME.key) != "picked-up":
        return no("troops that went over march home, operationally or strategically")
    home = home_points(q.world, q.state, q.unit)
    remedy = instead(q, f"put it at {the_place(home[0])}", to=home[0]) if home else {}
    if q.world.point(q.destination).country != q.unit.spec.nation:
        return no(f"{the_place(q.destination)} is not in {q.unit.spec.nation}", **remedy)
    if not q.facts.open_to(q.unit, q.destination):
        return no(f"the Axis holds {the_place(q.destination)}", **remedy)
    return YES


class SendHome(Command, tag="send-home", frozen=True):
    """Pick up a unit that went over to the Soviets and put it down in its home country, where a group plays it so."""

    harms = True

    unit: UnitName
    to: Spot
    """A point in its home country."""

    question = StrategicMove
    needs = (standing_on_the_map("EF.reinforcements/17"),)
    requires = (troops_are_picked_up,)

    def effects(self, q: StrategicMove) -> Iterator[Event]:
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=at_hex(q.destination), because="EF.reinforcements/17")
        yield from leaves_behind(q.state, q.unit)

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        picked_up = world.ruling(state, GOING_HOME.key) == "picked-up"
        if picked_up and on_the_map(unit) and has_gone_over(world, state, unit):
            for home in home_points(world, state, unit):
                if home != unit.place.of:
                    yield cls(unit=unit.id, to=home)


def todo(world: EasternWorld, state: State) -> Iterator[Item]:
    """The troops that must go home."""
    if world.phasing(state) == SOVIET and world.phase(state) == OPERATIONAL_PHASE:
        march = world.ruling(state, GOING_HOME.key) != "picked-up"
        for unit, stop in away_from_home(world, state):
            order = MoveOperationally(unit=unit.id, to=stop) if march else SendHome(unit=unit.id, to=stop)
            yield Item(DUE, f"{unit} must go home, by {stop}", "EF.reinforcements/17", SOVIET, order)


CHAPTER = Chapter(
    heading="EF.reinforcements (the Axis Allies)",
    commands=(SendHome,),
    forbids={ATTACKED: (attacks_only_at_home,)},
    guards={
        ReplaceOnMap: (still_gets_replacements, retaking_restores_nothing, nation_still_replaces),
        PlaceReinforcement: (still_gets_reinforcements, retaking_restores_nothing, nation_is_in_the_war),
        MoveOperationally: (goes_nearer_home, stays_home),
        MoveStrategically: (goes_nearer_home, stays_home),
        Advance: (troops_have_gone_home,),
    },
    transfers={(REPLACEMENTS, LOST): "replacements lost for good"},
    declared={CONTROL: (a_point_falls,)},
    switches=(CAPITAL, GOING_HOME, AT_HOME, AFTER_THE_WAR),
    opening=(fallen_before_play, capitals_fallen_before),
    happens=(capitals_fallen_before, troops_at_home_are_removed),
    due=(todo,),
    habits={"send-home": Habit((STRATEGIC_PHASE,), 1)},
)
