"""Limits of a campaign and of a server, each on both sides of its boundary, told with number and setting."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from starlette.testclient import TestClient

from forcepool.engine.campaign import Campaign
from forcepool.engine.events import Noted, Raised
from forcepool.engine.journal import Entry
from forcepool.web import costs
from forcepool.web.app import make_app
from forcepool.web.chair import HOST, SIDE, Seat
from forcepool.web.keeping import MEASURED_EVERY, Keeper, Withheld, check_begun
from forcepool.web.limits import Connections
from forcepool.web.settings import Bytes, Limits, Settings
from forcepool.web.streams import Streams, TooMany
from forcepool.web.task import Task
from forcepool.web.tasks import begin, bring
from tests.web.conftest import Server, Visitor

Bounded = Callable[..., Server]


@pytest.fixture
def bounded(tmp_path: Path, begun: Callable[..., Path]) -> Iterator[Bounded]:
    """A server with limits of its own."""
    with ExitStack() as running:

        def start(*, public: bool = True, **limits: int) -> Server:
            copy(begun(), tmp_path / "east.fp")
            app = make_app(tmp_path, public=public, settings=Settings(limits=Limits(**limits)))
            return Server(app, running.enter_context(TestClient(app, base_url="http://localhost")))

        yield start


def note(visitor: Visitor) -> Any:
    return visitor.post("/c/east/do", {"order": json.dumps({"command": "note", "text": "hello"})})


# -------------------------------------------------------------------------------------------- connections


def test_so_many_connections_and_so_many_from_one_address() -> None:
    crowd = Connections(Limits(connections=5, address_connections=2), proxies="10.41.0.0/16, 192.168.0.1")
    for address, full in (("1.2.3.4", 2), ("127.0.0.1", None), ("10.41.7.8", None), ("192.168.0.1", None), ("", 2)):
        crowd.total = 4
        crowd.by_address[address] = 1
        assert crowd.has_room(address)
        crowd.by_address[address] = 2
        assert crowd.has_room(address) is (full is None), f"{address}: a proxy speaks for everybody"
    crowd.total = 5
    assert not crowd.has_room("5.6.7.8")
    assert not crowd.has_room("127.0.0.1")


# ------------------------------------------------------------------------------------------------ uploads


def test_what_comes_with_one_request_is_bounded(bounded: Bounded) -> None:
    server = bounded(upload_megabytes=1)
    host = server.seated(Seat(HOST), "")
    headers = {"content-type": "application/x-www-form-urlencoded", "cookie": host.cookie}

    def sent(content: Any) -> Any:
        return server.client.post("/new", content=content, headers=headers)

    def in_pieces(size: int) -> Iterator[bytes]:
        yield from (b"x" * (Bytes // 2), b"x" * (size - Bytes // 2))

    for just, more in ((b"x" * Bytes, b"x" * (Bytes + 1)), (in_pieces(Bytes), in_pieces(Bytes + 1))):
        assert sent(just).status_code == 403, "it is read, and brings no token"
        refused = sent(more)
        assert refused.status_code == 413
        assert "takes 1 MB with one such request (limits.upload_megabytes, for its host to change)" in refused.text


# ------------------------------------------------------------------------------------------------ streams


@pytest.mark.parametrize(
    ("limits", "of_campaign", "elsewhere", "setting"),
    [
        ({"seat_streams": 3}, {"axis": 2}, 0, "limits.seat_streams"),
        ({"campaign_streams": 5}, {"axis": 1, "soviet": 3}, 0, "limits.campaign_streams"),
        ({"streams": 9}, {"axis": 1}, 7, "limits.streams"),
    ],
)
def test_so_many_wait_for_changes(
    limits: dict[str, int], of_campaign: dict[str, int], elsewhere: int, setting: str
) -> None:
    streams, waiting = Streams(Limits(**limits)), Counter(of_campaign)
    streams.open = waiting.total() + elsewhere
    before = streams.open
    (most,) = limits.values()
    streams.check(waiting, "axis")
    with streams.one_more(waiting, "axis"):
        with pytest.raises(TooMany) as told:
            streams.check(waiting, "axis")
        with pytest.raises(TooMany), streams.one_more(waiting, "axis"):
            pass
    assert setting in str(told.value)
    assert str(most) in str(told.value)
    assert (streams.open, waiting.total()) == (before, sum(of_campaign.values())), "whoever leaves makes room"
    streams.check(waiting, "axis")


def test_a_page_and_a_program_too_many_are_told(bounded: Bounded) -> None:
    server = bounded(seat_streams=1)
    axis = server.seated(Seat(SIDE, "Axis"))
    table = server.app.state.shelf.table("east")
    invitation = server.app.state.registry.invitations("east")[-1]
    table.streams[f"invitation/{invitation.id}"] = 1
    for path in ("/c/east/changes", "/api/campaigns/east/events"):
        answer = axis.get(path)
        assert answer.status_code == 429
        assert "limits.seat_streams" in answer.text


# ------------------------------------------------------------------------------------------- one campaign


def test_a_journal_ends_where_the_server_says(bounded: Bounded) -> None:
    server = bounded(campaign_entries=4)
    axis = server.seated(Seat(SIDE, "Axis"))  # as someone sits down the server promises its part in the dice: entry 2
    axis.get("/c/east")
    assert [note(axis).json()["accepted"] for _ in range(2)] == [True, True]
    refused = note(axis)
    assert refused.status_code == 403
    assert refused.json()["says"] == (
        "this campaign has reached what this server allows one: 4 entries (limits.campaign_entries, for the host to "
        "change); nothing was recorded"
    )
    assert server.app.state.shelf.table("east").seq == 4
    assert axis.get("/c/east").status_code == 200, "it is looked at all the same"


def test_at_ones_own_machine_nothing_is_counted(bounded: Bounded) -> None:
    server = bounded(public=False, campaign_entries=1, campaigns=1)
    home = server.visitor()
    home.get("/c/east")
    assert note(home).json()["accepted"]


@pytest.fixture
def kept(bounded: Bounded, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Asks whether an entry may be written to a campaign of so many units and bytes."""
    server = bounded()
    campaign: Campaign = server.app.state.shelf.table("east").campaign
    unit = next(iter(campaign.state.units.values()))
    stock = server.app.state.shelf.stock

    def asked(limits: Limits, *, raised: int = 0, size: int = 0, total: int = 0) -> None:
        monkeypatch.setattr(stock, "size", lambda name: size)
        monkeypatch.setattr(stock, "total", lambda: total)
        events: Any = [Raised(unit=unit.id, spec=unit.spec, at=unit.place)] * raised or [Noted(text="x")]
        Keeper(server.app.state.registry, stock, limits).check(
            "east", campaign, Entry(n=2, at=campaign.state.clock, events=events)
        )

    asked(Limits())
    count = len(campaign.state.units)
    asked(Limits(campaign_units=count), raised=0)
    asked(Limits(campaign_units=count + 2), raised=2)
    with pytest.raises(Withheld, match=rf"{count + 1:,} units \(limits\.campaign_units"):
        asked(Limits(campaign_units=count + 1), raised=2)
    return asked


