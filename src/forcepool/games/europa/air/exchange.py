"""28.C/6  The exchange: a reinforcement takes the airbase that a withdrawn unit of its type has left."""

from collections.abc import Iterator
from typing import Any, cast

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import PLAYER_TURN, WORDS, Fact, place_key, unit_key
from forcepool.engine.sentence import the_place, the_places, the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa.air.dues import due_withdrawals
from forcepool.games.europa.air.orders import IN_PLAY, candidates
from forcepool.games.europa.air.question import area_of, can_take, in_theatre
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.tallies import air_force_of
from forcepool.games.europa.question import Appears, instead
from forcepool.games.europa.reinforcements.book import book
from forcepool.games.europa.reinforcements.entries import ENTRY
from forcepool.games.europa.reinforcements.flying_in import comes_aborted
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

VACATED = "air_vacated"
EXCHANGE = switch(
    "withdrawers-base",
    "28.C/6",
    "which airbases of withdrawn units reinforcements of their type must take",
    own_theatre="those in the theatre the reinforcement is listed for, isolated or not",
    eligible="those in its theatre that any reinforcement could be placed at",
    anywhere="those in every theatre: the exchange goes before the theatre listed",
)
AT_A_PLACE = ("city", "hex", "port", "airbase")
"""The kinds of place in a line of the order of battle that are a hex and not an area."""


def left_by(facts: EuropaFacts, hex_name: str) -> list[str]:
    """Nation and type of the units withdrawn from an airbase this player-turn."""
    return cast(list[str], facts.value(place_key(hex_name), VACATED))


def names_its_base(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """Whether a line of rule 51's order of battle brings it, and says at which place; the line's own words go first."""
    mark = state.mark(unit_key(unit.id), ENTRY)
    entry = book(world, state).by_key.get(str(mark.value)) if mark is not None else None
    return entry is not None and entry.place is not None and bool(entry.place.names) and entry.place.kind in AT_A_PLACE


def _kind(unit: Unit) -> str:
    """Its national force and type, as airbases that were left remember them."""
    return f"{air_force_of(unit.spec)}: {unit.spec.type}"


@computed("28.C/6")
def vacated(world: EuropaWorld, facts: EuropaFacts, unit: Unit) -> list[str]:
    """The airbases that units of its type have left this turn and no reinforcement has taken."""
    if names_its_base(world, facts.state, unit):
        return []
    kind, ruled = _kind(unit), world.ruling(facts.state, EXCHANGE.key)
    found = [each for each in facts.places_with(VACATED) if kind in left_by(facts, each)]
    if ruled != "anywhere":
        found = [each for each in found if in_theatre(world, each, world.theatre_of(area_of(world, facts, unit)))]
    if ruled == "eligible":
        side = world.side_now(facts.state, unit.spec.nation)
        found = [
            each for each in found if can_take(facts, side, unit.spec.nation, each) and not facts.is_cut_off(side, each)
        ]
    return found


def after_its_withdrawal(pending: str) -> Verdict:
    """It waits for the unit whose airbase it will take."""
    return no(
        f"{the_unit(pending)} or its like is to be withdrawn first",
        remedy=f"withdraw {the_unit(pending)}, then take its airbase",
    )


@rule("28.C/6")
def entry_takes_a_withdrawers_base(q: Any) -> Verdict:
    """What a line of rule 51 brings takes a withdrawn unit's airbase as the reinforcements of the Air OB do."""
    if not q.is_air or comes_aborted(q) or names_its_base(q.world, q.state, q.unit):
        return YES
    bases = vacated(q.world, q.facts, q.unit)
    if q.hex in bases:
        return YES
    if bases:
        remedy = instead(q, f"place it at {the_place(bases[0])}", at=bases[0])
        return no(f"a {q.unit.spec.type} has left {the_places(bases)} this turn", remedy=remedy)
    if pending := to_leave_first(q.world, q.state, q.unit):
        return after_its_withdrawal(pending)
    return YES


def at_a_withdrawers_base(q: Any) -> Verdict | None:
    """The exchange takes place at that very airbase, isolated or not."""
    given = q.is_air and q.hex in vacated(q.world, q.facts, q.unit)
    return yes("28.C/6", "the airbase a withdrawn unit leaves") if given else None


def base_is_taken(q: Any) -> Iterator[Event]:
    """Of those that have left an airbase, one has its successor."""
    if q.is_air and q.hex and q.hex in vacated(q.world, q.facts, q.unit):
        yield taken(q)


def taken(q: Any) -> Event:
    """What is left of those that have gone from the airbase it is placed at."""
    rest = list(left_by(q.facts, q.hex))
    rest.remove(_kind(q.unit))
    return Marked(on=place_key(q.hex), mark=VACATED, value=rest or None, because="28.C/6")


def to_leave_first(world: EuropaWorld, state: State, unit: Unit) -> str:
    """A unit in play of a reinforcement's type, on airbases it would have to take, that is to be withdrawn first."""
    theatre, kind = world.theatre_of(area_of(world, world.facts(state), unit)), _kind(unit)
    anywhere = world.ruling(state, EXCHANGE.key) == "anywhere"
    for line in due_withdrawals(world, state):
        if line.nation not in (unit.spec.nation, air_force_of(unit.spec)):
            continue
        for other in candidates(world, state, line).get(IN_PLAY, []):
            if _kind(other) == kind and (anywhere or in_theatre(world, other.place.of, theatre)):
                return other.id
    return ""


CHAPTER = Chapter(
    heading="28.C",
    facts=(
        Fact(
            VACATED,
            ("place",),
            "the withdrawn units whose place there is free",
            [],
            WORDS,
            lasts=PLAYER_TURN,
            by_hand=False,
        ),
    ),
    guards={Appears: (entry_takes_a_withdrawers_base,)},
    waivers={"51.A.7/1": (at_a_withdrawers_base,)},
    also={Appears: (base_is_taken,)},
    switches=(EXCHANGE,),
)
