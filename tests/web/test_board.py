"""The board: tasks in a player's words, many alike on one line, what each leaves; the placement sheet; ways out."""

import json
import re
import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from forcepool.engine.events import Marked
from forcepool.engine.facts import place_key
from forcepool.engine.state import evolve
from forcepool.games.europa.pages.limits import room_left
from forcepool.games.europa.world import EuropaWorld
from forcepool.views.journal import title_of
from forcepool.web.app import make_app
from forcepool.web.chair import FRONT, SIDE, Seat
from forcepool.web.pages import turn
from tests.campaigns.demonstration import demonstration as demonstration_itself
from tests.support.any_game import sit_down
from tests.web.conftest import Serve, Visitor

WAITING = """
turn: Oct 3 41
phase: replacement
places: {Minsk: {front: centre}}
units: {24 Inf XX: {spec: 7-6 Inf XX (3-6), at: Minsk}, 5 Inf III: {spec: 2-6 Inf III, at: Minsk}}
"""
ADVANCE = {"order": '{"command": "advance"}'}


@pytest.fixture
def august(tmp_path: Path, demonstration: Path) -> Iterator[Visitor]:
    """The demonstration, from all sides."""
    shutil.copy(demonstration, tmp_path / "east.fp")
    with TestClient(make_app(tmp_path), base_url="http://localhost") as client:
        home = Visitor(client)
        home.get("/c/east")
        yield home


def text_of(home: Visitor, path: str = "") -> str:
    return unescape(home.get(f"/c/east{path}").text)


def test_many_alike_stand_on_one_line_with_their_price_and_what_each_leaves(august: Visitor) -> None:
    page = text_of(august)
    assert "Rebuild cadres to full strength" in page
    assert "4 cadres · front Centre, Germany · 3¾–4½ inf, 0–1½ arm each" in page
    # 11⅜ − 3¾ inf and 3⅛ − 1¼ arm.
    assert "leaves 7⅝ inf, 1⅞ arm" in page
    # The allowance of limited mountain units is no pool's: 13⅜ − 4 is what front South keeps.
    assert "leaves 9⅜ inf</small>" in page
    assert "Share of the pool per replacement phase" not in page


def test_the_first_few_of_many_alike_are_bought_together_and_undone_together(august: Visitor) -> None:
    page = text_of(august)
    form = next(each for each in page.split('action="/c/east/several"') if "4 cadres · front Centre" in each[:200])
    items = re.search(r'name="items"\s+value="([\w ]+)"', form)
    assert items
    assert 'max="4" value="2"' in form, "11⅜ inf pay for two at 3¾ and 4½, not for a third"
    sent = {"items": items[1], "count": "2"}
    told = august.post("/c/east/several", sent).json()
    assert (told["says"], told["entry"] - told["back_to"]) == ("2 done", 1)
    assert "4 cadres · front Centre, Germany" not in text_of(august)
    again = august.post("/c/east/several", sent).json()
    assert again["says"] == "none of them is open any more"
    assert august.post("/c/east/undo", {"to": str(told["back_to"])}).json()["accepted"]
    every = august.post("/c/east/several", sent | {"count": "4"}).json()
    assert re.match(r"\d done, \d not: .+front Centre", every["says"])
    assert august.post("/c/east/several", sent | {"count": "some"}).json()["says"] == "say how many of them, in figures"


