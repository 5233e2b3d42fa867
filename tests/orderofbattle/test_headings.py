"""Headings of an order of battle: several things in one, those nobody can read, and turns of the other calendar."""

from fractions import Fraction

import pytest

from forcepool.orderofbattle.limits import IN_ALL, MONTH, TURN, Limit, instructions
from forcepool.orderofbattle.model import NOT_UNDERSTOOD, OrderOfBattle, PlaceSpec, content
from forcepool.orderofbattle.printing import print_ob
from forcepool.orderofbattle.reading import parse

START = "Jul 2 41\n  German\n    Reinforce:\n      1x 8-6 Inf XX 24\n"


def verbs(ob: OrderOfBattle) -> list[str]:
    return [entry.verb for entry in ob.entries]


def reads_back(ob: OrderOfBattle) -> bool:
    return content(parse(print_ob(ob))) == content(ob)


@pytest.mark.parametrize("heading", ["Landings and Lend-Lease:", "Miscellaneous:", "Naval Transfers Only:", "Bogus:"])
def test_what_stands_under_a_heading_nobody_reads_is_held(heading: str) -> None:
    ob = parse(f"{START}    {heading}\n      2x 4-6 Inf X 31, 32\n    Withdraw:\n      1x 8-6 Inf XX 24\n")
    assert verbs(ob) == ["reinforce", NOT_UNDERSTOOD, NOT_UNDERSTOOD, "withdraw"]
    held = ob.entries[2]
    assert (held.note, held.under, held.items) == ("2x 4-6 Inf X 31, 32", "", ())
    assert "is not understood: it is held" in ob.problems[1].message
    assert "means …" in ob.problems[1].hint
    assert reads_back(ob)


def test_without_indentation_the_next_verb_ends_it_only_behind_what_it_holds() -> None:
    flat = "Jul 2 41\nGerman\nReinforce:\n1x 8-6 Inf XX 24\nKlingon:\nReinforce:\n1x 8-6 Inf XX 25\n"
    assert verbs(parse(flat)) == ["reinforce", NOT_UNDERSTOOD, NOT_UNDERSTOOD]
    ended = "Jul 2 41\nGerman\nOddities:\n1x 8-6 Inf XX 24\nReinforce:\n1x 8-6 Inf XX 25\n"
    assert verbs(parse(ended)) == [NOT_UNDERSTOOD, NOT_UNDERSTOOD, "reinforce"]


@pytest.mark.parametrize("ending", ["Italian\n    Reinforce:\n", "Aug 1 41\n  German\n    Reinforce:\n"])
def test_a_nation_or_a_turn_ends_what_is_held(ending: str) -> None:
    ob = parse(f"{START}    Oddities:\n      1x 8-6 Inf XX 25\n  {ending}      1x 8-6 Inf XX 26\n")
    assert verbs(ob) == ["reinforce", NOT_UNDERSTOOD, NOT_UNDERSTOOD, "reinforce"]


def test_a_line_with_a_verb_of_its_own_needs_no_heading() -> None:
    ob = parse(f"{START}    Oddities:\n      Withdraw 1x 8-6 Inf XX 24\n      1x 8-6 Inf XX 25\n")
    assert verbs(ob) == ["reinforce", NOT_UNDERSTOOD, "withdraw", NOT_UNDERSTOOD]


def test_a_turn_nobody_reads_holds_all_until_the_next_turn() -> None:
    ob = parse(f"{START}Jul 9 41\n  Italian\n    Reinforce:\n      1x 3-6 Inf XX 1\nAug 1 41\n      1x 3-6 Inf XX 2\n")
    assert verbs(ob) == ["reinforce", NOT_UNDERSTOOD, NOT_UNDERSTOOD, "reinforce"]
    assert "until then the lines below it are held" in ob.problems[0].hint


def test_someone_says_what_a_heading_means() -> None:
    text = f"heading Landings means Reinforce\n{START}    Landings:\n      2x 4-6 Inf X 31, 32\n"
    ob = parse(text)
    assert (verbs(ob), ob.problems) == (["reinforce", "reinforce"], ())
    assert reads_back(ob)


@pytest.mark.parametrize(
    ("heading", "verb", "theatre", "place"),
    [
        ("West, Forming:", "forming", "West", None),
        ("Forming, West:", "forming", "West", None),
        ("West: Reinforce:", "reinforce", "West", None),
        ("West - Reinforcements:", "reinforce", "West", None),
        ("theatre West, Forming:", "forming", "West", None),
        ("South East, Withdraw:", "withdraw", "South East", None),
        ("Withdraw to East:", "transfer", None, PlaceSpec("theatre", ("East",))),
        ("Withdrawals to the East:", "transfer", None, PlaceSpec("theatre", ("East",))),
        ("Transfer to East:", "transfer", None, PlaceSpec("theatre", ("East",))),
        ("Reinforce in MD Leningrad:", "reinforce", None, PlaceSpec("md", ("Leningrad",))),
        ("Delete:", "withdraw", None, None),
        ("Remove:", "withdraw", None, None),
        ("West, Delete:", "withdraw", "West", None),
    ],
)
def test_a_heading_says_several_things_at_once(
    heading: str, verb: str, theatre: str | None, place: PlaceSpec | None
) -> None:
    ob = parse(f"{START}    {heading}\n      1x 8-6 Inf XX 25\n    Reinforce:\n      1x 8-6 Inf XX 26\n")
    assert ob.problems == ()
    entry, after = ob.entries[1:]
    section = PlaceSpec("theatre", (theatre,)) if theatre else None
    assert (entry.verb, entry.section, entry.place) == (verb, section, place)
    # What stood on one line goes with it.
    assert (after.verb, after.section, after.place) == ("reinforce", None, None)
    assert reads_back(ob)


