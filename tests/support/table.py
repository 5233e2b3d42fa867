"""A campaign at the table for tests: set up from the words of a case, played by command names."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from forcepool import games
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.command import Command, command_name
from forcepool.engine.journal import Journal, MemoryJournal
from forcepool.engine.options import Choice, options
from forcepool.engine.state import Unit
from forcepool.engine.verdicts import Refusal
from forcepool.engine.world import find_unit
from forcepool.files.yamltext import read_yaml
from forcepool.views.scenarios import begin_in, read_scenario

CENTRE = """
turn: Oct 3 41
player: Axis
fronts: {centre: {theatre: east}}
mds: {iii: {theatre: reich, country: Germany, activity: inactive}}
places: {Minsk: {front: centre}, Orsha: {front: centre, town: yes}}
pools:
  front/centre: {German: {inf: 10, arm: 4}}
  national/Germany: {German: {inf: 20, arm: 6}}
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6) (1-6), at: Minsk, as: cadre, nation: German}
  6 Pz XX: {spec: 12-10 Pz XX (5-8), at: Minsk, as: cadre, nation: German}
  76 Inf XX: {spec: 7-6 Inf XX (3-6) (1-6), at: Orsha, as: remnant, nation: German}
  35 Inf XX: {spec: 8-6 Inf XX (3-6), at: eliminated front/centre, nation: German}
  100 Tk X: {spec: 3-2-8 Tk X, at: Vyazma, nation: Soviet}
"""


class Table:
    """One campaign of the shipped game."""

    def __init__(
        self, given: str = CENTRE, *, seats: Sequence[str] = (), seed: bytes = b"", journal: Journal | None = None
    ) -> None:
        begun = read_scenario(read_yaml(given, "given.yaml"))
        self.journal = journal or MemoryJournal()
        begin_in(self.journal, begun, seed=seed, seats=seats)
        self.campaign = Campaign(self.journal, games.build_world, seed)
        self.commands = {command_name(each): each for each in begun.game.commands}

    def command(self, name: str, /, **fields: Any) -> Command:
        return msgspec.convert(fields, self.commands[name], strict=False)

    def give(
        self, name: str, /, *, seat: str = "", override: str = "", rolls: Sequence[int] = (), **fields: Any
    ) -> Any:
        """What came of a command, done or refused."""
        return self.campaign.do(self.command(name, **fields), seat=seat, override=override, rolls=rolls)

    def do(self, name: str, /, **fields: Any) -> Done:
        """A command that must go through."""
        outcome = self.give(name, **fields)
        assert isinstance(outcome, Done), [str(reason) for reason in outcome.reasons]
        return outcome

    def refused(self, name: str, /, **fields: Any) -> Refusal:
        """A command that must be refused, and change nothing."""
        before = self.campaign.seq
        outcome = self.give(name, **fields)
        assert isinstance(outcome, Refusal)
        assert self.campaign.seq == before
        return outcome

    def unit(self, name: str) -> Unit:
        return find_unit(self.campaign.state, name)

    def holds(self, pool: str, kind: str, nation: str = "Germany") -> Fraction:
        return self.campaign.state.balance(pool, nation, kind)

    def choices(self, name: str, unit: str) -> list[Choice]:
        found = options(self.campaign.world, self.campaign.state, self.unit(unit))
        return [each for each in found if command_name(each.command) == name]
