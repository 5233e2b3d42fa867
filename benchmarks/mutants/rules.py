"""The rules that can be measured: where their code and data stand, and the tests that should notice a mistake."""

from pathlib import Path
from typing import NamedTuple

from benchmarks.mutants import GAMES, ROOT


class RuleSet(NamedTuple):
    """A rule of the house rule set, what its rules share, or the whole of the second game."""

    game: str
    folders: tuple[str, ...]
    """Of its modules, below the game's folder; "" is that folder itself."""
    profiles: tuple[str, ...]
    """Its data, as patterns of file names in the game's folder of profiles."""
    cases: tuple[str, ...]
    """The folders of its cases; those on a map are of all rules."""
    tests: tuple[str, ...] = ("tests/rulebook", "tests/engine")
    """The tests besides its cases."""

    @property
    def home(self) -> Path:
        return GAMES / self.game

    @property
    def modules(self) -> list[Path]:
        found = [file for folder in self.folders for file in (self.home / folder).glob("*.py")]
        return sorted(file for file in found if not _only_gathers(file))

    @property
    def data(self) -> list[Path]:
        return sorted(file for pattern in self.profiles for file in (self.home / "profile").glob(pattern))

    @property
    def other_cases(self) -> tuple[str, ...]:
        """The folders of the game's other rules."""
        return tuple(each for each in CASES[self.game] if each not in self.cases)

    def case_files(self, folders: tuple[str, ...]) -> list[Path]:
        return [file for folder in folders for file in sorted((ROOT / "tests/cases" / folder).glob("*.yaml"))]

    @property
    def test_files(self) -> list[str]:
        """The tests that are there; a pattern stands for several files."""
        return sorted(str(file) for pattern in self.tests for file in ROOT.glob(pattern))


def _only_gathers(file: Path) -> bool:
    """An __init__.py puts together what stands elsewhere."""
    return file.name == "__init__.py"


CASES = {"europa": ("28", "49", "51", "52", "map", "published"), "eastern_front": ("ef",)}
"""The folders of all cases of a game."""

REPLACEMENTS = ("general", "limited", "kinds", "axis", "soviet", "allied", "contingents", "special", "training")
"""The folders of rule 52, by its headings."""

RULES = {
    "28": RuleSet("europa", ("air",), ("28.yaml",), ("28", "map")),
    "49": RuleSet(
        "europa",
        ("reserves",),
        ("49.yaml",),
        ("49", "map"),
        ("tests/rulebook", "tests/engine", "tests/properties/test_reserve_charges.py"),
    ),
    "51": RuleSet("europa", ("reinforcements",), ("51.yaml",), ("51", "map")),
    "52": RuleSet(
        "europa",
        ("ground", "replacements", *(f"replacements/{room}" for room in REPLACEMENTS)),
        ("52*.yaml", "limited.yaml", "pools.yaml"),
        ("52", "map"),
    ),
    # What all rules of the house rule set stand on: whose an area is, the scenario, what the map answers, the lint.
    "shared": RuleSet(
        "europa",
        ("", "mapfacts", "lint"),
        ("general.yaml", "map.yaml"),
        ("28", "49", "51", "52", "map"),
        ("tests/rulebook", "tests/engine", "tests/map", "tests/lint"),
    ),
    "ef": RuleSet(
        "eastern_front",
        ("",),
        ("general.yaml",),
        ("ef",),
        ("tests/rulebook/test_eastern_front*.py", "tests/lint/test_eastern_front.py"),
    ),
}
