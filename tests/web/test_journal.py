"""The journal page: what was done, who sees it, undo to here, bookmarks, verify, export; and the rulebook beside it."""

import json
import re

from forcepool.web.chair import HOST, OBSERVER, REFEREE, SIDE, Seat
from tests.web.conftest import Serve, Visitor, as_read, task_of

AXIS, SOVIET = Seat(SIDE, "Axis"), Seat(SIDE, "Soviet")
REBUILD = {"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}


def do(visitor: Visitor, command: dict[str, str], **fields: str) -> dict[str, object]:
    answer: dict[str, object] = visitor.post("/c/east/do", {"order": json.dumps(command)} | fields).json()
    return answer


def text(visitor: Visitor, path: str) -> str:
    return as_read(visitor.get(path).text)


def test_the_journal_tells_what_was_done_with_its_clauses(home: Visitor) -> None:
    assert do(home, REBUILD)["accepted"]
    page = text(home, "/c/east/journal")
    assert "Rebuild cadre 6 Pz XX paid from front Centre" in page
    assert "6 Pz XX: cadre → full" in page
    assert "/rules/52.A.9.d/1" in page


def test_a_remark_is_told_once(home: Visitor) -> None:
    home.post("/c/east/do", {"order": json.dumps({"command": "note", "text": "Rain over Vyazma."})})
    assert home.get("/c/east/journal").text.count("Rain over Vyazma.") == 1


def test_an_empty_journal_says_so(home: Visitor) -> None:
    assert "Nothing has been played yet" in text(home, "/c/east/journal")


def test_filters_find_by_unit_clause_turn_and_words(home: Visitor) -> None:
    do(home, REBUILD)
    do(home, {"command": "note", "text": "the mud is here"})
    assert "6 Pz XX: cadre" in text(home, "/c/east/journal?unit=6 Pz XX")
    assert "the mud" not in text(home, "/c/east/journal?unit=6 Pz XX")
    assert "6 Pz XX: cadre" in text(home, "/c/east/journal?unit=6 pz")
    assert "No entry fits" in text(home, "/c/east/journal?unit=66")
    for pool in ("front/centre", "front Centre", "centre"):
        assert "6 Pz XX: cadre" in text(home, f"/c/east/journal?pool={pool}")
    assert "No entry fits" in text(home, "/c/east/journal?pool=nowhere")
    assert "6 Pz XX: cadre" in text(home, "/c/east/journal?words=front Centre")
    assert "6 Pz XX: cadre" in text(home, "/c/east/journal?clause=52.A.9")
    assert "No entry fits" in text(home, "/c/east/journal?clause=49")
    assert "the mud is here" in text(home, "/c/east/journal?words=mud")
    assert "6 Pz XX: cadre" not in text(home, "/c/east/journal?words=mud")
    assert "No entry fits" in text(home, "/c/east/journal?turn=Nov 1 41")
    assert "6 Pz XX: cadre" in text(home, "/c/east/journal?turn=Oct 3 41")


def test_a_turn_nobody_understands_is_told(home: Visitor) -> None:
    assert "Octember" in text(home, "/c/east/journal?turn=Octember")


def test_undo_to_here_undoes_everything_from_there_and_keeps_it_visible(home: Visitor) -> None:
    do(home, REBUILD)
    do(home, {"command": "note", "text": "the mud is here"})
    assert home.post("/c/east/undo", {"to": "2", "seen": "3"}).json()["accepted"]
    page = text(home, "/c/east/journal")
    assert page.count("<em>undone</em>") == 2
    assert home.post("/c/east/redo", {"seen": "4"}).json()["accepted"]
    assert "<em>undone</em>" not in text(home, "/c/east/journal")


def test_an_entry_has_a_page_with_its_seal(home: Visitor) -> None:
    do(home, REBUILD)
    page = text(home, "/c/east/journal/2")
    assert "Sealed" in page
    assert "6 Pz XX: cadre → full" in page
    assert home.get("/c/east/journal/3").status_code == 404
    assert home.get("/c/east/journal/1").status_code == 404


def test_a_bookmark_is_a_note_with_a_star(home: Visitor) -> None:
    assert home.post("/c/east/bookmark", {"name": "before the mud"}).json()["accepted"]
    page = text(home, "/c/east/journal")
    assert "before the mud" in page
    assert "★ before the mud" in page
    assert home.post("/c/east/bookmark", {"name": "  "}).status_code == 400


def test_verify_says_that_nothing_was_touched(home: Visitor) -> None:
    do(home, REBUILD)
    home.post("/c/east/job", {"kind": "verify"})
    assert "Sound" in task_of(home)["says"]


def test_export_gives_the_journal_as_text(home: Visitor) -> None:
    do(home, REBUILD)
    answer = home.get("/c/east/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="east.txt"'
    assert "6 Pz XX: cadre → full" in answer.text


def test_of_the_other_sides_entries_one_learns_only_that_they_exist(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis, soviet, referee = server.seated(AXIS), server.seated(SOVIET), server.seated(Seat(REFEREE))
    entry = do(axis, REBUILD)["entry"]
    for path in (
        "/c/east/journal",
        f"/c/east/journal/{entry}",
        "/c/east/journal?unit=6 Pz XX",
        "/c/east/rules/52.A.9.d/1",
        "/c/east",
    ):
        assert "6 Pz XX" not in text(soviet, path).replace('value="6 Pz XX"', ""), path
    assert "Axis: an entry" in text(soviet, "/c/east/journal")
    assert "6 Pz XX: cadre → full" in text(axis, f"/c/east/journal/{entry}")
    assert "6 Pz XX: cadre → full" in text(referee, f"/c/east/journal/{entry}")
    assert soviet.get("/c/east/export").status_code == 403


def test_an_observer_of_one_side_sees_that_side_and_does_nothing(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis, watcher = server.seated(AXIS), server.seated(Seat(OBSERVER, "Axis"))
    entry = do(axis, REBUILD)["entry"]
    assert "6 Pz XX: cadre → full" in text(watcher, f"/c/east/journal/{entry}")
    assert watcher.post("/c/east/undo", {}).status_code == 403
    assert watcher.post("/c/east/do", {"order": json.dumps({"command": "note", "text": "hello"})}).status_code == 403


def test_undoing_the_other_sides_entry_needs_their_consent(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis, soviet = server.seated(AXIS), server.seated(SOVIET)
    assert do(axis, REBUILD)["accepted"]
    asked = soviet.post("/c/east/undo", {"to": "2"})
    assert asked.status_code == 202
    assert asked.json()["seats"] == ["Axis"]
    assert "An undo is asked for" in text(axis, "/c/east")
    assert axis.post("/c/east/consent").json()["accepted"]
    assert "6 Pz XX, cadre at" in text(axis, "/c/east")


# ------------------------------------------------------------------------------------------------- rulebook


def test_the_rulebook_finds_clauses_by_words_and_shows_one_with_its_ruling(home: Visitor) -> None:
    assert "52.A.9.d/3" in text(home, "/c/east/rules?q=cadre larger ZOC")
    assert "larger than its own" in text(home, "/c/east/rules/52.A.9.d/3").replace("\n", " ")
    assert "/rules/52.A.9.d/3" in text(home, "/c/east/rules/52.A.9")
    assert home.get("/c/east/rules/52.Z/9").status_code == 404
    assert "No clause holds" in text(home, "/c/east/rules?q=xylophone")


def test_a_clause_names_the_decisions_that_cited_it(home: Visitor) -> None:
    assert "No decision of this campaign has cited" in text(home, "/c/east/rules/52.A.9.d/1")
    do(home, REBUILD)
    page = text(home, "/c/east/rules/52.A.9.d/1")
    assert "/c/east/journal/2" in page


def test_a_house_rule_is_changed_from_its_clause_by_the_referee_only(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    referee, axis = server.seated(Seat(REFEREE)), server.seated(AXIS)
    change = {"command": "house-rule", "rule": "reduced-time", "option": "plus-four"}
    assert axis.post("/c/east/do", {"order": json.dumps(change)}).status_code == 403
    assert do(referee, change)["accepted"]
    assert "Played another way here" in text(referee, "/c/east/rules")
    assert "plays every ruling as it usually is" not in text(referee, "/c/east/rules")
    assert "1 played differently here" in text(referee, "/c/east/house")


def test_the_host_of_a_public_server_asks_like_anyone_else_before_undoing_what_a_side_did(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis, host = server.seated(AXIS), server.seated(Seat(HOST), campaign="")
    assert do(axis, REBUILD)["accepted"]
    host.get("/c/east")
    asked = host.post("/c/east/undo", {"to": "2"})
    assert asked.status_code == 202
    assert asked.json()["seats"] == ["Axis"]


def test_entries_of_the_other_side_that_follow_each_other_are_one_line(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis, soviet = server.seated(Seat(SIDE, "Axis")), server.seated(Seat(SIDE, "Soviet"))
    note = '{"command": "note", "text": "ours"}'
    for visitor in (soviet, soviet, soviet, axis, soviet):
        assert visitor.post("/c/east/do", {"order": note}).json()["accepted"]
    seen = " ".join(re.sub(r"<[^>]*>", " ", axis.get("/c/east/journal").text).split())
    assert "Soviet: an entry, Oct 3 41" in seen
    assert "Soviet: 3 entries, back to " in seen
    assert "3 entries, back to" not in soviet.get("/c/east/journal").text