def test_who_else_could_pay_is_asked_for_one_line_and_that_pool_pays_for_the_first_few(august: Visitor) -> None:
    assert 'class="payers"' not in text_of(august)
    assert 'class="payers"' not in text_of(august, "?payers=52.A.9.d/1+front/nowhere+Germany")
    page = text_of(august, "?payers=52.A.9.d/1+front/centre+Germany")
    rows = page.partition('class="payers"')[2].partition("</ul>")[0].split("<li>")[1:]
    told = [" ".join(re.sub("<[^>]+>", " ", each).split()) for each in rows]
    # The Germans' 6 7/50 inf pay for one at 3¾ or 4½; the theatre has too little armour for two of the four.
    assert told == [
        "Do the first paid from Germany, national , which holds 6 7/50 inf, 1½ arm for any of the 4",
        "Do the first paid from theatre East , which holds 10 inf only for 268 Inf XX, 292 Inf XX",
    ]
    assert ['max="4" value="1"' in rows[0], 'max="2" value="2"' in rows[1]] == [True, True]
    items = re.search(r'name="items"\s+value="([\w ]+)"', rows[1])
    assert items
    assert 'name="payer" value="theatre/east"' in rows[1]
    sent = {"items": items[1], "count": "2", "payer": "theatre/east"}
    done = august.post("/c/east/several", sent).json()
    assert (done["says"], len(done["words"])) == ("2 done", 2)
    assert "2 cadres · front Centre, Germany" in text_of(august)
    assert "11⅜ inf, 3⅛ arm" in text_of(august), "front Centre has paid nothing"
    # Where no other can be named, nobody asks.
    assert text_of(august).count("who pays?") == 4
    assert "who pays?" not in text_of(august).partition("Repair aborted air units")[2]


def test_before_the_phase_ends_pools_are_told_as_the_charts_have_them(august: Visitor) -> None:
    order = {"order": '{"command": "advance"}', "ask": "yes"}
    unspent = august.post("/c/east/do", order).json()["unspent"]
    assert "theatre East (Germany): 12 ARP" in unspent
    assert "Finland, national: 7¾ inf" in unspent


def test_the_first_turn_in_the_documentation_tells_the_prices_that_the_board_shows(august: Visitor) -> None:
    guide = " ".join((Path(__file__).parents[2] / "docs" / "first-turn.md").read_text("utf-8").split())
    assert "The 29th Motorized Division at Smolensk is a cadre" in guide
    assert "To make it whole costs 3¾ infantry and 1¼ armour points" in guide
    assert "It is August 1941 in the East, the first of four turns of the month" in guide
    assert "It is the Axis player's replacement phase" in guide
    page = " ".join(text_of(august).split())
    assert "29 Mot XX, cadre at Smolensk: full strength for 3¾ inf, 1¼ arm from front Centre" in page
    assert "Aug 1 41" in page
    assert "Axis player-turn · <b>replacement phase</b>" in page
    assert "7 Pz XX, cadre" not in page, "the guide says that it is not on the list"


