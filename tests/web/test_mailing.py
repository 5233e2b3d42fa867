"""Letters to the seats: an address is confirmed, the turn is told once, nothing of the enemy's stands in a letter."""

import asyncio
import json
import re
import shutil
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from forcepool.web import enter
from forcepool.web.app import make_app
from forcepool.web.chair import FRONT, HOST, REFEREE, SIDE, Seat
from forcepool.web.post import office as post
from forcepool.web.post.book import DAY, HOUR, SERVES, Link
from forcepool.web.post.office import BETWEEN, PAUSES, SETTLES, Office
from forcepool.web.post.smtp import Carrier, deliver
from forcepool.web.security import Pace
from forcepool.web.settings import Mail, Settings
from tests.support.post import Letterbox, free_port, post_office, text_of
from tests.web.conftest import Serve, Server, Visitor

AXIS, SOVIET = Seat(SIDE, "Axis", name="Ännchen"), Seat(SIDE, "Soviet")
LINK = re.compile(r"http://localhost(/(?:enter|mail/confirm|mail/stop/\d+)/[\w-]+)")
ADVANCE = {"command": "advance"}


class Mailing:
    """A public server that sends letters to a mail server in this process, with a clock of its own."""

    def __init__(self, server: Server, box: Letterbox) -> None:
        self.server, self.box = server, box
        self.clock = 1_800_000_000
        self.office: Office = server.app.state.office
        self.office.now = lambda: self.clock

    def run(self, main: Callable[[], Any]) -> Any:
        portal = self.server.client.portal
        assert portal is not None
        return portal.call(main)

    def until(self, holds: Callable[[], Any]) -> None:
        async def wait() -> None:
            while not holds():
                await asyncio.sleep(0.01)

        self.run(lambda: asyncio.wait_for(wait(), 30))

    def look(self) -> None:
        self.run(self.office.look)

    def letters(self, count: int) -> list[EmailMessage]:
        """The letters that came, once there are so many and what became of them is noted."""
        self.until(lambda: len(self.box.came) >= count)
        self.until(lambda: not self.office.carrying)
        assert len(self.box.came) == count
        return self.box.came

    def link(self) -> str:
        """Where the newest letter leads."""
        found = LINK.search(text_of(self.box.came[-1]))
        assert found
        return found[1]

    def bound(self, visitor: Visitor, mail: str, campaign: str = "east") -> None:
        """Give a seat an address, and follow the link."""
        before = len(self.box.came)
        answer = visitor.post(f"/c/{campaign}/seats/mail", {"mail": mail})
        assert "A letter is on its way" in answer.text
        self.letters(before + 1)
        stranger = self.server.visitor()
        link = self.link()
        assert "Confirm</button>" in stranger.get(link).text
        assert "is now the address" in stranger.post(link).text

    def plays(self, *visitors: Visitor, until: str) -> None:
        """End phases until another side plays."""
        for _ in range(12):
            if self.server.app.state.shelf.table("east").campaign.world.phasing(self.state) == until:
                return
            for visitor in visitors:
                visitor.post("/c/east/do", {"order": json.dumps(ADVANCE), "override": "go on"})
        raise AssertionError("nobody ends the phase")

    @property
    def state(self) -> Any:
        return self.server.app.state.shelf.table("east").campaign.state


