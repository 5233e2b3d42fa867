"""Orders of the cases in phases and words they were not meant for: each is judged, or told what is wrong with it."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from forcepool.cases.reading import read_cases
from forcepool.cases.runner import run
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import Command, command_name
from forcepool.engine.decide import decide
from forcepool.engine.dice import RollNeeded
from forcepool.engine.sentence import Told
from forcepool.engine.state import State

CASES = Path(__file__).parent.parent / "cases"
WORDS = ("", "Nowhere", "md/x", "national/Germany", "0", "-1", "1 inf", "yes", "all")
OF_EACH = 5
"""Orders of one name that are tried: the first ones met with."""


def in_other_words(order: Command) -> Iterator[Command]:
    """The order, and with each of its fields left empty or filled with what belongs elsewhere."""
    yield order
    for field in order.__struct_fields__:
        given = getattr(order, field)
        if isinstance(given, bool):
            yield replace(order, **{field: not given})
        elif isinstance(given, str):
            yield from (replace(order, **{field: word}) for word in WORDS if word != given)
        elif isinstance(given, list):
            yield from (replace(order, **{field: words}) for words in ([], ["Nowhere"]))


def at_every_moment(campaign: Campaign) -> Iterator[State]:
    """The state as it is, and as if it were each phase of each player's turn."""
    sequence, state = campaign.world.sequence, campaign.state
    for player in range(len(sequence.players)):
        for phase in range(len(sequence.phases)):
            other = state.copy()
            other.clock = replace(state.clock, player=player, phase=phase)
            yield other


def put_out_of_place(campaign: Campaign, order: Command) -> int:
    """Judge it in every phase, overruled and not; anything but our own errors is a crash."""
    tried = 0
    for state in at_every_moment(campaign):
        here = state.clock == campaign.state.clock
        for put in in_other_words(order) if here else (order,):
            for reason in ("", "so be it"):
                tried += 1
                with suppress(RollNeeded, Told):
                    decide(campaign.world, state, put, override=reason)
    return tried


def test_orders_out_of_place_are_judged_or_told(monkeypatch: pytest.MonkeyPatch) -> None:
    met: Counter[str] = Counter()
    tried: list[int] = []
    given = Campaign.do

    def do(self: Campaign, command: Command, **rest: Any) -> Any:
        name = command_name(command)
        met[name] += 1
        if met[name] <= OF_EACH and name != "advance":
            tried.append(put_out_of_place(self, command))
        return given(self, command, **rest)

    monkeypatch.setattr(Campaign, "do", do)
    for file in sorted(CASES.rglob("*.yaml")):
        for case in read_cases(file):
            if any(met[step.command] < OF_EACH for step in case.steps if step.command):
                run(case)
    assert len(met) > 90
    assert sum(tried) > 10_000
