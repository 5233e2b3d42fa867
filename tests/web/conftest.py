"""A server for the tests: in memory for what it says and forbids, in a thread for a real browser."""

import asyncio
import os
import re
import shutil
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright
from starlette.applications import Starlette
from starlette.testclient import TestClient

from forcepool.cli.demo import lay_out
from forcepool.cli.files import begin_campaign
from forcepool.web import costs, new
from forcepool.web.app import make_app
from forcepool.web.chair import Seat

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# A loaded machine may be slow; what is tested is that it comes about, not how soon.
expect.set_options(timeout=20_000)

TOKEN = re.compile(r'data-token="([0-9a-f]+)"')


@pytest.fixture(autouse=True)
def deep_purses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test costs depends on the machine; the tests of the limits bring clocks of their own."""
    monkeypatch.setattr(costs, "AT_ONCE", 1e9)
    monkeypatch.setattr(new, "PATIENCE", 600.0)


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """A campaign file of a scenario, begun once and copied for each test."""
    made: dict[tuple[Any, ...], Path] = {}

    def begin(scenario: str = "smolensk", seats: tuple[str, ...] = (), dice: str = "program") -> Path:
        key = (scenario, seats, dice)
        if key not in made:
            path = tmp_path_factory.mktemp("begun") / "campaign.fp"
            begin_campaign(str(path), scenario, seats=seats, dice=dice)
            made[key] = path
        return made[key]

    return begin


@pytest.fixture(scope="session")
def corridor(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A scenario with a small hex map, beside its map."""
    folder, here = tmp_path_factory.mktemp("corridor"), Path(__file__).parent
    for file in (here.parent / "cases" / "map" / "corridor.map", here / "corridor.yaml"):
        shutil.copy(file, folder)
    return str(folder / "corridor.yaml")


@pytest.fixture(scope="session")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration campaign: two sides in full on a map of fourteen thousand hexes."""
    path = tmp_path_factory.mktemp("demonstration") / "east.fp"
    lay_out(path)
    return path


class Read:
    """A page as it is read: where its template breaks a line makes no difference."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        parts = re.split(r"(<textarea.*?</textarea>)", answer.text, flags=re.DOTALL)
        self.text = "".join(part if part.startswith("<textarea") else _on_one_line(part) for part in parts)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.answer, name)


def _on_one_line(text: str) -> str:
    return re.sub(r"\s*\n\s*", " ", re.sub(r"(?<=>)\s*\n\s*(?=<)", "", text))


def as_read(html: str) -> str:
    """A page's letters as one reads them: names in sentences without the links they are."""
    return unescape(re.sub(r'<a class="part"[^>]*>([^<]*)</a>', r"\1", html))


class Visitor:
    """A browser without a screen: keeps its cookie, and brings back the token of the page it last saw."""

    def __init__(self, client: TestClient) -> None:
        self.client, self.cookie, self.token = client, "", ""

    def get(self, path: str, **headers: str) -> Any:
        return self._taken(self.client.get(path, headers=self._headers(headers), follow_redirects=False))

    def post(self, path: str, data: dict[str, Any] | None = None, **headers: str) -> Any:
        """Send a form as a page's script does, with the token unless the form has its own."""
        fields = {"token": self.token} | (data or {})
        told = {"accept": "application/json"} | headers
        return self._taken(self.client.post(path, data=fields, headers=self._headers(told), follow_redirects=False))

    def _headers(self, headers: dict[str, str]) -> dict[str, str]:
        return headers | ({"cookie": self.cookie} if self.cookie else {})

    def _taken(self, answer: Any) -> Any:
        self.client.cookies.clear()
        if set_cookie := answer.headers.get("set-cookie", ""):
            self.cookie = set_cookie.partition(";")[0]
        if found := TOKEN.search(answer.text):
            self.token = found[1]
        return Read(answer) if answer.headers.get("content-type", "").startswith("text/html") else answer


class Server:
    """A server in memory, with as many visitors as a test needs."""

    def __init__(self, app: Starlette, client: TestClient) -> None:
        self.app, self.client = app, client

    def visitor(self) -> Visitor:
        return Visitor(self.client)

    def seated(self, seat: Seat, campaign: str = "east") -> Visitor:
        """Someone who followed an invitation."""
        _, word = self.app.state.registry.invite(campaign, seat)
        visitor = self.visitor()
        visitor.get(f"/join/{word}")
        assert visitor.post(f"/join/{word}").status_code == 303
        visitor.get("/api")  # Sitting down begins a new session, whose token any page has.
        return visitor


Serve = Callable[..., Server]


def in_a_loop(main: Coroutine[Any, Any, None]) -> None:
    """In a thread of its own: a browser of another test may have a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, main).result()


def task_of(visitor: Visitor, campaign: str = "east") -> dict[str, Any]:
    """What came of a visitor's long task, once it is over."""
    while True:
        told: dict[str, Any] = visitor.get(f"/api/campaigns/{campaign}/job?wait=30").json()
        if told.get("state") not in ("waiting", "running"):
            return told


