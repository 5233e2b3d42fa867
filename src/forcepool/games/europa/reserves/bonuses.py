"""49.A.1.b  Bonuses to the deployment limit: surprise, borders crossed, and captured rail capacity."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import GAME_TURN, WORDS, YES_NO, Fact, kept, subject_key
from forcepool.engine.given import Name, Nation, Points, Words
from forcepool.engine.points import parse_points, show_points
from forcepool.engine.sentence import the_field, the_pool, the_pools
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, No, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import ACTIVE, SEMI_ACTIVE, EuropaFacts
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.reserves import accounts
from forcepool.games.europa.reserves.depots import power_over
from forcepool.games.europa.reserves.played import reserves_are_played
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import chance, computed

HIT, HIT_BONUS = "hit_by_surprise", "surprise_bonus"
BORDERS, CROSSINGS = "border_bonuses", "crossing_bonuses"
CAPTURED, CAPTURE_BONUSES = "fully_captured", "capture_bonuses"
FRIENDLY_HQ = "friendly_hq"
CROSSED_BEFORE = "borders_crossed"
SRPS, INVASION = "surprise_srps", "surprise_invasion"
CAMPAIGN = "campaign"


def words_of(world: EuropaWorld, state: State, name: str) -> list[str]:
    """What the campaign has noted under a name."""
    said = world.facts(state).of_campaign(name)
    return list(said) if isinstance(said, list) else []


class Bonus(EuropaQuestion):
    """A nation that is to receive bonus points."""

    @lazy
    def nation(self) -> str:
        return self.world.nation_named(self.command.nation)

    def listed(self, name: str) -> list[str]:
        return words_of(self.world, self.state, name)

    def has(self, name: str, word: str) -> bool:
        return word.casefold() in (each.casefold() for each in self.listed(name))

    def noted(self, name: str, word: str, because: str) -> Event:
        return Marked(on=CAMPAIGN, mark=name, value=[*self.listed(name), word], because=because)

    def amount(self, text: str) -> Fraction:
        amount = parse_points(text)
        if amount < 0:
            raise BadCommand(f"'{text}' is below nothing; give the number of points or REs")
        return amount


class ForANation(Command, frozen=True):
    """A bonus is its nation's side's to take."""

    question = Bonus

    def side(self, q: Bonus) -> str:
        side = q.world.side_now(q.state, q.nation)
        return side if side in q.world.sequence.players else ""


def received(q: Bonus, amount: Fraction, because: str, says: str) -> Iterator[Event]:
    """The bonus goes on the nation's track; the base number stays."""
    yield from accounts.added(amount, q.nation, accounts.TRACK, f"49.A.1.b/1 {because}", says)


# --------------------------------------------------------------------------------------------- surprise


@rule("49.A.1.b.ii/1")
def units_are_hit_by_surprise(q: Bonus) -> Verdict:
    """A country gets it once, on a surprise turn of either side that affects its units."""
    if q.facts.of_nation(q.nation, HIT) is not True:
        return no(f"no surprise affects units of {q.nation}", remedy=f"declare {HIT} of {q.nation} if one does")
    if q.facts.of_nation(q.nation, HIT_BONUS) is True:
        return no(f"{q.nation} has its bonus for this surprise turn", remedy="wait for another surprise turn")
    return YES


@chance("49.A.1.b.ii/2")
def surprise_bonus(q: Bonus, srps: Fraction, invasion: bool) -> tuple[Fraction, str]:
    """The SRPs the surprise takes, times a die."""
    die = q.roll("49.A.1.b.ii/2", 6, f"surprise bonus, {q.nation}")
    amount = srps * die
    says = f"{show_points(srps)} SRPs × die {die}"
    if invasion:
        amount, says = doubled(q.world, amount), f"{says}, doubled for the invasion"
    return amount, f"{says} = {show_points(amount)}"


@computed("49.A.1.b.ii/3")
def doubled(world: EuropaWorld, amount: Fraction) -> Fraction:
    """An invasion surprise doubles the bonus."""
    return amount * world.numbers["invasion_surprise"]


