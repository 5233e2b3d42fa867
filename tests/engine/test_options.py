"""Options: the same rules that guard a command list it, open with cost and arrival, closed with every reason."""

from fractions import Fraction

from forcepool.engine.command import command_name
from forcepool.engine.options import options
from forcepool.engine.state import State
from forcepool.engine.verdicts import Refusal
from forcepool.engine.world import World
from tests.support.table import Table


def test_an_open_option_shows_cost_and_working() -> None:
    best = Table().choices("rebuild-cadre", "24 Inf XX")[0]
    assert best.open
    assert best.cost == {"inf": 4}
    assert "full 7 − cadre 3" in best.working


def test_an_option_that_takes_time_shows_the_turn_it_arrives() -> None:
    table = Table()
    reduced = [each for each in table.choices("rebuild-cadre", "6 Pz XX") if getattr(each.command, "reduced", False)]
    assert [table.campaign.world.turn_name(each.arrives) for each in reduced] == ["Nov 3 41"]
    assert reduced[0].cost == {"arm": Fraction(7, 2), "inf": Fraction(7, 5)}


def test_a_closed_option_gives_every_reason() -> None:
    table = Table()
    table.do("declare", unit="24 Inf XX", fact="moved", value="yes")
    table.do("advance")
    closed = table.choices("rebuild-cadre", "24 Inf XX")
    assert closed
    assert all(not each.open for each in closed)
    assert {reason.clause for reason in closed[0].reasons} >= {"52/3", "52.A.9.d/8"}


def test_what_is_listed_open_goes_through_and_what_is_closed_is_refused() -> None:
    for unit in sorted(Table().campaign.state.units):
        for number, choice in enumerate(options(*_view(Table()), Table().unit(unit))):
            table = Table()
            outcome = table.campaign.do(choice.command, rolls=(3, 3))
            refused = isinstance(outcome, Refusal)
            assert refused is not choice.open, f"{unit} {number} {command_name(choice.command)}"
            if isinstance(outcome, Refusal):
                assert outcome.reasons == choice.reasons


def test_open_options_come_first_and_the_order_is_stable() -> None:
    table = Table()
    once = options(*_view(table), table.unit("24 Inf XX"))
    assert once == options(*_view(table), table.unit("24 Inf XX"))
    opened = [each.open for each in once]
    assert opened == sorted(opened, reverse=True)


def _view(table: Table) -> tuple[World, State]:
    return table.campaign.world, table.campaign.state


def test_an_option_that_brings_points_says_how_many() -> None:
    [given_up] = Table().choices("recover", "35 Inf XX")
    assert given_up.working.startswith("brings 2⅖ inf; ")
    assert given_up.cost == {}
    lost = Table().choices("lose", "24 Inf XX")
    assert lost
    assert all("brings" not in each.working for each in lost)
