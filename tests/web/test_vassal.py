"""VASSAL in the browser: a save is dropped on the page, what changed there is ticked, and one undo takes it back."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from forcepool.web.chair import OBSERVER, SIDE, Seat
from forcepool.web.settings import USUAL, Bytes
from tests.support import vassal_smolensk as smolensk
from tests.web.conftest import Serve, Start, Visitor, arrived

ORDER = re.compile(r'name="order"\s+value="([^"]*)"')
FIELD = r'name="{}"\s+value="([^"]*)"'


def brought(visitor: Visitor, *files: Path, **fields: str) -> Any:
    """Bring files to the page as its form does."""
    parts = [("files", (each.name, each.read_bytes())) for each in files]
    headers = {"x-part": "1", "cookie": visitor.cookie}
    data = {"token": visitor.token} | fields
    return visitor.client.post("/c/east/vassal", data=data, files=parts, headers=headers)


def given(visitor: Visitor, page: str) -> Any:
    """Give all that is ticked."""
    fields: dict[str, Any] = {"order": [unescape(each) for each in ORDER.findall(page)]}
    for name in ("offers", "looks"):
        fields[name] = [unescape(each) for each in re.findall(FIELD.format(name), page)]
    return visitor.post("/c/east/vassal/give", fields)


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Path, Path]:
    """A module, and a save in which a division has moved, another is a cadre, and the enemy has moved too."""
    changed: dict[str, Any] = {"_34_Inf_XX": ("Smolensk", 1), "_5_Inf_XX": ("Yartsevo", 2), "_32_Rif_XX": ("Vyazma", 1)}
    return smolensk.write(tmp_path, **changed), tmp_path / "east.vmod"


def test_what_changed_is_taken_over_in_one_go_and_undone_in_one(
    serve: Serve, saved: tuple[Path, Path], tmp_path: Path
) -> None:
    home = serve().visitor()
    assert "Drop a save here" in home.get("/c/east/vassal").text
    page = brought(home, *saved).text
    assert "34 Inf XX has gone from Ugra to Smolensk" in page
    assert "5 Inf XX is turned to its cadre" in page
    assert "Turn marker" in page, "what nobody has decided is named"
    beside = tmp_path / "shelf0" / "east.fp.vassal.yaml"
    assert '"34 Inf XX": "34 Inf XX"' in beside.read_text("utf-8")
    assert home.get("/api/campaigns/east").json()["entries"] == 1, "nothing is recorded yet"
    assert given(home, page).json()["go"] == "/c/east/journal?from=2&done=4"
    again = brought(home, *saved).text
    assert "Nothing has changed there that is not so here." in again
    assert "undone: 3 entries" in home.post("/c/east/undo").json()["says"]
    assert "34 Inf XX has gone" in brought(home, *saved).text, "what was undone is offered again"


def test_a_side_hears_of_its_own_counters_alone(serve: Serve, saved: tuple[Path, Path], tmp_path: Path) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis = server.seated(Seat(SIDE, "Axis"))
    page = brought(axis, *saved).text
    assert "34 Inf XX has gone from Ugra to Smolensk" in page
    assert "Rif" not in page
    assert "2 counters are none of yours." in " ".join(page.split())
    assert not list((tmp_path / "shelf0").glob("*.vassal.*")), "its match file is its own"
    asked = [brought(axis, *saved, match=f'counters:\n  "x": "{name}"\n') for name in ("32 Rif XX", "320 Rif XX")]
    said = [re.sub(r"\d+ Rif XX", "it", each.text) for each in asked]
    assert asked[0].status_code == 422
    assert said[0] == said[1], "a unit that is hidden is answered like one that never was"
    looks = given(axis, page).json()["looks"]
    assert '"34 Inf XX":{"at":"Main: Smolensk","step":"full","entry":3}' in looks
    match = 'counters:\n  "34 Inf XX": "34 Inf XX"\n'
    assert "has gone" not in brought(axis, *saved, match=match, looks=looks).text
    watcher = server.seated(Seat(OBSERVER, "Axis"))
    assert watcher.post("/c/east/vassal/give", {"order": "{}"}).status_code == 403


def test_what_is_no_save_is_told_in_a_sentence(serve: Serve, saved: tuple[Path, Path], tmp_path: Path) -> None:
    home = serve().visitor()
    home.get("/c/east/vassal")
    bad = tmp_path / "bad.vsav"
    bad.write_bytes(b"hello")
    assert "bad.vsav: this is no ZIP file" in brought(home, bad).text
    assert "There is no save among these files" in brought(home, saved[1]).text
    wrong = brought(home, *saved, match='counters:\n  "34 Inf XX": "34 Inf X"\n')
    assert wrong.status_code == 422
    assert "match file:2:16: there is no unit" in unescape(wrong.text)
    assert "Without the module its regions are not known" in brought(home, saved[0]).text
    assert home.post("/c/east/vassal/give", {"token": home.token}).json()["says"] == "Tick what is to be taken over."
    opened = home.post("/c/east/whatif").json()["go"]
    assert home.get(f"{opened}/vassal").status_code == 404
    large = {"content-length": str(USUAL.upload_megabytes * Bytes + 1), "cookie": home.cookie}
    assert home.client.post("/c/east/losses", headers=large).status_code == 413


def test_a_save_is_dropped_on_the_page(live: Start, tab: Page, saved: tuple[Path, Path]) -> None:
    tab.goto(f"{live().url}/c/east/losses")
    tab.get_by_role("link", name="from a VASSAL save").click()
    arrived(tab, "/vassal$")
    dropped = tab.evaluate_handle(
        """(files) => {
          const carried = new DataTransfer();
          for (const [name, bytes] of files) carried.items.add(new File([new Uint8Array(bytes)], name));
          return carried;
        }""",
        [[each.name, list(each.read_bytes())] for each in saved],
    )
    tab.dispatch_event("h1", "drop", {"dataTransfer": dropped})
    ticked = tab.locator("#vassal-give input[type=checkbox]")
    expect(ticked).to_have_count(3)
    tab.get_by_label("32 Rif XX has gone").uncheck()
    tab.get_by_role("button", name="Take over what is ticked").click()
    arrived(tab, "/journal")
    expect(tab.locator("main")).to_contain_text("Move units 34 Inf XX, to Smolensk")
    expect(tab.locator("main")).not_to_contain_text("32 Rif XX")
