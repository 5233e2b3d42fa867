"""52.A/2 to /7, 52.A.2/2 to /4 and 52.A.7  Bought units arrive: where, how many, and what if there is no hex."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, cast

from msgspec.structs import replace

from forcepool.engine.command import BadCommand, Command, Question, carried_out, lazy
from forcepool.engine.decide import permits
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import NUMBER, PLAYER_TURN, TURN, WORDS, YES_NO, Fact, kept, place_key, unit_key
from forcepool.engine.places import TRACK, Place, at_hex
from forcepool.engine.points import show_counted, show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Remedy, Rule, Verdict, Yes, no, rule, yes
from forcepool.engine.world import World
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import INACTIVE, MP_MARKER, OPERATIONAL, STRATEGIC, WHERE_IT_STOOD, EuropaFacts
from forcepool.games.europa.question import (
    EuropaQuestion,
    by_order,
    in_a_later,
    instead,
    next_turn,
    turns_on,
    waits_for,
)
from forcepool.games.europa.replacements.centres import acts_as_hq
from forcepool.games.europa.replacements.purchase import REPLACEMENT
from forcepool.games.europa.replacements.standing import shares_the_supply_of
from forcepool.games.europa.world import FORMING, LOCAL, NATIONAL, REINFORCEMENT_TRACK, EuropaWorld
from forcepool.rulebook.citations import computed

LIMITS = switch(
    "placement-limits",
    "52.A/4",
    "how many units arrive at a place, and whether an enemy ZOC bars them",
    one_a_location="one unit a city, town, army HQ or training division, not in an enemy ZOC, and 3 REs a hex",
    three_res="any number of units up to 3 REs a hex, not in an enemy ZOC",
    zoc_no_bar="any number of units up to 3 REs a hex, enemy ZOCs notwithstanding",
)
TRACKS = (TRACK, FORMING, REINFORCEMENT_TRACK)
STRATEGIC_BOX = "strategic"
REJOINS = "rejoins"
"""The turn on which a unit that left the map to train comes back to it: neither a reinforcement nor replaced."""
RETURNS = "returns_on"
"""The turn on which a disrupted unit comes back: as a reinforcement, not as a replacement."""
OF_ITS_FORMER_LIFE = ("reserve", MP_MARKER, "garrison", "embarked", "unsupported", REJOINS)
RETURNED = "returned"
PLACED, HELD_BACK, AIR_STATUS, INOPERATIVE = "placed", "held_back", "air_status", "inoperative"
FROM_STRATEGIC = "from_strategic"
"""The mark of a unit that has left strategic reserve and is on its way back."""
ARMY_OR_HIGHER = ("XXXX", "XXXXX")
DIVISION = "XX"
AS_A_REINFORCEMENT: list[Callable[["Placing"], Question]] = []
"""How a disrupted unit that is placed is asked about as the reinforcement it is; rule 51 enters it."""


class Placing(EuropaQuestion):
    """A unit whose turn has come, and the hex or reserve it is to go to."""

    command: "PlaceUnit"

    @lazy
    def area(self) -> str:
        """The MD or front whose holding box it leaves."""
        return self.unit.place.of

    @lazy
    def hex(self) -> str:
        if not self.command.at and not self.off_map:
            raise BadCommand("say where with at=, or reserve=strategic")
        return self.world.hex_name(self.command.at)

    @property
    def off_map(self) -> bool:
        """Straight into strategic reserve, without seeing the map."""
        return self.command.reserve == STRATEGIC

    @property
    def is_air(self) -> bool:
        return self.world.has_role(self.unit.spec, "air")

    @lazy
    def in_area(self) -> bool:
        """Whether the hex lies in the MD; nobody is asked where the scenario does not say."""
        around = self.world.spot(self.hex).area
        if not around or self.area in self.world.line_of(around):
            return True
        return self.area in self.world.line_of(homes.home_in(self.world, self.facts, around, self.nation))

    @lazy
    def hosts(self) -> list[Unit]:
        """The army HQs and training units in the hex that an arriving unit may join."""
        return [each for each in self.state.stack(self.hex) if is_host(self, each)]

    @lazy
    def locations(self) -> int:
        """City or town, and each army HQ or training division: a location each."""
        return len(self.hosts) + self.facts.is_settlement(self.hex)

    @lazy
    def arrived(self) -> list[str]:
        """The names of all that was bought and placed in the hex this turn."""
        return cast(list[str], self.facts.value(place_key(self.hex), PLACED))

    @lazy
    def placed(self) -> list[Unit]:
        """The replacements placed in the hex this turn; air units take no room of those on the ground."""
        units = (self.state.units[each] for each in self.arrived)
        return [each for each in units if not self.world.has_role(each.spec, "air")]

    @lazy
    def returned(self) -> list[str]:
        """The disrupted units that came back there this turn: they take a location each, but are no replacements."""
        return cast(list[str], self.facts.value(place_key(self.hex), RETURNED))

    @lazy
    def reinforcement(self) -> Question | None:
        """The same question asked of a reinforcement, where the unit was disrupted; None for one that was bought."""
        return AS_A_REINFORCEMENT[0](self) if is_disrupted(self.state, self.unit) else None

    @lazy
    def site(self) -> Verdict | None:
        """What another heading says of the hex before the general rule: a factory takes what its pool has built."""
        verdicts = (site(self) for site in self.world.game.sites)
        return next((verdict for verdict in verdicts if verdict is not None), None)


def is_replaced(q: Placing) -> bool:
    """Whether it is one of the replacements that a hex takes so many of: neither an air unit nor one that retrained."""
    return not q.is_air and not retrained(q)


def retrained(q: Placing) -> bool:
    return q.unit.place.kind == TRACK and rejoins(q.state, q.unit)


def rejoins(state: State, unit: Unit) -> bool:
    """Whether a unit waits on a track because it left the map to train, not because it was bought or is new."""
    mark = state.mark(unit_key(unit.id), REJOINS)
    return mark is not None and unit.place.kind in TRACKS and mark.value == unit.place.due


def is_disrupted(state: State, unit: Unit) -> bool:
    """Whether a unit waits on a track because it was disrupted, not because it was bought."""
    mark = state.mark(unit_key(unit.id), RETURNS)
    return unit.place.kind == TRACK and mark is not None and mark.value == unit.place.due


@computed("52.A/6")
def is_host(q: Placing, other: Unit) -> bool:
    """An army HQ, a training division, or any training, reserve or replacement unit that has not moved (52.I.2)."""
    spec = other.spec
    if q.world.side_now(q.state, spec.nation) != q.side or other.id == q.unit.id:
        return False
    if q.world.has_role(spec, "hq"):
        return spec.size in ARMY_OR_HIGHER
    if q.world.has_role(spec, "training") and spec.size == DIVISION:
        return True
    return acts_as_hq(q.world, q.state, other)


# -------------------------------------------------------------------------------------------------- when


@rule("52.A/1")
def waits_in_a_holding_box(q: Placing) -> Verdict:
    """What was bought waits in a holding box, and is placed from there."""
    if q.unit.place.kind in TRACKS:
        return YES
    return no(f"{q.unit.id} is in no holding box but {q.world.where(q.unit.place)}", remedy="buy it first")


@rule("52.A/3")
def it_is_the_replacement_phase(q: Placing) -> Verdict:
    """Bought units arrive in the owner's replacement phase."""
    if q.world.phase(q.state) == REPLACEMENT and q.world.has_the_turn(q.state, q.side):
        return YES
    return no(f"it is the {q.world.when(q.state)}", remedy=waits_for(q, REPLACEMENT))


