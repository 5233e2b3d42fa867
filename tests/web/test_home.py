"""The front page: a welcome for those who are new, the last campaign played first, and whose turn it is."""

import asyncio
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

from forcepool.store.moving import move
from forcepool.web.app import make_app
from forcepool.web.chair import SIDE, Seat
from forcepool.web.home import days_ago
from forcepool.web.shelf import Table
from tests.web.conftest import Serve, Visitor

if TYPE_CHECKING:
    from tests.support.postgres import Server

DAY = 24 * 3600


def test_whoever_has_no_campaign_is_welcomed_and_told_what_to_do_first(serve: Serve) -> None:
    server = serve()
    folder: Path = server.app.state.shelf.stock.folder
    (folder / "east.fp").rename(folder / "east-1941.fp")
    page = server.visitor().get("/").text
    assert "Welcome to forcepool" in page
    assert "/static/welcome.svg" in page
    assert 'href="/c/east-1941">Open the demonstration</a>' in page
    for file in folder.glob("east-1941.fp*"):
        file.unlink()
    page = server.visitor().get("/").text
    assert '<input type="hidden" name="played" value="yes">' in page
    assert '<button class="go">Open the demonstration</button>' in page


def test_where_the_folder_goes_with_the_server_it_is_said_before_a_campaign_is_begun(serve: Serve) -> None:
    server = serve()
    gone = "is gone when forcepool is ended"
    assert [gone in server.visitor().get(path).text for path in ("/", "/new")] == [False, False]
    server.app.state.passing = True
    assert [gone in server.visitor().get(path).text for path in ("/", "/new")] == [True, True]


