"""The factories page: what each makes, why a line is cut, what the other side learns; factories and composites of the
second game with their buttons."""

import json
import re

import pytest

from forcepool.web.chair import FRONT, SIDE, Seat
from tests.web.conftest import Serve, Visitor, as_read


def text(visitor: Visitor, path: str = "/c/east/factories") -> str:
    answer = visitor.get(path)
    assert answer.status_code == 200
    return as_read(answer.text)


def part(page: str, place: str) -> str:
    return page.partition(f">{place}</a>")[2].partition("</li>")[0]


def declare(visitor: Visitor, fact: str, value: str | int) -> None:
    """Say something about Moscow."""
    order = json.dumps({"command": "declare", "fact": fact, "value": value, "about": "Moscow"})
    assert visitor.post("/c/east/do", {"order": order}).json()["accepted"]


# ------------------------------------------------------------------------------------------------- Soviet factories


def test_a_factory_tells_what_it_makes_and_when_with_the_clause(serve: Serve, corridor: str) -> None:
    page = text(serve(scenario=corridor).visitor())
    moscow = part(page, "Moscow")
    assert "1 arm, ½ art" in moscow
    assert "next Aug 1 41" in moscow
    assert "/rules/52.D.2.b/1" in moscow
    assert "Not in production" in part(page, "Gorki")
    assert "⅓ arm" in part(page, "Gorki")
    assert "<b>1 arm, ½ art</b> to the general pools" in page


def test_a_cut_line_says_where_and_leads_to_the_map(serve: Serve, corridor: str) -> None:
    moscow = part(text(serve(scenario=corridor).visitor()), "Moscow")
    assert "Coal cut" in moscow
    assert "1:1107 (7 Pz XX)" in moscow
    assert "line=coal" in moscow
    assert "Oil open" in moscow


def test_sources_of_coal_and_oil_are_listed_with_their_state(serve: Serve, corridor: str) -> None:
    page = text(serve(scenario=corridor).visitor()).partition('id="sources"')[2]
    assert "works" in page.partition(">Baku<")[2].partition("</tr>")[0]
    assert "from Jan 1 42 on" in page.partition(">Vorkuta<")[2].partition("</tr>")[0]


def test_only_the_soviets_see_their_factories_and_not_who_cuts_their_lines(serve: Serve, corridor: str) -> None:
    server = serve(public=True, scenario=corridor)
    axis = text(server.seated(Seat(SIDE, "Axis")))
    assert "only they see them" in axis
    assert "Moscow" not in axis.partition("<main")[2]
    soviet = text(server.seated(Seat(SIDE, "Soviet")))
    assert "7 Pz XX" not in soviet
    assert "a unit you do not see" in soviet
    front = text(server.seated(Seat(FRONT, "Soviet", "front/north")))
    assert "no factory in your front" in front
    assert "Moscow" in text(server.seated(Seat(FRONT, "Soviet", "front/west"))).partition("<main")[2]


def test_a_captured_factory_makes_nothing(serve: Serve, corridor: str) -> None:
    home = serve(scenario=corridor).visitor()
    home.get("/c/east")
    declare(home, "owner", "Axis")
    page = text(home)
    assert "In the hands of Axis" in part(page, "Moscow")
    assert "<b>–</b> to the general pools" in page


@pytest.mark.parametrize(
    ("turns", "says", "makes"), [(6, "full production", "1 arm, ½ art"), (7, "it makes half", "½ arm, ¼ art")]
)
def test_six_turns_of_want_cost_nothing_and_the_seventh_half(
    serve: Serve, corridor: str, turns: int, says: str, makes: str
) -> None:
    home = serve(scenario=corridor).visitor()
    home.get("/c/east")
    declare(home, "out_of_supply", turns)
    moscow = part(text(home), "Moscow")
    assert f"Out of supply for {turns} turns" in moscow
    assert says in moscow
    assert f"<b>{makes}</b>" in moscow


def test_an_isolated_factory_keeps_what_it_makes_and_sends_nothing(serve: Serve, corridor: str) -> None:
    home = serve(scenario=corridor).visitor()
    home.get("/c/east")
    declare(home, "isolated", "supply")
    page = text(home)
    assert "/rules/52.D.2.c.1/1" in part(page, "Moscow")
    assert "<b>–</b> to the general pools" in page


def test_a_campaign_without_factories_has_no_such_page(home: Visitor) -> None:
    assert home.get("/c/east/factories").status_code == 404
    assert "/c/east/factories" not in home.get("/c/east").text


# ---------------------------------------------------------------------------------------- the game of points and lines


@pytest.fixture
def eastern(serve: Serve) -> Visitor:
    """The first Soviet phase in which factories produce and units are combined."""
    visitor = serve(scenario="eastern-front").visitor()
    visitor.get("/c/east")
    return visitor


