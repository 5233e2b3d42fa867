"""Which clauses and headings a text points to."""

import re
from collections.abc import Collection, Iterator

from forcepool.rulebook.clause import Clause, heading_of

RULES = "28|49|51|52|EF"
REFERENCE = re.compile(
    rf"(?<![\w./])(?P<heading>(?:{RULES})(?:\.[A-Za-z0-9]+)+)(?:/(?P<number>\d+))?(?:-(?P<last>\d+))?"
    rf"|(?<![\w./])(?P<rule>{RULES})/(?P<rule_number>\d+)"
    r"|(?<![\w./])(?P<sibling>[a-z]+)/(?P<sibling_number>\d+)"
    r"|(?<![\w./)])/(?P<here>\d+)"
)


def references(text: str, home: str) -> Iterator[str]:
    """The ids and headings a text names; "/4" belongs to the heading named last, or else to the clause's own."""
    current = heading_of(home)
    above = current.rpartition(".")[0]
    for found in REFERENCE.finditer(text):
        if found["heading"]:
            if found["number"] is None:
                yield found["heading"]
                continue
            current = found["heading"]
            yield f"{current}/{found['number']}"
            if found["last"]:
                yield f"{current}/{found['last']}"
        elif found["rule"]:
            current = found["rule"]
            yield f"{current}/{found['rule_number']}"
        elif found["sibling"]:
            current = f"{above}.{found['sibling']}"
            yield f"{current}/{found['sibling_number']}"
        else:
            yield f"{current}/{found['here']}"


def dangling(clause: Clause, known: Collection[str]) -> Iterator[str]:
    """The ids and headings a clause's statement and ruling name that do not exist."""
    texts = [clause.statement]
    if clause.ruling is not None:
        texts += [clause.ruling.question, clause.ruling.default, *clause.ruling.alternatives]
    for text in texts:
        yield from (named for named in references(text, clause.id) if named not in known)
    # In an example 49/10 is a sum worked out, so only references with a dotted heading are looked at.
    for example in clause.examples:
        for text in (example.given, example.expect):
            yield from (named for named in references(text, clause.id) if "." in named and named not in known)
