"""A campaign of any game, set up from the words of a case and played by command names."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from forcepool import games
from forcepool.engine.beginning import begin
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.command import Command, command_name
from forcepool.engine.journal import Journal, MemoryJournal
from forcepool.engine.verdicts import Refusal
from forcepool.files.yamltext import read_yaml


class Seat(NamedTuple):
    """A campaign in memory, with the commands of its game."""

    campaign: Campaign
    commands: dict[str, type[Command]]

    def give(self, name: str, /, *, rolls: Sequence[int] = (), override: str = "", **fields: Any) -> Done | Refusal:
        """What came of a command, done or refused."""
        return self.campaign.do(self.order(name, **fields), rolls=rolls, override=override)

    def order(self, name: str, /, **fields: Any) -> Command:
        """A command that is not given yet."""
        return msgspec.convert(fields, self.commands[name], strict=False)

    def do(self, name: str, /, **fields: Any) -> Done:
        """A command that must go through."""
        outcome = self.give(name, **fields)
        assert isinstance(outcome, Done), [str(reason) for reason in outcome.reasons]
        return outcome

    def shown(self, unit: str) -> dict[str, str]:
        """By clause what is shown on a unit."""
        campaign = self.campaign
        world, state = campaign.world, campaign.state
        found = state.units[unit]
        return {effect.clause: effect.text for shows in world.game.shows for effect in shows(world, state, found)}


def sit_down(game_name: str, given: str, *, seed: bytes = b"", journal: Journal | None = None) -> Seat:
    """Begin a campaign of a game from the words of a scenario or a case."""
    game = games.game(game_name)
    set_up = game.set_up(read_yaml(given, "given.yaml"), ())
    journal = MemoryJournal() if journal is None else journal
    begin(
        journal,
        game=game.name,
        title=set_up.title,
        ruleset="test",
        world=set_up.world,
        state=set_up.state,
        seed=seed,
    )
    campaign = Campaign(journal, games.build_world, seed)
    return Seat(campaign, {command_name(each): each for each in game.commands})
