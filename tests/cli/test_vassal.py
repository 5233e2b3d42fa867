"""VASSAL from the command line."""

from pathlib import Path

import pytest

from tests.cli.conftest import Forcepool
from tests.support import vassal_smolensk as smolensk
from tests.support.vassal import Game, board, layer, map_window, marks, module, regions


def test_a_save_is_shown_with_the_regions_of_its_module(forcepool: Forcepool, tmp_path: Path) -> None:
    game = Game()
    game.player("sesame", "Anna", "Soviet")
    game.piece("24 Inf XX", at=("Main", 95, 95), traits=[marks(Side="Axis"), layer(2, "full", "cadre")])
    game.piece("Secret", at=("Main", 95, 95), traits=[("hide;H;", "sesame")])
    game.write(tmp_path / "turn.vsav")
    (tmp_path / "east.vmod").write_bytes(module(map_window("Main", board("East", regions(Minsk=(100, 100))))))
    ran = forcepool("vassal", "read", "turn.vsav", "--module", "east.vmod")
    assert ran.code == 0
    assert "turn.vsav: Made up 1.2" in ran.out
    assert "2 counters, 0 stacks" in ran.out
    assert "24 Inf XX  cadre  Main: Minsk" in ran.out
    assert "Anna plays Soviet" in ran.out
    data = forcepool("vassal", "read", "turn.vsav", "--json").data
    assert (data["module"], data["stacks"], len(data["pieces"])) == ("Made up", 0, 2)
    assert (data["pieces"][0]["where"], data["pieces"][0]["properties"]) == ("Main 95,95", {"Side": "Axis"})
    for shown in (ran.out, str(data)):
        assert "sesame" not in shown
        assert "Secret" not in shown


def test_a_bad_file_is_one_sentence(forcepool: Forcepool, tmp_path: Path) -> None:
    Path(tmp_path / "turn.vsav").write_text("hello")
    ran = forcepool("vassal", "read", "turn.vsav")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("forcepool: turn.vsav: this is no ZIP file")
    assert forcepool("vassal", "read", "turn.vsav", "--extension", "x.vmdx").code == 2


MATCH = ("vassal", "match", "east.fp", "turn.vsav", "--module", "east.vmod")


def sync(*more: str, save: str = "next.vsav") -> tuple[str, ...]:
    return ("vassal", "sync", "east.fp", save, "--module", "east.vmod", *more)


@pytest.fixture
def matched(east: Forcepool, tmp_path: Path) -> Forcepool:
    """Smolensk beside a module, matched as it lies at the beginning."""
    smolensk.write(tmp_path)
    assert east(*MATCH).code == 0
    return east


def entries(forcepool: Forcepool) -> int:
    count: int = forcepool("status", "east.fp", "--json").data["entries"]
    return count


def test_counters_and_places_are_matched_once_and_what_was_written_stays(matched: Forcepool, tmp_path: Path) -> None:
    file = tmp_path / "east.fp.vassal.yaml"
    text = file.read_text("utf-8")
    for line in (
        '"34 Inf XX": "34 Inf XX"',
        '"Step: cadre": "cadre"',
        '"Main: Ugra": "Ugra"',
        '"Charts: Eliminated": "lost"',
    ):
        assert f"  {line}\n" in text
    assert '  "Turn marker": "? no unit is called so"\n' in text
    file.write_text(text.replace('"? no unit is called so"', '"-"  # ours'), "utf-8")
    again = matched(*MATCH)
    assert "There is nothing new in it." in again.out
    assert '"-"  # ours' in file.read_text("utf-8")
    assert entries(matched) == 1


def test_a_dry_match_writes_nothing(east: Forcepool, tmp_path: Path) -> None:
    smolensk.write(tmp_path)
    ran = east(*MATCH, "--dry-run")
    assert "would be added to" in ran.out
    assert east(*MATCH, "--dry-run", "--json").data["new"]["counters"]["5 Inf XX"] == "5 Inf XX"
    assert not list(tmp_path.glob("*.vassal*"))
    ran = east(*sync(save="turn.vsav"))
    assert (ran.code, "forcepool vassal match" in ran.err) == (2, True)


