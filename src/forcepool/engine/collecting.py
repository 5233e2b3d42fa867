"""How often what nobody needs any more is looked for."""

import gc


def collect_seldom() -> None:
    """Most of what is made while a game is loaded or a list worked out stays: looking through it all the time for what
    nobody needs any more takes up to a third of the time and finds nothing."""
    gc.set_threshold(50_000, 20, 20)
