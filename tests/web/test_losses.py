"""The losses page: many at once, tried before they are recorded, undone together, and only one's own."""

import json
import re
import shutil
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from forcepool import games
from forcepool.store.open import campaign_file
from forcepool.views.losses import read_in_pieces, read_losses
from forcepool.web.app import make_app
from forcepool.web.chair import OBSERVER, SIDE, Seat
from forcepool.web.pages.losses import with_choice
from tests.web.conftest import Serve, Visitor, as_read

PART = {"accept": "text/html", "x-part": "tried"}


@pytest.fixture
def taker(home: Visitor) -> Visitor:
    home.get("/c/east/losses")
    return home


def tried(visitor: Visitor, text: str) -> str:
    answer = visitor.post("/c/east/losses/try", {"text": text}, **PART)
    assert answer.status_code == 200
    return as_read(answer.text)


def test_what_is_written_is_tried_line_by_line_and_nothing_is_recorded(taker: Visitor) -> None:
    part = tried(taker, "2 Pz XX -> cadre\n6 Pz XX -> cadr")
    assert "1 understood, 1 not" in part
    assert "2 Pz XX: full → cadre" in part
    assert "line 2, column 12" in part
    assert "'cadr' is no step to lose to" in part
    assert taker.post("/c/east/undo").status_code == 400


def test_the_special_replacements_are_totalled_with_their_working_and_clause(taker: Visitor) -> None:
    part = tried(taker, "2 Pz XX -> cadre")
    assert "× ½ =" in part
    assert "/rules/52.F.5.a/1" in part
    assert "Special replacements" not in tried(taker, "")


def test_the_example_in_the_empty_field_is_understood_line_by_line(tmp_path: Path, demonstration: Path) -> None:
    shutil.copy(demonstration, tmp_path / "east.fp")
    with TestClient(make_app(tmp_path), base_url="http://localhost") as client:
        home = Visitor(client)
        home.get("/c/east")
        for side in ("Axis", "Soviet"):
            home.post("/c/east/sit", {"side": side})
            empty = home.get("/c/east/losses").text.partition('id="losses-text"')[2]
            example = re.search(r'placeholder="([^"]*)"', empty)
            assert example is not None
            lines = unescape(example[1]).split("\n")
            # One at a time: they are about the same few units.
            assert [line for line in lines if "1 understood<" not in tried(home, line)] == []


def test_an_isolated_loss_brings_a_tenth(taker: Visitor) -> None:
    assert "× ⅒" in tried(taker, "2 Pz XX isolated") or "1/10" in tried(taker, "2 Pz XX isolated")
    assert "× ½ =" not in tried(taker, "2 Pz XX isolated")


def test_all_that_is_understood_is_recorded_an_entry_each_and_one_undo_takes_all_back(taker: Visitor) -> None:
    done = taker.post("/c/east/losses", {"text": "2 Pz XX -> cadre, 3 Mot XX\n5 Inf XX isolated"}).json()
    assert done["accepted"]
    assert (done["back_to"], done["entry"], done["left"]) == (2, 4, "")
    assert done["says"] == "3 losses recorded"
    undone = taker.post("/c/east/undo", {"to": str(done["back_to"]), "seen": str(done["seq"])}).json()
    assert undone["says"] == "undone: 3 entries"
    assert ">2 Pz XX</a>" in taker.get("/c/east/losses").text


def test_what_was_not_understood_stays_to_be_put_right(taker: Visitor) -> None:
    done = taker.post("/c/east/losses", {"text": "2 Pz XX\n# a remark\n6 Pz XX -> cadr, 3 Mot XX\nnobody"}).json()
    assert done["accepted"]
    assert done["says"] == "2 losses recorded, 2 left to be put right"
    assert done["left"] == "6 Pz XX -> cadr\nnobody"