def test_what_has_changed_is_asked_for_given_in_one_go_and_taken_back_by_one_undo(
    matched: Forcepool, tmp_path: Path
) -> None:
    smolensk.write(
        tmp_path,
        "next.vsav",
        _34_Inf_XX=("Smolensk", 1),
        _5_Inf_XX=("Yartsevo", 2),
        _252_Inf_XX=("dead", 1),
        _2_Pz_XX=("pocket", 1),
        _10_Pz_XX=("Gzhatsk", 1),
    )
    dry = matched(*sync("--dry-run", "--json")).data
    assert [(each["unit"], each["command"]["command"]) for each in dry["orders"]] == [
        ("2 Pz XX", "lose"),
        ("5 Inf XX", "lose"),
        ("34 Inf XX", "move-units"),
        ("252 Inf XX", "lose"),
    ]
    assert [(each["unit"], each["says"].partition(",")[0]) for each in dry["left"]] == [
        ("10 Pz XX", "10 Pz XX is turned up to full strength")
    ]
    assert (dry["given"], entries(matched)) == ([], 1)

    none = matched(*sync(), typed="n\nn\nq\n")
    assert "Nothing was given, and nothing written." in none.out
    assert entries(matched) == 1

    ran = matched(*sync(), typed="n\ny\na\n")
    assert ran.code == 0
    assert "3 orders given; one undo takes all of it back." in ran.out
    assert matched("log", "east.fp").out.count("(given in one go from entry 2 on)") == 3
    steps = {each["unit"]: each["step"] for each in matched("units", "east.fp", "--json").data}
    assert steps["5 Inf XX"] == "cadre"
    # What was left comes again; what was taken over does not.
    assert [each["unit"] for each in matched(*sync("--dry-run", "--json")).data["orders"]] == ["2 Pz XX"]

    matched("undo", "east.fp")
    assert len(matched(*sync("--dry-run", "--json")).data["orders"]) == 4
    assert matched("verify", "east.fp").code == 0


def test_what_forcepool_did_since_is_no_news_from_vassal(matched: Forcepool, tmp_path: Path) -> None:
    matched("do", "east.fp", "put-unit", "unit=34 Inf XX", "at=Roslavl")
    ran = matched(*sync(save="turn.vsav"))
    assert "Nothing has changed in VASSAL that is not so here." in ran.out
    assert matched(*sync("--all", "--dry-run", "--json", save="turn.vsav")).data["orders"][0]["unit"] == "34 Inf XX"
    listed = matched("vassal", "list", "east.fp", "turn.vsav", "--module", "east.vmod")
    assert "1 counter to be put right in VASSAL" in listed.out
    assert "34 Inf XX  full      Roslavl  Main: Ugra, full" in listed.out


def test_what_is_bought_back_goes_from_the_dead_to_the_track_in_vassal_too(matched: Forcepool, tmp_path: Path) -> None:
    laid = smolensk.LAID | {"263 Inf XX": ("dead", 2), "268 Inf XX": ("dead", 2), "5 Inf XX": ("off", 1)}
    smolensk.a_game(laid)[0].write(tmp_path / "turn.vsav")
    matched(*MATCH)
    shown = matched("vassal", "list", "east.fp", "turn.vsav", "--module", "east.vmod", "--json").data["units"]
    assert [(each["unit"], each["place"], each["in_vassal"]) for each in shown] == [
        ("5 Inf XX", "Yartsevo", "on no map"),
        ("268 Inf XX", "turn track of front Centre, due Oct 4 41", "Charts: Eliminated, cadre"),
    ]


def test_a_unit_that_appears_is_placed_once_its_turn_has_come(matched: Forcepool, tmp_path: Path) -> None:
    laid = smolensk.LAID | {"268 Inf XX": ("Yartsevo", 2), "263 Inf XX": ("Ugra", 2)}
    smolensk.a_game(laid)[0].write(tmp_path / "turn.vsav")
    matched(*MATCH)
    early = matched(*sync("--dry-run", "--json", save="turn.vsav")).data
    assert [(each["unit"], "Oct 4 41" in each["why"]) for each in early["left"]] == [
        ("263 Inf XX", False),
        ("268 Inf XX", True),
    ]
    while "Oct 4 41, Axis replacement" not in matched("status", "east.fp").out:
        assert matched("do", "east.fp", "advance").code == 0
    found = matched(*sync("--yes", "--json", save="turn.vsav")).data
    assert [(each["unit"], each["command"]["command"]) for each in found["orders"]] == [("268 Inf XX", "place")]
    assert len(found["given"]) == 1


