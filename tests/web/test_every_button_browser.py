"""Every button of the app is clicked twice on the same spot, 50 to 1,500 ms apart: there is never a second deed.

One button of each kind on a page stands for those like it. What was done is undone again by its notice, whose button is
clicked twice too.
"""

import shutil
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, Response

from forcepool import games
from forcepool.engine.command import command_name
from tests.web.conftest import Live, keep_two_plans

pytestmark = pytest.mark.browser

GAPS = (50, 300, 900, 1500)
"""Milliseconds between two clicks: a double click, a slow one, and one after the page has answered."""
IN_TURN = (*GAPS, *GAPS[:2])
"""The long ones less often, for they take their time."""
PATHS = (
    "/",
    "/new",
    "/new?scenario=smolensk",
    "/c/demo?payers=52.A.9.d%2F1+front%2Fcentre+Germany",
    "/c/demo/arrivals",
    "/c/demo/factories",
    "/c/demo/pools/could",
    "/c/demo/map?at=Smolensk",
    "/c/demo/pools?pool=front%2Fcentre&of=Germany&kind=inf",
    "/c/demo/air?unit=StG+1+a",
    "/c/east",
    "/c/east/pool?unit=10+Pz+XX",
    "/c/east/unit/78 Inf XX",
    "/c/east/losses",
    "/c/demo/ob",
    "/c/demo/reserves",
    "/c/east/journal",
    "/c/east/seats",
    "/c/east/rules",
    "/c/east/house",
    "/c/east/print",
    "/c/east/messages",
    "/c/east/mail",
    "/c/east/vassal",
    "/c/ef",
    "/c/ef/pool?unit=1+Cav+Corps",
    "/c/ef/losses",
    "/c/ef/map?q=Minsk",
    "/c/ef/pools",
    "/c/ef/plan",
    "/c/ef/factories",
    '/c/east/order/rebuild-cadre?order={"command":"rebuild-cadre","unit":"10 Pz XX","pay_from":"front/centre"}',
)
BOARD = 2
"""Strokes in the address of a campaign's board."""
KINDS = """(bar) => {
  const kinds = new Map();
  const folded = "details:not([open]) > :not(summary), [hidden], dialog:not([open])";
  for (const [index, each] of [...document.querySelectorAll("button, summary")].entries()) {
    if (each.closest(folded) || (!bar && each.closest("#bar")) || !each.getClientRects().length) continue;
    const words = (each.ariaLabel || each.textContent).replace(/[0-9].*|:.*/s, "").trim();
    const told = words.split(/\\s+/).slice(-2).join(" ");
    const kind = `${each.form?.getAttribute("action") || ""} ${each.className} ${told}`;
    if (!kinds.has(kind)) kinds.set(kind, [index, each.form?.method === "post", each.matches("summary")]);
  }
  return [...kinds].map(([kind, [index, sends, folds]]) => [kind, index, sends, folds]);
}"""


HARM = {command_name(each) for name in games.names() for each in games.game(name).commands if each.harms}
UNASKED = """(harm) => [...document.querySelectorAll("form:has([name=order])")].filter((form) => {
  const orders = [...form.querySelectorAll("input[name=order], select[name=order] option")].map((each) => each.value);
  const does = orders.some((each) => each && harm.includes(JSON.parse(each).command));
  return does && (!form.closest("details") || form.querySelector("button.go"));
}).map((form) => form.textContent.trim())"""
"""Orders that do harm and stand there ready to be given, or look like a purchase."""


def look_at(page: Page, url: str) -> None:
    """Show a page, though what was clicked before may still lead elsewhere: a campaign takes time to begin."""
    for _ in range(5):
        try:
            page.goto(url)
        except Error as other:
            if "interrupted by another navigation" not in str(other):
                raise
            page.wait_for_load_state()
        else:
            return
    raise AssertionError(f"{url} is never shown")


