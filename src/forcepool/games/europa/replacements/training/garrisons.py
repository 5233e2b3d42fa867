"""52.I.2.a  German training, reserve and replacement units in garrisons: what their MD produces, and who may appear."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from forcepool.engine.agenda import NEWS, Item
from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import ANY, PLAYER_TURN, POINTS, TAKEN_BACK, WORDS, YES_NO, Fact, subject_key, unit_key
from forcepool.engine.given import UnitName
from forcepool.engine.places import OUT, TRACK, Place
from forcepool.engine.points import parse_points, show_counted, store_points
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.centres import is_centre
from forcepool.games.europa.ground.ownership import take_off
from forcepool.games.europa.ground.placing import rejoins
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.soviet_pools import MD, md_pool
from forcepool.games.europa.ground.standing import GARRISON, GARRISON_BOX
from forcepool.games.europa.question import Appears, EuropaQuestion
from forcepool.games.europa.replacements.general.placement import PlaceUnit
from forcepool.games.europa.world import ELIMINATED, FORMING, ISOLATED, REINFORCEMENT_TRACK, EuropaWorld
from forcepool.rulebook.citations import COMPUTED, computed, heard, meets_one_of

GERMANY, AXIS, INF = "Germany", "Axis", "inf"
GARRISON_ACTIVE, GARRISON_RES = "garrison_active", "garrison_res"
TRAINING_ACTIVATED, RES_AT_ACTIVATION = "training_activated", "res_at_activation"
APPEARED, WAITED = "appeared", "garrison_wait"

LOST_TO_IT = (ELIMINATED, ISOLATED, TRACK, FORMING, REINFORCEMENT_TRACK, OUT)
"""Where a unit is that was of a garrison and is so no more: lost, bought back, or out of play."""

PRODUCTION = switch(
    "garrison-production",
    "52.I.2.a.1/1",
    "which MDs' infantry production depends on the training units in their garrison",
    activated="those whose training, reserve or replacement units were activated, by what is left at each receipt",
    always="every MD of Germany, by what it has at each receipt",
    at_activation="those whose training units were activated, by what was left at that moment, for good",
)
LIMIT = switch(
    "garrison-limit",
    "52.I.2.a.4/1",
    "what the training units in an MD's garrison limit",
    activated="reinforcements of the OB, in MDs whose training units were activated",
    every_unit="every unit that appears in such an MD, replaced ones too",
    always="reinforcements of the OB, in every MD of Greater Germany",
)
DELAYED = switch(
    "garrison-delayed",
    "52.I.2.a.4/2",
    "whether a delayed unit counts on the turn it is delayed to",
    counts="it counts with that turn's own arrivals",
    beyond="it comes in beyond the limit",
)
FRACTION = switch(
    "garrison-fraction",
    "52.I.2.a.4/3",
    "what a fraction of a RE in garrison lets in",
    none="nothing: one unit for each full RE",
    one="one unit more",
)


# ----------------------------------------------------------------------------------------- who is in garrison


@computed("52.I.2.a/1")
def in_garrison(world: EuropaWorld, state: State, md: str) -> list[Unit]:
    """The German training, reserve and replacement units that are part of an MD's garrison, in order."""
    named = {on.removeprefix("unit/") for on in state.marked.get(GARRISON, ())}
    named |= {unit.id for unit in state.units_at(GARRISON_BOX)}
    units = (state.units[each] for each in sorted(named) if each in state.units)
    there = (unit for unit in units if is_of_the_garrison(state, unit, md) and unit.place.kind not in LOST_TO_IT)
    return [unit for unit in there if unit.spec.nation == GERMANY and is_centre(world, unit.spec)]


def is_of_the_garrison(state: State, unit: Unit, md: str) -> bool:
    """Whether a unit is part of an MD's garrison: as is said of it wherever it stands, or in the MD's box."""
    return garrison_of(state, unit) == md


def garrison_of(state: State, unit: Unit) -> str:
    """The MD whose garrison a unit is in; empty if it is in none."""
    said = state.mark(unit_key(unit.id), GARRISON)
    if said is not None and said.value:
        return md_pool(str(said.value))
    return unit.place.of if unit.place.kind == GARRISON_BOX else ""


