"""52.D.2.c.3/11 to /17  Coal and oil sources that change hands: damage, destruction and repair."""

from collections.abc import Iterator

from forcepool.engine.agenda import DUE, NEWS, Item
from forcepool.engine.command import Command, lazy
from forcepool.engine.desk import Declaring
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import NUMBER, YES_NO, Fact, place_key
from forcepool.engine.given import Spot
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.ownership import cities_taken, facts_of, take_off, world_of
from forcepool.games.europa.ground.soviet_pools import AXIS, INITIAL, SOVIET
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.replacements.soviet.energy import DAMAGE, DAMAGE_DUE, DESTROYED, is_source
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import chance, computed

COUNTDOWN = switch(
    "damage-countdown",
    "52.D.2.c.3/12",
    "which initial phases wear a captured source down",
    axis="those of the Axis, from the one after the marker is placed",
    both_players="those of the Axis and of the Soviets",
    placement_too="those of the Axis, the one in which the marker is placed included",
)
NEW_NUMBER = switch(
    "damage-on-recapture",
    "52.D.2.c.3/14",
    "what the die on recapture does to the marker that lies there",
    replaces="its number takes the place of the old one",
    lower="the lower of the two is used",
    total="the two are added",
)
REPAIR = switch(
    "repair-countdown",
    "52.D.2.c.3/17",
    "how a destroyed source is repaired, and what becomes of it if it is lost meanwhile",
    soviet="one a Soviet initial phase; lost again, it stays destroyed",
    both_players="one in each initial phase of either player; lost again, it stays destroyed",
    fresh_capture="one a Soviet initial phase; lost again, it counts as freshly captured",
)


def number_on(facts: EuropaFacts, source: str) -> int | None:
    """The number on the source's damage marker; None if it has none."""
    value = facts.value(place_key(source), DAMAGE)
    return value if isinstance(value, int) else None


def _shown_on(world: EuropaWorld, facts: EuropaFacts, source: str) -> int:
    """What a case may expect of a source: nothing where it has no marker."""
    return number_on(facts, source) or 0


def is_marked(facts: EuropaFacts, source: str, mark: str) -> bool:
    return facts.value(place_key(source), mark) is True


# ---------------------------------------------------------------------------------------- changing hands


def changes_hands(q: Declaring) -> Iterator[Event]:
    """A source that is captured or taken back will need a roll for its damage."""
    world, facts = world_of(q), facts_of(q)
    for place, was, now in cities_taken(q):
        if not is_source(world, facts, place):
            continue
        if now == AXIS:
            yield from is_captured(q, place)
        elif now == SOVIET and was == AXIS:
            yield Marked(on=place_key(place), mark=DAMAGE_DUE, value=True)


def is_captured(q: Declaring, source: str) -> Iterator[Event]:
    """Freshly captured it awaits its marker; one destroyed before stays so, unless the group plays otherwise."""
    on = place_key(source)
    fresh = q.switch(REPAIR.key) == "fresh-capture"
    if is_marked(facts_of(q), source, DESTROYED) and not fresh:
        yield from take_off(q.state, on, DAMAGE, "52.D.2.c.3/17", f"{the_place(source)} stays destroyed")
        yield from take_off(q.state, on, DAMAGE_DUE)
        return
    yield from take_off(q.state, on, DAMAGE)
    yield from take_off(q.state, on, DESTROYED)
    yield Marked(on=on, mark=DAMAGE_DUE, value=True)


# ------------------------------------------------------------------------------------------------ the roll


class RollingDamage(EuropaQuestion):
    """A source whose damage is to be rolled."""

    command: "RollDamage"

    @lazy
    def source(self) -> str:
        return self.world.hex_name(self.command.source)

    @lazy
    def owner(self) -> str:
        return self.facts.owner(self.source) or SOVIET


@rule("52.D.2.c.3/11")
def a_roll_is_due(q: RollingDamage) -> Verdict:
    """Damage is rolled for a source that changed hands, once."""
    if is_marked(q.facts, q.source, DAMAGE_DUE):
        return YES
    return no(f"no damage roll is due for {the_place(q.source)}", remedy="declare its new owner first")


