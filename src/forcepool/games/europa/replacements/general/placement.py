"""52.A/2 to /7, 52.A.2/2 to /4 and 52.A.7  Bought units arrive: where, how many, and what if there is no hex."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any

from msgspec.structs import replace

from forcepool.engine.command import Command, Question, carried_out
from forcepool.engine.decide import permits
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import (
    PLAYER_TURN,
    TURN,
    WORDS,
    YES_NO,
    Fact,
    kept,
    place_key,
    unit_key,
)
from forcepool.engine.given import Spot, UnitName, Words, one_of
from forcepool.engine.places import Place, at_hex
from forcepool.engine.points import show_counted, show_points
from forcepool.engine.sentence import the_place, the_pool, the_units
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Remedy, Rule, Verdict, Yes, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import INACTIVE, MP_MARKER, OPERATIONAL, STRATEGIC, WHERE_IT_STOOD, EuropaFacts
from forcepool.games.europa.ground.ownership import take_off
from forcepool.games.europa.ground.placing import (
    AIR_STATUS,
    FROM_STRATEGIC,
    HELD_BACK,
    INOPERATIVE,
    PLACED,
    REJOINS,
    RETURNED,
    STRATEGIC_BOX,
    TRACKS,
    Placing,
    is_disrupted,
    is_replaced,
    retrained,
    why_not_friendly,
)
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.ground.standing import shares_the_supply_of
from forcepool.games.europa.mapfacts.notable import with_something
from forcepool.games.europa.own_phase import in_own
from forcepool.games.europa.question import (
    by_order,
    in_a_later,
    instead,
    next_turn,
    turns_on,
)
from forcepool.games.europa.replacements.general.placed_air import STATUS, air_units_arrive_inoperative
from forcepool.games.europa.replacements.general.placed_in_reserve import (
    in_reserve,
    no_reserve_for_the_disrupted,
    operational_reserve_is_for_inactive_fronts,
    strategic_reserve_is_for_inactive_fronts,
)
from forcepool.games.europa.world import LOCAL, NATIONAL, EuropaWorld

LIMITS = switch(
    "placement-limits",
    "52.A/4",
    "how many units arrive at a place, and whether an enemy ZOC bars them",
    one_a_location="one unit a city, town, army HQ or training division, not in an enemy ZOC, and 3 REs a hex",
    three_res="any number of units up to 3 REs a hex, not in an enemy ZOC",
    zoc_no_bar="any number of units up to 3 REs a hex, enemy ZOCs notwithstanding",
)
AS_IT_WAS = ("garrison", "unsupported")
OF_ITS_FORMER_LIFE = ("reserve", MP_MARKER, *AS_IT_WAS, "embarked", REJOINS)


# -------------------------------------------------------------------------------------------------- when


@rule("52.A/1")
def waits_in_a_holding_box(q: Placing) -> Verdict:
    """What was bought waits in a holding box, and is placed from there."""
    if q.unit.place.kind in TRACKS:
        return YES
    return no(f"{q.unit} is in no holding box but {q.world.where(q.unit.place)}", remedy="buy it first")


@rule("52.A/3")
def it_is_the_replacement_phase(q: Placing) -> Verdict:
    """Bought units arrive in the owner's replacement phase."""
    return in_own(q, REPLACEMENT)


@rule("52.A/2")
def its_turn_has_come(q: Placing) -> Verdict:
    """Not before the turn it is due."""
    early = q.unit.place.due - q.state.clock.turn
    if early <= 0:
        return YES
    due = q.world.turn_name(q.unit.place.due)
    return no(
        f"{q.unit} is due {due}, {early} turn{'s' if early > 1 else ''} from now",
        remedy="" if q.is_air else in_a_later(q, q.unit.place.due, f"wait for {due}"),
        have=Fraction(q.state.clock.turn),
        need=Fraction(q.unit.place.due),
    )


# ------------------------------------------------------------------------------------------------- where


