"""A campaign as tables: every row agrees with the journal, amounts are exact, files are what they say."""

import csv
import io
import re
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import openpyxl
import pyarrow.parquet
import pytest

import forcepool
from forcepool import games
from forcepool.engine.campaign import Campaign
from forcepool.engine.journal import MemoryJournal
from forcepool.engine.ledger import is_pool
from forcepool.engine.sentence import Told
from forcepool.store.textfile import import_text
from forcepool.tables.campaign import TABLES, table
from forcepool.tables.sql import ask
from forcepool.tables.table import AMOUNT, Column, Table
from forcepool.views.pools import series
from forcepool.views.scenarios import shipped_journal


@pytest.fixture(scope="module")
def demonstration() -> Campaign:
    journal = MemoryJournal()
    import_text(shipped_journal("east-1941"), journal, file="east-1941")
    return Campaign(journal, games.build_world)


def test_every_table_has_a_row_for_each_column(demonstration: Campaign) -> None:
    for name in TABLES.keys() - {"closed"}:
        found = table(demonstration, name)
        assert found.rows, name
        assert {len(row) for row in found.rows} == {len(found.columns)}, name
        for column, values in zip(found.columns, zip(*found.rows, strict=True), strict=True):
            assert all(isinstance(each, Fraction) == (column.kind == AMOUNT) for each in values), (name, column.name)


def test_balances_by_turn_are_the_statements_own(demonstration: Campaign) -> None:
    found = {
        (row["turn"], row["pool"], row["nation"], row["kind"]): row["amount"]
        for row in table(demonstration, "balances")
    }
    told = {
        (reading.name, each.account.pool, each.account.nation, each.account.kind): reading.balance
        for each in series(demonstration)
        for reading in each.readings
    }
    # An account that nobody has used yet has no row; the statement says nothing of it but 0.
    assert {key: amount for key, amount in found.items() if amount} == {key: each for key, each in told.items() if each}
    assert len({row["turn"] for row in table(demonstration, "balances")}) == 6


def test_sums_of_points_are_the_balances(demonstration: Campaign) -> None:
    held: defaultdict[tuple[str, str, str], Fraction] = defaultdict(Fraction)
    for account, amount in demonstration.beginning.state.balances:
        held[account.pool, account.nation, account.kind] += amount
    for row in table(demonstration, "points"):
        moved = row["amount"]
        assert isinstance(moved, Fraction)
        held[str(row["from_pool"]), str(row["nation"]), str(row["kind"])] -= moved
        held[str(row["to_pool"]), str(row["nation"]), str(row["kind"])] += moved
    assert {key: amount for key, amount in held.items() if amount} == {
        (each.pool, each.nation, each.kind): amount for each, amount in demonstration.state.balances.items() if amount
    }


def test_receipts_and_spending_are_of_pools_players_have(demonstration: Campaign) -> None:
    for name in ("receipts", "spending"):
        for row in table(demonstration, name):
            assert is_pool(str(row["pool"]))
            assert demonstration.world.standing(str(row["pool"])).what in ("pool", "coming")


def test_losses_tell_where_a_unit_stood_and_what_is_left() -> None:
    campaign = forcepool.new("smolensk", seed=1)
    campaign.advance(to="Oct 4 41")
    while campaign.phase != "combat":
        campaign.advance()
    [whole, *_] = [
        each
        for each in campaign.state.units_in_order()
        if each.place.on_map and each.step == "full" and each.spec.cadre and each.spec.nation == "Germany"
    ]
    stood = whole.place.of
    campaign.do("lose", unit=whole.id, to="cadre")
    campaign.do("lose", unit=whole.id)
    first, second = campaign.losses()
    assert (first["unit"], first["step_was"], first["left"], first["at"], first["to_place"]) == (
        whole.id,
        "full",
        "cadre",
        stood,
        "",
    )
    assert (second["step_was"], second["left"], second["at"]) == ("cadre", "", stood)
    assert "BOX" in str(second["to_place"])
    campaign.undo()
    assert len(campaign.losses()) == 1
    assert [row["undone"] for row in campaign.orders()][-2:] == [False, True]


def test_turns_are_counted_from_the_first(demonstration: Campaign) -> None:
    turns = dict(
        zip(table(demonstration, "points")["turn"], table(demonstration, "points")["turn_number"], strict=True)
    )
    assert turns["Jun 4 41"] == 1
    assert turns["Jul 1 41"] == 2


