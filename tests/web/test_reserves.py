"""The reserves page: points, depots, the what-if with its working, plans carried out and undone, and only one's own."""

import json
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest

from forcepool.games.europa.pages import reserves as pages
from forcepool.web.chair import FRONT, OBSERVER, SIDE, Seat
from tests.web.conftest import Serve, Server, Visitor

PAGE = "/c/east/reserves"
WEST = "west-1940"


def text(visitor: Visitor, path: str = PAGE) -> str:
    answer = visitor.get(path)
    assert answer.status_code == 200
    return unescape(answer.text)


def main(visitor: Visitor, path: str = PAGE) -> str:
    return text(visitor, path).partition("<main")[2]


def wished(*changes: str) -> str:
    return f"{PAGE}?{urlencode([('change', each) for each in changes])}"


def order(visitor: Visitor, **command: Any) -> Any:
    return visitor.post("/c/east/do", {"order": json.dumps(command), "die": command.pop("die", "")}).json()


@pytest.fixture
def west(serve: Serve) -> Visitor:
    """May 1940, the German reinforcement phase, with a base number of 3 for Germany."""
    visitor = serve(scenario=WEST).visitor()
    visitor.get("/c/east")
    while "<b>reinforcement phase</b>" not in text(visitor, "/c/east"):
        assert order(visitor, command="advance")["accepted"]
    assert order(visitor, command="declare", fact="base_number", about="Germany", value=3)["accepted"]
    return visitor


def test_each_country_shows_its_points_its_number_and_its_depots(west: Visitor) -> None:
    page = main(west)
    assert "Germany" in page
    assert "Britain" in page
    assert "Muenster" in page
    assert "3 at ×1" in page
    assert "/rules/49.A.1.a.list2.i/1" in page
    assert "Roll for France" in page
    assert "Roll for Italy" not in page  # neutral until it declares war


def test_a_what_if_shows_the_working_of_each_charge_and_spends_nothing(west: Visitor) -> None:
    page = main(west, wished("out 60 Inf XX", "out 73 Inf XX"))
    assert "3 RE: <span" in page
    assert "3 at ×1 = 3" in page
    assert "6 of 20 points" in page.replace("<b>", "").replace("</b>", "")
    assert "14 left" in page
    assert "Nothing" not in page.partition('id="plan-given"')[2].partition("</section>")[0]
    assert "20" in west.get("/api/campaigns/east/ledger?pool=reserve/operational&nation=Germany").text


def test_the_cheapest_order_stands_beside_ones_own_when_it_saves_something(west: Visitor) -> None:
    page = main(west, wished("in 28 Inf XX", "in 34 Inf XX"))
    given, _, cheapest = page.partition('id="plan-cheapest"')
    assert "3 at ×2 = 6" in given
    assert "6 points, saves 3" in cheapest
    assert "3 at ×2" not in cheapest.partition("</section>")[0]
    alone = main(west, wished("out 60 Inf XX", "out 73 Inf XX"))
    assert "No other order or depot is cheaper" in alone


def test_a_plan_is_carried_out_in_its_order_and_undone_at_once(west: Visitor) -> None:
    found = west.get("/api/campaigns/east/reserves?changes=out 60 Inf XX; out 73 Inf XX").json()["what_if"]["given"]
    orders = [json.dumps(each["order"]) for each in found["changes"]]
    done = west.post(PAGE, {"order": orders, "seen": "0"}).json()
    assert done["accepted"]
    assert done["says"] == "2 of 2 changes made"
    assert done["entry"] == done["back_to"] + 1
    page = main(west, wished("out 60 Inf XX", "out 73 Inf XX"))
    assert page.count("out of reserve already") == 2
    assert west.post("/c/east/undo", {"to": str(done["back_to"]), "seen": str(done["seq"])}).json()["accepted"]
    assert "already" not in main(west, wished("out 60 Inf XX", "out 73 Inf XX"))


def test_a_plan_stops_where_a_rule_stops_it(west: Visitor) -> None:
    orders = [
        json.dumps({"command": "leave-reserve", "unit": "60 Inf XX"}),
        json.dumps({"command": "leave-reserve", "unit": "60 Inf XX"}),
    ]
    done = west.post(PAGE, {"order": orders}).json()
    assert done["accepted"]
    assert done["says"] == "1 of 2 changes made"
    assert done["words"][0].startswith("stopped: ")
    refused = west.post(PAGE, {"order": orders[:1]})
    assert refused.status_code == 422
    assert refused.json()["kind"] == "refused"
    assert west.post(PAGE, {}).status_code == 400
    assert west.post(PAGE, {"order": "{}"}).status_code == 400


def test_a_stale_plan_is_told_and_not_carried_out(west: Visitor) -> None:
    seen = west.get("/api/campaigns/east").json()["entries"]
    leave = json.dumps({"command": "leave-reserve", "unit": "60 Inf XX"})
    assert west.post("/c/east/do", {"order": leave}).json()["accepted"]
    other = json.dumps({"command": "leave-reserve", "unit": "73 Inf XX"})
    stale = west.post(PAGE, {"order": [other], "seen": str(seen)})
    assert stale.status_code == 409


def test_what_a_rule_forbids_is_said_with_its_clause_before_anyone_tries(west: Visitor) -> None:
    page = main(west, wished("out 1-DM Maroc Inf XX"))
    assert "/rules/49.A.1.e.i/1" in page
    assert "wait for the allied reinforcement phase" in page.casefold()
    assert "Try it all the same" in page


