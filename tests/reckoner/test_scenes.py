"""Short scenes reckoned twice: rules that a war of a few turns seldom comes to, each played from what a case would say.

Contingents that borrow and pay back, units they have free, German cadres of 1942, pockets with a pool of their own.
"""

from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from forcepool.engine.journal import Journal
from tests.reckoner.reckoner import Reckoner
from tests.reckoner.reckoning import reckon
from tests.reckoner.record import Step, opened, steps
from tests.reckoner.test_reckoner import falsified
from tests.support.any_game import sit_down

Order = tuple[str, dict[str, Any]]

CENTRE = """
turn: Jan 1 42
phase: replacement
theatres: {East: {}}
fronts: {Centre: {theatre: East, activity: active}, South: {theatre: East, activity: active}}
nations: {Rumania: {contingent: Germany}}
places:
  Vyazma: {front: Centre, city: yes, owner: Axis, replacement_city: Germany}
  Odessa: {front: South, city: yes, owner: Axis, capital: Rumania}
charts:
  receipts:
    - {nation: Rumania, points: {inf: 7/2, arm: 1/4}}
    - {nation: Germany, points: {inf: 12, arm: 3}}
pools:
  front/centre: {German: {inf: 12, arm: 3}}
  front/south: {German: {inf: 8, arm: 2}, Rumanian: {inf: 1}}
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: Vyazma, as: cadre}
  31 Inf XX: {spec: 8-6 Inf XX (3-6), nation: German, at: Vyazma, as: cadre}
  250 Spa Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, traits: [foreign contingent], at: Vyazma, as: cadre}
  638 Fr Inf III: {spec: 2-6 Inf III, nation: German, traits: [foreign contingent], at: eliminated front/centre}
  6 Rum Inf XX: {spec: 4-6 Inf XX (1-6), nation: Rumania, at: Odessa, as: cadre}
  7 Rum Inf XX: {spec: 4-6 Inf XX (1-6), nation: Rumania, at: Odessa, as: cadre}
"""
DEMYANSK = """
turn: Jan 2 42
phase: combat
theatres: {East: {}}
fronts: {North: {theatre: East, activity: active}}
places:
  Demyansk: {front: North, town: yes, owner: Axis}
  Riga: {front: North, city: yes, owner: Axis, replacement_city: Germany}
pools: {front/north: {German: {inf: 5}}}
units:
  16 HQ XXXX: {spec: 1-8 HQ XXXX, nation: German, at: Demyansk, supply: none, isolated: supply, pocket: Demyansk}
  12 Inf XX: {spec: 8-6 Inf XX (3-6), nation: German, at: Demyansk, supply: none, isolated: supply, pocket: Demyansk}
  30 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: Demyansk, supply: none, isolated: supply, pocket: Demyansk}
  32 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: Demyansk, supply: none, isolated: supply, pocket: Demyansk}
"""
LOST_DISTRICT = """
turn: Mar 1 42
player: Axis
phase: initial
theatres: {Reich: {country: Germany}}
mds: {Berlin: {theatre: Reich, country: Germany}, Vienna: {theatre: Reich, country: Germany}}
places:
  Berlin: {md: Berlin, city: yes, owner: Soviet}
  Dresden: {md: Berlin, city: yes, owner: Soviet}
  Vienna: {md: Vienna, city: yes, owner: Axis, replacement_city: Germany}
ob: |
  Mar 1 42
    Axis, German
      Forming:
        1x 10-10 Mot XX (4-8) Grossdeutschland in MD Berlin, full May 3 42
        1x 7-6 Inf XX (3-6) 383 in MD Vienna, full May 3 42
"""
TWO_MONTHS: list[Order] = [("advance", {})] * 150
SAVED: list[Order] = [
    ("form-auxiliary-pool", {"pocket": "Demyansk", "front": "front/north"}),
    ("lose", {"unit": "12 Inf XX", "to": "cadre"}),
    ("lose", {"unit": "30 Inf XX"}),
    ("disrupt-points", {"unit": "32 Inf XX", "points": "2"}),
    *[("advance", {})] * 3,
]

