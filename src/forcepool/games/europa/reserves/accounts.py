"""49.A.1.a  The Operational Reserve Track: where a nation's points lie, and who a change is paid by."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.events import Event, Transferred
from forcepool.engine.facts import YES_NO, Fact
from forcepool.engine.ledger import SPENT
from forcepool.engine.points import show_points
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.reserves.depots import BRITAIN
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

OR = "or"
TRACK = "reserve/operational"
MEDITERRANEAN_TRACK = "reserve/mediterranean"
DEPLOYED = "source/deployment"
VP = "vp"
VICTORY = "victory/points"
MEDITERRANEAN, ITALY_AT_WAR = "mediterranean", "italy_at_war"

MEDITERRANEAN_ACCOUNT = switch(
    "mediterranean-account",
    "49.B.2/4",
    "which operational reserve points fill the Mediterranean reserve, and what stops when they are overdrawn",
    own_account="the Mediterranean MDs have points of their own; only the Mediterranean reserve stops, at nothing too",
    one_account="Britain has one account for the whole map; only the Mediterranean reserve stops",
    all_stop="the Mediterranean MDs have points of their own; every British reserve stops",
    nothing_is_enough="the Mediterranean MDs have points of their own; with exactly nothing the reserve goes on",
)


def is_mediterranean(world: EuropaWorld, facts: EuropaFacts, area: str) -> bool:
    """Whether an MD is one of the Mediterranean."""
    return any(facts.of_area(each, MEDITERRANEAN) is True for each in world.line_of(area))


@computed("49.A.1.a/8", "49.A.1.a/11")
def track_of(world: EuropaWorld, state: State, nation: str, area: str) -> str:
    """A nation has one account for the whole map; only Britain's Mediterranean MDs have one of their own."""
    facts = world.facts(state)
    if (
        nation == BRITAIN
        and facts.of_campaign(ITALY_AT_WAR) is True
        and is_mediterranean(world, facts, area)
        and world.ruling(state, MEDITERRANEAN_ACCOUNT.key) != "one-account"
    ):
        return MEDITERRANEAN_TRACK
    return TRACK


def left(state: State, track: str, nation: str) -> Fraction:
    """The points a nation still has."""
    return state.balance(track, nation, OR)


def in_words(world: EuropaWorld, state: State, nation: str, track: str) -> str:
    """'5 operational reserve points', and of which track where a nation has two."""
    said = f"{show_points(left(state, track, nation))} operational reserve points"
    split = nation == BRITAIN and world.facts(state).of_campaign(ITALY_AT_WAR) is True
    if not split or world.ruling(state, MEDITERRANEAN_ACCOUNT.key) == "one-account":
        return said
    here, other = (" for the Mediterranean MDs", TRACK) if track == MEDITERRANEAN_TRACK else ("", MEDITERRANEAN_TRACK)
    there = "for the rest of the map" if other == TRACK else "for the Mediterranean MDs"
    return f"{said}{here or ' outside the Mediterranean'}, and {show_points(left(state, other, nation))} {there}"


def added(amount: Fraction, nation: str, track: str, because: str, says: str) -> Iterator[Event]:
    """Points put on a track."""
    if amount:
        yield Transferred(amount=amount, kind=OR, nation=nation, frm=DEPLOYED, to=track, because=because, says=says)


def spent(amount: Fraction, nation: str, track: str, because: str, says: str) -> Iterator[Event]:
    """Points used for a change of status."""
    if amount:
        yield Transferred(amount=amount, kind=OR, nation=nation, frm=track, to=SPENT, because=because, says=says)


CHAPTER = Chapter(
    heading="49.A.1.a",
    facts=(
        Fact(MEDITERRANEAN, ("area",), "it is one of the Mediterranean MDs", False, YES_NO),
        Fact(ITALY_AT_WAR, ("campaign",), "Italy has declared war on the Allies", False, YES_NO),
    ),
    switches=(MEDITERRANEAN_ACCOUNT,),
    points=(OR, VP),
    pools=(TRACK.partition("/")[0], VICTORY.partition("/")[0]),
)
