"""52.F.1: losses pasted as players jot them down."""

import pytest

from forcepool.engine.pasting import Line, Pasted
from forcepool.engine.sentence import plain
from forcepool.engine.state import State, to_bytes
from forcepool.files.yamltext import read_yaml
from forcepool.games.europa import build, set_up
from forcepool.games.europa.replacements.special.loss_lines import read_losses
from forcepool.games.europa.replacements.special.losses import Lose
from forcepool.games.europa.world import EuropaWorld

TABLE = """
turn: Jul 1 41
phase: combat
places: {Orsha: {front: Centre}, Uman: {front: South}, Borisov: {md: Minsk}}
mds: {Minsk: {front: Centre}}
units:
  24 Inf XX: {spec: 8-6 Inf XX (3-6), at: Orsha}
  31 Inf XX: {spec: 7-6 Inf XX (3-6), at: Orsha}
  34 Inf XX: {spec: 7-6 Inf XX (3-6), at: Uman}
  44 Sec X: {spec: 4-6 Sec X, at: Orsha}
  45 Sec X: {spec: 4-6 Sec X, at: Borisov}
  5 Inf XX: {spec: 7-6 Inf XX (3-6), at: Orsha, as: cadre}
  6 Inf XX: {spec: 9-6 Inf XX (3-6), at: eliminated front/centre}
  1 Rifle XX: {spec: 4-6 Rifle XX (2-6), at: Orsha, nation: Soviet}
"""


@pytest.fixture(scope="module")
def table() -> tuple[EuropaWorld, State]:
    started = set_up(read_yaml(TABLE, "table"), ())
    return build(started.world), started.state


def paste(table: tuple[EuropaWorld, State], text: str, seat: str = "") -> Pasted:
    before = to_bytes(table[1])
    pasted = read_losses(*table, text, seat)
    assert to_bytes(table[1]) == before
    return pasted


def only(table: tuple[EuropaWorld, State], text: str) -> Line:
    [line] = paste(table, text).lines
    return line


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("24 Inf XX", Lose(unit="24 Inf XX")),
        ("24 inf  xx", Lose(unit="24 Inf XX")),
        ("24", Lose(unit="24 Inf XX")),
        ("24 Inf XX -> cadre", Lose(unit="24 Inf XX", to="cadre")),
        ("24 Inf XX→Cadre", Lose(unit="24 Inf XX", to="cadre")),
        ("24 Inf XX => cadre isolated", Lose(unit="24 Inf XX", to="cadre", isolated="supply")),
        ("24 Inf XX isolated -> cadre", Lose(unit="24 Inf XX", to="cadre", isolated="supply")),
        ("24 Inf XX -> isolated", Lose(unit="24 Inf XX", isolated="supply")),
        ("24 Inf XX -> overrun", Lose(unit="24 Inf XX", cause="overrun")),
        ("24 Inf XX combat isolated", Lose(unit="24 Inf XX", isolated="combat")),
        ("24 Inf XX supply-isolated", Lose(unit="24 Inf XX", isolated="supply")),
        ("24 Inf XX not isolated", Lose(unit="24 Inf XX", isolated="no")),
        ("24 Inf XX overrun", Lose(unit="24 Inf XX", cause="overrun")),
        ("24 Inf XX isolated isolation roll", Lose(unit="24 Inf XX", isolated="supply", cause="isolation-roll")),
        ("6 Inf XX in transit", Lose(unit="6 Inf XX", cause="transit")),
        ("24 Inf XX front south", Lose(unit="24 Inf XX", front="front/south")),
        ("24 Inf XX md Minsk", Lose(unit="24 Inf XX", front="md/Minsk")),
        ("24 Inf XX -> eliminated  # at Orsha", Lose(unit="24 Inf XX")),
        ("8-6 Inf XX", Lose(unit="24 Inf XX")),
        ("8-6 Inf XX front centre", Lose(unit="24 Inf XX", front="front/centre")),
        ("7-6 Inf XX front south -> cadre", None),
        ("7-6 Inf XX -> cadre front south", Lose(unit="34 Inf XX", to="cadre", front="front/south")),
        ("3-6 Inf XX", Lose(unit="5 Inf XX")),
        ("4-6 Sec X md minsk", Lose(unit="45 Sec X", front="md/minsk")),
    ],
)
def test_a_line_says_which_unit_and_what_became_of_it(
    table: tuple[EuropaWorld, State], text: str, order: Lose | None
) -> None:
    line = only(table, text)
    if order is None:
        assert not line.taken
        return
    assert (line.command, line.problem) == (order, "")
    assert line.events


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("25 Inf XX", 1, "there is no unit '25 Inf XX'; did you mean 5 Inf XX or 24 Inf XX"),
        ("  nobody", 3, "there is no unit 'nobody'; all of them stand in the list of units"),
        ("-> cadre", 1, "no unit is named"),
        ("24 Inf XX -> dust", 14, "'dust' is no step to lose to; it is eliminated, cadre or remnant"),
        ("24 Inf XX ->", 1, "no step is named to lose to; it is eliminated, cadre or remnant"),
        ("24 Inf XX -> cadre -> remnant", 14, "more than one arrow"),
        ("7-6 Inf XX", 1, "2 units show 7-6 Inf XX, not 1: 31 Inf XX or 34 Inf XX; name the ones that were lost"),
        ("3x 4-6 Sec X", 1, "2 units show 3x 4-6 Sec X, not 3: 44 Sec X or 45 Sec X"),
        ("9-6 Inf XX", 1, "no unit on the map shows 9-6 Inf XX"),
        ("8-6 Inf XX front south", 1, "no unit on the map in front/south shows 8-6 Inf XX"),
        ("8-6 Inf XX front moon", 1, "there is no pool 'front/moon'"),
        ("24 Inf XX front moon", 1, "there is no pool 'front/moon'"),
        ("8-6", 4, "expected a type such as Inf or Pz"),
        ("8-6 Inf XX (x)", 13, "expected a strength such as 8-6 or 5-7-6"),
        ("24 Inf XX -> remnant", 1, "52.A.9/2"),
        ("6 Inf XX", 1, "not on the map"),
    ],
)
def test_a_line_not_understood_is_named_with_its_column_and_a_hint(
    table: tuple[EuropaWorld, State], text: str, column: int, says: str
) -> None:
    line = only(table, text)
    assert not line.taken
    assert (line.number, line.column) == (1, column)
    assert says in line.problem
    assert line.events == ()


