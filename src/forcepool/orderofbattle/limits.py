"""Limits that an entry sets in its own words: so many a month or a turn, on the map, in the pool or in all."""

import re
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.points import BadPoints, parse_points

MONTH, TURN, IN_ALL = "month", "turn", "in all"
MAP, POOL, ANYWHERE = "map", "pool", ""
NUMBERS = (
    *("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
)


class Limit(Struct, frozen=True):
    """How many an entry allows, in what time, where, and whether REs are counted."""

    most: Fraction
    per: str = IN_ALL
    where: str = ANYWHERE
    res: bool = False


class Instructions(Struct, frozen=True):
    """What an entry's own words were read as, and those of them that sound like an instruction and were not read."""

    limits: tuple[Limit, ...] = ()
    unread: str = ""


# What is said otherwise, in the words the rest is written for.
_SAID = tuple(
    (re.compile(said, re.IGNORECASE), meant)
    for said, meant in (
        (r"\bmax\.", "max"),
        (r"\blimit(?:ed)?\s*:", "limit"),
        (r"\s*/\s*(month|turn|week)\b", r" per \1"),
        (r"\bhöchstens\b|\bmaximal\b", "at most"),
        (r"\bnicht mehr als\b", "no more than"),
        (r"\b(?:im|pro|je|jeden) monat\b", "a month"),
        (r"\b(?:pro|je|in jedem|jeden) (?:zug|spielzug|runde)\b", "a turn"),
        (r"\binsgesamt\b", "in all"),
        (r"\bein(?:e|er|en)?\b", "one"),
        (r"\bzwei\b", "two"),
        (r"\bdrei\b", "three"),
        (r"\bvier\b", "four"),
    )
)
_PARTS = re.compile(r"\s*(?:[;,.]|\band\b)\s*")
_LEAD = r"at (?:the )?most|(?:no|not|never) more than|up to|(?:a )?max(?:imum)?\.?(?: of)?|only|limit(?:ed to)?"
_LIMIT = re.compile(rf"(?:\b(?P<lead>{_LEAD})\s+)?(?P<number>\d+(?:\s*[½¼¾]|/\d+|\.\d+)?|[½¼¾]|{'|'.join(NUMBERS)})\b")
_PER = re.compile(r"\b(?:a|per|each|every|in a|in any|in any one|in one|in the same|in each)\s+(month|turn|week)\b")
_IN_ALL = re.compile(r"\b(?:in all|in total|altogether|over the game|in the (?:whole )?game|per game|ever)\b")
_MAP = re.compile(r"\b(?:on[ -](?:the[ -])?map|in play)\b")
_POOL = re.compile(r"\b(?:in|from|out of) the (?:replacement )?pool\b")
_FILLERS = re.compile(
    r"\b(?:units?|counters?|brigades?|regiments?|battalions?|divisions?|conversions?|reorgani[sz]ations?|upgrades?"
    r"|of|them|these|may|can|be|is|are|reorgani[sz]ed|converted|upgraded|changed|made|allowed|the)\b"
)
_BEHIND = re.compile(r"\b(?:at (?:the )?most|max(?:imum)?)\b")
_RES = re.compile(r"\bres?\b")
_INSTRUCTS = re.compile(
    rf"\b(?:{_LEAD.replace('|up to', '')}|must|may|cannot|can not|not|never|unless|except|each|every|per|limit"
    r"|up to (?:half|a|one)|at least|at a time|at once|nur|mindestens|erst"
    r"|(?:a|an|one) (?:month|turn|year))\b"
)


_NUMBER = rf"(?:\d{{1,2}}|{'|'.join(NUMBERS)}|eine?r?|zwei|drei|vier)"
_SPAN = (
    r"(?:(?:a|per|each|every|in any(?: one)?|in one|pro|je|im)\s+(?:month|turn|week|monat|zug|runde)|in all|in total)"
)
_ALL_LEADS = rf"(?:{_LEAD}|höchstens|maximal|nicht mehr als)"
_LAST_WORDS = re.compile(
    rf"(?:\s*[,;]\s*|\s+)(?P<limit>{_ALL_LEADS}\s+{_NUMBER}(?:\s+[a-z]+){{0,2}}?\s+{_SPAN}|{_ALL_LEADS}\s+{_NUMBER}"
    rf"|(?<=[,;]\s){_NUMBER}\s+{_SPAN})"
    # At the end of the line, or before the clause that ends it.
    r"(?=\s*\.?\s*$|\s*[,;]?\s+(?:if|when|once|unless|given|gives|for|in (?:MDs?|theat(?:re|er)|front|country))\b)",
    re.IGNORECASE,
)
_OWN_WORDS = re.compile(r"\bnote:|^\s*(?:other|unique event)\b", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:if|when|once|unless)\s", re.IGNORECASE)


def limit_in_brackets(line: str) -> str:
    """A line whose limit stands bare behind its units, with brackets around it: 8-6 Inf XX 24, at most two a month."""
    found = _LAST_WORDS.search(line)
    if found is None or not line[: found.start()].strip() or _OWN_WORDS.search(line):
        return line
    before, rest = line[: found.start()], line[found.end() :].lstrip(" .")
    if rest and _CONDITION.search(before):
        return line  # The words belong to what the line waits for.
    return f"{before} ({found['limit']}) {rest}".rstrip()


def instructions(note: str) -> Instructions:
    """The limits in an entry's own words; what else sounds like one is given back as it stands."""
    limits: list[Limit] = []
    unread: list[str] = []
    said = note.strip()
    for pattern, meant in _SAID:
        said = pattern.sub(meant, said)
    for part in filter(None, _PARTS.split(said)):
        limit = _limit(part.casefold())
        if limit is not None:
            limits.append(limit)
        elif _INSTRUCTS.search(part.casefold()):
            unread.append(part)
    return Instructions(tuple(limits), "; ".join(unread))


def _limit(text: str) -> Limit | None:
    found = _LIMIT.search(text)
    if found is None:
        return None
    per, in_all = _PER.search(text), _IN_ALL.search(text)
    if not (found["lead"] or per or in_all or _BEHIND.search(text)):
        return None
    on_map, in_pool = _MAP.search(text), _POOL.search(text)
    left = _BEHIND.sub(" ", text[: found.start()] + " " + text[found.end() :])
    for known in (_PER, _IN_ALL, _MAP, _POOL, _RES, _FILLERS):
        left = known.sub(" ", left)
    if re.search(r"\w", left) or (on_map and in_pool):
        return None
    where = MAP if on_map else POOL if in_pool else ANYWHERE
    most = _number(found["number"])
    span = {"week": TURN}.get(per[1], per[1]) if per else IN_ALL
    return Limit(most, span, where, bool(_RES.search(text))) if most is not None else None


def _number(word: str) -> Fraction | None:
    if word in NUMBERS:
        return Fraction(NUMBERS.index(word))
    try:
        return parse_points(word)
    except BadPoints:
        return None
