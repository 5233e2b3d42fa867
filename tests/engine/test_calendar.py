"""Turns, months and phases follow each other as on the turn record track."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcepool.engine.calendar import (
    LONG_MONTHS,
    MOST_PLAYERS,
    SHORT_MONTHS,
    BadSequence,
    BadTurn,
    Calendar,
    Clock,
    Sequence,
    Turn,
)

WEEKS = Calendar(turns_per_month=4)
HALVES = Calendar(turns_per_month=2, roman=True)
MONTHS = Calendar(turns_per_month=1)
JUL_2_41 = WEEKS.turn(1941, 7, 2)


def test_a_turn_is_counted_from_the_year_nought() -> None:
    assert JUL_2_41 == ((1941 * 12) + 6) * 4 + 1
    assert MONTHS.turn(1941, 7) == 1941 * 12 + 6


def test_a_turn_is_named_in_the_style_of_its_calendar() -> None:
    assert WEEKS.name(JUL_2_41) == "Jul 2 41"
    assert HALVES.name(HALVES.turn(1941, 7, 2)) == "Jul II 41"
    assert MONTHS.name(MONTHS.turn(1941, 7)) == "Jul 41"
    assert Calendar(4, roman=True).name(Turn(JUL_2_41 + 2)) == "Jul IV 41"


def test_a_year_of_two_digits_is_written_for_the_nineteen_hundreds_only() -> None:
    assert WEEKS.name(WEEKS.turn(1900, 1)) == "Jan 1 00"
    assert WEEKS.name(WEEKS.turn(1909, 1)) == "Jan 1 09"
    assert WEEKS.name(WEEKS.turn(1999, 12, 4)) == "Dec 4 99"
    assert WEEKS.name(WEEKS.turn(2000, 1)) == "Jan 1 2000"
    assert WEEKS.name(WEEKS.turn(1899, 12, 4)) == "Dec 4 1899"


@pytest.mark.parametrize(
    "text",
    [
        "Jul 2 41",
        "Jul II 41",
        "jul ii 1941",
        "July 2 41",
        "Jul 2, 41",
        "JUL 2 41",
        " Jul  2 41 ",
        "Jul. 2 '41",
        "Jul 2 1941",
    ],
)
def test_both_styles_are_read_without_a_doubt(text: str) -> None:
    # Four turns a month in Roman are a style only where it is said that they are not halves.
    parsed = Calendar(4, halves=False).parse(text)
    assert parsed.turn == JUL_2_41
    assert parsed.warnings == ()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Dec 139", "Dec 1 39"),
        ("Dec l39", "Dec 1 39"),
        ("Dec l 39", "Dec 1 39"),
        ("Dec I39", "Dec 1 39"),
        ("Dec | 39", "Dec 1 39"),
        ("Dec 11939", "Dec 1 39"),
        ("Dec I1939", "Dec 1 39"),
        ("JulII41", "Jul 2 41"),
        ("Jul241", "Jul 2 41"),
        ("JulyII41", "Jul 2 41"),
        ("Jul2 41", "Jul 2 41"),
        ("Jul II41", "Jul 2 41"),
        ("Jul ll 41", "Jul 2 41"),
        ("Jul Il 41", "Jul 2 41"),
        ("Jul lll 41", "Jul 3 41"),
        ("Jul lV 41", "Jul 4 41"),
        ("Jul 2 4l", "Jul 2 41"),
        ("Jul 2 4O", "Jul 2 40"),
        ("Jul 2 I941", "Jul 2 41"),
    ],
)
def test_the_slips_of_a_scanner_are_read_with_a_warning_that_says_how(text: str, meant: str) -> None:
    parsed = Calendar(4, halves=False).parse(text)
    assert WEEKS.name(parsed.turn) == meant
    assert parsed.warnings == (f"read {text!r} as {meant}",)


@pytest.mark.parametrize(
    ("text", "meant"),
    [("Jun II 41", "Jun 3 41"), ("jun ii 1941", "Jun 3 41"), ("Jun ll 41", "Jun 3 41"), ("JunII41", "Jun 3 41")],
)
def test_a_turn_of_two_a_month_is_converted_by_a_rule_that_is_stated(text: str, meant: str) -> None:
    parsed = WEEKS.parse(text)
    assert WEEKS.name(parsed.turn) == meant
    rule = "of two turns a month, I is the first of four and II the third"
    assert parsed.warnings == (f"read {text!r} as {meant}: {rule}",)


def test_the_first_half_begins_with_the_first_turn_and_a_roman_three_is_the_third_of_four() -> None:
    assert WEEKS.name(WEEKS.parse("Jun I 41").turn) == "Jun 1 41"
    assert WEEKS.name(WEEKS.parse("Jun III 41").turn) == "Jun 3 41"
    assert WEEKS.name(WEEKS.parse("Jun IV 41").turn) == "Jun 4 41"


def test_a_digit_in_a_calendar_of_roman_turns_is_told() -> None:
    assert HALVES.parse("Jun 2 41").warnings == ("read 'Jun 2 41' as Jun II 41",)
    assert HALVES.parse("Jun II 41").warnings == ()


def test_a_warning_speaks_the_style_of_the_calendar() -> None:
    assert HALVES.parse("Dec 139").warnings == ("read 'Dec 139' as Dec I 39",)
    assert MONTHS.parse("Jun41").warnings == ("read 'Jun41' as Jun 41",)


@pytest.mark.parametrize("text", ["Jun 41", "June 1941", "Jun 1 41", "Jun I 41", "Jun, 41"])
def test_a_month_alone_is_a_turn_when_a_month_is_one_turn(text: str) -> None:
    assert MONTHS.parse(text) == MONTHS.parse("Jun 41")
    assert MONTHS.name(MONTHS.parse(text).turn) == "Jun 41"
    assert MONTHS.parse(text).warnings == ()


@pytest.mark.parametrize("text", ["Jun 41", "Jun 1941", "Jun 4l"])
def test_a_month_alone_is_no_turn_when_a_month_is_four(text: str) -> None:
    with pytest.raises(BadTurn, match="does not say which turn of the month; write it as Jul 2 41"):
        WEEKS.parse(text)


def test_the_last_turn_of_a_month_is_read_and_the_one_after_it_refused() -> None:
    assert WEEKS.name(WEEKS.parse("Jul 4 41").turn) == "Jul 4 41"
    for text in ("Jul 5 41", "Jul 0 41", "Jul V 41", "Jul 541"):
        with pytest.raises(BadTurn, match=f"'{text}': there are 4 turns a month"):
            WEEKS.parse(text)
    assert HALVES.name(HALVES.parse("Jul 2 41").turn) == "Jul II 41"
    with pytest.raises(BadTurn, match="there are 2 turns a month"):
        HALVES.parse("Jul III 41")
    with pytest.raises(BadTurn, match="there is one turn a month"):
        MONTHS.parse("Jul 2 41")


@pytest.mark.parametrize(
    ("text", "year"), [("Jul 2 00", 1900), ("Jul 2 14", 1914), ("Jul 2 29", 1929), ("Jul 2 99", 1999)]
)
def test_two_digits_are_always_a_year_of_the_nineteen_hundreds(text: str, year: int) -> None:
    assert WEEKS.year(WEEKS.parse(text).turn) == year


@pytest.mark.parametrize("text", ["Jul 2 1899", "Jul 2 2000", "Jul 2 141", "Jul 2 4", "Jul 2 xx"])
def test_other_years_are_refused(text: str) -> None:
    with pytest.raises(BadTurn, match="no year from 1900 to 1999"):
        WEEKS.parse(text)


@pytest.mark.parametrize(("text", "hint"), [("Jly 2 41", "July"), ("Agu 2 41", "Aug"), ("Setpember 2 41", "September")])
def test_an_unknown_month_is_refused_with_a_suggestion(text: str, hint: str) -> None:
    with pytest.raises(BadTurn, match=f"there is no month '.*'; did you mean {hint}"):
        WEEKS.parse(text)


@pytest.mark.parametrize(
    "text", ["", " ", "41", "2 Jul 41", "Jul", "Jul 2", "Jul II", "Jul 2 41 3", "Jul x 41", "Xyzzy 1 41", "Ju 2 41"]
)
def test_what_is_no_turn_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(BadTurn) as refused:
        WEEKS.parse(text)
    assert "\n" not in str(refused.value)


def test_a_calendar_may_name_its_months_in_another_language_and_still_reads_english() -> None:
    german = Calendar(4, names=("Jän", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"))
    turn = german.turn(1941, 10, 3)
    assert german.name(turn) == "Okt 3 41"
    assert german.parse("okt 3 41").turn == german.parse("Oct 3 41").turn == turn


@pytest.mark.parametrize(("short", "long"), [*zip(SHORT_MONTHS, LONG_MONTHS, strict=True), ("Sep", "Sept")])
def test_months_are_read_short_and_in_full(short: str, long: str) -> None:
    for text in (f"{long} 1 42", f"{long}I42", f"{short}I42", f"{long.upper()} I 1942"):
        assert WEEKS.name(WEEKS.parse(text).turn) == f"{short} 1 42"


def test_other_shortenings_of_a_month_are_refused() -> None:
    with pytest.raises(BadTurn):
        WEEKS.parse("Apri 1 41")


def test_the_fourth_turn_of_december_is_followed_by_the_first_of_january() -> None:
    last = WEEKS.parse("Dec 4 41").turn
    assert WEEKS.name(Turn(last + 1)) == "Jan 1 42"
    assert (WEEKS.year(last), WEEKS.month(last), WEEKS.week(last)) == (1941, 12, 4)


def test_the_first_and_last_turns_of_a_month_are_known() -> None:
    turns = [WEEKS.turn(1941, 7, week) for week in (1, 2, 3, 4)]
    assert [WEEKS.is_first_of_month(turn) for turn in turns] == [True, False, False, False]
    assert [WEEKS.is_last_of_month(turn) for turn in turns] == [False, False, False, True]
    only = MONTHS.turn(1941, 7)
    assert MONTHS.is_first_of_month(only)
    assert MONTHS.is_last_of_month(only)


@pytest.mark.parametrize(
    ("turn", "opens"), [("Jul 1 41", "Aug 1 41"), ("Jul 4 41", "Aug 1 41"), ("Dec 2 41", "Jan 1 42")]
)
def test_the_next_month_opens_on_its_first_turn(turn: str, opens: str) -> None:
    assert WEEKS.name(WEEKS.next_month(WEEKS.parse(turn).turn)) == opens


@pytest.mark.parametrize(
    ("earlier", "later", "months"),
    [
        ("Jul 1 41", "Jul 4 41", 0),
        ("Jul 4 41", "Aug 1 41", 1),
        ("Dec 4 41", "Jan 1 42", 1),
        ("Jul 1 41", "Jul 1 42", 12),
        ("Aug 1 41", "Jul 4 41", -1),
    ],
)
def test_months_between_turns_count_the_changes_of_month(earlier: str, later: str, months: int) -> None:
    assert WEEKS.months_between(WEEKS.parse(earlier).turn, WEEKS.parse(later).turn) == months


@pytest.mark.parametrize(("month", "week"), [(0, 1), (13, 1), (7, 0), (7, 5)])
def test_a_turn_that_does_not_exist_cannot_be_made(month: int, week: int) -> None:
    with pytest.raises(BadTurn):
        WEEKS.turn(1941, month, week)


@pytest.mark.parametrize("turns", [0, -1, 10])
def test_a_month_has_one_to_nine_turns(turns: int) -> None:
    with pytest.raises(ValueError, match="1 to 9 turns"):
        Calendar(turns)
    assert Calendar(9, roman=True).name(Calendar(9).turn(1941, 7, 9)) == "Jul IX 41"


@pytest.mark.parametrize("names", [SHORT_MONTHS[:11], (*SHORT_MONTHS[:11], "jan"), (*SHORT_MONTHS[:11], "")])
def test_a_calendar_has_twelve_different_months(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="twelve"):
        Calendar(4, names=names)


@given(st.integers(1, 9), st.booleans(), st.integers(1900, 1999), st.integers(1, 12), st.data())
def test_every_turn_reads_back_from_its_name(
    turns: int, roman: bool, year: int, month: int, data: st.DataObject
) -> None:
    calendar = Calendar(turns, roman)
    week = data.draw(st.integers(1, turns))
    turn = calendar.turn(year, month, week)
    assert (calendar.year(turn), calendar.month(turn), calendar.week(turn)) == (year, month, week)
    parsed = calendar.parse(calendar.name(turn))
    assert parsed.turn == turn
    assert parsed.warnings == ()
    assert calendar.parse(calendar.name(turn).replace(" ", "")).turn == turn


@given(st.text() | st.from_regex(r"(Jul|Dec|may)[ ,.]?[0-9IVXlO| ]{0,8}", fullmatch=True))
def test_any_text_is_a_turn_or_is_refused(text: str) -> None:
    for calendar in (WEEKS, MONTHS):
        try:
            turn = calendar.parse(text).turn
        except BadTurn:
            continue
        assert 1900 <= calendar.year(turn) <= 1999


PHASES = ("initial", "reinforcement", "replacement", "movement", "combat", "exploitation")
EAST = Sequence(("Axis", "Soviet"), PHASES)
UNEVEN = Sequence(("Axis", "Soviet"), {"Axis": ("initial", "movement"), "Soviet": ("movement",)})


def test_a_moment_is_described_as_players_say_it() -> None:
    clock = EAST.at(WEEKS.parse("Oct 3 41").turn, "axis", "replacement")
    assert EAST.describe(WEEKS, clock) == "Oct 3 41, Axis replacement phase"


def test_play_goes_through_the_phases_then_to_the_other_player_then_to_the_next_turn() -> None:
    clock = EAST.first(JUL_2_41)
    seen = [clock]
    for _ in range(12):
        clock = EAST.next(clock)
        seen.append(clock)
    assert [EAST.describe(WEEKS, seen[n]) for n in (0, 5, 6, 11, 12)] == [
        "Jul 2 41, Axis initial phase",
        "Jul 2 41, Axis exploitation phase",
        "Jul 2 41, Soviet initial phase",
        "Jul 2 41, Soviet exploitation phase",
        "Jul 3 41, Axis initial phase",
    ]
    assert seen == sorted(set(seen))


def test_players_may_have_phases_of_their_own() -> None:
    clocks = [UNEVEN.first(JUL_2_41)]
    for _ in range(3):
        clocks.append(UNEVEN.next(clocks[-1]))
    assert [(clock.turn - JUL_2_41, clock.player, clock.phase) for clock in clocks] == [
        (0, 0, 0),
        (0, 0, 1),
        (0, 1, 0),
        (1, 0, 0),
    ]


@given(
    st.lists(
        st.tuples(st.integers(22000, 24000), st.integers(0, MOST_PLAYERS - 1)), min_size=2, max_size=2, unique=True
    )
)
def test_every_player_turn_has_its_own_number_in_the_order_of_play(turns: list[tuple[int, int]]) -> None:
    first, second = sorted(turns)
    assert Clock(Turn(first[0]), first[1], 5).player_turn < Clock(Turn(second[0]), second[1], 0).player_turn


def test_the_last_of_the_most_players_comes_before_the_first_of_the_next_turn() -> None:
    last, first = Clock(JUL_2_41, MOST_PLAYERS - 1, 0), Clock(Turn(JUL_2_41 + 1), 0, 0)
    assert last.player_turn < first.player_turn


def test_the_phases_of_one_player_turn_share_its_number() -> None:
    assert Clock(JUL_2_41, 1, 0).player_turn == Clock(JUL_2_41, 1, 5).player_turn


def test_players_and_phases_are_found_by_name() -> None:
    assert EAST.player_index("soviet ") == 1
    assert EAST.phase_index("Replacement") == EAST.phase_index("replacement phase") == 2
    assert UNEVEN.phase_index("movement", player=0) == 1
    assert UNEVEN.phase_index("movement", player=1) == 0
    assert UNEVEN.phase_index("initial") == 0


def test_an_unknown_player_or_phase_is_refused_with_a_suggestion() -> None:
    with pytest.raises(BadSequence, match="there is no player 'Sovjet'; did you mean Soviet"):
        EAST.player_index("Sovjet")
    with pytest.raises(BadSequence, match="there is no player 'Japan'; choose from Axis, Soviet"):
        EAST.player_index("Japan")
    with pytest.raises(BadSequence, match="there is no phase 'replacment'; did you mean replacement"):
        EAST.phase_index("replacment")
    with pytest.raises(BadSequence, match="there is no phase 'initial'; choose from movement"):
        UNEVEN.phase_index("initial", player=1)


def test_a_phase_that_players_have_at_different_places_needs_its_player() -> None:
    with pytest.raises(BadSequence, match="say whose"):
        UNEVEN.phase_index("movement")


@pytest.mark.parametrize(
    ("players", "phases"),
    [
        ((), PHASES),
        (("Axis",), ()),
        (("Axis", "axis"), PHASES),
        (("Axis",), ("initial", "Initial")),
        (("Axis", "Soviet"), {"Axis": PHASES}),
        (("Axis",), {"Axis": PHASES, "Soviet": PHASES}),
        (("Axis",), {"Axis": ()}),
        (tuple("ABCDEFGHI"), PHASES),
    ],
)
def test_a_sequence_that_cannot_be_played_is_refused(
    players: tuple[str, ...], phases: tuple[str, ...] | dict[str, tuple[str, ...]]
) -> None:
    with pytest.raises(BadSequence):
        Sequence(players, phases)


def test_eight_players_are_not_too_many() -> None:
    assert Sequence(tuple("ABCDEFGH"), PHASES).player_index("h") == MOST_PLAYERS - 1


@pytest.mark.parametrize("value", [WEEKS, HALVES, EAST, UNEVEN, Clock(JUL_2_41, 1, 2)])
def test_calendars_sequences_and_clocks_go_through_the_journal_unchanged(value: object) -> None:
    assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value


IN_TWO_ORDERS = Sequence(("Axis", "Soviet"), ("initial", "movement", "combat"), (("initial", "combat", "movement"),))


def test_a_player_turn_is_played_out_in_the_order_it_began_in() -> None:
    clock, seen = Clock(JUL_2_41, 0, 1, 1), []
    for _ in range(4):
        clock = IN_TWO_ORDERS.next(clock)
        seen.append((clock.player, IN_TWO_ORDERS.phase_at(clock)))
    assert seen == [(0, "movement"), (1, "initial"), (1, "movement"), (1, "combat")]


def test_a_player_turn_begins_in_the_order_asked_for() -> None:
    assert IN_TWO_ORDERS.next(Clock(JUL_2_41, 0, 2), 1) == Clock(JUL_2_41, 1, 0, 1)
    assert IN_TWO_ORDERS.next(Clock(JUL_2_41, 1, 2), 1) == Clock(Turn(JUL_2_41 + 1), 0, 0, 1)
    assert IN_TWO_ORDERS.next(Clock(JUL_2_41, 1, 0, 1)) == Clock(JUL_2_41, 1, 1, 1)


def test_a_phase_is_found_in_each_order() -> None:
    assert IN_TWO_ORDERS.phase_index("combat") == 2
    assert IN_TWO_ORDERS.at(JUL_2_41, "Soviet", "combat", 1) == Clock(JUL_2_41, 1, 1, 1)
    assert IN_TWO_ORDERS.describe(WEEKS, Clock(JUL_2_41, 1, 1, 1)).endswith("Soviet combat phase")


def test_another_order_leaves_no_phase_out() -> None:
    with pytest.raises(BadSequence, match="of the same phases, not initial, combat"):
        Sequence(("Axis",), ("initial", "movement", "combat"), (("initial", "combat"),))