@rule("52.A/5", "52.A/6")
def stands_at_a_location_of_its_md(q: Placing) -> Verdict:
    """A city or town of the MD, or the hex of an army HQ or training division in the MD."""
    if q.off_map or q.is_air:
        return YES
    if q.site is not None:
        return q.site
    settled = q.facts.is_settlement(q.hex)
    if not q.in_area:
        return no(
            f"{the_place(q.hex)} lies in {the_pool(q.world.spot(q.hex).area)}, not in {the_pool(q.area)}",
            remedy=elsewhere(q) or _by_way_of_its_box(q) or f"place it in {the_pool(q.area)}",
            clause="52.A/6" if q.hosts and not settled else "",
        )
    if settled:
        return YES
    if q.hosts:
        return yes("52.A/6", f"with {q.hosts[0]}")
    return no(
        f"{the_place(q.hex)} is no city or town, and no army HQ or training division stands there",
        remedy=elsewhere(q) or "choose a city or town of the MD, or the hex of an army HQ or training division",
        clause="52.A/6" if any(q.world.has_role(each.spec, "hq") for each in q.state.stack(q.hex)) else "",
    )


@rule("52.A/4")
def hex_is_friendly(q: Placing) -> Verdict:
    """Only friendly-owned hexes take arriving units."""
    why = "" if q.off_map else why_not_friendly(q.facts, q.side, q.nation, q.hex)
    return no(f"{the_place(q.hex)} {why}", remedy=elsewhere(q)) if why else YES


@rule("52.A/4")
def no_enemy_zoc_upon_it(q: Placing) -> Verdict:
    """Arriving rebuilt units are not placed in an enemy ZOC."""
    if q.off_map or q.is_air or q.switch(LIMITS.key) == "zoc-no-bar":
        return YES
    zones = q.facts.zones_upon(q.side, q.hex)
    if not zones:
        return YES
    why = q.facts.reason(place_key(q.hex), "enemy_zoc", q.side)
    remedy = elsewhere(q)
    return no(f"{the_place(q.hex)} lies in an enemy ZOC ({', '.join(zones)}){why}", remedy=remedy)


@rule("52.A/4")
def one_unit_a_location(q: Placing) -> Verdict:
    """One unit a city, town, army HQ or training division each turn."""
    if q.off_map or not is_replaced(q) or q.site is not None:
        return YES
    here = (*(each.id for each in q.placed), *q.returned)
    if len(here) < max(q.locations, 1) or q.switch(LIMITS.key) != "one-a-location":
        return YES
    return no(
        f"{the_place(q.hex)} has {q.locations} location{'s' if q.locations != 1 else ''} and took "
        f"{the_units(here)} this turn",
        remedy=[*elsewhere(q), next_turn(q, "wait a turn")],
        have=Fraction(len(here) + 1),
        need=Fraction(q.locations),
        units=here,
    )


@rule("52.A.7/1")
def no_more_than_three_res(q: Placing) -> Verdict:
    """A hex takes 3 REs of replacements a turn; a single larger unit may be placed alone."""
    if q.off_map or not is_replaced(q) or not q.placed:
        return YES
    limit = q.world.numbers["placed_in_a_hex"]
    before = sum((q.world.res(each.spec, each.step) for each in q.placed), Fraction(0))
    total = before + q.world.res(q.unit.spec, q.unit.step)
    if total <= limit:
        return YES
    return no(
        f"{the_place(q.hex)} took {show_counted(before, 'RE')} this turn, with {q.unit} {show_points(total)}; a "
        "hex takes "
        f"{show_points(limit)}",
        remedy=[*elsewhere(q), next_turn(q, "wait a turn")],
        have=total,
        need=limit,
        units=tuple(each.id for each in q.placed),
    )


def elsewhere(q: Placing) -> list[Remedy]:
    """To place it in a hex that would take it now, the most useful one; nothing where there is none."""
    if q.asked_in_passing or not isinstance(q.command, PlaceUnit):
        return []
    found = open_hex(q.world, q.facts, q.unit.id, q.command.reserve, q.command.status)
    return [instead(q, f"place it at {the_place(found)}", at=found)] if found not in ("", q.hex) else []


