"""A campaign of Army Group Centre, a few commands in."""

import pytest

from tests.support.table import Table

GIVEN = """
title: the autumn
turn: Oct 3 41
phase: replacement
player: Axis
fronts: {centre: {theatre: east}, west: {theatre: russia}}
theatres: {east: {}, russia: {}}
mds: {iii: {theatre: east, country: Germany, activity: inactive}}
places: {Minsk: {front: centre}, Orsha: {front: centre, town: yes}}
pools:
  national/Germany: {German: {inf: 6 1/4, arm: 2}}
  front/centre: {German: {inf: 10, arm: 4}}
  md/iii: {German: {inf: 3 1/2}}
  front/west: {Soviet: {inf: 7 1/3}}
units:
  2 Inf XX: {spec: 7-6 Inf XX (3-6), at: Minsk, as: cadre, nation: German}
  10 Inf XX: {spec: 7-6 Inf XX (3-6), at: Minsk, as: cadre, nation: German}
  6 Pz XX: {spec: 12-10 Pz XX (5-8), at: Orsha, nation: German}
  35 Inf XX: {spec: 8-6 Inf XX (3-6), at: eliminated front/centre, nation: German}
  36 Inf XX: {spec: 8-6 Inf XX (3-6), at: track front/centre Nov 1 41, nation: German}
  37 Inf XX: {spec: 8-6 Inf XX (3-6), at: isolated Germany, nation: German}
  38 Inf XX: {spec: 8-6 Inf XX (3-6), at: out, nation: German}
  100 Tk X: {spec: 3-2-8 Tk X, at: eliminated front/west, nation: Soviet}
"""


@pytest.fixture
def autumn() -> Table:
    """Two cadres at Minsk, one division of each kind of box, Soviet armour eliminated."""
    return Table(GIVEN)
