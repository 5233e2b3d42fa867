"""What a player reads: events, entries, refusals, choices and units in words."""

from fractions import Fraction

import pytest

from forcepool.engine.acts import choice_in_words, entry_in_words, numbers_in_words, order_in_words, refusal_in_words
from forcepool.engine.calendar import Clock, Turn
from forcepool.engine.campaign import Done
from forcepool.engine.desk import AddUnit, Declare, Note
from forcepool.engine.events import (
    Became,
    Event,
    Marked,
    Moved,
    Noted,
    Overruled,
    PhaseBegan,
    Raised,
    Rolled,
    SwitchSet,
    Transferred,
)
from forcepool.engine.journal import Entry, MemoryJournal
from forcepool.engine.options import Choice, choice
from forcepool.engine.places import Place, at_hex
from forcepool.engine.sentence import plain
from forcepool.engine.state import Unit
from forcepool.engine.units import Strength, UnitSpec
from forcepool.engine.verdicts import No, Refusal, Yes
from forcepool.engine.wording import (
    counter_in_words,
    event_in_words,
    event_said,
    events_said,
    markers,
    unit_in_words,
)
from forcepool.engine.world import World
from tests.support.any_game import sit_down
from tests.support.ring import SPEC, RebuildUnit, Tell, start, world_of

OCT_3 = Turn((1941 * 12 + 9) * 4 + 2)


@pytest.fixture
def world() -> World:
    return world_of(b"{}")


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            Transferred(
                amount=Fraction(7, 2), kind="inf", nation="Germany", frm="front/centre", to="sink/spent",
                because="52.A.9.d/2", says="24 Inf XX: full 7 − cadre 3",
            ),
            "3½ inf of Germany: front/centre → spent (24 Inf XX: full 7 − cadre 3) [52.A.9.d/2]",
        ),
        (Became(unit="24 Inf XX", was="cadre", step="full"), "24 Inf XX: cadre → full"),
        (
            Moved(unit="24 Inf XX", frm=at_hex("Minsk"), to=Place("eliminated", "front/centre")),
            "24 Inf XX: Minsk → ELIMINATED BOX of front/centre",
        ),
        (
            Moved(unit="24", frm=at_hex("Minsk"), to=Place("track", "front/centre", OCT_3), because="52.A/1 52.A/2"),
            "24: Minsk → track of front/centre, due Oct 3 41 [52.A/1 52.A/2]",
        ),
        (Marked(on="unit/24 Inf XX", mark="mp", value=2, says="+1 MP becomes +2 MP"), "24 Inf XX: +1 MP becomes +2 MP"),
        (Marked(on="place/Minsk", mark="enemy_zoc", value=["corps", "brigade"]), "Minsk: enemy zoc is corps, brigade"),
        (Marked(on="unit/24 Inf XX", mark="moved", value=True), "24 Inf XX: moved"),
        (Marked(on="unit/24 Inf XX", mark="moved"), "24 Inf XX: moved is taken back"),
        (Marked(on="unit/24 Inf XX", mark="moved", value=False), "24 Inf XX: moved is no"),
        (Marked(on="nation/Germany", mark="special_received", value="138/5"), "Germany: special received is 27⅗"),
        (Rolled(sides=6, result=4), "a d6 falls 4"),
        (Rolled(sides=6, result=4, by_hand=True, says="losses"), "a d6 falls 4, entered by hand (losses)"),
        (Overruled(clauses=["52/3", "52.C/4"], note="agreed"), "overruled 52/3, 52.C/4: agreed"),
        (SwitchSet(switch="time", option="double", because="52.A.2/8"), "house rule time: double [52.A.2/8]"),
        (Noted(text="all quiet"), "note: all quiet"),
        (Noted(text="one\ntwo \x1b[2Jthree"), "note: one two  [2Jthree"),
        (PhaseBegan(clock=Clock(OCT_3, 0, 1)), "it is now Oct 3 41, Axis movement phase"),
        (Raised(unit="9", spec=SPEC, at=at_hex("Minsk")), "9 (7-6 Inf XX (3-6) of German) joins at full: Minsk"),
    ],
)  # fmt: skip
def test_an_event_in_words(world: World, event: Event, words: str) -> None:
    assert event_in_words(world, event) == words


def test_a_long_run_in_the_same_words_is_told_once(world: World) -> None:
    def run(count: int) -> list[Event]:
        return [Marked(on=f"place/{n}", mark="owner", value="Axis", says="it goes over") for n in range(count)]

    assert len(events_said(world, run(12))) == 12
    told = [plain(each) for each in events_said(world, [Noted(text="before"), *run(13), Noted(text="after")])]
    assert told[1:5] == [f"{n}: it goes over" for n in range(4)]
    assert told[5:-1] == ["the same of 9 more"]
    assert len(told) == 7


