"""51/1 and 51.B.20  Duties of the order of battle: what must be done when it can be, and what waits with its reason."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.command import Command, Question, lazy
from forcepool.engine.events import Event, Transferred
from forcepool.engine.options import Choice, choice
from forcepool.engine.state import State, evolve
from forcepool.engine.verdicts import YES, Rule, Verdict, no, rule
from forcepool.engine.world import World
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import NOT_ISOLATED
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.conditions import is_in_play
from forcepool.games.europa.replacements.pools import DEFICIT, REINFORCEMENT
from forcepool.games.europa.replacements.soviet_pools import home_of
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Entry, Item
from forcepool.orderofbattle.printing import print_entry
from forcepool.rulebook.citations import computed

FORFEITED = "sink/forfeited"


Ways = Callable[[EuropaWorld, State, Entry], Iterator[Command]]


class Duty(Struct, frozen=True):
    """A verb that obliges: its clause, and the ways to give its command for an entry."""

    clause: str
    ways: Ways


DUTIES: dict[str, Duty] = {}
"""By verb; each heading enters its own."""


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
        return self.facts.isolated(self.unit) != NOT_ISOLATED


def entry_is_in_force(clause: str, *verbs: str) -> Rule[Listed]:
    """The entry is one of these, its turn has come, the scenario is meant, and it is not carried out yet."""

    @rule(clause)
    def entry_calls_for_it(q: Listed) -> Verdict:
        entry = q.entry
        if entries.verb_of(entry) not in verbs:
            return no(f"{entry.key} is no entry of that kind but '{entry.verb}'", remedy="see the checklist")
        if not entries.counts(q.world, q.state, entry):
            return no(f"{entry.key} is ignored in this scenario", clause=ignored_by(q) or "")
        if not entries.has_come(q.world, q.state, entry):
            when = f"from {entry.turn} on" if entry.turn else "when its condition holds"
            return no(f"{entry.key} holds {when}", remedy="wait")
        if entries.is_done(q.state, entry):
            return no(f"{entry.key} is carried out already", remedy="nothing more is due by it")
        return YES

    return entry_calls_for_it


def ignored_by(q: Listed) -> str:
    """The clause by which a scenario does without an entry of this kind."""
    if entries.is_for_the_balkans(q.entry) and is_in_play(q.world, q.state, entries.SOUTHEAST):
        return "51.E.3.f/1"
    if entries.is_of_sequestered_forces(q.entry):
        return "51.E.3.g/1"
    return "51.B.17/2" if entries.verb_of(q.entry) == "transfer" else ""


def in_own_reinforcement_phase(clause: str) -> Rule[Listed]:
    """The order of battle is carried out in the owner's reinforcement phase."""

    @rule(clause)
    def it_is_his_reinforcement_phase(q: Listed) -> Verdict:
        if q.world.phase(q.state) == REINFORCEMENT and q.world.has_the_turn(q.state, q.side):
            return YES
        return no(
            f"it is the {q.world.when(q.state)}", remedy=f"wait for the {q.world.phase_called(REINFORCEMENT, q.side)}"
        )

    return it_is_his_reinforcement_phase


def ways_of(world: EuropaWorld, state: State, entry: Entry) -> Iterator[Choice]:
    """The ways to do a duty, open or closed, each judged when it is asked for."""
    duty = DUTIES[entries.verb_of(entry)]
    return (choice(world, state, command) for command in duty.ways(world, state, entry))


def duties_now(world: World, state: State) -> Iterator[Entry]:
    """The duties that have come for the player whose reinforcement phase it is."""
    if world.phase(state) == REINFORCEMENT and isinstance(world, EuropaWorld) and entries.listed(world, state):
        for entry in entries.in_force(world, state, world.phasing(state), *DUTIES):
            if entries.is_duty(entry):
                yield entry


@rule("51.B.19/1", "51.B.3/2", "51.B.3/8", "51.B.4/1", "51.B.13/1", "51.B.15/1", "51.B.17/3", "51.B.8/1", "51.E.3.g/2")
def duties_are_done(q: Question) -> Verdict:
    """The reinforcement phase does not end while a duty that can be done is left."""
    for entry in duties_now(q.world, q.state):
        assert isinstance(q.world, EuropaWorld)
        if any(each.open or each.die for each in ways_of(q.world, q.state, entry)):
            return no(
                f"{print_entry(entry)} ({entry.key}) can be carried out and must be",
                remedy="carry it out; the checklist has the command",
                clause=DUTIES[entries.verb_of(entry)].clause,
                also=("51.B.3/8",) if entry.verb == "convert" and _is_late(q.world, q.state, entry) else (),
            )
    return YES


def _is_late(world: EuropaWorld, state: State, entry: Entry) -> bool:
    turn = entries.turn_of(world, entry)
    return turn is not None and turn < state.clock.turn


# ------------------------------------------------------------------------------------------------- deficits


@computed("51.B.17/7", "51.B.17/8", "51.B.19/5", "51.B.19/6")
def forfeit(q: Listed, pool: str, cost: dict[str, Fraction], because: str, deficit: str) -> Iterator[Event]:
    """RPs given up with a unit of the pool; what is missing stands as a deficit, kind by kind."""
    for kind, amount in sorted(cost.items()):
        home = home_of(pool, q.nation, kind)
        parts = [(frm, part, because) for frm, part in _given(q.world, q.state, home, q.nation, kind, amount)]
        missing = amount - sum((part for _, part, _ in parts), Fraction(0))
        for frm, part, why in (*parts, (f"{DEFICIT}/{home}", missing, deficit)):
            if part:
                yield Transferred(
                    amount=part, kind=kind, nation=q.nation, frm=frm, to=FORFEITED, because=why, says=q.unit.id
                )


def _given(
    world: EuropaWorld, state: State, pool: str, nation: str, kind: str, amount: Fraction
) -> Iterator[tuple[str, Fraction]]:
    """Which pools give how much of what a pool must: itself first; what a theatre lacks, its fronts and MDs hold."""
    inside = [area for area in sorted(world.areas) if area != pool and pool in world.line_of(area)]
    for each in (pool, *inside):
        part = min(amount, max(Fraction(0), state.balance(each, nation, kind)))
        if part:
            amount -= part
            yield each, part


def repay(world: World, state: State) -> Iterator[Event]:
    """RPs that have come in pay a deficit of their kind before any other use."""
    owing = [each for each, balance in state.balances.items() if balance < 0 and each.pool.startswith(f"{DEFICIT}/")]
    left = state.copy() if owing else state
    for account in sorted(owing):
        assert isinstance(world, EuropaWorld)
        pool, owed = account.pool.removeprefix(f"{DEFICIT}/"), -state.balances[account]
        paid = [
            Transferred(
                amount=part,
                kind=account.kind,
                nation=account.nation,
                frm=frm,
                to=account.pool,
                because="51.B.17/8 51.B.19/6",
                says="pays a deficit",
            )
            for frm, part in _given(world, left, pool, account.nation, account.kind, owed)
        ]
        # A front pays its own deficit and its theatre's, each point once.
        evolve(left, paid)
        yield from paid


CHAPTER = Chapter(heading="51.B.20", guards={"advance": (duties_are_done,)}, happens=(repay,), pools=(DEFICIT,))
