"""A campaign in a file of its own, and forcepool called as a player calls it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from forcepool.cli.main import cli


class Ran(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


Forcepool = Callable[..., Ran]


def forcepool_runs(*words: str, typed: str | bytes | None = None) -> Ran:
    result = CliRunner().invoke(cli, list(words), input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ran(result.exit_code, result.stdout, result.stderr)


@pytest.fixture
def forcepool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Forcepool:
    """forcepool, called in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return forcepool_runs


@pytest.fixture
def east(forcepool: Forcepool) -> Forcepool:
    """forcepool in a folder with the campaign east.fp: Smolensk, the Axis replacement phase of Oct 3 41."""
    assert forcepool("new", "east.fp", "--scenario", "smolensk").code == 0
    return forcepool


@pytest.fixture
def seated(forcepool: Forcepool) -> Forcepool:
    """The same with a player for each side."""
    assert forcepool("new", "east.fp", "--scenario", "smolensk", "--seat", "Axis", "--seat", "Soviet").code == 0
    return forcepool