def test_when_nothing_is_understood_nothing_is_recorded(taker: Visitor) -> None:
    answer = taker.post("/c/east/losses", {"text": "nobody"})
    assert answer.status_code == 422
    assert answer.json()["left"] == "nobody"
    assert taker.post("/c/east/losses", {"text": " "}).json()["says"] == "there is no loss to record yet"


def test_the_same_losses_sent_twice_are_taken_once(taker: Visitor) -> None:
    assert taker.post("/c/east/losses", {"text": "3 Mot XX"}).json()["accepted"]
    again = taker.post("/c/east/losses", {"text": "3 Mot XX"})
    assert again.status_code == 422


def test_without_script_the_page_keeps_what_was_left_and_says_what_was_recorded(taker: Visitor) -> None:
    page = taker.post("/c/east/losses", {"text": "2 Pz XX\nnobody"}, accept="text/html")
    assert page.status_code == 422
    assert ">nobody</textarea>" in page.text
    assert "1 loss recorded" in page.text
    whole = taker.post("/c/east/losses", {"text": "3 Mot XX"}, accept="text/html")
    assert (whole.status_code, whole.headers["location"]) == (303, "/c/east/losses?done=3")


def test_without_script_a_picked_unit_becomes_a_line(taker: Visitor) -> None:
    form = {"text": "2 Pz XX", "pick": "5 Inf XX -> cadre", "isolated": "yes"}
    page = as_read(taker.post("/c/east/losses/try", form, accept="text/html").text)
    assert "2 Pz XX\n5 Inf XX -> cadre isolated\n</textarea>" in page
    assert "2 understood" in page


def test_where_several_units_fit_each_is_a_button_that_takes_the_place_of_what_was_written(taker: Visitor) -> None:
    text = "# today\n3 Mot XX, 5 X -> cadre"
    part = tried(taker, "3-6 Inf XX, 3 Mot XX")
    choices = re.findall(r'name="choose"\s+value="([^"]+)"', part)
    assert len(choices) > 1
    assert "Which one?" in part
    form = {"text": "3-6 Inf XX, 3 Mot XX", "choose": choices[0]}
    page = as_read(taker.post("/c/east/losses/try", form, accept="text/html").text)
    assert f"{choices[0].split(' ', 3)[3]}, 3 Mot XX</textarea>" in page
    assert "2 understood" in page
    for wrong in ("", "x", "9 1 1 nobody", "1 1 nobody", "0 0 0 nobody"):
        assert with_choice(text, wrong) == text


def test_no_message_on_the_page_speaks_of_a_terminal(taker: Visitor) -> None:
    assert "'forcepool" not in tried(taker, "nobody\n9-9 Inf XX\n3-6 Inf XX\n-> cadre\n24 Inf XX -> dust\n8-6")


def test_units_on_the_map_are_picked_with_the_steps_they_have(taker: Visitor) -> None:
    page = as_read(taker.get("/c/east/losses").text)
    assert 'value="2 Pz XX -> cadre"' in page
    assert 'value="4 HQ XXXX -> cadre"' not in page
    assert 'value="10 Pz XX -> cadre"' not in page, "it is a cadre already"
    assert 'value="263 Inf XX"' not in page, "it is not on the map"
    assert 'value="3 Mot XX"' not in as_read(taker.get("/c/east/losses?q=2+pz").text)


def test_a_seat_neither_names_nor_hears_of_the_other_sides_units(serve: Serve) -> None:
    axis = serve(public=True).seated(Seat(SIDE, "Axis"))
    page = as_read(axis.get("/c/east/losses").text)
    assert "2 Pz XX" in page
    assert "Rif XX" not in page
    # An exact name, the beginning of one, and one nearly right: none of them brings it to light.
    for text in ("53 Rif XX", "53", "54 Rif XX", "5-6 Rif XX"):
        part = tried(axis, text)
        assert "0 understood, 1 not" in part
        assert "Rif XX" not in part.replace(text, "")
        assert axis.post("/c/east/losses", {"text": text}).status_code == 422