@rule("52.D.2.c.3/11")
def captor_rolls_in_the_next_initial_phase(q: RollingDamage) -> Verdict:
    """A captured source gets its marker at the start of the Axis initial phase after the capture."""
    if q.owner != AXIS or _captor_rolls_now(q.world, q.state, q.source):
        return YES
    return no(f"it is {q.world.when(q.state)}", remedy="roll in the next Axis initial phase")


def _captor_rolls_now(world: EuropaWorld, state: State, source: str) -> bool:
    taken = state.mark(place_key(source), "owner")
    later = taken is None or taken.since < state.player_turn
    return later and world.phase(state) == INITIAL and world.phasing(state) == AXIS


@chance("52.D.2.c.3/11")
def capture_number(q: RollingDamage) -> int:
    """One die tells how many phases a captured source lasts."""
    number = q.roll("52.D.2.c.3/11", 6, f"damage of {the_place(q.source)} on capture")
    return number - 1 if q.switch(COUNTDOWN.key) == "placement-too" else number


@chance("52.D.2.c.3/14")
def recapture_number(q: RollingDamage) -> int:
    """One die tells how many phases an undestroyed source needs."""
    die = q.roll("52.D.2.c.3/14", 6, f"damage of {the_place(q.source)} on recapture")
    old = number_on(q.facts, q.source)
    how = q.switch(NEW_NUMBER.key)
    if old is None or how == "replaces":
        return die
    return min(old, die) if how == "lower" else old + die


@chance("52.D.2.c.3/16")
def repair_number(q: RollingDamage) -> int:
    """Two dice, their sum doubled, tell how many turns a destroyed source needs."""
    why = f"repair of {the_place(q.source)}, destroyed"
    both = q.roll("52.D.2.c.3/16", 6, why) + q.roll("52.D.2.c.3/16", 6, why)
    return both * int(q.world.numbers["repair_factor"])


class RollDamage(Command, tag="roll-damage", frozen=True):
    """Roll for the damage of a coal or oil source that was captured or taken back."""

    source: Spot
    """The source: Baku, Vorkuta, or a city of the Kharkov MD."""

    question = RollingDamage
    needs = (a_roll_is_due,)
    requires = (captor_rolls_in_the_next_initial_phase,)

    def side(self, q: RollingDamage) -> str:
        return q.owner

    def effects(self, q: RollingDamage) -> Iterator[Event]:
        on = place_key(q.source)
        if q.owner == AXIS:
            number, because = capture_number(q), "52.D.2.c.3/11"
        elif is_marked(q.facts, q.source, DESTROYED):
            number, because = repair_number(q), "52.D.2.c.3/16"
        else:
            number, because = recapture_number(q), "52.D.2.c.3/14"
        yield Marked(on=on, mark=DAMAGE, value=number, because=because, says=f"D{number} on {the_place(q.source)}")
        yield Marked(on=on, mark=DAMAGE_DUE)
        if number == 0 and q.owner == AXIS:
            yield destroyed(q.source)


# -------------------------------------------------------------------------------------------- the countdown