def test_units_and_megabytes_are_counted(kept: Callable[..., None]) -> None:
    kept(Limits(campaign_megabytes=3), size=3 * Bytes - 1)
    with pytest.raises(Withheld, match=r"3 MB \(limits\.campaign_megabytes"):
        kept(Limits(campaign_megabytes=3), size=3 * Bytes)
    kept(Limits(megabytes=7), total=7 * Bytes - 1)
    with pytest.raises(Withheld, match=r"7 MB \(limits\.megabytes"):
        kept(Limits(megabytes=7), total=7 * Bytes)


def test_sizes_are_measured_now_and_then(bounded: Bounded, monkeypatch: pytest.MonkeyPatch) -> None:
    server, now, measured = bounded(), [100.0], [7]
    stock = server.app.state.shelf.stock
    monkeypatch.setattr(stock, "size", lambda name: measured[0])
    monkeypatch.setattr(stock, "total", lambda: measured[0])
    keeper = Keeper(server.app.state.registry, stock, Limits(), clock=lambda: now[0])
    assert (keeper.size("east"), keeper.total()) == (7, 7)
    measured[0] = 9
    now[0] += MEASURED_EVERY - 1
    assert (keeper.size("east"), keeper.total()) == (7, 7)
    now[0] += 1
    assert (keeper.size("east"), keeper.total()) == (9, 9)


