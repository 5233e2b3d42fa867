"""Two workers over one database: whichever one asks, it knows what the other did, and nothing is done twice."""

import queue
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, expect

from forcepool.client import ApiError, Client
from forcepool.engine.dice import SERVER
from forcepool.store.moving import move
from forcepool.web.api import hooks
from forcepool.web.chair import HOST, REFEREE, SIDE, Seat
from forcepool.web.parts import take_part
from tests.support.proxy import Proxy
from tests.web.conftest import Live, arrived
from tests.web.test_hooks import Receiver

if TYPE_CHECKING:
    from tests.support.postgres import Server

SOON = 1.0
"""Seconds within which others hear of what was done with another worker.

Measured on two busy cores: a stream after 0.04 (at most 0.12), a page that shows it after 0.2 (at most 0.6).
"""
BUY = {"command": "replace", "unit": "263 Inf XX", "pay_from": "front/centre"}
REBUILD = {"command": "rebuild-remnant", "unit": "161 Inf XX", "pay_from": "front/centre"}
AXIS, SOVIET = Seat(SIDE, "Axis"), Seat(SIDE, "Soviet")


@pytest.fixture(scope="module")
def url(postgres: "Server") -> str:
    return postgres.new()


@pytest.fixture(scope="module")
def workers(url: str) -> Iterator[tuple[Live, Live]]:
    with Live(url, public=True) as one, Live(url, public=True) as other:
        yield one, other


@pytest.fixture
def campaign(request: pytest.FixtureRequest, workers: tuple[Live, Live], url: str, begun: Callable[..., Path]) -> str:
    """A campaign of the test's own, which came out of a file."""
    name = str(request.node.name)[:60]
    move(begun(seats=("Axis", "Soviet")), f"{url}#{name}")
    return name


class Seated:
    """A program with a seat, which may ask either worker."""

    def __init__(self, workers: tuple[Live, Live], campaign: str, seat: Seat) -> None:
        registry = workers[0].app.state.registry
        self.invitation, _ = registry.invite("" if seat.role == HOST else campaign, seat)
        self.key = registry.new_key(self.invitation.id)
        self.at = [Client(each.url, self.key, campaign=campaign) for each in workers]


def waited(what: Callable[[], Any], seconds: float = 10.0) -> Any:
    """What something comes to once it is there."""
    until = time.monotonic() + seconds
    while not (found := what()) and time.monotonic() < until:
        time.sleep(0.02)
    return found


def test_a_stream_at_one_hears_of_an_order_at_the_other_within_a_second(
    workers: tuple[Live, Live], campaign: str
) -> None:
    player, watcher = Seated(workers, campaign, AXIS), Seated(workers, campaign, Seat(REFEREE))
    heard: queue.Queue[tuple[int, float]] = queue.Queue()

    def watch() -> None:
        for entry in watcher.at[1].events(after=1):
            heard.put((entry["entry"], time.monotonic()))
            if entry["entry"] == 3:
                return

    threading.Thread(target=watch, daemon=True).start()
    table = workers[1].app.state.shelf
    assert waited(lambda: table.in_memory and table._open[campaign].watched)
    for number, order in ((2, BUY), (3, REBUILD)):
        begun = time.monotonic()
        assert player.at[0].do(order)
        entry, when = heard.get(timeout=10)
        assert entry == number
        assert when - begun < SOON, "within a second of being sent"
    assert player.at[1].status()["entries"] == 3


def test_a_what_if_is_the_same_whichever_worker_is_asked(workers: tuple[Live, Live], campaign: str) -> None:
    player, other = Seated(workers, campaign, AXIS), Seated(workers, campaign, SOVIET)
    opened = player.at[0]._ask("POST", player.at[0]._at("/whatif"), {})["name"]
    assert player.at[1]._ask("POST", player.at[1]._at("/whatif"), {})["name"] == opened, "a seat has one at a time"
    tries = [Client(each.url, player.key, campaign=opened) for each in workers]
    assert tries[1].do(BUY)
    assert tries[0].do(REBUILD)
    assert len(player.at[1]._get("/whatif")["orders"]) == 2
    with pytest.raises(ApiError):
        Client(workers[1].url, other.key, campaign=opened).status()
    assert opened not in workers[0].app.state.shelf.names()
    assert player.at[1]._ask("POST", player.at[1]._at("/whatif/give"), {})["accepted"]
    assert player.at[0].status()["entries"] == 3
    with pytest.raises(ApiError):
        tries[0].status()


def test_a_long_task_is_told_of_and_its_file_fetched_at_either(workers: tuple[Live, Live], campaign: str) -> None:
    referee = Seated(workers, campaign, Seat(REFEREE))
    begun = referee.at[0]._ask("POST", referee.at[0]._at("/job"), {"kind": "backup"})
    with pytest.raises(ApiError, match="not finished"):
        referee.at[1]._ask("POST", referee.at[1]._at("/job"), {"kind": "verify"})
    over = waited(lambda: (found := referee.at[1]._get("/job", {"wait": 30}))["state"] != "running" and found, 60)
    assert (over["id"], over["state"], over["file"]) == (begun["id"], "done", f"{campaign}.fp")
    path = f"{workers[1].url}/api/campaigns/{campaign}/job/file"
    asked = urllib.request.Request(path, headers={"authorization": f"Bearer {referee.key}"})
    with urllib.request.urlopen(asked) as answer:
        assert answer.read(15) == b"SQLite format 3"


