"""All commands and their forms: search, fields, trying without doing, doing, and whose command it is."""

import json
import re

from forcepool.web.chair import SIDE, Seat
from tests.web.conftest import Serve, Visitor, as_read

PART = {"accept": "text/html", "x-part": "tried"}
FORM = "/c/east/order/rebuild-cadre"
REBUILD = {"f.unit": "6 Pz XX", "f.pay_from": "front/centre"}
REFUSED = {"f.unit": "78 Inf XX", "f.pay_from": "front/centre"}


def test_every_command_stands_in_the_catalogue_under_its_chapter(home: Visitor) -> None:
    page = as_read(home.get("/c/east/order").text)
    for chapter in ("Replacements", "Reinforcements", "Reserves", "Air", "At the table"):
        assert re.search(rf"<h2[^>]*>{chapter} <small>", page), chapter
    assert 'href="/c/east/order/rebuild-cadre"' in page
    assert 'href="/c/east/order/put-unit"' in page


def test_the_catalogue_is_searched_by_name_and_by_what_a_command_does(home: Visitor) -> None:
    page = home.get("/c/east/order?q=operational+reserve").text
    assert 'href="/c/east/order/enter-reserve"' in page
    assert 'href="/c/east/order/rebuild-cadre"' not in page
    assert "No command answers to" in home.get("/c/east/order?q=nonesuch").text


def test_every_form_of_both_games_opens(serve: Serve) -> None:
    for scenario in ("smolensk", "eastern-front"):
        visitor = serve(scenario=scenario).visitor()
        names = re.findall(r'href="(/c/east/order/[^"]+)"', visitor.get("/c/east/order").text)
        assert len(names) > 20
        for name in names:
            assert visitor.get(name).status_code == 200, name


def test_an_order_from_another_page_fills_the_form(home: Visitor) -> None:
    order = json.dumps({"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "national/Germany", "reduced": True})
    first = home.client.get("/c/east/order", params={"order": order}, follow_redirects=False)
    page = as_read(home.get(first.headers["location"]).text)
    assert 'name="f.unit" value="6 Pz XX"' in page
    assert 'value="national/Germany" required' in page
    assert re.search(r'name="f.reduced" value="yes"[^>]* checked', page)


def test_what_is_no_order_leads_to_the_catalogue_or_nowhere(home: Visitor) -> None:
    assert "All commands" in home.get("/c/east/order?order=nonsense").text
    assert home.get("/c/east/order/nonesuch").status_code == 404


def test_fields_offer_the_units_and_pools_with_what_they_hold(home: Visitor) -> None:
    page = as_read(home.get(FORM).text)
    assert '<option value="6 Pz XX">Dorogobuzh</option>' in page
    assert re.search(r'<option value="front/centre">[^<]*8¼ inf', page)


def test_trying_says_what_would_happen_and_does_nothing(home: Visitor) -> None:
    part = as_read(home.post(f"{FORM}/try", REBUILD, **PART).text)
    assert "It would pass" in part
    assert "6 Pz XX: cadre → full" in part
    refused = as_read(home.post(f"{FORM}/try", REFUSED, **PART).text)
    assert "It would be refused" in refused
    assert "/rules/52.A.9.d/3" in refused
    assert home.post("/c/east/undo").status_code == 400, "nothing was done"


def test_trying_says_what_is_missing(home: Visitor) -> None:
    assert "Still needed: pay from." in as_read(home.post(f"{FORM}/try", {"f.unit": "6 Pz XX"}, **PART).text)


def test_trying_never_shows_how_a_die_will_fall(home: Visitor) -> None:
    """The program's dice are fixed by its seed, so that a try that rolled would tell the result beforehand."""
    for _ in range(60):
        part = as_read(home.post("/c/east/order/roll-deployment/try", {"f.nation": "Germany"}, **PART).text)
        assert "falls" not in part
        if "A die decides" in part:
            break
        assert home.post("/c/east/do", {"order": '{"command": "advance"}'}).json()["accepted"]
    assert "A die decides" in part


def test_doing_it_records_it_and_a_refusal_carries_the_order_to_overrule_it_with(home: Visitor) -> None:
    assert home.post(FORM, REBUILD).json()["says"] == "Rebuild cadre 6 Pz XX paid from front Centre"
    refused = home.post(FORM, REFUSED)
    assert refused.status_code == 422
    again = {"order": refused.json()["order"], "override": "we agreed on it"}
    assert home.post("/c/east/do", again).json()["accepted"]


def test_without_script_trying_shows_the_form_again_with_the_answer(home: Visitor) -> None:
    page = as_read(home.post(f"{FORM}/try", REFUSED, accept="text/html").text)
    assert "It would be refused" in page
    assert 'name="f.unit" value="78 Inf XX"' in page
    assert "Overrule with a note" in home.post(FORM, REFUSED, accept="text/html").text


def test_a_counter_is_written_as_players_write_it(home: Visitor) -> None:
    fields = {"f.name": "999 Inf XX", "f.spec": "7-6 Inf XX (3-6)", "f.nation": "Germany", "f.at": "Smolensk"}
    assert home.post("/c/east/order/add-unit", fields).json()["accepted"]
    assert "7-6 Inf XX (3-6)" in home.get("/c/east/unit/999 Inf XX").text


def test_a_seat_is_offered_only_its_own_and_no_tool_of_the_referee(serve: Serve) -> None:
    axis = serve(public=True).seated(Seat(SIDE, "Axis"))
    assert "put-unit" not in axis.get("/c/east/order").text
    assert "referee" in axis.post("/c/east/order/put-unit", {"f.unit": "6 Pz XX", "f.at": "Minsk"}).json()["says"]
    form = as_read(axis.get(FORM).text)
    assert 'value="6 Pz XX"' in form
    assert "Rif XX" not in form
    assert "front/west" not in form
    theirs = {"f.unit": "53 Rif XX", "f.pay_from": "front/west"}
    part = as_read(axis.post(f"{FORM}/try", theirs, **PART).text)
    assert "there is no unit '53 Rif XX'" in part
    assert axis.post(FORM, theirs).status_code == 403


def test_a_name_nearly_right_brings_no_unit_of_the_other_side_to_light(serve: Serve) -> None:
    axis = serve(public=True).seated(Seat(SIDE, "Axis"))
    axis.get("/c/east")
    told = set()
    for name in ("53 Rif XX", "54 Rif XX", "53 Rif", "nobody"):
        part = as_read(axis.post(f"{FORM}/try", {"f.unit": name, "f.pay_from": "front/centre"}, **PART).text)
        order = json.dumps({"command": "rebuild-cadre", "unit": name, "pay_from": "front/centre"})
        done = axis.post("/c/east/do", {"order": order})
        told.add((part.replace(name, "X"), done.status_code, done.text.replace(name, "X")))
    assert len(told) == 1, "what is hidden and what never was get one answer"
