"""What lint finds in an entry's own words: conditions and limits that a program cannot follow by itself."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from forcepool.orderofbattle.conditions import about_places
from forcepool.orderofbattle.limits import instructions
from forcepool.orderofbattle.model import NOT_UNDERSTOOD, Condition, Entry, Finding
from forcepool.orderofbattle.words import FREE_TEXT

_OF_NOBODY = re.compile(
    r"(?:(?:it|they|the units?)\s+)?(?:(?:is|are|was|were|has been|have been)\s+)?(?:(?:still|not|already|yet)\s+)*"
    r"(?:available|possible|eliminated|destroyed|isolated|alive|in (?:play|supply)|on (?:the )?map"
    r"|in (?:the )?(?:replacement )?pool)",
    re.IGNORECASE,
)


def said_of_several(entries: Iterable[Entry]) -> Iterator[Finding]:
    """Conditions such as `not eliminated` that several entries have and that name no unit: one word would meet all."""
    said = [(entry, _bare(each).casefold()) for entry in entries for each in entry.conditions]
    times = Counter(text for _, text in said)
    for entry, text in said:
        if times[text] > 1 and _OF_NOBODY.fullmatch(text):
            shared = f"the condition '{text}' names no unit, and {times[text]} lines have it"
            hint = "name the unit in it: if the 24th is not eliminated"
            yield Finding(entry.line, "51.B.2/3", f"{shared}: declared once, it is so for all of them", hint)


def left_to_the_players(entry: Entry) -> Iterator[Finding]:
    """Conditions that must be declared when they come about, and instructions that must be watched over by hand."""
    if entry.verb == NOT_UNDERSTOOD or entry.verb in FREE_TEXT:
        return
    for condition in entry.conditions:
        if about_places(_bare(condition)) is None:
            text = f"the condition '{condition.text}' cannot be seen on the map: the entry waits until you declare it"
            hint = f'when it is so, declare fact=so about="{_bare(condition)}" value=yes'
            yield Finding(entry.line, "51.B.2/3", text, hint)
    said = instructions(entry.note)
    if said.limits and not entry.results:
        text = (
            f"the limit '{entry.note}' is understood, but kept for changes only: here nothing is refused because of it"
        )
        yield Finding(entry.line, "51.B.14/3", text, "see to it yourselves")
        return
    unread = said.unread
    if unread:
        text = f"the words '{unread}' are not read as a limit: nothing is refused because of them"
        yield Finding(entry.line, "51.B.14/3", text, "write it as at most two a month, or see to it yourselves")


def _bare(condition: Condition) -> str:
    """A condition without the `no` before it."""
    text = condition.text
    return text[3:] if text.casefold().startswith("no ") else text
