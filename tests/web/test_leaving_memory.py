"""Campaigns leave memory when nobody looks at them any more, without waiting until memory is swept."""

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from forcepool.web import limits, shelf
from forcepool.web.settings import Limits, Settings
from forcepool.web.shelf import Shelf
from tests.web.conftest import Serve


@pytest.fixture
def unswept() -> Iterator[None]:
    """Memory is swept by nobody: a server sweeps all of it so seldom that nothing may wait for it."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_what_a_campaign_has_worked_out_goes_when_it_is_closed(serve: Serve, unswept: None) -> None:
    server = serve()
    assert server.client.get("/c/east").status_code == 200
    found: Shelf = server.app.state.shelf
    keeper = found.table("east").campaign.world.keeper
    answers = weakref.ref(keeper)
    assert len(keeper.answers) > 100
    del keeper
    found.put_away("east")
    assert answers() is None
    assert server.client.get("/c/east").status_code == 200, "it is opened again as if nothing had been"


def test_an_objection_that_is_kept_holds_nobody(serve: Serve) -> None:
    server = serve()
    server.client.get("/c/east")
    keeper = server.app.state.shelf.table("east").campaign.world.keeper
    objections = [each.objection for each in keeper.answers.values() if each.objection is not None]
    assert objections
    assert all(each.__traceback__ is None for each in objections)


def test_a_campaign_that_is_left_alone_is_closed_but_not_while_a_page_waits(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: Shelf = serve().app.state.shelf
    table = found.table("east")
    found._close_what_is_left_alone()
    assert found.in_memory == 1, "it was asked for just now"
    monkeypatch.setattr(shelf, "LEFT_ALONE", -1.0)
    table.streams["someone"] += 1
    found._close_what_is_left_alone()
    assert found.in_memory == 1
    table.streams.clear()
    found._close_what_is_left_alone()
    assert found.in_memory == 0


@pytest.mark.parametrize(("most", "stays"), [(shelf.FEWEST_UNITS, 1), (shelf.FEWEST_UNITS - 1, 0)])
def test_so_many_units_are_kept_at_hand(serve: Serve, monkeypatch: pytest.MonkeyPatch, most: int, stays: int) -> None:
    found: Shelf = serve().app.state.shelf
    found.table("east")
    found.most_units = most
    found._make_room()
    assert found.in_memory == 1, "whoever asked for it just now may still be busy with it"
    monkeypatch.setattr(shelf, "IN_USE", -1.0)
    found._make_room()
    assert found.in_memory == stays


@pytest.mark.parametrize(
    ("said", "workers", "limit", "found"),
    [(0, 1, "max", 2048), (0, 2, "max", 1024), (0, 2, "1000000000", 125), (0, 2, None, 1024), (300, 2, "max", 300)],
)
def test_campaigns_may_take_a_quarter_of_the_machine_between_all_workers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, said: int, workers: int, limit: str | None, found: int
) -> None:
    if limit is not None:
        (tmp_path / "memory.max").write_text(f"{limit}\n", encoding="ascii")
    monkeypatch.setattr(limits, "CGROUP", tmp_path / "memory.max")
    monkeypatch.setattr("os.sysconf", {"SC_PHYS_PAGES": 2_000_000, "SC_PAGE_SIZE": 4096}.__getitem__)
    assert limits.memory_for_campaigns(Settings(workers=workers, limits=Limits(memory_megabytes=said))) == found