def test_the_picture_is_ours_and_small(home: Visitor) -> None:
    picture = home.get("/static/welcome.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert len(picture.content) < 20_000
    assert "href" not in picture.text


def test_the_campaign_played_last_comes_first(serve: Serve) -> None:
    server = serve()
    folder: Path = server.app.state.shelf.stock.folder
    for name, age in (("africa", 3 * DAY), ("west", 0)):
        shutil.copy(folder / "east.fp", folder / f"{name}.fp")
        then = (folder / "east.fp").stat().st_mtime + DAY - age
        os.utime(folder / f"{name}.fp", (then, then))
    page = server.visitor().get("/").text
    assert re.findall(r'href="/c/(\w+)"><b>', page) == ["west", "east", "africa"]
    assert "Welcome" not in page
    assert "First steps" in page


@pytest.mark.parametrize(("ago", "said"), [(0, "today"), (1, "yesterday"), (12, "12 days ago"), (-1, "today")])
def test_when_it_was_played_is_said_as_one_says_it(ago: int, said: str) -> None:
    noon = 1_800_000_000.0
    assert days_ago(noon - ago * DAY, noon) == said


def test_your_turn_is_told_to_the_side_that_plays(serve: Serve) -> None:
    home = serve()
    alone = home.visitor()
    assert "Your turn" not in alone.get("/").text, "whoever plays all sides always has the turn"
    for side, told in (("Axis", True), ("Soviet", False)):
        alone.get("/c/east")
        alone.post("/c/east/sit", {"side": side})
        assert ("Your turn" in alone.get("/").text) is told


def test_a_player_with_seats_at_two_tables_sees_where_it_is_his_turn(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    folder: Path = server.app.state.shelf.stock.folder
    shutil.copy(folder / "east.fp", folder / "other.fp")
    player = server.seated(Seat(SIDE, "Axis"))
    _, word = server.app.state.registry.invite("other", Seat(SIDE, "Soviet"))
    player.get(f"/join/{word}")
    assert player.post(f"/join/{word}").status_code == 303
    then = (folder / "east.fp").stat().st_mtime + DAY
    os.utime(folder / "other.fp", (then, then))
    player.post("/c/other/messages", {"text": "hello"})
    axis = server.seated(Seat(SIDE, "Axis"), "other")
    axis.post("/c/other/messages", {"text": "and you"})
    page = player.get("/").text
    cards = {name: "Your turn" in card for name, card in re.findall(r'href="/c/(\w+)"><b>(.*?)</li>', page)}
    # Whose turn it is comes before what was played last.
    assert list(cards.items()) == [("east", True), ("other", False)]
    assert "Your turn in 1 of 2 campaigns." in page
    assert "1 unread message</a>" in page
    mine = player.get("/api/campaigns").json()
    told = [(each["name"], each["seat"], each["your_turn"], each["unread"]) for each in mine]
    assert told == [("east", "Axis", True, 0), ("other", "Soviet", False, 1)]
    assert "Your turn in" not in axis.get("/").text, "of a single campaign nothing is counted"
    assert "Welcome" not in page
    assert "Begin a campaign" not in page


def test_campaigns_played_longer_ago_are_only_named(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each that is told of in full is taken into memory, and a club has a thousand."""
    monkeypatch.setattr("forcepool.web.home.MOST_LINES", 1)
    server = serve()
    folder: Path = server.app.state.shelf.stock.folder
    shutil.copy(folder / "east.fp", folder / "older.fp")
    os.utime(folder / "older.fp", (1, 1))
    page = server.visitor().get("/").text
    assert "1 campaign more, played longer ago" in page
    assert '<a href="/c/older">older</a>' in page
    assert "older.fp" not in page
    assert server.app.state.shelf.in_memory == 1


def test_a_program_may_ask_for_those_played_last_only(serve: Serve) -> None:
    server = serve()
    folder: Path = server.app.state.shelf.stock.folder
    for number in (1, 2, 3):
        shutil.copy(folder / "east.fp", folder / f"war{number}.fp")
        os.utime(folder / f"war{number}.fp", (number, number))
    visitor = server.visitor()
    told = visitor.get("/api/campaigns?newest=2").json()
    assert sorted(each["name"] for each in told) == ["east", "war3"]
    assert server.app.state.shelf.in_memory == 2, "the others are not taken into memory"
    assert len(visitor.get("/api/campaigns?newest=0").json()) == len(visitor.get("/api/campaigns").json()) == 4
    refused = visitor.get("/api/campaigns?newest=all")
    assert refused.status_code == 400
    assert "newest is a whole number, not 'all'" in refused.text


@pytest.mark.parametrize("path", ["/", "/api/campaigns"])
def test_a_long_list_of_campaigns_keeps_nobody_waiting(
    serve: Serve, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each may have to be taken into memory, and whoever else asks is answered between two of them."""
    server = serve()
    folder: Path = server.app.state.shelf.stock.folder
    for number in range(4):
        shutil.copy(folder / "east.fp", folder / f"war {number}.fp")
    table, begun, rounds = server.app.state.shelf.table, dict[str, int](), 0

    def go_round() -> None:
        nonlocal rounds
        rounds += 1
        if len(begun) < 5:
            asyncio.get_running_loop().call_soon(go_round)

    def opened(name: str) -> Table:
        if not begun:
            go_round()
        begun.setdefault(name, rounds)
        found: Table = table(name)
        return found

    monkeypatch.setattr(server.app.state.shelf, "table", opened)
    assert server.visitor().get(path).status_code == 200
    assert len(set(begun.values())) == 5


def test_in_a_database_a_campaign_is_called_by_its_name_and_in_a_folder_by_its_file(
    postgres: "Server", begun: Callable[..., Path], tmp_path: Path
) -> None:
    url = postgres.new()
    move(begun(), f"{url}#east")
    shutil.copy(begun(), tmp_path / "east.fp")
    for place, called in ((url, "entry · east</p>"), (tmp_path, "entry · east.fp</p>")):
        with TestClient(make_app(place), base_url="http://localhost") as client:
            assert called in re.sub(r"\s+", " ", client.get("/").text)
