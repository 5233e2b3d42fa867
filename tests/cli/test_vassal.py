"""VASSAL from the command line."""

from pathlib import Path

from tests.cli.conftest import Forcepool
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
