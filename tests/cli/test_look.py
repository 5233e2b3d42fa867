"""Looking at a campaign: status, checklist, units, ledger, journal, house rules, options, reasons."""

import shlex
from fractions import Fraction

import pytest

from tests.cli.conftest import Forcepool

LOOKS = [
    ("status", "east.fp"),
    ("todo", "east.fp"),
    ("units", "east.fp"),
    ("ledger", "east.fp"),
    ("ledger", "east.fp", "--all"),
    ("log", "east.fp"),
    ("house-rules", "east.fp"),
    ("options", "east.fp", "6 Pz XX"),
    ("why", "east.fp", "centre", "inf"),
    ("why", "east.fp", "6 Pz XX"),
    ("verify", "east.fp"),
    ("scenarios",),
    ("commands",),
    ("commands", "rebuild-cadre"),
    ("commands", "--schema"),
    ("facts",),
    ("facts", "supply", "--of", "unit"),
    ("rules", "52.A.9"),
    ("rules", "52.A.9.d/2"),
    ("rules", "cadre", "isolated"),
    ("rules",),
    ("rules", "--coverage"),
]


@pytest.fixture
def played(east: Forcepool) -> Forcepool:
    """A few commands on: a rebuild, an override, a loss that was undone."""
    assert east("do", "east.fp", "rebuild-cadre", "unit=6 Pz XX", "pay_from=centre").code == 0
    order = ("do", "east.fp", "rebuild-cadre", "unit=78 Inf XX", "pay_from=national/Germany", "--override", "agreed")
    assert east(*order).code == 0
    assert east("do", "east.fp", "lose", "34 Inf XX").code == 0
    assert east("undo", "east.fp").code == 0
    return east


@pytest.mark.parametrize("words", LOOKS, ids=" ".join)
def test_every_look_has_words_and_data_and_no_colour_in_a_pipe(played: Forcepool, words: tuple[str, ...]) -> None:
    plain, data, again = played(*words), played(*words, "--json"), played(*words, "--json")
    assert plain.code == data.code == 0
    assert plain.out.strip()
    assert "\x1b" not in plain.out
    assert plain.err == data.err == ""
    assert data.data
    assert data.out == again.out


@pytest.mark.parametrize("words", [words for words in LOOKS if "east.fp" in words], ids=" ".join)
def test_a_file_that_is_not_there_is_one_sentence(forcepool: Forcepool, words: tuple[str, ...]) -> None:
    ran = forcepool(*words)
    assert ran.code == 2
    assert ran.err == "forcepool: there is no file east.fp; check the name, or begin with 'forcepool new'\n"
    assert forcepool(*words, "--json").data == {"error": ran.err.removeprefix("forcepool: ").strip()}


def test_a_file_of_something_else_is_told_apart(forcepool: Forcepool) -> None:
    with open("east.fp", "w", encoding="utf-8") as file:
        file.write("Dear diary")
    ran = forcepool("status", "east.fp")
    assert ran.code == 2
    assert "not a forcepool campaign" in ran.err


def test_status_counts_units_and_points_exactly(east: Forcepool) -> None:
    data = east("status", "east.fp", "--json").data
    assert data["when"] == "Oct 3 41, Axis replacement phase"
    assert data["units"]["Soviet"] == {
        "in the ELIMINATED BOX": 1,
        "in the ELIMINATED ISOLATED BOX": 1,
        "on the map": 8,
        "on the turn track": 1,
    }
    assert data["points"]["front/west"] == {"Soviet Union": {"arm": "3/2", "inf": "22/3"}}
    assert "front West: 1½ arm, 7⅓ inf of Soviet Union" in east("status", "east.fp").out


def test_the_checklist_offers_what_is_open_and_only_that(east: Forcepool) -> None:
    items = east("todo", "east.fp", "--json").data["items"]
    offered = {item["command"] for item in items if item["kind"] == "open"}
    assert 'rebuild-cadre unit="6 Pz XX" pay_from=front/centre' in offered
    assert 'rebuild-remnant unit="161 Inf XX" pay_from=front/centre' in offered
    assert 'replace unit="263 Inf XX" pay_from=front/centre' in offered
    # 78 stands under a ZOC, 98 has moved, 137 is in reserve, the Soviets are not phasing.
    assert not [order for order in offered if any(unit in order for unit in ("78 Inf", "98 Inf", "137 Inf", "Rif"))]


