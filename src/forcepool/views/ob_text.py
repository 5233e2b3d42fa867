"""What is said of the text of an order of battle: not understood, guessed, cannot be right; and the text tidied."""

from typing import Any

from forcepool.orderofbattle.lint import left_to_the_players, lint
from forcepool.orderofbattle.printing import print_ob
from forcepool.orderofbattle.reading import parse

MOST_FINDINGS = 100


def findings(text: str, *, turns_a_month: int, roman: bool) -> dict[str, Any]:
    """How many entries were read, what was not understood, guessed or cannot be right, and the tidy text."""
    ob = parse(text, "text", turns_a_month=turns_a_month, roman=roman)
    lines = [_finding(each.line, "not understood", each.message, each.hint) for each in ob.problems]
    lines += [_finding(each.line, "guessed", each.message, each.hint) for each in ob.warnings]
    lines += [_finding(each.line, "cannot be right", each.text, each.hint, each.clause) for each in lint(ob)]
    lines += [_finding(each.line, "left to you", each.text, each.hint, each.clause) for each in left_to_the_players(ob)]
    lines.sort(key=lambda each: (each["line"], each["kind"]))
    return {"entries": len(ob.entries), "count": len(lines), "findings": lines[:MOST_FINDINGS], "tidy": print_ob(ob)}


def _finding(line: int, kind: str, text: str, hint: str, clause: str = "") -> dict[str, Any]:
    return {"line": line, "kind": kind, "text": text, "hint": hint, "clause": clause}