class RollSurpriseBonus(ForANation, tag="roll-surprise-bonus", frozen=True):
    """Roll the bonus of a country whose units a surprise turn affects."""

    nation: Nation
    srps: Points
    """The SRPs the surprise turn requires."""
    invasion: bool = False

    requires = (reserves_are_played, units_are_hit_by_surprise)
    of_choice = ("srps",)

    def effects(self, q: Bonus) -> Iterator[Event]:
        amount, says = surprise_bonus(q, q.amount(self.srps), self.invasion)
        on = subject_key("nation", q.nation)
        yield Marked(on=on, mark=HIT_BONUS, value=True, because="49.A.1.b.ii/1")
        yield from received(q, amount, "49.A.1.b.ii/2 49.A.1.b.ii/4", says)

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        facts = world.facts(state)
        srps = facts.of_campaign(SRPS)
        for nation in sorted(on.partition("/")[2] for on in state.marked.get(HIT, ())):
            if world.side_now(state, nation) == side and facts.of_nation(nation, HIT) is True:
                for invasion in (False, True):
                    yield cls(nation=nation, srps=str(srps or 1), invasion=invasion)


# ---------------------------------------------------------------------------------------------- borders


@rule("49.A.1.b.iii/1")
def crossed_for_the_first_time(q: Bonus) -> Verdict:
    """Every major power involved rolls once, when a border is first crossed."""
    if q.command.mds < 1:
        raise BadCommand(f"say how many MDs enemy ground units have entered with {the_field('mds')}, 1 or more")
    if not q.world.profile.nations[q.nation].major:
        return no(f"{q.nation} is no major power", remedy="only major powers roll for a crossed border")
    if q.facts.is_neutral(q.nation):
        return no(f"{q.nation} is neutral", remedy="only powers at war across the border roll")
    if q.has(CROSSED_BEFORE, q.command.border):
        return no(f"the border of {q.command.border} was first crossed on an earlier turn", remedy="")
    if not q.has(BORDERS, f"{q.nation}: {q.command.border}"):
        return YES
    return no(f"{q.nation} has rolled for the border {q.command.border}", remedy="each border counts once")


class RollBorderBonus(ForANation, tag="roll-border-bonus", frozen=True):
    """Roll the bonus of a major power on the turn an affected border is first crossed."""

    nation: Nation
    border: Name
    """The country whose border it is, or another name for it, the same for all who roll."""
    mds: int
    """How many MDs enemy ground units have entered by the end of the turn, as a number; where no MD is, fronts."""

    requires = (reserves_are_played, crossed_for_the_first_time)

    def effects(self, q: Bonus) -> Iterator[Event]:
        amount, says = border_bonus(q, self.mds)
        yield q.noted(BORDERS, f"{q.nation}: {self.border}", "49.A.1.b.iii/1")
        yield from received(q, amount, "49.A.1.b.iii/1", says)


@chance("49.A.1.b.iii/1")
def border_bonus(q: Bonus, mds: int) -> tuple[Fraction, str]:
    """A new die, twice for each invaded MD."""
    die = q.roll("49.A.1.b.iii/1", 6, f"border bonus, {q.nation}")
    amount = die * q.world.numbers["invaded_md"] * mds
    return amount, f"die {die} × {show_points(q.world.numbers['invaded_md'])} × {mds} MDs = {show_points(amount)}"


@rule("49.A.1.b.iv/1")
def crossing_counts_once(q: Bonus) -> Verdict:
    """Crossing REs are added when the border is first crossed."""
    if q.has(CROSSED_BEFORE, q.command.border):
        return no(f"the border of {q.command.border} was first crossed on an earlier turn", remedy="")
    if not q.has(CROSSINGS, f"{q.nation}: {q.command.border}"):
        return YES
    return no(f"the crossing of {q.command.border} has been counted", remedy="each border counts once")


@rule("49.A.1.b.iv/1")
def border_is_its_own(q: Bonus) -> Verdict:
    """The REs are added to the points of the country whose border, or whose possession's, they crossed."""
    for _, md in _crossed(q):
        owner = power_over(q.world, q.facts, md)
        if owner not in ("", q.nation):
            return no(f"{the_pool(md)} is {owner}'s, not {q.nation}'s", remedy=f"add the REs to the points of {owner}")
    return YES


@rule("49.A.1.b.iv/2")
def md_has_a_friendly_hq(q: Bonus) -> Verdict:
    """Crossing REs count only for an MD with a friendly HQ in it."""
    crossings = _crossed(q)
    side = q.world.side_now(q.state, q.nation)
    if any(has_hq(q.world, q.state, md, side) for _, md in crossings):
        return YES
    return no(
        f"no {side} HQ is in {the_pools(md for _, md in crossings)}",
        remedy=f"declare {FRIENDLY_HQ} of the MD if there is one",
    )