def test_what_the_checklist_offers_can_be_done_as_it_stands(east: Forcepool) -> None:
    for item in east("todo", "east.fp", "--json").data["items"]:
        if item["command"]:
            fields = item["command"].replace('" ', '"|').replace("pay_from", "|pay_from").split("|")
            name, first = fields[0].split(" ", 1)
            words = [name, first.replace('"', ""), *(field.strip() for field in fields[1:] if field.strip())]
            assert east("do", "east.fp", *words, "--dry-run").code == 0


def test_with_seats_what_the_checklist_offers_says_whose_order_it_is(seated: Forcepool) -> None:
    lines = [line.strip() for line in seated("todo", "east.fp").out.splitlines()]
    orders = [shlex.split(line)[1:] for line in lines if line.startswith("forcepool do")]
    assert orders
    assert all(order[:4] == ["do", "east.fp", "--as", "Axis"] for order in orders)
    assert seated(*orders[0]).code == 0


def test_outside_the_replacement_phase_nothing_is_offered_but_arrivals_are_news(east: Forcepool) -> None:
    assert east("do", "east.fp", "advance").code == 0
    items = east("todo", "east.fp", "--json").data["items"]
    assert {item["kind"] for item in items} == {"news"}
    assert "in 1 turn, Oct 4 41: 268 Inf XX (cadre, front/centre)" in [item["text"] for item in items]


def test_a_unit_is_due_on_its_turn_and_not_before(east: Forcepool) -> None:
    def due() -> bool:
        items = east("todo", "east.fp", "--json").data["items"]
        return any(item["text"].startswith("268 Inf XX is due now") for item in items)

    while east("status", "east.fp", "--json").data["turn"] == "Oct 3 41":
        assert not due()
        assert east("do", "east.fp", "advance").code == 0
    assert due()


def test_the_checklist_of_one_side_leaves_the_other_out(east: Forcepool) -> None:
    items = east("todo", "east.fp", "--as", "soviet", "--json").data["items"]
    assert [item["text"] for item in items] == ["in 1 turn, Oct 4 41: 8 Tk X (full, md/moscow)"]


def test_where_both_sides_stand_on_one_checklist_the_other_side_is_named(east: Forcepool) -> None:
    lines = [line.strip() for line in east("todo", "east.fp").out.splitlines()]
    assert "Soviet: in 1 turn, Oct 4 41: 8 Tk X (full, MD Moscow)" in lines
    assert "in 1 turn, Oct 4 41: 268 Inf XX (cadre, front Centre)" in lines
    alone = [line.strip() for line in east("todo", "east.fp", "--as", "soviet").out.splitlines()]
    assert "in 1 turn, Oct 4 41: 8 Tk X (full, MD Moscow)" in alone


def test_points_on_their_way_and_disrupted_ones_stand_in_the_ledger_in_words(east: Forcepool) -> None:
    order = ("transfer-points", "pool=front/centre", "into=theatre/east", "points=1 inf", "by=rail")
    assert east("do", "east.fp", *order).code == 0
    disrupted = east("do", "east.fp", "disrupt-points", "unit=34 Inf XX", "points=1")
    assert "1 inf of Germany: disrupted → disruption track of front Centre" in disrupted.out
    titles = [line.split("  ")[0] for line in east("ledger", "east.fp").out.splitlines()]
    assert {"theatre East from Oct 4 41", "disruption track of front Centre"} <= set(titles)
    assert "theatre East from Oct 4 41: 1 inf of Germany" in east("status", "east.fp").out.splitlines()


def test_a_receipt_that_has_been_allotted_leaves_no_empty_line_in_the_ledger(east: Forcepool) -> None:
    def titles(*words: str) -> set[str]:
        return {line.split("  ")[0] for line in east("ledger", "east.fp", *words).out.splitlines()}

    account = ("pool=received/national/Germany", "nation=Germany", "kind=inf", "note=a receipt")
    assert east("do", "east.fp", "correct-points", *account, "amount=2").code == 0
    assert "Germany, national, to allot" in titles()
    assert east("do", "east.fp", "correct-points", *account, "amount=-2").code == 0
    assert "Germany, national, to allot" not in titles()
    assert "Germany, national, to allot" in titles("--all")


