"""49.A.1.a and 49.A.1.b.i  The month's deployment die: the base number, the points it brings, and what is left over."""

from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import Any

from msgspec import Struct

from forcepool.engine.agenda import DUE, NEWS, Item
from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.facts import MONTH, NUMBER, YES_NO, Fact, kept, subject_key
from forcepool.engine.given import Nation, Words
from forcepool.engine.ledger import LOST
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_field
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Remedy, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import ACTIVE, INACTIVE, NEUTRAL, SEMI_ACTIVE, SIDES_WITH, EuropaFacts
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.question import EuropaQuestion, first_of_month, in_phase_of
from forcepool.games.europa.reserves import accounts
from forcepool.games.europa.reserves.deployment_modifiers import DATE_BINDS, STRICT, ModifierRow, modifiers
from forcepool.games.europa.reserves.depots import COUNTED, DEPOT, depots_of, owner_of
from forcepool.games.europa.reserves.played import reserves_are_played
from forcepool.games.europa.reserves.success_table import SuccessRow, read_success, success_rows
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import COMPUTED, chance, computed, heard, meets_one_of

BASE_NUMBER, JOINED = "base_number", "joined_this_month"

SUCCESS = switch(
    "success-table",
    "49.A.1.a/5",
    "where the result of the Success Table comes from, which the documents do not contain",
    chart="the letter entered with the roll, else the campaign's chart, else our stand-in",
    no_roll="there is no roll: the result is always F",
    own_chart="the campaign's own chart, without which nobody rolls",
)
CHANGES = switch(
    "deployment-modifiers",
    "49.A.1.a.table1/6",
    "which roll the modifiers by nation and date change",
    success_roll="the Success Table roll",
    deployment_die="the deployment die",
    both="both rolls",
)
LEFT_OVER = switch(
    "left-over-points",
    "49.A.1.b.i/1",
    "what becomes of the points left at the end of a month",
    halved="they are halved exactly, a debt as well",
    rounded_down="they are halved and rounded down",
    debt_whole="they are halved, a debt stays whole",
    debt_cancelled="they are halved, a debt is cancelled",
)


class ResultRow(Struct, frozen=True, forbid_unknown_fields=True):
    """What a result of the Success Table does to the deployment die."""

    modifier: int
    clause: str


class Rolling(EuropaQuestion):
    """A nation that rolls for its month."""

    command: "RollDeployment"

    @lazy
    def nation(self) -> str:
        return self.world.nation_named(self.command.nation)


# -------------------------------------------------------------------------------------------- base number


@chance("49.A.1.a/5")
def success(q: Rolling, modifier: int) -> str:
    """The letter of the Success Table: as entered, or by a die on the chart."""
    ruled = q.switch(SUCCESS.key)
    if ruled == "no-roll":
        return "F"
    if q.command.result and ruled == "chart":
        return q.command.result
    die = q.roll("49.A.1.a/5", DIE, f"Success Table, {q.nation}")
    return read_success(success_rows(q.world), die + modifier)


@meets_one_of(*(f"49.A.1.a.table1/{row}" for row in range(1, 6)))
def of_result(world: EuropaWorld, letter: str) -> int:
    """What a result does to the deployment die."""
    row = world.chart("success_results").get(letter)
    if row is None:
        raise BadCommand(f"{the_field('result')} is one of {', '.join(world.chart('success_results'))}, not '{letter}'")
    heard(row.clause, COMPUTED)
    modifier: int = row.modifier
    return modifier


@computed("49.A.1.a/6", "49.A.1.a/2")
def base_of(die: int, modifier: int) -> int:
    """The base number of the month; below nothing it is nothing."""
    return max(0, die + modifier)


@chance("49.A.1.a/1")
def roll_base(q: Rolling) -> tuple[int, str]:
    """Both rolls, and the base number with its working."""
    die = q.roll("49.A.1.a/1", DIE, f"deployment die, {q.nation}")
    rows, changes = modifiers(q.world, q.state, q.nation), q.switch(CHANGES.key)
    total = sum(row.modifier for row in rows)
    letter = success(q, total if changes != "deployment-die" else 0)
    by_result = of_result(q.world, letter)
    on_die = total if changes != "success-roll" else 0
    base = base_of(die, by_result + on_die)
    extra = f" {on_die:+d} modifiers" if on_die else ""
    return base, f"die {die}, result {letter} {by_result:+d}{extra}: base number {base}"


# -------------------------------------------------------------------------------------- the month's limit

DIE = 6
"""The sides of the deployment die, and of the Success Table's."""
TERMS = {
    SEMI_ACTIVE: ("deployment_semi_active", "49.A.1.a.list1.i/1"),
    ACTIVE: ("deployment_active", "49.A.1.a.list1.ii/1"),
    INACTIVE: ("deployment_inactive", "49.A.1.a.list1.iii/1"),
}


def activity_of(world: EuropaWorld, facts: EuropaFacts, area: str) -> str:
    """How active an MD is: as declared of it, or of what it lies within."""
    for each in world.line_of(area):
        said = facts.declared(subject_key("area", each), "activity")
        if said is not None:
            return str(said)
    return facts.activity(area)


