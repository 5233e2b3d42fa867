"""What a study found, put together, drawn and told as a page."""

from fractions import Fraction
from pathlib import Path

import pytest

from forcepool.drawing.intervals import LEFT, RIGHT, Span, intervals
from forcepool.engine.codec import encode
from forcepool.files import read_yaml
from forcepool.report.study import as_html
from forcepool.report.study_text import as_markdown
from forcepool.study.conduct import RUNS, STUDY, Kept, Played
from forcepool.study.design import Run, read_study, runs
from forcepool.study.findings import findings
from forcepool.study.play import Row
from tests.cli.conftest import forcepool_runs

TEXT = """
title: "Is <a sixth> better?"
scenarios: [smolensk]
turns: 2
seeds: 4
policies: [quiet]
losses: {Axis: 3}
house_rules:
  loss-measure: [attack, averaged]
  special-fractions: [exact, tenths]
design: one-by-one
"""
MIDDLE = (LEFT + RIGHT) // 2


def _row(run: Run, number: int, strength: int) -> Row:
    return Row(run.name, f"Aug {number} 41", number, {"Axis": {"strength": Fraction(strength), "lost": Fraction(1)}})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Eight of twelve campaigns: losses averaged bring 4, 4, 6 and 6 more; the other ruling has not been played."""
    study = read_study(read_yaml(TEXT, "study.yaml"))
    (tmp_path / RUNS).mkdir()
    (tmp_path / STUDY).write_bytes(encode(Kept("9.9", study)))
    for run in runs(study):
        averaged = dict(run.house_rules)["loss-measure"] == "averaged"
        more = (4, 4, 6, 6)[run.seed - 1] if averaged else 0
        rows = [_row(run, 1, 100), _row(run, 2, 90 + run.seed + more)]
        if dict(run.house_rules)["special-fractions"] == "exact":
            (tmp_path / RUNS / f"{run.name}.json").write_bytes(encode(Played(run, rows)))
    return tmp_path


def test_what_was_found(folder: Path) -> None:
    found = findings(folder)
    assert (found.played, found.of, found.version, found.sides) == (8, 12, "9.9", ("Axis",))
    strength, lost = found.effects
    assert (strength.what, strength.base, strength.differs) == ("loss-measure averaged", Fraction(185, 2), Fraction(5))
    # Differences of 4, 4, 6 and 6: their spread is 4/3, the error 0.577, and with three degrees 3.18 of it are allowed.
    assert strength.give_or_take == pytest.approx(1.837, abs=0.001)
    assert strength.counts
    assert not lost.differs
    assert not found.without_effect
    courses = {each.measure: (each.turns, each.means) for each in found.courses}
    turns = ("Aug 1 41", "Aug 2 41")
    assert courses == {"strength": (turns, (Fraction(100), Fraction(185, 2))), "lost": (turns, (1, 1))}
    assert [(each.key, each.clause, each.options[0][0]) for each in found.rulings] == [
        ("loss-measure", "52.F.1/2", "attack"),
        ("special-fractions", "52.F.1/10", "exact"),
    ]


def test_the_page_stands_alone_and_says_what_is_missing(folder: Path) -> None:
    page = as_html(findings(folder), paper="letter")
    for words in (
        "Is &lt;a sixth&gt; better?",
        "8 of 12 campaigns",
        "size: letter",
        "<b>loss-measure averaged</b>: Axis, strength on the map at the end +5.00 ± 1.84",
        "of these 2 comparisons about",
        "The study is not finished",
        "52.F.1/2",
    ):
        assert words in page
    assert "<a sixth>" not in page
    assert "http" not in page


def test_a_study_that_was_not_played_says_so(folder: Path) -> None:
    for each in (folder / RUNS).iterdir():
        each.unlink()
    found = findings(folder)
    assert (found.played, found.effects, found.courses) == (0, (), ())
    assert "No campaign has been played yet" in as_html(found)


def test_a_span_that_does_not_reach_to_nothing_is_drawn_full() -> None:
    drawn = intervals("strength", [Span("a <ruling>", 5.0, 3.0), Span("b", -1.0, 1.5)])
    assert "a &lt;ruling&gt; +5.00 ± 3.00; b -1.00 ± 1.50" in drawn
    # From -8 to 8: 5 lies five eighths to the right of the middle, -1 an eighth to the left.
    half = (RIGHT - LEFT) / 2
    assert f'cx="{round(MIDDLE + half * 5 / 8)}" cy="19" r="4" fill="#8c2f24"' in drawn
    assert f'cx="{round(MIDDLE - half / 8)}" cy="41" r="4" fill="#fffdf8"' in drawn
    assert intervals("strength", []) == ""


def test_from_the_terminal(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "found.html"
    assert "the report of" in forcepool_runs("study", "report", str(folder), "--html", str(page)).out
    assert "loss-measure averaged" in page.read_text("utf-8")
    told = forcepool_runs("study", "report", str(folder)).out
    assert "more than chance" in told
    assert "may stand out by chance alone" in told
    refused = forcepool_runs("study", "study.yaml", "--out", "x", "--html", "y.html")
    assert refused.code == 2
    assert "forcepool study report DIR --html FILE" in refused.err


def test_as_markdown_it_has_what_stands_out_the_pictures_and_the_table(folder: Path, tmp_path: Path) -> None:
    text = as_markdown(findings(folder))
    assert "8 of 12 campaigns of 2 turns, 4 of 4 seeds" in text
    assert "**The study is not finished**" in text
    assert "- **loss-measure averaged**: Axis, strength on the map at the end +5.00 ± 1.84 (without it 92.50)" in text
    assert "| loss-measure averaged | Axis | strength on the map at the end | 92.50 | +5.00 ± 1.84 | yes |" in text
    assert text.count("<svg") == 2
    told = forcepool_runs("study", "report", str(folder), "--markdown", str(tmp_path / "found.md"))
    assert "found.md" in told.out
    assert (tmp_path / "found.md").read_text("utf-8") == text
