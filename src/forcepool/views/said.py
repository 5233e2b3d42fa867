"""Orders as one says them across the table, where the journal and the command line have them as typed."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from forcepool.engine import codec
from forcepool.engine import sentence as sentences
from forcepool.engine.acts import act_in_words, order_in_words, table_act_in_words
from forcepool.engine.command import Command
from forcepool.engine.journal import Entry
from forcepool.engine.points import show_points
from forcepool.engine.sentence import FIELD, TYPED, parts
from forcepool.engine.wording import one_line
from forcepool.orderofbattle.words import NATIONS
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
QUOTE = '"'
TITLES = {"advance": "End the phase"}
CAPITALS = {"arps": "ARPs", "nkvd": "NKVD", "siberia": "Siberia", "siberian": "Siberian"}
POINTS = ("points", "amount")
FRACTION = re.compile(r"(?<![\w/])\d+/[1-9]\d*(?![\w/])")
"""Points as they are stored, in the fields that hold them: 13/8 is said 1⅝."""
KIND = re.compile(r"[a-z][a-z-]+")
"""A kind of point in those fields: 'sp' is said SP."""
KEY_IN_BRACKETS = re.compile(r"\(((?:[a-z]{3})-(?:[1-4]|i{1,2})-[0-9]{2}-[a-z0-9-]+)\)")
"""An entry of the order of battle by its key, as journals keep the working: '(aug-1-41-german-withdraw-1)'."""
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
    if {"points", "nation"} <= fields.keys():
        # What goes stands before where it goes, and whose it is beside it.
        head.append(f"{field_said('points', fields.pop('points'))} {field_said('nation', fields.pop('nation'))},")
    ways = ", ".join(field_said(name, value) for name, value in fields.items())
    return one_line(" ".join(part for part in (*head, ways) if part)).removesuffix(",")


class Said(NamedTuple):
    """A part of a sentence as a page says it."""

    kind: str
    words: str
    name: str
    """Under which it is kept: front/centre for 'front Centre'."""


def sentence_said(sentence: str) -> str:
    """A sentence as a page says it: pools by their names, fields as a form has them, nothing to be typed."""
    return "".join(part.words for part in parts_said(sentence))


def told(sentence: str) -> str:
    """A sentence as the terminal says it: pools by their names, fields and keys as one types them."""
    return "".join(part.name if part.kind in (FIELD, TYPED) else part.words for part in parts_said(sentence))


def parts_said(sentence: str) -> Iterator[Said]:
    """A sentence as a player says it, part by part."""
    before = ""
    for kind, name in parts(sentence):
        yield Said(kind, _words(kind, name, before), name)
        before = name


def _words(kind: str, name: str, before: str) -> str:
    match kind:
        case sentences.WORDS:
            return KEY_IN_BRACKETS.sub(lambda found: f"(OB of {entry_said(found[1])})", in_words(name))
        case sentences.POOL:
            return pool_after(before, name)
        case sentences.ENTRY:
            return entry_said(name)
        case sentences.FIELD:
            return _field_in_a_form(name)
        case sentences.TYPED:
            return ""
    return name


LONGEST_FIRST = sorted(set(NATIONS.values()), key=len, reverse=True)
"""The nations of an order of battle: of two that begin alike the longer name is meant."""


def entry_said(key: str) -> str:
    """An entry of the order of battle as one says it: 'Aug 1 41, Soviet reorganize 2'."""
    month, turn, year, *rest = (*key.split("-"), "", "")
    if not year.isdecimal():
        return key
    words = " ".join(rest).strip()
    nation = next((each for each in LONGEST_FIRST if words.startswith(f"{each.casefold()} ")), "")
    told_of = nation + words[len(nation) :] if nation else words.capitalize()
    return f"{month.capitalize()} {turn.upper()} {year}, {told_of}"


def _field_in_a_form(typed: str) -> str:
    name, _, value = typed.partition("=")
    name = name.replace("_", " ")
    return f"{name} {in_words(value.strip(QUOTE))}" if value else f"“{name}”"


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
        text = entry_said(text)
    if len(text) > LONGEST_SAID:
        text = f"{text[:LONGEST_SAID].rsplit(maxsplit=1)[0]} …"
    return f"{label} {text}".strip()