def test_a_marker_that_two_rules_put_on_is_told_once_and_again_when_it_changed_in_between(world: World) -> None:
    on, off = (Marked(on="place/Minsk", mark="owner", value=side) for side in ("Axis", "Soviet"))
    assert len(events_said(world, [on, Noted(text="between"), on])) == 2
    assert len(events_said(world, [on, off, on])) == 3
    points = Transferred(amount=Fraction(1), kind="inf", nation="Germany", frm="front/a", to="front/b")
    assert len(events_said(world, [points, points])) == 2


def test_an_entry_names_number_moment_seat_and_command_and_is_marked_once_undone() -> None:
    campaign = start(MemoryJournal())
    done = campaign.do(RebuildUnit(unit="3"), seat="Axis")
    assert isinstance(done, Done)
    [entry] = campaign.entries()
    first, *rest = entry_in_words(campaign.world, entry, campaign.history)
    assert first.endswith("Axis replacement phase: Axis: rebuild unit=3")
    assert rest[0] == "  ⅔ inf of German: A → spent [ring.2]"
    assert entry_in_words(campaign.world, done.entry, campaign.history) == [first, *rest]
    campaign.undo()
    entry, undo = campaign.entries()
    assert entry_in_words(campaign.world, entry, campaign.history)[0] == f"{first} (undone)"
    assert entry_in_words(campaign.world, undo, campaign.history)[0].endswith("phase: undo entry 2")
    campaign.redo()
    *_, redo = campaign.entries()
    assert entry_in_words(campaign.world, redo)[0].endswith("redo entry 2")


def test_an_entry_may_ask_for_an_undo(world: World) -> None:
    entry = Entry(n=9, at=Clock(OCT_3, 0, 0), seat="Soviet", asks=[4, 6, 7])
    assert entry_in_words(world, entry) == [
        "9  Oct 3 41, Axis replacement phase: Soviet: asks to undo entries 4, 6 and 7"
    ]


def test_numbers_of_entries_in_words() -> None:
    assert numbers_in_words([4]) == "entry 4"
    assert numbers_in_words([5, 4]) == "entries 4 to 5"
    assert numbers_in_words((4, 6)) == "entries 4 and 6"


def test_a_refusal_is_worth_reading() -> None:
    reasons = (
        No("costs 4 inf, front/centre has 3½", "wait", "52.A.9.d/2", Fraction(7, 2), Fraction(4)),
        No("it moved", "rebuild it next turn", "52/3"),
    )
    assert refusal_in_words(Refusal(RebuildUnit(unit="24"), reasons)) == [
        "refused: rebuild 24",
        "  52.A.9.d/2  costs 4 inf, front/centre has 3½: ½ short. Wait.",
        "  52/3        it moved. Rebuild it next turn.",
        '  overrule with --override "why"',
    ]
    assert refusal_in_words(Refusal(Note(text="a b"), (No("no"),), final=True)) == ['refused: note text="a b"', "  no."]


def test_a_choice_is_open_with_its_cost_or_closed_with_its_reasons() -> None:
    campaign = start(MemoryJournal(), points=0)
    world = campaign.world
    closed = choice(world, campaign.state, RebuildUnit(unit="3"))
    assert choice_in_words(world, closed) == ["rebuild unit=3", "  ring.2  too few points: ⅔ short."]
    found = Choice(
        RebuildUnit(unit="3"),
        cost={"inf": Fraction(7, 2)},
        working="7 − 3½",
        arrives=OCT_3,
        allowed=(Yes("ring.9", "by an HQ"),),
    )
    assert choice_in_words(world, found) == [
        "rebuild unit=3",
        "  costs 3½ inf (7 − 3½) arrives Oct 3 41",
        "  ring.9  allowed: by an HQ",
    ]


def test_a_command_reads_as_it_is_typed() -> None:
    assert (
        order_in_words(Declare(fact="enemy_zoc", value=["division", "corps"]))
        == "declare fact=enemy_zoc value=division,corps"
    )
    assert (
        order_in_words(Declare(fact="moved", value=False, unit="24 Inf XX"))
        == 'declare fact=moved value=no unit="24 Inf XX"'
    )
    assert (
        order_in_words(AddUnit(name="9", spec=SPEC, at="Minsk")) == 'add-unit name=9 spec="7-6 Inf XX (3-6)" at=Minsk'
    )
    assert order_in_words(b"null") == ""


def test_a_counter_shows_all_its_sides() -> None:
    spec = UnitSpec(
        Strength(5, 7, 6),
        "Inf",
        "XX",
        cadre=Strength(Fraction(5, 2), Fraction(5, 2), 6),
        remnant=Strength(1, 1, 6),
        starred=True,
    )
    assert counter_in_words(spec) == "5-7-6* Inf XX (2½-6) [1-6]"


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (at_hex("Minsk"), "24 (7-6 Inf XX (3-6), German): cadre at Minsk"),
        (Place("eliminated", "front"), "24 (7-6 Inf XX (3-6), German): cadre in ELIMINATED BOX of front"),
        (Place("out"), "24 (7-6 Inf XX (3-6), German): cadre out of play"),
    ],
)
def test_a_unit_in_words(world: World, place: Place, words: str) -> None:
    assert unit_in_words(world, Unit("24", SPEC, place, "cadre")) == words


