"""What is drawn once for many: shared by those on the same chair, and never with another's token."""

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from markupsafe import Markup

from forcepool.engine.units import UnitSpec
from forcepool.web import rows, shelf
from forcepool.web.chair import FRONT, SIDE, Seat
from forcepool.web.counters import drawn
from forcepool.web.render import UNSEEN, UNSIGNED
from forcepool.web.shelf import Table
from tests.web.conftest import TOKEN, Serve, Server, Visitor

PAGES = ("/c/east", "/c/east/pool", "/c/east/pool?unit=10+Pz+XX")
DECLARES = {"command": "declare", "fact": "moved", "unit": "6 Pz XX", "value": True}
HIDDEN = re.compile(r'name="token" value="([^"]*)"')


@pytest.fixture
def server(serve: Serve) -> Server:
    return serve(public=True, seats=("Axis", "Soviet"))


@pytest.mark.parametrize("path", PAGES)
def test_two_on_the_same_chair_see_the_same_page_each_with_their_own_token(server: Server, path: str) -> None:
    pages = [server.seated(Seat(SIDE, "Axis", name=name)).get(path).text for name in ("Anna", "Bert")]
    tokens = [set(TOKEN.findall(page)) for page in pages]
    assert [len(each) for each in tokens] == [1, 1]
    assert tokens[0] != tokens[1]
    for page, own in zip(pages, tokens, strict=True):
        assert set(HIDDEN.findall(page)) == own
        assert UNSIGNED not in page
    plain = [
        page.replace(own.pop(), "").replace(name, "")
        for page, own, name in zip(pages, tokens, ("Anna", "Bert"), strict=True)
    ]
    assert plain[0] == plain[1]


@pytest.mark.parametrize("path", PAGES)
def test_another_chair_is_shown_nothing_that_was_drawn_for_this_one(server: Server, path: str) -> None:
    axis = server.seated(Seat(SIDE, "Axis")).get(path).text
    assert "10 Pz" in axis
    for seat in (Seat(SIDE, "Soviet"), Seat(FRONT, "Axis", "front/south")):
        shown = server.seated(seat).get(path).text.replace("10 Pz XX” that you can see", "").replace("10+Pz+XX", "")
        assert "10 Pz" not in shown


def test_a_tick_is_ones_own_and_shows_at_once(server: Server) -> None:
    anna, bert = (server.seated(Seat(SIDE, "Axis", name=name)) for name in ("Anna", "Bert"))
    line = _first_line(anna)
    bert.get("/c/east")
    anna.post("/c/east/tick", {"item": line, "on": "yes"})
    assert 'aria-checked="true"' in anna.get("/c/east").text
    assert 'aria-checked="true"' not in bert.get("/c/east").text


def test_after_an_order_only_the_rows_that_show_something_new_are_drawn(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = server.seated(Seat(SIDE, "Axis"))
    drew: list[str] = []

    def noted(spec: UnitSpec, step: str, name: str) -> Markup:
        drew.append(name)
        return drawn(spec, step, name)

    monkeypatch.setattr(rows, "drawn", noted)
    visitor.get("/c/east")
    first = len(drew)
    assert first > 5
    visitor.get("/c/east")
    done = visitor.post("/c/east/do", {"order": json.dumps(DECLARES), "seen": "1"})
    assert done.status_code in (200, 303), done.text
    page = visitor.get("/c/east").text
    assert len(drew) - first < first / 2
    server.app.state.shelf.table("east").rows.clear()
    server.app.state.shelf.table("east")._kept.clear()
    assert visitor.get("/c/east").text == page, "and all of them are as if they were drawn now"
    assert UNSEEN not in page


def _first_line(visitor: Visitor) -> str:
    found = re.search(r'id="line-([0-9a-f]+)"', visitor.get("/c/east").text)
    assert found
    return found[1]


def test_what_was_kept_of_a_moment_gives_way_before_it_grows_without_end(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelf, "MOST_KEPT", 5)
    table = _table(serve())
    for number in range(23):
        assert table.kept(number, lambda number=number: number * 2) == number * 2  # type: ignore[misc]
    assert len(table._kept) <= 5


# -------------------------------------------------------------------------------------------- orders first


def _table(server: Server) -> Table:
    found: Table = server.app.state.shelf.table("east")
    return found


def waits(table: Table) -> bool:
    """Whether a page waits before it is drawn; it is drawn in the end."""

    async def look() -> bool:
        looking = asyncio.create_task(table.quiet())
        await asyncio.sleep(0)
        waited = not looking.done()
        await asyncio.wait_for(looking, 30)
        return waited

    # The browser tests have a loop of their own in this thread.
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, look()).result()


def test_a_page_waits_for_orders_that_come_now_and_for_no_others(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    table = _table(serve())
    assert not waits(table)
    monkeypatch.setattr(shelf, "QUIET", 0.05)
    table.tell()
    assert waits(table)
    assert not waits(table)


def test_a_page_waits_no_longer_than_it_has_patience(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    table = _table(serve())
    monkeypatch.setattr(shelf, "QUIET", 3600.0)
    monkeypatch.setattr(shelf, "LONGEST_WAIT", 0.05)
    table.tell()
    assert waits(table)


def test_a_wait_that_was_broken_off_keeps_nobody_from_looking(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    table = _table(serve())
    monkeypatch.setattr(shelf, "QUIET", 0.05)
    table.tell()

    async def broken_off() -> None:
        looking = asyncio.create_task(table.quiet())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert table._settling is not None
        table._settling.cancel()
        await asyncio.gather(looking, return_exceptions=True)

    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(asyncio.run, broken_off()).result()
    assert table._settling is None
    waits(table)
