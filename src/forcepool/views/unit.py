"""A unit: what it is, what holds for it, how it got there, and what can be done with it."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.acts import act_in_words, order_in_words
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import Command, command_name
from forcepool.engine.events import Event, Marked, Overruled, Transferred
from forcepool.engine.facts import unit_key
from forcepool.engine.game import Effect
from forcepool.engine.journal import Entry
from forcepool.engine.options import Choice, options
from forcepool.engine.state import State, Unit
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import No
from forcepool.engine.wording import counter_in_words, event_said, markers, unit_in_words, without_repeats
from forcepool.engine.world import World
from forcepool.views.journal import counting_entries_about, dated, moment, titles_of
from forcepool.views.said import act_said, sentence_said

# ----------------------------------------------------------------------------------------------------- facts


class Spot(Struct, frozen=True):
    """A place by its kind and what it belongs to."""

    kind: str
    of: str


class UnitFacts(Struct, frozen=True):
    """A unit in words."""

    unit: str
    counter: str
    nation: str
    side: str
    type: str
    size: str
    step: str
    strength: str
    place: Spot
    where: str
    due: str
    marks: tuple[str, ...]
    """Its markers as the rules keep them."""
    marks_said: tuple[str, ...]
    """Its markers as players say them."""
    effects: tuple[Effect, ...]
    """What holds for it on the map, such as 'may not fire AA'."""


def unit_facts(world: World, state: State, unit: Unit) -> UnitFacts:
    """All that can be said of a unit at this moment."""
    listed = tuple(markers(world, state, unit_key(unit.id)))
    return UnitFacts(
        unit=unit.id,
        counter=counter_in_words(unit.spec),
        nation=unit.spec.nation,
        side=world.side_now(state, unit.spec.nation),
        type=unit.spec.type,
        size=unit.spec.size,
        step=unit.step,
        strength=str(unit.spec.strength(unit.step)),
        place=Spot(unit.place.kind, unit.place.of),
        where=world.show_place(unit.place),
        due=world.turn_name(unit.place.due) if unit.place.due else "",
        marks=tuple(each.kept for each in listed),
        marks_said=tuple(sentence_said(each.said) for each in listed),
        effects=tuple(effects_on(world, state, unit)),
    )


def effects_on(world: World, state: State, unit: Unit) -> list[Effect]:
    """What holds for a unit on the map by clauses of our subject, such as 'may not fire AA'."""
    return [effect for shows in world.game.shows for effect in shows(world, state, unit)]


# --------------------------------------------------------------------------------------------------- options


class Reason(Struct, frozen=True):
    """Why not: the clause, what it says, both numbers and the gap, and what would help."""

    clause: str
    says: str
    remedy: str
    have: Fraction | None
    need: Fraction | None
    gap: Fraction | None
    units: tuple[str, ...]
    sentence: str


class Grant(Struct, frozen=True):
    """The exception by which an order passes."""

    clause: str
    says: str


class Option(Struct, frozen=True):
    """One way to give one order for a unit: open with its cost and arrival, closed with every reason."""

    command: str
    typed: str
    """The order as one would type it."""
    fields: Command
    open: bool
    final: bool
    """True when it cannot be overruled either."""
    cost: Mapping[str, Fraction]
    working: str
    arrives: str
    die: str
    allowed: tuple[Grant, ...]
    reasons: tuple[Reason, ...]


def reason(no: No) -> Reason:
    """A refusal's reason as data, its sentences made of parts."""
    return Reason(no.clause, no.sentence, no.advice, no.have, no.need, no.gap, no.units, no.whole)


def option(world: World, choice: Choice) -> Option:
    """An option as plain data."""
    return Option(
        command=command_name(choice.command),
        typed=order_in_words(choice.command),
        fields=choice.command,
        open=choice.open,
        final=choice.final,
        cost=dict(choice.cost),
        working=choice.working,
        arrives=world.turn_name(choice.arrives) if choice.arrives else "",
        die=choice.die,
        allowed=tuple(Grant(each.because, each.sentence) for each in choice.allowed),
        reasons=tuple(reason(each) for each in choice.reasons),
    )


# --------------------------------------------------------------------------------------------------- history


Sees = Callable[[Event], bool]


class Happening(Struct, frozen=True):
    """One entry's part in a unit's history."""

    entry: int
    when: str
    command: str
    words: tuple[str, ...]
    clauses: Mapping[str, str]
    """The clauses behind it, with their titles."""
    said: str = ""
    """The command as one says it across the table."""


class UnitHistory(Struct, frozen=True):
    """Where a unit began, all that happened to it, and where it is now."""

    unit: str
    began: str
    """Nothing for a counter that joined later."""
    lines: tuple[Happening, ...]
    now: str


def unit_history(campaign: Campaign, unit: Unit, sees: Sees = lambda event: True) -> UnitHistory:
    """The history of a unit, undone entries left out, and of each entry only what may be seen."""
    began = next((each for each in campaign.beginning.state.units if each.id == unit.id), None)
    return UnitHistory(
        unit=unit.id,
        began=unit_in_words(campaign.world, began) if began else "",
        lines=tuple(
            _happening(campaign, entry, unit, sees) for entry in counting_entries_about(campaign, unit_key(unit.id))
        ),
        now=unit_in_words(campaign.world, unit),
    )


def _happening(campaign: Campaign, entry: Entry, unit: Unit, sees: Sees) -> Happening:
    ordered = act_in_words(entry)
    found = [(at, event) for at, event in dated(entry) if _concerns(event, unit, unit.id in ordered) and sees(event)]
    events = [event for _, event in found]
    return Happening(
        entry=entry.n,
        when=moment(campaign, found[0][0] if found else entry.at),
        command=ordered,
        words=tuple(event_said(campaign.world, event) for event in without_repeats(events)),
        clauses=titles_of(" ".join(event.because for event in events)),
        said=act_said(entry),
    )


def _concerns(event: Event, unit: Unit, ordered: bool) -> bool:
    """Whether an event is the unit's own, or what was paid for it by an order that names it."""
    return (
        getattr(event, "unit", "") == unit.id
        or (isinstance(event, Marked) and event.on == unit_key(unit.id))
        or (ordered and isinstance(event, Transferred | Overruled))
    )


# ------------------------------------------------------------------------------------------------------ card


class UnitCard(Struct, frozen=True):
    """Everything about one unit on one card."""

    spec: UnitSpec
    facts: UnitFacts
    areas: tuple[str, ...]
    """The areas it is under, the smallest first."""
    open: tuple[Option, ...]
    closed: tuple[Option, ...]
    history: UnitHistory


def unit_card(campaign: Campaign, unit: Unit, sees: Sees = lambda event: True) -> UnitCard:
    """The card of a unit: facts, options open and closed, and its history as far as it may be seen."""
    world, state = campaign.world, campaign.state
    found = [option(world, each) for each in options(world, state, unit)]
    return UnitCard(
        spec=unit.spec,
        facts=unit_facts(world, state, unit),
        areas=tuple(world.areas_of(unit, state) or ()),
        open=tuple(each for each in found if each.open),
        closed=tuple(each for each in found if not each.open),
        history=unit_history(campaign, unit, sees),
    )
