"""EF.replacements/14 to /17: units that never come back once they are lost."""

from typing import Any

from forcepool.engine.chapter import Chapter
from forcepool.engine.facts import TAKEN_BACK, Fact, unit_key
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Rule, Verdict, no, rule
from forcepool.games.eastern_front.chapter import Order
from forcepool.games.eastern_front.world import EasternWorld

LOST_BY = "lost_by"
COMBAT, ISOLATION, SEA_LOSS, COMPOSITE = "combat", "isolation", "sea", "composite"
MOSCOW, STAVKA, POLISH = "moscow", "stavka", "polish"
NAMES = {MOSCOW: "the 1st Moscow Motorized division", STAVKA: "the STAVKA headquarters", POLISH: "the 1st Polish Army"}

FINAL = switch(
    "irreplaceable-losses",
    "EF.replacements/17",
    "which losses of the irreplaceable units are final",
    any_removal="any removal from the map, and they make no composite units",
    combat_and_isolation="only losses in combat and through isolation",
)


def gone_for_good(world: EasternWorld, state: State, unit: Unit, trait: str) -> bool:
    """Whether a unit of this name has been lost in a way that bars its return."""
    if trait not in unit.spec.traits:
        return False
    mark = state.mark(unit_key(unit.id), LOST_BY)
    any_removal = world.ruling(state, FINAL.key) == "any-removal"
    return any_removal or mark is None or mark.value in ("", COMBAT, ISOLATION)


def never_comes_back(world: EasternWorld, state: State, unit: Unit) -> bool:
    """Whether a dead unit is one of the irreplaceable, lost for good."""
    return any(gone_for_good(world, state, unit, trait) for trait in NAMES)


def _never_returns(clause: str, trait: str) -> Rule[Any]:
    @rule(clause, "EF.replacements/17")
    def may_return(q: Order) -> Verdict:
        if gone_for_good(q.world, q.state, q.unit, trait):
            return no(
                f"{NAMES[trait]} never comes back once lost",
                also=("EF.replacements/17",),
            )
        return YES

    return may_return


MAY_RETURN = (
    _never_returns("EF.replacements/14", MOSCOW),
    _never_returns("EF.replacements/15", STAVKA),
    _never_returns("EF.replacements/16", POLISH),
)


def is_irreplaceable(traits: tuple[str, ...]) -> str:
    """The name of the irreplaceable unit these traits mark, or nothing."""
    return next((NAMES[trait] for trait in (MOSCOW, STAVKA, POLISH) if trait in traits), "")


CHAPTER = Chapter(
    heading="EF.replacements (irreplaceable units)",
    facts=(
        Fact(
            LOST_BY,
            ("unit",),
            "how it was lost",
            "",
            values=("", COMBAT, ISOLATION, SEA_LOSS, COMPOSITE),
            off_map=True,
            said={
                COMBAT: "lost in combat",
                ISOLATION: "lost through isolation",
                SEA_LOSS: "lost at sea",
                COMPOSITE: "gone into a composite unit",
                TAKEN_BACK: "no longer among the lost",
            },
        ),
    ),
    switches=(FINAL,),
)
