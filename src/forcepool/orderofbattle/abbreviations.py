"""Type and size in one word, as English and German staffs shorten them: ID, PzD, InfBde, Panzer-Division."""

import re
from typing import Final

from forcepool.orderofbattle.words import SIZE_WORDS, is_type_word

ABBREVIATIONS: Final = {
    "ID": ("Inf", "XX"),
    "PD": ("Pz", "XX"),
    "PzD": ("Pz", "XX"),
    "PzGD": ("PzGren", "XX"),
    "PGD": ("PzGren", "XX"),
    "GebD": ("Mtn", "XX"),
    "JD": ("Jg", "XX"),
    "KD": ("Cav", "XX"),
    "CD": ("Cav", "XX"),
    "SD": ("Sec", "XX"),
    "SichD": ("Sec", "XX"),
    "AD": ("Arm", "XX"),
    "RD": ("Rif", "XX"),
    "TD": ("Tk", "XX"),
    "IB": ("Inf", "X"),
    "TB": ("Tk", "X"),
    "IR": ("Inf", "III"),
    "AR": ("Art", "III"),
    "PR": ("Pz", "III"),
}
"""Two words in one; any type followed by D, as in MotD, is a division besides."""

_BY_LETTERS: Final = {short.casefold(): kind for short, kind in ABBREVIATIONS.items()}
_COMPOUND = re.compile(
    r"(?P<type>[^\W\d_]{2,}?)[.-]{0,2}(?P<size>divisionen|divisions?|divs?|brigaden?|bdes?|brigs?|regimenter|regiments?"
    r"|rgts?|regts?|bataillon|battalions?|btl|bns?|abt|abteilung|korps|corps)",
    re.IGNORECASE,
)


def kind_short(word: str) -> tuple[str, str] | None:
    """The type and the size that one word stands for, the type as it is written where it is written out."""
    bare = word.rstrip(".")
    if kind := _BY_LETTERS.get(bare.casefold()):
        return kind
    if bare[-1:] == "D" and is_type_word(bare[:-1]):
        return bare[:-1], "XX"
    found = _COMPOUND.fullmatch(bare)
    if found and is_type_word(found["type"]):
        return found["type"], SIZE_WORDS[found["size"].casefold()]
    return None