@pytest.fixture
def mailing(tmp_path: Path, begun: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[Mailing]:
    monkeypatch.setattr(post, "LOOKS_EVERY", 3600.0)
    monkeypatch.setattr(enter, "A_WHILE", 0.0)
    # All come from one address here; the pace has a test of its own.
    pace = Pace.allows
    monkeypatch.setattr(Pace, "allows", lambda self, who: pace(self, who) or True)
    shutil.copy(begun("smolensk", ("Axis", "Soviet")), tmp_path / "east.fp")
    with post_office() as (box, mail):
        settings = Settings(public=True, address="http://localhost", mail=mail)
        app = make_app(tmp_path, public=True, address="http://localhost", settings=settings)
        with TestClient(app, base_url="http://localhost") as client:
            yield Mailing(Server(app, client), box)


def test_an_address_is_bound_once_its_link_was_followed(mailing: Mailing) -> None:
    axis, soviet = (mailing.server.seated(seat) for seat in (AXIS, SOVIET))
    page = axis.post("/c/east/seats/mail", {"mail": "no address"})
    assert page.status_code == 400
    assert "looks like anna@example.org" in page.text
    axis.post("/c/east/seats/mail", {"mail": "anna@example.org"})
    [letter] = mailing.letters(1)
    assert letter["To"] == "anna@example.org"
    first = mailing.link()
    assert "Letters go to" not in axis.get("/c/east/seats").text
    # A newer link ends the older one; either serves once.
    axis.post("/c/east/seats/mail", {"mail": "anna@example.org"})
    mailing.letters(2)
    second = mailing.link()
    stranger = mailing.server.visitor()
    assert stranger.get(first).status_code == 404
    assert stranger.get(second).status_code == 200
    assert stranger.get(second).status_code == 200, "looking at it does not use it up"
    assert stranger.post(second).status_code == 200
    assert stranger.post(second).status_code == 404
    assert "Letters go to <b>anna@example.org</b>" in axis.get("/c/east/seats").text
    # Whoever followed it has no seat by that, and the address is the seat's own and the host's.
    assert stranger.get("/c/east").status_code == 404
    referee, host = mailing.server.seated(Seat(REFEREE)), mailing.server.seated(Seat(HOST), "")
    told = ["anna@" in each.get("/c/east/seats").text for each in (axis, soviet, referee, host)]
    assert told == [True, False, False, True]
    # After half an hour a link is dead.
    axis.post("/c/east/seats/mail", {"mail": "other@example.org"})
    mailing.letters(3)
    mailing.clock += SERVES
    assert stranger.post(mailing.link()).status_code == 404
    # Another address: the old one hears of it.
    mailing.clock += HOUR
    mailing.bound(axis, "other@example.org")
    mailing.until(lambda: len(mailing.box.came) == 5)
    assert (mailing.box.came[-1]["To"], mailing.box.came[-1]["Subject"]) == (
        "anna@example.org",
        "Your address was changed",
    )


def test_sign_in_again_by_mail(mailing: Mailing) -> None:
    axis = mailing.server.seated(AXIS)
    mailing.bound(axis, "Anna@example.org")
    answers = []
    for mail in ("anna@example.org", "nobody@example.org"):
        lost = mailing.server.visitor()
        lost.get("/enter")
        answers.append(lost.post("/enter", {"mail": mail}).text)
    assert re.sub(r'data-token="\w+"', "", answers[0]) == re.sub(r'data-token="\w+"', "", answers[1])
    mailing.letters(2)
    link = mailing.link()
    assert "Sit down</button>" in lost.get(link).text
    assert lost.post(link).status_code == 303
    assert lost.get("/c/east").status_code == 200
    assert "Axis · Ännchen" in lost.get("/c/east").text
    thief = mailing.server.visitor()
    thief.get("/enter")
    assert thief.post(link).status_code == 404
    assert thief.get("/c/east").status_code == 404
    # So many in an hour, and no more.
    for _ in range(6):
        mailing.run(lambda: mailing.office.enter("anna@example.org"))
    assert len(mailing.letters(4)) == 4


def test_the_turn_is_told_once_and_nothing_of_the_enemys(mailing: Mailing) -> None:
    axis, soviet = (mailing.server.seated(seat) for seat in (AXIS, SOVIET))
    mailing.bound(soviet, "ivan@example.org")
    secret = "6 Pz XX"
    order = {"command": "rebuild-cadre", "unit": secret, "pay_from": "front/centre"}
    assert axis.post("/c/east/do", {"order": json.dumps(order)}).json()["accepted"]
    axis.post("/c/east/messages", {"text": "zebra", "to": "Axis"})
    axis.post("/c/east/messages", {"text": "Away until Sunday\r\nBcc: all@example.org", "to": ""})
    mailing.look()
    mailing.clock += SETTLES
    mailing.look()
    mailing.letters(1)
    mailing.plays(axis, until="Soviet")
    mailing.look()
    mailing.look()
    mailing.letters(1)
    mailing.clock += SETTLES
    mailing.look()
    letter = mailing.letters(2)[-1]
    assert letter["To"] == "ivan@example.org"
    assert letter["Subject"].startswith("Your turn: ")
    text = text_of(letter)
    assert "It is your turn." in text
    assert "Away until Sunday" in text
    assert "http://localhost/c/east" in text
    campaign = mailing.server.app.state.shelf.table("east").campaign
    theirs = [
        u.id for u in campaign.state.units.values() if campaign.world.side_now(campaign.state, u.spec.nation) == "Axis"
    ]
    assert secret in theirs
    assert [name for name in theirs if name in text] == []
    assert "zebra" not in text
    assert "entries of their own" in text
    # Nothing more is told, whatever is done, until the turn comes again.
    mailing.clock += DAY
    soviet.post("/c/east/do", {"order": json.dumps({"command": "note", "text": "mine"})})
    mailing.look()
    mailing.clock += DAY
    mailing.look()
    mailing.letters(2)


def test_a_turn_that_is_taken_back_at_once_was_no_news(mailing: Mailing) -> None:
    axis, soviet = (mailing.server.seated(seat) for seat in (AXIS, SOVIET))
    mailing.bound(soviet, "ivan@example.org")
    mailing.look()
    mailing.plays(axis, until="Soviet")
    mailing.look()
    assert axis.post("/c/east/undo").json()["accepted"]
    mailing.look()
    mailing.clock += SETTLES
    mailing.look()
    mailing.letters(1)
    mailing.plays(axis, until="Soviet")
    mailing.look()
    mailing.clock += SETTLES
    mailing.look()
    mailing.letters(2)
    # Back and forth again: the next letter keeps its distance.
    axis.post("/c/east/undo")
    mailing.look()
    mailing.plays(axis, until="Soviet")
    mailing.look()
    mailing.clock += SETTLES
    mailing.look()
    mailing.letters(2)
    mailing.clock += BETWEEN
    mailing.look()
    mailing.letters(3)


def test_one_a_day_and_what_is_due(mailing: Mailing) -> None:
    axis, soviet = (mailing.server.seated(seat) for seat in (AXIS, SOVIET))
    mailing.bound(axis, "anna@example.org")
    axis.post("/c/east/seats/mail", {"wish": "daily"})
    mailing.clock += DAY
    mailing.look()
    mailing.letters(1)
    order = {"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}
    axis.post("/c/east/do", {"order": json.dumps(order)})
    soviet.post("/c/east/messages", {"text": "hello"})
    mailing.look()
    text = text_of(mailing.letters(2)[-1])
    assert "Rebuild cadre 6 Pz XX paid from front Centre" in " ".join(text.split())
    assert "6 Pz XX: cadre → full" in text
    assert "pay_from" not in text
    soviet.post("/c/east/messages", {"text": "again"})
    mailing.clock += DAY - 1
    mailing.look()
    mailing.letters(2)
    mailing.clock += 1
    mailing.look()
    text = text_of(mailing.letters(3)[-1])
    assert "again" in text
    assert "hello" not in text, "a letter tells what came after the last"
    assert "cadre" not in text.partition("What is due")[0]


def test_no_more_letters_by_the_link_alone(mailing: Mailing) -> None:
    axis = mailing.server.seated(AXIS)
    mailing.bound(axis, "anna@example.org")
    bound = mailing.office.book.of(1)
    assert bound is not None
    letter = mailing.office.letter(AXIS, "east", bound)
    assert letter.stop in letter.text
    link = letter.stop.removeprefix("http://localhost")
    stranger = mailing.server.visitor()
    wrong = link[:-1] + ("0" if link[-1] != "0" else "1")
    assert stranger.get(wrong).status_code == 404
    assert mailing.server.client.post(wrong).status_code == 404
    assert "Stop them" in stranger.get(link).text
    assert mailing.office.book.of(1) == bound, "looking at it stops nothing"
    # A mail program presses the button by itself: no cookie, no token.
    done = mailing.server.client.post(link, data={"List-Unsubscribe": "One-Click"})
    assert done.status_code == 200
    found = mailing.office.book.of(1)
    assert found is not None
    assert not found.wants
    assert found.mail == "anna@example.org"
    # It serves for nothing else.
    word = link.rpartition("/")[2]
    assert stranger.get(f"/enter/{word}").status_code == 404


def test_a_dead_server_is_tried_again_and_a_refusal_ends_it(mailing: Mailing) -> None:
    axis, soviet = (mailing.server.seated(seat) for seat in (AXIS, SOVIET))
    mailing.bound(soviet, "ivan@example.org")
    mailing.look()
    right = mailing.office.settings
    mailing.office.carrier = Carrier(
        lambda mail: deliver(mail, Mail(server="127.0.0.1", port=free_port(), security="none"))
    )
    mailing.plays(axis, until="Soviet")
    mailing.look()
    mailing.clock += SETTLES
    for pause in (0, *PAUSES[:2]):
        mailing.clock += pause
        mailing.look()
        mailing.until(lambda: not mailing.office.carrying)
        # Looked at again at once, nothing more is tried.
        mailing.look()
        assert not mailing.office.carrying
    assert "cannot be reached" in mailing.office.problem
    assert axis.get("/c/east").status_code == 200
    mailing.office.carrier = Carrier(lambda mail: deliver(mail, right))
    mailing.box.refuses = "550 5.1.1 no such user"
    mailing.clock += PAUSES[2]
    mailing.look()
    mailing.until(lambda: not mailing.office.carrying)
    page = soviet.get("/c/east/seats").text
    assert "No more letters are sent: ivan@example.org was refused: 550 5.1.1 no such user" in page
    mailing.clock += DAY
    mailing.look()
    assert not mailing.office.carrying
    # Whoever chooses anew is written to again.
    mailing.box.refuses = ""
    soviet.post("/c/east/seats/mail", {"wish": "daily"})
    mailing.look()
    mailing.letters(2)
    assert "No more letters are sent" not in soviet.get("/c/east/seats").text


def test_of_two_workers_one_sends_it(mailing: Mailing) -> None:
    axis, soviet = (mailing.server.seated(seat) for seat in (AXIS, SOVIET))
    mailing.bound(soviet, "ivan@example.org")
    mailing.look()
    other = Office(mailing.server.app)
    other.now = mailing.office.now
    mailing.plays(axis, until="Soviet")
    before = mailing.office.book.of(2)
    assert before is not None
    for _ in range(2):
        mailing.look()
        mailing.run(other.look)
    mailing.clock += SETTLES
    due = mailing.office.book.of(2)
    assert due is not None
    claims = [mailing.office.book.claim(due, mailing.clock + 1), other.book.claim(due, mailing.clock + 1)]
    assert claims == [True, False]
    mailing.clock += 1
    mailing.look()
    mailing.run(other.look)
    mailing.letters(2)
    assert not other.carrying
    assert not mailing.office.book.queue(before, "turn", "9.9", 0), "what another has changed is not queued again"


def test_leaving_and_being_replaced(mailing: Mailing) -> None:
    axis, soviet = (mailing.server.seated(seat) for seat in (AXIS, SOVIET))
    referee = mailing.server.seated(Seat(REFEREE))
    registry = mailing.server.app.state.registry
    mailing.bound(axis, "anna@example.org")
    key = registry.new_key(1)
    registry.keep_plan("invitation/1", "east", 1, b"secret plan", 5)
    registry.add_hook(1, "east", "https://example.org/")
    assert soviet.post("/c/east/seats/replace", {"invitation": "1"}).status_code == 403
    page = referee.post("/c/east/seats/replace", {"invitation": "1", "name": "Berta"})
    word = re.search(r"/join/([\w-]+)", page.text)
    assert word
    assert axis.get("/c/east").status_code == 404
    program = {"authorization": f"Bearer {key}"}
    assert mailing.server.client.get("/api/campaigns/east", headers=program).status_code == 401
    assert registry.plans("invitation/1", "east") == []
    assert registry.hooks("east") == []
    mailing.run(lambda: mailing.office.enter("anna@example.org"))
    mailing.letters(1)
    new = mailing.server.visitor()
    new.get(f"/join/{word[1]}")
    assert new.post(f"/join/{word[1]}").status_code == 303
    assert "Axis · Berta" in new.get("/c/east").text
    assert "anna@" not in new.get("/c/east/seats").text
    assert referee.post("/c/east/seats/replace", {"invitation": "1"}).status_code == 404
    # Leaving asks whether one is sure.
    assert new.post("/c/east/seats/leave").status_code == 400
    assert new.post("/c/east/seats/leave", {"sure": "yes"}).status_code == 303
    assert new.get("/c/east").status_code == 404
    assert registry.sides_at("east") == ("Soviet",)


def test_a_front_is_told_of_its_own_and_the_hour_has_its_limit(mailing: Mailing) -> None:
    axis, centre = (mailing.server.seated(seat) for seat in (AXIS, Seat(FRONT, "Axis", "front/centre")))
    mailing.bound(centre, "karl@example.org")
    axis.post("/c/east/do", {"order": json.dumps({"command": "note", "text": "the staff's own"})})
    axis.post("/c/east/messages", {"text": "to my commanders", "to": "Axis"})
    bound = mailing.office.book.of(2)
    assert bound is not None
    text = mailing.office.letter(Seat(FRONT, "Axis", "front/centre"), "east", bound).text
    assert "to my commanders" in text
    assert "the staff's own" not in text
    book = mailing.office.book
    assert book.in_the_last_hour(mailing.clock) == 1
    words = [book.new_link(Link("enter", "x@example.org", 0), mailing.clock) for _ in range(5)]
    assert [bool(word) for word in words] == [True] * 4 + [False]
    # Of all seats together no more than the host allows; what is over waits.
    centre.post("/c/east/seats/mail", {"wish": "daily"})
    usual = mailing.office.settings
    mailing.office.settings = replace(usual, hourly=5)
    mailing.look()
    mailing.letters(1)
    assert not mailing.office.confirm(mailing.server.app.state.registry.invitation(1), "y@example.org")
    mailing.office.settings = usual
    mailing.look()
    mailing.letters(2)


def test_links_are_not_tried_by_the_thousand(serve: Serve) -> None:
    server = serve(public=True)
    for path in ("/enter/", "/mail/confirm/", "/mail/stop/1/"):
        server.app.middleware_stack = None
        found = [server.client.get(f"{path}{number}").status_code for number in range(14)]
        assert found[0] == 404
        assert found[-1] == 429
    assert "sends no mail" in serve(public=True).visitor().get("/enter").text