@kept
def open_hex(world: EuropaWorld, facts: EuropaFacts, unit_id: str, reserve: str = "", status: str = "") -> str:
    """The most useful hex that would take a unit now; looked for once, whatever hexes it is refused."""
    unit = facts.state.units[unit_id]
    for each in _nearest_home(world, facts, unit):
        order = PlaceUnit(unit=unit_id, at=each, reserve=reserve, status=status)
        q = Placing(world, facts.state, order)
        if permits(q, order.needs, order.guards(q)):
            return each
    return ""


def _nearest_home(world: EuropaWorld, facts: EuropaFacts, unit: Unit) -> list[str]:
    """The hexes worth asking about: first those of the area that paid, then of its front, of its theatre, the rest."""
    around = world.line_of(unit.place.of)

    def away(name: str) -> int:
        line = world.line_of(world.spot(name).area)
        return next((at for at, area in enumerate(around) if area in line), len(around))

    side = world.side_now(facts.state, unit.spec.nation)
    return sorted(facts.by_use(side, candidates(world, facts.state, unit)), key=away)


def _by_way_of_its_box(q: Placing) -> list[Remedy]:
    """To move it to the holding box of the area first, from where it enters a turn later."""
    into = q.world.spot(q.hex).area
    sent = by_order(
        q, "transfer-unit", f"transfer it to {the_pool(into)} first, and place it next turn", unit=q.unit.id, into=into
    )
    return [Remedy(each.words, replace(each.way, until=turns_on(q, 1))) for each in sent if each.way]


# ---------------------------------------------------------------------------------------- the disrupted


class _AskedInstead:
    """A rule of reinforcements, put to the reinforcement that a disrupted unit is."""

    def __init__(self, asked: Rule[Any], of: Question) -> None:
        self.clauses, self.__name__, self.asked, self.of = asked.clauses, asked.__name__, asked, of

    def __call__(self, q: Any, /) -> Verdict:
        return self.asked(self.of)


# ----------------------------------------------------------------------------------------------- command


class PlaceUnit(Command, tag="place", frozen=True):
    """Put a unit whose turn has come on the map, or into reserve where its front is inactive."""

    unit: UnitName
    at: Spot = ""
    """The hex; left out only with strategic reserve."""
    reserve: Annotated[str, one_of(OPERATIONAL, STRATEGIC)] = ""
    """operational or strategic, for units that arrive in an inactive front."""
    status: Words = ""
    """For air units: inoperative, which is how they arrive."""

    question = Placing
    needs = (waits_in_a_holding_box,)
    requires = (
        it_is_the_replacement_phase,
        its_turn_has_come,
        stands_at_a_location_of_its_md,
        hex_is_friendly,
        no_enemy_zoc_upon_it,
        one_unit_a_location,
        no_more_than_three_res,
        strategic_reserve_is_for_inactive_fronts,
        operational_reserve_is_for_inactive_fronts,
        air_units_arrive_inoperative,
    )

    def guards(self, q: Placing) -> tuple[Rule[Any], ...]:
        """What was bought is a replacement; what was disrupted is a reinforcement, and asked what those are."""
        if not is_disrupted(q.state, q.unit):
            return Command.guards(self, q)
        if self.reserve:
            return (no_reserve_for_the_disrupted,)
        assert q.reinforcement is not None, "the game has reinforcements"
        return tuple(_AskedInstead(each, q.reinforcement) for each in q.reinforcement.command.guards(q.reinforcement))

    def besides(self, q: Placing) -> Iterator[Event]:
        return Command.besides(self, q) if q.reinforcement is None else iter(())

    def effects(self, q: Placing) -> Iterator[Event]:
        if q.reinforcement is not None:
            yield from carried_out(q.reinforcement.command, q.reinforcement)
            return
        yield from as_new(q.state, q.unit, "52.A/3")
        yield from _off_the_map(q) if q.off_map else _on_the_map(q)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind not in TRACKS or unit.place.due > state.clock.turn:
            return
        if is_disrupted(state, unit):
            return
        hexes = _nearest_home(world, world.facts(state), unit)
        for each in hexes:
            yield cls(unit=unit.id, at=each)
        returns = state.mark(unit_key(unit.id), FROM_STRATEGIC) is not None
        if world.plays_reserves and (world.facts(state).activity(unit.place.of) == INACTIVE or returns):
            for each in hexes:
                yield cls(unit=unit.id, at=each, reserve=OPERATIONAL)
            if not returns:
                yield cls(unit=unit.id, reserve=STRATEGIC)


