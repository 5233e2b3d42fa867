"""49.B.2  Britain's Mediterranean strategic reserve: on the map, with a minimum, and filled on credit."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from forcepool.engine.agenda import DUE, NEWS, OPEN, Item
from forcepool.engine.desk import Declare
from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.facts import GAME_TURN, NUMBER, UNTIL_CHANGED, YES_NO, Fact
from forcepool.engine.points import show_counted
from forcepool.engine.sentence import the_place, the_pool
from forcepool.engine.state import State, Unit, evolve
from forcepool.engine.switches import switch
from forcepool.engine.tally import Tally
from forcepool.engine.units import FULL
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.reserves import accounts
from forcepool.games.europa.reserves.accounts import ITALY_AT_WAR, MEDITERRANEAN, MEDITERRANEAN_ACCOUNT, VICTORY, VP
from forcepool.games.europa.reserves.changes import is_forming
from forcepool.games.europa.reserves.deployment import base_number, limits
from forcepool.games.europa.reserves.depots import BRITAIN, last_moment_of_a_turn
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

MSR, KEPT_HERE, MIDDLE_EAST = "mediterranean_reserve", "delta_or_palestine", "middle_east"
BORDER_CROSSED, ITALIANS_ENTERED = "egypt_crossed", "italians_entered"
OVERDRAWN, CAPABLE = "reserve_overdrawn", "garrison_capable"
SHIPPED_TO, SHIPPED_HQS, COUNTED_IN = "shipped_to", "shipped_hqs", "shipped_counted"
CAMPAIGN = "campaign"
SHIPPED_RES = Tally("shipped_res", CAMPAIGN, "REs shipped to Greece", UNTIL_CHANGED, by_hand=True)
GRAND_EUROPA, INVADED = "grand_europa", "invaded_by_axis"
HQS = switch(
    "divisional-hqs",
    "49.B.2/7",
    "what counts as a divisional HQ of the Mediterranean reserve",
    counters="an HQ counter of a division",
    in_divisions="an HQ counter of a division, or a whole division, which has its HQ in it",
)
DUTY = switch(
    "mediterranean-duty",
    "49.B.2/7",
    "how long the minimum of the Mediterranean reserve is kept once Italian ground units have entered",
    lasting="for the rest of the game",
    while_there="while Italian ground units stand in the Middle East",
)
GREECE, ITALY, DIVISION = "Greece", "Italy", "XX"


# ------------------------------------------------------------------------------------------ entering it


@rule("49.B.2/1")
def reserve_exists(q: Any) -> Verdict:
    """There is a Mediterranean reserve from the turn Italy declares war on the Allies, and it is Britain's."""
    if not q.command.mediterranean:
        return YES
    if q.side != q.world.side_now(q.state, BRITAIN):
        return no(f"{q.unit} is {q.side}, the Mediterranean reserve is Britain's", remedy="choose a unit on its side")
    if q.facts.of_campaign(ITALY_AT_WAR) is True:
        return YES
    return no("Italy has not declared war on the Allies", remedy=f"declare {ITALY_AT_WAR} once it has")


@rule("49.B.2/6", "49.B.2/3")
def stands_where_the_reserve_is_kept(q: Any) -> Verdict:
    """It is kept in the Delta or Palestine; units forming in the Middle East join, and on the crossing all there."""
    if not q.command.mediterranean or (not q.forming and q.facts.place_is(q.unit.place.of, KEPT_HERE)):
        return YES
    if (q.forming or overdraft(q.facts)) and in_the_middle_east(q.world, q.facts, q.area):
        return YES
    if q.forming:
        return no(f"{q.unit} forms in {the_pool(q.area)}, not in the Middle East")
    return no(f"{the_place(q.unit.place.of)} is not in the Delta or Palestine", remedy="move it there first")


def in_the_middle_east(world: EuropaWorld, facts: EuropaFacts, area: str) -> bool:
    """Whether an area lies in the Middle East, or holds a place of the Delta or of Palestine."""
    if any(facts.of_area(each, MIDDLE_EAST) is True for each in world.line_of(area)):
        return True
    kept = (name for name, spot in world.spots.items() if spot.area and area in world.line_of(spot.area))
    return any(facts.place_is(name, KEPT_HERE) for name in kept)


