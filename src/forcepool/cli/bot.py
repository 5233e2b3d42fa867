"""Playing on by program: a seeded bot that picks from the listed options."""

from collections import Counter

import click

from forcepool.cli import screen
from forcepool.cli.problems import BadInput
from forcepool.cli.table import campaign_at, file_argument, json_option


@click.command("bot")
@file_argument
@click.option("--turns", type=click.IntRange(1, 1000), default=1, show_default=True, help="Turns to play.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same game.")
@json_option
def bot_command(file: str, turns: int, seed: int, as_json: bool) -> None:
    """Play a solo campaign on by itself: losses, rebuilding, replacing and placing, chosen from the open options.

    Every act is an ordinary entry of the journal; 'forcepool undo --to' takes a whole run back.

    \b
    Examples:
      forcepool bot east.fp --turns 4 --seed 7
    """
    from forcepool.engine.command import command_name
    from forcepool.planner.bot import play

    with campaign_at(file) as campaign:
        if campaign.beginning.seats:
            raise BadInput("the bot plays for all sides, so it wants a campaign without seats")
        first, last = campaign.seq + 1, campaign.state.clock.turn
        given: Counter[str] = Counter()
        for act in play(campaign, turns=turns, seed=seed):
            given[command_name(act.command)] += 1
            if campaign.state.clock.turn != last:
                last = campaign.state.clock.turn
                screen.progress(f"{campaign.world.turn_name(last)}: {campaign.seq} entries")
        when, entries = campaign.world.when(campaign.state), campaign.seq - first + 1
    if as_json:
        screen.print_json({"entries": entries, "from": first, "now": when, "commands": dict(sorted(given.items()))})
        return
    screen.say(f"Played {turns} turn{'s' if turns > 1 else ''}: {entries} entries. It is {when}.")
    for name, count in sorted(given.items()):
        screen.say(f"  {count}x {name}")
    screen.say(f"Take it all back with: forcepool undo {file} --to {first}")
