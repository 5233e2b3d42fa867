"""Whose a unit is, as counters and booklets shorten it: nations before the type, forces in brackets."""

from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from forcepool.orderofbattle.words import ADJECTIVES, NATIONS, is_type_word

SHORT_NATIONS: Final = {
    "Albanian": ("Alb",),
    "American": ("US", "USA", "Amer"),
    "Australian": ("Aus", "Austr", "Au"),
    "Belgian": ("Bel", "Belg", "Be"),
    "Brazilian": ("Braz", "Bra"),
    "British": ("Br", "Brit", "UK"),
    "Bulgarian": ("Bul", "Bulg", "Bu"),
    "Canadian": ("Can", "Cdn", "Cn"),
    "Croatian": ("Cro", "Croat"),
    "Czech": ("Cz",),
    "Danish": ("Dan",),
    "Dutch": ("Du", "Neth"),
    "Egyptian": ("Egy", "Eg"),
    "Estonian": ("Est",),
    "Finnish": ("Fin", "Finn"),
    "Free French": ("FF", "FFr"),
    "French": ("Fr",),
    "German": ("Ger", "Germ", "Ge", "Dt"),
    "Greek": ("Grk", "Gk"),
    "Hungarian": ("Hun", "Hung", "Hu"),
    "Indian": ("Ind",),
    "Iraqi": ("Irq",),
    "Italian": ("It", "Ital"),
    "Latvian": ("Lat",),
    "Lithuanian": ("Lith",),
    "New Zealand": ("NZ",),
    "Norwegian": ("Nor", "Norw"),
    "Polish": ("Po",),
    "Portuguese": ("Portug",),
    "Rumanian": ("Rum", "Rom", "Roum"),
    "Slovak": ("Slo", "Slk", "Slov"),
    "South African": ("SA", "SAf", "S.Afr"),
    "Soviet": ("Sov", "Sv"),
    "Spanish": ("Sp", "Span"),
    "Swedish": ("Swe", "Swed"),
    "Turkish": ("Tu", "Turk"),
    "Vichy French": ("VF", "VFr"),
    "Yugoslav": ("Yu", "Yug", "Yugo"),
}
"""What stands for a nation inside a unit string; not Pol and Gr, which on a counter are police and grenadiers."""

SHORT_FORCES: Final = {
    "SS": ("SS", "W-SS", "Waffen-SS"),
    "Luftwaffe": ("LW", "Lw", "GAF", "Luftwaffe"),
    "Kriegsmarine": ("KM", "Kriegsmarine"),
    "Royal Marine": ("RM", "Royal Marines"),
    "RAF": ("RAF",),
    "Blackshirt": ("MVSN", "CCNN", "Blackshirt"),
    "NKVD": ("NKVD",),
    "Foreign Legion": ("FL", "Foreign Legion"),
    "Colonial": ("Col", "Colonial"),
}
"""What stands for a force in brackets behind a unit's name, as in 17 GvB (SS)."""

_NAMED: Final = {name.casefold(): adjective for name, adjective in (*NATIONS.items(), *ADJECTIVES.items())}
# As printed: SP is self-propelled, Sp is Spanish.
_SHORT: Final = {short: nation for nation, shorts in SHORT_NATIONS.items() for short in shorts}
_SPOKEN: Final = {short.casefold(): nation for short, nation in _SHORT.items()}
_FORCE: Final = {short: force for force, shorts in SHORT_FORCES.items() for short in (force, *shorts)}
IN_BRACKETS: Final = tuple(
    sorted({*NATIONS, *ADJECTIVES, *_SHORT, *_FORCE}, key=lambda word: (-len(word), word)),
)
"""Every word that says in brackets whose a unit is, the longest first."""


def nation_short(words: str) -> str:
    """The nation that a word or two inside a unit string stand for; nothing if they stand for none."""
    bare = " ".join(words.split()).rstrip(".")
    return _SHORT.get(bare) or _NAMED.get(bare.casefold(), "")


def nation_spoken(word: str) -> str:
    """The nation that a word stands for in any letters."""
    return _NAMED.get(word.casefold()) or _SPOKEN.get(word.casefold(), "")


def force_before_type(word: str) -> str:
    """The force that a word before the type stands for; SS, NKVD and CCNN are types of their own on counters."""
    return "" if is_type_word(word) else _FORCE.get(word, "")


def force_short(words: str) -> str:
    """The force that words in brackets stand for; nothing if they stand for none."""
    return _FORCE.get(" ".join(words.split()), "")


@lru_cache(maxsize=1 << 10)
def nation_misspelt(type_: str) -> str:
    """The nation that was probably meant by the first of several words of a type, as in Rumainan Inf; else nothing."""
    first, _, rest = type_.partition(" ")
    if len(first) < 5 or not rest or is_type_word(first) or nation_short(first) or force_before_type(first):
        return ""
    names = {name.casefold(): name for name in (*NATIONS, *ADJECTIVES)}
    close = get_close_matches(first.casefold(), names, n=1, cutoff=4 / 5)
    return names[close[0]] if close else ""
