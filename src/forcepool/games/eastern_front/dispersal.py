"""EF.strategic/2, EF.replacements/11, EF.reinforcements/2: what a dispersed unit may not do, and when it recovers."""

from collections.abc import Iterator

from forcepool.engine.chapter import Chapter
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import unit_key
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.eastern_front.chapter import REPLACEMENT_PHASE, Order
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
    for on in sorted(state.marks):
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
        return no(f"{q.unit} came in as a replacement and is dispersed", remedy=recovery(q))
    return YES


def held_back(q: Order) -> bool:
    """Whether a unit stands still because it is dispersed; a replacement's own dispersal has its own rule."""
    stand = q.switch(DISPERSED_UNITS.key) == "stand"
    return stand and q.facts.dispersed(q.unit) and not dispersed_since_it_came(q)


def recovery(q: Order) -> str:
    """The remedy for a dispersed unit: when it recovers, as the group plays it."""
    played = _played(q.world, q.state)
    if played == "in-supply" and q.facts.supply(q.unit) == NO_SUPPLY:
        return "bring it into supply: it recovers as its side's next turn begins"
    after = " replacement/reinforcement phase ends" if played == "after-replacements" else " turn begins"
    return f"wait: it recovers as the next {q.world.side_now(q.state, q.unit.spec.nation)}{after}"


@rule("EF.reinforcements/2", "EF.strategic/2")
def is_undispersed(q: Order) -> Verdict:
    """Operational movement is for units that are not dispersed."""
    if held_back(q):
        return no(f"{q.unit} is dispersed", remedy=recovery(q), also=("EF.strategic/2",))
    return YES


CHAPTER = Chapter(
    heading="EF.strategic (dispersal)",
    switches=(DISPERSAL, BAR, DISPERSED_UNITS),
    happens=(recover,),
    ends=(recover_later,),
)
