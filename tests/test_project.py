"""How the house is built: which room may use which, and what may not lie about in them."""

import ast
import io
import os
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "forcepool"

# From the top of the house down; rooms on one floor do not use each other.
FLOORS = (
    ("cli",),
    ("pages",),
    ("web",),
    ("report", "vassal"),
    ("door", "study"),
    ("tables",),
    ("cases", "drawing", "views"),
    ("store", "planner"),
    ("games",),
    ("scenarios",),
    ("orderofbattle",),
    ("engine",),
    ("files",),
    ("rulebook",),
)
# A game's folder has two storeys: its rules below, and above the web what it shows in the browser.
PAGES = re.compile(r"games[/.]\w+[/.]pages\b")
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

# Rooms that serve every game, and therefore know none by name.
KNOW_NO_GAME = tuple(room for floor in FLOORS for room in floor if room not in ("games", "pages"))
GAME_NAMES = re.compile("europa|eastern[ _-]front", re.IGNORECASE)
# The demonstration plays a scenario, so its strings may name one; its code still may not.
MAY_NAME_A_SCENARIO = Path("cli/demo.py")

EXACT_ROOMS = ("engine", "games", "orderofbattle")

# The lookbehind lets addresses and relative paths through: only a path from the root names a machine.
MACHINE_PATH = re.compile(
    r"(?<![\w.~/-])/(?:home|Users|root|work|opt|tmp|mnt|srv)/[\w.]|\b[A-Za-z]:\\{1,2}Users\\{1,2}\w|file:///\w",
)
LONGEST_LINE, LEAST_FILES, LONGEST_MODULE = 200, 40, 400
NOT_OURS = {".git", ".venv", "_build", "build", "dist", "node_modules", "__pycache__", ".hypothesis"}


def modules() -> list[Path]:
    """Every Python file of the package, as a path inside it, in order."""
    return sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))


def read(module: Path) -> str:
    """The source of a module of the package."""
    return (PACKAGE / module).read_text(encoding="utf-8")


