"""Options list what makes sense for a unit where it is, and nothing else."""

from pathlib import Path

from forcepool import games
from forcepool.engine.beginning import begin
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import command_name
from forcepool.engine.journal import MemoryJournal
from forcepool.engine.options import options
from forcepool.files.yamltext import read_yaml

TABLE = """
turn: Jul 1 41
fronts: {West: {activity: inactive, adjacent: [md/kiev]}}
mds: {Kharkov: {adjacent: [md/kiev, md/odessa]}, Kiev: {}, Odessa: {}}
places: {Belgorod: {md: Kharkov, city: yes, owner: Soviet}}
charts:
  breakdowns:
    2 Inf XX: {into: {31/2: "2-6 Inf III {1-6}", 2 HQ: 1-6 Inf HQ XX}}
    6 Inf XX: {into: {31/6: "2-6 Inf III {1-6}", 6 HQ: 1-6 Inf HQ XX}}
pools: {national/Germany: {German: {inf: 20}}}
units:
  1 Inf XX: {spec: 8-6 Inf XX (3-6), at: Minsk}
  2 Inf XX: {spec: 8-6 Inf XX (3-6), at: eliminated front/west}
  3 Inf XX: {spec: 8-6 Inf XX (3-6), at: eliminated md/kharkov}
  4 Inf XX: {spec: 8-6 Inf XX (3-6), at: track md/kharkov Aug 1 41, as: cadre}
  5 Inf XX: {spec: 8-6 Inf XX (3-6), at: eliminated national/Germany}
  6 Inf XX: {spec: 8-6 Inf XX (3-6), at: Minsk}
"""


def offered(unit: str) -> set[str]:
    """The commands listed for a unit, open or closed."""
    set_up = games.game("europa").set_up(read_yaml(TABLE, Path(__file__).name), ())
    journal = MemoryJournal()
    begin(journal, game="europa", title="a table", ruleset="test", world=set_up.world, state=set_up.state)
    campaign = Campaign(journal, games.build_world)
    state = campaign.state
    return {command_name(each.command) for each in options(campaign.world, state, state.units[unit])}


def test_of_a_cut_off_area_what_is_dead_may_be_evacuated_and_what_is_on_its_track_may_not() -> None:
    assert "evacuate" in offered("3 Inf XX")
    for unit in ("2 Inf XX", "4 Inf XX", "5 Inf XX"):
        assert "evacuate" not in offered(unit)


def test_a_division_is_broken_down_once_it_is_dead_and_only_if_the_chart_names_it() -> None:
    assert "break-down" in offered("2 Inf XX")
    for unit in ("3 Inf XX", "6 Inf XX"):
        assert "break-down" not in offered(unit)


def test_a_division_on_the_map_is_offered_nothing_that_is_for_dead_units() -> None:
    assert not offered("1 Inf XX") & {"replace", "evacuate", "scrap", "leave-isolated-box", "make-new-unit"}


def test_a_dead_division_may_be_replaced_and_is_not_rebuilt_as_a_cadre() -> None:
    found = offered("2 Inf XX")
    assert "replace" in found
    assert not found & {"rebuild-cadre", "rebuild-remnant", "train-cadre", "scrap"}
