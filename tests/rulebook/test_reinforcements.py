"""What a reinforcement shows on its page, how groups play delays, and how a scenario's order of battle is read."""

import pytest

from forcepool.engine.agenda import agenda
from forcepool.engine.campaign import Done
from forcepool.engine.journal import read_entry
from forcepool.engine.state import evolve
from forcepool.engine.world import World
from forcepool.files.problems import BadFile
from forcepool.games.europa.reinforcements.early_activation import ActivateEarly
from tests.support.table import Table

ENTRY = """
turn: May 1 42
player: {player}
phase: initial
house_rules: {{{rules}}}
theatres: {{MTO: {{}}}}
mds: {{X: {{front: East, country: {country}}}}}
places:
  A: {{md: X, city: yes, owner: {player}, {a}}}
  Base: {{md: X, airbase: yes}}
  Sea: {{sea: Red Sea, edges: [19A east]}}
  C: {{front: East, city: yes, owner: {player}}}
ob: |
  {nation}
  May 1 42
  {line}
"""


def table(
    line: str, *, player: str = "Axis", nation: str = "German", rules: str = "", a: str = "", country: str = "Z"
) -> Table:
    """A campaign in the reinforcement phase in which a line of the order of battle falls due."""
    given = ENTRY.format(line=line, player=player, nation=nation, rules=rules, a=a, country=country)
    made = Table(given)
    made.do("advance")
    return made


def effects(made: Table, unit: str) -> list[str]:
    state = made.campaign.state
    world: World = made.campaign.world
    return [each.clause for shows in world.game.shows for each in shows(world, state, state.units[unit])]


@pytest.mark.clause("51.A.4/2", "51.A.7/2")
def test_what_appears_by_a_condition_moves_and_what_flies_flies_in_the_same_player_turn() -> None:
    lines = (
        "Reinforce 1x 3-6 Inf XX 1 in MD X if no Peace",
        "Reinforce 1x 8-6 Ju88 II 2 as air",
        "Reinforce 1x 3-6 Inf XX 3 in MD X",
    )
    made = table("\n  ".join(lines))
    for unit, at in (("1 Inf XX", "A"), ("2 Ju88 II", "Base"), ("3 Inf XX", "A")):
        assert isinstance(made.give("reinforce", unit=unit, at=at), Done)
    assert effects(made, "1 Inf XX") == ["51.A.4/2"]
    assert effects(made, "2 Ju88 II")[:1] == ["51.A.7/2"]
    assert effects(made, "3 Inf XX") == []


@pytest.mark.clause("51.B.1.b/4", "51.B.1.b/6", "51.B.1.b/5")
def test_cargo_at_sea_has_transports_of_its_own_and_lands_at_the_first_chance() -> None:
    made = table("Middle East Command\n  Arrive 1x 7-8 Inf XX 1", player="Allied", nation="British")
    while made.campaign.world.when(made.campaign.state) != "May 1 42, Allied reinforcement phase":
        made.do("advance")
    made.do("reinforce", unit="1 Inf XX", at="Sea")
    assert effects(made, "1 Inf XX") == ["51.B.1.b/4", "51.B.1.b/6"]
    made.do("declare", fact="embarked", unit="1 Inf XX", value=False)
    assert effects(made, "1 Inf XX") == []


@pytest.mark.clause("51.C.1/5")
def test_a_unit_in_national_reserve_generates_no_rps() -> None:
    made = table("Add to reserves 1x 4-6 Inf XX 1 in MD X", nation="Rumanian")
    made.do("reinforce", unit="1 Inf XX", at="A")
    assert "51.C.1/5" in effects(made, "1 Inf XX")


@pytest.mark.clause("51.E.3.g/3")
def test_sequestered_forces_are_not_used() -> None:
    made = table("Reinforce 1x 4-6 Inf XX 1 in MD X")
    made.do("put-unit", unit="1 Inf XX", at="holding southern france", note="sequestered")
    assert effects(made, "1 Inf XX") == ["51.E.3.g/3"]
    made.do("put-unit", unit="1 Inf XX", at="holding balkans", note="not so")
    assert effects(made, "1 Inf XX") == []


