"""Messages on a server: written from a seat, read by those they are for, and not a byte of them by anyone else."""

import json

from forcepool.web.chair import FRONT, HOST, OBSERVER, REFEREE, SIDE, Seat
from tests.web.conftest import Serve, Server, Visitor

CENTRE = Seat(FRONT, "Axis", "front/centre")
SEATS = {
    "axis": Seat(SIDE, "Axis"),
    "centre": CENTRE,
    "soviet": Seat(SIDE, "Soviet"),
    "referee": Seat(REFEREE),
    "observer": Seat(OBSERVER, "Soviet"),
}
PAGES = ("", "/messages", "/journal", "/journal?words=zebra", "/journal/{n}", "/find?q=zebra", "/seats")
ASKED = ("", "/messages", "/log", "/log?words=zebra", "/todo")


def table_of(server: Server) -> dict[str, Visitor]:
    return {name: server.seated(seat) for name, seat in SEATS.items()}


def write(visitor: Visitor, text: str, to: str = "") -> int:
    answer = visitor.post("/c/east/messages", {"text": text, "to": to})
    assert answer.status_code in (303, 400, 403), answer.text
    return int(answer.status_code)


def readers(server: Server, table: dict[str, Visitor], words: str) -> set[str]:
    """Whose answers hold the words anywhere."""
    n = server.app.state.shelf.table("east").seq
    found = set()
    for name, visitor in table.items():
        paths = [f"/c/east{each.format(n=n)}" for each in PAGES] + [f"/api/campaigns/east{each}" for each in ASKED]
        # What one asked for oneself stands in the box again.
        answers = [visitor.get(path).text.replace(f'value="{words}"', "") for path in paths]
        if any(words in each for each in answers):
            found.add(name)
    return found


def test_only_those_it_is_for_find_a_byte_of_it(serve: Serve) -> None:
    server = serve(public=True)
    table = table_of(server)
    everybody = set(SEATS)
    assert write(table["axis"], "zebra to all") == 303
    assert readers(server, table, "zebra to all") == everybody
    assert write(table["centre"], "zebra home", "Axis") == 303
    assert readers(server, table, "zebra home") == {"axis", "centre", "referee"}
    assert write(table["soviet"], "zebra complaint", "referee") == 303
    assert readers(server, table, "zebra complaint") == {"soviet", "observer", "referee"}
    assert write(table["referee"], "zebra answer", "Soviet") == 303
    assert readers(server, table, "zebra answer") == {"soviet", "observer", "referee"}


def test_what_is_not_for_a_seat_looks_like_any_entry_of_another(serve: Serve) -> None:
    server = serve(public=True)
    axis, soviet = server.seated(Seat(SIDE, "Axis")), server.seated(Seat(SIDE, "Soviet"))
    axis.post("/c/east/do", {"order": json.dumps({"command": "note", "text": "mine"})})
    soviet.get("/c/east")
    write(axis, "secret", "Axis")
    message, note = soviet.get("/api/campaigns/east/log").json()["entries"][:2]
    assert message["hidden"]
    assert note["hidden"]
    assert {**message, "entry": 0} == {**note, "entry": 0}
    # Nor does the turn page tell the one from the other: it counts them.
    assert "Axis: 1 entry." in soviet.get("/c/east").text
    host = server.seated(Seat(HOST), "")
    host.get("/c/east")
    write(axis, "and again", "Axis")
    assert "Axis: wrote 1 message." in host.get("/c/east").text


def test_the_mark_of_what_is_unread(serve: Serve) -> None:
    server = serve(public=True)
    axis, centre, soviet = (server.seated(seat) for seat in (Seat(SIDE, "Axis"), CENTRE, Seat(SIDE, "Soviet")))
    write(axis, "to my commander", "Axis")
    write(axis, "and to all")
    assert "2 messages</a>" in centre.get("/c/east").text
    assert "1 message</a>" in soviet.get("/c/east/pools").text
    assert 'class="unread"' not in axis.get("/c/east").text
    assert "to my commander" in centre.get("/c/east/messages").text
    assert 'class="unread"' not in centre.get("/c/east").text
    # Whoever writes has not thereby read what the others wrote.
    soviet.post("/c/east/undo")
    token = {"content-type": "application/json", "x-token": soviet.token, "cookie": soviet.cookie}
    server.client.post("/api/campaigns/east/messages", content=b'{"text": "mine"}', headers=token)
    assert "2 messages</a>" in soviet.get("/c/east").text


