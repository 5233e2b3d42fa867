"""52.A.9.c/3 to /5 and 52.A.9.d/3 to /5  Rebuilding under a larger enemy ZOC: beside an HQ, or behind a screen."""

from forcepool.engine.facts import unit_key
from forcepool.engine.state import Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Rule, Verdict, no, rule, yes
from forcepool.games.europa.ground.centres import acts_as_hq
from forcepool.games.europa.ground.purchase import Purchase

MOVED_TRAINER = switch(
    "training-division-moved",
    "52.A.9.d/3",
    "what a training division or unit that moved this player-turn does for cadres",
    helps="a division lifts the ban of a larger ZOC all the same, and any trains its own type",
    stands_still="nothing: like other replacement centres it must have stood still",
)
CORPS_OR_HIGHER = ("XXX", "XXXX", "XXXXX")
DIVISION = "XX"


def free_of_larger_zoc(ban: str, hq: str, screen: str) -> Rule[Purchase]:
    """Under a larger enemy ZOC a unit is rebuilt only beside an HQ or training division, or behind a screen."""

    @rule(ban, hq, screen)
    def no_larger_zoc_upon_it(q: Purchase) -> Verdict:
        larger = larger_zocs(q)
        if not larger:
            return YES
        for each in q.stackmates:
            if each.spec.nation == q.nation and lifts_the_ban(q, each):
                return yes(hq, f"stacked with {each}")
        open_to = unscreened(q, larger)
        if not open_to:
            return yes(screen, f"{len(larger)} enemy {_stacks(larger)} screened")
        short = (
            f"{len(larger) - len(open_to)} of {len(larger)} screened" if len(open_to) < len(larger) else "none screened"
        )
        enemy = f"{len(larger)} enemy {_stacks(larger)} ({', '.join(larger)})"
        why = q.facts.reason(unit_key(q.unit.id), "enemy_zoc")
        return no(
            f"{q.unit} stands in the larger ZOC of {enemy}, {short}{why}",
            remedy=f"stack it with {_an_hq(q)}, or with {_divisions(larger, open_to)} to screen it",
        )

    return no_larger_zoc_upon_it


def larger_zocs(q: Purchase) -> list[str]:
    """The zones of the enemy stacks upon the unit that are larger than its own, largest first."""
    upon_it = q.facts.enemy_zocs(q.unit)
    if not upon_it:
        return upon_it
    own = q.world.zone_rank(q.facts.zoc(q.unit))
    return [zone for zone in upon_it if q.world.zone_rank(zone) > own]


def lifts_the_ban(q: Purchase, other: Unit) -> bool:
    """Corps, army and higher HQs and training divisions do; other training units only if they stood still (52.I.2)."""
    spec = other.spec
    if q.world.has_role(spec, "hq"):
        return spec.size in CORPS_OR_HIGHER
    if q.world.has_role(spec, "training") and spec.size == DIVISION and q.switch(MOVED_TRAINER.key) == "helps":
        return True
    return acts_as_hq(q.world, q.state, other)


def unscreened(q: Purchase, zones: list[str]) -> list[str]:
    """The enemy stacks left over when each friendly screen has taken one; only a division screens a division."""
    rank = q.world.zone_rank
    screens = sorted(
        (rank(q.facts.zoc(each)) for each in q.stackmates if not q.world.has_role(each.spec, "hq")), reverse=True
    )
    division = rank("division")
    left = []
    for zone in zones:
        if screens and screens[0] >= min(rank(zone), division):
            screens.pop(0)
        else:
            left.append(zone)
    return left


def _stacks(zones: list[str]) -> str:
    return "stack" if len(zones) == 1 else "stacks"


def _divisions(zones: list[str], still_open: list[str]) -> str:
    """How many divisions are still wanted: one for each stack that none screens yet."""
    more = " more" if len(still_open) < len(zones) else ""
    if len(still_open) == 1:
        return f"one{more} friendly division" if more else "a friendly division"
    return f"{len(still_open)}{more} friendly divisions"


def _an_hq(q: Purchase) -> str:
    adjective = q.world.profile.nations[q.nation].adjective or q.nation
    return f"a {adjective} corps or army HQ or training division"
