"""Looking ahead: what comes, lapses and arrives if nobody does more than is due."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from forcepool.cli import screen
from forcepool.cli.problems import BadInput
from forcepool.cli.table import campaign_at, file_argument, json_option, one_of

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.engine.journal import Entry
    from forcepool.views.forecast import Ahead, Comes, Leaves, PoolAhead, PoolChange, TurnAhead

ARRIVALS_SHOWN = 6
COLUMNS = 6


@click.command("forecast")
@file_argument
@click.option("--turns", type=click.IntRange(0, 200), default=12, show_default=True, help="Turns to look ahead.")
@click.option("--side", default="", metavar="SIDE", help="As this side knows it: the other does nothing.")
@click.option(
    "--losses",
    multiple=True,
    metavar="HOW",
    help="With losses: last:N, as in the last N turns; or SIDE=RATE, so many units a month.",
)
@click.option("--runs", type=click.IntRange(1, 1000), default=20, show_default=True, help="With --losses: runs drawn.")
@click.option("--seed", type=int, default=1, show_default=True, help="With --losses: another seed draws others.")
@click.option("--why", "workings", is_flag=True, help="With the working and the clauses of every number.")
@json_option
def forecast_command(
    file: str,
    turns: int,
    side: str,
    losses: tuple[str, ...],
    runs: int,
    seed: int,
    workings: bool,
    as_json: bool,
) -> None:
    """What the coming turns bring: points received and lost, units arriving, duties that cannot be met.

    The campaign is played on, on a copy, with nothing done but what is due: no purchases, no losses, no moves. Dice
    fall in the middle; where they matter, the range is told in which the number lies nine times in ten.

    With --losses it is played on many times more, with losses and dice drawn by chance (never the campaign's own dice),
    and for each pool it is told what it holds in a tenth, a quarter, half and so on of these runs.

    \b
    Examples:
      forcepool forecast east.fp
      forcepool forecast east.fp --turns 4 --side Axis --why
      forcepool forecast east.fp --losses last:4
      forcepool forecast east.fp --losses Axis=6 --losses Soviet=20 --runs 50
    """
    from forcepool.planner.fans import fanned
    from forcepool.planner.forecast import forecast
    from forcepool.planner.losses import NoLosses, wanted
    from forcepool.views.forecast import ahead

    with campaign_at(file) as campaign:
        world = campaign.world
        side = one_of(side, world.sequence.players, "side") if side else ""
        only, state, told = (side,) if side else (), campaign.state, ""
        if losses:
            try:
                pattern, told = wanted(world, state, losses, lambda: _journal(file, campaign), only)
            except NoLosses as error:
                raise BadInput(str(error)) from None
            found = fanned(world, state, turns, pattern, only=only, runs=runs, seed=seed, progress=_progress)
        else:
            found = forecast(world, state, turns, only=only, progress=_progress)
        data = ahead(world, state, found, side=side, losses=told)
        if as_json:
            screen.print_json(data)
            return
        screen.heading(f"{data.now}: the next {screen.counted(turns, 'turn')} if nobody does more than is due")
        for turn in data.turns:
            screen.say()
            screen.say(screen.strong(turn.name))
            screen.say_lines(f"  {line}" for line in _lines(turn, workings))
        _pools(data)
        _fans(data)


def _progress(turn: int, of: int) -> None:
    screen.progress(f"turn {turn} of {of}")


def _journal(file: str, campaign: "Campaign") -> "list[Entry]":
    """The entries that count; of a what-if also those of its campaign up to where it was branched off."""
    from forcepool.store.scratch import ENDING

    own = [entry for entry in campaign.entries() if campaign.history.counts(entry)]
    of = campaign.beginning
    if not of.tries or not file.endswith(ENDING) or not Path(file.removesuffix(ENDING)).exists():
        return own
    with campaign_at(file.removesuffix(ENDING)) as before:
        if before.cup.campaign != of.tries:
            return own
        return [entry for entry in before.entries(stop=of.after + 1) if before.history.counts(entry)] + own


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
    for word, chances in (("lapses", turn.not_taken), ("opens", turn.opens)):
        for chance in chances:
            clause = screen.faint(f"  [{chance.clause}]") if chance.clause else ""
            yield f"{word:8}{'; '.join(chance.texts)}{clause}"
    yield from _arrivals([each for each in turn.arrives if each.on_map], "arrives")
    yield from _arrivals([each for each in turn.arrives if not each.on_map], "new")
    yield from _arrivals(turn.leaves, "leaves")
    for undone in turn.undone:
        yield screen.bad(f"{'undone':8}{undone.text}{f' [{undone.clause}]' if undone.clause else ''}")


def _cited(change: "PoolChange", workings: bool) -> str:
    clauses = change.clauses if workings else change.clauses[:1]
    return screen.faint(f"  [{' '.join(clauses)}]") if clauses else ""


def _arrivals(units: "Sequence[Comes | Leaves]", word: str) -> Iterator[str]:
    nations: dict[str, list[Comes | Leaves]] = {}
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


def _fans(data: "Ahead") -> None:
    """With losses on the way: what each pool holds as the last turn ends, in so large a part of the runs."""
    from forcepool.engine.points import show_points

    if not data.runs or not data.turns:
        return
    screen.say()
    screen.say(screen.strong(f"With losses, {data.losses}: {screen.counted(data.runs, 'run')}, {data.turns[-1].name}"))
    drawn = [pool for pool in data.pools if len({*pool.fan[-1], pool.holds[-1]}) > 1]
    if not drawn:
        screen.say("They change no pool.")
        return
    screen.table(
        ["pool", "of", "kind", "without", *(f"{int(100 * band)} %" for band in data.bands)],
        [
            [pool.title, pool.nation, pool.kind, show_points(pool.holds[-1]), *map(show_points, pool.fan[-1])]
            for pool in drawn
        ],
        right=range(3, 4 + len(data.bands)),
    )
    screen.say("25 %: in a quarter of the runs the pool holds so much or less. The other pools are as above.")