def test_of_very_many_alike_the_first_are_drawn_and_the_others_when_asked_for(
    august: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = text_of(august).count("data-row tabindex")
    assert "Show the other" not in text_of(august), "what a side of the demonstration has fits"
    monkeypatch.setattr(turn, "MOST_DRAWN", 3)
    order = {"command": "note", "text": "another page"}
    august.post("/c/east/do", {"order": json.dumps(order)})
    page = text_of(august)
    left_out = sum(map(int, re.findall(r"Show the other\s+(\d+) too", page)))
    assert left_out > 0
    assert page.count("data-row tabindex") == every - left_out
    assert text_of(august, "?whole").count("data-row tabindex") == every


def test_pools_stand_beside_and_follow_a_purchase(august: Visitor) -> None:
    def beside() -> str:
        return text_of(august).partition('id="purses"')[2].partition("</section>")[0]

    assert "<b>11⅜ inf, 3⅛ arm</b>" in beside()
    order = {"command": "rebuild-cadre", "unit": "29 Mot XX", "pay_from": "front/centre"}
    assert august.post("/c/east/do", {"order": json.dumps(order)}).json()["accepted"]
    assert "<b>7⅝ inf, 1⅞ arm</b>" in beside()


def test_a_front_and_a_nation_narrow_the_board_and_stick(august: Visitor) -> None:
    narrowed = august.get("/c/east?front=front/south&nation=Rumania")
    assert "13 Rum Inf XX" in narrowed.text
    assert "29 Mot XX, cadre" not in narrowed.text
    sticks = narrowed.headers["set-cookie"].partition(";")[0]
    assert sticks.startswith("board=")
    august.cookie = f"{august.cookie}; {sticks}" if not august.cookie.startswith("board=") else sticks
    assert "29 Mot XX, cadre" not in august.get("/c/east").text


def test_news_is_folded_and_has_nothing_to_tick(august: Visitor) -> None:
    news = text_of(august).partition('<details class="card" id="agenda-news">')[2].partition("</details>")[0]
    # How many, dice have decided when the campaign was played.
    assert re.search(r"Finland has [\d½¼¾]+ operational reserve points", news)
    assert "checkbox" not in news


def test_news_is_headed_in_a_players_words_and_not_by_the_titles_of_clauses(august: Visitor) -> None:
    news = text_of(august).partition('id="agenda-news"')[2].partition("</details>")[0]
    headings = re.findall(r"<h3>(.*?) <a", news)
    assert {"Points to come", "Units on their way", "To come by the order of battle"} <= set(headings)
    titles = {title_of(clause) for clause in re.findall(r'class="clause" href="[^"]*/rules/([^"]*)"', news)}
    assert len(titles) > 5
    assert titles.isdisjoint(headings)


def test_a_unit_that_is_due_this_turn_is_told_its_turn_once(august: Visitor) -> None:
    line = re.sub(r"<[^>]*>", "", text_of(august))
    assert "KG 55 is due now on the turn track of MD Lublin Cracow: place it" in line


def test_an_air_unit_that_was_hit_is_told_what_to_enter_and_settled_in_two_steps(august: Visitor) -> None:
    answer = august.post("/c/east/help", {"order": '{"command": "lose", "unit": "StG 1 b"}'}).json()
    told = " ".join(re.sub(r"<[^>]*>", "", unescape(answer["helps"])).split())
    assert "Declare" in told
    orders = [json.loads(unescape(each)) for each in re.findall(r'name="order" value="([^"]+)"', answer["helps"])]
    assert [(each["command"], each["fact"], each["value"]) for each in orders] == [
        ("declare", "air_result", "aborted"),
        ("declare", "air_result", "eliminated"),
    ]
    assert told.count("after the step before") == len(orders)
    assert "settle-air-result" not in told


def test_a_front_is_told_nothing_of_what_other_pools_hold(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    centre = server.seated(Seat(FRONT, "Axis", "front/centre"))
    page = unescape(centre.get("/c/east").text)
    assert "/pools?pool=front%2Fcentre&of=Germany" in page
    assert "national" not in page.partition('id="purses"')[2].partition("</section>")[0]


# ----------------------------------------------------------------------------------------- the placement sheet


@pytest.fixture
def arriving(august: Visitor) -> Visitor:
    """The Soviet reinforcement phase, in which nineteen divisions and headquarters wait."""
    while august.post("/c/east/do", ADVANCE).json()["accepted"]:
        pass
    return august


def chosen(page: str) -> dict[str, str]:
    """What each line of the sheet has chosen."""
    found = {}
    for name, options in re.findall(r'name="(at\.[^"]+)" data-type>(.*?)</select>', page, re.DOTALL):
        at = re.search(r"<option selected>([^<]+)", options)
        found[name] = at[1] if at else "-"
    return found


def test_the_sheet_proposes_a_place_for_each_and_sends_no_crowd_to_one_city(arriving: Visitor) -> None:
    proposed = chosen(text_of(arriving, "/arrivals"))
    assert len(proposed) == 21
    at = [place for name, place in proposed.items() if "Rif XX" in name]
    assert "-" not in at
    assert max(at.count(place) for place in at) <= 2


def test_the_sheet_is_tried_without_being_done_and_done_and_undone_as_one(arriving: Visitor) -> None:
    proposed = chosen(text_of(arriving, "/arrivals"))
    before = arriving.get("/api/campaigns/east").json()["entries"]
    crowded = proposed | {name: "Orel" for name in proposed if name in ("at.260 Rif XX", "at.269 Rif XX")}
    tried = arriving.post("/c/east/arrivals/try", crowded, **{"x-part": "tried"}).text
    assert "2 come" in unescape(tried)
    assert arriving.get("/api/campaigns/east").json()["entries"] == before
    done = arriving.post("/c/east/arrivals", proposed | {"at.50 Army HQ XXXX": "-"}).json()
    assert (done["accepted"], done["says"], done["back_to"]) == (True, "20 placed", before + 1)
    assert len(chosen(text_of(arriving, "/arrivals"))) == 1
    assert arriving.post("/c/east/undo", {"to": str(done["back_to"])}).json()["accepted"]
    assert len(chosen(text_of(arriving, "/arrivals"))) == 21


def test_a_sheet_with_nothing_on_it_says_so(home: Visitor) -> None:
    assert "Nothing is to be placed now" in home.get("/c/east/arrivals").text
    assert home.post("/c/east/arrivals", {}).status_code == 400


# -------------------------------------------------------------------------------------------------- ways out


def test_a_refusal_brings_the_steps_that_would_help_ready_to_be_given(august: Visitor) -> None:
    order = {"command": "rebuild-cadre", "unit": "7 Pz XX", "pay_from": "front/centre"}
    refused = august.post("/c/east/do", {"order": json.dumps(order)}).json()
    helps = unescape(refused["helps"])
    assert "What would help" in helps
    steps = re.findall(r'name="order" value="([^"]+)"', refused["helps"])
    assert steps
    assert "This takes " in helps
    assert "Wait until " in helps
    # The first step can be given as it stands.
    assert august.post("/c/east/do", {"order": unescape(steps[0])}).json()["accepted"]


def test_another_sides_ways_out_are_not_told(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    soviet = server.seated(Seat(SIDE, "Soviet"))
    order = {"command": "rebuild-cadre", "unit": "78 Inf XX", "pay_from": "front/centre"}
    answer = soviet.post("/c/east/help", {"order": json.dumps(order)}).json()
    assert answer["helps"] == ""
    assert "78 Inf XX" not in json.dumps(answer).replace("'78 Inf XX'", "")


# ------------------------------------------------------------------------------------- air units, room, and news


def test_air_units_that_arps_would_bring_back_stand_on_the_board_ready_to_be_paid_for(august: Visitor) -> None:
    page = text_of(august)
    assert "Repair aborted air units" in page
    orders = re.findall(r'name="order" value="(\{[^"]*repair-air[^"]*\})"', august.get("/c/east").text)
    assert orders
    assert august.post("/c/east/do", {"order": unescape(orders[0])}).json()["accepted"]


def test_the_sheet_counts_down_what_a_place_still_takes() -> None:
    # A division of 3 REs fills a hex; a regiment of 1 leaves room for 2 more.
    campaign = sit_down("europa", WAITING).campaign
    world, state = campaign.world, campaign.state
    assert isinstance(world, EuropaWorld)

    def after(*units: str) -> list[tuple[str, str]]:
        evolve(state, [Marked(on=place_key("Minsk"), mark="placed", value=list(units), because="52.A.7/1")])
        return list(room_left(world, state, "Minsk"))

    assert after() == []
    assert after("5 Inf III") == [("1 of 3 REs of replacements, room for 2 more", "52.A.7/1")]
    assert after("5 Inf III", "24 Inf XX") == [("4 of 3 REs of replacements, no room for more", "52.A.7/1")]


def test_the_sheet_counts_what_factories_take_of_each_pool() -> None:
    # Two factories at Gorki take 4 REs a turn of each pool: a tank division of 3 leaves 1, and all 4 for infantry.
    campaign = demonstration_itself()
    world, state = campaign.world, campaign.state.copy()
    assert isinstance(world, EuropaWorld)
    units = state.units_in_order()
    tank = next(each.id for each in units if (each.spec.type, each.spec.size, each.step) == ("Tk", "XX", "full"))
    evolve(state, [Marked(on=place_key("Gorki"), mark="placed", value=[tank], because="52.A.7/1")])
    told = {clause: words for words, clause in room_left(world, state, "Gorki")}
    assert told["52.D.2.c/3"] == "3 of 4 REs of what arm points paid for at its factories, room for 1 more"
