"""A game from elsewhere has its report too: boxes by their own names, no areas, one phase a turn."""

import os
import subprocess
import sys
from pathlib import Path

from tests.test_third_party_game import EXAMPLE, install


def test_the_report_of_a_game_of_ones_own(tmp_path: Path) -> None:
    target = tmp_path / "site"
    target.mkdir()
    install(target)
    paths = [str(target), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYTHONUTF8": "1"}

    def forcepool(*words: str) -> str:
        command = [sys.executable, "-m", "forcepool", *words]
        ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        return ran.stdout

    forcepool("new", "border.fp", "--scenario", str(EXAMPLE / "border.yaml"))
    text = forcepool("report", "border.fp")
    assert "--- RED" in text
    assert "Red Guards" in text
    forcepool("report", "border.fp", "--html", "border.html")
    assert "Red Guards" in (tmp_path / "border.html").read_text(encoding="utf-8")
