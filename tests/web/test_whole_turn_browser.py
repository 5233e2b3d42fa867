"""A whole turn of the demonstration for one side, by mouse and by keyboard, in few clicks.

The turn is the Soviet one of Jul 4 41, as it was recorded. Where the arriving divisions go is left to the proposal of
the placement sheet, and which divisions the pools buy back to the board; all else is done as it was done then.
"""

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from forcepool import games
from forcepool.store.open import import_campaign
from forcepool.views.scenarios import shipped_journal
from tests.web.conftest import Live

pytestmark = pytest.mark.browser

BEFORE, AFTER = 817, 875
"""The entries of the recorded campaign between which the Soviet player-turn of Jul 4 41 lies."""
MOST_CLICKS = 40
"""For 56 deeds."""
MOST_KEYS = 320
"""Most of them arrows: from one line to the next."""
FOCUSED = """words => {
  const on = document.activeElement;
  const told = on.type === "checkbox" ? `box ${on.closest("label").textContent}` : on.ariaLabel || on.textContent;
  return told.replace(/\\s+/g, " ").includes(words);
}"""
SIDE = "Soviet"
SENT = (("MD Moscow", "8"), ("MD Orel", "6"), ("MD Volga", "6"))
RELIEVED = ("16 Army HQ XXXX", "152 Rif XX")
BOUGHT = (("MD Moscow", 3), ("MD Kiev", 9), ("general armour pool", 5))
REBUILT = ("121 Rif XX", "99 Rif XX", "24 Rif XX", "13 BAD")


def _cut(lines: list[str], last: int) -> Iterator[str]:
    """A journal up to one of its entries, closed as an export closes it."""
    here = False
    for line in lines:
        yield line
        here = here or line.strip() == f"entry {last}"
        if here and line.startswith("hash "):
            yield f"end {last} {line.split()[1]}\n"
            return


def _played(lines: list[str]) -> list[dict[str, Any]]:
    """What the side did in that turn."""
    entries = [json.loads(line[5:]) for line in lines if line.startswith('text {"n":')]
    return [each for each in entries if BEFORE < each["n"] <= AFTER and each["seat"] == SIDE]


@pytest.fixture(scope="module")
def recorded() -> list[str]:
    return list(shipped_journal("east-1941"))


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory, recorded: list[str]) -> Path:
    """The campaign as it stood before that turn."""
    path = tmp_path_factory.mktemp("july") / "east.fp"
    import_campaign(_cut(recorded, BEFORE), path, build=games.build_world)
    return path


@pytest.fixture
def july(tmp_path: Path, before: Path) -> Iterator[Live]:
    shutil.copy(before, tmp_path / "east.fp")
    with Live(tmp_path, public=False) as live:
        yield live


def look_as_the_side(tab: Page, july: Live) -> None:
    tab.goto(f"{july.url}/c/east")
    with tab.expect_navigation():
        tab.get_by_label("Look at the campaign as").select_option(SIDE)


def settled(tab: Page, july: Live) -> None:
    """The hand has left, and the page shows what was done last."""
    tab.mouse.move(0, 0)
    last = tab.request.get(f"{july.url}/api/campaigns/east").json()["entries"]
    expect(tab.locator(".seal")).to_contain_text(f"Entry {last},")


def row_of(board: Locator, unit: str) -> Locator:
    return board.locator("li[data-row]", has=board.page.locator(f"a.part:text-is('{unit}')"))


def folds_over(line: Locator) -> Iterator[Locator]:
    """What must be opened to see a line, the outermost first, each once the one before it is open."""
    while (fold := line.locator("xpath=ancestor::details[not(@open)]/summary")).count():
        yield fold.first


