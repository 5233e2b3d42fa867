"""A scenario's tables from spreadsheets: what is read, and by file, row and column what is wrong."""

import io
import sys
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from forcepool.engine.ledger import Account
from forcepool.files import sheets
from forcepool.files.problems import BadFile, cell_name
from forcepool.files.sheets import read_sheets
from forcepool.files.yamltext import read_yaml, read_yaml_file
from forcepool.views.linting import lint_scenario
from forcepool.views.scenarios import Begun, read_scenario, scenario_names, shipped_scenario
from forcepool.views.template import filled, write
from tests.cli.conftest import forcepool_runs

SCENARIO = "game: europa\nturn: Oct 3 41\nplayers: [Axis, Soviet]\ntables: {tables}\n"
FRONTS = b"name,theatre,country\nCentre,East,Soviet Union\n"
UNITS = (
    b"unit,spec,nation,at,as\n6 Pz XX,11-10 Pz XX (4-8),German,Minsk,cadre\n24 Inf XX,7-6 Inf XX (3-6),German,Minsk,\n"
)
POOLS = b"pool,nation,inf,arm\nfront/centre,German,8 1/4,3.75\n"

MADE = ["06-Jul", "6. Jul", "Jul 6", "07.06.2026", "2026-07-06 00:00:00", "Oct-41", "2-Jan", "02. Mrz"]


def begun(folder: Path, tables: str, **files: bytes | str) -> Begun:
    """A scenario beside these tables, set up; a name's last _ stands for the dot."""
    for name, content in files.items():
        path = folder / ".".join(name.rsplit("_", 1))
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    (folder / "east.yaml").write_text(SCENARIO.format(tables=tables), "utf-8")
    return read_scenario(read_yaml_file(folder / "east.yaml"))


def told(folder: Path, tables: str, **files: bytes | str) -> list[str]:
    """What is wrong, without the folder."""
    with pytest.raises(BadFile) as wrong:
        begun(folder, tables, **files)
    return [str(each).replace(f"{folder}/", "") for each in wrong.value.problems]


def balance(begun: Begun, kind: str) -> Fraction:
    return begun.set_up.state.balances[Account("front/centre", "Germany", kind)]


def workbook(**sheets: list[list[Any]]) -> bytes:
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


# ------------------------------------------------------------------------------------------------ what is read


def test_units_places_and_pools_as_csv(tmp_path: Path) -> None:
    places = b"place,front,town,enemy_zoc\nMinsk,Centre,yes,\nOrsha,Centre,x,division; division\n"
    found = begun(
        tmp_path, "[fronts.csv, units.csv, pools.csv, places.csv]", units_csv=UNITS, pools_csv=POOLS, fronts_csv=FRONTS,
        places_csv=places,
    )  # fmt: skip
    state = found.set_up.state
    assert {each.id: each.step for each in state.units.values()} == {"6 Pz XX": "cadre", "24 Inf XX": "full"}
    assert (balance(found, "inf"), balance(found, "arm")) == (Fraction(33, 4), Fraction(15, 4))
    assert state.marks["place/Orsha"]["town"].value is True
    assert state.marks["place/Orsha"]["enemy_zoc"].value == ["division", "division"]


def test_a_folder_and_a_section_by_its_own_files(tmp_path: Path) -> None:
    (tmp_path / "set-up").mkdir()
    (tmp_path / "set-up" / "units.csv").write_bytes(UNITS)
    (tmp_path / "set-up" / "~$units.xlsx").write_bytes(b"Excel's mark that somebody has the file open")
    assert len(begun(tmp_path, "set-up").set_up.state.units) == 2
    more = UNITS.replace(b"6 Pz XX", b"7 Pz XX").replace(b"24 Inf XX", b"25 Inf XX")
    found = begun(tmp_path, "{units: [one.csv, two.csv]}", one_csv=UNITS, two_csv=more)
    assert len(found.set_up.state.units) == 4


