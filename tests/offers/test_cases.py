"""Over all cases: what the engine accepts is offered, remedies help when followed, ready orders are accepted."""

from pathlib import Path

import pytest

from tests.offers.known import known
from tests.offers.watching import CASES, watch
from tests.support.quiet import nobody_listens

FILES = sorted(CASES.rglob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(CASES).as_posix())
def test_players_are_told_all_and_the_truth(file: Path) -> None:
    with nobody_listens():
        found = dict(watch(file))
    name = file.relative_to(CASES).as_posix()
    expected = {line for line in known() if line.split(" | ")[1].startswith(f"{name}: ")}
    new = {key: why for key, why in found.items() if key not in expected}
    assert not new, "\n".join(f"{key}\n    {why}" for key, why in sorted(new.items()))
    mended = expected - found.keys()
    assert not mended, "no longer wanting, take it off tests/offers/known.txt:\n" + "\n".join(sorted(mended))
