"""The force pool and the unit's card: boxes, track, filters, options with their reasons, and what a seat sees of it."""

import re

import pytest

from forcepool.engine.units import Strength, UnitSpec
from forcepool.web.chair import FRONT, OBSERVER, REFEREE, SIDE, Seat
from forcepool.web.counters import caption
from tests.web.conftest import Serve, Visitor, as_read


def page_of(visitor: Visitor, path: str) -> str:
    answer = visitor.get(f"/c/east{path}")
    assert answer.status_code == 200
    return as_read(answer.text)


def counters(page: str) -> set[str]:
    """The units whose counters lie on the page."""
    return set(re.findall(r'class="counter[^"]*" href="[^"]*"[^>]*><svg[^>]*aria-label="([^:"]+):', page))


def part(page: str, id_: str) -> str:
    return page.partition(f'id="{id_}"')[2].partition("</section>")[0]


# ------------------------------------------------------------------------------------------ boxes and track


def test_the_boxes_of_the_paper_charts_hold_their_counters(home: Visitor) -> None:
    page = page_of(home, "/pool?side=Axis")
    assert counters(part(page, "box-eliminated")) == {"263 Inf XX", "900 Mot X"}
    assert "10 Pz XX" in counters(part(page, "box-reduced"))
    assert "ELIMINATED ISOLATED BOX" in page_of(home, "/pool")


def test_from_all_sides_enemies_lie_in_boxes_of_their_own(home: Visitor) -> None:
    page = page_of(home, "/pool")
    assert counters(part(page, "box-eliminated-axis")) == {"263 Inf XX", "900 Mot X"}
    assert counters(part(page, "box-eliminated-soviet")) == {"110 Rif XX"}
    assert 'id="box-eliminated"' not in page
    assert '<h2 class="side-name"><a href="/c/east/pool?side=Soviet" data-patch>Soviet</a>' in page


def test_a_long_name_is_parted_where_one_would_and_strengths_are_not() -> None:
    division = UnitSpec(Strength(7, 7, 6), "Inf", "XX")
    assert caption("Grossdeutschland Inf XX", division) == "Gross\u00addeutsch\u00adland Inf"
    assert caption("2 Inf XX (3-6)", division) == "2 Inf (3\u20116)"
    assert caption("24 Inf XX", division) == "24 Inf"


def test_the_turn_track_has_a_column_a_turn_and_says_which_is_now(home: Visitor) -> None:
    page = page_of(home, "/pool")
    names = re.findall(r'<span class="name">(\w+ \d \d\d)', page)
    assert names[:4] == ["Oct 3 41", "Oct 4 41", "Nov 1 41", "Nov 2 41"]
    assert re.search(r"Oct 3 41 <em>now</em>", page)
    assert "nothing due" in page


def test_full_units_on_the_map_are_listed_only_when_asked_for(home: Visitor) -> None:
    assert "2 Pz XX" not in counters(page_of(home, "/pool"))
    assert "2 Pz XX" in counters(page_of(home, "/pool?map=yes"))
    assert "2 Pz XX" in counters(page_of(home, "/pool?box=hex"))


@pytest.mark.parametrize(
    ("filters", "there", "gone"),
    [
        ("nation=Germany", "10 Pz XX", "110 Rif XX"),
        ("side=Soviet", "110 Rif XX", "10 Pz XX"),
        ("type=Pz", "10 Pz XX", "23 Inf XX"),
        ("front=front/west", "53 Rif XX", "23 Inf XX"),
        ("box=eliminated", "263 Inf XX", "10 Pz XX"),
        ("q=10+pz", "10 Pz XX", "6 Pz XX"),
    ],
)
def test_the_pool_is_narrowed_by_nation_side_type_front_box_and_name(
    home: Visitor, filters: str, there: str, gone: str
) -> None:
    assert there in counters(page_of(home, "/pool"))
    assert gone in counters(page_of(home, "/pool"))
    page = page_of(home, f"/pool?{filters}")
    assert there in counters(page)
    assert gone not in counters(page)