def test_a_spreadsheet_with_a_sheet_for_each_and_some_for_nobody_else(tmp_path: Path) -> None:
    book = workbook(
        Units=[
            ["Army Group Centre, autumn 1941", None, None],
            [],
            ["Unit", "Spec", "At", "Nation", "# why"],
            ["6 Pz XX", "11-10 Pz XX (4-8)", "Minsk", "German", "as printed"],
            ["# the reserve"],
            [24, "7-6 Inf XX (3-6)", "Minsk", "German", None],
            [None, None, None, None, None],
        ],
        Pools=[["pool", "nation", "inf", "arm"], ["front/centre", "German", 8.25, 1 / 3]],
        _ours=[["whatever", "we", "like"]],
    )
    found = begun(tmp_path, "set-up.xlsx", **{"set-up_xlsx": book})
    assert sorted(found.set_up.state.units) == ["24", "6 Pz XX"]
    assert (balance(found, "inf"), balance(found, "arm")) == (Fraction(33, 4), Fraction(1, 3))
    only = begun(tmp_path, '{units: "set-up.xlsx#Units"}')
    assert len(only.set_up.state.units) == 2
    assert Account("front/centre", "Germany", "inf") not in only.set_up.state.balances


def test_what_a_formula_came_to_is_read(tmp_path: Path) -> None:
    content = workbook(pools=[["pool", "nation", "inf"], ["front/centre", "German", "=4+4"]])
    # Written by a program, a formula has no value yet; Excel keeps one beside it.
    [problem] = told(tmp_path, "a.xlsx", a_xlsx=workbook(pools=[["pool", "nation", "inf"], ["=1", "German", 4]]))
    assert problem.startswith("a.xlsx [pools]:2:1: cell A2: the row has no pool")
    assert read_sheets(content, "b.xlsx")[0].rows == [["pool", "nation", "inf"], ["front/centre", "German"]]


@pytest.mark.parametrize(
    "content",
    [
        "unit;spec;at;nation;re\n6 Pz XX;11-10 Pz XX (4-8);Orša;German;2,5\n".encode("utf-8-sig"),
        "sep=;\r\nunit;spec;at;nation;re\r\n6 Pz XX;11-10 Pz XX (4-8);Orša;German;2,5\r\n".encode("cp1252"),
        "unit\tspec\tat\tnation\tre\n6 Pz XX\t11-10 Pz XX (4-8)\tOrša\tGerman\t2,5\n".encode("utf-16"),
        'Our war, so far\nunit,spec,at,nation,re\n6 Pz XX,11-10 Pz XX (4-8),Orša,German,"2,5",,,\n,,,\n'.encode(),
    ],
    ids=["semicolons and a byte order mark", "cp1252 and sep=", "UTF-16 and tabs", "a title and empty cells"],
)
def test_however_excel_saves_it(tmp_path: Path, content: bytes) -> None:
    unit = begun(tmp_path, "units.csv", units_csv=content).set_up.state.units["6 Pz XX"]
    assert (unit.place.of, unit.spec.re) == ("Orša", Fraction(5, 2))


@pytest.mark.parametrize(
    ("cell", "means"),
    [("yes", True), ("X", True), ("WAHR", True), ("1", True), ("no", False), ("nein", False), ("FALSCH", False)],
)
def test_yes_and_no_as_spreadsheets_have_them(tmp_path: Path, cell: str, means: bool) -> None:
    state = begun(tmp_path, "places.csv", places_csv=f"place,town\nMinsk,{cell}\n").set_up.state
    assert state.marks["place/Minsk"]["town"].value is means


def test_charts_are_tables_too(tmp_path: Path) -> None:
    rows = (
        b"nation,points,turns\nGermany,inf: 6; arm: 1 1/2,\n"
        b'Germany,"inf: 2",Nov 1 41; Dec 1 41\n'  # A list of one, and one of two.
    )
    document = begun(tmp_path, "receipts.csv", receipts_csv=rows).set_up.document
    assert document is not None
    assert document.value(("charts", "receipts", 0)) == {"nation": "Germany", "points": {"inf": "6", "arm": "1 1/2"}}
    assert document.value(("charts", "receipts", 1, "turns")) == ["Nov 1 41", "Dec 1 41"]
    assert str(document.where(("charts", "receipts", 1, "turns"))).endswith("receipts.csv:3:3")