@pytest.mark.clause("52.F.1/3")
def test_what_is_wrong_with_one_line_does_not_cost_the_others(table: tuple[EuropaWorld, State]) -> None:
    pasted = paste(table, "\ufeff# turn 12\n\n24 Inf XX, nobody,31 Inf XX -> cadre\r\n2x 4-6 Sec X\n")
    assert [(line.number, line.column, line.taken) for line in pasted.lines] == [
        (3, 1, True),
        (3, 12, False),
        (3, 19, True),
        (4, 1, True),
        (4, 1, True),
    ]
    assert tuple(map(plain, pasted.brings)) == ("Germany: 20 inf lost × ½ = 10, for front/centre",)


@pytest.mark.clause("52.F.1/2", "52.F.1/3")
def test_each_line_sees_what_the_lines_before_it_did(table: tuple[EuropaWorld, State]) -> None:
    pasted = paste(table, "31 Inf XX -> cadre\n31 Inf XX -> cadre\n31 Inf XX\n31 Inf XX\n1 Rifle XX")
    assert [line.taken for line in pasted.lines] == [True, False, True, False, True]
    assert pasted.lines[1].clauses == ("52.A.9/2",)
    assert tuple(map(plain, pasted.brings)) == (
        "Germany: 7 inf lost × ½ = 3½, for front/centre",
        "Soviet Union: 4 inf lost × ⅖ = 1⅗, for national/Soviet Union",
    )


def test_a_seat_pastes_its_own_losses_only(table: tuple[EuropaWorld, State]) -> None:
    pasted = paste(table, "24 Inf XX\n1 Rifle XX", seat="Soviet")
    assert [line.taken for line in pasted.lines] == [False, True]
    assert "Soviet may not give this command" in pasted.lines[0].problem


def test_an_empty_text_holds_no_losses(table: tuple[EuropaWorld, State]) -> None:
    assert paste(table, "\n # nothing\n , ,\n") == Pasted(())


