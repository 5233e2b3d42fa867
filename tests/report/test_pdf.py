"""The report as PDF: which browser prints it, and what is said when none does."""

import os
import re
import stat
import sys
from pathlib import Path

import pytest

from forcepool.report import pdf
from forcepool.report.pdf import CannotPrint, find_browser, write_pdf

SHEETS = "<style>@page {{ size: {paper} }} p {{ break-after: page }}</style><p>one</p><p>two</p><b>three</b>"


def program(path: Path, says: str) -> str:
    """A stand-in for a browser: a Python script that anyone may run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable}\nimport sys\n{says}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser."""
    for name in ("FORCEPOOL_BROWSER", "PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(pdf, "ON_A_MAC", ())
    return tmp_path


def test_without_a_browser_the_remedy_is_named(bare: Path) -> None:
    with pytest.raises(CannotPrint, match=r"install one, or name yours in FORCEPOOL_BROWSER, or write .* --html"):
        find_browser()


@pytest.mark.skipif(os.name == "nt", reason="scripts are not programs on Windows")
@pytest.mark.parametrize("name", ["chromium", "google-chrome", "microsoft-edge"])
def test_a_browser_on_the_path_is_found(bare: Path, name: str) -> None:
    browser = program(bare / "bin" / name, "")
    assert find_browser() == browser


@pytest.mark.skipif(os.name == "nt", reason="scripts are not programs on Windows")
def test_a_browser_that_was_named_comes_before_the_others(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bare / "bin" / "chromium", "")
    own = program(bare / "own" / "browser", "")
    monkeypatch.setenv("FORCEPOOL_BROWSER", own)
    assert find_browser() == own


def test_a_browser_named_wrongly_is_said_so(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCEPOOL_BROWSER", "netscape")
    with pytest.raises(CannotPrint, match="FORCEPOOL_BROWSER names 'netscape'"):
        find_browser()


@pytest.mark.skipif(os.name == "nt", reason="scripts are not programs on Windows")
def test_what_the_browser_printed_is_the_file(bare: Path) -> None:
    copies = "[path] = [each.partition('=')[2] for each in sys.argv if each.startswith('--print-to-pdf=')]"
    program(bare / "bin" / "chromium", f"{copies}\nopen(path, 'wb').write(b'%PDF-1.7 ' + sys.argv[-1].encode())")
    write_pdf("<p>a report</p>", bare / "report.pdf")
    assert (bare / "report.pdf").read_bytes().startswith(b"%PDF-1.7 file:")


@pytest.mark.skipif(os.name == "nt", reason="scripts are not programs on Windows")
def test_a_browser_that_prints_nothing_is_quoted_and_no_file_is_left(bare: Path) -> None:
    program(bare / "bin" / "chromium", "sys.exit('out of paper')")
    with pytest.raises(CannotPrint, match=r"made no PDF \(exit 1: out of paper\)"):
        write_pdf("<p>a report</p>", bare / "report.pdf")
    assert not (bare / "report.pdf").exists()


@pytest.mark.parametrize(("paper", "points"), [("A4", (595, 842)), ("letter", (612, 792))])
def test_a_browser_at_hand_prints_every_sheet_on_the_paper_asked_for(
    tmp_path: Path, paper: str, points: tuple[int, int]
) -> None:
    try:
        find_browser()
    except CannotPrint as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
    write_pdf(SHEETS.format(paper=paper), tmp_path / "report.pdf")
    data = (tmp_path / "report.pdf").read_bytes()
    boxes = re.findall(rb"/MediaBox *\[0 0 ([\d.]+) ([\d.]+)\]", data)
    assert [(round(float(wide)), round(float(high))) for wide, high in boxes] == [points] * 3
