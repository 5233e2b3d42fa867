"""Who plays: no player-turn that nobody plays, no nation whose side has none."""

from collections.abc import Iterator

from forcepool.engine.lint import Finding
from forcepool.engine.state import State
from forcepool.files.yamltext import Document
from forcepool.games.europa.lint.mentions import nations, sides_with_units
from forcepool.games.europa.world import EuropaWorld


def turns_nobody_plays(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Sides that have a player-turn and never a unit to play it with."""
    at_war = sides_with_units(world, state)
    playing = [side for side in world.sequence.players if side in at_war]
    for side in world.sequence.players:
        if side not in at_war:
            yield Finding(
                ("players",),
                f"{side} has a player-turn every turn, and no unit comes into play that it could move",
                f"name those who play: players: [{', '.join(playing)}]",
            )


def nations_without_a_player(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """Nations of a belligerent side that has no player-turn."""
    for nation, path, line in nations(world, document):
        side = world.side_now(state, nation)
        if side not in world.sequence.players and side in _sides_of_the_war(world):
            text = f"{nation} is on the side {side}, which has no player-turn: nothing of it could ever be done"
            yield Finding(path, text, f"add {side} to players", line=line)


def _sides_of_the_war(world: EuropaWorld) -> set[str]:
    """The sides of the profile's major powers; others are neutral, and go with the last player's turn."""
    return {nation.side for nation in world.profile.nations.values() if nation.major}


LINT = (turns_nobody_plays, nations_without_a_player)
