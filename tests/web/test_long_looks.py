"""The first look at a phase takes long: it is taken part by part, and others are let in between."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from forcepool.engine.desk import Advance
from forcepool.web import shelf
from forcepool.web.shelf import Shelf, Table
from tests.web.conftest import Serve


def beside(table: Table, often: Callable[[int], None]) -> tuple[bool, int]:
    """Look a checklist over while somebody else wants to be let in; what is answered, and how often he was."""

    async def look() -> tuple[bool, int]:
        times = 0

        async def other() -> None:
            nonlocal times
            while True:
                times += 1
                often(times)
                await asyncio.sleep(0)

        waits = asyncio.create_task(other())
        found = await table.looked_over()
        waits.cancel()
        return found, times

    return run(look())


def run(work: Coroutine[Any, Any, tuple[bool, int]]) -> tuple[bool, int]:
    """In a thread of its own: the browser's tests have a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


@pytest.fixture
def found(serve: Serve) -> Shelf:
    shelf_of: Shelf = serve().app.state.shelf
    return shelf_of


def test_others_are_let_in_between_its_parts(found: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "AT_ONCE", -1.0)
    table = found.table("east")
    waited, times = beside(table, lambda _: None)
    assert waited
    assert times == len(table.campaign.world.game.agenda)


def test_nobody_waits_where_it_takes_no_time(found: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "AT_ONCE", 60.0)
    assert beside(found.table("east"), lambda _: None) == (False, 0)


@pytest.mark.parametrize("what", ["closed", "undone"])
def test_it_stops_when_the_campaign_is_another_one(found: Shelf, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr(shelf, "AT_ONCE", -1.0)
    table = found.table("east")
    table.campaign.do(Advance())

    def happens(times: int) -> None:
        if times == 2:
            if what == "closed":
                found.put_away("east")
            else:
                table.campaign.undo()

    assert beside(table, happens) == (True, 2)