@pytest.fixture
def serve(tmp_path: Path, begun: Callable[..., Path]) -> Iterator[Serve]:
    """A server over one campaign called 'east', on one's own machine or public."""
    running: list[TestClient] = []

    def start(
        *, public: bool = False, scenario: str = "smolensk", seats: tuple[str, ...] = (), dice: str = "program"
    ) -> Server:
        folder = tmp_path / f"shelf{len(running)}"
        folder.mkdir()
        shutil.copy(begun(scenario, seats, dice), folder / "east.fp")
        app = make_app(folder, public=public)
        client = TestClient(app, base_url="http://localhost")
        client.__enter__()
        running.append(client)
        return Server(app, client)

    yield start
    for client in running:
        client.__exit__(None, None, None)


@pytest.fixture
def home(serve: Serve) -> Visitor:
    """Someone at the machine itself, who has looked at the campaign's turn page."""
    visitor = serve().visitor()
    visitor.get("/c/east")
    return visitor


# ------------------------------------------------------------------------------------------ a real browser


class Live:
    """A server in a thread, for real browsers."""

    def __init__(self, place: Path | str, *, public: bool) -> None:
        self.app = make_app(place, public=public)
        self.folder = Path(place)
        config = uvicorn.Config(self.app, port=0, log_level="error", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> "Live":
        self._thread.start()
        while not self._server.started:
            self._thread.join(0.01)
            assert self._thread.is_alive(), "the server did not start"
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)

    def invitation(self, seat: Seat, campaign: str = "east") -> str:
        _, word = self.app.state.registry.invite(campaign, seat)
        return f"{self.url}/join/{word}"


PLAN = """side: Axis
made: Aug 1 41, Axis replacement phase
until: Aug 2 41
brings: '5'
orders:
- {when: 'Aug 1 41, Axis replacement phase', turn: 93196, player: 0, phase: 4, unit: 29 Mot XX, step: full, to: hex,
   says: rebuild-cadre, order: '{"command":"rebuild-cadre","unit":"29 Mot XX","pay_from":"front/centre"}', brings: '5',
   where: at Smolensk, cost: '3¾ inf, 1¼ arm of front Centre'}
"""
"""A plan for the demonstration as one is sent it."""


def keep_two_plans(page: Page, campaign: str) -> str:
    """Keep two plans of the demonstration, and tell where they are seen side by side."""
    page.goto(f"{campaign}/plan")
    token = page.locator("body").get_attribute("data-token") or ""
    for text in (PLAN, PLAN.replace("29 Mot XX", "268 Inf XX")):
        form: dict[str, str | float | bool] = {"token": token, "text": text}
        assert page.request.post(f"{campaign}/plan/bring", form=form, headers={"accept": "text/html"}).ok
    page.goto(f"{campaign}/plan")
    found = page.get_by_role("link", name="side by side").first.get_attribute("href")
    assert found
    return found


Start = Callable[..., Live]


@pytest.fixture
def live(tmp_path: Path, begun: Callable[..., Path]) -> Iterator[Start]:
    """A server with a campaign called 'east', for as long as the test."""
    running: list[Live] = []

    def start(
        *, public: bool = False, scenario: str = "smolensk", seats: tuple[str, ...] = (), dice: str = "program"
    ) -> Live:
        folder = tmp_path / f"live{len(running)}"
        folder.mkdir()
        shutil.copy(begun(scenario, seats, dice), folder / "east.fp")
        running.append(Live(folder, public=public).__enter__())
        return running[-1]

    yield start
    for each in running:
        each.__exit__()


def arrived(page: Page, url: str) -> None:
    """Wait until the page one was led to is there with its scripts: a key pressed before that is nobody's."""
    expect(page).to_have_url(re.compile(url))
    page.wait_for_load_state()


def end_phase(page: Page) -> None:
    """End a phase as a player does: press the button, say yes to what it asks, and take the hand away."""
    seq = page.locator("body").get_attribute("data-seq")
    seal = page.locator("main .seal").inner_text()
    page.get_by_role("button", name="End phase").click()
    sheet = page.locator("#sheet [data-ends] button").first
    expect(sheet.or_(page.locator(f"body:not([data-seq='{seq}'])")).first).to_be_visible()
    if sheet.is_visible():
        sheet.click()
    page.mouse.move(0, 0)
    expect(page.locator(f"body[data-seq='{seq}']")).to_have_count(0)
    # The page knows of its own order before it shows what came of it.
    expect(page.locator("main .seal")).not_to_have_text(seal)


def chromium() -> str:
    """The Chromium at hand; a test without one is skipped, and in CI that is a failure."""
    named = os.environ.get("FORCEPOOL_CHROMIUM", "")
    found = named or next((path for name in CHROMIUM if (path := shutil.which(name))), "")
    if not found:
        message = "no Chromium was found: install it (Debian: apt install chromium) or name it in FORCEPOOL_CHROMIUM"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A tab of a fresh browser; an error in a script or a request that fails is a failure of the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda message: (
            errors.append(message.text) if message.type == "error" and "status of 4" not in message.text else None
        ),
    )
    page.on(
        "request",
        lambda request: (
            errors.append(request.url)
            if "127.0.0.1" not in request.url and not request.url.startswith("data:")
            else None
        ),
    )
    yield page
    context.close()
    assert not errors, errors