# ------------------------------------------------------------------------------------------ new campaigns


def test_a_server_takes_so_many_campaigns(bounded: Bounded, monkeypatch: pytest.MonkeyPatch) -> None:
    server = bounded(campaigns=1, megabytes=1)
    host = server.seated(Seat(HOST), "")
    refused = host.post("/new", {"scenario": "smolensk", "name": "second"})
    assert refused.status_code == 403
    assert "at most 1 campaigns (limits.campaigns, for the host to change)" in refused.json()["says"]
    stock, registry = server.app.state.shelf.stock, server.app.state.registry
    Keeper(registry, stock, Limits(campaigns=2)).check_new()
    monkeypatch.setattr(stock, "total", lambda: 2 * Bytes)
    Keeper(registry, stock, Limits(megabytes=3)).check_new()
    with pytest.raises(Withheld, match=r"limits\.megabytes"):
        Keeper(registry, stock, Limits(megabytes=2)).check_new()


def test_a_campaign_larger_than_the_server_allows_is_not_begun(tmp_path: Path) -> None:
    check_begun(5, 7, 5, 7)
    check_begun(5, 7, 0, 0)
    for bounds, says in (((4, 7), "5 units, and this server takes at most 4"), ((5, 6), "7 entries, and this server")):
        with pytest.raises(Withheld, match=says):
            check_begun(5, 7, *bounds)
    wish = {"scenario": "smolensk", "text": "", "played": False, "seats": [], "by_hand": False, "house_rules": {}}
    for name, most in (("none", 1), ("large", 10_000)):
        task = Task("begin", str(tmp_path / f"{name}.fp"), fields=wish | {"most_units": most})
        if most == 1:
            with pytest.raises(Withheld, match=r"limits\.campaign_units"):
                begin(task, lambda done, of: None)
        else:
            assert begin(task, lambda done, of: None).ok
    assert [path.name for path in tmp_path.iterdir()] == ["large.fp"]


def test_a_journal_larger_than_the_server_allows_is_not_brought_in(tmp_path: Path, begun: Callable[..., Path]) -> None:
    from forcepool.store.open import open_journal
    from forcepool.store.textfile import export_text

    with open_journal(begun()) as journal:
        text = "".join(f"{line}\n" for line in export_text(journal, None, with_secret=False))
    target = tmp_path / "brought.fp"
    with pytest.raises(Withheld, match=r"limits\.campaign_units"):
        bring(Task("bring", str(target), fields={"text": text, "most_units": 1, "most_entries": 1}), lambda *_: None)
    assert list(tmp_path.iterdir()) == []
    assert bring(Task("bring", str(target), fields={"text": text, "most_entries": 1}), lambda *_: None).ok


# ------------------------------------------------------------------------------------------------- one seat


def test_a_seat_has_the_share_of_the_processor_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "AT_ONCE", 2.0)
    now = [0.0]
    for percent in (10, 50):
        turnstile = costs.Turnstile(nobody, limits=Limits(seat_processor=percent), clock=lambda: now[0])
        purse = turnstile._purse("seat")
        for _ in range(100):
            purse.pay(0.03)
        assert purse.delay(0.0) == pytest.approx(100 / percent), "a second too much"


def test_so_many_requests_of_a_seat_wait_for_each_other(bounded: Bounded) -> None:
    server = bounded(seat_requests=2)
    axis = server.seated(Seat(SIDE, "Axis"))
    stack: Any = server.app.middleware_stack
    while not isinstance(stack, costs.Turnstile):
        stack = stack.app
    purse = stack._purse(f"invitation/{server.app.state.registry.invitations('east')[-1].id}")
    for waiting, status in ((1, 200), (2, 429)):
        purse.waiting = waiting
        assert axis.get("/c/east").status_code == status


async def nobody(scope: Any, receive: Any, send: Any) -> None:
    """An app that is never asked."""