def test_a_seat_hears_only_of_its_own_special_replacements(serve: Serve) -> None:
    server = serve(public=True)
    axis, soviet = server.seated(Seat(SIDE, "Axis")), server.seated(Seat(SIDE, "Soviet"))
    for seat, unit in ((axis, "2 Pz XX"), (soviet, "32 Rif XX")):
        seat.get("/c/east/losses")
        assert seat.post("/c/east/losses", {"text": unit}).json()["accepted"]
    assert "Germany: " in tried(axis, "")
    assert "Soviet Union" not in tried(axis, "")
    assert "Germany" not in tried(soviet, "")


def test_an_observer_has_nothing_to_record_with(serve: Serve) -> None:
    observer = serve(public=True).seated(Seat(OBSERVER))
    assert "<textarea" not in observer.get("/c/east/losses").text
    assert observer.post("/c/east/losses", {"text": "2 Pz XX"}).status_code == 422


def test_the_other_game_reads_its_own_lines(serve: Serve) -> None:
    visitor = serve(scenario="eastern-front").visitor()
    visitor.get("/c/east/losses")
    part = tried(visitor, "3 Army\n10 Army isolated\nnobody")
    assert "dead pile" in part
    assert "2 understood, 1 not" in part


@pytest.mark.parametrize("between", ["\n", "\r", "\x0b", "\u2028"])
def test_two_hundred_losses_are_read_at_a_time_however_they_are_parted(home: Visitor, between: str) -> None:
    # By the API, since a form makes every end of a line the same.
    headers, names = {"content-type": "application/json"}, [f"{number} Jnf XX" for number in range(201)]
    for count, status in ((200, 200), (201, 400)):
        body = json.dumps({"text": between.join(names[:count]), "dry_run": True})
        answer = home.client.post("/api/campaigns/east/losses", content=body, headers=headers)
        assert answer.status_code == status
    assert "at most 200 losses" in answer.json()["error"]


def test_names_like_a_wrong_one_are_looked_for_a_few_times_only(home: Visitor) -> None:
    body = json.dumps({"text": "\n".join(["78 Jnf XX"] * 20), "dry_run": True})
    answer = home.client.post("/api/campaigns/east/losses", content=body, headers={"content-type": "application/json"})
    hinted = ["did you mean" in line["problem"] for line in answer.json()["lines"]]
    assert hinted == [True, True, True, False, False] * 4, "of every five that are tried in one go, three"


@pytest.mark.parametrize(("count", "says"), [(20, ""), (21, "at most 20 losses on one line"), (201, "at most 200")])
def test_a_line_holds_twenty_losses_with_commas_between(home: Visitor, count: int, says: str) -> None:
    body = json.dumps({"text": ", ".join(["1 Jnf XX"] * count), "dry_run": True})
    answer = home.client.post("/api/campaigns/east/losses", content=body, headers={"content-type": "application/json"})
    assert says in answer.json().get("error", "")
    assert answer.status_code == (400 if says else 200)


def test_read_in_pieces_losses_come_to_the_same(begun: Callable[..., Path], tmp_path: Path) -> None:
    """Line by line, with the losses before them counted: a unit is lost once, and all of them bring points together."""
    path = shutil.copy(begun(), tmp_path / "east.fp")
    with campaign_file(path, games.build_world) as campaign:
        units = [each.id for each in campaign.state.units_in_order() if each.place.on_map]
        text = "\n".join([*units[:7], "# a comment", "", "nobody", ", ".join(units[5:14]), *units[12:20], units[0]])
        whole, *_ = [read_losses(campaign, text)]
        *parts, last = read_in_pieces(campaign, text)
        *_, nothing = read_in_pieces(campaign, "")
    assert len(parts) > 3
    assert [(each.number, each.column, each.text, each.events) for each in last.lines] == [
        (each.number, each.column, each.text, each.events) for each in whole.lines
    ]
    assert (last.brings, last.because) == (whole.brings, whole.because)
    assert nothing.lines == ()
