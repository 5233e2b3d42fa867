"""A small campaign with a bit of everything: four nations, cadres, remnants, losses, a pocket, odd fractions."""

from typing import Any

from forcepool import games
from forcepool.engine.beginning import begin
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import Command, command_name
from forcepool.engine.game import SetUp
from forcepool.engine.journal import Journal, MemoryJournal
from forcepool.files.yamltext import read_yaml

GAME = "europa"

SCENARIO = """\
title: An encirclement
turn: Oct 1 41
player: Axis
phase: replacement
house_rules: {reduced-rate: each-type}
theatres:
  East: {}
  Home: {country: Germany}
fronts:
  Centre: {theatre: East}
  South: {theatre: East}
mds:
  III: {theatre: Home, country: Germany, activity: inactive}
  Moscow: {theatre: East, country: Soviet Union, activity: semi-active}
places:
  Minsk: {md: Minsk, front: Centre, city: yes, owner: Axis}
  Vyazma: {front: Centre, town: yes, enemy_zoc: [division, division]}
  Uman: {front: South}
  Moscow: {md: Moscow, city: yes, owner: Soviet, replacement_city: Soviet Union}
  Berlin: {md: III, city: yes, owner: Axis, replacement_city: Germany}
pools:
  front/centre: {German: {inf: 22/3, arm: 25/12, art: 1}, Rumanian: {inf: 1/3}}
  front/south: {German: {inf: 5/12}, Rumanian: {inf: 7/2}}
  national/Germany: {German: {inf: 41/12, arm: 2/3}}
  national/Hungary: {Hungarian: {inf: 13/3}}
  md/moscow: {Soviet: {inf: 100/7, arm: 2/37}}
  local/vyazma: {Soviet: {inf: 17/12}}
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: Minsk, as: cadre, mp: 2}
  10 Pz XX: {spec: "12-10 Pz XX (5-10) (2-10)", nation: German, at: Vyazma, as: remnant}
  5 Inf XX: {spec: 5-7-6 Inf XX (2-3-6), nation: German, at: Vyazma, as: cadre}
  VIII HQ XXX: {spec: 1-6 HQ XXX, nation: German, at: Vyazma}
  900 Mot X: {spec: 3-10 Mot X, nation: German, at: eliminated front/centre}
  17 Inf XX: {spec: 8-6 Inf XX (4-6), nation: German, at: eliminated front/south}
  8 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: eliminated md/iii}
  12 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: isolated Germany}
  1 Cav X: {spec: 3-6 Cav X, nation: Rumanian, at: Uman}
  2 Inf XX: {spec: 4-6 Inf XX (1-6), nation: Rumanian, at: Uman, as: cadre, moved: yes}
  3 Inf XX: {spec: 4-6 Inf XX (1-6), nation: Hungarian, at: Uman, as: cadre, reserve: operational}
  16 Rifle XX: {spec: "5-6 Rifle XX (2-6) (1-6)", nation: Soviet, at: Vyazma hills, as: remnant,
    isolated: supply, pocket: Vyazma, supply: none}
  100 Rifle XX: {spec: "5-6 Rifle XX (2-6) (1-6)", nation: Soviet, at: Moscow, as: cadre}
  1 Tank X: {spec: 6-10 Arm X, nation: Soviet, at: eliminated md/moscow}
  107 Rifle XX: {spec: "5-6 Rifle XX (2-6) (1-6)", nation: Soviet, at: track md/moscow Oct 3 41, as: cadre}
  9 Res XX: {spec: 3-6 Inf XX, nation: Soviet}
"""


def set_up() -> SetUp:
    """The scenario as read from its text."""
    return games.game(GAME).set_up(read_yaml(SCENARIO, "encirclement.yaml"), ())


SEED = bytes(32)


def start(journal: Journal | None = None) -> Campaign:
    """The campaign just begun."""
    journal = MemoryJournal() if journal is None else journal
    beginning = set_up()
    begin(
        journal,
        game=GAME,
        title=beginning.title,
        ruleset="test",
        world=beginning.world,
        state=beginning.state,
        seed=SEED,
    )
    return Campaign(journal, games.build_world, SEED)


def order(name: str, **fields: Any) -> Command:
    """A command of the game by the name a player types."""
    found = {command_name(each): each for each in games.game(GAME).commands}
    return found[name](**fields)
