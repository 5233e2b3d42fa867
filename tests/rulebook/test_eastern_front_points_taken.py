"""Whoever says that a point was taken is told whose units still stand there, and the checklist keeps asking."""

from forcepool.engine.agenda import DUE, agenda
from forcepool.engine.events import Noted
from tests.support.any_game import Seat, sit_down

GIVEN = """
turn: Jun 41
player: Axis
phase: combat
points:
  Warsaw: {control: Axis}
  Riga: {country: Soviet Union}
  Bucharest: {country: Rumania}
lines:
  Warsaw line: {ends: [west edge, Warsaw]}
  Warsaw-Riga: {ends: [Warsaw, Riga]}
  Riga line: {ends: [Riga, east edge]}
factories: {Tank Riga: {kind: tank, printed: Riga, months: odd}}
units:
  XLI Pz Corps: {spec: 2-6 Pz XXX, nation: Germany, at: Riga}
  VII Corps: {spec: 1-4 Inf XXX, nation: Germany, at: Bucharest}
  I Rum Corps: {spec: 1-4 Inf XXX, nation: Rumania, at: Bucharest}
  II Rum Corps: {spec: 1-4 Inf XXX, nation: Rumania, at: Warsaw}
  8 Army: {spec: 1-4 Inf XXXX, nation: Soviet Union, at: Riga}
  11 Army: {spec: 1-4 Inf XXXX, nation: Soviet Union, at: Riga}
"""


def told(seat: Seat, point: str, side: str | None) -> list[str]:
    done = seat.do("declare", fact="control", about=point, value=side)
    return [event.text for event in done.entry.events if isinstance(event, Noted)]


def asked(seat: Seat) -> list[str]:
    items = agenda(seat.campaign.world, seat.campaign.state)
    return [f"{item.side}: {item.text}" for item in items if item.kind == DUE and "is controlled by" in item.text]


def test_a_point_taken_with_armies_on_it_is_told_and_asked_after() -> None:
    seat = sit_down("eastern_front", GIVEN)
    assert told(seat, "Riga", "Axis") == [
        "Riga is the Axis side's now, and 2 units still stand there of the Soviet side: they are to be moved or lost"
    ]
    line = "Soviet: Riga is controlled by Axis, and there stand 11 Army, 8 Army: move or lose them, or mend the control"
    assert asked(seat) == [line]
    seat.do("lose", unit="8 Army")
    seat.do("lose", unit="11 Army")
    assert asked(seat) == []


def test_a_declaration_taken_back_gives_the_point_to_its_country_and_is_told_too() -> None:
    seat = sit_down("eastern_front", GIVEN)
    told(seat, "Riga", "Axis")
    assert told(seat, "Riga", None) == [
        "Riga is the Soviet side's now, and 1 unit still stands there of the Axis side: it is to be moved or lost"
    ]


def test_an_attacker_on_a_point_it_has_not_won_is_asked_after_only_when_its_combat_is_over() -> None:
    seat = sit_down("eastern_front", GIVEN)
    assert asked(seat) == []
    seat.do("advance")
    assert asked(seat) == [
        "Axis: Riga is controlled by Soviet, and there stands XLI Pz Corps: move or lose it, or mend the control"
    ]


def test_troops_that_go_over_with_their_capital_are_not_counted_but_their_allies_are() -> None:
    seat = sit_down("eastern_front", GIVEN)
    assert told(seat, "Bucharest", "Soviet") == [
        "Bucharest is the Soviet side's now, and 1 unit still stands there of the Axis side: it is to be moved or lost"
    ]
    seat.do("advance")
    # The Rumanians at Warsaw are told to go home, not to be lost.
    assert [line for line in asked(seat) if "Rum Corps" in line] == []
