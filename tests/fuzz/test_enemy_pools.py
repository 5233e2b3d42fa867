"""Orders of the cases that name the enemy's pool in place of their own: none of them goes through."""

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
from forcepool.engine.decide import Decision, decide
from forcepool.engine.dice import RollNeeded
from forcepool.engine.sentence import Told
from forcepool.games.europa.world import NATIONAL

CASES = Path(__file__).parent.parent / "cases"
FIELDS = ("pay_from", "pool", "into", "track", "front", "area", "md")
NATIONS = ("Germany", "Italy", "Soviet Union", "Britain")
ALIKE = {"Allied": "Soviet", "Soviet": "Allied"}
"""Sides that are no enemies of one another, and may give each other aid."""
NO_POOL = {("upgrade-division", "into"), ("withdraw", "pay_from"), ("transfer-by-ob", "pay_from")}
"""The name of a counter; and pools that are asked one after the other, of which one without points is passed over."""
OF_EACH = 8
"""Orders of one name that are tried: the first ones that go through."""


def side_of(campaign: Campaign, order: Command) -> str:
    unit = campaign.state.units.get(getattr(order, "unit", ""))
    if unit is not None:
        return campaign.world.side_now(campaign.state, unit.spec.nation)
    return campaign.world.phasing(campaign.state)


def on_the_enemys_pools(campaign: Campaign, order: Command) -> Iterator[tuple[str, Command]]:
    """The order with the pool of each enemy nation in each field that may hold one."""
    world, side = campaign.world, side_of(campaign, order)
    for field in set(FIELDS) & set(order.__struct_fields__):
        for nation in NATIONS:
            if world.side_now(campaign.state, nation) not in (side, ALIKE.get(side)):
                yield field, replace(order, **{field: NATIONAL + nation})


def goes_through(campaign: Campaign, order: Command) -> bool:
    with suppress(RollNeeded, Told):
        found = decide(campaign.world, campaign.state, order)
        return isinstance(found, Decision) and bool(found.events)
    return False


def test_nobody_reaches_into_the_enemys_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    met: Counter[str] = Counter()
    tried_enough: set[str] = {""}
    reached: list[str] = []
    given = Campaign.do

    def do(self: Campaign, command: Command, **rest: Any) -> Any:
        name = command_name(command)
        has_a_pool = not command.referee and bool(set(FIELDS) & set(command.__struct_fields__))
        if has_a_pool and met[name] < OF_EACH and goes_through(self, command):
            met[name] += 1
            if met[name] == OF_EACH:
                tried_enough.add(name)
            for field, other in on_the_enemys_pools(self, command):
                if (name, field) not in NO_POOL and goes_through(self, other):
                    reached.append(f"{field}: {other}")
        elif not has_a_pool:
            tried_enough.add(name)
        return given(self, command, **rest)

    monkeypatch.setattr(Campaign, "do", do)
    for file in sorted(each for section in ("28", "49", "51", "52") for each in (CASES / section).rglob("*.yaml")):
        for case in read_cases(file):
            if any(step.command not in tried_enough for step in case.steps):
                run(case)
    assert not reached, "\n".join(reached)
    assert len(met) > 30
