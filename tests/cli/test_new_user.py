"""Someone sits down at it for the first time: forgets quotes, names folders, keeps files of other programs about."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from forcepool.cli import demo, serve
from tests.cli.conftest import Forcepool

# ----------------------------------------------------------------------------------- names without quotes


@pytest.mark.parametrize(
    "words",
    [
        ("rebuild-cadre", "unit=6", "Pz", "XX", "pay_from=centre"),
        ("rebuild-cadre", "6", "Pz", "XX", "pay_from=centre"),
        ("rebuild-cadre", "6 Pz", "XX", "pay_from=front", "Centre"),
        ("rebuild-cadre", "pay_from=front", "Centre", "unit=6", "Pz", "XX"),
    ],
    ids=" ".join,
)
def test_an_order_is_understood_without_quotes(east: Forcepool, words: tuple[str, ...]) -> None:
    assert east("do", "east.fp", *words).code == 0
    assert "6 Pz XX: cadre → full" in east("log", "east.fp", "--last", "1").out


def test_a_word_behind_a_command_that_takes_none_is_named(east: Forcepool) -> None:
    ran = east("do", "east.fp", "advance", "now")
    assert ran.code == 2
    assert "advance takes no fields; leave 'now' out" in ran.err


@pytest.mark.parametrize(
    "words", [("6", "Pz", "XX"), ("6pzxx",), ("6", "pz"), ("6PZ", "XX"), ("6 Pz XX",)], ids=" ".join
)
def test_a_unit_is_found_however_its_name_is_spaced(east: Forcepool, words: tuple[str, ...]) -> None:
    assert east("options", "east.fp", *words, "--json").data["unit"] == "6 Pz XX"
    assert "6 Pz XX" in east("why", "east.fp", *words).out


def test_two_units_whose_names_begin_alike_are_not_mixed_up(east: Forcepool) -> None:
    ran = east("options", "east.fp", "1")
    assert ran.code == 2
    assert "there is no unit '1'" in ran.err


def test_a_turn_is_understood_without_quotes(forcepool: Forcepool) -> None:
    Path("east.ob").write_text("Jul 2 41\nGerman\nReinforce:\n1x 8-6 Inf XX 24 in Berlin\n", "utf-8")
    assert "8-6 Inf XX 24" in forcepool("ob", "turn", "east.ob", "Jul", "2", "41").out


@pytest.mark.parametrize("words", [("centr",), ("front", "Centr"), ("cen", "Germ", "inf")], ids=" ".join)
def test_the_beginning_of_a_pools_name_will_do(east: Forcepool, words: tuple[str, ...]) -> None:
    found = east("why", "east.fp", *words, "--json").data
    assert {each["account"]["pool"] for each in found} == {"front/centre"}


@pytest.mark.parametrize(
    ("typed", "hint"),
    [("frnt Centre", "did you mean front Centre"), ("6 Pz Brgd", "6 Pz XX"), ("xyzzy", "'forcepool ledger'")],
)
def test_what_is_not_found_leads_on(east: Forcepool, typed: str, hint: str) -> None:
    ran = east("why", "east.fp", typed)
    assert ran.code == 2
    assert hint in ran.err


def test_a_lost_unit_comes_into_its_box_and_does_not_arrive(east: Forcepool) -> None:
    shown = east("options", "east.fp", "6 Pz XX").out
    assert "(6 Pz XX eliminated: cadre 4) in its box on Oct 4 41" in shown
    assert "arrives" not in shown


# ------------------------------------------------------------------------------------- folders and files


@pytest.mark.parametrize(
    "words",
    [
        ("status", "."),
        ("new", ".", "--scenario", "smolensk"),
        ("losses", "east.fp", "."),
        ("report", "east.fp", "--html", "."),
        ("export", "east.fp", "-o", "."),
        ("ob", "lint", "."),
    ],
    ids=" ".join,
)
def test_a_folder_in_place_of_a_file_is_said_to_be_one(east: Forcepool, words: tuple[str, ...]) -> None:
    ran = east(*words)
    assert ran.code == 2
    assert ran.err == "forcepool: . is a folder; name a file\n"


@pytest.mark.parametrize(
    "words",
    [
        ("report", "east.fp", "--html", "east.fp"),
        ("report", "east.fp", "--html", "other.fp"),
        ("report", "east.fp", "--pdf", "other.fp"),
        ("ob", "print", "some.ob", "-o", "other.fp"),
        ("export", "east.fp", "-o", "other.fp"),
    ],
    ids=" ".join,
)
def test_no_command_writes_over_a_campaign(east: Forcepool, words: tuple[str, ...]) -> None:
    shutil.copy("east.fp", "other.fp")
    Path("some.ob").write_text("Jul 2 41\n", "utf-8")
    ran = east(*words)
    assert ran.code == 2
    assert "choose another name" in ran.err
    for file in ("east.fp", "other.fp"):
        assert "sound" in east("verify", file).out


def test_a_report_is_written_anew_each_turn(east: Forcepool) -> None:
    for _ in range(2):
        assert east("report", "east.fp", "--html", "turn.html").code == 0


def test_without_a_scenario_one_hears_which_there_are(forcepool: Forcepool) -> None:
    ran = forcepool("new", "east.fp")
    assert ran.code == 2
    assert "--scenario" in ran.err
    assert "smolensk" in ran.err
    assert not Path("east.fp").exists()


@pytest.mark.parametrize("content", [b"", b"24 Inf XX\n", b"\x89PNG\r\n"], ids=["empty", "losses", "picture"])
def test_a_file_of_something_else_is_no_exported_campaign(forcepool: Forcepool, content: bytes) -> None:
    Path("x.txt").write_bytes(content)
    ran = forcepool("import", "x.txt", "east.fp")
    assert ran.code == 2
    assert "no exported campaign" in ran.err or "not UTF-8 text" in ran.err
    assert not Path("east.fp").exists()


def test_a_campaign_itself_is_not_imported(east: Forcepool) -> None:
    ran = east("import", "east.fp", "copy.fp")
    assert ran.code == 2
    assert "copy the file, or export it first" in ran.err


def test_a_database_of_another_program_is_no_campaign(forcepool: Forcepool) -> None:
    with sqlite3.connect("other.fp") as other:
        other.execute("create table x (a)")
    other.close()
    ran = forcepool("status", "other.fp")
    assert ran.code == 2
    assert "is not a forcepool campaign" in ran.err


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_losses_are_read_as_windows_writes_them(east: Forcepool, encoding: str) -> None:
    Path("losses.txt").write_bytes("252 Inf XX # früh\r\n34 Inf XX -> cadre\r\n".encode(encoding))
    ran = east("losses", "east.fp", "losses.txt")
    assert ran.code == 0, ran.out
    assert ran.out.endswith("2 losses recorded\n")


def test_an_export_whose_line_ends_windows_changed_is_read_back(east: Forcepool) -> None:
    assert east("export", "east.fp", "-o", "east.txt").code == 0
    Path("east.txt").write_bytes(Path("east.txt").read_bytes().replace(b"\n", b"\r\n"))
    assert east("import", "east.txt", "copy.fp").code == 0


def test_a_folder_without_cases_is_said_to_have_none(forcepool: Forcepool) -> None:
    Path("cases").mkdir()
    ran = forcepool("check", "cases")
    assert ran.code == 2
    assert "no case file, which ends in .yaml, is in the folder cases" in ran.err


def test_a_profile_kept_beside_cases_is_no_case(forcepool: Forcepool) -> None:
    Path("cases/mine").mkdir(parents=True)
    Path("cases/mine/general.yaml").write_text("title: Ours\nnumbers: {replacement_time: 6}\n", "utf-8")
    Path("cases/one.yaml").write_text(
        "- clause: 52.A/2\n  title: it stands\n"
        "  given: {profile: ./mine, units: {24 Inf XX: {spec: 7-6 Inf XX, at: Minsk}}}\n"
        "  expect: [{after: 0, unit: 24 Inf XX, at: Minsk}]\n",
        "utf-8",
    )
    ran = forcepool("check", "cases")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "1 of 1 cases hold"), ran.out + ran.err
    assert forcepool("check", "cases/mine/general.yaml").code == 2


# ------------------------------------------------------------------------------------------ in plain words


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("bot", "east.fp", "--turns", "0"), "0 is not a number from 1 to 1000"),
        (("bot", "east.fp", "--seed", "x"), "'x' is no whole number"),
        (("undo", "east.fp", "--to", "1"), "1 is less than 2"),
        (("undo", "east.fp", "--to", "99"), "there is no entry 99, the last is 1"),
        (("completion",), "choose from bash, fish, zsh"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_in_one_plain_line(east: Forcepool, words: tuple[str, ...], says: str) -> None:
    ran = east(*words)
    assert ran.code in (1, 2)
    assert says in ran.err
    assert ran.err.count("\n") == 1
    assert "<=" not in ran.err


def test_the_bot_tells_what_it_did_as_players_do(east: Forcepool) -> None:
    told = east("bot", "east.fp", "--seed", "1").out
    assert "  ended 8 phases\n" in told
    assert "rebuild-cadre" not in told


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("serve", "nowhere"), "there is no folder or campaign nowhere"),
        (("serve", "some.txt"), "some.txt is no campaign, whose file ends in .fp"),
        (("units", "east.fp", "--type", "Inff"), "there is no type 'Inff'; did you mean Inf?"),
    ],
    ids=str,
)
def test_a_name_that_is_nearly_right_is_set_right(east: Forcepool, words: tuple[str, ...], says: str) -> None:
    Path("some.txt").write_text("x", "utf-8")
    ran = east(*words)
    assert ran.code == 2
    assert says in ran.err


def test_a_campaigns_file_is_opened_in_the_browser_by_its_name(
    east: Forcepool, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[tuple[Path, str]] = []
    monkeypatch.setattr(serve, "run_server", lambda folder, *, open_at, **_: served.append((folder, open_at)))
    shutil.copy("east.fp", "our war.fp")
    for name in ("east.fp", "our war.fp", "."):
        assert east("serve", name).code == 0
    assert served == [(Path(), "/c/east"), (Path(), "/c/our%20war"), (Path(), "/")]


def test_the_demonstration_is_kept_only_where_one_says_so(
    forcepool: Forcepool, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[tuple[str, bool]] = []
    monkeypatch.setattr(demo, "lay_out", lambda path: None)
    monkeypatch.setattr(demo, "run_server", lambda folder, *, passing, **_: served.append((folder.name, passing)))
    assert forcepool("demo", "--keep", "my-demo").code == 0
    assert forcepool("demo").code == 0
    assert [passing for _, passing in served] == [False, True]
    assert served[0][0] == "my-demo"


def test_what_to_type_next_can_be_typed_as_it_stands(forcepool: Forcepool) -> None:
    name = "our war.fp"
    assert 'forcepool todo "our war.fp"\n' in forcepool("new", name, "--scenario", "smolensk").out
    assert 'forcepool do "our war.fp" ' in forcepool("todo", name).out
    assert 'forcepool undo "our war.fp" --to 2' in forcepool("bot", name).out
