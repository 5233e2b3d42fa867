"""The API: the same answers and the same rights as on the pages."""

import json
from typing import Any

import pytest

from forcepool.web.chair import OBSERVER, SIDE, Seat
from tests.web.conftest import Serve, Server

EAST = "/api/campaigns/east"
REBUILD = {"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}


class Program:
    """A program with the key of a seat, or at the machine itself."""

    def __init__(self, server: Server, seat: Seat | None = None) -> None:
        self.client, self.headers = server.client, {}
        if seat is not None:
            invitation, _ = server.app.state.registry.invite("east", seat)
            self.headers = {"authorization": f"Bearer {server.app.state.registry.new_key(invitation.id)}"}

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(EAST + path, headers=self.headers | headers)

    def post(self, path: str, body: dict[str, Any], **headers: str) -> Any:
        told = {"content-type": "application/json"} | self.headers | headers
        return self.client.post(EAST + path, content=json.dumps(body), headers=told)


@pytest.fixture
def program(serve: Serve) -> Program:
    return Program(serve())


def test_the_machine_itself_needs_no_key(program: Program) -> None:
    assert program.get("").json()["phase"] == "replacement"
    assert program.client.get("/api/campaigns").json()[0]["name"] == "east"


def test_an_order_is_given_and_undone(program: Program) -> None:
    tried = program.post("/do", {"order": REBUILD, "dry_run": True}).json()
    assert (tried["accepted"], tried["dry_run"], tried["seq"]) == (True, True, 1)
    done = program.post("/do", {"order": REBUILD}).json()
    assert (done["accepted"], done["entry"]) == (True, 2)
    assert program.get("/units/6 Pz XX").json()["facts"]["step"] == "full"
    assert program.post("/undo", {}).json()["accepted"]
    assert program.get("/units/6 Pz XX").json()["facts"]["step"] == "cadre"
    assert program.post("/redo", {}).json()["accepted"]
    assert program.get("/units/6 Pz XX").json()["facts"]["step"] == "full"


def test_a_refusal_has_every_reason_with_its_clause(program: Program) -> None:
    refused = program.post("/do", {"order": REBUILD | {"unit": "78 Inf XX"}})
    assert refused.status_code == 422
    assert "52.A.9.d/3" in refused.json()["clauses"]
    assert refused.json()["reasons"][0]["sentence"]
    done = program.post("/do", {"order": REBUILD | {"unit": "78 Inf XX"}, "override": "agreed"})
    assert done.json()["accepted"]


def test_a_stale_order_is_told(program: Program) -> None:
    assert program.post("/do", {"order": REBUILD, "seen": 1}).json()["accepted"]
    stale = program.post(
        "/do", {"order": {"command": "rebuild-remnant", "unit": "161 Inf XX", "pay_from": "front/centre"}, "seen": 1}
    )
    assert stale.status_code == 409
    assert stale.json()["entries"] == [2]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"order": "advance"}, 400),
        ({"order": {}}, 400),
        ({"order": {"command": "fly"}}, 400),
        ({"order": {"command": "rebuild-cadre"}}, 400),
        ({"order": {"command": "advance", "unit": "6 Pz XX"}}, 400),
        ({"order": {"command": "advance"}, "hurry": True}, 400),
        ({"order": REBUILD | {"unit": "999 Pz XX"}}, 400),
    ],
)
def test_what_makes_no_sense_is_told_in_a_sentence(program: Program, body: dict[str, Any], status: int) -> None:
    answer = program.post("/do", body)
    assert answer.status_code == status
    data = answer.json()
    assert data.get("error") or data["says"]


def test_only_json_is_taken(program: Program) -> None:
    assert program.post("/do", {"order": REBUILD}, **{"content-type": "text/plain"}).status_code == 415
    broken = program.client.post(f"{EAST}/do", content=b"{", headers={"content-type": "application/json"})
    assert broken.status_code == 400


def test_the_checklist_comes_with_ready_orders(program: Program) -> None:
    items = program.get("/todo").json()["items"]
    ready = next(item for item in items if item["order"] and item["order"].get("unit") == "6 Pz XX")
    assert program.post("/do", {"order": ready["order"]}).json()["accepted"]


def test_options_tell_cost_and_reasons(program: Program) -> None:
    options = program.get("/options/6 Pz XX").json()["options"]
    assert any(each["open"] and each["cost"] for each in options)
    assert any(not each["open"] and each["reasons"] for each in options)
    assert program.get("/options/999 Pz XX").status_code == 404


def test_balances_are_exact_and_explained(program: Program) -> None:
    program.post("/do", {"order": REBUILD})
    accounts = program.get("/ledger?pool=front/centre&nation=Germany").json()["accounts"]
    inf = next(each for each in accounts if each["kind"] == "inf")
    why = program.get("/why?pool=front/centre&nation=Germany&kind=inf").json()
    assert why["balance"] == inf["balance"]
    assert why["lines"][-1]["entry"] == 2
    assert program.get("/why?pool=front/moon&nation=Germany&kind=inf").status_code == 404


def test_the_journal_is_read_in_pages(program: Program) -> None:
    for number in range(5):
        program.post("/do", {"order": {"command": "note", "text": f"note {number}"}})
    first = program.get("/log?limit=2").json()
    assert [each["entry"] for each in first["entries"]] == [6, 5]
    second = program.get(f"/log?limit=2&before={first['before']}").json()
    assert [each["entry"] for each in second["entries"]] == [4, 3]
    assert program.get("/log?limit=x").status_code == 400
    assert program.get("/log?turn=Octember").status_code == 400


