"""The front door for programs: opening, playing, asking, other moments."""

import doctest
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

import forcepool
from forcepool.door import asked, said, shown, tabled
from forcepool.door import campaign as door
from forcepool.engine.command import BadCommand
from forcepool.engine.sentence import Told
from forcepool.planner import bot
from forcepool.store.errors import CampaignFileError
from forcepool.tables import table
from forcepool.views.pools import Statement
from tests.door.script import played


@pytest.fixture
def campaign() -> forcepool.Campaign:
    return forcepool.new("smolensk", seed=7)


DOOR = (forcepool, door, asked, said, shown, tabled, table)


@pytest.mark.parametrize("module", DOOR, ids=lambda module: str(module.__name__))
def test_the_examples_in_the_docstrings_are_true(module: ModuleType) -> None:
    campaign = forcepool.new("smolensk", seed=1)
    if module in (tabled, table):
        campaign.do("rebuild-cadre", unit="6 Pz XX", pay_from="front/centre")
    given = {"campaign": campaign, "table": campaign.balances(), "Fraction": Fraction}
    found = doctest.testmod(module, extraglobs=given)
    assert found.attempted > 0
    assert found.failed == 0


def test_every_public_name_has_an_example() -> None:
    """What a class lets one do has one too; what is only held by a class is told where it stands."""
    for name in forcepool.__all__:
        assert ">>>" in getattr(forcepool, name).__doc__, name
    for cls in (each for each in (getattr(forcepool, name) for name in forcepool.__all__) if isinstance(each, type)):
        # An exception has names of its own, which are Python's.
        theirs = {*dir(Exception)} if issubclass(cls, Exception) else set()
        does = {name: getattr(cls, name) for name in dir(cls) if not name.startswith("_") and name not in theirs}
        lacking = [name for name, each in does.items() if ">>>" not in (getattr(each, "__doc__", "") or "")]
        assert [each for each in lacking if each not in getattr(cls, "__struct_fields__", ())] == []


def test_an_order_is_a_line_a_name_with_fields_or_an_option(campaign: forcepool.Campaign) -> None:
    before = campaign.state.balance("front/centre", "Germany", "inf")
    told = campaign.judge("rebuild-cadre", unit="6 Pz XX", pay_from="front/centre")
    assert told.accepted
    assert told.entry == 0
    assert told.cost == {"inf": Fraction(7, 2), "arm": Fraction(7, 2)}
    assert campaign.state.balance("front/centre", "Germany", "inf") == before

    [option] = [each for each in campaign.options("6 Pz XX") if each.order == told.order]
    assert option.open
    assert option.cost == told.cost
    done = campaign.do(option)
    assert done.entry == len(campaign) == 2
    assert campaign.state.balance("front/centre", "Germany", "inf") == before - Fraction(7, 2)
    assert campaign.undo() == (2,)
    assert campaign.do('rebuild-cadre unit="6 Pz XX" pay_from=front/centre').accepted


def test_a_refusal_is_raised_with_every_reason(campaign: forcepool.Campaign) -> None:
    campaign.do("rebuild-cadre", unit="6 Pz XX", pay_from="front/centre")
    with pytest.raises(forcepool.Refused) as refused:
        campaign.do("rebuild-cadre", unit="6 Pz XX", pay_from="front/centre")
    found = refused.value.outcome
    assert not found
    assert "52.A.9.d/1" in found.clauses
    assert "full strength" in str(refused.value)
    assert len(campaign) == 2


def test_what_an_order_did_is_said_as_the_terminal_says_it() -> None:
    campaign = forcepool.new("eastern-front")
    said = campaign.do("lose", unit="10 Army", cause="isolation").says
    assert said == (
        "10 Army: Brest → dead pile [EF.replacements/17]",
        "10 Army: lost through isolation [EF.replacements/17]",
    )


def test_where_a_unit_is_reads_as_one_says_it() -> None:
    campaign = forcepool.new("smolensk")
    campaign.do("lose", unit="10 Pz XX")
    assert str(campaign.unit("10 Pz XX")).endswith("cadre in ELIMINATED BOX of front Centre, due Oct 4 41")


def test_a_refusal_may_be_overruled_with_a_note(campaign: forcepool.Campaign) -> None:
    order = 'rebuild-cadre unit="78 Inf XX" pay_from=national/Germany'
    refused = campaign.judge(order)
    assert not refused
    overruled = campaign.do(order, override="agreed at the table")
    assert [each.clause for each in overruled.overruled] == list(refused.clauses)


