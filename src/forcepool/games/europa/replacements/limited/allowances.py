"""52.A.10  Allowances of limited REs: what a nation receives each month, what it saves, and what lapses."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from msgspec.structs import replace

from forcepool.engine.agenda import LAPSES, NEWS, Item
from forcepool.engine.calendar import Turn
from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.facts import GAME_TURN, YES_NO, Fact, fixed, kept, subject_key
from forcepool.engine.ledger import Account
from forcepool.engine.places import HEX
from forcepool.engine.points import show_points
from forcepool.engine.state import State, evolve
from forcepool.engine.switches import switch
from forcepool.engine.units import FULL, STEPS, UnitSpec
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import SIDES_WITH, EuropaFacts
from forcepool.games.europa.given import OB
from forcepool.games.europa.question import first_of_month
from forcepool.games.europa.replacements.general.receipts import changes_sides
from forcepool.games.europa.replacements.limited.limited_types import (
    FACTS,
    FANATICAL,
    LIMITED,
    UNDECLARED,
    WEATHER,
    WHOSE_LIST,
    WINTER_OVER,
    Limit,
    LimitedType,
    SideList,
    in_first_winter,
    invaded_before_play,
    invasion_turn,
    is_thaw,
    keeper_for,
    keeper_of,
    limits_of,
    limits_on,
    list_of,
    listed_types,
    nations_with_lists,
    types_now,
)
from forcepool.games.europa.world import ELIMINATED, EuropaWorld
from forcepool.rulebook.citations import COMPUTED, computed, heard, meets_one_of

ALLOWED = "source/limited-allowance"
LAPSED = "sink/lapsed"
HAD_ITS_MONTH = "had_its_limited_res"
INITIAL = 0
"""The first phase of a player-turn, in which allowances come in."""

CATEGORIES = (
    "engineer",
    "specialized-armour",
    "artillery",
    "mountain",
    "air-droppable",
    "amphibious",
    "v-weapons",
    "political",
    "divisional-hq",
    "limited",
    "cavalry",
    "winterized",
)
"""The kinds of allowance, each an account of its own in the pool of limited REs."""


# ------------------------------------------------------------------------------------------- months and winters


FIRST = switch(
    "first-allowance",
    "52.D.2.f/3",
    "the limited REs of the month in the course of which the Soviet Union was invaded",
    whole="the whole month's, from the turn after the invasion",
    by_turns="as much of them as there are turns left in the month",
    next_month="none before the first turn of the next month",
)


def has_begun(world: EuropaWorld, state: State, nation: str) -> bool:
    """Soviet allowances begin the turn after the invasion, others with the campaign."""
    return not list_of(world, state, nation).after_invasion or state.clock.turn >= begin_on(world, state)


@computed("52.D.2.f/3")
def begin_on(world: EuropaWorld, state: State) -> int:
    """The turn on which allowances begin that wait for the invasion."""
    begin = invasion_turn(world, state) + 1
    if world.ruling(state, FIRST.key) == "next-month" and not world.calendar.is_first_of_month(Turn(begin)):
        return first_of_month(world, begin, 1)
    return begin


@computed("52.D.2.f/3")
def first_share(world: EuropaWorld, state: State, nation: str) -> Fraction:
    """The part of a month's allowance that is there in the month of the invasion: all of it unless ruled otherwise."""
    if not list_of(world, state, nation).after_invasion or world.ruling(state, FIRST.key) != "by-turns":
        return Fraction(1)
    begin, per_month = begin_on(world, state), world.calendar.turns_per_month
    if state.clock.turn // per_month != begin // per_month:
        return Fraction(1)
    return Fraction(per_month - world.calendar.week(Turn(begin)) + 1, per_month)


def receive(world: EuropaWorld, state: State) -> Iterator[Event]:
    """On the first turn of a month a nation's allowances come in, with no more than a month's worth saved."""
    if state.clock.phase != INITIAL:
        return
    first_turn = world.calendar.is_first_of_month(state.clock.turn)
    has_a_use = cache(lambda: uses(world, state))
    for nation in nations_with_lists(world, state, world.phasing(state)):
        if not has_begun(world, state, nation):
            continue
        new_month = first_turn and not world.facts(state).of_nation(nation, HAD_ITS_MONTH)
        for limit in limits_of(world, state, nation):
            # An account that does not exist yet has had no allowance: the first may come in mid-month.
            known = Account(LIMITED, nation, limit.category) in state.balances
            if (new_month and known) or (not known and has_a_use()(nation, limit)):
                yield from _received(world, state, nation, limit)


def uses(world: EuropaWorld, state: State) -> Callable[[str, Limit], bool]:
    """Whether an allowance is of use to a nation: a minor one has it for the kinds of unit it has, now or to come.

    A major power, and a nation of which no counter is known, has all that its list grants.
    """
    found: set[tuple[str, str]] = set()
    known: set[str] = set()
    nations = world.profile.nations
    for spec in dict.fromkeys(_counters(world, state)):
        keeper = keeper_for(world, state, spec)
        if not nations[keeper].major:
            known.add(keeper)
        found |= {(keeper, each.category) for each in listed_types(world, state, spec)}
    return lambda nation, limit: nation not in known or (nation, limit.category) in found


