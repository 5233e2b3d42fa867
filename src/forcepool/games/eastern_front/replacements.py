"""EF.replacements/7 to /11 and EF.reinforcements/12: replacements that appear on the map, dispersed."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.facts import unit_key
from forcepool.engine.game import Habit
from forcepool.engine.given import UnitName
from forcepool.engine.ledger import SPENT
from forcepool.engine.options import choice
from forcepool.engine.places import TRACK
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, Way, no, rule
from forcepool.games.eastern_front.chapter import REPLACEMENT_PHASE, Remedy, moment, only_in, wait_for
from forcepool.games.eastern_front.entry import Entering, at_its_entry_point, entries_of
from forcepool.games.eastern_front.facts import (
    ARRIVED_AS,
    AT_WAR,
    DISPERSED,
    ENTRAINED,
    ENTRY_LOST,
    REPLACEMENT,
    WAR,
)
from forcepool.games.eastern_front.given import Doorway
from forcepool.games.eastern_front.irreplaceable import MAY_RETURN, never_comes_back
from forcepool.games.eastern_front.next_output import earliest_output
from forcepool.games.eastern_front.production import Produce
from forcepool.games.eastern_front.reserves import reserves_to_draw
from forcepool.games.eastern_front.siberia import left_to_symbols
from forcepool.games.eastern_front.world import (
    DEAD,
    REPLACEMENTS,
    SIBERIA,
    SOVIET,
    SOVIET_UNION,
    EasternWorld,
    is_factory,
)
from forcepool.games.eastern_front.worth import best_first, symbol_of
from forcepool.rulebook.citations import meets_one_of

SCHEDULE = "source/replacement-schedule"


AFTER_THE_WAR = switch(
    "replacements-after-defection",
    "EF.reinforcements/24",
    "whether a nation out of the war still gets replacements",
    none="none, whether its entry point fell or not",
    until_entry_point_falls="they go on unless the entry point is lost",
)


def replacements_received(world: EasternWorld, state: State) -> Iterator[Event]:
    """The replacements that the scenario gives a nation in a turn."""
    if state.clock.phase:
        return
    side = world.phasing(state)
    for nation, dated in sorted(world.replacements.items()):
        on_its_side = world.side_of(nation) == side == world.side_now(state, nation)
        if on_its_side and _still_sent(world, state, nation):
            for kind, amount in sorted(dated.get(state.clock.turn, {}).items()):
                yield Transferred(
                    amount=amount,
                    kind=kind,
                    nation=nation,
                    frm=SCHEDULE,
                    to=REPLACEMENTS,
                    because="EF.reinforcements/12",
                )


def _still_sent(world: EasternWorld, state: State, nation: str) -> bool:
    """What a nation has lost with its entry point or its war is not received at all (EF.reinforcements/13 and /24)."""
    facts = world.facts(state)
    if facts.of_nation(nation, ENTRY_LOST) is True:
        return False
    goes_on = world.ruling(state, AFTER_THE_WAR.key) == "until-entry-point-falls"
    return goes_on or facts.of_nation(nation, WAR) == AT_WAR


class Replacing(Entering):
    """A dead unit about to come back on the map."""

    came_as = REPLACEMENT


@rule("EF.replacements/4")
def is_dead(q: Replacing) -> Verdict:
    """Only a unit from the dead pile is replaced."""
    if q.unit.place.kind == DEAD and not is_factory(q.unit):
        return YES
    return no(f"{q.unit} is {q.world.where(q.unit.place)}")


@rule("EF.replacements/4")
def has_a_replacement_of_its_type(q: Replacing) -> Verdict:
    """A replacement is one unit of its own type; types do not stand in for one another."""
    symbol = symbol_of(q.world, q.unit)
    if not symbol:
        return no(f"there are no replacements for a unit of the type of {q.unit}")
    have, need = q.state.balance(REPLACEMENTS, q.unit.spec.nation, symbol), Fraction(q.world.numbers["symbol_worth"])
    if have >= need:
        return YES
    lost_for_good = never_comes_back(q.world, q.state, q.unit)
    return no(
        f"{q.unit.spec.nation} has no {symbol} replacement for {q.unit}",
        have=have,
        need=need,
        **({} if lost_for_good else next_receipt(q.world, q.state, q.unit.spec.nation, symbol)),
    )


def next_receipt(world: EasternWorld, state: State, nation: str, symbol: str) -> Remedy:
    """What brings the next replacement of a type: a factory that produces now or later, or the schedule."""
    now = state.clock.turn
    rows = world.replacements.get(nation, {}).items() if _still_sent(world, state, nation) else ()
    scheduled = min((turn for turn, row in rows if turn > now and row.get(symbol)), default=None)
    made = min(_outputs(world, state, symbol), default=None) if nation == SOVIET_UNION else None
    if made is not None and (scheduled is None or made[0] <= scheduled):
        turn, name = made
        if turn == now and world.phasing(state) == SOVIET:
            return {"remedy": f"let {the_unit(name)} produce first", "way": Way(first=(Produce(unit=name),))}
        words = f"wait for {world.turn_name(turn)}, when {the_unit(name)} produces"
        works = state.units[name]
        if works.place.kind == TRACK or world.facts(state).turn_of(works, ENTRAINED) is not None:
            return {"remedy": words}  # It is deployed or moved on before that, which is asked for in its time.
        return {"remedy": words, "way": Way(after=moment(world, turn, SOVIET), first=(Produce(unit=name),))}
    return wait_for(world, scheduled, world.side_of(nation)) if scheduled is not None else {}


def _outputs(world: EasternWorld, state: State, symbol: str) -> Iterator[tuple[int, str]]:
    """The factories that turn a type out, each with the turn it can next produce in."""
    for name, works in world.works.items():
        if symbol in world.profile.production.get(works.kind, {}) and not works.native:
            turn = earliest_output(world, state, state.units[name])
            if turn is not None:
                yield turn, name


@rule("EF.replacements/7")
def is_not_held_off_the_board(q: Replacing) -> Verdict:
    """Only Siberian replacements may be held off the board."""
    if not q.line and q.place.kind == SIBERIA:
        return no(f"{q.unit} is no Siberian replacement, and comes onto the map at once")
    return YES


@meets_one_of("EF.replacements/9", "EF.replacements/10")
def dispersed_on_entry(q: Replacing) -> Iterator[Event]:
    """Replacements of either side enter the game dispersed."""
    on, because = unit_key(q.unit.id), "EF.replacements/9" if q.side == SOVIET else "EF.replacements/10"
    yield Marked(on=on, mark=DISPERSED, value=True, because=because)
    yield Marked(on=on, mark=ARRIVED_AS, value=REPLACEMENT, because=because)


class ReplaceOnMap(Command, tag="replace", frozen=True):
    """Bring a dead unit back on the map at an entry point of its nation; it is dispersed."""

    unit: UnitName
    at: Doorway
    """The point it appears at, or the line it comes in on."""

    question = Replacing
    needs = (is_dead,)
    requires = (
        only_in(REPLACEMENT_PHASE, "EF.reinforcements/12"),
        has_a_replacement_of_its_type,
        is_not_held_off_the_board,
        at_its_entry_point,
        *MAY_RETURN,
    )

    def effects(self, q: Replacing) -> Iterator[Event]:
        unit = q.unit
        yield Transferred(
            amount=q.world.numbers["symbol_worth"],
            kind=symbol_of(q.world, unit),
            nation=unit.spec.nation,
            frm=REPLACEMENTS,
            to=SPENT,
            because="EF.replacements/4",
            says=unit.id,
        )
        yield Moved(unit=unit.id, frm=unit.place, to=q.place, because="EF.reinforcements/12")
        yield from dispersed_on_entry(q)

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == DEAD and not is_factory(unit) and symbol_of(world, unit):
            for at in entries_of(world, state, unit.spec.nation, REPLACEMENT):
                yield cls(unit=unit.id, at=at)


# --------------------------------------------------------------------------------------------- the checklist


def todo(world: EasternWorld, state: State) -> Iterator[Item]:
    """The replacements that can be used now, each with a unit it would bring back and a place behind the front.

    A unit that the Siberian Reserves draw now, or that is proposed for a symbol, which lapses, is left to that.
    """
    side = world.phasing(state)
    if world.phase(state) != REPLACEMENT_PHASE:
        return
    symbols = left_to_symbols(world, state)
    taken = symbols | {unit.id for unit in reserves_to_draw(world, state)}
    for nation in sorted(world.profile.nations):
        if world.side_now(state, nation) != side:
            continue
        for kind in world.profile.points:
            have = state.balance(REPLACEMENTS, nation, kind)
            if have < world.numbers["symbol_worth"]:
                continue
            adjective = world.profile.nations[nation].adjective
            text = f"{show_points(have)} {adjective} {kind} replacement{'' if have == 1 else 's'} to be used"
            order = _usable(world, state, nation, kind, taken)
            if order is not None and order.unit in taken:
                other = "proposed for a symbol" if order.unit in symbols else "drawn for the Siberian Reserves"
                yield Item(OPEN, f"{text}; {the_unit(order.unit)} is {other}", "EF.replacements/4", side)
            elif order is not None:
                yield Item(OPEN, text, "EF.replacements/4", side, order)


def _usable(world: EasternWorld, state: State, nation: str, kind: str, taken: set[str]) -> ReplaceOnMap | None:
    """The first order by which a replacement of a type could be used now; for a unit not taken if there is one."""
    of_type = [unit for unit in state.units.values() if unit.spec.nation == nation and symbol_of(world, unit) == kind]
    for unit in sorted(best_first(of_type), key=lambda each: each.id in taken):
        for order in ReplaceOnMap.offers(world, state, unit):
            if isinstance(order, ReplaceOnMap) and choice(world, state, order).open:
                return order
    return None


CHAPTER = Chapter(
    heading="EF.replacements (on the map)",
    commands=(ReplaceOnMap,),
    transfers={(SCHEDULE, REPLACEMENTS): "replacements received"},
    opening=(replacements_received,),
    happens=(replacements_received,),
    agenda=(todo,),
    habits={"replace": Habit((REPLACEMENT_PHASE,), 4, planned=True)},
)
