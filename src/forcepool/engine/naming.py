"""Names of several words, as in theatre/middle east: where one ends in a sentence only its campaign knows."""

from collections.abc import Iterable

_of_several_words: frozenset[str] = frozenset()


def remember(names: Iterable[str]) -> None:
    """Each campaign that is opened tells its names; those of others do no harm, since they are names there too."""
    global _of_several_words
    _of_several_words |= {name for name in names if " " in name}


def of_several_words() -> frozenset[str]:
    return _of_several_words
