"""The pictures of the documentation, taken from the running program: `make pictures`.

Each is taken where it is said below, in the demonstration campaign: what a page shows today, its picture shows.
"""

import base64
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
WIDE, HIGH = 1120, 720
QUALITY = 58
CAMPAIGN = "/c/east-1941"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MANNERS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]


class Camera:
    """A browser that looks at the program, does what a player does, and takes pictures."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.film = page.context.new_cdp_session(page)

    def go(self, path: str) -> None:
        self.page.goto(f"{self.address}{path}")
        self.page.wait_for_load_state("networkidle")

    def take(self, name: str, *, high: int = HIGH) -> None:
        """A picture of what is in the window; nothing blinks in it."""
        self.page.set_viewport_size({"width": WIDE, "height": high})
        self.page.wait_for_timeout(400)
        wish = {"format": "webp", "quality": QUALITY}
        (FOLDER / f"{name}.webp").write_bytes(base64.b64decode(self.film.send("Page.captureScreenshot", wish)["data"]))
        self.page.set_viewport_size({"width": WIDE, "height": HIGH})

    def order(self, command: str, unit: str) -> None:
        """Press the button of an order where the page offers it."""
        form = self.page.locator(
            f"form.order:has(input[name=order][value*='\"{command}\"'][value*='\"{unit}\"'])"
        ).first
        form.scroll_into_view_if_needed()
        form.locator("button").first.click()
        self.page.wait_for_timeout(1200)


def welcome(camera: Camera) -> None:
    camera.go("/")
    camera.take("welcome")


def board(camera: Camera) -> None:
    camera.go(CAMPAIGN)
    camera.page.select_option("#side", "Axis")
    camera.page.wait_for_load_state("networkidle")
    camera.page.wait_for_timeout(800)
    camera.take("turn")


def purchase(camera: Camera) -> None:
    camera.go(CAMPAIGN)
    camera.order("rebuild-cadre", "29 Mot XX")
    camera.take("turn-bought")


def refusal(camera: Camera) -> None:
    camera.go(f"{CAMPAIGN}/pool?unit=7%20Pz%20XX")
    camera.take("unit")


def losses(camera: Camera) -> None:
    camera.go(f"{CAMPAIGN}/losses")
    camera.page.locator("#losses-text").fill("252 Inf XX cadre\n34 Inf XX\n")
    camera.page.locator("[data-try-button]").click()
    camera.page.wait_for_timeout(2500)
    camera.take("losses")


def ending(camera: Camera) -> None:
    camera.go(CAMPAIGN)
    camera.page.locator("#end-phase button").click()
    camera.page.wait_for_timeout(2500)
    camera.take("end-of-phase")


def page_of(path: str, name: str, high: int = HIGH) -> Callable[[Camera], None]:
    def look(camera: Camera) -> None:
        camera.page.set_viewport_size({"width": WIDE, "height": high})
        camera.go(f"{CAMPAIGN}{path}")
        camera.take(name, high=high)

    return look


def factories(camera: Camera) -> None:
    """Those of the side that has some; afterwards the Axis player looks again."""
    camera.page.select_option("#side", "Soviet")
    camera.page.wait_for_timeout(1500)
    camera.go(f"{CAMPAIGN}/factories")
    camera.take("factories")
    camera.page.select_option("#side", "Axis")
    camera.page.wait_for_timeout(1500)


def statement(camera: Camera) -> None:
    camera.go(f"{CAMPAIGN}/pools")
    camera.page.locator("main td a").first.click()
    camera.page.wait_for_timeout(1500)
    camera.take("pools-why")


def sheets(camera: Camera) -> None:
    camera.go(f"{CAMPAIGN}/print")
    camera.page.locator("button[name=form][value=sheets]").click()
    camera.page.wait_for_timeout(3000)
    if "/job" in camera.page.url and not camera.page.url.endswith("/sheets"):
        camera.page.get_by_role("link", name="Show and print").click(timeout=60_000)
    camera.page.locator("h2", has_text="Turn track").first.evaluate("each => each.scrollIntoView({block: 'center'})")
    camera.take("sheets")


SHOTS: dict[str, Callable[[Camera], None]] = {
    "welcome": welcome,
    "turn": board,
    "turn-bought": purchase,
    "arrivals": page_of("/arrivals", "arrivals", 470),
    "unit": refusal,
    "losses": losses,
    "end-of-phase": ending,
    "force-pool": page_of("/pool", "force-pool", 960),
    "pools": page_of("/pools", "pools"),
    "pools-why": statement,
    "order-of-battle": page_of("/ob", "order-of-battle"),
    "reserves": page_of("/reserves", "reserves"),
    "air": page_of("/air", "air"),
    "factories": factories,
    "map": page_of("/map", "map", 860),
    "rulebook": page_of("/rules/52.A.9.d/3", "rulebook"),
    "rulebook-contents": page_of("/rules", "rulebook-contents"),
    "house-rules": page_of("/house", "house-rules"),
    "journal": page_of("/journal", "journal"),
    "print": page_of("/print", "print"),
    "sheets": sheets,
}
"""In the order of a turn: what one does, another sees."""


@contextmanager
def demonstration() -> Iterator[str]:
    """The address of a demonstration that runs for these pictures alone."""
    with tempfile.TemporaryDirectory(prefix="forcepool-", ignore_cleanup_errors=True) as folder:
        words = [sys.executable, "-m", "forcepool", "demo", "--no-browser", "--json", "--keep", folder]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
            try:
                yield _told(server)
            finally:
                server.terminate()


def _told(server: "subprocess.Popen[str]") -> str:
    """Where the server says that it is."""
    said = ""
    for line in server.stdout or ():
        said += line
        try:
            url: str = json.loads(said)["url"]
        except json.JSONDecodeError:
            continue
        return url.partition("/c/")[0]
    raise SystemExit("pictures: the demonstration did not start")


def main() -> None:
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise SystemExit("pictures: no Chromium was found; install one")
    FOLDER.mkdir(exist_ok=True)
    with demonstration() as address, sync_playwright() as play:
        opened = play.chromium.launch(executable_path=browser, args=MANNERS)
        camera = Camera(opened.new_page(viewport={"width": WIDE, "height": HIGH}), address)
        for name, shot in SHOTS.items():
            shot(camera)
            print(f"docs/pictures/{name}.webp  {(FOLDER / f'{name}.webp').stat().st_size // 1024} kB", flush=True)
        opened.close()


if __name__ == "__main__":
    main()
