"""The air page: the clock, ARPs and their limit, boxes, rare codes, the Air OB, a unit's card, and only one's own."""

import json
import re
from html import unescape
from typing import Any

import pytest

from forcepool.games.europa.pages import air as pages
from forcepool.web.chair import FRONT, SIDE, Seat
from forcepool.web.counters import shared_out
from tests.web.conftest import Serve, Server, Visitor

PAGE = "/c/east/air"
WEST = "west-1940"


def main(visitor: Visitor, path: str = PAGE) -> str:
    answer = visitor.get(path)
    assert answer.status_code == 200
    # Whose phase it is stands on every printed sheet, and is no secret.
    page = re.sub(r'<p class="printed">.*?</p>', "", answer.text, flags=re.DOTALL)
    return unescape(page).partition("<main")[2].partition("</main>")[0]


def order(visitor: Visitor, **command: Any) -> Any:
    return visitor.post("/c/east/do", {"order": json.dumps(command)}).json()


@pytest.fixture
def west(serve: Serve) -> Visitor:
    visitor = serve(scenario=WEST).visitor()
    visitor.get("/c/east")
    return visitor


def test_the_clock_tells_each_sides_turn_of_the_cycle_and_what_comes_next(west: Visitor) -> None:
    page = main(west)
    assert "Axis: turn 1 of 4" in page
    assert "Allied: the air cycle ends now" in page
    assert "May 1 40, Axis replacement phase" in page
    assert "The next cycle brings" in page
    assert "/rules/28.D.list.5/3" in page


def test_pools_show_the_limit_of_the_phase_and_what_lapses(west: Visitor) -> None:
    row = main(west).partition("theatre Reich <small")[2].partition("</tr>")[0]
    assert ">6</a></td><td>3</td>" in row
    assert "<b>3</b>" in row
    assert "kind=arp" in row


def test_boxes_show_counters_by_status_with_what_the_next_step_costs(west: Visitor) -> None:
    page = main(west)
    for box in ("operative-axis", "aborted-axis", "eliminated-axis", "operative-allied"):
        assert f'id="box-{box}"' in page
    # Enemies lie in no box together.
    axis = page.partition('id="box-operative-axis"')[2].partition("</section>")[0]
    assert "fighter of Germany" in axis
    assert "of France" not in axis
    assert "of Britain" not in axis
    assert "1 ARP, pair" in page
    assert 'class="counter"' in page


def test_a_counter_opens_its_card_with_what_can_be_done(west: Visitor) -> None:
    while "<b>replacement phase</b>" not in west.get("/c/east").text:
        assert order(west, command="advance")["accepted"]
    card = main(west, f"{PAGE}?unit=Ger+Ju87B-2").partition('id="card"')[2]
    assert "Repair air" in card
    assert "Do it" in card
    assert order(west, command="repair-air", unit="Ger Ju87B-2")["accepted"]
    page = main(west)
    assert 'id="box-track-axis"' in page
    assert "There is no unit “Otto” that you can see." in main(west, f"{PAGE}?unit=Otto")


def test_the_air_ob_is_listed_by_turn_and_one_force_alone_on_demand(west: Visitor) -> None:
    listed = main(west).partition('id="air-ob"')[2]
    assert listed.index("Jun 1 40") < listed.index("Sep 1 40")
    french = main(west, f"{PAGE}?nation=France")
    assert "Spit1" not in french
    assert "D520" in french
    assert "theatre Reich" not in french.partition('id="arps"')[2]


def test_a_long_box_ends_with_a_link_to_the_rest(west: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_COUNTERS", 20)
    page = main(west)
    assert page.count("<svg class=") == 20
    assert "box=operative-allied" in page
    assert "box=aborted" not in page
    first = main(west, f"{PAGE}?box=operative-allied")
    assert "and 16 more</a>" in first
    assert "from=20" in first
    last = main(west, f"{PAGE}?box=operative-allied&from=20")
    assert last.count("<svg class=") == 16
    assert "Back to all boxes" in last
    assert main(west, f"{PAGE}?box=operative-allied&from=x") == first


def test_small_boxes_are_drawn_whole_and_the_others_share_what_is_left() -> None:
    assert shared_out([100, 3, 50], 43) == [20, 3, 20]
    assert shared_out([5, 5], 10) == [5, 5]
    assert shared_out([5, 5], 9) == [4, 5]
    assert shared_out([], 9) == []
    assert shared_out([4, 4], 0) == [0, 0]


def test_two_turns_a_month_make_a_cycle_of_two(serve: Serve) -> None:
    visitor = serve(scenario="compass-published").visitor()
    assert "Axis: turn 1 of 2" in main(visitor)
    assert "2⅓" in main(visitor)


def test_a_scenario_without_air_says_so(home: Visitor) -> None:
    assert "no air units, no ARPs and no Air OB" in main(home)


def test_a_game_without_air_cycles_has_no_such_page(serve: Serve) -> None:
    visitor = serve(scenario="eastern-front").visitor()
    assert visitor.get(PAGE).status_code == 404
    assert visitor.get("/api/campaigns/east/air").status_code == 404


# -------------------------------------------------------------------------------------------- whose it is


@pytest.fixture
def public(serve: Serve) -> Server:
    return serve(public=True, scenario=WEST, seats=("Axis", "Allied"))


def test_the_other_sides_air_force_does_not_exist(public: Server) -> None:
    allied = public.seated(Seat(SIDE, "Allied"))
    page = main(allied)
    for theirs in ("Germany", "Italy", "Ju87", "Reich", "Axis", "G50"):
        assert theirs not in page
    hidden = main(allied, f"{PAGE}?unit=Ger+Ju87B-2").partition('id="card"')[2]
    assert "that you can see" in hidden
    answer = allied.get("/api/campaigns/east/air").text
    assert "Germany" not in answer
    assert "Britain" in answer


def test_a_front_commander_sees_the_units_of_that_front_and_no_theatres_arps(public: Server) -> None:
    page = main(public.seated(Seat(FRONT, "Axis", "front/ardennes")))
    assert "front Ardennes" in page
    assert 'id="arps"' not in page
    assert "Cyrenaica" not in page
    assert "Jul 1 40" not in page
