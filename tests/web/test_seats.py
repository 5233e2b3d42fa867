"""Seats: by invitation, once; each sees and does its own; taking one away ends it."""

import json
import re
import sqlite3
from html import unescape

import pytest

from forcepool.web.chair import FRONT, HOST, OBSERVER, REFEREE, SIDE, Seat
from forcepool.web.registry import FILE, MOST_KEYS, MOST_TICKS
from tests.web.conftest import Serve, Visitor

AXIS, SOVIET = Seat(SIDE, "Axis", name="Otto"), Seat(SIDE, "Soviet")
REBUILD = {"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}


def do(visitor: Visitor, command: dict[str, str]) -> int:
    status: int = visitor.post("/c/east/do", {"order": json.dumps(command)}).status_code
    return status


def test_without_an_invitation_nothing_is_shown_not_even_that_there_is_a_campaign(serve: Serve) -> None:
    stranger = serve(public=True).visitor()
    there, not_there = stranger.get("/c/east"), stranger.get("/c/west")
    assert there.status_code == not_there.status_code == 404
    hide = re.compile(r'data-token="[0-9a-f]+"|value="[0-9a-f]{64}"')
    assert hide.sub("", there.text) == hide.sub("", not_there.text)
    assert "east" not in stranger.get("/").text


def test_an_invitation_serves_once_and_its_word_never_comes_back(serve: Serve) -> None:
    server = serve(public=True)
    _, word = server.app.state.registry.invite("east", AXIS)
    first, second = server.visitor(), server.visitor()
    page = first.get(f"/join/{word}")
    assert "Axis" in page.text
    assert first.get(f"/join/{word}").status_code == 200, "looking at a link does not use it up"
    sat = first.post(f"/join/{word}")
    assert sat.headers["location"] == "/c/east"
    assert word not in first.get("/c/east").text
    assert second.get(f"/join/{word}").status_code == 404
    second.get("/")
    assert second.post(f"/join/{word}").status_code == 404
    assert first.get("/c/east").status_code == 200


def test_a_seat_that_was_taken_away_opens_nothing(serve: Serve) -> None:
    server = serve(public=True)
    axis, referee = server.seated(AXIS), server.seated(Seat(REFEREE))
    assert axis.get("/c/east").status_code == 200
    referee.get("/c/east/seats")
    assert referee.post("/c/east/seats/end", {"invitation": "1"}, accept="text/html").status_code == 200
    assert axis.get("/c/east").status_code == 404
    assert do(axis, REBUILD) == 404


def test_only_host_and_referee_give_out_seats(serve: Serve) -> None:
    server = serve(public=True)
    axis, referee = server.seated(AXIS), server.seated(Seat(REFEREE))
    wish = {"role": "side", "side": "Soviet", "name": "Ivan"}
    axis.get("/c/east/seats")
    assert axis.post("/c/east/seats/invite", wish).status_code == 403
    referee.get("/c/east/seats")
    made = unescape(referee.post("/c/east/seats/invite", wish).text)
    link = re.search(r"/join/[\w-]+", made)
    assert link
    visitor = server.visitor()
    assert "Soviet" in visitor.get(link[0]).text
    assert link[0] not in referee.get("/c/east/seats").text, "it is shown once"


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"role": "king"}, "choose a role"),
        ({"role": "side", "side": "Neutral"}, "choose the side"),
        ({"role": "side"}, "choose the side"),
        ({"role": "front", "side": "Axis", "front": "front/moon"}, "choose the front"),
    ],
)
def test_a_seat_that_makes_no_sense_is_not_offered(serve: Serve, wish: dict[str, str], says: str) -> None:
    referee = serve(public=True).seated(Seat(REFEREE))
    referee.get("/c/east/seats")
    answer = referee.post("/c/east/seats/invite", wish)
    assert answer.status_code == 400
    assert says in answer.text


