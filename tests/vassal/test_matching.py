"""Which counter is which unit: by name, strength, side and nation, and by what it shows the step."""

import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from forcepool.engine.places import Place
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import read_yaml
from forcepool.vassal import read_module, read_save
from forcepool.vassal.campaign.counters import Table as Laid
from forcepool.vassal.campaign.counters import look
from forcepool.vassal.campaign.matchfile import Match, Matched, Meant, understood, with_new
from forcepool.vassal.campaign.matching import New, propose
from forcepool.vassal.campaign.news import compare, lying
from forcepool.vassal.campaign.places import Lost, Waiting
from tests.support.table import Table
from tests.support.vassal import Game, board, layer, map_window, marks, module, regions

GIVEN = """
turn: Oct 3 41
player: Axis
fronts: {centre: {theatre: east}}
places: {Minsk: {front: centre}, Nizhni Novgorod: {front: centre}}
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6) (1-6), at: Minsk, nation: German}
  24 Rif XX: {spec: 4-6 Rif XX, at: Minsk, nation: Soviet}
  6 Pz XX: {spec: 12-10 Pz XX (5-8), at: Minsk, nation: German}
  57 Inf XX: {spec: 8-6 Inf XX (3-6), at: Minsk, nation: German}
  57 Rif XX: {spec: 3-6 Rif XX, at: Minsk, nation: Soviet}
  Grossdeutschland Mot X: {spec: 4-10 Mot X, at: Minsk, nation: German}
"""
Piece = tuple[str, Sequence[tuple[str, str]]]


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(GIVEN)


def laid(*pieces: Piece, at: tuple[str, int, int] = ("Main", 10, 10)) -> Laid:
    game = Game()
    for number, (name, traits) in enumerate(pieces):
        game.piece(name, at=at, gpid=str(number), traits=traits)
    of = read_module(io.BytesIO(module(map_window("Main", board("East", regions(Minsk=(10, 10), Nowhere=(900, 900)))))))
    return look(read_save(io.BytesIO(game.data())), of)


def proposed(table: Table, *pieces: Piece, written: Matched | None = None) -> New:
    world, state = table.campaign.world, table.campaign.state
    return propose(world, state, laid(*pieces), None, written or Matched(Match()))


@pytest.mark.parametrize(
    ("name", "traits", "line"),
    [
        ("24 Inf XX", [], "24 Inf XX"),
        ("24  inf xx", [], "24 Inf XX"),
        ("7-6 24 Inf XX", [], "24 Inf XX"),
        ("24 Inf XX (cadre)", [], "24 Inf XX as cadre"),
        ("6 Pz XX remnant", [], "6 Pz XX"),
        ("ge-inf-57", [], "57 Inf XX"),
        ("57 3-6 Division xx", [], "? 57 Inf XX or 57 Rif XX"),
        ("57 4-6 Division xx", [], "? no unit is called so"),
        ("57 Division xx", [marks(Nation="German")], "? 57 Inf XX"),
        ("57 Division xx", [marks(Side="Soviet")], "? 57 Rif XX"),
        ("24 Inf XX", [marks(Side="Soviet")], "? 24 Rif XX"),
        ("24 XX", [], "? 24 Inf XX or 24 Rif XX"),
        ("Grossdeutschland Mot", [], "Grossdeutschland Mot X"),
        ("Fort 12", [], "? no unit is called so"),
        ("Supply Low XX", [], "? no unit is called so"),
    ],
)
def test_a_counter_is_recognised_or_left_open(
    table: Table, name: str, traits: Sequence[tuple[str, str]], line: str
) -> None:
    [found] = proposed(table, (name, traits)).counters.values()
    assert found == line


def test_two_counters_that_could_be_one_unit_are_both_left_open(table: Table) -> None:
    new = proposed(table, ("24 Inf XX", []), ("24 inf XX", []), ("6 Pz XX", []), ("6 Pz XX cadre", []))
    assert new.counters == {
        "24 Inf XX": "? 24 Inf XX, which another counter may be too",
        "24 inf XX": "? 24 Inf XX, which another counter may be too",
        "6 Pz XX": "6 Pz XX",
        "6 Pz XX cadre": "6 Pz XX as cadre",
    }