# ------------------------------------------------------------------------------------------------ what is wrong


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("unit,spec\n6 Pz XX,11-10 Pz XX\nA,nonsense\n", "units.csv:3:2: cell B3: expected a strength such as 8-6"),
        ("unit,spec,at\n,7-6 Inf XX,Minsk\n", "units.csv:2:1: cell A2: the row has no unit"),
        ("unit,at\n6 Pz XX,Minsk\n", "units.csv:2:1: cell A2: '6 Pz XX': 'spec' is missing"),
        ("unit,spec,were\nA,7-6 Inf XX,Minsk\n", "units.csv:1:3: cell C1: a table of units has no column 'were'"),
        ("unit,spec,spec\nA,7-6 Inf XX,\n", "units.csv:1:3: cell C1: the column 'spec' is there twice, first in B1"),
        ("unit,spec\nA,7-6 Inf XX,Minsk\n", "units.csv:2:3: cell C2: 'Minsk' stands in a column that has no name"),
        ("unit,spec\nA,7-6 Inf XX\n\nA,8-6 Inf XX\n", "units.csv:4:1: cell A4: 'A' is given twice, first in row 2 of"),
        ("name of it,spec\nA,7-6 Inf XX\n", "units.csv:1:1: cell A1: no row above the table of units has a column"),
        ("unit,spec,nation\nA,7-6 Inf XX,Ruritania\n", "units.csv:2:3: cell C2: "),
        ("unit,spec,mp\nA,7-6 Inf XX,two\n", "units.csv:2:3: cell C2: expected a whole number, found 'two'"),
        ("unit,spec,moved\nA,7-6 Inf XX,maybe\n", "units.csv:2:3: cell C2: expected yes or no, found 'maybe'"),
        ("unit,spec,as\nA,7-6 Inf XX,#REF!\n", "units.csv:2:3: cell C2: '#REF!' is what a spreadsheet writes"),
        ('unit,spec\nA,"7-6 Inf XX\nB,7-6 Inf XX\n', "units.csv:2:1: from this row on the table cannot be read: a"),
    ],
)  # fmt: skip
def test_each_problem_by_file_row_and_column(tmp_path: Path, text: str, problem: str) -> None:
    [found] = told(tmp_path, "units.csv", units_csv=text)
    assert found.startswith(problem), found


@pytest.mark.parametrize(
    "made", ["06-Jul", "6. Jul", "Jul 6", "07.06.2026", "2026-07-06 00:00:00", "Oct-41", "2-Jan", "02. Mrz"]
)
def test_what_excel_made_a_date_of_is_told_and_how_to_avoid_it(tmp_path: Path, made: str) -> None:
    rows = f"nations,types,strengths,clause\nSoviet Union,Rifle,{made},52.H.1.a.1/1\n"
    [found] = told(tmp_path, "substitutions.csv", substitutions_csv=rows)
    assert found.startswith(f"substitutions.csv:2:3: cell C2: '{made}' is a date: it was typed as something like 7-6")
    assert "set the column to the format Text" in found
    assert "'7-6" in found
    kept = begun(tmp_path, "substitutions.csv", substitutions_csv=rows.replace(made, "'7-6")).set_up.document
    assert kept is not None
    assert kept.value(("charts", "substitutions", 0, "strengths")) == ["7-6"]


def test_a_half_that_became_a_date_in_a_spreadsheet(tmp_path: Path) -> None:
    book = workbook(pools=[["pool", "nation", "inf"], ["front/centre", "German", datetime(2026, 2, 1)]])
    [found] = told(tmp_path, "a.xlsx", a_xlsx=book)
    assert found.startswith("a.xlsx [pools]:2:3: cell C2: '1-Feb-2026' is a date")


@pytest.mark.parametrize("turn", ["Oct 41", "Jun 44", "Oct 3 41"])
def test_a_turn_is_no_date(turn: str) -> None:
    from forcepool.scenarios.tabled import DATE

    assert not DATE.fullmatch(turn)


def test_a_unit_that_the_scenario_has_too(tmp_path: Path) -> None:
    (tmp_path / "units.csv").write_bytes(UNITS)
    (tmp_path / "east.yaml").write_text(
        "units:\n  24 Inf XX: {spec: 8-6 Inf XX, nation: German}\ntables: units.csv\n", "utf-8"
    )
    with pytest.raises(
        BadFile, match=r"units\.csv:3:1: cell A3: '24 Inf XX' is given twice, first on line 2 of the sc"
    ):
        read_scenario(read_yaml_file(tmp_path / "east.yaml"))


