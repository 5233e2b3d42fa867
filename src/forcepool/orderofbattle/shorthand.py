"""Lines as players type them, put into the words of the grammar.

W/D, Conv, Xfer, Reinf                Withdraw, Convert, Transfer, Reinforce
Repl. Pool, Nat'l Reserve             replacement pool, national reserve
@ Lublin, @ MD Kiev, Orel MD          at Lublin, in MD Kiev, in MD Orel
(MD Kiev), (full Sep 1 41)            a clause in brackets
Add 1x 8-6 Inf XX to the pool         Add to replacement pool 1x 8-6 Inf XX
Transfer to West: 1x 8-6 Inf XX       Transfer 1x 8-6 Inf XX to West
(+1 inf), cost: 1 arm, +4 inf         gives 1 inf, for 1 arm, 4 inf
"""

import re
from collections.abc import Callable
from typing import Final

from forcepool.orderofbattle.limits import NUMBERS
from forcepool.orderofbattle.words import NATIONS, SYNONYMS

_SHORT_VERBS: Final = {
    "Arrive": r"arr",
    "Convert": r"conv",
    "Disband": r"disb",
    "Mobilize": r"mob(?=[.:])",
    "Receive": r"rcvd?|recv|rec['’]d",
    "Reinforce": r"reinfs?",
    "Reorganize": r"reorg",
    "Resources": r"(?:rps|points)(?=\s*:)",
    "Return": r"ret(?=[.:])",
    "Transfer": r"xfers?|transf|trans(?=[.:])|trf",
    "Upgrade": r"upgr?",
    "Withdraw": r"w/?d|wdrw?|withdr?|wdl|wthdr",
}
_VERB = re.compile(
    r"(?P<before>^|:\s+)(?:"
    + "|".join(f"(?P<{verb}>{short})" for verb, short in _SHORT_VERBS.items())
    + r")\.?(?=\s*:|\s+\S)",
    re.IGNORECASE,
)
_OWN_WORDS = re.compile(r"\bnote:|^\s*(?:other|(?:unique )?events?|title|heading)\b", re.IGNORECASE)
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_TURN = rf"(?:{_MONTH})[a-z]{{0,6}}[.,]?\s*(?:[0-9]{{1,2}}|[IVX]{{1,4}})[\s.,'’]*[0-9]{{2}}"
_KIND = r"(?:inf|arm|art|SRP|ARP|SP|RP)[a-z-]*\.?(?:\s+RPs?)?"
_AMOUNT = rf"(?:[0-9]+\s*)?(?:[0-9]+(?:[./][0-9]+)?|[½¼¾⅓⅔])\s*{_KIND}"
_AMOUNTS = rf"{_AMOUNT}(?:\s*(?:,|&|\+|and)\s*{_AMOUNT})*"
_LINK = r"full|forming|returns?|returned|arrives?|arrived"
_IN_BRACKETS = re.compile(r"\s*\((?P<said>[^()]+)\)")
_BARE_MD = re.compile(r"MDs?\s+[A-Z]")
_PLACE = re.compile(
    r"(?:in|at|from|to)\s+(?:(?:the|any|MDs?|city|theatre|country|front)\s+)*[A-Z]|any\s+(?:city|port)\b"
)
_COMES_IN = re.compile(r"(?:may be )?in (?:national |operational |strategic )?reserve|in OR|embarked")
_OTHER_CLAUSE = re.compile(rf"(?:if|when|once|unless)\s\S|(?:gives|yields|for)\s+{_AMOUNTS}$", re.IGNORECASE)
_LINKED = re.compile(rf"(?P<link>{_LINK})\s*:?\s+(?:in\s+|on\s+)?(?P<turn>{_TURN})", re.IGNORECASE)
_POINTS = re.compile(rf"(?P<word>\+|-|costs?:?\s)?\s*(?P<points>{_AMOUNTS})", re.IGNORECASE)
_UNITS = r"(?P<units>(?:any\s|up to\s)?\*?[0-9½].*?)"
_MOVED = re.compile(
    rf"(?P<verb>add|release|remove)(?:e?d)?:?\s+{_UNITS},?\s+(?P<where>(?:to|from)\s+(?:the\s+)?(?:garrisons?"
    r"|(?:replacement\s+)?pool|(?:national\s+)?reserves?|breakdown box))\b\s*(?:of\s+)?(?P<rest>.*)",
    re.IGNORECASE,
)
_SENT = re.compile(
    r"(?P<verb>transfer|withdraw)\s+to\s+(?:the\s+)?(?P<where>(?![^:]*\bbox\b)[A-Z][^:0-9]*?)\s*:\s*(?P<units>[0-9*].*)",
    re.IGNORECASE,
)
_SYNONYM = re.compile(rf"(?P<word>{'|'.join(SYNONYMS)})\s+(?=\*?[0-9]+\s*[xX×]|\*?[0-9½]+-[0-9])", re.IGNORECASE)
_KIND_FIRST = re.compile(r"\b(?P<kind>inf|arm|art)\.?\s+(?P<number>[0-9][0-9./½]*)(?=\s*(?:,|$))", re.IGNORECASE)
_GARRISON_OF = re.compile(r"(?P<verb>\b(?:to|from) (?:the )?garrison) of (?:the )?(?:MD )?(?=[A-Z])", re.IGNORECASE)
_NAME = r"(?-i:[A-Z][\w'’-]*)"
_EDGE = r"(?P<edge>north|south|east|west)(?:ern)?"
_PLAIN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(said, re.IGNORECASE), meant)
    for said, meant in (
        (r"^\s*(?:[-–—•·]|[a-z0-9]\))\s+(?=\S)", ""),
        (r"(?<=:)\s+[-–—•·]\s+(?=\S)", " "),
        (r"(?<=[a-z0-9)])\.\s*$", ""),
        (rf"\bfull[- ]strength\s+(?:on\s+)?(?={_TURN})", "full "),
        (r",?\s*\bfrom cadres? to full(?:[- ]strength)?\b", ""),
        (r"(?P<cadre>\(cadres?\)|\bcadres?),?\s+to full(?:[- ]strength)?\b", r"\g<cadre>"),
        (r",?\s*\bto full[- ]strength\b", " as full"),
        (r"\b(?:at\s+)?full[- ]strength\b", "as full"),
        (r"\b(?:(?:at|in)\s+)?(?P<step>cadre|remnant)\s+(?:strength|form|status)\b", r"as \g<step>"),
        (r",?\s*\b(?P<step>cadre|remnant)\s+only\b", r" as \g<step>"),
        (r"\b(?:becom(?:es?|ing)|to (?:be|become))\s+(?=full\s)", ""),
        (rf"(?<=\w),?\s+(?:gain(?:s|ing)?|giving|yielding|brings?|bringing)\s+(?={_AMOUNT})", " gives "),
        (rf"(?<=\w),?\s+(?:to (?:give|yield|gain|bring)|receiv(?:e|es|ing))\s+(?={_AMOUNT})", " gives "),
        (rf"\b(?:by (?:spending|paying)|at (?:a|the) cost of)\s+(?={_AMOUNT})", "for "),
        (rf"\breturning\s+(?:on\s+)?(?={_TURN})", "return "),
        (r"\b(?:up)?on (?:the )?fall of (?P<city>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*)", r"when \g<city> falls"),
        (r"\b(?P<way>to|from) (?:the )?MD (?P<md>[A-Z][\w'’-]*) garrison\b", r"\g<way> garrison of MD \g<md>"),
        (r"^add to (?:the )?eliminated(?: units)? box\b", "Add to replacement pool"),
        (rf"(?P<all>{_AMOUNTS})\s+(?:each|apiece)\b", r"\g<all>"),
        (rf"(?P<one>{_AMOUNT})\s*(?:\+|&|\band\b)\s*(?={_AMOUNT})", r"\g<one>, "),
        (r"^(?P<kind>ARP|SRP|SP)s?\s*:\s*(?P<many>[0-9][0-9./½]*)$", r"Resources: \g<many> \g<kind>"),
        (r"(?P<release>^release\b[^0-9]*?)\bup to\s+(?=[0-9½][0-9 ./½]*REs?\b)", r"\g<release>"),
        (r"^release:?\s+(?P<res>[0-9½][0-9 ./½]*REs?)$", r"Release from national reserve \g<res>"),
        (r",?\s*\bif possible\b", ""),
        (rf"\bin\s+(?P<one>{_NAME})\s+MD,?\s+(?:and|or)\s+(?P<two>{_NAME})\s+MD\b", r"in MDs \g<one>, \g<two>"),
        (rf"(?P<one>\bat\s+{_NAME}(?-i:\s+{_NAME})?)\s+or\s+at\s+(?={_NAME})", r"\g<one> or "),
        (rf"\b(?P<area>(?:front|theat(?:re|er)|command)\s+[^,:;]+),\s*(?={_TURN})", r"\g<area>: "),
        (r"\bany\s+(?:friendly|own|owned|friendly-owned)\s+(?=(?:city|port|airbase)\b)", "any "),
        (r"\b(?:at|in)\s+(?=[0-9]{1,2}[A-Z]?:[0-9]{4}\b)", "at hex "),
        (rf"\b(?:on|at) (?:the )?{_EDGE} edge of map (?P<map>\w+)", r"at map edge \g<map> \g<edge>"),
        (r"(?<=\()arrive\s+(?=(?:at|in)\s)", ""),
        (r"\b(?:appear(?:s|ing)?|arriving|arrives|enter(?:s|ing)?)\s+(?=(?:at|in|from)\s)", ""),
        (r"\bnat(?:['’]l|l|\.)\s*(?=res)", "national "),
        (r"\brepl\.?\s+(?=pool\b)", "replacement "),
        (r"(?<=from the )pool\b|(?<=from )pool\b|(?<=to the )pool\b|(?<=to )pool\b", "replacement pool"),
        (r"\bany number of\s+", "any "),
        (r"\banywhere\s+(?=in\s)", ""),
        (r"\bon\s+(?=(?:map edge|hex)\s)", "at "),
        (r"(?<=^disarm )(?:the )?(?:whole|entire) (?=\S)|(?<=^disarm: )(?:the )?(?:whole|entire) (?=\S)", "all "),
        (
            rf"^(?P<verb>disarm:?)\s+(?:the\s+)?(?P<whose>{_NAME}(?:\s+{_NAME})?)\s+forces$",
            r"\g<verb> all \g<whose> forces",
        ),
        (r"\bin reserve\b", "in reserve"),
        (r"\bin (?:op\.?|operational|O\.R\.) reserve\b|\bin O\.R\.|\bin op\.?[ -]?res\b\.?", "in OR"),
        (r"\s*@\s*(?=(?:the\s+)?(?:MDs?|fronts?|theat(?:re|er)s?|commands?|country)\b)", " in "),
        (r"\s*@\s*(?=(?:any\s+)?(?:city|port|airbase|hex|map edge)\b)", " at "),
        (rf"\s*@\s*(?={_AMOUNT})", " for "),
        (rf"\bcosts?\s*:\s*(?={_AMOUNT})", "for "),
        (rf"(?P<size>\s(?:X{{1,4}}|I{{1,3}})\b[^:;=\"“(→]*?)(?:\s*[:=]|\s[-–—])\s*(?={_AMOUNTS}$)", r"\g<size>, "),
        (rf"(?:(?<=^)|(?<=[:,])|(?<=[:,]\s)|(?<=for\s)|(?<=gives\s))\+\s*(?={_AMOUNT})", ""),
    )
)
_AT = re.compile(r"\s*@\s*(?=[^\W\d_])")
_MD_LAST = re.compile(r"(?<!\bMD)(?<!\bMDs)(?:,?\s+in|,|(?<=\S))\s+(?P<name>[A-Z][\w'’-]+)\s+MD(?=\s*(?:$|[,;:.)]))")
_COUNT = re.compile(rf"\b(?:any\s+)?(?P<number>{'|'.join(NUMBERS[1:])})\s+(?=\*?[0-9½]+[½0-9]*-)", re.IGNORECASE)
_AREA_LAST = re.compile(
    r"\b(?P<word>from|to|in)\s+(?:the\s+)?(?P<name>[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+)?)\s+"
    r"(?P<kind>[Tt]heat(?:re|er)|[Cc]ommand|[Ff]ront)\b"
)
_AFTER = re.compile(r"\bafter\s+(?=[A-Z][\w'’ -]+\s(?:falls?|is|are|has|have|surrenders?|joins?|enters?)\b)")
_CITY_OF = re.compile(rf"\bany\s+(?P<nation>{'|'.join(sorted(set(NATIONS.values())))})\s+city\b")
_MD_AGAIN = re.compile(
    r"(?P<one>\bMDs?\s+[A-Z](?:(?!\s(?:at|in|from|to|with)\s)[^;:(])*?)(?:,|,?\s+(?:and|or))\s+(?:in\s+)?MDs?\s+(?=[A-Z])"
)
_MDS = re.compile(r"\bMDs\s+[A-Z][^;(]*")
_EAST_TO_WEST = re.compile(r"(?<=\s)(?<!from )(?P<way>[A-Z][a-z]+\s+to\s+[A-Z][a-z]+)(?=$|,?\s+(?:for|if|when)\b)")


