"""The order of battle: units that are not there when an entry asks for them, and entries no rule lets through."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from forcepool.engine.lint import Finding
from forcepool.engine.places import OUT, OUT_OF_PLAY
from forcepool.engine.points import show_amounts, show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.units import FULL
from forcepool.files.yamltext import Document
from forcepool.games.europa.given import OB
from forcepool.games.europa.ground.soviet_pools import SOVIET_UNION
from forcepool.games.europa.lint.mentions import entries
from forcepool.games.europa.reinforcements.declared import unreadable
from forcepool.games.europa.reinforcements.disbanding import DISBAND, INF, SOVIET, is_of_infantry_type
from forcepool.games.europa.reinforcements.entries import IGNORED, direction, nationality, side_of, strength_listed
from forcepool.games.europa.reinforcements.forming_question import component
from forcepool.games.europa.reinforcements.withdrawing import cost_of
from forcepool.games.europa.world import MIX, EuropaWorld
from forcepool.orderofbattle import model
from forcepool.orderofbattle.comings import comes_twice, never_arrives, without_partner
from forcepool.orderofbattle.declarations import declarations
from forcepool.orderofbattle.lint import out_of_order
from forcepool.orderofbattle.model import Entry, Item, OrderOfBattle
from forcepool.orderofbattle.shape import misshapen
from forcepool.orderofbattle.words import BRINGS, FREE_TEXT, VERBS

AT_START, FORM = "at start", "form"
FORFEITS = ("withdraw", "transfer")


def _ob(world: EuropaWorld, listed: tuple[Entry, ...]) -> OrderOfBattle:
    calendar = world.profile.calendar
    return OrderOfBattle(listed, turns_a_month=calendar.turns_per_month, roman=calendar.roman)


def written_wrongly(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """What the order of battle gets wrong by itself, whatever the scenario sets up."""
    ob = _ob(world, entries(world))
    found = [*out_of_order(ob), *comes_twice(ob), *without_partner(ob)]
    found += [each for entry in ob.entries for each in misshapen(entry)]
    yield from map(_of_the_ob, found)


def units_that_are_not_there(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Withdrawals, conversions and the like of units that are neither set up nor brought in by then."""
    coming = tuple(_named(world, entry) for entry in entries(world) if _is_to_come(world, state, entry))
    yield from map(_of_the_ob, never_arrives(_ob(world, (_set_up(world, state), *coming))))


def _of_the_ob(found: model.Finding) -> Finding:
    return Finding((OB,), found.text, found.hint, found.clause, found.line)


def _is_to_come(world: EuropaWorld, state: State, entry: Entry) -> bool:
    """What is listed at start is among the units already, and what lies behind has been done."""
    turn = world.calendar.parse(entry.turn).turn if entry.turn else None
    return entry.verb != AT_START and (turn is None or turn >= state.clock.turn)


def _named(world: EuropaWorld, entry: Entry) -> Entry:
    """The same entry with its nations by the names of the profile, as the units have them."""
    items = [tuple(_contingent(world, item) for item in each) for each in (entry.items, entry.results)]
    nation = _adjective(world, world.nation_named(entry.nation)) if entry.nation else ""
    return replace(entry, nation=nation, items=items[0], results=items[1])


def _contingent(world: EuropaWorld, item: Item) -> Item:
    own = _adjective(world, world.nation_named(item.contingent)) if item.contingent else ""
    return replace(item, contingent=own)


def _adjective(world: EuropaWorld, nation: str) -> str:
    return world.profile.nations[nation].adjective or nation


def _set_up(world: EuropaWorld, state: State) -> Entry:
    """The units of the scenario as one entry, each for its own nation."""
    here = [unit for unit in state.units_in_order() if unit.place.kind not in (OUT, MIX)]
    items = tuple(Item(spec=unit.spec, contingent=_adjective(world, unit.spec.nation)) for unit in here)
    return Entry(key=AT_START, line=0, verb=AT_START, items=items)


# ---------------------------------------------------------------------------------- what the rules never grant