def test_wishes_are_moved_and_left_out_by_links_that_work_without_script(west: Visitor) -> None:
    page = text(west, wished("out 60 Inf XX", "out 73 Inf XX", "fly 1 Inf XX", "in"))
    assert 'aria-label="73 Inf XX earlier"' in page
    assert urlencode([("change", "out 73 Inf XX"), ("change", "out 60 Inf XX")]) in page
    assert "fly" not in page.partition("<main")[2]


def test_a_name_narrows_the_units_to_choose_from(west: Visitor) -> None:
    page = main(west, f"{PAGE}?q=73+inf&nation=Germany")
    assert "<b>73 Inf XX</b>" in page
    assert "<b>60 Inf XX</b>" not in page
    assert "No unit answers to this" in main(west, f"{PAGE}?q=nobody")


def test_the_dice_of_the_month_are_shown_with_their_entry(serve: Serve) -> None:
    visitor = serve(scenario=WEST).visitor()
    visitor.get("/c/east")
    rolled = visitor.post(
        "/c/east/do",
        {"order": json.dumps({"command": "roll-deployment", "nation": "Germany", "result": "F"}), "die": "4"},
    ).json()
    assert rolled["accepted"], rolled
    page = main(visitor)
    assert "die 4, result F +0: base number 4" in page
    assert f"/c/east/journal/{rolled['entry']}" in page


def test_the_british_see_what_their_mediterranean_reserve_must_hold(serve: Serve) -> None:
    visitor = serve(scenario=WEST).visitor()
    visitor.get("/c/east")
    assert "No minimum holds" not in main(visitor)
    order(visitor, command="declare", fact="italy_at_war", value=True)
    assert "No minimum holds" in main(visitor)
    order(visitor, command="declare", fact="italians_entered", value=True)
    page = main(visitor)
    assert "It must hold 6 REs and 2 divisional HQs" in page
    assert "6 REs and 2 HQs short" in page


def test_a_long_group_ends_with_a_link_to_the_rest(west: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_COUNTERS", 4)
    page = main(west)
    assert page.count("<svg class=") == 4
    assert "group=0-theatre-reich" in page
    reich = main(west, f"{PAGE}?group=0-theatre-reich")
    assert reich.count("<svg class=") == 4
    assert "and 1 more</a>" in reich
    rest = main(west, f"{PAGE}?group=0-theatre-reich&from=4")
    assert rest.count("<svg class=") == 1
    assert "Back to all reserves" in rest


def test_a_scenario_without_depots_says_so(home: Visitor) -> None:
    page = main(home)
    assert "No country here has a depot" in page
    assert "137 Inf XX" in page


def test_a_game_without_reserves_has_no_such_page(serve: Serve) -> None:
    visitor = serve(scenario="eastern-front").visitor()
    assert visitor.get(PAGE).status_code == 404
    assert visitor.get("/api/campaigns/east/reserves").status_code == 404
    assert "/reserves" not in visitor.get("/c/east").text


# -------------------------------------------------------------------------------------------- whose it is


@pytest.fixture
def public(serve: Serve) -> Server:
    return serve(public=True, scenario=WEST, seats=("Axis", "Allied"))


def test_the_other_sides_reserves_points_and_depots_do_not_exist(public: Server) -> None:
    allied = public.seated(Seat(SIDE, "Allied"))
    page = main(allied)
    assert "Britain" in page
    for theirs in ("Germany", "Italy", "60 Inf XX", "Berlin", "Muenster", "Savona"):
        assert theirs not in page
    axis = main(public.seated(Seat(SIDE, "Axis")))
    assert "60 Inf XX" in axis
    for theirs in ("Britain", "London", "Mediterranean reserve", "1-Lon"):
        assert theirs not in axis


def test_asking_what_an_enemy_unit_would_cost_is_answered_as_for_one_that_does_not_exist(public: Server) -> None:
    allied = public.seated(Seat(SIDE, "Allied"))
    theirs, nobodys = main(allied, wished("out 60 Inf XX")), main(allied, wished("out 61 Moon XX"))
    assert theirs.replace("60 Inf XX", "").replace("60+Inf+XX", "") == nobodys.replace("61 Moon XX", "").replace(
        "61+Moon+XX", ""
    )


def test_an_enemy_units_change_is_not_made(public: Server) -> None:
    allied = public.seated(Seat(SIDE, "Allied"))
    allied.get(PAGE)
    no = allied.post(PAGE, {"order": json.dumps({"command": "leave-reserve", "unit": "60 Inf XX"})})
    assert no.status_code == 403
    assert "there is no unit" in no.json()["says"]


def test_a_front_commander_sees_that_fronts_units_and_no_points(public: Server) -> None:
    ardennes = public.seated(Seat(FRONT, "Axis", "front/ardennes"))
    page = main(ardennes, wished("out 60 Inf XX"))
    assert "kept for the whole country" in page
    assert "Base number" not in page
    assert "60 Inf XX" not in page
    assert "Berlin" not in page


def test_an_observer_looks_and_finds_no_button(public: Server) -> None:
    page = main(public.seated(Seat(OBSERVER, "Allied")))
    assert "Roll for" not in page
    assert '<form method="post"' not in page.partition("<dialog")[0]
