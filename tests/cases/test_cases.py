"""Every case file of the folder is played through the engine, each case a test of its own."""

from pathlib import Path

import pytest

from forcepool.cases.reading import Case, read_cases
from forcepool.cases.runner import run
from tests.support.sentences import every_refusal

FILES = sorted(Path(__file__).parent.rglob("*.yaml"))


def _cases() -> list[object]:
    found: list[object] = []
    for file in FILES:
        for case in read_cases(file):
            name = f"{file.relative_to(Path(__file__).parent).as_posix()}: {case.title}"
            found.append(pytest.param(case, id=name, marks=pytest.mark.clause(*case.clauses)))
    return found


@pytest.mark.parametrize("case", _cases())
def test_case(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with every_refusal(monkeypatch) as letters:
        result = run(case)
    assert result.passed, "\n".join(map(str, result.problems))
    assert not letters


def test_there_are_case_files() -> None:
    assert FILES