@pytest.mark.parametrize("heading", ["West, Forming:", "Withdraw to East:", "Delete:"])
def test_what_was_guessed_in_a_heading_is_told(heading: str) -> None:
    ob = parse(f"{START}    {heading}\n      1x 8-6 Inf XX 25\n")
    assert [each.line for each in ob.warnings] == [5]
    assert ob.warnings[0].message.startswith("read '")


@pytest.mark.parametrize("words", ["Any City", "any city", ", Any City", " in any city", ", in Any City"])
def test_any_city_is_a_place_however_it_is_written(words: str) -> None:
    ob = parse(f"Jul 2 41\nGerman\nReinforce:\n1x 8-6 Inf XX 24 {words}\n")
    assert (ob.problems, ob.warnings) == ((), ())
    (entry,) = ob.entries
    assert entry.place == PlaceSpec("any_city")
    assert entry.items[0].designations == ("24",)


@pytest.mark.parametrize(
    ("note", "limit"),
    [
        ("no more than two a month", Limit(Fraction(2), MONTH)),
        ("max. 2/month", Limit(Fraction(2), MONTH)),
        ("two each month at most", Limit(Fraction(2), MONTH)),
        ("two units per month maximum", Limit(Fraction(2), MONTH)),
        ("limit: two a month", Limit(Fraction(2), MONTH)),
        ("max two/turn", Limit(Fraction(2), TURN)),
        ("höchstens zwei im Monat", Limit(Fraction(2), MONTH)),
        ("nicht mehr als drei insgesamt", Limit(Fraction(3), IN_ALL)),
    ],
)
def test_a_limit_in_words_is_understood(note: str, limit: Limit) -> None:
    assert instructions(note).limits == (limit,)
    assert instructions(note).unread == ""


@pytest.mark.parametrize(
    "note", ["no more than two a month until Jan 42", "no more than one every other month", "not before Aug 41"]
)
def test_a_limit_that_is_not_understood_is_said_to_be_not(note: str) -> None:
    assert instructions(note).limits == ()
    assert instructions(note).unread == note


def turns(text: str, turns_a_month: int = 4, *, roman: bool = False) -> tuple[list[str], int]:
    ob = parse(text, turns_a_month=turns_a_month, roman=roman)
    return [entry.turn for entry in ob.entries], len(ob.warnings)


def test_a_turn_of_the_other_calendar_is_converted_and_told() -> None:
    text = "Jun I 41\nGerman\nReinforce:\n1x 8-6 Inf XX 24\nJun II 41\n1x 8-6 Inf XX 25\n"
    assert turns(text.replace("Jun II 41\n", "Jun II 41\nGerman\nReinforce:\n")) == (["Jun 1 41", "Jun 3 41"], 1)


def test_a_text_with_roman_turns_up_to_four_has_four_of_them() -> None:
    text = "".join(f"Jun {turn} 41\nGerman\nReinforce:\n1x 8-6 Inf XX 2{n}\n" for n, turn in enumerate(("II", "IV")))
    assert turns(text) == (["Jun 2 41", "Jun 4 41"], 0)


def test_a_third_turn_in_a_calendar_of_two_is_refused_and_holds_its_lines() -> None:
    ob = parse("Jun 3 41\nGerman\nReinforce:\n1x 8-6 Inf XX 24\n", turns_a_month=2, roman=True)
    assert verbs(ob) == [NOT_UNDERSTOOD, NOT_UNDERSTOOD]


@pytest.mark.parametrize("heading", ["Air Reinforcements", "NOTES", "Coastal Defence/Garrison"])
def test_a_heading_without_a_colon_that_nobody_reads_holds_what_stands_under_it(heading: str) -> None:
    ob = parse(f"Jul 2 41\nGerman\n{heading}\n8-6 Inf XX 24 at Minsk\n")
    assert [entry.verb for entry in ob.entries] == ["not understood", "not understood"]


@pytest.mark.parametrize("note", ["up to half", "at least two", "one unit at a time"])
def test_what_sounds_like_a_limit_and_is_none_we_know_is_said_to_be_unread(note: str) -> None:
    assert (instructions(note).limits, instructions(note).unread) == ((), note)


def test_a_nation_right_above_a_turn_is_not_closed_by_it() -> None:
    ob = parse(
        "Jul 1 41\nGerman\nReinforce 1x 2-6 Inf III\nRumanian\nJul 2 41\nReinforce 1x 3-6 Inf III\n"
        "Jul 3 41\nReinforce 1x 4-6 Inf III"
    )
    assert [(entry.nation, entry.turn) for entry in ob.entries] == [
        ("German", "Jul 1 41"),
        ("Rumanian", "Jul 2 41"),
        ("Rumanian", "Jul 3 41"),
    ]