def test_by_the_api(serve: Serve) -> None:
    server = serve(public=True)
    axis, soviet = server.seated(Seat(SIDE, "Axis", name="Anna")), server.seated(Seat(SIDE, "Soviet"))
    head = {"content-type": "application/json", "x-token": axis.token, "cookie": axis.cookie}

    def say(body: dict[str, str]) -> tuple[int, dict[str, object]]:
        answer = server.client.post("/api/campaigns/east/messages", content=json.dumps(body), headers=head)
        return answer.status_code, answer.json()

    status, done = say({"text": "one\ntwo", "to": "Soviet"})
    assert status == 200
    told = soviet.get("/api/campaigns/east/messages").json()
    assert told["unread"] == 1
    [found] = told["messages"]
    assert (found["entry"], found["who"], found["to"]) == (done["entry"], "Axis (Anna)", "Soviet")
    assert found["text"] == "one\ntwo"
    assert soviet.get("/api/campaigns/east/messages").json()["unread"] == 0
    assert say({"text": ""})[0] == 400
    assert say({"text": "x", "to": "Mars"})[0] == 400
    assert say({"text": "x", "more": "y"})[0] == 400
    for n in range(3):
        say({"text": f"number {n}"})
    page = soviet.get("/api/campaigns/east/messages?limit=2").json()
    assert [each["text"] for each in page["messages"]] == ["number 2", "number 1"]
    rest = soviet.get(f"/api/campaigns/east/messages?before={page['before']}").json()
    assert [each["text"] for each in rest["messages"]] == ["number 0", "one\ntwo"]
    assert rest["before"] is None


def test_an_observer_says_nothing_and_a_wrong_one_stands_in_the_box_again(serve: Serve) -> None:
    server = serve(public=True)
    observer, axis = server.seated(Seat(OBSERVER)), server.seated(Seat(SIDE, "Axis"))
    assert write(observer, "psst") == 403
    assert "<textarea" not in observer.get("/c/east/messages").text
    answer = axis.post("/c/east/messages", {"text": "y" * 4001, "to": "Soviet"})
    assert answer.status_code == 400
    assert "at most 4,000 letters" in answer.text
    assert "y" * 4001 in answer.text
    assert server.app.state.shelf.table("east").campaign.history.seats == set()


def test_a_message_does_not_make_a_page_old_and_is_not_undone(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis, soviet = server.seated(Seat(SIDE, "Axis")), server.seated(Seat(SIDE, "Soviet"))
    axis.get("/c/east")
    order = {"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}
    seq = axis.post("/c/east/do", {"order": json.dumps(order)}).json()["seq"]
    write(soviet, "hello")
    # The page knows nothing of the message yet.
    undone = axis.post("/c/east/undo", {"seen": str(seq)}).json()
    assert undone["accepted"], undone
    write(soviet, "and again")
    assert axis.post("/c/east/redo").json()["accepted"]
    # The server's promise, the order, its undo and its redo have the button, the two messages have none.
    assert axis.get("/c/east/journal").text.count("Undo to here") == 4
    host = server.seated(Seat(HOST), "")
    assert "hello" in host.get("/c/east/messages").text


def test_a_name_in_a_message_is_no_markup_and_a_whatif_has_none(serve: Serve) -> None:
    server = serve()
    home = server.visitor()
    home.get("/c/east")
    write(home, "<script>alert(1)</script> &amp; 52.A.9")
    page = home.get("/c/east/messages").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp; 52.A.9" in page
    home.post("/c/east/whatif")
    there = f"/c/{home.get('/api/campaigns/east/whatif').json()['name']}"
    assert home.get(f"{there}/messages").status_code == 404
    assert home.get(there).status_code == 200