@pytest.fixture
def both(tmp_path: Path, demonstration: Path, begun: Callable[..., Path]) -> Iterator[Live]:
    shutil.copy(demonstration, tmp_path / "demo.fp")
    shutil.copy(begun(), tmp_path / "east.fp")
    shutil.copy(begun("eastern-front"), tmp_path / "ef.fp")
    with Live(tmp_path, public=False) as live:
        yield live


class Deeds:
    """What a page has the server do, counted as the server says that it was done; a tick or a question is none."""

    def __init__(self, page: Page) -> None:
        self.page, self.done, self.under_way = page, 0, 0
        page.on("request", lambda request: self._begun(request.method))
        page.on("requestfinished", lambda request: self._over(request.method))
        page.on("requestfailed", lambda request: self._over(request.method))
        page.on("response", self._told)

    def _begun(self, method: str) -> None:
        self.under_way += method == "POST"

    def _over(self, method: str) -> None:
        self.under_way -= method == "POST"

    def _told(self, response: Response) -> None:
        path = response.url.partition("?")[0]
        # A turn for the mail is fetched, and nothing is done by it.
        if response.request.method == "POST" and not path.endswith(("/tick", "/try", "/help", "/mail/send")):
            self.done += response.status in (200, 303)

    def of_two_clicks(self, x: float, y: float, gap: int) -> int:
        """How many things were done by two clicks on a spot, whatever stands there the second time."""
        before = self.done
        self.page.mouse.click(x, y)
        self.page.wait_for_timeout(gap)
        self.page.mouse.click(x, y)
        self.page.wait_for_timeout(50)
        while self.under_way:
            self.page.wait_for_timeout(20)
        self.page.wait_for_load_state()
        return self.done - before


def middle(page: Page, selector: str, index: int = 0) -> tuple[float, float] | None:
    """Where to click a button, once it is in sight and nothing covers it."""
    spot: list[float] | None = page.evaluate(
        """([selector, index]) => {
          const each = document.querySelectorAll(selector)[index];
          if (!each) return null;
          each.scrollIntoView({ block: "center" });
          const { x, y, width, height } = each.getBoundingClientRect();
          const spot = [x + width / 2, y + height / 2];
          return each.contains(document.elementFromPoint(...spot)) ? spot : null;
        }""",
        [selector, index],
    )
    return (spot[0], spot[1]) if spot else None


def way_back(page: Page) -> tuple[float, float] | None:
    """Where the notice of what was done has its button; what led to another page has none."""
    try:
        return middle(page, "#toasts form button")
    except Error:
        return None


def test_a_second_click_does_nothing(both: Live, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page, gaps, clicked, done, twice = context.new_page(), cycle(IN_TURN), 0, 0, []
    deeds = Deeds(page)
    # A busy machine takes its time to show a page.
    page.set_default_timeout(120_000)
    for path in (*PATHS, keep_two_plans(page, f"{both.url}/c/demo")):
        look_at(page, f"{both.url}{path}")
        assert page.evaluate(UNASKED, sorted(HARM)) == [], path
        fresh = True
        # The bar is the same on all pages.
        for kind, index, sends, folds in page.evaluate(KINDS, path.count("/") == BOARD):
            gap = next(gaps) if sends else GAPS[0]
            page.mouse.move(0, 0)
            if not fresh:
                look_at(page, f"{both.url}{path}")
            # What is opened and shut again is as it was.
            fresh = folds
            spot = middle(page, "button, summary", index)
            if spot is None:
                continue
            clicked += 1
            count = deeds.of_two_clicks(*spot, gap)
            done += count
            if count > 1:
                twice.append(f"{path}: {kind}, {gap} ms")
            page.mouse.move(0, 0)
            undo = way_back(page) if count else None
            if undo and deeds.of_two_clicks(*undo, GAPS[0]) > 1:
                twice.append(f"{path}: Undo of {kind}, {gap} ms")
    context.close()
    assert twice == []
    # So that what is looked for is there.
    assert clicked > 50
    assert done > 15