# ------------------------------------------------------------------------------------------- how groups play


@pytest.mark.clause("51.A.2/1")
@pytest.mark.parametrize(
    ("rules", "marker", "goes"),
    [
        ("", "yes", True),
        ("", "no", False),
        ("overstacking: none", "yes", False),
        ("overstacking: unlimited", "no", True),
    ],
)
def test_overstacking_takes_an_army_marker_unless_a_group_plays_otherwise(rules: str, marker: str, goes: bool) -> None:
    made = table("Reinforce 1x 4-6 Inf XX 1 in MD X", rules=rules, a=f"room: 0, army_marker: {marker}")
    assert isinstance(made.give("reinforce", unit="1 Inf XX", at="A"), Done) is goes


@pytest.mark.clause("51.A.2/2")
@pytest.mark.parametrize(
    ("rules", "room", "may"),
    [("", 0, True), ("", 1, False), ("reinforcement-delay: at-will", 1, True), ("reinforcement-delay: once", 0, True)],
)
def test_a_reinforcement_is_held_back_for_want_of_room(rules: str, room: int, may: bool) -> None:
    made = table("Reinforce 1x 4-6 Inf XX 1 in MD X", rules=rules, a=f"room: {room}, army_marker: yes")
    assert isinstance(made.give("hold-back", unit="1 Inf XX"), Done) is may


@pytest.mark.clause("51.A.2/2")
def test_where_a_group_allows_one_delay_the_second_is_refused() -> None:
    made = table("Reinforce 1x 4-6 Inf XX 1 in MD X", rules="reinforcement-delay: once", a="room: 0, army_marker: yes")
    made.do("hold-back", unit="1 Inf XX")
    while made.campaign.world.when(made.campaign.state) != "May 2 42, Axis reinforcement phase":
        made.do("advance")
    refused = made.refused("hold-back", unit="1 Inf XX")
    assert refused.clauses == ("51.A.2/2",)


@pytest.mark.clause("51.A.2/3")
@pytest.mark.parametrize(
    ("option", "held", "where"),
    [
        ("held-back", True, "eliminated"),
        ("held-back", False, "reinforcements"),
        ("every", False, "eliminated"),
        ("isolated", True, "isolated"),
        ("out", True, "out"),
        ("never", True, "reinforcements"),
    ],
)
def test_what_becomes_of_a_delayed_unit_whose_hexes_fell(option: str, held: bool, where: str) -> None:
    rules = f"delayed-reinforcements: {option}, overstacking: none"
    made = table("Reinforce 1x 4-6 Inf XX 1 in MD X", rules=rules, a="room: 0")
    if held:
        made.do("hold-back", unit="1 Inf XX")
    made.do("declare", fact="owner", about="A", value="Soviet")
    while made.campaign.world.when(made.campaign.state) != "May 2 42, Axis reinforcement phase":
        assert isinstance(made.give("advance"), Done)
    assert made.campaign.state.units["1 Inf XX"].place.kind == where


@pytest.mark.clause("51/3")
@pytest.mark.parametrize(
    ("rules", "goes"), [("", True), ("identifications: enforced", False), ("identifications: reinforcements", True)]
)
def test_identifications_bind_only_where_a_group_plays_by_them(rules: str, goes: bool) -> None:
    made = table("Reinforce 1x 8-6 Inf XX 31 in MD X\n  Withdraw 1x 8-6 Inf XX 45", rules=f"withdrawals: last, {rules}")
    made.do("reinforce", unit="31 Inf XX", at="A")
    assert isinstance(made.give("withdraw", entry="may-1-42-german-withdraw-1", unit="31 Inf XX"), Done) is goes


