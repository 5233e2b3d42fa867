"""The tidy printer gives back the same order of battle."""

import os
import subprocess
import sys
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcepool.orderofbattle.lint import lint
from forcepool.orderofbattle.model import content
from forcepool.orderofbattle.printing import print_lines, print_ob
from forcepool.orderofbattle.reading import parse
from forcepool.orderofbattle.words import VERBS
from tests.orderofbattle.generator import CONDITIONS, GUARDS, PLACES, order_of_battle

SHIPPED = (files("forcepool") / "scenarios" / "east-1941.ob").read_text("utf-8")

UNTIDY = """title:   The  East
TURNS PER MONTH 2
# as printed
JUL II 41
GERMAN FORCES
East Theatre
   Reinforcements:
lx 8–6 Inf XX 24
2x 7-6 inf XX (3-6)  31,76   MD Orel or Kharkov "errata"
? Nonsense   here
Withdraw 1x 12-10 Pz XX 6, return Aug I 41
"""

TIDY = """title: The East
turns a month: 2

# as printed
Jul 2 41
  German, theatre East
    Reinforce:
      1x 8-6 Inf XX 24
      2x 7-6 inf XX (3-6) 31, 76 in MDs Orel or Kharkov, note: errata

? Nonsense   here

    Withdraw:
      1x 12-10 Pz XX 6, return Aug 1 41
"""


def reads_back(text: str) -> None:
    ob = parse(text)
    printed = print_ob(ob)
    again = parse(printed)
    assert content(again) == content(ob)
    assert print_ob(again) == printed


def test_an_untidy_page_is_printed_tidily() -> None:
    assert print_ob(parse(UNTIDY)) == TIDY
    assert print_ob(parse(TIDY)) == TIDY


def test_a_tidy_page_has_nothing_left_to_guess() -> None:
    assert parse(UNTIDY).warnings
    assert parse(TIDY).warnings == ()


def test_the_shipped_order_of_battle_is_clean_and_reads_back() -> None:
    ob = parse(SHIPPED)
    assert (ob.problems, ob.warnings, lint(ob)) == ((), (), [])
    assert "illustrative" in ob.title
    assert len(SHIPPED.splitlines()) >= 120
    reads_back(SHIPPED)


@pytest.mark.parametrize("seed", range(4))
def test_a_thousand_lines_are_understood_clean_and_read_back(seed: int) -> None:
    text = order_of_battle(1000, seed)
    ob = parse(text)
    assert len(text.splitlines()) >= 1000
    assert (ob.problems, ob.warnings) == ((), ())
    assert lint(ob) == []
    reads_back(text)


def test_the_generated_orders_use_nearly_every_verb() -> None:
    used = {entry.verb for seed in range(4) for entry in parse(order_of_battle(1000, seed)).entries}
    assert set(VERBS) - used == {"at start", "form", "unique event"}


def test_reading_and_printing_do_not_depend_on_hashes() -> None:
    program = (
        "from forcepool.orderofbattle.reading import parse; from forcepool.orderofbattle.printing import print_ob;"
        "from forcepool.orderofbattle.lint import lint; import sys; ob = parse(sys.stdin.read());"
        "print(print_ob(ob), ob.problems, lint(ob))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            input=(SHIPPED.replace("German", "Wrong", 1) + "Convert 1x 1-1 X XX\nfoo\n").encode(),
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


def test_headings_that_must_be_taken_back_are_written_from_the_turn_down() -> None:
    unit = "Withdraw 1x 8-6 Inf XX"
    reads_back(
        f"Jul 2 41\nGerman\n{unit}\nJul 2 41\n{unit}\ntheatre East\n{unit}\nGerman\n{unit}\nJul 2 41\nGerman\n{unit}"
    )
    reads_back(f"German\n{unit}\nSide: Reds\n{unit}\nSoviet\n{unit}\nAxis\n{unit}\nSoviet\n{unit}\nJul 2 41\n{unit}")
    reads_back(
        f"front Centre\n{unit}\ntheatre East\n{unit}\nforce SS\n{unit}\naffiliation Baltic\n{unit}\nOther: x\n{unit}"
    )


def test_a_line_that_was_not_understood_keeps_its_place_and_words() -> None:
    text = "Jul 2 41\nReinforce:\n1x 8-6 Inf XX 24,\nfoo  bar\n1x 8-6 Inf XX 25"
    assert print_ob(parse(text)).splitlines() == [
        "Jul 2 41",
        "    Reinforce:",
        "      1x 8-6 Inf XX 24",
        "",
        "? foo  bar",
        "",
        "      1x 8-6 Inf XX 25",
    ]
    reads_back(text)


def test_entries_are_listed_one_a_line_with_their_verbs() -> None:
    ob = parse("Jul 2 41\nWithdraw 1x 8-6 Inf XX 24\nOther: snow\nfoo")
    assert print_lines(ob.entries) == ["Withdraw 1x 8-6 Inf XX 24", "Other: snow", "foo"]


HEADINGS = st.sampled_from(
    [
        "Jul 1 41",
        "Aug 2 41",
        "Any turn",
        "German",
        "Soviet",
        "Axis",
        "Side: Reds",
        "Nation: Ruritania",
        "theatre East",
        "West Theatre",
        "command OKH",
        "front Centre",
        "force SS",
        "affiliation Baltic",
        "If Minsk falls:",
        "Always:",
        "MD Kiev:",
        "Reinforce:",
        "Withdraw:",
        "Arrive: Forming:",
        "Axis, Hungarian, theatre East",
        "# remark",
        "",
        "garbage in MD",
    ]
)
ITEMS = st.sampled_from(
    [
        "2x 8-6* Inf XX (3-6) (1-6) 24, 76",
        "1x ½-6 Const III + 5-7-6 Sec XX (4-5-6 unsupported) as cadre and militia",
        "any 3-6 Rif XX as Polish contingent",
        "up to 6x 0-1-R NKVD Border III",
        "5 inf, 2½ arm, 3 SP, 7 eng RPs",
        "2 inf-afr RPs, 1½ inf-col RPs",
        "6 RE",
        "all Rumanian forces",
        "1x 12-10 Pz XX 6 → 2x 3-8 Tk X 1 Gds, 20 Mtn",
        "1x 2-8 HQ HQ, XX",
    ]
)
TERMS = st.sampled_from(
    [
        "for 3 inf, 1½ arm",
        "gives 0 inf",
        "rebuild 4 eng",
        "from theatre West",
        "from city Minsk",
        "from MTO",
        "full Aug 1 41",
        "return Sep II 41",
        "after assembly of 5 Mtn XX",
        "as cadre",
        "embarked",
        "in OR",
        "in strategic reserve",
        "to West",
        'note: any "words"; → 2x if when',
    ]
)
LINES = st.builds(
    lambda verb, items, clauses: " ".join([verb, items, *(clause for clause in clauses if clause)]),
    st.sampled_from(["", "", "Transfer", "Convert:", "Upgrade", "If Turkey joins:", "Other:"]),
    ITEMS,
    st.lists(TERMS | st.sampled_from(PLACES) | st.sampled_from(CONDITIONS) | st.sampled_from(GUARDS), max_size=4),
)


@given(st.lists(HEADINGS | LINES, max_size=14))
def test_headings_and_lines_in_any_order_read_back(lines: list[str]) -> None:
    reads_back("\n".join(lines))


@given(st.text())
def test_any_text_reads_back(text: str) -> None:
    reads_back(text)
