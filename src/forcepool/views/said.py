"""Orders as one says them across the table, where the journal and the command line have them as typed."""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import zip_longest
from typing import Any, NamedTuple

import msgspec

from forcepool.engine import codec
from forcepool.engine.acts import act_in_words, order_in_words, table_act_in_words
from forcepool.engine.command import Command
from forcepool.engine.journal import Entry
from forcepool.engine.points import show_points
from forcepool.engine.sentence import POOL, WORDS, parts
from forcepool.engine.wording import one_line
from forcepool.views.names import in_words, kind_in_words, pool_after

JOINED = {
    "pay_from": "paid from",
    "track": "on the track of",
    "arps_of": "with ARPs of",
    "md": "in",
    "front": "for",
    "nation": "of",
    "pool": "from",
    "line": "on the",
    "entry": "by the OB,",
    "depot": "charged to the depot",
} | dict.fromkeys(("text", "points", "units", "hexes", "air"), "")
"""Fields that read better with other words than their name, or with none."""
HOW_IT_WAS = {
    "isolated": {"no": "not isolated", "supply": "supply isolated", "combat": "combat isolated"},
    "how": {"strategic": "by strategic movement", "operational": "by operational movement"},
    "by": {"supply-rail": "by supply rail", "naval": "by sea"},
}
"""Values that say it all without the name of their field."""
ENTRY_KEY = re.compile(r"([a-z]{3})-(\d|i{1,3}|iv)-(\d\d)-([a-z-]+-\d+)")
"""How one types an entry of the order of battle: 'aug-1-41-soviet-reorganize-2', or with the turn in Roman numerals."""
KEY_AT_THE_END = re.compile(rf" \({ENTRY_KEY.pattern}\)")
TYPED_FIELD = re.compile(
    r"""(?<![\w/."'=?&-])(?P<name>
      about | amount | arps | arps_of | at | border | by | casualties | cause | city | components | converted |
      country | crossed | depot | entry | fact | front | hexes | hold | how | into | invasion | isolated | kind | line
      | loc | marker | md | mds | mediterranean | mix | name | named | nation | note | option | ordered | other |
      others | out_of_reserve | pay | pay_from | place | pocket | points | pool | price | reduced | reserve | result |
      rule | source | spec | srps | status | step | stop | strength | text | to | track | type | unit | units | value
    )=(?P<value>(?=[\w"]))?""",
    re.VERBOSE,
)
"""A field as one types it: 'to=cadre', or 'with front='."""
LOST = {
    "combat": "lost in combat",
    "isolation": "lost through isolation",
    "sea": "lost at sea",
    "composite": "gone into a composite unit",
}
WAR = {"defected": "it has gone over", "knocked-out": "it is out of the war", "at-war": "it is at war"}
"""How a unit was lost and where a nation stands, as the second game keeps it, and as it is said."""
MARKS = (
    (re.compile(rf"lost by ({'|'.join(LOST)})"), lambda mark: LOST[mark[1]]),
    (re.compile(rf"war ({'|'.join(WAR)})"), lambda mark: WAR[mark[1]]),
    (re.compile(rf"entry {ENTRY_KEY.pattern}"), lambda key: f"by the OB of {_turn_said(key)}"),
    (re.compile(r"mp (\d+)"), lambda mark: f"+{mark[1]} MP"),
    (re.compile(r"isolated (supply|combat)"), lambda mark: f"{mark[1]} isolated"),
    (re.compile(r"supply none"), lambda mark: "out of supply"),
    (re.compile(r"reserve none"), lambda mark: "not in reserve"),
    (re.compile(r"reserve taken back"), lambda mark: "no longer in reserve"),
    (re.compile(r"reserve md taken back"), lambda mark: "out of the Strategic Reserve Box"),
    (re.compile(r"reserve md (.+)"), lambda mark: f"left {in_words(mark[1])} for its strategic reserve"),
    (re.compile(r"national reserve taken back"), lambda mark: "no longer in national reserve"),
    (re.compile(r"set aside taken back"), lambda mark: "no longer set aside"),
    (re.compile(r"garrison taken back"), lambda mark: "no longer in a garrison"),
    (re.compile(r"air result taken back"), lambda mark: "its combat result is settled"),
    (re.compile(r"mp taken back"), lambda mark: "its MP marker is taken off"),
    (re.compile(r"turns out of supply taken back"), lambda mark: "no longer out of supply"),
    (re.compile(r"scrapped res (\S+)"), lambda mark: f"{mark[1]} REs scrapped this month"),
    (re.compile(r"replaced so far (\d+)"), lambda mark: f"{mark[1]} replaced so far"),
    (re.compile(r"(neutral|activated|isolated|dispersed) no"), lambda mark: f"not {mark[1]}"),
    (re.compile(r"enemy zoc (\w+)"), lambda mark: f"in the ZOC of an enemy {mark[1]}"),
    (re.compile(r"delta or palestine(?: yes)?"), lambda mark: "in the Delta or Palestine"),
    (re.compile(r"capital ([A-Z].*)"), lambda mark: f"capital of {mark[1]}"),
    (re.compile(r"or multiplier (\d+)"), lambda mark: f"its depot's multiplier {mark[1]}"),
    (re.compile(r"or multiplier taken back"), lambda mark: "its depot's multiplier starts afresh"),
    (re.compile(r"(supply|reserve) (\w+)"), lambda mark: f"{mark[2]} {mark[1]}"),
    (re.compile(r"turns out of supply (\d+)"), lambda mark: f"turn {mark[1]} out of supply"),
    (re.compile(r"rebuilt (full|cadre)"), lambda mark: f"rebuilt to {mark[1]}"),
    (re.compile(r"air status (\w+)"), lambda mark: mark[1]),
    (re.compile(r"(.+) yes"), lambda mark: mark[1]),
)
"""Markers as the rules keep them, and how a player names them."""
MARKED = re.compile(r"(?<=: )(?P<mark>[a-z][a-z ]*?) is (?P<value>[^\[\n]+?)(?= \[|$)")
"""What a marker came to be: '6 Pz XX: mp is 2 [52.A.9.d/10]'."""
KEPT = (
    (re.compile(rf"(?<![\w/])entry/{ENTRY_KEY.pattern}(?=: )"), lambda key: f"OB of {_entry_said(key)}"),
    (
        re.compile(rf"(?<=: )the entry of the OB that brings it: {ENTRY_KEY.pattern}"),
        lambda key: f"brought by the OB of {_entry_said(key)}",
    ),
    (re.compile(r"(?<=: )received is [A-Z][^\[\n]+?(?= \[|$)"), lambda _: "received"),
    (re.compile(r"(?<=: )did is (\d+)"), lambda done: f"{done[1]} done"),
    (re.compile(rf"(?<=: )lost by ({'|'.join(LOST)})\b"), lambda mark: LOST[mark[1]]),
    (re.compile(r"(?<=: )it is no longer in play(?= \[49\.A)"), lambda _: "its markers are taken off"),
    (re.compile(r"(?<![\w/])air-pool/"), lambda _: ""),
    (re.compile(r"(?<=: )capacity → strategic/\w+"), lambda _: "strategic movement of the turn"),
    (re.compile(r"(?<=: )strategic/\w+ → lost\b"), lambda _: "strategic movement not used"),
    (re.compile(r"(?<=: )strategic/\w+ → spent\b"), lambda _: "strategic movement used"),
    (re.compile(r"(?<=: )siberian-works → siberia\b"), lambda _: "Siberian symbols to be taken"),
    (re.compile(r"(?<=: )siberia → lost\b"), lambda _: "Siberian symbols not taken"),
    (re.compile(r"(?<=: )siberia → spent\b"), lambda _: "Siberian symbol taken"),
    (re.compile(r"(?<=: )siberian-reserves → reserves\b"), lambda _: "Siberian Reserves to be drawn"),
    (re.compile(r"(?<=: )replacement-schedule → replacements\b"), lambda _: "replacements received"),
    (re.compile(r"(?<=: )capacity → capacity/\w+"), lambda _: "capacity given"),
    (re.compile(r"(?<=: )capacity(?:/\w+)? → capacity\b"), lambda _: "capacity used"),
)
"""What the rules keep under names of their own, and how it is told."""
KEPT_WORDS = (
    "strategic/",
    "iberia",
    "replacement-schedule",
    "lost by ",
    "entry/",
    "the entry of the OB",
    "received is ",
    "did is ",
    "air-pool/",
    "capacity",
    "longer in play",
)
TITLES = {"advance": "End the phase"}
CAPITALS = {"arps": "ARPs", "nkvd": "NKVD", "siberia": "Siberia", "siberian": "Siberian"}
POINTS = ("points", "amount")
FRACTION = re.compile(r"(?<![\w/])\d+/[1-9]\d*(?![\w/])")
"""Points as they are stored, in the fields that hold them: 13/8 is said 1⅝."""
KIND = re.compile(r"[a-z][a-z-]+")
"""A kind of point in those fields: 'sp' is said SP."""
MOST_NAMED = 6
"""Units or hexes of one order that are named before the rest are counted."""
LONGEST_SAID = 400
"""Signs of one field that are said; a pasted order of battle has as many as a book."""