def as_recorded(tab: Page, july: Live, recorded: list[str]) -> None:
    """As many deeds of each kind were done as the record has, and the same units were named where it names them."""
    told = tab.request.get(f"{july.url}/api/campaigns/east/log?limit=100").json()["entries"]
    done = [each for each in told if each["entry"] > BEFORE]
    played = [each["do"] for each in _played(recorded)]
    assert Counter(each["command"].split()[0] for each in done) == Counter(each["command"] for each in played)
    # Which divisions the pools buy back is left to the board; so many are bought with each kind of point.
    named = {(each["command"], each["unit"]) for each in played if "unit" in each and each["command"] != "replace"}
    assert {pair for each in done if (pair := _about(each["command"]))[1] and pair[0] != "replace"} == named
    bought = [each for each in done if each["command"].startswith("replace ")]
    assert sum("general/armour" in each["command"] for each in bought) == 5


def _about(command: str) -> tuple[str, str]:
    """The order's name and the unit it is about."""
    found = re.search(r'\bunit=(?:"([^"]+)"|(\S+))', command)
    return command.split()[0], (found[1] or found[2]) if found else ""


class Mouse:
    """A hand on the mouse that counts its clicks; what it types is not counted, nor is turning the wheel."""

    def __init__(self, tab: Page) -> None:
        self.tab, self.clicks = tab, 0

    def click(self, what: Locator, then: str = "") -> None:
        self.clicks += 1
        what.click()
        if then:
            expect(self.tab.locator(".toast")).to_contain_text(then)

    def types(self, into: Locator, text: str, then: str) -> None:
        """Click into a field, write, and press Enter."""
        self.click(into)
        into.fill(text)
        into.press("Enter")
        expect(self.tab.locator(".toast")).to_contain_text(then)

    def opens(self, page: str) -> None:
        self.click(self.tab.locator("#tabs").get_by_role("link", name=page))
        self.tab.wait_for_load_state()

    def ends(self, phase: str) -> None:
        """End the phase, also when asked whether one means it."""
        self.click(self.tab.get_by_role("button", name="End phase"))
        sheet = self.tab.locator("#sheet [data-ends] button").first
        over = self.tab.locator("#bar .phase", has_text=phase)
        expect(sheet.or_(over).first).to_be_visible()
        if sheet.is_visible():
            self.click(sheet)
        expect(over).to_be_visible()


def test_a_whole_turn_is_played_with_forty_clicks(july: Live, tab: Page, recorded: list[str]) -> None:
    look_as_the_side(tab, july)
    hand, board, remark = Mouse(tab), tab.locator("#board"), tab.get_by_label("Into the journal")

    hand.types(remark, "Zaporozhe begins to load its presses for Magnitogorsk.", "Note")
    hand.opens("Factories")
    hand.click(tab.get_by_role("button", name="Zaporozhe stops producing"), "Declare")
    hand.ends("reinforcement")

    hand.opens("Turn")
    hand.click(board.locator("summary", has_text="Withdraw 8 Tk XX"))
    hand.click(board.get_by_role("button", name="Yes, do it"), "Withdraw")
    hand.click(tab.get_by_role("link", name="Placement sheet"))
    hand.click(tab.get_by_role("button", name="Place them all"), "15 placed")
    hand.opens("Turn")
    hand.click(tab.get_by_role("link", name="where points are moved").first)
    for md, amount in SENT:
        hand.types(tab.get_by_label(f"How much: in {md}"), amount, md)
        settled(tab, july)
    hand.ends("movement")

    hand.opens("Map")
    hand.click(tab.locator("#in-view").get_by_role("link", name="Yartsevo"))
    for unit in RELIEVED:
        hand.click(tab.get_by_role("checkbox", name=unit))
    hand.click(tab.get_by_role("checkbox", name="they have broken out"))
    hand.types(tab.locator(".moving").get_by_label("To"), "Vyazma", "Vyazma")
    hand.ends("combat")

    hand.opens("Turn")
    hand.types(remark, "Rokossovsky holds the crossings open for two divisions and an army staff.", "Note")
    hand.ends("replacement")

    for pool, count in BOUGHT:
        hand.types(board.get_by_role("spinbutton", name=f"units · {pool}").first, str(count), f"{count} done")
        settled(tab, july)
    for unit in REBUILT:
        line = row_of(board, unit)
        for fold in folds_over(line):
            hand.click(fold)
        hand.click(line.get_by_role("button", name="Do it"), unit)
        settled(tab, july)
    hand.ends("exploitation")
    hand.ends("initial")
    as_recorded(tab, july, recorded)
    assert hand.clicks <= MOST_CLICKS


