"""51.B.7/10 to /21  Early activation: an Axis die for a forming unit before it is full."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Became, Event, Moved
from forcepool.engine.facts import PLAYER_TURN, YES_NO, Fact, unit_key
from forcepool.engine.given import UnitName, Words
from forcepool.engine.ledger import Price
from forcepool.engine.places import Place
from forcepool.engine.sentence import the_field
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE, FULL
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import MP_MARKER
from forcepool.games.europa.ground import prices
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.tallies import UNISOLATED, front_of, take
from forcepool.games.europa.question import next_turn, waits_for
from forcepool.games.europa.reinforcements.entries import ENTRY, entry_of, marked
from forcepool.games.europa.reinforcements.forming_boxes import InBox, delay_of, is_in_a_forming_box, received_by
from forcepool.games.europa.reinforcements.in_reserve import READY
from forcepool.games.europa.reinforcements.sites import AXIS, FORMED_SINCE
from forcepool.games.europa.reinforcements.withdrawing import cost_of
from forcepool.games.europa.reserves.deployment import SUCCESS
from forcepool.games.europa.reserves.success_table import SuccessRow, read_success, success_rows
from forcepool.games.europa.world import FORMING_BOX, ISOLATED, NATIONAL, REINFORCEMENT_TRACK, EuropaWorld
from forcepool.rulebook.citations import chance, computed

UNRELIABLE, TRIED = "unreliable", "tried_early"

RESULTS = switch(
    "early-activation-results",
    "51.B.7/12",
    "how early activation is read on the SUCCESS TABLE: its results D and S*, and the modifiers",
    d_lost="D is read as F*, S* as S; the modifiers change the die",
    no_effect="D and S* have no effect; the modifiers change the die",
    as_f_and_s="D is read as F, S* as S; the modifiers change the die",
    columns="D is read as F*, S* as S; the modifiers change the column, one for each, and not the die",
)
EARLY_RESERVE = switch(
    "early-activation-reserve",
    "51.B.7/18",
    "the status of a unit activated early",
    operational="it comes in in operational reserve",
    ready="it comes in ready for use",
)
EARLY_TURNS = switch(
    "early-activation-turns",
    "51.B.7/20",
    "the turns that count against early activation",
    complete="complete groups of turns until it would really be full, delay included",
    rounded_up="any part of a group of turns counts",
    printed="complete groups of turns until the printed date",
)


class TableRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of a SUCCESS TABLE that a group keeps for early activation alone."""

    upto: int
    result: str
    column: int = 0
    stand_in: bool = False


class Activating(InBox):
    """A forming unit that its owner tries to bring in early."""

    @lazy
    def early(self) -> int:
        """The turns until it would be full."""
        printed = self.switch(EARLY_TURNS.key) == "printed"
        return self.full_on + (0 if printed else delay_of(self.world, self.state, self.unit)) - self.state.clock.turn


@rule("51.B.7/10")
def is_axis_and_has_a_date(q: Activating) -> Verdict:
    """Only the Axis player tries it, for a unit that the order of battle makes full."""
    if q.side == AXIS and q.full_on:
        return YES
    if q.side != AXIS:
        return no(f"{q.unit} is not activated early: it is {q.side}", remedy="wait until it is full")
    return no(
        f"{q.unit} is not activated early: the order of battle never makes it full",
        remedy="add the line that does (add-entries)" if entry_of(q.world, q.state, q.unit) else "",
    )


@rule("51.B.7/11")
def is_after_its_first_turn(q: Activating) -> Verdict:
    """In an Axis reinforcement phase later than that in which it entered the box, and before it is full."""
    if q.side != AXIS or not q.full_on:
        return YES  # No phase is one for it (51.B.7/10).
    if q.world.phase(q.state) != REINFORCEMENT or q.world.phasing(q.state) != q.side:
        return no(f"it is {q.world.when(q.state)}", remedy=waits_for(q, REINFORCEMENT, AXIS))
    since = q.facts.value(unit_key(q.unit.id), FORMED_SINCE)
    if isinstance(since, int) and since >= q.state.clock.turn:
        return no(f"{q.unit} entered the box this turn", remedy=next_turn(q, "wait for the next turn"))
    if q.full_on + delay_of(q.world, q.state, q.unit) <= q.state.clock.turn:
        return no(f"{q.unit} is full, and waits for a hex to appear in", remedy="no die is needed: retake one")
    return YES


