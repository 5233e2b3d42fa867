"""The pictures of the documentation: each is taken by the script, shown on a page, said in words, and small."""

import re
from pathlib import Path

from tools.pictures import SHOTS

DOCS = Path(__file__).resolve().parents[1] / "docs"
SHOWN = re.compile(r"```\{image\} pictures/([\w-]+)\.webp\n:alt: (.+)\n")
MOST = 1_500_000


def shown() -> list[tuple[str, str]]:
    return [found for page in sorted(DOCS.glob("*.md")) for found in SHOWN.findall(page.read_text("utf-8"))]


def test_every_picture_is_taken_by_the_script_and_shown_on_a_page() -> None:
    files = {path.stem for path in (DOCS / "pictures").iterdir()}
    assert files == set(SHOTS)
    assert files == {name for name, _ in shown()}
    assert sum(page.read_text("utf-8").count("pictures/") for page in DOCS.glob("*.md")) == len(shown())


def test_every_picture_is_said_in_words_for_those_who_do_not_see_it() -> None:
    assert [name for name, alt in shown() if len(alt.split()) < 3] == []


def test_the_pictures_are_small_and_what_they_are_called() -> None:
    data = [path.read_bytes() for path in (DOCS / "pictures").iterdir()]
    assert all(each[:4] == b"RIFF" and each[8:12] == b"WEBP" for each in data)
    assert sum(map(len, data)) < MOST


def test_pages_say_the_words_that_stand_on_the_buttons() -> None:
    """What the first turn tells one to press is there to be pressed."""
    web = DOCS.parent / "src" / "forcepool" / "web"
    files = sorted((*web.glob("templates/*.html"), *web.glob("static/*.js"), *web.glob("*.py")))
    words = " ".join(" ".join(path.read_text("utf-8").split()) for path in files)
    told = re.findall(r"(?:[Pp]ress|page) \*\*([^*]+)\*\*", (DOCS / "first-turn.md").read_text("utf-8"))
    assert len(told) > 5
    titles = ("Turn", "Force pool", "Losses")
    assert [
        each for each in told if each not in titles and not re.search(rf"[>\"']{re.escape(each)}[<\"']", words)
    ] == []
