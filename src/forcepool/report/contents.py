"""What a report holds: each side's checklist, turn track, boxes and pools, and what happened in the turn."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from forcepool.drawing.plots import Line
from forcepool.engine.campaign import Campaign
from forcepool.engine.standing import POOL
from forcepool.views.forcepool import ON_MAP, REDUCED, ForcePool, Shelf, force_pool
from forcepool.views.journal import EntryLine, entry_lines
from forcepool.views.names import pool_order
from forcepool.views.pools import Pools, Series, kind_order, pools, series
from forcepool.views.said import title_of
from forcepool.views.turn import TurnView, turn_view

A_ROW = 4
"""Turns side by side on the turn track: a month of the four-turn calendar."""
ROWS = 4
"""Rows of the turn track that fill a sheet."""
A_RUN, SHORT = 5, 2
"""From how many entries of a kind in a row they are told as one on paper, and how many sentences each may have."""


class Curve(Struct, frozen=True):
    """What a nation's pools held together, kind by kind, as each turn ended."""

    nation: str
    turns: tuple[str, ...]
    lines: tuple[Line, ...]


class SideCharts(Struct, frozen=True):
    """The charts of one side."""

    side: str
    turn: TurnView
    pool: ForcePool
    pools: Pools
    curves: tuple[Curve, ...]
    on_map: tuple[Shelf, ...] = ()
    """Its units on the map by front, for a sheet to note losses on; only where one was asked for."""


class Alike(Struct, frozen=True):
    """Entries of one kind by one seat, one after another, told in one paragraph."""

    first: int
    last: int
    title: str
    seat: str
    words: tuple[str, ...]


class Moment(Struct, frozen=True):
    """What was done in one phase."""

    when: str
    entries: tuple[EntryLine, ...]

    @property
    def on_paper(self) -> tuple[EntryLine | Alike, ...]:
        """The entries as a sheet has them: many short ones of a kind in a row take a paragraph, not pages."""
        found: list[EntryLine | Alike] = []
        for (command, seat), group in groupby(self.entries, key=_kind_and_seat):
            run = list(group)
            if len(run) < A_RUN or any(len(each.words) > SHORT for each in run):
                found += run
                continue
            words = tuple(word for each in run for word in each.words)
            title = f"{title_of(command)}, {len(run)} times"
            found.append(Alike(run[0].entry, run[-1].entry, title, seat, words))
        return tuple(found)


class Report(Struct, frozen=True):
    """A campaign's report at one moment, of one side or of all."""

    campaign: str
    game: str
    when: str
    turn: str
    side: str
    """Whose report it is; empty for all sides."""
    sides: tuple[SideCharts, ...]
    told: str
    """The turn whose events are told: this one, or the last while this one has only begun."""
    happened: tuple[Moment, ...]
    entry: int
    """The last entry it tells of."""
    seal: str
    """Its seal: whoever keeps the report can hold the campaign's file to it."""


def report(campaign: Campaign, *, side: str = "", own: str = "", losses: bool = False) -> Report:
    """The report of the present moment; a side's own says nothing of what the others have or did.

    Whoever sees everything may have the charts of one side alone: that is `own`. `losses` adds what a loss sheet needs.
    """
    world, state = campaign.world, campaign.state
    now = state.clock.turn
    only_begun = (state.clock.player, state.clock.phase) == (0, 0) and campaign.beginning.state.clock.turn < now
    told = now - 1 if only_begun else int(now)
    lines = entry_lines(campaign, turn=told, side=side, phases=False)
    if own:
        about = {each.entry: each for each in entry_lines(campaign, turn=told, side=own, phases=False)}
        lines = tuple(about.get(each.entry, each) for each in lines if each.seat == own or each.entry in about)
    over_time = series(campaign)
    wanted = (side or own,) if side or own else force_pool(campaign).sides
    charts = [_charts(campaign, each, over_time) for each in wanted]
    if losses:
        charts = [replace(each, on_map=_on_map(campaign, each.side)) for each in charts]
    return Report(
        campaign=campaign.beginning.title,
        game=world.game.title,
        when=world.when(state),
        turn=world.turn_name(state.clock.turn),
        side=side,
        sides=tuple(each for each in charts if each.side in (side, own) or _has_something(each)),
        told=world.turn_name(told),
        happened=_by_moment(line for line in lines if not line.undone),
        entry=campaign.seq,
        seal=campaign.hash,
    )


def _kind_and_seat(line: EntryLine) -> tuple[str, str]:
    return line.command.partition(" ")[0], line.seat


def _by_moment(lines: Iterable[EntryLine]) -> tuple[Moment, ...]:
    return tuple(Moment(when, tuple(entries)) for when, entries in groupby(lines, key=lambda line: line.when))


def _charts(campaign: Campaign, side: str, over_time: tuple[Series, ...]) -> SideCharts:
    held = pools(campaign, side=side)
    return SideCharts(
        side=side,
        turn=turn_view(campaign, side=side),
        pool=force_pool(campaign, side=side, turns=ROWS * A_ROW - campaign.state.clock.turn % A_ROW),
        pools=held,
        curves=_curves(campaign, dict.fromkeys(line.nation for line in held.pools), over_time),
    )


def _on_map(campaign: Campaign, side: str) -> tuple[Shelf, ...]:
    """A side's units on the map, full and reduced together, front by front."""
    found: dict[str, Shelf] = {}
    for box in force_pool(campaign, side=side, on_map=True).boxes:
        for shelf in box.shelves if box.kind in (ON_MAP, REDUCED) else ():
            before = found.get(shelf.of)
            found[shelf.of] = replace(shelf, units=(*before.units, *shelf.units)) if before else shelf
    return tuple(found[each] for each in sorted(found, key=pool_order))


def _has_something(charts: SideCharts) -> bool:
    own = any(line.side == charts.side for group in charts.turn.groups for line in group.lines)
    return bool(charts.pool.shown or charts.pools.pools or own)


def _curves(campaign: Campaign, nations: Iterable[str], over_time: tuple[Series, ...]) -> tuple[Curve, ...]:
    """One picture a nation: the points in all its pools, the kinds every chart has."""
    world = campaign.world
    curves = []
    for nation in nations:
        sums: dict[str, list[Fraction]] = {}
        turns: tuple[str, ...] = ()
        for each in over_time:
            account = each.account
            if account.nation != nation or account.kind in world.game.points:
                continue
            if world.standing(account.pool).what != POOL:
                continue
            turns = tuple(reading.name for reading in each.readings)
            total = sums.setdefault(account.kind, [Fraction(0)] * len(turns))
            for at, reading in enumerate(each.readings):
                total[at] += reading.balance
        kinds = sorted((kind for kind in sums if any(sums[kind])), key=kind_order)
        lines = tuple(Line(kind, tuple(sums[kind])) for kind in kinds)
        if len(turns) > 1 and lines:
            curves.append(Curve(nation, turns, lines))
    return tuple(curves)