def _crossed(q: Bonus) -> list[tuple[Fraction, str]]:
    found = []
    for piece in q.command.crossed.split(","):
        res, _, md = piece.strip().partition(" into ")
        if not md:
            raise BadCommand(f"'{piece.strip()}' is no crossing; write for example '27 into md/kiev, 12 into md/minsk'")
        size = res.strip().removesuffix("s").removesuffix("RE").strip()
        found.append((q.amount(size), q.world.pool_named(md.strip())))
    return found


def has_hq(world: EuropaWorld, state: State, area: str, side: str) -> bool:
    """Whether a friendly HQ is in an MD: as declared, else by the units that stand there."""
    said = world.facts(state).of_area(area, FRIENDLY_HQ)
    if said is not None:
        return said is True
    return any(
        world.side_now(state, nation) == side and area in world.line_of(world.spot(name).area)
        for nation, name in _hqs_on_the_map(world, world.facts(state))
    )


@kept
def _hqs_on_the_map(world: EuropaWorld, facts: EuropaFacts) -> tuple[tuple[str, str], ...]:
    """The nation and the hex of every HQ: asked for each MD, found by one look at all units."""
    units = facts.state.units.values()
    return tuple(
        (unit.spec.nation, unit.place.of) for unit in units if unit.place.on_map and world.has_role(unit.spec, "hq")
    )


class AddCrossingBonus(ForANation, tag="add-crossing-bonus", frozen=True):
    """Add the enemy REs that cross a country's border for the first time to its points."""

    nation: Nation
    """The country whose border, or whose possession's, is crossed."""
    border: Name
    crossed: Words
    """REs by MD: '27 into md/kiev, 12 into md/minsk'."""

    requires = (reserves_are_played, crossing_counts_once, border_is_its_own, md_has_a_friendly_hq)

    def effects(self, q: Bonus) -> Iterator[Event]:
        side = q.world.side_now(q.state, q.nation)
        counted = [(res, md) for res, md in _crossed(q) if has_hq(q.world, q.state, md, side)]
        total = sum((res for res, _ in counted), Fraction(0))
        yield q.noted(CROSSINGS, f"{q.nation}: {self.border}", "49.A.1.b.iv/1")
        says = " + ".join(f"{show_points(res)} into {the_pool(md)}" for res, md in counted)
        yield from received(q, total, "49.A.1.b.iv/1", f"REs that crossed: {says} = {show_points(total)}")


@rule("49.A.1.b.iv/3")
def no_active_md_without_an_hq(q: Any) -> Verdict:
    """An MD without a friendly HQ is semi-active at best."""
    md = q.on.removeprefix(subject_key("area", ""))
    side = q.world.side_now(q.state, q.world.country_of(md)) if q.world.country_of(md) else ""
    if q.value != ACTIVE or not md.startswith("md/") or not side or has_hq(q.world, q.state, md, side):
        return YES
    return no(
        f"{the_pool(md)} has no {side} HQ in it",
        remedy=f"declare it semi-active, or {FRIENDLY_HQ} of it if there is one",
    )


def falls_back_without_an_hq(q: Any) -> Iterator[Event]:
    """An active MD of which it is said that its HQs have gone is semi-active from then on."""
    activity = q.world.facts(q.state).declared(q.on, "activity")
    if q.value is False and activity == ACTIVE and q.on.startswith(subject_key("area", "md/")):
        says = "no friendly HQ is in it"
        yield Marked(on=q.on, mark="activity", value=SEMI_ACTIVE, because="49.A.1.b.iv/3", says=says)


def begins_without_an_hq(q: Any) -> Iterator[Event]:
    """An MD that a scenario calls active and in which none of its side's HQs stands begins semi-active.

    Where a scenario shows no HQ of that side at all, nobody has said where they are.
    """
    side = q.world.side_now(q.state, q.world.country_of(q.on.removeprefix(subject_key("area", ""))))
    on_map = (unit for unit in q.state.units.values() if unit.place.on_map and q.world.has_role(unit.spec, "hq"))
    shown = any(q.world.side_now(q.state, unit.spec.nation) == side for unit in on_map)
    if shown and isinstance(no_active_md_without_an_hq(q), No):
        says = "no friendly HQ is in it"
        yield Marked(on=q.on, mark="activity", value=SEMI_ACTIVE, because="49.A.1.b.iv/3", says=says)


