"""49.A.1.b ii to v  The occasions for bonuses: whom a surprise hits, which borders are crossed, what is captured."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import GAME_TURN, POINTS, YES_NO, Fact, kept
from forcepool.engine.points import parse_points, show_counted, show_points
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.reserves.bonuses import (
    BORDERS,
    CAMPAIGN,
    CAPTURE_BONUSES,
    CAPTURED,
    CROSSED_BEFORE,
    CROSSINGS,
    HIT,
    HIT_BONUS,
    INVASION,
    SRPS,
    AddCrossingBonus,
    Bonus,
    RollBorderBonus,
    RollCaptureBonus,
    RollSurpriseBonus,
    has_hq,
    words_of,
)
from forcepool.games.europa.reserves.depots import last_moment_of_a_turn, power_over
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed


class Crossing(Struct, frozen=True):
    """A country whose border enemy ground units have crossed: the REs in each of its districts, and whose they are."""

    country: str
    res: dict[str, Fraction]
    nations: tuple[str, ...]


@computed("49.A.1.b.iii/1", "49.A.1.b.iv/1")
def crossings(world: EuropaWorld, facts: EuropaFacts) -> list[Crossing]:
    """The countries on whose ground enemy ground units stand now, in order; what lies in no MD counts by its front."""
    return _crossings(world, facts)


@kept
def _crossings(world: EuropaWorld, facts: EuropaFacts) -> list[Crossing]:
    res: dict[str, dict[str, Fraction]] = {}
    nations: dict[str, set[str]] = {}
    powers = {area: power_over(world, facts, area) for area in world.areas}
    if not any(powers.values()):
        return []
    for name in sorted(facts.state.stacks):
        md = _district_of(world, name)
        country = powers.get(md, "")
        standing = _enemies_at(world, facts, name, country) if country else {}
        for nation, strength in standing.items():
            there = res.setdefault(country, {})
            there[md] = there.get(md, Fraction(0)) + strength
            nations.setdefault(country, set()).add(nation)
    return [Crossing(each, dict(sorted(res[each].items())), tuple(sorted(nations[each]))) for each in sorted(res)]


@kept
def _enemies_at(world: EuropaWorld, facts: EuropaFacts, name: str, country: str) -> dict[str, Fraction]:
    """The REs of a country's enemies on the ground in a hex, by nation."""
    found: dict[str, Fraction] = {}
    for unit in facts.state.stack(name):
        nation = unit.spec.nation
        if _are_enemies(world, facts.state, nation, country) and not world.has_role(unit.spec, "air"):
            found[nation] = found.get(nation, Fraction(0)) + world.res(unit.spec, unit.step)
    return found


def _md_of(world: EuropaWorld, place: str) -> str:
    return next((each for each in world.line_of(world.spot(place).area) if each.startswith("md/")), "")


def _district_of(world: EuropaWorld, place: str) -> str:
    """The MD a hex lies in, or where the map has none the front or theatre."""
    return _md_of(world, place) or world.spot(place).area


def _are_enemies(world: EuropaWorld, state: State, one: str, other: str) -> bool:
    sides = {world.side_now(state, each) if each in world.sides else "" for each in (one, other)}
    return len(sides) > 1 and sides <= set(world.sequence.players)


def first_crossings(world: EuropaWorld, state: State) -> list[Crossing]:
    """Those of this turn: borders that no enemy had crossed when it began."""
    before = words_of(world, state, CROSSED_BEFORE)
    return [each for each in crossings(world, world.facts(state)) if each.country not in before]


