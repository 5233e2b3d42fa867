"""EF.strategic/2, EF.replacements/11, EF.reinforcements/2: what a dispersed unit may not do, and when it recovers."""

from collections.abc import Iterator

from forcepool.engine.chapter import Chapter
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import unit_key
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, Way, no, rule
from forcepool.games.eastern_front.chapter import OPERATIONAL_PHASE, REPLACEMENT_PHASE, Order, Remedy, moment
from forcepool.games.eastern_front.facts import ARRIVED_AS, DISPERSED, NO_SUPPLY, REPLACEMENT
from forcepool.games.eastern_front.world import SOVIET, EasternWorld
from forcepool.rulebook.citations import computed

DISPERSAL = switch(
    "dispersal-ends",
    "EF.strategic/2",
    "when a dispersed unit recovers",
    next_turn="at the start of its owner's next turn, before the replacement/reinforcement phase",
    in_supply="at that moment, but only if it is in supply",
    after_replacements="after its owner's next replacement/reinforcement phase",
)
BAR = switch(
    "replacements-bar",
    "EF.replacements/11",
    "how long a replacement may move only strategically, and whose",
    turn_of_entry="in the turn of entry, for both sides",
    while_dispersed="as long as it is dispersed",
    soviet_only="in the turn of entry, for Soviet replacements alone",
)
DISPERSED_UNITS = switch(
    "dispersed-units",
    "EF.reinforcements/2",
    "what dispersal itself bars",
    stand="a dispersed unit neither moves operationally nor attacks",
    replacements_only="only replacements are barred, in the turn they enter",
)

# ------------------------------------------------------------------------------- recovering from dispersal


def recover(world: EasternWorld, state: State) -> Iterator[Event]:
    """Dispersed units recover at the start of their owner's next turn."""
    if state.clock.phase == 0 and _played(world, state) != "after-replacements":
        yield from _recovered(world, state)


def recover_later(world: EasternWorld, state: State) -> Iterator[Event]:
    """Where a group plays it so, they recover only after the replacement/reinforcement phase."""
    if world.phase(state) == REPLACEMENT_PHASE and _played(world, state) == "after-replacements":
        yield from _recovered(world, state)


def _played(world: EasternWorld, state: State) -> str:
    return world.ruling(state, DISPERSAL.key)


@computed("EF.strategic/2")
def _recovered(world: EasternWorld, state: State) -> list[Event]:
    facts, side, needs_supply = world.facts(state), world.phasing(state), _played(world, state) == "in-supply"
    found: list[Event] = []
    for on in sorted(state.marked.get(DISPERSED, ())):
        mark, name = state.marks[on].get(DISPERSED), on.removeprefix("unit/")
        # What was dispersed in this very phase, such as a composite unit just made, stays so.
        if mark is None or mark.value is not True or name not in state.units or mark.since == state.player_turn:
            continue
        unit = state.units[name]
        if world.side_now(state, unit.spec.nation) != side or (needs_supply and facts.supply(unit) == NO_SUPPLY):
            continue
        found.append(Marked(on=on, mark=DISPERSED, because="EF.strategic/2", says="it is no longer dispersed"))
    return found


# ---------------------------------------------------------------------------------------- what it bars


def dispersed_since_it_came(q: Order) -> bool:
    """Whether a replacement has not yet recovered from its entry; later dispersals are another matter."""
    came, dispersed = (q.state.mark(unit_key(q.unit.id), name) for name in (ARRIVED_AS, DISPERSED))
    if came is None or came.value != REPLACEMENT or dispersed is None or dispersed.value is not True:
        return False
    return dispersed.since <= came.since


@rule("EF.replacements/11")
def replacements_move_strategically(q: Order) -> Verdict:
    """A replacement moves only strategically in the turn it enters."""
    played = q.switch(BAR.key)
    if played == "soviet-only" and q.side != SOVIET:
        return YES
    if played == "while-dispersed":
        barred = dispersed_since_it_came(q)
    else:
        barred = q.facts.came_this_turn(q.unit) == REPLACEMENT
    if barred:
        return no(f"{q.unit} came in as a replacement and is dispersed", **recovery(q, q.unit, OPERATIONAL_PHASE))
    return YES


def held_back(q: Order) -> bool:
    """Whether a unit stands still because it is dispersed; a replacement's own dispersal has its own rule."""
    stand = q.switch(DISPERSED_UNITS.key) == "stand"
    return stand and q.facts.dispersed(q.unit) and not dispersed_since_it_came(q)


def recovery(q: Order, unit: Unit, phase: str) -> Remedy:
    """The remedy for a unit dispersed in a phase of its side's: when it recovers, as the group plays it."""
    played, side = _played(q.world, q.state), q.world.side_now(q.state, unit.spec.nation)
    if played == "in-supply" and q.facts.supply(unit) == NO_SUPPLY:
        return {"remedy": "bring it into supply: it recovers as its side's next turn begins"}
    after = " replacement/reinforcement phase ends" if played == "after-replacements" else " turn begins"
    until = moment(q.world, _recovers_in(q, unit, phase), side, phase)
    return {"remedy": f"wait: it recovers as the next {side}{after}", "way": Way(until=until)}


def _recovers_in(q: Order, unit: Unit, phase: str) -> int:
    """The first turn in which a dispersed unit has recovered by a phase of its side's."""
    now, world = q.state.clock, q.world
    its_own = world.sequence.player_index(world.side_now(q.state, unit.spec.nation))
    if _played(world, q.state) != "after-replacements":
        return int(now.turn) + (1 if now.player >= its_own else 0)
    mark = q.state.mark(unit_key(unit.id), DISPERSED)
    # What was dispersed before this turn recovers as the phase that is being played ends.
    over = now.phase > 0 or mark is None or mark.since == q.state.player_turn
    turn = int(now.turn) + (1 if now.player > its_own or (now.player == its_own and over) else 0)
    return turn + 1 if phase == REPLACEMENT_PHASE else turn


@rule("EF.reinforcements/2", "EF.strategic/2")
def is_undispersed(q: Order) -> Verdict:
    """Operational movement is for units that are not dispersed."""
    if held_back(q):
        return no(f"{q.unit} is dispersed", **recovery(q, q.unit, OPERATIONAL_PHASE), also=("EF.strategic/2",))
    return YES


CHAPTER = Chapter(
    heading="EF.strategic (dispersal)",
    switches=(DISPERSAL, BAR, DISPERSED_UNITS),
    happens=(recover,),
    ends=(recover_later,),
)