# Behind a size a clause may begin with a capital: 8-6 Inf XX 24 In MD V.
_CAPITAL = re.compile(
    r"(?P<unit>\s(?:X{1,4}|I{1,3})\b[^\"“(:→]*?\s)(?P<word>In|At|From|For|If|When|Once|Unless|Gives|Given)"
    r"(?=\s+(?:MDs?\b|the\s|any\s|[A-Z][a-z]*|[0-9]))"
)


def in_full(line: str) -> tuple[str, tuple[str, ...]]:
    """A line in the words of the grammar, and what had to be guessed."""
    if _OWN_WORDS.search(line):
        return line, ()
    warnings: list[str] = []
    line = _CAPITAL.sub(lambda found: f"{found['unit'].rstrip('. ')} {found['word'].lower()}", line)
    said = _VERB.sub(lambda found: found["before"] + (found.lastgroup or ""), line)
    for pattern, meant in _PLAIN:
        said = pattern.sub(meant, said)
    while (once := _MD_AGAIN.sub(r"\g<one>, ", said)) != said:
        said = once
    said = _AFTER.sub("once ", _CITY_OF.sub(_any_city_of, _MDS.sub(_parted_by_commas, said)))
    said = _AREA_LAST.sub(r"\g<word> \g<kind> \g<name>", _COUNT.sub(_counted, said))
    said = _MD_LAST.sub(r" in MD \g<name>", _AT.sub(" at ", said))
    said = _IN_BRACKETS.sub(_unwrapped(said, warnings), said)
    said = _LINKED.sub(lambda found: f"{found['link'].lower()} {found['turn']}" if found.start() else found[0], said)
    return _reordered(said, warnings), tuple(warnings)


