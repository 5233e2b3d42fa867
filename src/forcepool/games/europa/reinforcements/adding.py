"""51/2  Lines that come into the order of battle while it is played, and lines that are taken out of it."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event
from forcepool.engine.facts import WORDS, Fact
from forcepool.engine.given import EntryKey, Text, Why
from forcepool.engine.places import OUT
from forcepool.engine.sentence import the_entry, the_unit, to_type
from forcepool.engine.state import State, Unit, evolve
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.reinforcements import entries, listed_places
from forcepool.games.europa.reinforcements.at_start import AT_START, lies_behind
from forcepool.games.europa.reinforcements.book import LINES_ADDED, TAKEN_OUT, book, changed
from forcepool.games.europa.reinforcements.checks import nations_of, unknown_kinds, unknown_nations
from forcepool.games.europa.reinforcements.declared import unreadable
from forcepool.games.europa.reinforcements.duties import Listed
from forcepool.games.europa.reinforcements.falling_due import carried_out
from forcepool.games.europa.reinforcements.forming_boxes import become_full
from forcepool.games.europa.world import MIX, EuropaWorld
from forcepool.orderofbattle.comings import Name, names_of
from forcepool.orderofbattle.model import NOT_UNDERSTOOD, Entry, OrderOfBattle, PlaceSpec
from forcepool.orderofbattle.printing import print_lines, print_ob
from forcepool.orderofbattle.shape import misshapen, places_of
from forcepool.orderofbattle.words import BRINGS, VERBS, spelt_one_way

MOST_TOLD = 3
"""So many lines are told of in one sentence before the rest are counted."""
COMES_BACK = ("return", "mobilize")
"""Verbs that speak of counters which may have been in play before."""


class Adding(EuropaQuestion):
    """Lines in the language of the order of battle, read and looked through."""

    command: "AddEntries"

    @lazy
    def lines(self) -> tuple[Entry, ...]:
        """The entries of the text; whatever in it cannot be read, or names what there is not, is nothing to add."""
        from forcepool.orderofbattle.reading import parse  # The parser takes long to get ready.

        calendar = self.world.calendar
        ob = parse(self.command.text, turns_a_month=calendar.turns_per_month, roman=calendar.roman)
        if ob.turns_a_month != calendar.turns_per_month:
            raise BadCommand(
                f"the lines are written for {ob.turns_a_month} turns a month, play has {calendar.turns_per_month}; "
                "name their turns by the calendar of play"
            )
        wrong = [(each.line, f"{each.message}; {each.hint}" if each.hint else each.message) for each in ob.problems]
        wrong += [(entry.line, text) for entry in ob.entries for text in _unknown(self.world, self.state, entry)]
        if wrong:
            raise BadCommand(_told(f"line {line}: {text}" for line, text in sorted(wrong)))
        if not ob.entries:
            raise BadCommand("there is no entry in the text; write a turn, a nation and what comes, each on its line")
        return ob.entries

    @lazy
    def by_nation(self) -> dict[str, list[Entry]]:
        """The entries of each nation, in their order."""
        found: dict[str, list[Entry]] = {}
        for entry in self.lines:
            found.setdefault(entries.nation_of(self.world, entry), []).append(entry)
        return found

    @lazy
    def side(self) -> str:
        """Whose lines they are; lines of several sides are nobody's but the referee's."""
        written = {nation for entry in self.lines for nation in nations_of(entry)}
        return " and ".join(
            sorted({self.world.side_now(self.state, self.world.nation_named(nation)) for nation in written})
        )


def _told(sentences: Iterable[str]) -> str:
    found = list(sentences)
    more = f" (and {len(found) - MOST_TOLD} more)" if len(found) > MOST_TOLD else ""
    return " · ".join(found[:MOST_TOLD]) + more


def _unknown(world: EuropaWorld, state: State, entry: Entry) -> Iterator[str]:
    """What an entry names that this campaign, which is under way, does not have."""
    if entry.verb == NOT_UNDERSTOOD:
        return
    yield from unknown_nations(world, entry)
    yield from unknown_kinds(world, entry)
    yield from unreadable(world, state, entry)
    if entry.verb == AT_START:
        yield "the campaign has begun; list it under Reinforce: with its turn, or use add-unit"
    for place in places_of(entry):
        yield from _unknown_place(world, place)


def _unknown_place(world: EuropaWorld, place: PlaceSpec) -> Iterator[str]:
    """A theatre or command may lie outside the campaign; a front or MD may not, nor a hex where there is a map."""
    if place.kind in ("front", "md", "multi_md"):
        for area in listed_places.areas_of(world, place):
            if area not in world.areas:
                kind, _, name = area.partition("/")
                known = [each.removeprefix(f"{kind}/") for each in world.pools if each.startswith(f"{kind}/")]
                kind = {"md": "MD"}.get(kind, kind)
                yield f"there is no {kind} {name}; the {kind}s are {', '.join(known) or 'none'}"
    if place.kind in ("city", "hex"):
        for name in (*place.names, *place.hexes):
            try:
                world.atlas.check(world.hex_name(name))
            except ValueError as error:
                yield str(error)


# --------------------------------------------------------------------------------------------------- the rules


@rule("51.A/1")
def says_all_it_must(q: Adding) -> Verdict:
    """Each line has what its verb needs: a turn or a condition, what units become, what it costs."""
    found = [each for entry in q.lines for each in misshapen(entry)]
    if not found:
        return YES
    return no(_told(f"line {each.line}: {each.text}" for each in found), remedy=found[0].hint, clause=found[0].clause)


@rule("51.A/1")
def is_still_to_come(q: Adding) -> Verdict:
    """Reinforcements come on the turn shown, so that it must not lie behind."""
    past = [entry for entry in q.lines if lies_behind(q.world, q.state, entry)]
    if not past:
        return YES
    phase = q.world.phase_called(REINFORCEMENT)
    return no(
        _told(f"line {entry.line}: the {phase} of {entry.turn} is past" for entry in past),
        remedy=f"date it later; overruled, it comes in the next {phase}",
    )


@rule("51/2")
def is_not_there_yet(q: Adding) -> Verdict:
    """The order of battle lists a unit once: not one that is in play, nor one that is to come anyway."""
    there = _there(q.world, q.state)
    found = []
    for entry in q.lines:
        for name, unit in _brought(entry):
            key = _folded(q.world, name)
            if key in there:
                found.append(f"line {entry.line}: {the_unit(unit)} {there[key]}")
            there.setdefault(key, f"stands on line {entry.line} already")
    if not found:
        return YES
    return no(_told(found), remedy="check the designation; list a unit that comes back under Return:")


def _there(world: EuropaWorld, state: State) -> dict[Name, str]:
    """The named units that are in play or listed to come, and what is to be said of each."""
    found: dict[Name, str] = {}
    for entry in entries.listed(world, state):
        if not entry.conditions and not entries.is_done(state, entry) and entries.counts(world, state, entry):
            for name, _ in _brought(entry):
                found.setdefault(_folded(world, name), f"is listed to come already{to_type(entry.key)}")
    for unit in state.units_in_order():
        if unit.place.kind not in (OUT, MIX):
            for name in _borne(unit):
                found[name] = f"is {world.where(unit.place)} already"
    return found


def _borne(unit: Unit) -> Iterator[Name]:
    spec = unit.spec
    kind = f" {spec.type} {spec.size}"
    for designation in (spec.designation, unit.id.removesuffix(kind) if unit.id.endswith(kind) else ""):
        if designation:
            yield Name(spec.nation, designation, spelt_one_way(spec.type), spec.size)


def _brought(entry: Entry) -> Iterator[tuple[Name, str]]:
    if entry.verb in VERBS and VERBS[entry.verb].effect == BRINGS and entry.verb not in COMES_BACK:
        yield from names_of(entry, entry.items)


def _folded(world: EuropaWorld, name: Name) -> Name:
    return replace(name, nation=world.nation_named(name.nation))


# ------------------------------------------------------------------------------------------------ the commands


class AddEntries(Command, tag="add-entries", frozen=True):
    """Bring lines into the order of battle while the campaign is played."""

    text: Text
    """The lines, in the language of the order of battle: turn, nation, verb and units."""

    question = Adding
    whole_side = True
    requires = (says_all_it_must, is_still_to_come, is_not_there_yet)

    def side(self, q: Adding) -> str:
        return q.side

    def effects(self, q: Adding) -> Iterator[Event]:
        world, own = q.world, q.state.copy()
        known = set(book(world, own).by_key)
        for nation, lines in q.by_nation.items():
            added = changed(own, nation, LINES_ADDED, _text(world, lines), because="51/2", says=_summary(lines))
            evolve(own, (added,))
            yield added
        yield from _due_at_once(world, own, known)


def _text(world: EuropaWorld, lines: list[Entry]) -> str:
    calendar = world.calendar
    return print_ob(OrderOfBattle(tuple(lines), turns_a_month=calendar.turns_per_month, roman=calendar.roman))


def _summary(lines: list[Entry]) -> str:
    count = f"{len(lines)} {'entries are' if len(lines) > 1 else 'entry is'} added to the order of battle"
    dated = (f"{entry.turn or 'any turn'}, {text}" for entry, text in zip(lines, print_lines(lines), strict=True))
    return f"{count}: {_told(dated)}"


def _due_at_once(world: EuropaWorld, state: State, known: set[str]) -> Iterator[Event]:
    """In its owner's reinforcement phase a line of this turn is carried out as if it had always been there."""
    if world.phase(state) != REINFORCEMENT:
        return
    due = entries.in_force(world, state, world.phasing(state), *world.game.comes_about)
    events = list(carried_out(world, state, [entry for entry in due if entry.key not in known]))
    yield from events
    evolve(state, events)
    yield from become_full(world, state)


