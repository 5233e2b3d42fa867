"""What the pages name is there: commands and clauses on every page, and for contributors files, names and code."""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

import click
import pytest

from forcepool.cli.main import Front
from forcepool.games import eastern_front, game
from forcepool.games.europa.chapters import CHAPTERS
from forcepool.rulebook.book import load
from tests.test_project import FLOORS, PACKAGE, ROOT

NAMES = ("CONTRIBUTING.md", "docs/design.md", "docs/rulebook.md")
STANDS_UNDER = (ROOT, PACKAGE, ROOT / "docs")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)#:]+\.md)")
FILE = re.compile(r"[\w.-]+(?:/[\w.-]+)*/(?:[\w-]*\.\w+)?")
LONE_FILE = re.compile(r"[\w-]+(?:\.\w+)*\.(?:md|toml|lock|gz|json|txt|yaml)")
CLAUSE = re.compile(r"\b(?:28|49|51|52|EF)(?:\.[A-Za-z0-9]+)+(?:/\d+)?")
COMMAND = re.compile(r"(?:FORCEPOOL_\w+=1 )?(?:\.venv/bin/)?(forcepool|make|python -m)( .*|)")
CODE = re.compile(r"""^[^\s]+$|[="\[{]""")
DEFINED = re.compile(r"""\b(?:def|class)\s+(\w+)|\b(\w+)\s*[=:,)]|["']([\w-]+)["']|\b(?:from|import)\s+(\w+)""")


def page(name: str) -> tuple[list[tuple[str, str]], list[str]]:
    """The blocks of a page, each with its language, and what its sentences set apart as code."""
    text = (ROOT / name).read_text("utf-8")
    prose = BLOCK.sub("", text)
    return [(found[1], found[2]) for found in BLOCK.finditer(text)], [" ".join(s.split()) for s in SPAN.findall(prose)]


@cache
def source() -> str:
    files = [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("profile/*.yaml"), *(ROOT / "tests/support").glob("*.py")]
    return "\n".join(path.read_text("utf-8") for path in sorted(files))


@cache
def known() -> frozenset[str]:
    """Every name that some line of the program gives to something."""
    rooms = {room for floor in FLOORS for room in floor}
    return frozenset(name for found in DEFINED.finditer(source()) for name in found.groups() if name) | rooms


def wrong_command(program: str, rest: str) -> Iterator[str]:
    words = rest.split()
    if program == "make":
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
        yield from (word for word in words[:1] if word not in targets)
    elif program == "python -m":
        place = "/".join(words[0].split("."))
        found = words[0] == "pytest" or any((base / f"{place}.py").is_file() for base in (ROOT, PACKAGE.parent))
        yield from () if found else (words[0],)
    elif words and words[0] != "…" and not words[0].isupper():
        yield from _wrong_words(Front(), words)


def _wrong_words(command: click.Command, words: list[str]) -> Iterator[str]:
    """The first words lead to a command or to one of a group's; it has the options that are named."""
    at, rest = click.Context(command), list(words)
    while isinstance(command, click.Group) and rest and not rest[0].startswith("--"):
        found = command.get_command(at, rest[0])
        if found is None:
            yield rest[0]
            return
        command, rest = found, rest[1:]
    options = {"--help", "--version", *(each for field in command.params for each in field.opts)}
    yield from (word for word in rest if word.startswith("--") and word.partition("=")[0] not in options)


def wrong_in(said: str) -> Iterator[str]:
    """What in a piece of code that a page names does not exist."""
    book = load()
    cited = CLAUSE.findall(said)
    yield from (each for each in cited if each not in book and each not in book.headings())
    if LONE_FILE.fullmatch(said):
        yield from () if (ROOT / said).is_file() or any((ROOT / "tests").glob(f"*/*/{said}")) else (said,)
        return
    files = [each for each in FILE.findall(CLAUSE.sub("", said)) if not each.startswith(".venv/")]
    yield from (each for each in files if not any((base / each).exists() for base in STANDS_UNDER))
    if command := COMMAND.fullmatch(said):
        yield from wrong_command(command[1], command[2])
    elif not said.startswith(".") and not cited and not files and CODE.search(said) and "/" not in said:
        yield from (
            each for each in re.findall(r"[A-Za-z_][\w-]*", said.removeprefix("forcepool.")) if each not in known()
        )


