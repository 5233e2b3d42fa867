"""EF.expansion: the factories on the map at the start, and those the Soviets build by expansion."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.agenda import DUE, NEWS, OPEN, Item
from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import TURN, Fact, unit_key
from forcepool.engine.options import choice
from forcepool.engine.places import HEX, TRACK, Place, on_track
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.engine.world import Habit
from forcepool.games.eastern_front.chapter import REPLACEMENT_PHASE, Chapter, Order, only_in
from forcepool.games.eastern_front.facts import NO_SUPPLY
from forcepool.games.eastern_front.schedules import first_production_turn
from forcepool.games.eastern_front.world import (
    FACTORIES,
    IN_SIBERIA,
    SIBERIA,
    SOVIET,
    SOVIET_UNION,
    UNUSED,
    EasternWorld,
    is_factory,
)
from forcepool.rulebook.citations import computed

DEPLOYED = "deployed"
SITE = "site"

OPPORTUNITIES = switch(
    "expansion-opportunities",
    "EF.expansion/14",
    "how many opportunities to expand there are",
    ten="the choice before the game and the nine quarters to July 1943, used or passed",
    ten_besides="ten besides the choice before the game, the last in October 1943",
    no_cap="as many as the calendar and the thirteen counters allow",
    ten_made="ten choices actually made; a passed quarter does not count",
)
PASSED = switch(
    "expansion-passed",
    "EF.expansion/4",
    "what becomes of an opportunity that is not used",
    lost="it may be declined, and is then lost",
    compulsory="a choice must be made whenever a factory is available",
    accumulates="unused opportunities accumulate",
)
PUT_OFF = switch(
    "expansion-deployment",
    "EF.expansion/7",
    "whether deployment may be put off",
    at_once="it is deployed in its turn; Siberia is always open",
    may_wait="it may wait on the turn track",
)
BORDER = switch(
    "expansion-sites",
    "EF.expansion/8",
    "where an expansion factory may be deployed",
    june_1941="at any Soviet-controlled point within the border of June 1941, in supply or not",
    in_supply="there, but only at a point in supply",
    chosen_before="there, at the point written down when the factory was chosen",
    border_of_1939="at a Soviet-controlled point within the border of before 1939",
)

# ------------------------------------------------------------------------------------------ choosing a factory


@computed("EF.expansion/12", "EF.expansion/15")
def choosable(world: EasternWorld, state: State) -> dict[str, Unit]:
    """By kind the factory that may be chosen next: the earliest letter of each that is still unused."""
    found: dict[str, Unit] = {}
    for unit in world.expansion_factories(state):
        if unit.place.kind == UNUSED:
            found.setdefault(world.works[unit.id].kind, unit)
    return found


def chosen(world: EasternWorld, state: State) -> list[Unit]:
    """The expansion factories that have been chosen so far, wherever they are now."""
    return [unit for unit in world.expansion_factories(state) if unit.place.kind != UNUSED]


@computed("EF.expansion/14")
def opportunities_so_far(world: EasternWorld, turn: int) -> int:
    """The choice before the game and every quarter up to a turn."""
    first = world.dates["first_opportunity"]
    return 1 + sum(world.month(each) in world.profile.expansion_months for each in range(first, turn + 1))


def choices_left_now(world: EasternWorld, state: State) -> int:
    """How many factories may still be chosen in this turn, by the number of opportunities."""
    turn, limit = state.clock.turn, world.number("choices_per_opportunity")
    delay = world.number("expansion_delay")
    made_now = sum(unit.place == on_track(FACTORIES, turn + delay) for unit in world.expansion_factories(state))
    if (state.switches.get(PASSED.key) or PASSED.default) == "accumulates":
        return opportunities_so_far(world, turn) - len(chosen(world, state))
    return limit - made_now


class Choosing(Order):
    """An expansion factory about to be chosen."""


@rule("EF.expansion/13")
def is_an_expansion_factory(q: Choosing) -> Verdict:
    """Thirteen factories can be built by expansion, and no others."""
    works = q.world.factory(q.unit)
    if works is not None and works.letter:
        return YES
    return no(f"{q.unit.id} is none of the expansion factories", remedy="choose a lettered factory")


@rule("EF.expansion/3")
def is_an_expansion_turn(q: Choosing) -> Verdict:
    """New factories are begun in January, April, July and October."""
    if q.world.month(q.turn) in q.world.profile.expansion_months:
        return YES
    return no(f"{q.world.turn_name(q.turn)} is no turn of expansion", remedy="wait for January, April, July or October")


@rule("EF.expansion/4")
def one_at_each_opportunity(q: Choosing) -> Verdict:
    """One factory is chosen at each opportunity."""
    left = choices_left_now(q.world, q.state)
    if left > 0:
        return YES
    return no(
        "the factory of this quarter has been chosen",
        remedy="wait for the next quarter",
        have=Fraction(left),
        need=Fraction(1),
    )


@rule("EF.expansion/5")
def is_unused(q: Choosing) -> Verdict:
    """A factory in play, waiting or destroyed cannot be chosen."""
    if q.unit.place.kind == UNUSED:
        return YES
    return no(f"{q.unit.id} is in the {q.world.show_place(q.unit.place)}", remedy="choose an unused factory")


@rule("EF.expansion/11", "EF.expansion/12")
def is_the_earliest_of_its_kind(q: Choosing) -> Verdict:
    """Within a kind the letters come in order; the kinds may be mixed at will."""
    works, first = q.world.works[q.unit.id], choosable(q.world, q.state)
    earliest = first.get(works.kind)
    if earliest is None or earliest.id == q.unit.id or q.unit.place.kind != UNUSED:
        return yes("EF.expansion/12") if len(first) > 1 else YES
    return no(f"{earliest.id} comes before {q.unit.id}", remedy=f"choose {earliest.id}")


@rule("EF.expansion/14", "EF.expansion/15")
def an_opportunity_is_left(q: Choosing) -> Verdict:
    """There are ten opportunities in the game, counted from the choice before it."""
    played, most = q.switch(OPPORTUNITIES.key), q.world.number("opportunities")
    if played == "no-cap":
        return YES
    have = len(chosen(q.world, q.state)) + 1 if played == "ten-made" else opportunities_so_far(q.world, q.turn)
    need = most + (1 if played == "ten-besides" else 0)
    if have <= need:
        return yes("EF.expansion/15")
    return no(
        f"this would be opportunity {have} of {need}",
        remedy="no more factories can be begun",
        have=Fraction(have),
        need=Fraction(need),
    )


class ChooseFactory(Command, tag="choose-factory", frozen=True):
    """Begin a new factory: it goes on the turn track and is deployed three turns later."""

    unit: str
    at: str = ""
    """The point it will stand on, where a group writes that down now."""

    question = Choosing
    needs = (is_an_expansion_factory,)
    requires = (
        only_in(REPLACEMENT_PHASE, "EF.expansion/3"),
        is_an_expansion_turn,
        one_at_each_opportunity,
        is_unused,
        is_the_earliest_of_its_kind,
        an_opportunity_is_left,
    )

    def effects(self, q: Choosing) -> Iterator[Event]:
        due = q.turn + q.world.number("expansion_delay")
        place = on_track(FACTORIES, due)
        because = "EF.expansion/4 EF.expansion/6 EF.expansion/10"
        says = f"first production {q.world.turn_name(first_production_turn(q.world, q.state, q.unit, due))}"
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=place, because=because, says=says)
        if self.at:
            site = q.world.parse_place(self.at)
            value = site.of if site.kind == HEX else SIBERIA
            yield Marked(on=unit_key(q.unit.id), mark=SITE, value=value, because="EF.expansion/8")

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:  # type: ignore[override]
        works = world.factory(unit)
        if works is not None and works.letter and unit.place.kind == UNUSED:
            yield cls(unit=unit.id)


# ------------------------------------------------------------------------------------------- before the game


@rule("EF.expansion/16")
def is_chosen_before_the_game(q: Choosing) -> Verdict:
    """The first factory is chosen before the first turn is played, and only one."""
    clock = q.state.clock
    if (clock.turn, clock.player, clock.phase) != (q.world.setting.start, 0, 0):
        return no("the game has begun", remedy="choose a factory in a turn of expansion")
    already = chosen(q.world, q.state)
    if already:
        return no(f"{already[0].id} has been chosen before the game", remedy="choose the next one in July 1941")
    return YES


class ChooseFirstFactory(Command, tag="choose-first-factory", frozen=True):
    """Before the game, choose the factory that is ready in July 1941."""

    unit: str

    question = Choosing
    needs = (is_an_expansion_factory,)
    requires = (is_chosen_before_the_game, is_unused, is_the_earliest_of_its_kind)

    def effects(self, q: Choosing) -> Iterator[Event]:
        place = on_track(FACTORIES, q.world.dates["first_factory"])
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=place, because="EF.expansion/16 EF.expansion/17")

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:  # type: ignore[override]
        clock, works = state.clock, world.factory(unit)
        first = (clock.turn, clock.player, clock.phase) == (world.setting.start, 0, 0)
        if first and works is not None and works.letter and unit.place.kind == UNUSED:
            yield cls(unit=unit.id)


# --------------------------------------------------------------------------------------------------- deploying it


class Deploying(Order):
    """A factory on the turn track about to be put into play."""

    @property
    def place(self) -> Place:
        return self.world.parse_place(self.command.at)


@rule("EF.expansion/7")
def waits_on_the_track(q: Deploying) -> Verdict:
    """Only a factory on the turn track is deployed."""
    if q.unit.place.kind == TRACK and is_factory(q.unit):
        return YES
    return no(
        f"{q.unit.id} is in the {q.world.show_place(q.unit.place)}, not on the turn track", remedy="choose it first"
    )


@rule("EF.expansion/7", "EF.expansion/6")
def its_turn_has_come(q: Deploying) -> Verdict:
    """It is deployed three turns after it was chosen."""
    if q.turn >= q.unit.place.due:
        return YES
    wait = Fraction(q.unit.place.due - q.turn)
    return no(
        f"{q.unit.id} is due in {q.world.turn_name(q.unit.place.due)}",
        remedy="wait",
        have=Fraction(0),
        need=wait,
        also=("EF.expansion/6",),
    )


@rule("EF.expansion/8")
def is_a_soviet_site(q: Deploying) -> Verdict:
    """It stands in Siberia, or on a Soviet-controlled point in the Soviet Union."""
    played, place = q.switch(BORDER.key), q.place
    site = q.facts.word(q.unit, SITE)
    if played == "chosen-before" and site and site != (place.of or SIBERIA):
        return no(f"{site} was written down for it", remedy=f"deploy it at {site}")
    if place.kind == SIBERIA:
        return YES
    if place.kind != HEX:
        return no(f"{q.world.show_place(place)} is no point of the map", remedy="name a point, or Siberia")
    return _soviet_point(q, place.of, played)


def _soviet_point(q: Deploying, point: str, played: str) -> Verdict:
    row = q.world.point(point)
    if row.country != SOVIET_UNION:
        return no(f"{point} is not in the Soviet Union", remedy="name a point inside it, or Siberia")
    if played == "border-of-1939" and row.annexed:
        return no(f"{point} lies beyond the border of 1939", remedy="name a point inside it, or Siberia")
    if q.facts.control(point) != SOVIET:
        return no(f"the Soviets do not control {point}", remedy="name another point, or Siberia")
    if played == "in-supply" and q.facts.supply_at(SOVIET, point) == NO_SUPPLY:
        return no(f"{point} is out of supply", remedy="name another point, or Siberia")
    return YES


class DeployFactory(Command, tag="deploy-factory", frozen=True):
    """Put a factory whose turn has come on a Soviet point or in Siberia; it may produce at once."""

    unit: str
    at: str
    """A Soviet-controlled point in the Soviet Union, or Siberia."""

    question = Deploying
    needs = (waits_on_the_track,)
    requires = (only_in(REPLACEMENT_PHASE, "EF.expansion/7"), its_turn_has_come, is_a_soviet_site)

    def effects(self, q: Deploying) -> Iterator[Event]:
        because = "EF.expansion/7 EF.expansion/8"
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=q.place, because=because)
        yield Marked(on=unit_key(q.unit.id), mark=DEPLOYED, value=q.turn, because="EF.expansion/9")

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:  # type: ignore[override]
        if unit.place.kind != TRACK or not is_factory(unit):
            return
        yield cls(unit=unit.id, at=IN_SIBERIA.kind)
        facts = world.facts(state)
        for name, point in sorted(world.points.items()):
            if point.country == SOVIET_UNION and facts.control(name) == SOVIET:
                yield cls(unit=unit.id, at=name)


@rule("EF.expansion/7")
def factories_have_been_deployed(q: Order) -> Verdict:
    """A factory is deployed in the turn it is ready."""
    if q.switch(PUT_OFF.key) == "may-wait" or not _is_soviet_phase(q.world, q.state):
        return YES
    ready = ready_factories(q.state)
    if ready:
        return no(f"{ready[0].id} is ready and not deployed", remedy="deploy-factory puts it on a point or in Siberia")
    return YES


@rule("EF.expansion/4")
def a_choice_has_been_made(q: Order) -> Verdict:
    """Where a group plays it so, the choice of the quarter must be made."""
    if q.switch(PASSED.key) != "compulsory" or not _is_soviet_phase(q.world, q.state):
        return YES
    if _is_open(q.world, q.state):
        return no("a factory of this quarter is still to be chosen", remedy="choose-factory begins it")
    return YES


def _is_soviet_phase(world: EasternWorld, state: State) -> bool:
    return world.phasing(state) == SOVIET and world.phase(state) == REPLACEMENT_PHASE


def _is_open(world: EasternWorld, state: State) -> bool:
    """Whether a factory could be chosen now."""
    return any(choice(world, state, ChooseFactory(unit=unit.id)).open for unit in choosable(world, state).values())


def ready_factories(state: State) -> list[Unit]:
    """The factories on the turn track whose turn has come."""
    now = state.clock.turn
    return [unit for unit in state.units_in_order() if unit.place.kind == TRACK and unit.place.due <= now]


def todo(world: EasternWorld, state: State) -> Iterator[Item]:
    """Factories to be deployed, factories that may be chosen, and those on their way."""
    clock = state.clock
    if (clock.turn, clock.player, clock.phase) == (world.setting.start, 0, 0) and not chosen(world, state):
        for unit in choosable(world, state).values():
            order = ChooseFirstFactory(unit=unit.id)
            yield Item(OPEN, f"{unit.id} may be chosen before the game", "EF.expansion/16", SOVIET, order)
    if _is_soviet_phase(world, state):
        for unit in ready_factories(state):
            order_ = DeployFactory(unit=unit.id, at=world.facts(state).word(unit, SITE) or IN_SIBERIA.kind)
            yield Item(DUE, f"{unit.id} is ready to be deployed", "EF.expansion/7", SOVIET, order_)
        if _is_open(world, state):
            must = state.switches.get(PASSED.key) == "compulsory"
            for unit in choosable(world, state).values():
                yield Item(
                    DUE if must else OPEN,
                    f"{unit.id} may be begun",
                    "EF.expansion/15",
                    SOVIET,
                    ChooseFactory(unit=unit.id),
                )
    for unit in state.units_in_order():
        if unit.place.kind == TRACK and unit.place.due > clock.turn:
            yield Item(NEWS, f"{unit.id} is ready in {world.turn_name(unit.place.due)}", "EF.expansion/6", SOVIET)


CHAPTER = Chapter(
    heading="EF.expansion",
    commands=(ChooseFirstFactory, ChooseFactory, DeployFactory),
    facts=(
        Fact(DEPLOYED, ("unit",), "the turn it was deployed", None, TURN),
        Fact(SITE, ("unit",), "the point written down for it", ""),
    ),
    guards={"advance": (factories_have_been_deployed, a_choice_has_been_made)},
    switches=(OPPORTUNITIES, PASSED, PUT_OFF, BORDER),
    agenda=(todo,),
    habits={
        "choose-first-factory": Habit((REPLACEMENT_PHASE,), 1),
        "choose-factory": Habit((REPLACEMENT_PHASE,), 1),
        "deploy-factory": Habit((REPLACEMENT_PHASE,), 2),
    },
)