class RemoveEntry(Command, tag="remove-entry", frozen=True):
    """Take a line out of the order of battle that nothing has come of yet."""

    entry: EntryKey
    """Its key, as the checklist and the page show it."""
    note: Why = ""

    question = Listed
    referee = True

    def side(self, q: Listed) -> str:
        return q.side

    def effects(self, q: Listed) -> Iterator[Event]:
        entry, marks = q.entry, q.state.marks
        units = (marks[on][entries.ENTRY].value for on in q.state.marked.get(entries.ENTRY, ()))
        if entries.on_entry(entry) in marks or entry.key in units:
            raise BadCommand(f"{the_entry(entry.key)} has been carried out, or begun; undo that first")
        says = f"{print_lines([entry])[0]} ({entry.key}) is taken out of the order of battle"
        if self.note:
            says = f"{says}: {self.note}"
        yield changed(q.state, q.nation, TAKEN_OUT, entry.key, because="51/2", says=says)


CHAPTER = Chapter(
    heading="51",
    commands=(AddEntries, RemoveEntry),
    facts=(
        Fact(LINES_ADDED, ("nation",), "lines added to its order of battle in play", [], WORDS, by_hand=False),
        Fact(TAKEN_OUT, ("nation",), "entries taken out of its order of battle in play", [], WORDS, by_hand=False),
    ),
)
