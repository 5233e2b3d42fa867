"""Strategic movement of the second game: what a refusal advises, to the word."""

from forcepool.engine.verdicts import Refusal
from tests.support.any_game import Seat, sit_down

COAST = """
turn: Aug 41
phase: strategic movement
capacity: {Soviet: 3}
points: {Odessa: {country: Soviet}, Sevastopol: {country: Soviet}, Kiev: {country: Soviet}}
lines: {coast: {ends: [Odessa, Sevastopol], kind: sea}, line: {ends: [Odessa, Kiev]}}
units: {3 Army: {spec: 1-4 Inf XXXX, at: Odessa}}
"""


def advice(seat: Seat, to: str, by: str) -> list[str]:
    refused = seat.give("move-strategically", unit="3 Army", to=to, by=by)
    assert isinstance(refused, Refusal)
    return [each.remedy for each in refused.reasons]


def test_a_unit_that_cannot_go_by_land_is_told_to_go_by_sea_all_the_way_and_the_other_way_round() -> None:
    seat = sit_down("eastern_front", COAST)
    assert advice(seat, "Sevastopol", "land") == ["go by sea"]
    assert advice(seat, "Kiev", "sea") == ["go by land"]
