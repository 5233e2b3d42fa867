"""Cost limits by seat: who keeps asking for what takes long is slowed and refused, nobody else; and the order of it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from forcepool.web import costs
from forcepool.web.chair import OBSERVER, SIDE, Seat
from forcepool.web.costs import AT_ONCE, GIVES_WAY, SHARE, Metered, Purse, Turnstile
from forcepool.web.settings import USUAL
from tests.web.conftest import Serve, Server, Visitor, in_a_loop

AXIS, SOVIET = Seat(SIDE, "Axis"), Seat(SIDE, "Soviet")


class Clock:
    """Time, and the time of the processor, which pass when they are told to."""

    def __init__(self) -> None:
        self.now = self.used = 1000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setattr(costs, "AT_ONCE", AT_ONCE)
    return Clock()


@pytest.fixture
def dear(serve: Serve, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A public server on which a page of the rulebook takes a whole second of the processor, and all others nothing."""
    server = serve(public=True, seats=("Axis", "Soviet"))
    turnstile: Any = server.app.middleware_stack
    while not isinstance(turnstile, Turnstile):
        turnstile = turnstile.app
    turnstile.clock, turnstile.meter = lambda: clock.now, lambda: clock.used
    served = Turnstile._served

    async def slowly(self: Turnstile, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"].endswith("/rules"):
            clock.used += 1.0
        await served(self, scope, receive, send)

    monkeypatch.setattr(Turnstile, "_served", slowly)
    monkeypatch.setattr(costs, "LONGEST_DELAY", costs.GIVES_WAY)
    return server


def used_up(visitor: Visitor) -> Any:
    """Ask for the dear page until it is refused."""
    for _ in range(10):
        answer = visitor.get("/c/east/rules")
        if answer.status_code != 200:
            return answer
    raise AssertionError("it was never refused")


@pytest.mark.parametrize("seat", [AXIS, Seat(OBSERVER), Seat(OBSERVER, "Axis")])
def test_a_seat_that_asks_for_too_much_is_refused_for_a_while_and_told_so(
    dear: Server, clock: Clock, seat: Seat
) -> None:
    greedy, soviet = dear.seated(seat), dear.seated(SOVIET)
    refused = used_up(greedy)
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "20", "two seconds too much, at a tenth of a core"
    assert "answers you again in 20 seconds" in refused.text
    assert greedy.get("/c/east").status_code == 429, "all that is the seat's"
    assert soviet.get("/c/east/rules").status_code == 200, "the others are not held up"
    clock.now += 19.9
    assert greedy.get("/c/east").status_code == 429
    clock.now += 0.2
    assert greedy.get("/c/east").status_code == 200


def test_more_keys_are_no_more_purses(dear: Server) -> None:
    invitation, word = dear.app.state.registry.invite("east", AXIS)
    axis = dear.visitor()
    axis.get(f"/join/{word}")
    axis.post(f"/join/{word}")
    used_up(axis)
    for _ in range(2):
        key = dear.app.state.registry.new_key(invitation.id)
        answer = dear.client.get("/api/campaigns/east", headers={"authorization": f"Bearer {key}"})
        assert answer.status_code == 429
    made_up = dear.client.get("/api/campaigns/east", headers={"authorization": "Bearer fp_madeup"})
    assert made_up.status_code == 401, "a key that nobody has is its address's business"


def test_whose_purse_it_is_is_looked_up_now_and_then(
    dear: Server, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    axis = dear.seated(AXIS)
    asked: list[str] = []
    looks = costs.payer

    def noted(scope: Any) -> str:
        asked.append(scope["path"])
        return looks(scope)

    monkeypatch.setattr(costs, "payer", noted)
    for later in (0.0, 0.0, costs.BELIEVED - 1, 2.0):
        clock.now += later
        axis.get("/c/east/rules")
    assert len(asked) == 2
    axis.get("/c/west")
    assert len(asked) == 3, "at another campaign it may be another seat"


def test_a_machine_of_ones_own_has_no_limits(serve: Serve) -> None:
    stack: Any = serve().app.middleware_stack
    while hasattr(stack, "app"):
        assert not isinstance(stack, Turnstile)
        stack = stack.app


def test_a_purse_fills_again_up_to_its_brim(clock: Clock) -> None:
    purse = Purse(0.0)
    for _ in range(16):
        purse.pay(AT_ONCE / 15)
    assert purse.left < -AT_ONCE, "each of them held up everybody"
    purse = Purse(0.0)
    for _ in range(100):
        purse.pay((AT_ONCE + 0.2) / 100)
    assert purse.delay(0.0) == pytest.approx(0.2 / SHARE)
    assert purse.delay(0.2 / SHARE) == GIVES_WAY, "nothing is left, and nothing owed"
    assert purse.delay((0.2 + AT_ONCE / 2) / SHARE - 0.01) == GIVES_WAY
    assert purse.delay((0.2 + AT_ONCE / 2) / SHARE + 0.01) == 0.0
    assert purse.delay(1e6) == 0.0
    assert purse.left == AT_ONCE


def test_only_ones_own_steps_are_paid_for_and_errors_pass_through(clock: Clock) -> None:
    paid: list[float] = []

    async def work() -> None:
        clock.used += 2
        await asyncio.sleep(0)
        clock.used += 3
        try:
            await asyncio.wait_for(asyncio.Event().wait(), 0.0)
        except TimeoutError:
            clock.used += 4
        raise LookupError("as it should")

    async def beside() -> None:
        clock.used += 100

    async def main() -> None:
        other = asyncio.create_task(beside())
        with pytest.raises(LookupError):
            await Metered(work(), paid.append, lambda: clock.used)
        await other

    in_a_loop(main())
    assert sum(paid) == 9


def _turnstile(work: Callable[[str], Awaitable[None]]) -> Turnstile:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await work(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    return Turnstile(app)


def _asking(turnstile: Turnstile, path: str, answers: list[int], method: str = "GET") -> Any:
    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            answers.append(message["status"])

    async def receive() -> Any:
        return {"type": "http.request"}

    return turnstile({"type": "http", "path": path, "headers": [], "method": method}, receive, send)


def test_what_is_asked_of_everybody_costs_more_than_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "payer", lambda scope: scope["path"].split("/")[1])

    async def work(path: str) -> None:
        pass

    async def main() -> None:
        turnstile, answers = _turnstile(work), list[int]()
        turnstile.meter = turnstile.clock = lambda: 0.0
        for path, method in (("/axis/undo", "POST"), ("/soviet/do", "POST"), ("/referee/undo", "GET")):
            await _asking(turnstile, path, answers, method)
        left = {who: turnstile._purse(who).left for who in ("axis", "soviet", "referee")}
        assert left["soviet"] - left["axis"] == pytest.approx(costs.FOR_WAKING)
        assert left["soviet"] == left["referee"]

    in_a_loop(main())


def test_a_seats_requests_come_one_after_another_with_others_between(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "payer", lambda scope: scope["path"].split("/")[1])
    order: list[str] = []

    async def work(path: str) -> None:
        order.append(path)
        await asyncio.sleep(0)

    async def main() -> None:
        turnstile, answers = _turnstile(work), list[int]()
        many = [_asking(turnstile, f"/axis/{each}", answers) for each in range(30)]
        await asyncio.gather(*many, _asking(turnstile, "/soviet/1", answers))
        assert answers == [200] * 31

    in_a_loop(main())
    assert order.index("/soviet/1") < 3, order


def test_one_that_waits_for_something_holds_up_nobody_of_its_own_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "payer", lambda scope: "axis")

    async def main() -> None:
        never, answers = asyncio.Event(), list[int]()

        async def work(path: str) -> None:
            if path.endswith("/changes"):
                await never.wait()

        turnstile = _turnstile(work)
        waiting = asyncio.create_task(_asking(turnstile, "/c/east/changes", answers))
        await _asking(turnstile, "/c/east", answers)
        assert answers == [200]
        never.set()
        await waiting

    in_a_loop(main())


def test_too_long_a_line_of_one_seat_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "payer", lambda scope: "axis")

    async def main() -> None:
        go, answers = asyncio.Event(), list[int]()

        async def work(path: str) -> None:
            await go.wait()

        turnstile = _turnstile(work)
        line = [asyncio.create_task(_asking(turnstile, "/c/east", answers)) for _ in range(USUAL.seat_requests + 3)]
        for _ in range(5):
            await asyncio.sleep(0)
        assert answers == [429, 429], "one is served, forty wait"
        go.set()
        await asyncio.gather(*line)
        assert answers.count(200) == USUAL.seat_requests + 1

    in_a_loop(main())
