"""Whoever says that a place was taken is told whose units still stand there, and the checklist keeps asking."""

from forcepool.engine.agenda import DUE, agenda
from forcepool.engine.events import Noted
from tests.support.any_game import Seat, sit_down

GIVEN = """
turn: Jul 1 41
phase: combat
fronts: {south: {theatre: east}}
places: {Kiev: {front: south, city: yes, owner: Soviet}}
units:
  5 HQ XXXX: {spec: 1-8 HQ XXXX, nation: Soviet, at: Kiev}
  10 Rif XX: {spec: 4-6 Rif XX, nation: Soviet, at: Kiev}
  24 Inf XX: {spec: 7-6 Inf XX, nation: German, at: eliminated front/south}
"""


def told(seat: Seat, owner: str) -> list[str]:
    done = seat.do("declare", fact="owner", about="Kiev", value=owner)
    return [event.text for event in done.entry.events if isinstance(event, Noted)]


def asked(seat: Seat) -> list[str]:
    items = agenda(seat.campaign.world, seat.campaign.state)
    return [item.text for item in items if item.kind == DUE and "Kiev is owned by" in item.text]


def test_a_city_taken_with_enemy_units_on_it_is_told_and_asked_after() -> None:
    seat = sit_down("europa", GIVEN)
    assert asked(seat) == []
    assert told(seat, "Axis") == [
        "Kiev is the Axis side's now, and 2 units still stand there of the Soviet side: they are to be moved or lost"
    ]
    assert asked(seat) == [
        "Kiev is owned by Axis, and there stand 10 Rif XX, 5 HQ XXXX: move or lose them, or mend the owner"
    ]


def test_once_they_are_gone_nothing_is_asked() -> None:
    seat = sit_down("europa", GIVEN)
    told(seat, "Axis")
    for unit in ("10 Rif XX", "5 HQ XXXX"):
        seat.do("put-unit", unit=unit, at="eliminated front/south")
    assert asked(seat) == []


def test_an_ally_who_takes_over_is_not_told() -> None:
    seat = sit_down("europa", GIVEN)
    assert told(seat, "Allied") == []
    assert asked(seat) == []


def test_four_units_are_named_and_of_five_the_fifth_is_counted() -> None:
    more = "".join(f"  {number} Rif XX: {{spec: 4-6 Rif XX, nation: Soviet, at: Kiev}}\n" for number in (11, 12))
    seat = sit_down("europa", GIVEN + more)
    told(seat, "Axis")
    assert "there stand 10 Rif XX, 11 Rif XX, 12 Rif XX, 5 HQ XXXX: move" in asked(seat)[0]
    seat = sit_down("europa", f"{GIVEN}{more}  13 Rif XX: {{spec: 4-6 Rif XX, nation: Soviet, at: Kiev}}\n")
    told(seat, "Axis")
    assert "there stand 10 Rif XX, 11 Rif XX, 12 Rif XX, 13 Rif XX and 1 more: move" in asked(seat)[0]