def test_counters_of_one_name_are_told_apart_by_their_slots(table: Table) -> None:
    assert list(proposed(table, ("Inf XX", []), ("Inf XX", [])).counters) == ["Inf XX (slot 0)", "Inf XX (slot 1)"]


def test_only_what_is_new_is_proposed(table: Table) -> None:
    written = Matched(
        Match(counters={"24 Inf XX": "-", "6 Pz XX (slot 1)": "6 Pz XX"}), {"6 Pz XX (slot 1)": Meant("6 Pz XX")}
    )
    new = proposed(table, ("24 Inf XX", []), ("6 Pz XX", []), ("ge-inf-57", []), written=written)
    assert new.counters == {"ge-inf-57": "57 Inf XX"}
    assert new.because == {"ge-inf-57": "by number and type"}
    assert new.places == {"Main: Minsk": "Minsk"}


@pytest.mark.parametrize(
    ("names", "level", "line"),
    [
        (("full", "Cadre"), 2, "cadre"),
        (("full", "Cadre"), 1, "full"),
        (("", "24 remnant"), 2, "remnant"),
        (("7-6", "3-6"), 2, "strength"),
        (("front", "reduced"), 2, "? cadre or remnant"),
        (("front", "reduced"), 1, "full"),
        (("a", "reduced", "c"), 3, "? full, cadre or remnant"),
        (("moved", "fired"), 1, "-"),
    ],
)
def test_what_a_layer_shows_is_a_step_or_is_not(table: Table, names: tuple[str, ...], level: int, line: str) -> None:
    new = proposed(table, ("24 Inf XX", [layer(level, *names)]))
    assert new.steps[f"Layer: {names[level - 1]}"] == line
    # What it can be turned to later is proposed as well.
    assert len(new.steps) == len(names)


@pytest.mark.parametrize(
    ("traits", "written", "step"),
    [
        ([], {}, "full"),
        ([layer(2, "front", "reduced")], {"Layer: reduced": "cadre"}, "cadre"),
        ([layer(2, "front", "reduced")], {"Layer: reduced": "? cadre"}, ""),
        ([layer(2, "front", "reduced")], {}, ""),
        ([layer(2, "front", "moved")], {"Layer: moved": "-"}, "full"),
        ([layer(2, "7-6", "1-6")], {"Layer: 1-6": "strength"}, "remnant"),
        ([layer(2, "7-6", "9-6")], {"Layer: 9-6": "strength"}, ""),
        ([layer(1, "a"), layer(1, "b")], {"Layer: a": "cadre", "Layer: b": "remnant"}, ""),
        ([layer(1, "a"), layer(1, "b")], {"Layer: a": "full", "Layer: b": "remnant"}, "remnant"),
    ],
)
def test_the_step_of_a_counter_as_the_match_file_has_it(
    table: Table, traits: Sequence[tuple[str, str]], written: dict[str, str], step: str
) -> None:
    steps = {key: value for key, value in written.items() if value[0] not in "-?"}
    matched = Matched(
        Match(counters={"24 Inf XX": "24 Inf XX"}, steps=written), {"24 Inf XX": Meant("24 Inf XX")}, steps
    )
    read = lying(table.campaign.state, laid(("24 Inf XX", traits)), matched)
    assert read.lies["24 Inf XX"].step == step


def test_of_two_counters_for_one_unit_none_is_believed(table: Table) -> None:
    names = {"a": Meant("24 Inf XX"), "b": Meant("24 Inf XX", "cadre")}
    matched = Matched(Match(counters={"a": "x", "b": "y"}), names)
    read = lying(table.campaign.state, laid(("a", []), ("b", []), ("c", [])), matched)
    assert read.lies == {}
    assert [(each.what, each.why) for each in read.unclear] == [
        ("24 Inf XX", "several counters are this unit: a and b"),
        ("c", "the match file does not know this counter"),
    ]


