"""The force pool: every unit in exactly one box or slot, in any game, narrowed by side, front, type or name."""

from collections import Counter
from importlib.resources import files

import pytest

from forcepool.engine.campaign import Campaign
from forcepool.views.forcepool import ForcePool, asked_for_first, by_side, force_pool, named
from tests.support.any_game import sit_down
from tests.support.table import Table

SHIPPED = {"smolensk": "europa", "eastern-front": "eastern_front"}


def in_boxes(pool: ForcePool) -> dict[str, list[str]]:
    return {box.name: [unit.unit for unit in box.units] for box in pool.boxes}


def on_track(pool: ForcePool) -> dict[str, list[str]]:
    return {column.name: [unit.unit for unit in column.units] for column in pool.track if column.units}


def shown(pool: ForcePool) -> list[str]:
    return sorted(unit for group in (in_boxes(pool), on_track(pool)) for units in group.values() for unit in units)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_unit_of_a_shipped_scenario_lies_in_exactly_one_box_or_slot(name: str) -> None:
    text = files("forcepool.scenarios").joinpath(f"{name}.yaml").read_text("utf-8")
    campaign: Campaign = sit_down(SHIPPED[name], text).campaign
    pool = force_pool(campaign, on_map=True, out=True)
    assert shown(pool) == sorted(campaign.state.units)
    assert pool.shown == pool.of == len(campaign.state.units)
    assert all(box.count == len(box.units) for box in pool.boxes)
    assert all(column.count == len(column.units) for column in pool.track)
    parts = by_side(pool)
    assert sorted(unit for _, part in parts for unit in shown(part)) == sorted(campaign.state.units)
    for side, part in parts:
        assert {unit.side for box in part.boxes for unit in box.units} <= {side}
        assert part.shown == len(shown(part)) > 0
        assert all(box.count == len(box.units) for box in part.boxes)


def test_the_boxes_are_named_in_the_words_of_the_game_with_cadres_on_the_map_first(autumn: Table) -> None:
    assert in_boxes(force_pool(autumn.campaign)) == {
        "On the map, cadres": ["2 Inf XX", "10 Inf XX"],
        "ELIMINATED BOX": ["35 Inf XX", "100 Tk X"],
        "ELIMINATED ISOLATED BOX": ["37 Inf XX"],
    }


def test_full_units_on_the_map_and_those_out_of_play_are_listed_only_on_request(autumn: Table) -> None:
    assert not {"6 Pz XX", "38 Inf XX"} & set(shown(force_pool(autumn.campaign)))
    both = in_boxes(force_pool(autumn.campaign, on_map=True, out=True))
    assert both["On the map, full strength"] == ["6 Pz XX"]
    assert both["Out of play"] == ["38 Inf XX"]


def test_a_box_has_a_part_for_each_front(autumn: Table) -> None:
    [box] = [box for box in force_pool(autumn.campaign).boxes if box.kind == "eliminated"]
    assert [(shelf.of, shelf.title) for shelf in box.shelves] == [
        ("front/centre", "front Centre"),
        ("front/west", "front West"),
    ]


def test_the_turn_track_begins_now_and_shows_empty_turns_too(autumn: Table) -> None:
    pool = force_pool(autumn.campaign, turns=3)
    assert [column.name for column in pool.track] == ["Oct 3 41", "Oct 4 41", "Nov 1 41"]
    assert [column.now for column in pool.track] == [True, False, False]
    assert on_track(pool) == {"Nov 1 41": ["36 Inf XX"]}


def test_a_turn_beyond_the_track_is_listed_where_something_is_due(autumn: Table) -> None:
    assert [column.name for column in force_pool(autumn.campaign, turns=1).track] == ["Oct 3 41", "Nov 1 41"]


