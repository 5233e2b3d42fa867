"""The name that was meant: hints for what was nearly typed right."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint with the names most like the one typed, else with all of them if they are few."""
    folded = {each.casefold(): each for each in sorted(known)}
    near = [folded[each] for each in get_close_matches(name.casefold(), list(folded), 3)]
    if near:
        return f"did you mean {' or '.join(near)}?"
    listed = sorted(folded.values())
    if not listed:
        return "there are none yet"
    return f"there are {', '.join(listed[:12])}{' and others' if len(listed) > 12 else ''}"