def imported_names(module: Path, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of everything a module imports, at the top or inside a function."""
    here = ("forcepool", *module.parent.parts)
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=source, names=names, level=level):
                base = ".".join(here[: len(here) - level + 1]) if level else ""
                whole = ".".join(part for part in (base, source) if part)
                yield from ((node.lineno, f"{whole}.{alias.name}") for alias in names)
            case ast.Call(
                func=ast.Attribute(attr="import_module") | ast.Name(id="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield node.lineno, name


def wrong_imports(module: Path, source: str) -> list[str]:
    """The imports of a module that do not go downward."""
    if len(module.parts) == 1:  # the front door of the package may open on any room
        return []
    room = "pages" if PAGES.match(module.as_posix()) else module.parts[0]
    if room not in FLOOR_OF:
        return [f"{module}: the room '{room}' has no floor yet; give it one in FLOORS"]
    found = []
    for line, name in imported_names(module, ast.parse(source)):
        package, _, rest = name.partition(".")
        other = "pages" if PAGES.match(rest) else rest.partition(".")[0]
        if package != "forcepool" or other in (room, "__version__"):
            continue
        if other not in FLOOR_OF or FLOOR_OF[other] <= FLOOR_OF[room]:
            found.append(f"{module}:{line}: {room} may not import {name}")
    return found


def games_named(module: Path, source: str) -> list[str]:
    """The words in code and strings (comments apart) with which a module names a particular game."""
    found = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT or (module == MAY_NAME_A_SCENARIO and token.type != tokenize.NAME):
            continue
        if name := GAME_NAMES.search(token.string):
            found.append(f"{module}:{token.start[0]}: names {name.group()}")
    return found


def imports_of_other_games(module: Path, source: str) -> list[str]:
    """The imports by which one game's module uses another game."""
    if module.parts[0] != "games" or len(module.parts) < 3:
        return []
    own, found = f"forcepool.games.{module.parts[1]}.", []
    for line, name in imported_names(module, ast.parse(source)):
        game, other = name.startswith("forcepool.games."), not f"{name}.".startswith(own)
        if game and other:
            found.append(f"{module}:{line}: {module.parts[1]} may not import {name}")
    return found


def floats(module: Path, source: str) -> list[str]:
    """The float literals and calls of float() in a module."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=float() | complex()):
                found.append(f"{module}:{node.lineno}: {ast.unparse(node)} is a float; write a Fraction")
            case ast.Call(func=ast.Name(id="float")):
                found.append(f"{module}:{node.lineno}: float() is not exact; use Fraction")
    return found


def machine_paths(name: str, text: str) -> list[str]:
    """The lines of a file that hold a path of somebody's machine."""
    return [f"{name}:{n}: {line.strip()}" for n, line in enumerate(text.splitlines(), 1) if MACHINE_PATH.search(line)]


def our_files() -> Iterator[tuple[str, str]]:
    """Name and text of every text file we wrote, caches and environments apart."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(f for f in folders if f not in NOT_OURS and not f.endswith(("_cache", ".egg-info")))
        for name in sorted(names):
            path = Path(folder, name)
            if name in NOT_OURS or not path.is_file():
                continue
            try:
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue  # a picture or a database holds no path that we wrote


def test_imports_go_downward_only() -> None:
    assert [wrong for module in modules() for wrong in wrong_imports(module, read(module))] == []


def test_rooms_for_every_game_name_no_game() -> None:
    served = [module for module in modules() if module.parts[0] in KNOW_NO_GAME]
    assert [named for module in served for named in games_named(module, read(module))] == []


def test_no_game_imports_another() -> None:
    assert [wrong for module in modules() for wrong in imports_of_other_games(module, read(module))] == []


def test_no_list_is_filled_by_importing() -> None:
    """What a game has is what its chapters say; a list that modules add themselves to depends on who was imported."""
    filled = [
        f"{module}:{node.lineno}: {ast.unparse(node)}"
        for module in modules()
        if module.parts[0] in ("engine", "games", "planner", "views")
        for node in ast.parse(read(module)).body
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        if node.value.func.attr in ("append", "add", "extend", "update", "setdefault", "insert")
    ]
    assert filled == []


def test_the_ground_of_a_game_uses_none_of_its_sections() -> None:
    """What all sections stand on would otherwise stand on one of them."""
    games = PACKAGE / "games"
    sections = {path.parent.relative_to(PACKAGE).as_posix().replace("/", ".") for path in games.glob("*/*/__init__.py")}
    found = [
        f"{module}:{line}: uses {name}"
        for module in modules()
        if re.match(r"games/\w+/ground/", module.as_posix())
        for line, name in imported_names(module, ast.parse(read(module)))
        for section in sections
        if not section.endswith(".ground") and name.startswith(f"forcepool.{section}.")
    ]
    assert any(section.endswith(".ground") for section in sections)
    assert found == []


def test_a_module_is_read_in_one_sitting() -> None:
    lines = {module: len(read(module).splitlines()) for module in modules()}
    assert [f"{module}: {count} lines" for module, count in lines.items() if count > LONGEST_MODULE] == []


def test_the_engine_and_the_store_load_no_game() -> None:
    rooms = [module for module in modules() if module.parts[0] in ("engine", "files", "rulebook", "store")]
    names = [".".join(("forcepool", *module.with_suffix("").parts)).removesuffix(".__init__") for module in rooms]
    code = f"import importlib, sys\nfor name in {names}: importlib.import_module(name)\n"
    code += "print([name for name in sys.modules if name.startswith('forcepool.games')])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_every_rule_and_every_number_is_measured_for_mistakes() -> None:
    """Each module and each file of numbers of a game is in some set of the mutation benchmark, and in one only."""
    listed = "for rule in RULES.values(): print(*rule.modules, *rule.data, sep='\\n')"
    code = f"from benchmarks.mutants.rules import RULES\n{listed}"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    games = PACKAGE / "games"
    modules = (path for path in games.glob("*/**/*.py") if path.name != "__init__.py")
    rules = {path for path in modules if not PAGES.match(path.relative_to(PACKAGE).as_posix())}
    assert sorted(map(Path, ran.stdout.split())) == sorted(rules | set(games.glob("*/profile/*.yaml")))


def test_rules_never_use_a_float() -> None:
    exact = [module for module in modules() if module.parts[0] in EXACT_ROOMS]
    assert [found for module in exact for found in floats(module, read(module))] == []


def test_every_module_says_what_it_is() -> None:
    assert [module for module in modules() if not ast.get_docstring(ast.parse(read(module)))] == []


def test_no_file_holds_a_path_of_a_machine() -> None:
    assert [found for name, text in our_files() for found in machine_paths(name, text)] == []


def test_the_lock_names_no_place_to_download_from() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert [line for line in lock.splitlines() if "://" in line or " @ " in line or line.startswith("-")] == []


def test_templates_and_style_sheets_can_be_read() -> None:
    """One thing on a line; what stands on a longer one is not seen, and not compared."""
    files = [path for ending in ("html", "css", "js") for path in PACKAGE.rglob(f"*.{ending}")]
    long = [
        f"{path.relative_to(PACKAGE)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) >= LONGEST_LINE
    ]
    assert len(files) > LEAST_FILES
    assert long == []


def test_every_colour_is_named_once_for_light_and_dark() -> None:
    """A second palette would have to be kept in step; on paper there is black and white."""
    sheet = (PACKAGE / "web/static/style.css").read_text("utf-8")
    palette, _, rest = sheet.partition("}")
    named = re.findall(r"(--[\w-]+): light-dark\(", palette)
    assert len(named) == len(set(named)) > 0
    assert "prefers-color-scheme" not in sheet
    assert [name for name in named if re.search(rf"{name}\s*:", rest)] == []


def test_the_package_is_really_looked_at() -> None:
    assert len(modules()) > 5
    assert {"README.md", "Makefile", ".ci/run", "tests/test_project.py"} <= {name for name, _ in our_files()}


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("engine/ledger.py", "import forcepool.games"),
        ("engine/ledger.py", "import os, forcepool.store.journal as j"),
        ("engine/ledger.py", "from forcepool.games.one import profile"),
        ("engine/ledger.py", "from forcepool import engine, games"),
        ("engine/ledger.py", "from .. import games"),
        ("engine/deep/ledger.py", "from ...games import one"),
        ("engine/ledger.py", "def late():\n    from forcepool.cli import main"),
        ("engine/ledger.py", "import importlib\nimportlib.import_module('forcepool.games.one')"),
        ("engine/ledger.py", "from forcepool import campaign"),
        ("engine/ledger.py", "import forcepool"),
        ("rulebook/book.py", "from forcepool.files import problems"),
        ("files/shape.py", "from forcepool.engine.points import parse_points"),
        ("store/journal.py", "from forcepool.planner import plan"),
        ("cases/runner.py", "from forcepool.cli import main"),
        ("games/one/rules.py", "from forcepool.games.one.pages import air"),
        ("games/one/rules.py", "from forcepool.web.here import Here"),
        ("web/app.py", "from forcepool.games.one.pages import air"),
        ("games/one/pages/air.py", "from forcepool.cli import main"),
        ("attic/box.py", "import os"),
    ],
)
def test_an_import_upward_or_sideways_is_found(module: str, source: str) -> None:
    assert len(wrong_imports(Path(module), source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("engine/ledger.py", "import os\nfrom fractions import Fraction"),
        (
            "engine/ledger.py",
            "from forcepool.engine.points import show_points\nfrom .places import Place\nfrom . import a",
        ),
        ("engine/ledger.py", "from forcepool.rulebook import load\nfrom ..files import problems"),
        ("engine/deep/ledger.py", "from ..points import show_points\nfrom ...rulebook import load"),
        ("engine/ledger.py", "from forcepool import __version__"),
        ("cli/main.py", "from forcepool import cases, store, games, scenarios, engine, files, rulebook"),
        ("games/one/two.py", "from forcepool.orderofbattle import lint\nfrom .. import three"),
        ("games/one/pages/air.py", "from forcepool.web.here import Here\nfrom forcepool.games.one.world import World"),
        ("engine/ledger.py", "import forcepool_friends"),
        ("__main__.py", "from forcepool.cli.main import main"),
    ],
)
def test_an_import_downward_or_at_home_is_allowed(module: str, source: str) -> None:
    assert wrong_imports(Path(module), source) == []


def test_a_game_that_uses_another_is_found() -> None:
    source = (
        "from forcepool.games.two import world\nfrom forcepool.games.one.facts import FACTS\nimport forcepool.games"
    )
    assert imports_of_other_games(Path("games/one/rules.py"), source) == [
        "games/one/rules.py:1: one may not import forcepool.games.two.world"
    ]
    assert imports_of_other_games(Path("games/__init__.py"), source) == []


@pytest.mark.parametrize(
    "source",
    [
        "import europa",
        "x = 'Eastern Front'",
        "x = a.Europa",
        "x = 'the Europa series'",
        "x = f'{y} in eastern_front'",
        '"""Europa."""',
    ],
)
def test_a_game_named_in_code_or_strings_is_found(source: str) -> None:
    assert len(games_named(Path("engine/ledger.py"), source)) == 1


def test_only_the_strings_of_the_demonstration_may_name_a_game() -> None:
    assert games_named(Path("engine/ledger.py"), "x = 1  # as in Europa\ny = 'a European front'") == []
    assert games_named(Path("cli/demo.py"), "SCENARIO = 'europa-barbarossa'\nTITLE = f'{SCENARIO}: europa'") == []
    assert len(games_named(Path("cli/demo.py"), "import europa")) == 1
    assert len(games_named(Path("cli/main.py"), "SCENARIO = 'europa-barbarossa'")) == 1


@pytest.mark.parametrize("source", ["x = 0.5", "x = -1e3", "x = float(y)", "def f(x=2.0): ...", "x = 1j"])
def test_a_float_is_found(source: str) -> None:
    assert len(floats(Path("engine/points.py"), source)) == 1


def test_turning_a_float_away_is_no_float() -> None:
    assert floats(Path("engine/points.py"), "x = Fraction(1, 2)\ny = '0.5'\nbad = isinstance(x, float)") == []


@pytest.mark.parametrize(
    "parts",
    [
        ("", "home", "ann", "x"),
        ("", "Users", "ann"),
        ("", "tmp", "x.db"),
        ("", "root", ".cache"),
        ("file:", "", "", "x"),
    ],
)
def test_a_path_of_a_machine_is_found(parts: tuple[str, ...]) -> None:
    path = "/".join(parts)  # joined here, or this file would hold what it forbids
    assert machine_paths("a.py", f"# first\nopen('{path}')") == [f"a.py:2: open('{path}')"]


def test_a_path_of_a_windows_machine_is_found() -> None:
    assert len(machine_paths("a.md", "\\".join(("C:", "Users", "ann")))) == 1
    assert len(machine_paths("a.py", "\\\\".join(("C:", "Users", "ann")))) == 1


@pytest.mark.parametrize(
    "text", ["#!/usr/bin/env bash", "https://example.org/home/page", "tests/tmp/x", "~/games/x", "/home"]
)
def test_an_address_or_a_relative_path_is_no_path_of_a_machine(text: str) -> None:
    assert machine_paths("a.md", text) == []


def test_how_a_group_plays_a_ruling_is_asked_in_one_place() -> None:
    """A campaign keeps the defaults it was begun with; whoever reads the state's own decisions alone misses them."""
    allowed = {Path("engine/world.py"), Path("games/europa/world.py")}
    asking = [
        f"{module}: {line.strip()}"
        for module in modules()
        if module not in allowed
        for line in read(module).splitlines()
        if re.search(r"\bswitches\.get\(|\.default_rulings\b", line)
    ]
    assert asking == []
