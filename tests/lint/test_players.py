"""No player-turn that nobody plays, and no nation whose side has none."""

from tests.lint.conftest import Lint, told

UNITS = """\
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: eliminated theatre/east}
  1 Rif XX: {spec: 4-6 Rif XX (2-6), nation: Soviet, at: eliminated theatre/east}
"""
BRITISH = "  50 Inf XX: {spec: 7-8 Inf XX (3-8), nation: British, at: eliminated theatre/east}\n"
SWEDISH = "  1 Inf XX: {spec: 3-6 Inf XX, nation: Swedish, at: eliminated theatre/east}\n"


def war(players: str) -> str:
    return f"title: A war\nturn: Jul 1 41\n{players}theatres: {{East: {{country: Soviet Union}}}}\n"


def test_a_side_without_a_unit_has_a_turn_for_nothing(lint: Lint) -> None:
    (found,) = told(lint(war("players: [Axis, Soviet, Allied]\n") + UNITS, whole=True), "player-turn")
    assert found.startswith("war.yaml:3:1: Allied has a player-turn every turn")
    assert "players: [Axis, Soviet]" in found


def test_so_it_is_where_the_players_are_left_out(lint: Lint) -> None:
    (found,) = told(lint(war("") + UNITS, whole=True), "player-turn")
    assert "Allied" in found


def test_those_who_play_are_enough(lint: Lint) -> None:
    assert told(lint(war("players: [Axis, Soviet]\n") + UNITS, whole=True), "player-turn") == []


def test_a_unit_that_is_still_to_come_is_one_to_play_with(lint: Lint) -> None:
    ob = "ob: |\n  Jul 2 41\n    British\n      Reinforce 1x 7-8 Inf XX 50 in theatre East\n"
    assert told(lint(war("") + UNITS + ob, whole=True), "player-turn") == []


def test_a_nation_whose_side_does_not_play_is_named_where_it_stands(lint: Lint) -> None:
    (found,) = told(lint(war("players: [Axis, Soviet]\n") + UNITS + BRITISH, whole=True), "player-turn")
    assert found.startswith("war.yaml:8:3: Britain is on the side Allied")
    assert "add Allied to players" in found


def test_a_nation_is_named_once_however_many_units_it_has(lint: Lint) -> None:
    two = BRITISH + BRITISH.replace("50 Inf", "51 Inf")
    (found,) = told(lint(war("players: [Axis, Soviet]\n") + UNITS + two, whole=True), "Britain is on")
    assert found.startswith("war.yaml:8:3: ")


def test_a_line_of_the_order_of_battle_is_named_by_its_own_line(lint: Lint) -> None:
    ob = "ob: |\n  Jul 2 41\n    British\n      Reinforce 1x 7-8 Inf XX 50 in theatre East\n"
    (found,) = told(lint(war("players: [Axis, Soviet]\n") + UNITS + ob, whole=True), "Britain")
    assert found.startswith("war.yaml:11:1: Britain")


def test_a_line_of_a_chart_and_a_pool_are_named_where_they_stand(lint: Lint) -> None:
    charts = "charts:\n  receipts:\n    - {nation: British, points: {inf: 3}}\n"
    (found,) = told(lint(war("players: [Axis, Soviet]\n") + UNITS + charts, whole=True), "Britain is on")
    assert found.startswith("war.yaml:10:")
    pools = "pools:\n  theatre/east:\n    British: {inf: 3}\n"
    (found,) = told(lint(war("players: [Axis, Soviet]\n") + UNITS + pools, whole=True), "Britain is on")
    assert found.startswith("war.yaml:10:")


def test_neutrals_go_with_the_last_player_and_need_none(lint: Lint) -> None:
    assert told(lint(war("players: [Axis, Soviet]\n") + UNITS + SWEDISH, whole=True), "player-turn") == []