def as_new(state: State, unit: Unit, because: str) -> Iterator[Event]:
    """Nothing clings to it of where it was lost: but in a pocket it is still cut off."""
    stood = () if unit.place.of.startswith(LOCAL) else WHERE_IT_STOOD
    for mark in (*stood, *OF_ITS_FORMER_LIFE):
        yield from take_off(state, unit_key(unit.id), mark, because)


def _off_the_map(q: Placing) -> Iterator[Event]:
    box = Place(STRATEGIC_BOX, NATIONAL + q.unit.spec.nation)
    yield Moved(unit=q.unit.id, frm=q.unit.place, to=box, because="52.A.2/2")
    yield in_reserve(q, "52.A.2/2")


def _on_the_map(q: Placing) -> Iterator[Event]:
    unit, on = q.unit, unit_key(q.unit.id)
    how = "52.A/7" if q.is_air else "52.A/5" if q.facts.is_settlement(q.hex) else "52.A/6" if q.hosts else ""
    yield Moved(unit=unit.id, frm=unit.place, to=at_hex(q.hex), because=f"52.A/3 {how}".strip())
    if not retrained(q):
        yield Marked(on=place_key(q.hex), mark=PLACED, value=[*q.arrived, unit.id], because="52.A.7/1")
    if q.is_air:
        yield Marked(on=on, mark=AIR_STATUS, value=INOPERATIVE, because="52.A/7")
    if q.command.reserve:
        yield in_reserve(q, "52.A.2/3")
    yield from shares_the_supply_of(q, q.hex, "52.A/4")


def candidates(world: EuropaWorld, state: State, unit: Unit) -> list[str]:
    """The hexes worth asking about: cities, towns and hosts of the MD, airbases, and what other headings allow."""
    return list(_candidates(world, world.facts(state), unit.id))


@kept
def _candidates(world: EuropaWorld, facts: EuropaFacts, unit_id: str) -> tuple[str, ...]:
    return tuple(name for name in _where_something_is(world, facts) if _fits(world, facts, unit_id, name))


@kept
def _where_something_is(world: EuropaWorld, facts: EuropaFacts) -> tuple[str, ...]:
    """The hexes that something was said of or somebody stands in; others offer no place."""
    return tuple(sorted(with_something(world, facts) | facts.state.stacks.keys()))


@kept
def _fits(world: EuropaWorld, facts: EuropaFacts, unit_id: str, name: str) -> bool:
    q = Placing(world, facts.state, PlaceUnit(unit=unit_id, at=name))
    if q.is_air:
        return facts.place_is(name, "airbase")
    return (q.in_area and q.locations > 0) or isinstance(q.site, Yes) or _is_let_in(q)


def _is_let_in(q: Placing) -> bool:
    """Whether another heading lets the unit enter outside the area that paid for it."""
    return any(isinstance(lets(q), Yes) for lets in q.world.game.waivers.get("52.A/5", ()))


CHAPTER = Chapter(
    heading="52.A",
    commands=(PlaceUnit,),
    facts=(
        Fact(
            PLACED, ("place",), "the replacements placed there this turn", [], WORDS, lasts=PLAYER_TURN, by_hand=False
        ),
        Fact(
            RETURNED,
            ("place",),
            "the disrupted units that came back there this turn",
            [],
            WORDS,
            lasts=PLAYER_TURN,
            by_hand=False,
        ),
        Fact(REJOINS, ("unit",), "the turn it comes back to the map it left to train", 0, TURN, by_hand=False),
        Fact(HELD_BACK, ("unit",), "it could have been placed and was not", False, YES_NO, by_hand=False),
        STATUS,
    ),
    switches=(LIMITS,),
    boxes={STRATEGIC_BOX: "STRATEGIC RESERVE BOX"},
)