def test_what_was_due_in_a_turn_gone_by_is_overdue(autumn: Table) -> None:
    while autumn.campaign.world.turn_name(autumn.campaign.state.clock.turn) != "Nov 1 41":
        autumn.give("advance", override="let it stand")
    columns = {column.name: column.overdue for column in force_pool(autumn.campaign).track}
    assert columns["Nov 1 41"] is False
    while autumn.campaign.world.turn_name(autumn.campaign.state.clock.turn) != "Nov 2 41":
        autumn.give("advance", override="let it stand")
    columns = {column.name: column.overdue for column in force_pool(autumn.campaign).track}
    assert columns.get("Nov 1 41") is True
    assert columns["Nov 2 41"] is False


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"side": "Soviet"}, ["100 Tk X"]),
        ({"nation": "Soviet Union"}, ["100 Tk X"]),
        ({"front": "west"}, ["100 Tk X"]),
        ({"front": "front/west"}, ["100 Tk X"]),
        ({"front": "russia"}, ["100 Tk X"]),
        ({"front": "wes"}, []),
        ({"type": "tk"}, ["100 Tk X"]),
        ({"box": "isolated"}, ["37 Inf XX"]),
        ({"box": "track"}, ["36 Inf XX"]),
        ({"words": "35"}, ["35 Inf XX"]),
        ({"words": "10"}, ["10 Inf XX"]),
        ({"words": "inf 37"}, ["37 Inf XX"]),
        ({"side": "Axis", "front": "west"}, []),
    ],
)
def test_the_pool_narrows_to_what_is_asked_for(autumn: Table, asked: dict[str, str], expected: list[str]) -> None:
    pool = force_pool(autumn.campaign, **asked)  # type: ignore[arg-type]
    assert shown(pool) == expected
    assert pool.shown == len(expected)


def test_what_one_may_narrow_by_does_not_narrow_itself(autumn: Table) -> None:
    whole, part = force_pool(autumn.campaign), force_pool(autumn.campaign, side="Soviet")
    assert (part.nations, part.fronts, part.types, part.kinds) == (
        whole.nations,
        whole.fronts,
        whole.types,
        whole.kinds,
    )


def test_what_a_seat_does_not_see_is_neither_listed_nor_counted(autumn: Table) -> None:
    pool = force_pool(autumn.campaign, sees=lambda unit: unit.spec.nation == "Germany")
    assert "100 Tk X" not in shown(pool)
    assert pool.of == 7
    assert pool.nations == ("Germany",)


def test_markers_come_with_the_counter(autumn: Table) -> None:
    autumn.do("declare", fact="isolated", unit="2 Inf XX", value="supply")
    units = {unit.unit: unit.marks for box in force_pool(autumn.campaign).boxes for unit in box.units}
    assert units["2 Inf XX"] == ("isolated supply",)
    assert units["10 Inf XX"] == ()


def test_a_unit_that_is_bought_goes_from_the_box_to_the_track(autumn: Table) -> None:
    before = Counter(shown(force_pool(autumn.campaign)))
    autumn.do("replace", unit="35 Inf XX", pay_from="front/centre")
    pool = force_pool(autumn.campaign)
    assert "35 Inf XX" not in in_boxes(pool)["ELIMINATED BOX"]
    assert ["35 Inf XX"] in on_track(pool).values()
    assert Counter(shown(pool)) == before


def test_who_waits_in_a_box_stays_in_it_with_the_turn_noted(autumn: Table) -> None:
    autumn.do("put-unit", unit="35 Inf XX", at="eliminated front/centre Nov 2 41", note="set aside")
    pool = force_pool(autumn.campaign)
    assert "35 Inf XX" in in_boxes(pool)["ELIMINATED BOX"]
    assert "Nov 2 41" not in on_track(pool)
    [unit] = [unit for box in pool.boxes for unit in box.units if unit.unit == "35 Inf XX"]
    assert (unit.due, unit.track) == ("Nov 2 41", "")


@pytest.mark.parametrize("words", ["18", "18th"])
def test_units_whose_own_number_is_asked_for_come_before_those_that_have_it_elsewhere(words: str) -> None:
    spec, names = "8-6 Inf XX", ("AOK 18 XX", "18 Inf XX", "18 DI XX", "18 Brit XX", "118 Inf XX")
    nations = dict(zip(names, ("German", "German", "French", "British", "British"), strict=True))
    units = "\n".join(f"  {name}: {{spec: {spec}, at: Paris, nation: {nations[name]}}}" for name in names)
    campaign = sit_down("europa", f"title: x\nturn: May 1 40\nunits:\n{units}\n").campaign
    found = [unit for unit in campaign.state.units.values() if named(unit, [words])]
    answered = [unit.id for unit in sorted(found, key=asked_for_first([words]))]
    assert answered == ["18 Brit XX", "18 DI XX", "18 Inf XX", "AOK 18 XX"]