@meets_one_of(*(clause for _, clause in TERMS.values()))
@computed("49.A.1.a/7")
def limits(world: EuropaWorld, state: State, nation: str, base: int) -> dict[str, tuple[Fraction, str]]:
    """What the depots bring at a base number, by the track it goes to, with the working."""
    facts = world.facts(state)
    counted: dict[str, dict[str, int]] = {}
    at_home = world.ruling(state, COUNTED.key) == "at-home"
    for hex_name in depots_of(world, facts, nation):
        area = world.spot(hex_name).area
        if at_home and world.country_of(area) != nation:
            continue
        levels = counted.setdefault(accounts.track_of(world, state, nation, area), {})
        level = activity_of(world, facts, area)
        levels[level] = levels.get(level, 0) + 1
    found = {}
    for track, levels in counted.items():
        total, words = Fraction(0), []
        for level in (level for level in TERMS if level in levels):
            number, clause = TERMS[level]
            heard(clause, COMPUTED)
            term = base * world.numbers[number] * levels[level]
            total += term
            words.append(f"{levels[level]} {level} × {show_points(world.numbers[number])}")
        found[track] = (total, f"{base} × ({' + '.join(words)}) = {show_points(total)}")
    return found


@kept
def best_base(world: EuropaWorld, facts: EuropaFacts, nation: str) -> int:
    """The base number of the best of rolls."""
    by_result = max(row.modifier for row in world.chart("success_results").values())
    lasting = sum(row.modifier for row in modifiers(world, facts.state, nation))
    on_die = 0 if world.ruling(facts.state, CHANGES.key) == "success-roll" else lasting
    return base_of(DIE, by_result + on_die)


@kept
def most_in_a_month(world: EuropaWorld, facts: EuropaFacts, nation: str) -> dict[str, Fraction]:
    """What the best of rolls would bring, by track."""
    found = limits(world, facts.state, nation, best_base(world, facts, nation))
    return {track: points for track, (points, _) in found.items()}


# ---------------------------------------------------------------------------------------------- commands


@rule("49.A.1.a/1")
def rolls_once_at_the_start_of_a_month(q: Rolling) -> Verdict:
    """Each country rolls once a month, on turn 1 before its reinforcement phase is over, or when it joins the war."""
    clock, side, players = q.state.clock, q.world.side_now(q.state, q.nation), q.world.sequence.players
    following = q.world.turn_name(first_of_month(q.world, clock.turn, 1))
    if rolled(q.facts, q.nation):
        return no(f"{q.nation} has rolled this month", remedy=in_the_following_month(q, f"wait for {following}"))
    if side not in players or q.facts.of_nation(q.nation, NEUTRAL) is True:
        return no(f"{q.nation} is neutral", remedy="roll from the month it becomes active", also=("49/1",))
    if not q.world.calendar.is_first_of_month(clock.turn) and q.facts.of_nation(q.nation, JOINED) is not True:
        remedy = in_the_following_month(q, f"roll on turn 1 of the next month, {following}")
        return no(f"this is {q.world.turn_name(clock.turn)}", remedy=remedy)
    player = players.index(side)
    last = (player, q.world.sequence.phase_index(REINFORCEMENT, player, clock.order))
    if (clock.player, clock.phase) <= last:
        return YES
    return no(
        f"it is {q.world.when(q.state)}, and {q.nation} rolls before its reinforcement phase is over",
        remedy=in_the_following_month(q, f"roll on turn 1 of the next month, {following}"),
    )


def in_the_following_month(q: Rolling, words: str) -> Remedy:
    """To roll in the nation's reinforcement phase of turn 1 of the next month, if it is at war by then."""
    if q.facts.of_nation(q.nation, NEUTRAL) is True:
        return Remedy(words)
    return in_phase_of(q, first_of_month(q.world, q.state.clock.turn, 1), REINFORCEMENT, words)


@rule("49.A.1.a/5")
def has_a_success_table(q: Rolling) -> Verdict:
    """Where the group wants its own chart, nobody rolls without it."""
    if q.switch(SUCCESS.key) != "own-chart" or any(not row.stand_in for row in q.world.chart("success_table")):
        return YES
    return no("the campaign has no Success Table of its own", remedy="enter the chart success_table in the scenario")


class RollDeployment(Command, tag="roll-deployment", frozen=True):
    """Roll a country's deployment die for the month, and put its operational reserve points on the track."""

    nation: Nation
    result: Words = ""
    """The letter of your own Success Table: D, F*, F, S or S*; left out, a die is rolled on the chart."""

    question = Rolling
    requires = (reserves_are_played, rolls_once_at_the_start_of_a_month, has_a_success_table)

    def side(self, q: Rolling) -> str:
        side = q.world.side_now(q.state, q.nation)
        return side if side in q.world.sequence.players else ""

    def effects(self, q: Rolling) -> Iterator[Event]:
        base, says = roll_base(q)
        on = subject_key("nation", q.nation)
        yield Marked(on=on, mark=BASE_NUMBER, value=base, because="49.A.1.a/6 49.A.1.a/12", says=says)
        for track, (points, working) in limits(q.world, q.state, q.nation, base).items():
            yield from accounts.added(points, q.nation, track, "49.A.1.a/7 49.A.1.a/9", working)

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        """With a roll on the chart, or with each letter of the group's own table."""
        facts = world.facts(state)
        present = {unit.spec.nation for unit in state.units.values()} | countries_with_depots(world, facts)
        for nation in sorted(each for each in present if world.side_now(state, each) == side):
            if world.plays_reserves and not rolled(facts, nation):
                for result in ("", *sorted(world.chart("success_results"))):
                    yield cls(nation=nation, result=result)