def _any_city_of(found: re.Match[str]) -> str:
    """Any German city is any city in Germany."""
    return f"any city in {next(country for country, adjective in NATIONS.items() if adjective == found['nation'])}"


def _parted_by_commas(found: re.Match[str]) -> str:
    """MDs III, IV and V are three."""
    return re.sub(r"\s+and\s+(?=[A-Z])", ", ", found.group())


def _counted(found: re.Match[str]) -> str:
    """A count in words before a strength, as in two 7-6 Inf XX."""
    return f"{NUMBERS.index(found['number'].lower())}x "


def _unwrapped(line: str, warnings: list[str]) -> Callable[[re.Match[str]], str]:
    """What stands in a bracket and is a clause, without its bracket; any other bracket stays as it is."""

    def bare(found: re.Match[str]) -> str:
        said = found["said"].strip()
        if points := _POINTS.fullmatch(said):
            costs = points["word"] not in (None, "+") or (points["word"] is None and _is_a_price(line))
            clause = f"{'for' if costs else 'gives'} {points['points']}"
            warnings.append(f"read {found[0].strip()!r} as {clause}")
            return f" {clause}"
        clauses = [_clause(part.strip()) for part in said.split(",")]
        return f" {', '.join(clauses)}" if all(clauses) else found[0]

    return bare


