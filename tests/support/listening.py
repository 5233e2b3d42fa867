"""The test run listens: which clauses took part in each test, and which of them the test claims.

Run with `--record-coverage` to write the record that ships; a whole run without it fails when the record is stale.
"""

import json
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from forcepool import games
from forcepool.rulebook import citations, coverage
from forcepool.rulebook.book import load
from tests.support.floor import FLOOR

RECORD = Path(__file__).parents[2] / "src" / "forcepool" / "rulebook" / coverage.RECORD
MARK = "clause"


class Listener:
    """One worker's ear."""

    def __init__(self) -> None:
        self.heard: set[tuple[str, str, str, bool]] = set()
        self.now: set[tuple[str, str]] = set()

    def listen(self, clause: str, outcome: str) -> None:
        self.now.add((clause, outcome))


def claims(item: pytest.Item) -> tuple[str, ...]:
    """The clauses a test says it exercises."""
    return tuple(dict.fromkeys(str(clause) for mark in item.iter_markers(MARK) for clause in mark.args))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record-coverage", action="store_true", help="write the clause coverage record that ships")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LISTENER] = Listener()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    book = load()
    for item in items:
        for clause in claims(item):
            if clause not in book:
                raise pytest.UsageError(f"{item.nodeid} claims clause {clause}, which does not exist")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    listener = item.config.stash[LISTENER]
    listener.now = set()
    citations.observe(listener.listen)
    try:
        result = yield
    finally:
        citations.observe(None)
    claimed = claims(item)
    silent = [clause for clause in claimed if clause not in {heard for heard, _ in listener.now}]
    if silent:
        pytest.fail(f"claims {', '.join(silent)}, but no code that answers for it took part", pytrace=False)
    listener.heard |= {(clause, item.nodeid, outcome, True) for clause, outcome in listener.now if clause in claimed}
    listener.heard |= {(clause, "", outcome, False) for clause, outcome in listener.now if clause not in claimed}
    return result


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    listener = session.config.stash[LISTENER]
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["heard"] = json.dumps(sorted(listener.heard))
        return
    for name in games.names():
        games.game(name)
    record = coverage.build(citations.citations(), (coverage.Heard(*each) for each in sorted(listener.heard)))
    if session.config.getoption("--record-coverage"):
        if exitstatus != 0:
            # What a failing test would have heard is missing: such a record is stale before it is written.
            session.config.stash[STALE] = "nothing was recorded, since tests failed"
            return
        RECORD.write_bytes(coverage.encode(record))
        found = coverage.summary(record)
        FLOOR.write_text(json.dumps({"total": found.total, "met": found.met, "tested": found.tested}) + "\n", "utf-8")
    elif _is_whole(session) and exitstatus == 0 and RECORD.read_bytes() != coverage.encode(record):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        session.config.stash[STALE] = "\n".join(_differences(coverage.shipped(), record))


def _is_whole(session: pytest.Session) -> bool:
    option = session.config.option
    narrowed = ("keyword", "markexpr", "collectonly", "lf", "failedfirst", "file_or_dir", "deselect", "maxfail")
    return not any(getattr(option, name, None) for name in narrowed)


def _differences(shipped: coverage.Record, found: coverage.Record) -> Iterator[str]:
    nothing = coverage.Met()
    for clause in sorted(shipped.keys() | found.keys()):
        was, now = shipped.get(clause, nothing), found.get(clause, nothing)
        for part in was.__struct_fields__:
            before, after = getattr(was, part), getattr(now, part)
            if isinstance(before, tuple):
                yield from (f"{clause}: {part} no longer {each}" for each in before if each not in after)
                yield from (f"{clause}: {part} now also {each}" for each in after if each not in before)
            elif before != after:
                yield f"{clause}: {part} was {before}, is {after}"


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if stale := config.stash.get(STALE, ""):
        terminalreporter.section("the coverage record is stale", red=True)
        terminalreporter.write_line(stale[:4000])
        terminalreporter.write_line("run 'make coverage' and commit src/forcepool/rulebook/coverage.json")


class WorkerEar:
    """With several workers, the controller gathers what each has heard."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        heard = json.loads(getattr(node, "workeroutput", {}).get("heard", "[]"))
        node.config.stash[LISTENER].heard |= {tuple(each) for each in heard}


LISTENER: pytest.StashKey[Listener] = pytest.StashKey()
STALE: pytest.StashKey[str] = pytest.StashKey()