def garrison_res(world: EuropaWorld, state: State, md: str) -> Fraction:
    """The REs of such units in an MD's garrison: as declared, else those of the units listed there."""
    said = world.facts(state).of_area(md, GARRISON_RES)
    if said is not None:
        return parse_points(str(said))
    return sum((world.res(unit.spec, unit.step) for unit in in_garrison(world, state, md)), Fraction(0))


def is_activated(world: EuropaWorld, state: State, md: str) -> bool:
    """Whether training, reserve or replacement units of the MD's garrison were activated."""
    return world.facts(state).of_area(md, TRAINING_ACTIVATED) is True


# ------------------------------------------------------------------------------------------------ production

Produced = tuple[Mapping[str, Fraction], str, str]
"""The points that are received, the clause that changed them, and the working."""


def produced(world: EuropaWorld, state: State, nation: str, pool: str, points: Mapping[str, Fraction]) -> Produced:
    """What an MD of Germany receives of its production; what goes to other pools is not touched."""
    if nation != GERMANY or not pool.startswith(MD) or INF not in points:
        return points, "", ""
    ruled = world.ruling(state, PRODUCTION.key)
    if ruled != "always" and not is_activated(world, state, pool):
        return points, "", ""
    res = garrison_res(world, state, pool)
    if ruled == "at-activation":
        then = world.facts(state).of_area(pool, RES_AT_ACTIVATION)
        res = res if then is None else parse_points(str(then))
    share, clause = share_produced(world, res)
    working = f"{show_counted(res, 'RE')} of training units in garrison" if share != 1 else ""
    return {**points, INF: points[INF] * share}, clause, working


@meets_one_of("52.I.2.a.1/1", "52.I.2.a.2/1", "52.I.2.a.3/1")
def share_produced(world: EuropaWorld, res: Fraction) -> tuple[Fraction, str]:
    """All of its infantry production with 4 REs in garrison, half with 1, none with less."""
    if res >= world.numbers["garrison_full"]:
        share, clause = Fraction(1), "52.I.2.a.1/1"
    elif res >= world.numbers["garrison_some"]:
        share, clause = world.numbers["garrison_reduced"], "52.I.2.a.2/1"
    else:
        share, clause = Fraction(0), "52.I.2.a.3/1"
    heard(clause, COMPUTED)
    return share, clause


# ------------------------------------------------------------------------------------------ reinforcements


def may_appear(world: EuropaWorld, state: State, md: str) -> int | None:
    """How many units may appear in an MD in one Axis reinforcement phase; None where nothing limits them."""
    if not md.startswith(MD) or world.country_of(md) != GERMANY:
        return None
    if world.ruling(state, LIMIT.key) != "always" and not is_activated(world, state, md):
        return None
    res = garrison_res(world, state, md) / world.numbers["garrison_res_a_unit"]
    whole = res.numerator // res.denominator
    return whole + (res > whole and world.ruling(state, FRACTION.key) == "one")


def have_appeared(world: EuropaWorld, state: State, md: str) -> list[str]:
    """The units that count among those that appeared in an MD this player-turn."""
    said = world.facts(state).of_area(md, APPEARED)
    units = said if isinstance(said, list) else []
    if world.ruling(state, DELAYED.key) == "counts":
        return units
    return [each for each in units if not state.mark(unit_key(each), WAITED)]


def _is_counted(q: Any) -> bool:
    """Whether a unit about to appear is one the limit is for."""
    if not _reinforces(q.state, q.unit):
        return bool(q.switch(LIMIT.key) == "every-unit")
    return not (q.switch(DELAYED.key) == "beyond" and q.state.mark(unit_key(q.unit.id), WAITED))


def _reinforces(state: State, unit: Unit) -> bool:
    """Whether a unit comes as a reinforcement; one back from a training unit was here before."""
    return unit.place.kind == REINFORCEMENT_TRACK and not rejoins(state, unit)


def md_of(q: Any) -> str:
    """The MD a unit is to appear in: that of the hex, else that of its track."""
    around = q.world.spot(q.hex).area if q.hex else ""
    return around or q.unit.place.of