def test_a_unit_lies_the_same_or_otherwise(table: Table) -> None:
    state = table.campaign.state
    for place, step, differs in (
        (Place("hex", "Minsk"), "full", None),
        (Place("hex", "Orsha"), "full", (True, 0)),
        (Place("hex", "Minsk"), "remnant", (False, 2)),
        (Lost(), "full", (True, 0)),
        (Waiting(), "full", (True, 0)),
        (None, "", None),
    ):
        matched = Matched(
            Match(counters={"24 Inf XX": "x"}),
            {"24 Inf XX": Meant("24 Inf XX", step)} if step else {"24 Inf XX": Meant("24 Inf XX")},
            {},
            {"Main: Minsk": place} if place else {},
        )
        lies = lying(state, laid(("24 Inf XX", [])), matched).lies["24 Inf XX"]
        found = compare(state.units["24 Inf XX"], lies)
        assert (found and (found.moved, found.turned)) == differs


WRITTEN = """\
module: Made up
counters:
  a: 24 inf xx
  b: 24 Inf XX as cadre
  c: "-"
  d: "? 57 Inf XX or 57 Rif XX"
steps: {"Layer: x": cadre}
places:
  "Main: Minsk": minsk
  "Main: Dead": lost isolated=supply
  "Main: Box": eliminated front/centre
  "Main: Track": Waiting
  "Main: Notes": "-"
"""


def test_a_match_file_is_read(table: Table) -> None:
    found = understood(read_yaml(WRITTEN, "e.yaml"), table.campaign.world, table.campaign.state)
    assert found.counters == {"a": Meant("24 Inf XX"), "b": Meant("24 Inf XX", "cadre")}
    assert found.places == {
        "Main: Minsk": Place("hex", "Minsk"),
        "Main: Dead": Lost(("isolated=supply",)),
        "Main: Box": Place("eliminated", "front/centre"),
        "Main: Track": Waiting(),
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "counters:\n  a: 24 Inf YY\n",
            "e.yaml:2:6: there is no unit '24 Inf YY' (did you mean 24 Inf XX or 24 Rif XX?)",
        ),
        ("counters:\n  a: 6 Pz XX as remnant\n", "e.yaml:2:6: 6 Pz XX has no remnant strength (it has full and cadre)"),
        ("steps:\n  a: gone\n", "e.yaml:2:6: 'gone' is no step (known: full, cadre, remnant, strength)"),
        ("places:\n  a: eliminated front/none\n", "e.yaml:2:6: "),
        ("counter:\n  a: b\n", "e.yaml:1:1: unknown word 'counter'"),
        ("counters:\n  a: [b]\n", "e.yaml:2:6: "),
        ("counters:\n  a: b\n  a: c\n", "e.yaml:3:3: "),
    ],
)
def test_what_is_wrong_in_it_is_told_with_line_and_column(table: Table, text: str, problem: str) -> None:
    with pytest.raises(BadFile) as error:
        understood(read_yaml(text, "e.yaml"), table.campaign.world, table.campaign.state)
    assert str(error.value).startswith(problem)


def test_new_lines_are_added_and_all_else_stays(tmp_path: Path) -> None:
    new = {"counters": {"x: y": "24 Inf XX"}, "places": {"M: q": 'a "b"'}, "steps": {"s": "cadre"}}
    text = "# mine\ncounters: # these\n  a: b # remark\n\n# about places\nplaces:\n  c: d\n"
    assert with_new(text, "e.yaml", new, "Made up") == (
        '# mine\ncounters: # these\n  a: b # remark\n  "x: y": "24 Inf XX"\n\n# about places\n'
        'places:\n  c: d\n  "M: q": "a \\"b\\""\nsteps:\n  "s": "cadre"\n'
    )
    fresh = read_yaml(with_new("", "e.yaml", new, "Made: up"), "e.yaml")
    assert fresh.value(("places", "M: q")) == 'a "b"'
    assert fresh.value(("module",)) == "Made: up"
    with pytest.raises(BadFile, match="write one line for each"):
        with_new("counters: {a: b}\n", "e.yaml", new, "")