def test_an_amount_is_exact_in_every_file(tmp_path: Path) -> None:
    held = Table(
        "held",
        "a test",
        (Column("unit"), Column("amount", AMOUNT)),
        (("=1+1", Fraction(7, 50)), ("b", Fraction(-7, 2)), ("", Fraction(0))),
    )
    rows = list(csv.reader(io.StringIO(held.to_csv())))
    assert rows[0] == ["unit", "amount", "amount_num", "amount_den", "amount_float"]
    # What a sheet would carry out as a formula is a text.
    assert rows[1] == ["'=1+1", "7/50", "7", "50", "0.14"]
    assert rows[2] == ["b", "-7/2", "-7", "2", "-3.5"]
    assert rows[3] == ["", "0", "0", "1", "0.0"]
    for ending in (".csv", ".xlsx", ".parquet"):
        held.write(tmp_path / f"held{ending}")
    sheet = openpyxl.load_workbook(tmp_path / "held.xlsx").active
    assert sheet is not None
    assert [cell.value for cell in sheet[3]] == ["b", "-7/2", -7, 2, -3.5]
    assert sheet["A2"].value == "'=1+1"
    parquet = pyarrow.parquet.read_table(tmp_path / "held.parquet").to_pylist()
    assert parquet[0] == {"unit": "=1+1", "amount": "7/50", "amount_num": 7, "amount_den": 50, "amount_float": 0.14}
    assert held.to_pandas()["amount_num"].tolist() == [7, -7, 0]
    with pytest.raises(Told, match="give the file one of these endings"):
        held.write(tmp_path / "held.txt")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["held.csv", "held.parquet", "held.xlsx"]


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_questions_in_sql(engine: str) -> None:
    campaign = forcepool.new("smolensk", seed=1)
    campaign.do("rebuild-cadre", unit="6 Pz XX", pay_from="front/centre")
    found = campaign.query(
        "select kind, exact_sum(amount) as spent from spending group by kind order by kind", engine=engine
    )
    assert found.rows == (("arm", "7/2"), ("inf", "7/2"))
    sides = campaign.query("select side, count(*) as n from units group by side", engine=engine)
    assert {row["side"]: row["n"] for row in sides} == Counter(str(each) for each in campaign.units()["side"])
    assert campaign.query("select unit from units where 1 = 0", engine=engine).rows == ()
    for wrong, told in (
        ("select * from unitz", "there is no table 'unitz'; did you mean units"),
        ("selec 1", "not understood"),
        ("select nothing from units", "not understood"),
    ):
        with pytest.raises(Told, match=told):
            campaign.query(wrong, engine=engine)


@pytest.mark.parametrize(
    ("engine", "sql"),
    [
        ("duckdb", "copy (select 1) to 'stolen.csv'"),
        ("duckdb", "select * from read_text('/etc/hostname')"),
        ("duckdb", "install httpfs"),
        ("sqlite", "attach 'stolen.db' as other"),
        ("sqlite", "create table other (a)"),
        ("sqlite", "drop table units"),
    ],
)
def test_a_question_reads_nothing_but_the_campaign(
    engine: str, sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Told):
        forcepool.new("smolensk").query(f"{sql}", engine=engine)
    assert list(tmp_path.iterdir()) == []


def test_what_is_closed_has_its_clause() -> None:
    campaign = forcepool.new("smolensk", seed=1)
    found = campaign.query("select text, reason, clause from closed where unit = '6 Pz XX' order by text, reason")
    told = sorted(
        (each.order, number, reason.clause)
        for each in campaign.options("6 Pz XX")
        for number, reason in enumerate(each.reasons, 1)
    )
    assert list(found.rows) == told
    assert told


def test_the_questions_of_the_documentation_are_answered(demonstration: Campaign) -> None:
    text = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text("utf-8")
    asked = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    assert len(asked) >= 7
    for sql in asked:
        if " closed " not in sql:
            answers = {
                engine: ask(sql, TABLES, lambda name: table(demonstration, name), engine=engine).rows
                for engine in ("duckdb", "sqlite")
            }
            assert sorted(map(str, answers["duckdb"])) == sorted(map(str, answers["sqlite"])), sql
            assert answers["duckdb"] or "overruled" in sql, sql