@rule("52.I.2.a.4/1", "52.I.2.a.4/3")
def a_place_is_left(q: Any) -> Verdict:
    """One unit appears in an MD of Greater Germany for each RE of training units in its garrison."""
    md = md_of(q)
    room = may_appear(q.world, q.state, md)
    if room is None or q.side != AXIS or not _is_counted(q):
        return YES
    before = have_appeared(q.world, q.state, md)
    if len(before) < room:
        return YES
    res = show_counted(garrison_res(q.world, q.state, md), "RE")
    already = f", {len(before)} already" if before else ""
    return no(
        f"{the_pool(md)} has {res} of training, reserve and replacement units in garrison: {room} may appear{already}",
        remedy=f"let {q.unit} wait, or put more such units into the garrison",
        clause="" if room else "52.I.2.a.4/3",
        have=Fraction(len(before) + 1),
        need=Fraction(room),
    )


def appearing(q: Any) -> Iterator[Event]:
    """Counts a unit that appears in an MD; whatever brings one onto the map adds this to what it does."""
    md = md_of(q)
    if q.side == AXIS and _is_counted(q) and may_appear(q.world, q.state, md) is not None:
        said = q.world.facts(q.state).of_area(md, APPEARED)
        units = said if isinstance(said, list) else []
        yield Marked(on=subject_key("area", md), mark=APPEARED, value=[*units, q.unit.id], because="52.I.2.a.4/1")


def listed_for(world: EuropaWorld, state: State, unit: Unit) -> list[str]:
    """The MDs a reinforcement may appear in: those listed that are not lost, else that of its track."""
    named = [area for each in world.game.listed_for for area in each(world, state, unit)]
    return [area for area in named or [unit.place.of] if area.startswith(MD)]


def waiting(world: EuropaWorld, state: State) -> Iterator[tuple[str, list[Unit], int]]:
    """The MDs with reinforcements due, the units, and how many more may appear; MDs without a limit are left out."""
    due: dict[str, list[Unit]] = {}
    for unit in state.units.values():
        if _reinforces(state, unit) and unit.place.due <= state.clock.turn:
            for md in listed_for(world, state, unit):
                due.setdefault(md, []).append(unit)
    for md, units in sorted(due.items()):
        room = may_appear(world, state, md)
        if room is not None:
            left = max(0, room - len(have_appeared(world, state, md)))
            yield md, sorted(units, key=lambda each: each.id), left