def falls_back_as_its_hq_leaves(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a phase begins, an MD called active whose last HQ has gone is semi-active.

    Where a campaign has no HQ of that side at all, nobody has said where they are.
    """
    facts = world.facts(state)
    for on in sorted(state.marked.get("activity", ())):
        md = on.removeprefix(subject_key("area", ""))
        country = world.country_of(md) if md.startswith("md/") else ""
        if not country or facts.activity(md) != ACTIVE:
            continue
        side = world.side_now(state, country)
        if not has_hq(world, state, md, side) and _has_hqs_at_all(world, state, side):
            says = "no friendly HQ is in it any more"
            yield Marked(on=on, mark="activity", value=SEMI_ACTIVE, because="49.A.1.b.iv/3", says=says)


def _has_hqs_at_all(world: EuropaWorld, state: State, side: str) -> bool:
    leading = (unit for unit in state.units.values() if world.has_role(unit.spec, "hq"))
    return any(world.side_now(state, unit.spec.nation) == side for unit in leading)


# --------------------------------------------------------------------------------------------- captures


@rule("49.A.1.b.v/1")
def is_fully_captured(q: Bonus) -> Verdict:
    """An independent country or island with a rail capacity of its own pays once, when it is fully captured."""
    name = q.command.country
    if _capacity(q) is None:
        return no(f"{name} has no rail capacity of its own", remedy="enter it in the chart rail_capacities if it has")
    if not q.has(CAPTURED, name):
        return no(f"{name} is not fully captured", remedy=f"declare {CAPTURED} once it is")
    if q.has(CAPTURE_BONUSES, name):
        return no(f"the bonus for {name} has been received", remedy="each capture counts once")
    return YES


def _capacity(q: Bonus) -> Fraction | None:
    chart = dict(q.world.chart("rail_capacities") or {})
    return next((value for key, value in chart.items() if key.casefold() == q.command.country.casefold()), None)


@chance("49.A.1.b.v/1")
def capture_bonus(q: Bonus, capacity: Fraction) -> tuple[Fraction, str]:
    """The captured rail capacity divided by a die."""
    die = q.roll("49.A.1.b.v/1", 6, f"capture bonus, {q.nation}")
    amount = capacity / die
    return amount, f"rail capacity {show_points(capacity)} / die {die} = {show_points(amount)}"


class RollCaptureBonus(ForANation, tag="roll-capture-bonus", frozen=True):
    """Roll the bonus for a country or island whose rail capacity was captured."""

    nation: Nation
    """The country whose units completed the capture."""
    country: Name

    needs = (is_fully_captured,)
    requires = (reserves_are_played,)

    def effects(self, q: Bonus) -> Iterator[Event]:
        capacity = _capacity(q)
        assert capacity is not None  # Or it would have been refused.
        amount, says = capture_bonus(q, capacity)
        yield q.noted(CAPTURE_BONUSES, self.country, "49.A.1.b.v/1")
        yield from received(q, amount, "49.A.1.b.v/1", says)


CHAPTER = Chapter(
    heading="49.A.1.b",
    commands=(RollSurpriseBonus, RollBorderBonus, AddCrossingBonus, RollCaptureBonus),
    facts=(
        Fact(HIT, ("nation",), "a surprise turn affects its units", False, YES_NO, lasts=GAME_TURN),
        Fact(HIT_BONUS, ("nation",), "it has had its surprise bonus", False, YES_NO, lasts=GAME_TURN, by_hand=False),
        Fact(BORDERS, (CAMPAIGN,), "who has rolled for which border", [], WORDS, by_hand=False),
        Fact(CROSSED_BEFORE, (CAMPAIGN,), "the countries whose border was crossed on an earlier turn", [], WORDS),
        Fact(CROSSINGS, (CAMPAIGN,), "whose crossed borders have been counted", [], WORDS, by_hand=False),
        Fact(CAPTURED, (CAMPAIGN,), "the countries and islands that are fully captured", [], WORDS),
        Fact(CAPTURE_BONUSES, (CAMPAIGN,), "the captures that have paid", [], WORDS, by_hand=False),
        Fact(FRIENDLY_HQ, ("area",), "an HQ of its country's side is in it", None, YES_NO),
    ),
    forbids={"activity": (no_active_md_without_an_hq,)},
    declared={FRIENDLY_HQ: (falls_back_without_an_hq,)},
    stands={FRIENDLY_HQ: (falls_back_without_an_hq,), "activity": (begins_without_an_hq,)},
    charts={"rail_capacities": dict[str, Fraction]},
    happens=(falls_back_as_its_hq_leaves,),
)