def _counters(world: EuropaWorld, state: State) -> Iterator[UnitSpec]:
    yield from (unit.spec for unit in state.units.values())
    yield from _counters_to_come(world)


@fixed
def _counters_to_come(world: EuropaWorld) -> tuple[UnitSpec, ...]:
    items = ((item, entry.nation) for entry in world.chart(OB) for item in (*entry.items, *entry.results))
    listed = ((each.spec, each.contingent or nation) for each, nation in items if each.spec)
    return tuple(replace(spec, nation=world.nation_named(nation)) for spec, nation in listed)


@meets_one_of("52.D.1.b/2", "52.D.2.f/2", "52.D.3.a/1", "52.A.10/3")
def _received(world: EuropaWorld, state: State, nation: str, limit: Limit) -> Iterator[Event]:
    if (limit.first_winter and not in_first_winter(world, state)) or (limit.only and nation not in limit.only):
        return
    lists = list_of(world, state, nation)
    saving = lists.saving
    heard(f"{saving} 52.A.10/3", COMPUTED)
    over = state.balance(LIMITED, nation, limit.category) - lasting(world, limit)
    if over > 0:
        yield _passed(nation, limit, over, LIMITED, LAPSED, f"52.A.10/3 {saving}", "saved for more than a month")
    because = f"{limit.clause} 52.A.10/2 {saving}" + (" 52.D.2.f/3" if lists.after_invasion else "")
    amount = limit.monthly * first_share(world, state, nation)
    yield _passed(nation, limit, amount, ALLOWED, LIMITED, because, "the month's allowance")


def lasting(world: EuropaWorld, limit: Limit) -> Fraction:
    """What may be saved of an allowance into the next month."""
    return limit.monthly * world.numbers["limited_months_saved"]


def most_on_hand(world: EuropaWorld, limit: Limit) -> Fraction:
    """The most a nation can ever have of an allowance: the month's and what is saved."""
    return limit.monthly + lasting(world, limit)


def _passed(nation: str, limit: Limit, amount: Fraction, frm: str, to: str, because: str, says: str) -> Event:
    return Transferred(
        amount=amount,
        kind=limit.category,
        nation=nation,
        frm=frm,
        to=to,
        because=because,
        says=f"{limit.category}: {says}",
    )


def begins_after_the_first_winter(world: EuropaWorld, state: State) -> Iterator[Event]:
    """A campaign that begins after the thaw of 1942 knows no first winter."""
    if world.has_passed("first_winter_thaw", state) and state.clock.turn != world.dates["first_winter_thaw"]:
        yield Marked(on="campaign", mark=WINTER_OVER, value=state.clock.turn, because="52.D.2.f.ix/2")
        yield from _of_no_more_use(world, state)


def opening(world: EuropaWorld, state: State) -> Iterator[Event]:
    """A campaign begins with the month's allowances and nothing saved, but for what its scenario gives."""
    has_a_use = uses(world, state)
    for index, side in enumerate(world.sequence.players):
        to_come = index > state.clock.player and world.calendar.is_first_of_month(state.clock.turn)
        for nation in nations_with_lists(world, state, side):
            if to_come or not has_begun(world, state, nation):
                continue
            for limit in limits_of(world, state, nation):
                if Account(LIMITED, nation, limit.category) not in state.balances and has_a_use(nation, limit):
                    yield from _received(world, state, nation, limit)


def ends_the_first_winter(world: EuropaWorld, state: State) -> Iterator[Event]:
    """The first turn of 1942 without snow in zone A ends the limit on winterized units for good."""
    if not is_thaw(world, state) or world.facts(state).of_campaign(WINTER_OVER):
        return
    yield Marked(
        on="campaign",
        mark=WINTER_OVER,
        value=state.clock.turn,
        because="52.D.2.f.ix/2",
        says="the first winter is over",
    )
    yield from _of_no_more_use(world, state)


@computed("52.D.2.f.ix/1", "52.D.2.f.ix/2")
def _of_no_more_use(world: EuropaWorld, state: State) -> Iterator[Event]:
    """What is left of an allowance that holds for the first winter alone lapses with it."""
    winters = {row.category: row for row in world.chart("limited_replacements") if row.first_winter}
    for account, left in sorted(state.balances.items()):
        if account.pool == LIMITED and account.kind in winters and left > 0:
            limit = winters[account.kind]
            says = "the first winter is over, and no unit needs it"
            yield _passed(account.nation, limit, left, LIMITED, LAPSED, "52.D.2.f.ix/2", says)


# ------------------------------------------------------------------------------------------------ changing sides