def test_a_nation_with_lines_under_it_is_closed_by_the_next_turn_and_a_verb_always_is() -> None:
    ob = parse("Jul 1 41\nGerman\nReinforce 1x 2-6 Inf III\nJul 2 41\nReinforce 1x 3-6 Inf III")
    assert [entry.nation for entry in ob.entries] == ["German", ""]
    ob = parse("German\nJul 1 41\nWithdraw:\nJul 2 41\n1x 3-6 Inf III")
    assert [entry.verb for entry in ob.entries] == ["reinforce"]


def test_before_the_nation_of_a_contingent_soviet_is_the_side() -> None:
    ob = parse("Jul 1 43\nSoviet, Polish\nReinforce 1x 5-6 Inf XX 1\nSoviet\nReinforce 1x 5-6 Rif XX 2")
    assert ob.problems == ()
    assert [(entry.side, entry.nation) for entry in ob.entries] == [("Soviet", "Polish"), ("Soviet", "Soviet")]
    (problem,) = parse("Jul 1 43\nGerman, Polish\nReinforce 1x 5-6 Inf XX 1").problems[:1]
    assert problem.message == "the line gives two headings of one kind: nation"


@pytest.mark.parametrize(
    ("line", "verb"),
    [
        ("Withdraw: 1x 8-6-5-4 Inf XX 76", "withdraw"),
        ("Withdraw: 1x 7-6 Inf XX or 1x 8-6 Inf XX", "withdraw"),
        ("Withdraw 1x 8-6-5-4 Inf XX 76", "reinforce"),
        ("if Minsk falls: 1x 8-6-5-4 Inf XX 76", "reinforce"),
        ("Withdrawl: 1x 8-6 Inf XX 76", NOT_UNDERSTOOD),
        ("Rumainan: 1x 8-6 Inf XX 76", NOT_UNDERSTOOD),
        ("Withdraw by sea: 1x 8-6 Inf XX 76", NOT_UNDERSTOOD),
        ("Jul 5 41: 1x 8-6 Inf XX 76", NOT_UNDERSTOOD),
        ("Jul 5 41: Withdraw 1x 8-6 Inf XX 76", NOT_UNDERSTOOD),
    ],
)
def test_a_heading_with_a_colon_holds_for_the_lines_below_though_its_own_was_not_read(line: str, verb: str) -> None:
    ob = parse(f"Jul 2 41\nGerman\nReinforce:\n1x 8-6 Inf XX 24\n{line}\n1x 8-6 Inf XX 87")
    assert [entry.verb for entry in ob.entries] == ["reinforce", NOT_UNDERSTOOD, verb]


@pytest.mark.parametrize(
    "turns",
    [
        "Jul 2 41 to Aug 1 41",
        "Jul 2 41 - Aug 1 41:",
        "Jul 2-4 41",
        "Jul 2 - Aug 1 41",
        "Aug 1 41 or later",
        "From Aug 1 41 on:",
        "After Aug 1 41",
        "Any turn from Aug 1 41",
    ],
)
def test_several_turns_are_no_heading_and_what_stands_under_them_is_held(turns: str) -> None:
    ob = parse(f"Jul 1 41\nGerman\nReinforce: 1x 8-6 Inf XX 24\n{turns}\nWithdraw: 1x 8-6 Inf XX 76\nSep 1 41\n3 inf")
    assert [(entry.verb, entry.turn) for entry in ob.entries][2:] == [
        (NOT_UNDERSTOOD, "Jul 1 41"),
        ("resources", "Sep 1 41"),
    ]
    assert ob.problems[0].message.startswith("one turn stands over a line; found ")


@pytest.mark.parametrize("turn", ["1 Aug 41", "1st August 1941:", "Aug 1", "Aug 41", "October II", "August 1941"])
def test_part_of_a_turn_holds_what_stands_under_it(turn: str) -> None:
    ob = parse(f"{START}{turn}\nReinforce 1x 8-6 Inf XX 76\nSep 1 41\nReinforce 1x 8-6 Inf XX 87")
    assert verbs(ob) == ["reinforce", NOT_UNDERSTOOD, NOT_UNDERSTOOD, "reinforce"]
    assert ob.problems[0].hint.startswith("write it as Jul 2 41")


def test_a_turn_behind_a_verb_on_a_line_with_units_does_not_close_it() -> None:
    for headings in ("Full Oct 3 41:", "Full: Oct 3 41:", "Oct 3 41: Full:"):
        (entry,) = parse(f"{headings} 1x 8-6 Inf XX 300").entries
        assert (entry.verb, entry.turn) == ("full", "Oct 3 41")
    ob = parse("Full: Oct 3 41: 1x 8-6 Inf XX 300\n1x 8-6 Inf XX 301")
    assert [(entry.verb, entry.turn) for entry in ob.entries] == [("full", "Oct 3 41")] * 2