@pytest.mark.clause("51.B.7/12")
@pytest.mark.parametrize(
    ("option", "place"), [("d-lost", "isolated"), ("no-effect", "forming-box"), ("as-f-and-s", "reinforcements")]
)
def test_a_result_of_d_is_read_as_a_group_plays_it(option: str, place: str) -> None:
    line = "Forming 1x 8-6 Inf XX (3-6) 1 in MD X full Jul 1 42\ncharts: {activation_table: [{upto: 99, result: D}]}"
    made = table(line, rules=f"early-activation-results: {option}")
    while made.campaign.world.when(made.campaign.state) != "May 2 42, Axis reinforcement phase":
        made.do("advance")
    made.do("activate-early", unit="1 Inf XX", rolls=[3])
    assert made.campaign.state.units["1 Inf XX"].place.kind == place


@pytest.mark.clause("51.B.7/12")
@pytest.mark.parametrize(
    ("option", "place"), [("d-lost", "reinforcements"), ("no-effect", "forming-box"), ("as-f-and-s", "reinforcements")]
)
def test_a_result_of_s_with_a_star_is_read_as_a_group_plays_it(option: str, place: str) -> None:
    line = "Forming 1x 8-6 Inf XX (3-6) 1 in MD X full Jul 1 42\ncharts: {activation_table: [{upto: 99, result: S*}]}"
    made = table(line, rules=f"early-activation-results: {option}")
    while made.campaign.world.when(made.campaign.state) != "May 2 42, Axis reinforcement phase":
        made.do("advance")
    made.do("activate-early", unit="1 Inf XX", rolls=[3])
    unit = made.campaign.state.units["1 Inf XX"]
    assert (unit.place.kind, unit.step) == (place, "full")


@pytest.mark.clause("52.I.2.a.4/1", "51.B.10/2")
def test_the_garrison_of_a_german_md_limits_what_appears_there() -> None:
    made = table("Reinforce 2x 8-6 Inf XX 1, 2 in MD X", country="Germany")
    made.do("declare", fact="training_activated", about="md/x", value=True)
    made.do("declare", fact="garrison_res", about="md/x", value="1")
    assert isinstance(made.give("reinforce", unit="1 Inf XX", at="A"), Done)
    refused = made.refused("reinforce", unit="2 Inf XX", at="A")
    assert refused.clauses == ("52.I.2.a.4/1",)
    assert isinstance(made.give("advance"), Done)
    assert made.campaign.state.units["2 Inf XX"].place.due == made.campaign.state.clock.turn + 2


# ---------------------------------------------------------------------------------------------- reading it


def test_a_line_that_cannot_be_read_is_told_with_its_number() -> None:
    with pytest.raises(BadFile, match="line 3 of the order of battle"):
        table("Reinfrce 1x")


def test_an_md_a_front_or_a_kind_of_point_that_the_scenario_does_not_have_is_told_at_once() -> None:
    with pytest.raises(BadFile, match="list md/nowhere under mds"):
        table("Reinforce 1x 8-6 Inf XX 1 in MD Nowhere")
    with pytest.raises(BadFile, match="list front/centr under fronts"):
        table("Reinforce 1x 8-6 Inf XX 1 in front Centr")
    with pytest.raises(BadFile, match="there are no 'tank' points"):
        table("Resources: 4 tank RPs")


def test_a_nation_that_does_not_exist_is_told_at_once() -> None:
    with pytest.raises(BadFile, match="there is no nation"):
        table("Reinforce 1x 8-6 Inf XX 1 in MD X", nation="Nation: Ruritania")


def test_a_counter_of_the_mix_is_used_before_a_new_one_is_made() -> None:
    given = ENTRY.format(
        line="Reinforce 1x 8-6 Inf XX 1 in MD X", player="Axis", nation="German", rules="", a="", country="Z"
    )
    made = Table(given + "\nunits: {1 Inf XX: {spec: 8-6 Inf XX, at: mix, nation: German}}\n")
    made.do("advance")
    assert made.campaign.state.units["1 Inf XX"].place.kind == "reinforcements"
    assert len(made.campaign.state.units) == 1


