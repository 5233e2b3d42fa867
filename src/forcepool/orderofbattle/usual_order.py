"""Units whose parts stand in another order than the usual, put into it: 24 Inf XX 8-6 as 8-6 24 Inf XX.

24 Inf XX 8-6, Inf 8-6 XX 24    the strength last, or in the midst
8-6 XX Inf 24                   the size before the type
Inf XX HQ A                     a headquarters without a strength
two 7-6 Inf XX, (2) 7-6 Inf XX  a count in words, in brackets or without its x
(Br) 3-8 Mot X, Br: 3-8 Mot X   the nation first, in brackets or before a colon
½ RE 1-6 Inf II, 1 RE 3-6 Art X the size in REs first
5-(7)-6, 5(7)-6                 split strengths with a bracket
2x 7-6 Inf XX (17, 18)          the designations in brackets
"""

import re
from typing import Final

from forcepool.orderofbattle.abbreviations import kind_short
from forcepool.orderofbattle.limits import NUMBERS
from forcepool.orderofbattle.nationalities import nation_short
from forcepool.orderofbattle.words import SIZE_WORDS, is_type_word

NUMBER_WORDS: Final = {
    **{word: number for number, word in enumerate(NUMBERS) if number},
    **{word: number for number, word in enumerate(("zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"), 2)},
}
NO_STRENGTH = "0-0"
"""What a headquarters without a strength on its counter is given."""

_SIZE = r"(?:X{1,5}|I{1,3}|HQ)"
_NUMBER = r"(?:[0-9]{0,3}[½¼¾⅓⅔]|1/2|[0-9]{1,3}(?:\.5)?)"
_STRENGTH = re.compile(
    rf"(?<![^\s*])(?:{_NUMBER}-)?{_NUMBER}-(?:[0-9]{{1,2}}|[A-Z])"
    rf"(?:/(?:[0-9]{{1,3}}-)?[0-9]{{1,3}}-[0-9]{{1,2}})*\*?(?![^\s,(\[{{])"
)
_ONLY_IN_BRACKETS = re.compile(rf"\(\s*((?:{_NUMBER}-)?{_NUMBER}-[0-9]{{1,2}})\s*\)")
_COUNT = re.compile(r"\s*(?P<count>\*?\s*[0-9]{1,3}\s*[xX]\s*)?(?P<rest>\S.*)", re.DOTALL)
_COUNT_WORD = re.compile(rf"\s*({'|'.join(NUMBER_WORDS)})\s+(?=\S)", re.IGNORECASE)
_COUNT_BARE = re.compile(rf"\s*(?:\(([0-9]{{1,2}})\)|([0-9]{{1,2}}))\s+(?=\*?{_NUMBER}-(?:[0-9½]|[A-Z]\b))")
_STARS = re.compile(r"\*{2,}|[†‡§]+")
_STAR_BEHIND_THE_SIZE = re.compile(rf"\b({_SIZE})\s?\*")
_NATION_FIRST = re.compile(r"\s*(?P<open>\()?(?P<nation>[A-Z][A-Za-z. ]*?)\.?(?(open)\)|\s*:)\s*(?=\S)")
_SPLIT = re.compile(rf"\b({_NUMBER})-?\(({_NUMBER})\)-(?=[0-9])")
_RES_FIRST = re.compile(rf"\s*(?:(?P<half>1/2|half)(?:\s+an?)?|(?P<number>{_NUMBER}))\s?REs?,?\s+(?=\S)", re.IGNORECASE)
_HQ = re.compile(r"\bHq\b")
_SIZE_IN_BRACKETS = re.compile(rf"[(\[]\s*({_SIZE})\s*[)\]]")
_SIZES = re.compile(r"\b(X{1,5}|I{2,3})s\b")
_COLON = re.compile(r"(?<=[A-Za-z])\s*:\s*(?=[0-9(])")
_NAMES_IN_BRACKETS = re.compile(
    r"[(\[](\s*[0-9]{1,4}[A-Za-z]{0,2}(?:(?:\s*[,&+]\s*|\s+and\s+)[0-9]{1,4}[A-Za-z]{0,2})*\s*)[)\]]"
)
_SIDE_LAST = re.compile(r"\b(?:cad|cdr|kader|rem|uns)[a-z]*\.?:?$", re.IGNORECASE)
_HQ_AND_NAMES = re.compile(r"(?P<before>(?:\S+\s+)*?)HQ(?:,?\s+[A-Z0-9].*)?")
_HQ_FIRST = re.compile(r"(?<!\S)HQ\s+(?P<kind>(?:\S+\s+){1,3}?)(?P<size>X{1,5}|I{1,3})(?!\S)")
_SIZE_FIRST = re.compile(r"(?<!\S)(?P<size>X{1,5}|I{2,3})\s+(?P<kind>[^\W\d_][^\s,(]*(?:\s+[^\W\d_][^\s,(]*)?)")
_RANGE = re.compile(r"([0-9]{2,4})-([0-9]{2,4})")
_UNIT_NUMBER = re.compile(r"[0-9]{1,4}[A-Z]?(?:st|nd|rd|th|\.)?")