def test_what_nothing_fits_is_said(home: Visitor) -> None:
    assert "No counter fits this." in page_of(home, "/pool?q=nonesuch")


def test_a_counter_keeps_the_filters_when_it_opens_its_card(home: Visitor) -> None:
    assert 'href="/c/east/pool?nation=Germany&unit=10+Pz+XX"' in page_of(home, "/pool?nation=Germany")


# -------------------------------------------------------------------------------------------------- the card


def test_the_card_lists_an_open_option_with_cost_and_working_ready_to_be_given(home: Visitor) -> None:
    page = page_of(home, "/unit/10 Pz XX")
    assert "11-10 Pz XX (4-8)" in page
    assert "3½ inf, 3½ arm" in page
    assert "full 11 − cadre 4" in page
    assert '{"command":"rebuild-cadre","unit":"10 Pz XX","pay_from":"front/centre"}' in page


def test_the_card_gives_every_reason_for_a_closed_option_and_lets_it_be_overruled(home: Visitor) -> None:
    closed = page_of(home, "/unit/78 Inf XX").partition('id="card-closed"')[2]
    assert "/rules/52.A.9.d/3" in closed
    assert "stands in the larger ZOC" in closed
    assert "Overrule with a note" in closed
    assert 'name="override" required' in closed


def test_ways_closed_for_the_same_reason_stand_together_as_a_choice(home: Visitor) -> None:
    closed = page_of(home, "/unit/78 Inf XX").partition('id="card-closed"')[2]
    assert closed.count("stands in the larger ZOC") == 1
    assert "<option" in closed
    assert ">paid from Germany's national pool</option>" in closed


def test_the_card_shows_what_holds_for_a_unit_in_reserve(home: Visitor) -> None:
    page = page_of(home, "/unit/137 Inf XX")
    assert "may not fire AA" in page
    assert "/rules/49.A.2.a/1" in page


def test_the_card_tells_how_the_unit_got_there(home: Visitor) -> None:
    assert "Nothing has happened to it yet." in page_of(home, "/unit/6 Pz XX")
    order = '{"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}'
    assert home.post("/c/east/do", {"order": order}).json()["accepted"]
    page = page_of(home, "/unit/6 Pz XX")
    assert 'href="/c/east/journal/2"' in page
    assert "6 Pz XX: cadre → full" in page


def test_the_card_beside_the_pool_is_the_same_card(home: Visitor) -> None:
    page = page_of(home, "/pool?unit=10 Pz XX")
    assert "full 11 − cadre 4" in page
    assert 'aria-current="true"' in page


def test_a_unit_is_found_in_any_letters_and_one_that_is_not_there_is_said_so(home: Visitor) -> None:
    assert "11-10 Pz XX" in page_of(home, "/unit/10 pz xx")
    assert home.get("/c/east/unit/no such").status_code == 404
    assert "There is no unit “no such”" in page_of(home, "/pool?unit=no such")


# ---------------------------------------------------------------------------------------------- what is seen


def test_a_side_sees_its_own_counters_and_none_of_the_others(serve: Serve) -> None:
    axis = serve(public=True).seated(Seat(SIDE, "Axis"))
    page = page_of(axis, "/pool?map=yes&out=yes")
    assert "10 Pz XX" in counters(page)
    assert not re.search(r"Rif XX|Soviet Union", page)


def test_a_unit_of_the_other_side_answers_like_one_that_never_was(serve: Serve) -> None:
    axis = serve(public=True).seated(Seat(SIDE, "Axis"))
    theirs, nobodys = axis.get("/c/east/unit/110 Rif XX"), axis.get("/c/east/unit/111 Rif XX")
    assert (theirs.status_code, nobodys.status_code) == (404, 404)
    assert theirs.text.replace("110", "111") == nobodys.text
    assert "There is no unit “110 Rif XX”" in page_of(axis, "/pool?unit=110 Rif XX")


