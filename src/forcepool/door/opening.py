"""Opening a campaign, and beginning one."""

import os
from collections.abc import Mapping
from pathlib import Path

from forcepool import games
from forcepool.door.campaign import Campaign, secret_of
from forcepool.engine import campaign as engine
from forcepool.engine.beginning import new_seed
from forcepool.engine.journal import MemoryJournal
from forcepool.engine.sentence import Told
from forcepool.files.yamltext import Document, read_yaml_file
from forcepool.store.address import is_database
from forcepool.store.open import open_campaign
from forcepool.views import scenarios
from forcepool.views.near import did_you_mean


def open_file(path: str | os.PathLike[str], *, side: str = "") -> Campaign:
    """The campaign in a file, or in a database: 'postgresql://host/club#east'."""
    if isinstance(path, str) and is_database(path):
        return Campaign(open_campaign(path, games.build_world), side=side)
    return Campaign(open_campaign(Path(path), games.build_world), side=side, path=Path(path))


def begin(
    scenario: str | os.PathLike[str],
    path: str | os.PathLike[str] | None = None,
    *,
    side: str = "",
    seed: int | None = None,
    house_rules: Mapping[str, str] | None = None,
) -> Campaign:
    """A new campaign of a scenario that ships or of one's own file; without a path it lasts as long as the program."""
    begun = scenarios.read_scenario(_scenario(os.fspath(scenario)))
    secret = new_seed() if seed is None else secret_of(seed)
    if path is not None:
        scenarios.begin(Path(path), begun, house_rules=house_rules, seed=secret)
        return open_file(path, side=side)
    journal = MemoryJournal()
    scenarios.begin_in(journal, begun, seed=secret, house_rules=house_rules)
    return Campaign(engine.Campaign(journal, games.build_world, secret), side=side)


def _scenario(name: str) -> Document:
    if name in scenarios.scenario_names():
        return scenarios.shipped_scenario(name)
    if name.endswith((scenarios.ENDING, ".yml")) or Path(name).is_file():
        return read_yaml_file(name)
    raise Told(f"there is no scenario '{name}'; {did_you_mean(name, scenarios.scenario_names())}")
