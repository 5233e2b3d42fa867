"""The commander of a front: what a pool that is not the front's holds is not told, however the order spells it."""

import json
from fractions import Fraction
from typing import Any

import pytest

from forcepool.engine.ledger import Account
from forcepool.web.chair import FRONT, SIDE, Seat
from tests.web.conftest import Serve, Visitor

CENTRE, AXIS = Seat(FRONT, "Axis", "front/centre"), Seat(SIDE, "Axis")
HELD = Account("national/Germany", "Germany", "inf")


def told(visitor: Visitor, **order: str) -> Any:
    return visitor.post("/c/east/do", {"order": json.dumps(order)}).json()


def moved(pool: str, into: str, points: str = "999 inf") -> dict[str, str]:
    return {"command": "transfer-points", "pool": pool, "into": into, "points": points, "nation": "germany"}


@pytest.mark.parametrize(
    "order",
    [
        moved("national/Germany", "front/centre"),
        moved("national/germany", "front/centre"),
        moved("Germany", "centre"),
        moved("  GERMANY ", "front Centre"),
        {"command": "give-aid", "nation": "Germany", "to": "Finland", "points": "999 inf"},
        {"command": "give-aid", "nation": "germany", "to": "Finland", "points": "999 inf", "pool": "germany"},
    ],
    ids=str,
)
def test_a_front_does_not_hear_what_the_nations_pool_holds(serve: Serve, order: dict[str, str]) -> None:
    server = serve(public=True)
    assert server.app.state.shelf.table("east").campaign.state.balances[HELD] == Fraction(25, 4)
    side, front = server.seated(AXIS), server.seated(CENTRE)
    side.get("/c/east"), front.get("/c/east")
    assert "6¼" in json.dumps(told(side, **order), ensure_ascii=False), "its own player is told"
    answer = told(front, **order)
    assert answer["kind"] == "forbidden"
    assert "6¼" not in json.dumps(answer, ensure_ascii=False)


def test_a_front_hears_what_its_own_pool_holds(serve: Serve) -> None:
    front = serve(public=True).seated(CENTRE)
    answer = told(front, **moved("centre", "wehrkreis-vi"))
    assert answer["kind"] == "refused"
    assert "8¼" in answer["reasons"][0]["says"]


def test_a_nations_debt_is_not_a_fronts_business(serve: Serve) -> None:
    answer = told(serve(public=True).seated(CENTRE), command="repay-debt", nation="Germany", points="1 inf")
    assert answer["kind"] == "forbidden"
    assert "whole side" in answer["says"]
