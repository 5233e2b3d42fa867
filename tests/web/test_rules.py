"""The rulebook and the house rules: contents with titles, search, what is played differently here."""

import json
import re
from html import unescape

from tests.web.conftest import Visitor


def text(visitor: Visitor, path: str) -> str:
    answer = visitor.get(f"/c/east{path}")
    assert answer.status_code == 200
    return unescape(answer.text).partition("<main")[2]


def test_the_front_page_is_a_table_of_contents_with_titles(home: Visitor) -> None:
    page = text(home, "/rules")
    assert re.search(r'/rules/52"[^>]*>52</a> Replacements <small>\d+ clauses', page)
    assert '/rules/52.A.9">52.A.9 <span>Cadres and remnants</span></a>' in page
    assert "data-live" in page, "it searches as one types"
    assert "Cadres and remnants" in text(home, "/rules/52.A"), "a heading lists what is below it"


def test_a_long_heading_shows_its_own_clauses_and_a_short_one_all_below_it(home: Visitor) -> None:
    long, short = text(home, "/rules/52.A"), text(home, "/rules/52.A.9")
    assert "/rules/52.A/1" in long
    assert "/rules/52.A.9.d/1" not in long
    assert "/rules/52.A.9.d/1" in short
    assert "Replacing and rebuilding units" in short, "the way up"


def test_a_clause_says_under_which_headings_it_stands(home: Visitor) -> None:
    page = text(home, "/rules/52.A.9.d/3")
    assert "52.A.9.d From cadre to full strength" in re.sub(r"\s+", " ", page)


def test_house_rules_stand_by_heading_and_are_found_by_words(home: Visitor) -> None:
    page = text(home, "/house")
    assert "52.A Replacing and rebuilding units" in page
    every, found = page.count("data-row"), text(home, "/house?q=isolat")
    assert 0 < found.count("data-row") < every
    assert "No ruling fits this" in text(home, "/house?q=zzz")
    assert "plays every ruling as it usually is" in text(home, "/house?differs=yes")


def test_what_is_played_differently_here_is_marked_and_listed_alone(home: Visitor) -> None:
    rules = home.get("/api/campaigns/east/house-rules").json()["switches"]
    rule = next(each for each in rules if each["clause"] and len(each["options"]) > 1)
    (_, usual), (name, other) = list(rule["options"].items())[:2]
    order = {"command": "house-rule", "rule": rule["key"], "option": name}
    assert home.post("/c/east/do", {"order": json.dumps(order)}).json()["accepted"]
    alone = text(home, "/house?differs=yes")
    assert alone.count("data-row") == 1
    assert f"Here: {other} <em" in alone
    assert f"<b>Usually:</b> {usual}" in alone
    for path in ("/rules", "/seats"):
        assert other in text(home, path)
        assert "/c/east/house" in text(home, path)