def delays(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As the Axis reinforcement phase ends, units that the limit kept out wait two turns more."""
    if world.phase(state) != REINFORCEMENT or world.phasing(state) != AXIS:
        return
    full = {md: units for md, units, left in waiting(world, state) if not left}
    for unit in dict.fromkeys(unit for units in full.values() for unit in units):
        mds = listed_for(world, state, unit)
        if all(md in full for md in mds):
            yield from _delayed(world, state, unit, " and ".join(mds))


@computed("52.I.2.a.4/2")
def _delayed(world: EuropaWorld, state: State, unit: Unit, mds: str) -> Iterator[Event]:
    turn = state.clock.turn + int(world.numbers["garrison_delay"])
    to = Place(REINFORCEMENT_TRACK, unit.place.of, turn)
    says = f"kept out by the garrison of {the_pool(mds)}"
    yield Moved(unit=unit.id, frm=unit.place, to=to, because="52.I.2.a.4/2", says=says)
    yield Marked(on=unit_key(unit.id), mark=WAITED, value=True, because="52.I.2.a.4/2")


def room_left(world: EuropaWorld, state: State) -> Iterator[Item]:
    """How many of the reinforcements that are due may appear in each MD."""
    if world.phase(state) == REINFORCEMENT and world.phasing(state) == AXIS:
        for md, units, left in waiting(world, state):
            may = f"{min(left, len(units))} of {len(units)} reinforcements due may appear"
            text = f"{the_pool(md)}: {may} ({', '.join(map(format, units))})"
            yield Item(NEWS, text, "52.I.2.a.4/1", AXIS)


# -------------------------------------------------------------------------------------------- activating


class Activating(EuropaQuestion):
    """A unit in garrison that is to be activated."""

    @lazy
    def md(self) -> str:
        """The MD whose garrison it is in; empty if it is in none."""
        return garrison_of(self.state, self.unit)


@rule("52.I.2.a/1")
def is_in_a_garrison(q: Activating) -> Verdict:
    """Only a German training, reserve or replacement unit in a garrison is activated so."""
    if q.md and q.unit.spec.nation == GERMANY and is_centre(q.world, q.unit.spec):
        return YES
    return no(f"{q.unit} is no German training, reserve or replacement unit in a garrison")


@rule("52.I.2.a/1")
def its_garrison_is_activated(q: Activating) -> Verdict:
    """They are activated along with the other forces of the garrison, when that is activated."""
    if q.world.facts(q.state).of_area(q.md, GARRISON_ACTIVE) is True:
        return YES
    return no(
        f"the garrison of {the_pool(q.md)} is not activated",
        remedy=f"declare garrison_active of {the_pool(q.md)} once it is",
    )


class ActivateTraining(Command, tag="activate-training", frozen=True):
    """Take a German training, reserve or replacement unit out of the garrison of an activated MD."""

    unit: UnitName

    question = Activating
    needs = (is_in_a_garrison,)
    requires = (its_garrison_is_activated,)

    def effects(self, q: Activating) -> Iterator[Event]:
        area, left = subject_key("area", q.md), garrison_res(q.world, q.state, q.md)
        left = max(Fraction(0), left - q.world.res(q.unit.spec, q.unit.step))
        yield from take_off(q.state, unit_key(q.unit.id), GARRISON, "52.I.2.a/1")
        yield Marked(on=area, mark=TRAINING_ACTIVATED, value=True, because="52.I.2.a/1")
        yield Marked(on=area, mark=RES_AT_ACTIVATION, value=store_points(left), because="52.I.2.a/1")
        if q.world.facts(q.state).of_area(q.md, GARRISON_RES) is not None:
            yield Marked(on=area, mark=GARRISON_RES, value=store_points(left), because="52.I.2.a/1")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if garrison_of(state, unit):
            yield cls(unit=unit.id)


def declared_activated(q: Any) -> Iterator[Event]:
    """What the garrison has at the moment its training units are declared activated."""
    if q.value:
        md = q.on.removeprefix(subject_key("area", ""))
        yield Marked(on=q.on, mark=RES_AT_ACTIVATION, value=store_points(garrison_res(q.world, q.state, md)))


FACTS = (
    Fact(
        GARRISON,
        ("unit",),
        "the MD in whose garrison it is",
        "",
        said={ANY: f"in the garrison of {the_pool('{}')}", TAKEN_BACK: "no longer in a garrison"},
    ),
    Fact(GARRISON_ACTIVE, ("area",), "its garrison has been activated", False, YES_NO),
    Fact(TRAINING_ACTIVATED, ("area",), "training units of its garrison have been activated", False, YES_NO),
    Fact(GARRISON_RES, ("area",), "REs of training, reserve and replacement units in its garrison", None, POINTS),
    Fact(RES_AT_ACTIVATION, ("area",), "what its garrison had left on activation", None, POINTS, by_hand=False),
    Fact(APPEARED, ("area",), "units that appeared there", [], WORDS, lasts=PLAYER_TURN, by_hand=False),
    Fact(WAITED, ("unit",), "the limit of a garrison has kept it waiting", False, YES_NO, by_hand=False),
)

CHAPTER = Chapter(
    heading="52.I.2.a",
    commands=(ActivateTraining,),
    facts=FACTS,
    switches=(PRODUCTION, LIMIT, DELAYED, FRACTION),
    declared={TRAINING_ACTIVATED: (declared_activated,)},
    stands={TRAINING_ACTIVATED: (declared_activated,)},
    guards={Appears: (a_place_is_left,), PlaceUnit: (a_place_is_left,)},
    also={Appears: (appearing,), PlaceUnit: (appearing,)},
    ends=(delays,),
    agenda=(room_left,),
)
