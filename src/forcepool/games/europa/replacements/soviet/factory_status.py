"""52.D.2.b and 52.D.2.c.3  The Soviet factories at a glance: what each makes, its coal and oil, and its store."""

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.calendar import Turn
from forcepool.engine.facts import place_key
from forcepool.engine.state import State
from forcepool.engine.wording import mark_in_words
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.soviet_pools import ARM, ART, SOVIET, factory_pool, held, invasion, sources_pay
from forcepool.games.europa.replacements.soviet import energy
from forcepool.games.europa.replacements.soviet.energy_damage import is_marked, number_on
from forcepool.games.europa.replacements.soviet.soviet_factories import Factory, number_of, weeks
from forcepool.games.europa.world import EuropaWorld


class EnergyLine(Struct, frozen=True):
    """A factory's line to coal or oil: whether it is open, and why or why not."""

    kind: str
    open: bool
    says: str


class FactoryStatus(Struct, frozen=True):
    """The factories of one place."""

    place: str
    area: str
    owner: str
    number: int
    producing: bool
    cut_off: bool
    makes: Mapping[str, Fraction]
    """By kind of point, on a production turn as things stand."""
    at_best: Mapping[str, Fraction]
    next: str
    """The production turn that comes next."""
    lines: tuple[EnergyLine, ...]
    turns_out: int
    grace: int
    """Turns of want that cost nothing."""
    store: Mapping[str, Fraction]
    """What an isolated factory has piled up."""

    @property
    def works(self) -> bool:
        return self.producing and self.owner in ("", SOVIET)


class SourceStatus(Struct, frozen=True):
    """A place that yields coal or oil, or will."""

    place: str
    kind: str
    owner: str
    works: bool
    says: str
    clause: str


class FactoryStatuses(Struct, frozen=True):
    """Everything about factories."""

    factories: tuple[FactoryStatus, ...]
    sources: tuple[SourceStatus, ...]
    paid: bool
    """Whether cities and factories send anything yet."""
    invaded: bool

    @property
    def makes(self) -> dict[str, Fraction]:
        """What all of them send to the general pools on a production turn."""
        total: dict[str, Fraction] = {}
        for each in self.factories:
            for kind, amount in each.makes.items() if each.works and not each.cut_off else ():
                total[kind] = total.get(kind, Fraction(0)) + amount
        return total


def has_factories(world: EuropaWorld) -> bool:
    return bool(world.chart("soviet_factories"))


def factory_statuses(world: EuropaWorld, state: State) -> FactoryStatuses:
    """Every factory and every source of coal and oil, in order of their names."""
    facts = world.facts(state)
    rates: dict[str, Factory] = dict(world.chart("soviet_factories"))
    places = sorted({*rates, *facts.places_with("producing"), *facts.places_with("factories")})
    return FactoryStatuses(
        factories=tuple(_factory(world, state, place, rates.get(place, Factory())) for place in places),
        sources=tuple(_sources(world, state, facts)),
        paid=sources_pay(world, state),
        invaded=invasion(world, state) is not None,
    )


def _factory(world: EuropaWorld, state: State, place: str, factory: Factory) -> FactoryStatus:
    facts = world.facts(state)
    number, share = number_of(world, state, place), energy.output_share(world, state, place)
    at_best = {kind: rate * number for kind, rate in ((ARM, factory.arm), (ART, factory.art)) if rate}
    owner, producing = facts.owner(place), facts.place_is(place, "producing")
    works = producing and owner in ("", SOVIET)
    return FactoryStatus(
        place=place,
        area=world.spot(place).area,
        owner=owner,
        number=number,
        producing=producing,
        cut_off=owner in ("", SOVIET) and facts.is_cut_off(SOVIET, place),
        makes={kind: amount * share for kind, amount in at_best.items()} if works else {},
        at_best=at_best,
        next=_next_turn(world, state, factory),
        lines=tuple(_line(world, state, facts, place, kind) for kind in energy.ENERGIES) if works else (),
        turns_out=energy.turns_out(world, state, place),
        grace=int(energy.grace(world)),
        store=held(state, factory_pool(place)),
    )


def _next_turn(world: EuropaWorld, state: State, factory: Factory) -> str:
    """The next turn of the calendar on which it produces, this one included."""
    on = weeks(world, factory)
    turns = range(state.clock.turn, state.clock.turn + world.calendar.turns_per_month)
    return next((world.turn_name(turn) for turn in turns if world.calendar.week(Turn(turn)) in on), "")


def _line(world: EuropaWorld, state: State, facts: EuropaFacts, place: str, kind: str) -> EnergyLine:
    on, fact = place_key(place), f"{kind}_line"
    traced = facts.reason(on, fact).removeprefix(": ")
    said = facts.declared(on, fact)
    declared = "" if said is None else f"as declared: {mark_in_words(world, fact, said)}"
    found = energy.has_line(world, state, place, kind)
    return EnergyLine(kind, found, traced or declared or ("nobody has said otherwise" if found else "it has no source"))


def _sources(world: EuropaWorld, state: State, facts: EuropaFacts) -> list[SourceStatus]:
    found = []
    for place, row in energy.source_rows(world, facts):
        begun = not row.from_ or energy.has_begun(world, state, row)
        working = place in energy.sources(world, state, row.kind)
        says = "works" if working else _why_not(facts, place, row.from_ if not begun else "")
        found.append(SourceStatus(place, row.kind, facts.owner(place), working, says, row.clause))
    return sorted(found, key=lambda each: (each.kind, each.place))


def _why_not(facts: EuropaFacts, place: str, date: str) -> str:
    if date:
        return f"from {date} on"
    if is_marked(facts, place, energy.DAMAGE_DUE):
        return "its damage is still to be rolled"
    left = number_on(facts, place)
    if is_marked(facts, place, energy.DESTROYED):
        return f"destroyed{f', repaired in {left}' if left else ''}"
    return f"damaged, marker {left}" if left else "not in Soviet hands"