@rule("52.A/2")
def its_turn_has_come(q: Placing) -> Verdict:
    """Not before the turn it is due."""
    early = q.unit.place.due - q.state.clock.turn
    if early <= 0:
        return YES
    due = q.world.turn_name(q.unit.place.due)
    return no(
        f"{q.unit.id} is due {due}, {early} turn{'s' if early > 1 else ''} from now",
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
            f"{q.hex} lies in {q.world.spot(q.hex).area}, not in {q.area}",
            remedy=elsewhere(q) or _by_way_of_its_box(q) or f"place it in {q.area}",
            clause="52.A/6" if q.hosts and not settled else "",
        )
    if settled:
        return YES
    if q.hosts:
        return yes("52.A/6", f"with {q.hosts[0].id}")
    return no(
        f"{q.hex} is no city or town, and no army HQ or training division stands there",
        remedy=elsewhere(q) or "choose a city or town of the MD, or the hex of an army HQ or training division",
        clause="52.A/6" if any(q.world.has_role(each.spec, "hq") for each in q.state.stack(q.hex)) else "",
    )


@rule("52.A/4")
def hex_is_friendly(q: Placing) -> Verdict:
    """Only friendly-owned hexes take arriving units."""
    owner = "" if q.off_map else q.facts.owner(q.hex)
    if owner in ("", q.side):
        return YES
    return no(f"{q.hex} is owned by {owner}", remedy=elsewhere(q) or "let it wait")


