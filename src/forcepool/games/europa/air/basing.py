"""28.D.1/5 to /7  Repaired and replaced units return: inoperative, at an airbase of their theatre, or at home."""

from forcepool.engine.sentence import the_place, the_places, the_pool
from forcepool.engine.verdicts import YES, Remedy, Verdict, Way, Yes, no, rule, yes
from forcepool.games.europa.air.question import can_take, in_theatre, is_air, is_airbase, unisolated_bases, why_not
from forcepool.games.europa.air.reinforcements import PlaceAir
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.placing import INOPERATIVE, Placing
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.own_phase import is_own
from forcepool.games.europa.question import in_phase_of, instead
from forcepool.games.europa.replacements.general.placement import PlaceUnit, elsewhere
from forcepool.games.europa.world import REINFORCEMENT_TRACK


def _theatre(q: Placing) -> str:
    return q.world.theatre_of(q.area)


def _at_home(q: Placing) -> bool:
    """Any airbase that can take the unit in its home country."""
    country = q.world.country_of(q.world.spot(q.hex).area)
    return country == q.unit.spec.nation and can_take(q.facts, q.side, q.nation, q.hex)


def _bases(q: Placing) -> list[str]:
    return unisolated_bases(q.facts, q.side, q.nation, _theatre(q))


@rule("28.C/1")
def reinforcements_do_not_wait_for_replacements(q: Placing) -> Verdict:
    """Air reinforcements are placed in the reinforcement phase, by their own rule."""
    if not (is_air(q.world, q.unit) and q.unit.place.kind == REINFORCEMENT_TRACK):
        return YES
    return no(f"{q.unit} is a reinforcement", remedy=_with_place_air(q))


def _with_place_air(q: Placing) -> Remedy:
    """To place it with place-air, now or in the next reinforcement phase."""
    words, order = (
        f"place it in the {q.world.phase_called(REINFORCEMENT)} (place-air)",
        PlaceAir(unit=q.unit.id, at=q.hex),
    )
    if is_own(q, REINFORCEMENT) and q.unit.place.is_reached(q.state.clock.turn):
        return Remedy(words, Way(instead=order))
    wait = in_phase_of(q, max(q.state.clock.turn, q.unit.place.due), REINFORCEMENT, words)
    return Remedy(words, Way(until=wait.way.until, instead=order) if wait.way else None)


@rule("28.D.1/5")
def returns_to_its_theatre(q: Placing) -> Verdict:
    """An airbase of the theatre whose ARPs rebuilt it."""
    if not q.is_air or q.off_map:
        return YES
    if in_theatre(q.world, q.hex, _theatre(q)) or (not _bases(q) and _at_home(q)):
        return YES
    return no(f"{the_place(q.hex)} lies outside {the_pool(_theatre(q))}", remedy=elsewhere(q))


@rule("28.D.1/6", "28.D.1/7")
def base_is_unisolated_if_possible(q: Placing) -> Verdict:
    """An unisolated airbase with room in the theatre, or else any available one in the home country."""
    if not q.is_air or q.off_map or not is_airbase(q.facts, q.hex):
        return YES
    bases = _bases(q)
    if q.hex in bases:
        return YES
    if bases:
        why = "is isolated" if q.facts.is_cut_off(q.side, q.hex) else "cannot take it"
        return no(
            f"{the_place(q.hex)} {why}, {the_places(bases)} can",
            remedy=instead(q, f"choose {the_place(bases[0])}", at=bases[0]),
        )
    if _at_home(q):
        return yes("28.D.1/7", "no unisolated airbase in the theatre")
    return no(
        f"no unisolated airbase of {the_pool(_theatre(q))} can take it now, and {_why_not_there(q)}",
        remedy=elsewhere(q),
        clause="28.D.1/7",
        also=("28.D.1/6",),
    )


def _why_not_there(q: Placing) -> str:
    """Why the airbase named will not do either."""
    if not in_theatre(q.world, q.hex, _theatre(q)):
        return f"{the_place(q.hex)} is no available one in {q.unit.spec.nation}"
    if can_take(q.facts, q.side, q.nation, q.hex):
        return f"{the_place(q.hex)} is isolated"
    return why_not(q.facts, q.side, q.nation, q.hex)


def home_will_do(q: Placing) -> Yes | None:
    """Outside its theatre too, if the theatre has no unisolated airbase."""
    returns = q.command.status in ("", INOPERATIVE) and is_airbase(q.facts, q.hex)
    return yes("28.D.1/7") if returns and not _bases(q) and _at_home(q) else None


CHAPTER = Chapter(
    heading="28.D.1",
    guards={
        PlaceUnit: (
            reinforcements_do_not_wait_for_replacements,
            returns_to_its_theatre,
            base_is_unisolated_if_possible,
        )
    },
    waivers={"52.A/7": (home_will_do,)},
)