def title_of(command: str) -> str:
    """'Rebuild cadre' for rebuild-cadre."""
    first, *rest = command.split("-")
    return TITLES.get(command, " ".join([first.capitalize(), *(CAPITALS.get(word, word) for word in rest)]))


def order_said(order: Command | bytes) -> str:
    """An order as one says it across the table: 'Rebuild cadre 10 Pz XX paid from front Centre'."""
    fields = msgspec.json.decode(codec.encode(order) if isinstance(order, Command) else order)
    if not isinstance(fields, dict) or any(isinstance(each, dict) for each in fields.values()):
        return order_in_words(order)
    if fields.get("command") == "note":
        return one_line(f"Note: {fields.get('text', '')}")
    head = [title_of(str(fields.pop("command", "?"))), str(fields.pop("unit", ""))]
    if "fact" in fields:
        fact, value = str(fields.pop("fact")).replace("_", " "), fields.pop("value", True)
        fields = {"text": f"{fact}: {'yes' if value is True else 'no' if value is False else value}", **fields}
    ways = ", ".join(field_said(name, value) for name, value in fields.items())
    return one_line(" ".join(part for part in (*head, ways) if part))


class Said(NamedTuple):
    """A part of a sentence as a page says it."""

    kind: str
    words: str
    name: str
    """Under which it is kept: front/centre for 'front Centre'."""