def noted(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a turn ends, and when a campaign begins, borders crossed by then are no longer crossed for the first time."""
    new = [each.country for each in first_crossings(world, state)] if world.plays_reserves else []
    if new:
        before = words_of(world, state, CROSSED_BEFORE)
        yield Marked(on=CAMPAIGN, mark=CROSSED_BEFORE, value=sorted({*before, *new}), because="49.A.1.b.iii/1")


def turn_ends(world: EuropaWorld, state: State) -> Iterator[Event]:
    if last_moment_of_a_turn(world, state):
        yield from noted(world, state)


# ------------------------------------------------------------------------------------------------- agenda


def to_take(world: EuropaWorld, state: State) -> Iterator[Item]:
    """The bonuses there is an occasion for, with the order that takes each; none where no reserves are played."""
    if not world.plays_reserves:
        return
    yield from _surprises(world, state)
    for crossing in first_crossings(world, state):
        yield from _rolls(world, state, crossing)
        yield from _added(world, state, crossing)
    yield from _captures(world, state)


def _surprises(world: EuropaWorld, state: State) -> Iterator[Item]:
    facts = world.facts(state)
    for on in sorted(state.marked.get(HIT, ())):
        nation = on.partition("/")[2]
        if facts.of_nation(nation, HIT) is not True or facts.of_nation(nation, HIT_BONUS) is True:
            continue
        side, srps = world.side_now(state, nation), facts.of_campaign(SRPS)
        invasion = facts.of_campaign(INVASION) is True
        if srps is None:
            text = f"a surprise affects {nation}: declare {SRPS}, what the surprise turn takes, and roll its bonus"
            yield Item(OPEN, text, "49.A.1.b.ii/1", side)
            continue
        twice = ", doubled for the invasion" if invasion else ""
        text = f"a surprise affects {nation}: {show_points(parse_points(str(srps)))} SRPs × a die{twice}"
        command = RollSurpriseBonus(nation=nation, srps=str(srps), invasion=invasion)
        yield Item(OPEN, text, "49.A.1.b.ii/1", side, command)


def _rolls(world: EuropaWorld, state: State, crossing: Crossing) -> Iterator[Item]:
    """Every major power at war across the border rolls; how many MDs are entered is known when the turn is over."""
    facts, done = world.facts(state), words_of(world, state, BORDERS)
    for nation in sorted(_involved(world, state, crossing)):
        if not world.profile.nations[nation].major or f"{nation}: {crossing.country}" in done:
            continue
        if facts.is_neutral(nation):
            continue
        mds = len(crossing.res)
        entered = "1 MD" if mds == 1 else f"{mds} MDs"
        text = f"{crossing.country} is invaded, {entered} so far: {nation} rolls its bonus when the moves are over"
        command = RollBorderBonus(nation=nation, border=crossing.country, mds=mds)
        yield Item(OPEN, text, "49.A.1.b.iii/1", world.side_now(state, nation), command)


def _involved(world: EuropaWorld, state: State, crossing: Crossing) -> set[str]:
    """The invaded country, those whose units have crossed, and every power with ground units there."""
    return {crossing.country, *crossing.nations, *_on_its_ground(world, state, crossing.country)}


@rule("49.A.1.b.iii/1")
def is_involved(q: Bonus) -> Verdict:
    """Where units are known to stand across the border named, only the powers involved roll."""
    named = q.command.border.casefold()
    crossing = next((each for each in crossings(q.world, q.facts) if each.country.casefold() == named), None)
    if crossing is None or q.nation in _involved(q.world, q.state, crossing):
        return YES
    return no(
        f"{q.nation} has no ground units across the border of {crossing.country} or in {crossing.country}",
        remedy=f"put its units where they stand first, if it has some in {crossing.country} (put-unit)",
    )


def _on_its_ground(world: EuropaWorld, state: State, country: str) -> set[str]:
    """The nations at war whose ground units stand in an invaded country, its allies there among them."""
    facts, found = world.facts(state), set[str]()
    powers: dict[str, str] = {}
    for name in sorted(state.stacks):
        area = _district_of(world, name)
        if area not in powers:
            powers[area] = power_over(world, facts, area) if area in world.areas else ""
        if powers[area] == country:
            found |= {unit.spec.nation for unit in state.stack(name) if not world.has_role(unit.spec, "air")}
    return {each for each in found if world.side_now(state, each) in world.sequence.players}


def _added(world: EuropaWorld, state: State, crossing: Crossing) -> Iterator[Item]:
    """The REs that crossed into MDs with a friendly HQ."""
    nation, side = crossing.country, world.side_now(state, crossing.country)
    if f"{nation}: {nation}" in words_of(world, state, CROSSINGS):
        return
    counted = {md: res for md, res in crossing.res.items() if has_hq(world, state, md, side)}
    if not counted:
        return
    crossed = ", ".join(f"{res} into {md}" for md, res in counted.items())
    total = sum(counted.values(), Fraction(0))
    text = (
        f"{show_counted(total, 'enemy RE')} crossed the border of {nation} into MDs with an HQ of its side and may be "
        "counted; add those that crossed and were lost since"
    )
    yield Item(OPEN, text, "49.A.1.b.iv/1", side, AddCrossingBonus(nation=nation, border=nation, crossed=crossed))


def _captures(world: EuropaWorld, state: State) -> Iterator[Item]:
    paid = {each.casefold() for each in words_of(world, state, CAPTURE_BONUSES)}
    capacities: dict[str, Fraction] = world.chart("rail_capacities") or {}
    known = {name.casefold(): (name, capacity) for name, capacity in capacities.items()}
    for country in words_of(world, state, CAPTURED):
        if country.casefold() in paid or country.casefold() not in known:
            continue
        name, capacity = known[country.casefold()]
        for nation in captors(world, state, name):
            text = f"{name} is fully captured: its rail capacity of {show_points(capacity)} / a die, if by {nation}"
            command = RollCaptureBonus(nation=nation, country=country)
            yield Item(OPEN, text, "49.A.1.b.v/1", world.side_now(state, nation), command)


def captors(world: EuropaWorld, state: State, country: str) -> list[str]:
    """The nations with ground units in a captured country; where nothing tells, the major powers of the other sides."""
    own = world.side_now(state, country) if country in world.sides else ""
    players = [side for side in world.sequence.players if side != own]
    there = {
        unit.spec.nation
        for unit in state.units_in_order()
        if unit.place.on_map
        and world.country_of(_district_of(world, unit.place.of)) == country
        and not world.has_role(unit.spec, "air")
    }
    found = sorted(each for each in there if world.side_now(state, each) in players)
    nations = world.profile.nations
    return found or [each for each in sorted(nations) if nations[each].major and world.side_now(state, each) in players]


CHAPTER = Chapter(
    heading="49.A.1.b",
    facts=(
        Fact(SRPS, (CAMPAIGN,), "the SRPs that this surprise turn requires", None, POINTS, lasts=GAME_TURN),
        Fact(INVASION, (CAMPAIGN,), "this turn's surprise is an invasion surprise", False, YES_NO, lasts=GAME_TURN),
    ),
    guards={RollBorderBonus: (is_involved,)},
    opening=(noted,),
    ends=(turn_ends,),
    agenda=(to_take,),
)
