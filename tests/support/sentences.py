"""Listening to every refusal while something is played: is each name a part and no letters, is one told as one?"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from forcepool.engine import decide
from forcepool.engine.command import Question
from forcepool.engine.ledger import is_pool
from forcepool.engine.sentence import WORDS, parts, plain
from forcepool.engine.verdicts import No, Rule, Yes

OTHER_NAMES = ("Kazan line", "Warsaw line", "Persian Gulf", "1st Moscow Motorized", "STAVKA headquarters")
"""What is called after a place or a unit and is none."""
SHORTEST = 4
"""Letters of a name that is looked for: '1' and 'A' stand in any sentence."""
ONE_OF_MANY = re.compile(
    r"(?<![\w/.,] )(?<![\w/.,-])1 (?:[a-z-]+ )?(?:REs|ARPs|points|units|turns|factories|hexes|divisions)\b"
)
"""One of something, told in the plural; in '2 1 points' it is the end of another number."""


def names(q: Question) -> set[str]:
    """The units, pools and places of a campaign at this moment."""
    state = q.state
    pools = {each.pool for each in state.balances if "/" in each.pool and is_pool(each.pool)}
    places = {*state.stacks, *(on.removeprefix("place/") for on in state.marks if on.startswith("place/"))}
    nations = {unit.spec.nation for unit in state.units.values()}
    return {name for name in {*state.units, *pools, *places} - nations if len(name) >= SHORTEST}


def letters(known: set[str], sentence: str) -> list[str]:
    """The names that stand in the words between the parts."""
    words = " | ".join(part.name for part in parts(sentence) if part.kind == WORDS)
    for each in OTHER_NAMES:
        words = words.replace(each, "")
    return [
        name for name in sorted(known) if name in words and re.search(rf"(?<![\w/-]){re.escape(name)}(?![\w/-])", words)
    ]


@contextmanager
def every_refusal(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What was found wrong, refusal by refusal, while the block ran."""
    judge, found = decide._judge, list[str]()

    def listening(rules: Sequence[Rule[Any]], q: Question, allowed: list[Yes]) -> list[No]:
        refused = judge(rules, q, allowed)
        if refused:
            known = names(q)
            for no in refused:
                for name in letters(known, no.whole):
                    found.append(f"'{name}' is letters in: {plain(no.whole)} [{no.clause}]")
                if one := ONE_OF_MANY.search(plain(no.whole)):
                    found.append(f"'{one[0]}' in: {plain(no.whole)} [{no.clause}]")
        return refused

    with monkeypatch.context() as patched:
        patched.setattr(decide, "_judge", listening)
        yield found