@pytest.mark.parametrize(
    ("words", "units"),
    [
        (("--step", "remnant"), ["161 Inf XX"]),
        (("--at", "eliminated box", "--nation", "ger"), ["263 Inf XX", "900 Mot X"]),
        (("--type", "tk"), ["8 Tk X", "18 Tk X"]),
        (("2",), ["2 Pz XX"]),
        (("Pz",), ["2 Pz XX", "6 Pz XX", "10 Pz XX"]),
        (("--at", "eliminated box of front Centre"), ["263 Inf XX", "900 Mot X"]),
        (("--at", "front/centre", "--step", "full"), ["900 Mot X"]),
        (("--at", "Berlin"), []),
    ],
)
def test_units_are_found_by_what_they_have_in_common(east: Forcepool, words: tuple[str, ...], units: list[str]) -> None:
    assert [unit["unit"] for unit in east("units", "east.fp", *words, "--json").data] == units


def test_the_ledger_adds_up_to_nothing_with_sources_and_sinks(played: Forcepool) -> None:
    sums: dict[tuple[str, str], Fraction] = {}
    for line in played("ledger", "east.fp", "--all", "--json").data:
        key = (line["nation"], line["kind"])
        sums[key] = sums.get(key, Fraction(0)) + Fraction(line["balance"])
    assert sums
    assert set(sums.values()) == {Fraction(0)}


def test_the_ledger_shows_fractions_as_players_write_them(east: Forcepool) -> None:
    lines = east("ledger", "east.fp").out.splitlines()
    assert lines[0].split() == ["pool", "nation", "holds"]
    assert lines[1].split() == ["Germany,", "national", "Germany", "2½", "arm,", "6¼", "inf"]
    assert lines[2].split() == ["front", "Centre", "Germany", "3¾", "arm,", "8¼", "inf"]
    assert not [line for line in lines if "source" in line]
    assert [line for line in east("ledger", "east.fp", "--all").out.splitlines() if line.startswith("source: set up")]


def test_an_unknown_pool_or_nation_suggests(east: Forcepool) -> None:
    ran = east("ledger", "east.fp", "--pool", "frunt/centre")
    assert ran.code == 2
    assert "did you mean front/centre" in ran.err
    assert east("ledger", "east.fp", "--nation", "Atlantis").code == 2


@pytest.mark.parametrize(
    ("words", "entries"),
    [
        ((), [2, 3, 4, 5]),
        (("--unit", "6 Pz XX"), [2]),
        (("--pool", "national/Germany"), [3]),
        (("--clause", "52.A.9.d/3"), [3]),
        (("--clause", "52.A.9.d"), [2, 3]),
        (("--turn", "Oct 3 41"), [2, 3, 4, 5]),
        (("--turn", "Oct 4 41"), []),
        (("--turn", "Oct 2 41"), []),
        (("--last", "2"), [4, 5]),
        (("--seat", "Axis"), []),
    ],
)
def test_the_log_is_narrowed(played: Forcepool, words: tuple[str, ...], entries: list[int]) -> None:
    assert [entry["entry"] for entry in played("log", "east.fp", *words, "--json").data] == entries


def test_the_log_marks_what_was_undone(played: Forcepool) -> None:
    lines = played("log", "east.fp").out.splitlines()
    assert [line for line in lines if line.startswith("4 ")] == [
        '4  Oct 3 41, Axis replacement phase: lose unit="34 Inf XX" (undone)'
    ]
    assert lines[-1] == "5  Oct 3 41, Axis replacement phase: undo entry 4"


def test_a_turn_or_clause_that_does_not_exist_is_bad_input(played: Forcepool) -> None:
    assert played("log", "east.fp", "--turn", "Brumaire").code == 2
    assert played("log", "east.fp", "--clause", "52.A.9.d/99").code == 2