def never_disbanded(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Others than the Soviets disband units of infantry types only."""
    for entry in entries(world):
        if entry.verb != DISBAND or side_of(world, state, entry) == SOVIET:
            continue
        for item in entry.items:
            spec = item.spec and replace(item.spec, nation=nationality(world, entry, item))
            if spec and not is_of_infantry_type(world, spec):
                text = f"disband: {spec.type} {spec.size} is no infantry type, and only the Soviets disband others"
                yield Finding((OB,), text, "make it a withdrawal, or take the line out", "51.B.5.d/1", entry.line)


def never_formed(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """A division is formed out of smaller units whose cost meets its own, kind by kind."""
    for entry in entries(world):
        for item in entry.items if entry.verb == FORM else ():
            if item.spec is None:
                continue
            nation = nationality(world, entry, item)
            spec = replace(item.spec, nation=nation)
            there = _components(world, state, nation)
            for kind, amount in sorted((entry.cost or cost_of(world, spec)).items()):
                if amount > there[kind]:
                    text = (
                        f"form: {spec.type} {spec.size} takes {show_points(amount)} {kind} in smaller units, and all "
                        f"that could be given up for {kind} come to {show_points(there[kind])}"
                    )
                    hint = "bring such units in, or change what it is formed for"
                    yield Finding((OB,), text, hint, "51.B.6/9", entry.line)


def _components(world: EuropaWorld, state: State, nation: str) -> defaultdict[str, Fraction]:
    """What all units of a nation that may be given up for a division come to, by kind, those to come included."""
    found: defaultdict[str, Fraction] = defaultdict(Fraction)
    units = [unit for unit in state.units.values() if unit.spec.nation == nation]
    for entry in entries(world):
        brought = entry.items if VERBS[entry.verb].effect == BRINGS and entry.verb != AT_START else entry.results
        for item in brought:
            if item.spec and nationality(world, entry, item) == nation:
                units += [Unit("", replace(item.spec, nation=nation), OUT_OF_PLAY, FULL)] * item.count
    for unit in units:
        if (row := component(world, unit)) is not None:
            found[row.kind] += sum(cost_of(world, unit.spec).values(), Fraction(0))
    return found


def prices_against_the_rules(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """What a unit of the pool forfeits when it is withdrawn is its replacement cost, which the rules reckon."""
    for entry in entries(world):
        for item in entry.items if entry.verb in FORFEITS and entry.cost else ():
            if item.spec is None:
                continue
            spec = replace(item.spec, nation=nationality(world, entry, item))
            costs = world.of_its_force(spec, cost_of(world, spec, strength_listed(item)[1]))
            if costs != dict(entry.cost):
                clause = "51.B.19/5" if entry.verb == "withdraw" else "51.B.17/7"
                text = (
                    f"{entry.verb}: for {show_amounts(entry.cost)} is stated, but replacing a {spec.full} {spec.type} "
                    f"{spec.size} takes {show_amounts(costs)}"
                )
                yield Finding((OB,), text, "leave the figures out: the rules reckon them", clause, entry.line)


def disbanded_for_another_sum(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """An NKVD unit gives its attack strength plus one in all, the point for each RE included."""
    for entry in entries(world):
        for item in entry.items if entry.verb == DISBAND else ():
            spec = item.spec and world.sized(replace(item.spec, nation=nationality(world, entry, item)))
            if not spec or spec.nation != SOVIET_UNION or not world.has_role(spec, "nkvd"):
                continue
            more = world.res(spec, FULL) * world.numbers["disbanded_a_re"]
            gives, by_rule = (
                entry.yields.get(INF, Fraction(0)) + more,
                spec.full.attack + world.numbers["disband_bonus"],
            )
            if gives != by_rule:
                text = (
                    f"disband: {spec.full} {spec.type} {spec.size} gives {show_points(gives)} inf with the point for "
                    f"each RE, by the rules {show_points(by_rule)}"
                )
                hint = f"write gives {show_points(by_rule - more)} inf"
                yield Finding((OB,), text, hint, "52.J.2.a/2", entry.line)


def called_twice(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Units whose number says what their type says already: '3 Gds Gds Rif XX'."""
    for entry in entries(world):
        for item in (*entry.items, *entry.results):
            first = item.spec.type.split()[0] if item.spec and item.spec.type else ""
            for name in item.designations:
                if item.spec and first and name.split()[-1] == first and name != first:
                    called = f"{name} {item.spec.type} {item.spec.size}"
                    hint = f"write the number alone: {name.removesuffix(first).strip()}"
                    yield Finding((OB,), f"{entry.verb}: the unit is called {called}", hint, "51/3", entry.line)


def transfers_without_effect(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Between two theatres of the same player a transfer is ignored."""
    for entry in entries(world):
        if entry.verb == "transfer" and not entry.guards and direction(world, state, entry) == IGNORED:
            text = "transfer: it does not leave the theatres of its player, so that it is always ignored"
            yield Finding(
                (OB,), text, "take the line out, or name a theatre that is not played", "51.B.17/3", entry.line
            )


def declares_nothing(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Lines whose words declare a fact that the rules do not know, or in a way that they cannot read."""
    for entry in entries(world):
        if entry.verb not in FREE_TEXT:
            continue
        for text in unreadable(world, state, entry):
            yield Finding(
                (OB,), f"{entry.verb}: {text}", "forcepool facts lists what can be declared", "51.B.9/1", entry.line
            )
        if " declare " in f" {entry.note.casefold()}" and not declarations(entry.note):
            text = f"{entry.verb}: what it declares cannot be read, so that players must see to it"
            hint = "end it with: declare FACT yes, or declare FACT of NAME yes"
            yield Finding((OB,), text, hint, "51.B.9/1", entry.line)


LINT = (
    declares_nothing,
    written_wrongly,
    units_that_are_not_there,
    never_disbanded,
    never_formed,
    prices_against_the_rules,
    disbanded_for_another_sum,
    called_twice,
    transfers_without_effect,
)