@computed("51.B.7/19", "51.B.7/20", "51.B.7/21")
def modifier(q: Activating) -> int:
    """One less for an unreliable unit, and for each four turns still to run; added together."""
    group = int(q.world.numbers["early_group"])
    groups = -(-q.early // group) if q.switch(EARLY_TURNS.key) == "rounded-up" else q.early // group
    unreliable = int(q.world.numbers["early_unreliable"]) if UNRELIABLE in q.unit.spec.traits else 0
    return -unreliable - groups * int(q.world.numbers["early_turns"])


@rule("51.B.7/12")
def tries_once_a_phase(q: Activating) -> Verdict:
    """An attempt is one die: what it leaves in the box is not tried again in the same phase."""
    if not q.facts.is_so(q.unit, TRIED):
        return YES
    return no(f"{q.unit} was tried in this phase", remedy="try again next turn, or wait until it is full")


def table(world: EuropaWorld) -> list[SuccessRow]:
    """The SUCCESS TABLE that deployment is read on too, unless a group has entered another for early activation."""
    own = [row for row in world.chart("activation_table") if not row.stand_in]
    return [SuccessRow(row.upto, row.result, row.column) for row in own] or success_rows(world)


@rule("51.B.7/12")
def has_a_success_table(q: Activating) -> Verdict:
    """Where the group wants its own SUCCESS TABLE, nobody tries without it."""
    if q.switch(SUCCESS.key) != "own-chart" or q.command.result or not any(row.stand_in for row in table(q.world)):
        return YES
    return no(
        "the campaign has no SUCCESS TABLE of its own",
        remedy=f"say its letter ({the_field('result')}), or enter success_table",
    )


@chance("51.B.7/12")
def attempt(q: Activating) -> str:
    """One die on the SUCCESS TABLE, or the letter of the group's own; the modifiers change the die, or the column."""
    if q.command.result:
        return _read_as(q, q.command.result)
    change = modifier(q)
    die = q.roll("51.B.7/12", 6, f"early activation of {q.unit}, {change}")
    shifts = q.switch(RESULTS.key) == "columns"
    rows = table(q.world)
    return _read_as(q, read_success(rows, die, change) if shifts else read_success(rows, die + change))


def _read_as(q: Activating, result: str) -> str:
    """The results that early activation does not know are read as the group plays them."""
    known = q.world.chart("success_results")
    if result not in known:
        raise BadCommand(f"{the_field('result')} is one of {', '.join(known)}, not '{result}'")
    lost = {"D": "F*", "S*": "S"}
    readings = {"no-effect": {"D": "", "S*": ""}, "as-f-and-s": {"D": "F", "S*": "S"}}
    return readings.get(q.switch(RESULTS.key), lost).get(result, result)


class ActivateEarly(Command, tag="activate-early", frozen=True):
    """Try to bring a forming Axis unit into play before it is full, with a die."""

    unit: UnitName
    result: Words = ""
    """The letter of your own SUCCESS TABLE: D, F*, F, S or S*; left out, a die is rolled on the chart."""

    question = Activating
    needs = (is_in_a_forming_box,)
    requires = (is_axis_and_has_a_date, is_after_its_first_turn, tries_once_a_phase, has_a_success_table)

    def effects(self, q: Activating) -> Iterator[Event]:
        result = attempt(q)
        yield marked(q.unit.id, TRIED, value=True, because="51.B.7/12")
        if result == "S":
            yield from _comes_in(q, "51.B.7/18")
        elif result == "F" and q.unit.spec.has(CADRE):
            yield Became(unit=q.unit.id, was=q.unit.step, step=CADRE, because="51.B.7/15")
            yield from _lost(q, prices.cadre_to_full(q.world, q.unit.spec)[0], "51.B.7/17")
            yield from _comes_in(q, "51.B.7/15")
        elif result:
            wholly = result == "F*"
            box = Place(ISOLATED, NATIONAL + q.unit.spec.nation)
            why = "51.B.7/13" if wholly else "51.B.7/16"
            yield Moved(unit=q.unit.id, frm=q.unit.place, to=box, because=why, says="early activation failed")
            strength = prices.strength_of(q.world, q.unit.spec, FULL)
            yield from _lost(q, strength, "51.B.7/14" if wholly else "51.B.7/17")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind != FORMING_BOX or world.phase(state) != REINFORCEMENT:
            return
        yield cls(unit=unit.id)
        # A group that reads its own table says its letter.
        yield from (cls(unit=unit.id, result=letter) for letter in world.chart("success_results"))


@computed("51.B.7/14", "51.B.7/17")
def _lost(q: Activating, strength: Fraction, because: str) -> Iterator[Event]:
    """What is lost counts for special replacements at the normal rate."""
    whole = prices.strength_of(q.world, q.unit.spec, FULL)
    amounts = {kind: amount * strength / whole for kind, amount in cost_of(q.world, q.unit.spec).items()}
    of = front_of(q.world, q.state, q.unit.place.of, q.unit.spec.nation)
    says = f"{q.unit}: early activation failed"
    yield from take(q.unit.spec, Price(amounts), UNISOLATED, of, because, says)


@computed("51.B.7/15", "51.B.7/18")
def _comes_in(q: Activating, because: str) -> Iterator[Event]:
    """As a reinforcement of this turn, in operational reserve by the ruling that forming units keep it."""
    track = Place(REINFORCEMENT_TRACK, q.unit.place.of, q.state.clock.turn)
    yield Moved(unit=q.unit.id, frm=q.unit.place, to=track, because=because)
    full, key = received_by(q.world, q.state, q.unit)
    if full is not None and key == full.key:
        yield marked(q.unit.id, ENTRY, key, because)
    if delay_of(q.world, q.state, q.unit):
        yield marked(q.unit.id, MP_MARKER, None)
    if q.switch(EARLY_RESERVE.key) == "ready":
        yield marked(q.unit.id, READY, "yes", "51.B.7/18")


CHAPTER = Chapter(
    heading="51.B.7",
    commands=(ActivateEarly,),
    facts=(Fact(TRIED, ("unit",), "its early activation was tried", False, YES_NO, lasts=PLAYER_TURN, by_hand=False),),
    switches=(RESULTS, EARLY_RESERVE, EARLY_TURNS),
    charts={"activation_table": tuple[TableRow, ...]},
)
