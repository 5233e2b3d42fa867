"""An order of battle is read as a player types or pastes it."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from forcepool.files.problems import BadFile
from forcepool.orderofbattle.model import NOT_UNDERSTOOD, Condition, Entry, Guard, Item, Link, OrderOfBattle, PlaceSpec
from forcepool.orderofbattle.reading import parse, read_file
from forcepool.orderofbattle.unit_strings import print_unit
from forcepool.orderofbattle.words import VERBS


def clean(text: str) -> OrderOfBattle:
    ob = parse(text)
    assert ob.problems == ()
    assert ob.warnings == ()
    return ob


def one(line: str) -> Entry:
    """The entry of a line without a guess in it, under a turn."""
    (entry,) = clean(f"Jul 2 41\n{line}").entries
    return entry


def shown(items: tuple[Item, ...]) -> list[str]:
    return [print_unit(item.spec, ", ".join(item.designations), item.count) for item in items if item.spec]


# ----------------------------------------------------------------------------------------------- headings


@pytest.mark.parametrize("turn", ["Jul 2 41", "July 2, 1941", "Jul 2 41:"])
def test_a_turn_heading_may_be_written_either_way(turn: str) -> None:
    assert clean(f"{turn}\nReinforce 1x 8-6 Inf XX 24").entries[0].turn == "Jul 2 41"


def test_a_scanned_turn_is_understood_and_says_how() -> None:
    ob = parse("Jul l 41\nReinforce 1x 8-6 Inf XX 24")
    assert ob.entries[0].turn == "Jul 1 41"
    assert [warning.message for warning in ob.warnings] == ["read 'Jul l 41' as Jul 1 41"]


def test_a_month_may_have_two_turns() -> None:
    ob = clean("turns a month: 2\nJul II 41\nReinforce 1x 8-6 Inf XX 24")
    assert ob.turns_a_month == 2
    assert parse("turns a month: 2\nJul 3 41").problems[0].line == 2


@pytest.mark.parametrize(
    ("heading", "nation"),
    [
        ("German", "German"),
        ("GERMAN FORCES:", "German"),
        ("Germany", "German"),
        ("Romanian", "Rumanian"),
        ("Nation: Ruritania", "Ruritania"),
        ("Ruritanian Forces", "Ruritanian"),
    ],
)
def test_nations_are_headings(heading: str, nation: str) -> None:
    assert clean(f"Jul 2 41\n{heading}\nReinforce:\n1x 8-6 Inf XX 24").entries[0].nation == nation


@pytest.mark.parametrize(
    ("heading", "kind", "name"),
    [
        ("theatre East", "theatre", "East"),
        ("East Theatre", "theatre", "East"),
        ("Theater: East", "theatre", "East"),
        ("Middle East Command", "command", "Middle East"),
        ("front Centre:", "front", "Centre"),
    ],
)
def test_theatres_commands_and_fronts_are_headings(heading: str, kind: str, name: str) -> None:
    assert clean(f"{heading}\nJul 2 41\nReinforce 1x 8-6 Inf XX").entries[0].section == PlaceSpec(kind, (name,))


def test_a_front_stands_inside_its_theatre() -> None:
    entry = clean("Jul 2 41\nAxis, German, theatre East, front Centre\nReinforce 1x 8-6 Inf XX").entries[0]
    assert (entry.side, entry.nation) == ("Axis", "German")
    assert entry.section == PlaceSpec("front", ("Centre",), inside=PlaceSpec("theatre", ("East",)))


def scopes(text: str) -> list[tuple[str, str, str, str]]:
    return [
        (entry.turn, entry.nation, entry.section.names[0] if entry.section else "", entry.verb)
        for entry in parse(text).entries
    ]


def test_a_heading_holds_until_one_of_its_own_kind_or_of_a_kind_above_it() -> None:
    unit = "1x 8-6 Inf XX"
    by_turn = f"Jul 1 41\nGerman\ntheatre East\nConvert:\n{unit}\nHungarian\n{unit}\nJul 2 41\n{unit}"
    assert scopes(by_turn) == [
        ("Jul 1 41", "German", "East", "convert"),
        ("Jul 1 41", "Hungarian", "", "reinforce"),
        ("Jul 2 41", "", "", "reinforce"),
    ]
    by_nation = f"German\nJul 1 41\nDisarm:\n{unit}\nJul 2 41\n{unit}"
    assert scopes(by_nation) == [("Jul 1 41", "German", "", "disarm"), ("Jul 2 41", "German", "", "reinforce")]
    by_theatre = f"theatre East\nGerman\nDisarm:\n{unit}\nHungarian\nDisarm:\n{unit}\ntheatre West\n{unit}"
    assert scopes(by_theatre) == [
        ("", "German", "East", "disarm"),
        ("", "Hungarian", "East", "disarm"),
        ("", "", "West", "reinforce"),
    ]


def test_the_soviet_union_is_its_own_side_whatever_stands_above_it() -> None:
    ob = clean("Jul 2 41\nAxis, German\nReinforce 1x 8-6 Inf XX\nSoviet\nReinforce 1x 5-6 Rif XX")
    assert [entry.side for entry in ob.entries] == ["Axis", "Soviet"]


def test_a_verb_with_a_colon_holds_for_the_lines_below_and_one_without_for_its_line() -> None:
    ob = parse(
        "Jul 2 41\nWithdraw: 1x 8-6 Inf XX 1\n1x 8-6 Inf XX 2\nDisband 1x 8-6 Inf XX 3 gives 1 inf\n1x 8-6 Inf XX 4"
    )
    assert [entry.verb for entry in ob.entries] == ["withdraw", "withdraw", "disband", "withdraw"]


def test_a_line_under_no_verb_is_a_reinforcement_with_a_warning() -> None:
    ob = parse("Jul 2 41\n1x 8-6 Inf XX 24")
    assert ob.entries[0].verb == "reinforce"
    assert "no verb stands over this line" in ob.warnings[0].message


def test_a_condition_may_head_many_lines_until_always() -> None:
    ob = clean(
        "Jul 2 41\nIf no Iraqi Coup:\nReinforce:\n1x 8-6 Inf XX 1\nWithdraw:\n1x 8-6 Inf XX 2\nAlways:\n1x 8-6 Inf XX 3"
    )
    coup = Condition("state", "no Iraqi Coup")
    assert [entry.conditions for entry in ob.entries] == [(coup,), (coup,), ()]


def test_a_place_heads_the_lines_below_it_when_it_has_a_colon() -> None:
    ob = clean("Jul 2 41\nReinforce:\nMD Kiev:\n1x 5-6 Rif XX 1\n1x 5-6 Rif XX 2 at Minsk\nWithdraw:\n1x 5-6 Rif XX 3")
    kiev, minsk = PlaceSpec("md", ("Kiev",)), PlaceSpec("city", ("Minsk",))
    assert [entry.place for entry in ob.entries] == [kiev, minsk, None]
    assert parse("Jul 2 41\nMD Kiev").problems[0].hint == "end it with a colon to make it a heading"


# -------------------------------------------------------------------------------------------------- verbs


@pytest.mark.parametrize("verb", sorted(VERBS))
@pytest.mark.parametrize("style", [str.lower, str.upper, str.capitalize, str.title])
def test_every_verb_is_read_on_its_line_and_as_a_heading(verb: str, style: Callable[[str], str]) -> None:
    written, what = style(verb), "5 inf" if verb == "resources" else "1x 8-6 Inf XX 24"
    assert one(f"{written} {what}").verb == verb
    if verb not in ("other", "unique event"):
        assert one(f"{written}:\n{what}").verb == verb


@pytest.mark.parametrize(
    ("written", "verb"),
    [
        ("Reinforcements", "reinforce"),
        ("Conversions", "convert"),
        ("Withdrawals", "withdraw"),
        ("Reorganisation", "reorganize"),
        ("Mobilise", "mobilize"),
        ("Replacements", "resources"),
        ("Initial forces", "at start"),
        ("Released from the garrison", "release from garrison"),
    ],
)
def test_verbs_as_printed_headings(written: str, verb: str) -> None:
    assert one(f"{written}:\n{'5 inf' if verb == 'resources' else '1x 8-6 Inf XX 24'}").verb == verb


def test_units_that_arrive_to_form_are_forming_and_arrive_first() -> None:
    entry = one("Arrive: Forming: 1x 8-6 Inf XX 24 in MD Kiev")
    assert (entry.verb, entry.arrival) == ("forming", "arrives first")


def test_other_and_events_keep_their_words() -> None:
    assert one("Other: the owner may move 2x 8-6 Inf XX at once").note == "the owner may move 2x 8-6 Inf XX at once"
    assert one("Unique event: snow").verb == "unique event"
    assert one("If Minsk falls: Event: snow").conditions == (Condition("state", "Minsk falls"),)


# -------------------------------------------------------------------------------------------------- items


def test_a_line_lists_several_units() -> None:
    entry = one("Reinforce 2x 8-6 Inf XX (3-6) 24, 76 + 1x 12-10 Pz XX 6, 1x 2-8 AT III 561 and 5-7-6 Inf XX")
    assert shown(entry.items) == [
        "2x 8-6 Inf XX (3-6) 24, 76",
        "1x 12-10 Pz XX 6",
        "1x 2-8 AT III 561",
        "1x 5-7-6 Inf XX",
    ]


@pytest.mark.parametrize("arrow", ["→", "->", "=>", "to", "becomes", "into"])
def test_units_become_other_units(arrow: str) -> None:
    entry = one(f"Convert 1x 12-10 Pz XX 6 {arrow} 1x 14-10 Pz XX 6")
    assert shown(entry.items) == ["1x 12-10 Pz XX 6"]
    assert shown(entry.results) == ["1x 14-10 Pz XX 6"]


def test_any_number_and_up_to_a_number() -> None:
    assert one("Reorganize any 5-6 Rif XX → 1x 6-6 Rif XX").items[0].how_many == "any"
    up_to = one("Reorganize up to 6x 5-6 Rif XX → 1x 6-6 Rif XX").items[0]
    assert (up_to.how_many, up_to.count) == ("up to", 6)


def test_a_unit_may_be_a_cadre_a_militia_or_a_contingent() -> None:
    (item,) = one("Reinforce 1x 4-6 Rif XX 1 as cadre and militia and Polish contingent").items
    assert (item.state, item.traits, item.contingent) == ("cadre", ("militia",), "Polish")
    assert one("Reinforce 1x 4-6 Rif XX 1 (cadre)").items[0].state == "cadre"
    for bare in ("1x 5-8 Pz XX cadre 4", "1x 5-8 Pz cadre XX 4", "1x 5-8 Pz XX 4 cadre"):
        item = one(f"Withdraw {bare}").items[0]
        assert item.spec is not None
        assert (item.state, item.spec.type, item.designations) == ("cadre", "Pz", ("4",)), bare


def test_points_and_res_and_forces_are_items_too() -> None:
    amounts = [item.points for item in one("Resources 3½ inf RPs, 1/4 armour, 5 SPs").items]
    assert amounts == [{"inf": Fraction(7, 2)}, {"arm": Fraction(1, 4)}, {"SP": Fraction(5)}]
    assert one("Release from national reserve 6 REs").items[0].points == {"RE": Fraction(6)}
    assert one("Disarm all Rumanian forces").items[0].force == "all Rumanian forces"
    assert one("Arrive forces from MTO").source == PlaceSpec("area", ("MTO",))


def test_a_type_in_capitals_is_no_preposition() -> None:
    assert shown(one("Reinforce 1x 2-8 AT III 561 at Minsk").items) == ["1x 2-8 AT III 561"]


def test_a_scanned_unit_is_understood_and_says_how() -> None:
    ob = parse("Jul 2 41\nReinforce:\n  lx l2–1O Pz XX 6 for I arm")
    assert shown(ob.entries[0].items) == ["1x 12-10 Pz XX 6"]
    assert ob.entries[0].cost == {"arm": Fraction(1)}
    assert [(warning.line, warning.column) for warning in ob.warnings] == [(3, 3), (3, 3), (3, 24)]


def test_a_word_that_is_hardly_a_designation_is_pointed_out() -> None:
    assert "'ni'" in parse("Jul 2 41\nReinforce 1x 8-6 Inf XX 24 ni MD Kiev").warnings[0].message


# ------------------------------------------------------------------------------------------------- places


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("in MD Leningrad", PlaceSpec("md", ("Leningrad",))),
        ("MD Leningrad", PlaceSpec("md", ("Leningrad",))),
        ("in MDs Orel, Kharkov", PlaceSpec("multi_md", ("Orel", "Kharkov"))),
        ("in MD Orel or Kharkov", PlaceSpec("multi_md", ("Orel", "Kharkov"))),
        ("theatre East", PlaceSpec("theatre", ("East",))),
        ("in the East theatre", PlaceSpec("theatre", ("East",))),
        ("in command Middle East", PlaceSpec("command", ("Middle East",))),
        ("in country Rumania", PlaceSpec("country", ("Rumania",))),
        ("in Rumania", PlaceSpec("area", ("Rumania",))),
        ("at Minsk", PlaceSpec("city", ("Minsk",))),
        ("at Brest-Litovsk", PlaceSpec("city", ("Brest-Litovsk",))),
        ("in any city", PlaceSpec("any_city")),
        ("any city in MD Kiev", PlaceSpec("any_city", inside=PlaceSpec("md", ("Kiev",)))),
        ("at an army HQ", PlaceSpec("army_hq")),
        ("at an army HQ in East", PlaceSpec("army_hq", inside=PlaceSpec("area", ("East",)))),
        ("with any Army HQ in front Centre", PlaceSpec("army_hq", inside=PlaceSpec("front", ("Centre",)))),
        ("at Pskov in MD Leningrad", PlaceSpec("city", ("Pskov",), inside=PlaceSpec("md", ("Leningrad",)))),
        ("at hex 24A:0101", PlaceSpec("hex", hexes=("24A:0101",))),
        ("map edge 31 east", PlaceSpec("map_edge", ("31",), "east")),
        (
            "at map edge 7A western edge hexes 0101-0115, 0120",
            PlaceSpec("map_edge", ("7A",), "west", ("0101-0115", "0120")),
        ),
        ("sea 12", PlaceSpec("sea", ("12",))),
        (
            "at sea 24A west Atlantic Ocean within 7 of 24A:0101",
            PlaceSpec("sea", ("24A", "Atlantic Ocean"), "west", ("24A:0101",), 7),
        ),
        ("in theatre border of ETO", PlaceSpec("theatre_border", ("ETO",))),
        ("any port in theatre MTO", PlaceSpec("port", inside=PlaceSpec("theatre", ("MTO",)))),
        ("at airbase Minsk", PlaceSpec("airbase", ("Minsk",))),
        ("box FORM", PlaceSpec("box", ("form",))),
        ("in box FORM of MD Leningrad", PlaceSpec("box", ("form",), inside=PlaceSpec("md", ("Leningrad",)))),
        ("in the GIBRALTAR HOLDING BOX", PlaceSpec("box", ("holding",), inside=PlaceSpec("area", ("Gibraltar",)))),
        (
            "in box eliminated isolated of front Centre",
            PlaceSpec("box", ("eliminated isolated",), inside=PlaceSpec("front", ("Centre",))),
        ),
    ],
)
def test_every_kind_of_place(text: str, place: PlaceSpec) -> None:
    assert one(f"Reinforce 1x 8-6 Inf XX 24 {text}").place == place
    assert one(f"Reinforce 1x 8-6 Inf XX 24, {text}, note: x").place == place


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("at a corps HQ in East", 31, "'a corps HQ' is not where units can appear"),
        ("at any HQ", 31, "'any HQ' is not where units can appear"),
        ("at army HQ 4 in East", 39, "an army HQ stands for whichever there is"),
    ],
)
def test_an_hq_that_is_no_place_is_refused_where_it_stands(text: str, column: int, says: str) -> None:
    (problem,) = parse(f"Jul 2 41\nReinforce 1x 8-6 Inf XX 24 {text}").problems
    assert (problem.column, problem.message) == (column, says)


# ------------------------------------------------------------------------------------------------ clauses


def test_costs_yields_and_rebuilding() -> None:
    entry = one("Withdraw 1x 8-6 Inf XX 24 for 3 inf, 1½ arm gives 2 inf each, rebuild 4 inf")
    assert entry.cost == {"inf": Fraction(3), "arm": Fraction(3, 2)}
    assert entry.yields == {"inf": Fraction(2)}
    assert entry.rebuild == {"inf": Fraction(4)}


def test_a_state_is_an_if_and_an_event_a_when() -> None:
    entry = one("Reinforce 1x 8-6 Inf XX if Soviet Union invaded; when Minsk falls; unless Turkey is in")
    assert entry.conditions == (
        Condition("state", "Soviet Union invaded"),
        Condition("event", "Minsk falls"),
        Condition("state", "Turkey is in", holds=False),
    )


def test_a_condition_may_stand_before_the_units() -> None:
    entry = one("If Soviet Union invaded: Reinforce 1x 8-6 Inf XX 24 at Minsk")
    assert entry.conditions == (Condition("state", "Soviet Union invaded"),)


@pytest.mark.parametrize(
    ("text", "guard"),
    [
        ("given ETO not controlled", Guard("controlled", "ETO", holds=False)),
        ("given ETO is controlled", Guard("controlled", "ETO")),
        ("given Southeast in play", Guard("in play", "Southeast")),
        ("given map 24A in use", Guard("in use", "map 24A")),
        ("given Iraqi Coup has not occurred", Guard("occurred", "Iraqi Coup", holds=False)),
    ],
)
def test_guards(text: str, guard: Guard) -> None:
    assert one(f"Withdraw 1x 8-6 Inf XX 24 {text}").guards == (guard,)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("full Aug 1 41", Link("full", "Aug 1 41")),
        ("return Oct 2 1941", Link("return", "Oct 2 41")),
        ("returns Oct 1 41", Link("return", "Oct 1 41")),
        ("withdrawn Aug 1 44", Link("withdraw", "Aug 1 44")),
        ("after assembly of 5 Mtn XX", Link("assembly", what="5 Mtn XX")),
    ],
)
def test_links(text: str, link: Link) -> None:
    assert one(f"Withdraw 1x 8-6 Inf XX 24, {text}").links == (link,)
    assert one(f"Withdraw 1x 8-6 Inf XX 24 at Minsk {text}").links == (link,)


@pytest.mark.parametrize(
    ("text", "arrival"),
    [
        ("may be in reserve", "reserve allowed"),
        ("in reserve", "reserve"),
        ("in OR", "operational reserve"),
        ("in national reserve", "national reserve"),
        ("embarked", "embarked"),
    ],
)
def test_how_units_come_in(text: str, arrival: str) -> None:
    entry = one(f"Arrive 1x 8-6 Inf XX 24 at Minsk, {text}")
    assert (entry.arrival, entry.place) == (arrival, PlaceSpec("city", ("Minsk",)))


@pytest.mark.parametrize("note", ['"as printed"', "“as printed”", "(as printed)", "note: as printed"])
def test_notes(note: str) -> None:
    assert one(f"Reinforce 1x 8-6 Inf XX 24 at Minsk {note}").note == "as printed"


def test_where_from_and_where_to() -> None:
    entry = one("Transfer 1x 8-6 Inf XX 24 from theatre East to theatre West")
    assert (entry.source, entry.place) == (PlaceSpec("theatre", ("East",)), PlaceSpec("theatre", ("West",)))


# -------------------------------------------------------------------------------------- lines and comments


def test_comments_stay_with_the_entry_they_stand_at() -> None:
    ob = clean("# page 3\nJul 2 41\nReinforce:\n# errata\n1x 8-6 Inf XX 24  # of 1994\n# end")
    assert ob.entries[0].comments == ("page 3", "errata", "of 1994")
    assert ob.comments == ("end",)


def test_a_line_runs_on_behind_a_comma_or_before_an_arrow() -> None:
    ob = parse("Jul 2 41\nReinforce:\n2x 8-6 Inf XX 24,\n   76\nConvert:\n1x 12-10 Pz XX 6\n → 1x 14-10 Pz XX 6")
    assert ob.problems == ()
    assert [shown(entry.items) for entry in ob.entries] == [["2x 8-6 Inf XX 24, 76"], ["1x 12-10 Pz XX 6"]]
    assert [entry.line for entry in ob.entries] == [3, 6]


def test_a_line_broken_in_the_middle_of_a_clause_is_put_together() -> None:
    ob = parse("Jul 2 41\nReinforce:\n2x 8-6 Inf XX 24, 76 in MD\nLeningrad")
    assert ob.problems == ()
    assert ob.entries[0].place == PlaceSpec("md", ("Leningrad",))


def test_a_line_that_stands_by_itself_never_runs_on() -> None:
    ob = parse("Jul 2 41\nReinforce:\n2x 8-6 Inf XX 24, 76,\n1x 7-6 Inf XX 31")
    assert [shown(entry.items) for entry in ob.entries] == [["2x 8-6 Inf XX 24, 76"], ["1x 7-6 Inf XX 31"]]


def test_an_empty_line_ends_an_entry() -> None:
    ob = parse("Jul 2 41\nReinforce:\n2x 8-6 Inf XX 24,\n\n76")
    assert [entry.verb for entry in ob.entries] == ["reinforce", NOT_UNDERSTOOD]


def test_a_note_does_not_take_in_an_arrow_on_the_next_line() -> None:
    for line in ("1x 8-6 Inf XX 24 → 1x 9-6 Inf XX 24, note: late", "1x 8-6 Inf XX 24, note: late"):
        ob = parse(f"Jul 2 41\nConvert:\n{line}\n→ 1x 10-6 Inf XX")
        assert [entry.verb for entry in ob.entries] == ["convert", NOT_UNDERSTOOD]


def test_a_comma_too_many_does_not_swallow_the_line_below() -> None:
    ob = parse("Jul 2 41\nReinforce:\n1x 8-6 Inf XX 24,\ngarbled\n2x 8-6 Inf XX 25,\n26")
    assert [entry.verb for entry in ob.entries] == ["reinforce", NOT_UNDERSTOOD, "reinforce"]
    assert shown(ob.entries[2].items) == ["2x 8-6 Inf XX 25, 26"]


def test_an_arrow_on_its_own_line_does_not_turn_a_reinforcement_into_a_conversion() -> None:
    ob = parse("Jul 2 41\nReinforce:\n1x 12-10 Pz XX 6\n→ 1x 14-10 Pz XX 6")
    assert [entry.verb for entry in ob.entries] == ["reinforce", NOT_UNDERSTOOD]


# --------------------------------------------------------------------------------------------------- keys


def test_keys_count_within_turn_nation_and_verb() -> None:
    german = "Jul 2 41\nGerman\nReinforce:\n1x 8-6 Inf XX 1\n1x 8-6 Inf XX 2\nWithdraw:\n1x 8-6 Inf XX 3"
    assert [entry.key for entry in parse(f"{german}\nSoviet\nReinforce 1x 5-6 Rif XX").entries] == [
        "jul-2-41-german-reinforce-1",
        "jul-2-41-german-reinforce-2",
        "jul-2-41-german-withdraw-1",
        "jul-2-41-soviet-reinforce-1",
    ]


def test_lines_added_elsewhere_and_lines_spoiled_here_leave_the_other_keys_alone() -> None:
    before = "Jul 2 41\nGerman\nReinforce:\n1x 8-6 Inf XX 1\n1x 8-6 Inf XX 2\nWithdraw:\n1x 8-6 Inf XX 3"
    keys = [entry.key for entry in parse(before).entries]
    added = parse(
        before.replace("Withdraw:", "Disband 1x 8-6 Inf XX 4 gives 0 inf\nWithdraw:") + "\nSoviet\n1x 5-6 Rif XX"
    )
    assert [key for key in (entry.key for entry in added.entries) if key in keys] == keys
    spoiled = parse(before.replace("1x 8-6 Inf XX 1\n", "1x 8-6 Inf ?? 1\n"))
    assert [entry.key for entry in spoiled.entries] == keys


# ------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("line", "column", "message", "hint"),
    [
        ("Wihdraw 1x 8-6 Inf XX", 1, "found 'Wihdraw'", "did you mean withdraw?"),
        ("Germna", 1, "found 'Germna'", "did you mean German?"),
        (
            "Jly 2 41",
            1,
            "found 'Jly'",
            "there is no month 'Jly'; did you mean July?; until then the lines below it are held",
        ),
        (
            "Jul 5 41",
            1,
            "there are 4 turns a month",
            "write it as Jul 2 41; until then the lines below it are held",
        ),
        ("24 Inf XX", 8, "found 'XX'", "a unit begins with its strength, as in 1x 8-6 Inf XX 24"),
        ("  2x Inf XX", 6, "expected a strength such as 8-6", "a unit is written as 2x 8-6 Inf XX 24, 76"),
        ("Withdraw 1x 8-6 Inf 24", 23, "expected a size", "a unit is written as 2x 8-6 Inf XX 24, 76"),
        ("Reinforce 1x 8-6 Inf XX in MD", 30, "expected a name", "put what is left in a note: note: …"),
        ('Reinforce 1x 8-6 Inf XX "note', 25, "the note is not closed", 'end it with ", or write note: before it'),
        (
            "Upgrade 1x 8-6 Inf XX at Minsk → 1x 9-6 Inf XX",
            32,
            "the arrow stands",
            "write the arrow once, right behind the units that change",
        ),
        (
            "Reinforce 1x 8-6 Inf XX at Minsk, 1x 9-6 Inf XX",
            35,
            "units stand behind a place",
            "give them a line of their own",
        ),
        ("Reinforce 1x 8-6 Inf XX for 3 inf, 1 inf", 36, "inf points are given twice", "add them up"),
        (
            "Reinforce 1x 8-6 Inf XX for 3 inf for 1 inf",
            1,
            "the line gives its cost twice",
            "keep one, or make two lines of it",
        ),
        ("Withdraw 1x 8-6 Inf XX 24, return Okt 1 41", 35, "expected a turn", ""),
        ("Other:", 7, "expected", ""),
        ("Reinforce 1x 8-6 Inf XX given peace", 25, "a guard is not understood", ""),
        ("German, Soviet", 1, "two headings of one kind: nation", "keep one of them"),
    ],
)
def test_what_is_not_understood_is_kept_and_says_where_and_what_to_do(
    line: str, column: int, message: str, hint: str
) -> None:
    ob = parse(f"Jul 2 41\nReinforce:\n1x 8-6 Inf XX 1\n{line}\n1x 8-6 Inf XX 2", "east.ob")
    problem, *held = ob.problems
    assert (problem.file, problem.line, problem.column) == ("east.ob", 4, column)
    assert message in problem.message
    assert problem.hint
    assert problem.hint == hint or not hint
    # What stands under a heading that cannot be read is held.
    heads = line.endswith(":") or (line.endswith(" 41") and line.startswith("J")) or line == "Germna"
    after = NOT_UNDERSTOOD if heads else "reinforce"
    assert [entry.verb for entry in ob.entries] == ["reinforce", NOT_UNDERSTOOD, after]
    assert len(held) == (after == NOT_UNDERSTOOD)
    assert ob.entries[1].note == line.strip()


def test_a_line_of_a_thousand_characters_is_read_and_a_longer_one_is_not() -> None:
    line = "Other: " + "x" * 993
    assert parse(line).problems == ()
    (problem,) = parse(f"{line}x").problems
    assert (problem.column, problem.hint) == (1001, "break it into several entries")


def test_the_examples_of_the_documentation_are_understood() -> None:
    page = (Path(__file__).parents[2] / "docs" / "order-of-battle.md").read_text("utf-8")
    whole, _, running_on, *_ = (block.split("```")[0] for block in page.split("```\n")[1::2])
    assert len(clean(whole).entries) == 6
    assert len(clean(f"Jul 2 41\nConvert:\n{running_on}").entries) == 2
    for verb in VERBS:
        assert verb.capitalize() in page


def test_a_file_is_read_with_its_name(tmp_path: Path) -> None:
    file = tmp_path / "east.ob"
    file.write_bytes("\ufeffJul 2 41\r\nReinforce:\r\n1x ½-6 Inf III\r\nnonsense\r\n".encode())
    ob = read_file(file)
    assert len(ob.entries) == 2
    assert str(ob.problems[0]).startswith(f"{file}:4:1: ")
    file.write_bytes(b"Jul 2 41\n\xff")
    with pytest.raises(BadFile, match=r"east\.ob:2:1: .*UTF-8"):
        read_file(file)
    with pytest.raises(BadFile, match="cannot be read"):
        read_file(file.with_name("west.ob"))


def test_what_a_disbanding_is_said_to_be_for_is_what_it_gives() -> None:
    ob = parse("Jul 2 41\nDisband 1x 3-6 Inf X 900 for 3 inf\nDisband 1x 3-6 Inf X 901 gives 2 inf")
    assert [entry.yields for entry in ob.entries] == [{"inf": Fraction(3)}, {"inf": Fraction(2)}]
    assert not any(entry.cost for entry in ob.entries)
    assert [warning.message for warning in ob.warnings] == ["disbanding costs nothing: read 'for' as what it gives"]
    upgrade = one("Upgrade 1x 3-6 Inf X 900 → 1x 4-6 Inf X 900 for 1 inf")
    assert upgrade.cost == {"inf": Fraction(1)}
    assert not upgrade.yields


@pytest.mark.parametrize(
    ("line", "names", "note", "place"),
    [
        ("1x 8-6 Inf XX 305, at most one per turn", ("305",), "at most one per turn", ()),
        ("1x 8-6 Inf XX 308 max 2 per month", ("308",), "max 2 per month", ()),
        ("1x 8-6 Inf XX 307; limit one a month", ("307",), "limit one a month", ()),
        ("1x 8-6 Inf XX 309 höchstens zwei im Monat", ("309",), "höchstens zwei im Monat", ()),
        ("1x 8-6 Inf XX 310 in MD Kiev, no more than three in all", ("310",), "no more than three in all", ("Kiev",)),
        ("2x 8-6 Inf XX 8, 9 -> 8-6 Jg XX for 1 inf, one per turn", ("8", "9"), "one per turn", ()),
        ("1x 8-6 Inf XX 313 at Most", ("313",), "", ("Most",)),
        ("1x 8-6 Inf XX 314 at Most, at most two a month", ("314",), "at most two a month", ("Most",)),
    ],
)
def test_a_limit_at_the_end_of_a_line_is_neither_a_place_nor_a_name(
    line: str, names: tuple[str, ...], note: str, place: tuple[str, ...]
) -> None:
    (entry,) = parse(f"Jul 2 41\nGerman\nUpgrade:\n{line}\n").entries
    assert (entry.items[0].designations, entry.note, entry.place.names if entry.place else ()) == (names, note, place)
