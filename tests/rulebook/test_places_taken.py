"""What the cases cannot say of a place that is taken: of whom its lines are told."""

import pytest

from forcepool.engine.events import Noted
from tests.support.table import Table

PLACES = """
turn: Sep 4 41
phase: movement
fronts: {South: {}}
places:
  Kiev: {front: South, city: yes, owner: Soviet, isolated: supply}
  Uman: {front: South, city: yes, isolated: supply}
  Poltava: {front: South, city: yes, owner: Soviet}
"""


def told_as_taken(place: str, value: str) -> list[str]:
    table = Table(PLACES)
    events = table.do("declare", fact="owner", about=place, value=value).entry.events
    return [event.text for event in events if isinstance(event, Noted)]


def test_who_takes_a_place_that_is_cut_off_is_told_of_the_side_it_was_cut_off_to() -> None:
    [told] = told_as_taken("Kiev", "Axis")
    assert "cut off to the Axis side as it did to the Soviet" in told


@pytest.mark.parametrize(("place", "value"), [("Uman", "Axis"), ("Poltava", "Axis"), ("Kiev", "")])
def test_nothing_is_told_of_a_place_nobody_owned_or_owns_now_or_of_one_with_lines(place: str, value: str) -> None:
    assert told_as_taken(place, value) == []