def could_join(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """Whether there is a Mediterranean reserve for a unit of its side, where it stands or forms."""
    facts = world.facts(state)
    if facts.of_campaign(ITALY_AT_WAR) is not True or world.has_role(unit.spec, "air"):
        return False
    if world.side_now(state, unit.spec.nation) != world.side_now(state, BRITAIN):
        return False
    if unit.place.on_map and facts.place_is(unit.place.of, KEPT_HERE):
        return True
    lies = world.line_of(world.spot(unit.place.of).area if unit.place.on_map else unit.place.of)
    if is_forming(unit):
        return in_the_middle_east(world, facts, unit.place.of)
    here = any(facts.of_area(each, MIDDLE_EAST) is True or facts.of_area(each, MEDITERRANEAN) is True for each in lies)
    return here and bool(overdraft(facts))


@computed("49.B.2/1", "49.B.2/4")
def opens_its_account(q: Any) -> Iterator[Event]:
    """With Italy's declaration of war the month's points of the Mediterranean MDs, as far as they are left, part."""
    world, state = q.world, q.state
    facts = world.facts(state)
    was_so = facts.of_campaign(ITALY_AT_WAR) is True or accounts.left(state, accounts.MEDITERRANEAN_TRACK, BRITAIN)
    one = world.ruling(state, MEDITERRANEAN_ACCOUNT.key) == "one-account"
    if was_so or one or q.value is not True or not world.plays_reserves:
        return
    after = state.copy()
    evolve(after, (Marked(on=q.on, mark=ITALY_AT_WAR, value=True),))
    brought = limits(world, after, BRITAIN, base_number(facts, BRITAIN)).get(accounts.MEDITERRANEAN_TRACK)
    if brought is None or (amount := min(brought[0], accounts.left(state, accounts.TRACK, BRITAIN))) <= 0:
        return
    yield Transferred(
        amount=amount,
        kind=accounts.OR,
        nation=BRITAIN,
        frm=accounts.TRACK,
        to=accounts.MEDITERRANEAN_TRACK,
        because="49.B.2/1 49.B.2/4",
        says=f"this month's points of the Mediterranean MDs: {brought[1]}",
    )


def overdraft(facts: EuropaFacts) -> str:
    """The clause that lets the points go below nothing, on the turn the Italians cross into Egypt."""
    return "49.B.2/3" if facts.of_campaign(BORDER_CROSSED) is True else ""


def overdrawn(balance: Fraction) -> Iterator[Event]:
    """Noted when the points go below nothing."""
    if balance < 0:
        yield Marked(on=CAMPAIGN, mark=OVERDRAWN, value=True, because="49.B.2/4")


def noted_or_paid_back(world: EuropaWorld, state: State) -> Iterator[Event]:
    """However the points came to be below nothing it is noted, and the note goes when there are points again."""
    balance, noted = _balance(world, state), state.mark(CAMPAIGN, OVERDRAWN) is not None
    if balance > 0 and noted:
        yield Marked(on=CAMPAIGN, mark=OVERDRAWN, because="49.B.2/4")
    elif not noted:
        yield from overdrawn(balance)


def _balance(world: EuropaWorld, state: State) -> Fraction:
    one = world.ruling(state, MEDITERRANEAN_ACCOUNT.key) == "one-account"
    return accounts.left(state, accounts.TRACK if one else accounts.MEDITERRANEAN_TRACK, BRITAIN)


@computed("49.B.2/4")
def stopped(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """Once its points were overdrawn, the Mediterranean reserve generates nothing until they are above nothing."""
    if state.mark(CAMPAIGN, OVERDRAWN) is None:
        return False
    ruled, facts, balance = (
        world.ruling(state, MEDITERRANEAN_ACCOUNT.key),
        world.facts(state),
        _balance(world, state),
    )
    concerned = facts.is_so(unit, MSR) or (ruled == "all-stop" and unit.spec.nation == BRITAIN)
    return concerned and (balance < 0 if ruled == "nothing-is-enough" else balance <= 0)


# ------------------------------------------------------------------------------------------- the minimum


@computed("49.B.2/7", "49.B.2/10")
def minimum(world: EuropaWorld, state: State) -> tuple[Fraction, int]:
    """The REs and divisional HQs the reserve must hold, less what was shipped to Greece."""
    facts = world.facts(state)
    over = world.ruling(state, DUTY.key) == "while-there" and not italians_there(world, state)
    if facts.of_campaign(ITALIANS_ENTERED) is not True or over or not world.plays_reserves:
        return Fraction(0), 0
    res = SHIPPED_RES.left(facts, CAMPAIGN, world.numbers["mediterranean_res"])
    hqs = int(world.numbers["mediterranean_hqs"]) - int(str(facts.of_campaign(SHIPPED_HQS) or 0))
    return max(Fraction(0), res), max(0, hqs)


@computed("49.B.2/2", "49.B.2/8", "49.B.2/12")
def present(world: EuropaWorld, state: State) -> tuple[Fraction, int]:
    """The REs of British and Commonwealth units in the reserve that can serve in a garrison, and its HQs."""
    facts, res, hqs = world.facts(state), Fraction(0), 0
    for on in sorted(state.marked.get(MSR, ())):
        unit = state.units.get(on.removeprefix("unit/"))
        if unit is None or not facts.is_so(unit, MSR) or unit.spec.nation not in world.chart("commonwealth"):
            continue
        if world.has_role(unit.spec, "hq"):
            hqs += unit.spec.size == DIVISION
            continue
        if facts.is_so(unit, CAPABLE):
            res += world.res(unit.spec, unit.step)
        hqs += brings_its_hq(world, state, unit)
    return res, hqs


@computed("49.B.2/7")
def brings_its_hq(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """By the house rule a whole division has its headquarters in it."""
    return world.ruling(state, HQS.key) == "in-divisions" and unit.spec.size == DIVISION and unit.step == FULL


def has_hq_counters(world: EuropaWorld, state: State) -> bool:
    """Whether the campaign has a divisional HQ counter that could serve in the reserve, wherever it is."""
    return any(
        unit.spec.size == DIVISION and world.has_role(unit.spec, "hq")
        for unit in state.units.values()
        if unit.spec.nation in world.chart("commonwealth")
    )


def missing(world: EuropaWorld, state: State) -> tuple[Fraction, int]:
    """What the reserve lacks of its minimum."""
    (need, need_hqs), (have, have_hqs) = minimum(world, state), present(world, state)
    return max(Fraction(0), need - have), max(0, need_hqs - have_hqs)


@computed("49.B.2/9")
def vps_lost(world: EuropaWorld, short: Fraction) -> Fraction:
    """A victory point a month for each RE missing, parts of an RE in proportion."""
    return short * world.numbers["vp_for_a_missing_re"]


def month_ends(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As turn 4 ends, the missing REs cost victory points."""
    if not world.calendar.is_last_of_month(state.clock.turn) or not last_moment_of_a_turn(world, state):
        return
    short, _ = missing(world, state)
    lost = vps_lost(world, short)
    if lost:
        yield Transferred(
            amount=lost,
            kind=VP,
            nation=BRITAIN,
            frm=VICTORY,
            to="sink/victory",
            because="49.B.2/9",
            says=f"{show_counted(short, 'RE')} short in the Mediterranean reserve",
        )


# --------------------------------------------------------------------------------------- what is declared


def crossed(q: Any) -> Iterator[Event]:
    """Italians who cross into Egypt have entered it."""
    if q.value:
        yield Marked(on=CAMPAIGN, mark=ITALIANS_ENTERED, value=True, because="49.B.2/7")


@computed("49.B.2/11")
def counts_as_greece(world: EuropaWorld, facts: EuropaFacts, country: str) -> bool:
    """Greece, and in Grand Europa any other minor country the Axis has invaded."""
    if country.casefold() == GREECE.casefold():
        return True
    known = next((name for name in world.sides if name.casefold() == country.casefold()), "")
    return (
        bool(known)
        and facts.of_campaign(GRAND_EUROPA) is True
        and not world.profile.nations[known].major
        and facts.of_nation(known, INVADED) is True
    )


def shipped(q: Any) -> Iterator[Event]:
    """What is shipped to Greece takes from the minimum for good; saying it again of a unit there counts nothing."""
    facts: EuropaFacts = q.world.facts(q.state)
    counted = facts.of_unit(q.unit, COUNTED_IN).casefold()
    if counted and str(q.value or "").casefold() != counted:
        yield Marked(on=q.on, mark=COUNTED_IN, because="49.B.2/10", says="it has left again")
    if not q.value or str(q.value).casefold() == counted or not counts_as_greece(q.world, facts, str(q.value)):
        return
    yield Marked(on=q.on, mark=COUNTED_IN, value=str(q.value), because="49.B.2/10")
    if q.world.has_role(q.unit.spec, "hq"):
        hqs = int(str(facts.of_campaign(SHIPPED_HQS) or 0)) + 1
        yield Marked(on=CAMPAIGN, mark=SHIPPED_HQS, value=hqs, because="49.B.2/10")
        return
    yield SHIPPED_RES.counts(facts, CAMPAIGN, q.world.res(q.unit.spec, q.unit.step), "49.B.2/10")


def _short(world: EuropaWorld, state: State, side: str, res: Fraction, hqs: int) -> Iterator[Item]:
    """What the reserve lacks; HQs that no counter could stand for are called for by nobody."""
    could_help = has_hq_counters(world, state) or world.ruling(state, HQS.key) == "in-divisions"
    if res or (hqs and could_help):
        lacks = [*([show_counted(res, "RE")] if res else []), *([f"{hqs} divisional HQs"] if hqs else [])]
        yield Item(DUE, f"the Mediterranean reserve is {' and '.join(lacks)} short", "49.B.2/7", side)
    if hqs and not could_help:
        text = (
            f"the Mediterranean reserve should have {hqs} divisional HQs more, of which the campaign has no counters; "
            f"by the house rule {HQS.key}=in-divisions each whole division counts as one"
        )
        yield Item(NEWS, text, "49.B.2/7", side)


def italians_there(world: EuropaWorld, state: State) -> str:
    """The first place of the Middle East in which an Italian ground unit stands; empty where there is none."""
    facts = world.facts(state)
    for unit in state.units_in_order():
        if unit.spec.nation == ITALY and unit.place.on_map and not world.has_role(unit.spec, "air"):
            lies = world.line_of(world.spot(unit.place.of).area)
            if any(facts.of_area(each, MIDDLE_EAST) is True for each in lies):
                return unit.place.of
    return ""


def entered(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Italian ground units stand in the Middle East and nobody has said so: asked, with the answer ready."""
    facts = world.facts(state)
    known = facts.of_campaign(ITALIANS_ENTERED) is True or not world.plays_reserves
    if facts.of_campaign(ITALY_AT_WAR) is not True or known:
        return
    if at := italians_there(world, state):
        text = (
            f"Italian units stand at {the_place(at)}: if it is British territory declare {ITALIANS_ENTERED}, and "
            f"if they crossed the border of Egypt on this turn {BORDER_CROSSED}, which says both"
        )
        order = Declare(fact=ITALIANS_ENTERED, value=True)
        yield Item(OPEN, text, "49.B.2/7", world.side_now(state, BRITAIN), order)


def to_mend(world: EuropaWorld, state: State) -> Iterator[Item]:
    """What the reserve lacks, and which of its units stand elsewhere."""
    facts = world.facts(state)
    side = world.side_now(state, BRITAIN)
    if facts.of_campaign(ITALIANS_ENTERED) is True:
        res, hqs = missing(world, state)
        yield from _short(world, state, side, res, hqs)
    for on in sorted(state.marked.get(MSR, ())):
        unit = state.units.get(on.removeprefix("unit/"))
        if unit is None or is_forming(unit) or facts.place_is(unit.place.of, KEPT_HERE):
            continue
        yield Item(DUE, f"{unit} belongs in the Delta or Palestine", "49.B.2/6", side)


FOLLOWS = {BORDER_CROSSED: (crossed,), SHIPPED_TO: (shipped,)}

CHAPTER = Chapter(
    heading="49.B.2",
    facts=(
        Fact(MSR, ("unit",), "it is in the Mediterranean strategic reserve", False, YES_NO),
        Fact(
            KEPT_HERE,
            ("place",),
            "it lies in the Delta or in Palestine",
            False,
            YES_NO,
            said={"yes": "in the Delta or Palestine"},
        ),
        Fact(MIDDLE_EAST, ("area",), "it lies in the Middle East", False, YES_NO),
        Fact(BORDER_CROSSED, (CAMPAIGN,), "Italians cross into Egypt this turn", False, YES_NO, lasts=GAME_TURN),
        Fact(ITALIANS_ENTERED, (CAMPAIGN,), "Italian ground units have entered British territory there", False, YES_NO),
        Fact(OVERDRAWN, (CAMPAIGN,), "the Mediterranean points were overdrawn", False, YES_NO, by_hand=False),
        Fact(CAPABLE, ("unit",), "it can serve in a garrison", True, YES_NO),
        Fact(SHIPPED_TO, ("unit",), "the country it is shipped to", ""),
        Fact(COUNTED_IN, ("unit",), "the country its transport was counted for", "", by_hand=False),
        SHIPPED_RES.fact,
        Fact(SHIPPED_HQS, (CAMPAIGN,), "divisional HQs shipped to Greece", 0, NUMBER),
        Fact(GRAND_EUROPA, (CAMPAIGN,), "Grand Europa is being played", False, YES_NO),
        Fact(INVADED, ("nation",), "the Axis has invaded it", False, YES_NO),
    ),
    declared={**FOLLOWS, ITALY_AT_WAR: (opens_its_account,)},
    stands=FOLLOWS,
    switches=(HQS, DUTY),
    charts={"commonwealth": tuple[str, ...]},
    happens=(noted_or_paid_back,),
    ends=(month_ends,),
    agenda=(entered,),
    due=(to_mend,),
)
