"""The report as PDF, printed by a Chromium, Chrome or Edge that is at hand."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

BROWSER = "FORCEPOOL_BROWSER"
"""Names the browser to print with, for machines where it is not in a usual place."""
ON_PATH = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
ON_WINDOWS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
)
ON_A_MAC = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
QUIETLY = (
    "--headless",
    "--disable-gpu",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-pdf-header-footer",
)
PATIENCE = 120


class CannotPrint(Exception):
    """No PDF was made; the sentence says why and what helps."""


def find_browser() -> str:
    """A browser that can print to PDF, or CannotPrint with the remedy."""
    named = os.environ.get(BROWSER, "")
    if named:
        found = shutil.which(named)
        if found is None:
            raise CannotPrint(f"{BROWSER} names '{named}', which is no program here; correct it or leave it out")
        return found
    for place in _usual_places():
        found = shutil.which(place)
        if found:
            return found
    raise CannotPrint(
        "no Chromium, Chrome or Edge was found to make the PDF with; install one, or name yours in "
        f"{BROWSER}, or write the page with --html and print it from any browser"
    )


def _usual_places() -> Iterator[str]:
    yield from ON_PATH
    for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        folder = os.environ.get(variable)
        if folder:
            yield from (f"{folder}\\{place}" for place in ON_WINDOWS)
    if sys.platform == "darwin":
        yield from (f"/Applications/{place}" for place in ON_A_MAC)


def write_pdf(html: str, path: Path) -> None:
    """Print a page to a file."""
    browser = find_browser()
    with tempfile.TemporaryDirectory(prefix="forcepool-", ignore_cleanup_errors=True) as folder:
        page, printed = Path(folder, "report.html"), Path(folder, "report.pdf")
        page.write_text(html, encoding="utf-8")
        said = _run([browser, *_manners(folder), f"--print-to-pdf={printed}", page.as_uri()])
        if not printed.is_file() or not printed.stat().st_size:
            raise CannotPrint(
                f"{browser} made no PDF ({said}); write the page with --html and print it from any browser"
            )
        shutil.copyfile(printed, path)


def _manners(folder: str) -> list[str]:
    """How the browser is to run: unseen, with a profile of its own that is thrown away."""
    manners = [*QUIETLY, f"--user-data-dir={Path(folder, 'profile')}"]
    # Chromium refuses to run as the superuser with its sandbox on; the page is our own and loads nothing.
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        manners.append("--no-sandbox")
    return manners


def _run(words: list[str]) -> str:
    """What the browser said last, for when it made nothing."""
    try:
        ran = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=False,
        )
    except OSError as error:
        raise CannotPrint(f"{words[0]} could not be run ({error.strerror}); name another in {BROWSER}") from None
    except subprocess.TimeoutExpired:
        raise CannotPrint(
            f"{words[0]} did not finish in {PATIENCE} seconds; write the page with --html and print it from any browser"
        ) from None
    last = ran.stderr.strip().splitlines()[-1:] or ["it said nothing"]
    return f"exit {ran.returncode}: {last[0]}"
