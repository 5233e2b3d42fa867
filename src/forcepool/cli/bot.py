"""Playing on by program: a seeded bot that picks from the listed options."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from forcepool.cli import screen
from forcepool.cli.problems import BadInput, Failed
from forcepool.cli.table import campaign_at, file_argument, json_option, one_of

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.planner.bot import Act


@click.command("bot")
@file_argument
@click.option("--turns", type=click.IntRange(1, 1000), default=1, show_default=True, help="Turns to play.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same game.")
@click.option(
    "--side",
    "sides",
    multiple=True,
    metavar="SIDE",
    help="Mind this side only, and stop where yours decides; repeat it.",
)
@click.option("--plan", "plans", is_flag=True, help="Rebuild by a plan, as well as can be, instead of by chance.")
@json_option
def bot_command(file: str, turns: int, seed: int, sides: tuple[str, ...], plans: bool, as_json: bool) -> None:
    """Play a campaign on by itself: losses, rebuilding, replacing and placing, chosen from the open options.

    With --side the bot minds the rear area of your opponent: it does what is due, rebuilds, replaces and places for
    that side, enters no losses and no moves, and stops as soon as another side that has counters is to play.
    With --plan it rebuilds by a plan of six turns, made anew each time ('forcepool plan' shows such a one), and then
    gives the orders of the checklist for what would be lost if nothing is done.

    Every act is an ordinary entry of the journal; 'forcepool undo --to' takes a whole run back.

    \b
    Examples:
      forcepool bot east.fp --turns 4 --seed 7
      forcepool bot east.fp --side Soviet --plan
    """
    from forcepool.engine.command import command_name
    from forcepool.planner.bot import stops_for

    with campaign_at(file) as campaign:
        minded = _sides(campaign, sides)
        first = campaign.seq + 1
        given: Counter[str] = Counter()
        shown = campaign.world.when(campaign.state) if minded else campaign.world.turn_name(campaign.state.clock.turn)
        for act in _acts(campaign, minded, turns, seed, plans):
            given[command_name(act.command)] += 1
            now = campaign.world.when(campaign.state) if minded else campaign.world.turn_name(campaign.state.clock.turn)
            if now != shown:
                shown = now
                screen.progress(f"{now}: {campaign.seq} entries")
        when, entries = campaign.world.when(campaign.state), campaign.seq - first + 1
        waits = stops_for(campaign, minded) if minded else ""
    if as_json:
        found = {"entries": entries, "from": first, "now": when, "commands": dict(sorted(given.items()))}
        screen.print_json({**found, "waits_for": waits} if minded else found)
        return
    _tell(file, turns, minded, given, (first, entries), f"It is {when}.{f' {waits} is to play.' if waits else ''}")


def _sides(campaign: "Campaign", names: tuple[str, ...]) -> list[str]:
    """The sides the bot minds; none when it plays for all."""
    players = campaign.world.sequence.players
    sides = sorted({one_of(name, players, "side") for name in names})
    seats = campaign.beginning.seats
    if seats and not sides:
        raise BadInput(f"this campaign has seats ({', '.join(seats)}); say which the bot minds with --side {seats[0]}")
    if set(sides) >= set(players):
        raise BadInput("the bot minds some of the sides; leave out --side to let it play for all")
    return sides


def _acts(campaign: "Campaign", minded: list[str], turns: int, seed: int, plans: bool) -> Iterator["Act"]:
    from forcepool.engine.dice import RollNeeded
    from forcepool.planner.bot import Broken, Stuck, mind, play

    try:
        if minded:
            yield from mind(campaign, minded, turns=turns, seed=seed, plans=plans)
        else:
            yield from play(campaign, turns=turns, seed=seed, plans=plans)
    except RollNeeded as need:
        raise Failed(
            f"the bot rolls no dice of yours: {need}; give that command yourself, then call it again"
        ) from None
    except Stuck as stuck:
        raise Failed(f"the bot goes no further than {stuck}; do that yourself, then call it again") from None
    except Broken as broken:
        raise Failed(f"the bot stopped, {broken}; please report it, and play this phase yourself") from None


def _tell(file: str, turns: int, minded: list[str], given: Counter[str], run: tuple[int, int], now: str) -> None:
    from forcepool.views.deeds import deed

    first, entries = run
    if not entries:
        screen.say(f"There was nothing to do for {' and '.join(minded)}. {now}")
        return
    what = f"Minded {' and '.join(minded)}" if minded else f"Played {turns} turn{'s' if turns > 1 else ''}"
    screen.say(f"{what}: {screen.counted(entries, 'entry', 'entries')}. {now}")
    screen.say_lines(f"  {deed(name, count)}" for name, count in sorted(given.items()))
    screen.say(f"Take it all back with: forcepool undo {screen.quoted(file)} --to {first}")