SCENES: dict[str, tuple[str, list[Order], set[str]]] = {
    "contingents": (
        CENTRE,
        [
            ("rebuild-contingent", {"unit": "250 Spa Inf XX"}),
            ("replace-contingent", {"unit": "638 Fr Inf III", "track": "front/centre"}),
            ("rebuild-cadre", {"unit": "6 Rum Inf XX", "pay_from": "front/south", "mix": "2 inf of Germany"}),
            ("rebuild-cadre", {"unit": "7 Rum Inf XX", "pay_from": "front/south", "mix": "3 inf of Germany"}),
            *TWO_MONTHS,
        ],
        {"debts", "free contingents", "prices", "receipts"},
    ),
    "the cadres of 1942": (
        CENTRE,
        [
            ("reorganise", {"unit": "24 Inf XX", "pay_from": "front/centre"}),
            ("refit", {"unit": "31 Inf XX", "pay_from": "front/centre"}),
        ],
        {"refits"},
    ),
    "a pocket loses its HQ": (
        DEMYANSK,
        [*SAVED, ("lose", {"unit": "16 HQ XXXX"})],
        {"auxiliary pools", "boxes", "losses", "special replacements", "disrupted points"},
    ),
    "a pocket is given up": (
        DEMYANSK,
        [*SAVED, ("dissolve-auxiliary-pool", {"pool": "local/demyansk"})],
        {"auxiliary pools"},
    ),
    "a division forms in a district that is lost": (
        LOST_DISTRICT,
        [
            *[("advance", {})] * 18,
            ("declare", {"fact": "owner", "about": "Dresden", "value": "Axis"}),
            *[("advance", {})] * 18,
        ],
        {"order of battle"},
    ),
}
FALSIFIED = [
    ("contingents", "rebuild-cadre", "52.E/1", "debts"),
    ("contingents", "advance", "52.E/4", "debts"),
    ("contingents", "advance", "52.E/5", "debts"),
    ("contingents", "replace-contingent", "52.D.1.b/5", "free contingents"),
    ("the cadres of 1942", "reorganise", "52.J.1.a/3", "refits"),
    ("the cadres of 1942", "refit", "52.J.1.a/4", "refits"),
    ("a pocket loses its HQ", "lose", "52.F.4.b/6", "auxiliary pools"),
    ("a pocket loses its HQ", "advance", "52.F.4.b/5", "special replacements"),
    ("a pocket is given up", "dissolve-auxiliary-pool", "52.F.4.b/6", "auxiliary pools"),
]
"""A scene, an order of it, a clause of which the figures are made wrong, and the heading under which that is seen."""


@cache
def played(scene: str) -> Journal:
    given, orders, _ = SCENES[scene]
    seat = sit_down("europa", given)
    for name, fields in orders:
        seat.do(name, **fields)
    return seat.campaign.journal


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_comes_out_the_same_and_nothing_of_it_is_passed_over(scene: str) -> None:
    tally = reckon(played(scene))
    assert tally.different == []
    assert dict(tally.not_reckoned) == {}
    assert SCENES[scene][2] <= set(tally.reckoned), tally.report()


@pytest.mark.parametrize(("scene", "order", "clause", "heading"), FALSIFIED)
def test_a_figure_of_a_scene_that_is_off_is_found(scene: str, order: str, clause: str, heading: str) -> None:
    reckoner = Reckoner(*opened(played(scene)))
    for step in steps(played(scene)):
        events = [falsified(event) if clause in event.because else event for event in step.entry.events]
        reckoner.read(Step(replace(step.entry, events=events), step.order) if step.name == order else step)
    assert any(heading in each.partition(":")[0] for each in reckoner.tally.different)