MANY = """
turn: Jul 1 41
phase: combat
places: {Orsha: {front: Centre}}
units:
  8 Inf XX: {spec: 8-6 Inf XX (3-6), at: Orsha}
  8 Jg XX: {spec: 8-6 Jg XX (3-6), at: Orsha}
  8 Mot XX: {spec: 7-10 Mot XX (3-10), at: Orsha}
  8 Pz XX: {spec: 12-10 Pz XX (5-8), at: Orsha}
  9 Inf XX: {spec: 8-6 Inf XX (3-6), at: Orsha}
  9 Jg XX: {spec: 8-6 Jg XX (3-6), at: Orsha}
  9 Mot XX: {spec: 7-10 Mot XX (3-10), at: Orsha}
  9 Pz XX: {spec: 12-10 Pz XX (5-8), at: Orsha}
  9 Sec X: {spec: 4-6 Sec X, at: Orsha}
"""


def test_four_units_that_could_be_meant_are_all_named_and_of_five_the_fifth_is_left_out() -> None:
    started = set_up(read_yaml(MANY, "many"), ())
    many = (build(started.world), started.state)
    assert only(many, "8").problem == "'8' could be 8 Inf XX or 8 Jg XX or 8 Mot XX or 8 Pz XX; write it in full"
    nine = "9 Inf XX or 9 Jg XX or 9 Mot XX or 9 Pz XX or others"
    assert only(many, "9").problem == f"'9' could be {nine}; write it in full"


def test_the_first_three_names_that_nobody_has_are_told_with_others_like_them(table: tuple[EuropaWorld, State]) -> None:
    lines = paste(table, "25 Inf XX\n32 Inf XX\n35 Inf XX\n36 Inf XX").lines
    assert ["did you mean" in line.problem for line in lines] == [True, True, True, False]
    assert lines[3].problem == "there is no unit '36 Inf XX'; all of them stand in the list of units"


@pytest.mark.parametrize(("letters", "is_hinted"), [(60, True), (61, False)])
def test_a_name_of_more_than_sixty_letters_is_compared_with_none(letters: int, is_hinted: bool) -> None:
    name = "9 Inf XX of the line that was raised in the autumn of last year".ljust(61, "r")[:61]
    started = set_up(read_yaml(f"{TABLE}  {name}: {{spec: 9-6 Inf XX, at: Orsha}}\n", "table"), ())
    wrong = f"{name[: letters - 1]}z"
    assert len(wrong) == letters
    [line] = read_losses(build(started.world), started.state, wrong, "").lines
    assert ("did you mean" in line.problem) is is_hinted


PRINTED = """
turn: Jul 1 41
phase: combat
places: {Orsha: {front: Centre}, Uman: {front: South}}
units:
  8 Inf XX: {spec: 8-6 Inf XX (3-6), at: Orsha}
  24 Inf XX: {spec: 8-6 Inf XX (3-6), at: Uman}
  31 Inf XX: {spec: 8-6 Inf XX (3-6), at: Orsha, as: cadre}
  6 Pz XX: {spec: 11-10 Pz XX (4-8), at: Orsha}
  17 Pz XX: {spec: 12-10 Pz XX (5-8), at: Orsha}
  18 Pz XX: {spec: 12-10 Pz XX (5-8), at: Uman}
  19 Pz XX: {spec: 12-10 Pz XX (5-8), at: Uman}
  3 Mot XX: {spec: 8-10 Mot XX (4-10), at: Orsha}
  4 Geb XX: {spec: 8-6 Mtn XX (3-6), at: Orsha}
  17 GvB PzGren XX: {spec: 9-10 PzGren XX (4-10) 17 GvB (SS), at: Orsha}
  454 Sec XX: {spec: 2-3-6 Sec XX, at: Orsha}
  12 Inf III: {spec: 2-6 Inf III, at: Orsha}
  6 Rum Cav X: {spec: 3-6 Cav X 6, nation: Rumanian, at: Uman}
"""