def in_usual_order(plain: str, warnings: list[str]) -> str:
    """A unit with its parts in the usual order, and what had to be guessed; the text itself if nothing helps."""
    text = _counted(_starred(_HQ.sub("HQ", plain), warnings), warnings)
    found = _COUNT.fullmatch(text)
    count, text = (found["count"] or "", found["rest"]) if found else ("", text)
    behind = ""
    if size := _RES_FIRST.match(text):
        behind, text = f" ({size['number'] or '½'} RE)", text[size.end() :]
        found = _COUNT.fullmatch(text)
        count, text = (count or found["count"] or "", found["rest"]) if found else (count, text)
    text = _SPLIT.sub(r"\1-\2-", text)
    text = _SIZES.sub(r"\1", _COLON.sub(" ", _nation_bare(text)))
    text = _NAMES_IN_BRACKETS.sub(r" \1", _SIZE_IN_BRACKETS.sub(r" \1 ", text))
    text = _strength_first(_HQ_FIRST.sub(r"\g<kind>\g<size> HQ", text), warnings)
    return f"{count}{_type_first(text)}{behind}"


def is_a_name(text: str) -> bool:
    """Whether a text names a unit by its number and tells no strength: 24 ID, 44 HuD Inf XX."""
    first, *others = re.sub(r"\([^()]*\)", " ", text).split() or [""]
    numbered = _UNIT_NUMBER.fullmatch(first) is not None
    return numbered and not any("-" in each for each in others) and any(map(_is_kind, others))


def _starred(text: str, warnings: list[str]) -> str:
    if signs := _STARS.search(text):
        warnings.append(f"read {signs.group()!r} as the star")
        text = _STARS.sub("*", text)
    if _STAR_BEHIND_THE_SIZE.search(text):
        text = "*" + _STAR_BEHIND_THE_SIZE.sub(r"\1", text)
    return text


def _counted(text: str, warnings: list[str]) -> str:
    if word := _COUNT_WORD.match(text):
        return f"{NUMBER_WORDS[word.group(1).lower()]}x {text[word.end() :]}"
    if bare := _COUNT_BARE.match(text):
        warnings.append(f"read {bare.group().strip()!r} as {bare.group(1) or bare.group(2)}x")
        return f"{bare.group(1) or bare.group(2)}x {text[bare.end() :]}"
    return text


def _nation_bare(text: str) -> str:
    found = _NATION_FIRST.match(text)
    return f"{found['nation']} {text[found.end() :]}" if found and nation_short(found["nation"]) else text


def _strength_first(text: str, warnings: list[str]) -> str:
    """The one strength of a unit before its type; what is no unit by its words stays as it is."""
    strengths = list(_STRENGTH.finditer(text))
    if len(strengths) == 1 and not text[: strengths[0].start()].strip(" *"):
        return text
    if not strengths:
        return _strength_from_brackets(text, warnings)
    if len(strengths) > 1:
        return text
    (strength,) = strengths
    before, after = text[: strength.start()].strip(), text[strength.end() :]
    # 24 Inf XX cadre 3-6 gives the strength of the cadre, and none of the unit.
    if _SIDE_LAST.search(before) or not (_names_a_kind(before) or _all_nations(before)):
        return text
    if (numbers := _RANGE.fullmatch(strength.group())) and int(numbers[1]) < int(numbers[2]) and not _number(before):
        warnings.append(f"read {strength.group()!r} as the strength, not as numbers of units")
    return f"{'*' if before.startswith('*') else ''}{strength.group()} {before.lstrip('* ')} {after.strip()}".rstrip()


def _strength_from_brackets(text: str, warnings: list[str]) -> str:
    """24 Inf XX (8-6): its only strength is its own; a headquarters may have none."""
    bracket = _ONLY_IN_BRACKETS.search(text)
    if bracket and _names_a_kind(text[: bracket.start()]):
        warnings.append(f"read {bracket.group()!r} as the strength, not as the cadre")
        return f"{bracket.group(1)} {text[: bracket.start()].strip()} {text[bracket.end() :].strip()}".rstrip()
    headquarters = _HQ_AND_NAMES.fullmatch(text.strip())
    if headquarters and all(_in_a_kind(word) for word in headquarters["before"].split()):
        warnings.append(f"no strength is written: read as {NO_STRENGTH}")
        return f"{NO_STRENGTH} {text}"
    return text


def _type_first(text: str) -> str:
    """8-6 XX Inf 24 as 8-6 Inf XX 24, and XX HQ as HQ XX."""
    strength = _STRENGTH.match(text)
    found = _SIZE_FIRST.match(text, strength.end() + 1) if strength else None
    if found is None:
        return text
    kinds = found["kind"].split()
    if not is_type_word(kinds[0].rstrip(".")):
        return text
    length = 2 if len(kinds) > 1 and is_type_word(kinds[1].rstrip(".")) else 1
    behind = text[found.start("kind") + len(" ".join(kinds[:length])) :]
    return f"{text[: found.start()]}{' '.join(kinds[:length])} {found['size']} {behind.strip()}".rstrip()


def _names_a_kind(words: str) -> bool:
    """Whether words hold a type or a size, so that what follows them is a unit's strength."""
    parts = words.strip("* ").split()
    return any(_is_kind(word) for word in parts) and bool(parts) and not parts[0].endswith(",")


def _is_kind(word: str) -> bool:
    bare = word.rstrip(".")
    sized = re.fullmatch(_SIZE, bare) is not None or bare.casefold() in SIZE_WORDS
    return sized or is_type_word(bare) or kind_short(word) is not None


def _in_a_kind(word: str) -> bool:
    army = word.casefold() in ("army", "corps", "group", "front")
    return army or _is_kind(word) or _UNIT_NUMBER.fullmatch(word) is not None or bool(nation_short(word))


def _all_nations(words: str) -> bool:
    return bool(nation_short(words.strip("* ")))


def _number(words: str) -> bool:
    return any(_UNIT_NUMBER.fullmatch(word) for word in words.split())
