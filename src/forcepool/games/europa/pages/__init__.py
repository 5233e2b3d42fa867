"""What this game shows beyond what every game does: its pages in the browser, and what programs may ask of it."""

from forcepool.games.europa.air.view import AirCycle
from forcepool.games.europa.pages import air, asked, factories, reserves
from forcepool.games.europa.pages.limits import ROOM_LEFT as ROOM_LEFT
from forcepool.games.europa.pages.offered import OFFERED as OFFERED
from forcepool.web.api.operations import Operation, Query

PAGES = (reserves.PAGE, air.PAGE, factories.PAGE)
PASSED = ("initial",)
"""Phases in which there is nothing to order beyond what the checklist names."""
OPERATIONS = (
    Operation(
        "reserves",
        "GET",
        "/reserves",
        "Operational and strategic reserves, and what changes of them would cost.",
        asked.ReservesAnswer,
        asked.reserves,
        query=(Query("changes", "what if: wishes parted by semicolons, such as in 6 Pz XX; out 24 Inf XX"),),
    ),
    Operation("air", "GET", "/air", "The air cycle: clock, ARPs, boxes, rare codes, Air OB.", AirCycle, asked.air),
)
CUT_OFF_BY = ("isolated", "supply", "pocket")
"""What is declared of a unit that is cut off, and taken back when it has broken out."""