def countries_with_depots(world: EuropaWorld, facts: EuropaFacts) -> set[str]:
    return {owner_of(world, facts, each) for each in facts.places_where(DEPOT, True)} & set(world.sides)


def joins_the_war(q: Any) -> Iterator[Event]:
    """A country that is neutral no longer rolls in the month it becomes active."""
    nation, players = q.on.removeprefix(subject_key("nation", "")), q.world.sequence.players
    takes_a_side = q.value in players and q.world.side_now(q.state, nation) not in players
    if takes_a_side or (q.value is False and q.world.facts(q.state).value(q.on, NEUTRAL) is True):
        yield Marked(on=q.on, mark=JOINED, value=True, because="49/1")


def rolled(facts: EuropaFacts, nation: str) -> bool:
    return facts.declared(subject_key("nation", nation), BASE_NUMBER) is not None


def base_number(facts: EuropaFacts, nation: str) -> int:
    """The modified base number of the month, nothing before it is rolled."""
    value = facts.of_nation(nation, BASE_NUMBER)
    return value if isinstance(value, int) else 0


# ------------------------------------------------------------------------------------ what is left over


@computed("49.A.1.b.i/1", "49.A.1.b.i/2")
def carried(amount: Fraction, share: Fraction, ruling: str) -> Fraction:
    """What of the points left goes into the new month."""
    if amount < 0 and ruling == "debt-whole":
        return amount
    if amount < 0 and ruling == "debt-cancelled":
        return Fraction(0)
    return Fraction(floor(amount * share)) if ruling == "rounded-down" else amount * share


def carried_over(world: EuropaWorld, state: State, amount: Fraction) -> Fraction:
    """What of an amount the new month begins with, as the campaign plays it."""
    return carried(amount, world.numbers["left_over_share"], world.ruling(state, LEFT_OVER.key))


def month_begins(world: EuropaWorld, state: State) -> Iterator[Event]:
    """Before the new die is rolled, what is left of the old month's points is cut to half."""
    clock = state.clock
    if clock.player or clock.phase or not world.calendar.is_first_of_month(clock.turn):
        return
    for account, balance in sorted(state.balances.items()):
        if account.kind != accounts.OR or account.pool not in (accounts.TRACK, accounts.MEDITERRANEAN_TRACK):
            continue
        change = carried_over(world, state, balance) - balance
        if change:
            frm, to = (account.pool, LOST) if change < 0 else (LOST, account.pool)
            says = f"{show_points(balance)} left: {show_points(balance + change)} carried over"
            yield Transferred(
                amount=abs(change), kind=accounts.OR, nation=account.nation, frm=frm, to=to,
                because="49.A.1.b.i/1 49.A.1.b.i/2", says=says,
            )  # fmt: skip


# ------------------------------------------------------------------------------------------------ agenda


def to_roll(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Who has yet to roll this month, and how every track stands."""
    facts = world.facts(state)
    for nation in sorted(countries_with_depots(world, facts)) if world.plays_reserves else ():
        command = RollDeployment(nation=nation)
        q = Rolling(world, state, command)
        side = command.side(q)
        if rolls_once_at_the_start_of_a_month(q) == YES:
            ready = command if has_a_success_table(q) == YES else None
            yield Item(DUE, f"{nation} rolls its deployment die", "49.A.1.a/1", side, ready)
        elif rolled(facts, nation):
            held = accounts.in_words(world, state, nation, accounts.TRACK)
            text = f"{nation} has {held}; base number {base_number(facts, nation)}"
            yield Item(NEWS, text, "49.A.1.a/11", side)


CHAPTER = Chapter(
    heading="49.A.1.a",
    commands=(RollDeployment,),
    facts=(
        Fact(BASE_NUMBER, ("nation",), "its modified base number of the month", None, NUMBER, lasts=MONTH),
        Fact(NEUTRAL, ("nation",), "it is neutral", False, YES_NO, said={"no": "not neutral"}),
        Fact(JOINED, ("nation",), "it became active this month", False, YES_NO, lasts=MONTH, by_hand=False),
    ),
    declared={NEUTRAL: (joins_the_war,), SIDES_WITH: (joins_the_war,)},
    switches=(SUCCESS, CHANGES, DATE_BINDS, STRICT, LEFT_OVER),
    charts={
        "success_table": tuple[SuccessRow, ...],
        "success_results": dict[str, ResultRow],
        "deployment_modifiers": tuple[ModifierRow, ...],
    },
    happens=(month_begins,),
    due=(to_roll,),
)