def goes_by_the_new_list(q: Any) -> Iterator[Event]:
    """A nation that changes sides keeps what its new side's list lets it have, and no month is given it twice."""
    if not changes_sides(q):
        return
    world, state = q.world, q.state
    nation = q.on.removeprefix(subject_key("nation", ""))
    old, new = world.side_now(state, nation), q.value or world.side_of(nation)
    for limit in limits_on(world, nation, new):
        over = state.balance(LIMITED, nation, limit.category) - most_on_hand(world, limit)
        if over > 0:
            says = f"the {new} list has no room for it"
            yield _passed(nation, limit, over, LIMITED, LAPSED, f"52.A.10/3 {limit.clause}", says)
    if not world.calendar.is_first_of_month(state.clock.turn):
        return
    if has_had_its_month(world, state, old) or world.facts(state).of_nation(nation, HAD_ITS_MONTH):
        yield Marked(on=q.on, mark=HAD_ITS_MONTH, value=True, says="it has had its limited REs of this turn")
    elif has_had_its_month(world, state, new):
        after = state.copy()
        evolve(after, (Marked(on=q.on, mark=SIDES_WITH, value=q.value),))
        if keeper_of(world, after, nation) == nation and has_begun(world, after, nation):
            has_a_use = uses(world, after)
            for limit in limits_of(world, after, nation):
                if has_a_use(nation, limit):
                    yield from _received(world, after, nation, limit)


def has_had_its_month(world: EuropaWorld, state: State, side: str) -> bool:
    """Whether a side's initial phase of this turn has begun, in which allowances come in; neutrals go with the last."""
    players = world.sequence.players
    return state.clock.player >= (players.index(side) if side in players else len(players) - 1)


# ----------------------------------------------------------------------------------------------------- checklist


def what_lapses(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Allowances that will lapse at the end of the month, where there is a unit that could use them."""
    side = world.phasing(state)
    useful = _wanted_categories(world, world.facts(state), side)
    for nation in sorted({nation for nation, _ in useful}):
        for limit in limits_of(world, state, nation):
            over = state.balance(LIMITED, nation, limit.category) - lasting(world, limit)
            if over > 0 and (nation, limit.category) in useful:
                what = f"{show_points(over)} {limit.category} {limit.counts} of {nation}"
                yield Item(LAPSES, f"{what} will lapse on {_next_month(world, state)} unless used", "52.A.10/3", side)


def weather_to_be_told(world: EuropaWorld, state: State) -> Iterator[Item]:
    """From 1942 on the limit on winterized units hangs on zone A's weather, which only the players know."""
    if not world.has_passed("first_winter_year", state) or not in_first_winter(world, state):
        return
    for nation in sorted(nations_with_lists(world, state, world.phasing(state))):
        if not any(limit.first_winter for limit in limits_of(world, state, nation)):
            continue
        said, thaw = world.facts(state).of_campaign(WEATHER), world.turn_name(world.dates["first_winter_thaw"])
        taken = f"is {said}, as declared" if said else f"is taken for snow until {thaw}"
        text = (
            f"the first winter lasts while zone A has snow: its weather {taken}; where yours is otherwise, declare "
            f"{WEATHER} turn by turn"
        )
        yield Item(NEWS, text, "52.D.2.f.ix/2", world.phasing(state))


def _next_month(world: EuropaWorld, state: State) -> str:
    return world.turn_name(world.calendar.next_month(state.clock.turn))


@kept
def _wanted_categories(world: EuropaWorld, facts: EuropaFacts, side: str) -> set[tuple[str, str]]:
    found, state = set(), facts.state
    for spec in _could_be_rebuilt(world, facts):
        if world.side_now(state, spec.nation) == side:
            keeper = keeper_for(world, state, spec)
            found |= {(keeper, each.category) for each in types_now(world, facts, spec) if each.category}
    return found


@kept
def _could_be_rebuilt(world: EuropaWorld, facts: EuropaFacts) -> frozenset[UnitSpec]:
    """What is reduced on the map or lies in an ELIMINATED BOX, each kind once."""
    reduced = [unit for step in STEPS if step != FULL for unit in facts.state.units_at(HEX, step)]
    return frozenset(unit.spec for unit in (*reduced, *facts.state.units_at(ELIMINATED)))


CHAPTER = Chapter(
    heading="52.A.10",
    facts=(
        *FACTS,
        Fact(
            HAD_ITS_MONTH,
            ("nation",),
            "its old side gave its limited REs",
            False,
            YES_NO,
            lasts=GAME_TURN,
            by_hand=False,
        ),
    ),
    declared={SIDES_WITH: (goes_by_the_new_list,)},
    switches=(WHOSE_LIST, UNDECLARED, FIRST, FANATICAL),
    opening=(invaded_before_play, begins_after_the_first_winter, opening),
    happens=(receive,),
    ends=(ends_the_first_winter,),
    agenda=(what_lapses, weather_to_be_told),
    charts={
        "limited_types": tuple[LimitedType, ...],
        "limited_replacements": tuple[Limit, ...],
        "limited_lists": dict[str, SideList],
    },
    pools=(LIMITED,),
    points=CATEGORIES,
)