@pytest.fixture(scope="module")
def printed() -> tuple[EuropaWorld, State]:
    started = set_up(read_yaml(PRINTED, "printed"), ())
    return build(started.world), started.state


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("8-6 Inf XX 8", ["8 Inf XX"]),
        ("lx 8-6 Inf XX 8", ["8 Inf XX"]),
        ("*8-6 Inf XX 8", ["8 Inf XX"]),
        ("8-6 Infantry XX 8", ["8 Inf XX"]),
        ("8-6 Inf Div 8", ["8 Inf XX"]),
        ("8–6 Inf XX (3–6) 8", ["8 Inf XX"]),
        ("6 Panzer", ["6 Pz XX"]),
        ("6 Panzer -> cadre", ["6 Pz XX cadre"]),
        ("6. Pz.Div. → Kader", ["6 Pz XX cadre"]),
        ("6 PD auf Kader", ["6 Pz XX cadre"]),
        ("6. Panzerdivision", ["6 Pz XX"]),
        ("the 6th Panzer Division", ["6 Pz XX"]),
        ("6 Pz XX (cadre)", ["6 Pz XX cadre"]),
        ("24 ID", ["24 Inf XX"]),
        ("24. Infanteriedivision vernichtet", ["24 Inf XX"]),
        ("24 Inf.Div. isolated", ["24 Inf XX isolated"]),
        ("24. ID isoliert", ["24 Inf XX isolated"]),
        ("24. Inf.-Div. eingekesselt", ["24 Inf XX isolated"]),
        ("6. Panzer-Division Kader", ["6 Pz XX cadre"]),
        ("3. ID (mot.)", ["3 Mot XX"]),
        ("3. Inf.Div. (mot.) Kader", ["3 Mot XX cadre"]),
        ("SS-Division 17 GvB", ["17 GvB PzGren XX"]),
        ("6 PD überrannt", ["6 Pz XX"]),
        ("3rd Motorized", ["3 Mot XX"]),
        ("4 Gebirgs", ["4 Geb XX"]),
        ("4. Geb.Div.", ["4 Geb XX"]),
        ("454 Sicherungsdivision", ["454 Sec XX"]),
        ("12 Inf Rgt", ["12 Inf III"]),
        ("Inf.Rgt. 12", ["12 Inf III"]),
        ("17 GvB (SS)", ["17 GvB PzGren XX"]),
        ("17 GvB", ["17 GvB PzGren XX"]),
        ("6 Rumanian Cavalry", ["6 Rum Cav X"]),
        ("3-6 Rum Cav X 6", ["6 Rum Cav X"]),
        ("2x 12-10 Pz XX 17, 18", ["17 Pz XX", "18 Pz XX"]),
        ("2x 12-10 Pz XX 17, 18 → cadre", ["17 Pz XX cadre", "18 Pz XX cadre"]),
        ("2x 12-10 Panzer XX 17 18 -> Kader", ["17 Pz XX cadre", "18 Pz XX cadre"]),
        ("12-10 Pz XX 17, 6 Panzer", ["17 Pz XX", "6 Pz XX"]),
        ("3x 12-10 Pz XX", ["17 Pz XX", "18 Pz XX", "19 Pz XX"]),
        ("3-6 Inf XX 31", ["31 Inf XX"]),
    ],
)
def test_losses_are_read_as_they_are_printed_and_said(
    printed: tuple[EuropaWorld, State], text: str, lost: list[str]
) -> None:
    lines = paste(printed, text).lines
    assert [line.problem for line in lines] == [""] * len(lost)
    orders = [line.command for line in lines if isinstance(line.command, Lose)]
    assert [
        f"{each.unit}{f' {each.to}' if each.to != 'eliminated' else ''}{' isolated' if each.isolated else ''}"
        for each in orders
    ] == lost


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("8-6 Inf XX -> cadre", ["8 Inf XX -> cadre", "24 Inf XX -> cadre"]),
        ("12-10 Pz XX isolated", ["17 Pz XX isolated", "18 Pz XX isolated", "19 Pz XX isolated"]),
        ("12-10 Pz XX front south", ["18 Pz XX front south", "19 Pz XX front south"]),
        ("2x 12-10 Pz XX", [f"{number} Pz XX, 1x 12-10 Pz XX" for number in (17, 18, 19)]),
        ("4x 12-10 Pz XX", ["17 Pz XX", "18 Pz XX", "19 Pz XX"]),
        ("17", ["17 GvB PzGren XX", "17 Pz XX"]),
        ("8-6 Inf XX 31", ["31 Inf XX"]),
    ],
)
def test_where_several_counters_fit_one_is_chosen(
    printed: tuple[EuropaWorld, State], text: str, choices: list[str]
) -> None:
    line = only(printed, text)
    assert not line.taken
    assert sorted(each.text for each in line.choices) == sorted(choices)
    # What is chosen is understood, or asks again for the rest only.
    for choice in line.choices:
        chosen = paste(printed, choice.text).lines
        assert chosen[0].taken or "52." in chosen[0].problem