@pytest.mark.parametrize(
    ("tables", "problem"),
    [
        ("nowhere.csv", "east.yaml:4:9: there is no file 'nowhere.csv' beside"),
        ("../units.csv", "east.yaml:4:9: '../units.csv' leads out of the folder"),
        ("{unit: units.csv}", "east.yaml:4:10: there is no table 'unit' (did you mean 'units'?"),
        ("old.xls", "old.xls:1:1: a table cannot be read from a file that ends in '.xls' (save it as .xlsx or .csv)"),
        ("broken.xlsx", "broken.xlsx:1:1: the spreadsheet cannot be read"),
        ("guns.csv", "guns.csv:1:1: there is no table 'guns'"),
        ("book.xlsx", "book.xlsx [Sheet1]:1:1: cell A1: the name of a sheet tells what it is: there is no"),
        ('{units: "book.xlsx#Army"}', "book.xlsx:1:1: there is no sheet 'Army'"),
        ("3", "east.yaml:4:9: there is no file '3' beside"),
        ("{units: {a: b}}", "east.yaml:4:17: expected"),
    ],
)  # fmt: skip
def test_files_and_sheets_that_are_not_there(tmp_path: Path, tables: str, problem: str) -> None:
    (tmp_path / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0")
    (tmp_path / "broken.xlsx").write_bytes(b"PK\x03\x04 and no more")
    (tmp_path / "guns.csv").write_bytes(UNITS)
    (tmp_path / "book.xlsx").write_bytes(workbook(Sheet1=[["unit", "spec"]]))
    (tmp_path / "units.csv").write_bytes(UNITS)
    found = told(tmp_path, tables)
    assert found[0].startswith(problem), found


def test_a_damaged_spreadsheet_is_told_and_never_trips() -> None:
    content = workbook(units=[["unit", "spec"], ["6 Pz XX", "11-10 Pz XX (4-8)"]])
    random, told = Random(1), 0
    for _ in range(150):
        damaged = bytearray(content)
        for _ in range(4):
            damaged[random.randrange(len(damaged))] = random.randrange(256)
        try:
            read_sheets(bytes(damaged), "units.xlsx")
        except BadFile as bad:
            told += "units.xlsx:1:1: the spreadsheet cannot be read" in str(bad)
    assert told > 50


def test_a_locked_spreadsheet_and_one_that_swells(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadFile, match="protected by a password"):
        read_sheets(b"\xd0\xcf\x11\xe0 and more", "units.xlsx")
    content = workbook(units=[["unit", "spec"]])
    assert read_sheets(content, "units.xlsx")[0].rows == [["unit", "spec"]]
    monkeypatch.setattr(sheets, "MOST_UNPACKED", len(content))
    with pytest.raises(BadFile, match="larger than any table"):
        read_sheets(content, "units.xlsx")


def test_a_blank_column_before_the_table_and_a_table_without_rows(tmp_path: Path) -> None:
    rows = ",,\n,unit,spec,nation\n,# ours,,\n,6 Pz XX,11-10 Pz XX (4-8),German\n"
    assert list(begun(tmp_path, "units.csv", units_csv=rows).set_up.state.units) == ["6 Pz XX"]
    assert not begun(tmp_path, "[units.csv, places.csv]", units_csv="unit,spec\n", places_csv="").set_up.state.units


def test_without_openpyxl_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    [found] = told(tmp_path, "a.xlsx", a_xlsx=b"PK")
    assert found.startswith(
        "a.xlsx:1:1: a spreadsheet (.xlsx) needs more than the program itself (save the sheets as CSV"
    )
    assert "pip install 'forcepool[analysis]'" in found
    with pytest.raises(BadFile, match="needs more than the program itself"):
        write(filled(shipped_scenario("smolensk")), tmp_path / "b.xlsx")


def test_a_text_that_lies_nowhere_names_no_tables() -> None:
    with pytest.raises(BadFile, match=r"there is no file 'units\.csv' beside"):
        read_scenario(read_yaml("tables: units.csv\n", "pasted.yaml"))


def test_what_nobody_could_play_is_found_in_its_row(tmp_path: Path) -> None:
    """The lint of scenarios speaks of rows as it does of lines."""
    (tmp_path / "units.csv").write_bytes(UNITS)
    (tmp_path / "east.yaml").write_text(SCENARIO.format(tables="units.csv"), "utf-8")
    found = lint_scenario(read_yaml_file(tmp_path / "east.yaml"))
    [alone] = [each for each in found if each.clause == "49.B.1.1/1"]
    assert str(alone).startswith(f"{tmp_path / 'units.csv'}:3:1: 49.B.1.1/1  Germany has units, and no MD lies in it")


def test_cells_are_named_as_spreadsheets_name_them() -> None:
    names = [cell_name(7, each) for each in (1, 26, 27, 52, 53, 702, 703)]
    assert names == ["A7", "Z7", "AA7", "AZ7", "BA7", "ZZ7", "AAA7"]


# ---------------------------------------------------------------------------------------------------- templates


@pytest.mark.parametrize(
    ("name", "out"),
    [*((name, "war") for name in scenario_names()), ("smolensk", "war.xlsx"), ("eastern-front", "war.xlsx")],
)
def test_a_shipped_scenario_written_as_tables_is_the_same_campaign(name: str, out: str, tmp_path: Path) -> None:
    template = filled(shipped_scenario(name))
    assert {"units"} < set(template.tables)
    assert not set(template.tables) & set(template.rest)
    file, *_ = write(template, tmp_path / out)
    ours, theirs = read_scenario(read_yaml_file(file)).set_up, read_scenario(shipped_scenario(name)).set_up
    assert ours.world == theirs.world
    assert ours.state == theirs.state
    assert list(ours.state.units) == list(theirs.state.units)
    assert ours.warnings == theirs.warnings


def test_what_lies_beside_a_scenario_of_ones_own_goes_with_it(tmp_path: Path) -> None:
    (tmp_path / "ours.ob").write_text("Axis\n", "utf-8")
    (tmp_path / "east.yaml").write_text("ob: ours.ob\nunits: {A: {spec: 7-6 Inf XX, nation: German}}\n", "utf-8")
    written = write(filled(read_yaml_file(tmp_path / "east.yaml")), tmp_path / "new")
    assert [str(each.relative_to(tmp_path)) for each in written] == [
        "new/scenario.yaml",
        "new/tables/units.csv",
        "new/ours.ob",
    ]
    assert list(read_scenario(read_yaml_file(written[0])).set_up.state.units) == ["A"]


def test_templates_from_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "scenario lint mine/scenario.yaml" in forcepool_runs("scenario", "template", "mine").out.replace("\\", "/")
    assert forcepool_runs("new", "mine.fp", "--scenario", "mine/scenario.yaml").code == 0
    headings, helps = (Path("mine") / "tables" / "units.csv").read_text("utf-8-sig").splitlines()
    assert headings.startswith("unit,spec,at,nation,traits,as,")
    assert helps.startswith("# the name of each unit,the counter as players write it: 7-6 Inf XX (3-6),")
    said = forcepool_runs("scenario", "template", "ef.xlsx", "--game", "eastern_front", "--json").data
    assert said["files"] == ["ef.yaml", "ef.xlsx"]
    book = load_workbook("ef.xlsx")
    assert {"units", "points", "lines", "factories", "track"} <= set(book.sheetnames)
    assert {book["units"].column_dimensions[each].number_format for each in "ABCD"} == {"@"}
    assert forcepool_runs("new", "ef.fp", "--scenario", "ef.yaml").code == 0
    forcepool_runs("scenario", "template", "german", "--table", "substitutions", "--semicolons")
    assert (Path("german") / "tables" / "substitutions.csv").read_text("utf-8-sig").startswith("clause;nations;types;")
    for words, problem in (
        (("mine",), "is there already"),
        (("x", "--table", "guns"), "there is no table 'guns'"),
        (("x", "--game", "chess"), "there is no game 'chess'"),
        (("x", "--from", "smolensc"), "did you mean smolensk"),
        (("x", "--from", "mine/scenario.yaml"), "has tables already"),
    ):
        refused = forcepool_runs("scenario", "template", *words)
        assert refused.code == 2, words
        assert problem in refused.err