def test_the_checklist_is_the_same_every_time() -> None:
    made = table("Reinforce 2x 8-6 Inf XX 1, 2 in MD X\n  May 2 42\n  Reinforce 1x 3-6 Inf XX 4 in MD X")
    first = [item.text for item in agenda(made.campaign.world, made.campaign.state)]
    assert first == [item.text for item in agenda(made.campaign.world, evolve(made.campaign.state.copy(), []))]
    assert any("in 1 turn, May 2 42" in text for text in first)


@pytest.mark.clause("51.A/2")
def test_the_log_names_each_moment_in_the_order_it_was_played_in() -> None:
    made = Table("turn: May 1 42\nphase: combat\n")
    made.do("house-rule", rule="phase-order", option="both-close")
    for _ in range(6):
        made.do("advance")
    campaign = made.campaign
    moments = [read_entry(sealed).at for sealed in campaign.journal.read(3)]
    phases = [campaign.world.sequence.describe(campaign.world.calendar, each).split(", ")[1] for each in moments]
    assert phases == [
        "Axis combat phase",
        "Axis replacement phase",
        "Axis exploitation phase",
        "Soviet initial phase",
        "Soviet movement phase",
        "Soviet combat phase",
    ]
    made.campaign.undo()
    assert campaign.world.when(campaign.state) == "May 1 42, Soviet combat phase"


@pytest.mark.clause("51.B.19/1")
@pytest.mark.parametrize(
    ("line", "proposed"),
    [
        ("Withdraw 1x 8-6 Inf XX 24", "24 Inf XX"),
        ("Withdraw 1x 8-6 Inf XX", "1 Inf XX"),
        ("Convert 1x 8-6 Inf XX 24 → 1x 9-6 Inf XX 9", "24 Inf XX"),
        ("Remove from replacement pool 1x 8-6 Inf XX 24", "24 Inf XX"),
    ],
)
def test_of_units_alike_the_one_whose_number_is_printed_is_proposed(line: str, proposed: str) -> None:
    units = "units: {1 Inf XX: {spec: 8-6 Inf XX, at: A}, 24 Inf XX: {spec: 8-6 Inf XX, at: A}}\n"
    made = Table(units + ENTRY.format(line=line, player="Axis", nation="German", rules="", a="", country="Z"))
    made.do("advance")
    ready = [item.command for item in agenda(made.campaign.world, made.campaign.state) if item.command is not None]
    listed = [each for each in ready if getattr(each, "entry", "").startswith("may-1-42-german")]
    assert [getattr(each, "unit", "") for each in listed] == [proposed]


@pytest.mark.clause("51.A/1")
def test_what_is_coming_is_told_once_and_with_what_it_is() -> None:
    made = table("Reinforce 2x 8-6 Inf XX 1, 2 in MD X\n  May 2 42\n  Withdraw 1x 8-6 Inf XX")
    texts = [item.text for item in agenda(made.campaign.world, made.campaign.state)]
    assert [text for text in texts if text.startswith("in 1 turn")] == ["in 1 turn, May 2 42: 1x 8-6 Inf XX (withdraw)"]


@pytest.mark.clause("51.B.7/12")
def test_early_activation_is_offered_by_a_die_and_by_each_letter_of_a_table_of_ones_own() -> None:
    made = table("Forming 1x 8-6 Inf XX (3-6) 1 in MD X full Jul 1 42")
    while made.campaign.world.when(made.campaign.state) != "May 2 42, Axis reinforcement phase":
        made.do("advance")
    offered = [choice.command for choice in made.choices("activate-early", "1 Inf XX")]
    assert [each.result for each in offered if isinstance(each, ActivateEarly)] == ["", "D", "F", "F*", "S", "S*"]
