"""Finding units, pools, rules, commands and entries; a name that says it all goes straight there."""

import json
from html import unescape

import pytest

from forcepool.web.chair import SIDE, Seat
from tests.web.conftest import Serve, Visitor


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("6 pz xx", "/c/east/unit/6%20Pz%20XX"),
        ("52.A.9.d/1", "/c/east/rules/52.A.9.d/1"),
        ("rebuild-cadre", "/c/east/order/rebuild-cadre"),
        ("161", "/c/east/unit/161%20Inf%20XX"),
        ("6th Panzer", "/c/east/unit/6%20Pz%20XX"),
    ],
)
def test_a_name_that_fits_one_thing_goes_straight_there(home: Visitor, words: str, target: str) -> None:
    answer = home.client.get("/c/east/find", params={"q": words}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, target)


def test_words_that_fit_several_list_units_pools_rules_and_commands(home: Visitor) -> None:
    page = unescape(home.get("/c/east/find?q=front+centre").text)
    assert "3¾ arm, 8¼ inf, Germany" in page
    assert "/pools?pool=front%2Fcentre&of=Germany&kind=arm" in page
    page = unescape(home.get("/c/east/find?q=cadre").text)
    assert 'href="/c/east/order/rebuild-cadre"' in page
    assert 'href="/c/east/rules/52.A.9' in page
    page = unescape(home.get("/c/east/find?q=pz").text)
    assert 'href="/c/east/unit/6%20Pz%20XX"' in page
    assert 'href="/c/east/unit/10%20Pz%20XX"' in page


def test_entries_are_found_by_number_and_by_what_was_ordered(home: Visitor) -> None:
    order = '{"command": "note", "text": "the bridge at Yelnya is down"}'
    assert home.post("/c/east/do", {"order": order}).json()["accepted"]
    for words in ("entry 2", "bridge yelnya"):
        answer = home.client.get("/c/east/find", params={"q": words}, follow_redirects=False)
        assert answer.headers["location"] == "/c/east/journal/2"


def test_a_number_finds_no_longer_one_and_a_words_beginning_finds_it(home: Visitor) -> None:
    for order in ("Move units 197 Inf XX, 3 Pz XX", "The panzers rest"):
        home.post("/c/east/do", {"order": json.dumps({"command": "note", "text": order})})
    assert "Entry 2" not in home.get("/c/east/find?q=7+pz").text
    assert (
        home.client.get("/c/east/find?q=panze+rest", follow_redirects=False).headers["location"].endswith("/journal/3")
    )


def test_a_units_name_without_its_size_goes_to_its_card_where_one_is_called_so(home: Visitor) -> None:
    for words, target in (("6 pz", "/c/east/unit/6%20Pz%20XX"), ("78 Inf", "/c/east/unit/78%20Inf%20XX")):
        home.post("/c/east/do", {"order": json.dumps({"command": "note", "text": f"{words} waits"})})
        answer = home.client.get("/c/east/find", params={"q": words}, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, target)


def test_what_nothing_fits_is_said_with_what_one_could_write(home: Visitor) -> None:
    assert "Nothing you can see answers to “nonesuch”" in home.get("/c/east/find?q=nonesuch").text
    assert "Write a part of a unit's name" in unescape(home.get("/c/east/find").text)


def test_a_seat_finds_nothing_of_the_other_side(serve: Serve) -> None:
    server = serve(public=True)
    axis, soviet = server.seated(Seat(SIDE, "Axis")), server.seated(Seat(SIDE, "Soviet"))
    soviet.get("/c/east/losses")
    assert soviet.post("/c/east/losses", {"text": "32 Rif XX"}).json()["accepted"]
    assert soviet.get("/c/east/find?q=53+rif+xx").status_code == 303
    for words in ("53+rif+xx", "rif", "front+west", "lose+32"):
        answer = axis.get(f"/c/east/find?q={words}")
        assert answer.status_code == 200, words
        assert "Rif XX" not in answer.text
        assert "front West" not in answer.text
