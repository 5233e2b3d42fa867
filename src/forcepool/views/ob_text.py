"""What is said of the text of an order of battle: not understood, guessed, cannot be right; and the text tidied."""

from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from forcepool.engine.codec import encode
from forcepool.orderofbattle.lint import left_to_the_players, lint
from forcepool.orderofbattle.model import NOT_UNDERSTOOD, Entry, OrderOfBattle
from forcepool.orderofbattle.printing import print_lines, print_ob
from forcepool.orderofbattle.reading import parse

MOST_FINDINGS = 100


def findings(text: str, *, listed: Mapping[str, str] | None = None, turns_a_month: int, roman: bool) -> dict[str, Any]:
    """How many entries were read, what was not understood, guessed or cannot be right, and the tidy text.

    Beside the entries that are `listed` already, by their keys what each says, what the text has more or no longer.
    """
    ob = parse(text, "text", turns_a_month=turns_a_month, roman=roman)
    lines = [_finding(each.line, "not understood", each.message, each.hint) for each in ob.problems]
    lines += [_finding(each.line, "guessed", each.message, each.hint) for each in ob.warnings]
    lines += [_finding(each.line, "cannot be right", each.text, each.hint, each.clause) for each in lint(ob)]
    lines += [_finding(each.line, "left to you", each.text, each.hint, each.clause) for each in left_to_the_players(ob)]
    lines.sort(key=lambda each: (each["line"], each["kind"]))
    found = {"entries": len(ob.entries), "count": len(lines), "findings": lines[:MOST_FINDINGS], "tidy": print_ob(ob)}
    return found | changes(ob, listed or {}) | {"unread": [each.line for each in ob.problems]}


def changes(ob: OrderOfBattle, listed: Mapping[str, str]) -> dict[str, Any]:
    """What a text says that is not listed yet, as text of its own, and the keys of what it says no longer."""
    known, says = Counter(listed.values()), [said(each) for each in ob.entries]
    more, less = Counter(says) - known, known - Counter(says)
    read = [(entry, each) for entry, each in zip(ob.entries, says, strict=True) if entry.verb != NOT_UNDERSTOOD]
    added = [entry for entry, each in read if _one(more, each)]
    return {
        "added": print_ob(replace(ob, entries=tuple(added), title="", comments=())) if added else "",
        "more": [{"when": each.turn, "text": text} for each, text in zip(added, print_lines(added), strict=True)],
        "gone": [key for key, each in listed.items() if _one(less, each)],
    }


def said(entry: Entry) -> str:
    """What an entry says, wherever it stands, in as many letters as tell it from any other."""
    return sha256(encode(replace(entry, key="", line=0, comments=()))).hexdigest()[:24]


def _one(left: Counter[str], says: str) -> bool:
    """Whether one of these is still to be counted; it is counted."""
    left[says] -= 1
    return left[says] >= 0


def _finding(line: int, kind: str, text: str, hint: str, clause: str = "") -> dict[str, Any]:
    return {"line": line, "kind": kind, "text": text, "hint": hint, "clause": clause}