def sentence_said(sentence: str) -> str:
    """A sentence as a player says it: pools by their names, fields as a form has them, no keys of OB entries."""
    return "".join(part.words for part in parts_said(sentence))


def told(sentence: str) -> str:
    """What the journal tells, as a player says it: pools, markers and entries of the OB by their names."""
    return "".join(part.words for part in _said(sentence, _words_told))


def parts_said(sentence: str) -> Iterator[Said]:
    """A sentence as a player says it, part by part."""
    return _said(sentence, _words_on_a_page)


def _said(sentence: str, words: Callable[[str], str]) -> Iterator[Said]:
    listed = list(parts(sentence))
    before = ""
    for (kind, name), after in zip_longest(listed, listed[1:]):
        if kind == WORDS:
            # In 'pay_from=front/centre' the value is a part of its own, and stands for any letter.
            yield Said(kind, words(f"{name}x")[:-1] if after and name.endswith("=") else words(name), name)
        else:
            yield Said(kind, pool_after(before, name) if kind == POOL else name, name)
        before = name


def _words_on_a_page(text: str) -> str:
    text = KEY_AT_THE_END.sub("", text)
    return _words_told(TYPED_FIELD.sub(_field_in_a_form, text) if "=" in text else text)


def _words_told(text: str) -> str:
    # Pages have hundreds of sentences, and few of them name such things.
    if any(word in text for word in KEPT_WORDS):
        for kept, said in KEPT:
            text = kept.sub(said, text)
    return in_words(MARKED.sub(_marked, text) if " is " in text else text)


def _marked(found: re.Match[str]) -> str:
    kept = f"{found['mark']} {found['value']}"
    said = mark_said(kept)
    return found[0] if said == in_words(kept) else said


def _entry_said(key: re.Match[str]) -> str:
    return f"{_turn_said(key)}, {key[4].replace('-', ' ').capitalize()}"


def _turn_said(key: re.Match[str]) -> str:
    return f"{key[1].capitalize()} {key[2].upper()} {key[3]}"


def _field_in_a_form(found: re.Match[str]) -> str:
    name = found["name"].replace("_", " ")
    return f"{name} " if found["value"] is not None else f"“{name}”"


def mark_said(mark: str) -> str:
    """A marker as a player names it: '+2 MP' for mp 2, 'supply isolated', 'by the OB of Jul 2 41'."""
    for kept, said in MARKS:
        if found := kept.fullmatch(mark):
            return said(found)
    return in_words(mark)


def act_said(entry: Entry) -> str:
    """What a seat did, as one says it across the table."""
    if entry.undo or entry.redo or entry.asks or entry.message or table_act_in_words(entry):
        return act_in_words(entry)
    return order_said(entry.do if isinstance(entry.do, Command) else bytes(entry.do)) or act_in_words(entry)


def field_said(name: str, value: Any) -> str:
    """One field of an order: 'paid from front Centre'."""
    label = JOINED.get(name, name.replace("_", " "))
    if value is True:
        return label
    if isinstance(value, list | tuple):
        named = [*map(str, value[:MOST_NAMED]), *([f"{len(value) - MOST_NAMED} more"] if value[MOST_NAMED:] else [])]
        return f"{label} {' and '.join(named)}".strip()
    if name in HOW_IT_WAS and (said := HOW_IT_WAS[name].get(str(value))):
        return said
    text = "no" if value is False else in_words(str(value))
    if name in POINTS:
        text = FRACTION.sub(lambda found: show_points(Fraction(found[0])), text)
        text = KIND.sub(lambda found: kind_in_words(found[0]), text)
    if name == "entry":
        text = ENTRY_KEY.sub(_entry_said, text)
    if len(text) > LONGEST_SAID:
        text = f"{text[:LONGEST_SAID].rsplit(maxsplit=1)[0]} …"
    return f"{label} {text}".strip()
