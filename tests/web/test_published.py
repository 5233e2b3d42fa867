"""The pages of a campaign by the published rules: no word of the house rule set, and ids in players' words."""

import html
import re

import pytest

from tests.web.conftest import Serve, Visitor

PAGES = (
    *(
        "",
        "/pool",
        "/pools",
        "/pools/could",
        "/air",
        "/losses",
        "/ob",
        "/ob/text",
        "/journal",
        "/arrivals",
    ),
    *("/order", "/map", "/house", "/seats", "/print", "/plan/goals"),
)
HOUSE_WORDS = re.compile(
    r"four (?:game )?turns|air cycle is four|half (?:of )?(?:the|each) pool|half of (?:its|what)|\bweek [1-4]\b"
    r"|[a-z]{3}-i{1,2}-4[0-9]-[a-z]+-[a-z]+-[0-9]|10 % less|\b(?:dec|jan|feb|mar) [1-4] 4[0-9]\b",
    re.IGNORECASE,
)
"""Lengths in quarters of a month, half the pool, keys of entries, turns numbered in digits."""
RESERVES = re.compile(r"deployment die|(?:operational|strategic|Mediterranean) reserve|\bReserves\b", re.IGNORECASE)
"""What rule 49 has, and the published games have not."""


@pytest.fixture
def compass(serve: Serve) -> Visitor:
    visitor = serve(scenario="compass-published").visitor()
    visitor.get("/c/east")
    return visitor


def shown(visitor: Visitor, path: str) -> str:
    """What a reader sees of a page, without its markup, its scripts and what only programs read."""
    answer = visitor.get(f"/c/east{path}")
    assert answer.status_code == 200, path
    text = re.sub(r"(?s)<(script|style|template).*?</\1>", " ", answer.text)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def test_no_page_speaks_of_the_house_rule_set(compass: Visitor) -> None:
    for path in PAGES:
        text = shown(compass, path)
        found = HOUSE_WORDS.search(text)
        assert found is None, (path, text[max(0, found.start() - 60) : found.end() + 40])
        assert "Soviet" not in text or path in ("/house", "/order", "/ob/text"), path
        reserve = RESERVES.search(text)
        assert path == "/house" or not reserve, (path, reserve and text[reserve.start() - 60 :][:120])


def test_the_bar_calls_a_phase_as_the_profile_does(compass: Visitor) -> None:
    compass.post("/c/east/do", {"order": '{"command": "advance"}', "onward": "no"})
    assert "Axis player-turn · initial (reinforcements) phase" in shown(compass, "")


def test_orders_that_nobody_plays_are_not_in_the_catalogue(compass: Visitor, serve: Serve) -> None:
    listed = re.compile(r"roll-deployment|enter-strategic-reserve|disband-nkvd|upgrade-division")
    assert not listed.search(compass.get("/c/east/order").text)
    assert not listed.search(compass.get("/c/east/order?q=reserve").text)
    house = serve().visitor().get("/c/east/order").text
    assert len(set(listed.findall(house))) == 4, "by the house rules they are"
    # By its name a command is found all the same, and says that it is not played.
    assert compass.get("/c/east/order/roll-deployment").status_code == 200