def test_a_statement_ends_on_the_balance_of_the_ledger(played: Forcepool) -> None:
    for account in played("ledger", "east.fp", "--json").data:
        words = (account["pool"], account["nation"], account["kind"])
        [statement] = played("why", "east.fp", *words, "--json").data
        amounts = [Fraction(line["amount"]) for line in statement["lines"]]
        assert (
            Fraction(statement["opening"]) + sum(amounts)
            == Fraction(statement["balance"])
            == Fraction(account["balance"])
        )


def test_a_statement_gives_each_sum_with_its_clause_and_title(played: Forcepool) -> None:
    [statement] = played("why", "east.fp", "front/centre", "germany", "inf", "--json").data
    [line] = statement["lines"]
    assert (line["entry"], line["amount"], line["balance"], line["other"]) == (2, "-7/2", "19/4", "spent")
    assert line["clauses"] == {
        "52.A.9.d/2": "Cadre to full price",
        "52.D.1.a/4": "Axis units with mixed cost",
        "52.D.1.a/5": "Mixed amounts stand on chart",
    }
    assert "52.A.9.d/2  Cadre to full price" in played("why", "east.fp", "front/centre", "germany", "inf").out


def test_a_units_history_leaves_out_what_was_undone(played: Forcepool) -> None:
    assert played("why", "east.fp", "34 Inf XX", "--json").data["lines"] == []
    [line] = played("why", "east.fp", "6 Pz XX", "--json").data["lines"]
    assert "6 Pz XX: cadre → full [52.A.9.d/1]" in line["words"]


def test_why_something_unknown_suggests(east: Forcepool) -> None:
    ran = east("why", "east.fp", "6 Pz Brigade")
    assert ran.code == 2
    assert "neither a unit nor an account" in ran.err


def test_options_are_open_with_cost_or_closed_with_every_reason(east: Forcepool) -> None:
    options = {each["typed"]: each for each in east("options", "east.fp", "78 inf", "--json").data["options"]}
    closed = options['rebuild-cadre unit="78 Inf XX" pay_from=front/centre']
    assert (closed["open"], [reason["clause"] for reason in closed["reasons"]]) == (False, ["52.A.9.d/3"])
    options = {each["typed"]: each for each in east("options", "east.fp", "6 Pz XX", "--json").data["options"]}
    way = options['rebuild-cadre unit="6 Pz XX" pay_from=front/centre']
    assert (way["open"], way["cost"]) == (True, {"arm": "7/2", "inf": "7/2"})
    assert east("options", "east.fp", "7 Pz XX").code == 2


def test_an_eliminated_unit_has_its_arrival_among_its_options(east: Forcepool) -> None:
    out = east("options", "east.fp", "263 Inf XX").out
    assert "costs 3 inf (263 Inf XX: cadre 3) arrives Nov 3 41" in out


def test_house_rules_show_the_one_in_force(forcepool: Forcepool) -> None:
    words = ("new", "east.fp", "--scenario", "smolensk", "--house-rule", "reduced-time=plus-four")
    assert forcepool(*words).code == 0
    chosen = {each["key"]: each["chosen"] for each in forcepool("house-rules", "east.fp", "--json").data}
    assert chosen["reduced-time"] == "plus-four"
    assert "  * plus-four: " in forcepool("house-rules", "east.fp").out
    assert forcepool("do", "east.fp", "house-rule", "rule=reduced-time", "option=double").code == 0
    chosen = {each["key"]: each["chosen"] for each in forcepool("house-rules", "east.fp", "--json").data}
    assert chosen["reduced-time"] == "double"


def test_facts_are_found_by_words_and_by_what_they_are_said_of(forcepool: Forcepool) -> None:
    found = forcepool("facts", "isolated", "--of", "unit", "--game", "europa", "--json").data
    assert {"isolated"} <= {each["fact"] for each in found}
    assert all("unit" in each["of"] for each in found)
    assert {each["fact"]: each for each in found}["isolated"]["values"] == ["no", "combat", "supply"]


def test_what_the_rules_keep_track_of_is_listed_when_asked_for(forcepool: Forcepool) -> None:
    assert "rebuilt_from" not in forcepool("facts").out
    assert "the rules keep track of it" in forcepool("facts", "rebuilt_from", "--all").out
    ran = forcepool("facts", "rebuilt_from")
    assert ran.code == 1
    assert "--all" in ran.err
