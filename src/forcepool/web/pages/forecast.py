"""The coming turns: what they bring if nobody does more than is due, worked out beside the server."""

from itertools import groupby

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from forcepool.drawing.plots import Line, fan, plot
from forcepool.engine import codec
from forcepool.views.forecast import Ahead, PoolAhead, alike, together
from forcepool.views.names import kind_in_words
from forcepool.web.here import Here, here
from forcepool.web.jobs import Job
from forcepool.web.pages import Page, at
from forcepool.web.pages.job import RATE, jobs_of
from forcepool.web.render import page

TURNS = (4, 8, 12, 24)
LOSSES = {"": "none", "last:4": "as in the last 4 turns", "last:8": "as in the last 8 turns", RATE: "units a month"}
COLUMNS = 4
OPEN = 2
"""Turns that are unfolded at first."""
MOST_NAMED = 8
USUAL_RATE = "6"
_ahead = codec.decoder(Ahead)


async def forecast_page(request: Request) -> Response:
    it = here(request)
    job = jobs_of(request).of(it.owner)
    job = job if job is not None and job.task.kind == "forecast" else None
    found = _found(job)
    asked = _asked(request, found)
    return page(
        it,
        "forecast.html",
        title="Coming turns",
        key="forecast",
        job=job,
        found=found,
        old=_is_old(it, job),
        choices=TURNS,
        losses=LOSSES,
        drawn=_drawn(job),
        chosen=job.task.fields.get("turns", 12) if job else 12,
        columns=_columns(found),
        sides=_sides(found),
        pool=asked,
        picture=picture(found, asked) if found and asked else "",
        unfolded=OPEN,
        alike=alike,
        together=together,
        most=MOST_NAMED,
    )


def _found(job: Job | None) -> Ahead | None:
    """What was worked out, as long as it is kept."""
    if job is None or job.file is None:
        return None
    try:
        found: Ahead = _ahead.decode(job.file.read_bytes())
    except (OSError, msgspec.MsgspecError):
        return None
    return found


def _drawn(job: Job | None) -> tuple[str, str]:
    """The losses and the rate that were asked for last."""
    asked = job.task.fields.get("losses") if job else ()
    if not asked:
        return "", USUAL_RATE
    _, is_rate, rate = str(asked[0]).partition("=")
    return (RATE, rate) if is_rate else (str(asked[0]), USUAL_RATE)


def _is_old(it: Here, job: Job | None) -> bool:
    """Whether something was entered since."""
    return job is not None and job.result is not None and job.result.found.get("seq", it.table.seq) != it.table.seq


def _asked(request: Request, found: Ahead | None) -> PoolAhead | None:
    """The pool that was clicked; at first the one of which chance decides most, since there a picture tells most."""
    wish = request.query_params
    key = wish.get("pool", ""), wish.get("of", ""), wish.get("kind", "")
    pools = found.pools if found else ()
    first = max(pools, key=lambda each: each.width, default=None)
    return next((each for each in pools if (each.pool, each.nation, each.kind) == key), first)


def _columns(found: Ahead | None) -> list[int]:
    """The turns that the table shows: the first, the last, and some between."""
    if found is None or not found.turns:
        return []
    last = len(found.turns) - 1
    step = max(1, -(-last // (COLUMNS - 1)))
    return sorted({*range(0, last, step), last})


def _sides(found: Ahead | None) -> list[tuple[str, list[PoolAhead]]]:
    pools = sorted(found.pools, key=lambda each: each.side) if found else []
    return [(side, list(listed)) for side, listed in groupby(pools, key=lambda each: each.side)]


def picture(found: Ahead, pool: PoolAhead) -> Markup:
    """What a pool will hold; where dice decide, between the least and the most of nine times in ten."""
    kind = kind_in_words(pool.kind)
    title = f"{pool.title}, {kind} of {pool.nation}"
    names = [turn.name for turn in found.turns]
    if pool.fan:
        bands = [
            Line(f"{int(100 * band)} %", tuple(turn[at] for turn in pool.fan)) for at, band in enumerate(found.bands)
        ]
        return Markup(fan(title, names, bands, Line("none", pool.holds)))
    lines = [Line(kind, pool.holds)]
    if not pool.certain:
        lines += [Line("least", pool.least), Line("most", pool.most)]
    return Markup(plot(title, names, lines, asked=kind))


PAGE = Page("forecast", "Coming turns", "/forecast", "", [at("/forecast", forecast_page)])
