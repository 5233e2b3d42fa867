"""Looking ahead: what comes, lapses and arrives if nobody does more than is due."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from forcepool.cli import screen
from forcepool.cli.table import campaign_at, file_argument, json_option, one_of

if TYPE_CHECKING:
    from forcepool.views.forecast import Ahead, Comes, PoolAhead, PoolChange, TurnAhead

ARRIVALS_SHOWN = 6
COLUMNS = 6


@click.command("forecast")
@file_argument
@click.option("--turns", type=click.IntRange(0, 200), default=12, show_default=True, help="Turns to look ahead.")
@click.option("--side", default="", metavar="SIDE", help="As this side knows it: the other does nothing.")
@click.option("--why", "workings", is_flag=True, help="With the working and the clauses of every number.")
@json_option
def forecast_command(file: str, turns: int, side: str, workings: bool, as_json: bool) -> None:
    """What the coming turns bring: points received and lost, units arriving, duties that cannot be met.

    The campaign is played on, on a copy, with nothing done but what is due: no purchases, no losses, no moves. Dice
    fall in the middle; where they matter, the range is told in which the number lies nine times in ten.

    \b
    Examples:
      forcepool forecast east.fp
      forcepool forecast east.fp --turns 4 --side Axis --why
    """
    from forcepool.planner.forecast import forecast
    from forcepool.views.forecast import ahead

    with campaign_at(file) as campaign:
        world = campaign.world
        side = one_of(side, world.sequence.players, "side") if side else ""
        found = forecast(
            world,
            campaign.state,
            turns,
            only=(side,) if side else (),
            progress=lambda turn, of: screen.progress(f"turn {turn} of {of}"),
        )
        data = ahead(world, campaign.state, found, side=side)
        if as_json:
            screen.print_json(data)
            return
        screen.heading(f"{data.now}: the next {screen.counted(turns, 'turn')} if nobody does more than is due")
        for turn in data.turns:
            screen.say()
            screen.say(screen.strong(turn.name))
            screen.say_lines(f"  {line}" for line in _lines(turn, workings))
        _pools(data)


def _lines(turn: "TurnAhead", workings: bool) -> Iterator[str]:
    from forcepool.views.forecast import alike, together

    if turn.empty:
        yield "nothing comes, nothing lapses"
    for word, changes in (
        ("comes", turn.comes),
        ("lapses", turn.lapses),
        ("goes", turn.goes),
        ("moves", turn.moves),
    ):
        for each in [(change,) for change in changes] if workings else alike(changes):
            yield f"{word:8}{together(each)}{_cited(each[0], workings)}"
            if workings:
                yield from (f"{'':10}{line}" for line in each[0].why)
    yield from _arrivals([each for each in turn.arrives if each.on_map], "arrives")
    yield from _arrivals([each for each in turn.arrives if not each.on_map], "new")
    for undone in turn.undone:
        yield screen.bad(f"{'undone':8}{undone.text} [{undone.clause}]")


def _cited(change: "PoolChange", workings: bool) -> str:
    clauses = change.clauses if workings else change.clauses[:1]
    return screen.faint(f"  [{' '.join(clauses)}]") if clauses else ""


def _arrivals(units: Sequence["Comes"], word: str) -> Iterator[str]:
    nations: dict[str, list[Comes]] = {}
    for each in units:
        nations.setdefault(each.nation, []).append(each)
    for nation, listed in nations.items():
        named = ", ".join(f"{each.unit} ({each.where})" for each in listed[:ARRIVALS_SHOWN])
        more = f" and {len(listed) - ARRIVALS_SHOWN} more" if len(listed) > ARRIVALS_SHOWN else ""
        yield f"{word:8}{nation}: {named}{more}"


def _pools(data: "Ahead") -> None:
    """What each pool will hold, at a few turns that show the way it goes."""
    from forcepool.engine.points import show_points

    if not data.pools or not data.turns:
        return
    step = max(1, -(-(len(data.turns) - 1) // (COLUMNS - 1)))
    shown = sorted({*range(0, len(data.turns), step), len(data.turns) - 1})
    screen.say()
    screen.say(screen.strong("What each pool holds as the turn ends, if nothing is spent"))
    screen.table(
        ["pool", "of", "kind", *(data.turns[each].name for each in shown)],
        [
            [pool.title, pool.nation, pool.kind, *(show_points(pool.holds[each]) for each in shown)]
            for pool in data.pools
        ],
        right=range(3, 3 + len(shown)),
    )
    for pool in data.pools:
        if not pool.certain:
            screen.say(_range(pool, data.turns[-1].name))


def _range(pool: "PoolAhead", when: str) -> str:
    from forcepool.engine.points import show_points

    low, high = show_points(pool.least[-1]), show_points(pool.most[-1])
    return f"Dice decide the {pool.kind} of {pool.nation}, {pool.title}: {low} to {high} on {when}, nine times in ten."
