"""51/1 and 51.B.20  Duties of the order of battle: what must be done when it can be, and what waits with its reason."""

from collections.abc import Iterable, Iterator, Mapping

from forcepool.engine.command import Command, Question, lazy
from forcepool.engine.desk import Advance
from forcepool.engine.options import Choice, choice
from forcepool.engine.sentence import the_entry, the_order, the_unit, to_type
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, No, Remedy, Rule, Verdict, Way, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import NOT_ISOLATED
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.own_phase import in_own
from forcepool.games.europa.question import EuropaQuestion, in_phase_of
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.by_the_air_ob import is_all_for_rule_28
from forcepool.games.europa.reinforcements.conditions import is_in_play
from forcepool.games.europa.reinforcements.places_fallen import shows
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.aircraft import AIR
from forcepool.orderofbattle.model import Entry, Item
from forcepool.orderofbattle.printing import print_line

FORFEITED = "sink/forfeited"
NOTHING_ELSE: Mapping[str, str] = {}


class Listed(EuropaQuestion):
    """An entry of the order of battle and a unit it is carried out with."""

    @lazy
    def entry(self) -> Entry:
        return entries.find_entry(self.world, self.state, self.command.entry)

    @lazy
    def nation(self) -> str:
        return entries.nation_of(self.world, self.entry)

    @lazy
    def side(self) -> str:
        return entries.side_of(self.world, self.state, self.entry)

    @lazy
    def item(self) -> Item | None:
        """The line of the entry that the unit answers to."""
        return entries.item_for(self.world, self.state, self.entry, self.unit)

    @lazy
    def isolated(self) -> bool:
        """Whether it is cut off; an air unit is where its airbase is."""
        if self.world.has_role(self.unit.spec, AIR) and self.unit.place.on_map:
            return self.facts.is_cut_off(self.side, self.unit.place.of)
        return self.facts.isolated(self.unit) != NOT_ISOLATED


def entry_is_in_force(clause: str, *verbs: str, by: Mapping[str, str] = NOTHING_ELSE) -> Rule[Listed]:
    """The entry is one of these, its turn has come, the scenario is meant, and it is not carried out yet.

    `by` names the clause of verbs that have one of their own.
    """

    @rule(clause, *by.values())
    def entry_calls_for_it(q: Listed) -> Verdict:
        entry, own = q.entry, by.get(entries.verb_of(q.entry), "")
        if entries.verb_of(entry) not in verbs:
            return no(f"{the_entry(entry.key)} is no entry of that kind but '{entry.verb}'", remedy="see the checklist")
        if not entries.counts(q.world, q.state, entry):
            return no(f"{the_entry(entry.key)} is ignored in this scenario", clause=ignored_by(q) or own)
        if not entries.has_come(q.world, q.state, entry):
            return _not_yet(q, own)
        if entries.is_done(q.state, entry):
            return no(f"{the_entry(entry.key)} is carried out already", remedy="nothing more is due by it", clause=own)
        return YES

    return entry_calls_for_it


def _not_yet(q: Listed, clause: str) -> No:
    """Its turn lies ahead, or what it waits for is not so; where only the players can tell that, how they tell it."""
    entry, turn = q.entry, entries.turn_of(q.world, q.entry)
    if turn is not None and turn > q.state.clock.turn:
        remedy = in_phase_of(q, turn, REINFORCEMENT, f"wait for {entry.turn}")
        return no(f"{the_entry(entry.key)} holds from {entry.turn} on", remedy=remedy, clause=clause)
    said = [each for each in entry.conditions if shows(q.world, q.state, each.text, q.side) is None and each.holds]
    tell = f"once it is so, {the_order('declare', fact='so', about=said[0].text, value='yes')}" if said else ""
    return no(f"{the_entry(entry.key)} holds when its condition holds", remedy=tell, clause=clause)


def ignored_by(q: Listed) -> str:
    """The clause by which a scenario does without an entry of this kind."""
    if entries.is_for_the_balkans(q.entry) and is_in_play(q.world, q.state, entries.SOUTHEAST):
        return "51.E.3.f/1"
    if entries.is_of_sequestered_forces(q.entry):
        return "51.E.3.g/1"
    return "51.B.17/2" if entries.verb_of(q.entry) == "transfer" else ""


def in_own_reinforcement_phase(clause: str, by: Mapping[str, str] = NOTHING_ELSE) -> Rule[Listed]:
    """The order of battle is carried out in the owner's reinforcement phase."""

    @rule(clause, *by.values())
    def it_is_his_reinforcement_phase(q: Listed) -> Verdict:
        return in_own(q, REINFORCEMENT, clause=by.get(entries.verb_of(q.entry), "") if by else "")

    return it_is_his_reinforcement_phase


def ways_of(world: EuropaWorld, state: State, entry: Entry) -> Iterator[Choice]:
    """The ways to do a duty, open or closed, each judged when it is asked for."""
    duty = world.game.duties[entries.verb_of(entry)]
    return (choice(world, state, command) for command in duty.ways(world, state, entry))


def one_that_serves(q: Listed, orders: Iterable[Command]) -> Remedy:
    """To name a unit with which the entry can be carried out now in place of the one named, where there is one."""
    # What is only looked over, unit by unit, needs no advice.
    serves = () if q.asked_in_passing else (each for each in orders if choice(q.world, q.state, each).open)
    order = next(iter(serves), None)
    if order is None:
        return Remedy("let the entry wait")
    return Remedy(f"choose {the_unit(getattr(order, 'unit', ''))}", Way(instead=order))


def duties_now(world: EuropaWorld, state: State) -> Iterator[Entry]:
    """The duties that have come for the player whose reinforcement phase it is."""
    if world.phase(state) == REINFORCEMENT:
        for entry in entries.in_force(world, state, world.phasing(state), *world.game.duties):
            if entries.is_duty(entry) and not is_all_for_rule_28(world, entry):
                yield entry


@rule("51.B.19/1", "51.B.3/2", "51.B.3/8", "51.B.4/1", "51.B.13/1", "51.B.15/1", "51.B.17/3", "51.B.8/1", "51.E.3.g/2")
def duties_are_done(q: Question) -> Verdict:
    """The reinforcement phase does not end while a duty that can be done is left."""
    assert isinstance(q.world, EuropaWorld)
    for entry in duties_now(q.world, q.state):
        if any(each.open or each.die for each in ways_of(q.world, q.state, entry)):
            return no(
                f"{print_line(entry)}{to_type(entry.key)} can be carried out and must be",
                remedy="carry it out; the checklist has the command",
                clause=q.world.game.duties[entries.verb_of(entry)].clause,
                also=("51.B.3/8",) if entry.verb == "convert" and _is_late(q.world, q.state, entry) else (),
            )
    return YES


def _is_late(world: EuropaWorld, state: State, entry: Entry) -> bool:
    turn = entries.turn_of(world, entry)
    return turn is not None and turn < state.clock.turn


CHAPTER = Chapter(heading="51.B.20", guards={Advance: (duties_are_done,)})