def test_what_is_not_understood_is_told(campaign: forcepool.Campaign) -> None:
    with pytest.raises(BadCommand, match="there is no command 'rebuild'"):
        campaign.do("rebuild", unit="6 Pz XX")
    with pytest.raises(BadCommand, match="quotes"):
        campaign.do('note text="no end')
    with pytest.raises(Told, match="there is no side 'Axes'; did you mean Axis"):
        campaign.do("advance", side="Axes")
    with pytest.raises(Told, match="there is no scenario 'smolensc'; did you mean smolensk"):
        forcepool.new("smolensc")
    with pytest.raises(Told, match="neither a unit nor an account"):
        campaign.why("nobody knows this")
    with pytest.raises(AttributeError, match="has no Table2"):
        _ = forcepool.Table2


def test_for_whom_an_order_is_given_is_recorded_with_seats_or_without(tmp_path: Path) -> None:
    path = tmp_path / "east.fp"
    with forcepool.new("smolensk", path, side="axis") as campaign:
        campaign.do("note", text="for whom the door was opened")
        campaign.do("note", text="for the other side", side="Soviet")
    with forcepool.open(path) as nobody:
        nobody.do("note", text="for nobody")
        assert [each.seat for each in nobody.record.entries(2)] == ["Axis", "Soviet", ""]


def test_advance_to_a_turn_and_back_in_time(campaign: forcepool.Campaign) -> None:
    began = campaign.when
    campaign.do("rebuild-cadre", unit="6 Pz XX", pay_from="front/centre")
    held = campaign.state.balance("front/centre", "Germany", "inf")
    campaign.advance(to="Oct 4 41")
    assert campaign.turn == "Oct 4 41"
    assert campaign.turns == ["Oct 3 41", "Oct 4 41"]
    then = campaign.at("Oct 3 41")
    assert then.turn == "Oct 3 41"
    assert then.state.balance("front/centre", "Germany", "inf") == held
    assert campaign.at(entry=1).when == began
    assert campaign.at(campaign.turn).when == campaign.when
    with pytest.raises(Told, match="runs from Oct 3 41 to Oct 4 41"):
        campaign.at("Nov 1 41")
    with pytest.raises(Told, match="is past"):
        campaign.advance(to="Oct 3 41")


def test_the_bot_plays_on_and_where_it_stops_is_told(
    campaign: forcepool.Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    same = forcepool.new("smolensk", seed=7)
    assert campaign.play(turns=2, seed=3) == same.play(turns=2, seed=3) > 0
    assert [*campaign] == [*same]
    assert campaign.turn == "Nov 1 41"

    def stops(*_: object, **__: object) -> None:
        raise bot.Stuck("a vote of all sides")

    monkeypatch.setattr(bot, "play", stops)
    with pytest.raises(Told, match="the bot goes no further: a vote of all sides; do that yourself"):
        campaign.play()


def test_a_branch_goes_its_own_way(campaign: forcepool.Campaign) -> None:
    branch = campaign.branch(seed=1)
    branch.do("rebuild-cadre", unit="6 Pz XX", pay_from="front/centre")
    assert len(branch) == 2
    assert len(campaign) == 1
    assert campaign.state.units["6 Pz XX"].step == "cadre"
    assert branch.state.units["6 Pz XX"].step == "full"


def test_why_tells_a_unit_and_an_account(campaign: forcepool.Campaign) -> None:
    campaign.do("rebuild-cadre", unit="6 Pz XX", pay_from="front/centre")
    history = campaign.why("6 pz xx")
    assert not isinstance(history, list)
    assert [line.entry for line in history.lines] == [2]
    statements = campaign.why("front/centre Germany inf")
    assert isinstance(statements, list)
    [found] = statements
    assert isinstance(found, Statement)
    assert [line.amount for line in found.lines] == [Fraction(-7, 2)]


def test_a_campaign_in_a_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "east.fp"
    with forcepool.new("smolensk", path) as campaign:
        campaign.do("note", text="kept")
    with forcepool.open(path) as again:
        assert [*again] == ["2 note text=kept"]
    with pytest.raises(CampaignFileError, match="exists already"):
        forcepool.new("smolensk", path)


def test_the_same_seed_gives_the_same_dice() -> None:
    one, other = (forcepool.new("smolensk", seed=5).record.history.promises for _ in range(2))
    assert one == other
    assert one != forcepool.new("smolensk", seed=6).record.history.promises


def test_a_users_script_is_typed_and_runs() -> None:
    """That no Any leaks out of the door, mypy says of it: pyproject.toml forbids any in that file."""
    assert played() == {"inf": Fraction(7, 2), "arm": Fraction(7, 2)}
