"""The rules that can be measured: where their code and data stand, and the tests that should notice a mistake."""

from pathlib import Path
from typing import NamedTuple

from mutants import GAMES, ROOT


class RuleSet(NamedTuple):
    """A rule of the house rule set, or the whole of the second game."""

    folder: str
    """Of its modules, below games/."""
    profiles: tuple[str, ...]
    """Its data, as patterns of file names in the game's folder of profiles."""
    tests: tuple[str, ...] = ("tests/rulebook", "tests/engine")
    """The tests besides its cases."""

    @property
    def game(self) -> str:
        return self.folder.partition("/")[0]

    @property
    def package(self) -> str:
        return f"forcepool.games.{self.folder.replace('/', '.')}"

    @property
    def modules(self) -> list[Path]:
        return sorted(file for file in (GAMES / self.folder).glob("*.py") if file.name != "__init__.py")

    @property
    def data(self) -> list[Path]:
        return sorted(file for pattern in self.profiles for file in (GAMES / self.game / "profile").glob(pattern))

    @property
    def test_files(self) -> list[str]:
        """The tests that are there; a pattern stands for several files."""
        return sorted(str(file) for pattern in self.tests for file in ROOT.glob(pattern))


RULES = {
    "28": RuleSet("europa/air", ("28.yaml",)),
    "49": RuleSet("europa/reserves", ("49.yaml",)),
    "51": RuleSet("europa/reinforcements", ("51.yaml",)),
    "52": RuleSet("europa/replacements", ("52*.yaml", "limited.yaml", "pools.yaml")),
    "ef": RuleSet(
        "eastern_front",
        ("general.yaml",),
        ("tests/rulebook/test_eastern_front*.py", "tests/lint/test_eastern_front.py"),
    ),
}
