"""Print and share: the sheets one asks for, as PDF, text and page, and nothing of another's."""

import re

import pytest

from forcepool.report.words import SHEETS
from forcepool.tables.campaign import TABLES
from forcepool.web import tasks
from forcepool.web.chair import FRONT, REFEREE, SIDE, Seat
from forcepool.web.task import Task
from tests.web.conftest import Serve, Server, task_of


@pytest.fixture
def home(serve: Serve) -> Server:
    return serve()


def test_the_page_offers_every_sheet_and_both_papers(home: Server) -> None:
    page = home.visitor().get("/c/east/print").text
    assert re.findall(r'name="sheet" value="(\w+)"', page) == list(SHEETS)
    assert {"sheets", "pdf", "text", "page"} == set(re.findall(r'name="form" value="(\w+)"', page))
    assert {"backup", "export", "table"} == set(re.findall(r'name="kind"\s+value="(\w+)"', page)) - {"report"}
    assert '<option value="a4" selected>' in page
    american = home.visitor().get("/c/east/print", **{"accept-language": "en-US,en;q=0.9"}).text
    assert '<option value="letter" selected>' in american


def test_sheets_are_shown_with_a_button_that_prints_them(home: Server) -> None:
    visitor = home.visitor()
    visitor.get("/c/east/print")
    wish = {"form": "sheets", "paper": "letter", "large": "yes", "sheet": ["losses", "pools"], "own": "Axis"}
    visitor.post("/c/east/job", {"kind": "report"} | wish)
    assert task_of(visitor)["file"] == "east-report.html"
    shown = visitor.get("/c/east/job/sheets")
    assert "style-src 'unsafe-inline'" in shown.headers["content-security-policy"]
    assert "script-src 'self'" in shown.headers["content-security-policy"]
    assert set(re.findall(r"<h2>([^<]*?) <small>([^<]*)<", shown.text)) == {("Pools", "Axis"), ("Loss sheet", "Axis")}
    assert "size: letter;" in shown.text
    assert 'class="large"' in shown.text
    assert '<a href="/c/east/print">Back</a>' in shown.text


def test_without_sheets_one_is_led_to_where_they_are_asked_for(home: Server) -> None:
    visitor = home.visitor()
    visitor.get("/c/east/print")
    visitor.post("/c/east/job", {"kind": "report", "form": "text"})
    task_of(visitor)
    answer = visitor.get("/c/east/job/sheets")
    assert (answer.status_code, answer.headers["location"]) == (303, "/c/east/print")


def test_a_side_cannot_ask_for_anothers_sheets(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    soviet, referee = server.seated(Seat(SIDE, "Soviet")), server.seated(Seat(REFEREE))
    for seat, sees in ((soviet, False), (referee, True)):
        seat.post("/c/east/job", {"kind": "report", "form": "sheets", "own": "Axis", "sheet": list(SHEETS)})
        task_of(seat)
        assert ("6 Pz XX" in seat.get("/c/east/job/sheets").text) is sees
    front = server.seated(Seat(FRONT, "Axis", "front/centre")).get("/c/east/print").text
    assert "ask Axis for one" in front
    assert 'name="form"' not in front


def test_where_nothing_makes_a_pdf_it_says_what_to_do_instead(
    home: Server, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("FORCEPOOL_BROWSER", "no such browser")
    file, folder = home.app.state.shelf.stock.folder / "east.fp", tmp_path_factory.mktemp("pdf")
    task = Task("report", str(file), folder=str(folder), fields={"form": "pdf"})
    told = tasks.report(task, lambda done, of: None)
    assert (told.ok, "Save as PDF" in told.says) == (False, True)
    assert list(folder.iterdir()) == []


def test_a_printed_page_says_which_campaign_turn_and_phase_it_is_of(home: Server) -> None:
    for path in ("", "/pool", "/pools"):
        page = " ".join(home.visitor().get(f"/c/east{path}").text.split())
        assert re.search(r'<p class="printed">[^<]+ · Oct 3 41, Axis replacement phase</p>', page)


def test_a_table_for_a_spreadsheet(home: Server) -> None:
    visitor = home.visitor()
    page = visitor.get("/c/east/print").text
    assert re.findall(r'<option value="(\w+)"\s+title=', page) == list(TABLES)
    for ending in ("csv", "xlsx"):
        visitor.post("/c/east/job", {"kind": "table", "table": "units", "as": ending})
        assert task_of(visitor)["file"] == f"east-units.{ending}"
        file = visitor.get("/c/east/job/file")
        if ending == "csv":
            assert file.text.splitlines()[0].lstrip("\ufeff").startswith("unit,nation,side,type")
            assert "6 Pz XX,Germany,Axis,Pz,XX,cadre,4,4,1,4.0,4,4,1,4.0,hex," in file.text
    for shows, table in (("pools", "balances"), ("journal", "orders")):
        assert f'name="table" value="{table}"' in visitor.get(f"/c/east/{shows}").text