class Keys:
    """Hands on the keyboard that count the keys they press; what is written into a field is not counted."""

    def __init__(self, tab: Page) -> None:
        self.tab, self.pressed = tab, 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tab.keyboard.press(key)
            self.pressed += 1

    def focused(self, words: str) -> bool:
        return bool(self.tab.evaluate(FOCUSED, words))

    def walk(self, words: str, key: str = "ArrowDown") -> None:
        """Go on until the line, or field, with these words has the focus."""
        for _ in range(80):
            self.press(key)
            if self.focused(words):
                return
        raise AssertionError(f"no line with '{words}' is reached by {key}")

    def told(self, words: str) -> None:
        expect(self.tab.locator(".toast")).to_contain_text(words)

    def opens(self, key: str, page: str) -> None:
        self.press(key)
        expect(self.tab.locator("h1")).to_contain_text(page)
        self.tab.wait_for_load_state()

    def writes(self, text: str, told: str) -> None:
        self.tab.keyboard.type(text)
        self.press("Enter")
        self.told(told)
        self.press("Escape")

    def ends(self, phase: str) -> None:
        self.press("e")
        sheet, over = self.tab.locator("#sheet:not([hidden])"), self.tab.locator("#bar .phase", has_text=phase)
        expect(sheet.or_(over).first).to_be_visible()
        if sheet.is_visible():
            self.press("Tab", "Enter")
        expect(over).to_be_visible()


def test_a_whole_turn_is_played_without_a_mouse(july: Live, tab: Page, recorded: list[str]) -> None:
    look_as_the_side(tab, july)
    hands = Keys(tab)

    hands.press("n")
    hands.writes("Zaporozhe begins to load its presses for Magnitogorsk.", "Note")
    hands.opens("c", "Factories")
    hands.walk("Zaporozhe", "ArrowUp")
    hands.walk("stops producing", "Tab")
    hands.press("Enter")
    hands.told("Declare")
    hands.ends("reinforcement")

    hands.opens("t", "What this phase asks")
    hands.walk("Withdraw 8 Tk XX")
    hands.press("Enter", "Enter")
    hands.told("Withdraw")
    hands.opens("s", "Placement sheet")
    hands.press("ArrowDown", "Tab", "Control+Enter")
    hands.told("15 placed")
    hands.press("Escape")
    hands.opens("t", "What this phase asks")
    hands.opens("w", "Open to your side")
    for md, amount in SENT:
        hands.walk(f"In {md}")
        hands.press("Tab", "Tab")
        hands.writes(amount, md)
        settled(tab, july)
    hands.ends("movement")

    hands.opens("m", "Map")
    hands.walk("Yartsevo", "ArrowUp")
    hands.press("Enter")
    expect(tab.locator("#card h2")).to_contain_text("Yartsevo")
    for unit, way in zip(RELIEVED, ("Shift+Tab", "Tab"), strict=True):
        hands.walk(f"box {unit}", way)
        hands.press("Space")
    hands.walk("box they have broken out", "Tab")
    hands.press("Space", "Tab")
    hands.writes("Vyazma", "Vyazma")
    hands.ends("combat")

    hands.opens("t", "What this phase asks")
    hands.press("n")
    hands.writes("Rokossovsky holds the crossings open for two divisions and an army staff.", "Note")
    hands.ends("replacement")

    for pool, count in BOUGHT:
        hands.walk(f"units · {pool}")
        hands.press("Tab", "Tab")
        hands.writes(str(count), f"{count} done")
        settled(tab, july)
    for unit in REBUILT:
        line = row_of(tab.locator("#board"), unit)
        for fold in folds_over(line):
            hands.walk(fold.inner_text().split("\n")[0])
            hands.press("Enter")
        hands.walk(f"{unit}:")
        hands.press("Enter")
        hands.told(unit)
        settled(tab, july)
    hands.ends("exploitation")
    hands.ends("initial")
    as_recorded(tab, july, recorded)
    assert hands.pressed <= MOST_KEYS
