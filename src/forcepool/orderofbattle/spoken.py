"""Units as one says them, without strengths: 6 Panzer, 24 ID, 6. Pz.Div., the 3rd Motorized, 17 GvB (SS)."""

import re
from functools import lru_cache
from typing import Final

from forcepool.orderofbattle.abbreviations import ABBREVIATIONS
from forcepool.orderofbattle.nationalities import nation_spoken
from forcepool.orderofbattle.words import SIZE_WORDS, SPELLINGS, spelt_one_way

SPOKEN_ABBREVIATIONS: Final = {
    **{short.casefold(): (spelt_one_way(kind), size.casefold()) for short, (kind, size) in ABBREVIATIONS.items()},
    "ak": ("hq", "xxx"),
    "aok": ("hq", "xxxx"),
    **{f"{short}d": (kind, "xx") for short, kind in (("inf", "inf"), ("kav", "cav"), ("cav", "cav"), ("mot", "mot"))},
}
"""Two words in one, as staffs shorten them, in our one spelling."""

GERMAN: Final = {
    "army": "xxxx",
    "gebirg": "mtn",
    "gebirgs": "mtn",
    "gebirgsjäger": "mtn",
    "geb": "mtn",
    "jäger": "jg",
    "kav": "cav",
    "mot": "mot",
    "panzergren": "pzg",
    "panzerjäger": "at",
    "pzjg": "at",
    "fallschirm": "para",
    "fallschirmjäger": "para",
    "luftlande": "al",
    "pionier": "eng",
    "pioniere": "eng",
    "pio": "eng",
    "sich": "sec",
    "sicherung": "sec",
    "sicherungs": "sec",
    "schützen": "rif",
    "stellungs": "static",
}
"""Types as one says them, most in German, in our one spelling; the plain ones stand in `SPELLINGS`."""

_WORD = re.compile(r"[^\W_]+(?:[/-][^\W_]+)*")
_ORDINAL = re.compile(r"([0-9]+)(?:st|nd|rd|th|te|ter)", re.IGNORECASE)
_COMPOUND = re.compile(
    r"(?P<type>[^\W\d_]{2,}?)(?P<size>divisionen|division|divs?|brigaden?|bde|brig|regimenter|regiment|rgt|bataillon|btl)"
)
_FILLERS = frozenset({"the", "die", "der", "das", "of", "und", "and"})


@lru_cache(maxsize=1 << 12)
def words_of(text: str) -> frozenset[str]:
    """The words of a unit in one spelling, whatever the language and the order."""
    found: set[str] = set()
    for match in _WORD.finditer(text):
        found.update(_spelt(match.group().casefold()))
    # An ID (mot.) is a motorized division.
    return frozenset(found - _FILLERS - ({"inf"} if {"inf", "mot"} <= found else set()))


def _spelt(word: str) -> tuple[str, ...]:
    if ordinal := _ORDINAL.fullmatch(word):
        return (ordinal.group(1),)
    if word in SPOKEN_ABBREVIATIONS:
        return SPOKEN_ABBREVIATIONS[word]
    if word in SIZE_WORDS:
        return (SIZE_WORDS[word].casefold(),)
    if word in GERMAN or word in SPELLINGS:
        return (GERMAN.get(word) or SPELLINGS[word],)
    if compound := _COMPOUND.fullmatch(word):
        return (*_spelt(compound["type"]), *_spelt(compound["size"]))
    if "-" in word and word.replace("-", "").isalpha():
        # Panzer-Division, SS-Division: written apart or together, it is the same.
        return tuple(part for each in word.split("-") for part in _spelt(each))
    return (nation_spoken(word).casefold() or word,) if len(word) > 1 else (word,)