def test_no_two_seats_of_a_side_have_the_same_name(serve: Serve) -> None:
    """A commander reads the notes that bear his name: another's must not bear it too."""
    server = serve(public=True)
    referee = server.seated(Seat(REFEREE))
    server.seated(Seat(SIDE, "Axis", name="Otto"))
    referee.get("/c/east/seats")
    answer = referee.post(
        "/c/east/seats/invite", {"role": "front", "side": "Axis", "front": "front/centre", "name": "Otto"}
    )
    assert (answer.status_code, "another seat of that side is called" in answer.text) == (400, True)
    for wish in ({"role": "side", "side": "Axis"}, {"role": "side", "side": "Soviet"}):
        assert referee.post("/c/east/seats/invite", wish | {"name": "Otto"}).status_code == 200


def test_each_side_does_its_own_and_ends_its_own_phases(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis, soviet = server.seated(AXIS), server.seated(SOVIET)
    assert do(soviet, REBUILD) == 403
    assert do(soviet, {"command": "advance"}) == 403
    assert (
        do(
            soviet,
            {
                "command": "correct-points",
                "pool": "front/centre",
                "nation": "Germany",
                "kind": "inf",
                "amount": "1",
                "note": "x",
            },
        )
        == 403
    )
    assert do(axis, REBUILD) == 200
    assert do(axis, {"command": "advance"}) == 200


def test_asking_for_a_hidden_unit_is_answered_like_one_that_does_not_exist(serve: Serve) -> None:
    soviet = serve(public=True, seats=("Axis", "Soviet")).seated(SOVIET)
    there = soviet.post("/c/east/do", {"order": json.dumps(REBUILD)}).json()
    nowhere = soviet.post("/c/east/do", {"order": json.dumps(REBUILD | {"unit": "999 Pz XX"})}).json()
    assert there["says"].replace("6 Pz XX", "X") == "there is no unit 'X'; 'Force pool' lists them"
    assert nowhere["accepted"] is False
    assert "there is no unit '999 Pz XX'" in nowhere["says"]


def test_a_front_commander_has_that_fronts_units_and_no_phase_to_end(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    centre = server.seated(Seat(FRONT, "Axis", "front/centre"))
    assert do(centre, {"command": "advance"}) == 403
    assert do(centre, REBUILD) == 200
    elsewhere = server.seated(Seat(FRONT, "Soviet", "front/centre"))
    assert do(elsewhere, REBUILD | {"unit": "10 Pz XX"}) == 403


def test_an_observer_looks_at_all_and_does_nothing(serve: Serve) -> None:
    watcher = serve(public=True, seats=("Axis", "Soviet")).seated(Seat(OBSERVER))
    assert "6 Pz XX" in watcher.get("/c/east").text
    assert do(watcher, REBUILD) == 403


def test_the_name_of_whoever_sits_there_stands_in_the_journal(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis = server.seated(AXIS)
    do(axis, REBUILD)
    last = server.app.state.shelf.table("east").seq
    assert "(Otto)" in axis.get(f"/c/east/journal/{last}").text


def test_the_host_sees_every_campaign(serve: Serve) -> None:
    server = serve(public=True)
    host = server.seated(Seat(HOST), campaign="")
    assert "/c/east" in host.get("/").text
    assert host.get("/c/east").status_code == 200


# ------------------------------------------------------------------------------------------------- the door


def test_a_form_without_its_token_is_not_taken(home: Visitor) -> None:
    for token in ("", "0" * 64, home.token[:-1]):
        answer = home.post("/c/east/do", {"token": token, "order": json.dumps(REBUILD)})
        assert answer.status_code == 403, token
    assert do(home, REBUILD) == 200


def test_the_token_of_another_session_does_not_serve(serve: Serve) -> None:
    server = serve()
    one, other = server.visitor(), server.visitor()
    one.get("/c/east")
    other.get("/c/east")
    assert one.token != other.token
    one.token = other.token
    assert do(one, REBUILD) == 403


def test_a_page_of_another_site_cannot_act(home: Visitor) -> None:
    order = {"order": json.dumps(REBUILD)}
    assert home.post("/c/east/do", order, origin="http://elsewhere.example").status_code == 403
    assert home.post("/c/east/do", order, **{"sec-fetch-site": "cross-site"}).status_code == 403
    assert home.post("/c/east/do", order, origin="http://localhost").status_code == 200


def test_a_name_that_was_pointed_at_this_machine_is_turned_away(home: Visitor) -> None:
    assert home.get("/c/east", host="evil.example").status_code == 403
    assert home.get("/c/east", host="127.0.0.1:8041").status_code == 200


def test_a_cookie_that_was_tampered_with_is_a_stranger(serve: Serve) -> None:
    axis = serve(public=True).seated(AXIS)
    assert axis.get("/c/east").status_code == 200
    axis.cookie = axis.cookie[:-2] + ("aa" if not axis.cookie.endswith("aa") else "bb")
    assert axis.get("/c/east").status_code == 404


def test_cookies_are_no_scripts_and_answers_carry_the_policy(serve: Serve) -> None:
    answer = serve(public=True).visitor().get("/")
    cookie = answer.headers["set-cookie"].casefold()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cache-control"] == "no-store"


def test_too_large_and_too_many_are_turned_away(serve: Serve) -> None:
    server = serve(public=True)
    visitor = server.visitor()
    visitor.get("/")
    assert visitor.post("/join/x", {"x": "y" * 5_000_000}).status_code == 413
    statuses = [visitor.get(f"/join/guess{n}").status_code for n in range(20)]
    assert statuses[0] == 404
    assert statuses[-1] == 429


@pytest.mark.parametrize("path", ["/c/..%2feast", "/c/east%00", "/c/%2e%2e/east", "/c/east.fp", "/static/../app.py"])
def test_no_name_reaches_out_of_the_folder(home: Visitor, path: str) -> None:
    assert home.get(path).status_code in (404, 400)


def test_a_register_that_another_program_holds_keeps_nobody_from_looking(serve: Serve) -> None:
    server = serve(public=True)
    axis = server.seated(AXIS)
    other = sqlite3.connect(server.app.state.shelf.stock.folder / FILE, isolation_level=None)
    other.execute("begin immediate")
    assert axis.get("/c/east").status_code == 200
    refused = axis.post("/c/east/seats/key", accept="text/html")
    assert (refused.status_code, "cannot be used just now" in refused.text) == (503, True)
    other.execute("rollback")
    other.close()
    assert "fp_" in axis.post("/c/east/seats/key", accept="text/html").text


def test_a_seat_has_so_many_keys_and_ticks_and_no_more(serve: Serve) -> None:
    registry = serve(public=True).app.state.registry
    invitation, _ = registry.invite("east", AXIS)
    keys = [registry.new_key(invitation.id) for _ in range(MOST_KEYS + 1)]
    assert registry.seat_of_key(keys[0]) is None
    assert all(registry.seat_of_key(each) for each in keys[1:])
    registry.tick("x", "east", "1.0.0", "old", True)
    for number in range(MOST_TICKS + 5):
        registry.tick("x", "east", "1.0.1", str(number), True)
    assert registry.ticked("x", "east", "1.0.0") == set()
    assert len(registry.ticked("x", "east", "1.0.1")) == MOST_TICKS


def test_where_the_files_lie_is_not_told(serve: Serve) -> None:
    server = serve(public=True)
    axis = server.seated(AXIS)
    folder = server.app.state.shelf.stock.folder
    (folder / "east.fp").rename(folder / "gone.fp")
    for path in ("/c/east", "/api/campaigns/east"):
        answer = axis.get(path)
        assert answer.status_code in (401, 404, 503)
        assert str(folder) not in answer.text
