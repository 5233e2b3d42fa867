"""Both YAML parsers: the fast one in C, and the one in Python for machines without it."""

from typing import Any

import pytest
import yaml

from forcepool.files import parsing

LOADERS: list[Any] = [loader for name in ("CSafeLoader", "SafeLoader") if (loader := getattr(yaml, name, None))]


@pytest.fixture(params=LOADERS, ids=lambda loader: loader.__name__)
def any_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_LOADER", request.param)
