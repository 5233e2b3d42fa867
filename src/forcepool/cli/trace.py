"""Lines on the map: the hexes one takes, or those that stop it."""

from typing import TYPE_CHECKING

import click

from forcepool.cli import screen
from forcepool.cli.problems import REFUSED, BadInput
from forcepool.cli.table import campaign_at, file_argument, json_option

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign


@click.command("trace")
@file_argument
@click.argument("kind")
@click.argument("hex_", metavar="HEX", nargs=-1, required=True)
@click.option("--to", default="", metavar="HEX", help="Where the line must go; left out, to the nearest that serves.")
@json_option
@click.pass_context
def trace_command(ctx: click.Context, file: str, kind: str, hex_: tuple[str, ...], to: str, as_json: bool) -> None:
    """Trace a line on the campaign's map from a hex, a place or a unit, and show its hexes or what stops it.

    It exits 0 when there is a line and 1 when there is none. A kind that does not exist gets the list of those that do.

    \b
    Examples:
      forcepool trace east.fp supply 24 Inf XX
      forcepool trace east.fp coal Kharkov
      forcepool trace east.fp rail 1:0602 --to Moscow
    """
    from msgspec import to_builtins

    from forcepool.engine.hexmap.grid import BadHex
    from forcepool.engine.hexmap.tracing import trace

    with campaign_at(file) as campaign:
        try:
            found = trace(campaign.world, campaign.state, kind, " ".join(hex_), to)
        except BadHex as error:
            near = _near(campaign, str(error), " ".join(hex_), to)
            raise BadInput(near or str(error)) from None
    if as_json:
        data = {"kind": found.kind, "found": found.found, "says": found.says, "path": [], "blocked": []}
        screen.print_json(data | to_builtins(found))
    else:
        screen.tell([screen.good(found.says) if found.found else screen.bad(found.says)])
        if found.path:
            screen.say(f"  {' → '.join(found.path)}")
        if found.blocked:
            screen.say(f"  closed around it: {', '.join(found.blocked)}")
    if not found.found:
        ctx.exit(REFUSED)


def _near(campaign: "Campaign", wrong: str, *names: str) -> str:
    """The place or unit that was nearly named, where a name is what was wrong."""
    from forcepool.views.near import did_you_mean

    for name in names:
        if name and f"'{name}'" in wrong:
            if name.casefold() in (each.casefold() for each in campaign.world.places()):
                return f"{name} lies on no hex of the map, so that no line can be traced there"
            hint = did_you_mean(name, [*campaign.world.places(), *campaign.state.units])
            return f"there is no hex, place or unit '{name}'; {hint}" if "?" in hint else ""
    return ""
