"""EF.expansion: the factories that the Soviets choose, one before the game and one at each opportunity."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.agenda import DUE, LAPSES, NEWS, OPEN, Item
from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command
from forcepool.engine.desk import Advance
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import unit_key
from forcepool.engine.game import Habit
from forcepool.engine.given import Spot, UnitName
from forcepool.engine.options import choice
from forcepool.engine.places import HEX, on_track
from forcepool.engine.sentence import the_field, the_place, the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, Way, no, rule, yes
from forcepool.games.eastern_front.chapter import (
    REPLACEMENT_PHASE,
    Order,
    Remedy,
    by_orders,
    instead,
    only_in,
    wait_for,
)
from forcepool.games.eastern_front.deployment import BORDER, SITE, is_soviet_phase, sites_for
from forcepool.games.eastern_front.opportunities import (
    OPPORTUNITIES,
    PASSED,
    accumulates,
    choices_left_now,
    choosable,
    chosen,
    most_choices,
    opportunities_so_far,
    opportunity_now,
)
from forcepool.games.eastern_front.schedules import first_production_turn
from forcepool.games.eastern_front.world import FACTORIES, SIBERIA, SOVIET, SOVIET_UNION, UNUSED, EasternWorld

# ------------------------------------------------------------------------------------------ choosing a factory


def choices_this_turn(world: EasternWorld, state: State) -> int:
    """How many factories the Soviets may still choose in this turn: one before the game, those of its quarter."""
    first, now = int(any(_first_choices(world, state))), _choices_of_the_quarter(world, state)
    return max(first, now) if accumulates(world, state) else first + now


def _choices_of_the_quarter(world: EasternWorld, state: State) -> int:
    """None outside the turns of expansion."""
    turn, most = state.clock.turn, most_choices(world, state)
    is_quarter = world.month(turn) in world.profile.expansion_months and turn >= world.dates["first_opportunity"]
    passed = world.phasing(state) == SOVIET and not is_soviet_phase(world, state)
    used_up = most is not None and opportunity_now(world, state) > most
    if not is_quarter or passed or used_up or not choosable(world, state):
        return 0
    return max(choices_left_now(world, state), 0)


class Choosing(Order):
    """An expansion factory about to be chosen."""


@rule("EF.expansion/13")
def is_an_expansion_factory(q: Choosing) -> Verdict:
    """Thirteen factories can be built by expansion, and no others."""
    works = q.world.factory(q.unit)
    if works is not None and works.letter:
        return YES
    return no(f"{q.unit} is none of the expansion factories")


@rule("EF.expansion/3")
def is_an_expansion_turn(q: Choosing) -> Verdict:
    """New factories are begun in January, April, July and October."""
    if q.world.month(q.turn) in q.world.profile.expansion_months:
        return YES
    return no(f"{q.world.turn_name(q.turn)} is no turn of expansion", **next_expansion(q.world, q.state))


def next_expansion(world: EasternWorld, state: State) -> Remedy:
    """The remedy of waiting for the next turn of expansion, while opportunities are left."""
    phase_is_over = world.phasing(state) == SOVIET
    turn, most = int(state.clock.turn) + (1 if phase_is_over else 0), most_choices(world, state)
    while world.month(turn) not in world.profile.expansion_months or turn < world.dates["first_opportunity"]:
        turn += 1
    by_choices = world.ruling(state, OPPORTUNITIES.key) == "ten-made" or accumulates(world, state)
    used = len(chosen(world, state)) + 1 if by_choices else opportunities_so_far(world, turn)
    return wait_for(world, turn, SOVIET) if most is None or used <= most else {}


@rule("EF.expansion/4")
def one_at_each_opportunity(q: Choosing) -> Verdict:
    """One factory is chosen at each opportunity."""
    left = choices_left_now(q.world, q.state)
    if left > 0:
        return YES
    return no(
        "the factory of this quarter has been chosen",
        have=Fraction(left),
        need=Fraction(1),
        **next_expansion(q.world, q.state),
    )


@rule("EF.expansion/5")
def is_unused(q: Choosing) -> Verdict:
    """A factory in play, waiting or destroyed cannot be chosen."""
    if q.unit.place.kind == UNUSED:
        return YES
    first = choosable(q.world, q.state).get(q.world.works[q.unit.id].kind)
    remedy = instead(q, f"choose {first}", unit=first.id) if first is not None else {}
    return no(f"{q.unit} is {q.world.where(q.unit.place)}", **remedy)


@rule("EF.expansion/11", "EF.expansion/12")
def is_the_earliest_of_its_kind(q: Choosing) -> Verdict:
    """Within a kind the letters come in order; the kinds may be mixed at will."""
    works, first = q.world.works[q.unit.id], choosable(q.world, q.state)
    earliest = first.get(works.kind)
    if earliest is None or earliest.id == q.unit.id or q.unit.place.kind != UNUSED:
        return yes("EF.expansion/12") if len(first) > 1 else YES
    return no(f"{earliest} comes before {q.unit}", **instead(q, f"choose {earliest}", unit=earliest.id))


@rule("EF.expansion/14", "EF.expansion/15")
def an_opportunity_is_left(q: Choosing) -> Verdict:
    """There are ten opportunities in the game, counted from the choice before it and then from July 1941."""
    first, need = int(q.world.dates["first_opportunity"]), most_choices(q.world, q.state)
    if q.turn < first:
        return no(f"the first opportunity is in {q.world.turn_name(first)}", **wait_for(q.world, first, SOVIET))
    if need is None:
        return YES
    have = opportunity_now(q.world, q.state)
    if have <= need:
        return yes("EF.expansion/15")
    return no(
        f"this would be opportunity {have} of {need}, and no more factories can be begun",
        have=Fraction(have),
        need=Fraction(need),
    )


def _writes_sites_down(world: EasternWorld, state: State) -> bool:
    """Whether a group writes the point of a factory down as it is chosen."""
    return world.ruling(state, BORDER.key) == "chosen-before"


@rule("EF.expansion/8")
def site_can_be_written_down(q: Choosing) -> Verdict:
    """A point that a group writes down for a factory lies in the Soviet Union, or is Siberia; others choose later."""
    if not _writes_sites_down(q.world, q.state):
        says = "the point is chosen as the factory is deployed, not now"
        return YES if not q.command.at else no(says, **instead(q, f"leave {the_field('at')} out", at=""))
    if not q.command.at:
        says = "the point of a factory is written down as it is chosen"
        return no(says, **instead(q, f"write down Siberia, or another point, with {the_field('at')}", at=SIBERIA))
    site = q.world.parse_place(q.command.at)
    if site.kind == SIBERIA or (site.kind == HEX and q.world.point(site.of).country == SOVIET_UNION):
        return YES
    return no(f"{the_place(q.command.at)} is not in the Soviet Union", **instead(q, "write down Siberia", at=SIBERIA))


def _written_down(q: Choosing) -> Iterator[Event]:
    """The point that the factory will stand on, where a group writes it down."""
    if q.command.at:
        site = q.world.parse_place(q.command.at)
        value = site.of if site.kind == HEX else SIBERIA
        yield Marked(on=unit_key(q.unit.id), mark=SITE, value=value, because="EF.expansion/8")


def _sites(world: EasternWorld, state: State) -> list[str]:
    """What may be written down for a factory, what the Soviets hold before what they do not; else nothing."""
    if not _writes_sites_down(world, state):
        return [""]
    held = sites_for(world, state)
    return held + [name for name, row in world.points.items() if row.country == SOVIET_UNION and name not in held]


def next_chance(q: Choosing) -> Remedy:
    return next_expansion(q.world, q.state)


class ChooseFactory(Command, tag="choose-factory", frozen=True):
    """Begin a new factory: it goes on the turn track and is deployed three turns later."""

    unit: UnitName
    at: Spot = ""
    """The point it will stand on, where a group writes that down now; else it is chosen at deployment."""

    question = Choosing
    needs = (is_an_expansion_factory,)
    requires = (
        only_in(REPLACEMENT_PHASE, "EF.expansion/3", later=next_chance),
        is_an_expansion_turn,
        one_at_each_opportunity,
        is_unused,
        is_the_earliest_of_its_kind,
        an_opportunity_is_left,
        site_can_be_written_down,
    )

    def effects(self, q: Choosing) -> Iterator[Event]:
        due = q.turn + q.world.number("expansion_delay")
        place = on_track(FACTORIES, due)
        because = "EF.expansion/4 EF.expansion/6 EF.expansion/10"
        says = f"first production {q.world.turn_name(first_production_turn(q.world, q.state, q.unit, due))}"
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=place, because=because, says=says)
        yield from _written_down(q)

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        works = world.factory(unit)
        if works is not None and works.letter and unit.place.kind == UNUSED:
            yield from (cls(unit=unit.id, at=site) for site in _sites(world, state))


# ------------------------------------------------------------------------------------------- before the game


def before_the_game(world: EasternWorld, state: State) -> bool:
    """Whether nothing has been played yet, in a game that begins before its first factory is ready."""
    clock, start = state.clock, world.setting.start
    return (clock.turn, clock.player, clock.phase) == (start, 0, 0) and start <= world.dates["first_factory"]


@rule("EF.expansion/16", "EF.expansion/17")
def is_chosen_before_the_game(q: Choosing) -> Verdict:
    """The first factory is chosen before the first turn is played, and only one."""
    ready = int(q.world.dates["first_factory"])
    if q.world.setting.start > ready:
        says = f"a factory chosen before the game is ready in {q.world.turn_name(ready)}, before this one begins"
        return no(says, **_later_on(q), also=("EF.expansion/17",))
    if not before_the_game(q.world, q.state):
        return no("the game has begun", **_later_on(q))
    already = chosen(q.world, q.state)
    if already:
        return no(f"{already[0]} has been chosen before the game")
    return YES


def _later_on(q: Choosing) -> Remedy:
    """To choose the factory at the next opportunity, if one is left."""
    wait = next_expansion(q.world, q.state)
    if "way" not in wait:
        return {}
    order = ChooseFactory(unit=q.unit.id, at=q.command.at or _sites(q.world, q.state)[0])
    way = Way(until=wait["way"].until, instead=order)
    return {"remedy": "choose it in a turn of expansion, with choose-factory", "way": way}


class ChooseFirstFactory(Command, tag="choose-first-factory", frozen=True):
    """Before the game, choose the factory that is ready in July 1941."""

    unit: UnitName
    at: Spot = ""
    """The point it will stand on, where a group writes that down now; else it is chosen at deployment."""

    question = Choosing
    needs = (is_an_expansion_factory,)
    requires = (is_chosen_before_the_game, is_unused, is_the_earliest_of_its_kind, site_can_be_written_down)

    def effects(self, q: Choosing) -> Iterator[Event]:
        place = on_track(FACTORIES, q.world.dates["first_factory"])
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=place, because="EF.expansion/16 EF.expansion/17")
        yield from _written_down(q)

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        works = world.factory(unit)
        if before_the_game(world, state) and works is not None and works.letter and unit.place.kind == UNUSED:
            yield from (cls(unit=unit.id, at=site) for site in _sites(world, state))


@rule("EF.expansion/4", "EF.expansion/16")
def a_choice_has_been_made(q: Order) -> Verdict:
    """Where a group plays it so, the choice of the quarter must be made, and that before the game as well."""
    if not _must_be_made(q.world, q.state):
        return YES
    if first := next(_first_choices(q.world, q.state), None):
        remedy = by_orders("the Soviets choose it with choose-first-factory", (first,))
        return no("the factory before the game is still to be chosen", **remedy, also=("EF.expansion/16",))
    order = next(_open_choices(q.world, q.state), None) if is_soviet_phase(q.world, q.state) else None
    if order is not None:
        return no("a factory of this quarter is still to be chosen", **by_orders("choose-factory begins it", (order,)))
    return YES


def _must_be_made(world: EasternWorld, state: State) -> bool:
    return world.ruling(state, PASSED.key) == "compulsory"


def _first_choices(world: EasternWorld, state: State) -> Iterator[ChooseFirstFactory]:
    """The factories that may be chosen before the game, while none has been."""
    if before_the_game(world, state) and not chosen(world, state):
        site = _sites(world, state)[0]
        yield from (ChooseFirstFactory(unit=unit.id, at=site) for unit in choosable(world, state).values())


def _open_choices(world: EasternWorld, state: State) -> Iterator[ChooseFactory]:
    """The factories that could be chosen now."""
    site = _sites(world, state)[0]
    orders = (ChooseFactory(unit=unit.id, at=site) for unit in choosable(world, state).values())
    return (order for order in orders if choice(world, state, order).open)


def _urgency(world: EasternWorld, state: State) -> str:
    """Whether a choice must be made, or is lost with the phase, as the group plays it, or can be made up for."""
    if _must_be_made(world, state):
        return DUE
    made_up_for = accumulates(world, state) or world.ruling(state, OPPORTUNITIES.key) == "ten-made"
    return OPEN if made_up_for else LAPSES


def todo(world: EasternWorld, state: State) -> Iterator[Item]:
    """The factories that may be chosen: with the phase the opportunity is lost, unless the group plays it otherwise."""

    def stands(order: ChooseFirstFactory | ChooseFactory) -> str:
        return f", to stand {world.where(world.parse_place(order.at))}" if order.at else ""

    urgency, player = _urgency(world, state), world.phasing(state)
    first = list(_first_choices(world, state))
    for order in first:
        yield Item(
            urgency,
            f"{the_unit(order.unit)} may be chosen before the game{stands(order)}",
            "EF.expansion/16",
            SOVIET,
            order,
        )
    if first and urgency != OPEN and player != SOVIET:
        # Whoever plays first would end the phase without knowing what it costs the other, or why it cannot.
        after = "cannot once this phase has ended" if urgency == LAPSES else "this phase cannot end before they have"
        text = f"the Soviets have not chosen their first factory yet, and {after}"
        yield Item(NEWS, text, "EF.expansion/16", player)
    if is_soviet_phase(world, state):
        for choosing in _open_choices(world, state):
            yield Item(
                urgency,
                f"{the_unit(choosing.unit)} may be begun{stands(choosing)}",
                "EF.expansion/15",
                SOVIET,
                choosing,
            )


CHAPTER = Chapter(
    heading="EF.expansion",
    commands=(ChooseFirstFactory, ChooseFactory),
    guards={Advance: (a_choice_has_been_made,)},
    switches=(OPPORTUNITIES, PASSED),
    due=(todo,),
    habits={
        "choose-first-factory": Habit((REPLACEMENT_PHASE,), 1),
        "choose-factory": Habit((REPLACEMENT_PHASE,), 1),
    },
)