def test_a_front_commander_sees_the_front_and_is_offered_only_what_the_front_can_pay(serve: Serve) -> None:
    centre = serve(public=True).seated(Seat(FRONT, "Axis", "front/centre"))
    assert "10 Pz XX" in counters(page_of(centre, "/pool"))
    card = page_of(centre, "/unit/10 Pz XX")
    assert '"pay_from":"front/centre"' in card
    assert "national/Germany" not in card


def test_an_observer_sees_the_options_and_no_button(serve: Serve) -> None:
    card = page_of(serve(public=True).seated(Seat(OBSERVER)), "/unit/10 Pz XX")
    assert "3½ inf, 3½ arm" in card
    assert 'action="/c/east/do"' not in card


def test_of_an_entry_that_concerns_both_sides_a_card_tells_only_the_seats_own_part(serve: Serve) -> None:
    server = serve(public=True)
    referee, axis = server.seated(Seat(REFEREE)), server.seated(Seat(SIDE, "Axis"))
    for seat, unit in ((axis, "2 Pz XX"), (referee, "32 Rif XX")):
        seat.get("/c/east/losses")
        assert seat.post("/c/east/losses", {"text": unit}).json()["accepted"]
    for _ in range(14):
        assert referee.post("/c/east/do", {"order": '{"command": "advance"}'}).json()["accepted"]
    why = page_of(axis, "/unit/2 Pz XX").partition('id="card-why"')[2].partition("</ol>")[0]
    assert len(re.findall("Entry", why)) > 1, "it was lost, and counted as a phase began"
    assert "of Germany: losses" in why, "what its loss brings is part of its history"
    assert "Soviet Union" not in why


# ---------------------------------------------------------------------------------------------- a long list


def test_a_long_box_is_cut_and_the_rest_is_a_link_away(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forcepool.web.pages.pool.MOST_COUNTERS", 1)
    monkeypatch.setattr("forcepool.web.pages.pool.FEWEST_A_BOX", 1)
    visitor = serve().visitor()
    both = page_of(visitor, "/pool?box=eliminated")
    assert len(counters(both)) == 2, "one of each side"
    assert 'href="/c/east/pool?side=Axis&box=eliminated" data-patch>and 1 more' in both
    first = page_of(visitor, "/pool?box=eliminated&side=Axis")
    assert len(counters(first)) == 1
    assert 'href="/c/east/pool?side=Axis&box=eliminated&from=1" data-patch>and 1 more' in first
    rest = page_of(visitor, "/pool?box=eliminated&side=Axis&from=1")
    assert counters(rest).isdisjoint(counters(first))
    assert len(counters(rest)) == 1
    assert "and 1 more" not in rest


def test_a_front_commander_is_not_told_what_other_pools_of_the_side_hold(serve: Serve) -> None:
    server = serve(public=True)
    referee, axis = server.seated(Seat(REFEREE)), server.seated(Seat(SIDE, "Axis"))
    centre = server.seated(Seat(FRONT, "Axis", "front/centre"))
    referee.get("/c/east")
    take = '"pool": "front/centre", "nation": "Germany", "kind": "arm", "amount": "-2", "note": "a trial"'
    assert referee.post("/c/east/do", {"order": f'{{"command": "correct-points", {take}}}'}).json()["accepted"]
    short = "costs 3½ arm"
    assert f"{short} (full 11 − cadre 4), front Centre has 1¾" in page_of(centre, "/unit/10 Pz XX")
    assert "Move 1¾ arm from Germany's national pool" in page_of(axis, "/unit/10 Pz XX")
    for name in ("national/Germany", "national pool"):
        assert name not in page_of(centre, "/unit/10 Pz XX")
    order = '{"command": "rebuild-cadre", "unit": "10 Pz XX", "pay_from": "front/centre"}'
    refused = centre.post("/c/east/do", {"order": order})
    assert refused.status_code == 422
    assert short in refused.text
    assert "national/Germany" not in refused.text
    assert "national pool" not in refused.text
