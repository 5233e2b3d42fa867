"""Memory is swept between the pages, and in the midst of one only where nobody ever pauses."""

import gc
from collections.abc import Iterator

import pytest

from forcepool.web import sweeping
from forcepool.web.sweeping import sweep, sweep_seldom


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def made(count: int) -> list[list[int]]:
    return [[each] for each in range(count)]


def test_what_is_new_waits_for_a_pause() -> None:
    sweep_seldom()
    gc.collect()
    swept = list[int]()
    gc.callbacks.append(lambda phase, info: swept.append(info["generation"]) if phase == "start" else None)
    try:
        kept = made(sweeping.ENOUGH // 2)
        sweep()
        assert not swept, "so little is not worth a sweep"
        kept += made(50_000)
        assert not swept, "not in the midst of it"
        sweep()
        assert swept == [0]
        assert gc.get_count()[0] < sweeping.ENOUGH
    finally:
        gc.callbacks.pop()
    assert kept


def test_what_outlived_many_sweeps_is_looked_at_once_more() -> None:
    sweep_seldom()
    gc.collect()
    kept = []
    for _ in range(sweeping.OLDER):
        kept.append(made(sweeping.ENOUGH + 10))
        sweep()
    assert gc.get_count()[1] == sweeping.OLDER
    sweep()
    assert gc.get_count()[1] == 0
    assert kept


def test_nobody_pauses_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "AT_THE_LATEST", (1_000, 20, 1_000))
    sweep_seldom()
    gc.collect()
    before = gc.get_stats()[0]["collections"]
    kept = made(5_000)
    assert gc.get_stats()[0]["collections"] > before
    assert kept