def counts_down(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As an initial phase begins, markers on sources fall by one: towards ruin in Axis hands, repair in Soviet ones."""
    if world.phase(state) != INITIAL:
        return
    facts, phasing = world.facts(state), world.phasing(state)
    for source in sorted(on.removeprefix("place/") for on in state.marked.get(DAMAGE, ())):
        number = number_on(facts, source)
        if number is None or is_marked(facts, source, DAMAGE_DUE):
            continue
        if facts.owner(source) == AXIS:
            if phasing in wearing_sides(world, state) and number > 0:
                yield from wears_down(source, number - 1)
        elif phasing in repairing_sides(world, state, is_marked(facts, source, DESTROYED)):
            yield from is_repaired(state, source, number - 1)


def wearing_sides(world: EuropaWorld, state: State) -> tuple[str, ...]:
    """Whose initial phases count against a captured source."""
    return (AXIS, SOVIET) if world.ruling(state, COUNTDOWN.key) == "both-players" else (AXIS,)


def repairing_sides(world: EuropaWorld, state: State, was_destroyed: bool) -> tuple[str, ...]:
    """Whose initial phases count towards repair."""
    both = was_destroyed and world.ruling(state, REPAIR.key) == "both-players"
    return (AXIS, SOVIET) if both else (SOVIET,)


@computed("52.D.2.c.3/12")
def wears_down(source: str, left: int) -> Iterator[Event]:
    """A captured source's number falls by one, never below nothing."""
    says = f"D{left} on {the_place(source)}"
    yield Marked(on=place_key(source), mark=DAMAGE, value=left, because="52.D.2.c.3/12", says=says)
    if left == 0:
        yield destroyed(source)


@computed("52.D.2.c.3/13")
def destroyed(source: str) -> Marked:
    """At D0 in Axis hands the source is destroyed."""
    return Marked(
        on=place_key(source),
        mark=DESTROYED,
        value=True,
        because="52.D.2.c.3/13",
        says=f"{the_place(source)} is destroyed",
    )


def is_repaired(state: State, source: str, left: int) -> Iterator[Event]:
    """A source taken back nears its repair, and works again at D0."""
    on = place_key(source)
    clause = nears_rebuilding() if state.mark(on, DESTROYED) else nears_repair(left)
    if left > 0:
        yield Marked(on=on, mark=DAMAGE, value=left, because=clause, says=f"D{left} on {the_place(source)}")
        return
    yield from take_off(state, on, DAMAGE, clause, f"{the_place(source)} works again")
    yield from take_off(state, on, DESTROYED, clause)


@computed("52.D.2.c.3/14", "52.D.2.c.3/15")
def nears_repair(left: int) -> str:
    """An undestroyed source works normally at D0."""
    return "52.D.2.c.3/14" if left > 0 else "52.D.2.c.3/15"


@computed("52.D.2.c.3/17")
def nears_rebuilding() -> str:
    """A destroyed source is out of production for as many turns as its number."""
    return "52.D.2.c.3/17"


# --------------------------------------------------------------------------------------------------- agenda


def rolls_and_markers(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Dice that are due for sources, and the markers that lie on them."""
    facts = world.facts(state)
    for on in sorted(state.marked.get(DAMAGE, set()) | state.marked.get(DAMAGE_DUE, set())):
        source = on.removeprefix("place/")
        owner = facts.owner(source) or SOVIET
        if is_marked(facts, source, DAMAGE_DUE):
            yield from _roll_due(world, state, source, owner)
        elif number := number_on(facts, source):
            until = "destroyed" if owner == AXIS else "working again"
            yield Item(NEWS, f"{the_place(source)} is at D{number}, {until} at D0", "52.D.2.c.3/18", owner)


def _roll_due(world: EuropaWorld, state: State, source: str, owner: str) -> Iterator[Item]:
    facts = world.facts(state)
    if owner != AXIS:
        clause = "52.D.2.c.3/16" if is_marked(facts, source, DESTROYED) else "52.D.2.c.3/14"
        yield Item(
            DUE, f"{the_place(source)} was taken back: roll for its damage", clause, owner, RollDamage(source=source)
        )
    elif _captor_rolls_now(world, state, source):
        text = f"{the_place(source)} was captured: roll for its damage"
        yield Item(DUE, text, "52.D.2.c.3/11", owner, RollDamage(source=source))


CHAPTER = Chapter(
    heading="52.D.2.c.3",
    commands=(RollDamage,),
    facts=(
        Fact(
            DAMAGE,
            ("place",),
            "the number on the damage marker of a coal or oil source",
            None,
            NUMBER,
            comes_to=_shown_on,
        ),
        Fact(DAMAGE_DUE, ("place",), "a damage roll is due for it", False, YES_NO),
        Fact(DESTROYED, ("place",), "the source is destroyed", False, YES_NO),
    ),
    switches=(COUNTDOWN, NEW_NUMBER, REPAIR),
    happens=(counts_down,),
    declared={"owner": (changes_hands,)},
    due=(rolls_and_markers,),
)