def _clause(said: str) -> str:
    """What stands in a bracket as a clause without one; nothing if it is none."""
    if _BARE_MD.match(said):
        return f"in {said}"
    if said.casefold() in ("forming", "full"):
        return f"as {said.lower()}"
    known = (_PLACE.match, _OTHER_CLAUSE.match, _COMES_IN.fullmatch, _LINKED.fullmatch)
    if not any(is_one(said) for is_one in known):
        return ""
    return f"{said[0].lower()}{said[1:]}"


def _is_a_price(line: str) -> bool:
    """Points in brackets behind an arrow are what the change costs."""
    return re.search(r"→|[-=]*>", line) is not None


def _reordered(said: str, warnings: list[str]) -> str:
    """The parts of a line in the order of the grammar: the whole verb first, then the units, then where to."""
    said = _GARRISON_OF.sub(r"\g<verb> in MD ", said) if not _MOVED.fullmatch(said) else said
    if moved := _MOVED.fullmatch(said):
        rest = f"in {moved['rest']}" if _BARE_MD.match(moved["rest"]) else moved["rest"]
        return f"{moved['verb']} {moved['where']} {moved['units']} {rest}".rstrip()
    if sent := _SENT.fullmatch(said):
        return f"transfer {sent['units']} to {sent['where']}"
    if word := _SYNONYM.match(said):
        verb = SYNONYMS[word["word"].casefold()]
        warnings.append(f"read {word['word']!r} as {verb}")
        return f"{verb} {said[word.end() :]}"
    if re.match(r"(?:transfer)\b", said, re.IGNORECASE):
        return _EAST_TO_WEST.sub(r"from \g<way>", re.sub(r"\s*(?:→|[-=]*>)\s*(?=[A-Z])", " to ", said))
    if re.match(r"(?:resources?|replacements|receives?)\b", said, re.IGNORECASE):
        return _KIND_FIRST.sub(r"\g<number> \g<kind>", said)
    return said