def test_a_log_gives_the_moves_in_their_order_with_who_made_them(matched: Forcepool, tmp_path: Path) -> None:
    game, pieces = smolensk.a_game()
    bert, anna = smolensk.PASSWORDS["Bert"], smolensk.PASSWORDS["Anna"]
    game.step(game.moved(pieces["34 Inf XX"], smolensk.spot("Yartsevo"), bert))
    game.step(game.moved(pieces["32 Rif XX"], smolensk.spot("Vyazma"), anna))
    game.step(game.moved(pieces["5 Inf XX"], smolensk.spot("Ugra"), bert))
    game.step(game.moved(pieces["34 Inf XX"], smolensk.spot("Smolensk"), bert))
    game.write(tmp_path / "next.vlog")
    ran = matched(*sync("--yes", save="next.vlog"))
    told = [line.split("  ")[1] for line in ran.out.splitlines() if "has gone" in line]
    assert told == [
        "32 Rif XX has gone from Mozhaisk to Vyazma, by Anna",
        "5 Inf XX has gone from Yartsevo to Ugra, by Bert",
        "34 Inf XX has gone from Ugra to Smolensk, by Bert",
    ]
    assert "3 orders given" in ran.out
    assert not any(password in ran.out for password in smolensk.PASSWORDS.values())


def test_a_seat_hears_of_its_own_units_only(seated: Forcepool, tmp_path: Path) -> None:
    smolensk.write(tmp_path)
    seated(*MATCH)
    smolensk.write(tmp_path, "next.vsav", _34_Inf_XX=("Smolensk", 1), _32_Rif_XX=("Vyazma", 1))
    assert "say which is yours" in seated(*sync()).err
    found = seated(*sync("--as", "Axis", "--yes", "--json")).data
    assert [each["unit"] for each in found["orders"]] == ["34 Inf XX"]
    assert len(found["given"]) == 1


def test_what_cannot_be_compared_is_listed(matched: Forcepool, tmp_path: Path) -> None:
    game, _ = smolensk.a_game(smolensk.LAID | {"34 Inf XX": ("off", 1)})
    game.piece("A new counter", at=smolensk.spot("Ugra"))
    file = tmp_path / "east.fp.vassal.yaml"
    text = file.read_text("utf-8").replace('"Main: Yartsevo": "Yartsevo"', '"Main: Yartsevo": "?"')
    file.write_text(text.replace('"Main: Gzhatsk": "Gzhatsk"', '"Main: Gzhatsk": "-"'), "utf-8")
    game.piece("Hidden", at=smolensk.spot("Ugra"), traits=[("hide;H;", smolensk.PASSWORDS["Anna"])])
    game.write(tmp_path / "next.vsav")
    ran = matched(*sync("--dry-run"))
    assert "A new counter: the match file does not know this counter" in ran.out
    assert "34 Inf XX: it lies on no map" in ran.out
    assert "'forcepool vassal match' adds what is new" in ran.out
    assert "5 Inf XX: the match file knows no place for 'Main: Yartsevo'" in ran.out
    assert "Gzhatsk" not in ran.out
    assert "1 counter that somebody has hidden was passed over." in ran.out


def test_a_mistake_in_the_match_file_is_told_with_its_place(matched: Forcepool, tmp_path: Path) -> None:
    file = tmp_path / "east.fp.vassal.yaml"
    file.write_text(file.read_text("utf-8").replace('"34 Inf XX": "34 Inf XX"', '"34 Inf XX": "34 Inf YY"'), "utf-8")
    ran = matched(*sync(save="turn.vsav"))
    assert ran.code == 2
    assert "east.fp.vassal.yaml:13:16: there is no unit '34 Inf YY'" in ran.err


def test_the_other_game_puts_its_units_where_they_lie(forcepool: Forcepool, tmp_path: Path) -> None:
    forcepool("new", "east.fp", "--scenario", "eastern-front")
    units = [each for each in forcepool("units", "east.fp", "--json").data if each["place"]["kind"] == "hex"]
    here, there = units[0], next(each for each in units if each["where"] != units[0]["where"])
    grid = regions(**{place.replace(" ", "_"): (at, 10) for at, place in ((10, here["where"]), (500, there["where"]))})
    (tmp_path / "east.vmod").write_bytes(module(map_window("Main", board("East", grid))))
    for file, x in (("turn.vsav", 10), ("next.vsav", 500)):
        game = Game()
        game.piece(here["unit"], at=("Main", x, 10))
        game.write(tmp_path / file)
    forcepool(*MATCH)
    ran = forcepool(*sync("--yes"))
    assert "1 order given" in ran.out
    after = {each["unit"]: each["where"] for each in forcepool("units", "east.fp", "--json").data}
    assert after[here["unit"]] == there["where"]