def test_losses_are_taken_line_by_line(program: Program) -> None:
    text = "252 Inf XX -> cadre\nnobody at all"
    tried = program.post("/losses", {"text": text, "dry_run": True}).json()
    assert [line["accepted"] for line in tried["lines"]] == [True, False]
    assert tried["seq"] == 1
    taken = program.post("/losses", {"text": text}).json()
    assert [line["accepted"] for line in taken["lines"]] == [True, False]
    assert taken["lines"][1]["problem"]
    assert program.get("/units/252 Inf XX").json()["facts"]["step"] == "cadre"


def test_rules_and_commands_are_there_to_be_read(program: Program) -> None:
    assert program.get("/rules?q=cadre larger ZOC").json()["clauses"][0]["id"] == "52.A.9.d/3"
    assert program.get("/rules/52.A.9.d/3").json()["title"]
    assert program.get("/rules/52.Z/1").status_code == 404
    catalogue = program.get("/commands").json()
    assert {"advance", "rebuild-cadre"} <= {each["command"] for each in catalogue["commands"]}
    assert any(each["key"] == "reduced-time" for each in program.get("/house-rules").json()["switches"])


# --------------------------------------------------------------------------------------------------- seats


def test_a_public_server_answers_only_to_a_key(serve: Serve) -> None:
    server = serve(public=True)
    stranger = Program(server)
    assert stranger.get("").status_code == 401
    assert stranger.client.get("/api/campaigns/west").status_code == 401
    assert stranger.post("/do", {"order": REBUILD}).status_code == 401
    assert stranger.client.get("/api/campaigns").json() == []
    assert stranger.get("", authorization="Bearer fp_wrong").status_code == 401


def test_a_key_acts_from_its_seat_and_no_other(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis, soviet = Program(server, Seat(SIDE, "Axis")), Program(server, Seat(SIDE, "Soviet"))
    watcher = Program(server, Seat(OBSERVER))
    assert soviet.post("/do", {"order": REBUILD}).status_code == 403
    assert watcher.post("/do", {"order": REBUILD}).status_code == 403
    assert axis.post("/do", {"order": REBUILD}).json()["entry"] == 2
    assert soviet.get("/units/6 Pz XX").status_code == 404
    assert soviet.get("/options/6 Pz XX").status_code == 404
    assert soviet.get("/why?pool=front/centre&nation=Germany&kind=inf").status_code == 404
    assert soviet.get("/log").json()["entries"] == [
        {"entry": 2, "seat": "Axis", "when": "Oct 3 41, Axis replacement phase", "undone": False, "hidden": True}
        | {"command": "", "words": [], "clauses": [], "overruled": "", "message": "", "to": ""}
    ]
    assert all(each["side"] == "Soviet" for each in soviet.get("/units?limit=999").json()["units"])
    assert soviet.post("/losses", {"text": "252 Inf XX"}).json()["lines"][0]["accepted"] is False


def test_a_key_that_was_taken_away_opens_nothing(serve: Serve) -> None:
    server = serve(public=True)
    axis = Program(server, Seat(SIDE, "Axis"))
    assert axis.get("").status_code == 200
    server.app.state.registry.end(1, "east")
    assert axis.get("").status_code == 401


def test_hooks_are_ones_own(serve: Serve) -> None:
    server = serve()
    program = Program(server)
    made = program.post("/hooks", {"url": "http://127.0.0.1:9/x"})
    assert made.status_code == 200
    assert [each["id"] for each in program.get("/hooks").json()["hooks"]] == [made.json()["id"]]
    assert program.post("/hooks", {"url": "ftp://example"}).status_code == 400
    gone = program.client.request("DELETE", f"{EAST}/hooks/1", headers={"content-type": "application/json"})
    assert gone.json()["hooks"] == []
    again = program.client.request("DELETE", f"{EAST}/hooks/1", headers={"content-type": "application/json"})
    assert again.status_code == 404


def test_a_public_server_tells_no_machine_of_its_own_network(serve: Serve) -> None:
    axis = Program(serve(public=True), Seat(SIDE, "Axis"))
    for url in (
        "http://127.0.0.1/x",
        "http://localhost/x",
        "http://[::1]/x",
        "http://10.0.0.1/",
        "http://169.254.169.254/",
    ):
        assert axis.post("/hooks", {"url": url}).status_code == 400, url


def test_the_document_names_every_operation(program: Program) -> None:
    document = program.client.get("/api/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    assert "/api/campaigns/{campaign}/units/{unit}" in document["paths"]
    text = json.dumps(document)
    for reference in {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}:
        assert reference in document["components"]["schemas"]
    assert "openapi.json" in program.client.get("/api").text


@pytest.mark.parametrize("path", ["/units?words=", "/log?words=", "/ledger?pool=", "/rules?q=", "/units?front="])
def test_a_parameter_has_so_many_letters_and_no_more(program: Program, path: str) -> None:
    assert program.get(path + "x" * 200).status_code == 200
    too_long = program.get(path + "x" * 201)
    assert too_long.status_code == 400
    assert "at most 200 letters, not 201" in too_long.json()["error"]


def test_a_table_for_a_program(program: Program) -> None:
    wrong = program.post("/job", {"kind": "table", "table": "spoils"})
    assert (wrong.status_code, "a table is one of balances" in wrong.text) == (400, True)
    program.post("/job", {"kind": "table", "table": "units"})
    assert program.get("/job?wait=30").json()["file"] == "east-units.csv"
    assert "6 Pz XX,Germany" in program.get("/job/file").text
