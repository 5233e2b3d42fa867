"""Case files: what a player writes, checked word by word with its line."""

import contextlib
from pathlib import Path as FilePath
from typing import Any

from msgspec import Struct

from forcepool import games
from forcepool.files.problems import BadFile, Problem
from forcepool.files.yamltext import Document, Path, read_yaml, read_yaml_file
from forcepool.rulebook.book import UnknownClause, load

CASE_WORDS = ("clause", "title", "game", "given", "steps", "expect", "note")
STEP_WORDS = ("turn", "player", "phase", "as", "override", "dice")
PLAIN_STEPS = ("undo", "redo")


class Step(Struct, frozen=True):
    """One command of a case, and when it is given."""

    path: Path
    command: str = ""
    turn: str = ""
    player: str = ""
    phase: str = ""
    seat: str = ""
    override: str = ""
    dice: tuple[int, ...] = ()


class Case(Struct, frozen=True):
    """One situation with what must come of it."""

    document: Document
    path: Path
    clauses: tuple[str, ...]
    title: str
    game: str
    """Empty when the case does not say."""
    steps: tuple[Step, ...]
    expect: tuple[Path, ...]

    @property
    def line(self) -> int:
        return self.document.where(self.path).line

    def at(self, path: Path) -> Any:
        """What the file says at a path."""
        value: Any = self.document.data
        for key in path:
            value = value[key]
        return value

    @property
    def name(self) -> str:
        return f"{FilePath(self.document.file).name}:{self.line} {self.title}"


def read_cases(path: str | FilePath) -> list[Case]:
    """All cases of a file, or BadFile with every problem in it."""
    return cases_in(read_yaml_file(path))


def cases_in_text(text: str, name: str) -> list[Case]:
    return cases_in(read_yaml(text, name))


def cases_in(document: Document) -> list[Case]:
    reader = _Reader(document)
    data: Any = document.data
    path: Path = ()
    if isinstance(data, dict) and "cases" in data:
        data, path = data["cases"], ("cases",)
    if isinstance(data, dict):
        cases = [reader.case(path)]
    elif isinstance(data, list):
        cases = [reader.case((*path, index)) for index in range(len(data))]
    else:
        raise BadFile([document.problem((), "expected a list of cases", "each begins with '- clause:'")])
    if reader.problems:
        raise BadFile(reader.problems)
    return cases


class _Reader:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.problems: list[Problem] = []

    def bad(self, path: Path, message: str, hint: str = "", *, at_key: bool = False) -> None:
        self.problems.append(self.document.problem(path, message, hint, at_key=at_key))

    def at(self, path: Path) -> Any:
        value: Any = self.document.data
        for key in path:
            value = value[key]
        return value

    def case(self, path: Path) -> Case:
        data = self.at(path)
        if not isinstance(data, dict):
            self.bad(path, "expected a case", "a case has clause, title, given, steps and expect")
            data = {}
        for word in data:
            if word not in CASE_WORDS:
                self.bad(
                    (*path, word),
                    f"'{word}' is not a word of a case",
                    f"words are {', '.join(CASE_WORDS)}",
                    at_key=True,
                )
        for word in ("clause", "expect"):
            if not data.get(word):
                self.bad(path, f"the case has no '{word}'")
        self.open_rules_of(str(data.get("game") or ""))
        return Case(
            document=self.document,
            path=path,
            clauses=self.clauses((*path, "clause"), data.get("clause")),
            title=str(data.get("title") or "a case"),
            game=str(data.get("game") or ""),
            steps=tuple(self.step((*path, "steps", n)) for n in range(self.length(path, data, "steps"))),
            expect=tuple((*path, "expect", n) for n in range(self.length(path, data, "expect"))),
        )

    def open_rules_of(self, game: str) -> None:
        """A game from elsewhere brings clauses of its own, which are known once it is loaded."""
        # A game that is not installed is told of when the case is run.
        with contextlib.suppress(games.UnknownGame):
            if game:
                games.game(game)

    def clauses(self, path: Path, value: Any) -> tuple[str, ...]:
        listed = value if isinstance(value, list) else [value] if value else []
        for each in listed:
            try:
                load()[str(each)]
            except UnknownClause as error:
                self.bad(path, str(error))
        return tuple(str(each) for each in listed)

    def length(self, path: Path, data: dict[str, Any], word: str) -> int:
        value = data.get(word) or []
        if isinstance(value, list):
            return len(value)
        self.bad((*path, word), f"'{word}' must be a list", "begin each line with '- '")
        return 0

    def step(self, path: Path) -> Step:
        data = self.at(path)
        if isinstance(data, str) and data in (*PLAIN_STEPS, "advance"):
            return Step(path, data)
        if not isinstance(data, dict):
            self.bad(path, "expected a step such as '- rebuild-cadre: {unit: 24 Inf XX, pay_from: front/centre}'")
            return Step(path)
        commands = [word for word in data if word not in STEP_WORDS]
        if len(commands) > 1:
            self.bad(path, f"a step gives one command, this one has {' and '.join(commands)}")
        if not commands and not {"turn", "phase", "player"} & data.keys():
            self.bad(path, "the step has neither a command nor a turn or phase to go to")
        return Step(
            path=path,
            command=commands[0] if commands else "",
            turn=str(data.get("turn") or ""),
            player=str(data.get("player") or ""),
            phase=str(data.get("phase") or ""),
            seat=str(data.get("as") or ""),
            override=str(data.get("override") or ""),
            dice=self.dice((*path, "dice"), data.get("dice")),
        )

    def dice(self, path: Path, value: Any) -> tuple[int, ...]:
        listed = value if isinstance(value, list) else [value] if value else []
        try:
            return tuple(int(each) for each in listed)
        except (TypeError, ValueError):
            self.bad(path, "dice are whole numbers, in the order they fall")
            return ()