@rule("52.A/4")
def no_enemy_zoc_upon_it(q: Placing) -> Verdict:
    """Arriving rebuilt units are not placed in an enemy ZOC."""
    if q.off_map or q.is_air or q.switch(LIMITS.key) == "zoc-no-bar":
        return YES
    zones = q.facts.zones_upon(q.side, q.hex)
    if not zones:
        return YES
    why = q.facts.reason(place_key(q.hex), "enemy_zoc", q.side)
    remedy = elsewhere(q) or "let it wait"
    return no(f"{q.hex} lies in an enemy ZOC ({', '.join(zones)}){why}", remedy=remedy)


@rule("52.A/4")
def one_unit_a_location(q: Placing) -> Verdict:
    """One unit a city, town, army HQ or training division each turn."""
    if q.off_map or not is_replaced(q) or q.site is not None or q.switch(LIMITS.key) != "one-a-location":
        return YES
    here = (*(each.id for each in q.placed), *q.returned)
    if len(here) < max(q.locations, 1):
        return YES
    return no(
        f"{q.hex} has {q.locations} location{'s' if q.locations != 1 else ''} and took {', '.join(here)} this turn",
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
        f"{q.hex} took {show_counted(before, 'RE')} this turn, with {q.unit.id} {show_points(total)}; a hex takes "
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
    return [instead(q, f"place it at {found}", at=found)] if found not in ("", q.hex) else []


@kept
def open_hex(world: EuropaWorld, facts: EuropaFacts, unit_id: str, reserve: str = "", status: str = "") -> str:
    """The most useful hex that would take a unit now; looked for once, whatever hexes it is refused."""
    unit = facts.state.units[unit_id]
    side = world.side_now(facts.state, unit.spec.nation)
    for each in facts.by_use(side, candidates(world, facts.state, unit)):
        order = PlaceUnit(unit=unit_id, at=each, reserve=reserve, status=status)
        q = Placing(world, facts.state, order)
        if permits(q, order.needs, order.guards(q)):
            return each
    return ""


def _by_way_of_its_box(q: Placing) -> list[Remedy]:
    """To move it to the holding box of the area first, from where it enters a turn later."""
    into = q.world.spot(q.hex).area
    sent = by_order(
        q, "transfer-unit", f"transfer it to {into} first, and place it next turn", unit=q.unit.id, into=into
    )
    return [Remedy(each.words, replace(each.way, until=turns_on(q, 1))) for each in sent if each.way]


# --------------------------------------------------------------------------------- reserves and air units


@rule("52.A.2/2")
def strategic_reserve_is_for_inactive_fronts(q: Placing) -> Verdict:
    """Only a unit that arrives in an inactive front goes straight into strategic reserve."""
    return _front_is_inactive(q, STRATEGIC)


@rule("52.A.2/3")
def operational_reserve_is_for_inactive_fronts(q: Placing) -> Verdict:
    """Only a unit that arrives in an inactive front is placed in operational reserve."""
    return _front_is_inactive(q, OPERATIONAL)


def _front_is_inactive(q: Placing, reserve: str) -> Verdict:
    activity = q.facts.activity(q.area)
    if q.command.reserve != reserve or activity == INACTIVE:
        return YES
    return no(f"{q.area} is {activity}", remedy=_without_reserve(q, "place it on the map without a reserve marker"))


def _without_reserve(q: Placing, words: str) -> Remedy:
    """The same hex without a marker; off the map there is none to name."""
    return instead(q, words, reserve="") if q.command.at else Remedy(words)


@rule("52.A.2/2", "52.A.2/3", "52.G/2")
def no_reserve_for_the_disrupted(q: Placing) -> Verdict:
    """The free places in reserve are for replacements; a disrupted unit returns to the map as a reinforcement."""
    if not q.command.reserve:
        return YES
    clause = "52.A.2/2" if q.off_map else "52.A.2/3"
    says = f"{q.unit.id} was disrupted: it returns as a reinforcement, and only replacements go into reserve free"
    remedy = _without_reserve(q, "place it on the map without a reserve")
    return no(says, remedy=remedy, clause=clause, also=("52.G/2",))


class _AskedInstead:
    """A rule of reinforcements, put to the reinforcement that a disrupted unit is."""

    def __init__(self, asked: Rule[Any], of: Question) -> None:
        self.clauses, self.__name__, self.asked, self.of = asked.clauses, asked.__name__, asked, of

    def __call__(self, q: Any, /) -> Verdict:
        return self.asked(self.of)


@rule("52.A/7")
def air_units_arrive_inoperative(q: Placing) -> Verdict:
    """A replaced air unit arrives inoperative, at an airbase of its theatre."""
    status = q.command.status
    if not q.is_air:
        if status:
            raise BadCommand(f"{q.unit.id} is no air unit; leave status= out")
        return YES
    if status not in ("", INOPERATIVE):
        return no(f"{q.unit.id} cannot arrive {status}", remedy=instead(q, "place it inoperative", status=INOPERATIVE))
    if not q.facts.place_is(q.hex, "airbase"):
        return no(f"{q.hex} is no airbase", remedy="choose an airbase of its theatre")
    around = q.world.spot(q.hex).area
    if around and q.world.theatre_of(around) != q.world.theatre_of(q.area):
        return no(
            f"{q.hex} lies in {around}, not in the theatre of {q.area}", remedy="choose an airbase of its theatre"
        )
    return YES


# ----------------------------------------------------------------------------------------------- command


class PlaceUnit(Command, tag="place", frozen=True):
    """Put a unit whose turn has come on the map, or into reserve where its front is inactive."""

    unit: str
    at: str = ""
    """The hex; left out only with strategic reserve."""
    reserve: str = ""
    """operational or strategic, for units that arrive in an inactive front."""
    status: str = ""
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
        if self.reserve or q.reinforcement is None:
            return (no_reserve_for_the_disrupted,)
        return tuple(_AskedInstead(each, q.reinforcement) for each in q.reinforcement.command.guards(q.reinforcement))

    def besides(self, q: Placing) -> Iterator[Event]:
        return Command.besides(self, q) if q.reinforcement is None else iter(())

    def effects(self, q: Placing) -> Iterator[Event]:
        if q.reinforcement is not None:
            yield from carried_out(q.reinforcement.command, q.reinforcement)
            return
        if self.reserve not in ("", OPERATIONAL, STRATEGIC):
            raise BadCommand(f"reserve= is {OPERATIONAL} or {STRATEGIC}, not '{self.reserve}'")
        yield from _as_new(q)
        yield from _off_the_map(q) if q.off_map else _on_the_map(q)

    @classmethod
    def offers(cls, world: World, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind not in TRACKS or unit.place.due > state.clock.turn or not isinstance(world, EuropaWorld):
            return
        if is_disrupted(state, unit):
            return
        hexes = world.facts(state).by_use(world.side_now(state, unit.spec.nation), candidates(world, state, unit))
        # Where it was paid for comes before where it may appear instead.
        hexes.sort(key=lambda each: unit.place.of not in world.line_of(world.spot(each).area))
        for each in hexes:
            yield cls(unit=unit.id, at=each)
        returns = state.mark(unit_key(unit.id), FROM_STRATEGIC) is not None
        if world.facts(state).activity(unit.place.of) == INACTIVE or returns:
            for each in hexes:
                yield cls(unit=unit.id, at=each, reserve=OPERATIONAL)
            if not returns:
                yield cls(unit=unit.id, reserve=STRATEGIC)


@computed("52.A.2/4")
def _in_reserve(q: Placing, because: str) -> Event:
    """The reserve marker is all there is to it: no operational reserve points are used."""
    says = "no operational reserve points used"
    on = unit_key(q.unit.id)
    return Marked(on=on, mark="reserve", value=q.command.reserve, because=f"{because} 52.A.2/4", says=says)


def _as_new(q: Placing) -> Iterator[Event]:
    """Nothing clings to it of where it was lost: but in a pocket it is still cut off."""
    on = unit_key(q.unit.id)
    stood = () if q.area.startswith(LOCAL) else WHERE_IT_STOOD
    for mark in (*stood, *OF_ITS_FORMER_LIFE):
        if q.state.mark(on, mark) is not None:
            yield Marked(on=on, mark=mark, value=None, because="52.A/3")


def _off_the_map(q: Placing) -> Iterator[Event]:
    box = Place(STRATEGIC_BOX, NATIONAL + q.unit.spec.nation)
    yield Moved(unit=q.unit.id, frm=q.unit.place, to=box, because="52.A.2/2")
    yield _in_reserve(q, "52.A.2/2")


def _on_the_map(q: Placing) -> Iterator[Event]:
    unit, on = q.unit, unit_key(q.unit.id)
    how = "52.A/7" if q.is_air else "52.A/5" if q.facts.is_settlement(q.hex) else "52.A/6" if q.hosts else ""
    yield Moved(unit=unit.id, frm=unit.place, to=at_hex(q.hex), because=f"52.A/3 {how}".strip())
    if not retrained(q):
        yield Marked(on=place_key(q.hex), mark=PLACED, value=[*q.arrived, unit.id], because="52.A.7/1")
    if q.is_air:
        yield Marked(on=on, mark=AIR_STATUS, value=INOPERATIVE, because="52.A/7")
    if q.command.reserve:
        yield _in_reserve(q, "52.A.2/3")
    yield from shares_the_supply_of(q, q.hex, "52.A/4")


def candidates(world: EuropaWorld, state: State, unit: Unit) -> list[str]:
    """The hexes worth asking about: cities, towns and hosts of the MD, airbases, and what other headings allow."""
    facts, found = world.facts(state), []
    # A hex that nothing was said of and nobody stands in offers no place.
    spoken_of = {on.removeprefix("place/") for on in state.marks if on.startswith("place/")}
    for name in sorted(spoken_of | state.stacks.keys()):
        q = Placing(world, state, PlaceUnit(unit=unit.id, at=name))
        if q.is_air:
            fits = facts.place_is(name, "airbase")
        else:
            fits = (q.in_area and q.locations > 0) or isinstance(q.site, Yes) or _is_let_in(q)
        if fits:
            found.append(name)
    return found


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
        Fact(AIR_STATUS, ("unit",), "its air status", "", values=(INOPERATIVE, "flown", "extended", "operative")),
        Fact("turns_out_of_supply", ("unit", "place"), "the turns it has been out of supply", 0, NUMBER),
    ),
    switches=(LIMITS,),
    boxes={STRATEGIC_BOX: "STRATEGIC RESERVE BOX"},
)
