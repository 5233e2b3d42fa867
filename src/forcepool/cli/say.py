"""Writing to the others: a message in the journal, which touches nothing."""

import sys

import click

from forcepool.cli import screen
from forcepool.cli.problems import BadInput
from forcepool.cli.table import campaign_at, file_argument, json_option, one_of, seat_of, seat_option


@click.command("say")
@file_argument
@click.argument("text")
@click.option("--to", default="", metavar="SIDE", help="A side, or 'referee'; left out, everybody.")
@seat_option
@json_option
def say_command(file: str, text: str, to: str, seat: str, as_json: bool) -> None:
    """Write to everybody, to a side or to the referee. It is kept in the journal, sealed like any entry.

    It changes nothing, an undo passes over it, and it goes along with 'forcepool send' and 'export'. On a server only
    those it is for can read it; whoever has the file itself has all of it. '-' reads the text from standard input.

    \b
    Examples:
      forcepool say east.fp "Away until Sunday" --as Axis
      forcepool say east.fp "May I take back entry 41?" --to Soviet --as Axis
      forcepool log east.fp --as Soviet --last 5
    """
    from forcepool.engine.messages import addressees, say
    from forcepool.store.open import now

    with campaign_at(file) as campaign:
        if campaign.beginning.tries:
            raise BadInput("in a what-if there is nobody to write to; write in the campaign itself")
        side = seat_of(campaign, seat)
        whom = one_of(to, addressees(campaign), "side") if to else ""
        words = sys.stdin.read() if text == "-" else text
        entry = say(campaign, words, to=whom, seat=side, when=now())
    if as_json:
        screen.print_json({"entry": entry.n, "to": whom, "message": entry.message})
    else:
        screen.say(f"{entry.n}  written to {whom or 'all'}")
