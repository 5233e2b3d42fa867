"""49.A.1.a  What nation and date do to the month's deployment die."""

from msgspec import Struct

from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import COMPUTED, computed, heard, meets_one_of

DATE_BINDS = switch(
    "late-war-modifier",
    "49.A.1.a.table1/8",
    "whose modifier waits for January 1944",
    germany="Germany's; Italy, France and the Soviet Union have it throughout",
    all_four="that of all four",
    germany_and_soviets="Germany's and the Soviet Union's",
)
STRICT = switch(
    "after-january-1944",
    "49.A.1.a.table1/9",
    "whether the roll of January 1944 is already modified",
    later="no, the first is that of February",
    from_january="yes",
)


class ModifierRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A modifier by nation and date."""

    modifier: int
    clause: str
    nations: tuple[str, ...] = ()
    minors: bool = False
    before: str = ""
    after: str = ""
    """Dates of the profile."""


@meets_one_of("49.A.1.a.table1/6", "49.A.1.a.table1/7", "49.A.1.a.table1/8", "49.A.1.a.table1/9")
@computed("49.A.1.a.table1/10")
def modifiers(world: EuropaWorld, state: State, nation: str) -> list[ModifierRow]:
    """Every modifier that a nation has at this date; all of them count."""
    found = [row for row in world.chart("deployment_modifiers") if _applies(world, state, nation, row)]
    for row in found:
        heard(row.clause, COMPUTED)
    return found


def _applies(world: EuropaWorld, state: State, nation: str, row: ModifierRow) -> bool:
    turn = state.clock.turn
    if row.minors and world.profile.nations[nation].major:
        return False
    if row.nations and nation not in row.nations:
        return False
    if row.before and turn >= world.dates[row.before]:
        return False
    after = row.after or _also_waits(world, state, nation, row)
    if not after:
        return True
    date = world.dates[after]
    return turn >= date if world.ruling(state, STRICT.key) == "from-january" else turn > date


def _also_waits(world: EuropaWorld, state: State, nation: str, row: ModifierRow) -> str:
    """The date of the line's last word, for the nations that a house rule makes wait for it too."""
    if row.minors or row.before:
        return ""
    ruled = world.ruling(state, DATE_BINDS.key)
    waits = ruled == "all-four" or (ruled == "germany-and-soviets" and nation == "Soviet Union")
    return "late_war_modifier" if waits else ""
