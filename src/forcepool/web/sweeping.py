"""Python's sweeps of its memory, taken between the pages: in the midst of one they are up to a third of its time."""

import asyncio
import gc

AT_THE_LATEST = (100_000, 20, 1_000)
"""New objects, and sweeps of the younger ones, after which Python sweeps wherever it is, where nobody ever pauses. A
full sweep of a large campaign stops the server for 40 ms, and finds next to nothing."""
PAUSE = 0.1
"""Seconds between two looks whether there is something to sweep."""
ENOUGH, OLDER = 2_000, 4
"""New objects that are worth a sweep, and sweeps after which what outlived them is looked at once more."""


def sweep_seldom() -> None:
    """Leave the sweeping to the pauses."""
    gc.set_threshold(*AT_THE_LATEST)


def sweep() -> None:
    """Look through what is new, and now and then through what is not so new any more."""
    new, swept, _ = gc.get_count()
    if swept >= OLDER:
        gc.collect(1)
    elif new >= ENOUGH:
        gc.collect(0)


async def sweep_in_pauses() -> None:
    """Sweep whenever a page is done and the next not begun."""
    while True:
        await asyncio.sleep(PAUSE)
        sweep()
