"""What shows itself in a notebook, and the two worked ones."""

import re
from pathlib import Path
from typing import Any, Protocol
from xml.etree import ElementTree

import nbformat
import polars
import pytest
from nbclient import NotebookClient

import forcepool
from forcepool.engine.sentence import Told
from forcepool.tables.table import AMOUNT, Column

NOTEBOOKS = Path(__file__).parents[2] / "examples" / "notebooks"
EVIL = "<script>alert('x')</script> & <b>"
SCENARIO = f"""
title: "{EVIL}"
turn: Oct 3 41
players: [Axis, Soviet]
fronts: {{Centre: {{theatre: East, country: Soviet Union}}}}
pools: {{front/centre: {{German: {{inf: 8 1/4}}}}}}
units:
  "{EVIL} XX": {{spec: 7-6 Inf XX (3-6), nation: German, at: Minsk, as: cadre}}
"""


@pytest.fixture
def evil(tmp_path: Path) -> forcepool.Campaign:
    """A campaign whose names are markup."""
    path = tmp_path / "evil.yaml"
    path.write_text(SCENARIO, "utf-8")
    return forcepool.new(path, seed=1)


class Shows(Protocol):
    """What Jupyter asks for."""

    def _repr_html_(self) -> str: ...


def text_of(shown: Shows) -> str:
    """The words of what a notebook would show; its markup is whole, and nothing in it is carried out or fetched."""
    markup = shown._repr_html_()
    assert "<script" not in markup.casefold()
    assert not re.search(r"\bon[a-z]+=|javascript:|(?:src|href)=", markup)
    return " ".join("".join(ElementTree.fromstring(f"<div>{markup.replace('<br>', '<br/>')}</div>").itertext()).split())


def test_names_are_shown_and_never_carried_out(evil: forcepool.Campaign) -> None:
    name = f"{EVIL} XX"
    assert EVIL in text_of(evil)
    assert name in text_of(evil.unit(name))
    assert name in text_of(evil.units())
    assert name in text_of(evil.judge("rebuild-cadre", unit=name, pay_from="front/centre"))
    assert EVIL in text_of(evil.plan(turns=1))
    evil.advance(to="Oct 4 41")
    assert "front Centre" in text_of(evil.pool("front/centre"))
    held = evil.query(
        f"select turn, amount, '{EVIL.replace(chr(39), chr(39) * 2)}' as n from balances where kind = 'inf'"
    )
    assert EVIL in text_of(held.plot("turn", "amount", by="n"))


def test_a_campaign_shows_what_is_due_and_what_everybody_has() -> None:
    shown = text_of(forcepool.new("smolensk"))
    assert "Smolensk and Vyazma, October 1941" in shown
    assert "Nothing is due." in shown
    assert re.search(r"Germany ?front Centre ?8¼ ?3¾", shown.replace("Axis", " "))


def test_a_unit_shows_its_counter() -> None:
    unit = forcepool.new("smolensk").unit("6 pz xx")
    assert unit.svg.startswith("<svg")
    assert "<use" not in unit.svg, "a counter in a notebook brings its own glyph"
    assert "cadre 4-8" in text_of(unit)
    assert str(unit).startswith("6 Pz XX")


def test_a_pool_shows_its_course_once_there_is_one() -> None:
    campaign = forcepool.new("smolensk", seed=1)
    assert "<svg" not in campaign.pool("front Centre")._repr_html_()
    campaign.do("rebuild-cadre", unit="6 Pz XX", pay_from="front/centre")
    campaign.advance(to="Oct 4 41")
    pool = campaign.pool("Front/Centre")
    assert [list(map(str, pool.held["Germany"][kind])) for kind in ("inf", "arm")] == [["19/4", "19/4"], ["1/4", "1/4"]]
    assert pool._repr_html_().count("<polyline") == 2
    with pytest.raises(Told, match="there is no pool 'front/center'; did you mean front/centre"):
        campaign.pool("front/center")


def test_a_refusal_shows_every_reason_and_no_lines_of_the_program() -> None:
    campaign = forcepool.new("smolensk")
    told = campaign.judge("rebuild-cadre", unit="10 Pz XX", pay_from="md/moscow")
    shown = text_of(told)
    assert all(each.clause in shown and each.says in shown for each in told.reasons)
    assert told.reasons
    with pytest.raises(forcepool.Refused) as refused:
        campaign.do(told.order)
    lines = refused.value._render_traceback_()
    assert lines[0] == f"refused: {told.order}"
    assert len(lines) == 1 + len(told.reasons)


def test_a_plan_shows_its_orders_and_each_is_accepted() -> None:
    campaign = forcepool.new("smolensk", seed=1)
    plan = campaign.plan(turns=2)
    shown = text_of(plan)
    assert "Plan of Axis until Nov 1 41" in shown
    assert all(each.order in shown for each in plan)
    for each in plan:
        if each.when == campaign.when:
            campaign.do(each.order)


def test_a_drawing_wants_numbers() -> None:
    table = forcepool.Table(
        "t", "", (Column("turn"), Column("n"), Column("x", AMOUNT)), (("a", "1/2", 1), ("b", "?", 2))
    )
    assert "Nothing to draw" in text_of(forcepool.Table("t", "", table.columns, table.rows[:1]).plot("turn", "n"))
    with pytest.raises(Told, match=r"'\?' is no number"):
        table.plot("turn", "n")


def test_polars_reads_a_table_through_arrow() -> None:
    campaign = forcepool.new("smolensk", seed=1)
    table = campaign.balances()
    frame = polars.from_arrow(table.to_arrow())
    assert isinstance(frame, polars.DataFrame)
    assert frame.columns == [each.name for each in table.plain_columns]
    assert frame.rows() == list(table.plain_rows())
    assert frame.filter(polars.col("pool") == "front/centre")["amount_float"].sum() == 12


@pytest.mark.parametrize(
    ("name", "shows"),
    [
        (
            "winter.ipynb",
            ["Smolensk and Vyazma", "<polyline", '<svg class="counter"', "refused:", "Plan of Axis until"],
        ),
        ("quarter.ipynb", ["(64, 8)", "<polyline", "Soviet  received ", " ± ", "True"]),
    ],
)
def test_the_worked_notebooks_run(name: str, shows: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a kernel of their own, as Jupyter runs them."""
    for each in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(each, str(tmp_path / each))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    read: Any = nbformat.read
    notebook = read(NOTEBOOKS / name, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "a notebook is kept without what it showed"
    NotebookClient(
        notebook, timeout=600, startup_timeout=600, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert not any(each.output_type == "error" for each in outputs)
    shown = "\n".join(str(value) for each in outputs for value in (each.get("text"), *each.get("data", {}).values()))
    assert [each for each in shows if each not in shown] == []
