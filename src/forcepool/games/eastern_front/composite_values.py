"""EF.composite/10 to /39: what the composite units are worth in combat and movement, shown on the unit."""

from collections.abc import Iterator

from forcepool.engine.chapter import Chapter
from forcepool.engine.game import Effect
from forcepool.engine.places import HEX
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.games.eastern_front.facts import FORTIFIED, NO_SUPPLY
from forcepool.games.eastern_front.profile import Kind
from forcepool.games.eastern_front.showing import shows
from forcepool.games.eastern_front.world import SIBERIA, EasternWorld

SHOCK, GROUP, TANK = "shock army", "cavalry-mechanized group", "tank army"
GUARDS, GUARDS_TANK, PARACHUTE = "guards infantry army", "guards tank army", "parachute corps"

GROUP_FIREPOWER = switch(
    "cavalry-mechanized-firepower",
    "EF.composite/15",
    "the firepower of a cavalry-mechanized group",
    one="1, by the letters of the scan",
    two="2, as the other combinations have",
)
HITS = switch(
    "hits-to-eliminate",
    "EF.composite/13",
    "how many hits eliminate an unfortified composite unit",
    firepower="as many as its present firepower, for every composite unit",
    shock_only="so for the shock army only; the others by the combat rules",
    major_one_more="as many as its firepower, and one more for a major unit",
)
AS_CAVALRY = switch(
    "cavalry-mechanized-movement",
    "EF.composite/17",
    "the exception of Section 7.B.2, which is not in this rulebook",
    none="no exception is applied",
    as_cavalry="it moves as cavalry through terrain closed to armour",
)

RANKS = {
    SHOCK: "EF.composite/10",
    GROUP: "EF.composite/18",
    TANK: "EF.composite/22",
    GUARDS: "EF.composite/26",
    GUARDS_TANK: "EF.composite/32",
    PARACHUTE: "EF.composite/35",
}
FIREPOWER = {
    SHOCK: ("EF.composite/11", "EF.composite/12"),
    GROUP: ("EF.composite/15", "EF.composite/15"),
    TANK: ("EF.composite/23", "EF.composite/23"),
    GUARDS: ("EF.composite/28", "EF.composite/28"),
    GUARDS_TANK: ("EF.composite/33", "EF.composite/33"),
    PARACHUTE: ("EF.composite/36", "EF.composite/36"),
}
"""The clause of each kind's firepower, in supply and out of it."""


def in_play(unit: Unit) -> bool:
    return unit.place.kind in (HEX, SIBERIA)


def firepower(world: EasternWorld, state: State, unit: Unit, kind: Kind) -> int:
    """The firepower of a composite unit of a kind now."""
    assert kind.firepower is not None, "every composite unit has one"
    if world.kind_name(unit.spec) == GROUP and world.ruling(state, GROUP_FIREPOWER.key) == "two":
        return kind.firepower + 1
    supplied = world.facts(state).supply(unit) != NO_SUPPLY
    return kind.firepower if supplied or kind.unsupplied is None else kind.unsupplied


@shows(*RANKS.values())
def rank(world: EasternWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """Whether a composite unit is major or minor."""
    name, kind = world.kind_name(unit.spec), world.kind_of(unit.spec)
    if name in RANKS and kind is not None and in_play(unit):
        infantry = ", infantry type" if name == SHOCK else ""
        yield Effect(f"{kind.rank} unit{infantry}", RANKS[name])


@shows(*(clause for pair in FIREPOWER.values() for clause in pair), "EF.composite/13")
def worth_in_combat(world: EasternWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """A composite unit's firepower, and the hits that eliminate it unfortified."""
    name, kind = world.kind_name(unit.spec), world.kind_of(unit.spec)
    if name not in FIREPOWER or kind is None or not in_play(unit):
        return
    facts, power = world.facts(state), firepower(world, state, unit, kind)
    clause = FIREPOWER[name][facts.supply(unit) == NO_SUPPLY]
    words = "combat value" if name == PARACHUTE else "attack and defence firepower" if name == GROUP else "firepower"
    yield Effect(f"{words} {power}", clause)
    played = world.ruling(state, HITS.key)
    if facts.is_so(unit, FORTIFIED) or (played == "shock-only" and name != SHOCK):
        return
    hits = power + (1 if played == "major-one-more" and kind.rank == "major" else 0)
    yield Effect(f"eliminated by {hits} hit{'s' if hits != 1 else ''} while unfortified", "EF.composite/13")


@shows("EF.composite/16", "EF.composite/17")
def group_in_movement(world: EasternWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """A cavalry-mechanized group moves as armour."""
    if world.kind_name(unit.spec) != GROUP or not in_play(unit):
        return
    yield Effect("moves as an armoured unit", "EF.composite/16")
    if world.ruling(state, AS_CAVALRY.key) == "as-cavalry":
        yield Effect("moves as cavalry through terrain closed to armour", "EF.composite/17")
    else:
        yield Effect("Section 7.B.2 has an exception to that; its text is not in this rulebook", "EF.composite/17")


@shows("EF.composite/38", "EF.composite/39")
def parachutes(world: EasternWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """A parachute corps may fight as infantry, or drop by a section that is not in this rulebook."""
    if world.kind_name(unit.spec) == PARACHUTE and in_play(unit):
        yield Effect("may fight as infantry, and is infantry in every respect when it does", "EF.composite/38")
        yield Effect(
            "drops by Section 21.0, which is not in this rulebook: resolve it from the rules", "EF.composite/39"
        )


CHAPTER = Chapter(
    heading="EF.composite (values)",
    switches=(GROUP_FIREPOWER, HITS, AS_CAVALRY),
    shows=(rank, worth_in_combat, group_in_movement, parachutes),
)
