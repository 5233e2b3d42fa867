"""Both sides play on in the demonstration, and every byte that goes to the Axis is searched for the Soviets' units.

A turn, or as many as FORCEPOOL_SECRETS says: four are a month.
"""

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.web.app import make_app
from forcepool.web.chair import FRONT, OBSERVER, SIDE, Seat
from tests.web.conftest import Server, Visitor

TURNS = int(os.environ.get("FORCEPOOL_SECRETS", "1"))
ORDERS, MOST_TRIED = 3, 60
"""What each side does of its checklist in a phase."""
PAGES = (
    "",
    "/pool",
    "/pools",
    "/journal",
    "/map",
    "/ob",
    "/air",
    "/reserves",
    "/factories",
    "/losses",
    "/order",
    "/find?q=8",
)
ASKED = ("", "/todo", "/units", "/ledger", "/log", "/air", "/house-rules")
READERS = (Seat(SIDE, "Axis"), Seat(FRONT, "Axis", "front/centre"), Seat(OBSERVER, "Axis"))


class Reader:
    """A seat whose every answer is searched."""

    def __init__(self, server: Server, seat: Seat) -> None:
        self.seat, self.visitor = seat, server.seated(seat)
        self.read: list[tuple[str, str]] = []

    def get(self, path: str) -> None:
        answer = self.visitor.get(path)
        assert answer.status_code == 200, path
        self.read.append((path, answer.text))

    def do(self, order: dict[str, Any]) -> bool:
        answer = self.visitor.post("/c/east/do", {"order": json.dumps(order)})
        self.read.append((json.dumps(order), answer.text))
        return bool(answer.json()["accepted"])

    def find(self, names: list[str]) -> list[str]:
        """What of the names stands in what was read since it was last searched."""
        any_of_them = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])")
        found = [
            f"{self.seat.title} reads {hit[0]} in {path}"
            for path, text in self.read
            for hit in any_of_them.finditer(text)
        ]
        self.read.clear()
        return sorted(set(found))


def soviet_units(world: World, state: State) -> list[str]:
    """The names of Soviet units, those left out that could be said of something else."""
    theirs = [unit.id for unit in state.units.values() if world.side_now(state, unit.spec.nation) == "Soviet"]
    return sorted((name for name in theirs if name.count(" ") > 1), key=lambda name: (-len(name), name))


def test_no_byte_that_goes_to_the_axis_names_a_soviet_unit(demonstration: Path, tmp_path: Path) -> None:
    shutil.copy(demonstration, tmp_path / "east.fp")
    app = make_app(tmp_path, public=True)
    with TestClient(app, base_url="http://localhost") as client:
        server = Server(app, client)
        readers, soviet = [Reader(server, seat) for seat in READERS], server.seated(Seat(SIDE, "Soviet"))
        soviet.get("/c/east")
        campaign = app.state.shelf.table("east").campaign
        world, found, orders = campaign.world, list[str](), 0
        first = campaign.state.clock.turn
        for reader in readers:
            for path in PAGES:
                reader.get(f"/c/east{path}")
        while campaign.state.clock.turn < first + TURNS:
            orders += _phase(soviet, readers[0], world.phasing(campaign.state))
            names = soviet_units(world, campaign.state)
            for reader in readers:
                for path in ("", "/journal"):
                    reader.get(f"/c/east{path}")
                for path in ASKED:
                    reader.get(f"/api/campaigns/east{path}")
                found += reader.find(names)
        assert found == []
        assert orders > ORDERS
        assert len(names) > 100


def _phase(soviet: Visitor, axis: Reader, phasing: str) -> int:
    """The side whose phase it is does some of what stands on its list, and ends it."""
    own = phasing == "Axis"
    visitor = axis.visitor if own else soviet
    given, tried = 0, set[str]()

    def give(order: dict[str, Any]) -> bool:
        if own:
            return axis.do(order)
        return bool(soviet.post("/c/east/do", {"order": json.dumps(order)}).json()["accepted"])

    while fresh := [each for each in _listed(visitor) if each not in tried and len(tried) < MOST_TRIED]:
        tried.add(fresh[0])
        given += give(json.loads(fresh[0]))
    assert give({"command": "advance"})
    return given


def _listed(visitor: Visitor) -> list[str]:
    """The ready orders on a list: all that is due, and a few of the others."""
    items = [each for each in visitor.get("/api/campaigns/east/todo").json()["items"] if each["order"]]
    due = [each for each in items if each["kind"] == "due"]
    others = [each for each in items if each["kind"] != "due"]
    return [json.dumps(each["order"]) for each in (*due, *others[:ORDERS])]
