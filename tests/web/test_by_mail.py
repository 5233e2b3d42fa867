"""Play by mail from the browser: two people at machines of their own, turns that go from one to the other as text."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from starlette.testclient import TestClient

import forcepool as package
from forcepool.door.mail import written
from forcepool.web.app import make_app
from forcepool.web.chair import SIDE, Seat
from tests.web.conftest import Serve, Server, Start, Visitor

TEXT = re.compile(r"readonly[^>]*>(.*?)</textarea>", re.DOTALL)


class Player:
    """Somebody at a machine of his own."""

    def __init__(self, folder: Path, side: str) -> None:
        folder.mkdir()
        self.folder, self.side = folder, side
        self.app = make_app(folder)
        self.server = Server(self.app, TestClient(self.app, base_url="http://localhost"))
        self.server.client.__enter__()
        self.visitor: Visitor = self.server.visitor()
        self.visitor.get("/")

    def sits(self) -> None:
        self.visitor.get("/c/east")
        self.visitor.post("/c/east/sit", {"side": self.side})

    def sends(self, to: str) -> str:
        answer = self.visitor.post("/c/east/mail/send", {"to": to, "as": "file"})
        assert answer.status_code == 200, answer.text
        assert f"east-to-{to}-" in answer.headers["content-disposition"]
        return str(answer.text)

    def receives(self, text: str, status: int = 200, **fields: str) -> str:
        answer = self.visitor.post("/c/east/mail", {"text": text} | fields)
        assert answer.status_code == status, answer.text
        return str(answer.text)

    def notes(self, text: str) -> None:
        order = json.dumps({"command": "note", "text": text})
        assert self.visitor.post("/c/east/do", {"order": order}).json()["accepted"]

    @property
    def head(self) -> tuple[int, str]:
        table = self.app.state.shelf.table("east")
        return table.seq, table.campaign.hash


@pytest.fixture
def pair(tmp_path: Path, begun: Callable[..., Path]) -> Iterator[tuple[Player, Player]]:
    axis, soviet = Player(tmp_path / "axis", "Axis"), Player(tmp_path / "soviet", "Soviet")
    shutil.copy(begun("smolensk", ("Axis", "Soviet")), axis.folder / "east.fp")
    axis.sits()
    yield axis, soviet
    for each in (axis, soviet):
        each.server.client.__exit__(None, None, None)


def test_a_turn_goes_out_and_comes_in(pair: tuple[Player, Player]) -> None:
    axis, soviet = pair
    # The first turn begins the campaign at the other machine.
    began = soviet.visitor.post("/new/journal", {"name": "east", "journal": axis.sends("Soviet")})
    assert began.json()["go"] == "/c/east"
    soviet.sits()
    assert soviet.head == axis.head
    axis.notes("the mud is here")
    page = axis.visitor.post("/c/east/mail/send", {"to": "Soviet", "as": "text"}).text
    shown = TEXT.search(page)
    assert shown
    mail = "Hello\n" + "\n".join(f"&gt; {line}" for line in shown[1].splitlines()).replace("&gt;", ">")
    told = soviet.receives(mail.replace("&#34;", '"').replace("&#39;", "'"))
    assert "entry of Axis recorded." in told or "entries of Axis recorded." in told
    assert "the mud is here" in told
    assert soviet.head == axis.head
    assert "Nothing new" in soviet.receives(mail)
    # Of what was changed on the way nothing is taken, and nobody may insist.
    broken = mail.replace("> -----END", "> AAAA\n> -----END")
    told = soviet.receives(broken, 422)
    assert "all the same" not in told
    assert soviet.receives("no turn at all", 422)
    assert soviet.receives(" ", 400)
    assert soviet.head == axis.head


def test_both_have_played_on(pair: tuple[Player, Player]) -> None:
    axis, soviet = pair
    soviet.visitor.post("/new/journal", {"name": "east", "journal": axis.sends("Soviet")})
    soviet.sits()
    axis.notes("axis one")
    soviet.notes("soviet one")
    sent = axis.sends("Soviet")
    before = soviet.head
    told = soviet.receives(sent)
    for words in ("Both have played on since entry 1", "axis one", "soviet one", "Go on with theirs"):
        assert words in told
    assert soviet.head == before
    told = soviet.receives(sent, choose="theirs")
    assert soviet.head == axis.head
    [aside] = soviet.folder.glob("east-ours-*.fp")
    assert aside.name in told
    assert soviet.visitor.get("/c/east/journal").status_code == 200
    soviet.notes("and on")
    axis.receives(soviet.sends("Axis"))
    assert soviet.head == axis.head


def test_on_a_server_nothing_goes_by_mail(serve: Serve) -> None:
    server = serve(public=True)
    axis = server.seated(Seat(SIDE, "Axis"))
    assert axis.get("/c/east/mail").status_code == 404
    assert axis.post("/c/east/mail/send", {"to": "Soviet"}).status_code == 404
    assert axis.post("/c/east/mail", {"text": "x"}).status_code == 404
    assert "Play by mail" not in axis.get("/c/east").text


def test_a_turn_is_dropped_on_the_page(live: Start, tab: Page, tmp_path: Path) -> None:
    start = live()
    here = start.folder / "east.fp"
    there = tmp_path / "east.fp"
    shutil.copy(here, there)
    with package.open(there) as campaign:
        campaign.do("note", text="the mud is there")
        _, text = written(campaign.record, there, "Soviet", "Axis")
    tab.goto(f"{start.url}/c/east/mail")
    dropped = tab.evaluate_handle(
        """(text) => {
          const carried = new DataTransfer();
          carried.items.add(new File([text], "east-to-Axis-2.fpx"));
          return carried;
        }""",
        text,
    )
    tab.dispatch_event("h1", "drop", {"dataTransfer": dropped})
    expect(tab.locator("#came")).to_contain_text("1 entry of Soviet recorded.")
    expect(tab.locator("#came")).to_contain_text("the mud is there")