def test_markers_are_listed_while_they_hold() -> None:
    campaign = start(MemoryJournal())
    campaign.do(Tell(unit="1", text="tired"))
    assert [each.kept for each in markers(campaign.world, campaign.state, "unit/1")] == ["told tired"]
    campaign.do(Tell(unit="1"))
    assert not list(markers(campaign.world, campaign.state, "unit/1"))


WINTER = """
turn: Dec 41
phase: replacement/reinforcement
capacity: {Soviet: 3}
track: {Dec 41: {infantry: 1}}
pools: {replacements: {Soviet: {infantry: 1}}}
points: {Gorki: {country: Soviet}, Kazan: {country: Soviet}}
lines: {Gorki-Kazan: {ends: [Gorki, Kazan]}, Kazan line: {ends: [Kazan, east edge]}}
factories: {Tank Gorki: {kind: tank, at: Gorki, entrained: Nov 41}, Tank Kazan: {kind: tank, at: Kazan}}
units:
  12 Army: {spec: 1-4 Inf XXXX, at: dead, lost_by: combat}
  13 Army: {spec: 1-4 Inf XXXX, at: dead}
  1 Cav Corps: {spec: 1-6 Cav XXX, at: Gorki, dispersed: yes}
"""


@pytest.mark.parametrize(
    ("order", "fields", "line"),
    [
        ("replace", {"unit": "12 Army", "at": "Gorki"}, "12 Army: arrived as replacement [EF.replacements/9]"),
        ("take-siberian", {"unit": "13 Army"}, "13 Army: held since Dec 41 [EF.replacements/7]"),
        ("entrain", {"unit": "Tank Kazan"}, "Tank Kazan: entrained Dec 41 [EF.moving/5 EF.moving/6 EF.moving/7]"),
        ("move-factory", {"unit": "Tank Gorki", "to": "Kazan"}, "Gorki-Kazan: carried 1"),
        ("lose", {"unit": "1 Cav Corps"}, "1 Cav Corps: lost in combat [EF.replacements/17]"),
        ("lose", {"unit": "1 Cav Corps"}, "1 Cav Corps: no longer dispersed"),
    ],
)
def test_a_marker_reads_on_into_what_it_holds(order: str, fields: dict[str, str], line: str) -> None:
    seat = sit_down("eastern_front", WINTER)
    entry = seat.do(order, **fields).entry
    assert line in [plain(each) for each in events_said(seat.campaign.world, entry.events)]


def test_how_a_unit_was_lost_is_told_until_it_is_back_and_as_what_it_came_for_the_turn() -> None:
    seat = sit_down("eastern_front", WINTER)

    def told() -> list[str]:
        return [each.said for each in markers(seat.campaign.world, seat.campaign.state, "unit/12 Army")]

    assert told() == ["lost in combat"]
    seat.do("replace", unit="12 Army", at="Gorki")
    assert told() == ["arrived as replacement", "dispersed"]
    for _ in range(4):
        seat.do("advance")
    assert told() == ["dispersed"]


def test_notes_of_the_program_itself_are_not_told_and_a_line_of_the_air_ob_has_no_number() -> None:
    seat = sit_down("europa", SCRAPPING)
    entry = seat.do("scrap", unit="24 Inf XX").entry
    told = [plain(each) for each in events_said(seat.campaign.world, entry.events)]
    assert any(isinstance(event, Marked) and event.mark == "brought_by" for event in entry.events)
    assert not any("by which clauses" in each or "due/" in each for each in told)
    line = Marked(on="air-ob/0", mark="done", value=2, because="28.C/1", says="arrive 6F6 MiG-3 1/12, 2 of 2 done")
    assert plain(event_said(seat.campaign.world, line)) == "Air OB: arrive 6F6 MiG-3 1/12, 2 of 2 done [28.C/1]"


SCRAPPING = """
turn: Jul 1 41
phase: replacement
units: {24 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: isolated Germany}}
"""


def test_the_box_an_air_unit_is_rebuilt_from_is_told_until_it_is_on_the_map() -> None:
    seat = sit_down("europa", AT_RIGA)

    def marks() -> list[str]:
        return [each.said for each in markers(seat.campaign.world, seat.campaign.state, "unit/JG 3")]

    seat.do("repair-air", unit="JG 3", pay_from="theatre/east")
    assert marks() == ["rebuilt from aborted"]
    seat.do("put-unit", unit="JG 3", at="Riga")
    assert marks() == []


AT_RIGA = """
turn: Jul 1 41
phase: replacement
fronts: {North: {theatre: East}}
places: {Riga: {front: North, city: yes, airbase: yes, owner: Axis}}
pools: {theatre/east: {German: {arp: 4}}}
units: {JG 3: {spec: 7F8 Me109F 2/18, nation: German, at: aborted front/north}}
"""