@pytest.mark.parametrize("name", NAMES)
def test_what_a_page_names_is_there(name: str) -> None:
    blocks, spans = page(name)
    lines = [
        line.partition("   ")[0].strip() for language, text in blocks if not language for line in text.splitlines()
    ]
    wrong = {said: found for said in [*spans, *lines] if (found := list(wrong_in(said)))}
    assert wrong == {}
    assert len(spans) > 10


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "docs").glob("*.md")))
def test_every_page_names_commands_and_clauses_that_are_there(name: str) -> None:
    book, (blocks, spans) = load(), page(f"docs/{name}")
    lines = [
        line.partition("   ")[0].strip() for language, text in blocks if not language for line in text.splitlines()
    ]
    given = [found for said in [*spans, *lines] if (found := COMMAND.fullmatch(said))]
    assert [found[0] for found in given if list(wrong_command(found[1], found[2]))] == []
    cited = [clause for said in spans for clause in CLAUSE.findall(said)]
    assert [clause for clause in cited if clause not in book and clause not in book.headings()] == []


def test_the_code_that_contributing_shows_stands_in_the_program() -> None:
    shown = [text for language, text in page("CONTRIBUTING.md")[0] if language]
    assert len(shown) > 2
    assert [text for text in shown if text not in source()] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_links_of_a_page_lead_somewhere(name: str) -> None:
    links = LINK.findall((ROOT / name).read_text("utf-8"))
    assert [link for link in links if not (ROOT / name).parent.joinpath(link).is_file()] == []


def test_the_design_lists_the_rooms_floor_by_floor() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", (ROOT / "docs/design.md").read_text("utf-8"), re.MULTILINE)
    assert [tuple(SPAN.findall(row)) for row in rows] == list(FLOORS)
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert rooms | {"pages"} == {room for floor in FLOORS for room in floor}


@pytest.mark.parametrize("name", ["README.md", "docs/rulebook.md"])
def test_the_number_of_clauses_is_told_as_it_is(name: str) -> None:
    assert re.findall(r"([\d,]+) clauses\b", (ROOT / name).read_text("utf-8")) == [f"{len(load()):,}"]


def test_no_chapter_is_left_out_of_its_game() -> None:
    """A module whose chapter nobody lists would load, and be asked nothing."""
    home = PACKAGE / "games"
    listed = {id(each) for each in (*CHAPTERS, *eastern_front.CHAPTERS)}
    told = [path for path in sorted(home.rglob("*.py")) if re.search(r"^CHAPTER\b.*=", path.read_text("utf-8"), re.M)]
    names = [".".join(("forcepool.games", *path.relative_to(home).with_suffix("").parts)) for path in told]
    assert "forcepool.games.europa.replacements.general.scrapping" in names
    assert [name for name in names if id(import_module(name).CHAPTER) not in listed] == []


def test_the_habits_a_chapter_tells_of_are_the_games() -> None:
    told = {name: habit for chapter in CHAPTERS for name, habit in chapter.habits.items()}
    assert "scrap" in told, "the example of the page"
    assert {name: game("europa").habits[name] for name in told} == told
    assert "replace" in game("europa").habits


@pytest.mark.parametrize(
    "said",
    [
        "src/forcepool/rulebook/paragraphs/",
        "engine/no_such_module.py",
        "SCRAPPED_NOTHING",
        "Chapter.no_such_part",
        'q.world.numbers["no_such_number"]',
        "52.A.9.d/99",
        "52.A.99",
        "CONTRIBUTE.md",
        "forcepool no-such-command",
        "forcepool rules 52.A.6 --no-such-option",
        "forcepool vassal no-such-word",
        "forcepool vassal match east.fp --no-such-option",
        "make no-such-target",
        "python -m tests.no_such_module",
    ],
)
def test_what_is_not_there_is_found(said: str) -> None:
    assert list(wrong_in(said))