def test_no_message_speaks_of_a_terminal(printed: tuple[EuropaWorld, State]) -> None:
    for text in ("nobody", "9-9 Inf XX", "8-6 Inf XX", "17", "-> cadre", "8-6", "24 Inf XX -> dust"):
        assert "forcepool" not in only(printed, text).problem


MORE = """  60L Mot X: {spec: 4-8 Mot X, at: Orsha}
  61 L Mot X: {spec: 4-8 Mot X, at: Orsha}
  9 PzGren III: {spec: 2-8 PzGren III, at: Orsha}
  4 HQ XXXX: {spec: 2-8 HQ XXXX, at: Orsha}
"""


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("24 + 31 Inf XX", [("24 Inf XX", "eliminated", ""), ("31 Inf XX", "eliminated", "")]),
        ("24, 31 Inf XX -> cadre", [("24 Inf XX", "cadre", ""), ("31 Inf XX", "cadre", "")]),
        ("24. und 31. ID", [("24 Inf XX", "eliminated", ""), ("31 Inf XX", "eliminated", "")]),
        ("24 & 31 Inf XX isolated", [("24 Inf XX", "eliminated", "supply"), ("31 Inf XX", "eliminated", "supply")]),
        (
            "24, 31 and 34 Inf XX cadre",
            [("24 Inf XX", "cadre", ""), ("31 Inf XX", "cadre", ""), ("34 Inf XX", "cadre", "")],
        ),
        ("24 Inf XX -> cadre; 31 Inf XX", [("24 Inf XX", "cadre", ""), ("31 Inf XX", "eliminated", "")]),
        ("24 Inf XX + 31 Inf XX cadre", [("24 Inf XX", "eliminated", ""), ("31 Inf XX", "cadre", "")]),
        ("Losses: 24 Inf XX, 31 Inf XX", [("24 Inf XX", "eliminated", ""), ("31 Inf XX", "eliminated", "")]),
        ("24 Inf XX flipped", [("24 Inf XX", "cadre", "")]),
        ("24 Inf XX destroyed", [("24 Inf XX", "eliminated", "")]),
        ("60 L", [("60L Mot X", "eliminated", "")]),
        ("60l", [("60L Mot X", "eliminated", "")]),
        ("61L Mot X", [("61 L Mot X", "eliminated", "")]),
        ("9. Panzergrenadier-Regiment", [("9 PzGren III", "eliminated", "")]),
        ("9 PzG Rgt", [("9 PzGren III", "eliminated", "")]),
        ("4 Army HQ", [("4 HQ XXXX", "eliminated", "")]),
        ("AOK 4", [("4 HQ XXXX", "eliminated", "")]),
    ],
)
def test_several_on_a_line_and_names_as_one_says_them(text: str, orders: list[tuple[str, str, str]]) -> None:
    started = set_up(read_yaml(TABLE + MORE, "table"), ())
    pasted = read_losses(build(started.world), started.state, text)
    assert [line.problem for line in pasted.lines] == [""] * len(orders)
    found = [line.command for line in pasted.lines if isinstance(line.command, Lose)]
    assert [(each.unit, each.to, each.isolated) for each in found] == orders


@pytest.mark.parametrize("text", ["24 + 99 Inf XX", "99, 24 Inf XX", "62 L", "60 X"])
def test_what_is_nobody_of_several_is_told_and_never_guessed(text: str) -> None:
    started = set_up(read_yaml(TABLE + MORE, "table"), ())
    pasted = read_losses(build(started.world), started.state, text)
    assert [line.problem.partition("'")[2].partition("'")[0] for line in pasted.lines if line.problem] in (
        ["99 Inf XX"],
        [text],
    )