def test_a_task_is_cancelled_from_the_other_worker(
    workers: tuple[Live, Live], campaign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = [sys.executable, "-c", "import threading; threading.Event().wait()"]
    monkeypatch.setattr(workers[0].app.state.jobs, "command", endless)
    referee = Seated(workers, campaign, Seat(REFEREE))
    referee.at[0]._ask("POST", referee.at[0]._at("/job"), {"kind": "verify"})
    assert referee.at[1]._ask("DELETE", referee.at[1]._at("/job"))["state"] == "cancelled"
    assert referee.at[0]._get("/job")["state"] == "cancelled"


def test_dice_promised_at_one_are_rolled_at_the_other(workers: tuple[Live, Live], campaign: str) -> None:
    tables = [each.app.state.shelf.table(campaign) for each in workers]
    take_part(tables[0], workers[0].app.state.registry)
    tables[1].refresh()
    assert SERVER in tables[1].campaign.history.promises
    assert tables[1].campaign.can_roll


def test_an_address_is_told_once_and_not_once_a_worker(
    workers: tuple[Live, Live], campaign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooks, "_is_outside", lambda host: True)
    receiver = Receiver()
    try:
        axis, soviet = Seated(workers, campaign, AXIS), Seated(workers, campaign, SOVIET)
        soviet.at[1].add_hook(receiver.url("/soviet"))
        for number in range(12):
            if axis.at[number % 2].status()["player"] == "Soviet":
                break
            assert axis.at[number % 2].do({"command": "advance"}, override="to go on")
        assert receiver.next()[1]["side"] == "Soviet"
        time.sleep(1.2)
        assert receiver.rings.empty()
    finally:
        receiver.close()


def test_two_who_order_at_the_same_moment_are_both_answered_and_nothing_is_lost(
    workers: tuple[Live, Live], campaign: str
) -> None:
    players = [Seated(workers, campaign, AXIS).at[0], Seated(workers, campaign, SOVIET).at[1]]
    taken: list[list[int]] = [[], []]

    def write(number: int) -> None:
        for count in range(15):
            outcome = players[number].do({"command": "note", "text": f"{number} {count}"})
            if outcome.entry is not None:
                taken[number].append(outcome.entry)

    threads = [threading.Thread(target=write, args=(number,)) for number in (0, 1)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    entries = sorted(taken[0] + taken[1])
    assert len(set(entries)) == len(entries), "no entry is acknowledged to two"
    assert players[0].status()["entries"] == 1 + len(entries)
    assert len(entries) >= 15


def test_a_worker_without_its_database_says_so_and_comes_back_by_itself(
    workers: tuple[Live, Live], campaign: str, url: str, postgres: "Server"
) -> None:
    player, proxy = Seated(workers, campaign, AXIS), Proxy(postgres.port)
    try:
        with Live(url.replace(str(postgres.port), str(proxy.port)), public=True) as third:
            at_third = Client(third.url, player.key, campaign=campaign)
            assert at_third.do(BUY)
            proxy.open = False
            proxy.cut()
            with pytest.raises(ApiError, match="the database cannot be reached") as told:
                at_third.do(REBUILD)
            assert told.value.status == 503
            assert "127.0.0.1" not in str(told.value), "where the database is, is the host's affair"
            for path in ("/", f"/c/{campaign}", "/healthz"):
                with pytest.raises(urllib.error.HTTPError) as page:
                    urllib.request.urlopen(f"{third.url}{path}")
                page.value.close()
                assert page.value.code == 503, path
            assert player.at[0].do(REBUILD), "the others go on"
            proxy.open = True
            assert waited(lambda: _entries(at_third) == 3), "it came back and knows what was done meanwhile"
    finally:
        proxy.close()


def _entries(client: Client) -> int:
    try:
        found: int = client.status()["entries"]
    except ApiError:
        return 0
    return found


@pytest.mark.browser
def test_a_seat_at_one_sees_an_order_given_at_the_other(
    workers: tuple[Live, Live], campaign: str, browser: Browser
) -> None:
    player = Seated(workers, campaign, AXIS)
    context = browser.new_context()
    page = context.new_page()
    page.goto(workers[1].invitation(Seat(REFEREE), campaign))
    page.get_by_role("button", name="Sit down").click()
    arrived(page, f"/c/{campaign}$")
    page.goto(f"{workers[1].url}/c/{campaign}/journal")
    table = workers[1].app.state.shelf.table(campaign)
    assert waited(lambda: table.watched)
    assert player.at[0].do(BUY)
    begun = time.monotonic()
    expect(page.locator("main")).to_contain_text("263 Inf XX")
    assert time.monotonic() - begun < SOON
    # And a seat that is taken away at one loses its page at the other.
    context.close()


def test_a_campaign_locked_at_one_takes_no_order_at_the_other(workers: tuple[Live, Live], campaign: str) -> None:
    host, player = Seated(workers, campaign, Seat(HOST)), Seated(workers, campaign, AXIS)
    for state, taken in (("locked", False), ("open", True)):
        host.at[0]._ask("POST", host.at[0]._at("/standing"), {"state": state, "note": "until Sunday"})
        done = player.at[1].do(BUY)
        assert done.accepted is taken
        assert taken or (done.kind, "until Sunday" in done.says) == ("withheld", True)
    lines = {line["name"]: line for line in host.at[1]._ask("GET", "/api/operator")}
    assert (lines[campaign]["entries"], lines[campaign]["invited"]) == (2, 1)
    assert lines[campaign]["bytes"] > 1000