def on_to_the_soviets(visitor: Visitor) -> str:
    """Play on to the Soviet phase in which factories are asked for their output."""
    for _ in range(12):
        page = visitor.get("/c/east/factories").text
        if "Soviet player-turn" in page and "replacement" in page:
            return as_read(page)
        answer = visitor.post("/c/east/do", {"order": '{"command": "advance"}', "override": "for the test"})
        assert answer.json()["accepted"], answer.json()
    raise AssertionError("the Soviet phase did not come")


def test_factories_stand_by_where_they_are_with_output_and_months(eastern: Visitor) -> None:
    page = text(eastern)
    assert "Factories on the map <small>11" in page
    assert "Factories to be chosen <small>13" in page
    kharkov = part(page, "Tank Kharkov")
    assert "1 tank in Jan, Mar, May, Jul, Sep, Nov" in kharkov
    assert "/rules/EF.expansion/10" in kharkov
    assert "next Jul 41" in kharkov


def test_what_is_closed_says_why_and_what_is_open_is_a_button(eastern: Visitor) -> None:
    page = on_to_the_soviets(eastern)
    leningrad = part(page, "Artillery Leningrad")
    order = re.search(r'value="(\{"command":"produce"[^>]*\})"', leningrad)
    assert order
    assert "not in Jun 41" in part(page, "Tank Leningrad")
    assert eastern.post("/c/east/do", {"order": order[1]}).json()["accepted"]
    assert "has produced this turn" in part(text(eastern), "Artillery Leningrad")


def test_the_six_recipes_tell_what_they_need_from_when_and_what_is_free(eastern: Visitor) -> None:
    recipes = text(eastern).partition('id="recipes"')[2]
    for kind in ("Shock army", "Cavalry-mechanized group", "Tank army", "Guards infantry army", "Guards tank army"):
        assert f">{kind}" in recipes
    assert "from Jun 42" in recipes
    assert "/rules/EF.composite/9" in recipes


@pytest.mark.parametrize(("played", "parts"), [("dead-pile", "its parts are not kept by"), ("set-aside", "made of")])
def test_a_shock_army_is_made_by_its_button_and_listed_with_its_parts(
    eastern: Visitor, played: str, parts: str
) -> None:
    rule = json.dumps({"command": "house-rule", "rule": "components", "option": played})
    assert eastern.post("/c/east/do", {"order": rule}).json()["accepted"]
    shock = on_to_the_soviets(eastern).partition(">Shock army")[2].partition("</li>")[0]
    order = re.search(r'value="(\{"command":"form"[^>]*\})"', shock)
    assert order
    assert "1 Art XX" in order[1]
    assert eastern.post("/c/east/do", {"order": order[1]}).json()["accepted"]
    made = part(text(eastern).partition('id="composites"')[2], "1 Shock Army")
    assert "shock army, minor · Moscow" in made
    assert parts in made
    assert ("1 Art XX" in made) == (played == "set-aside")
    assert "/rules/EF.composite/2" in made


def test_the_other_side_sees_neither_factories_nor_recipes(serve: Serve) -> None:
    server = serve(public=True, scenario="eastern-front")
    axis = text(server.seated(Seat(SIDE, "Axis"))).partition("<main")[2]
    assert "only they see them" in axis
    assert "Tank Kharkov" not in axis
    assert "Tank Kharkov" in text(server.seated(Seat(SIDE, "Soviet")))


ASKING = {"order": '{"command": "advance"}', "ask": "yes"}


def test_one_player_for_all_sides_is_told_what_the_soviets_lose_as_the_first_phase_ends(eastern: Visitor) -> None:
    asked = eastern.post("/c/east/do", ASKING).json()
    assert not asked["accepted"]
    assert "Lost if it ends now" in asked["panel"]
    assert "Tank A" in asked["panel"]
    order = json.dumps({"command": "choose-first-factory", "unit": "Tank A"})
    assert eastern.post("/c/east/do", {"order": order}).json()["accepted"]
    assert eastern.post("/c/east/do", ASKING).json()["accepted"]


def test_a_seat_is_asked_about_its_own_losses_alone(serve: Serve) -> None:
    axis = serve(public=True, scenario="eastern-front").seated(Seat(SIDE, "Axis"))
    assert axis.post("/c/east/do", ASKING).json()["accepted"]


# ------------------------------------------------------------------------------------------ pages of another game


def test_a_page_of_another_game_is_not_there_for_players_or_programs(eastern: Visitor) -> None:
    answer = eastern.get("/c/east/reserves")
    assert answer.status_code == 404
    assert "This game has no such page" in answer.text
    assert "/c/east/reserves" not in text(eastern)
    told = eastern.get("/api/campaigns/east/air")
    assert (told.status_code, told.json()["error"]) == (404, "This game has no such page.")


def test_a_program_without_a_seat_is_told_so_at_an_address_that_a_game_brings(serve: Serve) -> None:
    stranger = serve(public=True, scenario="eastern-front").visitor()
    assert stranger.get("/api/campaigns/east/reserves").status_code == 401
    assert stranger.get("/c/east/reserves").status_code == 404
